//! A language model behind an endpoint is scored: how likely it finds each square after a text, by the probabilities of its own
//! tokens.
//!
//! Its tokens are not ours: a square may be one token or two (`b5`, or `b` and `5`). The first request tells how likely each
//! first token is. Each letter a to h among them is added to the text, and another request tells which digits follow it. A
//! square's probability is the sum over both ways; a type is one letter. What the server does not list is not heard: how much
//! of the probability lies on the candidates is kept with each answer.

use std::collections::{BTreeMap, VecDeque};

use super::{
    asked::{self, MoveText},
    grade::Answer,
    probe::{Probe, ProbeTask, Question},
    token::{Meaning, Token},
};
use crate::{
    llm::{Completion, TokenChoice},
    long_run::tokens::Tokens,
};

/// Requests that an answer takes at most: one, and one for each file of the board.
pub const MOST_REQUESTS: u64 = 9;

/// A text that shows whether a model can be scored at all.
pub const TRIAL: &str = "e2e4 e7e5 g1f3 b8c6 f1";

/// Whether a model that is told the moves so can be scored in a task: PGN names no square that a move starts from, and without
/// types nobody is asked where one stands.
#[must_use]
pub const fn can_be_scored(text: MoveText, task: ProbeTask) -> bool {
    match text {
        MoveText::Uci => task.is_end(),
        MoveText::Types => true,
        MoveText::Pgn => false,
    }
}

/// The text that a model is to go on with; `None` where it cannot be scored.
#[must_use]
pub fn prompt(probe: &Probe, question: &Question, text: MoveText) -> Option<String> {
    if !can_be_scored(text, question.task) {
        return None;
    }
    let (moves, how) = asked::told(probe, text);
    let letter = match text {
        MoveText::Types => question.role.upper_char().to_string(),
        MoveText::Uci | MoveText::Pgn => String::new(),
    };
    let from = question.from().map_or_else(String::new, |from| from.to_string());
    Some(format!("The moves of a game of chess ({how}):\n{moves} {letter}{from}"))
}

/// What is given, word for word, of the paper's example: for the header of a run.
#[must_use]
pub fn texts(text: MoveText) -> BTreeMap<String, String> {
    asked::of_example(|probe, question| prompt(probe, question, text))
        .map(|(name, words)| (format!("{text}, scored, {name}"), words))
        .collect()
}

/// The scoring of one answer: gives one text after the other, and hears what comes next.
#[derive(Debug, Clone)]
pub struct Scoring {
    text: String,
    /// Letters whose digits are still to be heard; the first is asked about now.
    letters: VecDeque<char>,
    first: Option<TokenChoice>,
    by_letter: BTreeMap<char, TokenChoice>,
    used: Vec<Option<Tokens>>,
    model: Option<String>,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Scored {
    /// The likeliest candidates, as many as there are legal answers; fewer where not so many were heard.
    pub answer: Answer,
    /// How much of the probability lies on candidates, 0 to 1.
    pub heard: f64,
    /// Tokens of all requests, where the server counted each.
    pub used: Option<Tokens>,
    /// The model that answered, where the server says.
    pub model: Option<String>,
}

impl Scoring {
    /// Of what comes after this text.
    #[must_use]
    pub fn new(text: String) -> Self {
        Self {
            text,
            letters: VecDeque::new(),
            first: None,
            by_letter: BTreeMap::new(),
            used: Vec::new(),
            model: None,
        }
    }

    /// The text whose next token is wanted now; `None` where all is heard.
    #[must_use]
    pub fn wanted(&self) -> Option<String> {
        match (&self.first, self.letters.front()) {
            (None, _) => Some(self.text.clone()),
            (Some(_), Some(letter)) => Some(format!("{}{letter}", self.text)),
            (Some(_), None) => None,
        }
    }

    /// Hears what comes after the text that was wanted.
    pub fn hear(&mut self, completion: Completion) {
        let Completion { next, model, usage } = completion;
        self.used.push(usage.map(Tokens::from));
        self.model = self.model.take().or(model);
        if self.first.is_none() {
            let is_listed = |letter: &char| next.mass(|token| token.chars().eq([*letter])) > 0.0;
            self.letters = ('a'..='h').filter(is_listed).collect();
            self.first = Some(next);
        } else if let Some(letter) = self.letters.pop_front() {
            self.by_letter.insert(letter, next);
        }
    }

    /// How likely each candidate is, squares and types; 0 where it was not heard.
    fn shares(&self) -> Vec<(Token, f64)> {
        let Some(first) = &self.first else { return Vec::new() };
        let is_candidate = |token: &Token| matches!(token.meaning(), Meaning::Square(_) | Meaning::Type(_));
        let share = |token: Token| {
            let name = token.to_string();
            let whole = first.mass(|said| goes_on(said, &name));
            let mut letters = name.chars();
            let parted = letters.next().zip(letters.next()).map_or(0.0, |(letter, digit)| {
                let alone = first.mass(|said| said.chars().eq([letter]));
                let then = self.by_letter.get(&letter);
                alone * then.map_or(0.0, |then| then.mass(|said| goes_on(said, &digit.to_string())))
            });
            (token, whole + parted)
        };
        Token::all().filter(is_candidate).map(share).collect()
    }

