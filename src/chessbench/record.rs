//! An annotated board: what it is worth, what each of its moves is worth, which is best; and sets of them as JSON lines.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    action::Action,
    board::{Board, BoardCounts, BoardError},
    win_percent::value_of,
};
use crate::{
    long_run::lines::{LineError, line_text, read_lines},
    pace::{AtOnce, Pace, at_once},
    uci::{Limit, Score},
};

/// The version of the file's shape.
pub const SCHEMA: u32 = 1;

/// How far a value may be from that of its score: what the last digit of a decimal number changes.
const ROUNDING: f64 = 1e-9;

/// How action values are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ActionSearch {
    /// One search for each legal move, among it alone, with the memory of the searches before it: the paper's way.
    #[default]
    EachMove,
    /// One search with as many lines as there are moves. **Another oracle**: its nodes are shared among the moves.
    Multipv,
}

impl ActionSearch {
    /// In words, for tables.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::EachMove => "one search for each move",
            Self::Multipv => "one search with a line for each move (MultiPV)",
        }
    }
}

/// Who annotated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Oracle {
    /// What the engine calls itself.
    pub engine: String,
    /// The limit of each search.
    pub limit: Limit,
    /// How action values are found.
    pub actions: ActionSearch,
}

impl Oracle {
    /// `Stockfish 15.1, 1,000 nodes, one search for each move`.
    #[must_use]
    pub fn words(&self) -> String {
        format!("{}, {}, {}", self.engine, self.limit.words(), self.actions.words())
    }
}

/// What a move is worth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ActionValue {
    /// The move.
    #[serde(rename = "move")]
    pub action: Action,
    /// Q: the chance of winning, 0..1, of the side to move.
    pub value: f64,
    /// The score that it is from, the view of the side to move; `.bag` files have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
}

impl ActionValue {
    /// Of a score, the view of the side to move before the move.
    #[must_use]
    pub fn of_score(action: Action, score: Score) -> Self {
        Self {
            action,
            value: value_of(score),
            score: Some(score),
        }
    }
}

/// An annotated board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BoardRecord {
    /// The board.
    pub fen: String,
    /// V: the chance of winning, 0..1, of the side to move; `None` where a set has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The score that it is from, the view of the side to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// Every legal move with its value, in the order of actions; empty where no move is left, or a set has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<ActionValue>,
    /// The best action: of those with the highest value the first. (The paper takes any of them.)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<Action>,
}

/// Why a record contradicts itself or the rules.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RecordError {
    /// Its FEN.
    #[error("{fen}: {error}")]
    Board {
        /// The text.
        fen: String,
        /// What is wrong with it.
        error: BoardError,
    },
    /// A value is no chance, or not that of its score.
    #[error("{fen}: the value {value} is not within 0 and 1, or is not that of its score")]
    Value {
        /// The board.
        fen: String,
        /// The value.
        value: f64,
    },
    /// Its moves are not all the legal ones, each once, in the order of actions.
    #[error("{0}: its moves are not the legal ones in the order of actions")]
    Moves(String),
    /// The best action is not legal, or not among the best by its own values.
    #[error("{0}: the best move is not one of the best")]
    Best(String),
}

impl BoardRecord {
    /// A board's record; of equal values the first is best.
    #[must_use]
    pub fn new(board: &Board, score: Score, actions: Vec<ActionValue>) -> Self {
        let best = first_best(&actions);
        Self {
            fen: board.fen().to_owned(),
            value: Some(value_of(score)),
            score: Some(score),
            actions,
            best,
        }
    }

