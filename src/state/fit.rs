//! Fitting probes for the network in use: positions are read, labelled, evaluated and learnt from, stage by stage. What
//! is done is kept, so that after a stop or a reload it is not done again.

use leptos::prelude::*;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen, uci::UciMove};
use thiserror::Error;
use wasm_bindgen_futures::spawn_local;

use super::probes::ProbesState;
use crate::{
    browser::{clock, files::FileBytes},
    concepts::{
        Concept, Control, Probe, ProbeSet,
        concept::frame_name,
        difference::ChangeProbes,
        fit::Fitted,
        fitting::Refused,
        sampled::{self, NoPositions, Sampled},
    },
    net::network::Description,
    net_worker::protocol::{MoveRow, Row},
    services::{
        analysis::Services,
        labels::LabelsError,
        network::NetworkError,
        paths,
        saved::{self, Begun, Besides, Outcome},
        shipped,
    },
    view::fit::{FitStage, Progress, concept_label, duration, grouped, pace},
};

/// Which positions to fit on.
#[derive(Debug, Clone)]
pub enum Source {
    /// Those that ship with the app.
    Shipped,
    /// A file of the user's.
    File(FileBytes),
}

/// A fit ended without probes.
#[derive(Debug, Error)]
enum FitError {
    #[error("There is no network to fit probes for.")]
    NoNetwork,
    #[error("The positions cannot be fetched: {0}.")]
    Fetch(String),
    #[error("{name} cannot be used: {reason}.")]
    Positions { name: String, reason: NoPositions },
    #[error("{name} has only {found} usable positions; at least {LEAST} are needed.")]
    TooFew { name: String, found: usize },
    #[error(transparent)]
    Labels(#[from] LabelsError),
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error("Another network has come into use. Its probes were not touched.")]
    Changed,
    #[error("There are enough labels for {0} of the 21 concepts only: more positions are needed.")]
    Incomplete(usize),
    #[error("The fit ended without a set of probes: {0}.")]
    NoSet(String),
    /// The user asked for it.
    #[error("Stopped.")]
    Stopped,
}

impl FitError {
    /// True where going on would come to the same end.
    const fn is_final(&self) -> bool {
        matches!(
            self,
            Self::Positions { .. } | Self::TooFew { .. } | Self::Incomplete(_) | Self::NoSet(_)
        )
    }
}

/// The fewest positions on which fitting is of any use.
const LEAST: usize = 200;
/// Of the 21 concepts, the fewest that make a set of any use.
const ENOUGH: usize = 11;
/// The most that are used, whatever the memory.
const MOST_POSITIONS: usize = 20_000;
/// Bytes of activations that the worker may hold: what a browser gives a page without trouble.
const MEMORY: usize = 1_200_000_000;
/// Positions labelled between two looks at the clock.
const BATCH: usize = 16;
/// Positions in a chunk of kept labels.
const CHUNK: usize = 480;
/// Milliseconds of fitting between which other requests are answered.
const TURN: u32 = 200;
/// Milliseconds of reading between which the browser draws.
const SLICE: f64 = 12.0;

/// A fit of probes.
#[derive(Clone, Copy)]
pub struct FitState {
    services: StoredValue<Services, LocalStorage>,
    probes: ProbesState,
    /// Goes up when a fit begins and when it is to stop.
    generation: StoredValue<u64>,
    /// Its stages that are over.
    past: StoredValue<Vec<Progress>>,
    /// The stages of the running one.
    pub stages: RwSignal<Vec<FitStage>>,
    /// How far it is.
    pub progress: RwSignal<Option<Progress>>,
    /// What was said last: that it stopped, that it is done.
    pub notice: RwSignal<Option<String>>,
    /// Why the last one failed. What it had done is kept.
    pub problem: RwSignal<Option<String>>,
    /// Whether its parts are kept in this browser.
    pub kept: RwSignal<bool>,
    /// A fit for the network in use that can be gone on with.
    pub begun: RwSignal<Option<Begun>>,
}

/// The positions that ship with the app, by this name.
const SHIPPED: &str = "the app's positions";

impl FitState {
    /// Nothing under way.
    #[must_use]
    pub fn new(services: Services, probes: ProbesState) -> Self {
        Self {
            services: StoredValue::new_local(services),
            probes,
            generation: StoredValue::new(0),
            past: StoredValue::new(Vec::new()),
            stages: RwSignal::new(Vec::new()),
            progress: RwSignal::new(None),
            notice: RwSignal::new(None),
            problem: RwSignal::new(None),
            kept: RwSignal::new(true),
            begun: RwSignal::new(None),
        }
    }

