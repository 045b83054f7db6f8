//! Many raters' files, and the tables and charts that they make.

use std::sync::Arc;

use leptos::prelude::*;

use crate::{
    state::ratings::{Anonymised, FileRow, RatingsState},
    survey::{
        analysis::{Report, layout::Which, material::Ends},
        responses::MAX_RESULTS_BYTES,
    },
    ui::{
        drop_zone::{ChooseFiles, DropZone, Taker},
        figures_table::{CopyAs, Form, figures},
        live_card::LiveCard,
        raters_card::RatersCard,
        rating_charts::{self, Folded},
        simulated_raters::SimulatedRaters,
        survey_downloads::SpreadsheetSafe,
    },
};

/// Files and notes that are listed unfolded; more are folded.
const UNFOLDED: usize = 8;
/// Notes that are listed at most; all can be copied.
const LISTED: usize = 100;

/// `#/analysis`: raters' files and the tables and charts of them.
#[component]
pub fn Analysis() -> impl IntoView {
    let state = RatingsState::get();
    view! {
        <article class="survey-page analysis-page" aria-busy=move || state.progress.with(Option::is_some).to_string()>
            <Given />
            {move || state.simulated.get().then(|| view! {
                <section class="card simulated-banner" id="simulated-banner" role="status">
                    <p><strong>"Simulated raters. "</strong>"All tables and charts below are of raters by chance, not of people."</p>
                    <div class="row"><button on:click=move |_| state.end_simulation()>"Back to the files"</button></div>
                </section>
            })}
            <Notes />
            <Settings />
            <Tables />
            <rating_charts::Means />
            <rating_charts::Distributions />
            <rating_charts::Agreement />
            <RatersCard />
            <LiveCard />
            <SimulatedRaters />
        </article>
    }
}

/// The files.
#[component]
fn Given() -> impl IntoView {
    let state = RatingsState::get();
    let taker = Taker::new(MAX_RESULTS_BYTES, move |file| state.take(file));
    let counts = Memo::new(move |_| {
        state.files.with(|files| {
            let refused = files.iter().filter(|file| file.what.is_err()).count();
            (files.len(), refused)
        })
    });
    let some = Memo::new(move |_| counts.get().0 > counts.get().1);
    let few = Memo::new(move |_| counts.get().0 <= UNFOLDED);
    let of_kind = move |taken: bool| {
        state.files.with(|files| {
            let files = files.iter().filter(|file| file.what.is_ok() == taken);
            files.cloned().collect::<Vec<_>>()
        })
    };
    let summary = move || {
        let (all, refused) = counts.get();
        let files = if all == 1 { "file" } else { "files" };
        match refused {
            0 => format!("{all} {files}"),
            refused => format!("{all} {files}, {refused} of them refused"),
        }
    };
    view! {
        <DropZone taker several=true>
            <h1>"Analyse ratings"</h1>
            <p>
                "Drop the files of all your raters here: results (JSON, JSON lines) or rows in long form (CSV). With the study file, \
                 scales, words per comment, checks and automatic metrics are known too; a CSV with the columns position, method and \
                 one for each metric adds scores. Nothing leaves this browser."
            </p>
            <div class="row">
                <ChooseFiles taker id="analysis-files" label="Choose files…" accept=".json,.jsonl,.csv,.tsv,.txt" several=true />
                {move || (counts.get().0 > 0).then(|| view! {
                    <button class="quiet" id="analysis-clear" on:click=move |_| state.clear()>"Remove all files"</button>
                })}
                <a href="#/study">"Build a study"</a>
                <a href="#/survey">"Rate a study"</a>
            </div>
            <div class="progress" class:idle=move || state.progress.with(Option::is_none)>
                {move || state.progress.get().and_then(|progress| progress.of).map(|(done, all)| view! {
                    <progress max=all.to_string() value=done.to_string()></progress>
                })}
                <span role="status" id="analysis-status" class="hint">
                    {move || match state.progress.get() {
                        Some(progress) => Some(format!("{}…", progress.what)),
                        None => state.status.get(),
                    }}
                </span>
            </div>
            <ul class="file-list refused" id="analysis-refused">
                <For each=move || of_kind(false) key=|file| file.id children=file />
            </ul>
            {move || some.get().then(|| view! {
                <details id="analysis-list" open=move || few.get()>
                    <summary>{summary}</summary>
                    <ul class="file-list"><For each=move || of_kind(true) key=|file| file.id children=file /></ul>
                </details>
            })}
            {move || (state.pilots.get() > 0).then(|| view! {
                <label class="hint">
                    <input type="checkbox" id="include-pilots" prop:checked=state.include_pilots
                        on:change=move |event| state.choose_pilots(event_target_checked(&event)) />
                    " Include pilot sessions"
                </label>
            })}
            <p id="analysis-problem" class="problem" role="alert">{move || state.problem.get()}</p>
        </DropZone>
    }
}

