//! The piece placement of a FEN, and whether that many pieces can be.

use shakmaty::{Bitboard, Board, Color, File, Piece, Rank, Role, Square, attacks};

use super::fen_error::FenError;

/// Reads the first field of a FEN. The flag says that `~` marks were left out.
pub(super) fn read_placement(text: &str) -> Result<(Board, bool), FenError> {
    let text = match text.split_once('[') {
        Some((board, "]")) => board,
        Some(_) => return Err(FenError::PiecesInHand),
        None => text,
    };
    let rows: Vec<&str> = text.split('/').collect();
    // A wrong letter says more than a wrong count of rows: `7/8/x` is no chess board at all.
    let mut board = Board::empty();
    let mut promoted_marks = false;
    let mut wrong_width = None;
    for (index, text) in rows.iter().enumerate() {
        let row = index + 1;
        let mut squares = 0usize;
        for letter in text.chars() {
            if let Some(count @ 1..=8) = letter.to_digit(10) {
                squares += count as usize;
            } else if let Some(piece) = Piece::from_char(letter) {
                if let (Ok(file), Some(rank)) = (u32::try_from(squares), 7u32.checked_sub(index as u32))
                    && squares < 8
                {
                    board.set_piece_at(Square::from_coords(File::new(file), Rank::new(rank)), piece);
                }
                squares += 1;
            } else if letter == '~' && squares > 0 {
                promoted_marks = true;
            } else {
                return Err(FenError::Letter {
                    row: row.min(8),
                    letter,
                });
            }
        }
        if squares != 8 && wrong_width.is_none() && row <= 8 {
            wrong_width = Some(FenError::RowWidth {
                row,
                text: clip(text),
                squares,
            });
        }
    }
    if rows.len() != 8 {
        return Err(FenError::Rows(rows.len()));
    }
    wrong_width.map_or(Ok((board, promoted_marks)), Err)
}

/// At most so many characters of the user's text are repeated in a message.
pub(super) fn clip(text: &str) -> String {
    const SHOWN: usize = 40;
    if text.chars().count() <= SHOWN {
        text.to_owned()
    } else {
        text.chars().take(SHOWN).chain(['…']).collect()
    }
}

/// Kings, pawns and numbers: what shakmaty and the engines need to be true.
///
/// Stockfish 19 ends with "CRITICAL ERROR … Too many pieces" where pawns and the pieces that only promotion explains
/// are more than eight, even within sixteen; so the count is not waived.
pub(super) fn check_material(board: &Board) -> Result<(), FenError> {
    for color in Color::ALL {
        let ours = board.by_color(color);
        match (board.kings() & ours).count() {
            0 => return Err(FenError::NoKing(color)),
            1 => {}
            kings => return Err(FenError::Kings { color, kings }),
        }
    }
    if let (Some(white), Some(black)) = (board.king_of(Color::White), board.king_of(Color::Black))
        && attacks::king_attacks(white).contains(black)
    {
        return Err(FenError::KingsTouch(white, black));
    }
    if let Some(pawn) = (board.pawns() & Bitboard::BACKRANKS).first() {
        return Err(FenError::PawnOnBackRank(pawn));
    }
    for color in Color::ALL {
        let ours = board.by_color(color);
        let (pieces, pawns) = (ours.count(), (board.pawns() & ours).count());
        if pieces > 16 || pawns > 8 {
            return Err(FenError::TooMany { color, pieces, pawns });
        }
        let beyond = |role: Role, squares: Bitboard, usual: usize| {
            (board.by_role(role) & ours & squares).count().saturating_sub(usual)
        };
        let promoted = beyond(Role::Queen, Bitboard::FULL, 1)
            + beyond(Role::Rook, Bitboard::FULL, 2)
            + beyond(Role::Knight, Bitboard::FULL, 2)
            + beyond(Role::Bishop, Bitboard::LIGHT_SQUARES, 1)
            + beyond(Role::Bishop, Bitboard::DARK_SQUARES, 1);
        if pawns + promoted > 8 {
            return Err(FenError::TooManyPromoted { color, pawns, promoted });
        }
    }
    Ok(())
}
