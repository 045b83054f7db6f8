//! The vocabulary: 77 tokens, of which a byte holds one.

use std::{fmt, str::FromStr};

use shakmaty::{Role, Square};
use thiserror::Error;

/// How many tokens there are.
pub const TOKENS: u8 = 77;

/// The types, in the order of the authors' vocabulary file.
const TYPES: [Role; 6] = [
    Role::Pawn,
    Role::Knight,
    Role::Rook,
    Role::Bishop,
    Role::Queen,
    Role::King,
];
/// What a pawn may become, in the same file's order.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

const FIRST_TYPE: u8 = 3;
const FIRST_SQUARE: u8 = 9;
const FIRST_PROMOTION: u8 = 73;

/// A token by its number (table 8 of the paper): 0 `<pad>`, 1 `<s>`, 2 `</s>`, 3 to 8 the types P N R B Q K, 9 to 72 the squares
/// a1, b1, …, h8, 73 to 76 the promotions q r b n.
///
/// The authors' vocabulary file has the same tokens and begins and ends alike, but has its squares in the order in which their
/// games visit them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token(u8);

/// What a token stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// Fills a batch; in no game.
    Pad,
    /// Before the first move.
    Begin,
    /// After the last move.
    End,
    /// The type of the piece or pawn that moves, before its move.
    Type(Role),
    /// Where a move starts or ends.
    Square(Square),
    /// What the pawn that moved becomes.
    Promotion(Role),
}

/// A text or number that is no token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("this is none of the {TOKENS} tokens")]
pub struct NoToken;

impl Token {
    /// Fills a batch.
    pub const PAD: Self = Self(0);
    /// Begins a game.
    pub const BEGIN: Self = Self(1);
    /// Ends a game.
    pub const END: Self = Self(2);

    /// The token with this number.
    ///
    /// # Errors
    /// From 77 on there is none.
    pub const fn new(number: u8) -> Result<Self, NoToken> {
        if number < TOKENS {
            Ok(Self(number))
        } else {
            Err(NoToken)
        }
    }

    /// Every token, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..TOKENS).map(Self)
    }

    /// A type.
    #[must_use]
    pub fn of_type(role: Role) -> Self {
        Self(FIRST_TYPE + place(&TYPES, role))
    }

    /// A square.
    #[must_use]
    pub const fn of_square(square: Square) -> Self {
        // 0 to 63
        Self(FIRST_SQUARE + square.to_u32() as u8)
    }

    /// What a pawn becomes; `None` of pawns and kings.
    #[must_use]
    pub fn of_promotion(role: Role) -> Option<Self> {
        PROMOTIONS
            .contains(&role)
            .then(|| Self(FIRST_PROMOTION + place(&PROMOTIONS, role)))
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// What it stands for.
    #[must_use]
    pub fn meaning(self) -> Meaning {
        match self.0 {
            0 => Meaning::Pad,
            1 => Meaning::Begin,
            2 => Meaning::End,
            number if number < FIRST_SQUARE => Meaning::Type(TYPES[usize::from(number - FIRST_TYPE)]),
            number if number < FIRST_PROMOTION => Meaning::Square(Square::new(u32::from(number - FIRST_SQUARE))),
            number => Meaning::Promotion(PROMOTIONS[usize::from(number - FIRST_PROMOTION)]),
        }
    }

    /// The square that it stands for.
    #[must_use]
    pub fn square(self) -> Option<Square> {
        match self.meaning() {
            Meaning::Square(square) => Some(square),
            _ => None,
        }
    }

    /// Whether it names a type: what a model in UCI is never shown.
    #[must_use]
    pub fn is_type(self) -> bool {
        matches!(self.meaning(), Meaning::Type(_))
    }
}

fn place(roles: &[Role], role: Role) -> u8 {
    // There are six at most.
    roles.iter().position(|own| *own == role).unwrap_or(0) as u8
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.meaning() {
            Meaning::Pad => f.write_str("<pad>"),
            Meaning::Begin => f.write_str("<s>"),
            Meaning::End => f.write_str("</s>"),
            Meaning::Type(role) => write!(f, "{}", role.upper_char()),
            Meaning::Square(square) => write!(f, "{square}"),
            Meaning::Promotion(role) => write!(f, "{}", role.char()),
        }
    }
}

impl FromStr for Token {
    type Err = NoToken;

    fn from_str(text: &str) -> Result<Self, NoToken> {
        Self::all().find(|token| token.to_string() == text).ok_or(NoToken)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_vocabulary_is_table_8() {
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        for token in Token::all() {
            let kind = match token.meaning() {
                Meaning::Pad | Meaning::Begin | Meaning::End => "special",
                Meaning::Type(role) => {
                    assert_eq!(Token::of_type(role), token);
                    "type"
                }
                Meaning::Square(square) => {
                    assert_eq!((Token::of_square(square), token.square()), (token, Some(square)));
                    "square"
                }
                Meaning::Promotion(role) => {
                    assert_eq!(Token::of_promotion(role), Some(token));
                    "promotion"
                }
            };
            *kinds.entry(kind).or_default() += 1;
            assert_eq!(token.to_string().parse(), Ok(token));
            assert_eq!(Token::new(token.number()), Ok(token));
        }
        let kinds: Vec<_> = kinds.into_iter().collect();
        assert_eq!(kinds, [("promotion", 4), ("special", 3), ("square", 64), ("type", 6)]);
        assert_eq!(Token::new(77), Err(NoToken));
        assert_eq!(
            (Token::of_promotion(Role::King), "i9".parse::<Token>()),
            (None, Err(NoToken))
        );
    }

    #[test]
    fn it_begins_and_ends_as_the_authors_file_does() {
        let texts: Vec<String> = Token::all().map(|token| token.to_string()).collect();
        assert_eq!(
            texts[..10],
            ["<pad>", "<s>", "</s>", "P", "N", "R", "B", "Q", "K", "a1"]
        );
        assert_eq!(texts[72..], ["h8", "q", "r", "b", "n"]);
    }
}
