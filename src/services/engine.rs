//! Stockfish in its worker. One actor owns the worker and the [`Session`]; everyone else holds an [`Engine`], which
//! asks it. Every request ends: with a result, or with an error that says why. The page has one that everybody shares; who
//! needs one that is set otherwise makes one of another [`Kind`], which ends with its last handle.
//!
//! Who yields: a search of the move under discussion goes first. A search in the background
//! ([`Engine::search_in_background`]) waits until nothing else is asked, gives way when something is, and is then begun
//! again from its start, so that what it returns has always run to its limit. A search that is
//! [made ahead](Engine::search_ahead) gives way to both.
//!
//! An engine that [remembers](Engine::remembering) searches nothing twice to the same limit.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    fmt,
    pin::pin,
    rc::Rc,
    time::Duration,
};

use futures_channel::{
    mpsc::{self, UnboundedReceiver, UnboundedSender},
    oneshot,
};
use futures_util::{FutureExt, StreamExt, future::FusedFuture, select_biased};
use shakmaty::{CastlingMode, Chess};
use thiserror::Error;
use wasm_bindgen_futures::spawn_local;

use super::{
    paths,
    preflight::{self, FileType, PreflightError},
    search_memory::SearchMemory,
};
use crate::{
    browser::{
        clock,
        worker::{Script, Worker, WorkerError, WorkerEvent},
    },
    uci::{Dead, Event, Limit, Refused, SearchRequest, SearchResult, Session, Waiting},
};

/// How the engine stands, for the user.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum EngineStatus {
    /// Nobody has asked for it yet.
    #[default]
    Asleep,
    /// It is being fetched and started.
    Starting,
    /// It is up and calls itself this.
    Ready(String),
    /// It was lost like this, and another is up in its place.
    Back(Dead),
    /// It is not available, and this is why. The next request tries again.
    Failed(EngineError),
}

/// The engine cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EngineError {
    /// Its files are not as they must be.
    #[error("The engine cannot be loaded: {0}.")]
    Files(#[from] PreflightError),
    /// The browser would not start the worker.
    #[error("The engine cannot be started: {0}.")]
    Worker(#[from] WorkerError),
    /// It started and died.
    #[error("The engine stopped working: {0}.")]
    Dead(#[from] Dead),
}

/// A search gave nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SearchError {
    /// Another request took its place, or it was stopped before it found anything.
    #[error("The search was stopped.")]
    Stopped,
    /// The game is over in the position.
    #[error("There is nothing to search: the game is over in this position.")]
    GameOver,
    /// There is no engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Megabytes of the engine's memory, as many as the lab's engines have: with others the same nodes can give another score.
const HASH: &str = "16";

/// Which engine, and how it is set.
#[derive(Debug, Clone)]
pub struct Kind {
    script: fn() -> String,
    /// What the script looks for beside itself.
    wasm: Option<fn() -> String>,
    settings: Vec<(String, String)>,
    /// Whether it hears what is said to it while it searches.
    hears: bool,
}

impl Kind {
    /// Stockfish 19, with all its strength.
    #[must_use]
    pub fn stockfish() -> Self {
        Self {
            script: paths::engine,
            wasm: Some(paths::engine_wasm),
            settings: Vec::new(),
            hears: true,
        }
        .with([("Hash", HASH), ("UCI_ShowWDL", "true")].map(|(name, value)| (name.to_owned(), value.to_owned())))
    }

    /// Stockfish 8, which is a script alone. It is deaf while it searches: it cannot be asked whether it is there, and a
    /// search ends before its limit only with its worker, when the last handle is dropped. So its limits should be small.
    #[must_use]
    pub fn stockfish_8() -> Self {
        Self {
            script: paths::labels,
            wasm: None,
            settings: Vec::new(),
            hears: false,
        }
    }

    /// The engine and how it is set: what its searches can be told apart by.
    #[must_use]
    pub fn version(&self) -> String {
        format!("{} {:?}", (self.script)(), self.settings)
    }

    /// The same with these options, as name and value, in place of those of the same names.
    #[must_use]
    pub fn with(mut self, options: impl IntoIterator<Item = (String, String)>) -> Self {
        for (name, value) in options {
            self.settings.retain(|(known, _)| *known != name);
            self.settings.push((name, value));
        }
        self
    }
}

/// A handle on an engine. Clones share it.
#[derive(Debug, Clone)]
pub struct Engine {
    kind: Kind,
    memory: Option<SearchMemory>,
    asks: UnboundedSender<Ask>,
    next_id: Rc<Cell<u64>>,
    name: Rc<RefCell<String>>,
    ahead: Rc<Cell<usize>>,
    resting: Rc<RefCell<Option<Resting>>>,
}

/// What the actor begins with, at the first request: a page that never searches does without its code.
struct Resting {
    kind: Kind,
    name: Rc<RefCell<String>>,
    memory: Option<SearchMemory>,
    inbox: UnboundedReceiver<Ask>,
    report: Box<dyn Fn(EngineStatus)>,
}

impl fmt::Debug for Resting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Resting")
    }
}