    /// The most positions that a fit for this network can use.
    #[must_use]
    pub fn most(network: &Description) -> usize {
        let each = network.blocks * network.filters * 64 * 2;
        (MEMORY / each.max(1)).clamp(LEAST, MOST_POSITIONS)
    }

    /// Looks whether a fit for the network in use can be gone on with.
    pub fn look(&self) {
        let this = *self;
        spawn_local(async move {
            if this.progress.get_untracked().is_some() {
                return;
            }
            let network = this.services.with_value(|s| s.network.description());
            let found = match network {
                Some(network) => saved::find_fit(&network.sha256).await,
                None => None,
            };
            this.begun.set(found);
        });
    }

    /// Begins a fit on up to `count` positions; what is left of another one is forgotten.
    pub fn start(&self, source: Source, count: usize, besides: Besides) {
        let this = *self;
        self.run(besides.clone(), async move |generation, network| {
            let (name, rows) = this.read(generation, source, count).await?;
            let begun = Begun {
                source: name,
                positions: rows.len(),
                besides: besides.clone(),
            };
            let text = sampled::write(&rows);
            this.kept
                .set(saved::begin_fit(&network.sha256, &begun, &text).await.is_ok());
            this.begun.set(Some(begun));
            this.fit(generation, &network, rows, &besides).await
        });
    }

    /// Goes on with the fit that was stopped.
    pub fn resume(&self) {
        let this = *self;
        let besides = self
            .begun
            .get_untracked()
            .map(|begun| begun.besides)
            .unwrap_or_default();
        self.run(besides.clone(), async move |generation, network| {
            let text = saved::fit_positions(&network.sha256).await.unwrap_or_default();
            let rows = this.rows(generation, &text, SHIPPED, usize::MAX).await?;
            this.fit(generation, &network, rows, &besides).await
        });
    }

    /// Stops the running fit; what is done is kept.
    pub fn stop(&self) {
        self.generation.update_value(|g| *g += 1);
    }

    /// Forgets a fit that was stopped.
    pub fn discard(&self) {
        let this = *self;
        self.begun.set(None);
        self.notice.set(None);
        if let Some(network) = self.services.with_value(|s| s.network.description()) {
            spawn_local(async move {
                saved::forget_fit(&network.sha256).await;
                this.look();
            });
        }
    }

    fn run(
        &self,
        besides: Besides,
        work: impl AsyncFnOnce(u64, Description) -> Result<(ProbeSet, Option<String>), FitError> + 'static,
    ) {
        if self.progress.get_untracked().is_some() {
            return;
        }
        let this = *self;
        self.generation.update_value(|g| *g += 1);
        let generation = self.generation.get_value();
        self.problem.set(None);
        self.notice.set(None);
        self.past.set_value(Vec::new());
        self.stages.set(FitStage::of(&besides.controls, besides.changes));
        self.enter(Progress::begin(FitStage::Reading, 0, 0));
        spawn_local(async move {
            let services = this.services.get_value();
            let start = clock::now();
            let result = match services.network.description() {
                Some(network) => work(generation, network).await,
                None => Err(FitError::NoNetwork),
            };
            services.network.end_fit().await;
            match result {
                Ok((set, remark)) => {
                    let hash = set.network().to_owned();
                    clock::yield_to_browser().await;
                    this.probes.adopt(set).await;
                    saved::forget_fit(&hash).await;
                    this.begun.set(None);
                    let took = duration((clock::now() - start) / 1000.0);
                    let mut stages = this.past.get_value();
                    stages.extend(this.progress.get_untracked());
                    let pace = pace(&stages);
                    let remark = remark.map_or_else(String::new, |remark| format!(" {remark}"));
                    this.notice.set(Some(format!(
                        "The probes are fitted and in use. It took {took}: {pace}.{remark}"
                    )));
                }
                Err(FitError::Stopped) => this
                    .notice
                    .set(Some("Stopped. What was done is kept: go on whenever you like.".into())),
                Err(error) => {
                    if let (true, Some(network)) = (error.is_final(), services.network.description()) {
                        saved::forget_fit(&network.sha256).await;
                    }
                    this.problem.set(Some(error.to_string()));
                }
            }
            this.progress.set(None);
            this.look();
        });
    }

    fn check(&self, generation: u64) -> Result<(), FitError> {
        match self.generation.try_get_value() {
            Some(now) if now == generation => Ok(()),
            _ => Err(FitError::Stopped),
        }
    }

    /// Goes over to another stage.
    fn enter(&self, next: Progress) {
        let past = self.progress.try_update(|now| now.replace(next)).flatten();
        self.past.update_value(|all| all.extend(past));
    }

