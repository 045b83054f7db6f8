//! Where the language model is, and how it is asked.

use std::str::FromStr;

use leptos::{ev::SubmitEvent, prelude::*};

use crate::{
    llm::{Preset, Provider, Support},
    services::{
        built_in::Availability,
        settings::{self, Connection as Settings},
    },
    state::{App, endpoint::BuiltIn},
};

/// The form: a service, its address, key and model, and how it is asked.
#[component]
pub fn Connection() -> impl IntoView {
    let endpoint = App::get().endpoint;
    let key_text = RwSignal::new(String::new());
    endpoint.look_for_built_in();
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let typed = key_text.get_untracked();
        if !typed.is_empty() {
            endpoint.set_key(&typed);
            key_text.set(String::new());
        }
        endpoint.list_models();
    };
    let is_built_in = Memo::new(move |_| endpoint.service() == Preset::BuiltIn);
    view! {
        <details class="connection">
            <summary>
                {move || if endpoint.is_configured() { "Connection" } else { "Connect a model (optional)" }}
            </summary>
            <form on:submit=submit>
                <Service />
                {move || if is_built_in.get() {
                    view! { <OwnModel /> }.into_any()
                } else {
                    view! { <Server key_text /> }.into_any()
                }}
                <Numbers />
                <Declares />
                <Probabilities />
                <p class="hint">
                    {move || if is_built_in.get() {
                        "The model runs in this browser: what it is asked leaves this device no more than the page does."
                    } else {
                        "What the model is asked goes to this address and nowhere else. So does the key, which stays in this page’s \
                         memory unless you tick the box."
                    }}
                </p>
            </form>
        </details>
    }
}

/// Which service. The browser's own model is offered where there is one.
#[component]
fn Service() -> impl IntoView {
    let endpoint = App::get().endpoint;
    let offered = move || {
        let has_own = endpoint.built_in.get() != BuiltIn::Absent;
        let offered = |preset: &Preset| *preset != Preset::BuiltIn || has_own;
        Preset::ALL.into_iter().filter(offered).collect::<Vec<_>>()
    };
    view! {
        // The label beside, not around it: its name would be all the options.
        <div class="field">
            <label for="provider">"Provider"</label>
            <select
                id="provider"
                prop:value=move || endpoint.service().word()
                on:change=move |event| {
                    if let Some(preset) = Preset::from_word(&event_target_value(&event)) {
                        endpoint.choose(preset);
                    }
                }
            >
                <For each=offered key=|preset| *preset let:preset>
                    <option value=preset.word() selected=move || endpoint.service() == preset>{preset.label()}</option>
                </For>
            </select>
        </div>
    }
}

/// A server: its address, the key for it, its models.
#[component]
fn Server(key_text: RwSignal<String>) -> impl IntoView {
    let app = App::get();
    let (endpoint, preferences) = (app.endpoint, app.preferences);
    let provider = move || endpoint.service().provider();
    view! {
        <label>
            {move || format!("Base URL ({})", provider().label())}
            <input
                id="endpoint"
                type="url"
                placeholder=move || match provider() {
                    Provider::OpenAi => "http://localhost:8080/v1",
                    provider => provider.default_base(),
                }
                autocomplete="off"
                prop:value=move || preferences.connection().base
                on:change=move |event| endpoint.set_base(&event_target_value(&event))
            />
        </label>
        <label>
            "Key"
            <input
                id="key"
                type="password"
                autocomplete="off"
                placeholder=move || {
                    if endpoint.has_key() {
                        "a key is set"
                    } else if endpoint.has_key_for_elsewhere() {
                        "none here: the key you gave is for another address"
                    } else if endpoint.service().wants_key() {
                        "none yet: this service wants one"
                    } else {
                        "none: local servers need none"
                    }
                }
                prop:value=key_text
                on:input=move |event| key_text.set(event_target_value(&event))
            />
        </label>
        <p class="problem" role="alert">{move || endpoint.key_problem.get()}</p>
        <label class="check">
            <input
                type="checkbox"
                prop:checked=move || preferences.connection().keep_key
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
                prop:value=move || preferences.connection().model
                on:change=move |event| endpoint.set_model(&event_target_value(&event))
            />
            <datalist id="models">
                {move || endpoint.models.get().into_iter().map(|m| view! { <option value=m></option> }).collect_view()}
            </datalist>
        </label>
        <div class="row">
            <button type="submit" disabled=endpoint.listing>"Connect and list models"</button>
            {move || endpoint.has_key().then(|| view! {
                <button type="button" class="quiet" on:click=move |_| endpoint.set_key("")>"Forget the key"</button>
            })}
            <span class="hint" role="status" id="models-found">
                {move || match (endpoint.listing.get(), endpoint.models.get().len()) {
                    (true, _) => "Asking…".to_owned(),
                    (false, 0) => String::new(),
                    (false, 1) => "One model.".to_owned(),
                    (false, many) => format!("{many} models."),
                }}
            </span>
        </div>
        <p class="problem" role="alert" id="models-problem">{move || endpoint.models_problem.get()}</p>
    }
}