    /// The record as it was meant: values that have a score are that score's to the last digit, which decimal numbers may lose.
    ///
    /// # Errors
    /// When it contradicts itself or the rules.
    pub fn checked(mut self) -> Result<Self, RecordError> {
        let board = Board::read(&self.fen).map_err(|error| RecordError::Board {
            fen: self.fen.clone(),
            error,
        })?;
        let fen = &self.fen;
        let right = |value: f64, score: Option<Score>| {
            let right = score.map_or(value, value_of);
            if (0.0..=1.0).contains(&value) && (right - value).abs() <= ROUNDING {
                return Ok(right);
            }
            Err(RecordError::Value {
                fen: fen.clone(),
                value,
            })
        };
        if let Some(value) = &mut self.value {
            *value = right(*value, self.score)?;
        }
        for action in &mut self.actions {
            action.value = right(action.value, action.score)?;
        }
        let legal = board.legal();
        let all = self.actions.len() == legal.len()
            && self
                .actions
                .iter()
                .zip(&legal)
                .all(|(own, (action, _))| own.action == *action);
        if !all && !self.actions.is_empty() {
            return Err(RecordError::Moves(self.fen));
        }
        if let Some(best) = self.best {
            let fine = match first_best(&self.actions) {
                None => legal.iter().any(|(action, _)| *action == best),
                Some(first) => self.value_of(best).is_some() && self.value_of(best) == self.value_of(first),
            };
            if !fine {
                return Err(RecordError::Best(self.fen));
            }
        }
        Ok(self)
    }

    /// The value of a move.
    #[must_use]
    pub fn value_of(&self, action: Action) -> Option<f64> {
        let found = self.actions.iter().find(|own| own.action == action)?;
        Some(found.value)
    }

    /// The values of all moves, in the order of actions.
    #[must_use]
    pub fn values(&self) -> Vec<f64> {
        self.actions.iter().map(|action| action.value).collect()
    }
}

/// Of the actions with the highest value the first.
#[must_use]
pub fn first_best(actions: &[ActionValue]) -> Option<Action> {
    let mut best = actions.first()?;
    for action in actions {
        if action.value > best.value {
            best = action;
        }
    }
    Some(best.action)
}

/// What a set says once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetHeader {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The program that wrote it, with its version and commit.
    pub program: String,
    /// Who annotated; `None` of files that do not say, such as `.bag`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oracle: Option<Oracle>,
    /// Where the boards are from.
    #[serde(default)]
    pub counts: BoardCounts,
}

/// Annotated boards.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordSet {
    /// What is said once.
    pub header: SetHeader,
    /// The boards.
    pub records: Vec<BoardRecord>,
}

/// A line of a set's file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase")]
enum SetLine {
    /// The first.
    Chessbench(SetHeader),
    /// A board.
    Record(BoardRecord),
}

/// Why a file is no set.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SetError {
    /// It does not begin with a header.
    #[error("the file does not begin with the line of a set of annotated boards")]
    NoHeader,
    /// It is of another shape.
    #[error("the file's shape is version {0}; this program reads version {SCHEMA}")]
    Schema(u32),
    /// A line cannot be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// A record is wrong.
    #[error("line {line}: {error}")]
    Record {
        /// From 1.
        line: usize,
        /// What is wrong.
        error: RecordError,
    },
}

impl RecordSet {
    /// Reads a file.
    ///
    /// # Errors
    /// When it is no set, or a record contradicts itself or the rules.
    pub fn read(text: &str) -> Result<Self, SetError> {
        at_once(Self::read_at(text, &AtOnce))
    }

    /// The same in turns.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub async fn read_at(text: &str, pace: &impl Pace) -> Result<Self, SetError> {
        let mut set: Option<Self> = None;
        for line in read_lines(text) {
            pace.turn().await;
            match (line, &mut set) {
                (Ok((_, SetLine::Chessbench(header))), None) if header.schema == SCHEMA => {
                    set = Some(Self {
                        header,
                        records: Vec::new(),
                    });
                }
                (Ok((_, SetLine::Chessbench(header))), None) => return Err(SetError::Schema(header.schema)),
                (Ok((line, SetLine::Record(record))), Some(set)) => {
                    let record = record.checked().map_err(|error| SetError::Record { line, error })?;
                    set.records.push(record);
                }
                // Files that were put together by hand: one header is enough where the others say the same.
                (Ok((_, SetLine::Chessbench(header))), Some(set)) if header.oracle == set.header.oracle => {}
                (Err(error), Some(_)) => return Err(error.into()),
                _ => return Err(SetError::NoHeader),
            }
        }
        set.ok_or(SetError::NoHeader)
    }

    /// The whole file.
    #[must_use]
    pub fn text(&self) -> String {
        self.header.line() + &records_text(&self.records)
    }
}

