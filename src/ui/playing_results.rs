//! What came of playing: charts and tables, and saving them.

use leptos::prelude::*;

use crate::{
    state::playing::{Form, Playing},
    survey::analysis::table::Table,
    ui::{
        figures_table::{self, CopyAs},
        judge_results::folded,
        rating_charts::{distribution, means},
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
    let save = move |form: Form| {
        let id = format!("play-report-{}", form.label().to_lowercase());
        view! { <button id=id on:click=move |_| playing.save_report(form)>{form.label()}</button> }
    };
    move || {
        let tables = tables();
        (!tables.is_empty()).then(|| {
            view! {
                <section id="play-tables" class="play-tables" aria-labelledby="play-tables-title">
                    <h2 id="play-tables-title">"Tables"</h2>
                    <div class="row"><span class="quiet-label">"Save all tables as"</span> {Form::ALL.map(save)}</div>
                    {tables.into_iter().map(one).collect_view()}
                </section>
            }
        })
    }
}

/// A table with the buttons that copy it.
fn one(table: Table) -> AnyView {
    let what = table.caption.clone();
    let shown = folded(&table);
    let text = Callback::new(move |form: figures_table::Form| form.write(&table, &table));
    view! {
        <div class="card">
            {shown}
            <CopyAs what=what text=text />
        </div>
    }
    .into_any()
}
