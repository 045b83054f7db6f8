//! What probes of changes learn: from the changes of Stockfish 8's terms to numbers that a line can follow.

use shakmaty::Color;

use super::super::fitting::in_frame;
use super::super::quality::mean_and_spread;
use super::super::{Concept, ConceptScores, overlap::NAMED};
use super::probe::COUNT;

/// Sizes of changes above this many spreads count as this many: beyond it a change is large, and that is all.
const LARGEST_SIZE: f32 = 2.0;

/// What a move changed of each term, in pawns, in the **mover's frame**: a side's term in its own view, totals in the
/// mover's; White stands for the mover.
#[must_use]
pub fn change(before: &ConceptScores, after: &ConceptScores, mover: Color) -> [f32; COUNT] {
    let (before, after) = (in_frame(before, mover), in_frame(after, mover));
    // The terms are printed in hundredths: binary fractions add nothing to the difference.
    Concept::ALL.map(|concept| ((after.get(concept) - before.get(concept)) * 1000.0).round() / 1000.0 + 0.0)
}

/// What changes are measured by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Units {
    /// Deviation of each term's changes that are not 0, in pawns; 1 where none is.
    pub units: [f64; COUNT],
    /// Standard deviation of each term over positions, in pawns; the mean of ours and theirs, for whose they are depends
    /// on who is to move. 1 where it does not vary.
    pub spreads: [f64; COUNT],
}

impl Units {
    /// Of the pairs that are learnt from, and of the scores of the positions before their moves in the mover's frame.
    #[must_use]
    pub fn of(changes: &[[f32; COUNT]], before: &[[f32; COUNT]]) -> Self {
        let or_one = |x: f64| if x > 0.0 { x } else { 1.0 };
        let units = std::array::from_fn(|i| {
            let own: Vec<f32> = changes.iter().map(|change| change[i]).filter(|&x| x != 0.0).collect();
            or_one(mean_and_spread(&own).1)
        });
        let alone: [f64; COUNT] =
            std::array::from_fn(|i| mean_and_spread(&before.iter().map(|scores| scores[i]).collect::<Vec<_>>()).1);
        let spreads = Concept::ALL.map(|concept| {
            let both = alone[concept.index()] + alone[concept.mirrored().index()];
            or_one(both / 2.0)
        });
        Self { units, spreads }
    }

    /// The signed roots of changes over their units: what change heads learn.
    #[must_use]
    pub fn roots(&self, change: &[f32; COUNT]) -> [f32; COUNT] {
        std::array::from_fn(|i| {
            let in_units = change[i] / self.units[i] as f32;
            in_units.abs().sqrt().copysign(in_units)
        })
    }

    /// Sizes of changes in spreads.
    #[must_use]
    pub fn sizes(&self, change: &[f32; COUNT]) -> [f32; COUNT] {
        std::array::from_fn(|i| change[i].abs() / self.spreads[i] as f32)
    }

    /// What rank heads learn: 1 for the five that changed most (none that did not change), and the root of the size.
    #[must_use]
    pub fn ranks(&self, change: &[f32; COUNT]) -> [f32; COUNT] {
        let sizes = self.sizes(change);
        let most = most_changed(&sizes);
        std::array::from_fn(|i| f32::from(u8::from(most.contains(&i))) + sizes[i].min(LARGEST_SIZE).sqrt())
    }
}

/// The numbers of the concepts that changed most, at most five, none that did not change; equal ones in the order of
/// Table 6.
#[must_use]
pub fn most_changed(sizes: &[f32; COUNT]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..COUNT).filter(|&i| sizes[i] > 0.0).collect();
    order.sort_by(|&a, &b| sizes[b].total_cmp(&sizes[a]));
    order.truncate(NAMED);
    order
}

/// How often each concept is among the five, most often first.
#[must_use]
pub fn usual(changes: &[[f32; COUNT]], units: &Units) -> Vec<u8> {
    let mut counts = [0_usize; COUNT];
    for change in changes {
        for i in most_changed(&units.sizes(change)) {
            counts[i] += 1;
        }
    }
    let mut order: Vec<u8> = (0..COUNT as u8).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(counts[usize::from(i)]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_the_movers() {
        let scores = |set: &[(usize, f32)]| {
            let mut raw = [0.0; COUNT];
            for &(i, value) in set {
                raw[i] = value;
            }
            ConceptScores::new(raw)
        };
        // Material, White's view; White's and Black's knights.
        let (before, after) = (
            scores(&[(0, 1.0), (3, 0.25)]),
            scores(&[(0, -0.5), (3, 0.25), (4, 0.1)]),
        );
        let white = change(&before, &after, Color::White);
        assert_eq!((white[0], white[3], white[4]), (-1.5, 0.0, 0.1));
        let black = change(&before, &after, Color::Black);
        assert_eq!((black[0], black[3], black[4]), (1.5, 0.1, 0.0));
    }

    #[test]
    fn what_is_learnt_follows_from_the_changes() {
        let mut changes = vec![[0.0; COUNT]; 4];
        (changes[0][2], changes[1][2], changes[2][2]) = (4.0, -4.0, 0.5);
        (changes[0][5], changes[0][7]) = (0.1, 9.0);
        let before = [[1.0; COUNT], [-1.0; COUNT]];
        let units = Units::of(&changes, &before);
        assert_eq!((units.units[0], units.spreads[0]), (1.0, 1.0));
        let roots = units.roots(&changes[1]);
        assert!((f64::from(roots[2]) + (4.0 / units.units[2]).sqrt()).abs() < 1e-6 && roots[0] == 0.0);
        assert_eq!(most_changed(&units.sizes(&changes[0])), [7, 2, 5]);
        let ranks = units.ranks(&changes[0]);
        assert!((ranks[7] - 1.0 - 2f32.sqrt()).abs() < 1e-6 && (ranks[5] - 1.0 - 0.1f32.sqrt()).abs() < 1e-6);
        assert_eq!(ranks[0], 0.0);
        assert_eq!(usual(&changes, &units)[..3], [2, 5, 7]);
    }
}
