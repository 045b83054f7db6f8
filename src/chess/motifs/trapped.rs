//! Trapped pieces: attacked, and lost wherever they go.

use shakmaty::{Chess, Position, Role};

use super::threat::{Hanging, hanging};
use crate::chess::exchange;

/// Pieces (not pawns) of the side to move that are lost: the opponent wins each by capturing it, every move of it loses
/// material too, and no other move (taking the attacker, blocking, protecting) saves it without loss. Not asked in check.
#[must_use]
pub fn trapped(pos: &Chess) -> Vec<Hanging> {
    if pos.is_check() {
        return Vec::new();
    }
    let moves = pos.legal_moves();
    hanging(pos, pos.turn())
        .into_iter()
        .filter(|h| h.target.role != Role::Pawn)
        .filter(|h| {
            moves.iter().all(|&m| {
                let moved = m.from() == Some(h.target.square);
                let own = exchange::gain(pos.board(), m);
                if moved || m.is_castle() {
                    return own < 0 && !m.is_castle();
                }
                if own < 0 {
                    return true;
                }
                // A capture elsewhere may pay for the piece.
                if own >= h.gain {
                    return false;
                }
                let mut next = pos.clone();
                next.play_unchecked(m);
                if next.is_check() {
                    // A check to no other purpose only puts off the loss.
                    return !m.is_capture();
                }
                exchange::best_capture(next.board(), next.turn(), h.target.square, None).is_some_and(|e| e.gain > 0)
            })
        })
        .collect()
}
