//! A small study to try things with: positions of our own, comments by the narrator from the board alone. It is made by
//! code, so that it always fits the narrator that ships.

use super::{
    preset,
    study::{Breaks, Expected, Item, MethodComment, Planted, Practice, ShownError, Study, played},
};
use crate::{
    chess::{Played, names::role_name},
    commentary::{FactSheet, narrate},
};

/// Facts that the second method tells.
const FACTS: usize = 3;

/// Positions with moves that the narrator has something to say about.
const MOVES: [(&str, &str); 8] = [
    (
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
        "Ng5",
    ),
    (
        "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NP1N2/PPP1QPPP/R1B2RK1 w - - 4 8",
        "Bg5",
    ),
    ("r1bqkb1r/pp3ppp/2nppn2/8/3NP3/2N5/PPP1BPPP/R1BQK2R w KQkq - 0 7", "O-O"),
    ("2rq1rk1/pp1bppbp/3p1np1/8/3BP3/1BN2P2/PPPQ2PP/2KR3R w - - 5 14", "h4"),
    (
        "r4rk1/1bq2ppp/p2bpn2/1p6/3N4/P1N1B3/1PP1BPPP/R2Q1RK1 b - - 3 14",
        "Bxh2+",
    ),
    ("3r2k1/p4ppp/1p2p3/8/3P4/1P3N2/P4PPP/6K1 w - - 0 25", "Kf1"),
    ("8/5pk1/6p1/P7/8/6P1/5PK1/8 w - - 0 40", "a6"),
    ("8/8/4kp2/R5p1/6P1/4KP2/r7/8 b - - 8 50", "Rxa5"),
];

/// The study: eight moves, three methods, two comments for practice, one planted check and one repetition.
///
/// # Errors
/// Never, as long as its own positions are right, which a test sees to.
pub fn demonstration() -> Result<Study, ShownError> {
    let mut study = preset::paper("demonstration", "Demonstration: comments from the board alone");
    study.consent.text =
        "This is a demonstration: nothing that you answer is handed to anyone. It shows what raters see in a \
                          study of comments on chess moves, and takes about ten minutes."
            .to_owned();
    for (number, (fen, mv)) in (1..).zip(MOVES) {
        let played = played(fen, mv)?;
        study.items.push(Item {
            id: format!("m{number}"),
            fen: fen.to_owned(),
            mv: mv.to_owned(),
            reference: None,
            comments: comments(&played),
        });
    }
    study.practice = practice();
    study.checks.planted = vec![planted()];
    study.checks.repeats = 1;
    study.options.breaks = Some(Breaks {
        after: 13,
        minutes: 2,
        skippable: true,
    });
    Ok(study)
}

/// What the narrator says, the first facts of the sheet as they stand there, and the move in words.
fn comments(played: &Played) -> Vec<MethodComment> {
    let sheet = FactSheet::new(played, None, None);
    let facts: Vec<String> = sheet
        .facts()
        .iter()
        .take(FACTS)
        .map(|fact| format!("{}.", fact.text.trim_end_matches('.')))
        .collect();
    let comment = |method: &str, text: String| MethodComment {
        method: method.to_owned(),
        text,
        scores: std::collections::BTreeMap::new(),
        marks: Vec::new(),
        decoys: Vec::new(),
    };
    vec![
        comment("narrator", narrator_text(played)),
        comment("facts", facts.join(" ")),
        comment("move-in-words", in_words(played)),
    ]
}

/// The narrator's comment on a move, from the board alone.
#[must_use]
pub fn narrator_text(played: &Played) -> String {
    let said: Vec<String> = narrate(&FactSheet::new(played, None, None))
        .into_iter()
        .map(|sentence| sentence.text)
        .collect();
    said.join(" ")
}

/// The least that can be said: what moves where.
fn in_words(played: &Played) -> String {
    let side = crate::chess::names::color_name(played.mover());
    match played.mv.castling_side() {
        Some(wing) => format!(
            "{side} castles {}.",
            if wing.is_king_side() { "kingside" } else { "queenside" }
        ),
        None => {
            let verb = if played.mv.is_capture() { "takes on" } else { "goes to" };
            format!("{side}'s {} {verb} {}.", role_name(played.mv.role()), played.mv.to())
        }
    }
}

fn practice() -> Vec<Practice> {
    let (fen, mv) = ("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "Nf3");
    let practice = |text: &str, feedback: &str, correct: &[u8]| Practice {
        fen: fen.to_owned(),
        mv: mv.to_owned(),
        text: text.to_owned(),
        feedback: feedback.to_owned(),
        expected: vec![Expected {
            criterion: "correctness".to_owned(),
            values: correct.to_vec(),
        }],
    };
    vec![
        practice(
            "The knight comes out and attacks the pawn on e5.",
            "All of this is true: it is correct. It says nothing of what else the move does (it clears the way for castling), \
             so few would call it complete.",
            &[3],
        ),
        practice(
            "White's bishop takes the pawn on e5, with check.",
            "No bishop moves here, nothing is taken, and there is no check: disagree, and tick that it refers to a move or a \
             piece that is not there.",
            &[1],
        ),
    ]
}

/// A comment on a move that cannot be played there.
fn planted() -> Planted {
    Planted {
        id: "illegal-move".to_owned(),
        fen: "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4".to_owned(),
        mv: "c3".to_owned(),
        text: "White's rook takes the queen on d8 and gives mate.".to_owned(),
        expected: vec![Expected {
            criterion: "correctness".to_owned(),
            values: vec![1],
        }],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::study_file::{check, read_study};

    #[test]
    fn it_can_be_run_and_read_back() {
        let study = demonstration().unwrap();
        assert_eq!(check(&study), []);
        assert_eq!(read_study(study.to_json().as_bytes()), Ok(study.clone()));
        assert_eq!(study.pages(), 8 * 3 + 2);
        assert_eq!(study.methods(), ["narrator", "facts", "move-in-words"]);
    }

    #[test]
    fn the_methods_say_different_things() {
        let study = demonstration().unwrap();
        let differ = |item: &&Item| item.comments[0].text != item.comments[1].text;
        let different = study.items.iter().filter(differ).count();
        assert_eq!(different, study.items.len());
        assert!(
            study
                .items
                .iter()
                .all(|item| item.comments[0].text != item.comments[2].text)
        );
    }
}
