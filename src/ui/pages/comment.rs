//! The main page: a position, a move, and what is said of it.

use leptos::prelude::*;

use crate::ui::{
    board::Board, commentary_card::CommentaryCard, concepts_card::ConceptsCard, engine_card::EngineCard,
    facts::FactsCard, model_card::ModelCard, move_list::MoveList, navigation::Navigation, network_card::NetworkCard,
    position_input::PositionInput, text_board::TextBoardView,
};

/// Board first, then prose, then the rest.
#[component]
pub fn Comment() -> impl IntoView {
    view! {
        <h1 class="unseen">"Kibitz: chess commentary that has been checked"</h1>
        <div class="desk">
            <div class="board-column">
                <Board />
                <Navigation />
                <TextBoardView />
            </div>
            <div class="prose-column">
                <CommentaryCard />
                <ModelCard />
                <EngineCard />
                <ConceptsCard />
                <FactsCard />
            </div>
            <div class="input-column">
                <PositionInput />
                <MoveList />
                <NetworkCard />
            </div>
        </div>
    }
}
