//! Who took part, and sessions that were a try before the study.
#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::sync::Arc;

use kibitz::survey::{
    Event, ResponseSet, Session, Stage,
    analysis::{Options, Report, analyse, layout::Which, material::Material, table::Cell},
    demonstration::demonstration,
    live::{Reached, live},
    merge::{Merged, Pilots, Results, merge_with},
    responses::{Kind, Outcome, PageResponse},
};

use crate::survey_kit::Rater;

/// A rater's results after so many events.
fn session(code: &str, seed: u64, most: usize) -> ResponseSet {
    let study = Arc::new(demonstration().unwrap());
    let mut session = Session::new(study, code);
    let mut rater = Rater::new(seed);
    let mut journal: Vec<Event> = Vec::new();
    while journal.len() < most && !matches!(session.stage(), Stage::Done | Stage::Ended(_)) {
        let event = rater.event(&session);
        if session.apply(&event).is_ok() {
            journal.push(event);
        }
    }
    ResponseSet::collect(&session, &journal, "test")
}

fn put_together(sets: &[ResponseSet], pilots: Pilots) -> Merged {
    let file = |set: &ResponseSet| (format!("{}.json", set.rater), Results::Sets(vec![set.clone()]));
    merge_with(sets.iter().map(file).collect(), pilots)
}

fn analysed(merged: &Merged) -> Report {
    let mut material = Material::from(&demonstration().unwrap());
    material.add_sets(&merged.sets);
    analyse(&merged.ratings, &material, &Options::default()).unwrap()
}

#[test]
fn everybody_has_a_row() {
    let mut sets = [session("R1", 1, 4_000), session("R2", 2, 150), session("R3", 3, 2)];
    sets[0].participant = Some("5f2a".to_owned());
    sets[0].slot = Some(4);
    let report = analysed(&put_together(&sets, Pilots::LeftOut));
    assert_eq!(report.participants.len(), 3);
    let [first, second, third] = &report.participants[..] else {
        panic!()
    };
    assert_eq!(
        (first.outcome, first.answered),
        (Some(sets[0].outcome), sets[0].answered())
    );
    assert_eq!((first.participant.as_deref(), first.slot), (Some("5f2a"), Some(4)));
    let active: u64 = sets[0].pages.iter().map(|page| page.active_ms).sum();
    assert_eq!(first.active_ms, Some(active));
    let times: Vec<u64> = sets[0].journal.iter().map(|event| event.at.wall).collect();
    assert!(first.total_ms.unwrap() >= times.iter().max().unwrap() - times.iter().min().unwrap());
    assert_eq!(first.form["rating"], "1776");
    assert_eq!(
        (second.outcome, second.pages),
        (Some(Outcome::Partial), Some(sets[1].pages_in_all))
    );
    // Nothing was rated, and the row is there all the same.
    assert_eq!((third.rater.as_str(), third.answered), ("R3", 0));
    let checks = |passed| sets[0].pages.iter().filter(|page| page.passed == Some(passed)).count();
    assert_eq!(
        (first.checks_passed, first.checks_failed),
        (checks(true), checks(false))
    );
    let table = report.table(Which::Participants);
    assert_eq!(table.rows.len(), 3);
    let rating = table.head.iter().position(|name| name == "form_rating").unwrap();
    assert_eq!(
        table.head[rating - 1],
        "included",
        "the rating stands before other fields"
    );
    let said = |words: &str| table.notes.iter().any(|note| note.contains(words));
    assert!(
        said("mean 1776, 1776 to 1776 (n = ") && said("looking at pages"),
        "{:?}",
        table.notes
    );
    assert_eq!(
        (&table.rows[0][rating], &table.rows[2][rating]),
        (&Cell::from("1776"), &Cell::None)
    );
}

#[test]
fn raters_known_from_rows_alone_have_what_rows_say() {
    let set = session("R1", 1, 4_000);
    let rows = set.ratings();
    let material = Material::from(&demonstration().unwrap());
    let report = analyse(&rows, &material, &Options::default()).unwrap();
    let row = &report.participants[0];
    assert_eq!((row.outcome, row.pages, row.answered), (None, None, set.answered()));
    assert_eq!(
        row.checks_passed + row.checks_failed,
        set.pages.iter().filter(|page| page.passed.is_some()).count()
    );
    assert!(row.active_ms.unwrap() > 0 && row.total_ms.is_some());
}

#[test]
fn a_running_study_is_seen_from_what_has_arrived() {
    let mut sets = [
        session("R1", 1, 4_000),
        session("R2", 2, 150),
        session("R3", 3, 2),
        session("R2", 2, 90),
    ];
    let study = demonstration().unwrap();
    let found = live(sets.iter(), Some(&study));
    assert_eq!((found.raters.len(), found.earlier, found.others), (3, 1, 0));
    assert_eq!(found.raters[0].reached, Reached::Over(sets[0].outcome));
    assert_eq!(found.raters[1].answered, sets[1].answered());
    assert!(
        matches!(found.raters[2].reached, Reached::Opened | Reached::Agreed),
        "{:?}",
        found.raters[2]
    );
    assert_eq!(found.quotas.len(), study.comments());
    let counted: usize = found.quotas.iter().map(|quota| quota.ratings).sum();
    let comments = |set: &ResponseSet| {
        let of_comments = |page: &&PageResponse| page.kind == Kind::Comment && page.answered_at.is_some();
        set.pages.iter().filter(of_comments).count()
    };
    assert_eq!(counted, sets[..3].iter().map(comments).sum::<usize>());
    // A pilot session is seen and not counted; another study's sets are named.
    sets[0].pilot = true;
    sets[3].study.id = "another".to_owned();
    let found = live(sets.iter(), None);
    assert_eq!((found.others, found.raters[0].pilot), (1, true));
    assert_eq!(
        found.quotas.iter().map(|quota| quota.ratings).sum::<usize>(),
        comments(&sets[1]) + comments(&sets[2])
    );
    assert_eq!(live([].into_iter(), None).raters, []);
}

#[test]
fn pilot_sessions_are_kept_out_and_said() {
    let mut sets = [session("R1", 1, 4_000), session("R2", 2, 4_000)];
    sets[1].pilot = true;
    let notes = |merged: &Merged| {
        merged
            .notes
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("\n")
    };
    let without = put_together(&sets, Pilots::LeftOut);
    assert!(
        notes(&without).contains("1 pilot session (R2) is kept out of the analysis."),
        "{}",
        notes(&without)
    );
    assert!(without.ratings.iter().all(|row| row.rater == "R1"));
    assert_eq!(analysed(&without).participants.len(), 1);
    let with = put_together(&sets, Pilots::Included);
    assert!(notes(&with).contains("1 pilot session (R2) is counted in the analysis."));
    let report = analysed(&with);
    assert_eq!((report.counts.raters, report.participants[1].pilot), (2, true));
    // Rows of the same rater go with the session; a session that was no try goes before one that was.
    let rows = Results::Rows(sets[1].ratings());
    let file = |set: &ResponseSet| ("set.json".to_owned(), Results::Sets(vec![set.clone()]));
    let merged = merge_with(vec![file(&sets[1]), ("rows.csv".to_owned(), rows)], Pilots::LeftOut);
    assert!(merged.ratings.is_empty());
    let mut real = sets[1].clone();
    real.pilot = false;
    real.pages.truncate(3);
    for pilots in [Pilots::LeftOut, Pilots::Included] {
        for order in [[&real, &sets[1]], [&sets[1], &real]] {
            let merged = merge_with(order.map(file).into(), pilots);
            assert_eq!(merged.sets, [real.clone()]);
        }
    }
}
