//! What a model is asked. A prompt is how the board is shown, and what is said beside it.
//!
//! The plain prompt, the one with the engine's sentence ("expert") and the one that says that there is a mate ("concept")
//! are those of the paper's figure A5 (CCC, appendix E), in our own words. Nothing of a prompt was written by a stranger.

use std::{collections::BTreeMap, fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Chess, Color, File, Move, Position, Rank, Square, san::San};

use super::suite::position::{Reached, TestPosition};
use crate::{
    chess::{names::color_name, write_fen},
    llm::{Message, Role},
};

/// The version of the wording, raised with every change to what a prompt says.
pub const VERSION: u32 = 1;

/// How the board is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum View {
    /// The position as FEN.
    #[default]
    Fen,
    /// The game's moves so far.
    Pgn,
    /// A board drawn with letters.
    Diagram,
}

/// A prompt; as text its parts joined by `+`, such as `fen+expert`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct PromptKind {
    /// How the board is shown.
    pub view: View,
    /// Whether all legal moves are listed.
    pub legal: bool,
    /// Whether the engine's sentence is given.
    pub expert: bool,
    /// Whether the concept's sentence is given.
    pub concept: bool,
    /// Whether the reason is asked for too.
    pub why: bool,
}

/// A text that names no prompt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is no prompt: fen, pgn or diagram, then +legal, +expert, +concept, +why")]
pub struct PromptKindError(String);

impl PromptKind {
    /// The three conditions of the paper's Table 7.
    pub const TABLE_7: [Self; 3] = [
        Self::of(View::Fen, false, false),
        Self::of(View::Fen, true, false),
        Self::of(View::Fen, false, true),
    ];

    const fn of(view: View, expert: bool, concept: bool) -> Self {
        Self {
            view,
            legal: false,
            expert,
            concept,
            why: false,
        }
    }

    /// Whether what it tells is known of a position.
    #[must_use]
    pub const fn fits(&self, at: &TestPosition) -> bool {
        let moves = !at.moves.is_empty() && at.start.is_none();
        (!self.expert || at.expert.is_some())
            && (!self.concept || at.concept.is_some())
            && (!matches!(self.view, View::Pgn) || moves)
    }
}

impl fmt::Display for PromptKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.view {
            View::Fen => "fen",
            View::Pgn => "pgn",
            View::Diagram => "diagram",
        })?;
        for (there, word) in [
            (self.legal, "+legal"),
            (self.expert, "+expert"),
            (self.concept, "+concept"),
            (self.why, "+why"),
        ] {
            if there {
                f.write_str(word)?;
            }
        }
        Ok(())
    }
}

impl FromStr for PromptKind {
    type Err = PromptKindError;

    fn from_str(text: &str) -> Result<Self, PromptKindError> {
        let error = || PromptKindError(text.chars().take(60).collect());
        let mut words = text.trim().split('+');
        let view = match words.next() {
            Some("fen") => View::Fen,
            Some("pgn") => View::Pgn,
            Some("diagram") => View::Diagram,
            _ => return Err(error()),
        };
        let mut kind = Self::of(view, false, false);
        for word in words {
            let part = match word {
                "legal" => &mut kind.legal,
                "expert" => &mut kind.expert,
                "concept" => &mut kind.concept,
                "why" => &mut kind.why,
                _ => return Err(error()),
            };
            if std::mem::replace(part, true) {
                return Err(error());
            }
        }
        Ok(kind)
    }
}

