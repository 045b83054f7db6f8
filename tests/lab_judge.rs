//! `lab judge` with judges whose probabilities and biases are known: played by a server of the test. Run with
//! `--features lab`.

#![allow(
    clippy::unwrap_used,
    reason = "outside the test functions too, a failure is a failed test"
)]
#![cfg(feature = "lab")]

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    io::Write,
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use kibitz::{
    judge::{
        exchange::{Outcome, Row},
        report::{means, pairs},
        run_file::{Run, failure_kinds},
        task::Ask,
    },
    survey::analysis::paper,
};
use serde_json::{Value, json};

use super::{http_request, local_model::LocalModel};

const FENS: [(&str, &str); 4] = [
    ("rnbqkb1r/ppp2ppp/3p4/4N3/4n3/8/PPPP1PPP/RNBQKB1R w KQkq - 0 5", "Nxf7"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4"),
    ("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "Nf3"),
    (
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "Bb5",
    ),
];
/// The words of each method's comments say how good the judge will find them: its mean score.
const METHODS: [(&str, &str, f64); 3] = [
    ("strong", "A fine comment of strength four.", 4.0),
    ("middling", "A plain comment of strength three.", 3.0),
    ("weak", "A poor comment of strength two.", 2.0),
];

/// What a scripted judge thinks.
#[derive(Debug, Clone, Copy)]
struct Manner {
    /// So many points more for A in the rubric.
    bias: i32,
    /// How good it finds the comments of [`METHODS`].
    strengths: [f64; 3],
}

impl Manner {
    /// Fair but for its bias.
    fn biased(bias: i32) -> Self {
        Self {
            bias,
            strengths: METHODS.map(|(_, _, strength)| strength),
        }
    }

    fn strength(&self, text: &str) -> f64 {
        let found = METHODS.iter().position(|(_, comment, _)| text.contains(comment));
        found.map_or(3.0, |place| self.strengths[place])
    }
}

/// How a server fails.
#[derive(Debug, Clone, Copy)]
enum Fault {
    /// 400, with an error of the API.
    Refused,
    /// 429, to be asked again at once.
    Busy,
    /// 503.
    Overloaded,
    /// 200 with a web page.
    Page,
    /// The line is cut in the middle of the reply.
    Cut,
    /// A reply without words.
    Empty,
}

/// A server whose judge spreads its probability evenly over the scores one below, at and one above the comment's strength,
/// with a tenth on words.
struct Scripted {
    base: String,
    asked: Arc<AtomicUsize>,
}

impl Scripted {
    /// Questions with a number in `broken` are refused.
    fn open(bias: i32, broken: std::ops::Range<usize>) -> Self {
        Self::with(Manner::biased(bias), move |number| {
            broken.contains(&number).then_some(Fault::Refused)
        })
    }

    /// `fault` says how the question with a number fails.
    fn with(manner: Manner, fault: impl Fn(usize) -> Option<Fault> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let fault = Arc::new(fault);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (count, fault) = (Arc::clone(&count), Arc::clone(&fault));
                std::thread::spawn(move || answer(stream.unwrap(), &count, manner, &*fault));
            }
        });
        Self { base, asked }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

fn answer(stream: TcpStream, count: &AtomicUsize, manner: Manner, fault: &impl Fn(usize) -> Option<Fault>) {
    let Some((mut stream, body)) = http_request::body_of(stream) else {
        return;
    };
    let number = count.fetch_add(1, Ordering::SeqCst);
    let question: Value = serde_json::from_slice(&body).unwrap();
    let error = |message: &str| json!({"error": {"message": message, "type": "invalid_request_error"}}).to_string();
    let whole = judged(&question, manner).to_string();
    let (status, more, reply, length) = match fault(number) {
        Some(Fault::Refused) => (400, "", error("not today"), None),
        Some(Fault::Busy) => (429, "retry-after: 0\r\n", error("slow down"), None),
        Some(Fault::Overloaded) => (503, "retry-after: 0\r\n", error("too much"), None),
        Some(Fault::Page) => (200, "", "<!doctype html><p>Log in</p>".to_owned(), None),
        Some(Fault::Cut) => (200, "", whole[..whole.len() / 2].to_owned(), Some(whole.len())),
        Some(Fault::Empty) => (
            200,
            "",
            json!({"choices": [{"message": {"content": ""}}]}).to_string(),
            None,
        ),
        None => (200, "", whole, None),
    };
    let head = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nconnection: close\r\n{more}content-length: {}\r\n\r\n",
        length.unwrap_or(reply.len())
    );
    stream.write_all((head + &reply).as_bytes()).unwrap();
}

fn judged(question: &Value, manner: Manner) -> Value {
    let user = question["messages"][1]["content"].as_str().unwrap();
    let (text, probabilities) = match user.split_once("Comment B: ") {
        _ if user.contains("<text>") => (declared(user).to_owned(), Value::Null),
        Some((a, b)) => (line(manner.strength(a), manner.strength(b), manner.bias), Value::Null),
        None => {
            let middle = manner.strength(user);
            let text = format!("{middle:.0}");
            let near: Vec<Value> = [middle - 1.0, middle, middle + 1.0]
                .iter()
                .map(|score| json!({"token": format!("{score:.0}"), "logprob": 0.3_f64.ln()}))
                .chain([json!({"token": "The", "logprob": 0.1_f64.ln()})])
                .collect();
            let token = json!({"token": text, "logprob": 0.3_f64.ln(), "top_logprobs": near});
            (text, json!({"content": [token]}))
        }
    };
    json!({
        "model": "scripted-2026",
        "choices": [{
            "index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": text},
            "logprobs": if question["logprobs"] == true { probabilities } else { Value::Null },
        }],
        "usage": {"prompt_tokens": 100, "completion_tokens": 2},
    })
}

