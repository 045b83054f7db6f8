//! A table as text: CSV for programs, Markdown and LaTeX for people.

use std::fmt::Write as _;

use csv::WriterBuilder;

use crate::survey::{foreign_text::is_hostile, spreadsheet::no_formula};

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// A text, printed as it is.
    Text(String),
    /// A number, and how many decimals people are shown; CSV has them all.
    Number(f64, usize),
    /// A count.
    Count(usize),
    /// Nothing; why is said in the table's notes.
    None,
    /// One of these that people are shown as the best or the second-best of those it is compared with; CSV has it plain.
    Marked(Box<Cell>, Mark),
}

/// How a figure stands among those it is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// The best: bold.
    Best,
    /// The second-best: underlined.
    Second,
}

/// Which figures are better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// Means of ratings.
    Higher,
    /// Rates of errors.
    Lower,
}

/// What marks mean, said below a table that has some.
const MARKS: &str = "Bold: the best of its column; underlined: the second-best.";

/// The marks of figures that people are shown with so many decimals. What is shown as the same is the same: ties share the
/// mark, and the next figure after them is the second-best. Nothing is marked where all are the same or only one is known.
#[must_use]
pub fn marks(figures: &[Option<f64>], better: Better, decimals: usize) -> Vec<Option<Mark>> {
    let mut known: Vec<f64> = figures.iter().flatten().copied().collect();
    known.sort_by(|a, b| match better {
        Better::Higher => b.total_cmp(a),
        Better::Lower => a.total_cmp(b),
    });
    let mut shown: Vec<String> = known.into_iter().map(|figure| rounded(figure, decimals)).collect();
    shown.dedup();
    let mark = |figure: &Option<f64>| {
        let text = rounded((*figure)?, decimals);
        match shown.iter().position(|known| *known == text)? {
            0 => Some(Mark::Best),
            1 => Some(Mark::Second),
            _ => None,
        }
    };
    if shown.len() < 2 {
        return vec![None; figures.len()];
    }
    figures.iter().map(mark).collect()
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl Cell {
    /// A number that may be missing.
    #[must_use]
    pub fn number(value: Option<f64>, decimals: usize) -> Self {
        value.map_or(Self::None, |value| Self::Number(value, decimals))
    }

    /// The same with a mark, if there is one.
    #[must_use]
    pub fn marked(self, mark: Option<Mark>) -> Self {
        match mark {
            Some(mark) => Self::Marked(Box::new(self), mark),
            None => self,
        }
    }

    /// Its mark.
    #[must_use]
    pub const fn mark(&self) -> Option<Mark> {
        match self {
            Self::Marked(_, mark) => Some(*mark),
            _ => None,
        }
    }

    /// The same without a mark.
    #[must_use]
    pub fn bare(&self) -> &Self {
        match self {
            Self::Marked(cell, _) => cell.bare(),
            cell => cell,
        }
    }

    /// As people read it.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(value, decimals) => rounded(*value, *decimals),
            Self::Count(count) => count.to_string(),
            Self::None => "–".to_owned(),
            Self::Marked(cell, _) => cell.shown(),
        }
    }

    fn to_markdown(&self) -> String {
        let text = markdown(&self.shown());
        match self.mark() {
            Some(Mark::Best) => format!("**{text}**"),
            // Markdown has no sign for it; GitHub draws this one.
            Some(Mark::Second) => format!("<ins>{text}</ins>"),
            None => text,
        }
    }

    fn to_latex(&self) -> String {
        let text = latex(&self.shown());
        match self.mark() {
            Some(Mark::Best) => format!("\\textbf{{{text}}}"),
            Some(Mark::Second) => format!("\\underline{{{text}}}"),
            None => text,
        }
    }

    fn json(&self) -> serde_json::Value {
        match self {
            Self::Text(text) => text.as_str().into(),
            // JSON has no NaN and no infinity: they become null.
            Self::Number(value, _) => serde_json::Number::from_f64(*value).into(),
            Self::Count(count) => (*count).into(),
            Self::None => serde_json::Value::Null,
            Self::Marked(cell, _) => cell.json(),
        }
    }

    fn exact(&self) -> String {
        match self {
            Self::Number(value, _) => value.to_string(),
            Self::None => String::new(),
            Self::Text(text) => no_formula(text),
            Self::Count(count) => count.to_string(),
            Self::Marked(cell, _) => cell.exact(),
        }
    }
}

