//! What a language model is told: the choice of an arm, wherever a comment is asked for.

use leptos::prelude::*;

use crate::{commentary::Arm, state::App};

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
