//! Which page the address asks for.

use crate::browser::location;

/// What the address can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// The main page.
    Comment,
    /// Concept probes.
    Probes,
    /// The benchmark.
    Bench,
    /// Comments on one move are compared.
    Compare,
    /// Comments are judged by language models.
    Judge,
    /// Players move in single positions.
    Players,
    /// Language models are asked where the pieces are.
    Blindfold,
    /// Chess without search: boards are annotated.
    Searchless,
    /// Studies are made.
    Study,
    /// Comments are rated.
    Survey,
    /// Ratings are analysed.
    Analysis,
    /// What Kibitz is.
    About,
}

/// What the address asks for now.
#[must_use]
pub fn route() -> Route {
    let hash = location::hash();
    match hash.split('?').next().unwrap_or_default() {
        "#/probes" => Route::Probes,
        "#/bench" => Route::Bench,
        "#/compare" => Route::Compare,
        "#/judge" => Route::Judge,
        "#/players" => Route::Players,
        "#/blindfold" => Route::Blindfold,
        "#/searchless" => Route::Searchless,
        "#/study" => Route::Study,
        "#/survey" => Route::Survey,
        "#/analysis" => Route::Analysis,
        "#/about" => Route::About,
        _ => Route::Comment,
    }
}
