//! The built `lab probe` on positions of random games, with a made-up network and the real Stockfish 8. Run with
//! `--features lab`; skips, saying so, where Stockfish 8 is not installed. How good probes are is not looked at: four
//! filters of chance hold no concept.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(feature = "lab")]

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use crate::net_reference::{KINDS, Kind, network};
use kibitz::{chess::fen::write_fen, concepts::ProbeSet, net::read_network, random::Rng};
use prost::Message;
use serde_json::Value;
use shakmaty::{CastlingMode, Chess, Position};

/// Random games, every fifth position of them.
const GAMES: usize = 60;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn installed() -> bool {
    let labels = root().join("node_modules/stockfish-8/src/stockfish.js").exists();
    if !labels {
        eprintln!("skipped: npm's stockfish-8 is not installed");
    }
    labels
}

fn lab(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(args)
        .current_dir(root())
        .output()
        .unwrap()
}

/// A folder of the test's own, with a small network, another one, and positions.
fn prepared(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("kibitz-lab-probe-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let kind = Kind {
        sizes: [4, 2, 2, 4],
        ..KINDS[0]
    };
    fs::write(folder.join("small.pb"), network(kind).encode_to_vec()).unwrap();
    fs::write(folder.join("other.pb"), network(KINDS[0]).encode_to_vec()).unwrap();
    let mut rng = Rng::new(4);
    let mut lines = String::new();
    for game in 0..GAMES {
        let mut position = Chess::default();
        for ply in 0..100 {
            let legal = position.legal_moves();
            let Some(&mv) = legal.get(rng.below(legal.len())) else {
                break;
            };
            position.play_unchecked(mv);
            if ply % 5 == 4 && !position.is_game_over() {
                let record = serde_json::json!({"game": format!("g{game}"), "ply": ply + 1, "fen": write_fen(&position, CastlingMode::Standard)});
                writeln!(lines, "{record}").unwrap();
            }
        }
    }
    fs::write(folder.join("positions.jsonl"), lines).unwrap();
    folder
}

