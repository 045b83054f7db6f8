//! Tables of comments.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    foreign_text::clipped,
    gathering::{Gathering, Row},
    import::{Import, Reading, RowWrong, SourceError},
    limits::MAX_STUDY_BYTES,
};
use crate::{
    pace::{AtOnce, Pace, at_once},
    table_file::{self, BadRow, TableFile, TableFileError, is_doubtful_number, is_missing},
};

/// The columns that a table must have.
const COLUMNS: [&str; 4] = ["fen", "move", "method", "comment"];

/// Items with comments from a table with `fen`, `move`, `method` and `comment`. Rows on the same move of the same position
/// become one item; `item` names it, `reference` is its reference, and every other column whose values are numbers is a
/// score of the comment. Rows that cannot be used are noted with the line of the file on which they begin, and so are scores
/// that are no numbers.
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
    let mut table = TableFile::open_at(text, pace).await.map_err(unreadable)?;
    let mut gathering = Gathering::new(reading, true);
    let find = |name: &str| table.find(name).map_err(unreadable);
    let [fen, mv, method, comment] = COLUMNS.map(find);
    let own = [fen?, mv?, method?, comment?, find("item")?, find("reference")?];
    let missing = COLUMNS.into_iter().zip(own).filter(|(_, place)| place.is_none());
    let missing: Vec<&'static str> = missing.map(|(name, _)| name).collect();
    // Where no line of JSON could be read, that is what is wrong.
    if !missing.is_empty() && !table.columns().is_empty() {
        return Err(SourceError::Columns(missing));
    }
    let mut rows = Vec::new();
    for row in table.by_ref() {
        pace.turn().await;
        rows.push(row);
    }
    let mut scores = scores(&table, &rows, own, &mut gathering, pace).await?;
    for ((line, row), scores) in rows.iter().zip(&mut scores) {
        pace.turn().await;
        for wrong in scores.wrong.drain(..) {
            gathering.fault(*line, wrong);
        }
        match row {
            Ok(row) => take(row, own, std::mem::take(&mut scores.right), &mut gathering)?,
            Err(wrong) => gathering.fault(*line, unusable(wrong)),
        }
    }
    gathering.finish(true)
}

/// What a row has in the columns of scores.
#[derive(Default, Clone)]
struct RowScores {
    right: BTreeMap<String, f64>,
    wrong: Vec<RowWrong>,
}

/// The scores of each row. A column with as many numbers as other texts, or more, is one of scores.
async fn scores(
    table: &TableFile<'_>,
    rows: &[(usize, Result<table_file::Row, BadRow>)],
    own: [Option<usize>; 6],
    gathering: &mut Gathering,
    pace: &impl Pace,
) -> Result<Vec<RowScores>, SourceError> {
    let mut all = vec![RowScores::default(); rows.len()];
    let mut names = BTreeSet::new();
    for (column, name) in table.columns().iter().enumerate() {
        if own.contains(&Some(column)) {
            continue;
        }
        let name = name.to_lowercase();
        let (mut numbers, mut others) = (Vec::new(), Vec::new());
        for (at, (_, row)) in rows.iter().enumerate() {
            let cell = row.as_ref().map_or("", |row| row.name(column));
            match table.number(cell) {
                Some(number) => numbers.push((at, number)),
                None if is_missing(cell) => {}
                None => others.push((at, cell)),
            }
        }
        pace.turn().await;
        let is_score = numbers.len() + others.len() > 0 && numbers.len() >= others.len();
        let doubtful = others.iter().any(|(_, cell)| is_doubtful_number(cell));
        if !is_score && !doubtful {
            gathering.no_score(&name, numbers.len());
            continue;
        }
        if !names.insert(name.clone()) {
            return Err(unreadable(TableFileError::Twice(name)));
        }
        for (at, cell) in others {
            if is_score || is_doubtful_number(cell) {
                let (column, text) = (clipped(&name), clipped(cell));
                all[at].wrong.push(RowWrong::Score { column, text });
            }
        }
        for (at, number) in numbers {
            all[at].right.insert(name.clone(), number);
        }
    }
    Ok(all)
}

/// Takes a row by its columns.
fn take(
    row: &table_file::Row,
    [fen, mv, method, comment, id, reference]: [Option<usize>; 6],
    scores: BTreeMap<String, f64>,
    gathering: &mut Gathering,
) -> Result<(), SourceError> {
    let field = |place: Option<usize>| {
        let text = row.get(place?);
        (!text.trim().is_empty()).then(|| text.to_owned())
    };
    let found = [field(fen), field(mv), field(method)];
    for (name, _) in COLUMNS.into_iter().zip(&found).filter(|(_, found)| found.is_none()) {
        gathering.fault(row.line, RowWrong::Missing(name));
    }
    let [Some(fen), Some(mv), Some(method)] = found else {
        return Ok(());
    };
    gathering.row(Row {
        line: row.line,
        fen,
        mv,
        id: id.map(|id| row.name(id).to_owned()).filter(|id| !id.is_empty()),
        reference: field(reference),
        comment: Some((method, field(comment).unwrap_or_default())),
        scores,
    })
}

fn unreadable(error: TableFileError) -> SourceError {
    match error {
        TableFileError::Empty => SourceError::Empty,
        TableFileError::Twice(name) => SourceError::Table(TableFileError::Twice(clipped(&name)).to_string()),
        TableFileError::Json { line, error } => {
            let error = clipped(&error);
            SourceError::Table(TableFileError::Json { line, error }.to_string())
        }
        TableFileError::Shape => SourceError::Table(error.to_string()),
    }
}

fn unusable(wrong: &BadRow) -> RowWrong {
    RowWrong::Row(match wrong {
        BadRow::Json(error) => BadRow::Json(clipped(error)),
        BadRow::Twice(name) => BadRow::Twice(clipped(name)),
        BadRow::Cells { .. } => wrong.clone(),
    })
}
