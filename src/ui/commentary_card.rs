//! The prose, with its moves as chips, and what each sentence rests on.

use crate::{
    commentary::verdict::Verdict,
    state::{App, commentary::Stage},
    ui::{position_input::Examples, prose::with_chips},
};
use leptos::prelude::*;

/// The card with the commentary.
#[component]
pub fn CommentaryCard() -> impl IntoView {
    let app = App::get();
    let commentary = app.commentary;
    let title = move || {
        let at = app.desk.at();
        app.desk.with_game(|game| game.label(at))
    };
    let verdict = move || {
        let sheet = commentary.sheet.get()?;
        Verdict::of(sheet.played(), sheet.evaluation()?)
    };
    view! {
        <section class="card commentary" aria-labelledby="commentary-title">
            <header>
                <h2 id="commentary-title">{move || title().unwrap_or_else(|| "Commentary".into())}</h2>
                {move || verdict().map(|v| view! { <span class=format!("verdict {v}")>{verdict_label(v)}</span> })}
            </header>
            <Progress />
            <div class="prose" aria-live="polite" aria-busy=move || matches!(commentary.stage.get(), Stage::Searching { .. }).to_string()>
                {move || match commentary.stage.get() {
                    Stage::Idle => view! { <Welcome /> }.into_any(),
                    Stage::Searching { .. } => view! { <Waiting /> }.into_any(),
                    Stage::Done => view! { <Prose /> }.into_any(),
                }}
            </div>
            <Problems />
        </section>
    }
}

fn verdict_label(verdict: Verdict) -> String {
    match verdict {
        Verdict::Best | Verdict::Excellent | Verdict::Good => format!("{verdict} move"),
        Verdict::Inaccuracy | Verdict::Mistake | Verdict::Blunder => verdict.to_string(),
    }
}

/// What to do when nothing is under discussion.
#[component]
fn Welcome() -> impl IntoView {
    view! {
        <p>
            "Make a move on the board, type one, or paste a position or a game: Kibitz says what the move does, what an engine \
             thinks of it and which concepts it changes. Every sentence rests on facts that were computed from the board."
        </p>
        <p class="hint">"Everything runs in this browser. Nothing is sent anywhere."</p>
        <Examples />
    }
}

#[component]
fn Waiting() -> impl IntoView {
    view! {
        <p class="waiting" aria-hidden="true"><span></span><span></span><span></span></p>
    }
}

/// How far the search is, how long it may still take, and a way to stop it.
#[component]
fn Progress() -> impl IntoView {
    let commentary = App::get().commentary;
    view! {
        <div class="progress" class:unseen=move || !matches!(commentary.stage.get(), Stage::Searching { .. })>
            {move || {
                let Stage::Searching { after, depth, done, left } = commentary.stage.get() else { return None };
                let what = if after { "Looking at the reply" } else { "Looking at the alternatives" };
                let depth = if depth > 0 { format!(", depth {depth}") } else { String::new() };
                let left = left.filter(|ms| *ms > 1500.0).map_or_else(String::new, |ms| format!(", about {:.0} s left", ms / 1000.0));
                Some(view! {
                    <progress max="1" prop:value=done aria-label="Engine"></progress>
                    <span class="hint">{format!("{what}{depth}{left}")}</span>
                    <button class="quiet" on:click=move |_| commentary.stop()>"Stop"</button>
                })
            }}
        </div>
    }
}

/// The sentences.
#[component]
fn Prose() -> impl IntoView {
    let app = App::get();
    let commentary = app.commentary;
    view! {
        <p class="narration" id="narration">
            {move || commentary.prose.get().into_iter().map(|sentence| view! {
                <span class="sentence">{with_chips(&sentence.text, commentary.lines.get().as_ref())}" "</span>
            }).collect_view()}
        </p>
        <details class="grounds">
            <summary>"What this rests on"</summary>
            <ul>
                {move || {
                    let sheet = commentary.sheet.get();
                    commentary.prose.get().into_iter().map(|sentence| {
                        let facts = sentence.facts.iter().filter_map(|id| {
                            let fact = sheet.as_ref()?.get(*id)?;
                            Some(view! { <li><span class="fact-id">{id.to_string()}</span> {fact.text.clone()}</li> })
                        }).collect_view();
                        view! { <li><q>{sentence.text}</q><ul>{facts}</ul></li> }
                    }).collect_view()
                }}
            </ul>
        </details>
    }
}

/// What could not be had, so that the prose rests on less.
#[component]
fn Problems() -> impl IntoView {
    let commentary = App::get().commentary;
    view! {
        <div role="alert">
            {move || match commentary.evaluation.get() {
                Some(Err(reason)) => Some(view! {
                    <p class="problem">
                        {reason} " The commentary speaks from the board alone. "
                        <button class="quiet" on:click=move |_| commentary.again()>"Try again"</button>
                    </p>
                }),
                _ => None,
            }}
        </div>
    }
}
