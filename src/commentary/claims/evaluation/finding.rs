//! What the parts of the evaluation share: how sure an answer is, and why there may be none.

use crate::chess::Man;
use crate::commentary::claims::{statement::Qualifier, truth::Truth};

/// Why nothing can be asked of the board.
#[derive(Debug)]
pub enum Absent {
    /// No such man stands there, and none did.
    Never(String),
    /// None does now, but one did before, or will along the line.
    Elsewhere(String),
    /// The statement does not name what its predicate asks for.
    Unnamed(String),
}

pub fn unnamed<T>(what: &str) -> Result<T, Absent> {
    Err(Absent::Unnamed(format!("It does not name {what}.")))
}

pub type Finding = Result<Truth, Absent>;

/// How surely something holds of a man, a pair, a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Degree {
    No,
    Open,
    Yes,
}

impl Degree {
    pub const fn of(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }

    /// Yes where it holds, open where it might.
    pub const fn or_open(holds: bool, may: bool) -> Self {
        match (holds, may) {
            (true, _) => Self::Yes,
            (false, true) => Self::Open,
            (false, false) => Self::No,
        }
    }
}

/// The surest of several readings, with its reason; nothing to say where there is none.
pub fn any_of(readings: impl IntoIterator<Item = (Degree, String)>) -> Truth {
    // Of equally sure ones the first.
    let best = readings
        .into_iter()
        .reduce(|best, next| if next.0 > best.0 { next } else { best });
    match best {
        Some((Degree::Yes, reason)) => Truth::yes(reason),
        Some((Degree::Open, reason)) => Truth::unknown(reason),
        Some((Degree::No, reason)) => Truth::no(reason),
        None => Truth::unknown("The words are tied to nothing on the board."),
    }
}

/// "the knight on f3".
pub fn the(man: Man) -> String {
    format!("the {}", man.plain())
}

/// "The knight on f3".
pub fn the_up(man: Man) -> String {
    format!("The {}", man.plain())
}

/// Whether things that are counted to the last one are as many as is said.
pub fn counts(found: usize, said: i32, how: Option<Qualifier>) -> Degree {
    compares(i32::try_from(found).unwrap_or(i32::MAX), said, how, 0)
}

/// Whether a number is as it is said to be: more, less, about or exactly so much; `near` is how far off is still open.
pub fn compares(found: i32, said: i32, how: Option<Qualifier>, near: i32) -> Degree {
    let apart = (found - said).abs();
    // What is counted to the last one is not more than itself.
    let may = near > 0 && apart <= near;
    match how {
        Some(Qualifier::MoreThan) => Degree::or_open(found > said, may),
        Some(Qualifier::LessThan) => Degree::or_open(found < said, may),
        Some(Qualifier::About) => Degree::or_open(apart <= near, apart <= 2 * near),
        _ => Degree::or_open(found == said, apart <= near),
    }
}
