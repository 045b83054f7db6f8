//! An annotation written down, for a page that is loaded again.

use serde::{Deserialize, Serialize};

use super::{AnnotatedGame, LineKey, ModelProse, look::Looked};
use crate::{chess::Game, pace::Pace, uci::Limit};

/// How one without searches and comments ends.
const NO_SEARCHES: &str = "],\"prose\":[]}";

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
        Self {
            looked: annotated.looked().to_vec(),
            prose: annotated.moves().iter().map(|m| m.model_prose.clone()).collect(),
            ..Self::head(annotated)
        }
    }

    /// Without searches and comments.
    fn head(annotated: &AnnotatedGame) -> Self {
        let (fen, moves) = annotated.line().key().written();
        Self {
            fen,
            moves,
            limit: annotated.limit(),
            multipv: annotated.multipv(),
            engine: annotated.engine().to_owned(),
            looked: Vec::new(),
            prose: Vec::new(),
        }
    }

    /// A piece of the text of what is worth keeping of `annotated`, from 0; `None` after the last. All pieces one after
    /// another are the JSON of [`of`](Self::of): there may be megabytes of it, too much to be written in one go.
    #[must_use]
    pub fn piece(annotated: &AnnotatedGame, number: usize) -> Option<String> {
        let looked = annotated.looked();
        let Some(position) = number.checked_sub(1) else {
            let text = serde_json::to_string(&Self::head(annotated)).ok()?;
            return text.strip_suffix(NO_SEARCHES).map(str::to_owned);
        };
        if let Some(looked) = looked.get(position) {
            let comma = if position > 0 { "," } else { "" };
            return Some(format!("{comma}{}", serde_json::to_string(looked).ok()?));
        }
        (position == looked.len()).then(|| {
            let prose: Vec<_> = annotated.moves().iter().map(|m| &m.model_prose).collect();
            Some(format!("],\"prose\":{}}}", serde_json::to_string(&prose).ok()?))
        })?
    }

    /// Whether it is of a game with this main line.
    #[must_use]
    pub fn is_of(&self, line: &LineKey) -> bool {
        line.is_written(&self.fen, &self.moves)
    }

    /// The annotation as it was, of a game with the same main line; `None` for another game. Searches that do not fit their
    /// position count as not made. `pace` has its turn between the moves: there may be thousands to judge.
    pub async fn restore(self, game: &Game, pace: &impl Pace) -> Option<AnnotatedGame> {
        let mut annotated = AnnotatedGame::new(game, self.limit, self.multipv);
        if !self.is_of(annotated.line().key()) {
            return None;
        }
        for (position, looked) in self.looked.into_iter().enumerate() {
            if let Some(looked) = looked {
                // What does not fit is searched again.
                annotated.put_back(position, &self.engine, looked);
                pace.turn().await;
            }
        }
        annotated.review_in_turns(pace).await;
        for (index, prose) in self.prose.into_iter().enumerate() {
            annotated.say_instead(index, prose);
        }
        Some(annotated)
    }
}
