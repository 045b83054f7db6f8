//! A native UCI engine, driven by the same [`Session`] that drives the browser's.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use kibitz::uci::{Dead, Event, Limit, Refused, SearchRequest, SearchResult, Session, Waiting};

use super::process::{Process, ProcessError};

/// Time to start: a cold disk and a network of 50 MB.
const START: Duration = Duration::from_secs(30);
/// Time to answer `stop`.
const STOP: Duration = Duration::from_secs(10);
/// Time for a depth, which has no natural one.
const DEPTH: Duration = Duration::from_secs(600);
/// Nodes a second that the slowest engine and machine still reach.
const SLOWEST: u64 = 2_000;

/// An engine, one process at a time. After a crash the next search starts a new one.
#[derive(Debug)]
pub struct Engine {
    path: PathBuf,
    options: Vec<(String, String)>,
    running: Option<(Process, Session)>,
    name: String,
}

/// Why a search gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// No process.
    #[error("the engine {0}")]
    Process(#[from] ProcessError),
    /// It died.
    #[error("{0} ({1})")]
    Dead(Dead, PathBuf),
    /// It would not search that.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// It did not finish.
    #[error("the engine did not finish its search within {0} seconds")]
    Overran(u64),
    /// The search ended without a result. Does not happen with one request at a time.
    #[error("the engine lost the search")]
    Lost,
}

impl Engine {
    /// Starts the engine with options of its own, by name and value, and waits until it is ready, so that a wrong path is
    /// known at once.
    pub fn start(path: &Path, options: Vec<(String, String)>) -> Result<Self, EngineError> {
        let mut engine = Self {
            path: path.to_owned(),
            options,
            running: None,
            name: String::new(),
        };
        engine.boot()?;
        Ok(engine)
    }

    /// What the engine calls itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Searches until the request's limit.
    pub fn search(&mut self, request: SearchRequest) -> Result<SearchResult, EngineError> {
        if self.running.is_none() {
            self.boot()?;
        }
        let limit = request.limit();
        let (_, session) = self.running.as_mut().ok_or(EngineError::Lost)?;
        let events = session.start_search(request)?;
        self.drive(events, |event| match event {
            Event::Finished { result, stopped, .. } => Some((result, stopped)),
            _ => None,
        })
        .and_then(|(result, stopped)| {
            if stopped {
                return Err(EngineError::Overran(patience(Waiting::Search(limit)).as_secs()));
            }
            Ok(result)
        })
    }

    fn boot(&mut self) -> Result<(), EngineError> {
        // npm has Stockfish as a script.
        let process = match self.path.extension().is_some_and(|end| end == "js") {
            true => Process::start(OsStr::new("node"), &[self.path.as_os_str()])?,
            false => Process::start(self.path.as_os_str(), &[])?,
        };
        // One thread and a set hash: with a node limit the same search gives the same result.
        let settings = [("Threads", "1"), ("Hash", "16"), ("UCI_ShowWDL", "true")];
        let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let session = Session::new(settings.into_iter().chain(self.options.iter().cloned()).collect());
        let events = session.open();
        self.running = Some((process, session));
        self.name = self.drive(events, |event| match event {
            Event::Ready { name } => Some(name),
            _ => None,
        })?;
        if self.name.is_empty() {
            self.name = self.path.display().to_string();
        }
        Ok(())
    }

    /// Does what the session asks for until an event gives what is wanted.
    fn drive<T>(
        &mut self,
        mut events: Vec<Event>,
        mut wanted: impl FnMut(Event) -> Option<T>,
    ) -> Result<T, EngineError> {
        let (mut process, mut session) = self.running.take().ok_or(EngineError::Lost)?;
        let mut deadline = None;
        loop {
            let mut found = None;
            let mut commands = String::new();
            for event in events {
                match event {
                    Event::Send(line) => {
                        commands.push_str(&line);
                        commands.push('\n');
                    }
                    // The process is dropped, and so killed.
                    Event::Died(reason) => return Err(EngineError::Dead(reason, self.path.clone())),
                    Event::Lost { .. } => {}
                    other => found = found.or_else(|| wanted(other)),
                }
            }
            let sent = if commands.is_empty() {
                Ok(())
            } else {
                process.send(&commands)
            };
            if let Some(found) = found {
                self.running = Some((process, session));
                return Ok(found);
            }
            let waiting = session.waiting();
            let until = match deadline {
                Some((for_what, until)) if for_what == waiting => until,
                _ => Instant::now() + patience(waiting),
            };
            deadline = Some((waiting, until));
            events = match sent.and_then(|()| process.line(until)) {
                Ok(line) => session.on_line(&line),
                Err(ProcessError::Silent) => session.on_timeout(),
                Err(ProcessError::Ended(detail)) => session.on_exit(&detail),
                Err(error @ ProcessError::Start { .. }) => return Err(error.into()),
            };
        }
    }
}

/// How long to wait: long enough that only something broken is given up.
fn patience(waiting: Waiting) -> Duration {
    match waiting {
        Waiting::Nothing | Waiting::Start => START,
        Waiting::Stop => STOP,
        Waiting::Search(Limit::Depth(_)) => DEPTH,
        Waiting::Search(Limit::Time(ms) | Limit::DepthTime { ms, .. }) => Duration::from_millis(u64::from(ms)) + START,
        Waiting::Search(Limit::Nodes(nodes)) => Duration::from_secs(nodes / SLOWEST) + START,
    }
}
