//! Why a move is bad, what the better one does about it, and what a move prepares: explained from the facts, in the
//! cases of a table, and with no more than the facts say.

#![allow(clippy::unwrap_used, clippy::result_large_err)] // A test that can't set up its position has failed.

use kibitz::{
    chess::Played,
    commentary::{Evaluation, FactKind, FactSheet, Line, narrate},
    uci::{Limit, Score},
};
use shakmaty::{CastlingMode, Chess, FromSetup, Position, fen::Fen, san::SanPlus};

const CASES: &str = include_str!("data/narrator-reasons.csv");

fn score(text: &str) -> Score {
    match text.strip_prefix('#') {
        Some(moves) => Score::Mate(moves.parse().unwrap()),
        None => Score::Cp(text.parse().unwrap()),
    }
}

fn line(start: &Chess, score: Score, san: &str) -> Line {
    let mut at = start.clone();
    let mut moves = Vec::new();
    for token in san.split_whitespace() {
        let m = token.parse::<SanPlus>().unwrap().san.to_move(&at);
        let m = m.unwrap_or_else(|error| panic!("{token} in {san}: {error}"));
        moves.push(m.to_uci(CastlingMode::Standard));
        at.play_unchecked(m);
    }
    Line {
        score,
        wdl: None,
        depth: 12,
        moves,
        san: san.split_whitespace().map(str::to_owned).collect(),
    }
}

#[test]
fn reasons_are_given_as_the_table_says() {
    let mut failures = Vec::new();
    for (number, row) in CASES.lines().enumerate().skip(1) {
        let fields: Vec<&str> = row.split('|').collect();
        let [fen, san, best, best_line, value, after, kinds, says, never] = fields[..] else {
            panic!("line {}: nine fields", number + 1)
        };
        let before = Chess::from_setup(fen.parse::<Fen>().unwrap().into_setup(), CastlingMode::Standard).unwrap();
        let mv = san.parse::<SanPlus>().unwrap().san.to_move(&before).unwrap();
        let played = Played::new(before, mv, CastlingMode::Standard, vec![]).unwrap();
        let evaluation = Evaluation {
            engine: "Test".to_owned(),
            limit: Limit::Nodes(1),
            nodes: 2,
            trust: kibitz::commentary::Trust::Settled,
            ranking: Vec::new(),
            before: vec![line(&played.before, score(best), best_line)],
            played: score(value),
            accepted: None,
            after: vec![line(&played.after, score(value), after)],
        };
        let sheet = FactSheet::new(&played, Some(&evaluation), None);
        let prose = narrate(&sheet);
        let text: Vec<&str> = prose.iter().map(|sentence| sentence.text.as_str()).collect();
        let text = text.join(" ");
        for kind in kinds.split_whitespace() {
            assert!(
                FactKind::ALL.iter().any(|known| known.word() == kind),
                "unknown kind {kind}"
            );
            if !sheet.facts().iter().any(|fact| fact.kind.word() == kind) {
                failures.push(format!("line {}: no {kind} fact for {san}", number + 1));
            }
        }
        for words in says.split(';').filter(|words| !text.contains(words)) {
            failures.push(format!("line {}: {words:?} is not in {text:?}", number + 1));
        }
        for words in never
            .split(';')
            .filter(|words| !words.is_empty() && text.contains(words))
        {
            failures.push(format!("line {}: {words:?} is in {text:?}", number + 1));
        }
        for sentence in &prose {
            assert!(!sentence.facts.is_empty());
            assert!(
                sentence.facts.iter().all(|&id| sheet.get(id).is_some()),
                "{}",
                sentence.text
            );
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
