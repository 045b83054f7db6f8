//! How players stand: points, what pairs scored against each other, ratings.

use super::{
    fixture_game::Ending,
    run_file::{GameRow, Outcome, Tournament},
};
use crate::stats::{
    Undefined,
    bayes_elo::{Colours, GameResult, Ratings, Results},
};

/// Draws that each player is taken to have played before: BayesElo's default.
pub const PRIOR_DRAWS: f64 = 2.0;

/// Wins, draws and losses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Score {
    /// Games won.
    pub won: usize,
    /// Games drawn.
    pub drawn: usize,
    /// Games lost.
    pub lost: usize,
}

impl Score {
    /// How many games.
    #[must_use]
    pub const fn games(self) -> usize {
        self.won + self.drawn + self.lost
    }

    /// A point for a win, half of one for a draw.
    #[must_use]
    pub fn points(self) -> f64 {
        self.won as f64 + self.drawn as f64 / 2.0
    }

    fn add(&mut self, result: GameResult, own: GameResult) {
        match result {
            GameResult::Draw => self.drawn += 1,
            winner if winner == own => self.won += 1,
            _ => self.lost += 1,
        }
    }
}

/// How players stand after the games that are over.
#[derive(Debug, Clone, PartialEq)]
pub struct Standings {
    /// Places of the players, the highest rated first; by points where there are no ratings.
    pub order: Vec<usize>,
    /// Of each player against each other, row by row.
    pub crosstable: Vec<Vec<Score>>,
    /// With White and with Black, of each player.
    pub by_colour: Vec<[Score; 2]>,
    /// Ratings by BayesElo's model, advantage and draws fitted where there are both wins and draws and the games say enough, and
    /// else as BayesElo has them.
    pub ratings: Result<Ratings, Undefined>,
    /// How many games ended in which way.
    pub endings: Vec<(Ending, usize)>,
    /// Half-moves of all games.
    pub plies: usize,
}

impl Standings {
    /// Of a tournament's games that are over. Intervals are of `level`.
    #[must_use]
    pub fn of(tournament: &Tournament, level: f64) -> Self {
        let players = tournament.header.contestants.len();
        let mut crosstable = vec![vec![Score::default(); players]; players];
        let mut by_colour = vec![[Score::default(); 2]; players];
        let mut results = Results::new(players);
        let mut counts = [0; Ending::ALL.len()];
        let (mut plies, mut drawn, mut decided) = (0, false, false);
        for row in tournament.games() {
            let GameRow { fixture, outcome, .. } = row;
            let Outcome::Played {
                result, ending, moves, ..
            } = outcome
            else {
                continue;
            };
            let (white, black) = (fixture.white, fixture.black);
            crosstable[white][black].add(*result, GameResult::White);
            crosstable[black][white].add(*result, GameResult::Black);
            by_colour[white][0].add(*result, GameResult::White);
            by_colour[black][1].add(*result, GameResult::Black);
            results.add(white, black, *result, 1.0);
            plies += moves.split_whitespace().count();
            match *result {
                GameResult::Draw => drawn = true,
                _ => decided = true,
            }
            if let Some(place) = Ending::ALL.iter().position(|own| own == ending) {
                counts[place] += 1;
            }
        }
        let given = || results.ratings(Colours::BAYES_ELO, PRIOR_DRAWS, level);
        let ratings = match drawn && decided {
            // Few games may be explained ever better by ever larger numbers.
            true => results
                .ratings(Colours::Fitted, PRIOR_DRAWS, level)
                .or_else(|_| given()),
            false => given(),
        };
        let points = |player: usize| crosstable[player].iter().map(|score| score.points()).sum::<f64>();
        let strength = |player: usize| match &ratings {
            Ok(ratings) => ratings.players[player].elo,
            Err(_) => points(player),
        };
        let mut order: Vec<usize> = (0..players).collect();
        order.sort_by(|a, b| strength(*b).total_cmp(&strength(*a)));
        Self {
            order,
            endings: Ending::ALL
                .into_iter()
                .zip(counts)
                .filter(|(_, count)| *count > 0)
                .collect(),
            crosstable,
            by_colour,
            ratings,
            plies,
        }
    }

    /// All that a player scored.
    #[must_use]
    pub fn total(&self, player: usize) -> Score {
        let mut sum = Score::default();
        for score in &self.crosstable[player] {
            sum.won += score.won;
            sum.drawn += score.drawn;
            sum.lost += score.lost;
        }
        sum
    }
}
