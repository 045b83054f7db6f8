//! `lab blindfold eval`: players answer a set of questions; each answer is written down as it comes.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    error::Error,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use kibitz::{
    blindfold::{
        asked::MoveText,
        probe::{Probe, ProbeTask},
        probe_set::ProbeSet,
        run_file::{BlindLine, BlindPlayer, BlindPlayerKind, BlindRow, BlindRun, BlindSettings, BlindTask},
        scored::{self, Scoring},
        scripted::Scripted,
    },
    grading::{fault::FaultKind, play::failure_kind},
    llm::CompletionRequest,
    long_run::{
        lines::line_text,
        shard::Shard,
        tokens::{Prices, Tokens},
    },
};

use super::{
    super::{
        endpoint::{AskError, Endpoint},
        program::program,
        run_options::{EndpointSpec, endpoint_spec, prices},
        run_output::{end_line, lines_of, work_off},
        survey_input::write,
    },
    language_model::{LanguageModel, LmSpec, lm_spec},
};

/// Who answers what, and how.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The questions, from `lab blindfold probes`.
    #[arg(long, value_name = "FILE.jsonl")]
    probes: PathBuf,
    /// A language model that is asked: NAME=PROVIDER,URL,MODEL and, where it needs one, the variable that holds its key.
    /// PROVIDER is openai, anthropic or ollama. Several answer the same questions.
    #[arg(long = "model", value_name = "NAME=PROVIDER,URL,MODEL[,KEY_VARIABLE]", value_parser = endpoint_spec)]
    models: Vec<EndpointSpec>,
    /// The same of a model that is scored: its server must offer completions with log-probabilities, and PROVIDER is openai.
    /// It ranks squares and types by the probabilities of its next tokens, in up to nine requests a question.
    #[arg(long = "scored", value_name = "NAME=PROVIDER,URL,MODEL[,KEY_VARIABLE]", value_parser = endpoint_spec)]
    scored: Vec<EndpointSpec>,
    /// How models are told the moves: uci (e2e4), types (Pe2e4) or pgn (1. e4 e5); with several they answer several times.
    /// Scored ones are told uci, which gives no Start tasks, or types.
    #[arg(long = "moves", value_name = "FORM", default_value = "uci")]
    moves: Vec<MoveText>,
    /// A small language model of our own format, which ranks its vocabulary: FILE, called what its header says, or NAME=FILE.
    /// Several answer the same questions.
    #[arg(long = "lm", value_name = "[NAME=]FILE.safetensors", value_parser = lm_spec)]
    lms: Vec<LmSpec>,
    /// A player whose scores are known: uniform, oracle, random-legal.
    #[arg(long = "player", value_name = "PLAYER", value_parser = scripted)]
    players: Vec<Scripted>,
    /// Only this task: end-actual, end-other, start-actual, start-other; several may be given.
    #[arg(long = "task", value_name = "TASK", value_parser = task)]
    tasks: Vec<ProbeTask>,
    /// Only the first so many probes.
    #[arg(long, value_name = "COUNT")]
    first: Option<usize>,
    /// Of models.
    #[arg(long, default_value_t = 0.0)]
    temperature: f64,
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
    /// Only these probes: `0/2` is the first of every two.
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// What a million tokens cost, of prompts and of replies.
    #[arg(long, value_name = "PROMPT,REPLY", value_parser = prices)]
    prices: Option<Prices>,
    /// The run; answers that are there are kept.
    #[arg(long, value_name = "FILE.jsonl")]
    out: PathBuf,
}

fn scripted(word: &str) -> Result<Scripted, String> {
    Scripted::of_word(word).ok_or_else(|| format!("`{word}` is neither uniform, oracle nor random-legal"))
}

fn task(word: &str) -> Result<ProbeTask, String> {
    ProbeTask::of_word(word)
        .ok_or_else(|| format!("`{word}` is none of end-actual, end-other, start-actual and start-other"))
}

/// Where players that are asked are reached, by the player's name.
type Endpoints = BTreeMap<String, Endpoint>;
/// Models that rank their vocabulary, by the player's name.
type Models = BTreeMap<String, LanguageModel>;

