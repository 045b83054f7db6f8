//! A method's column in the comparison: its comment, marked, and for a model's method the way by hand.

use leptos::prelude::*;

use super::{copy::Copy, marked::Marked};
use crate::{
    state::compare::{Compare as State, Mode, Slot, title},
    view::side_by_side::MarkedComment,
};

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
    let pasted = RwSignal::new(String::new());
    let prompt = Memo::new(move |_| {
        compare
            .prompt(place)
            .map(|prompt| prompt.text_by_hand())
            .unwrap_or_default()
    });
    let take = move |_| {
        compare.paste(place, &pasted.get_untracked());
        pasted.set(String::new());
    };
    let heading = title(place, mode);
    let label = format!("The answer: {heading}");
    view! {
        <Column title=heading comment missing="Not written yet.">
            {by}
            <details class="by-hand">
                <summary>"By hand: copy the prompt, paste an answer"</summary>
                <div class="row"><Copy text=prompt label="Copy the prompt" /></div>
                <textarea
                    rows="4"
                    maxlength="20000"
                    aria-label=label
                    prop:value=pasted
                    on:input=move |event| pasted.set(event_target_value(&event))
                ></textarea>
                <div class="row">
                    <button type="button" disabled=move || pasted.with(|text| text.trim().is_empty()) on:click=take>"Take the answer"</button>
                </div>
            </details>
        </Column>
    }
}
