//! What predictions are worth on annotated boards: figures of one board, then means with intervals.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    bins::{Bins, squared_error},
    kendall::{tau_b, tau_of_sort_orders},
    prediction::{Prediction, Said, first_highest},
    record::BoardRecord,
};
use crate::{
    pace::Pace,
    stats::{
        Interval, Undefined,
        bootstrap::percentile_interval,
        rate::{Rate, wilson},
    },
};

/// The level of intervals.
pub const LEVEL: f64 = 0.95;

/// The figures of one board. Logarithms are to base 2.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BoardMetrics {
    /// Whether the move that the prediction ranks first is one of those that the oracle has as best; ties count, in single
    /// precision as in the released code, for which mates and scores beyond some 45 pawns are all the same.
    pub accurate: bool,
    /// −log₂ of the probability of the right answer, bits: of the value's bin on average over the moves; of the oracle's move (the
    /// first of its best) where behavior is cloned; `None` where bare values are said.
    #[serde(with = "perhaps_infinite")]
    pub log_loss: Option<f64>,
    /// How undecided the prediction is, bits: of the bins on average over the moves, or of the moves; `None` as before.
    pub entropy: Option<f64>,
    /// (expected value − value)² on average over the moves; `None` where behavior is cloned.
    pub squared_error: Option<f64>,
    /// [`tau_of_sort_orders`].
    pub tau_of_sort_orders: f64,
    /// [`tau_b`]; `None` where it is not defined.
    pub tau_b: Option<f64>,
    /// (V − max (1 − V'))², of models of state values.
    pub consistency: Option<f64>,
    /// Whether the likeliest of all 1,968 actions is legal, of models that clone behavior.
    pub legal_unmasked: Option<bool>,
}

/// Why a board has no figures.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MetricsError {
    /// The record has no action values.
    #[error("{0}: the board's moves have no values")]
    NoActions(String),
    /// The prediction is of another board.
    #[error("{fen}: the prediction has {found} moves, and the board {moves}")]
    Moves {
        /// The board.
        fen: String,
        /// Moves of the prediction.
        found: usize,
        /// Moves of the board.
        moves: usize,
    },
}

/// The figures of a prediction on an annotated board. As in the released code every kind of model is held against the action
/// values.
///
/// # Errors
/// When the record has no action values, or the prediction is of other moves.
pub fn board_metrics(record: &BoardRecord, prediction: &Prediction, bins: Bins) -> Result<BoardMetrics, MetricsError> {
    let moves = record.actions.len();
    let said = match &prediction.said {
        Said::Bins(rows) => rows.len(),
        Said::Values(numbers) | Said::Moves(numbers) => numbers.len(),
    };
    if let Some(found) = [prediction.scores.len(), said]
        .into_iter()
        .find(|found| *found != moves)
    {
        return Err(MetricsError::Moves {
            fen: record.fen.clone(),
            found,
            moves,
        });
    }
    // The released code keeps values in single precision.
    let values: Vec<f64> = record.actions.iter().map(|own| f64::from(own.value as f32)).collect();
    let (Some(chosen), Some(best)) = (first_highest(&prediction.scores), first_highest(&values)) else {
        return Err(MetricsError::NoActions(record.fen.clone()));
    };
    let (log_loss, entropy) = match &prediction.said {
        Said::Bins(rows) => {
            let losses = rows.iter().zip(&values).map(|(row, value)| -row[bins.bin_of(*value)]);
            let entropies = rows.iter().map(|row| entropy_of(row));
            (Some(mean(losses)), Some(mean(entropies)))
        }
        Said::Values(_) => (None, None),
        Said::Moves(logs) => (Some(-logs[best]), Some(entropy_of(logs))),
    };
    let squares = prediction
        .scores
        .iter()
        .zip(&values)
        .map(|(score, value)| squared_error(*score, *value));
    let squared = prediction.has_values().then(|| mean(squares));
    let legal = |action| record.actions.iter().any(|own| own.action == action);
    Ok(BoardMetrics {
        accurate: values[chosen] == values[best],
        log_loss: log_loss.map(bits),
        entropy: entropy.map(bits),
        squared_error: squared,
        tau_of_sort_orders: tau_of_sort_orders(&prediction.scores, &values),
        tau_b: tau_b(&prediction.scores, &values).ok(),
        // Bins are those of the side to move: turned round they say 1 − V'.
        consistency: prediction
            .state
            .map(|state| squared_error(state, prediction.scores[chosen])),
        legal_unmasked: prediction.unmasked.map(legal),
    })
}

