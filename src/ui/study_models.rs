//! Adds a language model's comments to a study.

use leptos::prelude::*;

use super::{arm_choice::ArmsChoice, connection::Connection, model_run::RunProgress};
use crate::state::{App, study_models::StudyModels as Models};

/// Which arms, checked or not; begin and stop.
#[component]
pub fn StudyModels() -> impl IntoView {
    let app = App::get();
    let (models, endpoint, builder) = (Models::get(), app.endpoint, app.builder);
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
            <ArmsChoice arms=models.arms concepts="builder-concepts" />
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
