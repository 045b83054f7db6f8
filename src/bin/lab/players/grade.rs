//! `lab grade`: an engine grades the moves of runs, and with its lines at hand the claim check reads the reasons.

use std::{
    collections::VecDeque,
    error::Error,
    fs,
    path::{Path, PathBuf},
};

use kibitz::{
    chess::Played,
    commentary::FactSheet,
    grading::{
        grade_file::{GradeLine, GradeRow, Grades, Outcome, ToGrade},
        suite::position::Reached,
    },
    long_run::shard::Shard,
    uci::Limit,
};
use shakmaty::Move;

use super::{
    super::{
        comment::LimitArgs,
        declarer::{DeclarerArgs, Declaring},
        engine::Engine,
        pipeline::Pipeline,
        program::program,
        run_output::{end_line, lines_of, work_off},
        setup::{Parts, SetupError},
        survey_input::write,
    },
    play::read_run,
};

/// What to grade, and by whom.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The runs, from `lab play`.
    #[arg(required = true, value_name = "RUN.jsonl")]
    runs: Vec<PathBuf>,
    /// Grades the moves that were played in the games too, so that `lab report` sets the answers beside them.
    #[arg(long)]
    baseline: bool,
    /// A UCI engine; without it `stockfish` on the PATH, then /usr/games/stockfish. A .js file is run under node: npm's
    /// Stockfish 8 can be the second grader.
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,
    #[command(flatten)]
    limit: LimitArgs,
    #[command(flatten)]
    declarer: DeclarerArgs,
    /// Engines at work at the same time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    threads: u8,
    /// Only these positions: `0/2` is the first of every two.
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// The grades; those that are there are kept.
    #[arg(long, value_name = "FILE.jsonl")]
    out: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let runs = args
        .runs
        .iter()
        .map(|path| read_run(path))
        .collect::<Result<Vec<_>, _>>()?;
    let parts = Parts {
        engine: args.engine.clone(),
        labels: None,
        net: None,
    };
    let limit = args.limit.limit();
    let engines = (0..args.threads)
        .map(|_| parts.engine()?.ok_or(SetupError::NoEngine))
        .collect::<Result<Vec<Engine>, _>>()?;
    let fresh = Grades::new(engines.first().map_or("", Engine::name), limit).made_by(program());
    let grades = if args.out.exists() && fs::metadata(&args.out)?.len() > 0 {
        let grades = read_grades(&args.out)?;
        if (&grades.header.engine, grades.header.limit) != (&fresh.header.engine, limit) {
            return Err(format!(
                "{} is by {}: give another file, or that engine and limit",
                args.out.display(),
                grades.words()
            )
            .into());
        }
        end_line(&args.out)?;
        grades
    } else {
        write(&args.out, &fresh.text())?;
        fresh
    };
    let declaring = args.declarer.declaring()?;
    let left = match declaring {
        Some(_) => grades.left_to_declare(&runs, args.baseline),
        None => grades.left(&runs, args.baseline),
    };
    let left = args.shard.of(left, |task| &task.at.id);
    let moves: usize = left.iter().map(|task| task.moves.len()).sum();
    errln!(
        "lab: {moves} moves in {} positions to grade by {}",
        left.len(),
        grades.words()
    );
    let workers = engines
        .into_iter()
        .map(|engine| Pipeline {
            engine: Some(engine),
            labels: None,
            network: None,
            probes: None,
            limit,
            rule: kibitz::concepts::Rule::default(),
            multipv: 2,
            known: None,
        })
        .collect();
    work_off(&args.out, VecDeque::from(left), workers, "positions", |worker, task| {
        let at = &task.at;
        let lines: Vec<String> = graded(worker, declaring.as_ref(), task, limit)
            .into_iter()
            .map(|outcome| {
                GradeLine::Row(GradeRow {
                    fen: at.fen.clone(),
                    moves: at.moves.clone(),
                    outcome,
                })
                .text()
            })
            .collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    })?;
    if let Some(declaring) = declaring {
        declaring.tell_failures();
    }
    let grades = read_grades(&args.out)?;
    let failed = grades
        .rows
        .iter()
        .filter(|row| matches!(row.outcome, Outcome::Error { .. }))
        .count();
    errln!(
        "lab: {} grades in {}, {failed} failed",
        grades.by_move().len(),
        args.out.display()
    );
    Ok(())
}

fn graded(worker: &mut Pipeline, declaring: Option<&Declaring>, task: &ToGrade, limit: Limit) -> Vec<Outcome> {
    let (reached, mut review) = match task.begin(limit) {
        Ok(begun) => begun,
        Err(errors) => return errors,
    };
    while let Some(request) = review.next(1) {
        let Some(engine) = &mut worker.engine else {
            return task.errors("there is no engine");
        };
        match engine.search(request) {
            Ok(result) => {
                if let Err(error) = review.take(result) {
                    return task.errors(&error.to_string());
                }
            }
            Err(error) => return task.errors(&error.to_string()),
        }
    }
    let reasons = task
        .legal_reasons(&reached)
        .map(|(mv, uci, text)| reason(worker, declaring, &reached, mv, uci, text));
    Outcome::grades(&review).chain(reasons).collect()
}

/// A reason, held against the board and the engine's lines; by what the declarer says of it, where there is one.
fn reason(
    worker: &mut Pipeline,
    declaring: Option<&Declaring>,
    reached: &Reached,
    mv: Move,
    uci: &str,
    text: &str,
) -> Outcome {
    let Some(played) = Played::new(reached.position.clone(), mv, reached.mode, reached.history.clone()) else {
        return Outcome::error(uci, "the move is not legal");
    };
    match worker.evaluate(&played) {
        Ok(evaluation) => {
            let sheet = FactSheet::new(&played, evaluation.as_ref(), None);
            match declaring.map(|declaring| declaring.ask(&sheet, text)).transpose() {
                Ok(declaration) => Outcome::reason(&sheet, uci, text, declaration),
                Err(error) => Outcome::error(uci, &format!("the claims of its reason were not declared: {error}")),
            }
        }
        Err(problem) => Outcome::error(uci, &problem.to_string()),
    }
}

/// The grades in a file.
pub fn read_grades(path: &Path) -> Result<Grades, Box<dyn Error>> {
    let text = lines_of(path)?;
    Grades::read(&text).map_err(|error| format!("{}: {error}", path.display()).into())
}
