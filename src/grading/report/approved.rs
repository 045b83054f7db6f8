//! The grades against positions that people vouch for: what the engine makes of solutions, and how far its losses go with
//! the points that a test suite gives to moves.

use std::collections::BTreeMap;

use super::{
    material::{Material, mean, with_interval},
    resampling::LEVEL,
    scores::rate_cells,
};
use crate::{
    grading::{
        grade::{Class, Grade},
        player::PlayerKind,
    },
    stats::correlation::{kendall, pearson},
    survey::analysis::table::{Cell, Table},
};

/// The share of approved moves that are graded Excellent or Good; `None` where the player `solution` did not play.
#[must_use]
pub fn approved(material: &Material<'_>) -> Option<Table> {
    let mut groups: BTreeMap<&str, Vec<&Grade>> = BTreeMap::new();
    let solutions = material
        .contestants
        .iter()
        .filter(|contestant| matches!(contestant.player.kind, PlayerKind::Solution));
    for scored in solutions.flat_map(|contestant| &contestant.answers) {
        let Some(grade) = scored.grade else { continue };
        for theme in scored.at.themes.iter().map(String::as_str).chain(["all"]) {
            groups.entry(theme).or_default().push(grade);
        }
    }
    let mut table = Table {
        caption: "Moves that people vouch for, as the engine grades them".to_owned(),
        head: vec!["Theme".to_owned(), "Moves".to_owned()],
        ..Table::default()
    };
    table.head.extend(with_interval("Excellent or good"));
    table
        .head
        .extend(["The engine's best", "Blunders", "Mean capped loss"].map(str::to_owned));
    for (theme, grades) in groups {
        let count = |test: &dyn Fn(&Grade) -> bool| grades.iter().filter(|grade| test(grade)).count();
        let share = |count: usize| Cell::Number(count as f64 / grades.len() as f64, 3);
        let mut row = vec![Cell::Text(theme.to_owned()), Cell::Count(grades.len())];
        row.extend(rate_cells(count(&|grade| grade.class() <= Class::Good), grades.len()));
        row.push(share(count(&|grade| grade.rank == 1)));
        row.push(share(count(&|grade| grade.class() == Class::Blunder)));
        let losses: Vec<f64> = grades.iter().map(|grade| f64::from(grade.capped_loss())).collect();
        row.push(Cell::number(mean(&losses), 1));
        table.rows.push(row);
    }
    table.notes.push(
        "What the suite says is right: the move with the most points, the best move, a mate, a puzzle's first move. Where the engine \
         calls many of them bad, the grades are at fault or the suite is."
            .to_owned(),
    );
    (!table.rows.is_empty()).then_some(table)
}

/// How the suite's points for moves go with the engine's losses, over all moves of all players that have both; `None` of
/// fewer than three.
#[must_use]
pub fn points_and_losses(material: &Material<'_>) -> Option<Table> {
    let mut both: BTreeMap<(&str, &str), (f64, f64)> = BTreeMap::new();
    for scored in material.contestants.iter().flat_map(|contestant| &contestant.answers) {
        let Some(grade) = scored.grade else { continue };
        if let Some(points) = scored.at.goal.points(&grade.uci) {
            let figures = (f64::from(points), f64::from(grade.capped_loss()));
            both.insert((scored.at.fen.as_str(), grade.uci.as_str()), figures);
        }
    }
    if both.len() < 3 {
        return None;
    }
    let (points, losses): (Vec<f64>, Vec<f64>) = both.values().copied().unzip();
    let tau = kendall(&points, &losses, LEVEL).ok();
    let r = pearson(&points, &losses, LEVEL).ok();
    let mut table = Table {
        caption: "Points of the suite against the engine's capped losses".to_owned(),
        head: [
            "Moves",
            "Kendall's tau",
            "Pearson's r",
            "Loss, 100 points",
            "Loss, 1 to 99",
            "Loss, none",
        ]
        .map(str::to_owned)
        .into(),
        ..Table::default()
    };
    let of = |least: f64, most: f64| {
        let all = both.values().filter(|(points, _)| (least..=most).contains(points));
        Cell::number(mean(&all.map(|(_, loss)| *loss).collect::<Vec<_>>()), 1)
    };
    table.rows.push(vec![
        Cell::Count(both.len()),
        Cell::number(tau.map(|found| found.value), 3),
        Cell::number(r.map(|found| found.value), 3),
        of(100.0, f64::INFINITY),
        of(1.0, 99.0),
        of(0.0, 0.0),
    ]);
    table.notes.push(
        "Each move of a position once, whoever played it. Below zero, more points go with smaller losses.".to_owned(),
    );
    Some(table)
}
