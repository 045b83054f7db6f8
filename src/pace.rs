//! Long work that lets others have a turn: a page that works through hundreds of thousands of ratings goes on answering
//! its user meanwhile, and the same code runs through at once where nobody waits.
//!
//! Work that may be long is `async` and asks its [`Pace`] for a turn between steps of a few milliseconds at most.

use std::{
    future::{Future, ready},
    pin::pin,
    task::{Context, Poll, Waker},
};

/// How many rows of a table are one step: a fraction of a millisecond.
pub const ROWS: usize = 512;

/// When others have their turn.
pub trait Pace {
    /// Called between short steps: done at once while there is time, else when others have had their turn.
    fn turn(&self) -> impl Future<Output = ()>;
}

/// No turns for others.
#[derive(Debug, Clone, Copy, Default)]
pub struct AtOnce;

impl Pace for AtOnce {
    fn turn(&self) -> impl Future<Output = ()> {
        ready(())
    }
}

/// Runs work to its end that waits for nothing but its own turns, paced by [`AtOnce`].
pub fn at_once<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(done) = work.as_mut().poll(&mut context) {
            return done;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Gives way every second time.
    struct Polite(Cell<usize>);

    impl Pace for Polite {
        fn turn(&self) -> impl Future<Output = ()> {
            std::future::poll_fn(|_| {
                self.0.set(self.0.get() + 1);
                if self.0.get().is_multiple_of(2) {
                    Poll::Ready(())
                } else {
                    Poll::Pending
                }
            })
        }
    }

    async fn sum(numbers: &[u64], pace: &impl Pace) -> u64 {
        let mut sum = 0;
        for number in numbers {
            sum += number;
            pace.turn().await;
        }
        sum
    }

    #[test]
    fn turns_change_nothing_of_the_result() {
        assert_eq!(at_once(sum(&[1, 2, 3], &AtOnce)), 6);
        let polite = Polite(Cell::new(0));
        assert_eq!(at_once(sum(&[1, 2, 3], &polite)), 6);
        assert_eq!(polite.0.get(), 6);
    }
}
