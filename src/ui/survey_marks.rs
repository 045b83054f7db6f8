//! The comment on a page to rate, where raters mark the words that are wrong: the first and the last word are chosen, then
//! what is wrong with them.

use leptos::{ev::KeyboardEvent, prelude::*};

use crate::{
    browser::focus,
    state::{App, survey::SurveyState},
    survey::{
        phrases::Phrase,
        span::{Prefill, Span},
    },
    view::marked_words::{self, Word, label, mark_on},
};

fn word_id(index: usize) -> String {
    format!("word-{index}")
}

/// The marks on the page shown; tracked.
fn marks(state: SurveyState) -> Vec<Span> {
    state.session.with(|session| {
        let answer = session
            .as_ref()
            .and_then(|session| session.answer_on(&session.page_id()?));
        answer.and_then(|answer| answer.spans.clone()).unwrap_or_default()
    })
}

/// Whether the comment shown had marks before the rater came to it; tracked.
fn is_prefilled(state: SurveyState) -> bool {
    state.session.with(|session| {
        session.as_ref().is_some_and(|session| {
            let id = session.page_id();
            let page = session.pages().iter().find(|page| Some(&page.id) == id.as_ref());
            page.is_some_and(|page| session.prefill(page).is_some_and(|prefill| prefill != Prefill::Hidden))
        })
    })
}

/// The comment as words, what is wrong with those chosen, and what is marked.
#[component]
pub fn MarkedComment(
    /// Whether nothing can be marked now.
    locked: Signal<bool>,
) -> impl IntoView {
    let state = App::get().survey;
    let comment = Memo::new(move |_| {
        state
            .session
            .with(|session| session.as_ref().and_then(|session| Some(session.shown()?.2.to_owned())))
            .unwrap_or_default()
    });
    let page = Memo::new(move |_| {
        state
            .session
            .with(|session| session.as_ref().and_then(|session| session.page_id()))
    });
    let words = Memo::new(move |_| comment.with(|comment| marked_words::words(comment)));
    let marks = Memo::new(move |_| marks(state));
    let question = state.study.get_untracked().and_then(|study| study.spans.clone());
    let kinds = StoredValue::new(
        question
            .as_ref()
            .map(|question| question.kinds.clone())
            .unwrap_or_default(),
    );
    // The words from one to another, as they are chosen.
    let chosen = RwSignal::new(None::<(usize, usize)>);
    // The word that Tab comes to.
    let entry = RwSignal::new(0_usize);
    Effect::new(move |_| {
        page.with(|_| ());
        chosen.set(None);
        entry.set(0);
    });
    let choose = move |index: usize| {
        if locked.get_untracked() {
            return;
        }
        entry.set(index);
        chosen.update(|chosen| *chosen = Some(chosen.map_or((index, index), |(from, _)| (from, index))));
    };
    let press = move |event: KeyboardEvent, index: usize| {
        let to = match event.key().as_str() {
            "ArrowRight" => index + 1,
            "ArrowLeft" => index.saturating_sub(1),
            "Escape" => {
                chosen.set(None);
                return;
            }
            _ => return,
        };
        let to = to.min(words.with_untracked(Vec::len).saturating_sub(1));
        event.prevent_default();
        entry.set(to);
        if event.shift_key() && !locked.get_untracked() {
            chosen.update(|chosen| *chosen = Some(chosen.map_or((index, to), |(from, _)| (from, to))));
        }
        focus::focus(&word_id(to));
    };
    let shown_words = move || {
        let draw = |(index, word): (usize, Word)| {
            let (kept, gap) = (word.clone(), word.gap.clone());
            let is_marked = Memo::new(move |_| marks.with(|marks| mark_on(marks, &kept).is_some()));
            let is_chosen = move || {
                chosen
                    .get()
                    .is_some_and(|(from, to)| (from.min(to)..=from.max(to)).contains(&index))
            };
            view! {
                <button
                    type="button"
                    id=word_id(index)
                    class="word"
                    class:marked=is_marked
                    class:chosen=is_chosen
                    tabindex=move || if entry.get() == index { "0" } else { "-1" }
                    aria-pressed=move || is_marked.get().to_string()
                    on:click=move |_| choose(index)
                    on:keydown=move |event| press(event, index)
                >{word.text}</button>
                {gap}
            }
        };
        words.get().into_iter().enumerate().map(draw).collect_view()
    };
    let mark = move |kind: String| {
        let Some((from, to)) = chosen.get_untracked() else {
            return;
        };
        if let Some(span) = words.with_untracked(|words| marked_words::span(words, from, to, &kind)) {
            state.mark(marked_words::with(&marks.get_untracked(), span));
        }
        chosen.set(None);
        focus::focus(&word_id(to));
    };
    let chooser = move || {
        let (from, to) = chosen.get()?;
        let span = words.with(|words| marked_words::span(words, from, to, ""))?;
        let said = comment.with(|comment| span.words(comment).to_owned());
        let buttons = kinds.with_value(|kinds| {
            let button = |(index, kind): (usize, &crate::survey::criteria::Kind)| {
                let id = kind.id.clone();
                let place = format!("mark-kind-{index}");
                view! { <button type="button" id=place on:click=move |_| mark(id.clone())>{kind.label.clone()}</button> }
            };
            kinds.iter().enumerate().map(button).collect_view()
        });
        Some(view! {
            <div id="mark-chooser" role="group" aria-label=state.fill(Phrase::MarkKind, &[("words", &said)])>
                <p>{state.fill(Phrase::MarkKind, &[("words", &said)])}</p>
                <div class="row">
                    {buttons}
                    <button type="button" class="quiet" on:click=move |_| chosen.set(None)>{state.say(Phrase::MarkNothing)}</button>
                </div>
            </div>
        })
    };
    let list = move || {
        let marks = marks.get();
        if marks.is_empty() {
            return view! { <p class="hint" id="survey-marks">{state.say(Phrase::NothingMarked)}</p> }.into_any();
        }
        let line = |(index, span): (usize, &Span)| {
            let said = comment.with(|comment| span.words(comment).to_owned());
            let kind = kinds.with_value(|kinds| label(kinds, &span.kind).to_owned());
            let remove = move |_| {
                let mut rest = self::marks_now(state);
                if index < rest.len() {
                    rest.remove(index);
                    state.mark(rest);
                }
            };
            view! {
                <li>
                    <q>{said.clone()}</q>": "{kind}" "
                    <button
                        type="button"
                        class="quiet"
                        aria-label=state.fill(Phrase::Unmark, &[("words", &said)])
                        disabled=locked
                        on:click=remove
                    >"×"</button>
                </li>
            }
        };
        let lines = marks.iter().enumerate().map(line).collect_view();
        view! { <ul id="survey-marks" aria-label=state.say(Phrase::Marked)>{lines}</ul> }.into_any()
    };
    view! {
        <section class="marking">
            <p id="survey-mark-question">{question.map(|question| question.question)}</p>
            {move || is_prefilled(state).then(|| view! { <p class="hint" id="survey-prefilled">{state.say(Phrase::MarksAreSuggestions)}</p> })}
            <div id="survey-comment" role="group" aria-label=state.say(Phrase::MarkWords)>{shown_words}</div>
            <p class="hint keys">{state.say(Phrase::MarkHow)}</p>
            <div aria-live="polite">{chooser}</div>
            {list}
        </section>
    }
}

/// The marks on the page shown; not tracked.
fn marks_now(state: SurveyState) -> Vec<Span> {
    untrack(|| marks(state))
}
