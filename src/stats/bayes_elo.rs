//! Ratings of players from their games: BayesElo's model, which knows draws and the advantage of the first move.

use serde::Serialize;

use super::{
    Undefined,
    bradley_terry::{Prior, WinMatrix},
    cholesky::Cholesky,
    distributions::normal_quantile,
};

/// Steps of Newton's method at most; fewer than twenty do.
const MOST_STEPS: usize = 200;
/// A step below this has found the highest point to all digits that the likelihood can tell apart.
const SMALLEST_STEP: f64 = 1e-11;
/// Advantage or draws worth more than so many points are on their way to infinity: no game of these players told of an end.
const FARTHEST: f64 = 3_000.0;
/// Points of rating for a factor of e in the odds: 400 are odds of ten to one.
const POINTS: f64 = 400.0 * std::f64::consts::LOG10_E;

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameResult {
    /// White won.
    White,
    /// Nobody won.
    Draw,
    /// Black won.
    Black,
}

/// The results of games between players: who had White and who Black, and how they ended.
///
/// ```
/// use kibitz::stats::bayes_elo::{Colours, GameResult, Results};
///
/// let mut results = Results::new(2);
/// results.add(0, 1, GameResult::White, 3.0);
/// results.add(1, 0, GameResult::Draw, 2.0);
/// let found = results.ratings(Colours::BAYES_ELO, 2.0, 0.95)?;
/// assert!(found.players[0].elo > found.players[1].elo);
/// # Ok::<(), kibitz::stats::Undefined>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    players: usize,
    /// Of White in rows and Black in columns: games that White won, that were drawn, that Black won.
    games: Vec<[f64; 3]>,
}

/// What the first move is worth and how often equals draw, in points of rating.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Colours {
    /// As given.
    Given {
        /// White plays as if so many points stronger.
        advantage: f64,
        /// A game between equals is drawn with chance (D − 1)/(D + 1), where D = 10^(draw/400).
        draw: f64,
    },
    /// Both as the games say, together with the ratings.
    Fitted,
}

impl Colours {
    /// BayesElo's own values, which its author found in games of 29,610 players.
    pub const BAYES_ELO: Self = Self::Given {
        advantage: 32.8,
        draw: 97.3,
    };
}

/// A player's rating.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rating {
    /// Points; 400 more are odds of ten to one where nobody draws. Their mean over the players is 0, or as anchored.
    pub elo: f64,
    /// The interval's lower end.
    pub low: f64,
    /// The interval's upper end.
    pub high: f64,
}

/// Ratings that explain results best.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// In the players' order.
    pub players: Vec<Rating>,
    /// Where advantage and draws are from.
    pub colours: Colours,
    /// What White is worth, in points.
    pub advantage: f64,
    /// See [`Colours::Given`].
    pub draw: f64,
    /// Games, by their weights, without those of the prior.
    pub games: f64,
    /// The ratings' variances and covariances in points², row by row; only their differences mean something.
    covariance: Vec<f64>,
    width: f64,
}

impl Ratings {
    /// The same ratings on a scale where this player has so many points; intervals are then of the distance from it.
    #[must_use]
    pub fn anchored(&self, player: usize, points: f64) -> Vec<Rating> {
        let n = self.players.len();
        let at = |one: usize, other: usize| self.covariance[one * n + other];
        let shift = points - self.players[player].elo;
        (0..n)
            .map(|one| {
                let variance = 2.0f64.mul_add(-at(one, player), at(one, one) + at(player, player));
                Rating::around(self.players[one].elo + shift, variance, self.width)
            })
            .collect()
    }

    /// The share of points that one player is expected to score against another, both colours alike, 0..1.
    #[must_use]
    pub fn expected_score(&self, player: usize, opponent: usize) -> f64 {
        let ahead = self.players[player].elo - self.players[opponent].elo;
        let as_white = chances(ahead + self.advantage, self.draw);
        let as_black = chances(-ahead + self.advantage, self.draw);
        f64::midpoint(as_white[0] + as_white[1] / 2.0, as_black[2] + as_black[1] / 2.0)
    }
}

impl Rating {
    fn around(elo: f64, variance: f64, width: f64) -> Self {
        let half = width * variance.max(0.0).sqrt();
        Self {
            elo,
            low: elo - half,
            high: elo + half,
        }
    }
}

/// The chances that White wins, that the game is drawn and that Black wins, where White is ahead by so many points, its
/// advantage among them.
#[must_use]
pub fn chances(ahead: f64, draw: f64) -> [f64; 3] {
    let [white, black] = [ahead - draw, -ahead - draw].map(|points| logistic(points / POINTS));
    [white, (1.0 - white - black).max(0.0), black]
}

impl Results {
    /// Of so many players who have not played.
    #[must_use]
    pub fn new(players: usize) -> Self {
        Self {
            players,
            games: vec![[0.0; 3]; players * players],
        }
    }

