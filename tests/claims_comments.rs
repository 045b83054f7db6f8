//! The claim check on comments as language models write them: `tests/data/claims/comments*.jsonl`, about positions of the
//! labelled claims, from Kibitz's own prompts, with nothing wrong in them but what `wrong` names.
//!
//! `KIBITZ_COMMENTS_ALARMS=FILE` writes what is held against them wrongly, of the files that development may look at.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod claim_positions;

use std::fmt::Write as _;

use claim_positions::{LABELLED, read, sheets};
use kibitz::commentary::{ClaimVerdict, claims::check};
use serde::Deserialize;

const COMMENTS: &str = include_str!("data/claims/comments.jsonl");
/// False alarms on them so far; the aim is none.
const REACHED: usize = 6;

#[derive(Deserialize)]
struct Comment {
    id: String,
    pos: String,
    text: String,
    /// Words of the text that are wrong.
    #[serde(default)]
    wrong: Vec<String>,
}

#[test]
fn comments_of_a_language_model_are_left_alone() {
    let sheets = sheets(LABELLED);
    let comments: Vec<Comment> = read(COMMENTS);
    let (mut claims, mut supported, mut struck) = (0, 0, 0);
    let mut alarms = Vec::new();
    for comment in &comments {
        let sheet = &sheets[&comment.pos];
        let checked = check(sheet, &comment.text);
        claims += checked.claims.len();
        supported += checked
            .claims
            .iter()
            .filter(|claim| claim.verdict == ClaimVerdict::Supported)
            .count();
        let before = alarms.len();
        for claim in checked.contradicted() {
            let known = comment.wrong.iter().any(|wrong| {
                let start = comment
                    .text
                    .find(wrong)
                    .unwrap_or_else(|| panic!("{}: {wrong}", comment.id));
                start < claim.span.end && claim.span.start < start + wrong.len()
            });
            if !known {
                let mut alarm = format!("{} {:?} {}", claim.kind.word(), claim.text, claim.reason);
                let played = sheet.played();
                let _ = write!(
                    alarm,
                    "\n    {} {} {}: {}",
                    comment.id,
                    comment.pos,
                    played.san(),
                    comment.text
                );
                alarms.push(alarm);
            }
        }
        struck += usize::from(alarms.len() > before);
    }
    eprintln!(
        "{} comments, {claims} claims: {supported} supported, {} held against them wrongly, in {struck} comments",
        comments.len(),
        alarms.len()
    );
    if let Some(file) = std::env::var_os("KIBITZ_COMMENTS_ALARMS") {
        std::fs::write(file, alarms.join("\n")).unwrap();
    }
    assert!(supported * 2 > claims, "{supported} of {claims} supported");
    assert!(alarms.len() <= REACHED, "{}:\n{}", alarms.len(), alarms.join("\n"));
}
