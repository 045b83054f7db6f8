//! The study builder's part on raters: how many, who sees what, how they come, and where they go.

use leptos::prelude::*;

use crate::{
    state::App,
    survey::{
        Study,
        links::{read_slots, write_slots},
        recruitment::{Exit, Recruitment},
        study::Consequence,
    },
    ui::study_fields::{area, choice, line, number, tick},
};

/// An end of the study: its name in ids, what it is, and its place.
type End = (&'static str, &'static str, fn(&mut Recruitment) -> &mut Exit);

const ENDS: [End; 5] = [
    ("complete", "When everything is answered", |r| &mut r.complete),
    ("screened-out", "When a rater's answers do not fit the study", |r| {
        &mut r.screened_out
    }),
    (
        "failed-comprehension",
        "When the questions on the instructions are failed",
        |r| &mut r.failed_comprehension,
    ),
    ("failed-checks", "When too many silent checks are failed", |r| {
        &mut r.failed_checks
    }),
    ("declined", "When a rater does not agree", |r| &mut r.declined),
];

fn read<T>(study: &Study, get: impl Fn(&mut Recruitment) -> T) -> T {
    let mut recruitment = study.recruitment.clone().unwrap_or_default();
    get(&mut recruitment)
}

fn write(study: &mut Study, set: impl Fn(&mut Recruitment)) {
    let mut recruitment = study.recruitment.take().unwrap_or_default();
    set(&mut recruitment);
    study.recruitment = (recruitment != Recruitment::default()).then_some(recruitment);
}

fn some(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn end((id, label, of): End) -> AnyView {
    let text = move |study: &Study| read(study, |r| of(r).text.clone().unwrap_or_default());
    let code = move |study: &Study| read(study, |r| of(r).code.clone().unwrap_or_default());
    let redirect = move |study: &Study| read(study, |r| of(r).redirect.clone().unwrap_or_default());
    view! {
        <fieldset class="entry">
            <legend>{label}</legend>
            {area(format!("builder-{id}-text"), "What raters read (empty: the page's own words)", text, move |s, v| write(s, |r| of(r).text = some(&v)))}
            {line(format!("builder-{id}-code"), "Code", code, move |s, v| write(s, |r| of(r).code = some(&v)))}
            {line(format!("builder-{id}-redirect"), "Where they go: https://…, with {code}, {rater}, {participant} in it", redirect,
                move |s, v| write(s, |r| of(r).redirect = some(&v)))}
        </fieldset>
    }
    .into_any()
}

/// How many raters, and who sees what.
#[component]
pub fn RatersEditor() -> impl IntoView {
    let state = App::get().builder;
    let needed = move || {
        state.study.with(|study| {
            let items = study.items.len();
            match study.options.allocation.needed(items) {
                Some(slots) if items > 0 => format!(
                    "{slots} raters are needed, each for {} items.",
                    study.options.allocation.items_for_one(items)
                ),
                _ => String::new(),
            }
        })
    };
    let consequences = |_: &Study| {
        [
            ("flag", "nothing: the analysis flags them"),
            ("exit", "they go on, and get the other code at the end"),
            ("end", "the study ends at once"),
        ]
        .map(|(value, shown)| (value.to_owned(), shown.to_owned()))
        .to_vec()
    };
    let consequence = |study: &Study| {
        match study.checks.failing.then {
            Consequence::Flag => "flag",
            Consequence::Exit => "exit",
            Consequence::End => "end",
        }
        .to_owned()
    };
    let again = RwSignal::new(String::new());
    view! {
        <section class="card survey-form" id="builder-raters">
            <h2>"Raters"</h2>
            {number("builder-items-per-rater", "Items for each rater (0: all)", |s| s.options.allocation.items_per_rater.unwrap_or(0),
                |s, v: usize| s.options.allocation.items_per_rater = (v > 0).then_some(v))}
            {number("builder-raters-per-item", "Raters for each item (0: not said)", |s| s.options.allocation.raters_per_item.unwrap_or(0),
                |s, v: usize| s.options.allocation.raters_per_item = (v > 0).then_some(v))}
            <p id="builder-needed" role="status">{needed}</p>
            <p class="hint">
                "Each rater has a slot, a number from 1. Slots that are all taken give every item the same number of raters, and every \
                 method the same places. A link with a slot in it takes that one; a code with a number at its end takes the number; \
                 names from a recruiting site are drawn to a slot by chance."
            </p>
            {number("builder-slots", "Slots that names are drawn to (0: as many as are needed)", |s| s.options.allocation.slots.unwrap_or(0),
                |s, v: u64| s.options.allocation.slots = (v > 0).then_some(v))}
            {line("builder-reissue", "Slots to be given out again, because their raters did not finish: 3, 7, 10-12",
                |s| write_slots(&s.options.allocation.reissue),
                |s, v| if let Ok(slots) = read_slots(&v) { s.options.allocation.reissue = slots })}
            <div class="row">
                <label for="builder-study-address">"Where the study file will lie"</label>
                <input id="builder-study-address" autocomplete="off" prop:value=again on:input=move |event| again.set(event_target_value(&event)) />
                <button type="button" id="builder-links" on:click=move |_| state.save_links(&again.get_untracked())>"Save a link for each slot"</button>
            </div>
            {choice("builder-failing", "Who fails silent checks:", consequences, consequence, |s, v| {
                s.checks.failing.then = match v.as_str() {
                    "exit" => Consequence::Exit,
                    "end" => Consequence::End,
                    _ => Consequence::Flag,
                };
            })}
            {number("builder-failing-allowed", "Checks that may be failed without that", |s| s.checks.failing.allowed, |s, v| s.checks.failing.allowed = v)}
            {tick("builder-pilot", "This is a pilot: results are marked, and kept out of analyses", |s| s.options.pilot, |s, v| s.options.pilot = v)}
        </section>
    }
}

/// How raters come, and where they go.
#[component]
pub fn RecruitmentEditor() -> impl IntoView {
    view! {
        <section class="card survey-form" id="builder-recruitment">
            <h2>"Raters from a recruiting site"</h2>
            <p class="hint">
                "A site such as Prolific writes its raters' names into your link, and pays whoever comes back with the code. Raters see \
                 the code and a link back when all their answers have arrived, and nothing of the rest of Kibitz."
            </p>
            {line("builder-participant", "The part of the link that names the rater, such as PROLIFIC_PID (empty: raters type a code)",
                |s| read(s, |r| r.participant.clone().unwrap_or_default()),
                |s, v| write(s, |r| r.participant = some(&v)))}
            <details>
                <summary>"The ends, with their texts and codes"</summary>
                <div class="entries">{ENDS.into_iter().map(end).collect_view()}</div>
            </details>
        </section>
    }
}
