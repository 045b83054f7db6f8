//! Where a text gives a score from 1 to 5.
//!
//! A first digit is often no score ("1. Read the comment", "on a scale of 1-5"), and the last may be the scale's end
//! ("4/5", "4 out of 5"). Taken is a digit that stands alone and is neither the end of a scale nor part of another number.

/// A score that a text gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digit {
    /// Byte of the text.
    pub at: usize,
    /// 1 to 5.
    pub score: u8,
}

/// The last score that `text` gives, `None` where it gives none.
#[must_use]
pub fn last_score(text: &str) -> Option<Digit> {
    let numbers = numbers(text);
    let mut left = numbers.len();
    while left > 0 {
        left -= 1;
        let number = &numbers[left];
        let before = text[..number.at].trim_end();
        if let Some(scale) = end_of_scale(before) {
            // "4/5", "4 out of 5": the score is what stands before; of "1-5" neither is one.
            if scale == Scale::Range {
                left = left.saturating_sub(1);
            }
            continue;
        }
        let after = &text[number.end..];
        if begins_line(text, number.at) && is_list_sign(after) {
            continue;
        }
        let alone = !number.negative && number.end == number.at + 1;
        let digit = text[number.at..number.end].parse().ok().filter(|_| alone);
        return match digit {
            Some(score @ 1..=5) => Some(Digit { at: number.at, score }),
            _ => None,
        };
    }
    None
}

fn begins_line(text: &str, at: usize) -> bool {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    text[line..at].trim().is_empty()
}

/// "1. Read …", "2) Assess …".
fn is_list_sign(after: &str) -> bool {
    let rest = after.strip_prefix(['.', ')']);
    rest.is_some_and(|rest| rest.starts_with(' ') && !rest.trim().is_empty())
}

/// How a number before this one makes it the end of a scale.
#[derive(PartialEq, Eq)]
enum Scale {
    /// "/", "out of".
    OutOf,
    /// "-", "–", "to" after a number.
    Range,
}

fn end_of_scale(before: &str) -> Option<Scale> {
    let lower = before.to_lowercase();
    if lower.ends_with('/') || lower.ends_with("out of") {
        return Some(Scale::OutOf);
    }
    let start = ["-", "–", "—", " to"]
        .into_iter()
        .find_map(|sign| lower.strip_suffix(sign))?;
    ends_with_digit(start).then_some(Scale::Range)
}

/// A number as it is written, with its decimals.
struct Number {
    at: usize,
    end: usize,
    negative: bool,
}

/// The numbers of a text. Digits beside letters are not numbers: a square, a move.
fn numbers(text: &str) -> Vec<Number> {
    let mut found = Vec::new();
    let mut rest = 0;
    while let Some(at) = text[rest..].find(|c: char| c.is_ascii_digit()).map(|at| rest + at) {
        let mut end = at + digits(&text[at..]);
        // Decimals belong to it, a full stop does not.
        if let Some(more) = text[end..]
            .strip_prefix(['.', ','])
            .map(digits)
            .filter(|more| *more > 0)
        {
            end += 1 + more;
        }
        rest = end;
        let glued = text[..at].chars().next_back();
        let is_word = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_alphabetic());
        if is_word(glued) || is_word(text[end..].chars().next()) {
            continue;
        }
        let sign = glued.filter(|sign| matches!(sign, '-' | '−'));
        let negative = sign.is_some_and(|sign| !ends_with_digit(&text[..at - sign.len_utf8()]));
        found.push(Number { at, end, negative });
    }
    found
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn ends_with_digit(text: &str) -> bool {
    text.trim_end().ends_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_the_last_digit_that_stands_alone() {
        let table = [
            ("4", Some(4)),
            (" 3\n", Some(3)),
            ("5/5", Some(5)),
            ("4/5", Some(4)),
            ("4 out of 5", Some(4)),
            ("Score: 2", Some(2)),
            ("Score (1-5): 2", Some(2)),
            ("2 (on a scale of 1-5)", Some(2)),
            ("2 (on a scale from 1 to 5)", Some(2)),
            ("On a scale of 1–5, where 5 is best, I give it a 3.", Some(3)),
            ("**4**", Some(4)),
            ("```\n4\n```", Some(4)),
            ("1. Read it.\n2. Assess it.\n3. Score: 5", Some(5)),
            ("The score is 4.", Some(4)),
            ("4.", Some(4)),
            ("4.0", None),
            ("4.5", None),
            ("3,5", None),
            ("10", None),
            ("01", None),
            ("0", None),
            ("6", None),
            ("-3", None),
            ("ten", None),
            ("five", None),
            ("", None),
            ("Nd5 was played on move e4", None),
            ("The knight on d5 is strong: 4", Some(4)),
            ("评分：4", Some(4)),
            ("Die Note ist 2", Some(2)),
            ("Score 4/5 for 30... Bd2+", None),
        ];
        for (text, score) in table {
            assert_eq!(last_score(text).map(|digit| digit.score), score, "{text:?}");
        }
    }

    #[test]
    fn the_place_is_that_of_the_digit() {
        assert_eq!(last_score("ä 4/5"), Some(Digit { at: 3, score: 4 }));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "[ 0-9./\\-–a-eé\n]{0,24}") {
            if let Some(digit) = last_score(&text) {
                proptest::prop_assert_eq!(text[digit.at..].chars().next(), char::from_digit(digit.score.into(), 10));
            }
        }
    }
}
