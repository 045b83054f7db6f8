//! `lab games`: self-play games of an engine, with what it had to choose from at every move, as PGN; or at a given strength,
//! which is in [`super::level_games`].
//!
//! Without a strength, the file depends on the seed, the engine and the limits alone: every game starts with an engine that remembers
//! nothing, and games are written in the order of their numbers, however many are played at once.

use std::{
    collections::BTreeMap,
    error::Error,
    fs::File,
    io::{BufWriter, Write},
    path::PathBuf,
    sync::{
        atomic::{AtomicU64, Ordering},
        mpsc::{Sender, channel},
    },
    thread,
    time::{Duration, Instant},
};

use kibitz::{
    chess::{
        draw_claim,
        game::{Game, NodeId},
        pgn_writer::write_pgn,
    },
    grading::level_game,
    training::{
        Choices,
        selfplay::{LONGEST_GAME, Players},
    },
    uci::{Limit, SearchRequest},
};
use shakmaty::{CastlingMode, Chess, KnownOutcome, Outcome, Position};

use super::engine::{Engine, EngineError};
use super::level_games::{self, GameError, LevelPlayer};
use super::output;
use super::setup::{Parts, SetupError};

/// How often progress is printed.
const NEWS: Duration = Duration::from_secs(10);
/// Lines of each search: the players choose among as many moves.
const LINES: u32 = 5;
/// Games, where nothing else is asked for.
const GAMES: u64 = 100;
/// Nodes of each search, where nothing else is asked for.
const NODES: u64 = 400;

/// What to play.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many games: 100, or 20 of each level.
    #[arg(long)]
    games: Option<u64>,
    /// Of the set: another seed gives other games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Nodes of each search: 400, or 20000 where a level or rating is given.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    #[command(flatten)]
    levels: level_games::LevelArgs,
    /// The moves that the engine offers in each position.
    #[arg(long, default_value_t = LINES, value_parser = clap::value_parser!(u32).range(2..=64))]
    multipv: u32,
    /// A UCI engine; without it `stockfish` on the PATH, then /usr/games/stockfish.
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,
    /// Games played at once, each with an engine of its own; as many as there are cores.
    #[arg(long)]
    threads: Option<usize>,
    /// Where the games go; without it standard output.
    #[arg(long, value_name = "FILE.pgn")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let threads = args
        .threads
        .unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
        .max(1);
    let parts = Parts {
        engine: args.engine.clone(),
        labels: None,
        net: None,
    };
    let levels = args.levels.levels();
    let games = match levels.len() as u64 {
        0 => args.games.unwrap_or(GAMES),
        levels => levels.saturating_mul(args.games.unwrap_or(args.levels.games())),
    };
    // A wrong path is known before a file is made.
    let engines = (0..threads)
        .map(|_| parts.engine()?.ok_or(SetupError::NoEngine))
        .collect::<Result<Vec<_>, _>>()?;
    let mut out: Box<dyn Write> = match &args.out {
        Some(path) => Box::new(BufWriter::new(File::create(path)?)),
        None => Box::new(BufWriter::new(output::stdout())),
    };
    let next = AtomicU64::new(0);
    let (send, finished) = channel();
    thread::scope(|scope| {
        for mut engine in engines {
            let (send, next, levels, parts) = (send.clone(), &next, &levels, &parts);
            scope.spawn(move || {
                if levels.is_empty() {
                    play_all(games, next, &send, |number| Ok(play(args, &mut engine, number)?));
                } else {
                    drop(engine);
                    let limit = Limit::Nodes(args.nodes.unwrap_or(level_game::NODES));
                    let (mut player, each) = (LevelPlayer::new(parts), games / levels.len() as u64);
                    play_all(games, next, &send, |number| {
                        // Games of a level follow each other: `number` is below their number.
                        let level = levels[(number / each) as usize];
                        player.play(level, number % each, args.seed, limit)
                    });
                }
            });
        }
        drop(send);
        let mut progress = Progress::new(games);
        let mut waiting = BTreeMap::new();
        let mut written = 0;
        for played in finished {
            let (number, game): (u64, Game) = played?;
            progress.game(game.len());
            waiting.insert(number, game);
            while let Some(game) = waiting.remove(&written) {
                out.write_all(write_pgn(&game).as_bytes())?;
                written += 1;
            }
        }
        out.flush()?;
        progress.end();
        Ok(())
    })
}

