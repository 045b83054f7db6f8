//! A model's reply, parted into what it worked out and the comment.

use super::claims::sentences::sentences;
use crate::llm::thinking::{Parted, part};

/// Lines that begin the reasoning.
const REASONING: [&str; 4] = [
    "concept evaluation",
    "evaluation of the concepts",
    "reasoning",
    "analysis",
];
/// Lines that begin the comment.
const COMMENT: [&str; 4] = ["comment", "final comment", "commentary", "final commentary"];
/// Lines that begin another question: a model that plays both parts goes on with one.
const QUESTION: [&str; 8] = [
    "position",
    "game so far",
    "starting position",
    "side to move",
    "### question",
    "### example",
    "[user]",
    "user:",
];

/// A reply in its parts, without markup.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// What stands before the comment; empty where there is nothing.
    pub reasoning: String,
    /// The comment; empty where the reply has none.
    pub comment: String,
    /// The block with the comment's claims as data, as it stands there; `None` where the reply has none.
    pub claims: Option<String>,
    /// True when a line said where the comment begins. While a reply still arrives, only such a comment is one.
    pub marked: bool,
    /// True when the reply went round in circles at its end; the comment has the circle once.
    pub looped: bool,
}

/// A text that repeats its end this often, over this many characters, goes round in circles.
const ROUNDS: usize = 3;
const CIRCLE: usize = 60;
/// The longest circle that is looked for, in characters.
const LONGEST_CIRCLE: usize = 400;

enum Mark<'a> {
    /// What follows the marker on its line.
    Comment(&'a str),
    Reasoning,
    Question,
}

impl Answer {
    /// Parts a reply. The comment is what follows the last line that begins with `Comment:`, in bold or as a heading too.
    /// Without such a line it is the whole reply, or the paragraph after the reasoning where that was announced; thinking
    /// that a model wrote into it is never part of it (a server's replies come without, pasted ones with it). What a model adds when it goes on with a question of its own is left out.
    #[must_use]
    pub fn read(reply: &str) -> Self {
        let Parted { thinking, text } = part(reply);
        let (text, claims) = without_claims(&text);
        let mut thinking = thinking.trim().to_owned();
        let mut before: Vec<&str> = Vec::new();
        let mut comment: Option<Vec<&str>> = None;
        let mut announced = false;
        for line in text.lines() {
            let said = comment.as_ref().is_some_and(|lines| !is_blank(lines));
            match mark(line) {
                Some(Mark::Question) if said || announced => break,
                Some(Mark::Reasoning) if said => break,
                Some(Mark::Reasoning) => announced = true,
                Some(Mark::Comment(first)) => {
                    before.extend(comment.take().into_iter().flatten());
                    comment = Some(vec![first]);
                }
                _ => comment.as_mut().unwrap_or(&mut before).push(line),
            }
        }
        let marked = comment.is_some();
        let comment = comment.unwrap_or_else(|| {
            let whole = std::mem::take(&mut before);
            let at = if announced { last_paragraph(&whole) } else { 0 };
            let (reasoning, comment) = whole.split_at(at);
            before = reasoning.to_vec();
            comment.to_vec()
        });
        push_paragraph(&mut thinking, plain(&before));
        let comment = plain(&comment);
        let once = once(&comment);
        Self {
            reasoning: thinking,
            claims: claims.map(str::to_owned),
            looped: once.is_some(),
            comment: once.map_or_else(|| unquoted(&comment), finished).to_owned(),
            marked,
        }
    }

    /// The same of a reply that the bound on its length cut off: without the sentence that was not finished.
    #[must_use]
    pub fn read_cut(reply: &str) -> Self {
        let mut answer = Self::read(reply);
        answer.comment = finished(&answer.comment).to_owned();
        answer
    }
}

/// What a fence of code is made of.
const FENCE: &str = "```";
/// What a block of claims has in it, whether it can be read or not.
const CLAIMS: &str = "\"claims\"";

