//! Fits the probes of all concepts, step by step: the same procedure on the command line and in the browser.

use serde::{Deserialize, Serialize};

use super::Concept;
use super::activations::Activations;
use super::concept::frame_name;
use super::fit::{ConceptFit, FitError, Fitted, Settings, Target};
use super::probe::{NoSet, ProbeSet};
use super::scores::ConceptScores;
use super::split::Positions;
use shakmaty::Color;

/// The job.
#[derive(Debug)]
pub struct Fitting {
    positions: Positions,
    settings: Settings,
    /// Still to do, the next one last.
    waiting: Vec<Target>,
    current: Option<(String, ConceptFit)>,
    /// Steps of the current one that are done.
    taken: usize,
    finished: Vec<Fitted>,
    refused: Vec<Refused>,
    total: usize,
}

/// A concept whose labels don't suffice for a probe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// The concept.
    pub name: String,
    /// `…: not enough labels: …`.
    pub reason: String,
}

/// What a step did.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Part of the fit of the concept with this name.
    Worked(String),
    /// The probe of this concept is there.
    Fitted(String),
    /// There is no probe of this concept; the others go on.
    Refused(Refused),
    /// Nothing is left to do.
    Done,
}

/// How far a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Steps done. They take about equally long, those at a concept's end longer.
    pub done: usize,
    /// Steps that the whole fit takes.
    pub total: usize,
    /// Concepts done.
    pub concepts: usize,
}

/// What a job has found so far: enough to go on from with the same positions and settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// How it was to be fitted.
    pub settings: Settings,
    /// The probes that are there.
    pub finished: Vec<Fitted>,
    /// The concepts that have none.
    pub refused: Vec<Refused>,
}

impl Fitting {
    /// A job for `targets`.
    #[must_use]
    pub fn new(positions: Positions, mut targets: Vec<Target>, settings: Settings) -> Self {
        targets.reverse();
        Self {
            total: targets.len() * ConceptFit::steps(&settings),
            waiting: targets,
            positions,
            settings,
            current: None,
            taken: 0,
            finished: Vec::new(),
            refused: Vec::new(),
        }
    }

    /// Goes on from what was saved of a job with the same positions and targets. What was saved with other settings is
    /// not used: then everything is done again.
    #[must_use]
    pub fn resume(positions: Positions, targets: Vec<Target>, settings: Settings, saved: Saved) -> Self {
        let mut job = Self::new(positions, targets, settings);
        if saved.settings == job.settings {
            let done = |name: &str| {
                saved.finished.iter().any(|fitted| fitted.probe.card.name == name)
                    || saved.refused.iter().any(|refused| refused.name == name)
            };
            job.waiting.retain(|target| !done(&target.name));
            (job.finished, job.refused) = (saved.finished, saved.refused);
        }
        job
    }

    /// What to keep for [`Fitting::resume`]. The concept that is being fitted is begun again then.
    #[must_use]
    pub fn save(&self) -> Saved {
        Saved {
            settings: self.settings.clone(),
            finished: self.finished.clone(),
            refused: self.refused.clone(),
        }
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let concepts = self.finished.len() + self.refused.len();
        Progress {
            done: concepts * ConceptFit::steps(&self.settings) + self.taken,
            total: self.total,
            concepts,
        }
    }

    /// The probes that are there, in the order of the targets.
    #[must_use]
    pub fn finished(&self) -> &[Fitted] {
        &self.finished
    }

    /// The concepts that have none.
    #[must_use]
    pub fn refused(&self) -> &[Refused] {
        &self.refused
    }

    /// How the positions are dealt out.
    #[must_use]
    pub fn positions(&self) -> &Positions {
        &self.positions
    }

    /// How it is fitted.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Does the next bit of work.
    ///
    /// # Errors
    /// When the activations can't be had or the settings leave no choice. A concept without enough labels is no error.
    pub fn step<A: Activations>(&mut self, store: &A) -> Result<Step, FitError<A::Error>> {
        let (name, mut fit) = match self.current.take() {
            Some(current) => current,
            None => {
                let Some(target) = self.waiting.pop() else {
                    return Ok(Step::Done);
                };
                let name = target.name.clone();
                match ConceptFit::new(target, &self.positions, &self.settings) {
                    Ok(fit) => (name, fit),
                    Err(error) => return self.refuse(name, error),
                }
            }
        };
        match fit.step(&self.positions, &self.settings, store) {
            Ok(None) => {
                self.taken += 1;
                self.current = Some((name.clone(), fit));
                Ok(Step::Worked(name))
            }
            Ok(Some(fitted)) => {
                self.taken = 0;
                self.finished.push(fitted);
                Ok(Step::Fitted(name))
            }
            Err(error) => self.refuse(name, error),
        }
    }

