//! What becomes of a reply after the check: shown, sent back once, struck, or replaced by the narrator.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use kibitz::{
    chess::{Played, fen::read_fen, notation::read_move},
    commentary::{
        Answer, Arm, FactSheet, PromptOptions, Review, Reviewed, Revision,
        claims::check,
        declaration::Declaration,
        narrate,
        prompt::{declaration, prompt},
        revision::{Tally, objection},
    },
    llm::{Message, Role},
    pace::{AtOnce, at_once},
};
use proptest::prelude::*;

/// A knight takes on f7 and forks queen and rook. True of it, and not.
const FEN: &str = "rnbqkb1r/ppp2ppp/3p4/4N3/4n3/8/PPPP1PPP/RNBQKB1R w KQkq - 0 5";
const MOVE: &str = "Nxf7";
const TRUE: &str = "The knight on f7 attacks the queen on d8.";
const TRUE_TOO: &str = "The knight on f7 attacks the rook on h8.";
const FALSE: &str = "Nothing protects the queen on d8.";
const FALSE_TOO: &str = "Nothing protects the bishop on c8.";

fn sheet() -> FactSheet {
    let read = read_fen(FEN).unwrap();
    let mv = read_move(&read.position, read.mode, MOVE).unwrap();
    let played = Played::new(read.position, mv, read.mode, Vec::new()).unwrap();
    FactSheet::new(&played, None, None)
}

fn review(sheet: &FactSheet) -> (Review, Vec<Message>) {
    let prompt = prompt(sheet, Arm::Full, PromptOptions::of(Arm::Full));
    (Review::of(&prompt), prompt.messages)
}

fn done(revision: Revision) -> Reviewed {
    match revision {
        Revision::Done(reviewed) => *reviewed,
        other => panic!("not done: {other:?}"),
    }
}

fn asked(revision: Revision) -> Vec<Message> {
    match revision {
        Revision::Ask(messages) => messages,
        other => panic!("not asked again: {other:?}"),
    }
}

fn take(review: &mut Review, sheet: &FactSheet, reply: &str, cut: bool) -> Revision {
    at_once(review.take(sheet, reply, cut, &AtOnce))
}

fn take_claims(review: &mut Review, sheet: &FactSheet, answer: &str, cut: bool) -> Option<Revision> {
    at_once(review.declared(sheet, answer, cut, &AtOnce))
}

fn undeclared(review: &mut Review, sheet: &FactSheet, what: &str) -> Option<Revision> {
    at_once(review.undeclared(sheet, what, &AtOnce))
}

fn meanwhile(review: &Review, sheet: &FactSheet) -> Option<Reviewed> {
    at_once(review.meanwhile(sheet, &AtOnce))
}

fn finish(review: &mut Review, sheet: &FactSheet) -> Option<Reviewed> {
    at_once(review.finish(sheet, &AtOnce))
}

/// Both replies, and what came of them.
fn twice(first: &str, second: &str) -> Reviewed {
    let sheet = sheet();
    let (mut review, _) = review(&sheet);
    asked(take(&mut review, &sheet, first, false));
    done(take(&mut review, &sheet, second, false))
}

#[test]
fn a_reply_without_fault_is_shown_as_it_is() {
    let sheet = sheet();
    let (mut review, _) = review(&sheet);
    let reviewed = done(take(
        &mut review,
        &sheet,
        &format!("Concept evaluation:\n- threats: a reason.\nComment: {TRUE}"),
        false,
    ));
    assert_eq!((reviewed.kept.as_str(), reviewed.text().as_str()), (TRUE, TRUE));
    assert_eq!(reviewed.attempt.reasoning, "- threats: a reason.");
    assert!(
        reviewed.struck.is_empty()
            && !reviewed.revised
            && !reviewed.second
            && !reviewed.narrator_spoke()
            && reviewed.other.is_none()
    );
    let tally = reviewed.tally();
    assert!(tally.supported > 0 && tally.contradicted == 0, "{tally:?}");
    assert_eq!(finish(&mut review, &sheet), None, "nothing is left to settle");
}

