//! Static exchange evaluation: what a run of captures on one square is worth when both sides may stop at will.
//!
//! Every capture considered is legal (the own king is not left in check), so pinned men do not recapture, men behind
//! others join in, and a king takes only what is no longer protected. Values are [`super::material::value`].

use shakmaty::{Bitboard, Board, Color, Move, Rank, Role, Square, attacks};

use super::{man::Man, material::value};

/// The best capture on a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchange {
    /// The man that captures first.
    pub by: Man,
    /// What the capturing side gains in pawns; negative where every capture loses material.
    pub gain: i32,
}

/// Nodes after which only the cheapest capture is followed. No position from play comes near it; it bounds hostile ones.
const BUDGET: u32 = 3000;

/// What `m` gains the side that plays it, in pawns: the man captured, plus what a promotion adds, less what the
/// opponent then wins by capturing on the same square. 0 or less for a quiet move; 0 for castling.
#[must_use]
pub fn gain(board: &Board, m: Move) -> i32 {
    let (from, to) = match m {
        Move::Normal { from, to, .. } | Move::EnPassant { from, to } => (from, to),
        Move::Castle { .. } | Move::Put { .. } => return 0,
    };
    let Some(side) = board.color_at(from) else { return 0 };
    let mut occupied = board.occupied().without(from).with(to);
    if m.is_en_passant() {
        occupied.discard(Square::from_coords(to.file(), from.rank()));
    }
    let captured = m.capture().map_or(0, value);
    let stands = m.promotion().unwrap_or_else(|| m.role());
    let mut fight = Fight::new(board, to);
    captured + value(stands) - value(m.role()) - fight.best(side.other(), occupied, value(stands))
}

/// The best way for `side` to capture the enemy man on `target`, as if it were `side`'s turn. `en_passant` is the
/// square behind a pawn that just made a double step, where `side` may capture so. `None` when no capture is legal.
#[must_use]
pub fn best_capture(board: &Board, side: Color, target: Square, en_passant: Option<Square>) -> Option<Exchange> {
    let victim = Man::at(board, target).filter(|man| man.color != side && man.role != Role::King)?;
    let mut fight = Fight::new(board, target);
    let mut best: Option<Exchange> = None;
    let mut consider = |by: Man, gain: i32| {
        if best.is_none_or(|b| gain > b.gain) {
            best = Some(Exchange { by, gain });
        }
    };
    for (from, role) in fight.takers(side, board.occupied()) {
        if let Some(gain) = fight.take(side, board.occupied(), from, role, victim.value()) {
            consider(
                Man {
                    color: side,
                    role,
                    square: from,
                },
                gain,
            );
        }
    }
    if let Some(to) = en_passant
        && victim.role == Role::Pawn
        && to.file() == target.file()
        && side.relative_rank(to.rank()) == Rank::Sixth
    {
        let pawns = attacks::pawn_attacks(side.other(), to) & board.by_piece(side.pawn());
        for from in pawns {
            let occupied = board.occupied().without(from).without(target).with(to);
            let mut fight = Fight::new(board, to);
            if fight.king_safe(side, occupied, None) {
                let gain = 1 - fight.best(side.other(), occupied, 1);
                consider(
                    Man {
                        color: side,
                        role: Role::Pawn,
                        square: from,
                    },
                    gain,
                );
            }
        }
    }
    best
}

/// What the man `by` gains by capturing the enemy man on `target`, as if it were its side's turn. `None` where it does
/// not attack it, where that man is a king or no enemy, or where the capture would leave the own king in check.
#[must_use]
pub fn gain_by(board: &Board, by: Man, target: Square) -> Option<i32> {
    let victim = Man::at(board, target).filter(|man| man.color != by.color && man.role != Role::King)?;
    if !board.attacks_from(by.square).contains(target) {
        return None;
    }
    Fight::new(board, target).take(by.color, board.occupied(), by.square, by.role, victim.value())
}

/// Captures on one square. `occupied` always counts the square itself as taken.
struct Fight<'a> {
    board: &'a Board,
    on: Square,
    budget: u32,
}

impl<'a> Fight<'a> {
    const fn new(board: &'a Board, on: Square) -> Self {
        Self {
            board,
            on,
            budget: BUDGET,
        }
    }

    /// `side`'s men that bear on the square, cheapest first.
    fn takers(&self, side: Color, occupied: Bitboard) -> Vec<(Square, Role)> {
        let bearing = self.board.attacks_to(self.on, side, occupied) & occupied.without(self.on);
        let mut takers: Vec<(Square, Role)> = bearing
            .into_iter()
            .filter_map(|from| Some((from, self.board.role_at(from)?)))
            .collect();
        takers.sort_by_key(|&(_, role)| value(role));
        takers
    }

    /// True when `side`'s king (on `king` if it is the one that moved) is not attacked by a man still on the board.
    fn king_safe(&self, side: Color, occupied: Bitboard, king: Option<Square>) -> bool {
        let Some(king) = king.or_else(|| self.board.king_of(side)) else {
            return true;
        };
        let attackers = self.board.attacks_to(king, side.other(), occupied) & occupied.without(self.on);
        attackers.is_empty()
    }

    /// What `side` gains at most by capturing a man worth `standing`, 0 when it is better left alone.
    fn best(&mut self, side: Color, occupied: Bitboard, standing: i32) -> i32 {
        let mut best = 0;
        let mut tried = false;
        for (from, role) in self.takers(side, occupied) {
            let most = standing + self.promotion(side, role);
            if most <= best || (tried && self.budget == 0) {
                continue;
            }
            if let Some(gain) = self.take(side, occupied, from, role, standing) {
                tried = true;
                best = best.max(gain);
            }
        }
        best
    }

