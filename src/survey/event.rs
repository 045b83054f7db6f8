//! What happens in a session. The journal of these is what is stored; everything else follows from it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::span::Span;

/// When something happened, by two clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Stamp {
    /// The device's time of day, milliseconds since 1970 UTC. It may be wrong, and may be set while one rates.
    pub wall: u64,
    /// Milliseconds since the page was opened: never goes back, and starts anew with every [`What::Opened`].
    pub tick: u64,
}

/// An entry of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// When it happened.
    pub at: Stamp,
    /// What happened.
    pub what: What,
}

impl Event {
    /// Something that happened at a time.
    #[must_use]
    pub const fn new(at: Stamp, what: What) -> Self {
        Self { at, what }
    }
}

/// What can happen. Pages are named as in the results, practice pages `practice/1` and so on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum What {
    /// The page was opened: the first time, or again.
    Opened,
    /// The rater looks elsewhere.
    Blurred,
    /// The rater is back.
    Focused,
    /// The link said who this is: comes before the consent, once.
    Invited {
        /// The participant's name at a recruiting site.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        participant: Option<String>,
        /// The slot.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        slot: Option<u64>,
    },
    /// The rater agrees to this version of the consent text.
    Consented {
        /// The version shown.
        version: String,
    },
    /// The rater agrees that the answers are sent to this server, as the page names it.
    SendsTo {
        /// Its address without the path: `https://results.example.org`.
        server: String,
    },
    /// The rater does not agree.
    Declined,
    /// A field of the rater form is written into, and left; the form is not handed over yet.
    Typed {
        /// The field's id.
        field: String,
        /// What stands in it now.
        text: String,
    },
    /// The rater form is filled in: answers by the fields' ids.
    Form {
        /// Text, numbers and choices, all as text.
        answers: BTreeMap<String, String>,
    },
    /// The instructions are read.
    Read,
    /// All comprehension questions are answered.
    Answered {
        /// The choices in the order of the questions, from 1.
        choices: Vec<usize>,
    },
    /// A criterion is rated, or rated anew.
    Rated {
        /// The page.
        page: String,
        /// The criterion.
        criterion: String,
        /// The point of its scale, from 1.
        value: u8,
    },
    /// A kind of a follow-up question is ticked, or no longer.
    Ticked {
        /// The page.
        page: String,
        /// The follow-up's id.
        follow_up: String,
        /// The kind.
        kind: String,
        /// Whether it is ticked now.
        on: bool,
    },
    /// The text under "other".
    Wrote {
        /// The page.
        page: String,
        /// The follow-up's id.
        follow_up: String,
        /// The whole text.
        text: String,
    },
    /// Words are marked as wrong, or no longer.
    Marked {
        /// The page.
        page: String,
        /// All marks there are now, in their order.
        spans: Vec<Span>,
    },
    /// The page is answered.
    Submitted {
        /// The page.
        page: String,
    },
    /// The feedback is read, or the break is over.
    Continued,
    /// Back to the page before.
    Back,
}
