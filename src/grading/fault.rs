//! What is wrong with an answer that is no legal move, by kind.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, CastlingMode, Chess, Color, Move, Position, Role, Square, attacks};

use crate::chess::{MoveError, move_error::CastlingBar, read_move};

/// The kinds, in the order in which they are looked for and shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// Nothing in the answer is written like a move.
    NotAMove,
    /// No such piece stands there, or anywhere.
    NoPiece,
    /// It is the other side's move.
    WrongSide,
    /// A man of one's own stands on the target.
    OwnPiece,
    /// The piece does not move like that, even on an empty board; castling without the right to.
    CannotMoveSo,
    /// Something stands in the way.
    PathBlocked,
    /// The king would be, or stay, in check; castling out of, through or into one.
    LeavesCheck,
    /// Several legal moves could be meant, such as a promotion that does not say to what.
    Ambiguous,
    /// The model declines.
    Refusal,
    /// No answer in time.
    TimeOut,
    /// The question or the answer did not get through.
    Transport,
}

impl FaultKind {
    /// Every kind, in the order above.
    pub const ALL: [Self; 11] = [
        Self::NotAMove,
        Self::NoPiece,
        Self::WrongSide,
        Self::OwnPiece,
        Self::CannotMoveSo,
        Self::PathBlocked,
        Self::LeavesCheck,
        Self::Ambiguous,
        Self::Refusal,
        Self::TimeOut,
        Self::Transport,
    ];

    /// Whether there is no answer at all: an error, counted apart, and asked for again when the run goes on.
    #[must_use]
    pub const fn is_error(self) -> bool {
        matches!(self, Self::TimeOut | Self::Transport)
    }

    /// For tables.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::NotAMove => "Not a move",
            Self::NoPiece => "No such piece there",
            Self::WrongSide => "Wrong side",
            Self::OwnPiece => "Own piece on the square",
            Self::CannotMoveSo => "Piece can't move so",
            Self::PathBlocked => "Path blocked",
            Self::LeavesCheck => "Leaves the king in check",
            Self::Ambiguous => "Ambiguous",
            Self::Refusal => "Refused",
            Self::TimeOut => "Time-out",
            Self::Transport => "Transport error",
        }
    }
}

/// Why an answer is no legal move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// In a sentence.
    pub what: String,
}

impl Fault {
    /// A fault.
    #[must_use]
    pub fn new(kind: FaultKind, what: impl Into<String>) -> Self {
        Self {
            kind,
            what: what.into(),
        }
    }
}

/// How many there are of each kind; kinds without any are not there.
#[must_use]
pub fn kinds<'a>(faults: impl Iterator<Item = &'a Fault>) -> BTreeMap<FaultKind, usize> {
    let mut kinds = BTreeMap::new();
    for fault in faults {
        *kinds.entry(fault.kind).or_default() += 1;
    }
    kinds
}

/// Reads a move as [`read_move`] does, but lets a needless `x` pass: it names the move all the same.
///
/// # Errors
/// What is wrong with it, where it is no legal move.
pub fn legal_move(position: &Chess, mode: CastlingMode, text: &str) -> Result<Move, Fault> {
    let read = match read_move(position, mode, text) {
        Err(MoveError::NotACapture(_)) => read_move(position, mode, &text.replace(['x', 'X', ':', '×'], "")),
        read => read,
    };
    read.map_err(|error| {
        let kind = kind(position, mode, text, &error);
        // Not what a player would be told: it is the other side's move altogether.
        let opponents = matches!(
            kind,
            FaultKind::NoPiece | FaultKind::CannotMoveSo | FaultKind::PathBlocked | FaultKind::OwnPiece
        ) && !matches!(
            error,
            MoveError::EmptySquare(_) | MoveError::OtherPiece { .. } | MoveError::CannotCastle { .. }
        ) && position
            .clone()
            .swap_turn()
            .is_ok_and(|other| read_move(&other, mode, text).is_ok());
        let kind = if opponents { FaultKind::WrongSide } else { kind };
        Fault::new(kind, error.to_string())
    })
}

