//! The tables of ratings against those that other packages make, and what becomes of ratings that have no figures, of
//! careless raters, and of planted effects. tests/data/survey/ratings-expected.json says whose figures they are.
#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::collections::{BTreeMap, BTreeSet};

use kibitz::{
    stats::Undefined,
    survey::{
        Rating,
        analysis::{
            AnalysisError, Options, Report, Test, analyse,
            dataset::DatasetError,
            layout::Which,
            material::{CommentText, Ends, Material, ScoresError},
            means::Comparison,
            quality::Flag,
            table::Cell,
        },
        demonstration::demonstration,
        long_form::read_csv,
        merge::{Results, merge},
        simulation::{Effect, Simulation, Spread, made_up_study, simulate},
    },
};
use proptest::prelude::*;
use serde_json::Value;

fn five(names: &[&str]) -> Material {
    Material {
        scales: names
            .iter()
            .map(|name| ((*name).to_owned(), Ends { low: 1.0, high: 5.0 }))
            .collect(),
        ..Material::default()
    }
}

fn rating(rater: &str, position: &str, method: &str, criterion: &str, value: &str) -> Rating {
    Rating {
        study: "s".to_owned(),
        rater: rater.to_owned(),
        item: format!("{position}/{method}"),
        position: position.to_owned(),
        method: method.to_owned(),
        criterion: criterion.to_owned(),
        value: value.to_owned(),
        active_ms: None,
        answered_at: None,
    }
}

/// Every figure that is expected of a row, by its name.
#[track_caller]
fn hold(rows: &Value, expected: &Value, keys: &[&str]) {
    let expected = expected.as_array().unwrap();
    assert!(!expected.is_empty());
    for wanted in expected {
        let found: Vec<&Value> = rows
            .as_array()
            .unwrap()
            .iter()
            .filter(|row| keys.iter().all(|key| row[key] == wanted[key]))
            .collect();
        assert_eq!(found.len(), 1, "{wanted}");
        for (name, wanted) in wanted.as_object().unwrap() {
            if let Some(wanted) = wanted.as_f64() {
                let found = found[0][name]
                    .as_f64()
                    .unwrap_or_else(|| panic!("no {name} in {}", found[0]));
                assert!((found - wanted).abs() < 1e-9, "{name}: {found}, expected {wanted}");
            }
        }
    }
}

#[test]
fn tables_are_those_of_other_packages() {
    let expected: Value = serde_json::from_str(include_str!("data/survey/ratings-expected.json")).unwrap();
    let ratings = read_csv(include_str!("data/survey/ratings.csv")).unwrap();
    let mut material = five(&["clarity", "fluency"]);
    material
        .scales
        .insert(0, ("correctness".to_owned(), Ends { low: 1.0, high: 3.0 }));
    material.follow_ups = Material::from(&demonstration().unwrap()).follow_ups;
    assert_eq!(material.follow_ups[0].of.as_deref(), Some("correctness"));
    assert_eq!(material.add_scores(include_str!("data/survey/scores.csv")), Ok(34));
    let options = Options {
        baseline: Some("plain".to_owned()),
        ..Options::default()
    };
    let report = analyse(&ratings, &material, &options).unwrap();
    assert_eq!(
        (report.counts.raters, report.counts.positions, report.counts.items),
        (5, 12, 36)
    );
    let found = serde_json::to_value(&report).unwrap();
    hold(&found["means"], &expected["means"], &["method", "criterion"]);
    let mut ranks = expected["comparisons"].clone();
    for row in ranks.as_array_mut().unwrap() {
        row.as_object_mut().unwrap().remove("p_flips");
    }
    hold(&found["comparisons"], &ranks, &["method", "criterion"]);
    hold(&found["errors"], &expected["errors"], &["method", "kind"]);
    hold(&found["agreement"], &expected["agreement"], &["criterion"]);
    hold(&found["correlations"], &expected["correlations"], &["criterion"]);
    for row in &report.distributions {
        let of_means = report
            .means
            .iter()
            .find(|mean| mean.method == row.method && mean.criterion == row.criterion);
        assert_eq!(row.n, of_means.unwrap().n);
        assert_eq!(row.counts.len(), if row.criterion == "correctness" { 3 } else { 5 });
    }
    // All 4,096 signs are tried, so no chance is in it.
    let flips = Options {
        test: Test::SignFlips { flips: 5_000, seed: 3 },
        ..options
    };
    let flipped = analyse(&ratings, &material, &flips).unwrap().comparisons;
    for wanted in expected["comparisons"].as_array().unwrap() {
        let same = |row: &&Comparison| wanted["method"] == row.method && wanted["criterion"] == row.criterion;
        let p = flipped.iter().find(same).unwrap().p.unwrap();
        assert!((p - wanted["p_flips"].as_f64().unwrap()).abs() < 1e-9, "{wanted}: {p}");
    }
}

