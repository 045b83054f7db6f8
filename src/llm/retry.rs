//! Whether to try again, and when.

use std::time::Duration;

use super::error::ChatError;

/// When a failed request is sent again. Only failures that may pass by themselves are, and never one that had already
/// brought text: the reader would see it vanish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Attempts in all, the first included.
    pub max_attempts: u32,
    /// Attempts in all while a local server loads its model.
    pub max_attempts_loading: u32,
    /// The wait after the first failure; each later one is twice the one before.
    pub first: Duration,
    /// The longest wait of our own.
    pub longest: Duration,
    /// The longest `Retry-After` that is waited for; a longer one is reported to the user instead.
    pub longest_asked: Duration,
}

impl Default for RetryPolicy {
    /// 1, 2, 4 s; while loading on to 8, 8, … s, 47 s in all.
    fn default() -> Self {
        Self {
            max_attempts: 4,
            max_attempts_loading: 9,
            first: Duration::from_secs(1),
            longest: Duration::from_secs(8),
            longest_asked: Duration::from_secs(60),
        }
    }
}

impl RetryPolicy {
    /// How long to wait before the next attempt, after `attempts` (1 or more) have failed, the last with `error`;
    /// `None` where it should not be tried again.
    ///
    /// A fifth of the wait is left to chance, drawn from `seed`, so that many pages do not return at once; what a server
    /// asked for is only ever lengthened.
    #[must_use]
    pub fn wait(&self, error: &ChatError, attempts: u32, seed: u64) -> Option<Duration> {
        let loading = matches!(error, ChatError::Overloaded { loading: true, .. });
        let most = if loading {
            self.max_attempts_loading
        } else {
            self.max_attempts
        };
        if attempts >= most || !may_pass(error) {
            return None;
        }
        let chance = draw(seed, attempts);
        if let Some(asked) = error.retry_after() {
            let own = self.first.mul_f64(0.2 * chance);
            return (asked <= self.longest_asked).then(|| asked + own);
        }
        let doubled = 2_u32
            .checked_pow(attempts.saturating_sub(1))
            .and_then(|times| self.first.checked_mul(times));
        let wait = doubled.unwrap_or(self.longest).min(self.longest);
        Some(wait.mul_f64(0.9 + 0.2 * chance))
    }
}

/// Whether the same request may succeed later.
fn may_pass(error: &ChatError) -> bool {
    match error {
        ChatError::RateLimited { .. } | ChatError::Overloaded { .. } => true,
        ChatError::Server { status, .. } => matches!(status, 408 | 409 | 425 | 500 | 502 | 504 | 520..=524),
        ChatError::BrokenStream { cause, .. } => error.kept().is_none() && cause.as_deref().is_none_or(may_pass),
        ChatError::Empty { thinking } => !thinking,
        // `Blocked` among them: a browser does not say what failed, and what blocks seldom passes.
        _ => false,
    }
}

/// A number from 0 to 1 out of a seed: the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
fn draw(seed: u64, attempts: u32) -> f64 {
    let mut z = seed.wrapping_add(u64::from(attempts).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    f64::from(((z ^ (z >> 31)) >> 32) as u32) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn busy(loading: bool, retry_after: Option<u64>) -> ChatError {
        ChatError::Overloaded {
            loading,
            retry_after: retry_after.map(Duration::from_secs),
            message: String::new(),
        }
    }

    fn broken(received: &str, cause: Option<ChatError>) -> ChatError {
        ChatError::BrokenStream {
            received: received.to_owned(),
            cause: cause.map(Box::new),
        }
    }

    #[test]
    fn only_what_may_pass_is_tried_again() {
        let policy = RetryPolicy::default();
        let again = |error: ChatError| policy.wait(&error, 1, 0).is_some();
        let server = |status| ChatError::Server {
            status,
            text: String::new(),
        };
        let key = || ChatError::Unauthorised {
            status: 401,
            message: String::new(),
        };
        assert!(again(busy(false, None)));
        assert!(again(server(500)) && again(server(502)) && !again(server(501)));
        assert!(again(broken("", None)) && again(broken("", Some(busy(false, None)))));
        assert!(!again(broken("White", None)) && !again(broken("", Some(key()))));
        assert!(again(ChatError::Empty { thinking: false }) && !again(ChatError::Empty { thinking: true }));
        assert!(!again(key()));
        assert!(!again(ChatError::blocked(
            "http://localhost:1",
            "http://localhost",
            true
        )));
        let received = String::new();
        assert!(!again(ChatError::TimedOut {
            seconds: 60,
            received: received.clone()
        }));
        assert!(!again(ChatError::Stopped { received }));
    }

    #[test]
    fn a_long_wait_is_left_to_the_user() {
        let policy = RetryPolicy::default();
        assert!(policy.wait(&busy(false, Some(60)), 1, 5).unwrap() >= Duration::from_secs(60));
        assert_eq!(policy.wait(&busy(false, Some(61)), 1, 5), None);
    }

    proptest! {
        #[test]
        fn waits_double_and_end(seed: u64, asked in 0_u64..60) {
            let policy = RetryPolicy::default();
            let waits = |error: &ChatError| -> Vec<f64> {
                (1..100).map_while(|n| policy.wait(error, n, seed)).map(|wait| wait.as_secs_f64()).collect()
            };
            let own = waits(&busy(true, None));
            prop_assert_eq!(own.len(), 8);
            for (wait, base) in own.iter().zip([1.0, 2.0, 4.0, 8.0, 8.0, 8.0, 8.0, 8.0]) {
                prop_assert!((0.9 * base..=1.1 * base + 1e-9).contains(wait), "{} for {}", wait, base);
            }
            prop_assert_eq!(&waits(&busy(false, None)), &own[..3]);
            for wait in waits(&busy(false, Some(asked))) {
                prop_assert!((asked as f64..=asked as f64 + 0.2 + 1e-9).contains(&wait));
            }
        }

        #[test]
        fn no_setting_overflows(n: u32, first: u64, seed: u64) {
            let policy = RetryPolicy { max_attempts: u32::MAX, first: Duration::from_secs(first), ..RetryPolicy::default() };
            if let Some(wait) = policy.wait(&busy(false, None), n, seed) {
                prop_assert!(wait <= Duration::from_secs(9));
            }
        }
    }
}
