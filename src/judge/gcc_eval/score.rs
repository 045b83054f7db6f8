//! What replies say, as probabilities of the five scores, in one of three modes. A mode is chosen before a run and never
//! changes within it: where a model cannot serve it, the judgement fails and says so.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    Criterion,
    digits::{Digit, NoDigit, given_score},
};
use crate::llm::{ChatRequest, Message, Reply, probabilities::TokenProbabilities, thinking};

/// Samples of one judgement (G-Eval; SEEDS of the paper: n = 20, temperature 1, top-p 1).
pub const SAMPLES: u32 = 20;
/// Alternatives asked for at every place of the reply.
const ALTERNATIVES: u8 = 10;

/// How a score is drawn from a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The probabilities of the tokens 1 to 5 where the reply gives its score: the paper's equation 1.
    Probabilities,
    /// Twenty replies at temperature 1.
    Samples,
    /// The one integer of one reply at temperature 0.
    Integer,
}

impl Mode {
    /// All modes.
    pub const ALL: [Self; 3] = [Self::Probabilities, Self::Samples, Self::Integer];

    /// One lower-case word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Probabilities => "probabilities",
            Self::Samples => "samples",
            Self::Integer => "integer",
        }
    }

    /// The mode of this word.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.word() == word)
    }

    /// Replies that make one judgement.
    #[must_use]
    pub const fn replies(self) -> u32 {
        match self {
            Self::Samples => SAMPLES,
            Self::Probabilities | Self::Integer => 1,
        }
    }

    /// The request of the reply with this number, from 0.
    #[must_use]
    pub fn request(self, model: &str, messages: Vec<Message>, seed: u32, max_tokens: u32, number: u32) -> ChatRequest {
        let base = ChatRequest {
            max_tokens: Some(max_tokens),
            stream: false,
            ..ChatRequest::new(model, messages)
        };
        match self {
            Self::Probabilities => ChatRequest {
                temperature: Some(0.0),
                seed: Some(seed),
                top_logprobs: Some(ALTERNATIVES),
                ..base
            },
            Self::Samples => ChatRequest {
                temperature: Some(1.0),
                top_p: Some(1.0),
                // Twenty times the same seed would be one sample.
                seed: Some(seed.wrapping_add(number)),
                ..base
            },
            Self::Integer => ChatRequest {
                temperature: Some(0.0),
                seed: Some(seed),
                ..base
            },
        }
    }
}

/// The score of a comment on a criterion.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// The probability of each score from 1 to 5, as far as it is known; in samples, its share of all replies.
    pub p: [f64; 5],
    /// Their sum: how much of the probability is on scores at all.
    pub mass: f64,
    /// Σ s·p(s), the paper's equation 1: too low by as much as mass is missing.
    pub raw: f64,
    /// The same over the mass: 1 to 5.
    pub score: f64,
    /// The score as a share of the scale, (s − 1) / 4: 0 to 1, as Table 5 has it.
    pub share: f64,
}

/// Why replies give no score.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ScoreError {
    /// No integer from 1 to 5 where one should be.
    #[error("the reply gives no whole number from 1 to 5")]
    NoScore,
    /// Two or more different ones, of which none is surer.
    #[error("the reply gives several numbers from 1 to 5, and none is plainly the score")]
    SeveralScores,
    /// The server gave no probabilities, though they were asked for.
    #[error("the server gave no token probabilities")]
    NoProbabilities,
    /// The score's digit is part of a longer token.
    #[error("the score is part of the token “{0}”, whose probability says nothing of the score alone")]
    LongToken(String),
    /// Not one of the replies gives a score.
    #[error("none of {0} replies gives a whole number from 1 to 5")]
    NoSample(usize),
}

impl ScoreError {
    /// A stable word for records.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::NoScore | Self::NoSample(_) => "no-score",
            Self::SeveralScores => "several-scores",
            Self::NoProbabilities => "no-probabilities",
            Self::LongToken(_) => "long-token",
        }
    }

    /// What to do about it.
    #[must_use]
    pub const fn advice(&self) -> &'static str {
        match self {
            Self::NoScore | Self::SeveralScores | Self::NoSample(_) => {
                "The row is kept as an error; going on with the run asks again."
            }
            Self::NoProbabilities | Self::LongToken(_) => {
                "Choose samples or one integer for this model: the modes are never mixed within a run."
            }
        }
    }
}

