//! A tournament as a file of JSON lines: a header, then a row for every game that is over and every error, appended as it comes. A
//! tournament that was cut off goes on where it stopped.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    contestant::Contestant,
    fixture_game::{Adjudication, Ending, FixtureGame, Next, as_game, read_moves},
    schedule::{Fixture, schedule},
};
use crate::{
    chess::pgn_writer::write_pgn,
    long_run::{
        count::Count,
        lines::{LineError, line_text, read_lines},
        tokens::Tokens,
    },
    pace::{AtOnce, Pace, at_once},
    stats::bayes_elo::GameResult,
};

/// The version of the file's shape.
pub const SCHEMA: u32 = 1;
/// The most players: pairs grow with their square.
pub const MOST_PLAYERS: usize = 32;
/// The most games, eight times the paper's.
pub const MOST_GAMES: usize = 200_000;

/// What is said once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TournamentHeader {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The program that wrote it, with its version and commit.
    pub program: String,
    /// Who plays.
    pub contestants: Vec<Contestant>,
    /// Openings; each pair plays each of them twice.
    pub openings: usize,
    /// Of openings and of everything that is drawn by lot.
    pub seed: u64,
    /// When games are ended before their end, and by whose look; `None` plays all of them out.
    pub adjudication: Option<Adjudication>,
    /// The engine that looks, plays levels and searches, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
}

/// What came of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It is over.
    Played {
        /// `1-0`, `1/2-1/2` or `0-1`.
        #[serde(with = "result_text")]
        result: GameResult,
        /// Why.
        ending: Ending,
        /// All moves in UCI notation, with blanks between.
        moves: String,
        /// How many of them were the opening's.
        book: usize,
    },
    /// It could not be played on, and is played anew when the tournament goes on.
    Error(String),
}

/// A row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRow {
    /// Which game.
    #[serde(flatten)]
    pub fixture: Fixture,
    /// What came of it.
    pub outcome: Outcome,
    /// Milliseconds that it took.
    #[serde(default)]
    pub millis: u64,
    /// Tokens of its requests, where a language model played and its server counted them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Tokens>,
}

impl GameRow {
    /// Of a game that is over; `None` of one that is not.
    #[must_use]
    pub fn of(game: &FixtureGame, millis: u64, tokens: Option<Tokens>) -> Option<Self> {
        let Next::Over(result, ending) = game.next() else {
            return None;
        };
        Some(Self {
            fixture: game.fixture(),
            outcome: Outcome::Played {
                result,
                ending,
                moves: game.moves_text(),
                book: game.opening(),
            },
            millis,
            tokens,
        })
    }

    /// Of a game that could not be played on.
    #[must_use]
    pub const fn failed(fixture: Fixture, what: String, millis: u64) -> Self {
        Self {
            fixture,
            outcome: Outcome::Error(what),
            millis,
            tokens: None,
        }
    }

    /// Its result, if it is over.
    #[must_use]
    pub const fn result(&self) -> Option<GameResult> {
        match self.outcome {
            Outcome::Played { result, .. } => Some(result),
            Outcome::Error(_) => None,
        }
    }

    /// As a file has it, without the end of the line.
    #[must_use]
    pub fn line(&self) -> String {
        line_text(&TournamentLine::Game(Box::new(self.clone())))
    }
}

/// A line of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase")]
pub enum TournamentLine {
    /// The first.
    Tournament(TournamentHeader),
    /// A game, or an error.
    Game(Box<GameRow>),
}

/// A tournament.
#[derive(Debug, Clone, PartialEq)]
pub struct Tournament {
    /// What is said once.
    pub header: TournamentHeader,
    rows: Vec<GameRow>,
    schedule: Vec<Fixture>,
    /// The row in which each game of the schedule is over.
    over: Vec<Option<usize>>,
    count: Count<Fixture>,
}

/// Why a file is no tournament.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TournamentError {
    /// It does not begin with a header.
    #[error("the file does not begin with the line of a tournament")]
    NoHeader,
    /// It is of another shape.
    #[error("the file's shape is version {0}; this program reads version {SCHEMA}")]
    Schema(u32),
    /// A line cannot be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// Too few or too many players.
    #[error("{0} players; a tournament has 2 to {MOST_PLAYERS}")]
    Players(usize),
    /// Too many games, or none.
    #[error("{0} games; a tournament has 1 to {MOST_GAMES}")]
    Games(usize),
    /// Two players are called the same.
    #[error("two players are called “{0}”")]
    SameName(String),
    /// A game is none of the tournament's.
    #[error("line {line}: {what}")]
    Game {
        /// From 1.
        line: usize,
        /// What is wrong.
        what: GameFault,
    },
    /// Two files are not of the same tournament.
    #[error("the files are of different tournaments: {0} differ")]
    Different(&'static str),
}

