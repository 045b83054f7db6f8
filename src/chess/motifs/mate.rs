//! Mates on the board: patterns of a delivered mate, mate in one, and a check that mates next move whatever the reply.

use shakmaty::{Board, Chess, Color, Move, Position, Rank, Role, attacks};

/// A named mating pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// A rook or queen checks along the back rank, where the king's own men block every way forward.
    BackRank,
    /// A knight mates a king walled in by its own men.
    Smothered,
}

/// The pattern of the checkmate in `pos`, if it has one of those named.
#[must_use]
pub fn pattern(pos: &Chess) -> Option<Pattern> {
    if !pos.is_checkmate() {
        return None;
    }
    let loser = pos.turn();
    let board = pos.board();
    let king = board.king_of(loser)?;
    let checkers = pos.checkers();
    let around = attacks::king_attacks(king);
    if checkers.count() == 1 && (checkers & board.knights()).any() && around.is_subset(board.by_color(loser)) {
        return Some(Pattern::Smothered);
    }
    let home = loser.relative_rank(king.rank()) == Rank::First;
    let along = (checkers & board.rooks_and_queens())
        .into_iter()
        .any(|c| c.rank() == king.rank());
    (home && along && walled_in(board, loser)).then_some(Pattern::BackRank)
}

/// True when `color`'s king stands on its back rank and its own men fill every square in front of it.
#[must_use]
pub fn walled_in(board: &Board, color: Color) -> bool {
    let Some(king) = board.king_of(color) else { return false };
    let front = attacks::king_attacks(king) & shakmaty::Bitboard::from_rank(color.relative_rank(Rank::Second));
    color.relative_rank(king.rank()) == Rank::First && front.is_subset(board.by_color(color))
}

/// A move that mates at once, if there is one.
#[must_use]
pub fn mate_in_one(pos: &Chess) -> Option<Move> {
    let enemy_king = pos.board().king_of(pos.turn().other())?;
    pos.legal_moves().into_iter().find(|&m| mates(pos, m, enemy_king))
}

/// All moves that mate at once.
#[must_use]
pub fn mates_in_one(pos: &Chess) -> Vec<Move> {
    let Some(enemy_king) = pos.board().king_of(pos.turn().other()) else {
        return Vec::new();
    };
    let moves = pos.legal_moves();
    moves.into_iter().filter(|&m| mates(pos, m, enemy_king)).collect()
}

fn mates(pos: &Chess, m: Move, enemy_king: shakmaty::Square) -> bool {
    may_check(pos.board(), m, enemy_king) && {
        let mut next = pos.clone();
        next.play_unchecked(m);
        next.is_checkmate()
    }
}

/// False only where `m` certainly gives no check, so that most moves need not be played out.
fn may_check(board: &Board, m: Move, king: shakmaty::Square) -> bool {
    let Move::Normal {
        role,
        from,
        to,
        promotion,
        ..
    } = m
    else {
        return true;
    };
    let role = promotion.unwrap_or(role);
    let Some(color) = board.color_at(from) else { return true };
    let direct = attacks::attacks(to, role.of(color), board.occupied().without(from).with(to)).contains(king);
    direct || attacks::ray(from, king).any() && role != Role::Queen || (role == Role::Queen && promotion.is_some())
}

/// How many replies a check may leave for [`mates_next`] to look at them.
const FORCED_REPLIES: usize = 8;

/// True when `pos` is check and every legal reply (there are few) allows mate in one: a forced mate in two for the
/// side that just moved.
#[must_use]
pub fn mates_next(pos: &Chess) -> bool {
    if !pos.is_check() {
        return false;
    }
    let replies = pos.legal_moves();
    !replies.is_empty()
        && replies.len() <= FORCED_REPLIES
        && replies.into_iter().all(|reply| {
            let mut next = pos.clone();
            next.play_unchecked(reply);
            mate_in_one(&next).is_some()
        })
}
