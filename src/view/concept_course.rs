//! The course of a concept along a game, as shapes to draw. A side's concept is in **that side's own view**, a total in
//! White's: the higher, the more of it. In standard deviations of the probe's score.

use std::fmt::Write as _;

use super::{game_axis, heat_map::signed};
use crate::{
    annotation::MainLine,
    chess::NodeId,
    concepts::{Concept, ConceptScores},
};

/// Height of the drawing, in its own units.
pub const HEIGHT: f64 = 100.0;
/// Least distance of the middle from an edge, in standard deviations: trifles stay small.
const LEAST_SPAN: f64 = 1.0;
/// Changes that are marked, at most.
const MARKED: usize = 3;
/// The least change that is marked, in standard deviations.
const LEAST_MARKED: f64 = 0.5;

/// The course.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ConceptCourse {
    /// One for each position that is read, in their order.
    pub points: Vec<CoursePoint>,
    /// SVG path of the line through the points.
    pub line: String,
    /// How many positions there are, read or not.
    pub positions: usize,
    /// For those who don't see it: where it starts and ends, its extremes and its largest changes.
    pub summary: String,
}

/// A position of the course.
#[derive(Debug, Clone, PartialEq)]
pub struct CoursePoint {
    /// Which position: 0 is the one before the first move.
    pub position: usize,
    /// Where it is in the game.
    pub node: NodeId,
    /// Across, 0 to [`game_axis::WIDTH`].
    pub x: f64,
    /// Down, 0 to [`HEIGHT`].
    pub y: f64,
    /// The concept's score.
    pub score: f64,
    /// What the move before it added; 0 at the start.
    pub change: f64,
    /// Whether that is one of the largest changes of the game.
    pub marked: bool,
    /// The move that led here: `12… Qd6`, or `Start`.
    pub label: String,
}

impl CoursePoint {
    /// `12… Qd6: 0.84, changed by +1.20, a turning point`.
    #[must_use]
    pub fn text(&self) -> String {
        let change = match self.position {
            0 => String::new(),
            _ => format!(", changed by {}", signed(self.change)),
        };
        let marked = if self.marked { ", a turning point" } else { "" };
        format!("{}: {}{change}{marked}", self.label, signed(self.score))
    }
}

impl ConceptCourse {
    /// The course of `concept` through the positions that are read; `scores`: of the first positions of `line`; `labels`: of
    /// its moves.
    #[must_use]
    pub fn new(line: &MainLine, labels: &[String], concept: Concept, scores: &[ConceptScores]) -> Self {
        let own: Vec<f64> = scores.iter().map(|scores| f64::from(scores.get(concept))).collect();
        let span = own.iter().fold(LEAST_SPAN, |widest, score| widest.max(score.abs()));
        let changes: Vec<f64> = (0..own.len())
            .map(|i| i.checked_sub(1).map_or(0.0, |before| own[i] - own[before]))
            .collect();
        let marked = largest(&changes);
        let positions = line.positions().len();
        let points: Vec<CoursePoint> = own
            .iter()
            .zip(&changes)
            .enumerate()
            .map(|(position, (&score, &change))| {
                let before = position.checked_sub(1);
                CoursePoint {
                    position,
                    node: before.map_or(NodeId::ROOT, |index| line.node(index).unwrap_or(NodeId::ROOT)),
                    x: game_axis::x(position, positions),
                    y: (1.0 - score / span) * HEIGHT / 2.0,
                    score,
                    change,
                    marked: marked.contains(&position),
                    label: before
                        .and_then(|index| labels.get(index).cloned())
                        .unwrap_or_else(|| "Start".to_owned()),
                }
            })
            .collect();
        let mut path = String::new();
        for point in &points {
            // Writing to a string does not fail.
            let _ = write!(
                path,
                "{}{:.1} {:.1}",
                if point.position == 0 { "M" } else { "L" },
                point.x,
                point.y
            );
        }
        Self {
            summary: summary(concept, &points),
            line: path,
            points,
            positions,
        }
    }

