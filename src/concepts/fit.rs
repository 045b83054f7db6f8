//! Fits the probe of one concept: which layer, which C, which weights, and how good it is on games it has not seen.
//!
//! Layer and C are chosen on the validation games alone, the figures come from the test games alone (see
//! [`split`](super::split)). The work is done in small steps, so that a worker can tell how far it is and be stopped;
//! [`fitting`](super::fitting) does all concepts one after the other.

use serde::{Deserialize, Serialize};

use super::activations::Activations;
use super::control::ControlFigures;
use super::label_quantiles::{LabelQuantiles, NoQuantiles};
use super::layer::{Layer, Pools};
use super::probe::{Probe, ProbeCard};
use super::quality::{self, Tally};
use super::scaling::Scaling;
use super::split::{Positions, Side};
use super::svm::{self, Problem, Unlearnable};

/// Rows read at once when a probe judges many positions.
const AT_ONCE: usize = 512;
/// Where the search for layer and C stops a fit: LIBLINEAR's own default.
const SEARCH_TOLERANCE: f64 = 0.1;
/// Where the last fit stops.
const FINAL_TOLERANCE: f64 = 0.01;
/// Passes after which a fit stops in any case. Large C converge slowly, and are not what is chosen.
const PASSES: u32 = 200;

/// What to learn.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// The concept in the mover's frame.
    pub name: String,
    /// Where the labels come from.
    pub source: String,
    /// One a position, from the mover's seat; `None` where there is none.
    pub labels: Vec<Option<f32>>,
}

/// How to fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Of the split, of ties and of the order of rows.
    pub seed: u64,
    /// Share of the positions in each tail on which a probe is judged, and on which layer and C are chosen.
    pub share: f64,
    /// Share of the positions in each tail from which a probe learns.
    pub training_share: f64,
    /// The layers to choose from; the first one is taken where the validation games can't tell.
    pub layers: Vec<Layer>,
    /// The values of C to choose from, ascending; the first one is taken where the validation games can't tell.
    pub cs: Vec<f64>,
    /// Rows at most in a fit that looks for layer and C.
    pub search_rows: usize,
    /// Rows at most in the last fit.
    pub final_rows: usize,
    /// Factors on the chosen C to choose again from once all rows of the chosen layer are learnt from: with more rows
    /// the loss weighs more. Ascending; empty keeps the C.
    pub refinement: Vec<f64>,
}

impl Settings {
    /// The share of the paper.
    pub const SHARE: f64 = 0.05;
    /// Blocks that are read together at the most, so that a large network's rows stay of a size.
    pub const MOST_TOGETHER: u8 = 6;
    /// Positions that the test games should have in each tail at the least, roughly.
    const LEAST: f64 = 20.0;

    /// The share of a tail for `positions` positions: the paper's 5 %, more where that would be too few to judge by.
    #[must_use]
    pub fn share_for(positions: usize) -> f64 {
        // A fifth of the games are test games.
        (5.0 * Self::LEAST / positions.max(1) as f64).clamp(Self::SHARE, 0.3)
    }

    /// For `positions` positions and a network with `blocks` blocks: every block alone, the last one first; then the
    /// pools by men of up to [`Settings::MOST_TOGETHER`] of them together.
    #[must_use]
    pub fn every_block(blocks: u8, positions: usize, seed: u64) -> Self {
        let share = Self::share_for(positions);
        Self {
            seed,
            share,
            training_share: share,
            layers: (1..=blocks)
                .rev()
                .map(Layer::block)
                .chain([Layer::spread(blocks, Self::MOST_TOGETHER).with_pools(Pools::MenAlone)])
                .collect(),
            cs: vec![1e-5, 1e-4, 1e-3, 1e-2],
            search_rows: 4_000,
            final_rows: 16_000,
            refinement: vec![0.1, 0.3, 1.0],
        }
    }

