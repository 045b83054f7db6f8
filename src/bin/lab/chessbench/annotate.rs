//! `lab chessbench annotate` and `lab chessbench merge`: what boards and their moves are worth to an engine, board by board.

use std::{
    collections::VecDeque,
    error::Error,
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use kibitz::{
    chessbench::{
        annotation::{Annotation, searches},
        board::{Board, Boards},
        record::{ActionSearch, Oracle},
        run_file::{Annotated, AnnotationRow, AnnotationRun},
    },
    long_run::shard::Shard,
    uci::Limit,
};

use super::{
    super::{
        engine::{Engine, EngineError},
        merge_args::MergeArgs,
        program::program,
        run_output::{end_line, lines_of, work_off},
        setup::{Parts, SetupError},
        survey_input::write,
    },
    boards::add_file,
};

/// Nodes of a search, unless told otherwise: labels of 10,000 games in a night on two cores.
const NODES: u64 = 1_000;

/// What to annotate, and by whom.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Games (.pgn, .pgn.zst: every board of their main lines), or files with a FEN a line.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A UCI engine; without it `stockfish` on the PATH, then /usr/games/stockfish.
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,
    /// Nodes of each search (1000): the same records on every machine.
    #[arg(long, conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds for each search instead; the paper's oracle had 50.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..))]
    time: Option<u32>,
    /// One search of a board with a line for every move instead of one for each move: faster, and another oracle.
    #[arg(long)]
    multipv: bool,
    /// Only the first so many boards.
    #[arg(long, value_name = "COUNT")]
    first: Option<usize>,
    /// Engines at work at the same time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    threads: u8,
    /// Only these boards: `0/2` is the first of every two.
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// The run; boards that are done are kept.
    #[arg(long, value_name = "RUN.jsonl")]
    out: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let mut boards = Boards::default();
    for path in &args.files {
        add_file(&mut boards, path)?;
    }
    let (mut boards, counts) = boards.into_parts();
    boards.truncate(args.first.unwrap_or(usize::MAX));
    errln!(
        "lab: {} boards of {} in {} games; {} repeat another, {} are beyond the symbols",
        boards.len(),
        counts.offered,
        counts.games,
        counts.repeated,
        counts.not_symbols
    );
    let limit = match args.time {
        Some(ms) => Limit::Time(ms),
        None => Limit::Nodes(args.nodes.unwrap_or(NODES)),
    };
    let parts = Parts {
        engine: args.engine.clone(),
        labels: None,
        net: None,
    };
    let engines = (0..args.threads)
        .map(|_| parts.engine()?.ok_or(SetupError::NoEngine))
        .collect::<Result<Vec<Engine>, _>>()?;
    let oracle = Oracle {
        engine: engines.first().map_or("", Engine::name).to_owned(),
        limit,
        actions: match args.multipv {
            true => ActionSearch::Multipv,
            false => ActionSearch::EachMove,
        },
    };
    let fresh = AnnotationRun::new(boards, counts, oracle, program());
    let run = if args.out.exists() && fs::metadata(&args.out)?.len() > 0 {
        let run = read_run(&args.out)?;
        run.same_as(&fresh).map_err(|error| {
            format!(
                "{}: {error}: give another file, or what it was begun with",
                args.out.display()
            )
        })?;
        end_line(&args.out)?;
        run
    } else {
        begin(&args.out, &fresh)?;
        fresh
    };
    let left: VecDeque<Board> = run.left(args.shard).into_iter().cloned().collect();
    let actions = run.header.oracle.actions;
    errln!(
        "lab: {} boards are to be annotated, {} searches, by {}",
        left.len(),
        searches(&left, actions),
        run.header.oracle.words()
    );
    drop(run);
    work_off(&args.out, left, engines, "boards", |engine, board| {
        let begun = Instant::now();
        let mut row = annotate(engine, board, limit, actions)
            .unwrap_or_else(|error| AnnotationRow::failed(board, &error.to_string()));
        row.millis = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        Some(row.line())
    })?;
    finish(&args.out, &read_run(&args.out)?);
    Ok(())
}

/// Writes a run's header and boards. They are there whole or not at all: cut off half-way they would be another run's.
fn begin(path: &Path, run: &AnnotationRun) -> Result<(), Box<dyn Error>> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".new");
    let unfinished = PathBuf::from(unfinished);
    write(&unfinished, &run.head())?;
    fs::rename(&unfinished, path).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// Why a board has no record.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A search failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A search said nothing of use.
    #[error(transparent)]
    Annotation(#[from] kibitz::chessbench::annotation::AnnotationError),
    /// A search was left out.
    #[error("not all of its searches were done")]
    Half,
}

/// What a board and its moves are worth to the engine.
pub fn annotate(
    engine: &mut Engine,
    board: &Board,
    limit: Limit,
    actions: ActionSearch,
) -> Result<AnnotationRow, Failure> {
    let mut annotation = Annotation::new(board.clone(), limit, actions);
    while let Some(request) = annotation.next(1) {
        annotation.take(&engine.search(request)?)?;
    }
    let record = annotation.record().ok_or(Failure::Half)?;
    Ok(AnnotationRow {
        annotated: Annotated::Record(Box::new(record)),
        nodes: annotation.nodes(),
        millis: 0,
    })
}

/// Says how far it is, and how fast it went.
fn finish(path: &Path, run: &AnnotationRun) {
    let progress = run.count().progress();
    let (nodes, millis) = run.effort();
    let each = |of: u64| match millis {
        0 => 0.0,
        millis => of as f64 * 1e3 / millis as f64,
    };
    let records = run.records();
    let actions: usize = records.iter().map(|record| record.actions.len()).sum();
    errln!(
        "lab: {} of {} boards in {}, {} failed; {actions} action values; an engine does {:.0} nodes and {:.1} action values a second",
        progress.answered,
        progress.all,
        path.display(),
        progress.failed,
        each(nodes),
        each(actions as u64)
    );
}

/// Puts shards together.
pub fn merge(args: &MergeArgs) -> Result<(), Box<dyn Error>> {
    let (first, others) = args.files.split_first().ok_or("no file is given")?;
    let mut run = read_run(first)?;
    for path in others {
        run.merge(read_run(path)?)
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    write(&args.out, &run.text())?;
    finish(&args.out, &run);
    Ok(())
}

/// The run in a file.
fn read_run(path: &Path) -> Result<AnnotationRun, Box<dyn Error>> {
    let text = lines_of(path)?;
    AnnotationRun::read(&text).map_err(|error| format!("{}: {error}", path.display()).into())
}
