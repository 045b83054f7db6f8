//! `lab annotate`: whole games, as PGN with comments, glyphs and evaluations, or as a report.

use std::{
    error::Error,
    io::Write,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use clap::ValueEnum;
use kibitz::{
    annotation::{AnnotatedGame, Scope, annotate},
    chess::{Game, pgn::read_pgn, pgn_writer::write_pgn},
    commentary::Voice,
    uci::Limit,
    view::{GameReport, html_report, text_report},
};

use super::comment::LimitArgs;
use super::engine::Engine;
use super::setup::{Parts, SetupError, read};

/// How often progress is reported.
const NEWS: Duration = Duration::from_secs(2);
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
    let mut engine = parts.engine()?.ok_or(SetupError::NoEngine)?;
    let scope = if args.every_move {
        Scope::EveryMove
    } else {
        Scope::TurningPoints
    };
    let voice = if args.beginner { Voice::Beginner } else { Voice::Club };
    let mut written = Vec::new();
    let all = games.len();
    for (number, game) in (1..).zip(&games) {
        let mut news = News::new(number, all);
        let annotated = search(game, &mut engine, args.limit.limit(), args.multipv, scope, &mut news)?;
        written.push(match args.format {
            Format::Pgn => write_pgn(&annotate(game, &annotated, scope, voice, VERSION)),
            Format::Text => text_report(&GameReport::new(game, &annotated, scope, voice)),
            Format::Html => html_report(&GameReport::new(game, &annotated, scope, voice), VERSION),
        });
    }
    // Each game of a PGN ends with an empty line of its own.
    let text = written.join(if args.format == Format::Pgn { "" } else { "\n\n" });
    match &args.out {
        Some(path) => std::fs::write(path, text).map_err(|error| cannot_write(path, &error))?,
        None => std::io::stdout().lock().write_all(text.as_bytes())?,
    }
    Ok(())
}

fn cannot_write(path: &Path, error: &std::io::Error) -> String {
    format!("--out {} can't be written: {error}", path.display())
}

/// The games that are asked for. What could not be read in the file is said on standard error.
fn games(args: &Args) -> Result<Vec<Game>, Box<dyn Error>> {
    let bytes = read(&args.file, "GAME.pgn")?;
    let file = read_pgn(&String::from_utf8_lossy(&bytes))?;
    for problem in &file.problems {
        eprintln!("lab: {problem}");
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

fn search(
    game: &Game,
    engine: &mut Engine,
    limit: Limit,
    multipv: u32,
    scope: Scope,
    news: &mut News,
) -> Result<AnnotatedGame, Box<dyn Error>> {
    let mut annotated = AnnotatedGame::new(game, limit, multipv);
    while let Some(position) = annotated.next() {
        let Some(request) = annotated.request(position, position as u64) else {
            break;
        };
        let result = engine.search(request)?;
        annotated.take(position, engine.name(), result)?;
        news.tell(&annotated);
    }
    for index in annotated.chosen(scope) {
        annotated.narrate(index);
    }
    Ok(annotated)
}

/// Tells how far it is, on standard error.
struct News {
    game: usize,
    games: usize,
    last_report: Instant,
}

impl News {
    fn new(game: usize, games: usize) -> Self {
        Self {
            game,
            games,
            last_report: Instant::now(),
        }
    }

    fn tell(&mut self, annotated: &AnnotatedGame) {
        if self.last_report.elapsed() < NEWS && !annotated.is_done() {
            return;
        }
        self.last_report = Instant::now();
        let (done, total) = annotated.progress();
        let closer = match annotated.closer_looks() {
            (0, 0) => String::new(),
            (taken, 0) => format!(", {taken} closer looks"),
            (taken, more) => format!(", {taken} closer looks, {more} to come so far"),
        };
        let left = match annotated.left() {
            Some(left) if !annotated.is_done() => format!(", about {:.0} s left", left / 1000.0),
            _ => String::new(),
        };
        eprintln!(
            "lab: game {} of {}: {done} of {total} positions{closer}{left}",
            self.game, self.games
        );
    }
}
