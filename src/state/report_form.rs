//! What the report of a run is saved as.

use crate::survey::analysis::table::Table;

/// What the report of a run is saved as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportForm {
    /// For programs: all digits.
    Csv,
    /// For people.
    Markdown,
    /// For papers.
    Latex,
    /// For programs: one array of tables.
    Json,
}

impl ReportForm {
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

    /// The name of a file that is the report of `what`, and its media type.
    #[must_use]
    pub fn file(self, what: &str) -> (String, &'static str) {
        let (ending, media_type) = match self {
            Self::Csv => ("csv", "text/csv"),
            Self::Markdown => ("md", "text/markdown"),
            Self::Latex => ("tex", "application/x-tex"),
            Self::Json => ("json", "application/json"),
        };
        (format!("{what}-report.{ending}"), media_type)
    }

    /// The tables in this form.
    #[must_use]
    pub fn write(self, tables: &[Table]) -> String {
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
