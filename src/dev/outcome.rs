//! How each check went, and the table that says so at the end.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::check::Check;
use crate::failure::Failure;

/// How one command of a check went.
struct Outcome {
    check: Check,
    what: String,
    took: Duration,
    failure: Option<Failure>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.failure.is_none() { "ok" } else { "FAILED" };
        let seconds = self.took.as_secs_f64();
        write!(
            f,
            "{:<7} {:<50} {verdict:<7} {seconds:>7.1} s",
            self.check.name(),
            self.what
        )
    }
}

/// All of them so far, from every thread that runs some.
#[derive(Default)]
pub struct Outcomes(Mutex<Vec<Outcome>>);

impl Outcomes {
    /// Adds one that began at `begun`.
    pub fn add(&self, check: Check, what: &str, begun: Instant, failure: Option<Failure>) {
        let outcome = Outcome {
            check,
            what: what.to_owned(),
            took: begun.elapsed(),
            failure,
        };
        // A thread that panicked while it held the list has only pushed to it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(outcome);
    }

    /// Prints the table, in the order of the checks.
    ///
    /// # Errors
    /// One that lists every check that failed, if any did.
    pub fn summary(self, start: Instant) -> Result<(), Failure> {
        let mut outcomes = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        outcomes.sort_by_key(|outcome| Check::ALL.iter().position(|check| *check == outcome.check));
        eprintln!();
        for outcome in &outcomes {
            eprintln!("{outcome}");
        }
        eprintln!("{:<66} {:>7.1} s", "all", start.elapsed().as_secs_f64());
        let failed: Vec<&Failure> = outcomes.iter().filter_map(|outcome| outcome.failure.as_ref()).collect();
        if failed.is_empty() {
            return Ok(());
        }
        let why: Vec<String> = failed.iter().map(ToString::to_string).collect();
        Err(Failure::Checks(format!(
            "{} of {} checks failed:\n{}",
            failed.len(),
            outcomes.len(),
            why.join("\n")
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_failure_fails_the_whole() {
        let outcomes = Outcomes::default();
        outcomes.add(Check::Lint, "the core", Instant::now(), None);
        assert!(outcomes.summary(Instant::now()).is_ok());
        let outcomes = Outcomes::default();
        outcomes.add(Check::Lint, "the core", Instant::now(), None);
        let missing = Failure::Missing("no clippy".to_owned());
        outcomes.add(Check::Lint, "the core", Instant::now(), Some(missing));
        let message = outcomes.summary(Instant::now()).unwrap_err().to_string();
        assert!(
            message.starts_with("1 of 2 checks failed") && message.contains("no clippy"),
            "{message}"
        );
    }
}
