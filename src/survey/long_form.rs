//! Ratings in long form: one row per rater, item and criterion. It is what a study exports for statistics programs and
//! what the analysis reads, so that ratings collected elsewhere can be analysed too.

use serde::{Deserialize, Serialize};

use super::foreign_text::clipped;
use crate::{
    pace::{AtOnce, Pace, at_once},
    table_file::{BadRow, Row, TableFile, TableFileError, is_doubtful_number, is_missing},
};

/// The columns of the CSV, in the order in which they are written.
pub const COLUMNS: [&str; 9] = [
    "study",
    "rater",
    "item",
    "position",
    "method",
    "criterion",
    "value",
    "active_ms",
    "answered_at",
];

/// Columns that a file may leave out: not every study knows when an answer was given, or how long it took.
const OPTIONAL: [&str; 3] = ["study", "active_ms", "answered_at"];

/// The criterion of the rows that hold kinds of errors, one row per kind ticked.
pub const ERROR_KIND: &str = "error_kind";

/// One answer of one rater: a rating on a scale, or a kind of error that was ticked.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Rating {
    /// The study's identifier; empty where a file doesn't say.
    pub study: String,
    /// Who rated: a code, never a name.
    pub rater: String,
    /// What was rated: a comment on a move, by one method. A repeated item has an identifier of its own.
    pub item: String,
    /// The position and move that the comment is about; items on it differ in method.
    pub position: String,
    /// What wrote the comment.
    pub method: String,
    /// The scale's identifier, or [`ERROR_KIND`].
    pub criterion: String,
    /// The scale's value as a number, or the kind of error; empty where the question was not answered.
    pub value: String,
    /// How long the rater worked on the item, in milliseconds, without the time in which the page had no focus.
    pub active_ms: Option<u64>,
    /// When the answer was given, as RFC 3339 text; `None` is an empty field.
    pub answered_at: Option<String>,
}

impl Rating {
    /// The value as a finite number; `None` for kinds of errors and for anything else that is not one.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        self.value.trim().parse::<f64>().ok().filter(|value| value.is_finite())
    }

    /// Whether there is no answer: other programs write an empty field, `NA` or `NaN` for one that is missing.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        is_missing(&self.value)
    }
}

/// Why a text is no file of ratings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LongFormError {
    /// There is no header.
    #[error("the file is empty: expected a header with the columns {}", COLUMNS.join(","))]
    Empty,
    /// The header lacks a column.
    #[error("the header lacks the column “{column}”: expected {}", COLUMNS.join(","))]
    Column {
        /// Its name.
        column: &'static str,
    },
    /// A row is none.
    #[error("line {line}: {wrong}")]
    Row {
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        wrong: BadRow,
    },
    /// A rating that may be one number or another.
    #[error("line {line}: the value “{text}” is no number")]
    Value {
        /// Counted from 1.
        line: usize,
        /// What is there.
        text: String,
    },
    /// A field that must have something in it is empty.
    #[error("line {line}: the {column} is empty")]
    Missing {
        /// Counted from 1.
        line: usize,
        /// The column.
        column: &'static str,
    },
    /// The active time is no whole number of milliseconds.
    #[error("line {line}: “{text}” is no whole number of milliseconds")]
    Time {
        /// Counted from 1.
        line: usize,
        /// What is there.
        text: String,
    },
    /// The text is no table.
    #[error(transparent)]
    Table(TableFileError),
}

/// The ratings as CSV with a header; lines end in `\n`.
#[must_use]
pub fn write_csv(ratings: &[Rating]) -> String {
    COLUMNS.join(",") + "\n" + &write_rows(ratings)
}

/// The ratings as rows of CSV without a header, for files that are written in pieces.
#[must_use]
pub fn write_rows(ratings: &[Rating]) -> String {
    let mut rows = String::new();
    for rating in ratings {
        let active = rating.active_ms.map(|ms| ms.to_string()).unwrap_or_default();
        let fields = [
            rating.study.as_str(),
            &rating.rater,
            &rating.item,
            &rating.position,
            &rating.method,
            &rating.criterion,
            &rating.value,
            &active,
            rating.answered_at.as_deref().unwrap_or_default(),
        ];
        for (at, field) in fields.into_iter().enumerate() {
            if at > 0 {
                rows.push(',');
            }
            push_field(&mut rows, field);
        }
        rows.push('\n');
    }
    rows
}

