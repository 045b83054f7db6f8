//! The study builder's part on marking words: what raters are asked, and which marks they find there.

use leptos::prelude::*;

use crate::{
    state::{App, study_marks::StudyMarks},
    survey::{
        Study,
        claims_by_hand::MOST_COMMENTS_A_TEXT,
        criteria::Kind,
        preset::span_question,
        span::{Prefill, SpanQuestion},
    },
    ui::{
        by_hand::ByHand,
        model_run::RunProgress,
        study_fields::{area, line, tick},
    },
};

fn change(study: &mut Study, change: impl Fn(&mut SpanQuestion)) {
    if let Some(spans) = study.spans.as_mut() {
        change(spans);
    }
}

/// Whether comments begin with these marks for some raters.
fn begins(id: &'static str, label: &'static str, prefill: Prefill) -> AnyView {
    let get = move |study: &Study| {
        study
            .spans
            .as_ref()
            .is_some_and(|spans| spans.prefill.contains(&prefill))
    };
    tick(id, label, get, move |study, on| {
        change(study, |spans| {
            spans.prefill.retain(|other| *other != prefill);
            if on {
                spans.prefill.push(prefill);
            }
            spans.prefill.sort_unstable();
        });
    })
}

/// Marks of words: the question, the kinds, what is marked beforehand.
#[component]
pub fn SpansEditor() -> impl IntoView {
    let state = App::get().builder;
    let asks = Memo::new(move |_| state.study.with(|study| study.spans.is_some()));
    let counts = move || {
        state.study.with(|study| {
            let comments = || study.items.iter().flat_map(|item| &item.comments);
            let marks: usize = comments().map(|comment| comment.marks.len()).sum();
            let decoys: usize = comments().map(|comment| comment.decoys.len()).sum();
            format!("{marks} marks by the claim check, {decoys} planted ones.")
        })
    };
    view! {
        <section class="card survey-form" id="builder-spans">
            <h2>"Words that are wrong"</h2>
            {tick("builder-spans-asked", "Raters mark the words that are wrong", |s| s.spans.is_some(), |s, on| {
                s.spans = on.then(span_question);
                if !on {
                    for comment in s.items.iter_mut().flat_map(|item| &mut item.comments) {
                        comment.marks.clear();
                        comment.decoys.clear();
                    }
                }
            })}
            {move || asks.get().then(|| view! {
                {line("builder-spans-question", "What raters are asked", |s| s.spans.as_ref().map(|spans| spans.question.clone()).unwrap_or_default(),
                    |s, v| change(s, |spans| spans.question.clone_from(&v)))}
                {area("builder-spans-kinds", "Kinds of errors, one a line: name, colon, label",
                    |s| s.spans.as_ref().map(|spans| Kind::to_lines(&spans.kinds)).unwrap_or_default(),
                    |s, v| change(s, |spans| spans.kinds = Kind::from_lines(&v)))}
                <p class="hint">
                    "Comments can begin with marks, to measure whether they help. Of several ways each rater meets each equally often, \
                     and each comment too."
                </p>
                {begins("builder-prefill-hidden", "Without marks", Prefill::Hidden)}
                {begins("builder-prefill-shown", "With the claim check's marks", Prefill::Shown)}
                {begins("builder-prefill-planted", "With the claim check's marks and a planted one", Prefill::Planted)}
                <div class="row">
                    <button type="button" id="builder-marks" on:click=move |_| state.mark_comments()>"Mark the comments with the claim check"</button>
                </div>
                <MarkedByModel />
                <p id="builder-marks-count" role="status">{counts}</p>
            })}
        </section>
    }
}

/// Marks by what the connected model declares that the comments claim.
#[component]
fn MarkedByModel() -> impl IntoView {
    let app = App::get();
    let (marks, endpoint, builder) = (StudyMarks::get(), app.endpoint, app.builder);
    let ready = move || endpoint.is_configured() && builder.study.with(|study| !study.items.is_empty());
    view! {
        <details class="by-model" id="builder-marks-model">
            <summary>"By claims that a language model declares"</summary>
            <p class="hint">
                "The model is asked once for each comment what it claims, as data; the board judges that, never the model. Words that it \
                 declares nothing of are checked as above. Another model may declare other claims: name it where you describe the study."
            </p>
            {move || (!endpoint.is_configured()).then(|| view! {
                <p class="hint">"No model is connected: connect one under “Comments by a language model”, or take the way without a key."</p>
            })}
            {move || (!marks.run.is_asking()).then(|| view! {
                <button type="button" id="builder-marks-declared" disabled=move || !ready() on:click=move |_| marks.mark()>
                    "Have the model declare the claims, and mark the comments"
                </button>
            })}
            <RunProgress run=marks.run what="Comments whose claims are declared" stop=move |()| marks.stop() />
            <MarkedByHand />
        </details>
    }
}

/// The longest answer about many comments, in letters.
const LONGEST_ANSWER: usize = 400_000;

/// Marks by what any chat declares that the comments claim: texts go there, answers come back.
#[component]
fn MarkedByHand() -> impl IntoView {
    let (marks, builder) = (StudyMarks::get(), App::get().builder);
    // Printing the texts of a large study takes a while, and most are never asked for.
    let open = RwSignal::new(false);
    let comments = Memo::new(move |_| open.get().then(|| marks.comments_hash()));
    let next = Memo::new(move |_| comments.get().and_then(|_| marks.next_text()));
    let text = Signal::derive(move || {
        next.with(|next| next.as_ref().map(|next| next.text.clone()))
            .unwrap_or_default()
    });
    let has_items = move || builder.study.with(|study| !study.items.is_empty());
    let said = move || match next.get() {
        Some(next) => next.said(),
        None if has_items() => "The claims of all comments are declared.".to_owned(),
        None => "The study has no comments yet.".to_owned(),
    };
    view! {
        <details id="builder-marks-by-hand" on:toggle=move |_| open.set(true)>
            <summary>"Without a key: copy a text, paste the answer"</summary>
            <p class="hint">
                "A text asks any chat for the claims of several comments at once. Its answer is one block of JSON with all of them; what is \
                 missing or cannot be read in it is named, and asked for again in the next text."
            </p>
            <label for="builder-marks-a-text">"Comments in one text"</label>
            <input
                id="builder-marks-a-text"
                type="number"
                inputmode="numeric"
                min="1"
                max=MOST_COMMENTS_A_TEXT.to_string()
                prop:value=move || marks.comments_a_text.get().to_string()
                on:change=move |event| {
                    if let Ok(count) = event_target_value(&event).trim().parse::<usize>() {
                        marks.comments_a_text.set(count.clamp(1, MOST_COMMENTS_A_TEXT));
                    }
                }
            />
            <p id="builder-marks-next" role="status">{move || open.get().then(said)}</p>
            <ByHand
                id="builder-marks-answer"
                text
                copy="Copy the text"
                label="The chat’s answer"
                button="Take the claims, and mark the comments"
                longest=LONGEST_ANSWER
                take=move |brought: String| marks.take_by_hand(&brought)
                outcome=marks.brought
            />
        </details>
    }
}
