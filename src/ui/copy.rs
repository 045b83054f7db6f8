//! A button that copies a text.

use leptos::prelude::*;

use crate::browser::clipboard;

/// Copies `text` and says so.
#[component]
pub fn Copy(
    /// What is copied.
    #[prop(into)]
    text: Signal<String>,
    /// What the button says.
    label: &'static str,
) -> impl IntoView {
    let copied = RwSignal::new("");
    let copy = move |_| {
        let text = text.get_untracked();
        wasm_bindgen_futures::spawn_local(async move {
            let done = clipboard::copy(&text).await;
            copied.try_set(if done {
                "Copied"
            } else {
                "The browser did not allow copying"
            });
        });
    };
    view! {
        <button type="button" class="quiet" on:click=copy>{label}</button>
        <span class="hint" role="status">{copied}</span>
    }
}
