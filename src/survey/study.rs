//! A study: what raters are asked about which comments. One JSON file, `kibitz-study-1`; `docs/study.md` describes it
//! field by field for those who write one by hand.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    allocation::Allocation,
    collection::Collection,
    criteria::{Criterion, Scale},
    diagram::Diagram,
    foreign_text::clipped,
    recruitment::Recruitment,
    span::{Span, SpanQuestion},
};
use crate::chess::{MoveError, Played, fen::with_castling_restored, fen_error::FenError, read_fen, read_move};

/// The name of the format. Another number means another format, which is refused by name.
pub const STUDY_SCHEMA: &str = "kibitz-study-1";

/// The method that planted checks are recorded under: no item's comment may have it.
pub const PLANTED: &str = "check";

/// The longest text that a rater can write, in characters.
pub const MAX_WRITTEN: usize = 2_000;

/// A study as its file has it. Read one with [`read_study`](super::study_file::read_study), which checks it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// [`STUDY_SCHEMA`].
    pub schema: String,
    /// A short name: letters, digits, `-`, `_` and `.`. It is the `study` of every exported row.
    pub id: String,
    /// What raters see at the top.
    pub title: String,
    /// What raters agree to.
    pub consent: Consent,
    /// What raters are asked about themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub form: Vec<FormField>,
    /// What raters read before they begin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instructions: Vec<Section>,
    /// Questions on the instructions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comprehension: Option<Comprehension>,
    /// The rating scales that criteria name.
    pub scales: Vec<Scale>,
    /// What every comment is rated for, in this order.
    pub criteria: Vec<Criterion>,
    /// Comments rated for practice, with feedback; not part of the results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub practice: Vec<Practice>,
    /// Positions with a move and the comments on it.
    pub items: Vec<Item>,
    /// Silent checks of attention.
    #[serde(default)]
    pub checks: Checks,
    /// Order, breaks, going back, coming back.
    #[serde(default)]
    pub options: Options,
    /// Whether raters mark the words that are wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spans: Option<SpanQuestion>,
    /// How raters come to the study, and where they go at its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recruitment: Option<Recruitment>,
    /// The language of the study's texts, as BCP 47 has it (`de`, `ko`); English where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// What the page itself says to raters, in the study's language: see [`Phrase`](super::phrases::Phrase).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub phrases: BTreeMap<String, String>,
}

/// What raters agree to before anything else.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consent {
    /// Which version of the text: recorded with the agreement.
    pub version: String,
    /// The text; empty lines part paragraphs.
    pub text: String,
}

/// A question on the rater.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormField {
    /// Its name in the results.
    pub id: String,
    /// What the rater sees.
    pub label: String,
    /// What may be answered.
    pub kind: FieldKind,
    /// Whether it must be answered.
    #[serde(default)]
    pub required: bool,
    /// Who may take part by this answer; others are thanked and not asked further.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub admits: Option<Admits>,
}

/// Answers of those who may take part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Admits {
    /// Numbers between two bounds, both included.
    Number {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// One of these choices.
    Choice(Vec<String>),
}

/// What may be answered to a question on the rater.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum FieldKind {
    /// A line of text.
    Text,
    /// A whole number between two bounds, both included.
    Number {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// One of these.
    Choice(Vec<String>),
}

impl FormField {
    /// Whether this can be answered; `answer` is trimmed.
    #[must_use]
    pub fn takes(&self, answer: &str) -> bool {
        if answer.is_empty() {
            return !self.required;
        }
        match &self.kind {
            FieldKind::Text => answer.chars().count() <= MAX_WRITTEN,
            FieldKind::Number { min, max } => answer.parse::<i64>().is_ok_and(|n| n >= *min && n <= *max),
            FieldKind::Choice(choices) => choices.iter().any(|choice| choice == answer),
        }
    }

    /// Whether somebody who answers this may take part; `answer` is trimmed. Who need not answer and does not, may.
    #[must_use]
    pub fn admits(&self, answer: &str) -> bool {
        match &self.admits {
            Some(_) if answer.is_empty() => !self.required,
            Some(Admits::Number { min, max }) => answer.parse::<i64>().is_ok_and(|n| n >= *min && n <= *max),
            Some(Admits::Choice(choices)) => choices.iter().any(|choice| choice == answer),
            None => true,
        }
    }
}

/// A part of the instructions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// Its heading.
    pub heading: String,
    /// Its text; empty lines part paragraphs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Examples under it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Example>,
    /// A board beside it: the examples speak of this move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<Shown>,
    /// A diagram that ships with the app, below the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagram: Option<Diagram>,
}

/// An example in the instructions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// What it is an example of, such as "Incorrect (a piece that is not there)".
    pub label: String,
    /// The comment.
    pub text: String,
}

/// A position with a move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// The position before the move.
    pub fen: String,
    /// The move: SAN, long algebraic or UCI.
    #[serde(rename = "move")]
    pub mv: String,
}

