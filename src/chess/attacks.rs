//! Who attacks whom: pseudo-legal attacks, so that a pinned piece still attacks. That is the textbook meaning and the
//! one that rules whether a king may step somewhere.

use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

use super::man::Man;

/// One man attacking an enemy man (the king included).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Attack {
    /// The attacker.
    pub by: Man,
    /// The enemy man it attacks.
    pub target: Man,
    /// True where the attacker is pinned to its king and the capture would leave the pin's line, so it is no legal one.
    pub pinned: bool,
}

/// Every attack of either side on an enemy man, White's first, by the attacker's square.
#[must_use]
pub fn all(board: &Board) -> Vec<Attack> {
    let mut found = Vec::new();
    for color in Color::ALL {
        for by in Man::all(board, board.by_color(color)) {
            let targets = board.attacks_from(by.square) & board.by_color(color.other());
            let line = pin_line(board, by.square);
            for target in Man::all(board, targets) {
                found.push(Attack {
                    by,
                    target,
                    pinned: line.is_some_and(|line| !line.contains(target.square)),
                });
            }
        }
    }
    found
}

/// `by`'s men that attack `square`, whoever stands on it. A side's attackers of its own man's square are its defenders.
#[must_use]
pub fn attackers(board: &Board, square: Square, by: Color) -> Bitboard {
    board.attacks_to(square, by, board.occupied())
}

/// The line a man is pinned to its own king on (through king and pinner and beyond); `None` when it isn't pinned.
#[must_use]
pub fn pin_line(board: &Board, square: Square) -> Option<Bitboard> {
    let color = board.color_at(square)?;
    let king = board.king_of(color)?;
    if king == square || !attacks::ray(king, square).any() {
        return None;
    }
    let without = board.occupied().without(square);
    let line = attacks::ray(king, square);
    let pinners = (attacks::rook_attacks(king, without) & board.rooks_and_queens())
        | (attacks::bishop_attacks(king, without) & board.bishops_and_queens());
    let pinner = (pinners & board.by_color(color.other()) & line)
        .into_iter()
        .find(|&pinner| {
            attacks::between(king, pinner).contains(square)
                && (attacks::between(king, pinner) & board.occupied()).count() == 1
        });
    pinner.map(|_| line)
}

/// Squares a slider of this role on `from` looks along, given what stands in the way; empty for the other pieces.
#[must_use]
pub fn slides(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Bishop => attacks::bishop_attacks(from, occupied),
        Role::Rook => attacks::rook_attacks(from, occupied),
        Role::Queen => attacks::queen_attacks(from, occupied),
        Role::Pawn | Role::Knight | Role::King => Bitboard::EMPTY,
    }
}

/// The next man behind `front` as the slider `by` sees it: same line, nothing else between.
#[must_use]
pub fn behind(board: &Board, by: Man, front: Square) -> Option<Man> {
    let through = slides(by.role, by.square, board.occupied().without(front));
    let line = attacks::ray(by.square, front);
    (through & board.occupied() & line)
        .into_iter()
        .find(|&square| attacks::between(by.square, square).contains(front))
        .and_then(|square| Man::at(board, square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;

    fn board(fen: &str) -> Board {
        fen.parse::<Fen>().expect("a FEN").into_setup().board
    }

    #[test]
    fn a_pinned_knight_attacks_but_is_marked() {
        let board = board("4k3/4n3/6P1/8/8/8/4R3/4K3 w - - 0 1");
        let found = all(&board);
        let knight = found
            .iter()
            .find(|a| a.by.square == Square::E7)
            .expect("the knight attacks g6");
        assert_eq!(knight.target.square, Square::G6);
        assert!(knight.pinned);
        let rook = found
            .iter()
            .find(|a| a.by.square == Square::E2)
            .expect("the rook attacks e7");
        assert!(!rook.pinned);
    }

    #[test]
    fn a_pinned_rook_may_take_its_pinner() {
        let board = board("4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1");
        assert!(all(&board).iter().all(|a| !a.pinned));
        assert!(pin_line(&board, Square::E7).is_some() && pin_line(&board, Square::E2).is_some());
    }
}