type Played = Result<(u64, Game), GameError>;

/// Plays the games that are left until there are none, or nobody wants them.
fn play_all(games: u64, next: &AtomicU64, send: &Sender<Played>, mut play: impl FnMut(u64) -> Result<Game, GameError>) {
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= games {
            return;
        }
        let game = play(number).map(|game| (number, game));
        let failed = game.is_err();
        if send.send(game).is_err() || failed {
            return;
        }
    }
}

fn play(args: &Args, engine: &mut Engine, number: u64) -> Result<Game, EngineError> {
    let mode = CastlingMode::Standard;
    let nodes = args.nodes.unwrap_or(NODES);
    let mut players = Players::new(args.seed, number);
    let mut game = Game::new(Chess::default(), mode);
    let mut position = game.root().clone();
    let mut moves = Vec::new();
    let mut seen: Vec<Chess> = Vec::new();
    let mut at = NodeId::ROOT;
    let mut outcome = None;
    for ply in 0..LONGEST_GAME {
        if let Outcome::Known(known) = position.outcome() {
            outcome = Some(known);
            break;
        }
        if draw_claim(&seen, &position).is_some() {
            outcome = Some(KnownOutcome::Draw);
            break;
        }
        // The search knows of repetitions through the moves.
        let mut request = SearchRequest::new(number, Chess::default(), mode, Limit::Nodes(nodes))
            .multipv(args.multipv)
            .played_on(&moves)
            .map_err(|_| EngineError::Lost)?;
        if ply == 0 {
            request = request.afresh();
        }
        let choices = Choices::of(&engine.search(request)?);
        let best = choices.moves.first().map(|choice| choice.score);
        if players.is_decided(best) {
            let winner = if best.is_some_and(|score| score.win_probability() > 0.5) {
                position.turn()
            } else {
                !position.turn()
            };
            outcome = Some(KnownOutcome::Decisive { winner });
            break;
        }
        let Some(mv) = players.choose(&position, &choices, ply) else {
            break;
        };
        let Ok(next) = game.play(at, mv) else { break };
        game.set_comment(next, &choices.to_string());
        at = next;
        seen.push(position.clone());
        position.play_unchecked(mv);
        moves.push(mv);
    }
    let [white, black] = players
        .skills()
        .map(|skill| format!("{}, skill {}", engine.name(), skill.rank()));
    for (name, value) in [
        ("Event", format!("Self-play, seed {}", args.seed)),
        ("Round", (number + 1).to_string()),
        ("White", white),
        ("Black", black),
        ("Annotator", format!("{nodes} nodes, {} lines a move", args.multipv)),
    ] {
        game.tags.push((name.to_owned(), value));
    }
    game.outcome = outcome.map_or(Outcome::Unknown, Outcome::Known);
    Ok(game)
}

/// Tells how far it is, on standard error.
struct Progress {
    begun: Instant,
    last_report: Instant,
    all: u64,
    games: u64,
    plies: usize,
}

impl Progress {
    fn new(all: u64) -> Self {
        let now = Instant::now();
        Self {
            begun: now,
            last_report: now,
            all,
            games: 0,
            plies: 0,
        }
    }

    fn game(&mut self, plies: usize) {
        self.games += 1;
        self.plies += plies;
        if self.last_report.elapsed() >= NEWS {
            self.last_report = Instant::now();
            let left = self.begun.elapsed().as_secs_f64() / self.games as f64 * (self.all - self.games) as f64;
            errln!(
                "lab: {} of {} games, {} positions, {left:.0} s to go",
                self.games,
                self.all,
                self.plies
            );
        }
    }

    fn end(&self) {
        let seconds = self.begun.elapsed().as_secs_f64();
        errln!(
            "lab: {} games, {} positions in {seconds:.0} s ({:.0} positions/s)",
            self.games,
            self.plies,
            self.plies as f64 / seconds
        );
    }
}
