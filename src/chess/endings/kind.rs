//! What an ending is called.

use shakmaty::{Board, Color, Role};

use super::opposite_bishops::opposite_bishops;
use crate::chess::names::role_name;

/// What an ending is called by its men. Where nothing else is said, there may be any number of pawns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndingKind {
    /// Two kings and nothing else.
    BareKings,
    /// A bishop or a knight against a bare king, no pawns.
    LoneMinor(Role),
    /// Two knights against a bare king, no pawns.
    TwoKnights,
    /// One pawn, no other men than the kings.
    KingAndPawn,
    /// Kings and pawns.
    Pawns,
    /// A bishop and pawns on one edge of the board against a bare king.
    BishopAndRookPawn,
    /// A knight on each side.
    Knights,
    /// A bishop on each side, both on the same colour.
    Bishops,
    /// A bishop on each side, on different colours.
    OppositeBishops,
    /// A bishop against a knight.
    BishopAgainstKnight,
    /// A rook on each side.
    Rooks,
    /// A rook against a bishop or a knight.
    RookAgainstMinor(Role),
    /// A queen on each side.
    Queens,
    /// A queen against a rook.
    QueenAgainstRook,
}

impl EndingKind {
    /// The kind of ending that the men on `board` make, if it has a name here. The wrong bishop is known to
    /// [`super::wrong_bishop`].
    #[must_use]
    pub fn of(board: &Board) -> Option<Self> {
        let white = pieces(board, Color::White);
        let black = pieces(board, Color::Black);
        let pawns = board.pawns().count();
        // The side with more, or with the dearer piece, comes first.
        let rank = |side: &[Role]| {
            (
                side.len(),
                side.first().map(|role| ORDER.iter().position(|o| o == role)),
            )
        };
        let (more, less) = if rank(&white) < rank(&black) {
            (black, white)
        } else {
            (white, black)
        };
        match (&more[..], &less[..]) {
            ([], []) => Some(match pawns {
                0 => Self::BareKings,
                1 => Self::KingAndPawn,
                _ => Self::Pawns,
            }),
            ([one], []) if pawns == 0 && minor(*one) => Some(Self::LoneMinor(*one)),
            ([Role::Knight, Role::Knight], []) if pawns == 0 => Some(Self::TwoKnights),
            ([one], [other]) => Self::of_pieces(board, *one, *other),
            _ => None,
        }
    }

    fn of_pieces(board: &Board, dear: Role, cheap: Role) -> Option<Self> {
        Some(match (dear, cheap) {
            (Role::Knight, Role::Knight) => Self::Knights,
            (Role::Bishop, Role::Bishop) if opposite_bishops(board) => Self::OppositeBishops,
            (Role::Bishop, Role::Bishop) => Self::Bishops,
            (Role::Bishop, Role::Knight) => Self::BishopAgainstKnight,
            (Role::Rook, Role::Rook) => Self::Rooks,
            (Role::Rook, other) if minor(other) => Self::RookAgainstMinor(other),
            (Role::Queen, Role::Queen) => Self::Queens,
            (Role::Queen, Role::Rook) => Self::QueenAgainstRook,
            _ => return None,
        })
    }

    /// "a rook ending".
    #[must_use]
    pub fn in_words(self) -> String {
        match self {
            Self::BareKings => "an ending of bare kings".to_owned(),
            Self::LoneMinor(role) => format!("an ending of king and {} against king", role_name(role)),
            Self::TwoKnights => "an ending of two knights against a bare king".to_owned(),
            Self::KingAndPawn => "an ending of king and pawn against king".to_owned(),
            Self::Pawns => "a pawn ending".to_owned(),
            Self::BishopAndRookPawn => "an ending of bishop and rook's pawn against a bare king".to_owned(),
            Self::Knights => "a knight ending".to_owned(),
            Self::Bishops => "a bishop ending".to_owned(),
            Self::OppositeBishops => "an ending with opposite-coloured bishops".to_owned(),
            Self::BishopAgainstKnight => "an ending of bishop against knight".to_owned(),
            Self::Rooks => "a rook ending".to_owned(),
            Self::RookAgainstMinor(role) => format!("an ending of rook against {}", role_name(role)),
            Self::Queens => "a queen ending".to_owned(),
            Self::QueenAgainstRook => "an ending of queen against rook".to_owned(),
        }
    }
}

/// Cheapest first.
const ORDER: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

const fn minor(role: Role) -> bool {
    matches!(role, Role::Knight | Role::Bishop)
}

/// A side's pieces without pawns and king, dearest first; bishops before knights.
fn pieces(board: &Board, side: Color) -> Vec<Role> {
    ORDER
        .into_iter()
        .rev()
        .flat_map(|role| std::iter::repeat_n(role, board.by_piece(role.of(side)).count()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::endings::boards::{mirrored, position};
    use shakmaty::Position;

    #[test]
    fn endings_have_names() {
        for (fen, words) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Some("an ending of bare kings")),
            (
                "4k3/8/8/8/8/8/8/2B1K3 w - - 0 1",
                Some("an ending of king and bishop against king"),
            ),
            (
                "4k3/8/8/8/8/8/8/1NN1K3 w - - 0 1",
                Some("an ending of two knights against a bare king"),
            ),
            (
                "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
                Some("an ending of king and pawn against king"),
            ),
            ("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", Some("a pawn ending")),
            ("2n1k3/4p3/8/8/8/8/4P3/2N1K3 w - - 0 1", Some("a knight ending")),
            ("3bk3/4p3/8/8/8/8/4P3/2B1K3 w - - 0 1", Some("a bishop ending")),
            (
                "2b1k3/4p3/8/8/8/8/4P3/2B1K3 w - - 0 1",
                Some("an ending with opposite-coloured bishops"),
            ),
            (
                "2n1k3/4p3/8/8/8/8/4P3/2B1K3 w - - 0 1",
                Some("an ending of bishop against knight"),
            ),
            ("2r1k3/4p3/8/8/8/8/4P3/2R1K3 w - - 0 1", Some("a rook ending")),
            (
                "2r1k3/4p3/8/8/8/8/4P3/2N1K3 w - - 0 1",
                Some("an ending of rook against knight"),
            ),
            ("2q1k3/4p3/8/8/8/8/4P3/2Q1K3 w - - 0 1", Some("a queen ending")),
            (
                "2q1k3/4p3/8/8/8/8/4P3/2R1K3 w - - 0 1",
                Some("an ending of queen against rook"),
            ),
            ("2q1k3/4p3/8/8/8/8/4P3/2B1K3 w - - 0 1", None),
            ("4k3/4p3/8/8/8/8/4P3/2B1K3 w - - 0 1", None),
            ("4k3/8/8/8/8/8/8/2R1K3 w - - 0 1", None),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None),
        ] {
            let position = position(fen);
            let kind = EndingKind::of(position.board());
            assert_eq!(kind.map(EndingKind::in_words).as_deref(), words, "{fen}");
        }
        let shown = position("2r1k3/4p3/8/8/8/8/4P3/2N1K3 w - - 0 1");
        for other in mirrored(&shown) {
            assert_eq!(
                EndingKind::of(other.board()),
                Some(EndingKind::RookAgainstMinor(Role::Knight))
            );
        }
    }
}
