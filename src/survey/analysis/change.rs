//! What leaving raters out changes: every figure of the tables that people are shown, before and after.

use super::{
    Report,
    layout::{MARKED, with_interval},
    means::WORDS,
    table::{Cell, Table, rounded},
};

/// A figure that changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// What it is: "mean", "significance", "Fleiss' κ".
    pub figure: &'static str,
    /// Of what: the method and the criterion, or the criterion.
    pub of: String,
    /// With everybody.
    pub before: String,
    /// Without those left out.
    pub after: String,
    /// Whether a conclusion changes with it: a comparison is marked that was not, or the other way round.
    pub conclusion: bool,
}

/// The figures that differ to the last digit shown between two reports of the same ratings, conclusions first.
#[must_use]
pub fn changes(before: &Report, after: &Report) -> Vec<Change> {
    let mut found = Vec::new();
    let mut add = |figure, of: String, before: String, after: String, conclusion| {
        if before != after {
            found.push(Change {
                figure,
                of,
                before,
                after,
                conclusion,
            });
        }
    };
    for row in &before.comparisons {
        let same = |other: &&super::means::Comparison| other.method == row.method && other.criterion == row.criterion;
        let marked = |p: Option<f64>| match p {
            Some(p) if p < MARKED => format!("p < {MARKED}"),
            Some(_) => format!("p ≥ {MARKED}"),
            None => "no p-value".to_owned(),
        };
        let other = after.comparisons.iter().find(same).and_then(|row| row.p_holm);
        if row.criterion != WORDS {
            let of = format!("{} against {}, {}", row.method, row.baseline, row.criterion);
            add("significance", of, marked(row.p_holm), marked(other), true);
        }
    }
    let shown = |row: Option<&super::means::MeanRow>| {
        row.and_then(|row| Some(with_interval(row.mean?, row.low.zip(row.high), 2)))
            .unwrap_or_else(|| "–".to_owned())
    };
    for row in &before.means {
        let same = |other: &&super::means::MeanRow| other.method == row.method && other.criterion == row.criterion;
        let of = format!("{}, {}", row.method, row.criterion);
        add(
            "mean",
            of,
            shown(Some(row)),
            shown(after.means.iter().find(same)),
            false,
        );
    }
    let figure = |value: Option<f64>, decimals| value.map_or_else(|| "–".to_owned(), |v| rounded(v, decimals));
    for row in &before.errors {
        let same = |other: &&super::errors::ErrorRow| other.method == row.method && other.kind == row.kind;
        let other = after.errors.iter().find(same).and_then(|row| row.rate);
        let of = format!("{}, {}", row.method, row.label);
        add("error rate", of, figure(row.rate, 2), figure(other, 2), false);
    }
    for row in &before.agreement {
        let other = after.agreement.iter().find(|other| other.criterion == row.criterion);
        for (name, get) in FIGURES {
            let after = figure(other.and_then(get), 3);
            add(name, row.criterion.clone(), figure(get(row), 3), after, false);
        }
    }
    found.sort_by_key(|change| !change.conclusion);
    found
}

type Figure = (&'static str, fn(&super::agreement::AgreementRow) -> Option<f64>);

const FIGURES: [Figure; 3] = [
    ("Fleiss' κ", |row| row.fleiss_kappa),
    ("Krippendorff's α", |row| row.krippendorff_alpha),
    ("ICC(2,k)", |row| row.icc2k),
];

/// The changes as a table.
#[must_use]
pub fn table(before: &Report, after: &Report) -> Table {
    let changes = changes(before, after);
    let out: Vec<String> = after
        .excluded
        .iter()
        .map(|excluded| format!("{} ({})", excluded.rater, excluded.reason))
        .collect();
    let conclusions = changes.iter().filter(|change| change.conclusion).count();
    let mut notes = vec![format!("Left out: {}.", out.join(", "))];
    notes.push(match (changes.len(), conclusions) {
        (0, _) => "No figure changes to the last digit shown.".to_owned(),
        (_, 0) => format!("No comparison crosses p = {MARKED}."),
        (_, 1) => format!("One comparison crosses p = {MARKED}."),
        (_, many) => format!("{many} comparisons cross p = {MARKED}."),
    });
    let row = |change: Change| {
        vec![
            Cell::from(change.figure),
            Cell::Text(change.of),
            Cell::Text(change.before),
            Cell::Text(change.after),
        ]
    };
    let simulated = before.simulated_words().map_or_else(String::new, |words| words + " ");
    Table {
        caption: format!(
            "{simulated}What changes without {} of {} raters.",
            after.excluded.len(),
            after.raters.len()
        ),
        head: ["figure", "of", "with all", "without"].map(str::to_owned).to_vec(),
        rows: changes.into_iter().map(row).collect(),
        notes,
    }
}