/// Questions that show whether the instructions were understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comprehension {
    /// How many times a rater may try; who fails them all is thanked and not asked further.
    #[serde(default = "two")]
    pub attempts: u32,
    /// All must be answered right.
    pub questions: Vec<Question>,
}

const fn two() -> u32 {
    2
}

/// A question on the instructions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The question.
    pub text: String,
    /// What may be answered.
    pub choices: Vec<String>,
    /// The right one's place, from 1.
    pub answer: usize,
}

/// A comment rated for practice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Practice {
    /// The position before the move.
    pub fen: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The comment on it.
    pub text: String,
    /// What is to be said once it is rated.
    pub feedback: String,
    /// Ratings that the study's authors would give; others are told so in the feedback.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expected: Vec<Expected>,
}

/// Ratings that an attentive rater gives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// A criterion's id.
    pub criterion: String,
    /// The points of its scale, from 1, that are right.
    pub values: Vec<u8>,
}

/// A position with a move and the comments on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Its name in the results, where it is the `position`.
    pub id: String,
    /// The position before the move.
    pub fen: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What a person wrote about it, for automatic metrics; raters see it only where it is among the comments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// One for each method. Raters never see which is whose.
    #[serde(default)]
    pub comments: Vec<MethodComment>,
}

/// A method's comment on an item's move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MethodComment {
    /// The method's name in the results.
    pub method: String,
    /// The comment.
    pub text: String,
    /// What automatic metrics gave it, by the metric's name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub scores: BTreeMap<String, f64>,
    /// Words that the claim check holds against the board: what raters may be shown as marked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Span>,
    /// Words marked though nothing is wrong with them, to see who follows marks blindly.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decoys: Vec<Span>,
}

/// Silent checks of attention, strewn among the items. They are recorded like any answer; what follows from failing them is
/// [`Checks::failing`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Checks {
    /// Comments that are plainly wrong, such as one on a move that cannot be played.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub planted: Vec<Planted>,
    /// How many comments are shown a second time.
    pub repeats: usize,
    /// At least so many pages lie between a comment and its repetition.
    pub repeat_gap: usize,
    /// What happens to raters who fail planted checks.
    #[serde(skip_serializing_if = "Failing::is_none")]
    pub failing: Failing,
}

/// What happens to raters who fail more planted checks than are allowed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Failing {
    /// So many failed checks change nothing.
    pub allowed: usize,
    /// What happens after one more.
    pub then: Consequence,
}

impl Failing {
    fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// What happens to a rater who failed too many checks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Consequence {
    /// Nothing: it is recorded, and the analysis flags the rater.
    #[default]
    Flag,
    /// The study ends at once.
    End,
    /// The rater goes on, and gets the exit of those who failed: another code.
    Exit,
}

impl Default for Checks {
    fn default() -> Self {
        Self {
            planted: Vec::new(),
            repeats: 0,
            repeat_gap: 10,
            failing: Failing::default(),
        }
    }
}

impl Checks {
    /// Whether there are none.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.planted.is_empty() && self.repeats == 0
    }
}

/// A comment that is plainly wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Planted {
    /// Its name in the results.
    pub id: String,
    /// The position before the move.
    pub fen: String,
    /// The move that the arrow shows. It is legal; what the comment says of it is not.
    #[serde(rename = "move")]
    pub mv: String,
    /// The comment.
    pub text: String,
    /// Ratings of those who read it.
    pub expected: Vec<Expected>,
}

/// Order, breaks, going back, coming back, where answers go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Breaks, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breaks: Option<Breaks>,
    /// Whether raters may go back to pages that they have answered.
    pub back: bool,
    /// Hours after which a session that was left cannot be gone on with; `None` for no limit.
    pub resume_hours: Option<u32>,
    /// What a page takes, for the time left until there are measured ones.
    pub seconds_per_page: u32,
    /// The order of the pages.
    pub order: Order,
    /// Where answers are sent, if anywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection: Option<Collection>,
    /// Who sees which items, where not everybody sees all of them.
    #[serde(skip_serializing_if = "Allocation::is_none")]
    pub allocation: Allocation,
    /// Whether this is a try: its results are marked, and kept out of analyses.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pilot: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            breaks: None,
            back: true,
            resume_hours: Some(72),
            seconds_per_page: 60,
            order: Order::default(),
            collection: None,
            allocation: Allocation::default(),
            pilot: false,
        }
    }
}

/// When raters rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Breaks {
    /// After so many comments, and again after so many more.
    pub after: usize,
    /// Minutes that the break lasts.
    pub minutes: u32,
    /// Whether one may go on earlier.
    #[serde(default)]
    pub skippable: bool,
}

/// The order of the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Order {
    /// Another seed gives every rater another order.
    pub seed: u64,
    /// How the pages of an item lie.
    pub pages: Grouping,
    /// Whether each rater has the items in an order of their own; else as the file has them.
    pub shuffle: bool,
}

