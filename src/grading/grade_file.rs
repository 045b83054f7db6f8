//! Grades as a file of JSON lines: who graded and how long it looked, then a grade for every position and move. Runs over the
//! same positions share it; a second engine's grades are a second file.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use shakmaty::Move;

use super::{
    grade::Grade,
    review::Review,
    run_file::Run,
    suite::position::{Reached, TestPosition},
};
use crate::{
    commentary::{
        FactSheet,
        kept_declaration::{KeptDeclaration, checked},
        revision::Tally,
    },
    judge::item::WrongClaim,
    long_run::lines::{LineError, line_text, read_lines},
    pace::{AtOnce, Pace, at_once},
    uci::Limit,
};

/// The version of the file's shape.
pub const SCHEMA: u32 = 1;

/// What is said once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The program that wrote it, with its version and commit.
    pub program: String,
    /// What the engine calls itself.
    pub engine: String,
    /// Each search's limit.
    pub limit: Limit,
}

/// A grade, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GradeRow {
    /// The position's FEN.
    pub fen: String,
    /// The moves that led to it, which tell repetitions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub moves: String,
    /// What came of it.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What came of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The grade of a move.
    Grade(Box<Grade>),
    /// What the claim check says of a reason for a move, with the engine's lines at hand.
    Reason(Box<Reason>),
    /// The search failed: there is no grade.
    Error {
        /// The move, in UCI notation.
        #[serde(rename = "move")]
        uci: String,
        /// The engine's error, in a sentence.
        what: String,
    },
}

/// A checked reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// The move, in UCI notation.
    #[serde(rename = "move")]
    pub uci: String,
    /// The words.
    pub text: String,
    /// Its claims by their verdicts.
    pub tally: Tally,
    /// Those that are wrong.
    pub wrong: Vec<WrongClaim>,
    /// What a model declared of it; the claims are those, unless the answer can't be read. `None` where our own reader found them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declaration: Option<KeptDeclaration>,
}

impl Outcome {
    /// An error of one move.
    #[must_use]
    pub fn error(uci: &str, what: &str) -> Self {
        Self::Error {
            uci: uci.to_owned(),
            what: what.to_owned(),
        }
    }

    /// The grades that a review has come to.
    pub fn grades(review: &Review) -> impl Iterator<Item = Self> {
        review.grades().into_iter().map(|grade| Self::Grade(Box::new(grade)))
    }

    /// A reason for a move, held against what is known of it: by what was declared of it, or by its words.
    #[must_use]
    pub fn reason(sheet: &FactSheet, uci: &str, text: &str, declaration: Option<KeptDeclaration>) -> Self {
        let checked = checked(sheet, text, declaration.as_ref());
        Self::Reason(Box::new(Reason {
            uci: uci.to_owned(),
            text: text.to_owned(),
            tally: Tally::of(&checked),
            wrong: checked.contradicted().map(WrongClaim::from).collect(),
            declaration,
        }))
    }
}

/// A line of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase")]
pub enum GradeLine {
    /// The first.
    Grades(Header),
    /// A grade, a checked reason or an error.
    Row(GradeRow),
}

impl GradeLine {
    /// As a line of the file, without its end.
    #[must_use]
    pub fn text(&self) -> String {
        line_text(self)
    }
}

/// Why a file holds no grades.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GradesError {
    /// It does not begin with a header.
    #[error("the file does not begin with the line of a file of grades")]
    NoHeader,
    /// It is of another shape.
    #[error("the file's shape is version {0}; this program reads version {SCHEMA}")]
    Schema(u32),
    /// A line cannot be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// Two files are of different engines or limits.
    #[error("the files are by different engines or limits")]
    Different,
}

/// What is to be graded in one position: its moves and the reasons given for them.
#[derive(Debug, Clone, PartialEq)]
pub struct ToGrade {
    /// The position.
    pub at: TestPosition,
    /// Moves in UCI notation.
    pub moves: Vec<String>,
    /// Moves with reasons.
    pub reasons: Vec<(String, String)>,
}

