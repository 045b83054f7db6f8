//! The small language model in use, in a worker of its own. Requests wait for one another; each ends, with a result or with an
//! error that says why. After a crash the worker is thrown away, and the next request starts another with the same model. A
//! request whose future is dropped is stopped: its worker ends, and the next request starts another.

use std::{cell::RefCell, rc::Rc, time::Duration};

use futures_util::lock::Mutex;
use js_sys::{Float32Array, Uint8Array};
use thiserror::Error;
use wasm_bindgen::{JsCast, JsValue};

use super::{
    net_worker::{NetWorker, NetWorkerError, with_worker},
    paths,
    preflight::PreflightError,
    shipped,
};
use crate::{
    blindfold::{perplexity::Logits, run_file::BlindPlayerKind, token::TOKENS},
    browser::worker::WorkerError,
    lm::LanguageModelDescription,
    net_worker::{
        lm_protocol::{LmReply, LmRequest},
        protocol::{Reply, Request},
    },
};

/// The language model cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LanguageModelError {
    /// There is none.
    #[error("No language model is loaded.")]
    None,
    /// The file is no model that can be run, or none that knows how games are written.
    #[error("{name} was not loaded: {reason}.")]
    Refused {
        /// The file's name.
        name: String,
        /// What was found in it.
        reason: String,
    },
    /// The model that comes with the app could not be fetched.
    #[error("The language model that comes with the app can't be had: {0}.")]
    Fetch(PreflightError),
    /// The worker's files are not as they must be.
    #[error("The language model's worker cannot be loaded: {0}.")]
    Files(PreflightError),
    /// The browser would not start the worker.
    #[error("The language model's worker cannot be started: {0}.")]
    Worker(WorkerError),
    /// It failed while at work.
    #[error("The language model's worker stopped working: {0}.")]
    Died(String),
    /// It did not answer in time.
    #[error("The language model did not answer within {0} seconds.")]
    Silent(u64),
    /// A request failed; the model can be asked again.
    #[error("The language model could not answer: {0}.")]
    Failed(String),
}

impl From<NetWorkerError> for LanguageModelError {
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
    description: LanguageModelDescription,
    /// Whether it came with the app.
    shipped: bool,
}

/// A handle on one language model. Clones share it, and its worker, which ends with the last of them.
#[derive(Debug, Clone, Default)]
pub struct LanguageModel {
    in_use: Rc<RefCell<Option<InUse>>>,
    worker: Rc<Mutex<Option<NetWorker>>>,
}

/// The largest files have 400 MB.
const LOAD: Duration = Duration::from_secs(180);
/// A game, read by the largest models.
const SEQUENCE: Duration = Duration::from_secs(60);
/// How many sequences the worker is asked about at once: others get their turn in between.
const AT_ONCE: usize = 64;

impl LanguageModel {
    /// Puts a model to use. When it is refused, the one in use stays.
    ///
    /// # Errors
    /// When the file is no model that can be asked about games, or the worker cannot be had.
    pub async fn load(&self, name: &str, bytes: Vec<u8>) -> Result<LanguageModelDescription, LanguageModelError> {
        self.put_to_use(name, bytes, false).await
    }

    /// Puts the model that comes with the app to use; it is fetched if it is not the one in use.
    ///
    /// # Errors
    /// When it is not there, or the worker cannot be had.
    pub async fn fetch_shipped(&self) -> Result<LanguageModelDescription, LanguageModelError> {
        let known = self.in_use.borrow().clone().filter(|in_use| in_use.shipped);
        if let Some(known) = known {
            return Ok(known.description);
        }
        let path = paths::language_model();
        let bytes = shipped::fetch(&path, |_, _| ()).await;
        let name = path.rsplit('/').next().unwrap_or_default();
        self.put_to_use(name, bytes.map_err(LanguageModelError::Fetch)?, true)
            .await
    }

    /// The model in use.
    #[must_use]
    pub fn description(&self) -> Option<LanguageModelDescription> {
        self.in_use.borrow().as_ref().map(|in_use| in_use.description.clone())
    }

    /// The natural logarithms of the probabilities that each token has after each sequence. Sequences that begin alike belong
    /// side by side: what one shares with the one before it is not read again.
    ///
    /// # Errors
    /// When there is no model, a sequence is empty or longer than it reads, another model comes into use meanwhile, or its
    /// worker fails.
    pub async fn next(&self, sequences: &[Vec<u8>]) -> Result<Vec<Logits>, LanguageModelError> {
        let model = self.description().ok_or(LanguageModelError::None)?.sha256;
        let mut all = Vec::with_capacity(sequences.len());
        for some in sequences.chunks(AT_ONCE) {
            let ask = async |worker: &mut NetWorker| next(worker, &model, some).await;
            all.extend(match self.with_worker(ask).await {
                // It may have died long ago, with nobody asking: another one is asked once.
                Err(LanguageModelError::Died(_)) => self.with_worker(ask).await?,
                result => result?,
            });
        }
        Ok(all)
    }

