//! Ratings that can be given away: without what says, or could say, who the raters are.
//!
//! What is kept is named, and everything else goes: numbers, kinds of errors and marks that the study has, and answers of
//! the rater form that are numbers or choices. `docs/analysis.md` lists what is removed. Nobody but a person can say that
//! what is left tells of nobody: a rating of 2871 does.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Rating,
    analysis::table::{Cell, Table},
    long_form::ERROR_KIND,
    rater_code::{SIMULATED_CODE, is_simulated},
    responses::ResponseSet,
    span::{Prefill, SPAN, SPAN_CONDITION, Span},
    study::{FieldKind, Study},
    study_file::MAX_NAME,
};
use crate::{
    pace::{self, Pace},
    random::Rng,
};

/// What is written of the times at which answers were given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Times {
    /// No time at all: durations stay, dates go.
    #[default]
    Dropped,
    /// The day, UTC.
    Day,
}

/// The new names of raters: `R001` and so on, in an order of chance. Simulated raters stay known as such: `sim-001`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renaming(BTreeMap<String, String>);

impl Renaming {
    /// New names for these raters. The order depends on their codes and the seed, on no file's order. Who knows all codes
    /// and the seed can make it again: keep the seed to yourself, or forget it.
    pub async fn new<'a>(codes: impl Iterator<Item = &'a str>, seed: u64, pace: &impl Pace) -> Self {
        let mut raters: BTreeSet<&str> = BTreeSet::new();
        let mut last = None;
        for (place, rater) in codes.enumerate() {
            if place % pace::ROWS == 0 {
                pace.turn().await;
            }
            // A rater's rows follow each other in most files.
            if last.replace(rater) != Some(rater) {
                raters.insert(rater);
            }
        }
        let mut order: Vec<&str> = raters.into_iter().collect();
        Rng::new(seed).shuffle(&mut order);
        let digits = order.len().to_string().len().max(3);
        let name = |(number, rater): (usize, &str)| {
            let prefix = if is_simulated(rater) { SIMULATED_CODE } else { "R" };
            (rater.to_owned(), format!("{prefix}{number:0digits$}"))
        };
        Self((1..).zip(order).map(name).collect())
    }

    /// A rater's new name; empty for one who was not there.
    #[must_use]
    pub fn of(&self, rater: &str) -> &str {
        self.0.get(rater).map_or("", String::as_str)
    }
}

/// Ratings without what says who gave them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Anonymised {
    /// The rows that stay, by rater, item and criterion: not in the order in which pages were shown.
    pub ratings: Vec<Rating>,
    /// Rows that were removed: free text, and what the study does not know.
    pub removed: usize,
}

/// Removes from rows what says who gave them. Without the study, kinds of errors are kept under the name `error_kind`
/// alone, where they are names and no text.
pub async fn anonymised<'a>(
    rows: impl Iterator<Item = &'a Rating>,
    study: Option<&Study>,
    names: &Renaming,
    times: Times,
    pace: &impl Pace,
) -> Anonymised {
    let mut removed = 0;
    // Sorted study by study and rater by rater: all rows at once would be one long step.
    let mut found: BTreeMap<(&str, &str), Vec<Rating>> = BTreeMap::new();
    for (place, row) in rows.enumerate() {
        if place % pace::ROWS == 0 {
            pace.turn().await;
        }
        if !stays(row, study) {
            removed += 1;
            continue;
        }
        let name = names.of(&row.rater);
        found.entry((&row.study, name)).or_default().push(Rating {
            rater: name.to_owned(),
            value: row.value.trim().to_owned(),
            // To the second: two logs are not matched by it.
            active_ms: row.active_ms.map(|ms| ms.saturating_add(500) / 1_000 * 1_000),
            answered_at: match times {
                Times::Dropped => None,
                Times::Day => row.answered_at.as_deref().and_then(day),
            },
            ..row.clone()
        });
    }
    let mut ratings = Vec::new();
    for mut rows in found.into_values() {
        pace.turn().await;
        rows.sort();
        ratings.append(&mut rows);
    }
    Anonymised { ratings, removed }
}

