//! King and pawn against king: who wins is known of every position, and so is which moves keep that.

use shakmaty::{Chess, Color, Move, Position, Rank, Square};

use super::bitbase::{self, Men};

/// A position of king and pawn against king and what it comes to with the best play of both. No win takes so long that
/// the fifty-move rule could matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kpk {
    /// The side with the pawn.
    pub side: Color,
    /// Where the pawn stands.
    pub pawn: Square,
    /// True when that side wins; otherwise it is a draw.
    pub wins: bool,
}

/// What `position` comes to; `None` where it isn't king and pawn against king.
#[must_use]
pub fn outcome(position: &Chess) -> Option<Kpk> {
    let (side, men) = men(position)?;
    Some(Kpk {
        side,
        pawn: men.pawn,
        wins: bitbase::wins(men.turned(side), position.turn() == side),
    })
}

/// True when `mv` keeps what the side to move has: the win, or the draw. `None` where it has nothing to keep (its
/// opponent wins), where the move isn't legal, and where it isn't king and pawn against king.
#[must_use]
pub fn keeps(position: &Chess, mv: Move) -> Option<bool> {
    let before = outcome(position)?;
    let attacking = position.turn() == before.side;
    if (before.wins && !attacking) || !position.is_legal(mv) {
        return None;
    }
    Some(wins_after(position, mv) == before.wins)
}

/// True when the side with the pawn wins after the legal move `mv`.
fn wins_after(position: &Chess, mv: Move) -> bool {
    if let (Some(role), Some((_, men))) = (mv.promotion(), men(position)) {
        return bitbase::promotion_wins(men.king, men.defender, mv.to(), role);
    }
    let mut next = position.clone();
    next.play_unchecked(mv);
    outcome(&next).is_some_and(|after| after.wins)
}

