//! Why something cannot happen in a session now.

use thiserror::Error;

use super::{answer::Missing, study::MAX_WRITTEN};

/// Why an event is not taken.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Denial {
    /// The first event opens the page.
    #[error("The session is not open.")]
    NotOpened,
    /// Nothing more can be answered.
    #[error("The session is over.")]
    Over,
    /// It belongs to another stage.
    #[error("That is not asked now.")]
    NotNow,
    /// Another version of the consent text than the study's.
    #[error("The consent is to another version of the text.")]
    OtherVersion,
    /// The page is not the one that is shown.
    #[error("The page {0} is not the one that is shown.")]
    OtherPage(String),
    /// No such criterion.
    #[error("The study has no criterion {0}.")]
    NoCriterion(String),
    /// No such point.
    #[error("{0} is not on the scale.")]
    OffScale(u8),
    /// No such kind, or no follow-up with this name.
    #[error("“{0}” is not asked for.")]
    NoKind(String),
    /// Marks that lie outside the comment or within each other, or are of another kind.
    #[error("These words cannot be marked.")]
    NoMarks,
    /// More than [`MAX_WRITTEN`].
    #[error("At most {MAX_WRITTEN} characters can be written here.")]
    TooLong,
    /// The page is not complete.
    #[error("{}", list(.0))]
    Incomplete(Vec<Missing>),
    /// Not every question has an answer.
    #[error("Please answer every question.")]
    Unanswered,
    /// No such field of the form.
    #[error("The form has no field {0}.")]
    NoField(String),
    /// A field without an answer that it takes.
    #[error("“{0}” needs an answer that fits.")]
    Field(String),
    /// The break is not over and cannot be skipped.
    #[error("The break is not over.")]
    StillBreak,
    /// The study does not let one go back, or there is nothing before.
    #[error("There is no way back from here.")]
    NoWayBack,
}

fn list(missing: &[Missing]) -> String {
    let names: Vec<&str> = missing.iter().map(|missing| missing.title.as_str()).collect();
    format!("Still to be answered: {}.", names.join(", "))
}