/// A number with so many decimals, a minus where it is below zero, and never “−0.00”.
#[must_use]
pub fn rounded(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let zero = text.chars().all(|c| matches!(c, '0' | '.'));
    if value < 0.0 && !zero {
        format!("−{text}")
    } else {
        text
    }
}

/// A p-value as papers print it.
#[must_use]
pub fn p_value(p: f64) -> String {
    if p < 0.001 {
        "< 0.001".to_owned()
    } else {
        format!("{p:.3}")
    }
}

/// A table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// The columns' headings.
    pub head: Vec<String>,
    /// Rows, each with a cell for every heading.
    pub rows: Vec<Vec<Cell>>,
    /// What is said below it.
    pub notes: Vec<String>,
}

impl Table {
    /// Marks the best and the second-best number of a column, by the decimals that each is shown with.
    pub fn mark_column(&mut self, column: usize, better: Better) {
        self.mark_column_where(column, better, |_| true);
    }

    /// The same among the rows that `counts` picks; the others keep the marks that they have.
    pub fn mark_column_where(&mut self, column: usize, better: Better, counts: impl Fn(&[Cell]) -> bool) {
        let number = |row: &Vec<Cell>| match row.get(column).map(Cell::bare) {
            Some(Cell::Number(value, decimals)) => Some((*value, *decimals)),
            Some(Cell::Count(count)) => Some((*count as f64, 0)),
            _ => None,
        };
        let numbers: Vec<Option<(f64, usize)>> = self
            .rows
            .iter()
            .map(|row| number(row).filter(|_| counts(row)))
            .collect();
        let decimals = numbers
            .iter()
            .flatten()
            .map(|(_, decimals)| *decimals)
            .max()
            .unwrap_or(0);
        let figures: Vec<Option<f64>> = numbers.iter().map(|number| number.map(|(value, _)| value)).collect();
        for (row, mark) in self.rows.iter_mut().zip(marks(&figures, better, decimals)) {
            if counts(row)
                && let Some(cell) = row.get_mut(column)
            {
                *cell = cell.bare().clone().marked(mark);
            }
        }
    }

    /// Puts a column at a place, with a cell for each row.
    pub fn insert_column(&mut self, place: usize, head: String, cells: Vec<Cell>) {
        self.head.insert(place.min(self.head.len()), head);
        let cells = cells.into_iter().chain(std::iter::repeat(Cell::None));
        for (row, cell) in self.rows.iter_mut().zip(cells) {
            row.insert(place.min(row.len()), cell);
        }
    }

    /// The notes as people who see marks are shown them.
    pub fn shown_notes(&self) -> impl Iterator<Item = &str> {
        let marked = self.rows.iter().flatten().any(|cell| cell.mark().is_some());
        self.notes.iter().map(String::as_str).chain(marked.then_some(MARKS))
    }

