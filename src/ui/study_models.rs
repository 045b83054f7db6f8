//! Adds a language model's comments to a study.

use leptos::prelude::*;

use super::{
    arm_choice::{ConceptSource, GuidanceChoice},
    connection::Connection,
    model_run::RunProgress,
};
use crate::{commentary::Arm, state::App};

/// Which arms, checked or not; begin and stop.
#[component]
pub fn StudyModels() -> impl IntoView {
    let app = App::get();
    let (models, endpoint, builder) = (app.study_models, app.endpoint, app.builder);
    let arms = Arm::ALL
        .into_iter()
        .map(|arm| {
            let chosen = move || models.arms.with(|arms| arms.contains(&arm));
            let choose = move |event| {
                let on = event_target_checked(&event);
                models.arms.update(|arms| {
                    *arms = Arm::ALL
                        .into_iter()
                        .filter(|one| if *one == arm { on } else { arms.contains(one) })
                        .collect();
                });
            };
            view! {
                <div class="row arm">
                    <label class="check">
                        <input type="checkbox" value=arm.word() prop:checked=chosen on:change=choose />
                        {arm.label()}
                    </label>
                    <GuidanceChoice arm=arm named=true />
                </div>
            }
        })
        .collect_view();
    let ready = move || {
        endpoint.is_configured()
            && models.arms.with(|arms| !arms.is_empty())
            && builder.study.with(|s| !s.items.is_empty())
    };
    view! {
        <details class="by-model" id="builder-models">
            <summary>"Comments by a language model"</summary>
            <p class="hint">
                "Every arm becomes a method of the study. With the check, wrong claims go back to the model once and what stays wrong \
                 is left out; without it, raters read what the model wrote. Either way the check’s counts are kept beside each \
                 comment, as a metric for Table 4."
            </p>
            <fieldset>
                <legend>"What the model is told"</legend>
                {arms}
                <ConceptSource id="builder-concepts" />
            </fieldset>
            <label class="check">
                <input id="builder-checked" type="checkbox" prop:checked=move || models.checked.get()
                    on:change=move |event| models.checked.set(event_target_checked(&event)) />
                "With the claim check"
            </label>
            <Connection />
            {move || (!models.run.is_asking()).then(|| view! {
                <button id="builder-write" disabled=move || !ready() on:click=move |_| models.write()>"Add the model’s comments"</button>
            })}
            <RunProgress run=models.run stop=move |()| models.stop() />
        </details>
    }
}
