//! `lab judge run`: asks, several at a time, and writes each judgement down as it comes.

use std::{
    collections::{BTreeMap, VecDeque},
    error::Error,
    fs::{self, File, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use kibitz::{
    judge::{
        exchange::{Exchange, Next, Row},
        gcc_eval::{Criterion, prompt::steps_request, score::Mode},
        judges::{Judge, Pairs, Settings},
        rubric::decision::Weights,
        run_file::{Header, Prices, Run, RunLine, failure_kinds},
        task::{Task, shard},
    },
    llm::{ApiKey, Provider},
};

use super::{
    super::{
        endpoint::Endpoint,
        program::program,
        survey_input::{bytes, write},
    },
    items::{Source, prepared},
};

/// How often progress is reported.
const NEWS: Duration = Duration::from_secs(10);

/// Who judges.
#[derive(Debug, clap::Args)]
struct JudgeArgs {
    /// A judge: NAME=PROVIDER,URL,MODEL and, where it needs one, the variable that holds its key. PROVIDER is openai,
    /// anthropic or ollama. Several judges see the same comments.
    #[arg(long = "judge", value_name = "NAME=PROVIDER,URL,MODEL[,KEY_VARIABLE]", required = true, value_parser = judge_spec)]
    judges: Vec<JudgeSpec>,
    /// Seconds that one request may take.
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u16).range(1..))]
    timeout: u16,
}

/// What to judge, and how.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The comments: items that are prepared, a study file, or a table.
    #[arg(long = "in", value_name = "FILE")]
    input: PathBuf,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    judges: JudgeArgs,
    /// How GCC-Eval's scores are drawn: probabilities, samples (20 at temperature 1) or integer.
    #[arg(long, default_value = "probabilities", value_parser = mode)]
    mode: Mode,
    /// Only these criteria of GCC-Eval.
    #[arg(long = "criterion", value_name = "CRITERION", value_parser = criterion)]
    criteria: Vec<Criterion>,
    /// No GCC-Eval.
    #[arg(long, conflicts_with = "criteria")]
    no_gcc_eval: bool,
    /// Steps that judges wrote, from `lab judge steps`; without it the steps are fixed.
    #[arg(long, value_name = "FILE.json")]
    steps: Option<PathBuf>,
    /// Shows the item's reference where relevance is judged.
    #[arg(long)]
    show_reference: bool,
    /// Pairs for the rubric: all, none, or against:METHOD.
    #[arg(long, default_value = "all", value_parser = pairs)]
    pairs: PairsWord,
    /// Six weights for the rubric's totals, parted by commas; without it totals are the plain sum.
    #[arg(long, value_name = "W1,…,W6", value_parser = weights)]
    weights: Option<Weights>,
    /// The first seed of the samplers.
    #[arg(long, default_value_t = 1)]
    seed: u32,
    /// The most tokens of a reply.
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..))]
    max_tokens: u32,
    /// Judgements under way at the same time.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=64))]
    concurrency: u8,
    /// Only these items: `0/2` is the first of every two.
    #[arg(long, value_name = "I/N", value_parser = shard_word, default_value = "0/1")]
    shard: (usize, usize),
    /// What a million tokens cost, of prompts and of replies.
    #[arg(long, value_name = "PROMPT,REPLY", value_parser = prices)]
    prices: Option<Prices>,
    /// The run; judgements that are there are kept.
    #[arg(long, value_name = "FILE.jsonl")]
    out: PathBuf,
}

/// Whose steps.
#[derive(Debug, clap::Args)]
pub struct StepsArgs {
    #[command(flatten)]
    judges: JudgeArgs,
    /// Where they go.
    #[arg(long, value_name = "FILE.json")]
    out: PathBuf,
}

/// Where each judge is asked, by its name.
type Endpoints = BTreeMap<String, Endpoint>;

/// A judge with its address and the variable of its key.
#[derive(Debug, Clone)]
struct JudgeSpec {
    name: String,
    provider: Provider,
    base: String,
    model: String,
    key: Option<String>,
}

#[derive(Debug, Clone)]
enum PairsWord {
    None,
    Some(Pairs),
}

fn judge_spec(text: &str) -> Result<JudgeSpec, String> {
    let (name, rest) = text
        .split_once('=')
        .ok_or("a judge is written NAME=PROVIDER,URL,MODEL")?;
    let fields: Vec<&str> = rest.split(',').map(str::trim).collect();
    let (provider, base, model, key) = match fields.as_slice() {
        [provider, base, model] => (provider, base, model, None),
        [provider, base, model, key] => (provider, base, model, Some((*key).to_owned())),
        _ => return Err("a judge has a provider, a URL, a model and perhaps the variable of its key".to_owned()),
    };
    let provider = Provider::from_word(provider)
        .filter(|provider| *provider != Provider::BuiltIn)
        .ok_or_else(|| format!("`{provider}` is neither openai, anthropic nor ollama"))?;
    Ok(JudgeSpec {
        name: name.trim().to_owned(),
        provider,
        base: (*base).to_owned(),
        model: (*model).to_owned(),
        key,
    })
}

