//! Splitting a FEN into its six fields, as loosely as people write it.

use shakmaty::{Color, Piece, Rank, Role, Setup, Square};

use super::{
    castling_field,
    fen_error::{FenError, FenField},
    placement::{clip, read_placement},
    repair::Repair,
};

/// The longest text taken for a FEN, in bytes. A FEN has under 100; the rest is room for EPD comments.
pub const MAX_FEN_BYTES: usize = 4096;

/// Where the colon of a label before a FEN is looked for, in bytes.
const LONGEST_LABEL: usize = 32;

/// The fields, each as it was written; `None` where it is missing.
pub(super) struct Fields {
    pub placement: String,
    pub turn: Option<Color>,
    pub castling: Option<String>,
    pub en_passant: Option<String>,
    /// Half-moves without a capture or pawn's move: digits, of any number.
    pub clock: Option<String>,
    /// The full move's number: digits, of any number.
    pub number: Option<String>,
    pub repairs: Vec<Repair>,
    /// What follows, trimmed.
    pub rest: String,
}

/// Splits `text`. With `whole`, nothing but a FEN is expected, so a field of the wrong shape is refused; without, a
/// word of the wrong shape is where the FEN ends (a move, an EPD operation).
pub(super) fn split_fields(text: &str, whole: bool) -> Result<Fields, FenError> {
    if text.len() > MAX_FEN_BYTES && whole {
        return Err(FenError::TooLong(text.len()));
    }
    let mut repairs = Vec::new();
    let text = unwrapped(text, &mut repairs);
    let mut words = Words { rest: &text };
    let placement = words.take().ok_or(FenError::Empty)?.to_owned();
    if placement.len() > MAX_FEN_BYTES {
        return Err(FenError::TooLong(text.len()));
    }
    // A wrong board is the first thing to say, whatever else is wrong; and the en passant field needs it below.
    let (board, _) = read_placement(&placement)?;

    let turn = split_turn(&mut words, &mut repairs)?;
    let mut missing = Vec::new();
    let mut dashes = false;

    let castling = match words.peek().map(plain_dash) {
        Some(word) if castling_field::looks_like(&word) => Some(word),
        Some(word) if word.chars().all(|c| c.is_ascii_alphabetic()) && !rest_is_epd(&words) => {
            return Err(FenError::Castling(clip(&word)));
        }
        _ => None,
    };
    dashes |= words.take_if(castling.is_some(), &mut missing, FenField::Castling);

    let setup = Setup {
        board,
        turn: turn.unwrap_or(Color::White),
        ..Setup::empty()
    };
    let en_passant = split_en_passant(&words, &setup, whole)?;
    dashes |= words.take_if(en_passant.is_some(), &mut missing, FenField::EnPassant);

    let clock = split_counter(&mut words, FenField::Clock, whole, &mut missing)?;
    let number = split_counter(&mut words, FenField::Number, whole, &mut missing)?;
    if dashes {
        repairs.push(Repair::Dashes);
    }
    if !missing.is_empty() {
        repairs.push(Repair::Missing(missing));
    }
    let rest = words.rest.trim().to_owned();
    Ok(Fields {
        placement,
        turn,
        castling,
        en_passant,
        clock,
        number,
        repairs,
        rest,
    })
}

struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    fn peek(&self) -> Option<&'a str> {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len());
        (end > 0).then(|| &rest[..end])
    }

    fn peek_second(&self) -> Option<&'a str> {
        let mut words = Words { rest: self.rest };
        words.take();
        words.peek()
    }

    fn take(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.rest = &self.rest.trim_start()[word.len()..];
        Some(word)
    }

    /// Takes the next word as `field`, or notes the field as missing. True where the word was a typographic dash.
    fn take_if(&mut self, present: bool, missing: &mut Vec<FenField>, field: FenField) -> bool {
        if present {
            self.take().is_some_and(|word| plain_dash(word) != word)
        } else {
            missing.push(field);
            false
        }
    }
}

fn rest_is_epd(words: &Words) -> bool {
    words.rest.contains(';')
}

fn is_digits(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

fn plain_dash(word: &str) -> String {
    word.chars().map(|c| if is_dash(c) { '-' } else { c }).collect()
}

/// Hyphens and dashes that word processors put for `-`.
pub(super) fn is_dash(c: char) -> bool {
    matches!(
        c,
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}'
    )
}

