//! The data card: charts, tables; and what the paper has and this page has not.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::{
    state::searchless::{
        annotating::Annotating,
        card::{Card, CardOf},
        sets::Sets,
    },
    ui::report_tables::ReportTables,
    view::{
        searchless_charts::{BOTTOM, HEIGHT, Histogram, LEFT, RIGHT, WIDTH, histograms},
        searchless_paper::BEYOND,
    },
};

/// What a set is like, and how much of it is in another.
#[component]
pub fn DataCard() -> impl IntoView {
    let (card, sets, annotating) = (Card::get(), Sets::get(), Annotating::get());
    // A set that was just given is what one wants to see.
    Effect::new(move |before: Option<(bool, bool)>| {
        let now = (sets.learned.with(Option::is_some), sets.tested.with(Option::is_some));
        let run = annotating.annotated.with_untracked(Option::is_some);
        if before.is_some_and(|before| before != now) && !run {
            card.of.set(match now {
                (true, _) => CardOf::Learned,
                (_, true) => CardOf::Tested,
                _ => CardOf::Run,
            });
        }
        now
    });
    Effect::new(move |_| {
        annotating.at_rest.track();
        card.of.track();
        sets.learned.track();
        sets.tested.track();
        spawn_local(card.make());
    });
    let choose = move |event| {
        let word = event_target_value(&event);
        if let Some(of) = CardOf::ALL.into_iter().find(|of| of.word() == word) {
            card.of.set(of);
        }
    };
    let charts = move || {
        let charts = card.figures.with(histograms);
        match charts.is_empty() {
            true => view! { <p class="hint" id="searchless-no-card">"There is no annotated board yet."</p> }.into_any(),
            false => view! {
                <p class="hint">"Shares of all. The figures are in the tables below."</p>
                <div class="charts">{charts.iter().enumerate().map(|(number, chart)| histogram(number, chart)).collect_view()}</div>
            }
            .into_any(),
        }
    };
    let tables = Signal::derive(move || card.report());
    view! {
        <section class="card" id="searchless-card" aria-labelledby="searchless-card-title">
            <h2 id="searchless-card-title">"Data card"</h2>
            <label>
                "Of "
                <select id="searchless-card-of" on:change=choose>
                    {CardOf::ALL.map(|of| view! {
                        <option value=of.word() prop:selected=move || card.of.get() == of>{of.label()}</option>
                    })}
                </select>
            </label>
            {charts}
            <div role="alert">{move || card.problem.get().map(|problem| view! { <p class="problem">{problem}</p> })}</div>
        </section>
        <ReportTables of="searchless" tables save=move |form| card.save_report(form) />
    }
}

/// The ticks of a chart's axes: their places, and what they say.
pub(super) fn axes(upwards: &[(f64, String)], across: &[(f64, String)]) -> AnyView {
    let upwards = upwards
        .iter()
        .map(|(y, text)| {
            view! {
                <line class="grid" x1=LEFT x2=RIGHT y1=*y y2=*y />
                <text class="tick" x={LEFT - 4.0} y=*y text-anchor="end" dominant-baseline="central">{text.clone()}</text>
            }
        })
        .collect_view();
    let across = across
        .iter()
        .map(|(x, text)| view! { <text class="tick" x=*x y={BOTTOM + 14.0} text-anchor="middle">{text.clone()}</text> })
        .collect_view();
    view! { {upwards} {across} }.into_any()
}

fn histogram(number: usize, chart: &Histogram) -> AnyView {
    let (title, desc) = (
        format!("searchless-chart-{number}-title"),
        format!("searchless-chart-{number}-desc"),
    );
    let axes = axes(&chart.upwards, &chart.across);
    let columns = chart
        .columns
        .iter()
        .map(|column| {
            view! {
                <g>
                    <title>{column.text.clone()}</title>
                    <rect class="hit" x=column.x y="0" width=column.width height=BOTTOM />
                    <rect class="column" x=column.x y=column.y width=column.width height={BOTTOM - column.y} />
                </g>
            }
        })
        .collect_view();
    let [columns_of, line_of] = chart.legend;
    view! {
        <figure class="rating-chart histogram">
            <figcaption>
                {chart.heading.clone()}
                <ul class="legend" aria-label="What is drawn">
                    <li><span class="swatch column"></span>{columns_of}</li>
                    <li><span class="swatch over"></span>{line_of}</li>
                </ul>
            </figcaption>
            <svg viewBox=format!("0 0 {WIDTH} {HEIGHT}") role="img" aria-labelledby=format!("{title} {desc}")>
                <title id=title.clone()>{chart.heading.clone()}</title>
                <desc id=desc.clone()>{chart.summary.clone()}</desc>
                {axes}
                {columns}
                <path class="over" d=chart.line.clone() />
            </svg>
        </figure>
    }
    .into_any()
}

/// What the paper has and this page has not.
#[component]
pub fn Beyond() -> impl IntoView {
    view! {
        <section class="card" aria-labelledby="searchless-beyond-title">
            <h2 id="searchless-beyond-title">"What the paper has and this page has not"</h2>
            <dl class="blindfold-elsewhere">{BEYOND.map(|(what, why)| view! { <dt>{what}</dt> <dd>{why}</dd> })}</dl>
        </section>
    }
}
