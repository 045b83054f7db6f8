//! What is shown of the files and the scales, and what can be asked for.

use crate::{
    browser::files::FileBytes,
    survey::{Study, analysis::material::Ends, simulation::Simulation},
};

/// A file that was given, as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    /// Number of the file, in the order in which files were given.
    pub id: usize,
    /// Its name.
    pub name: String,
    /// What it holds, or why it was refused.
    pub what: Result<String, String>,
}

/// What the work is at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// In words.
    pub what: String,
    /// Files done, and files in all, while files are read.
    pub of: Option<(usize, usize)>,
}

/// A criterion's scale as the user may set it.
#[derive(Debug, Clone, PartialEq)]
pub struct ScaleRow {
    /// The criterion.
    pub criterion: String,
    /// Its ends, if they are known or taken from the ratings.
    pub ends: Option<Ends>,
    /// Whether the user set them.
    pub own: bool,
}

/// From where on everything is made anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Refresh {
    Pick,
    Sort,
    Report,
    Pairs,
}

/// Which anonymised file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anonymised {
    /// Ratings in long form.
    Ratings,
    /// Who took part, as a table.
    Raters,
}

/// What the page asks for.
pub(super) enum Command {
    Read(FileBytes),
    Refuse(String, String),
    Remove(usize),
    Clear,
    Simulate(Option<Box<Study>>, Simulation),
    EndSimulation,
    SaveCodebook {
        /// CSV; else Markdown.
        csv: bool,
    },
    SaveAnonymised(Anonymised),
    SaveRatings {
        /// With nothing in it that a spreadsheet program would run.
        for_spreadsheets: bool,
    },
}
