//! A rater's results: one JSON file, `kibitz-responses-1`, with everything in it, and rows of the long form.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    answer::{Answer, Change},
    assignment::{Page, PageKind, row},
    event::Event,
    foreign_text::clipped,
    long_form::Rating,
    session::{ClockJump, Ending, Session, Stage, practice_id},
    span::{Prefill, SPAN, SPAN_CONDITION, Span},
    study::{PLANTED, Study},
    time::rfc3339,
};

/// The name of the format.
pub const RESPONSES_SCHEMA: &str = "kibitz-responses-1";

/// The largest file of results that is read, in bytes.
pub const MAX_RESULTS_BYTES: usize = 256_000_000;

/// One rater's results, finished or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResponseSet {
    /// [`RESPONSES_SCHEMA`].
    pub schema: String,
    /// Which study.
    pub study: StudyName,
    /// The rater’s code.
    pub rater: String,
    /// The name by which a recruiting site knows the rater, from the address of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub participant: Option<String>,
    /// The rater's slot, from 1, where the link names one or the study has slots: its share of the items, or its row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<u64>,
    /// The row of the design of methods, from 1, where all raters see all items: see [`row`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<u64>,
    /// Whether this was a try before the study: kept out of its analysis.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pilot: bool,
    /// Which version of the app.
    pub app: String,
    /// How far it went.
    pub outcome: Outcome,
    /// Pages of the study, checks included.
    pub pages_in_all: usize,
    /// The agreement.
    pub consent: Option<Agreed>,
    /// What the rater said of themselves.
    pub form: BTreeMap<String, String>,
    /// The attempts at the questions on the instructions: choices from 1.
    pub comprehension: Vec<Vec<usize>>,
    /// Comments rated for practice.
    pub practice: Vec<PageResponse>,
    /// The pages seen, in the order in which they were shown.
    pub pages: Vec<PageResponse>,
    /// Where the device's clock went another way than time.
    pub clock_jumps: Vec<ClockJump>,
    /// Everything that happened: with the study, the session can be restored from it.
    pub journal: Vec<Event>,
}

/// Which study results belong to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyName {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// [`Study::sha256`].
    pub sha256: String,
}

/// How far a session went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// All pages are answered.
    Complete,
    /// It goes on, or was left.
    Partial,
    /// The rater did not agree.
    Declined,
    /// The questions on the instructions were not answered right.
    FailedComprehension,
    /// What the rater said of themselves does not fit the study.
    ScreenedOut,
    /// Too many planted checks were failed, and the study ended for it.
    FailedChecks,
    /// The rater came back too late.
    Expired,
}

impl Outcome {
    /// As files have it.
    #[must_use]
    pub fn word(self) -> String {
        let written = serde_json::to_value(self).ok();
        // Reason for the fallback: a variant without fields is written as its name.
        written
            .and_then(|value| value.as_str().map(str::to_owned))
            .unwrap_or_default()
    }
}

/// An agreement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agreed {
    /// The version of the consent text.
    pub version: String,
    /// When, RFC 3339.
    pub at: String,
}

/// What became of one page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageResponse {
    /// The page's name, the same for all raters: the `item` of the long form.
    pub item: String,
    /// The study's item, or the check: the `position` of the long form.
    pub position: String,
    /// Whose comment it is.
    pub method: String,
    /// What kind of page it is.
    pub kind: Kind,
    /// Ratings by criterion, points from 1.
    pub ratings: BTreeMap<String, u8>,
    /// Kinds ticked, by follow-up: only where it was asked after the last rating.
    pub ticked: BTreeMap<String, BTreeSet<String>>,
    /// Texts under "other", by the name of their row: only where "other" is ticked.
    pub texts: BTreeMap<String, String>,
    /// Words marked as wrong, in their order; `None` where the study does not ask for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spans: Option<Vec<Span>>,
    /// Which marks the comment carried when it was first shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefill: Option<Prefill>,
    /// Milliseconds that the page was looked at.
    pub active_ms: u64,
    /// When it was first shown, RFC 3339.
    pub shown_at: Option<String>,
    /// When it was last submitted; `None` where it was not, and then it counts nowhere.
    pub answered_at: Option<String>,
    /// For a planted check: whether the expected ratings were given.
    pub passed: Option<bool>,
    /// Every answer and every change of one.
    pub changes: Vec<Change>,
}

