//! Play: a game of the reader against a model, a network, Stockfish or the connected language model.

use leptos::{ev::SubmitEvent, prelude::*};

use crate::{
    browser::focus,
    state::searchless::versus::{MOST_NODES, Versus},
    tournament::{entrant::EntrantKind, reader_game::ReaderGame},
    ui::{
        board::Promotion,
        model_run::{RunProgress, focus_soon},
        navigation::MoveField,
        playing_fields::Count,
        policy_switches::PolicySwitches,
        shown_board::chessground,
        text_board::TextBoardView,
    },
    view::reader_game::{moves_so_far, said},
};

/// Where the keyboard goes while the opponent is at work, or when a button goes.
const MOVE: &str = "versus-move";
/// The button that begins a game, and the one that stops the opponent.
const BEGIN: &str = "versus-begin";
const STOP: &str = "versus-stop";

/// The card.
#[component]
pub fn Play() -> impl IntoView {
    let versus = Versus::get();
    let there = Memo::new(move |_| versus.game.with(Option::is_some));
    view! {
        <section class="card" id="searchless-play" aria-labelledby="searchless-play-title">
            <h2 id="searchless-play-title">"Play"</h2>
            <p class="hint">
                "Play a game against one of the models, which look at the board once and do not search; against the network’s policy or \
                 value alone, Stockfish at a level, the oracle that the models learn from, or the connected language model."
            </p>
            {move || there.get().then(|| view! { <Game /> })}
            <NewGame />
            {move || (!there.get()).then(|| view! { <Working /> })}
        </section>
    }
}

/// The opponent at work, what failed, what was done.
#[component]
fn Working() -> impl IntoView {
    let versus = Versus::get();
    let running = Memo::new(move |_| versus.run.is_asking());
    let next = move || match versus.game.with_untracked(Option::is_some) {
        true => focus_soon(MOVE),
        false => focus_soon(BEGIN),
    };
    // Whoever stands on "Stop" when the move comes would stand nowhere. Before the button goes: this follows the run before
    // anything is drawn of it.
    Effect::new(move |was: Option<bool>| {
        let now = running.get();
        if was == Some(true) && !now && focus::is_at(STOP) {
            next();
        }
        now
    });
    let stop = move |()| {
        versus.stop();
        next();
    };
    view! {
        <RunProgress run=versus.run what="The opponent’s move" stop=stop stop_id=STOP />
        <div role="alert">
            {move || versus.problem.get().map(|problem| view! { <p class="problem" id="versus-problem">{problem}</p> })}
        </div>
        <p class="hint" id="versus-notice" role="status">{move || versus.notice.get()}</p>
    }
}

/// The board, and what can be done.
#[component]
fn Game() -> impl IntoView {
    let versus = Versus::get();
    let board = versus.board;
    Effect::new(move |_| versus.follow(board.at()));
    let ground = chessground(
        Memo::new(move |_| versus.view()).into(),
        RwSignal::new(false),
        move || board.promotion.track(),
        move |from, to| versus.drag(&from, &to),
        |_| (),
        |error| format!("The board cannot be shown: {error}. Moves can be typed."),
    );
    let told = move || versus.game.with(|game| game.as_ref().map(said));
    let moves = Memo::new(move |_| {
        versus
            .game
            .with(|game| game.as_ref().map(moves_so_far))
            .unwrap_or_default()
    });
    let title = move || {
        versus.game.with(|game| {
            let game = game.as_ref()?;
            let [white, black] = game.players();
            Some(format!("{white} – {black}: {}", game.opponent.way.words()))
        })
    };
    view! {
        <div class="blindfold-live">
            <div class="compare-board">
                <div class="board-square">{ground}<Promotion store=board /></div>
                <div class="controls" role="group" aria-label="The board of the game">
                    <button on:click=move |_| board.flipped.update(|f| *f = !*f) aria-pressed=move || board.flipped.get().to_string()>"Flip"</button>
                </div>
                <MoveField store=board id=MOVE play=move |text: String| versus.type_move(&text) />
                <TextBoardView store=board silent=true />
            </div>
            <div class="versus-game">
                <p class="hint" id="versus-title">{title}</p>
                <p id="versus-said" role="status">{told}</p>
                <p id="versus-moves">{move || moves.get()}</p>
                <Doing />
                <Working />
            </div>
        </div>
    }
}

