//! Sessions of raters of chance: nothing answered is lost, wherever they are cut, and what is exported comes back.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{collections::BTreeSet, sync::Arc};

use crate::survey_kit::{Rater, studies};
use kibitz::survey::{
    Event, PageKind, ResponseSet, Session, Stage, Stamp,
    assignment::{assign, rater_number, williams},
    demonstration::demonstration,
    denial::Denial,
    event::What,
    long_form::{read_csv, write_csv},
    merge::{Note, Results, merge, read_results},
    session::Ending,
    study::{Grouping, Study},
};
use proptest::{prelude::*, test_runner::RngSeed};

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 96,
        rng_seed: RngSeed::Fixed(5),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_rater_sees_every_comment_once(study in studies(), rater in "[a-z]{0,3}[0-9]{0,2}") {
        let pages = assign(&study, &rater);
        prop_assert_eq!(&pages, &assign(&study, &rater), "the same from the same seed");
        prop_assert_eq!(pages.len(), study.pages());
        let names: BTreeSet<&str> = pages.iter().map(|page| page.id.as_str()).collect();
        prop_assert_eq!(names.len(), pages.len(), "no name twice");
        let mut comments: Vec<(usize, usize)> = pages.iter().filter_map(|page| match page.kind {
            PageKind::Comment(item, comment) => Some((item, comment)),
            _ => None,
        }).collect();
        comments.sort_unstable();
        let all: Vec<(usize, usize)> = study.items.iter().enumerate()
            .flat_map(|(i, item)| (0..item.comments.len()).map(move |c| (i, c))).collect();
        prop_assert_eq!(comments, all);
    }

    #[test]
    fn checks_lie_where_they_may(study in studies(), rater in 0..40_u32) {
        let pages = assign(&study, &rater.to_string());
        let is_check = |at: usize| !matches!(pages[at].kind, PageKind::Comment(..));
        prop_assert!(!is_check(0));
        for at in 1..pages.len() {
            prop_assert!(!(is_check(at) && is_check(at - 1)), "two checks side by side");
            if let PageKind::Repeat(item, comment) = pages[at].kind {
                let first = pages.iter().position(|page| page.kind == PageKind::Comment(item, comment)).unwrap();
                prop_assert!(first + study.checks.repeat_gap < at, "{first} {at}");
            }
        }
        let planted = pages.iter().filter(|page| matches!(page.kind, PageKind::Planted(_))).count();
        let repeats = pages.iter().filter(|page| matches!(page.kind, PageKind::Repeat(..))).count();
        prop_assert_eq!((planted, repeats), (study.checks.planted.len(), study.checks.repeats));
    }

    /// Over raters numbered without a gap, on every item: each method is as often in each place, and follows each other
    /// method as often.
    #[test]
    fn methods_are_balanced(study in studies(), first in 0..50_usize) {
        let mut study = study;
        study.checks.planted.clear();
        study.checks.repeats = 0;
        study.options.order.pages = Grouping::ByItem;
        for (item, n) in study.items.iter().map(|item| item.comments.len()).enumerate() {
            let rows = williams(n).len();
            let mut places = vec![vec![0; n]; n];
            let mut follows = vec![vec![0; n]; n];
            for rater in first..first + rows {
                let order: Vec<usize> = assign(&study, &format!("R{rater:03}")).iter().filter_map(|page| match page.kind {
                    PageKind::Comment(i, comment) if i == item => Some(comment),
                    _ => None,
                }).collect();
                for (place, method) in order.iter().enumerate() {
                    places[place][*method] += 1;
                }
                for pair in order.windows(2) {
                    follows[pair[0]][pair[1]] += 1;
                }
            }
            prop_assert!(places.iter().flatten().all(|count| count * n == rows), "{places:?}");
            let pairs: BTreeSet<usize> = (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).filter(|(a, b)| a != b)
                .map(|(a, b)| follows[a][b]).collect();
            prop_assert!(pairs.len() <= 1, "{follows:?}");
        }
    }

    /// A journal cut anywhere is a session that can be gone on with, and every page answered before the cut is there.
    #[test]
    fn a_cut_journal_is_a_session(study in studies(), seed in any::<u64>()) {
        let study = Arc::new(study);
        let (session, journal) = Rater::new(seed).run(&study, "R1", 400);
        let mut step = Session::new(Arc::clone(&study), "R1");
        let mut submitted = 0;
        for cut in 0..=journal.len() {
            let again = Session::replay(Arc::clone(&study), "R1", &journal[..cut]).unwrap();
            prop_assert_eq!(&again, &step);
            prop_assert!(again.submitted().len() >= submitted, "an answer is lost at {}", cut);
            submitted = again.submitted().len();
            if let Some(event) = journal.get(cut) {
                step.apply(event).unwrap();
            }
        }
        prop_assert_eq!(step, session);
    }

    #[test]
    fn an_export_comes_back_identically(study in studies(), seed in any::<u64>(), most in 1..600_usize) {
        let study = Arc::new(study);
        let (session, journal) = Rater::new(seed).run(&study, "R1", most);
        let set = ResponseSet::collect(&session, &journal, "kibitz 0.1.0");
        prop_assert_eq!(&ResponseSet::read(&set.to_json()).unwrap(), &set);
        prop_assert_eq!(read_results(set.to_json().as_bytes()).unwrap(), Results::Sets(vec![set.clone()]));
        let rows = set.ratings();
        prop_assert_eq!(read_csv(&write_csv(&rows)).unwrap(), rows.clone());
        // The session itself comes back from the file.
        prop_assert_eq!(Session::replay(study, "R1", &set.journal).unwrap(), session);
        // Every answered page has all its ratings.
        let answered = set.pages.iter().filter(|page| page.answered_at.is_some()).count();
        prop_assert_eq!(rows.iter().filter(|row| row.criterion == "fluency").count(), answered);
        // The file and its own rows together say nothing new.
        let merged = merge(vec![
            ("a.json".into(), Results::Sets(vec![set.clone()])),
            ("a.csv".into(), Results::Rows(rows.clone())),
            ("again.json".into(), Results::Sets(vec![set])),
        ]);
        prop_assert_eq!(&merged.ratings, &rows);
        prop_assert_eq!(merged.notes.len(), 1 + usize::from(!rows.is_empty()), "{:?}", merged.notes);
    }

    #[test]
    fn hostile_journals_do_no_harm(study in studies(), ticks in prop::collection::vec((any::<u64>(), any::<u64>()), 1..30), seed in any::<u64>()) {
        let study = Arc::new(study);
        let mut session = Session::new(Arc::clone(&study), "R1");
        let mut rater = Rater::new(seed);
        for (wall, tick) in ticks {
            let mut event = rater.event(&session);
            event.at = Stamp { wall, tick };
            let _ = session.apply(&event);
            let _ = (session.time_left(), session.break_left(Stamp { wall: tick, tick: wall }));
        }
        let _ = ResponseSet::collect(&session, &[], "").to_json();
    }
}