/// The paper's agreement with what it rests on and its intervals, by a program of another make.
#[test]
fn agreement_names_its_base_and_has_intervals() {
    let expected: Value = serde_json::from_str(include_str!("data/survey/agreement-expected.json")).unwrap();
    let mut ratings = read_csv(include_str!("data/survey/ratings.csv")).unwrap();
    let material = five(&["correctness", "clarity", "fluency"]);
    let report = analyse(&ratings, &material, &Options::default()).unwrap();
    let found = serde_json::to_value(&report).unwrap();
    hold(&found["agreement"], &expected["agreement"], &["criterion"]);
    for wanted in expected["agreement"].as_array().unwrap() {
        let rows = found["agreement"].as_array().unwrap();
        let row = rows.iter().find(|row| row["criterion"] == wanted["criterion"]).unwrap();
        assert_eq!(
            (&row["base"], &row["base_ranks"]),
            (&wanted["base"], &wanted["base_ranks"])
        );
        assert_eq!(
            row["base_icc"],
            serde_json::json!({"items": 30, "raters": 5, "ratings": 150})
        );
    }
    let notes = report.table(Which::Agreement).notes;
    assert!(notes[0].contains("95 % intervals: percentiles of 1000 bootstrap resamples of the positions, seed 1"));
    for wanted in [
        "κ and α: 36 items with two ratings or more, 5 raters, 174 ratings.",
        "ICC: 30 items that all raters rated, 5 raters, 150 ratings.",
    ] {
        assert!(notes.iter().any(|note| note == wanted), "{notes:?}");
    }
    // Whose file was read first changes nothing.
    ratings.sort_by(|a, b| (&b.rater, &b.position).cmp(&(&a.rater, &a.position)));
    let turned = analyse(&ratings, &material, &Options::default()).unwrap();
    for (row, other) in report.agreement.iter().zip(&turned.agreement) {
        for (low, other) in [
            (row.fleiss_kappa_low, other.fleiss_kappa_low),
            (row.krippendorff_alpha_high, other.krippendorff_alpha_high),
        ] {
            assert!((low.unwrap() - other.unwrap()).abs() < 1e-12);
        }
    }
}

#[test]
fn figures_without_a_value_have_a_reason() {
    let ratings: Vec<Rating> = ["r1", "r2"]
        .iter()
        .flat_map(|rater| {
            ["p1", "p2"].iter().flat_map(move |position| {
                ["a", "b"]
                    .iter()
                    .map(move |method| rating(rater, position, method, "clarity", "4"))
            })
        })
        .collect();
    let options = Options {
        baseline: Some("a".to_owned()),
        ..Options::default()
    };
    let report = analyse(&ratings, &five(&["clarity"]), &options).unwrap();
    let same = Undefined::AllSame { what: "ratings" };
    for row in &report.means {
        assert_eq!((row.mean, row.low, row.undefined), (Some(0.75), None, Some(same)));
    }
    let agreement = &report.agreement[0];
    assert_eq!(
        (agreement.fleiss_kappa, agreement.krippendorff_alpha, agreement.icc2k),
        (None, None, None)
    );
    for figure in ["fleiss_kappa", "krippendorff_alpha", "icc2k"] {
        assert_eq!(agreement.undefined[figure], same, "{figure}");
    }
    assert_eq!(report.comparisons[0].undefined, Some(Undefined::NoDifference));
    let text = report.table(Which::Agreement).to_text();
    assert!(
        text.contains("No Fleiss' κ for clarity: all ratings are the same."),
        "{text}"
    );
    assert!(!serde_json::to_string(&report).unwrap().contains("NaN"));
}

