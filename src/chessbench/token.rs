//! A board as 77 symbols out of 31 characters, which is what a model reads.
//!
//! The released code is followed; the paper's appendix A.1 has the side to move behind the board, two symbols for the half-move
//! clock (so that the sum would be 76) and `-.` where no en passant is possible.

use std::fmt;

use shakmaty::{Chess, EnPassantMode, Square, fen::Fen};
use thiserror::Error;

/// The characters in the order of their numbers. `b` is a bishop, a file and Black; `.` is an empty square and what fills up a
/// field.
pub const CHARACTERS: &[u8; 31] = b"0123456789abcdefghpnrkqPBNRQKw.";

/// Symbols of a board: the side to move, 64 squares from a8 to h1, 4 for castling, 2 for en passant, 3 for the half-move clock, 3
/// for the number of the move.
pub const BOARD_TOKENS: usize = 77;

/// What a model of action values reads: a board, an action and the place of the answer.
pub const ACTION_VALUE_TOKENS: usize = BOARD_TOKENS + 2;

/// What a model of state values, or one that clones behavior, reads: a board and the place of the answer.
pub const STATE_TOKENS: usize = BOARD_TOKENS + 1;

/// The places of the fields.
const SQUARES: std::ops::Range<usize> = 1..65;
const CASTLING: std::ops::Range<usize> = 65..69;
const EN_PASSANT: std::ops::Range<usize> = 69..71;
const CLOCK: std::ops::Range<usize> = 71..74;
const NUMBER: std::ops::Range<usize> = 74..77;

/// A field of a FEN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// Where the men stand.
    Placement,
    /// Whose move it is.
    Side,
    /// Who may castle where.
    Castling,
    /// The en passant square.
    EnPassant,
    /// Half-moves since the last capture or pawn move.
    Clock,
    /// The number of the move.
    Number,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Placement => "placement",
            Self::Side => "side to move",
            Self::Castling => "castling field",
            Self::EnPassant => "en passant field",
            Self::Clock => "half-move clock",
            Self::Number => "move number",
        })
    }
}

/// Why a text or a row of numbers is no board.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TokenError {
    /// Not six fields with single spaces between them.
    #[error("a FEN has six fields, and this has {0}")]
    Fields(usize),
    /// A character that the field cannot have; rook files of Chess960 (`HAha`) are among them.
    #[error("the {field} cannot have the character {found:?}")]
    Character {
        /// Where.
        field: Field,
        /// Which.
        found: char,
    },
    /// The field is too short or too long for its symbols: the numbers have at most three digits.
    #[error("the {0} does not fit its symbols")]
    Length(Field),
    /// Another number of symbols.
    #[error("a board has {BOARD_TOKENS} symbols, and here are {0}")]
    Count(usize),
    /// Symbols at places where they mean nothing.
    #[error("the symbols are not in the places of a board's")]
    Misplaced,
    /// A number that no character has.
    #[error("no symbol has the number {0}")]
    Unknown(u8),
}

/// A board's symbols, by their numbers. Those of a legal FEN's form, whether or not the position is one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BoardTokens([u8; BOARD_TOKENS]);

impl BoardTokens {
    /// The symbols of a FEN as it is written, without turning the board.
    ///
    /// # Errors
    /// When it has not the form that fits the symbols.
    pub fn of_fen(fen: &str) -> Result<Self, TokenError> {
        let fields: Vec<&str> = fen.split(' ').collect();
        let [placement, side, castling, en_passant, clock, number] = fields[..] else {
            return Err(TokenError::Fields(fields.len()));
        };
        let mut text = [b'.'; BOARD_TOKENS];
        match side {
            "w" | "b" => text[0] = side.as_bytes()[0],
            _ => return Err(wrong(Field::Side, side)),
        }
        write_placement(&mut text[SQUARES], placement)?;
        if castling != "-" {
            fill(&mut text[CASTLING], castling, Field::Castling, |c| b"KQkq".contains(&c))?;
        }
        if en_passant != "-" {
            if en_passant.parse::<Square>().is_err() {
                return Err(wrong(Field::EnPassant, en_passant));
            }
            fill(&mut text[EN_PASSANT], en_passant, Field::EnPassant, |_| true)?;
        }
        fill(&mut text[CLOCK], clock, Field::Clock, |c| c.is_ascii_digit())?;
        fill(&mut text[NUMBER], number, Field::Number, |c| c.is_ascii_digit())?;
        // Every character that got here is one of the 31.
        Ok(Self(text.map(|c| number_of(c).unwrap_or_default())))
    }

