//! A model's answer, read entry by entry: a malformed one costs nothing but itself.

use std::ops::Range;

use serde_json::Value;

use crate::commentary::claims::statement::{Statement, StatementError, WrittenStatement};

/// Bytes of an answer that are looked at.
pub const LONGEST_ANSWER: usize = 400_000;
/// Claims of one text.
const MOST_DECLARED: usize = 200;

/// A claim that was declared, and where its words stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// Bytes of the text that it speaks of.
    pub span: Range<usize>,
    /// What it says.
    pub statement: Statement,
}

/// Why an entry was dropped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Dropped {
    /// The answer has no list of claims.
    #[error("the answer is no list of claims")]
    NoList,
    /// More claims than a text can have.
    #[error("more than {MOST_DECLARED} claims")]
    TooMany,
    /// An entry of another shape.
    #[error("claim {0} has another shape than was asked for")]
    Shape(usize),
    /// An entry whose words don't stand in the text.
    #[error("the words of claim {0} don't stand in the text")]
    Words(usize),
    /// An entry whose statement can't be read.
    #[error("claim {0}: {1}")]
    Statement(usize, StatementError),
}

/// Reads the claims that `answer` declares of `text`: an object with a list "claims", or the list alone, with or without prose
/// and fences around it. What can't be read is told beside them; entries are numbered from 1.
#[must_use]
pub fn read(answer: &str, text: &str) -> (Vec<Declared>, Vec<Dropped>) {
    match list(answer) {
        Some(entries) => read_entries(entries, text),
        None => (Vec::new(), vec![Dropped::NoList]),
    }
}

/// The same of a list that was found already.
#[must_use]
pub fn read_entries(entries: Vec<Value>, text: &str) -> (Vec<Declared>, Vec<Dropped>) {
    let (mut declared, mut dropped) = (Vec::new(), Vec::new());
    let mut behind = 0;
    for (i, entry) in entries.into_iter().enumerate() {
        if i >= MOST_DECLARED {
            dropped.push(Dropped::TooMany);
            break;
        }
        match one(&entry, i + 1, text, behind) {
            Ok(claim) => {
                behind = claim.span.start;
                declared.push(claim);
            }
            Err(why) => dropped.push(why),
        }
    }
    (declared, dropped)
}

fn one(entry: &Value, number: usize, text: &str, behind: usize) -> Result<Declared, Dropped> {
    let words = entry
        .get("words")
        .and_then(Value::as_str)
        .ok_or(Dropped::Shape(number))?;
    let written = fields_of(entry).ok_or(Dropped::Shape(number))?;
    let span = find(text, words, behind).ok_or(Dropped::Words(number))?;
    let statement = Statement::try_from(&written).map_err(|error| Dropped::Statement(number, error))?;
    Ok(Declared { span, statement })
}

/// The statement of an entry, whose fields may stand beside its words or in a field of their own.
fn fields_of(entry: &Value) -> Option<WrittenStatement> {
    let fields = entry.get("statement").unwrap_or(entry);
    serde_json::from_value(fields.clone()).ok()
}

/// The list of claims somewhere in an answer.
fn list(answer: &str) -> Option<Vec<Value>> {
    let answer = &answer[..answer.floor_char_boundary(LONGEST_ANSWER)];
    // Every bracket may be the beginning; the first that yields a list with entries, or an empty one, is it.
    let starts = answer.match_indices(['{', '[']).map(|(at, _)| at).take(64);
    for at in starts {
        let mut values = serde_json::Deserializer::from_str(&answer[at..]).into_iter::<Value>();
        match values.next() {
            Some(Ok(Value::Array(entries))) if entries.iter().all(Value::is_object) => return Some(entries),
            Some(Ok(Value::Object(mut object))) => {
                if let Some(Value::Array(entries)) = object.remove("claims") {
                    return Some(entries);
                }
            }
            _ => {}
        }
    }
    None
}