/// Adds a field as RFC 4180 has it. By hand, because raters load what this takes: with csv's writer comes the reading of
/// floating-point numbers and its table, 15 kB gzipped.
fn push_field(row: &mut String, field: &str) {
    if field.contains([',', '"', '\r', '\n']) {
        row.push('"');
        for letter in field.chars() {
            if letter == '"' {
                row.push('"');
            }
            row.push(letter);
        }
        row.push('"');
    } else {
        row.push_str(field);
    }
}

/// The rows of a table one after another, for pages that must not be blocked by many.
pub struct Rows<'a> {
    table: TableFile<'a>,
    places: [Option<usize>; 9],
}

impl<'a> Rows<'a> {
    /// Reads the header: columns in any order and others beside them.
    ///
    /// # Errors
    /// When there is no header, or one that lacks a column.
    pub async fn open_at(text: &'a str, pace: &impl Pace) -> Result<Self, LongFormError> {
        let table = TableFile::open_at(text, pace).await.map_err(unreadable)?;
        let mut places = [None; 9];
        for (place, column) in places.iter_mut().zip(COLUMNS) {
            *place = table.find(column).map_err(unreadable)?;
            if place.is_none() && !OPTIONAL.contains(&column) {
                return Err(LongFormError::Column { column });
            }
        }
        Ok(Self { table, places })
    }

    fn rating(&self, row: &Row) -> Result<Rating, LongFormError> {
        let line = row.line;
        let field = |column: usize| self.places[column].map_or("", |place| row.name(place));
        let filled = |column: usize| match field(column) {
            "" => Err(LongFormError::Missing {
                line,
                column: COLUMNS[column],
            }),
            text => Ok(text.to_owned()),
        };
        let active_ms = match field(7) {
            text if is_missing(text) => None,
            text => Some(text.parse().map_err(|_| LongFormError::Time {
                line,
                text: clipped(text),
            })?),
        };
        let criterion = filled(5)?;
        let value = self.places[6].map_or("", |place| row.get(place));
        // What raters wrote in their own words, and which kinds of errors they found, stays as it is.
        let value = match self.table.number(value) {
            Some(number) if value.contains(',') && !criterion.ends_with("_text") => number.to_string(),
            None if is_doubtful_number(value) && !criterion.ends_with("_text") && criterion != ERROR_KIND => {
                let text = clipped(value);
                return Err(LongFormError::Value { line, text });
            }
            _ => value.to_owned(),
        };
        Ok(Rating {
            study: field(0).to_owned(),
            rater: filled(1)?,
            item: filled(2)?,
            position: filled(3)?,
            method: filled(4)?,
            criterion,
            value,
            active_ms,
            answered_at: (!is_missing(field(8))).then(|| field(8).to_owned()),
        })
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<Rating, LongFormError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (line, row) = self.table.next()?;
        Some(match row {
            Ok(row) => self.rating(&row),
            Err(wrong) => Err(LongFormError::Row { line, wrong }),
        })
    }
}

/// Reads a table with a header; see [`Rows`]. Names are taken without blanks around them. What is empty in `active_ms` and
/// `answered_at` is `None`; an empty `value` is a missing answer, see [`Rating::is_missing`].
///
/// # Errors
/// When the text is no such file: the line and what is wrong with it.
pub fn read_csv(text: &str) -> Result<Vec<Rating>, LongFormError> {
    at_once(Rows::open_at(text, &AtOnce))?.collect()
}

