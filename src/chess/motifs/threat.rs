//! What a side would do if it were to move: men it can win, mate in one.

use shakmaty::{Chess, Color, EnPassantMode, Move, Position, Role};

use crate::chess::{
    exchange::{self, Exchange},
    man::Man,
};

/// A man that can be won by captures on its square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hanging {
    /// The man that hangs.
    pub target: Man,
    /// The man that takes it first.
    pub by: Man,
    /// What the exchange wins, in pawns; above 0.
    pub gain: i32,
    /// True where the other side protects it: then it is lost to something cheaper or in numbers.
    pub protected: bool,
}

/// `victim`'s men that the other side would win by capturing, as if the other side were to move; dearest gain first.
/// This is by static exchange on each man's square alone: it knows no counter-threats.
#[must_use]
pub fn hanging(pos: &Chess, victim: Color) -> Vec<Hanging> {
    let board = pos.board();
    let en_passant = if pos.turn() == victim {
        None
    } else {
        pos.ep_square(EnPassantMode::Legal)
    };
    let mut found: Vec<Hanging> = Man::all(board, board.by_color(victim))
        .into_iter()
        .filter(|target| target.role != Role::King)
        .filter_map(|target| {
            let Exchange { by, gain } = exchange::best_capture(board, victim.other(), target.square, en_passant)?;
            let protected = board
                .attacks_to(target.square, victim, board.occupied().without(by.square))
                .any();
            (gain > 0).then_some(Hanging {
                target,
                by,
                gain,
                protected,
            })
        })
        .collect();
    found.sort_by_key(|h| std::cmp::Reverse(h.gain));
    found
}

/// The position with the other side to move. `None` in check, where passing would be illegal.
#[must_use]
pub fn passed_turn(pos: &Chess) -> Option<Chess> {
    if pos.is_check() {
        None
    } else {
        pos.clone().swap_turn().ok()
    }
}

/// The mate that the side which just moved threatens to give next.
#[must_use]
pub fn mate_threat(pos: &Chess) -> Option<Move> {
    super::mate::mate_in_one(&passed_turn(pos)?)
}
