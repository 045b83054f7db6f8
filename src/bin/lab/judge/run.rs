//! `lab judge run`: asks, several at a time, and writes each judgement down as it comes.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    error::Error,
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
    time::Duration,
};

use kibitz::{
    judge::{
        exchange::{Exchange, Next, Row},
        gcc_eval::{Criterion, prompt::steps_request, score::Mode},
        item::JudgedItem,
        judges::{Judge, Pairs, Settings},
        rubric::decision::Weights,
        run_file::{Header, Run, RunLine, failure_kinds},
        task::{Task, shard},
    },
    long_run::{shard::Shard, tokens::Prices},
};

use super::{
    super::{
        endpoint::Endpoint,
        program::program,
        run_options::{EndpointSpec, endpoint_spec, numbers, prices},
        run_output::{self, lines_of, locked, work_off},
        survey_input::{bytes, write},
    },
    declaring::{DeclarerWord, declare_run, declarer_word, tell},
    items::prepared,
    source::{Sheets, Source},
};

/// Who judges.
#[derive(Debug, clap::Args)]
struct JudgeArgs {
    /// A judge: NAME=PROVIDER,URL,MODEL and, where it needs one, the variable that holds its key. PROVIDER is openai,
    /// anthropic or ollama. Several judges see the same comments.
    #[arg(long = "judge", value_name = "NAME=PROVIDER,URL,MODEL[,KEY_VARIABLE]", required = true, value_parser = endpoint_spec)]
    judges: Vec<EndpointSpec>,
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
    /// Who declares the claims of every comment, asked once for each: a model, written as a judge is, or `judge` for the first
    /// judge. Without it our own reader finds the claims.
    #[arg(long, value_name = "judge|NAME=PROVIDER,URL,MODEL[,KEY_VARIABLE]", value_parser = declarer_word)]
    declarer: Option<DeclarerWord>,
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
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// What a million tokens cost, of prompts and of replies.
    #[arg(long, value_name = "PROMPT,REPLY", value_parser = prices)]
    prices: Option<Prices>,
    /// Another run, whose judgements of the very same questions are copied instead of asking again.
    #[arg(long, value_name = "FILE.jsonl")]
    reuse: Vec<PathBuf>,
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

#[derive(Debug, Clone)]
enum PairsWord {
    None,
    Some(Pairs),
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

fn weights(text: &str) -> Result<Weights, String> {
    numbers(text)
        .map(Weights)
        .ok_or_else(|| "weights are six numbers parted by commas".to_owned())
}

impl JudgeArgs {
    fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout.into())
    }

    /// The judges by their names, each with its endpoint.
    fn all(&self) -> Result<(Vec<Judge>, Endpoints), Box<dyn Error>> {
        let (mut judges, mut endpoints) = (Vec::new(), BTreeMap::new());
        let timeout = self.timeout();
        for spec in &self.judges {
            let endpoint = spec
                .endpoint(timeout)
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
    let mut sheets = Sheets::new();
    let run = if args.out.exists() && fs::metadata(&args.out)?.len() > 0 {
        let run = read_run(&args.out)?;
        if run.header.judges != header.judges || run.header.settings != header.settings {
            return Err(format!(
                "{} is a run with other judges or settings: give another file, or the options that it was begun with",
                args.out.display()
            )
            .into());
        }
        run_output::end_line(&args.out)?;
        run
    } else {
        let (items, known) = prepared(&args.input, &args.source)?;
        sheets = known;
        let run = Run::new(header, items);
        write(&args.out, &run.text())?;
        run
    };
    let left = shard(run.tasks(), args.shard);
    let run = match &args.declarer {
        None => run,
        Some(word) => {
            let declaring = word.declaring(args.judges.judges.first(), args.judges.timeout())?;
            let ids: BTreeSet<&str> = left.iter().map(|task| task.item.as_str()).collect();
            let is_meant = |item: &JudgedItem| ids.contains(item.id.as_str());
            declare_run(
                &args.out,
                &run,
                is_meant,
                sheets,
                &args.source,
                declaring,
                args.concurrency,
            )?;
            let run = read_run(&args.out)?;
            tell(run.items.iter());
            run
        }
    };
    let judged: Vec<&Task> = run.judged().map(|row| &row.task).collect();
    let all = left.len();
    let left: VecDeque<Task> = left.into_iter().filter(|task| !judged.contains(&task)).collect();
    errln!(
        "lab: {} of {all} judgements are there, {} to do",
        all - left.len(),
        left.len()
    );
    ask_all(args, &run, &endpoints, left)?;
    finish(args)
}

fn ask_all(args: &Args, run: &Run, endpoints: &Endpoints, left: VecDeque<Task>) -> Result<(), Box<dyn Error>> {
    let mut known = run.by_key();
    for path in &args.reuse {
        for (key, row) in read_run(path)?.by_key() {
            known.entry(key).or_insert(row);
        }
    }
    let known = Mutex::new(known);
    let work = |(): &mut (), task: &Task| {
        let row = judged(run, endpoints, task, &known)?;
        if row.is_judged() {
            locked(&known).entry(row.key.clone()).or_insert_with(|| row.clone());
        }
        Some(RunLine::Row(row).text())
    };
    let workers = vec![(); args.concurrency.into()];
    work_off(&args.out, left, workers, "judgements", work)?;
    Ok(())
}

/// The row of a task: copied where the same words are judged, else asked for.
fn judged(run: &Run, endpoints: &Endpoints, task: &Task, known: &Mutex<BTreeMap<String, Row>>) -> Option<Row> {
    let judge = run.header.judges.iter().find(|judge| judge.name == task.judge)?;
    let endpoint = endpoints.get(&judge.name)?;
    let mut exchange = Exchange::begin(task, run.item(&task.item)?, judge, &run.header.settings)?;
    if let Some(known) = locked(known).get(exchange.key()) {
        return Some(exchange.copied(known));
    }
    let mut request = exchange.request();
    loop {
        let answer = endpoint.ask_telling(request, |error| exchange.failed_once(error.kind(), &error.to_string()));
        match answer {
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
    errln!(
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
        errln!("lab: {count} failed: {kind}");
    }
    Ok(())
}

/// The run in a file.
pub fn read_run(path: &Path) -> Result<Run, Box<dyn Error>> {
    let text = lines_of(path)?;
    Run::read(&text).map_err(|error| format!("{}: {error}", path.display()).into())
}
