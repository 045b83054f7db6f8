//! Raters: how carefully each rated, who is left out, and what that changes. Nobody is left out but by the user.

use leptos::prelude::*;

use crate::{
    state::ratings::RatingsState,
    survey::analysis::{
        layout::Which,
        quality::{Limits, RaterRow},
        table::rounded,
    },
    ui::figures_table::{CopyAs, Form, figures},
};

/// Raters listed at first; more on request, so that the page is not held up.
const LISTED: usize = 50;

/// The raters, one a row, with what speaks against their ratings.
#[component]
pub fn RatersCard() -> impl IntoView {
    let state = RatingsState::get();
    let listed = RwSignal::new(LISTED);
    let text = Callback::new(move |form: Form| {
        state.raters.with_untracked(|report| {
            report.as_ref().map_or_else(String::new, |report| {
                let table = report.table(Which::Raters);
                form.write(&table, &table)
            })
        })
    });
    let limits = Limits::default();
    let flags = format!(
        "A rater is flagged who failed {} planted check, whose ratings of comments shown again differ by more than {} \
         of the scale, who is more than {} times as fast as the others or takes less than {} seconds for more than {} % of \
         the items, or who gives all criteria of a scale the same rating on more than {} % of the items. Flagged raters stay \
         in until you untick them.",
        match limits.failed_checks {
            0 => "a".to_owned(),
            most => format!("more than {most}"),
        },
        limits.repeat_difference,
        limits.speed_index,
        limits.too_fast_ms / 1000,
        100.0 * limits.too_fast_share,
        100.0 * limits.straight_share,
    );
    let rows = Memo::new(move |_| {
        state
            .raters
            .with(|report| report.as_ref().map_or_else(Vec::new, |report| report.raters.clone()))
    });
    let all = move || rows.with(Vec::len);
    let flagged = move || rows.with(|rows| rows.iter().filter(|row| !row.flags.is_empty()).count());
    let out = move || state.excluded.with(std::collections::BTreeSet::len);
    let some = Memo::new(move |_| all() > 0);
    move || {
        let flags = flags.clone();
        some.get().then(|| view! {
            <section class="card" id="analysis-raters" aria-labelledby="analysis-raters-title">
                <h2 id="analysis-raters-title">"Raters"</h2>
                <p id="raters-summary" role="status">
                    {move || format!("{} raters, {} flagged, {} left out.", all(), flagged(), out())}
                </p>
                <p class="hint">{flags}</p>
                <div class="row">
                    <button id="untick-flagged" disabled=move || flagged() == 0 on:click=move |_| state.exclude_flagged()>"Untick the flagged"</button>
                    <button id="tick-all" disabled=move || out() == 0 on:click=move |_| state.include_all()>"Tick all"</button>
                    <CopyAs what="the raters’ table" text />
                </div>
                {changes()}
                <div class="scroll" tabindex="0" role="group" aria-label="Raters">
                    <table class="figures" id="raters-table">
                        <thead><tr>
                            <th scope="col">"In"</th>
                            <th scope="col">"Rater"</th>
                            <th scope="col">"Flags"</th>
                            <th scope="col">"Items"</th>
                            <th scope="col"><abbr title="Planted checks failed, of those shown">"Checks failed"</abbr></th>
                            <th scope="col"><abbr title="Mean difference between the ratings of comments shown twice, as a share of the scale">"Repeats"</abbr></th>
                            <th scope="col"><abbr title="Median seconds for an item">"Seconds"</abbr></th>
                            <th scope="col"><abbr title="How many times as fast as the others">"Speed"</abbr></th>
                            <th scope="col"><abbr title="Share of items answered faster than anyone reads">"Too fast"</abbr></th>
                            <th scope="col"><abbr title="Share of items with the same rating for all criteria of a scale">"Straight"</abbr></th>
                            <th scope="col"><abbr title="Correlation with the mean of the others">"With others"</abbr></th>
                        </tr></thead>
                        <tbody>
                            // Another analysis may say something else of the same rater.
                            <For each=move || rows.with(|rows| list(rows, listed.get())) key=|row| format!("{row:?}")
                                children=|row| rater(&row) />
                        </tbody>
                    </table>
                </div>
                {move || (all() > listed.get()).then(|| view! {
                    <button id="more-raters" on:click=move |_| listed.update(|listed| *listed += LISTED)>
                        {format!("{} of {} are listed, flagged ones first: list more", listed.get(), all())}
                    </button>
                })}
            </section>
        })
    }
}

/// What leaving raters out changes.
fn changes() -> impl IntoView {
    let state = RatingsState::get();
    move || {
        state.changes.get().map(|table| {
            let text = {
                let table = table.clone();
                Callback::new(move |form: Form| form.write(&table, &table))
            };
            view! {
                <div id="analysis-changes">
                    <CopyAs what="what changes" text />
                    {figures(&table)}
                </div>
            }
        })
    }
}

/// The raters to list; where there are many, flagged ones first.
fn list(rows: &[RaterRow], listed: usize) -> Vec<RaterRow> {
    let mut raters: Vec<&RaterRow> = rows.iter().collect();
    if raters.len() > LISTED {
        raters.sort_by_key(|row| row.flags.is_empty());
    }
    raters.into_iter().take(listed).cloned().collect()
}

fn rater(row: &RaterRow) -> AnyView {
    let state = RatingsState::get();
    let name = row.rater.clone();
    let same = name.clone();
    let included = Memo::new(move |_| state.excluded.with(|excluded| !excluded.contains(&same)));
    let figure = |value: Option<f64>, decimals: usize| value.map_or_else(|| "–".to_owned(), |v| rounded(v, decimals));
    let percent = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |v| format!("{} %", rounded(100.0 * v, 0)));
    let flags: Vec<&str> = row.flags.iter().map(|flag| flag.words()).collect();
    let checks = if row.checks > 0 {
        format!("{} of {}", row.failed_checks, row.checks)
    } else {
        "–".to_owned()
    };
    let with_others = row.undefined.map(|reason| reason.to_string());
    view! {
        <tr class:left-out=move || !included.get()>
            <td>
                <input type="checkbox" aria-label=format!("{} is in", row.rater) prop:checked=included
                    on:change=move |event| state.include(&name, event_target_checked(&event)) />
            </td>
            <th scope="row">{row.rater.clone()}</th>
            <td class="flags">{flags.join(", ")}</td>
            <td class="number">{row.items}</td>
            <td class="number">{checks}</td>
            <td class="number">{figure(row.repeat_difference, 2)}</td>
            <td class="number">{figure(row.median_active_ms.map(|ms| ms as f64 / 1000.0), 1)}</td>
            <td class="number">{figure(row.speed_index, 2)}</td>
            <td class="number">{percent(row.too_fast)}</td>
            <td class="number">{percent(row.straight)}</td>
            <td class="number" title=with_others>{figure(row.with_others, 2)}</td>
        </tr>
    }
    .into_any()
}
