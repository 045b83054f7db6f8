//! What becomes of positions, games and tables that are brought into a study: the items, and all that was not taken.

use thiserror::Error;

use super::{
    foreign_text::clipped,
    limits::{MAX_PAGES, MAX_STUDY_BYTES, MOST_METHODS},
    study::{Item, ShownError},
};
use crate::{chess::pgn::PgnError, table_file::BadRow};

/// The most faults of rows that are listed; more are counted.
pub const MOST_LISTED: usize = 20;

/// How texts are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// Which moves of a game become items.
    pub choice: Choice,
    /// Whether comments about several moves are kept; see
    /// [`is_about_several_moves`](super::several_moves::is_about_several_moves).
    pub keep_several: bool,
}

impl Default for Reading {
    /// Turning points, without comments about several moves.
    fn default() -> Self {
        Self {
            choice: Choice::TurningPoints,
            keep_several: false,
        }
    }
}

/// Which moves of a game become items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Every so manieth half-move of the main line.
    Every(usize),
    /// Those with a glyph from `!` to `?!`, and those that change the winning chance of an evaluation in the comments by a
    /// tenth or more.
    TurningPoints,
}

/// What was read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Import {
    /// The items.
    pub items: Vec<Item>,
    /// Rows that could not be used, the first [`MOST_LISTED`].
    pub faults: Vec<RowFault>,
    /// Faults in all.
    pub fault_count: usize,
    /// Rows whose comment is empty: it is missing.
    pub empty: Lines,
    /// Rows or games that were left out because their comment is about several moves.
    pub several: Lines,
    /// Moves that were left out because every comment on them is missing or left out.
    pub bare: usize,
    /// Rows whose move number stands in the place of the FEN's.
    pub renumbered: Lines,
    /// Columns that hold numbers, but more other texts, and were not taken for scores.
    pub no_scores: Vec<String>,
    /// Whether the numbers of lines are numbers of games.
    pub of_games: bool,
}

impl Import {
    pub(super) fn fault(&mut self, fault: RowFault) {
        self.fault_count += 1;
        if self.faults.len() < MOST_LISTED {
            self.faults.push(fault);
        }
    }

