//! Time: reading it, waiting for it, and not waiting forever.

use std::{future::Future, pin::pin, time::Duration};

use futures_util::future::{Either, select};
use gloo_timers::future::TimeoutFuture;
use wasm_bindgen::{JsCast, JsValue};

/// Milliseconds since the page was opened; monotonic.
#[must_use]
pub fn now() -> f64 {
    super::window().performance().map_or(0.0, |p| p.now())
}

/// Returns after `duration`; other work goes on meanwhile.
pub async fn sleep(duration: Duration) {
    // Browsers count in 31 bits: what is longer would be over at once.
    let millis = duration.as_millis().min(i32::MAX as u128);
    TimeoutFuture::new(millis as u32).await;
}

/// Lets the browser draw and handle input before going on.
pub async fn yield_to_browser() {
    TimeoutFuture::new(0).await;
}

/// Waits until the browser has drawn what there is now; on a page that is not seen, a second.
pub async fn drawn() {
    for _ in 0..2 {
        let frame = js_sys::Promise::new(&mut |resolve, _| {
            // Without frames the time below is what ends the wait.
            let _ = super::window().request_animation_frame(&resolve);
        });
        let _ = within(Duration::from_secs(1), wasm_bindgen_futures::JsFuture::from(frame)).await;
    }
    yield_to_browser().await;
}

/// The future's result, or `None` when `limit` passed first (the future is then dropped).
pub async fn within<F: Future>(limit: Duration, future: F) -> Option<F::Output> {
    match select(pin!(future), pin!(sleep(limit))).await {
        Either::Left((output, _)) => Some(output),
        Either::Right(((), _)) => None,
    }
}

/// Bytes of memory the page's JavaScript heap uses, where the browser says (Chromium does).
#[must_use]
pub fn heap_bytes() -> Option<f64> {
    let performance = super::window().performance()?;
    let memory = js_sys::Reflect::get(&performance, &"memory".into()).ok()?;
    let used = js_sys::Reflect::get(memory.unchecked_ref::<JsValue>(), &"usedJSHeapSize".into()).ok()?;
    used.as_f64()
}

/// The time of day.
#[must_use]
pub fn time_of_day() -> std::time::SystemTime {
    std::time::UNIX_EPOCH + Duration::from_millis(js_sys::Date::now().max(0.0) as u64)
}
