//! Finding and starting what the commands need, from the options they share.

use std::{
    env, io,
    path::{Path, PathBuf},
};

use kibitz::{concepts::probe_file, file_text::NotText};

use super::engine::{Engine, EngineError};
use super::file_text::text_of;
use super::labels::{Labels, LabelsError};
use super::network::{NetworkFileError, Runnable};

/// Where Debian puts games, which is not on every PATH.
const DEBIAN_GAMES: &str = "/usr/games";
/// Where `npm install` puts Stockfish 8, from the repository's root.
const NPM_LABELS: &str = "node_modules/stockfish-8/src/stockfish.js";

/// Where the parts are.
#[derive(Debug, clap::Args)]
pub struct Parts {
    /// A UCI engine; without it `stockfish` on the PATH, then /usr/games/stockfish. `none` gives board facts only.
    #[arg(long, value_name = "PATH")]
    pub engine: Option<PathBuf>,
    /// Stockfish 8 for the concepts: npm's stockfish.js, or a native one. Without it the one in node_modules; `none`
    /// leaves the concepts out.
    #[arg(long, value_name = "PATH")]
    pub labels: Option<PathBuf>,
    /// An Lc0 network (.pb, .pb.gz, or .onnx as Lc0 exports it).
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
}

/// A part that can't be had, in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// No engine was named and none is there.
    #[error("no engine was found: install stockfish, or name one with --engine PATH (or --engine none)")]
    NoEngine,
    /// The named file is not there.
    #[error("{option} {path}: there is no such file")]
    NoFile {
        /// The option.
        option: &'static str,
        /// Its value.
        path: PathBuf,
    },
    /// It is there and can't be read.
    #[error("{path} can't be read: {error}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// It is there and is no text.
    #[error("{path}: {error}")]
    NotText {
        /// The file.
        path: PathBuf,
        /// What it is.
        error: NotText,
    },
    /// It does not run.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// It does not run.
    #[error(transparent)]
    Labels(#[from] LabelsError),
    /// The file is not a network, or it doesn't run.
    #[error(transparent)]
    Network(#[from] NetworkFileError),
    /// The file does not hold probes.
    #[error(transparent)]
    Probes(#[from] probe_file::ReadError),
}

impl Parts {
    /// The engine, `None` when none is wanted.
    pub fn engine(&self) -> Result<Option<Engine>, SetupError> {
        self.engine_with(&[])
    }

    /// The same with options of the engine, by name and value.
    pub fn engine_with(&self, options: &[(String, String)]) -> Result<Option<Engine>, SetupError> {
        let path = match &self.engine {
            Some(path) if is_none(path) => return Ok(None),
            // A bare name is looked up as a shell would, and among Debian's games.
            Some(path) if path.components().count() == 1 && !path.is_file() => {
                installed(path).ok_or_else(|| missing("--engine", path))?
            }
            Some(path) => existing("--engine", path)?,
            None => installed(Path::new("stockfish")).ok_or(SetupError::NoEngine)?,
        };
        Ok(Some(Engine::start(&path, options.to_vec())?))
    }

    /// Stockfish 8, started. `None` when it is not wanted, or was not named and is not installed.
    pub fn labels(&self) -> Result<Option<Labels>, SetupError> {
        Ok(match self.labels_path()? {
            Some(path) => Some(Labels::start(&path)?),
            None => None,
        })
    }

    /// Where Stockfish 8 is. `None` when it is not wanted, or was not named and is not installed; the latter is said
    /// on standard error.
    pub fn labels_path(&self) -> Result<Option<PathBuf>, SetupError> {
        match &self.labels {
            Some(path) if is_none(path) => Ok(None),
            Some(path) => existing("--labels", path).map(Some),
            None => {
                let here = env::current_dir().unwrap_or_default();
                let found = here
                    .ancestors()
                    .map(|dir| dir.join(NPM_LABELS))
                    .find(|path| path.is_file());
                if found.is_none() {
                    errln!("lab: no concepts: {NPM_LABELS} is not there (npm ci installs it; --labels names another)");
                }
                Ok(found)
            }
        }
    }

    /// The network, `None` when none is named.
    pub fn network(&self) -> Result<Option<Runnable>, SetupError> {
        let Some(path) = &self.net else { return Ok(None) };
        let bytes = read(path, "--net")?;
        Ok(Some(Runnable::read(path, &bytes)?))
    }
}

/// The bytes of a file that an option names.
pub fn read(path: &Path, option: &'static str) -> Result<Vec<u8>, SetupError> {
    std::fs::read(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => missing(option, path),
        _ => SetupError::Unreadable {
            path: path.to_owned(),
            error,
        },
    })
}

/// The text of a file that an option names.
pub fn read_text(path: &Path, option: &'static str) -> Result<String, SetupError> {
    text_of(path, &read(path, option)?).map_err(|error| SetupError::NotText {
        path: path.to_owned(),
        error,
    })
}

fn is_none(path: &Path) -> bool {
    path.as_os_str() == "none"
}

fn missing(option: &'static str, path: &Path) -> SetupError {
    SetupError::NoFile {
        option,
        path: path.to_owned(),
    }
}

fn existing(option: &'static str, path: &Path) -> Result<PathBuf, SetupError> {
    if path.is_file() {
        return Ok(path.to_owned());
    }
    Err(missing(option, path))
}

fn installed(name: &Path) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .chain([PathBuf::from(DEBIAN_GAMES)])
        .map(|dir| dir.join(name))
        .find(|path| path.is_file())
}
