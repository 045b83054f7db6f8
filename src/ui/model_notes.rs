//! Has a language model comment on the chosen moves of a game.

use leptos::prelude::*;

use super::{arm_choice::ArmChoice, model_run::RunProgress};
use crate::state::{App, model_notes::ModelNotes as Notes};

/// Begin, stop, go on, and back to the narrator.
#[component]
pub fn ModelNotes() -> impl IntoView {
    let app = App::get();
    let (notes, endpoint) = (Notes::get(), app.endpoint);
    let count = Memo::new(move |_| notes.count());
    let left = move || {
        let (written, chosen) = count.get();
        chosen - written.min(chosen)
    };
    let label = move || match (count.get().0, left()) {
        (0, 1) => "Have the model write the comment".to_owned(),
        (0, n) => format!("Have the model write {n} comments"),
        (_, 0) => "All are written".to_owned(),
        (_, n) => format!("Go on: {n} more"),
    };
    view! {
        <details class="by-model" id="model-notes">
            <summary>"Comments by a language model"</summary>
            <p class="hint">
                "Each comment is checked as above: wrong claims go back once and are left out then; where nothing true is left, \
                 the narrator’s stays."
            </p>
            <div class="row arms"><ArmChoice id="notes-arm" /></div>
            {move || (!endpoint.is_configured()).then(|| view! {
                <p class="hint">"Choose a provider in “Language model” first."</p>
            })}
            <div class="row">
                {move || (!notes.run.is_asking()).then(|| view! {
                    <button id="write-notes" disabled=move || !endpoint.is_configured() || left() == 0 on:click=move |_| notes.write()>
                        {label}
                    </button>
                })}
                {move || (count.get().0 > 0).then(|| view! {
                    <button class="quiet" on:click=move |_| notes.clear()>"Back to the narrator"</button>
                })}
            </div>
            <RunProgress run=notes.run stop=move |()| notes.stop() />
        </details>
    }
}
