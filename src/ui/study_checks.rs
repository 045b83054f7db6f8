//! The study builder's part on silent checks of attention: planted comments and repetitions.

use leptos::prelude::*;

use crate::{
    state::App,
    survey::{Study, study::Planted, study_file::Place},
    ui::{
        study_expected::{ExpectedEditor, Rated},
        study_faults::faults_at,
        study_fields::{area, entry_buttons, free_name, line, listed, number},
    },
};

/// The most planted comments that are drawn; a study with more of them has hundreds of pages.
const DRAWN: usize = 100;

/// Planted comments, repetitions and their distance.
#[component]
pub fn ChecksEditor() -> impl IntoView {
    let study = App::get().builder.study;
    let count = Memo::new(move |_| study.with(|study| study.checks.planted.len()));
    let names = Memo::new(move |_| {
        study.with(|study| {
            study
                .checks
                .planted
                .iter()
                .map(|planted| planted.id.clone())
                .collect::<Vec<_>>()
        })
    });
    let add = move |_| {
        study.update(|study| {
            let id = free_name("check", study.checks.planted.iter().map(|planted| planted.id.as_str()));
            study.checks.planted.push(Planted {
                id,
                fen: String::new(),
                mv: String::new(),
                text: String::new(),
                expected: Vec::new(),
            });
        });
    };
    view! {
        <section class="card survey-form" id="builder-checks">
            <h2>"Silent checks of attention"</h2>
            <p class="hint">"They are recorded and reported; raters do not learn of them, and nobody is dropped for one unless you say so under “Raters”."</p>
            {number("builder-repeats", "Comments shown a second time", |s| s.checks.repeats, |s, v| s.checks.repeats = v)}
            {number("builder-gap", "Pages between a comment and its repetition, at least", |s| s.checks.repeat_gap,
                |s, v| s.checks.repeat_gap = v)}
            {faults_at(|place| place == Place::Checks)}
            <h3>"Planted comments that are plainly wrong"</h3>
            <details>
                <summary>{move || listed(&names.get())}</summary>
                <div class="entries">
                    <For each=move || 0..count.get().min(DRAWN) key=|index| *index
                        children=move |index| view! { <PlantedEditor index=index count=count /> } />
                </div>
                <div class="row"><button id="builder-add-planted" type="button" on:click=add>"Add a planted comment"</button></div>
            </details>
        </section>
    }
}

/// One planted comment.
#[component]
fn PlantedEditor(
    /// Which, from 0.
    index: usize,
    /// Of how many.
    count: Memo<usize>,
) -> impl IntoView {
    let id = move |what: &str| format!("builder-planted-{index}-{what}");
    let get = move |study: &Study, read: fn(&Planted) -> String| {
        study.checks.planted.get(index).map(read).unwrap_or_default()
    };
    let change = move |study: &mut Study, change: &dyn Fn(&mut Planted)| {
        if let Some(planted) = study.checks.planted.get_mut(index) {
            change(planted);
        }
    };
    view! {
        <fieldset class="entry">
            <legend>{format!("Planted comment {}", index + 1)}</legend>
            {line(id("id"), "Its name in the results", move |s| get(s, |planted| planted.id.clone()),
                move |s, v| change(s, &|planted| v.trim().clone_into(&mut planted.id)))}
            {line(id("fen"), "The position before the move, as a FEN", move |s| get(s, |planted| planted.fen.clone()),
                move |s, v| change(s, &|planted| v.trim().clone_into(&mut planted.fen)))}
            {line(id("move"), "The move", move |s| get(s, |planted| planted.mv.clone()),
                move |s, v| change(s, &|planted| v.trim().clone_into(&mut planted.mv)))}
            {area(id("text"), "The comment", move |s| get(s, |planted| planted.text.clone()),
                move |s, v| change(s, &|planted| planted.text.clone_from(&v)))}
            <ExpectedEditor rated=Rated::Planted(index) id=id("expected") />
            {faults_at(move |place| place == Place::Planted(index + 1))}
            {entry_buttons(|index| format!("planted comment {}", index + 1), index, |study| &mut study.checks.planted, move || count.get())}
        </fieldset>
    }
}
