//! What a side wins along one of the engine's lines, reported only where it lasts.
//!
//! A line stops somewhere, often in the middle of an exchange, and its last moves are the engine's least considered. So
//! every position of the line is led to its quiet end first ([`Quiet`]); what is won counts only if the quiet balance stays
//! at it over the line's last positions; and only if the engine's score bears it out: a pawn that the score does not show is
//! an artefact of where the line was cut, or is paid for in something else.

use shakmaty::{Board, Chess, Color, Move, Position};

use crate::{
    chess::{
        Played,
        material::{Surplus, balance},
        quiescence::Quiet,
    },
    uci::Score,
};

/// How far along a line we look, in plies: further than that, lines are guesses.
const HORIZON: usize = 10;
/// The quiet balance must hold over so many of the line's last positions, where it has as many.
const HOLDS: usize = 3;
/// What a pawn's worth that is won must show in the score, in centipawns.
const SHOWN: i32 = 50;

/// A line from a position: each move with the position it leads to.
pub type Steps = [(Move, Chess)];

/// The board from which gains along a line of this move are counted: before the move, or before the capture that it
/// answers, so that taking back wins nothing.
#[must_use]
pub fn baseline(played: &Played) -> Board {
    let before = played.before.board();
    let mover = played.mover();
    match played.history.last() {
        // The other side's last move took something: the exchange is still on.
        Some(earlier)
            if earlier.turn() != mover && earlier.board().by_color(mover).count() > before.by_color(mover).count() =>
        {
            earlier.board().clone()
        }
        _ => before.clone(),
    }
}

/// What `side` has won, or lost, at the end of `line` against `base`; `score` is the engine's, **`side`'s view**. `None`
/// where nothing has settled or the score does not bear it out.
#[must_use]
pub fn gain(base: &Board, line: &Steps, side: Color, score: Score) -> Option<Surplus> {
    let looked_at = &line[..line.len().min(HORIZON)];
    let quiet: Vec<Quiet> = looked_at.iter().map(|(_, position)| Quiet::of(position)).collect();
    let last = quiet.last()?;
    let settled = last.balance(side);
    let tail = &quiet[quiet.len().saturating_sub(HOLDS)..];
    let holds = tail.iter().all(|quiet| quiet.balance(side) == settled);
    if !holds {
        return None;
    }
    let mut surplus = Surplus::gained(base, last.position.board(), side);
    let promoted = |color: Color| {
        let first = line.first().map_or(color, |(_, position)| position.turn().other());
        let own = |index: usize| index.is_multiple_of(2) == (first == color);
        let played = looked_at
            .iter()
            .enumerate()
            .filter(|(i, _)| own(*i))
            .map(|(_, (m, _))| *m);
        let settling = last
            .moves
            .iter()
            .enumerate()
            .filter(|(i, _)| own(looked_at.len() + i))
            .map(|(_, m)| *m);
        played.chain(settling).find_map(|m| m.promotion())
    };
    let points = surplus.points();
    if points == 0 || !borne_out(score, balance(base, side), points) {
        return None;
    }
    // From the loser's view only the loss is reported.
    if points > 0
        && let Some(into) = promoted(side).filter(|into| surplus.more.contains(into))
    {
        surplus = surplus.beside_promotion(into);
        surplus.promoted = Some(into);
    }
    Some(surplus)
}

/// Whether a score, `side`'s view, shows that a balance of `had` has become one of `had + won`.
fn borne_out(score: Score, had: i32, won: i32) -> bool {
    match score {
        Score::Mate(moves) => (moves > 0) == (won > 0),
        Score::Cp(cp) if won > 0 => cp >= 100 * had + SHOWN * won,
        Score::Cp(cp) => cp <= 100 * had + SHOWN * won,
    }
}
