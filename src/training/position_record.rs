//! A line of a position file: `{"game":"7","ply":31,"fen":"…","lines":[{"uci":"e2e4","cp":31}],"wdl":[312,540,148]}`.
//!
//! The game names what must stay together when positions are split into those to fit on and those to test on. Only
//! `game` and `fen` must be there.

use serde::{Deserialize, Serialize};

use super::{Choice, Choices};

/// A position with where it is from and what the engine made of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionRecord {
    /// The game it is from. Positions of one game are alike, and belong on one side of a split.
    pub game: String,
    /// Plies played before it; 0 where that is not known.
    #[serde(default)]
    pub ply: u32,
    /// The position as FEN.
    pub fen: String,
    /// The engine's best moves, best first. The side to move's view.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Choice>,
    /// Win, draw, loss per mille in the side to move's view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wdl: Option<[u16; 3]>,
}

impl PositionRecord {
    /// The engine's choices in it; `None` where none are known.
    #[must_use]
    pub fn choices(&self) -> Option<Choices> {
        (!self.lines.is_empty()).then(|| Choices {
            moves: self.lines.clone(),
            wdl: self.wdl,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_back() {
        let line = r#"{"game":"7","ply":31,"fen":"8/8/8/8/8/8/8/8 w - - 0 1","lines":[{"uci":"e2e4","cp":31},{"uci":"e7e8q","mate":2}],"wdl":[312,540,148]}"#;
        let record: PositionRecord = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&record).unwrap(), line);
        assert_eq!(record.choices().unwrap().moves.len(), 2);
        let bare = r#"{"game":"g","ply":0,"fen":"x"}"#;
        let record: PositionRecord = serde_json::from_str(r#"{"fen":"x","game":"g","more":[1]}"#).unwrap();
        assert_eq!(serde_json::to_string(&record).unwrap(), bare);
        assert_eq!(record.choices(), None);
    }
}
