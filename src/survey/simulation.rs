//! Raters of chance: to try a study's analysis before people are asked, and to see how many are needed.
//!
//! A rating comes from a share of the scale, 0..1: the middle, plus the method's effect, plus what the position, the
//! comment and the rater's strictness add by chance, plus noise; it is the nearest point of the scale. The same seed
//! gives the same ratings, and more raters leave the first ones as they were.

use std::{collections::BTreeMap, f64::consts::TAU};

use serde::Serialize;

use super::{
    assignment::{PageKind, assign_slot},
    criteria::Criterion,
    foreign_text::clipped,
    long_form::Rating,
    preset::paper,
    rater_code::SIMULATED_CODE,
    study::{Item, MethodComment, PLANTED, Study},
    time::rfc3339,
};
use crate::{
    pace::{AtOnce, Pace, at_once},
    random::{Rng, seeded_hash},
    stats::{
        paired::signed_rank,
        rate::{Rate, wilson},
    },
};

/// When the first page is answered: 2026-01-05 09:00 UTC, in milliseconds since 1970.
const START: u64 = 1_767_603_600_000;
/// The median time for a page, in milliseconds, and the standard deviation of its logarithm.
const PACE: (f64, f64) = (40_000.0, 0.4);
/// How often a kind of error is ticked where kinds are asked for.
const TICKED: f64 = 0.4;

/// Standard deviations of what chance adds to a rating, as shares of the scale.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// Of positions: some are easier to comment on for all methods.
    pub position: f64,
    /// Of comments: a method does better on one position than on another.
    pub comment: f64,
    /// Of raters: some are stricter with everything.
    pub rater: f64,
    /// Of the single rating.
    pub noise: f64,
}

impl Default for Spread {
    fn default() -> Self {
        Self {
            position: 0.08,
            comment: 0.12,
            rater: 0.08,
            noise: 0.2,
        }
    }
}

/// Raters of chance for a study.
#[derive(Debug, Clone, PartialEq)]
pub struct Simulation {
    /// How many raters are simulated.
    pub raters: usize,
    /// Of these the last so many answer at random, and fast.
    pub careless: usize,
    /// By how much a method is rated above the middle of the scale, as a share of it; methods not named by 0.
    pub effects: BTreeMap<String, f64>,
    /// What chance adds.
    pub spread: Spread,
    /// The seed.
    pub seed: u64,
}

/// Why a list of effects cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EffectsError {
    /// It is not written as a list of effects.
    #[error(
        "“{0}” is no effect: write the method, an equals sign and a share of the scale from -1 to 1, as in ours=0.1"
    )]
    Shape(String),
    /// A method is there twice.
    #[error("the method {0} is there twice")]
    Twice(String),
    /// There is nothing to compare.
    #[error("name at least two methods")]
    TooFew,
}

/// Reads effects such as `baseline=0, ours=0.1`, in their order; at least two.
///
/// # Errors
/// When it is no such list.
pub fn read_effects(text: &str) -> Result<Vec<(String, f64)>, EffectsError> {
    let mut effects: Vec<(String, f64)> = Vec::new();
    for part in text
        .split([',', ';', '\n'])
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        let shape = || EffectsError::Shape(clipped(part));
        let (method, share) = part.rsplit_once('=').ok_or_else(shape)?;
        let (method, share) = (method.trim(), share.trim().replace('−', "-"));
        let share: f64 = share.parse().map_err(|_| shape())?;
        if method.is_empty() || !(-1.0..=1.0).contains(&share) {
            return Err(shape());
        }
        if effects.iter().any(|(known, _)| known == method) {
            return Err(EffectsError::Twice(clipped(method)));
        }
        effects.push((method.to_owned(), share));
    }
    if effects.len() < 2 {
        return Err(EffectsError::TooFew);
    }
    Ok(effects)
}

/// Chance with a normal distribution.
struct Chance(Rng);

impl Chance {
    fn new(seed: u64, of: &str) -> Self {
        Self(Rng::new(seeded_hash(seed, of)))
    }

