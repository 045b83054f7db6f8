//! An Lc0 network on the command line.

use std::path::{Path, PathBuf};

use kibitz::concepts::{
    Men,
    difference::{Seats, Seen, seats},
};
use kibitz::net::{Network, NetworkError, NetworkOutput, Planes, RunError, Runner, Taps, read_network};
use shakmaty::{Chess, Color};

/// A network that has been read and built.
#[derive(Debug)]
pub struct Runnable {
    /// The file's name.
    pub name: String,
    /// SHA-256 of the network.
    pub hash: String,
    runner: Runner,
}

/// A file that can't be used as a network.
#[derive(Debug, thiserror::Error)]
pub enum NetworkFileError {
    /// It is not a network, or not one that Kibitz runs.
    #[error("{path}: {error}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: Box<NetworkError>,
    },
    /// It can't be run.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl Runnable {
    /// Reads and builds the network.
    pub fn read(path: &Path, bytes: &[u8]) -> Result<Self, NetworkFileError> {
        let network: Network = read_network(bytes).map_err(|error| NetworkFileError::Read {
            path: path.to_owned(),
            error: Box::new(error),
        })?;
        Ok(Self {
            name: path
                .file_name()
                .unwrap_or(path.as_os_str())
                .to_string_lossy()
                .into_owned(),
            hash: network.sha256.clone(),
            runner: Runner::with_taps(&network, Taps::All)?,
        })
    }

    /// Evaluates a position that was reached through `history`. The side to move's view.
    pub fn evaluate(&self, history: &[Chess], position: &Chess) -> Result<NetworkOutput, RunError> {
        self.runner.evaluate(history, position)
    }

    /// The same, with every residual block's activations.
    pub fn evaluate_tapped(
        &self,
        history: &[Chess],
        position: &Chess,
    ) -> Result<(NetworkOutput, Vec<Vec<f32>>), RunError> {
        self.runner.evaluate_tapped(history, position)
    }

    /// What the network makes of a bare position from both sides' seats, for probes of changes.
    pub fn seats(&self, position: &Chess, mover: Color) -> Result<Seats, RunError> {
        let seen = |planes: &Planes| -> Result<Seen, RunError> {
            Ok(Seen {
                activations: self.runner.run(planes)?.activations,
                men: Men::on(planes),
            })
        };
        let [own, other] = seats::planes(self.runner.input(), position, mover);
        Ok(Seats {
            mover: seen(&own)?,
            opponent: seen(&other)?,
        })
    }

    /// Where the men of a position stand, as the network sees the board.
    pub fn men(&self, position: &Chess) -> Men {
        Men::on(&self.runner.planes(&[], position))
    }
}
