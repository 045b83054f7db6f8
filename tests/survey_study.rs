//! Study files: what is in one, what is refused and in which words, and items from what people have.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use kibitz::survey::{
    StudyError,
    import::{Choice, Import, Reading, SourceError},
    preset, read_draft, read_study,
    sources::{from_pgn, from_positions},
    study::{Item, Study, played},
    study_file::{Fault, MAX_STUDY_BYTES, Place, Wrong, check},
    table::from_table,
};
use proptest::{
    prelude::*,
    test_runner::{Config, RngSeed, TestRunner},
};
use serde_json::Value;

const EXAMPLE: &str = include_str!("data/survey/study.json");

#[test]
fn the_example_is_read_and_written() {
    let study = read_study(EXAMPLE.as_bytes()).unwrap();
    assert_eq!((study.methods().len(), study.comments(), study.pages()), (3, 6, 8));
    assert_eq!(study.points("correctness"), Some(3));
    assert_eq!(study.items[0].comments[0].scores["bleu-1"], 0.25);
    let again = read_study(study.to_json().as_bytes()).unwrap();
    assert_eq!((again.sha256(), &again), (study.sha256(), &study));
    // A castling right that the move proves is put back.
    assert_eq!(played(&study.items[1].fen, &study.items[1].mv).unwrap().san(), "O-O");
    // A byte order mark is no part of it.
    assert_eq!(read_study(format!("\u{feff}{EXAMPLE}").as_bytes()), Ok(study));
}

/// Sets what `pointer` says in the example; `None` takes it away.
fn changed(pointer: &str, value: Option<Value>) -> String {
    let mut study: Value = serde_json::from_str(EXAMPLE).unwrap();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = study.pointer_mut(parent).unwrap();
    match (parent, value) {
        (Value::Object(fields), Some(value)) => {
            fields.insert(key.to_owned(), value);
        }
        (Value::Object(fields), None) => {
            fields.remove(key).unwrap();
        }
        (Value::Array(all), Some(value)) => all[key.parse::<usize>().unwrap()] = value,
        _ => panic!("{pointer}"),
    }
    study.to_string()
}

#[test]
fn every_fault_is_named_with_its_place() {
    let table = include_str!("data/survey/study-faults.tsv");
    let mut rows = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let [pointer, value, said] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let value = (value != "-").then(|| serde_json::from_str(value).unwrap());
        let error = read_study(changed(pointer, value).as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(said), "{line}\n{error}");
        rows += 1;
    }
    assert_eq!(rows, 34);
}

#[test]
fn hostile_files_are_refused_politely() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for (bytes, said) in [
        (b"".to_vec(), "This file is not JSON"),
        (b"\xff\xfe{}".to_vec(), "This file is not text."),
        (deep.into_bytes(), "This file is not JSON: recursion limit"),
        (b"[1, 2]".to_vec(), "This file is not JSON"),
        (b"{\"schema\": \"\x1b[31m\"}".to_vec(), "This file is not JSON"),
        (vec![b' '; MAX_STUDY_BYTES + 1], "This file has 16000001 bytes"),
    ] {
        let error = read_study(&bytes).unwrap_err().to_string();
        assert!(error.starts_with(said), "{error}");
        assert!(error.len() < 250 && !error.contains(char::is_control), "{error}");
    }
    let long = changed("/title", Some("x".repeat(20_001).into()));
    assert!(matches!(read_study(long.as_bytes()), Err(StudyError::Faults(faults)) if faults.len() == 1));
}

#[test]
fn the_papers_preset_waits_for_its_items() {
    let mut study = preset::paper("ours", "Our study");
    let faults = check(&study);
    let places: Vec<Place> = faults.iter().map(|fault: &Fault| fault.place).collect();
    assert_eq!(places, [Place::Study, Place::Study], "no items, no pages");
    assert!(matches!(faults[0].wrong, Wrong::Count { what: "items", .. }));
    let points: Vec<Option<usize>> = study.criteria.iter().map(|c| study.points(&c.id)).collect();
    assert_eq!(points, [Some(3), Some(5), Some(5), Some(5), Some(5)]);
    let names: Vec<&str> = study.criteria.iter().map(|c| c.id.as_str()).collect();
    assert_eq!(
        names,
        ["correctness", "relevance", "completeness", "clarity", "fluency"]
    );
    assert_eq!(study.criteria[0].follow_up.as_ref().unwrap().kinds.len(), 4);
    // Three comments for practice, each with the ratings it would get; the diagram of the paper's figure A2.
    assert_eq!(study.practice.len(), 3);
    assert!(study.practice.iter().all(|practice| practice.expected.len() == 5));
    let diagrams = study.instructions.iter().filter(|section| section.diagram.is_some());
    assert_eq!(diagrams.count(), 1);
    // Its own file as items: fifty moves, five methods.
    study.items = table(include_str!("data/survey/fifty-moves.csv")).unwrap().items;
    assert_eq!(check(&study), []);
    assert_eq!(
        (study.items.len(), study.methods().len(), study.pages()),
        (preset::MOVES, preset::METHODS, 250)
    );
    assert_eq!(read_draft(study.to_json().as_bytes()).unwrap(), study);
}

