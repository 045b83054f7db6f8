//! A game of Stockfish against itself at a given strength, from a seeded opening. Whoever owns the engine asks for the next
//! request and hands its result over; the page and the lab play alike.
//!
//! Below full strength Stockfish draws its moves from a seed of its own that nobody can set, so that only the openings are
//! the same again: the file is the record.

use shakmaty::{CastlingMode, Chess, KnownOutcome, Move, Outcome, Position, uci::UciMove};

use super::{level::Level, seeded_opening::seeded_opening};
use crate::{
    chess::{
        Openings, draw_claim,
        game::{Game, NodeId},
    },
    uci::{Limit, SearchRequest, SearchResult},
};

/// Nodes of each search, where nothing else is asked for.
pub const NODES: u64 = 20_000;
/// Games of each level, where nothing else is asked for: what the plan recommends after its first five.
pub const GAMES: u64 = 20;
/// Games of each level in the plan's own preset.
pub const PLAN_GAMES: u64 = 2;
/// The longest game, in plies; the plan's longest has 269.
const LONGEST_GAME: usize = 400;

/// A game under way.
#[derive(Debug, Clone)]
pub struct LevelGame {
    level: Level,
    number: u64,
    seed: u64,
    limit: Limit,
    game: Game,
    at: NodeId,
    position: Chess,
    seen: Vec<Chess>,
    moves: Vec<Move>,
    opening: usize,
}

/// The engine named no move that is legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the engine named no legal move")]
pub struct NoMove;

impl LevelGame {
    fn unbegun(level: Level, number: u64, seed: u64, limit: Limit) -> Self {
        Self {
            level,
            number,
            seed,
            limit,
            game: Game::new(Chess::default(), CastlingMode::Standard),
            at: NodeId::ROOT,
            position: Chess::default(),
            seen: Vec::new(),
            moves: Vec::new(),
            opening: 0,
        }
    }

    /// The level's game with this number, from 0. Its opening is on the board.
    #[must_use]
    pub fn begin(level: Level, number: u64, seed: u64, limit: Limit) -> Self {
        let mut game = Self::unbegun(level, number, seed, limit);
        for mv in seeded_opening(Openings::shipped(), seed, &format!("{level} {number}")) {
            game.play(mv);
        }
        game.opening = game.moves.len();
        game
    }

    /// The game as far as it was played: `moves` in UCI notation, the first `opening` of them the book's. `None` where they
    /// are not legal.
    #[must_use]
    pub fn resume(level: Level, number: u64, seed: u64, limit: Limit, moves: &str, opening: usize) -> Option<Self> {
        let mut game = Self {
            opening,
            ..Self::unbegun(level, number, seed, limit)
        };
        for uci in moves.split_whitespace() {
            game.play(uci.parse::<UciMove>().ok()?.to_move(&game.position).ok()?);
        }
        (game.moves.len() >= opening).then_some(game)
    }

    /// The moves so far in UCI notation, with blanks between.
    #[must_use]
    pub fn moves_text(&self) -> String {
        let moves = self
            .moves
            .iter()
            .map(|mv| mv.to_uci(CastlingMode::Standard).to_string());
        moves.collect::<Vec<_>>().join(" ")
    }

    /// How many of them are the book's.
    #[must_use]
    pub const fn opening(&self) -> usize {
        self.opening
    }

    /// Whether it has come to its end.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.outcome() != Outcome::Unknown || self.moves.len() >= LONGEST_GAME
    }

    /// How strong both sides play.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Half-moves played.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The search for the next move; `None` when the game is over.
    #[must_use]
    pub fn next(&self, id: u64) -> Option<SearchRequest> {
        if self.is_over() {
            return None;
        }
        // Every move was legal where it was played.
        let request = SearchRequest::new(id, Chess::default(), CastlingMode::Standard, self.limit)
            .played_on(&self.moves)
            .ok()?;
        // The engine remembers nothing of the game before.
        let first = self.moves.len() == self.opening;
        Some(if first { request.afresh() } else { request })
    }

    /// Plays the move that the search found.
    ///
    /// # Errors
    /// When it found none.
    pub fn take(&mut self, result: &SearchResult) -> Result<(), NoMove> {
        let best = result.best.as_ref().and_then(|best| best.to_move(&self.position).ok());
        self.play(best.ok_or(NoMove)?);
        Ok(())
    }

    fn play(&mut self, mv: Move) {
        // A game of so few moves is never full.
        if let Ok(next) = self.game.play(self.at, mv) {
            self.at = next;
            self.seen.push(self.position.clone());
            self.position.play_unchecked(mv);
            self.moves.push(mv);
        }
    }

    fn outcome(&self) -> Outcome {
        match self.position.outcome() {
            Outcome::Unknown if draw_claim(&self.seen, &self.position).is_some() => Outcome::Known(KnownOutcome::Draw),
            outcome => outcome,
        }
    }

    /// The game with its tags, played by what calls itself `engine`.
    #[must_use]
    pub fn into_game(self, engine: &str) -> Game {
        let outcome = self.outcome();
        let mut game = self.game;
        let player = format!("{engine}, {}", self.level);
        for (name, value) in [
            ("Event", format!("{}, seed {}", self.level, self.seed)),
            ("Round", (self.number + 1).to_string()),
            ("White", player.clone()),
            ("Black", player),
            ("Level", self.level.to_string()),
            ("BookPlies", self.opening.to_string()),
            ("Annotator", format!("{} a move", self.limit.words())),
        ] {
            game.tags.push((name.to_owned(), value));
        }
        game.outcome = outcome;
        game
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grading::toy_engine::search;

    fn played(number: u64, seed: u64) -> (Game, usize) {
        let mut game = LevelGame::begin(Level::Skill(5), number, seed, Limit::Nodes(1));
        let mut afresh = 0;
        while let Some(request) = game.next(number) {
            afresh += usize::from(request.is_afresh());
            game.take(&search(&request)).unwrap();
        }
        (game.into_game("Toy"), afresh)
    }

    #[test]
    fn a_game_is_played_to_its_end_from_its_own_opening() {
        let (game, afresh) = played(0, 1);
        assert_eq!(afresh, 1, "the engine forgets the game before, once");
        assert_eq!(game.tag("Level"), Some("skill 5"));
        assert_eq!(game.tag("White"), Some("Toy, skill 5"));
        let opening: usize = game.tag("BookPlies").unwrap().parse().unwrap();
        let plies = game.main_line().len();
        assert!((1..=8).contains(&opening) && plies > opening, "{opening} of {plies}");
        // The toy engine knows no progress: it shuffles until it is a draw, or loses.
        assert!(plies >= LONGEST_GAME || game.outcome != Outcome::Unknown, "{plies}");
        let sans = |game: &Game| {
            game.main_line()
                .iter()
                .filter_map(|id| game.san(*id))
                .collect::<Vec<_>>()
        };
        assert_eq!(sans(&game), sans(&played(0, 1).0));
        assert_ne!(sans(&game), sans(&played(1, 1).0));
    }

    #[test]
    fn an_engine_without_a_move_ends_it_with_an_error() {
        let mut game = LevelGame::begin(Level::Elo(1500), 0, 1, Limit::Nodes(1));
        let mut result = search(&game.next(1).unwrap());
        result.best = None;
        let plies = game.plies();
        assert_eq!(game.take(&result), Err(NoMove));
        assert_eq!(game.plies(), plies);
    }
}
