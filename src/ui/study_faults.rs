//! What is wrong with the study in the builder, said where it is mended.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::slices::Slices,
    state::App,
    survey::study_file::{Fault, Place, check_at},
};

/// What keeps the study from being run, found once for all who show it; `None` until it is known.
#[derive(Clone, Copy)]
struct Found(ReadSignal<Option<Vec<Fault>>>);

/// What is said of a study with more items while it is looked through, in slices, does not stay until that is done.
const LONG: usize = 500;

/// Looks for faults from here on; [`faults_at`] shows them below.
pub fn provide_faults() -> ReadSignal<Option<Vec<Fault>>> {
    let study = App::get().builder.study;
    let found = RwSignal::new(None);
    let latest = StoredValue::new(0_u64);
    Effect::new(move |_| {
        let now = study.get();
        latest.update_value(|number| *number += 1);
        let number = latest.get_value();
        if now.items.len() > LONG {
            found.set(None);
        }
        spawn_local(async move {
            let faults = check_at(&now, &Slices::new()).await;
            // The study may have changed meanwhile, or the page was left.
            if latest.try_get_value() == Some(number) && found.with_untracked(|found| found.as_ref() != Some(&faults)) {
                found.set(Some(faults));
            }
        });
    });
    provide_context(Found(found.read_only()));
    found.read_only()
}

/// The faults of these places, without the places: they stand there.
pub fn faults_at(here: impl Fn(Place) -> bool + Send + Sync + 'static) -> AnyView {
    let found = expect_context::<Found>().0;
    let said = Memo::new(move |_| {
        found.with(|found| {
            let mine = found.iter().flatten().filter(|fault| here(fault.place));
            mine.map(|fault| fault.wrong.to_string()).collect::<Vec<_>>()
        })
    });
    view! {
        <ul class="place-faults" aria-live="polite">
            {move || said.get().into_iter().map(|fault| view! { <li class="problem">{fault}</li> }).collect_view()}
        </ul>
    }
    .into_any()
}