/// A reply without its block of claims, and what stands in that: the last one in a fence, which may have no end where the reply was
/// cut off; without fences, what begins with the object that has them.
fn without_claims(text: &str) -> (String, Option<&str>) {
    let fences: Vec<usize> = text.match_indices(FENCE).map(|(at, _)| at).collect();
    for fence in fences.chunks(2).rev() {
        let start = fence[0] + FENCE.len();
        let (end, behind) = match fence.get(1) {
            Some(end) => (*end, *end + FENCE.len()),
            None => (text.len(), text.len()),
        };
        let inside = &text[start..end];
        if inside.contains(CLAIMS)
            || inside
                .trim_start()
                .trim_start_matches("json")
                .trim_start()
                .starts_with("[{")
        {
            // What a chat says behind the claims is said to its user, unless the comment stands there.
            let (before, after) = (&text[..fence[0]], &text[behind..]);
            let is_said = before.chars().any(char::is_alphabetic);
            let is_comment = |line| matches!(mark(line), Some(Mark::Comment(_)));
            let rest = if is_said && !after.lines().any(is_comment) {
                ""
            } else {
                after
            };
            return (format!("{before}{rest}"), Some(inside));
        }
    }
    // `{ "claims":`, with nothing but white space between.
    let bare = text.find(CLAIMS).and_then(|at| {
        let before = text[..at].trim_end();
        before.ends_with('{').then(|| before.len() - 1)
    });
    match bare {
        Some(at) => (text[..at].to_owned(), Some(&text[at..])),
        None => (text.to_owned(), None),
    }
}

/// A text that goes round in circles at its end, with the circle once; `None` for any other.
fn once(text: &str) -> Option<&str> {
    let places: Vec<(usize, char)> = text.char_indices().collect();
    for period in 1..=LONGEST_CIRCLE.min(places.len() / ROUNDS) {
        let pairs = places.iter().rev().zip(places.iter().rev().skip(period));
        let repeated = pairs.take_while(|(a, b)| a.1 == b.1).count();
        if repeated >= (ROUNDS - 1) * period && repeated + period >= CIRCLE {
            let end = places.get(places.len() - repeated).map_or(text.len(), |place| place.0);
            // The circle begins where it happens to: the sentence that it was found in is read to its end.
            let sentence = sentences(text)
                .into_iter()
                .find(|range| range.start < end && end <= range.end);
            return text.get(..sentence.map_or(end, |range| range.end));
        }
    }
    None
}

/// The text up to the end of its last whole sentence.
fn finished(text: &str) -> &str {
    let whole = |range: &std::ops::Range<usize>| {
        let sentence = text[range.clone()].trim_end_matches([')', ']', '"', '”', '’', '\'']);
        sentence.ends_with(['.', '!', '?', '…'])
    };
    let end = sentences(text).into_iter().rfind(whole).map_or(0, |range| range.end);
    &text[..end]
}

/// What a line begins, markup aside.
fn mark(line: &str) -> Option<Mark<'_>> {
    let lower = line.trim_start().to_ascii_lowercase();
    let opens = |word: &str| {
        let rest = lower.strip_prefix(word)?;
        Some(rest.starts_with(':') || word.ends_with(['#', ']', ':']) || word.starts_with('#'))
    };
    if QUESTION.iter().any(|word| opens(word) == Some(true)) {
        return Some(Mark::Question);
    }
    let is_markup = |c: char| c.is_whitespace() || "#*_>`\"“".contains(c);
    let bare = line.trim_start_matches(is_markup);
    let heading = line.trim_start().starts_with(['#', '*', '_']);
    let after = |word: &str| -> Option<&str> {
        let head = bare.get(..word.len())?;
        if !head.eq_ignore_ascii_case(word) {
            return None;
        }
        let rest = bare[word.len()..].trim_start_matches(['*', '_', '`']).trim_start();
        match rest.strip_prefix(':') {
            Some(rest) => Some(rest.trim_start_matches(['*', '_', '`']).trim_start()),
            // "## Comment": a heading needs no colon.
            None if rest.is_empty() && heading => Some(rest),
            None => None,
        }
    };
    if let Some(first) = COMMENT.iter().find_map(|word| after(word)) {
        return Some(Mark::Comment(first));
    }
    if REASONING.iter().any(|word| after(word).is_some()) {
        return Some(Mark::Reasoning);
    }
    // "Here is the comment:"
    let lead_in = lower.trim_end().trim_end_matches(['*', '_']);
    (lead_in.ends_with(" comment:") && lead_in.len() < 60).then_some(Mark::Comment(""))
}

