//! Concepts in words: the sentence of a concept's fact, and what a move does to one.

use shakmaty::Color;

use crate::{
    chess::names::color_name,
    concepts::{Concept, Source, Unit, concept::Term},
};

fn owner(color: Color) -> String {
    format!("{}'s", color_name(color))
}

/// The concept's name as a noun with its owner: "White's mobility", "the material".
#[must_use]
fn concept_name(concept: Concept) -> String {
    let term = match concept.term {
        Term::Imbalance => "balance of pieces",
        Term::Material => "material balance",
        Term::Knights => "knight placement",
        Term::Bishops => "bishop placement",
        Term::Rooks => "rook placement",
        Term::Queens => "queen placement",
        term => term.label(),
    };
    concept
        .side
        .map_or_else(|| format!("the {term}"), |color| format!("{} {term}", owner(color)))
}

/// Names its source and gives the change in its unit: a pawn and a standard deviation don't compare.
pub fn concept_sentence(concept: Concept, side: Color, change: f32, source: &Source, unit: Unit) -> String {
    let name = concept_name(concept);
    let helps = change > 0.0;
    let favour = color_name(if helps { side } else { side.other() });
    let says = match source {
        Source::Stockfish8 => "Stockfish 8's terms say",
        Source::Probes { .. } => "The network's concept probes say",
    };
    let by = format!("by {:.2} {}", change.abs(), unit.short());
    match concept.side {
        None => format!("{says} that {name} shifts {by} in favour of {favour}"),
        Some(color) => {
            let up = (color == side) == helps;
            format!(
                "{says} that {name} score {} {by}, which favours {favour}",
                if up { "rises" } else { "falls" }
            )
        }
    }
}
