//! Stores that are made when they are first asked for: what only some pages have is not code that all of them load.

use std::{cell::OnceCell, thread::LocalKey};

use leptos::prelude::*;

use super::App;

/// The one store of the page, made at the first call; it stays while pages come and go.
pub fn on_demand<T: Copy + 'static>(store: &'static LocalKey<OnceCell<T>>, make: impl FnOnce(App) -> T) -> T {
    let app = App::get();
    store.with(|store| *store.get_or_init(|| app.owner.with_value(|owner| owner.with(|| make(app)))))
}
