//! Concepts in words: the sentence of a concept's fact, and what a move does to one.

use shakmaty::{Board, Color, Role};

use crate::{
    chess::{names::color_name, pawns},
    concepts::{Concept, Source, concept::Term},
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

/// What a move does to a concept in `helped`'s favour, to follow "The move also". `None` where the score's name would say
/// something that the board does not show: Stockfish's Material counts squares as well as men, and men that are gone have
/// no placement.
pub fn concept_effect(concept: Concept, helped: Color, board: &Board) -> Option<String> {
    let Some(color) = concept.side else {
        return (concept.term == Term::Pawns).then(|| format!("shifts the pawn structure in {} favour", owner(helped)));
    };
    let up = color == helped;
    let whose = owner(color);
    let has = |role: Role| !(board.by_role(role) & board.by_color(color)).is_empty();
    let placed = |role: Role, name: &str| {
        has(role).then(|| format!("{} {whose} {name} placement", if up { "improves" } else { "harms" }))
    };
    match (concept.term, up) {
        (Term::KingSafety, true) => Some(format!("makes {whose} king safer")),
        (Term::KingSafety, false) => Some(format!("makes {whose} king less safe")),
        (Term::Threats, true) => Some(format!("adds to {whose} threats")),
        (Term::Threats, false) => Some(format!("takes from {whose} threats")),
        (Term::Mobility, true) => Some(format!("gives {whose} pieces more room")),
        (Term::Mobility, false) => Some(format!("restricts {whose} pieces")),
        (Term::Space, _) if !counts_space(board) => None,
        (Term::Space, true) => Some(format!("gains space for {}", color_name(color))),
        (Term::Space, false) => Some(format!("takes space from {}", color_name(color))),
        (Term::PassedPawns, _) if pawns::passed(board, color).is_empty() => None,
        (Term::PassedPawns, true) => Some(format!("furthers {whose} passed pawns")),
        (Term::PassedPawns, false) => Some(format!("holds back {whose} passed pawns")),
        (Term::Knights, _) => placed(Role::Knight, "knight"),
        (Term::Bishops, _) => placed(Role::Bishop, "bishop"),
        (Term::Rooks, _) => placed(Role::Rook, "rook"),
        (Term::Queens, _) => placed(Role::Queen, "queen"),
        (Term::Material | Term::Imbalance | Term::Pawns, _) => None,
    }
}

/// Stockfish 8 counts space only while most pieces are on the board (12,222 of its 16,580 units of non-pawn material, 46 of
/// 62 points); a probe fitted on its labels has learnt nothing of space beyond that.
fn counts_space(board: &Board) -> bool {
    let points = |role: Role, each: usize| board.by_role(role).count() * each;
    points(Role::Queen, 9) + points(Role::Rook, 5) + points(Role::Bishop, 3) + points(Role::Knight, 3) >= 46
}

/// Names its source and gives the change in that source's unit: a pawn and a standard deviation don't compare.
pub fn concept_sentence(concept: Concept, side: Color, change: f32, source: &Source) -> String {
    let name = concept_name(concept);
    let helps = change > 0.0;
    let favour = color_name(if helps { side } else { side.other() });
    let says = match source {
        Source::Stockfish8 => "Stockfish 8's terms say",
        Source::Probes { .. } => "The network's concept probes say",
    };
    let by = format!("by {:.2} {}", change.abs(), source.short_unit());
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
