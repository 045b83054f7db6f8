//! Claims of a study's comments that a chat declares, without a key: the texts that ask for those of many comments at once, and
//! what an answer brings.

use std::collections::{BTreeMap, BTreeSet};

use super::study::{Item, Study, played};
use crate::{
    chess::Played,
    commentary::{
        Declaration,
        claims::declared::{comment_key, read_keyed},
        prompt::{KeyedComment, conversation, declarations},
    },
    long_run::count::several,
    random::seeded_hash,
};

/// Comments that one text asks about, unless somebody chooses otherwise: a chat's answer has some thousand words for them.
pub const COMMENTS_A_TEXT: usize = 10;
/// The most that one text may ask about.
pub const MOST_COMMENTS_A_TEXT: usize = 100;
/// Letters of comments in one text, more only where a single comment has more.
const MOST_LETTERS: usize = 30_000;
/// Comments that are named in a sentence.
const MOST_NAMED: usize = 5;

/// A comment on a move: what a model is asked about once, however many methods have it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OnMove {
    /// The position before the move.
    pub fen: String,
    /// The move.
    pub mv: String,
    /// The comment.
    pub text: String,
}

impl OnMove {
    /// A comment of an item.
    #[must_use]
    pub fn of(item: &Item, text: &str) -> Self {
        Self {
            fen: item.fen.clone(),
            mv: item.mv.clone(),
            text: text.to_owned(),
        }
    }
}

/// A comment of a study, as it is asked about.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedComment {
    /// The comment.
    pub on: OnMove,
    /// Its item and method, for whoever makes the study: the first that has it.
    pub name: String,
    /// What stands for it in texts and answers.
    pub key: String,
    played: Played,
}

/// The comments of a study in their order, each once; those without words and on moves that cannot be played are left out.
#[must_use]
pub fn comments(study: &Study) -> Vec<NamedComment> {
    let mut found: Vec<NamedComment> = Vec::new();
    let (mut seen, mut keys) = (BTreeSet::new(), BTreeSet::new());
    for item in &study.items {
        let Ok(played) = played(&item.fen, &item.mv) else {
            continue;
        };
        for comment in &item.comments {
            let content = format!("{}\n{}\n{}", item.fen, item.mv, comment.text);
            if !comment.text.chars().any(char::is_alphabetic) || !seen.insert(content.clone()) {
                continue;
            }
            let mut key = comment_key(&content, 0);
            for salt in 1.. {
                if keys.insert(key.clone()) {
                    break;
                }
                key = comment_key(&content, salt);
            }
            found.push(NamedComment {
                on: OnMove::of(item, &comment.text),
                name: format!("{} ({})", item.id, comment.method),
                key,
                played: played.clone(),
            });
        }
    }
    found
}

/// What tells whether [`comments`] would be others now than before; much sooner known than those.
#[must_use]
pub fn comments_hash(study: &Study) -> u64 {
    let mut whole = 0;
    for item in &study.items {
        for part in [&item.id, &item.fen, &item.mv] {
            whole = seeded_hash(whole, part);
        }
        for comment in &item.comments {
            whole = seeded_hash(seeded_hash(whole, &comment.method), &comment.text);
        }
    }
    whole
}

/// A text that asks for claims, with what is said of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimsText {
    /// What goes to the chat.
    pub text: String,
    /// Its number, from 1.
    pub number: usize,
    /// How many there are, those among them that were answered.
    pub of: usize,
    /// How many comments it asks about.
    pub comments: usize,
}

impl ClaimsText {
    /// The next text about comments that are `wanted`, after so many were `answered`; each asks about `most` comments. `None` where
    /// none is wanted.
    #[must_use]
    pub fn next(wanted: &[NamedComment], most: usize, answered: usize) -> Option<Self> {
        let batches = batches(wanted, most);
        let first = batches.first()?;
        let (number, of) = (answered + 1, answered + batches.len());
        let keyed: Vec<KeyedComment> = first
            .iter()
            .map(|comment| KeyedComment {
                key: &comment.key,
                played: &comment.played,
                text: &comment.on.text,
            })
            .collect();
        Some(Self {
            text: conversation(&declarations(&keyed)),
            number,
            of,
            comments: first.len(),
        })
    }

