//! Web workers: start one, talk to it, hear when it dies.

use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use js_sys::Array;
use thiserror::Error;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::spawn_local;
use web_sys::{ErrorEvent, Event, MessageEvent, WorkerOptions, WorkerType};

use super::{
    compiled::{CompileError, Compiled},
    js_message, lifeline,
};

/// How many workers can run at the same time, as the browser says: the processor's cores as a rule.
#[must_use]
pub fn cores() -> usize {
    let cores = super::window().navigator().hardware_concurrency();
    // Where the browser does not say, it is no number.
    if cores >= 1.0 { cores as usize } else { 1 }
}

/// A worker could not be started or reached.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WorkerError {
    /// `new Worker(…)` threw: the browser has no workers, or the page's policy forbids them.
    #[error("the browser refused to start {url}: {reason}")]
    Refused {
        /// The worker's script.
        url: String,
        /// What the browser said.
        reason: String,
    },
    /// The program that it is to run is of no use.
    #[error("its program {0}")]
    Program(#[from] CompileError),
    /// `postMessage` threw.
    #[error("a message could not be sent to a worker: {0}")]
    Post(String),
}

/// What comes out of a worker.
#[derive(Debug, Clone)]
pub enum WorkerEvent {
    /// It posted this.
    Message(JsValue),
    /// It failed: an exception nobody caught, or a script that did not load. The text may be empty: browsers say
    /// nothing of scripts that were blocked.
    Failed(String),
}

/// How a worker's script is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// As a plain script.
    Classic,
    /// As an ES module.
    Module,
}

/// A running worker. Terminated when dropped.
#[derive(Debug)]
pub struct Worker {
    inner: web_sys::Worker,
    events: UnboundedSender<WorkerEvent>,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(Event)>,
}

impl Worker {
    /// Starts the worker at `url` (relative to the page) and returns it with the stream of its events.
    ///
    /// # Errors
    /// When the browser refuses. A script that cannot be loaded shows later, as [`WorkerEvent::Failed`] or as silence:
    /// whoever starts a worker needs a start-up timeout.
    pub fn start(url: &str, script: Script) -> Result<(Self, UnboundedReceiver<WorkerEvent>), WorkerError> {
        let refused = |e: JsValue| WorkerError::Refused {
            url: url.to_owned(),
            reason: js_message(&e),
        };
        let options = WorkerOptions::new();
        options.set_type(match script {
            Script::Classic => WorkerType::Classic,
            Script::Module => WorkerType::Module,
        });
        let inner = web_sys::Worker::new_with_options(url, &options).map_err(refused)?;
        let (sender, events) = unbounded();
        let on_message = listen_for_messages(sender.clone());
        let on_error = listen_for_errors(sender.clone());
        inner.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        inner.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Ok((
            Self {
                inner,
                events: sender,
                _on_message: on_message,
                _on_error: on_error,
            },
            events,
        ))
    }

    /// Has the worker's end reported as [`WorkerEvent::Failed`] though it says nothing itself; `lifeline` is the lock that
    /// it [holds](lifeline::hold).
    pub fn watch(&self, lifeline: String) {
        let events = self.events.clone();
        spawn_local(async move {
            lifeline::lost(&lifeline).await;
            // Nobody listens any more where the page itself has ended it.
            let _ = events.unbounded_send(WorkerEvent::Failed("the browser ended it".to_owned()));
        });
    }

    /// Posts a text.
    ///
    /// # Errors
    /// When the browser cannot clone or send it.
    pub fn post_text(&self, text: &str) -> Result<(), WorkerError> {
        self.post(&JsValue::from_str(text), &[])
    }

    /// Hands over the program that it runs.
    ///
    /// # Errors
    /// When the browser cannot send it.
    pub fn post_program(&self, program: &Compiled) -> Result<(), WorkerError> {
        self.post(program.value(), &[])
    }

    /// Posts a value and hands over the given buffers.
    ///
    /// # Errors
    /// When the browser cannot clone or send it.
    pub fn post(&self, value: &JsValue, transfer: &[js_sys::ArrayBuffer]) -> Result<(), WorkerError> {
        let list: Array = transfer.iter().collect();
        self.inner
            .post_message_with_transfer(value, &list)
            .map_err(|e| WorkerError::Post(js_message(&e)))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.inner.set_onmessage(None);
        self.inner.set_onerror(None);
        self.inner.terminate();
    }
}

fn listen_for_messages(sender: UnboundedSender<WorkerEvent>) -> Closure<dyn FnMut(MessageEvent)> {
    Closure::new(move |event: MessageEvent| {
        // A closed channel means that nobody listens any more; there is nobody to tell.
        let _ = sender.unbounded_send(WorkerEvent::Message(event.data()));
    })
}

fn listen_for_errors(sender: UnboundedSender<WorkerEvent>) -> Closure<dyn FnMut(Event)> {
    Closure::new(move |event: Event| {
        // A script that failed to load gives a bare Event; an exception an ErrorEvent with a message.
        let text = event
            .dyn_ref::<ErrorEvent>()
            .map(ErrorEvent::message)
            .unwrap_or_default();
        event.prevent_default();
        let _ = sender.unbounded_send(WorkerEvent::Failed(text));
    })
}
