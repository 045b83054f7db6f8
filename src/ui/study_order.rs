//! The study builder's part on how a study runs: the order of the pages, breaks, going back, coming back.

use leptos::prelude::*;

use crate::{
    survey::{
        Study,
        study::{Breaks, Grouping},
        study_file::Place,
    },
    ui::{
        study_faults::faults_at,
        study_fields::{choice, number, tick},
    },
};

/// The groupings by the names that files use, with what is shown for them.
const GROUPINGS: [(Grouping, &str, &str); 2] = [
    (
        Grouping::ByItem,
        "by-item",
        "all comments on a move in a row, as in the paper",
    ),
    (Grouping::Rounds, "rounds", "every move once, then every move again"),
];

/// Order, breaks, times.
#[component]
pub fn OrderEditor() -> impl IntoView {
    let breaks = |study: &mut Study, change: &dyn Fn(&mut Breaks)| {
        let mut breaks = study.options.breaks.unwrap_or(Breaks {
            after: 50,
            minutes: 10,
            skippable: false,
        });
        change(&mut breaks);
        study.options.breaks = (breaks.after > 0).then_some(breaks);
    };
    let groupings = |_: &Study| {
        GROUPINGS
            .map(|(_, word, shown)| (word.to_owned(), shown.to_owned()))
            .to_vec()
    };
    let grouping = |study: &Study| {
        let pages = study.options.order.pages;
        let found = GROUPINGS.into_iter().find(|(grouping, ..)| *grouping == pages);
        found.map_or("", |(_, word, _)| word).to_owned()
    };
    let set_grouping = |study: &mut Study, word: String| {
        if let Some((grouping, ..)) = GROUPINGS.into_iter().find(|(_, known, _)| *known == word) {
            study.options.order.pages = grouping;
        }
    };
    view! {
        <section class="card survey-form" id="builder-order">
            <h2>"How it runs"</h2>
            {choice("builder-grouping", "Order of the comments", groupings, grouping, set_grouping)}
            {tick("builder-shuffle", "Items in another order for each rater", |s| s.options.order.shuffle, |s, v| s.options.order.shuffle = v)}
            {number("builder-seed", "Seed of the orders", |s| s.options.order.seed, |s, v| s.options.order.seed = v)}
            {number("builder-break-after", "A break after so many comments (0: none)", |s| s.options.breaks.map_or(0, |b| b.after),
                move |s, v| breaks(s, &|b| b.after = v))}
            {number("builder-break-minutes", "Minutes of a break", |s| s.options.breaks.map_or(0, |b| b.minutes),
                move |s, v| breaks(s, &|b| b.minutes = v))}
            {tick("builder-skippable", "Breaks can be skipped", |s| s.options.breaks.is_some_and(|b| b.skippable), move |s, v| breaks(s, &|b| b.skippable = v))}
            {faults_at(|place| place == Place::Breaks)}
            {tick("builder-back", "Raters can go back", |s| s.options.back, |s, v| s.options.back = v)}
            {number("builder-resume", "Hours within which one can come back (0: no limit)", |s| s.options.resume_hours.unwrap_or(0),
                |s, v| s.options.resume_hours = (v > 0).then_some(v))}
            {number("builder-seconds", "Seconds that a page takes, for the time left until pages have been timed",
                |s| s.options.seconds_per_page, |s, v| s.options.seconds_per_page = v)}
            {faults_at(|place| place == Place::Times)}
        </section>
    }
}
