//! The games that questions were drawn from. They are kept in the browser with the run, so that their tables are there after a
//! reload.

use crate::{
    blindfold::{
        notation::Notation,
        source::SourceGames,
        split::Offered,
        token_file::{read_tokens, write_tokens},
    },
    browser::{database, document::program},
};

/// The name under which the games are kept.
const SAVED_GAMES: &str = "blindfold-games";

/// Games of a file, from which questions can be drawn anew.
#[derive(Debug, Clone)]
pub(super) struct GivenGames {
    pub(super) name: String,
    pub(super) games: SourceGames,
}

impl GivenGames {
    /// Keeps them with the run that begins; those of an earlier one go.
    pub(super) async fn keep(&self) {
        // Every type is written, so that no seed matters.
        let file = write_tokens(&self.games.games, &self.name, Notation::Ap, 0, &program());
        // Without them two tables are missing after a reload, and nothing else: whoever keeps nothing is told so of the run.
        let _ = database::keep(SAVED_GAMES, &file).await;
    }

    /// Finds the games again that the questions of a run were drawn from.
    pub(super) async fn find(source: &str) -> Option<Self> {
        // A store that can't be read holds nothing for us.
        let file = database::find(SAVED_GAMES).await.ok()??;
        let file = read_tokens(&file).ok()?;
        let offered = Offered {
            games: file.games.len(),
            ..Offered::default()
        };
        (file.header.split == source).then(|| Self {
            name: source.to_owned(),
            games: SourceGames {
                games: file.games,
                offered,
            },
        })
    }
}

/// Forgets the games that are kept.
pub(super) async fn forget_games() {
    // What can't be removed could not be kept either.
    let _ = database::forget(SAVED_GAMES).await;
}