#[test]
fn what_is_wrong_goes_back_once_with_its_reasons() {
    let sheet = sheet();
    let (mut review, question) = review(&sheet);
    let reply = format!("Concept evaluation:\n- threats: a reason.\nComment: {TRUE} {FALSE}");
    let messages = asked(take(&mut review, &sheet, &reply, false));
    let (kept, added) = messages.split_at(question.len());
    assert_eq!(kept, question);
    assert_eq!(added[0], Message::new(Role::Assistant, reply.clone()));
    assert_eq!((added.len(), added[1].role), (2, Role::User));
    let first = review.first().unwrap().checked.clone();
    for claim in first.contradicted() {
        assert!(
            added[1]
                .content
                .contains(&format!("“{}”: {}", claim.text, claim.reason))
        );
    }
    assert_eq!(added[1].content, objection(&first));
    // The second reply ends it, whatever it says.
    let reviewed = done(take(&mut review, &sheet, &format!("Comment: {FALSE}"), false));
    assert!(reviewed.revised);
}

#[test]
fn the_better_reply_is_shown_and_the_rest_struck() {
    // (first, second, shown, second is shown)
    for (first, second, kept, is_second) in [
        (vec![TRUE, FALSE], vec![TRUE], vec![TRUE], true),
        (vec![TRUE, FALSE], vec![FALSE, FALSE_TOO, TRUE], vec![TRUE], false),
        (
            vec![TRUE, FALSE],
            vec![TRUE, TRUE_TOO, FALSE],
            vec![TRUE, TRUE_TOO],
            true,
        ),
        (
            vec![TRUE, TRUE_TOO, FALSE],
            vec![TRUE, FALSE],
            vec![TRUE, TRUE_TOO],
            false,
        ),
        (vec![TRUE, FALSE], vec![FALSE], vec![TRUE], false),
        (vec![TRUE, FALSE], vec![], vec![TRUE], false),
        (vec![FALSE], vec![TRUE], vec![TRUE], true),
        (vec![TRUE, FALSE], vec![FALSE_TOO, TRUE_TOO], vec![TRUE_TOO], true),
    ] {
        let reviewed = twice(
            &format!("Comment: {}", first.join(" ")),
            &format!("Comment: {}", second.join(" ")),
        );
        let case = format!("{first:?} {second:?}");
        assert_eq!(reviewed.kept, kept.join(" "), "{case}");
        assert_eq!(
            (reviewed.second, reviewed.revised, reviewed.narrator_spoke()),
            (is_second, true, false),
            "{case}"
        );
        let shown = if is_second { &second } else { &first };
        let wrong: Vec<&str> = shown
            .iter()
            .copied()
            .filter(|s| [FALSE, FALSE_TOO].contains(s))
            .collect();
        let struck: Vec<&str> = reviewed.struck.iter().map(|struck| struck.text.as_str()).collect();
        assert_eq!(struck, wrong, "{case}");
        assert!(
            reviewed
                .struck
                .iter()
                .all(|struck| !struck.reasons.is_empty() && !struck.reasons[0].is_empty())
        );
        assert_eq!(Tally::of(&reviewed.attempt.checked), reviewed.tally());
        assert!(reviewed.other.is_some());
    }
}

#[test]
fn the_narrator_speaks_where_nothing_true_is_left() {
    let sheet = sheet();
    let narrated = narrate(&sheet);
    for (first, second) in [(FALSE, FALSE_TOO), (FALSE, ""), (FALSE, "<think>hm"), (FALSE, "...")] {
        let reviewed = twice(first, second);
        assert_eq!(reviewed.narrator.as_ref(), Some(&narrated), "{second}");
        assert_eq!(reviewed.kept, "");
        assert!(!reviewed.text().is_empty() && !reviewed.text().contains(FALSE));
    }
    // Prose that can't be checked does not stand in the place of what was struck.
    assert!(twice(FALSE, &format!("A classic game. {FALSE}")).narrator_spoke());
    assert!(!twice(FALSE, "A classic game.").narrator_spoke());
    // A reply without a comment is not sent back: there is nothing wrong in it.
    let (mut review, _) = review(&sheet);
    assert!(done(take(&mut review, &sheet, "<think>never said", false)).narrator_spoke());
}

