//! The concept candidates of a prompt: which concepts are named, in which order, and how.

use super::super::{Arm, FactSheet};
use crate::{
    chess::names::color_name,
    concepts::{
        Concept, Rule, Source,
        priority::{NAMED, risen},
    },
};

/// A concept that a prompt names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// The concept.
    pub concept: Concept,
    /// By how much its own score goes up or down; of a total, by how much it goes up for White.
    rise: f32,
}

/// The concepts that `arm` names, the most important first; at most five, and fewer only where a source gave scores for
/// fewer or the move left them as they were.
///
/// Those of `ccc` follow the rule of the paper's code ([`risen`]). The others are the largest changes by the sheet's rule,
/// whoever they help. Neither leaves out what the expected reply undoes, what is measured badly, or what the board does
/// not bear out: to weed out those is what the reasoning is for, in the paper as here. Facts and comments of our own rest
/// on what can be trusted ([`FactSheet`]).
#[must_use]
pub fn candidates(sheet: &FactSheet, arm: Arm) -> Vec<Candidate> {
    let mover = sheet.played().mover();
    let Some(concepts) = sheet.concepts() else {
        return Vec::new();
    };
    if arm == Arm::Ccc {
        return risen(&concepts.by_authors, mover)
            .into_iter()
            .map(|(change, rise)| Candidate {
                concept: change.concept,
                rise,
            })
            .collect();
    }
    let changes = concepts.changes.iter().map(|change| (change.concept, change.change()));
    changes
        .filter(|(_, change)| *change != 0.0 && change.is_finite())
        .take(NAMED)
        .map(|(concept, change)| {
            let own = concept.side.unwrap_or(shakmaty::Color::White) == mover;
            let rise = if own { change } else { -change };
            Candidate { concept, rise }
        })
        .collect()
}

impl Candidate {
    /// "- White's threats: up 0.68, favours White".
    fn line(self) -> String {
        // Less than is printed.
        if self.rise.abs() < 0.005 {
            return format!("- {}: unchanged", self.concept.title());
        }
        let owner = self.concept.side.unwrap_or(shakmaty::Color::White);
        let helped = if self.rise > 0.0 { owner } else { owner.other() };
        let way = match self.concept.side {
            None => "shifts by",
            Some(_) if self.rise > 0.0 => "up",
            Some(_) => "down",
        };
        format!(
            "- {}: {way} {:.2}, favours {}",
            self.concept.title(),
            self.rise.abs(),
            color_name(helped)
        )
    }
}

/// The candidates, a line each, under a line that says whose they are and by which rule they are ordered.
pub fn candidate_lines(sheet: &FactSheet, arm: Arm) -> Vec<String> {
    let named = candidates(sheet, arm);
    let Some(concepts) = sheet.concepts().filter(|_| !named.is_empty()) else {
        return vec!["concept candidates: none".to_owned()];
    };
    let by = match concepts.source {
        Source::Stockfish8 => "Stockfish 8's terms",
        Source::Probes { .. } => "probes on a network",
    };
    // The arm that follows the paper's code orders by its rule, whichever the page uses.
    let (order, unit) = match arm {
        Arm::Ccc => (Rule::Authors.order(), concepts.authors_unit()),
        _ => (concepts.rule.order(), concepts.unit()),
    };
    let head = format!("concept candidates ({by}, changes in {}), {order}:", unit.short());
    [head]
        .into_iter()
        .chain(named.into_iter().map(Candidate::line))
        .collect()
}
