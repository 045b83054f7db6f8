//! The benchmark of the page: the same pipeline, timed.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::preferences::Preferences;
use crate::{
    browser::clock,
    chess::{Played, fen::read_fen, notation::read_move},
    services::analysis::{self, Services, Timing},
    view::bench::{BenchRow, POSITIONS, Spread},
};

/// The benchmark's progress and report.
#[derive(Clone, Copy)]
pub struct Bench {
    services: StoredValue<Services, LocalStorage>,
    preferences: Preferences,
    running: StoredValue<bool>,
    /// Positions done and in all, while it runs.
    pub progress: RwSignal<Option<(usize, usize)>>,
    /// The report so far.
    pub rows: RwSignal<Vec<BenchRow>>,
    /// What could not be measured and why.
    pub problem: RwSignal<Option<String>>,
}

/// Positions labelled to measure Stockfish 8's speed.
const LABELLED: usize = 500;

impl Bench {
    /// Not run yet.
    #[must_use]
    pub fn new(services: StoredValue<Services, LocalStorage>, preferences: Preferences) -> Self {
        Self {
            services,
            preferences,
            running: StoredValue::new(false),
            progress: RwSignal::new(None),
            rows: RwSignal::new(Vec::new()),
            problem: RwSignal::new(None),
        }
    }

    /// Runs it.
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
            this.progress.try_set(None);
        });
    }

    /// Ends it after the position under way.
    pub fn stop(&self) {
        self.running.set_value(false);
        self.services.with_value(|services| services.engine.stop());
    }

    async fn measure(&self) {
        let services = self.services.get_value();
        let settings = self.preferences.get_untracked();
        let (effort, choice) = (settings.effort(), settings.concepts);
        let positions: Vec<Played> = POSITIONS.iter().filter_map(|(fen, mv)| read(fen, mv)).collect();
        let (mut timings, mut nps) = (Vec::new(), Vec::new());
        // The first one pays for starting everything: it is reported apart.
        for round in 0..=positions.len() {
            if self.running.try_get_value() != Some(true) {
                return;
            }
            self.progress.set(Some((round, positions.len() + 1)));
            let played = &positions[round % positions.len()];
            let analysis = analysis::analyse(&services, played, effort, choice, None, |_| ()).await;
            if let Err(error) = &analysis.evaluation {
                self.problem.set(Some(error.to_string()));
                return;
            }
            if let Ok(evaluation) = &analysis.evaluation {
                #[allow(clippy::cast_precision_loss)] // node counts are far below 2^52
                let speed =
                    evaluation.nodes as f64 / (analysis.timing.engine_before + analysis.timing.engine_after) * 1000.0;
                nps.push(speed);
            }
            timings.push(analysis.timing);
            self.rows.set(report(&timings, &nps));
        }
        self.labels(&services, &positions).await;
        self.network(&services, &positions).await;
        if let Some(bytes) = clock::heap_bytes() {
            self.add("memory of the page's JavaScript", "MB", &[bytes / 1e6]);
        }
    }

    async fn labels(&self, services: &Services, positions: &[Played]) {
        let many: Vec<_> = positions
            .iter()
            .cycle()
            .take(LABELLED)
            .map(|p| p.before.clone())
            .collect();
        let start = clock::now();
        match services.labels.evaluate(&many).await {
            #[allow(clippy::cast_precision_loss)] // 500
            Ok(_) => self.add(
                "Stockfish 8 labels",
                "positions/s",
                &[LABELLED as f64 / (clock::now() - start) * 1000.0],
            ),
            Err(error) => self.problem.set(Some(error.to_string())),
        }
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
    let search = |t: &Timing| t.engine_before + t.engine_after;
    vec![
        row("first comment, everything started for it", "ms", vec![first.total]),
        stage("comment", |t| t.total),
        stage("engine before the move", |t| t.engine_before),
        stage("engine after the move", |t| t.engine_after),
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
