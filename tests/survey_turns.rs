//! The analysis cut into slices says what it says at once; files that are put together by ranges of rows hold what they
//! held; and what leaving raters out changes is what the reports say before and after.
#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    future::{Future, poll_fn},
    task::Poll,
};

use kibitz::{
    pace::{AtOnce, Pace, at_once},
    survey::{
        Rating,
        analysis::{
            Options, Raters, Test, analyse, change,
            dataset::Dataset,
            excluded,
            layout::Which,
            material::Material,
            pairs::{least_agreeing, pairs},
            quality, report,
            table::Cell as Figure,
        },
        long_form::{read_csv, write_csv, write_rows},
        merge::{Results, Sheet, merge, pick},
        simulation::{Effect, Simulation, Spread, made_up_study, simulate, simulate_in_turns},
    },
};
use proptest::prelude::*;

/// Gives way at every turn.
#[derive(Default)]
struct Slices(Cell<usize>);

impl Pace for Slices {
    fn turn(&self) -> impl Future<Output = ()> {
        self.0.set(self.0.get() + 1);
        let mut first = true;
        poll_fn(move |_| {
            if std::mem::take(&mut first) {
                Poll::Pending
            } else {
                Poll::Ready(())
            }
        })
    }
}

fn simulation(raters: usize, careless: usize) -> Simulation {
    Simulation {
        raters,
        careless,
        effects: BTreeMap::from([("b".to_owned(), 0.3)]),
        spread: Spread::default(),
        seed: 11,
    }
}

fn rated(raters: usize, careless: usize) -> (Vec<Rating>, Material) {
    rated_on(15, raters, careless)
}

fn rated_on(positions: usize, raters: usize, careless: usize) -> (Vec<Rating>, Material) {
    let study = made_up_study(positions, &["a".to_owned(), "b".to_owned(), "c".to_owned()], 2);
    (simulate(&study, &simulation(raters, careless)), Material::from(&study))
}

#[test]
fn slices_change_nothing() {
    let (ratings, material) = rated(6, 1);
    for (test, exclude_flagged) in [
        (Test::SignedRank, false),
        (Test::SignFlips { flips: 2_500, seed: 4 }, true),
    ] {
        let options = Options {
            baseline: Some("a".to_owned()),
            test,
            exclude_flagged,
            ..Options::default()
        };
        let slices = Slices::default();
        let in_slices = at_once(async {
            let nobody = BTreeSet::new();
            let halves = || ratings.chunks(ratings.len() / 2 + 1);
            let data = Dataset::new(halves(), &material, &nobody, &slices).await.unwrap();
            let raters = quality::raters(&data, &material, &options.limits, &slices).await;
            let excluded = excluded(&raters, &options);
            let names = excluded.iter().map(|excluded| excluded.rater.clone()).collect();
            let data = Dataset::new(halves(), &material, &names, &slices).await.unwrap();
            report(&data, &material, &options, Raters { raters, excluded }, &slices).await
        });
        assert_eq!(in_slices, analyse(&ratings, &material, &options));
        assert!(slices.0.get() > 500, "{} turns", slices.0.get());
    }
}

#[test]
fn simulation_and_power_in_slices_are_the_same() {
    let study = made_up_study(4, &["a".to_owned(), "b".to_owned()], 2);
    let how = simulation(3, 1);
    let slices = Slices::default();
    assert_eq!(
        at_once(simulate_in_turns(&study, &how, &slices)),
        simulate(&study, &how)
    );
    assert_eq!(slices.0.get(), 3 * 8);
    let effect = Effect {
        difference: 0.2,
        positions: 20,
        points: 5,
        spread: Spread::default(),
        alpha: 0.05,
        runs: 60,
        seed: 1,
    };
    let mut heard = Vec::new();
    let needed = at_once(effect.raters_needed_in_turns(0.8, 16, |tried| heard.push(tried.len()), &slices));
    assert_eq!(needed, effect.raters_needed(0.8, 16));
    assert_eq!(heard, (1..=needed.tried.len()).collect::<Vec<_>>());
    let (raters, rate) = (needed.raters.unwrap(), |n: usize| effect.power(n).unwrap().rate);
    assert!(rate(raters) >= 0.8 && (raters == 1 || rate(raters - 1) < 0.8));
    let hopeless = Effect {
        difference: 0.0,
        ..effect
    };
    assert_eq!(hopeless.raters_needed(0.8, 5).raters, None);
}

#[test]
fn what_leaving_out_changes_is_what_the_reports_say() {
    let (ratings, material) = rated_on(50, 4, 3);
    let options = Options {
        baseline: Some("a".to_owned()),
        ..Options::default()
    };
    let before = analyse(&ratings, &material, &options).unwrap();
    let without = Options {
        exclude: ["sim-002", "sim-003", "sim-004"].map(str::to_owned).into(),
        ..options
    };
    let after = analyse(&ratings, &material, &without).unwrap();
    assert!(change::changes(&before, &before).is_empty());
    let changes = change::changes(&before, &after);
    let mean = |report: &kibitz::survey::analysis::Report| {
        let table = report.table(Which::Means);
        let row = table.rows.iter().find(|row| row[0] == Figure::from("b")).unwrap();
        row[1].shown().trim_end_matches('*').to_owned()
    };
    let found = changes
        .iter()
        .find(|change| change.figure == "mean" && change.of == "b, correctness")
        .unwrap();
    assert_eq!((&found.before, &found.after), (&mean(&before), &mean(&after)));
    assert!(changes.iter().all(|change| change.before != change.after));
    // Three who answer at random hide an effect that is there.
    assert!(
        changes[0].conclusion && changes[0].after == "p < 0.001",
        "{:?}",
        changes[0]
    );
    let table = change::table(&before, &after);
    assert_eq!(table.rows.len(), changes.len());
    assert_eq!(
        table.caption,
        "Simulated raters, not people. What changes without 3 of 4 raters."
    );
    assert!(
        table.notes[0].contains("sim-003 (named to be left out; flagged: fast"),
        "{:?}",
        table.notes
    );
}

