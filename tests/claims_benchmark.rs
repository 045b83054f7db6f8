//! The benchmark of claim checkers: what our check reaches on its open comments, with and without declared claims.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;

use crate::claim_positions::read;
use kibitz::commentary::{
    claim_benchmark::{Comment, Positions, Score, Verdicts, comments},
    claims::{check, declared, declared::read as declared_claims},
};
use serde::Deserialize;

/// A set of comments with what has been reached on it: the most true claims struck, the fewest wrong ones caught, by our reader
/// alone and with declared claims.
struct Set {
    comments: &'static str,
    positions: &'static str,
    /// What a model declared of them, with what is reached by it.
    declared: (&'static str, (usize, usize)),
    alone: (usize, usize),
}

const SETS: [Set; 15] = [
    Set {
        comments: include_str!("data/claims/benchmark/open.jsonl"),
        positions: include_str!("data/claims/benchmark/open-positions.jsonl"),
        declared: (include_str!("data/claims/benchmark/open-declared.jsonl"), (2, 80)),
        alone: (0, 14),
    },
    Set {
        comments: include_str!("data/claims/benchmark/open2.jsonl"),
        positions: include_str!("data/claims/benchmark/open2-positions.jsonl"),
        declared: (include_str!("data/claims/benchmark/open2-declared.jsonl"), (1, 89)),
        alone: (0, 13),
    },
    Set {
        comments: include_str!("data/claims/benchmark/open3.jsonl"),
        positions: include_str!("data/claims/benchmark/open3-positions.jsonl"),
        declared: (include_str!("data/claims/benchmark/open3-declared.jsonl"), (6, 74)),
        alone: (0, 5),
    },
    Set {
        comments: include_str!("data/claims/benchmark/open4.jsonl"),
        positions: include_str!("data/claims/benchmark/open4-positions.jsonl"),
        declared: (include_str!("data/claims/benchmark/open4-declared.jsonl"), (1, 80)),
        alone: (0, 12),
    },
    Set {
        comments: include_str!("data/claims/benchmark/open5.jsonl"),
        positions: include_str!("data/claims/benchmark/open5-positions.jsonl"),
        declared: (include_str!("data/claims/benchmark/open5-declared.jsonl"), (1, 84)),
        alone: (0, 11),
    },
    Set {
        comments: include_str!("data/claims/benchmark/open6.jsonl"),
        positions: include_str!("data/claims/benchmark/open6-positions.jsonl"),
        declared: (include_str!("data/claims/benchmark/open6-declared.jsonl"), (0, 78)),
        alone: (0, 1),
    },
    Set {
        comments: include_str!("data/claims/benchmark/open7.jsonl"),
        positions: include_str!("data/claims/benchmark/open7-positions.jsonl"),
        declared: (include_str!("data/claims/benchmark/open7-declared.jsonl"), (4, 75)),
        alone: (0, 4),
    },
    Set {
        comments: include_str!("data/claims/benchmark/open8.jsonl"),
        positions: include_str!("data/claims/benchmark/open8-positions.jsonl"),
        declared: (include_str!("data/claims/benchmark/open8-declared.jsonl"), (4, 77)),
        alone: (0, 9),
    },
    Set {
        comments: include_str!("data/claims/benchmark/open9.jsonl"),
        positions: include_str!("data/claims/benchmark/open9-positions.jsonl"),
        declared: (include_str!("data/claims/benchmark/open9-declared.jsonl"), (2, 68)),
        alone: (0, 2),
    },
    Set {
        comments: include_str!("data/claims/benchmark/open10.jsonl"),
        positions: include_str!("data/claims/benchmark/open10-positions.jsonl"),
        declared: (include_str!("data/claims/benchmark/open10-declared.jsonl"), (1, 79)),
        alone: (0, 4),
    },
    Set {
        comments: include_str!("data/claims/benchmark/open11.jsonl"),
        positions: include_str!("data/claims/benchmark/open11-positions.jsonl"),
        declared: (include_str!("data/claims/benchmark/open11-declared.jsonl"), (5, 76)),
        alone: (1, 5),
    },
    Set {
        comments: include_str!("data/claims/benchmark/open12.jsonl"),
        positions: include_str!("data/claims/benchmark/open12-positions.jsonl"),
        declared: (include_str!("data/claims/benchmark/open12-declared.jsonl"), (3, 71)),
        alone: (1, 5),
    },
    // Of single remarks, by what they are about.
    Set {
        comments: include_str!("data/claims/benchmark/remarks.jsonl"),
        positions: include_str!("data/claims/benchmark/remarks-positions.jsonl"),
        declared: (include_str!("data/claims/benchmark/remarks-declared.jsonl"), (7, 435)),
        alone: (0, 10),
    },
    Set {
        comments: include_str!("data/claims/benchmark/remarks2.jsonl"),
        positions: include_str!("data/claims/benchmark/remarks2-positions.jsonl"),
        declared: (include_str!("data/claims/benchmark/remarks2-declared.jsonl"), (5, 458)),
        alone: (2, 15),
    },
    Set {
        comments: include_str!("data/claims/benchmark/remarks3.jsonl"),
        positions: include_str!("data/claims/benchmark/remarks3-positions.jsonl"),
        declared: (include_str!("data/claims/benchmark/remarks3-declared.jsonl"), (0, 115)),
        alone: (1, 4),
    },
];

#[derive(Deserialize)]
struct Answer {
    id: String,
    answer: String,
}

fn score(comments: &[Comment], verdicts: impl Fn(&Comment) -> Verdicts) -> Score {
    let mut score = Score::default();
    for comment in comments {
        score.add(comment, &verdicts(comment));
    }
    score
}

#[test]
fn open_comments_are_held_to_what_is_wrong_in_them() {
    for set in SETS {
        let positions = Positions::read(set.positions).unwrap();
        let comments = comments(set.comments).unwrap();
        let sheet = |comment: &Comment| positions.get(&comment.position).unwrap();
        let alone = score(&comments, |comment| {
            Verdicts::of(&comment.id, &check(sheet(comment), &comment.text))
        });
        let (declared, bound) = set.declared;
        let answers: HashMap<String, String> = read::<Answer>(declared)
            .into_iter()
            .map(|answer| (answer.id, answer.answer))
            .collect();
        let with = score(&comments, |comment| {
            let (claims, _) = declared_claims(&answers[&comment.id], &comment.text);
            Verdicts::of(
                &comment.id,
                &declared::check_declared(sheet(comment), &comment.text, &claims),
            )
        });
        for (score, (struck, caught)) in [(alone, set.alone), (with, bound)] {
            assert!(score.holding[0] <= struck, "{} struck", score.holding[0]);
            assert!(score.wrong[0] >= caught, "{} caught", score.wrong[0]);
        }
    }
}

/// The held comments can be read; what is found in them is not looked at here.
#[test]
fn held_comments_can_be_read() {
    let positions = Positions::read(include_str!("data/claims/benchmark/held-positions.jsonl")).unwrap();
    let comments = comments(include_str!("data/claims/benchmark/held.jsonl")).unwrap();
    assert_eq!(comments.len(), 80);
    assert!(
        comments
            .iter()
            .all(|comment| positions.get(&comment.position).is_some())
    );
}
