//! An annotation as a file of JSON lines: a header, the boards, then a row for every board that is done and every error,
//! appended as it comes. A run that was cut off goes on where it stops.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    board::{Board, BoardCounts, BoardError},
    record::{BoardRecord, Oracle, RecordError, RecordSet, SetHeader},
};
use crate::{
    long_run::{
        count::Count,
        lines::{LineError, line_text, read_lines},
        shard::Shard,
        tokens::Tokens,
    },
    pace::{AtOnce, Pace, at_once},
};

/// The version of the file's shape.
pub const SCHEMA: u32 = 1;

/// What is said once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnnotationHeader {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The program that wrote it, with its version and commit.
    pub program: String,
    /// Who annotates.
    pub oracle: Oracle,
    /// Where the boards are from.
    pub counts: BoardCounts,
}

/// What came of a board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Annotated {
    /// Its record.
    Record(Box<BoardRecord>),
    /// Its searches failed: it is tried again when the run goes on.
    Error {
        /// The board.
        fen: String,
        /// The engine's error, in a sentence.
        what: String,
    },
}

/// A row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnnotationRow {
    /// What came of the board.
    #[serde(flatten)]
    pub annotated: Annotated,
    /// Nodes of its searches.
    #[serde(default)]
    pub nodes: u64,
    /// Milliseconds that it took.
    #[serde(default)]
    pub millis: u64,
}

impl AnnotationRow {
    /// The board.
    #[must_use]
    pub fn fen(&self) -> &str {
        match &self.annotated {
            Annotated::Record(record) => &record.fen,
            Annotated::Error { fen, .. } => fen,
        }
    }

    /// The record, if there is one.
    #[must_use]
    pub fn record(&self) -> Option<&BoardRecord> {
        match &self.annotated {
            Annotated::Record(record) => Some(record),
            Annotated::Error { .. } => None,
        }
    }

    /// The row of a board that failed.
    #[must_use]
    pub fn failed(board: &Board, what: &str) -> Self {
        Self {
            annotated: Annotated::Error {
                fen: board.fen().to_owned(),
                what: what.to_owned(),
            },
            nodes: 0,
            millis: 0,
        }
    }

    /// As a file has it, without the end of the line.
    #[must_use]
    pub fn line(&self) -> String {
        line_text(&AnnotationLine::Row(Box::new(self.clone())))
    }
}

/// A line of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase")]
pub enum AnnotationLine {
    /// The first.
    Annotation(AnnotationHeader),
    /// A board.
    Board {
        /// The board.
        fen: String,
    },
    /// A board that is done, or an error.
    Row(Box<AnnotationRow>),
}

/// A run.
#[derive(Debug, Clone, PartialEq)]
pub struct AnnotationRun {
    /// What is said once.
    pub header: AnnotationHeader,
    /// The boards, each once.
    pub boards: Vec<Board>,
    /// Rows in the order in which they came; errors are among them.
    pub rows: Vec<AnnotationRow>,
}

/// Why a file is no run.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum AnnotationRunError {
    /// It does not begin with a header.
    #[error("the file does not begin with the line of an annotation")]
    NoHeader,
    /// It is of another shape.
    #[error("the file's shape is version {0}; this program reads version {SCHEMA}")]
    Schema(u32),
    /// A line cannot be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// A line is no board.
    #[error("line {line}: {error}")]
    Board {
        /// From 1.
        line: usize,
        /// What is wrong.
        error: BoardError,
    },
    /// A record is wrong.
    #[error("line {line}: {error}")]
    Record {
        /// From 1.
        line: usize,
        /// What is wrong.
        error: RecordError,
    },
    /// Two files are not of the same run.
    #[error("the files are of different runs: {0} differ")]
    Different(&'static str),
}

impl AnnotationRun {
    /// A run in which nothing is annotated.
    #[must_use]
    pub const fn new(boards: Vec<Board>, counts: BoardCounts, oracle: Oracle, program: String) -> Self {
        Self {
            header: AnnotationHeader {
                schema: SCHEMA,
                program,
                oracle,
                counts,
            },
            boards,
            rows: Vec::new(),
        }
    }

