//! Tokens and what they cost.

use serde::{Deserialize, Serialize};

use crate::llm::{Reply, Usage};

/// Tokens that requests have used, as the servers counted them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tokens {
    /// Tokens of the prompts.
    pub prompt: u64,
    /// Tokens of the replies.
    pub completion: u64,
}

impl Tokens {
    /// Of all replies together, where the server counted every one and there is one.
    #[must_use]
    pub fn of(replies: &[Reply]) -> Option<Self> {
        let counted: Option<Vec<Self>> = replies.iter().map(|reply| reply.usage.map(Self::from)).collect();
        counted.filter(|all| !all.is_empty()).map(|all| all.into_iter().sum())
    }
}

impl From<Usage> for Tokens {
    fn from(Usage { prompt, completion, .. }: Usage) -> Self {
        Self { prompt, completion }
    }
}

impl std::iter::Sum for Tokens {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, tokens| Self {
            prompt: sum.prompt + tokens.prompt,
            completion: sum.completion + tokens.completion,
        })
    }
}

/// What tokens cost.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Prices {
    /// Of a million tokens of prompts.
    pub prompt: f64,
    /// Of a million tokens of replies.
    pub completion: f64,
}

impl Prices {
    /// In the currency of the prices.
    #[must_use]
    pub fn cost(&self, tokens: Tokens) -> f64 {
        (tokens.prompt as f64 * self.prompt + tokens.completion as f64 * self.completion) / 1e6
    }

    /// What these tokens have cost, in words; `None` without prices.
    #[must_use]
    pub fn spent(&self, tokens: Tokens) -> Option<String> {
        (*self != Self::default()).then(|| format!("{:.4} spent", self.cost(tokens)))
    }
}

/// Fields of requests that the server refused, so that it was asked without them; each once.
#[must_use]
pub fn given_up(replies: &[Reply]) -> Vec<String> {
    let mut fields: Vec<String> = Vec::new();
    for field in replies.iter().flat_map(|reply| &reply.given_up) {
        if !fields.iter().any(|known| known == field) {
            fields.push((*field).to_owned());
        }
    }
    fields
}
