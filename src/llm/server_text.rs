//! A server's words as we show them.

use super::key::ApiKey;

/// The longest text of a server that is shown, in characters.
pub(super) const SHOWN: usize = 300;

/// A server's text on one line, without control characters and without the key, [`SHOWN`] characters at most.
///
/// The key goes before the text is cut, so that no half of it stays.
pub(super) fn clean(text: &str, key: Option<&ApiKey>) -> String {
    let visible: String = text
        .chars()
        .filter(|c| c.is_whitespace() || !(c.is_control() || invisible(*c)))
        .collect();
    let line = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = key.map_or_else(|| line.clone(), |key| key.redact(&line));
    match line.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", line[..at].trim_end()),
        None => line,
    }
}

/// Characters that change how the text around them reads (marks of direction, zero width).
fn invisible(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cleaned_before_they_are_cut() {
        let key = ApiKey::new("sk-0123456789").unwrap();
        let long = format!("{} sk-0123456789 end", "x".repeat(SHOWN - 6));
        let shown = clean(&long, Some(&key));
        assert!(!shown.contains("sk-"), "{shown}");
        assert!(shown.ends_with('…'));
        // A key is found even where invisible characters part it.
        assert_eq!(
            clean("a\n\tb  sk-01234\u{200B}56\u{0}789\u{202E}", Some(&key)),
            "a b [key]"
        );
    }
}
