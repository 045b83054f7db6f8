//! The service worker, which keeps the page for days without a network.

use std::{cell::Cell, time::Duration};

use futures_channel::oneshot;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::JsFuture;
use web_sys::{MessageEvent, ServiceWorker, ServiceWorkerContainer, ServiceWorkerRegistration};

use super::{clock, js_message};

/// How the page stands with its copy for offline use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Offline {
    /// The copy is complete: the page works with the network off.
    Ready,
    /// A newer version is complete and waits: for [`use_new_version`], or for the last page of this one to close.
    NewVersion,
    /// There will be no copy, and this is why.
    Unavailable(String),
}

/// Registers the service worker and reports how it goes. Lasts as long as the page.
pub async fn register(script: &str, report: impl Fn(Offline) + Clone + 'static) {
    let Some(container) = service_workers() else {
        report(Offline::Unavailable("this address is not https or localhost".into()));
        return;
    };
    let had_version = container.controller().is_some();
    let on_message = {
        let report = report.clone();
        Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            if kind_of(&event).as_deref() == Some("new-version") && had_version {
                report(Offline::NewVersion);
            }
        })
    };
    container.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    if let Err(e) = JsFuture::from(container.register(script)).await {
        report(Offline::Unavailable(js_message(&e)));
        return;
    }
    let ready: Result<JsValue, JsValue> = match container.ready() {
        Ok(promise) => JsFuture::from(promise).await,
        Err(e) => Err(e),
    };
    match ready {
        Ok(registration) if registration.is_instance_of::<ServiceWorkerRegistration>() => report(Offline::Ready),
        Ok(_) => report(Offline::Unavailable("the browser gave no service worker".into())),
        Err(e) => report(Offline::Unavailable(js_message(&e))),
    }
}

/// Lets the waiting version take over and loads the page anew with it.
pub async fn use_new_version() {
    let container = super::window().navigator().service_worker();
    let reload = Closure::<dyn Fn()>::new(|| {
        // A page that may not be reloaded shows the new version at the next visit.
        let _ = super::window().location().reload();
    });
    container.set_oncontrollerchange(Some(reload.as_ref().unchecked_ref()));
    reload.forget();
    let Ok(found) = JsFuture::from(container.get_registration()).await else {
        return;
    };
    let waiting = found
        .dyn_into::<ServiceWorkerRegistration>()
        .ok()
        .and_then(|r| r.waiting());
    if let Some(worker) = waiting {
        say(&worker, "activate");
    }
}

/// How long the service worker may take to look at the files that it keeps; it may have to fetch the whole app.
const REPAIR_LIMIT: Duration = Duration::from_secs(60);

/// Has the service worker look at the files that it keeps and fetch the missing and the damaged again. True when it has;
/// false where none looks after this page, or where it says nothing for a minute.
pub async fn repair() -> bool {
    let Some(container) = service_workers() else {
        return false;
    };
    let Some(keeper) = container.controller() else {
        return false;
    };
    let (repaired, answer) = oneshot::channel();
    let repaired = Cell::new(Some(repaired));
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        if kind_of(&event).as_deref() == Some("repaired")
            && let Some(repaired) = repaired.take()
        {
            // Who asked may have gone.
            let _ = repaired.send(());
        }
    });
    let listener = on_message.as_ref().unchecked_ref();
    if container.add_event_listener_with_callback("message", listener).is_err() {
        return false;
    }
    say(&keeper, "repair");
    let answered = clock::within(REPAIR_LIMIT, answer).await;
    // A listener that stays hears nothing more.
    let _ = container.remove_event_listener_with_callback("message", listener);
    matches!(answered, Some(Ok(())))
}

/// The browser's service workers: an address that is neither https nor localhost has none.
fn service_workers() -> Option<ServiceWorkerContainer> {
    let navigator = super::window().navigator();
    let has_some = js_sys::Reflect::has(&navigator, &"serviceWorker".into()).unwrap_or(false);
    has_some.then(|| navigator.service_worker())
}

/// What a message of the service worker is.
fn kind_of(event: &MessageEvent) -> Option<String> {
    js_sys::Reflect::get(&event.data(), &"type".into()).ok()?.as_string()
}

/// Sends the service worker a message of this kind.
fn say(worker: &ServiceWorker, kind: &str) {
    let message = js_sys::Object::new();
    // Setting a property of a plain object that we just made cannot fail; a version that is gone needs no message.
    let _ = js_sys::Reflect::set(&message, &"type".into(), &kind.into());
    let _ = worker.post_message(&message);
}
