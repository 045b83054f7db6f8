//! The network's worker while it runs: it is started, told things and heard. What is asked of it, and what follows when it has
//! died, is [`network`](super::network)'s and [`language_model`](super::language_model)'s business; each has one of its own.

use std::time::Duration;

use futures_channel::mpsc::UnboundedReceiver;
use futures_util::{StreamExt, lock::Mutex};
use js_sys::{ArrayBuffer, Object, Reflect};
use thiserror::Error;
use wasm_bindgen::JsValue;

use super::{
    paths,
    preflight::{self, FileType, PreflightError},
};
use crate::{
    browser::{
        clock, compiled,
        held_file::HeldFile,
        worker::{Script, Worker, WorkerError, WorkerEvent},
    },
    net_worker::protocol::{Reply, Request},
};

/// The worker is of no use, or was not understood.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum NetWorkerError {
    /// Its files are not as they must be.
    #[error("its files: {0}")]
    Files(#[from] PreflightError),
    /// The browser would not start it.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// It failed while at work.
    #[error("it stopped working: {0}")]
    Died(String),
    /// It did not answer within so many seconds.
    #[error("it did not answer within {0} seconds")]
    Silent(u64),
    /// What it is to be told can't be written as JSON.
    #[error("it can't be told: {0}")]
    Message(String),
}

/// A running worker. Ended when dropped.
#[derive(Debug)]
pub(super) struct NetWorker {
    worker: Worker,
    events: UnboundedReceiver<WorkerEvent>,
    next_id: u32,
}

/// For fetching and compiling 4 MB of WebAssembly, which on a slow machine takes its time, and again for starting it.
const START: Duration = Duration::from_secs(60);

/// Does something with the worker of a slot, once nobody else does. It is started if need be and then given the file in use,
/// which `file` names. After an error that ends more than a request it is thrown away.
///
/// # Errors
/// When there is no file, the worker cannot be had, or the work fails.
pub(super) async fn with_worker<F, T, E: From<NetWorkerError>>(
    slot: &Mutex<Option<NetWorker>>,
    file: impl FnOnce() -> Result<F, E>,
    load: impl AsyncFnOnce(&mut NetWorker, F) -> Result<(), E>,
    work: impl AsyncFnOnce(&mut NetWorker) -> Result<T, E>,
    ends_request_only: impl FnOnce(&E) -> bool,
) -> Result<T, E> {
    let mut slot = slot.lock().await;
    let file = file()?;
    let mut worker = match slot.take() {
        Some(worker) => worker,
        None => {
            let mut worker = NetWorker::start().await?;
            load(&mut worker, file).await?;
            worker
        }
    };
    let result = work(&mut worker).await;
    if result.as_ref().err().is_none_or(ends_request_only) {
        *slot = Some(worker);
    }
    result
}

impl NetWorker {
    /// Starts one and waits until it listens.
    pub(super) async fn start() -> Result<Self, NetWorkerError> {
        let (script, wasm) = (paths::network(), paths::network_wasm());
        preflight::fetch(&script, FileType::Script).await?;
        let program = compiled::fetch(&wasm);
        let (worker, events) = Worker::start(&script, Script::Classic)?;
        let program = match clock::within(START, program).await {
            Some(Ok(program)) => program,
            // Mostly its file is not as it must be, which is said more plainly.
            Some(Err(error)) => {
                preflight::fetch(&wasm, FileType::Wasm).await?;
                return Err(WorkerError::Program(error).into());
            }
            None => return Err(NetWorkerError::Silent(START.as_secs())),
        };
        worker.post_program(&program)?;
        let mut own = Self {
            worker,
            events,
            next_id: 1,
        };
        let lifeline = own
            .until(START, |reply, _| match reply {
                Reply::Ready { lifeline } => Some(lifeline),
                _ => None,
            })
            .await?;
        if let Some(lifeline) = lifeline {
            own.worker.watch(lifeline);
        }
        Ok(own)
    }

    /// For the next request.
    pub(super) fn id(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id = self.next_id.wrapping_add(1);
        id
    }

    /// Asks; `data` is handed over.
    pub(super) fn post(&self, request: &Request, data: Option<&ArrayBuffer>) -> Result<(), NetWorkerError> {
        let text = serde_json::to_string(request).map_err(|e| NetWorkerError::Message(e.to_string()))?;
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

    /// Asks; the worker is given a file to read.
    pub(super) fn post_file(&self, request: &Request, file: &HeldFile) -> Result<(), NetWorkerError> {
        let text = serde_json::to_string(request).map_err(|e| NetWorkerError::Message(e.to_string()))?;
        let message = Object::new();
        // Setting a property of a plain object that we just made cannot fail.
        let _ = Reflect::set(&message, &"text".into(), &text.into());
        let _ = Reflect::set(&message, &"data".into(), &file.value());
        Ok(self.worker.post(&message, &[])?)
    }

    /// Hears the worker until `found` has what it looks for in a reply and its data.
    pub(super) async fn until<T>(
        &mut self,
        limit: Duration,
        mut found: impl FnMut(Reply, &JsValue) -> Option<T>,
    ) -> Result<T, NetWorkerError> {
        let events = &mut self.events;
        let search = async {
            while let Some(event) = events.next().await {
                let message = match event {
                    WorkerEvent::Message(message) => message,
                    WorkerEvent::Failed(text) if text.is_empty() => {
                        return Err(NetWorkerError::Died("its script was blocked or did not load".into()));
                    }
                    WorkerEvent::Failed(text) => return Err(NetWorkerError::Died(text)),
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
            Err(NetWorkerError::Died("its channel closed".into()))
        };
        clock::within(limit, search)
            .await
            .unwrap_or(Err(NetWorkerError::Silent(limit.as_secs())))
    }
}