/// While one is held, nothing is searched in the background: its owner is between two searches of its own.
#[derive(Debug)]
pub struct Ahead {
    asks: UnboundedSender<Ask>,
    ahead: Rc<Cell<usize>>,
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.ahead.set(self.ahead.get().saturating_sub(1));
        // The actor lives as long as a handle does; without it nothing waits.
        let _ = self.asks.unbounded_send(Ask::Look);
    }
}

enum Ask {
    Search {
        request: Box<SearchRequest>,
        reply: Reply,
        progress: Box<dyn FnMut(&SearchResult)>,
    },
    /// When nothing else is asked.
    Background {
        request: Box<SearchRequest>,
        reply: Reply,
        is_ahead: bool,
    },
    /// Ends the search in the background.
    StopBackground,
    Stop,
    Wake,
    /// Somebody no longer goes ahead.
    Look,
}

type Reply = oneshot::Sender<Result<SearchResult, SearchError>>;

struct Pending {
    reply: Reply,
    progress: Box<dyn FnMut(&SearchResult)>,
    request: SearchRequest,
    retried: bool,
    /// Nobody has asked for it yet.
    is_ahead: bool,
}

impl Engine {
    /// A handle; nothing is fetched before the first request. `report` hears every change of status.
    pub fn new(kind: Kind, report: impl Fn(EngineStatus) + 'static) -> Self {
        Self::made(kind, None, report)
    }

    /// The same, of an engine that answers what it has searched before out of `memory`, and keeps there what it finds.
    pub fn remembering(kind: Kind, memory: SearchMemory, report: impl Fn(EngineStatus) + 'static) -> Self {
        Self::made(kind, Some(memory), report)
    }

    /// Another one of the same kind, in a worker of its own, with the same memory of searches. How it stands is nobody's business
    /// but that of those who ask it.
    #[must_use]
    pub fn beside(&self) -> Self {
        Self::named(self.kind.clone(), self.memory.clone(), self.name.clone(), |_| ())
    }

    fn made(kind: Kind, memory: Option<SearchMemory>, report: impl Fn(EngineStatus) + 'static) -> Self {
        Self::named(kind, memory, Rc::default(), report)
    }

    fn named(
        kind: Kind,
        memory: Option<SearchMemory>,
        name: Rc<RefCell<String>>,
        report: impl Fn(EngineStatus) + 'static,
    ) -> Self {
        let (asks, inbox) = mpsc::unbounded();
        let known_as = name.clone();
        let called = name.clone();
        let report = move |status| {
            if let EngineStatus::Ready(name) = &status {
                known_as.replace(name.clone());
            }
            report(status);
        };
        let report: Box<dyn Fn(EngineStatus)> = Box::new(report);
        Self {
            kind: kind.clone(),
            memory: memory.clone(),
            asks,
            next_id: Rc::new(Cell::new(1)),
            name,
            ahead: Rc::new(Cell::new(0)),
            resting: Rc::new(RefCell::new(Some(Resting {
                kind,
                name: called,
                memory,
                inbox,
                report,
            }))),
        }
    }

    /// Asks for something that has to be done; false when nobody is there to do it any more.
    fn ask(&self, ask: Ask) -> bool {
        if let Some(resting) = self.resting.take() {
            spawn_local(run(resting, self.ahead.clone()));
        }
        self.asks.unbounded_send(ask).is_ok()
    }

    /// What the engine calls itself; empty before it first was up.
    #[must_use]
    pub fn name(&self) -> String {
        self.name.borrow().clone()
    }

    /// The same, and where it never was up it is started first.
    ///
    /// # Errors
    /// When it cannot be started.
    pub async fn known_name(&self) -> Result<String, SearchError> {
        if self.name().is_empty() {
            let nothing = SearchRequest::new(self.id(), Chess::default(), CastlingMode::Standard, Limit::Nodes(1));
            self.search(nothing, |_| ()).await?;
        }
        Ok(self.name())
    }

