//! What a language model is.

use serde::{Deserialize, Serialize};

use crate::tensors::shape::{ShapeError, is_schema, share_evenly, within};

/// The `schema` of the header.
pub const SCHEMA: &str = "kibitz-lm-1";
/// The most layers of a model.
pub const MAX_LAYERS: usize = 48;
/// The most numbers that stand for a token.
pub const MAX_WIDTH: usize = 2048;
/// The most tokens that a model reads.
pub const MAX_CONTEXT: usize = 4096;

/// How a model remembers what it has read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Attention to all that came before, or to a window of it.
    Transformer,
    /// A recurrent network with long short-term memory.
    Lstm,
}

/// The header of a model's file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// [`SCHEMA`].
    pub schema: String,
    /// What it is called.
    #[serde(default)]
    pub name: String,
    /// How it remembers.
    pub kind: Kind,
    /// Layers, one upon the other.
    pub layers: usize,
    /// Heads of attention; 0 where there is none.
    pub heads: usize,
    /// Numbers that stand for a token in each layer.
    pub width: usize,
    /// The most tokens that it reads.
    pub context: usize,
    /// How many tokens back it sees; `None` is all of them.
    pub window: Option<usize>,
    /// Tokens of its vocabulary.
    pub vocabulary: usize,
    /// How its text is written, in the words of whoever trained it.
    pub notation: String,
    /// Texts that it was trained on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// What they are called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<String>,
    /// Of its training.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

impl Header {
    /// The most tokens of a vocabulary: a token is a byte.
    pub const MAX_VOCABULARY: usize = 256;

    /// Checks that a model can be like that.
    ///
    /// # Errors
    /// When it cannot.
    pub fn check(&self) -> Result<(), ShapeError> {
        is_schema(&self.schema, SCHEMA)?;
        within("layers", self.layers, 1, MAX_LAYERS)?;
        within("width", self.width, 1, MAX_WIDTH)?;
        within("context", self.context, 1, MAX_CONTEXT)?;
        within("vocabulary", self.vocabulary, 2, Self::MAX_VOCABULARY)?;
        if let Some(window) = self.window {
            within("window", window, 1, MAX_CONTEXT)?;
        }
        if self.kind == Kind::Transformer {
            share_evenly(self.heads, self.width)?;
        }
        Ok(())
    }

    /// What it is in a few words: "transformer, 4 layers of 128".
    #[must_use]
    pub fn shape(&self) -> String {
        let kind = match self.kind {
            Kind::Transformer => "transformer",
            Kind::Lstm => "LSTM",
        };
        let window = self
            .window
            .map_or_else(String::new, |window| format!(", window {window}"));
        let layers = if self.layers == 1 { "layer" } else { "layers" };
        format!("{kind}, {} {layers} of {}{window}", self.layers, self.width)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A model's header in its smallest form.
    pub fn tiny() -> Header {
        Header {
            schema: SCHEMA.to_owned(),
            name: "tiny".to_owned(),
            kind: Kind::Transformer,
            layers: 2,
            heads: 2,
            width: 16,
            context: 64,
            window: None,
            vocabulary: 77,
            notation: "uci".to_owned(),
            games: None,
            split: None,
            seed: None,
        }
    }

    #[test]
    fn what_no_model_can_be_is_refused_by_name() {
        type Change = fn(&mut Header);
        assert_eq!(tiny().check(), Ok(()));
        let other = |change: Change| {
            let mut header = tiny();
            change(&mut header);
            header.check().map_err(|error| error.to_string())
        };
        let cases: [(Change, &str); 7] = [
            (|h| h.schema = "kibitz-lm-2".to_owned(), "kibitz-lm-2"),
            (|h| h.layers = 0, "layers"),
            (|h| h.width = usize::MAX, "width"),
            (|h| h.context = 1 << 40, "context"),
            (|h| h.vocabulary = 1, "vocabulary"),
            (|h| h.window = Some(0), "window"),
            (|h| h.heads = 3, "3 heads"),
        ];
        for (change, said) in cases {
            let error = other(change).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
        // An LSTM has no heads.
        assert_eq!(
            other(|h| {
                h.kind = Kind::Lstm;
                h.heads = 0;
            }),
            Ok(())
        );
    }

    #[test]
    fn a_shape_is_said_in_a_few_words() {
        let windowed = Header {
            window: Some(50),
            ..tiny()
        };
        assert_eq!(tiny().shape(), "transformer, 2 layers of 16");
        assert_eq!(windowed.shape(), "transformer, 2 layers of 16, window 50");
    }
}