fn file(file: FileRow) -> AnyView {
    let state = RatingsState::get();
    let id = file.id;
    let label = format!("Remove {}", file.name);
    let what = match file.what {
        Ok(what) => view! { <span>{what}</span> }.into_any(),
        Err(reason) => view! { <span class="problem" role="alert">{reason}</span> }.into_any(),
    };
    view! {
        <li>
            <code>{file.name}</code>
            {what}
            <button class="quiet" aria-label=label on:click=move |_| state.remove(id)>"Remove"</button>
        </li>
    }
    .into_any()
}

/// Duplicates, conflicts and the like.
#[component]
fn Notes() -> impl IntoView {
    let state = RatingsState::get();
    let all = Signal::derive(move || state.notes.with(|notes| notes.join("\n")));
    move || {
        let notes = state.notes.get();
        (!notes.is_empty()).then(|| {
            let listed = notes
                .iter()
                .take(LISTED)
                .map(|note| view! { <li>{capital(note)}</li> })
                .collect_view();
            let more = notes.len().saturating_sub(LISTED);
            let count = notes.len();
            view! {
                <section class="card" id="analysis-notes" aria-labelledby="analysis-notes-title">
                    <h2 id="analysis-notes-title">"To know"</h2>
                    <details open=count <= UNFOLDED>
                        <summary>{if count == 1 { "One note".to_owned() } else { format!("{count} notes") }}</summary>
                        <ul class="notices">
                            {listed}
                            {(more > 0).then(|| view! { <li>{format!("… and {more} more; copy them all.")}</li> })}
                        </ul>
                    </details>
                    <div class="row"><crate::ui::copy::Copy text=all label="Copy all notes" /></div>
                </section>
            }
        })
    }
}

