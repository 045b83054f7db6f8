//! A file of positions or games, whatever it is: a suite, Lichess's puzzles, EPD, or games from which positions are taken.

use super::{
    epd::from_epd,
    file::{Suite, SuiteError, name_apart},
    games::{FromGames, Take},
    hints::concept,
    position::TestPosition,
    puzzles::{Mates, PuzzleError, drawn, from_csv, is_puzzles},
};
use crate::{
    chess::{
        game::Game,
        pasted::{PastedError, read_pasted_at},
    },
    pace::Pace,
    table_file::{TableFile, is_json},
};

/// What a file holds.
#[derive(Debug, Clone)]
pub enum Source {
    /// A suite that was made before.
    Suite(Suite),
    /// Positions that can be solved, and how many lines are none.
    Positions {
        /// The positions.
        positions: Vec<TestPosition>,
        /// Lines that cannot be used.
        bad: usize,
        /// What they are, such as `puzzles`.
        what: &'static str,
    },
    /// Games.
    Games(Vec<Game>),
}

/// Why a file is none of these.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// A suite that cannot be read.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// Puzzles that cannot be read.
    #[error(transparent)]
    Puzzles(#[from] PuzzleError),
    /// Not even a game.
    #[error("it is neither a suite, puzzles, EPD nor games: {0}")]
    Games(#[from] PastedError),
}

/// What is taken of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Positions to play well in.
    Positions(Take),
    /// Positions with a mate in one, at most one a side and game.
    Mates,
}

/// Reads a file.
///
/// # Errors
/// When it is nothing that holds positions.
pub async fn read_source(text: &str, pace: &impl Pace) -> Result<Source, SourceError> {
    if is_json(text) && says_line(text) {
        return Ok(Source::Suite(Suite::read(text)?));
    }
    let table = TableFile::open_at(text, pace).await;
    if is_json(text) || table.is_ok_and(|table| is_puzzles(&table)) {
        let (positions, bad) = from_csv(text)?;
        return Ok(Source::Positions {
            positions,
            bad,
            what: "puzzles",
        });
    }
    if let Some(source) = epd(text) {
        return Ok(source);
    }
    Ok(Source::Games(read_pasted_at(text, pace).await?.games))
}

/// Whether the first object says which line of a suite it is, as all of them do.
fn says_line(text: &str) -> bool {
    const LONGEST_HEAD: usize = 4096;
    text[..text.floor_char_boundary(LONGEST_HEAD)].contains("\"line\"")
}

/// The positions of a file of EPD; `None` where no line is one.
fn epd(text: &str) -> Option<Source> {
    let (mut positions, mut bad) = (Vec::new(), 0);
    let lines = text.lines().enumerate();
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')) {
        match from_epd(line, number + 1) {
            Ok(at) => positions.push(at),
            Err(_) => bad += 1,
        }
        // Games are no EPD, and may be long.
        if positions.is_empty() && bad > MOST_BAD {
            return None;
        }
    }
    (!positions.is_empty()).then_some(Source::Positions {
        positions,
        bad,
        what: "positions of EPD",
    })
}

/// Lines at the beginning of a file that may be no EPD.
const MOST_BAD: usize = 20;

/// Names of games in suites: their place in the file, so that two are never of one name.
fn game_name(number: usize) -> String {
    format!("game {}", number + 1)
}

/// The suite of these positions or games; `most` of its positions, drawn with `seed`, each side's half where there are
/// enough. `None` where there is no position to take.
pub async fn suite_of(
    name: &str,
    source: Source,
    wanted: Wanted,
    most: usize,
    seed: u64,
    pace: &impl Pace,
) -> Option<Suite> {
    let (mut positions, from) = match source {
        Source::Suite(suite) => return (!suite.positions.is_empty()).then_some(suite),
        Source::Positions { positions, what, .. } => {
            let from = format!("of {} {what}", positions.len());
            (positions, from)
        }
        Source::Games(games) => taken(&games, wanted, seed, pace).await,
    };
    for at in positions.iter_mut().filter(|at| at.concept.is_none()) {
        at.concept = concept(at);
    }
    name_apart(&mut positions);
    let positions = drawn(positions, most, seed);
    let made = format!("{} {from}", positions.len());
    (!positions.is_empty()).then(|| Suite::new(name, made, seed, positions))
}

