//! Do probes name the same concepts as Stockfish 8's own terms? The concepts that a move changes most by the one source
//! against those by the other, with the chance that an order drawn by lot has.
//!
//! **Zeros.** Most of Stockfish 8's terms stay the same in most moves, and a concept that did not change is not among
//! those that changed most. So of a move that changes only k < 5 terms the k are asked for; moves that change none are
//! left out and counted. Equal changes are put in an order drawn by lot. The probes always name five.

use serde::Serialize;

use super::priority::ConceptChange;
use super::{Concept, scores::ConceptScores};
use crate::random::Rng;

/// Concepts that are named.
pub const NAMED: usize = 5;
/// Resamplings of an interval.
const RESAMPLINGS: usize = 2_000;

/// One move by both sources.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// The game that it is from.
    pub game: String,
    /// Stockfish 8's concepts, at most five, none of them unchanged.
    pub wanted: Vec<Concept>,
    /// Five by each rule, most changed first.
    pub named: Vec<Vec<Concept>>,
}

/// A mean with the interval that holds it with 95 % confidence (percentile bootstrap over games).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mean {
    /// The mean, in the unit of what is averaged.
    pub mean: f64,
    /// The interval's ends.
    pub interval: [f64; 2],
}

/// What the comparison found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Overlap {
    /// Moves compared.
    pub moves: usize,
    /// Games that they are from.
    pub games: usize,
    /// Moves left out, since no term changed.
    pub unchanged: usize,
    /// Concepts asked for a move, on average.
    pub wanted: f64,
    /// How much of it each rule names.
    pub rules: Vec<ByRule>,
}

/// How much one rule names of what was asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ByRule {
    /// Which: a rule of priority, or a baseline.
    pub rule: String,
    /// Share of the five that changed most that are among its five.
    pub five: Mean,
    /// Share of moves whose most changed concept is among its five.
    pub first_among_five: Mean,
    /// Share of moves whose most changed concept is its first.
    pub first: Mean,
}

/// The concepts that changed most, at most five; none that did not change. `changes` in any order, `spreads` by which
/// they are divided first, in the order of [`Concept::ALL`].
#[must_use]
pub fn most_changed(changes: &[ConceptChange], spreads: &[f64; 21], rng: &mut Rng) -> Vec<Concept> {
    let mut sized: Vec<(f64, Concept)> = changes
        .iter()
        .map(|change| {
            let spread = spreads[change.concept.index()];
            let size = f64::from(change.change().abs());
            (if spread > 0.0 { size / spread } else { 0.0 }, change.concept)
        })
        .filter(|(size, _)| *size > 0.0)
        .collect();
    // By lot first, so that the stable sort leaves equal ones in that order.
    rng.shuffle(&mut sized);
    sized.sort_by(|a, b| b.0.total_cmp(&a.0));
    sized.into_iter().take(NAMED).map(|(_, concept)| concept).collect()
}

/// Five concepts drawn by lot.
#[must_use]
pub fn drawn(rng: &mut Rng) -> Vec<Concept> {
    let mut all = Concept::ALL;
    rng.shuffle(&mut all);
    all[..NAMED].to_vec()
}

/// The standard deviation of each concept's score.
#[must_use]
pub fn spreads<'a>(scores: impl IntoIterator<Item = &'a ConceptScores>) -> [f64; 21] {
    let mut columns: [Vec<f32>; 21] = std::array::from_fn(|_| Vec::new());
    for scores in scores {
        for (column, (_, score)) in columns.iter_mut().zip(scores.iter()) {
            column.push(score);
        }
    }
    columns.map(|column| super::quality::mean_and_spread(&column).1)
}

impl Overlap {
    /// Compares; `None` when no move changed anything. Moves of one game follow one another. `rules`: what each list of
    /// [`Compared::named`] is by.
    #[must_use]
    pub fn of(all: &[Compared], rules: &[&str], seed: u64) -> Option<Self> {
        let moves: Vec<&Compared> = all.iter().filter(|one| !one.wanted.is_empty()).collect();
        if moves.is_empty() {
            return None;
        }
        let games: Vec<&[&Compared]> = moves.chunk_by(|a, b| a.game == b.game).collect();
        let mean = |value: &dyn Fn(&Compared) -> f64| -> Mean {
            let sums: Vec<(f64, usize)> = games
                .iter()
                .map(|game| (game.iter().map(|one| value(one)).sum(), game.len()))
                .collect();
            interval(&sums, seed)
        };
        let share = |wanted: &[Concept], named: &[Concept]| {
            wanted.iter().filter(|concept| named.contains(concept)).count() as f64 / wanted.len() as f64
        };
        Some(Self {
            moves: moves.len(),
            games: games.len(),
            unchanged: all.len() - moves.len(),
            wanted: moves.iter().map(|one| one.wanted.len()).sum::<usize>() as f64 / moves.len() as f64,
            rules: rules
                .iter()
                .enumerate()
                .map(|(i, rule)| {
                    let named = |one: &Compared| one.named.get(i).cloned().unwrap_or_default();
                    ByRule {
                        rule: (*rule).to_owned(),
                        five: mean(&|one| share(&one.wanted, &named(one))),
                        first_among_five: mean(&|one| share(&one.wanted[..1], &named(one))),
                        first: mean(&|one| share(&one.wanted[..1], named(one).get(..1).unwrap_or_default())),
                    }
                })
                .collect(),
        })
    }
}

