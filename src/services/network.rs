//! The Lc0 network in use, in its worker, with the probes that read it. Requests wait for one another; each ends, with a result or with an error that
//! says why. After a crash the worker is thrown away, and the next request starts another with the same network.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    fmt,
    ops::Range,
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use futures_util::lock::Mutex;
use js_sys::{ArrayBuffer, Float32Array};
use shakmaty::{CastlingMode, Chess, Position};
use thiserror::Error;
use wasm_bindgen::JsCast;

use super::{
    net_worker::{NetWorker, NetWorkerError, with_worker},
    preflight::PreflightError,
};
use crate::{
    browser::{
        held_file::{HeldFile, HeldFileError},
        turns,
        worker::WorkerError,
    },
    chess::Played,
    concepts::{
        Concept, ConceptScores, Men, ProbeSet, Rule, Shares, WrongNetwork,
        difference::{Seats, Seen, SeenMove, seats},
    },
    net::{InputFormat, NetworkOutput, network::Description},
    net_worker::protocol::{LoadStage, PositionText, Reply, Request},
};

/// What is being done with a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loading {
    /// The file is fetched; bytes so far, and of how many where the server says.
    Fetching(u64, Option<u64>),
    /// The worker is fetched and started.
    Starting,
    /// The worker reads it or builds the network.
    Network(LoadStage),
}

impl Loading {
    /// How much is done, of how much, and of what: in megabytes or blocks. What has no measure is one thing.
    #[must_use]
    pub fn progress(&self) -> (usize, usize, String) {
        let megabytes = |bytes: u64| usize::try_from(bytes / 1_000_000).unwrap_or(usize::MAX);
        match *self {
            Self::Fetching(done, Some(all)) if megabytes(all) > 1 => {
                let note = "Megabytes of the network are fetched.";
                (megabytes(done), megabytes(all), note.to_owned())
            }
            Self::Network(LoadStage::Reading { done, all }) if megabytes(all) > 1 => {
                let note = "Megabytes of the network’s file are read.";
                (megabytes(done), megabytes(all), note.to_owned())
            }
            Self::Network(LoadStage::Building { done, all }) if all > 1 => {
                (done, all, "Blocks of the network are built.".to_owned())
            }
            Self::Fetching(..) | Self::Starting | Self::Network(_) => (0, 1, self.to_string()),
        }
    }
}

impl fmt::Display for Loading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[allow(clippy::cast_precision_loss)] // a file's size
        let megabytes = |bytes: u64| bytes as f64 / 1e6;
        match self {
            Self::Fetching(done, Some(all)) => {
                write!(
                    f,
                    "Fetching the network: {:.1} of {:.1} MB…",
                    megabytes(*done),
                    megabytes(*all)
                )
            }
            Self::Fetching(done, None) => write!(f, "Fetching the network: {:.1} MB…", megabytes(*done)),
            Self::Starting => f.write_str("Starting the network's worker…"),
            Self::Network(LoadStage::Reading { .. }) => f.write_str("Reading the file…"),
            Self::Network(LoadStage::Building { .. }) => f.write_str("Building the network…"),
        }
    }
}

/// The network cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// The worker's files are not as they must be.
    #[error("The network's worker cannot be loaded: {0}.")]
    Files(PreflightError),
    /// The browser would not start the worker.
    #[error("The network's worker cannot be started: {0}.")]
    Worker(WorkerError),
    /// It failed while at work.
    #[error("The network's worker stopped working: {0}.")]
    Died(String),
    /// It did not answer in time.
    #[error("The network did not answer within {0} seconds.")]
    Silent(u64),
    /// The file is no network that can be run.
    #[error("{name} was not loaded: {reason}.")]
    Refused {
        /// The file's name.
        name: String,
        /// What was found in it.
        reason: String,
    },
    /// The browser could not read the file of the network in use.
    #[error("The network in use can't be had again: {0}. Open its file once more.")]
    File(#[from] HeldFileError),
    /// An evaluation failed.
    #[error("The network could not evaluate this position: {0}.")]
    Failed(String),
    /// A fit of probes failed.
    #[error("The fit failed: {0}.")]
    Fit(String),
    /// There is no network.
    #[error("No network is loaded.")]
    None,
}

