//! A player's turn: what has to be asked for its move, and what the answers come to. Whoever owns engines, models and connections
//! asks for the next thing and hands its answer over; the page and the lab play alike.

use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Move, Position, uci::UciMove};
use thiserror::Error;

use super::{contestant::Way, fixture_game::FixtureGame};
use crate::{
    chessbench::{
        action::legal_actions,
        annotation::{Annotation, AnnotationError},
        board::{Board, BoardError},
        policy::{PolicyChoice, PolicyRules, choose, decided_choice},
        prediction::Prediction,
        record::ActionSearch,
        win_percent::value_of,
    },
    grading::{
        answer::read_answer,
        fault::Fault,
        prompt::{PromptKind, View, messages, objection},
        suite::position::Reached,
    },
    llm::{ChatRequest, Message, Role},
    random::Rng,
    uci::{Limit, Score, SearchRequest, SearchResult},
};

/// Of each search of a move in a decided game: the paper does not say.
const DECIDED: Limit = Limit::Nodes(1_000);

/// How often a language model is asked for one move before it has none.
pub const TRIES: u8 = 3;

/// The most tokens of its reply, thinking included.
const MOST_TOKENS: u32 = 4_096;

/// A turn under way.
#[derive(Debug)]
pub struct Turn<'g> {
    game: &'g FixtureGame,
    means: Means,
}

/// How the move is found.
#[derive(Debug)]
enum Means {
    Lots,
    Search {
        limit: Limit,
        result: Option<SearchResult>,
    },
    EachMove(Box<Annotation>),
    Policy {
        rules: PolicyRules,
        prediction: Option<Prediction>,
        decided: Option<Decided>,
    },
    Chat {
        model: String,
        said: Vec<Message>,
        faults: Vec<Fault>,
        found: Option<Move>,
    },
}

/// The best moves of a decided game, and Stockfish's scores of the first of them.
#[derive(Debug)]
struct Decided {
    best: Vec<usize>,
    scores: Vec<Score>,
}

/// What is asked for next.
#[derive(Debug)]
pub enum Ask {
    /// A search by the Stockfish of [`Way::engine`]: [`Turn::take_search`].
    Search(Box<SearchRequest>),
    /// What the model or the network says of the game's position: [`Turn::take_prediction`].
    Prediction,
    /// A reply of the language model: [`Turn::take_reply`].
    Reply(Box<ChatRequest>),
    /// Nothing: this is the answer.
    Nothing(Moved),
}

/// A player's answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Moved {
    /// Its move, which is legal, and what it thinks of it, where it says so.
    Move(Move, Option<Opinion>),
    /// It named none, and this is why, in a sentence.
    None(String),
}

/// What a player thinks of its move.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opinion {
    /// Its chance of winning with it, 0..1.
    Chance(f64),
    /// How likely it finds it among the legal moves, 0..1.
    Share(f64),
}

/// Why a turn cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TurnError {
    /// The position cannot be read.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A search for each move went wrong.
    #[error(transparent)]
    Annotation(#[from] AnnotationError),
    /// The moves so far are no game.
    #[error("the engine cannot be told the game")]
    Untold,
    /// A person's move comes from the board.
    #[error("a person plays on the board")]
    Person,
    /// What was handed over was not asked for.
    #[error("this was not asked for")]
    Unasked,
}

impl<'g> Turn<'g> {
    /// Of a player who is to move in a game that is not over.
    ///
    /// # Errors
    /// For a person, and where each move is to be searched of a position that has no symbols.
    pub fn new(way: &Way, game: &'g FixtureGame) -> Result<Self, TurnError> {
        let policy = |rules| Means::Policy {
            rules,
            prediction: None,
            decided: None,
        };
        let means = match way {
            Way::Random => Means::Lots,
            Way::Level { limit, .. } | Way::Engine { limit } => Means::Search {
                limit: *limit,
                result: None,
            },
            Way::EachMove { limit } => {
                let board = Board::of_position(game.position().clone())?;
                Means::EachMove(Box::new(Annotation::new(board, *limit, ActionSearch::EachMove)))
            }
            Way::Model { rules, .. } => policy(*rules),
            Way::NetworkPolicy { .. } | Way::NetworkValue { .. } => policy(PolicyRules::default()),
            Way::Chat { model } => Means::Chat {
                model: model.clone(),
                said: Vec::new(),
                faults: Vec::new(),
                found: None,
            },
            Way::Person => return Err(TurnError::Person),
        };
        Ok(Self { game, means })
    }

