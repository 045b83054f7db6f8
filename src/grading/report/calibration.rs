//! A rating for everybody, from players whose rating is known: by how much their moves lose on the same positions.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    material::{Contestant, Material, Scored},
    resampling::{LEVEL, SEED},
};
use crate::{
    grading::grade::CAP,
    pace::Pace,
    stats::{bootstrap::percentile_interval, slope::slope},
    survey::analysis::table::{Cell, Table},
};

/// Players of known rating that a scale needs.
const ANCHORS: usize = 3;

/// The capped loss of an answer; one that is no legal move loses as much as can be lost.
fn loss(scored: &Scored<'_>) -> Option<f64> {
    match scored.row.is_legal() {
        true => scored.grade.map(|grade| f64::from(grade.capped_loss())),
        false => Some(f64::from(CAP)),
    }
}

/// A contestant's losses on the common positions, in their order.
fn losses(contestant: &Contestant<'_>, common: &BTreeSet<String>) -> Vec<f64> {
    let by_id: BTreeMap<&str, f64> = contestant
        .answers
        .iter()
        .filter_map(|scored| Some((scored.at.id.as_str(), loss(scored)?)))
        .collect();
    common.iter().filter_map(|id| by_id.get(id.as_str()).copied()).collect()
}

/// The rating of each contestant: least squares of the known ratings on the logarithm of the mean capped loss, over the
/// positions that all answered. `None` with fewer than three known ratings, or where their losses do not fall with rating.
pub async fn table(material: &Material<'_>, pace: &impl Pace) -> Option<Table> {
    let mut common: Option<BTreeSet<String>> = None;
    for contestant in &material.contestants {
        let own: BTreeSet<String> = contestant
            .answers
            .iter()
            .filter(|scored| loss(scored).is_some())
            .map(|scored| scored.at.id.clone())
            .collect();
        common = Some(match common {
            Some(known) => known.intersection(&own).cloned().collect(),
            None => own,
        });
    }
    let common = common.filter(|common| common.len() >= 2)?;
    let all: Vec<Vec<f64>> = material
        .contestants
        .iter()
        .map(|contestant| losses(contestant, &common))
        .collect();
    let anchors: Vec<(usize, f64)> = material
        .contestants
        .iter()
        .enumerate()
        .filter_map(|(place, contestant)| Some((place, f64::from(contestant.player.kind.nominal_elo()?))))
        .collect();
    if anchors.len() < ANCHORS {
        return None;
    }
    let known: Vec<f64> = anchors.iter().map(|(_, elo)| *elo).collect();
    let size = |drawn: &[u32], place: usize| {
        let sum: f64 = drawn
            .iter()
            .zip(&all[place])
            .map(|(times, loss)| f64::from(*times) * loss)
            .sum();
        (1.0 + sum / common.len() as f64).ln()
    };
    let rated = |drawn: &[u32], place: usize| {
        let x: Vec<f64> = anchors.iter().map(|(anchor, _)| size(drawn, *anchor)).collect();
        let line = slope(&x, &known, LEVEL).ok()?;
        Some(line.intercept + line.slope * size(drawn, place))
    };
    let once = vec![1; common.len()];
    let sizes: Vec<f64> = anchors.iter().map(|(anchor, _)| size(&once, *anchor)).collect();
    let line = slope(&sizes, &known, LEVEL).ok().filter(|line| line.slope < 0.0)?;
    let (least, most) = sizes
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), size| {
            (least.min(*size), most.max(*size))
        });
    let mut table = Table {
        caption: "Calibrated rating: by the mean capped loss of players of known rating on the same positions"
            .to_owned(),
        head: [
            "Player",
            "Known",
            "Rating",
            "Low",
            "High",
            "Mean capped loss",
            "Outside the scale",
        ]
        .map(str::to_owned)
        .into(),
        ..Table::default()
    };
    for (place, contestant) in material.contestants.iter().enumerate() {
        let interval = percentile_interval(common.len(), SEED, LEVEL, |drawn| rated(drawn, place), pace)
            .await
            .ok();
        let own = size(&once, place);
        table.rows.push(vec![
            Cell::Text(contestant.name.clone()),
            Cell::number(contestant.player.kind.nominal_elo().map(f64::from), 0),
            Cell::number(rated(&once, place), 0),
            Cell::number(interval.map(|interval| interval.low), 0),
            Cell::number(interval.map(|interval| interval.high), 0),
            Cell::Number(own.exp() - 1.0, 1),
            Cell::Text(if own < least || own > most { "yes" } else { "" }.to_owned()),
        ]);
    }
    table.notes.push(format!(
        "Rating = {:.0} {} {:.0} · ln(1 + loss), least squares over {} players of known rating, n = {} positions that all answered. \
         Intervals by drawing positions anew, the scale's own uncertainty with it. An answer that is no legal move counts as a loss \
         of {CAP}. Outside the scale the line is drawn on: read no number there. Known ratings are the engine's own names for its \
         levels, which are no people's.",
        line.intercept,
        if line.slope < 0.0 { "−" } else { "+" },
        line.slope.abs(),
        anchors.len(),
        common.len()
    ));
    Some(table)
}