#[test]
fn without_a_second_reply_the_first_is_shown() {
    let sheet = sheet();
    let (mut review, _) = review(&sheet);
    assert_eq!(finish(&mut review, &sheet), None);
    asked(take(&mut review, &sheet, &format!("{TRUE} {FALSE}"), false));
    let reviewed = finish(&mut review, &sheet).unwrap();
    assert_eq!(
        (reviewed.kept.as_str(), reviewed.struck.len(), reviewed.revised),
        (TRUE, 1, false)
    );
}

#[test]
fn a_long_list_and_a_long_reasoning_are_shortened() {
    let sheet = sheet();
    let files = ["a", "b", "c", "d", "f", "g", "h"].map(|file| format!("The {file}-file is open."));
    let queens = ["two", "three", "four", "five", "six", "seven", "eight"];
    let all: Vec<String> = queens
        .iter()
        .map(|number| format!("White is {number} queens ahead."))
        .chain(files)
        .collect();
    let (mut review, question) = review(&sheet);
    let reasoning = "word ".repeat(1000);
    let messages = asked(take(
        &mut review,
        &sheet,
        &format!("Concept evaluation:\n{reasoning}\nComment: {}", all.join(" ")),
        false,
    ));
    let added = &messages[question.len()..];
    assert!(added[0].content.starts_with("Comment: ") && !added[0].content.contains("word word"));
    assert_eq!(
        added[1].content.lines().filter(|line| line.starts_with("- ")).count(),
        13,
        "{}",
        added[1].content
    );
    assert!(added[1].content.contains("- and "));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Whatever a model says, nothing that the check finds wrong is left.
    #[test]
    fn what_is_left_is_never_wrong(
        replies in proptest::collection::vec("(Comment: |The knight on f7 |attacks |Nothing protects |the (queen|rook|king|bishop) on [a-h][1-8]|[.] |<think>|\n|Nxd8|the [a-h]-file is open){0,14}", 2),
    ) {
        let sheet = sheet();
        let (mut review, _) = review(&sheet);
        let reviewed = match take(&mut review, &sheet, &replies[0], false) {
            Revision::Done(reviewed) => reviewed,
            Revision::Ask(_) => match take(&mut review, &sheet, &replies[1], false) {
                Revision::Done(reviewed) => reviewed,
                _ => return Err(TestCaseError::fail("asked twice")),
            },
            Revision::Declare(_) => return Err(TestCaseError::fail("asked for claims")),
        };
        prop_assert!(check(&sheet, &reviewed.kept).is_clean(), "{}", reviewed.kept);
        prop_assert!(!reviewed.text().trim().is_empty());
        prop_assert_eq!(reviewed.narrator_spoke(), reviewed.kept.is_empty());
        prop_assert_eq!(reviewed.struck.is_empty(), reviewed.attempt.checked.is_clean());
    }
}

/// Words of which our own reader makes nothing.
const UNREAD: &str = "The steed glares at everyone.";

fn declared(words: &str, object: &str) -> String {
    format!(
        r#"{{"words": "{words}", "predicate": "attacks", "subject": "white knight f7", "objects": ["{object}"], "position": "after"}}"#
    )
}

fn to_declare(revision: Revision) -> Vec<Message> {
    match revision {
        Revision::Declare(messages) => messages,
        other => panic!("no declaration is asked for: {other:?}"),
    }
}

