//! Where wrong claims were missed, by what they say.

use std::{collections::BTreeMap, fmt::Write as _, ops::Range};

use super::{
    labelled::Comment,
    score::{Found, Verdicts, marked},
};
use crate::commentary::{
    Checked, ClaimKind, ClaimVerdict,
    claims::{declared::Declared, statement::Predicate},
};

/// What became of the wrong claims of one predicate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Misses {
    /// All of them.
    pub wrong: usize,
    /// Contradicted.
    pub caught: usize,
    /// Nothing in their words was read.
    pub unread: usize,
    /// They were read, and left open.
    pub undecided: usize,
    /// Something else was read, which holds.
    pub misread: usize,
}

/// What became of the wrong claims, by predicate: that of the declared claim whose words share most with theirs; `None` where
/// nothing was declared of them.
#[derive(Debug, Clone, Default)]
pub struct ByPredicate(BTreeMap<Option<Predicate>, Misses>);

impl ByPredicate {
    /// Adds a comment, with what was declared of it.
    pub fn add(&mut self, comment: &Comment, checked: &Checked, declared: &[Declared]) {
        let found = marked(comment, &Verdicts::of(&comment.id, checked));
        for (claim, found) in comment.claims.iter().zip(found).filter(|(claim, _)| !claim.holds) {
            let nearest = declared
                .iter()
                .max_by_key(|declared| {
                    (
                        shared(&declared.span, &claim.span),
                        std::cmp::Reverse(declared.span.len()),
                    )
                })
                .filter(|declared| shared(&declared.span, &claim.span) > 0);
            let misses = self
                .0
                .entry(nearest.map(|declared| declared.statement.predicate))
                .or_default();
            misses.wrong += 1;
            let read = |verdict| {
                let mut own = checked.claims.iter().filter(|own| own.kind != ClaimKind::Other);
                own.any(|own| own.verdict == verdict && shared(&own.span, &claim.span) > 0)
            };
            let count = if found == Found::Contradicted {
                &mut misses.caught
            } else if read(ClaimVerdict::Supported) {
                &mut misses.misread
            } else if read(ClaimVerdict::NotJudged) || read(ClaimVerdict::Doubtful) {
                &mut misses.undecided
            } else {
                &mut misses.unread
            };
            *count += 1;
        }
    }

    /// The predicates and what became of their claims, those first of which most were missed.
    #[must_use]
    pub fn rows(&self) -> Vec<(Option<Predicate>, Misses)> {
        let mut rows: Vec<_> = self.0.iter().map(|(predicate, misses)| (*predicate, *misses)).collect();
        rows.sort_by_key(|(predicate, misses)| (std::cmp::Reverse(misses.wrong - misses.caught), *predicate));
        rows
    }

    /// As a Markdown table.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text =
            "| predicate | wrong | caught | unread | undecided | misread |\n|---|---|---|---|---|---|\n".to_owned();
        for (predicate, misses) in self.rows() {
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} |",
                predicate.map_or("nothing declared", Predicate::word),
                misses.wrong,
                misses.caught,
                misses.unread,
                misses.undecided,
                misses.misread
            );
        }
        text
    }
}

/// Bytes that two pieces of a text share.
pub(super) fn shared(one: &Range<usize>, other: &Range<usize>) -> usize {
    one.end.min(other.end).saturating_sub(one.start.max(other.start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commentary::{Claim, claim_benchmark::comments, claims::declared::read};

    const TEXT: &str = "The rook hangs, White castles, the knight forks, and Black is lost.";

    fn claim(words: &str, kind: ClaimKind, verdict: ClaimVerdict) -> Claim {
        let start = TEXT.find(words).expect("words of the text");
        Claim {
            text: words.to_owned(),
            span: start..start + words.len(),
            sentence: 0,
            kind,
            verdict,
            facts: Vec::new(),
            reason: String::new(),
            statements: Vec::new(),
        }
    }

    #[test]
    fn misses_are_told_apart() {
        let labelled = ["The rook hangs", "White castles", "the knight forks", "Black is lost"]
            .map(|words| format!(r#"{{"words": "{words}", "true": false, "why": "no"}}"#))
            .join(",");
        let json = format!(r#"{{"id": "a", "pos": "p", "text": "{TEXT}", "claims": [{labelled}]}}"#);
        let comment = comments(&json).expect("a comment").remove(0);
        let checked = Checked {
            text: TEXT.to_owned(),
            sentences: std::iter::once(0..TEXT.len()).collect(),
            claims: vec![
                claim("The rook hangs", ClaimKind::Hanging, ClaimVerdict::Contradicted),
                claim("White castles", ClaimKind::Castling, ClaimVerdict::NotJudged),
                claim("the knight", ClaimKind::Placement, ClaimVerdict::Supported),
                claim(TEXT, ClaimKind::Other, ClaimVerdict::NotJudged),
            ],
        };
        let answer = r#"[{"words": "The rook hangs", "predicate": "hanging", "subject": "rook"},
            {"words": "White castles", "predicate": "castles", "side": "white"},
            {"words": "the knight forks", "predicate": "forks", "subject": "knight"}]"#;
        let (declared, dropped) = read(answer, TEXT);
        assert_eq!(dropped, []);
        let mut by = ByPredicate::default();
        by.add(&comment, &checked, &declared);
        let one = |predicate| {
            by.rows()
                .into_iter()
                .find(|(found, _)| *found == predicate)
                .expect("a row")
                .1
        };
        let all = Misses {
            wrong: 1,
            ..Misses::default()
        };
        assert_eq!(one(Some(Predicate::Hanging)), Misses { caught: 1, ..all });
        assert_eq!(one(Some(Predicate::Castles)), Misses { undecided: 1, ..all });
        assert_eq!(one(Some(Predicate::Forks)), Misses { misread: 1, ..all });
        assert_eq!(one(None), Misses { unread: 1, ..all });
        assert!(by.table().contains("| nothing declared | 1 | 0 | 1 | 0 | 0 |"));
    }
}