    /// Reads a file. Half a line at its end, which a run that was cut off may leave, is passed over.
    ///
    /// # Errors
    /// When it is no run, or a line other than the last cannot be read.
    pub fn read(text: &str) -> Result<Self, AnnotationRunError> {
        at_once(Self::read_at(text, &AtOnce))
    }

    /// The same in turns.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub async fn read_at(text: &str, pace: &impl Pace) -> Result<Self, AnnotationRunError> {
        let mut run: Option<Self> = None;
        for line in read_lines(text) {
            pace.turn().await;
            match (line, &mut run) {
                (Ok((_, AnnotationLine::Annotation(header))), None) if header.schema == SCHEMA => {
                    run = Some(Self {
                        header,
                        boards: Vec::new(),
                        rows: Vec::new(),
                    });
                }
                (Ok((_, AnnotationLine::Annotation(header))), None) => {
                    return Err(AnnotationRunError::Schema(header.schema));
                }
                (Ok((line, AnnotationLine::Board { fen })), Some(run)) => {
                    let board = Board::read(&fen).map_err(|error| AnnotationRunError::Board { line, error })?;
                    run.boards.push(board);
                }
                (Ok((line, AnnotationLine::Row(row))), Some(run)) => {
                    run.rows
                        .push(checked(*row).map_err(|error| AnnotationRunError::Record { line, error })?);
                }
                (Ok((_, AnnotationLine::Annotation(_))), Some(_)) => {
                    return Err(AnnotationRunError::Different("the headers"));
                }
                (Err(error), Some(_)) => return Err(error.into()),
                (_, None) => return Err(AnnotationRunError::NoHeader),
            }
        }
        run.ok_or(AnnotationRunError::NoHeader)
    }

    /// The whole file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = self.head();
        for row in &self.rows {
            text += &row.line();
            text.push('\n');
        }
        text
    }

    /// The file without its rows: the header and the boards.
    #[must_use]
    pub fn head(&self) -> String {
        at_once(self.head_at(&AtOnce))
    }

    /// The same in turns.
    pub async fn head_at(&self, pace: &impl Pace) -> String {
        let mut text = line_text(&AnnotationLine::Annotation(self.header.clone())) + "\n";
        for board in &self.boards {
            pace.turn().await;
            let fen = board.fen().to_owned();
            text += &line_text(&AnnotationLine::Board { fen });
            text.push('\n');
        }
        text
    }

    /// The boards of a shard that are not annotated yet, failed ones included.
    #[must_use]
    pub fn left(&self, shard: Shard) -> Vec<&Board> {
        let done = self.done();
        let mine = shard.of(self.boards.iter().collect(), |board| board.fen());
        mine.into_iter().filter(|board| !done.contains(board.fen())).collect()
    }

    /// The boards that are not annotated yet, failed ones included, in turns.
    pub async fn left_at(&self, pace: &impl Pace) -> Vec<Board> {
        let mut done = HashSet::new();
        for row in self.rows.iter().filter_map(AnnotationRow::record) {
            done.insert(row.fen.as_str());
            pace.turn().await;
        }
        let mut left = Vec::new();
        for board in &self.boards {
            if !done.contains(board.fen()) {
                left.push(board.clone());
            }
            pace.turn().await;
        }
        left
    }

    /// The boards that have a record.
    fn done(&self) -> HashSet<&str> {
        let records = self.rows.iter().filter_map(AnnotationRow::record);
        records.map(|record| record.fen.as_str()).collect()
    }

    /// Boards that were tried and have no record.
    fn unannotated(&self) -> BTreeSet<&str> {
        let done = self.done();
        let tried = self.rows.iter().map(AnnotationRow::fen);
        tried.filter(|fen| !done.contains(fen)).collect()
    }

    /// How many boards were tried and have no record.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.unannotated().len()
    }

    /// The records in the boards' own order, so that files are the same in whatever order boards were done; each board's first.
    #[must_use]
    pub fn records(&self) -> Vec<&BoardRecord> {
        let mut found: HashMap<&str, &BoardRecord> = HashMap::new();
        for record in self.rows.iter().filter_map(AnnotationRow::record) {
            found.entry(&record.fen).or_insert(record);
        }
        let boards = self.boards.iter();
        boards.filter_map(|board| found.get(board.fen()).copied()).collect()
    }

    /// The records as a set of their own.
    #[must_use]
    pub fn set(&self) -> RecordSet {
        at_once(self.set_at(&AtOnce))
    }

    /// The same in turns.
    pub async fn set_at(&self, pace: &impl Pace) -> RecordSet {
        let mut found: HashMap<&str, &BoardRecord> = HashMap::new();
        for record in self.rows.iter().filter_map(AnnotationRow::record) {
            found.entry(&record.fen).or_insert(record);
            pace.turn().await;
        }
        let mut records = Vec::with_capacity(found.len());
        for board in &self.boards {
            records.extend(found.get(board.fen()).copied().cloned());
            pace.turn().await;
        }
        RecordSet {
            header: self.set_header(),
            records,
        }
    }

    /// What such a set says once.
    #[must_use]
    pub fn set_header(&self) -> SetHeader {
        SetHeader {
            schema: super::record::SCHEMA,
            program: self.header.program.clone(),
            oracle: Some(self.header.oracle.clone()),
            counts: self.header.counts,
        }
    }

    /// Nodes and milliseconds of all searches, as far as the rows tell.
    #[must_use]
    pub fn effort(&self) -> (u64, u64) {
        let sum = |of: fn(&AnnotationRow) -> u64| self.rows.iter().map(of).fold(0, u64::saturating_add);
        (sum(|row| row.nodes), sum(|row| row.millis))
    }

    /// The count of the run as it is, for rows that are to come.
    #[must_use]
    pub fn count(&self) -> Count<String> {
        at_once(self.count_at(&AtOnce))
    }

    /// The same in turns.
    pub async fn count_at(&self, pace: &impl Pace) -> Count<String> {
        let mut done = HashSet::new();
        for record in self.rows.iter().filter_map(AnnotationRow::record) {
            done.insert(record.fen.as_str());
            pace.turn().await;
        }
        let tried = self.rows.iter().filter(|row| row.record().is_none());
        let failed = tried.map(AnnotationRow::fen).filter(|fen| !done.contains(fen));
        let failed = failed.map(str::to_owned).collect();
        pace.turn().await;
        let mut answered = 0;
        for board in &self.boards {
            answered += usize::from(done.contains(board.fen()));
            pace.turn().await;
        }
        Count::new(self.boards.len(), answered, failed, Tokens::default())
    }

    /// Whether another run is this one: the same engine, limit and boards.
    ///
    /// # Errors
    /// When it is not.
    pub fn same_as(&self, other: &Self) -> Result<(), AnnotationRunError> {
        let (own, others) = (&self.header.oracle, &other.header.oracle);
        if own.engine != others.engine {
            return Err(AnnotationRunError::Different("the engines"));
        }
        if own != others {
            return Err(AnnotationRunError::Different("the limits or the ways of searching"));
        }
        if self.boards != other.boards {
            return Err(AnnotationRunError::Different("the boards"));
        }
        Ok(())
    }

    /// Adds the rows of another file of the same run, such as a shard's; records that are there are kept.
    ///
    /// # Errors
    /// When it is of another run.
    pub fn merge(&mut self, other: Self) -> Result<(), AnnotationRunError> {
        self.same_as(&other)?;
        let done: HashSet<String> = self.done().into_iter().map(str::to_owned).collect();
        let new = other.rows.into_iter().filter(|row| !done.contains(row.fen()));
        self.rows.extend(new);
        Ok(())
    }
}

