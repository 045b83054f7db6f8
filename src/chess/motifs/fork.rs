//! Forks: one man attacks two or more that can't all be saved.

use shakmaty::{Board, Role, Square};

use crate::chess::{exchange, man::Man};

/// A man attacking two or more enemy men, each worth attacking.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fork {
    /// The forking man.
    pub by: Man,
    /// The king, and pieces whose capture would win material; dearest first, two or more.
    pub targets: Vec<Man>,
}

/// The fork `by` makes, its opponent being to move: its targets are the king and pieces (no pawns) whose capture by it
/// would win material, and no capture of the forking man comes without loss. `en_passant`
/// as in [`exchange::best_capture`].
#[must_use]
pub fn fork(board: &Board, by: Man, en_passant: Option<Square>) -> Option<Fork> {
    let enemy = by.color.other();
    let mut targets: Vec<Man> = Man::all(board, board.attacks_from(by.square) & board.by_color(enemy))
        .into_iter()
        .filter(|target| target.role != Role::Pawn)
        .filter(|target| {
            target.role == Role::King || exchange::gain_by(board, by, target.square).is_some_and(|gain| gain > 0)
        })
        .collect();
    targets.sort_by_key(|target| std::cmp::Reverse(target.value()));
    if targets.len() < 2 {
        return None;
    }
    let answered = exchange::best_capture(board, enemy, by.square, en_passant).is_some_and(|e| e.gain >= 0);
    (!answered).then_some(Fork { by, targets })
}
