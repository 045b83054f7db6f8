//! Players whose scores are known: what the metrics make of them is known before anybody plays.

use serde::{Deserialize, Serialize};
use shakmaty::Square;

use super::{grade::Answer, probe::Question, token::Token};
use crate::random::{Rng, seeded_hash};

/// A player that needs nothing but the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scripted {
    /// All tokens in an order by lot: of a question with R legal answers, R/77 of its first answers are legal, and its R-precision
    /// is R/77.
    Uniform,
    /// What was played, then the other legal answers: all figures are 1.
    Oracle,
    /// The legal answers in an order by lot: legal always, exact in 1/R.
    RandomLegal,
}

impl Scripted {
    /// All.
    pub const ALL: [Self; 3] = [Self::Uniform, Self::Oracle, Self::RandomLegal];

    /// Its word on command lines.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Oracle => "oracle",
            Self::RandomLegal => "random-legal",
        }
    }

    /// The player with this word.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|player| player.word() == word)
    }

    /// Its answer to a question of the probe with this name.
    #[must_use]
    pub fn answer(self, id: &str, question: &Question, seed: u64) -> Answer {
        let name = format!("{} {id} {}", self.word(), question.task.word());
        let mut rng = Rng::new(seeded_hash(seed, &name));
        let of = |squares: Vec<Square>| squares.into_iter().map(Token::of_square).collect();
        let mut tokens: Vec<Token> = match self {
            Self::Uniform => {
                let mut all: Vec<Token> = Token::all().collect();
                rng.shuffle(&mut all);
                all
            }
            Self::Oracle => {
                let mut legal = question.legal.clone();
                legal.sort_by_key(|square| Some(*square) != question.exact);
                of(legal)
            }
            Self::RandomLegal => {
                let mut legal = question.legal.clone();
                rng.shuffle(&mut legal);
                of(legal)
            }
        };
        tokens.truncate(question.legal.len());
        Answer { tokens, ranked: true }
    }
}
