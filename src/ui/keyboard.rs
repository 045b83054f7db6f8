//! Keys that walk through the game: anywhere on the board's page, and on the card of a board elsewhere.

use leptos::{
    ev::{self, KeyboardEvent},
    prelude::*,
};

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

/// Takes a key that was pressed on a board's own card: arrows to the sides, Home and End.
pub fn walk(game_store: GameStore, event: &KeyboardEvent) {
    let modified = event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key();
    if modified || focus::in_control() {
        return;
    }
    let step = match event.key().as_str() {
        "ArrowLeft" => Step::Back,
        "ArrowRight" => Step::Forward,
        "Home" => Step::First,
        "End" => Step::Last,
        _ => return,
    };
    game_store.step(step);
    event.prevent_default();
}
