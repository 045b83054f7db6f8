//! Reactive stores: newtypes over signals whose methods do the changing. Components read them and call these methods.

pub mod annotation;
pub mod bench;
pub mod blindfold;
pub mod briefing;
pub mod chat;
pub mod collection;
pub mod commentary;
pub mod compare;
pub mod connected_model;
pub mod course;
pub mod declared_claims;
pub mod demonstration;
pub mod endpoint;
pub mod exchange;
pub mod fit;
pub mod game_store;
pub mod judging;
pub mod lanes;
pub mod live;
pub mod lookahead;
pub mod model_comment;
pub mod model_notes;
pub mod model_run;
pub mod network;
pub mod notices;
pub mod on_demand;
pub mod panels;
pub mod playing;
pub mod power;
pub mod preferences;
pub mod probes;
pub mod rater_codebook;
pub mod ratings;
pub mod readout;
pub mod report_form;
mod row_queue;
pub mod searchless;
pub mod seldom;
pub mod steering;
pub mod study;
pub mod study_marks;
pub mod study_models;
pub mod survey;

use leptos::prelude::*;

use crate::{
    browser::offline::Offline,
    services::{
        analysis::Services,
        engine::{Engine, EngineStatus, Kind},
        labels::Labels,
        network::Network,
        search_memory::SearchMemory,
    },
};

/// The stores that every page has, or that other stores build on; in the context of every component. The others are made
/// [on demand](on_demand).
#[derive(Clone, Copy)]
pub struct App {
    /// The game and the place in it.
    pub game_store: game_store::GameStore,
    /// What is said of the move there.
    pub commentary: commentary::Commentary,
    /// What is searched while the reader looks.
    pub lookahead: lookahead::Lookahead,
    /// The annotation of the whole game.
    pub annotation: annotation::AnnotationState,
    /// The course of the concepts along it.
    pub course: course::CourseState,
    /// The engine's state.
    pub engine: ReadSignal<EngineStatus>,
    /// The network.
    pub network: network::NetworkState,
    /// Its concept probes.
    pub probes: probes::ProbesState,
    /// Fitting more of them.
    pub fit: fit::FitState,
    /// The chat endpoint.
    pub endpoint: endpoint::EndpointState,
    /// A language model's comment on the move.
    pub model_comment: model_comment::ModelComment,
    /// A study in the making.
    pub builder: study::StudyBuilder,
    /// A rater's session.
    pub survey: survey::SurveyState,
    /// Which panel is open beside the board.
    pub panels: panels::Panels,
    /// What the user set.
    pub preferences: preferences::Preferences,
    /// How the page stands without a network.
    pub offline: RwSignal<Option<Offline>>,
    /// Who owns what stays while pages come and go.
    pub owner: StoredValue<Owner, LocalStorage>,
    /// The services themselves, for the benchmark.
    pub services: StoredValue<Services, LocalStorage>,
}

impl App {
    /// Makes the stores. Nothing heavy is fetched yet.
    #[must_use]
    pub fn new() -> Self {
        let (engine, set_engine) = signal(EngineStatus::default());
        let network = Network::new();
        let stockfish = Kind::stockfish();
        let memory = SearchMemory::of_browser(&stockfish.version());
        let services = Services {
            engine: Engine::remembering(stockfish, memory, move |status| {
                set_engine.set(status);
            }),
            labels: Labels::default(),
            network: network.clone(),
        };
        let preferences = preferences::Preferences::load();
        let game_store = game_store::GameStore::new();
        let probes = probes::ProbesState::new(network.clone());
        let commentary = commentary::Commentary::new(services.clone(), preferences);
        let endpoint = endpoint::EndpointState::new(preferences);
        let shared = StoredValue::new_local(services.clone());
        let model_comment = model_comment::ModelComment::new(preferences, endpoint, commentary);
        let builder = study::StudyBuilder::new(shared, preferences);
        let annotation = annotation::AnnotationState::new(services.engine.clone(), game_store, preferences);
        Self {
            game_store,
            commentary,
            lookahead: lookahead::Lookahead::new(shared, preferences),
            model_comment,
            annotation,
            course: course::CourseState::new(network.clone()),
            engine,
            network: network::NetworkState::new(network, probes),
            probes,
            fit: fit::FitState::new(services, probes),
            endpoint,
            builder,
            survey: survey::SurveyState::new(),
            panels: panels::Panels::load(),
            preferences,
            offline: RwSignal::new(None),
            owner: StoredValue::new_local(Owner::current().unwrap_or_default()),
            services: shared,
        }
    }

    /// From the context.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }
}

impl Default for App {
    fn default() -> Self {
        Self::new()
    }
}
