//! FEN: what people paste, mended where it has one sensible reading, refused by field and reason where it has none.

use std::num::NonZeroU32;

use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Piece, Position, PositionError, PositionErrorKinds,
    Role, Setup, Square,
};

use super::{
    castling_field::{read_castling, write_castling},
    fen_error::FenError,
    fen_fields::{Fields, is_possible_ep, split_fields},
    notation::castling_wing,
    placement::{check_material, clip, read_placement},
    repair::Repair,
};

pub use super::fen_fields::MAX_FEN_BYTES;

/// The longest half-move clock: at 150 the game is drawn whatever the players say (FIDE Laws of Chess, 9.6.2).
const MAX_CLOCK: u32 = 150;

/// The largest move number kept; the longest possible game has under 6,000 moves.
const MAX_NUMBER: u32 = 9999;

/// A position read from a FEN.
#[derive(Debug, Clone)]
pub struct ReadFen {
    /// The position. Stockfish accepts every position that gets here: both kings, at most sixteen pieces a side,
    /// promotions counted.
    pub position: Chess,
    /// Chess960 only where a castling right needs it.
    pub mode: CastlingMode,
    /// What was mended, in the order of the text.
    pub repairs: Vec<Repair>,
}

/// Reads a FEN.
///
/// # Errors
/// Where the text has no one sensible reading: the field and the reason.
pub fn read_fen(text: &str) -> Result<ReadFen, FenError> {
    read_fen_of(text, false)
}

/// As [`read_fen`]; `chess960` says that the text around it (a PGN's Variant tag) claims Chess960, so `KQkq` on other
/// squares than those of standard chess is taken at its word.
pub(super) fn read_fen_of(text: &str, chess960: bool) -> Result<ReadFen, FenError> {
    let fields = split_fields(text, true)?;
    let rest = fields.rest.clone();
    let mut read = read_fields(fields, chess960)?;
    if !rest.is_empty() {
        let harmless = rest.contains(';') || !rest.contains(|c: char| c.is_alphanumeric());
        if !harmless {
            return Err(FenError::Trailing(clip(&rest)));
        }
        read.repairs.push(Repair::Ignored(clip(&rest)));
    }
    Ok(read)
}

/// Reads the FEN that `text` starts with, and hands back what follows it.
pub(super) fn read_fen_prefix(text: &str) -> Result<(ReadFen, String), FenError> {
    let mut fields = split_fields(text, false)?;
    let rest = std::mem::take(&mut fields.rest);
    Ok((read_fields(fields, false)?, rest))
}

/// Writes the position as a FEN of six fields. The en passant square is named only where a capture is legal; in
/// Chess960 castling rights are rook files (`HAha`).
#[must_use]
pub fn write_fen(position: &Chess, mode: CastlingMode) -> String {
    let ep = position
        .ep_square(EnPassantMode::Legal)
        .map_or_else(|| "-".to_owned(), |square| square.to_string());
    format!(
        "{} {} {} {ep} {} {}",
        position.board().board_fen(),
        position.turn().char(),
        write_castling(position.castles().castling_rights(), mode),
        position.halfmoves(),
        position.fullmoves()
    )
}

/// Puts a castling right back when that is all that `typed` (`O-O`, `0-0-0`, `e1g1`, `12... O-O`) lacks: the move is
/// castling, it is not legal as the FEN stands, and king and rook are at home with the way free.
///
/// FENs written without history (the paper's sixty positions among them) carry `-` even where castling was played next.
/// Only the one right that the move proves comes back.
#[must_use]
pub fn with_castling_restored(read: &ReadFen, typed: &str) -> Option<(ReadFen, Move)> {
    let color = read.position.turn();
    let side = castling_wing(typed, color)?;
    if read.mode.is_chess960() || read.position.castles().has(color, side) {
        return None;
    }
    let king = Square::from_coords(shakmaty::File::E, color.backrank());
    let rook = Square::from_coords(
        if side.is_king_side() {
            shakmaty::File::H
        } else {
            shakmaty::File::A
        },
        color.backrank(),
    );
    let board = read.position.board();
    let at_home = board.king_of(color) == Some(king)
        && board.piece_at(rook)
            == Some(Piece {
                color,
                role: Role::Rook,
            });
    if !at_home {
        return None;
    }
    let mut setup = read.position.to_setup(EnPassantMode::Always);
    setup.castling_rights.add(rook);
    let position = Chess::from_setup(setup, read.mode)
        .or_else(PositionError::ignore_impossible_check)
        .ok()?;
    let mv = *position.castling_moves(side).first()?;
    let mut repairs = read.repairs.clone();
    repairs.push(Repair::CastlingRestored(color, side));
    Some((
        ReadFen {
            position,
            mode: read.mode,
            repairs,
        },
        mv,
    ))
}