/// What a page was for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A comment of the study.
    Comment,
    /// One shown a second time.
    Repeat,
    /// A planted check.
    Planted,
    /// A practice item, which is no part of the results.
    Practice,
}

/// A text that is no set of results.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ResponsesError {
    /// More than [`MAX_RESULTS_BYTES`].
    #[error("it has {0} bytes, more than the {MAX_RESULTS_BYTES} that are read")]
    TooLarge(usize),
    /// Not JSON, or not of this shape.
    #[error("it cannot be read: {0}")]
    Shape(String),
    /// Another format.
    #[error("it is a “{0}”; results are “{RESPONSES_SCHEMA}”")]
    OtherSchema(String),
}

impl ResponseSet {
    /// The results of a session. `journal` is what led to it, `app` the version of the app.
    #[must_use]
    pub fn collect(session: &Session, journal: &[Event], app: &str) -> Self {
        let study = session.study();
        let page = |page: &Page| {
            let mut response = response(study, page, session.answer_on(&page.id)?);
            response.prefill = session.prefill(page);
            Some(response)
        };
        Self {
            schema: RESPONSES_SCHEMA.to_owned(),
            study: StudyName {
                id: study.id.clone(),
                title: study.title.clone(),
                sha256: study.sha256(),
            },
            rater: session.rater().to_owned(),
            participant: session.participant().map(str::to_owned),
            slot: session.slot(),
            row: row(study, session.rater(), session.slot()),
            pilot: study.options.pilot,
            app: app.to_owned(),
            outcome: match session.stage() {
                Stage::Done => Outcome::Complete,
                Stage::Ended(Ending::Declined) => Outcome::Declined,
                Stage::Ended(Ending::Comprehension) => Outcome::FailedComprehension,
                Stage::Ended(Ending::ScreenedOut) => Outcome::ScreenedOut,
                Stage::Ended(Ending::FailedChecks) => Outcome::FailedChecks,
                Stage::Ended(Ending::Expired) => Outcome::Expired,
                _ => Outcome::Partial,
            },
            pages_in_all: session.pages().len(),
            consent: session.consent().map(|(version, at)| Agreed {
                version: version.to_owned(),
                at: rfc3339(at),
            }),
            form: session.form().clone(),
            comprehension: session.attempts().to_vec(),
            practice: (0..study.practice.len())
                .filter_map(|index| {
                    let id = practice_id(index);
                    let answer = session.answer_on(&id)?;
                    Some(filled(
                        study,
                        id.clone(),
                        id,
                        PLANTED.to_owned(),
                        Kind::Practice,
                        answer,
                    ))
                })
                .collect(),
            pages: session.pages().iter().filter_map(page).collect(),
            clock_jumps: session.jumps().to_vec(),
            journal: journal.to_vec(),
        }
    }

    /// Pages that were answered.
    #[must_use]
    pub fn answered(&self) -> usize {
        self.pages.iter().filter(|page| page.answered_at.is_some()).count()
    }