async fn taken(games: &[Game], wanted: Wanted, seed: u64, pace: &impl Pace) -> (Vec<TestPosition>, String) {
    let count = games.len();
    match wanted {
        Wanted::Positions(take) => {
            let mut gathering = FromGames::new(take, seed);
            for (number, game) in games.iter().enumerate() {
                gathering.add(game, &game_name(number));
                pace.turn().await;
            }
            let what = match take {
                Take::All => format!("of every position of {count} games"),
                Take::Parts { early, middle, late } => {
                    format!("positions: {early} early, {middle} middle and {late} late ones of each of {count} games")
                }
            };
            (gathering.finish(), what)
        }
        Wanted::Mates => {
            let mut mates = Mates::new();
            for (number, game) in games.iter().enumerate() {
                mates.add(game, &game_name(number));
                pace.turn().await;
            }
            let what = format!("mates in one, at most one a side, of {count} games");
            (mates.finish(usize::MAX, seed), what)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pace::{AtOnce, at_once};

    const PUZZLES: &str = "PuzzleId,FEN,Moves,Rating,Themes\n\
        a,5k2/5ppp/8/8/8/8/R7/K7 b - - 0 20,f8g8 a2a8,800,mate mateIn1\n\
        b,nonsense,f8g8 a2a8,800,mate mateIn1\n";

    fn suite(text: &str, wanted: Wanted) -> Result<Option<Suite>, SourceError> {
        let source = at_once(read_source(text, &AtOnce))?;
        Ok(at_once(suite_of("x", source, wanted, 1_000, 1, &AtOnce)))
    }

    #[test]
    fn every_kind_of_file_is_told_from_the_others() {
        let all = Wanted::Positions(Take::All);
        let puzzles = suite(PUZZLES, all).unwrap().unwrap();
        assert_eq!(puzzles.positions.len(), 1);
        assert_eq!(suite(&puzzles.text(), all).unwrap().unwrap(), puzzles);
        let epd = suite("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"one\";\n", all)
            .unwrap()
            .unwrap();
        assert_eq!(epd.positions[0].id, "one");
        let games =
            "[Event \"a\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# *\n\n[Event \"b\"]\n\n1. f3 e5 2. g4 Qh4# *\n";
        assert_eq!(suite(games, all).unwrap().unwrap().positions.len(), 11);
        let mates = suite(games, Wanted::Mates).unwrap().unwrap();
        let ids: Vec<&str> = mates.positions.iter().map(|at| at.id.as_str()).collect();
        assert_eq!(ids, ["game 1@7", "game 2@4"]);
        assert_eq!(suite("1. e4 *", Wanted::Mates).unwrap(), None);
        assert!(matches!(suite("nothing at all", all), Err(SourceError::Games(_))));
        assert!(matches!(suite("fen,move\n1,2\n", all), Err(SourceError::Puzzles(_))));
        assert!(matches!(suite("{\"line\":\"x\"}\n", all), Err(SourceError::Suite(_))));
    }

    #[test]
    fn as_many_are_drawn_as_are_wanted() {
        let source = Source::Games(at_once(read_pasted_at("1. e4 e5 2. Nf3 Nc6 *", &AtOnce)).unwrap().games);
        let wanted = Wanted::Positions(Take::All);
        let suite = at_once(suite_of("x", source, wanted, 2, 1, &AtOnce)).unwrap();
        assert_eq!(suite.positions.len(), 2);
        assert_eq!(suite.header.made, "2 of every position of 1 games");
    }
}
