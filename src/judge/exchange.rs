//! One judgement: which requests it takes, what its replies come to. Whoever asks the server hands every reply over and
//! sends what is wanted next; the browser and the command line do it alike.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    VERSION,
    gcc_eval::{prompt as gcc_prompt, score::Score},
    item::JudgedItem,
    judges::{Judge, Settings},
    rubric::{
        decision::{Decision, Weights, decide_line},
        line, prompt as rubric_prompt,
    },
    task::{Ask, Task},
};
use crate::{
    llm::{ChatRequest, Message, Reply, Role},
    long_run::tokens::{Tokens, given_up},
};

/// A row of a run: a judgement, or a failure that is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What was judged.
    #[serde(flatten)]
    pub task: Task,
    /// The SHA-256 of everything that the judgement rests on: server, model, mode, sampling and messages.
    pub key: String,
    /// What came of it.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Every reply, word for word, in order.
    pub replies: Vec<String>,
    /// The model that answered last, where the server says.
    pub model_answered: Option<String>,
    /// Tokens of all requests together, where the server counted every one.
    pub tokens: Option<Tokens>,
    /// Fields of the requests that the server refused, so that it was asked without them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given_up: Vec<String>,
    /// Attempts that failed and were made again, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<FailedAttempt>,
    /// Whether a judgement on the very same words was copied instead of asking again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub copied: bool,
}

/// An attempt at a reply that failed, after which another was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedAttempt {
    /// The number of the reply that was asked for, from 0.
    pub reply: usize,
    /// A stable word, as in [`Failure::kind`].
    pub kind: String,
    /// What happened.
    pub what: String,
}

/// What came of a judgement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// A score.
    Score(Score),
    /// Ratings of two comments.
    Ratings(Rated),
    /// No judgement: the request failed, or the reply could not be read.
    Error(Failure),
}

/// What the rubric came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rated {
    /// The judge's line.
    pub line: line::RubricLine,
    /// Whether it was asked a second time for it.
    pub repaired: bool,
    /// Which of the two the claim check disqualifies.
    pub disqualified: [bool; 2],
    /// What follows.
    pub decision: Decision,
}

impl Rated {
    /// The same ratings with what the claim check says now.
    fn hold(&mut self, disqualified: [bool; 2], weights: &Weights) {
        self.disqualified = disqualified;
        self.decision = decide_line(&self.line, weights, disqualified);
    }

    /// Where judge and claim check differ on the hard rule: the check disqualifies a comment to which the judge gives more
    /// than 1 for faithfulness, or the other way round.
    #[must_use]
    pub fn disagrees(&self) -> [bool; 2] {
        let by_judge = [self.line.a[0] == 1, self.line.b[0] == 1];
        [by_judge[0] != self.disqualified[0], by_judge[1] != self.disqualified[1]]
    }
}

/// Why there is no judgement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// A stable word.
    pub kind: String,
    /// What happened.
    pub what: String,
    /// What to do.
    pub advice: String,
}

/// What is to be done after a reply.
#[derive(Debug)]
pub enum Next {
    /// The request to send next.
    Ask(Box<ChatRequest>),
    /// It is done.
    Done(Box<Row>),
}

/// A judgement under way.
#[derive(Debug)]
pub struct Exchange {
    task: Task,
    key: String,
    settings: Settings,
    model: String,
    messages: Vec<Message>,
    disqualified: [bool; 2],
    replies: Vec<Reply>,
    attempts: Vec<FailedAttempt>,
}

impl Exchange {
    /// Begins a judgement; `None` where the item has no comment of the task's method.
    #[must_use]
    pub fn begin(task: &Task, item: &JudgedItem, judge: &Judge, settings: &Settings) -> Option<Self> {
        let (messages, disqualified) = match &task.ask {
            Ask::GccEval { method, criterion } => {
                let comment = item.comment(method)?;
                let steps = settings.steps(&judge.name, *criterion);
                let reference = settings.show_reference;
                (
                    gcc_prompt::messages(item, &comment.text, *criterion, steps, reference),
                    [false; 2],
                )
            }
            Ask::Rubric { first, second } => {
                let (a, b) = (item.comment(first)?, item.comment(second)?);
                (
                    rubric_prompt::messages(item, &a.text, &b.text),
                    [a.is_disqualified(), b.is_disqualified()],
                )
            }
        };
        let mut this = Self {
            task: task.clone(),
            key: String::new(),
            settings: settings.clone(),
            model: judge.model.clone(),
            messages,
            disqualified,
            replies: Vec::new(),
            attempts: Vec::new(),
        };
        this.key = this.key_for(judge);
        Some(this)
    }

    /// What the judgement rests on, as a hash: where it is the same, so is the question.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    fn key_for(&self, judge: &Judge) -> String {
        let request = self.request();
        let what = serde_json::json!({
            "version": VERSION,
            "provider": judge.provider,
            "server": judge.server,
            "model": judge.model,
            "replies": self.wanted(),
            "temperature": request.temperature,
            "top_p": request.top_p,
            "seed": request.seed,
            "max_tokens": request.max_tokens,
            "top_logprobs": request.top_logprobs,
            "messages": self.messages,
        });
        let digest = Sha256::digest(what.to_string());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Replies that it takes, unless one has to be repaired.
    const fn wanted(&self) -> u32 {
        match self.task.ask {
            Ask::GccEval { .. } => self.settings.mode.replies(),
            Ask::Rubric { .. } => 1,
        }
    }

