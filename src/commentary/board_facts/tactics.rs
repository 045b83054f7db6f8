//! What the move threatens and leaves to be taken: pins, forks, hanging men, traps, threats of mate.

use shakmaty::{Board, Chess, EnPassantMode, Position, Role, Square, san::SanPlus};

use super::found::Facts;
use crate::{
    chess::{
        Man, Played, attacks, captured, destination, exchange,
        motifs::{
            discovered::discovered,
            fork::fork,
            line::{pins, skewers},
            mate,
            threat::{Hanging, hanging, mate_threat, passed_turn},
            trapped::trapped,
        },
        pawns,
    },
    commentary::fact::{Cause, Change, Detail, Fate, Moment},
};

pub(super) fn tactics(played: &Played, facts: &mut Facts) {
    let (before, after, m) = (played.before.board(), played.after.board(), played.mv);
    let mover = played.mover();
    let over = played.after.legal_moves().is_empty();
    let en_passant = played.after.ep_square(EnPassantMode::Legal);
    let moved = Man::at(after, destination(m));
    let old = pins(before);
    let new = pins(after);
    for &pin in &new {
        // A pin stays the same pin when the pinned men stand where they stood and the pinner only slid along the line.
        let same = old.iter().any(|p| p.pinned == pin.pinned && p.behind == pin.behind);
        let change = if same { Change::Kept } else { Change::New };
        facts.add(Moment::After, Detail::Pin { pin, change });
    }
    for &pin in &old {
        if !new
            .iter()
            .any(|p| p.pinned.square == pin.pinned.square && p.behind.square == pin.behind.square)
        {
            facts.add(
                Moment::Before,
                Detail::Pin {
                    pin,
                    change: Change::Gone,
                },
            );
        }
    }
    hanging_men(played, over, facts);
    if over {
        return;
    }
    if mate::mates_next(&played.after) {
        facts.add(
            Moment::After,
            Detail::Mate {
                winner: mover,
                moves: 2,
                starts: None,
            },
        );
    }
    if let Some(fork) = moved.and_then(|man| fork(after, man, en_passant)) {
        facts.add(Moment::After, Detail::Fork(fork));
    }
    let old = skewers(before, mover);
    // That what stood behind has lost its protector makes no skewer of an old attack.
    let fresh = |by: Square, front: Square| {
        moved.is_some_and(|man| man.square == by) || !before.attacks_from(by).contains(front)
    };
    for skewer in skewers(after, mover)
        .into_iter()
        .filter(|skewer| !old.contains(skewer) && fresh(skewer.by.square, skewer.front.square))
    {
        facts.add(Moment::After, Detail::Skewer(skewer));
    }
    for found in discovered(before, after, m) {
        facts.add(Moment::Move, Detail::Discovered(found));
    }
    let trapped_before: Vec<Square> = passed_turn(&played.before)
        .map(|pos| trapped(&pos).iter().map(|h| h.target.square).collect())
        .unwrap_or_default();
    for trapped in trapped(&played.after)
        .into_iter()
        .filter(|h| !trapped_before.contains(&h.target.square))
    {
        facts.add(Moment::After, Detail::Trapped(trapped));
    }
    if let Some(mating) = mate_threat(&played.after)
        && let Some(pos) = passed_turn(&played.after)
    {
        let san = SanPlus::from_move(pos, mating).to_string();
        facts.add(Moment::After, Detail::MateThreat { side: mover, san });
    }
    if let Some(moved) = moved.filter(|_| !m.is_castle()) {
        battery(before, after, moved, facts);
        if pawns::outpost(after, moved) {
            facts.add(Moment::After, Detail::Outpost { man: moved });
        }
        offered_trade(played, moved, facts);
    }
}

