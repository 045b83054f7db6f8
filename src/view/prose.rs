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
    let mut before = "";
    let mut pieces = sentence.split_inclusive(char::is_whitespace).peekable();
    while let Some(piece) = pieces.next() {
        let word = piece.trim_end();
        let core = word.trim_end_matches([',', '.', ';', ':', ')', '!', '?']);
        let opening = core.len() - core.trim_start_matches('(').len();
        let (lead, san) = core.split_at(opening);
        let after = pieces.peek().map_or("", |next| next.trim_end());
        let as_move = !is_square(san) || !names_a_square(before, after);
        before = word;
        match path_to(san, lines).filter(|_| as_move) {
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

/// The longest line to a move that the text names: from the position before the discussed move on. `None` where it names
/// none of the engine's.
#[must_use]
pub fn longest_line(text: &str, lines: &LinesPanel) -> Option<Vec<UciMove>> {
    let paths = runs(text, lines).into_iter().filter_map(|run| match run {
        Run::Move { path, .. } => Some(path),
        Run::Text(_) => None,
    });
    paths.max_by_key(Vec::len)
}

fn is_square(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b'h', b'1'..=b'8'])
}

/// "e4" is a pawn's move as well as a square; the words around it tell which is meant.
fn names_a_square(before: &str, after: &str) -> bool {
    const PLACES: [&str; 20] = [
        "on", "at", "to", "from", "of", "square", "squares", "via", "in", "into", "onto", "the", "over", "through",
        "against", "towards", "near", "a", "an", "around",
    ];
    const MEN: [&str; 9] = [
        "pawn", "pawns", "square", "knight", "bishop", "rook", "queen", "king", "point",
    ];
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
    PLACES.contains(&bare(before).as_str()) || MEN.contains(&bare(after).as_str())
}

fn path_to(word: &str, lines: &LinesPanel) -> Option<Vec<UciMove>> {
    let bare = |san: &str| san.trim_end_matches(['+', '#', '!', '?']).to_owned();
    let wanted = bare(word);
    if wanted.len() < 2 || wanted.bytes().all(|b| b.is_ascii_digit()) {
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
            chances: String::new(),
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
    fn the_longest_line_is_that_of_the_last_move() {
        let line = longest_line("After Nxe5 Qh4+ the knight hangs.", &panel()).unwrap();
        assert_eq!(
            line.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["f3e5", "d8h4"]
        );
        assert_eq!(longest_line("There is no knight on c3.", &panel()), None);
    }

    #[test]
    fn moves_become_chips_and_the_text_stays() {
        let sentence = "White should play (Nxe5), when Qh4 wins the pawn on e4. Then e4, and the e4 pawn stays.";
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
        assert_eq!(chips, ["Nxe5", "Qh4", "e4"], "of three e4, one is a move");
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