/// The mean over all moves, of each game's sum and number of moves.
fn interval(games: &[(f64, usize)], seed: u64) -> Mean {
    let ratio = |(sum, count): (f64, usize)| sum / count.max(1) as f64;
    let add = |a: (f64, usize), b: &(f64, usize)| (a.0 + b.0, a.1 + b.1);
    let mut rng = Rng::new(seed);
    let mut means: Vec<f64> = (0..RESAMPLINGS)
        .map(|_| {
            let drawn = (0..games.len()).map(|_| &games[rng.below(games.len())]);
            ratio(drawn.fold((0.0, 0), add))
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let at = |share: f64| means[((RESAMPLINGS - 1) as f64 * share).round() as usize];
    Mean {
        mean: ratio(games.iter().fold((0.0, 0), add)),
        interval: [at(0.025), at(0.975)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(i: usize, by: f32) -> ConceptChange {
        ConceptChange {
            concept: Concept::ALL[i],
            before: 0.0,
            after: by,
            after_reply: None,
            rank: None,
        }
    }

    #[test]
    fn what_did_not_change_is_not_named_and_equal_changes_are_drawn() {
        let mut changes: Vec<ConceptChange> = (0..21).map(|i| change(i, 0.0)).collect();
        (changes[3], changes[8], changes[9]) = (change(3, -0.2), change(8, 0.1), change(9, 0.1));
        let mut second = std::collections::BTreeMap::new();
        let mut rng = Rng::new(1);
        for _ in 0..200 {
            let most = most_changed(&changes, &[1.0; 21], &mut rng);
            assert_eq!((most.len(), most[0]), (3, Concept::ALL[3]));
            *second.entry(most[1].name()).or_insert(0) += 1;
        }
        assert!(second.len() == 2 && second.values().all(|n| *n > 60), "{second:?}");
        let mut spreads = [1.0; 21];
        spreads[8] = 0.1;
        assert_eq!(most_changed(&changes, &spreads, &mut rng)[0], Concept::ALL[8]);
    }

    #[test]
    fn the_share_is_of_what_was_asked_for() {
        let five = Concept::ALL[..5].to_vec();
        let one = |game: &str, wanted: &[Concept]| Compared {
            game: game.to_owned(),
            wanted: wanted.to_vec(),
            named: vec![five.clone(), Concept::ALL[10..15].to_vec()],
        };
        let all = [
            one("a", &Concept::ALL[..2]),
            one("a", &Concept::ALL[4..6]),
            one("b", &[]),
            one("b", &Concept::ALL[8..10]),
        ];
        let overlap = Overlap::of(&all, &["one", "other"], 1).unwrap();
        let (one, other) = (&overlap.rules[0], &overlap.rules[1]);
        assert_eq!((overlap.moves, overlap.games, overlap.unchanged), (3, 2, 1));
        assert!((one.five.mean - 0.5).abs() < 1e-9 && overlap.wanted == 2.0);
        assert_eq!(one.five.interval, [0.0, 0.75]);
        assert_eq!(other.five.interval, [0.0, 0.0]);
        assert!((one.first_among_five.mean - 2.0 / 3.0).abs() < 1e-9);
        assert!((one.first.mean - 1.0 / 3.0).abs() < 1e-9);
        assert_eq!(Overlap::of(&all[2..3], &["one"], 1), None);
    }

    #[test]
    fn chance_is_five_of_twenty_one() {
        let mut rng = Rng::new(9);
        let all: Vec<Compared> = (0..3000)
            .map(|i| Compared {
                game: (i / 10).to_string(),
                wanted: drawn(&mut rng),
                named: vec![drawn(&mut rng), drawn(&mut rng)],
            })
            .collect();
        let overlap = Overlap::of(&all, &["one", "other"], 1).unwrap();
        for mean in overlap.rules.iter().map(|by| by.five) {
            let [low, high] = mean.interval;
            assert!(
                (mean.mean - 5.0 / 21.0).abs() < 0.015 && low < mean.mean && mean.mean < high,
                "{mean:?}"
            );
            assert!((0.005..0.03).contains(&(high - low)), "{mean:?}");
        }
    }
}
