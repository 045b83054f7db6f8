//! The main page: a position, a move, and what is said of it.

use leptos::prelude::*;

use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::clock,
    state::panels::Panel,
    ui::{
        board::Board,
        chat_card::ChatCard,
        commentary_card::CommentaryCard,
        concepts_card::ConceptsCard,
        engine_card::EngineCard,
        facts::FactsCard,
        game_card::GameCard,
        model_card::ModelCard,
        move_list::MoveList,
        navigation::Navigation,
        network_card::NetworkCard,
        panels::{TabPanel, Tabs},
        players::Players,
        position_input::PositionInput,
        text_board::TextBoardView,
    },
};

/// Board first, then prose, then the rest: also in time. Each part is made in a turn of its own, so that none of them
/// keeps the page from answering.
#[component]
pub fn Comment() -> impl IntoView {
    let parts = RwSignal::new(0);
    spawn_local(async move {
        for part in 1..=4 {
            clock::yield_to_browser().await;
            parts.try_set(part);
        }
    });
    let there = |number: i32| Memo::new(move |_| parts.get() >= number);
    let (prose, input, engine, game) = (there(1), there(2), there(3), there(4));
    view! {
        <h1 class="unseen">"Kibitz: chess commentary that has been checked"</h1>
        <div class="comment-page">
            <div class="board-column">
                <Players />
                <Board />
                <Navigation />
                <TextBoardView />
            </div>
            <div class="input-column">{move || input.get().then(|| view! { <PositionInput /> })}</div>
            <div class="prose-column">
                <Tabs />
                <TabPanel panel=Panel::Commentary>
                    {move || prose.get().then(|| view! {
                        <CommentaryCard />
                        <ChatCard />
                        <FactsCard />
                    })}
                </TabPanel>
                <TabPanel panel=Panel::Engine>{move || engine.get().then(|| view! { <EngineCard /> })}</TabPanel>
                <TabPanel panel=Panel::Concepts>{move || engine.get().then(|| view! { <ConceptsCard /> })}</TabPanel>
                <TabPanel panel=Panel::Network>{move || game.get().then(|| view! { <NetworkCard /> })}</TabPanel>
                <TabPanel panel=Panel::Model>{move || engine.get().then(|| view! { <ModelCard /> })}</TabPanel>
            </div>
            <div class="game-column">
                {move || game.get().then(|| view! {
                    <MoveList />
                    <GameCard />
                })}
            </div>
        </div>
    }
}