fn table(text: &str) -> Result<Import, SourceError> {
    from_table(text, Reading::default())
}

fn positions(text: &str) -> Result<Vec<Item>, SourceError> {
    from_positions(text, Reading::default()).map(|import| import.items)
}

fn pgn(text: &str, choice: Choice) -> Result<Vec<Item>, SourceError> {
    let reading = Reading {
        choice,
        ..Reading::default()
    };
    from_pgn(text, reading).map(|import| import.items)
}

#[test]
fn positions_are_typed_in_many_ways() {
    let text = "# our positions\n\
                rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 e4\n\n\
                rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; g1f3\n\
                r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w - - | O-O";
    let items = positions(text).unwrap();
    assert_eq!(
        items.iter().map(|item| item.mv.as_str()).collect::<Vec<_>>(),
        ["e4", "g1f3", "O-O"]
    );
    assert_eq!(
        items.iter().map(|item| item.id.as_str()).collect::<Vec<_>>(),
        ["m1", "m2", "m3"]
    );
    assert_eq!(positions(" \n"), Err(SourceError::Empty));
    let wrong = positions("\n8/8/8/8/8/4k3/4p3/4K3 b - - 0 1 Nf9")
        .unwrap_err()
        .to_string();
    assert!(wrong.starts_with("Line 2: the move Nf9 cannot be played."), "{wrong}");
    let none = positions("e4").unwrap_err().to_string();
    assert_eq!(none, "Line 1: write the position, then the move.");
    // The number with the move is the item's.
    let numbered = positions("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w - - 0 0 22. O-O").unwrap();
    assert_eq!(
        (numbered[0].mv.as_str(), numbered[0].fen.rsplit(' ').next()),
        ("22. O-O", Some("22"))
    );
}

#[test]
fn games_give_turning_points_or_every_nth_move() {
    let game = "1. e4 { [%eval 0.3] } e5 { [%eval 0.4] Solid. } 2. Qh5 { [%eval -0.3] } Ke7 { [%eval #1] [%clk 0:01:00] A \
                terrible blunder. } 3. Qxe5# 1-0";
    let items = pgn(game, Choice::TurningPoints).unwrap();
    assert_eq!(items.len(), 1);
    assert_eq!(
        (items[0].mv.as_str(), items[0].reference.as_deref()),
        ("Ke7", Some("A terrible blunder."))
    );
    let moves = |text, choice| -> Vec<String> { pgn(text, choice).unwrap().into_iter().map(|item| item.mv).collect() };
    assert_eq!(moves(game, Choice::Every(2)), ["e5", "Ke7"]);
    assert_eq!(
        moves("1. e4 e5 2. Qh5? Nc6 3. Bc4 Nf6?? 4. Qxf7#", Choice::TurningPoints),
        ["Qh5", "Nf6"]
    );
    assert_eq!(
        pgn("1. e4 e5", Choice::TurningPoints),
        Err(SourceError::NoTurningPoints)
    );
    assert_eq!(pgn("1. e4 e5", Choice::Every(0)), Err(SourceError::Empty));
}

