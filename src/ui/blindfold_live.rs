//! Blindfold live: a board to play and step on, and where the model believes that a piece may go.

use leptos::{ev::KeyboardEvent, prelude::*};
use shakmaty::{Position, Square};

use crate::{
    chess::names::role_name,
    state::{
        App,
        blindfold::{Blindfold, Live},
    },
    survey::analysis::table::rounded,
    ui::{
        blindfold_model::ModelWanted,
        board::Promotion,
        keyboard,
        navigation::{GameSteps, MoveField},
        shown_board::chessground,
        text_board::TextBoardView,
    },
    view::blindfold_belief::BeliefView,
};

/// The card.
#[component]
pub fn LiveBelief() -> impl IntoView {
    let (blindfold, app) = (Blindfold::get(), App::get());
    let live = Live::new(blindfold);
    let key = move |event: KeyboardEvent| keyboard::walk(app.game_store, &event);
    let on_move = move |from: String, to: String| {
        if let (Ok(from), Ok(to)) = (from.parse(), to.parse()) {
            app.game_store.drag(from, to);
        }
    };
    let on_select = move |square: String| {
        if let Ok(square) = square.parse() {
            live.choose(square);
        }
    };
    let board = chessground(
        Memo::new(move |_| live.board()).into(),
        RwSignal::new(false),
        move || app.game_store.promotion.track(),
        on_move,
        on_select,
        |error| format!("The board cannot be shown: {error}. Moves can be typed."),
    );
    view! {
        <section class="card" id="blind-live" aria-labelledby="blind-live-title" on:keydown=key>
            <h2 id="blind-live-title">"Blindfold live"</h2>
            <p class="hint">
                "The game of the board page, or moves that you play here. The model has read the moves so far and the square of a \
                 piece, and shades where it expects that piece to go: blue where it may go, red where it may not. Press a piece, or \
                 choose it from the list."
            </p>
            <ModelWanted />
            <div class="blindfold-live">
                <div class="compare-board">
                    <div class="board-square">{board}<Promotion /></div>
                    <div class="controls" role="group" aria-label="Game"><GameSteps /></div>
                    <MoveField />
                    <TextBoardView />
                </div>
                <div>
                    <Piece live />
                    {move || if live.is_possible() {
                        view! { <Said live /> }.into_any()
                    } else {
                        view! {
                            <p class="hint">
                                "The model reads moves from the first position of chess, and this game begins elsewhere: open another \
                                 on the " <a href="#">"board page"</a> "."
                            </p>
                        }.into_any()
                    }}
                </div>
            </div>
        </section>
    }
}

/// Which piece is asked about.
#[component]
fn Piece(
    /// What is asked.
    live: Live,
) -> impl IntoView {
    let store = App::get().game_store;
    let choose = move |event| {
        if let Ok(square) = event_target_value(&event).parse::<Square>() {
            live.choose(square);
        }
    };
    let options = move || {
        let position = store.position();
        let named = move |square: Square| {
            let role = position.board().role_at(square).map_or("", role_name);
            view! {
                <option value=square.to_string() selected=move || live.from.get() == Some(square)>{format!("{square}, {role}")}</option>
            }
        };
        live.starts().into_iter().map(named).collect_view()
    };
    view! {
        <label>"The piece to move " <select id="blind-from" on:change=choose>{options}</select></label>
    }
}

/// What the model says of it.
#[component]
fn Said(
    /// What is asked.
    live: Live,
) -> impl IntoView {
    let words = move || match live.belief.get() {
        Some(Ok(belief)) => Some(belief.words),
        Some(Err(problem)) => Some(problem),
        None => None,
    };
    let belief = move || live.belief.get().and_then(Result::ok);
    view! {
        <p id="blind-belief" role="status">{words}</p>
        {move || belief().map(|belief| listed(&belief))}
    }
}

/// Every square that matters, with its share.
fn listed(belief: &BeliefView) -> AnyView {
    let rows = belief.squares.iter().map(|one| {
        let per_cent = 100.0 * one.share;
        view! {
            <tr>
                <th scope="row"><code>{one.square.to_string()}</code></th>
                <td class="number">{format!("{} %", rounded(per_cent, 1))}</td>
                <td><progress class="share" max="100" prop:value=per_cent.to_string() aria-hidden="true"></progress></td>
                <td class:verdict-good=one.legal class:verdict-bad=!one.legal>{if one.legal { "✓ legal" } else { "✗ not legal" }}</td>
            </tr>
        }
    });
    view! {
        <table class="figures" id="blind-shares">
            <caption>"The likeliest squares, and every legal one"</caption>
            <thead><tr>
                <th scope="col">"Square"</th><th scope="col" class="number">"Share"</th><td></td><th scope="col">"By the rules"</th>
            </tr></thead>
            <tbody>{rows.collect_view()}</tbody>
        </table>
    }
    .into_any()
}
