//! The study builder's part on the questions that show whether the instructions were understood.

use leptos::prelude::*;

use crate::{
    state::App,
    survey::{
        Study,
        limits::MOST_QUESTIONS,
        study::{Comprehension, Question},
        study_file::Place,
    },
    ui::{
        study_faults::faults_at,
        study_fields::{area, choice, edit_buttons, line, listed, number},
    },
};

/// Attempts of a study that has had no questions.
const ATTEMPTS: u32 = 2;

fn questions(study: &Study) -> &[Question] {
    study.comprehension.as_ref().map_or(&[], |all| all.questions.as_slice())
}

/// The questions, to be changed, moved, removed, added. Without one there is no such page.
#[component]
pub fn QuestionsEditor() -> impl IntoView {
    let study = App::get().builder.study;
    let count = Memo::new(move |_| study.with(|study| questions(study).len()));
    let texts = Memo::new(move |_| {
        study.with(|study| {
            questions(study)
                .iter()
                .map(|question| question.text.clone())
                .collect::<Vec<_>>()
        })
    });
    let add = move |_| {
        study.update(|study| {
            let all = study.comprehension.get_or_insert_with(|| Comprehension {
                attempts: ATTEMPTS,
                questions: Vec::new(),
            });
            all.questions.push(Question {
                text: String::new(),
                choices: vec!["Yes".to_owned(), "No".to_owned()],
                answer: 1,
            });
        });
    };
    view! {
        <section class="card survey-form" id="builder-questions">
            <h2>"Questions on the instructions"</h2>
            <details>
                <summary>{move || listed(&texts.get())}</summary>
                {move || (count.get() > 0).then(|| number("builder-attempts", "Attempts before a rater is let go (1 to 10)",
                    |s| s.comprehension.as_ref().map_or(ATTEMPTS, |all| all.attempts),
                    |s, v| if let Some(all) = s.comprehension.as_mut() {
                        all.attempts = v;
                    }))}
                <div class="entries">
                    <For each=move || 0..count.get().min(MOST_QUESTIONS) key=|index| *index
                        children=move |index| view! { <QuestionEditor index=index count=count /> } />
                </div>
                <div class="row"><button id="builder-add-check-question" type="button" on:click=add>"Add a question on the instructions"</button></div>
            </details>
        </section>
    }
}

/// One question.
#[component]
fn QuestionEditor(
    /// Which, from 0.
    index: usize,
    /// Of how many.
    count: Memo<usize>,
) -> impl IntoView {
    let id = move |what: &str| format!("builder-question-{index}-{what}");
    let get =
        move |study: &Study, read: fn(&Question) -> String| questions(study).get(index).map(read).unwrap_or_default();
    let change = move |study: &mut Study, change: &dyn Fn(&mut Question)| {
        let all = study.comprehension.as_mut();
        if let Some(question) = all.and_then(|all| all.questions.get_mut(index)) {
            change(question);
        }
    };
    let choices = move |study: &Study| {
        let choices = questions(study).get(index).map(|question| question.choices.as_slice());
        let shown = choices.unwrap_or_default().iter().enumerate();
        shown
            .map(|(n, choice)| ((n + 1).to_string(), choice.clone()))
            .collect::<Vec<_>>()
    };
    view! {
        <fieldset class="entry">
            <legend>{format!("Question {} on the instructions", index + 1)}</legend>
            {line(id("text"), "The question", move |s| get(s, |question| question.text.clone()),
                move |s, v| change(s, &|question| question.text.clone_from(&v)))}
            {area(id("choices"), "Answers, one a line", move |s| get(s, |question| question.choices.join("\n")),
                move |s, v| {
                    let lines = v.lines().map(str::trim).filter(|line| !line.is_empty());
                    let lines: Vec<String> = lines.map(str::to_owned).collect();
                    change(s, &|question| question.choices.clone_from(&lines));
                })}
            {choice(id("answer"), "The right answer", choices, move |s| get(s, |question| question.answer.to_string()),
                move |s, v| change(s, &|question| question.answer = v.parse().unwrap_or(1)))}
            {faults_at(move |place| place == Place::Question(index + 1))}
            {edit_buttons(|index| format!("check question {}", index + 1), index, move || count.get(), |study, edit| {
                if let Some(all) = study.comprehension.as_mut() {
                    edit.apply(&mut all.questions);
                }
                // A page without questions is left out of the study.
                if questions(study).is_empty() {
                    study.comprehension = None;
                }
            })}
        </fieldset>
    }
}
