//! The prose, with its moves as chips, and what each sentence rests on.

use crate::{
    chess::game::Game,
    commentary::{FactId, Trust, Voice, verdict::Verdict},
    state::{App, commentary::CommentaryStage},
    ui::{
        pointed::Pointed,
        position_input::Examples,
        prose::{chips, runs_of},
    },
    view::prose::Run,
};
use leptos::prelude::*;

/// The card with the commentary.
#[component]
pub fn CommentaryCard() -> impl IntoView {
    let app = App::get();
    let commentary = app.commentary;
    let title = move || {
        let at = app.game_store.at();
        app.game_store.with_game(|game| game.label(at))
    };
    let verdict = move || {
        let sheet = commentary.sheet.get()?;
        Verdict::of(sheet.played(), sheet.evaluation()?)
    };
    // What is drawn changes with the stage, not with every step of a search.
    let shown = Memo::new(move |_| match commentary.stage.get() {
        CommentaryStage::Idle => Shown::Welcome,
        CommentaryStage::Searching { .. } if commentary.prose.with(Vec::is_empty) => Shown::Waiting,
        _ => Shown::Prose,
    });
    view! {
        <section class="card commentary" aria-labelledby="commentary-title">
            <header>
                <h2 id="commentary-title">{move || title().unwrap_or_else(|| "Commentary".into())}</h2>
                {move || verdict().map(|v| view! { <span class=format!("verdict {v}")>{verdict_label(v)}</span> })}
            </header>
            <div class="prose" aria-live="polite" aria-busy=move || (!matches!(commentary.stage.get(), CommentaryStage::Done | CommentaryStage::Idle)).to_string()>
                {move || match shown.get() {
                    Shown::Welcome => view! { <Welcome /> }.into_any(),
                    Shown::Waiting => view! { <Waiting /> }.into_any(),
                    Shown::Prose => view! { <Prose /> }.into_any(),
                }}
            </div>
            // Below the words, which stay where they are when it goes.
            <Progress />
            <Judgement />
            <Problems />
        </section>
    }
}

/// What stands in the card.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Welcome,
    Waiting,
    Prose,
}

fn verdict_label(verdict: Verdict) -> String {
    match verdict {
        Verdict::Best | Verdict::Good => format!("{verdict} move"),
        Verdict::Inaccuracy | Verdict::Mistake | Verdict::Blunder => verdict.to_string(),
    }
}

