//! What a change has the page draw anew, in turns: however much it is, the browser hears its user in between.
//!
//! A change of the page's state wakes everything that follows it, and all of that would run before the browser has its
//! turn again. Here what is left over when a turn has become long waits for the next one, in its order.

use std::{
    cell::{Cell, RefCell},
    future::{Future, poll_fn},
    pin::Pin,
    task::{Context, Poll, Waker},
};

use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::spawn_local;
use web_sys::{MessageChannel, MessagePort};

use super::clock;

/// How long a turn is, in milliseconds. What woke it came before it in the same task of the browser, and what has begun is
/// ended: together that stays below the 50 from which on browsers speak of a long task.
const TURN: f64 = 10.0;
/// What a turn may have lasted, in milliseconds, for work of its own to begin in it.
const FRESH: f64 = 2.0;

thread_local! {
    /// Since when this turn lasts; none, until something asks.
    static SINCE: Cell<Option<f64>> = const { Cell::new(None) };
    /// Who waits for the next turn.
    static WAITING: RefCell<Vec<Waker>> = const { RefCell::new(Vec::new()) };
    /// Who hears that the browser has had its turn.
    static NEXT: Option<MessagePort> = next();
}

/// Runs a task in turns with the others that are started here.
pub fn spawn(mut task: Pin<Box<dyn Future<Output = ()>>>) {
    spawn_local(poll_fn(move |context| match is_over(context) {
        true => Poll::Pending,
        false => task.as_mut().poll(context),
    }));
}

/// Lets the browser have its turn, and waits until nothing is left over from the turns before: what was changed is in the
/// page then. What is done next has a turn of its own.
pub async fn settled() {
    let mut has_waited = false;
    poll_fn(|context| {
        let is_turn = has_waited && lasts() < FRESH && WAITING.with_borrow(Vec::is_empty);
        has_waited = true;
        if begin() && !is_turn {
            wait(context);
            return Poll::Pending;
        }
        Poll::Ready(())
    })
    .await;
}

/// Whether this turn is over; who asks then is woken in the next one.
fn is_over(context: &Context<'_>) -> bool {
    // Nobody overtakes those who wait.
    let is_over = begin() && (lasts() > TURN || WAITING.with_borrow(|waiting| !waiting.is_empty()));
    if is_over {
        wait(context);
    }
    is_over
}

fn wait(context: &Context<'_>) {
    WAITING.with_borrow_mut(|waiting| waiting.push(context.waker().clone()));
}

/// How long this turn has lasted, in milliseconds.
fn lasts() -> f64 {
    SINCE.get().map_or(0.0, |since| clock::now() - since)
}

/// Begins a turn, if none has begun. False where there are none.
fn begin() -> bool {
    if SINCE.get().is_some() {
        return true;
    }
    // A message to oneself comes when the browser has done what else is to be done. Timers come late, and on a page that is
    // not seen by a second and more.
    let is_asked = NEXT.with(|port| {
        port.as_ref()
            .is_some_and(|port| port.post_message(&JsValue::NULL).is_ok())
    });
    SINCE.set(is_asked.then(clock::now));
    is_asked
}

/// `None` where the browser has no channels: then there are no turns, and everything runs at once.
fn next() -> Option<MessagePort> {
    let channel = MessageChannel::new().ok()?;
    let begin = Closure::<dyn Fn()>::new(|| {
        SINCE.set(None);
        // What they do may have others wait.
        for waker in WAITING.take() {
            waker.wake();
        }
    });
    channel.port1().set_onmessage(Some(begin.as_ref().unchecked_ref()));
    // As long as the page.
    begin.forget();
    Some(channel.port2())
}
