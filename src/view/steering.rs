//! What steering found, as a curve to draw and as words.

use std::fmt::Write as _;

use crate::concepts::steering::{Point, Steered, Use};

/// Width of a drawing, in its own units.
pub const WIDTH: f64 = 300.0;
/// Its height.
pub const HEIGHT: f64 = 120.0;
/// What is left free above and below.
const MARGIN: f64 = 10.0;

/// A curve over the shifts.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// SVG path of the concept's own.
    pub own: String,
    /// SVG path of the area that chance makes.
    pub chance: String,
    /// Where 0 lies, down.
    pub zero: f64,
    /// The largest value drawn: `0.43`.
    pub top: String,
}

/// A row of the table: text for each column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SteeredRow {
    /// `−2`, in standard deviations.
    pub shift: String,
    /// Change of the expected result, signed.
    pub value: String,
    /// Its mean size, and by chance.
    pub value_moved: [String; 2],
    /// Share of the moves' probabilities that changes, and by chance.
    pub policy_moved: [String; 2],
}

/// The whole panel.
#[derive(Debug, Clone, PartialEq)]
pub struct SteeringView {
    /// `also used`, `readable`.
    pub verdict: &'static str,
    /// What that means, in a sentence.
    pub meaning: String,
    /// The expected result.
    pub value: Curve,
    /// The policy.
    pub policy: Curve,
    /// The numbers.
    pub rows: Vec<SteeredRow>,
}

impl SteeringView {
    /// Of what was found of `concept` (`our king safety`) in a block of `positions` positions.
    #[must_use]
    pub fn new(steered: &Steered, concept: &str, block: u8, positions: usize) -> Self {
        let mut points = steered.points.clone();
        // No shift moves nothing.
        points.push(Point {
            shift: 0.0,
            value: 0.0,
            value_moved: 0.0,
            policy_moved: 0.0,
            by_chance: [0.0; 2],
            above: [0.0; 2],
        });
        points.sort_by(|a, b| a.shift.total_cmp(&b.shift));
        let on = if positions == 1 {
            "this position".to_owned()
        } else {
            format!("{positions} positions")
        };
        let meaning = match steered.verdict {
            Use::Used => format!(
                "Shifting block {block} along {concept} moves the network's value or moves more than nearly all directions of chance \
                 of the same length do ({on})."
            ),
            Use::Readable => format!(
                "Shifting block {block} along {concept} moves the network's value and moves no more than directions of chance do \
                 ({on}): it can be read there, and what follows of the network does not show that it uses it."
            ),
        };
        Self {
            verdict: match steered.verdict {
                Use::Used => "also used",
                Use::Readable => "readable",
            },
            meaning,
            value: curve(
                &points,
                |point| point.value,
                |point| [-point.by_chance[0], point.by_chance[0]],
            ),
            policy: curve(&points, |point| point.policy_moved, |point| [0.0, point.by_chance[1]]),
            rows: steered.points.iter().map(row).collect(),
        }
    }
}

fn row(point: &Point) -> SteeredRow {
    let size = |x: f64| format!("{x:.3}");
    SteeredRow {
        shift: signed(point.shift, 0),
        value: signed(point.value, 3),
        value_moved: [size(point.value_moved), size(point.by_chance[0])],
        policy_moved: [size(point.policy_moved), size(point.by_chance[1])],
    }
}

fn signed(x: f64, digits: usize) -> String {
    format!("{x:+.digits$}").replace('-', "−")
}

fn curve(points: &[Point], own: impl Fn(&Point) -> f64, chance: impl Fn(&Point) -> [f64; 2]) -> Curve {
    let values = || {
        points.iter().flat_map(|point| {
            let [low, high] = chance(point);
            [own(point), low, high]
        })
    };
    let (low, high) = (values().fold(0.0, f64::min), values().fold(0.0, f64::max));
    let (first, last) = (
        points.first().map_or(0.0, |point| point.shift),
        points.last().map_or(0.0, |point| point.shift),
    );
    let across = |shift: f64| (shift - first) / (last - first).max(f64::MIN_POSITIVE) * WIDTH;
    let down = |value: f64| HEIGHT - MARGIN - (value - low) / (high - low).max(1e-9) * (HEIGHT - 2.0 * MARGIN);
    let path = |places: &mut dyn Iterator<Item = (f64, f64)>| {
        let mut text = String::new();
        for (i, (x, y)) in places.enumerate() {
            // Writing to a string does not fail.
            let _ = write!(text, "{}{x:.1} {y:.1}", if i == 0 { "M" } else { "L" });
        }
        text
    };
    let there = points.iter().map(|point| (across(point.shift), down(chance(point)[1])));
    let back = points
        .iter()
        .rev()
        .map(|point| (across(point.shift), down(chance(point)[0])));
    Curve {
        own: path(&mut points.iter().map(|point| (across(point.shift), down(own(point))))),
        chance: path(&mut there.chain(back)) + "Z",
        zero: down(0.0),
        top: format!("{:.3}", high.max(-low)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steered(verdict: Use) -> Steered {
        let point = |shift: f64| Point {
            shift,
            value: shift / 10.0,
            value_moved: shift.abs() / 10.0,
            policy_moved: 0.04 * shift.abs(),
            by_chance: [0.01, 0.02],
            above: [1.0, 1.0],
        };
        Steered {
            points: [-2.0, -1.0, 1.0, 2.0].map(point).to_vec(),
            verdict,
        }
    }

    #[test]
    fn curves_go_through_the_points_and_nothing_at_no_shift() {
        let view = SteeringView::new(&steered(Use::Used), "our threats", 6, 40);
        assert_eq!(view.verdict, "also used");
        assert!(view.meaning.contains("block 6 along our threats") && view.meaning.contains("40 positions"));
        assert_eq!(view.value.own, "M0.0 110.0L75.0 85.0L150.0 60.0L225.0 35.0L300.0 10.0");
        assert_eq!((view.value.zero, view.value.top.as_str()), (60.0, "0.200"));
        assert!(view.value.chance.starts_with('M') && view.value.chance.ends_with('Z'));
        assert_eq!(view.rows.len(), 4);
        assert_eq!(
            (view.rows[0].shift.as_str(), view.rows[0].value.as_str()),
            ("−2", "−0.200")
        );
    }

    #[test]
    fn what_is_only_readable_is_said_so() {
        let view = SteeringView::new(&steered(Use::Readable), "material", 2, 1);
        assert_eq!(view.verdict, "readable");
        assert!(view.meaning.contains("this position"), "{}", view.meaning);
    }
}
