//! `lab training-set`: positions and targets packed for the training program (training/README.md).

use std::{
    error::Error,
    fs::File,
    io::{BufWriter, Write},
    path::PathBuf,
};

use kibitz::{
    chess::fen::read_fen,
    training::{packed::pack, target::Target},
};

use super::source_file::read_games;

/// What to pack.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files of `lab positions`, with the engine's moves, or of `lab games`.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where the records go.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(File::create(&args.out)?);
    let (mut game, mut packed, mut without) = (0u32, 0usize, 0usize);
    for path in &args.files {
        let mut written = Ok(());
        read_games(path, |records| {
            for record in &records {
                let target = record.choices().and_then(|choices| {
                    let position = read_fen(&record.fen).ok()?.position;
                    let target = Target::new(&position, &choices)?;
                    Some((position, target))
                });
                match target {
                    Some((position, target)) => {
                        packed += 1;
                        if written.is_ok() {
                            written = out.write_all(&pack(&position, &target, game));
                        }
                    }
                    None => without += 1,
                }
            }
            game += 1;
        })?;
        written?;
    }
    out.flush()?;
    errln!("lab: {packed} records of {game} games; {without} positions had no judged move");
    Ok(())
}
