//! A position of a suite.

use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Chess, Color, Position, uci::UciMove};

use super::goal::Goal;
use crate::{
    chess::{read_fen, write_fen},
    commentary::Phase,
    grading::level::Level,
};

/// Where in its game a position is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Moves 1 to 3.
    Opening,
    /// Before moves 4 to 6, plies 7 to 12: the plan's early positions.
    Early,
    /// Between the early and the late ones.
    Middle,
    /// The last eight moves of each side: the plan's late positions are those before the last five to eight.
    Late,
    /// Of no game.
    #[default]
    Single,
}

impl Part {
    /// One lower-case word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Early => "early",
            Self::Middle => "middle",
            Self::Late => "late",
            Self::Single => "single",
        }
    }
}

/// The stage of the game, by the material on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameStage {
    /// Most pieces are on the board and several have not moved.
    Opening,
    /// Neither of the others.
    Middlegame,
    /// Few pieces are left.
    Endgame,
}

impl GameStage {
    /// That of a position.
    #[must_use]
    pub fn of(position: &Chess) -> Self {
        match Phase::of(position.board()) {
            Phase::Opening => Self::Opening,
            Phase::Middlegame => Self::Middlegame,
            Phase::Endgame => Self::Endgame,
        }
    }

    /// One lower-case word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Endgame => "endgame",
        }
    }
}

/// A position to find a move in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestPosition {
    /// Its name in the suite.
    pub id: String,
    /// The position as FEN, the player to move.
    pub fen: String,
    /// Where `moves` begin, where that is not the first position of chess.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The moves that led here, in UCI notation with spaces; empty where none are known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub moves: String,
    /// Where in its game.
    #[serde(default)]
    pub part: Part,
    /// The stage of the game.
    pub stage: GameStage,
    /// How strong the engine was set that played the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// The rating of the player to move, where the game has it, or of the puzzle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<u16>,
    /// The game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The ply of the move that is looked for, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<u32>,
    /// The opening's code and name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
    /// Whether the position is one that the table of openings names: knowledge of openings answers it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub book: bool,
    /// What our detectors see in the move that is best, or was played where no engine was asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub motifs: Vec<String>,
    /// What the source says that it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub themes: Vec<String>,
    /// The move that was played, in UCI notation: the baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played: Option<String>,
    /// The engine's sentence for the "expert" prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expert: Option<String>,
    /// The sentence of the "concept" prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concept: Option<String>,
    /// What an answer is held against.
    #[serde(flatten)]
    pub goal: Goal,
}

/// A position with the ones before it.
#[derive(Debug, Clone)]
pub struct Reached {
    /// The positions that led here, oldest first; empty where no moves are known.
    pub history: Vec<Chess>,
    /// Those moves, as SAN would write them after their positions.
    pub moves: Vec<shakmaty::Move>,
    /// The position itself, the player to move.
    pub position: Chess,
    /// How castling is understood.
    pub mode: CastlingMode,
}

impl Reached {
    /// A move in UCI notation; `None` where it is none, or not legal here.
    #[must_use]
    pub fn legal(&self, uci: &str) -> Option<shakmaty::Move> {
        uci.parse::<UciMove>().ok()?.to_move(&self.position).ok()
    }
}

/// Why a position cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// Its FEN.
    #[error("{id}: {cause}")]
    Fen {
        /// The position's name.
        id: String,
        /// Why it is refused.
        cause: String,
    },
    /// Its moves.
    #[error("{0}: its moves do not lead to its position")]
    Moves(String),
    /// The game is over.
    #[error("{0}: the game is over in this position")]
    Over(String),
}

impl TestPosition {
    /// A position of which nothing else is known.
    #[must_use]
    pub fn new(id: impl Into<String>, position: &Chess, mode: CastlingMode, goal: Goal) -> Self {
        Self {
            id: id.into(),
            fen: write_fen(position, mode),
            start: None,
            moves: String::new(),
            part: Part::Single,
            stage: GameStage::of(position),
            level: None,
            rating: None,
            game: None,
            ply: None,
            opening: None,
            book: false,
            motifs: Vec::new(),
            themes: Vec::new(),
            played: None,
            expert: None,
            concept: None,
            goal,
        }
    }

    /// The position with its history, replayed.
    ///
    /// # Errors
    /// When there is no such position, its moves lead elsewhere, or nothing is left to play.
    pub fn read(&self) -> Result<Reached, PositionError> {
        let fen = |text: &str| {
            read_fen(text).map_err(|error| PositionError::Fen {
                id: self.id.clone(),
                cause: error.to_string(),
            })
        };
        let goal = fen(&self.fen)?;
        let mut reached = Reached {
            history: Vec::new(),
            moves: Vec::new(),
            position: match &self.start {
                Some(start) => fen(start)?.position,
                None => Chess::default(),
            },
            mode: goal.mode,
        };
        if self.moves.is_empty() {
            reached.position = goal.position;
        } else {
            for word in self.moves.split_whitespace() {
                let mv = word
                    .parse::<UciMove>()
                    .ok()
                    .and_then(|uci| uci.to_move(&reached.position).ok())
                    .ok_or_else(|| PositionError::Moves(self.id.clone()))?;
                reached.history.push(reached.position.clone());
                reached.moves.push(mv);
                reached.position.play_unchecked(mv);
            }
            if reached.position != goal.position {
                return Err(PositionError::Moves(self.id.clone()));
            }
        }
        if reached.position.is_game_over() {
            return Err(PositionError::Over(self.id.clone()));
        }
        Ok(reached)
    }

    /// Who is to move.
    #[must_use]
    pub fn turn(&self) -> Color {
        match self.fen.split(' ').nth(1) {
            Some("b") => Color::Black,
            _ => Color::White,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_must_lead_to_the_position() {
        let mut at = TestPosition::new("x", &Chess::default(), CastlingMode::Standard, Goal::Grade);
        assert_eq!(at.read().unwrap().history.len(), 0);
        at.moves = "g1f3 g8f6 f3g1 f6g8".to_owned();
        at.fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3".to_owned();
        assert_eq!(at.read().unwrap().history.len(), 4);
        at.moves = "g1f3".to_owned();
        assert_eq!(at.read().unwrap_err(), PositionError::Moves("x".to_owned()));
        at.moves = "g1f3 nonsense".to_owned();
        assert!(at.read().is_err());
        at.moves.clear();
        at.fen = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".to_owned();
        assert_eq!(at.read().unwrap_err(), PositionError::Over("x".to_owned()));
        let text = serde_json::to_string(&at).unwrap();
        assert!(text.contains("\"goal\":\"grade\""), "{text}");
        assert_eq!(serde_json::from_str::<TestPosition>(&text).unwrap(), at);
    }
}
