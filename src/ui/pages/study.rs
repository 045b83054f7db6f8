//! Building a study.

use leptos::{ev::Event, prelude::*};
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::{files, location},
    state::{App, study::StudyBuilder as State},
    survey::{
        sources::Choice,
        study::{Breaks, Study},
        study_file::MAX_STUDY_BYTES,
    },
    ui::{
        drop_zone::{ChooseFiles, DropZone, Taker},
        study_criteria::CriteriaEditor,
        study_fields::{number, tick},
        study_form::FormEditor,
        study_models::StudyModels,
        study_sending::SendingEditor,
    },
};

/// The most items that are listed; more are counted.
const LISTED: usize = 60;

/// The page.
#[component]
pub fn StudyBuilder() -> impl IntoView {
    let state = App::get().builder;
    let taker = Taker::new(MAX_STUDY_BYTES, move |file| match file {
        Ok(file) => state.open(&file),
        Err(error) => state.refuse(format!("{error}.")),
    });
    view! {
        <article class="survey-page">
            <DropZone taker>
                <h1>"Build a rating study"</h1>
                <p>
                    "A study is one JSON file: what raters agree to, read and are asked, and the moves with the comments on them. \
                     It starts as the study of the paper (Kim et al., NAACL 2025): five criteria, breaks after every 50 comments. \
                     Add your moves and comments, try it, and hand the file to your raters."
                </p>
                <div class="row">
                    <button id="builder-paper" on:click=move |_| state.paper()>"The paper's structure"</button>
                    <button id="builder-demonstration" on:click=move |_| state.demonstration()>"Demonstration"</button>
                    <ChooseFiles taker id="builder-file" label="Open a study file…" accept=".json,application/json" />
                    <a href="#/compare">"Compare methods on a move"</a>
                    <a href="#/survey">"Rate a study"</a>
                    <a href="#/analysis">"Analyse ratings"</a>
                </div>
                <p id="builder-notice" role="status" class="hint">{move || state.notice.get()}</p>
                <p id="builder-problem" class="problem" role="alert">{move || state.problem.get()}</p>
            </DropZone>
            <Texts />
            <FormEditor />
            <CriteriaEditor />
            <Items />
            <Options />
            <SendingEditor />
            <WholeFile />
            <Ready />
        </article>
    }
}

/// A text of the study in a field of the page.
fn bound(
    state: State,
    get: fn(&Study) -> String,
    set: fn(&mut Study, String),
) -> (impl Fn() -> String + Copy, impl Fn(Event) + Copy) {
    (
        move || state.study.with(get),
        move |event: Event| {
            let value = event_target_value(&event);
            state.study.update(|study| set(study, value));
        },
    )
}

/// Title, id, consent.
#[component]
fn Texts() -> impl IntoView {
    let state = App::get().builder;
    let (title, set_title) = bound(state, |s| s.title.clone(), |s, v| s.title = v);
    let (id, set_id) = bound(state, |s| s.id.clone(), |s, v| s.id = v.trim().to_owned());
    let (consent, set_consent) = bound(state, |s| s.consent.text.clone(), |s, v| s.consent.text = v);
    let (version, set_version) = bound(state, |s| s.consent.version.clone(), |s, v| s.consent.version = v);
    view! {
        <section class="card survey-form">
            <h2>"What it is"</h2>
            <label for="builder-title">"Title"</label>
            <input id="builder-title" prop:value=title on:change=set_title />
            <label for="builder-id">"Short name in the results"</label>
            <input id="builder-id" autocomplete="off" spellcheck="false" prop:value=id on:change=set_id />
            <label for="builder-consent">"Consent text (empty lines part paragraphs)"</label>
            <textarea id="builder-consent" rows="6" prop:value=consent on:change=set_consent></textarea>
            <label for="builder-version">"Version of the consent text"</label>
            <input id="builder-version" prop:value=version on:change=set_version />
        </section>
    }
}

