//! Yes, no, or not to be decided, with why.

use super::ClaimVerdict;
use crate::commentary::FactId;

/// What the board or the engine says of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Truth {
    /// It is so, for this reason.
    Yes(String, Vec<FactId>),
    /// It is not.
    No(String, Vec<FactId>),
    /// It is open: board and lines don't decide it.
    Unknown(String),
}

impl Truth {
    /// It is so.
    pub fn yes(reason: impl Into<String>) -> Self {
        Self::Yes(reason.into(), Vec::new())
    }

    /// It is not so.
    pub fn no(reason: impl Into<String>) -> Self {
        Self::No(reason.into(), Vec::new())
    }

    /// It is open: board and lines don't decide it.
    pub fn unknown(reason: impl Into<String>) -> Self {
        Self::Unknown(reason.into())
    }

    /// Yes or no, with the reason of either.
    pub fn of(holds: bool, yes: impl FnOnce() -> String, no: impl FnOnce() -> String) -> Self {
        if holds { Self::yes(yes()) } else { Self::no(no()) }
    }

    /// The opposite statement; the reason stays.
    #[must_use]
    pub fn negated(self, negated: bool) -> Self {
        match self {
            Self::Yes(reason, facts) if negated => Self::No(reason, facts),
            Self::No(reason, facts) if negated => Self::Yes(reason, facts),
            other => other,
        }
    }

    /// A no becomes unknown.
    #[must_use]
    pub fn lenient(self, why: &str) -> Self {
        match self {
            Self::No(..) => Self::unknown(why),
            other => other,
        }
    }

    /// True for yes.
    #[must_use]
    pub const fn holds(&self) -> bool {
        matches!(self, Self::Yes(..))
    }

    /// True for no.
    #[must_use]
    pub const fn fails(&self) -> bool {
        matches!(self, Self::No(..))
    }

    /// Verdict, reason and facts of a claim.
    #[must_use]
    pub fn into_parts(self) -> (ClaimVerdict, String, Vec<FactId>) {
        match self {
            Self::Yes(reason, facts) => (ClaimVerdict::Supported, reason, facts),
            Self::No(reason, facts) => (ClaimVerdict::Contradicted, reason, facts),
            Self::Unknown(reason) => (ClaimVerdict::NotJudged, reason, Vec::new()),
        }
    }
}

/// Of several readings one that holds, else one that is open, else the first. Unknown where there is none.
#[must_use]
pub fn any(readings: impl IntoIterator<Item = Truth>) -> Truth {
    let mut best: Option<Truth> = None;
    for reading in readings {
        match (&best, &reading) {
            (_, Truth::Yes(..)) => return reading,
            (None | Some(Truth::No(..)), Truth::Unknown(_)) | (None, _) => best = Some(reading),
            _ => {}
        }
    }
    best.unwrap_or_else(|| Truth::unknown("The words are tied to nothing on the board."))
}

/// All of several statements: one that fails, else one that is open, else all of their reasons.
#[must_use]
pub fn all(parts: impl IntoIterator<Item = Truth>) -> Truth {
    let mut reasons = Vec::new();
    let mut facts = Vec::new();
    let mut unknown = None;
    for part in parts {
        match part {
            Truth::No(..) => return part,
            Truth::Unknown(_) => unknown = unknown.or(Some(part)),
            Truth::Yes(reason, more) => {
                if !reasons.contains(&reason) {
                    reasons.push(reason);
                }
                facts.extend(more);
            }
        }
    }
    unknown.unwrap_or_else(|| {
        if reasons.is_empty() {
            Truth::unknown("The words are tied to nothing on the board.")
        } else {
            Truth::Yes(reasons.join(" "), facts)
        }
    })
}
