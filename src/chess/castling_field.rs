//! The castling field of a FEN: `KQkq`, X-FEN and Shredder-FEN, and the rights that cannot be.

use shakmaty::{Bitboard, Board, CastlingMode, CastlingSide, Color, File, Square};

use super::repair::{CastlingFault, Repair};

/// What the field says on this board.
pub(super) struct Rights {
    /// The rooks that may castle.
    pub rooks: Bitboard,
    /// Chess960 only where a right needs it.
    pub mode: CastlingMode,
    /// The rights that cannot be.
    pub repairs: Vec<Repair>,
}

/// Whether `text` has the shape of a castling field.
pub(super) fn looks_like(text: &str) -> bool {
    text == "-"
        || (!text.is_empty()
            && text
                .chars()
                .all(|c| matches!(c, 'K' | 'Q' | 'k' | 'q' | 'A'..='H' | 'a'..='h')))
}

struct Wanted {
    letter: char,
    color: Color,
    /// `None` for `KQkq`: the outermost rook.
    file: Option<File>,
    side: Option<CastlingSide>,
    rook: Option<Square>,
    standard: bool,
}

/// Reads the field. `chess960` says that the text around it (a PGN tag) claims Chess960.
///
/// `KQkq` on other squares than those of standard chess are leftovers more often than Chess960. They are taken for
/// Chess960 only when the letters of both sides fit one starting array, or when one side's alone fit with a king off
/// the e-file and no rook on a corner. Rook files (`HAha`) say what they mean.
pub(super) fn read_castling(board: &Board, text: &str, chess960: bool) -> Rights {
    let mut wanted: Vec<Wanted> = Vec::new();
    for letter in text.chars().filter(|c| *c != '-') {
        wanted.push(want(board, letter));
    }
    let agreed = chess960 || fits_chess960(board, &wanted);
    let mut rights = Rights {
        rooks: Bitboard::EMPTY,
        mode: CastlingMode::Standard,
        repairs: Vec::new(),
    };
    let mut wings: Vec<(Color, CastlingSide)> = Vec::new();
    for want in &wanted {
        let accepted = want.rook.filter(|_| want.standard || want.file.is_some() || agreed);
        let wing = want.side.map(|side| (want.color, side));
        match (accepted, wing) {
            (Some(rook), Some(wing)) if !wings.contains(&wing) => {
                wings.push(wing);
                rights.rooks.add(rook);
                if !want.standard {
                    rights.mode = CastlingMode::Chess960;
                }
            }
            (Some(rook), Some(_)) if rights.rooks.contains(rook) => {} // KK, or H beside K: the same right again
            (accepted, _) => {
                let why = if accepted.is_some() {
                    CastlingFault::Twice
                } else {
                    fault(board, want)
                };
                rights.repairs.push(Repair::CastlingDropped {
                    right: want.letter,
                    why,
                });
            }
        }
    }
    rights
}

fn home_king(board: &Board, color: Color) -> Option<Square> {
    board.king_of(color).filter(|king| king.rank() == color.backrank())
}

fn want(board: &Board, letter: char) -> Wanted {
    let color = Color::from_white(letter.is_ascii_uppercase());
    let rooks = board.rooks() & board.by_color(color) & color.backrank();
    let king = home_king(board, color);
    let (file, side, rook) = match letter.to_ascii_lowercase() {
        'k' => (
            None,
            Some(CastlingSide::KingSide),
            rooks.last().filter(|r| king.is_some_and(|k| k < *r)),
        ),
        'q' => (
            None,
            Some(CastlingSide::QueenSide),
            rooks.first().filter(|r| king.is_some_and(|k| *r < k)),
        ),
        other => {
            let file = File::from_char(other);
            let rook = file
                .map(|f| Square::from_coords(f, color.backrank()))
                .filter(|r| rooks.contains(*r));
            let side = rook
                .zip(king)
                .map(|(rook, king)| CastlingSide::from_king_side(king < rook));
            (file, side, rook.filter(|_| side.is_some()))
        }
    };
    // In Chess960 the king starts between the rooks, so never on a corner.
    let rook = rook.filter(|_| king.is_some_and(|k| !matches!(k.file(), File::A | File::H)));
    let standard = rook
        .zip(side)
        .is_some_and(|(rook, side)| king.is_some_and(|k| k.file() == File::E) && rook.file() == corner(side));
    Wanted {
        letter,
        color,
        file,
        side,
        rook,
        standard,
    }
}

fn corner(side: CastlingSide) -> File {
    if side.is_king_side() { File::H } else { File::A }
}

fn fits_chess960(board: &Board, wanted: &[Wanted]) -> bool {
    if wanted.iter().any(|w| w.rook.is_none()) {
        return false;
    }
    let king_file = |color: Color| board.king_of(color).map(Square::file);
    let rook_file = |color: Color, side: CastlingSide| {
        wanted
            .iter()
            .find(|w| w.color == color && w.side == Some(side))
            .and_then(|w| w.rook)
            .map(Square::file)
    };
    let has = |color: Color| wanted.iter().any(|w| w.color == color);
    if has(Color::White) && has(Color::Black) {
        king_file(Color::White) == king_file(Color::Black)
            && CastlingSide::ALL.into_iter().all(|side| {
                match (rook_file(Color::White, side), rook_file(Color::Black, side)) {
                    (Some(white), Some(black)) => white == black,
                    _ => true,
                }
            })
    } else {
        wanted.iter().all(|w| {
            king_file(w.color) != Some(File::E) && w.rook.is_some_and(|rook| !matches!(rook.file(), File::A | File::H))
        })
    }
}

fn fault(board: &Board, want: &Wanted) -> CastlingFault {
    match (want.file, want.side) {
        (Some(file), _) => CastlingFault::RookSquare(Square::from_coords(file, want.color.backrank())),
        (None, Some(side)) if home_king(board, want.color).is_some_and(|k| k.file() == File::E) => {
            CastlingFault::Rook(want.color, side)
        }
        _ => CastlingFault::King(want.color),
    }
}

/// The castling field as written in a FEN of `mode`: `KQkq` in standard chess, rook files in Chess960, where they are
/// the only spelling that every reader takes the same way.
pub(super) fn write_castling(rooks: Bitboard, mode: CastlingMode) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        let mut ours: Vec<Square> = (rooks & color.backrank()).into_iter().collect();
        ours.reverse();
        for rook in ours {
            let letter = match (mode, rook.file()) {
                (CastlingMode::Standard, File::H) => 'k',
                (CastlingMode::Standard, File::A) => 'q',
                (_, file) => file.char(),
            };
            text.push(color.fold_wb(letter.to_ascii_uppercase(), letter));
        }
    }
    if text.is_empty() { "-".to_owned() } else { text }
}
