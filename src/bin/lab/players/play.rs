//! `lab play`: players answer a suite's positions; each answer is written down as it comes.

use std::{
    collections::{BTreeMap, VecDeque},
    error::Error,
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
    time::{Duration, Instant},
};

use kibitz::{
    grading::{
        fault::{FaultKind, kinds},
        level::Level,
        play::{Play, Row, Step, by_value, failure_kind},
        player::{Head, Player, PlayerKind},
        prompt::PromptKind,
        run_file::{Run, RunLine, expected_tokens},
        suite::{file::Suite, position::Reached},
        task::{Settings, Task, shard},
    },
    long_run::{shard::Shard, tokens::Prices},
    net::RunError,
    uci::{Limit, SearchRequest},
};
use shakmaty::Move;

use super::super::{
    endpoint::Endpoint,
    engine::{Engine, EngineError},
    network::Runnable,
    program::program,
    run_options::{EndpointSpec, endpoint_spec, prices},
    run_output::{end_line, lines_of, locked, work_off},
    setup::{Parts, SetupError},
    survey_input::write,
};

/// Nodes of an engine that plays, where nothing else is asked for.
const NODES: u64 = 20_000;

/// Who plays what, and how.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The suite, from `lab suite`.
    #[arg(long, value_name = "FILE.jsonl")]
    suite: PathBuf,
    /// A language model: NAME=PROVIDER,URL,MODEL and, where it needs one, the variable that holds its key. PROVIDER is
    /// openai, anthropic or ollama. Several play the same positions.
    #[arg(long = "model", value_name = "NAME=PROVIDER,URL,MODEL[,KEY_VARIABLE]", value_parser = endpoint_spec)]
    models: Vec<EndpointSpec>,
    /// A built-in player: random, first (the first legal move), played (the game's own move), solution (what the suite
    /// says is right), engine, "skill 5", "elo 1500", policy, value (a network's heads, with --net).
    #[arg(long = "player", value_name = "PLAYER")]
    players: Vec<String>,
    /// What models are asked: fen, pgn or diagram, then +legal, +expert, +concept, +why; several give answers of each.
    #[arg(long = "prompt", value_name = "PROMPT", default_value = "fen")]
    prompts: Vec<PromptKind>,
    /// The three conditions of the paper's Table 7: fen, fen+expert, fen+concept.
    #[arg(long, conflicts_with = "prompts")]
    table_7: bool,
    /// A UCI engine for engine players; without it `stockfish` on the PATH, then /usr/games/stockfish.
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,
    /// Nodes of each search of an engine player.
    #[arg(long, default_value_t = NODES, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// A network for policy and value.
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Of models.
    #[arg(long, default_value_t = 0.0)]
    temperature: f64,
    /// How often a model is asked for one move: after a fault it is told why.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=10))]
    tries: u8,
    /// The most tokens of a reply.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    max_tokens: u32,
    /// Of samplers, and of players that draw.
    #[arg(long, default_value_t = 1)]
    seed: u32,
    /// Seconds that one request may take: beyond, it is a time-out.
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u16).range(1..))]
    timeout: u16,
    /// Answers under way at the same time.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=64))]
    concurrency: u8,
    /// Only these positions: `0/2` is the first of every two.
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// What a million tokens cost, of prompts and of replies.
    #[arg(long, value_name = "PROMPT,REPLY", value_parser = prices)]
    prices: Option<Prices>,
    /// Says what is left to do and about what it costs, and asks nobody.
    #[arg(long)]
    dry_run: bool,
    /// The run; answers that are there are kept.
    #[arg(long, value_name = "FILE.jsonl")]
    out: PathBuf,
}

/// What each thread has of its own: engines by player.
#[derive(Default)]
struct Worker {
    engines: BTreeMap<String, Engine>,
}

/// What threads share.
struct Table<'a> {
    run: &'a Run,
    parts: Parts,
    endpoints: BTreeMap<String, Endpoint>,
    network: Option<Runnable>,
    known: Mutex<BTreeMap<String, Row>>,
}