impl ToGrade {
    /// The position, and the review of its moves: whoever has an engine makes the review's searches.
    ///
    /// # Errors
    /// Where the position cannot be read: an error for each move.
    pub fn begin(&self, limit: Limit) -> Result<(Reached, Review), Vec<Outcome>> {
        let reached = self.at.read().map_err(|error| self.errors(&error.to_string()))?;
        let review = Review::new(
            reached.history.clone(),
            reached.position.clone(),
            reached.mode,
            limit,
            self.moves.iter().filter_map(|uci| reached.legal(uci)),
        );
        Ok((reached, review))
    }

    /// The same error for each move.
    #[must_use]
    pub fn errors(&self, what: &str) -> Vec<Outcome> {
        self.moves.iter().map(|uci| Outcome::error(uci, what)).collect()
    }

    /// The moves with reasons that are legal: the move, its name in UCI notation, the reason.
    pub fn legal_reasons<'a>(&'a self, reached: &'a Reached) -> impl Iterator<Item = (Move, &'a str, &'a str)> {
        let legal = |(uci, text): &'a (String, String)| Some((reached.legal(uci)?, uci.as_str(), text.as_str()));
        self.reasons.iter().filter_map(legal)
    }
}

/// A file of grades.
#[derive(Debug, Clone, PartialEq)]
pub struct Grades {
    /// Who graded, and how.
    pub header: Header,
    /// Rows in the order in which they came.
    pub rows: Vec<GradeRow>,
}

/// What a grade is of: a position with the moves before it, and a move.
pub type Key = (String, String, String);

impl Grades {
    /// None yet, by this engine.
    #[must_use]
    pub fn new(engine: &str, limit: Limit) -> Self {
        Self {
            header: Header {
                schema: SCHEMA,
                program: concat!("kibitz ", env!("CARGO_PKG_VERSION")).to_owned(),
                engine: engine.to_owned(),
                limit,
            },
            rows: Vec::new(),
        }
    }

    /// The same, written by a program that can name its commit.
    #[must_use]
    pub fn made_by(mut self, program: String) -> Self {
        self.header.program = program;
        self
    }

    /// Who graded, in words: `Stockfish 15.1, 100,000 nodes`.
    #[must_use]
    pub fn words(&self) -> String {
        format!("{}, {}", self.header.engine, self.header.limit.words())
    }

    /// Reads a file. Half a line at its end is passed over.
    ///
    /// # Errors
    /// When it holds no grades, or a line other than the last cannot be read.
    pub fn read(text: &str) -> Result<Self, GradesError> {
        at_once(Self::read_at(text, &AtOnce))
    }