/// The items and their comments.
#[component]
fn Items() -> impl IntoView {
    let state = App::get().builder;
    let pasted = RwSignal::new(String::new());
    let every = RwSignal::new(0_usize);
    let choice = move || match every.get_untracked() {
        0 => Choice::TurningPoints,
        n => Choice::Every(n),
    };
    let take = move |file: Option<_>| {
        let Some(file) = file else { return };
        spawn_local(async move {
            match files::read(&file, MAX_STUDY_BYTES as u64).await {
                Ok(file) => state.add(&String::from_utf8_lossy(&file.bytes), choice()),
                Err(error) => state.refuse(format!("{error}.")),
            }
        });
    };
    let counts = move || {
        state.study.with(|study| {
            format!(
                "{} items, {} comments by {} methods.",
                study.items.len(),
                study.comments(),
                study.methods().len()
            )
        })
    };
    let methods = Memo::new(move |_| {
        state.study.with(|study| {
            let count = |method: &str| {
                study
                    .items
                    .iter()
                    .flat_map(|item| &item.comments)
                    .filter(|comment| comment.method == method)
                    .count()
            };
            study
                .methods()
                .into_iter()
                .map(|method| (method.to_owned(), count(method)))
                .collect::<Vec<_>>()
        })
    });
    view! {
        <section class="card survey-form" id="builder-items">
            <h2>"Moves and comments"</h2>
            <label for="builder-paste">
                "Paste positions with moves (one a line: FEN and move), a PGN, or a table (CSV or JSON lines with fen, move, method, comment)"
            </label>
            <textarea id="builder-paste" rows="6" spellcheck="false" prop:value=pasted
                on:input=move |event| pasted.set(event_target_value(&event))></textarea>
            <div class="row">
                <button id="builder-add" class="primary" on:click=move |_| state.add(&pasted.get_untracked(), choice())>"Add"</button>
                <label class="button">
                    "Add from a file…"
                    <input id="builder-table" type="file" class="unseen" accept=".csv,.tsv,.jsonl,.pgn,.txt"
                        on:change=move |event: Event| take(files::chosen(&event)) />
                </label>
                <label for="builder-every">"Of a PGN take"</label>
                <select id="builder-every" on:change=move |event| every.set(event_target_value(&event).parse().unwrap_or_default())>
                    <option value="0">"turning points (glyphs or evaluations)"</option>
                    <option value="1">"every move"</option>
                    <option value="2">"every second move"</option>
                    <option value="4">"every fourth move"</option>
                    <option value="10">"every tenth move"</option>
                </select>
            </div>
            <p id="builder-counts">{counts}</p>
            <div class="row">
                <button id="builder-narrate" on:click=move |_| state.narrate(false)>"Add the narrator's comments (board alone)"</button>
                <button on:click=move |_| state.narrate(true)>"Add the narrator's comments (engine and concepts)"</button>
                <button on:click=move |_| state.use_references()>"Use references as a method"</button>
                <button class="quiet" on:click=move |_| state.clear()>"Remove all items"</button>
            </div>
            <StudyModels />
            {move || state.progress.get().map(|(done, all)| view! {
                <div class="progress">
                    <progress max=all.to_string() prop:value=done.to_string()></progress>
                    <span role="status">{format!("{done} of {all}")}</span>
                    <button class="quiet" on:click=move |_| state.stop()>"Stop"</button>
                </div>
            })}
            <ul class="notices">
                {move || methods.get().into_iter().map(|(method, count)| {
                    let gone = method.clone();
                    view! { <li>{format!("{method}: {count} comments ")}<button class="quiet" on:click=move |_| state.remove_method(&gone)>"Remove"</button></li> }
                }).collect_view()}
            </ul>
            <details>
                <summary>"The items"</summary>
                <ol class="item-list">
                    {move || state.study.with(|study| {
                        let listed = study.items.iter().take(LISTED).map(|item| view! {
                            <li>
                                <p><strong>{format!("{}: {}", item.id, item.mv)}</strong>" "<code>{item.fen.clone()}</code></p>
                                {item.comments.iter().map(|comment| view! {
                                    <p><span class="fact-kind">{comment.method.clone()}</span>" "{comment.text.clone()}</p>
                                }).collect_view()}
                            </li>
                        }).collect_view();
                        let more = study.items.len().saturating_sub(LISTED);
                        view! { {listed} {(more > 0).then(|| view! { <li>{format!("… and {more} more.")}</li> })} }
                    })}
                </ol>
            </details>
        </section>
    }
}

