//! Strengths of methods from comparisons two by two: the Bradley-Terry model.

use serde::Serialize;

use super::{Undefined, cholesky::Cholesky};

/// Steps of Newton's method at most. Each at least doubles the digits near the end; fewer than ten do.
const MOST_STEPS: usize = 100;

/// A step below this has found the highest point to all digits that the likelihood can tell apart.
const SMALLEST_STEP: f64 = 1e-11;

/// How often each method won against each other.
///
/// ```
/// use kibitz::stats::bradley_terry::{Prior, WinMatrix};
///
/// let mut wins = WinMatrix::new(2);
/// wins.add_win(0, 1, 2.0);
/// wins.add_tie(0, 1, 2.0);
/// let found = wins.strengths(Prior::None)?; // 3 wins to 1
/// assert!((found.log_strengths[0] - found.log_strengths[1] - 3_f64.ln()).abs() < 1e-9);
/// # Ok::<(), kibitz::stats::Undefined>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct WinMatrix {
    methods: usize,
    /// Row by row: of the winner, in columns of the loser.
    wins: Vec<f64>,
}

/// What is added to what was found, so that strengths are finite. It draws them together, and is said with the figures.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prior {
    /// Nothing: maximum likelihood.
    None,
    /// So many wins each way between each two methods that were compared: 0.5 is half a win.
    WinsEachWay(f64),
}

impl Prior {
    /// The usual prior, half a win each way between each two methods that were compared.
    pub const HALF_A_WIN: Self = Self::WinsEachWay(0.5);

    /// In words, to be said with the figures.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::None => "maximum likelihood".to_owned(),
            Self::WinsEachWay(wins) => {
                format!("maximum likelihood with {wins} wins each way added for each two methods that were compared")
            }
        }
    }
}

/// Strengths by the Bradley-Terry model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Strengths {
    /// The natural logarithms of the strengths, in the methods' order; their mean is 0.
    pub log_strengths: Vec<f64>,
    /// Comparisons, by their weights, without those of the prior.
    pub comparisons: f64,
    /// What was added.
    pub prior: Prior,
}

impl Strengths {
    /// Strengths on a scale like Elo's: 400 points more are odds of ten to one. The mean is 0.
    #[must_use]
    pub fn elo(&self) -> Vec<f64> {
        let points = |log: &f64| 400.0 * log * std::f64::consts::LOG10_E;
        self.log_strengths.iter().map(points).collect()
    }

    /// The chance that one method wins against another, 0..1.
    #[must_use]
    pub fn chance(&self, winner: usize, loser: usize) -> f64 {
        chance(self.log_strengths[winner] - self.log_strengths[loser])
    }
}

impl WinMatrix {
    /// Of so many methods, none of them compared.
    #[must_use]
    pub fn new(methods: usize) -> Self {
        Self {
            methods,
            wins: vec![0.0; methods * methods],
        }
    }

    /// How many methods there are.
    #[must_use]
    pub const fn methods(&self) -> usize {
        self.methods
    }

    /// The wins of one method against another.
    #[must_use]
    pub fn wins(&self, winner: usize, loser: usize) -> f64 {
        self.wins[winner * self.methods + loser]
    }

    /// Adds a win, `weight` times: how often a resample drew the item. A method against itself is no comparison.
    pub fn add_win(&mut self, winner: usize, loser: usize, weight: f64) {
        if winner != loser {
            self.wins[winner * self.methods + loser] += weight;
        }
    }

    /// Adds a tie, `weight` times: half a win for each. The model itself knows no ties (Rao and Kupper, "Ties in
    /// paired-comparison experiments", Journal of the American Statistical Association 62, 1967, has one that does); of
    /// halves it makes strengths whose expected shares of wins and half ties are those that were found.
    pub fn add_tie(&mut self, one: usize, other: usize, weight: f64) {
        self.add_win(one, other, weight / 2.0);
        self.add_win(other, one, weight / 2.0);
    }

    /// Forgets all comparisons: the next resample's are put in.
    pub fn clear(&mut self) {
        self.wins.fill(0.0);
    }

    /// The methods' strengths (Bradley and Terry, "Rank analysis of incomplete block designs", Biometrika 39, 1952): the
    /// chance that i wins against j is strength i / (strength i + strength j). Those of greatest likelihood exist where
    /// each method is reached from each other by way of wins (Ford, "Solution of a ranking problem from binary
    /// comparisons", American Mathematical Monthly 64, 1957), and are the same that the MM algorithm comes to (Hunter, "MM
    /// algorithms for generalized Bradley-Terry models", Annals of Statistics 32, 2004). Here they are found by Newton's
    /// method, halving steps that would go down: MM needs hundreds of rounds where methods are far apart.
    ///
    /// An interval is made of the items that were judged: [`percentile_interval`](super::bootstrap::percentile_interval)
    /// tells how often each was drawn, and that is the weight of its comparisons.
    ///
    /// # Errors
    /// With fewer than two methods; when groups of methods were never compared with each other; when, of what was
    /// compared, some methods won everything against the others, for then no finite strengths fit best: [`Self::tiers`]
    /// says which, and a [`Prior`] makes them finite; when a number of wins is negative or not finite.
    pub fn strengths(&self, prior: Prior) -> Result<Strengths, Undefined> {
        let methods = self.methods;
        if methods < 2 {
            return Err(Undefined::TooFew {
                what: "methods",
                found: methods,
                needed: 2,
            });
        }
        let added = match prior {
            Prior::None => 0.0,
            Prior::WinsEachWay(wins) => wins,
        };
        if self.wins.iter().chain([&added]).any(|wins| !wins.is_finite()) {
            return Err(Undefined::NotFinite);
        }
        if self.wins.iter().chain([&added]).any(|wins| *wins < 0.0) {
            return Err(Undefined::Negative { what: "wins" });
        }
        let with_prior = self.with_prior(added);
        let reached = with_prior.reached(|one, other| with_prior.wins(one, other) > 0.0);
        if reached.contains(&false) {
            let compared = with_prior.reached(|one, other| with_prior.compared(one, other));
            return Err(if compared.contains(&false) {
                Undefined::NotCompared
            } else {
                Undefined::AlwaysWon
            });
        }
        Ok(Strengths {
            log_strengths: with_prior.highest_point()?,
            comparisons: self.wins.iter().sum(),
            prior,
        })
    }

