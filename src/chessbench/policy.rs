//! From a prediction to a move: the best by expected value or by probability, with the paper's three remedies as switches.

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Move, Position};

use super::{
    prediction::{Prediction, first_highest},
    repetition::Repetitions,
    win_percent::value_of,
};
use crate::{random::Rng, uci::Score};

/// The temperature of the first moves on Lichess.
pub const EARLY_TEMPERATURE: f64 = 0.005;

/// How many full moves are drawn by lot there.
pub const EARLY_MOVES: u32 = 5;

/// From when a game counts as decided: the value of each of the best five.
pub const DECIDED: f64 = 0.99;

/// How many moves have to be that good.
const DECIDED_MOVES: usize = 5;

/// What a draw by repetition is worth.
const DRAW: f64 = 0.5;

/// The remedies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PolicyRules {
    /// A move after which a repetition can be claimed is worth ½. Of values alone: the released code does not do it where
    /// behavior is cloned, for its figures are no chances of winning.
    pub repetition: bool,
    /// In the first five moves a move is drawn, by a softmax of temperature 0.005 (games on Lichess).
    pub early_softmax: bool,
    /// Where the best five moves all exceed 99 %, and Stockfish agrees, it picks among them. In the paper, not in the code.
    pub decided: bool,
}

impl Default for PolicyRules {
    /// As the released code plays: repetitions count, nothing is drawn, nobody is asked.
    fn default() -> Self {
        Self {
            repetition: true,
            early_softmax: false,
            decided: false,
        }
    }
}

/// What a policy does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PolicyChoice {
    /// It plays the legal move at this place, in the order of actions.
    Play(usize),
    /// The game is decided: Stockfish looks at these, the best first; [`decided_choice`] then says which is played.
    AskEngine(Vec<usize>),
}

/// What is played in a position, reached through `history`, whose legal moves are `legal` in the order of actions; `None` where
/// there are none, or not as many as the prediction has. `rng` is asked where a move is drawn.
#[must_use]
pub fn choose(
    prediction: &Prediction,
    legal: &[Move],
    position: &Chess,
    history: &[Chess],
    rules: PolicyRules,
    rng: &mut Rng,
) -> Option<PolicyChoice> {
    let mut scores = prediction.scores.clone();
    if scores.len() != legal.len() {
        return None;
    }
    let values = prediction.has_values();
    if rules.repetition && values {
        let repetitions = Repetitions::new(history, position);
        for (score, mv) in scores.iter_mut().zip(legal) {
            if repetitions.claimed_after(*mv) {
                *score = DRAW;
            }
        }
    }
    if rules.decided
        && values
        && let Some(best) = decided_moves(&scores)
    {
        return Some(PolicyChoice::AskEngine(best));
    }
    if rules.early_softmax && position.fullmoves().get() <= EARLY_MOVES {
        return Some(PolicyChoice::Play(draw(&scores, EARLY_TEMPERATURE, rng)?));
    }
    Some(PolicyChoice::Play(first_highest(&scores)?))
}

/// The best five moves, or all where there are fewer, best first, if each exceeds 99 %.
#[must_use]
pub fn decided_moves(values: &[f64]) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    // Stable: of equal ones the first stands first.
    order.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
    order.truncate(DECIDED_MOVES);
    let decided = !order.is_empty() && order.iter().all(|place| values[*place] > DECIDED);
    decided.then_some(order)
}

/// Which of the moves of a decided game is played, by Stockfish's scores of them, the view of the side to move: its best, so that
/// a nearer mate comes before a farther one. `None` where Stockfish does not agree that all of them exceed 99 %: then the policy
/// plays as if the rule were off.
#[must_use]
pub fn decided_choice(moves: &[usize], scores: &[Score]) -> Option<usize> {
    if moves.len() != scores.len() || scores.iter().any(|score| value_of(*score) <= DECIDED) {
        return None;
    }
    let mut best = 0;
    for (place, score) in scores.iter().enumerate() {
        if *score > scores[best] {
            best = place;
        }
    }
    moves.get(best).copied()
}

