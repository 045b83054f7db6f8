//! Tables that people made: CSV as spreadsheets of many countries write it, JSON lines, and JSON as pandas writes it.

use std::collections::{BTreeMap, HashMap, VecDeque};

use csv::StringRecord;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::Value;
use thiserror::Error;

use crate::pace::{AtOnce, Pace, at_once};

/// Why a text is no table.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TableFileError {
    /// Nothing in it.
    #[error("there is nothing in it")]
    Empty,
    /// A column twice: which of the two is meant nobody knows.
    #[error("the header has the column “{0}” twice")]
    Twice(String),
    /// JSON in which rows cannot be found.
    #[error("line {line}: it is not JSON: {error}")]
    Json {
        /// From 1.
        line: usize,
        /// What the reader of JSON says.
        error: String,
    },
    /// JSON of another shape.
    #[error("a table in JSON has an object for each row, with the columns’ names: in an array, or one a line")]
    Shape,
}

/// Why a row is none.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadRow {
    /// More or fewer cells than columns.
    #[error("it has {found} cells, and there are {expected} columns. A cell with a separator in it needs quotes")]
    Cells {
        /// In the row.
        found: usize,
        /// In the header.
        expected: usize,
    },
    /// A line that should be JSON and is not.
    #[error("it is not JSON: {0}.")]
    Json(String),
    /// An object that has a name twice.
    #[error("it has “{0}” twice.")]
    Twice(String),
}

/// A row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The line of the file on which it begins, from 1.
    pub line: usize,
    cells: Cells,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Cells {
    Csv(StringRecord),
    /// Column and text. Sparse: of objects each may have names of its own.
    Json(Vec<(usize, String)>),
}

impl Row {
    /// The cell of a column, as it is written; empty where there is none.
    #[must_use]
    pub fn get(&self, column: usize) -> &str {
        match &self.cells {
            Cells::Csv(record) => record.get(column),
            Cells::Json(cells) => {
                let cell = cells.iter().find(|(at, _)| *at == column);
                cell.map(|(_, text)| text.as_str())
            }
        }
        .unwrap_or_default()
    }

    /// Whether Qualtrics' names of questions stand here, the last of the three rows that head its tables.
    fn is_of_qualtrics(&self) -> bool {
        matches!(&self.cells, Cells::Csv(record) if record.iter().any(|cell| trimmed(cell).starts_with("{\"ImportId\":")))
    }

    /// The cell of a column that names something: without blanks around it.
    #[must_use]
    pub fn name(&self, column: usize) -> &str {
        trimmed(self.get(column))
    }
}

/// A table, row by row.
pub struct TableFile<'a> {
    columns: Vec<String>,
    /// `None` for JSON.
    separator: Option<u8>,
    rows: Rows<'a>,
    /// Rows that were looked at ahead of their turn.
    ahead: VecDeque<(usize, Result<Row, BadRow>)>,
}

enum Rows<'a> {
    Csv {
        reader: csv::Reader<&'a [u8]>,
        lines: LineCounter<'a>,
        /// Where the reader's text begins in the file.
        begin: usize,
    },
    Json(std::vec::IntoIter<ObjectRow>),
}

impl<'a> TableFile<'a> {
    /// Reads the names of the columns. A line `sep=;` says what separates the cells; else it is what the header has most of:
    /// commas, semicolons or tabs.
    ///
    /// # Errors
    /// When there is nothing, or JSON that is no table.
    pub fn open(text: &'a str) -> Result<Self, TableFileError> {
        at_once(Self::open_at(text, &AtOnce))
    }

