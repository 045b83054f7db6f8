//! Games as bytes, for training: a line of JSON, then one byte a token, game after game.
//!
//! A program that trains reads the first line and takes the rest as it is (`numpy.frombuffer(rest, numpy.uint8)`); every game
//! begins with 1 and ends with 2, and there is no padding. In [`Notation::Ap`] every type is there: UCI is the same without
//! the bytes 3 to 8, and UCI + RAP p drops each of them with probability 1 − p, anew in each epoch.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    notation::{DecodeError, Notation, decode},
    ply::Ply,
    token::{TOKENS, Token},
};
use crate::random::Rng;

/// The version of the file's shape.
pub const SCHEMA: u32 = 1;
/// The longest header, in bytes.
const LONGEST_HEADER: usize = 4096;

/// What the first line says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenHeader {
    /// [`SCHEMA`].
    pub blindfold_tokens: u32,
    /// Which part of the games this is.
    pub split: String,
    /// How they are written.
    pub notation: Notation,
    /// How many there are.
    pub games: usize,
    /// Bytes after the first line.
    pub tokens: usize,
    /// The seed of the splits, and of RAP's types.
    pub seed: u64,
    /// The program that wrote it.
    pub program: String,
}

/// A file of games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenFile {
    /// What the first line says.
    pub header: TokenHeader,
    /// The games, with the types that are written.
    pub games: Vec<Vec<Ply>>,
}

/// Why a file is none of games in tokens.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TokenFileError {
    /// No line of JSON at its beginning.
    #[error("the file does not begin with the line of a file of tokens")]
    NoHeader,
    /// It is of another shape.
    #[error("the file's shape is version {0}; this program reads version {SCHEMA}")]
    Schema(u32),
    /// Not as many bytes as the header says: cut off, or added to.
    #[error("the header promises {promised} tokens, and there are {found}")]
    Length {
        /// By the header.
        promised: usize,
        /// In the file.
        found: usize,
    },
    /// Not as many games.
    #[error("the header promises {promised} games, and there are {found}")]
    Games {
        /// By the header.
        promised: usize,
        /// In the file.
        found: usize,
    },
    /// A byte that is no token.
    #[error("byte {place} after the header is {byte}; tokens end at {}", TOKENS - 1)]
    NoToken {
        /// From 1.
        place: usize,
        /// What stands there.
        byte: u8,
    },
    /// A game that is none.
    #[error("game {game}: {error}")]
    Game {
        /// From 1.
        game: usize,
        /// What is wrong.
        error: DecodeError,
    },
}

/// The file of games. RAP's types are drawn with the seed.
#[must_use]
pub fn write_tokens(games: &[Vec<Ply>], split: &str, notation: Notation, seed: u64, program: &str) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let mut bytes = Vec::new();
    for game in games {
        bytes.extend(notation.encode(game, &mut rng).into_iter().map(Token::number));
    }
    let header = TokenHeader {
        blindfold_tokens: SCHEMA,
        split: split.to_owned(),
        notation,
        games: games.len(),
        tokens: bytes.len(),
        seed,
        program: program.to_owned(),
    };
    // Numbers and texts: nothing that JSON cannot hold.
    let mut file = serde_json::to_vec(&header).unwrap_or_default();
    file.push(b'\n');
    file.extend(bytes);
    file
}

