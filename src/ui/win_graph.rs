//! The graph of White's winning chance, with a table for whoever prefers one.

use leptos::prelude::*;

use super::game_graph::{GameGraph, GraphTable, moves_table, strips};
use crate::{
    commentary::Verdict,
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
        <GraphTable title="The graph as a table" table=move || graph.with(table) />
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
    let rows = graph.points.iter().map(|point| {
        let verdict = point.verdict.map(Verdict::word).unwrap_or_default();
        let cells = [percent(point.chance), verdict.to_owned()];
        (point.node, point.label.clone(), cells)
    });
    moves_table(["White’s winning chance", "Verdict"], rows)
}
