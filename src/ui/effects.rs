//! What follows a change of the state runs in turns with the browser.

use any_spawner::{CustomExecutor, Executor, PinnedFuture, PinnedLocalFuture};

use crate::browser::turns;

/// Has Leptos run its effects, and with them all drawing after the first, by [`turns`]. Before anything is mounted.
pub fn run_in_turns() {
    // Where somebody was first, the page works as it does elsewhere: all effects of a change at once.
    let _ = Executor::init_custom_executor(InTurns);
}

struct InTurns;

impl CustomExecutor for InTurns {
    fn spawn(&self, task: PinnedFuture<()>) {
        turns::spawn(task);
    }

    fn spawn_local(&self, task: PinnedLocalFuture<()>) {
        turns::spawn(task);
    }

    fn poll_local(&self) {}
}
