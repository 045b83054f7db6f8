//! Studies of any size are refused in bounded time, with the limit that they go beyond.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::{Duration, Instant};

use kibitz::survey::{
    Study, demonstration::demonstration, limits::MOST_FAULTS, read_study, study_file::check, warnings::warnings,
};

/// So many of whatever is counted.
const MANY: usize = 20_000;

/// What a check may take here: without optimization it takes a second, and other tests run beside it.
const PATIENCE: Duration = Duration::from_secs(30);

/// What is said, and what is made of a study before.
type Case = (&'static str, Box<dyn Fn(&mut Study)>);

fn repeated<T: Clone>(pattern: &T, name: impl Fn(&mut T, usize)) -> Vec<T> {
    let named = |n| {
        let mut one = pattern.clone();
        name(&mut one, n);
        one
    };
    (0..MANY).map(named).collect()
}

#[test]
fn whatever_there_are_twenty_thousand_of_is_refused_with_its_limit() {
    let many_methods = |study: &mut Study| {
        let pattern = study.items[0].clone();
        study.items = repeated(&pattern, |item, n| item.id = format!("m{n}"));
        study.items.truncate(MANY / 4);
        let comments = study.items.iter_mut().flat_map(|item| &mut item.comments);
        for (number, comment) in comments.enumerate() {
            comment.method = format!("method-{number}");
        }
    };
    let cases: Vec<Case> = vec![
        ("methods must be from 0 to 50, not 15000", Box::new(many_methods)),
        (
            "item 1: comments must be from 1 to 50, not 20000",
            Box::new(|study| {
                let pattern = study.items[0].comments[0].clone();
                study.items[0].comments = repeated(&pattern, |comment, n| comment.method = format!("method-{n}"));
            }),
        ),
        (
            "criteria must be from 1 to 20, not 20000",
            Box::new(|study| {
                study.criteria = repeated(&study.criteria[1].clone(), |criterion, n| {
                    criterion.id = format!("c{n}")
                });
                study.scales = repeated(&study.scales[1].clone(), |scale, n| scale.id = format!("s{n}"));
            }),
        ),
        (
            "scales must be from 0 to 50, not 20000",
            Box::new(|study| {
                study.scales = repeated(&study.scales[1].clone(), |scale, n| scale.id = format!("s{n}"));
            }),
        ),
        (
            "items must be from 1 to 10000, not 20000",
            Box::new(|study| study.items = repeated(&study.items[0].clone(), |item, n| item.id = format!("m{n}"))),
        ),
        (
            "questions on the rater must be from 0 to 100, not 20000",
            Box::new(|study| study.form = repeated(&study.form[0].clone(), |field, n| field.id = format!("f{n}"))),
        ),
        (
            "sections of the instructions must be from 0 to 100, not 20000",
            Box::new(|study| study.instructions = repeated(&study.instructions[0].clone(), |_, _| ())),
        ),
        (
            "section 1 of the instructions: examples must be from 0 to 100, not 20000",
            Box::new(|study| {
                let pattern = study.instructions[1].examples[0].clone();
                study.instructions[0].examples = repeated(&pattern, |_, _| ());
            }),
        ),
        (
            "question 1: questions must be from 1 to 50, not 20000",
            Box::new(|study| {
                let comprehension = study.comprehension.as_mut().unwrap();
                comprehension.questions = repeated(&comprehension.questions[0].clone(), |_, _| ());
            }),
        ),
        (
            "comments for practice must be from 0 to 50, not 20000",
            Box::new(|study| study.practice = repeated(&study.practice[0].clone(), |_, _| ())),
        ),
        (
            "the checks: planted checks must be from 0 to 8, not 20000",
            Box::new(|study| {
                study.checks.planted =
                    repeated(&study.checks.planted[0].clone(), |check, n| check.id = format!("k{n}"));
                // Each of them is looked up among the criteria.
                study.criteria = repeated(&study.criteria[1].clone(), |criterion, n| {
                    criterion.id = format!("c{n}")
                });
            }),
        ),
        (
            "criterion 1: kinds must be from 1 to 20, not 20000",
            Box::new(|study| {
                let follow_up = study.criteria[0].follow_up.as_mut().unwrap();
                follow_up.kinds = repeated(&follow_up.kinds[0].clone(), |kind, n| kind.id = format!("k{n}"));
            }),
        ),
        (
            "the checks: repetitions must be from 0 to 24, not 18446744073709551615",
            Box::new(|study| study.checks.repeats = usize::MAX),
        ),
        (
            "the checks: 24 pages are too few for repetitions 18446744073709551615 pages apart",
            Box::new(|study| study.checks.repeat_gap = usize::MAX),
        ),
        (
            "the times: the seconds for a page must be from 0 to 3600, not 4294967295",
            Box::new(|study| study.options.seconds_per_page = u32::MAX),
        ),
        (
            "the times: the hours to come back in must be from 0 to 87600, not 4294967295",
            Box::new(|study| study.options.resume_hours = Some(u32::MAX)),
        ),
        (
            "the breaks: the minutes of a break must be from 0 to 240, not 4294967295",
            Box::new(|study| study.options.breaks.as_mut().unwrap().minutes = u32::MAX),
        ),
    ];
    for (said, change) in cases {
        let mut study = demonstration().unwrap();
        change(&mut study);
        let begun = Instant::now();
        let faults = check(&study);
        let _ = (warnings(&study), study.methods().len(), study.pages());
        let taken = begun.elapsed();
        assert!(taken < PATIENCE, "{said}: {taken:?}");
        assert!(faults.len() <= MOST_FAULTS);
        let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert!(
            all.iter().any(|fault| fault.contains(said)),
            "{said}: {:#?}",
            &all[..all.len().min(5)]
        );
    }
}

#[test]
fn a_file_of_very_many_criteria_is_refused_by_its_reader() {
    let mut study = demonstration().unwrap();
    study.criteria = repeated(&study.criteria[1].clone(), |criterion, n| {
        criterion.id = format!("c{n}")
    });
    let begun = Instant::now();
    let error = read_study(study.to_json().as_bytes()).unwrap_err().to_string();
    assert!(error.contains("criteria must be from 1 to 20, not 20000"), "{error}");
    assert!(begun.elapsed() < PATIENCE);
}
