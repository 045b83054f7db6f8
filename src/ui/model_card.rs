//! A comment by a language model that the user connects. Without one the page is complete.

use leptos::{ev::SubmitEvent, prelude::*};

use crate::{
    browser::clipboard,
    commentary::{Arm, PromptOptions, prompt},
    state::{App, endpoint::Exchange},
};

/// The card.
#[component]
pub fn ModelCard() -> impl IntoView {
    let app = App::get();
    let endpoint = app.endpoint;
    // Another move: the old reply does not belong to it.
    Effect::new(move |_| {
        app.commentary.subject.track();
        untrack(|| endpoint.reset());
    });
    let asking = move || matches!(endpoint.exchange.get(), Exchange::Asking { .. });
    let ask = move |_| {
        if let Some(sheet) = app.commentary.sheet.get_untracked() {
            endpoint.ask(&sheet);
        }
    };
    view! {
        <section class="card model" aria-labelledby="model-title">
            <header>
                <h2 id="model-title">"Language model"</h2>
                {move || {
                    if asking() {
                        view! { <button on:click=move |_| endpoint.stop()>"Stop"</button> }.into_any()
                    } else {
                        let ready = endpoint.is_configured() && app.commentary.sheet.get().is_some();
                        view! { <button id="ask" class="primary" disabled=!ready on:click=ask>"Ask for a comment"</button> }.into_any()
                    }
                }}
            </header>
            <div aria-live="polite" aria-busy=move || asking().to_string()>
                <Reply />
            </div>
            <Connection />
            <PromptView />
        </section>
    }
}

/// The reply as it arrives, and how it ended.
#[component]
fn Reply() -> impl IntoView {
    let endpoint = App::get().endpoint;
    view! {
        {move || {
            let text = endpoint.text.get();
            (!text.is_empty()).then(|| view! { <p class="reply" id="reply">{text}</p> })
        }}
        {move || match endpoint.exchange.get() {
            Exchange::Quiet => None,
            Exchange::Asking { waiting } => Some(view! { <p class="hint">{waiting.unwrap_or_else(|| "Waiting for the model…".into())}</p> }.into_any()),
            Exchange::Answered { model, cut } => Some(view! {
                <p class="hint">
                    {if cut { "Cut off at the bound on its length. " } else { "" }}
                    {model} " wrote this from the fact sheet. Its claims have not been checked yet: compare them with the facts below."
                </p>
            }.into_any()),
            Exchange::Failed { what, advice, kept } => Some(view! {
                <p class="problem" role="alert">
                    {what} " " {advice} " "
                    {if kept { "What had arrived is kept above, unchecked. " } else { "" }}
                    "The commentary above stays."
                </p>
            }.into_any()),
        }}
    }
}

/// Where the model is.
#[component]
fn Connection() -> impl IntoView {
    let app = App::get();
    let (endpoint, preferences) = (app.endpoint, app.preferences);
    let key_text = RwSignal::new(String::new());
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let typed = key_text.get_untracked();
        if !typed.is_empty() {
            endpoint.set_key(&typed);
            key_text.set(String::new());
        }
        endpoint.list_models();
    };
    view! {
        <details class="connection">
            <summary>
                {move || if endpoint.is_configured() { "Connection" } else { "Connect a model (optional)" }}
            </summary>
            <form on:submit=submit>
                <label>
                    "Base URL (OpenAI-compatible)"
                    <input
                        id="endpoint"
                        type="url"
                        placeholder="http://localhost:8080/v1"
                        autocomplete="off"
                        prop:value=move || preferences.get().endpoint
                        on:change=move |event| preferences.update(|s| s.endpoint = event_target_value(&event).trim().to_owned())
                    />
                </label>
                <label>
                    "Key"
                    <input
                        id="key"
                        type="password"
                        autocomplete="off"
                        placeholder=move || if endpoint.has_key.get() { "a key is set" } else { "none: local servers need none" }
                        prop:value=key_text
                        on:input=move |event| key_text.set(event_target_value(&event))
                    />
                </label>
                <p class="problem" role="alert">{move || endpoint.key_problem.get()}</p>
                <label class="check">
                    <input
                        type="checkbox"
                        prop:checked=move || preferences.get().keep_key
                        on:change=move |event| endpoint.keep_key(event_target_checked(&event))
                    />
                    "Keep the key in this browser"
                </label>
                <label>
                    "Model"
                    <input
                        id="model"
                        list="models"
                        autocomplete="off"
                        prop:value=move || preferences.get().model
                        on:change=move |event| preferences.update(|s| s.model = event_target_value(&event).trim().to_owned())
                    />
                    <datalist id="models">
                        {move || endpoint.models.get().into_iter().map(|m| view! { <option value=m></option> }).collect_view()}
                    </datalist>
                </label>
                <label>
                    "Longest silence, seconds"
                    <input
                        id="silence"
                        type="number"
                        min="1"
                        max="3600"
                        placeholder="120 for the first word, then 30"
                        prop:value=move || preferences.get().silence_seconds.map_or_else(String::new, |s| s.to_string())
                        on:change=move |event| preferences.update(|s| s.silence_seconds = event_target_value(&event).parse().ok().filter(|s| *s > 0))
                    />
                </label>
                <div class="row">
                    <button type="submit">"Connect and list models"</button>
                    {move || endpoint.has_key.get().then(|| view! {
                        <button type="button" class="quiet" on:click=move |_| endpoint.set_key("")>"Forget the key"</button>
                    })}
                </div>
                <p class="problem" role="alert">{move || endpoint.models_problem.get()}</p>
                <p class="hint">
                    "The fact sheet of the move goes to this address and nowhere else. The key stays in this page’s memory unless you \
                     tick the box."
                </p>
            </form>
        </details>
    }
}

/// The exact prompt, to read or to copy.
#[component]
fn PromptView() -> impl IntoView {
    let app = App::get();
    let copied = RwSignal::new("");
    move || {
        app.commentary.sheet.get().map(|sheet| {
            let text = prompt::prompt(&sheet, Arm::of(&sheet), PromptOptions::default()).text();
            let to_copy = text.clone();
            let copy = move |_| {
                let text = to_copy.clone();
                wasm_bindgen_futures::spawn_local(async move {
                    let done = clipboard::copy(&text).await;
                    copied.set(if done { "Copied" } else { "The browser did not allow copying" });
                });
            };
            view! {
                <details class="prompt">
                    <summary>"The prompt"</summary>
                    <div class="row"><button class="quiet" on:click=copy>"Copy"</button><span class="hint" role="status">{copied}</span></div>
                    <pre tabindex="0">{text}</pre>
                </details>
            }
        })
    }
}