    /// The answer to a question, of what was heard. Of two candidates that are as likely the one with the lower number is first.
    #[must_use]
    pub fn scored(self, question: &Question) -> Scored {
        let mut shares = self.shares();
        shares.retain(|(_, share)| *share > 0.0);
        let heard: f64 = shares.iter().map(|(_, share)| share).sum();
        // Stable: of equal ones the lower number stays first.
        shares.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let used: Option<Vec<Tokens>> = self.used.into_iter().collect();
        Scored {
            answer: Answer {
                tokens: shares
                    .into_iter()
                    .map(|(token, _)| token)
                    .take(question.legal.len())
                    .collect(),
                ranked: true,
            },
            heard: heard.min(1.0),
            used: used.map(|all| all.into_iter().sum()),
            model: self.model,
        }
    }
}

/// Whether a token that is said is this name, or begins with it and goes on with what is part of no name: `e4`, `e4 ` and `e4,`.
fn goes_on(said: &str, name: &str) -> bool {
    said.strip_prefix(name)
        .is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{super::probe::tests::example, *};

    fn completion(listed: &[(&str, f64)]) -> Completion {
        let listed: serde_json::Map<_, _> = listed
            .iter()
            .map(|(text, share)| ((*text).to_owned(), json!(share.ln())))
            .collect();
        let body = json!({
            "model": "m",
            "choices": [{"index": 0, "text": "", "logprobs": {"top_logprobs": [listed]}}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 1}
        });
        Completion::read(body.to_string().as_bytes(), None).unwrap()
    }

    fn asked(task: ProbeTask) -> (Probe, Question) {
        let probe = Probe::read(&example()).unwrap();
        let question = probe.question(task).unwrap();
        (probe, question)
    }

    #[test]
    fn the_text_ends_where_the_answer_begins() {
        let of = |task, text| {
            let (probe, question) = asked(task);
            prompt(&probe, &question, text)
        };
        let end = of(ProbeTask::EndActual, MoveText::Uci).unwrap();
        assert!(end.ends_with(":\ne2e4 e7e5 g1f3 b8c6 d2d4 h7h6 f1"), "{end}");
        let typed = of(ProbeTask::EndActual, MoveText::Types).unwrap();
        assert!(typed.ends_with("Pd2d4 Ph7h6 Bf1"), "{typed}");
        let start = of(ProbeTask::StartOther, MoveText::Types).unwrap();
        assert!(start.ends_with("Pd2d4 Ph7h6 N"), "{start}");
        assert_eq!(of(ProbeTask::StartActual, MoveText::Uci), None, "no type, no question");
        assert_eq!(of(ProbeTask::EndActual, MoveText::Pgn), None);
        assert_eq!(texts(MoveText::Uci).len(), 1);
        assert_eq!(texts(MoveText::Types)["types, scored, end"], typed);
    }

    #[test]
    fn a_square_is_the_sum_of_its_tokenisations() {
        let (_, question) = asked(ProbeTask::EndActual);
        let mut scoring = Scoring::new("… f1".to_owned());
        assert_eq!(scoring.wanted().as_deref(), Some("… f1"));
        // In one token, with what comes after it, in two; a type; what is no candidate: `b51` would be no square.
        scoring.hear(completion(&[
            ("b5", 0.1),
            ("b5 ", 0.05),
            ("b", 0.4),
            ("e", 0.2),
            ("N", 0.09),
            (" e4", 0.05),
            ("b51", 0.02),
        ]));
        assert_eq!(scoring.wanted().as_deref(), Some("… f1b"));
        scoring.hear(completion(&[
            ("5", 0.5),
            ("4", 0.25),
            ("5\n", 0.05),
            ("9", 0.1),
            ("44", 0.1),
        ]));
        assert_eq!(scoring.wanted().as_deref(), Some("… f1e"));
        scoring.hear(completion(&[("2", 1.0)]));
        assert_eq!(scoring.wanted(), None);
        let shares: BTreeMap<String, f64> = scoring
            .shares()
            .into_iter()
            .map(|(token, share)| (token.to_string(), share))
            .collect();
        assert_eq!(shares.len(), 70, "64 squares and 6 types");
        for (name, share) in [
            ("b5", 0.15 + 0.4 * 0.55),
            ("b4", 0.4 * 0.25),
            ("e2", 0.2),
            ("N", 0.09),
            ("e4", 0.0),
        ] {
            assert!((shares[name] - share).abs() < 1e-9, "{name}: {}", shares[name]);
        }
        let Scored {
            answer,
            heard,
            used,
            model,
        } = scoring.scored(&question);
        let tokens: Vec<String> = answer.tokens.iter().map(ToString::to_string).collect();
        assert_eq!(tokens, ["b5", "e2", "b4", "N"], "five are legal, four were heard");
        assert!((heard - 0.76).abs() < 1e-9, "{heard}");
        let used = used.unwrap();
        assert_eq!((used.prompt, used.completion), (30, 3));
        assert_eq!(model.as_deref(), Some("m"));
    }

    #[test]
    fn who_names_no_candidate_is_heard_with_nothing() {
        let (_, question) = asked(ProbeTask::EndActual);
        let mut scoring = Scoring::new(String::new());
        scoring.hear(completion(&[(" ", 0.9), ("\n", 0.1)]));
        assert_eq!(scoring.wanted(), None);
        let scored = scoring.scored(&question);
        assert_eq!((scored.answer.tokens.len(), scored.heard), (0, 0.0));
    }
}
