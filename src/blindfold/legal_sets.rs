//! Where pieces may go: the right answers of the questions.

use std::collections::BTreeMap;

use shakmaty::{Chess, Position, Role, Square};

/// The legal moves of the pieces in a position, without pawns and without castling, as the authors' code has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegalSets {
    /// By the square where a move starts.
    moves: BTreeMap<Square, (Role, Vec<Square>)>,
}

impl LegalSets {
    /// Of the side to move.
    #[must_use]
    pub fn of(position: &Chess) -> Self {
        let mut moves: BTreeMap<Square, (Role, Vec<Square>)> = BTreeMap::new();
        for mv in position.legal_moves() {
            let Some(from) = mv.from().filter(|_| mv.role() != Role::Pawn && !mv.is_castle()) else {
                continue;
            };
            moves.entry(from).or_insert((mv.role(), Vec::new())).1.push(mv.to());
        }
        for (_, targets) in moves.values_mut() {
            targets.sort_unstable();
        }
        Self { moves }
    }

    /// Where the piece on `from` may go, in order; empty where none may move there.
    #[must_use]
    pub fn targets(&self, from: Square) -> &[Square] {
        self.moves.get(&from).map_or(&[], |(_, targets)| targets)
    }

    /// Where pieces of a type stand that may move, in order.
    #[must_use]
    pub fn starts(&self, role: Role) -> Vec<Square> {
        let of = self.moves.iter().filter(|(_, (own, _))| *own == role);
        of.map(|(from, _)| *from).collect()
    }

    /// What may move from a square.
    #[must_use]
    pub fn role(&self, from: Square) -> Option<Role> {
        self.moves.get(&from).map(|(role, _)| *role)
    }

    /// Every square from which a piece may move, in order.
    pub fn squares(&self) -> impl Iterator<Item = Square> {
        self.moves.keys().copied()
    }

    /// Every type of which a piece may move, knights first.
    #[must_use]
    pub fn types(&self) -> Vec<Role> {
        let all = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
        let movable = |role: &Role| self.moves.values().any(|(own, _)| own == role);
        all.into_iter().filter(movable).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{super::ply::replay, *};

    #[test]
    fn the_sets_are_table_2() {
        let position = replay("e2e4 e7e5 g1f3 b8c6 d2d4 h7h6").unwrap().position;
        let sets = LegalSets::of(&position);
        let texts = |squares: &[Square]| {
            let mut texts: Vec<String> = squares.iter().map(Square::to_string).collect();
            texts.sort();
            texts.join(" ")
        };
        assert_eq!(texts(sets.targets(Square::F1)), "a6 b5 c4 d3 e2");
        assert_eq!(texts(sets.targets(Square::F3)), "d2 e5 g1 g5 h4");
        assert_eq!(texts(&sets.starts(Role::Bishop)), "c1 f1");
        assert_eq!(texts(&sets.starts(Role::Knight)), "b1 f3");
        // "In Figure 1b only the rook at h1 can be moved."
        assert_eq!(sets.starts(Role::Rook), [Square::H1]);
        assert_eq!((sets.role(Square::E2), sets.role(Square::E4)), (None, None));
        let all = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
        assert_eq!(sets.types(), all);
    }

    #[test]
    fn castling_is_left_out() {
        let position = replay("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5").unwrap().position;
        assert!(position.legal_moves().iter().any(|mv| mv.is_castle()));
        assert_eq!(LegalSets::of(&position).targets(Square::E1), [Square::F1, Square::E2]);
    }
}
