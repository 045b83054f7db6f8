//! What `metrics` and `puzzles` share: players that score item by item, into a file that goes on where it stops.

use std::{
    collections::VecDeque,
    error::Error,
    fs,
    path::{Path, PathBuf},
};

use kibitz::{
    chessbench::scores_file::{SCHEMA, ScoreRow, Scores, ScoresHeader},
    long_run::shard::Shard,
};

use sha2::{Digest, Sha256};

use super::{
    super::{
        program::program,
        run_output::{end_line, lines_of, work_off},
        survey_input::write,
    },
    players::Player,
};

/// How the work is done.
#[derive(Debug, clap::Args)]
pub struct WorkArgs {
    /// Players at work at the same time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    threads: u8,
    /// Only these boards or puzzles: `0/2` is the first of every two.
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Where scores are kept as they come, so that the same command goes on where it stopped; `lab chessbench scores` reads
    /// such files.
    #[arg(long, value_name = "SCORES.jsonl")]
    out: Option<PathBuf>,
}

/// Has every player do every item; `key` names an item, `unit` all of them, and `work` does one.
pub fn score<T: Sync>(
    args: &WorkArgs,
    unit: &str,
    players: Vec<Player>,
    items: &[T],
    key: impl Fn(&T) -> &str + Sync,
    work: impl Fn(&mut Player, &T) -> ScoreRow + Sync,
) -> Result<Scores, Box<dyn Error>> {
    let mut digest = Sha256::new();
    for item in items {
        digest.update(key(item));
        digest.update("\n");
    }
    let digits = digest.finalize();
    let digits: String = digits.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    let fresh = Scores::new(ScoresHeader {
        schema: SCHEMA,
        program: program(),
        of: format!("{} {unit}, {digits}", items.len()),
        players: players.iter().map(|player| player.who.clone()).collect(),
    });
    let passing = std::env::temp_dir().join(format!("kibitz-scores-{}.jsonl", std::process::id()));
    let path = args.out.as_ref().unwrap_or(&passing);
    let result = score_into(path, args, fresh, &players, items, key, work);
    if args.out.is_none() {
        // It held what is returned.
        let _ = fs::remove_file(path);
    }
    result
}

fn score_into<T: Sync>(
    path: &Path,
    args: &WorkArgs,
    fresh: Scores,
    players: &[Player],
    items: &[T],
    key: impl Fn(&T) -> &str + Sync,
    work: impl Fn(&mut Player, &T) -> ScoreRow + Sync,
) -> Result<Scores, Box<dyn Error>> {
    let known = if args.out.is_some() && path.exists() && fs::metadata(path)?.len() > 0 {
        let known = read_scores(path)?;
        known.same_as(&fresh).map_err(|error| {
            format!(
                "{}: {error}: give another file, or what it was begun with",
                path.display()
            )
        })?;
        end_line(path)?;
        known
    } else {
        write(path, &fresh.head())?;
        fresh
    };
    let done = known.done();
    let items = args.shard.of(items.iter().collect(), |item| key(item));
    let left: VecDeque<(usize, &T)> = (0..players.len())
        .flat_map(|player| items.iter().map(move |item| (player, *item)))
        .filter(|(player, item)| !done.contains(&(players[*player].who.name.as_str(), key(item))))
        .collect();
    errln!(
        "lab: {} of {} are to be scored",
        left.len(),
        items.len() * players.len()
    );
    let workers = vec![players.to_vec(); args.threads.into()];
    work_off(path, left, workers, "scores", |players, (player, item)| {
        Some(work(&mut players[*player], item).line())
    })?;
    read_scores(path)
}

/// The scores in a file.
pub fn read_scores(path: &Path) -> Result<Scores, Box<dyn Error>> {
    let text = lines_of(path)?;
    Scores::read(&text).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// Says what came to nothing.
pub fn say_failed(scores: &Scores) {
    let failed = scores.failed();
    if failed > 0 {
        let first = scores.rows.iter().find_map(|row| row.error.as_deref());
        errln!(
            "lab: {failed} of {} failed and are not counted; the first: {}",
            scores.rows.len(),
            first.unwrap_or_default()
        );
    }
}