/// −Σ p log p, nats; what has no probability adds nothing.
fn entropy_of(logs: &[f64]) -> f64 {
    let terms = logs.iter().filter(|log| **log > f64::NEG_INFINITY);
    // Added to zero: −0 is 0.
    -terms.map(|log| log.exp() * log).sum::<f64>() + 0.0
}

fn bits(nats: f64) -> f64 {
    nats / std::f64::consts::LN_2 + 0.0
}

fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = numbers.len() as f64;
    numbers.sum::<f64>() / count
}

/// JSON has no infinity, which a loss may be.
mod perhaps_infinite {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    const INFINITE: &str = "infinite";

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Figure {
        Number(f64),
        Word(String),
        None,
    }

    #[expect(clippy::ref_option, reason = "serde hands it over like that")]
    pub fn serialize<S: Serializer>(figure: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
        match figure {
            Some(number) if number.is_infinite() => serializer.serialize_str(INFINITE),
            figure => figure.serialize(serializer),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
        match Figure::deserialize(deserializer)? {
            Figure::Number(number) => Ok(Some(number)),
            Figure::Word(word) if word == INFINITE => Ok(Some(f64::INFINITY)),
            Figure::Word(word) => Err(serde::de::Error::custom(format!("{word} is no figure"))),
            Figure::None => Ok(None),
        }
    }
}

/// A mean over boards.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BoardMean {
    /// The mean; infinite where some answer had no probability at all.
    pub mean: f64,
    /// By drawing boards anew, 95 %.
    pub interval: Result<Interval, Undefined>,
    /// Boards on which the figure is defined.
    pub n: usize,
}

/// The figures of a player on many boards; `None` where they are not defined for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricsSummary {
    /// Boards.
    pub boards: usize,
    /// Action accuracy, Wilson's interval.
    pub accuracy: Option<Rate>,
    /// Log loss, bits.
    pub log_loss: Option<BoardMean>,
    /// Entropy, bits.
    pub entropy: Option<BoardMean>,
    /// Squared error of the chance of winning, 0..1 squared.
    pub squared_error: Option<BoardMean>,
    /// The paper's Kendall's τ: of sort orders.
    pub tau_of_sort_orders: Option<BoardMean>,
    /// Kendall's τ-b, over the boards where it is defined.
    pub tau_b: Option<BoardMean>,
    /// Consistency of state values.
    pub consistency: Option<BoardMean>,
    /// The share of boards on which the likeliest of all actions is legal, Wilson's interval.
    pub legal_unmasked: Option<Rate>,
}

/// The means of figures, with intervals of random numbers of `seed`.
pub async fn summary(boards: &[BoardMetrics], seed: u64, pace: &impl Pace) -> MetricsSummary {
    let all = |of: fn(&BoardMetrics) -> Option<f64>| boards.iter().filter_map(of).collect::<Vec<_>>();
    MetricsSummary {
        boards: boards.len(),
        accuracy: rate(boards.iter().map(|board| Some(board.accurate))),
        log_loss: board_mean(&all(|board| board.log_loss), seed, pace).await,
        entropy: board_mean(&all(|board| board.entropy), seed, pace).await,
        squared_error: board_mean(&all(|board| board.squared_error), seed, pace).await,
        tau_of_sort_orders: board_mean(&all(|board| Some(board.tau_of_sort_orders)), seed, pace).await,
        tau_b: board_mean(&all(|board| board.tau_b), seed, pace).await,
        consistency: board_mean(&all(|board| board.consistency), seed, pace).await,
        legal_unmasked: rate(boards.iter().map(|board| board.legal_unmasked)),
    }
}

