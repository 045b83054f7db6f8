//! Opposite-coloured bishops: one on each side, on squares of different colours, and otherwise only pawns.

use shakmaty::{Board, Color};

/// True when each side has exactly one bishop, they run on different colours, and there are only kings and pawns beside
/// them.
#[must_use]
pub fn opposite_bishops(board: &Board) -> bool {
    let only = board.occupied() == board.kings() | board.pawns() | board.bishops();
    let bishop = |color: Color| board.by_piece(color.bishop()).single_square();
    match (bishop(Color::White), bishop(Color::Black)) {
        (Some(ours), Some(theirs)) => only && ours.is_light() != theirs.is_light(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::endings::boards::{mirrored, position};
    use shakmaty::Position;

    #[test]
    fn colours_decide() {
        for (fen, expected) in [
            ("4k3/2b2p2/8/8/8/8/2B2P2/4K3 w - - 0 1", true),
            ("4k3/1b3p2/8/8/8/8/2B2P2/4K3 w - - 0 1", false),
            ("4k3/2b5/8/8/8/8/2B5/4K3 w - - 0 1", true),
            // A second bishop, another piece, or none against it.
            ("4k3/2bb1p2/8/8/8/8/2B2P2/4K3 w - - 0 1", false),
            ("4k3/2b2p2/8/8/8/8/2B2P2/R3K3 w - - 0 1", false),
            ("4k3/5p2/8/8/8/8/2B2P2/4K3 w - - 0 1", false),
        ] {
            let position = position(fen);
            assert_eq!(opposite_bishops(position.board()), expected, "{fen}");
            for other in mirrored(&position) {
                assert_eq!(opposite_bishops(other.board()), expected, "{fen}");
            }
        }
    }
}
