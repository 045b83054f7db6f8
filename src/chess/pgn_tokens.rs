//! PGN text in pieces. Kibitz splits it itself because pgn-reader passes over words it cannot read without a report, so
//! a mistyped move would be blamed on the one after it; and because it gives up on a comment that is not closed.

use std::{borrow::Cow, ops::Range};

use shakmaty::Outcome;

use super::{
    fen_fields::is_dash,
    pgn_result::read_result,
    pgn_tag::{TagPlace, read_tag},
    written_move::{is_invisible, is_null},
};

/// A piece of PGN text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`, with escapes undone.
    Tag(String, String),
    /// `{…}` or `;…`; text in brackets, with them.
    Comment(&'a str),
    /// The rest of the text, from a brace that is never closed.
    UnclosedComment(&'a str),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `$1`, `!`, `±`, …
    Nag(u8),
    /// `1-0`, `*`, …
    Result(Outcome),
    /// Anything else: a move, one hopes.
    Word(&'a str),
}

/// A piece of PGN text in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placed<'a> {
    pub(super) token: Token<'a>,
    /// Which line, from 1.
    pub(super) line: usize,
    /// Its first byte, and the one behind its last.
    pub(super) span: Range<usize>,
    /// Whether an empty line stands before it.
    pub(super) after_empty_line: bool,
    /// The move number before it.
    pub(super) number: Option<u32>,
}

/// Bytes of a comment that are read in one step: a millisecond or two.
const COMMENT_STEP: usize = 50_000;
/// Brackets that are further apart are passed over, and the moves between them read.
const LONGEST_BRACKETED: usize = 300;

impl<'a> Token<'a> {
    /// The beginning of a long comment, and the rest: read one after another they come to the same, since comments are
    /// joined by a space and have single ones. `None` for what is short, or has no white space to be parted at.
    pub(super) fn beginning(&self) -> Option<(Self, Self)> {
        let (Self::Comment(text) | Self::UnclosedComment(text)) = *self else {
            return None;
        };
        let start = text.get(..text.floor_char_boundary(COMMENT_STEP))?;
        if start.len() == text.len() {
            return None;
        }
        let end = start.rfind(char::is_whitespace).filter(|end| *end > 0)?;
        let (piece, rest): (&'a str, &'a str) = text.split_at(end);
        let rest = match self {
            Self::UnclosedComment(_) => Self::UnclosedComment(rest),
            _ => Self::Comment(rest),
        };
        Some((Self::Comment(piece), rest))
    }
}

/// Splits PGN text.
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    /// Whether an empty line stands before the next token.
    after_empty_line: bool,
    /// Whether nothing stands before the next token, or a tag.
    among_tags: bool,
    /// Variations that are open.
    open: usize,
    number: Option<u32>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            line: 1,
            after_empty_line: false,
            among_tags: true,
            open: 0,
            number: None,
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Moves on by `bytes`, counting lines; how many ended.
    fn skip(&mut self, bytes: usize) -> usize {
        let end = self.at + bytes;
        let text = self.text.as_bytes();
        let is_end = |at: &usize| match text[*at] {
            b'\n' => true,
            b'\r' => text.get(at + 1) != Some(&b'\n'), // old Macs'
            _ => false,
        };
        let ended = (self.at..end).filter(is_end).count();
        self.line += ended;
        self.at = end;
        ended
    }

    fn at_line_start(&self) -> bool {
        let before = self.text[..self.at].trim_end_matches(|c: char| is_invisible(c) || c == ' ' || c == '\t');
        before.is_empty() || before.ends_with(['\n', '\r'])
    }

    fn tag(&mut self) -> Option<Token<'a>> {
        let place = match () {
            () if self.among_tags => TagPlace::AmongTags,
            () if !self.at_line_start() => TagPlace::WithinLine,
            () if self.after_empty_line => TagPlace::AfterEmptyLine,
            () => TagPlace::LineStart,
        };
        let tag = read_tag(self.rest(), place)?;
        self.skip(tag.length);
        Some(Token::Tag(tag.name, tag.value))
    }

    /// Text in brackets is a comment: `[%clk 0:05:00]`, `[Diagram]`.
    fn bracketed(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        let window = &rest[..rest.floor_char_boundary(LONGEST_BRACKETED)];
        let end = 1 + window[1..].find(['[', ']', '{', '\n', '\r'])?;
        if !rest[end..].starts_with(']') {
            return None;
        }
        self.skip(end + 1);
        Some(Token::Comment(&rest[..=end]))
    }

    fn up_to_line_end(&self) -> usize {
        let rest = self.rest();
        rest.find(['\n', '\r']).unwrap_or(rest.len())
    }

    /// The bytes of the move number that `word` starts with.
    fn move_number(word: &str) -> Option<usize> {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let after = &word[digits..];
        if digits == 0 || (after.is_empty() && (is_numeric_move(word) || is_null(word))) {
            return None;
        }
        // `5.2s` is a time, `4.0-0` castles.
        let is_number = match after.strip_prefix('.') {
            Some(more) if more.starts_with(|c: char| c.is_ascii_digit()) => {
                more.starts_with("0-0") || more.starts_with("0–0") || is_numeric_move(more) || is_null(more)
            }
            Some(_) => true,
            None => after.is_empty() || after.starts_with('…'),
        };
        is_number.then_some(digits)
    }

    /// The next token where no sign stands; `None` for what says nothing.
    fn word(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        if let Some((outcome, length)) = read_result(rest) {
            self.skip(length);
            return Some(Token::Result(outcome));
        }
        let word = &rest[..end_of_word(rest)];
        if let Some(digits) = Self::move_number(word) {
            self.number = word[..digits].parse().ok();
            self.skip(digits);
            // `1) e4 e5 2) Nf3`
            if self.open == 0 && self.rest().starts_with(')') {
                self.skip(1);
            }
            return None;
        }
        let word = &rest[..word.len() + promotion_behind(word, &rest[word.len()..])];
        self.skip(word.len());
        read_word(word)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Placed<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.rest();
            let first = rest.chars().next()?;
            let (start, line) = (self.at, self.line);
            let token = match first {
                c if c.is_whitespace() || is_invisible(c) => {
                    let length = rest.find(|c: char| !(c.is_whitespace() || is_invisible(c)));
                    let ended = self.skip(length.unwrap_or(rest.len()));
                    self.after_empty_line |= ended > 1;
                    continue;
                }
                '%' if self.at_line_start() => {
                    self.skip(self.up_to_line_end());
                    continue;
                }
                '[' => match self.tag().or_else(|| self.bracketed()) {
                    Some(token) => token,
                    None => {
                        self.skip(1);
                        continue;
                    }
                },
                '{' => match rest.find('}') {
                    Some(end) => {
                        self.skip(end + 1);
                        Token::Comment(&rest[1..end])
                    }
                    None => {
                        self.skip(rest.len());
                        Token::UnclosedComment(&rest[1..])
                    }
                },
                ';' => {
                    let end = self.up_to_line_end();
                    self.skip(end);
                    Token::Comment(&rest[1..end])
                }
                '(' => {
                    self.skip(1);
                    self.open += 1;
                    Token::Open
                }
                ')' => {
                    self.skip(1);
                    self.open = self.open.saturating_sub(1);
                    Token::Close
                }
                '*' => {
                    self.skip(1);
                    Token::Result(Outcome::Unknown)
                }
                '$' => {
                    let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                    self.skip(1 + digits);
                    match rest[1..=digits].parse() {
                        Ok(nag) => Token::Nag(nag),
                        Err(_) => continue, // no glyph has such a number
                    }
                }
                '!' | '?' | '‼' | '⁇' | '⁈' | '⁉' => {
                    let (nag, bytes) = mark(rest);
                    self.skip(bytes);
                    Token::Nag(nag)
                }
                '<' if rest.starts_with("<>") => {
                    self.skip(2);
                    Token::Word(&rest[..2])
                }
                c if ends_word(c) || c == '.' || c == '…' => {
                    self.skip(c.len_utf8());
                    continue;
                }
                // A tag that has lost its bracket.
                c if self.among_tags && c.is_alphabetic() && self.at > 0 && self.at_line_start() => {
                    match self.tag().or_else(|| self.word()) {
                        Some(token) => token,
                        None => continue,
                    }
                }
                _ => match self.word() {
                    Some(token) => token,
                    None => continue,
                },
            };
            self.among_tags = matches!(token, Token::Tag(..));
            let number = match token {
                Token::Word(_) | Token::Result(_) | Token::Tag(..) => self.number.take(),
                _ => None,
            };
            if self.among_tags {
                self.open = 0;
            }
            return Some(Placed {
                token,
                line,
                span: start..self.at,
                after_empty_line: std::mem::take(&mut self.after_empty_line),
                number,
            });
        }
    }
}