#[test]
fn what_cannot_be_analysed_is_named() {
    let one = rating("r1", "p1", "a", "clarity", "4");
    let dataset = |ratings: &[Rating], material: &Material| match analyse(ratings, material, &Options::default()) {
        Err(AnalysisError::Dataset(error)) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(dataset(&[], &Material::default()), DatasetError::Empty);
    assert_eq!(
        dataset(std::slice::from_ref(&one), &Material::default()),
        DatasetError::NoScale("clarity".to_owned())
    );
    let other = Rating {
        study: "t".to_owned(),
        ..one.clone()
    };
    let studies = DatasetError::Studies(vec!["s".to_owned(), "t".to_owned()]);
    assert_eq!(dataset(&[one.clone(), other], &Material::default()), studies);
    let options = |baseline: Option<&str>, exclude: &[&str]| Options {
        baseline: baseline.map(str::to_owned),
        exclude: exclude.iter().map(|&name| name.to_owned()).collect(),
        ..Options::default()
    };
    let with = |options: &Options| analyse(std::slice::from_ref(&one), &five(&["clarity"]), options);
    let baseline = AnalysisError::Baseline("b".to_owned(), "a".to_owned());
    assert_eq!(with(&options(Some("b"), &[])), Err(baseline));
    assert_eq!(with(&options(None, &["r1"])), Err(AnalysisError::Nobody(1)));
    assert!(with(&options(None, &["r2"])).unwrap().notes[0].contains("no rater “r2”"));
}

#[test]
fn rows_that_are_left_out_are_counted() {
    let mut ratings = vec![
        rating("r1", "p1", "a", "clarity", "4"),
        rating("r1", "p1", "a", "clarity", "2"),
        rating("r1", "p2", "a", "clarity", "9"),
        rating("r1", "p2", "a", "clarity", "good"),
        rating("r1", "p1", "a", "error_kind", "illegal"),
        rating("r1", "p1", "a", "error_kind_text", "no such rook"),
    ];
    let report = analyse(&ratings, &five(&["clarity"]), &Options::default()).unwrap();
    assert_eq!(report.means[0].n, 1);
    assert_eq!(report.means[0].mean, Some(0.75), "the first answer stays");
    assert_eq!(report.notes.len(), 3, "{:?}", report.notes);
    assert!(report.notes[0].starts_with("1 rows of clarity hold no number"));
    assert!(report.notes[1].starts_with("1 ratings of clarity are not on its scale"));
    assert!(report.notes[2].starts_with("1 rows answer a question again"));
    assert_eq!(
        (report.errors[0].count, report.errors[0].n, report.errors[0].asked),
        (1, 1, 1)
    );
    ratings.truncate(2);
    ratings[1].rater = "r2".to_owned();
    let guessed = analyse(&ratings, &Material::default(), &Options::default()).unwrap();
    assert!(
        guessed.notes[0].contains("taken to go from 2 to 4"),
        "{:?}",
        guessed.notes
    );
}

#[test]
fn an_empty_value_is_a_missing_answer() {
    let text = include_str!("data/survey/ratings.csv");
    let with_gap = text.replacen("p1,plain,clarity,2,", "p1,plain,clarity,,", 1);
    assert_ne!(text, with_gap);
    let material = five(&["correctness", "clarity", "fluency"]);
    let full = analyse(&read_csv(text).unwrap(), &material, &Options::default()).unwrap();
    let report = analyse(&read_csv(&with_gap).unwrap(), &material, &Options::default()).unwrap();
    let of = |report: &Report| {
        report
            .means
            .iter()
            .find(|row| row.method == "plain" && row.criterion == "clarity")
            .unwrap()
            .n
    };
    assert_eq!(of(&report), of(&full) - 1);
    assert_eq!(report.notes, ["1 rows have no value: missing answers, left out"]);
    // It contradicts no other file's answer, and another file fills it.
    let files = |first: &str, second: &str| {
        let read = |text: &str| Results::Rows(read_csv(text).unwrap());
        merge(vec![
            ("first.csv".to_owned(), read(first)),
            ("second.csv".to_owned(), read(second)),
        ])
    };
    for (first, second, missing) in [(&*with_gap, text, "first.csv"), (text, &*with_gap, "second.csv")] {
        let merged = files(first, second);
        let notes: Vec<String> = merged.notes.iter().map(ToString::to_string).collect();
        assert!(
            notes.contains(&format!("{missing}: one row has no value: a missing answer, left out.")),
            "{notes:?}"
        );
        assert!(!notes.iter().any(|note| note.contains("was read first")), "{notes:?}");
        assert_eq!(
            analyse(&merged.ratings, &material, &Options::default()).unwrap().means,
            full.means
        );
    }
}

/// Files that are no ratings at all, or made to hold the page up: a sentence names the limit.
#[test]
fn what_is_too_much_is_refused_or_left_out_by_a_limit() {
    const MANY: usize = 20_000;
    let many = |row: fn(usize) -> Rating| (0..MANY).map(row).collect::<Vec<_>>();
    let material = five(&["clarity"]);
    let said = |ratings: &[Rating]| {
        let merged = merge(vec![("file.csv".to_owned(), Results::Rows(ratings.to_vec()))]);
        let notes = merged.notes.iter().map(ToString::to_string);
        match analyse(&merged.ratings, &material, &Options::default()) {
            Ok(report) => {
                for which in Which::ALL {
                    assert!(
                        report.table(which).head.len() < 200 && report.rows(which).head.len() < 200,
                        "{which:?}"
                    );
                }
                notes
                    .chain(report.notes.clone())
                    .chain(report.table(Which::Agreement).notes)
                    .collect::<Vec<_>>()
                    .join("\n")
            }
            Err(error) => error.to_string(),
        }
    };
    let methods = said(&many(|n| rating("r1", "p1", &format!("=m{n}"), "clarity", "3")));
    assert!(
        methods.contains("there are 20000 methods, and at most 50 are analysed"),
        "{methods}"
    );
    let criteria = said(&many(|n| rating("r1", "p1", "a", &format!("=c{n}"), "3")));
    assert!(
        criteria.contains("there are 20001 criteria, and at most 50 are analysed"),
        "{criteria}"
    );
    let formulas: Vec<Rating> = (0..384)
        .map(|n| rating("r1", "p1", "a", &format!("=SUM(A{n})"), "3"))
        .collect();
    assert!(said(&formulas).contains("there are 385 criteria, and at most 50 are analysed"));
    let kinds = |n: usize| rating(&format!("r{}", n % 500), "p1", "a", "error_kind", &format!("kind {n}"));
    let mut ratings: Vec<Rating> = (0..MANY).map(kinds).collect();
    ratings.push(rating("r1", "p1", "a", "clarity", "3"));
    let kinds = said(&ratings);
    assert!(kinds.contains("at most 50 kinds are counted"), "{kinds}");
    let mut ratings = many(|n| rating("r1", "p1", "a", "error_kind", &format!("kind {n}")));
    ratings.push(rating("r1", "p1", "a", "clarity", "3"));
    let ticks = said(&ratings);
    assert!(
        ticks.contains("19900 rows are left out: at most 100 answers of a rater to one question are read"),
        "{ticks}"
    );
    let values = |n: usize| {
        rating(
            &format!("r{}", n % 2),
            &format!("p{}", n / 2),
            "a",
            "share",
            &format!("{n}.5"),
        )
    };
    let values = said(&(0..MANY).map(values).collect::<Vec<_>>());
    assert!(values.contains("share has more than 201 different ratings"), "{values}");
    assert!(
        values.contains("too many different ratings: 20000, where at most 1000 are taken"),
        "{values}"
    );
    let studies = (0..MANY).map(|n| Rating {
        study: format!("s{n:05}"),
        ..rating("r1", "p1", "a", "clarity", "3")
    });
    let studies = said(&studies.collect::<Vec<_>>());
    assert!(studies.contains("s00009 and 19990 more): choose one"), "{studies}");
    // Many raters, items and positions are what they are.
    let raters = said(&many(|n| {
        rating(&format!("r{n}"), &format!("p{n}"), "a", "clarity", "3")
    }));
    assert!(raters.contains("No Fleiss' κ for clarity: too few items"), "{raters}");
    let one_position = (0..MANY).map(|n| Rating {
        item: format!("i{n}"),
        ..rating(&format!("r{}", n % 2), "p1", "a", "clarity", "3")
    });
    assert!(said(&one_position.collect::<Vec<_>>()).contains("No Fleiss' κ for clarity"));
    // Scores: a file is refused, a study's are cut.
    let header: String = (0..MANY).map(|n| format!(",m{n}")).collect();
    let refused = Material::default()
        .add_scores(&format!("position,method{header}\n"))
        .unwrap_err();
    assert_eq!(
        refused.to_string(),
        "there are 20000 columns of scores, and at most 100 metrics are taken"
    );
    let mut material = material.clone();
    for n in 0..MANY {
        let comment = material.comments.entry(("p1".to_owned(), "a".to_owned())).or_default();
        comment.scores.insert(format!("m{n}"), 0.5);
    }
    let ratings = [rating("r1", "p1", "a", "clarity", "3")];
    let report = analyse(&ratings, &material, &Options::default()).unwrap();
    assert_eq!(report.correlations.len(), 100);
    assert!(
        report
            .notes
            .iter()
            .any(|note| note.contains("20000 metrics, and Table 4 takes at most 100"))
    );
}

#[test]
fn scores_are_read_or_refused_by_line() {
    let mut material = Material::default();
    let add = |material: &mut Material, text: &str| material.add_scores(text);
    assert_eq!(add(&mut material, "method,GCC,position\na,0.5,p1\nb,,p1\n"), Ok(1));
    let comment = &material.comments[&("p1".to_owned(), "a".to_owned())];
    assert_eq!(comment.scores, BTreeMap::from([("GCC".to_owned(), 0.5)]));
    assert_eq!(add(&mut material, "position,method\n"), Err(ScoresError::Columns));
    let wrong = add(&mut material, "position,method,x\np1,a,good\n").unwrap_err();
    assert_eq!(wrong.to_string(), "line 2: “good” is no number for x");
}

/// Raters who rated one method each: their means are compared, position by position.
#[test]
fn methods_without_a_common_rater_are_compared_over_positions() {
    let mut ratings = Vec::new();
    for position in 0..12 {
        let name = format!("p{position}");
        for rater in 0..3 {
            let (low, high) = (2 + (position + rater) % 2, 3 + (position + rater) % 3);
            ratings.push(rating(&format!("a{rater}"), &name, "a", "clarity", &low.to_string()));
            ratings.push(rating(&format!("b{rater}"), &name, "b", "clarity", &high.to_string()));
        }
    }
    let options = Options {
        baseline: Some("a".to_owned()),
        ..Options::default()
    };
    let report = analyse(&ratings, &five(&["clarity"]), &options).unwrap();
    let row = &report.comparisons[0];
    assert_eq!((row.positions, row.pairs), (12, 0));
    assert!(row.difference.unwrap() > 0.2 && row.p.unwrap() < 0.001, "{row:?}");
    assert!(matches!(
        report.agreement[0].undefined["icc2k"],
        Undefined::NotCrossed { raters: 6, .. }
    ));
}

fn methods(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("m{number}")).collect()
}