    fn advance(&self, done: usize, since: f64, concept: Option<String>) {
        self.progress.update(|progress| {
            if let Some(progress) = progress {
                progress.done = done;
                progress.spent = clock::now() - since;
                progress.concept = concept;
            }
        });
    }

    async fn read(&self, generation: u64, source: Source, count: usize) -> Result<(String, Vec<Sampled>), FitError> {
        let (name, bytes) = match source {
            Source::File(file) => (file.name, file.bytes),
            Source::Shipped => {
                let bytes = shipped::fetch(&paths::positions(), |_, _| ()).await;
                (SHIPPED.to_owned(), bytes.map_err(|e| FitError::Fetch(e.to_string()))?)
            }
        };
        clock::yield_to_browser().await;
        let text = sampled::text(&bytes);
        let text = text.map_err(|reason| FitError::Positions {
            name: name.clone(),
            reason,
        })?;
        let rows = self.rows(generation, &text, &name, count).await?;
        if rows.len() < LEAST {
            return Err(FitError::TooFew {
                name,
                found: rows.len(),
            });
        }
        Ok((name, rows))
    }

    /// The first `count` positions of a text.
    async fn rows(&self, generation: u64, text: &str, name: &str, count: usize) -> Result<Vec<Sampled>, FitError> {
        let pieces = sampled::pieces(text).map_err(|reason| FitError::Positions {
            name: name.to_owned(),
            reason,
        })?;
        self.enter(Progress::begin(FitStage::Reading, 0, 0));
        let (begun, mut since) = (clock::now(), clock::now());
        let mut rows: Vec<Sampled> = Vec::new();
        for (i, piece) in pieces.into_iter().enumerate() {
            rows.extend(sampled::read(piece, i));
            if rows.len() >= count {
                break;
            }
            if clock::now() - since > SLICE {
                self.check(generation)?;
                self.advance(rows.len(), begun, None);
                clock::yield_to_browser().await;
                since = clock::now();
            }
        }
        rows.truncate(count);
        Ok(rows)
    }

    /// The whole of it. What is said besides: why there are no probes of changes.
    async fn fit(
        &self,
        generation: u64,
        network: &Description,
        rows: Vec<Sampled>,
        besides: &Besides,
    ) -> Result<(ProbeSet, Option<String>), FitError> {
        let hash = &network.sha256;
        // What was written from a position is one.
        let labels = self
            .label(generation, hash, FitStage::Labelling, rows.len(), |i| {
                position(&rows[i].fen)
            })
            .await?;
        let rows: Vec<Row> = rows
            .into_iter()
            .zip(labels)
            .map(|(Sampled { game, fen }, labels)| Row { game, fen, labels })
            .collect();
        let moves = match saved::find_moves(hash).await {
            Some(moves) if self.is_learnt(hash, None).await => moves,
            _ => {
                let moves = self.gather(generation, hash, &rows, None).await?;
                if saved::keep_moves(hash, &moves).await.is_err() {
                    self.kept.set(false);
                }
                moves
            }
        };
        let (mut fitted, refused) = self.learn(generation, hash, None).await?;
        if fitted.len() < ENOUGH {
            return Err(FitError::Incomplete(fitted.len()));
        }
        for &control in &besides.controls {
            if !self.is_learnt(hash, Some(control)).await {
                self.gather(generation, hash, &rows, Some(control)).await?;
            }
            let (of_control, _) = self.learn(generation, hash, Some(control)).await?;
            for one in &mut fitted {
                let card = &mut one.probe.card;
                let found = of_control.iter().find(|other| other.probe.card.name == card.name);
                if let Some(other) = found {
                    card.controls.set(control, other.probe.card.accuracy);
                }
            }
        }
        let set = set_of(network, fitted, &refused)?;
        if !besides.changes {
            return Ok((set, None));
        }
        match self.changes(generation, network, rows, &moves).await {
            Ok(changes) => {
                let whole = set.with_changes(*changes).map_err(|e| FitError::NoSet(e.to_string()))?;
                Ok((whole, None))
            }
            // The probes of positions are there all the same.
            Err(FitError::Network(NetworkError::Fit(reason))) => {
                Ok((set, Some(format!("There are no probes of changes: {reason}."))))
            }
            Err(error) => Err(error),
        }
    }

