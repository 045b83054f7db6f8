//! What a network reads: 112 planes of the board, from the side to move.

use shakmaty::{Bitboard, CastlingSide, Chess, Color, EnPassantMode, Position, Role};

use super::network::{INPUT_PLANES, SQUARES};

/// Positions that are shown to the network: the one to judge and seven before it.
const POSITIONS: usize = 8;
/// Planes of a position: ours PNBRQK, theirs PNBRQK, repetition.
const PER_POSITION: usize = 13;
/// The plane of the half-move clock, the only one that isn't zeros and ones.
const CLOCK: usize = 109;

/// The classical 112 planes. Bit 0 of a plane is a1, bit 7 h1, bit 63 h8, **as the side to move sees them**: for Black
/// the ranks are flipped, the files are not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planes {
    masks: [u64; INPUT_PLANES],
    clock: u32,
}

impl Planes {
    /// The planes of `position`, reached through `history` (oldest first, one ply apart, without `position`).
    ///
    /// Pass the real history wherever a game is known: it keeps the network's mind (see the module). Where it holds
    /// fewer than seven positions, the oldest one known is repeated, as Lc0 does for a FEN, with a pawn that has just
    /// moved two squares put back; before the standard start position there is nothing to repeat, and the planes stay
    /// empty. All of `history` is searched for repetitions.
    #[must_use]
    pub fn new(history: &[Chess], position: &Chess) -> Self {
        let mut planes = Self {
            masks: [0; INPUT_PLANES],
            clock: position.halfmoves(),
        };
        let us = position.turn();
        let at = |i: usize| history.get(i).unwrap_or(position);
        let oldest = at(0);
        for block in 0..POSITIONS {
            let base = block * PER_POSITION;
            if block <= history.len() {
                let i = history.len() - block;
                planes.place(base, at(i), us);
                if repeated(history, i, at(i)) {
                    planes.masks[base + 12] = u64::MAX;
                }
            } else if !is_start(oldest) {
                planes.place(base, oldest, us);
                planes.undo_double_step(base, oldest, us);
            }
        }
        let castles = position.castles();
        for (plane, color, side) in [
            (104, us, CastlingSide::QueenSide),
            (105, us, CastlingSide::KingSide),
            (106, !us, CastlingSide::QueenSide),
            (107, !us, CastlingSide::KingSide),
        ] {
            planes.masks[plane] = all(castles.has(color, side));
        }
        planes.masks[108] = all(us.is_black());
        planes.masks[111] = u64::MAX;
        planes
    }

    /// A plane's bits; of plane 109, the half-move clock, none.
    #[must_use]
    pub fn mask(&self, plane: usize) -> u64 {
        self.masks.get(plane).copied().unwrap_or(0)
    }

    /// The half-move clock, the value of every square of plane 109, in plies.
    #[must_use]
    pub fn clock(&self) -> u32 {
        self.clock
    }

    /// All planes as 112 × 8 × 8 numbers: plane, rank, file.
    #[must_use]
    pub fn values(&self) -> Vec<f32> {
        let mut values = vec![0.0; INPUT_PLANES * SQUARES];
        for (plane, squares) in values.chunks_exact_mut(SQUARES).enumerate() {
            if plane == CLOCK {
                squares.fill(self.clock as f32);
                continue;
            }
            for (square, value) in squares.iter_mut().enumerate() {
                if self.masks[plane] >> square & 1 == 1 {
                    *value = 1.0;
                }
            }
        }
        values
    }

    fn place(&mut self, base: usize, position: &Chess, us: Color) {
        let board = position.board();
        for (offset, color) in [(0, us), (6, !us)] {
            for (i, role) in Role::ALL.into_iter().enumerate() {
                self.masks[base + offset + i] = seen(board.by_color(color) & board.by_role(role), us);
            }
        }
    }

    fn undo_double_step(&mut self, base: usize, position: &Chess, us: Color) {
        let Some(passed) = position.ep_square(EnPassantMode::Always) else {
            return;
        };
        // The pawn belongs to the side that is not to move in that position.
        let stepper = !position.turn();
        let forward = stepper.fold_wb(8, -8);
        let (Some(from), Some(to)) = (passed.offset(-forward), passed.offset(forward)) else {
            return;
        };
        let pawns = base + if stepper == us { 0 } else { 6 };
        self.masks[pawns] &= !seen(Bitboard::from(to), us);
        self.masks[pawns] |= seen(Bitboard::from(from), us);
    }
}