/// Whole games of chance, position by position.
fn whole_games(path: &Path, games: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut lines = String::new();
    for game in 0..games {
        let mut position = Chess::default();
        for ply in 0..60 {
            let fen = write_fen(&position, CastlingMode::Standard);
            let record = serde_json::json!({"game": format!("w{seed}-{game}"), "ply": ply, "fen": fen});
            writeln!(lines, "{record}").unwrap();
            let legal = position.legal_moves();
            let Some(&mv) = legal.get(rng.below(legal.len())) else {
                break;
            };
            position.play_unchecked(mv);
        }
    }
    fs::write(path, lines).unwrap();
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn probes_are_fitted_judged_again_and_compared() {
    if !installed() {
        return;
    }
    let folder = prepared("all");
    let at = |name: &str| folder.join(name);
    let (net, positions, probes, cache) = (at("small.pb"), at("positions.jsonl"), at("small.probes"), at("cache"));
    let sources = [
        "--net",
        text(&net),
        "--positions",
        text(&positions),
        "--cache",
        text(&cache),
    ];
    let with = |command: &str, more: &[&str]| lab(&[&["probe", command][..], &sources, more].concat());

    // All controls, as nothing is said of them.
    let fit = with("fit", &["--out", text(&probes), "--json"]);
    assert!(fit.status.success(), "{}", String::from_utf8_lossy(&fit.stderr));
    let fitted: Value = serde_json::from_slice(&fit.stdout).unwrap();
    let set = ProbeSet::read(&fs::read(&probes).unwrap()).unwrap();
    let hash = read_network(&fs::read(&net).unwrap()).unwrap().sha256;
    assert_eq!(
        (set.network(), fitted["network"]["sha256"].as_str()),
        (hash.as_str(), Some(hash.as_str()))
    );
    assert_eq!(fitted["rows"].as_array().unwrap().len(), 21);
    assert_eq!(fitted["search"].as_array().unwrap().len(), 21);
    let controls = fitted["controls"].as_array().unwrap();
    let names: Vec<&str> = controls
        .iter()
        .filter_map(|control| control["control"].as_str())
        .collect();
    assert_eq!(names, ["paper", "paper-shuffled", "shuffled", "planes"]);
    for control in controls {
        assert_eq!(control["accuracies"].as_array().unwrap().len(), 21, "{control}");
        let selectivity = fitted["mean"].as_f64().unwrap() - control["mean"].as_f64().unwrap();
        assert!((control["selectivity"].as_f64().unwrap() - selectivity).abs() < 1e-9);
    }
    // The file has them too.
    for probe in set.probes() {
        let of_card = probe.card.controls;
        assert!(
            of_card.shuffled.is_some() && of_card.planes.is_some(),
            "{}",
            probe.card.name
        );
    }
    // The same probes on the same test games, from what the cache holds: the same figures.
    let report = with("report", &["--probes", text(&probes), "--without-controls", "--json"]);
    let judged: Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!(judged["rows"], fitted["rows"]);
    assert_eq!(judged["mover"], fitted["mover"]);
    assert_eq!(judged["controls"], Value::Null);
    let met = judged["met"].as_bool().unwrap();
    assert_eq!(report.status.code(), Some(if met { 0 } else { 1 }));
    assert!(!met, "a network of chance");

    let priorities = with("priorities", &["--probes", text(&probes), "--count", "60", "--json"]);
    assert!(
        priorities.status.success(),
        "{}",
        String::from_utf8_lossy(&priorities.stderr)
    );
    let compared: Value = serde_json::from_slice(&priorities.stdout).unwrap();
    assert_eq!(compared["schema"], "kibitz-probe-priorities-2");
    let named = compared["named"].as_array().unwrap();
    assert_eq!(named.len(), 4);
    for by in named {
        let count = |field: &str| by[field].as_f64().unwrap();
        // A probe that reads nothing may leave fewer than five that change.
        assert!(count("candidates") > 4.0 && count("candidates") <= 5.0, "{by}");
        assert!(count("to_weed") <= count("candidates"), "{by}");
    }
    for terms in ["pawns", "standardised"] {
        let overlap = &compared[terms];
        assert!(overlap["moves"].as_u64().unwrap() > 30, "{overlap}");
        let rules = overlap["rules"].as_array().unwrap();
        assert_eq!(rules.len(), 6, "{overlap}");
        for (by, figure) in rules
            .iter()
            .flat_map(|by| [(by, "five"), (by, "first_among_five"), (by, "first")])
        {
            let [low, mean, high] = [0, 1, 2].map(|i| match i {
                1 => by[figure]["mean"].as_f64().unwrap(),
                i => by[figure]["interval"][i / 2].as_f64().unwrap(),
            });
            assert!(0.0 <= low && low <= mean && mean <= high && high <= 1.0, "{by}");
        }
    }

    changes_are_fitted_too(&folder, &sources);

    // One concept anew, and the rest as it was.
    let (both, more) = (at("both.probes"), at("more.probes"));
    let one = [
        "--only",
        "Our Rooks",
        "--add",
        text(&both),
        "--out",
        text(&more),
        "--c",
        "0.00073",
    ];
    let added = with("fit", &one);
    assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
    let [old, new] = [&both, &more].map(|path| ProbeSet::read(&fs::read(path).unwrap()).unwrap());
    let changed: Vec<&str> = old
        .all()
        .iter()
        .zip(new.all())
        .filter(|(old, new)| old != new)
        .map(|(_, new)| new.card.name.as_str())
        .collect();
    assert_eq!((changed, old.all().len()), (vec!["Our Rooks"], new.all().len()));
    assert_eq!(old.changes(), new.changes());
    let unknown = ["--only", "Our Hooks", "--add", text(&both), "--out", text(&more)];
    let refused = with("fit", &unknown);
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("Our Hooks"));

    controls_go_into_a_file(&folder, &sources);

    let other = at("other.pb");
    let wrong = lab(&[
        "probe",
        "report",
        "--net",
        text(&other),
        "--positions",
        text(&positions),
        "--cache",
        text(&cache),
        "--probes",
        text(&probes),
    ]);
    let complaint = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(
        wrong.status.code() == Some(2) && complaint.contains(&hash),
        "{complaint}"
    );
    fs::remove_dir_all(&folder).unwrap();
}

