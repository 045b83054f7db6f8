//! The opposition: kings that face each other, where the one that must move gives way.

use shakmaty::{Board, Chess, Color, Position, attacks};

/// How far apart the kings are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reach {
    /// One square between them.
    Direct,
    /// Three or five squares between them.
    Distant,
}

/// Kings on one file or rank with an odd number of squares between them, all of them empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Opposition {
    /// The side that has it: the one that isn't to move.
    pub by: Color,
    /// How far apart the kings are.
    pub reach: Reach,
}

/// Who has the opposition; `None` where the kings don't stand so, where a king is in check, and where there is anything
/// else than kings and pawns on the board, or no pawn. That a side has it says nothing yet of what it is good for.
#[must_use]
pub fn opposition(position: &Chess) -> Option<Opposition> {
    let board = position.board();
    if !kings_and_pawns(board) || position.is_check() {
        return None;
    }
    let by = position.turn().other();
    let (ours, theirs) = (board.king_of(by)?, board.king_of(by.other())?);
    let facing = ours.file() == theirs.file() || ours.rank() == theirs.rank();
    let between = attacks::between(ours, theirs);
    if !facing || (between & board.occupied()).any() {
        return None;
    }
    let reach = match between.count() {
        1 => Reach::Direct,
        3 | 5 => Reach::Distant,
        _ => return None,
    };
    Some(Opposition { by, reach })
}

/// True when there is nothing but kings and at least one pawn on the board.
pub(super) fn kings_and_pawns(board: &Board) -> bool {
    board.pawns().any() && board.occupied() == board.pawns() | board.kings()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::endings::boards::{mirrored, position, turned};

    #[test]
    fn kings_face_each_other() {
        for (fen, expected) in [
            ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", Some((Color::White, Reach::Direct))),
            ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", Some((Color::Black, Reach::Direct))),
            ("8/8/8/2k1K3/8/4P3/8/8 w - - 0 1", Some((Color::Black, Reach::Direct))),
            ("4k3/8/8/8/4K3/8/P7/8 w - - 0 1", Some((Color::Black, Reach::Distant))),
            ("8/8/8/8/8/8/P7/k5K1 b - - 0 1", Some((Color::White, Reach::Distant))),
            // Two squares between, and not on one line.
            ("8/4k3/8/8/4K3/8/4P3/8 w - - 0 1", None),
            ("8/3k4/8/4K3/8/4P3/8/8 w - - 0 1", None),
            // On a diagonal.
            ("8/8/2k5/8/4K3/8/4P3/8 w - - 0 1", None),
            // A pawn between them.
            ("8/8/4k3/4P3/4K3/8/8/8 w - - 0 1", None),
            // Other men, or none.
            ("8/4k3/8/4K3/4P3/8/8/N7 b - - 0 1", None),
            ("8/4k3/8/4K3/8/8/8/8 b - - 0 1", None),
            // A check is answered first.
            ("8/4k3/3P4/4K3/8/8/8/8 b - - 0 1", None),
        ] {
            let found = opposition(&position(fen));
            assert_eq!(found.map(|o| (o.by, o.reach)), expected, "{fen}");
        }
    }

    #[test]
    fn mirrors_and_turns_exchange_it() {
        for fen in [
            "8/4k3/8/4K3/4P3/8/8/8 b - - 0 1",
            "8/8/8/2k1K3/8/4P3/8/8 w - - 0 1",
            "4k3/8/8/8/4K3/8/P7/8 w - - 0 1",
            "4k3/8/8/8/4K3/8/P6p/8 b - - 0 1",
        ] {
            let shown = position(fen);
            let Opposition { by, reach } = opposition(&shown).unwrap();
            let [files, both, sides] = mirrored(&shown).map(|other| opposition(&other).unwrap());
            assert_eq!(files, Opposition { by, reach });
            assert_eq!(both, Opposition { by: by.other(), reach });
            assert_eq!(sides, both);
            let turned = opposition(&turned(&shown).unwrap()).unwrap();
            assert_eq!(turned, both, "{fen}");
        }
    }
}