#[test]
fn the_design_of_five_is_williams() {
    // Five methods need ten orders: a Latin square and its mirror, and every method follows every other four times.
    let design = williams(5);
    assert_eq!(design.len(), 10);
    assert_eq!(design[0], [0, 1, 4, 2, 3]);
    for half in design.chunks(5) {
        for place in 0..5 {
            let column: BTreeSet<usize> = half.iter().map(|row| row[place]).collect();
            assert_eq!(column.len(), 5);
        }
    }
    assert_eq!(williams(1), [[0]]);
    assert_eq!(williams(0), Vec::<Vec<usize>>::new());
    assert_eq!(williams(2), [[0, 1], [1, 0]]);
}

#[test]
fn raters_are_numbered_by_the_end_of_their_names() {
    assert_eq!(rater_number(1, "R07"), 7);
    assert_eq!(rater_number(1, "12"), 12);
    assert_eq!(rater_number(1, "Ada"), rater_number(1, "Ada"));
    assert_ne!(rater_number(1, "Ada"), rater_number(2, "Ada"));
    // More digits than a number holds: by chance.
    assert_eq!(rater_number(1, &"9".repeat(40)), rater_number(1, &"9".repeat(40)));
}

/// A session of the demonstration with a clock that the test turns.
struct Sitting {
    session: Session,
    now: Stamp,
}

