//! `lab audit games`: whether the turning points of famous games are found. The games are annotated as `lab annotate` does,
//! and held against a list of their known points: a sacrifice, a brilliant move or a finish is found where the move is a
//! turning point that is praised, a mistake where it is one that is blamed.

use std::{
    error::Error,
    fs::OpenOptions,
    io::{BufRead, Write},
    path::{Path, PathBuf},
};

use kibitz::{
    annotation::{
        AnnotatedGame, SavedAnnotation, TurningPoint,
        story::story,
        turning_point::{reason, turning_point},
    },
    chess::{Game, pgn::read_pgn},
    pace::{AtOnce, at_once},
    uci::{DEFAULT_NODES, Limit},
};
use serde::Deserialize;

use super::super::{
    engine::Engine,
    setup::{Parts, SetupError, read, read_text},
};

/// Lines of each search.
const LINES: u32 = 2;

/// The games, their points, and how deep to search.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The games.
    #[arg(long, value_name = "FILE.pgn")]
    games: PathBuf,
    /// Their known points: game (from 1), ply (from 1), SAN, kind (mistake, sacrifice, brilliant, finish), note.
    #[arg(long, value_name = "FILE.csv")]
    points: PathBuf,
    /// Nodes of each search, as for `lab annotate`.
    #[arg(long, default_value_t = DEFAULT_NODES)]
    nodes: u64,
    /// A UCI engine; without it `stockfish` on the PATH, then /usr/games/stockfish.
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,
    /// Where the searches are kept: those that are there already are not made again.
    #[arg(long, value_name = "FILE.jsonl")]
    searches: Option<PathBuf>,
    /// Prints every turning point and how each game went, too.
    #[arg(long)]
    all: bool,
}

/// A known point of a game.
#[derive(Debug, Deserialize)]
struct Known {
    game: usize,
    ply: usize,
    san: String,
    kind: String,
    note: String,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let games = read_pgn(&read_text(&args.games, "--games")?)?.games;
    let points = read(&args.points, "--points")?;
    let known: Vec<Known> = csv::Reader::from_reader(&points[..])
        .deserialize()
        .collect::<Result<_, _>>()?;
    let needed = Parts {
        engine: args.engine.clone(),
        labels: None,
        net: None,
    };
    let mut engine = needed.engine()?.ok_or(SetupError::NoEngine)?;
    let mut kept = kept(args.searches.as_deref())?;
    let (mut found, mut searches, mut nodes, mut positions) = (0, 0, 0, 0);
    for (number, game) in (1..).zip(&games) {
        let annotated = annotated(game, args, &mut engine, &mut kept)?;
        let turning = annotated.turning_points();
        outln!(
            "game {number}: {} moves, {} turning points",
            annotated.moves().len(),
            turning.len()
        );
        searches += annotated.closer_looks().0;
        positions += annotated.progress().1;
        nodes += annotated
            .looked()
            .iter()
            .flatten()
            .map(|looked| looked.look.cost_in_all() as u64 * args.nodes / 2)
            .sum::<u64>();
        for point in known.iter().filter(|point| point.game == number) {
            let at = turning.iter().find(|at| at.index + 1 == point.ply);
            let is_found = at.is_some_and(|at| at.kind.is_good() == (point.kind != "mistake"));
            found += usize::from(is_found);
            outln!(
                "  {} {} {} ({}): {}{}",
                if is_found { "found " } else { "MISSED" },
                point.ply,
                point.san,
                point.kind,
                point.note,
                said(&annotated, point.ply, at)
            );
        }
        if args.all {
            tell(game, &annotated, &turning);
        }
    }
    outln!(
        "{found} of {} known points found ({:.3}); {positions} positions, {searches} closer looks, {nodes} nodes asked \
         for: {:.2} of one search each",
        known.len(),
        found as f64 / known.len().max(1) as f64,
        nodes as f64 / (positions as u64 * args.nodes).max(1) as f64
    );
    Ok(())
}

/// What the annotation makes of a move.
fn said(annotated: &AnnotatedGame, ply: usize, at: Option<&TurningPoint>) -> String {
    let Some(mv) = ply.checked_sub(1).and_then(|index| annotated.moves().get(index)) else {
        return " [no such move]".to_owned();
    };
    let (Some(verdict), Some(evaluation)) = (mv.verdict, &mv.evaluation) else {
        return " [not evaluated]".to_owned();
    };
    let lines: Vec<String> = evaluation
        .before
        .iter()
        .map(|line| format!("{} {}", line.san[0], line.score))
        .collect();
    let weighed = |at: &TurningPoint| format!("{:?} {:.2}", at.kind, at.weight);
    let kind = at.map_or_else(
        || {
            let candidate = ply.checked_sub(1).and_then(|index| turning_point(annotated, index));
            candidate.map_or("no candidate".to_owned(), |at| format!("not chosen, {}", weighed(&at)))
        },
        weighed,
    );
    let offer = mv.offer.map_or(0, |offer| offer.points);
    format!(
        " [{verdict}; {kind}; best {}; played {}; offers {offer}]",
        lines.join(", "),
        evaluation.played
    )
}

fn tell(game: &Game, annotated: &AnnotatedGame, turning: &[TurningPoint]) {
    for point in turning {
        let mv = &annotated.moves()[point.index];
        let why = reason(annotated, *point).unwrap_or_default();
        outln!("    {} {:?} {:.2}: {why}", mv.label, point.kind, point.weight);
    }
    outln!("    {}", story(game, annotated).unwrap_or_default());
}

/// The searches that are there already.
fn kept(path: Option<&Path>) -> Result<Vec<SavedAnnotation>, Box<dyn Error>> {
    let Some(path) = path.filter(|path| path.exists()) else {
        return Ok(Vec::new());
    };
    let mut all = Vec::new();
    for line in read(path, "--searches")?.lines() {
        all.push(serde_json::from_str(&line?)?);
    }
    Ok(all)
}

fn annotated(
    game: &Game,
    args: &Args,
    engine: &mut Engine,
    kept: &mut Vec<SavedAnnotation>,
) -> Result<AnnotatedGame, Box<dyn Error>> {
    let mut annotated = AnnotatedGame::new(game, Limit::Nodes(args.nodes), LINES);
    // The last that was written knows most.
    let place = kept.iter().rposition(|kept| kept.is_of(annotated.line().key()));
    if let Some(earlier) = place.and_then(|place| at_once(kept.remove(place).restore(game, &AtOnce))) {
        annotated.take_over(&earlier);
    }
    let mut is_new = false;
    while let Some(position) = annotated.next() {
        let Some(request) = annotated.request(position, position as u64) else {
            break;
        };
        let result = engine.search(request)?;
        annotated.take(position, engine.name(), result)?;
        is_new = true;
    }
    if let Some(path) = args.searches.as_ref().filter(|_| is_new) {
        let mut out = OpenOptions::new().create(true).append(true).open(path)?;
        writeln!(out, "{}", serde_json::to_string(&SavedAnnotation::of(&annotated))?)?;
    }
    Ok(annotated)
}