/// Whether a row holds nothing that a rater could have written in their own words.
fn stays(row: &Rating, study: Option<&Study>) -> bool {
    match row.criterion.as_str() {
        SPAN => Span::from_value(&row.value).is_some_and(|span| is_name(&span.kind)),
        SPAN_CONDITION => Prefill::from_word(row.value.trim()).is_some(),
        criterion => match study {
            Some(study) => {
                let asked = study
                    .criteria
                    .iter()
                    .filter_map(|criterion| criterion.follow_up.as_ref());
                let kind = asked
                    .into_iter()
                    .any(|asked| asked.id == criterion && asked.has(&row.value));
                kind || (study.criterion(criterion).is_some() && row.number().is_some())
            }
            None if criterion == ERROR_KIND => is_name(&row.value),
            None => !criterion.ends_with("_text") && row.number().is_some(),
        },
    }
}

/// Letters, digits and a few signs, as kinds are called in studies.
fn is_name(text: &str) -> bool {
    let part = |letter: char| letter.is_ascii_alphanumeric() || "-_.+".contains(letter);
    !text.is_empty() && text.len() <= MAX_NAME && text.chars().all(part)
}

/// The day of a time, `2026-11-21`; nothing where it is written otherwise.
fn day(time: &str) -> Option<String> {
    let day = time.get(..10)?;
    let digits = |from: usize, to: usize| day.as_bytes()[from..to].iter().all(u8::is_ascii_digit);
    let dashes = day.as_bytes()[4] == b'-' && day.as_bytes()[7] == b'-';
    (digits(0, 4) && digits(5, 7) && digits(8, 10) && dashes).then(|| day.to_owned())
}