impl From<NetWorkerError> for NetworkError {
    fn from(error: NetWorkerError) -> Self {
        match error {
            NetWorkerError::Files(error) => Self::Files(error),
            NetWorkerError::Worker(error) => Self::Worker(error),
            NetWorkerError::Died(reason) => Self::Died(reason),
            NetWorkerError::Silent(seconds) => Self::Silent(seconds),
            NetWorkerError::Message(reason) => Self::Failed(reason),
        }
    }
}

/// What the network says of the positions before and after the move.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkView {
    /// The SHA-256 of the network whose view it is.
    pub network: String,
    /// The probes' decision values of both, each in the frame of the side to move there; `None` when none are in use.
    pub decisions: Option<Box<[Vec<f32>; 2]>>,
    /// Before the move: its probabilities are those of the mover's moves.
    pub before: NetworkOutput,
    /// After it: the opponent's view.
    pub after: NetworkOutput,
}

/// A network as it was given, so that a new worker can be given it again.
#[derive(Debug, Clone)]
struct InUse {
    name: String,
    file: HeldFile,
    description: Description,
    probes: Option<Arc<ProbeSet>>,
}

/// A handle on the one network. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Network {
    in_use: Rc<RefCell<Option<InUse>>>,
    running: Rc<Mutex<Option<NetWorker>>>,
    /// Goes up when the network or its probes change.
    changes: Rc<Cell<u32>>,
    /// The page's first network is on its way.
    awaited: Rc<Cell<bool>>,
}

/// The largest networks take minutes on a slow machine, with progress to be seen and a way to stop.
const LOAD: Duration = Duration::from_secs(900);
/// A position of the largest networks takes a second or two.
const EVALUATION: Duration = Duration::from_secs(60);

impl Network {
    /// Without a network.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A handle on the same network that shares nothing else: it starts a worker of its own, which ends with it.
    #[must_use]
    pub fn apart(&self) -> Self {
        Self {
            in_use: Rc::new(RefCell::new(self.in_use.borrow().clone())),
            ..Self::default()
        }
    }

    /// Whether there is one.
    #[must_use]
    pub fn is_loaded(&self) -> bool {
        self.in_use.borrow().is_some()
    }

    /// Whether there is none yet, but one is on its way.
    #[must_use]
    pub fn is_awaited(&self) -> bool {
        self.awaited.get() && !self.is_loaded()
    }

    /// Says whether one is on its way.
    pub fn set_awaited(&self, awaited: bool) {
        self.awaited.set(awaited);
    }

    /// The SHA-256 of the one in use.
    #[must_use]
    pub fn hash(&self) -> Option<String> {
        self.in_use.borrow().as_ref().map(|n| n.description.sha256.clone())
    }