    /// A number for the next request.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.next_id.replace(self.next_id.get() + 1)
    }

    /// Searches. A search that runs already is stopped and fails with [`SearchError::Stopped`] unless it had found
    /// something. `progress` hears each complete set of lines.
    ///
    /// # Errors
    /// When it was stopped without result, the game is over, or there is no engine. After a crash the engine is
    /// started again and the search repeated once.
    pub async fn search(
        &self,
        request: SearchRequest,
        progress: impl FnMut(&SearchResult) + 'static,
    ) -> Result<SearchResult, SearchError> {
        let (reply, answer) = oneshot::channel();
        let ask = Ask::Search {
            request: Box::new(request),
            reply,
            progress: Box::new(progress),
        };
        if !self.ask(ask) {
            return Err(SearchError::Stopped);
        }
        answer.await.unwrap_or(Err(SearchError::Stopped))
    }

    /// Searches when nothing else is asked of the engine, and begins anew when something was meanwhile: the result has
    /// run to its limit. There is one such search at a time; another one takes its place.
    ///
    /// # Errors
    /// As [`Engine::search`]; [`SearchError::Stopped`] after [`Engine::stop_background`] and for the one that is replaced.
    pub async fn search_in_background(&self, request: SearchRequest) -> Result<SearchResult, SearchError> {
        self.ask_behind(request, false).await
    }

    /// Searches what may be asked for next, when nothing else is to be done, not in the background either. Whoever asks for
    /// this very search while it runs takes it over. One that nobody waits for any more is not begun again.
    ///
    /// # Errors
    /// As [`Engine::search_in_background`]; [`SearchError::Stopped`] where the engine has something to do there, too.
    pub async fn search_ahead(&self, request: SearchRequest) -> Result<SearchResult, SearchError> {
        self.ask_behind(request, true).await
    }

    async fn ask_behind(&self, request: SearchRequest, is_ahead: bool) -> Result<SearchResult, SearchError> {
        let (reply, answer) = oneshot::channel();
        let request = Box::new(request);
        if !self.ask(Ask::Background {
            request,
            reply,
            is_ahead,
        }) {
            return Err(SearchError::Stopped);
        }
        answer.await.unwrap_or(Err(SearchError::Stopped))
    }

    /// Ends the search in the background, without a result.
    pub fn stop_background(&self) {
        let _ = self.asks.unbounded_send(Ask::StopBackground);
    }

    /// Keeps the background quiet until the guard is dropped, for whoever has several searches to make.
    #[must_use]
    pub fn ahead(&self) -> Ahead {
        self.ahead.set(self.ahead.get() + 1);
        Ahead {
            asks: self.asks.clone(),
            ahead: self.ahead.clone(),
        }
    }

    /// Whether somebody keeps the background quiet.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.ahead.get() > 0
    }

    /// Ends the running search; it returns what it has. One in the background goes on.
    pub fn stop(&self) {
        // The actor lives as long as a handle does.
        let _ = self.asks.unbounded_send(Ask::Stop);
    }

    /// Starts the engine ahead of the first request.
    pub fn wake(&self) {
        // Nobody there to wake: then the first search says so.
        let _ = self.ask(Ask::Wake);
    }
}

struct Actor {
    kind: Kind,
    /// What the engine calls itself, or called itself on another page.
    name: Rc<RefCell<String>>,
    memory: Option<SearchMemory>,
    report: Box<dyn Fn(EngineStatus)>,
    pending: HashMap<u64, Pending>,
    running: Option<Running>,
    /// The search in the background while it waits.
    background: Option<Pending>,
    /// Its number while it runs; it is then among the pending ones, alone.
    behind: Option<u64>,
    /// How many [`Ahead`] are held.
    ahead: Rc<Cell<usize>>,
    /// How the one before the running engine was lost, until this one is up.
    lost: Option<Dead>,
}

struct Running {
    worker: Worker,
    events: UnboundedReceiver<WorkerEvent>,
    session: Session,
    was_ready: bool,
}

