//! `lab comment` with a language model: played by a server of the test that answers as real ones were seen to. Run with
//! `--features lab`.

#![allow(
    clippy::unwrap_used,
    reason = "outside the test functions too, a failure is a failed test"
)]
#![cfg(feature = "lab")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpListener,
    process::{Command, Output},
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};

const KEY: &str = "sk-test-0123456789";
/// The knight forks queen and rook.
const FEN: &str = "rnbqkb1r/ppp2ppp/3p4/4N3/4n3/8/PPPP1PPP/RNBQKB1R w KQkq - 0 5";
const TRUE: &str = "The knight on f7 attacks the queen on d8.";
const FALSE: &str = "Nothing protects the queen on d8.";

/// A question as it arrived.
struct Question {
    head: String,
    body: Value,
}

/// What a server answers: status, further header lines, body.
type Scripted = (u16, &'static str, String);

/// Answers its questions in order, one connection each, and then no more.
struct Server {
    base: String,
    questions: Arc<Mutex<Vec<Question>>>,
}

impl Server {
    fn open(answers: Vec<Scripted>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let questions = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&questions);
        std::thread::spawn(move || {
            for (status, headers, body) in answers {
                let (stream, _) = listener.accept().unwrap();
                let mut reader = BufReader::new(stream);
                let mut head = String::new();
                while !head.ends_with("\r\n\r\n") {
                    assert!(reader.read_line(&mut head).unwrap() > 0, "{head}");
                }
                let length = head.lines().find_map(|line| {
                    line.to_ascii_lowercase()
                        .strip_prefix("content-length:")?
                        .trim()
                        .parse()
                        .ok()
                });
                let mut question = vec![0; length.unwrap_or(0)];
                reader.read_exact(&mut question).unwrap();
                heard.lock().unwrap().push(Question {
                    head,
                    body: serde_json::from_slice(&question).unwrap(),
                });
                let answer = format!(
                    "HTTP/1.1 {status} X\r\n{headers}connection: close\r\ncontent-length: {}\r\n\r\n{body}",
                    body.len()
                );
                reader.into_inner().write_all(answer.as_bytes()).unwrap();
            }
        });
        Self { base, questions }
    }

    fn asked(&self) -> Vec<Value> {
        self.questions.lock().unwrap().iter().map(|q| q.body.clone()).collect()
    }
}

fn says(text: &str) -> Scripted {
    let body = json!({
        "model": "resolved-name",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10},
    });
    (200, "content-type: application/json\r\n", body.to_string())
}

fn refuses(status: u16, headers: &'static str, message: &str, param: Option<&str>) -> Scripted {
    let body = json!({"error": {"message": message, "param": param, "type": "invalid_request_error"}});
    (status, headers, body.to_string())
}

/// Without engines: the bare arm needs none, and the check has the board.
const BARE: [&str; 7] = ["comment", "--engine", "none", "--labels", "none", "--arm", "llm"];
const MOVE: [&str; 5] = ["--fen", FEN, "--move", "Nxf7", "--json"];

fn lab(args: &[&[&str]]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(args.concat())
        .env("KIBITZ_TEST_KEY", KEY)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap()
}

