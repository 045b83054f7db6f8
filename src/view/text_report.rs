//! The report on a game as plain text.

use super::game_report::{GameReport, Note};

/// The longest line, in characters.
const WIDTH: usize = 79;

/// Writes the report.
#[must_use]
pub fn text_report(report: &GameReport) -> String {
    let mut out = wrapped(&report.title, 0);
    out += &"=".repeat(report.title.chars().count().min(WIDTH));
    out += "\n\n";
    for (name, value) in &report.details {
        out += &wrapped(&format!("{name}: {value}"), 0);
    }
    out += &wrapped(&format!("{}.", report.source), 0);
    if let Some(story) = &report.story {
        out += &format!("\n{}\n", wrapped(story, 0));
    }
    out += &wrapped(&report.graph.summary, 0);
    out += &format!("\n{:<16}{:>8}{:>8}\n", "", "White", "Black");
    for row in &report.tallies {
        out += &format!("{:<16}{:>8}{:>8}\n", row.what, row.white, row.black);
    }
    out += &heading("Moves");
    let words: Vec<String> = report
        .moves
        .iter()
        .flat_map(|mv| {
            let comment = (!mv.comment.is_empty()).then(|| format!("[{}]", mv.comment));
            let variations = (!mv.variations.is_empty()).then(|| mv.variations.clone());
            [
                mv.number.clone(),
                Some(format!("{}{}", mv.san, mv.mark)),
                comment,
                variations,
            ]
        })
        .flatten()
        .collect();
    out += &wrapped(&words.join(" "), 0);
    if !report.notes.is_empty() {
        out += &heading(report.notes_title);
    }
    let notes: Vec<String> = report.notes.iter().map(note).collect();
    out += &notes.join("\n");
    out
}

fn heading(title: &str) -> String {
    format!("\n{title}\n{}\n\n", "-".repeat(title.len()))
}

fn note(note: &Note) -> String {
    let mut out = wrapped(&format!("{}{} ({})", note.label, note.mark, note.called), 0);
    if let Some(reason) = &note.reason {
        out += &wrapped(reason, 2);
    }
    out += &wrapped(&note.prose, 2);
    if let Some(provenance) = &note.provenance {
        out += &wrapped(provenance, 2);
    }
    out += &wrapped(&note.chances, 2);
    if let Some(better) = &note.better {
        out += &wrapped(&format!("The engine’s line: {better}"), 2);
    }
    out
}

/// The text in lines of up to [`WIDTH`] characters, each indented. Control characters become spaces: a terminal would
/// obey them.
fn wrapped(text: &str, indent: usize) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mut out = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            out.push('\n');
            column = 0;
        }
        if column == 0 {
            out += &" ".repeat(indent);
            column = indent;
        } else {
            out.push(' ');
            column += 1;
        }
        out += word;
        column += width;
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}
