//! The user's Lc0 network in its worker. Requests wait for one another; each ends, with a result or with an error that
//! says why. After a crash the worker is thrown away, and the next request starts another with the same network.

use std::{cell::RefCell, fmt, rc::Rc, time::Duration};

use futures_channel::mpsc::UnboundedReceiver;
use futures_util::{StreamExt, lock::Mutex};
use js_sys::{ArrayBuffer, Float32Array, Object, Reflect, Uint8Array};
use shakmaty::{CastlingMode, Chess};
use thiserror::Error;
use wasm_bindgen::{JsCast, JsValue};

use super::{
    paths,
    preflight::{self, FileType, PreflightError},
};
use crate::{
    browser::{
        clock,
        worker::{Script, Worker, WorkerError, WorkerEvent},
    },
    chess::Played,
    net::{
        NetworkOutput,
        network::Description,
        protocol::{PositionText, Reply, Request, Stage},
    },
};

/// What is being done with a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loading {
    /// The worker is fetched and started.
    Starting,
    /// The worker is at this stage.
    Network(Stage),
}

impl fmt::Display for Loading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Starting => "Starting the network's worker…",
            Self::Network(Stage::Reading) => "Reading the file…",
            Self::Network(Stage::Building) => "Building the network…",
        })
    }
}

/// The network cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// The worker's files are not as they must be.
    #[error("The network's worker cannot be loaded: {0}.")]
    Files(#[from] PreflightError),
    /// The browser would not start the worker.
    #[error("The network's worker cannot be started: {0}.")]
    Worker(#[from] WorkerError),
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
    /// An evaluation failed.
    #[error("The network could not evaluate this position: {0}.")]
    Failed(String),
    /// There is no network.
    #[error("No network is loaded.")]
    None,
}

/// What the network says of the positions before and after the move.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkView {
    /// Before the move: its probabilities are those of the mover's moves.
    pub before: NetworkOutput,
    /// After it: the opponent's view.
    pub after: NetworkOutput,
}

/// A network as it was given, so that a new worker can be given it again.
#[derive(Debug, Clone)]
struct InUse {
    name: String,
    bytes: Rc<Vec<u8>>,
    description: Description,
}

/// A handle on the one network. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Network {
    in_use: Rc<RefCell<Option<InUse>>>,
    running: Rc<Mutex<Option<Running>>>,
}

#[derive(Debug)]
struct Running {
    worker: Worker,
    events: UnboundedReceiver<WorkerEvent>,
    next_id: u32,
}

/// Fetching is over by then; compiling 10 MB of WebAssembly on a slow machine is what takes time.
const START: Duration = Duration::from_secs(60);
/// The largest networks take a minute to build.
const LOAD: Duration = Duration::from_secs(180);
/// A position of the largest networks takes a second or two.
const EVALUATION: Duration = Duration::from_secs(60);

impl Network {
    /// Without a network.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there is one.
    #[must_use]
    pub fn is_loaded(&self) -> bool {
        self.in_use.borrow().is_some()
    }

    /// The SHA-256 of the one in use.
    #[must_use]
    pub fn hash(&self) -> Option<String> {
        self.in_use.borrow().as_ref().map(|n| n.description.sha256.clone())
    }

    /// Does without a network again.
    pub fn unload(&self) {
        self.in_use.replace(None);
        if let Some(mut slot) = self.running.try_lock() {
            slot.take();
        }
    }

