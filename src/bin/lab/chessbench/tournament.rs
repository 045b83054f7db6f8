//! `lab chessbench tournament` and `lab chessbench standings`: players against each other, and how they stand.

use std::{
    collections::VecDeque,
    error::Error,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use kibitz::{
    chessbench::policy::PolicyRules,
    long_run::{shard::Shard, tokens::Tokens},
    tournament::{
        contestant::{Contestant, Way},
        fixture_game::{Adjudication, Ending, FixtureGame, Next},
        report::{Anchor, LEVEL, tables},
        run_file::{GameRow, SCHEMA, Tournament, TournamentHeader},
        schedule::Fixture,
        standings::Standings,
        turn::Moved,
    },
    uci::Limit,
};

use super::{
    super::{
        engine::{Engine, EngineError},
        program::program,
        run_options::{EndpointSpec, endpoint_spec},
        run_output::{end_line, lines_of, work_off},
        setup::{Parts, SetupError},
        survey_input::write,
        tables::{Format, print},
    },
    contestants::{Mover, MoverError, contestant},
    players::{ModelArgs, Player},
};

/// Openings of each pair, unless told otherwise.
const OPENINGS: usize = 10;

/// Who plays, and how much.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A player: `random`, `skill 5@1000` or `elo 1500@1000` (Stockfish at a level, nodes a move), `engine@1000` (one search a move),
    /// `each@100` (a search for each legal move: the oracle). `NAME=…` calls it otherwise.
    #[arg(long = "player", value_name = "[NAME=]PLAYER", value_parser = contestant)]
    players: Vec<Contestant>,
    #[command(flatten)]
    models: ModelArgs,
    /// A language model, which is shown the game as PGN: NAME=PROVIDER,URL,MODEL and, where it needs one, the variable that holds its
    /// key. PROVIDER is openai, anthropic or ollama. Several may be given.
    #[arg(long = "chat", value_name = "NAME=PROVIDER,URL,MODEL[,KEY]", value_parser = endpoint_spec)]
    chats: Vec<EndpointSpec>,
    /// Seconds that one request to a language model may take.
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u16).range(1..))]
    timeout: u16,
    #[command(flatten)]
    switches: Switches,
    /// A UCI engine; without it `stockfish` on the PATH, then /usr/games/stockfish.
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,
    /// Openings; each pair plays each of them with either colour.
    #[arg(long, default_value_t = OPENINGS)]
    openings: usize,
    /// Of openings, and of everything that is drawn by lot.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Nodes of each look whether a game is decided (2000).
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    look: Option<u64>,
    /// Centipawns that a look has to exceed for a game to be decided (1300).
    #[arg(long, value_name = "CENTIPAWNS", value_parser = clap::value_parser!(i32).range(1..))]
    beyond: Option<i32>,
    /// Games are played out, and nobody looks whether they are decided.
    #[arg(long, conflicts_with_all = ["look", "beyond"])]
    play_out: bool,
    /// Games at the same time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    threads: u8,
    /// Only these openings: `0/2` is the first of every two.
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// The tournament; games that are over are kept.
    #[arg(long, value_name = "RUN.jsonl")]
    out: PathBuf,
}

/// What the policies of models do besides.
#[derive(Debug, Clone, Copy, clap::Args)]
struct Switches {
    /// Models play on into repetitions as if they were worth what they say.
    #[arg(long)]
    ignore_repetitions: bool,
    /// Models draw their first five moves by a softmax of temperature 0.005.
    #[arg(long)]
    early_softmax: bool,
    /// Where the best five moves of a model all exceed 99 % and Stockfish agrees, it picks among them.
    #[arg(long)]
    decided: bool,
}

impl Switches {
    const fn rules(self) -> PolicyRules {
        PolicyRules {
            repetition: !self.ignore_repetitions,
            early_softmax: self.early_softmax,
            decided: self.decided,
        }
    }
}