/// Whether it is a move in the numbers of correspondence chess (ICCF): `5254` is e2–e4, a fifth number a promotion.
pub(super) fn is_numeric_move(word: &str) -> bool {
    matches!(word.len(), 4 | 5) && word.bytes().all(|digit| matches!(digit, b'1'..=b'8'))
}

/// Where a word ends; characters that nobody sees end a move and are part of other words.
fn end_of_word(text: &str) -> usize {
    let plain = text
        .bytes()
        .position(|byte| !byte.is_ascii() || ends_word(char::from(byte)));
    let plain = plain.unwrap_or(text.len());
    if text.as_bytes().get(plain).is_none_or(u8::is_ascii) {
        return plain;
    }
    let mut before = text[..plain].chars().next_back().unwrap_or(' ');
    for (at, c) in text[plain..].char_indices() {
        let at = plain + at;
        let next = || text[at..].trim_start_matches(is_invisible);
        if ends_word(c) || (is_invisible(c) && ends_move(before) && !next().starts_with(['-', '=', 'x', '+', '#'])) {
            return at;
        }
        before = c;
    }
    text.len()
}

fn ends_move(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '+' | '#')
}

/// The bytes behind a pawn's move to the last rank that say what it becomes: ` = Q`, `(Q)`, ` Q`.
fn promotion_behind(word: &str, rest: &str) -> usize {
    let bare = word.strip_suffix('=').unwrap_or(word);
    if !bare.starts_with(|c: char| ('a'..='h').contains(&c)) || !bare.ends_with(['1', '8']) {
        return 0;
    }
    let spaces = |text: &'_ str| text.len() - text.trim_start_matches(' ').len();
    let mut at = spaces(rest);
    let mut is_signed = bare.len() < word.len();
    let mut is_open = false;
    for sign in ['(', '='] {
        if rest[at..].starts_with(sign) {
            is_open |= sign == '(';
            is_signed = true;
            at += 1 + spaces(&rest[at + 1..]);
        }
    }
    if !is_open && rest[at..].starts_with('(') {
        (is_open, at) = (true, at + 1);
    }
    let letter = rest[at..].chars().next();
    let is_piece = letter.is_some_and(|c| match c {
        'Q' | 'R' | 'B' | 'N' => true,
        'q' | 'r' | 'b' | 'n' => is_signed,
        _ => false,
    });
    let mut end = at + 1;
    if is_piece && is_open {
        if !rest[end..].starts_with(')') {
            return 0;
        }
        end += 1;
    }
    let goes_on = |rest: &str| rest.starts_with(char::is_alphanumeric);
    if is_piece && !goes_on(&rest[end..]) { end } else { 0 }
}

