//! A file of JSON lines, written line by line as a run goes on.

use serde::{
    Serialize,
    de::{DeserializeOwned, IgnoredAny},
};
use thiserror::Error;

/// A line that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line} cannot be read: {cause}")]
pub struct LineError {
    /// Counted from 1.
    pub line: usize,
    /// What JSON's reader says.
    pub cause: String,
}

/// The lines of a file with their numbers from 1, without blank ones. Half a line at its end, which a run that was cut off
/// may leave, is passed over: [`end_words`] says so.
pub fn read_lines<L: DeserializeOwned>(text: &str) -> impl Iterator<Item = Result<(usize, L), LineError>> {
    let mut lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty())
        .peekable();
    std::iter::from_fn(move || {
        let (line, written) = lines.next()?;
        match serde_json::from_str(written) {
            Ok(read) => Some(Ok((line, read))),
            Err(_) if lines.peek().is_none() && is_cut_off(text) => None,
            Err(error) => Some(Err(LineError {
                line,
                cause: error.to_string(),
            })),
        }
    })
}

/// Whether the last line is half a one.
fn is_cut_off(text: &str) -> bool {
    let last = text.rsplit('\n').next().unwrap_or_default();
    !last.trim().is_empty() && serde_json::from_str::<IgnoredAny>(last).is_err()
}

/// What is to be said of the end of a file; nothing where it is whole, or no JSON lines.
#[must_use]
pub fn end_words(text: &str) -> Option<String> {
    let words = "The file is cut off in its last line, which is left out; what came after it is missing.";
    (text.starts_with('{') && is_cut_off(text)).then(|| words.to_owned())
}

/// A line, without its end. What is written are numbers, texts, lists and maps with text keys: nothing that JSON cannot hold.
#[must_use]
pub fn line_text(line: &impl Serialize) -> String {
    serde_json::to_string(line).unwrap_or_default()
}

/// The bytes of a file that are whole lines: what a run that was cut off left of a line comes after them.
#[must_use]
pub fn whole_lines(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_line_at_the_end_is_passed_over_and_no_other() {
        let read = |text: &str| read_lines::<u32>(text).collect::<Result<Vec<_>, _>>();
        assert_eq!(read("1\n\n2\n"), Ok(vec![(1, 1), (3, 2)]));
        assert_eq!(read("1\n2\n{\"x"), Ok(vec![(1, 1), (2, 2)]));
        assert_eq!(read("1\n2\n\"x\"").unwrap_err().line, 3, "whole, and no number");
        assert_eq!(read("1\nx\n2").unwrap_err().line, 2);
        assert_eq!(read("1\nx\n").unwrap_err().line, 2);
        assert_eq!(read(""), Ok(Vec::new()));
        for (text, cut_off) in [
            ("{}\n{\"x", true),
            ("{}\n {", true),
            ("{\"x", true),
            ("{}\n{}", false),
            ("{}\nx\n", false),
            ("1. e4 e5 *", false),
            ("", false),
        ] {
            assert_eq!(end_words(text).is_some(), cut_off, "{text}");
        }
        assert_eq!(whole_lines(b"1\n2"), 2);
        assert_eq!(whole_lines(b"12"), 0);
    }
}
