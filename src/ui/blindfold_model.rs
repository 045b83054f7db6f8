//! The language model of our own format: fetching it, giving another one, what it is.

use leptos::prelude::*;

use crate::{
    state::blindfold::{Blindfold, MODEL_FILE_LIMIT},
    ui::{
        drop_zone::{ChooseFiles, Taker},
        model_run::RunProgress,
    },
    view::fit::grouped,
};

/// The model as a player.
#[component]
pub fn OwnModel() -> impl IntoView {
    let blindfold = Blindfold::get();
    view! {
        <fieldset>
            <legend>"A language model that has learned from games alone"</legend>
            <label class="check">
                <input
                    id="blind-model"
                    type="checkbox"
                    prop:checked=blindfold.model_answers
                    on:change=move |event| blindfold.model_answers.set(event_target_checked(&event))
                />
                "It answers: its likeliest tokens, of all 77"
            </label>
            <ModelFile />
        </fieldset>
    }
}

/// Which model is in use, and the ways to another.
#[component]
fn ModelFile() -> impl IntoView {
    let blindfold = Blindfold::get();
    let taker = Taker::new(MODEL_FILE_LIMIT, move |file| blindfold.take_model(file));
    let busy = Memo::new(move |_| blindfold.loading.is_asking() || blindfold.run.is_asking());
    let stands = move || match blindfold.loaded.get() {
        None => "No model is loaded; the one that comes with the app is fetched when a run begins.".to_owned(),
        Some(model) => {
            let header = model.header;
            let games = header.games.map_or_else(String::new, |games| {
                format!(", {} games", grouped(usize::try_from(games).unwrap_or(usize::MAX)))
            });
            format!(
                "{}: {}, notation {}{games}; {:.1} MB, SHA-256 {}…",
                header.name,
                header.shape(),
                header.notation,
                model.bytes as f64 / 1e6,
                model.sha256.get(..8).unwrap_or_default(),
            )
        }
    };
    let kept = move || {
        if blindfold.model_kept.get() {
            "Your model is kept in this browser for the next visit."
        } else {
            "A file of your own is kept in this browser up to 64 MB; it leaves the device no more than the page does."
        }
    };
    view! {
        <div class="row">
            <button id="blind-fetch-model" disabled=busy on:click=move |_| blindfold.fetch_model()>
                "Fetch the app’s model"
            </button>
            <ChooseFiles taker=taker id="blind-model-file" label="Choose a model’s file…" accept=".safetensors" />
            {move || blindfold.model_kept.get().then(|| view! {
                <button class="quiet" id="blind-forget-model" on:click=move |_| blindfold.forget_model()>"Forget my model"</button>
            })}
        </div>
        <p class="hint" id="blind-model-there" role="status">{stands}</p>
        <p class="hint" id="blind-model-kept" role="status">{kept}</p>
        <div role="alert">
            {move || blindfold.loading_problem.get().map(|problem| view! { <p class="problem">{problem}</p> })}
        </div>
        <RunProgress run=blindfold.loading what="The language model" stop=move |()| blindfold.loading.stop() />
    }
}

/// Said where a model is needed and none is loaded; nothing where one is.
#[component]
pub fn ModelWanted() -> impl IntoView {
    let blindfold = Blindfold::get();
    let busy = Memo::new(move |_| blindfold.loading.is_asking());
    move || {
        blindfold.loaded.with(Option::is_none).then(|| {
            view! {
                <div class="row">
                    <button id="blind-live-fetch" disabled=busy on:click=move |_| blindfold.fetch_model()>
                        {move || if busy.get() { "The model is fetched…" } else { "Fetch the app’s model" }}
                    </button>
                    <span class="hint">"Another one can be loaded under “Players”."</span>
                </div>
                // The card of the players says so aloud.
                {move || blindfold.loading_problem.get().map(|problem| view! { <p class="problem">{problem}</p> })}
            }
        })
    }
}