    /// The 21 concepts of each position as Stockfish 8 gives them, taken up where an earlier visit left off. `name`: under
    /// which they are kept.
    async fn label(
        &self,
        generation: u64,
        name: &str,
        stage: FitStage,
        count: usize,
        board: impl Fn(usize) -> Option<Chess>,
    ) -> Result<Vec<Option<Vec<f32>>>, FitError> {
        let services = self.services.get_value();
        let mut labels: Vec<Option<Vec<f32>>> = Vec::with_capacity(count);
        let mut chunk = 0;
        while labels.len() < count {
            match saved::find_labels(name, chunk).await {
                Some(found) => labels.extend(found),
                None => break,
            }
            chunk += 1;
        }
        labels.truncate(count);
        self.enter(Progress::begin(stage, count, labels.len()));
        let begun = clock::now();
        let mut fresh = Vec::new();
        while labels.len() + fresh.len() < count {
            self.check(generation)?;
            let from = labels.len() + fresh.len();
            let boards: Vec<Chess> = (from..(from + BATCH).min(count)).filter_map(&board).collect();
            if boards.is_empty() {
                break;
            }
            for eval in services.labels.evaluate(&boards).await? {
                fresh.push(eval.labels());
            }
            if fresh.len() >= CHUNK {
                self.keep_labels(name, &mut chunk, &mut fresh, &mut labels).await;
            }
            self.advance(labels.len() + fresh.len(), begun, None);
        }
        self.keep_labels(name, &mut chunk, &mut fresh, &mut labels).await;
        Ok(labels)
    }

    async fn keep_labels(
        &self,
        hash: &str,
        chunk: &mut usize,
        fresh: &mut Vec<Option<Vec<f32>>>,
        all: &mut Vec<Option<Vec<f32>>>,
    ) {
        if fresh.is_empty() {
            return;
        }
        if saved::keep_labels(hash, *chunk, fresh).await.is_err() {
            self.kept.set(false);
        }
        *chunk += 1;
        all.append(fresh);
    }

    /// Runs the network, or what a control reads in its place, on the positions; the activations stay with it. Gives the
    /// network's first moves.
    async fn gather(
        &self,
        generation: u64,
        hash: &str,
        rows: &[Row],
        control: Option<Control>,
    ) -> Result<Vec<Option<String>>, FitError> {
        let services = self.services.get_value();
        let stage = control.map_or(FitStage::Evaluating, FitStage::EvaluatingControl);
        self.enter(Progress::begin(stage, rows.len(), 0));
        let begun = clock::now();
        let mut moves = Vec::with_capacity(rows.len());
        for batch in rows.chunks(BATCH) {
            self.check(generation)?;
            let afresh = moves.is_empty();
            let mut gathered = services.network.gather(batch.to_vec(), control, afresh).await?;
            if gathered.network != hash {
                return Err(FitError::Changed);
            }
            gathered.moves.resize(batch.len(), None);
            moves.append(&mut gathered.moves);
            self.advance(moves.len(), begun, None);
            // A comment that waits for the network goes first.
            clock::yield_to_browser().await;
        }
        Ok(moves)
    }

    /// Whether every concept was fitted or given up at an earlier visit.
    async fn is_learnt(&self, hash: &str, control: Option<Control>) -> bool {
        let last = Concept::ALL.len() - 1;
        saved::find_outcome(&saved::of_control(hash, control), last)
            .await
            .is_some()
    }

    /// Fits concept after concept, taken up where an earlier visit left off.
    async fn learn(
        &self,
        generation: u64,
        hash: &str,
        control: Option<Control>,
    ) -> Result<(Vec<Fitted>, Vec<Refused>), FitError> {
        let services = self.services.get_value();
        let name = saved::of_control(hash, control);
        let (mut fitted, mut refused): (Vec<Fitted>, Vec<Refused>) = (Vec::new(), Vec::new());
        while let Some(outcome) = saved::find_outcome(&name, fitted.len() + refused.len()).await {
            match outcome {
                Outcome::Fitted(one) => fitted.push(*one),
                Outcome::Refused(one) => refused.push(one),
            }
        }
        if fitted.len() + refused.len() >= Concept::ALL.len() {
            return Ok((fitted, refused));
        }
        let stage = control.map_or(FitStage::Fitting, FitStage::FittingControl);
        self.enter(Progress::begin(stage, 0, 0));
        let begun = clock::now();
        let mut turn = services.network.begin_fit(fitted.clone(), refused.clone()).await?;
        self.enter(Progress::begin(stage, turn.total, turn.done));
        loop {
            for one in turn.fitted {
                // Each is some 50 kB of text; the answer has just been read.
                clock::yield_to_browser().await;
                let outcome = Outcome::Fitted(Box::new(one.clone()));
                self.keep_outcome(&name, fitted.len() + refused.len(), &outcome).await;
                fitted.push(one);
            }
            for one in turn.refused {
                self.keep_outcome(&name, fitted.len() + refused.len(), &Outcome::Refused(one.clone()))
                    .await;
                refused.push(one);
            }
            let Some(concept) = turn.concept else { break };
            self.advance(turn.done, begun, Some(concept_label(&concept)));
            self.go_on(generation, hash)?;
            // A comment that waits for the network goes first.
            clock::yield_to_browser().await;
            turn = services.network.fit_turn(TURN).await?;
        }
        Ok((fitted, refused))
    }

