//! Sets that are given: what is learned from, what is tested on, puzzles.

use leptos::prelude::*;

use crate::{
    state::searchless::{
        annotating::Annotating,
        sets::{GivenAs, SET_LIMIT, Sets},
    },
    ui::{
        drop_zone::{ChooseFiles, Taker},
        model_run::RunProgress,
    },
};

/// Files that sets are in.
const FORMS: &str = ".jsonl,.csv,.bag";

/// What is compared with what.
#[component]
pub fn GivenSets() -> impl IntoView {
    let (sets, annotating) = (Sets::get(), Annotating::get());
    let any = Memo::new(move |_| annotating.progress.get().answered > 0);
    let given = Memo::new(move |_| {
        sets.learned.with(Option::is_some) || sets.tested.with(Option::is_some) || sets.puzzles.with(Option::is_some)
    });
    let taker = move |given_as| Taker::new(SET_LIMIT, move |file| sets.take_file(given_as, file));
    let use_run = move |id: &'static str, given_as| {
        move || {
            any.get().then(
                || view! { <button id=id on:click=move |_| sets.take_run(given_as)>"The run of this page"</button> },
            )
        }
    };
    view! {
        <section class="card" aria-labelledby="searchless-sets-title">
            <h2 id="searchless-sets-title">"Sets"</h2>
            <p class="hint">
                "How much of one set is in another? A set is a run, JSON lines, a CSV, or " <code>".bag"</code>
                " files of ChessBench or of yours; several of those, chosen one after the other, make one set."
            </p>
            <fieldset>
                <legend>"The set that is learned from"</legend>
                <div class="row">
                    <ChooseFiles taker=taker(GivenAs::Learned) id="searchless-learned" label="Choose its files…" accept=FORMS several=true />
                    {use_run("searchless-learned-run", GivenAs::Learned)}
                </div>
                <p id="searchless-learned-there" role="status">{move || sets.learned.get().map(|given| given.words())}</p>
            </fieldset>
            <fieldset>
                <legend>"The set that is tested on"</legend>
                <div class="row">
                    <ChooseFiles taker=taker(GivenAs::Tested) id="searchless-tested" label="Choose its files…" accept=FORMS several=true />
                    {use_run("searchless-tested-run", GivenAs::Tested)}
                </div>
                <p id="searchless-tested-there" role="status">{move || sets.tested.get().map(|given| given.words())}</p>
            </fieldset>
            <fieldset>
                <legend>"Puzzles"</legend>
                <div class="row">
                    <ChooseFiles taker=taker(GivenAs::Puzzles) id="searchless-puzzles" label="Choose Lichess’s CSV…" accept=".csv" />
                </div>
                <p id="searchless-puzzles-there" role="status">{move || sets.puzzles.get().map(|given| given.words())}</p>
            </fieldset>
            <RunProgress run=sets.reading what="Reading sets" stop=move |()| sets.stop() />
            <div role="alert">
                {move || sets.problem.get().map(|problem| view! { <p class="problem" id="searchless-sets-problem">{problem}</p> })}
            </div>
            {move || given.get().then(|| view! {
                <button class="quiet" id="searchless-forget-sets" on:click=move |_| sets.forget()>"Forget these sets"</button>
            })}
        </section>
    }
}