async fn run(resting: Resting, ahead: Rc<Cell<usize>>) {
    let Resting {
        kind,
        name,
        memory,
        mut inbox,
        report,
    } = resting;
    let hears = kind.hears;
    let mut actor = Actor {
        kind,
        name,
        memory,
        report,
        pending: HashMap::new(),
        running: None,
        background: None,
        behind: None,
        ahead,
        lost: None,
    };
    let mut waited = Waiting::Nothing;
    let mut timer = Box::pin(clock::sleep(Duration::ZERO).fuse());
    let mut heartbeat = Box::pin(clock::sleep(HEARTBEAT).fuse());
    loop {
        let waiting = actor.running.as_ref().map_or(Waiting::Nothing, |r| r.session.waiting());
        if waiting != waited {
            waited = waiting;
            timer = Box::pin(clock::sleep(patience(waiting)).fuse());
            heartbeat = Box::pin(clock::sleep(HEARTBEAT).fuse());
        }
        let Some(running) = &mut actor.running else {
            let Some(ask) = inbox.next().await else { return };
            actor.on_ask(ask).await;
            actor.look_behind();
            continue;
        };
        let timing = waiting != Waiting::Nothing && !timer.is_terminated();
        let timeout = async {
            if timing {
                timer.as_mut().await
            } else {
                std::future::pending().await
            }
        };
        let beat = async {
            if waiting == Waiting::Nothing || !hears {
                std::future::pending().await
            } else {
                heartbeat.as_mut().await
            }
        };
        select_biased! {
            event = running.events.next() => actor.on_worker(event.unwrap_or_else(closed)),
            ask = inbox.next() => match ask {
                Some(ask) => actor.on_ask(ask).await,
                None => return,
            },
            () = timeout.fuse() => {
                waited = Waiting::Nothing;
                actor.step(Session::on_timeout);
            },
            () = beat.fuse() => {
                heartbeat = Box::pin(clock::sleep(HEARTBEAT).fuse());
                actor.step(Session::on_heartbeat);
            },
        }
        actor.bury().await;
        actor.look_behind();
    }
}

/// What a worker's channel says at its end.
fn closed() -> WorkerEvent {
    WorkerEvent::Failed("its channel closed".into())
}

/// How often a working engine is asked for a sign of life. A page that sleeps does not count the time.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// How long the session may wait for what it waits for.
fn patience(waiting: Waiting) -> Duration {
    match waiting {
        Waiting::Nothing => Duration::MAX,
        // The files are here by then; compiling 2 MB of WebAssembly on a slow phone is what takes time.
        Waiting::Start => Duration::from_secs(30),
        Waiting::Search(Limit::Time(ms) | Limit::DepthTime { ms, .. }) => {
            Duration::from_millis(u64::from(ms)) + Duration::from_secs(10)
        }
        Waiting::Search(_) => Duration::from_secs(120),
        Waiting::Stop => Duration::from_secs(5),
    }
}

impl Actor {
    async fn on_ask(&mut self, ask: Ask) {
        match ask {
            // What runs in the background is nobody's to stop here.
            Ask::Stop if self.behind.is_some() => {}
            Ask::Stop => self.step(Session::stop),
            Ask::Look => {}
            Ask::StopBackground => self.drop_background(),
            Ask::Background {
                request,
                reply,
                is_ahead,
            } => {
                if let Some(known) = self.known(&request).await {
                    let _ = reply.send(Ok(known));
                    return;
                }
                if is_ahead && self.is_asked_behind() {
                    let _ = reply.send(Err(SearchError::Stopped));
                    return;
                }
                self.drop_background();
                self.background = Some(Pending {
                    reply,
                    progress: Box::new(|_| {}),
                    request: *request,
                    retried: false,
                    is_ahead,
                });
                if let Err(error) = self.start().await {
                    self.refuse_background(&error);
                }
            }
            Ask::Wake => {
                // What went wrong was reported as the status; nobody waits for an answer here.
                let _ = self.start().await;
            }
            Ask::Search {
                request,
                reply,
                progress,
            } => {
                if let Some(known) = self.known(&request).await {
                    // As a search in its place would have it.
                    if self.behind.is_none() {
                        self.step(Session::stop);
                    }
                    let _ = reply.send(Ok(known));
                    return;
                }
                let pending = Pending {
                    reply,
                    progress,
                    request: *request,
                    retried: false,
                    is_ahead: false,
                };
                let Some(pending) = self.take_over(pending) else { return };
                if let Err(error) = self.start().await {
                    // Whoever asked may have gone.
                    let _ = pending.reply.send(Err(error.into()));
                    return;
                }
                self.step_back();
                self.submit(pending);
            }
        }
    }

