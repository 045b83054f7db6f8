//! A study's instructions, to be read again while one rates.

use leptos::prelude::*;

use crate::{
    state::App,
    survey::{
        diagram_words::words,
        phrases::Phrase,
        study::{Section, Study},
    },
    ui::{
        diagram::DiagramView,
        shown_board::{ShownBoard, Words},
    },
    view::survey::{MoveView, paragraphs},
};

/// The instructions, folded. They are drawn when they are opened: a board needs room to be drawn in.
#[component]
pub fn FoldedInstructions(
    /// Whether they are open from the start.
    #[prop(optional)]
    open: bool,
) -> impl IntoView {
    let drawn = RwSignal::new(open);
    view! {
        <details class="card" open=open on:toggle=move |_| drawn.set(true)>
            <summary>{App::get().survey.say(Phrase::TheInstructions)}</summary>
            {move || drawn.get().then(|| view! { <Instructions /> })}
        </details>
    }
}

fn section(study: &Study, section: &Section) -> AnyView {
    let board = section
        .board
        .as_ref()
        .and_then(|shown| MoveView::new(study, &shown.fen, &shown.mv).ok());
    let board = board.map(|shown| {
        let (before, words) = (shown.before, shown.words);
        view! {
            <div class="small-board">
                <ShownBoard view=Signal::derive(move || before.clone()) instead=study.say(Phrase::NoBoard) />
                <p class="hint">{shown.label}</p>
                <Words board=Signal::derive(move || words.clone()) title=study.say(Phrase::InWords) />
            </div>
        }
    });
    let examples = section.examples.iter().map(|example| {
        view! { <dt>{example.label.clone()}</dt><dd>{example.text.clone()}</dd> }
    });
    view! {
        <section class="card prose">
            <h2>{section.heading.clone()}</h2>
            {text(&section.text)}
            {board}
            {section.diagram.map(|diagram| view! { <DiagramView words=words(diagram, study) /> })}
            <dl class="example-list">{examples.collect_view()}</dl>
        </section>
    }
    .into_any()
}

/// The instructions.
#[component]
pub fn Instructions() -> impl IntoView {
    let state = App::get().survey;
    move || {
        state.study.get().map(|study| {
            let sections = study.instructions.iter().map(|part| section(&study, part)).collect_view();
            view! { <div class="instructions" id="survey-instructions"><h1>{study.say(Phrase::Instructions).to_owned()}</h1>{sections}</div> }
        })
    }
}

/// A text, paragraph by paragraph.
pub fn text(text: &str) -> impl IntoView + use<> {
    paragraphs(text)
        .into_iter()
        .map(|paragraph| view! { <p>{paragraph}</p> })
        .collect_view()
}
