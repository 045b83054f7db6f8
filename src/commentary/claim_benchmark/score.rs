//! A checker's verdicts against the labels.

use std::{fmt::Write as _, ops::Range};

use serde::{Deserialize, Serialize};

use super::labelled::Comment;
use crate::commentary::{Checked, ClaimVerdict};

/// What a checker says of a comment.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct Verdicts {
    /// The comment's name.
    pub id: String,
    /// What it says of which words.
    pub verdicts: Vec<(usize, usize, String)>,
}

impl Verdicts {
    /// Those of our own check.
    #[must_use]
    pub fn of(id: &str, checked: &Checked) -> Self {
        Self {
            id: id.to_owned(),
            verdicts: checked
                .claims
                .iter()
                .map(|claim| (claim.span.start, claim.span.end, claim.verdict.word().to_owned()))
                .collect(),
        }
    }

    /// The spans of a verdict.
    fn spans<'a>(&'a self, verdict: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
        let own = self.verdicts.iter().filter(move |(.., word)| word == verdict);
        own.map(|(start, end, _)| *start..*end)
    }
}

/// What became of a labelled claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// A verdict on its words contradicts it.
    Contradicted,
    /// All verdicts on its words support it.
    Supported,
    /// Some support it, others leave it open.
    InPart,
    /// Nothing is said of it, or it is left open.
    Open,
}

/// What became of each claim of a comment, in their order. A contradiction that touches wrong words is about them, and not
/// held against what is true beside them.
#[must_use]
pub fn marked(comment: &Comment, verdicts: &Verdicts) -> Vec<Found> {
    let touches = |a: &Range<usize>, b: &Range<usize>| a.start < b.end && b.start < a.end;
    let wrong = |span: &Range<usize>| {
        comment
            .claims
            .iter()
            .any(|claim| !claim.holds && touches(&claim.span, span))
    };
    comment
        .claims
        .iter()
        .map(|claim| {
            let mut struck = verdicts
                .spans(ClaimVerdict::Contradicted.word())
                .filter(|span| touches(span, &claim.span));
            if struck.any(|span| !claim.holds || !wrong(&span)) {
                return Found::Contradicted;
            }
            let supported = verdicts
                .spans(ClaimVerdict::Supported.word())
                .any(|span| touches(&span, &claim.span));
            let open = [ClaimVerdict::Doubtful, ClaimVerdict::NotJudged].iter().any(|open| {
                let mut spans = verdicts.spans(open.word());
                spans.any(|span| touches(&span, &claim.span))
            });
            match (supported, open) {
                (true, false) => Found::Supported,
                (true, true) => Found::InPart,
                (false, _) => Found::Open,
            }
        })
        .collect()
}

/// The counts of a set of comments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Score {
    /// Comments.
    pub comments: usize,
    /// Claims that hold: contradicted, supported, supported in part, open.
    pub holding: [usize; 4],
    /// Claims that don't, likewise.
    pub wrong: [usize; 4],
    /// Comments in which something true is contradicted.
    pub harmed: usize,
}

impl Score {
    /// Adds a comment.
    pub fn add(&mut self, comment: &Comment, verdicts: &Verdicts) {
        self.comments += 1;
        let mut harmed = false;
        for (claim, found) in comment.claims.iter().zip(marked(comment, verdicts)) {
            let counts = if claim.holds {
                &mut self.holding
            } else {
                &mut self.wrong
            };
            counts[found as usize] += 1;
            harmed |= claim.holds && found == Found::Contradicted;
        }
        self.harmed += usize::from(harmed);
    }

    /// As a Markdown table, with shares.
    #[must_use]
    pub fn table(&self, name: &str) -> String {
        let mut text = format!(
            "{name}: {} comments, {} with something true contradicted\n\n",
            self.comments, self.harmed
        );
        text.push_str("| claims | n | contradicted | supported | in part | open |\n|---|---|---|---|---|---|\n");
        for (what, counts) in [("true", self.holding), ("wrong", self.wrong)] {
            let n: usize = counts.iter().sum();
            let _ = write!(text, "| {what} | {n} |");
            for count in counts {
                let share = count as f64 / (n.max(1)) as f64;
                let _ = write!(text, " {count} ({share:.3}) |");
            }
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commentary::claim_benchmark::comments;

    fn marks(verdicts: &[(usize, usize, &str)]) -> Vec<Found> {
        let json = r#"{"id": "a", "pos": "p", "text": "The rook hangs, the king is safe, and White is up a pawn.",
            "claims": [{"words": "The rook hangs", "true": false, "why": "It is protected."},
            {"words": "the king is safe", "true": true}, {"words": "White is up a pawn", "true": true}]}"#;
        let comment = comments(&json.replace('\n', " ")).expect("a comment").remove(0);
        let verdicts = verdicts
            .iter()
            .map(|(a, b, word)| (*a, *b, (*word).to_owned()))
            .collect();
        marked(
            &comment,
            &Verdicts {
                id: "a".to_owned(),
                verdicts,
            },
        )
    }

    #[test]
    fn a_contradiction_is_about_the_wrong_words_that_it_touches() {
        use Found::{Contradicted, InPart, Open, Supported};
        assert_eq!(marks(&[(4, 30, "contradicted")]), [Contradicted, Open, Open]);
        assert_eq!(marks(&[(16, 30, "contradicted")]), [Open, Contradicted, Open]);
        assert_eq!(
            marks(&[(0, 14, "supported"), (16, 32, "supported"), (20, 32, "not-judged")]),
            [Supported, InPart, Open]
        );
        // Of words that are held to be wrong and right, wrong counts.
        assert_eq!(
            marks(&[(38, 57, "supported"), (38, 57, "contradicted")]),
            [Open, Open, Contradicted]
        );
    }

    #[test]
    fn words_must_stand_once() {
        let json = r#"{"id": "a", "pos": "p", "text": "e4 e4", "claims": [{"words": "e4", "true": true}]}"#;
        let error = comments(json).expect_err("twice");
        assert_eq!(error.to_string(), "line 1: “e4” stands 2 times in the text");
    }
}
