//! `lab chessbench scores`: the tables of files of scores, those of shards put together.

use std::{error::Error, path::PathBuf};

use kibitz::{
    chessbench::{
        metrics::summary,
        metrics_table::{PlayerFigures, metrics_table, published, published_table},
        puzzle::{PuzzleResult, rating_table},
        scores_file::Scores,
    },
    pace::{AtOnce, at_once},
    survey::analysis::table::Table,
};

use super::{
    super::tables::{Format, print},
    scoring::{read_scores, say_failed},
};

/// Of the intervals.
const SEED: u64 = 1;

/// Which files, and how.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files of `metrics --out` or `puzzles --out`, of the same players and boards or puzzles.
    #[arg(required = true, value_name = "SCORES.jsonl")]
    files: Vec<PathBuf>,
    /// How tables are printed.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let (first, others) = args.files.split_first().ok_or("no file is given")?;
    let mut scores = read_scores(first)?;
    for path in others {
        scores
            .merge(read_scores(path)?)
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    say_failed(&scores);
    print(&tables(&scores), args.format)
}

/// The tables of scores.
pub fn tables(scores: &Scores) -> Vec<Table> {
    let players = &scores.header.players;
    let mut figures = Vec::new();
    let mut puzzles: Vec<(&str, Vec<PuzzleResult>)> = Vec::new();
    for player in players {
        let boards = scores.boards(&player.name);
        let times: Vec<f64> = scores.of(&player.name).map(|row| row.millis).collect();
        if !boards.is_empty() {
            figures.push(PlayerFigures {
                player,
                summary: at_once(summary(&boards, SEED, &AtOnce)),
                millis: (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64),
            });
        }
        let solved = scores.puzzles(&player.name);
        if !solved.is_empty() {
            puzzles.push((&player.name, solved));
        }
    }
    let mut tables = Vec::new();
    if !figures.is_empty() {
        tables.push(metrics_table(&figures));
    }
    if !puzzles.is_empty() {
        let of: Vec<(&str, &[PuzzleResult])> = puzzles
            .iter()
            .map(|(name, results)| (*name, results.as_slice()))
            .collect();
        let mut table = rating_table(&of);
        for player in players {
            if let Some((solved, ..)) = player.target.and_then(published) {
                table.notes.push(format!(
                    "The paper's model of {} solves {solved} %.",
                    player.target.map_or("", |target| target.words())
                ));
            }
        }
        table.notes.dedup();
        tables.push(table);
    }
    tables.push(published_table());
    tables
}