#[test]
fn tables_become_items() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let csv = format!(
        "fen,move,method,comment,bleu,note\n{start},e4,GPT-4o + expert,\"A pawn, to e4.\",0.5,x\n{start},e2e4,b,Two.,,\n{start},d4,b,Three.,,\n"
    );
    let items = table(&csv).unwrap().items;
    assert_eq!(items.len(), 2, "e4 and e2e4 are one move");
    let comments = &items[0].comments;
    assert_eq!(
        (comments[0].method.as_str(), comments[0].text.as_str()),
        ("GPT-4o-+-expert", "A pawn, to e4.")
    );
    assert_eq!(
        comments[0].scores.iter().collect::<Vec<_>>(),
        [(&"bleu".to_owned(), &0.5)]
    );
    let lines = format!(
        "{{\"fen\":\"{start}\",\"move\":\"e4\",\"method\":\"a\",\"comment\":\"One.\",\"bleu\":0.5,\"item\":\"first\",\"reference\":\"R\"}}\n\n\
         {{\"fen\":\"{start}\",\"move\":\"e4\",\"method\":\"b\",\"comment\":\"Two.\",\"item\":\"first\"}}"
    );
    let items = table(&lines).unwrap().items;
    assert_eq!(
        (items.len(), items[0].id.as_str(), items[0].reference.as_deref()),
        (1, "first", Some("R"))
    );
    for (text, said) in [
        ("", "There is nothing in it."),
        ("fen,move\n", "The columns “method”, “comment” are missing"),
        ("fen,move,method\n", "The column “comment” is missing"),
        (
            "fen,move,method,comment\n8/8/8/8/8/8/8/8 w - -,e4,a,b\n",
            "Line 2: the position cannot be read.",
        ),
        ("fen;move;method;comment\nx;;a;\n", "Line 2: the move is missing."),
        ("{\"fen\": 1\n", "Line 1: it is not JSON"),
    ] {
        let error = table(text).unwrap_err().to_string();
        assert!(error.starts_with(said), "{error}");
    }
    let twice = table(&format!("{csv}{start},e4,b,Again.,,\n")).unwrap();
    assert_eq!(twice.items.len(), 2, "the good rows are taken");
    assert_eq!(
        twice.fault_sentences(),
        ["Line 5: there is a comment by “b” on this move already."]
    );
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 64,
        rng_seed: RngSeed::Fixed(5),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn studies_are_read_as_they_were_written(study in crate::survey_kit::studies()) {
        prop_assert_eq!(read_study(study.to_json().as_bytes()), Ok(study));
    }

    /// The example with a bite taken out of it, or something put in, is read or refused, and nothing else.
    #[test]
    fn damaged_files_do_no_harm(from in 0..EXAMPLE.len(), length in 0..40_usize, put in "(?s).{0,8}|\\[\\[\\[|-1|1e999|null|\"\"") {
        let bytes = EXAMPLE.as_bytes();
        let to = (from + length).min(bytes.len());
        let damaged = [&bytes[..from], put.as_bytes(), &bytes[to..]].concat();
        if let Err(error) = read_study(&damaged) {
            prop_assert!(error.to_string().len() < 500);
        }
        let text = String::from_utf8_lossy(&damaged);
        let _ = (table(&text), positions(&text), pgn(&text, Choice::Every(3)));
    }

    #[test]
    fn one_study_has_one_hash(study in crate::survey_kit::studies(), seed in any::<u64>()) {
        let mut other: Study = study.clone();
        other.options.order.seed = seed;
        prop_assert_eq!(other.sha256() == study.sha256(), other == study);
    }
}

/// What is asked of a file first.
#[derive(serde::Deserialize)]
struct Head {
    #[allow(dead_code, reason = "only its reading counts")]
    schema: Option<Value>,
}

/// Megabytes of items are read one after another: that must come to what one reading comes to, faults and their places
/// included.
#[test]
fn items_one_after_another_are_what_the_whole_is() {
    let study: Value = serde_json::from_str(EXAMPLE).unwrap();
    let texts = [
        study.to_string(),
        serde_json::to_string_pretty(&study).unwrap(),
        serde_json::to_string_pretty(&study).unwrap().replace('\n', "\r\n"),
    ];
    // What is put in the place of some characters.
    let damage = prop_oneof![
        Just(String::new()),
        "[\\[\\]{}\",:\\\\0-9 \n]{1,3}",
        Just("\"items\": [], ".to_owned()),
        Just("\"id\": 3,".to_owned()),
    ];
    let mut runner = TestRunner::new(Config {
        cases: 4_000,
        rng_seed: RngSeed::Fixed(14),
        ..Config::default()
    });
    let refused = std::cell::Cell::new(0);
    runner
        .run(&(0..3_usize, 0.0..1.0, 0..4_usize, damage), |(text, at, taken, put)| {
            let mut text = texts[text].clone();
            let at = (text.len() as f64 * at) as usize;
            let to = (at + taken).min(text.len());
            if text.is_char_boundary(at) && text.is_char_boundary(to) {
                text.replace_range(at..to, &put);
            }
            // What is no JSON is found first, in an item when its turn comes.
            let head = serde_json::from_str::<Head>(&text).map(|_| ());
            let whole = serde_json::from_str::<Study>(&text);
            match (read_draft(text.as_bytes()), whole) {
                (Ok(read), Ok(whole)) => prop_assert_eq!(read, whole),
                (Err(StudyError::NotJson(said) | StudyError::Shape(said)), whole) => {
                    refused.set(refused.get() + 1);
                    let place = |text: &str| text[text.rfind(" at line ").unwrap()..].to_owned();
                    let errors = [head.err(), whole.err()].map(|error| error.map(|error| place(&error.to_string())));
                    prop_assert!(errors.contains(&Some(place(&said))), "{said} / {errors:?}");
                }
                // The schema itself was hit.
                (Err(StudyError::NoSchema | StudyError::OtherSchema(_)), _) => {}
                (read, whole) => prop_assert!(false, "{read:?} / {whole:?}"),
            }
            Ok(())
        })
        .unwrap();
    assert!(refused.get() > 1_000, "{}", refused.get());
}