/// Reads a file; whether the moves can be played is not looked at.
///
/// # Errors
/// When it is no such file, is cut off, or holds what is no game.
pub fn read_tokens(file: &[u8]) -> Result<TokenFile, TokenFileError> {
    let end = file.iter().take(LONGEST_HEADER).position(|byte| *byte == b'\n');
    let (line, rest) = file.split_at(end.ok_or(TokenFileError::NoHeader)?);
    let header: TokenHeader = serde_json::from_slice(line).map_err(|_| TokenFileError::NoHeader)?;
    if header.blindfold_tokens != SCHEMA {
        return Err(TokenFileError::Schema(header.blindfold_tokens));
    }
    let rest = &rest[1..];
    if rest.len() != header.tokens {
        return Err(TokenFileError::Length {
            promised: header.tokens,
            found: rest.len(),
        });
    }
    let mut games = Vec::new();
    let mut tokens = Vec::new();
    for (at, byte) in rest.iter().enumerate() {
        let token = Token::new(*byte).map_err(|_| TokenFileError::NoToken {
            place: at + 1,
            byte: *byte,
        })?;
        tokens.push(token);
        if token == Token::END || at + 1 == rest.len() {
            let game = decode(&tokens).map_err(|error| TokenFileError::Game {
                game: games.len() + 1,
                error,
            })?;
            games.push(game);
            tokens.clear();
        }
    }
    if games.len() != header.games {
        return Err(TokenFileError::Games {
            promised: header.games,
            found: games.len(),
        });
    }
    Ok(TokenFile { header, games })
}

#[cfg(test)]
mod tests {
    use super::{
        super::{notation::DecodeFault, ply::replay},
        *,
    };

    fn games() -> Vec<Vec<Ply>> {
        [
            "e2e4 e7e5 g1f3",
            "d2d4",
            "a2a4 b7b5 a4b5 a7a6 b5a6 g8f6 a6a7 f6g8 a7b8n",
        ]
        .map(|text| replay(text).unwrap().plies)
        .to_vec()
    }

    fn file(notation: Notation) -> Vec<u8> {
        write_tokens(&games(), "dev", notation, 3, "test")
    }

    #[test]
    fn files_come_back() {
        let read = read_tokens(&file(Notation::Ap)).unwrap();
        assert_eq!(read.games, games());
        assert_eq!((read.header.games, read.header.split.as_str()), (3, "dev"));
        let bare: Vec<Vec<Ply>> = games()
            .into_iter()
            .map(|game| game.into_iter().map(Ply::bare).collect())
            .collect();
        let uci = read_tokens(&file(Notation::Uci)).unwrap();
        assert_eq!(uci.games, bare);
        // 2 · 13 squares, a promotion, two ends of three games each: one byte a token.
        assert_eq!(uci.header.tokens, 26 + 1 + 6);
        assert_eq!(file(Notation::Rap(50)), file(Notation::Rap(50)), "the seed decides");
    }

    #[test]
    fn hostile_files_are_refused_by_name() {
        let good = file(Notation::Ap);
        let start = good.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        assert_eq!(read_tokens(b""), Err(TokenFileError::NoHeader));
        assert_eq!(read_tokens(&vec![b' '; 1 << 20]), Err(TokenFileError::NoHeader));
        assert_eq!(read_tokens(b"{}\n"), Err(TokenFileError::NoHeader));
        for end in start..good.len() {
            let cut = read_tokens(&good[..end]);
            assert!(matches!(cut, Err(TokenFileError::Length { .. })), "{end}: {cut:?}");
        }
        let mut with = good.clone();
        with[start + 1] = 77;
        assert_eq!(read_tokens(&with), Err(TokenFileError::NoToken { place: 2, byte: 77 }));
        with[start + 1] = 0;
        let refused = read_tokens(&with);
        assert!(
            matches!(&refused, Err(TokenFileError::Game { game: 1, error }) if error.what == DecodeFault::NoStart),
            "{refused:?}"
        );
        let text = String::from_utf8_lossy(&good[..start]).replace("\"games\":3", "\"games\":4");
        let promised = [text.as_bytes(), &good[start..]].concat();
        assert_eq!(
            read_tokens(&promised),
            Err(TokenFileError::Games { promised: 4, found: 3 })
        );
        let text = String::from_utf8_lossy(&good[..start]).replace("\"blindfold_tokens\":1", "\"blindfold_tokens\":2");
        let other = [text.as_bytes(), &good[start..]].concat();
        assert_eq!(read_tokens(&other), Err(TokenFileError::Schema(2)));
    }
}
