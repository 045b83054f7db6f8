//! `lab chessbench metrics`: what predictions are worth on annotated boards.

use std::{error::Error, path::PathBuf, time::Instant};

use kibitz::{
    chessbench::{
        board::Board,
        metrics::board_metrics,
        record::BoardRecord,
        scores_file::{ScoreRow, Scored},
        scripted::ScriptedPredictor,
    },
    survey::analysis::table::Table,
};

use super::{
    super::tables::{Format, print},
    players::{ModelArgs, Player},
    scores::tables,
    scoring::{WorkArgs, say_failed, score},
    sets::read,
};

/// Who predicts, on which boards.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Annotated boards: a run, a set, a CSV, a .bag file or a folder of them.
    #[arg(value_name = "SET")]
    set: PathBuf,
    #[command(flatten)]
    models: ModelArgs,
    /// A predictor whose scores are known: oracle, reversed, uniform, constant.
    #[arg(long = "player", value_name = "PLAYER", value_parser = scripted)]
    players: Vec<ScriptedPredictor>,
    /// Only the first so many boards.
    #[arg(long, value_name = "COUNT")]
    first: Option<usize>,
    #[command(flatten)]
    work: WorkArgs,
    /// How tables are printed.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

fn scripted(word: &str) -> Result<ScriptedPredictor, String> {
    ScriptedPredictor::of_word(word)
        .ok_or_else(|| format!("`{word}` is neither oracle, reversed, uniform nor constant"))
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let players = args.models.players(&args.players)?;
    let mut records = read(&args.set)?.records;
    let all = records.len();
    records.retain(|record| !record.actions.is_empty());
    if records.len() < all {
        errln!(
            "lab: {} boards without values of moves are left out",
            all - records.len()
        );
    }
    records.truncate(args.first.unwrap_or(usize::MAX));
    if records.is_empty() {
        return Err(format!("{}: no board has values of its moves", args.set.display()).into());
    }
    let scores = score(&args.work, "boards", players, &records, |record| &record.fen, measured)?;
    say_failed(&scores);
    let tables: Vec<Table> = tables(&scores);
    print(&tables, args.format)
}

fn measured(player: &mut Player, record: &BoardRecord) -> ScoreRow {
    let bins = player.bins();
    let begun = Instant::now();
    let mut millis = 0.0;
    let mut figures = || {
        let board = Board::read(&record.fen).map_err(|error| error.to_string())?;
        let prediction = player
            .predict_record(record, board.position())
            .map_err(|error| error.to_string())?;
        millis = begun.elapsed().as_secs_f64() * 1e3;
        board_metrics(record, &prediction, bins).map_err(|error| error.to_string())
    };
    let figures = figures();
    ScoreRow {
        player: player.who.name.clone(),
        item: record.fen.clone(),
        error: figures.as_ref().err().cloned(),
        scored: figures.ok().map(Scored::Board),
        millis,
    }
}
