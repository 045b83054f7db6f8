//! The concepts beside the 21 and the strategic themes, in `lab probe`.

use std::{error::Error, path::PathBuf};

use kibitz::{
    commentary::theme_facts::{ThemeRow, theme_rows},
    concepts::{
        extra_fit::{self, ExtraLabels, ExtraRow, Figures},
        extra_labels::BestMove,
        strategic_theme::read_suite,
    },
};

use super::{probe_data::PositionFile, setup::read_text};

/// What is reported beside the 21 concepts.
#[derive(Debug, Default, clap::Args)]
pub struct ExtraArgs {
    /// Leave forks, pins, mates and so on out: the 21 concepts alone.
    #[arg(long)]
    pub without_extra: bool,
    /// The Strategic Test Suite: its themes are listed with the facts that speak of them.
    #[arg(long, value_name = "FILE.epd")]
    pub themes: Option<PathBuf>,
}

impl ExtraArgs {
    /// The extra concepts' labels; none where they are to be left out.
    pub fn labels(&self, file: &PositionFile) -> Vec<ExtraLabels> {
        if self.without_extra {
            return Vec::new();
        }
        let both = file.positions.iter().zip(&file.records);
        extra_fit::label(both.map(|(position, record)| (position, BestMove::of(record, position))))
    }

    /// The lines on the themes; none where no suite is named.
    pub fn themes(&self) -> Result<Vec<ThemeRow>, Box<dyn Error>> {
        let Some(path) = &self.themes else {
            return Ok(Vec::new());
        };
        let text = read_text(path, "--themes")?;
        let suite = read_suite(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(theme_rows(&suite))
    }
}

/// Prints the concepts; nothing where there are none.
pub fn print_concepts(rows: &[ExtraRow]) {
    if rows.is_empty() {
        return;
    }
    outln!("\nBeside the 21, in the mover's frame: as many positions with the concept as without it\n");
    outln!(
        "{:<24} {:>8} {:>9} {:>7} {:>6} {:>6} {:>6} {:>6}  layer, C",
        "",
        "accuracy",
        "precision",
        "recall",
        "AUC",
        "have %",
        "test",
        "n"
    );
    for row in rows {
        let have = row.frequency.map_or_else(dash, |share| format!("{:.1}", share * 100.0));
        match &row.figures {
            Figures::Probe {
                accuracy,
                precision,
                recall,
                auc,
                layer,
                c,
                n,
                test,
            } => outln!(
                "{:<24} {accuracy:>8.4} {precision:>9.4} {recall:>7.4} {:>6} {have:>6} {test:>6} {n:>6}  {layer}, {c:.0e}",
                row.concept,
                auc.map_or_else(dash, |auc| format!("{auc:.3}")),
            ),
            Figures::None { reason } => outln!("{:<24} {reason}; {have} % have it", row.concept),
        }
    }
}

/// Prints the themes; nothing where there are none.
pub fn print_themes(rows: &[ThemeRow]) {
    if rows.is_empty() {
        return;
    }
    outln!("\nThemes of the Strategic Test Suite: how often the facts of the best move speak of its theme\n");
    for row in rows {
        let percent = |share: Option<f64>| share.map_or_else(dash, |share| format!("{:.0} %", share * 100.0));
        let probe = row.probe.as_deref().unwrap_or("enough labels for a probe");
        match row.says {
            Some(says) => outln!(
                "{:<46} {probe}; fact ({}): {says}: {}, else {}",
                row.theme,
                row.facts.join(", "),
                percent(row.share),
                percent(row.share_elsewhere),
            ),
            None => outln!("{:<46} {probe}; no fact", row.theme),
        }
    }
}

fn dash() -> String {
    "–".to_owned()
}
