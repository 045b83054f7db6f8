//! What the engine had to choose from when a move of a self-play game was made, as it stands in the move's PGN comment:
//! `[%choices e2e4:31 d2d4:28 g1f3:#5] [%wdl 312 540 148]`.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use shakmaty::uci::UciMove;

use crate::uci::{Score, SearchResult, uci_text};

/// A move with its score. **The view of the side that makes it.**
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The move.
    #[serde(with = "uci_text")]
    pub uci: UciMove,
    /// What the engine makes of it.
    #[serde(flatten)]
    pub score: Score,
}

/// The engine's best moves in a position, best first. **The view of the side to move.**
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choices {
    /// The moves; not known to be legal anywhere.
    pub moves: Vec<Choice>,
    /// Win, draw, loss per mille, as the engine has it.
    pub wdl: Option<[u16; 3]>,
}

impl Choices {
    /// The first moves of a search's lines.
    #[must_use]
    pub fn of(result: &SearchResult) -> Self {
        Self {
            moves: result
                .lines
                .iter()
                .filter_map(|line| {
                    Some(Choice {
                        uci: *line.pv.first()?,
                        score: line.score,
                    })
                })
                .collect(),
            wdl: result.lines.first().and_then(|line| line.wdl),
        }
    }

    /// The choices in a PGN comment, `None` where it holds none that can be read whole.
    #[must_use]
    pub fn in_comment(comment: &str) -> Option<Self> {
        let moves = command(comment, "choices")?
            .split_whitespace()
            .map(|choice| {
                let (uci, score) = choice.split_once(':')?;
                Some(Choice {
                    uci: UciMove::from_str(uci).ok()?,
                    score: read_score(score)?,
                })
            })
            .collect::<Option<Vec<_>>>()?;
        let wdl = command(comment, "wdl").and_then(|numbers| {
            let numbers: Vec<u16> = numbers
                .split_whitespace()
                .map(|number| number.parse().ok())
                .collect::<Option<_>>()?;
            numbers.try_into().ok()
        });
        (!moves.is_empty()).then_some(Self { moves, wdl })
    }
}

/// As it stands in a comment.
impl fmt::Display for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[%choices")?;
        for Choice { uci, score } in &self.moves {
            match score {
                Score::Cp(cp) => write!(f, " {uci}:{cp}")?,
                Score::Mate(moves) => write!(f, " {uci}:#{moves}")?,
            }
        }
        f.write_str("]")?;
        if let Some([win, draw, loss]) = self.wdl {
            write!(f, " [%wdl {win} {draw} {loss}]")?;
        }
        Ok(())
    }
}

fn read_score(text: &str) -> Option<Score> {
    match text.strip_prefix('#') {
        Some(moves) => moves.parse().ok().map(Score::Mate),
        None => text.parse().ok().map(Score::Cp),
    }
}

/// What stands in `[%name …]`.
fn command<'a>(comment: &'a str, name: &str) -> Option<&'a str> {
    let rest = comment.split("[%").find_map(|part| part.strip_prefix(name))?;
    rest.strip_prefix(' ')?.split_once(']').map(|(inside, _)| inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_what_it_writes() {
        let text = "[%choices e2e4:31 d2d4:-28 a7a8q:#5 e1g1:#-2] [%wdl 312 540 148]";
        let choices = Choices::in_comment(text).unwrap();
        assert_eq!(choices.moves[2].score, Score::Mate(5));
        assert_eq!(choices.moves[1].score, Score::Cp(-28));
        assert_eq!(choices.wdl, Some([312, 540, 148]));
        assert_eq!(choices.to_string(), text);
        let among = format!("A comment. [%clk 0:01:00] {text} [%eval 0.2]");
        assert_eq!(Choices::in_comment(&among), Some(choices));
    }

    #[test]
    fn what_is_not_whole_is_none() {
        for text in [
            "",
            "[%choices]",
            "[%choices ]",
            "[%choices e2e4:31",
            "[%choices e2e4]",
            "[%choices e2e9:31]",
            "[%choices e2e4:x]",
            "[%choicest e2e4:1]",
        ] {
            assert_eq!(Choices::in_comment(text), None, "{text}");
        }
        assert_eq!(Choices::in_comment("[%choices e2e4:1] [%wdl 1 2]").unwrap().wdl, None);
    }

    #[test]
    fn json_names_the_unit() {
        let choice: Choice = serde_json::from_str(r#"{"uci":"e7e8n","mate":-3}"#).unwrap();
        assert_eq!(choice.score, Score::Mate(-3));
        assert_eq!(serde_json::to_string(&choice).unwrap(), r#"{"uci":"e7e8n","mate":-3}"#);
    }

    proptest! {
        #[test]
        fn no_comment_panics(comment in ".{0,80}") {
            let _ = Choices::in_comment(&format!("[%choices {comment}"));
        }
    }
}
