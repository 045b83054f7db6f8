//! The benchmark of the page: the same pipeline, timed.

mod engine_alone;
mod game;
mod looked_at;
mod network_start;

use std::{cell::Cell, rc::Rc};

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{
    fit::{FitState, position},
    preferences::Preferences,
};
use crate::{
    blindfold::{
        model_player::notation_of,
        timed::{AT_A_TIME, TIMED, seconds_a_thousand, timed_questions},
    },
    browser::{clock, slices::Slices, turns},
    chess::{Played, fen::read_fen, notation::read_move},
    chessbench::{board::Board, model_rows::ModelRows, record::ActionSearch},
    commentary::{FactSheet, claims::check},
    concepts::{
        Wanted,
        sampled::{self, Sampled},
    },
    net_worker::protocol::Row,
    searchless::header::Target,
    services::{
        analysis::{self, Analysis, Effort, Services, Timing},
        annotator::Annotator,
        engine::{Engine, Kind},
        language_model::LanguageModel,
        network::NetworkError,
        paths,
        search_memory::SearchMemory,
        searchless::Searchless,
        shipped,
    },
    uci::Limit,
    view::bench::{
        ANNOTATED_NODES, BenchRow, CHECKED_COMMENT, CHECKED_RUNS, COMPARED_RUNS, FIT_POSITIONS, POSITIONS, Spread,
    },
};

/// The benchmark's progress and report.
#[derive(Clone, Copy)]
pub struct Bench {
    services: StoredValue<Services, LocalStorage>,
    preferences: Preferences,
    fit: FitState,
    running: StoredValue<bool>,
    /// An engine of its own, which knows nothing of what the page has searched; while it runs.
    engine: StoredValue<Option<Engine>, LocalStorage>,
    /// Positions done and in all, while it runs.
    pub progress: RwSignal<Option<(usize, usize)>>,
    /// The report so far.
    pub rows: RwSignal<Vec<BenchRow>>,
    /// What could not be measured and why.
    pub problem: RwSignal<Option<String>>,
}

impl Bench {
    /// Not run yet.
    #[must_use]
    pub fn new(services: StoredValue<Services, LocalStorage>, preferences: Preferences, fit: FitState) -> Self {
        Self {
            services,
            preferences,
            fit,
            running: StoredValue::new(false),
            engine: StoredValue::new_local(None),
            progress: RwSignal::new(None),
            rows: RwSignal::new(Vec::new()),
            problem: RwSignal::new(None),
        }
    }

    /// Measures every stage, a run after the other.
    pub fn run(&self) {
        if self.running.get_value() {
            return;
        }
        self.running.set_value(true);
        self.problem.set(None);
        self.rows.set(Vec::new());
        let this = *self;
        spawn_local(async move {
            this.measure().await;
            this.running.try_set_value(false);
            this.engine.try_set_value(None);
            this.progress.try_set(None);
        });
    }

    /// Ends it after the position under way.
    pub fn stop(&self) {
        self.running.set_value(false);
        if let Some(engine) = self.engine.get_value() {
            engine.stop();
        }
    }

