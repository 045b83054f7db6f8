//! Who answers, what they are asked, and how.

use leptos::prelude::*;

use crate::{
    blindfold::{asked, asked::MoveText, probe::ProbeTask, scored, scripted::Scripted},
    state::blindfold::{Blindfold, MOST_AT_ONCE},
    ui::{
        blindfold_model::OwnModel,
        connection::Connection,
        playing_fields::Count,
        price_fields::PriceFields,
        tick_boxes::{Ticked, tick_boxes},
    },
};

/// The players. One run has one way of asking: it is chosen before the run begins; more players may join it.
#[component]
pub fn Players() -> impl IntoView {
    let blindfold = Blindfold::get();
    let open = Memo::new(move |_| blindfold.is_open());
    view! {
        <section class="card" aria-labelledby="blind-who">
            <h2 id="blind-who">"Players"</h2>
            <OwnModel />
            <ChatModel />
            <ScriptedPlayers />
            <Tasks open />
            <Numbers open />
            {move || (!open.get()).then(|| view! {
                <p class="hint">"One run has one way of asking. Another player can join it: choose or connect it and go on."</p>
            })}
        </section>
    }
}

/// Players whose scores are known.
#[component]
fn ScriptedPlayers() -> impl IntoView {
    let labels = [
        (Scripted::Uniform, "Any token (uniform)"),
        (Scripted::RandomLegal, "Any legal answer (random-legal)"),
        (Scripted::Oracle, "What is right (oracle)"),
    ];
    let boxes = labels.map(|(value, label)| Ticked {
        value,
        id: None,
        label: label.to_owned(),
    });
    view! {
        <fieldset class="row">
            <legend>"Players whose scores are known, which calibrate the scale"</legend>
            {tick_boxes(Blindfold::get().scripted, boxes.into())}
        </fieldset>
    }
}

/// How a model is told the moves, as boxes whose ids begin with `of`.
fn told(of: &str, texts: &[MoveText]) -> Vec<Ticked<MoveText>> {
    let one = |text: &MoveText| Ticked {
        value: *text,
        id: Some(format!("{of}-{text}")),
        label: match text {
            MoveText::Uci => "by their squares: e2e4 e7e5 g1f3",
            MoveText::Types => "with types: Pe2e4 Pe7e5 Ng1f3",
            MoveText::Pgn => "as PGN: 1. e4 e5 2. Nf3",
        }
        .to_owned(),
    };
    texts.iter().map(one).collect()
}

/// The connected model: how it answers and how it is told the moves.
#[component]
fn ChatModel() -> impl IntoView {
    let blindfold = Blindfold::get();
    let (texts, scored) = (blindfold.texts, blindfold.scored);
    let prompts = move || {
        let asked = texts.get().into_iter().flat_map(asked::texts);
        let words = asked.chain(scored.get().into_iter().flat_map(scored::texts));
        words
            .map(|(name, words)| view! { <dt>{name}</dt> <dd><pre>{words}</pre></dd> })
            .collect_view()
    };
    let is_chosen = move || !texts.with(Vec::is_empty) || !scored.with(Vec::is_empty);
    view! {
        <fieldset>
            <legend>"The connected model is asked in words, and told the moves"</legend>
            <div class="row">{tick_boxes(texts, told("blind-moves", &MoveText::ALL))}</div>
            <p class="hint">
                "It names one square, so that exact and legal answers and the kinds of errors are defined, and R-precision is not."
            </p>
        </fieldset>
        <fieldset>
            <legend>"Or it is scored, by what it finds likely after the moves"</legend>
            <div class="row">{tick_boxes(scored, told("blind-scored", &[MoveText::Uci, MoveText::Types]))}</div>
            <p class="hint">
                "It ranks the squares and the types of pieces, so that R-precision is defined too. Its server must offer completions \
                 with log-probabilities, as llama.cpp and vLLM do; an answer takes up to nine requests. Told squares alone it is \
                 not asked where pieces stand."
            </p>
        </fieldset>
        <Connection />
        {move || is_chosen().then(|| view! {
            <details id="blind-prompts">
                <summary>"What it is told, of the paper’s example"</summary>
                <dl>{prompts}</dl>
            </details>
        })}
    }
}

/// What is asked.
#[component]
fn Tasks(
    /// Whether that can still be chosen.
    open: Memo<bool>,
) -> impl IntoView {
    let settings = Blindfold::get().settings;
    let one = move |(task, label): (ProbeTask, &'static str)| {
        let is_asked = move || settings.with(|settings| settings.tasks.contains(&task));
        let is_last = move || is_asked() && settings.with(|settings| settings.tasks.len() == 1);
        let choose = move |event| {
            let wanted = event_target_checked(&event);
            settings.update(|settings| {
                let all = ProbeTask::ALL.into_iter();
                let tasks = all.filter(|own| {
                    if *own == task {
                        wanted
                    } else {
                        settings.tasks.contains(own)
                    }
                });
                settings.tasks = tasks.collect();
            });
        };
        view! {
            <label>
                <input
                    id=format!("blind-{}", task.word())
                    type="checkbox"
                    prop:checked=is_asked
                    disabled=move || !open.get() || is_last()
                    on:change=choose
                />
                {label}
            </label>
        }
    };
    let labels = [
        (
            ProbeTask::EndActual,
            "End-Actual: where does the piece go that moved in the game?",
        ),
        (ProbeTask::EndOther, "End-Other: where may another piece go?"),
        (
            ProbeTask::StartActual,
            "Start-Actual: where does the piece stand that moved in the game?",
        ),
        (
            ProbeTask::StartOther,
            "Start-Other: where does another stand that may move?",
        ),
    ];
    view! {
        <fieldset>
            <legend>"What is asked"</legend>
            {labels.map(one)}
        </fieldset>
    }
}

/// How models are asked, and what tokens cost.
#[component]
fn Numbers(
    /// Whether that can still be chosen.
    open: Memo<bool>,
) -> impl IntoView {
    let blindfold = Blindfold::get();
    let settings = blindfold.settings;
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
            <Count
                id="blind-seed" label="Seed of samplers and lots" least=0 most=u64::from(u32::MAX) disabled=closed
                value=Signal::derive(move || settings.with(|settings| u64::from(settings.seed)))
                set=move |seed| settings.update(|settings| settings.seed = u32::try_from(seed).unwrap_or_default())
            />
            <label>
                "Temperature of a chat model "
                <input
                    id="blind-temperature" type="number" min="0" max="2" step="any"
                    prop:value=move || settings.with(|settings| settings.temperature.to_string())
                    disabled=closed
                    on:change=temperature
                />
            </label>
            <Count
                id="blind-max-tokens" label="Tokens of a reply at most" least=1 most=100_000 disabled=closed
                value=Signal::derive(move || settings.with(|settings| u64::from(settings.max_tokens)))
                set=move |most| settings.update(|settings| settings.max_tokens = u32::try_from(most).unwrap_or(u32::MAX))
            />
            <Count
                id="blind-at-once" label="Questions at a time" least=1 most=MOST_AT_ONCE as u64
                value=Signal::derive(move || blindfold.at_once.get() as u64)
                set=move |count| blindfold.at_once.set(count as usize)
            />
            <PriceFields of="blind" prices=blindfold.prices />
        </div>
    }
}
