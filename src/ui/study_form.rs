//! The study builder's part on the rater form: what raters are asked about themselves.

use leptos::prelude::*;

use crate::{
    state::App,
    survey::{
        Study,
        limits::MOST_FIELDS,
        study::{FieldKind, FormField},
        study_file::Place,
    },
    ui::study_admits::admits,
    ui::study_faults::faults_at,
    ui::study_fields::{area, choice, entry_buttons, free_name, line, listed, number, tick},
};

/// The kinds of questions by the names that the page uses.
const KINDS: [(&str, &str); 3] = [
    ("text", "a line of text"),
    ("number", "a whole number"),
    ("choice", "one of several answers"),
];

fn kind_name(kind: &FieldKind) -> &'static str {
    match kind {
        FieldKind::Text => KINDS[0].0,
        FieldKind::Number { .. } => KINDS[1].0,
        FieldKind::Choice(_) => KINDS[2].0,
    }
}

fn kind_named(name: &str) -> FieldKind {
    match name {
        "number" => FieldKind::Number { min: 0, max: 100 },
        "choice" => FieldKind::Choice(vec!["Yes".to_owned(), "No".to_owned()]),
        _ => FieldKind::Text,
    }
}

/// The questions, to be changed, moved, removed, added.
#[component]
pub fn FormEditor() -> impl IntoView {
    let study = App::get().builder.study;
    let count = Memo::new(move |_| study.with(|study| study.form.len()));
    let labels =
        Memo::new(move |_| study.with(|study| study.form.iter().map(|field| field.label.clone()).collect::<Vec<_>>()));
    let add = move |_| {
        study.update(|study| {
            let id = free_name("question", study.form.iter().map(|field| field.id.as_str()));
            study.form.push(FormField {
                id,
                label: String::new(),
                kind: FieldKind::Text,
                required: false,
                admits: None,
            });
        });
    };
    view! {
        <section class="card survey-form" id="builder-form">
            <h2>"What raters are asked about themselves"</h2>
            <details>
                <summary>{move || listed(&labels.get())}</summary>
                <div class="entries">
                    <For each=move || 0..count.get().min(MOST_FIELDS) key=|index| *index children=move |index| view! { <Question index=index count=count /> } />
                </div>
                <div class="row"><button id="builder-add-question" type="button" on:click=add>"Add a question"</button></div>
            </details>
        </section>
    }
}

/// One question.
#[component]
fn Question(
    /// Which, from 0.
    index: usize,
    /// Of how many.
    count: Memo<usize>,
) -> impl IntoView {
    let study = App::get().builder.study;
    let get = move |study: &Study, read: fn(&FormField) -> String| study.form.get(index).map(read).unwrap_or_default();
    let kind = Memo::new(move |_| study.with(|study| study.form.get(index).map(|field| kind_name(&field.kind))));
    let change = move |study: &mut Study, change: &dyn Fn(&mut FormField)| {
        if let Some(field) = study.form.get_mut(index) {
            change(field);
        }
    };
    let bound = move |study: &Study, upper: bool| match study.form.get(index).map(|field| &field.kind) {
        Some(FieldKind::Number { min, max }) => {
            if upper {
                *max
            } else {
                *min
            }
        }
        _ => 0,
    };
    let set_bound = move |study: &mut Study, upper: bool, value: i64| {
        change(study, &|field| {
            if let FieldKind::Number { min, max } = &mut field.kind {
                *(if upper { max } else { min }) = value;
            }
        });
    };
    let id = |what: &str| format!("builder-form-{index}-{what}");
    let (least, most, answers) = (id("min"), id("max"), id("choices"));
    let kinds = |_: &Study| KINDS.map(|(name, shown)| (name.to_owned(), shown.to_owned())).to_vec();
    let details = move || match kind.get() {
        Some("number") => view! {
            {number(least.clone(), "Smallest".to_owned(), move |s| bound(s, false), move |s, v| set_bound(s, false, v))}
            {number(most.clone(), "Largest".to_owned(), move |s| bound(s, true), move |s, v| set_bound(s, true, v))}
        }
        .into_any(),
        Some("choice") => area(
            answers.clone(),
            "Answers, one a line".to_owned(),
            move |study| match study.form.get(index).map(|field| &field.kind) {
                Some(FieldKind::Choice(choices)) => choices.join("\n"),
                _ => String::new(),
            },
            move |study, text| {
                let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
                let choices: Vec<String> = lines.map(str::to_owned).collect();
                change(study, &|field| field.kind = FieldKind::Choice(choices.clone()));
            },
        ),
        _ => ().into_any(),
    };
    view! {
        <fieldset class="entry">
            <legend>{format!("Question {}", index + 1)}</legend>
            {line(id("label"), "Question".to_owned(), move |s| get(s, |f| f.label.clone()), move |s, v| change(s, &|f| f.label.clone_from(&v)))}
            {line(id("id"), "Its name in the results".to_owned(), move |s| get(s, |f| f.id.clone()),
                move |s, v| change(s, &|f| v.trim().clone_into(&mut f.id)))}
            {choice(id("kind"), "Answered with".to_owned(), kinds, move |s| get(s, |f| kind_name(&f.kind).to_owned()),
                move |s, v| change(s, &|f| f.kind = kind_named(&v)))}
            {details}
            {tick(id("required"), "It must be answered".to_owned(), move |s| s.form.get(index).is_some_and(|f| f.required),
                move |s, v| change(s, &|f| f.required = v))}
            {admits(index)}
            {faults_at(move |place| place == Place::Form(index + 1))}
            {entry_buttons(|index| format!("question {}", index + 1), index, |study| &mut study.form, move || count.get())}
        </fieldset>
    }
}