/// Takes labels, quotes and unusual separators away.
fn unwrapped(text: &str, repairs: &mut Vec<Repair>) -> String {
    let mut text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    // There may be megabytes behind it.
    let head = &text[..text.floor_char_boundary(LONGEST_LABEL)];
    let label = head.find([':', '=']).filter(|end| {
        let label = head[..*end].trim();
        label.eq_ignore_ascii_case("fen") || label.eq_ignore_ascii_case("epd") || label.eq_ignore_ascii_case("position")
    });
    if let Some(end) = label {
        text = text[end + 1..].trim();
        repairs.push(Repair::Label);
    } else if let Some((label, rest)) = text.split_once(char::is_whitespace)
        && label.eq_ignore_ascii_case("fen")
    {
        text = rest.trim();
        repairs.push(Repair::Label);
    }
    let quote = |c: char| matches!(c, '"' | '\'' | '`' | '“' | '”' | '„' | '‘' | '’' | '«' | '»');
    let opened = text.trim_start_matches(quote);
    if opened.len() < text.len() {
        // Only the quotes that the opening ones answer to: an EPD may end in a quote of its own.
        let count = text[..text.len() - opened.len()].chars().count();
        text = opened.trim_end_matches([',', ' ']);
        for _ in 0..count {
            text = text.strip_suffix(quote).unwrap_or(text);
        }
        repairs.push(Repair::Quotes);
    }
    let first = text.split(' ').next().unwrap_or_default();
    let odd_space = |c: char| c.is_whitespace() && !matches!(c, ' ' | '\t' | '\n' | '\r');
    let underscores = first.contains('_');
    // Few texts have a byte of one, and bytes are looked at much faster.
    let may_have_odd = |byte: u8| !byte.is_ascii() || matches!(byte, 0x0b | 0x0c);
    if underscores || (text.bytes().any(may_have_odd) && text.contains(odd_space)) {
        repairs.push(Repair::Separators);
        let end = if underscores { first.len() } else { 0 };
        return text
            .char_indices()
            .map(|(at, c)| if odd_space(c) || (c == '_' && at < end) { ' ' } else { c })
            .collect();
    }
    text.to_owned()
}

fn split_turn(words: &mut Words, repairs: &mut Vec<Repair>) -> Result<Option<Color>, FenError> {
    let Some(word) = words.peek() else { return Ok(None) };
    if let Some((color, plain)) = read_turn(word) {
        words.take();
        if !plain {
            repairs.push(Repair::TurnSpelling(word.to_owned(), color));
        }
        return Ok(Some(color));
    }
    if castling_field::looks_like(&plain_dash(word)) || is_digits(word) {
        return Ok(None); // the field is missing: this is the next one
    }
    Err(FenError::Turn(clip(word)))
}

fn split_en_passant(words: &Words, setup: &Setup, whole: bool) -> Result<Option<String>, FenError> {
    let Some(word) = words.peek().map(plain_dash) else {
        return Ok(None);
    };
    let followed_by_number = words.peek_second().is_some_and(is_digits);
    if word == "-" {
        return Ok(Some(word));
    }
    if let Ok(square) = word.to_ascii_lowercase().parse::<Square>() {
        // `… w - e4` may be a FEN without the field and the move e4: it is the field where it can be one.
        let field = whole || followed_by_number || is_possible_ep(setup, square);
        return Ok(field.then_some(word));
    }
    if is_digits(&word) || rest_is_epd(words) || !(whole || followed_by_number) {
        return Ok(None);
    }
    Err(FenError::EnPassant(clip(&word)))
}

fn split_counter(
    words: &mut Words,
    field: FenField,
    whole: bool,
    missing: &mut Vec<FenField>,
) -> Result<Option<String>, FenError> {
    match words.peek() {
        Some(word) if is_digits(word) => Ok(words.take().map(str::to_owned)),
        Some(word) if plain_dash(word) == "-" => {
            words.take();
            missing.push(field);
            Ok(None)
        }
        // A sign or a decimal point: meant as the counter. Anything else is what follows the FEN.
        Some(word) if whole && !rest_is_epd(words) && word.contains(|c: char| c.is_alphanumeric()) => {
            Err(FenError::Counter {
                field,
                text: clip(word),
            })
        }
        _ => {
            missing.push(field);
            Ok(None)
        }
    }
}

/// Whether a pawn of the side not to move can just have stepped over `square`.
pub(super) fn is_possible_ep(setup: &Setup, square: Square) -> bool {
    let pawn = Piece {
        color: !setup.turn,
        role: Role::Pawn,
    };
    let (Some(stepped_to), Some(stepped_from)) = (
        square.offset(setup.turn.fold_wb(-8, 8)),
        square.offset(setup.turn.fold_wb(8, -8)),
    ) else {
        return false;
    };
    square.rank() == setup.turn.relative_rank(Rank::Sixth)
        && setup.board.piece_at(stepped_to) == Some(pawn)
        && setup.board.piece_at(square).is_none()
        && setup.board.piece_at(stepped_from).is_none()
}

/// Whether `text` is one of the words for a side, and which; `true` where it is the letter that a FEN wants.
fn read_turn(text: &str) -> Option<(Color, bool)> {
    match text {
        "w" => Some((Color::White, true)),
        "b" => Some((Color::Black, true)),
        other => match other.to_ascii_lowercase().as_str() {
            "w" | "white" => Some((Color::White, false)),
            "b" | "black" => Some((Color::Black, false)),
            _ => None,
        },
    }
}
