//! Fits probes of the [`ExtraConcept`]s: classes in place of tails, otherwise as for the 21.
//!
//! A label is yes or no, so there are no tails to cut. All positions with the rarer answer are used, and as many with the
//! other one, **drawn by lot on each side of the split** ([`Positions::lot`]): accuracy, precision and recall are then
//! those of a balanced test, where a coin is right half of the time whatever the concept's frequency. The area under the
//! ROC curve and the share of positions that have the concept are computed over **all** test positions.
//!
//! It is a job of its own beside that of the 21, on the same positions and activations: [`label`] → [`targets`] → fits
//! with [`settings`] → [`rows`]; the probes come after the 21 in the file.

use serde::Serialize;
use shakmaty::Chess;

use super::extra::ExtraConcept;
use super::extra_labels::BestMove;
use super::fit::{Settings, Target};
use super::layer::{Layer, Pools};
use super::probe::Probe;
use super::quality::{self, Tally};
use super::split::{Positions, Side};

/// Positions that the rarer of the two answers must have, over all games, for a probe.
///
/// A fifth of the games judge. 500 leave about 100 positions of either class to judge by, and a share of 0.9 rightly
/// judged among 200 is known to ± 4 points (95 %, binomial); of 100 positions, as the themes of the Strategic Test Suite
/// have, 40 would be left and the figure be ± 9. Nor is there much to learn from less: a block of 64 filters has 4,096
/// weights, with which 2 · 350 training positions can be told apart whatever their labels are. Measured on block 4 of
/// Maia-1500 (six concepts, 14,685 positions of self-play, C 1e-4): with 700 training positions test accuracy was 2 to 4
/// points below that with 2,200 to 2,800; with 100 it was 7 to 12 points below.
pub const MINIMUM: usize = 500;

/// Labels that don't suffice: `not enough labels (85 of 500)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not enough labels ({found} of {wanted})")]
pub struct TooFewLabels {
    /// Positions with the rarer answer.
    pub found: usize,
    /// How many there should be.
    pub wanted: usize,
}

impl TooFewLabels {
    /// Refuses fewer than `wanted`.
    ///
    /// # Errors
    /// When there are fewer.
    pub fn check(found: usize, wanted: usize) -> Result<(), Self> {
        if found < wanted {
            return Err(Self { found, wanted });
        }
        Ok(())
    }
}

/// An extra concept with its labels, one a position.
#[derive(Debug, Clone, PartialEq)]
pub struct ExtraLabels {
    /// The concept.
    pub concept: ExtraConcept,
    /// Whether a position has it, `None` where it can't be said.
    pub labels: Vec<Option<bool>>,
}

/// All extra concepts' labels of positions with what an engine would play there, where that is known.
pub fn label<'a>(positions: impl IntoIterator<Item = (&'a Chess, Option<BestMove>)>) -> Vec<ExtraLabels> {
    let mut all = ExtraConcept::ALL.map(|concept| ExtraLabels {
        concept,
        labels: Vec::new(),
    });
    for (position, best) in positions {
        for one in &mut all {
            one.labels.push(one.concept.label(position, best.as_ref()));
        }
    }
    all.into()
}

impl ExtraLabels {
    /// Positions that are used and have the concept, and those that are used and don't.
    #[must_use]
    pub fn count(&self, positions: &Positions) -> [usize; 2] {
        let mut counts = [0, 0];
        for (_, has) in self.used(positions) {
            counts[usize::from(!has)] += 1;
        }
        counts
    }

