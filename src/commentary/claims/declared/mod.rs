//! Claims that a language model declares of a text, as data: read from its answer, tied to the words they stand for, and
//! judged by the board like any other. What the model thinks of their truth is never asked.

mod answer;
mod keyed;
mod schema;

use std::ops::Range;

use super::{
    checked::{Checked, Claim},
    checker::{check, check_in_turns, unread},
    evaluation::evaluate,
    statement::{Statement, WrittenStatement},
};
use crate::{commentary::FactSheet, pace::Pace};

pub use answer::{Declared, Dropped, LONGEST_ANSWER, read, read_entries};
pub use keyed::{KeyedLists, comment_key, read_keyed};
pub use schema::{guide, schema};

/// Checks prose about a move by the claims that were declared of it, if any; words that none stands for are read by our own
/// reader. The declaration stands where the two differ: `docs/claims.md` has the figures.
#[must_use]
pub fn check_declared(sheet: &FactSheet, text: &str, declared: &[Declared]) -> Checked {
    by_declared(sheet, check(sheet, text), declared)
}

/// The same without our own reader: words that no declared claim stands for are not judged.
#[must_use]
pub fn check_declared_alone(sheet: &FactSheet, text: &str, declared: &[Declared]) -> Checked {
    by_declared(sheet, unread(text), declared)
}

/// The same, sentence by sentence.
pub async fn check_declared_in_turns(
    sheet: &FactSheet,
    text: &str,
    declared: &[Declared],
    pace: &impl Pace,
) -> Checked {
    by_declared(sheet, check_in_turns(sheet, text, pace).await, declared)
}

/// Puts what was declared in the place of what was read of the same words.
fn by_declared(sheet: &FactSheet, mut checked: Checked, declared: &[Declared]) -> Checked {
    if declared.is_empty() {
        return checked;
    }
    let own = std::mem::take(&mut checked.claims);
    let mut claims: Vec<Claim> = declared
        .iter()
        .filter(|declared| {
            checked
                .text
                .get(declared.span.clone())
                .is_some_and(|words| !words.is_empty())
        })
        .map(|declared| judged(sheet, &checked.text, &checked.sentences, declared))
        .collect();
    let is_declared = |words: &Range<usize>| {
        declared
            .iter()
            .any(|declared| declared.span.start < words.end && words.start < declared.span.end)
    };
    claims.extend(own.into_iter().filter(|claim| !is_declared(&claim.span)));
    claims.sort_by_key(|claim| (claim.span.start, claim.span.end));
    // What is said twice is told once, however it was declared.
    claims.dedup_by(|one, other| {
        let told = |claim: &Claim| (claim.kind, claim.verdict);
        one.span == other.span && told(one) == told(other) && one.reason == other.reason && one.facts == other.facts
    });
    checked.claims = claims;
    checked
}

fn judged(sheet: &FactSheet, text: &str, sentences: &[Range<usize>], declared: &Declared) -> Claim {
    let (verdict, reason, facts) = evaluate(&declared.statement, sheet).into_parts();
    let span = declared.span.clone();
    Claim {
        text: text.get(span.clone()).unwrap_or_default().to_owned(),
        sentence: sentences
            .iter()
            .rposition(|sentence| sentence.start <= span.start)
            .unwrap_or(0),
        span,
        kind: declared.statement.predicate.kind(),
        verdict,
        facts,
        reason,
        statements: vec![declared.statement.clone()],
    }
}

/// A statement as a line of JSON, for those who look behind a verdict.
#[must_use]
pub fn explained(statement: &Statement) -> String {
    serde_json::to_string(&WrittenStatement::from(statement)).unwrap_or_default()
}
