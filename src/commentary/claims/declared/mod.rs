//! Claims that a language model declares of a text, as data: read from its answer, tied to the words they stand for, and
//! judged by the board like any other. What the model thinks of their truth is never asked.

mod answer;
mod schema;

use std::ops::Range;

use super::{
    checked::{Checked, Claim},
    checker::{Readers, check_by, check_in_turns},
    claim::ClaimVerdict,
    evaluation::evaluate,
    statement::{Statement, WrittenStatement},
};
use crate::{commentary::FactSheet, pace::Pace};

pub use answer::{Declared, Dropped, read};
pub use schema::{guide, schema};

/// Checks prose about a move by the claims that were declared of it, if any; words that none stands for are read by our own
/// reader.
///
/// Where our reader contradicts words whose declared claim holds, the claim is left open: one of the two misread. The other way
/// round the declaration stands: what our reader finds true of such words is often less than they say ("only the king
/// guards it" holds of the king), which `docs/claims.md` has figures for.
#[must_use]
pub fn check_declared(sheet: &FactSheet, text: &str, declared: &[Declared]) -> Checked {
    check_declared_by(Readers::default(), sheet, text, declared)
}

/// The same, by these readers beside it.
#[must_use]
pub fn check_declared_by(readers: Readers<'_>, sheet: &FactSheet, text: &str, declared: &[Declared]) -> Checked {
    by_declared(sheet, check_by(readers, sheet, text), declared)
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
    let unread: Vec<Claim> = own.into_iter().filter(|claim| !reconcile(claim, &mut claims)).collect();
    claims.extend(unread);
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

/// Whether a claim of our own reader is about words for which something was declared. Where it contradicts what was declared of
/// the same kind and holds, that is left open.
fn reconcile(own: &Claim, declared: &mut [Claim]) -> bool {
    let mut covered = false;
    for claim in declared.iter_mut() {
        if claim.span.start >= own.span.end || own.span.start >= claim.span.end {
            continue;
        }
        covered = true;
        let against = own.verdict == ClaimVerdict::Contradicted && claim.verdict == ClaimVerdict::Supported;
        if own.kind == claim.kind && against {
            claim.verdict = ClaimVerdict::Uncheckable;
            claim.facts.clear();
            claim.reason = "Two readings of these words disagree.".to_owned();
        }
    }
    covered
}

/// A statement as a line of JSON, for those who look behind a verdict.
#[must_use]
pub fn explained(statement: &Statement) -> String {
    serde_json::to_string(&WrittenStatement::from(statement)).unwrap_or_default()
}
