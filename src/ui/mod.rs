//! Pages and components: they draw view models and call state.

pub mod arm_choice;
pub mod board;
pub mod chat_card;
pub mod checked;
pub mod commentary_card;
pub mod concepts_card;
pub mod connection;
pub mod copy;
pub mod drop_zone;
pub mod engine_card;
pub mod facts;
pub mod figures_table;
pub mod game_card;
pub mod game_list;
pub mod header;
pub mod keyboard;
pub mod model_card;
pub mod model_notes;
pub mod move_list;
pub mod navigation;
pub mod network_card;
pub mod pages;
pub mod panels;
pub mod players;
pub mod pointed;
pub mod position_input;
pub mod prose;
pub mod raters_card;
pub mod rating_charts;
pub mod shown_board;
pub mod simulated_raters;
pub mod study_criteria;
pub mod study_fields;
pub mod study_form;
pub mod study_models;
pub mod study_sending;
pub mod survey_collection;
pub mod survey_downloads;
pub mod survey_instructions;
pub mod survey_rating;
pub mod text_board;
pub mod win_graph;

use std::sync::Arc;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::{
    annotation::MainLine,
    browser::{location, offline},
    services::paths,
    state::App,
};

/// What the address asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Route {
    Comment,
    Probes,
    Bench,
    Study,
    Survey,
    Analysis,
    About,
}

fn route() -> Route {
    let hash = location::hash();
    match hash.split('?').next().unwrap_or_default() {
        "#/probes" => Route::Probes,
        "#/bench" => Route::Bench,
        "#/study" => Route::Study,
        "#/survey" => Route::Survey,
        "#/analysis" => Route::Analysis,
        "#/about" => Route::About,
        _ => Route::Comment,
    }
}

/// The whole page.
#[component]
pub fn Kibitz() -> impl IntoView {
    let app = App::new();
    provide_context(app);
    let current = RwSignal::new(route());
    app.game_store.restore();
    location::on_hash_change(move |_| {
        current.set(route());
        app.game_store.follow_address();
    });
    keyboard::listen(app.game_store);
    // The address follows the view, so that reloading or sharing it restores the view.
    Effect::new(move |_| {
        if current.get() == Route::Comment {
            app.game_store.show_address();
        }
    });
    Effect::new(move |_| app.game_store.keep());
    // The commentary follows the move shown.
    Effect::new(move |_| {
        let played = app.game_store.played();
        untrack(|| app.commentary.discuss(played));
    });
    // The annotation follows the game.
    let main_line = Memo::new(move |_| app.game_store.with_game(MainLine::of));
    Effect::new(move |_| main_line.with(|line| untrack(|| app.annotation.follow(line))));
    // Another network, other probes or another source: what they say of the move is heard again.
    let source = Memo::new(move |_| {
        let network = app.network.loaded.get().map(|network| network.description.sha256);
        let probes = app.probes.in_use.get().map(|probes| Arc::as_ptr(&probes.set).addr());
        (network, probes, app.preferences.get().concepts)
    });
    Effect::new(move |seen: Option<()>| {
        // A memo that nobody reads is not computed, and has nothing to follow.
        source.with(|_| ());
        if seen.is_some() {
            untrack(|| app.commentary.hear_again());
        }
    });
    spawn_local(offline::register(paths::OFFLINE, move |status| {
        app.offline.set(Some(status))
    }));
    app.network.restore();
    view! {
        <a class="skip" href="#main" on:click=move |event| { event.prevent_default(); focus_main(); }>
            "Skip to the board"
        </a>
        <header::Header />
        <main id="main" tabindex="-1">
            {move || match current.get() {
                Route::Comment => pages::comment::Comment().into_any(),
                Route::Probes => pages::probes::Probes().into_any(),
                Route::Bench => pages::bench::Bench().into_any(),
                Route::Study => pages::study::StudyBuilder().into_any(),
                Route::Survey => pages::survey::Survey().into_any(),
                Route::Analysis => pages::analysis::Analysis().into_any(),
                Route::About => pages::about::About().into_any(),
            }}
        </main>
    }
}

fn focus_main() {
    crate::browser::focus::focus("main");
}