/// The first line of the paragraph that ends the text, where it comes after another and is no list; the end otherwise.
fn last_paragraph(lines: &[&str]) -> usize {
    let end = lines
        .iter()
        .rposition(|line| !line.trim().is_empty())
        .map_or(0, |at| at + 1);
    let Some(blank) = lines[..end].iter().rposition(|line| line.trim().is_empty()) else {
        return lines.len();
    };
    let before = lines[..blank].iter().any(|line| !line.trim().is_empty());
    let listed = |line: &&str| {
        let line = line.trim_start();
        let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
        line.starts_with(['-', '*', '•']) || (number.len() < line.len() && number.starts_with([')', '.']))
    };
    if before && !lines[blank + 1..end].iter().any(listed) {
        blank + 1
    } else {
        lines.len()
    }
}

fn is_blank(lines: &[&str]) -> bool {
    lines.iter().all(|line| line.trim().is_empty())
}

/// The lines without what only marks them up. An asterisk or a backtick has no meaning of its own in such prose.
fn plain(lines: &[&str]) -> String {
    let lines: Vec<String> = lines
        .iter()
        .map(|line| line.trim_end().trim_start_matches(['#', '>']).replace(['*', '`'], ""))
        .collect();
    lines.join("\n").trim().to_owned()
}

/// A comment that is given in quotation marks as a whole, without them.
fn unquoted(text: &str) -> &str {
    for (open, close) in [('"', '"'), ('“', '”')] {
        if let Some(inside) = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close))
            && !inside.contains([open, close])
        {
            return inside.trim();
        }
    }
    text
}

fn push_paragraph(text: &mut String, more: String) {
    if !text.is_empty() && !more.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(&more);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `tests/data/replies.jsonl`: a reply a line, with its parts.
    #[test]
    fn replies_are_parted() {
        let mut read = 0;
        for line in include_str!("../../tests/data/replies.jsonl").lines() {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let text = |name: &str| case[name].as_str().unwrap_or_default();
            let answer = Answer::read(text("reply"));
            assert_eq!(answer.comment, text("comment"), "{line}");
            assert_eq!(answer.reasoning, text("reasoning"), "{line}");
            assert_eq!(answer.marked, case["marked"].as_bool().unwrap(), "{line}");
            read += 1;
        }
        assert!(read >= 20, "{read}");
    }

    #[test]
    fn circles_are_gone_round_once_and_what_is_cut_is_left_out() {
        let sentence = "The game is a classic game of kings.";
        let looped = [sentence; 7].join(" ");
        for (reply, cut, comment, is_looped) in [
            (looped.clone(), false, sentence, true),
            (
                format!("It forks. {looped} The ga"),
                true,
                "It forks. The game is a classic game of kings.",
                true,
            ),
            (
                format!("It forks. The pawns{}", "-P1".repeat(40)),
                false,
                "It forks.",
                true,
            ),
            (format!("The pawns{}", "-P1".repeat(40)), true, "", true),
            ("It forks. It pins. It".to_owned(), true, "It forks. It pins.", false),
            (
                "It forks. It pins. It".to_owned(),
                false,
                "It forks. It pins. It",
                false,
            ),
            ("It forks (a rook.)".to_owned(), true, "It forks (a rook.)", false),
            ("Ha ha ha ha ha!".to_owned(), false, "Ha ha ha ha ha!", false),
            ("♞".repeat(70), false, "", true),
        ] {
            let answer = if cut {
                Answer::read_cut(&reply)
            } else {
                Answer::read(&reply)
            };
            assert_eq!(
                (answer.comment.as_str(), answer.looped),
                (comment, is_looped),
                "{reply}"
            );
        }
    }

    proptest! {
        #[test]
        fn any_reply_is_parted(reply in "([ -~\n]|<think>|</think>|Comment:|\\*\\*|é|#|position:){0,60}") {
            let answer = Answer::read(&reply);
            // Nothing is made up, and nothing is said twice.
            prop_assert!(answer.comment.len() + answer.reasoning.len() <= reply.len() + 2);
            for word in answer.comment.split(|c: char| !c.is_alphanumeric()) {
                prop_assert!(reply.replace(['*', '`'], "").contains(word), "{}", word);
            }
        }

        #[test]
        fn what_follows_the_marker_is_the_comment(reasoning in "[a-z][a-z ,.\n]{0,80}", comment in "[A-Z][a-z]{1,9}( [a-z0-8+#]{1,6}){0,9}\\.") {
            let reply = format!("Concept evaluation:\n{reasoning}\nComment: {comment}");
            let answer = Answer::read(&reply);
            prop_assert_eq!(answer.comment, comment.as_str());
            prop_assert!(answer.marked);
            let bare = Answer::read(&comment);
            prop_assert_eq!((bare.comment.as_str(), bare.marked), (comment.as_str(), false));
        }
    }
}
