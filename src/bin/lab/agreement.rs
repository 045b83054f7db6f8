//! `lab agreement`: how far a network agrees with the engine that judged the positions.

use std::{error::Error, path::PathBuf};

use kibitz::{
    chess::fen::read_fen,
    training::agreement::{Agreement, Figures},
};
use serde_json::json;

use super::probe_data::sha256_of;
use super::setup::Parts;
use super::source_file::read_games;

/// What is compared.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The networks.
    #[arg(long = "net", value_name = "FILE", required = true)]
    nets: Vec<PathBuf>,
    /// Positions with the engine's moves, from `lab positions`.
    #[arg(long, value_name = "FILE.jsonl")]
    positions: PathBuf,
    /// One JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let mut rows = Vec::new();
    for path in &args.nets {
        let parts = Parts {
            engine: None,
            labels: None,
            net: Some(path.clone()),
        };
        let Some(network) = parts.network()? else { continue };
        let mut agreement = Agreement::default();
        let mut failed = Ok(());
        read_games(&args.positions, |records| {
            for record in records {
                let (Some(choices), Ok(read)) = (record.choices(), read_fen(&record.fen)) else {
                    continue;
                };
                match network.evaluate(&[], &read.position) {
                    Ok(output) => {
                        agreement.count(&read.position, &choices, &output.policy, output.q);
                    }
                    Err(error) => failed = Err(error),
                }
            }
        })?;
        failed?;
        let figures = agreement
            .figures()
            .ok_or("no position in the file has an engine's move")?;
        rows.push((network.name.clone(), network.hash.clone(), figures));
    }
    if args.json {
        let positions = sha256_of(&args.positions)?;
        let networks: Vec<_> = rows
            .iter()
            .map(|(name, hash, figures)| json!({"name": name, "sha256": hash, "figures": figures}))
            .collect();
        outln!("{}", json!({"positions_sha256": positions, "networks": networks}));
    } else {
        table(&rows);
    }
    Ok(())
}

fn table(rows: &[(String, String, Figures)]) {
    outln!("| network | n | top-1 | top-5 | probability of the best | value error | RMSE | of the mean |");
    outln!("|---|---|---|---|---|---|---|---|");
    for (name, _, f) in rows {
        outln!(
            "| {name} | {} | {:.1} % | {:.1} % | {:.3} | {:.3} | {:.3} | {:.3} |",
            f.n,
            100.0 * f.top1,
            100.0 * f.top5,
            f.probability,
            f.value_error,
            f.value_rmse,
            f.value_error_of_the_mean
        );
    }
}
