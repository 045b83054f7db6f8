//! A chat model is asked: the prompt, and the square that its reply names.
//!
//! A chat endpoint ranks no vocabulary of ours. It says one square, so that ExM, LgM and the kinds of errors are defined and
//! R-precision is not; what names no square is counted.

use std::{collections::BTreeMap, fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use shakmaty::{Position, Square};
use thiserror::Error;

use super::{
    ply::{pgn_text, typed_text, uci_text},
    probe::{Probe, ProbeLine, ProbeTask, Question},
    token::Token,
};
use crate::{
    chess::names::role_name,
    llm::{Message, Role as Speaker},
};

/// The version of the prompts: another has other words.
pub const VERSION: u32 = 1;

/// How a model is told the moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MoveText {
    /// By their squares alone: `e2e4 e7e5 g1f3`.
    Uci,
    /// With the type before each: `Pe2e4 Pe7e5 Ng1f3`.
    Types,
    /// As PGN has them: `1. e4 e5 2. Nf3`.
    Pgn,
}

impl MoveText {
    /// All.
    pub const ALL: [Self; 3] = [Self::Uci, Self::Types, Self::Pgn];
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Uci => "uci",
            Self::Types => "types",
            Self::Pgn => "pgn",
        })
    }
}

/// A word that names no way of telling moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("moves are told as uci, types or pgn")]
pub struct MoveTextError;

impl FromStr for MoveText {
    type Err = MoveTextError;

    fn from_str(word: &str) -> Result<Self, MoveTextError> {
        Self::ALL
            .into_iter()
            .find(|text| text.to_string() == word)
            .ok_or(MoveTextError)
    }
}

/// The moves so far, and how they are told.
#[must_use]
pub fn told(probe: &Probe, text: MoveText) -> (String, &'static str) {
    match text {
        MoveText::Uci => (
            uci_text(probe.plies()),
            "each move is the square where it starts and the square where it ends",
        ),
        MoveText::Types => (
            typed_text(probe.plies()),
            "each move is the letter of the piece (P, N, B, R, Q, K; none in castling), the square where it starts and the square \
             where it ends",
        ),
        MoveText::Pgn => (pgn_text(probe.plies()), "in PGN"),
    }
}

/// What is asked of a chat model. It is not told whether the game's own move is meant.
#[must_use]
pub fn messages(probe: &Probe, question: &Question, text: MoveText) -> Vec<Message> {
    let (moves, how) = told(probe, text);
    let side = probe.position().turn().fold_wb("White", "Black");
    let asked = match question.from() {
        Some(from) => {
            format!(
                "{side} now moves the {} on {from}. On which square may this move end?",
                role_name(question.role)
            )
        }
        None => format!(
            "{side} now moves a {}. On which square does the {} stand that moves?",
            role_name(question.role),
            role_name(question.role)
        ),
    };
    // Who is told that a bishop stands on f1 need not know it: where the moves have no types, the question has none.
    let asked = match (text, question.from()) {
        (MoveText::Uci, Some(from)) => {
            format!("{side} now moves the piece on {from}. On which square may this move end?")
        }
        _ => asked,
    };
    vec![
        Message::new(
            Speaker::System,
            "You follow a game of chess by its moves alone. Answer with the name of one square, such as d4, and nothing else.",
        ),
        Message::new(
            Speaker::User,
            format!("The moves of a game of chess so far ({how}):\n{moves}\n\n{asked} Answer with one square."),
        ),
    ]
}

/// What is asked, word for word, of the paper's example: by the way moves are told and by what is asked for, for the header of a
/// run.
#[must_use]
pub fn texts(text: MoveText) -> BTreeMap<String, String> {
    let words = of_example(|probe, question| {
        let said = messages(probe, question, text);
        let said: Vec<String> = said.into_iter().map(|message| message.content).collect();
        Some(said.join("\n\n"))
    });
    words.map(|(name, words)| (format!("{text}, {name}"), words)).collect()
}

/// What is made of both questions about the paper's example, where the game goes on: `end` and `start`.
pub(super) fn of_example(
    words: impl Fn(&Probe, &Question) -> Option<String>,
) -> impl Iterator<Item = (&'static str, String)> {
    let example = Probe::read(&ProbeLine {
        id: String::new(),
        prefix: "e2e4 e7e5 g1f3 b8c6 d2d4 h7h6".to_owned(),
        starting_square: "f1".to_owned(),
        ending_square: Some("b5".to_owned()),
        other_starting_square: None,
        other_piece_type: None,
    });
    let asked = [("end", ProbeTask::EndActual), ("start", ProbeTask::StartActual)];
    asked.into_iter().filter_map(move |(name, task)| {
        let probe = example.as_ref().ok()?;
        Some((name, words(probe, &probe.question(task)?)?))
    })
}

