//! The many ways to say no: "not", "hardly", "by no means", "anything but", "far from".

use super::token::Token;

/// Phrases that deny what follows them, longest first.
const DENIALS: &[&[&str]] = &[
    &["under", "no", "circumstances"],
    &["not", "in", "the", "least"],
    &["not", "in", "any", "way"],
    &["not", "by", "any", "means"],
    &["by", "no", "means"],
    &["by", "no", "stretch"],
    &["in", "no", "way"],
    &["in", "no", "sense"],
    &["in", "no", "respect"],
    &["in", "no", "danger", "of"],
    &["at", "no", "point"],
    &["at", "no", "time"],
    &["no", "way", "near"],
    &["not", "even", "close", "to"],
    &["not", "at", "all"],
    &["nowhere", "near"],
    &["nothing", "like"],
    &["anything", "but"],
    &["far", "from"],
    &["a", "long", "way", "from"],
    &["hardly"],
    &["scarcely"],
    &["not"],
    &["never"],
];

/// The tokens at `at` that deny what stands behind them, or none.
#[must_use]
pub fn denial(tokens: &[Token], at: usize) -> Option<usize> {
    let word = |i: usize| tokens.get(at + i).map_or("", Token::word);
    // "far from the king": a distance.
    if word(1) == "from" && matches!(word(2), "the" | "its" | "his" | "their" | "" | "any") {
        return None;
    }
    DENIALS
        .iter()
        .find(|words| words.iter().enumerate().all(|(i, wanted)| word(i) == *wanted))
        .map(|words| words.len())
}

#[cfg(test)]
mod tests {
    use super::super::token::tokens;
    use super::*;

    #[test]
    fn phrases_deny_as_one() {
        let at_start = |text: &str| denial(&tokens(text, 0..text.len()), 0);
        assert_eq!(at_start("not defended"), Some(1));
        assert_eq!(at_start("not at all defended"), Some(3));
        assert_eq!(at_start("anything but safe"), Some(2));
        assert_eq!(at_start("far from clear"), Some(2));
        assert_eq!(at_start("by no means lost"), Some(3));
        assert_eq!(at_start("far from the king"), None);
        assert_eq!(at_start("far advanced"), None);
        assert_eq!(at_start("anything"), None);
    }
}