    /// The methods in tiers: those of a tier have won against each other, directly or by way of others, and against a
    /// later tier only won, or were not compared with it. Strengths are finite where there is one tier. Each tier's
    /// methods are in their order; tiers that do not meet are in the order of their first methods.
    #[must_use]
    pub fn tiers(&self) -> Vec<Vec<usize>> {
        let reached = self.reached(|one, other| self.wins(one, other) > 0.0);
        let reaches = |one: usize, other: usize| reached[one * self.methods + other];
        let mut tiers: Vec<Vec<usize>> = Vec::new();
        let mut left: Vec<usize> = (0..self.methods).collect();
        while !left.is_empty() {
            let unbeaten = |one: &usize| left.iter().all(|other| !reaches(*other, *one) || reaches(*one, *other));
            // Of finitely many tiers, which do not win against each other in a circle, one is first.
            let Some(first) = left.iter().copied().find(unbeaten) else {
                break;
            };
            let in_tier = |other: &usize| reaches(first, *other) && reaches(*other, first);
            let (tier, rest) = left.iter().partition(|other| in_tier(other));
            tiers.push(tier);
            left = rest;
        }
        tiers
    }

    fn compared(&self, one: usize, other: usize) -> bool {
        self.wins(one, other) + self.wins(other, one) > 0.0
    }

    fn with_prior(&self, added: f64) -> Self {
        let mut sum = self.clone();
        for one in 0..self.methods {
            for other in 0..self.methods {
                if one != other && self.compared(one, other) {
                    sum.wins[one * self.methods + other] += added;
                }
            }
        }
        sum
    }

    /// Which methods are reached from which, row by row, over steps from one to another; each from itself.
    fn reached(&self, step: impl Fn(usize, usize) -> bool) -> Vec<bool> {
        let methods = self.methods;
        let mut reached: Vec<bool> = (0..methods * methods)
            .map(|place| place / methods == place % methods || step(place / methods, place % methods))
            .collect();
        for middle in 0..methods {
            for one in 0..methods {
                if reached[one * methods + middle] {
                    for other in 0..methods {
                        reached[one * methods + other] |= reached[middle * methods + other];
                    }
                }
            }
        }
        reached
    }

    fn log_likelihood(&self, logs: &[f64]) -> f64 {
        let mut sum = 0.0;
        for one in 0..self.methods {
            for other in 0..self.methods {
                let wins = self.wins(one, other);
                if wins > 0.0 {
                    sum -= wins * (logs[other] - logs[one]).exp().ln_1p();
                }
            }
        }
        sum
    }

    /// Where the likelihood is greatest: Newton's method on the logarithms, whose mean stays 0.
    fn highest_point(&self) -> Result<Vec<f64>, Undefined> {
        let methods = self.methods;
        let mut logs = vec![0.0; methods];
        let mut likelihood = self.log_likelihood(&logs);
        for _ in 0..MOST_STEPS {
            let mut step = self
                .newton_step(&logs)
                .ok_or(Undefined::NotFound { steps: MOST_STEPS })?;
            loop {
                let longest = step.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
                let next: Vec<f64> = logs.iter().zip(&step).map(|(log, part)| log + part).collect();
                let found = self.log_likelihood(&next);
                // Below that the likelihood's own last digits decide nothing.
                if found >= likelihood || longest < 1e-6 {
                    (logs, likelihood) = (next, found);
                    if longest < SMALLEST_STEP {
                        let mean = logs.iter().sum::<f64>() / methods as f64;
                        return Ok(logs.into_iter().map(|log| log - mean).collect());
                    }
                    break;
                }
                step.iter_mut().for_each(|part| *part /= 2.0);
            }
        }
        Err(Undefined::NotFound { steps: MOST_STEPS })
    }

    /// The slope of the log-likelihood by its curvature. `None` where rounding leaves no curvature.
    fn newton_step(&self, logs: &[f64]) -> Option<Vec<f64>> {
        let methods = self.methods;
        let mut slope = vec![0.0; methods];
        let mut curvature = vec![0.0; methods * methods];
        for one in 0..methods {
            for other in 0..one {
                let (won, lost) = (self.wins(one, other), self.wins(other, one));
                let (up, down) = (chance(logs[one] - logs[other]), chance(logs[other] - logs[one]));
                let excess = won * down - lost * up;
                slope[one] += excess;
                slope[other] -= excess;
                let bend = (won + lost) * up * down;
                curvature[one * methods + one] += bend;
                curvature[other * methods + other] += bend;
                curvature[one * methods + other] -= bend;
                curvature[other * methods + one] -= bend;
            }
        }
        // Moving all methods alike changes nothing: a curvature of its own makes that direction's step 0.
        let whole: f64 = (0..methods).map(|place| curvature[place * methods + place]).sum();
        let share = whole / (methods * methods) as f64;
        curvature.iter_mut().for_each(|bend| *bend += share);
        Some(Cholesky::of(curvature, methods)?.solve(slope))
    }
}

/// The chance to win of a method whose log-strength is greater by `ahead`.
fn chance(ahead: f64) -> f64 {
    1.0 / (1.0 + (-ahead).exp())
}
