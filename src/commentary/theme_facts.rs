//! Which facts speak of a strategic theme, and how often they do where the theme is known to be there.
//!
//! The themes of the Strategic Test Suite have too few positions to learn from
//! ([`crate::concepts::strategic_theme`]), so what Kibitz says of them it says from the board. A theme is
//! about the best move: its facts are those of that move, by the side that makes it, and new with it. The control is
//! how often the best moves of the other themes have the same facts.

use serde::Serialize;
use shakmaty::{Bitboard, Color, File, Rank, Role};

use super::{
    FactKind,
    board_facts::{Found, board_facts},
    fact::{Change, Detail},
};
use crate::{
    chess::Played,
    concepts::strategic_theme::{self, StrategicTheme, ThemedPosition},
};

/// A theme in the report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ThemeRow {
    /// The theme's title.
    pub theme: &'static str,
    /// Its positions in the suite.
    pub positions: usize,
    /// Why there is no probe of it: `not enough labels (85 of 500)`; `None` where there are enough.
    pub probe: Option<String>,
    /// The facts that speak of it, by their words; empty where none does.
    pub facts: Vec<&'static str>,
    /// What these facts say of the move when they speak of the theme; `None` where no fact does.
    pub says: Option<&'static str>,
    /// Share of the theme's positions whose best move has such a fact.
    #[serde(rename = "told")]
    pub share: Option<f64>,
    /// Share of the other themes' positions whose best move has such a fact.
    #[serde(rename = "told_elsewhere")]
    pub share_elsewhere: Option<f64>,
}

/// The kinds of facts that speak of `theme`, and what they say then; none where the board facts know nothing of it.
#[must_use]
pub const fn speakers(theme: StrategicTheme) -> Option<(&'static [FactKind], &'static str)> {
    Some(match theme {
        StrategicTheme::Undermining => (&[FactKind::Attack], "a pawn attacks a pawn"),
        StrategicTheme::OpenLines => (
            &[FactKind::OpenFile, FactKind::HalfOpen],
            "a rook or queen comes to an open or half-open file",
        ),
        StrategicTheme::KnightOutposts => (
            &[FactKind::Outpost, FactKind::Move],
            "a knight moves, or a piece gets to an outpost",
        ),
        StrategicTheme::BishopVsKnight => (
            &[FactKind::Trade, FactKind::Capture],
            "a bishop is traded or offered for a knight, or the other way round",
        ),
        StrategicTheme::Recapturing => (&[FactKind::Capture], "the move captures"),
        StrategicTheme::OfferOfSimplification => (&[FactKind::Trade], "a trade is offered"),
        StrategicTheme::KingsidePawns => (&[FactKind::Move], "a pawn of the f-, g- or h-file advances"),
        StrategicTheme::QueensidePawns => (&[FactKind::Move], "a pawn of the a-, b- or c-file advances"),
        StrategicTheme::Simplification => (&[FactKind::Trade], "a trade is made"),
        StrategicTheme::KingActivity => (&[FactKind::Move], "the king moves"),
        StrategicTheme::CenterPawns => (&[FactKind::Move], "a pawn of the d- or e-file advances"),
        StrategicTheme::SeventhRank => (&[FactKind::Move], "a rook or queen gets to the seventh rank"),
        StrategicTheme::AvoidExchange => (
            &[FactKind::Attack],
            "a piece is no longer attacked by its like, and nothing was captured",
        ),
        // That a square was left for another man, that the centre is held: no fact says so.
        StrategicTheme::SquareVacancy | StrategicTheme::CenterControl => return None,
    })
}

/// True when `facts`, those of `mover`'s move, speak of `theme`.
fn mentioned(theme: StrategicTheme, facts: &[Found], mover: Color) -> bool {
    let captures = || facts.iter().any(|fact| fact.detail.kind() == FactKind::Capture);
    facts.iter().any(|fact| speaks(theme, &fact.detail, mover))
        // What captured its attacker has not avoided the exchange.
        && !(theme == StrategicTheme::AvoidExchange && captures())
}