    /// The results as a file: JSON on one line, so that several make JSON lines.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Reason for the fallback: all keys are strings and there are no floating-point numbers, so it cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads one set of results.
    ///
    /// # Errors
    /// When the text is not such a set.
    pub fn read(text: &str) -> Result<Self, ResponsesError> {
        #[derive(Deserialize)]
        struct Head {
            #[serde(default)]
            schema: serde_json::Value,
        }
        if text.len() > MAX_RESULTS_BYTES {
            return Err(ResponsesError::TooLarge(text.len()));
        }
        let shape = |error: serde_json::Error| ResponsesError::Shape(clipped(&error.to_string()));
        let head: Head = serde_json::from_str(text).map_err(shape)?;
        if head.schema != RESPONSES_SCHEMA {
            let name = head
                .schema
                .as_str()
                .map_or_else(|| head.schema.to_string(), str::to_owned);
            return Err(ResponsesError::OtherSchema(clipped(&name)));
        }
        serde_json::from_str(text).map_err(shape)
    }

    /// The answered pages in long form: a row for each criterion, one for each kind ticked, and one for a text under
    /// "other" (criterion `error_kind_text`). Checks, planted or repeated, have the method [`PLANTED`].
    #[must_use]
    pub fn ratings(&self) -> Vec<Rating> {
        let mut rows = Vec::new();
        for page in self.pages.iter().filter(|page| page.answered_at.is_some()) {
            let mut row = |criterion: &str, value: String| {
                rows.push(Rating {
                    study: self.study.id.clone(),
                    rater: self.rater.clone(),
                    item: page.item.clone(),
                    position: page.position.clone(),
                    method: page.method.clone(),
                    criterion: criterion.to_owned(),
                    value,
                    active_ms: Some(page.active_ms),
                    answered_at: page.answered_at.clone(),
                });
            };
            for (criterion, value) in &page.ratings {
                row(criterion, value.to_string());
            }
            for (follow_up, kinds) in &page.ticked {
                for kind in kinds {
                    row(follow_up, kind.clone());
                }
            }
            for (name, text) in &page.texts {
                row(name, text.clone());
            }
            for span in page.spans.iter().flatten() {
                row(SPAN, span.to_value());
            }
            if let Some(prefill) = page.prefill {
                row(SPAN_CONDITION, prefill.word().to_owned());
            }
        }
        rows
    }
}

fn response(study: &Study, page: &Page, answer: &Answer) -> PageResponse {
    let (position, method, kind) = match page.kind {
        PageKind::Comment(item, comment) => {
            let item = &study.items[item];
            (item.id.clone(), item.comments[comment].method.clone(), Kind::Comment)
        }
        PageKind::Repeat(item, _) => (study.items[item].id.clone(), PLANTED.to_owned(), Kind::Repeat),
        PageKind::Planted(check) => (
            study.checks.planted[check].id.clone(),
            PLANTED.to_owned(),
            Kind::Planted,
        ),
    };
    let mut response = filled(study, page.id.clone(), position, method, kind, answer);
    if let PageKind::Planted(check) = page.kind {
        let expected = &study.checks.planted[check].expected;
        response.passed = answer.submitted.map(|_| answer.meets(expected));
    }
    response
}

fn filled(study: &Study, item: String, position: String, method: String, kind: Kind, answer: &Answer) -> PageResponse {
    let mut ticked = BTreeMap::new();
    let mut texts = BTreeMap::new();
    for criterion in &study.criteria {
        let Some(follow_up) = &criterion.follow_up else {
            continue;
        };
        let kinds = answer.ticked(criterion);
        let text = answer.texts.get(&follow_up.id).map_or("", |text| text.trim());
        if kinds.contains(super::criteria::OTHER) && !text.is_empty() {
            texts.insert(follow_up.text_id(), text.to_owned());
        }
        if !kinds.is_empty() {
            ticked.insert(follow_up.id.clone(), kinds);
        }
    }
    PageResponse {
        item,
        position,
        method,
        kind,
        ratings: answer.ratings.clone(),
        ticked,
        texts,
        spans: answer.spans.clone(),
        prefill: None,
        active_ms: answer.active_ms,
        shown_at: answer.shown.map(rfc3339),
        answered_at: answer.submitted.map(rfc3339),
        passed: None,
        changes: answer.changes.clone(),
    }
}
