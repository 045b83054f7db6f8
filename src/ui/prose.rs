//! Prose whose moves are chips: pointing at one shows it on the board, pressing it plays it there.

use leptos::prelude::*;
use shakmaty::uci::UciMove;

use crate::{
    state::App,
    view::{
        lines::LinesPanel,
        prose::{Run, runs},
    },
};

/// A stretch of prose with its moves as chips, where the engine's lines are known.
pub fn with_chips(text: &str, lines: Option<&LinesPanel>) -> AnyView {
    chips(runs_of(text, lines))
}

/// The words of a text, and its moves where the engine's lines are known.
pub fn runs_of(text: &str, lines: Option<&LinesPanel>) -> Vec<Run> {
    match lines {
        Some(lines) => runs(text, lines),
        None => vec![Run::Text(text.to_owned())],
    }
}

/// Words, and moves as chips.
pub fn chips(runs: Vec<Run>) -> AnyView {
    runs.into_iter()
        .map(|run| match run {
            Run::Text(text) => text.into_any(),
            Run::Move { san, path } => view! { <MoveChip san path /> }.into_any(),
        })
        .collect_view()
        .into_any()
}

/// A move in a text: pointing at it shows it on the board, pressing it plays it there.
#[component]
pub fn MoveChip(
    /// As it is written.
    san: String,
    /// All moves from the position before the discussed one up to and including this one.
    path: Vec<UciMove>,
) -> impl IntoView {
    let app = App::get();
    let preview = app.commentary.preview;
    let path = StoredValue::new(path);
    let show = move || preview.set(Some(path.get_value()));
    let hide = move || preview.set(None);
    view! {
        <button
            class="chip"
            aria-label=format!("{san}: play it on the board")
            on:mouseenter=move |_| show()
            on:mouseleave=move |_| hide()
            on:focus=move |_| show()
            on:blur=move |_| hide()
            on:click=move |_| {
                hide();
                app.game_store.play_path(&path.get_value());
            }
        >
            {san.clone()}
        </button>
    }
}