fn all(set: bool) -> u64 {
    if set { u64::MAX } else { 0 }
}

/// `squares` as `us` sees them.
fn seen(squares: Bitboard, us: Color) -> u64 {
    us.fold_wb(squares.0, squares.0.swap_bytes())
}

fn is_start(position: &Chess) -> bool {
    let start = Chess::default();
    position.board() == start.board()
        && position.turn() == start.turn()
        && position.castles().castling_rights() == start.castles().castling_rights()
}

/// Whether the position at `index` of `history` (or after it) stood on the board before. A capture or pawn move makes
/// everything before it unrepeatable.
fn repeated(history: &[Chess], index: usize, position: &Chess) -> bool {
    if position.halfmoves() < 4 {
        return false;
    }
    let mut i = index;
    while i >= 2 {
        i -= 2;
        let earlier = &history[i];
        if same(earlier, position) {
            return true;
        }
        if earlier.halfmoves() < 2 {
            return false;
        }
    }
    false
}

/// The same position by the rules: men, side to move, castling rights, en passant.
fn same(a: &Chess, b: &Chess) -> bool {
    a.board() == b.board()
        && a.turn() == b.turn()
        && a.castles().castling_rights() == b.castles().castling_rights()
        && a.ep_square(EnPassantMode::PseudoLegal) == b.ep_square(EnPassantMode::PseudoLegal)
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, uci::UciMove};

    use super::*;

    fn position(fen: &str) -> Chess {
        let fen: Fen = fen.parse().unwrap();
        fen.into_position(CastlingMode::Standard).unwrap()
    }

    fn game(moves: &str) -> (Vec<Chess>, Chess) {
        let mut history = Vec::new();
        let mut now = Chess::default();
        for text in moves.split_whitespace() {
            let uci: UciMove = text.parse().unwrap();
            let mv = uci.to_move(&now).unwrap();
            history.push(now.clone());
            now.play_unchecked(mv);
        }
        (history, now)
    }

    #[test]
    fn the_start_position_is_not_repeated() {
        let planes = Planes::new(&[], &Chess::default());
        assert_eq!(planes.mask(0), 0xff00);
        assert_eq!(planes.mask(5), 0x10);
        assert_eq!(planes.mask(6), 0xff << 48);
        assert!((13..104).all(|plane| planes.mask(plane) == 0));
        assert!((104..108).all(|plane| planes.mask(plane) == u64::MAX));
        assert_eq!((planes.mask(108), planes.mask(110), planes.mask(111)), (0, 0, u64::MAX));
    }

    #[test]
    fn black_sees_the_ranks_flipped_and_the_files_not() {
        let (history, now) = game("e2e4");
        let planes = Planes::new(&history, &now);
        assert_eq!(planes.mask(0), 0xff00, "our pawns");
        assert_eq!(planes.mask(5), 0x10, "our king on the e-file");
        // e4 is e5 when flipped; e2 is e7.
        assert_eq!(planes.mask(6), 0xef << 48 | 1 << 36);
        assert_eq!(planes.mask(13 + 6), 0xff << 48, "one ply ago");
        assert_eq!(planes.mask(26), 0);
        assert_eq!(planes.mask(108), u64::MAX);
    }

    #[test]
    fn a_fen_is_repeated_with_the_double_step_undone() {
        let now = position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
        let planes = Planes::new(&[], &now);
        assert_eq!(planes.mask(6), 0xef << 48 | 1 << 36);
        for block in 1..8 {
            assert_eq!(planes.mask(block * 13 + 6), 0xff << 48, "block {block}");
            assert_eq!(planes.mask(block * 13), 0xff00, "block {block}");
        }
    }

    #[test]
    fn a_repetition_is_marked() {
        let (history, now) = game("g1f3 g8f6 f3g1 f6g8 e2e4");
        let planes = Planes::new(&history, &now);
        assert_eq!(planes.mask(12), 0);
        assert_eq!(planes.mask(13 + 12), u64::MAX, "the start position came back");
        assert_eq!(planes.mask(26 + 12), 0);
    }

    #[test]
    fn the_clock_is_raw() {
        let planes = Planes::new(&[], &position("8/8/4k3/8/8/4K3/4P3/8 w - - 57 90"));
        let values = planes.values();
        assert_eq!(values.len(), 112 * 64);
        assert!(values[109 * 64..110 * 64].iter().all(|&v| v == 57.0));
        assert_eq!(values[5 * 64..6 * 64].iter().sum::<f32>(), 1.0);
    }
}
