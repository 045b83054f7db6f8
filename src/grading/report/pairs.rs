//! Two contestants on the same positions.

use std::collections::BTreeMap;

use super::{
    material::{Contestant, Material, Scored, mean, mean_interval},
    resampling::{LEVEL, SEED},
};
use crate::{
    pace::Pace,
    stats::{
        effect::cohen_dz,
        holm::holm,
        paired::{sign_flips_in_turns, signed_rank},
    },
    survey::analysis::table::{Cell, Table, p_value},
};

/// Draws of the permutation test.
const FLIPS: u32 = 10_000;

type Figure = fn(&Scored<'_>) -> Option<f64>;

/// What is compared.
const FIGURES: [(&str, Figure); 3] = [
    ("Score, all", |scored| scored.points()),
    ("Capped loss, both legal", |scored| {
        Some(f64::from(scored.grade?.capped_loss()))
    }),
    ("Solved", |scored| {
        scored.row.solved.map(|right| f64::from(u8::from(right)))
    }),
];

/// Each two contestants' differences, paired by position.
pub async fn table(material: &Material<'_>, pace: &impl Pace) -> Option<Table> {
    let mut table = Table {
        caption: "Two by two, on the positions that both answered: the first less the second".to_owned(),
        head: [
            "First",
            "Second",
            "Of",
            "Positions",
            "Difference",
            "Low",
            "High",
            "p",
            "p (Holm)",
            "p (Wilcoxon)",
            "d_z",
            "Rank-biserial",
        ]
        .map(str::to_owned)
        .into(),
        ..Table::default()
    };
    let mut ps = Vec::new();
    let all = &material.contestants;
    for (place, first) in all.iter().enumerate() {
        for second in &all[place + 1..] {
            for (name, figure) in FIGURES {
                let differences = paired(first, second, figure);
                if differences.is_empty() {
                    continue;
                }
                let interval = mean_interval(&differences, pace).await;
                let flips = sign_flips_in_turns(&differences, FLIPS, SEED, pace).await.ok();
                let ranks = signed_rank(&differences).ok();
                ps.push(flips.map_or(1.0, |flips| flips.p));
                table.rows.push(vec![
                    Cell::Text(first.name.clone()),
                    Cell::Text(second.name.clone()),
                    Cell::Text(name.to_owned()),
                    Cell::Count(differences.len()),
                    Cell::number(mean(&differences), 2),
                    Cell::number(interval.map(|interval| interval.low), 2),
                    Cell::number(interval.map(|interval| interval.high), 2),
                    flips.map_or(Cell::None, |flips| Cell::Text(p_value(flips.p))),
                    Cell::None,
                    ranks.map_or(Cell::None, |ranks| Cell::Text(p_value(ranks.p))),
                    Cell::number(cohen_dz(&differences).ok(), 2),
                    Cell::number(ranks.map(|ranks| ranks.rank_biserial()), 2),
                ]);
            }
        }
    }
    for (row, p) in table.rows.iter_mut().zip(holm(&ps)) {
        row[8] = Cell::Text(p_value(p));
    }
    table.notes.push(format!(
        "Intervals of level {LEVEL} by drawing positions anew; p by {FLIPS} sign flips, then Holm's over the table, and by Wilcoxon's \
         signed ranks."
    ));
    (!table.rows.is_empty()).then_some(table)
}

/// The differences of a figure on the positions where both have it.
fn paired(first: &Contestant<'_>, second: &Contestant<'_>, figure: Figure) -> Vec<f64> {
    let key = |scored: &Scored<'_>| (scored.at.fen.clone(), scored.at.id.clone());
    let known: BTreeMap<_, f64> = second
        .answers
        .iter()
        .filter_map(|scored| Some((key(scored), figure(scored)?)))
        .collect();
    first
        .answers
        .iter()
        .filter_map(|scored| Some(figure(scored)? - known.get(&key(scored))?))
        .collect()
}
