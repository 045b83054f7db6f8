//! An answer about several comments at once: each comment's claims under its key. It may come from any chat, by hand: with prose
//! around it, in several blocks, cut off, or broken somewhere. What is broken costs its own comment and no other.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::answer::LONGEST_ANSWER;
use crate::random::seeded_hash;

/// Lists that can't be read are told after so many, not looked for: each is read to where it breaks.
const MOST_BROKEN: usize = 100;
/// Keys of comments that nobody asked about are counted up to here.
const MOST_UNKNOWN: usize = 1_000;
/// Hexadecimal digits of a key.
const KEY_DIGITS: usize = 8;

/// The lists of claims in an answer, by key.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KeyedLists {
    /// The entries under each key; of several lists the last that can be read, as a chat's later word corrects an earlier one.
    pub lists: BTreeMap<String, Vec<Value>>,
    /// Keys that stand there without a list that can be read.
    pub broken: BTreeSet<String>,
    /// Keys with several lists that differ.
    pub twice: BTreeSet<String>,
    /// Keys of comments that nobody asked about.
    pub unknown: BTreeSet<String>,
}

/// The key of a comment, made of what it is (position, move, words): whatever becomes of a study meanwhile, an answer never goes
/// to another comment than the one that was asked about. `salt` tells apart two that would have the same.
#[must_use]
pub fn comment_key(content: &str, salt: u64) -> String {
    format!("c{:0digits$x}", seeded_hash(salt, content) >> 32, digits = KEY_DIGITS)
}

/// Finds the lists in an answer; `is_asked` says which keys belong to a comment.
#[must_use]
pub fn read_keyed(answer: &str, is_asked: impl Fn(&str) -> bool) -> KeyedLists {
    let answer = &answer[..answer.floor_char_boundary(LONGEST_ANSWER)];
    let mut found = KeyedLists::default();
    let (mut at, mut failed) = (0, 0);
    while let Some((key, value)) = next_key(answer, at) {
        at = value;
        if !is_asked(key) {
            if found.unknown.len() < MOST_UNKNOWN {
                found.unknown.insert(key.to_owned());
            }
            continue;
        }
        let list = (failed < MOST_BROKEN).then(|| list_at(&answer[value..])).flatten();
        match list {
            Some((entries, length)) => {
                at += length;
                found.broken.remove(key);
                let before = found.lists.insert(key.to_owned(), entries);
                if before.is_some_and(|before| found.lists.get(key) != Some(&before)) {
                    found.twice.insert(key.to_owned());
                }
            }
            None => {
                failed += 1;
                if !found.lists.contains_key(key) {
                    found.broken.insert(key.to_owned());
                }
            }
        }
    }
    found
}

/// The next key from `from` on, and where its value begins. Within a JSON string no key is found: its quotes are escaped there.
fn next_key(answer: &str, from: usize) -> Option<(&str, usize)> {
    let quotes = answer.get(from..)?.match_indices('"');
    quotes.map(|(at, _)| from + at).find_map(|quote| {
        let start = quote + 1;
        let end = start + 1 + KEY_DIGITS;
        let key = answer.get(start..end)?;
        let digits = key.strip_prefix('c')?;
        let is_key = digits.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        let behind = answer[end..].strip_prefix('"')?.trim_start().strip_prefix(':')?;
        (is_key && !answer[..quote].ends_with('\\')).then(|| (key, answer.len() - behind.len()))
    })
}

