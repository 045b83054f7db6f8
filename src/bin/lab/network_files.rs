//! `lab network`: makes a network's file out of PyTorch's weights, and says what a file is.

use std::{
    collections::BTreeMap,
    error::Error,
    io,
    path::{Path, PathBuf},
};

use clap::Subcommand;
use kibitz::net::{
    Encoding, Network, NetworkError, format::BodyFormat, network::Description, read_network, state_dict, write_network,
    writer::gzip,
};
use safetensors::{Dtype, SafeTensorError, SafeTensors};

use super::network_made;
use super::setup::read;

/// What to do with networks.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Writes PyTorch's weights as an Lc0 network, reads it back and compares.
    Pack {
        /// The state dict (.safetensors), batch normalisation and all, in single precision.
        #[arg(long, value_name = "FILE")]
        weights: PathBuf,
        /// The network (.pb.gz).
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Writes a network that nobody has trained: the shape of another, any size, weights of chance.
    MadeUp(network_made::MadeUp),
    /// Writes a network as an ONNX file that other programs run.
    Onnx(network_made::Onnx),
    /// Prints what a network's file is.
    Show {
        /// The network (.pb, .pb.gz, or .onnx as Lc0 exports it).
        file: PathBuf,
    },
}

/// Why a network could not be made.
#[derive(Debug, thiserror::Error)]
enum PackError {
    #[error("{path} is not a safetensors file: {error}")]
    Safetensors { path: PathBuf, error: SafeTensorError },
    #[error("the tensor {name:?} is {dtype}; save it as float32")]
    Precision { name: String, dtype: Dtype },
    #[error(transparent)]
    StateDict(#[from] state_dict::StateDictError),
    #[error("the written network can't be read back: {0}")]
    Back(#[from] NetworkError),
    #[error("layer {0} is read back with other weights than were written")]
    Far(usize),
    #[error("the network is written differently once it was read back")]
    Unstable,
    #[error("the network that is read back is another one than was written")]
    Another,
    #[error("{path} can't be written: {error}")]
    Write { path: PathBuf, error: io::Error },
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    match &args.command {
        Command::Pack { weights, out } => {
            let tensors = state_dict(weights, &read(weights, "--weights")?)?;
            let (file, written) = pack(&state_dict::network(&tensors).map_err(PackError::from)?)?;
            std::fs::write(out, &file).map_err(|error| PackError::Write {
                path: out.clone(),
                error,
            })?;
            show(out, file.len(), &written);
        }
        Command::MadeUp(args) => args.run()?,
        Command::Onnx(args) => args.run()?,
        Command::Show { file } => {
            let bytes = read(file, "FILE")?;
            let network = read_network(&bytes).map_err(|error| format!("{}: {error}", file.display()))?;
            show(file, bytes.len(), &network.description());
        }
    }
    Ok(())
}

/// The tensors of a safetensors file. PyTorch's counters of batches, which are integers, are left out.
fn state_dict(path: &Path, bytes: &[u8]) -> Result<BTreeMap<String, state_dict::Tensor>, PackError> {
    let file = SafeTensors::deserialize(bytes).map_err(|error| PackError::Safetensors {
        path: path.to_owned(),
        error,
    })?;
    let floats = file.iter().filter(|(name, _)| !name.ends_with(".num_batches_tracked"));
    floats
        .map(|(name, tensor)| {
            if tensor.dtype() != Dtype::F32 {
                return Err(PackError::Precision {
                    name: name.to_owned(),
                    dtype: tensor.dtype(),
                });
            }
            let values = tensor.data().chunks_exact(4);
            let tensor = state_dict::Tensor {
                shape: tensor.shape().to_vec(),
                values: values.map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect(),
            };
            Ok((name.to_owned(), tensor))
        })
        .collect()
}

/// The network's file, which has been read back and compared, and what it is.
fn pack(network: &Network) -> Result<(Vec<u8>, Description), PackError> {
    let plain = write_network(network, Encoding::Linear16);
    let file = gzip(&plain);
    let again = read_network(&file)?;
    // 16 bits keep a weight to a step of its layer; once there, writing and reading change nothing any more.
    let (before, after) = (network.layers(), again.layers());
    if before.len() != after.len() || again.format != network.format {
        return Err(PackError::Another);
    }
    if let Some(number) = before.iter().zip(&after).position(|(a, b)| !within_a_step(a, b)) {
        return Err(PackError::Far(number));
    }
    if write_network(&again, Encoding::Linear16) != plain {
        return Err(PackError::Unstable);
    }
    Ok((file, again.description()))
}

/// Whether `read` is `written` to one of LINEAR16's steps, or two at the ends, which are moved to keep zero a step.
fn within_a_step(written: &[f32], read: &[f32]) -> bool {
    let (min, max) = written
        .iter()
        .fold((f32::MAX, f32::MIN), |(min, max), &w| (min.min(w), max.max(w)));
    let steps =
        2.0 * (f64::from(max) - f64::from(min)) / 65535.0 + f64::from(f32::EPSILON) * f64::from(max.abs() + min.abs());
    let mut pairs = written.iter().zip(read);
    written.len() == read.len() && pairs.all(|(&a, &b)| (f64::from(a) - f64::from(b)).abs() <= steps)
}

fn show(path: &Path, bytes: usize, network: &Description) {
    let Description {
        format,
        se_ratio,
        sha256,
        ..
    } = network;
    outln!("file     {}", path.display());
    outln!("size     {bytes} bytes");
    outln!("sha256   {sha256}");
    outln!("body     {}", network.size());
    match (se_ratio, format.body) {
        (_, BodyFormat::Attention) => {}
        (Some(ratio), _) => outln!("         squeeze-excitation, 1 in {ratio}"),
        (None, _) => outln!("         no squeeze-excitation"),
    }
    outln!("input    {:?}", format.input);
    outln!("policy   {:?}", format.policy);
    outln!("value    {:?}", format.value);
    outln!("between  {:?}", format.activation);
    if format.moves_left {
        outln!("and      how many moves are left");
    }
}
