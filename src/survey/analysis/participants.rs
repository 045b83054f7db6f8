//! Who took part: one row a rater, those too who rated nothing.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{quality::RaterRow, table::rounded};
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
    /// The slot.
    pub slot: Option<u64>,
    /// The row of the design of methods, where all raters see all items.
    pub row: Option<u64>,
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
            row: facts.and_then(|facts| facts.row),
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

/// Fields that say how strong a rater plays, by their names in [`preset::paper`](crate::survey::preset::paper); `title` is
/// none of its own. They stand before other fields.
const STRENGTH: [&str; 3] = ["rating", "site", "title"];

/// The fields of the form that anybody answered, rating, site and title first and the others by name, and how many there are
/// beyond [`MOST_FIELDS`].
#[must_use]
pub fn fields(rows: &[ParticipantRow]) -> (Vec<&str>, usize) {
    let all: BTreeSet<&str> = rows
        .iter()
        .flat_map(|row| row.form.keys().map(String::as_str))
        .collect();
    let more = all.len().saturating_sub(MOST_FIELDS);
    let first = STRENGTH.into_iter().filter_map(|field| all.get(field).copied());
    let others = all.iter().copied().filter(|field| !STRENGTH.contains(field));
    (first.chain(others).take(MOST_FIELDS).collect(), more)
}

/// Who is in the tables, in sentences: their chess ratings, by site, for those of different sites are different scales, and
/// the time that they took. What nobody said has no sentence.
#[must_use]
pub fn summary(rows: &[ParticipantRow]) -> Vec<String> {
    let rows = || rows.iter().filter(|row| !row.left_out);
    let mut by_site: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for row in rows() {
        let rating: Option<f64> = row.form.get("rating").and_then(|rating| rating.trim().parse().ok());
        if let Some(rating) = rating.filter(|rating| rating.is_finite()) {
            let site = row.form.get("site").map_or("site not said", String::as_str);
            by_site.entry(site).or_default().push(rating);
        }
    }
    let of_site = |(site, ratings): (&str, Vec<f64>)| {
        let low = ratings.iter().copied().fold(f64::INFINITY, f64::min);
        let high = ratings.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        format!(
            "{site}: mean {}, {} to {} (n = {})",
            rounded(mean(&ratings), 0),
            rounded(low, 0),
            rounded(high, 0),
            ratings.len()
        )
    };
    let mut sentences = Vec::new();
    if !by_site.is_empty() {
        let sites: Vec<String> = by_site.into_iter().map(of_site).collect();
        sentences.push(format!(
            "Chess ratings of the raters in the tables. {}.",
            sites.join("; ")
        ));
    }
    let minutes = |time: fn(&ParticipantRow) -> Option<u64>| {
        let found: Vec<f64> = rows().filter_map(time).map(|ms| ms as f64 / 60_000.0).collect();
        (!found.is_empty()).then(|| format!("{} minutes (n = {})", rounded(mean(&found), 1), found.len()))
    };
    let parts = [
        ("from the first event to the last", minutes(|row| row.total_ms)),
        ("looking at pages", minutes(|row| row.active_ms)),
    ];
    let said: Vec<String> = parts
        .into_iter()
        .filter_map(|(what, minutes)| Some(format!("{what} {}", minutes?)))
        .collect();
    if !said.is_empty() {
        sentences.push(format!("On average they took, {}.", said.join(", ")));
    }
    sentences
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(rating: &str, site: Option<&str>, left_out: bool) -> ParticipantRow {
        let mut form = BTreeMap::from([
            ("rating".to_owned(), rating.to_owned()),
            ("age".to_owned(), "9".to_owned()),
        ]);
        form.extend(site.map(|site| ("site".to_owned(), site.to_owned())));
        ParticipantRow {
            rater: "R".to_owned(),
            participant: None,
            slot: None,
            row: None,
            pilot: false,
            outcome: None,
            form,
            answered: 0,
            pages: None,
            checks_passed: 0,
            checks_failed: 0,
            total_ms: Some(120_000),
            active_ms: (rating == "1500").then_some(60_000),
            flagged: Vec::new(),
            left_out,
        }
    }

    #[test]
    fn ratings_are_told_by_site_and_of_those_in_the_tables() {
        let rows = [
            row("1500", Some("Lichess"), false),
            row("1801", Some("Lichess"), false),
            row("2000", None, false),
            row("none", Some("FIDE"), false),
            row("2800", Some("FIDE"), true),
        ];
        assert_eq!(
            summary(&rows),
            [
                "Chess ratings of the raters in the tables. Lichess: mean 1650, 1500 to 1801 (n = 2); site not said: mean 2000, \
                 2000 to 2000 (n = 1).",
                "On average they took, from the first event to the last 2.0 minutes (n = 4), looking at pages 1.0 minutes (n = 1).",
            ]
        );
        assert_eq!(fields(&rows), (vec!["rating", "site", "age"], 0));
        assert_eq!(summary(&rows[4..]), [""; 0]);
    }
}
