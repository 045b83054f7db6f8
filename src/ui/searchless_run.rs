//! Annotating: starting, stopping, how far it is, what is saved.

use leptos::prelude::*;

use crate::{
    browser::focus,
    state::searchless::annotating::{Annotating, SetForm},
    ui::model_run::{RunProgress, focus_soon},
};

/// The button that starts, and the one that stops: one of them is there.
const START: &str = "searchless-start";
const STOP: &str = "searchless-stop";

/// The run.
#[component]
pub fn Progress() -> impl IntoView {
    let annotating = Annotating::get();
    let ready = Memo::new(move |_| annotating.boards().is_some());
    let begun = Memo::new(move |_| {
        let progress = annotating.progress.get();
        progress.answered + progress.failed > 0
    });
    let any = Memo::new(move |_| annotating.progress.get().answered > 0);
    let running = Memo::new(move |_| annotating.run.is_asking());
    // Whoever stands on "Stop" when the run ends by itself would stand nowhere. Before the button goes: this follows the
    // run before anything is drawn of it.
    Effect::new(move |was: Option<bool>| {
        let now = running.get();
        if was == Some(true) && !now && focus::is_at(STOP) {
            focus_soon(START);
        }
        now
    });
    let start = move |_| {
        annotating.start();
        focus_soon(STOP);
    };
    let stop = move |()| {
        annotating.stop();
        focus_soon(START);
    };
    let save = move |form: SetForm| {
        view! {
            <button id=format!("searchless-save-{}", form.word()) on:click=move |_| annotating.save_set(form)>{form.label()}</button>
        }
    };
    view! {
        <section class="card" aria-labelledby="searchless-run-title">
            <h2 id="searchless-run-title">"Progress"</h2>
            <p class="hint">
                "A board takes one search for itself and one for each of its moves, some thirty. Each is kept in this browser as soon as it \
                 is done, and a board whose search failed is tried again when the run goes on."
            </p>
            {move || (!running.get()).then(|| view! {
                <button id=START class="primary" disabled=move || !ready.get() on:click=start>
                    {move || if begun.get() { "Go on" } else { "Start" }}
                </button>
            })}
            <RunProgress run=annotating.run what="Annotated boards" stop=stop stop_id=STOP />
            {move || any.get().then(|| view! {
                <div class="row" role="group" aria-label="Save what is annotated">
                    <button id="searchless-save-run" on:click=move |_| annotating.save_run()>"Save the run"</button>
                    {SetForm::ALL.map(save)}
                </div>
            })}
        </section>
    }
}
