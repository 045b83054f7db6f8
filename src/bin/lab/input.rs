//! A position and a move as someone wrote them.

use kibitz::chess::{
    Played,
    fen::{read_fen, with_castling_restored, write_fen},
    fen_error::FenError,
    move_error::MoveError,
    notation::read_move,
};

/// A move read, with what had to be mended in its FEN.
#[derive(Debug, Clone)]
pub struct Input {
    /// The move in its position.
    pub played: Played,
    /// The position before the move, as it was understood.
    pub fen: String,
    /// What was mended, in sentences.
    pub repairs: Vec<String>,
}

/// Why there is nothing to comment on.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The FEN can't be read.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The move can't be.
    #[error(transparent)]
    Move(#[from] MoveError),
}

impl Input {
    /// Reads both. Castling is allowed where the FEN only lacks the right to it.
    pub fn read(fen: &str, written: &str) -> Result<Self, InputError> {
        let read = read_fen(fen)?;
        let (read, m) = match read_move(&read.position, read.mode, written) {
            Ok(m) => (read, m),
            Err(error) => with_castling_restored(&read, written).ok_or(error)?,
        };
        let fen = write_fen(&read.position, read.mode);
        let played = Played::new(read.position, m, read.mode, Vec::new())
            .ok_or_else(|| MoveError::NotAMove(written.chars().take(20).collect()))?;
        Ok(Self {
            played,
            fen,
            repairs: read.repairs.iter().map(ToString::to_string).collect(),
        })
    }
}
