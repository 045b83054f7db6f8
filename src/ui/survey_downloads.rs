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

/// What the files mean, for whoever keeps them. At the end alone: it speaks of planted comments and marks, of which whoever
/// still rates had better not think.
#[component]
pub fn CodebookDownloads() -> impl IntoView {
    let state = App::get().survey;
    let as_format = |format: &str| state.fill(Phrase::DownloadCodebook, &[("format", &format)]);
    view! {
        <p class="hint">{state.say(Phrase::CodebookHow)}</p>
        <div class="row">
            <button id="survey-codebook-md" class="quiet" on:click=move |_| state.save_codebook(false)>{as_format("Markdown")}</button>
            <button id="survey-codebook-csv" class="quiet" on:click=move |_| state.save_codebook(true)>{as_format("CSV")}</button>
        </div>
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