    /// What is to be asked now. `id` numbers a search; `lots` is the game's, and is drawn from where the player does.
    ///
    /// # Errors
    /// When the engine cannot be told the game.
    pub fn next(&mut self, id: u64, lots: &mut Rng) -> Result<Ask, TurnError> {
        let position = self.game.position();
        let moved = |mv: Option<Move>, opinion, else_: &str| match mv.filter(|mv| position.is_legal(*mv)) {
            Some(mv) => Moved::Move(mv, opinion),
            None => Moved::None(else_.to_owned()),
        };
        Ok(Ask::Nothing(match &mut self.means {
            Means::Lots => {
                let legal = position.legal_moves();
                moved(
                    legal.get(lots.below(legal.len())).copied(),
                    None,
                    "There is no legal move.",
                )
            }
            Means::Search { limit, result: None } => return self.game.search(id, *limit).map(search),
            Means::Search { result: Some(said), .. } => {
                let best = said.best.as_ref().and_then(|best| best.to_move(position).ok());
                let worth = said.lines.first().map(|line| Opinion::Chance(value_of(line.score)));
                moved(best, worth, "The engine named no legal move.")
            }
            Means::EachMove(annotation) => {
                if let Some(request) = annotation.next(id) {
                    return Ok(search(request));
                }
                let record = annotation.record();
                let best = record.as_ref().and_then(|record| record.best);
                let mv = best.and_then(|best| best.to_string().parse::<UciMove>().ok()?.to_move(position).ok());
                let values = record.map(|record| record.values()).unwrap_or_default();
                let most = values.into_iter().reduce(f64::max).map(Opinion::Chance);
                moved(mv, most, "The engine named no legal move.")
            }
            Means::Policy { prediction: None, .. } => return Ok(Ask::Prediction),
            Means::Policy {
                rules,
                prediction: Some(prediction),
                decided,
            } => {
                let legal: Vec<Move> = legal_of(self.game);
                let choose =
                    |rules, lots: &mut Rng| choose(prediction, &legal, position, self.game.history(), rules, lots);
                let place = match decided {
                    None => match choose(*rules, lots) {
                        Some(PolicyChoice::AskEngine(best)) => {
                            let scores = Vec::new();
                            let asked = decided.insert(Decided { best, scores });
                            return Ok(asked.search(id, self.game, &legal));
                        }
                        Some(PolicyChoice::Play(place)) => Some(place),
                        None => None,
                    },
                    Some(asked) if asked.scores.len() < asked.best.len() => {
                        return Ok(asked.search(id, self.game, &legal));
                    }
                    Some(asked) => decided_choice(&asked.best, &asked.scores).or_else(|| {
                        let rules = PolicyRules {
                            decided: false,
                            ..*rules
                        };
                        match choose(rules, lots) {
                            Some(PolicyChoice::Play(place)) => Some(place),
                            _ => None,
                        }
                    }),
                };
                let score = place.and_then(|place| prediction.scores.get(place));
                let opinion = score.map(|score| match prediction.has_values() {
                    true => Opinion::Chance(score.clamp(0.0, 1.0)),
                    false => Opinion::Share(score.exp()),
                });
                let mv = place.and_then(|place| legal.get(place).copied());
                moved(mv, opinion, "The prediction does not fit the legal moves.")
            }
            Means::Chat { found: Some(mv), .. } => Moved::Move(*mv, None),
            Means::Chat {
                model, said, faults, ..
            } => match faults.last() {
                Some(fault) if faults.len() >= usize::from(TRIES) => {
                    Moved::None(format!("It was asked {TRIES} times. {}", fault.what))
                }
                _ => {
                    let mut all = messages(self.game.prompt(), &self.game.reached(), None, None);
                    all.extend(said.iter().cloned());
                    return Ok(Ask::Reply(Box::new(ChatRequest {
                        temperature: Some(0.0),
                        max_tokens: Some(MOST_TOKENS),
                        stream: false,
                        ..ChatRequest::new(model.clone(), all)
                    })));
                }
            },
        }))
    }

