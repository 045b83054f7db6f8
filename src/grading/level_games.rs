//! Games at levels, one after the other, as they are kept: what is to be played, then a line for each game as far as it came. So
//! they go on where they were cut off, and nothing is played twice.

use serde::{Deserialize, Serialize};

use super::{level::Level, level_game::LevelGame};
use crate::{
    chess::game::Game,
    long_run::lines::{line_text, read_lines},
    uci::Limit,
};

/// What is to be played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GamesWanted {
    /// The levels, in the order in which they are played.
    pub levels: Vec<Level>,
    /// Games of each level.
    pub each: u64,
    /// Of the openings.
    pub seed: u64,
    /// Of each move's search.
    pub limit: Limit,
}

/// A game as far as it came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct KeptGame {
    /// What the engine calls itself.
    engine: String,
    /// Moves in UCI notation, with blanks between.
    moves: String,
    /// How many of them are the book's.
    opening: usize,
}

/// A line of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "kebab-case")]
enum GamesLine {
    /// The first.
    LevelGames(GamesWanted),
    /// The next game.
    Game(KeptGame),
}

/// Games under way. All but the last are over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelGames {
    /// What is to be played.
    pub wanted: GamesWanted,
    games: Vec<KeptGame>,
}

impl LevelGames {
    /// None yet.
    #[must_use]
    pub const fn new(wanted: GamesWanted) -> Self {
        Self {
            wanted,
            games: Vec::new(),
        }
    }

