//! A tournament: who plays, in which openings, by which rules; how far it is; files.

use leptos::{ev::SubmitEvent, prelude::*};

use crate::{
    browser::focus,
    state::searchless::competing::{Competing, FILE_LIMIT, MOST_GAMES_HERE, MOST_NODES},
    tournament::entrant::{Entrant, EntrantKind},
    ui::{
        drop_zone::{ChooseFiles, DropZone, Taker},
        model_run::{RunProgress, focus_soon},
        playing_fields::Count,
        policy_switches::PolicySwitches,
    },
};

/// The button that begins, and the one that stops: one of them is there.
const START: &str = "tournament-start";
const STOP: &str = "tournament-stop";
/// Where the keyboard goes when all games are over.
const SAVE: &str = "tournament-save";
/// What one chooses players by.
const KIND: &str = "tournament-kind";

/// The card.
#[component]
pub fn Tournament() -> impl IntoView {
    let competing = Competing::get();
    let taker = Taker::new(FILE_LIMIT, move |file| competing.take_file(file));
    let open = Memo::new(move |_| competing.is_open());
    view! {
        <DropZone taker=taker>
            <h2>"Tournament"</h2>
            <p class="hint">
                "Every pair of players meets in the same openings, each with either colour. A tournament is the file of "
                <code>"lab chessbench tournament"</code>
                ", which goes on here if its players and its engine are here; one of the same players and openings adds its games."
            </p>
            {move || match open.get() {
                true => view! { <Entering /> }.into_any(),
                false => view! { <Playing /> }.into_any(),
            }}
            <Rules open />
            <p id="tournament-there" role="status">{move || competing.told()}</p>
            <Going />
            <div class="row">
                <ChooseFiles taker=taker id="tournament-file" label="Open a tournament…" accept=".jsonl" />
                {move || (!open.get()).then(|| view! {
                    <button id=SAVE on:click=move |_| competing.save_run()>"Save the tournament"</button>
                    <button id="tournament-pgn" on:click=move |_| competing.save_pgn()>"Save the games (PGN)"</button>
                    <button class="quiet" id="tournament-forget" on:click=move |_| competing.forget()>"Another tournament"</button>
                })}
                {move || competing.has_former().then(|| view! {
                    <button class="quiet" id="tournament-back" on:click=move |_| competing.bring_back()>"Bring the former one back"</button>
                })}
            </div>
            <RunProgress run=competing.reading what="Reading the file" stop=move |()| competing.reading.stop() />
            <div role="alert">
                {move || competing.problem.get().map(|problem| view! { <p class="problem" id="tournament-problem">{problem}</p> })}
            </div>
            <p class="hint" id="tournament-notice" role="status">{move || competing.notice.get()}</p>
        </DropZone>
    }
}

/// Who is entered, and the fields that enter somebody.
#[component]
fn Entering() -> impl IntoView {
    let competing = Competing::get();
    let kind = RwSignal::new(EntrantKind::Skill);
    let (level, nodes) = (RwSignal::new(5_u64), RwSignal::new(100_u64));
    let choose = move |event| {
        let word = event_target_value(&event);
        if let Some(chosen) = EntrantKind::ALL.into_iter().find(|kind| kind.word() == word) {
            kind.set(chosen);
            if let Some((least, most)) = chosen.levels() {
                level.update(|level| *level = (*level).clamp(least, most));
            }
        }
    };
    let enter = move |event: SubmitEvent| {
        event.prevent_default();
        competing.enter(Entrant::new(
            kind.get_untracked(),
            level.get_untracked(),
            nodes.get_untracked(),
        ));
    };
    let levels = move || {
        let (label, (least, most)) = match kind.get() {
            EntrantKind::Elo => ("Rating", kind.get().levels()?),
            other => ("Skill level", other.levels()?),
        };
        Some(view! {
            <Count id="tournament-level" label=label least=least most=most value=level set=move |wanted| level.set(wanted) />
        })
    };
    let searches = move || {
        kind.get().searches().then(|| {
            view! {
                <Count
                    id="tournament-nodes" label="Nodes of each search" least=1 most=MOST_NODES value=nodes
                    set=move |wanted| nodes.set(wanted)
                />
            }
        })
    };
    let one = move |entrant: Entrant| {
        let leave_out = move |_| {
            competing.leave_out(entrant);
            focus_soon(KIND);
        };
        let name = entrant.name();
        view! {
            <li>
                <span>{name.clone()} " " <span class="hint">{entrant.kind.label()}</span></span>
                <button class="quiet" aria-label=format!("Leave out {name}") on:click=leave_out>"Leave out"</button>
            </li>
        }
    };
    view! {
        <h3 id="tournament-players-title">"Players"</h3>
        <ul class="tournament-players" aria-labelledby="tournament-players-title">
            {move || competing.entrants.get().into_iter().map(one).collect_view()}
        </ul>
        <form class="row judge-numbers" on:submit=enter>
            <label class="wide">
                "Another player "
                <select id=KIND on:change=choose>
                    {EntrantKind::ALL.map(|own| view! {
                        <option value=own.word() selected=move || kind.get() == own>{own.label()}</option>
                    })}
                </select>
            </label>
            {levels}
            {searches}
            <button type="submit" id="tournament-enter">"Enter"</button>
        </form>
    }
}

