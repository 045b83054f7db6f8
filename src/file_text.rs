//! Text out of the bytes of files that people made: UTF-8, UTF-16, or what Windows wrote before either. In turns, as to look
//! through tens of megabytes at once would hold a page up.

use std::fmt;

use thiserror::Error;

use crate::pace::{AtOnce, Pace, at_once};

/// Bytes that are one step: about a millisecond in a page.
const STEP: usize = 256 << 10;

/// What a file says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileText {
    /// Without a byte order mark.
    pub text: String,
    /// What its reader should know.
    pub notice: Option<TextNotice>,
}

impl FileText {
    /// The notice as a sentence about the file of this name.
    #[must_use]
    pub fn notice_on(&self, name: &str) -> Option<String> {
        self.notice.map(|notice| format!("{name}: {notice}"))
    }
}

/// Something to know about how a file was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextNotice {
    /// Lines that are no UTF-8.
    Windows1252 {
        /// How many there are.
        lines: usize,
        /// The first, from 1.
        first: usize,
    },
    /// Parts of UTF-16 that are no character, and are � now.
    NoCharacter(usize),
}

impl fmt::Display for TextNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Windows1252 { lines, first } => write!(
                f,
                "not UTF-8 in {lines} of its lines, the first of them line {first}: they were read as Windows-1252. If letters \
                 look wrong, save the file as UTF-8."
            ),
            Self::NoCharacter(count) => write!(f, "the file is damaged: {count} of its characters are � now."),
        }
    }
}

/// Bytes that are no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("it is not text but {0}")]
pub struct NotText(&'static str);

/// How files begin that are no text, and what they are.
const OTHER_FILES: [(&[u8], &str); 10] = [
    (
        b"PK\x03\x04",
        "a zip archive, as Excel’s workbooks (.xlsx) are: save the table as CSV",
    ),
    (
        b"\xd0\xcf\x11\xe0",
        "a document of old Excel or Word: save it as CSV or plain text",
    ),
    (b"PAR1", "a Parquet table: save it as CSV"),
    (b"\x1f\x8b", "packed with gzip: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "packed with Zstandard: unpack it first"),
    (b"BZh91AY", "packed with bzip2: unpack it first"),
    (b"\xfd7zXZ", "packed with xz: unpack it first"),
    (b"7z\xbc\xaf", "a 7z archive: unpack it first"),
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "a picture"),
];

const BINARY: NotText = NotText("binary data");

/// The text of a file: UTF-8, UTF-16 with a mark or where every other byte is zero, else Windows-1252, line by line, as files
/// are put together from several.
///
/// # Errors
/// When it is no text: what it is instead.
pub fn read_text(bytes: &[u8]) -> Result<FileText, NotText> {
    at_once(read_text_at(bytes, &AtOnce))
}

/// The same at a pace.
///
/// # Errors
/// As [`read_text`].
pub async fn read_text_at(bytes: &[u8], pace: &impl Pace) -> Result<FileText, NotText> {
    in_steps(bytes, STEP, pace).await
}

async fn in_steps(bytes: &[u8], step: usize, pace: &impl Pace) -> Result<FileText, NotText> {
    if let Some((_, what)) = OTHER_FILES.iter().find(|(begin, _)| bytes.starts_with(begin)) {
        return Err(NotText(what));
    }
    let read = match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes, step, pace).await,
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes, step, pace).await,
        [0xef, 0xbb, 0xbf, rest @ ..] => eight_bits(rest, step, pace).await,
        _ => match zeros(without_filling(bytes)) {
            Zeros::Few => eight_bits(bytes, step, pace).await,
            Zeros::Second => utf16(bytes, u16::from_le_bytes, step, pace).await,
            Zeros::First => utf16(bytes, u16::from_be_bytes, step, pace).await,
        },
    };
    if read.text.contains('\0') || (read.text.is_empty() && bytes.starts_with(&[0])) {
        Err(BINARY)
    } else {
        Ok(read)
    }
}

/// Bytes without what a file system fills up with after a crash, and without DOS's end of a file.
fn without_filling(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| !matches!(byte, 0 | 0x1a));
    &bytes[..end.map_or(0, |end| end + 1)]
}

/// Which bytes of pairs are zero.
enum Zeros {
    Few,
    First,
    Second,
}

/// Whether every other byte at the beginning is zero; of the bytes between some may be, as of Ā (U+0100) and of 😀.
fn zeros(bytes: &[u8]) -> Zeros {
    const PAIRS: usize = 512;
    let pairs = bytes.chunks_exact(2).take(PAIRS);
    let count = pairs.len();
    let (mut first, mut second) = (0, 0);
    for pair in pairs {
        first += usize::from(pair[0] == 0);
        second += usize::from(pair[1] == 0);
    }
    let (most, few) = (count.div_ceil(4) * 3, count / 8);
    match (count > 1, first, second) {
        (true, first, second) if second >= most && first <= few => Zeros::Second,
        (true, first, second) if first >= most && second <= few => Zeros::First,
        _ => Zeros::Few,
    }
}

async fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16, step: usize, pace: &impl Pace) -> FileText {
    let mut text = String::with_capacity(bytes.len() / 2);
    let pairs = bytes.chunks_exact(2);
    // A byte is left over where the file was cut off.
    let mut lost = pairs.remainder().len();
    let mut letters = char::decode_utf16(pairs.map(|pair| unit([pair[0], pair[1]])));
    loop {
        let before = text.len();
        text.extend(letters.by_ref().take(step).map(|letter| {
            letter.unwrap_or_else(|_| {
                lost += 1;
                char::REPLACEMENT_CHARACTER
            })
        }));
        if text.len() == before {
            break;
        }
        pace.turn().await;
    }
    FileText {
        text,
        notice: (lost > 0).then_some(TextNotice::NoCharacter(lost)),
    }
}

async fn eight_bits(bytes: &[u8], step: usize, pace: &impl Pace) -> FileText {
    let bytes = without_filling(bytes);
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(end_of_piece(rest, step));
        let Ok(piece) = std::str::from_utf8(piece) else {
            text.clear();
            return line_by_line(bytes, text, step, pace).await;
        };
        text.push_str(piece);
        rest = after;
        pace.turn().await;
    }
    FileText { text, notice: None }
}

/// Where to part bytes after about `step` of them, four at least, so that no character is cut in two. A character has four bytes at most:
/// where none begins in the last three, the next byte belongs to none.
fn end_of_piece(bytes: &[u8], step: usize) -> usize {
    let is_within = |at: &usize| bytes[*at] & 0b1100_0000 == 0b1000_0000;
    if bytes.len() <= step {
        return bytes.len();
    }
    let least = step.saturating_sub(3).max(1);
    (least..=step).rev().find(|at| !is_within(at)).unwrap_or(step)
}

/// The text of bytes of which some are no UTF-8, put behind `text`.
async fn line_by_line(bytes: &[u8], mut text: String, step: usize, pace: &impl Pace) -> FileText {
    let (mut line, mut lines, mut first, mut since) = (1, 0, 0, 0);
    let mut pieces = bytes.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')).peekable();
    while let Some(piece) = pieces.next() {
        if push_line(piece, &mut text) {
            lines += 1;
            first = if first == 0 { line } else { first };
        }
        line += usize::from(!piece.ends_with(b"\r") || pieces.peek() != Some(&&b"\n"[..]));
        since += piece.len();
        if since >= step {
            since = 0;
            pace.turn().await;
        }
    }
    FileText {
        text,
        notice: (lines > 0).then_some(TextNotice::Windows1252 { lines, first }),
    }
}

/// Adds a line; whether any of it was read as Windows-1252. A line with more signs of UTF-8 than bytes that are none was
/// damaged, and only those bytes are read so; any other is of a file that was never UTF-8.
fn push_line(line: &[u8], text: &mut String) -> bool {
    let (mut signs, mut odd) = (0, 0);
    for chunk in line.utf8_chunks() {
        signs += chunk.valid().chars().filter(|letter| is_sign(*letter)).count();
        odd += chunk.invalid().len();
    }
    if line.is_ascii() || (odd == 0 && signs > 0) {
        text.extend(line.utf8_chunks().map(|chunk| chunk.valid()));
        return false;
    }
    if signs == 0 || odd > signs {
        text.extend(line.iter().copied().map(windows_1252));
    } else {
        for chunk in line.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().copied().map(windows_1252));
        }
    }
    true
}

/// Whether a character is a sign of UTF-8: those letters are not that the capitals and closing quotes of Windows-1252 make
/// by chance, as in „Spaß“ and “CAFÉ”, and that are in no text about chess.
const fn is_sign(letter: char) -> bool {
    !letter.is_ascii() && !matches!(letter, '\u{250}'..='\u{2af}' | '\u{590}'..='\u{5cf}' | '\u{700}'..='\u{85f}')
}

