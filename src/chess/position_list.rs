//! Positions in a text that people keep them in: one a line, numbered or not, with remarks between them, broken over lines.

use std::borrow::Cow;

use crate::pace::Pace;

/// So many lines are one step, a millisecond or two in a page.
const STEP: usize = 128;

/// The longest that may stand before a position on its line, in bytes: `Diagram 12 (White to move):`.
const LONGEST_LEAD_IN: usize = 40;
/// A first word with so many slashes is taken for a piece placement, however wrong.
const SLASHES: usize = 3;
/// And the slashes of a whole one.
const ALL_SLASHES: usize = 7;
/// The fields of a FEN.
const FIELDS: usize = 6;

/// A line of a text, or several that make up one position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListLine<'a> {
    /// On which line it begins, from 1.
    pub number: usize,
    /// The position and what follows it on its line; of a line without one, the line.
    pub text: Cow<'a, str>,
    /// Whether a position stands there.
    pub is_position: bool,
    /// Where in the text the next line begins.
    pub end: usize,
}

/// The text without signs that nobody sees: zero-width spaces and joiners, marks of direction, soft hyphens, byte order marks.
pub(super) fn without_unseen(text: &str) -> Cow<'_, str> {
    match text.contains(is_unseen) {
        true => Cow::Owned(text.replace(is_unseen, "")),
        false => Cow::Borrowed(text),
    }
}

/// Whether a sign is not seen and means nothing in chess.
fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{fe0e}' | '\u{fe0f}' | '\u{feff}'
    )
}

/// The lines that say something: remarks (`#`, `//`, fences of code) and lines of signs alone are left out, and what was broken
/// over lines is put together. Linear in the text.
pub(super) async fn list_lines<'a>(text: &'a str, pace: &impl Pace) -> Vec<ListLine<'a>> {
    let mut lines: Vec<ListLine<'_>> = Vec::new();
    let mut at = 0;
    let mut number = 0;
    // A line end that a line before it was cut at; blank lines end a position.
    let mut is_open = false;
    while at < text.len() {
        let rest = &text[at..];
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let line = &rest[..end];
        let step = if rest[end..].starts_with("\r\n") { 2 } else { 1 };
        at = (at + end + step).min(text.len());
        number += 1;
        if number % STEP == 0 {
            pace.turn().await;
        }
        if is_remark_line(line) {
            is_open &= !line.trim().is_empty();
            continue;
        }
        if is_open
            && let Some(last) = lines.last_mut()
            && let Some(joined) = joined(&last.text, line.trim())
        {
            *last = ListLine {
                number: last.number,
                is_position: slashes(&joined) >= SLASHES,
                text: Cow::Owned(joined),
                end: at,
            };
            continue;
        }
        let position = position_in(line);
        lines.push(ListLine {
            number,
            text: Cow::Borrowed(position.unwrap_or_else(|| without_marker(line.trim()))),
            is_position: position.is_some(),
            end: at,
        });
        is_open = true;
    }
    lines
}

/// Whether a line holds nothing to be read.
fn is_remark_line(line: &str) -> bool {
    let line = line.trim_start();
    // `#7 8/8/…` is numbered; `#fen=…` is an address of ours.
    let is_numbered = |rest: &str| {
        let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        after.len() < rest.len() && after.starts_with([' ', '\t', '.', ')', ':'])
    };
    let is_hash = line
        .strip_prefix('#')
        .is_some_and(|rest| !is_numbered(rest) && !rest.starts_with("fen="));
    let signs = ["//", "```", "~~~", ";", "%"];
    is_hash || signs.iter().any(|sign| line.starts_with(sign)) || !line.contains(char::is_alphanumeric)
}

/// The slashes of the first word.
fn slashes(text: &str) -> usize {
    first_word(text).matches('/').count()
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// Whether a word can be rows of a piece placement, or a part of them.
fn is_rows(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| "pnbrqkPNBRQK12345678/~".contains(c))
}