impl Default for Order {
    fn default() -> Self {
        Self {
            seed: 1,
            pages: Grouping::ByItem,
            shuffle: true,
        }
    }
}

/// How the pages of an item lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grouping {
    /// All comments on a move one after another, as in the paper.
    ByItem,
    /// Every item once, then every item a second time with another comment, and so on.
    Rounds,
}

/// Why a position with its move cannot be shown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShownError {
    /// The position.
    #[error("the position cannot be read. {0}")]
    Fen(#[from] FenError),
    /// The move.
    #[error("the move {text} cannot be played. {error}")]
    Move {
        /// As it is written.
        text: String,
        /// What is wrong with the move.
        error: MoveError,
    },
}

/// The move of an item on its board. A castling right that only the move shows is put back.
///
/// # Errors
/// When the FEN cannot be read or the move cannot be played.
pub fn played(fen: &str, mv: &str) -> Result<Played, ShownError> {
    let read = read_fen(fen)?;
    let found = match read_move(&read.position, read.mode, mv) {
        Ok(found) => Played::new(read.position.clone(), found, read.mode, Vec::new()),
        Err(error) => match with_castling_restored(&read, mv) {
            Some((read, found)) => Played::new(read.position, found, read.mode, Vec::new()),
            None => {
                return Err(ShownError::Move {
                    text: clipped(mv),
                    error,
                });
            }
        },
    };
    // Both ways found the move among the legal ones, so it can be played.
    found.ok_or_else(|| ShownError::Move {
        text: clipped(mv),
        error: MoveError::NotAMove(clipped(mv)),
    })
}

impl Study {
    /// The scale of a criterion.
    #[must_use]
    pub fn scale_of(&self, criterion: &Criterion) -> Option<&Scale> {
        self.scales.iter().find(|scale| scale.id == criterion.scale)
    }

    /// The criterion with this id.
    #[must_use]
    pub fn criterion(&self, id: &str) -> Option<&Criterion> {
        self.criteria.iter().find(|criterion| criterion.id == id)
    }

    /// How many points a criterion's scale has: its ratings are 1 to that.
    #[must_use]
    pub fn points(&self, criterion: &str) -> Option<usize> {
        Some(self.scale_of(self.criterion(criterion)?)?.points.len())
    }

    /// The methods, in the order in which they first appear.
    #[must_use]
    pub fn methods(&self) -> Vec<&str> {
        // A set beside the list: a file may name thousands.
        let mut known = BTreeSet::new();
        let comments = self.items.iter().flat_map(|item| &item.comments);
        comments
            .map(|comment| comment.method.as_str())
            .filter(|method| known.insert(*method))
            .collect()
    }

    /// Whether raters' codes are given out with numbers at their end. Names that a recruiting site made end in digits by
    /// chance, which say nothing.
    #[must_use]
    pub fn has_numbered_codes(&self) -> bool {
        self.recruitment
            .as_ref()
            .is_none_or(|recruitment| recruitment.participant.is_none())
    }

    /// How many comments there are: pages without the checks.
    #[must_use]
    pub fn comments(&self) -> usize {
        self.items.iter().map(|item| item.comments.len()).sum()
    }

    /// How many pages a rater sees, checks included, where everybody sees all items.
    #[must_use]
    pub fn pages(&self) -> usize {
        let checks = self.checks.planted.len().saturating_add(self.checks.repeats);
        self.comments().saturating_add(checks)
    }

    /// The fewest comments that a rater sees: where raters have a share of the items, the shortest of them.
    #[must_use]
    pub fn comments_for_one(&self) -> usize {
        let mut counts: Vec<usize> = self.items.iter().map(|item| item.comments.len()).collect();
        counts.sort_unstable();
        let own = self.options.allocation.items_for_one(self.items.len());
        counts.iter().take(own).sum()
    }

    /// The fewest pages that a rater sees, checks included.
    #[must_use]
    pub fn pages_for_one(&self) -> usize {
        self.comments_for_one() + self.checks.planted.len() + self.checks.repeats
    }

    /// The study as a file: indented JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Reason for the fallback: keys are strings and numbers finite (checked at reading), so it cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Which study this is: SHA-256 of its JSON without white space, without the comments' scores, which raters do not
    /// see, and without the place that answers are sent to and the slots to be given out again, which may change; in
    /// hexadecimal. Sessions and results name it,
    /// so that answers to two versions of a study are not taken for one.
    #[must_use]
    pub fn sha256(&self) -> String {
        let mut study = self.clone();
        study.options.collection = None;
        // Slots are given out again while the study runs.
        study.options.allocation.reissue.clear();
        for comment in study.items.iter_mut().flat_map(|item| &mut item.comments) {
            comment.scores.clear();
        }
        let json = serde_json::to_vec(&study).unwrap_or_default();
        Sha256::digest(json).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
