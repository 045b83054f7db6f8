//! BLEU-1 and ROUGE against sacrebleu, NLTK and rouge-score; tests/data/overlap-expected.json has their figures.
#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use kibitz::overlap::{bleu_1, rouge_l, rouge_n, word_count};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Expected {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    comment: String,
    reference: String,
    bleu_1: f64,
    rouge_1: f64,
    rouge_2: f64,
    rouge_l: f64,
}

#[test]
fn figures_are_those_of_the_packages() {
    let expected: Expected = serde_json::from_str(include_str!("data/overlap-expected.json")).unwrap();
    assert!(expected.cases.len() > 10);
    for case in &expected.cases {
        let (comment, reference) = (case.comment.as_str(), case.reference.as_str());
        for (name, found, wanted) in [
            ("BLEU-1", bleu_1(comment, reference), case.bleu_1),
            ("ROUGE-1", rouge_n(comment, reference, 1), case.rouge_1),
            ("ROUGE-2", rouge_n(comment, reference, 2), case.rouge_2),
            ("ROUGE-L", rouge_l(comment, reference), case.rouge_l),
        ] {
            assert!(
                (found - wanted).abs() < 1e-9,
                "{name} of {comment:?}: {found}, expected {wanted}"
            );
        }
    }
}

#[test]
fn words_are_what_white_space_parts() {
    assert_eq!(word_count(" 12... Qd3 is solid,\nwell-timed. "), 5);
    assert_eq!(word_count(" "), 0);
}

proptest! {
    #[test]
    fn figures_lie_between_0_and_1(one in "(?s)[ a-dA-D0-9.,'-]{0,40}.{0,10}", other in "(?s)[ a-dA-D0-9.,'-]{0,40}.{0,10}") {
        for figure in [bleu_1(&one, &other), rouge_n(&one, &other, 1), rouge_n(&one, &other, 2), rouge_l(&one, &other)] {
            prop_assert!((0.0..=1.0 + 1e-12).contains(&figure), "{figure}");
        }
        prop_assert!((rouge_l(&one, &other) - rouge_l(&other, &one)).abs() < 1e-12);
    }
}
