//! Which questions are asked: the sets that come with the app, files, games.

use leptos::prelude::*;

use crate::{
    blindfold::probe_set::{PrefixLengths, ProbeHeader},
    long_run::count::several,
    state::blindfold::{Blindfold, FILE_LIMIT, ShippedSet},
    ui::{
        drop_zone::{ChooseFiles, DropZone, Taker},
        model_run::RunProgress,
        playing_fields::Count,
    },
};

/// What is asked, and where it comes from.
#[component]
pub fn Questions() -> impl IntoView {
    let blindfold = Blindfold::get();
    let taker = Taker::new(FILE_LIMIT, move |file| blindfold.take_file(file));
    let set = Memo::new(move |_| blindfold.set());
    let busy = Memo::new(move |_| blindfold.preparing.is_asking());
    let there = move || match set.get() {
        None => "No questions yet.".to_owned(),
        Some((count, header)) => {
            let what = format!("{}: {}", made_of(&header), several(count, "probe"));
            let progress = blindfold.progress.get();
            if blindfold.is_open() {
                format!("{what}.")
            } else {
                format!(
                    "{what}; {} of {} answers, {} failed.",
                    progress.answered, progress.all, progress.failed
                )
            }
        }
    };
    let shipped = move |which: ShippedSet| {
        let id = format!("blind-{}", which.word());
        view! { <button id=id disabled=busy on:click=move |_| blindfold.take_shipped(which)>{which.label()}</button> }
    };
    view! {
        <DropZone taker=taker>
            <h2>"Questions"</h2>
            <p class="hint">
                "A probe is the beginning of a game and what is asked after it, in four tasks. Files of your own: a set of "
                <code>"lab blindfold probes"</code> ", the authors’ published instances (both of their files make one set), games "
                "(PGN), or a run that was saved here or by " <code>"lab blindfold eval"</code> "."
            </p>
            <div class="row">
                {ShippedSet::ALL.map(shipped)}
                <ChooseFiles taker=taker id="blind-file" label="Choose a file…" accept=".jsonl,.pgn,.txt" />
            </div>
            <OfGames />
            <div class="row">
                {move || set.get().is_some().then(|| view! {
                    <button id="blind-save-set" on:click=move |_| blindfold.save_set()>"Save the questions"</button>
                    <button class="quiet" id="blind-forget" on:click=move |_| blindfold.forget()>"Forget this run"</button>
                })}
                {move || blindfold.has_former().then(|| view! {
                    <button class="quiet" id="blind-back" on:click=move |_| blindfold.bring_back()>"Bring the former run back"</button>
                })}
            </div>
            <RunProgress run=blindfold.preparing what="Questions" stop=move |()| blindfold.preparing.stop() />
            <p id="blind-there" role="status">{there}</p>
            <div role="alert">
                {move || blindfold.problem.get().map(|problem| view! { <p class="problem" id="blind-problem">{problem}</p> })}
            </div>
            <p class="hint" id="blind-notice" role="status">{move || blindfold.notice.get()}</p>
        </DropZone>
    }
}

/// Where a set comes from, in words.
fn made_of(header: &ProbeHeader) -> String {
    match header.lengths {
        Some(PrefixLengths { from, to }) => format!("{}, after {from} to {to} half-moves", header.source),
        None => header.source.clone(),
    }
}

/// How questions are drawn from games, and how many are asked.
#[component]
fn OfGames() -> impl IntoView {
    let blindfold = Blindfold::get();
    let open = Memo::new(move |_| blindfold.is_open());
    let closed = Signal::derive(move || !open.get());
    let lengths = [
        (PrefixLengths::LONG, "long", "after 51 to 100 half-moves"),
        (PrefixLengths::SHORT, "short", "after 5 to 50 half-moves"),
    ];
    let choose = move |event| {
        let word = event_target_value(&event);
        if let Some((lengths, ..)) = lengths.iter().find(|(_, own, _)| *own == word) {
            blindfold.choose_lengths(*lengths);
        }
    };
    view! {
        <div class="row judge-numbers">
            <label>
                "Of games, questions "
                <select id="blind-lengths" disabled=closed on:change=choose>
                    {lengths.map(|(own, word, label)| view! {
                        <option value=word selected=move || blindfold.lengths.get() == own>{label}</option>
                    })}
                </select>
            </label>
            <Count
                id="blind-set-seed" label="Seed of what is drawn" least=0 most=u64::from(u32::MAX) disabled=closed
                value=blindfold.set_seed set=move |seed| blindfold.choose_seed(seed)
            />
            <Count
                id="blind-first" label="Ask about the first" least=1 most=100_000 disabled=closed
                value=Signal::derive(move || blindfold.first() as u64)
                set=move |count: u64| blindfold.choose_first(count as usize)
            />
        </div>
    }
}
