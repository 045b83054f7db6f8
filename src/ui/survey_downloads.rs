//! A rater's answers, to be saved as files.

use leptos::prelude::*;

use crate::state::App;

/// Files to take away, and the end of what is kept.
#[component]
pub fn Downloads() -> impl IntoView {
    let state = App::get().survey;
    let sure = RwSignal::new(false);
    let safe = RwSignal::new(false);
    view! {
        <div class="row">
            <button id="survey-json" class="primary" on:click=move |_| state.save_json()>"Download JSON"</button>
            <button id="survey-csv" on:click=move |_| state.save_csv(safe.get_untracked())>"Download CSV"</button>
            <button class="quiet" on:click=move |_| state.close()>"Leave"</button>
            <button class="quiet" on:click=move |_| if sure.get_untracked() { state.forget_this() } else { sure.set(true) }>
                {move || match (sure.get(), state.unsent()) {
                    (false, _) => "Remove from this browser…",
                    (true, false) => "All answers in this browser will be gone: sure?",
                    (true, true) => "All answers in this browser will be gone, and not all have been sent: sure?",
                }}
            </button>
        </div>
        <SpreadsheetSafe safe />
    }
}

/// Whether a CSV file is to hold nothing that a spreadsheet program would run.
#[component]
pub fn SpreadsheetSafe(
    /// The answer.
    safe: RwSignal<bool>,
) -> impl IntoView {
    view! {
        <label class="hint">
            <input type="checkbox" class="spreadsheet-safe" prop:checked=safe on:change=move |event| safe.set(event_target_checked(&event)) />
            " CSV for a spreadsheet: an apostrophe before what it would run as a formula"
        </label>
    }
}
