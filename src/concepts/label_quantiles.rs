//! Which positions have much of a concept and which little: the top and the bottom 5 %.
//!
//! Labels are compared **as numbers**. (The paper's authors sorted them as strings.) Many terms are 0.00 in most
//! positions, so that a tail's limit often falls among equal labels, and what is done about it is stated:
//!
//! - Those that are needed of the equal ones are **drawn by lot** ([`Positions::lot`]), not taken in the file's order; the
//!   others are in the middle. Which share of a tail was drawn is reported: [`LabelQuantiles::tied_positive`] and
//!   `tied_negative`.
//! - **No label is in both tails.** Where both limits fall on the same label (as 0.00 does for a term that is not 0 in
//!   less than 5 % of positions), the tail with more positions that differ from it keeps these alone, the other one is
//!   filled up with that label, and both are made equally large. So the tails can be smaller than 5 %; the number that
//!   this costs is reported: [`LabelQuantiles::dropped`].
//! - Positions without a label (Stockfish 8 prints no terms for specialised endgames) are in neither tail nor middle.

use serde::Serialize;

use super::split::Positions;

/// The tails of one concept over all positions that are used. The lists ascend.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LabelQuantiles {
    /// Positions with the highest labels.
    pub positive: Vec<u32>,
    /// Positions with the lowest labels.
    pub negative: Vec<u32>,
    /// Positions with a label, in neither tail.
    pub middle: Vec<u32>,
    /// Positions that are used and have no label.
    pub unlabelled: usize,
    /// The lowest label of the positive ones and the highest of the negative ones.
    pub limits: [f32; 2],
    /// Share of the positive ones that were drawn by lot among positions with the limit's label, 0..1.
    pub tied_positive: f64,
    /// The same of the negative ones.
    pub tied_negative: f64,
    /// Positions that the share asks for in each tail and that are left out, since their label would be in both.
    pub dropped: usize,
}

/// LabelQuantiles that can't be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoQuantiles {
    /// The share makes less than one position.
    #[error("{labelled} positions have a label: too few for tails")]
    TooFew {
        /// Positions with a label.
        labelled: usize,
    },
    /// There is nothing to tell positions by.
    #[error("all positions have the same label")]
    AllEqual,
}