#[test]
fn a_comment_is_judged_by_what_its_model_declares() {
    let sheet = sheet();
    let mut review = review(&sheet).0.declaring(true);
    let question = to_declare(take(&mut review, &sheet, &format!("{TRUE} {UNREAD}"), false));
    assert_eq!(question, declaration(&sheet, &format!("{TRUE} {UNREAD}")));
    // Until then it is shown by its words.
    let shown = meanwhile(&review, &sheet).unwrap();
    assert!(shown.struck.is_empty() && shown.attempt.declaration == Declaration::Unasked);
    let wrong = declared(UNREAD, "black king e8");
    let messages = asked(take_claims(&mut review, &sheet, &format!("[{wrong}]"), false).unwrap());
    assert!(messages.last().unwrap().content.contains("glares"), "{messages:?}");
    assert_eq!(meanwhile(&review, &sheet).unwrap().struck[0].text, UNREAD);
    // The second reply is declared as well, and ends it.
    to_declare(take(&mut review, &sheet, &format!("{TRUE} {UNREAD} {FALSE}"), false));
    let right = declared(UNREAD, "black queen d8");
    let reviewed = done(take_claims(&mut review, &sheet, &format!("Here: {{\"claims\": [{right}]}}"), false).unwrap());
    assert_eq!(reviewed.kept, format!("{TRUE} {UNREAD}"));
    assert_eq!(reviewed.struck.len(), 1);
    let by_words = Tally::of(&check(&sheet, TRUE)).supported;
    assert_eq!((reviewed.left.supported, reviewed.left.contradicted), (by_words + 1, 0));
    assert_eq!(reviewed.attempt.declaration.claims().len(), 1);
    assert_eq!(
        take_claims(&mut review, &sheet, "[]", false),
        None,
        "nothing is left to declare"
    );
}

#[test]
fn what_is_declared_moves_with_the_sentences_that_are_left() {
    let sheet = sheet();
    let mut review = review(&sheet).0.declaring(true);
    let text = format!("{FALSE} {UNREAD}");
    to_declare(take(&mut review, &sheet, &text, false));
    let claims = format!("[{}]", declared(UNREAD, "black rook h8"));
    asked(take_claims(&mut review, &sheet, &claims, false).unwrap());
    to_declare(take(&mut review, &sheet, &text, false));
    let reviewed = done(take_claims(&mut review, &sheet, &claims, false).unwrap());
    assert_eq!(reviewed.kept, UNREAD);
    assert_eq!(reviewed.left.supported, 1);
    assert!(!reviewed.narrator_spoke());
}

fn by_hand(review: &mut Review, sheet: &FactSheet, brought: &str) -> Revision {
    at_once(review.take_by_hand(sheet, brought, &AtOnce))
}

/// What somebody copies out of a chat: comment and claims, in the shapes that chats give them.
#[test]
fn a_pasted_answer_brings_its_claims() {
    let sheet = sheet();
    let wrong = declared(UNREAD, "black king e8");
    for answer in [
        format!("Comment: {TRUE} {UNREAD}\n\n```json\n{{\"claims\": [{wrong}]}}\n```\nIs there anything else?"),
        format!("Comment: {TRUE} {UNREAD}\n\n```\n[{wrong}]\n```"),
        format!("{TRUE} {UNREAD}\n\n{{\n  \"claims\": [{wrong}]}}"),
    ] {
        let mut review = review(&sheet).0.declaring(true);
        asked(by_hand(&mut review, &sheet, &answer));
        let shown = meanwhile(&review, &sheet).unwrap();
        assert_eq!(
            (shown.struck[0].text.as_str(), shown.kept.as_str()),
            (UNREAD, TRUE),
            "{answer}"
        );
    }
    // Broken, cut off, or none at all: the claims are asked for, and may come alone.
    for answer in [
        format!("Comment: {TRUE} {UNREAD}\n```json\n{{\"claims\": [{{\"words\": \"The steed"),
        format!("Comment: {TRUE} {UNREAD}\n```json\n{{\"claims\": soon}}\n```"),
        format!("Comment: {TRUE} {UNREAD}"),
    ] {
        let mut review = review(&sheet).0.declaring(true);
        assert_eq!(
            to_declare(by_hand(&mut review, &sheet, &answer)),
            declaration(&sheet, &format!("{TRUE} {UNREAD}")),
            "{answer}"
        );
        assert!(meanwhile(&review, &sheet).unwrap().struck.is_empty());
        asked(by_hand(
            &mut review,
            &sheet,
            &format!("```json\n{{\"claims\": [{wrong}]}}\n```"),
        ));
        assert_eq!(meanwhile(&review, &sheet).unwrap().struck[0].text, UNREAD);
        // The second answer ends it.
        let right = declared(UNREAD, "black queen d8");
        let second = format!("Comment: {TRUE} {UNREAD}\n```json\n{{\"claims\": [{right}]}}\n```");
        let reviewed = done(by_hand(&mut review, &sheet, &second));
        assert_eq!(reviewed.kept, format!("{TRUE} {UNREAD}"));
    }
    // Nobody declares anything: the words count, and what is sure to be wrong goes back.
    let mut review = review(&sheet).0.declaring(true);
    to_declare(by_hand(&mut review, &sheet, &format!("{TRUE} {FALSE}")));
    asked(at_once(review.by_words(&sheet, &AtOnce)).unwrap());
    // Code that is no claims stays text.
    assert_eq!(Answer::read("Play ```Nf3``` now.").comment, "Play Nf3 now.");
}

