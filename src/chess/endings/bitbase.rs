//! Every position of king and pawn against king, worked out backwards from promotion.
//!
//! A pawn never goes back, so its squares are solved from the seventh rank down to the second, each by going round until
//! nothing changes. The pawn is White's and stands on the files a to d: the other half of the board is its mirror image.
//! A position is a bit of a [`Bitboard`]: the squares of the defending king from which it is lost. That makes 24 KiB.

use std::sync::OnceLock;

use shakmaty::{Bitboard, Color, File, Rank, Role, Square, attacks};

/// The men as the table wants them: the pawn White's and on the files a to d.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Men {
    /// The pawn.
    pub pawn: Square,
    /// The king beside the pawn.
    pub king: Square,
    /// The king against it.
    pub defender: Square,
}

impl Men {
    /// Men seen in the mirror, or in both, until they stand as the table wants them. `side` has the pawn.
    pub(super) fn turned(self, side: Color) -> Self {
        let upright = side.fold_wb(self, self.each(Square::flip_vertical));
        if upright.pawn.file() > File::D {
            upright.each(Square::flip_horizontal)
        } else {
            upright
        }
    }

    fn each(self, flip: impl Fn(Square) -> Square) -> Self {
        Self {
            pawn: flip(self.pawn),
            king: flip(self.king),
            defender: flip(self.defender),
        }
    }
}

/// For one square of the pawn and each square of its king: where the defending king is lost.
#[derive(Clone, Copy)]
struct Lost {
    /// The pawn's side to move.
    attacking: [Bitboard; 64],
    /// The defender to move.
    defending: [Bitboard; 64],
}

const NOTHING: Lost = Lost {
    attacking: [Bitboard::EMPTY; 64],
    defending: [Bitboard::EMPTY; 64],
};

/// True when White, who has the pawn, wins. `attacking` says that White is to move. Men that can't stand so are not lost.
pub(super) fn wins(men: Men, attacking: bool) -> bool {
    static TABLE: OnceLock<Box<[Lost; 24]>> = OnceLock::new();
    let lost = &TABLE.get_or_init(table)[index(men.pawn)];
    let by_king = if attacking { &lost.attacking } else { &lost.defending };
    by_king[men.king.to_usize()].contains(men.defender)
}

fn index(pawn: Square) -> usize {
    (pawn.rank().to_usize() - 1) * 4 + pawn.file().to_usize()
}

fn table() -> Box<[Lost; 24]> {
    let mut table = Box::new([NOTHING; 24]);
    for rank in Rank::ALL[1..7].iter().rev() {
        for file in &File::ALL[..4] {
            let pawn = Square::from_coords(*file, *rank);
            let pushes = pushes(&table, pawn);
            table[index(pawn)] = solved(pawn, &pushes);
        }
    }
    table
}

/// For each square of the king: where a defending king is lost because the pawn moves. Squares on which it can't stand
/// may be among them.
fn pushes(table: &[Lost; 24], pawn: Square) -> [Bitboard; 64] {
    let mut lost = [Bitboard::EMPTY; 64];
    let Some(front) = pawn.offset(8) else { return lost };
    for king in Square::ALL.into_iter().filter(|&king| king != front && king != pawn) {
        lost[king.to_usize()] = if front.rank() == Rank::Eighth {
            (!attacks::king_attacks(king))
                .into_iter()
                .filter(|&defender| defender != front && defender != king && defender != pawn)
                .filter(|&defender| {
                    [Role::Queen, Role::Rook]
                        .into_iter()
                        .any(|role| promotion_wins(king, defender, front, role))
                })
                .collect()
        } else {
            let twice = front.offset(8).filter(|_| pawn.rank() == Rank::Second);
            let further = twice.map_or(Bitboard::EMPTY, |twice| {
                table[index(twice)].defending[king.to_usize()].without(front)
            });
            table[index(front)].defending[king.to_usize()] | further
        };
    }
    lost
}

/// True when a pawn that has just become a queen or a rook on `on` wins: nobody takes it and the bare king, which is to
/// move, isn't stalemated.
pub(super) fn promotion_wins(king: Square, defender: Square, on: Square, role: Role) -> bool {
    let guarded = attacks::king_attacks(king);
    let taken = attacks::king_attacks(defender).contains(on) && !guarded.contains(on);
    // The defender moves away along a line that it leaves open behind it.
    let covered = attacks::attacks(on, role.of(Color::White), Bitboard::from_square(king));
    let flights = attacks::king_attacks(defender) & !guarded & !covered;
    matches!(role, Role::Queen | Role::Rook) && !taken && (flights.any() || covered.contains(defender))
}

fn solved(pawn: Square, pushes: &[Bitboard; 64]) -> Lost {
    let checks = attacks::pawn_attacks(Color::White, pawn);
    let mut lost = NOTHING;
    loop {
        let mut changed = false;
        for king in Square::ALL.into_iter().filter(|&king| king != pawn) {
            let near = attacks::king_attacks(king);
            let free = !near.with(king).with(pawn);
            let at = king.to_usize();

            let walks = near
                .without(pawn)
                .into_iter()
                .fold(Bitboard::EMPTY, |lost_by, to| lost_by | lost.defending[to.to_usize()]);
            lost.attacking[at] = (walks | pushes[at]) & free & !checks;

            // The defender's squares to go to; with the pawn on them, it is taken.
            let open = free & !checks;
            let takes = Bitboard::from_square(pawn) & !near;
            let saves = (open & !lost.attacking[at]) | takes;
            let defending = beside(open) & !beside(saves) & free;
            changed |= defending != lost.defending[at];
            lost.defending[at] = defending;
        }
        if !changed {
            return lost;
        }
    }
}

/// The squares a king's step away from some square of `squares`.
fn beside(squares: Bitboard) -> Bitboard {
    let east = |b: Bitboard| b.shift(1) & !Bitboard::from_file(File::A);
    let west = |b: Bitboard| b.shift(-1) & !Bitboard::from_file(File::H);
    let row = squares | east(squares) | west(squares);
    row.shift(8) | row.shift(-8) | east(squares) | west(squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beside_is_what_kings_reach() {
        for square in Square::ALL {
            assert_eq!(beside(Bitboard::from_square(square)), attacks::king_attacks(square));
        }
    }

    #[test]
    fn a_promotion_must_not_be_taken_nor_stalemate() {
        use Square::{A1, A3, A8, B2, B8, C6, C7, D7, E7, F7, H8};
        for (king, defender, on, role, wins) in [
            (C6, E7, B8, Role::Queen, true),
            (C6, A8, B8, Role::Queen, false),
            (C7, A8, B8, Role::Queen, true),
            (F7, H8, B8, Role::Rook, true),
            (A3, A1, B8, Role::Rook, false),
            (A3, A1, B8, Role::Queen, false),
            (B2, D7, B8, Role::Knight, false),
        ] {
            assert_eq!(promotion_wins(king, defender, on, role), wins, "{king} {defender} {on}");
        }
    }
}
