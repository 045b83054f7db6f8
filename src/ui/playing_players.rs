//! Who plays, what models are asked, and how.

use leptos::prelude::*;

use crate::{
    grading::prompt::{PromptKind, View},
    state::playing::{BuiltIn, MOST_AT_ONCE, Playing},
    ui::{
        connection::Connection,
        playing_fields::Count,
        price_fields::PriceFields,
        tick_boxes::{Ticked, tick_boxes},
    },
};

/// The players. One run has one way of playing: it is chosen before the run begins; more players may join it.
#[component]
pub fn Players() -> impl IntoView {
    let playing = Playing::get();
    let open = Memo::new(move |_| playing.is_open());
    view! {
        <section class="card" aria-labelledby="play-who">
            <h2 id="play-who">"Players"</h2>
            <label class="check">
                <input
                    id="play-model"
                    type="checkbox"
                    prop:checked=playing.model_plays
                    on:change=move |event| playing.model_plays.set(event_target_checked(&event))
                />
                "The connected language model"
            </label>
            <Connection />
            <BuiltIns />
            <Prompts open />
            <Numbers open />
            {move || (!open.get()).then(|| view! {
                <p class="hint">"One run has one way of playing. Another model or player can join it: connect or choose it and go on."</p>
            })}
        </section>
    }
}

/// Players of known strength.
#[component]
fn BuiltIns() -> impl IntoView {
    let boxes = BuiltIn::ALL.map(|value| Ticked {
        value,
        id: None,
        label: value.label(),
    });
    view! {
        <fieldset class="row">
            <legend>"Built-in players, which calibrate the scale"</legend>
            {tick_boxes(Playing::get().built_in, boxes.into())}
        </fieldset>
    }
}

/// What models are asked; each prompt gives answers of its own.
#[component]
fn Prompts(open: Memo<bool>) -> impl IntoView {
    let playing = Playing::get();
    let settings = playing.settings;
    let draft = RwSignal::new(PromptKind::default());
    let views = [
        (View::Fen, "fen", "FEN"),
        (View::Pgn, "pgn", "the game’s moves (PGN)"),
        (View::Diagram, "diagram", "a board of letters"),
    ];
    let part =
        move |id: &'static str, label: &'static str, get: fn(&PromptKind) -> bool, set: fn(&mut PromptKind, bool)| {
            view! {
                <label>
                    <input
                        id=id
                        type="checkbox"
                        prop:checked=move || draft.with(get)
                        disabled=move || !open.get()
                        on:change=move |event| draft.update(|draft| set(draft, event_target_checked(&event)))
                    />
                    {label}
                </label>
            }
        };
    let prompts = move || settings.with(|settings| settings.prompts.clone());
    view! {
        <fieldset>
            <legend>"What models are asked"</legend>
            <ul class="play-prompts" id="play-prompts">
                {move || prompts().into_iter().map(|prompt| {
                    let label = format!("Leave {prompt} out");
                    let one = settings.with(|settings| settings.prompts.len() < 2);
                    view! {
                        <li>
                            <code>{prompt.to_string()}</code> " "
                            <button
                                class="quiet" aria-label=label disabled=move || one || !open.get()
                                on:click=move |_| settings.update(|settings| settings.prompts.retain(|own| *own != prompt))
                            >
                                "✕"
                            </button>
                        </li>
                    }
                }).collect_view()}
            </ul>
            <div class="row">
                <label>
                    "The position as "
                    <select
                        id="play-view"
                        disabled=move || !open.get()
                        on:change=move |event| {
                            let word = event_target_value(&event);
                            if let Some((view, ..)) = views.iter().find(|(_, own, _)| *own == word) {
                                draft.update(|draft| draft.view = *view);
                            }
                        }
                    >
                        {views.map(|(view, word, label)| view! {
                            <option value=word selected=move || draft.with(|draft| draft.view == view)>{label}</option>
                        })}
                    </select>
                </label>
                {part("play-legal", "with the legal moves", |draft| draft.legal, |draft, on| draft.legal = on)}
                {part("play-expert", "with the engine’s line", |draft| draft.expert, |draft, on| draft.expert = on)}
                {part("play-concept", "with the concept", |draft| draft.concept, |draft, on| draft.concept = on)}
                {part("play-why", "and why", |draft| draft.why, |draft, on| draft.why = on)}
            </div>
            <div class="row">
                <button
                    id="play-add-prompt"
                    disabled=move || !open.get() || settings.with(|settings| settings.prompts.contains(&draft.get()))
                    on:click=move |_| settings.update(|settings| {
                        let prompt = draft.get_untracked();
                        settings.prompts.push(prompt);
                        if prompt.why {
                            settings.max_tokens = settings.max_tokens.max(WITH_REASON);
                        }
                    })
                >
                    "Add this prompt"
                </button>
                <button
                    class="quiet" id="play-only-prompt" disabled=move || !open.get()
                    on:click=move |_| settings.update(|settings| {
                        let prompt = draft.get_untracked();
                        settings.prompts = vec![prompt];
                        if prompt.why {
                            settings.max_tokens = settings.max_tokens.max(WITH_REASON);
                        }
                    })
                >
                    "Ask this one alone"
                </button>
                <button
                    class="quiet" id="play-table-7" disabled=move || !open.get()
                    on:click=move |_| settings.update(|settings| settings.prompts = PromptKind::TABLE_7.to_vec())
                >
                    "The three of Table 7"
                </button>
            </div>
        </fieldset>
    }
}

