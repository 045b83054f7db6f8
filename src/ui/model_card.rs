//! A comment by a language model: what it is told, its checked answer, and a way without a key.

use leptos::prelude::*;

use super::{
    arm_choice::{ArmChoice, ConceptSource, GuidanceChoice},
    by_hand::ByHand,
    checked::Checked,
    connection::Connection,
    copy::Copy,
};
use crate::{
    commentary::Context,
    state::{App, model_comment::Exchange, panels::Panel},
};

/// A language model's comment on the move, and its choices.
#[component]
pub fn ModelCard() -> impl IntoView {
    let app = App::get();
    let (endpoint, model) = (app.endpoint, app.model_comment);
    // A reply belongs to its move.
    Effect::new(move |_| {
        let subject = app.commentary.subject.get();
        untrack(|| model.look_at(subject.as_ref()));
    });
    // Printing a prompt takes a while, and most moves are never asked about.
    Effect::new(move |_| {
        if app.panels.open() == Panel::Model {
            model.prepare();
        }
    });
    let asking = move || matches!(model.exchange.get(), Exchange::Asking { .. });
    view! {
        <section class="card model" aria-labelledby="model-title">
            <header>
                <h2 id="model-title">"Language model"</h2>
                {move || {
                    if asking() {
                        view! { <button on:click=move |_| model.stop()>"Stop"</button> }.into_any()
                    } else {
                        let ready = endpoint.is_configured() && model.prepared.with(Option::is_some);
                        view! { <button id="ask" class="primary" disabled=!ready on:click=move |_| model.ask()>"Ask for a comment"</button> }.into_any()
                    }
                }}
            </header>
            <PromptChoices />
            {move || model.prepared.get().and_then(|p| p.lacks).map(|why| view! { <p class="hint">{why}</p> })}
            <div aria-live="polite" aria-busy=move || asking().to_string()>
                <Reply />
            </div>
            <Connection />
            <PromptView />
            <Pasting />
            <p class="row">
                <a id="compare-methods" href=move || page_address("compare", &app.game_store.address())>"Compare methods"</a>
                <a id="judge-comment" href=move || page_address("judge", &app.game_store.address())>"Judge this comment"</a>
            </p>
        </section>
    }
}

/// A page that takes the move on the board, whose address is `board`.
fn page_address(page: &str, board: &str) -> String {
    format!("#/{page}?{}", board.trim_start_matches('#'))
}

/// The choices of what the model is told: arm, form of the board, guidance, and who names the concepts.
#[component]
fn PromptChoices() -> impl IntoView {
    let app = App::get();
    let preferences = app.preferences;
    let context = move || preferences.get().context;
    view! {
        <details>
        <summary>"More: what the model is told"</summary>
        <div class="row arms">
            <ArmChoice id="arm" />
            <label>
                "Board as"
                <select
                    id="context"
                    on:change=move |event| {
                        let word = event_target_value(&event);
                        if let Some(context) = Context::ALL.into_iter().find(|c| c.word() == word) {
                            preferences.update(|s| s.context = context);
                        }
                    }
                >
                    {Context::ALL.into_iter().map(|one| view! {
                        <option value=one.word() selected=move || context() == one>{one.word().to_uppercase()}</option>
                    }).collect_view()}
                </select>
            </label>
            <GuidanceChoice arm=Signal::derive(move || preferences.get().arm) />
            {move || preferences.get().arm.tells_concepts().then(|| view! { <ConceptSource id="arm-concepts" /> })}
        </div>
        </details>
    }
}