/// What is wrong with a game of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum GameFault {
    /// Nobody has to play it.
    #[error("it is no game of the schedule")]
    NotScheduled,
    /// Its moves are not legal.
    #[error("its moves are not legal")]
    Moves,
    /// The moves end it otherwise than it says.
    #[error("its moves do not come to the result that it says")]
    Result,
}

impl Tournament {
    /// One in which nothing is played.
    ///
    /// # Errors
    /// With fewer than two or more than [`MOST_PLAYERS`] players, two of one name, no game or more than [`MOST_GAMES`].
    pub fn new(header: TournamentHeader) -> Result<Self, TournamentError> {
        let players = header.contestants.len();
        if !(2..=MOST_PLAYERS).contains(&players) {
            return Err(TournamentError::Players(players));
        }
        let games = (players * (players - 1)).saturating_mul(header.openings);
        if !(1..=MOST_GAMES).contains(&games) {
            return Err(TournamentError::Games(games));
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = header.contestants.iter().find(|player| !names.insert(&player.name)) {
            return Err(TournamentError::SameName(twice.name.clone()));
        }
        let schedule = schedule(players, header.openings);
        Ok(Self {
            header,
            rows: Vec::new(),
            over: vec![None; games],
            count: Count::new(games, 0, BTreeSet::new(), Tokens::default()),
            schedule,
        })
    }

    /// Reads a file. Half a line at its end, which a tournament that was cut off may leave, is passed over.
    ///
    /// # Errors
    /// When it is no tournament, or a line other than the last cannot be read.
    pub fn read(text: &str) -> Result<Self, TournamentError> {
        at_once(Self::read_at(text, &AtOnce))
    }

    /// The same in turns.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub async fn read_at(text: &str, pace: &impl Pace) -> Result<Self, TournamentError> {
        let mut tournament: Option<Self> = None;
        for line in read_lines(text) {
            pace.turn().await;
            match (line, &mut tournament) {
                (Ok((_, TournamentLine::Tournament(header))), None) if header.schema == SCHEMA => {
                    tournament = Some(Self::new(header)?);
                }
                (Ok((_, TournamentLine::Tournament(header))), None) => {
                    return Err(TournamentError::Schema(header.schema));
                }
                (Ok((line, TournamentLine::Game(row))), Some(tournament)) => {
                    tournament
                        .check(&row)
                        .map_err(|what| TournamentError::Game { line, what })?;
                    tournament.add(*row);
                }
                (Ok((_, TournamentLine::Tournament(_))), Some(_)) => {
                    return Err(TournamentError::Different("the headers"));
                }
                (Err(error), Some(_)) => return Err(error.into()),
                (_, None) => return Err(TournamentError::NoHeader),
            }
        }
        tournament.ok_or(TournamentError::NoHeader)
    }

    fn check(&self, row: &GameRow) -> Result<(), GameFault> {
        let players = self.header.contestants.len();
        let Fixture { white, black, opening } = row.fixture;
        if white == black || white >= players || black >= players || opening >= self.header.openings {
            return Err(GameFault::NotScheduled);
        }
        let Outcome::Played {
            result, ending, moves, ..
        } = &row.outcome
        else {
            return Ok(());
        };
        let moves = read_moves(moves).ok_or(GameFault::Moves)?;
        match FixtureGame::begin(row.fixture, &moves, None).next() {
            Next::Over(is, why) if (is, why) == (*result, *ending) => Ok(()),
            Next::Over(..) => Err(GameFault::Result),
            // What the moves do not end, somebody has.
            _ if matches!(ending, Ending::Adjudicated | Ending::NoMove | Ending::Resigned) => Ok(()),
            _ => Err(GameFault::Result),
        }
    }