    /// Begins the search in the background, if the engine has nothing else to do.
    fn look_behind(&mut self) {
        let idle = self.pending.is_empty()
            && self.ahead.get() == 0
            && self
                .running
                .as_ref()
                .is_some_and(|r| r.session.dead().is_none() && r.session.waiting() == Waiting::Nothing);
        if !idle {
            return;
        }
        // One that nobody waits for any more is not begun.
        let Some(pending) = self.background.take().filter(|pending| !pending.reply.is_canceled()) else {
            return;
        };
        // It may have been asked for, or made by another engine, while it waited.
        match self.memory.as_ref().and_then(|memory| memory.at_hand(&pending.request)) {
            Some(known) => {
                let _ = pending.reply.send(Ok(known));
            }
            None => {
                self.behind = Some(pending.request.id());
                self.submit(pending);
            }
        }
    }

    /// What this search gave before.
    async fn known(&mut self, request: &SearchRequest) -> Option<SearchResult> {
        let memory = self.memory.clone()?;
        let mut find = pin!(memory.find(request).fuse());
        // What the engine says while the browser is asked is heard at once: a search that ends then is known to all.
        let found = loop {
            let said = async {
                match self.running.as_mut().filter(|running| running.session.dead().is_none()) {
                    Some(running) => running.events.next().await,
                    None => std::future::pending().await,
                }
            };
            select_biased! {
                event = pin!(said.fuse()) => self.on_worker(event.unwrap_or_else(closed)),
                found = find => break found,
            }
        };
        self.bury().await;
        let Some((result, engine)) = found else {
            // Another engine, or this one, may have made it meanwhile.
            return memory.at_hand(request);
        };
        if let Some(engine) = engine {
            let mut name = self.name.borrow_mut();
            if name.is_empty() {
                *name = engine;
            }
        }
        Some(result)
    }

    /// Whether somebody waits for a search in the background.
    fn is_asked_behind(&self) -> bool {
        let running = self.behind.and_then(|id| self.pending.get(&id));
        running
            .into_iter()
            .chain(&self.background)
            .any(|pending| !pending.is_ahead && !pending.reply.is_canceled())
    }

    /// Where just this search runs ahead of being asked for, it is now the one that was asked for; else it is given back.
    fn take_over(&mut self, asked: Pending) -> Option<Pending> {
        let running = self.behind.and_then(|id| self.pending.get_mut(&id));
        let Some(running) =
            running.filter(|running| running.is_ahead && running.request.identity() == asked.request.identity())
        else {
            return Some(asked);
        };
        let id = running.request.id();
        let request = running.request.clone();
        self.behind = None;
        self.pending.insert(id, Pending { request, ..asked });
        None
    }

    /// Has the search in the background wait again. The search that comes in its place stops it.
    fn step_back(&mut self) {
        if let Some(pending) = self.behind.take().and_then(|id| self.pending.remove(&id)) {
            self.background = Some(pending);
        }
    }

    /// Ends the search in the background, whether it runs or waits, and tells whoever waits for it.
    fn drop_background(&mut self) {
        let running = self.behind.take().and_then(|id| self.pending.remove(&id));
        if running.is_some() {
            self.step(Session::stop);
        }
        for pending in running.into_iter().chain(self.background.take()) {
            let _ = pending.reply.send(Err(SearchError::Stopped));
        }
    }

    fn refuse_background(&mut self, error: &EngineError) {
        if let Some(pending) = self.background.take() {
            let _ = pending.reply.send(Err(error.clone().into()));
        }
    }

    fn submit(&mut self, pending: Pending) {
        let Some(running) = &mut self.running else { return };
        match running.session.start_search(pending.request.clone()) {
            Ok(events) => {
                self.pending.insert(pending.request.id(), pending);
                self.apply(events);
            }
            Err(refused) => {
                let error = match refused {
                    Refused::GameOver => SearchError::GameOver,
                    Refused::Dead(dead) => EngineError::from(dead).into(),
                };
                let _ = pending.reply.send(Err(error));
            }
        }
    }

    async fn start(&mut self) -> Result<(), EngineError> {
        if self.running.is_some() {
            return Ok(());
        }
        (self.report)(EngineStatus::Starting);
        let result = self.launch().await;
        if let Err(error) = &result {
            (self.report)(EngineStatus::Failed(error.clone()));
        }
        result
    }