impl Sitting {
    fn new(change: impl FnOnce(&mut Study)) -> Self {
        let mut study = demonstration().unwrap();
        change(&mut study);
        let mut sitting = Self {
            session: Session::new(Arc::new(study), "R1"),
            now: Stamp {
                wall: 1_000_000_000_000,
                tick: 0,
            },
        };
        sitting.happens(What::Opened).unwrap();
        sitting
    }

    fn wait(&mut self, ms: u64) {
        self.now.wall += ms;
        self.now.tick += ms;
    }

    fn happens(&mut self, what: What) -> Result<(), Denial> {
        self.session.apply(&Event::new(self.now, what))
    }

    /// Through consent, form, instructions, questions and practice.
    fn begin(&mut self) {
        self.happens(What::Consented { version: "1".into() }).unwrap();
        let answers = [("rating", "1776"), ("site", "FIDE"), ("language", "Fluent")];
        let answers = answers.map(|(id, answer)| (id.to_owned(), answer.to_owned())).into();
        self.happens(What::Form { answers }).unwrap();
        self.happens(What::Read).unwrap();
        self.happens(What::Answered { choices: vec![2, 3, 1] }).unwrap();
        for _ in 0..self.session.study().practice.len() {
            self.page(3);
            self.happens(What::Continued).unwrap();
        }
        assert_eq!(self.session.stage(), Stage::Item { index: 0 });
    }

    fn rate(&mut self, criterion: &str, value: u8) -> Result<(), Denial> {
        let page = self.session.page_id().unwrap();
        let criterion = criterion.to_owned();
        self.happens(What::Rated { page, criterion, value })
    }

    fn submit(&mut self) -> Result<(), Denial> {
        let page = self.session.page_id().unwrap();
        self.happens(What::Submitted { page })
    }

    fn page(&mut self, value: u8) {
        let criteria: Vec<String> = self.session.study().criteria.iter().map(|c| c.id.clone()).collect();
        for criterion in criteria {
            self.rate(&criterion, value).unwrap();
        }
        self.submit().unwrap();
    }
}

#[test]
fn two_attempts_at_the_questions() {
    let mut sitting = Sitting::new(|_| {});
    sitting.happens(What::Consented { version: "1".into() }).unwrap();
    assert!(matches!(
        sitting.happens(What::Form { answers: [].into() }),
        Err(Denial::Field(_))
    ));
    let wrong = [("rating", "strong"), ("site", "FIDE"), ("language", "Fluent")];
    let answers = wrong.map(|(id, answer)| (id.to_owned(), answer.to_owned())).into();
    assert_eq!(
        sitting.happens(What::Form { answers }),
        Err(Denial::Field("Your chess rating".into()))
    );
    let right = [("rating", "1776"), ("site", "FIDE"), ("language", "Fluent")];
    let answers = right.map(|(id, answer)| (id.to_owned(), answer.to_owned())).into();
    sitting.happens(What::Form { answers }).unwrap();
    sitting.happens(What::Read).unwrap();
    assert_eq!(
        sitting.happens(What::Answered { choices: vec![2] }),
        Err(Denial::Unanswered)
    );
    sitting.happens(What::Answered { choices: vec![1, 1, 1] }).unwrap();
    assert_eq!(sitting.session.stage(), Stage::Comprehension { attempt: 2 });
    sitting.happens(What::Answered { choices: vec![2, 3, 2] }).unwrap();
    assert_eq!(sitting.session.stage(), Stage::Ended(Ending::Comprehension));
    assert_eq!(sitting.happens(What::Read), Err(Denial::Over));
}

#[test]
fn time_elsewhere_is_not_counted() {
    let mut sitting = Sitting::new(|_| {});
    sitting.begin();
    let page = sitting.session.page_id().unwrap();
    sitting.wait(4_000);
    sitting.happens(What::Blurred).unwrap();
    sitting.wait(60_000);
    sitting.happens(What::Focused).unwrap();
    sitting.wait(3_000);
    // The clock is set back by an hour: the time passed is what the ticks say, and the jump is noted.
    sitting.now.wall -= 3_600_000;
    sitting.rate("clarity", 2).unwrap();
    assert_eq!(sitting.session.answer_on(&page).unwrap().active_ms, 7_000);
    let jumps = sitting.session.jumps();
    assert_eq!(jumps.iter().map(|jump| jump.ahead).collect::<Vec<_>>(), [-3_600_000]);
    // The tab is closed for a night: nothing of that counts.
    sitting.now = Stamp {
        wall: sitting.now.wall + 30_000_000,
        tick: 10,
    };
    sitting.happens(What::Opened).unwrap();
    sitting.wait(500);
    sitting.rate("clarity", 3).unwrap();
    let answer = sitting.session.answer_on(&page).unwrap();
    assert_eq!(answer.active_ms, 7_500);
    let values: Vec<&str> = answer.changes.iter().map(|change| change.value.as_str()).collect();
    assert_eq!(values, ["2", "3"]);
}

