//! Over the board: who plays, how it ended, and what opening it is.

use leptos::prelude::*;

use crate::{state::App, view::move_list::opening};

/// The lines over the board; empty for a position that nobody has named.
#[component]
pub fn Players() -> impl IntoView {
    let game_store = App::get().game_store;
    let title = Memo::new(move |_| game_store.title());
    let opening = Memo::new(move |_| {
        let at = game_store.at();
        game_store.with_game(|game| opening(game, at))
    });
    let names = move || {
        let title = title.get();
        (!title.is_empty()).then(|| {
            view! {
                <p class="names">
                    {(!title.players().is_empty()).then(|| view! { <strong>{title.players()}</strong> })}
                    {title.result.map(|result| view! { <span class="result">{result}</span> })}
                    <span class="hint">{title.circumstances.clone()}</span>
                </p>
            }
        })
    };
    view! {
        <div class="players">
            {names}
            <p class="opening">{move || opening.get()}</p>
        </div>
    }
}