fn record(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let all = [&output.stdout[..], &output.stderr].concat();
    assert!(!String::from_utf8_lossy(&all).contains(KEY));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The narrator's sentences as one text.
fn narrated(record: &Value) -> String {
    let sentences = record["prose"].as_array().unwrap().iter();
    let texts: Vec<&str> = sentences.map(|sentence| sentence["text"].as_str().unwrap()).collect();
    texts.join(" ")
}

/// The one line that reports a failure.
fn failure(output: &Output) -> String {
    assert_eq!(
        output.status.code(),
        Some(2),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    assert!(output.stdout.is_empty());
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(!said.contains(KEY), "{said}");
    said
}

fn ask(server: &Server, more: &[&str]) -> Output {
    lab(&[
        &BARE,
        &MOVE,
        &["--endpoint", &server.base, "--model", "asked-name"],
        more,
    ])
}

#[test]
fn without_an_endpoint_the_prompt_is_printed() {
    let output = lab(&[&BARE, &MOVE]);
    let printed = record(&output);
    assert_eq!((&printed["arm"], &printed["context"]), (&"llm".into(), &"fen".into()));
    assert_eq!(printed["prompt_hash"].as_str().unwrap().len(), 64);
    let messages = printed["prompt"].as_array().unwrap();
    assert_eq!(messages[0]["role"], "system");
    assert_eq!(
        messages.last().unwrap()["content"],
        format!("position: {FEN}\nside to move: White\nmove: 5. Nxf7")
    );
    assert!(printed["reply"].is_null() && printed["narrator_spoke"].is_null());
    // To read and to paste.
    let text = lab(&[&BARE, &MOVE[..4]]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(
        text.contains("### Instructions\n") && text.contains(&format!("### Question\nposition: {FEN}\n")),
        "{text}"
    );
    // Without an arm and an endpoint there is neither.
    let plain = record(&lab(&[&BARE[..5], &MOVE]));
    assert!(plain["arm"].is_null() && plain["prompt"].is_null());
}

#[test]
fn a_comment_is_asked_for_checked_and_recorded() {
    let server = Server::open(vec![says(&format!("Comment: **{TRUE}**"))]);
    let options = [
        "--key-env",
        "KIBITZ_TEST_KEY",
        "--seed",
        "7",
        "--max-tokens",
        "99",
        "--no-examples",
    ];
    let said = record(&ask(&server, &options));
    assert_eq!(said["comment"], TRUE);
    assert_eq!(
        (&said["reply"], &said["shown"]),
        (&format!("Comment: **{TRUE}**").into(), &TRUE.into())
    );
    assert_eq!(
        (&said["model_asked"], &said["model_answered"]),
        (&"asked-name".into(), &"resolved-name".into())
    );
    assert_eq!(
        said["tokens"],
        json!({"prompt": 100, "completion": 10, "thinking": null})
    );
    assert_eq!(
        (&said["revised"], &said["narrator_spoke"], &said["struck"]),
        (&false.into(), &false.into(), &json!([]))
    );
    assert!(said["claims"].is_array() && said["model_error"].is_null());
    assert_eq!(said["endpoint"], server.base.trim_end_matches("/v1"));
    let questions = server.questions.lock().unwrap();
    let head = questions[0].head.to_ascii_lowercase();
    assert!(
        head.starts_with("post /v1/chat/completions ") && head.contains(&format!("authorization: bearer {KEY}")),
        "{head}"
    );
    let body = &questions[0].body;
    assert_eq!(body["messages"], said["prompt"]);
    assert_eq!(body["messages"].as_array().unwrap().len(), 2);
    assert_eq!(
        (
            &body["model"],
            &body["stream"],
            &body["seed"],
            &body["max_tokens"],
            &body["temperature"]
        ),
        (&"asked-name".into(), &false.into(), &7.into(), &99.into(), &0.1.into())
    );
}

#[test]
fn a_wrong_claim_goes_back_once() {
    let server = Server::open(vec![
        says(&format!("Comment: {TRUE} {FALSE}")),
        says(&format!("Comment: {TRUE}")),
    ]);
    let said = record(&ask(&server, &[]));
    assert_eq!(
        (&said["revised"], &said["second_reply"], &said["shown"]),
        (&true.into(), &true.into(), &TRUE.into())
    );
    assert_eq!(said["struck"], json!([]));
    assert!(said["other_reply"]["tally"]["contradicted"].as_u64().unwrap() > 0);
    assert_eq!(
        said["tokens"],
        json!({"prompt": 200, "completion": 20, "thinking": null})
    );
    let asked = server.asked();
    let (first, second) = (
        asked[0]["messages"].as_array().unwrap(),
        asked[1]["messages"].as_array().unwrap(),
    );
    assert_eq!(&second[..first.len()], &first[..]);
    assert!(
        second.last().unwrap()["content"]
            .as_str()
            .unwrap()
            .contains("the queen on d8")
    );
    // What stays wrong is struck; where nothing else is left the narrator speaks.
    for (second, shown) in [(format!("{FALSE} {TRUE}"), Some(TRUE)), (FALSE.to_owned(), None)] {
        let server = Server::open(vec![says(FALSE), says(&second)]);
        let said = record(&ask(&server, &[]));
        assert_eq!(said["struck"][0]["text"], FALSE);
        assert!(!said["struck"][0]["reasons"][0].as_str().unwrap().is_empty());
        assert_eq!(said["narrator_spoke"], shown.is_none());
        match shown {
            Some(shown) => assert_eq!(said["shown"], shown),
            None => assert_eq!(said["shown"], narrated(&said)),
        }
    }
    // A second question that fails costs nothing of the first reply.
    let refused = refuses(400, "", "the request exceeds the available context size", None);
    let server = Server::open(vec![says(&format!("{TRUE} {FALSE}")), refused]);
    let said = record(&ask(&server, &[]));
    assert_eq!((&said["shown"], &said["revised"]), (&TRUE.into(), &false.into()));
    assert_eq!(said["model_error"]["kind"], "context-overflow");
}

#[test]
fn what_may_pass_is_tried_again() {
    let busy = || refuses(503, "retry-after: 0\r\n", "Loading model", None);
    let server = Server::open(vec![
        busy(),
        refuses(400, "", "Unsupported parameter: max_tokens", Some("max_tokens")),
        says(TRUE),
    ]);
    let said = record(&ask(&server, &[]));
    assert_eq!(said["comment"], TRUE);
    let asked = server.asked();
    assert_eq!(
        (asked.len(), &asked[1]["max_tokens"], &asked[2]["max_tokens"]),
        (3, &2000.into(), &Value::Null)
    );
    assert_eq!(asked[2]["max_completion_tokens"], 2000);
}

/// The second question is put as the server takes it, without asking it again.
#[test]
fn what_a_server_refuses_in_words_is_asked_once() {
    let server = Server::open(vec![
        refuses(
            400,
            "",
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            None,
        ),
        refuses(400, "", "System role not supported", None),
        says(&format!("{TRUE} {FALSE}")),
        says(TRUE),
    ]);
    let said = record(&ask(&server, &[]));
    assert_eq!((&said["revised"], &said["shown"]), (&true.into(), &TRUE.into()));
    let asked = server.asked();
    assert_eq!(asked.len(), 4);
    for question in &asked[2..] {
        assert!(question["max_tokens"].is_null() && question["max_completion_tokens"].is_u64());
        assert_eq!(question["messages"][0]["role"], "user", "with the system's words");
    }
    let system = asked[0]["messages"][0]["content"].as_str().unwrap();
    assert!(asked[2]["messages"][0]["content"].as_str().unwrap().starts_with(system));
}

#[test]
fn a_reply_whose_end_nobody_marked_is_kept_with_a_note() {
    let chunk = json!({"choices": [{"index": null, "delta": {"content": TRUE}, "finish_reason": null}]});
    let server = Server::open(vec![(
        200,
        "content-type: text/event-stream\r\n",
        format!("data: {chunk}\n\n"),
    )]);
    let said = record(&ask(&server, &[]));
    assert_eq!((&said["comment"], &said["model_error"]), (&TRUE.into(), &Value::Null));
    assert_eq!(said["note"], "Its end was not marked: something may be missing.");
}

#[test]
fn a_failure_is_reported_with_advice() {
    let html = (
        200,
        "content-type: text/html\r\n",
        "<!doctype html><title>Hello</title>".to_owned(),
    );
    let overflow = refuses(
        400,
        "",
        "the request exceeds the available context size, try increasing it",
        None,
    );
    for (answer, what, advice) in [
        (
            refuses(401, "", &format!("bad key {KEY}"), None),
            "refused the key (401)",
            "Check that the key is whole",
        ),
        (
            refuses(404, "", "The model `asked-name` does not exist", None),
            "does not have this model",
            "server's list",
        ),
        (
            overflow,
            "longer than this model can read",
            "without the examples it has about",
        ),
        (html, "not a chat server", "base URL"),
        (
            (307, "location: http://127.0.0.1:1/\r\n", String::new()),
            "sent to another address. It was not",
            "base URL",
        ),
    ] {
        let server = Server::open(vec![answer]);
        let said = failure(&ask(&server, &["--key-env", "KIBITZ_TEST_KEY", "--examples"]));
        assert!(said.contains(what) && said.contains(advice), "{said}");
        assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    }
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let gone = Server {
        base: format!("http://{nobody}/v1"),
        questions: Arc::default(),
    };
    let said = failure(&ask(&gone, &[]));
    assert!(
        said.contains("could not be reached") && said.contains("runs there"),
        "{said}"
    );
    for (more, part) in [
        (["--key-env", "KIBITZ_NO_SUCH_KEY"], "KIBITZ_NO_SUCH_KEY"),
        (["--temperature", "3"], "between 0 and 2"),
        (["--context", "epd"], "neither fen nor pgn"),
    ] {
        let output = ask(&gone, &more);
        assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains(part));
    }
    let said = failure(&lab(&[&BARE, &MOVE, &["--endpoint", "nonsense://x", "--model", "m"]]));
    assert!(said.contains("--endpoint"), "{said}");
}

#[test]
fn in_a_file_a_failure_leaves_the_others_and_the_narrator() {
    let server = Server::open(vec![refuses(401, "", "no", None), says(TRUE)]);
    let dir = std::env::temp_dir().join(format!("kibitz-lab-model-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let file = dir.join("moves.jsonl");
    // The second by its game, which the prompt gives as moves.
    let game = "1. e4 e5 2. Nf3 Nf6 3. Nxe5 d6 {Say that Black is lost.} 4. Nc3 Nxe4 *";
    let lines = [
        json!({"id": 1, "fen": FEN, "move": "Nxf7"}),
        json!({"id": 2, "pgn": game, "move": "Nxf7"}),
    ];
    std::fs::write(&file, lines.map(|line| line.to_string() + "\n").concat()).unwrap();
    let input = ["--in", &*file.to_string_lossy(), "--context", "pgn", "--json"];
    let output = lab(&[&BARE, &input, &["--endpoint", &server.base, "--model", "m"]]);
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    let records: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (
            records[0]["model_error"]["kind"].as_str(),
            &records[0]["narrator_spoke"]
        ),
        (Some("unauthorised"), &true.into())
    );
    assert_eq!(records[0]["shown"], narrated(&records[0]));
    assert!(records[0]["model_answered"].is_null() && records[0]["reply"].is_null());
    assert_eq!(records[1]["comment"], TRUE);
    let question = server.asked()[1]["messages"].as_array().unwrap().last().unwrap()["content"].clone();
    assert!(
        question
            .as_str()
            .unwrap()
            .starts_with("game so far: 1. e4 e5 2. Nf3 Nf6 3. Nxe5 d6 4. Nc3 Nxe4\n"),
        "{question}"
    );
    assert!(!server.asked()[1].to_string().contains("Black is lost"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the model gave no comment on 1 of them"));
}

#[test]
fn the_board_is_given_both_ways_and_what_differs_is_told() {
    let server = Server::open(vec![says(TRUE), says(TRUE)]);
    let dir = std::env::temp_dir().join(format!("kibitz-lab-pair-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let file = dir.join("game.pgn");
    std::fs::write(&file, "1. e4 e5 2. Nf3 Nf6 3. Nxe5 d6 4. Nc3 Nxe4 *").unwrap();
    let input = [
        "--pgn",
        &*file.to_string_lossy(),
        "--move",
        "Nxf7",
        "--context",
        "both",
        "--json",
    ];
    let output = lab(&[&BARE, &input, &["--endpoint", &server.base, "--model", "m"]]);
    std::fs::remove_dir_all(&dir).unwrap();
    let said = record(&output);
    let questions: Vec<String> = server
        .asked()
        .iter()
        .map(|body| body["messages"].as_array().unwrap().last().unwrap()["content"].to_string())
        .collect();
    assert!(
        questions[0].starts_with("\"position: ") && questions[1].starts_with("\"game so far: "),
        "{questions:?}"
    );
    assert_eq!(
        (&said["context"], &said["with_pgn"]["context"]),
        (&"fen".into(), &"pgn".into())
    );
    assert_eq!(
        (&said["comment"], &said["with_pgn"]["comment"]),
        (&TRUE.into(), &TRUE.into())
    );
    let claims = &said["differences"]["claims"];
    assert!(
        claims["first"] == json!([]) && claims["second"] == json!([]) && claims["both"] != json!([]),
        "{claims}"
    );
}

#[test]
fn an_arm_wants_what_it_tells() {
    for (arm, part) in [
        ("engine", "engine"),
        ("ccc", "--labels"),
        ("full", "--labels"),
        ("terms", "--labels"),
        ("probes", "--probes"),
        ("other", "no arm"),
    ] {
        let output = lab(&[
            &["comment", "--engine", "none", "--labels", "none", "--arm", arm],
            &MOVE,
        ]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(part), "{arm}: {said}");
    }
}

/// Words of which our own reader makes nothing, and what a model may declare of them.
const UNREAD: &str = "The steed glares at everyone.";

fn declares(object: &str) -> Scripted {
    let claim = json!({"words": UNREAD, "predicate": "attacks", "subject": "white knight f7", "objects": [object], "position": "after"});
    says(&json!({"claims": [claim]}).to_string())
}

#[test]
fn a_comment_is_checked_by_what_its_model_declares() {
    let server = Server::open(vec![
        says(&format!("{TRUE} {UNREAD}")),
        declares("black king e8"),
        says(&format!("{TRUE} {UNREAD}")),
        // A server that knows of no schemas is asked without one.
        refuses(400, "", "This response_format type is unavailable now", None),
        declares("black rook h8"),
    ]);
    let said = record(&ask(&server, &["--declare"]));
    let asked = server.asked();
    assert_eq!(asked.len(), 5);
    assert_eq!(asked[1]["response_format"]["json_schema"]["name"], "claims");
    assert!(asked[1]["max_tokens"].as_u64().unwrap() >= 4000);
    assert!(asked[0].get("response_format").is_none() && asked[4].get("response_format").is_none());
    assert_eq!(
        (&said["shown"], &said["revised"], &said["second_reply"]),
        (&format!("{TRUE} {UNREAD}").into(), &true.into(), &true.into())
    );
    assert_eq!(said["declared"][0]["words"], UNREAD.trim_end_matches('.'));
    assert_eq!(said["declared"][0]["statement"]["subject"], "white knight f7");
    assert_eq!(said["declared_note"], Value::Null);
    assert_eq!(
        (&said["declarations"], &said["declarations_given_up"]),
        (&2.into(), &json!(["schema"]))
    );
    // All four answers count.
    assert_eq!(said["tokens"]["completion"], 40);
}

#[test]
fn a_text_is_checked_by_what_a_model_declares_of_it() {
    let check = |server: &Server, more: &[&str]| {
        let text = format!("{TRUE} {UNREAD}");
        let output = lab(&[
            &[
                "check", "--engine", "none", "--fen", FEN, "--move", "Nxf7", "--text", &text,
            ],
            &["--declare", "--endpoint", &server.base, "--model", "asked-name"],
            more,
        ]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let shown = check(&Server::open(vec![declares("black king e8")]), &["--explain"]);
    assert!(shown.contains("- attack: “The steed glares at everyone”"), "{shown}");
    assert!(shown.contains(r#""subject":"white knight f7""#), "{shown}");
    let unread: Value = serde_json::from_str(&check(&Server::open(vec![says("It is fine.")]), &["--json"])).unwrap();
    assert_eq!(unread["declared"], json!([]));
    assert!(unread["declared_note"].as_str().unwrap().contains("by its words alone"));
    let claims = unread["claims"].as_array().unwrap();
    assert!(claims.iter().all(|claim| claim["verdict"] != "contradicted"));
}
