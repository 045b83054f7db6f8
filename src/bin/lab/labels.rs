//! Stockfish 8 as a process: the evaluation terms of positions.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use kibitz::concepts::sf8::{Eval, ReadError, TableReader};
use kibitz::uci::Command;
use shakmaty::Chess;

use super::process::{Process, ProcessError};

/// Time to start: a megabyte of JavaScript.
const START: Duration = Duration::from_secs(30);
/// Time for one `eval`, which takes a fraction of a millisecond.
const EVALUATION: Duration = Duration::from_secs(10);
/// Positions asked for in one go: few enough that the answers find room while the questions are written.
const AT_ONCE: usize = 32;

/// Stockfish 8, one process at a time. After a crash the next request starts a new one.
#[derive(Debug)]
pub struct Labels {
    path: PathBuf,
    running: Option<Process>,
}

/// Why there are no terms.
#[derive(Debug, thiserror::Error)]
pub enum LabelsError {
    /// No process, or it died.
    #[error("Stockfish 8 for the concepts ({path}) is of no use: {error}")]
    Process {
        /// The file.
        path: PathBuf,
        /// What happened.
        error: ProcessError,
    },
    /// What it printed is not a table of terms.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl Labels {
    /// Starts it and waits until it answers. A file that ends in `.js` is run under `node`.
    pub fn start(path: &Path) -> Result<Self, LabelsError> {
        let mut labels = Self {
            path: path.to_owned(),
            running: None,
        };
        let process = labels.boot()?;
        labels.running = Some(process);
        Ok(labels)
    }

    /// What `eval` says of each position, in order.
    pub fn evaluate(&mut self, positions: &[Chess]) -> Result<Vec<Eval>, LabelsError> {
        let mut process = match self.running.take() {
            Some(process) => process,
            None => self.boot()?,
        };
        let mut reader = TableReader::new();
        let mut evals = Vec::with_capacity(positions.len());
        for some in positions.chunks(AT_ONCE) {
            let commands: String = some.iter().map(question).collect();
            process.send(&commands).map_err(|error| self.failed(error))?;
            let wanted = evals.len() + some.len();
            while evals.len() < wanted {
                let line = process
                    .line(Instant::now() + EVALUATION)
                    .map_err(|error| self.failed(error))?;
                if let Some(eval) = reader.on_line(&line) {
                    evals.push(eval?);
                }
            }
        }
        // Only a process that answered all is kept: nothing of an old question can be taken for an answer to a new one.
        self.running = Some(process);
        Ok(evals)
    }

    fn boot(&self) -> Result<Process, LabelsError> {
        let script = self.path.extension() == Some(OsStr::new("js"));
        let started = if script {
            Process::start(OsStr::new("node"), &[self.path.as_os_str()])
        } else {
            Process::start(self.path.as_os_str(), &[])
        };
        let mut process = started.map_err(|error| self.failed(error))?;
        let until = Instant::now() + START;
        process
            .send(&format!("{}\n", Command::Uci))
            .map_err(|error| self.failed(error))?;
        while process.line(until).map_err(|error| self.failed(error))?.trim() != "uciok" {}
        Ok(process)
    }

    fn failed(&self, error: ProcessError) -> LabelsError {
        LabelsError::Process {
            path: self.path.clone(),
            error,
        }
    }
}

fn question(position: &Chess) -> String {
    let position = Command::Position {
        start: Box::new(position.clone()),
        moves: Vec::new(),
    };
    format!("{position}\n{}\n", Command::Eval)
}
