//! Charts of what players know of the board: legal and exact answers, task by task, each with its interval.

use super::{
    figure_chart::{Figure, chart, words},
    rating_charts::{MeansChart, ticks_of_shares},
};
use crate::blindfold::{
    probe::ProbeTask,
    report::PlayerScores,
    scores::{Estimate, Scores},
};

/// The charts, those of legal answers first; a task that nobody was asked has none.
#[must_use]
pub fn share_charts(players: &[PlayerScores]) -> Vec<MeansChart> {
    let legal = ProbeTask::ALL.map(|task| one(players, task, "Legal answers", |scores| scores.legal));
    let exact = ProbeTask::ALL.map(|task| one(players, task, "Exact answers", |scores| scores.exact));
    legal.into_iter().chain(exact).flatten().collect()
}

fn one(
    players: &[PlayerScores],
    task: ProbeTask,
    what: &str,
    of: impl Fn(&Scores) -> Option<Estimate>,
) -> Option<MeansChart> {
    let figures: Vec<Figure> = players
        .iter()
        .filter_map(|player| {
            let estimate = of(player.scores.get(&task)?)?;
            let interval = estimate.interval.ok();
            Some(Figure {
                name: &player.player,
                at: Some(estimate.value),
                interval: interval.map(|ends| (ends.low, ends.high)),
                text: words(&player.player, Some(estimate.value), interval, 3),
            })
        })
        .collect();
    let heading = format!("{what} to {}, shares", task.label());
    let title = format!("{what} to {} by player", task.label());
    (!figures.is_empty()).then(|| chart(heading, title, ticks_of_shares(), figures))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{
        blindfold::grade::Grade,
        pace::{AtOnce, at_once},
    };

    #[test]
    fn tasks_that_were_asked_have_their_charts() {
        let grade = |legal| Grade {
            exact: None,
            legal,
            r_precision: None,
            error: None,
            castling: false,
            unparsable: false,
        };
        let of = |grades: &[Grade]| at_once(Scores::of(grades, &AtOnce));
        let scores = BTreeMap::from([
            (ProbeTask::EndActual, of(&[])),
            (ProbeTask::EndOther, of(&[grade(true), grade(false)])),
        ]);
        let player = PlayerScores {
            player: "small".to_owned(),
            scores,
        };
        let charts = share_charts(&[player]);
        assert_eq!(charts.len(), 1);
        assert!(
            charts[0]
                .summary
                .starts_with("Legal answers to End-Other by player: small 0.500"),
            "{}",
            charts[0].summary
        );
    }
}
