//! What came of a run: charts, tables with the paper's figures beside ours, and what of the paper is not among them.

use leptos::prelude::*;

use crate::{
    state::blindfold::Blindfold,
    ui::{rating_charts::means, report_tables::ReportTables},
    view::{blindfold_charts::share_charts, blindfold_paper::ELSEWHERE},
};

/// Legal and exact answers by player.
#[component]
pub fn Charts() -> impl IntoView {
    let blindfold = Blindfold::get();
    move || {
        let charts = blindfold.report.with(|report| share_charts(&report.players));
        (!charts.is_empty()).then(|| view! {
            <section class="card" id="blind-charts" aria-labelledby="blind-charts-title">
                <h2 id="blind-charts-title">"Charts"</h2>
                <p class="hint">"Dots are shares, lines 95 % intervals. Their figures are in the tables below."</p>
                <div class="charts">{charts.iter().enumerate().map(|(n, chart)| means(n, chart)).collect_view()}</div>
            </section>
        })
    }
}

/// The tables.
#[component]
pub fn Tables() -> impl IntoView {
    let blindfold = Blindfold::get();
    let tables = Signal::derive(move || blindfold.report.with(|report| report.tables.clone()));
    view! { <ReportTables of="blind" tables save=move |form| blindfold.save_report(form) /> }
}

/// Which of the paper's tables and figures are not measured in a run, and why.
#[component]
pub fn NotMeasured() -> impl IntoView {
    view! {
        <section class="card" aria-labelledby="blind-elsewhere-title">
            <h2 id="blind-elsewhere-title">"The paper’s other tables and figures"</h2>
            <dl class="blindfold-elsewhere">
                {ELSEWHERE.map(|(what, why)| view! { <dt>{what}</dt> <dd>{why}</dd> })}
            </dl>
        </section>
    }
}
