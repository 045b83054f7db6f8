//! The pages, each fetched when it is first shown.

use leptos::prelude::*;

use super::{following, pages, part::parts};
use crate::state::App;

parts! {
    /// The main page, with the board.
    board: comment = || {
        following::begin_board();
        view! { <pages::comment::Comment /> }.into_any()
    };
    /// What Kibitz is and what it is made of.
    board: about = || pages::about::About().into_any();
    /// The page on which raters rate.
    survey: survey = || view! { <pages::survey::Survey /> }.into_any();
    /// The page on which studies are made.
    study: study = || view! { <pages::study::StudyBuilder /> }.into_any();
    /// The page on which comments on one move are compared.
    study: compare = || {
        following::begin_board();
        following::begin_commentary();
        view! { <pages::compare::Compare /> }.into_any()
    };
    /// The page on which ratings are analysed.
    study: analysis = || view! { <pages::analysis::Analysis /> }.into_any();
    /// The page on which language models judge comments.
    study: judges = || view! { <pages::judge::Judges /> }.into_any();
    /// The page on which players move in single positions.
    study: players = || view! { <pages::players::Players /> }.into_any();
    /// The page of the concept probes.
    laboratory: probes = || {
        App::get().network.restore();
        view! { <pages::probes::Probes /> }.into_any()
    };
    /// The page on which language models are asked where the pieces are.
    laboratory: blindfold = || {
        following::begin_board();
        view! { <pages::blindfold::Blindfold /> }.into_any()
    };
    /// The page on chess without search.
    laboratory: searchless = || view! { <pages::searchless::Searchless /> }.into_any();
    /// The benchmark.
    laboratory: bench = || {
        App::get().network.restore();
        view! { <pages::bench::Bench /> }.into_any()
    };
}
