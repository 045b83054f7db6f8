//! Pages and components: they draw view models and call state.

pub mod arm_choice;
pub mod blindfold_answers;
pub mod blindfold_live;
pub mod blindfold_model;
pub mod blindfold_players;
pub mod blindfold_run;
pub mod blindfold_set;
pub mod blindfold_tables;
pub mod board;
pub mod by_hand;
pub mod chat_card;
pub mod checked;
pub mod commentary_card;
pub mod compare_column;
pub mod concept_course;
pub mod concepts_card;
pub mod connection;
pub mod copy;
pub mod diagram;
pub mod drop_zone;
pub mod effects;
pub mod engine_card;
pub mod facts;
pub mod fetched_cards;
pub mod fetched_pages;
pub mod figures_table;
pub mod following;
pub mod game_card;
pub mod game_graph;
pub mod game_list;
pub mod header;
pub mod judge_choices;
pub mod judge_results;
pub mod keyboard;
pub mod live_card;
pub mod marked;
pub mod model_card;
pub mod model_notes;
pub mod model_run;
pub mod move_list;
pub mod navigation;
pub mod network_card;
pub mod pages;
pub mod panels;
pub mod part;
pub mod played_line;
pub mod players;
pub mod playing_answers;
pub mod playing_fields;
pub mod playing_players;
pub mod playing_positions;
pub mod playing_results;
pub mod playing_run;
pub mod pointed;
mod policy_switches;
pub mod position_input;
pub mod price_fields;
pub mod prose;
pub mod raters_card;
pub mod rating_charts;
pub mod readout_panel;
pub mod report_tables;
pub mod route;
pub mod searchless_boards;
pub mod searchless_card;
mod searchless_findings;
pub mod searchless_play;
pub mod searchless_predict;
mod searchless_run;
pub mod searchless_sets;
pub mod searchless_standings;
pub mod searchless_tournament;
pub mod shown_board;
pub mod simulated_raters;
pub mod steering_panel;
pub mod study_admits;
pub mod study_checks;
pub mod study_criteria;
pub mod study_expected;
pub mod study_faults;
pub mod study_fields;
pub mod study_form;
pub mod study_instructions;
pub mod study_instrument;
pub mod study_items;
pub mod study_language;
pub mod study_models;
pub mod study_order;
pub mod study_practice;
pub mod study_questions;
pub mod study_recruitment;
pub mod study_sending;
pub mod study_spans;
pub mod survey_collection;
pub mod survey_downloads;
pub mod survey_instructions;
pub mod survey_marks;
pub mod survey_rating;
pub mod text_board;
pub mod tick_boxes;
pub mod win_graph;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use self::{
    part::{part, part_in},
    route::{Route, route},
};
use crate::{
    browser::{location, offline},
    services::paths,
    state::App,
    survey::first_words::FirstWords,
};

/// The whole page.
#[component]
pub fn Kibitz() -> impl IntoView {
    let app = App::new();
    provide_context(app);
    let current = RwSignal::new(route());
    following::prepare(current);
    spawn_local(offline::register(paths::OFFLINE, move |status| {
        app.offline.set(Some(status))
    }));
    view! {
        <a class="skip" href="#main" hidden=move || app.survey.alone.get() on:click=move |event| { event.prevent_default(); focus_main(); }>
            "Skip to the board"
        </a>
        <header::Header />
        <main id="main" tabindex="-1">
            {move || match current.get() {
                Route::Comment => part(fetched_pages::comment).into_any(),
                Route::Probes => part(fetched_pages::probes).into_any(),
                Route::Bench => part(fetched_pages::bench).into_any(),
                Route::Compare => part(fetched_pages::compare).into_any(),
                Route::Judge => part(fetched_pages::judges).into_any(),
                Route::Players => part(fetched_pages::players).into_any(),
                Route::Blindfold => part(fetched_pages::blindfold).into_any(),
                Route::Searchless => part(fetched_pages::searchless).into_any(),
                Route::Study => part(fetched_pages::study).into_any(),
                Route::Survey => {
                    let words = FirstWords::of_address(&location::search(), &location::hash());
                    part_in(words, fetched_pages::survey).into_any()
                }
                Route::Analysis => part(fetched_pages::analysis).into_any(),
                Route::About => part(fetched_pages::about).into_any(),
            }}
        </main>
    }
}

fn focus_main() {
    crate::browser::focus::focus("main");
}
