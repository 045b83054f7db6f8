//! The models without search in use, in a worker of their own. Requests wait for one another; each ends, with a result or with an
//! error that says why. After a crash the worker is thrown away, and the next request starts another with the models that it
//! needs. A request whose future is dropped is stopped: its worker ends, and the next request starts another.

use std::{cell::RefCell, rc::Rc, time::Duration};

use futures_util::lock::Mutex;
use js_sys::{Float32Array, Uint8Array};
use thiserror::Error;
use wasm_bindgen::{JsCast, JsValue};

use super::{
    net_worker::{NetWorker, NetWorkerError},
    paths,
    preflight::PreflightError,
    shipped,
};
use crate::{
    browser::worker::WorkerError,
    net_worker::{
        protocol::{Reply, Request},
        searchless_protocol::{MOST_MODELS, SearchlessReply, SearchlessRequest},
    },
    searchless::{SearchlessDescription, header::Target},
};

/// A model cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SearchlessError {
    /// It was never loaded.
    #[error("This model is not loaded.")]
    None,
    /// The file is no model that can be run.
    #[error("{name} was not loaded: {reason}.")]
    Refused {
        /// The file's name.
        name: String,
        /// What was found in it.
        reason: String,
    },
    /// A model that comes with the app could not be fetched.
    #[error("The {} model that comes with the app can't be had: {error}.", .target.short())]
    Fetch {
        /// Which.
        target: Target,
        /// Why.
        error: PreflightError,
    },
    /// The worker's files are not as they must be.
    #[error("The models' worker cannot be loaded: {0}.")]
    Files(PreflightError),
    /// The browser would not start the worker.
    #[error("The models' worker cannot be started: {0}.")]
    Worker(WorkerError),
    /// It failed while at work.
    #[error("The models' worker stopped working: {0}.")]
    Died(String),
    /// It did not answer in time.
    #[error("The model did not answer within {0} seconds.")]
    Silent(u64),
    /// A request failed; the model can be asked again.
    #[error("The model could not answer: {0}.")]
    Failed(String),
}

impl From<NetWorkerError> for SearchlessError {
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

/// A model as it was given, so that a new worker can be given it again.
#[derive(Debug, Clone)]
struct InUse {
    name: String,
    bytes: Rc<Vec<u8>>,
    description: SearchlessDescription,
    /// Which of the app's it is.
    shipped: Option<Target>,
}

/// The worker, and the hashes of the models that it has, the one loaded last at the end.
#[derive(Debug)]
struct Running {
    worker: NetWorker,
    has: Vec<String>,
}

/// A handle on the models. Clones share them, and their worker, which ends with the last of them.
#[derive(Debug, Clone, Default)]
pub struct Searchless {
    in_use: Rc<RefCell<Vec<InUse>>>,
    running: Rc<Mutex<Option<Running>>>,
}

/// The largest files have 400 MB.
const LOAD: Duration = Duration::from_secs(180);
/// All moves of a position, by the largest models.
const POSITION: Duration = Duration::from_secs(120);

impl Searchless {
    /// Puts a model to use, beside the others.
    ///
    /// # Errors
    /// When the file is no model that can be run, or the worker cannot be had.
    pub async fn load(&self, name: &str, bytes: Vec<u8>) -> Result<SearchlessDescription, SearchlessError> {
        self.put_to_use(name, bytes, None).await
    }

    /// The model of this kind that comes with the app; it is fetched the first time.
    ///
    /// # Errors
    /// When it is not there, or the worker cannot be had.
    pub async fn shipped(&self, target: Target) -> Result<SearchlessDescription, SearchlessError> {
        if let Some(known) = self.known(|own| own.shipped == Some(target)) {
            return Ok(known);
        }
        let path = paths::searchless(target);
        let bytes = shipped::fetch(&path, |_, _| ()).await;
        let bytes = bytes.map_err(|error| SearchlessError::Fetch { target, error })?;
        let name = path.rsplit('/').next().unwrap_or_default();
        self.put_to_use(name, bytes, Some(target)).await
    }

    /// The model with this SHA-256, if it is in use.
    #[must_use]
    pub fn description(&self, sha256: &str) -> Option<SearchlessDescription> {
        self.known(|own| own.description.sha256 == sha256)
    }

    fn known(&self, is: impl Fn(&InUse) -> bool) -> Option<SearchlessDescription> {
        let in_use = self.in_use.borrow();
        in_use.iter().find(|own| is(own)).map(|own| own.description.clone())
    }

    /// What a model says of rows of symbols, before any softmax.
    ///
    /// # Errors
    /// When the model is not loaded, a row does not fit it, or its worker fails.
    pub async fn outputs(&self, sha256: &str, rows: &[Vec<u16>]) -> Result<Vec<Vec<f32>>, SearchlessError> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        match self.ask(sha256, rows).await {
            // It may have died long ago, with nobody asking: another one is asked once.
            Err(SearchlessError::Died(_)) => self.ask(sha256, rows).await,
            result => result,
        }
    }

