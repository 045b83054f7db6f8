//! Claims of our own reader's statements: what it read, judged by the board, and told once.

use std::ops::Range;

use shakmaty::Position;

use super::{
    evaluation::evaluate,
    reading::{self, Reading},
    statement::{Designation, Predicate, Statement},
    truth::{self, Truth},
};
use crate::{
    chess::{Man, destination},
    commentary::FactSheet,
};

/// A claim that was read as statements, judged.
#[derive(Debug, Clone)]
pub struct Stated {
    /// What it says.
    pub predicate: Predicate,
    /// Bytes of the text.
    pub span: Range<usize>,
    /// What board and engine say of it.
    pub truth: Truth,
    /// What it says as data: all of these.
    pub statements: Vec<Statement>,
}

/// What a sentence was read as, judged.
pub fn stated(sheet: &FactSheet, read: Vec<Reading>) -> Vec<Stated> {
    let judged = |reading: Reading| {
        let is_deed = reading.predicate.kind().is_deed();
        let found = of_readings(sheet, &reading.alternatives, is_deed);
        let (mut truth, mut statements) =
            found.unwrap_or_else(|| (Truth::unknown("The moves before it can't be played."), Vec::new()));
        if truth.fails() && !on_the_board(sheet, &reading.alternatives) {
            if let Some((elsewhere, said)) = of_readings(sheet, &reading.elsewhere, is_deed) {
                let better = truth::any([truth.clone(), elsewhere]);
                if better != truth {
                    (truth, statements) = (better, said);
                }
            }
            // That such a man stands nowhere is a claim of its own, and it may be another that moves.
            if is_deed && said_of_men(&reading) {
                truth = truth.lenient("It may be said of another man.");
            }
        }
        Stated {
            predicate: reading.predicate,
            span: reading.span,
            truth,
            statements,
        }
    };
    read.into_iter().map(judged).collect()
}

/// What the board says of several readings, and the one that it says it of; `None` where none of them speaks of a position that can
/// be reached.
fn of_readings(sheet: &FactSheet, alternatives: &[Vec<Statement>], is_deed: bool) -> Option<(Truth, Vec<Statement>)> {
    let reached: Vec<(Truth, &Vec<Statement>)> = alternatives
        .iter()
        .filter(|statements| is_reached(sheet, statements))
        .map(|statements| {
            (
                truth::all(statements.iter().map(|one| evaluate(one, sheet))),
                statements,
            )
        })
        .collect();
    let truth = truth::any(reached.iter().map(|(truth, _)| truth.clone()));
    let (_, said) = reached.iter().find(|(of, _)| *of == truth)?;
    // Where one of the lines that may be meant leads nowhere, a deed may be done along another.
    let truth = if is_deed && reached.len() < alternatives.len() {
        truth.lenient("It may be said of another position.")
    } else {
        truth
    };
    Some((truth, (*said).clone()))
}

/// Whether it is said of men here and now.
fn said_of_men(reading: &Reading) -> bool {
    let mut statements = reading.alternatives.iter().flatten();
    statements.all(|statement| statement.line.moves.is_empty() && statement.subject.is_some())
}

/// Whether the men that are named with their squares stand on the board after the move.
fn on_the_board(sheet: &FactSheet, alternatives: &[Vec<Statement>]) -> bool {
    let board = sheet.played().after.board();
    let named = alternatives
        .iter()
        .flatten()
        .flat_map(|statement| statement.subject.iter().chain(&statement.objects));
    let mut placed = named
        .filter(|man| man.square.is_some() && man.role.is_some())
        .peekable();
    placed.peek().is_some() && placed.all(|man| !man.men(board).is_empty())
}

/// Whether the position that is spoken of can be reached. That moves can't be played is a claim of its own, and nothing is said of
/// where they would lead.
fn is_reached(sheet: &FactSheet, statements: &[Statement]) -> bool {
    let Some(statement) = statements.first() else {
        return false;
    };
    let line = Statement {
        line: statement.line.clone(),
        ..Statement::new(Predicate::Playable)
    };
    statement.predicate == Predicate::Playable || statement.line.moves.is_empty() || evaluate(&line, sheet).holds()
}

/// What is known of the move before a text about it is read.
pub fn subject(sheet: &FactSheet) -> reading::Subject {
    let played = sheet.played();
    let white = played.before.turn().is_white();
    let number = played.before.fullmoves().get().saturating_sub(1);
    let moved = Man::at(played.after.board(), destination(played.mv));
    reading::Subject {
        ply: number.saturating_mul(2) + u32::from(!white),
        san: played.san(),
        moved: moved.map_or_else(Designation::default, |man| Designation {
            color: Some(man.color),
            role: Some(man.role),
            square: Some(man.square),
            ..Designation::default()
        }),
    }
}

/// Each claim once. Where two readings of the same words say the opposite, that is left open; where one of them leaves open what
/// the other decides, it is decided.
pub fn told_once(stated: Vec<Stated>) -> Vec<Stated> {
    let mut told: Vec<Stated> = Vec::new();
    for mut new in stated {
        for old in &mut told {
            let decided =
                old.is_decided() && new.is_decided() && old.meets(&new) && old.predicate.kind() == new.predicate.kind();
            if decided && old.truth.holds() != new.truth.holds() {
                let disagree = Truth::unknown("Two readings of these words disagree.");
                old.truth = disagree.clone();
                new.truth = disagree;
            }
        }
        if !new.is_decided() && told.iter().any(|old| old.meets(&new)) {
            continue;
        }
        told.retain(|old| old.is_decided() || old.predicate.kind() != new.predicate.kind() || !old.meets(&new));
        match told.iter_mut().find(|old| old.is_same(&new)) {
            Some(old) => old.span = old.span.start.min(new.span.start)..old.span.end.max(new.span.end),
            None => told.push(new),
        }
    }
    told
}

impl Stated {
    fn is_decided(&self) -> bool {
        self.truth.holds() || self.truth.fails()
    }

    /// Whether both speak of some words.
    fn meets(&self, other: &Self) -> bool {
        self.span.start < other.span.end && other.span.start < self.span.end
    }

    /// Whether both found the same of the same words: most of the longer stretch; of moves those of the shorter, as one of the two
    /// has their numbers too.
    fn is_same(&self, other: &Self) -> bool {
        let agree = self.predicate.kind() == other.predicate.kind()
            && self.truth.holds() == other.truth.holds()
            && self.truth.fails() == other.truth.fails();
        let end = self.span.end.min(other.span.end);
        let shared = end.saturating_sub(self.span.start.max(other.span.start));
        let stretch = if self.predicate == Predicate::Playable {
            shared == self.span.len().min(other.span.len())
        } else {
            2 * shared > self.span.len().max(other.span.len())
        };
        agree && shared > 0 && stretch
    }
}