    /// Above 0 and at most 1.
    fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    /// Standard normal (Box and Muller, "A note on the generation of random normal deviates", 1958).
    fn normal(&mut self) -> f64 {
        let length = (-2.0 * self.uniform().ln()).sqrt();
        length * (TAU * self.uniform()).cos()
    }

    /// A point of a scale, from 1, each as often.
    fn point(&mut self, points: usize) -> u8 {
        self.0.below(points) as u8 + 1
    }
}

/// The point, from 1, nearest to a share of the scale.
fn point(share: f64, points: usize) -> u8 {
    let steps = points as f64 - 1.0;
    (share * steps).round().clamp(0.0, steps) as u8 + 1
}

/// The ratings of raters named `sim-001` and on, in the order in which each gives them, checks included.
#[must_use]
pub fn simulate(study: &Study, how: &Simulation) -> Vec<Rating> {
    at_once(simulate_in_turns(study, how, &AtOnce))
}

/// [`simulate`], with turns for others.
pub async fn simulate_in_turns(study: &Study, how: &Simulation, pace: &impl Pace) -> Vec<Rating> {
    let quality = qualities(study, how);
    let mut rows = Vec::new();
    for number in 0..how.raters {
        let rater = format!("{SIMULATED_CODE}{:03}", number + 1);
        let mut chance = Chance::new(how.seed, &rater);
        let strictness = how.spread.rater * chance.normal();
        let careless = number + how.careless >= how.raters;
        let mut clock = START;
        // Simulated raters come with slots, one after another, where the study has any.
        let slot = (!study.options.allocation.is_none()).then_some(number as u64 + 1);
        for page in assign_slot(study, &rater, slot) {
            pace.turn().await;
            let pace = PACE.0 * (PACE.1 * chance.normal()).exp();
            let active = if careless {
                800.0 + 1_200.0 * chance.uniform()
            } else {
                pace
            };
            clock += active as u64;
            let (position, method, share) = match page.kind {
                PageKind::Comment(item, comment) => {
                    let method = study.items[item].comments[comment].method.as_str();
                    (study.items[item].id.as_str(), method, Some(quality[item][comment]))
                }
                PageKind::Repeat(item, comment) => {
                    (study.items[item].id.as_str(), PLANTED, Some(quality[item][comment]))
                }
                PageKind::Planted(check) => (study.checks.planted[check].id.as_str(), PLANTED, None),
            };
            let mut row = |criterion: &str, value: String| {
                rows.push(Rating {
                    study: study.id.clone(),
                    rater: rater.clone(),
                    item: page.id.clone(),
                    position: position.to_owned(),
                    method: method.to_owned(),
                    criterion: criterion.to_owned(),
                    value,
                    active_ms: Some(active as u64),
                    answered_at: Some(rfc3339(clock)),
                });
            };
            for criterion in &study.criteria {
                let points = study.points(&criterion.id).unwrap_or(2);
                let expected = match page.kind {
                    PageKind::Planted(check) => {
                        let expected = study.checks.planted[check].expected.iter();
                        expected
                            .filter(|e| e.criterion == criterion.id)
                            .find_map(|e| e.values.first().copied())
                    }
                    _ => None,
                };
                let noise = how.spread.noise * chance.normal();
                let value = match (careless, expected, share) {
                    (false, Some(expected), _) => expected,
                    (false, None, Some(share)) => point(share + strictness + noise, points),
                    _ => chance.point(points),
                };
                row(&criterion.id, value.to_string());
                for (follow_up, kind) in ticks(criterion, value, &mut chance) {
                    row(&follow_up, kind);
                }
            }
        }
    }
    rows
}

/// How good each comment is, as a share of the scale.
fn qualities(study: &Study, how: &Simulation) -> Vec<Vec<f64>> {
    let of_item = |item: &Item| {
        let easy = how.spread.position * Chance::new(how.seed, &item.id).normal();
        let of_comment = |comment: &MethodComment| {
            let mut chance = Chance::new(how.seed, &format!("{}/{}", item.id, comment.method));
            let effect = how.effects.get(&comment.method).copied().unwrap_or(0.0);
            0.5 + effect + easy + how.spread.comment * chance.normal()
        };
        item.comments.iter().map(of_comment).collect()
    };
    study.items.iter().map(of_item).collect()
}

