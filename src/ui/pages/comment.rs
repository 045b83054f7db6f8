//! The main page: a position, a move, and what is said of it.

use leptos::prelude::*;

use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::clock,
    ui::{
        board::Board, chat_card::ChatCard, commentary_card::CommentaryCard, concepts_card::ConceptsCard,
        engine_card::EngineCard, facts::FactsCard, game_card::GameCard, model_card::ModelCard, move_list::MoveList,
        navigation::Navigation, network_card::NetworkCard, position_input::PositionInput, text_board::TextBoardView,
    },
};

/// Board first, then prose, then the rest: also in time. Each column is made in a turn of its own, so that none of them
/// keeps the page from answering.
#[component]
pub fn Comment() -> impl IntoView {
    let columns = RwSignal::new(0);
    spawn_local(async move {
        for column in 1..=3 {
            clock::yield_to_browser().await;
            columns.try_set(column);
        }
    });
    let (prose, engine, rest) = (
        Memo::new(move |_| columns.get() >= 1),
        Memo::new(move |_| columns.get() >= 2),
        Memo::new(move |_| columns.get() >= 3),
    );
    view! {
        <h1 class="unseen">"Kibitz: chess commentary that has been checked"</h1>
        <div class="comment-page">
            <div class="board-column">
                <Board />
                <Navigation />
                <TextBoardView />
            </div>
            <div class="prose-column">
                {move || prose.get().then(|| view! {
                    <CommentaryCard />
                    <ModelCard />
                    <ChatCard />
                })}
                {move || engine.get().then(|| view! {
                    <EngineCard />
                    <ConceptsCard />
                    <FactsCard />
                })}
            </div>
            <div class="input-column">
                {move || rest.get().then(|| view! {
                    <PositionInput />
                    <MoveList />
                    <GameCard />
                    <NetworkCard />
                })}
            </div>
        </div>
    }
}
