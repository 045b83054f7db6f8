//! The style sheet's classes and ids: each must be one that the page gives.

use std::collections::BTreeSet;

/// Beginnings of classes that the page puts together from words and numbers, or that chessground gives.
const COMPOSED: [&str; 3] = ["cg-", "step-", "wdl-"];

/// The classes and ids in the selectors of `css` that are no word of `sources`.
pub fn strangers(css: &str, sources: &[String]) -> Vec<String> {
    let known: BTreeSet<&str> = sources.iter().flat_map(|text| words(text)).collect();
    let mut found: Vec<String> = named(css)
        .into_iter()
        .filter(|name| !known.contains(name.as_str()) && !COMPOSED.iter().any(|start| name.starts_with(start)))
        .collect();
    found.sort();
    found.dedup();
    found
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !is_part(letter))
        .filter(|word| !word.is_empty())
}

fn is_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '-' || letter == '_'
}

/// What follows `.` and `#` in the selectors: not in the declarations, which have numbers and colours.
fn named(css: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut selector = String::new();
    let mut rest = css;
    while let Some(letter) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
            continue;
        }
        match letter {
            '{' if !selector.trim_start().starts_with('@') => {
                for (at, _) in selector.match_indices(['.', '#']) {
                    let name: String = selector[at + 1..].chars().take_while(|c| is_part(*c)).collect();
                    if name.starts_with(|first: char| first.is_ascii_alphabetic()) {
                        found.push(name);
                    }
                }
                selector.clear();
            }
            '{' | '}' | ';' => selector.clear(),
            _ => selector.push(letter),
        }
        rest = &rest[letter.len_utf8()..];
    }
    found
}
