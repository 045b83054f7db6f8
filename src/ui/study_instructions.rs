//! The study builder's part on the instructions: sections with examples, a board, a diagram.

use leptos::prelude::*;

use crate::{
    state::App,
    survey::{
        Study,
        diagram::Diagram,
        diagram_words::words,
        limits::MOST_SECTIONS,
        study::{Example, Section, Shown},
        study_file::Place,
    },
    ui::{
        diagram::DiagramView,
        study_faults::faults_at,
        study_fields::{area, choice, edit_buttons, entry_buttons, line, listed},
    },
};

/// The sections, to be changed, moved, removed, added.
#[component]
pub fn InstructionsEditor() -> impl IntoView {
    let study = App::get().builder.study;
    let count = Memo::new(move |_| study.with(|study| study.instructions.len()));
    let headings = Memo::new(move |_| {
        study.with(|study| {
            study
                .instructions
                .iter()
                .map(|section| section.heading.clone())
                .collect::<Vec<_>>()
        })
    });
    let add = move |_| {
        study.update(|study| {
            study.instructions.push(Section {
                heading: String::new(),
                text: String::new(),
                examples: Vec::new(),
                board: None,
                diagram: None,
            });
        });
    };
    view! {
        <section class="card survey-form" id="builder-instructions">
            <h2>"What raters read first"</h2>
            <details>
                <summary>{move || listed(&headings.get())}</summary>
                <div class="entries">
                    <For each=move || 0..count.get().min(MOST_SECTIONS) key=|index| *index
                        children=move |index| view! { <SectionEditor index=index count=count /> } />
                </div>
                <div class="row"><button id="builder-add-section" type="button" on:click=add>"Add a section"</button></div>
            </details>
        </section>
    }
}

/// One section.
#[component]
fn SectionEditor(
    /// Which, from 0.
    index: usize,
    /// Of how many.
    count: Memo<usize>,
) -> impl IntoView {
    let study = App::get().builder.study;
    let id = move |what: &str| format!("builder-section-{index}-{what}");
    let get = move |study: &Study, read: fn(&Section) -> String| {
        let section = study.instructions.get(index);
        section.map(read).unwrap_or_default()
    };
    let change = move |study: &mut Study, change: &dyn Fn(&mut Section)| {
        if let Some(section) = study.instructions.get_mut(index) {
            change(section);
        }
    };
    let shown = |section: &Section, read: fn(&Shown) -> &String| section.board.as_ref().map(read).cloned();
    let set_board = move |study: &mut Study, set: &dyn Fn(&mut Shown)| {
        change(study, &|section| {
            let mut board = section.board.take().unwrap_or(Shown {
                fen: String::new(),
                mv: String::new(),
            });
            set(&mut board);
            let is_empty = board.fen.is_empty() && board.mv.is_empty();
            section.board = (!is_empty).then_some(board);
        });
    };
    let diagrams = |_: &Study| {
        let all = Diagram::ALL.map(|diagram| (diagram.word().to_owned(), diagram.label().to_owned()));
        [(String::new(), "none".to_owned())]
            .into_iter()
            .chain(all)
            .collect::<Vec<_>>()
    };
    let word = |section: &Section| section.diagram.map(Diagram::word).unwrap_or_default().to_owned();
    let diagram = Memo::new(move |_| study.with(|study| Some(words(study.instructions.get(index)?.diagram?, study))));
    let examples = Memo::new(move |_| {
        study.with(|study| {
            study
                .instructions
                .get(index)
                .map_or(0, |section| section.examples.len())
        })
    });
    let add = move |_| {
        study.update(|study| {
            change(study, &|section| {
                section.examples.push(Example {
                    label: String::new(),
                    text: String::new(),
                });
            });
        });
    };
    view! {
        <fieldset class="entry">
            <legend>{format!("Section {}", index + 1)}</legend>
            {line(id("heading"), "Heading", move |s| get(s, |section| section.heading.clone()),
                move |s, v| change(s, &|section| section.heading.clone_from(&v)))}
            {area(id("text"), "Text (empty lines part paragraphs)", move |s| get(s, |section| section.text.clone()),
                move |s, v| change(s, &|section| section.text.clone_from(&v)))}
            {line(id("fen"), "Board: the position as a FEN (empty: no board)",
                move |s| s.instructions.get(index).and_then(|section| shown(section, |board| &board.fen)).unwrap_or_default(),
                move |s, v| set_board(s, &|board| v.trim().clone_into(&mut board.fen)))}
            {line(id("move"), "Board: the move",
                move |s| s.instructions.get(index).and_then(|section| shown(section, |board| &board.mv)).unwrap_or_default(),
                move |s, v| set_board(s, &|board| v.trim().clone_into(&mut board.mv)))}
            {choice(id("diagram"), "Diagram", diagrams, move |s| get(s, word),
                move |s, v| change(s, &|section| section.diagram = Diagram::from_word(&v)))}
            {move || diagram.get().map(|words| view! { <DiagramView words=words /> })}
            <div class="entries">
                <For each=move || 0..examples.get().min(MOST_SECTIONS) key=|example| *example
                    children=move |example| view! { <ExampleEditor section=index index=example count=examples /> } />
            </div>
            <div class="row">
                <button type="button" id=id("add-example") aria-label=format!("Add an example to section {}", index + 1)
                    on:click=add>"Add an example"</button>
            </div>
            {faults_at(move |place| place == Place::Instructions(index + 1))}
            {entry_buttons(|index| format!("section {}", index + 1), index, |study| &mut study.instructions, move || count.get())}
        </fieldset>
    }
}

/// One example of a section.
#[component]
fn ExampleEditor(
    /// Of which section, from 0.
    section: usize,
    /// Which, from 0.
    index: usize,
    /// Of how many.
    count: Memo<usize>,
) -> impl IntoView {
    let id = move |what: &str| format!("builder-section-{section}-example-{index}-{what}");
    let get = move |study: &Study, read: fn(&Example) -> String| {
        let examples = study.instructions.get(section).map(|section| &section.examples);
        examples
            .and_then(|examples| examples.get(index))
            .map(read)
            .unwrap_or_default()
    };
    let change = move |study: &mut Study, change: &dyn Fn(&mut Example)| {
        let examples = study.instructions.get_mut(section).map(|section| &mut section.examples);
        if let Some(example) = examples.and_then(|examples| examples.get_mut(index)) {
            change(example);
        }
    };
    view! {
        <fieldset class="entry">
            <legend>{format!("Example {} of section {}", index + 1, section + 1)}</legend>
            {line(id("label"), "What it is an example of", move |s| get(s, |example| example.label.clone()),
                move |s, v| change(s, &|example| example.label.clone_from(&v)))}
            {area(id("text"), "The comment", move |s| get(s, |example| example.text.clone()),
                move |s, v| change(s, &|example| example.text.clone_from(&v)))}
            {edit_buttons(move |index| format!("example {} of section {}", index + 1, section + 1), index, move || count.get(),
                move |study, edit| if let Some(section) = study.instructions.get_mut(section) {
                    edit.apply(&mut section.examples);
                })}
        </fieldset>
    }
}