fn planted(seed: u64, careless: usize) -> (Vec<Rating>, Material) {
    let study = made_up_study(120, &methods(4), seed);
    let how = Simulation {
        raters: 8,
        careless,
        effects: BTreeMap::from([("m2".to_owned(), 0.15), ("m3".to_owned(), -0.1)]),
        spread: Spread::default(),
        seed,
    };
    (simulate(&study, &how), Material::from(&study))
}

fn against_m1() -> Options {
    Options {
        baseline: Some("m1".to_owned()),
        ..Options::default()
    }
}

#[test]
fn planted_effects_are_found() {
    let (ratings, material) = planted(1, 0);
    let report = analyse(&ratings, &material, &against_m1()).unwrap();
    assert_eq!(report.means.len(), 4 * 5);
    let marked = report.table(Which::Means);
    for row in report.comparisons.iter().filter(|row| row.criterion != "words") {
        let (difference, p) = (row.difference.unwrap(), row.p_holm.unwrap());
        assert_eq!((row.positions, row.pairs), (120, 960));
        match row.method.as_str() {
            "m2" => assert!((difference - 0.15).abs() < 0.06 && p < 0.001, "{row:?}"),
            "m3" => assert!((difference + 0.1).abs() < 0.06 && p < 0.05, "{row:?}"),
            _ => assert!(difference.abs() < 0.06 && p > 0.05, "{row:?}"),
        }
    }
    let words = |cell: &Cell| cell.shown();
    let m2 = marked.rows.iter().find(|row| row[0] == Cell::from("m2")).unwrap();
    assert!(m2[1..6].iter().all(|cell| words(cell).ends_with('*')), "{m2:?}");
    assert!(
        report
            .agreement
            .iter()
            .all(|row| row.icc2k.unwrap() > row.icc21.unwrap())
    );
    assert_eq!(report.words.len(), 4);
    // Words by chance against references by chance: no correlation to speak of, but one for each metric.
    assert_eq!(report.correlations.len(), 4 * 5);
    assert!(
        report
            .correlations
            .iter()
            .all(|row| row.n == 480 && row.pearson.unwrap().abs() < 0.25)
    );
    assert!(
        report
            .errors
            .iter()
            .any(|row| row.kind == "illegal" && row.rate.unwrap() > 0.05)
    );
}

