//! The games of a file: which is open, and the others to choose from.

use leptos::prelude::*;

use crate::{
    state::App,
    view::game_titles::{LISTED, found},
};

/// The list; not there for one game.
#[component]
pub fn GameList() -> impl IntoView {
    let game_store = App::get().game_store;
    let several = Memo::new(move |_| game_store.titles.with(|titles| titles.len() > 1));
    move || several.get().then(|| view! { <Games /> })
}

#[component]
fn Games() -> impl IntoView {
    let game_store = App::get().game_store;
    let search = RwSignal::new(String::new());
    let fitting = Memo::new(move |_| {
        let titles = game_store.titles.get();
        search.with(|search| found(&titles, search))
    });
    let count = move || game_store.titles.with(|titles| titles.len());
    let shown = move || {
        let (rows, all) = fitting.get();
        let titles = game_store.titles.get();
        let rows = rows
            .into_iter()
            .filter_map(|index| Some((index, titles.get(index)?.line(index))));
        let more = all.saturating_sub(LISTED);
        view! {
            <ul>
                {rows.map(|(index, line)| view! {
                    <li>
                        <button
                            class="quiet"
                            aria-current=move || (game_store.chosen() == index).then_some("true")
                            on:click=move |_| game_store.choose(index)
                        >
                            {line}
                        </button>
                    </li>
                }).collect_view()}
            </ul>
            <p class="hint" role="status">
                {match (all, more) {
                    (0, _) => "No game has all of these words.".to_owned(),
                    (_, 0) => String::new(),
                    (_, more) => format!("{more} more: search for a name, a year, a result or an opening."),
                }}
            </p>
        }
    };
    view! {
        <div class="games" role="group" aria-labelledby="games-title">
            <h3 id="games-title">{move || format!("{} games in this file", count())}</h3>
            <label class="quiet-label" for="game-search">"Search"</label>
            <input
                id="game-search"
                type="search"
                autocomplete="off"
                spellcheck="false"
                placeholder="a name, a year, 1-0, an opening"
                prop:value=search
                on:input=move |event| search.set(event_target_value(&event))
            />
            {shown}
        </div>
    }
}