fn checked(row: AnnotationRow) -> Result<AnnotationRow, RecordError> {
    let annotated = match row.annotated {
        Annotated::Record(record) => Annotated::Record(Box::new(record.checked()?)),
        error @ Annotated::Error { .. } => error,
    };
    Ok(AnnotationRow { annotated, ..row })
}

#[cfg(test)]
mod tests {
    use super::{
        super::record::tests::{records, set},
        *,
    };

    fn run(count: u64) -> AnnotationRun {
        let mut records = records(count);
        let mut known = HashSet::new();
        records.retain(|record| known.insert(record.fen.clone()));
        let boards = records.iter().map(|record| Board::read(&record.fen).unwrap()).collect();
        let oracle = set(0).header.oracle.unwrap();
        let mut run = AnnotationRun::new(boards, BoardCounts::default(), oracle, "test".to_owned());
        run.rows = records
            .into_iter()
            .map(|record| AnnotationRow {
                annotated: Annotated::Record(Box::new(record)),
                nodes: 31_000,
                millis: 12,
            })
            .collect();
        run
    }

    #[test]
    fn files_come_back_and_errors_are_tried_again() {
        let mut run = run(20);
        assert!(run.left(Shard::WHOLE).is_empty());
        let text = run.text();
        assert_eq!(AnnotationRun::read(&text).unwrap(), run);
        assert_eq!(AnnotationRun::read(&format!("{text}{{\"line\":\"ro")).unwrap(), run);
        assert_eq!(AnnotationRun::read("x\n"), Err(AnnotationRunError::NoHeader));
        let newer = text.replacen("\"schema\":1", "\"schema\":2", 1);
        assert_eq!(AnnotationRun::read(&newer), Err(AnnotationRunError::Schema(2)));
        let row = run.rows.pop().unwrap();
        let board = Board::read(row.fen()).unwrap();
        run.rows.push(AnnotationRow::failed(&board, "the engine ended"));
        assert_eq!((run.left(Shard::WHOLE), run.failed()), (vec![&board], 1));
        assert_eq!(run.count().progress().failed, 1);
        assert_eq!(AnnotationRun::read(&run.text()).unwrap(), run);
        run.rows.push(row);
        assert_eq!((run.left(Shard::WHOLE).len(), run.failed()), (0, 0));
        assert_eq!(run.count().progress().answered, run.boards.len());
    }