/// Men that hang, of both sides, before and after.
fn hanging_men(played: &Played, over: bool, facts: &mut Facts) {
    let mover = played.mover();
    let after = played.after.board();
    for victim in [mover.other(), mover] {
        let old = hanging(&played.before, victim);
        // Nothing can be taken any more where the move ended the game.
        let new = if over {
            Vec::new()
        } else {
            hanging(&played.after, victim)
        };
        // In check nothing can be taken at leisure: what hangs of the side in check is its own business for one move.
        let at_once = victim == mover;
        for &hanging in &new {
            let moved = hanging.target.square == destination(played.mv);
            let was = if moved {
                played.mv.from()
            } else {
                Some(hanging.target.square)
            };
            let kept = old
                .iter()
                .any(|h| Some(h.target.square) == was && h.gain >= hanging.gain);
            let change = if kept { Change::Kept } else { Change::New };
            if moved && victim == mover && exchange::gain(played.before.board(), played.mv) >= 0 {
                // It has taken enough to be taken: an exchange, not a loss.
                continue;
            }
            facts.add(
                Moment::After,
                Detail::Hanging {
                    hanging,
                    change,
                    at_once,
                    fate: if moved { Fate::Moves } else { Fate::Stays },
                },
            );
            if victim == mover
                && let Some(cause) = cause(played, hanging, moved, kept)
            {
                facts.add(Moment::After, Detail::Exposed { hanging, cause });
            }
            if victim != mover && change == Change::New && !played.after.is_check() && stays(&played.after, hanging.by)
            {
                facts.add(Moment::After, Detail::Threat(hanging));
            }
        }
        for &hanging in &old {
            let now = if played.mv.from() == Some(hanging.target.square) {
                destination(played.mv)
            } else {
                hanging.target.square
            };
            let taken = captured(played.before.board(), played.mv) == Some(hanging.target);
            // A check only puts off what it leaves en prise.
            if !taken && played.after.is_check() {
                continue;
            }
            // What can be exchanged where it has gone to is not in safety.
            let walked_into = played.mv.from() == Some(hanging.target.square)
                && exchange::best_capture(after, victim.other(), now, None).is_some_and(|taking| taking.gain >= 0);
            if taken || !over && !walked_into && !new.iter().any(|h| h.target.square == now) {
                facts.add(
                    Moment::Before,
                    Detail::Hanging {
                        hanging,
                        change: Change::Gone,
                        at_once: victim != mover,
                        fate: if taken {
                            Fate::Taken
                        } else if played.mv.from() == Some(hanging.target.square) {
                            Fate::Moves
                        } else {
                            Fate::Stays
                        },
                    },
                );
            }
        }
    }
}

/// What the move had to do with a man of its side that can be won after it: `moved` when it is the man that moved, `kept`
/// when it could be won before. `None` where the reason lies elsewhere, as with a pin.
fn cause(played: &Played, hanging: Hanging, moved: bool, kept: bool) -> Option<Cause> {
    let (before, after) = (played.before.board(), played.after.board());
    let square = hanging.target.square;
    if moved {
        return (!played.mv.is_castle()).then_some(Cause::Walked);
    }
    if kept {
        return Some(Cause::Ignored);
    }
    let from = played.mv.from()?;
    let man = Man::at(before, from)?;
    let to = destination(played.mv);
    if !before.attacks_from(hanging.by.square).contains(square) {
        let line = attacks::slides(hanging.by.role, hanging.by.square, after.occupied());
        return line.contains(square).then_some(Cause::Opened);
    }
    if before.attacks_from(from).contains(square) && !after.attacks_from(to).contains(square) {
        return Some(Cause::Left(man));
    }
    attacks::attackers(before, square, man.color)
        .into_iter()
        .filter(|&protector| protector != from && after.piece_at(protector) == before.piece_at(protector))
        .find(|&protector| !after.attacks_from(protector).contains(square))
        .and_then(|protector| Man::at(before, protector))
        .map(Cause::Blocked)
}

/// True when the opponent, to move in `pos`, can't take `man` without loss: only then does it threaten anything.
fn stays(pos: &Chess, man: Man) -> bool {
    let en_passant = pos.ep_square(EnPassantMode::Legal);
    exchange::best_capture(pos.board(), man.color.other(), man.square, en_passant).is_none_or(|e| e.gain < 0)
}

/// The moved slider lines up with another of its side that moves the same way, towards an enemy man.
fn battery(before: &Board, after: &Board, moved: Man, facts: &mut Facts) {
    let sliders = after.sliders() & after.by_color(moved.color);
    for (front, rear) in sliders
        .into_iter()
        .filter_map(|sq| Man::at(after, sq))
        .filter(|other| other.square != moved.square)
        .flat_map(|other| [(moved, other), (other, moved)])
    {
        if !attacks::slides(rear.role, rear.square, after.occupied()).contains(front.square) {
            continue;
        }
        let Some(target) = attacks::behind(after, rear, front.square) else {
            continue;
        };
        let bears = target.color != moved.color
            && attacks::slides(front.role, front.square, after.occupied()).contains(target.square);
        let known = before.piece_at(front.square) == after.piece_at(front.square)
            && before.piece_at(rear.square) == after.piece_at(rear.square);
        if bears && !known {
            facts.add(Moment::After, Detail::Battery { front, rear, target });
        }
    }
}

/// The moved piece stands where an equal piece can take it and be taken back.
fn offered_trade(played: &Played, moved: Man, facts: &mut Facts) {
    let board = played.after.board();
    if played.mv.is_capture() || matches!(moved.role, Role::Pawn | Role::King) {
        return;
    }
    let theirs = Man::all(board, attacks::attackers(board, moved.square, moved.color.other()))
        .into_iter()
        .find(|by| by.value() == moved.value() && exchange::gain_by(board, *by, moved.square) == Some(0));
    // Both must bear on each other, else it is an offer only one side can take up.
    if let Some(theirs) = theirs
        && board.attacks_from(moved.square).contains(theirs.square)
    {
        facts.add(
            Moment::After,
            Detail::Trade {
                ours: moved,
                theirs,
                made: false,
            },
        );
    }
}