    async fn put_to_use(
        &self,
        name: &str,
        bytes: Vec<u8>,
        shipped: bool,
    ) -> Result<LanguageModelDescription, LanguageModelError> {
        let mut slot = self.worker.lock().await;
        let loaded = match slot.take() {
            Some(mut worker) => match load(&mut worker, name, &bytes).await {
                // As above.
                Err(LanguageModelError::Died(_)) => None,
                result => Some((worker, result)),
            },
            None => None,
        };
        let (worker, result) = match loaded {
            Some(loaded) => loaded,
            None => {
                let mut worker = NetWorker::start().await?;
                let result = load(&mut worker, name, &bytes).await;
                (worker, result)
            }
        };
        match result {
            Ok(description) => {
                // The worker has it in use by now: it goes, and the next one is given the model that stays.
                if let Err(unfit) = BlindPlayerKind::of_model(&description) {
                    return Err(LanguageModelError::Refused {
                        name: name.to_owned(),
                        reason: unfit.to_string(),
                    });
                }
                *slot = Some(worker);
                self.in_use.replace(Some(InUse {
                    name: name.to_owned(),
                    bytes: Rc::new(bytes),
                    description: description.clone(),
                    shipped,
                }));
                Ok(description)
            }
            Err(refused @ LanguageModelError::Refused { .. }) => {
                *slot = Some(worker);
                Err(refused)
            }
            Err(error) => Err(error),
        }
    }

    /// Does something with the worker, which is started if need be and has the model in use. After an error that is more than
    /// a failed request it is thrown away.
    async fn with_worker<T>(
        &self,
        work: impl AsyncFnOnce(&mut NetWorker) -> Result<T, LanguageModelError>,
    ) -> Result<T, LanguageModelError> {
        with_worker(
            &self.worker,
            || self.in_use.borrow().clone().ok_or(LanguageModelError::None),
            async |worker, in_use| load(worker, &in_use.name, &in_use.bytes).await.map(|_| ()),
            work,
            |error| matches!(error, LanguageModelError::Failed(_)),
        )
        .await
    }
}

async fn load(
    worker: &mut NetWorker,
    name: &str,
    bytes: &[u8],
) -> Result<LanguageModelDescription, LanguageModelError> {
    let id = worker.id();
    let data = Uint8Array::from(bytes).buffer();
    let ask = LmRequest::Load;
    worker.post(&Request::LanguageModel { id, ask }, Some(&data))?;
    let answer = worker.until(LOAD, |reply, _| match said(reply, id)? {
        Ok(LmReply::Loaded { model }) => Some(Ok(*model)),
        Ok(LmReply::Refused { reason }) => Some(Err(LanguageModelError::Refused {
            name: name.to_owned(),
            reason,
        })),
        Ok(LmReply::Next { .. }) => None,
        Err(error) => Some(Err(error)),
    });
    answer.await?
}

async fn next(worker: &mut NetWorker, model: &str, sequences: &[Vec<u8>]) -> Result<Vec<Logits>, LanguageModelError> {
    let id = worker.id();
    let ask = LmRequest::Next {
        sequences: sequences.to_vec(),
    };
    worker.post(&Request::LanguageModel { id, ask }, None)?;
    // Fewer than `AT_ONCE`.
    let limit = SEQUENCE * sequences.len() as u32;
    let answer = worker.until(limit, |reply, data| match said(reply, id)? {
        Ok(LmReply::Next { model: of, .. }) if of != model => Some(Err(LanguageModelError::Failed(
            "another model has come into use".to_owned(),
        ))),
        Ok(LmReply::Next { .. }) => {
            let rows = logits(data).filter(|rows| rows.len() == sequences.len());
            Some(rows.ok_or_else(|| LanguageModelError::Failed("its answer is to another question".to_owned())))
        }
        Ok(LmReply::Loaded { .. } | LmReply::Refused { .. }) => None,
        Err(error) => Some(Err(error)),
    });
    answer.await?
}

/// What is said to request `id`; `None` where it is said to another.
fn said(reply: Reply, id: u32) -> Option<Result<LmReply, LanguageModelError>> {
    match reply {
        Reply::LanguageModel { id: of, said } if of == id => Some(Ok(said)),
        Reply::Failed { id: Some(of), reason } if of == id => Some(Err(LanguageModelError::Failed(reason))),
        Reply::Failed { id: None, reason } => Some(Err(LanguageModelError::Died(reason))),
        _ => None,
    }
}

/// The rows of an answer.
fn logits(data: &JsValue) -> Option<Vec<Logits>> {
    let numbers = data.dyn_ref::<Float32Array>()?.to_vec();
    let rows = numbers.chunks(usize::from(TOKENS));
    rows.map(|row| row.try_into().ok()).collect()
}
