//! Tables 3, 6 and 9 and figure 2, which compare models that were trained in several ways: the paper's figures, and beside them the
//! models of these runs that belong there.

use super::{
    super::{
        probe::ProbeTask,
        run_file::{BlindPlayer, BlindPlayerKind},
        scores::Estimate,
    },
    answers::Answers,
    paper::{ATTENTION, PERPLEXITY, SIZES},
};
use crate::survey::analysis::table::{Cell, Table};

/// Said where no player of the runs belongs into a table.
const NOT_MEASURED: &str = "not measured in this run";

/// Table 3: perplexities, which a run of questions does not have.
#[must_use]
pub fn perplexity_table() -> Table {
    let row = |(name, dev, test): &(&str, f64, f64)| {
        vec![
            Cell::from(*name),
            Cell::from(NOT_MEASURED),
            Cell::Number(*dev, 1),
            Cell::Number(*test, 1),
        ]
    };
    Table {
        caption: "Canonical perplexity (table 3)".to_owned(),
        head: ["Model", "Here", "Dev set (paper)", "Test set (paper)"].map(str::to_owned).to_vec(),
        rows: PERPLEXITY.iter().map(row).collect(),
        notes: vec![
            "A run asks questions and foresees no games: `lab blindfold perplexity` has models foresee some. Figure 2, perplexity \
             by the probability of RAP, is in docs/blindfold.md; the paper has a plot of it and no numbers."
                .to_owned(),
        ],
    }
}

/// Table 6: other architectures than full attention.
#[must_use]
pub fn attention_table(answers: &[Answers]) -> Table {
    let belongs = |player: &BlindPlayer| match &player.kind {
        BlindPlayerKind::Model { kind, window, .. } => Some(match window {
            Some(window) => format!("{kind}, window {window}"),
            None => kind.clone(),
        }),
        BlindPlayerKind::Scripted { .. } | BlindPlayerKind::Asked { .. } | BlindPlayerKind::Scored { .. } => None,
    };
    let note = "Reformer and Performer are not built here: the paper finds neither clearly better than a window of 50, but for \
                Performer with Train-M. Its rows of Performer and of window 50 with Train-L are the same, which may be a slip.";
    table(
        answers,
        "Where pieces may go, by what a model attends to (table 6)",
        &ATTENTION,
        note,
        belongs,
    )
}

/// Table 9: models by size.
#[must_use]
pub fn sizes_table(answers: &[Answers]) -> Table {
    let belongs = |player: &BlindPlayer| match &player.kind {
        BlindPlayerKind::Model {
            layers, heads, width, ..
        } => Some(format!("{layers} layers, {heads} heads, width {width}")),
        BlindPlayerKind::Scripted { .. } | BlindPlayerKind::Asked { .. } | BlindPlayerKind::Scored { .. } => None,
    };
    let note = "GPT2-small has 12 layers, 12 heads and a width of 768, GPT2-intermediate 16, 12 and 768, GPT2-medium 24, 16 and 1,024.";
    table(
        answers,
        "Where pieces may go, by a model's size (table 9)",
        &SIZES,
        note,
        belongs,
    )
}

fn table(
    answers: &[Answers],
    caption: &str,
    paper: &[(&str, [f64; 5])],
    note: &str,
    belongs: impl Fn(&BlindPlayer) -> Option<String>,
) -> Table {
    let share = |estimate: Option<Estimate>| Cell::number(estimate.map(|estimate| 100.0 * estimate.value), 1);
    let mut rows = Vec::new();
    for own in answers {
        let Some(what) = belongs(own.who) else { continue };
        let [actual, other] = [ProbeTask::EndActual, ProbeTask::EndOther].map(|task| &own.scores[&task]);
        let mut row = vec![
            Cell::from(own.player),
            Cell::Text(what),
            Cell::Count(actual.answers.max(other.answers)),
        ];
        row.extend(
            [
                actual.legal,
                actual.r_precision,
                other.legal,
                other.r_precision,
                actual.exact,
            ]
            .map(share),
        );
        rows.push(row);
    }
    if rows.is_empty() {
        let mut row = vec![Cell::from("This run"), Cell::from(NOT_MEASURED), Cell::Count(0)];
        row.extend(vec![Cell::None; 5]);
        rows.push(row);
    }
    for (name, figures) in paper {
        let mut row = vec![Cell::Text(format!("{name} (paper)")), Cell::None, Cell::Count(1000)];
        row.extend(figures.map(|figure| Cell::Number(figure, 1)));
        rows.push(row);
    }
    let head = [
        "Model",
        "What it is",
        "Questions",
        "LgM Actual",
        "R-prec. Actual",
        "LgM Other",
        "R-prec. Other",
        "ExM",
    ];
    Table {
        caption: caption.to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows,
        notes: vec![note.to_owned()],
    }
}