    async fn measure(&self) {
        let memory = SearchMemory::of_page();
        let engine = Engine::remembering(Kind::stockfish(), memory.clone(), |_| ());
        self.engine.set_value(Some(engine.clone()));
        let services = Services {
            engine,
            ..self.services.get_value()
        };
        let settings = self.preferences.get_untracked();
        let (effort, wanted) = (settings.effort(), settings.wanted());
        let positions: Vec<Played> = POSITIONS.iter().filter_map(|(fen, mv)| read(fen, mv)).collect();
        let (mut timings, mut nps, mut first_words) = (Vec::new(), Vec::new(), Vec::new());
        // The first one pays for starting everything: it is reported apart.
        for round in 0..=positions.len() {
            if self.running.try_get_value() != Some(true) {
                return;
            }
            self.progress.set(Some((round, positions.len() + 1)));
            let played = &positions[round % positions.len()];
            // The first of them is looked at twice.
            if round == 1 {
                memory.forget();
            }
            let (analysis, words) = heard(&services, played, effort, wanted).await;
            if let Err(error) = &analysis.evaluation {
                self.problem.set(Some(error.to_string()));
                return;
            }
            if let Ok(evaluation) = &analysis.evaluation {
                #[allow(clippy::cast_precision_loss)] // node counts are far below 2^52
                let speed = evaluation.nodes as f64 / (analysis.timing.first_look + analysis.timing.settling) * 1000.0;
                nps.push(speed);
            }
            timings.push(analysis.timing);
            if round > 0 {
                first_words.push(words);
            }
            self.rows.set(report(&timings, &nps));
            if round == positions.len() {
                self.add("first words of a comment", "ms", &first_words);
                self.checks(&analysis.sheet).await;
            }
        }
        self.known(&services, &positions).await;
        if let Err(reason) = self.looked_at(&services, &positions).await {
            self.complain(reason);
        }
        if let Err(reason) = self.engine_alone(&positions).await {
            self.complain(reason);
        }
        self.network(&services, &positions).await;
        if let Err(reason) = self.probes(&services).await {
            self.complain(reason);
        }
        if self.running.try_get_value() != Some(true) {
            return;
        }
        if let Err(reason) = self.annotated().await {
            self.complain(reason);
        }
        if self.running.try_get_value() != Some(true) {
            return;
        }
        let is_wanted = || self.running.try_get_value() == Some(true);
        if let Err(reason) = game::measure(is_wanted, |name, seconds| self.add(name, "s", &[seconds])).await {
            self.complain(reason);
        }
        if self.running.try_get_value() != Some(true) {
            return;
        }
        if let Err(reason) = self.blindfold().await {
            self.complain(reason);
        }
        if self.running.try_get_value() != Some(true) {
            return;
        }
        if let Err(reason) = self.searchless().await {
            self.complain(reason);
        }
        if let Some(bytes) = clock::heap_bytes() {
            self.add("memory of the page's JavaScript", "MB", &[bytes / 1e6]);
        }
    }

    /// The comments on positions whose searches are known.
    async fn known(&self, services: &Services, positions: &[Played]) {
        let settings = self.preferences.get_untracked();
        let (mut first_words, mut totals) = (Vec::new(), Vec::new());
        for played in positions {
            if self.running.try_get_value() != Some(true) {
                return;
            }
            let (analysis, words) = heard(services, played, settings.effort(), settings.wanted()).await;
            first_words.push(words);
            totals.push(analysis.timing.total);
        }
        self.add("first words, searches known", "ms", &first_words);
        self.add("comment, final verdict, searches known", "ms", &totals);
    }

    /// What could not be measured, below what is said already.
    fn complain(&self, reason: String) {
        self.problem.update(|problem| match problem {
            Some(said) => *said = format!("{said} {reason}"),
            None => *problem = Some(reason),
        });
    }

    /// All moves of a position, by the model of action values that comes with the app, in a worker that ends with them.
    async fn searchless(&self) -> Result<(), String> {
        let models = Searchless::default();
        let model = models.shipped(Target::ActionValue).await.map_err(|e| e.to_string())?;
        let mut times = Vec::new();
        for board in POSITIONS.iter().filter_map(|(fen, _)| Board::read(fen).ok()) {
            if self.running.try_get_value() != Some(true) {
                break;
            }
            let start = clock::now();
            let rows = ModelRows::new(&model.header, board.position()).map_err(|e| e.to_string())?;
            let outputs = models.outputs(&model.sha256, rows.rows()).await;
            let outputs = outputs.map_err(|e| e.to_string())?;
            rows.prediction(&outputs).map_err(|e| e.to_string())?;
            times.push(clock::now() - start);
        }
        self.add("AV, all moves of a position", "ms a position", &times);
        Ok(())
    }

    /// Boards annotated as on the page on chess without search, by one engine of its own.
    async fn annotated(&self) -> Result<(), String> {
        let mut annotator = Annotator::new();
        annotator.name().await.map_err(|e| e.to_string())?;
        let limit = Limit::Nodes(ANNOTATED_NODES);
        let mut rates = Vec::new();
        for board in POSITIONS.iter().filter_map(|(fen, _)| Board::read(fen).ok()) {
            if self.running.try_get_value() != Some(true) {
                break;
            }
            let start = clock::now();
            let row = annotator.annotate(&board, limit, ActionSearch::EachMove).await;
            let row = row.map_err(|e| format!("Boards could not be annotated: {e}."))?;
            let actions = row.record().map_or(0, |record| record.actions.len());
            #[allow(clippy::cast_precision_loss)] // at most 218
            rates.push(actions as f64 / (clock::now() - start) * 1000.0);
        }
        let name = format!("annotated actions, {ANNOTATED_NODES} nodes each, one engine");
        self.add(&name, "actions/s", &rates);
        Ok(())
    }