    /// The target of a fit, whose labels are 1 and 0: as many of one as of the other on each side of the split, the rest
    /// without a label.
    ///
    /// # Errors
    /// When fewer than `minimum` positions have the rarer answer.
    pub fn target(&self, positions: &Positions, minimum: usize) -> Result<Target, TooFewLabels> {
        let [with, without] = self.count(positions);
        TooFewLabels::check(with.min(without), minimum)?;
        let mut labels = vec![None; self.labels.len()];
        for side in [Side::Training, Side::Validation, Side::Test] {
            let by_lot = |wanted| -> Vec<u32> {
                let mut class: Vec<u32> = self
                    .used(positions)
                    .filter(|&(i, has)| has == wanted && positions.side(i) == Some(side))
                    .map(|(i, _)| i)
                    .collect();
                class.sort_by_key(|&i| (positions.lot(i), i));
                class
            };
            for (with, without) in by_lot(true).into_iter().zip(by_lot(false)) {
                labels[with as usize] = Some(1.0);
                labels[without as usize] = Some(0.0);
            }
        }
        Ok(Target {
            name: self.concept.name().to_owned(),
            source: self.concept.label_source().to_owned(),
            labels,
        })
    }

    /// Positions that are used and have a label.
    fn used<'a>(&'a self, positions: &'a Positions) -> impl Iterator<Item = (u32, bool)> + 'a {
        let labels = (0_u32..).zip(&self.labels);
        labels.filter_map(|(i, label)| positions.side(i).and(*label).map(|has| (i, has)))
    }
}

/// What can be fitted: the concepts with enough labels, in the order of `labels`.
#[must_use]
pub fn targets(labels: &[ExtraLabels], positions: &Positions) -> Vec<Target> {
    let targets = labels.iter().filter_map(|one| one.target(positions, MINIMUM).ok());
    targets.collect()
}

/// Rows at most in a class's last fit: there are many, and they are in memory together.
const ROWS: usize = 16_000;

/// The settings of the 21 concepts' fit, made for classes: all that is labelled is in one of the two "tails". The widest
/// layers are left out, since the validation games hold up to half of all positions here, not a tenth.
#[must_use]
pub fn settings(of_the_21: &Settings) -> Settings {
    Settings {
        share: 0.5,
        training_share: 0.5,
        layers: of_the_21
            .layers
            .iter()
            .filter(|layer| layer.pools() != Pools::Men || of_the_21.layers.len() == 1)
            .cloned()
            .collect(),
        final_rows: of_the_21.final_rows.min(ROWS),
        ..of_the_21.clone()
    }
}

/// A line of the report's `extra`: figures, or the reason why there are none.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExtraRow {
    /// The concept's name.
    pub concept: &'static str,
    /// What it says, for readers.
    pub title: &'static str,
    /// Positions with a label, of those that are used.
    pub labelled: usize,
    /// Share of these that have the concept.
    pub frequency: Option<f64>,
    /// The probe's figures, or none.
    #[serde(flatten)]
    pub figures: Figures,
}

/// How good a probe is, or why there is none.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Figures {
    /// A probe is there. Shares are 0..1; accuracy, precision and recall are of as many test positions with the concept
    /// as without it.
    Probe {
        /// Judged rightly.
        accuracy: f64,
        /// True positives among those judged positive.
        precision: f64,
        /// True positives among the positive ones.
        recall: f64,
        /// Over all test positions: how often one that has the concept is scored above one that has not.
        auc: Option<f64>,
        /// What is read.
        layer: Layer,
        /// The support vector machine's C.
        #[serde(rename = "C")]
        c: f64,
        /// Positions it was fitted on.
        n: u64,
        /// Positions it was judged on, half of them with the concept.
        test: usize,
    },
    /// No probe could be fitted.
    None {
        /// `not enough labels (85 of 500)`.
        reason: String,
    },
}

/// A probe with its decision values of the test side's positions, in their order.
#[derive(Debug, Clone, Copy)]
pub struct Judged<'a> {
    /// The probe.
    pub probe: &'a Probe,
    /// Its decision values.
    pub decisions: &'a [f32],
}

