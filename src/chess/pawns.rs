//! Pawn structure by the textbook: passed, isolated, doubled and backward pawns, open files, outposts.

use shakmaty::{Bitboard, Board, Color, File, Rank, Role, Square, attacks};

use super::man::Man;

/// The squares in front of `square` on its own file, as `color` moves.
#[must_use]
pub fn ahead(square: Square, color: Color) -> Bitboard {
    let file = Bitboard::from_file(square.file());
    let mut ranks = Bitboard::EMPTY;
    for rank in Rank::ALL {
        if color.relative_rank(rank) > color.relative_rank(square.rank()) {
            ranks |= Bitboard::from_rank(rank);
        }
    }
    file & ranks
}

fn neighbours(file: File) -> Bitboard {
    [-1, 1]
        .into_iter()
        .filter_map(|d| file.offset(d))
        .fold(Bitboard::EMPTY, |b, f| b | Bitboard::from_file(f))
}

/// The squares in front of `square` on the files beside it.
fn ahead_beside(square: Square, color: Color) -> Bitboard {
    [-1, 1]
        .into_iter()
        .filter_map(|d| square.file().offset(d))
        .fold(Bitboard::EMPTY, |b, file| {
            b | ahead(Square::from_coords(file, square.rank()), color)
        })
}

fn pawns(board: &Board, color: Color) -> Bitboard {
    board.by_piece(color.pawn())
}

/// `color`'s passed pawns: no enemy pawn ahead on the same or a neighbouring file.
#[must_use]
pub fn passed(board: &Board, color: Color) -> Bitboard {
    let enemy = pawns(board, color.other());
    pawns(board, color)
        .into_iter()
        .filter(|&sq| ((ahead(sq, color) | ahead_beside(sq, color)) & enemy).is_empty())
        .collect()
}

/// `color`'s isolated pawns: no own pawn on a neighbouring file.
#[must_use]
pub fn isolated(board: &Board, color: Color) -> Bitboard {
    let own = pawns(board, color);
    own.into_iter()
        .filter(|sq| (neighbours(sq.file()) & own).is_empty())
        .collect()
}

/// `color`'s doubled pawns: another own pawn on the same file.
#[must_use]
pub fn doubled(board: &Board, color: Color) -> Bitboard {
    let own = pawns(board, color);
    own.into_iter()
        .filter(|sq| (Bitboard::from_file(sq.file()) & own).more_than_one())
        .collect()
}

/// `color`'s backward pawns: not isolated, every own pawn on the neighbouring files is further advanced, and an enemy
/// pawn controls the square in front, so that it can't safely advance.
#[must_use]
pub fn backward(board: &Board, color: Color) -> Bitboard {
    let own = pawns(board, color);
    let enemy = pawns(board, color.other());
    own.into_iter()
        .filter(|&sq| {
            let beside = neighbours(sq.file()) & own;
            let stop = (ahead(sq, color) & attacks::king_attacks(sq)).single_square();
            beside.any()
                && beside.is_subset(ahead_beside(sq, color))
                && stop.is_some_and(|stop| (attacks::pawn_attacks(color, stop) & enemy).any())
        })
        .collect()
}

/// What pawns stand on a file, as a rook of some colour sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Openness {
    /// No pawns at all.
    Open,
    /// No own pawns, but enemy ones.
    HalfOpen,
    /// Own pawns.
    Closed,
}

/// How open `file` is for `color`.
#[must_use]
pub fn openness(board: &Board, file: File, color: Color) -> Openness {
    let file = Bitboard::from_file(file);
    if (file & pawns(board, color)).any() {
        Openness::Closed
    } else if (file & board.pawns()).any() {
        Openness::HalfOpen
    } else {
        Openness::Open
    }
}

/// True for a knight or bishop on its fourth to sixth rank, protected by an own pawn, which no enemy pawn can ever
/// drive away (none on the neighbouring files ahead of it).
#[must_use]
pub fn outpost(board: &Board, man: Man) -> bool {
    let rank = man.color.relative_rank(man.square.rank());
    matches!(man.role, Role::Knight | Role::Bishop)
        && (Rank::Fourth..=Rank::Sixth).contains(&rank)
        && (attacks::pawn_attacks(man.color.other(), man.square) & pawns(board, man.color)).any()
        && (ahead_beside(man.square, man.color) & pawns(board, man.color.other())).is_empty()
}
