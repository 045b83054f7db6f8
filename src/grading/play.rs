//! One answer, whoever gives it: what is asked, what a reply comes to, the row in the end. Whoever asks the server or the
//! engine hands over what it says; the page and the command line do it alike.
//!
//! A puzzle takes several moves: after a right one the opponent's reply is played, and the player is asked again.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use shakmaty::{Chess, Move, Position};

use super::{
    answer::read_answer,
    fault::{Fault, FaultKind},
    player::{Player, PlayerKind},
    prompt::{self, explanation, messages, objection},
    suite::{
        goal::Verdict,
        hints::expert_of,
        position::{PositionError, Reached, TestPosition},
    },
    task::{Settings, Task},
};
use crate::{
    llm::{ChatRequest, Message, Reply, Role},
    long_run::tokens::{Tokens, given_up},
};

/// A row of a run: an answer, or an error that is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What was asked of whom.
    #[serde(flatten)]
    pub task: Task,
    /// The SHA-256 of everything that the answer rests on: player, sampling, position and words.
    pub key: String,
    /// The legal moves of the player in UCI notation: one, or a puzzle's.
    pub moves: Vec<String>,
    /// What is wrong, where the last answer was no legal move, or there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// Whether the position's goal was reached; `None` where there is nothing to solve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solved: Option<bool>,
    /// The words that were taken for the first move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub said: String,
    /// Every reply, word for word, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replies: Vec<String>,
    /// Faults of answers after which the model was asked again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objected: Vec<Fault>,
    /// Why, in the model's words, where it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// The model that answered last, where the server says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_answered: Option<String>,
    /// Tokens of all requests together, where the server counted every one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Tokens>,
    /// Milliseconds that the answers took.
    pub millis: u64,
    /// Fields of the requests that the server refused, so that it was asked without them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given_up: Vec<String>,
    /// Whether an answer to the very same words was copied instead of asking again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub copied: bool,
}

impl Row {
    /// Whether there is an answer, legal or not; an error is asked for again.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        !self.fault.as_ref().is_some_and(|fault| fault.kind.is_error())
    }

    /// Whether every answer was a legal move.
    #[must_use]
    pub const fn is_legal(&self) -> bool {
        self.fault.is_none()
    }

    /// The player's first move, where it is legal.
    #[must_use]
    pub fn first_move(&self) -> Option<&str> {
        self.moves.first().map(String::as_str)
    }
}

/// An answer under way.
#[derive(Debug, Clone)]
pub struct Play {
    task: Task,
    at: TestPosition,
    reached: Reached,
    settings: Settings,
    model: Option<String>,
    key: String,
    /// After the position's own question, what was said in this turn.
    said_in_turn: Vec<Message>,
    tries: u8,
    moves: Vec<String>,
    words: String,
    reason: Option<String>,
    replies: Vec<Reply>,
    objected: Vec<Fault>,
    millis: u64,
}

/// What is to be done after an answer.
#[derive(Debug)]
pub enum Step {
    /// Ask again: the next move of a puzzle, or the same one after a fault.
    Again(Box<Play>),
    /// It is done.
    Done(Box<Row>),
}

impl Play {
    /// Begins a task of this position and player.
    ///
    /// # Errors
    /// When the position cannot be used.
    pub fn begin(task: &Task, at: &TestPosition, player: &Player, settings: &Settings) -> Result<Self, PositionError> {
        let mut play = Self {
            task: task.clone(),
            at: at.clone(),
            reached: at.read()?,
            settings: settings.clone(),
            model: match &player.kind {
                PlayerKind::Endpoint { model, .. } => Some(model.clone()),
                _ => None,
            },
            key: String::new(),
            said_in_turn: Vec::new(),
            tries: 0,
            moves: Vec::new(),
            words: String::new(),
            reason: None,
            replies: Vec::new(),
            objected: Vec::new(),
            millis: 0,
        };
        play.key = play.key_for(player);
        Ok(play)
    }