/// Which tournament, and how.
#[derive(Debug, clap::Args)]
pub struct StandingsArgs {
    /// Files of the same tournament.
    #[arg(required = true, value_name = "RUN.jsonl")]
    runs: Vec<PathBuf>,
    /// A player whose rating is held: NAME=POINTS.
    #[arg(long, value_name = "NAME=POINTS")]
    anchor: Option<String>,
    /// Where the games go as PGN.
    #[arg(long, value_name = "FILE.pgn")]
    pgn: Option<PathBuf>,
    /// How tables are printed.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Plays.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let parts = Parts {
        engine: args.engine.clone(),
        labels: None,
        net: None,
    };
    let adjudication = match (args.play_out, args.look) {
        (true, _) => None,
        (false, nodes) => Some(Adjudication {
            limit: nodes.map_or(Adjudication::default().limit, Limit::Nodes),
            beyond: args.beyond.unwrap_or(Adjudication::default().beyond),
        }),
    };
    let rules = args.switches.rules();
    let models = match args.models.is_empty() {
        true => Vec::new(),
        false => args.models.players(&[])?,
    };
    let mut contestants = args.players.clone();
    contestants.extend(models.iter().filter_map(|player| {
        let name = player.who.name.clone();
        player.way(rules).map(|way| Contestant { name, way })
    }));
    contestants.extend(args.chats.iter().map(|chat| Contestant {
        name: chat.name.clone(),
        way: Way::Chat {
            model: chat.model.clone(),
        },
    }));
    let needs_engine = adjudication.is_some() || contestants.iter().any(|player| player.way.engine().is_some());
    let judges = match needs_engine {
        true => Some(parts.engine()?.ok_or(SetupError::NoEngine)?),
        false => None,
    };
    let fresh = Tournament::new(TournamentHeader {
        schema: SCHEMA,
        program: program(),
        contestants,
        openings: args.openings,
        seed: args.seed,
        adjudication,
        engine: judges.as_ref().map(|engine| engine.name().to_owned()),
    })?;
    drop(judges);
    let tournament = if args.out.exists() && fs::metadata(&args.out)?.len() > 0 {
        let tournament = read_tournament(&args.out)?;
        tournament.same_as(&fresh).map_err(|error| {
            format!(
                "{}: {error}: give another file, or what it was begun with",
                args.out.display()
            )
        })?;
        end_line(&args.out)?;
        tournament
    } else {
        write(&args.out, &fresh.head())?;
        fresh
    };
    let openings: Vec<(String, Fixture)> = tournament.left().map(|game| (game.opening.to_string(), game)).collect();
    let left: VecDeque<Fixture> = args
        .shard
        .of(openings, |(opening, _)| opening)
        .into_iter()
        .map(|(_, game)| game)
        .collect();
    errln!(
        "lab: {} players, {} games are to be played",
        tournament.header.contestants.len(),
        left.len()
    );
    let tables = (0..args.threads)
        .map(|_| GameTable::new(&parts, args, &models, adjudication))
        .collect::<Result<Vec<_>, _>>()?;
    work_off(&args.out, left, tables, "games", |table, fixture| {
        let begun = Instant::now();
        let played = table.play(*fixture, args.seed);
        let millis = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let tokens = table.take_tokens();
        let row = match played {
            Ok(game) => GameRow::of(&game, millis, tokens)?,
            Err(error) => GameRow {
                tokens,
                ..GameRow::failed(*fixture, error.to_string(), millis)
            },
        };
        Some(row.line())
    })?;
    let tournament = read_tournament(&args.out)?;
    let (progress, tokens) = (tournament.count().progress(), tournament.count().tokens());
    errln!(
        "lab: {} of {} games are over, {} failed",
        progress.answered,
        progress.all,
        progress.failed
    );
    if tokens != Tokens::default() {
        errln!(
            "lab: {} tokens in prompts, {} in replies",
            tokens.prompt,
            tokens.completion
        );
    }
    Ok(())
}

/// Where one game at a time is played: the players, each with an engine of its own, and whoever looks.
struct GameTable {
    movers: Vec<Mover>,
    judge: Option<(Engine, Adjudication)>,
}