    async fn ask(&self, sha256: &str, rows: &[Vec<u16>]) -> Result<Vec<Vec<f32>>, SearchlessError> {
        let mut slot = self.running.lock().await;
        let known = |own: &&InUse| own.description.sha256 == sha256;
        let model = self.in_use.borrow().iter().find(known).cloned();
        let model = model.ok_or(SearchlessError::None)?;
        // Taken out: where this future is dropped the worker ends with it.
        let mut running = match slot.take() {
            Some(running) => running,
            None => Running::start().await?,
        };
        if !running.has.iter().any(|own| own == sha256) {
            running.load(&model.name, &model.bytes).await?;
        }
        let result = running.read(sha256, rows).await;
        if matches!(result, Ok(_) | Err(SearchlessError::Failed(_))) {
            *slot = Some(running);
        }
        result
    }

    async fn put_to_use(
        &self,
        name: &str,
        bytes: Vec<u8>,
        shipped: Option<Target>,
    ) -> Result<SearchlessDescription, SearchlessError> {
        let mut slot = self.running.lock().await;
        let loaded = match slot.take() {
            Some(mut running) => match running.load(name, &bytes).await {
                // As above.
                Err(SearchlessError::Died(_)) => None,
                result => Some((running, result)),
            },
            None => None,
        };
        let (running, result) = match loaded {
            Some(loaded) => loaded,
            None => {
                let mut running = Running::start().await?;
                let result = running.load(name, &bytes).await;
                (running, result)
            }
        };
        if let Ok(description) = &result {
            let mut in_use = self.in_use.borrow_mut();
            // Given again it is the same model still.
            let before = in_use
                .iter()
                .position(|own| own.description.sha256 == description.sha256);
            let before = before.map(|place| in_use.remove(place));
            in_use.push(InUse {
                name: name.to_owned(),
                bytes: Rc::new(bytes),
                description: description.clone(),
                shipped: shipped.or_else(|| before.and_then(|own| own.shipped)),
            });
        }
        if matches!(result, Ok(_) | Err(SearchlessError::Refused { .. })) {
            *slot = Some(running);
        }
        result
    }
}

impl Running {
    async fn start() -> Result<Self, SearchlessError> {
        Ok(Self {
            worker: NetWorker::start().await?,
            has: Vec::new(),
        })
    }

    async fn load(&mut self, name: &str, bytes: &[u8]) -> Result<SearchlessDescription, SearchlessError> {
        let id = self.worker.id();
        let data = Uint8Array::from(bytes).buffer();
        let ask = SearchlessRequest::Load;
        self.worker.post(&Request::Searchless { id, ask }, Some(&data))?;
        let answer = self.worker.until(LOAD, |reply, _| match said(reply, id)? {
            Ok(SearchlessReply::Loaded { model }) => Some(Ok(*model)),
            Ok(SearchlessReply::Refused { reason }) => Some(Err(SearchlessError::Refused {
                name: name.to_owned(),
                reason,
            })),
            Ok(SearchlessReply::Read { .. }) => None,
            Err(error) => Some(Err(error)),
        });
        let description = answer.await??;
        self.has.retain(|own| *own != description.sha256);
        // As the worker does.
        if self.has.len() >= MOST_MODELS {
            self.has.remove(0);
        }
        self.has.push(description.sha256.clone());
        Ok(description)
    }

    async fn read(&mut self, sha256: &str, rows: &[Vec<u16>]) -> Result<Vec<Vec<f32>>, SearchlessError> {
        let id = self.worker.id();
        let ask = SearchlessRequest::Read {
            model: sha256.to_owned(),
            rows: rows.to_vec(),
        };
        self.worker.post(&Request::Searchless { id, ask }, None)?;
        let answer = self.worker.until(POSITION, |reply, data| match said(reply, id)? {
            Ok(SearchlessReply::Read { outputs, .. }) => {
                let all = outputs_of(data, outputs).filter(|all| all.len() == rows.len());
                Some(all.ok_or_else(|| SearchlessError::Failed("its answer is to another question".to_owned())))
            }
            Ok(SearchlessReply::Loaded { .. } | SearchlessReply::Refused { .. }) => None,
            Err(error) => Some(Err(error)),
        });
        answer.await?
    }
}

/// What is said to request `id`; `None` where it is said to another.
fn said(reply: Reply, id: u32) -> Option<Result<SearchlessReply, SearchlessError>> {
    match reply {
        Reply::Searchless { id: of, said } if of == id => Some(Ok(said)),
        Reply::Failed { id: Some(of), reason } if of == id => Some(Err(SearchlessError::Failed(reason))),
        Reply::Failed { id: None, reason } => Some(Err(SearchlessError::Died(reason))),
        _ => None,
    }
}

/// The rows of an answer.
fn outputs_of(data: &JsValue, outputs: usize) -> Option<Vec<Vec<f32>>> {
    let numbers = data.dyn_ref::<Float32Array>()?.to_vec();
    (outputs > 0).then(|| numbers.chunks(outputs).map(<[f32]>::to_vec).collect())
}