    /// Adds a game, `weight` times: how often a resample drew it. Against oneself is no game.
    pub fn add(&mut self, white: usize, black: usize, result: GameResult, weight: f64) {
        if white != black {
            self.games[white * self.players + black][result as usize] += weight;
        }
    }

    /// Games of one with White against another that White won, that were drawn, that Black won.
    #[must_use]
    pub fn of(&self, white: usize, black: usize) -> [f64; 3] {
        self.games[white * self.players + black]
    }

    fn between(&self, one: usize, other: usize) -> f64 {
        self.of(one, other).iter().chain(&self.of(other, one)).sum()
    }

    /// The players' ratings (Coulom, BayesElo, 2005): White's log-odds to win are those of the rating's difference and the
    /// advantage, less what draws take from either side. Its likelihood is that of Rao and Kupper ("Ties in paired-comparison
    /// experiments", Journal of the American Statistical Association 62, 1967); ratings, and with [`Colours::Fitted`] advantage
    /// and draws as well, are where it is greatest. As in BayesElo the prior is draws: each player has played so many more
    /// (BayesElo's default is 2), against those that it met and as often as it met them, half of them with either colour.
    ///
    /// Intervals of `level` come from the likelihood's curvature; of few games they are too narrow, since a result is no bell
    /// curve.
    ///
    /// # Errors
    /// With fewer than two players; when groups of players have never met, or without a prior some won everything against the
    /// others; when colours are fitted to games that are all drawn; when a number is negative or not finite.
    pub fn ratings(&self, colours: Colours, prior_draws: f64, level: f64) -> Result<Ratings, Undefined> {
        let numbers = || self.games.iter().flatten().chain([&prior_draws]);
        if numbers().any(|number| !number.is_finite()) {
            return Err(Undefined::NotFinite);
        }
        if numbers().any(|number| *number < 0.0) {
            return Err(Undefined::Negative { what: "games" });
        }
        if let Colours::Given { advantage, draw } = colours {
            if !advantage.is_finite() || !draw.is_finite() {
                return Err(Undefined::NotFinite);
            }
            // Without draws in the model, those that were played have no likelihood.
            if draw <= 0.0 {
                return Err(Undefined::Negative {
                    what: "points for draws",
                });
            }
        }
        let with_prior = self.with_prior(prior_draws);
        // Without draws and colours first: says whether there are ratings at all, and is near them.
        let start = with_prior.win_matrix().strengths(Prior::None)?;
        let decided = |[white, _, black]: &[f64; 3]| white + black > 0.0;
        if colours == Colours::Fitted && !self.games.iter().any(decided) {
            return Err(Undefined::AllSame { what: "results" });
        }
        let found = with_prior.highest_point(&start.log_strengths, colours)?;
        let n = self.players;
        let mean = found.logs.iter().sum::<f64>() / n as f64;
        let width = normal_quantile(f64::midpoint(1.0, level));
        let parameters = found.parameters;
        let covariance: Vec<f64> = (0..n * n)
            .map(|place| found.inverse[(place / n) * parameters + place % n] * POINTS * POINTS)
            .collect();
        let from_mean: Vec<f64> = (0..n)
            .map(|row| covariance[row * n..(row + 1) * n].iter().sum::<f64>() / n as f64)
            .collect();
        let whole = from_mean.iter().sum::<f64>() / n as f64;
        let players = (0..n).map(|player| {
            let variance = 2.0f64.mul_add(-from_mean[player], covariance[player * n + player] + whole);
            Rating::around((found.logs[player] - mean) * POINTS, variance, width)
        });
        Ok(Ratings {
            players: players.collect(),
            colours,
            advantage: found.advantage * POINTS,
            draw: found.draw * POINTS,
            games: self.games.iter().flatten().sum(),
            covariance,
            width,
        })
    }

    fn with_prior(&self, draws: f64) -> Self {
        let mut sum = self.clone();
        for one in 0..self.players {
            let met: f64 = (0..self.players).map(|other| self.between(one, other)).sum();
            for other in 0..self.players {
                let share = self.between(one, other) / met;
                if share > 0.0 {
                    // A quarter with either colour: the opponent's own draws against this one are the other half.
                    for (white, black) in [(one, other), (other, one)] {
                        sum.add(white, black, GameResult::Draw, draws * share / 4.0);
                    }
                }
            }
        }
        sum
    }

    fn win_matrix(&self) -> WinMatrix {
        let mut matrix = WinMatrix::new(self.players);
        for white in 0..self.players {
            for black in 0..self.players {
                let [won, drawn, lost] = self.of(white, black);
                matrix.add_win(white, black, won);
                matrix.add_tie(white, black, drawn);
                matrix.add_win(black, white, lost);
            }
        }
        matrix
    }

    fn pairings(&self) -> impl Iterator<Item = (usize, usize, [f64; 3])> {
        let n = self.players;
        let played = self.games.iter().enumerate();
        played.filter_map(move |(place, games)| {
            (games.iter().sum::<f64>() > 0.0).then_some((place / n, place % n, *games))
        })
    }