    async fn launch(&mut self) -> Result<(), EngineError> {
        let script = (self.kind.script)();
        preflight::fetch(&script, FileType::Script).await?;
        if let Some(wasm) = self.kind.wasm {
            preflight::fetch(&wasm(), FileType::Wasm).await?;
        }
        let (worker, events) = Worker::start(&script, Script::Classic)?;
        let session = Session::new(self.kind.settings.clone());
        let opening = session.open();
        self.running = Some(Running {
            worker,
            events,
            session,
            was_ready: false,
        });
        self.apply(opening);
        Ok(())
    }

    fn on_worker(&mut self, event: WorkerEvent) {
        match event {
            WorkerEvent::Message(data) => {
                let text = data.as_string().unwrap_or_default();
                for line in text.lines() {
                    self.step(|session| session.on_line(line));
                }
            }
            WorkerEvent::Failed(text) => {
                let text = if text.is_empty() {
                    "its script was blocked or did not load".to_owned()
                } else {
                    text
                };
                self.step(|session| session.on_exit(&text));
            }
        }
    }

    fn step(&mut self, change: impl FnOnce(&mut Session) -> Vec<Event>) {
        if let Some(running) = &mut self.running {
            let events = change(&mut running.session);
            self.apply(events);
        }
    }

    fn apply(&mut self, events: Vec<Event>) {
        for event in events {
            match event {
                Event::Send(line) => {
                    let Some(running) = &mut self.running else { continue };
                    if let Err(error) = running.worker.post_text(&line) {
                        let lost = running.session.on_exit(&error.to_string());
                        self.apply(lost);
                        return;
                    }
                }
                Event::Ready { name } => {
                    if let Some(running) = &mut self.running {
                        running.was_ready = true;
                    }
                    (self.report)(EngineStatus::Ready(name));
                    if let Some(dead) = self.lost.take() {
                        (self.report)(EngineStatus::Back(dead));
                    }
                }
                Event::Progress { id, result } => {
                    if let Some(pending) = self.pending.get_mut(&id) {
                        (pending.progress)(&result);
                    }
                }
                Event::Finished { id, result, stopped } => {
                    if self.behind == Some(id) {
                        self.behind = None;
                    }
                    if let Some(pending) = self.pending.remove(&id) {
                        if let Some(memory) = self.memory.as_ref().filter(|_| !stopped && !result.lines.is_empty()) {
                            memory.keep(&pending.request, &result, &self.name.borrow());
                        }
                        let answer = if stopped && result.lines.is_empty() {
                            Err(SearchError::Stopped)
                        } else {
                            Ok(result)
                        };
                        let _ = pending.reply.send(answer);
                    }
                }
                Event::Lost { id } => self.on_lost(id),
                Event::Died(dead) => (self.report)(EngineStatus::Failed(dead.into())),
            }
        }
    }

    /// A search was replaced, or the engine died under it. In the second case it stays pending, for [`Actor::bury`].
    fn on_lost(&mut self, id: u64) {
        let dying = self.running.as_ref().is_some_and(|r| r.session.dead().is_some());
        if dying {
            return;
        }
        if let Some(pending) = self.pending.remove(&id) {
            let _ = pending.reply.send(Err(SearchError::Stopped));
        }
    }

    /// Removes a dead engine. If it had been up, what was lost is asked of a new one, once.
    async fn bury(&mut self) {
        let Some(dead) = self.running.as_ref().and_then(|r| r.session.dead().cloned()) else {
            return;
        };
        let was_ready = self.running.take().is_some_and(|r| r.was_ready);
        self.lost = was_ready.then(|| dead.clone());
        let behind = self.behind.take();
        let lost: Vec<Pending> = self.pending.drain().map(|(_, pending)| pending).collect();
        for mut pending in lost {
            if !was_ready || pending.retried {
                let _ = pending.reply.send(Err(EngineError::from(dead.clone()).into()));
                continue;
            }
            pending.retried = true;
            match self.start().await {
                Ok(()) if behind == Some(pending.request.id()) => self.background = Some(pending),
                Ok(()) => self.submit(pending),
                Err(error) => {
                    let _ = pending.reply.send(Err(error.into()));
                }
            }
        }
        if self.background.is_none() || self.running.is_some() {
            return;
        }
        // What waited in the background needs an engine, too; one that never came up will not the next time.
        let again = if was_ready {
            self.start().await
        } else {
            Err(dead.into())
        };
        if let Err(error) = again {
            self.refuse_background(&error);
        }
    }
}