fn kind(position: &Chess, mode: CastlingMode, text: &str, error: &MoveError) -> FaultKind {
    match error {
        MoveError::Empty | MoveError::NotAMove(_) | MoveError::NullMove(_) | MoveError::GameOver { .. } => {
            FaultKind::NotAMove
        }
        MoveError::EmptySquare(_) | MoveError::OtherPiece { .. } | MoveError::NoSuchPiece { .. } => FaultKind::NoPiece,
        MoveError::NotYours { .. } => FaultKind::WrongSide,
        MoveError::OwnPiece { role, to, .. } => {
            castling_kind(position, mode, text, *to, Some(*role)).unwrap_or(FaultKind::OwnPiece)
        }
        MoveError::CannotReach { role, to, from } => {
            if *role == Role::King
                && let Some(kind) = castling_kind(position, mode, text, *to, None)
            {
                return kind;
            }
            match from
                .iter()
                .any(|from| reaches_without_others(position, *role, *from, *to))
            {
                true => FaultKind::PathBlocked,
                false => FaultKind::CannotMoveSo,
            }
        }
        MoveError::NotACapture(_) | MoveError::NoPromotion(_) => FaultKind::CannotMoveSo,
        MoveError::LeavesCheck { .. } => FaultKind::LeavesCheck,
        MoveError::Ambiguous { .. } | MoveError::PromotionMissing(_) => FaultKind::Ambiguous,
        MoveError::CannotCastle { bar, .. } => of_castling(bar),
    }
}

const fn of_castling(bar: &CastlingBar) -> FaultKind {
    match bar {
        CastlingBar::NoRight => FaultKind::CannotMoveSo,
        CastlingBar::Blocked(_) => FaultKind::PathBlocked,
        CastlingBar::InCheck | CastlingBar::Attacked(_) => FaultKind::LeavesCheck,
    }
}

/// The kind where castling is written as squares (`e1g1`) and is not possible.
fn castling_kind(
    position: &Chess,
    mode: CastlingMode,
    text: &str,
    to: Square,
    standing: Option<Role>,
) -> Option<FaultKind> {
    let king = position.board().king_of(position.turn())?;
    let named = text.to_ascii_lowercase().contains(&king.to_string());
    let home = Square::from_coords(shakmaty::File::E, position.turn().backrank());
    if !named || king != home || to.rank() != king.rank() {
        return None;
    }
    let word = match (to.file(), standing) {
        (shakmaty::File::G, _) | (shakmaty::File::H, Some(Role::Rook)) => "O-O",
        (shakmaty::File::C, _) | (shakmaty::File::A, Some(Role::Rook)) => "O-O-O",
        _ => return None,
    };
    match read_move(position, mode, word) {
        // Without the right it is a king that jumps two squares.
        Err(MoveError::CannotCastle {
            bar: CastlingBar::NoRight,
            ..
        }) => standing.is_none().then_some(FaultKind::CannotMoveSo),
        Err(MoveError::CannotCastle { bar, .. }) => Some(of_castling(&bar)),
        _ => None,
    }
}

/// Whether a piece of the side to move gets from one square to another where nothing else stands in between: a pawn's push
/// may end on a man, which blocks it; its capture needs one.
fn reaches_without_others(position: &Chess, role: Role, from: Square, to: Square) -> bool {
    let turn = position.turn();
    if role != Role::Pawn {
        return attacks::attacks(from, role.of(turn), Bitboard::EMPTY).contains(to);
    }
    let step = turn.fold_wb(8, -8);
    let one = from.offset(step);
    let home = from.rank() == turn.relative_rank(shakmaty::Rank::Second);
    let two = one.filter(|_| home).and_then(|square| square.offset(step));
    from.file() == to.file() && (one == Some(to) || two == Some(to)) && forward(turn, from, to)
}