    /// The same for a machine with 16 GB: the squares of these blocks together as well, and all rows that a quarter of a
    /// million positions have in their tails, which are a little wider to learn from than to judge by.
    #[must_use]
    pub fn thorough(blocks: u8, positions: usize, seed: u64) -> Self {
        let usual = Self::every_block(blocks, positions, seed);
        let together = Layer::spread(blocks, Self::MOST_TOGETHER).with_pools(Pools::Men);
        Self {
            training_share: usual.share * 1.2,
            layers: usual.layers.into_iter().chain([together]).collect(),
            final_rows: 40_000,
            ..usual
        }
    }
}

/// One attempt of the search, judged on the validation games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// What was read.
    pub layer: Layer,
    /// With which C.
    pub c: f64,
    /// Rows learnt from.
    pub n: usize,
    /// Accuracy at the tails; `None` where the validation games have none of them.
    pub accuracy: Option<f64>,
    /// Area under the ROC curve at the tails; decides between equal accuracies.
    pub auc: Option<f64>,
}

/// How the positions of a concept were dealt out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// Rows of the last fit.
    pub training: usize,
    /// Positions that chose.
    pub validation: usize,
    /// Positions that judged.
    pub test: usize,
    /// Positions without a label.
    pub unlabelled: usize,
    /// See [`LabelQuantiles::tied_positive`]; of the training share.
    pub tied_positive: f64,
    /// See [`LabelQuantiles::tied_negative`]; of the training share.
    pub tied_negative: f64,
    /// See [`LabelQuantiles::dropped`]; of the share that judges.
    pub dropped: usize,
}

/// A fitted probe, and what is known of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fitted {
    /// The probe, its card filled in.
    pub probe: Probe,
    /// Every attempt, in the order of the search.
    pub trials: Vec<Trial>,
    /// Positions on each side of the split, by class.
    pub counts: Counts,
    /// Decision values of the positions on the test side, in their order.
    pub decisions: Vec<f32>,
}

/// Why there is no probe.
#[derive(Debug, thiserror::Error)]
pub enum FitError<E> {
    /// The labels make no tails.
    #[error("{name}: not enough labels: {error}")]
    LabelQuantiles {
        /// The concept.
        name: String,
        /// Why not.
        error: NoQuantiles,
    },
    /// The training or the test games have none of one tail.
    #[error("{name}: not enough labels: the {side} games have {positive} positive and {negative} negative positions")]
    OneClass {
        /// The concept.
        name: String,
        /// `training` or `test`.
        side: &'static str,
        /// Positive positions.
        positive: usize,
        /// Negative positions.
        negative: usize,
    },
    /// The rows are not as the layer says.
    #[error("{name}: {error}")]
    Rows {
        /// The concept.
        name: String,
        /// What is wrong.
        error: Unlearnable,
    },
    /// The probe says the same of every position.
    #[error("{name}: the probe says the same of every position")]
    Flat {
        /// The concept.
        name: String,
    },
    /// No layer or no C to choose from.
    #[error("there is no layer or no C to choose from")]
    NoChoice,
    /// The activations can't be had.
    #[error(transparent)]
    Activations(E),
}

impl<E> FitError<E> {
    /// True where another concept may well be fitted: it is this one's labels that don't suffice.
    #[must_use]
    pub const fn is_of_the_labels(&self) -> bool {
        matches!(
            self,
            Self::LabelQuantiles { .. } | Self::OneClass { .. } | Self::Flat { .. }
        )
    }
}

/// Positions with their classes.
#[derive(Debug, Clone, Default)]
struct Examples {
    positions: Vec<u32>,
    positive: Vec<bool>,
}

impl Examples {
    /// Those of the tails that are on `side`.
    fn of(tails: &LabelQuantiles, positions: &Positions, side: Side) -> Self {
        let mut both: Vec<(u32, bool)> = tails
            .positive
            .iter()
            .map(|&i| (i, true))
            .chain(tails.negative.iter().map(|&i| (i, false)))
            .filter(|(i, _)| positions.side(*i) == Some(side))
            .collect();
        both.sort_unstable();
        let (positions, positive) = both.into_iter().unzip();
        Self { positions, positive }
    }

