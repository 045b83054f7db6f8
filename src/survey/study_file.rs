//! Reading study files, and what can be wrong with a study: every fault is named with its place.

use std::{collections::BTreeSet, fmt};

use serde::Deserialize;
use thiserror::Error;

pub use super::limits::{MAX_NAME, MAX_PAGES, MAX_STUDY_BYTES, MAX_TEXT};
use super::{
    allocation::MAX_SLOT,
    collection::{Collection, CollectionError},
    foreign_text::{clipped, is_hostile},
    items_apart::items_apart,
    limits::{
        MOST_ATTEMPTS, MOST_BREAK_MINUTES, MOST_CHOICES, MOST_CRITERIA, MOST_FAULTS, MOST_FIELDS, MOST_HOURS,
        MOST_KINDS, MOST_METHODS, MOST_POINTS, MOST_PRACTICE, MOST_QUESTIONS, MOST_SCALES, MOST_SCORES, MOST_SECONDS,
        MOST_SECTIONS,
    },
    phrases::{self, placeholders},
    recruitment::RedirectError,
    span::are_marks,
    study::{Admits, Expected, FieldKind, PLANTED, STUDY_SCHEMA, ShownError, Study, played},
};
use crate::pace::{AtOnce, Pace, at_once};

/// A file that is no study to work with.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StudyError {
    /// More than [`MAX_STUDY_BYTES`].
    #[error("This file has {0} bytes; studies of at most {MAX_STUDY_BYTES} are read.")]
    TooLarge(usize),
    /// Bytes that are no text.
    #[error("This file is not text.")]
    NotText,
    /// Not JSON, or nested beyond all use.
    #[error("This file is not JSON: {0}.")]
    NotJson(String),
    /// JSON without a `schema`.
    #[error("This file does not say what it is: a study has \"schema\": \"{STUDY_SCHEMA}\".")]
    NoSchema,
    /// Another format.
    #[error("This file is a “{0}”; this version of Kibitz reads “{STUDY_SCHEMA}”.")]
    OtherSchema(String),
    /// A field is missing, unknown or of another type.
    #[error("This study cannot be read: {0}.")]
    Shape(String),
    /// The study is read, but cannot be run.
    #[error("{}", faults(.0))]
    Faults(Vec<Fault>),
}

fn faults(all: &[Fault]) -> String {
    match all {
        [] => "The study has faults.".to_owned(),
        [one] => sentence(one),
        [first, rest @ ..] => {
            let more = if all.len() < MOST_FAULTS { "more" } else { "or more" };
            format!("{} ({} {more} like it.)", sentence(first), rest.len())
        }
    }
}

/// A fault as a sentence; reasons of boards and moves are sentences already.
pub(super) fn sentence(fault: &Fault) -> String {
    let text = fault.to_string();
    if text.ends_with('.') { text } else { format!("{text}.") }
}

/// Something wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{place}: {wrong}")]
pub struct Fault {
    /// Where in the file.
    pub place: Place,
    /// What is wrong there.
    pub wrong: Wrong,
}

/// A place in a study; numbers count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is named after its field of the study")]
pub enum Place {
    Study,
    Title,
    Consent,
    Form(usize),
    Instructions(usize),
    Question(usize),
    Scale(usize),
    Criterion(usize),
    Practice(usize),
    Item(usize),
    Comment(usize, usize),
    Planted(usize),
    Checks,
    Breaks,
    Times,
    Collection,
    Allocation,
    Spans,
    Recruitment,
    Phrases,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Study => f.write_str("the study"),
            Self::Title => f.write_str("the title"),
            Self::Consent => f.write_str("the consent"),
            Self::Form(n) => write!(f, "form field {n}"),
            Self::Instructions(n) => write!(f, "section {n} of the instructions"),
            Self::Question(n) => write!(f, "question {n}"),
            Self::Scale(n) => write!(f, "scale {n}"),
            Self::Criterion(n) => write!(f, "criterion {n}"),
            Self::Practice(n) => write!(f, "practice comment {n}"),
            Self::Item(n) => write!(f, "item {n}"),
            Self::Comment(item, n) => write!(f, "item {item}, comment {n}"),
            Self::Planted(n) => write!(f, "planted check {n}"),
            Self::Checks => f.write_str("the checks"),
            Self::Breaks => f.write_str("the breaks"),
            Self::Times => f.write_str("the times"),
            Self::Collection => f.write_str("the collection"),
            Self::Allocation => f.write_str("the sharing out of items"),
            Self::Spans => f.write_str("the marking of words"),
            Self::Recruitment => f.write_str("the recruitment"),
            Self::Phrases => f.write_str("the phrases"),
        }
    }
}