    /// What the answer rests on, as a hash: where it is the same, so is the question.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    fn key_for(&self, player: &Player) -> String {
        let what = serde_json::json!({
            "prompts": prompt::VERSION,
            "player": player.kind,
            "temperature": self.settings.temperature,
            "tries": self.settings.tries,
            "max_tokens": self.settings.max_tokens,
            "seed": self.settings.seed,
            "position": self.at.fen,
            "moves": self.at.moves,
            "goal": self.at.goal,
            // What draws by the position's name answers differently in two of one name.
            "id": matches!(player.kind, PlayerKind::Random | PlayerKind::Played).then_some(&self.at.id),
            "messages": self.messages(),
        });
        let digest = Sha256::digest(what.to_string());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The position to move in now, with the ones before it.
    #[must_use]
    pub const fn reached(&self) -> &Reached {
        &self.reached
    }

    /// The position of the suite.
    #[must_use]
    pub const fn at(&self) -> &TestPosition {
        &self.at
    }

    fn messages(&self) -> Option<Vec<Message>> {
        let kind = self.task.prompt?;
        // In the midst of a puzzle the sentence is about the next move of its line.
        let next = (!self.moves.is_empty()).then(|| self.solution()).flatten();
        let expert = match next {
            Some(mv) => Some(expert_of(&self.reached.position, mv)),
            None => self.at.expert.clone(),
        };
        let mut all = messages(kind, &self.reached, expert.as_deref(), self.at.concept.as_deref());
        all.extend(self.said_in_turn.iter().cloned());
        Some(all)
    }

    /// The line's move in the position now.
    fn solution(&self) -> Option<Move> {
        let super::suite::goal::Goal::Line { line } = &self.at.goal else {
            return None;
        };
        let uci: shakmaty::uci::UciMove = line.get(2 * self.moves.len())?.parse().ok()?;
        uci.to_move(&self.reached.position).ok()
    }

    /// The request to send now; `None` for a player that is not asked in words.
    #[must_use]
    pub fn request(&self) -> Option<ChatRequest> {
        Some(ChatRequest {
            temperature: Some(self.settings.temperature as f32),
            seed: Some(self.settings.seed),
            max_tokens: Some(self.settings.max_tokens),
            stream: false,
            ..ChatRequest::new(self.model.as_deref()?, self.messages()?)
        })
    }

    /// Takes a model's reply, which took so many milliseconds.
    #[must_use]
    pub fn take_reply(mut self, reply: Reply, millis: u64) -> Step {
        self.millis += millis;
        let text = reply.text.clone();
        self.replies.push(reply);
        let answer = read_answer(&self.reached.position, self.reached.mode, &text);
        if self.moves.is_empty() {
            self.words.clone_from(&answer.said);
        }
        match answer.result {
            Ok(mv) => {
                if self.moves.is_empty() && self.task.prompt.is_some_and(|prompt| prompt.why) {
                    self.reason = explanation(&text);
                }
                self.moved(mv)
            }
            Err(fault) => {
                self.tries += 1;
                if self.tries < self.settings.tries {
                    self.said_in_turn.push(Message::new(Role::Assistant, text));
                    self.said_in_turn.push(Message::new(Role::User, objection(&fault.what)));
                    self.objected.push(fault);
                    return Step::Again(Box::new(self));
                }
                self.done(Some(fault))
            }
        }
    }

    /// Takes the move of a player that is not asked in words.
    #[must_use]
    pub fn take_move(mut self, mv: Move, millis: u64) -> Step {
        self.millis += millis;
        if !self.reached.position.is_legal(mv) {
            let fault = Fault::new(FaultKind::CannotMoveSo, "The player gave a move that is not legal.");
            return self.done(Some(fault));
        }
        self.moved(mv)
    }

    /// The row where there is no answer.
    #[must_use]
    pub fn failed(&self, kind: FaultKind, what: &str) -> Row {
        self.row(Some(Fault::new(kind, what)), None)
    }

    /// The row where the same question was answered already.
    #[must_use]
    pub fn copied(&self, row: &Row) -> Row {
        Row {
            task: self.task.clone(),
            copied: true,
            tokens: None,
            ..row.clone()
        }
    }

