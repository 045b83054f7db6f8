//! The engine's lines and its settings.

use leptos::prelude::*;

use crate::{
    services::engine::EngineStatus,
    state::App,
    uci::Limit,
    ui::prose::MoveChip,
    view::lines::{LinesPanel, limit},
};

/// Limits to choose from. Nodes come first: they give the same answer on every machine.
const LIMITS: [Limit; 10] = [
    Limit::Nodes(100_000),
    Limit::Nodes(200_000),
    Limit::Nodes(300_000),
    Limit::Nodes(1_000_000),
    Limit::Nodes(4_000_000),
    Limit::Depth(12),
    Limit::Depth(16),
    Limit::Depth(20),
    Limit::Time(1000),
    Limit::Time(5000),
];

/// The engine's lines before and after the move.
#[component]
pub fn EngineCard() -> impl IntoView {
    let app = App::get();
    view! {
        <section class="card engine" aria-labelledby="engine-title">
            <header>
                <h2 id="engine-title">"Engine"</h2>
                <span class="hint" role="status">{move || status(&app.engine.get())}</span>
            </header>
            {move || match app.commentary.lines.get() {
                None => view! { <p class="hint">"The best lines appear here, and what the move costs."</p> }.into_any(),
                Some(panel) => draw(panel).into_any(),
            }}
            <Settings />
        </section>
    }
}

fn draw(panel: LinesPanel) -> impl IntoView {
    let rows = panel
        .rows
        .into_iter()
        .map(|row| {
            let steps = row
                .steps
                .into_iter()
                .take(8)
                .map(|step| view! {
                    <span class="step"><span class="move-number">{step.number}</span><MoveChip san=step.san path=step.path /></span>
                })
                .collect_view();
            view! {
                <tr>
                    <th scope="row">{row.title}</th>
                    <td class="score">{row.score}</td>
                    <td class="line">{steps}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <p>{panel.chances}</p>
        <div class="scroll" tabindex="0" role="region" aria-label="The engine’s lines">
            <table class="lines">
                <thead class="unseen"><tr><th>"Line"</th><th>"Score, White’s view"</th><th>"Moves"</th></tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <p class="hint">
            {panel.source} ". Scores are White’s view. Winning chance by "
            <a href="https://lichess.org/page/accuracy" rel="noreferrer" target="_blank">"Lichess’s formula"</a> "."
        </p>
    }
}

fn status(status: &EngineStatus) -> String {
    match status {
        EngineStatus::Asleep => String::new(),
        EngineStatus::Starting => "starting…".into(),
        EngineStatus::Ready(name) => format!("{name}, ready"),
        EngineStatus::Back(dead) => format!("ready: {dead}, and was started again"),
        EngineStatus::Failed(_) => "not available".into(),
    }
}

#[component]
fn Settings() -> impl IntoView {
    let app = App::get();
    let current = move || app.preferences.get();
    let choose_limit = move |event| {
        if let Some(limit) = event_target_value(&event)
            .parse()
            .ok()
            .and_then(|i: usize| LIMITS.get(i))
        {
            app.preferences.set_limit(*limit);
            app.commentary.again();
        }
    };
    let choose_lines = move |event| {
        if let Ok(lines) = event_target_value(&event).parse::<u32>() {
            app.preferences.update(|s| s.multipv = lines.clamp(2, 5));
            app.commentary.again();
        }
    };
    view! {
        <div class="row settings">
            <label>
                "Each search "
                <select id="limit" on:change=choose_limit>
                    {LIMITS.iter().enumerate().map(|(i, l)| view! {
                        <option value=i.to_string() selected=move || current().limit == *l>{limit(*l)}</option>
                    }).collect_view()}
                </select>
            </label>
            {move || (!app.preferences.kept.get()).then(|| view! {
                <span class="hint">"This browser keeps no settings: they last until the page is closed."</span>
            })}
            <label>
                "Lines "
                <select id="multipv" on:change=choose_lines>
                    {(2..=5_u32).map(|n| view! {
                        <option value=n.to_string() selected=move || current().multipv == n>{n.to_string()}</option>
                    }).collect_view()}
                </select>
            </label>
        </div>
    }
}
