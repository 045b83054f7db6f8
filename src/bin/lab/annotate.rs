//! `lab annotate`: whole games, as PGN with comments, glyphs and evaluations, or as a report.

use std::{
    error::Error,
    path::{Path, PathBuf},
};

use clap::ValueEnum;
use kibitz::{
    annotation::{Scope, annotate},
    chess::{Game, pgn::read_pgn, pgn_writer::write_pgn},
    commentary::Voice,
    view::{GameReport, html_report, text_report},
};

use super::comment::LimitArgs;
use super::engine::Engine;
use super::game_annotation::{Effort, annotate_games, most_threads, usual_threads};
use super::setup::{Parts, SetupError, read_text};

/// Kibitz's version, for what it writes.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What to annotate, and how.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The games.
    #[arg(value_name = "GAME.pgn")]
    file: PathBuf,
    /// Only this game of the file, from 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,
    /// A UCI engine; without it `stockfish` on the PATH, then /usr/games/stockfish.
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,
    #[command(flatten)]
    limit: LimitArgs,
    /// Lines of each search.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(2..=256))]
    multipv: u32,
    /// Engines at work at the same time, on positions of one game too; without it the cores less one. With a limit in nodes the
    /// outcome is the same with any number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    threads: Option<u8>,
    /// Comment on every move instead of the turning points.
    #[arg(long)]
    every_move: bool,
    /// Explain the game's terms where they first occur.
    #[arg(long)]
    beginner: bool,
    /// What to write.
    #[arg(long, value_enum, default_value_t = Format::Pgn)]
    format: Format,
    /// Where to; without it standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The games, with variations and comments kept.
    Pgn,
    /// A report for reading.
    Text,
    /// A report as a page of its own.
    Html,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let games = games(args)?;
    let parts = Parts {
        engine: args.engine.clone(),
        labels: None,
        net: None,
    };
    let threads = args.threads.map_or_else(|| usual_threads(&games), usize::from);
    let engines = (0..threads.min(most_threads(&games)))
        .map(|_| parts.engine()?.ok_or(SetupError::NoEngine))
        .collect::<Result<Vec<Engine>, _>>()?;
    let scope = if args.every_move {
        Scope::EveryMove
    } else {
        Scope::TurningPoints
    };
    let voice = if args.beginner { Voice::Beginner } else { Voice::Club };
    let effort = Effort {
        limit: args.limit.limit(),
        multipv: args.multipv,
    };
    let written = annotate_games(&games, effort, engines, true, |game, mut annotated| {
        for index in annotated.chosen(scope) {
            annotated.narrate(index);
        }
        match args.format {
            Format::Pgn => write_pgn(&annotate(game, &annotated, scope, voice, VERSION)),
            Format::Text => text_report(&GameReport::new(game, &annotated, scope, voice)),
            Format::Html => html_report(&GameReport::new(game, &annotated, scope, voice), VERSION),
        }
    })?;
    // Each game of a PGN ends with an empty line of its own.
    let text = written.join(if args.format == Format::Pgn { "" } else { "\n\n" });
    match &args.out {
        Some(path) => std::fs::write(path, text).map_err(|error| cannot_write(path, &error))?,
        None => out!("{text}"),
    }
    Ok(())
}

fn cannot_write(path: &Path, error: &std::io::Error) -> String {
    format!("--out {} can't be written: {error}", path.display())
}

/// The games that are asked for. What could not be read in the file is said on standard error.
fn games(args: &Args) -> Result<Vec<Game>, Box<dyn Error>> {
    let file = read_pgn(&read_text(&args.file, "GAME.pgn")?)?;
    for problem in &file.problems {
        errln!("lab: {problem}");
    }
    if file.more_problems > 0 {
        errln!("lab: and {} more", file.more_problems);
    }
    let mut games = file.games;
    if let Some(number) = args.game {
        let index = number as usize - 1; // from 1, as its parser sees to
        if index >= games.len() {
            return Err(format!("--game {number}: the file has {} games", games.len()).into());
        }
        games = vec![games.swap_remove(index)];
    }
    if args.format == Format::Html && games.len() > 1 {
        return Err(format!(
            "an HTML report is on one game, and the file has {}: choose one with --game N",
            games.len()
        )
        .into());
    }
    Ok(games)
}
