//! `lab motifs`: the options of the report in [`super::motifs`], and the engine that judges for it.

use std::{
    error::Error,
    io::{BufWriter, Write},
    path::PathBuf,
};

use super::comment::LimitArgs;
use super::motifs;
use super::output;
use super::pipeline::Pipeline;
use super::setup::Parts;

/// What is counted, and whether an engine looks on.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A folder of Lichess puzzles, one CSV a theme.
    dir: PathBuf,
    /// A UCI engine for the facts along its line; `none` (which is the default here) leaves the board's own.
    #[arg(long, value_name = "PATH", default_value = "none")]
    engine: PathBuf,
    #[command(flatten)]
    limit: LimitArgs,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let parts = Parts {
        engine: Some(args.engine.clone()),
        labels: None,
        net: None,
    };
    let mut pipeline = Pipeline {
        engine: parts.engine()?,
        labels: None,
        network: None,
        probes: None,
        rule: kibitz::concepts::Rule::default(),
        limit: args.limit.limit(),
        multipv: 2,
        known: None,
    };
    let mut out = BufWriter::new(output::stdout());
    if pipeline.engine.is_none() {
        motifs::run(&args.dir, &mut out, None)?;
    } else {
        let mut failed = 0;
        let mut judge = |played: &kibitz::chess::Played| {
            pipeline.evaluate(played).unwrap_or_else(|error| {
                errln!("lab: {error}");
                failed += 1;
                None
            })
        };
        motifs::run(&args.dir, &mut out, Some(&mut judge))?;
        if failed > 0 {
            errln!("lab: the engine failed on {failed} positions");
        }
    }
    out.flush()?;
    Ok(())
}
