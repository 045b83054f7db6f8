//! An annotation written down, for a page that is loaded again.

use serde::{Deserialize, Serialize};

use super::{AnnotatedGame, MainLine, ModelProse, look::Looked};
use crate::{chess::Game, uci::Limit};

/// What an annotation cannot find out again in a moment: the searches and a model's comments. Verdicts and the narrator's
/// prose follow from them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedAnnotation {
    /// The position before the first move.
    fen: String,
    /// The moves of the main line in UCI, parted by spaces.
    moves: String,
    limit: Limit,
    multipv: u32,
    engine: String,
    /// One for each position to be searched.
    looked: Vec<Option<Looked>>,
    /// One for each move.
    prose: Vec<Option<ModelProse>>,
}

impl SavedAnnotation {
    /// What is worth keeping of `annotated`.
    #[must_use]
    pub fn of(annotated: &AnnotatedGame) -> Self {
        let (fen, moves) = annotated.line().written();
        Self {
            fen,
            moves,
            limit: annotated.limit(),
            multipv: annotated.multipv(),
            engine: annotated.engine().to_owned(),
            looked: annotated.looked().to_vec(),
            prose: annotated.moves().iter().map(|m| m.model_prose.clone()).collect(),
        }
    }

    /// Whether it is of a game with this main line.
    #[must_use]
    pub fn is_of(&self, line: &MainLine) -> bool {
        let (fen, moves) = line.written();
        (&fen, &moves) == (&self.fen, &self.moves)
    }

    /// The annotation as it was, of a game with the same main line; `None` for another game. Searches that do not fit their
    /// position count as not made.
    #[must_use]
    pub fn restore(self, game: &Game) -> Option<AnnotatedGame> {
        let mut annotated = AnnotatedGame::new(game, self.limit, self.multipv);
        if !self.is_of(annotated.line()) {
            return None;
        }
        for (position, looked) in self.looked.into_iter().enumerate() {
            if let Some(looked) = looked {
                // What does not fit is searched again.
                annotated.put_back(position, &self.engine, looked);
            }
        }
        annotated.review(None);
        for (index, prose) in self.prose.into_iter().enumerate() {
            annotated.say_instead(index, prose);
        }
        Some(annotated)
    }
}