/// The square that a reply names; `None` where it names none.
///
/// Squares stand alone (`b5`, `**b5**`), in a move (`f1b5`, `f1-b5`: where it ends, of the Start tasks where it starts) or behind
/// a letter (`Bb5`, `Bxb5+`). The square that the question itself names is passed over where another is there. Of several lines
/// the last with a square counts, of several squares in it the first.
#[must_use]
pub fn read_square(reply: &str, question: &Question) -> Option<Token> {
    let words = |line: &str| -> Vec<Square> {
        line.split(|letter: char| !letter.is_ascii_alphanumeric())
            .filter_map(|word| of_word(word, question))
            .collect()
    };
    let lines: Vec<Vec<Square>> = reply.lines().rev().map(words).collect();
    let asked = question.from();
    let other = lines.iter().flatten().find(|square| Some(**square) != asked);
    other.or(lines.iter().flatten().next()).copied().map(Token::of_square)
}

fn of_word(word: &str, question: &Question) -> Option<Square> {
    let square = |text: &str| Square::from_ascii(text.to_ascii_lowercase().as_bytes()).ok();
    match word.len() {
        2 => square(word),
        // A letter of a piece before it; `x` in captures.
        3 | 4 if word.starts_with(['N', 'B', 'R', 'Q', 'K']) => {
            let rest = &word[1..];
            square(rest.strip_prefix(['x', 'X']).unwrap_or(rest))
        }
        4 | 5 => {
            let (from, to) = (square(&word[..2])?, square(&word[2..4])?);
            Some(if question.task.is_end() { to } else { from })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::probe::tests::example, *};

    fn question(task: ProbeTask) -> (Probe, Question) {
        let probe = Probe::read(&example()).unwrap();
        let question = probe.question(task).unwrap();
        (probe, question)
    }

    #[test]
    fn the_prompt_tells_the_moves_and_not_the_answer() {
        let (probe, asked) = question(ProbeTask::EndActual);
        let said = messages(&probe, &asked, MoveText::Uci);
        let user = &said[1].content;
        assert!(user.contains("\ne2e4 e7e5 g1f3 b8c6 d2d4 h7h6\n"), "{user}");
        assert!(
            user.contains("White now moves the piece on f1. On which square may this move end?"),
            "{user}"
        );
        assert!(!user.contains("bishop") && !user.contains("b5"), "{user}");
        let typed = &messages(&probe, &asked, MoveText::Types)[1].content;
        assert!(typed.contains("Ng1f3") && typed.contains("the bishop on f1"), "{typed}");
        let pgn = &messages(&probe, &asked, MoveText::Pgn)[1].content;
        assert!(pgn.contains("(in PGN):\n1. e4 e5 2. Nf3 Nc6 3. d4 h6\n"), "{pgn}");
        assert!(pgn.contains("the bishop on f1") && !pgn.contains("b5"), "{pgn}");
        let (probe, asked) = question(ProbeTask::StartOther);
        let user = &messages(&probe, &asked, MoveText::Uci)[1].content;
        assert!(
            user.contains("White now moves a knight. On which square does the knight stand that moves?"),
            "{user}"
        );
        for text in MoveText::ALL {
            assert_eq!(text.to_string().parse(), Ok(text));
            let written = texts(text);
            assert_eq!(written.len(), 2);
            assert!(written[&format!("{text}, end")].ends_with("Answer with one square."));
        }
    }

    #[test]
    fn replies_are_read_as_they_are_written() {
        let (_, end) = question(ProbeTask::EndActual);
        let (_, start) = question(ProbeTask::StartActual);
        let read = |reply: &str, question: &Question| read_square(reply, question).map(|token| token.to_string());
        for reply in [
            "b5",
            "**b5**",
            "B5.",
            "Bb5",
            "Bxb5+",
            "f1b5",
            "f1-b5",
            "The bishop on f1 may end on b5, where it attacks c6.",
            "The knight is on f3.\nSo the answer is b5",
        ] {
            assert_eq!(read(reply, &end).as_deref(), Some("b5"), "{reply}");
        }
        assert_eq!(
            read("It ends on f1.", &end).as_deref(),
            Some("f1"),
            "wrong, and a square"
        );
        for reply in ["", "I cannot say.", "b9", "i5", "é5", "bishop", "12"] {
            assert_eq!(read(reply, &end), None, "{reply}");
        }
        for reply in ["f1", "f1b5", "Bf1", "It stands on f1."] {
            assert_eq!(read(reply, &start).as_deref(), Some("f1"), "{reply}");
        }
    }
}
