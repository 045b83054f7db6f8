//! What a side would do if it were to move: men it can win, mate in one.

use shakmaty::{Chess, Color, EnPassantMode, Move, Position, Role};

use crate::chess::{
    exchange::{self, Exchange},
    man::Man,
    material::value,
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
/// This is by static exchange on each man's square alone: it knows no counter-threats. That the victim is in check makes
/// nothing hang that it protects.
#[must_use]
pub fn hanging(pos: &Chess, victim: Color) -> Vec<Hanging> {
    let board = pos.board();
    let en_passant = if pos.turn() == victim {
        None
    } else {
        pos.ep_square(EnPassantMode::Legal)
    };
    let in_check = board
        .king_of(victim)
        .is_some_and(|king| board.attacks_to(king, victim.other(), board.occupied()).any());
    let mut found: Vec<Hanging> = Man::all(board, board.by_color(victim))
        .into_iter()
        .filter(|target| target.role != Role::King)
        .filter_map(|target| {
            let Exchange { by, gain } = exchange::best_capture(board, victim.other(), target.square, en_passant)?;
            let protected = board
                .attacks_to(target.square, victim, board.occupied().without(by.square))
                .any();
            // A side in check can take nothing back now, and can when the check is over.
            let taken_back = in_check && protected && value(by.role) >= value(target.role);
            (gain > 0 && !taken_back).then_some(Hanging {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::fen::read_fen;

    fn hanging_men(fen: &str) -> Vec<String> {
        let position = read_fen(fen).unwrap().position;
        let found = hanging(&position, position.turn());
        found.iter().map(|hanging| hanging.target.square.to_string()).collect()
    }

    #[test]
    fn check_makes_nothing_hang_that_is_protected() {
        // The bishop on g3 gives check, and the pawn on a4 protects b5.
        assert!(!hanging_men("4k3/1R3r2/1p2p3/1Pp5/P2nR3/2P3b1/8/4K3 w - - 1 49").contains(&"b5".to_owned()));
        // Without the pawn on a4 nothing does.
        assert!(hanging_men("4k3/1R3r2/1p2p3/1Pp5/3nR3/2P3b1/8/4K3 w - - 1 49").contains(&"b5".to_owned()));
        // A check by the knight that takes a protected rook, which is worth more.
        assert_eq!(hanging_men("4k3/8/8/8/8/5n2/3R4/3QK3 w - - 0 1"), ["d2"]);
    }
}