    /// At most `most`, half of each class where there are enough, by lot.
    fn capped(&self, most: usize, positions: &Positions) -> Self {
        if self.positions.len() <= most {
            return self.clone();
        }
        let mut taken: Vec<(u32, bool)> = Vec::with_capacity(most);
        for class in [true, false] {
            let mut own: Vec<u32> = self.zipped().filter(|(_, p)| *p == class).map(|(i, _)| i).collect();
            own.sort_by_key(|&i| (positions.lot(i), i));
            taken.extend(own.into_iter().take(most / 2).map(|i| (i, class)));
        }
        taken.sort_unstable();
        let (positions, positive) = taken.into_iter().unzip();
        Self { positions, positive }
    }

    fn zipped(&self) -> impl Iterator<Item = (u32, bool)> + '_ {
        self.positions.iter().copied().zip(self.positive.iter().copied())
    }

    fn count(&self) -> [usize; 2] {
        let positive = self.positive.iter().filter(|&&p| p).count();
        [positive, self.positive.len() - positive]
    }
}

/// Standardised rows of a layer in memory, to fit with one C after the other.
#[derive(Debug)]
struct Loaded {
    scaling: Scaling,
    training: Vec<f32>,
    validation: Vec<f32>,
    duals: Vec<f64>,
}

#[derive(Debug, Clone, Copy)]
enum Task {
    /// Layer and C number so and so.
    Search { layer: usize, c: usize },
    /// The chosen layer with all rows, and the factor number so and so.
    Refine { factor: usize },
    /// The chosen probe's figures on the test side.
    Judge,
}

/// The fit of one concept, step by step.
#[derive(Debug)]
pub struct ConceptFit {
    name: String,
    source: String,
    labels: Vec<Option<f32>>,
    search: Examples,
    training: Examples,
    validation: Examples,
    test: Examples,
    middle: Vec<u32>,
    counts: Counts,
    trials: Vec<Trial>,
    stage: Task,
    loaded: Option<Loaded>,
    /// The best of the refinement: its trial, weights and bias for the activations as they are.
    best: Option<(Trial, Vec<f32>, f32)>,
}

impl ConceptFit {
    /// Steps that a fit takes.
    #[must_use]
    pub fn steps(settings: &Settings) -> usize {
        settings.layers.len() * settings.cs.len() + settings.refinement.len().max(1) + 1
    }

    /// Cuts the tails and deals the positions out.
    ///
    /// # Errors
    /// When the labels don't suffice.
    pub fn new<E>(target: Target, positions: &Positions, settings: &Settings) -> Result<Self, FitError<E>> {
        let Target { name, source, labels } = target;
        if settings.layers.is_empty() || settings.cs.is_empty() {
            return Err(FitError::NoChoice);
        }
        let cut = |share| LabelQuantiles::cut(&labels, positions, share);
        let (tails, wider) = match cut(settings.share).and_then(|tails| Ok((tails, cut(settings.training_share)?))) {
            Ok(both) => both,
            Err(error) => return Err(FitError::LabelQuantiles { name, error }),
        };
        let all = Examples::of(&wider, positions, Side::Training);
        let validation = Examples::of(&tails, positions, Side::Validation);
        let test = Examples::of(&tails, positions, Side::Test);
        for (side, examples) in [("training", &all), ("test", &test)] {
            let [positive, negative] = examples.count();
            if positive == 0 || negative == 0 {
                return Err(FitError::OneClass {
                    name,
                    side,
                    positive,
                    negative,
                });
            }
        }
        let training = all.capped(settings.final_rows, positions);
        Ok(Self {
            counts: Counts {
                training: training.positions.len(),
                validation: validation.positions.len(),
                test: test.positions.len(),
                unlabelled: tails.unlabelled,
                tied_positive: wider.tied_positive,
                tied_negative: wider.tied_negative,
                dropped: tails.dropped,
            },
            middle: tails
                .middle
                .into_iter()
                .filter(|&i| positions.side(i) == Some(Side::Test))
                .collect(),
            search: all.capped(settings.search_rows, positions),
            training,
            validation,
            test,
            name,
            source,
            labels,
            trials: Vec::new(),
            stage: Task::Search { layer: 0, c: 0 },
            loaded: None,
            best: None,
        })
    }

