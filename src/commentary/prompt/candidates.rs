//! The concept candidates of a prompt: which concepts are named, in which order, and how.

use super::super::{Arm, FactSheet, fact::Detail, fact_kind::FactKind};
use crate::{
    chess::names::color_name,
    concepts::{Concept, Rule, Source, priority::risen},
};

/// A concept that a prompt names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// The concept.
    pub concept: Concept,
    /// By how much its own score goes up or down; of a total, by how much it goes up for White.
    rise: f32,
}

/// The concepts that `arm` names, the most important first; at most five.
///
/// Those of `ccc` follow the rule of the paper's code ([`risen`]), over all 21. The others are the sheet's facts: the largest
/// changes, whoever they help, that the expected reply does not undo and that can be trusted.
#[must_use]
pub fn candidates(sheet: &FactSheet, arm: Arm) -> Vec<Candidate> {
    let mover = sheet.played().mover();
    if arm == Arm::Ccc {
        let changes = sheet.concepts().map_or(&[][..], |concepts| &concepts.changes);
        return risen(changes, mover)
            .into_iter()
            .map(|(change, rise)| Candidate {
                concept: change.concept,
                rise,
            })
            .collect();
    }
    let facts = sheet.of_kind(FactKind::Concept).filter_map(|fact| match fact.detail {
        Detail::Concept { concept, change, .. } => Some((concept, change)),
        _ => None,
    });
    facts
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
    let Some(source) = sheet
        .concepts()
        .map(|concepts| &concepts.source)
        .filter(|_| !named.is_empty())
    else {
        return vec!["concept candidates: none".to_owned()];
    };
    let by = match source {
        Source::Stockfish8 => "Stockfish 8's terms",
        Source::Probes { .. } => "probes on a network",
    };
    // The arm that follows the paper's code orders by its rule, whichever the page uses.
    let order = match (arm, sheet.concepts()) {
        (Arm::Ccc, _) => Rule::Authors.order(),
        (_, Some(concepts)) => concepts.rule.order(),
        (_, None) => Rule::default().order(),
    };
    let head = format!(
        "concept candidates ({by}, changes in {}), {order}:",
        source.short_unit()
    );
    [head]
        .into_iter()
        .chain(named.into_iter().map(Candidate::line))
        .collect()
}
