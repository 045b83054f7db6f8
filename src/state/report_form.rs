//! What a report is saved as.

use crate::survey::analysis::table::Table;

/// What the report is saved as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// For programs: all digits.
    Csv,
    /// For people.
    Markdown,
    /// For papers.
    Latex,
    /// For programs: one array of tables.
    Json,
}

impl Form {
    /// All.
    pub const ALL: [Self; 4] = [Self::Csv, Self::Markdown, Self::Latex, Self::Json];

    /// For people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Markdown => "Markdown",
            Self::Latex => "LaTeX",
            Self::Json => "JSON",
        }
    }

    /// The file's name and its media type.
    pub(super) const fn file(self) -> (&'static str, &'static str) {
        match self {
            Self::Csv => ("players-report.csv", "text/csv"),
            Self::Markdown => ("players-report.md", "text/markdown"),
            Self::Latex => ("players-report.tex", "application/x-tex"),
            Self::Json => ("players-report.json", "application/json"),
        }
    }

    /// The tables in this form.
    pub(super) fn write(self, tables: &[Table]) -> String {
        let each: Vec<String> = match self {
            Self::Csv => tables
                .iter()
                .map(|table| format!("# {}\n{}", table.caption, table.to_csv()))
                .collect(),
            Self::Markdown => tables.iter().map(Table::to_markdown).collect(),
            Self::Latex => tables.iter().map(Table::to_latex).collect(),
            Self::Json => {
                let tables: Vec<_> = tables.iter().map(Table::to_json).collect();
                return serde_json::Value::from(tables).to_string();
            }
        };
        each.join("\n")
    }
}
