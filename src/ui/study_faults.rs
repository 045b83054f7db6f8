//! What is wrong with the study in the builder, said where it is mended.

use leptos::prelude::*;

use crate::{
    state::App,
    survey::study_file::{Fault, Place, check},
};

/// What keeps the study from being run, found once for all who show it.
#[derive(Clone, Copy)]
struct Found(Memo<Vec<Fault>>);

/// Looks for faults from here on; [`faults_at`] shows them below.
pub fn provide_faults() -> Memo<Vec<Fault>> {
    let study = App::get().builder.study;
    let found = Memo::new(move |_| study.with(check));
    provide_context(Found(found));
    found
}

/// The faults of these places, without the places: they stand there.
pub fn faults_at(here: impl Fn(Place) -> bool + Send + Sync + 'static) -> AnyView {
    let found = expect_context::<Found>().0;
    let said = Memo::new(move |_| {
        found.with(|found| {
            let mine = found.iter().filter(|fault| here(fault.place));
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