    /// The file's name of the one in use.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        self.in_use.borrow().as_ref().map(|n| n.name.clone())
    }

    /// The network in use.
    #[must_use]
    pub fn description(&self) -> Option<Description> {
        self.in_use.borrow().as_ref().map(|n| n.description.clone())
    }

    /// The probes in use.
    #[must_use]
    pub fn probes(&self) -> Option<Arc<ProbeSet>> {
        self.in_use.borrow().as_ref().and_then(|n| n.probes.clone())
    }

    /// A number that changes with the network and its probes: what was computed under another one may be out of date.
    #[must_use]
    pub fn changes(&self) -> u32 {
        self.changes.get()
    }

    /// Reads concepts with these probes from now on, or with none. Another network comes without probes.
    ///
    /// # Errors
    /// When they belong to another network than the one in use; the probes in use stay.
    pub fn use_probes(&self, probes: Option<Arc<ProbeSet>>) -> Result<(), WrongNetwork> {
        if let Some(in_use) = self.in_use.borrow_mut().as_mut() {
            if let Some(probes) = &probes {
                probes.check_network(&in_use.description.sha256)?;
            }
            in_use.probes = probes;
        }
        self.changes.set(self.changes.get().wrapping_add(1));
        Ok(())
    }

    /// Puts another network to use. When it is refused, or this future is dropped first, the one in use stays.
    ///
    /// # Errors
    /// When the file is no network that can be run, or the worker cannot be had.
    pub async fn load(
        &self,
        name: &str,
        file: &HeldFile,
        on_stage: impl Fn(Loading),
    ) -> Result<Description, NetworkError> {
        on_stage(Loading::Starting);
        // In a worker of its own: the one in use answers meanwhile, and its memory, which never shrinks, goes with it once this
        // one is in its place; this one's where the file is refused or loading is stopped.
        let mut running = NetWorker::start().await?;
        let description = running.load(name, file, &on_stage).await?;
        let mut slot = self.running.lock().await;
        *slot = Some(running);
        let in_use = InUse {
            name: name.to_owned(),
            file: file.clone(),
            description: description.clone(),
            probes: None,
        };
        self.in_use.replace(Some(in_use));
        self.changes.set(self.changes.get().wrapping_add(1));
        Ok(description)
    }

    /// Has the file of the network in use in another place from now on, such as where it is kept: what a user has opened may
    /// be gone when a new worker needs it.
    pub fn hold(&self, sha256: &str, file: HeldFile) {
        let mut in_use = self.in_use.borrow_mut();
        if let Some(network) = in_use.as_mut().filter(|network| network.description.sha256 == sha256) {
            network.file = file;
        }
    }

    /// The network's view of the positions before and after a move.
    ///
    /// # Errors
    /// When there is no network, or its worker fails.
    pub async fn around(&self, played: &Played) -> Result<NetworkView, NetworkError> {
        let mut history = played.history.clone();
        let before = PositionText::new(&history, &played.before, played.mode);
        history.push(played.before.clone());
        let after = PositionText::new(&history, &played.after, played.mode);
        let positions = [&played.before, &played.after];
        let probes = self.probes();
        let answers = self
            .ask(vec![before, after], &positions, &blocks_of(probes.as_deref()))
            .await?;
        let read = answers.iter().zip(positions).map(|((_, blocks), position)| {
            let probes = probes.as_deref()?;
            Some(read_probes(probes, self.input(), blocks, position))
        });
        let decisions: Option<Vec<Vec<f32>>> = read.collect::<Option<Result<_, _>>>().transpose()?;
        // Nothing runs between the answer and this line, so that it is the network which answered.
        let network = self.hash().ok_or(NetworkError::None)?;
        let mut outputs = answers.into_iter().map(|(output, _)| output);
        match (outputs.next(), outputs.next()) {
            (Some(before), Some(after)) => Ok(NetworkView {
                network,
                before,
                after,
                decisions: decisions.and_then(|both| Some(Box::new(<[_; 2]>::try_from(both).ok()?))),
            }),
            _ => Err(NetworkError::Failed(
                "it answered for fewer positions than were asked".into(),
            )),
        }
    }

    /// How the network in use is shown a board.
    fn input(&self) -> InputFormat {
        let in_use = self.in_use.borrow();
        in_use
            .as_ref()
            .map_or(InputFormat::Classical, |network| network.description.format.input)
    }

    /// The probes' decision values of a position that a move and a reply lead to; `None` when none are in use.
    ///
    /// # Errors
    /// When there is no network, or its worker fails.
    pub async fn after_reply(&self, played: &Played, reply: &Chess) -> Result<Option<Vec<f32>>, NetworkError> {
        let Some(probes) = self.probes() else { return Ok(None) };
        let mut history = played.history.clone();
        history.extend([played.before.clone(), played.after.clone()]);
        let text = PositionText::new(&history, reply, played.mode);
        let answers = self.ask(vec![text], &[reply], &blocks_of(Some(&probes))).await?;
        answers
            .first()
            .map(|(_, blocks)| read_probes(&probes, self.input(), blocks, reply))
            .transpose()
    }

    /// The squares' shares in a concept's score before a move and after it, the mover's view, in the scale of `rule`; `None`
    /// when no probes are in use.
    ///
    /// # Errors
    /// When there is no network, or its worker fails.
    pub async fn score_shares(
        &self,
        played: &Played,
        concept: Concept,
        rule: Rule,
    ) -> Result<Option<[Shares; 2]>, NetworkError> {
        let Some(probes) = self.probes() else { return Ok(None) };
        let positions = [&played.before, &played.after];
        let mut history = played.history.clone();
        let before = PositionText::new(&history, &played.before, played.mode);
        history.push(played.before.clone());
        let after = PositionText::new(&history, &played.after, played.mode);
        let layers = positions.map(|position| probes.layer_of(concept, position.turn()).blocks());
        let blocks: BTreeSet<u8> = layers.into_iter().flatten().copied().collect();
        let blocks: Vec<u8> = blocks.into_iter().collect();
        let answers = self.ask(vec![before, after], &positions, &blocks).await?;
        let mut shares = Vec::with_capacity(positions.len());
        for ((_, blocks), position) in answers.iter().zip(positions) {
            // To take an answer apart is work enough for one turn.
            turns::settled().await;
            let men = Men::seen(self.input(), position);
            let (turn, mover) = (position.turn(), played.mover());
            let of = probes.score_shares((concept, rule), blocks, &men, turn, mover);
            shares.push(of.map_err(|e| NetworkError::Failed(format!("the probes do not fit it: {e}")))?);
        }
        Ok(<[Shares; 2]>::try_from(shares).ok())
    }

    /// The probes' standardised scores along a line of positions, of those in `range`; `None` when no probes are in use.
    ///
    /// # Errors
    /// When there is no network, or its worker fails.
    pub async fn scores_along(
        &self,
        line: &[Chess],
        range: Range<usize>,
        mode: CastlingMode,
    ) -> Result<Option<Vec<ConceptScores>>, NetworkError> {
        let Some(probes) = self.probes() else { return Ok(None) };
        let positions: Vec<&Chess> = line[range.clone()].iter().collect();
        let texts = range.map(|i| PositionText::new(&line[..i], &line[i], mode)).collect();
        let layers = probes.layers().into_iter().flat_map(|layer| layer.blocks());
        let blocks: BTreeSet<u8> = layers.copied().collect();
        let blocks: Vec<u8> = blocks.into_iter().collect();
        let answers = self.ask(texts, &positions, &blocks).await?;
        let mut scores = Vec::with_capacity(positions.len());
        for ((_, blocks), position) in answers.iter().zip(positions) {
            turns::settled().await;
            let decisions = read_probes(&probes, self.input(), blocks, position)?;
            scores.push(probes.scores_of(Rule::Ours, &decisions, position.turn()));
        }
        Ok(Some(scores))
    }

    /// A move as the probes of changes read it, with the position that a reply leads to where one is expected; `None` when
    /// none are in use.
    ///
    /// # Errors
    /// When there is no network, or its worker fails.
    pub async fn seen_move(&self, played: &Played, reply: Option<&Chess>) -> Result<Option<SeenMove>, NetworkError> {
        let Some(probes) = self.probes() else { return Ok(None) };
        let Some(changes) = probes.changes() else {
            return Ok(None);
        };
        let mover = played.mover();
        let boards: Vec<&Chess> = [Some(&played.before), Some(&played.after), reply]
            .into_iter()
            .flatten()
            .collect();
        let both = |board: &&Chess| [mover, !mover].map(|us| PositionText::from_seat(board, us, played.mode));
        let texts = boards.iter().flat_map(both).collect();
        let positions: Vec<&Chess> = boards.iter().flat_map(|board| [*board; 2]).collect();
        let answers = self.ask(texts, &positions, changes.blocks()).await?;
        // To take the answer apart was work enough for one turn.
        turns::settled().await;
        let mut blocks = answers.into_iter().map(|(_, blocks)| blocks);
        let input = self.input();
        let mut seats = |board: &Chess| {
            let [mover, opponent] = seats::planes(input, board, mover).map(|planes| Men::on(&planes));
            let mut seen = |men| {
                Some(Seen {
                    activations: blocks.next()?,
                    men,
                })
            };
            Some(Seats {
                mover: seen(mover)?,
                opponent: seen(opponent)?,
            })
        };
        let read: Option<Vec<Seats>> = boards.iter().map(|board| seats(board)).collect();
        let mut read = read.unwrap_or_default().into_iter();
        let (Some(before), Some(after), settled) = (read.next(), read.next(), read.next()) else {
            return Err(NetworkError::Failed(
                "it answered for fewer positions than were asked".into(),
            ));
        };
        SeenMove::read(Arc::clone(&probes), before, after, settled.as_ref(), mover)
            .map_err(|e| NetworkError::Failed(format!("the probes do not fit it: {e}")))
    }

    /// The network's view of bare positions.
    ///
    /// # Errors
    /// When there is no network, or its worker fails.
    pub async fn evaluate(&self, positions: &[&Chess], mode: CastlingMode) -> Result<Vec<NetworkOutput>, NetworkError> {
        self.evaluate_reached(&[], positions, mode).await
    }

    /// The network's view of positions that were all reached through `history`, oldest first.
    ///
    /// # Errors
    /// When there is no network, or its worker fails.
    pub async fn evaluate_reached(
        &self,
        history: &[Chess],
        positions: &[&Chess],
        mode: CastlingMode,
    ) -> Result<Vec<NetworkOutput>, NetworkError> {
        let texts = positions.iter().map(|p| PositionText::new(history, p, mode)).collect();
        let answers = self.ask(texts, positions, &[]).await?;
        Ok(answers.into_iter().map(|(output, _)| output).collect())
    }

    /// Every block's activations of a bare position, the first block's first.
    ///
    /// # Errors
    /// When there is no network, or its worker fails.
    pub async fn activations(&self, position: &Chess) -> Result<Vec<Vec<f32>>, NetworkError> {
        let blocks = self.description().map_or(0, |description| description.blocks);
        let all: Vec<u8> = (1..=u8::try_from(blocks).unwrap_or(u8::MAX)).collect();
        let text = PositionText::new(&[], position, CastlingMode::Standard);
        let answers = self.ask(vec![text], &[position], &all).await?;
        let first = answers.into_iter().next();
        first
            .map(|(_, activations)| activations)
            .ok_or_else(|| NetworkError::Failed("it answered for fewer positions than were asked".into()))
    }

    /// The outputs, and the activations of `blocks`; the others are empty.
    async fn ask(
        &self,
        texts: Vec<PositionText>,
        positions: &[&Chess],
        blocks: &[u8],
    ) -> Result<Vec<Answer>, NetworkError> {
        let evaluate = async |running: &mut NetWorker| running.evaluate(texts.clone(), positions, blocks).await;
        match self.with_worker(evaluate).await {
            // It may have died long ago, with nobody asking: another one is asked once.
            Err(NetworkError::Died(_)) => self.with_worker(evaluate).await,
            result => result,
        }
    }

    /// The file of the network in use, whole, to be handed to the worker again.
    ///
    /// # Errors
    /// When there is no network, or its file cannot be read.
    pub(super) async fn file(&self) -> Result<ArrayBuffer, NetworkError> {
        let file = self.in_use.borrow().as_ref().map(|network| network.file.clone());
        Ok(file.ok_or(NetworkError::None)?.buffer().await?)
    }

    /// Does something with the worker, which is started if need be and has the network in use. After an error that is
    /// more than a failed request it is thrown away.
    pub(super) async fn with_worker<T>(
        &self,
        work: impl AsyncFnOnce(&mut NetWorker) -> Result<T, NetworkError>,
    ) -> Result<T, NetworkError> {
        with_worker(
            &self.running,
            || self.in_use.borrow().clone().ok_or(NetworkError::None),
            async |running, in_use| {
                let loaded = running.load(&in_use.name, &in_use.file, &|_| ()).await;
                loaded.map(|_| ())
            },
            work,
            |error| matches!(error, NetworkError::Failed(_) | NetworkError::Fit(_)),
        )
        .await
    }

    /// Ends the worker, which gives its memory back; the next request starts another with the same network.
    pub(super) async fn restart(&self) {
        self.running.lock().await.take();
    }
}