    #[test]
    fn cut_off_anywhere_no_whole_line_is_lost() {
        let run = run(6);
        let (head, text) = (run.head(), run.text());
        for cut in (head.len()..=text.len()).step_by(97) {
            let read = AnnotationRun::read(&text[..cut]).unwrap();
            let whole = text[head.len()..cut].matches('\n').count();
            // The last line may be whole without its end.
            assert!((whole..=whole + 1).contains(&read.rows.len()), "{cut}");
            assert_eq!(read.left(Shard::WHOLE).len(), run.boards.len() - read.rows.len());
            let left = at_once(read.left_at(&AtOnce));
            assert_eq!(left.iter().collect::<Vec<_>>(), read.left(Shard::WHOLE));
        }
    }

    #[test]
    fn shards_are_put_together_in_the_boards_order_and_other_runs_refused() {
        let whole = run(20);
        let empty = AnnotationRun {
            rows: Vec::new(),
            ..whole.clone()
        };
        let part = |shard: &str| {
            let mut part = empty.clone();
            let left: Vec<String> = part
                .left(shard.parse().unwrap())
                .into_iter()
                .map(|board| board.fen().to_owned())
                .collect();
            part.rows = whole
                .rows
                .iter()
                .filter(|row| left.iter().any(|fen| fen == row.fen()))
                .cloned()
                .collect();
            part
        };
        let mut merged = part("2/3");
        for shard in ["0/3", "1/3", "1/3"] {
            merged.merge(part(shard)).unwrap();
        }
        assert_eq!(merged.rows.len(), whole.rows.len());
        assert_eq!(merged.set(), whole.set());
        assert_eq!(RecordSet::read(&merged.set().text()).unwrap(), whole.set());
        assert_eq!(
            merged.effort(),
            (31_000 * whole.rows.len() as u64, 12 * whole.rows.len() as u64)
        );
        let mut other = empty.clone();
        other.header.oracle.limit = crate::uci::Limit::Time(50);
        assert!(matches!(
            merged.merge(other),
            Err(AnnotationRunError::Different("the limits or the ways of searching"))
        ));
        let mut other = empty;
        other.boards.pop();
        assert_eq!(merged.merge(other), Err(AnnotationRunError::Different("the boards")));
    }
}