/// The kinds ticked after a rating, with the question's name.
fn ticks(criterion: &Criterion, value: u8, chance: &mut Chance) -> Vec<(String, String)> {
    let Some(asked) = criterion.follow_up.as_ref().filter(|asked| asked.when.contains(&value)) else {
        return Vec::new();
    };
    let mut ticked: Vec<&str> = asked
        .kinds
        .iter()
        .filter(|_| chance.uniform() <= TICKED)
        .map(|kind| kind.id.as_str())
        .collect();
    if ticked.is_empty() && asked.required.contains(&value) && !asked.kinds.is_empty() {
        ticked.push(&asked.kinds[chance.0.below(asked.kinds.len())].id);
    }
    ticked
        .into_iter()
        .map(|kind| (asked.id.clone(), kind.to_owned()))
        .collect()
}

/// A study with the paper's criteria and comments of made-up words, for trying raters of chance on: all moves are the
/// same. It is not for people.
#[must_use]
pub fn made_up_study(positions: usize, methods: &[String], seed: u64) -> Study {
    const WORDS: [&str; 16] = [
        "White",
        "Black",
        "attacks",
        "defends",
        "the",
        "king",
        "queen",
        "rook",
        "bishop",
        "knight",
        "pawn",
        "centre",
        "and",
        "threatens",
        "wins",
        "loses",
    ];
    let text = |name: &str| {
        let mut chance = Chance::new(seed, name);
        let length = 6 + chance.0.below(24);
        let words: Vec<&str> = (0..length).map(|_| WORDS[chance.0.below(WORDS.len())]).collect();
        format!("{}.", words.join(" "))
    };
    let comment = |position: &str, method: &String| MethodComment {
        method: method.clone(),
        text: text(&format!("words {position}/{method}")),
        scores: BTreeMap::new(),
        marks: Vec::new(),
        decoys: Vec::new(),
    };
    let mut study = paper("made-up", "A study of chance");
    study.items = (1..=positions)
        .map(|number| {
            let id = format!("p{number:03}");
            Item {
                fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
                mv: "e4".to_owned(),
                reference: Some(text(&format!("reference {id}"))),
                comments: methods.iter().map(|method| comment(&id, method)).collect(),
                id,
            }
        })
        .collect();
    study
}

/// Two methods, one of which is rated higher, and how a study would look for it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Effect {
    /// By how much it is rated higher, as a share of the scale.
    pub difference: f64,
    /// Positions in the study.
    pub positions: usize,
    /// Points of the scale.
    pub points: usize,
    /// What chance adds.
    pub spread: Spread,
    /// The p-value below which the difference counts as found. For one of m comparisons by Holm's method, 0.05 / m is
    /// on the safe side.
    pub alpha: f64,
    /// Studies that are simulated.
    pub runs: usize,
    /// The seed.
    pub seed: u64,
}

/// How many raters find an effect.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Needed {
    /// The fewest raters with the power wanted; `None` when not even the most that were tried have it. More positions
    /// may then do what more raters can't.
    pub raters: Option<usize>,
    /// What was tried: raters, and the share of simulated studies that found the effect.
    pub tried: Vec<(usize, Rate)>,
}

impl Effect {
    /// The share of simulated studies with so many raters in which the signed-rank test over positions finds the
    /// difference, with the interval that as many runs allow. With a difference of 0, the share of false alarms.
    #[must_use]
    pub fn power(&self, raters: usize) -> Option<Rate> {
        at_once(self.power_in_turns(raters, &AtOnce))
    }

    /// [`Self::power`], with turns for others.
    pub async fn power_in_turns(&self, raters: usize, pace: &impl Pace) -> Option<Rate> {
        let mut found = 0;
        for run in 0..self.runs {
            found += usize::from(self.found(run, raters, pace).await);
        }
        wilson(found, self.runs, 0.95).ok()
    }

    /// The fewest raters with a power of at least `power`, of at most `most`: by doubling, then by halving what is left.
    #[must_use]
    pub fn raters_needed(&self, power: f64, most: usize) -> Needed {
        at_once(self.raters_needed_in_turns(power, most, |_| (), &AtOnce))
    }

