//! Words marked as wrong: how far raters agree on them, and what marks that were there before do to people.
//!
//! Tokens are the comment's words, parted by white space. A token is marked when any of its characters is. Agreement is
//! Krippendorff's alpha, nominal, with tokens as the units and raters as the coders ("Computing Krippendorff's
//! alpha-reliability", 2011; "Content Analysis", 4th ed. 2018, chapter 12); and the F1 of exactly the same marks over all
//! pairs of raters, each being held against the other (Hripcsak and Rothschild, "Agreement, the F-measure, and reliability
//! in information retrieval", JAMIA 12, 2005). Of several positions alpha has an interval, as in Table 3: another study would
//! draw other positions, each with all its comments and their words.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use serde::Serialize;

use super::{
    Options,
    agreement::{Found, with_interval},
    dataset::{Dataset, Marked},
};
use crate::{
    pace::Pace,
    stats::{
        Interval, Undefined,
        alpha::{Coincidences, Level, MOST_VALUES, alpha_of},
    },
    survey::{
        analysis::material::Material,
        span::{Prefill, Span},
    },
};

/// The words of a comment as ranges of characters.
#[must_use]
pub fn tokens(comment: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    let mut end = 0;
    for (place, letter) in comment.chars().enumerate() {
        match (letter.is_whitespace(), start) {
            (true, Some(from)) => {
                found.push(from..place);
                start = None;
            }
            (false, None) => start = Some(place),
            _ => {}
        }
        end = place + 1;
    }
    found.extend(start.map(|from| from..end));
    found
}

/// Each token's kind of error, if it is marked: of several marks that of the one that covers most of its characters, then
/// of the first.
#[must_use]
pub fn labels<'a>(tokens: &[Range<usize>], spans: &'a [Span]) -> Vec<Option<&'a str>> {
    let mut sorted: Vec<&Span> = spans.iter().collect();
    sorted.sort();
    let mut found: Vec<(usize, Option<&str>)> = vec![(0, None); tokens.len()];
    for span in sorted {
        let first = tokens.partition_point(|token| token.end <= span.start);
        for (token, found) in tokens.iter().zip(&mut found).skip(first) {
            if token.start >= span.end {
                break;
            }
            let covered = token.end.min(span.end) - token.start.max(span.start);
            if covered > found.0 {
                *found = (covered, Some(&span.kind));
            }
        }
    }
    found.into_iter().map(|(_, kind)| kind).collect()
}

/// How many of `prefilled` are among `given`: the same words with the same kind.
#[must_use]
pub fn kept(prefilled: &[Span], given: &[Span]) -> usize {
    let given: BTreeSet<&Span> = given.iter().collect();
    prefilled.iter().filter(|span| given.contains(span)).count()
}

/// Agreement on one comment's marks, as sums that add up over comments.
#[derive(Debug, Clone, Default, PartialEq)]
struct Agreed {
    raters: usize,
    /// Each token's labels by rater, as numbers: 0 unmarked, else the kind's.
    labels: Vec<Vec<f64>>,
    /// Pairs of raters with exactly the same mark, without and with its kind.
    same: [f64; 2],
    /// Marks of both raters of each pair.
    both: [f64; 2],
}

/// Whoever was asked for marks on one comment.
fn agreed(comment: &str, given: &[&[Span]], kinds: &BTreeMap<&str, usize>) -> Agreed {
    let tokens = tokens(comment);
    let mut found = Agreed {
        raters: given.len(),
        labels: vec![Vec::with_capacity(given.len()); tokens.len()],
        ..Agreed::default()
    };
    let mut places: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut marks: BTreeMap<&Span, usize> = BTreeMap::new();
    let mut counts = [0, 0];
    for spans in given {
        for (token, label) in found.labels.iter_mut().zip(labels(&tokens, spans)) {
            let number = label.and_then(|kind| kinds.get(kind)).map_or(0, |place| place + 1);
            token.push(number as f64);
        }
        let own: BTreeSet<(usize, usize)> = spans.iter().map(|span| (span.start, span.end)).collect();
        counts[0] += own.len();
        for place in own {
            *places.entry(place).or_default() += 1;
        }
        let own: BTreeSet<&Span> = spans.iter().collect();
        counts[1] += own.len();
        for mark in own {
            *marks.entry(mark).or_default() += 1;
        }
    }
    // Of n raters with one mark n (n − 1) / 2 pairs share it; each rater is in (raters − 1) pairs.
    let pairs = |n: &usize| (*n as f64) * (*n as f64 - 1.0) / 2.0;
    found.same = [places.values().map(pairs).sum(), marks.values().map(pairs).sum()];
    found.both = counts.map(|count| count as f64 * (given.len() as f64 - 1.0));
    found
}