/// Why a built-in player gave no move.
#[derive(Debug, thiserror::Error)]
enum MoveFailure {
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Network(#[from] RunError),
    #[error("there is no network: name one with --net")]
    NoNetwork,
    #[error("the player has no move here")]
    None,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let parts = Parts {
        engine: args.engine.clone(),
        labels: None,
        net: args.net.clone(),
    };
    let network = parts.network()?;
    let (players, endpoints) = players(args, &parts, network.as_ref())?;
    let settings = Settings {
        prompts: match args.table_7 {
            true => PromptKind::TABLE_7.to_vec(),
            false => args.prompts.clone(),
        },
        temperature: args.temperature,
        tries: args.tries,
        max_tokens: args.max_tokens,
        seed: args.seed,
    };
    let text = lines_of(&args.suite)?;
    let suite = Suite::read(&text).map_err(|error| format!("{}: {error}", args.suite.display()))?;
    let run = if args.out.exists() && fs::metadata(&args.out)?.len() > 0 {
        let run = read_run(&args.out)?;
        let same = run.same_as(&players, &settings, &suite.header, &suite.positions);
        same.map_err(|error| {
            format!(
                "{}: {error}: give another file, or the options that it was begun with",
                args.out.display()
            )
        })?;
        end_line(&args.out)?;
        run
    } else {
        let run = Run::new(suite, players, settings).made_by(program());
        if !args.dry_run {
            write(&args.out, &run.text())?;
        }
        run
    };
    let mine = shard(run.tasks(), args.shard);
    let all = mine.len();
    let answered: std::collections::BTreeSet<&Task> = run.answers().map(|row| &row.task).collect();
    let left: Vec<Task> = mine.into_iter().filter(|task| !answered.contains(task)).collect();
    let tokens = expected_tokens(&run, &left);
    errln!(
        "lab: {} of {all} answers are there, {} to do; about {} tokens in prompts, {} in replies{}",
        all - left.len(),
        left.len(),
        tokens.prompt,
        tokens.completion,
        cost(args.prices, tokens)
    );
    if args.dry_run {
        return Ok(());
    }
    let table = Table {
        known: Mutex::new(run.by_key()),
        run: &run,
        parts,
        endpoints,
        network,
    };
    let workers = (0..args.concurrency).map(|_| Worker::default()).collect();
    work_off(&args.out, VecDeque::from(left), workers, "answers", |worker, task| {
        let row = table.answer(worker, task)?;
        if row.is_answer() {
            locked(&table.known)
                .entry(row.key.clone())
                .or_insert_with(|| row.clone());
        }
        Some(RunLine::Row(Box::new(row)).text())
    })?;
    finish(args)
}

fn cost(prices: Option<Prices>, tokens: kibitz::long_run::tokens::Tokens) -> String {
    prices.map_or_else(String::new, |prices| format!("; cost {:.4}", prices.cost(tokens)))
}

type Players = (Vec<Player>, BTreeMap<String, Endpoint>);

fn players(args: &Args, parts: &Parts, network: Option<&Runnable>) -> Result<Players, Box<dyn Error>> {
    let (mut players, mut endpoints) = (Vec::new(), BTreeMap::new());
    let timeout = Duration::from_secs(args.timeout.into());
    for spec in &args.models {
        let endpoint = spec
            .endpoint(timeout)
            .map_err(|error| format!("--model {}: {error}", spec.name))?;
        players.push(Player {
            name: spec.name.clone(),
            kind: PlayerKind::Endpoint {
                provider: spec.provider.word().to_owned(),
                server: endpoint.server().to_owned(),
                model: spec.model.clone(),
            },
        });
        endpoints.insert(spec.name.clone(), endpoint);
    }
    for word in &args.players {
        // Started at its level, so that a strength which the engine does not have is known before anybody plays.
        let engine = |level: Option<Level>| -> Result<PlayerKind, Box<dyn Error>> {
            let options = level.map(Level::options).unwrap_or_default();
            let engine = parts.engine_with(&options)?.ok_or(SetupError::NoEngine)?;
            Ok(PlayerKind::Engine {
                engine: engine.name().to_owned(),
                level,
                limit: Limit::Nodes(args.nodes),
            })
        };
        let head = |head| match network {
            Some(network) => Ok(PlayerKind::Network {
                network: network.name.clone(),
                hash: network.hash.clone(),
                head,
            }),
            None => Err(MoveFailure::NoNetwork),
        };
        let kind = match word.as_str() {
            "random" => PlayerKind::Random,
            "first" => PlayerKind::First,
            "played" => PlayerKind::Played,
            "solution" => PlayerKind::Solution,
            "engine" => engine(None)?,
            "policy" => head(Head::Policy)?,
            "value" => head(Head::Value)?,
            level => engine(Some(level.parse().map_err(|_| {
                format!(
                    "`{level}` is no player: random, first, played, solution, engine, \"skill 5\", \"elo 1500\", policy, value"
                )
            })?))?,
        };
        players.push(Player {
            name: word.clone(),
            kind,
        });
    }
    if players.is_empty() {
        return Err("nobody plays: name a --model or a --player".into());
    }
    let mut names = std::collections::BTreeSet::new();
    if let Some(twice) = players.iter().find(|player| !names.insert(player.name.as_str())) {
        return Err(format!("there are two players called {}", twice.name).into());
    }
    Ok((players, endpoints))
}

impl Table<'_> {
    /// The row of a task: copied where the same words were answered, else asked for.
    fn answer(&self, worker: &mut Worker, task: &Task) -> Option<Row> {
        let player = self.run.player(&task.player)?;
        let at = self.run.position(&task.item)?;
        let mut play = match Play::begin(task, at, player, &self.run.header.settings) {
            Ok(play) => play,
            Err(error) => {
                errln!("lab: {error}");
                return None;
            }
        };
        if let Some(known) = locked(&self.known).get(play.key()) {
            return Some(play.copied(known));
        }
        loop {
            let begun = Instant::now();
            let millis = || u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
            let step = match (self.endpoints.get(&player.name), play.request()) {
                (Some(endpoint), Some(request)) => match endpoint.ask(request) {
                    Ok(reply) => play.take_reply(reply, millis()),
                    Err(error) => {
                        let what = format!("{error} {}", error.advice());
                        return Some(play.failed(failure_kind(error.kind()), what.trim()));
                    }
                },
                _ => {
                    let own = player
                        .kind
                        .own_move(at, play.reached(), self.run.header.settings.seed.into());
                    match own.map_or_else(|| self.native(worker, player, play.reached()), Ok) {
                        Ok(mv) => play.take_move(mv, millis()),
                        Err(error) => return Some(play.failed(FaultKind::Transport, &error.to_string())),
                    }
                }
            };
            match step {
                Step::Done(row) => return Some(*row),
                Step::Again(next) => play = *next,
            }
        }
    }

