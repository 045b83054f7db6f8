//! A move that somebody types: as [`read_move`] reads it; else with the piece letters of another language (`Sf3`, `Lb5`), or in
//! words (`knight takes e5`, `castles`), where that has one meaning in the position.

use shakmaty::{CastlingMode, Chess, Move, Role, Square, san::SanPlus};
use thiserror::Error;

use super::{
    move_error::MoveError, names::role_name, notation::read_move, placement::clip, written_move::without_number,
};

/// The longest text taken for a move in words, in bytes.
const MAX_TYPED_BYTES: usize = 80;

/// Piece letters, the piece, the languages that have it so. Letters that English has too are there for the hint alone.
const LETTERS: [(&str, Role, &str); 31] = [
    ("S", Role::Knight, "German"),
    ("S", Role::Bishop, "Czech"),
    ("L", Role::Bishop, "German and Dutch"),
    ("D", Role::Queen, "German, French and Spanish"),
    ("T", Role::Rook, "German, French and Spanish"),
    ("F", Role::Bishop, "French"),
    ("C", Role::Knight, "French, Spanish and Italian"),
    ("A", Role::Bishop, "Spanish and Italian"),
    ("A", Role::Knight, "Turkish"),
    ("H", Role::Queen, "Polish"),
    ("H", Role::Knight, "Hungarian"),
    ("W", Role::Rook, "Polish"),
    ("G", Role::Bishop, "Polish"),
    ("V", Role::Rook, "Czech"),
    ("V", Role::Queen, "Hungarian and Turkish"),
    ("J", Role::Knight, "Czech"),
    ("Ş", Role::King, "Turkish"),
    ("Кр", Role::King, "Russian"),
    ("Ф", Role::Queen, "Russian"),
    ("Л", Role::Rook, "Russian"),
    ("Т", Role::Rook, "Ukrainian"),
    ("С", Role::Bishop, "Russian"),
    ("К", Role::Knight, "Russian"),
    ("R", Role::King, "French, Spanish and Italian"),
    ("R", Role::Knight, "Finnish"),
    ("P", Role::Knight, "Dutch"),
    ("B", Role::Rook, "Hungarian"),
    ("B", Role::Bishop, "Portuguese"),
    ("K", Role::Rook, "Turkish"),
    ("N", Role::Bishop, "Romanian"),
    ("T", Role::Rook, "Dutch and Italian"),
];

/// Words for pieces, each in full.
const PIECES: [(&str, Role); 34] = [
    ("king", Role::King),
    ("queen", Role::Queen),
    ("rook", Role::Rook),
    ("castle", Role::Rook),
    ("bishop", Role::Bishop),
    ("knight", Role::Knight),
    ("horse", Role::Knight),
    ("pawn", Role::Pawn),
    ("könig", Role::King),
    ("dame", Role::Queen),
    ("turm", Role::Rook),
    ("läufer", Role::Bishop),
    ("springer", Role::Knight),
    ("bauer", Role::Pawn),
    ("roi", Role::King),
    ("tour", Role::Rook),
    ("fou", Role::Bishop),
    ("cavalier", Role::Knight),
    ("pion", Role::Pawn),
    ("rey", Role::King),
    ("dama", Role::Queen),
    ("torre", Role::Rook),
    ("alfil", Role::Bishop),
    ("caballo", Role::Knight),
    ("peón", Role::Pawn),
    ("koning", Role::King),
    ("toren", Role::Rook),
    ("loper", Role::Bishop),
    ("paard", Role::Knight),
    ("re", Role::King),
    ("regina", Role::Queen),
    ("alfiere", Role::Bishop),
    ("cavallo", Role::Knight),
    ("pedone", Role::Pawn),
];

/// Words that say that something is taken.
const TAKES: [&str; 9] = [
    "takes", "take", "captures", "capture", "x", "schlägt", "prend", "captura", "come",
];
/// Words that castle.
const CASTLES: [&str; 6] = ["castles", "castle", "castling", "rochade", "roque", "enroque"];
/// To the king's wing, and to the queen's.
const SHORT: [&str; 8] = [
    "kingside", "short", "king's", "kurze", "kleine", "petit", "corto", "right",
];
const LONG: [&str; 8] = [
    "queenside",
    "long",
    "queen's",
    "lange",
    "große",
    "grand",
    "largo",
    "left",
];
/// Words that change nothing.
const FILLERS: [&str; 26] = [
    "to",
    "on",
    "at",
    "the",
    "my",
    "from",
    "moves",
    "move",
    "goes",
    "go",
    "play",
    "plays",
    "i",
    "and",
    "check",
    "mate",
    "checkmate",
    "side",
    "with",
    "nach",
    "auf",
    "en",
    "por",
    "promotes",
    "becomes",
    "promoting",
];

