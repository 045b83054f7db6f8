//! A game of a tournament under way.

use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Chess, Color, KnownOutcome, Move, Outcome, Position, uci::UciMove};

use super::schedule::Fixture;
use crate::{
    chess::{
        DrawClaim, draw_claim,
        game::{Game, NodeId},
    },
    stats::bayes_elo::GameResult,
    uci::{Limit, Score, SearchRequest},
};

/// The longest game, in half-moves: longer ones are drawn. The paper has no such bound, but players without search may shuffle.
pub const LONGEST_GAME: usize = 400;

/// When a game is ended because it is decided: the paper's rule is 1,300 centipawns or a mate by a look of 10 ms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// Of each look by Stockfish.
    pub limit: Limit,
    /// Centipawns that have to be exceeded.
    pub beyond: i32,
}

impl Default for Adjudication {
    /// The paper's bound by a look of 2,000 nodes, which is the same on every machine.
    fn default() -> Self {
        Self {
            limit: Limit::Nodes(2_000),
            beyond: 1_300,
        }
    }
}

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Mate.
    Mate,
    /// Stalemate.
    Stalemate,
    /// Neither side can mate.
    Material,
    /// A position for the third time.
    Repetition,
    /// Fifty moves without a capture or a pawn move.
    FiftyMoves,
    /// Stockfish held it for decided.
    Adjudicated,
    /// It became too long.
    Length,
    /// Somebody named no legal move, and lost.
    NoMove,
    /// Somebody gave up.
    Resigned,
}

impl Ending {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 9] = [
        Self::Mate,
        Self::Adjudicated,
        Self::Resigned,
        Self::NoMove,
        Self::Stalemate,
        Self::Material,
        Self::Repetition,
        Self::FiftyMoves,
        Self::Length,
    ];

    /// In words, for tables and tags.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::Stalemate => "stalemate",
            Self::Material => "too little material",
            Self::Repetition => "repetition",
            Self::FiftyMoves => "fifty moves",
            Self::Adjudicated => "adjudicated",
            Self::Length => "too long",
            Self::NoMove => "no legal move was named",
            Self::Resigned => "resigned",
        }
    }
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The player of this colour moves.
    Move(Color),
    /// Stockfish looks whether the game is decided: [`FixtureGame::look`].
    Look,
    /// It is over.
    Over(GameResult, Ending),
}

/// A game under way.
#[derive(Debug, Clone)]
pub struct FixtureGame {
    fixture: Fixture,
    adjudication: Option<Adjudication>,
    root: Chess,
    position: Chess,
    seen: Vec<Chess>,
    moves: Vec<Move>,
    opening: usize,
    looked: bool,
    over: Option<(GameResult, Ending)>,
}

impl FixtureGame {
    /// A game that begins in the first position, with its opening's moves on the board. Moves that are not legal there end the
    /// opening.
    #[must_use]
    pub fn begin(fixture: Fixture, opening: &[Move], adjudication: Option<Adjudication>) -> Self {
        let mut game = Self {
            fixture,
            adjudication,
            root: Chess::default(),
            position: Chess::default(),
            seen: Vec::new(),
            moves: Vec::new(),
            opening: 0,
            looked: true,
            over: None,
        };
        for mv in opening {
            if !game.play(*mv) {
                break;
            }
            game.opening += 1;
        }
        // The book is not looked at: it decides nothing.
        game.looked = true;
        game
    }

    /// A game of two players, 0 with White and 1 with Black, from any position; nobody looks whether it is decided.
    #[must_use]
    pub fn from_position(root: Chess) -> Self {
        let fixture = Fixture {
            white: 0,
            black: 1,
            opening: 0,
        };
        let mut game = Self {
            position: root.clone(),
            root,
            ..Self::begin(fixture, &[], None)
        };
        game.over = game.end();
        game
    }

    /// Which game it is.
    #[must_use]
    pub const fn fixture(&self) -> Fixture {
        self.fixture
    }

    /// The position in which it began, before the opening.
    #[must_use]
    pub const fn root(&self) -> &Chess {
        &self.root
    }

    /// The position on the board.
    #[must_use]
    pub const fn position(&self) -> &Chess {
        &self.position
    }

    /// The positions before it, the first one first.
    #[must_use]
    pub fn history(&self) -> &[Chess] {
        &self.seen
    }

    /// The moves so far, the opening's among them.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How many of them are the opening's.
    #[must_use]
    pub const fn opening(&self) -> usize {
        self.opening
    }

    /// The place of the player who is to move.
    #[must_use]
    pub fn to_move(&self) -> usize {
        self.position.turn().fold_wb(self.fixture.white, self.fixture.black)
    }

