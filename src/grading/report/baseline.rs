//! Answers beside the moves that were played in the games: the suite's own baseline, graded by `lab grade --baseline` or
//! because the player `played` was there.

use super::material::{Material, mean, mean_cells, with_interval};
use crate::{
    grading::player::PlayerKind,
    pace::Pace,
    survey::analysis::table::{Cell, Table},
};

/// Each contestant's capped losses against those of the game's moves on the same positions; `None` where none of those is
/// graded.
pub async fn table(material: &Material<'_>, pace: &impl Pace) -> Option<Table> {
    let mut table = Table {
        caption: "Against the moves that were played in the games: capped losses on the same positions".to_owned(),
        head: ["Player", "Positions", "Its loss", "The game's loss"]
            .map(str::to_owned)
            .into(),
        ..Table::default()
    };
    table.head.extend(with_interval("Difference"));
    table.head.push("The same move".to_owned());
    for contestant in &material.contestants {
        if matches!(contestant.player.kind, PlayerKind::Played) {
            continue;
        }
        let (mut own, mut games, mut same) = (Vec::new(), Vec::new(), 0);
        for scored in &contestant.answers {
            let (Some(grade), Some(played)) = (scored.grade, scored.at.played.as_ref()) else {
                continue;
            };
            let key = (scored.at.fen.clone(), scored.at.moves.clone(), played.clone());
            let Some(baseline) = material.grades.get(&key) else {
                continue;
            };
            own.push(f64::from(grade.capped_loss()));
            games.push(f64::from(baseline.capped_loss()));
            same += usize::from(grade.uci == *played);
        }
        if own.is_empty() {
            continue;
        }
        let differences: Vec<f64> = own.iter().zip(&games).map(|(own, game)| own - game).collect();
        let mut row = vec![
            Cell::Text(contestant.name.clone()),
            Cell::Count(own.len()),
            Cell::number(mean(&own), 1),
            Cell::number(mean(&games), 1),
        ];
        row.extend(mean_cells(&differences, 1, pace).await);
        row.push(Cell::Number(same as f64 / own.len() as f64, 3));
        table.rows.push(row);
    }
    table
        .notes
        .push("Legal answers only. Below zero, the player lost less than whoever played the game.".to_owned());
    (!table.rows.is_empty()).then_some(table)
}