/// The report's lines, in the order of `labels`: of each concept the figures of its probe among `judged`, or the reason
/// why it has none.
#[must_use]
pub fn rows(labels: &[ExtraLabels], positions: &Positions, judged: &[Judged]) -> Vec<ExtraRow> {
    let test = positions.on(Side::Test);
    let row = |one: &ExtraLabels| {
        let name = one.concept.name();
        let figures = match one.target(positions, MINIMUM) {
            Err(error) => Err(error.to_string()),
            Ok(target) => judged
                .iter()
                .find(|judged| judged.probe.card.name == name)
                .and_then(|judged| figures(one, &target, &test, *judged))
                .ok_or_else(|| "there is no probe of it".to_owned()),
        };
        let [with, without] = one.count(positions);
        ExtraRow {
            concept: name,
            title: one.concept.title(),
            labelled: with + without,
            frequency: (with + without > 0).then(|| with as f64 / (with + without) as f64),
            figures: figures.unwrap_or_else(|reason| Figures::None { reason }),
        }
    };
    labels.iter().map(row).collect()
}

/// `None` where the test side has no position with a label. `test`: its positions.
fn figures(labels: &ExtraLabels, target: &Target, test: &[u32], judged: Judged) -> Option<Figures> {
    let decided = || test.iter().map(|&i| i as usize).zip(judged.decisions.iter().copied());
    let drawn = decided().filter_map(|(i, decision)| Some((decision, (*target.labels.get(i)?)? > 0.5)));
    let tally = Tally::of(drawn)?;
    let (scores, has): (Vec<f32>, Vec<bool>) = decided()
        .filter_map(|(i, decision)| Some((decision, (*labels.labels.get(i)?)?)))
        .unzip();
    let card = &judged.probe.card;
    Some(Figures::Probe {
        accuracy: tally.accuracy,
        precision: tally.precision,
        recall: tally.recall,
        auc: quality::auc(&scores, &has).ok(),
        layer: card.layer.clone(),
        c: card.c,
        n: card.n,
        test: tally.n,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::concepts::{Fitting, HalfStore, Men, extra::Motif, extra::Whose, fitting::Step};
    use crate::random::Rng;

    fn positions(count: usize) -> Positions {
        let texts: Vec<(String, String)> = (0..count)
            .map(|i| (format!("{}", i / 10), format!("{i} w - -")))
            .collect();
        Positions::new(texts.iter().map(|(game, fen)| (game.as_str(), fen.as_str())), 7)
    }

    fn fork(labels: Vec<Option<bool>>) -> ExtraLabels {
        let concept = ExtraConcept::of(Motif::Fork, Whose::Ours).unwrap();
        ExtraLabels { concept, labels }
    }

    #[test]
    fn a_target_has_as_many_of_one_as_of_the_other_on_every_side() {
        let positions = positions(2000);
        let labels = fork((0..2000).map(|i| (i % 9 != 0).then_some(i % 5 == 0)).collect());
        let target = labels.target(&positions, 100).unwrap();
        assert_eq!(
            (target.name.as_str(), target.source.as_str()),
            ("Our Fork", "the board")
        );
        let mut all = 0;
        for side in [Side::Training, Side::Validation, Side::Test] {
            let own: Vec<u32> = positions.on(side);
            let count = |wanted| {
                own.iter()
                    .filter(|&&i| target.labels[i as usize] == Some(wanted))
                    .count()
            };
            assert_eq!(count(1.0), count(0.0), "{side:?}");
            all += count(1.0);
        }
        assert_eq!(all, labels.count(&positions)[0], "every one of the rarer class");
        for (i, label) in target.labels.iter().enumerate() {
            assert!(label.is_none() || labels.labels[i] == Some(*label == Some(1.0)), "{i}");
        }
        let drawn: Vec<usize> = (0..2000).filter(|&i| target.labels[i] == Some(0.0)).collect();
        let first: Vec<usize> = (0..2000)
            .filter(|&i| labels.labels[i] == Some(false))
            .take(drawn.len())
            .collect();
        assert_ne!(drawn, first, "by lot and not in the file's order");
        assert_eq!(
            labels.target(&positions, 100).unwrap(),
            target,
            "and the same lot each time"
        );
    }

    #[test]
    fn too_few_of_either_class_are_refused_with_their_number() {
        let positions = positions(1000);
        for rare in [true, false] {
            let labels = fork((0..1000).map(|i| Some((i < 40) == rare)).collect());
            let error = labels.target(&positions, MINIMUM).unwrap_err();
            assert_eq!(error.to_string(), "not enough labels (40 of 500)");
            assert!(labels.target(&positions, 40).is_ok());
        }
        let labels = fork(vec![None; 1000]);
        assert_eq!(labels.target(&positions, 1).unwrap_err().found, 0);
    }

    /// The concept is in one square of block 2, with noise; a sacrifice has no labels.
    #[test]
    fn a_probe_of_a_concept_that_is_there_is_found_and_judged_on_a_balanced_test() {
        const COUNT: usize = 4000;
        let mut rng = Rng::new(5);
        let (mut store, mut labels) = (HalfStore::new(1, 2), Vec::new());
        for _ in 0..COUNT {
            let has = rng.below(5) == 0;
            let mut noise = || {
                (0..64)
                    .map(|_| rng.below(2001) as f32 / 1000.0 - 1.0)
                    .collect::<Vec<f32>>()
            };
            let (one, mut two) = (noise(), noise());
            two[3] += if has { 1.2 } else { 0.0 };
            store.push(&[one, two], Men::default()).unwrap();
            labels.push(Some(has));
        }
        let sacrifice = ExtraLabels {
            concept: ExtraConcept::of(Motif::Sacrifice, Whose::Ours).unwrap(),
            labels: vec![None; COUNT],
        };
        let all = [fork(labels), sacrifice];
        let positions = positions(COUNT);
        let targets = targets(&all, &positions);
        assert_eq!(targets.len(), 1);
        let settings = Settings {
            cs: vec![1e-3, 1e-2],
            layers: vec![Layer::block(2), Layer::block(1)],
            ..settings(&Settings::every_block(2, COUNT, 7))
        };
        let mut job = Fitting::new(positions.clone(), targets, settings);
        while job.step(&store).unwrap() != Step::Done {}
        let fitted = &job.finished()[0];
        let judged = Judged {
            probe: &fitted.probe,
            decisions: &fitted.decisions,
        };
        let rows = rows(&all, &positions, &[judged]);
        let Figures::Probe {
            auc, layer, n, test, ..
        } = &rows[0].figures
        else {
            panic!("{:?}", rows[0]);
        };
        assert_eq!(layer.to_string(), "block 2");
        assert!(auc.is_some_and(|auc| auc > 0.8 && auc < 0.99), "{:?}", rows[0]);
        let [with, without] = all[0].count(&positions);
        assert_eq!(with + without, rows[0].labelled);
        assert!(*n as usize + test < 2 * with && test % 2 == 0, "{:?}", rows[0]);
        let lines = serde_json::to_value(&rows).unwrap();
        // The figures of the file's probe are those of the fit.
        for (figure, wanted) in [
            ("accuracy", fitted.probe.card.accuracy),
            ("precision", fitted.probe.card.precision),
            ("recall", fitted.probe.card.recall),
        ] {
            assert!(wanted > 0.7, "{figure}: {wanted}");
            assert_eq!(lines[0][figure], wanted, "{figure}");
        }
        assert_eq!(
            (&lines[0]["layer"], &lines[0]["reason"]),
            (&"block 2".into(), &serde_json::Value::Null)
        );
        assert_eq!(lines[1]["reason"], "not enough labels (0 of 500)");
        assert_eq!(lines[1]["accuracy"], serde_json::Value::Null);
        let unfitted = super::rows(&all, &positions, &[]);
        assert_eq!(
            serde_json::to_value(&unfitted).unwrap()[0]["reason"],
            "there is no probe of it"
        );
    }

    #[test]
    fn positions_are_labelled_with_and_without_an_engine() {
        let start = Chess::default();
        let best = BestMove {
            mv: shakmaty::Position::legal_moves(&start)[0],
            win_probability: 0.5,
        };
        let all = label([(&start, None), (&start, Some(best))]);
        assert_eq!(all.len(), ExtraConcept::ALL.len());
        for one in &all {
            let sacrifice = one.concept.motif() == Motif::Sacrifice;
            let first = if sacrifice { None } else { Some(false) };
            assert_eq!(one.labels, [first, Some(false)], "{}", one.concept);
        }
    }
}
