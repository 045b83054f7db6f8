//! A claim as data: what is said of whom, in which position, and whether it is said, denied or only supposed.
//!
//! A statement knows no English and no board: a reader makes it from words, a language model may declare it beside its prose
//! ([`super::declared`]), and [`super::evaluate`] alone decides it.

mod designation;
mod predicate;

use serde::{Deserialize, Serialize};
use shakmaty::{CastlingSide, Color, File, Square};

use crate::commentary::kinds::kinds;

pub use designation::{Designation, DesignationError, Shade};
pub use predicate::Predicate;

kinds! {
    /// In which way a statement is made.
    Mode {
        /// It is, or was, or will be so.
        Asserted = "asserted",
        /// It might be so: "if", "perhaps", "may".
        Supposed = "supposed",
        /// It is asked.
        Asked = "asked",
        /// It is hoped, planned or intended.
        Wished = "wished",
    }
}

kinds! {
    /// The position from which a statement's moves are played.
    Point {
        /// The position before the move under discussion.
        Before = "before",
        /// The position after it.
        After = "after",
    }
}

kinds! {
    /// A word that a predicate needs beside men and squares.
    Qualifier {
        /// Of a number: more than it.
        MoreThan = "more_than",
        /// Of a number: less than it.
        LessThan = "less_than",
        /// Of a number: near it.
        About = "about",
        /// Standing: a slight advantage.
        Slight = "slight",
        /// Standing: a clear advantage.
        Clear = "clear",
        /// Standing: a winning advantage.
        Winning = "winning",
        /// Of a move: as good as the best, or nearly.
        Good = "good",
        /// Of a move: it costs a little.
        Inaccuracy = "inaccuracy",
        /// Of a move: it costs much.
        Mistake = "mistake",
        /// Of a move: it costs the game, or much of it.
        Blunder = "blunder",
        /// Castling, majorities: the files e to h.
        Kingside = "kingside",
        /// Castling, majorities: the files a to d.
        Queenside = "queenside",
        /// The phase of the game.
        Opening = "opening",
        /// The phase of the game.
        Middlegame = "middlegame",
        /// The phase of the game.
        Endgame = "endgame",
    }
}

impl Qualifier {
    /// The wing that it names.
    #[must_use]
    pub const fn wing(self) -> Option<CastlingSide> {
        match self {
            Self::Kingside => Some(CastlingSide::KingSide),
            Self::Queenside => Some(CastlingSide::QueenSide),
            _ => None,
        }
    }
}

/// The position that a statement speaks of: moves from one of the two that the move under discussion parts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Along {
    /// Where the moves begin.
    pub from: Point,
    /// The moves that lead to the position, in SAN; empty for the position itself.
    pub moves: Vec<String>,
}

impl Default for Along {
    fn default() -> Self {
        Self {
            from: Point::After,
            moves: Vec::new(),
        }
    }
}

/// One claim. Which of the fields a predicate reads is told at [`Predicate`]; the others are left alone.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Statement {
    /// What is said.
    pub predicate: Predicate,
    /// Of whom, or of what.
    pub subject: Option<Designation>,
    /// Whom it is done to.
    pub objects: Vec<Designation>,
    /// Pins and skewers: the man behind the object.
    pub behind: Option<Designation>,
    /// The squares it is about.
    pub squares: Vec<Square>,
    /// The file it is about.
    pub file: Option<File>,
    /// The side it is about; `None` for the side of the subject, or for either.
    pub side: Option<Color>,
    /// A word more.
    pub qualifier: Option<Qualifier>,
    /// A number: men, moves, points of material, or a score in centipawns, **the view of `side`, or White's**.
    pub number: Option<i32>,
    /// It is said that the subject alone does it, or is it.
    pub only: bool,
    /// It is said not to be so.
    pub denied: bool,
    /// In which way it is said.
    pub mode: Mode,
    /// In which position.
    pub line: Along,
}

impl Statement {
    /// A statement with nothing but its predicate, asserted of the position after the move.
    #[must_use]
    pub fn new(predicate: Predicate) -> Self {
        Self {
            predicate,
            subject: None,
            objects: Vec::new(),
            behind: None,
            squares: Vec::new(),
            file: None,
            side: None,
            qualifier: None,
            number: None,
            only: false,
            denied: false,
            mode: Mode::Asserted,
            line: Along::default(),
        }
    }

    /// The side that it is about: the one it names, else its subject's.
    #[must_use]
    pub fn of_side(&self) -> Option<Color> {
        self.side.or_else(|| self.subject.and_then(|subject| subject.color))
    }