    fn refuse<E: std::error::Error>(&mut self, name: String, error: FitError<E>) -> Result<Step, FitError<E>> {
        if !error.is_of_the_labels() {
            return Err(error);
        }
        self.taken = 0;
        let refused = Refused {
            name,
            reason: error.to_string(),
        };
        self.refused.push(refused.clone());
        Ok(Step::Refused(refused))
    }

    /// The probes as a set for the network with this hash.
    ///
    /// # Errors
    /// When one of the 21 concepts has no probe (yet).
    pub fn probe_set(&self, network: &str, filters: usize) -> Result<ProbeSet, NoSet> {
        let probes = self.finished.iter().map(|fitted| fitted.probe.clone()).collect();
        ProbeSet::new(network, filters, probes)
    }
}

/// The 21 concepts as targets, from the scores that Stockfish 8 gives the positions.
///
/// `labels`: each position's scores (a side's in its own view, totals in White's) and side to move; no scores where
/// there is no table.
#[must_use]
pub fn targets(labels: &[(Option<ConceptScores>, Color)], source: &str) -> Vec<Target> {
    Concept::ALL
        .into_iter()
        .map(|concept| Target {
            name: frame_name(concept),
            source: source.to_owned(),
            labels: labels
                .iter()
                .map(|(scores, turn)| scores.map(|scores| in_frame(&scores, *turn).get(concept)))
                .collect(),
        })
        .collect()
}

/// Scores in the mover's frame, White standing for the mover. It is its own inverse.
#[must_use]
pub fn in_frame(scores: &ConceptScores, turn: Color) -> ConceptScores {
    turn.fold_wb(*scores, scores.mirrored())
}

#[cfg(test)]
mod tests {
    use super::super::activations::HalfStore;
    use super::super::men::Men;
    use super::super::split::Side;
    use super::*;
    use crate::random::Rng;

    /// Made-up activations of a network with one filter and two blocks. Block 2 holds the label of each target in one
    /// square, with noise; block 1 is noise alone.
    struct Made {
        positions: Positions,
        targets: Vec<Target>,
        store: HalfStore,
    }

    fn made(count: usize) -> Made {
        let mut rng = Rng::new(11);
        let mut number = || (rng.below(2001) as f32 - 1000.0) / 500.0;
        let mut store = HalfStore::new(1, 2);
        let mut targets: Vec<Target> = Concept::ALL
            .into_iter()
            .map(|concept| Target {
                name: frame_name(concept),
                source: "made up".into(),
                labels: Vec::new(),
            })
            .collect();
        for _ in 0..count {
            let labels: Vec<f32> = targets.iter().map(|_| number()).collect();
            let noise = |number: &mut dyn FnMut() -> f32| (0..64).map(|_| number()).collect::<Vec<f32>>();
            let (one, mut two) = (noise(&mut number), noise(&mut number));
            for (square, label) in labels.iter().enumerate() {
                two[square] = 3.0 * label + number();
            }
            store.push(&[one, two], Men::default()).unwrap();
            for (target, label) in targets.iter_mut().zip(labels) {
                target.labels.push(Some(label));
            }
        }
        let texts: Vec<(String, String)> = (0..count).map(|i| (format!("{}", i / 10), format!("{i}"))).collect();
        let positions = Positions::new(texts.iter().map(|(game, fen)| (game.as_str(), fen.as_str())), 7);
        Made {
            positions,
            targets,
            store,
        }
    }

    fn settings(count: usize) -> Settings {
        Settings {
            layers: vec!["block 1".parse().unwrap(), "block 2".parse().unwrap()],
            cs: vec![1e-3, 1e-2],
            // Many rows for 64 numbers, so that the noise averages out.
            training_share: 0.25,
            ..Settings::every_block(2, count, 7)
        }
    }

    fn run(job: &mut Fitting, store: &HalfStore) {
        while job.step(store).unwrap() != Step::Done {}
    }

