//! Chess tests: language models and built-in players move in single positions, an engine grades their moves, and every answer
//! can be looked at on the board.

use leptos::prelude::*;

use crate::{
    state::playing::Playing,
    ui::{
        playing_answers::Answers,
        playing_players::Players as Who,
        playing_positions::{Games, Positions},
        playing_results::{Charts, Tables},
        playing_run::{Grade, Progress},
    },
};

/// The page.
#[component]
pub fn Players() -> impl IntoView {
    Playing::get().restore();
    view! {
        <article class="survey-page judge-page playing-page">
            <div>
                <h1>"Players"</h1>
                <p>
                    "How well does a language model play chess? It is asked for one move in each position, beside players of known \
                     strength. Every answer counts: moves are graded by what they lose against the best, and what is no legal move \
                     is counted by what is wrong with it."
                </p>
            </div>
            <Positions />
            <Games />
            <Who />
            <Progress />
            <Grade />
            <Charts />
            <Answers />
            <Tables />
        </article>
    }
}
