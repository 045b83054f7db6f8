//! The claim check against a real language model that cannot play chess: SmolLM2-135M over the paper's positions, in all
//! four arms. What it says is not judged; that nothing wrong is shown is. Run with `--features lab`; skips, saying so,
//! without the packages of `tests/requirements-llm.txt` (`KIBITZ_LLM_PYTHON` names the Python that has them), the engines or
//! ../shared. The two arms with long prompts comment on a few positions only, unless `KIBITZ_TORTURE=all`.

#![allow(
    clippy::unwrap_used,
    reason = "outside the test functions too, a failure is a failed test"
)]
#![cfg(feature = "lab")]

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value;

use super::local_model::LocalModel;

/// Tokens of a reply: the model never comes to an end by itself.
const REPLY: &str = "120";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// How many positions the arms with facts comment on: reading their prompts takes this model seconds each.
const LONG: usize = 5;

/// The positions, where they and the engines are there.
fn positions() -> Option<PathBuf> {
    let file = root().join("../shared/data/ccc-positions-dev.jsonl");
    let engine = Path::new("/usr/games/stockfish").exists()
        || std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
            .any(|dir| dir.join("stockfish").exists());
    let labels = root().join("node_modules/stockfish-8/src/stockfish.js").exists();
    if !(file.exists() && engine && labels) {
        eprintln!(
            "skipped: needs {} ({}), stockfish ({engine}) and npm's stockfish-8 ({labels})",
            file.display(),
            file.exists()
        );
        return None;
    }
    Some(file)
}

fn lab(server: &LocalModel, arm: &str, input: &str) -> Vec<Value> {
    let probes = [
        "--net",
        "public/networks/kibitz-64x6.pb.gz",
        "--probes",
        "public/networks/kibitz-64x6.probes",
    ];
    let mut child = Command::new(env!("CARGO_BIN_EXE_lab"))
        .args([
            "comment",
            "--json",
            "--nodes",
            "20000",
            "--arm",
            arm,
            "--endpoint",
            &server.base,
        ])
        .args(["--model", &server.model, "--seed", "1", "--max-tokens", REPLY])
        .args(if ["ccc", "full"].contains(&arm) {
            &probes[..]
        } else {
            &[]
        })
        .args(["--no-examples", "--in", "-"])
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A few kilobytes: the pipe holds them.
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).unwrap();
    said.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn nothing_wrong_is_shown_of_a_model_that_cannot_play() {
    let Some(file) = positions() else { return };
    let Some(server) = LocalModel::start(4096) else { return };
    let text = std::fs::read_to_string(file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 10);
    let all = std::env::var("KIBITZ_TORTURE").is_ok_and(|value| value == "all");
    let (mut claims, mut contradicted) = (0, 0);
    eprintln!("arm      comments claims supported contradicted revised narrator shown-claims shown-contradicted");
    for arm in ["llm", "engine", "ccc", "facts", "full"] {
        // The examples of the fuller arms would leave too little room in 4096 tokens.
        let positions = if all || ["llm", "engine"].contains(&arm) {
            lines.len()
        } else {
            LONG
        };
        let records = lab(&server, arm, &lines[..positions].join("\n"));
        assert_eq!(records.len(), positions);
        let mut sums = [0; 7];
        for record in &records {
            assert!(record["model_error"].is_null(), "{}", record["model_error"]);
            assert_eq!(record["arm"], arm);
            assert!(!record["reply"].as_str().unwrap().is_empty());
            let shown = record["shown"].as_str().unwrap();
            assert!(!shown.trim().is_empty());
            let count = |tally: &Value, verdict: &str| tally[verdict].as_u64().unwrap();
            // Of every reply, the one that is not shown too.
            let mut tallies = vec![&record["tally"]];
            tallies.extend(record["other_reply"].get("tally"));
            for tally in tallies {
                let counts =
                    ["supported", "contradicted", "doubtful", "not_judged"].map(|verdict| count(tally, verdict));
                sums[0] += counts.iter().sum::<u64>();
                sums[1] += counts[0];
                sums[2] += counts[1];
            }
            sums[3] += u64::from(record["revised"] == true);
            sums[4] += u64::from(record["narrator_spoke"] == true);
            let after = &record["shown_tally"];
            sums[5] += ["supported", "contradicted", "doubtful", "not_judged"]
                .map(|verdict| count(after, verdict))
                .iter()
                .sum::<u64>();
            sums[6] += count(after, "contradicted");
            assert_eq!(count(after, "contradicted"), 0, "{shown}");
            for struck in record["struck"].as_array().unwrap() {
                assert!(!struck["reasons"].as_array().unwrap().is_empty());
            }
            assert_eq!(
                record["revised"] == true,
                record["other_reply"].is_object(),
                "a second reply is on the record"
            );
        }
        let [made, supported, wrong, revised, narrator, after, shown] = sums;
        eprintln!(
            "{arm:8} {:8} {made:6} {supported:9} {wrong:12} {revised:7} {narrator:8} {after:12} {shown:18}",
            records.len()
        );
        claims += made;
        contradicted += wrong;
    }
    assert!(
        claims > 20 && contradicted > 5,
        "a torture that does not hurt: {contradicted} of {claims} claims"
    );
}

#[test]
fn a_prompt_that_does_not_fit_is_reported_with_advice() {
    if positions().is_none() {
        return;
    }
    let Some(server) = LocalModel::start(1024) else { return };
    let output = Command::new(env!("CARGO_BIN_EXE_lab"))
        .args([
            "comment",
            "--nodes",
            "1000",
            "--arm",
            "full",
            "--endpoint",
            &server.base,
            "--model",
            &server.model,
        ])
        .args([
            "--fen",
            "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
            "--move",
            "Qxf7#",
        ])
        .current_dir(root())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("longer than this model can read") && said.contains("without the examples"),
        "{said}"
    );
}
