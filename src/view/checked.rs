//! A checked comment as the page shows it: sentences, what is struck and why, and each claim with its verdict.

use std::ops::Range;

use shakmaty::uci::UciMove;

use super::{proof::shown, statement::statement_rows};
use crate::commentary::{
    Checked, Claim, ClaimVerdict, FactSheet, Reviewed, Sentence,
    claims::{Proof, declared::Declared},
    revision::Struck,
};

/// A sentence of a checked comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedSentence {
    /// With the white space that parts it from the next.
    pub text: String,
    /// Why it is struck; empty where it stands.
    pub struck: Vec<String>,
    /// Words of it that our own reader thinks wrong, in their order, none within another.
    pub doubts: Vec<Doubt>,
    /// Whether it stands and one of its claims is supported.
    pub supported: bool,
    /// Where it is struck, the line that refutes it, from the position before the move under discussion on; empty where the board
    /// does.
    pub line: Vec<UciMove>,
}

/// Words that may be wrong: they stand, and why is said on request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    /// Where they stand: bytes of the sentence's text.
    pub words: Range<usize>,
    /// What our own reader took them to say, and what is so instead.
    pub reason: String,
    /// The line that speaks against them, from the position before the move under discussion on; empty where the board does.
    pub line: Vec<UciMove>,
}

/// A claim, for the list under the comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRow {
    /// The words.
    pub text: String,
    /// What it is about, in a word.
    pub kind: &'static str,
    /// What the check says.
    pub verdict: ClaimVerdict,
    /// Why, a sentence.
    pub reason: String,
    /// The facts it rests on, as sentences with their numbers.
    pub facts: Vec<String>,
    /// What shows on the board that it holds or does not; empty where nothing but its words tells of that.
    pub proof: Proof,
    /// What the model declared that it says, in plain data: each field's name and value. Empty where it declared nothing of it.
    pub data: Vec<(&'static str, String)>,
    /// What our own reader took it to say, statement by statement, likewise. Empty where it was declared, or found by other means.
    pub read: Vec<Vec<(&'static str, String)>>,
}

/// How many of the sentences have no supported claim, and are left out where only what is supported is shown: in a sentence;
/// `None` where all have one.
#[must_use]
pub fn left_out(sentences: &[CheckedSentence]) -> Option<String> {
    let all = sentences.len();
    let out = sentences.iter().filter(|sentence| !sentence.supported).count();
    Some(match (out, all) {
        (0, _) => return None,
        (1, 1) => "Its one sentence is left out: no claim in it is supported.".to_owned(),
        (out, all) if out == all => format!("All {all} sentences are left out: no claim in them is supported."),
        (1, all) => format!("1 of {all} sentences is left out: no claim in it is supported."),
        (out, all) => format!("{out} of {all} sentences are left out: no claim in them is supported."),
    })
}

/// A checked comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedView {
    /// Its sentences in order.
    pub sentences: Vec<CheckedSentence>,
    /// The narrator's sentences, where nothing true is left of the comment.
    pub narrator: Option<Vec<Sentence>>,
    /// Its claims in order.
    pub claims: Vec<ClaimRow>,
    /// What the check found, in a sentence.
    pub summary: String,
    /// What went wrong with the claims that the model was asked for, in a sentence.
    pub note: Option<String>,
    /// What may be copied, exported or rated.
    pub kept: String,
}

impl CheckedView {
    /// Of a comment on the sheet's move.
    #[must_use]
    pub fn new(reviewed: &Reviewed, sheet: &FactSheet) -> Self {
        let checked = &reviewed.attempt.checked;
        Self {
            sentences: sentences(checked, &reviewed.struck, sheet),
            note: reviewed.attempt.declaration.note(),
            narrator: reviewed.narrator.clone(),
            claims: rows(checked, reviewed.attempt.declaration.claims(), sheet),
            summary: summary(reviewed),
            kept: reviewed.text(),
        }
    }
}

