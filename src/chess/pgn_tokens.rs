//! PGN text in pieces. Kibitz splits it itself because pgn-reader passes over words it cannot read without a report, so
//! a mistyped move would be blamed on the one after it; and because it gives up on a comment that is not closed.

use shakmaty::{Color, KnownOutcome, Outcome};

use super::fen_fields::is_dash;

/// A piece of PGN text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`, with escapes undone.
    Tag(&'a str, String),
    /// `{…}` or `;…`.
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

/// Bytes of a comment that are read in one step: a millisecond or two.
const COMMENT_STEP: usize = 50_000;

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

/// Splits PGN text. Yields the line number (from 1) with each token.
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text: text.strip_prefix('\u{feff}').unwrap_or(text),
            at: 0,
            line: 1,
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Moves on by `bytes`, counting lines.
    fn skip(&mut self, bytes: usize) {
        let passed = &self.text.as_bytes()[self.at..self.at + bytes];
        self.line += passed.iter().filter(|b| **b == b'\n').count();
        self.at += bytes;
    }

    fn at_line_start(&self) -> bool {
        self.at == 0 || matches!(self.text.as_bytes()[self.at - 1], b'\n' | b'\r')
    }

    fn tag(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        let inside = rest[1..].trim_start_matches([' ', '\t']);
        let end = inside.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
        let name = &inside[..end];
        let value = inside[end..]
            .trim_start_matches([' ', '\t'])
            .strip_prefix(['"', '“', '”'])?;
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let mut decoded = String::new();
        let mut chars = value.char_indices();
        let mut length = value.len();
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' if value[at + 1..].starts_with(['\\', '"']) => decoded.extend(chars.next().map(|(_, c)| c)),
                '"' | '”' => {
                    length = at + c.len_utf8();
                    break;
                }
                '\n' | '\r' => {
                    // Not closed: the value ends with the line, and so does the bracket.
                    decoded.truncate(decoded.trim_end_matches([']', ' ', '\t']).len());
                    length = at;
                    break;
                }
                c => decoded.push(if c.is_control() { ' ' } else { c }),
            }
        }
        let after = value[length..].trim_start_matches([' ', '\t']);
        let after = after.strip_prefix(']').unwrap_or(after);
        self.skip(rest.len() - after.len());
        Some(Token::Tag(name, decoded))
    }

    fn up_to_line_end(&self) -> usize {
        self.rest().find('\n').unwrap_or(self.rest().len())
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (usize, Token<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.rest();
            let first = rest.chars().next()?;
            let line = self.line;
            let token = match first {
                '%' if self.at_line_start() => {
                    self.skip(self.up_to_line_end());
                    continue;
                }
                '[' => match self.tag() {
                    Some(tag) => tag,
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
                    Token::Open
                }
                ')' => {
                    self.skip(1);
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
                c if ends_word(c) || c == '.' || c == '…' => {
                    self.skip(c.len_utf8());
                    continue;
                }
                _ => {
                    let word = &rest[..rest.find(ends_word).unwrap_or(rest.len())];
                    let number = word.bytes().take_while(u8::is_ascii_digit).count();
                    if number > 0 && (number == word.len() || word[number..].starts_with(['.', '…'])) {
                        self.skip(number);
                        continue;
                    }
                    self.skip(word.len());
                    match read_word(word) {
                        Some(token) => token,
                        None => continue,
                    }
                }
            };
            return Some((line, token));
        }
    }
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

/// `None` for what says nothing: `e.p.`, a lone sign.
fn read_word(word: &str) -> Option<Token<'_>> {
    let plain: String = word.chars().map(|c| if is_dash(c) { '-' } else { c }).collect();
    let winner = |winner| Some(Token::Result(Outcome::Known(KnownOutcome::Decisive { winner })));
    match plain.as_str() {
        "1-0" => return winner(Color::White),
        "0-1" => return winner(Color::Black),
        "1/2-1/2" | "1/2" | "½-½" | "½" => return Some(Token::Result(Outcome::Known(KnownOutcome::Draw))),
        "e.p." | "e.p" | "ep" | "ch" | "mate" | "+" | "#" | "++" => return None,
        "--" => return Some(Token::Word(word)),
        _ => {}
    }
    // Informant signs, by their numbers in the PGN standard, section 10.
    let nag = match plain.as_str() {
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
    word.contains(char::is_alphanumeric).then_some(Token::Word(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_what_files_hold() {
        let text = "\u{feff}[White \"A \\\"B\\\"\"]\r\n\r\n% escape\r\n1.e4! {good} e5$2 (1... c5 ±) 12...Nf6 0-0 1–0";
        let tokens: Vec<Token> = Tokens::new(text).map(|(_, token)| token).collect();
        let white = Outcome::Known(KnownOutcome::Decisive { winner: Color::White });
        assert_eq!(
            tokens,
            [
                Token::Tag("White", "A \"B\"".to_owned()),
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
    fn counts_lines() {
        let lines: Vec<usize> = Tokens::new("e4\n{two\nlines} e5\n\nNf3")
            .map(|(line, _)| line)
            .collect();
        assert_eq!(lines, [1, 2, 3, 5]);
    }
}
