//! Endings without pawns that are drawn in practice, though mostly not by rule: neither side can force anything.

use shakmaty::{Board, Chess, Color, Position, Role};

use crate::chess::motifs::mate::mate_in_one;

/// Why nobody wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeadDraw {
    /// Two kings.
    BareKings,
    /// One bishop or one knight against a bare king.
    LoneMinor(Role),
    /// Two knights against a bare king: mate can't be forced.
    TwoKnights,
    /// A bishop or knight on each side.
    MinorEach,
    /// A rook on each side, and no blow.
    RookEach,
}

impl DeadDraw {
    /// Why, as a sentence's end: "two knights can't force mate".
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::BareKings => "only the kings are left",
            Self::LoneMinor(Role::Bishop) => "a bishop alone can't mate",
            Self::LoneMinor(_) => "a knight alone can't mate",
            Self::TwoKnights => "two knights can't force mate",
            Self::MinorEach => "neither side can force mate with a single minor piece",
            Self::RookEach => "rook against rook without pawns is a draw",
        }
    }
}

/// The dead draw that `position` is. `None` where something may still be won: by mate on the next move or, with rooks,
/// where the kings are near each other or a rook or mate comes of checks by either side.
#[must_use]
pub fn dead_draw(position: &Chess) -> Option<DeadDraw> {
    let draw = by_men(position.board())?;
    let open = match draw {
        DeadDraw::BareKings | DeadDraw::LoneMinor(_) => false,
        DeadDraw::TwoKnights | DeadDraw::MinorEach => mate_is_near(position),
        DeadDraw::RookEach => rooks_may_win(position),
    };
    (!open).then_some(draw)
}

fn by_men(board: &Board) -> Option<DeadDraw> {
    let minors = board.knights() | board.bishops();
    let men = board.occupied().without(board.kings());
    let of = |color: Color| men & board.by_color(color);
    let each = of(Color::White).count() == 1 && of(Color::Black).count() == 1;
    match men.count() {
        0 => Some(DeadDraw::BareKings),
        1 => {
            let role = board.role_at((men & minors).first()?)?;
            Some(DeadDraw::LoneMinor(role))
        }
        2 if each && men == minors => Some(DeadDraw::MinorEach),
        2 if each && men == board.rooks() => Some(DeadDraw::RookEach),
        2 if !each && men == board.knights() => Some(DeadDraw::TwoKnights),
        _ => None,
    }
}

/// True when the side to move mates at once, is mated, or is with every move. No longer mate can be forced by two
/// knights or a single minor piece.
fn mate_is_near(position: &Chess) -> bool {
    let lets_mate = |m| {
        let mut next = position.clone();
        next.play_unchecked(m);
        mate_in_one(&next).is_some()
    };
    let moves = position.legal_moves();
    if moves.is_empty() {
        return position.is_checkmate();
    }
    mate_in_one(position).is_some() || moves.into_iter().all(lets_mate)
}

/// Kings as near as this may weave a mate with a rook.
const NEAR: u32 = 3;

/// How many checks in a row are looked at.
const CHECKS: u32 = 2;

/// True where rook against rook may not be a draw. Of positions with kings farther apart, only those in which checks win
/// aren't drawn.
fn rooks_may_win(position: &Chess) -> bool {
    let king = |color| position.board().king_of(color);
    let near = match (king(Color::White), king(Color::Black)) {
        (Some(ours), Some(theirs)) => ours.distance(theirs) <= NEAR,
        _ => true,
    };
    near || wins_by_checks(position, CHECKS) || loses_to_checks(position, CHECKS)
}

/// True when the side to move mates, or takes the rook for good, after at most `checks` checks.
fn wins_by_checks(position: &Chess, checks: u32) -> bool {
    position.legal_moves().into_iter().any(|m| {
        let mut next = position.clone();
        next.play_unchecked(m);
        if m.is_capture() {
            return next.capture_moves().is_empty() && !next.is_stalemate();
        }
        next.is_check() && (next.is_checkmate() || (checks > 0 && loses_to_checks(&next, checks - 1)))
    })
}

/// True when every move of the side to move lets the other side win so.
fn loses_to_checks(position: &Chess, checks: u32) -> bool {
    let moves = position.legal_moves();
    !moves.is_empty()
        && moves.into_iter().all(|m| {
            let mut next = position.clone();
            next.play_unchecked(m);
            !m.is_capture() && wins_by_checks(&next, checks)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::endings::boards::{mirrored, position};

    #[test]
    fn known_draws_and_what_is_none() {
        for (fen, expected) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Some(DeadDraw::BareKings)),
            (
                "4k3/8/8/8/8/8/8/2B1K3 w - - 0 1",
                Some(DeadDraw::LoneMinor(Role::Bishop)),
            ),
            (
                "4k3/8/8/8/8/8/8/2N1K3 b - - 0 1",
                Some(DeadDraw::LoneMinor(Role::Knight)),
            ),
            ("4k3/8/8/8/8/8/8/1NN1K3 w - - 0 1", Some(DeadDraw::TwoKnights)),
            ("2b1k3/8/8/8/8/8/8/2N1K3 w - - 0 1", Some(DeadDraw::MinorEach)),
            // Taking the bishop leaves a lone knight.
            ("4k3/8/8/8/8/1b6/8/2N1K3 w - - 0 1", Some(DeadDraw::MinorEach)),
            // The own knight takes a flight square: mate on the move.
            ("knB5/8/1K6/8/8/8/8/8 w - - 0 1", None),
            ("k7/2K5/8/3N4/2N5/8/8/8 w - - 0 1", Some(DeadDraw::TwoKnights)),
            ("k7/8/1KN5/3N4/8/8/8/8 w - - 0 1", None),
            ("8/r5k1/8/8/8/8/1K5R/8 w - - 0 1", Some(DeadDraw::RookEach)),
            // The rook hangs; a check skewers; kings that are near.
            ("6k1/r7/8/8/8/8/1K6/R7 w - - 0 1", None),
            ("8/8/r2k4/8/8/8/1K6/7R w - - 0 1", None),
            ("8/3k4/8/3K4/r7/8/8/7R w - - 0 1", None),
            // Pawns, other men, another count.
            ("4k3/8/8/8/8/8/4P3/2N1K3 w - - 0 1", None),
            ("2r1k3/8/8/8/8/8/8/2N1K3 w - - 0 1", None),
            ("4k3/8/8/8/8/8/8/1BN1K3 w - - 0 1", None),
            ("4k3/8/8/8/8/8/8/2R1K3 w - - 0 1", None),
        ] {
            let position = position(fen);
            assert_eq!(dead_draw(&position), expected, "{fen}");
            for other in mirrored(&position) {
                assert_eq!(dead_draw(&other), expected, "{fen}");
            }
        }
    }
}
