//! Sound sacrifices: what a move offers, and why giving it works.
//!
//! What is offered is seen on the board ([`offer`]). Whether it is a sacrifice is for the engine: the move is good and the
//! mover does not stand worse for it. Why it works is read from the line in which the man is taken: the expected one, or one
//! that was searched for just that.

use shakmaty::{Chess, Move, Position};

use super::{
    Evaluation, Standing, Verdict,
    evaluation::Line,
    fact::{Compensation, Detail, Gift},
    line_gains,
};
use crate::{
    chess::{
        Man, Played, exchange,
        material::{balance, value},
        offer::offer,
        quiescence::Quiet,
    },
    uci::Score,
};

/// Men that must bear on the squares around a king for an attack on it.
const ATTACKERS: usize = 2;

/// The capture that the move invites, the cheapest taker's; `None` where it offers nothing.
#[must_use]
pub fn invited(played: &Played) -> Option<Move> {
    let offered = offer(played)?;
    let board = played.after.board();
    played
        .after
        .legal_moves()
        .into_iter()
        .filter(|m| m.is_capture() && m.to() == offered.man.square)
        // Of equals by the squares, so that the choice does not hang on the order of moves.
        .max_by_key(|m| (exchange::gain(board, *m), -value(m.role()), m.from()))
}

/// The capture whose line must be searched to know why the offer works: where the expected reply declines it.
#[must_use]
pub fn untested(played: &Played, evaluation: &Evaluation) -> Option<Move> {
    let offered = invited(played).filter(|_| is_sound(played, evaluation))?;
    let expected = evaluation.after.first()?.moves.first()?.to_move(&played.after).ok()?;
    (expected != offered).then_some(offered)
}

fn is_sound(played: &Played, evaluation: &Evaluation) -> bool {
    Verdict::of(played, evaluation).is_some_and(|verdict| verdict <= Verdict::Good)
        && Standing::of(evaluation.played) >= Standing::Equal
}

/// The sacrifice, if the move is one.
#[must_use]
pub fn sacrifice(played: &Played, evaluation: &Evaluation) -> Option<Detail> {
    let taking = invited(played).filter(|_| is_sound(played, evaluation))?;
    let board = played.after.board();
    let uci = taking.to_uci(played.mode);
    let begins = |line: &&Line| line.moves.first() == Some(&uci);
    let line = evaluation.after.iter().chain(&evaluation.accepted).find(begins);
    // Declined and never tested, it may be a threat that answers a threat: nothing is said of it.
    let line = line?;
    let gift = gift(played, line);
    // What is taken back where it was taken is an exchange that static counting misread.
    let answer = line.moves.get(1).and_then(|uci| uci.to());
    if gift.compensation == Compensation::WonBack && answer == Some(taking.to()) {
        return None;
    }
    Some(Detail::Sacrifice {
        man: Man::at(board, taking.to())?,
        taker: Man::at(board, taking.from()?)?,
        cost: offer(played)?.points,
        gift: Some(gift),
    })
}

/// What follows when the man is taken; `line` begins with the capture, its score is the mover's view.
fn gift(played: &Played, line: &Line) -> Gift {
    let mover = played.mover();
    let base = line_gains::baseline(played);
    let mut steps = vec![(played.mv, played.after.clone())];
    let mut at = played.after.clone();
    for uci in &line.moves {
        let Ok(m) = uci.to_move(&at) else { break };
        at.play_unchecked(m);
        steps.push((m, at.clone()));
    }
    let had = balance(&base, mover);
    let end = steps
        .last()
        .map_or(had, |(_, position)| Quiet::of(position).balance(mover));
    let gain = line_gains::gain(&base, &steps, mover, line.score).filter(|surplus| surplus.points() > 0);
    let taken = steps.get(1).map_or(&played.after, |(_, position)| position);
    let compensation = match (line.score, gain) {
        _ if taken.is_stalemate() => Compensation::Stalemate,
        (Score::Mate(moves), _) if moves > 0 => Compensation::Mate(moves.unsigned_abs().saturating_sub(1).max(1)),
        (_, Some(surplus)) => Compensation::Wins(surplus),
        _ if end >= had => Compensation::WonBack,
        (score, None) => {
            let standing = Standing::of(score);
            if attacks_king(taken, mover) {
                Compensation::Attack(standing)
            } else {
                Compensation::Lasting(standing)
            }
        }
    };
    Gift {
        taken: line.san.first().cloned().unwrap_or_default(),
        next: line.san.get(1).cloned(),
        compensation,
    }
}

/// Whether so many of `side`'s men that they can attack bear on the squares around the enemy's king.
fn attacks_king(position: &Chess, side: shakmaty::Color) -> bool {
    let board = position.board();
    let Some(king) = board.king_of(side.other()) else {
        return false;
    };
    let ring = shakmaty::attacks::king_attacks(king).with(king);
    let bearing = (board.by_color(side) & !board.pawns() & !board.kings())
        .into_iter()
        .filter(|square| (board.attacks_from(*square) & ring).any());
    bearing.count() >= ATTACKERS
}