    fn moved(mut self, mv: Move) -> Step {
        let verdict = self
            .at
            .goal
            .verdict(&self.reached.position, self.reached.mode, mv, self.moves.len());
        self.moves.push(mv.to_uci(self.reached.mode).to_string());
        let solved = match verdict {
            Verdict::Played => None,
            Verdict::Solved => Some(true),
            Verdict::Missed => Some(false),
            Verdict::GoOn(reply) => {
                self.play(mv);
                self.play(reply);
                self.said_in_turn.clear();
                self.tries = 0;
                return Step::Again(Box::new(self));
            }
        };
        Step::Done(Box::new(self.row(None, solved)))
    }

    fn play(&mut self, mv: Move) {
        self.reached.history.push(self.reached.position.clone());
        self.reached.moves.push(mv);
        self.reached.position.play_unchecked(mv);
    }

    fn done(self, fault: Option<Fault>) -> Step {
        Step::Done(Box::new(self.row(fault, None)))
    }

    fn row(&self, fault: Option<Fault>, solved: Option<bool>) -> Row {
        let solved = match fault.is_some() {
            true => {
                (self.at.goal.can_be_solved() && !fault.as_ref().is_some_and(|f| f.kind.is_error())).then_some(false)
            }
            false => solved,
        };
        Row {
            task: self.task.clone(),
            key: self.key.clone(),
            moves: self.moves.clone(),
            explanation: self.reason.clone(),
            fault,
            solved,
            said: self.words.clone(),
            replies: self.replies.iter().map(|reply| reply.text.clone()).collect(),
            objected: self.objected.clone(),
            model_answered: self.replies.iter().rev().find_map(|reply| reply.model.clone()),
            tokens: Tokens::of(&self.replies),
            millis: self.millis,
            given_up: given_up(&self.replies),
            copied: false,
        }
    }
}

/// The kind of a request's failure, by [`ChatError::kind`](crate::llm::ChatError::kind)'s word.
#[must_use]
pub fn failure_kind(word: &str) -> FaultKind {
    match word {
        "timed-out" => FaultKind::TimeOut,
        "refused" => FaultKind::Refusal,
        // It answered, with nothing.
        "empty" => FaultKind::NotAMove,
        _ => FaultKind::Transport,
    }
}

