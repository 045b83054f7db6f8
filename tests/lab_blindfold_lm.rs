//! `lab blindfold eval --lm` and `lab blindfold perplexity` with the tiny models of the tests. Run with `--features lab`.

#![allow(
    clippy::unwrap_used,
    reason = "outside the test functions too, a failure is a failed test"
)]
#![cfg(feature = "lab")]

use std::{fs, path::Path};

use kibitz::{
    blindfold::{
        notation::Notation,
        perplexity::{Perplexity, nats},
        ranked::answer,
        run_file::{BlindPlayerKind, BlindRun},
        token::Token,
        token_file::read_tokens,
    },
    lm::{Model, Reader},
};

use crate::{
    lab_blindfold::{done, lab, prepared},
    lm::with_header,
};

const LSTM: &[u8] = include_bytes!("data/lm/tiny-lstm.safetensors");
const TRANSFORMER: &[u8] = include_bytes!("data/lm/tiny-transformer.safetensors");

/// Nothing of the tiny LSTM's shape keeps it from long games.
fn patient_lstm() -> Vec<u8> {
    with_header(LSTM, |list| list.replace(r#"\"context\": 64"#, r#"\"context\": 512"#))
}

fn models(folder: &Path) {
    fs::write(folder.join("lstm.safetensors"), patient_lstm()).unwrap();
    fs::write(folder.join("transformer.safetensors"), TRANSFORMER).unwrap();
}

fn numbers(tokens: &[Token]) -> Vec<u8> {
    tokens.iter().map(|token| token.number()).collect()
}

#[test]
fn models_rank_their_vocabulary_and_what_is_too_long_for_them_fails() {
    let folder = prepared("lm");
    models(&folder);
    let eval = |more: &[&str]| {
        let base = ["eval", "--probes", "probes.jsonl", "--lm", "lstm.safetensors"];
        lab(&folder, &[&base, more].concat())
    };
    let both = ["--lm", "short=transformer.safetensors", "--concurrency", "3"];
    let (content, said) = eval(&[&both, &["--out", "run.jsonl"][..]].concat());
    assert!(content, "{said}");
    let run = BlindRun::read(&fs::read_to_string(folder.join("run.jsonl")).unwrap()).unwrap();
    assert_eq!(run.tasks().len(), 2 * 12 * 4);
    let BlindPlayerKind::Model { model, notation, .. } = &run.player("short").unwrap().kind else {
        panic!("it is a model");
    };
    assert_eq!((model.as_str(), *notation), ("tiny-transformer", Notation::Rap(25)));

    // A reader that remembers nothing says the same.
    let by_id = run.by_id();
    let mut too_long = 0;
    for row in &run.rows {
        let probe = by_id[row.task.probe.as_str()];
        let question = probe.question(row.task.task).unwrap();
        let tokens = numbers(&probe.tokens(Notation::Uci, &question));
        let bytes = if row.task.player == "short" {
            TRANSFORMER.to_vec()
        } else {
            patient_lstm()
        };
        let mut reader = Reader::new(Model::read(&bytes).unwrap()).unwrap();
        match reader.next(&tokens) {
            Ok(next) => {
                let wanted = answer(&next.try_into().unwrap(), &question);
                assert_eq!(row.answer(), wanted);
            }
            Err(error) => {
                too_long += 1;
                assert_eq!(row.fault.as_ref().unwrap().what, error.to_string());
            }
        }
    }
    assert!((1..48).contains(&too_long), "some are too long: {too_long}");
    assert!(
        said.contains(&format!(
            "{} of 96 answers in run.jsonl, {too_long} failed",
            96 - too_long
        )),
        "{said}"
    );

    // What failed is tried again, and nothing else; another file of that name is another player.
    let (_, said) = eval(&[&both, &["--out", "run.jsonl"][..]].concat());
    assert!(
        said.contains(&format!("{too_long} of 96 answers are to be given")),
        "{said}"
    );
    let (content, said) = eval(&["--lm", "short=lstm.safetensors", "--out", "run.jsonl"]);
    assert!(!content && said.contains("the players differ"), "{said}");
    let report = done(&folder, &["report", "run.jsonl", "--format", "markdown"]);
    assert!(report.contains("| tiny-lstm | lstm | 12 |"), "{report}");
    assert!(
        report.contains("| tiny-lstm | ranked, rap25 | 48 | 0 | 0 |"),
        "{report}"
    );
}

#[test]
fn files_that_are_no_players_are_refused_by_name() {
    let folder = prepared("lm-refused");
    fs::write(folder.join("no.safetensors"), "no model").unwrap();
    let other = with_header(LSTM, |list| list.replace(r#"\"rap25\""#, r#"\"english\""#));
    fs::write(folder.join("english.safetensors"), other).unwrap();
    for (lm, why) in [
        ("no.safetensors", "no.safetensors: "),
        ("english.safetensors", "\"english\" as its notation"),
        ("absent.safetensors", "absent.safetensors"),
        ("x=", "FILE or NAME=FILE"),
    ] {
        let args = ["eval", "--probes", "probes.jsonl", "--out", "x.jsonl", "--lm", lm];
        let (content, said) = lab(&folder, &args);
        assert!(!content && said.contains(why), "{lm}: {said}");
        assert!(!folder.join("x.jsonl").exists(), "{lm}");
    }
}

#[test]
fn perplexity_is_what_token_after_token_costs() {
    let folder = prepared("lm-perplexity");
    models(&folder);
    let read = read_tokens(&fs::read(folder.join("data/dev.tokens")).unwrap()).unwrap();
    let (mut perplexity, mut tokens, mut plies) = (Perplexity::default(), 0, 0);
    let mut reader = Reader::new(Model::read(&patient_lstm()).unwrap()).unwrap();
    for game in &read.games[..3] {
        let mut text = Notation::Uci.prefix(game);
        text.push(Token::END);
        let cost = (1..text.len()).map(|known| {
            let next = reader.next(&numbers(&text[..known])).unwrap();
            nats(&next.try_into().unwrap(), text[known], true)
        });
        perplexity.add(game.len(), cost.sum());
        tokens += text.len() - 1;
        plies += game.len();
    }
    let ask = |more: &[&str]| {
        let base = ["perplexity", "--games", "data/dev.tokens", "--first", "3", "--lm"];
        done(&folder, &[&base, more].concat())
    };
    let csv = ask(&["lstm.safetensors", "--format", "csv", "--concurrency", "1"]);
    assert!(csv.contains("Canonical perplexity of dev"), "{csv}");
    let row = csv.lines().find(|line| line.starts_with("tiny-lstm")).unwrap();
    let (counts, figure) = row.rsplit_once(',').unwrap();
    assert_eq!(counts, format!("tiny-lstm,rap25,3,{plies},{tokens},0"));
    let (found, wanted) = (figure.parse::<f64>().unwrap(), perplexity.canonical().unwrap());
    assert!((found - wanted).abs() < 1e-4 * wanted, "{found} for {wanted}");
    let again = ask(&["lstm.safetensors", "--format", "csv", "--concurrency", "3"]);
    assert!(again.contains(row), "{again}");

    // Games that are too long for a model are counted and left out.
    let short = ask(&["short=transformer.safetensors", "--format", "csv"]);
    assert!(short.contains("short,rap25,0,0,0,3,\n"), "{short}");

    // Types that are not in the file cannot be foreseen.
    let typed = with_header(&patient_lstm(), |list| list.replace(r#"\"rap25\""#, r#"\"ap\""#));
    fs::write(folder.join("ap.safetensors"), typed).unwrap();
    let typed = ask(&["ap.safetensors", "--format", "csv"]);
    let row = typed.lines().find(|line| line.starts_with("tiny-lstm,ap,3,")).unwrap();
    assert!(!row.contains(&format!(",{tokens},")), "types are tokens too: {row}");
    let bare = ["data", "games.pgn", "--seed", "3", "--out", "bare", "--notation", "uci"];
    done(&folder, &bare);
    let args = ["perplexity", "--games", "bare/dev.tokens", "--lm", "ap.safetensors"];
    let (content, said) = lab(&folder, &args);
    assert!(!content && said.contains("--notation ap"), "{said}");
}
