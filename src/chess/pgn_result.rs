//! How a game ended, as people write it: `1-0`, `1:0`, `½–½`, `1 - 0`.

use shakmaty::{Color, KnownOutcome, Outcome};

use super::fen_fields::is_dash;

/// What a side's points are written as, with the points in halves; what begins another stands before it.
const POINTS: [(&str, u8); 6] = [("1/2", 1), ("½", 1), ("0.5", 1), ("0,5", 1), ("1", 2), ("0", 0)];

/// The result that `text` starts with and its length in bytes. A draw may be given by one side's half alone.
pub(super) fn read_result(text: &str) -> Option<(Outcome, usize)> {
    let (first, after) = points(text)?;
    let is_lone_half = first == 1 && !after.starts_with(|c: char| c.is_alphanumeric() || is_sign(c));
    let second = || {
        let after = after.trim_start_matches([' ', '\t']);
        let after = after.strip_prefix(is_sign)?.trim_start_matches([' ', '\t']);
        // `0-0-0` castles, `1-0ff` is a result with a word behind it.
        points(after).filter(|(_, rest)| !rest.starts_with(|c: char| c.is_numeric() || is_sign(c) || c == '/'))
    };
    let known = |outcome, rest: &str| Some((Outcome::Known(outcome), text.len() - rest.len()));
    let win = |winner| KnownOutcome::Decisive { winner };
    match second().map(|(second, rest)| ((first, second), rest)) {
        Some(((2, 0), rest)) => known(win(Color::White), rest),
        Some(((0, 2), rest)) => known(win(Color::Black), rest),
        Some(((1, 1), rest)) => known(KnownOutcome::Draw, rest),
        _ if is_lone_half && !text.starts_with('0') => known(KnownOutcome::Draw, after),
        _ => None,
    }
}

fn points(text: &str) -> Option<(u8, &str)> {
    POINTS
        .iter()
        .find_map(|(written, points)| Some((*points, text.strip_prefix(written)?)))
}

/// What stands between the points of both sides.
fn is_sign(c: char) -> bool {
    matches!(c, '-' | ':') || is_dash(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_told_from_moves_and_numbers() {
        for (text, result, length) in [
            ("1-0", "1-0", 3),
            ("0-1", "0-1", 3),
            ("1/2-1/2", "1/2-1/2", 7),
            ("1:0 x", "1-0", 3),
            ("0 : 1", "0-1", 5),
            ("1 – 0\n", "1-0", 7),
            ("½-½", "1/2-1/2", 5),
            ("½:½", "1/2-1/2", 5),
            ("1/2", "1/2-1/2", 3),
            ("½ ", "1/2-1/2", 2),
            ("0.5-0.5", "1/2-1/2", 7),
            ("0,5:0,5", "1/2-1/2", 7),
            ("1-0ff", "1-0", 3),
            ("1-0.", "1-0", 3),
        ] {
            let found = read_result(text).map(|(outcome, length)| (outcome.to_string(), length));
            assert_eq!(found, Some((result.to_owned(), length)), "{text}");
        }
        for text in [
            "0-0", "0-0-0", "1-0-0", "1.", "10-1", "1. e4", "0.5", "1/2nd", "1-1", "1:00", "0:15", "0-0+", "1\n-\n0",
        ] {
            assert_eq!(read_result(text), None, "{text}");
        }
    }
}