/// Breaks, order, checks.
#[component]
fn Options() -> impl IntoView {
    let breaks = |study: &mut Study, change: &dyn Fn(&mut Breaks)| {
        let mut breaks = study.options.breaks.unwrap_or(Breaks {
            after: 50,
            minutes: 10,
            skippable: false,
        });
        change(&mut breaks);
        study.options.breaks = (breaks.after > 0).then_some(breaks);
    };
    view! {
        <section class="card survey-form">
            <h2>"How it runs"</h2>
            {number("builder-break-after", "A break after so many comments (0: none)", |s| s.options.breaks.map_or(0, |b| b.after),
                move |s, v| breaks(s, &|b| b.after = v))}
            {number("builder-break-minutes", "Minutes of a break", |s| s.options.breaks.map_or(0, |b| b.minutes),
                move |s, v| breaks(s, &|b| b.minutes = v))}
            {tick("builder-skippable", "Breaks can be skipped", |s| s.options.breaks.is_some_and(|b| b.skippable), move |s, v| breaks(s, &|b| b.skippable = v))}
            {tick("builder-back", "Raters can go back", |s| s.options.back, |s, v| s.options.back = v)}
            {number("builder-resume", "Hours within which one can come back (0: no limit)", |s| s.options.resume_hours.unwrap_or(0),
                |s, v| s.options.resume_hours = (v > 0).then_some(v))}
            {number("builder-repeats", "Comments shown a second time, as a silent check", |s| s.checks.repeats, |s, v| s.checks.repeats = v)}
            {number("builder-seed", "Seed of the orders", |s| s.options.order.seed, |s, v| s.options.order.seed = v)}
            {tick("builder-shuffle", "Items in another order for each rater", |s| s.options.order.shuffle, |s, v| s.options.order.shuffle = v)}
        </section>
    }
}

/// The whole file as text.
#[component]
fn WholeFile() -> impl IntoView {
    let state = App::get().builder;
    let text = RwSignal::new(None::<String>);
    view! {
        <section class="card">
            <details on:toggle=move |_| text.set(Some(state.study.with_untracked(Study::to_json)))>
                <summary>"Everything else: the study file itself"</summary>
                <p class="hint">"Instructions, questions on them, practice and planted checks are edited here."</p>
                <textarea id="builder-json" rows="20" spellcheck="false" aria-label="The study file" prop:value=move || text.get().unwrap_or_default()
                    on:input=move |event| text.set(Some(event_target_value(&event)))></textarea>
                <div class="row">
                    <button id="builder-apply" on:click=move |_| state.set_json(&text.get_untracked().unwrap_or_default())>"Use this text"</button>
                </div>
            </details>
        </section>
    }
}

/// What is still missing, and the way out.
#[component]
fn Ready() -> impl IntoView {
    let app = App::get();
    let state = app.builder;
    let faults = Memo::new(move |_| state.faults().iter().map(ToString::to_string).collect::<Vec<_>>());
    let ready = move || faults.with(Vec::is_empty);
    let run = move |_| {
        app.survey.choose(state.study.get_untracked());
        location::go("#/survey");
    };
    view! {
        <section class="card" id="builder-ready">
            <h2>{move || if ready() { "Ready to run" } else { "Not ready yet" }}</h2>
            <ul class="notices">
                {move || faults.get().into_iter().take(20).map(|fault| view! { <li>{fault}</li> }).collect_view()}
            </ul>
            <div class="row">
                <button id="builder-save" class="primary" on:click=move |_| state.save()>"Save the study file"</button>
                <button id="builder-try" disabled=move || !ready() on:click=run>"Try it"</button>
            </div>
        </section>
    }
}