fn sentences(checked: &Checked, struck: &[Struck], sheet: &FactSheet) -> Vec<CheckedSentence> {
    let mut at = 0;
    let last = checked.sentences.len();
    checked
        .sentences
        .iter()
        .enumerate()
        .map(|(number, range)| {
            // What stands between two sentences goes with the first of them, so that nothing is lost.
            let end = if number + 1 == last {
                checked.text.len()
            } else {
                checked.sentences[number + 1].start
            };
            let begin = at;
            let text = checked
                .text
                .get(begin..end)
                .unwrap_or_else(|| &checked.text[range.clone()]);
            at = end;
            let reasons = struck.iter().find(|s| s.sentence == number).map(|s| s.reasons.clone());
            let holds = |claim: &Claim| claim.sentence == number && claim.verdict == ClaimVerdict::Supported;
            let refuting = || {
                let wrong = checked.contradicted().filter(|claim| claim.sentence == number);
                wrong
                    .map(|claim| shown(claim, sheet).moves)
                    .find(|moves| !moves.is_empty())
            };
            CheckedSentence {
                line: reasons.as_ref().and_then(|_| refuting()).unwrap_or_default(),
                text: text.to_owned(),
                doubts: if reasons.is_some() {
                    Vec::new()
                } else {
                    doubts(checked, number, begin, sheet)
                },
                supported: reasons.is_none() && checked.claims.iter().any(holds),
                struck: reasons.unwrap_or_default(),
            }
        })
        .collect()
}

/// The doubts in a sentence whose text begins at `begin`.
fn doubts(checked: &Checked, sentence: usize, begin: usize, sheet: &FactSheet) -> Vec<Doubt> {
    let mut found: Vec<Doubt> = Vec::new();
    let of_it = |claim: &&Claim| claim.sentence == sentence && claim.verdict == ClaimVerdict::Doubtful;
    for claim in checked.claims.iter().filter(of_it) {
        let words = claim.span.start.saturating_sub(begin)..claim.span.end.saturating_sub(begin);
        match found.last_mut().filter(|last| words.start < last.words.end) {
            Some(last) => {
                last.words.end = last.words.end.max(words.end);
                // A man that is not there is missed in the claim about it, too.
                if !last.reason.contains(&claim.reason) {
                    last.reason = format!("{} {}", last.reason, claim.reason);
                }
            }
            None => found.push(Doubt {
                words,
                reason: claim.reason.clone(),
                line: shown(claim, sheet).moves,
            }),
        }
    }
    found
}

fn rows(checked: &Checked, declared: &[Declared], sheet: &FactSheet) -> Vec<ClaimRow> {
    // Of several with the same words and kind, each has its own, in their order.
    let mut left: Vec<&Declared> = declared.iter().collect();
    let mut data = |claim: &Claim| {
        let its =
            |declared: &&Declared| declared.span == claim.span && declared.statement.predicate.kind() == claim.kind;
        let at = left.iter().position(its)?;
        Some(statement_rows(&left.remove(at).statement))
    };
    let row = |claim: &Claim| row(claim, sheet, data(claim));
    checked.claims.iter().map(row).collect()
}

fn row(claim: &Claim, sheet: &FactSheet, declared: Option<Vec<(&'static str, String)>>) -> ClaimRow {
    let read = match declared {
        Some(_) => Vec::new(),
        None => claim.statements.iter().map(statement_rows).collect(),
    };
    let facts = claim.facts.iter().filter_map(|id| sheet.get(*id));
    ClaimRow {
        text: claim.text.clone(),
        kind: claim.kind.word(),
        verdict: claim.verdict,
        reason: claim.reason.clone(),
        facts: facts.map(|fact| format!("{}: {}", fact.id, fact.text)).collect(),
        proof: shown(claim, sheet),
        data: declared.unwrap_or_default(),
        read,
    }
}

fn summary(reviewed: &Reviewed) -> String {
    let tally = reviewed.tally();
    let mut parts = vec![match tally.all() {
        0 => "Nothing in it can be checked against the board.".to_owned(),
        1 => format!("1 claim: {}.", tally.words()),
        all => format!("{all} claims: {}.", tally.words()),
    }];
    if reviewed.revised {
        parts.push(
            if reviewed.second {
                "The model was told what was wrong in its first answer and gave this one."
            } else {
                "The model was told what was wrong; its second answer was no better, so this is the first."
            }
            .to_owned(),
        );
    }
    if reviewed.narrator_spoke() {
        parts.push("Nothing true was left of it, so the narrator speaks in its place.".to_owned());
    } else if tally.contradicted > 0 {
        parts.push("What is wrong is struck through and left out of what is copied, exported or rated.".to_owned());
    }
    parts.join(" ")
}

/// A verdict's mark and word.
#[must_use]
pub const fn verdict_label(verdict: ClaimVerdict) -> &'static str {
    match verdict {
        ClaimVerdict::Supported => "✓ supported",
        ClaimVerdict::Contradicted => "✗ wrong",
        ClaimVerdict::Doubtful => "? doubtful",
        ClaimVerdict::NotJudged => "– not judged",
    }
}
