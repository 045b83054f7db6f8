//! How comments are judged, and by whom.

use leptos::prelude::*;

use crate::{
    judge::{
        gcc_eval::{Criterion, score::Mode},
        judges::Pairs,
        rubric::Quality,
    },
    state::judging::{Judging, MOST_AT_ONCE},
    ui::{connection::Connection, price_fields::PriceFields},
};

/// The judge, what it is asked, and what that costs. One run has one way of judging: it is chosen before the run begins.
#[component]
pub fn Choices() -> impl IntoView {
    let judging = Judging::get();
    let open = Memo::new(move |_| judging.is_open());
    view! {
        <section class="card" aria-labelledby="judge-how">
            <h2 id="judge-how">"The judge"</h2>
            <Connection />
            <GccEval open />
            <Rubric open />
            <Claims />
            <Pace />
            {move || (!open.get()).then(|| view! {
                <p class="hint">"One run has one way of judging. Another model can judge the same comments: connect it and start again."</p>
            })}
        </section>
    }
}

/// One comment at a time.
#[component]
fn GccEval(open: Memo<bool>) -> impl IntoView {
    let judging = Judging::get();
    let settings = judging.settings;
    let criterion = move |one: Criterion| {
        let choose = move |event| {
            let wanted = event_target_checked(&event);
            settings.update(|settings| {
                let chosen = &settings.criteria;
                settings.criteria = Criterion::ALL
                    .iter()
                    .copied()
                    .filter(|own| if *own == one { wanted } else { chosen.contains(own) })
                    .collect();
            });
        };
        view! {
            <label>
                <input
                    type="checkbox"
                    prop:checked=move || settings.with(|settings| settings.criteria.contains(&one))
                    disabled=move || !open.get()
                    on:change=choose
                />
                {one.label()}
            </label>
        }
    };
    let modes = [
        (Mode::Probabilities, "by the probabilities of the scores"),
        (Mode::Samples, "by 20 samples"),
        (Mode::Integer, "as one integer"),
    ];
    view! {
        <fieldset class="row">
            <legend>"One comment at a time (GCC-Eval)"</legend>
            {Criterion::ALL.iter().copied().map(criterion).collect_view()}
            <label>
                "Scores "
                <select
                    id="judge-mode"
                    disabled=move || !open.get()
                    on:change=move |event| {
                        if let Some(mode) = Mode::of_word(&event_target_value(&event)) {
                            settings.update(|settings| settings.mode = mode);
                        }
                    }
                >
                    {modes.map(|(mode, label)| view! {
                        <option value=mode.word() selected=move || settings.with(|settings| settings.mode == mode)>{label}</option>
                    })}
                </select>
            </label>
            <label title="The steps that a model writes for itself make its scores incomparable with another's.">
                <input
                    id="judge-own-steps"
                    type="checkbox"
                    prop:checked=judging.own_steps
                    disabled=move || !open.get()
                    on:change=move |event| judging.own_steps.set(event_target_checked(&event))
                />
                "The judge writes its own steps"
            </label>
            <label title="As the authors' notebook does; the paper does not say so.">
                <input
                    id="judge-reference"
                    type="checkbox"
                    prop:checked=move || settings.with(|settings| settings.show_reference)
                    disabled=move || !open.get()
                    on:change=move |event| settings.update(|settings| settings.show_reference = event_target_checked(&event))
                />
                "Relevance sees the reference"
            </label>
        </fieldset>
    }
}

/// Two comments at a time.
#[component]
fn Rubric(open: Memo<bool>) -> impl IntoView {
    let settings = Judging::get().settings;
    let weight = move |place: usize, quality: Quality| {
        let id = format!("judge-weight-{place}");
        let set = move |event| {
            let wanted: Option<f64> = event_target_value(&event).trim().parse().ok();
            // Told even where it is refused: then the field shows the weight that counts.
            settings.update(|settings| {
                if let Some(wanted) = wanted.filter(|weight| (0.0..=100.0).contains(weight)) {
                    settings.weights.0[place] = wanted;
                }
            });
        };
        view! {
            <label>
                {quality.label()} " "
                <input
                    id=id
                    type="number"
                    min="0"
                    max="100"
                    step="any"
                    prop:value=move || settings.with(|settings| settings.weights.0[place].to_string())
                    disabled=move || !open.get()
                    on:change=set
                />
            </label>
        }
    };
    view! {
        <fieldset class="row">
            <legend>"Two comments at a time"</legend>
            <label>
                <input
                    id="judge-rubric"
                    type="checkbox"
                    prop:checked=move || settings.with(|settings| settings.pairs.is_some())
                    disabled=move || !open.get()
                    on:change=move |event| {
                        let wanted = event_target_checked(&event);
                        settings.update(|settings| settings.pairs = wanted.then_some(Pairs::All));
                    }
                />
                "Every pair by the rubric, in both orders"
            </label>
            <details>
                <summary>"Weights of the totals"</summary>
                <p class="hint">"With 1 everywhere a total is the plain sum, 6 to 30."</p>
                <div class="row judge-numbers">
                    {Quality::ALL.iter().enumerate().map(|(place, quality)| weight(place, *quality)).collect_view()}
                </div>
            </details>
        </fieldset>
    }
}

/// Whose claims the claim check judges. It may be chosen while a run goes on: comments are asked about that were not yet.
#[component]
fn Claims() -> impl IntoView {
    let declares = Judging::get().declares;
    view! {
        <fieldset class="row">
            <legend>"The claim check beside it"</legend>
            <label title="One question more for each comment. What it declares is judged by board and engine; without it our own reader finds the claims.">
                <input
                    id="judge-declares"
                    type="checkbox"
                    prop:checked=declares
                    on:change=move |event| declares.set(event_target_checked(&event))
                />
                "Let the model declare each comment’s claims first"
            </label>
        </fieldset>
    }
}

/// How many questions at a time, and what tokens cost.
#[component]
fn Pace() -> impl IntoView {
    let judging = Judging::get();
    view! {
        <div class="row judge-numbers">
            <label>
                "Questions at a time "
                <input
                    id="judge-at-once"
                    type="number"
                    min="1"
                    max=MOST_AT_ONCE.to_string()
                    prop:value=move || judging.at_once.get().to_string()
                    on:change=move |event| {
                        if let Ok(count) = event_target_value(&event).parse() {
                            judging.at_once.set(usize::clamp(count, 1, MOST_AT_ONCE));
                        }
                    }
                />
            </label>
            <PriceFields of="judge" prices=judging.prices />
        </div>
    }
}