impl Serialize for PromptKind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PromptKind {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// The messages that ask for a move in `reached`. `expert` and `concept` are the sentences to tell, where the kind has them.
#[must_use]
pub fn messages(kind: PromptKind, reached: &Reached, expert: Option<&str>, concept: Option<&str>) -> Vec<Message> {
    let side = color_name(reached.position.turn());
    let answer = match kind.why {
        false => "Answer with one move in standard algebraic notation (SAN) and with nothing else.".to_owned(),
        true => "Answer in two parts: a line “Move: ” with one move in standard algebraic notation (SAN), then a line “Why: ” \
                 with one or two sentences that say why it is the best."
            .to_owned(),
    };
    let system =
        format!("You play chess. You are shown a position and find the best move for the side to move. {answer}");
    let mut lines = Vec::new();
    match kind.view {
        View::Fen => lines.push(format!("FEN: {}", write_fen(&reached.position, reached.mode))),
        View::Pgn => {
            if let Some(first) = reached.history.first().filter(|first| **first != Chess::default()) {
                lines.push(format!(
                    "The game began in this position: {}",
                    write_fen(first, reached.mode)
                ));
            }
            lines.push(format!("The game so far: {}", numbered(reached)));
        }
        View::Diagram => {
            lines.push("The board (capitals are White's pieces):".to_owned());
            lines.push(board(reached));
        }
    }
    lines.push(format!("{side} to move."));
    if kind.legal {
        lines.push(format!("Legal moves: {}", legal(reached).join(", ")));
    }
    if let Some(expert) = expert.filter(|_| kind.expert) {
        lines.push(format!("A chess engine's evaluation: {expert}"));
    }
    if let Some(concept) = concept.filter(|_| kind.concept) {
        lines.push(format!("Hint: {concept}"));
    }
    lines.push(format!("What is the best move for {side}?"));
    vec![
        Message::new(Role::System, system),
        Message::new(Role::User, lines.join("\n")),
    ]
}

/// What these prompts say, by their names, for the record: of the first position of chess, with what is told beside it in
/// angle brackets; and what is said where a move is asked for `again`.
#[must_use]
pub fn texts(kinds: &[PromptKind]) -> BTreeMap<String, String> {
    let first = Reached {
        history: Vec::new(),
        moves: Vec::new(),
        position: Chess::default(),
        mode: CastlingMode::Standard,
    };
    let text = |kind: PromptKind| {
        let said = messages(
            kind,
            &first,
            Some("<the engine's sentence>"),
            Some("<the concept's sentence>"),
        );
        said.into_iter()
            .map(|message| message.content)
            .collect::<Vec<_>>()
            .join("\n\n")
    };
    let all = kinds.iter().map(|kind| (kind.to_string(), text(*kind)));
    all.chain([("again".to_owned(), objection("<what is wrong>"))])
        .collect()
}

/// What is said to an answer that was no legal move, where it is asked again.
#[must_use]
pub fn objection(fault: &str) -> String {
    format!("That is not a legal move here. {fault} Answer with one legal move in standard algebraic notation.")
}

/// The reason in an answer to a prompt that asks why: what follows “Why:”, else everything but the line of the move.
#[must_use]
pub fn explanation(reply: &str) -> Option<String> {
    let lower = reply.to_ascii_lowercase();
    let text = match lower.rfind("why:") {
        Some(at) => &reply[at + "why:".len()..],
        None => reply.trim().split_once('\n').map_or("", |(_, rest)| rest),
    };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.trim_matches(['*', '_', ' ']).to_owned();
    (!text.is_empty()).then_some(text)
}

/// The legal moves in SAN, sorted.
fn legal(reached: &Reached) -> Vec<String> {
    let san = |mv: &Move| San::from_move(&reached.position, *mv).to_string();
    let mut moves: Vec<String> = reached.position.legal_moves().iter().map(san).collect();
    moves.sort();
    moves
}

/// `1. e4 e5 2. Nf3`.
fn numbered(reached: &Reached) -> String {
    let mut words = Vec::new();
    for (before, mv) in reached.history.iter().zip(&reached.moves) {
        let number = before.fullmoves();
        match before.turn() {
            Color::White => words.push(format!("{number}.")),
            Color::Black if words.is_empty() => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(shakmaty::san::SanPlus::from_move(before.clone(), *mv).to_string());
    }
    words.join(" ")
}

/// Eight ranks of letters and dots, with their numbers and the files' letters; then what a board does not show.
fn board(reached: &Reached) -> String {
    let position = &reached.position;
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        text += &format!("{} ", rank.char());
        for file in File::ALL {
            let piece = position.board().piece_at(Square::from_coords(file, rank));
            text.push(' ');
            text.push(piece.map_or('.', shakmaty::Piece::char));
        }
        text.push('\n');
    }
    text += "   a b c d e f g h\n";
    let fen = write_fen(position, reached.mode);
    let fields: Vec<&str> = fen.split(' ').collect();
    text + &format!(
        "Castling rights: {}. En passant: {}.",
        fields.get(2).unwrap_or(&"-"),
        fields.get(3).unwrap_or(&"-")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grading::suite::goal::Goal;

    fn asked(kind: &str) -> String {
        let mut at = TestPosition::new("x", &Chess::default(), CastlingMode::Standard, Goal::Grade);
        at.moves = "e2e4 e7e5".to_owned();
        at.fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2".to_owned();
        let kind: PromptKind = kind.parse().unwrap();
        let messages = messages(
            kind,
            &at.read().unwrap(),
            Some("best move - Nf3 30cp"),
            Some("There is a fork."),
        );
        format!("{}\n{}", messages[0].content, messages[1].content)
    }

    #[test]
    fn each_prompt_tells_what_it_names_and_nothing_else() {
        let plain = asked("fen");
        assert!(plain.contains("FEN: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"));
        for (kind, has) in [
            ("pgn", "The game so far: 1. e4 e5\n"),
            ("diagram", "4  . . . . P . . .\n"),
            ("fen+legal", "Legal moves: Ba6, Bb5, Bc4"),
            ("fen+expert", "evaluation: best move - Nf3 30cp"),
            ("fen+concept", "Hint: There is a fork."),
            ("fen+why", "“Why: ”"),
        ] {
            assert!(asked(kind).contains(has), "{kind}:\n{}", asked(kind));
            assert!(!plain.contains(has), "{kind}");
        }
    }

    #[test]
    fn kinds_are_read_as_they_are_written() {
        for text in ["fen", "pgn+legal", "diagram+legal+expert+concept+why"] {
            assert_eq!(text.parse::<PromptKind>().unwrap().to_string(), text);
        }
        for wrong in ["", "legal", "fen+", "fen+legal+legal", "FEN"] {
            assert!(wrong.parse::<PromptKind>().is_err(), "{wrong}");
        }
        assert_eq!(
            PromptKind::TABLE_7.map(|kind| kind.to_string()),
            ["fen", "fen+expert", "fen+concept"]
        );
    }

    #[test]
    fn reasons_are_found() {
        assert_eq!(
            explanation("Move: e4\nWhy: It takes space.").as_deref(),
            Some("It takes space.")
        );
        assert_eq!(explanation("e4\nIt takes\nspace.").as_deref(), Some("It takes space."));
        assert_eq!(explanation("e4"), None);
        assert_eq!(explanation("Why:"), None);
    }
}