    fn log_likelihood(&self, point: &[f64]) -> f64 {
        let (logs, advantage, draw) = (&point[..self.players], point[self.players], point[self.players + 1]);
        let mut sum = 0.0;
        for (white, black, [won, drawn, lost]) in self.pairings() {
            let ahead = logs[white] - logs[black] + advantage;
            // P(draw) = (D² − 1) P(White) P(Black).
            sum += (won + drawn) * log_logistic(ahead - draw) + (lost + drawn) * log_logistic(-ahead - draw);
            if drawn > 0.0 {
                sum += drawn * (2.0 * draw).exp_m1().ln();
            }
        }
        sum
    }

    /// Newton's method on natural logarithms, halving steps that would go down. The likelihood is concave in all of them.
    fn highest_point(&self, start: &[f64], colours: Colours) -> Result<HighestPoint, Undefined> {
        let n = self.players;
        let fitted = colours == Colours::Fitted;
        let (advantage, draw) = match colours {
            Colours::Given { advantage, draw } => (advantage, draw),
            Colours::Fitted => (0.0, 100.0),
        };
        let mut point = [start, &[advantage / POINTS, draw / POINTS]].concat();
        let parameters = if fitted { n + 2 } else { n };
        let mut likelihood = self.log_likelihood(&point);
        let not_found = Undefined::NotFound { steps: MOST_STEPS };
        for _ in 0..MOST_STEPS {
            let (slope, curvature) = self.derivatives(&point, parameters);
            let cholesky = Cholesky::of(curvature, parameters).ok_or(not_found)?;
            let mut step = cholesky.solve(slope);
            loop {
                let longest = step.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
                let mut next = point.clone();
                next.iter_mut().zip(&step).for_each(|(value, part)| *value += part);
                let found = self.log_likelihood(&next);
                // Where draws would be worth less than nothing there is no likelihood.
                if next[n + 1] > 0.0 && (found >= likelihood || longest < 1e-6) {
                    (point, likelihood) = (next, found);
                    if fitted && point[n].abs().max(point[n + 1]) * POINTS > FARTHEST {
                        return Err(not_found);
                    }
                    if longest < SMALLEST_STEP {
                        return Ok(HighestPoint {
                            inverse: cholesky.inverse(),
                            parameters,
                            advantage: point[n],
                            draw: point[n + 1],
                            logs: point[..n].to_vec(),
                        });
                    }
                    break;
                }
                step.iter_mut().for_each(|part| *part /= 2.0);
                if longest == 0.0 {
                    return Err(not_found);
                }
            }
        }
        Err(not_found)
    }

    /// The log-likelihood's slope and the negative of its curvature, of ratings and, if there are so many parameters, of
    /// advantage and draws.
    fn derivatives(&self, point: &[f64], parameters: usize) -> (Vec<f64>, Vec<f64>) {
        let n = self.players;
        let draw = point[n + 1];
        let mut slope = vec![0.0; parameters];
        let mut curvature = vec![0.0; parameters * parameters];
        for (white, black, [won, drawn, lost]) in self.pairings() {
            let ahead = point[white] - point[black] + point[n];
            for (count, sign) in [(won + drawn, 1.0), (lost + drawn, -1.0)] {
                let chance = logistic(sign * ahead - draw);
                let (rise, bend) = (count * (1.0 - chance), count * chance * (1.0 - chance));
                let direction = [(white, sign), (black, -sign), (n, sign), (n + 1, -1.0)];
                let within = |&(place, _): &(usize, f64)| place < parameters;
                for (one, by) in direction.into_iter().filter(within) {
                    slope[one] += rise * by;
                    for (other, by_other) in direction.into_iter().filter(within) {
                        curvature[one * parameters + other] += bend * by * by_other;
                    }
                }
            }
            if parameters > n {
                // Of ln(e^(2 draw) − 1).
                let rest = -(-2.0 * draw).exp_m1();
                slope[n + 1] += drawn * 2.0 / rest;
                curvature[(n + 1) * parameters + n + 1] += drawn * 4.0 * (1.0 - rest) / (rest * rest);
            }
        }
        // Moving all ratings alike changes nothing: a curvature of its own makes that direction's step 0.
        let whole: f64 = (0..n).map(|place| curvature[place * parameters + place]).sum();
        let share = whole / (n * n) as f64;
        for one in 0..n {
            for other in 0..n {
                curvature[one * parameters + other] += share;
            }
        }
        (slope, curvature)
    }
}

/// Where the likelihood is greatest, in natural logarithms.
struct HighestPoint {
    logs: Vec<f64>,
    advantage: f64,
    draw: f64,
    parameters: usize,
    /// The inverse of the negative curvature there.
    inverse: Vec<f64>,
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn log_logistic(x: f64) -> f64 {
    -(-x).exp().ln_1p()
}