fn ends_word(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(
            c,
            '{' | '}' | '(' | ')' | '[' | ']' | ';' | '$' | '!' | '?' | '*' | '"' | '<' | '>' | '\u{feff}'
        )
        || matches!(c, '‼' | '⁇' | '⁈' | '⁉')
}

/// The glyph that `text` starts with and its length in bytes.
fn mark(text: &str) -> (u8, usize) {
    const MARKS: [(&str, u8); 10] = [
        ("!!", 3),
        ("??", 4),
        ("!?", 5),
        ("?!", 6),
        ("!", 1),
        ("?", 2),
        ("‼", 3),
        ("⁇", 4),
        ("⁉", 5),
        ("⁈", 6),
    ];
    MARKS
        .iter()
        .find(|(mark, _)| text.starts_with(mark))
        .map_or((0, 1), |(mark, nag)| (*nag, mark.len()))
}

/// `None` for a lone sign that says nothing.
fn read_word(word: &str) -> Option<Token<'_>> {
    let plain: Cow<'_, str> = if word.is_ascii() {
        word.into()
    } else {
        word.chars().map(|c| if is_dash(c) { '-' } else { c }).collect()
    };
    // Informant signs, by their numbers in the PGN standard, section 10.
    let nag = match &*plain {
        "□" => 7,
        "=" => 10,
        "∞" => 13,
        "⩲" | "+/=" | "+=" => 14,
        "⩱" | "=/+" | "=+" => 15,
        "±" | "+/-" => 16,
        "∓" | "-/+" => 17,
        "+-" => 18,
        "-+" => 19,
        "N" | "TN" => 146,
        "D" => 220,
        _ => 0,
    };
    if nag != 0 {
        return Some(Token::Nag(nag));
    }
    (word.contains(char::is_alphanumeric) || is_null(&plain)).then_some(Token::Word(word))
}

/// Whether a word says what the board says already: a check, a mate, a capture en passant.
pub(super) fn says_nothing(word: &str) -> bool {
    matches!(word, "e.p." | "e.p" | "ep" | "ch" | "ch." | "mate")
}

#[cfg(test)]
mod tests {
    use shakmaty::{Color, KnownOutcome};

    use super::*;

