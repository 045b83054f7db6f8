//! What the page asks of a language model, and what the worker says to it; [`super::protocol`] carries both, with the ids.

use serde::{Deserialize, Serialize};

use crate::lm::LanguageModelDescription;

/// Sequences that one request may hold.
pub const MOST_SEQUENCES: usize = 4096;

/// From the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum LmRequest {
    /// Use the model whose file is `data`. Until it is loaded, and when it is refused, the one in use stays.
    Load,
    /// What comes after each of these sequences of tokens? What one shares with the one before it is not read again, so those
    /// that begin alike belong side by side.
    Next {
        /// At most [`MOST_SEQUENCES`].
        sequences: Vec<Vec<u8>>,
    },
}

/// From the worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum LmReply {
    /// The model is in use.
    Loaded {
        /// What it is.
        model: Box<LanguageModelDescription>,
    },
    /// The file is no model that can be run.
    Refused {
        /// What was found, to follow "This model was not loaded: ".
        reason: String,
    },
    /// `data` is a `Float32Array`: for each sequence, in their order, the natural logarithm of every token's probability.
    Next {
        /// SHA-256 of the model that was asked.
        model: String,
        /// Numbers of `data` that belong to each sequence.
        vocabulary: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net_worker::protocol::{Reply, Request};

    #[test]
    fn messages_are_json() {
        let request = Request::LanguageModel {
            id: 7,
            ask: LmRequest::Next {
                sequences: vec![vec![1, 14], vec![1]],
            },
        };
        let json = serde_json::to_string(&request).unwrap();
        assert_eq!(
            json,
            r#"{"kind":"languagemodel","id":7,"ask":{"what":"next","sequences":[[1,14],[1]]}}"#
        );
        assert_eq!(serde_json::from_str::<Request>(&json).unwrap(), request);
        let reply = Reply::LanguageModel {
            id: 7,
            said: LmReply::Refused {
                reason: "it is cut short".to_owned(),
            },
        };
        let json = serde_json::to_string(&reply).unwrap();
        assert_eq!(serde_json::from_str::<Reply>(&json).unwrap(), reply);
    }
}