impl LabelQuantiles {
    /// Cuts tails of `share` (0 to ½) of the labelled positions each.
    ///
    /// `labels`: one a position, `None` where there is none.
    ///
    /// # Errors
    /// When there are too few labels, or all are equal.
    pub fn cut(labels: &[Option<f32>], positions: &Positions, share: f64) -> Result<Self, NoQuantiles> {
        let used = || (0..positions.len() as u32).filter(|&i| positions.side(i).is_some());
        let label = |i: u32| {
            labels
                .get(i as usize)
                .copied()
                .flatten()
                .filter(|label| label.is_finite())
        };
        let mut ranked: Vec<(f32, u32)> = used().filter_map(|i| Some((label(i)? + 0.0, i))).collect();
        let labelled = ranked.len();
        let size = ((labelled as f64 * share.clamp(0.0, 0.5)) as usize).min(labelled / 2);
        if size == 0 {
            return Err(NoQuantiles::TooFew { labelled });
        }
        // Equal labels by lot: both tails draw from one order, at its two ends, so that none is drawn twice.
        ranked.sort_by(|a, b| {
            a.0.total_cmp(&b.0)
                .then_with(|| positions.lot(a.1).cmp(&positions.lot(b.1)))
                .then(a.1.cmp(&b.1))
        });
        let (low, high) = (ranked[size - 1].0, ranked[labelled - size].0);
        if ranked[0].0 == ranked[labelled - 1].0 {
            return Err(NoQuantiles::AllEqual);
        }
        let (mut negatives, mut positives) = (size, size);
        if low == high {
            // How many differ from the label that both limits fall on.
            let below = ranked[..size].iter().take_while(|(label, _)| *label < low).count();
            let above = ranked.iter().rev().take_while(|(label, _)| *label > high).count();
            let kept = below.max(above);
            (negatives, positives) = (kept, kept);
        }
        let mut tails = Self {
            positive: ranked[labelled - positives..].iter().map(|(_, i)| *i).collect(),
            negative: ranked[..negatives].iter().map(|(_, i)| *i).collect(),
            middle: ranked[negatives..labelled - positives]
                .iter()
                .map(|(_, i)| *i)
                .collect(),
            unlabelled: used().count() - labelled,
            limits: [ranked[labelled - positives].0, ranked[negatives - 1].0],
            tied_positive: 0.0,
            tied_negative: 0.0,
            dropped: size - negatives,
        };
        let [upper, lower] = tails.limits;
        let equal = |range: &[(f32, u32)], limit: f32| range.iter().filter(|(label, _)| *label == limit).count();
        // A limit's label that is wholly in the tail was not drawn from.
        if ranked[labelled - positives - 1].0 == upper {
            tails.tied_positive = equal(&ranked[labelled - positives..], upper) as f64 / positives as f64;
        }
        if ranked[negatives].0 == lower {
            tails.tied_negative = equal(&ranked[..negatives], lower) as f64 / negatives as f64;
        }
        for list in [&mut tails.positive, &mut tails.negative, &mut tails.middle] {
            list.sort_unstable();
        }
        Ok(tails)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn positions(count: usize) -> Positions {
        let fens: Vec<String> = (0..count).map(|i| format!("{i} w - -")).collect();
        Positions::new(fens.iter().map(|fen| ("game", fen.as_str())), 1)
    }

    fn cut(labels: &[f32], share: f64) -> LabelQuantiles {
        let labels: Vec<Option<f32>> = labels.iter().copied().map(Some).collect();
        LabelQuantiles::cut(&labels, &positions(labels.len()), share).unwrap()
    }

    #[test]
    fn labels_are_numbers_and_not_strings() {
        let tails = cut(&[-0.5, 10.0, 9.0, 2.0, -1.0, -10.0, 0.0, -9.0, 1.0, 3.0], 0.2);
        assert_eq!((tails.positive, tails.negative), (vec![1, 2], vec![5, 7]));
        assert_eq!((tails.limits, tails.dropped), ([9.0, -9.0], 0));
        assert_eq!((tails.tied_positive, tails.tied_negative), (0.0, 0.0));
    }

    #[test]
    fn equal_labels_are_drawn_by_lot_and_reported() {
        // Sixteen zeros above four losses; five in each tail.
        let mut labels = vec![0.0; 20];
        labels[3..7].fill(-0.5);
        labels.push(-0.25);
        let tails = cut(&labels, 0.25);
        assert_eq!(tails.negative, [3, 4, 5, 6, 20]);
        assert_eq!((tails.tied_negative, tails.tied_positive), (0.0, 1.0));
        assert_ne!(tails.positive, [15, 16, 17, 18, 19], "not the last of the file");
        assert_ne!(tails.positive, [0, 1, 2, 7, 8], "nor the first");
        assert_eq!(tails.middle.len(), 11);
    }

    #[test]
    fn no_label_is_in_both_tails() {
        // Two losses, one gain, else zeros; the share asks for four in each tail.
        let mut labels = vec![0.0; 40];
        (labels[7], labels[9], labels[30]) = (-1.0, -2.0, 1.0);
        let tails = cut(&labels, 0.1);
        assert_eq!((tails.negative.as_slice(), tails.dropped), (&[7, 9][..], 2));
        assert!(tails.positive.len() == 2 && tails.positive.contains(&30));
        assert_eq!((tails.tied_positive, tails.tied_negative), (0.5, 0.0));
        let both = cut(&[-1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0], 0.25);
        assert_eq!((both.negative, both.positive, both.dropped), (vec![0], vec![7], 1));
    }

    #[test]
    fn positions_without_a_label_or_seen_before_are_left_out() {
        let fens = [
            "a w - - 0 1",
            "b w - - 0 1",
            "a w - - 5 9",
            "c w - - 0 1",
            "d w - - 0 1",
        ];
        let positions = Positions::new(fens.map(|fen| ("game", fen)), 1);
        let tails =
            LabelQuantiles::cut(&[Some(1.0), None, Some(9.0), Some(-1.0), Some(0.0)], &positions, 0.34).unwrap();
        assert_eq!(
            (tails.positive, tails.negative, tails.middle),
            (vec![0], vec![3], vec![4])
        );
        assert_eq!(tails.unlabelled, 1);
        let too_few = LabelQuantiles::cut(&[Some(1.0), None, Some(9.0), None, None], &positions, 0.05);
        assert_eq!(too_few, Err(NoQuantiles::TooFew { labelled: 1 }));
        let equal = LabelQuantiles::cut(&[Some(1.0); 5], &positions, 0.5);
        assert_eq!(equal, Err(NoQuantiles::AllEqual));
    }

    proptest! {
        #[test]
        fn tails_part_what_has_a_label(
            labels in proptest::collection::vec(proptest::option::weighted(0.9, -3i8..3), 1..120),
            share in 0.01..0.5f64,
        ) {
            let values: Vec<Option<f32>> = labels.iter().map(|label| label.map(f32::from)).collect();
            let Ok(tails) = LabelQuantiles::cut(&values, &positions(values.len()), share) else { return Ok(()) };
            let labelled = values.iter().flatten().count();
            prop_assert_eq!(tails.positive.len(), tails.negative.len());
            prop_assert_eq!(tails.positive.len() + tails.dropped, (labelled as f64 * share) as usize);
            prop_assert_eq!(tails.positive.len() * 2 + tails.middle.len(), labelled);
            prop_assert_eq!(labelled + tails.unlabelled, values.len());
            let of = |list: &[u32]| list.iter().map(|&i| values[i as usize].unwrap()).collect::<Vec<_>>();
            let (high, low, middle) = (of(&tails.positive), of(&tails.negative), of(&tails.middle));
            prop_assert!(high.iter().all(|h| low.iter().all(|l| h > l)));
            prop_assert!(middle.iter().all(|m| *m <= tails.limits[0] && *m >= tails.limits[1]));
            prop_assert!(high.iter().all(|h| *h >= tails.limits[0]) && low.iter().all(|l| *l <= tails.limits[1]));
            prop_assert_eq!(tails.tied_positive > 0.0, middle.contains(&tails.limits[0]));
            prop_assert_eq!(tails.tied_negative > 0.0, middle.contains(&tails.limits[1]));
        }
    }
}
