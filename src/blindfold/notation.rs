//! The three notations: how a game becomes tokens, and tokens a game.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use shakmaty::{Role, Square};
use thiserror::Error;

use super::{
    ply::Ply,
    token::{Meaning, Token},
};
use crate::random::Rng;

/// Which moves have their type before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Notation {
    /// None: UCI.
    Uci,
    /// Each with this probability in per cent, 1 to 100: UCI + RAP, "randomly annotated piece type". Only what a model learns
    /// from is written so; what it is tested on is UCI.
    Rap(u8),
    /// All, when a model is tested too: UCI + AP, "always piece type".
    Ap,
}

/// A word that names no notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a notation is uci, ap, or rap with the chance of a type in per cent, 1 to 100, such as rap25")]
pub struct NotationError;

impl Notation {
    /// The tokens of a game, from [`Token::BEGIN`] to [`Token::END`]. Castling never has a type. Of RAP the types are drawn from
    /// `rng`, once for every ply, castling included, so that the same stream gives the same types; the others draw nothing.
    #[must_use]
    pub fn encode(self, plies: &[Ply], rng: &mut Rng) -> Vec<Token> {
        let mut tokens = Vec::with_capacity(3 * plies.len() + 2);
        tokens.push(Token::BEGIN);
        for ply in plies {
            let typed = match self {
                Self::Uci => false,
                Self::Rap(per_cent) => rng.below(100) < usize::from(per_cent),
                Self::Ap => true,
            };
            if typed {
                tokens.extend(ply.piece.map(Token::of_type));
            }
            push_move(&mut tokens, *ply);
        }
        tokens.push(Token::END);
        tokens
    }

    /// What a model is given before a question: the moves so far, as it is tested on them, without an end.
    #[must_use]
    pub fn prefix(self, plies: &[Ply]) -> Vec<Token> {
        let tested = match self {
            Self::Uci | Self::Rap(_) => Self::Uci,
            Self::Ap => Self::Ap,
        };
        // Neither of the two draws.
        let mut tokens = tested.encode(plies, &mut Rng::new(0));
        tokens.pop();
        tokens
    }

    /// Whether models of it know types, so that they can be asked where a piece starts.
    #[must_use]
    pub const fn knows_types(self) -> bool {
        !matches!(self, Self::Uci)
    }
}

fn push_move(tokens: &mut Vec<Token>, ply: Ply) {
    tokens.extend([Token::of_square(ply.from), Token::of_square(ply.to)]);
    tokens.extend(ply.promotion.and_then(Token::of_promotion));
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci => f.write_str("uci"),
            Self::Rap(per_cent) => write!(f, "rap{per_cent}"),
            Self::Ap => f.write_str("ap"),
        }
    }
}

impl FromStr for Notation {
    type Err = NotationError;

    fn from_str(word: &str) -> Result<Self, NotationError> {
        match word {
            "uci" => Ok(Self::Uci),
            "ap" => Ok(Self::Ap),
            _ => {
                let per_cent = word.strip_prefix("rap").and_then(|rest| rest.parse().ok());
                per_cent
                    .filter(|per_cent| (1..=100).contains(per_cent))
                    .map(Self::Rap)
                    .ok_or(NotationError)
            }
        }
    }
}

impl TryFrom<String> for Notation {
    type Error = NotationError;

    fn try_from(word: String) -> Result<Self, NotationError> {
        word.parse()
    }
}

impl From<Notation> for String {
    fn from(notation: Notation) -> Self {
        notation.to_string()
    }
}

/// Tokens that are no game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("token {place}: {what}")]
pub struct DecodeError {
    /// Which token, from 1.
    pub place: usize,
    /// What is wrong.
    pub what: DecodeFault,
}

/// What may be wrong with a token where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DecodeFault {
    /// The first token.
    #[error("a game begins with <s>")]
    NoBegin,
    /// The last token.
    #[error("a game ends with </s>, after a whole move")]
    NoEnd,
    /// The token after a type, or at the beginning of a move.
    #[error("here a move should start, with a square or a type")]
    NoStart,
    /// The token after a square where a move starts.
    #[error("here the square should stand on which the move ends")]
    NoTarget,
    /// A promotion that follows no move.
    #[error("a promotion follows no move")]
    StrayPromotion,
    /// Something after the end.
    #[error("something follows </s>")]
    AfterEnd,
}

