//! `lab suite`: positions to test players on, from games, EPD and puzzles.

use std::{
    error::Error,
    path::{Path, PathBuf},
};

use clap::Subcommand;
use kibitz::grading::suite::{
    epd::from_epd,
    file::{Suite, name_apart},
    games::{FromGames, Take},
    hints::{concept, search, told},
    position::TestPosition,
    puzzles::{Mates, drawn, from_csv},
};

use super::super::{
    comment::LimitArgs,
    program::program,
    setup::{Parts, SetupError},
    source_file::each_game,
    survey_input::{text, write},
};

/// From what.
#[derive(Debug, Subcommand)]
pub enum Step {
    /// From games, of engines or people (PGN): early, middle and late positions, or every one.
    Games(Games),
    /// From EPD with bm, am, or points for moves as in the Strategic Test Suite.
    Epd(Epd),
    /// From Lichess's puzzles (CSV with PuzzleId, FEN, Moves, Rating, Themes).
    Puzzles(Puzzles),
    /// Mates in one, mined from games.
    Mates(MatesArgs),
}

/// What all have.
#[derive(Debug, clap::Args)]
struct Common {
    /// Of whatever is drawn.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What the suite is called; without it the first file's name.
    #[arg(long)]
    name: Option<String>,
    /// Where the suite goes.
    #[arg(long, value_name = "FILE.jsonl")]
    out: PathBuf,
}

/// Whose sentence the "expert" prompt tells, where no solution is known.
#[derive(Debug, clap::Args)]
struct Hints {
    /// A UCI engine for the "expert" prompt's sentence and the motifs of the best move; without it there are neither, and
    /// motifs are those of the move that was played.
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,
    #[command(flatten)]
    limit: LimitArgs,
}

/// `lab suite games`.
#[derive(Debug, clap::Args)]
pub struct Games {
    /// The games.
    #[arg(required = true, value_name = "FILE.pgn")]
    files: Vec<PathBuf>,
    /// Positions before moves 4 to 6, of each game.
    #[arg(long, default_value_t = 1)]
    early: u32,
    /// Positions between the early and the late ones.
    #[arg(long, default_value_t = 0)]
    middle: u32,
    /// Positions five to eight moves before the end.
    #[arg(long, default_value_t = 1)]
    late: u32,
    /// Every position: for tables of a game's losses by colour.
    #[arg(long, conflicts_with_all = ["early", "middle", "late"])]
    all: bool,
    #[command(flatten)]
    hints: Hints,
    #[command(flatten)]
    common: Common,
}

/// `lab suite epd`.
#[derive(Debug, clap::Args)]
pub struct Epd {
    /// The positions.
    #[arg(required = true, value_name = "FILE.epd")]
    files: Vec<PathBuf>,
    /// How many, at most.
    #[arg(long)]
    count: Option<usize>,
    #[command(flatten)]
    hints: Hints,
    #[command(flatten)]
    common: Common,
}

/// `lab suite puzzles`.
#[derive(Debug, clap::Args)]
pub struct Puzzles {
    /// The puzzles.
    #[arg(required = true, value_name = "FILE.csv")]
    files: Vec<PathBuf>,
    /// How many, at most.
    #[arg(long)]
    count: Option<usize>,
    #[command(flatten)]
    common: Common,
}

/// `lab suite mates`.
#[derive(Debug, clap::Args)]
pub struct MatesArgs {
    /// The games.
    #[arg(required = true, value_name = "FILE.pgn")]
    files: Vec<PathBuf>,
    /// How many, at most.
    #[arg(long, default_value_t = 1_000)]
    count: usize,
    /// Without the moves that led there: a third of the size, and nobody can be shown the game (prompt pgn).
    #[arg(long)]
    bare: bool,
    #[command(flatten)]
    common: Common,
}

/// Runs the command.
pub fn run(step: &Step) -> Result<(), Box<dyn Error>> {
    match step {
        Step::Games(args) => games(args),
        Step::Epd(args) => epd(args),
        Step::Puzzles(args) => puzzles(args),
        Step::Mates(args) => mates(args),
    }
}

fn games(args: &Games) -> Result<(), Box<dyn Error>> {
    let take = match args.all {
        true => Take::All,
        false => Take::Parts {
            early: args.early,
            middle: args.middle,
            late: args.late,
        },
    };
    let mut gathering = FromGames::new(take, args.common.seed);
    let count = over_games(&args.files, |game, name| gathering.add(game, name))?;
    let mut positions = gathering.finish();
    let engine = hint(&mut positions, &args.hints)?;
    let made = match args.all {
        true => format!("every position of {count} games"),
        false => format!(
            "{} early, {} middle and {} late positions of each of {count} games",
            args.early, args.middle, args.late
        ),
    };
    finish(&args.common, &args.files, made + &engine, positions)
}