    /// The request to send now.
    #[must_use]
    pub fn request(&self) -> ChatRequest {
        let number = u32::try_from(self.replies.len()).unwrap_or(u32::MAX);
        match self.task.ask {
            Ask::GccEval { .. } => self.settings.mode.request(
                &self.model,
                self.messages.clone(),
                self.settings.seed,
                self.settings.max_tokens,
                number,
            ),
            Ask::Rubric { .. } => {
                let mut messages = self.messages.clone();
                for reply in &self.replies {
                    let wrong = line::read(&reply.text)
                        .err()
                        .map_or_else(String::new, |e| e.to_string());
                    messages.push(Message::new(Role::Assistant, reply.text.clone()));
                    messages.push(Message::new(Role::User, rubric_prompt::repair(&wrong)));
                }
                ChatRequest {
                    temperature: Some(0.0),
                    seed: Some(self.settings.seed),
                    max_tokens: Some(self.settings.max_tokens),
                    stream: false,
                    ..ChatRequest::new(&self.model, messages)
                }
            }
        }
    }

    /// Notes that an attempt at the present request failed, and that it is asked again.
    pub fn failed_once(&mut self, kind: &str, what: &str) {
        self.attempts.push(FailedAttempt {
            reply: self.replies.len(),
            kind: kind.to_owned(),
            what: what.to_owned(),
        });
    }

    /// Takes a reply.
    #[must_use]
    pub fn take(mut self, reply: Reply) -> (Self, Next) {
        self.replies.push(reply);
        let came = self.replies.len();
        let outcome = match self.task.ask {
            Ask::GccEval { criterion, .. } => {
                if came < self.wanted() as usize {
                    let request = self.request();
                    return (self, Next::Ask(Box::new(request)));
                }
                Score::read(self.settings.mode, criterion, &self.replies).map_or_else(
                    |error| Outcome::Error(failure(error.kind(), &error.to_string(), error.advice())),
                    Outcome::Score,
                )
            }
            Ask::Rubric { .. } => match self.replies.last().map(|reply| line::read(&reply.text)) {
                Some(Ok(line)) => Outcome::Ratings(Rated {
                    decision: decide_line(&line, &self.settings.weights, self.disqualified),
                    line,
                    repaired: came > 1,
                    disqualified: self.disqualified,
                }),
                _ if came < 2 => {
                    let request = self.request();
                    return (self, Next::Ask(Box::new(request)));
                }
                Some(Err(error)) => Outcome::Error(failure(
                    "no-line",
                    &format!("the answer cannot be read: {error}"),
                    "It was asked a second time. The row is kept as an error; going on with the run asks again.",
                )),
                None => Outcome::Error(failure("no-line", "there is no answer", "")),
            },
        };
        let row = self.row(outcome);
        (self, Next::Done(Box::new(row)))
    }

    /// The row where asking failed.
    #[must_use]
    pub fn failed(&self, kind: &str, what: &str, advice: &str) -> Row {
        self.row(Outcome::Error(failure(kind, what, advice)))
    }

    /// The row where the same words were judged already.
    #[must_use]
    pub fn copied(&self, row: &Row) -> Row {
        let mut copy = Row {
            task: self.task.clone(),
            copied: true,
            tokens: None,
            attempts: Vec::new(),
            ..row.clone()
        };
        // The claim check's word is on these comments, not on those.
        if let Outcome::Ratings(rated) = &mut copy.outcome {
            rated.hold(self.disqualified, &self.settings.weights);
        }
        copy
    }

    fn row(&self, outcome: Outcome) -> Row {
        Row {
            task: self.task.clone(),
            key: self.key.clone(),
            outcome,
            replies: self.replies.iter().map(|reply| reply.text.clone()).collect(),
            model_answered: self.replies.iter().rev().find_map(|reply| reply.model.clone()),
            tokens: Tokens::of(&self.replies),
            given_up: given_up(&self.replies),
            attempts: self.attempts.clone(),
            copied: false,
        }
    }
}

fn failure(kind: &str, what: &str, advice: &str) -> Failure {
    Failure {
        kind: kind.to_owned(),
        what: what.to_owned(),
        advice: advice.to_owned(),
    }
}

impl Row {
    /// Has the verdict on a pair follow what was declared of its comments after it was judged.
    pub fn follow(&mut self, item: &JudgedItem, settings: &Settings) {
        let (Ask::Rubric { first, second }, Outcome::Ratings(rated)) = (&self.task.ask, &mut self.outcome) else {
            return;
        };
        if let (Some(a), Some(b)) = (item.comment(first), item.comment(second))
            && (a.declaration.is_some() || b.declaration.is_some())
        {
            rated.hold([a.is_disqualified(), b.is_disqualified()], &settings.weights);
        }
    }

