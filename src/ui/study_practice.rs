//! The study builder's part on practice: comments that are rated before the study, with what is said afterwards.

use leptos::prelude::*;

use crate::{
    state::App,
    survey::{Study, limits::MOST_PRACTICE, study::Practice, study_file::Place},
    ui::{
        study_expected::{ExpectedEditor, Rated},
        study_faults::faults_at,
        study_fields::{area, entry_buttons, line, listed},
    },
};

/// The comments, to be changed, moved, removed, added.
#[component]
pub fn PracticeEditor() -> impl IntoView {
    let study = App::get().builder.study;
    let count = Memo::new(move |_| study.with(|study| study.practice.len()));
    let moves = Memo::new(move |_| {
        study.with(|study| {
            study
                .practice
                .iter()
                .map(|practice| practice.mv.clone())
                .collect::<Vec<_>>()
        })
    });
    let add = move |_| {
        study.update(|study| {
            // Practice is mostly on one move.
            let (fen, mv) = study
                .practice
                .last()
                .map(|last| (last.fen.clone(), last.mv.clone()))
                .unwrap_or_default();
            study.practice.push(Practice {
                fen,
                mv,
                text: String::new(),
                feedback: String::new(),
                expected: Vec::new(),
            });
        });
    };
    view! {
        <section class="card survey-form" id="builder-practice">
            <h2>"Comments for practice"</h2>
            <details>
                <summary>{move || listed(&moves.get())}</summary>
                <p class="hint">"Raters see them first, rate them, and are then told what you would have said. They are no part of the results."</p>
                <div class="entries">
                    <For each=move || 0..count.get().min(MOST_PRACTICE) key=|index| *index
                        children=move |index| view! { <OneComment index=index count=count /> } />
                </div>
                <div class="row"><button id="builder-add-practice" type="button" on:click=add>"Add a comment for practice"</button></div>
            </details>
        </section>
    }
}

/// One comment.
#[component]
fn OneComment(
    /// Which, from 0.
    index: usize,
    /// Of how many.
    count: Memo<usize>,
) -> impl IntoView {
    let id = move |what: &str| format!("builder-practice-{index}-{what}");
    let get =
        move |study: &Study, read: fn(&Practice) -> String| study.practice.get(index).map(read).unwrap_or_default();
    let change = move |study: &mut Study, change: &dyn Fn(&mut Practice)| {
        if let Some(practice) = study.practice.get_mut(index) {
            change(practice);
        }
    };
    view! {
        <fieldset class="entry">
            <legend>{format!("Practice {}", index + 1)}</legend>
            {line(id("fen"), "The position before the move, as a FEN", move |s| get(s, |practice| practice.fen.clone()),
                move |s, v| change(s, &|practice| v.trim().clone_into(&mut practice.fen)))}
            {line(id("move"), "The move", move |s| get(s, |practice| practice.mv.clone()),
                move |s, v| change(s, &|practice| v.trim().clone_into(&mut practice.mv)))}
            {area(id("text"), "The comment", move |s| get(s, |practice| practice.text.clone()),
                move |s, v| change(s, &|practice| practice.text.clone_from(&v)))}
            {area(id("feedback"), "What is said once it is rated", move |s| get(s, |practice| practice.feedback.clone()),
                move |s, v| change(s, &|practice| practice.feedback.clone_from(&v)))}
            <ExpectedEditor rated=Rated::Practice(index) id=id("expected") />
            {faults_at(move |place| place == Place::Practice(index + 1))}
            {entry_buttons(|index| format!("practice {}", index + 1), index, |study| &mut study.practice, move || count.get())}
        </fieldset>
    }
}
