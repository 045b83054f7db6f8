//! The course of the concepts along the open game: the probes' scores of every position of its main line, in batches,
//! with progress, stop and resumption.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::{annotation::MainLine, concepts::ConceptScores, services::network::Network};

/// How far the reading is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum CourseStage {
    /// Nothing was asked for.
    #[default]
    Idle,
    /// The network is at work.
    Running,
    /// The user stopped it; it can go on.
    Stopped,
    /// Something went wrong, in a sentence; it can go on.
    Failed(String),
    /// Every position is read.
    Done,
}

/// Positions that are asked for at once: few, so that the move under discussion does not wait long.
const BATCH: usize = 4;

/// The course.
#[derive(Clone, Copy)]
pub struct CourseState {
    network: StoredValue<Network, LocalStorage>,
    /// Goes up when a reading begins and when it is to stop.
    generation: StoredValue<u64>,
    /// What the scores are of: the line, and the network with its probes.
    of: StoredValue<Option<(MainLine, u32)>>,
    /// How far it is.
    pub stage: RwSignal<CourseStage>,
    /// The standardised scores of the line's first positions.
    pub scores: RwSignal<Vec<ConceptScores>>,
}

impl CourseState {
    /// Nothing read.
    #[must_use]
    pub fn new(network: Network) -> Self {
        Self {
            network: StoredValue::new_local(network),
            generation: StoredValue::new(0),
            of: StoredValue::new(None),
            stage: RwSignal::new(CourseStage::Idle),
            scores: RwSignal::new(Vec::new()),
        }
    }

    /// Follows the open game's main line and the network in use: what was read of another is forgotten, what a longer line
    /// begins with is kept. One that the user stopped stays so.
    pub fn follow(&self, line: &MainLine) {
        let changes = self.network.with_value(Network::changes);
        let shared = self.of.with_value(|of| match of {
            Some((old, network)) if *network == changes => {
                let same = |(a, b): &(_, _)| a == b;
                Some(old.positions().iter().zip(line.positions()).take_while(same).count())
            }
            _ => None,
        });
        let same = self
            .of
            .with_value(|of| matches!(of, Some((old, network)) if old == line && *network == changes));
        if !same {
            self.halt();
            self.scores.update(|scores| scores.truncate(shared.unwrap_or(0)));
            self.of.set_value(Some((line.clone(), changes)));
            self.stage.set(CourseStage::Idle);
        }
        if self.stage.get_untracked() == CourseStage::Idle {
            self.resume();
        }
    }

    /// No course is wanted for now; what is read is kept.
    pub fn rest(&self) {
        if self.stage.get_untracked() == CourseStage::Running {
            self.halt();
            self.stage.set(CourseStage::Idle);
        }
    }

    /// Goes on where it stopped.
    pub fn resume(&self) {
        let Some((line, _)) = self.of.get_value() else { return };
        self.halt();
        let generation = self.generation.get_value();
        self.stage.set(CourseStage::Running);
        let this = *self;
        spawn_local(async move {
            let end = this.read(&line, generation).await;
            if this.is_current(generation) {
                this.stage.set(end);
            }
        });
    }

    /// Stops; what is read is kept.
    pub fn stop(&self) {
        self.halt();
        self.stage.set(CourseStage::Stopped);
    }

    fn halt(&self) {
        self.generation.update_value(|generation| *generation += 1);
    }

    fn is_current(&self, generation: u64) -> bool {
        self.generation.try_with_value(|g| *g == generation).unwrap_or(false)
    }

    async fn read(&self, line: &MainLine, generation: u64) -> CourseStage {
        let network = self.network.get_value();
        let positions = line.positions();
        loop {
            let from = self.scores.with_untracked(Vec::len);
            if from >= positions.len() {
                return CourseStage::Done;
            }
            let to = (from + BATCH).min(positions.len());
            let read = network.scores_along(positions, from..to, line.mode()).await;
            if !self.is_current(generation) {
                return CourseStage::Stopped;
            }
            match read {
                Ok(Some(new)) => self.scores.update(|scores| scores.extend(new)),
                Ok(None) => {
                    return CourseStage::Failed("The network in use has no concept probes.".to_owned());
                }
                Err(error) => return CourseStage::Failed(error.to_string()),
            }
        }
    }
}