impl SetHeader {
    /// The first line of a set's file, with its end.
    #[must_use]
    pub fn line(&self) -> String {
        line_text(&SetLine::Chessbench(self.clone())) + "\n"
    }
}

/// The lines of boards in a set's file, each with its end.
#[must_use]
pub fn records_text(records: &[BoardRecord]) -> String {
    let line = |record: &BoardRecord| line_text(&SetLine::Record(record.clone())) + "\n";
    records.iter().map(line).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::random::Rng;
    use shakmaty::{Chess, Position};

    /// Boards of random play with made-up scores.
    pub(in super::super) fn records(count: u64) -> Vec<BoardRecord> {
        (0..count).map(record).collect()
    }

    fn record(seed: u64) -> BoardRecord {
        let mut rng = Rng::new(seed);
        let mut position = Chess::default();
        for _ in 0..rng.below(120) {
            let moves = position.legal_moves();
            let Some(mv) = moves.get(rng.below(moves.len())) else {
                break;
            };
            position.play_unchecked(*mv);
        }
        let board = Board::of_position(position).unwrap();
        let mut score = || match rng.below(12) {
            0 => Score::Mate(3),
            1 => Score::Mate(-2),
            // Few scores, so that there are ties.
            n => Score::Cp(n as i32 * 137 - 800),
        };
        let own = score();
        let actions = board
            .legal()
            .into_iter()
            .map(|(action, _)| ActionValue::of_score(action, score()))
            .collect();
        BoardRecord::new(&board, own, actions)
    }

    pub(in super::super) fn set(count: u64) -> RecordSet {
        RecordSet {
            header: SetHeader {
                schema: SCHEMA,
                program: "test".to_owned(),
                oracle: Some(Oracle {
                    engine: "Made up 1".to_owned(),
                    limit: Limit::Nodes(1000),
                    actions: ActionSearch::EachMove,
                }),
                counts: BoardCounts::default(),
            },
            records: records(count),
        }
    }

    #[test]
    fn sets_come_back_to_the_last_digit() {
        let set = set(40);
        assert_eq!(RecordSet::read(&set.text()).unwrap(), set);
        assert!(set.records.iter().any(|record| record.best.is_some()));
        assert_eq!(
            set.header.oracle.as_ref().unwrap().words(),
            "Made up 1, 1,000 nodes, one search for each move"
        );
        assert_eq!(RecordSet::read(""), Err(SetError::NoHeader));
        let newer = set.text().replacen("\"schema\":1", "\"schema\":9", 1);
        assert_eq!(RecordSet::read(&newer), Err(SetError::Schema(9)));
    }

    #[test]
    fn what_contradicts_itself_is_refused_by_its_board() {
        let record = records(30).into_iter().find(|record| record.actions.len() > 3).unwrap();
        let with = |change: &dyn Fn(&mut BoardRecord)| {
            let mut record = record.clone();
            change(&mut record);
            record.checked()
        };
        assert_eq!(with(&|_| {}), Ok(record.clone()));
        assert!(matches!(
            with(&|r| r.fen = "8/8".to_owned()),
            Err(RecordError::Board { .. })
        ));
        assert!(matches!(with(&|r| r.value = Some(1.5)), Err(RecordError::Value { .. })));
        assert!(matches!(
            with(&|r| r.value = Some(f64::NAN)),
            Err(RecordError::Value { .. })
        ));
        assert!(matches!(
            with(&|r| r.actions[0].score = Some(Score::Cp(9))),
            Err(RecordError::Value { .. })
        ));
        assert!(matches!(with(&|r| r.actions.swap(0, 1)), Err(RecordError::Moves(_))));
        assert!(matches!(with(&|r| r.actions.truncate(2)), Err(RecordError::Moves(_))));
        let worst = record
            .actions
            .iter()
            .min_by(|a, b| a.value.total_cmp(&b.value))
            .unwrap()
            .action;
        assert!(matches!(with(&|r| r.best = Some(worst)), Err(RecordError::Best(_))));
        let rounded = with(&|r| r.actions[1].value += 1e-12).unwrap();
        assert_eq!(rounded, record, "a lost digit is put right");
    }
}