/// Beginning with a capital, ending in a full stop. What ends in one is a sentence as it is: it may begin with a file's
/// name.
fn capital(note: &str) -> String {
    if note.ends_with('.') {
        return note.to_owned();
    }
    let mut letters = note.chars();
    let first: String = letters
        .next()
        .map(|letter| letter.to_uppercase().collect())
        .unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// The study, the method to compare with, the test, the scales.
#[component]
fn Settings() -> impl IntoView {
    let state = RatingsState::get();
    let safe = RwSignal::new(false);
    let any = Memo::new(move |_| state.report.with(Option::is_some) || state.scales.with(|scales| !scales.is_empty()));
    let methods = Memo::new(move |_| {
        state.report.with(|report| {
            let mut methods: Vec<String> = Vec::new();
            for row in report.iter().flat_map(|report| &report.means) {
                if !methods.contains(&row.method) {
                    methods.push(row.method.clone());
                }
            }
            methods
        })
    });
    // Simulated raters bring their study.
    let no_study = move || {
        let chosen = state.study.get();
        let of_chosen = |id: &String| chosen.as_ref().is_none_or(|chosen| chosen.is_empty() || chosen == id);
        !state.simulated.get() && !state.known.with(|known| known.iter().any(|(id, _)| of_chosen(id)))
    };
    let test = move || {
        state
            .report
            .with(|report| report.as_ref().map(|report| report.test.clone()))
    };
    move || {
        any.get().then(|| view! {
            <section class="card" id="analysis-settings" aria-labelledby="analysis-settings-title">
                <h2 id="analysis-settings-title">"What is compared"</h2>
                <div class="numbers">
                    {move || (state.studies.with(Vec::len) > 1).then(|| view! {
                        <label>
                            "Study"
                            <select id="analysis-study" on:change=move |event| state.choose_study(event_target_value(&event))>
                                {move || state.studies.get().into_iter().map(|id| {
                                    let same = id.clone();
                                    view! { <option value=id.clone() prop:selected=move || state.study.get().as_ref() == Some(&same)>{if id.is_empty() { "(no name)".to_owned() } else { id.clone() }}</option> }
                                }).collect_view()}
                            </select>
                        </label>
                    })}
                    <label>
                        "Significance against"
                        <select id="analysis-baseline" on:change=move |event| {
                            let method = event_target_value(&event);
                            state.choose_baseline((!method.is_empty()).then_some(method));
                        }>
                            <option value="" prop:selected=move || state.baseline.with(Option::is_none)>"no method"</option>
                            {move || methods.get().into_iter().map(|method| {
                                let same = method.clone();
                                view! { <option value=method.clone() prop:selected=move || state.baseline.get().as_ref() == Some(&same)>{method.clone()}</option> }
                            }).collect_view()}
                        </select>
                    </label>
                    <label>
                        "Test"
                        <select id="analysis-test" on:change=move |event| state.choose_test(event_target_value(&event) == "flips")>
                            <option value="ranks" prop:selected=move || !state.sign_flips.get()>"Wilcoxon’s signed ranks"</option>
                            <option value="flips" prop:selected=move || state.sign_flips.get()>"Sign flips (permutation)"</option>
                        </select>
                    </label>
                </div>
                <label class="hint">
                    <input type="checkbox" id="count-reference" prop:checked=state.count_reference
                        on:change=move |event| state.choose_count_reference(event_target_checked(&event)) />
                    " Count the reference comments in BLEU and ROUGE, where they overlap with themselves by 1"
                </label>
                <label class="hint">
                    <input type="checkbox" id="show-paper" prop:checked=state.paper
                        on:change=move |event| state.choose_paper(event_target_checked(&event)) />
                    " Show the paper’s figures beside these, where a method, criterion or metric is one of the paper’s"
                </label>
                <p class="hint" id="analysis-test-words">{move || test().map(|words| capital(&words))}</p>
                <Scales />
                <div class="row">
                    <button id="save-report" disabled=move || state.report.with(Option::is_none) on:click=move |_| state.save_report()>
                        "Save all figures (JSON)"
                    </button>
                    <button id="save-ratings" disabled=move || state.report.with(Option::is_none) on:click=move |_| state.save_ratings(safe.get_untracked())>
                        "Save all ratings (CSV)"
                    </button>
                    <button id="save-anonymised" disabled=move || state.report.with(Option::is_none) on:click=move |_| state.save_anonymised(Anonymised::Ratings)>
                        "Anonymised ratings (CSV)"
                    </button>
                    <button id="save-anonymised-raters" disabled=no_study on:click=move |_| state.save_anonymised(Anonymised::Raters)>
                        "Anonymised raters (CSV)"
                    </button>
                    <button id="save-codebook-md" disabled=no_study on:click=move |_| state.save_codebook(false)>"Codebook (Markdown)"</button>
                    <button id="save-codebook-csv" disabled=no_study on:click=move |_| state.save_codebook(true)>"Codebook (CSV)"</button>
                </div>
                {move || no_study().then(|| view! {
                    <p class="hint">"With the study file, the codebook of its columns and values can be saved beside the ratings."</p>
                })}
                <p class="hint">
                    "Anonymised files have new names for raters in an order of chance, and no free text, participant ids, times of \
                     answers or journals. What is left can still tell of somebody whom few answers fit: look at it before you give it away."
                </p>
                <SpreadsheetSafe safe />
            </section>
        })
    }
}

/// The scales' ends, where no study file says them.
#[component]
fn Scales() -> impl IntoView {
    let state = RatingsState::get();
    let unknown = Memo::new(move |_| {
        state
            .scales
            .with(|scales| scales.iter().any(|scale| scale.ends.is_none()))
    });
    let number = |event: &leptos::ev::Event| event_target_value(event).trim().parse::<f64>().ok();
    // The list is made anew when a scale is set; what is unfolded stays so.
    let some = Memo::new(move |_| state.scales.with(|scales| !scales.is_empty()) && !state.simulated.get());
    let rows = move || {
        state
            .scales
            .get()
            .into_iter()
            .map(|scale| {
                let name = scale.criterion.clone();
                let ends = scale.ends.unwrap_or(Ends { low: 1.0, high: 5.0 });
                let (low_of, high_of) = (name.clone(), name.clone());
                view! {
                    <li>
                        <span>{name.clone()}</span>
                        <label>"from" <input inputmode="decimal" aria-label=format!("Lowest rating of {name}") prop:value=ends.low.to_string()
                            on:change=move |event| if let Some(low) = number(&event) { state.set_scale(&low_of, low, ends.high) } /></label>
                        <label>"to" <input inputmode="decimal" aria-label=format!("Highest rating of {name}") prop:value=ends.high.to_string()
                            on:change=move |event| if let Some(high) = number(&event) { state.set_scale(&high_of, ends.low, high) } /></label>
                        {scale.own.then(|| view! { <span class="hint">"as you set it"</span> })}
                    </li>
                }
            })
            .collect_view()
    };
    move || {
        some.get().then(|| {
            view! {
                <details open=move || unknown.get()>
                    <summary>"Scales"</summary>
                    <p class="hint">"Ratings are shown as shares of their scale, 0 to 1. The study file says the ends; without one, say them here."</p>
                    <ul class="scale-list">{rows}</ul>
                    <div class="row"><button id="confirm-scales" on:click=move |_| state.confirm_scales()>"These are the scales"</button></div>
                </details>
            }
        })
    }
}

/// The paper's tables.
#[component]
fn Tables() -> impl IntoView {
    let state = RatingsState::get();
    move || {
        let paper = state.paper.get();
        let table = |report: &Arc<Report>, which, number, title| table(report, paper, which, number, title);
        state.report.get().map(|report| {
            view! {
                {table(&report, Which::Means, "Table 1", "Means, words, significance")}
                {(!report.comparisons.is_empty()).then(|| view! {
                    <section class="card">
                        <Folded title="The comparisons behind the stars: differences, p-values, effects" what="the comparisons"
                            table=report.table(Which::Comparisons) rows=report.rows(Which::Comparisons) />
                    </section>
                })}
                {table(&report, Which::Errors, "Table 2", "Kinds of errors")}
                {table(&report, Which::Agreement, "Table 3", "Agreement between raters")}
                {table(&report, Which::Correlations, "Table 4", "Automatic metrics against people")}
                {(!report.gcc_eval.is_empty()).then(|| table(&report, Which::GccEval, "Table 5", "GCC-Eval by method"))}
                {(!report.spans.conditions.is_empty() || !report.spans.agreement.is_empty()).then(|| view! {
                    {table(&report, Which::Spans, "Marked words", "Agreement between raters")}
                    {table(&report, Which::SpanConditions, "Marked words", "By what was marked before")}
                })}
                <section class="card" id="participants">
                    <Folded title="Who took part: outcome, pages, checks, time, form" what="the participants’ table"
                        table=report.table(Which::Participants) rows=report.rows(Which::Participants) />
                </section>
            }
        })
    }
}

fn table(report: &Arc<Report>, paper: bool, which: Which, number: &'static str, title: &'static str) -> AnyView {
    let id = which.name();
    let shown = report.table_beside(which, paper);
    let empty = match which {
        Which::Errors => "No kinds of errors were asked for or ticked.",
        Which::Correlations => {
            "No scores of automatic metrics: a study file with references gives BLEU-1 and ROUGE, a CSV any others."
        }
        _ => "There is nothing to show.",
    };
    let report = report.clone();
    let text = Callback::new(move |form: Form| {
        form.write(&report.table_beside(which, paper), &report.rows_beside(which, paper))
    });
    let title_id = format!("table-{id}-title");
    view! {
        <section class="card" id=format!("table-{id}") aria-labelledby=title_id.clone()>
            <header>
                <h2 id=title_id.clone()>{format!("{number}. {title}")}</h2>
                {(!shown.rows.is_empty()).then(|| view! { <CopyAs what=number text /> })}
            </header>
            {if shown.rows.is_empty() { view! { <p class="hint">{empty}</p> }.into_any() } else { figures(&shown) }}
        </section>
    }
    .into_any()
}
