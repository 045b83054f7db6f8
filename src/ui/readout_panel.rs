//! What the probes read, as files for those who go on in Python.

use leptos::{ev::Event, prelude::*};
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::files,
    state::{
        App,
        readout::{MOST_POSITIONS, Output, ReadoutState, Wanted},
    },
    view::fit::grouped,
};

/// The largest file of positions that is read.
const POSITIONS_LIMIT: u64 = 64_000_000;

/// The panel; nothing while there are no probes.
#[component]
pub fn ReadoutPanel() -> impl IntoView {
    let app = App::get();
    let state = ReadoutState::new(app.services);
    on_cleanup(move || state.stop());
    let some = Memo::new(move |_| app.probes.in_use.with(Option::is_some));
    let running = Memo::new(move |_| state.progress.with(Option::is_some));
    let choose = move |event: Event| {
        let Some(file) = files::chosen(&event) else { return };
        spawn_local(async move {
            match files::read(&file, POSITIONS_LIMIT).await {
                Ok(file) => state.start(Wanted::File(file)),
                Err(error) => state.problem.set(Some(format!("{error}."))),
            }
        });
    };
    let position = move |_| state.start(Wanted::Position(untrack(|| app.game_store.position())));
    let game = move |_| state.start(Wanted::Game(untrack(|| app.game_store.with_game(Clone::clone))));
    move || {
        some.get().then(|| {
            view! {
                <section class="card" aria-labelledby="readout-title">
                    <h2 id="readout-title">"Read out"</h2>
                    <p class="hint">
                        {format!("Activations, scores and each square’s share, as CSV, NumPy arrays and JSON; of a game also what each \
                                  move changes. At most {MOST_POSITIONS} positions. The file docs/probes.md has examples in Python.")}
                    </p>
                    <div class="row">
                        <button id="readout-position" disabled=running on:click=position>"The open position"</button>
                        <button id="readout-game" disabled=running on:click=game>"The open game"</button>
                        <label class="button">
                            "A file of positions…"
                            <input id="readout-file" type="file" class="unseen" accept=".pgn,.jsonl,.txt,.tsv,.epd,.fen,.gz"
                                disabled=running on:change=choose />
                        </label>
                    </div>
                    {move || running.get().then(|| view! {
                        <div class="progress">
                            <progress aria-label="Reading out"
                                max=move || state.progress.get().map_or(1, |(_, total)| total.max(1)).to_string()
                                prop:value=move || state.progress.get().map_or(0, |(done, _)| done).to_string()></progress>
                            <span class="hint">{move || state.progress.get().map(|(done, total)| format!(
                                "{} of {} positions", grouped(done), grouped(total)
                            ))}</span>
                            <button on:click=move |_| state.stop()>"Stop"</button>
                        </div>
                    })}
                    <p role="status" class="hint" id="readout-notice">{move || state.notice.get()}</p>
                    <div role="alert">
                        {move || state.problem.get().map(|reason| view! { <p class="problem" id="readout-problem">{reason}</p> })}
                    </div>
                    <div class="row" id="readout-files">
                        {move || state.outputs.get().into_iter().map(|output| view! { <Save state output /> }).collect_view()}
                    </div>
                </section>
            }
        })
    }
}

#[component]
fn Save(
    /// Who saves.
    state: ReadoutState,
    /// What.
    output: Output,
) -> impl IntoView {
    let name = output.name;
    view! { <button on:click=move |_| state.save(&output)>{format!("Save {name}")}</button> }
}
