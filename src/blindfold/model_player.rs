//! Models of our own format as players.

use thiserror::Error;

use super::{
    notation::{Notation, NotationError},
    run_file::BlindPlayerKind,
    token::TOKENS,
};
use crate::lm::{
    LanguageModelDescription,
    header::{Header, Kind},
};

/// Why a language model can't be asked where the pieces are.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UnfitModel {
    /// It speaks another language.
    #[error("its vocabulary has {0} tokens, and games are written with {TOKENS}")]
    Vocabulary(usize),
    /// Nobody knows how it is to be asked.
    #[error("its header gives {found:?} as its notation; {error}")]
    Notation {
        /// What its header says.
        found: String,
        /// What it should say.
        error: NotationError,
    },
}

/// How the games were written that a model learned from.
///
/// # Errors
/// When it can't be asked about games at all.
pub fn notation_of(header: &Header) -> Result<Notation, UnfitModel> {
    if header.vocabulary != usize::from(TOKENS) {
        return Err(UnfitModel::Vocabulary(header.vocabulary));
    }
    header.notation.parse().map_err(|error| UnfitModel::Notation {
        found: header.notation.clone(),
        error,
    })
}

impl BlindPlayerKind {
    /// The player that a model's file makes.
    ///
    /// # Errors
    /// When it can't be asked about games at all.
    pub fn of_model(description: &LanguageModelDescription) -> Result<Self, UnfitModel> {
        let LanguageModelDescription { header, sha256, .. } = description;
        let kind = match header.kind {
            Kind::Transformer => "transformer",
            Kind::Lstm => "lstm",
        };
        Ok(Self::Model {
            model: header.name.clone(),
            hash: sha256.clone(),
            notation: notation_of(header)?,
            kind: kind.to_owned(),
            layers: header.layers,
            heads: header.heads,
            width: header.width,
            window: header.window,
            games: header.games.and_then(|games| usize::try_from(games).ok()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(vocabulary: usize, notation: &str) -> LanguageModelDescription {
        LanguageModelDescription {
            header: Header {
                schema: "kibitz-lm-1".to_owned(),
                name: "small".to_owned(),
                kind: Kind::Lstm,
                layers: 2,
                heads: 0,
                width: 16,
                context: 64,
                window: None,
                vocabulary,
                notation: notation.to_owned(),
                games: Some(15_000),
                split: None,
                seed: None,
            },
            sha256: "00".to_owned(),
            bytes: 1000,
        }
    }

    #[test]
    fn a_file_becomes_a_player() {
        let player = BlindPlayerKind::of_model(&described(77, "rap25")).unwrap();
        assert_eq!(
            player,
            BlindPlayerKind::Model {
                model: "small".to_owned(),
                hash: "00".to_owned(),
                notation: Notation::Rap(25),
                kind: "lstm".to_owned(),
                layers: 2,
                heads: 0,
                width: 16,
                window: None,
                games: Some(15_000),
            }
        );
        assert_eq!(player.mode(), "ranked, rap25");
    }

    #[test]
    fn a_model_of_something_else_is_refused_in_words() {
        let refused = |vocabulary, notation| {
            BlindPlayerKind::of_model(&described(vocabulary, notation))
                .unwrap_err()
                .to_string()
        };
        assert!(refused(256, "uci").contains("256 tokens"), "{}", refused(256, "uci"));
        let error = refused(77, "english");
        assert!(error.contains("\"english\"") && error.contains("rap25"), "{error}");
    }
}
