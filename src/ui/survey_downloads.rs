//! A rater's answers, to be saved as files.

use leptos::prelude::*;

use crate::state::App;

/// Files to take away, and the end of what is kept.
#[component]
pub fn Downloads() -> impl IntoView {
    let state = App::get().survey;
    let sure = RwSignal::new(false);
    view! {
        <div class="row">
            <button id="survey-json" class="primary" on:click=move |_| state.save_json()>"Download JSON"</button>
            <button id="survey-csv" on:click=move |_| state.save_csv()>"Download CSV"</button>
            <button class="quiet" on:click=move |_| state.close()>"Leave"</button>
            <button class="quiet" on:click=move |_| if sure.get_untracked() { state.forget_this() } else { sure.set(true) }>
                {move || match (sure.get(), state.unsent()) {
                    (false, _) => "Remove from this browser…",
                    (true, false) => "All answers in this browser will be gone: sure?",
                    (true, true) => "All answers in this browser will be gone, and not all have been sent: sure?",
                }}
            </button>
        </div>
    }
}
