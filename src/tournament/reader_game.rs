//! A reader's game against a contestant: what of it is kept, and what is said of it.

use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Chess, Color, Move, Position, uci::UciMove};

use super::{
    contestant::Contestant,
    fixture_game::{Ending, FixtureGame, Next, game_of, outcome_of},
    turn::Opinion,
};
use crate::{
    chess::{game::Game, read_fen, write_fen},
    random::{Rng, seeded_hash},
};

/// What the reader is called.
pub const READER: &str = "You";

/// A game under way or over.
#[derive(Debug, Clone)]
pub struct ReaderGame {
    /// Whom the reader plays.
    pub opponent: Contestant,
    /// The reader's colour.
    pub reader: Color,
    seed: u64,
    game: FixtureGame,
    /// What the opponent said of its moves; nothing of the reader's.
    opinions: Vec<Option<Opinion>>,
    /// How whoever was to move lost without a move, and why, in a sentence.
    lost: Option<(Ending, String)>,
}

/// The same as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct SavedGame {
    opponent: Contestant,
    reader_has_white: bool,
    seed: u64,
    /// The first position, where it is not that of chess.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    /// In UCI notation, with blanks between.
    moves: String,
    opinions: Vec<Option<Opinion>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lost: Option<(Ending, String)>,
}

impl ReaderGame {
    /// A game that begins in this position of standard chess. What the opponent draws by lot comes from the seed.
    #[must_use]
    pub fn begin(opponent: Contestant, reader: Color, seed: u64, root: Chess) -> Self {
        Self {
            opponent,
            reader,
            seed,
            game: FixtureGame::from_position(root),
            opinions: Vec::new(),
            lost: None,
        }
    }

    /// The game itself.
    #[must_use]
    pub const fn game(&self) -> &FixtureGame {
        &self.game
    }

    /// Whether it is the reader who moves.
    #[must_use]
    pub fn is_readers_turn(&self) -> bool {
        self.game.next() == Next::Move(self.reader)
    }

    /// Whether it is the opponent who moves.
    #[must_use]
    pub fn is_opponents_turn(&self) -> bool {
        self.game.next() == Next::Move(!self.reader)
    }

    /// What the opponent draws from for the move that comes: the same after a reload.
    #[must_use]
    pub fn lots(&self) -> Rng {
        Rng::new(seeded_hash(self.seed, &format!("ply {}", self.game.moves().len())))
    }

    /// Plays a move; `false`, and nothing, where it is not legal or the game is over.
    pub fn play(&mut self, mv: Move, opinion: Option<Opinion>) -> bool {
        let played = self.game.play(mv);
        if played {
            self.opinions.push(opinion);
        }
        played
    }

    /// Whoever is to move has lost: it gave up or has no move, for this reason.
    pub fn lose(&mut self, ending: Ending, why: String) {
        self.game.lose(ending);
        self.lost = Some((ending, why));
    }

    /// How many moves there were when the reader was last to move; `None` where that was never before now.
    #[must_use]
    pub fn taken_back(&self) -> Option<usize> {
        let moves = self.game.moves().len();
        let reader = |plies: &usize| {
            let first = self.game.root().turn();
            plies.is_multiple_of(2) == (first == self.reader)
        };
        let lost = self.lost.is_some() && reader(&moves);
        if lost {
            Some(moves)
        } else {
            (0..moves).rev().find(reader)
        }
    }

    /// Takes moves back, so that the reader is to move. `false` where there is none to take back.
    pub fn take_back(&mut self) -> bool {
        let Some(plies) = self.taken_back() else { return false };
        let mut game = FixtureGame::from_position(self.game.root().clone());
        for mv in &self.game.moves()[..plies] {
            game.play(*mv);
        }
        self.game = game;
        self.opinions.truncate(plies);
        self.lost = None;
        true
    }

    /// What the opponent said of its last move.
    #[must_use]
    pub fn last_opinion(&self) -> Option<Opinion> {
        let back = usize::from(self.is_opponents_turn()) + 1;
        let place = self.opinions.len().checked_sub(back)?;
        self.opinions[place]
    }

    /// Why whoever was to move has lost without a move.
    #[must_use]
    pub fn why(&self) -> Option<&str> {
        self.lost.as_ref().map(|(_, why)| why.as_str())
    }

    /// White's name and Black's.
    #[must_use]
    pub fn players(&self) -> [&str; 2] {
        match self.reader {
            Color::White => [READER, &self.opponent.name],
            Color::Black => [&self.opponent.name, READER],
        }
    }

    /// As it is kept.
    #[must_use]
    pub fn line(&self) -> String {
        let root = self.game.root();
        let line = SavedGame {
            opponent: self.opponent.clone(),
            reader_has_white: self.reader.is_white(),
            seed: self.seed,
            fen: (*root != Chess::default()).then(|| write_fen(root, CastlingMode::Standard)),
            moves: self.game.moves_text(),
            opinions: self.opinions.clone(),
            lost: self.lost.clone(),
        };
        // Strings, numbers and lists are always JSON.
        serde_json::to_string(&line).unwrap_or_default()
    }