/// The character of a byte as Windows-1252 has it; the five bytes that it leaves open are control characters, as in browsers.
fn windows_1252(byte: u8) -> char {
    const FROM_0X80: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..0xa0 => FROM_0X80[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(bytes: &[u8]) -> String {
        read_text(bytes).map_or_else(|error| error.to_string(), |read| read.text)
    }

    fn as_utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    /// `None` where Windows-1252 lacks a character.
    fn as_windows_1252(text: &str) -> Option<Vec<u8>> {
        text.chars()
            .map(|letter| (0..=u8::MAX).find(|byte| windows_1252(*byte) == letter))
            .collect()
    }

    #[test]
    fn lines_of_two_encodings_are_told_apart() {
        let latin = as_windows_1252("[White \"Müller, Jörg\"]\n").unwrap();
        let file = [&latin[..], "[White \"Müller, Jörg\"]\r\n".as_bytes(), &latin[..]].concat();
        let read = read_text(&file).unwrap();
        assert_eq!(read.text.replace('\r', ""), "[White \"Müller, Jörg\"]\n".repeat(3));
        assert_eq!(read.notice, Some(TextNotice::Windows1252 { lines: 2, first: 1 }));
    }

    #[test]
    fn a_line_of_utf_8_with_a_bad_byte_keeps_the_rest() {
        assert_eq!(
            text(b"Sch\xc3\xb6n \x96 gut f\xc3\xbcr \xe2\x99\x98"),
            "Schön – gut für ♘"
        );
        // The other way round: what only looks like UTF-8.
        assert_eq!(text(b"\x84Spa\xdf\x93 & CAF\xc9\x94"), "„Spaß“ & CAFÉ”");
        assert_eq!(text(b"\x84Ja\x93\n(Spa\xdf\x94\n"), "„Ja“\n(Spaß”\n");
        assert_eq!(text(b"\xab voil\xe0\xa0\xbb"), "« voilà\u{a0}»");
    }

    #[test]
    fn the_first_odd_line_is_named_as_an_editor_counts() {
        for (file, lines, first) in [
            (&b"a\r\nb\r\n\xe4"[..], 1, 3),
            (b"a\rb\r\xe4\r\xe4", 2, 3),
            (b"a\n\n\xe4\n", 1, 3),
        ] {
            let notice = read_text(file).unwrap().notice;
            assert_eq!(notice, Some(TextNotice::Windows1252 { lines, first }), "{file:?}");
        }
    }

    #[test]
    fn what_is_no_text_is_named() {
        for (file, what) in [
            (&b"PK\x03\x04\x14"[..], "a zip archive"),
            (b"\x1f\x8b\x08", "packed with gzip"),
            (b"\x28\xb5\x2f\xfd\x04", "packed with Zstandard"),
            (b"%PDF-1.7", "a PDF"),
            (b"ab\0cd, a longer text with one zero", "binary data"),
            (b"\xff\xfea\0\0\0b\0", "binary data"),
        ] {
            assert!(text(file).contains(what), "{file:?}: {}", text(file));
        }
    }

    #[test]
    fn what_a_crash_or_dos_puts_at_the_end_is_passed_over() {
        assert_eq!(text(b"1. e4 *\n\0\0\0\0"), "1. e4 *\n");
        assert_eq!(text(b"1. e4 *\n\x1a"), "1. e4 *\n");
        assert_eq!(text(&[0; 9]), "it is not text but binary data");
    }

    #[test]
    fn half_a_character_of_utf_16_is_told() {
        let read = read_text(b"\xff\xfea\0\x3d\xd8b\0c").unwrap();
        assert_eq!(
            (read.text.as_str(), read.notice),
            ("a\u{fffd}b", Some(TextNotice::NoCharacter(2)))
        );
    }

    proptest! {
        #[test]
        fn each_encoding_gives_the_same_text(chars in "[a-zé–ß€♘\u{1f600}\r\n,;]{1,60}") {
            let plain = chars.trim_start_matches('\u{feff}');
            let read = |bytes: &[u8]| read_text(bytes);
            let found = Ok(FileText { text: plain.to_owned(), notice: None });
            prop_assert_eq!(read(plain.as_bytes()), found.clone());
            prop_assert_eq!(read(format!("\u{feff}{plain}").as_bytes()), found.clone());
            let little = as_utf16(&format!("\u{feff}{plain}"), u16::to_le_bytes);
            prop_assert_eq!(read(&little), found.clone());
            let big = as_utf16(&format!("\u{feff}{plain}"), u16::to_be_bytes);
            prop_assert_eq!(read(&big), found.clone());
            // Without a mark, where it is plain.
            let much = format!("fen,move,method,comment, and much more in ASCII\n{}", plain.chars().take(5).collect::<String>());
            let found = Ok(FileText { text: much.clone(), notice: None });
            prop_assert_eq!(read(&as_utf16(&much, u16::to_le_bytes)), found.clone());
            prop_assert_eq!(read(&as_utf16(&much, u16::to_be_bytes)), found);
        }

        #[test]
        fn windows_1252_gives_the_same_text(chars in "[ -~\n]{0,20}[ -~äöüÄÖÜßéèñçÅø“”„’–…€\n]{0,60}") {
            let bytes = as_windows_1252(&chars).unwrap();
            // A capital before a closing mark may be a character of UTF-8 by chance.
            prop_assume!(std::str::from_utf8(&bytes).is_err());
            prop_assume!(bytes.split(|byte| *byte == b'\n').all(|line| {
                line.utf8_chunks().all(|chunk| chunk.valid().chars().all(|letter| !is_sign(letter)))
            }));
            prop_assert_eq!(read_text(&bytes).unwrap().text, chars);
        }

        #[test]
        fn steps_change_nothing(
            bytes in prop_oneof![
                prop::collection::vec(any::<u8>(), 0..80),
                prop::collection::vec(0x80_u8..0xf5, 0..80),
                ".{0,40}".prop_map(String::into_bytes),
                "\u{feff}.{0,40}".prop_map(|text| as_utf16(&text, u16::to_le_bytes)),
            ],
            step in 4_usize..20,
        ) {
            prop_assert_eq!(at_once(in_steps(&bytes, step, &AtOnce)), read_text(&bytes));
        }
    }
}