    /// Does the next step: one fit, or the judging at the end, which gives the result.
    ///
    /// # Errors
    /// When the activations can't be had or don't suffice. The fit is of no use after that.
    pub fn step<A: Activations>(
        &mut self,
        positions: &Positions,
        settings: &Settings,
        store: &A,
    ) -> Result<Option<Fitted>, FitError<A::Error>> {
        match self.stage {
            Task::Search { layer, c } => {
                self.try_out(store, settings, &settings.layers[layer], settings.cs[c], false)?;
                self.stage = if c + 1 < settings.cs.len() {
                    Task::Search { layer, c: c + 1 }
                } else {
                    self.loaded = None;
                    match layer + 1 < settings.layers.len() {
                        true => Task::Search { layer: layer + 1, c: 0 },
                        false => Task::Refine { factor: 0 },
                    }
                };
                Ok(None)
            }
            Task::Refine { factor } => {
                let chosen = self.chosen(settings);
                let by = settings.refinement.get(factor).copied().unwrap_or(1.0);
                self.try_out(store, settings, &chosen.layer, chosen.c * by, true)?;
                self.stage = if factor + 1 < settings.refinement.len() {
                    Task::Refine { factor: factor + 1 }
                } else {
                    self.loaded = None;
                    Task::Judge
                };
                Ok(None)
            }
            Task::Judge => self.judge(positions, settings, store).map(Some),
        }
    }

    /// Fits on the rows of a layer, the search's or all of them, and judges on the validation games.
    fn try_out<A: Activations>(
        &mut self,
        store: &A,
        settings: &Settings,
        layer: &Layer,
        c: f64,
        last: bool,
    ) -> Result<(), FitError<A::Error>> {
        let examples = if last { &self.training } else { &self.search };
        let width = layer.width(store.filters());
        let loaded = match &mut self.loaded {
            Some(loaded) => loaded,
            empty => {
                let read = |positions: &[u32]| -> Result<Vec<f32>, FitError<A::Error>> {
                    let mut rows = Vec::with_capacity(positions.len() * width);
                    store.rows(layer, positions, &mut rows).map_err(FitError::Activations)?;
                    Ok(rows)
                };
                let mut training = read(&examples.positions)?;
                let mut validation = read(&self.validation.positions)?;
                let scaling = Scaling::of(&training, width);
                scaling.apply(&mut training);
                scaling.apply(&mut validation);
                empty.insert(Loaded {
                    scaling,
                    training,
                    validation,
                    duals: Vec::new(),
                })
            }
        };
        let problem = Problem::new(&loaded.training, width, &examples.positive).map_err(|error| FitError::Rows {
            name: self.name.clone(),
            error,
        })?;
        let how = svm::Settings {
            c,
            tolerance: if last { FINAL_TOLERANCE } else { SEARCH_TOLERANCE },
            passes: PASSES,
            seed: settings.seed,
        };
        let solution = problem.solve(&how, &loaded.duals);
        let decisions: Vec<f32> = loaded
            .validation
            .chunks_exact(width)
            .map(|row| svm::dot(row, &solution.weights) + solution.bias)
            .collect();
        let trial = Trial {
            layer: layer.clone(),
            c,
            n: examples.positions.len(),
            accuracy: Tally::of(decisions.iter().copied().zip(self.validation.positive.iter().copied()))
                .map(|tally| tally.accuracy),
            auc: quality::auc(&decisions, &self.validation.positive).ok(),
        };
        if last && self.best.as_ref().is_none_or(|(best, ..)| better(&trial, best)) {
            let (weights, bias) = loaded.scaling.fold(&solution.weights, solution.bias);
            self.best = Some((trial.clone(), weights, bias));
        }
        if !last {
            self.trials.push(trial);
        }
        loaded.duals = solution.duals;
        Ok(())
    }

