//! One attempt at an answer: what happens meanwhile, and how long is waited.

use std::time::Duration;

use crate::llm::Delta;

/// What happens while a reply is awaited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Text or thinking arrived.
    Delta(Delta),
    /// The attempt failed; another follows after this wait.
    Waiting {
        /// A stable word for why it failed.
        kind: &'static str,
        /// Why it failed, a sentence.
        reason: String,
        /// How long until the next attempt.
        wait: Duration,
    },
}

/// The longest silence: before the first word, and between two pieces. Local models on small machines read the prompt
/// for minutes before they say anything.
pub(super) const FIRST: Duration = Duration::from_secs(120);

const BETWEEN: Duration = Duration::from_secs(30);

/// How many silences a whole reply may take: with the bound above, ten minutes.
const WHOLE_IN_SILENCES: u32 = 20;

/// How long is waited.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// For the first piece.
    pub(super) first: Duration,
    /// Between two pieces.
    pub(super) between: Duration,
    /// For the whole reply, though something comes all the time.
    pub(super) whole: Duration,
}

impl Patience {
    pub(super) fn new(silence: Option<Duration>) -> Self {
        let between = silence.unwrap_or(BETWEEN);
        Self {
            first: silence.unwrap_or(FIRST),
            between,
            whole: between * WHOLE_IN_SILENCES,
        }
    }
}
