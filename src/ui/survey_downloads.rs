//! A rater's answers, to be saved as files.

use leptos::prelude::*;

use crate::{state::App, survey::phrases::Phrase};

/// Files to take away, and the end of what is kept.
#[component]
pub fn Downloads() -> impl IntoView {
    let state = App::get().survey;
    let sure = RwSignal::new(false);
    let safe = RwSignal::new(false);
    view! {
        <div class="row">
            <button id="survey-json" class="primary" on:click=move |_| state.save_json()>{state.say(Phrase::DownloadJson)}</button>
            <button id="survey-csv" on:click=move |_| state.save_csv(safe.get_untracked())>{state.say(Phrase::DownloadCsv)}</button>
            <button class="quiet" on:click=move |_| state.close()>{state.say(Phrase::Leave)}</button>
            <button class="quiet" on:click=move |_| if sure.get_untracked() { state.forget_this() } else { sure.set(true) }>
                {move || state.say(match (sure.get(), state.unsent()) {
                    (false, _) => Phrase::Remove,
                    (true, false) => Phrase::RemoveSure,
                    (true, true) => Phrase::RemoveUnsent,
                })}
            </button>
        </div>
        <SpreadsheetSafe safe label=state.say(Phrase::SpreadsheetCsv) />
    }
}

/// Whether a CSV file is to hold nothing that a spreadsheet program would run.
#[component]
pub fn SpreadsheetSafe(
    /// The answer.
    safe: RwSignal<bool>,
    /// The question in a study's language.
    #[prop(optional, into)]
    label: Option<String>,
) -> impl IntoView {
    view! {
        <label class="hint">
            <input type="checkbox" class="spreadsheet-safe" prop:checked=safe on:change=move |event| safe.set(event_target_checked(&event)) />
            " "{label.unwrap_or_else(|| Phrase::SpreadsheetCsv.english().to_owned())}
        </label>
    }
}
