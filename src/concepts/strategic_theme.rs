//! The fifteen themes of the Strategic Test Suite (Corbit and Uniacke), and what there is of each to learn from.
//!
//! The suite's EPD names a position's theme in its `id`: `STS(v9.0) Advancement of a/b/c pawns.017` is of theme 9. It labels a
//! position by **what its best move is about**; of other positions nothing is known, so that the positions of the other
//! themes stand for those without it.

use shakmaty::{CastlingMode, Chess, Move};

use super::extra_fit::{MINIMUM, TooFewLabels};
use crate::chess::{
    epd::{EpdError, read_epd},
    move_error::MoveError,
};

macro_rules! themes {
    ($($(#[$doc:meta])* $theme:ident = $number:literal $title:literal),+ $(,)?) => {
        /// A theme; its number is that of the suite.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum StrategicTheme { $($(#[$doc])* $theme = $number),+ }

        impl StrategicTheme {
            /// All of them, in the suite's order.
            pub const ALL: [Self; 15] = [$(Self::$theme),+];

            /// Its title, as the suite's ids have it, abbreviations written out.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$theme => $title),+ }
            }
        }
    };
}

themes! {
    /// A pawn's guard is taken away.
    Undermining = 1 "Undermine",
    /// Lines for rooks, bishops and queen.
    OpenLines = 2 "Open Files and Diagonals",
    /// Knights get to where they stand well.
    KnightOutposts = 3 "Knight Outposts/Repositioning/Centralization",
    /// A man makes room for another.
    SquareVacancy = 4 "Square Vacancy",
    /// A bishop is better than a knight, or the other way round.
    BishopVsKnight = 5 "Bishop vs Knight",
    /// With which man to take back.
    Recapturing = 6 "Recapturing",
    /// An exchange is offered.
    OfferOfSimplification = 7 "Offer of Simplification",
    /// Pawns on the king's side go ahead; the suite's id is "AKPC".
    KingsidePawns = 8 "Advancement of f/g/h pawns",
    /// Pawns on the queen's side go ahead.
    QueensidePawns = 9 "Advancement of a/b/c pawns",
    /// Men are exchanged.
    Simplification = 10 "Simplification",
    /// The king takes part.
    KingActivity = 11 "King Activity",
    /// The centre is held.
    CenterControl = 12 "Center Control",
    /// Pawns play in the centre.
    CenterPawns = 13 "Pawn Play in the Center",
    /// Rooks and queens get to the seventh rank.
    SeventhRank = 14 "7th Rank",
    /// An exchange is declined; the suite's id is "AT".
    AvoidExchange = 15 "Avoid Pointless Exchange",
}

impl StrategicTheme {
    /// Its number in the suite, from 1.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The theme that an id names: `STS(v2.2) Open Files and Diagonals.080`. What follows the number differs between
    /// editions of the suite, and within one.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        let number: u8 = id.strip_prefix("STS(v")?.split_once('.')?.0.parse().ok()?;
        Self::ALL.into_iter().find(|theme| theme.number() == number)
    }
}

/// A position of the suite.
#[derive(Debug, Clone)]
pub struct ThemedPosition {
    /// What its best move is about.
    pub theme: StrategicTheme,
    /// The position.
    pub position: Chess,
    /// How castling is written in it.
    pub mode: CastlingMode,
    /// The best moves; at least one.
    pub best: Vec<Move>,
}

/// Why a line of a suite can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SuiteError {
    /// It is no EPD.
    #[error("line {line}: {error}")]
    Epd {
        /// From 1.
        line: usize,
        /// Why not.
        error: EpdError,
    },
    /// The `id` names no theme.
    #[error("line {line}: the id {id:?} names none of the fifteen themes")]
    Theme {
        /// From 1.
        line: usize,
        /// The id; empty where there is none.
        id: String,
    },
    /// A best move is not legal.
    #[error("line {line}: {error}")]
    Move {
        /// From 1.
        line: usize,
        /// Why not.
        error: MoveError,
    },
    /// There is no best move.
    #[error("line {line}: there is no best move (bm)")]
    NoMove {
        /// From 1.
        line: usize,
    },
}

