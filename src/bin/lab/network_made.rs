//! `lab network made-up` and `lab network onnx`: what the benchmark compares networks' speed with.

use std::{error::Error, path::PathBuf};

use kibitz::{
    chess::fen::read_fen,
    net::{Encoding, Planes, read_network, write_network, write_onnx, writer::gzip},
    view::bench::POSITIONS,
};
use serde::Serialize;

use super::setup::read;

/// A network of chance.
#[derive(Debug, clap::Args)]
pub struct MadeUp {
    /// The network whose kind it has.
    #[arg(long, value_name = "FILE")]
    like: PathBuf,
    /// Its filters.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    filters: u16,
    /// Its blocks.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=100))]
    blocks: u16,
    /// Decides the weights.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The network (.pb.gz).
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// An export.
#[derive(Debug, clap::Args)]
pub struct Onnx {
    /// The network.
    file: PathBuf,
    /// The export (.onnx).
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The benchmark's positions with what the network reads of them (.json).
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
}

/// A position as Kibitz is told it, and as another program is; a move that is made there.
#[derive(Debug, Serialize)]
struct Shown {
    fen: &'static str,
    mv: &'static str,
    /// 112 × 8 × 8.
    planes: Vec<f32>,
}

impl MadeUp {
    /// Writes it.
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        let like = read_network(&read(&self.like, "--like")?).map_err(|e| format!("{}: {e}", self.like.display()))?;
        let made_up = like.made_up(self.filters.into(), self.blocks.into(), self.seed);
        let made_up = made_up.ok_or("--like wants a network with a residual body, and this one has encoders")?;
        write(&self.out, &gzip(&write_network(&made_up, Encoding::Linear16)))
    }
}

impl Onnx {
    /// Writes it.
    pub fn run(&self) -> Result<(), Box<dyn Error>> {
        let at = |error: &dyn std::fmt::Display| format!("{}: {error}", self.file.display());
        let network = read_network(&read(&self.file, "FILE")?).map_err(|error| at(&error))?;
        write(&self.out, &write_onnx(&network).map_err(|error| at(&error))?)?;
        if let Some(out) = &self.positions {
            let shown = |(fen, mv): (&'static str, &'static str)| -> Result<Shown, Box<dyn Error>> {
                let planes = Planes::with_format(network.format.input, &[], &read_fen(fen)?.position).values();
                Ok(Shown { fen, mv, planes })
            };
            let shown = POSITIONS.into_iter().map(shown).collect::<Result<Vec<_>, _>>()?;
            write(out, &serde_json::to_vec(&shown)?)?;
        }
        Ok(())
    }
}

fn write(path: &PathBuf, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    std::fs::write(path, bytes).map_err(|error| format!("{} can't be written: {error}", path.display()).into())
}