/// Agreement on marks: on one comment, or on several put together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpanAgreementRow {
    /// "all", a condition, or "comment".
    pub scope: &'static str,
    /// The comment's position; `None` of several comments.
    pub position: Option<String>,
    /// The comment's method.
    pub method: Option<String>,
    /// Comments with at least two raters.
    pub comments: usize,
    /// Raters asked for marks, of each comment; of several comments the sum.
    pub ratings: usize,
    /// Tokens of the comments.
    pub tokens: usize,
    /// The share of tokens marked, over raters.
    pub marked: Option<f64>,
    /// Alpha of tokens, marked or not.
    pub alpha: Option<f64>,
    /// The lower end of its bootstrap interval over positions; `None` of one comment.
    pub alpha_low: Option<f64>,
    /// The upper end.
    pub alpha_high: Option<f64>,
    /// Alpha of tokens with the kind of error.
    pub alpha_kinds: Option<f64>,
    /// The lower end of its bootstrap interval over positions; `None` of one comment.
    pub alpha_kinds_low: Option<f64>,
    /// The upper end.
    pub alpha_kinds_high: Option<f64>,
    /// The F1 of exactly the same words, over pairs of raters; `None` where nobody marked anything.
    pub f1: Option<f64>,
    /// The same with the kind.
    pub f1_kinds: Option<f64>,
    /// Why there is no alpha.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<Undefined>,
    /// Why alphas of several comments have no interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined_interval: Option<Undefined>,
}

/// A comment's position, and the agreement on it.
type Part = (usize, Agreed);

/// Of comments in the order of their positions.
async fn row(scope: &'static str, parts: &[Part], kinds: usize, level: f64, pace: &impl Pace) -> SpanAgreementRow {
    let numbers: Vec<f64> = (0..=kinds).map(|number| number as f64).collect();
    let (marked, marked_interval) = alpha(parts, |label| label.min(1.0), &[0.0, 1.0], level, pace).await;
    let (with_kinds, kinds_interval) = if kinds < MOST_VALUES {
        alpha(parts, |label| label, &numbers, level, pace).await
    } else {
        let reason = Undefined::TooMany {
            what: "kinds",
            found: kinds,
            most: MOST_VALUES,
        };
        (Err(reason), Err(reason))
    };
    let labels = || parts.iter().flat_map(|(_, part)| part.labels.iter().flatten());
    let all = labels().count();
    let marks = labels().filter(|label| **label > 0.0).count();
    let f1 = |place: usize| {
        let sum = |of: fn(&Agreed) -> [f64; 2]| parts.iter().map(|(_, part)| of(part)[place]).sum::<f64>();
        let both = sum(|part| part.both);
        (both > 0.0).then(|| 2.0 * sum(|part| part.same) / both)
    };
    let ends = |interval: Result<Interval, Undefined>| (interval.ok().map(|i| i.low), interval.ok().map(|i| i.high));
    let ((alpha_low, alpha_high), (alpha_kinds_low, alpha_kinds_high)) = (ends(marked_interval), ends(kinds_interval));
    // Why an alpha is missing is why its interval is.
    let lacking = |alpha: Result<f64, Undefined>, interval: Result<Interval, Undefined>| alpha.ok().and(interval.err());
    SpanAgreementRow {
        scope,
        position: None,
        method: None,
        comments: parts.len(),
        ratings: parts.iter().map(|(_, part)| part.raters).sum(),
        tokens: parts.iter().map(|(_, part)| part.labels.len()).sum(),
        marked: (all > 0).then(|| marks as f64 / all as f64),
        alpha: marked.ok(),
        alpha_low,
        alpha_high,
        alpha_kinds: with_kinds.ok(),
        alpha_kinds_low,
        alpha_kinds_high,
        f1: f1(0),
        f1_kinds: f1(1),
        undefined: marked.err().or(with_kinds.err()),
        undefined_interval: lacking(marked, marked_interval).or(lacking(with_kinds, kinds_interval)),
    }
}

