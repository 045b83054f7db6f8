//! How often our own reader is right where it holds something against a text, by what it took the words to say: what it may strike
//! is chosen by this (`claims/sureness`).

use std::{collections::BTreeMap, fmt::Write as _};

use super::{by_predicate::shared, labelled::Comment};
use crate::commentary::{Checked, ClaimVerdict, claims::statement::Predicate};

/// What it held against texts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Held {
    /// Its contradictions that touch words that are wrong.
    pub struck_rightly: usize,
    /// Its contradictions that touch words that are true, and none that are wrong.
    pub struck_wrongly: usize,
    /// Its doubts, likewise.
    pub doubted_rightly: usize,
    /// See [`Held::struck_wrongly`].
    pub doubted_wrongly: usize,
}

/// What our own reader held against texts, by predicate. What touches no labelled words is not counted.
#[derive(Debug, Clone, Default)]
pub struct OwnWord(BTreeMap<Predicate, Held>);

impl OwnWord {
    /// Adds a comment that it has read.
    pub fn add(&mut self, comment: &Comment, checked: &Checked) {
        for claim in &checked.claims {
            let Some(statement) = claim.statements.first() else {
                continue;
            };
            let mut touched = comment
                .claims
                .iter()
                .filter(|labelled| shared(&labelled.span, &claim.span) > 0)
                .peekable();
            if touched.peek().is_none() {
                continue;
            }
            let rightly = touched.any(|labelled| !labelled.holds);
            let held = self.0.entry(statement.predicate).or_default();
            match (claim.verdict, rightly) {
                (ClaimVerdict::Contradicted, true) => held.struck_rightly += 1,
                (ClaimVerdict::Contradicted, false) => held.struck_wrongly += 1,
                (ClaimVerdict::Doubtful, true) => held.doubted_rightly += 1,
                (ClaimVerdict::Doubtful, false) => held.doubted_wrongly += 1,
                (ClaimVerdict::Supported | ClaimVerdict::NotJudged, _) => {}
            }
        }
    }

    /// Adds what was held against other texts.
    pub fn join(&mut self, other: Self) {
        for (predicate, more) in other.0 {
            let held = self.0.entry(predicate).or_default();
            held.struck_rightly += more.struck_rightly;
            held.struck_wrongly += more.struck_wrongly;
            held.doubted_rightly += more.doubted_rightly;
            held.doubted_wrongly += more.doubted_wrongly;
        }
    }

    /// Its doubts: of wrong words, of true ones.
    #[must_use]
    pub fn doubts(&self) -> (usize, usize) {
        let sum = |count: fn(&Held) -> usize| self.0.values().map(count).sum();
        (sum(|held| held.doubted_rightly), sum(|held| held.doubted_wrongly))
    }

    /// As a Markdown table, those first that it holds against texts most often.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text =
            "| our reader takes it for | struck rightly | struck wrongly | doubted rightly | doubted wrongly |\n|---|---|---|---|---|\n"
                .to_owned();
        let all = |held: &Held| held.struck_rightly + held.struck_wrongly + held.doubted_rightly + held.doubted_wrongly;
        let mut rows: Vec<(&Predicate, &Held)> = self.0.iter().filter(|(_, held)| all(held) > 0).collect();
        rows.sort_by_key(|(_, held)| std::cmp::Reverse(all(held)));
        for (predicate, held) in rows {
            let Held {
                struck_rightly,
                struck_wrongly,
                doubted_rightly,
                doubted_wrongly,
            } = held;
            let word = predicate.word();
            let _ = writeln!(
                text,
                "| {word} | {struck_rightly} | {struck_wrongly} | {doubted_rightly} | {doubted_wrongly} |"
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::commentary::{Claim, ClaimKind, claim_benchmark::comments, claims::Statement};

    #[test]
    fn what_touches_wrong_words_is_held_rightly() {
        let json = r#"{"id": "a", "pos": "p", "text": "The rook hangs, and the king is safe.", "claims": [{"words": "The rook hangs", "true": false, "why": "It is protected."}, {"words": "the king is safe", "true": true}]}"#;
        let comment = comments(json).expect("a comment").remove(0);
        let claim = |span: Range<usize>, verdict| Claim {
            text: comment.text[span.clone()].to_owned(),
            span,
            sentence: 0,
            kind: ClaimKind::Hanging,
            verdict,
            facts: Vec::new(),
            reason: String::new(),
            statements: vec![Statement::new(Predicate::Hanging)],
        };
        let checked = Checked {
            text: comment.text.clone(),
            sentences: Vec::new(),
            claims: vec![
                claim(0..8, ClaimVerdict::Contradicted),
                claim(4..24, ClaimVerdict::Doubtful),
                claim(20..36, ClaimVerdict::Doubtful),
                claim(14..16, ClaimVerdict::Doubtful),
                claim(0..8, ClaimVerdict::Supported),
            ],
        };
        let mut own = OwnWord::default();
        own.add(&comment, &checked);
        own.join(own.clone());
        assert_eq!(own.doubts(), (2, 2));
        assert!(own.table().contains("| hanging | 2 | 0 | 2 | 2 |"), "{}", own.table());
    }
}
