//! Canonical perplexity: how well a model foresees games, per move, so that notations can be compared.

use super::token::{TOKENS, Token};

/// What a model says of each token before it comes, in any unit whose exponentials are proportional to probabilities.
pub type Logits = [f32; TOKENS as usize];

/// What a token costs a model, in nats: −ln of its probability. Without types, those have no probability, and the others share
/// theirs in proportion: a model of UCI + RAP is tested where no type ever comes.
///
/// Infinite where the token has no probability; not a number where the model says what is none.
#[must_use]
pub fn nats(logits: &Logits, token: Token, without_types: bool) -> f64 {
    let counts = |token: &Token| !(without_types && token.is_type());
    if !counts(&token) {
        return f64::INFINITY;
    }
    let of = |token: Token| f64::from(logits[usize::from(token.number())]);
    let most = Token::all().filter(counts).map(of).fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = Token::all().filter(counts).map(|token| (of(token) - most).exp()).sum();
    sum.ln() + most - of(token)
}

/// The perplexity of games, counted up game by game.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Perplexity {
    nats: f64,
    moves: usize,
}

impl Perplexity {
    /// Adds a game: its plies, and what all of its tokens cost after the first, the end among them.
    pub fn add(&mut self, plies: usize, nats: f64) {
        self.nats += nats;
        // The end is a move of its own.
        self.moves += plies + 1;
    }

    /// exp(nats / moves), where a move counts once however many tokens it has; `None` without games.
    #[must_use]
    pub fn canonical(&self) -> Option<f64> {
        (self.moves > 0).then(|| (self.nats / self.moves as f64).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{notation::Notation, ply::replay},
        *,
    };

    #[test]
    fn a_model_that_knows_nothing_has_the_perplexity_of_its_vocabulary() {
        let game = replay("e2e4 e7e5 g1f3 b8c6").unwrap().plies;
        let even: Logits = [1.5; 77];
        for (without_types, choices) in [(false, 77.0_f64), (true, 71.0)] {
            let mut perplexity = Perplexity::default();
            assert_eq!(perplexity.canonical(), None);
            let mut tokens = Notation::Uci.prefix(&game);
            tokens.push(Token::END);
            let cost = tokens[1..].iter().map(|token| nats(&even, *token, without_types)).sum();
            perplexity.add(game.len(), cost);
            // Nine tokens in five moves, the end being one.
            let wanted = choices.powf(9.0 / 5.0);
            assert!((perplexity.canonical().unwrap() - wanted).abs() < 1e-9 * wanted);
        }
    }

    #[test]
    fn a_token_costs_its_probability() {
        let mut logits: Logits = [f32::NEG_INFINITY; 77];
        let [e4, type_of_pawn] = ["e4", "P"].map(|text| text.parse::<Token>().unwrap());
        logits[usize::from(e4.number())] = 3.0;
        logits[usize::from(type_of_pawn.number())] = 3.0;
        assert!((nats(&logits, e4, false) - 2.0_f64.ln()).abs() < 1e-12);
        assert!(nats(&logits, e4, true).abs() < 1e-12);
        assert_eq!(nats(&logits, type_of_pawn, true), f64::INFINITY);
        assert_eq!(nats(&logits, Token::END, false), f64::INFINITY);
        logits[0] = f32::NAN;
        assert!(nats(&logits, e4, false).is_nan());
    }
}