    /// The same at a pace.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_at(text: &'a str, pace: &impl Pace) -> Result<Self, TableFileError> {
        let text = text.trim_start_matches('\u{feff}');
        if is_json(text) {
            Self::of_json(text, pace).await
        } else {
            Self::of_csv(text)
        }
    }

    fn of_csv(text: &'a str) -> Result<Self, TableFileError> {
        let first = first_line(text);
        let (separator, begin) = match said_separator(first) {
            Some(said) => (said, first.as_ptr() as usize - text.as_ptr() as usize + first.len()),
            None => (most_frequent_separator(first), 0),
        };
        // Flexible: a row of another length is a fault of its own, and no end of the table.
        let reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .has_headers(false)
            .flexible(true)
            .from_reader(&text.as_bytes()[begin..]);
        let mut table = Self {
            columns: Vec::new(),
            separator: Some(separator),
            rows: Rows::Csv {
                reader,
                lines: LineCounter::new(text),
                begin,
            },
            ahead: VecDeque::new(),
        };
        // The first row with anything in it.
        let Some((
            _,
            Ok(Row {
                cells: Cells::Csv(header),
                ..
            }),
        )) = table.next()
        else {
            return Err(TableFileError::Empty);
        };
        table.columns = header.iter().map(column_name).collect();
        let next = [table.next(), table.next()];
        if !matches!(&next[1], Some((_, Ok(row))) if row.is_of_qualtrics()) {
            table.ahead = next.into_iter().flatten().collect();
        }
        Ok(table)
    }

    /// The columns' names, without blanks around them.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The place of a column, whatever the case of its letters.
    ///
    /// # Errors
    /// When there are two.
    pub fn find(&self, name: &str) -> Result<Option<usize>, TableFileError> {
        let mut places = (0..self.columns.len()).filter(|at| self.columns[*at].eq_ignore_ascii_case(name));
        let place = places.next();
        match places.next() {
            Some(_) => Err(TableFileError::Twice(name.to_owned())),
            None => Ok(place),
        }
    }

    /// The number that a cell is, if it is a finite one. A comma is a decimal comma where cells are separated by something else,
    /// but not in `1,234` between tabs, which may be a thousand.
    #[must_use]
    pub fn number(&self, cell: &str) -> Option<f64> {
        let cell = trimmed(cell).replace('−', "-");
        let decimal = match (self.separator, cell.split_once(',')) {
            (None | Some(b','), _) | (_, None) => None,
            (Some(separator), Some((whole, rest))) => {
                let whole = whole.trim_start_matches(['-', '+']);
                let thousand = separator != b';' && rest.len() == 3 && (1..4).contains(&whole.len()) && whole != "0";
                (!thousand && !cell.contains('.')).then(|| cell.replacen(',', ".", 1))
            }
        };
        let number: f64 = decimal.unwrap_or(cell).parse().ok()?;
        number.is_finite().then_some(number)
    }
}

/// Whether a cell says that there is no value, in the words of other programs: R, pandas, Stata.
#[must_use]
pub fn is_missing(cell: &str) -> bool {
    let cell = trimmed(cell);
    ["", "na", "n/a", "nan", "null", "none", ".", "-", "–"]
        .iter()
        .any(|word| cell.eq_ignore_ascii_case(word))
}

/// Whether a cell that is no number was meant for one: `3,5` between commas, `80 %`.
#[must_use]
pub fn is_doubtful_number(cell: &str) -> bool {
    let cell = trimmed(cell);
    let numeric = |letter: char| letter.is_ascii_digit() || "+-−.,%’' \u{a0}\u{202f}".contains(letter);
    cell.contains([',', '%'])
        && cell.contains(|letter: char| letter.is_ascii_digit())
        && cell.chars().all(numeric)
        && !cell.contains(", ")
}

impl Iterator for TableFile<'_> {
    type Item = (usize, Result<Row, BadRow>);

    /// The next row that is not empty, and the line on which it begins.
    fn next(&mut self) -> Option<Self::Item> {
        if let Some(row) = self.ahead.pop_front() {
            return Some(row);
        }
        match &mut self.rows {
            Rows::Json(rows) => rows.next().map(|(line, cells)| {
                let cells = cells.map(Cells::Json);
                (line, cells.map(|cells| Row { line, cells }))
            }),
            Rows::Csv { reader, lines, begin } => loop {
                let mut record = StringRecord::new();
                // The text is UTF-8 and the reader flexible: there is nothing else that it would refuse.
                if !reader.read_record(&mut record).unwrap_or(false) {
                    return None;
                }
                // What a spreadsheet leaves behind below a table.
                if record.iter().all(|cell| trimmed(cell).is_empty()) {
                    continue;
                }
                let start = record.position().map_or(0, csv::Position::byte);
                let line = lines.of_row(usize::try_from(start).unwrap_or(usize::MAX).saturating_add(*begin));
                let (found, expected) = (record.len(), self.columns.len());
                let more = record.iter().skip(expected).any(|cell| !trimmed(cell).is_empty());
                // Of the header itself nothing is expected.
                let row = if expected > 0 && (found < expected || more) {
                    Err(BadRow::Cells { found, expected })
                } else {
                    let cells = Cells::Csv(record);
                    Ok(Row { line, cells })
                };
                return Some((line, row));
            },
        }
    }
}

/// Whether a text is JSON, or was meant for it; games begin with a bracket, too.
#[must_use]
pub fn is_json(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.starts_with('{')
        || text
            .strip_prefix('[')
            .is_some_and(|rest| rest.trim_start().starts_with(['{', ']']))
}

