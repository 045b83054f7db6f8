//! The graph of White's winning chance, with a table for whoever prefers one.

use leptos::prelude::*;

use super::game_graph::{GameGraph, strips};
use crate::{
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
    let positions = Memo::new(move |_| graph.with(|graph| graph.positions));
    let said = move |here: usize| {
        graph.with(|graph| {
            let point = graph.points.iter().find(|point| point.position == here);
            point.map_or_else(|| format!("Move {here}, not searched yet"), GraphPoint::text)
        })
    };
    view! {
        <GameGraph
            class="win-graph"
            label=Signal::stored("White’s winning chance along the game; the arrows go from move to move".to_owned())
            positions
            height=HEIGHT
            said
            shapes=move || graph.with(shapes)
        />
        <details class="win-table">
            <summary>"The graph as a table"</summary>
            <div class="scroll" tabindex="0" role="region" aria-label="The graph as a table">{move || graph.with(table)}</div>
        </details>
    }
}

fn shapes(graph: &WinGraph) -> AnyView {
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
    let texts = graph.points.iter().map(|point| (point.position, point.text()));
    view! {
        <path class="ground" d=graph.ground.clone() />
        <path class="area" d=graph.area.clone() />
        <path class="even" d=format!("M0 {0}H{WIDTH}", HEIGHT / 2.0) />
        <path class="curve" d=graph.line.clone() />
        {dots}
        {strips(texts, graph.positions, HEIGHT)}
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
