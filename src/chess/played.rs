//! The move under discussion, with the position it was played in.

use shakmaty::{CastlingMode, Chess, Color, Move, Position, san::SanPlus, uci::UciMove};

/// A legal move in its position: what every stage of the pipeline is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// Positions that led here, oldest first, without `before`. Empty when only a FEN is known. The network reads them.
    pub history: Vec<Chess>,
    /// The position the move is played in.
    pub before: Chess,
    /// The move; always legal in `before`.
    pub mv: Move,
    /// The position the move leads to.
    pub after: Chess,
    /// How castling is written and understood: standard, or Chess960 where the position needs it.
    pub mode: CastlingMode,
}

impl Played {
    /// Plays `mv` in `before`. `None` when the move is not legal there.
    #[must_use]
    pub fn new(before: Chess, mv: Move, mode: CastlingMode, history: Vec<Chess>) -> Option<Self> {
        let after = before.clone().play(mv).ok()?;
        Some(Self {
            history,
            before,
            mv,
            after,
            mode,
        })
    }

    /// The side that makes the move.
    #[must_use]
    pub fn mover(&self) -> Color {
        self.before.turn()
    }

    /// The move in SAN with its check or mate mark.
    #[must_use]
    pub fn san(&self) -> String {
        SanPlus::from_move(self.before.clone(), self.mv).to_string()
    }

    /// The move in UCI notation, castling written as `mode` asks.
    #[must_use]
    pub fn uci(&self) -> UciMove {
        self.mv.to_uci(self.mode)
    }
}