    /// Puts another network to use. When it is refused, the one in use stays.
    ///
    /// # Errors
    /// When the file is no network that can be run, or the worker cannot be had.
    pub async fn load(
        &self,
        name: &str,
        bytes: &[u8],
        on_stage: impl Fn(Loading),
    ) -> Result<Description, NetworkError> {
        let mut slot = self.running.lock().await;
        on_stage(Loading::Starting);
        let mut running = match slot.take() {
            Some(running) => running,
            None => Running::start().await?,
        };
        let result = running.load(name, bytes, &on_stage).await;
        match result {
            Ok(description) => {
                *slot = Some(running);
                let in_use = InUse {
                    name: name.to_owned(),
                    bytes: Rc::new(bytes.to_vec()),
                    description,
                };
                let description = in_use.description.clone();
                self.in_use.replace(Some(in_use));
                Ok(description)
            }
            Err(refused @ NetworkError::Refused { .. }) => {
                *slot = Some(running);
                Err(refused)
            }
            // The worker is of no more use; the next request starts another and gives it the network in use.
            Err(error) => Err(error),
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
        let mut outputs = self.ask(vec![before, after], &positions).await?.into_iter();
        match (outputs.next(), outputs.next()) {
            (Some(before), Some(after)) => Ok(NetworkView { before, after }),
            _ => Err(NetworkError::Failed(
                "it answered for fewer positions than were asked".into(),
            )),
        }
    }

    /// The network's view of bare positions.
    ///
    /// # Errors
    /// When there is no network, or its worker fails.
    pub async fn evaluate(&self, positions: &[&Chess], mode: CastlingMode) -> Result<Vec<NetworkOutput>, NetworkError> {
        let texts = positions.iter().map(|p| PositionText::new(&[], p, mode)).collect();
        self.ask(texts, positions).await
    }

    async fn ask(&self, texts: Vec<PositionText>, positions: &[&Chess]) -> Result<Vec<NetworkOutput>, NetworkError> {
        let mut slot = self.running.lock().await;
        let in_use = self.in_use.borrow().clone().ok_or(NetworkError::None)?;
        let mut running = match slot.take() {
            Some(running) => running,
            None => {
                let mut running = Running::start().await?;
                running.load(&in_use.name, &in_use.bytes, &|_| ()).await?;
                running
            }
        };
        let result = running.evaluate(texts, positions).await;
        if matches!(result, Ok(_) | Err(NetworkError::Failed(_))) {
            *slot = Some(running);
        }
        result
    }
}

impl Running {
    async fn start() -> Result<Self, NetworkError> {
        let script = paths::network();
        preflight::fetch(&script, FileType::Script).await?;
        let (worker, events) = Worker::start(&script, Script::Classic)?;
        let mut running = Self {
            worker,
            events,
            next_id: 1,
        };
        running
            .until(START, |reply, _| matches!(reply, Reply::Ready).then_some(()))
            .await?;
        Ok(running)
    }

    fn id(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id = self.next_id.wrapping_add(1);
        id
    }

    async fn load(
        &mut self,
        name: &str,
        bytes: &[u8],
        on_stage: &impl Fn(Loading),
    ) -> Result<Description, NetworkError> {
        let id = self.id();
        let data = Uint8Array::from(bytes).buffer();
        self.post(
            &Request::Load {
                id,
                name: name.to_owned(),
            },
            Some(&data),
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
    ) -> Result<Vec<NetworkOutput>, NetworkError> {
        let id = self.id();
        let limit = EVALUATION * u32::try_from(texts.len().max(1)).unwrap_or(u32::MAX);
        self.post(&Request::Evaluate { id, positions: texts }, None)?;
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
                let joined: Option<Vec<NetworkOutput>> = outputs
                    .into_iter()
                    .zip(positions)
                    .zip(floats.chunks(activations.max(1)))
                    .map(|((output, position), own)| output.join(position, own.to_vec()))
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

    fn post(&self, request: &Request, data: Option<&ArrayBuffer>) -> Result<(), NetworkError> {
        let text = serde_json::to_string(request).map_err(|e| NetworkError::Failed(e.to_string()))?;
        let message = Object::new();
        let set = |key: &str, value: &JsValue| {
            // Setting a property of a plain object that we just made cannot fail.
            let _ = Reflect::set(&message, &key.into(), value);
        };
        set("text", &text.into());
        if let Some(data) = data {
            set("data", data);
        }
        let transfer: Vec<ArrayBuffer> = data.into_iter().cloned().collect();
        Ok(self.worker.post(&message, &transfer)?)
    }

    /// Hears the worker until `found` has what it looks for in a reply and its data.
    async fn until<T>(
        &mut self,
        limit: Duration,
        mut found: impl FnMut(Reply, &JsValue) -> Option<T>,
    ) -> Result<T, NetworkError> {
        let events = &mut self.events;
        let search = async {
            while let Some(event) = events.next().await {
                let message = match event {
                    WorkerEvent::Message(message) => message,
                    WorkerEvent::Failed(text) if text.is_empty() => {
                        return Err(NetworkError::Died("its script was blocked or did not load".into()));
                    }
                    WorkerEvent::Failed(text) => return Err(NetworkError::Died(text)),
                };
                let get = |key: &str| Reflect::get(&message, &key.into()).unwrap_or(JsValue::UNDEFINED);
                let text = get("text").as_string().unwrap_or_default();
                let Ok(reply) = serde_json::from_str::<Reply>(&text) else {
                    continue;
                };
                if let Some(result) = found(reply, &get("data")) {
                    return Ok(result);
                }
            }
            Err(NetworkError::Died("its channel closed".into()))
        };
        clock::within(limit, search)
            .await
            .unwrap_or(Err(NetworkError::Silent(limit.as_secs())))
    }
}
