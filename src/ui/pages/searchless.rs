//! Searchless: boards that an engine annotates, for models that learn from them to play without search.

use leptos::prelude::*;

use crate::{
    state::searchless::{annotating::Annotating, competing::Competing, versus::Versus},
    ui::{
        searchless_boards::Boards,
        searchless_card::{Beyond, DataCard},
        searchless_findings::WhatTrainingFound,
        searchless_play::Play,
        searchless_predict::Predict,
        searchless_run::Progress,
        searchless_sets::GivenSets,
        searchless_standings::Standings,
        searchless_tournament::Tournament,
    },
};

/// The page.
#[component]
pub fn Searchless() -> impl IntoView {
    Annotating::get().restore();
    Competing::get().restore();
    Versus::get().restore();
    view! {
        <article class="survey-page judge-page playing-page searchless-page">
            <div>
                <h1>"Searchless"</h1>
                <p>
                    "How good can a model play that looks at one board and does not search? It learns from boards that an engine has \
                     annotated: what the board is worth, what each legal move is worth, which is best. Here such models look at a position \
                     of yours, play you and each other; and Stockfish annotates boards of yours, in the form of ChessBench, the dataset of \
                     Ruoss and others, “Amortized planning with large-scale transformers: a case study on chess”. Files go both ways \
                     between this page, "<code>"lab chessbench"</code>" and the authors’ code."
                </p>
            </div>
            <Predict />
            <Play />
            <Tournament />
            <Standings />
            <Boards />
            <Progress />
            <GivenSets />
            <DataCard />
            <WhatTrainingFound />
            <Beyond />
        </article>
    }
}