pub(super) fn read_fields(fields: Fields, chess960: bool) -> Result<ReadFen, FenError> {
    let Fields {
        placement,
        turn,
        castling,
        en_passant,
        clock,
        number,
        mut repairs,
        ..
    } = fields;
    let (board, promoted_marks) = read_placement(&placement)?;
    if promoted_marks {
        repairs.push(Repair::PromotedMarks);
    }
    check_material(&board)?;

    let mut setup = Setup {
        board,
        ..Setup::empty()
    };
    setup.turn = match turn {
        Some(turn) => turn,
        None => implied_turn(&setup).ok_or(FenError::NoTurn)?,
    };
    if turn.is_none() {
        repairs.push(Repair::TurnImplied(setup.turn));
    }
    if let Some(king) = takeable_king(&setup) {
        let swapped = Setup {
            turn: !setup.turn,
            ..setup.clone()
        };
        return Err(FenError::OtherSideInCheck {
            turn: setup.turn,
            king,
            swappable: takeable_king(&swapped).is_none(),
        });
    }

    let rights = read_castling(&setup.board, castling.as_deref().unwrap_or("-"), chess960);
    setup.castling_rights = rights.rooks;
    repairs.extend(rights.repairs);

    if let Some(text) = en_passant {
        read_en_passant(&mut setup, &text, &mut repairs);
    }
    read_counters(&mut setup, clock.as_deref(), number.as_deref(), &mut repairs);

    if let Ok(position) = Chess::from_setup(setup.clone(), rights.mode) {
        return Ok(ReadFen {
            position,
            mode: rights.mode,
            repairs,
        });
    }
    // An en passant square can contradict a check: then the square is the slip.
    if let Some(square) = setup.ep_square.take()
        && let Ok(position) = Chess::from_setup(setup.clone(), rights.mode)
    {
        repairs.push(Repair::EnPassantDropped(square.to_string()));
        return Ok(ReadFen {
            position,
            mode: rights.mode,
            repairs,
        });
    }
    // Three checkers and the like: Stockfish 15.1 and 19 search such positions soundly, and so does shakmaty.
    match Chess::from_setup(setup, rights.mode) {
        Err(error) if error.kinds() == PositionErrorKinds::IMPOSSIBLE_CHECK => {
            let position = error
                .ignore_impossible_check()
                .map_err(|e| FenError::Illegal(e.to_string()))?;
            repairs.push(Repair::ImpossibleCheck);
            Ok(ReadFen {
                position,
                mode: rights.mode,
                repairs,
            })
        }
        Err(error) => Err(FenError::Illegal(error.to_string())),
        Ok(position) => Ok(ReadFen {
            position,
            mode: rights.mode,
            repairs,
        }),
    }
}

/// The king that the side to move could take.
fn takeable_king(setup: &Setup) -> Option<Square> {
    let king = setup.board.king_of(!setup.turn)?;
    setup
        .board
        .attacks_to(king, setup.turn, setup.board.occupied())
        .any()
        .then_some(king)
}

/// The one side that can be to move, if only one can.
fn implied_turn(setup: &Setup) -> Option<Color> {
    let can = |turn: Color| takeable_king(&Setup { turn, ..setup.clone() }).is_none();
    match (can(Color::White), can(Color::Black)) {
        (true, false) => Some(Color::White),
        (false, true) => Some(Color::Black),
        _ => None,
    }
}

fn read_en_passant(setup: &mut Setup, text: &str, repairs: &mut Vec<Repair>) {
    let Ok(given) = text.to_ascii_lowercase().parse::<Square>() else {
        return; // `-`; anything else was refused when the fields were split.
    };
    if is_possible_ep(setup, given) {
        setup.ep_square = Some(given);
        return;
    }
    let behind = given
        .offset(setup.turn.fold_wb(8, -8))
        .filter(|square| is_possible_ep(setup, *square));
    if let Some(read) = behind {
        setup.ep_square = Some(read);
        repairs.push(Repair::EnPassantMoved { given, read });
    } else {
        repairs.push(Repair::EnPassantDropped(clip(text)));
    }
}

fn read_counters(setup: &mut Setup, clock: Option<&str>, number: Option<&str>, repairs: &mut Vec<Repair>) {
    // Only digits get here, so what does not parse is too large.
    match clock.map(|text| (text, text.parse::<u32>())) {
        Some((_, Ok(clock))) if clock <= MAX_CLOCK => setup.halfmoves = clock,
        Some((text, _)) => repairs.push(Repair::ClockTooLarge(clip(text))),
        None => {}
    }
    let mut given = 1;
    match number.map(|text| (text, text.parse::<u32>())) {
        Some((_, Ok(0))) => repairs.push(Repair::NumberZero),
        Some((_, Ok(number))) if number <= MAX_NUMBER => given = number,
        Some((text, _)) => repairs.push(Repair::NumberTooLarge(clip(text))),
        None => {}
    }
    // A clock of n half-moves needs n half-moves to have been played.
    let black = u32::from(setup.turn.is_black());
    let least = 1 + setup.halfmoves.saturating_sub(black).div_ceil(2);
    if given < least {
        if number.is_some_and(|text| text.parse() == Ok(given)) {
            repairs.push(Repair::NumberRaised { given, read: least });
        }
        given = least;
    }
    setup.fullmoves = NonZeroU32::new(given).unwrap_or(NonZeroU32::MIN);
}
