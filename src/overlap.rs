//! How many words a comment shares with a reference comment: BLEU-1 and ROUGE. They say little of a comment's quality;
//! the paper's Table 4 shows how little.

use std::{collections::HashMap, hash::Hash};

/// The metrics of this module, in the order of the paper's Table 4.
pub const METRICS: [&str; 4] = ["BLEU-1", "ROUGE-1", "ROUGE-2", "ROUGE-L"];

/// [`METRICS`] of a comment, each 0..1. `None` without words on either side, and where the comment is the reference itself, for
/// it would be its own measure; `count_reference` asks for it all the same.
#[must_use]
pub fn metrics(comment: &str, reference: &str, count_reference: bool) -> Option<[f64; METRICS.len()]> {
    let is_itself = reference.trim() == comment.trim();
    if comment.is_empty() || reference.trim().is_empty() || (is_itself && !count_reference) {
        return None;
    }
    Some([
        bleu_1(comment, reference),
        rouge_n(comment, reference, 1),
        rouge_n(comment, reference, 2),
        rouge_l(comment, reference),
    ])
}

/// BLEU of single words, 0..1: the share of the comment's words that the reference has too, each as often as the
/// reference has it, times a penalty for a comment shorter than the reference (Papineni et al., "BLEU: a method for
/// automatic evaluation of machine translation", ACL 2002). Words are those of the `13a` tokenizer of mteval and
/// sacrebleu, upper and lower case apart; there is no smoothing. 0 where either is empty.
#[must_use]
pub fn bleu_1(comment: &str, reference: &str) -> f64 {
    let (comment, reference) = (words_13a(comment), words_13a(reference));
    if comment.is_empty() || reference.is_empty() {
        return 0.0;
    }
    let (length, wanted) = (comment.len() as f64, reference.len() as f64);
    let penalty = if length < wanted {
        (1.0 - wanted / length).exp()
    } else {
        1.0
    };
    penalty * shared(comment.iter(), reference.iter()) as f64 / length
}

/// ROUGE-N, 0..1: the harmonic mean of precision and recall of runs of `n` words (Lin, "ROUGE: a package for automatic
/// evaluation of summaries", 2004). Words are runs of the letters a–z and digits in lower case, not stemmed, as
/// Google's rouge-score has them. 0 where either has fewer than `n` words.
#[must_use]
pub fn rouge_n(comment: &str, reference: &str, n: usize) -> f64 {
    let (comment, reference) = (plain_words(comment), plain_words(reference));
    if n == 0 || comment.len() < n || reference.len() < n {
        return 0.0;
    }
    let both = shared(comment.windows(n), reference.windows(n));
    harmonic(both, comment.len() + 1 - n, reference.len() + 1 - n)
}

/// ROUGE-L, 0..1: the harmonic mean of precision and recall of the longest common subsequence of words, which are those
/// of [`rouge_n`]. Of whole comments, not sentence by sentence.
#[must_use]
pub fn rouge_l(comment: &str, reference: &str) -> f64 {
    let (comment, reference) = (plain_words(comment), plain_words(reference));
    let mut longest = vec![0_usize; reference.len() + 1];
    for word in &comment {
        let mut diagonal = 0;
        for (place, other) in reference.iter().enumerate() {
            let above = longest[place + 1];
            longest[place + 1] = if word == other {
                diagonal + 1
            } else {
                above.max(longest[place])
            };
            diagonal = above;
        }
    }
    harmonic(longest[reference.len()], comment.len(), reference.len())
}

/// How many words a comment has: runs of what is no white space, as the paper's Table 1 counts them.
#[must_use]
pub fn word_count(comment: &str) -> usize {
    comment.split_whitespace().count()
}

/// 2PR / (P + R).
fn harmonic(both: usize, of_comment: usize, of_reference: usize) -> f64 {
    if both == 0 {
        return 0.0;
    }
    let (precision, recall) = (both as f64 / of_comment as f64, both as f64 / of_reference as f64);
    2.0 * precision * recall / (precision + recall)
}

/// How many the two lists share, each as often as both have it.
fn shared<T: Eq + Hash>(one: impl Iterator<Item = T>, other: impl Iterator<Item = T>) -> usize {
    let mut left: HashMap<T, usize> = HashMap::new();
    for word in other {
        *left.entry(word).or_default() += 1;
    }
    one.filter(|word| match left.get_mut(word) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    })
    .count()
}

fn plain_words(text: &str) -> Vec<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The words of mteval-v13a: punctuation stands alone, but for points and commas between digits, apostrophes, and
/// hyphens that follow no digit.
fn words_13a(text: &str) -> Vec<String> {
    let text = text.replace("<skipped>", "").replace("-\n", "").replace('\n', " ");
    let text = text
        .replace("&quot;", "\"")
        .replace("&amp;", "&")
        .replace("&lt;", "<")
        .replace("&gt;", ">");
    let mut letters: Vec<char> = Vec::with_capacity(text.len() + 2);
    for letter in [' '].into_iter().chain(text.chars()).chain([' ']) {
        let alone = matches!(letter, '{'..='~' | '['..='`' | ' '..='&' | '('..='+' | ':'..='@' | '/');
        if alone {
            letters.extend([' ', letter, ' ']);
        } else {
            letters.push(letter);
        }
    }
    let letters = parted(&letters, |a, b| !a.is_ascii_digit() && stop(b), |a, b| [a, ' ', b, ' ']);
    let letters = parted(&letters, |a, b| stop(a) && !b.is_ascii_digit(), |a, b| [' ', a, ' ', b]);
    let letters = parted(&letters, |a, b| a.is_ascii_digit() && b == '-', |a, b| [a, ' ', b, ' ']);
    let spaced: String = letters.into_iter().collect();
    spaced.split_whitespace().map(str::to_owned).collect()
}

const fn stop(letter: char) -> bool {
    matches!(letter, '.' | ',')
}

/// Replaces pairs of neighbours from left to right; a pair that is replaced takes part in no other.
fn parted(letters: &[char], matches: fn(char, char) -> bool, with: fn(char, char) -> [char; 4]) -> Vec<char> {
    let mut out = Vec::with_capacity(letters.len() + 16);
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        match letters.get(at + 1) {
            Some(&next) if matches(letter, next) => {
                out.extend(with(letter, next));
                at += 2;
            }
            _ => {
                out.push(letter);
                at += 1;
            }
        }
    }
    out
}