/// What to do when nothing is under discussion.
#[component]
fn Welcome() -> impl IntoView {
    let game_store = App::get().game_store;
    let what_to_do = move || match game_store.with_game(Game::is_empty) {
        true => "Make a move on the board, type one, or paste a position or a game",
        false => {
            "This is the position before the first move. Step on to it (→), choose another one in the list, or make one on the board"
        }
    };
    view! {
        <p>
            {what_to_do}
            ": Kibitz says what the move does, what an engine thinks of it and which concepts it changes. Every sentence rests on \
             facts that were computed from the board."
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
        <div class="progress" class:unseen=move || matches!(commentary.stage.get(), CommentaryStage::Idle | CommentaryStage::Done)>
            {move || {
                let (what, depth, done, left) = match commentary.stage.get() {
                    CommentaryStage::Idle | CommentaryStage::Done => return None,
                    CommentaryStage::Searching { after: true, depth, done, left } => ("Looking at the reply", depth, done, left),
                    CommentaryStage::Searching { depth, done, left, .. } => ("Looking at the alternatives", depth, done, left),
                    CommentaryStage::Settling { round: 0, depth, done } => ("First look; comparing with the best moves", depth, done, None),
                    CommentaryStage::Settling { depth, done, .. } => ("Searches differ; looking deeper", depth, done, None),
                };
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

/// How far the judgement can be trusted, and what the reader can do about it.
#[component]
fn Judgement() -> impl IntoView {
    let app = App::get();
    let commentary = app.commentary;
    let done = move || commentary.stage.get() == CommentaryStage::Done;
    let working = move || matches!(commentary.stage.get(), CommentaryStage::Settling { .. });
    let said = move || match commentary.trust.get()? {
        Trust::FirstLook if done() => Some("A first look only: the search was stopped."),
        Trust::FirstLook => Some("A first look: it may still change."),
        Trust::Settled => Some("The engine’s searches agree."),
        Trust::Open => Some("The engine’s searches still differ: take the verdict with care."),
    };
    let voice = move || app.preferences.get().voice;
    view! {
        <div class="judgement row" class:unseen=move || commentary.trust.get().is_none()>
            <span class="hint" id="trust">{said}</span>
            <button class="quiet" disabled=move || !done() on:click=move |_| commentary.deepen()>"Look deeper"</button>
            <button
                class="quiet"
                aria-pressed=move || commentary.held.get().to_string()
                disabled=move || !(working() || commentary.held.get())
                on:click=move |_| commentary.hold(!commentary.held.get_untracked())
            >
                "Hold the text"
            </button>
            <label>
                "For "
                <select
                    id="voice"
                    on:change=move |event| {
                        let voice = if event_target_value(&event) == "beginner" { Voice::Beginner } else { Voice::Club };
                        app.preferences.update(|settings| settings.voice = voice);
                    }
                >
                    <option value="club" selected=move || voice() == Voice::Club>"club players"</option>
                    <option value="beginner" selected=move || voice() == Voice::Beginner>"beginners"</option>
                </select>
            </label>
        </div>
    }
}

/// The sentences.
#[component]
fn Prose() -> impl IntoView {
    let app = App::get();
    let commentary = app.commentary;
    let said = Memo::new(move |_| {
        let voice = app.preferences.get().voice;
        let lines = commentary.lines.get();
        commentary.prose.with(|prose| {
            let texts = voice.say(prose).into_iter().zip(prose);
            let said = texts.map(|(text, sentence)| Said {
                runs: runs_of(&text, lines.as_ref()),
                facts: sentence.facts.clone(),
                text,
            });
            said.collect::<Vec<Said>>()
        })
    });
    let count = Memo::new(move |_| said.with(Vec::len));
    // More is to come: there is no sheet of facts yet.
    let is_early = Memo::new(move |_| commentary.sheet.with(Option::is_none));
    view! {
        <p class="narration" id="narration">
            // A sentence that stays the same is not drawn anew.
            <For each=move || 0..count.get() key=|place| *place
                children=move |place| {
                    let sentence = Memo::new(move |_| said.with(|said| said.get(place).cloned()));
                    move || sentence.get().map(|Said { text, facts, runs }| view! {
                        <Pointed class="sentence" text facts>{chips(runs)}</Pointed>
                        " "
                    })
                } />
        </p>
        {move || if is_early.get() { view! { <Waiting /> }.into_any() } else { view! { <Grounds /> }.into_any() }}
    }
}

/// A sentence as it stands on the page.
#[derive(Clone, PartialEq)]
struct Said {
    text: String,
    facts: Vec<FactId>,
    runs: Vec<Run>,
}

/// What each sentence rests on.
#[component]
fn Grounds() -> impl IntoView {
    let commentary = App::get().commentary;
    view! {
        <details class="grounds">
            <summary>"What this rests on"</summary>
            <ul>
                {move || {
                    let sheet = commentary.sheet.get();
                    commentary.prose.get().into_iter().map(|sentence| {
                        let facts = sentence.facts.iter().filter_map(|id| {
                            let fact = sheet.as_ref()?.get(*id)?;
                            let text = fact.text.clone();
                            Some(view! {
                                <li>
                                    <span class="fact-id">{id.to_string()}</span> " "
                                    <Pointed text=text.clone() facts=vec![*id]>{text}</Pointed>
                                </li>
                            })
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