/// A position that was broken over lines with the next line; `None` where the next line is none of it.
fn joined(position: &str, next: &str) -> Option<String> {
    let word = first_word(position);
    let is_alone = word.len() == position.trim().len();
    let found = slashes(position);
    if is_alone && is_rows(word) && found > 0 && found < ALL_SLASHES {
        // Rows go on; a word that begins another position has too many of them.
        let more = first_word(next);
        let whole = found + more.matches('/').count();
        let is_next_row = word.ends_with('/') || more.starts_with('/') || more.contains('/') || whole == ALL_SLASHES;
        return (is_rows(more) && is_next_row && whole <= ALL_SLASHES).then(|| format!("{}{next}", position.trim()));
    }
    if found != ALL_SLASHES || position.contains(';') {
        return None;
    }
    let (have, more) = (position.split_whitespace().count(), next.split_whitespace());
    let mut words = next.split_whitespace();
    if have == 1
        && words.next().is_some_and(is_rows)
        && (position.trim_end().ends_with('/') || matches!(words.next(), Some("w" | "b")))
    {
        return Some(format!("{}{next}", position.trim()));
    }
    let count = more.clone().count();
    let fit = more.zip(have..).all(|(word, field)| is_field(word, field));
    (count > 0 && have + count <= FIELDS && fit).then(|| format!("{} {next}", position.trim()))
}

/// Whether a word can be this field of a FEN, counted from the placement's 0, and nothing else. A square alone is rather a move.
fn is_field(word: &str, field: usize) -> bool {
    match field {
        1 => matches!(word, "w" | "b"),
        2 => word == "-" || word.chars().all(|c| "KQkq".contains(c)),
        3 => word == "-" || (word.len() == 2 && word.ends_with(['3', '6'])),
        4 | 5 => word.bytes().all(|byte| byte.is_ascii_digit()),
        _ => false,
    }
}

/// The position that a line holds, from where it begins, with the quotes around it; `None` where it holds none. What may stand
/// before it are a number, a bullet and a few words.
pub(super) fn position_in(line: &str) -> Option<&str> {
    let line = line.trim();
    let whole = line;
    let mut from = 0;
    while from <= LONGEST_LEAD_IN.min(line.len()) {
        let rest = &line[from..];
        let begin = from + (rest.len() - rest.trim_start().len());
        let word = first_word(&line[begin..]);
        if word.is_empty() {
            return None;
        }
        if word.matches('/').count() >= SLASHES && !word.contains("//") {
            let before_slash = word.find('/').unwrap_or_default();
            // `FEN:8/8/…`, `fen="8/8/…`, `(8/8/…`
            let label = word[..before_slash].rfind([':', '=', '(', '[', '{', '<', '|']);
            let start = begin + label.map_or(0, |end| end + 1);
            return from_start(whole, start);
        }
        from = begin + word.len();
    }
    None
}

fn from_start(line: &str, start: usize) -> Option<&str> {
    let lead_in = line[..start].trim();
    // A tag of a PGN: `[FEN "8/8/…`.
    if lead_in.len() > LONGEST_LEAD_IN
        || (lead_in.starts_with('[') && lead_in[1..].starts_with(|c: char| c.is_ascii_alphabetic()))
    {
        return None;
    }
    // Labels that a FEN may have are the FEN reader's.
    let label = lead_in.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
    let is_label = ["fen", "epd", "position"]
        .iter()
        .any(|own| label.eq_ignore_ascii_case(own));
    if lead_in.is_empty() || is_label {
        return Some(line);
    }
    let position = line[start..].trim_start();
    let position = match position.contains(';') {
        true => position,
        false => position.trim_end_matches([')', ']', '}', '>', '|', ',', ' ']),
    };
    // In the middle of a sentence nothing but rows is a position.
    let is_placement =
        is_rows(first_word(position).trim_matches(['"', '\'', '`', '“', '”', '‘', '’', '„', '«', '»', '*']));
    let is_marker = without_marker(line).len() <= position.len() + 2;
    (is_placement || is_marker).then_some(position)
}

/// A line without its number or bullet: `1.`, `2)`, `(3)`, `[4]`, `#5`, `-`, `•`.
fn without_marker(line: &str) -> &str {
    let opened = line.trim_start_matches(['(', '[', '#']);
    let rest = opened.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < opened.len() {
        let marked = rest.trim_start_matches(['.', ')', ']', ':']);
        if marked.len() < rest.len() || rest.starts_with(char::is_whitespace) {
            return marked.trim_start();
        }
    }
    let rest = line.trim_start_matches(['-', '*', '•', '–', '—', '·', '+', '>', '▪', '◦', '‣']);
    match rest.starts_with(char::is_whitespace) {
        true => rest.trim_start(),
        false => line,
    }
}