    /// The first object.
    #[must_use]
    pub fn object(&self) -> Option<Designation> {
        self.objects.first().copied()
    }
}

/// A statement as JSON has it: every field may be missing or null, men are written out ("white knight f3").
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct WrittenStatement {
    /// [`Predicate`]'s word.
    pub predicate: Option<String>,
    /// A [`Designation`].
    pub subject: Option<String>,
    /// [`Designation`]s.
    pub objects: Option<Vec<String>>,
    /// A [`Designation`].
    pub behind: Option<String>,
    /// Squares: "e4".
    pub squares: Option<Vec<String>>,
    /// A file: "d".
    pub file: Option<String>,
    /// "white" or "black".
    pub side: Option<String>,
    /// [`Qualifier`]'s word.
    pub qualifier: Option<String>,
    /// See [`Statement::number`].
    pub number: Option<f64>,
    /// See [`Statement::only`].
    pub only: Option<bool>,
    /// See [`Statement::denied`].
    pub denied: Option<bool>,
    /// [`Mode`]'s word.
    pub mode: Option<String>,
    /// [`Point`]'s word.
    pub position: Option<String>,
    /// See [`Along::moves`].
    pub moves: Option<Vec<String>>,
}

/// What is wrong with a written statement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StatementError {
    /// A field with a word that it can't have.
    #[error("{field}: there is no “{word}”")]
    Word {
        /// The field.
        field: &'static str,
        /// Its beginning, at most 40 characters.
        word: String,
    },
    /// A designation that can't be read.
    #[error(transparent)]
    Designation(#[from] DesignationError),
    /// A list that is longer than any claim needs.
    #[error("{0}: more than {MOST_ENTRIES} entries")]
    TooMany(&'static str),
    /// No predicate.
    #[error("it has no predicate")]
    Nothing,
}

/// Most entries of a list.
const MOST_ENTRIES: usize = 64;

impl TryFrom<&WrittenStatement> for Statement {
    type Error = StatementError;

    fn try_from(written: &WrittenStatement) -> Result<Self, StatementError> {
        let predicate = said(written.predicate.as_deref()).ok_or(StatementError::Nothing)?;
        let predicate = Predicate::of_word(predicate).ok_or_else(|| unknown("predicate", predicate))?;
        let designation = |text: &Option<String>| said(text.as_deref()).map(str::parse::<Designation>).transpose();
        let objects = list("objects", written.objects.as_deref())?;
        let squares = list("squares", written.squares.as_deref())?;
        let square = |text: &str| {
            let name = text.trim().to_ascii_lowercase();
            name.parse::<Square>().map_err(|_| unknown("squares", text))
        };
        let moves = list("moves", written.moves.as_deref())?;
        Ok(Self {
            predicate,
            subject: designation(&written.subject)?,
            objects: objects.iter().map(|text| text.parse()).collect::<Result<_, _>>()?,
            behind: designation(&written.behind)?,
            squares: squares.iter().map(|text| square(text)).collect::<Result<_, _>>()?,
            file: word("file", written.file.as_deref(), file)?,
            side: word("side", written.side.as_deref(), designation::color)?,
            qualifier: word("qualifier", written.qualifier.as_deref(), Qualifier::of_word)?,
            number: written.number.filter(|n| n.is_finite()).map(|n| n.round() as i32),
            only: written.only.unwrap_or(false),
            denied: written.denied.unwrap_or(false),
            mode: word("mode", written.mode.as_deref(), Mode::of_word)?.unwrap_or(Mode::Asserted),
            line: Along {
                from: word("position", written.position.as_deref(), Point::of_word)?.unwrap_or(Point::After),
                moves: moves.iter().map(|text| (*text).to_owned()).collect(),
            },
        })
    }
}

impl From<&Statement> for WrittenStatement {
    fn from(statement: &Statement) -> Self {
        let written = |d: &Designation| d.to_string();
        let some = |list: Vec<String>| (!list.is_empty()).then_some(list);
        Self {
            predicate: Some(statement.predicate.word().to_owned()),
            subject: statement.subject.as_ref().map(written),
            objects: some(statement.objects.iter().map(written).collect()),
            behind: statement.behind.as_ref().map(written),
            squares: some(statement.squares.iter().map(Square::to_string).collect()),
            file: statement.file.map(|file| file.char().to_string()),
            side: statement.side.map(|side| designation::color_word(side).to_owned()),
            qualifier: statement.qualifier.map(|q| q.word().to_owned()),
            number: statement.number.map(f64::from),
            only: statement.only.then_some(true),
            denied: statement.denied.then_some(true),
            mode: (statement.mode != Mode::Asserted).then(|| statement.mode.word().to_owned()),
            position: Some(statement.line.from.word().to_owned()),
            moves: some(statement.line.moves.clone()),
        }
    }
}

/// What a field says, where it says something: models write "" and "none" for nothing.
fn said(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| {
        !text.is_empty()
            && !["none", "null", "n/a", "-"]
                .iter()
                .any(|nothing| text.eq_ignore_ascii_case(nothing))
    })
}