    /// What comes next.
    #[must_use]
    pub fn next(&self) -> Next {
        match (self.over, self.looked || self.adjudication.is_none()) {
            (Some((result, ending)), _) => Next::Over(result, ending),
            (None, true) => Next::Move(self.position.turn()),
            (None, false) => Next::Look,
        }
    }

    /// Plays a move; `false`, and nothing, where it is not legal or the game is over.
    pub fn play(&mut self, mv: Move) -> bool {
        if self.over.is_some() || !self.position.is_legal(mv) {
            return false;
        }
        self.seen.push(self.position.clone());
        self.position.play_unchecked(mv);
        self.moves.push(mv);
        self.looked = false;
        self.over = self.end();
        true
    }

    /// The search that says whether the game is decided.
    #[must_use]
    pub fn look_request(&self, id: u64) -> Option<SearchRequest> {
        let limit = self.adjudication?.limit;
        let request = SearchRequest::new(id, self.root.clone(), CastlingMode::Standard, limit);
        // Every move was legal where it was played.
        let request = request.played_on(&self.moves).ok()?;
        // What was seen of another game says nothing of this one, whichever was played before.
        let first = self.moves.len() == self.opening + 1;
        Some(if first { request.afresh() } else { request })
    }

    /// Takes Stockfish's score, the view of the side to move.
    pub fn look(&mut self, score: Score) {
        self.looked = true;
        let Some(rule) = self.adjudication else { return };
        let ahead = match score {
            Score::Cp(cp) if cp > rule.beyond => true,
            Score::Cp(cp) if cp < -rule.beyond => false,
            Score::Cp(_) => return,
            // In mate at 0 it is the side to move that is mated; such games are over without a look.
            Score::Mate(moves) => moves > 0,
        };
        let winner = if ahead {
            self.position.turn()
        } else {
            self.position.turn().other()
        };
        self.over = self.over.or(Some((won_by(winner), Ending::Adjudicated)));
    }

    /// The player who is to move has lost: [`Ending::NoMove`] or [`Ending::Resigned`].
    pub fn lose(&mut self, ending: Ending) {
        let winner = self.position.turn().other();
        self.over = self.over.or(Some((won_by(winner), ending)));
    }

    fn end(&self) -> Option<(GameResult, Ending)> {
        let drawn = |ending| Some((GameResult::Draw, ending));
        match self.position.outcome() {
            Outcome::Known(KnownOutcome::Decisive { winner }) => return Some((won_by(winner), Ending::Mate)),
            Outcome::Known(KnownOutcome::Draw) if self.position.is_insufficient_material() => {
                return drawn(Ending::Material);
            }
            Outcome::Known(KnownOutcome::Draw) => return drawn(Ending::Stalemate),
            Outcome::Unknown => (),
        }
        match draw_claim(&self.seen, &self.position) {
            Some(DrawClaim::Repetition) => drawn(Ending::Repetition),
            Some(DrawClaim::FiftyMoves) => drawn(Ending::FiftyMoves),
            None if self.moves.len() >= LONGEST_GAME => drawn(Ending::Length),
            None => None,
        }
    }

    /// The moves in UCI notation, with blanks between.
    #[must_use]
    pub fn moves_text(&self) -> String {
        let moves = self
            .moves
            .iter()
            .map(|mv| mv.to_uci(CastlingMode::Standard).to_string());
        moves.collect::<Vec<_>>().join(" ")
    }
}

fn won_by(colour: Color) -> GameResult {
    colour.fold_wb(GameResult::White, GameResult::Black)
}

/// The moves of a text in UCI notation, from the first position; `None` where one is not legal, or there are more than
/// [`LONGEST_GAME`].
#[must_use]
pub fn read_moves(text: &str) -> Option<Vec<Move>> {
    if text.split_whitespace().nth(LONGEST_GAME).is_some() {
        return None;
    }
    let mut position = Chess::default();
    text.split_whitespace()
        .map(|uci| {
            let mv = uci.parse::<UciMove>().ok()?.to_move(&position).ok()?;
            position.play_unchecked(mv);
            Some(mv)
        })
        .collect()
}

/// A finished game with its tags. `opening` is how many of the moves were the book's.
#[must_use]
pub fn as_game(
    players: [&str; 2],
    round: &str,
    moves: &[Move],
    opening: usize,
    result: GameResult,
    ending: Ending,
) -> Game {
    let mut game = game_of(&Chess::default(), moves);
    for (name, value) in [
        ("Event", "Tournament".to_owned()),
        ("Round", round.to_owned()),
        ("White", players[0].to_owned()),
        ("Black", players[1].to_owned()),
        ("BookPlies", opening.to_string()),
        ("Termination", ending.words().to_owned()),
    ] {
        game.tags.push((name.to_owned(), value));
    }
    game.outcome = outcome_of(result);
    game
}