    #[test]
    fn splits_what_files_hold() {
        let text = "\u{feff}[White \"A \\\"B\\\"\"]\r\n\r\n% escape\r\n1.e4! {good} e5$2 (1... c5 ±) 12...Nf6 0-0 1–0";
        let tokens: Vec<Token> = Tokens::new(text).map(|placed| placed.token).collect();
        let white = Outcome::Known(KnownOutcome::Decisive { winner: Color::White });
        assert_eq!(
            tokens,
            [
                Token::Tag("White".to_owned(), "A \"B\"".to_owned()),
                Token::Word("e4"),
                Token::Nag(1),
                Token::Comment("good"),
                Token::Word("e5"),
                Token::Nag(2),
                Token::Open,
                Token::Word("c5"),
                Token::Nag(16),
                Token::Close,
                Token::Word("Nf6"),
                Token::Word("0-0"),
                Token::Result(white),
            ]
        );
    }

    #[test]
    fn a_long_comment_is_read_in_steps_that_leave_nothing_out() {
        let words = "Žluťoučký  kůň\n pěl. ".repeat(COMMENT_STEP / 10);
        for (whole, closed) in [(Token::Comment(&words), true), (Token::UnclosedComment(&words), false)] {
            let (mut left, mut read) = (whole, String::new());
            while let Some((Token::Comment(piece), rest)) = left.beginning() {
                assert!(piece.len() <= COMMENT_STEP && !piece.is_empty());
                read += piece;
                left = rest;
            }
            match left {
                Token::Comment(rest) if closed => read += rest,
                Token::UnclosedComment(rest) if !closed => read += rest,
                other => panic!("{other:?}"),
            }
            assert_eq!(read, words);
        }
        let word = "x".repeat(2 * COMMENT_STEP);
        assert_eq!(Token::Comment(&word).beginning(), None);
        assert_eq!(Token::Comment(&format!(" {word}")).beginning(), None);
        assert_eq!(Token::Word(&words).beginning(), None);
    }

    #[test]
    fn counts_lines_however_they_end() {
        for end in ["\n", "\r\n", "\r"] {
            let text = "e4\n{two\nlines} e5\n\nNf3 ; to the end\nNc6\n% all of it\nBb5".replace('\n', end);
            let placed: Vec<Placed<'_>> = Tokens::new(&text).collect();
            let lines: Vec<usize> = placed.iter().map(|placed| placed.line).collect();
            assert_eq!(lines, [1, 2, 3, 5, 5, 6, 8], "{end:?}");
            let after: Vec<bool> = placed.iter().map(|placed| placed.after_empty_line).collect();
            assert_eq!(after, [false, false, false, true, false, false, false], "{end:?}");
        }
    }

    fn words(text: &str) -> Vec<&str> {
        let word = |placed: Placed<'static>| match placed.token {
            Token::Word(word) => word,
            Token::Nag(_) => "$",
            Token::Result(_) => "result",
            Token::Open => "(",
            Token::Close => ")",
            _ => "",
        };
        let text: &'static str = text.to_owned().leak();
        Tokens::new(text).map(word).collect()
    }

    #[test]
    fn numbers_times_and_promotions_are_told_apart() {
        for (text, found) in [
            ("1.e4 1...e5 2 Nf3", &["e4", "e5", "Nf3"][..]),
            ("4.0-0 5.0-0-0 6.O-O", &["0-0", "0-0-0", "O-O"]),
            ("e4 5.2s e5 3.1 10s 0:05", &["e4", "5.2s", "e5", "3.1", "10s", "0:05"]),
            ("1. 5254 5755 12. 57581", &["5254", "5755", "57581"]),
            ("1) e4 e5 2) Nf3 (2) d4)", &["e4", "e5", "Nf3", "(", ")", "d4", ")"]),
            ("b8(Q) Kg4", &["b8(Q)", "Kg4"]),
            ("b8 (Q)+ Kg4", &["b8 (Q)", "Kg4"]),
            ("b8 = Q Kg4", &["b8 = Q", "Kg4"]),
            ("b8= Q Kg4", &["b8= Q", "Kg4"]),
            ("b8=(Q) Kg4", &["b8=(Q)", "Kg4"]),
            ("axb8 Q Kg4", &["axb8 Q", "Kg4"]),
            ("b8=Q Kg4", &["b8=Q", "Kg4"]),
            ("b8 = Qc4", &["b8", "$", "Qc4"]),
            ("b8 (Qc4)", &["b8", "(", "Qc4", ")"]),
            ("Rb8 (Q)", &["Rb8", "(", "Q", ")"]),
            ("1. e4 <> 2. 0000 -- Z0 @@@@", &["e4", "<>", "0000", "--", "Z0", "@@@@"]),
            (
                "e4\u{200b}e5 N\u{200b}f3 \u{feff}Nc6\u{200e}",
                &["e4", "e5", "N\u{200b}f3", "Nc6"],
            ),
            ("e4 e5 1:0 d4 1 - 0", &["e4", "e5", "result", "d4", "result"]),
        ] {
            assert_eq!(words(text), found, "{text}");
        }
    }
}