fn list<'a>(field: &'static str, texts: Option<&'a [String]>) -> Result<Vec<&'a str>, StatementError> {
    let texts = texts.unwrap_or_default();
    if texts.len() > MOST_ENTRIES {
        return Err(StatementError::TooMany(field));
    }
    Ok(texts.iter().filter_map(|text| said(Some(text))).collect())
}

fn word<T>(
    field: &'static str,
    text: Option<&str>,
    of: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, StatementError> {
    said(text)
        .map(|text| of(&text.to_ascii_lowercase()).ok_or_else(|| unknown(field, text)))
        .transpose()
}

fn file(text: &str) -> Option<File> {
    let mut letters = text.chars();
    let letter = letters.next()?;
    matches!(letters.as_str().trim(), "" | "-file" | "file")
        .then(|| File::from_char(letter))
        .flatten()
}

fn unknown(field: &'static str, word: &str) -> StatementError {
    StatementError::Word {
        field,
        word: word.chars().take(40).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(json: &str) -> Result<Statement, StatementError> {
        let written: WrittenStatement = serde_json::from_str(json).expect("JSON of a statement's shape");
        Statement::try_from(&written)
    }

    #[test]
    fn a_written_statement_is_read() {
        let statement = read(
            r#"{"predicate":"pins","subject":"White bishop g5","objects":["black knight f6"],"behind":"black queen",
                "squares":null,"side":"","denied":true,"position":"before","moves":["Bg5"],"number":null}"#,
        )
        .expect("a statement");
        assert_eq!(statement.predicate, Predicate::Pins);
        assert_eq!(
            statement.subject.map(|d| d.to_string()).as_deref(),
            Some("white bishop g5")
        );
        assert!(statement.denied && statement.line.from == Point::Before && statement.mode == Mode::Asserted);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (json, error) in [
            ("{}", "it has no predicate"),
            (r#"{"predicate":"eats"}"#, "predicate: there is no “eats”"),
            (
                r#"{"predicate":"attacks","squares":["j9"]}"#,
                "squares: there is no “j9”",
            ),
            (
                r#"{"predicate":"attacks","subject":"green knight"}"#,
                "no man or square is called “green knight”",
            ),
            (
                r#"{"predicate":"attacks","mode":"shouted"}"#,
                "mode: there is no “shouted”",
            ),
        ] {
            assert_eq!(read(json).expect_err("refused").to_string(), error);
        }
        let many = format!(r#"{{"predicate":"playable","moves":[{}"e4"]}}"#, "\"e4\",".repeat(80));
        assert_eq!(read(&many), Err(StatementError::TooMany("moves")));
    }

    fn any_statement() -> impl Strategy<Value = Statement> {
        let man = designation::tests::any_designation;
        (
            proptest::sample::select(Predicate::ALL),
            proptest::option::of(man()),
            proptest::collection::vec(man(), 0..3),
            proptest::option::of((0u32..64).prop_map(Square::new)),
            proptest::option::of(any::<bool>().prop_map(Color::from_white)),
            proptest::option::of(proptest::sample::select(Qualifier::ALL)),
            proptest::option::of(any::<i32>()),
            proptest::sample::select(Mode::ALL),
            any::<[bool; 2]>(),
        )
            .prop_map(
                |(predicate, subject, objects, square, side, qualifier, number, mode, [denied, only])| Statement {
                    subject,
                    objects,
                    squares: square.into_iter().collect(),
                    side,
                    qualifier,
                    number,
                    mode,
                    denied,
                    only,
                    ..Statement::new(predicate)
                },
            )
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(statement in any_statement()) {
            let json = serde_json::to_string(&WrittenStatement::from(&statement)).expect("JSON");
            prop_assert_eq!(read(&json), Ok(statement));
        }

        #[test]
        fn no_text_upsets_the_reader(text in ".{0,60}") {
            let written = WrittenStatement {
                predicate: Some("attacks".to_owned()),
                subject: Some(text.clone()),
                squares: Some(vec![text.clone()]),
                file: Some(text),
                ..WrittenStatement::default()
            };
            let _ = Statement::try_from(&written);
        }
    }
}
