//! What a network reads: 112 planes of the board, from the side to move.

use shakmaty::{Bitboard, CastlingSide, Chess, Color, EnPassantMode, Position, Role, Square};

use super::{
    format::InputFormat,
    network::{INPUT_PLANES, SQUARES},
    transform::Transform,
};

/// Positions that are shown to the network: the one to judge and seven before it.
const POSITIONS: usize = 8;
/// Planes of a position: ours PNBRQK, theirs PNBRQK, repetition.
const PER_POSITION: usize = 13;
/// The plane of the half-move clock, the only one that isn't zeros and ones.
const CLOCK: usize = 109;

/// Planes 0 to this are boards, which the canonical formats transform.
const LAST_BOARD: usize = 108;

/// The 112 planes. Bit 0 of a plane is a1, bit 7 h1, bit 63 h8, **as the side to move sees them**: for Black the ranks
/// are flipped, the files are not; the canonical formats transform that once more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planes {
    format: InputFormat,
    masks: [u64; INPUT_PLANES],
    clock: u32,
}

impl Planes {
    /// The classical planes of `position`, reached through `history` (oldest first, one ply apart, without `position`).
    ///
    /// Pass the real history wherever a game is known: the network's answer depends on it (see the module). Where it holds
    /// fewer than seven positions, the oldest one known is repeated, as Lc0 does for a FEN, with a pawn that has just
    /// moved two squares put back; before the standard start position there is nothing to repeat, and the planes stay
    /// empty. All of `history` is searched for repetitions.
    #[must_use]
    pub fn new(history: &[Chess], position: &Chess) -> Self {
        Self::with_format(InputFormat::Classical, history, position)
    }

    /// The planes as a network of `format` reads them; see [`Planes::new`]. The canonical formats show no position
    /// before the last capture, pawn move or loss of castling rights.
    #[must_use]
    pub fn with_format(format: InputFormat, history: &[Chess], position: &Chess) -> Self {
        Self::shown_to(format, position.turn(), history, position)
    }

    /// The planes of a bare position as `us` sees it, **whoever is to move**: where the other side is, as though it had
    /// passed. So two positions a ply apart can be seen from one side. The rules may forbid it (the other side's king
    /// may stand in check); a network reads it all the same.
    #[must_use]
    pub fn seen_by(format: InputFormat, us: Color, position: &Chess) -> Self {
        Self::shown_to(format, us, &[], position)
    }

    fn shown_to(format: InputFormat, us: Color, history: &[Chess], position: &Chess) -> Self {
        let mut planes = Self {
            format,
            masks: [0; INPUT_PLANES],
            clock: position.halfmoves(),
        };
        planes.place_history(history, position, us);
        planes.place_castling(position, us);
        if format.is_canonical() {
            // Only the side to move may take it.
            let passed = en_passant(position, history.is_empty()).filter(|_| us == position.turn());
            planes.masks[108] = passed.map_or(0, |square| 1 << (56 + u32::from(square.file())));
        } else {
            planes.masks[108] = all(us.is_black());
        }
        planes.masks[110] = all(format.is_armageddon() && us.is_black());
        planes.masks[111] = u64::MAX;
        let transform = format.transform_for(position, us);
        if transform != Transform::NONE {
            for mask in &mut planes.masks[..=LAST_BOARD] {
                *mask = transform.mask(*mask);
            }
        }
        planes
    }

    fn place_history(&mut self, history: &[Chess], position: &Chess, us: Color) {
        let canonical = self.format.is_canonical();
        let mut block = 0;
        for back in 0.. {
            if block == POSITIONS {
                return;
            }
            // Before the oldest position it is repeated.
            let index = history.len().checked_sub(back);
            let shown = history.get(index.unwrap_or(0)).unwrap_or(position);
            // What can't come back ends a canonical history.
            let other_rights = shown.castles().castling_rights() != position.castles().castling_rights();
            let passed = en_passant(shown, index.unwrap_or(0) == 0);
            if canonical && (other_rights || back > 0 && passed.is_some()) {
                return;
            }
            if index.is_none() && is_start(shown) {
                return;
            }
            let repeated = index.is_some_and(|i| repeated(history, i, shown));
            let last_of_its_kind = canonical && shown.halfmoves() == 0;
            if back > 0 && !repeated && self.format.only_repeated() {
                if last_of_its_kind || index.is_none() {
                    return;
                }
                continue;
            }
            let base = block * PER_POSITION;
            self.place(base, shown, us);
            if repeated {
                self.masks[base + 12] = u64::MAX;
            }
            if index.is_none() {
                self.undo_double_step(base, shown, us);
            }
            if last_of_its_kind {
                return;
            }
            block += 1;
        }
    }

    fn place_castling(&mut self, position: &Chess, us: Color) {
        let castles = position.castles();
        for (plane, color, side) in [
            (104, us, CastlingSide::QueenSide),
            (105, us, CastlingSide::KingSide),
            (106, !us, CastlingSide::QueenSide),
            (107, !us, CastlingSide::KingSide),
        ] {
            if self.format == InputFormat::Classical {
                self.masks[plane] = all(castles.has(color, side));
            } else if let Some(rook) = castles.rook(color, side) {
                let plane = if side.is_queen_side() { 104 } else { 105 };
                self.masks[plane] |= seen(Bitboard::from(rook), us);
            }
        }
    }

    /// Which format they are of.
    #[must_use]
    pub fn format(&self) -> InputFormat {
        self.format
    }

    /// A plane's bits; of plane 109, the half-move clock, none.
    #[must_use]
    pub fn mask(&self, plane: usize) -> u64 {
        self.masks.get(plane).copied().unwrap_or(0)
    }

    /// The half-move clock in plies: the value of every square of plane 109, unless the format counts hundreds.
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
                let unit = if self.format.counts_hundreds() { 100.0 } else { 1.0 };
                squares.fill(self.clock as f32 / unit);
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

/// Where a pawn can be taken en passant. Lc0 believes a FEN whether or not a pawn stands there to take; in a game it
/// looks.
fn en_passant(position: &Chess, from_fen: bool) -> Option<Square> {
    position.ep_square(if from_fen {
        EnPassantMode::Always
    } else {
        EnPassantMode::PseudoLegal
    })
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
    fn either_side_can_look() {
        let now = position("4k3/8/8/8/3q4/8/8/4K2R b K - 3 9");
        let black = Planes::seen_by(InputFormat::Classical, Color::Black, &now);
        assert_eq!(black, Planes::new(&[], &now));
        let white = Planes::seen_by(InputFormat::Classical, Color::White, &now);
        let passed = position("4k3/8/8/8/3q4/8/8/4K2R w K - 3 9");
        assert_eq!(white, Planes::new(&[], &passed), "as though Black had passed");
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