/// What the network says of a position, and its blocks' activations, the first block's first.
type Answer = (NetworkOutput, Vec<Vec<f32>>);

/// The blocks that probes of positions read.
fn blocks_of(probes: Option<&ProbeSet>) -> Vec<u8> {
    probes
        .map(|probes| probes.blocks().into_iter().collect())
        .unwrap_or_default()
}

fn read_probes(
    probes: &ProbeSet,
    input: InputFormat,
    blocks: &[Vec<f32>],
    position: &Chess,
) -> Result<Vec<f32>, NetworkError> {
    probes
        .decisions(blocks, &Men::seen(input, position))
        .map_err(|e| NetworkError::Failed(format!("the probes do not fit it: {e}")))
}

impl NetWorker {
    async fn load(
        &mut self,
        name: &str,
        file: &HeldFile,
        on_stage: &impl Fn(Loading),
    ) -> Result<Description, NetworkError> {
        let id = self.id();
        self.post_file(
            &Request::Load {
                id,
                name: name.to_owned(),
            },
            file,
        )?;
        let refused = |reason| NetworkError::Refused {
            name: name.to_owned(),
            reason,
        };
        self.until(LOAD, |reply, _| match reply {
            Reply::Loading { id: of, stage } if of == id => {
                on_stage(Loading::Network(stage));
                None
            }
            Reply::Loaded { id: of, network, .. } if of == id => Some(Ok(network)),
            Reply::Refused { id: of, reason } if of == id => Some(Err(refused(reason))),
            Reply::Failed { id: None, reason } => Some(Err(NetworkError::Died(reason))),
            _ => None,
        })
        .await?
    }