/// Where words stand in a text: from `behind` on if they do, else anywhere; letters alike in both cases, white space of any
/// length, quotes and dashes of any shape.
fn find(text: &str, words: &str, behind: usize) -> Option<Range<usize>> {
    let words = words
        .trim()
        .trim_matches(['"', '“', '”', '…'])
        .trim_end_matches(['.', ',', ';'])
        .trim();
    if words.is_empty() {
        return None;
    }
    let later = text
        .get(behind..)
        .and_then(|rest| rest.find(words))
        .map(|at| at + behind);
    if let Some(at) = later.or_else(|| text.find(words)) {
        return Some(at..at + words.len());
    }
    let wanted: Vec<char> = plain(words).map(|(_, c)| c).collect();
    let given: Vec<(usize, char)> = plain(text).collect();
    let at = given
        .windows(wanted.len())
        .position(|window| window.iter().map(|(_, c)| c).eq(wanted.iter()))?;
    let start = given[at].0;
    let last = given[at + wanted.len() - 1].0;
    let end = last + text[last..].chars().next().map_or(0, char::len_utf8);
    Some(start..end)
}

/// The letters of a text as they compare, each with its place.
fn plain(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let mut space = false;
    text.char_indices().filter_map(move |(at, c)| {
        let one = match c {
            '’' | '‘' | '`' => '\'',
            '“' | '”' => '"',
            '–' | '—' | '‑' => '-',
            c if c.is_whitespace() => ' ',
            c => c.to_lowercase().next().unwrap_or(c),
        };
        let doubled = one == ' ' && space;
        space = one == ' ';
        (!doubled).then_some((at, one))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commentary::claims::statement::Predicate;
    use proptest::prelude::*;

    const TEXT: &str = "The knight attacks e5, and Black’s   rook hangs. The knight is strong.";

    #[test]
    fn claims_are_found_in_fences_and_prose() {
        let entry = r#"{"words": "The knight attacks e5", "predicate": "attacks", "subject": "white knight", "squares": ["e5"]}"#;
        for answer in [
            format!(r#"{{"claims": [{entry}]}}"#),
            format!("[{entry}]"),
            format!("Here they are:\n```json\n{{\"claims\": [{entry}]}}\n```\nThat's all {{}}."),
            format!(r#"<think>a [b] {{c}}</think> {{"claims": [{entry}]}}"#),
        ] {
            let (declared, dropped) = read(&answer, TEXT);
            assert_eq!(dropped, [], "{answer}");
            assert_eq!(declared.len(), 1, "{answer}");
            assert_eq!(declared[0].span, 0..21);
            assert_eq!(declared[0].statement.predicate, Predicate::Attacks);
        }
    }

    #[test]
    fn a_malformed_claim_costs_nothing_but_itself() {
        let answer = r#"{"claims": [
            {"words": "black's rook hangs", "predicate": "hanging", "subject": "black rook"},
            {"words": "the queen", "predicate": "hanging"},
            {"words": "The knight", "predicate": "sings"},
            {"predicate": "hanging"},
            {"words": "The knight is strong", "predicate": "outpost", "subject": 5}
        ]}"#;
        let (declared, dropped) = read(answer, TEXT);
        assert_eq!(declared.len(), 1);
        assert_eq!(&TEXT[declared[0].span.clone()], "Black’s   rook hangs");
        let told: Vec<String> = dropped.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "the words of claim 2 don't stand in the text",
                "claim 3: predicate: there is no “sings”",
                "claim 4 has another shape than was asked for",
                "claim 5 has another shape than was asked for",
            ]
        );
        assert_eq!(read("I can't do that.", TEXT), (Vec::new(), vec![Dropped::NoList]));
    }

    #[test]
    fn the_same_words_are_taken_in_their_order() {
        let entry = r#"{"words": "The knight", "predicate": "outpost", "subject": "white knight"}"#;
        let rook = r#"{"words": "rook hangs", "predicate": "hanging", "subject": "black rook"}"#;
        let (declared, _) = read(&format!("[{entry}, {rook}, {entry}]"), TEXT);
        let starts: Vec<usize> = declared.iter().map(|d| d.span.start).collect();
        assert_eq!(
            starts,
            [
                0,
                TEXT.find("rook").expect("a rook"),
                TEXT.rfind("The knight").expect("it again")
            ]
        );
    }

    proptest! {
        #[test]
        fn no_answer_upsets_the_reader(answer in ".{0,200}", words in ".{0,20}", text in ".{0,80}") {
            let _ = read(&answer, &text);
            if let Some(span) = find(&text, &words, 0) {
                prop_assert!(text.get(span).is_some());
            }
        }
    }
}