fn epd(args: &Epd) -> Result<(), Box<dyn Error>> {
    let mut positions = Vec::new();
    for path in &args.files {
        let text = text(path)?;
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            match from_epd(line, number + 1) {
                Ok(at) => positions.push(at),
                Err(error) => errln!("lab: {}, line {}: {error}", path.display(), number + 1),
            }
        }
    }
    let all = positions.len();
    let mut positions = drawn(positions, args.count.unwrap_or(all), args.common.seed);
    let engine = hint(&mut positions, &args.hints)?;
    finish(
        &args.common,
        &args.files,
        format!("of {all} positions{engine}"),
        positions,
    )
}

fn puzzles(args: &Puzzles) -> Result<(), Box<dyn Error>> {
    let mut positions: Vec<TestPosition> = Vec::new();
    for path in &args.files {
        let (puzzles, bad) = from_csv(&text(path)?).map_err(|error| format!("{}: {error}", path.display()))?;
        if bad > 0 {
            errln!(
                "lab: {}: {bad} lines are no puzzles, or are there twice",
                path.display()
            );
        }
        positions.extend(puzzles);
    }
    let mut known = std::collections::BTreeSet::new();
    positions.retain(|at| known.insert(at.id.clone()));
    let all = positions.len();
    let positions = drawn(positions, args.count.unwrap_or(all), args.common.seed);
    finish(&args.common, &args.files, format!("of {all} puzzles"), positions)
}

fn mates(args: &MatesArgs) -> Result<(), Box<dyn Error>> {
    let mut mates = Mates::new();
    let count = over_games(&args.files, |game, name| mates.add(game, name))?;
    let mut positions = mates.finish(args.count, args.common.seed);
    if args.bare {
        for at in &mut positions {
            at.moves.clear();
            at.start = None;
        }
    }
    if positions.len() < args.count {
        errln!("lab: only {} of {} were found", positions.len(), args.count);
    }
    finish(
        &args.common,
        &args.files,
        format!("mates in one, at most one a side, of {count} games"),
        positions,
    )
}

/// Calls `each` with every game; how many there are.
fn over_games(
    files: &[PathBuf],
    mut each: impl FnMut(&kibitz::chess::game::Game, &str),
) -> Result<usize, Box<dyn Error>> {
    let mut count = 0;
    for path in files {
        let losses = each_game(path, |game, name| {
            count += 1;
            each(game, name);
        })?;
        losses.say(path);
    }
    Ok(count)
}

/// Gives positions the engine's sentence and the motifs of its best move. What was done, in words.
fn hint(positions: &mut [TestPosition], hints: &Hints) -> Result<String, Box<dyn Error>> {
    let mut words = String::new();
    if let Some(path) = &hints.engine {
        let parts = Parts {
            engine: Some(path.clone()),
            labels: None,
            net: None,
        };
        let mut engine = parts.engine()?.ok_or(SetupError::NoEngine)?;
        let limit = hints.limit.limit();
        for at in positions.iter_mut() {
            let reached = at.read()?;
            let result = engine.search(search(1, &reached, limit))?;
            told(at, &reached, &result);
        }
        words = format!("; hints by {}, {}", engine.name(), limit.words());
    }
    for at in positions.iter_mut().filter(|at| at.concept.is_none()) {
        at.concept = concept(at);
    }
    Ok(words)
}

fn finish(
    common: &Common,
    files: &[PathBuf],
    made: String,
    mut positions: Vec<TestPosition>,
) -> Result<(), Box<dyn Error>> {
    if positions.is_empty() {
        return Err("there is no position to take".into());
    }
    let stem = |path: &PathBuf| stem(path);
    let name = common
        .name
        .clone()
        .or_else(|| files.first().map(stem))
        .unwrap_or_default();
    let count = positions.len();
    let white = positions.iter().filter(|at| at.turn().is_white()).count();
    let renamed = name_apart(&mut positions);
    if renamed > 0 {
        errln!("lab: {renamed} positions had the name of another and got a number");
    }
    let suite = Suite::new(&name, format!("{count} {made}"), common.seed, positions).made_by(program());
    write(&common.out, &suite.text())?;
    errln!("lab: {count} positions, White to move in {white}");
    Ok(())
}

fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}