impl From<NoDigit> for ScoreError {
    fn from(fault: NoDigit) -> Self {
        match fault {
            NoDigit::Missing => Self::NoScore,
            NoDigit::Several => Self::SeveralScores,
        }
    }
}

impl Score {
    /// From the probabilities of the scores 1 to 5; `None` where all are 0 or one is no number.
    #[must_use]
    pub fn of(p: [f64; 5]) -> Option<Self> {
        let mass: f64 = p.iter().sum();
        let raw: f64 = p.iter().zip(1_u8..).map(|(p, s)| p * f64::from(s)).sum();
        let fine = mass.is_finite() && mass > 0.0 && p.iter().all(|p| *p >= 0.0);
        fine.then(|| {
            let score = raw / mass;
            Self {
                p,
                mass,
                raw,
                score,
                share: (score - 1.0) / 4.0,
            }
        })
    }

    /// Reads the replies of a judgement on a criterion, [`Mode::replies`] of them.
    ///
    /// # Errors
    /// When they give no score in this mode.
    pub fn read(mode: Mode, criterion: Criterion, replies: &[Reply]) -> Result<Self, ScoreError> {
        match mode {
            Mode::Probabilities => {
                let reply = replies.last().ok_or(ScoreError::NoScore)?;
                let found = reply.probabilities.as_ref().ok_or(ScoreError::NoProbabilities)?;
                Self::of_probabilities(found, criterion)
            }
            Mode::Integer => {
                let reply = replies.last().ok_or(ScoreError::NoScore)?;
                let digit = given_score(&reply.text, criterion)?;
                Self::of(shares(&[digit.score], 1)).ok_or(ScoreError::NoScore)
            }
            Mode::Samples => {
                let scores: Vec<u8> = replies
                    .iter()
                    .filter_map(|reply| Some(given_score(&reply.text, criterion).ok()?.score))
                    .collect();
                Self::of(shares(&scores, replies.len())).ok_or(ScoreError::NoSample(replies.len()))
            }
        }
    }

    /// At the token of the reply that gives the score. Thinking is among the tokens, and is no score.
    fn of_probabilities(found: &TokenProbabilities, criterion: Criterion) -> Result<Self, ScoreError> {
        let text: String = found.tokens.iter().map(|token| token.chosen.text.as_str()).collect();
        let answer = thinking::part(&text).text;
        let digit = given_score(&answer, criterion)?;
        let begin = text.rfind(&answer).ok_or(ScoreError::NoScore)?;
        let digit = Digit {
            at: begin + digit.at,
            ..digit
        };
        let mut end = 0;
        let place = found.tokens.iter().find(|token| {
            end += token.chosen.text.len();
            end > digit.at
        });
        let place = place.ok_or(ScoreError::NoScore)?;
        if digit_of(&place.chosen.text) != Some(digit.score) {
            return Err(ScoreError::LongToken(place.chosen.text.clone()));
        }
        let p = [1, 2, 3, 4, 5].map(|score| place.mass(|text| digit_of(text) == Some(score)));
        Self::of(p).ok_or(ScoreError::NoScore)
    }
}

/// The score that a token is, with nothing but white space around it.
fn digit_of(token: &str) -> Option<u8> {
    match token.trim().as_bytes() {
        [digit @ b'1'..=b'5'] => Some(digit - b'0'),
        _ => None,
    }
}