    /// The move of an engine or a network.
    fn native(&self, worker: &mut Worker, player: &Player, reached: &Reached) -> Result<Move, MoveFailure> {
        match &player.kind {
            PlayerKind::Engine { level, limit, .. } => {
                if !worker.engines.contains_key(&player.name) {
                    let options = level.map(Level::options).unwrap_or_default();
                    let engine = self.parts.engine_with(&options)?.ok_or(SetupError::NoEngine)?;
                    worker.engines.insert(player.name.clone(), engine);
                }
                let engine = worker.engines.get_mut(&player.name).ok_or(MoveFailure::None)?;
                let request =
                    SearchRequest::reached(1, &reached.history, reached.position.clone(), reached.mode, *limit)
                        .afresh();
                let best = engine.search(request)?.best;
                best.and_then(|best| best.to_move(&reached.position).ok())
                    .ok_or(MoveFailure::None)
            }
            PlayerKind::Network { head, .. } => {
                let network = self.network.as_ref().ok_or(MoveFailure::NoNetwork)?;
                let best = match head {
                    Head::Policy => network
                        .evaluate(&reached.history, &reached.position)?
                        .policy
                        .first()
                        .map(|(mv, _)| *mv),
                    Head::Value => by_value(reached, |history, position| {
                        network.evaluate(history, position).map(|output| output.q)
                    })?,
                };
                best.ok_or(MoveFailure::None)
            }
            _ => Err(MoveFailure::None),
        }
    }
}

/// Says how it went.
fn finish(args: &Args) -> Result<(), Box<dyn Error>> {
    let run = read_run(&args.out)?;
    let (progress, tokens) = (run.progress(), run.tokens());
    errln!(
        "lab: {} of {} answers in {}, {} failed; {} tokens in prompts, {} in replies{}",
        progress.answered,
        progress.all,
        args.out.display(),
        progress.failed,
        tokens.prompt,
        tokens.completion,
        cost(args.prices, tokens)
    );
    let faults = run.answers().chain(run.errors()).filter_map(|row| row.fault.as_ref());
    for (kind, count) in kinds(faults) {
        errln!("lab: {count} times: {}", kind.label().to_lowercase());
    }
    Ok(())
}

/// The run in a file.
pub fn read_run(path: &Path) -> Result<Run, Box<dyn Error>> {
    let text = lines_of(path)?;
    Run::read(&text).map_err(|error| format!("{}: {error}", path.display()).into())
}