/// Reads a suite: a position a line, empty lines left out.
///
/// # Errors
/// At the first line that can't be used.
pub fn read_suite(text: &str) -> Result<Vec<ThemedPosition>, SuiteError> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(at, line)| read_line(line, at + 1)).collect()
}

fn read_line(text: &str, line: usize) -> Result<ThemedPosition, SuiteError> {
    let epd = read_epd(text).map_err(|error| SuiteError::Epd { line, error })?;
    let id = epd.operands("id").map(|words| words.join(" ")).unwrap_or_default();
    let theme = StrategicTheme::from_id(&id).ok_or(SuiteError::Theme { line, id })?;
    let best = epd.moves("bm").map_err(|error| SuiteError::Move { line, error })?;
    if best.is_empty() {
        return Err(SuiteError::NoMove { line });
    }
    Ok(ThemedPosition {
        theme,
        position: epd.read.position,
        mode: epd.read.mode,
        best,
    })
}

/// How many positions of `suite` are of each theme, in the order of [`StrategicTheme::ALL`], and whether those are
/// enough to fit a probe on.
///
/// The whole suite has 1,500 positions at most, 100 a theme: with [`MINIMUM`] as it is the answer is no.
#[must_use]
pub fn labels(suite: &[ThemedPosition]) -> Vec<(StrategicTheme, usize, Result<(), TooFewLabels>)> {
    StrategicTheme::ALL
        .into_iter()
        .map(|theme| {
            let found = suite.iter().filter(|position| position.theme == theme).count();
            let others = suite.len() - found;
            (theme, found, TooFewLabels::check(found.min(others), MINIMUM))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_names_a_theme_by_its_number() {
        for (id, theme) in [
            ("STS(v1.0) Undermine.001", Some(StrategicTheme::Undermining)),
            (
                "STS(v2.2) Open Files and Diagonals.080",
                Some(StrategicTheme::OpenLines),
            ),
            ("STS(v15.0) AT.001", Some(StrategicTheme::AvoidExchange)),
            ("STS(v16.0) Another.001", None),
            ("STS(v0.0) Another.001", None),
            ("STS(v) Undermine.001", None),
            ("BK.01", None),
            ("", None),
        ] {
            assert_eq!(StrategicTheme::from_id(id), theme, "{id}");
        }
        let numbers: Vec<u8> = StrategicTheme::ALL.map(StrategicTheme::number).into();
        assert_eq!(numbers, (1..=15).collect::<Vec<u8>>());
    }

    #[test]
    fn lines_are_read_or_refused_by_number() {
        let good = r#"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id "STS(v14.0) 7th Rank.001";"#;
        let suite = read_suite(&format!("{good}\n\n{good}\n")).unwrap();
        assert_eq!(
            (suite.len(), suite[1].theme, suite[1].best.len()),
            (2, StrategicTheme::SeventhRank, 1)
        );
        let refused = |line: &str| read_suite(&format!("\n{line}")).unwrap_err();
        let board = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - -";
        assert!(matches!(refused("no EPD"), SuiteError::Epd { line: 2, .. }));
        assert!(matches!(refused(&format!("{board} bm Ra8;")), SuiteError::Theme { line: 2, id } if id.is_empty()));
        assert!(matches!(
            refused(&format!(r#"{board} bm Rb8; id "STS(v14.0) x.1";"#)),
            SuiteError::Move { line: 2, .. }
        ));
        assert_eq!(
            refused(&format!(r#"{board} id "STS(v14.0) x.1";"#)),
            SuiteError::NoMove { line: 2 }
        );
    }

    #[test]
    fn a_theme_has_too_few_positions() {
        let line = r#"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id "STS(v14.0) 7th Rank.001";"#;
        let counted = labels(&read_suite(line).unwrap());
        assert_eq!(counted.len(), 15);
        let (theme, found, enough) = &counted[13];
        assert_eq!((*theme, *found), (StrategicTheme::SeventhRank, 1));
        assert!(enough.is_err());
        assert_eq!(counted[0].1, 0);
    }
}