#[test]
fn the_same_seed_gives_the_same_ratings_and_more_raters_add_to_them() {
    let study = made_up_study(6, &methods(3), 5);
    let how = |raters| Simulation {
        raters,
        careless: 0,
        effects: BTreeMap::new(),
        spread: Spread::default(),
        seed: 9,
    };
    let (three, four) = (simulate(&study, &how(3)), simulate(&study, &how(4)));
    assert_eq!(three, simulate(&study, &how(3)));
    assert_eq!(four[..three.len()], three);
}

#[test]
fn careless_raters_are_flagged_and_left_out_only_when_asked() {
    let mut study = demonstration().unwrap();
    study.checks.repeats = 3;
    let how = Simulation {
        raters: 9,
        careless: 2,
        effects: BTreeMap::new(),
        spread: Spread::default(),
        seed: 4,
    };
    let (ratings, material) = (simulate(&study, &how), Material::from(&study));
    let report = analyse(&ratings, &material, &Options::default()).unwrap();
    for (number, row) in (1..).zip(&report.raters) {
        assert_eq!(row.rater, format!("sim-{number:03}"));
        assert_eq!(row.checks, study.checks.planted.len());
        assert_eq!(row.repeats, 3 * study.criteria.len());
        if number > 7 {
            assert!(row.flags.contains(&Flag::Fast), "{row:?}");
        } else {
            assert_eq!(row.flags, [], "{row:?}");
            assert_eq!(row.failed_checks, 0);
        }
    }
    assert_eq!((report.counts.raters, report.excluded.len()), (9, 0));
    let options = Options {
        exclude_flagged: true,
        ..Options::default()
    };
    let without = analyse(&ratings, &material, &options).unwrap();
    assert_eq!(without.counts.raters, 7);
    assert_eq!(without.raters.len(), 9);
    let names: Vec<&str> = without
        .excluded
        .iter()
        .map(|excluded| excluded.rater.as_str())
        .collect();
    assert_eq!(names, ["sim-008", "sim-009"]);
    assert!(without.excluded[0].reason.contains("fast"));
}

