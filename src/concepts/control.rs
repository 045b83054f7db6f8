//! Controls: what the same fit finds where training has put nothing.
//!
//! Hewitt and Liang ("Designing and Interpreting Probes with Control Tasks", EMNLP 2019): a probe's accuracy says little of a
//! network unless the same probe does worse without it. The difference is the **selectivity**.

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color};

use super::activations::{Activations, NoRow};
use super::layer::{Layer, Pools};
use crate::net::{InputFormat, Planes};

/// Planes of men and of castling rights: all that a position without its game shows.
const PLANES: [std::ops::Range<usize>; 2] = [0..12, 104..108];
/// How many these are.
const PLANE_COUNT: usize = 16;

/// What is read in the network's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Control {
    /// The same layers of a network of the same shape with the weights of each layer shuffled.
    Shuffled,
    /// The input planes, square by square.
    Planes,
}

impl Control {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Shuffled, Self::Planes];

    /// In files and messages: `shuffled`, `planes`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shuffled => "shuffled",
            Self::Planes => "planes",
        }
    }
}

/// The probe's own fit on a control's positions, where these are not the ones that the probe was fitted on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SameFit {
    /// Positions learnt from, by this fit and by each control.
    pub n: u64,
    /// Its accuracy, 0..1.
    pub accuracy: f64,
}

/// Accuracies of a concept's controls, 0..1; `None` where one was not fitted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ControlFigures {
    /// On the shuffled network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shuffled: Option<f64>,
    /// On the input planes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planes: Option<f64>,
    /// What the controls are held against; `None` where that is the probe itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<SameFit>,
}

impl ControlFigures {
    /// True where no control was fitted.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.shuffled.is_none() && self.planes.is_none()
    }

    /// Notes what a control reached.
    pub const fn set(&mut self, control: Control, accuracy: f64) {
        match control {
            Control::Shuffled => self.shuffled = Some(accuracy),
            Control::Planes => self.planes = Some(accuracy),
        }
    }

    /// The higher of the two: what a probe must be above to say anything of the network.
    #[must_use]
    pub fn highest(&self) -> Option<f64> {
        [self.shuffled, self.planes].into_iter().flatten().reduce(f64::max)
    }

    /// A probe's accuracy less the higher control's: the accuracy of its fit on the control's positions where there is one.
    #[must_use]
    pub fn selectivity(&self, accuracy: f64) -> Option<f64> {
        let accuracy = self.beside.map_or(accuracy, |same| same.accuracy);
        self.highest().map(|control| accuracy - control)
    }
}

/// Input planes as though they were a block's activations: 16 filters, block 1 alone.
#[derive(Debug, Clone, Default)]
pub struct PlaneRows(Vec<[u64; PLANE_COUNT]>);

impl PlaneRows {
    /// Numbers in a row.
    pub const WIDTH: usize = 64 * PLANE_COUNT;

    /// Of positions as the side to move sees them.
    pub fn of<'a>(positions: impl IntoIterator<Item = &'a Chess>) -> Self {
        let mut rows = Self::default();
        positions.into_iter().for_each(|position| rows.push(position));
        rows
    }

    /// Adds the next position, as the side to move sees it.
    pub fn push(&mut self, position: &Chess) {
        self.0
            .push(masks(&Planes::with_format(InputFormat::Classical, &[], position)));
    }

    /// Positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True when there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends the row of a position as `us` sees it, whoever is to move.
    pub fn append_seen_by(us: Color, position: &Chess, out: &mut Vec<f32>) {
        append(&masks(&Planes::seen_by(InputFormat::Classical, us, position)), out);
    }

    /// What is read: the rows know no other layer.
    #[must_use]
    pub fn layer() -> Layer {
        Layer::block(1)
    }
}

fn masks(planes: &Planes) -> [u64; PLANE_COUNT] {
    let mut all = PLANES.into_iter().flatten();
    std::array::from_fn(|_| all.next().map_or(0, |plane| planes.mask(plane)))
}

fn append(masks: &[u64; PLANE_COUNT], out: &mut Vec<f32>) {
    for mask in masks {
        out.extend((0..64).map(|square| (mask >> square & 1) as f32));
    }
}

impl Activations for PlaneRows {
    type Error = NoRow;

    fn filters(&self) -> usize {
        PLANE_COUNT
    }

    fn rows(&self, layer: &Layer, positions: &[u32], out: &mut Vec<f32>) -> Result<(), NoRow> {
        debug_assert_eq!((layer.blocks(), layer.pools()), (&[1][..], Pools::None));
        for &position in positions {
            append(self.0.get(position as usize).ok_or(NoRow::Position(position))?, out);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_are_the_men_and_the_castling_rights() {
        let rows = PlaneRows::of([&Chess::default()]);
        let mut row = Vec::new();
        rows.rows(&PlaneRows::layer(), &[0], &mut row).unwrap();
        assert_eq!((row.len(), rows.filters() * 64), (PlaneRows::WIDTH, PlaneRows::WIDTH));
        assert_eq!(row[..768].iter().sum::<f32>(), 32.0, "a 1 for each man");
        assert_eq!(
            row[768..].iter().sum::<f32>(),
            4.0 * 64.0,
            "all four rights, each a plane of ones"
        );
        assert_eq!(rows.rows(&PlaneRows::layer(), &[1], &mut row), Err(NoRow::Position(1)));
        let mut seen = Vec::new();
        PlaneRows::append_seen_by(Color::Black, &Chess::default(), &mut seen);
        assert_eq!(seen.len(), PlaneRows::WIDTH);
        assert_eq!(seen[8..16], [1.0; 8], "Black's pawns stand below for Black");
    }

    #[test]
    fn selectivity_is_against_the_better_control() {
        let mut figures = ControlFigures::default();
        assert!(figures.is_empty() && figures.selectivity(0.9).is_none());
        figures.set(Control::Planes, 0.7);
        figures.set(Control::Shuffled, 0.8);
        assert!((figures.selectivity(0.95).unwrap() - 0.15).abs() < 1e-9);
        let text = serde_json::to_string(&figures).unwrap();
        assert_eq!(text, r#"{"shuffled":0.8,"planes":0.7}"#);
        figures.beside = Some(SameFit { n: 100, accuracy: 0.9 });
        assert!((figures.selectivity(0.95).unwrap() - 0.1).abs() < 1e-9);
    }
}
