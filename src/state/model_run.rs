//! A long run of questions to a language model, one after another: how far it is, how it is stopped, how it fails. A study's
//! comments, a game's and a comparison's run in this shape, and `ui::model_run` shows all of them.

use std::pin::pin;

use futures_util::future::{Either, select};
use leptos::prelude::*;

use super::exchange::StopSlot;
use crate::services::endpoint::{Stop, stopper};

/// How far a run is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum RunStage {
    /// Nothing is asked.
    #[default]
    Quiet,
    /// An answer is awaited.
    Asking {
        /// Answers that came.
        done: usize,
        /// Answers asked for.
        all: usize,
        /// What is asked for, or why it takes longer.
        note: Option<String>,
    },
    /// It failed, in sentences; it can go on.
    Failed(String),
}

/// The runs of one place of the page; one at a time.
#[derive(Clone, Copy)]
pub struct ModelRun {
    stop: StopSlot,
    generation: StoredValue<u64>,
    /// How far it is.
    pub stage: RwSignal<RunStage>,
}

/// One of them. What it says after it was stopped is not heard.
#[derive(Clone, Copy)]
pub struct Going {
    run: ModelRun,
    generation: u64,
}

impl Default for ModelRun {
    fn default() -> Self {
        Self {
            stop: StoredValue::new_local(None),
            generation: StoredValue::new(0),
            stage: RwSignal::new(RunStage::Quiet),
        }
    }
}

impl ModelRun {
    /// Begins one; `None` while one is under way.
    #[must_use]
    pub fn begin(&self) -> Option<Going> {
        if matches!(self.stage.get_untracked(), RunStage::Asking { .. }) {
            return None;
        }
        self.generation.update_value(|g| *g += 1);
        Some(Going {
            run: *self,
            generation: self.generation.get_value(),
        })
    }

    /// Whether one is under way; tracked.
    #[must_use]
    pub fn is_asking(&self) -> bool {
        self.stage.with(|stage| matches!(stage, RunStage::Asking { .. }))
    }

    /// The same, untracked.
    #[must_use]
    pub fn is_asking_untracked(&self) -> bool {
        untrack(|| self.is_asking())
    }

    /// Ends the one under way; what has come stays.
    pub fn stop(&self) {
        self.generation.update_value(|g| *g += 1);
        if let Some(stop) = self.stop.try_update_value(Option::<Stop>::take).flatten() {
            stop.now();
        }
        self.stage.set(RunStage::Quiet);
    }
}

impl Going {
    /// False when it was stopped, or the page is gone.
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.run.generation.try_get_value() == Some(self.generation)
    }

    /// Where the exchange under way puts the way to stop it.
    #[must_use]
    pub fn stop_slot(&self) -> StopSlot {
        self.run.stop
    }

    /// What this work comes to; `None` where it was stopped first, and then the work is dropped.
    pub async fn unless_stopped<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        if !self.is_current() {
            return None;
        }
        let (stop, stopped) = stopper();
        self.run.stop.try_set_value(Some(stop));
        match select(pin!(work), pin!(stopped.heard())).await {
            Either::Left((done, _)) => self.is_current().then_some(done),
            Either::Right(_) => None,
        }
    }

    /// Says how far it is.
    pub fn tell(&self, done: usize, all: usize, note: Option<String>) {
        self.set(RunStage::Asking { done, all, note });
    }

    /// It is done.
    pub fn end(&self) {
        self.set(RunStage::Quiet);
    }

    /// It failed: what happened and what to do.
    pub fn fail(&self, problem: String) {
        self.set(RunStage::Failed(problem));
    }

    fn set(&self, stage: RunStage) {
        if self.is_current() {
            self.run.stage.set(stage);
        }
    }
}