/// The move that a network's value head would play: the one to the position that is worst for the opponent. `value` is
/// whom it is asked of: the expected result of a position, −1 to 1, the view of the side to move there.
///
/// # Errors
/// The first of `value`.
pub fn by_value<E>(
    reached: &Reached,
    mut value: impl FnMut(&[Chess], &Chess) -> Result<f32, E>,
) -> Result<Option<Move>, E> {
    let mut history = reached.history.clone();
    history.push(reached.position.clone());
    let mut best: Option<(f32, Move)> = None;
    for mv in reached.position.legal_moves() {
        let mut after = reached.position.clone();
        after.play_unchecked(mv);
        // What has ended needs no network.
        let own = match after.outcome() {
            shakmaty::Outcome::Known(outcome) => match outcome.winner() {
                Some(_) => 2.0,
                None => 0.0,
            },
            shakmaty::Outcome::Unknown => -value(&history, &after)?,
        };
        if best.is_none_or(|(known, _)| own > known) {
            best = Some((own, mv));
        }
    }
    Ok(best.map(|(_, mv)| mv))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grading::suite::{goal::Goal, puzzles::from_csv};

    const PUZZLE: &str = "PuzzleId,FEN,Moves,Rating,Themes\n\
        x,6k1/5ppp/8/8/8/7q/1Q3PPP/R5K1 b - - 0 1,h3h4 b2b8 h4d8 b8d8,900,mate mateIn2\n";

    fn reply(text: &str) -> Reply {
        Reply {
            text: text.to_owned(),
            thinking: String::new(),
            finish: None,
            usage: None,
            model: Some("m-1".to_owned()),
            probabilities: None,
            given_up: Vec::new(),
        }
    }

    fn play(prompt: &str, tries: u8, goal: Option<Goal>) -> Play {
        let mut at = from_csv(PUZZLE).unwrap().0.remove(0);
        if let Some(goal) = goal {
            at.goal = goal;
        }
        let player = Player {
            name: "llm".to_owned(),
            kind: PlayerKind::Endpoint {
                provider: "openai".to_owned(),
                server: "http://127.0.0.1:1".to_owned(),
                model: "m".to_owned(),
            },
        };
        let task = Task {
            item: at.id.clone(),
            player: player.name.clone(),
            prompt: Some(prompt.parse().unwrap()),
        };
        let settings = Settings {
            tries,
            ..Settings::default()
        };
        Play::begin(&task, &at, &player, &settings).unwrap()
    }

    fn done(step: Step) -> Row {
        match step {
            Step::Done(row) => *row,
            Step::Again(_) => panic!("not done"),
        }
    }

    fn again(step: Step) -> Play {
        match step {
            Step::Again(play) => *play,
            Step::Done(row) => panic!("{row:?}"),
        }
    }

    #[test]
    fn a_puzzle_is_played_to_its_end() {
        let first = play("fen+expert", 1, None);
        let before = first.request().unwrap();
        let second = again(first.take_reply(reply("Qb8+"), 10));
        let asked = second.request().unwrap();
        assert_ne!(asked.messages, before.messages);
        assert!(
            asked.messages[1].content.contains("best move - Qxd8#"),
            "{:?}",
            asked.messages
        );
        let row = done(second.take_reply(reply("Qxd8#"), 10));
        assert_eq!((row.solved, row.moves.len(), row.millis), (Some(true), 2, 20));
        assert!(row.is_legal() && row.is_answer());
        // Another move, legal or not, ends it.
        let row = done(play("fen", 1, None).take_reply(reply("Qb7"), 1));
        assert_eq!((row.solved, row.moves.len()), (Some(false), 1));
        let row = done(again(play("fen", 1, None).take_reply(reply("Qb8+"), 1)).take_reply(reply("Qh1#"), 1));
        assert_eq!(
            (row.solved, row.fault.unwrap().kind),
            (Some(false), FaultKind::CannotMoveSo)
        );
    }

    #[test]
    fn a_fault_is_objected_to_as_often_as_is_allowed() {
        let second = again(play("fen", 2, Some(Goal::Grade)).take_reply(reply("Ke5"), 1));
        let asked = second.request().unwrap();
        assert_eq!(asked.messages.len(), 4);
        assert!(asked.messages[3].content.contains("not a legal move"));
        let row = done(second.take_reply(reply("Qb3"), 1));
        assert_eq!((row.solved, row.moves.as_slice()), (None, &["b2b3".to_owned()][..]));
        assert_eq!(row.objected.len(), 1);
        let row = done(again(play("fen", 2, None).take_reply(reply("?"), 1)).take_reply(reply("Sorry, I can't."), 1));
        assert_eq!(row.fault.unwrap().kind, FaultKind::Refusal);
    }

    #[test]
    fn errors_are_no_answers() {
        let play = play("fen", 1, None);
        let row = play.failed(FaultKind::TimeOut, "Too slow.");
        assert!(!row.is_answer());
        assert_eq!(row.solved, None);
        let text = serde_json::to_string(&row).unwrap();
        assert_eq!(serde_json::from_str::<Row>(&text).unwrap(), row);
    }

    #[test]
    fn reasons_are_kept_where_they_were_asked_for() {
        let row = done(play("fen+why", 1, Some(Goal::Mate)).take_reply(reply("Move: Qb3\nWhy: It eyes f7."), 1));
        assert_eq!(row.explanation.as_deref(), Some("It eyes f7."));
        let row = done(play("fen", 1, Some(Goal::Mate)).take_reply(reply("Move: Qb3\nWhy: It eyes f7."), 1));
        assert_eq!(row.explanation, None);
    }

    #[test]
    fn keys_are_of_what_matters() {
        let base = play("fen", 1, None);
        assert_ne!(base.key(), play("fen+legal", 1, None).key());
        assert_ne!(base.key(), play("fen", 2, None).key());
        assert_eq!(base.key(), play("fen", 1, None).key());
    }

    #[test]
    fn a_value_head_mates_and_avoids_what_is_bad() {
        let mut at = from_csv(PUZZLE).unwrap().0.remove(0);
        at.moves.clear();
        at.start = None;
        at.fen = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1".to_owned();
        let best = by_value(&at.read().unwrap(), |_, _| Ok::<_, ()>(-0.9))
            .unwrap()
            .unwrap();
        assert_eq!(best.to_uci(at.read().unwrap().mode).to_string(), "a1a8");
    }
}
