//! The graph of White's winning chance, with the place on the board marked: a slider for the keyboard, strips for the
//! mouse, a table for whoever prefers one.

use leptos::{ev::KeyboardEvent, prelude::*};

use crate::{
    chess::NodeId,
    commentary::Verdict,
    state::App,
    view::win_graph::{GraphPoint, HEIGHT, WIDTH, WinGraph, percent},
};

/// Radius of the dot of a bad move.
const DOT: f64 = 4.5;

/// The graph.
#[component]
pub fn WinGraphView(
    /// What to draw.
    graph: Memo<WinGraph>,
) -> impl IntoView {
    let game_store = App::get().game_store;
    // How many moves of the main line lead to the place on the board, or to where a variation left it.
    let here = Memo::new(move |_| {
        let at = game_store.at();
        game_store.with_game(|game| {
            let main = game.main_line();
            game.line_to(at).iter().zip(&main).take_while(|(a, b)| a == b).count()
        })
    });
    let last = move || graph.with(|graph| graph.positions.saturating_sub(1));
    let go = move |position: usize| {
        let node = untrack(|| {
            game_store.with_game(|game| match position.checked_sub(1) {
                Some(index) => game.main_line().get(index).copied(),
                None => Some(NodeId::ROOT),
            })
        });
        if let Some(node) = node {
            game_store.go(node);
        }
    };
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
        go(target);
    };
    let said = move || {
        let here = here.get();
        graph.with(|graph| {
            let point = graph.points.iter().find(|point| point.position == here);
            point.map_or_else(|| format!("Move {here}, not searched yet"), GraphPoint::text)
        })
    };
    view! {
        <div
            class="win-graph"
            role="slider"
            tabindex="0"
            aria-label="White’s winning chance along the game; the arrows go from move to move"
            aria-valuemin="0"
            aria-valuemax=move || last().to_string()
            aria-valuenow=move || here.get().to_string()
            aria-valuetext=said
            on:keydown=on_key
        >
            <svg viewBox=format!("0 0 {WIDTH} {HEIGHT}") aria-hidden="true">
                {move || graph.with(|graph| shapes(graph, go))}
                {move || graph.with(|graph| {
                    let x = graph.x(here.get());
                    view! { <line class="here" x1=x x2=x y1="0" y2=HEIGHT /> }
                })}
            </svg>
        </div>
        <p class="hint">{move || said().replace(" %", "\u{a0}%")}</p>
        <details class="win-table">
            <summary>"The graph as a table"</summary>
            <div class="scroll" tabindex="0" role="region" aria-label="The graph as a table">{move || graph.with(table)}</div>
        </details>
    }
}

fn shapes(graph: &WinGraph, go: impl Fn(usize) + Copy + Send + Sync + 'static) -> AnyView {
    let dots = graph
        .points
        .iter()
        .filter_map(|point| {
            let class = match point.verdict? {
                Verdict::Blunder => "dot blunder",
                Verdict::Mistake => "dot mistake",
                _ => return None,
            };
            Some(view! { <circle class=class cx=point.x cy=point.dot(DOT) r=DOT /> })
        })
        .collect_view();
    let strips = graph
        .points
        .iter()
        .map(|point| {
            let (x, width) = graph.strip(point.position);
            let position = point.position;
            view! {
                <rect class="strip" x=x y="0" width=width height=HEIGHT on:click=move |_| go(position)>
                    <title>{point.text()}</title>
                </rect>
            }
        })
        .collect_view();
    view! {
        <path class="ground" d=graph.ground.clone() />
        <path class="area" d=graph.area.clone() />
        <path class="even" d=format!("M0 {0}H{WIDTH}", HEIGHT / 2.0) />
        <path class="curve" d=graph.line.clone() />
        {dots}
        {strips}
    }
    .into_any()
}

fn table(graph: &WinGraph) -> AnyView {
    let game_store = App::get().game_store;
    let rows = graph
        .points
        .iter()
        .map(|point| {
            let node = point.node;
            view! {
                <tr>
                    <th scope="row"><button class="move" on:click=move |_| game_store.go(node)>{point.label.clone()}</button></th>
                    <td>{percent(point.chance)}</td>
                    <td>{point.verdict.map(Verdict::word)}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <table>
            <thead><tr><th scope="col">"Move"</th><th scope="col">"White’s winning chance"</th><th scope="col">"Verdict"</th></tr></thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}
