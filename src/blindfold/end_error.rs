//! What is wrong with an answer of the End tasks that is not legal (section 6 of the paper).

use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Chess, Color, Position, Rank, Role, Square, attacks};

/// The kinds, in the order in which they are looked for: the first that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndError {
    /// Not a square, or one to which nothing of any type goes from there, whatever stands on the board.
    Unreachable,
    /// Not one to which this type goes, even on an empty board. Castling is among them: the paper's sets leave it out.
    Syntax,
    /// Something stands in the way, or a piece of one's own on the square.
    PathObstruction,
    /// The own king would be in check.
    PseudoLegal,
}

impl EndError {
    /// All, in the order above.
    pub const ALL: [Self; 4] = [
        Self::Unreachable,
        Self::Syntax,
        Self::PathObstruction,
        Self::PseudoLegal,
    ];

    /// For tables.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Unreachable => "Unreachable",
            Self::Syntax => "Syntax",
            Self::PathObstruction => "Path obstruction",
            Self::PseudoLegal => "Pseudo-legal",
        }
    }

    /// The kind of an answer that is known not to be legal: what stands on `from` does not go to `answer`. `None` as an answer is
    /// one that is no square.
    #[must_use]
    pub fn of(position: &Chess, from: Square, answer: Option<Square>) -> Self {
        let board = position.board();
        let Some((to, piece)) = answer.zip(board.piece_at(from)) else {
            return Self::Unreachable;
        };
        // A pawn's and a king's squares are among a queen's.
        let any = attacks::queen_attacks(from, Bitboard::EMPTY) | attacks::knight_attacks(from);
        if !any.contains(to) {
            return Self::Unreachable;
        }
        let own = match piece.role {
            Role::Pawn => pawn_squares(piece.color, from),
            _ => attacks::attacks(from, piece, Bitboard::EMPTY),
        };
        if !own.contains(to) {
            return Self::Syntax;
        }
        let occupied = board.occupied();
        let open = match piece.role {
            Role::Pawn if from.file() == to.file() => {
                let between = attacks::between(from, to).with(to);
                (between & occupied).is_empty()
            }
            Role::Pawn => board.by_color(!piece.color).contains(to) || position.maybe_ep_square() == Some(to),
            _ => {
                let reached = attacks::attacks(from, piece, occupied);
                reached.contains(to) && !board.by_color(piece.color).contains(to)
            }
        };
        if open { Self::PseudoLegal } else { Self::PathObstruction }
    }
}

