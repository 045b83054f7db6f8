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
        self.use_tokens(used);
        if is_answer {
            self.answered += 1;
            self.failed.remove(task);
        } else {
            self.failed.insert(task.clone());
        }
    }

    /// Counts the tokens of a request that answers no task.
    pub fn use_tokens(&mut self, used: Option<Tokens>) {
        self.tokens = [self.tokens].into_iter().chain(used).sum();
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

/// How long it will take, in words: `About 40 s left`, `About 3 min left`.
#[must_use]
pub fn time_left(seconds: f64) -> String {
    let (each, unit) = match seconds {
        ..100.0 => (1.0, "s"),
        ..6_000.0 => (60.0, "min"),
        _ => (3_600.0, "h"),
    };
    format!("About {:.0} {unit} left", seconds / each)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_told_in_a_unit_that_fits() {
        let said = [0.4, 99.0, 150.0, 5_000.0, 9_000.0].map(time_left);
        let words = ["0 s", "99 s", "2 min", "83 min", "2 h"].map(|time| format!("About {time} left"));
        assert_eq!(said, words);
    }
}
