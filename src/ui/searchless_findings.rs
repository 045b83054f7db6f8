//! What training found: best moves with intervals, losses while models learnt, and the tables.

use leptos::prelude::*;

use crate::{
    chessbench::findings::Findings,
    state::searchless::findings::TrainingFindings,
    ui::{rating_charts::means, report_tables::ReportTables, searchless_card::axes},
    view::{
        searchless_charts::{HEIGHT, WIDTH},
        searchless_findings::{CurveChart, dev_loss_charts, figure_charts, learning_charts, puzzle_chart},
    },
};

/// Numbers of charts of means that nobody else on the page has.
const FIRST_CHART: usize = 100;

/// Charts and tables of the models that were trained here; opened when somebody wants to see them.
#[component]
pub fn WhatTrainingFound() -> impl IntoView {
    let findings = TrainingFindings::get();
    let opened = RwSignal::new(false);
    let open = move |_| {
        opened.set(true);
        findings.fetch();
    };
    let charts = move || {
        let found = findings.found.get()?;
        opened.get().then(|| {
            let figures = figure_charts(&found);
            let mut curves: Vec<CurveChart> = puzzle_chart(&found).into_iter().collect();
            curves.extend(learning_charts(&found));
            curves.extend(dev_loss_charts(&found));
            view! {
                <p class="hint">
                    "Dots are figures on the test boards, lines 95 % intervals: of what is learned how often the model’s move is one of the \
                     oracle’s best, of the rest how far values are from the oracle’s, squared. The tables below have these and others."
                </p>
                <div class="charts">
                    {figures.iter().enumerate().map(|(n, chart)| means(FIRST_CHART + n, chart)).collect_view()}
                    {curves.iter().enumerate().map(|(n, chart)| curve_chart(n, chart)).collect_view()}
                </div>
            }
        })
    };
    let tables = Signal::derive(move || match opened.get() {
        true => findings
            .found
            .with(|found| found.as_ref().map(Findings::tables))
            .unwrap_or_default(),
        false => Vec::new(),
    });
    view! {
        <section class="card" id="searchless-findings" aria-labelledby="searchless-findings-title">
            <h2 id="searchless-findings-title">"What training found"</h2>
            <p>
                "The models that ship, and others that differ from one another in one thing, held against boards that none of them has \
                 seen. They have learned little: the paper’s have drawn ten thousand times as many points, and more."
            </p>
            <details on:toggle=open>
                <summary>"Show charts and tables"</summary>
                {charts}
            </details>
            <div role="alert">{move || findings.problem.get().map(|problem| view! { <p class="problem">{problem}</p> })}</div>
        </section>
        <ReportTables of="searchless-findings" tables save=move |form| findings.save(form) />
    }
}

/// How the lines of curves look, one after the other.
const LINES: [&str; 6] = [
    "curve",
    "curve curve-1",
    "curve curve-2",
    "curve curve-3",
    "curve curve-4",
    "curve curve-5",
];

fn line(place: usize) -> &'static str {
    LINES[place % LINES.len()]
}

/// Curves, each with a line of its own in the legend.
fn curve_chart(number: usize, chart: &CurveChart) -> AnyView {
    let (title, desc) = (format!("curves-{number}-title"), format!("curves-{number}-desc"));
    let axes = axes(&chart.upwards, &chart.across);
    let curves = chart
        .curves
        .iter()
        .enumerate()
        .map(|(place, curve)| {
            view! { <path class=line(place) d=curve.path.clone()><title>{curve.text.clone()}</title></path> }
        })
        .collect_view();
    let legend = chart
        .curves
        .iter()
        .enumerate()
        .map(|(place, curve)| {
            view! {
                <li>
                    <svg class="line-swatch" viewBox="0 0 24 8" aria-hidden="true"><path class=line(place) d="M0 4H24" /></svg>
                    {curve.name.clone()}
                </li>
            }
        })
        .collect_view();
    view! {
        <figure class="rating-chart">
            <figcaption>{chart.heading.clone()} <ul class="legend" aria-label="What is drawn">{legend}</ul></figcaption>
            <svg viewBox=format!("0 0 {WIDTH} {HEIGHT}") role="img" aria-labelledby=format!("{title} {desc}")>
                <title id=title.clone()>{chart.heading.clone()}</title>
                <desc id=desc.clone()>{chart.summary.clone()}</desc>
                {axes}
                {curves}
            </svg>
        </figure>
    }
    .into_any()
}
