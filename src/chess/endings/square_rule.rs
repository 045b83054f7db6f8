//! The rule of the square: whether a king alone catches a passed pawn that runs.
//!
//! Squares are not measured; the race is run. The pawn goes forward with every move of its side, by two where it may and
//! wants to; the king goes wherever it may. Where pawns beside the race could make a difference, nothing is said.

use shakmaty::{Bitboard, Chess, Color, Position, Rank, Square, attacks};

use super::opposition::kings_and_pawns;
use crate::chess::{man::Man, pawns};

/// A passed pawn that runs, and whether the king catches it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Race {
    /// The pawn.
    pub pawn: Man,
    /// True when the king takes it, at the latest on the square where it promotes, or stands in its way. What the pawn's
    /// own king could do in the meantime by leaving the pawn alone is not asked. False: nothing stops the pawn.
    pub caught: bool,
    /// The moves the pawn needs to promote.
    pub moves: u32,
}

/// The race of the passed pawn on `square` against the other side's king. `None` where there are other men than kings
/// and pawns, where the pawn isn't passed, where a man of its own stands in its way, where its side is in check, and
/// where another pawn or a stalemate could matter.
#[must_use]
pub fn race(position: &Chess, square: Square) -> Option<Race> {
    let board = position.board();
    let pawn = Man::at(board, square)?;
    let path = pawns::ahead(square, pawn.color);
    if !kings_and_pawns(board)
        || !pawns::passed(board, pawn.color).contains(square)
        || (path & board.by_color(pawn.color)).any()
        || (position.turn() == pawn.color && position.is_check())
    {
        return None;
    }
    let moves = moves_to_promote(pawn);
    if others_matter(position, pawn.color, moves) {
        return None;
    }
    // The king at its best and at its worst; with the same end, it is certain.
    let free = Run::new(position, pawn, Others::Ignored)?;
    let hindered = Run::new(position, pawn, Others::InTheWay)?;
    let caught = free.caught();
    (caught == hindered.caught()).then_some(Race { pawn, caught, moves })
}

/// Every race that can be decided, in the order of the pawns' squares.
#[must_use]
pub fn races(position: &Chess) -> Vec<Race> {
    let pawns = position.board().pawns();
    pawns.into_iter().filter_map(|square| race(position, square)).collect()
}

fn moves_to_promote(pawn: Man) -> u32 {
    let rank = pawn.color.relative_rank(pawn.square.rank());
    Rank::Eighth.to_u32() - rank.max(Rank::Third).to_u32()
}

/// True when a pawn against `runner` could do something while its pawn needs `moves` moves: promote, or meet a man on
/// its way. A pawn that stands head to head with an enemy pawn stays there.
fn others_matter(position: &Chess, runner: Color, moves: u32) -> bool {
    let board = position.board();
    let enemies = board.by_color(runner);
    Man::all(board, board.by_piece(runner.other().pawn()))
        .into_iter()
        .any(|pawn| {
            let ahead = pawns::ahead(pawn.square, pawn.color);
            let next = ahead & attacks::king_attacks(pawn.square);
            let takes = attacks::pawn_attacks(pawn.color, pawn.square);
            if (next & board.by_piece(runner.pawn())).any() {
                return (takes & enemies).any();
            }
            let beside = [-1, 1]
                .into_iter()
                .filter_map(|d| pawn.square.file().offset(d))
                .fold(Bitboard::EMPTY, |b, file| {
                    b | pawns::ahead(Square::from_coords(file, pawn.square.rank()), pawn.color)
                });
            moves_to_promote(pawn) <= moves + 1 || (beside & enemies).any()
        })
}

/// What the pawns beside the race do to the king that runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Others {
    /// Nothing, and the king may wait while its pawns move.
    Ignored,
    /// They stand where they stand and guard what they guard, and the king has to move.
    InTheWay,
}