    /// The whole file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = self.head();
        for row in &self.rows {
            text += &row.line();
            text.push('\n');
        }
        text
    }

    /// The file without its rows.
    #[must_use]
    pub fn head(&self) -> String {
        line_text(&TournamentLine::Tournament(self.header.clone())) + "\n"
    }

    /// Adds a row. Of a game that is over already, or is none of the schedule, it counts for nothing but its tokens.
    pub fn add(&mut self, row: GameRow) {
        let slot = row
            .fixture
            .place(self.header.contestants.len())
            .and_then(|place| self.over.get_mut(place));
        match slot {
            Some(slot) if slot.is_none() => {
                let is_over = row.result().is_some();
                *slot = is_over.then_some(self.rows.len());
                self.count.add(&row.fixture, is_over, row.tokens);
            }
            _ => self.count.use_tokens(row.tokens),
        }
        self.rows.push(row);
    }

    /// Rows in the order in which they came; errors are among them.
    #[must_use]
    pub fn rows(&self) -> &[GameRow] {
        &self.rows
    }

    /// The games that are to be played.
    #[must_use]
    pub fn schedule(&self) -> &[Fixture] {
        &self.schedule
    }

    /// Those that are not over, in the schedule's order.
    pub fn left(&self) -> impl Iterator<Item = Fixture> {
        let games = self.schedule.iter().zip(&self.over);
        games.filter_map(|(game, row)| row.is_none().then_some(*game))
    }

    /// The games that are over, each once, in the order of openings.
    pub fn games(&self) -> impl Iterator<Item = &GameRow> {
        self.over.iter().flatten().filter_map(|row| self.rows.get(*row))
    }

    /// How many games are over, and how many have been tried in vain.
    #[must_use]
    pub const fn count(&self) -> &Count<Fixture> {
        &self.count
    }

    /// Whether another tournament is this one: the same players, openings, seed and rules.
    ///
    /// # Errors
    /// When it is not.
    pub fn same_as(&self, other: &Self) -> Result<(), TournamentError> {
        let (own, others) = (&self.header, &other.header);
        for (same, what) in [
            (own.contestants == others.contestants, "the players"),
            (own.openings == others.openings, "the numbers of openings"),
            (own.seed == others.seed, "the seeds"),
            (own.adjudication == others.adjudication, "the rules of adjudication"),
            (own.engine == others.engine, "the engines"),
        ] {
            if !same {
                return Err(TournamentError::Different(what));
            }
        }
        Ok(())
    }

    /// Adds the games of another file of the same tournament.
    ///
    /// # Errors
    /// When it is another tournament's.
    pub fn merge(&mut self, other: Self) -> Result<(), TournamentError> {
        self.same_as(&other)?;
        for row in other.rows {
            let is_over = |place: usize| self.over.get(place).is_some_and(Option::is_some);
            if !row.fixture.place(self.header.contestants.len()).is_some_and(is_over) {
                self.add(row);
            }
        }
        Ok(())
    }

    /// The games that are over as PGN, in the order of openings.
    #[must_use]
    pub fn pgn(&self) -> String {
        self.pgn_games().collect()
    }

    /// The same game by game.
    pub fn pgn_games(&self) -> impl Iterator<Item = String> {
        let name = |place: usize| self.header.contestants[place].name.as_str();
        (1..).zip(self.games()).filter_map(move |(number, row)| {
            let Outcome::Played {
                result,
                ending,
                moves,
                book,
            } = &row.outcome
            else {
                return None;
            };
            let moves = read_moves(moves)?;
            let players = [name(row.fixture.white), name(row.fixture.black)];
            let round = format!("{}.{number}", row.fixture.opening + 1);
            Some(write_pgn(&as_game(players, &round, &moves, *book, *result, *ending)))
        })
    }
}

mod result_text {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::stats::bayes_elo::GameResult;

    const TEXTS: [(GameResult, &str); 3] = [
        (GameResult::White, "1-0"),
        (GameResult::Draw, "1/2-1/2"),
        (GameResult::Black, "0-1"),
    ];