    /// The same at a pace: there may be tens of megabytes.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub async fn read_at(text: &str, pace: &impl Pace) -> Result<Self, GradesError> {
        let mut grades: Option<Self> = None;
        for line in read_lines(text) {
            pace.turn().await;
            match (line, &mut grades) {
                (Ok((_, GradeLine::Grades(header))), None) => {
                    if header.schema != SCHEMA {
                        return Err(GradesError::Schema(header.schema));
                    }
                    grades = Some(Self {
                        header,
                        rows: Vec::new(),
                    });
                }
                (Ok((_, GradeLine::Row(row))), Some(grades)) => grades.rows.push(row),
                (Ok((_, GradeLine::Grades(_))), Some(_)) => return Err(GradesError::Different),
                (Ok(_) | Err(_), None) => return Err(GradesError::NoHeader),
                (Err(error), Some(_)) => return Err(error.into()),
            }
        }
        grades.ok_or(GradesError::NoHeader)
    }

    /// The whole file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = GradeLine::Grades(self.header.clone()).text() + "\n";
        for row in &self.rows {
            text += &GradeLine::Row(row.clone()).text();
            text.push('\n');
        }
        text
    }

    /// Grades by what they are of, each one's first.
    #[must_use]
    pub fn by_move(&self) -> BTreeMap<Key, &Grade> {
        let mut found = BTreeMap::new();
        for row in &self.rows {
            if let Outcome::Grade(grade) = &row.outcome {
                found
                    .entry((row.fen.clone(), row.moves.clone(), grade.uci.clone()))
                    .or_insert(grade.as_ref());
            }
        }
        found
    }

    /// Checked reasons by what they are of, and their words; the first, or the first whose claims were declared.
    #[must_use]
    pub fn reasons(&self) -> BTreeMap<(Key, &str), &Reason> {
        let mut found = BTreeMap::new();
        for row in &self.rows {
            if let Outcome::Reason(reason) = &row.outcome {
                let key = (row.fen.clone(), row.moves.clone(), reason.uci.clone());
                let known = found.entry((key, reason.text.as_str())).or_insert(reason.as_ref());
                if known.declaration.is_none() && reason.declaration.is_some() {
                    *known = reason;
                }
            }
        }
        found
    }

    /// What of these runs is still to be graded, position by position: the first legal move of every answer, and with
    /// `baseline` the moves that were played in the games.
    #[must_use]
    pub fn left(&self, runs: &[Run], baseline: bool) -> Vec<ToGrade> {
        self.left_unless(runs, baseline, |_| true)
    }

    /// The same with the reasons whose claims nobody declared, which are checked again by what is declared of them.
    #[must_use]
    pub fn left_to_declare(&self, runs: &[Run], baseline: bool) -> Vec<ToGrade> {
        self.left_unless(runs, baseline, |reason| reason.declaration.is_some())
    }

    /// What is still to be graded, and the reasons that are not checked, or not in this way.
    fn left_unless(&self, runs: &[Run], baseline: bool, is_checked: impl Fn(&Reason) -> bool) -> Vec<ToGrade> {
        let (graded, checked) = (self.by_move(), self.reasons());
        let mut left: Vec<ToGrade> = Vec::new();
        let mut seen = BTreeSet::new();
        for run in runs {
            let mut answers: BTreeMap<&str, Vec<(&str, Option<&str>)>> = BTreeMap::new();
            for row in run.answers() {
                if let Some(mv) = row.first_move() {
                    let entry = answers.entry(row.task.item.as_str()).or_default();
                    entry.push((mv, row.explanation.as_deref()));
                }
            }
            for at in &run.positions {
                let mut wanted = ToGrade {
                    at: at.clone(),
                    moves: Vec::new(),
                    reasons: Vec::new(),
                };
                let own = answers.get(at.id.as_str()).into_iter().flatten().copied();
                let played = at.played.as_deref().filter(|_| baseline).map(|mv| (mv, None));
                for (mv, reason) in own.chain(played) {
                    let key = (at.fen.clone(), at.moves.clone(), mv.to_owned());
                    if let Some(reason) = reason
                        && !checked
                            .get(&(key.clone(), reason))
                            .is_some_and(|known| is_checked(known))
                    {
                        let one = (mv.to_owned(), reason.to_owned());
                        // Two players may give the same reason.
                        if !wanted.reasons.contains(&one) {
                            wanted.reasons.push(one);
                        }
                    }
                    if !graded.contains_key(&key) && seen.insert(key) {
                        wanted.moves.push(mv.to_owned());
                    }
                }
                if !wanted.moves.is_empty() || !wanted.reasons.is_empty() {
                    left.push(wanted);
                }
            }
        }
        left
    }

    /// Adds another file's rows, such as a shard's.
    ///
    /// # Errors
    /// When it is by another engine or limit.
    pub fn merge(&mut self, other: Self) -> Result<(), GradesError> {
        if (&self.header.engine, self.header.limit) != (&other.header.engine, other.header.limit) {
            return Err(GradesError::Different);
        }
        for row in other.rows {
            if !self.rows.contains(&row) {
                self.rows.push(row);
            }
        }
        Ok(())
    }
}