struct Run {
    pawn: Man,
    king: Square,
    /// Where the king may not go.
    barred: Bitboard,
    /// The defender has pawns to move instead.
    waits: bool,
    /// A king that can't move counts as saved, as it may be by stalemate.
    generous: bool,
    /// The defender is to move.
    first: bool,
}

impl Run {
    fn new(position: &Chess, pawn: Man, others: Others) -> Option<Self> {
        let board = position.board();
        let defender = pawn.color.other();
        let mut barred = attacks::king_attacks(board.king_of(pawn.color)?);
        if others == Others::InTheWay {
            barred |= board.by_piece(defender.pawn());
            for other in board.by_piece(pawn.color.pawn()).without(pawn.square) {
                barred |= attacks::pawn_attacks(pawn.color, other);
            }
        }
        Some(Self {
            pawn,
            king: board.king_of(defender)?,
            barred,
            generous: others == Others::Ignored,
            waits: others == Others::Ignored && board.by_piece(defender.pawn()).any(),
            first: position.turn() == defender,
        })
    }

    /// True when the king catches the pawn, whether it begins with one step or with two.
    fn caught(&self) -> bool {
        let mut kings = Bitboard::from_square(self.king);
        if self.first {
            if self.stuck(kings, self.pawn.square) {
                return true;
            }
            kings = self.steps(kings, self.pawn.square);
            if kings.contains(self.pawn.square) {
                return true;
            }
        }
        let doubles = self.pawn.color.relative_rank(self.pawn.square.rank()) == Rank::Second;
        self.caught_from(self.pawn.square, kings, 1) && (!doubles || self.caught_from(self.pawn.square, kings, 2))
    }

    /// The same with the pawn to move from `square`, by `by` steps, and the king on any of `kings`.
    fn caught_from(&self, square: Square, kings: Bitboard, by: i32) -> bool {
        let step = |square: Square| square.offset(self.pawn.color.fold_wb(8, -8));
        let Some(mut to) = step(square) else { return true };
        if kings.contains(to) {
            return true;
        }
        if by == 2 {
            let Some(further) = step(to) else { return true };
            if kings.contains(further) {
                return true;
            }
            to = further;
        }
        let promotes = self.pawn.color.relative_rank(to.rank()) == Rank::Eighth;
        let stuck = !promotes && self.stuck(kings, to);
        let kings = self.steps(kings, to);
        stuck || kings.contains(to) || (!promotes && self.caught_from(to, kings, 1))
    }

    /// True where stalemate is to be counted and some king of `kings` has nowhere to go.
    fn stuck(&self, kings: Bitboard, pawn: Square) -> bool {
        self.generous && kings.into_iter().any(|king| self.steps(king.into(), pawn).is_empty())
    }

