//! A game as the models see it: moves by their squares, in a row.

use std::{fmt, fmt::Write as _};

use shakmaty::{CastlingMode, Chess, Color, Move, Position, Role, Square, san::SanPlus, uci::UciMove};
use thiserror::Error;

use crate::chess::destination;

/// A move of one side. (What the paper calls a move is a ply.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ply {
    /// What moves; `None` in castling, which never gets a type, and where nothing is known of the board.
    pub piece: Option<Role>,
    /// Where it starts; in castling the king's square.
    pub from: Square,
    /// Where it ends; in castling the king's square.
    pub to: Square,
    /// What the pawn becomes.
    pub promotion: Option<Role>,
}

impl Ply {
    /// Of a move of orthodox chess.
    #[must_use]
    pub fn of(mv: Move) -> Option<Self> {
        Some(Self {
            piece: (!mv.is_castle()).then(|| mv.role()),
            from: mv.from()?,
            to: destination(mv),
            promotion: mv.promotion(),
        })
    }

    /// The same without its type.
    #[must_use]
    pub const fn bare(self) -> Self {
        Self { piece: None, ..self }
    }

    /// The move in a position, where it is legal.
    #[must_use]
    pub fn in_position(self, position: &Chess) -> Option<Move> {
        let uci = UciMove::Normal {
            from: self.from,
            to: self.to,
            promotion: self.promotion,
        };
        let mv = uci.to_move(position).ok()?;
        // Castling is written by the king's squares alone: a king that takes its own rook is another notation's.
        (mv.to_uci(CastlingMode::Standard) == uci).then_some(mv)
    }
}

/// UCI, without a type.
impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |role| f.write_char(role.char()))
    }
}

/// Moves in UCI, parted by spaces.
#[must_use]
pub fn uci_text(plies: &[Ply]) -> String {
    plies.iter().map(Ply::to_string).collect::<Vec<_>>().join(" ")
}

/// The same with every type before its move: `Pe2e4 Pe7e5 Ng1f3`.
#[must_use]
pub fn typed_text(plies: &[Ply]) -> String {
    let with_type = |ply: &Ply| match ply.piece {
        Some(role) => format!("{}{ply}", role.upper_char()),
        None => ply.to_string(),
    };
    plies.iter().map(with_type).collect::<Vec<_>>().join(" ")
}

/// The same as PGN has them: in SAN, each of White's with its number, `1. e4 e5 2. Nf3`. What cannot be played ends it.
#[must_use]
pub fn pgn_text(plies: &[Ply]) -> String {
    let mut position = Chess::default();
    let mut words = Vec::new();
    for ply in plies {
        let Some(mv) = ply.in_position(&position) else { break };
        if position.turn() == Color::White {
            words.push(format!("{}.", position.fullmoves()));
        }
        words.push(SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string());
    }
    words.join(" ")
}

/// A text that is no game from the first position of chess.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("move {number}, `{text}`, {what}")]
pub struct ReplayError {
    /// Which move, from 1.
    pub number: usize,
    /// As it stands there, its beginning.
    pub text: String,
    /// What is wrong with it.
    pub what: ReplayFault,
}

/// What may be wrong with a move of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ReplayFault {
    /// Not two squares and perhaps a promotion.
    #[error("is not in UCI notation")]
    Notation,
    /// It cannot be played.
    #[error("is not legal there")]
    Illegal,
    /// Another piece stands there than the text says.
    #[error("names another type than the one that stands there")]
    Type,
}

/// Moves that were played, and where they lead.
#[derive(Debug, Clone, PartialEq)]
pub struct Replayed {
    /// The moves, with their types.
    pub plies: Vec<Ply>,
    /// The position after them.
    pub position: Chess,
}

/// Plays moves in UCI, parted by white space, from the first position of chess; a type may stand before each.
///
/// # Errors
/// At the first move that is none.
pub fn replay(text: &str) -> Result<Replayed, ReplayError> {
    let mut plies = Vec::new();
    let mut position = Chess::default();
    for (at, word) in text.split_whitespace().enumerate() {
        let failed = |what| ReplayError {
            number: at + 1,
            text: word.chars().take(10).collect(),
            what,
        };
        let said = word.chars().next().filter(char::is_ascii_uppercase);
        let bare = &word[usize::from(said.is_some())..];
        let uci = UciMove::from_ascii(bare.as_bytes()).ok().filter(|uci| uci.is_normal());
        let uci = uci.ok_or_else(|| failed(ReplayFault::Notation))?;
        let (Some(from), Some(to)) = (uci.from(), uci.to()) else {
            return Err(failed(ReplayFault::Notation));
        };
        let wanted = Ply {
            piece: None,
            from,
            to,
            promotion: uci.promotion(),
        };
        let mv = wanted
            .in_position(&position)
            .ok_or_else(|| failed(ReplayFault::Illegal))?;
        let ply = Ply::of(mv).ok_or_else(|| failed(ReplayFault::Illegal))?;
        if said.is_some() && said != ply.piece.map(Role::upper_char) {
            return Err(failed(ReplayFault::Type));
        }
        position.play_unchecked(mv);
        plies.push(ply);
    }
    Ok(Replayed { plies, position })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_replayed_and_written_again() {
        let text = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 d7d6";
        let read = replay(text).unwrap();
        assert_eq!(uci_text(&read.plies), text);
        let typed = "Pe2e4 Pe7e5 Ng1f3 Nb8c6 Bf1c4 Bf8c5 e1g1 Pd7d6";
        assert_eq!(typed_text(&read.plies), typed, "castling has no type");
        assert_eq!(replay(typed), Ok(read));
        let promotes = "a2a4 b7b5 a4b5 a7a6 b5a6 g8f6 a6a7 f6g8 a7b8q";
        let read = replay(promotes).unwrap();
        assert_eq!(read.plies.last().unwrap().promotion, Some(Role::Queen));
        assert_eq!(uci_text(&read.plies), promotes);
        let castles = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 d7d6 d2d4 e5d4";
        let pgn = pgn_text(&replay(castles).unwrap().plies);
        assert_eq!(pgn, "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O d6 5. d4 exd4");
        assert!(pgn_text(&read.plies).ends_with("a7 Ng8 5. axb8=Q"));
    }

    #[test]
    fn what_is_no_game_is_refused_by_its_move() {
        let fault = |text: &str| {
            let error = replay(text).unwrap_err();
            (error.number, error.what)
        };
        assert_eq!(fault("e2e4 e4"), (2, ReplayFault::Notation));
        assert_eq!(fault("0000"), (1, ReplayFault::Notation));
        assert_eq!(fault("é2e4"), (1, ReplayFault::Notation));
        assert_eq!(fault("e2e4 e7e5 e4e5"), (3, ReplayFault::Illegal));
        assert_eq!(fault("Ne2e4"), (1, ReplayFault::Type));
        assert_eq!(fault("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1h1"), (7, ReplayFault::Illegal));
        let castled = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 Ke1g1";
        assert_eq!(fault(castled), (7, ReplayFault::Type));
        let error = replay("e2e4 e7e5 e4e5").unwrap_err();
        assert_eq!(error.to_string(), "move 3, `e4e5`, is not legal there");
    }
}
