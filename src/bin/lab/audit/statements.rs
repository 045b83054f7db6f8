//! `lab audit statements`: comments on moves of the positions that ship, each sentence with its claims as statements, one JSON
//! object a move: `{"fen", "move", "prose": [{"text", "claims"}]}`. `tests/data/prepare/claims/judge_statements.py` holds them
//! against python-chess.

use std::{
    error::Error,
    io::{BufWriter, Write},
};

use kibitz::{chess::write_fen, commentary::claims::statement::WrittenStatement};
use serde_json::{Value, json};

use super::super::{
    comment::LimitArgs,
    output,
    pipeline::{Pipeline, known_searches},
    sampled_moves::{Sample, SampleArgs},
    setup::Parts,
};

/// Which moves, and how deep the searches behind the comments go.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    sample: SampleArgs,
    #[command(flatten)]
    parts: Parts,
    #[command(flatten)]
    limit: LimitArgs,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let mut pipeline = Pipeline {
        known: Some(known_searches()),
        ..Pipeline::without_network(&args.parts, args.limit.limit())?
    };
    let mut sample = Sample::open(&args.sample)?;
    let mut out = BufWriter::new(output::stdout());
    while let Some(played) = sample.next(&mut pipeline)? {
        let commented = pipeline.comment(&played)?;
        let prose: Vec<Value> = commented
            .prose
            .iter()
            .map(|sentence| {
                let claims = sentence.claims(&commented.sheet);
                let claims: Vec<WrittenStatement> = claims.iter().map(WrittenStatement::from).collect();
                json!({"text": sentence.text, "claims": claims})
            })
            .collect();
        let fen = write_fen(&played.before, played.mode);
        writeln!(
            out,
            "{}",
            json!({"fen": fen, "move": played.uci().to_string(), "prose": prose})
        )?;
    }
    Ok(out.flush()?)
}
