//! Games as people and programs write them: null moves, words between the moves, text after the result, tags that are not
//! well formed, ends of lines, names of chess.

use kibitz::chess::{
    Game,
    fen::write_fen,
    pgn::{PgnError, read_pgn},
    pgn_problem::ProblemKind,
    pgn_writer::write_pgn,
};
use shakmaty::{CastlingMode, Chess};

use super::table::{Case, check};

#[test]
fn games_are_read_as_they_were_meant() {
    check("games.tsv", found);
}

#[test]
fn a_game_that_was_written_is_read_without_a_word() {
    check("games.tsv", |case| {
        let Ok(file) = read_pgn(&text(case)) else {
            return case.right.clone();
        };
        let written: String = file.games.iter().map(write_pgn).collect();
        let again = read_pgn(&written).expect("it was written");
        assert!(
            again.problems.is_empty(),
            "{}: {:?}\n{written}",
            case.file,
            again.problems
        );
        let (said, _) = case.right.split_once("; said: ").unwrap_or((&case.right, ""));
        let found = told(&again.games);
        if found == said { case.right.clone() } else { found }
    });
}

fn text(case: &Case) -> String {
    String::from_utf8(case.bytes.clone()).expect("these are in UTF-8")
}

/// The games, each as `[event] players: moves`, then the kinds of what is said about them.
fn found(case: &Case) -> String {
    let file = match read_pgn(&text(case)) {
        Ok(file) => file,
        Err(PgnError::NothingRead(problem)) => return format!("nothing; said: {}", named(&problem.kind)),
        Err(error) => return format!("nothing; said: {error}"),
    };
    let mut found = told(&file.games);
    let said: Vec<String> = file
        .problems
        .iter()
        .map(|problem| named(&problem.kind))
        .chain(file.repairs.iter().map(|(_, repair)| repair.to_string()))
        .collect();
    if !said.is_empty() {
        found += &format!("; said: {}", said.join(", "));
    }
    found
}

fn told(games: &[Game]) -> String {
    let told: Vec<String> = games.iter().map(one_game).collect();
    told.join(" | ")
}

fn one_game(game: &Game) -> String {
    let tag = |name| game.tag(name).unwrap_or("?");
    let fen = write_fen(game.root(), game.mode());
    let from = match fen == write_fen(&Chess::default(), CastlingMode::Standard) {
        true => String::new(),
        false => format!(" from {fen}"),
    };
    let written = write_pgn(game);
    let (_, moves) = written.split_once("\n\n").expect("an empty line follows the tags");
    let moves: Vec<&str> = moves.split_whitespace().collect();
    format!(
        "[{}] {} – {}{from}: {}",
        tag("Event"),
        tag("White"),
        tag("Black"),
        moves.join(" ")
    )
}

/// A kind of problem in the words of the table.
fn named(kind: &ProblemKind) -> String {
    match kind {
        ProblemKind::Move { text, .. } => format!("no move {text}"),
        ProblemKind::StrayWords(words) => format!("stray words “{words}”"),
        ProblemKind::NumericMoves(words) => format!("moves in numbers “{words}”"),
        ProblemKind::AfterResult(what) => format!("{what} after the result"),
        ProblemKind::SuperfluousCapture { text, .. } => format!("captures nothing {text}"),
        ProblemKind::RepeatedTag(name) => format!("twice {name}"),
        ProblemKind::UnknownStart(fen) => format!("unknown start {fen}"),
        ProblemKind::Variant(name) => format!("not chess {name}"),
        other => other.to_string(),
    }
}