/// The reply as it arrives, and what is left of it after the check.
#[component]
fn Reply() -> impl IntoView {
    let model = App::get().model_comment;
    view! {
        {move || {
            let text = model.arriving.get();
            (!text.is_empty()).then(|| view! { <p class="reply arriving" id="arriving">{text}</p> })
        }}
        {move || model.checked.get().map(|view| view! { <div id="reply"><Checked view /></div> })}
        {move || model.for_other_settings.get().then(|| view! {
            <p class="hint" id="other-settings">"This is for other settings of the engine, the concepts or the prompt than are set now."</p>
        })}
        {move || match model.exchange.get() {
            Exchange::Quiet => None,
            Exchange::Asking { declaring: true, waiting, .. } => Some(view! {
                <p class="hint">
                    "Checked by its words. The model is asked for the claims it meant to make… " {waiting}
                </p>
            }.into_any()),
            Exchange::Asking { again, waiting, .. } => Some(view! {
                <p class="hint">
                    {again.then_some("Some of the first answer was wrong: the model has been told what, and asked once more. ")}
                    {waiting.unwrap_or_else(|| {
                        if model.arriving.with(String::is_empty) { "Waiting for the model…" } else { "Not checked yet." }.into()
                    })}
                </p>
            }.into_any()),
            Exchange::Answered { model, note } => Some(view! {
                <p class="hint">
                    {note} {note.map(|_| " ")} {model} " wrote this from what it was told."
                </p>
            }.into_any()),
            Exchange::Pasted => Some(view! { <p class="hint">"Checked as you pasted it."</p> }.into_any()),
            Exchange::Failed { what, advice } => Some(view! {
                <p class="problem" role="alert">
                    {what} " " {advice} " "
                    {if model.checked.with(Option::is_some) { "What had arrived has been checked and kept above. " } else { "" }}
                    "The narrator’s commentary stays."
                </p>
            }.into_any()),
        }}
    }
}

/// The exact prompt, to read or to copy.
#[component]
fn PromptView() -> impl IntoView {
    let model = App::get().model_comment;
    let text = Memo::new(move |_| {
        model
            .prepared
            .with(|p| p.as_ref().map(|p| p.prompt.text()))
            .unwrap_or_default()
    });
    let size = move || {
        model
            .prepared
            .with(|p| p.as_ref().map(|p| p.prompt.tokens()))
            .unwrap_or_default()
    };
    view! {
        <details class="prompt" hidden=move || text.with(String::is_empty)>
            <summary>"The prompt"</summary>
            <div class="row">
                <Copy text=text label="Copy" />
                <span class="hint">{move || format!("about {} tokens", size())}</span>
            </div>
            <pre tabindex="0">{text}</pre>
        </details>
    }
}

/// For people without a key: the prompt goes by hand to any chat, its answer comes back here.
#[component]
fn Pasting() -> impl IntoView {
    let model = App::get().model_comment;
    let text = Memo::new(move |_| {
        model
            .prepared
            .with(|p| p.as_ref().map(|p| p.prompt.text_by_hand()))
            .unwrap_or_default()
    });
    let claims_wanted = Memo::new(move |_| model.claims_wanted.get().unwrap_or_default());
    let objection = Memo::new(move |_| model.objection.get().unwrap_or_default());
    let check = move |answer: String| {
        model.paste(&answer);
        true
    };
    view! {
        <details class="pasting" hidden=move || text.with(String::is_empty)>
            <summary>"Without a key: copy the prompt, paste the answer"</summary>
            <ByHand id="pasted" text copy="Copy the prompt" label="The answer" button="Check the answer" take=check />
            {move || claims_wanted.with(|wanted| !wanted.is_empty()).then(|| view! {
                <p class="hint">
                    "The answer came without claims that could be read, so it was checked by its words, of which little can be judged. \
                     To have it judged by what it means, give this to the chat and paste what it answers:"
                </p>
                <div class="row" id="claims-wanted"><Copy text=claims_wanted label="Copy what asks for its claims" /></div>
            })}
            {move || objection.with(|o| !o.is_empty()).then(|| view! {
                <p class="hint">"Some of it is wrong. To let the model try once more, give it this and paste its second answer:"</p>
                <pre id="objection" tabindex="0">{objection}</pre>
                <div class="row"><Copy text=objection label="Copy the objection" /></div>
            })}
        </details>
    }
}