/// Who plays in the tournament that has begun.
#[component]
fn Playing() -> impl IntoView {
    let competing = Competing::get();
    view! {
        <h3 id="tournament-players-title">"Players"</h3>
        <ul class="tournament-players" aria-labelledby="tournament-players-title">
            {move || competing.contestants().unwrap_or_default().into_iter().map(|player| view! {
                <li><span>{player.name} " " <span class="hint">{player.way.words()}</span></span></li>
            }).collect_view()}
        </ul>
    }
}

/// Openings, seed, when games are ended, what policies do besides.
#[component]
fn Rules(
    /// Whether they can still be chosen.
    open: Memo<bool>,
) -> impl IntoView {
    let competing = Competing::get();
    let closed = Signal::derive(move || !open.get());
    let is_looked = Memo::new(move |_| competing.adjudicates.get());
    let no_look = Signal::derive(move || !open.get() || !is_looked.get());
    view! {
        <div class="row judge-numbers">
            <Count
                id="tournament-openings" label="Openings" least=1 most=MOST_GAMES_HERE as u64 disabled=closed
                value=competing.openings set=move |openings| competing.openings.set(openings)
            />
            <Count
                id="tournament-seed" label="Seed of openings and lots" least=0 most=u64::from(u32::MAX) disabled=closed
                value=competing.seed set=move |seed| competing.seed.set(seed)
            />
            <Count
                id="tournament-look" label="Nodes of each look" least=1 most=MOST_NODES disabled=no_look
                value=competing.look_nodes set=move |nodes| competing.look_nodes.set(nodes)
            />
            <Count
                id="tournament-beyond" label="Decided beyond, centipawns" least=100 most=10_000 disabled=no_look
                value=competing.beyond set=move |beyond| competing.beyond.set(beyond)
            />
        </div>
        <fieldset>
            <legend>"Decided games"</legend>
            <label class="check">
                <input
                    id="tournament-adjudicates"
                    type="checkbox"
                    prop:checked=is_looked
                    disabled=closed
                    on:change=move |event| competing.adjudicates.set(event_target_checked(&event))
                />
                "Stockfish looks after every move, and ends the game where it is decided"
            </label>
        </fieldset>
        <fieldset>
            <legend>"The policies of models"</legend>
            <PolicySwitches of="tournament" rules=competing.rules disabled=closed />
        </fieldset>
    }
}

/// Beginning, how far it is, stopping.
#[component]
fn Going() -> impl IntoView {
    let competing = Competing::get();
    let running = Memo::new(move |_| competing.run.is_asking());
    let open = Memo::new(move |_| competing.is_open());
    let ready = Memo::new(move |_| {
        let progress = competing.progress.get();
        match open.get() {
            true => competing.games_to_come() > 0,
            false => progress.answered < progress.all,
        }
    });
    // Whoever stands on "Stop" when the last game ends would stand nowhere. Before the button goes: this follows the run before
    // anything is drawn of it.
    Effect::new(move |was: Option<bool>| {
        let now = running.get();
        if was == Some(true) && !now && focus::is_at(STOP) {
            focus_soon(if ready.get_untracked() { START } else { SAVE });
        }
        now
    });
    let start = move |_| {
        competing.start();
        focus_soon(STOP);
    };
    let stop = move |()| {
        competing.stop();
        focus_soon(START);
    };
    view! {
        {move || (!running.get()).then(|| view! {
            <button id=START class="primary" disabled=move || !ready.get() on:click=start>
                {move || if open.get() { "Begin" } else { "Go on" }}
            </button>
        })}
        <RunProgress run=competing.run what="Games of the tournament" stop=stop stop_id=STOP />
    }
}
