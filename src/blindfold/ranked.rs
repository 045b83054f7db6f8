//! What a model that ranks its vocabulary says: its answer to a question, and how likely it finds each square.

use shakmaty::Square;

use super::{
    grade::Answer,
    perplexity::Logits,
    probe::Question,
    token::{TOKENS, Token},
};

/// The answer to a question: as many of the likeliest tokens as there are legal answers, of the whole vocabulary. Of two that
/// are as likely the one with the lower number is first; what is no number comes last.
#[must_use]
pub fn answer(logits: &Logits, question: &Question) -> Answer {
    Answer {
        tokens: ranked(logits).into_iter().take(question.legal.len()).collect(),
        ranked: true,
    }
}

/// All tokens, first the likeliest.
#[must_use]
pub fn ranked(logits: &Logits) -> Vec<Token> {
    let of = |token: &Token| {
        let logit = logits[usize::from(token.number())];
        if logit.is_nan() { f32::NEG_INFINITY } else { logit }
    };
    let mut all: Vec<Token> = Token::all().collect();
    // Stable: of equal ones the lower number stays first.
    all.sort_by(|a, b| of(b).total_cmp(&of(a)));
    all
}

/// How likely a model finds what comes next.
#[derive(Debug, Clone, PartialEq)]
pub struct Belief {
    /// By square, a1, b1, … h8; 0 to 1.
    pub squares: [f64; 64],
    /// That it is no square, 0 to 1.
    pub elsewhere: f64,
}

impl Belief {
    /// From natural logarithms of probabilities, or any numbers whose exponentials are proportional to them. `None` where
    /// they are none, such as numbers that are not.
    #[must_use]
    pub fn of(logits: &Logits) -> Option<Self> {
        let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let weights: Vec<f64> = logits.iter().map(|logit| f64::from(logit - most).exp()).collect();
        let sum: f64 = weights.iter().sum();
        if !sum.is_finite() || sum <= 0.0 {
            return None;
        }
        let mut belief = Self {
            squares: [0.0; 64],
            elsewhere: 0.0,
        };
        for number in 0..TOKENS {
            let share = weights[usize::from(number)] / sum;
            match Token::new(number).ok().and_then(Token::square) {
                Some(square) => belief.squares[usize::from(square)] = share,
                None => belief.elsewhere += share,
            }
        }
        Some(belief)
    }

    /// Of a square, 0 to 1.
    #[must_use]
    pub fn at(&self, square: Square) -> f64 {
        self.squares[usize::from(square)]
    }

    /// The squares with their shares, the likeliest first; of equal ones a1 before h8.
    #[must_use]
    pub fn sorted(&self) -> Vec<(Square, f64)> {
        let mut all: Vec<(Square, f64)> = Square::ALL
            .into_iter()
            .map(|square| (square, self.at(square)))
            .collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::probe::{Probe, ProbeTask, tests::example},
        *,
    };

    fn logits(of: &[(&str, f32)]) -> Logits {
        let mut all: Logits = [-20.0; 77];
        for (text, logit) in of {
            all[usize::from(text.parse::<Token>().unwrap().number())] = *logit;
        }
        all
    }

    #[test]
    fn the_likeliest_of_the_whole_vocabulary_answer() {
        let question = Probe::read(&example()).unwrap().question(ProbeTask::EndActual).unwrap();
        let said = |logits: &Logits| {
            let tokens = answer(logits, &question).tokens;
            tokens.iter().map(Token::to_string).collect::<Vec<_>>().join(" ")
        };
        let mut all = logits(&[
            ("b5", -0.5),
            ("P", -0.7),
            ("c4", -1.0),
            ("g1", -2.0),
            ("a6", -2.0),
            ("e2", -3.0),
        ]);
        assert_eq!(
            said(&all),
            "b5 P c4 g1 a6",
            "types and equal ones in the order of the vocabulary"
        );
        all[usize::from("c4".parse::<Token>().unwrap().number())] = f32::NAN;
        assert_eq!(said(&all), "b5 P g1 a6 e2");
        assert_eq!(ranked(&[f32::NAN; 77]).len(), 77);
    }

    #[test]
    fn shares_sum_to_one() {
        let half = 0.5_f32.ln();
        let mut all: Logits = [f32::NEG_INFINITY; 77];
        for (text, logit) in [("e4", half), ("d5", 0.25_f32.ln()), ("N", 0.25_f32.ln())] {
            all[usize::from(text.parse::<Token>().unwrap().number())] = logit;
        }
        let belief = Belief::of(&all).unwrap();
        assert!((belief.at(Square::E4) - 0.5).abs() < 1e-6 && (belief.elsewhere - 0.25).abs() < 1e-6);
        assert!((belief.squares.iter().sum::<f64>() + belief.elsewhere - 1.0).abs() < 1e-9);
        assert_eq!(belief.sorted()[0].0, Square::E4);
        assert_eq!(Belief::of(&[f32::NEG_INFINITY; 77]), None);
        let mut broken = all;
        broken[3] = f32::NAN;
        assert_eq!(Belief::of(&broken), None);
    }
}
