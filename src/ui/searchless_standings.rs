//! How the players of a tournament stand: ratings drawn, tables.

use leptos::prelude::*;

use crate::{
    state::searchless::competing::Competing,
    ui::{rating_charts::means, report_tables::ReportTables},
};

/// The chart and the tables; nothing before the first game.
#[component]
pub fn Standings() -> impl IntoView {
    let competing = Competing::get();
    let chart = Memo::new(move |_| competing.shown.with(|shown| shown.chart.clone()));
    let is_there = Memo::new(move |_| chart.with(Option::is_some));
    let tables = Signal::derive(move || competing.shown.with(|shown| shown.tables.clone()));
    view! {
        {move || is_there.get().then(|| view! {
            <section class="card" id="tournament-chart" aria-labelledby="tournament-chart-title">
                <h2 id="tournament-chart-title">"Ratings"</h2>
                <p class="hint">"Dots are ratings from these games alone, lines 95 % intervals. Their figures are in the tables below."</p>
                <div class="charts">{move || chart.get().map(|chart| means(0, &chart))}</div>
            </section>
        })}
        <ReportTables of="tournament" title="Standings" tables save=move |form| competing.save_report(form) />
    }
}
