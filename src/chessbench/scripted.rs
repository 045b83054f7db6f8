//! Predictors whose scores are known before anything is measured.

use serde::{Deserialize, Serialize};

use super::{
    action::{ACTIONS, Action},
    bins::Bins,
    prediction::{Prediction, Said, first_highest},
    record::BoardRecord,
};

/// A predictor that needs no model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScriptedPredictor {
    /// Says what the record says: accuracy 1, both τ 1, log loss, entropy and squared error 0.
    Oracle,
    /// Says the opposite of every value: τ-b −1, and it plays the worst move.
    Reversed,
    /// Finds everything equally likely: entropy and log loss are log₂ of the bins or moves, and τ-b is not defined.
    Uniform,
    /// Is certain of one and the same: 50 % for every move, or the first action for every board.
    Constant,
}

impl ScriptedPredictor {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Oracle, Self::Reversed, Self::Uniform, Self::Constant];

    /// One lower-case word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Oracle => "oracle",
            Self::Reversed => "reversed",
            Self::Uniform => "uniform",
            Self::Constant => "constant",
        }
    }

    /// The predictor that a word names.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.word() == word)
    }

    /// What it says of the values of a board's moves. Its scores are the values themselves, not the middles of their bins, so that
    /// it ranks what the bins do not tell apart.
    #[must_use]
    pub fn values(self, record: &BoardRecord, bins: Bins) -> Prediction {
        let middle = bins.centre(bins.bin_of(0.5));
        let said = |value: f64| match self {
            Self::Uniform => vec![-(bins.count() as f64).ln(); bins.count()],
            Self::Oracle | Self::Reversed | Self::Constant => {
                let sure = bins.one_hot(value);
                sure.into_iter().map(f64::ln).collect()
            }
        };
        let of = |value: f64| match self {
            Self::Oracle => value,
            Self::Reversed => 1.0 - value,
            Self::Uniform => 0.5,
            Self::Constant => middle,
        };
        // As the metrics hold values against it.
        let scores: Vec<f64> = record
            .actions
            .iter()
            .map(|own| of(f64::from(own.value as f32)))
            .collect();
        Prediction {
            said: Said::Bins(scores.iter().map(|score| said(*score)).collect()),
            state: first_highest(&scores).map(|best| scores[best]),
            scores,
            unmasked: None,
        }
    }

    /// The logarithms of the probabilities that it gives all 1,968 actions.
    #[must_use]
    pub fn actions(self, record: &BoardRecord) -> Vec<f64> {
        let sure = |action: Option<Action>| {
            let place = action.map_or(0, Action::number);
            let mut logs = vec![f64::NEG_INFINITY; ACTIONS];
            logs[usize::from(place)] = 0.0;
            logs
        };
        let worst = || {
            let own = record.actions.iter().min_by(|a, b| a.value.total_cmp(&b.value))?;
            Some(own.action)
        };
        match self {
            Self::Oracle => sure(record.best),
            Self::Reversed => sure(worst()),
            Self::Uniform => vec![-(ACTIONS as f64).ln(); ACTIONS],
            Self::Constant => sure(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            metrics::{BoardMetrics, board_metrics, summary},
            record::tests::records,
        },
        *,
    };
    use crate::pace::{AtOnce, at_once};

    fn annotated() -> Vec<BoardRecord> {
        records(60)
            .into_iter()
            .filter(|record| record.actions.len() > 1)
            .collect()
    }

    fn measured(player: ScriptedPredictor) -> Vec<BoardMetrics> {
        let bins = Bins::DEFAULT;
        let of = |record: &BoardRecord| board_metrics(record, &player.values(record, bins), bins).unwrap();
        annotated().iter().map(of).collect()
    }

    #[test]
    fn the_oracle_has_every_full_mark() {
        for own in measured(ScriptedPredictor::Oracle) {
            assert!(own.accurate);
            assert_eq!(
                (own.log_loss, own.entropy, own.squared_error),
                (Some(0.0), Some(0.0), Some(0.0))
            );
            assert!((own.tau_of_sort_orders - 1.0).abs() < 1e-12);
            assert_eq!(own.consistency, Some(0.0));
            assert!(own.tau_b.is_none_or(|tau| (tau - 1.0).abs() < 1e-12));
        }
    }

    #[test]
    fn the_reversed_oracle_ranks_the_other_way_round() {
        let figures = measured(ScriptedPredictor::Reversed);
        for (own, record) in figures.iter().zip(annotated()) {
            assert!(own.tau_b.is_none_or(|tau| (tau + 1.0).abs() < 1e-12));
            let values = record.values();
            let same = values.iter().all(|value| *value == values[0]);
            assert_eq!(own.accurate, same, "{}", record.fen);
        }
        let found = at_once(summary(&figures, 1, &AtOnce));
        assert_eq!(found.log_loss.unwrap().mean, f64::INFINITY, "certain, and wrong");
    }

    #[test]
    fn who_knows_nothing_has_the_entropy_of_the_bins() {
        for own in measured(ScriptedPredictor::Uniform) {
            let seven = |figure: Option<f64>| figure.is_some_and(|bits| (bits - 7.0).abs() < 1e-12);
            assert!(seven(own.entropy) && seven(own.log_loss));
            assert_eq!(own.tau_b, None, "all its scores are the same");
        }
        let first_is_best = |record: &BoardRecord| record.values()[0] == record.value_of(record.best.unwrap()).unwrap();
        let expected: Vec<bool> = annotated().iter().map(first_is_best).collect();
        for player in [ScriptedPredictor::Uniform, ScriptedPredictor::Constant] {
            let accurate: Vec<bool> = measured(player).iter().map(|own| own.accurate).collect();
            assert_eq!(accurate, expected, "of equals the first is played");
        }
        assert!(
            measured(ScriptedPredictor::Constant)
                .iter()
                .all(|own| own.entropy == Some(0.0))
        );
    }

    #[test]
    fn cloned_behavior_has_known_figures_too() {
        for record in annotated() {
            let legal: Vec<Action> = record.actions.iter().map(|own| own.action).collect();
            let of = |player: ScriptedPredictor| {
                let prediction = Prediction::of_actions(&player.actions(&record), &legal);
                prediction.map(|prediction| board_metrics(&record, &prediction, Bins::DEFAULT).unwrap())
            };
            let oracle = of(ScriptedPredictor::Oracle).unwrap();
            assert_eq!(
                (oracle.accurate, oracle.log_loss, oracle.entropy),
                (true, Some(0.0), Some(0.0))
            );
            assert_eq!((oracle.legal_unmasked, oracle.squared_error), (Some(true), None));
            let uniform = of(ScriptedPredictor::Uniform).unwrap();
            let bits = (legal.len() as f64).log2();
            assert!(uniform.log_loss.is_some_and(|loss| (loss - bits).abs() < 1e-9));
            let first = legal.iter().any(|action| action.number() == 0);
            assert_eq!(uniform.legal_unmasked, Some(first));
            assert_eq!(
                ScriptedPredictor::of_word("reversed"),
                Some(ScriptedPredictor::Reversed)
            );
        }
    }
}
