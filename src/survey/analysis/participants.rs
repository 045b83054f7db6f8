//! Who took part: one row a rater, those too who rated nothing.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::quality::RaterRow;
use crate::survey::{responses::Outcome, session_facts::SessionFacts};

/// Fields of the rater form at most: the table has a column for each.
pub const MOST_FIELDS: usize = 50;

/// A rater, as far as files tell. Of one whose rows alone are there, what only a response set says is `None`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ParticipantRow {
    /// The rater's code.
    pub rater: String,
    /// The name by which a recruiting site knows the rater.
    pub participant: Option<String>,
    /// The row of the design.
    pub slot: Option<u64>,
    /// Whether it was a try before the study.
    pub pilot: bool,
    /// How far the session went.
    pub outcome: Option<Outcome>,
    /// What the rater said of themselves, by the form's fields.
    pub form: BTreeMap<String, String>,
    /// Pages answered, checks and repetitions included.
    pub answered: usize,
    /// Pages of the study.
    pub pages: Option<usize>,
    /// Planted checks passed.
    pub checks_passed: usize,
    /// Planted checks failed.
    pub checks_failed: usize,
    /// Milliseconds from the first event or answer to the last, by the device's clock: pauses and nights included.
    pub total_ms: Option<u64>,
    /// Milliseconds that the study's pages were looked at, checks included, practice not.
    pub active_ms: Option<u64>,
    /// Why the rater is flagged.
    pub flagged: Vec<&'static str>,
    /// Whether the rater is left out of the tables.
    pub left_out: bool,
}

/// All who took part, by their codes: those with ratings and those of whom there is only a response set.
#[must_use]
pub fn participants(
    sessions: &BTreeMap<String, SessionFacts>,
    raters: &[RaterRow],
    left_out: &BTreeSet<&str>,
) -> Vec<ParticipantRow> {
    let rated: BTreeMap<&str, &RaterRow> = raters.iter().map(|row| (row.rater.as_str(), row)).collect();
    let codes: BTreeSet<&str> = rated
        .keys()
        .copied()
        .chain(sessions.keys().map(String::as_str))
        .collect();
    let row = |code: &str| {
        let (facts, rated) = (sessions.get(code), rated.get(code));
        let flags = rated.map_or(&[][..], |row| &row.flags);
        let of_rows = |figure: fn(&RaterRow) -> Option<u64>| rated.and_then(|row| figure(row));
        ParticipantRow {
            rater: code.to_owned(),
            participant: facts.and_then(|facts| facts.participant.clone()),
            slot: facts.and_then(|facts| facts.slot),
            pilot: facts.is_some_and(|facts| facts.pilot),
            outcome: facts.map(|facts| facts.outcome),
            form: facts.map_or_else(BTreeMap::new, |facts| facts.form.clone()),
            answered: facts.map_or_else(|| rated.map_or(0, |row| row.pages), |facts| facts.answered),
            pages: facts.map(|facts| facts.pages),
            checks_passed: facts.map_or_else(
                || rated.map_or(0, |row| row.checks - row.failed_checks),
                |facts| facts.passed,
            ),
            checks_failed: facts.map_or_else(|| rated.map_or(0, |row| row.failed_checks), |facts| facts.failed),
            total_ms: match facts {
                Some(facts) => facts.total_ms(),
                None => of_rows(|row| row.total_ms),
            },
            active_ms: facts
                .map(|facts| facts.active_ms)
                .or_else(|| of_rows(|row| row.active_ms)),
            flagged: flags.iter().map(|flag| flag.words()).collect(),
            left_out: left_out.contains(code),
        }
    };
    codes.into_iter().map(row).collect()
}

/// The fields of the form that anybody answered, by name, and how many there are beyond [`MOST_FIELDS`].
#[must_use]
pub fn fields(rows: &[ParticipantRow]) -> (Vec<&str>, usize) {
    let all: BTreeSet<&str> = rows
        .iter()
        .flat_map(|row| row.form.keys().map(String::as_str))
        .collect();
    let more = all.len().saturating_sub(MOST_FIELDS);
    (all.into_iter().take(MOST_FIELDS).collect(), more)
}
