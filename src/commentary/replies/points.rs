//! The point of a move in a few words, from its fact sheet.

use shakmaty::{Color, Role};

use super::super::{
    FactId, FactKind, FactSheet,
    board_facts::Found,
    fact::{Detail, Fact, Moment},
    phrases::{Act, WordChoice, deeds, finite, gerund},
    salience::select,
};
use crate::chess::{material::Surplus, names::color_name};

/// What a move does and wins, and the facts that say so.
pub struct Point {
    acts: Vec<Act>,
    /// The facts.
    pub facts: Vec<FactId>,
}

/// From this weight on a deed is worth a word in an answer; lighter ones are only moves from here to there.
const LEAST: u32 = 90;
/// A forced mate in more moves than this is called a won game: nobody sees it coming.
pub const LONGEST_MATE: u32 = 8;

/// The point of the sheet's move: at most `most` deeds, and what it wins along its line where `gains`.
pub fn point(sheet: &FactSheet, most: usize, gains: bool) -> Point {
    let mover = sheet.played().mover();
    let found: Vec<Found> = sheet
        .facts()
        .iter()
        .filter(|fact| !matches!(fact.moment, Moment::Line | Moment::Best))
        .filter(|fact| match fact.detail {
            // A mate is mentioned only together with what the line wins.
            Detail::Mate { moves, .. } => gains && moves <= LONGEST_MATE,
            _ => true,
        })
        .map(|fact| Found {
            moment: fact.moment,
            detail: fact.detail.clone(),
        })
        .collect();
    let chosen = select(&found, mover, most, LEAST);
    let mates = chosen
        .iter()
        .any(|detail| matches!(detail, Detail::Checkmate { .. } | Detail::Mate { .. }));
    let won = won_by(sheet, mover).filter(|_| gains && !mates);
    let mut facts: Vec<FactId> = chosen
        .iter()
        .filter_map(|detail| sheet.facts().iter().find(|fact| fact.detail == *detail))
        .map(|fact| fact.id)
        .collect();
    facts.extend(won.as_ref().map(|(_, fact)| *fact));
    let surplus = won.as_ref().map(|(surplus, _)| surplus);
    let acts = deeds(&pointed(&chosen, surplus), surplus, &mut words(sheet));
    if facts.is_empty() {
        facts.extend(move_fact(sheet));
    }
    facts.sort_unstable();
    facts.dedup();
    Point { acts, facts }
}

impl Point {
    /// "forks the king on e1 and the rook on a1"; `None` where nothing is to be said.
    pub fn fin(&self) -> Option<String> {
        (!self.acts.is_empty()).then(|| finite(&self.acts))
    }

    /// "forking the king on e1 and the rook on a1"; `None` where nothing is to be said.
    pub fn ing(&self) -> Option<String> {
        (!self.acts.is_empty()).then(|| gerund(&self.acts))
    }

    /// Whether the player is the subject of what is done: "White castles".
    pub fn of_player(&self) -> bool {
        self.acts.iter().any(|act| act.of_player)
    }
}

/// What goes wrong with the sheet's move, with the reply that shows it: "After Nc3, Black has Nxe4, winning a pawn."
pub fn trouble(sheet: &FactSheet) -> Option<(String, Vec<FactId>)> {
    let fact = sheet.of_kind(FactKind::Punishment).next()?;
    let Detail::Punishment {
        side,
        san,
        acts,
        wins,
        mate,
        ..
    } = &fact.detail
    else {
        return None;
    };
    let (played, side) = (sheet.played().san(), color_name(*side));
    let text = match mate {
        Some(1) => format!("After {played}, {side} mates with {san}."),
        Some(n) => format!("After {played}, {side} forces mate in {n}, starting with {san}."),
        None => {
            let wins = wins.as_ref().filter(|won| won.points() > 0);
            let acts = deeds(&pointed(acts, wins), wins, &mut words(sheet));
            if acts.is_empty() {
                return None;
            }
            format!("After {played}, {side} has {san}, {}.", gerund(&acts))
        }
    };
    Some((text, vec![fact.id]))
}

/// The deeds without what says less than what is won in the end.
fn pointed(acts: &[Detail], won: Option<&Surplus>) -> Vec<Detail> {
    let Some(won) = won else { return acts.to_vec() };
    let only = |role: Role| won.less.is_empty() && won.more == [role];
    acts.iter()
        .filter(|act| match act {
            Detail::Threat(_) | Detail::Attack { .. } | Detail::Development { .. } | Detail::Activity { .. } => false,
            Detail::Capture { taken, gain, .. } => !(taken.role == Role::Pawn && only(Role::Pawn) && *gain != 1),
            _ => true,
        })
        .cloned()
        .collect()
}

/// The fact of how the move is judged, else of the move itself.
pub fn judged(sheet: &FactSheet) -> Vec<FactId> {
    let verdict = sheet.of_kind(FactKind::Verdict).next().map(|fact| fact.id);
    verdict.or_else(|| move_fact(sheet)).into_iter().collect()
}

/// What `side` wins along the line, with the fact.
fn won_by(sheet: &FactSheet, side: Color) -> Option<(Surplus, FactId)> {
    sheet.facts().iter().find_map(|fact| match &fact.detail {
        Detail::MaterialChange { side: winner, surplus } if *winner == side && surplus.points() > 0 => {
            Some((surplus.clone(), fact.id))
        }
        _ => None,
    })
}

/// Whether `side` wins something along the sheet's line.
pub fn wins_material(sheet: &FactSheet, side: Color) -> bool {
    won_by(sheet, side).is_some()
}

fn move_fact(sheet: &FactSheet) -> Option<FactId> {
    let of_the_move = |fact: &&Fact| matches!(fact.detail, Detail::Move { .. } | Detail::Castling { .. });
    let facts = sheet.facts();
    facts.iter().find(of_the_move).or(facts.first()).map(|fact| fact.id)
}

/// The same move is always described in the same words.
fn words(sheet: &FactSheet) -> WordChoice {
    WordChoice::of(&sheet.facts().first().map(|fact| fact.text.clone()).unwrap_or_default())
}