fn forward(turn: Color, from: Square, to: Square) -> bool {
    turn.fold_wb(to > from, to < from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::read_fen, grading::toy_engine::positions};
    use shakmaty::uci::UciMove;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn each_kind_by_hand() {
        use FaultKind::{Ambiguous, CannotMoveSo, LeavesCheck, NoPiece, NotAMove, OwnPiece, PathBlocked, WrongSide};
        for (fen, text, kind) in [
            (START, "hello", NotAMove),
            (START, "", NotAMove),
            (START, "0000", NotAMove),
            (START, "e3e4", NoPiece),
            (START, "Ng2f3", NoPiece),
            (START, "e7e5", WrongSide),
            (START, "e5", WrongSide),
            (START, "Nf6", WrongSide),
            (START, "Ra1a2", OwnPiece),
            (START, "Rb1", OwnPiece),
            (START, "Ng1g3", CannotMoveSo),
            (START, "e2e5", CannotMoveSo),
            (START, "exd3", CannotMoveSo),
            (START, "Bf1c4", PathBlocked),
            (START, "Qh5", PathBlocked),
            (START, "O-O", PathBlocked),
            (START, "e1g1", PathBlocked),
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "O-O", CannotMoveSo),
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1", CannotMoveSo),
            ("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", LeavesCheck),
            ("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", LeavesCheck),
            ("4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1", "Nc3", LeavesCheck),
            ("4k3/8/8/8/8/8/r7/4K3 w - - 0 1", "Ke2", LeavesCheck),
            ("4k3/8/8/8/8/8/R6R/4K3 w - - 0 1", "Rd2", Ambiguous),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", Ambiguous),
            ("4k3/8/8/8/8/8/R7/4K3 w - - 0 1", "Qd2", NoPiece),
            ("4k3/8/8/8/4p3/4P3/8/4K3 w - - 0 1", "e3e4", PathBlocked),
            ("4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1", "e2e4", PathBlocked),
        ] {
            let read = read_fen(fen).unwrap();
            let found = legal_move(&read.position, read.mode, text).unwrap_err();
            assert_eq!(found.kind, kind, "{text}: {found:?}");
        }
        let read = read_fen(START).unwrap();
        assert!(legal_move(&read.position, read.mode, "Nxf3").is_ok(), "a needless x");
    }

    /// A second opinion on `from` and `to`, by walking over the board square by square.
    fn by_walking(position: &Chess, from: Square, to: Square) -> Option<FaultKind> {
        let board = position.board();
        let turn = position.turn();
        let Some(piece) = board.piece_at(from) else {
            return Some(FaultKind::NoPiece);
        };
        if piece.color != turn {
            return Some(FaultKind::WrongSide);
        }
        if board.color_at(to) == Some(turn) {
            return Some(FaultKind::OwnPiece);
        }
        let (dx, dy) = (
            i32::from(to.file()) - i32::from(from.file()),
            i32::from(to.rank()) - i32::from(from.rank()),
        );
        let taken = board.piece_at(to).is_some();
        let up = turn.fold_wb(1, -1);
        let far = dx.abs().max(dy.abs());
        let straight = dx == 0 || dy == 0;
        let diagonal = dx.abs() == dy.abs();
        let fits = far > 0
            && match piece.role {
                Role::King => far == 1,
                Role::Queen => straight || diagonal,
                Role::Rook => straight,
                Role::Bishop => diagonal,
                Role::Knight => dx.abs() * dy.abs() == 2,
                Role::Pawn if dx == 0 => {
                    let home = from.rank() == turn.relative_rank(shakmaty::Rank::Second);
                    dy == up || (dy == 2 * up && home)
                }
                Role::Pawn => dx.abs() == 1 && dy == up && (taken || position.maybe_ep_square() == Some(to)),
            };
        if !fits {
            return Some(FaultKind::CannotMoveSo);
        }
        if piece.role != Role::Knight {
            let (sx, sy) = (dx.signum(), dy.signum());
            let last = if piece.role == Role::Pawn && dx == 0 {
                far
            } else {
                far - 1
            };
            for step in 1..=last {
                let file = shakmaty::File::new((i32::from(from.file()) + sx * step) as u32);
                let rank = shakmaty::Rank::new((i32::from(from.rank()) + sy * step) as u32);
                if board.piece_at(Square::from_coords(file, rank)).is_some() {
                    return Some(FaultKind::PathBlocked);
                }
            }
        }
        let legal = position
            .legal_moves()
            .iter()
            .any(|mv| mv.from() == Some(from) && mv.to() == to);
        (!legal).then_some(FaultKind::LeavesCheck)
    }

    #[test]
    fn kinds_are_those_of_brute_force_on_a_thousand_positions() {
        let (mut legal, mut kinds) = (0, BTreeMap::new());
        for position in positions(1_000, 11) {
            let king = position.board().king_of(position.turn()).unwrap();
            let every = Square::ALL
                .iter()
                .flat_map(|from| Square::ALL.iter().map(move |to| (*from, *to)));
            for (number, (from, to)) in every.enumerate() {
                // Castling has its own rules, tested above; a null move is no move. Of other squares some are enough.
                let castles = from == king
                    && (king.file().distance(to.file()) > 1 || position.board().role_at(to) == Some(Role::Rook));
                if from == to
                    || castles
                    || (position.board().color_at(from) != Some(position.turn()) && number % 32 != 0)
                {
                    continue;
                }
                let last = position.board().role_at(from) == Some(Role::Pawn)
                    && to.rank() == position.turn().relative_rank(shakmaty::Rank::Eighth);
                let uci = UciMove::Normal {
                    from,
                    to,
                    promotion: last.then_some(Role::Queen),
                };
                let found = legal_move(&position, CastlingMode::Standard, &uci.to_string());
                let wanted = by_walking(&position, from, to);
                assert_eq!(
                    found.as_ref().err().map(|fault| fault.kind),
                    wanted,
                    "{uci} in {position:?}"
                );
                legal += usize::from(found.is_ok());
                if let Some(kind) = wanted {
                    *kinds.entry(kind).or_insert(0) += 1;
                }
            }
        }
        assert!(legal > 20_000 && kinds.len() == 6, "{legal} {kinds:?}");
    }
}