#[test]
fn failed_checks_and_straight_lines_are_flagged() {
    let study = demonstration().unwrap();
    let how = Simulation {
        raters: 4,
        careless: 0,
        effects: BTreeMap::new(),
        spread: Spread::default(),
        seed: 2,
    };
    let mut ratings = simulate(&study, &how);
    let points: BTreeMap<&str, usize> = study
        .criteria
        .iter()
        .map(|c| (c.id.as_str(), study.points(&c.id).unwrap()))
        .collect();
    let (expected, check) = {
        let check = &study.checks.planted[0];
        (&check.expected[0], format!("check/{}", check.id))
    };
    for rating in &mut ratings {
        if rating.rater == "sim-001" && rating.item == check && rating.criterion == expected.criterion {
            let wrong = (1..=9).find(|value| !expected.values.contains(value)).unwrap();
            rating.value = wrong.to_string();
        }
        if rating.rater == "sim-002" && points.get(rating.criterion.as_str()) == Some(&5) {
            rating.value = "3".to_owned();
        }
    }
    let report = analyse(&ratings, &Material::from(&study), &Options::default()).unwrap();
    assert_eq!(report.raters[0].flags, [Flag::FailedChecks]);
    assert!(
        report.raters[1].flags.contains(&Flag::StraightLining),
        "{:?}",
        report.raters[1]
    );
    assert_eq!(report.raters[2].flags, []);
    assert!(report.excluded.is_empty());
}

#[test]
fn no_effect_is_found_in_one_study_of_twenty() {
    let none = Effect {
        difference: 0.0,
        positions: 30,
        points: 5,
        spread: Spread::default(),
        alpha: 0.05,
        runs: 1_000,
        seed: 11,
    };
    let alarms = none.power(5).unwrap();
    // Of 1,000 studies with a chance of 0.05 each, 29 to 73 have a false alarm in 998 of 1,000 cases.
    assert!((29..=73).contains(&alarms.count), "{alarms:?}");
}