/// Who takes part.
struct Answering {
    players: Vec<BlindPlayer>,
    endpoints: Endpoints,
    models: Models,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let Answering {
        players,
        endpoints,
        models,
    } = answering(args)?;
    let text = lines_of(&args.probes)?;
    let mut set = ProbeSet::read(&text).map_err(|error| format!("{}: {error}", args.probes.display()))?;
    set.probes.truncate(args.first.unwrap_or(usize::MAX));
    let settings = BlindSettings {
        tasks: match args.tasks.is_empty() {
            true => ProbeTask::ALL.to_vec(),
            false => args
                .tasks
                .iter()
                .copied()
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect(),
        },
        temperature: args.temperature,
        max_tokens: args.max_tokens,
        seed: args.seed,
    };
    let fresh = BlindRun::new(set, players, settings, program());
    let run = if args.out.exists() && fs::metadata(&args.out)?.len() > 0 {
        let run = read_run(&args.out)?;
        run.same_as(&fresh).map_err(|error| {
            format!(
                "{}: {error}: give another file, or the options that it was begun with",
                args.out.display()
            )
        })?;
        end_line(&args.out)?;
        run
    } else {
        write(&args.out, &fresh.text())?;
        fresh
    };
    let left = run.left(args.shard);
    errln!("lab: {} of {} answers are to be given", left.len(), run.tasks().len());
    let by_id = run.by_id();
    let pieces = pieces(left, &models);
    // Each reads for itself, and remembers what it has read.
    let workers = vec![models; args.concurrency.into()];
    work_off(&args.out, pieces, workers, "pieces", |models, piece| {
        let rows = piece.iter().filter_map(|task| {
            let row = answer(&run, by_id.get(task.probe.as_str())?, &endpoints, models, task)?;
            Some(line_text(&BlindLine::Row(Box::new(row))))
        });
        let lines: Vec<String> = rows.collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    })?;
    finish(args)
}

/// What a worker takes at a time: one task; of a model of our own all that is asked after a prefix, which is read once then.
fn pieces(left: Vec<BlindTask>, models: &Models) -> VecDeque<Vec<BlindTask>> {
    let mut pieces: VecDeque<Vec<BlindTask>> = VecDeque::new();
    let mut begun: BTreeMap<(String, String), usize> = BTreeMap::new();
    for task in left {
        if !models.contains_key(&task.player) {
            pieces.push_back(vec![task]);
            continue;
        }
        let of = (task.probe.clone(), task.player.clone());
        match begun.get(&of) {
            Some(&place) => pieces[place].push(task),
            None => {
                begun.insert(of, pieces.len());
                pieces.push_back(vec![task]);
            }
        }
    }
    pieces
}

fn answering(args: &Args) -> Result<Answering, Box<dyn Error>> {
    let (mut players, mut endpoints, mut models) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
    let timeout = Duration::from_secs(args.timeout.into());
    let texts: BTreeSet<MoveText> = args.moves.iter().copied().collect();
    let asked = args.models.iter().map(|spec| (spec, Way::Asked));
    let scored = args.scored.iter().map(|spec| (spec, Way::Scored));
    for (spec, way) in asked.chain(scored) {
        for text in &texts {
            let at = |what: &dyn std::fmt::Display| format!("{} {}: {what}", way.option(), spec.name);
            let endpoint = spec.endpoint(timeout).map_err(|error| at(&error))?;
            if way == Way::Scored {
                can_be_scored(&endpoint, &spec.model, *text).map_err(|error| at(&error))?;
            }
            let name = match texts.len() {
                1 => spec.name.clone(),
                _ => format!("{} ({text})", spec.name),
            };
            let kind = way.kind(spec, endpoint.server(), *text);
            endpoints.insert(name.clone(), endpoint);
            players.push(BlindPlayer { name, kind });
        }
    }
    for spec in &args.lms {
        let model = spec.load()?;
        players.push(BlindPlayer {
            name: model.name.clone(),
            kind: model.kind.clone(),
        });
        models.insert(model.name.clone(), model);
    }
    players.extend(args.players.iter().map(|script| BlindPlayer {
        name: script.word().to_owned(),
        kind: BlindPlayerKind::Scripted { script: *script },
    }));
    if players.is_empty() {
        return Err("nobody answers: name a --model, a --scored, an --lm or a --player".into());
    }
    let mut names = BTreeSet::new();
    if let Some(twice) = players.iter().find(|player| !names.insert(player.name.as_str())) {
        return Err(format!("there are two players called {}", twice.name).into());
    }
    Ok(Answering {
        players,
        endpoints,
        models,
    })
}

