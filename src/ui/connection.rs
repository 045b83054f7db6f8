//! Where the language model is.

use leptos::{ev::SubmitEvent, prelude::*};

use crate::state::App;

/// Where the model is.
#[component]
pub fn Connection() -> impl IntoView {
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