    /// The best attempt of the search, the earliest of equals.
    fn chosen(&self, settings: &Settings) -> Trial {
        let mut best: Option<&Trial> = None;
        for trial in &self.trials {
            if best.is_none_or(|best| better(trial, best)) {
                best = Some(trial);
            }
        }
        // The search has always been through: there is a first trial.
        best.cloned().unwrap_or_else(|| Trial {
            layer: settings.layers[0].clone(),
            c: settings.cs[0],
            n: 0,
            accuracy: None,
            auc: None,
        })
    }

    fn judge<A: Activations>(
        &mut self,
        positions: &Positions,
        settings: &Settings,
        store: &A,
    ) -> Result<Fitted, FitError<A::Error>> {
        let name = self.name.clone();
        let (trial, weights, bias) = self.best.take().ok_or(FitError::NoChoice)?;
        let mut probe = Probe::new(
            ProbeCard {
                name: name.clone(),
                layer: trial.layer.clone(),
                labels: self.source.clone(),
                n: self.counts.training as u64,
                c: trial.c,
                seed: settings.seed,
                accuracy: 0.0,
                precision: 0.0,
                recall: 0.0,
                auc: None,
                spearman: None,
                controls: ControlFigures::default(),
                mean: 0.0,
                spread: 1.0,
                bias: 0.0,
                scale: 1.0,
            },
            &weights,
            bias,
        );
        let reference = positions.on(Side::Test);
        let decisions = decide(&probe, &reference, store).map_err(FitError::Activations)?;
        let (mean, spread) = quality::mean_and_spread(&decisions);
        if spread <= 0.0 || !spread.is_finite() {
            return Err(FitError::Flat { name });
        }
        let judged = Judged {
            reference: &reference,
            decisions: &decisions,
        };
        let tally = Tally::of(self.test.zipped().filter_map(|(i, class)| Some((judged.of(i)?, class))));
        if let Some(tally) = tally {
            (probe.card.accuracy, probe.card.precision) = (tally.accuracy, tally.precision);
            probe.card.recall = tally.recall;
        }
        let labelled = |among: &[u32]| -> (Vec<f32>, Vec<f32>) {
            let both = among
                .iter()
                .filter_map(|&i| Some((judged.of(i)?, self.labels[i as usize]?)));
            both.unzip()
        };
        let (scores, labels) = labelled(&self.middle);
        probe.card.auc = quality::auc_at_median(&scores, &labels).ok();
        let (scores, labels) = labelled(&reference);
        probe.card.spearman = quality::spearman(&scores, &labels).ok();
        (probe.card.mean, probe.card.spread) = (mean, spread);
        let mut trials = std::mem::take(&mut self.trials);
        trials.push(trial);
        Ok(Fitted {
            probe,
            trials,
            counts: self.counts.clone(),
            decisions,
        })
    }
}

/// Decision values of positions that ascend.
struct Judged<'a> {
    reference: &'a [u32],
    decisions: &'a [f32],
}

impl Judged<'_> {
    fn of(&self, position: u32) -> Option<f32> {
        self.reference
            .binary_search(&position)
            .ok()
            .map(|at| self.decisions[at])
    }
}

/// Decision values of a probe, in the order of `positions`.
///
/// # Errors
/// When the activations can't be had.
pub fn decide<A: Activations>(probe: &Probe, positions: &[u32], store: &A) -> Result<Vec<f32>, A::Error> {
    let width = probe.card.layer.width(store.filters()).max(1);
    let (mut rows, mut decisions) = (Vec::new(), Vec::with_capacity(positions.len()));
    for some in positions.chunks(AT_ONCE) {
        rows.clear();
        store.rows(&probe.card.layer, some, &mut rows)?;
        decisions.extend(rows.chunks_exact(width).map(|row| probe.decision(row)));
    }
    Ok(decisions)
}

fn better(one: &Trial, other: &Trial) -> bool {
    (one.accuracy, one.auc) > (other.accuracy, other.auc)
}