    /// "Text 1 of 3: the claims of 10 comments."
    #[must_use]
    pub fn said(&self) -> String {
        format!(
            "Text {} of {}: it asks for the claims of {}.",
            self.number,
            self.of,
            several(self.comments, "comment")
        )
    }
}

/// The comments, text by text.
fn batches(wanted: &[NamedComment], most: usize) -> Vec<&[NamedComment]> {
    let most = most.clamp(1, MOST_COMMENTS_A_TEXT);
    let mut all = Vec::new();
    let mut rest = wanted;
    while !rest.is_empty() {
        let mut letters = 0;
        let fits = rest.iter().take(most).take_while(|comment| {
            letters += comment.on.text.len();
            letters <= MOST_LETTERS
        });
        let (batch, later) = rest.split_at(fits.count().max(1));
        all.push(batch);
        rest = later;
    }
    all
}

/// The comments that the next text asks about.
fn asked(wanted: &[NamedComment], most: usize) -> &[NamedComment] {
    batches(wanted, most).first().copied().unwrap_or_default()
}

/// What an answer brought.
#[derive(Debug, Clone, PartialEq)]
pub struct TakenClaims {
    /// The comments whose claims it declares, in the order of the study.
    pub declared: Vec<(OnMove, Declaration)>,
    /// Names of comments that were asked about and are not in it.
    pub missing: Vec<String>,
    /// Names of comments whose claims were wanted and could not be read.
    pub broken: Vec<String>,
    /// Names of comments with several lists of claims that differ.
    pub twice: Vec<String>,
    /// How many comments it names that are not in the study.
    pub unknown: usize,
    /// How many claims of the others are left out because they could not be read.
    pub dropped: usize,
}

/// Why an answer brought nothing. Its words are for whoever pasted it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoClaims {
    /// No comment is named in it.
    #[error(
        "No comment of this study is named in what you pasted, so nothing was taken: paste the whole answer, with its block of JSON."
    )]
    NoComment,
    /// It names comments, and none of this study.
    #[error(
        "What you pasted is about other comments than those of this study, or they have changed, so nothing was taken: copy the text again."
    )]
    OtherComments,
    /// It names comments whose claims can't be read.
    #[error(
        "The claims in what you pasted could not be read ({0}), so nothing was taken: ask the chat for the whole block again."
    )]
    Broken(String),
}

/// Reads an answer to a text. `all` are the comments of the study, those among them that are `wanted` were asked about `most` at a
/// time: an answer to an earlier text is taken as well as one to the last.
///
/// # Errors
/// Where no claims of any comment could be read.
pub fn take(answer: &str, all: &[NamedComment], wanted: &[NamedComment], most: usize) -> Result<TakenClaims, NoClaims> {
    let asked = asked(wanted, most);
    let by_key: BTreeMap<&str, &NamedComment> = all.iter().map(|comment| (comment.key.as_str(), comment)).collect();
    let mut found = read_keyed(answer, |key| by_key.contains_key(key));
    let name = |key: &String| by_key.get(key.as_str()).map(|comment| comment.name.clone());
    let mut broken: Vec<String> = found.broken.iter().filter_map(name).collect();
    let twice: Vec<String> = found.twice.iter().filter_map(name).collect();
    let (mut declared, mut dropped) = (Vec::new(), 0);
    for comment in all {
        let Some(entries) = found.lists.remove(&comment.key) else {
            continue;
        };
        match Declaration::of_entries(entries, &comment.on.text) {
            Declaration::Made { claims, dropped: out } => {
                dropped += out.len();
                declared.push((comment.on.clone(), Declaration::Made { claims, dropped: out }));
            }
            Declaration::Unread(_) | Declaration::Unasked => broken.push(comment.name.clone()),
        }
    }
    // Of one comment alone a chat may forget the key.
    if let [only] = asked
        && declared.is_empty()
        && broken.is_empty()
        && found.unknown.is_empty()
    {
        let declaration = Declaration::by_hand(answer, &only.on.text);
        if let Declaration::Made { dropped: out, .. } = &declaration {
            dropped = out.len();
            declared.push((only.on.clone(), declaration));
        }
    }
    if declared.is_empty() {
        return Err(match (broken.is_empty(), found.unknown.is_empty()) {
            (false, _) => NoClaims::Broken(named(&broken)),
            (true, false) => NoClaims::OtherComments,
            (true, true) => NoClaims::NoComment,
        });
    }
    let is_there =
        |comment: &&NamedComment| declared.iter().any(|(on, _)| *on == comment.on) || broken.contains(&comment.name);
    let missing: Vec<String> = asked
        .iter()
        .filter(|comment| !is_there(comment))
        .map(|comment| comment.name.clone())
        .collect();
    // What was declared earlier stays so.
    broken.retain(|name| wanted.iter().any(|comment| comment.name == *name));
    Ok(TakenClaims {
        missing,
        declared,
        broken,
        twice,
        unknown: found.unknown.len(),
        dropped,
    })
}

