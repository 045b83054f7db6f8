//! A comment with its marks: what is contradicted in red with its reason, named concepts and the pieces they touch in blue.

use leptos::prelude::*;

use crate::view::side_by_side::{MarkedComment, Segment};

/// The comment. Where it is wrong the reason is a press away, and in the text of a screen reader.
#[component]
pub fn Marked(
    /// The comment.
    comment: MarkedComment,
) -> impl IntoView {
    let mut runs: Vec<AnyView> = Vec::new();
    let mut segments = &comment.segments[..];
    while let Some(first) = segments.first() {
        let end = segments
            .iter()
            .position(|segment| segment.wrong != first.wrong)
            .unwrap_or(segments.len());
        let (run, rest) = segments.split_at(end);
        let words = run.iter().map(|segment| words(&comment.text, segment)).collect_view();
        let reasons = first
            .wrong
            .and_then(|number| comment.wrong.get(number))
            .map(|wrong| wrong.reasons.join(" "));
        runs.push(match reasons {
            Some(reasons) => view! { <Wrong reasons>{words}</Wrong> }.into_any(),
            None => words.into_any(),
        });
        segments = rest;
    }
    view! { <p class="marked">{runs}</p> }
}

fn words(text: &str, segment: &Segment) -> AnyView {
    let said = text.get(segment.range.clone()).unwrap_or_default().to_owned();
    match (segment.concept, segment.man) {
        (Some(term), _) => {
            view! { <mark class="named" title=format!("Concept: {}", term.label())>{said}</mark> }.into_any()
        }
        (None, true) => view! { <mark class="touched">{said}</mark> }.into_any(),
        (None, false) => said.into_any(),
    }
}

/// Contradicted words.
#[component]
fn Wrong(
    /// Why, sentences.
    reasons: String,
    /// The words.
    children: Children,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let shown = reasons.clone();
    view! {
        <mark class="wrong" title=reasons.clone()>{children()}</mark>
        <span class="unseen">{format!(" (wrong: {reasons}) ")}</span>
        <button class="quiet why" aria-expanded=move || open.get().to_string() on:click=move |_| open.update(|open| *open = !*open)>
            "Why is this wrong?"
        </button>
        {move || open.get().then(|| view! { <span class="hint reason">{shown.clone()} " "</span> })}
    }
}
