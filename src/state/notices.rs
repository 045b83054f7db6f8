//! Notices that are put together from several.

use leptos::prelude::*;

/// Puts what there is to say, if there is anything, behind what is said already.
pub fn add(said: RwSignal<Option<String>>, more: Option<String>) {
    if let Some(more) = more {
        said.update(|said| {
            *said = Some(match said.take() {
                Some(before) => format!("{before} {more}"),
                None => more,
            });
        });
    }
}