/// Without blanks and marks that are not seen.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|letter: char| letter.is_whitespace() || matches!(letter, '\u{feff}' | '\u{200b}'))
}

fn column_name(cell: &str) -> String {
    trimmed(cell).replace('\u{a0}', " ")
}

/// The first line with anything in it, without its end.
fn first_line(text: &str) -> &str {
    text.split(['\n', '\r'])
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default()
}

/// What a first line `sep=;` says, as Excel writes and reads it; other programs put it in quotes or fill the line up.
fn said_separator(first: &str) -> Option<u8> {
    let line = first.trim_matches(' ').trim_start_matches('"');
    let said = line.get(..4).filter(|word| word.eq_ignore_ascii_case("sep="))?;
    let separator = *line.as_bytes().get(said.len())?;
    let filled = line
        .bytes()
        .skip(said.len())
        .all(|byte| byte == separator || byte == b'"');
    (separator.is_ascii() && separator != b'"' && filled).then_some(separator)
}

/// The separator that a header has most of, but in quotes; a comma when in doubt.
fn most_frequent_separator(header: &str) -> u8 {
    let mut counts = [(b'\t', 0), (b';', 0), (b',', 0)];
    let mut quoted = false;
    for byte in header.bytes() {
        quoted ^= byte == b'"';
        for (separator, count) in &mut counts {
            *count += usize::from(!quoted && *separator == byte);
        }
    }
    counts
        .into_iter()
        .max_by_key(|(_, count)| *count)
        .map_or(b',', |(separator, _)| separator)
}