/// How often each score is among `scores`, of so many replies.
fn shares(scores: &[u8], replies: usize) -> [f64; 5] {
    [1, 2, 3, 4, 5].map(|score| scores.iter().filter(|own| **own == score).count() as f64 / replies.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::probabilities::{Token, TokenChoice};

    fn token(text: &str, p: f64) -> Token {
        Token {
            text: text.to_owned(),
            bytes: None,
            logprob: p.ln(),
        }
    }

    fn place(chosen: (&str, f64), others: &[(&str, f64)]) -> TokenChoice {
        let chosen = token(chosen.0, chosen.1);
        let mut alternatives = vec![chosen.clone()];
        alternatives.extend(others.iter().map(|(text, p)| token(text, *p)));
        TokenChoice { chosen, alternatives }
    }

    fn reply(text: &str, tokens: Vec<TokenChoice>) -> Reply {
        Reply {
            text: text.to_owned(),
            thinking: String::new(),
            finish: None,
            usage: None,
            model: None,
            probabilities: (!tokens.is_empty()).then_some(TokenProbabilities { tokens }),
            given_up: Vec::new(),
        }
    }

    fn near(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-12, "{found} is not {wanted}");
    }

    #[test]
    fn the_expectation_is_taken_at_the_last_score() {
        let tokens = vec![
            place(("1", 0.9), &[]),
            place((". Read.\nScore: ", 1.0), &[]),
            place(
                (" 4", 0.5),
                &[("5", 0.2), (" 5", 0.05), ("3", 0.05), ("four", 0.1), ("45", 0.1)],
            ),
            place(("/", 0.5), &[]),
            place(("5", 0.99), &[("1", 0.01)]),
        ];
        let score = Score::read(Mode::Probabilities, Criterion::Fluency, &[reply("…", tokens)]).unwrap();
        near(score.mass, 0.8);
        near(score.raw, 0.05 * 3.0 + 0.5 * 4.0 + 0.25 * 5.0);
        near(score.score, 3.4 / 0.8);
        near(score.share, (3.4 / 0.8 - 1.0) / 4.0);
    }

    #[test]
    fn a_mode_is_never_another() {
        let plain = reply("4", Vec::new());
        assert_eq!(
            Score::read(Mode::Probabilities, Criterion::Fluency, std::slice::from_ref(&plain)),
            Err(ScoreError::NoProbabilities)
        );
        assert_eq!(
            Score::read(Mode::Integer, Criterion::Fluency, &[plain]).unwrap().score,
            4.0
        );
        let long = reply("45", vec![place(("Score 4", 1.0), &[])]);
        assert_eq!(
            Score::read(Mode::Probabilities, Criterion::Fluency, &[long]),
            Err(ScoreError::LongToken("Score 4".to_owned()))
        );
        let none = reply("ten", vec![place(("ten", 1.0), &[("4", 0.0)])]);
        assert_eq!(
            Score::read(Mode::Probabilities, Criterion::Fluency, std::slice::from_ref(&none)),
            Err(ScoreError::NoScore)
        );
        assert_eq!(
            Score::read(Mode::Integer, Criterion::Fluency, &[none]),
            Err(ScoreError::NoScore)
        );
    }

    #[test]
    fn samples_are_counted_and_the_unreadable_are_missing_mass() {
        let texts = ["4", "5/5", "ten", "Score: 3", "4."];
        let replies: Vec<Reply> = texts.iter().map(|text| reply(text, Vec::new())).collect();
        let score = Score::read(Mode::Samples, Criterion::Fluency, &replies).unwrap();
        assert_eq!(score.p, [0.0, 0.0, 0.2, 0.4, 0.2]);
        near(score.mass, 0.8);
        near(score.score, 4.0);
        assert_eq!(
            Score::read(Mode::Samples, Criterion::Fluency, &replies[2..3]),
            Err(ScoreError::NoSample(1))
        );
    }

    #[test]
    fn requests_are_the_modes() {
        let of = |mode: Mode, number| mode.request("m", Vec::new(), 7, 64, number);
        let one = of(Mode::Probabilities, 0);
        assert_eq!(
            (one.temperature, one.top_logprobs, one.top_p),
            (Some(0.0), Some(10), None)
        );
        let sample = of(Mode::Samples, 3);
        assert_eq!(
            (sample.temperature, sample.top_p, sample.seed, sample.top_logprobs),
            (Some(1.0), Some(1.0), Some(10), None)
        );
        assert_eq!(of(Mode::Integer, 0).top_logprobs, None);
    }
}
