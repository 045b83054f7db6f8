//! A position and a move as someone wrote them.

use kibitz::chess::{
    Played,
    fen::{read_fen, with_castling_restored, write_fen},
    fen_error::FenError,
    game::NodeId,
    move_error::MoveError,
    pgn::{PgnError, read_pgn},
    typed_move::{TypedMoveError, read_typed},
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
    /// Nor as it was typed.
    #[error(transparent)]
    Typed(#[from] TypedMoveError),
    /// The game can't be.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// A move of the game can't be, so that the position is not the one that was meant.
    #[error("the game that leads to the move can't be read: {0}")]
    BrokenGame(String),
}

impl Input {
    /// Reads the move after a game: the main line of the first game of a PGN text.
    pub fn read_after(pgn: &str, written: &str) -> Result<Self, InputError> {
        let file = read_pgn(pgn)?;
        if let Some(problem) = file.problems.iter().find(|problem| problem.kind.leaves_out()) {
            return Err(InputError::BrokenGame(problem.to_string()));
        }
        let broken = |what: &str| InputError::BrokenGame(what.to_owned());
        let mut game = file.games.into_iter().next().ok_or_else(|| broken("there is none"))?;
        let end = game.end_of_line(NodeId::ROOT);
        let position = game.position(end).ok_or_else(|| broken("it has no end"))?;
        let m = read_typed(&position, game.mode(), written)?;
        let node = game.play(end, m).map_err(|error| broken(&error.to_string()))?;
        let played = game.played(node).ok_or_else(|| broken("it has no end"))?;
        Ok(Self {
            fen: write_fen(&played.before, played.mode),
            played,
            repairs: file.repairs.iter().map(|(_, repair)| repair.to_string()).collect(),
        })
    }

    /// Reads both. Castling is allowed where the FEN only lacks the right to it.
    pub fn read(fen: &str, written: &str) -> Result<Self, InputError> {
        let read = read_fen(fen)?;
        let (read, m) = match read_typed(&read.position, read.mode, written) {
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