    /// Questions about the board to the language model that comes with the app, in a worker that ends with them.
    async fn blindfold(&self) -> Result<(), String> {
        let model = LanguageModel::default();
        let times = self.asked(&model).await;
        let name = format!("1,000 blindfold questions, reckoned from {TIMED}");
        self.add(&name, "s", times.as_deref().unwrap_or_default());
        times.map(drop)
    }

    /// Seconds that a thousand questions take, by each batch that was asked.
    async fn asked(&self, model: &LanguageModel) -> Result<Vec<f64>, String> {
        let description = model.fetch_shipped().await.map_err(|e| e.to_string())?;
        let notation = notation_of(&description.header).map_err(|e| e.to_string())?;
        let questions = timed_questions(notation, &Slices::new()).await;
        let mut times = Vec::new();
        for batch in questions.chunks(AT_A_TIME) {
            if self.running.try_get_value() != Some(true) {
                break;
            }
            let start = clock::now();
            model.next(batch).await.map_err(|e| e.to_string())?;
            times.push(seconds_a_thousand((clock::now() - start) / 1000.0, batch.len()));
        }
        Ok(times)
    }

    /// A fit of the 21 probes, as the probes' page does it and `lab bench` too: labels, activations, fits, memory.
    async fn probes(&self, services: &Services) -> Result<(), String> {
        let bytes = shipped::fetch(&paths::positions(), |_, _| ()).await;
        let rows = sampled_rows(&bytes.map_err(|e| e.to_string())?)?;
        let boards: Vec<_> = rows.iter().filter_map(|row| position(&row.fen)).collect();
        #[allow(clippy::cast_precision_loss)] // hundreds
        let rate = |count: usize, since: f64| count as f64 / (clock::now() - since) * 1000.0;
        let start = clock::now();
        let evals = services.labels.evaluate(&boards).await.map_err(|e| e.to_string())?;
        self.add("Stockfish 8 labels", "positions/s", &[rate(evals.len(), start)]);
        if !services.network.is_loaded() {
            return Ok(());
        }
        if self.fit.progress.get_untracked().is_some() {
            return Err("Fits were not measured: one is under way.".to_owned());
        }
        let rows: Vec<Row> = rows
            .into_iter()
            .zip(evals)
            .map(|(Sampled { game, fen }, eval)| Row {
                game,
                fen,
                labels: eval.labels(),
            })
            .collect();
        let measured = self.fits(services, rows).await;
        services.network.end_fit().await;
        measured.map_err(|e| e.to_string())
    }

    async fn fits(&self, services: &Services, rows: Vec<Row>) -> Result<(), NetworkError> {
        let start = clock::now();
        for (number, batch) in rows.chunks(16).enumerate() {
            services.network.gather(batch.to_vec(), None, number == 0).await?;
            if self.running.try_get_value() != Some(true) {
                return Ok(());
            }
        }
        #[allow(clippy::cast_precision_loss)] // hundreds
        let rate = rows.len() as f64 / (clock::now() - start) * 1000.0;
        self.add("activations of every block", "positions/s", &[rate]);
        let (mut times, mut start) = (Vec::new(), clock::now());
        let mut turn = services.network.begin_fit(Vec::new(), Vec::new()).await?;
        while turn.concept.is_some() {
            if self.running.try_get_value() != Some(true) {
                return Ok(());
            }
            turn = services.network.fit_turn(0).await?;
            if !turn.fitted.is_empty() {
                times.push((clock::now() - start) / 1000.0);
            }
            if !turn.fitted.is_empty() || !turn.refused.is_empty() {
                start = clock::now();
            }
        }
        self.add(&format!("fit of a probe, {FIT_POSITIONS} positions"), "s", &times);
        #[allow(clippy::cast_precision_loss)] // below 4 GB
        if let Some(bytes) = turn.memory {
            self.add(
                "memory of the network's worker, at the most",
                "MB",
                &[bytes as f64 / 1e6],
            );
        }
        Ok(())
    }

    async fn network(&self, services: &Services, positions: &[Played]) {
        if !services.network.is_loaded() {
            return;
        }
        for batch in [1_usize, 3] {
            let mut times = Vec::new();
            for chunk in positions.chunks(batch).filter(|c| c.len() == batch) {
                let start = clock::now();
                let boards: Vec<_> = chunk.iter().map(|played| &played.before).collect();
                if let Err(error) = services.network.evaluate(&boards, chunk[0].mode).await {
                    self.problem.set(Some(error.to_string()));
                    return;
                }
                #[allow(clippy::cast_precision_loss)] // 1 or 3
                times.push((clock::now() - start) / batch as f64);
            }
            self.add(&format!("network, {batch} a request"), "ms a position", &times);
        }
        let compared = self.convolutions(services, positions).await;
        services.network.end_comparison().await;
        let started = match compared {
            Ok(()) => self.network_start(services, positions).await,
            Err(error) => Err(error),
        };
        if let Err(error) = started {
            self.complain(error.to_string());
        }
    }