/// A file's probes get the controls of their own layers, and all else in it stays.
fn controls_go_into_a_file(folder: &Path, sources: &[&str]) {
    let at = |name: &str| folder.join(name);
    let (both, out) = (at("both.probes"), at("controlled.probes"));
    let run = |more: &[&str]| {
        let files = ["--probes", text(&both), "--out", text(&out), "--json"];
        lab(&[&["probe", "controls"][..], sources, &files, more].concat())
    };
    let ran = run(&[]);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let report: Value = serde_json::from_slice(&ran.stdout).unwrap();
    let bytes = [&both, &out].map(|path| fs::read(path).unwrap());
    let [old, new] = [0, 1].map(|i| ProbeSet::read(&bytes[i]).unwrap());
    let rows = report["rows"].as_array().unwrap();
    assert_eq!((rows.len(), new.all().len()), (old.all().len(), old.all().len()));
    for ((before, after), row) in old.all().iter().zip(new.all()).zip(rows) {
        let (card, figures) = (&after.card, after.card.controls);
        assert_eq!(row["concept"], card.name);
        assert_eq!(row["layer"], card.layer.to_string());
        assert_eq!(row["shuffled"].as_f64(), figures.shuffled);
        assert_eq!(row["planes"].as_f64(), figures.planes);
        let beside = figures.beside.unwrap();
        // The probe's own positions, on which C is chosen from the same list: its fit again.
        assert_eq!(
            (beside.n, beside.accuracy, card.c),
            (
                card.n,
                card.accuracy,
                row["tried"].as_array().unwrap().last().unwrap()["c"].as_f64().unwrap()
            ),
            "{}",
            card.name
        );
        assert_eq!(row["selectivity"].as_f64(), figures.selectivity(0.0));
        let mut as_it_was = after.clone();
        as_it_was.card.controls = before.card.controls;
        assert_eq!(as_it_was, *before);
    }
    // Behind the header, weights and probes of changes are the same bytes.
    let weights = |bytes: &[u8]| {
        let length = u64::from_le_bytes(bytes[..8].try_into().unwrap());
        bytes[8 + usize::try_from(length).unwrap()..].to_vec()
    };
    assert_eq!(weights(&bytes[0]), weights(&bytes[1]));
    let refused = run(&["--only", "Our Hooks"]);
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("Our Hooks"));
}

