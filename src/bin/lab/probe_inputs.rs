//! What probes are fitted and judged on: network, positions, labels.

use std::{error::Error, path::PathBuf};

use kibitz::{
    concepts::split::Positions,
    net::{Network, read_network},
};
use serde::Serialize;

use super::{
    probe_data::{Cache, Labelled, PositionFile, file_name, labels, sha256_of},
    setup::{Parts, read},
};

/// Network, positions, labels.
#[derive(Debug, clap::Args)]
pub struct Sources {
    /// The Lc0 network (.pb or .pb.gz).
    #[arg(long, value_name = "FILE")]
    pub net: PathBuf,
    /// Positions with their games: a file of `lab positions`.
    #[arg(long, value_name = "FILE.jsonl")]
    pub positions: PathBuf,
    /// Stockfish 8: npm's stockfish.js, or a native one. Without it the one in node_modules.
    #[arg(long, value_name = "PATH")]
    pub labels: Option<PathBuf>,
}

/// Network, positions and labels, read.
pub struct ProbeInputs {
    /// The network.
    pub network: Network,
    /// The name of its file.
    pub network_name: String,
    /// The positions.
    pub file: PositionFile,
    /// How they are dealt out.
    pub positions: Positions,
    /// Their labels.
    pub labelled: Labelled,
    /// Stockfish 8.
    pub labels_path: PathBuf,
    /// Its SHA-256.
    pub labels_hash: String,
}

/// A file that a report rests on.
#[derive(Debug, Serialize)]
pub struct Named<'a> {
    /// Its name, without folders.
    pub name: &'a str,
    /// Of its bytes, in hexadecimal.
    pub sha256: &'a str,
}

impl ProbeInputs {
    /// The network's file.
    pub fn named_network(&self) -> Named<'_> {
        Named {
            name: &self.network_name,
            sha256: &self.network.sha256,
        }
    }

    /// The positions' file.
    pub fn named_positions(&self) -> Named<'_> {
        Named {
            name: &self.file.name,
            sha256: &self.file.sha256,
        }
    }

    /// Reads and labels.
    pub fn new(sources: &Sources, seed: u64, cache: &Cache) -> Result<Self, Box<dyn Error>> {
        let network = read_network(&read(&sources.net, "--net")?)
            .map_err(|error| format!("{}: {error}", sources.net.display()))?;
        let parts = Parts {
            engine: None,
            labels: sources.labels.clone(),
            net: None,
        };
        let labels_path = parts
            .labels_path()?
            .ok_or("probes can't be judged without Stockfish 8")?;
        let labels_hash = sha256_of(&labels_path)?;
        let file = PositionFile::read(&sources.positions)?;
        let labelled = labels(&labels_path, &labels_hash, &file, cache)?;
        let texts = file
            .records
            .iter()
            .map(|record| (record.game.as_str(), record.fen.as_str()));
        Ok(Self {
            network,
            network_name: file_name(&sources.net),
            positions: Positions::new(texts, seed),
            labelled,
            labels_path,
            labels_hash,
            file,
        })
    }

    /// What a probe card says of the labels.
    pub fn labels_text(&self) -> String {
        format!("Stockfish 8 eval, mid-game (sha256 {})", &self.labels_hash[..12])
    }
}
