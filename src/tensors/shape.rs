//! Whether a model can be as its header says.

use thiserror::Error;

/// Why a header describes no model that can be run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ShapeError {
    /// Another format.
    #[error("it is of the kind {found:?}; this version reads {read:?}")]
    Schema {
        /// What the header says.
        found: String,
        /// What is read.
        read: &'static str,
    },
    /// A number is out of all proportion.
    #[error("its header gives {found} as {what}; from {least} to {most} are read")]
    Range {
        /// What the number counts.
        what: &'static str,
        /// The number.
        found: usize,
        /// The least that makes sense.
        least: usize,
        /// The most that is read.
        most: usize,
    },
    /// The heads do not share the width evenly.
    #[error("its header gives {heads} heads, which do not divide a width of {width}")]
    Heads {
        /// Heads.
        heads: usize,
        /// The width.
        width: usize,
    },
}

/// Whether a header is of the format that is read.
///
/// # Errors
/// [`ShapeError::Schema`] where it is not.
pub fn is_schema(found: &str, read: &'static str) -> Result<(), ShapeError> {
    let found = found.to_owned();
    if found == read {
        Ok(())
    } else {
        Err(ShapeError::Schema { found, read })
    }
}

/// Whether a number lies between two others, both included.
///
/// # Errors
/// [`ShapeError::Range`] where it does not.
pub const fn within(what: &'static str, found: usize, least: usize, most: usize) -> Result<(), ShapeError> {
    match least <= found && found <= most {
        true => Ok(()),
        false => Err(ShapeError::Range {
            what,
            found,
            least,
            most,
        }),
    }
}

/// Whether heads of attention share a width evenly.
///
/// # Errors
/// Where there is none, or they do not.
pub fn share_evenly(heads: usize, width: usize) -> Result<(), ShapeError> {
    within("heads", heads, 1, width)?;
    if width.is_multiple_of(heads) {
        Ok(())
    } else {
        Err(ShapeError::Heads { heads, width })
    }
}