    async fn evaluate(
        &mut self,
        texts: Vec<PositionText>,
        positions: &[&Chess],
        blocks: &[u8],
    ) -> Result<Vec<Answer>, NetworkError> {
        let id = self.id();
        let limit = EVALUATION * u32::try_from(texts.len().max(1)).unwrap_or(u32::MAX);
        let wanted = blocks.to_vec();
        self.post(
            &Request::Evaluate {
                id,
                positions: texts,
                blocks: wanted,
            },
            None,
        )?;
        self.until(limit, |reply, data| match reply {
            Reply::Evaluated {
                id: of,
                activations,
                outputs,
                ..
            } if of == id => {
                let floats = data
                    .dyn_ref::<Float32Array>()
                    .map(Float32Array::to_vec)
                    .unwrap_or_default();
                let each = activations * blocks.len();
                let joined: Option<Vec<Answer>> = outputs
                    .into_iter()
                    .zip(positions)
                    .enumerate()
                    .map(|(i, (output, position))| {
                        let own = floats.get(i * each..(i + 1) * each)?;
                        Some((output.join(position, Vec::new())?, placed(own, activations, blocks)))
                    })
                    .collect();
                let other = || NetworkError::Failed("its answer is for another position".into());
                Some(joined.filter(|all| all.len() == positions.len()).ok_or_else(other))
            }
            Reply::Failed { id: Some(of), reason } if of == id => Some(Err(NetworkError::Failed(reason))),
            Reply::Failed { id: None, reason } => Some(Err(NetworkError::Died(reason))),
            _ => None,
        })
        .await?
    }
}

/// Each wanted block's activations at its place among all of them; the others stay empty.
fn placed(activations: &[f32], width: usize, blocks: &[u8]) -> Vec<Vec<f32>> {
    let all = blocks.iter().copied().max().unwrap_or_default();
    let mut placed = vec![Vec::new(); usize::from(all)];
    for (&block, own) in blocks.iter().zip(activations.chunks(width.max(1))) {
        if let Some(place) = usize::from(block).checked_sub(1).and_then(|i| placed.get_mut(i)) {
            *place = own.to_vec();
        }
    }
    placed
}