    /// What `side` gains by capturing with the man on `from`; `None` when that is illegal.
    fn take(&mut self, side: Color, occupied: Bitboard, from: Square, role: Role, standing: i32) -> Option<i32> {
        let occupied = occupied.without(from);
        if !self.king_safe(side, occupied, (role == Role::King).then_some(self.on)) {
            return None;
        }
        self.budget = self.budget.saturating_sub(1);
        let promotion = self.promotion(side, role);
        Some(standing + promotion - self.best(side.other(), occupied, value(role) + promotion))
    }

    /// What a pawn gains in worth by capturing on the last rank. Another piece than a queen never gains more.
    fn promotion(&self, side: Color, role: Role) -> i32 {
        if role == Role::Pawn && side.relative_rank(self.on.rank()) == Rank::Eighth {
            value(Role::Queen) - value(Role::Pawn)
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen};

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap()
    }

    /// The oracle: every legal capture on the square, by real moves, both sides free to stop.
    fn searched(pos: &Chess, on: Square) -> i32 {
        pos.capture_moves()
            .into_iter()
            .filter(|m| m.to() == on && !m.is_en_passant())
            .map(|m| played_out(pos, m))
            .fold(0, i32::max)
    }

    fn played_out(pos: &Chess, m: Move) -> i32 {
        let promoted = m.promotion().map_or(0, |role| value(role) - 1);
        let mut next = pos.clone();
        next.play_unchecked(m);
        m.capture().map_or(0, value) + promoted - searched(&next, m.to())
    }

    #[test]
    fn known_exchanges() {
        for (fen, on, gain) in [
            // A pawn protected by a pawn, attacked by a rook.
            ("4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1", Square::D6, Some(-4)),
            // Undefended knight.
            ("4k3/8/3n4/8/8/8/3R4/4K3 w - - 0 1", Square::D6, Some(3)),
            // Rook behind rook: the x-ray counts. 1 - 5 + 5 = 1.
            ("3r2k1/8/3p4/8/8/3R4/3R4/3K4 w - - 0 1", Square::D6, Some(1)),
            // The protector is pinned, so the pawn is free.
            ("4k3/4n3/8/3p4/8/1B6/8/K3R3 w - - 0 1", Square::D5, Some(1)),
            // A king may not take what is protected …
            ("8/8/8/8/3k4/2p5/1P6/K7 b - - 0 1", Square::B2, Some(0)),
            // … nor may the own king recapture on an attacked square.
            ("k7/8/8/8/8/8/1r6/Kq6 w - - 0 1", Square::B1, None),
            // The capture promotes: a rook and a queen for a pawn.
            ("1r2k3/P7/8/8/8/8/8/K7 w - - 0 1", Square::B8, Some(13)),
            // The same, taken back: a rook for a pawn.
            ("1rr1k3/P7/8/8/8/8/8/K7 w - - 0 1", Square::B8, Some(4)),
            // Nobody attacks.
            ("4k3/8/3n4/8/8/8/8/4K3 w - - 0 1", Square::D6, None),
        ] {
            let pos = position(fen);
            let got = best_capture(pos.board(), pos.turn(), on, None).map(|e| e.gain);
            assert_eq!(got, gain, "{fen} on {on}");
        }
    }

    #[test]
    fn en_passant_takes_the_pawn_beside() {
        let pos = position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
        let ep = pos.ep_square(EnPassantMode::Legal);
        assert_eq!(
            best_capture(pos.board(), Color::White, Square::D5, ep).map(|e| e.gain),
            Some(1)
        );
        assert_eq!(best_capture(pos.board(), Color::White, Square::D5, None), None);
        // The rook on h5 would take the king once both pawns are gone.
        let pinned = position("7k/8/8/K2pP2r/8/8/8/8 w - - 0 1");
        assert_eq!(
            best_capture(pinned.board(), Color::White, Square::D5, Some(Square::D6)),
            None
        );
    }

    #[test]
    fn agrees_with_search_by_legal_moves() {
        let mut seed = 0x2545_f491_4f6c_dd1d_u64;
        let mut below = |n: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            usize::try_from(seed % n as u64).unwrap()
        };
        let (mut squares, mut moves) = (0, 0);
        for _ in 0..150 {
            let mut pos = Chess::default();
            for _ in 0..below(110) {
                let legal = pos.legal_moves();
                if legal.is_empty() {
                    break;
                }
                pos.play_unchecked(legal[below(legal.len())]);
                for on in pos.board().by_color(pos.turn().other()) {
                    let fast = best_capture(pos.board(), pos.turn(), on, None).map_or(0, |e| e.gain.max(0));
                    if pos.board().role_at(on) != Some(Role::King) {
                        assert_eq!(
                            fast,
                            searched(&pos, on),
                            "{} on {on}",
                            Fen::from_position(&pos, EnPassantMode::Legal)
                        );
                        squares += 1;
                    }
                }
                for m in pos
                    .legal_moves()
                    .into_iter()
                    .filter(|m| m.is_capture() || m.is_promotion())
                {
                    let slow = played_out(&pos, m);
                    assert_eq!(
                        gain(pos.board(), m),
                        slow,
                        "{} {m}",
                        Fen::from_position(&pos, EnPassantMode::Legal)
                    );
                    moves += 1;
                }
            }
        }
        assert!(squares > 50_000 && moves > 10_000, "{squares} squares, {moves} moves");
    }

    #[test]
    fn crowded_boards_end_soon() {
        let board = Fen::from_ascii(b"qqqqqqqk/qqqqqqqq/qqqqqqqq/3n4/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQK w - - 0 1")
            .unwrap()
            .into_setup()
            .board;
        assert!(best_capture(&board, Color::White, Square::D5, None).is_some());
    }
}
