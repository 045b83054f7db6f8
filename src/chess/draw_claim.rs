//! Draws that may be claimed: by repetition and by fifty moves.

use shakmaty::{Chess, Position};

/// Half-moves without a capture or a pawn move after which a draw may be claimed (FIDE Laws of Chess, 9.3).
const FIFTY_MOVES: u32 = 100;

/// Why a draw may be claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawClaim {
    /// The position is on the board for the third time.
    Repetition,
    /// Fifty moves without a capture or a pawn move.
    FiftyMoves,
}

/// Whether a draw may be claimed in a position that was reached through these, from the game's first to the one before it.
#[must_use]
pub fn draw_claim(seen: &[Chess], position: &Chess) -> Option<DrawClaim> {
    // A capture or a pawn move is never taken back.
    let since = seen.len().saturating_sub(position.halfmoves() as usize);
    if seen[since..].iter().filter(|earlier| *earlier == position).count() >= 2 {
        return Some(DrawClaim::Repetition);
    }
    (position.halfmoves() >= FIFTY_MOVES).then_some(DrawClaim::FiftyMoves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::read_fen;

    #[test]
    fn the_third_time_on_the_board_may_be_claimed() {
        let mut at = Chess::default();
        let mut seen = Vec::new();
        for (ply, uci) in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"]
            .iter()
            .enumerate()
        {
            assert_eq!(draw_claim(&seen, &at), None, "{ply}");
            seen.push(at.clone());
            let mv = uci.parse::<shakmaty::uci::UciMove>().unwrap().to_move(&at).unwrap();
            at.play_unchecked(mv);
        }
        assert_eq!(draw_claim(&seen, &at), Some(DrawClaim::Repetition));
    }

    #[test]
    fn fifty_moves_may_be_claimed() {
        let claim = |halfmoves: u32| {
            let fen = format!("4k3/8/8/8/8/8/8/R3K3 w - - {halfmoves} 90");
            draw_claim(&[], &read_fen(&fen).unwrap().position)
        };
        assert_eq!(claim(99), None);
        assert_eq!(claim(100), Some(DrawClaim::FiftyMoves));
    }
}
