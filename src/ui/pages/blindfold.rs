//! Blindfold: does a language model know where the pieces are, when all it sees are moves?

use leptos::prelude::*;

use crate::{
    state::blindfold::Blindfold as Store,
    ui::{
        blindfold_answers::Answers,
        blindfold_live::LiveBelief,
        blindfold_players::Players,
        blindfold_run::Progress,
        blindfold_set::Questions,
        blindfold_tables::{Charts, NotMeasured, Tables},
    },
};

/// The page.
#[component]
pub fn Blindfold() -> impl IntoView {
    Store::get().restore();
    view! {
        <article class="survey-page judge-page playing-page blindfold-page">
            <div>
                <h1>"Blindfold"</h1>
                <p>
                    "Does a language model know where the pieces are, when all it sees are moves? After the beginning of a game it is \
                     given a square and asked where the piece on it may go, or a piece and asked where it stands. Its likeliest \
                     tokens are held against the rules of chess. The tables are those of Toshniwal, Wiseman, Livescu and Gimpel, \
                     “Chess as a testbed for language model state tracking”, with the paper’s figures beside ours."
                </p>
            </div>
            <Questions />
            <Players />
            <Progress />
            <Charts />
            <Answers />
            <LiveBelief />
            <Tables />
            <NotMeasured />
        </article>
    }
}
