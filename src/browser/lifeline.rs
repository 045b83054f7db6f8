//! Notices that a worker is gone, however it went. A worker that the browser ends for lack of memory says nothing, and one
//! that computes answers nothing; but whoever holds a lock loses it with its last breath.

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::JsFuture;

/// Holds a lock for as long as this worker lives and returns its name, once it is held. `None` where the browser has no
/// locks.
pub async fn hold() -> Option<String> {
    let name = format!("kibitz-lifeline-{}", js_sys::Math::random());
    let (sender, held) = futures_channel::oneshot::channel();
    let mut sender = Some(sender);
    let granted = Closure::<dyn FnMut(JsValue) -> Promise>::new(move |_| {
        if let Some(sender) = sender.take() {
            // The receiver waits just below.
            let _ = sender.send(());
        }
        Promise::new(&mut |_, _| {})
    });
    // The lock is never given back, so its promise is of no use.
    let _ = request(&name, granted.as_ref().unchecked_ref())?;
    // It is called once, after this function's own turn.
    granted.forget();
    held.await.ok()?;
    Some(name)
}

/// Returns when nobody holds the lock any more: its worker is gone.
pub async fn lost(name: &str) {
    let granted = Closure::<dyn FnMut(JsValue)>::new(|_| {});
    let Some(request) = request(name, granted.as_ref().unchecked_ref()) else {
        return std::future::pending().await;
    };
    if JsFuture::from(request).await.is_err() {
        // The page is being left.
        std::future::pending::<()>().await;
    }
}

/// `navigator.locks.request(name, granted)`, on a page as in a worker.
fn request(name: &str, granted: &Function) -> Option<Promise> {
    let get = |of: &JsValue, key: &str| Reflect::get(of, &key.into()).ok().filter(|value| !value.is_undefined());
    let locks = get(&get(&js_sys::global(), "navigator")?, "locks")?;
    let request: Function = get(&locks, "request")?.dyn_into().ok()?;
    request.call2(&locks, &name.into(), granted).ok()?.dyn_into().ok()
}
