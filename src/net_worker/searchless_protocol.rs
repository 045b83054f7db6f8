//! What the page asks of models without search, and what the worker says to it; [`super::protocol`] carries both, with the ids.

use serde::{Deserialize, Serialize};

use crate::searchless::SearchlessDescription;

/// Rows that one request may hold: no position has more than 218 moves.
pub const MOST_ROWS: usize = 256;
/// Models that are in use at the same time: one of each kind, and some of the reader's own.
pub const MOST_MODELS: usize = 6;

/// From the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum SearchlessRequest {
    /// Use the model whose file is `data`, beside those in use.
    Load,
    /// What does a model say of these rows of symbols?
    Read {
        /// SHA-256 of a model in use.
        model: String,
        /// At most [`MOST_ROWS`].
        rows: Vec<Vec<u16>>,
    },
}

/// From the worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum SearchlessReply {
    /// The model is in use.
    Loaded {
        /// What it is.
        model: Box<SearchlessDescription>,
    },
    /// The file is no model that can be run.
    Refused {
        /// What was found, to follow "This model was not loaded: ".
        reason: String,
    },
    /// `data` is a `Float32Array`: for each row, in their order, the model's outputs before any softmax.
    Read {
        /// SHA-256 of the model that was asked.
        model: String,
        /// Numbers of `data` that belong to each row.
        outputs: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net_worker::protocol::{Reply, Request};

    #[test]
    fn messages_are_json() {
        let request = Request::Searchless {
            id: 7,
            ask: SearchlessRequest::Read {
                model: "ab".to_owned(),
                rows: vec![vec![0, 317]],
            },
        };
        let json = serde_json::to_string(&request).unwrap();
        assert_eq!(
            json,
            r#"{"kind":"searchless","id":7,"ask":{"what":"read","model":"ab","rows":[[0,317]]}}"#
        );
        assert_eq!(serde_json::from_str::<Request>(&json).unwrap(), request);
        let reply = Reply::Searchless {
            id: 7,
            said: SearchlessReply::Read {
                model: "ab".to_owned(),
                outputs: 128,
            },
        };
        let json = serde_json::to_string(&reply).unwrap();
        assert_eq!(serde_json::from_str::<Reply>(&json).unwrap(), reply);
    }
}