/// Counts the lines of a text as an editor does: a line ends with `\n`, `\r\n` or `\r`, in quotes or not. The reader's own
/// count passes over empty lines.
struct LineCounter<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> LineCounter<'a> {
    const fn new(text: &'a str) -> Self {
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

/// The names and values of an object, in their order, with what is there twice.
struct Object(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Object;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object with a row's cells")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Object(fields))
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

/// The line of an object, and its columns and texts.
type ObjectRow = (usize, Result<Vec<(usize, String)>, BadRow>);

/// Rows of objects on the way to a table.
#[derive(Default)]
struct Objects {
    columns: Vec<String>,
    places: HashMap<String, usize>,
    rows: Vec<ObjectRow>,
}

impl Objects {
    fn add(&mut self, line: usize, fields: impl IntoIterator<Item = (String, Value)>) {
        let mut cells: BTreeMap<usize, String> = BTreeMap::new();
        for (name, value) in fields {
            let name = column_name(&name);
            let known = self.columns.len();
            let place = *self.places.entry(name.to_lowercase()).or_insert(known);
            if place == known {
                self.columns.push(name.clone());
            }
            let text = match value {
                Value::Null => String::new(),
                Value::String(text) => text,
                other => other.to_string(),
            };
            if cells.insert(place, text).is_some() {
                return self.rows.push((line, Err(BadRow::Twice(name))));
            }
        }
        self.rows.push((line, Ok(cells.into_iter().collect())));
    }

    /// Adds the rows of pandas' tables by columns, `{"fen": {"0": …, "1": …}, …}` or `{"fen": […], …}`, or by rows,
    /// `{"0": {"fen": …}, …}`.
    fn add_nested(&mut self, line: usize, fields: Vec<(String, Value)>) -> Result<(), TableFileError> {
        // Its tables that are split into names and data.
        if fields.iter().any(|(name, _)| name == "data") {
            return Err(TableFileError::Shape);
        }
        let is_number = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
        let by_rows = fields.iter().all(|(name, _)| is_number(name));
        let mut rows: BTreeMap<(usize, String), Vec<(String, Value)>> = BTreeMap::new();
        for (outer, value) in fields {
            let inner: Vec<(String, Value)> = match value {
                Value::Object(inner) => inner.into_iter().collect(),
                Value::Array(inner) => (0..).map(|at: usize| at.to_string()).zip(inner).collect(),
                _ => Vec::new(),
            };
            for (name, value) in inner {
                let (row, column) = if by_rows {
                    (outer.clone(), name)
                } else {
                    (name, outer.clone())
                };
                // "10" goes after "9".
                rows.entry((row.len(), row)).or_default().push((column, value));
            }
        }
        for row in rows.into_values() {
            self.add(line, row);
        }
        Ok(())
    }
}

impl<'a> TableFile<'a> {
    async fn of_json(text: &'a str, pace: &impl Pace) -> Result<Self, TableFileError> {
        let mut objects = Objects::default();
        let mut lines = LineCounter::new(text);
        let start = text.trim_start();
        let (in_array, mut rest) = match start.strip_prefix('[') {
            Some(rest) => (true, rest.trim_start()),
            None => (false, start),
        };
        while !(rest.is_empty() || in_array && rest.starts_with(']')) {
            pace.turn().await;
            let line = lines.of_row(text.len() - rest.len());
            let mut found = serde_json::Deserializer::from_str(rest).into_iter::<Object>();
            match found.next() {
                Some(Ok(Object(fields))) => {
                    rest = rest[found.byte_offset()..].trim_start();
                    let nested = |(_, value): &(String, Value)| value.is_object() || value.is_array();
                    if objects.rows.is_empty() && rest.is_empty() && !fields.is_empty() && fields.iter().all(nested) {
                        objects.add_nested(line, fields)?;
                    } else {
                        objects.add(line, fields);
                    }
                    if in_array {
                        rest = match rest.strip_prefix(',') {
                            Some(rest) => rest.trim_start(),
                            None if rest.starts_with(']') => rest,
                            None => {
                                let error = "a comma or “]” is missing".to_owned();
                                return Err(TableFileError::Json { line, error });
                            }
                        };
                    }
                }
                Some(Err(error)) => {
                    let error = error.to_string();
                    if in_array {
                        return Err(TableFileError::Json { line, error });
                    }
                    // The next line may be whole.
                    objects.rows.push((line, Err(BadRow::Json(error))));
                    rest = rest.split_once('\n').map_or("", |(_, rest)| rest.trim_start());
                }
                None => break,
            }
        }
        if in_array && rest.trim_end() != "]" {
            let (line, error) = (lines.of_row(text.len() - rest.len()), "its end is missing".to_owned());
            return Err(TableFileError::Json { line, error });
        }
        if objects.rows.is_empty() {
            return Err(TableFileError::Empty);
        }
        Ok(Self {
            columns: objects.columns,
            separator: None,
            rows: Rows::Json(objects.rows.into_iter()),
            ahead: VecDeque::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::file_text::read_text;

    fn read(text: &str) -> Vec<(usize, Result<Vec<String>, BadRow>)> {
        let table = TableFile::open(text).unwrap();
        let width = table.columns().len();
        let cells = |row: Row| (0..width).map(|column| row.get(column).to_owned()).collect();
        table.map(|(line, row)| (line, row.map(cells))).collect()
    }

    #[test]
    fn a_line_may_say_the_separator() {
        for (first, separator) in [
            ("sep=;", Some(b';')),
            ("\"sep=|\"", Some(b'|')),
            ("SEP=,,,", Some(b',')),
            ("sep=\t", Some(b'\t')),
            ("separate;x", None),
            ("sep=", None),
            ("sep=x;y", None),
        ] {
            assert_eq!(said_separator(first), separator, "{first}");
        }
        assert_eq!(read("sep=;\n\na;b\n1;2\n"), [(4, Ok(vec!["1".into(), "2".into()]))]);
        // What is in quotes separates nothing.
        assert_eq!(read("\"a;b;c\",d\n1,2\n"), [(2, Ok(vec!["1".into(), "2".into()]))]);
    }

    #[test]
    fn numbers_are_read_where_there_is_no_doubt() {
        let number = |header: &str, cell: &str| TableFile::open(header).unwrap().number(cell);
        for (cell, comma, semicolon, tab) in [
            ("3.5", Some(3.5), Some(3.5), Some(3.5)),
            ("3,5", None, Some(3.5), Some(3.5)),
            ("-0,125", None, Some(-0.125), Some(-0.125)),
            ("−2", Some(-2.0), Some(-2.0), Some(-2.0)),
            ("1,234", None, Some(1.234), None),
            ("1.234,5", None, None, None),
            ("1,2,3", None, None, None),
            ("\u{a0}4 ", Some(4.0), Some(4.0), Some(4.0)),
            ("inf", None, None, None),
            ("NaN", None, None, None),
            ("4 of 5", None, None, None),
        ] {
            let found = ["a,b", "a;b", "a\tb"].map(|header| number(header, cell));
            assert_eq!(found, [comma, semicolon, tab], "{cell}");
        }
        assert!(["3,5", "80 %", "1.234,5"].into_iter().all(is_doubtful_number));
        assert!(
            !["3, 5, 7", "2024-01-05", "4/5", "Oslo, 3", ""]
                .into_iter()
                .any(is_doubtful_number)
        );
    }

    #[test]
    fn columns_are_found_and_what_is_there_twice_is_named() {
        let table = TableFile::open("\u{feff} A ,\u{a0}b\u{a0},\u{200b}c,,\n").unwrap();
        assert_eq!(table.columns(), ["A", "b", "c", "", ""]);
        assert_eq!(
            ["a", "B", "c", "d"].map(|name| table.find(name).unwrap()),
            [Some(0), Some(1), Some(2), None]
        );
        let twice = TableFile::open("a,A\n").unwrap();
        assert_eq!(twice.find("a"), Err(TableFileError::Twice("a".to_owned())));
    }

    #[test]
    fn json_is_read_with_its_lines() {
        let text = "[\n {\"a\": 1, \"b\": \"x\"},\n {\"b\": [1, 2],\n  \"a\": null}\n]\n";
        let cells = |cells: [&str; 2]| Ok(cells.map(str::to_owned).to_vec());
        assert_eq!(read(text), [(2, cells(["1", "x"])), (3, cells(["", "[1,2]"]))]);
        let lines = "{\"a\":1,\"b\":true}\n\n{\"a\"\n{\"b\":2}\n";
        let found = read(lines);
        assert_eq!(found[0], (1, cells(["1", "true"])));
        assert!(matches!(found[1], (3, Err(BadRow::Json(_)))), "{found:?}");
        assert_eq!(found[2], (4, cells(["", "2"])));
        let error = |text: &str| TableFile::open(text).err();
        assert!(matches!(
            error("[{\"a\":1}"),
            Some(TableFileError::Json { line: 1, .. })
        ));
        assert!(matches!(
            error("[{\"a\":1} {\"a\":2}]"),
            Some(TableFileError::Json { line: 1, .. })
        ));
        assert!(matches!(error("[{\"a\":1}] x"), Some(TableFileError::Json { .. })));
        assert_eq!(error("{\"columns\":[],\"data\":[]}"), Some(TableFileError::Shape));
        assert_eq!(
            [error("[]"), error(" \n"), error(",,\n")],
            [(); 3].map(|()| Some(TableFileError::Empty))
        );
    }

    proptest! {
        #[test]
        fn tables_come_back_whatever_their_separator_ends_and_bytes(
            rows in (1_usize..5).prop_flat_map(|width| {
                let cell = "[ -~äß“\n]{0,6}";
                prop::collection::vec(prop::collection::vec(cell, width), 0..6)
            }),
            separator in prop::sample::select(vec![b',', b';', b'\t']),
            crlf in any::<bool>(),
            said in any::<bool>(),
            encoding in 0_usize..4,
        ) {
            let width = rows.first().map_or(2, Vec::len);
            let ends = if crlf { csv::Terminator::CRLF } else { csv::Terminator::Any(b'\n') };
            let mut writer = csv::WriterBuilder::new().delimiter(separator).terminator(ends).from_writer(Vec::new());
            writer.write_record((0..width).map(|column| format!("column{column}"))).unwrap();
            for row in &rows {
                writer.write_record(row).unwrap();
            }
            let mut text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
            // One column has no separator that would show.
            if said || width == 1 {
                text = format!("sep={}\r\n{text}", char::from(separator));
            }
            let bytes: Vec<u8> = match encoding {
                0 => text.clone().into_bytes(),
                1 => format!("\u{feff}{text}").into_bytes(),
                2 => format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect(),
                _ => format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect(),
            };
            let found: Vec<Vec<String>> = read(&read_text(&bytes).unwrap().text)
                .into_iter()
                .map(|(_, row)| row.unwrap())
                .collect();
            let expected: Vec<Vec<String>> = rows
                .into_iter()
                .filter(|row| row.iter().any(|cell| !trimmed(cell).is_empty()))
                .collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn no_text_makes_the_reader_panic(
            text in "(?s).{0,80}",
            broken in "(sep=|,|;|\t|\"|\n|\r|\\{|\\}|\\[|\\]|:|a|1| ){0,40}",
            bytes in prop::collection::vec(any::<u8>(), 0..80),
        ) {
            for text in [&text, &broken, &format!("[{{\"a\":{broken}"), &format!("a,b\n{broken}")] {
                if let Ok(table) = TableFile::open(text) {
                    prop_assert!(table.count() <= text.len());
                }
            }
            let _ = read_text(&bytes).map(|read| TableFile::open(&read.text).map(Iterator::count));
        }
    }
}
