//! What a move prepares, as the expected line shows it: the mover's next move there, where this move made it possible.

use shakmaty::{CastlingSide, Chess, File, Move, Position, Rank, Role, attacks};

use super::fact::Plan;
use crate::chess::{Man, Played, destination, pawns};

/// The plan behind `played` where the opponent answers `reply` and the mover goes on with `next` from `then`.
#[must_use]
pub fn plan(played: &Played, reply: Move, then: &Chess, next: Move) -> Option<Plan> {
    // What follows a capture or a check is an answer, not a plan.
    let forced = reply.is_capture() || then.is_check() || played.mv.is_capture() || played.after.is_check();
    if forced || next.is_capture() || next.is_promotion() || next.is_en_passant() {
        return None;
    }
    castling(played, next)
        .or_else(|| make_way(played, then, next))
        .or_else(|| advance(played, then, next))
        .or_else(|| reroute(played, then, next))
}

fn castling(played: &Played, next: Move) -> Option<Plan> {
    let side = next.castling_side()?;
    // A capture or check of the opponent's in between may have made it possible too; here there was none.
    let already = played
        .before
        .legal_moves()
        .iter()
        .any(|m| m.castling_side() == Some(side));
    (!already && !played.before.is_check()).then_some(Plan::Castle {
        short: side == CastlingSide::KingSide,
    })
}

/// A pawn steps aside for the piece behind it.
fn make_way(played: &Played, then: &Chess, next: Move) -> Option<Plan> {
    let before = played.before.board();
    let stood = played.mv.from()?;
    let pawn = Man::at(before, stood).filter(|man| man.role == Role::Pawn)?;
    let man = Man::at(then.board(), next.from()?)?;
    let home = man.color.relative_rank(man.square.rank()) == Rank::First;
    let to = destination(next);
    (matches!(man.role, Role::Bishop | Role::Rook)
        && !next.is_castle()
        && home
        && pawn.color == man.color
        && (attacks::between(man.square, to).contains(stood) || stood == to))
        .then_some(Plan::MakeWay { man, to })
}

/// A pawn advances to a square that the man that moved has taken under control.
fn advance(played: &Played, then: &Chess, next: Move) -> Option<Plan> {
    let pawn = Man::at(then.board(), next.from()?).filter(|man| man.role == Role::Pawn)?;
    let (before, after) = (played.before.board(), played.after.board());
    let (from, at, to) = (played.mv.from()?, destination(played.mv), next.to());
    let moved = Man::at(after, at)?;
    (at != pawn.square
        && !matches!(moved.role, Role::King | Role::Queen)
        && moved.color == pawn.color
        && after.attacks_from(at).contains(to)
        && !before.attacks_from(from).contains(to)
        && matches!(to.file(), File::C | File::D | File::E | File::F)
        && pawn.color.relative_rank(to.rank()) >= Rank::Fourth)
        .then_some(Plan::Advance { pawn, to })
}

/// A knight or bishop goes on to a square in or near the enemy's half that it could not reach at once.
fn reroute(played: &Played, then: &Chess, next: Move) -> Option<Plan> {
    let at = destination(played.mv);
    let man = Man::at(then.board(), next.from()?).filter(|man| man.square == at)?;
    let (from, to) = (played.mv.from()?, next.to());
    let useful = pawns::outpost(then.board(), Man { square: to, ..man })
        || man.color.relative_rank(to.rank()) >= Rank::Fourth
            && then
                .board()
                .attacks_to(to, man.color.other(), then.board().occupied())
                .is_empty();
    (matches!(man.role, Role::Knight | Role::Bishop)
        && !next.is_castle()
        && from != to
        && !played.before.board().attacks_from(from).contains(to)
        // Driven away is not on its way.
        && !attacked(then, man)
        && useful)
        .then_some(Plan::Reroute { man, to })
}

fn attacked(pos: &Chess, man: Man) -> bool {
    let board = pos.board();
    board.attacks_to(man.square, man.color.other(), board.occupied()).any()
}