/// Probes of changes go into the same file, and order the concepts of a move.
fn changes_are_fitted_too(folder: &Path, sources: &[&str]) {
    let at = |name: &str| folder.join(name);
    let (net, probes, both) = (at("small.pb"), at("small.probes"), at("both.probes"));
    let (games, judges) = (at("whole.jsonl"), at("judges.jsonl"));
    whole_games(&games, 40, 11);
    whole_games(&judges, 10, 12);
    let of_games = |more: &[&str]| {
        let files = [
            "--net",
            text(&net),
            "--games",
            text(&games),
            "--test",
            text(&judges),
            "--json",
        ];
        lab(&[&["probe", "changes"][..], &files, more].concat())
    };
    let fit = of_games(&["--probes", text(&probes), "--out", text(&both)]);
    assert!(fit.status.success(), "{}", String::from_utf8_lossy(&fit.stderr));
    let report: Value = serde_json::from_slice(&fit.stdout).unwrap();
    assert_eq!(report["test"]["concepts"].as_array().unwrap().len(), 21);
    assert!(report["training_pairs"].as_u64().unwrap() > 1000, "{report}");
    let shuffled = of_games(&["--control", "shuffled"]);
    let control: Value = serde_json::from_slice(&shuffled.stdout).unwrap();
    assert_eq!(control["control"], "shuffled");
    assert_ne!(control["network"], report["network"], "another network's activations");
    let planes = of_games(&["--control", "planes"]);
    let control: Value = serde_json::from_slice(&planes.stdout).unwrap();
    assert_eq!(
        (&control["control"], &control["test_pairs"]),
        (&"planes".into(), &report["test_pairs"])
    );
    // Material can be read off the planes.
    assert!(
        control["test"]["concepts"][0]["spearman"].as_f64().unwrap() > 0.5,
        "{control}"
    );

    let set = ProbeSet::read(&fs::read(&both).unwrap()).unwrap();
    let changes = set.changes().unwrap();
    assert_eq!((changes.card().heads.len(), changes.card().usual.len()), (21, 5));
    assert_eq!(
        set.probes(),
        ProbeSet::read(&fs::read(&probes).unwrap()).unwrap().probes()
    );
    // The file's probes of changes on games that they have not seen, as they were judged when they were written.
    let judged = lab(&[
        "probe",
        "changes",
        "--net",
        text(&net),
        "--judge",
        text(&both),
        "--test",
        text(&judges),
        "--json",
    ]);
    assert!(judged.status.success(), "{}", String::from_utf8_lossy(&judged.stderr));
    let judged: Value = serde_json::from_slice(&judged.stdout).unwrap();
    assert_eq!(judged["test_pairs"], report["test_pairs"]);
    assert_eq!(
        judged["test"]["concepts"][0]["changed"],
        report["test"]["concepts"][0]["changed"]
    );
    assert_eq!((&judged["games"], &judged["validation"]), (&Value::Null, &Value::Null));
    assert_eq!(judged["same_five"], report["same_five"]);

    let ordered = lab(&[
        &["probe", "priorities"][..],
        sources,
        &["--probes", text(&both), "--count", "20"],
    ]
    .concat());
    assert!(ordered.status.success(), "{}", String::from_utf8_lossy(&ordered.stderr));
    assert!(String::from_utf8_lossy(&ordered.stdout).contains("probes of changes"));

    let out = at("read");
    let positions = text(&judges);
    let files = ["--net", text(&net), "--probes", text(&both), "--positions", positions];
    let read = lab(&[&["probe", "read"][..], &files, &["--count", "5", "--out", text(&out)]].concat());
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    assert_eq!(fs::read_to_string(out.join("scores.csv")).unwrap().lines().count(), 6);
    let moves = fs::read_to_string(out.join("changes.csv")).unwrap();
    assert_eq!(
        (moves.lines().count(), moves.lines().nth(1).unwrap().split(',').count()),
        (5, 4 + 42)
    );
    python_reads(&out, &both);
    let (names, shares) = (set.all().len(), fs::read(out.join("shares.npy")).unwrap());
    assert_eq!(
        (&shares[..6], shares.len() % 64),
        (&b"\x93NUMPY"[..], (5 * names * 65 * 4) % 64)
    );

    let shifts = [
        "--count",
        "2",
        "--chances",
        "3",
        "--shifts=-1,1",
        "--only",
        "Material",
        "--json",
    ];
    let steer = lab(&[&["probe", "steer"][..], &files, &shifts].concat());
    assert!(steer.status.success(), "{}", String::from_utf8_lossy(&steer.stderr));
    let steered: Value = serde_json::from_slice(&steer.stdout).unwrap();
    assert_eq!(steered["rows"][0]["points"].as_array().unwrap().len(), 2, "{steered}");
    let one = ["--fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"];
    let steer = lab(&[&["probe", "steer"][..], &files, &shifts, &one].concat());
    assert!(steer.status.success(), "{}", String::from_utf8_lossy(&steer.stderr));
    let steered: Value = serde_json::from_slice(&steer.stdout).unwrap();
    assert_eq!((&steered["fen"], &steered["positions"]), (&one[1].into(), &2.into()));
}

/// The examples of docs/probes.md run on what was read out, where there is Python with NumPy.
fn python_reads(folder: &Path, probes: &Path) {
    let numpy = Command::new("python3").args(["-c", "import numpy"]).output();
    if !numpy.is_ok_and(|ran| ran.status.success()) {
        eprintln!("skipped: the examples in Python need python3 with numpy");
        return;
    }
    let page = fs::read_to_string(root().join("docs/probes.md")).unwrap();
    let examples: Vec<&str> = page
        .split("```python\n")
        .skip(1)
        .filter_map(|rest| rest.split_once("```").map(|(example, _)| example))
        .collect();
    assert_eq!(examples.len(), 2);
    for example in examples {
        let example = example
            .replace("\"folder/", &format!("\"{}/", text(folder)))
            .replace("public/networks/kibitz-64x6.probes", text(probes));
        let ran = Command::new("python3").args(["-c", &example]).output().unwrap();
        assert!(
            ran.status.success(),
            "{example}\n{}",
            String::from_utf8_lossy(&ran.stderr)
        );
        assert!(!ran.stdout.is_empty(), "{example}");
    }
}