/// Why a typed move is not played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TypedMoveError {
    /// Read as English, or as nothing.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// Legal by the letters of another language, which are letters of English too.
    #[error("{error} In {language} {letter} is the {}: for that, type {san}.", role_name(*.role))]
    Elsewhere {
        /// What is wrong with it in English.
        error: MoveError,
        /// The languages.
        language: &'static str,
        /// Their letter.
        letter: &'static str,
        /// What it stands for there.
        role: Role,
        /// The move, in SAN.
        san: String,
    },
    /// The letter is another language's, and the move cannot be.
    #[error("Read as {language}, where {letter} is the {}: {error}", role_name(*.role))]
    Language {
        /// The languages.
        language: &'static str,
        /// Their letter.
        letter: &'static str,
        /// What it stands for.
        role: Role,
        /// What is wrong with the move.
        error: MoveError,
    },
    /// The letters are of several languages, and no reading is the only one.
    #[error(
        "“{text}” is written with a piece letter of another language, and it is not clear what it stands for: write K, Q, R, B or N."
    )]
    Letter {
        /// As it was typed.
        text: String,
    },
}

/// Reads a typed move and finds it among the legal ones. What English makes of it goes first.
///
/// # Errors
/// Where no legal move, or more than one, is meant: what is wrong, in a sentence.
pub fn read_typed(position: &Chess, mode: CastlingMode, text: &str) -> Result<Move, TypedMoveError> {
    let read = |text: &str| read_move(position, mode, text);
    let bare = without_number(text.trim()).trim_matches(['"', '\'', '`', '“', '”', '*']);
    let foreign = translations(bare);
    let found = |translations: &[Translation]| {
        let mut moves: Vec<Move> = translations.iter().filter_map(|one| read(&one.text).ok()).collect();
        moves.dedup();
        moves
    };
    // `Dd4`: a capital letter that is a file's is read as that by English readers of squares alone.
    let is_file = bare.starts_with(['A', 'C', 'D', 'F', 'G', 'H']) && bare.contains(|c: char| c.is_ascii_lowercase());
    let english = read(text);
    if let Ok(mv) = &english
        && (!is_file || found(&foreign).iter().all(|other| other == mv))
    {
        return Ok(*mv);
    }
    let is_english = bare.starts_with(['K', 'Q', 'R', 'B', 'N', 'P']);
    if is_english || foreign.is_empty() {
        let error = match english {
            Ok(mv) => return Ok(mv),
            Err(error) => error,
        };
        if let Some(mv) = in_words(bare).map(|words| only(position, bare, words.iter().map(|text| read(text)))) {
            return Ok(mv?);
        }
        return Err(elsewhere(position, foreign, error, &read));
    }
    match (&found(&foreign)[..], english) {
        ([mv], Err(_)) => Ok(*mv),
        // The pawn of that file, or the piece.
        ([other], Ok(mv)) => Err(ambiguous(position, bare, &[mv, *other]).into()),
        ([], Ok(mv)) => Ok(mv),
        ([], Err(error)) => Err(match &foreign[..] {
            [one] => match read(&one.text) {
                Err(MoveError::NotAMove(_)) => error.into(),
                Err(error) => TypedMoveError::Language {
                    language: one.language,
                    letter: one.letter,
                    role: one.role,
                    error,
                },
                Ok(mv) => return Ok(mv),
            },
            _ => TypedMoveError::Letter { text: clip(bare) },
        }),
        _ => Err(TypedMoveError::Letter { text: clip(bare) }),
    }
}

/// The one legal move among readings; of none, the error of the first.
fn only(
    position: &Chess,
    text: &str,
    readings: impl Iterator<Item = Result<Move, MoveError>>,
) -> Result<Move, MoveError> {
    let (mut moves, mut error) = (Vec::new(), MoveError::Empty);
    for (number, reading) in readings.enumerate() {
        match reading {
            Ok(mv) => moves.push(mv),
            Err(found) if number == 0 => error = found,
            Err(_) => {}
        }
    }
    moves.dedup();
    match moves[..] {
        [mv] => Ok(mv),
        [] => Err(error),
        _ => Err(ambiguous(position, text, &moves)),
    }
}

