//! The claim check on the narrator's prose, and on any text at all.

#![allow(clippy::unwrap_used)] // A test that can't set up its position has failed.

use std::{cell::Cell, fs, io::Read, path::Path};

use crate::claim_positions::sheet_of;
use flate2::read::GzDecoder;
use kibitz::{
    chess::{Played, read_fen},
    commentary::{
        ClaimVerdict, FactSheet,
        claims::{check, check_in_turns},
        narrate,
    },
    pace::{Pace, at_once},
};
use proptest::prelude::*;
use shakmaty::{EnPassantMode, Position, fen::Fen};

/// What goes back to a model, and what a reader is shown, is worth reading only where it says which man it is about.
#[test]
fn reasons_name_the_men() {
    let sheet = sheet_of(
        "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3",
        "Nf6",
    );
    for (text, reason) in [
        ("The bishop on c4 is pinned.", "The bishop on c4 is not pinned."),
        ("The knight on c6 is pinned.", "The knight on c6 is not pinned."),
    ] {
        let checked = check(&sheet, text);
        let doubtful = checked
            .claims
            .iter()
            .filter(|claim| claim.verdict == ClaimVerdict::Doubtful);
        let reasons: Vec<&str> = doubtful.map(|claim| claim.reason.as_str()).collect();
        assert_eq!(reasons, [reason], "{text}");
    }
}

/// A position of the shipped sample and a move in it, every `step`th, the moves by turns.
fn sampled(step: usize) -> Vec<Played> {
    let file = fs::File::open(Path::new(env!("CARGO_MANIFEST_DIR")).join("public/networks/positions.tsv.gz")).unwrap();
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let fens = text.lines().filter_map(|line| line.split('\t').nth(1)).step_by(step);
    fens.enumerate()
        .filter_map(|(n, fen)| {
            let read = read_fen(fen).ok()?;
            let moves = read.position.legal_moves();
            let m = *moves.get(n * 7 % moves.len().max(1))?;
            Played::new(read.position, m, read.mode, vec![])
        })
        .collect()
}

#[test]
fn the_narrator_is_never_contradicted() {
    let (mut supported, mut sentences) = (0, 0);
    let mut wrong = Vec::new();
    let all = sampled(17);
    for played in &all {
        let sheet = FactSheet::new(played, None, None);
        let prose: Vec<String> = narrate(&sheet).into_iter().map(|s| s.text).collect();
        let text = prose.join(" ");
        let checked = check(&sheet, &text);
        sentences += prose.len();
        supported += usize::from(checked.claims.iter().any(|c| c.verdict == ClaimVerdict::Supported));
        for claim in checked.claims.iter().filter(|claim| claim.verdict.is_against()) {
            let fen = Fen::from_position(&played.before, EnPassantMode::Legal);
            wrong.push(format!(
                "{fen} {}: {text}\n    {} {:?} {}",
                played.san(),
                claim.kind.word(),
                claim.text,
                claim.reason
            ));
        }
    }
    assert!(all.len() > 300, "{} positions", all.len());
    assert!(
        wrong.is_empty(),
        "{} of {sentences} sentences:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    // Not by being blind: most comments have a claim that was found true.
    assert!(supported * 10 >= all.len() * 7, "{supported} of {}", all.len());
}

/// Counts the turns that it is asked for.
#[derive(Default)]
struct Counted(Cell<usize>);

impl Pace for Counted {
    async fn turn(&self) {
        self.0.set(self.0.get() + 1);
    }
}

#[test]
fn others_have_their_turn_between_two_sentences() {
    let sheet = sheet_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4");
    let text = "The pawn goes to e4. It attacks d5; the queen attacks h5. Is the bishop on f1 pinned? It is not.";
    let turns = Counted::default();
    assert_eq!(at_once(check_in_turns(&sheet, text, &turns)), check(&sheet, text));
    // One before the first of the four sentences.
    assert_eq!(turns.0.get(), 5);
}

/// Spans lie in their sentences and on character boundaries, and say what the text says there.
fn well_formed(text: &str) -> Result<(), TestCaseError> {
    let sheet = sheet_of(
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        "Nf6",
    );
    let checked = check(&sheet, text);
    prop_assert_eq!(&checked.text, text);
    for range in &checked.sentences {
        prop_assert!(text.get(range.clone()).is_some());
    }
    for claim in &checked.claims {
        let sentence = &checked.sentences[claim.sentence];
        prop_assert!(sentence.start <= claim.span.start && claim.span.end <= sentence.end);
        prop_assert_eq!(text.get(claim.span.clone()), Some(claim.text.as_str()));
    }
    let kept = checked.kept();
    prop_assert!(check(&sheet, &kept).text == kept);
    Ok(())
}

const WORDS: &str = "the a knight pawn bishops queen king White Black 's f3 e4 Nf3 Bxf7+ O-O exd5 12... 13. attacks defends is are \
     was not no longer pinned fork forks which that and , . ; ! if after then would can captures takes wins a piece it this \
     both rooks on to by with from of in check mate passed isolated open e ~ -file doubled there has have been being to \
     attack threatening to win material up down better equal winning lost blunder good move (or) n't “ ” … — é ♞ 漢 0-0-0 e8=Q";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 512 } else { 2048 }))]

    #[test]
    fn any_text_is_checked(text in "\\PC{0,200}") {
        well_formed(&text)?;
    }

    #[test]
    fn any_salad_of_words_is_checked(picks in proptest::collection::vec(0usize..200, 0..60)) {
        let words: Vec<&str> = WORDS.split_whitespace().collect();
        let text: Vec<&str> = picks.iter().map(|&p| words[p % words.len()]).collect();
        well_formed(&text.join(" "))?;
    }
}

#[test]
fn endless_text_is_cut_and_answered() {
    let text = "If Nxe5 then Nxe5 d4 Bd6 dxe5 Bxe5 and the knight attacks the queen and the rook, ".repeat(20_000);
    let checked = check(
        &sheet_of(
            "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
            "Nf6",
        ),
        &text,
    );
    assert!(checked.claims.iter().any(|c| c.verdict == ClaimVerdict::NotJudged));
    let many = "Nxe5 is strong. The knight attacks the queen. ".repeat(3_000);
    let checked = check(
        &sheet_of(
            "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
            "Nf6",
        ),
        &many,
    );
    assert_eq!(checked.sentences.len(), 6_000);
}
