//! Annotated boards as CSV: a row for every action, one row for a board without any.

use csv::WriterBuilder;
use serde::Serialize;
use thiserror::Error;

use super::{
    action::Action,
    record::{ActionValue, BoardRecord, RecordError},
};
use crate::{
    pace::{AtOnce, Pace, at_once},
    table_file::{BadRow, TableFile, TableFileError},
    uci::Score,
};

/// The columns, in order. Values are 0..1 and scores `cp 31` or `mate -2`, both the view of the side to move.
pub const COLUMNS: [&str; 7] = ["fen", "value", "score", "best", "move", "action_value", "action_score"];

/// A row.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct WrittenRow {
    fen: String,
    value: Option<f64>,
    score: Option<String>,
    best: Option<Action>,
    #[serde(rename = "move")]
    action: Option<Action>,
    action_value: Option<f64>,
    action_score: Option<String>,
}

/// Why a CSV is no set of annotated boards.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum CsvSetError {
    /// It is no table.
    #[error("the table cannot be read: {0}")]
    Table(#[from] TableFileError),
    /// It lacks a column.
    #[error("the table has no column “{0}”")]
    Column(&'static str),
    /// A row is none.
    #[error("line {0}: {1}")]
    Row(usize, BadRow),
    /// A cell is not what its column says.
    #[error("line {line}: “{text}” is no {column}")]
    Field {
        /// Counted from 1.
        line: usize,
        /// The column.
        column: &'static str,
        /// What is there.
        text: String,
    },
    /// A score is neither centipawns nor a mate.
    #[error("`{0}` is no score; one is written `cp 31` or `mate -2`")]
    Score(String),
    /// An action without a value, or the other way round.
    #[error("{0}: a row has a move without a value, or a value without a move")]
    Half(String),
    /// A board contradicts itself or the rules.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// The table.
#[must_use]
pub fn write_csv(records: &[BoardRecord]) -> String {
    head_line() + &write_rows(records)
}

/// The first line, with its end.
#[must_use]
pub fn head_line() -> String {
    COLUMNS.join(",") + "\n"
}

/// The rows of boards, without the first line.
#[must_use]
pub fn write_rows(records: &[BoardRecord]) -> String {
    let mut writer = WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    let mut written = Ok(());
    for record in records {
        let row = |own: Option<&ActionValue>| WrittenRow {
            fen: record.fen.clone(),
            value: record.value,
            score: record.score.map(score_text),
            best: record.best,
            action: own.map(|own| own.action),
            action_value: own.map(|own| own.value),
            action_score: own.and_then(|own| own.score).map(score_text),
        };
        if record.actions.is_empty() {
            written = written.and_then(|()| writer.serialize(row(None)));
        }
        for own in &record.actions {
            written = written.and_then(|()| writer.serialize(row(Some(own))));
        }
    }
    debug_assert!(written.is_ok(), "memory takes every record");
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// Reads a table; the rows of a board follow each other.
///
/// # Errors
/// When it is none, or a board contradicts itself or the rules.
pub fn read_csv(text: &str) -> Result<Vec<BoardRecord>, CsvSetError> {
    at_once(read_csv_at(text, &AtOnce))
}

/// The same in turns.
///
/// # Errors
/// As [`read_csv`].
pub async fn read_csv_at(text: &str, pace: &impl Pace) -> Result<Vec<BoardRecord>, CsvSetError> {
    let mut records: Vec<BoardRecord> = Vec::new();
    let mut table = TableFile::open_at(text, pace).await?;
    let mut places = [0; 7];
    for (place, column) in places.iter_mut().zip(COLUMNS) {
        *place = table.find(column)?.ok_or(CsvSetError::Column(column))?;
    }
    while let Some((line, row)) = table.next() {
        pace.turn().await;
        let row = row.map_err(|wrong| CsvSetError::Row(line, wrong))?;
        let field = |column: usize| Some(row.name(places[column])).filter(|text| !text.is_empty());
        let wrong = |column: usize, text: &str| CsvSetError::Field {
            line,
            column: COLUMNS[column],
            text: text.to_owned(),
        };
        let number = |column: usize| {
            let read = |text: &str| table.number(text).ok_or_else(|| wrong(column, text));
            field(column).map(read).transpose()
        };
        let action = |column: usize| {
            let read = |text: &str| text.parse::<Action>().map_err(|_| wrong(column, text));
            field(column).map(read).transpose()
        };
        let score = |column: usize| field(column).map(read_score).transpose();
        let fen = row.name(places[0]).to_owned();
        let own = match (action(4)?, number(5)?) {
            (Some(action), Some(value)) => Some(ActionValue {
                action,
                value,
                score: score(6)?,
            }),
            (None, None) => None,
            _ => return Err(CsvSetError::Half(fen)),
        };
        match records.last_mut() {
            Some(last) if last.fen == fen => last.actions.extend(own),
            _ => records.push(BoardRecord {
                value: number(1)?,
                score: score(2)?,
                actions: own.into_iter().collect(),
                best: action(3)?,
                fen,
            }),
        }
    }
    let mut checked = Vec::with_capacity(records.len());
    for record in records {
        checked.push(record.checked()?);
        pace.turn().await;
    }
    Ok(checked)
}

fn score_text(score: Score) -> String {
    match score {
        Score::Cp(cp) => format!("cp {cp}"),
        Score::Mate(moves) => format!("mate {moves}"),
    }
}

fn read_score(text: &str) -> Result<Score, CsvSetError> {
    let number = |digits: &str| digits.parse().ok();
    let read = match text.split_once(' ') {
        Some(("cp", cp)) => number(cp).map(Score::Cp),
        Some(("mate", moves)) => number(moves).map(Score::Mate),
        _ => None,
    };
    read.ok_or_else(|| CsvSetError::Score(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{super::record::tests::records, *};

    #[test]
    fn tables_come_back() {
        let records = records(25);
        let text = write_csv(&records);
        assert!(text.starts_with("fen,value,score,best,move,action_value,action_score\n"));
        assert_eq!(read_csv(&text).unwrap(), records);
        assert_eq!(read_csv(&write_csv(&[])).unwrap(), []);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let head = "fen,value,score,best,move,action_value,action_score\n";
        let fen = "8/8/8/8/8/5k2/6q1/7K w - - 0 9";
        let read = |row: &str| read_csv(&format!("{head}{fen},{row}\n"));
        assert_eq!(read("0.0,mate 0,,,,").unwrap().len(), 1);
        assert_eq!(read("0.0,mate,,,,"), Err(CsvSetError::Score("mate".to_owned())));
        assert!(matches!(read("0.0,,,e2e4,,"), Err(CsvSetError::Half(_))));
        assert!(matches!(
            read("0.5,mate 0,,,,"),
            Err(CsvSetError::Record(RecordError::Value { .. }))
        ));
        assert!(matches!(
            read("0.5,,e9e9,,,"),
            Err(CsvSetError::Field {
                line: 2,
                column: "best",
                ..
            })
        ));
        assert_eq!(read_csv("x,y\n1,2\n"), Err(CsvSetError::Column("fen")));
    }
}