    /// Where the king can be after its move, the pawn standing on `pawn`.
    fn steps(&self, kings: Bitboard, pawn: Square) -> Bitboard {
        let reached = kings
            .into_iter()
            .fold(Bitboard::EMPTY, |reached, king| reached | attacks::king_attacks(king));
        let stays = if self.waits { kings } else { Bitboard::EMPTY };
        (reached | stays) & !self.barred & !attacks::pawn_attacks(self.pawn.color, pawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::endings::{
        boards::{mirrored, position},
        kpk,
    };
    use shakmaty::{CastlingMode, FromSetup, Setup};

    fn caught(fen: &str) -> Option<bool> {
        let position = position(fen);
        let pawn = position.board().by_piece(Color::White.pawn()).first().unwrap();
        race(&position, pawn).map(|race| race.caught)
    }

    #[test]
    fn textbook_squares() {
        for (fen, expected) in [
            ("8/8/8/P2k4/8/8/8/7K w - - 0 1", Some(true)),
            ("8/8/8/P3k3/8/8/8/7K w - - 0 1", Some(false)),
            ("8/8/8/P3k3/8/8/8/7K b - - 0 1", Some(true)),
            ("8/8/8/P4k2/8/8/8/7K b - - 0 1", Some(false)),
            // From the second rank the pawn runs as from the third.
            ("8/8/8/8/6k1/8/P7/7K w - - 0 1", Some(false)),
            ("8/8/8/8/5k2/8/P7/7K w - - 0 1", Some(true)),
            // A king in front stops it.
            ("8/8/k7/8/P7/8/8/7K w - - 0 1", Some(true)),
            // The pawn's king bars the way.
            ("8/8/8/PK1k4/8/8/8/8 w - - 0 1", Some(false)),
            // It stands in the pawn's way.
            ("8/8/K7/P2k4/8/8/8/8 w - - 0 1", None),
            // Pawns far from it all, head to head.
            ("8/8/8/P3k1pp/6PP/8/8/7K w - - 0 1", None),
            ("8/8/7p/P4k1P/8/8/8/7K w - - 0 1", Some(false)),
            // A pawn that promotes in time, and one that would give check.
            ("8/8/8/P4k2/8/8/7p/K7 w - - 0 1", None),
            ("8/8/8/P4k2/7p/8/8/6K1 w - - 0 1", None),
            // Not passed.
            ("8/1p6/8/P4k2/8/8/8/7K w - - 0 1", None),
        ] {
            assert_eq!(caught(fen), expected, "{fen}");
        }
    }

    #[test]
    fn a_pawn_in_the_kings_own_way_leaves_it_open() {
        // Alone, the king would be in time; its own pawn and the guarded squares hold it up.
        let passed = |fen| race(&position(fen), Square::A5).map(|race| race.caught);
        assert_eq!(passed("8/8/8/P2k4/8/8/8/7K w - - 0 1"), Some(true));
        assert_eq!(passed("8/8/2p5/P1Pk4/8/8/8/7K w - - 0 1"), None);
    }

    fn placed(pawn: Square, king: Square, defender: Square, turn: Color) -> Option<Chess> {
        let mut setup = Setup::empty();
        if pawn == king || king == defender || pawn == defender {
            return None;
        }
        setup.board.set_piece_at(pawn, Color::White.pawn());
        setup.board.set_piece_at(king, Color::White.king());
        setup.board.set_piece_at(defender, Color::Black.king());
        setup.turn = turn;
        Chess::from_setup(setup, CastlingMode::Standard).ok()
    }

    #[test]
    fn an_uncaught_pawn_wins_and_the_measured_square_agrees() {
        let (mut raced, mut far, mut silent) = (0, 0, 0);
        for pawn in [Square::A2, Square::C2, Square::B3, Square::D5, Square::B7] {
            for king in Square::ALL {
                for defender in Square::ALL {
                    for turn in Color::ALL {
                        let Some(position) = placed(pawn, king, defender, turn) else {
                            continue;
                        };
                        let Some(race) = race(&position, pawn) else {
                            silent += u32::from(!pawns::ahead(pawn, Color::White).contains(king));
                            continue;
                        };
                        raced += 1;
                        if !race.caught {
                            assert!(kpk::outcome(&position).unwrap().wins, "{:?}", position.board());
                        }
                        let goal = Square::from_coords(pawn.file(), Rank::Eighth);
                        let inside = defender.distance(goal) <= race.moves + u32::from(turn.is_black());
                        // Beside the pawn, a king that is to move takes it from behind too.
                        let beside = turn.is_black() && defender.distance(pawn) == 1;
                        assert!(inside || beside || !race.caught, "{:?}", position.board());
                        // A king far behind bars nobody's way.
                        if king == Square::H1 && defender.rank() > Rank::Third {
                            far += 1;
                            assert_eq!(race.caught, inside || beside, "{:?} {turn}", position.board());
                        }
                        if king == Square::E4 {
                            let shown = mirrored(&position).map(|other| races(&other));
                            assert!(shown.iter().all(|r| r.len() == 1 && r[0].caught == race.caught));
                        }
                    }
                }
            }
        }
        // Possible stalemates are few.
        assert!(
            raced > 20_000 && far > 200 && silent < raced / 100,
            "{raced} {far} {silent}"
        );
    }
}