/// The browser's own model: whether it is there, and its download.
#[component]
fn OwnModel() -> impl IntoView {
    let endpoint = App::get().endpoint;
    let download = move || view! { <button type="button" on:click=move |_| endpoint.download_built_in()>"Download the model"</button> };
    view! {
        <div id="own-model">
            {move || match endpoint.built_in.get() {
                BuiltIn::Absent => view! { <p class="hint">"This browser has no model of its own."</p> }.into_any(),
                BuiltIn::Known(Availability::Unavailable) => view! {
                    <p class="hint">
                        "This browser could have a model, but not on this device: it may want more memory, free disk or a faster graphics card."
                    </p>
                }.into_any(),
                BuiltIn::Known(Availability::Downloadable) => view! {
                    <p class="hint">"The browser has yet to download its model, several gigabytes, once for all pages."</p>
                    {download()}
                }.into_any(),
                BuiltIn::Known(Availability::Downloading) => view! {
                    <p class="hint">"The browser is downloading its model."</p>
                    {download()}
                }.into_any(),
                BuiltIn::Loading(part) => view! {
                    <p class="hint" role="status">{format!("Downloading the model: {:.0} %", part * 100.0)}</p>
                    <progress max="1" value=part.to_string() aria-label="Download of the model"></progress>
                }.into_any(),
                BuiltIn::Known(Availability::Available) => view! { <p class="hint">"The browser’s model is ready."</p> }.into_any(),
            }}
            <p class="problem" role="alert">{move || endpoint.built_in_problem.get()}</p>
        </div>
    }
}

/// The settings that the provider takes.
#[component]
fn Numbers() -> impl IntoView {
    let endpoint = App::get().endpoint;
    let provider = Memo::new(move |_| endpoint.service().provider());
    view! {
        <div class="numbers">
            {move || {
                let provider = provider.get();
                view! {
                    {provider.max_temperature().map(|most| view! {
                        <Number
                            id="temperature" label="Temperature" min="0" max=most.to_string() step="any"
                            placeholder=settings::TEMPERATURE.to_string()
                            get={|s| s.temperature}
                            set={move |s: &mut Settings, value: Option<f32>| s.temperature = value.filter(|t| (0.0..=most).contains(t))}
                        />
                    })}
                    {provider.takes_max_tokens().then(|| view! {
                        <Number
                            id="max-tokens" label="Most tokens of a reply" min="1" max="100000" step="1"
                            placeholder=settings::MAX_TOKENS.to_string()
                            get={|s| s.max_tokens}
                            set={|s: &mut Settings, value: Option<u32>| s.max_tokens = value.filter(|n| (1..=100_000).contains(n))}
                        />
                    })}
                    {provider.takes_seed().then(|| view! {
                        <Number
                            id="seed" label="Seed" min="0" max="4294967295" step="1" placeholder="none".to_owned()
                            get={|s| s.seed}
                            set={|s: &mut Settings, value: Option<u32>| s.seed = value}
                        />
                    })}
                    {provider.takes_context().then(|| view! {
                        <Number
                            id="context" label="Context, tokens" min="1024" max="1048576" step="1"
                            placeholder=settings::CONTEXT.to_string()
                            get={|s| s.context}
                            set={|s: &mut Settings, value: Option<u32>| s.context = value.filter(|n| (1024..=1_048_576).contains(n))}
                        />
                    })}
                }
            }}
            <Number
                id="silence" label="Longest silence, seconds" min="1" max="3600" step="1"
                placeholder="120 for the first word, then 30".to_owned()
                get={|s| s.silence_seconds}
                set={|s: &mut Settings, value: Option<u32>| s.silence_seconds = value.filter(|n| (1..=3600).contains(n))}
            />
        </div>
    }
}

/// Whether the model is asked for the claims of its own comments.
#[component]
fn Declares() -> impl IntoView {
    let preferences = App::get().preferences;
    view! {
        <label class="check">
            <input
                id="declares"
                type="checkbox"
                aria-describedby="declares-hint"
                prop:checked=move || preferences.declares()
                on:change=move |event| {
                    let declares = event_target_checked(&event);
                    preferences.change_connection(|c| c.declares = Some(declares));
                }
            />
            "The model declares its claims"
        </label>
        <p class="hint" id="declares-hint">
            "After each comment the model is asked, in a second request that costs tokens too, for the claims in it as data. The board and \
             the engine judge those; without it, the words of the comment are read and judged. An answer that you paste is read in the \
             same way."
        </p>
    }
}

/// One number of the service's settings; an empty or impossible one is the default.
#[component]
fn Number<T: FromStr + ToString + 'static>(
    id: &'static str,
    label: &'static str,
    #[prop(into)] min: String,
    #[prop(into)] max: String,
    step: &'static str,
    placeholder: String,
    get: fn(&Settings) -> Option<T>,
    set: impl Fn(&mut Settings, Option<T>) + 'static,
) -> impl IntoView {
    let preferences = App::get().preferences;
    let shown = move || get(&preferences.connection()).map_or_else(String::new, |value| value.to_string());
    view! {
        <label>
            {label}
            <input
                id=id
                type="number"
                min=min
                max=max
                step=step
                placeholder=placeholder
                prop:value=shown
                on:change=move |event| {
                    let typed = event_target_value(&event).trim().parse().ok();
                    preferences.change_connection(|settings| set(settings, typed));
                }
            />
        </label>
    }
}

/// Whether the model gives token probabilities: some of the judges want them.
#[component]
fn Probabilities() -> impl IntoView {
    let endpoint = App::get().endpoint;
    let can_ask = move || endpoint.service().provider().probabilities() == Support::Unknown && endpoint.is_configured();
    view! {
        <div class="row">
            <span id="probabilities" role="status">
                {move || format!("Gives token probabilities: {}.", endpoint.probabilities.get().word())}
            </span>
            {move || can_ask().then(|| view! {
                <button type="button" class="quiet" disabled=endpoint.probing on:click=move |_| endpoint.probe_probabilities()>
                    {move || if endpoint.probing.get() { "Asking…" } else { "Find out (asks for four tokens)" }}
                </button>
            })}
        </div>
        <p class="problem" role="alert">{move || endpoint.probabilities_problem.get()}</p>
    }
}