    /// Checks that the fit is not to stop, and that its network is still in use.
    fn go_on(&self, generation: u64, hash: &str) -> Result<(), FitError> {
        self.check(generation)?;
        let now = self.services.with_value(|services| services.network.hash());
        if now.as_deref() == Some(hash) {
            Ok(())
        } else {
            Err(FitError::Changed)
        }
    }

    /// Probes of changes, on the network's first moves in the positions.
    async fn changes(
        &self,
        generation: u64,
        network: &Description,
        rows: Vec<Row>,
        moves: &[Option<String>],
    ) -> Result<Box<ChangeProbes>, FitError> {
        let services = self.services.get_value();
        let hash = &network.sha256;
        let played: Vec<(Row, String)> = rows
            .into_iter()
            .zip(moves)
            .filter(|(row, _)| row.labels.is_some())
            .filter_map(|(row, mv)| Some((row, mv.clone()?)))
            .collect();
        let after = |i: usize| {
            let (row, mv) = &played[i];
            let before = position(&row.fen)?;
            let mv = mv.parse::<UciMove>().ok()?.to_move(&before).ok()?;
            before.play(mv).ok()
        };
        let name = saved::of_moves(hash);
        let labels = self
            .label(generation, &name, FitStage::LabellingMoves, played.len(), after)
            .await?;
        let rows: Vec<MoveRow> = played
            .into_iter()
            .zip(labels)
            .filter_map(|((row, mv), after)| {
                Some(MoveRow {
                    game: row.game,
                    fen: row.fen,
                    mv,
                    labels: [row.labels?, after?],
                })
            })
            .collect();
        self.enter(Progress::begin(FitStage::EvaluatingMoves, rows.len(), 0));
        let (begun, mut done) = (clock::now(), 0);
        for batch in rows.chunks(BATCH) {
            self.go_on(generation, hash)?;
            let of = services.network.gather_moves(batch.to_vec(), done == 0).await?;
            if of != *hash {
                return Err(FitError::Changed);
            }
            done += batch.len();
            self.advance(done, begun, None);
            clock::yield_to_browser().await;
        }
        self.enter(Progress::begin(FitStage::FittingChanges, 0, 0));
        let begun = clock::now();
        loop {
            self.go_on(generation, hash)?;
            let (done, total, probes) = services.network.fit_changes(TURN).await?;
            self.progress.update(|now| {
                if let Some(now) = now {
                    now.total = total;
                }
            });
            self.advance(done, begun, None);
            if let Some(probes) = probes {
                let checked = probes.checked().map_err(|e| FitError::NoSet(e.to_string()))?;
                return Ok(Box::new(checked));
            }
            clock::yield_to_browser().await;
        }
    }

    async fn keep_outcome(&self, hash: &str, number: usize, outcome: &Outcome) {
        if saved::keep_outcome(hash, number, outcome).await.is_err() {
            self.kept.set(false);
        }
    }
}

/// The probes as a set, those of concepts that were given up silent.
fn set_of(network: &Description, fitted: Vec<Fitted>, refused: &[Refused]) -> Result<ProbeSet, FitError> {
    let mut probes: Vec<Probe> = fitted.into_iter().map(|one| one.probe).collect();
    let seed = probes.first().map_or(0, |probe| probe.card.seed);
    let width = network.filters * 64;
    let silent = |one: &Refused| Probe::silent(&one.name, &one.reason, seed, width);
    probes.extend(refused.iter().map(silent));
    let place = |probe: &Probe| Concept::ALL.iter().position(|c| frame_name(*c) == probe.card.name);
    probes.sort_by_key(|probe| place(probe).unwrap_or(usize::MAX));
    ProbeSet::new(&network.sha256, network.filters, probes).map_err(|e| FitError::NoSet(e.to_string()))
}

/// What a stopped fit is called.
#[must_use]
pub fn title(begun: &Begun) -> String {
    format!("{} positions from {}", grouped(begun.positions), begun.source)
}

/// The position that a line of a file stands for.
pub(super) fn position(fen: &str) -> Option<Chess> {
    fen.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok()
}