/// What is declared of the comments of [`METHODS`]: nothing, what cannot be read, and a check where there is none.
fn declared(user: &str) -> &'static str {
    let text = user.split_once("<text>").unwrap().1;
    match METHODS.iter().position(|(_, comment, _)| text.contains(comment)) {
        Some(0) => r#"{"claims": []}"#,
        Some(1) => "I'd rather not.",
        _ => r#"{"claims": [{"words": "A poor comment", "predicate": "gives_check"}]}"#,
    }
}

/// All six ratings are the strength; A gets `bias` more on clarity. Totals and winner are wrong: they must not be believed.
fn line(a: f64, b: f64, bias: i32) -> String {
    let rating = |strength: f64, more: i32| {
        let mut ratings = [strength as i32; 6];
        ratings[3] = (ratings[3] + more).clamp(1, 5);
        let text: Vec<String> = ratings.iter().map(ToString::to_string).collect();
        text.join(",")
    };
    format!("A: C1=…\nWINNER,TIE,A,{},6,B,{},6", rating(a, bias), rating(b, 0))
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("judge-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let mut table = String::from("item,fen,move,method,comment\n");
    for (number, (fen, mv)) in FENS.iter().enumerate() {
        for (method, comment, _) in METHODS {
            // Another word in each: the same words would be judged once.
            writeln!(table, "i{number},{fen},{mv},{method},{comment} Number {number}.").unwrap();
        }
    }
    fs::write(folder.join("items.csv"), table).unwrap();
    folder
}

fn lab(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab"))
        .arg("judge")
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn run(folder: &Path, judge: &Scripted, more: &[&str]) -> Output {
    let spec = format!("scripted=openai,{},scripted", judge.base);
    let args = ["run", "--in", "items.csv", "--no-engine", "--judge", &spec];
    let output = lab(folder, &[&args, more].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn read(folder: &Path, name: &str) -> Run {
    Run::read(&fs::read_to_string(folder.join(name)).unwrap()).unwrap()
}

/// 4 items × (3 methods × 4 criteria + 3 pairs × 2 orders).
const ALL: usize = 72;

#[test]
fn a_judge_with_known_probabilities_comes_out_with_their_expectation() {
    let folder = folder("known");
    let judge = Scripted::open(0, 0..0);
    run(&folder, &judge, &["--out", "run.jsonl"]);
    assert_eq!(judge.asked(), ALL);
    let run = read(&folder, "run.jsonl");
    assert_eq!(run.progress().judged, ALL);
    for ((_, _, method, _), score) in means::scores(&run) {
        let wanted = METHODS.iter().find(|(name, ..)| *name == method).unwrap().2;
        assert!((score.score - wanted).abs() < 1e-9, "{method}: {score:?}");
        assert!((score.mass - 0.9).abs() < 1e-9);
        assert!((score.raw - 0.9 * wanted).abs() < 1e-9);
    }
    assert_eq!(run.tokens().prompt, 100 * ALL as u64);
    assert!(
        run.rows
            .iter()
            .all(|row| row.model_answered.as_deref() == Some("scripted-2026"))
    );
    // Whoever is stronger wins in both orders, whatever winner and totals the line names.
    for pair in pairs::judged_pairs(&run) {
        assert_eq!(pair.is_flip(), Some(false));
        let totals = pair
            .methods
            .map(|name| 6.0 * METHODS.iter().find(|(own, ..)| *own == name).unwrap().2);
        assert_eq!(pair.decision.totals, totals, "{pair:?}");
    }
    let report = lab(
        &folder,
        &["report", "run.jsonl", "--format", "markdown", "--scores", "scores.csv"],
    );
    let text = String::from_utf8(report.stdout).unwrap();
    assert!(text.contains("| strong | **0.75** |"), "{text}");
    assert!(text.contains("named different winners in 0 of 12 (0.00)"), "{text}");
    assert!(
        text.contains("Probability on the scores 1 to 5: 0.90 on average"),
        "{text}"
    );
    let scores = fs::read_to_string(folder.join("scores.csv")).unwrap();
    assert!(
        scores.starts_with("position,method,gcc-relevance,gcc-completeness,gcc-clarity,gcc-fluency,claims-supported")
    );
    assert_eq!(scores.lines().count(), 13);
}

#[test]
fn a_judge_that_favours_the_first_place_is_found_out() {
    let folder = folder("bias");
    // Seven points more for A would need more than one criterion: strength differs by 6 or 12 points, so that only equals flip.
    let judge = Scripted::open(2, 0..0);
    let mut table = String::from("item,fen,move,method,comment\n");
    for (number, (fen, mv)) in FENS.iter().enumerate() {
        for method in ["one", "two"] {
            writeln!(
                table,
                "i{number},{fen},{mv},{method},{} By {method} {number}.",
                METHODS[1].1
            )
            .unwrap();
        }
    }
    fs::write(folder.join("items.csv"), table).unwrap();
    run(&folder, &judge, &["--no-gcc-eval", "--out", "run.jsonl"]);
    let run = read(&folder, "run.jsonl");
    let found = pairs::judged_pairs(&run);
    assert_eq!(found.len(), 4);
    for pair in &found {
        assert_eq!(pair.is_flip(), Some(true));
        assert_eq!(pair.decision.winner.word(), "TIE");
        assert_eq!(pair.decision.totals, [19.0, 19.0]);
    }
    let text = String::from_utf8(lab(&folder, &["report", "run.jsonl"]).stdout).unwrap();
    assert!(text.contains("named different winners in 4 of 4 (1.00)"), "{text}");
}

#[test]
fn a_run_that_failed_goes_on_and_nothing_is_judged_twice() {
    let folder = folder("resumed");
    let judge = Scripted::open(0, 20..45);
    run(&folder, &judge, &["--out", "run.jsonl", "--concurrency", "3"]);
    let first = read(&folder, "run.jsonl");
    assert_eq!((first.progress().judged, first.progress().failed), (47, 25));
    assert_eq!(judge.asked(), ALL);
    // A run that was killed leaves half a line.
    let path = folder.join("run.jsonl");
    let mut text = fs::read_to_string(&path).unwrap();
    text.push_str("{\"line\":\"row\",\"item\":\"i0\",\"jud");
    fs::write(&path, text).unwrap();
    let said = run(&folder, &judge, &["--out", "run.jsonl"]);
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(said.contains("47 of 72 judgements are there, 25 to do"), "{said}");
    assert_eq!(judge.asked(), ALL + 25);
    let second = read(&folder, "run.jsonl");
    assert_eq!((second.progress().judged, second.progress().failed), (ALL, 0));
    // The failures stay on the record.
    assert_eq!(second.rows.len(), ALL + 25);
    run(&folder, &judge, &["--out", "run.jsonl"]);
    assert_eq!(judge.asked(), ALL + 25);
    let other = lab(
        &folder,
        &[
            "run",
            "--in",
            "items.csv",
            "--no-engine",
            "--seed",
            "2",
            "--out",
            "run.jsonl",
            "--judge",
            &format!("scripted=openai,{},scripted", judge.base),
        ],
    );
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("other judges or settings"));
}

#[test]
fn shards_come_to_the_same_as_one_run() {
    let folder = folder("shards");
    let judge = Scripted::open(0, 0..0);
    run(&folder, &judge, &["--out", "whole.jsonl"]);
    for part in ["0/3", "1/3", "2/3"] {
        run(
            &folder,
            &judge,
            &["--shard", part, "--out", &format!("part-{}.jsonl", &part[..1])],
        );
    }
    assert_eq!(judge.asked(), 2 * ALL);
    let merged = lab(
        &folder,
        &[
            "merge",
            "part-0.jsonl",
            "part-1.jsonl",
            "part-2.jsonl",
            "--out",
            "merged.jsonl",
        ],
    );
    assert!(merged.status.success(), "{}", String::from_utf8_lossy(&merged.stderr));
    let by_task = |run: &Run| -> BTreeMap<_, _> {
        run.judged()
            .map(|row| (row.task.clone(), row.outcome.clone()))
            .collect()
    };
    let (whole, merged) = (read(&folder, "whole.jsonl"), read(&folder, "merged.jsonl"));
    assert_eq!(by_task(&whole), by_task(&merged));
    assert_eq!(merged.progress().judged, ALL);
}

/// 4 items × 3 comments.
const COMMENTS: usize = 12;
/// 4 items × 3 pairs × 2 orders.
const PAIRS: usize = 24;

fn check_declared(run: &Run) {
    for item in &run.items {
        let [strong, middling, weak] = METHODS.map(|(method, ..)| item.comment(method).unwrap());
        assert!(weak.is_disqualified() && weak.wrong[0].kind == "check", "{weak:?}");
        assert!(!strong.is_disqualified() && !middling.is_disqualified());
        let unread = middling.declaration.as_ref().unwrap();
        assert_eq!(
            (unread.answer.as_str(), unread.by.name.as_str()),
            ("I'd rather not.", "scripted")
        );
        assert_eq!(unread.claims(&middling.text), None);
    }
    for row in run.judged() {
        let (Ask::Rubric { first, second }, Outcome::Ratings(rated)) = (&row.task.ask, &row.outcome) else {
            continue;
        };
        let weak = [first, second].map(|method| method == "weak");
        assert_eq!(rated.disqualified, weak);
        for (ratings, weak) in [&rated.decision.a, &rated.decision.b].into_iter().zip(weak) {
            assert_eq!(ratings[0] == 1.0, weak);
        }
    }
}

#[test]
fn a_declared_claim_that_is_wrong_disqualifies_and_nothing_is_asked_twice() {
    let folder = folder("declared");
    let judge = Scripted::open(0, 0..0);
    let options = ["--no-gcc-eval", "--declarer", "judge", "--out", "run.jsonl"];
    let said = run(&folder, &judge, &options);
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(said.contains("4 answers of a declarer could not be read."), "{said}");
    assert_eq!(judge.asked(), PAIRS + COMMENTS);
    let first = read(&folder, "run.jsonl");
    check_declared(&first);
    assert_eq!(first.tokens().prompt, 100 * (PAIRS + COMMENTS) as u64);
    // In one piece, the declarations are in the items.
    assert_eq!(Run::read(&first.text()).unwrap(), first);
    assert!(!first.text().contains(r#""line":"declared""#));
    run(&folder, &judge, &options);
    assert_eq!(judge.asked(), PAIRS + COMMENTS);
    let report = String::from_utf8(lab(&folder, &["report", "run.jsonl"]).stdout).unwrap();
    let by = format!(
        "The claim check: means over comments. Claims are declared by scripted (scripted at {}) in 8 of 12 comments. 4 answers of \
         a declarer could not be read. Our own reader has read 4 of 12 comments.",
        judge.base.trim_end_matches("/v1")
    );
    assert!(report.contains(&by), "{report}");
}

#[test]
fn a_run_without_declarations_is_as_it_was_and_follows_those_that_come_later() {
    let folder = folder("declared-later");
    let judge = Scripted::open(0, 0..0);
    run(&folder, &judge, &["--no-gcc-eval", "--out", "run.jsonl"]);
    let text = fs::read_to_string(folder.join("run.jsonl")).unwrap();
    for word in ["declar", "\"unsupported\":"] {
        assert!(!text.contains(word), "{word}");
    }
    assert_eq!(Run::read(&text).unwrap().text(), text);
    let spec = format!("scripted=openai,{},scripted", judge.base);
    let options = ["--no-gcc-eval", "--declarer", &spec, "--out", "run.jsonl"];
    run(&folder, &judge, &options);
    assert_eq!(judge.asked(), PAIRS + COMMENTS);
    check_declared(&read(&folder, "run.jsonl"));
    // Shards declare their own part.
    for part in ["0/2", "1/2"] {
        let out = format!("part-{}.jsonl", &part[..1]);
        run(
            &folder,
            &judge,
            &["--no-gcc-eval", "--declarer", "judge", "--shard", part, "--out", &out],
        );
    }
    assert_eq!(judge.asked(), 2 * (PAIRS + COMMENTS));
    let merged = lab(
        &folder,
        &["merge", "part-0.jsonl", "part-1.jsonl", "--out", "merged.jsonl"],
    );
    assert!(merged.status.success(), "{}", String::from_utf8_lossy(&merged.stderr));
    check_declared(&read(&folder, "merged.jsonl"));
}

#[test]
fn claims_are_declared_where_items_are_prepared_and_what_failed_is_asked_again() {
    let folder = folder("declared-prepared");
    let declarer = Scripted::open(0, 0..3);
    let spec = format!("scripted=openai,{},scripted", declarer.base);
    let prepare = |input: &str| {
        let args = [
            "prepare",
            "--in",
            input,
            "--no-engine",
            "--declarer",
            &spec,
            "--out",
            "items.jsonl",
        ];
        let output = lab(&folder, &args);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stderr).unwrap()
    };
    let said = prepare("items.csv");
    assert!(said.contains("3 texts without declared claims"), "{said}");
    assert_eq!(declarer.asked(), COMMENTS);
    prepare("items.jsonl");
    assert_eq!(declarer.asked(), COMMENTS + 3);
    let judge = Scripted::open(0, 0..0);
    let spec = format!("scripted=openai,{},scripted", judge.base);
    let options = [
        "run",
        "--in",
        "items.jsonl",
        "--judge",
        &spec,
        "--no-gcc-eval",
        "--declarer",
        "judge",
        "--out",
        "run.jsonl",
    ];
    let output = lab(&folder, &options);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(judge.asked(), PAIRS, "all claims are declared");
    check_declared(&read(&folder, "run.jsonl"));
}

#[test]
fn the_same_words_are_asked_about_once() {
    let folder = folder("same");
    let mut table = String::from("item,fen,move,method,comment\n");
    let (fen, mv) = FENS[0];
    for method in ["one", "two"] {
        writeln!(table, "i0,{fen},{mv},{method},{}", METHODS[0].1).unwrap();
    }
    fs::write(folder.join("items.csv"), table).unwrap();
    let judge = Scripted::open(0, 0..0);
    run(
        &folder,
        &judge,
        &["--pairs", "none", "--concurrency", "1", "--out", "run.jsonl"],
    );
    assert_eq!(judge.asked(), 4);
    let run = read(&folder, "run.jsonl");
    assert_eq!(run.progress().judged, 8);
    assert_eq!(run.rows.iter().filter(|row| row.copied).count(), 4);
}

#[test]
fn the_other_modes_ask_as_they_say() {
    let folder = folder("modes");
    let judge = Scripted::open(0, 0..0);
    let small = ["--pairs", "none", "--criterion", "fluency"];
    run(
        &folder,
        &judge,
        &[&small[..], &["--mode", "samples", "--out", "samples.jsonl"]].concat(),
    );
    assert_eq!(judge.asked(), 12 * 20);
    run(
        &folder,
        &judge,
        &[&small[..], &["--mode", "integer", "--out", "integer.jsonl"]].concat(),
    );
    for name in ["samples.jsonl", "integer.jsonl"] {
        for row in read(&folder, name).rows {
            assert!(matches!(row.outcome, Outcome::Score(score) if score.mass == 1.0 && score.score == score.raw));
        }
    }
}

#[test]
fn every_fault_of_a_server_is_a_row_with_its_reason_and_is_made_good() {
    let folder = folder("faults");
    let faults = [Fault::Refused, Fault::Page, Fault::Cut, Fault::Empty];
    // Every fourth question fails; those that are to be asked again are asked again by the endpoint itself.
    let judge = Scripted::with(Manner::biased(0), move |number| match number {
        1 => Some(Fault::Busy),
        2 => Some(Fault::Overloaded),
        10..=40 if number % 4 == 0 => Some(faults[number / 4 % 4]),
        50..=59 => Some(Fault::Cut),
        _ => None,
    });
    run(&folder, &judge, &["--out", "run.jsonl", "--concurrency", "1"]);
    let first = read(&folder, "run.jsonl");
    let failures = first.failures();
    assert_eq!(first.progress().judged + failures.len(), ALL);
    // What may go better at once is asked again by the endpoint itself, up to a bound: a line that is cut, an empty reply.
    let kinds = failure_kinds(&failures);
    assert_eq!((kinds["bad-request"], kinds["not-chat"]), (2, 2), "{kinds:?}");
    assert!((1..10).contains(&kinds["broken-stream"]), "{kinds:?}");
    assert_eq!(kinds.len(), 3, "{kinds:?}");
    // Every attempt that failed is on the record, where another made it good and where none did.
    let tried: Vec<(usize, &str)> = first
        .rows
        .iter()
        .flat_map(|row| &row.attempts)
        .map(|one| (one.reply, one.kind.as_str()))
        .collect();
    for kind in ["rate-limited", "overloaded", "broken-stream"] {
        assert!(tried.contains(&(0, kind)), "{kind}: {tried:?}");
    }
    let of = |row: &&Row| matches!(&row.outcome, Outcome::Error(failure) if failure.kind == "broken-stream");
    assert!(failures.iter().copied().filter(of).all(|row| !row.attempts.is_empty()));
    let asked = judge.asked();
    run(&folder, &judge, &["--out", "run.jsonl"]);
    let second = read(&folder, "run.jsonl");
    assert_eq!((second.progress().judged, second.progress().failed), (ALL, 0));
    assert_eq!(judge.asked(), asked + failures.len());
}

#[test]
fn judges_stand_beside_people_word_overlap_and_the_paper() {
    let folder = folder("people");
    let mut table = String::from("item,fen,move,method,comment,reference\n");
    let mut ratings = String::from("study,rater,item,position,method,criterion,value,scale_low,scale_high\n");
    for (number, (fen, mv)) in FENS.iter().enumerate() {
        for (place, (_, comment, strength)) in METHODS.iter().enumerate() {
            let method = ["gpt-4o+ccc", "gpt-4o+engine", "gac"][place];
            writeln!(
                table,
                "i{number},{fen},{mv},{method},{comment} Number {number}.,A fine comment of a person."
            )
            .unwrap();
            for rater in ["r1", "r2"] {
                writeln!(
                    ratings,
                    "s,{rater},i{number}/{method},i{number},{method},relevance,{strength},1,5"
                )
                .unwrap();
            }
        }
    }
    fs::write(folder.join("items.csv"), table).unwrap();
    fs::write(folder.join("ratings.csv"), ratings).unwrap();
    let judge = Scripted::open(0, 0..0);
    run(&folder, &judge, &["--out", "run.jsonl"]);
    let report = lab(
        &folder,
        &["report", "run.jsonl", "--ratings", "ratings.csv", "--format", "csv"],
    );
    let text = String::from_utf8(report.stdout).unwrap();
    assert!(report.status.success(), "{}", String::from_utf8_lossy(&report.stderr));
    let table_4 = csv_table(&text, "Judges against people");
    let cell = |metric: &str, column: &str| cell(&table_4, &[metric], column);
    // The judge says exactly what people say: the scripted strengths.
    assert!((cell("gcc-relevance", "Pearson").unwrap() - 1.0).abs() < 1e-9);
    assert!((cell("gcc-relevance", "Kendall").unwrap() - 1.0).abs() < 1e-9);
    assert_eq!(cell("gcc-relevance", "Pearson, paper (n = 250)"), Some(0.40));
    assert_eq!(cell("gcc-relevance", "Kendall, paper (n = 250)"), Some(0.24));
    assert_eq!(cell("gcc-clarity", "Pearson, paper (n = 250)"), None);
    // "A fine comment of" is shared by the strongest alone.
    assert!(cell("BLEU-1", "Pearson").unwrap() > 0.5, "{text}");
    assert_eq!(
        cell("BLEU-1", "Pearson, paper (n = 250)"),
        paper::correlation("BLEU-1", "relevance").map(|both| both.0)
    );
    assert_eq!(cell("ROUGE-L", "Comments"), Some(12.0));
    let markdown = lab(&folder, &["report", "run.jsonl", "--format", "markdown"]);
    let markdown = String::from_utf8(markdown.stdout).unwrap();
    assert!(markdown.contains("Relevance, paper"), "{markdown}");
    assert!(markdown.contains("| gac | 0.25 |"), "{markdown}");
    assert!(markdown.contains("The hard rule"), "{markdown}");
}

/// A table that `lab judge report --format csv` printed: its heading and its rows.
fn csv_table(report: &str, caption: &str) -> (csv::StringRecord, Vec<csv::StringRecord>) {
    let (_, table) = report
        .split_once(&format!("# {caption}\n"))
        .unwrap_or_else(|| panic!("{caption}: {report}"));
    let lines: Vec<&str> = table.lines().take_while(|line| !line.starts_with('#')).collect();
    let lines = lines.join("\n");
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(lines.as_bytes());
    (
        reader.headers().unwrap().clone(),
        reader.records().map(Result::unwrap).collect(),
    )
}

/// The cell of the row that begins with these cells.
fn cell(table: &(csv::StringRecord, Vec<csv::StringRecord>), begin: &[&str], column: &str) -> Option<f64> {
    let place = table.0.iter().position(|name| name == column).unwrap();
    let row = table
        .1
        .iter()
        .find(|row| begin.iter().zip(row.iter()).all(|(wanted, own)| *wanted == own));
    row.unwrap_or_else(|| panic!("{begin:?}: {table:?}"))[place]
        .parse()
        .ok()
}

fn report_csv(folder: &Path, more: &[&str]) -> String {
    let output = lab(folder, &[&["report", "run.jsonl", "--format", "csv"], more].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Two judges of one run, on two servers: one is fair, the other finds the middling comments as poor as the weak ones and
/// likes whatever stands first.
#[test]
fn two_judges_on_two_servers_are_held_against_each_other_and_against_people() {
    let folder = folder("two");
    let mut ratings = String::from("study,rater,item,position,method,criterion,value,scale_low,scale_high\n");
    for number in 0..FENS.len() {
        for (method, _, strength) in METHODS {
            for rater in ["r1", "r2"] {
                writeln!(
                    ratings,
                    "s,{rater},i{number}/{method},i{number},{method},relevance,{strength},1,5"
                )
                .unwrap();
            }
        }
    }
    fs::write(folder.join("ratings.csv"), ratings).unwrap();
    let fair = Scripted::open(0, 0..0);
    let severe = Manner {
        bias: 2,
        strengths: [4.0, 2.0, 2.0],
    };
    let severe = Scripted::with(severe, |_| None);
    let specs =
        [("fair", &fair), ("severe", &severe)].map(|(name, judge)| format!("{name}=openai,{},scripted", judge.base));
    let args = ["run", "--in", "items.csv", "--no-engine", "--out", "run.jsonl"];
    let output = lab(
        &folder,
        &[&args[..], &["--judge", &specs[0], "--judge", &specs[1]]].concat(),
    );
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!((fair.asked(), severe.asked()), (ALL, ALL));
    let run = read(&folder, "run.jsonl");
    assert_eq!(run.progress().judged, 2 * ALL);

    let text = report_csv(&folder, &["--ratings", "ratings.csv"]);
    let against = csv_table(&text, "Judge against judge");
    let near = |found: Option<f64>, wanted: f64| {
        let found = found.unwrap_or_else(|| panic!("{wanted}: {against:?}"));
        assert!((found - wanted).abs() < 1e-9, "{found} is not {wanted}");
    };
    for criterion in ["Relevance", "Completeness", "Clarity", "Fluency"] {
        let row = ["fair, severe", criterion];
        // Four comments each at (4, 4), (3, 2) and (2, 2).
        near(cell(&against, &row, "Pearson"), 0.75_f64.sqrt());
        // 32 concordant pairs of 66; 18 are tied by the first judge, 34 by the second.
        near(cell(&against, &row, "Kendall"), 32.0 / (48.0_f64 * 32.0).sqrt());
        near(cell(&against, &row, "Mean difference"), 1.0 / 3.0);
        assert_eq!(cell(&against, &row, "Judgements"), Some(12.0));
    }
    // Middling against weak: the fair one names a winner, for the other it is a flip and a tie.
    let row = ["fair, severe", "Pairwise rubric"];
    near(cell(&against, &row, "Same winner"), 2.0 / 3.0);
    assert_eq!(cell(&against, &row, "Judgements"), Some(12.0));
    let order = csv_table(&text, "Does the order decide?");
    near(cell(&order, &["fair"], "Flips"), 0.0);
    near(cell(&order, &["severe"], "Flips"), 1.0 / 3.0);

    let people = csv_table(&text, "Judges against people");
    near(cell(&people, &["gcc-relevance@fair"], "Pearson"), 1.0);
    near(cell(&people, &["gcc-relevance@severe"], "Pearson"), 0.75_f64.sqrt());
    // The best of a criterion is marked, the second too.
    let markdown = lab(
        &folder,
        &[
            "report",
            "run.jsonl",
            "--ratings",
            "ratings.csv",
            "--format",
            "markdown",
        ],
    );
    let markdown = String::from_utf8(markdown.stdout).unwrap();
    let row = |metric: &str| {
        let begin = format!("| {metric} | relevance | ");
        markdown
            .lines()
            .find_map(|line| line.strip_prefix(&begin))
            .unwrap_or_else(|| panic!("{markdown}"))
            .to_owned()
    };
    assert!(row("gcc-relevance@fair").starts_with("**1.00** |"), "{markdown}");
    assert!(
        row("gcc-relevance@severe").starts_with("<ins>0.87</ins> |"),
        "{markdown}"
    );
    for text in [
        "GCC-Eval by fair",
        "GCC-Eval by severe",
        "Wins by fair",
        "Wins by severe",
    ] {
        assert!(markdown.contains(text), "{text}: {markdown}");
    }
}

/// The claim check's scores beside people's word on correctness, of comments that are right, wrong and not to be decided.
#[test]
fn the_claim_check_goes_with_what_people_say_of_correctness() {
    let folder = folder("correct");
    let right = [
        "The knight attacks the queen on d8.",
        "The pawn on e4 is undefended.",
        "The knight attacks the pawn on e5.",
        "The bishop attacks the knight on c6.",
    ];
    let mut table = String::from("item,fen,move,method,comment\n");
    let mut ratings = String::from("study,rater,item,position,method,criterion,value,scale_low,scale_high\n");
    for (number, ((fen, mv), right)) in FENS.iter().zip(right).enumerate() {
        let comments = [
            ("right", right, 5),
            ("wrong", "White is a rook ahead.", 1),
            ("open", "The reply is forced.", 3),
        ];
        for (method, comment, value) in comments {
            writeln!(table, "i{number},{fen},{mv},{method},{comment}").unwrap();
            for rater in ["r1", "r2"] {
                writeln!(
                    ratings,
                    "s,{rater},i{number}/{method},i{number},{method},correctness,{value},1,5"
                )
                .unwrap();
            }
        }
    }
    fs::write(folder.join("items.csv"), table).unwrap();
    fs::write(folder.join("ratings.csv"), ratings).unwrap();
    let judge = Scripted::open(0, 0..0);
    run(&folder, &judge, &["--out", "run.jsonl", "--criterion", "fluency"]);
    let text = report_csv(&folder, &["--ratings", "ratings.csv"]);
    let people = csv_table(&text, "Judges against people");
    let of = |metric: &str, column: &str| cell(&people, &[metric, "correctness"], column);
    // Comments without a checkable claim have no share, and say nothing wrong.
    assert_eq!(of("claims-supported", "Comments"), Some(8.0), "{text}");
    assert!((of("claims-supported", "Pearson").unwrap() - 1.0).abs() < 1e-9);
    assert!((of("claims-supported", "Kendall").unwrap() - 1.0).abs() < 1e-9);
    assert!((of("claims-contradicted", "Pearson").unwrap() + 1.0).abs() < 1e-9);
    assert_eq!(of("claims-nothing-wrong", "Comments"), Some(12.0));
    // 1, 0, 1 against 5, 1, 3.
    assert!((of("claims-nothing-wrong", "Pearson").unwrap() - 0.75_f64.sqrt()).abs() < 1e-9);
    assert_eq!(of("claims-checkable", "Comments"), Some(12.0));
    let rule = csv_table(&text, "The hard rule: disqualified by the judge, by the claim check");
    for (method, checked, undecided) in [("right", 0.0, 0.0), ("wrong", 16.0, 0.0), ("open", 0.0, 16.0)] {
        let row = ["scripted", method];
        assert_eq!(cell(&rule, &row, "By the check alone"), Some(checked), "{method}");
        assert_eq!(cell(&rule, &row, "Not decided"), Some(undecided), "{method}");
    }
}

#[test]
fn another_run_answers_the_same_questions() {
    let folder = folder("reused");
    let judge = Scripted::open(0, 0..0);
    run(&folder, &judge, &["--out", "old.jsonl"]);
    assert_eq!(judge.asked(), ALL);
    run(&folder, &judge, &["--out", "run.jsonl", "--reuse", "old.jsonl"]);
    assert_eq!(judge.asked(), ALL, "nothing is asked again");
    let (old, new) = (read(&folder, "old.jsonl"), read(&folder, "run.jsonl"));
    assert_eq!(new.progress().judged, ALL);
    assert!(new.rows.iter().all(|row| row.copied && row.tokens.is_none()));
    let outcomes = |run: &Run| -> BTreeMap<_, _> {
        run.judged()
            .map(|row| (row.task.clone(), row.outcome.clone()))
            .collect()
    };
    assert_eq!(outcomes(&old), outcomes(&new));
    // Another seed is another question; the rubric's too.
    run(
        &folder,
        &judge,
        &["--out", "seeded.jsonl", "--seed", "2", "--reuse", "old.jsonl"],
    );
    assert_eq!(judge.asked(), 2 * ALL);
}

/// The worked example of docs/judging.md, with a scripted judge and no engine.
#[test]
fn the_worked_example_of_the_docs_comes_to_both_tables() {
    let folder = folder("example");
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/judging/ten-moves.json");
    let example = example.to_str().unwrap();
    let judge = Scripted::open(0, 0..0);
    let spec = format!("scripted=openai,{},scripted", judge.base);
    let out = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_lab"))
            .args(args)
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    };
    let simulate = [
        "survey",
        "simulate",
        "--study",
        example,
        "--effect",
        "narrator=0.15",
        "--effect",
        "plain=-0.15",
    ];
    out(&[&simulate[..], &["--raters", "5", "--seed", "1", "--out", "ratings.csv"]].concat());
    out(&[
        "judge",
        "prepare",
        "--in",
        example,
        "--out",
        "items.jsonl",
        "--no-engine",
    ]);
    out(&[
        "judge",
        "run",
        "--in",
        "items.jsonl",
        "--judge",
        &spec,
        "--out",
        "run.jsonl",
    ]);
    let run = read(&folder, "run.jsonl");
    // 10 moves × (3 methods × 4 criteria + 3 pairs × 2 orders)
    assert_eq!((run.progress().judged, run.progress().all), (180, 180));
    let text = out(&[
        "judge",
        "report",
        "run.jsonl",
        "--ratings",
        "ratings.csv",
        "--study",
        example,
    ]);
    for table in [
        "GCC-Eval by scripted",
        "The claim check",
        "Wins by scripted",
        "Judges against people",
        "ROUGE-L",
    ] {
        assert!(text.contains(table), "{table}: {text}");
    }
}

/// Shards as jobs of GNU parallel, as docs/judging.md has them. Skipped, saying so, where it is not installed.
#[test]
fn shards_run_as_jobs_of_gnu_parallel() {
    let is_there = Command::new("parallel").arg("--version").output();
    if !is_there.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).starts_with("GNU parallel")) {
        eprintln!("skipped: GNU parallel is not installed");
        return;
    }
    let folder = folder("parallel");
    let judge = Scripted::open(0, 0..0);
    let spec = format!("scripted=openai,{},scripted", judge.base);
    let output = Command::new("parallel")
        .args([
            env!("CARGO_BIN_EXE_lab"),
            "judge",
            "run",
            "--in",
            "items.csv",
            "--no-engine",
            "--judge",
            &spec,
        ])
        .args(["--shard", "{}/4", "--out", "part-{}.jsonl", ":::", "0", "1", "2", "3"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let parts = ["part-0.jsonl", "part-1.jsonl", "part-2.jsonl", "part-3.jsonl"];
    let merged = lab(&folder, &[&["merge"], &parts[..], &["--out", "merged.jsonl"]].concat());
    assert!(merged.status.success(), "{}", String::from_utf8_lossy(&merged.stderr));
    assert_eq!(judge.asked(), ALL);
    assert_eq!(read(&folder, "merged.jsonl").progress().judged, ALL);
}

/// Both judges end to end with a model far too small to judge: that every mode runs, that what is no score is a failure with
/// its reply, and that the mass on scores is kept. Two positions, or all ten with `KIBITZ_TORTURE=all`.
#[test]
fn a_real_model_judges_in_all_three_modes() {
    let positions = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/ccc-positions-dev.jsonl");
    if !positions.exists() {
        eprintln!("skipped: {} is not there", positions.display());
        return;
    }
    let Some(model) = LocalModel::start(8192) else { return };
    let folder = folder("real");
    let mut table = csv::Writer::from_path(folder.join("items.csv")).unwrap();
    table
        .write_record(["item", "fen", "move", "method", "comment"])
        .unwrap();
    for line in fs::read_to_string(positions).unwrap().lines() {
        let position: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| position[name].as_str().unwrap();
        for method in ["reference", "gac"] {
            table
                .write_record([text("id"), text("fen"), text("move"), method, text(method)])
                .unwrap();
        }
    }
    table.flush().unwrap();
    let all = std::env::var("KIBITZ_TORTURE").is_ok_and(|word| word == "all");
    let spec = format!("small=openai,{},{}", model.base, model.model);
    let shard = if all { "0/1" } else { "0/5" };
    let begin = [
        "run",
        "--in",
        "items.csv",
        "--no-engine",
        "--judge",
        &spec,
        "--shard",
        shard,
        "--concurrency",
        "1",
    ];
    for (mode, more) in [
        ("probabilities", &["--pairs", "all", "--max-tokens", "160"][..]),
        (
            "samples",
            &["--pairs", "none", "--criterion", "fluency", "--max-tokens", "8"],
        ),
        ("integer", &["--pairs", "none", "--max-tokens", "8"]),
    ] {
        let out = format!("{mode}.jsonl");
        let output = lab(&folder, &[&begin, &["--mode", mode, "--out", &out][..], more].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let run = read(&folder, &out);
        let progress = run.progress();
        let items = if all { 10 } else { 2 };
        let wanted = items
            * if mode == "probabilities" {
                10
            } else if mode == "samples" {
                2
            } else {
                8
            };
        assert_eq!(progress.judged + progress.failed, wanted, "{mode}");
        let scores = means::scores(&run);
        let least = scores.values().map(|score| score.mass).fold(f64::INFINITY, f64::min);
        let mean = scores.values().map(|score| score.mass).sum::<f64>() / scores.len().max(1) as f64;
        let lines = run
            .judged()
            .filter(|row| matches!(row.outcome, Outcome::Ratings(_)))
            .count();
        eprintln!(
            "{mode}: {} of {wanted} judged: {} scores, {mean:.2} of the mass on them, {least:.2} at least; {lines} lines of the \
             rubric; failures {:?}",
            progress.judged,
            scores.len(),
            failure_kinds(&run.failures())
        );
        for score in scores.values() {
            assert!(score.mass > 0.0 && score.mass <= 1.0 + 1e-6, "{score:?}");
            assert!((1.0..=5.0).contains(&score.score), "{score:?}");
        }
        for row in run.failures() {
            assert!(!row.replies.is_empty(), "a model that answers is quoted: {row:?}");
        }
    }
}