    /// Takes the result of a search.
    ///
    /// # Errors
    /// When it was not asked for, or has no score.
    pub fn take_search(&mut self, said: SearchResult) -> Result<(), TurnError> {
        match &mut self.means {
            Means::Search { result, .. } => *result = Some(said),
            Means::EachMove(annotation) => annotation.take(&said)?,
            Means::Policy {
                decided: Some(asked), ..
            } => {
                let score = said.lines.first().map(|line| line.score);
                let none = || AnnotationError::NoScore("a move of a decided game".to_owned());
                asked.scores.push(score.ok_or_else(none)?);
            }
            _ => return Err(TurnError::Unasked),
        }
        Ok(())
    }

    /// Takes what the model or the network says.
    ///
    /// # Errors
    /// When it was not asked for.
    pub fn take_prediction(&mut self, said: Prediction) -> Result<(), TurnError> {
        let Means::Policy { prediction, .. } = &mut self.means else {
            return Err(TurnError::Unasked);
        };
        *prediction = Some(said);
        Ok(())
    }

    /// Takes the text of a reply; one without a legal move is objected to, and asked for again, at most [`TRIES`] times in all.
    ///
    /// # Errors
    /// When it was not asked for.
    pub fn take_reply(&mut self, text: &str) -> Result<(), TurnError> {
        let answer = read_answer(self.game.position(), CastlingMode::Standard, text);
        match answer.result {
            Ok(mv) => {
                let Means::Chat { found, .. } = &mut self.means else {
                    return Err(TurnError::Unasked);
                };
                *found = Some(mv);
                Ok(())
            }
            Err(fault) => self.take_fault(text, fault),
        }
    }

    /// Takes what is wrong with a reply of this text, which may be empty.
    ///
    /// # Errors
    /// When it was not asked for.
    pub fn take_fault(&mut self, text: &str, fault: Fault) -> Result<(), TurnError> {
        let Means::Chat { said, faults, .. } = &mut self.means else {
            return Err(TurnError::Unasked);
        };
        // Servers refuse empty messages: after an empty reply the same is asked again.
        if !text.trim().is_empty() {
            said.push(Message::new(Role::Assistant, text));
            said.push(Message::new(Role::User, objection(&fault.what)));
        }
        faults.push(fault);
        Ok(())
    }
}

impl Decided {
    /// The search of the next of them. The engine first forgets what it knows, so that the choice depends on the position alone.
    fn search(&self, id: u64, game: &FixtureGame, legal: &[Move]) -> Ask {
        let place = self.best[self.scores.len()];
        let request = SearchRequest::new(id, game.position().clone(), CastlingMode::Standard, DECIDED);
        let request = request.among(&legal[place..=place]);
        search(match self.scores.is_empty() {
            true => request.afresh(),
            false => request,
        })
    }
}

fn search(request: SearchRequest) -> Ask {
    Ask::Search(Box::new(request))
}

fn legal_of(game: &FixtureGame) -> Vec<Move> {
    let legal = legal_actions(game.position(), CastlingMode::Standard);
    legal.into_iter().map(|(_, mv)| mv).collect()
}

impl FixtureGame {
    /// The search of a player with one search a move, who is told the moves. With its first move of a game it forgets the one before.
    fn search(&self, id: u64, limit: Limit) -> Result<SearchRequest, TurnError> {
        let request = SearchRequest::new(id, self.root().clone(), CastlingMode::Standard, limit);
        let request = request.played_on(self.moves()).map_err(|_| TurnError::Untold)?;
        let first = self.moves().len() < self.opening() + 2;
        Ok(if first { request.afresh() } else { request })
    }

    /// How a language model is shown it: before the first move there is no game to show.
    fn prompt(&self) -> PromptKind {
        PromptKind {
            view: match self.moves().is_empty() {
                true => View::Fen,
                false => View::Pgn,
            },
            legal: false,
            expert: false,
            concept: false,
            why: false,
        }
    }