    /// As CSV with a header, numbers with all their digits, without caption and notes. What a spreadsheet would take for
    /// a formula has an apostrophe before it, as [`spreadsheet`](crate::survey::spreadsheet) says.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut writer = WriterBuilder::new().flexible(true).from_writer(Vec::new());
        let written = writer
            .write_record(self.head.iter().map(|head| no_formula(head)))
            .and_then(|()| {
                let rows = self.rows.iter();
                rows.map(|row| row.iter().map(Cell::exact))
                    .try_for_each(|row| writer.write_record(row))
            });
        debug_assert!(written.is_ok(), "memory takes every record");
        String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
    }

    /// As JSON: caption, head, rows with numbers as numbers and all their digits, notes.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let rows: Vec<Vec<serde_json::Value>> = self
            .rows
            .iter()
            .map(|row| row.iter().map(Cell::json).collect())
            .collect();
        serde_json::json!({"caption": self.caption, "head": self.head, "rows": rows, "notes": self.notes})
    }

    /// As a Markdown table between its caption and its notes.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = format!("**{}**\n\n", markdown(&self.caption));
        text += &line(self.head.iter().map(|head| markdown(head)).collect());
        let rules = (0..self.head.len()).map(|column| if self.is_text(column) { "---" } else { "---:" });
        text += &line(rules.map(str::to_owned).collect());
        for row in &self.rows {
            text += &line(row.iter().map(Cell::to_markdown).collect());
        }
        for note in self.shown_notes() {
            let _ = write!(text, "\n{}\n", markdown(note));
        }
        text
    }

    /// As a LaTeX table; needs the package `booktabs`.
    #[must_use]
    pub fn to_latex(&self) -> String {
        let columns: String = (0..self.head.len())
            .map(|column| if self.is_text(column) { 'l' } else { 'r' })
            .collect();
        let line = |cells: Vec<String>| format!("    {} \\\\\n", cells.join(" & "));
        let mut text = format!("\\begin{{table}}\n  \\centering\n  \\begin{{tabular}}{{{columns}}}\n    \\toprule\n");
        text += &line(self.head.iter().map(|head| latex(head)).collect());
        text += "    \\midrule\n";
        for row in &self.rows {
            text += &line(row.iter().map(Cell::to_latex).collect());
        }
        let mut caption = latex(&self.caption);
        for note in self.shown_notes() {
            let _ = write!(caption, " {}", latex(note));
        }
        let _ = write!(
            text,
            "    \\bottomrule\n  \\end{{tabular}}\n  \\caption{{{caption}}}\n\\end{{table}}\n"
        );
        text
    }

    /// As aligned text for a terminal.
    #[must_use]
    pub fn to_text(&self) -> String {
        let shown: Vec<Vec<String>> = [self.head.clone()]
            .into_iter()
            .chain(self.rows.iter().map(|row| row.iter().map(Cell::shown).collect()))
            .collect();
        let width = |column: usize| shown.iter().map(|row| letters(row.get(column))).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let mut text = format!("{}\n", self.caption);
        for row in shown {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let space = " ".repeat(
                    widths
                        .get(column)
                        .map_or(0, |width| width.saturating_sub(letters(Some(cell)))),
                );
                let cell = if self.is_text(column) {
                    format!("{cell}{space}")
                } else {
                    format!("{space}{cell}")
                };
                let _ = write!(line, "{cell}  ");
            }
            text += line.trim_end();
            text.push('\n');
        }
        for note in &self.notes {
            text += note;
            text.push('\n');
        }
        text
    }

    /// Whether a column holds words: it stands to the left.
    #[must_use]
    pub fn is_text(&self, column: usize) -> bool {
        column == 0
            || self
                .rows
                .iter()
                .any(|row| matches!(row.get(column).map(Cell::bare), Some(Cell::Text(_))))
    }
}

/// Whether a letter would end a line of Markdown or LaTeX, or turn what follows around.
fn breaks(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') || is_hostile(letter)
}

fn letters(cell: Option<&String>) -> usize {
    cell.map_or(0, |cell| cell.chars().count())
}

/// Text that Markdown leaves as it is.
fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '#' | '~' | '&' | '$' => {
                escaped.extend(['\\', letter])
            }
            _ if breaks(letter) => escaped.push(' '),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// Text that LaTeX leaves as it is.
