//! Questions about the move under discussion, and their checked answers.

use leptos::{ev::SubmitEvent, prelude::*};

use super::{checked::Checked, prose::with_chips};
use crate::{
    state::{
        App,
        chat::{Answered, Chat, Said},
    },
    view::suggested_questions::suggested_questions,
};

/// Questions about the move, with their checked answers.
#[component]
pub fn ChatCard() -> impl IntoView {
    let app = App::get();
    let chat = Chat::get();
    let question = RwSignal::new(String::new());
    // Another move: the conversation was about the one before. The same move looked at again goes on with it.
    Effect::new(move |before: Option<_>| {
        let subject = app.commentary.subject.get();
        if before.is_none_or(|before| before != subject) {
            untrack(|| chat.reset());
        }
        subject
    });
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let text = question.get_untracked();
        if !text.trim().is_empty() && !chat.busy.get_untracked() {
            chat.ask(&text);
            question.set(String::new());
        }
    };
    let ready = move || app.commentary.sheet.get().is_some();
    view! {
        <section class="card chat" aria-labelledby="chat-title" hidden=move || !ready()>
            <header><h2 id="chat-title">"Ask about this move"</h2></header>
            <ol class="turns" aria-live="polite" aria-busy=move || chat.busy.get().to_string()>
                {move || chat.said.get().into_iter().map(|said| view! { <Turn said /> }).collect_view()}
            </ol>
            <p class="hint" hidden=move || !chat.said.with(Vec::is_empty)>
                "Name a move to have it compared (“why not Nf3?”), a line (“what if Bxf3 gxf3?”) or a piece (“can the knight on e5 \
                 survive?”), or take one of these:"
            </p>
            <div class="suggestions" role="group" aria-label="Suggested questions">
                {move || app.commentary.sheet.with(|sheet| sheet.as_ref().map(suggested_questions)).unwrap_or_default()
                    .into_iter()
                    .map(|question| view! { <Suggestion question /> })
                    .collect_view()}
            </div>
            <form class="row" on:submit=submit>
                <label class="unseen" for="question">"Question about this move"</label>
                <input
                    id="question"
                    autocomplete="off"
                    maxlength="2000"
                    placeholder="Why not Nf3? What does Black threaten?"
                    prop:value=question
                    on:input=move |event| question.set(event_target_value(&event))
                />
                {move || if chat.busy.get() {
                    view! { <button type="button" on:click=move |_| chat.stop()>"Stop"</button> }.into_any()
                } else {
                    view! { <button type="submit">"Ask"</button> }.into_any()
                }}
            </form>
            <p class="hint">
                "What a question asks about is analysed first. "
                {move || if app.endpoint.is_configured() {
                    "The model answers, and its answer is checked like its comment."
                } else {
                    "Without a language model, the facts answer."
                }}
            </p>
        </section>
    }
}

/// A question that is asked by a press.
#[component]
fn Suggestion(question: String) -> impl IntoView {
    let chat = Chat::get();
    let text = question.clone();
    // Not disabled while an answer is under way, so that the keyboard keeps its place: it asks nothing then.
    view! {
        <button
            type="button"
            class="quiet"
            aria-disabled=move || chat.busy.get().to_string()
            on:click=move |_| chat.ask(&text)
        >
            {question}
        </button>
    }
}

#[component]
fn Turn(said: Said) -> impl IntoView {
    let app = App::get();
    let looked = (!said.looked.is_empty()).then(|| format!("Looked at: {}", said.looked.join("; ")));
    let answer = match said.answered {
        Answered::Pending(what) => view! { <p class="hint">{what}</p> }.into_any(),
        Answered::Nobody(why) => view! { <p class="hint">{why}</p> }.into_any(),
        Answered::Facts(sentences) => {
            let lines = app.commentary.lines.get_untracked();
            view! {
                <p class="narration">
                    {sentences.into_iter().map(|sentence| view! {
                        <span class="sentence">{with_chips(&sentence.text, lines.as_ref())}" "</span>
                    }).collect_view()}
                </p>
            }
            .into_any()
        }
        Answered::Model { view, by } => view! {
            <Checked view />
            <p class="hint">{by}</p>
        }
        .into_any(),
    };
    view! {
        <li>
            <p class="question">{said.question}</p>
            {looked.map(|text| view! { <p class="hint">{text}</p> })}
            {answer}
        </li>
    }
}
