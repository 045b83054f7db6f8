//! Text from outside: study files, ratings, servers.

/// Control characters but line ends and tabs, and those that turn the direction of text: in a comment they could show
/// raters something else than the file says.
pub(crate) fn is_hostile(letter: char) -> bool {
    (letter.is_control() && !matches!(letter, '\n' | '\r' | '\t'))
        || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text as an error message can bear it: 80 characters, without control characters.
pub(crate) fn clipped(text: &str) -> String {
    let clean = |c: char| if is_hostile(c) || c == '\n' { ' ' } else { c };
    let mut short: String = text.chars().take(80).map(clean).collect();
    if text.chars().nth(80).is_some() {
        short.push('…');
    }
    short
}