#[test]
fn who_comes_back_too_late_is_told_and_keeps_what_is_answered() {
    for (away, expired) in [(72 * 3_600_000, false), (72 * 3_600_000 + 1, true)] {
        let mut sitting = Sitting::new(|_| {});
        sitting.begin();
        sitting.page(3);
        sitting.now.wall += away;
        sitting.now.tick = 0;
        sitting.happens(What::Opened).unwrap();
        assert_eq!(
            sitting.session.stage() == Stage::Ended(Ending::Expired),
            expired,
            "{away}"
        );
        assert_eq!(sitting.session.submitted().len(), 3, "two of practice and one");
    }
    // A clock that went back is no reason to turn anyone away.
    let mut sitting = Sitting::new(|_| {});
    sitting.begin();
    sitting.now.wall = 5;
    sitting.happens(What::Opened).unwrap();
    assert_eq!(sitting.session.stage(), Stage::Item { index: 0 });
}

#[test]
fn breaks_last_as_long_as_the_study_says() {
    let mut sitting = Sitting::new(|study| {
        let breaks = study.options.breaks.as_mut().unwrap();
        (breaks.after, breaks.minutes, breaks.skippable) = (2, 10, false);
    });
    sitting.begin();
    sitting.page(3);
    sitting.page(3);
    assert_eq!(sitting.session.stage(), Stage::Break { after: 2 });
    assert_eq!(sitting.session.break_left(sitting.now), Some(600_000));
    assert_eq!(sitting.happens(What::Continued), Err(Denial::StillBreak));
    sitting.wait(100_000);
    sitting.happens(What::Blurred).unwrap();
    // Six minutes with the tab closed are rest too.
    sitting.now = Stamp {
        wall: sitting.now.wall + 360_000,
        tick: 3,
    };
    sitting.happens(What::Opened).unwrap();
    assert_eq!(sitting.session.break_left(sitting.now), Some(140_000));
    sitting.wait(139_999);
    assert_eq!(sitting.happens(What::Continued), Err(Denial::StillBreak));
    sitting.wait(1);
    sitting.happens(What::Continued).unwrap();
    assert_eq!(sitting.session.stage(), Stage::Item { index: 2 });
    // Going back over it brings no second break.
    sitting.happens(What::Back).unwrap();
    sitting.submit().unwrap();
    assert_eq!(sitting.session.stage(), Stage::Item { index: 2 });
}

#[test]
fn incorrect_comments_need_a_kind_of_error() {
    let mut sitting = Sitting::new(|_| {});
    sitting.begin();
    let page = sitting.session.page_id().unwrap();
    for criterion in ["relevance", "completeness", "clarity", "fluency"] {
        sitting.rate(criterion, 5).unwrap();
    }
    assert_eq!(sitting.rate("correctness", 4), Err(Denial::OffScale(4)));
    sitting.rate("correctness", 1).unwrap();
    assert!(matches!(sitting.submit(), Err(Denial::Incomplete(missing)) if missing[0].id == "error_kind"));
    let follow_up = || "error_kind".to_owned();
    let tick = |kind: &str, on| What::Ticked {
        page: page.clone(),
        follow_up: follow_up(),
        kind: kind.to_owned(),
        on,
    };
    assert_eq!(
        sitting.happens(tick("nonsense", true)),
        Err(Denial::NoKind("nonsense".into()))
    );
    sitting.happens(tick("tactical", true)).unwrap();
    let wrote = What::Wrote {
        page: page.clone(),
        follow_up: follow_up(),
        text: "It is about, \"another\" game".into(),
    };
    sitting.happens(wrote).unwrap();
    sitting.submit().unwrap();
    let rows = |sitting: &Sitting| {
        let set = ResponseSet::collect(&sitting.session, &[], "");
        let of_page = set
            .ratings()
            .into_iter()
            .filter(|row| row.item == page && row.criterion.starts_with("error"));
        of_page.map(|row| (row.criterion, row.value)).collect::<Vec<_>>()
    };
    let row = |criterion: &str, value: &str| (criterion.to_owned(), value.to_owned());
    assert_eq!(
        rows(&sitting),
        [
            row("error_kind", "other"),
            row("error_kind", "tactical"),
            row("error_kind_text", "It is about, \"another\" game"),
        ]
    );
    // Who then agrees after all has no errors to report.
    sitting.happens(What::Back).unwrap();
    sitting.rate("correctness", 3).unwrap();
    sitting.submit().unwrap();
    assert_eq!(rows(&sitting), []);
}

