//! Concepts as bars that move from before to after.

use shakmaty::Color;

use crate::{
    chess::names::color_name,
    concepts::{Concept, ConceptChange, Concepts, Source, Unit},
};

/// One bar. Places are 0 (worst for the mover) to 1 (best), 0.5 is even, on a square-root scale.
#[derive(Debug, Clone, PartialEq)]
pub struct ConceptBar {
    /// The concept.
    pub concept: Concept,
    /// For the reader: `White's king safety`.
    pub title: String,
    /// The place before the move.
    pub before: f64,
    /// The place after it.
    pub after: f64,
    /// After the expected reply, where one is known.
    pub after_reply: Option<f64>,
    /// What the move did, the mover's view: `+0.42`.
    pub change: String,
    /// The same in words: `much better for White`.
    pub words: String,
    /// The sign of the change.
    pub direction: Direction,
    /// True when the expected reply does not undo it.
    pub lasting: bool,
    /// All of it in words, for screen readers.
    pub label: String,
    /// The same with numbers and their unit.
    pub numbers: String,
}

/// Which way a concept went, for the mover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// It helps the mover.
    Raised,
    /// It hurts the mover.
    Lowered,
    /// It did not move as far as it is shown.
    Same,
}

/// The panel of concepts.
#[derive(Debug, Clone, PartialEq)]
pub struct ConceptsPanel {
    /// Who gave the scores: `Stockfish 8`, `Probes on kibitz-64x6.pb.gz`.
    pub speaker: String,
    /// Their unit and view.
    pub legend: String,
    /// All 21, those that the move changed most first.
    pub bars: Vec<ConceptBar>,
}

impl ConceptsPanel {
    /// The panel for changes in the order of their priority. `network`: what the network of the probes is called.
    #[must_use]
    pub fn new(concepts: &Concepts, mover: Color, network: Option<&str>) -> Self {
        let Concepts { source, changes, .. } = concepts;
        let unit = concepts.unit();
        // One scale for all bars, so that lengths compare; at least a pawn wide, so that trifles stay small.
        let span = changes
            .iter()
            .flat_map(|c| [Some(c.before), Some(c.after), c.after_reply])
            .flatten()
            .fold(1.0_f32, |widest, value| widest.max(value.abs()));
        // The square root opens up the middle, where most changes happen.
        let place = |value: f32| f64::from(0.5 + 0.5 * (value.abs() / span).sqrt().copysign(value)).clamp(0.0, 1.0);
        let name = color_name(mover);
        let bars = changes
            .iter()
            .map(|c| {
                let direction = direction(c.change());
                let words = words(c.change(), name);
                let lasting = direction == Direction::Same || c.lasting();
                let undone = if lasting { "" } else { ", undone by the expected reply" };
                ConceptBar {
                    concept: c.concept,
                    label: format!("{}: {words}{undone}", title(&c.concept.title())),
                    title: title(&c.concept.title()),
                    before: place(c.before),
                    after: place(c.after),
                    after_reply: c.after_reply.map(place),
                    change: if direction == Direction::Same {
                        "0.00".into()
                    } else {
                        format!("{:+.2}", c.change())
                    },
                    words,
                    direction,
                    lasting,
                    numbers: numbers(c, name, direction, unit),
                }
            })
            .collect();
        let speaker = match (source, network) {
            (Source::Probes { .. }, Some(network)) => format!("Probes on {network}"),
            _ => title(&source.to_string()),
        };
        let legend = match unit {
            // Two scales meet here: that of the score before the move, and that of the change which is added to it.
            Unit::TermSpreads => format!(
                "Before the move in {}; the change that the probes of changes foretell, which is added to it, in {}; {name}'s view",
                Unit::ProbeSpreads.long(),
                unit.long()
            ),
            _ => format!("In {}, {name}'s view", unit.long()),
        };
        Self { speaker, legend, bars }
    }
}

fn direction(change: f32) -> Direction {
    if change >= 0.005 {
        Direction::Raised
    } else if change <= -0.005 {
        Direction::Lowered
    } else {
        Direction::Same
    }
}

/// Changes below this are said to be none, in pawns or standard deviations.
const NOTHING: f32 = 0.1;
/// Below this they are little.
const LITTLE: f32 = 0.3;
/// From this on they are much.
const MUCH: f32 = 0.8;

/// A change in words, as the mover sees it.
fn words(change: f32, mover: &str) -> String {
    let which = if change > 0.0 { "better" } else { "worse" };
    match change.abs() {
        size if size < NOTHING => "about the same".to_owned(),
        size if size < LITTLE => format!("a little {which} for {mover}"),
        size if size < MUCH => format!("{which} for {mover}"),
        _ => format!("much {which} for {mover}"),
    }
}

