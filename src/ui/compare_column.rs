//! A method's column in the comparison: its comment, marked, and for a model's method the way by hand.

use leptos::prelude::*;

use super::{by_hand::ByHand, marked::Marked};
use crate::{
    state::compare::{Compare as State, Mode, Slot, title},
    view::side_by_side::MarkedComment,
};

/// The longest answer with a comment's claims, in letters.
const LONGEST_CLAIMS: usize = 100_000;

/// A comment under its method's name.
#[component]
pub fn Column(
    /// The method.
    title: String,
    /// The comment, once it is there; `None` while the engine is at work too.
    #[prop(into)]
    comment: Signal<Option<MarkedComment>>,
    /// What is said where there is none.
    missing: &'static str,
    /// What else stands in the column.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    view! {
        <section class="card compare-column" aria-label=title.clone()>
            <h2>{title.clone()}</h2>
            {move || match comment.get() {
                Some(comment) => {
                    let summary = comment.summary();
                    let note = comment.note.clone();
                    view! {
                        <Marked comment />
                        <p class="hint">{summary}</p>
                        {note.map(|note| view! { <p class="hint declared-note">{note}</p> })}
                    }.into_any()
                }
                None => view! { <p class="hint">{missing}</p> }.into_any(),
            }}
            {children.map(|children| children())}
        </section>
    }
}

/// A model's column: asked, or by hand.
#[component]
pub fn ModelColumn(
    /// Its place.
    place: Slot,
    /// What is compared.
    mode: Mode,
) -> impl IntoView {
    let compare = State::get();
    let text = Memo::new(move |_| compare.answer(place).map(|answer| answer.text));
    let comment = Signal::derive(move || {
        let text = text.get()?;
        compare.marked(&text)
    });
    let by = move || {
        compare
            .answer(place)
            .map(|answer| view! { <p class="hint by">{format!("{}+{}", answer.model, answer.asked.words())}</p> })
    };
    let prompt = Memo::new(move |_| {
        compare
            .prompt(place)
            .map(|prompt| prompt.text_by_hand())
            .unwrap_or_default()
    });
    let take = move |answer: String| {
        compare.paste(place, &answer);
        true
    };
    let name = format!("{}-{}", place.arm.word(), place.context.word());
    let heading = title(place, mode);
    let label = format!("The answer: {heading}");
    view! {
        <Column title=heading comment missing="Not written yet.">
            {by}
            <details class="by-hand">
                <summary>"By hand: copy the prompt, paste an answer"</summary>
                <ByHand id=format!("compare-answer-{name}") text=prompt copy="Copy the prompt" label button="Take the answer" take />
            </details>
            <ClaimsByHand name text />
        </Column>
    }
}

/// The way for a chat to declare what a comment claims, by hand; nothing where there is no comment yet.
#[component]
pub fn ClaimsByHand(
    /// What the ids of this place begin with.
    #[prop(into)]
    name: String,
    /// The comment.
    #[prop(into)]
    text: Signal<Option<String>>,
) -> impl IntoView {
    let compare = State::get();
    let outcome = RwSignal::new(None);
    // What was said is about the comment that stood here then.
    Effect::new(move |_| {
        text.track();
        outcome.set(None);
    });
    let question = Memo::new(move |_| text.get().and_then(|text| compare.claims_text(&text)));
    let take = move |brought: String| {
        let Some(text) = text.get_untracked() else { return false };
        let taken = compare.take_claims(&text, &brought);
        let is_taken = taken.is_ok();
        outcome.set(Some(taken));
        is_taken
    };
    let is_there = Memo::new(move |_| question.with(Option::is_some));
    let id = format!("compare-claims-{name}");
    move || {
        let id = id.clone();
        is_there.get().then(|| {
            view! {
                <details class="claims-by-hand">
                    <summary>"Have a model declare its claims"</summary>
                    <p class="hint">
                        "Give the text to any chat and paste what it answers: the comment is then judged by what it means. The chat is \
                         not asked whether a claim is true."
                    </p>
                    <ByHand
                        id
                        text=Signal::derive(move || question.get().unwrap_or_default())
                        copy="Copy what asks for its claims"
                        label="The chat’s answer"
                        button="Take the claims"
                        longest=LONGEST_CLAIMS
                        take
                        outcome
                    />
                </details>
            }
        })
    }
}
