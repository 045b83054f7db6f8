//! Marks made beforehand on a study's comments: by the claim check, and planted ones.
//!
//! The check is asked without an engine, so that the same study gets the same marks everywhere: what it holds against a
//! comment, the board alone contradicts. A language model may have declared what the comment claims; that is judged likewise.

use super::{
    span::{Span, SpanQuestion},
    study::Study,
};
use crate::{
    chess::Played,
    commentary::{
        FactSheet,
        claims::{
            ClaimKind,
            declared::{Declared, check_declared},
        },
    },
    random::{Rng, seeded_hash},
};

/// The kinds that a study asks for unless it says otherwise, and that marks are made of: `board`, `move`, `judgement`.
#[must_use]
pub const fn kind_of(claim: ClaimKind) -> &'static str {
    match claim {
        ClaimKind::Evaluation | ClaimKind::Quality | ClaimKind::Best | ClaimKind::KingSafety | ClaimKind::Phase => {
            "judgement"
        }
        ClaimKind::Legality => "move",
        claim if claim.is_deed() => "move",
        _ => "board",
    }
}

/// What the claim check holds against a comment on a move, of the kinds that the study asks for; `declared` is what a model says
/// that the comment claims, maybe nothing.
#[must_use]
pub fn marks(question: &SpanQuestion, played: &Played, comment: &str, declared: &[Declared]) -> Vec<Span> {
    let sheet = FactSheet::new(played, None, None);
    let checked = check_declared(&sheet, comment, declared);
    let character = |byte: usize| comment.char_indices().take_while(|(at, _)| *at < byte).count();
    let mut marks: Vec<Span> = Vec::new();
    for claim in checked.contradicted() {
        let Some(kind) = own_kind(question, kind_of(claim.kind)) else {
            continue;
        };
        let span = Span {
            start: character(claim.span.start),
            end: character(claim.span.end),
            kind: kind.to_owned(),
        };
        if !marks.iter().any(|mark| mark.meets(&span)) {
            marks.push(span);
        }
    }
    marks.sort_unstable();
    marks
}

/// The study's kind with this name; its first where it has none, since every mark has one.
fn own_kind<'a>(question: &'a SpanQuestion, kind: &str) -> Option<&'a str> {
    let kinds = &question.kinds;
    let own = kinds.iter().find(|own| own.id == kind).or_else(|| kinds.first());
    own.map(|own| own.id.as_str())
}

/// A mark on two words that nothing is held against, drawn from `seed`; `None` where there are none.
#[must_use]
pub fn decoy(question: &SpanQuestion, comment: &str, marks: &[Span], seed: u64) -> Option<Span> {
    let mut rng = Rng::new(seed);
    let kind = question.kinds.get(rng.below(question.kinds.len().max(1)))?;
    let mut words: Vec<(usize, usize)> = Vec::new();
    let mut start = None;
    for (at, letter) in comment.chars().chain([' ']).enumerate() {
        match (letter.is_alphanumeric(), start) {
            (true, None) => start = Some(at),
            (false, Some(begun)) => {
                words.push((begun, at));
                start = None;
            }
            _ => {}
        }
    }
    let pair = |pair: &[(usize, usize)]| Span {
        start: pair[0].0,
        end: pair[1].1,
        kind: kind.id.clone(),
    };
    let free: Vec<Span> = words
        .windows(2)
        .map(pair)
        .filter(|span| !marks.iter().any(|mark| mark.meets(span)))
        .collect();
    (!free.is_empty()).then(|| free[rng.below(free.len())].clone())
}

/// The seed of a comment's planted mark.
#[must_use]
pub fn decoy_seed(study: &Study, item: &str, method: &str) -> u64 {
    seeded_hash(study.options.order.seed, &format!("decoy {item}/{method}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::{criteria::Kind, span::Prefill, study::played};

    fn question(kinds: &[&str]) -> SpanQuestion {
        SpanQuestion {
            question: "?".to_owned(),
            kinds: kinds
                .iter()
                .map(|id| Kind {
                    id: (*id).to_owned(),
                    label: (*id).to_owned(),
                })
                .collect(),
            prefill: vec![Prefill::Hidden],
        }
    }

    #[test]
    fn what_the_board_contradicts_is_marked_in_characters() {
        let played = played(
            "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
            "Ng5",
        )
        .unwrap();
        let comment = "»Schön!« The knight attacks f7. White is a queen ahead.";
        let found = marks(&question(&["move", "board"]), &played, comment, &[]);
        let said: Vec<(&str, &str)> = found
            .iter()
            .map(|span| (span.words(comment), span.kind.as_str()))
            .collect();
        assert_eq!(said, [("White is a queen ahead", "board")]);
        assert_eq!(marks(&question(&["wrong"]), &played, comment, &[])[0].kind, "wrong");
        assert_eq!(marks(&question(&["board"]), &played, "The knight attacks f7.", &[]), []);
    }

    #[test]
    fn what_a_model_declares_is_judged_by_the_board() {
        let played = played(
            "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
            "Ng5",
        )
        .unwrap();
        let comment = "The steed eyes the rook's pawn, and the prelate looks on.";
        let question = question(&["board"]);
        assert_eq!(
            marks(&question, &played, comment, &[]),
            [],
            "its words say nothing to the check"
        );
        let answer = r#"[{"words": "The steed eyes the rook's pawn", "predicate": "attacks", "subject": "white knight g5",
            "objects": ["black pawn a7"]}]"#;
        let (declared, _) = crate::commentary::claims::declared::read(answer, comment);
        let found = marks(&question, &played, comment, &declared);
        let said: Vec<&str> = found.iter().map(|span| span.words(comment)).collect();
        assert_eq!(said, ["The steed eyes the rook's pawn"]);
    }

    #[test]
    fn a_planted_mark_lies_beside_the_others() {
        let question = question(&["a", "b"]);
        let comment = "The knight joins the bishop, and both attack f7.";
        for seed in 0..50 {
            let first = decoy(&question, comment, &[], seed).unwrap();
            assert_eq!(
                decoy(&question, comment, &[], seed),
                Some(first.clone()),
                "the same from the same seed"
            );
            assert!(first.fits(comment.chars().count()));
            let second = decoy(&question, comment, std::slice::from_ref(&first), seed + 1).unwrap();
            assert!(!first.meets(&second));
        }
        assert_eq!(decoy(&question, "Good.", &[], 1), None);
    }
}
