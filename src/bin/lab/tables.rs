//! How tables are printed.

use std::error::Error;

use clap::ValueEnum;
use kibitz::survey::analysis::table::Table;

/// The form of tables.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Format {
    /// Aligned columns.
    Text,
    /// Markdown.
    Markdown,
    /// LaTeX.
    Latex,
    /// CSV, with all digits.
    Csv,
    /// One JSON array of tables, with all digits.
    Json,
}

/// Prints tables on standard output.
pub fn print(tables: &[Table], format: Format) -> Result<(), Box<dyn Error>> {
    if matches!(format, Format::Json) {
        let tables: Vec<_> = tables.iter().map(Table::to_json).collect();
        outln!("{}", serde_json::to_string_pretty(&tables)?);
        return Ok(());
    }
    for table in tables {
        let text = match format {
            Format::Text => table.to_text(),
            Format::Markdown => table.to_markdown(),
            Format::Latex => table.to_latex(),
            Format::Csv | Format::Json => format!("# {}\n{}", table.caption, table.to_csv()),
        };
        outln!("{text}");
    }
    Ok(())
}
