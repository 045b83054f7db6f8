//! `lab chessbench puzzles`: how many puzzles players solve, by rating.

use std::{error::Error, path::PathBuf, time::Instant};

use kibitz::{
    chessbench::{
        action::legal_actions,
        policy::{PolicyChoice, PolicyRules, choose},
        puzzle::{PuzzleAttempt, PuzzleResult},
        scores_file::{ScoreRow, Scored},
    },
    grading::suite::{position::TestPosition, puzzles::from_csv},
    random::Rng,
};
use shakmaty::Move;

use super::{
    super::{
        survey_input::text,
        tables::{Format, print},
    },
    players::{ModelArgs, Player},
    scores::tables,
    scoring::{WorkArgs, say_failed, score},
};

/// Who solves, and what.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Puzzles: CSV files with Lichess's columns.
    #[arg(required = true, value_name = "FILE.csv")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    models: ModelArgs,
    /// Only the first so many puzzles.
    #[arg(long, value_name = "COUNT")]
    first: Option<usize>,
    /// A move that lets somebody claim a draw by repetition is worth what the model says, and not ½.
    #[arg(long)]
    without_repetition: bool,
    #[command(flatten)]
    work: WorkArgs,
    /// How tables are printed.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let players = args.models.players(&[])?;
    let mut puzzles: Vec<TestPosition> = Vec::new();
    for path in &args.files {
        let text = text(path)?;
        let (some, bad) = from_csv(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        if bad > 0 {
            errln!("lab: {}: {bad} lines are no puzzles", path.display());
        }
        for puzzle in some {
            // A puzzle of several themes is in several files.
            if !puzzles.iter().any(|known| known.id == puzzle.id) {
                puzzles.push(puzzle);
            }
        }
    }
    puzzles.truncate(args.first.unwrap_or(usize::MAX));
    let rules = PolicyRules {
        repetition: !args.without_repetition,
        ..PolicyRules::default()
    };
    let work = |player: &mut Player, puzzle: &TestPosition| solve(player, puzzle, rules);
    let scores = score(&args.work, "puzzles", players, &puzzles, |puzzle| &puzzle.id, work)?;
    say_failed(&scores);
    print(&tables(&scores), args.format)
}

fn solve(player: &mut Player, puzzle: &TestPosition, rules: PolicyRules) -> ScoreRow {
    let begun = Instant::now();
    let solved = solved(player, puzzle, rules);
    ScoreRow {
        player: player.who.name.clone(),
        item: puzzle.id.clone(),
        error: solved.as_ref().err().cloned(),
        scored: solved.ok().map(Scored::Puzzle),
        millis: begun.elapsed().as_secs_f64() * 1e3,
    }
}

fn solved(player: &mut Player, puzzle: &TestPosition, rules: PolicyRules) -> Result<PuzzleResult, String> {
    let rating = puzzle.rating.ok_or("the puzzle has no rating")?;
    let mut attempt = PuzzleAttempt::new(puzzle).map_err(|error| error.to_string())?;
    // Nothing is drawn by these rules.
    let mut rng = Rng::new(1);
    while let Some(reached) = attempt.asks() {
        let (history, position) = (&reached.history, &reached.position);
        let prediction = player.predict(history, position).map_err(|error| error.to_string())?;
        let legal: Vec<Move> = legal_actions(position, reached.mode)
            .into_iter()
            .map(|(_, mv)| mv)
            .collect();
        let choice = choose(&prediction, &legal, position, history, rules, &mut rng);
        let Some(PolicyChoice::Play(place)) = choice else {
            return Err("the player chose no move".to_owned());
        };
        let mv = legal.get(place).copied().ok_or("the player chose no move")?;
        attempt.answer(mv);
    }
    Ok(PuzzleResult {
        rating,
        solved: attempt.solved() == Some(true),
    })
}