fn ambiguous(position: &Chess, text: &str, moves: &[Move]) -> MoveError {
    let san = |mv: &Move| SanPlus::from_move(position.clone(), *mv).to_string();
    MoveError::Ambiguous {
        text: clip(text),
        candidates: moves.iter().map(san).collect(),
    }
}

/// The English reading's error, with the move that another language has in these letters.
fn elsewhere(
    position: &Chess,
    foreign: Vec<Translation>,
    error: MoveError,
    read: &impl Fn(&str) -> Result<Move, MoveError>,
) -> TypedMoveError {
    let legal = foreign.into_iter().find_map(|one| Some((read(&one.text).ok()?, one)));
    match legal {
        Some((mv, one)) => TypedMoveError::Elsewhere {
            error,
            language: one.language,
            letter: one.letter,
            role: one.role,
            san: SanPlus::from_move(position.clone(), mv).to_string(),
        },
        None => error.into(),
    }
}

/// A move with the letters of English in place of another language's.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Translation {
    text: String,
    language: &'static str,
    letter: &'static str,
    role: Role,
}

fn letter(role: Role) -> &'static str {
    match role {
        Role::King => "K",
        Role::Queen => "Q",
        Role::Rook => "R",
        Role::Bishop => "B",
        Role::Knight => "N",
        Role::Pawn => "",
    }
}

/// Whether this can follow the letter of a piece.
fn is_rest(text: &str) -> bool {
    let end = text.trim_end_matches(['+', '#', '!', '?', '.', ',', ' ']);
    end.ends_with(|c: char| c.is_ascii_digit())
        && end
            .chars()
            .all(|c| matches!(c, 'a'..='h' | '1'..='8' | 'x' | 'X' | '×' | ':' | '-' | '–' | ' '))
}

/// What a move can be in other languages than English; of readings that are the same, the first.
fn translations(text: &str) -> Vec<Translation> {
    let mut found: Vec<Translation> = Vec::new();
    let mut add = |text: String, (letter, role, language): (&'static str, Role, &'static str)| {
        if !found.iter().any(|one| one.text == text) {
            found.push(Translation {
                text,
                language,
                letter,
                role,
            });
        }
    };
    if text.len() > MAX_TYPED_BYTES || !text.contains(|c: char| c.is_ascii_digit()) {
        return found;
    }
    // The longest letters of a text: `Кр` before `К`.
    let longest = LETTERS
        .iter()
        .filter(|(own, ..)| text.starts_with(own))
        .map(|(own, ..)| own.len())
        .max();
    for row in LETTERS {
        let (own, role, _) = row;
        if Some(own.len()) == longest
            && let Some(rest) = text.strip_prefix(own)
            && is_rest(rest)
            && !(own.is_ascii() && own == letter(role))
        {
            // A blank between letter and square is no harm: `S f3`.
            add(format!("{}{}", letter(role), rest.trim_start()), row);
        }
        // `e8=D`, `e8D`, `bxa1(S)`.
        let body = text.trim_end_matches(['+', '#', '!', '?', ')']);
        let square = |rest: &str| rest.trim_end_matches(['=', '(', '/', ' ']).ends_with(['1', '8']);
        if text.starts_with(|c: char| c.is_ascii_lowercase())
            && !matches!(role, Role::King | Role::Pawn)
            && own != letter(role)
            && let Some(rest) = body.strip_suffix(own).filter(|rest| square(rest))
            && LETTERS.iter().find(|(other, ..)| *other == own) == Some(&row)
        {
            let rest = rest.trim_end_matches(['=', '(', '/', ' ']);
            add(format!("{rest}={}", letter(role)), row);
        }
    }
    found
}