fn title(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn numbers(c: &ConceptChange, mover: &str, direction: Direction, unit: Unit) -> String {
    let what = match direction {
        Direction::Raised => format!("goes in {mover}'s favour"),
        Direction::Lowered => format!("goes against {mover}"),
        Direction::Same => "stays".to_owned(),
    };
    if unit == Unit::TermSpreads {
        let reply = match c.after_reply {
            Some(_) => format!(", {:.2} once the expected reply is played", c.settled()),
            None => String::new(),
        };
        return format!(
            "{} {what}: by {:+.2} {}{reply}; before the move {:.2} {}",
            title(&c.concept.title()),
            c.change(),
            unit.long(),
            c.before,
            Unit::ProbeSpreads.long()
        );
    }
    let unit = unit.short();
    let reply = c
        .after_reply
        .map_or_else(String::new, |value| format!(", {value:.2} after the expected reply"));
    format!(
        "{} {what}: from {:.2} to {:.2} {unit}{reply}",
        title(&c.concept.title()),
        c.before,
        c.after
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_share_a_scale_and_say_which_way() {
        let changes = [
            ConceptChange {
                concept: Concept::ALL[0],
                before: 0.0,
                after: 3.0,
                after_reply: Some(0.0),
                rank: None,
            },
            ConceptChange {
                concept: Concept::ALL[13],
                before: 0.3,
                after: 0.0,
                after_reply: None,
                rank: None,
            },
            ConceptChange {
                concept: Concept::ALL[14],
                before: 0.3,
                after: 0.301,
                after_reply: None,
                rank: None,
            },
        ];
        let concepts = |source| Concepts {
            source,
            changes: changes.to_vec(),
            rule: crate::concepts::Rule::default(),
            by_authors: Vec::new(),
            doubted: Vec::new(),
        };
        let panel = ConceptsPanel::new(&concepts(Source::Stockfish8), Color::Black, Some("maia.pb.gz"));
        assert_eq!(panel.speaker, "Stockfish 8");
        let words: Vec<&str> = panel.bars.iter().map(|bar| bar.words.as_str()).collect();
        assert_eq!(words, ["much better for Black", "worse for Black", "about the same"]);
        assert_eq!(panel.legend, "In pawns, Black's view");
        assert!(
            panel.bars[0].numbers.contains("3.00 pawns"),
            "{}",
            panel.bars[0].numbers
        );
        assert!(
            panel.bars[0]
                .label
                .ends_with(": much better for Black, undone by the expected reply"),
            "{}",
            panel.bars[0].label
        );
        let probes = concepts(Source::Probes {
            network_hash: "ab".repeat(32),
        });
        let probed = ConceptsPanel::new(&probes, Color::Black, Some("maia.pb.gz"));
        assert_eq!(probed.speaker, "Probes on maia.pb.gz");
        assert!(probed.legend.contains("standard deviations"), "{}", probed.legend);
        assert_eq!(
            ConceptsPanel::new(&probes, Color::Black, None).speaker,
            "Probes on network abababababab"
        );
        // The unit is the rule's, and a predicted change is not in the scale of the score before the move.
        let mut paper = probes.clone();
        paper.rule = crate::concepts::Rule::Paper;
        let paper = ConceptsPanel::new(&paper, Color::Black, None);
        assert_eq!(paper.legend, "In units of each probe's decision value, Black's view");
        assert!(
            paper.bars[0].numbers.contains("3.00 units of decision value"),
            "{}",
            paper.bars[0].numbers
        );
        let mut predicted = probes.clone();
        predicted.changes[0].rank = Some(1.0);
        let predicted = ConceptsPanel::new(&predicted, Color::Black, None);
        assert!(
            predicted.legend.contains("probe's score") && predicted.legend.contains("Stockfish 8's term"),
            "{}",
            predicted.legend
        );
        assert!(
            predicted.bars[0]
                .numbers
                .contains("by +3.00 standard deviations of Stockfish 8's term, 0.00 once"),
            "{}",
            predicted.bars[0].numbers
        );
        assert_eq!(panel.bars[0].after, 1.0);
        assert_eq!(panel.bars[0].before, 0.5);
        assert!(!panel.bars[0].lasting);
        assert_eq!(panel.bars[1].direction, Direction::Lowered);
        assert!((panel.bars[1].before - (0.5 + 0.5 * 0.1_f64.sqrt())).abs() < 1e-6);
        assert!(
            panel.bars[1]
                .numbers
                .starts_with("White's king safety goes against Black"),
            "{}",
            panel.bars[1].numbers
        );
        assert_eq!(
            (panel.bars[2].direction, panel.bars[2].change.as_str()),
            (Direction::Same, "0.00")
        );
    }
}