    /// A comment, checked against its sheet on the page's own thread, as all are.
    async fn checks(&self, sheet: &FactSheet) {
        let mut times = Vec::with_capacity(CHECKED_RUNS);
        for _ in 0..CHECKED_RUNS {
            turns::settled().await;
            let begun = clock::now();
            let _ = check(sheet, CHECKED_COMMENT);
            times.push(clock::now() - begun);
        }
        self.add("claim check of a comment of 60 words", "ms", &times);
    }

    /// The network with tract's own convolutions and with ours, in turn on every position.
    async fn convolutions(&self, services: &Services, positions: &[Played]) -> Result<(), NetworkError> {
        services.network.begin_comparison().await?;
        let (mut direct, mut ours) = (Vec::new(), Vec::new());
        for played in positions.iter().cycle().take(COMPARED_RUNS) {
            if self.running.try_get_value() != Some(true) {
                return Ok(());
            }
            let [theirs, own] = services.network.compare(&played.before).await?;
            direct.push(theirs);
            ours.push(own);
        }
        self.add("network, convolutions by tract", "ms a position", &direct);
        self.add("network, convolutions by Winograd's filtering", "ms a position", &ours);
        Ok(())
    }

    fn add(&self, name: &str, unit: &'static str, values: &[f64]) {
        self.rows.update(|rows| {
            rows.push(BenchRow {
                name: name.to_owned(),
                unit,
                spread: Spread::of(values),
            })
        });
    }
}

/// The first of the positions that ship with the app.
fn sampled_rows(bytes: &[u8]) -> Result<Vec<Sampled>, String> {
    let text = sampled::text(bytes).map_err(|e| e.to_string())?;
    let pieces = sampled::pieces(&text).map_err(|e| e.to_string())?;
    let rows = pieces
        .into_iter()
        .enumerate()
        .flat_map(|(i, piece)| sampled::read(piece, i));
    Ok(rows.take(FIT_POSITIONS).collect())
}

/// A comment, and how many milliseconds after it was asked for there was something to read.
async fn heard(services: &Services, played: &Played, effort: Effort, wanted: Wanted) -> (Analysis, f64) {
    let first = Rc::new(Cell::new(None));
    let (hears, begun) = (first.clone(), clock::now());
    let on_update = move |update| {
        if let analysis::Update::FromBoard(_) | analysis::Update::Looked { .. } = update
            && hears.get().is_none()
        {
            hears.set(Some(clock::now() - begun));
        }
    };
    let analysis = analysis::analyse(services, played, effort, wanted, None, || false, on_update).await;
    let words = first.get().unwrap_or(analysis.timing.total);
    (analysis, words)
}

fn read(fen: &str, mv: &str) -> Option<Played> {
    let read = read_fen(fen).ok()?;
    let mv = read_move(&read.position, read.mode, mv).ok()?;
    Played::new(read.position, mv, read.mode, Vec::new())
}

fn report(timings: &[Timing], nps: &[f64]) -> Vec<BenchRow> {
    let Some((first, warm)) = timings.split_first() else {
        return Vec::new();
    };
    let row = |name: &str, unit, values: Vec<f64>| BenchRow {
        name: name.to_owned(),
        unit,
        spread: Spread::of(&values),
    };
    let stage = |name: &str, get: fn(&Timing) -> f64| row(name, "ms", warm.iter().map(get).collect());
    let search = |t: &Timing| t.first_look + t.settling;
    vec![
        row("first comment, everything started for it", "ms", vec![first.total]),
        stage("comment, final verdict", |t| t.total),
        stage("first prose", |t| t.total - t.settling),
        stage("engine, first look", |t| t.first_look),
        stage("engine, settling", |t| t.settling),
        stage("Stockfish 8, three positions", |t| t.labels),
        stage("network, two or three positions", |t| t.network),
        stage("facts", |t| t.facts),
        stage("narrator", |t| t.narration),
        row(
            "added to the bare search",
            "%",
            warm.iter().map(|t| (t.total / search(t) - 1.0) * 100.0).collect(),
        ),
        row("engine speed", "nodes/s", nps.get(1..).unwrap_or_default().to_vec()),
    ]
}
