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