async fn board_mean(values: &[f64], seed: u64, pace: &impl Pace) -> Option<BoardMean> {
    let n = values.len();
    let of = |drawn: &[u32]| {
        let sum: f64 = drawn
            .iter()
            .zip(values)
            .filter(|(times, _)| **times > 0)
            .map(|(times, value)| f64::from(*times) * value)
            .sum();
        Some(sum / n as f64)
    };
    let mean = of(&vec![1; n]).filter(|_| n > 0)?;
    Some(BoardMean {
        mean,
        interval: percentile_interval(n, seed, LEVEL, of, pace).await,
        n,
    })
}

fn rate(answers: impl Iterator<Item = Option<bool>>) -> Option<Rate> {
    let known: Vec<bool> = answers.flatten().collect();
    let count = known.iter().filter(|yes| **yes).count();
    wilson(count, known.len(), LEVEL).ok()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use serde::Deserialize;

    use super::{
        super::{
            action::ACTIONS,
            board::Board,
            record::{ActionValue, first_best},
        },
        *,
    };
    use crate::pace::{AtOnce, at_once};

    #[derive(Deserialize)]
    struct Figures {
        accurate: bool,
        log_loss: f64,
        entropy: f64,
        squared_error: Option<f64>,
        tau: f64,
        consistency: Option<f64>,
        legal: Option<bool>,
    }

    #[derive(Deserialize)]
    struct Row {
        fen: String,
        seed: u32,
        bins: u16,
        values: HashMap<String, f64>,
        action_value: Figures,
        state_value: Figures,
        cloning: Figures,
    }

    /// Written with NumPy and SciPy: `tests/data/chessbench/expected.py`.
    const EXPECTED: &str = include_str!("../../tests/data/chessbench/metrics.jsonl");

    fn log_softmax(logits: &[f64]) -> Vec<f64> {
        let norm = logits.iter().map(|logit| logit.exp()).sum::<f64>().ln();
        logits.iter().map(|logit| logit - norm).collect()
    }

    /// The made-up output of the script: 3·sin(row · (place + 2) · seed).
    fn output(row: usize, seed: u32, length: usize) -> Vec<f64> {
        let logits: Vec<f64> = (0..length)
            .map(|place| 3.0 * ((row * (place + 2)) as f64 * f64::from(seed)).sin())
            .collect();
        log_softmax(&logits)
    }

    fn check(own: &BoardMetrics, theirs: &Figures, what: &str) {
        let close = |own: f64, theirs: f64| (own - theirs).abs() < 1e-9;
        assert_eq!(own.accurate, theirs.accurate, "{what}");
        let is_close = |own: Option<f64>, theirs: f64| own.is_some_and(|own| close(own, theirs));
        assert!(
            is_close(own.log_loss, theirs.log_loss),
            "{what}: {own:?} {}",
            theirs.log_loss
        );
        assert!(
            is_close(own.entropy, theirs.entropy),
            "{what}: {own:?} {}",
            theirs.entropy
        );
        assert!(
            close(own.tau_of_sort_orders, theirs.tau),
            "{what}: {own:?} {}",
            theirs.tau
        );
        for (own, theirs) in [
            (own.squared_error, theirs.squared_error),
            (own.consistency, theirs.consistency),
        ] {
            match (own, theirs) {
                (Some(own), Some(theirs)) => assert!(close(own, theirs), "{what}: {own} {theirs}"),
                (own, theirs) => assert_eq!(own, theirs, "{what}"),
            }
        }
        assert_eq!(own.legal_unmasked, theirs.legal, "{what}");
    }

    #[test]
    fn figures_are_those_of_independent_code() {
        let mut count = 0;
        for line in EXPECTED.lines() {
            let row: Row = serde_json::from_str(line).unwrap();
            let (bins, board) = (Bins::new(row.bins).unwrap(), Board::read(&row.fen).unwrap());
            let legal: Vec<_> = board.legal().into_iter().map(|(action, _)| action).collect();
            let actions: Vec<ActionValue> = legal
                .iter()
                .map(|action| ActionValue {
                    action: *action,
                    value: row.values[&action.to_string()],
                    score: None,
                })
                .collect();
            assert_eq!(actions.len(), row.values.len());
            let record = BoardRecord {
                fen: row.fen.clone(),
                value: None,
                score: None,
                best: first_best(&actions),
                actions,
            };
            let n = legal.len();
            let said: Vec<_> = (1..=n).map(|place| output(place, row.seed, bins.count())).collect();
            let own = output(n + 1, row.seed, bins.count());
            let prediction = Prediction::of_action_values(bins, said.clone()).unwrap();
            check(
                &board_metrics(&record, &prediction, bins).unwrap(),
                &row.action_value,
                "AV",
            );
            let prediction = Prediction::of_state_values(bins, &own, said).unwrap();
            check(
                &board_metrics(&record, &prediction, bins).unwrap(),
                &row.state_value,
                "SV",
            );
            let prediction = Prediction::of_actions(&output(1, row.seed, ACTIONS), &legal).unwrap();
            check(&board_metrics(&record, &prediction, bins).unwrap(), &row.cloning, "BC");
            count += 1;
        }
        assert!(count >= 20, "{count}");
    }

    #[test]
    fn means_have_intervals_and_what_is_not_defined_is_left_out() {
        let one = |accurate: bool, log_loss: f64, tau_b: Option<f64>| BoardMetrics {
            accurate,
            log_loss: Some(log_loss),
            entropy: Some(1.0),
            squared_error: None,
            tau_of_sort_orders: 0.25,
            tau_b,
            consistency: None,
            legal_unmasked: None,
        };
        let boards: Vec<_> = (0..40)
            .map(|n| one(n % 4 == 0, f64::from(n % 5), (n % 2 == 0).then_some(0.5)))
            .collect();
        let found = at_once(summary(&boards, 1, &AtOnce));
        assert_eq!(found.accuracy.map(|rate| (rate.rate, rate.n)), Some((0.25, 40)));
        let log_loss = found.log_loss.unwrap();
        let interval = log_loss.interval.unwrap();
        assert!(log_loss.mean == 2.0 && interval.low < 2.0 && interval.high > 2.0 && interval.high < 2.6);
        assert_eq!(found.tau_b.map(|tau| (tau.mean, tau.n)), Some((0.5, 20)));
        assert_eq!((found.squared_error, found.legal_unmasked), (None, None));
        let impossible = at_once(summary(
            &[one(true, f64::INFINITY, None), one(true, 0.0, None)],
            1,
            &AtOnce,
        ));
        assert_eq!(impossible.log_loss.unwrap().mean, f64::INFINITY);
        assert!(impossible.log_loss.unwrap().interval.is_err());
        assert_eq!(at_once(summary(&[], 1, &AtOnce)).log_loss, None);
    }

    #[test]
    fn bare_values_have_no_logarithms_and_figures_come_back() {
        let record = super::super::record::tests::records(9)
            .into_iter()
            .find(|r| r.actions.len() > 2)
            .unwrap();
        let off: Vec<f64> = record.values().iter().map(|value| value + 0.5).collect();
        let prediction = Prediction::of_values(off, Some(0.25)).unwrap();
        let own = board_metrics(&record, &prediction, Bins::DEFAULT).unwrap();
        assert_eq!((own.log_loss, own.entropy, own.legal_unmasked), (None, None, None));
        assert!(own.accurate && own.squared_error.is_some_and(|square| (square - 0.25).abs() < 1e-6));
        for log_loss in [None, Some(1.5), Some(f64::INFINITY)] {
            let own = BoardMetrics { log_loss, ..own };
            let json = serde_json::to_string(&own).unwrap();
            assert_eq!(serde_json::from_str::<BoardMetrics>(&json).unwrap(), own, "{json}");
        }
    }

    #[test]
    fn another_boards_prediction_is_refused() {
        let record = super::super::record::tests::records(9)
            .into_iter()
            .find(|r| r.actions.len() > 2)
            .unwrap();
        let prediction = Prediction::of_action_values(Bins::DEFAULT, vec![vec![0.0; 128]]).unwrap();
        let error = board_metrics(&record, &prediction, Bins::DEFAULT);
        assert!(matches!(error, Err(MetricsError::Moves { found: 1, .. })));
        let over = BoardRecord {
            actions: Vec::new(),
            ..record
        };
        let nothing = Prediction::of_action_values(Bins::DEFAULT, Vec::new()).unwrap();
        assert!(matches!(
            board_metrics(&over, &nothing, Bins::DEFAULT),
            Err(MetricsError::NoActions(_))
        ));
    }
}
