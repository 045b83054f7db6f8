//! `lab audit sample`: which moves are audited, drawn from games, puzzles and positions by seed.

use std::{
    collections::BTreeSet,
    error::Error,
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use kibitz::{
    chess::{Game, fen::write_fen, pgn::read_pgn},
    random::Rng,
};
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Chess, EnPassantMode, fen::Fen, san::SanPlus, uci::UciMove};

use super::super::setup::read_text;

/// Plies at a game's beginning whose moves are left out: nothing is to be said of them.
const FIRST: usize = 2;

/// Where the moves come from.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Games, one PGN file a source; may be given again.
    #[arg(long, value_name = "FILE.pgn")]
    games: Vec<PathBuf>,
    /// Moves of each of these files.
    #[arg(long, default_value_t = 100)]
    each_games: usize,
    /// A folder of Lichess puzzles, one CSV a theme.
    #[arg(long, value_name = "DIR")]
    puzzles: Option<PathBuf>,
    /// Moves of each theme's puzzles: the one that allows the solution, or the solution's first move.
    #[arg(long, default_value_t = 20)]
    each_theme: usize,
    /// Positions with a move, {"id", "fen", "move"} a line: all of them.
    #[arg(long, value_name = "FILE.jsonl")]
    positions: Option<PathBuf>,
    /// Which moves are drawn.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A sample whose moves are left out of this one; may be given again.
    #[arg(long, value_name = "FILE.jsonl")]
    without: Vec<PathBuf>,
    /// Where the sample goes.
    #[arg(long, value_name = "FILE.jsonl")]
    out: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let mut taken = BTreeSet::new();
    for path in &args.without {
        taken.extend(tasks(path)?);
    }
    let taken_ids: BTreeSet<&str> = taken.iter().map(|(id, _)| id.as_str()).collect();
    let mut rng = Rng::new(args.seed);
    let mut out = BufWriter::new(File::create(&args.out)?);
    let mut written = 0;
    let mut put = |task: &Value| -> Result<(), Box<dyn Error>> {
        writeln!(out, "{task}")?;
        written += 1;
        Ok(())
    };
    for path in &args.games {
        let source = stem(path);
        let games = read_pgn(&read_text(path, "--games")?)?.games;
        let mut moves: Vec<(usize, usize)> = Vec::new();
        for (number, game) in games.iter().enumerate() {
            moves.extend((FIRST..game.main_line().len()).map(|ply| (number, ply)));
        }
        let name = |(number, ply): (usize, usize)| format!("{source}/{}/{}", number + 1, ply + 1);
        // Here the id alone says which move it is.
        moves.retain(|at| !taken_ids.contains(name(*at).as_str()));
        for at in drawn(moves, args.each_games, &mut rng) {
            if let Some(task) = of_game(&games[at.0], at.1) {
                put(&json!({"id": name(at), "source": source, "pgn": task.0, "move": task.1}))?;
            }
        }
    }
    if let Some(dir) = &args.puzzles {
        let mut files: Vec<PathBuf> = std::fs::read_dir(dir)?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|end| end == "csv"))
            .collect();
        files.sort();
        for path in files {
            let text = read_text(&path, "--puzzles")?;
            let name = |row: &str| format!("puzzle/{}", row.split(',').next().unwrap_or_default());
            let both = |row| [false, true].map(|solution| Some((name(row), of_puzzle(row, solution)?)));
            let mut moves: Vec<(String, (String, String))> = text.lines().skip(1).flat_map(both).flatten().collect();
            moves.retain(|(id, task)| !taken.contains(&(id.clone(), task.1.clone())));
            for (id, task) in drawn(moves, args.each_theme, &mut rng) {
                put(&json!({"id": id, "source": "puzzles", "pgn": task.0, "move": task.1}))?;
            }
        }
    }
    if let Some(path) = &args.positions {
        for line in read_text(path, "--positions")?.lines() {
            let row: Value = serde_json::from_str(line)?;
            put(&json!({"id": row["id"], "source": stem(path), "fen": row["fen"], "move": row["move"]}))?;
        }
    }
    out.flush()?;
    errln!("lab: {written} moves");
    Ok(())
}

/// The ids and moves of a sample: a puzzle has two moves to draw, under one id.
fn tasks(path: &Path) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let text = read_text(path, "--without")?;
    let task = |line: &str| {
        let row: Value = serde_json::from_str(line).ok()?;
        Some((row["id"].as_str()?.to_owned(), row["move"].as_str()?.to_owned()))
    };
    Ok(text.lines().filter_map(task).collect())
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// `most` of `all`, in the order they are drawn in.
fn drawn<T>(mut all: Vec<T>, most: usize, rng: &mut Rng) -> Vec<T> {
    let mut drawn = Vec::new();
    while drawn.len() < most && !all.is_empty() {
        drawn.push(all.swap_remove(rng.below(all.len())));
    }
    drawn
}

/// The game up to a move of its main line, and that move.
fn of_game(game: &Game, ply: usize) -> Option<(String, String)> {
    let line = game.main_line();
    let san = |node: &kibitz::chess::NodeId| game.san(*node);
    let before: Vec<String> = line[..ply].iter().map(san).collect::<Option<_>>()?;
    Some((written(game.root(), game.mode(), &before), san(line.get(ply)?)?))
}

/// The position of a puzzle and the opponent's move there, or the position after that and the solution's first move.
fn of_puzzle(row: &str, solution: bool) -> Option<(String, String)> {
    let mut fields = row.split(',').skip(1);
    let (fen, moves) = (fields.next()?, fields.next()?);
    let start: Chess = fen.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok()?;
    let mut at = start.clone();
    let mut sans = Vec::new();
    for uci in moves.split(' ').take(2) {
        let m = uci.parse::<UciMove>().ok()?.to_move(&at).ok()?;
        sans.push(SanPlus::from_move_and_play_unchecked(&mut at, m).to_string());
    }
    let mode = CastlingMode::Standard;
    Some(if solution {
        (written(&start, mode, &sans[..1]), sans.get(1)?.clone())
    } else {
        (written(&start, mode, &[]), sans.first()?.clone())
    })
}

fn written(start: &Chess, mode: CastlingMode, sans: &[String]) -> String {
    let tags = if *start == Chess::default() {
        "[Event \"?\"]\n".to_owned()
    } else {
        let fen = match mode {
            CastlingMode::Standard => Fen::from_position(start, EnPassantMode::Legal).to_string(),
            CastlingMode::Chess960 => write_fen(start, mode),
        };
        format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n")
    };
    format!("{tags}\n{} *\n", sans.join(" "))
}