fn speaks(theme: StrategicTheme, detail: &Detail, mover: Color) -> bool {
    if theme == StrategicTheme::AvoidExchange {
        return matches!(detail, Detail::Attack { attack, change: Change::Gone }
            if attack.target.color == mover && attack.target.role != Role::Pawn
                && attack.by.value() == attack.target.value());
    }
    if detail.actor() != Some(mover) {
        return false;
    }
    let minors = |a: Role, b: Role| matches!((a, b), (Role::Bishop, Role::Knight) | (Role::Knight, Role::Bishop));
    let pawn_from = |files: &[File]| {
        matches!(detail, Detail::Move { man, to, .. }
            if man.role == Role::Pawn && files.contains(&man.square.file()) && man.square.file() == to.file())
    };
    match theme {
        StrategicTheme::Undermining => matches!(detail, Detail::Attack { attack, change: Change::New }
            if attack.by.role == Role::Pawn && attack.target.role == Role::Pawn),
        StrategicTheme::OpenLines => matches!(
            detail,
            Detail::File {
                change: Change::New,
                ..
            }
        ),
        StrategicTheme::KnightOutposts => {
            matches!(detail, Detail::Outpost { .. })
                || matches!(detail, Detail::Move { man, .. } if man.role == Role::Knight)
        }
        StrategicTheme::BishopVsKnight => match detail {
            Detail::Trade { ours, theirs, .. } => minors(ours.role, theirs.role),
            Detail::Capture { by, taken, .. } => minors(by.role, taken.role),
            _ => false,
        },
        StrategicTheme::Recapturing => matches!(detail, Detail::Capture { .. }),
        StrategicTheme::OfferOfSimplification => matches!(detail, Detail::Trade { made: false, .. }),
        StrategicTheme::KingsidePawns => pawn_from(&[File::F, File::G, File::H]),
        StrategicTheme::QueensidePawns => pawn_from(&[File::A, File::B, File::C]),
        StrategicTheme::Simplification => matches!(detail, Detail::Trade { made: true, .. }),
        StrategicTheme::KingActivity => matches!(detail, Detail::Move { man, .. } if man.role == Role::King),
        StrategicTheme::CenterPawns => pawn_from(&[File::D, File::E]),
        StrategicTheme::SeventhRank => matches!(detail, Detail::Move { man, to, .. }
            if matches!(man.role, Role::Rook | Role::Queen)
                && Bitboard::from_rank(mover.relative_rank(Rank::Seventh)).contains(*to)),
        StrategicTheme::AvoidExchange | StrategicTheme::SquareVacancy | StrategicTheme::CenterControl => false,
    }
}

/// The report's lines, in the suite's order.
#[must_use]
pub fn theme_rows(suite: &[ThemedPosition]) -> Vec<ThemeRow> {
    let played: Vec<(StrategicTheme, Played)> = suite
        .iter()
        .filter_map(|themed| {
            let best = *themed.best.first()?;
            let played = Played::new(themed.position.clone(), best, themed.mode, Vec::new())?;
            Some((themed.theme, played))
        })
        .collect();
    // Of each position the themes that its best move's facts speak of.
    let spoken: Vec<(StrategicTheme, Vec<StrategicTheme>)> = played
        .iter()
        .map(|(theme, played)| {
            let facts = board_facts(played);
            let of = StrategicTheme::ALL.into_iter();
            (
                *theme,
                of.filter(|theme| mentioned(*theme, &facts, played.mover())).collect(),
            )
        })
        .collect();
    let share = |theme: StrategicTheme, own: bool| {
        let of_them: Vec<bool> = spoken
            .iter()
            .filter(|(its, _)| (*its == theme) == own)
            .map(|(_, mentioned)| mentioned.contains(&theme))
            .collect();
        let count = of_them.iter().filter(|&&mentioned| mentioned).count();
        (!of_them.is_empty()).then(|| count as f64 / of_them.len() as f64)
    };
    strategic_theme::labels(suite)
        .into_iter()
        .map(|(theme, positions, enough)| {
            let speakers = speakers(theme);
            ThemeRow {
                theme: theme.title(),
                positions,
                probe: enough.err().map(|error| error.to_string()),
                facts: speakers.map_or_else(Vec::new, |(kinds, _)| kinds.iter().map(|kind| kind.word()).collect()),
                says: speakers.map(|(_, says)| says),
                share: speakers.and_then(|_| share(theme, true)),
                share_elsewhere: speakers.and_then(|_| share(theme, false)),
            }
        })
        .collect()
}
