//! JSON as servers send it, halves of letters included.
//!
//! Beyond U+FFFF a letter is written in JSON as two escapes, a pair of surrogates. A server that cuts a reply into tokens may
//! cut between them: `\ud83d` ends one piece, `\ude00` begins the next. No reader of JSON takes such a half, so that it is put
//! into the private letters of plane 16 until [`Halves`] has joined it with the other.

use serde_json::{Error, Value};

/// The private letter that stands for the first surrogate.
const FIRST: u32 = 0x10_F800;
/// The first surrogate, the first of those that come second, and the first letter behind them all.
const SURROGATES: u32 = 0xD800;
const SECOND: u32 = 0xDC00;
const BEHIND: u32 = 0xE000;

/// Reads JSON; a half of a letter and a byte that is no UTF-8 become U+FFFD.
pub(super) fn read(bytes: &[u8]) -> Result<Value, Error> {
    read_with(bytes, |_| char::REPLACEMENT_CHARACTER)
}

/// The same, with halves kept for [`Halves`].
pub(super) fn read_halves(bytes: &[u8]) -> Result<Value, Error> {
    read_with(bytes, |half| {
        char::from_u32(half - SURROGATES + FIRST).unwrap_or(char::REPLACEMENT_CHARACTER)
    })
}

fn read_with(bytes: &[u8], letter: impl Fn(u32) -> char) -> Result<Value, Error> {
    serde_json::from_slice(bytes).or_else(|error| {
        let text = String::from_utf8_lossy(bytes);
        let mended = mended(&text, letter);
        if mended.len() == bytes.len() && mended.as_bytes() == bytes {
            return Err(error);
        }
        serde_json::from_str(&mended)
    })
}

/// With a letter in the place of every escape that is half of one.
fn mended(text: &str, letter: impl Fn(u32) -> char) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        mended.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match escape(rest) {
            Some(half @ SURROGATES..BEHIND) => {
                let other = escape(&rest[6..]).filter(|other| (SECOND..BEHIND).contains(other));
                if half < SECOND && other.is_some() {
                    12
                } else {
                    mended.push(letter(half));
                    rest = &rest[6..];
                    continue;
                }
            }
            // The backslash and what it escapes.
            _ => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
        mended.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    mended + rest
}

/// The number of an escape `\uXXXX` at the beginning.
fn escape(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    hexadecimal.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

/// Joins the halves of letters in a text that comes in pieces.
#[derive(Debug, Default)]
pub(super) struct Halves {
    /// A first half, which waits for its second.
    waiting: Option<u32>,
}

impl Halves {
    /// The text with whole letters; a half alone is U+FFFD.
    pub(super) fn push(&mut self, piece: String) -> String {
        if self.waiting.is_none() && !piece.contains(|letter| half(letter).is_some()) {
            return piece;
        }
        let mut joined = String::with_capacity(piece.len());
        for letter in piece.chars() {
            let half = half(letter);
            let first = self.waiting.take();
            match (first, half) {
                (Some(first), Some(second @ SECOND..)) => {
                    let code = 0x1_0000 + ((first - SURROGATES) << 10) + (second - SECOND);
                    joined.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                    continue;
                }
                (Some(_), _) => joined.push(char::REPLACEMENT_CHARACTER),
                (None, _) => {}
            }
            match half {
                Some(SECOND..) => joined.push(char::REPLACEMENT_CHARACTER),
                Some(first) => self.waiting = Some(first),
                None => joined.push(letter),
            }
        }
        joined
    }

    /// What is left of a half whose other never came.
    pub(super) fn finish(&mut self) -> &'static str {
        self.waiting.take().map_or("", |_| "\u{FFFD}")
    }
}

/// The surrogate that a private letter stands for.
fn half(letter: char) -> Option<u32> {
    u32::from(letter).checked_sub(FIRST).map(|place| place + SURROGATES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn halves_are_joined_and_a_half_alone_is_marked() {
        let joined = |pieces: &[&str]| {
            let mut halves = Halves::default();
            let mut all = String::new();
            for piece in pieces {
                let value = read_halves(format!("\"{piece}\"").as_bytes()).unwrap();
                all += &halves.push(value.as_str().unwrap().to_owned());
            }
            all + halves.finish()
        };
        for (pieces, text) in [
            (&["Nice \\ud83d", "\\ude00 move"][..], "Nice 😀 move"),
            (&["\\uD83D\\uDE00"], "😀"),
            (&["\\ud83d", "", "\\ude00"], "😀"),
            (&["a\\ud83db"], "a\u{FFFD}b"),
            (&["a\\ude00b"], "a\u{FFFD}b"),
            (&["\\ud83d\\ud83d", "\\ude00"], "\u{FFFD}😀"),
            (&["\\ud83d"], "\u{FFFD}"),
            (&["\\\\ud83d"], "\\ud83d"),
            (&["\\\\\\ud83d\\n"], "\\\u{FFFD}\n"),
            (&["\\ud83d\\n"], "\u{FFFD}\n"),
        ] {
            assert_eq!(joined(pieces), text, "{pieces:?}");
        }
    }

    #[test]
    fn what_needs_no_joining_has_no_halves() {
        assert_eq!(
            read(br#"{"a": "\ud83d"}"#).unwrap(),
            serde_json::json!({"a": "\u{FFFD}"})
        );
        assert_eq!(read(b"\"a\xFF\"").unwrap(), "a\u{FFFD}");
        assert!(read(br#"{"a": "\ud8"#).unwrap_err().is_eof());
        assert!(read(br#"{"a": "\ud83d"#).unwrap_err().is_eof());
    }

    proptest! {
        #[test]
        fn any_text_survives_any_escapes_and_cuts(text in "[a\\\\\"é♞😀𝄞]{0,12}", cut: prop::sample::Index, escaped: bool) {
            // As a server writes it that escapes all, cut between two escapes.
            let units: Vec<u16> = text.encode_utf16().collect();
            let at = cut.index(units.len() + 1);
            let json = |units: &[u16]| {
                let escapes: String = units.iter().map(|unit| format!("\\u{unit:04x}")).collect();
                format!("\"{escapes}\"")
            };
            let mut halves = Halves::default();
            let mut all = String::new();
            for piece in [&units[..at], &units[at..]] {
                let value = read_halves(json(piece).as_bytes()).unwrap();
                all += &halves.push(value.as_str().unwrap().to_owned());
            }
            all += halves.finish();
            prop_assert_eq!(all, text.as_str());
            if escaped {
                prop_assert_eq!(read(serde_json::to_string(&text).unwrap().as_bytes()).unwrap(), text);
            }
        }

        #[test]
        fn any_bytes_are_read_as_by_others_or_mended(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            if let Ok(value) = serde_json::from_slice::<Value>(&bytes) {
                prop_assert_eq!(read(&bytes).unwrap(), value);
            } else {
                let _ = read(&bytes);
            }
        }
    }
}