impl TakenClaims {
    /// What came of it, in sentences.
    #[must_use]
    pub fn said(&self) -> String {
        let mut said = format!("The claims of {} were taken.", several(self.declared.len(), "comment"));
        for (names, what) in [
            (&self.missing, "Not in the answer"),
            (&self.broken, "Not to be read in it"),
        ] {
            if !names.is_empty() {
                said += &format!(" {what}: {}.", named(names));
            }
        }
        if !(self.missing.is_empty() && self.broken.is_empty()) {
            said += " The next text asks for them again.";
        }
        if !self.twice.is_empty() {
            said += &format!(
                " Declared more than once, where the last counts: {}.",
                named(&self.twice)
            );
        }
        if self.unknown > 0 {
            said += &format!(
                " {} in it {} not in this study.",
                several(self.unknown, "comment"),
                are(self.unknown)
            );
        }
        if self.dropped > 0 {
            said += &format!(
                " {} {} left out: they have another shape than was asked for, or words that do not stand in the comment.",
                several(self.dropped, "claim"),
                are(self.dropped)
            );
        }
        said
    }
}

const fn are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// Names in a sentence, the first few of them.
fn named(names: &[String]) -> String {
    let first = names.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST_NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::survey::study::MethodComment;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn study(items: &[(&str, &[&str])]) -> Study {
        let items = items.iter().enumerate().map(|(number, (mv, texts))| Item {
            id: format!("m{}", number + 1),
            fen: START.to_owned(),
            mv: (*mv).to_owned(),
            reference: None,
            comments: texts
                .iter()
                .zip(["a", "b", "c"])
                .map(|(text, method)| MethodComment {
                    method: method.to_owned(),
                    text: (*text).to_owned(),
                    scores: BTreeMap::new(),
                    marks: Vec::new(),
                    decoys: Vec::new(),
                })
                .collect(),
        });
        Study {
            items: items.collect(),
            ..Study::default()
        }
    }

    fn three() -> Vec<NamedComment> {
        comments(&study(&[
            ("e4", &["The pawn stands on e4.", "It takes space."]),
            ("d4", &["A pawn on d4."]),
        ]))
    }

    fn claim(words: &str) -> String {
        format!(r#"{{"words": "{words}", "predicate": "stands", "subject": "white pawn a1"}}"#)
    }

    /// A chat's answer about comments: for each its key and the words of its one claim.
    fn block(claims: &[(&NamedComment, &str)]) -> String {
        let lists: Vec<String> = claims
            .iter()
            .map(|(comment, words)| format!(r#""{}": {{"claims": [{}]}}"#, comment.key, claim(words)))
            .collect();
        format!("```json\n{{{}}}\n```", lists.join(",\n"))
    }

    #[test]
    fn each_comment_is_asked_about_once() {
        let study = study(&[
            ("e4", &["The pawn.", "The pawn.", "…"]),
            ("e9", &["Not to be played."]),
            ("d4", &["The pawn."]),
        ]);
        let found = comments(&study);
        let names: Vec<&str> = found.iter().map(|comment| comment.name.as_str()).collect();
        assert_eq!(names, ["m1 (a)", "m3 (a)"]);
        assert_ne!(
            found[0].key, found[1].key,
            "the same words on another move are another comment"
        );
    }

    #[test]
    fn other_comments_have_another_hash() {
        let study = study(&[("e4", &["The pawn."])]);
        let mut other = study.clone();
        other.title = "Another".to_owned();
        assert_eq!(comments_hash(&other), comments_hash(&study));
        other.items[0].comments[0].text.push('!');
        assert_ne!(comments_hash(&other), comments_hash(&study));
    }

    #[test]
    fn a_text_has_each_position_once_and_each_comment_between_its_own_marks() {
        let all = three();
        let text = ClaimsText::next(&all, 10, 0).unwrap();
        assert_eq!(text.said(), "Text 1 of 1: it asks for the claims of 3 comments.");
        assert_eq!(text.text.matches("Position before the move (FEN)").count(), 2);
        for comment in &all {
            let NamedComment { key, on, .. } = comment;
            assert!(text.text.contains(&format!("<text {key}>\n{}\n</text {key}>", on.text)));
        }
        assert!(text.text.contains("one block fenced") && text.text.contains("- attacks: "));
        // The text itself is no answer.
        assert_eq!(take(&text.text, &all, &all, 10), Err(NoClaims::NoComment));
    }

    #[test]
    fn long_studies_are_asked_about_text_by_text() {
        let all = three();
        let said = |wanted: &[NamedComment], answered| ClaimsText::next(wanted, 2, answered).map(|text| text.said());
        assert_eq!(
            said(&all, 0).unwrap(),
            "Text 1 of 2: it asks for the claims of 2 comments."
        );
        assert_eq!(
            said(&all[2..], 1).unwrap(),
            "Text 2 of 2: it asks for the claims of 1 comment."
        );
        assert_eq!(said(&[], 2), None);
        let long = "A pawn. ".repeat(2_400);
        let other = format!("{long}!");
        let study = study(&[("e4", &[&long, &other, "A pawn."])]);
        let sizes: Vec<usize> = batches(&comments(&study), 10).iter().map(|batch| batch.len()).collect();
        assert_eq!(sizes, [1, 2]);
        assert_eq!(batches(&all, 0).len(), 3, "one at least");
    }

    #[test]
    fn a_good_block_is_taken_whatever_stands_around_it() {
        let all = three();
        let words = ["The pawn stands on e4", "It takes space", "A pawn on d4"];
        let claims: Vec<(&NamedComment, &str)> = all.iter().zip(words).collect();
        let good = block(&claims);
        let (first, second) = claims.split_at(1);
        for answer in [
            good.clone(),
            format!("Here you are:\n{good}\nAnything else?"),
            format!("{}\nand the rest:\n{}", block(first), block(second)),
            good.repeat(2),
        ] {
            let taken = take(&answer, &all, &all, 10).unwrap();
            assert_eq!(taken.declared.len(), 3, "{answer}");
            for ((on, declaration), (comment, words)) in taken.declared.iter().zip(&claims) {
                assert_eq!(*on, comment.on);
                assert_eq!(&on.text[declaration.claims()[0].span.clone()], *words);
            }
            assert_eq!(taken.said(), "The claims of 3 comments were taken.");
        }
    }

    #[test]
    fn what_is_missing_or_broken_is_named() {
        let all = three();
        let partly = block(&[(&all[2], "A pawn on d4")]);
        let broken = format!(
            r#"{{"{}": {{"claims": [{{"words" "The"}}]}}, "{}": {{"claims": []}}}}"#,
            all[0].key, all[1].key
        );
        let taken = take(&partly, &all, &all, 10).unwrap();
        assert_eq!(
            taken.said(),
            "The claims of 1 comment were taken. Not in the answer: m1 (a), m1 (b). The next text asks for them \
             again."
        );
        let taken = take(&broken, &all, &all, 10).unwrap();
        assert_eq!(
            taken.said(),
            "The claims of 1 comment were taken. Not in the answer: m2 (a). Not to be read in it: m1 (a). The next text \
             asks for them again."
        );
        // Only what was asked about is missed.
        let taken = take(&partly, &all, &all[2..], 10).unwrap();
        assert_eq!((taken.missing.len(), taken.declared.len()), (0, 1));
        // Claims of other words: the comment is as good as not declared.
        let elsewhere = block(&[(&all[0], "nowhere"), (&all[2], "A pawn on d4")]);
        assert_eq!(take(&elsewhere, &all, &all, 10).unwrap().broken, ["m1 (a)"]);
    }

    #[test]
    fn what_is_no_answer_brings_nothing() {
        let all = three();
        let take = |answer: &str| take(answer, &all, &all, 10).map_err(|error| error.to_string());
        for answer in ["", "I'd rather not.", r#"{"claims": []}"#, r#"{"m1": []}"#] {
            assert!(
                take(answer).unwrap_err().contains("No comment of this study"),
                "{answer}"
            );
        }
        assert!(take(r#"{"c12345678": []}"#).unwrap_err().contains("other comments"));
        let cut = format!(r#"{{"{}": {{"claims": [{{"words": "The"#, all[0].key);
        assert!(take(&cut).unwrap_err().contains("could not be read (m1 (a))"));
    }

    #[test]
    fn unknown_and_double_keys_are_told() {
        let all = three();
        let (good, other) = (block(&[(&all[0], "The pawn stands")]), block(&[(&all[0], "The pawn")]));
        let answer = format!("{good} {other} {{\"c12345678\": []}}");
        let taken = take(&answer, &all, &all[..1], 10).unwrap();
        assert_eq!(
            taken.said(),
            "The claims of 1 comment were taken. Declared more than once, where the last counts: m1 (a). 1 comment in it is not in \
             this study."
        );
        assert_eq!(taken.declared[0].1.claims()[0].span, 0..8);
    }

    #[test]
    fn of_one_comment_alone_the_key_may_be_missing() {
        let all = three();
        let answer = format!("{{\"claims\": [{}, {{}}]}}", claim("A pawn on d4"));
        let taken = take(&answer, &all, &all[2..], 10).unwrap();
        assert_eq!((taken.declared.len(), taken.dropped), (1, 1));
        assert!(taken.said().ends_with("stand in the comment."), "{}", taken.said());
        assert_eq!(
            take(&answer, &all, &all[1..], 10),
            Err(NoClaims::NoComment),
            "whose they are is not known"
        );
    }

    #[test]
    fn long_lists_of_names_are_cut() {
        let names: Vec<String> = (0..8).map(|n| format!("m{n}")).collect();
        assert_eq!(named(&names), "m0, m1, m2, m3, m4 and 3 more");
    }

    proptest! {
        #[test]
        fn no_answer_upsets_the_reader(pieces in proptest::collection::vec(0_usize..10, 0..12)) {
            let all = three();
            let good = block(&[(&all[0], "The pawn"), (&all[1], "space")]);
            let parts = [&good, &good[..good.len() / 2], "```", "{", "]", "\"", all[2].key.as_str(), ": []", "\\", "é"];
            let answer: String = pieces.into_iter().map(|piece| parts[piece]).collect();
            if let Ok(taken) = take(&answer, &all, &all, 10) {
                prop_assert!(!taken.declared.is_empty() && taken.declared.iter().all(|(_, what)| what.is_made()));
            }
        }
    }
}
