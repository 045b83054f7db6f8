//! What the engine's best move would have done about the reply that makes another move bad.

use shakmaty::{Chess, Move, Position, Role, attacks};

use super::fact::Remedy;
use crate::{
    chess::{Man, Played, destination, exchange, motifs::threat::hanging},
    uci::Score,
};

/// The remedy in `best`, legal where the move was played, against `reply` with its SAN, which answers the move. `scores`:
/// of the best move and of the one played, the mover's view.
#[must_use]
pub fn remedy(played: &Played, best: Move, reply: (Move, &str), scores: (Score, Score)) -> Option<Remedy> {
    if matches!(scores.1, Score::Mate(n) if n < 0) {
        return (!matches!(scores.0, Score::Mate(n) if n <= 0)).then_some(Remedy::StopsMate);
    }
    let after = played.before.clone().play(best).ok()?;
    saved(played, best, &after, reply.0).or_else(|| {
        // What takes the man that moved could not be played but for the move; a square that is taken says little.
        let to = destination(played.mv);
        let trivial = reply.0.is_capture() && reply.0.to() == to || reply.0.to() == destination(best);
        (!trivial).then(|| prevented(played, &after, reply)).flatten()
    })
}

/// The man that the reply wins by taking it no longer hangs.
fn saved(played: &Played, best: Move, after: &Chess, reply: Move) -> Option<Remedy> {
    let (before, bad) = (played.before.board(), played.after.board());
    let mover = played.mover();
    let target = Man::at(bad, reply.to()).filter(|man| reply.is_capture() && man.color == mover)?;
    let lost = hanging(&played.after, mover).into_iter().find(|h| h.target == target)?;
    // Where it stood before the move.
    let walked = target.square == destination(played.mv) && !played.mv.is_castle();
    let man = if walked {
        Man::at(before, played.mv.from()?)?
    } else {
        target
    };
    let hung = hanging(&played.before, mover).iter().any(|h| h.target == man);
    if walked && !hung {
        // It was safe where it stood: that it would be there still says nothing.
        return None;
    }
    if best.is_castle() && best.to() == man.square {
        // The rook leaves the corner: nothing protects it there.
        return None;
    }
    let to = destination(best);
    let moves = best.from() == Some(man.square);
    let now = if moves { to } else { man.square };
    if best.is_castle() && moves || hanging(after, mover).iter().any(|h| h.target.square == now) {
        return None;
    }
    let attacker = lost.by;
    if moves {
        // A capture has a better reason than safety.
        return (hung && !best.is_capture()).then_some(Remedy::Saves { man, to });
    }
    if best.is_capture() && to == attacker.square && before.piece_at(attacker.square) == bad.piece_at(attacker.square) {
        return Some(Remedy::Takes { man, attacker });
    }
    if walked {
        return None;
    }
    if attacks::between(attacker.square, man.square).contains(to)
        && before.attacks_from(attacker.square).contains(man.square)
    {
        return Some(Remedy::Blocks { man, attacker });
    }
    let protects = |board: &shakmaty::Board, from| board.attacks_from(from).contains(man.square);
    if protects(after.board(), to) && best.from().is_some_and(|from| !protects(before, from)) {
        return Some(Remedy::Protects { man, keeps: false });
    }
    // The man that moved off was its protector, and stays with the best move.
    let protector = played.mv.from()?;
    (protects(before, protector) && !protects(bad, destination(played.mv)) && best.from() != Some(protector))
        .then_some(Remedy::Protects { man, keeps: true })
}

/// The reply can't be played after the best move, or it loses material there and did not before.
fn prevented(played: &Played, after: &Chess, (reply, san): (Move, &str)) -> Option<Remedy> {
    // What a check forbids it only puts off.
    if after.is_check() || reply.is_castle() {
        return None;
    }
    let from = reply.from()?;
    let man = Man::at(played.after.board(), from)?;
    if Man::at(after.board(), from) != Some(man) {
        // The best move takes the man.
        return Some(Remedy::Prevents {
            reply: san.to_owned(),
            possible: false,
        });
    }
    // What the reply takes may not be there: then the same step is another move.
    let captured = |pos: &Chess| Man::at(pos.board(), reply.to()).map(|man| man.role);
    let again = after
        .legal_moves()
        .into_iter()
        .find(|m| m.from() == Some(from) && m.to() == reply.to() && m.promotion() == reply.promotion());
    match again {
        None if man.role == Role::Pawn && reply.is_capture() && captured(after).is_none() => None,
        None => Some(Remedy::Prevents {
            reply: san.to_owned(),
            possible: false,
        }),
        Some(again) => {
            let loses = exchange::gain(after.board(), again) < 0;
            let lost_before = exchange::gain(played.after.board(), reply) < 0;
            (loses && !lost_before && captured(after) == captured(&played.after)).then(|| Remedy::Prevents {
                reply: san.to_owned(),
                possible: true,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{read_fen, read_move};

    #[test]
    fn castling_protects_no_rook_in_the_corner_that_it_leaves() {
        let read = read_fen("r2qkb1r/1pp2pp1/p1n2n1p/3bp3/1P1p3P/2P2NPB/PN1PPP2/R1BQK2R w KQkq - 0 10").unwrap();
        let legal = |pos: &Chess, san| read_move(pos, read.mode, san).unwrap();
        let (mv, best) = (legal(&read.position, "Nxe5"), legal(&read.position, "O-O"));
        let played = Played::new(read.position.clone(), mv, read.mode, Vec::new()).unwrap();
        let reply = (legal(&played.after, "Bxh1"), "Bxh1");
        let scores = (Score::Cp(-100), Score::Cp(-500));
        let remedy = remedy(&played, best, reply, scores);
        assert!(!matches!(remedy, Some(Remedy::Protects { .. })), "{remedy:?}");
    }
}