/// The moves of a game's tokens, with the types that are written; whether they can be played is not looked at.
///
/// # Errors
/// At the first token that does not belong where it stands.
pub fn decode(tokens: &[Token]) -> Result<Vec<Ply>, DecodeError> {
    let failed = |place: usize, what| Err(DecodeError { place: place + 1, what });
    if tokens.first() != Some(&Token::BEGIN) {
        return failed(0, DecodeFault::NoBegin);
    }
    let mut plies: Vec<Ply> = Vec::new();
    let mut at = 1;
    loop {
        let meaning = |at: usize| tokens.get(at).map(|token| token.meaning());
        let square = |at: usize| tokens.get(at).and_then(|token| token.square());
        match meaning(at) {
            None => return failed(at, DecodeFault::NoEnd),
            Some(Meaning::End) if at + 1 == tokens.len() => return Ok(plies),
            Some(Meaning::End) => return failed(at + 1, DecodeFault::AfterEnd),
            Some(Meaning::Promotion(_)) => return failed(at, DecodeFault::StrayPromotion),
            Some(Meaning::Pad | Meaning::Begin) => return failed(at, DecodeFault::NoStart),
            Some(Meaning::Type(_) | Meaning::Square(_)) => {}
        }
        let piece: Option<Role> = match meaning(at) {
            Some(Meaning::Type(role)) => Some(role),
            _ => None,
        };
        at += usize::from(piece.is_some());
        let Some(from): Option<Square> = square(at) else {
            return failed(at, DecodeFault::NoStart);
        };
        let Some(to) = square(at + 1) else {
            return failed(at + 1, DecodeFault::NoTarget);
        };
        at += 2;
        let promotion = match meaning(at) {
            Some(Meaning::Promotion(role)) => Some(role),
            _ => None,
        };
        at += usize::from(promotion.is_some());
        plies.push(Ply {
            piece,
            from,
            to,
            promotion,
        });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        super::{
            ply::{replay, typed_text, uci_text},
            random_game::random_game,
        },
        *,
    };
    use crate::random::Rng;

    fn texts(tokens: &[Token]) -> Vec<String> {
        tokens.iter().map(Token::to_string).collect()
    }

    #[test]
    fn the_sequences_are_table_1() {
        let plies = replay("e2e4 e7e5 g1f3").unwrap().plies;
        let written = |notation: Notation| texts(&notation.encode(&plies, &mut Rng::new(1)));
        assert_eq!(
            written(Notation::Uci),
            ["<s>", "e2", "e4", "e7", "e5", "g1", "f3", "</s>"]
        );
        let all = ["<s>", "P", "e2", "e4", "P", "e7", "e5", "N", "g1", "f3", "</s>"];
        assert_eq!(
            (written(Notation::Ap), written(Notation::Rap(100))),
            (texts_of(&all), texts_of(&all))
        );
        // Tested on UCI whatever the share of types, but for AP.
        assert_eq!(
            texts(&Notation::Rap(100).prefix(&plies)),
            ["<s>", "e2", "e4", "e7", "e5", "g1", "f3"]
        );
        assert_eq!(texts(&Notation::Ap.prefix(&plies)), all[..10]);
        let drawn: Vec<usize> = (0..40)
            .map(|seed| Notation::Rap(15).encode(&plies, &mut Rng::new(seed)).len())
            .collect();
        assert!(drawn.contains(&8) && drawn.contains(&9), "{drawn:?}");
    }

    fn texts_of(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn words_come_back() {
        for word in ["uci", "rap1", "rap25", "rap100", "ap"] {
            let notation: Notation = word.parse().unwrap();
            assert_eq!(notation.to_string(), word);
            let json = serde_json::to_string(&notation).unwrap();
            assert_eq!(serde_json::from_str::<Notation>(&json).unwrap(), notation);
        }
        for word in ["", "san", "rap", "rap0", "rap101", "rap-1"] {
            assert_eq!(word.parse::<Notation>(), Err(NotationError), "{word}");
        }
    }

    #[test]
    fn what_is_no_game_is_refused_where_it_is_wrong() {
        let fault = |text: &str| {
            let tokens: Vec<Token> = text.split(' ').map(|word| word.parse().unwrap()).collect();
            let error = decode(&tokens).unwrap_err();
            (error.place, error.what)
        };
        assert_eq!(fault("e2 e4 </s>"), (1, DecodeFault::NoBegin));
        assert_eq!(fault("<s> e2 e4"), (4, DecodeFault::NoEnd));
        assert_eq!(fault("<s> P </s>"), (3, DecodeFault::NoStart));
        assert_eq!(fault("<s> e2 </s>"), (3, DecodeFault::NoTarget));
        assert_eq!(fault("<s> q </s>"), (2, DecodeFault::StrayPromotion));
        assert_eq!(fault("<s> a7 a8 q q </s>"), (5, DecodeFault::StrayPromotion));
        assert_eq!(fault("<s> </s> </s>"), (3, DecodeFault::AfterEnd));
        assert_eq!(fault("<s> <pad> </s>"), (2, DecodeFault::NoStart));
        assert_eq!(decode(&[]).unwrap_err().what, DecodeFault::NoBegin);
    }

    proptest! {
        #[test]
        fn games_come_back(seed: u64, plies in 0_usize..150, per_cent in 1_u8..=100) {
            let game = random_game(seed, plies);
            let bare: Vec<Ply> = game.iter().map(|ply| ply.bare()).collect();
            let mut rng = Rng::new(seed);
            prop_assert_eq!(&decode(&Notation::Ap.encode(&game, &mut rng)).unwrap(), &game);
            prop_assert_eq!(&decode(&Notation::Uci.encode(&game, &mut rng)).unwrap(), &bare);
            let drawn = decode(&Notation::Rap(per_cent).encode(&game, &mut rng)).unwrap();
            prop_assert_eq!(drawn.len(), game.len());
            for (drawn, ply) in drawn.iter().zip(&game) {
                prop_assert_eq!(drawn.bare(), ply.bare());
                prop_assert!(drawn.piece.is_none() || drawn.piece == ply.piece);
            }
            prop_assert_eq!(&replay(&uci_text(&game)).unwrap().plies, &game);
            prop_assert_eq!(&replay(&typed_text(&game)).unwrap().plies, &game);
        }

        #[test]
        fn any_tokens_leave_the_reader_standing(numbers in proptest::collection::vec(0_u8..77, 0..40)) {
            let tokens: Vec<Token> = numbers.into_iter().map(|number| Token::new(number).unwrap()).collect();
            if let Ok(plies) = decode(&tokens) {
                // What is read is written alike again.
                let mut again = vec![Token::BEGIN];
                for ply in plies {
                    again.extend(ply.piece.map(Token::of_type));
                    push_move(&mut again, ply);
                }
                again.push(Token::END);
                prop_assert_eq!(again, tokens);
            }
        }
    }
}