    /// The text of a position.
    #[must_use]
    pub fn said(&self, position: usize) -> String {
        let point = self.points.iter().find(|point| point.position == position);
        point.map_or_else(|| format!("Move {position}, not read yet"), CoursePoint::text)
    }
}

/// The positions that the largest changes lead to.
fn largest(changes: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..changes.len())
        .filter(|&i| changes[i].abs() >= LEAST_MARKED)
        .collect();
    // Stable: of equal ones the earlier.
    order.sort_by(|&a, &b| changes[b].abs().total_cmp(&changes[a].abs()));
    order.truncate(MARKED);
    order
}

fn summary(concept: Concept, points: &[CoursePoint]) -> String {
    let mut title = concept.title();
    title[..1].make_ascii_uppercase();
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return format!("{title}: nothing is read yet.");
    };
    let by_score = |a: &&CoursePoint, b: &&CoursePoint| a.score.total_cmp(&b.score);
    // There is a point: the first.
    let highest = points.iter().max_by(by_score).unwrap_or(first);
    let lowest = points.iter().min_by(by_score).unwrap_or(first);
    let marked: Vec<String> = points
        .iter()
        .filter(|point| point.marked)
        .map(|point| format!("{} ({})", point.label, signed(point.change)))
        .collect();
    let turns = if marked.is_empty() {
        "no large change".to_owned()
    } else {
        format!("largest changes: {}", marked.join(", "))
    };
    format!(
        "{title}: {} at the start, {} after {}; highest {} ({}), lowest {} ({}); {turns}.",
        signed(first.score),
        signed(last.score),
        last.label,
        signed(highest.score),
        highest.label,
        signed(lowest.score),
        lowest.label,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::read_pgn;

    fn course(material: &[f32]) -> ConceptCourse {
        let game = read_pgn("1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxg2 *").unwrap().games.remove(0);
        let line = MainLine::of(&game);
        let labels: Vec<String> = (1..=line.len()).map(|i| format!("move {i}")).collect();
        let scores: Vec<ConceptScores> = material
            .iter()
            .map(|&material| {
                let mut raw = [0.0; 21];
                raw[0] = material;
                ConceptScores::new(raw)
            })
            .collect();
        ConceptCourse::new(&line, &labels, Concept::ALL[0], &scores)
    }

    #[test]
    fn the_largest_changes_are_marked() {
        let course = course(&[0.0, 0.25, 0.0, 1.0, -1.0, -2.0, -1.5]);
        let marked: Vec<usize> = course.points.iter().filter(|p| p.marked).map(|p| p.position).collect();
        assert_eq!(marked, [3, 4, 5], "by size, three at most");
        assert_eq!(
            (course.points[0].y, course.points[5].y),
            (50.0, 100.0),
            "−2 is the lowest edge"
        );
        assert_eq!(course.points[6].x, game_axis::WIDTH);
        assert!(course.line.starts_with("M0.0 50.0L") && course.line.matches('L').count() == 6);
        assert_eq!(
            course.points[4].text(),
            "move 4: −1.00, changed by −2.00, a turning point"
        );
        assert_eq!(course.points[0].text(), "Start: 0.00");
        assert_eq!(
            course.summary,
            "Material: 0.00 at the start, −1.50 after move 6; highest +1.00 (move 3), lowest −2.00 (move 5); largest changes: \
             move 3 (+1.00), move 4 (−2.00), move 5 (−1.00)."
        );
        assert_ne!(course.points[0].node, course.points[1].node);
    }

    #[test]
    fn a_course_under_way_says_what_is_not_read() {
        let course = course(&[0.0, 0.25]);
        assert_eq!((course.points.len(), course.positions), (2, 7));
        assert_eq!(course.said(5), "Move 5, not read yet");
        assert!(course.summary.ends_with("no large change."));
        assert_eq!(super::tests::course(&[]).summary, "Material: nothing is read yet.");
    }
}