fn mode(word: &str) -> Result<Mode, String> {
    Mode::of_word(word).ok_or_else(|| format!("`{word}` is neither probabilities, samples nor integer"))
}

fn criterion(word: &str) -> Result<Criterion, String> {
    Criterion::of_word(word).ok_or_else(|| format!("`{word}` is neither relevance, completeness, clarity nor fluency"))
}

fn pairs(word: &str) -> Result<PairsWord, String> {
    match word {
        "all" => Ok(PairsWord::Some(Pairs::All)),
        "none" => Ok(PairsWord::None),
        _ => match word.strip_prefix("against:") {
            Some(method) if !method.is_empty() => Ok(PairsWord::Some(Pairs::Against(method.to_owned()))),
            _ => Err(format!("`{word}` is neither all, none nor against:METHOD")),
        },
    }
}

fn numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|field| field.trim().parse().ok()).collect();
    let fine = |number: &f64| number.is_finite() && *number >= 0.0;
    numbers?.try_into().ok().filter(|all: &[f64; N]| all.iter().all(fine))
}

fn weights(text: &str) -> Result<Weights, String> {
    numbers(text)
        .map(Weights)
        .ok_or_else(|| "weights are six numbers parted by commas".to_owned())
}

fn prices(text: &str) -> Result<Prices, String> {
    numbers::<2>(text)
        .map(|[prompt, completion]| Prices { prompt, completion })
        .ok_or_else(|| "prices are two numbers parted by a comma".to_owned())
}

fn shard_word(text: &str) -> Result<(usize, usize), String> {
    let parts = text
        .split_once('/')
        .and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    parts
        .filter(|(i, n)| i < n)
        .ok_or_else(|| "a shard is written i/n, i from 0 to n − 1".to_owned())
}

impl JudgeArgs {
    /// The judges by their names, each with its endpoint.
    fn all(&self) -> Result<(Vec<Judge>, Endpoints), Box<dyn Error>> {
        let (mut judges, mut endpoints) = (Vec::new(), BTreeMap::new());
        for spec in &self.judges {
            let key = match &spec.key {
                None => None,
                Some(name) => {
                    let value = std::env::var(name).map_err(|_| format!("there is no variable {name}"))?;
                    Some(ApiKey::new(&value).map_err(|error| format!("{name}: {error}"))?)
                }
            };
            let timeout = Duration::from_secs(self.timeout.into());
            let endpoint = Endpoint::new(spec.provider, &spec.base, key, timeout)
                .map_err(|error| format!("--judge {}: {error}", spec.name))?;
            judges.push(Judge {
                name: spec.name.clone(),
                provider: spec.provider.word().to_owned(),
                server: endpoint.server().to_owned(),
                model: spec.model.clone(),
            });
            if endpoints.insert(spec.name.clone(), endpoint).is_some() {
                return Err(format!("there are two judges called {}", spec.name).into());
            }
        }
        Ok((judges, endpoints))
    }
}

/// `lab judge steps`.
pub fn steps(args: &StepsArgs) -> Result<(), Box<dyn Error>> {
    let (judges, endpoints) = args.judges.all()?;
    let mut all: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for judge in &judges {
        for criterion in Criterion::ALL {
            let reply = endpoints[&judge.name].ask(steps_request(*criterion, &judge.model))?;
            let own = all.entry(judge.name.clone()).or_default();
            own.insert(criterion.word().to_owned(), reply.text.trim().to_owned());
        }
    }
    write(&args.out, &(serde_json::to_string_pretty(&all)? + "\n"))?;
    Ok(())
}

/// `lab judge run`.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let (judges, endpoints) = args.judges.all()?;
    let settings = Settings {
        criteria: match (args.no_gcc_eval, args.criteria.is_empty()) {
            (true, _) => Vec::new(),
            (false, true) => Criterion::ALL.to_vec(),
            (false, false) => args.criteria.clone(),
        },
        mode: args.mode,
        steps: match &args.steps {
            Some(path) => serde_json::from_slice(&bytes(path)?).map_err(|error| format!("--steps: {error}"))?,
            None => BTreeMap::new(),
        },
        show_reference: args.show_reference,
        pairs: match &args.pairs {
            PairsWord::None => None,
            PairsWord::Some(pairs) => Some(pairs.clone()),
        },
        weights: args.weights.unwrap_or_default(),
        seed: args.seed,
        max_tokens: args.max_tokens,
    };
    let header = Header::new(program(), judges, settings);
    let run = if args.out.exists() && fs::metadata(&args.out)?.len() > 0 {
        let run = read_run(&args.out)?;
        if run.header.judges != header.judges || run.header.settings != header.settings {
            return Err(format!(
                "{} is a run with other judges or settings: give another file, or the options that it was begun with",
                args.out.display()
            )
            .into());
        }
        end_line(&args.out)?;
        run
    } else {
        let run = Run::new(header, prepared(&args.input, &args.source)?);
        write(&args.out, &run.text())?;
        run
    };
    let left = shard(run.tasks(), args.shard.0, args.shard.1);
    let judged: Vec<&Task> = run.judged().map(|row| &row.task).collect();
    let all = left.len();
    let left: VecDeque<Task> = left.into_iter().filter(|task| !judged.contains(&task)).collect();
    eprintln!(
        "lab: {} of {all} judgements are there, {} to do",
        all - left.len(),
        left.len()
    );
    ask_all(args, &run, &endpoints, left)?;
    finish(args)
}