#[test]
fn the_time_left_is_by_the_pages_so_far() {
    let mut sitting = Sitting::new(|_| {});
    sitting.begin();
    // 26 pages of a minute, and one break of two minutes after 13.
    assert_eq!(sitting.session.time_left(), 26 * 60_000 + 120_000);
    for _ in 0..6 {
        sitting.wait(20_000);
        sitting.page(3);
    }
    assert_eq!(sitting.session.time_left(), 20 * 20_000 + 120_000);
    for _ in 0..20 {
        sitting.page(3);
        if matches!(sitting.session.stage(), Stage::Break { .. }) {
            sitting.happens(What::Continued).unwrap();
        }
    }
    assert_eq!((sitting.session.stage(), sitting.session.time_left()), (Stage::Done, 0));
    let set = ResponseSet::collect(&sitting.session, &[], "");
    assert_eq!(set.answered(), 26);
    // The planted check wanted a disagreement.
    let planted: Vec<Option<bool>> = set
        .pages
        .iter()
        .map(|page| page.passed)
        .filter(Option::is_some)
        .collect();
    assert_eq!(planted, [Some(false)]);
}

#[test]
fn merging_names_what_it_leaves_out() {
    let study = Arc::new(demonstration().unwrap());
    let run = |seed, rater: &str, most| {
        let (session, journal) = Rater::new(seed).run(&study, rater, most);
        ResponseSet::collect(&session, &journal, "")
    };
    let (early, late) = (run(7, "R1", 120), run(7, "R1", 900));
    assert!(late.journal.starts_with(&early.journal) && late.answered() > early.answered());
    let other = run(8, "R1", 200);
    let mut second = run(9, "R2", 200);
    second.study.sha256 = "0".repeat(64);
    let file = |name: &str, set: &ResponseSet| (name.to_owned(), Results::Sets(vec![set.clone()]));
    let rows = |name: &str, rows| (name.to_owned(), Results::Rows(rows));
    let mut changed = late.ratings();
    changed.truncate(2);
    changed[1].value = "9".into();
    let merged = merge(vec![
        file("early.json", &early),
        file("late.json", &late),
        file("late (1).json", &late),
        file("other.json", &other),
        file("second.json", &second),
        rows("rows.csv", changed.clone()),
    ]);
    assert_eq!(merged.sets, [late.clone(), second.clone()]);
    assert_eq!(merged.ratings, [late.ratings(), second.ratings()].concat());
    let text = |file: &str| file.to_owned();
    assert_eq!(
        merged.notes,
        [
            Note::Earlier {
                file: text("early.json"),
                of: text("late.json"),
                rater: text("R1")
            },
            Note::Duplicate {
                file: text("late (1).json"),
                of: text("late.json"),
                rater: text("R1")
            },
            Note::Sessions {
                left_out: text("other.json"),
                taken: text("late.json"),
                rater: text("R1")
            },
            Note::Versions {
                study: text("demonstration"),
                files: vec![text("second.json"), text("late.json")]
            },
            Note::Answers {
                file: text("rows.csv"),
                rater: text("R1"),
                item: changed[1].item.clone(),
                criterion: changed[1].criterion.clone(),
                taken: late.ratings()[1].value.clone(),
                left_out: text("9"),
            },
            Note::Rows {
                file: text("rows.csv"),
                rows: 1
            },
        ]
    );
    for note in &merged.notes {
        assert!(note.to_string().ends_with('.'), "{note}");
    }
}
