//! The study builder's part on the instrument: all texts as one file, out and in.

use leptos::prelude::*;

use crate::{
    state::App,
    survey::limits::MAX_STUDY_BYTES,
    ui::drop_zone::{ChooseFiles, Taker},
};

/// Whose words the texts are, and how somebody else's come in.
#[component]
pub fn InstrumentEditor() -> impl IntoView {
    let state = App::get().builder;
    let taker = Taker::new(MAX_STUDY_BYTES, move |file| match file {
        Ok(file) => state.open_instrument(file),
        Err(error) => state.refuse(format!("{error}.")),
    });
    view! {
        <section class="card survey-form" id="builder-instrument">
            <h2>"The instrument: whose words these are"</h2>
            <p class="hint">
                "The paper’s structure has the paper’s scope in Kibitz’s own words. To use a published questionnaire word for \
                 word, save the instrument, replace its texts (consent, questions, instructions, scales, criteria, practice) by \
                 those of the publication, and open it here: your moves, comments and checks stay."
            </p>
            <div class="row">
                <button id="builder-instrument-save" type="button" on:click=move |_| state.save_instrument()>"Save the instrument"</button>
                <ChooseFiles taker id="builder-instrument-file" label="Open an instrument…" accept=".json,application/json" />
            </div>
        </section>
    }
}