/// Whether what follows a position on its line is a remark: no move, no operation, no number of a move.
pub(super) fn is_remark(text: &str) -> bool {
    let says_moves = |word: &str| {
        let letters = word.contains(|c: char| c.is_alphabetic());
        let numbered = word.starts_with(|c: char| c.is_ascii_digit()) && word.contains(['.', '-', '/', '…']);
        (letters && word.contains(|c: char| c.is_ascii_digit()))
            || numbered
            || word.starts_with("O-O")
            || word.contains(['♘', '♗', '♖', '♕', '♔'])
    };
    !text.contains(';') && text.contains(char::is_alphabetic) && !text.split_whitespace().any(says_moves)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pace::{AtOnce, at_once};

    const FEN: &str = "8/6R1/7p/5K1k/8/6p1/5bPP/4N3 w - - 0 1";

    fn read(text: &str) -> Vec<(usize, String)> {
        let lines = at_once(list_lines(text, &AtOnce))
            .into_iter()
            .filter(|line| line.is_position);
        lines.map(|line| (line.number, line.text.into_owned())).collect()
    }

    #[test]
    fn what_stands_before_a_position_is_no_part_of_it() {
        for before in [
            "",
            "1. ",
            "2) ",
            "(3) ",
            "[4] ",
            "5: ",
            "6\t",
            "- ",
            "* ",
            "• ",
            "– ",
            "#7 ",
            "No. 8: ",
            "Diagram 9: ",
            "| ",
            "White to play: ",
            "1. Kf2 is the key: ",
        ] {
            assert_eq!(position_in(&format!("{before}{FEN}")), Some(FEN), "{before}");
        }
        assert_eq!(
            position_in(&format!("FEN: {FEN}")),
            Some(format!("FEN: {FEN}").as_str())
        );
        for none in [
            &format!("[FEN \"{FEN}\"]"),
            "https://lichess.org/study/a/b/c",
            "this and/or/either/both of them",
            "1. e4 e5",
            "",
        ] {
            assert_eq!(position_in(none), None, "{none}");
        }
    }

    #[test]
    fn rows_and_fields_are_put_together() {
        for cut in FEN.match_indices(['/', ' ']).map(|(at, _)| at + 1) {
            let (first, second) = FEN.split_at(cut);
            for end in ["\n", "\r\n", "\r", "\n  "] {
                let text = format!("{first}{end}{second}");
                assert_eq!(read(&text), [(1, FEN.to_owned())], "{text:?}");
            }
        }
        let rows = FEN.replace('/', "/\n");
        assert_eq!(read(&rows), [(1, FEN.to_owned())]);
        assert_eq!(read(&format!("{FEN}\n{FEN}\n")).len(), 2);
        assert_eq!(
            read(&format!("{FEN}\n\n# a remark\n# {FEN}\n#{FEN}\n```\n{FEN}\n```")).len(),
            2
        );
        // A move that follows is none of its fields.
        assert_eq!(
            read("8/6R1/7p/5K1k/8/6p1/5bPP/4N3 w -\ne4"),
            [(1, "8/6R1/7p/5K1k/8/6p1/5bPP/4N3 w -".to_owned())]
        );
    }

    proptest! {
        #[test]
        fn any_text_leaves_the_reader_standing(text in "[ -~\n\r/8kKw—“”•\u{200b}é]{0,200}") {
            let text = without_unseen(&text);
            for line in at_once(list_lines(&text, &AtOnce)) {
                prop_assert!(line.end <= text.len() && text.is_char_boundary(line.end));
                let _ = is_remark(&line.text);
            }
        }

        #[test]
        fn a_list_has_the_positions_that_were_put_in(count in 1_usize..20, marks in proptest::collection::vec(0_usize..6, 20)) {
            let mut text = String::new();
            for (number, mark) in marks.iter().enumerate().take(count) {
                let mark = ["".to_owned(), format!("{}. ", number + 1), format!("{}) ", number + 1), "- ".to_owned(), "# what follows is good\n".to_owned(), "\n".to_owned()][*mark].clone();
                text += &format!("{mark}{FEN}\n");
            }
            prop_assert_eq!(read(&text).len(), count);
        }
    }
}
