//! A file that somebody gives, whatever it is: a run, a set of probes, instances of the authors, or games that a set is made of.

use thiserror::Error;

use super::{
    data_stats::{lengths_table, splits_table},
    ply::Ply,
    probe_set::{PrefixLengths, ProbeHeader, ProbeSet, ProbeSetError, SCHEMA, draw_at},
    published::{Published, PublishedError},
    run_file::{BlindRun, BlindRunError},
    split::{Beginnings, Gathered, Offered, Sizes, plies_of},
};
use crate::{
    chess::pasted::{PastedError, read_pasted_at},
    pace::Pace,
    survey::analysis::table::Table,
};

/// What a file holds.
#[derive(Debug, Clone)]
pub enum BlindSource {
    /// A run.
    Run(Box<BlindRun>),
    /// A set of probes.
    Set(ProbeSet),
    /// Instances of the authors, with those of the files before it.
    Published(Published),
    /// Games from the first position of chess, each once, in an order by lot.
    Games(SourceGames),
}

/// Games of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceGames {
    /// Those that are kept.
    pub games: Vec<Vec<Ply>>,
    /// What became of all of them.
    pub offered: Offered,
}

/// Why a file is nothing that questions are in or can be made of.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BlindSourceError {
    /// A run that cannot be read.
    #[error(transparent)]
    Run(#[from] BlindRunError),
    /// A set that cannot be read.
    #[error(transparent)]
    Set(#[from] ProbeSetError),
    /// Instances that cannot be read.
    #[error(transparent)]
    Published(#[from] PublishedError),
    /// Nothing is asked in it, or only half a line.
    #[error("it has no probe")]
    Empty,
    /// Not even a game.
    #[error("it is neither a run, a set of probes, instances of the authors nor games: {0}")]
    Games(#[from] PastedError),
    /// Games of which none is kept.
    #[error(
        "none of its {0} games can be asked about: they must begin in the first position of chess and have 10 to 150 half-moves"
    )]
    NoGame(usize),
}

/// Reads a file. Instances of the authors join those of `before`, so that both of their files make one set. The games' order
/// depends on the seed.
///
/// # Errors
/// When it is none of these.
pub async fn read_source(
    text: &str,
    before: Published,
    seed: u64,
    pace: &impl Pace,
) -> Result<BlindSource, BlindSourceError> {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if first.trim_start().starts_with('{') {
        let (source, is_empty) = match line_kind(first).as_deref() {
            Some("blindfold") => {
                let run = BlindRun::read_at(text, pace).await?;
                let is_empty = run.probes.is_empty();
                (BlindSource::Run(Box::new(run)), is_empty)
            }
            Some(_) => {
                let set = ProbeSet::read_at(text, pace).await?;
                let is_empty = set.probes.is_empty();
                (BlindSource::Set(set), is_empty)
            }
            None => {
                let mut published = before;
                published.add_at(text, pace).await?;
                let is_empty = published.is_empty();
                (BlindSource::Published(published), is_empty)
            }
        };
        return if is_empty {
            Err(BlindSourceError::Empty)
        } else {
            Ok(source)
        };
    }
    let mut gathered = Gathered::default();
    for game in &read_pasted_at(text, pace).await?.games {
        gathered.offer(plies_of(game));
        pace.turn().await;
    }
    let offered = gathered.offered();
    let all = Sizes {
        train: [0; 3],
        dev: 0,
        test: 0,
        probe: gathered.len(),
    };
    match gathered.split(all, seed) {
        Ok(splits) if !splits.probe.is_empty() => Ok(BlindSource::Games(SourceGames {
            games: splits.probe,
            offered,
        })),
        _ => Err(BlindSourceError::NoGame(offered.games)),
    }
}

/// What a line of our files says it is.
fn line_kind(line: &str) -> Option<String> {
    let read: serde_json::Value = serde_json::from_str(line).ok()?;
    Some(read.get("line")?.as_str()?.to_owned())
}

impl SourceGames {
    /// Probes drawn from the games, `count` at most.
    pub async fn probes(
        &self,
        name: &str,
        program: String,
        lengths: PrefixLengths,
        count: usize,
        seed: u64,
        pace: &impl Pace,
    ) -> ProbeSet {
        let learned = Beginnings::default();
        ProbeSet {
            header: ProbeHeader {
                schema: SCHEMA,
                program,
                source: name.to_owned(),
                lengths: Some(lengths),
                seed: Some(seed),
                training_games: 0,
            },
            probes: draw_at(&self.games, &learned, lengths, count, seed, pace).await,
        }
    }

    /// Table 10 and figure 4 of these games.
    #[must_use]
    pub fn tables(&self) -> [Table; 2] {
        [
            splits_table(&[("these games", &self.games)]),
            lengths_table("these games", &self.games),
        ]
    }
}

/// A set of the authors' instances.
pub async fn published_set(published: &Published, names: &[String], program: String, pace: &impl Pace) -> ProbeSet {
    ProbeSet {
        header: ProbeHeader {
            schema: SCHEMA,
            program,
            source: names.join(", "),
            lengths: None,
            seed: None,
            training_games: 0,
        },
        probes: published.probes_at(pace).await,
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{ply::pgn_text, probe::tests::example, random_game::random_game, run_file::tests::run},
        *,
    };
    use crate::pace::{AtOnce, at_once};

    fn read(text: &str) -> Result<BlindSource, BlindSourceError> {
        at_once(read_source(text, Published::default(), 1, &AtOnce))
    }

    fn pgn(games: std::ops::Range<u64>) -> String {
        games.map(|seed| pgn_text(&random_game(seed, 70)) + " *\n\n").collect()
    }

    #[test]
    fn a_file_is_what_it_is() {
        let run = run(3);
        assert!(matches!(read(&run.text()), Ok(BlindSource::Run(read)) if *read == run));
        let set = ProbeSet {
            header: run.header.set.clone(),
            probes: run.probes.clone(),
        };
        assert!(matches!(read(&set.text()), Ok(BlindSource::Set(read)) if read == set));
        let Ok(BlindSource::Games(games)) = read(&pgn(0..40)) else {
            panic!("games")
        };
        assert_eq!((games.games.len(), games.offered.games), (40, 40));
        let made = at_once(games.probes("mine.pgn", "test".to_owned(), PrefixLengths::SHORT, 12, 1, &AtOnce));
        assert_eq!((made.probes.len(), made.header.source.as_str()), (12, "mine.pgn"));
        assert_eq!(ProbeSet::read(&made.text()), Ok(made));
        assert_eq!(games.tables()[0].rows[0][1].shown(), "40");
    }

    #[test]
    fn what_is_nothing_is_refused() {
        assert!(matches!(read("nonsense"), Err(BlindSourceError::Games(_))));
        assert!(matches!(read("1. e4 e5 *\n"), Err(BlindSourceError::NoGame(1))));
        assert!(matches!(read("{\"x\":1}\n"), Err(BlindSourceError::Published(_))));
        let line = serde_json::to_string(&example()).unwrap() + "\n";
        assert!(
            matches!(read(&line), Err(BlindSourceError::Published(_))),
            "of no authors"
        );
        assert!(
            matches!(read(line.trim_end()), Err(BlindSourceError::Published(_))),
            "whole without its end"
        );
        let half = &line[..line.len() / 2];
        assert!(matches!(read(half), Err(BlindSourceError::Empty)), "half a line");
        let empty = BlindRun {
            probes: Vec::new(),
            rows: Vec::new(),
            ..run(1)
        };
        assert!(matches!(read(&empty.text()), Err(BlindSourceError::Empty)));
        assert!(matches!(read("{\"line\":\"probes\"}\n"), Err(BlindSourceError::Set(_))));
        assert!(matches!(
            read("{\"line\":\"blindfold\",\"schema\":1}\n"),
            Err(BlindSourceError::Run(_))
        ));
    }

    #[test]
    fn the_order_of_games_is_the_seeds() {
        let games = |seed| match at_once(read_source(&pgn(0..30), Published::default(), seed, &AtOnce)) {
            Ok(BlindSource::Games(games)) => games.games,
            _ => Vec::new(),
        };
        assert_eq!(games(1), games(1));
        assert_ne!(games(1), games(2));
    }
}