/// What can be done in the game.
#[component]
fn Doing() -> impl IntoView {
    let versus = Versus::get();
    let busy = Memo::new(move |_| versus.run.is_asking());
    let waits = Memo::new(move |_| !busy.get() && versus.asks(ReaderGame::is_opponents_turn));
    let nothing_back = Memo::new(move |_| versus.asks(|game| game.taken_back().is_none()));
    let not_mine = Memo::new(move |_| !versus.asks(ReaderGame::is_readers_turn));
    let resign = move |_| {
        versus.resign();
        focus_soon(MOVE);
    };
    view! {
        <div class="row" role="group" aria-label="Game">
            {move || waits.get().then(|| view! {
                <button id="versus-go-on" class="primary" on:click=move |_| {
                    versus.think();
                    focus_soon(MOVE);
                }>"Let it move"</button>
            })}
            <button id="versus-back" disabled=nothing_back on:click=move |_| versus.take_back()>"Take back"</button>
            <button id="versus-resign" disabled=not_mine on:click=resign>"Resign"</button>
            <button id="versus-save" on:click=move |_| versus.save()>"Save as PGN"</button>
            <button id="versus-analyse" on:click=move |_| versus.analyse()>"Open in analysis"</button>
        </div>
    }
}

/// Whom to play, how, from where.
#[component]
fn NewGame() -> impl IntoView {
    let versus = Versus::get();
    let begin = move |event: SubmitEvent| {
        event.prevent_default();
        versus.begin();
    };
    let choose = move |event| {
        let word = event_target_value(&event);
        if let Some(kind) = EntrantKind::ALL.into_iter().find(|kind| kind.word() == word) {
            versus.kind.set(kind);
            if let Some((least, most)) = kind.levels() {
                versus.level.update(|level| *level = (*level).clamp(least, most));
            }
        }
    };
    let kind = Memo::new(move |_| versus.kind.get());
    let level = move || {
        let (least, most) = kind.get().levels()?;
        let label = if kind.get() == EntrantKind::Elo {
            "Rating"
        } else {
            "Skill level"
        };
        Some(view! {
            <Count id="versus-level" label least most value=versus.level set=move |level| versus.level.set(level) />
        })
    };
    let nodes = move || {
        kind.get().searches().then(|| {
            view! {
                <Count
                    id="versus-nodes" label="Nodes of each search" least=1 most=MOST_NODES
                    value=versus.nodes set=move |nodes| versus.nodes.set(nodes)
                />
            }
        })
    };
    let is_model = Memo::new(move |_| matches!(kind.get(), EntrantKind::Shipped(_) | EntrantKind::Own));
    let side = |event| event_target_value(&event) == "white";
    view! {
        <form id="versus-form" on:submit=begin aria-labelledby="versus-form-title">
            <h3 id="versus-form-title">"New game"</h3>
            <div class="row judge-numbers">
                <label class="wide">
                    "Against "
                    <select id="versus-kind" on:change=choose>
                        {EntrantKind::ALL.map(|own| view! {
                            <option value=own.word() selected=move || kind.get() == own>{own.label()}</option>
                        })}
                    </select>
                </label>
                {level}
                {nodes}
                <label>
                    "You have "
                    <select id="versus-side" on:change=move |event| versus.has_white.set(side(event))>
                        <option value="white" selected=move || versus.has_white.get()>"White"</option>
                        <option value="black" selected=move || !versus.has_white.get()>"Black"</option>
                    </select>
                </label>
                <label>
                    "From "
                    <select id="versus-from" on:change=move |event| versus.from_board.set(event_target_value(&event) == "board")>
                        <option value="first" selected=move || !versus.from_board.get()>"the first position"</option>
                        <option value="board" selected=move || versus.from_board.get()>"the position under Predict"</option>
                    </select>
                </label>
            </div>
            {move || is_model.get().then(|| view! { <Switches /> })}
            <div class="row">
                <button type="submit" id=BEGIN class="primary">"New game"</button>
                {move || versus.has_former().then(|| view! {
                    <button type="button" class="quiet" id="versus-former" on:click=move |_| versus.bring_back()>"Bring the former game back"</button>
                })}
            </div>
        </form>
    }
}

/// The remedies of a model's policy.
#[component]
fn Switches() -> impl IntoView {
    view! {
        <fieldset>
            <legend>"The model’s policy"</legend>
            <PolicySwitches of="versus" rules=Versus::get().rules />
        </fieldset>
    }
}
