//! Positions with known best moves: EPD with `bm` and `am`, and the Strategic Test Suite with its points for moves.

use std::collections::BTreeMap;

use super::{goal::Goal, hints::motifs, position::TestPosition};
use crate::chess::{
    MoveError,
    epd::{Epd, EpdError, read_epd},
    read_move,
};

/// Why a line gives no position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EpdLineError {
    /// It is no EPD.
    #[error(transparent)]
    Epd(#[from] EpdError),
    /// A move that cannot be read or played.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// It names no move.
    #[error("The line has neither bm, am nor points in c0.")]
    NoMoves,
}

/// The position of a line of EPD. Points are read from `c0` as the Strategic Test Suite writes them, `"f5=100, Bf2=46"`; its
/// theme from the name, `STS(v1.0) Undermine.001`.
///
/// # Errors
/// When it is no EPD, or names no legal move.
pub fn from_epd(line: &str, number: usize) -> Result<TestPosition, EpdLineError> {
    let epd = read_epd(line)?;
    let id = epd.operands("id").and_then(|words| words.first()).cloned();
    let points = points(&epd)?;
    let (best, avoid) = (epd.moves("bm")?, epd.moves("am")?);
    let mode = epd.read.mode;
    let uci = |moves: &[shakmaty::Move]| moves.iter().map(|mv| mv.to_uci(mode).to_string()).collect::<Vec<_>>();
    let goal = match (points.is_empty(), best.is_empty() && avoid.is_empty()) {
        (false, _) => Goal::Points { points },
        (true, false) => Goal::Best {
            best: uci(&best),
            avoid: uci(&avoid),
        },
        (true, true) => return Err(EpdLineError::NoMoves),
    };
    let theme = id.as_deref().and_then(theme);
    let mut at = TestPosition::new(
        id.unwrap_or_else(|| format!("epd {number}")),
        &epd.read.position,
        mode,
        goal,
    );
    at.themes = theme.into_iter().collect();
    if let (Some(best), Ok(reached)) = (best.first(), at.read()) {
        at.motifs = motifs(&reached, *best);
    }
    Ok(at)
}

fn points(epd: &Epd) -> Result<BTreeMap<String, u16>, MoveError> {
    let mut points = BTreeMap::new();
    let text = epd.operands("c0").and_then(|operands| operands.first());
    for part in text.map_or("", String::as_str).split(',') {
        // `f5=100`, and `e8=Q=100`: the points are after the last sign.
        let Some((mv, worth)) = part.rsplit_once('=') else {
            continue;
        };
        let Ok(worth) = worth.trim().parse::<u16>() else {
            continue;
        };
        let mv = read_move(&epd.read.position, epd.read.mode, mv.trim())?;
        points.insert(mv.to_uci(epd.read.mode).to_string(), worth);
    }
    Ok(points)
}

/// `Undermine` of `STS(v1.0) Undermine.001`.
fn theme(id: &str) -> Option<String> {
    let name = id.strip_prefix("STS")?.split_once(')')?.1;
    let (theme, _) = name.rsplit_once('.')?;
    let theme = theme.trim();
    (!theme.is_empty()).then(|| theme.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_themes_are_read() {
        let line = "1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - - bm f5; id \"STS(v1.0) Undermine.001\"; \
                    c0 \"f5=100, Bf2=46, Bg4=23\";";
        let at = from_epd(line, 1).unwrap();
        assert_eq!(at.themes, ["Undermine"]);
        assert_eq!(at.goal.points("d4f2"), Some(46));
        assert_eq!(at.goal.points("g1h1"), Some(0));
        assert_eq!(at.id, "STS(v1.0) Undermine.001");
    }

    #[test]
    fn best_moves_and_moves_to_avoid() {
        let at = from_epd("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 e3; am Kd1;", 7).unwrap();
        assert_eq!(at.id, "epd 7");
        assert!(matches!(&at.goal, Goal::Best { best, avoid } if best.len() == 2 && avoid == &["e1d1"]));
        assert!(matches!(
            from_epd("4k3/8/8/8/8/8/4P3/4K3 w - - id \"x\";", 1),
            Err(EpdLineError::NoMoves)
        ));
        assert!(matches!(
            from_epd("4k3/8/8/8/8/8/4P3/4K3 w - - bm Qd8;", 1),
            Err(EpdLineError::Move(_))
        ));
        assert!(from_epd("no", 1).is_err());
    }
}
