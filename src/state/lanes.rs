//! Requests of a long run that are under way side by side, each in its lane, and the way to stop all of them.

use leptos::prelude::*;

use crate::services::endpoint::{Stop, Stopped, stopper};

/// The lanes of one place of the page.
#[derive(Clone, Copy)]
pub struct Lanes(StoredValue<Vec<Option<Stop>>, LocalStorage>);

impl Default for Lanes {
    fn default() -> Self {
        Self(StoredValue::new_local(Vec::new()))
    }
}

impl Lanes {
    /// So many, in which nothing is under way.
    pub fn open(&self, count: usize) {
        self.0.set_value((0..count).map(|_| None).collect());
    }

    /// What the request hears that begins in this lane.
    pub fn begin(&self, lane: usize) -> Stopped {
        let (stop, stopped) = stopper();
        self.0.try_update_value(|stops| {
            if let Some(place) = stops.get_mut(lane) {
                *place = Some(stop);
            }
        });
        stopped
    }

    /// Stops what is under way in every lane.
    pub fn stop(&self) {
        let stops = self.0.try_update_value(std::mem::take).unwrap_or_default();
        for stop in stops.into_iter().flatten() {
            stop.now();
        }
    }
}
