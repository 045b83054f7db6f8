//! How many raters a study needs: simulated studies by the thousand, in slices.

use std::cell::OnceCell;

use futures_util::future::{AbortHandle, abortable};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::on_demand::on_demand;
use crate::{
    browser::slices::Slices,
    stats::{
        rate::Rate,
        reach::{PairedTest, unreachable_levels},
    },
    survey::simulation::{Effect, Needed},
};

/// The search for the number of raters.
#[derive(Clone, Copy)]
pub struct PowerState {
    /// Whether it runs.
    pub running: RwSignal<bool>,
    /// What was tried: raters, and the share of simulated studies that found the effect.
    pub tried: RwSignal<Vec<(usize, Rate)>>,
    /// Raters needed; `None` before it is computed.
    pub needed: RwSignal<Option<Needed>>,
    /// What no ratings whatever can show in such a study, as sentences.
    pub unreachable: RwSignal<Vec<String>>,
    handle: StoredValue<Option<AbortHandle>>,
}

impl PowerState {
    /// The one of the page.
    #[must_use]
    pub fn get() -> Self {
        thread_local! {
            static STORE: OnceCell<PowerState> = const { OnceCell::new() };
        }
        on_demand(&STORE, |_| Self::new())
    }

    /// Not asked yet.
    fn new() -> Self {
        Self {
            running: RwSignal::new(false),
            tried: RwSignal::new(Vec::new()),
            needed: RwSignal::new(None),
            unreachable: RwSignal::new(Vec::new()),
            handle: StoredValue::new(None),
        }
    }

    /// Looks for the fewest raters, of at most `most`, who find the effect with this power in a table of so many
    /// comparisons. What cannot be found at all is said at once.
    pub fn find(&self, effect: Effect, power: f64, most: usize, comparisons: usize) {
        self.stop();
        self.tried.set(Vec::new());
        self.needed.set(None);
        self.unreachable.set(unreachable_levels(
            effect.positions,
            PairedTest::SignedRank,
            comparisons,
        ));
        self.running.set(true);
        let this = *self;
        let (work, handle) = abortable(async move {
            let heard = |tried: &std::collections::BTreeMap<usize, Rate>| {
                this.tried
                    .set(tried.iter().map(|(raters, rate)| (*raters, *rate)).collect());
            };
            let needed = effect.raters_needed_in_turns(power, most, heard, &Slices::new()).await;
            this.needed.set(Some(needed));
            this.running.set(false);
        });
        self.handle.set_value(Some(handle));
        spawn_local(async move {
            // Stopped or done: either way there is nothing more to do.
            let _ = work.await;
        });
    }

    /// Ends the search; what was tried stays.
    pub fn stop(&self) {
        if let Some(handle) = self.handle.try_update_value(Option::take).flatten() {
            handle.abort();
        }
        self.running.set(false);
    }
}