impl GameTable {
    fn new(
        parts: &Parts,
        args: &Args,
        models: &[Player],
        adjudication: Option<Adjudication>,
    ) -> Result<Self, Box<dyn Error>> {
        let judge = match adjudication {
            Some(rule) => Some((parts.engine()?.ok_or(SetupError::NoEngine)?, rule)),
            None => None,
        };
        let mut movers = Vec::new();
        for player in &args.players {
            movers.push(Mover::new(player.way.clone(), None, parts)?);
        }
        for model in models {
            if let Some(way) = model.way(args.switches.rules()) {
                movers.push(Mover::new(way, Some(model.clone()), parts)?);
            }
        }
        for chat in &args.chats {
            let endpoint = chat.endpoint(Duration::from_secs(args.timeout.into()));
            let endpoint = endpoint.map_err(|error| format!("--chat {}: {error}", chat.name))?;
            movers.push(Mover::chat(chat.model.clone(), endpoint));
        }
        Ok(Self { movers, judge })
    }

    /// Tokens of the language models' requests since this was last asked.
    fn take_tokens(&mut self) -> Option<Tokens> {
        let used = self.movers.iter_mut().filter_map(Mover::take_tokens);
        used.reduce(|all, used| [all, used].into_iter().sum())
    }

    fn play(&mut self, fixture: Fixture, seed: u64) -> Result<FixtureGame, TableError> {
        let rule = self.judge.as_ref().map(|(_, rule)| *rule);
        let mut game = FixtureGame::begin(fixture, &fixture.opening_moves(seed), rule);
        let mut lots = fixture.lots(seed);
        loop {
            match game.next() {
                Next::Over(..) => return Ok(game),
                Next::Look => {
                    let (Some((judge, _)), Some(request)) = (&mut self.judge, game.look_request(1)) else {
                        return Err(TableError::NoLook);
                    };
                    let score = judge.search(request)?.lines.first().map(|line| line.score);
                    game.look(score.ok_or(TableError::NoLook)?);
                }
                Next::Move(_) => match self.movers[game.to_move()].choose(&game, &mut lots)? {
                    Moved::Move(mv, _) => {
                        game.play(mv);
                    }
                    Moved::None(_) => game.lose(Ending::NoMove),
                },
            }
        }
    }
}

/// Why a game was not played to its end.
#[derive(Debug, thiserror::Error)]
enum TableError {
    #[error(transparent)]
    Mover(#[from] MoverError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("the engine that looks whether a game is decided has no score")]
    NoLook,
}

/// Prints the tables.
pub fn standings(args: &StandingsArgs) -> Result<(), Box<dyn Error>> {
    let (first, others) = args.runs.split_first().ok_or("no file is given")?;
    let mut tournament = read_tournament(first)?;
    for path in others {
        tournament
            .merge(read_tournament(path)?)
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let anchor = args
        .anchor
        .as_deref()
        .map(|text| anchor(text, &tournament))
        .transpose()?;
    let standings = Standings::of(&tournament, LEVEL);
    print(&tables(&tournament, &standings, anchor), args.format)?;
    if let Some(path) = &args.pgn {
        write(path, &tournament.pgn())?;
    }
    Ok(())
}

fn anchor(text: &str, tournament: &Tournament) -> Result<Anchor, String> {
    let (name, points) = text
        .rsplit_once('=')
        .and_then(|(name, points)| Some((name, points.parse::<f64>().ok().filter(|points| points.is_finite())?)))
        .ok_or("an anchor is written NAME=POINTS")?;
    let players = &tournament.header.contestants;
    let player = players
        .iter()
        .position(|player| player.name == name)
        .ok_or_else(|| format!("nobody in the tournament is called “{name}”"))?;
    Ok(Anchor { player, points })
}

fn read_tournament(path: &Path) -> Result<Tournament, Box<dyn Error>> {
    let text = lines_of(path)?;
    Tournament::read(&text).map_err(|error| format!("{}: {error}", path.display()).into())
}
