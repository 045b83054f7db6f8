//! `lab chessbench metrics`, `puzzles` and `scores` with predictors of known scores, fixture models and a small network. Run with
//! `--features lab`.

#![allow(
    clippy::unwrap_used,
    reason = "outside the test functions too, a failure is a failed test"
)]
#![cfg(feature = "lab")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use kibitz::{
    chess::read_fen,
    chessbench::{
        board::{Board, BoardCounts},
        record::{ActionValue, BoardRecord, RecordSet, SCHEMA, SetHeader},
        scores_file::Scores,
    },
    random::Rng,
    uci::Score,
};
use shakmaty::{Chess, Position};

const MODELS: [(&str, &[u8]); 3] = [
    ("av", include_bytes!("data/searchless/tiny-av.safetensors")),
    ("sv", include_bytes!("data/searchless/tiny-sv.safetensors")),
    ("bc", include_bytes!("data/searchless/tiny-bc.safetensors")),
];

const NETWORK: &[u8] = include_bytes!("../public/networks/kibitz-64x6.pb.gz");

const PUZZLES: &str = "PuzzleId,FEN,Moves,Rating,Themes\n\
    fool,rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2,g2g4 d8h4,600,mateIn1\n\
    rooks,6k1/R7/1R6/8/8/8/2K5/7r b - - 0 1,h1h2 c2c3 g8f8 b6b8,1500,mate\n";

/// Boards of random play with made-up values.
fn set(boards: u64) -> String {
    let records = (0..boards).map(|seed| {
        let mut rng = Rng::new(seed);
        let mut position = Chess::default();
        for _ in 0..=rng.below(40) {
            let moves = position.legal_moves();
            position.play_unchecked(moves[rng.below(moves.len())]);
            if position.legal_moves().is_empty() {
                position = Chess::default();
            }
        }
        let board = Board::of_position(position).unwrap();
        // All different, so that every figure is defined.
        let actions = board.legal().into_iter().enumerate().map(|(place, (action, _))| {
            let cp = (place as i32 * 37 + rng.below(30) as i32) % 900 - 450;
            ActionValue::of_score(action, Score::Cp(cp))
        });
        let actions = actions.collect();
        BoardRecord::new(&board, Score::Cp(10), actions)
    });
    let set = RecordSet {
        header: SetHeader {
            schema: SCHEMA,
            program: "test".to_owned(),
            oracle: None,
            counts: BoardCounts::default(),
        },
        records: records.collect(),
    };
    set.text()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("chessbench-scores-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for (name, bytes) in MODELS {
        fs::write(folder.join(format!("{name}.safetensors")), bytes).unwrap();
    }
    fs::write(folder.join("net.pb.gz"), NETWORK).unwrap();
    fs::write(folder.join("set.jsonl"), set(12)).unwrap();
    fs::write(folder.join("puzzles.csv"), PUZZLES).unwrap();
    folder
}

fn lab(folder: &Path, args: &str) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_lab"))
        .arg("chessbench")
        .args(args.split(' '))
        .current_dir(folder)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text)
}

fn done(folder: &Path, args: &str) -> String {
    let (content, text) = lab(folder, args);
    assert!(content, "{args}: {text}");
    text
}

#[test]
fn figures_of_known_players_are_known() {
    let folder = folder("known");
    let said = done(
        &folder,
        "metrics set.jsonl --player oracle --player reversed --player uniform --player constant --format csv",
    );
    for row in [
        "oracle,\"action accuracy, %\",12,100,",
        "oracle,τ of sort orders,12,1,",
        "oracle,\"log loss of bins, bits\",12,0,",
        "oracle,squared error of the win probability,12,0,",
        "reversed,\"action accuracy, %\",12,0,",
        "reversed,Kendall’s τ-b,12,-1,",
        "reversed,\"log loss of bins, bits\",12,∞,",
        "uniform,\"entropy of bins, bits\",12,7",
        "constant,\"entropy of bins, bits\",12,0,",
    ] {
        assert!(said.contains(row), "{row}: {said}");
    }
    assert!(said.contains(",63"), "the paper's figure stands beside: {said}");
}

#[test]
fn models_and_networks_are_measured_and_a_run_goes_on() {
    let folder = folder("models");
    let models = "--model av.safetensors --model BC=bc.safetensors --model sv.safetensors --net small=net.pb.gz";
    let command = format!("metrics set.jsonl {models} --threads 2 --out whole.jsonl");
    let said = done(&folder, &format!("{command} --format markdown"));
    assert!(said.contains("60 of 60 are to be scored"), "{said}");
    for player in ["tiny-av", "tiny-sv", "BC", "small (policy)", "small (value)"] {
        assert!(said.contains(&format!("| {player} |")), "{player}: {said}");
    }
    assert!(said.contains("| BC | legal without a mask, % |"), "{said}");
    assert!(said.contains("| tiny-sv | squared inconsistency |"), "{said}");
    let again = done(&folder, &command);
    assert!(again.contains("lab: 0 of 60 are to be scored"), "{again}");
    for part in ["0/2", "1/2"] {
        let out = format!("part-{}.jsonl", &part[..1]);
        done(
            &folder,
            &format!("metrics set.jsonl {models} --shard {part} --out {out}"),
        );
    }
    let whole = Scores::read(&fs::read_to_string(folder.join("whole.jsonl")).unwrap()).unwrap();
    let table = |said: &str| {
        let rows = said
            .lines()
            .filter(|line| line.contains(',') && !line.contains("milliseconds"));
        rows.map(str::to_owned).collect::<Vec<_>>()
    };
    let parts = done(&folder, "scores part-1.jsonl part-0.jsonl --format csv");
    let of_whole = done(&folder, "scores whole.jsonl --format csv");
    // Intervals come of boards drawn anew, by their order in the file.
    let bare = |rows: Vec<String>| rows.into_iter().filter(|row| row.contains('%')).collect::<Vec<_>>();
    assert_eq!(bare(table(&parts)), bare(table(&of_whole)));
    assert_eq!((whole.rows.len(), whole.failed()), (60, 0));
    let (content, said) = lab(&folder, "metrics set.jsonl --model av.safetensors --out whole.jsonl");
    assert!(!content && said.contains("whole.jsonl: the players"), "{said}");
    let (content, said) = lab(&folder, "metrics set.jsonl");
    assert!(!content && said.contains("nobody predicts"), "{said}");
    let (content, said) = lab(&folder, "metrics set.jsonl --model set.jsonl");
    assert!(!content && said.contains("set.jsonl: it begins with"), "{said}");
}

#[test]
fn puzzles_are_solved_or_not_and_told_by_rating() {
    let folder = folder("puzzles");
    let said = done(
        &folder,
        "puzzles puzzles.csv --model av.safetensors --net small=net.pb.gz --format csv --out solved.jsonl",
    );
    assert!(said.contains("tiny-av: puzzles"), "{said}");
    assert!(
        said.contains("\n600–799,1,") && said.contains("\n1400–1599,1,"),
        "{said}"
    );
    assert!(said.contains("\nall,2,"), "{said}");
    let scores = Scores::read(&fs::read_to_string(folder.join("solved.jsonl")).unwrap()).unwrap();
    // A network of 1.5 MB sees a mate in one.
    let solved = scores.puzzles("small (policy)");
    assert!(solved.iter().any(|puzzle| puzzle.solved), "{solved:?}");
    assert!(read_fen(PUZZLES.lines().nth(1).unwrap().split(',').nth(1).unwrap()).is_ok());
}