    /// The symbols of a position; the en passant square is there where a capture is legal.
    ///
    /// # Errors
    /// Where castling needs the letter of a rook's file, and from move 1,000 on.
    pub fn of_position(position: &Chess) -> Result<Self, TokenError> {
        Self::of_fen(&Fen::from_position(position, EnPassantMode::Legal).to_string())
    }

    /// Symbols by their numbers.
    ///
    /// # Errors
    /// When they are not those of a board.
    pub fn of_numbers(numbers: &[u8]) -> Result<Self, TokenError> {
        let tokens: [u8; BOARD_TOKENS] = numbers.try_into().map_err(|_| TokenError::Count(numbers.len()))?;
        if let Some(unknown) = tokens.iter().find(|number| usize::from(**number) >= CHARACTERS.len()) {
            return Err(TokenError::Unknown(*unknown));
        }
        let tokens = Self(tokens);
        // What is read back has to be what is there: dots at the wrong places are not.
        match Self::of_fen(&tokens.fen()) {
            Ok(again) if again == tokens => Ok(tokens),
            Ok(_) => Err(TokenError::Misplaced),
            Err(error) => Err(error),
        }
    }

    /// Their numbers.
    #[must_use]
    pub const fn numbers(&self) -> &[u8; BOARD_TOKENS] {
        &self.0
    }

    /// The FEN that they say.
    #[must_use]
    pub fn fen(&self) -> String {
        let text = self.0.map(|number| CHARACTERS[usize::from(number)]);
        let mut fen = String::with_capacity(90);
        for (rank, row) in text[SQUARES].chunks(8).enumerate() {
            if rank > 0 {
                fen.push('/');
            }
            let mut empty = 0_u8;
            for c in row {
                if *c == b'.' {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    fen.push(char::from(b'0' + empty));
                    empty = 0;
                }
                fen.push(char::from(*c));
            }
            if empty > 0 {
                fen.push(char::from(b'0' + empty));
            }
        }
        fen.push(' ');
        fen.push(char::from(text[0]));
        for (range, none) in [(CASTLING, "-"), (EN_PASSANT, "-"), (CLOCK, ""), (NUMBER, "")] {
            fen.push(' ');
            let field: String = text[range]
                .iter()
                .take_while(|c| **c != b'.')
                .map(|c| char::from(*c))
                .collect();
            fen.push_str(if field.is_empty() { none } else { &field });
        }
        fen
    }
}

/// The 77 characters, as the released tokenizer would print them.
impl fmt::Display for BoardTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|number| write!(f, "{}", char::from(CHARACTERS[usize::from(*number)])))
    }
}

impl fmt::Debug for BoardTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BoardTokens({self})")
    }
}

fn number_of(character: u8) -> Option<u8> {
    // There are 31.
    CHARACTERS
        .iter()
        .position(|known| *known == character)
        .map(|place| place as u8)
}

fn write_placement(squares: &mut [u8], placement: &str) -> Result<(), TokenError> {
    let ranks: Vec<&str> = placement.split('/').collect();
    if ranks.len() != 8 {
        return Err(TokenError::Length(Field::Placement));
    }
    for (rank, row) in ranks.into_iter().zip(squares.chunks_mut(8)) {
        let mut file = 0;
        for c in rank.bytes() {
            match c {
                b'1'..=b'8' => file += usize::from(c - b'0'),
                _ if b"pnbrqkPNBRQK".contains(&c) => {
                    *row.get_mut(file).ok_or(TokenError::Length(Field::Placement))? = c;
                    file += 1;
                }
                _ => return Err(wrong(Field::Placement, rank)),
            }
        }
        if file != 8 {
            return Err(TokenError::Length(Field::Placement));
        }
    }
    Ok(())
}

fn fill(symbols: &mut [u8], text: &str, field: Field, may: impl Fn(u8) -> bool) -> Result<(), TokenError> {
    if let Some(found) = text.chars().find(|c| !u8::try_from(*c).is_ok_and(&may)) {
        return Err(TokenError::Character { field, found });
    }
    let bytes = text.as_bytes();
    if bytes.is_empty() || bytes.len() > symbols.len() {
        return Err(TokenError::Length(field));
    }
    symbols[..bytes.len()].copy_from_slice(bytes);
    Ok(())
}

