//! Annotating: starting, stopping, how far it is, what is saved.

use leptos::prelude::*;

use crate::{
    state::searchless::annotating::{Annotating, SetForm},
    ui::model_run::RunProgress,
};

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
                <button id="searchless-start" class="primary" disabled=move || !ready.get() on:click=move |_| annotating.start()>
                    {move || if begun.get() { "Go on" } else { "Start" }}
                </button>
            })}
            <RunProgress run=annotating.run what="Annotated boards" stop=move |()| annotating.stop() stop_id="searchless-stop" />
            {move || any.get().then(|| view! {
                <div class="row" role="group" aria-label="Save what is annotated">
                    <button id="searchless-save-run" on:click=move |_| annotating.save_run()>"Save the run"</button>
                    {SetForm::ALL.map(save)}
                </div>
            })}
        </section>
    }
}