    fn reached(&self) -> Reached {
        Reached {
            history: self.history().to_vec(),
            moves: self.moves().to_vec(),
            position: self.position().clone(),
            mode: CastlingMode::Standard,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::read_fen, grading::toy_engine, searchless::header::Target};
    use shakmaty::Chess;

    fn after(moves: &str) -> FixtureGame {
        let mut game = FixtureGame::from_position(Chess::default());
        for uci in moves.split_whitespace() {
            let mv = uci.parse::<UciMove>().unwrap().to_move(game.position()).unwrap();
            assert!(game.play(mv));
        }
        game
    }

    fn lots() -> Rng {
        Rng::new(1)
    }

    #[test]
    fn an_engine_forgets_with_its_first_move_of_a_game() {
        let way = Way::Engine { limit: Limit::Nodes(1) };
        for (moves, afresh) in [("", true), ("e2e4", true), ("e2e4 e7e5", false)] {
            let game = after(moves);
            let mut turn = Turn::new(&way, &game).unwrap();
            let Ok(Ask::Search(request)) = turn.next(1, &mut lots()) else {
                panic!("{moves}");
            };
            assert_eq!(request.is_afresh(), afresh, "{moves}");
            turn.take_search(toy_engine::search(&request)).unwrap();
            let found = turn.next(2, &mut lots());
            assert!(
                matches!(found, Ok(Ask::Nothing(Moved::Move(mv, _))) if game.position().is_legal(mv)),
                "{moves}"
            );
        }
    }

    #[test]
    fn a_language_model_is_objected_to_and_has_no_move_in_the_end() {
        let (game, way) = (after("e2e4"), Way::Chat { model: "m".to_owned() });
        let mut turn = Turn::new(&way, &game).unwrap();
        let mut told = Vec::new();
        for _ in 0..TRIES {
            let Ok(Ask::Reply(request)) = turn.next(0, &mut lots()) else {
                panic!("{told:?}");
            };
            told.push(request.messages.len());
            turn.take_reply("Qh5").unwrap();
        }
        assert_eq!(told, [2, 4, 6]);
        assert!(matches!(turn.next(0, &mut lots()), Ok(Ask::Nothing(Moved::None(why))) if why.contains("3 times")));
        let mut turn = Turn::new(&way, &game).unwrap();
        turn.take_reply("").unwrap();
        let Ok(Ask::Reply(request)) = turn.next(0, &mut lots()) else {
            panic!("it is asked again");
        };
        assert_eq!(request.messages.len(), 2, "an empty reply is not quoted");
        assert!(request.messages[1].content.contains("1. e4"));
        turn.take_reply("I play e5.").unwrap();
        assert!(matches!(turn.next(0, &mut lots()), Ok(Ask::Nothing(Moved::Move(..)))));
    }

    #[test]
    fn a_decided_game_is_searched_afresh_once() {
        let root = read_fen("7k/8/8/8/8/8/Q7/K7 w - - 0 1").unwrap().position;
        let game = FixtureGame::from_position(root);
        let rules = PolicyRules {
            decided: true,
            ..PolicyRules::default()
        };
        let way = Way::Model {
            target: Target::ActionValue,
            sha256: String::new(),
            rules,
        };
        let mut turn = Turn::new(&way, &game).unwrap();
        assert!(matches!(turn.next(0, &mut lots()), Ok(Ask::Prediction)));
        assert_eq!(turn.take_reply("Qa8"), Err(TurnError::Unasked));
        let values = vec![0.999; game.position().legal_moves().len()];
        turn.take_prediction(Prediction::of_values(values, None).unwrap())
            .unwrap();
        let mut afresh = Vec::new();
        let found = loop {
            match turn.next(0, &mut lots()).unwrap() {
                Ask::Search(request) => {
                    afresh.push(request.is_afresh());
                    let mut said = toy_engine::search(&request);
                    for line in &mut said.lines {
                        line.score = Score::Mate(if afresh.len() == 3 { 1 } else { 2 });
                    }
                    turn.take_search(said).unwrap();
                }
                Ask::Nothing(found) => break found,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(afresh, [true, false, false, false, false]);
        let third = legal_of(&game)[2];
        assert_eq!(found, Moved::Move(third, Some(Opinion::Chance(0.999))));
    }

    #[test]
    fn lots_are_the_games_own() {
        let game = after("");
        let found = |seed| Turn::new(&Way::Random, &game).unwrap().next(0, &mut Rng::new(seed));
        assert_eq!(format!("{:?}", found(3)), format!("{:?}", found(3)));
        assert_eq!(Turn::new(&Way::Person, &game).unwrap_err(), TurnError::Person);
    }
}
