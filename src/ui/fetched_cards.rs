//! The cards beside the board, each fetched when it is first shown.

use leptos::prelude::*;

use super::{
    chat_card::ChatCard, commentary_card::CommentaryCard, concepts_card::ConceptsCard, engine_card::EngineCard,
    facts::FactsCard, following, game_card::GameCard, model_card::ModelCard, network_card::NetworkCard, part::parts,
};

parts! {
    /// What is said of the move.
    commentary: words = || {
        following::begin_commentary();
        view! { <CommentaryCard /><FactsCard /> }.into_any()
    };
    /// What the engine sees.
    commentary: engine = || view! { <EngineCard /> }.into_any();
    /// The concepts.
    commentary: concepts = || view! { <ConceptsCard /> }.into_any();
    /// What the network sees.
    commentary: network = || view! { <NetworkCard /> }.into_any();
    /// Questions about the move.
    discussion: chat = || view! { <ChatCard /> }.into_any();
    /// The language model and its comment.
    discussion: model = || view! { <ModelCard /> }.into_any();
    /// The whole game.
    discussion: game = || view! { <GameCard /> }.into_any();
}
