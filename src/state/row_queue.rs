//! Rows of a long run that wait to be kept in this browser, in the order in which they came. What comes while one is written is
//! written next, in one piece.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::services::saved_lines::SavedLines;

/// The queue of a run.
#[derive(Debug, Clone, Copy)]
pub struct RowQueue {
    saved: SavedLines,
    /// How many rows of the place are taken.
    taken: StoredValue<usize>,
    waiting: StoredValue<Vec<String>>,
    busy: StoredValue<bool>,
}

impl RowQueue {
    /// For rows of this place.
    #[must_use]
    pub fn new(saved: SavedLines) -> Self {
        Self {
            saved,
            taken: StoredValue::new(0),
            waiting: StoredValue::new(Vec::new()),
            busy: StoredValue::new(false),
        }
    }

    /// Begins after so many rows that are kept; what waits is forgotten.
    pub fn begin_after(&self, rows: usize) {
        self.taken.set_value(rows);
        self.waiting.set_value(Vec::new());
    }

    /// Has lines kept; `failed` is called where the browser keeps nothing. Nobody stops it: what is done is written to its end.
    pub fn keep(&self, lines: String, failed: impl Fn() + 'static) {
        self.waiting.try_update_value(|waiting| waiting.push(lines));
        if self.busy.try_get_value() != Some(false) {
            return;
        }
        self.busy.set_value(true);
        let this = *self;
        spawn_local(async move {
            while let Some(lines) = this
                .waiting
                .try_update_value(std::mem::take)
                .filter(|lines| !lines.is_empty())
            {
                let number = this.taken.try_update_value(|taken| {
                    *taken += 1;
                    *taken - 1
                });
                let Some(number) = number else { return };
                if this.saved.keep_row(number, &lines.concat()).await.is_err() {
                    failed();
                }
            }
            this.busy.try_set_value(false);
        });
    }
}
