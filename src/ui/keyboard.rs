//! Keys that work anywhere on the board's page: the arrows walk through the game.

use leptos::{ev, prelude::*};

use super::route::{Route, route};
use crate::{
    browser::focus,
    state::game_store::{GameStore, Step},
};

/// Listens as long as the page lives.
pub fn listen(game_store: GameStore) {
    let handle = window_event_listener(ev::keydown, move |event| {
        let modified = event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key();
        // Elsewhere they would take the move away that is spoken of, unseen.
        if route() != Route::Comment || modified || event.default_prevented() || focus::in_control() {
            return;
        }
        let step = match event.key().as_str() {
            "ArrowLeft" => Step::Back,
            "ArrowRight" => Step::Forward,
            "ArrowUp" => Step::PreviousVariation,
            "ArrowDown" => Step::NextVariation,
            "Home" => Step::First,
            "End" => Step::Last,
            "Escape" => {
                game_store.promote(None);
                return;
            }
            _ => return,
        };
        // Up and down scroll the page where there is no variation to go to.
        if game_store.step(step) || matches!(step, Step::Back | Step::Forward) {
            event.prevent_default();
        }
    });
    on_cleanup(move || handle.remove());
}
