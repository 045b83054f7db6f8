//! Work that follows what changes often and takes no more than its share of the time, however much there is to do.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::browser::clock;

/// Work that took less, in milliseconds, is done at every change.
const LIGHT: f64 = 5.0;
/// What took longer rests so many times as long before it is done again.
const REST: f64 = 9.0;

/// Whether the work is asked for, and whether it is under way or rests.
#[derive(Debug, Clone, Copy)]
pub struct Seldom {
    asked: StoredValue<bool>,
    busy: StoredValue<bool>,
}

impl Seldom {
    /// Nothing asked for.
    #[must_use]
    pub fn new() -> Self {
        Self {
            asked: StoredValue::new(false),
            busy: StoredValue::new(false),
        }
    }

    /// Has the work done soon: at once as a rule, and where it takes long when it has rested. However often it is asked for
    /// meanwhile, it is done once then.
    pub fn ask(&self, work: impl AsyncFn() + 'static) {
        let this = *self;
        this.asked.set_value(true);
        if this.busy.try_get_value() != Some(false) {
            return;
        }
        this.busy.set_value(true);
        spawn_local(async move {
            // What asks for it may be gone by then, as with a page that was left.
            while this.asked.try_update_value(std::mem::take) == Some(true) {
                let start = clock::now();
                work().await;
                let took = clock::now() - start;
                if took > LIGHT {
                    clock::sleep(std::time::Duration::from_secs_f64(took * REST / 1000.0)).await;
                }
            }
            this.busy.try_set_value(false);
        });
    }
}

impl Default for Seldom {
    fn default() -> Self {
        Self::new()
    }
}
