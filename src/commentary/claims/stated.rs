//! Claims of our own reader's statements: what it read, judged by the board, and set beside what the families found.

use shakmaty::Position;

use super::{
    claim::ClaimKind,
    draft::Draft,
    evaluation::evaluate,
    reading::{self, Reading},
    statement::{Designation, Predicate, Statement},
    truth::{self, Truth},
};
use crate::{
    chess::{Man, destination},
    commentary::FactSheet,
};

/// A claim that was read as statements.
#[derive(Debug, Clone)]
pub struct Stated {
    /// The claim.
    pub draft: Draft,
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
        if truth.fails() && reading.doubtful {
            truth = truth.lenient("Its words may say something else.");
        }
        let draft = Draft {
            kind: reading.predicate.kind(),
            span: reading.span.clone(),
            truth,
        };
        Stated { draft, statements }
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

/// Adds what was stated. Where the two say the opposite of the same words, that is left open; where one of them leaves open
/// what the other decides, it is decided; where both found the same, it is said once.
///
/// A sentence that stands alone (`alone`) is plain: there the families read better, and have the last word.
pub fn reconcile(drafts: &mut Vec<Draft>, stated: &[Stated], alone: bool) {
    let open = |draft: &Draft| !draft.truth.holds() && !draft.truth.fails();
    let mut own: Vec<Draft> = Vec::new();
    for Stated { draft, .. } in stated {
        let mut new = draft.clone();
        let decided = |old: &&Draft| alone && meet(old, &new) && !open(old);
        if drafts
            .iter()
            .chain(&own)
            .filter(decided)
            .any(|old| old.kind == new.kind || new.truth.fails())
        {
            continue;
        }
        for old in drafts.iter_mut().chain(&mut own) {
            let decided = !open(old) && !open(&new) && meet(old, &new) && old.kind == new.kind;
            if decided && old.truth.holds() != new.truth.holds() {
                let disagree = Truth::unknown("Two readings of these words disagree.");
                old.truth = disagree.clone();
                new.truth = disagree;
            }
        }
        if open(&new) && drafts.iter().chain(&own).any(|old| meet(old, &new)) {
            continue;
        }
        let decides = |old: &Draft| open(old) && old.kind == new.kind && meet(old, &new);
        drafts.retain(|old| !decides(old));
        own.retain(|old| !decides(old));
        own.push(new);
    }
    for new in own {
        match drafts.iter_mut().find(|old| is_same(old, &new)) {
            Some(old) => old.span = old.span.start.min(new.span.start)..old.span.end.max(new.span.end),
            None => drafts.push(new),
        }
    }
}

/// Whether both speak of some words; those that are said of no words in particular, of the words round them.
fn meet(one: &Draft, other: &Draft) -> bool {
    one.span.start < other.span.end && other.span.start < one.span.end
}

/// Whether both say the same of what they are about.
fn agree(one: &Draft, other: &Draft) -> bool {
    one.kind == other.kind && one.truth.holds() == other.truth.holds() && one.truth.fails() == other.truth.fails()
}

/// Whether both found the same of the same words: most of the longer stretch; of moves those of the shorter, as one of the two
/// has their numbers too.
fn is_same(one: &Draft, other: &Draft) -> bool {
    let end = one.span.end.min(other.span.end);
    let shared = end.saturating_sub(one.span.start.max(other.span.start));
    let stretch = if one.kind == ClaimKind::Legality {
        shared == one.span.len().min(other.span.len())
    } else {
        2 * shared > one.span.len().max(other.span.len())
    };
    agree(one, other) && shared > 0 && stretch
}

/// What a claim says as data: where just that was stated of the same words, whoever found it.
pub fn as_data(draft: &Draft, stated: &[Stated]) -> Vec<Statement> {
    let same = |one: &&Stated| {
        let Stated { draft: of, .. } = one;
        meet(of, draft) && agree(of, draft)
    };
    stated
        .iter()
        .find(same)
        .map(|found| found.statements.clone())
        .unwrap_or_default()
}
