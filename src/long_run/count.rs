//! How far a run is, kept up to date as rows come: to count a long run anew for each of them would take ever longer.

use std::collections::BTreeSet;

use super::tokens::{Prices, Tokens};

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Answers wanted.
    pub all: usize,
    /// Answers that are there, of whatever worth.
    pub answered: usize,
    /// Wanted, tried, and no answer came.
    pub failed: usize,
}

/// The count of a run whose tasks are of type `T`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count<T> {
    all: usize,
    answered: usize,
    failed: BTreeSet<T>,
    tokens: Tokens,
}

impl<T> Default for Count<T> {
    fn default() -> Self {
        Self {
            all: 0,
            answered: 0,
            failed: BTreeSet::new(),
            tokens: Tokens::default(),
        }
    }
}

impl<T: Ord + Clone> Count<T> {
    /// Of a run in which so many answers are wanted and so many there; `failed` are the tasks that were tried and have none,
    /// `tokens` those of all requests.
    #[must_use]
    pub const fn new(all: usize, answered: usize, failed: BTreeSet<T>, tokens: Tokens) -> Self {
        Self {
            all,
            answered,
            failed,
            tokens,
        }
    }

    /// Counts a row for a task that had no answer: whether it is one, and the tokens of its request where the server counted
    /// them.
    pub fn add(&mut self, task: &T, is_answer: bool, used: Option<Tokens>) {
        self.tokens = [self.tokens].into_iter().chain(used).sum();
        if is_answer {
            self.answered += 1;
            self.failed.remove(task);
        } else {
            self.failed.insert(task.clone());
        }
    }

    /// How far the run is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress {
            all: self.all,
            answered: self.answered,
            failed: self.failed.len(),
        }
    }

    /// Tokens of all requests, errors included.
    #[must_use]
    pub const fn tokens(&self) -> Tokens {
        self.tokens
    }
}

/// A count with its word: `1 move`, `2 moves`.
#[must_use]
pub fn several(count: usize, word: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {word}{plural}")
}

/// What so many answers with about so many tokens will take, in words; `who` gives them: "The model".
#[must_use]
pub fn forecast(who: &str, answers: usize, tokens: Tokens, prices: Prices) -> String {
    let cost = match prices == Prices::default() {
        true => String::new(),
        false => format!("; cost {:.4}", prices.cost(tokens)),
    };
    format!(
        "{who} has {} to give: about {} tokens in prompts, at most about {} in replies{cost}.",
        several(answers, "answer"),
        tokens.prompt,
        tokens.completion
    )
}