#[test]
fn without_a_declaration_the_words_are_checked() {
    let sheet = sheet();
    for (answer, told) in [
        (Ok("I think that the comment is fine."), "no list of claims"),
        (Ok(r#"{"claims": ["#), "no list of claims"),
        (
            Ok(r#"[{"words": "no such words", "predicate": "attacks"}]"#),
            "don't stand in the text",
        ),
        (
            Err("The server sent nothing for 120 seconds."),
            "the server sent nothing for 120 seconds; the comment",
        ),
    ] {
        let mut review = review(&sheet).0.declaring(true);
        to_declare(take(&mut review, &sheet, &format!("{TRUE} {UNREAD}"), false));
        let reviewed = done(
            match answer {
                Ok(answer) => take_claims(&mut review, &sheet, answer, false),
                Err(what) => undeclared(&mut review, &sheet, what),
            }
            .unwrap(),
        );
        assert_eq!(reviewed.kept, format!("{TRUE} {UNREAD}"));
        assert_eq!(reviewed.attempt.checked, check(&sheet, &reviewed.kept));
        let note = reviewed.attempt.declaration.note().unwrap();
        assert!(note.contains(told), "{note}");
    }
}

#[test]
fn an_exchange_that_ends_before_the_declaration_has_the_words_check() {
    let sheet = sheet();
    let mut review = review(&sheet).0.declaring(true);
    assert_eq!(meanwhile(&review, &sheet), None);
    to_declare(take(&mut review, &sheet, &format!("{TRUE} {FALSE}"), false));
    let reviewed = finish(&mut review, &sheet).unwrap();
    assert_eq!((reviewed.kept.as_str(), reviewed.struck.len()), (TRUE, 1));
    // A reply without a comment makes no claims that could be declared.
    let mut review = self::review(&sheet).0.declaring(true);
    assert!(matches!(
        take(&mut review, &sheet, "Comment:", false),
        Revision::Done(_)
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Whatever a model declares, nothing that its declaration makes wrong is left.
    #[test]
    fn what_is_left_is_never_wrong_by_what_was_declared(
        text in "(The knight on f7 |attacks |the (queen|rook|king) on [a-h][1-8]|[.] |\n){0,10}",
        answers in proptest::collection::vec("\\[(\\{\"words\": \"(The knight|attacks|the queen)\", \"predicate\": \"(attacks|pins|hanging)\", \"subject\": \"(white knight f7|black king)\", \"objects\": \\[\"(black queen|black king e8)\"\\]\\},?){0,2}\\]", 2),
    ) {
        let sheet = sheet();
        let mut review = review(&sheet).0.declaring(true);
        let mut next = take(&mut review, &sheet, &text, false);
        let mut answers = answers.iter();
        let reviewed = loop {
            next = match next {
                Revision::Done(reviewed) => break reviewed,
                Revision::Ask(_) => take(&mut review, &sheet, &text, false),
                Revision::Declare(_) => {
                    let answer = answers.next().ok_or(TestCaseError::fail("a third declaration"))?;
                    take_claims(&mut review, &sheet, answer, false).ok_or(TestCaseError::fail("not asked"))?
                }
            };
        };
        prop_assert_eq!(reviewed.left.contradicted, 0);
        prop_assert!(!reviewed.text().trim().is_empty());
    }
}
