//! Prose with its moves as chips: hover shows the position, click plays it.

use shakmaty::uci::UciMove;

use super::lines::LinesPanel;

/// A stretch of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Run {
    /// Plain words.
    Text(String),
    /// A move that can be shown.
    Move {
        /// As it stands in the sentence.
        san: String,
        /// All moves from the position before the discussed one up to and including this one.
        path: Vec<UciMove>,
    },
}

/// Splits a sentence into words and moves. A word is a move when one of the engine's lines, or the discussed move,
/// has it; the shortest way to it wins, so that a move named after the played one means the reply to it.
#[must_use]
pub fn runs(sentence: &str, lines: &LinesPanel) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut plain = String::new();
    for piece in sentence.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        let core = word.trim_end_matches([',', '.', ';', ':', ')', '!', '?']);
        let opening = core.len() - core.trim_start_matches('(').len();
        let (lead, san) = core.split_at(opening);
        match path_to(san, lines) {
            Some(path) => {
                plain.push_str(lead);
                if !plain.is_empty() {
                    runs.push(Run::Text(std::mem::take(&mut plain)));
                }
                runs.push(Run::Move {
                    san: san.to_owned(),
                    path,
                });
                plain.push_str(&piece[core.len()..]);
            }
            None => plain.push_str(piece),
        }
    }
    if !plain.is_empty() {
        runs.push(Run::Text(plain));
    }
    runs
}

fn path_to(word: &str, lines: &LinesPanel) -> Option<Vec<UciMove>> {
    let bare = |san: &str| san.trim_end_matches(['+', '#', '!', '?']).to_owned();
    let wanted = bare(word);
    if wanted.len() < 2 || wanted.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    // A bare square ("e4") is mostly meant as a square: only pawn moves written with a capture or promotion, and piece
    // moves, are unmistakable.
    let square = wanted.len() == 2;
    if square {
        return None;
    }
    let steps = lines.rows.iter().rev().flat_map(|row| &row.steps);
    steps
        .filter(|step| bare(&step.san) == wanted)
        .min_by_key(|step| step.path.len())
        .map(|step| step.path.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::lines::{LineRow, Step};

    fn panel() -> LinesPanel {
        let step = |san: &str, path: &[&str]| Step {
            number: String::new(),
            san: san.to_owned(),
            path: path.iter().map(|m| m.parse().unwrap()).collect(),
        };
        LinesPanel {
            source: String::new(),
            chances: (50.0, 50.0),
            mover: "White",
            rows: vec![LineRow {
                title: "best".into(),
                score: String::new(),
                steps: vec![
                    step("Nxe5", &["f3e5"]),
                    step("Qh4+", &["f3e5", "d8h4"]),
                    step("e4", &["f3e5", "d8h4", "e3e4"]),
                ],
            }],
        }
    }

    #[test]
    fn moves_become_chips_and_the_text_stays() {
        let sentence = "White should play (Nxe5), when Qh4 wins the pawn on e4.";
        let runs = runs(sentence, &panel());
        let chips: Vec<&str> = runs
            .iter()
            .filter_map(|r| {
                if let Run::Move { san, .. } = r {
                    Some(san.as_str())
                } else {
                    None
                }
            })
            .collect();
        assert_eq!(chips, ["Nxe5", "Qh4"]);
        let joined: String = runs
            .iter()
            .map(|r| match r {
                Run::Text(t) => t.as_str(),
                Run::Move { san, .. } => san.as_str(),
            })
            .collect();
        assert_eq!(joined, sentence);
        assert_eq!(runs[0], Run::Text("White should play (".into()));
    }
}