fn unreadable(error: TableFileError) -> LongFormError {
    match error {
        TableFileError::Empty => LongFormError::Empty,
        error => LongFormError::Table(error),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn some_rating() -> Rating {
        Rating {
            study: "s".into(),
            rater: "r1".into(),
            item: "p1-a".into(),
            position: "p1".into(),
            method: "a".into(),
            criterion: "clarity".into(),
            value: "4".into(),
            active_ms: Some(61_500),
            answered_at: Some("2026-11-21T12:00:00Z".into()),
        }
    }

    #[test]
    fn columns_stand_in_any_order_and_any_separator() {
        let file = "\u{feff}Value;criterion;method;position;item;rater;site\r\n4;clarity;a;p1;p1-a;r1;Oslo\r\n";
        let expected = Rating {
            study: String::new(),
            active_ms: None,
            answered_at: None,
            ..some_rating()
        };
        assert_eq!(read_csv(file), Ok(vec![expected]));
    }

    #[test]
    fn refusals_name_the_line_and_the_column() {
        let header = "study,rater,item,position,method,criterion,value,active_ms,answered_at\n";
        let row = "s,r1,p1-a,p1,a,clarity,4,61500,\n";
        let line = |text: &str| read_csv(&format!("{header}{row}{text}")).map_err(|error| error.to_string());
        assert_eq!(read_csv(""), Err(LongFormError::Empty));
        assert_eq!(read_csv("study,rater\n"), Err(LongFormError::Column { column: "item" }));
        let twice = header.replace("study", "rater");
        assert_eq!(
            read_csv(&twice),
            Err(LongFormError::Table(TableFileError::Twice("rater".into())))
        );
        assert_eq!(line(row).map(|ratings| ratings.len()), Ok(2));
        assert_eq!(
            line("s,r1,p1-a\n"),
            Err("line 3: it has 3 cells, and there are 9 columns. A cell with a separator in it needs quotes".into())
        );
        assert_eq!(
            line("s,,p1-a,p1,a,clarity,4,,\n"),
            Err("line 3: the rater is empty".into())
        );
        let fraction = line("s,r1,p1-a,p1,a,clarity,4,61.5,\n");
        assert_eq!(
            fraction,
            Err("line 3: “61.5” is no whole number of milliseconds".into())
        );
    }

    #[test]
    fn an_empty_value_is_a_missing_answer() {
        let header = "rater,item,position,method,criterion,value\n";
        let rows = read_csv(&format!(
            "{header}r1,i,p,m,clarity,\nr1,i,p,m,fluency,4\nr1,i,p,m,style,\" \"\n"
        ))
        .unwrap();
        assert_eq!(
            rows.iter().map(Rating::is_missing).collect::<Vec<_>>(),
            [true, false, true]
        );
    }

    #[test]
    fn kinds_of_errors_are_no_numbers() {
        let mut rating = some_rating();
        assert_eq!(rating.number(), Some(4.0));
        for text in ["inf", "NaN", "illegal move", ""] {
            rating.value = text.into();
            assert_eq!(rating.number(), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(
            rows in prop::collection::vec(
                (prop::collection::vec("(?s).{1,12}", 6), "(?s).{0,12}", any::<Option<u64>>(), prop::option::of("(?s).{1,30}")),
                0..8,
            )
        ) {
            let ratings: Vec<Rating> = rows.into_iter().map(|(fields, study, active_ms, answered_at)| {
                // Names have no blanks around them, and a value that may be one number or another is refused.
                let mut fields = fields.into_iter();
                let mut next = || format!("<{}>", fields.next().unwrap());
                let study = study.trim_matches(|c: char| c.is_whitespace() || "\u{feff}\u{200b}".contains(c)).to_owned();
                let answered_at = answered_at.map(|at| format!("<{at}>"));
                Rating {
                    study, rater: next(), item: next(), position: next(), method: next(), criterion: next(), value: next(),
                    active_ms, answered_at,
                }
            }).collect();
            prop_assert_eq!(read_csv(&write_csv(&ratings)), Ok(ratings));
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "(?s).{0,200}", broken in "(study|rater|item|,|;|\"|\n|\r|method|value| ){0,40}") {
            let _ = read_csv(&text);
            let _ = read_csv(&broken);
            let _ = read_csv(&format!("{}\n{broken}", COLUMNS.join(",")));
        }
    }
}
