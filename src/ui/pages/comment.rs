//! The main page: a position, a move, and what is said of it.

use std::time::Duration;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::clock,
    state::panels::Panel,
    ui::{
        board::Board,
        fetched_cards,
        move_list::MoveList,
        navigation::Navigation,
        panels::{TabPanel, Tabs},
        part::part,
        players::Players,
        position_input::PositionInput,
        text_board::TextBoardView,
    },
};

/// How long the rest waits for a board that does not come.
const BOARD_ALONE: Duration = Duration::from_secs(2);

/// Board first, then prose, then the rest: also in time. Each part is made in a turn of its own, so that none of them
/// keeps the page from answering; nothing is fetched for them while the board's own script is on its way.
#[component]
pub fn Comment() -> impl IntoView {
    let parts = RwSignal::new(0);
    let board_tried = RwSignal::new(false);
    spawn_local(async move {
        clock::sleep(BOARD_ALONE).await;
        board_tried.try_set(true);
    });
    Effect::new(move |begun: Option<bool>| {
        let begins = board_tried.get();
        if begins && begun != Some(true) {
            spawn_local(async move {
                for part in 1..=4 {
                    clock::yield_to_browser().await;
                    parts.try_set(part);
                }
            });
        }
        begins
    });
    let there = |number: i32| Memo::new(move |_| parts.get() >= number);
    let (prose, input, engine, game) = (there(1), there(2), there(3), there(4));
    view! {
        <h1 class="unseen">"Kibitz: chess commentary that has been checked"</h1>
        <div class="comment-page">
            <div class="board-column">
                <Players />
                <Board tried=board_tried />
                <Navigation />
                <TextBoardView />
            </div>
            <div class="input-column">{move || input.get().then(|| view! { <PositionInput /> })}</div>
            <div class="prose-column">
                <Tabs />
                <TabPanel panel=Panel::Commentary>{move || prose.get().then(|| (part(fetched_cards::words), part(fetched_cards::chat)))}</TabPanel>
                <TabPanel panel=Panel::Engine>{move || engine.get().then(|| part(fetched_cards::engine))}</TabPanel>
                <TabPanel panel=Panel::Concepts>{move || engine.get().then(|| part(fetched_cards::concepts))}</TabPanel>
                <TabPanel panel=Panel::Network>{move || game.get().then(|| part(fetched_cards::network))}</TabPanel>
                <TabPanel panel=Panel::Model>{move || engine.get().then(|| part(fetched_cards::model))}</TabPanel>
            </div>
            <div class="game-column">
                {move || game.get().then(|| view! {
                    <MoveList />
                    {part(fetched_cards::game)}
                })}
            </div>
        </div>
    }
}
