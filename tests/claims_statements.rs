//! The evaluation of statements, without a word of English: `tests/data/claims/statements.jsonl`, whose truths come from other
//! code (`tests/data/prepare/claims/statements.py`).

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use crate::claim_positions::{LABELLED, read, sheets};
use kibitz::commentary::{
    ClaimVerdict,
    claims::{
        Statement, evaluate,
        statement::{Predicate, WrittenStatement},
    },
};
use serde::Deserialize;

const STATEMENTS: &str = include_str!("data/claims/statements.jsonl");
/// Predicates that the independent code has no definition for; they are judged on whole comments.
const UNDEFINED_THERE: [Predicate; 17] = [
    Predicate::Count,
    Predicate::LegalMoves,
    Predicate::Goes,
    Predicate::Recaptures,
    Predicate::Trades,
    Predicate::Trapped,
    Predicate::ThreatensToTake,
    Predicate::Blocks,
    Predicate::Majority,
    Predicate::BishopPair,
    Predicate::Score,
    Predicate::EquallyGood,
    Predicate::OnlyMove,
    Predicate::GamePhase,
    Predicate::KingUnsafe,
    Predicate::Castles,
    Predicate::Connected,
];

#[derive(Deserialize)]
struct Row {
    pos: String,
    shape: String,
    truth: bool,
    statement: WrittenStatement,
}

#[test]
fn statements_are_judged_as_other_code_judges_them() {
    let sheets = sheets(LABELLED);
    let (mut wrong, mut open) = (Vec::new(), BTreeMap::<String, (usize, usize)>::new());
    let rows = read::<Row>(STATEMENTS);
    let mut seen = Vec::new();
    for row in &rows {
        let statement = Statement::try_from(&row.statement).unwrap();
        seen.push(statement.predicate);
        let truth = evaluate(&statement, &sheets[&row.pos]);
        let counts = open.entry(format!("{} {}", row.shape, row.truth)).or_default();
        counts.0 += 1;
        let (verdict, reason, _) = truth.clone().into_parts();
        counts.1 += usize::from(verdict == ClaimVerdict::NotJudged);
        if row.truth && truth.fails() || !row.truth && truth.holds() {
            let said = serde_json::to_string(&row.statement).unwrap();
            wrong.push(format!("{} {} {said}: {reason}", row.pos, row.truth));
        }
        // What is denied is judged as its opposite.
        let denied = Statement {
            denied: !statement.denied,
            ..statement
        };
        let opposite = evaluate(&denied, &sheets[&row.pos]);
        assert!(!(truth.holds() && opposite.holds()), "{}: {reason}", row.pos);
    }
    let left: usize = open.values().map(|(_, open)| open).sum();
    eprintln!("{} statements, {left} left open", rows.len());
    for (shape, (n, open)) in open.iter().filter(|(_, (n, open))| open * 3 > *n) {
        eprintln!("    {shape}: {open} of {n}");
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        rows.len(),
        wrong.join("\n")
    );
    for predicate in Predicate::ALL {
        assert!(
            seen.contains(predicate) || UNDEFINED_THERE.contains(predicate),
            "{predicate:?} is not asked about"
        );
    }
    assert!(left * 20 < rows.len(), "{left} of {} are left open", rows.len());
}