/// A move in words, in the ways of writing moves; `None` where a word is none of a move's. Several where the piece is not named.
fn in_words(text: &str) -> Option<Vec<String>> {
    if text.len() > MAX_TYPED_BYTES {
        return None;
    }
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '.' | '!' | '-' | '=' | '(' | ')'))
        .filter(|word| !word.is_empty())
        .collect();
    let role_of = |word: &str| PIECES.iter().find(|(own, _)| *own == word).map(|(_, role)| *role);
    let is_square = |word: &str| word.parse::<Square>().is_ok();
    let castles = words.iter().any(|word| CASTLES.contains(word)) && !words.iter().any(|word| is_square(word));
    if castles {
        let side = |names: &[&str; 8]| words.iter().any(|word| names.contains(word));
        let known = |word: &&str| {
            CASTLES.contains(word)
                || SHORT.contains(word)
                || LONG.contains(word)
                || FILLERS.contains(word)
                || matches!(*word, "king" | "queen")
        };
        if !words.iter().all(known) {
            return None;
        }
        let sides = (
            side(&SHORT) || words.windows(2).any(|two| two == ["king", "side"]),
            side(&LONG) || words.windows(2).any(|two| two == ["queen", "side"]),
        );
        return Some(match sides {
            (true, false) => vec!["O-O".to_owned()],
            (false, true) => vec!["O-O-O".to_owned()],
            _ => vec!["O-O".to_owned(), "O-O-O".to_owned()],
        });
    }
    let (mut role, mut takes, mut from, mut squares, mut into) = (None, false, String::new(), Vec::new(), None);
    for (number, word) in words.iter().enumerate() {
        let next = words.get(number + 1);
        if let Some(named) = role_of(word) {
            // `pawn takes knight on d5`: what is taken need not be named.
            match (role, squares.is_empty(), takes) {
                (None, true, false) => role = Some(named),
                (_, _, true) if next.is_some_and(|next| is_square(next) || FILLERS.contains(next)) => {}
                (_, false, _) => into = Some(named),
                _ => return None,
            }
        } else if TAKES.contains(word) {
            takes = true;
        } else if is_square(word) {
            squares.push(*word);
        } else if matches!(*word, "a" | "an") && next.is_some_and(|next| role_of(next).is_some()) {
            // The article.
        } else if word.len() == 1
            && word.starts_with(|c: char| matches!(c, 'a'..='h' | '1'..='8'))
            && squares.is_empty()
        {
            from.push_str(word);
        } else if !FILLERS.contains(word) {
            // `rook ad1`: the file, then the square.
            let (head, square) = word.split_at_checked(1)?;
            if !(is_square(square) && head.starts_with(|c: char| matches!(c, 'a'..='h' | '1'..='8'))) {
                return None;
            }
            from.push_str(head);
            squares.push(square);
        }
    }
    let to = squares.pop()?;
    if squares.len() > 1 {
        return None;
    }
    let from = squares.first().map_or(from, |square| (*square).to_owned());
    let x = if takes { "x" } else { "" };
    let into = into.map_or_else(String::new, |role| format!("={}", letter(role)));
    let written = |role: &str| format!("{role}{from}{x}{to}{into}");
    Some(match role {
        Some(role) => vec![written(letter(role))],
        None if takes && from.is_empty() => ["", "N", "B", "R", "Q", "K"].map(written).into(),
        None => vec![written("")],
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::{Position, uci::UciMove};

    use super::{super::fen::read_fen, *};

    const ROWS: &str = include_str!("../../tests/data/typed-moves.tsv");

    fn said(fen: &str, text: &str) -> String {
        let read = read_fen(fen).unwrap();
        match read_typed(&read.position, read.mode, text) {
            Ok(mv) => SanPlus::from_move(read.position, mv).to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn moves_are_read_as_people_type_them() {
        let mut rows = ROWS.lines();
        assert_eq!(rows.next(), Some("fen\ttyped\tmeant"));
        let wrong: Vec<String> = rows
            .filter_map(|row| {
                let cells: Vec<&str> = row.split('\t').collect();
                let [fen, typed, meant] = cells[..] else {
                    panic!("{row}")
                };
                let found = said(fen, typed);
                (found != meant).then(|| format!("{typed}: {found} where {meant} was meant"))
            })
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    proptest! {
        #[test]
        fn any_text_leaves_the_reader_standing(text in "[a-hKQRBNSLDTFCAKр1-8xknight taesqu=:+ -]{0,30}") {
            let _ = read_typed(&Chess::default(), CastlingMode::Standard, &text);
        }

        /// Of a letter of English nothing but English is played: other languages have it in hints.
        #[test]
        fn what_english_reads_stays(choice in any::<prop::sample::Index>()) {
            let position = Chess::default();
            let legal = position.legal_moves();
            let mv = legal[choice.index(legal.len())];
            let san = SanPlus::from_move(position.clone(), mv).to_string();
            prop_assert_eq!(read_typed(&position, CastlingMode::Standard, &san), Ok(mv));
            let uci = UciMove::from_move(mv, CastlingMode::Standard).to_string();
            prop_assert_eq!(read_typed(&position, CastlingMode::Standard, &uci), Ok(mv));
        }
    }
}