#[test]
fn simulated_raters_are_in_every_table() {
    let (mut ratings, material) = rated(3, 0);
    let options = Options {
        baseline: Some("a".to_owned()),
        ..Options::default()
    };
    let report = analyse(&ratings, &material, &options).unwrap();
    assert_eq!(report.simulated, 3);
    for which in Which::ALL {
        for table in [report.table(which), report.rows(which)] {
            assert!(
                table.caption.starts_with("Simulated raters, not people."),
                "{}",
                table.caption
            );
        }
        let csv = report.rows(which).to_csv();
        let mut lines = csv.lines();
        assert!(lines.next().unwrap().ends_with(",simulated_raters"));
        assert!(lines.all(|line| line.ends_with(",3")), "{csv}");
        assert!(report.table(which).to_latex().contains("Simulated raters, not people."));
    }
    for row in ratings.iter_mut().filter(|row| row.rater == "sim-002") {
        row.rater = "R2".to_owned();
    }
    let mixed = analyse(&ratings, &material, &options).unwrap();
    assert_eq!(
        mixed.simulated_words().unwrap(),
        "2 of 3 raters are simulated, not people."
    );
    ratings.retain(|row| row.rater == "R2");
    let people = analyse(&ratings, &material, &options).unwrap();
    assert_eq!((people.simulated, people.simulated_words()), (0, None));
    assert!(!people.rows(Which::Means).to_csv().contains("simulated"));
}

#[test]
fn raters_agree_with_each_other_as_far_as_alpha_says() {
    // r1 and r2 agree fully, r3 says the opposite, r4 rated nothing that others did.
    let mut rows = Vec::new();
    for (rater, values) in [("r1", [1, 2, 4, 5]), ("r2", [1, 2, 4, 5]), ("r3", [5, 4, 2, 1])] {
        for (item, value) in values.iter().enumerate() {
            rows.push(format!("{rater},i{item},p{item},m,clarity,{value}"));
        }
    }
    rows.push("r4,i9,p9,m,clarity,3".to_owned());
    let text = format!("rater,item,position,method,criterion,value\n{}", rows.join("\n"));
    let ratings = read_csv(&text).unwrap();
    let (material, nobody) = (Material::default(), BTreeSet::new());
    let data = at_once(Dataset::new([&ratings[..]].into_iter(), &material, &nobody, &AtOnce)).unwrap();
    let found = at_once(pairs(&data, 0, &[0, 1, 2, 3], &AtOnce));
    assert_eq!(found.get(0, 1).unwrap().alpha, Ok(1.0));
    assert!(found.get(2, 0).unwrap().alpha.unwrap() < -0.5);
    assert_eq!(found.get(3, 0).unwrap().items, 0);
    assert!(found.get(3, 0).unwrap().alpha.is_err());
    assert_eq!(found.mean(3), None);
    assert!(
        found
            .table()
            .notes
            .iter()
            .any(|note| note.starts_with("No α for r1 and r4"))
    );
    assert_eq!(least_agreeing(&[Some(0.9), Some(0.1), None, Some(0.5)], 2), [1, 2]);
    assert_eq!(least_agreeing(&[Some(0.9), None], 2), [0, 1]);
}

proptest! {
    /// Files in any pieces: every row is in one of them or named, and what is written reads back.
    #[test]
    fn files_in_pieces_hold_what_they_held(
        cuts in prop::collection::vec(0_usize..400, 0..5),
        again in prop::collection::vec(any::<bool>(), 6),
    ) {
        let (ratings, _) = rated(3, 0);
        let mut at: Vec<usize> = cuts.into_iter().map(|cut| cut.min(ratings.len())).collect();
        at.extend([0, ratings.len()]);
        at.sort_unstable();
        at.dedup();
        let mut files = Vec::new();
        for (number, ends) in at.windows(2).enumerate() {
            let piece = ratings[ends[0]..ends[1]].to_vec();
            if again[number.min(5)] {
                files.push((format!("again-{number}.csv"), Results::Rows(piece.clone())));
            }
            files.push((format!("{number}.csv"), Results::Rows(piece)));
        }
        let merged = merge(files.clone());
        // Ticks on one page that were cut apart are two answers to one question: those are named, nothing else is.
        let lost = ratings.len() - merged.ratings.len();
        let kinds = merged.notes.iter().filter(|note| matches!(note, kibitz::survey::merge::Note::Answers { .. })).count();
        prop_assert!(lost <= 4 * kinds, "{lost} rows are gone and {kinds} named");
        for rating in &merged.ratings {
            prop_assert!(ratings.contains(rating));
        }
        let slices = Slices::default();
        let (text, notes) = at_once(async {
            let mut sheets = Vec::new();
            for (file, results) in files {
                sheets.extend(Sheet::of(&file, results, &slices).await);
            }
            let picked = pick(&sheets, &slices).await;
            let rows: String = picked.slices(&sheets).map(write_rows).collect();
            (write_csv(&[]) + &rows, picked.notes)
        });
        prop_assert_eq!(&text, &write_csv(&merged.ratings));
        prop_assert_eq!(notes, merged.notes);
        prop_assert_eq!(read_csv(&text), Ok(merged.ratings));
    }
}
