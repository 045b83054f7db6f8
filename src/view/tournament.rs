//! A tournament's ratings as a chart to draw: each player's with its interval. It stands beside its tables, and has a summary in words.

use super::{
    figure_chart::{Figure, chart, words},
    rating_charts::{MeansChart, across},
};
use crate::{
    stats::{Interval, bayes_elo::Rating},
    survey::analysis::table::rounded,
    tournament::{run_file::Tournament, standings::Standings},
};

/// Points between two ticks, of which the first is taken that needs few.
const STEPS: [f64; 9] = [50.0, 100.0, 200.0, 500.0, 1e3, 2e3, 5e3, 1e4, 1e5];

/// The most ticks between the first and the last.
const MOST_STEPS: f64 = 5.0;

/// The players by their ratings, the highest first; `None` where there are no ratings yet.
#[must_use]
pub fn ratings_chart(tournament: &Tournament, standings: &Standings) -> Option<MeansChart> {
    let ratings = standings.ratings.as_ref().ok()?;
    let axis = Axis::of(&ratings.players);
    let figures = standings.order.iter().filter_map(|&player| {
        let name = &tournament.header.contestants.get(player)?.name;
        let Rating { elo, low, high } = *ratings.players.get(player)?;
        Some(Figure {
            name,
            at: Some(axis.share(elo)),
            interval: Some((axis.share(low), axis.share(high))),
            text: words(name, Some(elo), Some(Interval { low, high }), 0),
        })
    });
    Some(chart(
        "Elo within this tournament, mean 0".to_owned(),
        "Ratings by player".to_owned(),
        axis.ticks(),
        figures.collect(),
    ))
}

/// From where to where ratings are drawn, and how far apart ticks are.
struct Axis {
    from: f64,
    steps: f64,
    step: f64,
}

impl Axis {
    fn of(ratings: &[Rating]) -> Self {
        let low = ratings.iter().map(|rating| rating.low).fold(0.0, f64::min);
        let high = ratings.iter().map(|rating| rating.high).fold(0.0, f64::max);
        let fits = |step: &&f64| (high - low) / **step <= MOST_STEPS;
        let step = STEPS.iter().find(fits).copied().unwrap_or((high - low) / MOST_STEPS);
        let from = (low / step).floor() * step;
        Self {
            from,
            steps: ((high - from) / step).ceil().max(1.0),
            step,
        }
    }

    fn share(&self, points: f64) -> f64 {
        (points - self.from) / (self.steps * self.step)
    }

    fn ticks(&self) -> Vec<(f64, String)> {
        let mut ticks = Vec::new();
        let mut number = 0.0;
        while number <= self.steps {
            let points = self.step.mul_add(number, self.from);
            ticks.push((across(self.share(points)), rounded(points, 0)));
            number += 1.0;
        }
        ticks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        stats::bayes_elo::GameResult,
        tournament::{
            contestant::{Contestant, Way},
            fixture_game::Ending,
            report::LEVEL,
            run_file::{GameRow, Outcome, SCHEMA, TournamentHeader},
        },
    };

    fn tournament() -> Tournament {
        let contestants = ["strong", "weak"].map(|name| Contestant {
            name: name.to_owned(),
            way: Way::Random,
        });
        Tournament::new(TournamentHeader {
            schema: SCHEMA,
            program: "test".to_owned(),
            contestants: contestants.to_vec(),
            openings: 8,
            seed: 1,
            adjudication: None,
            engine: None,
        })
        .unwrap()
    }

    #[test]
    fn a_tournament_that_has_begun_has_a_chart() {
        let mut tournament = tournament();
        assert_eq!(ratings_chart(&tournament, &Standings::of(&tournament, LEVEL)), None);
        for fixture in tournament.schedule().to_vec() {
            let result = match (fixture.white, fixture.opening % 4) {
                (_, 0) => GameResult::Draw,
                (0, _) => GameResult::White,
                _ => GameResult::Black,
            };
            let outcome = Outcome::Played {
                result,
                ending: Ending::Adjudicated,
                moves: "e2e4".to_owned(),
                book: 0,
            };
            tournament.add(GameRow {
                fixture,
                outcome,
                millis: 0,
                tokens: None,
            });
        }
        let chart = ratings_chart(&tournament, &Standings::of(&tournament, LEVEL)).unwrap();
        let [strong, weak] = &chart.marks[..] else {
            panic!("{chart:?}");
        };
        assert_eq!((strong.method.as_str(), weak.method.as_str()), ("strong", "weak"));
        assert!(strong.x > weak.x);
        let (low, high) = strong.interval.unwrap();
        assert!(low < strong.x.unwrap() && strong.x.unwrap() < high);
        assert!(
            chart.summary.starts_with("Ratings by player: strong "),
            "{}",
            chart.summary
        );
        assert!((2..=7).contains(&chart.ticks.len()), "{:?}", chart.ticks);
        assert!(chart.ticks.iter().any(|(_, words)| words == "0"), "{:?}", chart.ticks);
    }

    #[test]
    fn ticks_stand_around_all_that_is_drawn() {
        for (low, high) in [(-3.0, 3.0), (-1_234.0, 2_345.0), (-80.0, 410.0), (0.0, 0.0)] {
            let axis = Axis::of(&[Rating { elo: 0.0, low, high }]);
            let ends = [axis.share(low), axis.share(high)];
            assert!(ends.iter().all(|end| (0.0..=1.0).contains(end)), "{ends:?}");
            assert!((2..=7).contains(&axis.ticks().len()), "{low} {high}");
        }
    }
}