/// The list of claims that a text begins with, alone or as the "claims" of an object, and its length in bytes.
fn list_at(text: &str) -> Option<(Vec<Value>, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    let entries = match value {
        Value::Array(entries) => entries,
        Value::Object(mut object) => match object.remove("claims") {
            Some(Value::Array(entries)) => entries,
            _ => return None,
        },
        _ => return None,
    };
    Some((entries, values.byte_offset()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const A: &str = "c0000000a";
    const B: &str = "c0000000b";

    fn asked(key: &str) -> bool {
        [A, B].contains(&key)
    }

    fn counts(answer: &str) -> Vec<(String, usize)> {
        let lists = read_keyed(answer, asked).lists;
        lists.into_iter().map(|(key, list)| (key, list.len())).collect()
    }

    fn told(keys: &BTreeSet<String>) -> Vec<&str> {
        keys.iter().map(String::as_str).collect()
    }

    #[test]
    fn lists_are_found_in_fences_prose_and_wrappings() {
        for answer in [
            format!(r#"{{"{A}": {{"claims": [{{}}]}}, "{B}": {{"claims": []}}}}"#),
            format!(r#"{{"{A}": [{{}}], "{B}": []}}"#),
            format!("Sure!\n```json\n{{\"{A}\" : [{{}}],\n\"{B}\": []}}\n```\nAll {{done}}, \"c\" is \"{A}\"."),
            format!(r#"{{"comments": {{"{A}": [{{}}], "{B}": []}}}}"#),
            // Two blocks, and two objects one after the other.
            format!("```\n{{\"{A}\": [{{}}]}}\n```\n```\n{{\"{B}\": []}}\n```"),
            format!(r#"[{{"{A}": [{{}}]}}, {{"{B}": []}}]"#),
        ] {
            let found = read_keyed(&answer, asked);
            assert_eq!(counts(&answer), [(A.to_owned(), 1), (B.to_owned(), 0)], "{answer}");
            assert!(
                found.broken.is_empty() && found.twice.is_empty() && found.unknown.is_empty(),
                "{answer}"
            );
        }
    }

    #[test]
    fn what_is_broken_costs_itself_alone() {
        let answer = format!(r#"{{"{A}": [{{"words": "a" "predicate"}}], "{B}": [{{}}, {{}}]}}"#);
        assert_eq!(counts(&answer), [(B.to_owned(), 2)]);
        assert_eq!(told(&read_keyed(&answer, asked).broken), [A]);
        // Cut off.
        let answer = format!(r#"{{"{A}": [{{}}], "{B}": {{"claims": [{{"words": "#);
        assert_eq!(counts(&answer), [(A.to_owned(), 1)]);
        assert_eq!(told(&read_keyed(&answer, asked).broken), [B]);
        for other in ["null", "\"none\"", "{}", "{\"claims\": 5}", "3"] {
            let answer = format!(r#"{{"{A}": {other}}}"#);
            assert_eq!(told(&read_keyed(&answer, asked).broken), [A], "{other}");
        }
    }

    #[test]
    fn of_several_lists_the_last_that_can_be_read_counts() {
        let answer = format!(r#"{{"{A}": [{{}}], "{A}": [{{}}, {{}}], "{A}": [{{"#);
        assert_eq!(counts(&answer), [(A.to_owned(), 2)]);
        let found = read_keyed(&answer, asked);
        assert_eq!((told(&found.twice), found.broken.len()), (vec![A], 0));
        // The same answer pasted twice says nothing twice.
        let once = format!(r#"{{"{A}": [{{}}]}}"#);
        assert!(read_keyed(&once.repeat(2), asked).twice.is_empty());
    }

    #[test]
    fn keys_that_nobody_asked_about_are_told_and_words_are_no_keys() {
        let found = read_keyed(r#"{"c12345678": [{}], "c1": [], "claims": [], "words": []}"#, asked);
        assert_eq!((told(&found.unknown), found.lists.len()), (vec!["c12345678"], 0));
        // Words of a comment that look like an answer.
        let quoted = format!(r#"{{"{B}": [{{"words": "\"{A}\": [] and \"{A}\": [{{}}]"}}]}}"#);
        assert_eq!(counts(&quoted), [(B.to_owned(), 1)]);
        let escaped = format!(r#"\"{A}\": []"#);
        assert_eq!(counts(&escaped), []);
    }

    #[test]
    fn huge_answers_end() {
        let start = std::time::Instant::now();
        let deep = format!("{{\"{A}\": {}", "[".repeat(500_000));
        assert_eq!(told(&read_keyed(&deep, asked).broken), [A]);
        let many = format!("\"{A}\": [\"").repeat(100_000);
        assert!(read_keyed(&many, asked).lists.is_empty());
        let unknown: String = (0..40_000).map(|n| format!("\"c{n:08x}\": [], ")).collect();
        assert_eq!(read_keyed(&unknown, |_| false).unknown.len(), MOST_UNKNOWN);
        let late = format!("{}{{\"{A}\": []}}", "é".repeat(LONGEST_ANSWER));
        assert!(
            read_keyed(&late, asked).lists.is_empty(),
            "what comes after the limit is not looked at"
        );
        assert!(start.elapsed().as_secs() < 20);
    }

    #[test]
    fn keys_belong_to_what_they_are_made_of() {
        let key = comment_key("fen move text", 0);
        assert_eq!(key, comment_key("fen move text", 0));
        assert!(key != comment_key("fen move texts", 0) && key != comment_key("fen move text", 1));
        let answer = format!(r#"{{"{key}": []}}"#);
        assert!(read_keyed(&answer, |other| other == key).lists.contains_key(&key));
    }

    proptest! {
        #[test]
        fn no_answer_upsets_the_reader(answer in "(.|\"c0000000a\"|: |\\[|\\]|\\{|\\}|\"claims\"|\\\\|é){0,60}") {
            let found = read_keyed(&answer, asked);
            prop_assert!(found.lists.keys().all(|key| asked(key) && !found.broken.contains(key)));
        }
    }
}