/// Alpha of tokens, and its interval over positions.
async fn alpha(parts: &[Part], label: impl Fn(f64) -> f64, values: &[f64], level: f64, pace: &impl Pace) -> Found {
    let mut positions = Vec::new();
    for comments in parts.chunk_by(|(a, _), (b, _)| a == b) {
        pace.turn().await;
        let tokens = comments.iter().flat_map(|(_, part)| part.labels.iter());
        let tokens: Vec<Vec<f64>> = tokens
            .map(|token| token.iter().map(|given| label(*given)).collect())
            .collect();
        positions.push(Coincidences::of(tokens.iter().map(Vec::as_slice), values));
    }
    positions.retain(|position| position.pairs() > 0);
    let figure = |times: &dyn Fn(usize) -> u32| {
        let drawn = positions.iter().enumerate().map(|(place, part)| (part, times(place)));
        alpha_of(drawn, values, Level::Nominal).map(|found| found.alpha)
    };
    let size = positions.iter().map(Coincidences::pairs).sum::<usize>() + values.len() * values.len();
    with_interval(positions.len(), size, level, figure, pace).await
}

/// What marks that were there before did to raters.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpanConditionRow {
    /// Which marks the comment carried when it was first shown.
    pub condition: Prefill,
    /// Pages rated so.
    pub pages: usize,
    /// Raters of these.
    pub raters: usize,
    /// Marks on a page in the end, mean.
    pub marks: f64,
    /// Marks of the claim check on these pages; under "hidden" raters did not see them.
    pub prefilled: usize,
    /// The share of these among the raters' marks in the end: the same words, the same kind.
    pub kept: Option<f64>,
    /// Planted wrong marks on these pages; only under "planted" raters saw them.
    pub planted: usize,
    /// The share of these among the raters' marks in the end.
    pub accepted: Option<f64>,
}

/// Agreement on marks, and marks by condition.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SpanReport {
    /// Agreement: all comments, by condition, then comment by comment. Empty where nobody was asked for marks.
    pub agreement: Vec<SpanAgreementRow>,
    /// By condition.
    pub conditions: Vec<SpanConditionRow>,
    /// Comments of which the text is not known, so that they have no tokens.
    pub without_text: usize,
}

/// What the marks of a dataset say. Texts, and the marks that were shown, come from the study.
#[must_use]
pub async fn spans(data: &Dataset, material: &Material, options: &Options, pace: &impl Pace) -> SpanReport {
    let kinds: BTreeSet<&str> = data
        .marked
        .iter()
        .flat_map(|marked| marked.spans.iter().map(|span| span.kind.as_str()))
        .collect();
    let kinds: BTreeMap<&str, usize> = kinds.into_iter().zip(0..).collect();
    let mut report = SpanReport::default();
    let mut comments: Vec<(usize, Agreed)> = Vec::new();
    let mut by_condition: BTreeMap<Prefill, Vec<Part>> = BTreeMap::new();
    let mut conditions: BTreeMap<Prefill, Seen> = BTreeMap::new();
    for group in data.marked.chunk_by(|a, b| a.item == b.item) {
        pace.turn().await;
        let item = data.items[group[0].item];
        let key = (data.positions[item.position].clone(), data.methods[item.method].clone());
        let comment = material.comments.get(&key);
        for marked in group {
            if let Some(condition) = marked.condition {
                let (marks, decoys) = comment.map_or((&[][..], &[][..]), |comment| (&comment.marks, &comment.decoys));
                conditions.entry(condition).or_default().add(marked, marks, decoys);
            }
        }
        let Some(text) = comment
            .map(|comment| comment.text.as_str())
            .filter(|text| !text.is_empty())
        else {
            report.without_text += 1;
            continue;
        };
        let given: Vec<&[Span]> = group.iter().map(|marked| marked.spans.as_slice()).collect();
        if given.len() > 1 {
            comments.push((group[0].item, agreed(text, &given, &kinds)));
        }
        for condition in [Prefill::Hidden, Prefill::Shown, Prefill::Planted] {
            let own = group.iter().filter(|marked| marked.condition == Some(condition));
            let given: Vec<&[Span]> = own.map(|marked| marked.spans.as_slice()).collect();
            if given.len() > 1 {
                by_condition
                    .entry(condition)
                    .or_default()
                    .push((item.position, agreed(text, &given, &kinds)));
            }
        }
    }
    // In the order of their names: an interval does not depend on which file was read first.
    let by_name = |a: &Part, b: &Part| data.positions[a.0].cmp(&data.positions[b.0]);
    for (condition, mut parts) in by_condition {
        parts.sort_by(by_name);
        report
            .agreement
            .push(row(condition.word(), &parts, kinds.len(), options.level, pace).await);
    }
    let mut all = Vec::with_capacity(comments.len());
    for (item, agreed) in comments {
        let item = data.items[item];
        let part = [(item.position, agreed)];
        report.agreement.push(SpanAgreementRow {
            position: Some(data.positions[item.position].clone()),
            method: Some(data.methods[item.method].clone()),
            // One position has no interval.
            undefined_interval: None,
            ..row("comment", &part, kinds.len(), options.level, pace).await
        });
        all.extend(part);
    }
    if !all.is_empty() {
        all.sort_by(by_name);
        let row = row("all", &all, kinds.len(), options.level, pace).await;
        report.agreement.insert(0, row);
    }
    report.conditions = conditions
        .into_iter()
        .map(|(condition, seen)| seen.row(condition))
        .collect();
    report
}

