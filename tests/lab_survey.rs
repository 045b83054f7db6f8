//! The built `lab survey`. Run with `--features lab`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(feature = "lab")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;

fn lab(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab"))
        .arg("survey")
        .args(args)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/survey"))
        .output()
        .unwrap()
}

fn json(args: &[&str]) -> Value {
    let output = lab(args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("kibitz-lab-survey-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

const SCALES: [&str; 6] = [
    "--scale",
    "correctness=1..3",
    "--scale",
    "clarity=1..5",
    "--scale",
    "fluency=1..5",
];

#[test]
fn json_has_the_tables() {
    let found = json(
        &[
            &[
                "analyse",
                "ratings.csv",
                "--json",
                "--baseline",
                "plain",
                "--scores",
                "scores.csv",
            ],
            &SCALES[..],
        ]
        .concat(),
    );
    for (table, fields) in [
        ("means", &["method", "criterion", "mean", "low", "high", "n"][..]),
        ("errors", &["method", "kind", "rate", "n"]),
        (
            "agreement",
            &["criterion", "fleiss_kappa", "krippendorff_alpha", "icc2k"],
        ),
        ("correlations", &["metric", "criterion", "pearson", "kendall", "n"]),
        ("comparisons", &["method", "criterion", "p", "p_holm"]),
    ] {
        let rows = found[table].as_array().unwrap();
        assert!(!rows.is_empty(), "{table}");
        for row in rows {
            assert!(fields.iter().all(|field| !row[field].is_null()), "{table}: {row}");
        }
    }
    assert!(found["notes"].as_array().unwrap().is_empty());
}

#[test]
fn files_are_put_together_and_what_contradicts_is_named() {
    let folder = folder("merge");
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/survey/ratings.csv")).unwrap();
    let other = folder.join("other.csv");
    fs::write(&other, text.replacen("p1,plain,clarity,2,", "p1,plain,clarity,5,", 1)).unwrap();
    let found = json(
        &[
            &["analyse", "ratings.csv", other.to_str().unwrap(), "--json"],
            &SCALES[..],
        ]
        .concat(),
    );
    let notes = found["notes"].to_string();
    assert!(
        notes.contains("r1 answered “5” for clarity of p1/plain, but “2” was read first"),
        "{notes}"
    );
    assert!(notes.contains("rows were there already"), "{notes}");
    assert_eq!(
        found["means"],
        json(&[&["analyse", "ratings.csv", "--json"], &SCALES[..]].concat())["means"]
    );
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_simulated_study_goes_through_every_format() {
    let folder = folder("simulate");
    let (ratings, study) = (folder.join("ratings.csv"), folder.join("study.json"));
    let (ratings, study) = (ratings.to_str().unwrap(), study.to_str().unwrap());
    let made = lab(&[
        "simulate",
        "--positions",
        "10",
        "--raters",
        "6",
        "--careless",
        "1",
        "--effect",
        "ours=0.2",
        "--effect",
        "theirs=0",
        "--seed",
        "3",
        "--out",
        ratings,
        "--study-out",
        study,
    ]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let analyse = [
        "analyse",
        ratings,
        "--study",
        study,
        "--baseline",
        "theirs",
        "--exclude-flagged",
    ];
    let found = json(&[&analyse[..], &["--json"]].concat());
    assert_eq!(found["excluded"][0]["rater"], "sim-006");
    for (format, sign) in [
        ("text", "Mean ratings by 5 raters"),
        ("markdown", "| method | correctness |"),
        ("latex", "\\toprule"),
        ("csv", "method,criterion,mean,low,high,n"),
    ] {
        let output = lab(&[&analyse[..], &["--format", format, "--table", "means"]].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && text.contains(sign), "{format}: {text}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("sim-006 is left out: flagged"));
    }
    for (format, sign) in [
        ("text", "κ of ranks, paper (n = 250)"),
        ("csv", ",paper_fleiss_kappa_ranks,paper_n,paper_raters\n"),
    ] {
        let output = lab(&[&analyse[..], &["--paper", "--format", format, "--table", "agreement"]].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && text.contains(sign), "{format}: {text}");
    }
    let counted = json(&[&analyse[..], &["--json", "--count-reference"]].concat());
    assert_eq!(
        (&counted["reference_counted"], &found["reference_counted"]),
        (&true.into(), &false.into())
    );
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn power_says_how_many_raters() {
    let found = json(&[
        "power",
        "--effect",
        "0.15",
        "--positions",
        "20",
        "--runs",
        "200",
        "--most",
        "16",
        "--json",
    ]);
    let raters = found["needed"]["raters"].as_u64().unwrap();
    assert!((1..=16).contains(&raters), "{found}");
    assert!(found["needed"]["tried"].as_array().unwrap().len() > 1);
}

#[test]
fn what_no_ratings_can_show_is_said_before() {
    let args = [
        "power",
        "--effect",
        "0.3",
        "--positions",
        "10",
        "--runs",
        "20",
        "--most",
        "2",
        "--comparisons",
        "4",
    ];
    let output = lab(&args);
    let text = String::from_utf8(output.stdout).unwrap();
    let sentence = "With 10 positions p < 0.001 cannot be reached, whatever the ratings: the smallest possible is 0.00195, \
                    times 4 comparisons (Holm) 0.00781. It takes at least 13 positions.";
    assert!(text.starts_with(sentence), "{text}");
    let found = json(&[&args[..], &["--json"]].concat());
    assert_eq!(found["smallest_p_holm"], 0.007_812_5);
    assert_eq!(found["unreachable"], serde_json::json!([sentence]));
}

#[test]
fn the_codebook_is_written_in_both_formats() {
    for (format, sign) in [
        ("md", "| part | name | values | meaning | missing |"),
        ("csv", "part,name,values,meaning,missing\n"),
    ] {
        let output = lab(&["codebook", "study.json", "--format", format]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && text.contains(sign), "{format}: {text}");
    }
}

#[test]
fn ratings_are_anonymised() {
    let folder = folder("anonymise");
    let out = folder.join("anonymised.csv");
    let args = [
        "anonymise",
        "ratings.csv",
        "--seed",
        "7",
        "--out",
        out.to_str().unwrap(),
    ];
    let output = lab(&args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(&out).unwrap();
    let raters: std::collections::BTreeSet<&str> = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(1).unwrap())
        .collect();
    assert_eq!(
        raters.into_iter().collect::<Vec<_>>(),
        ["R001", "R002", "R003", "R004", "R005"]
    );
    // The tables are the same.
    let analyse = |file: &str| json(&[&["analyse", file, "--json"], &SCALES[..]].concat());
    let (before, after) = (analyse("ratings.csv"), analyse(out.to_str().unwrap()));
    for table in ["errors", "distributions"] {
        assert_eq!(
            before[table].as_array().unwrap().len(),
            after[table].as_array().unwrap().len(),
            "{table}"
        );
    }
    for row in before["means"].as_array().unwrap() {
        let same = |other: &&Value| other["method"] == row["method"] && other["criterion"] == row["criterion"];
        let other = after["means"].as_array().unwrap().iter().find(same).unwrap();
        assert_eq!((&row["n"], &row["raters"]), (&other["n"], &other["raters"]));
        assert!((row["mean"].as_f64().unwrap() - other["mean"].as_f64().unwrap()).abs() < 1e-12);
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn refusals_are_sentences() {
    for (args, sentence) in [
        (&["analyse", "scores.csv"][..], "the header lacks the column “rater”"),
        (&["analyse", "nowhere.csv"], "nowhere.csv: "),
        (
            &["analyse", "ratings.csv", "--baseline", "none"],
            "there is no method “none” to compare with",
        ),
        (
            &["analyse", "ratings.csv", "--table", "none"],
            "there are means, comparisons",
        ),
        (
            &["analyse", "ratings.csv", "--scale", "clarity=5..1"],
            "a scale is written as clarity=1..5",
        ),
        (&["analyse", "ratings.csv", "--id", "another"], "there are no ratings"),
    ] {
        let output = lab(args);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && error.contains(sentence),
            "{args:?}: {error}"
        );
    }
}

#[test]
fn a_study_is_checked_with_its_gaps() {
    let whole: Value = serde_json::from_str(include_str!("data/survey/study.json")).unwrap();
    let good = lab(&["check", "study.json"]);
    let said = String::from_utf8_lossy(&good.stdout).into_owned();
    assert!(
        good.status.success() && said.contains("warning: With 2 positions no comparison"),
        "{said}"
    );
    let folder = folder("check");
    let path = folder.join("gaps.json");
    let mut gaps = whole;
    gaps["title"] = "".into();
    gaps["items"][0]["comments"].as_array_mut().unwrap().remove(0);
    fs::write(&path, gaps.to_string()).unwrap();
    let bad = lab(&["check", &path.display().to_string()]);
    let said = String::from_utf8_lossy(&bad.stdout).into_owned();
    assert!(!bad.status.success());
    assert!(said.contains("fault: the title: the text is missing"), "{said}");
    assert!(said.contains("no comment by"), "{said}");
    assert!(
        String::from_utf8_lossy(&bad.stderr).contains("1 fault"),
        "{}",
        String::from_utf8_lossy(&bad.stderr)
    );
    fs::remove_dir_all(folder).unwrap();
}
