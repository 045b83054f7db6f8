//! How a language model is asked: the choice of an arm, of its guidance, and of who names the concepts, wherever a comment is
//! asked for.

use leptos::prelude::*;

use crate::{
    commentary::{Arm, Guidance},
    concepts::Choice,
    state::App,
};

/// The choice; one for the whole page, so that prompts and comments agree.
#[component]
pub fn ArmChoice(
    /// The control's own id.
    id: &'static str,
) -> impl IntoView {
    let preferences = App::get().preferences;
    let chosen = move || preferences.get().arm;
    view! {
        <label>
            "The model is told"
            <select
                id=id
                on:change=move |event| {
                    if let Ok(arm) = event_target_value(&event).parse::<Arm>() {
                        preferences.update(|s| s.arm = arm);
                    }
                }
            >
                {Arm::ALL.into_iter().map(|arm| view! {
                    <option value=arm.word() selected=move || chosen() == arm>{arm.label()}</option>
                }).collect_view()}
            </select>
        </label>
    }
}

/// Worked examples and chain of thought of an arm; one choice for the whole page.
#[component]
pub fn GuidanceChoice(
    /// The arm whose guidance is chosen.
    #[prop(into)]
    arm: Signal<Arm>,
    /// Names the arm for those who do not see where the boxes stand.
    #[prop(optional)]
    named: bool,
) -> impl IntoView {
    let preferences = App::get().preferences;
    let whose = move |what: &str| named.then(|| format!("{what}: {}", arm.get().label()));
    let tick = move |what: &'static str, class: &'static str, get: fn(&mut Guidance) -> &mut bool| {
        view! {
            <label class="check">
                <input
                    class=class
                    type="checkbox"
                    aria-label=move || whose(what)
                    prop:checked=move || *get(&mut preferences.get().guidance(arm.get()))
                    on:change=move |event| {
                        let on = event_target_checked(&event);
                        let arm = arm.get_untracked();
                        preferences.update(|settings| settings.guide(arm, |guidance| *get(guidance) = on));
                    }
                />
                {what}
            </label>
        }
    };
    view! {
        {tick("Worked examples", "with-examples", |guidance| &mut guidance.examples)}
        {tick("Chain of thought", "with-reasoning", |guidance| &mut guidance.reasoning)}
    }
}

/// Which of the arms are asked, each with its guidance, and who names the concepts.
#[component]
pub fn ArmsChoice(
    /// The arms that are asked, in the order of [`Arm::ALL`].
    arms: RwSignal<Vec<Arm>>,
    /// The id of the choice of who names the concepts.
    concepts: &'static str,
) -> impl IntoView {
    let rows = Arm::ALL
        .into_iter()
        .map(|arm| {
            let choose = move |event| {
                let on = event_target_checked(&event);
                arms.update(|arms| {
                    *arms = Arm::ALL
                        .into_iter()
                        .filter(|one| if *one == arm { on } else { arms.contains(one) })
                        .collect();
                });
            };
            view! {
                <div class="row arm">
                    <label class="check">
                        <input type="checkbox" value=arm.word() prop:checked=move || arms.with(|arms| arms.contains(&arm)) on:change=choose />
                        {arm.label()}
                    </label>
                    <GuidanceChoice arm=arm named=true />
                </div>
            }
        })
        .collect_view();
    view! {
        <fieldset>
            <legend>"What the model is told"</legend>
            {rows}
            <ConceptSource id=concepts />
        </fieldset>
    }
}

/// Who names the concepts: the same setting as in the panel of the concepts, where both can speak too.
#[component]
pub fn ConceptSource(
    /// The control's own id.
    id: &'static str,
) -> impl IntoView {
    let preferences = App::get().preferences;
    let chosen = move || match preferences.get().concepts {
        Choice::Stockfish8 => Choice::Stockfish8,
        Choice::Probes | Choice::Both => Choice::Probes,
    };
    view! {
        <label>
            "Concepts from"
            <select
                id=id
                on:change=move |event| {
                    let terms = event_target_value(&event) == "stockfish8";
                    preferences.update(|s| s.concepts = if terms { Choice::Stockfish8 } else { Choice::Probes });
                }
            >
                <option value="probes" selected=move || chosen() == Choice::Probes>{Choice::Probes.label()}</option>
                <option value="stockfish8" selected=move || chosen() == Choice::Stockfish8>{Choice::Stockfish8.label()}</option>
            </select>
        </label>
    }
}
