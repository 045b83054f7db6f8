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

/// A contestant's losses by position.
fn losses<'a>(contestant: &Contestant<'a>) -> BTreeMap<&'a str, f64> {
    let of = |scored: &Scored<'a>| Some((scored.at.id.as_str(), loss(scored)?));
    contestant.answers.iter().filter_map(of).collect()
}

/// The scale over some positions: a contestant's losses and those of the players of known rating, position by position.
struct Scale<'a> {
    known: &'a [f64],
    anchors: Vec<Vec<f64>>,
    own: Vec<f64>,
}

impl Scale<'_> {
    /// The logarithm of the mean of some losses, each counted so many times.
    fn size(losses: &[f64], drawn: &[u32]) -> f64 {
        let sum: f64 = drawn
            .iter()
            .zip(losses)
            .map(|(times, loss)| f64::from(*times) * loss)
            .sum();
        (1.0 + sum / losses.len() as f64).ln()
    }

    fn sizes(&self, drawn: &[u32]) -> Vec<f64> {
        self.anchors.iter().map(|losses| Self::size(losses, drawn)).collect()
    }

    /// The rating on positions drawn anew; the line is drawn anew with them.
    fn rating(&self, drawn: &[u32]) -> Option<f64> {
        let line = slope(&self.sizes(drawn), self.known, LEVEL).ok()?;
        Some(line.intercept + line.slope * Self::size(&self.own, drawn))
    }
}

/// The rating of each contestant: least squares of the known ratings on the logarithm of the mean capped loss, over the
/// positions that it and all players of known rating answered; so one that answered few leaves the others' as they are.
/// `None` with fewer than three known ratings, or where their losses do not fall with rating.
pub async fn table(material: &Material<'_>, pace: &impl Pace) -> Option<Table> {
    let (known, anchors): (Vec<f64>, Vec<BTreeMap<&str, f64>>) = material
        .contestants
        .iter()
        .filter_map(|contestant| Some((f64::from(contestant.player.kind.nominal_elo()?), losses(contestant))))
        .unzip();
    if known.len() < ANCHORS {
        return None;
    }
    let mut common: BTreeSet<&str> = anchors.first()?.keys().copied().collect();
    common.retain(|id| anchors.iter().all(|losses| losses.contains_key(id)));
    let of = |losses: &BTreeMap<&str, f64>, ids: &BTreeSet<&str>| -> Vec<f64> {
        ids.iter().filter_map(|id| losses.get(id).copied()).collect()
    };
    let scale = |own: &BTreeMap<&str, f64>| {
        let ids: BTreeSet<&str> = common.iter().copied().filter(|id| own.contains_key(id)).collect();
        Scale {
            known: &known,
            anchors: anchors.iter().map(|losses| of(losses, &ids)).collect(),
            own: of(own, &ids),
        }
    };
    if common.len() < 2 {
        return None;
    }
    let whole = scale(anchors.first()?);
    let line = slope(&whole.sizes(&vec![1; common.len()]), &known, LEVEL).ok();
    let line = line.filter(|line| line.slope < 0.0)?;
    let mut table = Table {
        caption: "Calibrated rating: by the mean capped loss of players of known rating on the same positions"
            .to_owned(),
        head: [
            "Player",
            "Known",
            "Rating",
            "Low",
            "High",
            "Positions",
            "Mean capped loss",
            "Outside the scale",
        ]
        .map(str::to_owned)
        .into(),
        ..Table::default()
    };
    for contestant in &material.contestants {
        let own = scale(&losses(contestant));
        let n = own.own.len();
        if n < 2 {
            continue;
        }
        let once = vec![1; n];
        let interval = percentile_interval(n, SEED, LEVEL, |drawn| own.rating(drawn), pace)
            .await
            .ok();
        let (sizes, size) = (own.sizes(&once), Scale::size(&own.own, &once));
        let outside = sizes.iter().all(|known| *known < size) || sizes.iter().all(|known| *known > size);
        table.rows.push(vec![
            Cell::Text(contestant.name.clone()),
            Cell::number(contestant.player.kind.nominal_elo().map(f64::from), 0),
            Cell::number(own.rating(&once), 0),
            Cell::number(interval.map(|interval| interval.low), 0),
            Cell::number(interval.map(|interval| interval.high), 0),
            Cell::Count(n),
            Cell::Number(size.exp() - 1.0, 1),
            Cell::Text(if outside { "yes" } else { "" }.to_owned()),
        ]);
    }
    table.notes.push(format!(
        "Rating = {:.0} {} {:.0} · ln(1 + loss), least squares over {} players of known rating, n = {} positions that all of them \
         answered; each other player's is drawn over those of them that it answered. Intervals by drawing positions anew, the \
         scale's own uncertainty with it. An answer that is no legal move counts as a loss of {CAP}. Outside the scale the line is \
         drawn on: read no number there. Known ratings are the engine's own names for its levels, which are no people's.",
        line.intercept,
        if line.slope < 0.0 { "−" } else { "+" },
        line.slope.abs(),
        known.len(),
        common.len()
    ));
    Some(table)
}