    /// Reads what was kept, up to the first game that cannot be gone on from; `None` where it does not begin as such a file
    /// does.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut lines = read_lines(text).map_while(Result::ok).map(|(_, line)| line);
        let Some(GamesLine::LevelGames(wanted)) = lines.next() else {
            return None;
        };
        let mut games = Self::new(wanted);
        for line in lines {
            let GamesLine::Game(kept) = line else { break };
            let place = games.games.len();
            let Some(game) = games.begun(place, &kept) else { break };
            games.games.push(kept);
            if !game.is_over() {
                break;
            }
        }
        Some(games)
    }

    /// The file's first line, without its end.
    #[must_use]
    pub fn head(&self) -> String {
        line_text(&GamesLine::LevelGames(self.wanted.clone()))
    }

    /// How many games are wanted.
    #[must_use]
    pub const fn all(&self) -> usize {
        self.wanted.levels.len() * self.wanted.each as usize
    }

    /// The game to play on, with its place among all; `None` when all are over.
    #[must_use]
    pub fn next(&self) -> Option<(usize, LevelGame)> {
        if let Some((place, cut)) = self.cut() {
            return Some((place, cut));
        }
        let place = self.games.len();
        let level = *self.wanted.levels.get(self.level(place)?)?;
        let number = place as u64 % self.wanted.each;
        let game = LevelGame::begin(level, number, self.wanted.seed, self.wanted.limit);
        Some((place, game))
    }

    /// The last game, where it is not over.
    #[must_use]
    pub fn cut(&self) -> Option<(usize, LevelGame)> {
        let place = self.games.len().checked_sub(1)?;
        let game = self.begun(place, self.games.get(place)?)?;
        (!game.is_over()).then_some((place, game))
    }

    /// Takes the game at a place as it stands, and gives its line, without its end.
    pub fn put(&mut self, place: usize, game: &LevelGame, engine: &str) -> String {
        let kept = KeptGame {
            engine: engine.to_owned(),
            moves: game.moves_text(),
            opening: game.opening(),
        };
        let line = line_text(&GamesLine::Game(kept.clone()));
        self.games.truncate(place);
        self.games.push(kept);
        line
    }

    /// The games that are over.
    #[must_use]
    pub fn finished(&self) -> Vec<Game> {
        let all = self.games.iter().enumerate();
        let over = all.filter_map(|(place, kept)| Some((self.begun(place, kept)?, kept)));
        over.filter(|(game, _)| game.is_over())
            .map(|(game, kept)| game.into_game(&kept.engine))
            .collect()
    }

    /// How many games are over.
    #[must_use]
    pub fn done(&self) -> usize {
        self.games.len() - usize::from(self.cut().is_some())
    }

    /// The place of a game's level among the levels.
    fn level(&self, place: usize) -> Option<usize> {
        place.checked_div(self.wanted.each as usize)
    }

    fn begun(&self, place: usize, kept: &KeptGame) -> Option<LevelGame> {
        let GamesWanted {
            levels,
            each,
            seed,
            limit,
        } = &self.wanted;
        let level = *levels.get(self.level(place)?)?;
        LevelGame::resume(level, place as u64 % each, *seed, *limit, &kept.moves, kept.opening)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::pgn_writer::write_pgn, grading::toy_engine::search};

    fn wanted() -> GamesWanted {
        GamesWanted {
            levels: vec![Level::Skill(0), Level::Elo(1500)],
            each: 2,
            seed: 3,
            limit: Limit::Nodes(1),
        }
    }

    /// Plays on for so many half-moves, and gives every line that was kept of the games that were touched.
    fn play(games: &mut LevelGames, mut half_moves: usize, kept: &mut Vec<String>) {
        while let Some((place, mut game)) = games.next() {
            while let Some(request) = game.next(1) {
                if half_moves == 0 {
                    return;
                }
                half_moves -= 1;
                game.take(&search(&request)).unwrap();
                let line = games.put(place, &game, "Toy");
                kept.truncate(place);
                kept.push(line);
            }
        }
    }

    #[test]
    fn games_that_are_cut_off_anywhere_go_on_to_the_same_end() {
        let mut whole = LevelGames::new(wanted());
        let mut lines = Vec::new();
        play(&mut whole, usize::MAX, &mut lines);
        assert_eq!((whole.done(), whole.all(), lines.len()), (4, 4, 4));
        assert!(whole.next().is_none());
        let pgn = |games: &LevelGames| games.finished().iter().map(write_pgn).collect::<String>();
        assert!(pgn(&whole).contains("[Level \"elo 1500\"]"));
        let first = whole.finished()[0].main_line().len();
        for cut in [0, 1, first - 9, first, first + 7] {
            let mut games = LevelGames::new(wanted());
            let mut lines = Vec::new();
            play(&mut games, cut, &mut lines);
            let text = games.head() + "\n" + &lines.join("\n");
            let mut again = LevelGames::read(&text).unwrap();
            assert_eq!(again, games, "{cut}");
            play(&mut again, usize::MAX, &mut lines);
            assert_eq!(pgn(&again), pgn(&whole), "{cut}");
            assert_eq!(
                LevelGames::read(&(again.head() + "\n" + &lines.join("\n"))),
                Some(again)
            );
        }
    }

    #[test]
    fn what_cannot_be_gone_on_from_is_left_out() {
        assert_eq!(LevelGames::read("nonsense"), None);
        let head = LevelGames::new(wanted()).head();
        let game = |moves: &str| format!(r#"{{"line":"game","engine":"Toy","opening":1,"moves":"{moves}"}}"#);
        let read = |rows: &[String]| LevelGames::read(&(head.clone() + "\n" + &rows.join("\n"))).unwrap();
        assert_eq!(read(&[game("e2e5")]).games.len(), 0);
        // A game that is not over ends the list.
        let games = read(&[game("e2e4 e7e5"), game("d2d4")]);
        assert_eq!((games.games.len(), games.done()), (1, 0));
        assert_eq!(games.next().unwrap().1.plies(), 2);
        // Fool's mate is over.
        let mate = game("f2f3 e7e5 g2g4 d8h4");
        let games = read(&[mate.clone(), game("d2d4")]);
        assert_eq!(
            (games.done(), games.finished().len(), games.next().unwrap().0),
            (1, 1, 1)
        );
        // There are four games.
        assert_eq!(read(&vec![mate; 5]).done(), 4);
        let none = LevelGames::new(GamesWanted { each: 0, ..wanted() });
        assert!(none.next().is_none() && none.all() == 0);
    }
}
