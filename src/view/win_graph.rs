//! The graph of White's winning chance along a game, as shapes to draw. **White's view throughout**: the higher, the
//! better for White.

use std::fmt::Write as _;

use shakmaty::Position;

use super::game_axis;
pub use super::game_axis::WIDTH;
use crate::{annotation::AnnotatedGame, chess::NodeId, commentary::Verdict};

/// Height of the drawing, in its own units.
pub const HEIGHT: f64 = 140.0;

/// The graph.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WinGraph {
    /// One for each position that is searched, in their order.
    pub points: Vec<GraphPoint>,
    /// SVG path of the line through the points.
    pub line: String,
    /// SVG path of what lies below the line: White's share.
    pub area: String,
    /// SVG path of the stretches that are searched, from top to bottom: what of them is not White's share is Black's.
    pub ground: String,
    /// How many positions there are, searched or not.
    pub positions: usize,
    /// For those who don't see it: where the chance starts, where it ends, and its extremes.
    pub summary: String,
}

/// A position in the graph.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphPoint {
    /// Which position: 0 is the one before the first move.
    pub position: usize,
    /// Where it is in the game.
    pub node: NodeId,
    /// Across, 0 to [`WIDTH`].
    pub x: f64,
    /// Down, 0 to [`HEIGHT`].
    pub y: f64,
    /// White's winning chance, 0 to 1.
    pub chance: f64,
    /// The move that led here: `12… Qd6`, or `Start`.
    pub label: String,
    /// How good that move was.
    pub verdict: Option<Verdict>,
}

impl GraphPoint {
    /// Where to draw a dot of this radius, down: all of it is seen.
    #[must_use]
    pub const fn dot(&self, radius: f64) -> f64 {
        self.y.clamp(radius, HEIGHT - radius)
    }

    /// `12… Qd6, blunder: White’s winning chance 34 %`.
    #[must_use]
    pub fn text(&self) -> String {
        let verdict = self
            .verdict
            .filter(|verdict| verdict.is_bad())
            .map_or_else(String::new, |verdict| format!(", {verdict}"));
        format!(
            "{}{verdict}: White’s winning chance {}",
            self.label,
            percent(self.chance)
        )
    }
}

impl WinGraph {
    /// The graph of what is known so far.
    #[must_use]
    pub fn new(annotated: &AnnotatedGame) -> Self {
        let positions = annotated.line().positions();
        let mut graph = Self {
            positions: positions.len(),
            ..Self::default()
        };
        let mut previous = None;
        for (position, at) in positions.iter().enumerate() {
            let Some(chance) = annotated.chance(position) else {
                continue;
            };
            let mv = position.checked_sub(1).and_then(|index| annotated.moves().get(index));
            let point = GraphPoint {
                position,
                node: mv.map_or(NodeId::ROOT, |mv| mv.node),
                x: graph.x(position),
                y: (1.0 - chance) * HEIGHT,
                chance,
                label: match mv {
                    Some(mv) if at.is_checkmate() => format!("{} (checkmate)", mv.label),
                    Some(mv) => mv.label.clone(),
                    None => "Start".to_owned(),
                },
                verdict: mv.and_then(|mv| mv.verdict),
            };
            graph.extend(&point, previous);
            previous = Some(position);
            graph.points.push(point);
        }
        if previous.is_some() {
            graph.close();
        }
        graph.summary = graph.summary();
        graph
    }

    /// Where a position is, across.
    #[must_use]
    pub fn x(&self, position: usize) -> f64 {
        game_axis::x(position, self.positions)
    }

    /// The point of a node, if it is searched.
    #[must_use]
    pub fn point(&self, node: NodeId) -> Option<&GraphPoint> {
        self.points.iter().find(|point| point.node == node)
    }

    /// Draws on to a point. Where positions between are missing, a new stretch begins.
    fn extend(&mut self, point: &GraphPoint, previous: Option<usize>) {
        let (x, y) = (point.x, point.y);
        // Writing to a string does not fail.
        let _ = if previous.is_some_and(|position| position + 1 == point.position) {
            write!(self.line, "L{x:.1} {y:.1}").and_then(|()| write!(self.area, "L{x:.1} {y:.1}"))
        } else {
            if previous.is_some() {
                self.close();
            }
            let _ = write!(self.ground, "M{x:.1} {HEIGHT}V0");
            write!(self.line, "M{x:.1} {y:.1}").and_then(|()| write!(self.area, "M{x:.1} {HEIGHT}V{y:.1}"))
        };
    }

    /// Brings the area down to the bottom under the last point.
    fn close(&mut self) {
        let _ = write!(self.area, "V{HEIGHT}Z");
        if let Some(last) = self.points.last() {
            let _ = write!(self.ground, "H{:.1}V{HEIGHT}Z", last.x);
        }
    }

    fn summary(&self) -> String {
        let (Some(first), Some(last)) = (self.points.first(), self.points.last()) else {
            return "White’s winning chance: nothing is searched yet.".to_owned();
        };
        let by_chance = |a: &&GraphPoint, b: &&GraphPoint| a.chance.total_cmp(&b.chance);
        // There is a point: the first.
        let highest = self.points.iter().max_by(by_chance).unwrap_or(first);
        let lowest = self.points.iter().min_by(by_chance).unwrap_or(first);
        format!(
            "White’s winning chance: {} at the start, {} after {}; highest {} ({}), lowest {} ({}).",
            percent(first.chance),
            percent(last.chance),
            last.label,
            percent(highest.chance),
            highest.label,
            percent(lowest.chance),
            lowest.label,
        )
    }
}

/// `34 %`.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
