//! A graph along the game, with the place on the board marked: a slider for the keyboard, strips for the mouse. The graph
//! of the winning chance and the course of a concept are such.

use leptos::{ev::KeyboardEvent, prelude::*};

use crate::{
    chess::NodeId,
    state::{App, game_store::GameStore},
    view::game_axis::{WIDTH, strip, x},
};

/// How many moves of the main line lead to the place on the board, or to where a variation left it; tracked.
fn moves_to_here(game_store: GameStore) -> usize {
    let at = game_store.at();
    game_store.with_game(|game| {
        let main = game.main_line();
        game.line_to(at).iter().zip(&main).take_while(|(a, b)| a == b).count()
    })
}

/// Goes to a position of the main line: 0 is the one before the first move.
fn go(game_store: GameStore, position: usize) {
    let node = untrack(|| {
        game_store.with_game(|game| match position.checked_sub(1) {
            Some(index) => game.main_line().get(index).copied(),
            None => Some(NodeId::ROOT),
        })
    });
    if let Some(node) = node {
        game_store.go(node);
    }
}

/// The graph.
#[component]
pub fn GameGraph(
    /// What kind it is, for the style.
    class: &'static str,
    /// What it shows, and that the arrows go from move to move.
    label: Signal<String>,
    /// How many positions there are.
    positions: Memo<usize>,
    /// Its height, in units of its [`WIDTH`].
    height: f64,
    /// A position in words.
    said: impl Fn(usize) -> String + Copy + Send + Sync + 'static,
    /// What is drawn, below the mark of the place on the board.
    shapes: impl Fn() -> AnyView + Send + 'static,
) -> impl IntoView {
    let game_store = App::get().game_store;
    let here = Memo::new(move |_| moves_to_here(game_store));
    let last = move || positions.get().saturating_sub(1);
    let on_key = move |event: KeyboardEvent| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return;
        }
        let (at, end) = (here.get_untracked(), untrack(last));
        let target = match event.key().as_str() {
            "ArrowLeft" | "ArrowDown" => at.saturating_sub(1),
            "ArrowRight" | "ArrowUp" => (at + 1).min(end),
            "PageDown" => at.saturating_sub(10),
            "PageUp" => (at + 10).min(end),
            "Home" => 0,
            "End" => end,
            _ => return,
        };
        event.prevent_default();
        go(game_store, target);
    };
    let text = move || said(here.get());
    view! {
        <div
            class=format!("game-graph {class}")
            role="slider"
            tabindex="0"
            aria-label=label
            aria-valuemin="0"
            aria-valuemax=move || last().to_string()
            aria-valuenow=move || here.get().to_string()
            aria-valuetext=text
            on:keydown=on_key
        >
            <svg viewBox=format!("0 0 {WIDTH} {height}") aria-hidden="true">
                {shapes}
                {move || {
                    let x = x(here.get(), positions.get());
                    view! { <line class="here" x1=x x2=x y1="0" y2=height /> }
                }}
            </svg>
        </div>
        <p class="hint">{move || text().replace(" %", "\u{a0}%")}</p>
    }
}

/// A graph as a table, for whoever prefers one.
#[component]
pub fn GraphTable(
    /// What it is called.
    title: &'static str,
    /// The table itself, by [`moves_table`].
    table: impl Fn() -> AnyView + Send + 'static,
) -> impl IntoView {
    view! {
        <details class="win-table">
            <summary>{title}</summary>
            <div class="scroll" tabindex="0" role="region" aria-label=title>{table}</div>
        </details>
    }
}

/// A row for each move: its name, which goes there, and what `columns` say of it.
pub fn moves_table<const COLUMNS: usize>(
    columns: [&'static str; COLUMNS],
    rows: impl Iterator<Item = (NodeId, String, [String; COLUMNS])>,
) -> AnyView {
    let game_store = App::get().game_store;
    let heads = columns.map(|column| view! { <th scope="col">{column}</th> });
    let rows = rows
        .map(|(node, label, cells)| {
            view! {
                <tr>
                    <th scope="row"><button class="move" on:click=move |_| game_store.go(node)>{label}</button></th>
                    {cells.map(|cell| view! { <td>{cell}</td> })}
                </tr>
            }
        })
        .collect_view();
    view! {
        <table>
            <thead><tr><th scope="col">"Move"</th>{heads}</tr></thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

/// A strip for the mouse over each position, with what is said of it.
pub fn strips(points: impl IntoIterator<Item = (usize, String)>, positions: usize, height: f64) -> AnyView {
    let game_store = App::get().game_store;
    points
        .into_iter()
        .map(|(position, text)| {
            let (x, width) = strip(position, positions);
            view! {
                <rect class="strip" x=x y="0" width=width height=height on:click=move |_| go(game_store, position)>
                    <title>{text}</title>
                </rect>
            }
        })
        .collect_view()
        .into_any()
}
