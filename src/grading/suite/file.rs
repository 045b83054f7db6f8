//! A suite as a file of JSON lines: what it is and how it was made, then its positions.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::position::{PositionError, TestPosition};
use crate::long_run::lines::{LineError, line_text, read_lines};

/// The version of the file's shape.
pub const SCHEMA: u32 = 1;

/// What is said once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuiteHeader {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The program that made it, with its version and commit.
    pub program: String,
    /// Its name.
    pub name: String,
    /// How it was made, in words: from what, how many, which engine and limit.
    pub made: String,
    /// The seed of what was drawn.
    pub seed: u64,
}

/// A suite.
#[derive(Debug, Clone, PartialEq)]
pub struct Suite {
    /// What is said once.
    pub header: SuiteHeader,
    /// Its positions.
    pub positions: Vec<TestPosition>,
}

/// A line of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase")]
enum SuiteLine {
    /// The first.
    Suite(SuiteHeader),
    /// A position.
    Position(Box<TestPosition>),
}

/// Why a file is no suite.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SuiteError {
    /// It does not begin with a header.
    #[error("the file does not begin with the line of a suite")]
    NoHeader,
    /// It is of another shape.
    #[error("the file's shape is version {0}; this program reads version {SCHEMA}")]
    Schema(u32),
    /// A line cannot be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// A position cannot be used.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// Two positions have one name.
    #[error("there are two positions called {0}")]
    Twice(String),
}

impl Suite {
    /// A suite made by this program.
    #[must_use]
    pub fn new(name: &str, made: String, seed: u64, positions: Vec<TestPosition>) -> Self {
        Self {
            header: SuiteHeader {
                schema: SCHEMA,
                program: concat!("kibitz ", env!("CARGO_PKG_VERSION")).to_owned(),
                name: name.to_owned(),
                made,
                seed,
            },
            positions,
        }
    }

    /// The same, made by a program that can name its commit.
    #[must_use]
    pub fn made_by(mut self, program: String) -> Self {
        self.header.program = program;
        self
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is no suite, or a position in it cannot be used.
    pub fn read(text: &str) -> Result<Self, SuiteError> {
        let mut suite: Option<Self> = None;
        let mut names = BTreeSet::new();
        for line in read_lines(text) {
            match (line, &mut suite) {
                (Ok((_, SuiteLine::Suite(header))), None) => {
                    if header.schema != SCHEMA {
                        return Err(SuiteError::Schema(header.schema));
                    }
                    suite = Some(Self {
                        header,
                        positions: Vec::new(),
                    });
                }
                (Ok((_, SuiteLine::Position(position))), Some(suite)) => {
                    position.read()?;
                    if !names.insert(position.id.clone()) {
                        return Err(SuiteError::Twice(position.id));
                    }
                    suite.positions.push(*position);
                }
                (Ok(_) | Err(_), None) | (Ok((_, SuiteLine::Suite(_))), Some(_)) => return Err(SuiteError::NoHeader),
                (Err(error), Some(_)) => return Err(error.into()),
            }
        }
        suite.ok_or(SuiteError::NoHeader)
    }

    /// The whole file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = line_text(&SuiteLine::Suite(self.header.clone())) + "\n";
        for position in &self.positions {
            text += &line_text(&SuiteLine::Position(Box::new(position.clone())));
            text.push('\n');
        }
        text
    }
}

/// Gives every position a name of its own: games of two files, or lines of two EPDs, may have the same. The first keeps it,
/// the next is `… (2)`. How many were renamed.
pub fn name_apart(positions: &mut [TestPosition]) -> usize {
    let all: BTreeSet<String> = positions.iter().map(|at| at.id.clone()).collect();
    let mut taken = BTreeSet::new();
    let mut renamed = 0;
    for at in positions {
        if taken.insert(at.id.clone()) {
            continue;
        }
        let mut number = 2_usize;
        // A name that another position has by itself is not given away.
        let own = loop {
            let own = format!("{} ({number})", at.id);
            if !all.contains(&own) && !taken.contains(&own) {
                break own;
            }
            number += 1;
        };
        taken.insert(own.clone());
        at.id = own;
        renamed += 1;
    }
    renamed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grading::suite::goal::Goal;
    use shakmaty::{CastlingMode, Chess};

    #[test]
    fn a_suite_comes_back_and_what_is_none_is_refused() {
        let at = |id: &str| TestPosition::new(id, &Chess::default(), CastlingMode::Standard, Goal::Mate);
        let suite = Suite::new("s", "by hand".to_owned(), 3, vec![at("a"), at("b")]);
        assert_eq!(Suite::read(&suite.text()).unwrap(), suite);
        let twice = Suite::new("s", String::new(), 3, vec![at("a"), at("a")]);
        assert_eq!(Suite::read(&twice.text()), Err(SuiteError::Twice("a".to_owned())));
        assert_eq!(Suite::read(""), Err(SuiteError::NoHeader));
        assert_eq!(Suite::read("{}"), Err(SuiteError::NoHeader));
        let mut three = vec![at("a"), at("a"), at("a (2)"), at("a")];
        assert_eq!(name_apart(&mut three), 2);
        let ids: Vec<&str> = three.iter().map(|at| at.id.as_str()).collect();
        assert_eq!(ids, ["a", "a (3)", "a (2)", "a (4)"]);
        assert!(Suite::read(&Suite::new("s", String::new(), 3, three).text()).is_ok());
        let newer = suite.text().replacen("\"schema\":1", "\"schema\":2", 1);
        assert_eq!(Suite::read(&newer), Err(SuiteError::Schema(2)));
    }
}
