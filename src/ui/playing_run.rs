//! Playing and grading: starting, stopping, how far it is, what it costs.

use leptos::prelude::*;

use crate::{
    long_run::count::several,
    state::{
        App,
        playing::{GRADE_NODES_8, Grader, Playing},
    },
    ui::{model_run::RunProgress, playing_fields::Count},
};

/// The run.
#[component]
pub fn Progress() -> impl IntoView {
    let (playing, endpoint) = (Playing::get(), App::get().endpoint);
    let ready = Memo::new(move |_| {
        let somebody = !playing.built_in.with(Vec::is_empty) || (playing.model_plays.get() && endpoint.is_configured());
        playing.positions().is_some() && somebody
    });
    let begun = Memo::new(move |_| {
        let progress = playing.progress.get();
        progress.answered + progress.failed > 0
    });
    let asking = Memo::new(move |_| playing.run.is_asking());
    let expected = Memo::new(move |_| playing.expected());
    let spent = move || {
        let tokens = playing.tokens.get();
        (tokens.prompt + tokens.completion > 0).then(|| {
            let cost = playing.cost().map_or_else(String::new, |cost| format!("; {cost}"));
            format!(
                "{} tokens in prompts, {} in replies so far{cost}.",
                tokens.prompt, tokens.completion
            )
        })
    };
    view! {
        <section class="card" aria-labelledby="play-run-title">
            <h2 id="play-run-title">"Progress"</h2>
            <p class="hint" id="play-forecast">{move || expected.get().map(|expected| playing.forecast(expected))}</p>
            {move || (!asking.get()).then(|| view! {
                <button id="play-start" class="primary" disabled=move || !ready.get() on:click=move |_| playing.start()>
                    {move || if begun.get() { "Go on playing" } else { "Start" }}
                </button>
            })}
            <RunProgress run=playing.run what="Answers of the players" stop=move |()| playing.stop() />
            <p class="hint" id="play-spent">{spent}</p>
            {move || begun.get().then(|| view! {
                <div class="row">
                    <button id="play-save" on:click=move |_| playing.save_run()>"Save the run (JSON lines)"</button>
                </div>
            })}
        </section>
    }
}

/// The grades.
#[component]
pub fn Grade() -> impl IntoView {
    let playing = Playing::get();
    let begun = Memo::new(move |_| playing.progress.get().answered > 0);
    let grading = Memo::new(move |_| playing.grading.is_asking());
    let stands = move |grader: Grader| {
        let rows = playing.graded.get()[grader as usize];
        let words = playing
            .grades
            .with(|all| all[grader as usize].as_ref().map(|grades| grades.words()))?;
        (rows > 0).then(|| format!("{} by {words}.", several(rows, "grade")))
    };
    let save = move |grader: Grader, id: &'static str, label: &'static str| {
        (stands(grader).is_some()).then(|| {
            view! { <button id=id on:click=move |_| playing.save_grades(grader)>{label}</button> }
        })
    };
    view! {
        <section class="card" aria-labelledby="play-grade-title">
            <h2 id="play-grade-title">"Grade"</h2>
            <p class="hint">
                "An engine looks at every move that was made: what it loses against the best, from one search. Reasons go through \
                 the claim check. A second engine shows how far grades depend on who gives them."
            </p>
            <div class="row judge-numbers">
                <Count
                    id="play-grade-nodes" label="Nodes of each search" least=1 most=100_000_000
                    value=playing.grade_nodes set=move |nodes| playing.grade_nodes.set(nodes)
                />
                <label>
                    <input
                        id="play-baseline"
                        type="checkbox"
                        prop:checked=playing.baseline
                        on:change=move |event| playing.baseline.set(event_target_checked(&event))
                    />
                    "The games’ own moves too"
                </label>
            </div>
            <div class="row">
                <button
                    id="play-grade" disabled=move || !begun.get() || grading.get()
                    on:click=move |_| playing.grade(Grader::Stockfish)
                >
                    "Grade the moves"
                </button>
                <button
                    id="play-grade-8" disabled=move || !begun.get() || grading.get()
                    title=format!("At most {GRADE_NODES_8} nodes")
                    on:click=move |_| playing.grade(Grader::Stockfish8)
                >
                    "Grade with Stockfish 8 too"
                </button>
                {move || save(Grader::Stockfish, "play-save-grades", "Save the grades")}
                {move || save(Grader::Stockfish8, "play-save-grades-8", "Save Stockfish 8’s grades")}
            </div>
            <RunProgress run=playing.grading what="Positions that are graded" stop=move |()| playing.stop_grading() />
            <p class="hint" id="play-graded">{move || stands(Grader::Stockfish)}</p>
            <p class="hint" id="play-graded-8">{move || stands(Grader::Stockfish8)}</p>
        </section>
    }
}
