//! The board in words, for screen readers.

use shakmaty::{Chess, Color, File, KnownOutcome, Outcome, Piece, Position, Rank, Role, Square};

use crate::chess::names::{color_name, role_name};

/// A board in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextBoard {
    /// Eight rows, the first at the top of the board as it is turned.
    pub rows: Vec<TextRow>,
    /// The file letters from left to right.
    pub files: Vec<char>,
    /// "White: king g1, rooks a1 and f1, pawns a2, b2 and c2."
    pub white: String,
    /// The same for Black.
    pub black: String,
    /// Whose turn it is, check, or how the game ended.
    pub status: String,
    /// "Last move: 12… Nf6.", where one is known.
    pub last_move: Option<String>,
}

/// A row of the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextRow {
    /// `1` to `8`.
    pub rank: char,
    /// Eight squares from left to right.
    pub squares: Vec<TextSquare>,
}

/// A square.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextSquare {
    /// The square.
    pub square: Square,
    /// What stands there.
    pub piece: Option<Piece>,
    /// "White knight on f3" or "f4, empty".
    pub name: String,
    /// The piece's letter as in a FEN, or a point.
    pub letter: char,
    /// Whether the square is a light one.
    pub light: bool,
}

/// The board in words, seen from `orientation`'s side. `last_move` is a label such as `12… Nf6`.
#[must_use]
pub fn text_board(position: &Chess, orientation: Color, last_move: Option<&str>) -> TextBoard {
    let (mut ranks, mut files) = (Rank::ALL.to_vec(), File::ALL.to_vec());
    if orientation.is_white() {
        ranks.reverse();
    } else {
        files.reverse();
    }
    let rows = ranks
        .iter()
        .map(|rank| TextRow {
            rank: rank.char(),
            squares: files
                .iter()
                .map(|file| text_square(position, Square::from_coords(*file, *rank)))
                .collect(),
        })
        .collect();
    TextBoard {
        rows,
        files: files.iter().map(|file| file.char()).collect(),
        white: pieces(position, Color::White),
        black: pieces(position, Color::Black),
        status: status(position),
        last_move: last_move.map(|label| format!("Last move: {label}.")),
    }
}

fn text_square(position: &Chess, square: Square) -> TextSquare {
    let piece = position.board().piece_at(square);
    TextSquare {
        square,
        piece,
        name: match piece {
            Some(piece) => format!("{} {} on {square}", color_name(piece.color), role_name(piece.role)),
            None => format!("{square}, empty"),
        },
        letter: piece.map_or('.', Piece::char),
        light: square.is_light(),
    }
}

fn pieces(position: &Chess, color: Color) -> String {
    const ORDER: [Role; 6] = [
        Role::King,
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
    ];
    let board = position.board();
    let groups: Vec<String> = ORDER
        .into_iter()
        .filter_map(|role| {
            let squares: Vec<String> = (board.by_role(role) & board.by_color(color))
                .into_iter()
                .map(|square| square.to_string())
                .collect();
            let (last, first) = squares.split_last()?;
            Some(if first.is_empty() {
                format!("{} {last}", role_name(role))
            } else {
                format!("{}s {} and {last}", role_name(role), first.join(", "))
            })
        })
        .collect();
    format!("{}: {}.", color_name(color), groups.join(", "))
}

fn status(position: &Chess) -> String {
    match position.outcome() {
        Outcome::Known(KnownOutcome::Decisive { winner }) => format!("Checkmate: {} has won.", color_name(winner)),
        Outcome::Known(KnownOutcome::Draw) if position.is_stalemate() => {
            format!(
                "Stalemate: {} has no legal move. The game is a draw.",
                color_name(position.turn())
            )
        }
        Outcome::Known(KnownOutcome::Draw) => "A draw: neither side has the pieces to checkmate.".to_owned(),
        Outcome::Unknown if position.is_check() => format!("{} to move, in check.", color_name(position.turn())),
        Outcome::Unknown => format!("{} to move.", color_name(position.turn())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::read_fen;

    fn board(fen: &str, orientation: Color) -> TextBoard {
        text_board(&read_fen(fen).unwrap().position, orientation, None)
    }

    #[test]
    fn squares_are_named_and_turned() {
        let white = text_board(&Chess::default(), Color::White, Some("1. e4"));
        assert_eq!(white.rows[0].rank, '8');
        assert_eq!(white.rows[7].squares[6].name, "White knight on g1");
        assert_eq!(white.rows[4].squares[0].name, "a4, empty");
        assert_eq!(white.files[0], 'a');
        assert_eq!(white.last_move.as_deref(), Some("Last move: 1. e4."));
        let black = board("8/8/8/8/8/8/8/K1k5 b - - 0 1", Color::Black);
        assert_eq!((black.rows[0].rank, black.files[0]), ('1', 'h'));
        assert_eq!(black.rows[0].squares[7].name, "White king on a1");
        assert_eq!(black.rows[0].squares[7].letter, 'K');
    }

    #[test]
    fn pieces_are_listed_by_side() {
        let board = board("6k1/5ppp/8/8/8/8/r4PPP/R4RK1 w - - 0 1", Color::White);
        assert_eq!(board.white, "White: king g1, rooks a1 and f1, pawns f2, g2 and h2.");
        assert_eq!(board.black, "Black: king g8, rook a2, pawns f7, g7 and h7.");
    }

    #[test]
    fn the_status_says_turn_check_and_end() {
        let status = |fen| board(fen, Color::White).status;
        assert_eq!(status("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"), "Black to move.");
        assert_eq!(status("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1"), "Black to move, in check.");
        assert_eq!(status("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), "Checkmate: White has won.");
        assert_eq!(
            status("k7/2Q5/8/8/8/8/8/6K1 b - - 0 1"),
            "Stalemate: Black has no legal move. The game is a draw."
        );
        assert_eq!(
            status("k7/8/8/8/8/8/8/6K1 b - - 0 1"),
            "A draw: neither side has the pieces to checkmate."
        );
    }
}