/// Tokens that a reason takes beside the move.
const WITH_REASON: u32 = 256;

/// How models are asked, how far engines look, and what tokens cost.
#[component]
fn Numbers(open: Memo<bool>) -> impl IntoView {
    let playing = Playing::get();
    let settings = playing.settings;
    let closed = Signal::derive(move || !open.get());
    let temperature = move |event| {
        let wanted: Option<f64> = event_target_value(&event).trim().parse().ok();
        settings.update(|settings| {
            if let Some(wanted) = wanted.filter(|wanted| (0.0..=2.0).contains(wanted)) {
                settings.temperature = wanted;
            }
        });
    };
    view! {
        <div class="row judge-numbers">
            <label>
                "Temperature "
                <input
                    id="play-temperature" type="number" min="0" max="2" step="any"
                    prop:value=move || settings.with(|settings| settings.temperature.to_string())
                    disabled=closed
                    on:change=temperature
                />
            </label>
            <Count
                id="play-tries" label="Tries a move" least=1 most=10 disabled=closed
                value=Signal::derive(move || settings.with(|settings| u64::from(settings.tries)))
                set=move |tries| settings.update(|settings| settings.tries = u8::try_from(tries).unwrap_or(1))
            />
            <Count
                id="play-max-tokens" label="Tokens of a reply at most" least=1 most=100_000 disabled=closed
                value=Signal::derive(move || settings.with(|settings| u64::from(settings.max_tokens)))
                set=move |most| settings.update(|settings| settings.max_tokens = u32::try_from(most).unwrap_or(u32::MAX))
            />
            <Count
                id="play-seed" label="Seed of samplers and lots" least=0 most=u64::from(u32::MAX) disabled=closed
                value=Signal::derive(move || settings.with(|settings| u64::from(settings.seed)))
                set=move |seed| settings.update(|settings| settings.seed = u32::try_from(seed).unwrap_or_default())
            />
            <Count
                id="play-nodes" label="Nodes of an engine’s move" least=1 most=10_000_000
                value=playing.nodes set=move |nodes| playing.nodes.set(nodes)
            />
            <Count
                id="play-at-once" label="Questions at a time" least=1 most=MOST_AT_ONCE as u64
                value=Signal::derive(move || playing.at_once.get() as u64)
                set=move |count| playing.at_once.set(count as usize)
            />
            <PriceFields of="play" prices=playing.prices />
        </div>
    }
}