/// Where a pawn may ever go from there.
fn pawn_squares(color: Color, from: Square) -> Bitboard {
    let (step, second) = color.fold_wb((8, Rank::Second), (-8, Rank::Seventh));
    let mut squares = attacks::pawn_attacks(color, from);
    squares.extend(from.offset(step));
    if from.rank() == second {
        squares.extend(from.offset(2 * step));
    }
    squares
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, File, fen::Fen};

    use super::{
        super::{legal_sets::LegalSets, ply::Ply, random_game::random_game, token::Token},
        *,
    };

    fn kind(fen: &str, from: Square, to: Square) -> EndError {
        let position: Chess = fen
            .parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap();
        assert!(!LegalSets::of(&position).targets(from).contains(&to));
        EndError::of(&position, from, Some(to))
    }

    #[test]
    fn the_kinds_are_the_papers() {
        // A bishop on e4 whose way to b7 a pawn on c6 blocks, as in figure 3b.
        let fen = "4k3/1p6/2P5/8/4B3/8/8/4K3 w - - 0 1";
        assert_eq!(kind(fen, Square::E4, Square::B7), EndError::PathObstruction);
        assert_eq!(
            kind(fen, Square::E4, Square::C6),
            EndError::PathObstruction,
            "its own pawn"
        );
        assert_eq!(kind(fen, Square::E4, Square::E5), EndError::Syntax);
        assert_eq!(kind(fen, Square::E4, Square::F6), EndError::Syntax, "a knight could");
        assert_eq!(kind(fen, Square::E4, Square::A5), EndError::Unreachable);
        assert_eq!(kind(fen, Square::E4, Square::E4), EndError::Unreachable);
        // A rook on the file pins the bishop.
        let pinned = "4r1k1/8/8/8/4B3/8/8/4K3 w - - 0 1";
        assert_eq!(kind(pinned, Square::E4, Square::D5), EndError::PseudoLegal);
        // Castling, which the rules allow and the paper's sets leave out.
        let castles = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        assert_eq!(kind(castles, Square::E1, Square::G1), EndError::Syntax);
        let position = Chess::default();
        assert_eq!(EndError::of(&position, Square::G1, None), EndError::Unreachable);
        assert_eq!(
            EndError::of(&position, Square::G1, Some(Square::E2)),
            EndError::PathObstruction
        );
    }

    /// By walking over the board square by square, without any table of attacks.
    mod by_walking {
        use super::*;

        fn step(square: Square, file: i32, rank: i32) -> Option<Square> {
            let file = square.file().to_u32() as i32 + file;
            let rank = square.rank().to_u32() as i32 + rank;
            let on = (0..8).contains(&file) && (0..8).contains(&rank);
            on.then(|| Square::from_coords(File::new(file as u32), Rank::new(rank as u32)))
        }

        fn goes(role: Role, files: i32, ranks: i32) -> bool {
            let (wide, high) = (files.abs(), ranks.abs());
            let straight = (wide == 0) != (high == 0);
            let slanted = wide == high && wide > 0;
            match role {
                Role::Knight => wide.min(high) == 1 && wide.max(high) == 2,
                Role::Bishop => slanted,
                Role::Rook => straight,
                Role::Queen => straight || slanted,
                Role::King => wide.max(high) == 1,
                Role::Pawn => false,
            }
        }

        pub fn kind(position: &Chess, from: Square, to: Option<Square>) -> Option<EndError> {
            let board = position.board();
            let piece = board.piece_at(from).unwrap();
            let Some(to) = to else {
                return Some(EndError::Unreachable);
            };
            let files = to.file().to_u32() as i32 - from.file().to_u32() as i32;
            let ranks = to.rank().to_u32() as i32 - from.rank().to_u32() as i32;
            let pieces = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
            if !pieces.iter().any(|role| goes(*role, files, ranks)) {
                return Some(EndError::Unreachable);
            }
            if !goes(piece.role, files, ranks) {
                return Some(EndError::Syntax);
            }
            let own = board.piece_at(to).is_some_and(|other| other.color == piece.color);
            let mut blocked = own;
            if piece.role != Role::Knight {
                let mut at = from;
                loop {
                    at = step(at, files.signum(), ranks.signum()).unwrap();
                    if at == to {
                        break;
                    }
                    blocked |= board.piece_at(at).is_some();
                }
            }
            if blocked {
                return Some(EndError::PathObstruction);
            }
            // Moved by hand: does anything of the other side's reach the king?
            let mut after = board.clone();
            after.discard_piece_at(from);
            after.set_piece_at(to, piece);
            let king = after.king_of(piece.color).unwrap();
            let attacked = Square::ALL.iter().any(|square| {
                let Some(other) = after.piece_at(*square).filter(|other| other.color != piece.color) else {
                    return false;
                };
                let files = king.file().to_u32() as i32 - square.file().to_u32() as i32;
                let ranks = king.rank().to_u32() as i32 - square.rank().to_u32() as i32;
                if other.role == Role::Pawn {
                    return files.abs() == 1 && ranks == other.color.fold_wb(1, -1);
                }
                if !goes(other.role, files, ranks) {
                    return false;
                }
                if other.role == Role::Knight {
                    return true;
                }
                let mut at = step(*square, files.signum(), ranks.signum()).unwrap();
                while at != king {
                    if after.piece_at(at).is_some() {
                        return false;
                    }
                    at = step(at, files.signum(), ranks.signum()).unwrap();
                }
                true
            });
            attacked.then_some(EndError::PseudoLegal)
        }
    }

    #[test]
    fn sets_and_kinds_of_every_answer_are_those_of_walking_over_1000_positions() {
        let (mut positions, mut answers) = (0, 0);
        let mut seen = std::collections::BTreeMap::new();
        for seed in 0.. {
            if positions == 1000 {
                break;
            }
            let mut position = Chess::default();
            for ply in random_game(seed, 120) {
                let mv = Ply::in_position(ply, &position).unwrap();
                position.play_unchecked(mv);
            }
            if position.is_game_over() {
                continue;
            }
            positions += 1;
            let sets = LegalSets::of(&position);
            let men = position.board().by_color(position.turn()) & !position.board().pawns();
            for from in men {
                for token in Token::all() {
                    let to = token.square();
                    let walked = by_walking::kind(&position, from, to);
                    let legal = to.is_some_and(|to| sets.targets(from).contains(&to));
                    assert_eq!(legal, walked.is_none(), "{from} {token} {:?}", position.board());
                    if let Some(walked) = walked {
                        assert_eq!(EndError::of(&position, from, to), walked, "{from} {token}");
                        *seen.entry(walked).or_insert(0) += 1;
                    }
                    answers += 1;
                }
            }
        }
        assert!(answers > 200_000 && seen.len() == 4, "{answers} {seen:?}");
    }
}
