//! A line that is shown on the board move by move.

use std::time::Duration;

use leptos::prelude::*;
use shakmaty::uci::UciMove;
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::{clock, theme},
    state::App,
};

/// How long each position of it is seen.
const EACH: Duration = Duration::from_millis(900);

/// A button that shows the line, and ends the showing when it is pressed again. Who wants no motion sees where the line
/// leads.
#[component]
pub fn PlayedLine(
    /// The moves from the position before the discussed one.
    line: Vec<UciMove>,
) -> impl IntoView {
    let preview = App::get().commentary.preview;
    let line = StoredValue::new(line);
    let playing = RwSignal::new(false);
    let generation = StoredValue::new(0_u32);
    let play = move || {
        let mine = generation.get_value().wrapping_add(1);
        generation.set_value(mine);
        if playing.get_untracked() {
            playing.set(false);
            preview.set(None);
            return;
        }
        playing.set(true);
        spawn_local(async move {
            let line = line.get_value();
            let first = if theme::reduced_motion() { line.len() } else { 1 };
            for shown in first..=line.len() {
                // Pressed again, or gone from the page: the board is another's.
                if generation.try_get_value() != Some(mine) {
                    return;
                }
                preview.set(line.get(..shown).map(<[UciMove]>::to_vec));
                clock::sleep(if shown == line.len() { 2 * EACH } else { EACH }).await;
            }
            if generation.try_get_value() == Some(mine) {
                preview.set(None);
                playing.set(false);
            }
        });
    };
    on_cleanup(move || {
        if playing.try_get_untracked() == Some(true) {
            preview.set(None);
        }
    });
    view! {
        <button class="quiet" aria-pressed=move || playing.get().to_string() on:click=move |_| play()>
            "Show it on the board"
        </button>
    }
}