/// The side with the pawn, and the men.
fn men(position: &Chess) -> Option<(Color, Men)> {
    let board = position.board();
    let pawn = board.pawns().single_square()?;
    if board.occupied().count() != 3 || matches!(pawn.rank(), Rank::First | Rank::Eighth) {
        return None;
    }
    let side = board.color_at(pawn)?;
    let men = Men {
        pawn,
        king: board.king_of(side)?,
        defender: board.king_of(side.other())?,
    };
    Some((side, men))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::endings::boards::{mirrored, position};
    use shakmaty::{Bitboard, CastlingMode, FromSetup, Role, Setup};

    #[test]
    fn textbook_positions() {
        for (fen, wins) in [
            // The king on the sixth in front of its pawn wins, whoever is to move.
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", true),
            ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", true),
            // On the fifth it needs the opposition.
            ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", true),
            ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", false),
            // The pawn must reach the seventh without check.
            ("4k3/8/3KP3/8/8/8/8/8 w - - 0 1", true),
            ("4k3/8/3KP3/8/8/8/8/8 b - - 0 1", false),
            ("3k4/8/3KP3/8/8/8/8/8 w - - 0 1", false),
            ("3k4/8/3KP3/8/8/8/8/8 b - - 0 1", true),
            // Stalemate before the corner.
            ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", false),
            // A rook's pawn and the king before it.
            ("k7/8/K7/P7/8/8/8/8 w - - 0 1", false),
            ("2k5/8/8/8/P7/1K6/8/8 b - - 0 1", false),
            // The own king shut in before its pawn.
            ("K7/P1k5/8/8/8/8/8/8 w - - 0 1", false),
            // Nobody catches it.
            ("8/8/8/P6k/8/8/8/K7 w - - 0 1", true),
            ("8/8/8/P3k3/8/8/8/K7 w - - 0 1", true),
            ("8/8/8/P2k4/8/8/8/K7 w - - 0 1", false),
            ("8/8/8/P3k3/8/8/8/K7 b - - 0 1", false),
            // Black's pawn, seen from the other side.
            ("8/8/8/8/4p3/4k3/8/4K3 w - - 0 1", true),
            ("8/8/8/8/3pk3/8/8/3K4 w - - 0 1", false),
        ] {
            let kpk = outcome(&position(fen)).unwrap();
            assert_eq!(kpk.wins, wins, "{fen}");
            assert_eq!(kpk.side, if fen.contains('p') { Color::Black } else { Color::White });
        }
    }

    #[test]
    fn other_endings_are_not_it() {
        for fen in [
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/4P3/4P3/4K3 w - - 0 1",
            "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/R7/4K3 w - - 0 1",
        ] {
            assert_eq!(outcome(&position(fen)), None, "{fen}");
        }
    }

    #[test]
    fn one_move_keeps_what_others_give_away() {
        // Only straight back holds: then the king that comes forward is met face to face.
        let holds = position("8/4k3/4P3/4K3/8/8/8/8 b - - 0 1");
        let kept: Vec<String> = holds
            .legal_moves()
            .into_iter()
            .filter(|&m| keeps(&holds, m) == Some(true))
            .map(|m| m.to().to_string())
            .collect();
        assert_eq!(kept, ["e8"]);
        // A queen stalemates; so does a rook; the king steps away first.
        let wins = position("8/1P6/8/8/8/K7/8/k7 w - - 0 1");
        for m in wins.legal_moves() {
            let kept = m.role() == Role::King && !matches!(m.to(), Square::A2);
            assert_eq!(keeps(&wins, m), Some(kept), "{m}");
        }
        // The lost side has nothing to keep; an illegal move keeps nothing.
        let lost = position("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1");
        assert!(lost.legal_moves().into_iter().all(|m| keeps(&lost, m).is_none()));
        assert_eq!(keeps(&lost, wins.legal_moves()[0]), None);
    }

    /// A position, if it is legal; turned so that White has the extra man.
    fn placed(man: (Role, Square), king: Square, defender: Square, turn: Color) -> Option<Chess> {
        let mut setup = Setup::empty();
        if king == defender || king == man.1 || defender == man.1 {
            return None;
        }
        setup.board.set_piece_at(man.1, man.0.of(Color::White));
        setup.board.set_piece_at(king, Color::White.king());
        setup.board.set_piece_at(defender, Color::Black.king());
        setup.turn = turn;
        Chess::from_setup(setup, CastlingMode::Standard).ok()
    }

    /// The oracle: queen, rook and pawn against king by legal moves alone, mate being the only thing that is won to begin
    /// with. A knight, a bishop or no man at all never win. The man stands on the files a to d; others are mirrored.
    struct Oracle {
        next: Vec<Option<Vec<u32>>>,
        won: Vec<bool>,
    }

    const NEVER: u32 = u32::MAX;

    fn number(man: (Role, Square), king: Square, defender: Square, turn: Color) -> u32 {
        let role = match man.0 {
            Role::Pawn => 0,
            Role::Rook => 1,
            _ => 2,
        };
        let side = |square: Square| {
            if man.1.file() > shakmaty::File::D {
                square.flip_horizontal().to_u32()
            } else {
                square.to_u32()
            }
        };
        (((role * 64 + side(man.1)) * 64 + side(king)) * 64 + side(defender)) * 2 + u32::from(turn.is_white())
    }

    fn numbered(position: &Chess) -> u32 {
        let board = position.board();
        let Some(man) = board.occupied().without(board.kings()).single_square() else {
            return NEVER;
        };
        let role = board.role_at(man).unwrap();
        if matches!(role, Role::Knight | Role::Bishop) {
            return NEVER;
        }
        let king = |color| board.king_of(color).unwrap();
        number((role, man), king(Color::White), king(Color::Black), position.turn())
    }

    impl Oracle {
        fn new() -> Self {
            let mut next = vec![None; 3 * 64 * 64 * 64 * 2];
            let mut won = vec![false; next.len()];
            for role in [Role::Pawn, Role::Rook, Role::Queen] {
                let outside = if role == Role::Pawn {
                    Bitboard::BACKRANKS
                } else {
                    Bitboard::EMPTY
                };
                for man in Bitboard::WEST & !outside {
                    for king in Square::ALL {
                        for defender in Square::ALL {
                            for turn in Color::ALL {
                                let Some(position) = placed((role, man), king, defender, turn) else {
                                    continue;
                                };
                                let number = number((role, man), king, defender, turn) as usize;
                                let moves = position.legal_moves();
                                won[number] = moves.is_empty() && position.is_check();
                                let after = |m: &Move| {
                                    let mut after = position.clone();
                                    after.play_unchecked(*m);
                                    numbered(&after)
                                };
                                next[number] = Some(moves.iter().map(after).collect());
                            }
                        }
                    }
                }
            }
            let mut oracle = Self { next, won };
            while oracle.goes_round() {}
            oracle
        }

        fn goes_round(&mut self) -> bool {
            let mut changed = false;
            for number in 0..self.next.len() {
                let Some(next) = &self.next[number] else { continue };
                if self.won[number] {
                    continue;
                }
                let won = |&n: &u32| n != NEVER && self.won[n as usize];
                let white = number % 2 == 1;
                if (white && next.iter().any(won)) || (!white && !next.is_empty() && next.iter().all(won)) {
                    self.won[number] = true;
                    changed = true;
                }
            }
            changed
        }
    }

    #[test]
    fn agrees_with_play_by_legal_moves() {
        let oracle = Oracle::new();
        let mut seen = [[0_u32; 2]; 2];
        for pawn in Bitboard::WEST & !Bitboard::BACKRANKS {
            for king in Square::ALL {
                for defender in Square::ALL {
                    for turn in Color::ALL {
                        let number = number((Role::Pawn, pawn), king, defender, turn) as usize;
                        let Some(position) = placed((Role::Pawn, pawn), king, defender, turn) else {
                            let men = Men { pawn, king, defender };
                            assert!(!bitbase::wins(men, turn.is_white()), "{men:?}");
                            continue;
                        };
                        let wins = outcome(&position).unwrap().wins;
                        assert_eq!(wins, oracle.won[number], "{:?}", position.board());
                        seen[usize::from(turn.is_white())][usize::from(wins)] += 1;
                    }
                }
            }
        }
        // Draws and wins with Black to move, then with White to move.
        assert_eq!(seen, [[35_210, 48_802], [19_184, 62_480]]);
        only_kept_results_are_kept(&oracle);
    }

    /// What is kept is what the oracle has before and after the move.
    fn only_kept_results_are_kept(oracle: &Oracle) {
        for pawn in [Square::A5, Square::B7, Square::C2, Square::D4] {
            for king in Square::ALL {
                for defender in Square::ALL {
                    for turn in Color::ALL {
                        let Some(position) = placed((Role::Pawn, pawn), king, defender, turn) else {
                            continue;
                        };
                        let moves = position.legal_moves();
                        let won = |position: &Chess| {
                            let number = numbered(position);
                            number != NEVER && oracle.won[number as usize]
                        };
                        let before = won(&position);
                        for &m in &moves {
                            let mut after = position.clone();
                            after.play_unchecked(m);
                            let expected = (turn.is_white() || !before).then(|| won(&after) == before);
                            assert_eq!(keeps(&position, m), expected, "{:?} {m}", position.board());
                        }
                        // Something always keeps what there is to keep.
                        if (turn.is_white() || !before) && !moves.is_empty() {
                            assert!(moves.iter().any(|&m| keeps(&position, m) == Some(true)));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn mirrors_show_the_same() {
        for (pawn, king) in [
            (Square::B3, Square::C4),
            (Square::D5, Square::D6),
            (Square::A6, Square::B5),
        ] {
            for defender in Square::ALL {
                for turn in Color::ALL {
                    let Some(position) = placed((Role::Pawn, pawn), king, defender, turn) else {
                        continue;
                    };
                    let wins = outcome(&position).unwrap().wins;
                    for other in mirrored(&position) {
                        assert_eq!(outcome(&other).unwrap().wins, wins);
                    }
                }
            }
        }
    }
}