    /// [`Self::raters_needed`], with turns for others; `heard` is told what was tried so far.
    pub async fn raters_needed_in_turns(
        &self,
        power: f64,
        most: usize,
        mut heard: impl FnMut(&BTreeMap<usize, Rate>),
        pace: &impl Pace,
    ) -> Needed {
        let mut tried: BTreeMap<usize, Rate> = BTreeMap::new();
        // The fewest that are enough are more than `below`, and at most `above` once that is known.
        let (mut below, mut above, mut next) = (0, None, 1.min(most));
        while next > 0 {
            let rate = self.power_in_turns(next, pace).await;
            tried.extend(rate.map(|rate| (next, rate)));
            heard(&tried);
            if rate.is_some_and(|rate| rate.rate >= power) {
                above = Some(next);
            } else {
                below = next;
            }
            next = match above {
                Some(above) if above - below > 1 => usize::midpoint(below, above),
                None if below < most => (2 * below).min(most),
                _ => 0,
            };
        }
        Needed {
            raters: above,
            tried: tried.into_iter().collect(),
        }
    }

    /// Whether one simulated study finds the difference.
    async fn found(&self, run: usize, raters: usize, pace: &impl Pace) -> bool {
        let differences = self.differences(run, raters, pace).await;
        signed_rank(&differences).is_ok_and(|test| test.p < self.alpha)
    }

    /// The differences of the positions in one simulated study.
    async fn differences(&self, run: usize, raters: usize, pace: &impl Pace) -> Vec<f64> {
        let Spread {
            position,
            comment,
            rater,
            noise,
        } = self.spread;
        // A run's raters keep their strictness when there are more of them.
        let mut chance = Chance::new(self.seed, &format!("raters of {run}"));
        let strictness: Vec<f64> = (0..raters).map(|_| rater * chance.normal()).collect();
        let mut chance = Chance::new(self.seed, &format!("ratings of {run} by {raters}"));
        let mut differences = Vec::with_capacity(self.positions);
        for _ in 0..self.positions {
            pace.turn().await;
            let easy = 0.5 + position * chance.normal();
            let mut sum = 0;
            let half = self.difference / 2.0;
            let (one, other) = (
                easy + half + comment * chance.normal(),
                easy - half + comment * chance.normal(),
            );
            for strict in &strictness {
                sum += i64::from(point(one + strict + noise * chance.normal(), self.points));
                sum -= i64::from(point(other + strict + noise * chance.normal(), self.points));
            }
            differences.push(sum as f64);
        }
        differences
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::rater_code::is_simulated;

    #[test]
    fn effects_are_read_or_refused_by_name() {
        let read = read_effects("baseline = 0, ours=0.1;\n theirs=−0.05");
        let expected = [("baseline", 0.0), ("ours", 0.1), ("theirs", -0.05)];
        assert_eq!(
            read,
            Ok(expected.map(|(name, share)| (name.to_owned(), share)).to_vec())
        );
        assert_eq!(read_effects("ours=0.1"), Err(EffectsError::TooFew));
        assert_eq!(read_effects("a=0, a=1"), Err(EffectsError::Twice("a".into())));
        for bad in ["a=0, b", "a=0, =1", "a=0, b=2", "a=0, b=NaN", "a=0, b=x"] {
            assert!(matches!(read_effects(bad), Err(EffectsError::Shape(_))), "{bad}");
        }
    }

    #[test]
    fn simulated_raters_are_known_by_their_codes() {
        assert!(is_simulated("sim-001") && is_simulated("sim-1234"));
        for rater in ["sim-1", "sim-", "R1", "sim-00a", "asim-001"] {
            assert!(!is_simulated(rater), "{rater}");
        }
        let raters = simulate(
            &made_up_study(1, &["a".into(), "b".into()], 1),
            &Simulation {
                raters: 3,
                careless: 1,
                effects: BTreeMap::new(),
                spread: Spread::default(),
                seed: 1,
            },
        );
        assert!(raters.iter().all(|row| is_simulated(&row.rater)));
    }
}
