//! Building a study.

use leptos::{ev::Event, prelude::*};
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::{location, turns},
    state::{App, study::StudyBuilder as State},
    survey::{
        limits::MAX_STUDY_BYTES,
        study::Study,
        study_file::{Fault, Place},
        warnings::warnings,
    },
    ui::{
        drop_zone::{ChooseFiles, DropZone, Taker},
        study_checks::ChecksEditor,
        study_criteria::CriteriaEditor,
        study_faults::{faults_at, provide_faults},
        study_form::FormEditor,
        study_instructions::InstructionsEditor,
        study_instrument::InstrumentEditor,
        study_items::ItemsEditor,
        study_language::LanguageEditor,
        study_order::OrderEditor,
        study_practice::PracticeEditor,
        study_questions::QuestionsEditor,
        study_recruitment::{RatersEditor, RecruitmentEditor},
        study_sending::SendingEditor,
        study_spans::SpansEditor,
    },
};

/// The most faults that are listed at the end of the page; more are counted.
const LISTED: usize = 20;

/// The file itself is shown of a study with so many bytes of comments and so many items at most: browsers take seconds to
/// lay more out.
const LONGEST_SHOWN: usize = 500_000;
const MOST_SHOWN: usize = 1_000;

/// `#/study`: builds a study.
#[component]
pub fn StudyBuilder() -> impl IntoView {
    let state = App::get().builder;
    state.begin();
    let faults = provide_faults();
    let taker = Taker::new(MAX_STUDY_BYTES, move |file| match file {
        Ok(file) => state.open(file),
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
                {move || state.reading.get().then(|| view! { <p class="progress" role="status">"Reading…"</p> })}
                <p id="builder-notice" role="status" class="hint">{move || state.notice.get()}</p>
                <p id="builder-problem" class="problem" role="alert">{move || state.problem.get()}</p>
            </DropZone>
            <Editors />
            <WholeFile />
            <Ready faults=faults />
        </article>
    }
}

/// The parts of the page, each drawn in a turn of its own: all of them at once are a long task.
#[component]
fn Editors() -> impl IntoView {
    const PARTS: [fn() -> AnyView; 15] = [
        || InstrumentEditor().into_any(),
        || Texts().into_any(),
        || FormEditor().into_any(),
        || InstructionsEditor().into_any(),
        || QuestionsEditor().into_any(),
        || CriteriaEditor().into_any(),
        || PracticeEditor().into_any(),
        || ItemsEditor().into_any(),
        || ChecksEditor().into_any(),
        || OrderEditor().into_any(),
        || SpansEditor().into_any(),
        || RatersEditor().into_any(),
        || RecruitmentEditor().into_any(),
        || LanguageEditor().into_any(),
        || SendingEditor().into_any(),
    ];
    let drawn = RwSignal::new(0);
    spawn_local(async move {
        for count in 1..=PARTS.len() {
            turns::settled().await;
            // The page may be left in between.
            drawn.try_set(count);
        }
    });
    let part = |(place, part): (usize, fn() -> AnyView)| {
        let is_due = Memo::new(move |_| drawn.get() > place);
        move || is_due.get().then(part)
    };
    PARTS.into_iter().enumerate().map(part).collect_view()
}

/// A text of the study in a field of the page.
fn bound(
    state: State,
    get: fn(&Study) -> String,
    set: fn(&mut Study, String),
) -> (impl Fn() -> String + Copy, impl Fn(Event) + Copy) {
    // What is put into a field takes the place of what is being written there: only another text is.
    let value = Memo::new(move |_| state.study.with(get));
    (
        move || value.get(),
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
            {faults_at(|place| matches!(place, Place::Title | Place::Consent))}
        </section>
    }
}

/// The whole file as text.
#[component]
fn WholeFile() -> impl IntoView {
    let state = App::get().builder;
    let text = RwSignal::new(Some(String::new()));
    let shown = move || {
        state.study.with_untracked(|study| {
            let comments = study.items.iter().flat_map(|item| &item.comments);
            let size: usize = comments.map(|comment| comment.text.len()).sum();
            (size <= LONGEST_SHOWN && study.items.len() <= MOST_SHOWN).then(|| study.to_json())
        })
    };
    view! {
        <section class="card">
            <details on:toggle=move |_| text.set(shown())>
                <summary>"The study file itself"</summary>
                <p class="hint">"All that the fields above say, as text, to be copied or changed."</p>
                {move || text.with(Option::is_none).then(|| view! {
                    <p class="hint">"It is too long to be shown here. “Save the study file” below gives it to you, and “Open a study file” takes it back."</p>
                })}
                <textarea id="builder-json" rows="20" spellcheck="false" aria-label="The study file" prop:value=move || text.get().unwrap_or_default()
                    on:input=move |event| text.set(Some(event_target_value(&event)))></textarea>
                <div class="row">
                    <button id="builder-apply" disabled=move || text.with(Option::is_none) on:click=move |_| state.set_json(text.get_untracked().unwrap_or_default())>"Use this text"</button>
                </div>
            </details>
        </section>
    }
}

/// What is still missing, and the way out.
#[component]
fn Ready(
    /// What keeps the study from being run; `None` until that is known.
    faults: ReadSignal<Option<Vec<Fault>>>,
) -> impl IntoView {
    let app = App::get();
    let state = app.builder;
    let warned = Memo::new(move |_| state.study.with(warnings));
    let ready = move || faults.with(|faults| faults.as_ref().is_some_and(Vec::is_empty));
    let listed = move || {
        let all = faults.get().unwrap_or_default();
        let more = all.len().saturating_sub(LISTED);
        let rest = (more > 0).then(|| view! { <li>{format!("and {more} more")}</li> });
        let listed = all
            .into_iter()
            .take(LISTED)
            .map(|fault| view! { <li>{fault.to_string()}</li> });
        view! { {listed.collect_view()} {rest} }
    };
    let warnings = move || {
        let one = |details: Vec<String>| {
            details
                .into_iter()
                .map(|detail| view! { <li>{detail}</li> })
                .collect_view()
        };
        let all = warned.get().into_iter().map(|warning| {
            view! { <div><p>{warning.to_string()}</p><ul class="notices">{one(warning.details())}</ul></div> }
        });
        all.collect_view()
    };
    let run = move |_| {
        app.survey.choose(state.study.get_untracked());
        location::go("#/survey");
    };
    view! {
        <section class="card" id="builder-ready">
            <h2>{move || if ready() { "Ready to run" } else { "Not ready yet" }}</h2>
            <ul class="notices">{listed}</ul>
            <div id="builder-warnings" class="warnings">{warnings}</div>
            <div class="row">
                <button id="builder-save" class="primary" on:click=move |_| state.save()>"Save the study file"</button>
                <button id="builder-try" disabled=move || !ready() on:click=run>"Try it"</button>
                <button id="builder-codebook-md" class="quiet" on:click=move |_| state.save_codebook(false)>"Codebook (Markdown)"</button>
                <button id="builder-codebook-csv" class="quiet" on:click=move |_| state.save_codebook(true)>"Codebook (CSV)"</button>
            </div>
        </section>
    }
}