/// Who took part, without what says who they are: of the rater form the numbers and choices of the study's fields.
#[must_use]
pub fn raters(sets: &[&ResponseSet], study: &Study, names: &Renaming) -> Table {
    let fields: Vec<_> = study
        .form
        .iter()
        .filter(|field| field.kind != FieldKind::Text)
        .collect();
    let mut head = ["rater", "outcome", "answered", "pages", "active_min"]
        .map(str::to_owned)
        .to_vec();
    head.extend(fields.iter().map(|field| format!("form_{}", field.id)));
    let mut rows: Vec<Vec<Cell>> = sets
        .iter()
        .map(|set| {
            let active: u64 = set.pages.iter().map(|page| page.active_ms).sum();
            let mut cells = vec![
                Cell::from(names.of(&set.rater)),
                Cell::Text(set.outcome.word()),
                Cell::Count(set.answered()),
                Cell::Count(set.pages_in_all),
                Cell::Number((active as f64 / 60_000.0).round(), 0),
            ];
            cells.extend(fields.iter().map(|field| {
                let answer = set.form.get(&field.id).map(|answer| answer.trim());
                // What the field does not take was not answered in this study's form.
                let answer = answer.filter(|answer| !answer.is_empty() && field.takes(answer));
                answer.map_or(Cell::None, Cell::from)
            }));
            cells
        })
        .collect();
    rows.sort_by(|a, b| a[0].shown().cmp(&b[0].shown()));
    Table {
        caption: "Raters, anonymised.".to_owned(),
        head,
        rows,
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        pace::{AtOnce, at_once},
        survey::{demonstration::demonstration, long_form::write_csv},
    };

    fn renaming<'a>(codes: impl Iterator<Item = &'a str>, seed: u64) -> Renaming {
        at_once(Renaming::new(codes, seed, &AtOnce))
    }

    fn anonymised(rows: &[Rating], study: Option<&Study>, names: &Renaming, times: Times) -> Anonymised {
        at_once(super::anonymised(rows.iter(), study, names, times, &AtOnce))
    }

    fn row(rater: &str, criterion: &str, value: &str) -> Rating {
        Rating {
            study: "s".into(),
            rater: rater.into(),
            item: "m1/narrator".into(),
            position: "m1".into(),
            method: "narrator".into(),
            criterion: criterion.into(),
            value: value.into(),
            active_ms: Some(61_530),
            answered_at: Some("2026-11-21T12:34:56.789Z".into()),
        }
    }

    #[test]
    fn only_what_the_study_knows_stays() {
        let study = demonstration().unwrap();
        let rows = [
            row("b", "correctness", "3"),
            row("b", "correctness", "I am Bo"),
            row("b", "error_kind", "illegal"),
            row("b", "error_kind", "Bo"),
            row("b", "error_kind_text", "12"),
            row("b", "unknown", "3"),
            row("a", "span", "3-9 illegal"),
            row("a", "span", "3-9 I am Al"),
            row("a", "span_condition", "shown"),
            row("a", "span_condition", "Al"),
            row("sim-007", "clarity", "4"),
        ];
        let names = renaming(rows.iter().map(|row| row.rater.as_str()), 5);
        let found = anonymised(&rows, Some(&study), &names, Times::Dropped);
        assert_eq!((found.ratings.len(), found.removed), (5, 6));
        assert!(found.ratings.is_sorted());
        assert!(
            found
                .ratings
                .iter()
                .all(|row| row.answered_at.is_none() && row.active_ms == Some(62_000))
        );
        let simulated = found.ratings.iter().filter(|row| is_simulated(&row.rater)).count();
        assert_eq!(simulated, 1);
        let days = anonymised(&rows, Some(&study), &names, Times::Day);
        assert!(
            days.ratings
                .iter()
                .all(|row| row.answered_at.as_deref() == Some("2026-11-21"))
        );
        let unknown = anonymised(&rows, None, &names, Times::Dropped);
        let kept: BTreeSet<(&str, &str)> = unknown
            .ratings
            .iter()
            .map(|row| (row.criterion.as_str(), row.value.as_str()))
            .collect();
        assert!(kept.contains(&("unknown", "3")) && !kept.contains(&("error_kind_text", "12")));
    }

    #[test]
    fn names_are_of_chance_and_can_be_made_again() {
        let codes: Vec<String> = (0..30).map(|n| format!("code-{n}")).collect();
        let new = |seed| renaming(codes.iter().map(String::as_str), seed);
        let backwards = renaming(codes.iter().rev().map(String::as_str), 1);
        assert_eq!(new(1), backwards);
        assert_ne!(new(1), new(2));
        let all: BTreeSet<&str> = codes.iter().map(|code| backwards.of(code)).collect();
        assert_eq!((all.len(), all.first(), all.last()), (30, Some(&"R001"), Some(&"R030")));
    }

    proptest! {
        /// No code, no words of a rater, no time of day.
        #[test]
        fn nothing_of_the_raters_is_left(
            raters in prop::collection::btree_set("code-[a-z]{8}", 1..6),
            texts in prop::collection::vec("words [a-zA-Z ,;\"\n]{6,20}", 1..6),
            seed in any::<u64>(),
            with_study in any::<bool>(),
        ) {
            let study = demonstration().unwrap();
            let mut rows = Vec::new();
            for rater in &raters {
                for (n, text) in texts.iter().enumerate() {
                    rows.push(row(rater, "clarity", &(1 + n % 5).to_string()));
                    for criterion in ["error_kind_text", "error_kind", "clarity", "span", "span_condition", "remarks"] {
                        rows.push(row(rater, criterion, text));
                    }
                    rows.push(row(rater, "span", &format!("0-4 {text}")));
                }
            }
            let names = renaming(raters.iter().map(String::as_str), seed);
            let found = anonymised(&rows, with_study.then_some(&study), &names, Times::Day);
            prop_assert_eq!(found.ratings.len(), raters.len() * texts.len());
            let written = write_csv(&found.ratings);
            for secret in raters.iter().chain(&texts).map(String::as_str).chain(["12:34", "61530", "words"]) {
                prop_assert!(!written.contains(secret), "{}: {}", secret, written);
            }
        }
    }
}