/// The first character of a field that is in the way.
fn wrong(field: Field, text: &str) -> TokenError {
    let may = |c: char| match field {
        Field::Placement => "pnbrqkPNBRQK12345678".contains(c),
        _ => false,
    };
    match text.chars().find(|c| !may(*c)) {
        Some(found) => TokenError::Character { field, found },
        None => TokenError::Length(field),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::{CastlingMode, Position};

    use super::*;
    use crate::random::Rng;

    /// Written by `tests/data/chessbench/expected.py`.
    const EXPECTED: &str = include_str!("../../tests/data/chessbench/tokens.tsv");

    #[test]
    fn the_table_of_independent_code_is_met() {
        let mut count = 0;
        for line in EXPECTED.lines().filter(|line| !line.starts_with('#')) {
            let (fen, numbers) = line.split_once('\t').unwrap();
            let numbers: Vec<u8> = numbers.split(' ').map(|n| n.parse().unwrap()).collect();
            let tokens = BoardTokens::of_fen(fen).unwrap();
            assert_eq!(tokens.numbers()[..], numbers, "{fen}");
            assert_eq!(tokens.fen(), fen);
            assert_eq!(BoardTokens::of_numbers(&numbers), Ok(tokens));
            let position: Chess = fen
                .parse::<Fen>()
                .unwrap()
                .into_position(CastlingMode::Standard)
                .unwrap();
            assert_eq!(BoardTokens::of_position(&position), Ok(tokens));
            count += 1;
        }
        assert!(count >= 40, "{count}");
    }

    #[test]
    fn what_does_not_fit_is_refused_by_its_field() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let tokens = BoardTokens::of_fen(start).unwrap();
        assert_eq!(
            tokens.to_string(),
            format!("wrnbqkbnrpppppppp{}PPPPPPPPRNBQKBNRKQkq..0..1..", ".".repeat(32))
        );
        let with = |from: &str, to: &str| BoardTokens::of_fen(&start.replacen(from, to, 1)).unwrap_err();
        assert_eq!(with(" 0 1", ""), TokenError::Fields(4));
        assert_eq!(
            with(" w ", " x "),
            TokenError::Character {
                field: Field::Side,
                found: 'x'
            }
        );
        assert_eq!(
            with("KQkq", "HAha"),
            TokenError::Character {
                field: Field::Castling,
                found: 'H'
            }
        );
        assert_eq!(with("KQkq", "KQkqK"), TokenError::Length(Field::Castling));
        assert_eq!(with("0 1", "0 1000"), TokenError::Length(Field::Number));
        assert_eq!(with("0 1", "0 "), TokenError::Length(Field::Number));
        assert_eq!(
            with("0 1", "٣ 1"),
            TokenError::Character {
                field: Field::Clock,
                found: '٣'
            }
        );
        assert_eq!(
            with("/8", "/9"),
            TokenError::Character {
                field: Field::Placement,
                found: '9'
            }
        );
        assert_eq!(with("/8", "/8p"), TokenError::Length(Field::Placement));
        assert_eq!(with("/8", "/7"), TokenError::Length(Field::Placement));
        assert_eq!(
            with("- 0", "e9 0"),
            TokenError::Character {
                field: Field::EnPassant,
                found: 'e'
            }
        );
        assert_eq!(BoardTokens::of_numbers(&[0; 76]), Err(TokenError::Count(76)));
        assert_eq!(BoardTokens::of_numbers(&[31; 77]), Err(TokenError::Unknown(31)));
        let mut gap = *tokens.numbers();
        gap[66] = 30;
        assert!(BoardTokens::of_numbers(&gap).is_err());
    }

    proptest! {
        #[test]
        fn positions_come_back(seed in any::<u64>(), plies in 0_usize..200) {
            let mut rng = Rng::new(seed);
            let mut position = Chess::default();
            for _ in 0..plies {
                let moves = position.legal_moves();
                let Some(mv) = moves.get(rng.below(moves.len())) else { break };
                position.play_unchecked(*mv);
            }
            let tokens = BoardTokens::of_position(&position).unwrap();
            let read: Chess = tokens.fen().parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            prop_assert_eq!(&read, &position);
            prop_assert_eq!((read.halfmoves(), read.fullmoves()), (position.halfmoves(), position.fullmoves()));
            prop_assert_eq!(BoardTokens::of_numbers(tokens.numbers()), Ok(tokens));
        }

        #[test]
        fn any_text_and_any_numbers_leave_it_standing(text in ".{0,100}", numbers in prop::collection::vec(0_u8..33, 70..80)) {
            let _ = BoardTokens::of_fen(&text);
            if let Ok(tokens) = BoardTokens::of_numbers(&numbers) {
                prop_assert_eq!(BoardTokens::of_fen(&tokens.fen()), Ok(tokens));
            }
        }
    }
}
