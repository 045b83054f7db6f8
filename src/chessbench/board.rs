//! Boards out of games and FENs, each once.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Chess, Move, Position};
use thiserror::Error;

use super::{
    action::{Action, legal_actions},
    token::{BoardTokens, TokenError},
};
use crate::chess::{
    FenError,
    fen::{read_fen, write_fen},
    game::{Game, NodeId},
};

/// How castling is written: boards are those of standard chess.
const MODE: CastlingMode = CastlingMode::Standard;

/// A board: what a FEN says, without the moves that led to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    fen: String,
    position: Chess,
}

/// Why a text is no board.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BoardError {
    /// It is no FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// Castling is that of Chess960, for which there are no symbols.
    #[error("castling is Chess960's: its rooks have no symbols")]
    Chess960,
    /// It does not fit the 77 symbols.
    #[error(transparent)]
    Tokens(#[from] TokenError),
}

impl Board {
    /// The board of a FEN, mended where it has one sensible reading.
    ///
    /// # Errors
    /// When it is none, is Chess960's, or does not fit the symbols.
    pub fn read(fen: &str) -> Result<Self, BoardError> {
        let read = read_fen(fen)?;
        if read.mode != MODE {
            return Err(BoardError::Chess960);
        }
        Self::of_position(read.position)
    }

    /// A position's.
    ///
    /// # Errors
    /// When it does not fit the symbols.
    pub fn of_position(position: Chess) -> Result<Self, BoardError> {
        let fen = write_fen(&position, MODE);
        BoardTokens::of_fen(&fen)?;
        Ok(Self { fen, position })
    }

    /// Its FEN of six fields; the en passant square is there where a capture is legal.
    #[must_use]
    pub fn fen(&self) -> &str {
        &self.fen
    }

    /// Its position.
    #[must_use]
    pub const fn position(&self) -> &Chess {
        &self.position
    }

    /// How castling is written.
    #[must_use]
    pub const fn mode(&self) -> CastlingMode {
        MODE
    }

    /// The legal moves in the order of actions.
    #[must_use]
    pub fn legal(&self) -> Vec<(Action, Move)> {
        legal_actions(&self.position, MODE)
    }
}

/// A FEN without its two counters: what players call the same position.
#[must_use]
pub fn without_counters(fen: &str) -> &str {
    let end = fen.match_indices(' ').nth(3).map_or(fen.len(), |(at, _)| at);
    &fen[..end]
}

/// What became of the games and FENs that were offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct BoardCounts {
    /// Games.
    pub games: usize,
    /// Boards, repeated ones and others included.
    pub offered: usize,
    /// Boards that were there already: the same FEN, counters included.
    pub repeated: usize,
    /// Boards that cannot be written in the symbols: castling of Chess960, move 1,000 and beyond.
    pub not_symbols: usize,
}

/// Boards, each once, in the order in which they came.
#[derive(Debug, Clone, Default)]
pub struct Boards {
    boards: Vec<Board>,
    known: HashSet<String>,
    counts: BoardCounts,
}

impl Boards {
    /// Takes all boards of a game's main line: the first, and the last, in which perhaps no move is left.
    pub fn add_game(&mut self, game: &Game) {
        self.counts.games += 1;
        let mut position = game.root().clone();
        let standard = game.mode() == MODE;
        self.add(position.clone(), standard);
        for id in game.main_line().into_iter().filter(|id| *id != NodeId::ROOT) {
            let Some(mv) = game.mv(id) else { break };
            position.play_unchecked(mv);
            self.add(position.clone(), standard);
        }
    }

    /// Takes the board of a FEN.
    ///
    /// # Errors
    /// When it is no FEN; one without symbols is counted.
    pub fn add_fen(&mut self, fen: &str) -> Result<(), FenError> {
        let read = read_fen(fen)?;
        self.add(read.position, read.mode == MODE);
        Ok(())
    }

    fn add(&mut self, position: Chess, standard: bool) {
        self.counts.offered += 1;
        match Board::of_position(position) {
            Ok(board) if standard => {
                if self.known.insert(board.fen.clone()) {
                    self.boards.push(board);
                } else {
                    self.counts.repeated += 1;
                }
            }
            _ => self.counts.not_symbols += 1,
        }
    }

    /// The boards.
    #[must_use]
    pub fn as_slice(&self) -> &[Board] {
        &self.boards
    }

    /// What became of what was offered.
    #[must_use]
    pub const fn counts(&self) -> BoardCounts {
        self.counts
    }

    /// The boards and the counts.
    #[must_use]
    pub fn into_parts(self) -> (Vec<Board>, BoardCounts) {
        (self.boards, self.counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::read_pgn;

    #[test]
    fn every_board_comes_once_and_the_last_one_too() {
        let mut boards = Boards::default();
        for game in &read_pgn("1. f3 e5 2. g4 Qh4# 0-1\n\n1. f3 e5 2. Nc3 *\n")
            .unwrap()
            .games
        {
            boards.add_game(game);
        }
        boards
            .add_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
            .unwrap();
        boards.add_fen("8/8/8/8/8/5k2/6q1/7K w - - 149 1200").unwrap();
        assert!(boards.add_fen("nonsense").is_err());
        let counts = boards.counts();
        assert_eq!(
            (counts.games, counts.offered, counts.repeated, counts.not_symbols),
            (2, 11, 4, 1)
        );
        let (boards, _) = boards.into_parts();
        assert_eq!(boards.len(), 6);
        assert!(boards.iter().any(|board| board.legal().is_empty()), "the mate is there");
        for board in &boards {
            assert_eq!(Board::read(board.fen()).as_ref(), Ok(board));
        }
    }

    #[test]
    fn what_has_no_symbols_is_refused() {
        let chess960 = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1";
        assert_eq!(Board::read(chess960), Err(BoardError::Chess960));
        assert!(matches!(
            Board::read("8/8/8/8/8/5k2/6q1/7K w - - 0 1000"),
            Err(BoardError::Tokens(_))
        ));
        assert!(matches!(Board::read(""), Err(BoardError::Fen(_))));
        assert_eq!(without_counters("8/8 w - - 0 1"), "8/8 w - -");
        assert_eq!(without_counters("8/8 w"), "8/8 w");
    }
}
