//! What came of playing: charts and tables, and saving them.

use leptos::prelude::*;

use crate::{
    state::playing::Playing,
    ui::{
        rating_charts::{distribution, means},
        report_tables::ReportTables,
    },
    view::playing_charts::{class_chart, figure_charts},
};

/// Scores, losses by level, puzzles by rating, classes of answers.
#[component]
pub fn Charts() -> impl IntoView {
    let playing = Playing::get();
    move || {
        let (figures, classes) = playing.report.with(|report| {
            report
                .as_ref()
                .map(|report| (figure_charts(report), class_chart(report)))
        })?;
        (!figures.is_empty() || classes.is_some()).then(|| view! {
            <section class="card" id="play-charts" aria-labelledby="play-charts-title">
                <h2 id="play-charts-title">"Charts"</h2>
                <p class="hint">"Dots are means or shares, lines 95 % intervals. Their figures are in the tables below."</p>
                <div class="charts">
                    {figures.iter().enumerate().map(|(n, chart)| means(n, chart)).collect_view()}
                    {classes.iter().map(|chart| distribution(0, chart)).collect_view()}
                </div>
            </section>
        })
    }
}

/// The tables.
#[component]
pub fn Tables() -> impl IntoView {
    let playing = Playing::get();
    let tables = move || {
        playing
            .report
            .with(|report| report.as_ref().map(|report| report.tables.clone()))
            .unwrap_or_default()
    };
    view! { <ReportTables of="play" tables=Signal::derive(tables) save=move |form| playing.save_report(form) /> }
}