    /// A game as it was kept; `None` where the text is none.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let line: SavedGame = serde_json::from_str(text.trim()).ok()?;
        let root = match &line.fen {
            Some(fen) => {
                read_fen(fen)
                    .ok()
                    .filter(|read| read.mode == CastlingMode::Standard)?
                    .position
            }
            None => Chess::default(),
        };
        let reader = Color::from_white(line.reader_has_white);
        let mut read = Self::begin(line.opponent, reader, line.seed, root);
        let mut opinions = line.opinions.into_iter();
        for uci in line.moves.split_whitespace() {
            let mv = uci.parse::<UciMove>().ok()?.to_move(read.game.position()).ok()?;
            read.play(mv, opinions.next().flatten()).then_some(())?;
        }
        if let Some((ending, why)) = line.lost {
            read.lose(ending, why);
        }
        Some(read)
    }

    /// The game with its tags, and in comments what the opponent said of its moves.
    #[must_use]
    pub fn as_game(&self) -> Game {
        let mut game = game_of(self.game.root(), self.game.moves());
        let [white, black] = self.players();
        for (name, value) in [
            ("Event", "Searchless".to_owned()),
            ("White", white.to_owned()),
            ("Black", black.to_owned()),
            ("Opponent", self.opponent.way.words()),
        ] {
            game.tags.push((name.to_owned(), value));
        }
        if let Next::Over(result, ending) = self.game.next() {
            game.tags.push(("Termination".to_owned(), ending.words().to_owned()));
            game.outcome = outcome_of(result);
        }
        for (node, opinion) in game.main_line().into_iter().zip(&self.opinions) {
            if let Some(opinion) = opinion {
                game.set_comment(node, &opinion.words());
            }
        }
        game
    }
}

impl Opinion {
    /// In words, the player's view.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::Chance(chance) => format!("win chance {:.1} %", 100.0 * chance),
            Self::Share(share) => format!("probability {:.1} %", 100.0 * share),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{pgn::read_pgn, pgn_writer::write_pgn},
        stats::bayes_elo::GameResult,
        tournament::contestant::Way,
    };

    fn lots() -> Contestant {
        Contestant {
            name: "Lots".to_owned(),
            way: Way::Random,
        }
    }

    fn play(game: &mut ReaderGame, moves: &str) {
        for uci in moves.split(' ') {
            let mv = uci.parse::<UciMove>().unwrap().to_move(game.game().position()).unwrap();
            let opinion = game.is_opponents_turn().then_some(Opinion::Chance(0.25));
            assert!(game.play(mv, opinion), "{uci}");
        }
    }

    #[test]
    fn a_game_comes_back_as_it_was_kept() {
        let mut game = ReaderGame::begin(lots(), Color::White, 7, Chess::default());
        assert!(game.is_readers_turn() && game.taken_back().is_none());
        play(&mut game, "e2e4 e7e5 g1f3");
        let mut back = ReaderGame::read(&game.line()).unwrap();
        assert_eq!(back.line(), game.line());
        assert!(back.is_opponents_turn());
        assert_eq!(back.last_opinion(), Some(Opinion::Chance(0.25)));
        assert_eq!(back.lots().next_u64(), game.lots().next_u64());
        back.lose(Ending::NoMove, "It said nothing.".to_owned());
        let over = ReaderGame::read(&back.line()).unwrap();
        assert_eq!(over.why(), Some("It said nothing."));
        assert_eq!(over.game().next(), Next::Over(GameResult::White, Ending::NoMove));
        for wrong in ["", "{}", &game.line().replace("e7e5", "e7e4")] {
            assert!(ReaderGame::read(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn moves_are_taken_back_to_the_readers_turn() {
        let mut game = ReaderGame::begin(lots(), Color::Black, 1, Chess::default());
        play(&mut game, "e2e4");
        assert!(!game.take_back(), "the opponent's first move stays");
        play(&mut game, "e7e5 g1f3");
        assert!(game.take_back());
        assert_eq!(game.game().moves_text(), "e2e4");
        play(&mut game, "f7f6");
        assert!(game.take_back(), "in the opponent's turn the reader's own move alone");
        assert_eq!(game.game().moves_text(), "e2e4");
        game.lose(Ending::Resigned, String::new());
        assert_eq!(game.game().next(), Next::Over(GameResult::White, Ending::Resigned));
        assert!(game.take_back() && game.is_readers_turn());
    }

    #[test]
    fn its_pgn_says_what_the_opponent_said() {
        let root = read_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap().position;
        let mut game = ReaderGame::begin(lots(), Color::White, 1, root.clone());
        play(&mut game, "e2e4 e8e7");
        let text = write_pgn(&game.as_game());
        let read = read_pgn(&text).unwrap();
        let back = &read.games[0];
        assert_eq!((back.tag("White"), back.tag("Black")), (Some("You"), Some("Lots")));
        assert_eq!(*back.root(), root);
        let line = back.main_line();
        assert_eq!((line.len(), back.comment(line[1])), (2, "win chance 25.0 %"));
        let text = ReaderGame::read(&game.line()).unwrap().line();
        assert_eq!(text, game.line(), "another first position is kept");
    }
}