/// What the threads share.
struct Shared {
    left: VecDeque<Task>,
    known: BTreeMap<String, Row>,
    out: File,
    done: usize,
    news: Instant,
    problem: Option<std::io::Error>,
}

fn ask_all(args: &Args, run: &Run, endpoints: &Endpoints, left: VecDeque<Task>) -> Result<(), Box<dyn Error>> {
    let all = left.len();
    let begun = Instant::now();
    let shared = Mutex::new(Shared {
        left,
        known: run.by_key(),
        out: OpenOptions::new().append(true).open(&args.out)?,
        done: 0,
        news: Instant::now(),
        problem: None,
    });
    std::thread::scope(|scope| {
        for _ in 0..args.concurrency {
            scope.spawn(|| {
                loop {
                    let Some(task) = locked(&shared).left.pop_front() else {
                        return;
                    };
                    let Some(row) = judged(run, endpoints, &task, &shared) else {
                        continue;
                    };
                    let mut shared = locked(&shared);
                    shared.done += 1;
                    if row.is_judged() {
                        shared.known.entry(row.key.clone()).or_insert_with(|| row.clone());
                    }
                    // Each line in one piece, and at once: what is judged is paid for.
                    let line = RunLine::Row(row).text() + "\n";
                    if let Err(error) = shared.out.write_all(line.as_bytes()) {
                        shared.problem = Some(error);
                        shared.left.clear();
                    }
                    if shared.news.elapsed() >= NEWS {
                        shared.news = Instant::now();
                        let each = begun.elapsed().as_secs_f64() / shared.done as f64;
                        eprintln!(
                            "lab: {} of {all} judgements, about {:.0} s left",
                            shared.done,
                            each * (all - shared.done) as f64
                        );
                    }
                }
            });
        }
    });
    let problem = locked(&shared).problem.take();
    match problem {
        Some(error) => Err(format!("{}: {error}", args.out.display()).into()),
        None => Ok(()),
    }
}

/// A thread that panicked holds nothing half-done.
fn locked(shared: &Mutex<Shared>) -> std::sync::MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The row of a task: copied where the same words are judged, else asked for.
fn judged(run: &Run, endpoints: &Endpoints, task: &Task, shared: &Mutex<Shared>) -> Option<Row> {
    let judge = run.header.judges.iter().find(|judge| judge.name == task.judge)?;
    let endpoint = endpoints.get(&judge.name)?;
    let mut exchange = Exchange::begin(task, run.item(&task.item)?, judge, &run.header.settings)?;
    if let Some(known) = locked(shared).known.get(exchange.key()) {
        return Some(exchange.copied(known));
    }
    let mut request = exchange.request();
    loop {
        match endpoint.ask(request) {
            Err(error) => return Some(exchange.failed(error.kind(), &error.to_string(), &error.advice())),
            Ok(reply) => {
                let (then, next) = exchange.take(reply);
                exchange = then;
                match next {
                    Next::Done(row) => return Some(*row),
                    Next::Ask(next) => request = *next,
                }
            }
        }
    }
}

/// Says how it went.
fn finish(args: &Args) -> Result<(), Box<dyn Error>> {
    let run = read_run(&args.out)?;
    let progress = run.progress();
    let tokens = run.tokens();
    eprintln!(
        "lab: {} of {} judgements in {}, {} failed; {} tokens in prompts, {} in replies{}",
        progress.judged,
        progress.all,
        args.out.display(),
        progress.failed,
        tokens.prompt,
        tokens.completion,
        args.prices
            .map_or_else(String::new, |prices| format!("; cost {:.4}", prices.cost(tokens)))
    );
    for (kind, count) in failure_kinds(&run.failures()) {
        eprintln!("lab: {count} failed: {kind}");
    }
    Ok(())
}

/// The run in a file.
pub fn read_run(path: &Path) -> Result<Run, Box<dyn Error>> {
    let text = String::from_utf8_lossy(&bytes(path)?).into_owned();
    Run::read(&text).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// Takes away half a line that a run which was cut off has left.
fn end_line(path: &Path) -> Result<(), Box<dyn Error>> {
    let text = fs::read(path)?;
    if text.last().is_some_and(|last| *last != b'\n') {
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        OpenOptions::new().write(true).open(path)?.set_len(whole as u64)?;
    }
    Ok(())
}