/// Counts of one condition.
#[derive(Debug, Default)]
struct Seen {
    pages: usize,
    raters: BTreeSet<usize>,
    marks: usize,
    prefilled: usize,
    kept: usize,
    planted: usize,
    accepted: usize,
}

impl Seen {
    fn add(&mut self, marked: &Marked, prefilled: &[Span], decoys: &[Span]) {
        self.pages += 1;
        self.raters.insert(marked.rater);
        self.marks += marked.spans.len();
        self.prefilled += prefilled.len();
        self.kept += kept(prefilled, &marked.spans);
        self.planted += decoys.len();
        self.accepted += kept(decoys, &marked.spans);
    }

    fn row(&self, condition: Prefill) -> SpanConditionRow {
        let share = |of: usize, all: usize| (all > 0).then(|| of as f64 / all as f64);
        SpanConditionRow {
            condition,
            pages: self.pages,
            raters: self.raters.len(),
            marks: self.marks as f64 / self.pages.max(1) as f64,
            prefilled: self.prefilled,
            kept: share(self.kept, self.prefilled),
            planted: self.planted,
            accepted: share(self.accepted, self.planted),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: usize, end: usize, kind: &str) -> Span {
        Span {
            start,
            end,
            kind: kind.to_owned(),
        }
    }

    #[test]
    fn tokens_are_words_by_characters() {
        assert_eq!(tokens(" Żółw  nie\nbije."), [1..5, 7..10, 11..16]);
        assert_eq!((tokens(""), tokens("  ")), (Vec::new(), Vec::new()));
    }

    #[test]
    fn a_token_is_marked_when_any_of_its_characters_is() {
        let tokens = tokens("The bishop pins it");
        let marks = [span(3, 5, "b"), span(9, 13, "a")];
        assert_eq!(labels(&tokens, &marks), [None, Some("b"), Some("a"), None]);
        // The mark with most of the token; of equals the first.
        assert_eq!(labels(&tokens, &[span(4, 6, "b"), span(6, 10, "a")])[1], Some("a"));
        assert_eq!(labels(&tokens, &[span(4, 7, "b"), span(7, 10, "a")])[1], Some("b"));
        assert_eq!(labels(&tokens, &[span(0, 99, "x")]), [Some("x"); 4]);
    }

    #[test]
    fn a_mark_is_kept_with_its_words_and_kind() {
        let before = [span(0, 3, "a"), span(4, 9, "b"), span(10, 12, "a")];
        assert_eq!(kept(&before, &[span(0, 3, "a"), span(4, 9, "a"), span(10, 13, "a")]), 1);
        assert_eq!((kept(&before, &[]), kept(&[], &before)), (0, 0));
    }
}