/// The game of these moves from a position of standard chess, without tags.
#[must_use]
pub fn game_of(root: &Chess, moves: &[Move]) -> Game {
    let mut game = Game::new(root.clone(), CastlingMode::Standard);
    let mut at = NodeId::ROOT;
    for mv in moves {
        // A game of so few moves is never full.
        let Ok(next) = game.play(at, *mv) else { break };
        at = next;
    }
    game
}

/// A result as a game's outcome.
#[must_use]
pub const fn outcome_of(result: GameResult) -> Outcome {
    Outcome::Known(match result {
        GameResult::White => KnownOutcome::Decisive { winner: Color::White },
        GameResult::Draw => KnownOutcome::Draw,
        GameResult::Black => KnownOutcome::Decisive { winner: Color::Black },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{pgn::read_pgn, pgn_writer::write_pgn};

    const FIXTURE: Fixture = Fixture {
        white: 3,
        black: 1,
        opening: 0,
    };

    fn played(moves: &str, adjudication: Option<Adjudication>) -> FixtureGame {
        let mut game = FixtureGame::begin(FIXTURE, &[], adjudication);
        for mv in read_moves(moves).unwrap() {
            game.look(Score::Cp(0));
            assert!(game.play(mv));
        }
        game
    }

    #[test]
    fn a_game_ends_as_the_rules_say() {
        let over = |moves: &str| played(moves, None).next();
        assert_eq!(over("f2f3 e7e5 g2g4 d8h4"), Next::Over(GameResult::Black, Ending::Mate));
        let stalemate =
            "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 c8e6";
        assert_eq!(over(stalemate), Next::Over(GameResult::Draw, Ending::Stalemate));
        let there_and_back = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
        assert_eq!(over(there_and_back), Next::Move(Color::Black));
        let third = format!("{there_and_back} f6g8");
        assert_eq!(over(&third), Next::Over(GameResult::Draw, Ending::Repetition));
        let mut done = played("f2f3 e7e5 g2g4 d8h4", None);
        let any = read_moves("a2a3").unwrap()[0];
        assert!(!done.play(any));
        done.lose(Ending::Resigned);
        done.look(Score::Cp(5000));
        assert_eq!(done.next(), Next::Over(GameResult::Black, Ending::Mate), "over is over");
    }

    #[test]
    fn a_decided_game_is_adjudicated_and_the_book_is_not_looked_at() {
        let rule = Some(Adjudication::default());
        let opening = read_moves("e2e4 e7e5").unwrap();
        let mut game = FixtureGame::begin(FIXTURE, &opening, rule);
        assert_eq!(
            (game.next(), game.to_move(), game.opening()),
            (Next::Move(Color::White), 3, 2)
        );
        assert!(game.play(read_moves("e2e4 e7e5 g1f3").unwrap()[2]));
        assert_eq!((game.next(), game.to_move()), (Next::Look, 1));
        assert!(
            game.look_request(1)
                .unwrap()
                .position()
                .to_string()
                .ends_with("moves e2e4 e7e5 g1f3")
        );
        for harmless in [Score::Cp(0), Score::Cp(1300), Score::Cp(-1300)] {
            game.look(harmless);
            assert_eq!(game.next(), Next::Move(Color::Black), "{harmless:?}");
        }
        for (score, winner) in [
            (Score::Cp(1301), GameResult::Black),
            (Score::Cp(-1301), GameResult::White),
            (Score::Mate(3), GameResult::Black),
            (Score::Mate(-3), GameResult::White),
        ] {
            let mut decided = game.clone();
            decided.look(score);
            assert_eq!(decided.next(), Next::Over(winner, Ending::Adjudicated), "{score:?}");
        }
        game.lose(Ending::NoMove);
        assert_eq!(game.next(), Next::Over(GameResult::White, Ending::NoMove));
    }

    #[test]
    fn a_game_comes_back_from_its_pgn() {
        let moves = read_moves("f2f3 e7e5 g2g4 d8h4").unwrap();
        let game = as_game(["A", "B"], "7", &moves, 1, GameResult::Black, Ending::Mate);
        let text = write_pgn(&game);
        let read = read_pgn(&text).unwrap();
        let back = &read.games[0];
        assert_eq!(back.tag("White"), Some("A"));
        assert_eq!(back.tag("Termination"), Some("mate"));
        assert_eq!(back.outcome, game.outcome);
        assert_eq!(back.main_line().len(), 4);
        assert_eq!(read_moves("e2e5"), None);
    }
}