    /// Whether it holds a judgement.
    #[must_use]
    pub const fn is_judged(&self) -> bool {
        !matches!(self.outcome, Outcome::Error(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{
        gcc_eval::{Criterion, score::Mode},
        item::tests::item,
    };

    fn judge() -> Judge {
        Judge {
            name: "j".to_owned(),
            provider: "openai".to_owned(),
            server: "http://127.0.0.1:1".to_owned(),
            model: "m".to_owned(),
        }
    }

    fn reply(text: &str) -> Reply {
        Reply {
            text: text.to_owned(),
            thinking: String::new(),
            finish: None,
            usage: None,
            model: Some("m-2026".to_owned()),
            probabilities: None,
            given_up: vec!["temperature"],
        }
    }

    fn rubric(first: &str, second: &str) -> Task {
        Task {
            item: "bd2".to_owned(),
            judge: "j".to_owned(),
            ask: Ask::Rubric {
                first: first.to_owned(),
                second: second.to_owned(),
            },
        }
    }

    const LINE: &str = "WINNER,B,A,4,4,4,4,4,4,24,B,5,5,5,5,5,5,30";

    fn begin(task: &Task) -> Exchange {
        Exchange::begin(task, &item(), &judge(), &Settings::default()).unwrap()
    }

    #[test]
    fn a_line_that_cannot_be_read_is_asked_for_once_more() {
        let (exchange, next) = begin(&rubric("ours", "theirs")).take(reply("B, I think"));
        let Next::Ask(request) = next else {
            panic!("it is asked again")
        };
        let mut exchange = exchange;
        exchange.failed_once("rate-limited", "Too many questions.");
        let last = &request.messages.last().unwrap().content;
        assert!(last.contains("there is no line that begins with WINNER"), "{last}");
        let (_, next) = exchange.take(reply(LINE));
        let Next::Done(row) = next else { panic!("it is done") };
        let Outcome::Ratings(rated) = &row.outcome else {
            panic!("{row:?}")
        };
        assert!(rated.repaired);
        // "theirs" claims a capture that is not on the board: the hard rule costs it four points, and 26 are still more than 24.
        assert_eq!(
            (rated.disqualified, rated.decision.totals),
            ([false, true], [24.0, 26.0])
        );
        assert_eq!(rated.disagrees(), [false, true]);
        assert_eq!(
            (row.replies.len(), row.given_up.as_slice()),
            (2, ["temperature".to_owned()].as_slice())
        );
        let attempt = FailedAttempt {
            reply: 1,
            kind: "rate-limited".to_owned(),
            what: "Too many questions.".to_owned(),
        };
        assert_eq!(row.attempts, [attempt]);
        let text = serde_json::to_string(&row).unwrap();
        assert_eq!(serde_json::from_str::<Row>(&text).unwrap(), *row, "{text}");
    }

    #[test]
    fn a_second_bad_line_is_an_error_that_is_kept() {
        let (exchange, _) = begin(&rubric("ours", "theirs")).take(reply("B"));
        let (_, next) = exchange.take(reply("B!"));
        let Next::Done(row) = next else { panic!("it is done") };
        assert!(!row.is_judged());
        assert_eq!(row.replies, ["B", "B!"]);
    }

    #[test]
    fn samples_take_twenty_replies_and_another_seed_each() {
        let task = Task {
            ask: Ask::GccEval {
                method: "ours".to_owned(),
                criterion: Criterion::Fluency,
            },
            ..rubric("", "")
        };
        let settings = Settings {
            mode: Mode::Samples,
            ..Settings::default()
        };
        let mut exchange = Exchange::begin(&task, &item(), &judge(), &settings).unwrap();
        let mut seeds = vec![exchange.request().seed];
        loop {
            let (then, next) = exchange.take(reply("4"));
            exchange = then;
            match next {
                Next::Ask(request) => seeds.push(request.seed),
                Next::Done(row) => {
                    assert!(matches!(row.outcome, Outcome::Score(score) if score.score == 4.0));
                    break;
                }
            }
        }
        assert_eq!(seeds, (1..=20).map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn the_key_is_of_everything_that_matters_and_of_nothing_else() {
        let key = |task: &Task, judge: &Judge, settings: &Settings| {
            Exchange::begin(task, &item(), judge, settings)
                .unwrap()
                .key()
                .to_owned()
        };
        let (task, usual) = (rubric("ours", "theirs"), Settings::default());
        let base = key(&task, &judge(), &usual);
        assert_ne!(base, key(&rubric("theirs", "ours"), &judge(), &usual));
        let other = Judge {
            model: "n".to_owned(),
            ..judge()
        };
        assert_ne!(base, key(&task, &other, &usual));
        let seeded = Settings {
            seed: 2,
            ..usual.clone()
        };
        assert_ne!(base, key(&task, &judge(), &seeded));
        let renamed = Judge {
            name: "other".to_owned(),
            ..judge()
        };
        assert_eq!(base, key(&task, &renamed, &usual));
    }
}