/// What can be wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Wrong {
    /// Nothing where something must be.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// More than [`MAX_TEXT`] or [`MAX_NAME`] characters.
    #[error("{0} is longer than {1} characters")]
    TooLong(&'static str, usize),
    /// A control character, or one that turns the direction of the text.
    #[error("{0} holds the control character U+{1:04X}")]
    Control(&'static str, u32),
    /// A name with other characters than letters, digits and a few marks.
    #[error("“{0}” is no name: use letters, digits, “-”, “_”, “.” and “+”")]
    Name(String),
    /// A name that stands twice.
    #[error("“{0}” is there twice")]
    Twice(String),
    /// A name that something else has.
    #[error("“{0}” is reserved")]
    Reserved(String),
    /// A name of nothing.
    #[error("there is no {0} “{1}”")]
    Unknown(&'static str, String),
    /// A position or a move.
    #[error("{0}")]
    Shown(#[from] ShownError),
    /// A count outside its bounds.
    #[error("{what} must be from {least} to {most}, not {found}")]
    Count {
        /// Of what.
        what: &'static str,
        /// What there is.
        found: u64,
        /// The fewest.
        least: u64,
        /// The most.
        most: u64,
    },
    /// A point that the scale has not.
    #[error("point {0} is not on the scale")]
    Point(u8),
    /// An answer is required where nothing is asked.
    #[error("an answer is required after the rating {0}, after which nothing is asked")]
    NotAsked(u8),
    /// A score that is not a finite number.
    #[error("the score “{0}” is not a number")]
    Score(String),
    /// A repetition cannot lie as far from its original as asked.
    #[error("{pages} pages are too few for repetitions {gap} pages apart")]
    Gap {
        /// Pages of comments.
        pages: usize,
        /// The distance asked for.
        gap: usize,
    },
    /// Marks that lie outside their comment or within each other, or are of an unknown kind.
    #[error(
        "its marks lie outside it, out of order or within each other, or are of a kind that raters are not asked for"
    )]
    Marks,
    /// Nobody could answer so.
    #[error("nobody's answer could be admitted")]
    AdmitsNobody,
    /// A phrase that fills in something else than the page has for it.
    #[error("“{0}” fills in {1}, but has to fill in {2}")]
    Placeholders(String, String, String),
    /// Raters cannot be sent where they should go.
    #[error("{0}")]
    Redirect(#[from] RedirectError),
    /// Answers cannot be sent where they should be.
    #[error("{0}")]
    Collection(#[from] CollectionError),
}

/// Reads a study and checks it.
///
/// # Errors
/// When it is no study of this format, or has faults.
pub fn read_study(bytes: &[u8]) -> Result<Study, StudyError> {
    at_once(read_study_at(bytes, &AtOnce))
}

/// The same at a pace: there may be megabytes.
///
/// # Errors
/// As [`read_study`].
pub async fn read_study_at(bytes: &[u8], pace: &impl Pace) -> Result<Study, StudyError> {
    let study = read_draft_at(bytes, pace).await?;
    let found = check_at(&study, pace).await;
    if found.is_empty() {
        Ok(study)
    } else {
        Err(StudyError::Faults(found))
    }
}

/// Reads a study that may still have faults, such as items without comments.
///
/// # Errors
/// When it is no study of this format.
pub fn read_draft(bytes: &[u8]) -> Result<Study, StudyError> {
    at_once(read_draft_at(bytes, &AtOnce))
}

/// The same at a pace.
///
/// # Errors
/// As [`read_draft`].
pub async fn read_draft_at(bytes: &[u8], pace: &impl Pace) -> Result<Study, StudyError> {
    #[derive(Deserialize)]
    struct Head {
        schema: Option<serde_json::Value>,
    }
    if bytes.len() > MAX_STUDY_BYTES {
        return Err(StudyError::TooLarge(bytes.len()));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| StudyError::NotText)?;
    let text = text.trim_start_matches('\u{feff}');
    // Megabytes of items are read one after another.
    let apart = items_apart(text, pace).await;
    let rest = apart.as_ref().map_or(text, |apart| &apart.rest);
    let whence = |at| apart.as_ref().map_or(at, |apart| apart.whence(at));
    // serde_json bounds the depth itself.
    pace.turn().await;
    let head: Head =
        serde_json::from_str(rest).map_err(|error| StudyError::NotJson(placed_in(text, rest, &error, whence)))?;
    match head.schema {
        None => return Err(StudyError::NoSchema),
        Some(serde_json::Value::String(name)) if name == STUDY_SCHEMA => {}
        Some(serde_json::Value::String(name)) => return Err(StudyError::OtherSchema(clipped(&name))),
        Some(other) => return Err(StudyError::OtherSchema(clipped(&other.to_string()))),
    }
    pace.turn().await;
    let mut study: Study =
        serde_json::from_str(rest).map_err(|error| StudyError::Shape(placed_in(text, rest, &error, whence)))?;
    pace.turn().await;
    for range in apart.iter().flat_map(|apart| &apart.items) {
        let (from, item) = (range.start, &text[range.clone()]);
        let item = serde_json::from_str(item)
            .map_err(|error| StudyError::Shape(placed_in(text, item, &error, |at| from + at)))?;
        study.items.push(item);
        pace.turn().await;
    }
    Ok(study)
}

/// What a JSON reader says of a part of a text, with the line and column in the whole text; `whence` says where a byte of
/// the part stands in it.
fn placed_in(text: &str, part: &str, error: &serde_json::Error, whence: impl Fn(usize) -> usize) -> String {
    let starts = |text: &str, line: usize| {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        line.checked_sub(2)
            .and_then(|before| ends.map(|(at, _)| at + 1).nth(before))
            .unwrap_or(0)
    };
    let at = whence(starts(part, error.line()) + error.column()).min(text.len());
    let line = text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
    placed_at(error, line, at - starts(text, line))
}

/// What a JSON reader says, with the line and column, which a long list of what would be right must not push out.
pub(super) fn placed(error: &serde_json::Error) -> String {
    placed_at(error, error.line(), error.column())
}

fn placed_at(error: &serde_json::Error, line: usize, column: usize) -> String {
    let text = error.to_string();
    let said = format!(" at line {} column {}", error.line(), error.column());
    let what = clipped(text.strip_suffix(said.as_str()).unwrap_or(&text));
    format!("{what} at line {line} column {column}")
}

/// What keeps a study from being run, in the order of the file: the first [`MOST_FAULTS`].
#[must_use]
pub fn check(study: &Study) -> Vec<Fault> {
    at_once(check_at(study, &AtOnce))
}

/// The same at a pace: there may be thousands of positions to look at.
pub async fn check_at(study: &Study, pace: &impl Pace) -> Vec<Fault> {
    let mut checker = Checker {
        study,
        found: Vec::new(),
    };
    checker.top();
    checker.rating();
    checker.practice();
    checker.items(pace).await;
    checker.checks();
    checker.options();
    checker.allocation();
    checker.spans(pace).await;
    checker.recruitment();
    checker.phrases();
    checker.found
}

/// As [`check`], of the texts alone: what raters agree to, read, are asked and practise.
pub(super) fn check_texts(study: &Study) -> Vec<Fault> {
    let mut checker = Checker {
        study,
        found: Vec::new(),
    };
    checker.top();
    checker.rating();
    checker.practice();
    checker.phrases();
    checker.found
}

struct Checker<'a> {
    study: &'a Study,
    found: Vec<Fault>,
}

impl Checker<'_> {
    fn add(&mut self, place: Place, wrong: Wrong) {
        if self.found.len() < MOST_FAULTS {
            self.found.push(Fault { place, wrong });
        }
    }

    /// A text that must be there.
    fn text(&mut self, place: Place, what: &'static str, text: &str) {
        if text.trim().is_empty() {
            self.add(place, Wrong::Missing(what));
        }
        self.free(place, what, text);
    }

    /// A text that may be empty.
    fn free(&mut self, place: Place, what: &'static str, text: &str) {
        if text.chars().count() > MAX_TEXT {
            self.add(place, Wrong::TooLong(what, MAX_TEXT));
        }
        if let Some(bad) = text.chars().find(|c| is_hostile(*c)) {
            self.add(place, Wrong::Control(what, bad as u32));
        }
    }

    /// A name in the results, not yet in `taken`.
    fn name(&mut self, place: Place, what: &'static str, name: &str, taken: &mut BTreeSet<String>) {
        if name.is_empty() {
            return self.add(place, Wrong::Missing(what));
        }
        if name.chars().count() > MAX_NAME {
            return self.add(place, Wrong::TooLong(what, MAX_NAME));
        }
        if !name.chars().all(is_name_letter) {
            return self.add(place, Wrong::Name(clipped(name)));
        }
        if !taken.insert(name.to_owned()) {
            self.add(place, Wrong::Twice(name.to_owned()));
        }
    }

    fn count(&mut self, place: Place, what: &'static str, found: usize, least: u64, most: u64) {
        let found = found as u64;
        if found < least || found > most {
            self.add(
                place,
                Wrong::Count {
                    what,
                    found,
                    least,
                    most,
                },
            );
        }
    }

    fn shown(&mut self, place: Place, fen: &str, mv: &str) {
        if let Err(error) = played(fen, mv) {
            self.add(place, error.into());
        }
    }

    fn top(&mut self) {
        let study = self.study;
        self.name(Place::Study, "its id", &study.id, &mut BTreeSet::new());
        self.text(Place::Title, "the text", &study.title);
        self.text(Place::Consent, "the version", &study.consent.version);
        self.text(Place::Consent, "the text", &study.consent.text);
        self.count(
            Place::Study,
            "questions on the rater",
            study.form.len(),
            0,
            MOST_FIELDS as u64,
        );
        let mut taken = BTreeSet::new();
        for (n, field) in (1..).zip(&study.form).take(MOST_FIELDS) {
            let place = Place::Form(n);
            self.name(place, "its id", &field.id, &mut taken);
            self.text(place, "the label", &field.label);
            match &field.kind {
                FieldKind::Text => {}
                FieldKind::Number { min, max } if min > max => {
                    self.add(place, Wrong::Missing("a number in its bounds"))
                }
                FieldKind::Number { .. } => {}
                FieldKind::Choice(choices) => self.choices(place, choices),
            }
            let some_fit = match (&field.kind, &field.admits) {
                (_, None) => true,
                (FieldKind::Number { min, max }, Some(Admits::Number { min: least, max: most })) => {
                    least <= most && least <= max && most >= min
                }
                (FieldKind::Choice(choices), Some(Admits::Choice(admitted))) => {
                    !admitted.is_empty() && admitted.iter().all(|choice| choices.contains(choice))
                }
                _ => false,
            };
            if !some_fit {
                self.add(place, Wrong::AdmitsNobody);
            }
        }
        let sections = study.instructions.len();
        self.count(
            Place::Study,
            "sections of the instructions",
            sections,
            0,
            MOST_SECTIONS as u64,
        );
        for (n, section) in (1..).zip(&study.instructions).take(MOST_SECTIONS) {
            let place = Place::Instructions(n);
            self.text(place, "the heading", &section.heading);
            self.free(place, "the text", &section.text);
            self.count(place, "examples", section.examples.len(), 0, MOST_SECTIONS as u64);
            for example in section.examples.iter().take(MOST_SECTIONS) {
                self.text(place, "an example's label", &example.label);
                self.text(place, "an example", &example.text);
            }
            if let Some(board) = &section.board {
                self.shown(place, &board.fen, &board.mv);
            }
        }
        if let Some(comprehension) = &study.comprehension {
            self.count(
                Place::Question(1),
                "attempts",
                comprehension.attempts as usize,
                1,
                MOST_ATTEMPTS as u64,
            );
            let questions = comprehension.questions.len();
            self.count(Place::Question(1), "questions", questions, 1, MOST_QUESTIONS as u64);
            for (n, question) in (1..).zip(&comprehension.questions).take(MOST_QUESTIONS) {
                let place = Place::Question(n);
                self.text(place, "the question", &question.text);
                self.choices(place, &question.choices);
                self.count(place, "the answer", question.answer, 1, question.choices.len() as u64);
            }
        }
    }

    fn choices(&mut self, place: Place, choices: &[String]) {
        self.count(place, "choices", choices.len(), 2, MOST_CHOICES as u64);
        let mut taken = BTreeSet::new();
        for choice in choices.iter().take(MOST_CHOICES) {
            self.text(place, "a choice", choice);
            if !taken.insert(choice) {
                self.add(place, Wrong::Twice(clipped(choice)));
            }
        }
    }

    fn rating(&mut self) {
        let study = self.study;
        self.count(Place::Study, "scales", study.scales.len(), 0, MOST_SCALES as u64);
        let mut taken = BTreeSet::new();
        for (n, scale) in (1..).zip(&study.scales).take(MOST_SCALES) {
            self.name(Place::Scale(n), "its id", &scale.id, &mut taken);
            self.count(Place::Scale(n), "points", scale.points.len(), 2, MOST_POINTS as u64);
            for label in scale.points.iter().take(MOST_POINTS) {
                self.free(Place::Scale(n), "a label", label);
            }
        }
        self.count(Place::Study, "criteria", study.criteria.len(), 1, MOST_CRITERIA as u64);
        // Criteria and follow-ups share a column of the results.
        let mut taken = BTreeSet::new();
        for (n, criterion) in (1..).zip(&study.criteria).take(MOST_CRITERIA) {
            let place = Place::Criterion(n);
            self.name(place, "its id", &criterion.id, &mut taken);
            self.text(place, "the title", &criterion.title);
            self.text(place, "the statement", &criterion.statement);
            let Some(scale) = study.scale_of(criterion) else {
                self.add(place, Wrong::Unknown("scale", clipped(&criterion.scale)));
                continue;
            };
            let Some(follow_up) = &criterion.follow_up else {
                continue;
            };
            self.name(place, "the follow-up's id", &follow_up.id, &mut taken);
            taken.insert(follow_up.text_id());
            self.text(place, "the follow-up's question", &follow_up.question);
            self.count(place, "kinds", follow_up.kinds.len(), 1, MOST_KINDS as u64);
            let points = |list: &[u8]| list.iter().copied().take(MOST_POINTS).collect::<Vec<_>>();
            for value in points(&follow_up.when).iter().chain(&points(&follow_up.required)) {
                if !on_scale(*value, scale.points.len()) {
                    self.add(place, Wrong::Point(*value));
                }
            }
            if let Some(value) = follow_up
                .required
                .iter()
                .take(MOST_POINTS)
                .find(|value| !follow_up.when.contains(value))
            {
                self.add(place, Wrong::NotAsked(*value));
            }
            let mut kinds = BTreeSet::from([super::criteria::OTHER.to_owned()]);
            for kind in follow_up.kinds.iter().take(MOST_KINDS) {
                self.name(place, "a kind's id", &kind.id, &mut kinds);
                self.text(place, "a kind's label", &kind.label);
            }
        }
    }

    fn practice(&mut self) {
        let study = self.study;
        let comments = study.practice.len();
        self.count(Place::Study, "comments for practice", comments, 0, MOST_PRACTICE as u64);
        for (n, practice) in (1..).zip(&study.practice).take(MOST_PRACTICE) {
            let place = Place::Practice(n);
            self.shown(place, &practice.fen, &practice.mv);
            self.text(place, "the comment", &practice.text);
            self.text(place, "the feedback", &practice.feedback);
            self.expected(place, &practice.expected);
        }
    }

    async fn items(&mut self, pace: &impl Pace) {
        let study = self.study;
        self.count(Place::Study, "items", study.items.len(), 1, MAX_PAGES as u64);
        self.count(Place::Study, "pages", study.pages(), 1, MAX_PAGES as u64);
        self.count(Place::Study, "methods", study.methods().len(), 0, MOST_METHODS as u64);
        let mut taken = BTreeSet::new();
        for (n, item) in (1..).zip(&study.items).take(MAX_PAGES) {
            pace.turn().await;
            let place = Place::Item(n);
            self.name(place, "its id", &item.id, &mut taken);
            self.shown(place, &item.fen, &item.mv);
            self.free(place, "the reference", item.reference.as_deref().unwrap_or_default());
            self.count(place, "comments", item.comments.len(), 1, MOST_METHODS as u64);
            let mut methods = BTreeSet::new();
            for (c, comment) in (1..).zip(&item.comments).take(MOST_METHODS) {
                let place = Place::Comment(n, c);
                self.name(place, "the method", &comment.method, &mut methods);
                if comment.method == PLANTED {
                    self.add(place, Wrong::Reserved(PLANTED.to_owned()));
                }
                self.text(place, "the comment", &comment.text);
                self.count(place, "scores", comment.scores.len(), 0, MOST_SCORES as u64);
                if let Some((name, _)) = comment.scores.iter().find(|(_, score)| !score.is_finite()) {
                    self.add(place, Wrong::Score(clipped(name)));
                }
            }
        }
    }

    fn checks(&mut self) {
        let study = self.study;
        let (pages, checks) = (study.comments_for_one(), &study.checks);
        if checks.repeats > 0 {
            self.count(Place::Checks, "repetitions", checks.repeats, 0, pages as u64);
            // The last original with its repetition behind it, and no two checks side by side.
            if pages < checks.repeats.saturating_mul(2).saturating_add(checks.repeat_gap) {
                self.add(
                    Place::Checks,
                    Wrong::Gap {
                        pages,
                        gap: checks.repeat_gap,
                    },
                );
            }
        }
        if study.checks.planted.len() * 3 > pages {
            self.count(
                Place::Checks,
                "planted checks",
                study.checks.planted.len(),
                0,
                pages as u64 / 3,
            );
        }
        let mut taken: BTreeSet<String> = study.items.iter().map(|item| item.id.clone()).collect();
        for (n, planted) in (1..).zip(&study.checks.planted).take(MAX_PAGES) {
            let place = Place::Planted(n);
            self.name(place, "its id", &planted.id, &mut taken);
            self.shown(place, &planted.fen, &planted.mv);
            self.text(place, "the comment", &planted.text);
            if planted.expected.is_empty() {
                self.add(place, Wrong::Missing("an expected rating"));
            }
            self.expected(place, &planted.expected);
        }
    }

    fn options(&mut self) {
        let study = self.study;
        if let Some(breaks) = study.options.breaks {
            self.count(
                Place::Breaks,
                "the comments between breaks",
                breaks.after,
                1,
                MAX_PAGES as u64,
            );
            self.count(
                Place::Breaks,
                "the minutes of a break",
                breaks.minutes as usize,
                0,
                MOST_BREAK_MINUTES as u64,
            );
        }
        let options = &study.options;
        let seconds = options.seconds_per_page as usize;
        self.count(Place::Times, "the seconds for a page", seconds, 0, MOST_SECONDS as u64);
        let hours = options.resume_hours.unwrap_or_default() as usize;
        self.count(Place::Times, "the hours to come back in", hours, 0, MOST_HOURS as u64);
        if let Some(Err(error)) = study.options.collection.as_ref().map(Collection::check) {
            self.add(Place::Collection, error.into());
        }
    }

    fn allocation(&mut self) {
        let study = self.study;
        let allocation = &study.options.allocation;
        let items = study.items.len().max(1) as u64;
        for (what, count, most) in [
            ("the items for each rater", allocation.items_per_rater, items),
            ("the raters for each item", allocation.raters_per_item, MAX_SLOT),
            (
                "the slots",
                allocation
                    .slots
                    .map(|slots| usize::try_from(slots).unwrap_or(usize::MAX)),
                MAX_SLOT,
            ),
        ] {
            if let Some(count) = count {
                self.count(Place::Allocation, what, count, 1, most);
            }
        }
        self.count(
            Place::Allocation,
            "slots to give out again",
            allocation.reissue.len(),
            0,
            MAX_SLOT,
        );
        for slot in &allocation.reissue {
            if !(1..=MAX_SLOT).contains(slot) {
                let slot = usize::try_from(*slot).unwrap_or(usize::MAX);
                return self.count(Place::Allocation, "a slot", slot, 1, MAX_SLOT);
            }
        }
    }

    async fn spans(&mut self, pace: &impl Pace) {
        let study = self.study;
        let kinds = study.spans.as_ref().map_or(&[][..], |spans| &spans.kinds);
        if let Some(spans) = &study.spans {
            self.text(Place::Spans, "the question", &spans.question);
            self.count(Place::Spans, "kinds", kinds.len(), 1, 20);
            self.count(Place::Spans, "ways to begin", spans.prefill.len(), 1, 3);
            let mut taken = BTreeSet::new();
            for kind in kinds {
                self.name(Place::Spans, "a kind's id", &kind.id, &mut taken);
                self.text(Place::Spans, "a kind's label", &kind.label);
            }
        }
        for (n, item) in (1..).zip(&study.items).take(MAX_PAGES) {
            pace.turn().await;
            for (c, comment) in (1..).zip(&item.comments) {
                let characters = comment.text.chars().count();
                if ![&comment.marks, &comment.decoys]
                    .iter()
                    .all(|marks| are_marks(marks, characters, kinds))
                {
                    self.add(Place::Comment(n, c), Wrong::Marks);
                }
            }
        }
    }

    fn recruitment(&mut self) {
        let Some(recruitment) = &self.study.recruitment else {
            return;
        };
        if let Some(name) = &recruitment.participant {
            self.name(
                Place::Recruitment,
                "the participant's parameter",
                name,
                &mut BTreeSet::new(),
            );
            if matches!(name.as_str(), "study" | "rater" | "slot" | "lang") {
                self.add(Place::Recruitment, Wrong::Reserved(name.clone()));
            }
        }
        for exit in [
            &recruitment.complete,
            &recruitment.screened_out,
            &recruitment.failed_comprehension,
            &recruitment.failed_checks,
            &recruitment.declined,
        ] {
            self.free(
                Place::Recruitment,
                "an end's text",
                exit.text.as_deref().unwrap_or_default(),
            );
            let code = exit.code.as_deref().unwrap_or_default();
            self.free(Place::Recruitment, "a code", code);
            if code.chars().count() > MAX_NAME {
                self.add(Place::Recruitment, Wrong::TooLong("a code", MAX_NAME));
            }
            if let Err(error) = exit.check() {
                self.add(Place::Recruitment, error.into());
            }
        }
    }

    fn phrases(&mut self) {
        let study = self.study;
        if let Some(language) = &study.language {
            self.name(Place::Phrases, "the language", language, &mut BTreeSet::new());
        }
        for (key, text) in &study.phrases {
            let Some(phrase) = phrases::named(key) else {
                self.add(Place::Phrases, Wrong::Unknown("phrase", clipped(key)));
                continue;
            };
            self.text(Place::Phrases, "a phrase", text);
            let (has, needs) = (placeholders(text), placeholders(phrase.english()));
            if has != needs {
                let list = |names: &[&str]| {
                    let names: Vec<String> = names.iter().map(|name| format!("{{{}}}", clipped(name))).collect();
                    if names.is_empty() {
                        "nothing".to_owned()
                    } else {
                        names.join(", ")
                    }
                };
                self.add(
                    Place::Phrases,
                    Wrong::Placeholders(clipped(key), list(&has), list(&needs)),
                );
            }
        }
    }

    /// [`Study::points`] among as many criteria and scales as a study may have.
    fn points(&self, criterion: &str) -> Option<usize> {
        let mut criteria = self.study.criteria.iter().take(MOST_CRITERIA);
        let scale = &criteria.find(|one| one.id == criterion)?.scale;
        let mut scales = self.study.scales.iter().take(MOST_SCALES);
        Some(scales.find(|one| one.id == *scale)?.points.len())
    }

    fn expected(&mut self, place: Place, expected: &[Expected]) {
        self.count(place, "expected ratings", expected.len(), 0, MOST_CRITERIA as u64);
        for rating in expected.iter().take(MOST_CRITERIA) {
            match self.points(&rating.criterion) {
                None => self.add(place, Wrong::Unknown("criterion", clipped(&rating.criterion))),
                Some(points) => {
                    if let Some(value) = rating.values.iter().find(|value| !on_scale(**value, points)) {
                        self.add(place, Wrong::Point(*value));
                    }
                }
            }
        }
    }
}

fn on_scale(value: u8, points: usize) -> bool {
    value >= 1 && usize::from(value) <= points
}

pub(super) fn is_name_letter(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.' | '+')
}