fn latex(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '{' | '}' | '$' | '&' | '%' | '#' | '_' => escaped.extend(['\\', letter]),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '<' => escaped.push_str("$<$"),
            '>' => escaped.push_str("$>$"),
            '|' => escaped.push_str("$|$"),
            '−' => escaped.push_str("$-$"),
            '×' => escaped.push_str("$\\times$"),
            '≥' => escaped.push_str("$\\geq$"),
            'κ' => escaped.push_str("$\\kappa$"),
            'α' => escaped.push_str("$\\alpha$"),
            'τ' => escaped.push_str("$\\tau$"),
            '–' => escaped.push_str("--"),
            '“' => escaped.push_str("``"),
            '”' => escaped.push_str("''"),
            '"' => escaped.push_str("\\textquotedbl{}"),
            '[' => escaped.push_str("{[}"),
            ']' => escaped.push_str("{]}"),
            // Two would be a dash of their own.
            '-' if escaped.ends_with('-') => escaped.push_str("{}-"),
            // After the end of a row a star is its own command's.
            '*' if escaped.is_empty() => escaped.push_str("{*}"),
            _ if breaks(letter) => escaped.push(' '),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        Table {
            caption: "50 % of r_1 & more".into(),
            head: vec!["method".into(), "mean".into(), "n".into()],
            rows: vec![
                vec!["GPT|4, o*".into(), Cell::Number(-0.123_456, 2), Cell::Count(5)],
                vec!["a\\b".into(), Cell::None, Cell::Count(0)],
            ],
            notes: vec!["p < 0.001".into()],
        }
    }

    #[test]
    fn csv_has_all_digits() {
        assert_eq!(table().to_csv(), "method,mean,n\n\"GPT|4, o*\",-0.123456,5\na\\b,,0\n");
    }

    #[test]
    fn markdown_is_escaped() {
        assert_eq!(
            table().to_markdown(),
            "**50 % of r\\_1 \\& more**\n\n| method | mean | n |\n| --- | ---: | ---: |\n\
             | GPT\\|4, o\\* | −0.12 | 5 |\n| a\\\\b | – | 0 |\n\np \\< 0.001\n"
        );
    }

    #[test]
    fn latex_is_escaped() {
        assert_eq!(
            table().to_latex(),
            "\\begin{table}\n  \\centering\n  \\begin{tabular}{lrr}\n    \\toprule\n    method & mean & n \\\\\n    \
             \\midrule\n    GPT$|$4, o* & $-$0.12 & 5 \\\\\n    a\\textbackslash{}b & -- & 0 \\\\\n    \\bottomrule\n  \
             \\end{tabular}\n  \\caption{50 \\% of r\\_1 \\& more p $<$ 0.001}\n\\end{table}\n"
        );
    }

    /// Names that files of strangers may have.
    #[test]
    fn hostile_names_stay_in_their_cells() {
        let hostile = [
            "=HYPERLINK(\"http://x\",\"y\")",
            "@SUM(A1)",
            "-1+cmd|' /C calc'!A0",
            "+concepts",
            "*a* | b",
            "a\n\\\\ \\input{/etc/passwd}",
            "<script>&amp;$x$</script>",
            "\u{202e}abc\u{7}",
            "gpt--4 \"5\", 6",
        ];
        let table = Table {
            head: vec!["method".into(), "n".into()],
            rows: hostile
                .iter()
                .map(|name| vec![Cell::from(*name), Cell::Count(1)])
                .collect(),
            ..Table::default()
        };
        let csv = table.to_csv();
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let read: Vec<String> = reader.records().map(|record| record.unwrap()[0].to_owned()).collect();
        for (name, read) in hostile.iter().zip(&read) {
            let marked = format!("'{name}");
            let formula = ['=', '@'].contains(&name.chars().next().unwrap()) || name.starts_with("-1");
            assert_eq!(read, if formula { &marked } else { *name });
        }
        let markdown: Vec<String> = table.to_markdown().lines().skip(4).map(str::to_owned).collect();
        assert_eq!(markdown.len(), hostile.len());
        for line in &markdown {
            // Three bars of the table, all others escaped; nothing that Markdown or HTML would take for its own.
            let bare = line.replace("\\\\", "").replace("\\|", "");
            assert_eq!(bare.matches('|').count(), 3, "{line}");
            assert!(!bare.contains("<s") || bare.contains("\\<s"), "{line}");
        }
        assert_eq!(markdown[4], "| \\*a\\* \\| b | 1 |");
        assert_eq!(markdown[7], "|  abc  | 1 |");
        let latex = table.to_latex();
        let rows: Vec<&str> = latex
            .lines()
            .filter(|line| line.ends_with("& 1 \\\\"))
            .map(str::trim)
            .collect();
        assert_eq!(rows.len(), hostile.len(), "{latex}");
        assert_eq!(rows[4], "{*}a* $|$ b & 1 \\\\");
        assert_eq!(
            rows[5],
            "a \\textbackslash{}\\textbackslash{} \\textbackslash{}input\\{/etc/passwd\\} & 1 \\\\"
        );
        assert_eq!(rows[8], "gpt-{}-4 \\textquotedbl{}5\\textquotedbl{}, 6 & 1 \\\\");
    }

    #[test]
    fn the_best_is_bold_and_the_second_underlined() {
        let figures = [Some(0.6249), Some(0.6), None, Some(0.621), Some(-1.0), Some(0.604)];
        let (best, second) = (Some(Mark::Best), Some(Mark::Second));
        // 0.6249 and 0.621 are both shown as 0.62: a tie.
        assert_eq!(
            marks(&figures, Better::Higher, 2),
            [best, second, None, best, None, second]
        );
        assert_eq!(
            marks(&figures, Better::Lower, 3),
            [None, second, None, None, best, None]
        );
        assert_eq!(marks(&[Some(1.0), None], Better::Higher, 2), [None, None]);
        assert_eq!(marks(&[Some(1.0), Some(1.0)], Better::Higher, 2), [None, None]);
        let rows = [("a", 0.5), ("b", 0.25), ("c|", 0.25)];
        let mut table = Table {
            head: vec!["method".into(), "mean".into()],
            rows: rows
                .map(|(name, mean)| vec![Cell::from(name), Cell::Number(mean, 2)])
                .to_vec(),
            ..Table::default()
        };
        let plain = (table.to_csv(), table.to_text());
        table.mark_column(1, Better::Higher);
        assert_eq!((table.to_csv(), table.to_text()), plain);
        let markdown = table.to_markdown();
        assert!(
            markdown.contains("| a | **0.50** |\n| b | <ins>0.25</ins> |\n| c\\| | <ins>0.25</ins> |\n"),
            "{markdown}"
        );
        assert!(
            markdown.ends_with(&format!("\n{MARKS}\n")) && markdown.contains("| --- | ---: |"),
            "{markdown}"
        );
        let latex = table.to_latex();
        assert!(
            latex.contains("a & \\textbf{0.50} \\\\\n    b & \\underline{0.25}"),
            "{latex}"
        );
        assert!(latex.contains("the second-best.}"), "{latex}");
        table.mark_column(1, Better::Lower);
        assert_eq!(
            table.rows[0][1],
            Cell::Marked(Box::new(Cell::Number(0.5, 2)), Mark::Second)
        );
    }

    #[test]
    fn terminals_get_columns() {
        let lines: Vec<String> = table().to_text().lines().map(str::to_owned).collect();
        assert_eq!(lines[1], "method      mean  n");
        assert_eq!(lines[2], "GPT|4, o*  −0.12  5");
    }

    #[test]
    fn nothing_is_minus_zero() {
        assert_eq!(
            [rounded(-0.001, 2), rounded(-0.006, 2), rounded(0.5, 0)],
            ["0.00", "−0.01", "0"]
        );
        assert_eq!([p_value(0.0009), p_value(0.05)], ["< 0.001", "0.050"]);
    }
}