/// On a fine scale the power is that of a test of means, which the signed-rank test's is 0.955 of (Pitman's efficiency
/// for normal differences).
#[test]
fn power_is_what_theory_says() {
    let spread = Spread::default();
    let effect = Effect {
        difference: 0.08,
        positions: 40,
        points: 101,
        spread,
        alpha: 0.05,
        runs: 1_000,
        seed: 12,
    };
    for raters in [1, 4] {
        let variance = 2.0 * (spread.comment.powi(2) + spread.noise.powi(2) / raters as f64);
        let shift = effect.difference / (variance / (0.955 * effect.positions as f64)).sqrt();
        // P(Z > 1.96 - shift), by the logistic approximation of the normal distribution (error below 0.01).
        let theory = 1.0 / (1.0 + (1.702 * (1.96 - shift)).exp());
        let found = effect.power(raters).unwrap().rate;
        assert!((found - theory).abs() < 0.06, "{raters} raters: {found}, {theory}");
    }
    let effect = Effect {
        runs: 300,
        difference: 0.1,
        ..effect
    };
    let needed = effect.raters_needed(0.8, 16);
    let raters = needed.raters.unwrap();
    let power = |raters: usize| needed.tried.iter().find(|(n, _)| *n == raters).unwrap().1.rate;
    assert!(power(raters) >= 0.8 && power(raters - 1) < 0.8, "{needed:?}");
    let hopeless = Effect {
        difference: 0.01,
        positions: 5,
        ..effect
    };
    assert_eq!(hopeless.raters_needed(0.8, 8).raters, None);
}

/// Names that are words to Markdown, LaTeX or CSV.
#[test]
fn tables_are_copied_whole() {
    let mut ratings = read_csv(include_str!("data/survey/ratings.csv")).unwrap();
    for rating in &mut ratings {
        rating.method = rating.method.replace("short", "a|b_c & \"d\"");
    }
    let report = analyse(
        &ratings,
        &five(&["clarity", "fluency", "correctness"]),
        &against_plain(),
    )
    .unwrap();
    for which in Which::ALL {
        let rows = report.rows(which);
        let csv = rows.to_csv();
        let mut reader = csv::ReaderBuilder::new().from_reader(csv.as_bytes());
        assert_eq!(reader.headers().unwrap(), rows.head.as_slice());
        assert_eq!(reader.records().map(Result::unwrap).count(), rows.rows.len());
        let table = report.table(which);
        let lines = table.to_markdown();
        let lines: Vec<&str> = lines.lines().filter(|line| line.starts_with('|')).collect();
        assert_eq!(lines.len(), table.rows.len() + 2, "{which:?}");
        for line in lines {
            assert_eq!(
                line.replace("\\|", "").matches('|').count(),
                table.head.len() + 1,
                "{line}"
            );
        }
        let latex = table.to_latex();
        for line in latex.lines().filter(|line| line.ends_with("\\\\")) {
            assert_eq!(
                line.replace("\\&", "").matches('&').count(),
                table.head.len() - 1,
                "{line}"
            );
        }
    }
    assert!(report.table(Which::Means).to_latex().contains("a$|$b\\_c \\&"));
}

/// Of 12 comments that are the reference itself, overlap is 1 and the ratings are the highest; those of the other method
/// share a word or none.
#[test]
fn reference_comments_count_in_overlap_only_when_asked() {
    let mut material = five(&["clarity"]);
    let mut ratings = Vec::new();
    for place in 0..12 {
        let position = format!("p{place}");
        let reference = format!("White takes pawn number{place}");
        for (method, text, value) in [
            ("reference", format!(" {reference} "), "5"),
            (
                "other",
                if place % 2 == 0 { "White rests" } else { "Black waits" }.to_owned(),
                ["2", "3"][place % 2],
            ),
        ] {
            let comment = CommentText {
                text,
                reference: Some(reference.clone()),
                ..CommentText::default()
            };
            material.comments.insert((position.clone(), method.to_owned()), comment);
            ratings.extend(["r1", "r2"].map(|rater| rating(rater, &position, method, "clarity", value)));
        }
    }
    let rouge = |count_reference: bool| {
        let options = Options {
            count_reference,
            ..Options::default()
        };
        let report = analyse(&ratings, &material, &options).unwrap();
        assert_eq!(report.reference_counted, count_reference);
        let said = report
            .table(Which::Correlations)
            .notes
            .iter()
            .any(|note| note.starts_with("Reference comments count"));
        assert_eq!(said, count_reference);
        let row = report.correlations.iter().find(|row| row.metric == "ROUGE-1").unwrap();
        (row.n, row.pearson.unwrap())
    };
    // Of the others alone, those with a word in common are rated lower.
    let (n, r) = rouge(false);
    assert!(n == 12 && (r + 1.0).abs() < 1e-9, "{n} {r}");
    let (n, r) = rouge(true);
    assert!(n == 24 && r > 0.8, "{n} {r}");
}

