//! Asking: starting, stopping, how far it is, what it costs.

use leptos::prelude::*;

use crate::{
    state::{App, blindfold::Blindfold},
    ui::model_run::RunProgress,
};

/// The run.
#[component]
pub fn Progress() -> impl IntoView {
    let (blindfold, endpoint) = (Blindfold::get(), App::get().endpoint);
    let ready = Memo::new(move |_| {
        let is_chosen = !blindfold.texts.with(Vec::is_empty) || !blindfold.scored.with(Vec::is_empty);
        let asked = is_chosen && endpoint.is_configured();
        let ranks = blindfold.model_answers.get() || !blindfold.scripted.with(Vec::is_empty);
        blindfold.set().is_some() && (asked || ranks)
    });
    let begun = Memo::new(move |_| {
        let progress = blindfold.progress.get();
        progress.answered + progress.failed > 0
    });
    let asking = Memo::new(move |_| blindfold.run.is_asking());
    let expected = Memo::new(move |_| blindfold.expected());
    let spent = move || {
        let tokens = blindfold.tokens.get();
        (tokens.prompt + tokens.completion > 0).then(|| {
            let cost = blindfold.cost().map_or_else(String::new, |cost| format!("; {cost}"));
            format!(
                "{} tokens in prompts, {} in replies so far{cost}.",
                tokens.prompt, tokens.completion
            )
        })
    };
    view! {
        <section class="card" aria-labelledby="blind-run-title">
            <h2 id="blind-run-title">"Progress"</h2>
            <p class="hint" id="blind-forecast">{move || expected.get().map(|expected| blindfold.forecast(expected))}</p>
            {move || (!asking.get()).then(|| view! {
                <button id="blind-start" class="primary" disabled=move || !ready.get() on:click=move |_| blindfold.start()>
                    {move || if begun.get() { "Go on asking" } else { "Start" }}
                </button>
            })}
            <RunProgress run=blindfold.run what="Answers of the players" stop=move |()| blindfold.stop() />
            <p class="hint" id="blind-spent">{spent}</p>
            <p class="hint" id="blind-making" role="status">
                {move || blindfold.making.get().then_some("The tables are made; their intervals take a while.")}
            </p>
            {move || begun.get().then(|| view! {
                <div class="row">
                    <button id="blind-save" on:click=move |_| blindfold.save_run()>"Save the run (JSON lines)"</button>
                </div>
            })}
        </section>
    }
}
