//! Boards as the GameKnot data has them where its authors prepared it for translation models: a word for each square.
//!
//! A line is the board after the move, `<EOC>`, the board before it, `<EOP>`, and the move in words of its own, each move with
//! `<EOM>` behind it. The squares go up the files: a1 to a8, then b1 to b8. The move's words leave out too much (which knight,
//! what a pawn becomes), so the move is the one that leads from one board to the other. Source: Jhamtani et al. 2018,
//! `Data/crawler/preprocess.py`.

use shakmaty::{Board, Color, File, Piece, Position, Rank, Role, Square};

use super::import::RowWrong;
use crate::chess::{Played, ReadFen, read_fen, with_castling_restored, write_fen};

/// What stands between the two boards.
const BETWEEN: &str = "<EOC>";

/// Whether a line has boards in words.
#[must_use]
pub(super) fn is_of_boards(line: &str) -> bool {
    line.contains(BETWEEN)
}

/// What a line shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shown {
    /// The position before the move as a FEN, and the move.
    Move(String, String),
    /// Several moves: the board between them is not there.
    Several,
}

/// Reads a line. The FEN has no castling rights, as the line tells none: one that the move shows is put back where it is
/// played.
///
/// # Errors
/// When a board is none, or no single legal move leads from one to the other.
pub(super) fn read(line: &str) -> Result<Shown, RowWrong> {
    let (after, rest) = line.split_once(BETWEEN).ok_or(RowWrong::Board)?;
    let (before, moves) = rest.split_once("<EOP>").ok_or(RowWrong::Board)?;
    if moves.matches("<EOM>").count() > 1 {
        return Ok(Shown::Several);
    }
    let turn = match moves.trim_start() {
        moves if moves.starts_with("white_") => 'w',
        moves if moves.starts_with("black_") => 'b',
        _ => return Err(RowWrong::NoMove),
    };
    let (before, after) = (board(before)?, board(after)?);
    let with = |en_passant: &str| read_fen(&format!("{before} {turn} - {en_passant} 0 1"));
    let read = with("-").map_err(|error| RowWrong::Shown(error.into()))?;
    let found = by_any_move(&read, &after)
        .or_else(|| by_castling(&read, &after))
        // A pawn that could be taken in passing is not told either.
        .or_else(|| {
            let rank = if turn == 'w' { Rank::Sixth } else { Rank::Third };
            let squares = File::ALL.into_iter().map(|file| Square::from_coords(file, rank));
            squares
                .filter_map(|square| with(&square.to_string()).ok())
                .find_map(|read| by_any_move(&read, &after))
        });
    found.ok_or(RowWrong::NoWay)
}

fn by_any_move(read: &ReadFen, after: &Board) -> Option<Shown> {
    let legal = read.position.legal_moves();
    let leads = |mv: &&shakmaty::Move| {
        let next = read.position.clone().play(**mv);
        next.is_ok_and(|next| next.board() == after)
    };
    shown(read, *legal.iter().find(leads)?)
}

fn by_castling(read: &ReadFen, after: &Board) -> Option<Shown> {
    ["O-O", "O-O-O"].into_iter().find_map(|typed| {
        let (restored, mv) = with_castling_restored(read, typed)?;
        let next = restored.position.play(mv).ok()?;
        let fen = write_fen(&read.position, read.mode);
        (next.board() == after).then(|| Shown::Move(fen, typed.to_owned()))
    })
}

fn shown(read: &ReadFen, mv: shakmaty::Move) -> Option<Shown> {
    let played = Played::new(read.position.clone(), mv, read.mode, Vec::new())?;
    Some(Shown::Move(write_fen(&played.before, played.mode), played.san()))
}

/// A board from its 64 words.
fn board(words: &str) -> Result<Board, RowWrong> {
    let mut board = Board::empty();
    let mut squares = File::ALL
        .into_iter()
        .flat_map(|file| Rank::ALL.into_iter().map(move |rank| Square::from_coords(file, rank)));
    for word in words.split_whitespace() {
        let square = squares.next().ok_or(RowWrong::Board)?;
        if word != "eps" {
            board.set_piece_at(square, piece(word).ok_or(RowWrong::Board)?);
        }
    }
    match squares.next() {
        None => Ok(board),
        Some(_) => Err(RowWrong::Board),
    }
}

/// `white_rook`.
fn piece(word: &str) -> Option<Piece> {
    let (color, role) = word.split_once('_')?;
    let color = match color {
        "white" => Color::White,
        "black" => Color::Black,
        _ => return None,
    };
    let role = match role {
        "pawn" => Role::Pawn,
        "knight" => Role::Knight,
        "bishop" => Role::Bishop,
        "rook" => Role::Rook,
        "queen" => Role::Queen,
        "king" => Role::King,
        _ => return None,
    };
    Some(Piece { color, role })
}