/// Draws a place by the softmax of the scores; `None` of none.
fn draw(scores: &[f64], temperature: f64, rng: &mut Rng) -> Option<usize> {
    let most = scores[first_highest(scores)?];
    let weights: Vec<f64> = scores
        .iter()
        .map(|score| ((score - most) / temperature).exp())
        .collect();
    let mut left = rng.unit() * weights.iter().sum::<f64>();
    for (place, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return Some(place);
        }
    }
    // Rounding left a trace over.
    weights.iter().rposition(|weight| *weight > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, uci::UciMove};

    use super::super::{action::legal_actions, prediction::Said};

    fn prediction(scores: Vec<f64>) -> Prediction {
        Prediction {
            said: Said::Bins(Vec::new()),
            scores,
            state: None,
            unmasked: None,
        }
    }

    fn moves(position: &Chess) -> Vec<Move> {
        let legal = legal_actions(position, CastlingMode::Standard);
        legal.into_iter().map(|(_, mv)| mv).collect()
    }

    const NONE: PolicyRules = PolicyRules {
        repetition: false,
        early_softmax: false,
        decided: false,
    };

    #[test]
    fn the_best_is_played_and_of_equals_the_first() {
        let start = Chess::default();
        let legal = moves(&start);
        let mut scores = vec![0.4; legal.len()];
        let mut rng = Rng::new(1);
        let mut play =
            |scores: &[f64], rules| choose(&prediction(scores.to_vec()), &legal, &start, &[], rules, &mut rng);
        assert_eq!(play(&scores, NONE), Some(PolicyChoice::Play(0)));
        scores[7] = 0.41;
        assert_eq!(play(&scores, NONE), Some(PolicyChoice::Play(7)));
        assert_eq!(play(&scores[1..], NONE), None);
        // Ten times the temperature ahead: e^-2 of the others together.
        let early = PolicyRules {
            early_softmax: true,
            ..NONE
        };
        let drawn: Vec<_> = (0..400).map(|_| play(&scores, early)).collect();
        let best = drawn
            .iter()
            .filter(|choice| **choice == Some(PolicyChoice::Play(7)))
            .count();
        let expected = 400.0 / (1.0 + 19.0 * (-2_f64).exp());
        assert!((best as f64 - expected).abs() < 50.0, "{best}");
    }

    #[test]
    fn after_the_fifth_move_nothing_is_drawn() {
        let late = crate::chess::read_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 6")
            .unwrap()
            .position;
        let legal = moves(&late);
        let mut scores = vec![0.5; legal.len()];
        scores[3] = 0.501;
        let early = PolicyRules {
            early_softmax: true,
            ..NONE
        };
        for seed in 0..20 {
            let choice = choose(
                &prediction(scores.clone()),
                &legal,
                &late,
                &[],
                early,
                &mut Rng::new(seed),
            );
            assert_eq!(choice, Some(PolicyChoice::Play(3)));
        }
    }

    #[test]
    fn a_repetition_is_worth_half_unless_behavior_is_cloned() {
        let (mut position, mut history) = (Chess::default(), Vec::new());
        for uci in "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1".split(' ') {
            let mv = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            history.push(position.clone());
            position.play_unchecked(mv);
        }
        let legal = moves(&position);
        let back = legal
            .iter()
            .position(|mv| mv.to_uci(CastlingMode::Standard).to_string() == "f6g8")
            .unwrap();
        let mut scores = vec![0.6; legal.len()];
        scores[back] = 0.9;
        let played = |prediction: &Prediction| {
            choose(
                prediction,
                &legal,
                &position,
                &history,
                PolicyRules::default(),
                &mut Rng::new(1),
            )
        };
        assert_ne!(played(&prediction(scores.clone())), Some(PolicyChoice::Play(back)));
        let cloned = Prediction {
            said: Said::Moves(scores.clone()),
            ..prediction(scores)
        };
        assert_eq!(played(&cloned), Some(PolicyChoice::Play(back)));
    }

    #[test]
    fn a_decided_game_is_left_to_stockfish_if_it_agrees() {
        let values = [0.1, 0.995, 0.999, 0.992, 0.998, 0.9999, 0.2];
        let best = decided_moves(&values).unwrap();
        assert_eq!(best, [5, 2, 4, 1, 3]);
        assert_eq!(decided_moves(&values[..5]), None, "the fifth is not good enough");
        assert_eq!(decided_moves(&values[1..2]), Some(vec![0]), "there are no five");
        assert_eq!(decided_moves(&[]), None);
        let scores = [
            Score::Mate(5),
            Score::Mate(3),
            Score::Cp(2000),
            Score::Mate(3),
            Score::Cp(1500),
        ];
        assert_eq!(decided_choice(&best, &scores), Some(2));
        let doubtful = [
            Score::Mate(5),
            Score::Mate(3),
            Score::Cp(900),
            Score::Mate(3),
            Score::Cp(1500),
        ];
        assert_eq!(decided_choice(&best, &doubtful), None);
        let start = Chess::default();
        let legal = moves(&start);
        let all = prediction(vec![0.999; legal.len()]);
        let rules = PolicyRules { decided: true, ..NONE };
        let choice = choose(&all, &legal, &start, &[], rules, &mut Rng::new(1));
        assert_eq!(choice, Some(PolicyChoice::AskEngine(vec![0, 1, 2, 3, 4])));
    }
}