    #[test]
    fn the_layer_that_holds_the_concept_is_found_and_the_probe_is_good() {
        let Made {
            positions,
            mut targets,
            store,
        } = made(1500);
        // Besides the 21: one that can be decided, from its sign alone, and one that has no labels.
        let fork = targets[4]
            .labels
            .iter()
            .map(|label| label.map(|l| f32::from(u8::from(l > 1.9))))
            .collect();
        for (name, labels) in [("Fork", fork), ("Pin", vec![None; 1500])] {
            let source = "made up".to_owned();
            let name = name.to_owned();
            targets.push(Target { name, source, labels });
        }
        let mut job = Fitting::new(positions, targets, settings(1500));
        assert_eq!(job.progress().total, 23 * (4 + 3 + 1));
        let mut last = 0;
        loop {
            let step = job.step(&store).unwrap();
            if step == Step::Done {
                break;
            }
            let progress = job.progress();
            assert!(progress.done > last && progress.done <= progress.total);
            last = progress.done;
        }
        assert_eq!(job.progress().done, job.progress().total);
        assert_eq!(job.refused()[0].name, "Pin");
        assert!(
            job.refused()[0].reason.contains("not enough labels"),
            "{:?}",
            job.refused()
        );
        for fitted in job.finished() {
            let card = &fitted.probe.card;
            assert_eq!(card.layer.to_string(), "block 2", "{}", card.name);
            assert_eq!(fitted.trials.len(), 5);
            assert_eq!(fitted.decisions.len(), job.positions().on(Side::Test).len());
            // "Fork" is in one position of forty: too few here for a good probe.
            if card.name != "Fork" {
                assert!(card.accuracy > 0.9, "{}: {}", card.name, card.accuracy);
                assert!(card.spearman.unwrap() > 0.8 && card.auc.unwrap() > 0.8, "{card:?}");
            }
        }
        let fork = &job.finished()[21];
        assert!(
            fork.counts.dropped > 0 && fork.counts.tied_negative > 0.9,
            "{:?}",
            fork.counts
        );
        assert_eq!(fork.probe.card.auc, None, "all of the middle has the same label");
        let set = job.probe_set(&"ab".repeat(32), 1).unwrap();
        assert_eq!(
            (set.extra().len(), set.blocks().into_iter().collect::<Vec<_>>()),
            (1, vec![2])
        );
        // The file judges as the fit did.
        let read = ProbeSet::read(&set.write()).unwrap();
        let test = job.positions().on(Side::Test);
        let mut row = Vec::new();
        store.rows(&"block 2".parse().unwrap(), &test[..1], &mut row).unwrap();
        assert_eq!(read.all()[3].decision(&row), job.finished()[3].decisions[0]);
    }

    #[test]
    fn a_job_goes_on_where_it_was_stopped() {
        let Made {
            positions,
            mut targets,
            store,
        } = made(600);
        targets.truncate(3);
        let new = || Fitting::new(positions.clone(), targets.clone(), settings(600));
        let mut whole = new();
        run(&mut whole, &store);
        let mut stopped = new();
        while stopped.progress().concepts < 1 {
            stopped.step(&store).unwrap();
        }
        stopped.step(&store).unwrap();
        let saved: Saved = serde_json::from_str(&serde_json::to_string(&stopped.save()).unwrap()).unwrap();
        let mut resumed = Fitting::resume(positions.clone(), targets.clone(), settings(600), saved.clone());
        assert_eq!(resumed.progress().concepts, 1);
        run(&mut resumed, &store);
        let probes = |job: &Fitting| {
            job.finished()
                .iter()
                .map(|f| f.probe.weights().to_vec())
                .collect::<Vec<_>>()
        };
        assert_eq!(probes(&resumed), probes(&whole));
        let other = Settings {
            seed: 8,
            ..settings(600)
        };
        assert_eq!(Fitting::resume(positions, targets, other, saved).progress().done, 0);
    }

    #[test]
    fn the_test_games_are_not_learnt_from() {
        let Made {
            positions,
            mut targets,
            store,
        } = made(600);
        targets.truncate(1);
        let mut job = Fitting::new(positions.clone(), targets.clone(), settings(600));
        run(&mut job, &store);
        // Other labels in the test games, within the same tails: the weights stay.
        let mut labels = targets[0].labels.clone();
        let test = positions.on(Side::Test);
        let swapped: Vec<Option<f32>> = test.iter().rev().map(|&i| labels[i as usize]).collect();
        for (&i, label) in test.iter().zip(swapped) {
            labels[i as usize] = label;
        }
        targets[0].labels = labels;
        let mut other = Fitting::new(positions, targets, settings(600));
        run(&mut other, &store);
        assert_eq!(job.finished()[0].probe.weights(), other.finished()[0].probe.weights());
        assert!(other.finished()[0].probe.card.accuracy < 0.8);
    }

    #[test]
    fn targets_are_in_the_movers_frame() {
        let mut raw = [0.0; 21];
        (raw[0], raw[3], raw[4]) = (1.0, 0.3, 0.4); // Material, White Knights, Black Knights
        let scores = ConceptScores::new(raw);
        let all = targets(
            &[
                (Some(scores), Color::White),
                (Some(scores), Color::Black),
                (None, Color::White),
            ],
            "s",
        );
        assert_eq!(all[0].labels, [Some(1.0), Some(-1.0), None]);
        assert_eq!(
            (all[3].name.as_str(), &all[3].labels[..2]),
            ("Our Knights", &[Some(0.3), Some(0.4)][..])
        );
        assert_eq!(
            (all[4].name.as_str(), &all[4].labels[..2]),
            ("Their Knights", &[Some(0.4), Some(0.3)][..])
        );
    }
}
