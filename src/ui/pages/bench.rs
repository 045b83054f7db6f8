//! The benchmark of this page on this machine.

use leptos::prelude::*;

use crate::{
    state::{App, bench::Bench as BenchState},
    view::{bench::POSITIONS, lines::limit},
};

/// `#/bench`: how long each stage of a comment takes in this browser.
#[component]
pub fn Bench() -> impl IntoView {
    let app = App::get();
    let bench = BenchState::new(app.services, app.preferences, app.fit);
    on_cleanup(move || bench.stop());
    let running = move || bench.progress.get().is_some();
    view! {
        <section class="card bench">
            <h1>"Benchmark"</h1>
            <p>
                {format!("Comments on {} positions with the whole pipeline of this page, ", POSITIONS.len())}
                {move || limit(app.preferences.effort().limit)} " a search, and times its stages."
            </p>
            <div class="row">
                {move || if running() {
                    view! { <button on:click=move |_| bench.stop()>"Stop"</button> }.into_any()
                } else {
                    view! { <button id="run-bench" class="primary" on:click=move |_| bench.run()>"Run"</button> }.into_any()
                }}
                <span role="status" class="hint">
                    {move || bench.progress.get().map(|(done, all)| format!("{done} of {all}"))}
                </span>
            </div>
            <p class="problem" role="alert">{move || bench.problem.get()}</p>
            <div class="scroll" tabindex="0" role="region" aria-label="What was measured">
                <table id="bench-report" aria-busy=move || running().to_string()>
                    <thead><tr><th>"What"</th><th>"Unit"</th><th>"Lowest"</th><th>"Median"</th><th>"Highest"</th></tr></thead>
                    <tbody>
                        {move || bench.rows.get().into_iter().map(|row| {
                            let cell = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), number);
                            view! {
                                <tr>
                                    <th scope="row">{row.name}</th>
                                    <td>{row.unit}</td>
                                    <td>{cell(row.spread.map(|s| s.low))}</td>
                                    <td>{cell(row.spread.map(|s| s.median))}</td>
                                    <td>{cell(row.spread.map(|s| s.high))}</td>
                                </tr>
                            }
                        }).collect_view()}
                    </tbody>
                </table>
            </div>
        </section>
    }
}

fn number(value: f64) -> String {
    if value.abs() >= 100.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.2}")
    }
}