/// How a model behind an endpoint answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Asked,
    Scored,
}

impl Way {
    const fn option(self) -> &'static str {
        match self {
            Self::Asked => "--model",
            Self::Scored => "--scored",
        }
    }

    fn kind(self, spec: &EndpointSpec, server: &str, text: MoveText) -> BlindPlayerKind {
        let (provider, server) = (spec.provider.word().to_owned(), server.to_owned());
        let model = spec.model.clone();
        match self {
            Self::Asked => BlindPlayerKind::Asked {
                provider,
                server,
                model,
                text,
            },
            Self::Scored => BlindPlayerKind::Scored {
                provider,
                server,
                model,
                text,
            },
        }
    }
}

/// Whether a model can be scored, by trying it; a server that does not answer now may do so later.
fn can_be_scored(endpoint: &Endpoint, model: &str, text: MoveText) -> Result<(), String> {
    if text == MoveText::Pgn {
        return Err("a model is scored with --moves uci or types".to_owned());
    }
    match endpoint.complete(&mut CompletionRequest::new(model, scored::TRIAL)) {
        Err(error) if error.kind() == "no-probabilities" => Err(format!("{error} {}", error.advice())),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// The row of a task; `None` where there is no such player or question.
fn answer(
    run: &BlindRun,
    probe: &Probe,
    endpoints: &Endpoints,
    models: &mut Models,
    task: &BlindTask,
) -> Option<BlindRow> {
    let player = run.header.players.iter().find(|player| player.name == task.player)?;
    let question = probe.question(task.task)?;
    match &player.kind {
        BlindPlayerKind::Scripted { script } => {
            let answer = script.answer(probe.id(), &question, run.header.settings.seed.into());
            Some(BlindRow::of_answer(task, &answer))
        }
        BlindPlayerKind::Model { .. } => {
            let begun = Instant::now();
            Some(match models.get_mut(&player.name)?.answer(probe, &question) {
                Ok(answer) => BlindRow {
                    millis: millis(begun),
                    ..BlindRow::of_answer(task, &answer)
                },
                Err(error) => BlindRow::failed(task, FaultKind::Transport, &error.to_string()),
            })
        }
        BlindPlayerKind::Asked { .. } => {
            let request = run.request(player, probe, &question)?;
            let begun = Instant::now();
            Some(match endpoints.get(&player.name)?.ask(request) {
                Ok(reply) => BlindRow::of_reply(task, &question, reply, millis(begun)),
                Err(error) => unanswered(task, &error),
            })
        }
        BlindPlayerKind::Scored { .. } => {
            let (model, mut scoring) = run.scoring(player, probe, &question)?;
            let begun = Instant::now();
            Some(match score(endpoints.get(&player.name)?, model, &mut scoring) {
                Ok(()) => BlindRow::of_scored(task, scoring.scored(&question), millis(begun)),
                Err(error) => unanswered(task, &error),
            })
        }
    }
}

/// Hears all that a scoring wants to hear.
fn score(endpoint: &Endpoint, model: &str, scoring: &mut Scoring) -> Result<(), AskError> {
    let mut request = CompletionRequest::new(model, "");
    while let Some(text) = scoring.wanted() {
        request.prompt = text;
        scoring.hear(endpoint.complete(&mut request)?);
    }
    Ok(())
}

fn unanswered(task: &BlindTask, error: &AskError) -> BlindRow {
    let what = format!("{error} {}", error.advice());
    BlindRow::failed(task, failure_kind(error.kind()), what.trim())
}

fn millis(begun: Instant) -> u64 {
    u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// Says how it went.
fn finish(args: &Args) -> Result<(), Box<dyn Error>> {
    let run = read_run(&args.out)?;
    let Tokens { prompt, completion } = run.used();
    let cost = args
        .prices
        .map_or_else(String::new, |prices| format!("; cost {:.4}", prices.cost(run.used())));
    errln!(
        "lab: {} of {} answers in {}, {} failed; {prompt} tokens in prompts, {completion} in replies{cost}",
        run.answers().count(),
        run.tasks().len(),
        args.out.display(),
        run.failed()
    );
    Ok(())
}

/// The run in a file.
pub fn read_run(path: &Path) -> Result<BlindRun, Box<dyn Error>> {
    let text = lines_of(path)?;
    BlindRun::read(&text).map_err(|error| format!("{}: {error}", path.display()).into())
}