    /// What there is to say of it, beginning with how many items there are.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut said = vec![format!(
            "{} added.",
            counted(self.items.len(), "item was", "items were")
        )];
        let unit = if self.of_games { "game" } else { "line" };
        let of = |lines: &Lines, one: &str, many: &str, rest: &str| {
            (lines.count > 0).then(|| format!("{} {rest}: {}.", counted(lines.count, one, many), lines.named(unit)))
        };
        said.extend(of(
            &self.empty,
            "comment is",
            "comments are",
            "missing, as there is no text",
        ));
        said.extend(of(
            &self.several,
            "comment is",
            "comments are",
            "left out, as the text is about more than the one move",
        ));
        if self.bare > 0 {
            said.push(format!(
                "{} left out, as no comment on it is there.",
                counted(self.bare, "move is", "moves are")
            ));
        }
        said.extend(of(
            &self.renumbered,
            "position has",
            "positions have",
            "the move’s number in the place of the FEN’s",
        ));
        for column in &self.no_scores {
            said.push(format!(
                "The column “{column}” is not taken for scores: most of its values are no numbers."
            ));
        }
        if self.fault_count > 0 {
            said.push(format!("{}:", counted(self.fault_count, "fault", "faults")));
        }
        said
    }

    /// The faults as sentences, the last of which counts those that are not listed.
    #[must_use]
    pub fn fault_sentences(&self) -> Vec<String> {
        let more = self.fault_count.saturating_sub(self.faults.len());
        let rest = (more > 0).then(|| format!("And {more} more."));
        self.faults.iter().map(ToString::to_string).chain(rest).collect()
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Some lines, the first of them by number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lines {
    /// The first [`MOST_LISTED`], from 1.
    pub first: Vec<usize>,
    /// How many there are.
    pub count: usize,
    last: usize,
}

impl Lines {
    pub(super) fn add(&mut self, line: usize) {
        self.last = line;
        self.count += 1;
        if self.first.len() < MOST_LISTED {
            self.first.push(line);
        }
    }

    /// As [`Self::add`], but a line that was added just now is no second one.
    pub(super) fn add_once(&mut self, line: usize) {
        if self.count == 0 || self.last != line {
            self.add(line);
        }
    }
}

impl Lines {
    /// "lines 5, 9 and 4 more", `unit` being "line".
    fn named(&self, unit: &str) -> String {
        let numbers: Vec<String> = self.first.iter().map(ToString::to_string).collect();
        let ending = if self.count == 1 { "" } else { "s" };
        let rest = match self.count.saturating_sub(numbers.len()) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{unit}{ending} {}{rest}", numbers.join(", "))
    }
}

/// A row that could not be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("Line {line}: {wrong}")]
pub struct RowFault {
    /// The line of the file on which the row begins, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub wrong: RowWrong,
}

/// What can be wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RowWrong {
    /// A line without a move.
    #[error("write the position, then the move.")]
    NoMove,
    /// A position or a move that cannot be shown.
    #[error("{0}")]
    Shown(#[from] ShownError),
    /// Something is not there.
    #[error("the {0} is missing.")]
    Missing(&'static str),
    /// A method twice on one move.
    #[error("there is a comment by “{0}” on this move already.")]
    Twice(String),
    /// More comments on a move than a study has methods.
    #[error("this move has {MOST_METHODS} comments already, and a study has at most so many methods.")]
    TooManyMethods,
    /// It is no row of the table.
    #[error(transparent)]
    Row(#[from] BadRow),
    /// A score that is no number.
    #[error("“{text}” is no number for {column}: this score is left out.")]
    Score {
        /// The column.
        column: String,
        /// What is there.
        text: String,
    },
    /// A line of fields with too many or too few.
    #[error("it has {0} fields; a line has the position, the move and perhaps a comment.")]
    Fields(usize),
    /// A board in words that is none.
    #[error("a board in words has 64 of them, each “eps” or a piece such as “white_rook”, and one of these has not.")]
    Board,
    /// Two boards that no move joins.
    #[error("no legal move leads from the one board to the other.")]
    NoWay,
}

/// A text that gives no items.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SourceError {
    /// Nothing in it.
    #[error("There is nothing in it.")]
    Empty,
    /// More than is read.
    #[error("It has {0} bytes; at most {MAX_STUDY_BYTES} are read.")]
    TooLong(usize),
    /// More items than a study has.
    #[error("It gives more than {MAX_PAGES} items.")]
    TooMany,
    /// No row could be used.
    #[error("{}", none(.0))]
    Nothing(Box<Import>),
    /// Not the PGN.
    #[error("{0}")]
    Pgn(#[from] PgnError),
    /// No turning points are marked.
    #[error(
        "These games mark no turning points: they have neither glyphs such as ?? nor evaluations ([%eval …]). Take every \
         n-th move instead."
    )]
    NoTurningPoints,
    /// No table.
    #[error("It cannot be read as a table: {0}.")]
    Table(String),
    /// The table lacks columns.
    #[error("{} missing: a table has the columns fen, move, method and comment.", columns(.0))]
    Columns(Vec<&'static str>),
    /// Files that belong together line by line do not.
    #[error("{0}")]
    Files(String),
}

fn none(import: &Import) -> String {
    let faults = import.fault_sentences();
    if faults.is_empty() {
        // Without a fault there is another reason why nothing is left.
        import.sentences().join(" ")
    } else {
        faults.join(" ")
    }
}

fn columns(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("“{}”", clipped(name))).collect();
    match &quoted[..] {
        [one] => format!("The column {one} is"),
        _ => format!("The columns {} are", quoted.join(", ")),
    }
}