fn against_plain() -> Options {
    Options {
        baseline: Some("plain".to_owned()),
        ..Options::default()
    }
}

/// Every number of every table.
fn numbers(report: &Report) -> Vec<f64> {
    let cells = Which::ALL
        .into_iter()
        .flat_map(|which| report.rows(which).rows)
        .flatten();
    cells
        .filter_map(|cell| match cell {
            Cell::Number(value, _) => Some(value),
            _ => None,
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Whatever was rated by whom, tables have finite numbers or nothing, and nothing has a reason.
    #[test]
    fn no_table_has_a_number_that_is_none(
        rows in prop::collection::vec((0..4_u8, 0..4_u8, 0..3_u8, 0..2_u8, 1..6_u8, prop::option::of(0..50_000_u64)), 1..60),
        flagged in any::<bool>(),
    ) {
        let ratings: Vec<Rating> = rows.iter().map(|(rater, position, method, criterion, value, active_ms)| Rating {
            active_ms: *active_ms,
            ..rating(&format!("r{rater}"), &format!("p{position}"), &format!("m{method}"), ["x", "y"][usize::from(*criterion)],
                &value.to_string())
        }).collect();
        let options = Options { baseline: Some("m0".to_owned()), exclude_flagged: flagged, ..Options::default() };
        match analyse(&ratings, &five(&["x", "y"]), &options) {
            Ok(report) => {
                prop_assert!(numbers(&report).iter().all(|number| number.is_finite()));
                for row in &report.means {
                    prop_assert_eq!(row.low.is_none(), row.undefined.is_some());
                }
                for row in &report.comparisons {
                    prop_assert_eq!(row.p.is_none(), row.undefined.is_some());
                    prop_assert_eq!(row.p.is_none(), row.p_holm.is_none());
                }
                for row in &report.agreement {
                    prop_assert_eq!(row.icc2k.is_none(), row.undefined.contains_key("icc2k"));
                    prop_assert_eq!(row.fleiss_kappa.is_none(), row.undefined.contains_key("fleiss_kappa"));
                    prop_assert_eq!(
                        row.krippendorff_alpha_low.is_none(),
                        row.undefined.contains_key("krippendorff_alpha") || row.undefined.contains_key("krippendorff_alpha_interval")
                    );
                    for (low, figure) in [(row.fleiss_kappa_low, row.fleiss_kappa), (row.krippendorff_alpha_low, row.krippendorff_alpha)] {
                        prop_assert!(low.is_none() || figure.is_some());
                    }
                }
                let names: BTreeSet<&str> = report.raters.iter().map(|row| row.rater.as_str()).collect();
                prop_assert_eq!(names.len(), report.counts.raters + report.excluded.len());
            }
            Err(AnalysisError::Baseline(..) | AnalysisError::Nobody(_)) => {}
            Err(error) => prop_assert!(false, "{}", error),
        }
    }
}

/// How fast it is: run in a release build, `cargo nextest run --release --test suite -E 'test(two_seconds)'`.
#[cfg(not(debug_assertions))]
#[test]
fn a_large_study_is_analysed_in_two_seconds() {
    use kibitz::survey::{
        long_form::write_csv,
        merge::{Results, merge},
    };
    let study = made_up_study(50, &methods(5), 1);
    let how = Simulation {
        raters: 200,
        careless: 10,
        effects: BTreeMap::from([("m2".to_owned(), 0.1)]),
        spread: Spread::default(),
        seed: 1,
    };
    let text = write_csv(&simulate(&study, &how));
    let material = Material::from(&study);
    let clock = std::time::Instant::now();
    let ratings = read_csv(&text).unwrap();
    let rows = ratings.len();
    let read = clock.elapsed();
    let merged = merge(vec![("ratings.csv".to_owned(), Results::Rows(ratings))]);
    let put_together = clock.elapsed();
    let report = analyse(&merged.ratings, &material, &against_m1()).unwrap();
    let analysed = clock.elapsed();
    println!(
        "{rows} rows: read {read:?}, merged {:?}, analysed {:?}",
        put_together - read,
        analysed - put_together
    );
    assert_eq!((report.counts.raters, report.counts.items), (200, 250));
    assert!(analysed.as_secs_f64() < 2.0, "{analysed:?}");
}
