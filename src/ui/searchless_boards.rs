//! Which boards are annotated, and how.

use leptos::{
    ev::{ClipboardEvent, SubmitEvent},
    prelude::*,
};

use crate::{
    browser::clipboard,
    chessbench::record::ActionSearch,
    long_run::count::several,
    state::searchless::annotating::{
        Annotating, FILE_LIMIT, LimitedBy, MOST_BOARDS, MOST_MILLIS, MOST_NODES, most_engines,
    },
    ui::{
        drop_zone::{ChooseFiles, DropZone, Taker},
        model_run::RunProgress,
        playing_fields::Count,
    },
};

/// A longer text, in letters, is read at once when it is pasted: the browser would lay it out in the box, a megabyte for seconds.
const LONGEST_IN_BOX: usize = 10_000;

/// What is annotated, and where it comes from.
#[component]
pub fn Boards() -> impl IntoView {
    let annotating = Annotating::get();
    let taker = Taker::new(FILE_LIMIT, move |file| annotating.take_file(file));
    let boards = Memo::new(move |_| annotating.boards());
    let there = move || match boards.get() {
        None => "No boards yet.".to_owned(),
        Some(count) if annotating.is_open() => format!("{}.", several(count, "board")),
        Some(count) => {
            let progress = annotating.progress.get();
            let oracle = annotating
                .annotated
                .with(|run| run.as_ref().map(|run| run.header.oracle.words()));
            format!(
                "{} by {}: {} of {} annotated, {} failed.",
                several(count, "board"),
                oracle.unwrap_or_default(),
                progress.answered,
                progress.all,
                progress.failed
            )
        }
    };
    view! {
        <DropZone taker=taker>
            <h2>"Boards"</h2>
            <p class="hint">
                "Games (PGN), of whose main lines every board is taken once; a FEN a line; or a run that was saved here or by "
                <code>"lab chessbench annotate"</code> ", which goes on where it stopped if the engine is the same."
            </p>
            <Paste />
            <div class="row">
                <ChooseFiles taker=taker id="searchless-file" label="Choose a file…" accept=".pgn,.fen,.epd,.txt,.jsonl" />
                <button id="searchless-board" on:click=move |_| annotating.take_board()>"The game on the board"</button>
                {move || boards.get().is_some().then(|| view! {
                    <button class="quiet" id="searchless-forget" on:click=move |_| annotating.forget()>"Forget these boards"</button>
                })}
                {move || annotating.has_former().then(|| view! {
                    <button class="quiet" id="searchless-back" on:click=move |_| annotating.bring_back()>"Bring the former run back"</button>
                })}
            </div>
            <Searches />
            <RunProgress run=annotating.preparing what="Boards" stop=move |()| annotating.preparing.stop() />
            <p id="searchless-there" role="status">{there}</p>
            <div role="alert">
                {move || annotating.problem.get().map(|problem| view! { <p class="problem" id="searchless-problem">{problem}</p> })}
            </div>
            <p class="hint" id="searchless-notice" role="status">{move || annotating.notice.get()}</p>
        </DropZone>
    }
}

/// The box for games and FENs.
#[component]
fn Paste() -> impl IntoView {
    let annotating = Annotating::get();
    let text = RwSignal::new(String::new());
    let paste = move |event: ClipboardEvent| {
        if let Some(pasted) = clipboard::pasted(&event).filter(|pasted| pasted.length() > LONGEST_IN_BOX) {
            event.prevent_default();
            annotating.take_pasted(pasted);
        }
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        annotating.take_text(text.get_untracked());
    };
    view! {
        <form class="searchless-paste" on:submit=submit>
            <label for="searchless-text" class="quiet-label">"Paste games or FENs; or drop a file anywhere on this card"</label>
            <textarea
                id="searchless-text"
                rows="3"
                spellcheck="false"
                autocomplete="off"
                prop:value=text
                on:paste=paste
                on:input=move |event| text.set(event_target_value(&event))
            ></textarea>
            <button type="submit" id="searchless-take" disabled=move || text.with(|text| text.trim().is_empty())>"Take these boards"</button>
        </form>
    }
}

/// How boards are searched.
#[component]
fn Searches() -> impl IntoView {
    let annotating = Annotating::get();
    let open = Memo::new(move |_| annotating.is_open());
    let closed = Signal::derive(move || !open.get());
    let by_nodes = Memo::new(move |_| annotating.limited_by.get() == LimitedBy::Nodes);
    let choose_limit = move |event| {
        annotating.limited_by.set(match event_target_value(&event).as_str() {
            "millis" => LimitedBy::Millis,
            _ => LimitedBy::Nodes,
        });
    };
    let choose_actions = move |event| {
        annotating.actions.set(match event_target_value(&event).as_str() {
            "multipv" => ActionSearch::Multipv,
            _ => ActionSearch::EachMove,
        });
    };
    let amount = move || match by_nodes.get() {
        true => view! {
            <Count
                id="searchless-nodes" label="Nodes of each search" least=1 most=MOST_NODES disabled=closed
                value=annotating.nodes set=move |nodes| annotating.nodes.set(nodes)
            />
        }
        .into_any(),
        false => view! {
            <Count
                id="searchless-millis" label="Milliseconds of each search" least=1 most=MOST_MILLIS disabled=closed
                value=annotating.millis set=move |millis| annotating.millis.set(millis)
            />
        }
        .into_any(),
    };
    let most = most_engines() as u64;
    view! {
        <div class="row judge-numbers">
            <label class="wide">
                "Each search is limited by "
                <select id="searchless-limit" disabled=closed on:change=choose_limit>
                    <option value="nodes" selected=move || by_nodes.get()>"nodes: the same records on every machine"</option>
                    <option value="millis" selected=move || !by_nodes.get()>"milliseconds: as the paper’s 50; records depend on the machine"</option>
                </select>
            </label>
            {amount}
            <label class="wide">
                "Moves are valued by "
                <select id="searchless-actions" disabled=closed on:change=choose_actions>
                    {[(ActionSearch::EachMove, "each", "one search for each legal move (the paper’s way)"),
                      (ActionSearch::Multipv, "multipv", "one search with a line for each move (MultiPV): faster, another oracle")]
                        .map(|(own, word, label)| view! {
                            <option value=word selected=move || annotating.actions.get() == own>{label}</option>
                        })}
                </select>
            </label>
            <Count
                id="searchless-first" label="Annotate the first" least=1 most={MOST_BOARDS as u64} disabled=closed
                value=Signal::derive(move || annotating.first() as u64)
                set=move |count: u64| annotating.choose_first(count as usize)
            />
            <Count
                id="searchless-engines" label="Engines at the same time" least=1 most=most
                disabled=Signal::derive(move || annotating.run.is_asking())
                value=Signal::derive(move || annotating.engines.get() as u64)
                set=move |count: u64| annotating.engines.set(count as usize)
            />
        </div>
        <p class="hint">
            {format!("This machine has room for {}; each takes some 60 MB of memory. The engine’s memory is cleared before each board and \
                      kept from move to move of it.", several(most_engines(), "engine"))}
        </p>
    }
}
