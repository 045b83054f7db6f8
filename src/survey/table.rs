//! Tables of comments: CSV (commas, semicolons or tabs) and JSON lines.

use std::collections::BTreeMap;

use super::{
    foreign_text::clipped,
    gathering::{Gathering, Row},
    import::{Import, Reading, RowWrong, SourceError},
    limits::MAX_STUDY_BYTES,
};
use crate::pace::{AtOnce, Pace, at_once};

/// The columns that a table must have.
const COLUMNS: [&str; 4] = ["fen", "move", "method", "comment"];

/// Items with comments from a table with `fen`, `move`, `method` and `comment`. Rows on the same move of the same position
/// become one item; `item` names it, `reference` is its reference, and every other column whose value is a number is a
/// score of the comment. Rows that cannot be used are noted with the line of the file on which they begin.
///
/// # Errors
/// When it is no table, or none of its rows can be used.
pub fn from_table(text: &str, reading: Reading) -> Result<Import, SourceError> {
    at_once(from_table_at(text, reading, &AtOnce))
}

/// The same at a pace.
///
/// # Errors
/// As [`from_table`].
pub async fn from_table_at(text: &str, reading: Reading, pace: &impl Pace) -> Result<Import, SourceError> {
    if text.len() > MAX_STUDY_BYTES {
        return Err(SourceError::TooLong(text.len()));
    }
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return Err(SourceError::Empty);
    }
    let mut gathering = Gathering::new(reading, true);
    if text.trim_start().starts_with('{') {
        json_lines(text, &mut gathering, pace).await?;
    } else {
        csv_rows(text, &mut gathering, pace).await?;
    }
    gathering.finish(true)
}

/// Takes a row by its columns.
fn take(line: usize, mut fields: BTreeMap<String, String>, gathering: &mut Gathering) -> Result<(), SourceError> {
    let mut field = |name: &str| fields.remove(name).filter(|field| !field.trim().is_empty());
    let found = [field("fen"), field("move"), field("method")];
    let (comment, id, reference) = (field("comment"), field("item"), field("reference"));
    let missing = COLUMNS.into_iter().zip(&found).filter(|(_, found)| found.is_none());
    let missing: Vec<&'static str> = missing.map(|(name, _)| name).collect();
    for name in &missing {
        gathering.fault(line, RowWrong::Missing(name));
    }
    let [Some(fen), Some(mv), Some(method)] = found else {
        return Ok(());
    };
    let scores = fields.into_iter().filter_map(|(name, value)| {
        let score = value.trim().parse::<f64>().ok().filter(|score| score.is_finite())?;
        Some((name, score))
    });
    gathering.row(Row {
        line,
        fen,
        mv,
        id,
        reference,
        comment: Some((method, comment.unwrap_or_default())),
        scores: scores.collect(),
    })
}

async fn json_lines(text: &str, gathering: &mut Gathering, pace: &impl Pace) -> Result<(), SourceError> {
    for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        pace.turn().await;
        let object: serde_json::Map<String, serde_json::Value> = match serde_json::from_str(text) {
            Ok(object) => object,
            Err(error) => {
                gathering.fault(line, RowWrong::Json(clipped(&error.to_string())));
                continue;
            }
        };
        let fields = object.into_iter().filter_map(|(name, value)| match value {
            serde_json::Value::String(text) => Some((name, text)),
            serde_json::Value::Number(number) => Some((name, number.to_string())),
            _ => None,
        });
        take(line, fields.collect(), gathering)?;
    }
    Ok(())
}

async fn csv_rows(text: &str, gathering: &mut Gathering, pace: &impl Pace) -> Result<(), SourceError> {
    let header = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let most = |separator: &u8| header.bytes().filter(|byte| byte == separator).count();
    let separator = [b'\t', b';', b','].into_iter().max_by_key(most).unwrap_or(b',');
    // Flexible: a row of another length is a fault of its own, and no end of the table.
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .flexible(true)
        .from_reader(text.as_bytes());
    let table = |error: csv::Error| SourceError::Table(clipped(&error.to_string()));
    let names = reader
        .headers()
        .map_err(table)?
        .iter()
        .map(|name| name.trim().to_lowercase());
    let header: Vec<String> = names.collect();
    let missing = COLUMNS
        .into_iter()
        .filter(|column| !header.iter().any(|name| name == column));
    let missing: Vec<&'static str> = missing.collect();
    if !missing.is_empty() {
        return Err(SourceError::Columns(missing));
    }
    let mut lines = LineCounter::new(text);
    for record in reader.records() {
        pace.turn().await;
        let record = record.map_err(table)?;
        let start = record.position().map_or(0, csv::Position::byte);
        let line = lines.of_row(usize::try_from(start).unwrap_or(usize::MAX));
        // What a spreadsheet leaves behind below a table.
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if record.len() != header.len() {
            let (found, expected) = (record.len(), header.len());
            gathering.fault(line, RowWrong::Cells { found, expected });
            continue;
        }
        let fields = header.iter().cloned().zip(record.iter().map(str::to_owned));
        take(line, fields.collect(), gathering)?;
    }
    Ok(())
}

/// Counts the lines of a text as an editor does: a line ends with `\n`, `\r\n` or `\r`, in quotes or not. The reader's own
/// count passes over empty lines.
struct LineCounter<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> LineCounter<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            bytes: text.as_bytes(),
            at: 0,
            line: 1,
        }
    }

    /// The line on which the row begins that the reader found at this byte or after empty lines. Rows are asked for in
    /// their order.
    fn of_row(&mut self, start: usize) -> usize {
        while self.at < self.bytes.len() && (self.at < start || matches!(self.bytes[self.at], b'\n' | b'\r')) {
            let ends = match self.bytes[self.at] {
                b'\n' => true,
                b'\r' => self.bytes.get(self.at + 1) != Some(&b'\n'),
                _ => false,
            };
            self.line += usize::from(ends);
            self.at += 1;
        }
        self.line
    }
}
