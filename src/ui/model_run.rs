//! How far a long run of questions to a language model is, with a way to stop it.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::{focus, turns},
    state::model_run::{ModelRun, RunStage},
};

/// Takes the keyboard from a button that goes to the one that comes in its place.
pub fn focus_soon(id: &'static str) {
    spawn_local(async move {
        turns::settled().await;
        focus::focus(id);
    });
}

/// Progress and "Stop" while it runs, the reason where it failed.
#[component]
pub fn RunProgress(
    /// The run.
    run: ModelRun,
    /// What the progress is of.
    #[prop(default = "Comments by the model")]
    what: &'static str,
    /// Called where the user stops it.
    #[prop(into)]
    stop: Callback<()>,
    /// The id of the button that stops it, for whoever moves the keyboard there.
    #[prop(optional)]
    stop_id: Option<&'static str>,
) -> impl IntoView {
    let asking = Memo::new(move |_| run.is_asking());
    let count = move || {
        run.stage.with(|stage| match stage {
            RunStage::Asking { done, all, .. } => (*done, *all),
            RunStage::Quiet | RunStage::Failed(_) => (0, 1),
        })
    };
    let said = move || {
        run.stage.with(|stage| match stage {
            // One thing alone is not counted.
            RunStage::Asking {
                all: 1,
                note: Some(note),
                ..
            } => Some(note.clone()),
            RunStage::Asking { done, all, note } => {
                Some(format!("{done} of {all}. {}", note.as_deref().unwrap_or_default()))
            }
            RunStage::Quiet | RunStage::Failed(_) => None,
        })
    };
    view! {
        <div class="model-run">
            {move || asking.get().then(|| view! {
                <div class="progress">
                    <progress
                        max=move || count().1.to_string()
                        prop:value=move || count().0.to_string()
                        aria-label=what
                    ></progress>
                    <button id=stop_id class="quiet" on:click=move |_| stop.run(())>"Stop"</button>
                </div>
            })}
            <span class="hint" role="status" aria-live="polite">{said}</span>
            {move || run.stage.with(|stage| match stage {
                RunStage::Failed(problem) => Some(view! {
                    <p class="problem" role="alert">{problem.clone()} " What is written is kept; you can go on."</p>
                }),
                RunStage::Quiet | RunStage::Asking { .. } => None,
            })}
        </div>
    }
}