    pub fn serialize<S: Serializer>(result: &GameResult, serializer: S) -> Result<S::Ok, S::Error> {
        let text = TEXTS
            .iter()
            .find(|(own, _)| own == result)
            .map_or("*", |(_, text)| text);
        serializer.serialize_str(text)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<GameResult, D::Error> {
        let text = String::deserialize(deserializer)?;
        let known = TEXTS.iter().find(|(_, own)| *own == text).map(|(result, _)| *result);
        known.ok_or_else(|| serde::de::Error::custom("a result is 1-0, 1/2-1/2 or 0-1"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::pgn::read_pgn, random::Rng, tournament::contestant::Way};
    use shakmaty::Position as _;

    pub fn by_lot(players: usize, openings: usize) -> Tournament {
        let contestants = (0..players).map(|number| Contestant {
            name: format!("Player {number}"),
            way: Way::Random,
        });
        Tournament::new(TournamentHeader {
            schema: SCHEMA,
            program: "test".to_owned(),
            contestants: contestants.collect(),
            openings,
            seed: 7,
            adjudication: None,
            engine: None,
        })
        .unwrap()
    }

    fn play(fixture: Fixture, rng: &mut Rng) -> GameRow {
        let mut game = FixtureGame::begin(fixture, &fixture.opening_moves(7), None);
        while let Next::Move(_) = game.next() {
            let legal = game.position().legal_moves();
            assert!(game.play(legal[rng.below(legal.len())]));
        }
        GameRow::of(&game, 3, None).unwrap()
    }

    #[test]
    fn a_tournament_goes_on_where_its_file_ends() {
        let mut tournament = by_lot(3, 2);
        let mut rng = Rng::new(1);
        let games: Vec<Fixture> = tournament.left().collect();
        assert_eq!(games.len(), 12);
        tournament.add(GameRow::failed(games[0], "the engine died".to_owned(), 1));
        for game in &games[1..8] {
            tournament.add(play(*game, &mut rng));
        }
        let text = tournament.text();
        let read = Tournament::read(&text).unwrap();
        assert_eq!(read, tournament);
        let left: Vec<Fixture> = read.left().collect();
        assert_eq!((left[0], left.len()), (games[0], 5));
        let progress = read.count().progress();
        assert_eq!((progress.all, progress.answered, progress.failed), (12, 7, 1));
        // Wherever it is cut off, all whole lines are there.
        let head = tournament.head().len();
        for cut in (head..text.len()).step_by(97) {
            let Ok(part) = std::str::from_utf8(&text.as_bytes()[..cut]) else {
                continue;
            };
            let lines = part.lines().count();
            let rows = Tournament::read(part).unwrap().rows.len();
            assert!(rows + 1 == lines || rows + 2 == lines, "{cut}");
        }
        let mut whole = read.clone();
        let mut other = by_lot(3, 2);
        for game in left {
            other.add(play(game, &mut rng));
        }
        whole.merge(other.clone()).unwrap();
        assert_eq!(whole.left().count(), 0);
        assert_eq!(whole.games().count(), 12);
        other.header.seed = 8;
        assert_eq!(whole.merge(other), Err(TournamentError::Different("the seeds")));
        let pgn = read_pgn(&whole.pgn()).unwrap();
        assert_eq!(pgn.games.len(), 12);
    }

    #[test]
    fn what_is_no_game_of_it_is_refused() {
        let tournament = by_lot(2, 1);
        let line = |row: &str| format!("{}{{\"line\":\"game\",{row}}}\n", tournament.head());
        let played = |moves: &str, result: &str, ending: &str| {
            let outcome = format!(
                "\"outcome\":{{\"played\":{{\"result\":\"{result}\",\"ending\":\"{ending}\",\"moves\":\"{moves}\",\"book\":0}}}}"
            );
            Tournament::read(&line(&format!("\"white\":0,\"black\":1,\"opening\":0,{outcome}")))
        };
        let fault = |what| Err(TournamentError::Game { line: 2, what });
        assert!(played("f2f3 e7e5 g2g4 d8h4", "0-1", "mate").is_ok());
        assert!(played("e2e4", "1-0", "adjudicated").is_ok());
        assert_eq!(played("f2f3 e7e5 g2g4 d8h4", "1-0", "mate"), fault(GameFault::Result));
        assert_eq!(played("e2e4", "1-0", "mate"), fault(GameFault::Result));
        assert_eq!(played("e2e5", "1-0", "mate"), fault(GameFault::Moves));
        // Moves after the end are no moves.
        assert_eq!(
            played("f2f3 e7e5 g2g4 d8h4 a2a3", "0-1", "mate"),
            fault(GameFault::Moves)
        );
        let elsewhere = "\"white\":0,\"black\":2,\"opening\":0,\"outcome\":{\"error\":\"x\"}";
        assert_eq!(Tournament::read(&line(elsewhere)), fault(GameFault::NotScheduled));
        assert_eq!(Tournament::read("{}\n"), Err(TournamentError::NoHeader));
        assert_eq!(Tournament::read(""), Err(TournamentError::NoHeader));
        let mut twice = tournament.header.clone();
        twice.contestants[1].name = "Player 0".to_owned();
        assert_eq!(
            Tournament::new(twice),
            Err(TournamentError::SameName("Player 0".to_owned()))
        );
        let mut endless = tournament.header.clone();
        endless.openings = usize::MAX;
        assert!(matches!(Tournament::new(endless), Err(TournamentError::Games(_))));
        let mut alone = tournament.header;
        alone.contestants.truncate(1);
        assert_eq!(Tournament::new(alone), Err(TournamentError::Players(1)));
    }
}
