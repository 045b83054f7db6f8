//! Comments that are about more than the one move they stand on. The paper leaves them out (section 4.1) and does not say
//! how it knows them; this is our rule, which `docs/study.md` tells its readers.

use std::str::FromStr;

use shakmaty::san::San;

/// What is said of several moves in words.
const PHRASES: [&str; 7] = [
    "these moves",
    "these two moves",
    "these three moves",
    "these last moves",
    "the last two moves",
    "the last three moves",
    "the moves above",
];

/// Whether a comment is about more than one move: it begins with two moves or more, one after another (`22. Nd8+ Ke7 23.
/// Nc6+ wins`), it names a range (`moves 14-18`, `moves 14 to 18`), or it says so (`these moves`, `the last two moves`, …).
/// A move further on, such as the reply or a better move, does not make it one.
#[must_use]
pub fn is_about_several_moves(comment: &str) -> bool {
    let first = comment.split_whitespace().take(12).collect::<Vec<_>>().join(" ");
    if leading_moves(&first) > 1 {
        return true;
    }
    let text = comment.to_lowercase();
    let words: Vec<&str> = text
        .split(|letter: char| !letter.is_alphanumeric() && letter != '-' && letter != '–')
        .filter(|word| !word.is_empty())
        .collect();
    let plain = words.join(" ");
    PHRASES
        .iter()
        .any(|phrase| format!(" {plain} ").contains(&format!(" {phrase} ")))
        || has_range(&words)
}

/// How many moves a text begins with. Numbers and dots between them do not count.
fn leading_moves(text: &str) -> usize {
    let tokens = text
        .split_whitespace()
        .map(without_number)
        .filter(|token| !token.is_empty());
    tokens.take_while(|token| is_move(token)).count()
}

/// The moves of a cell that holds one or more of them, without their numbers: `22. Nd8+ Ke7` has two. Empty where something
/// else is among them.
#[must_use]
pub fn moves_in(cell: &str) -> Vec<&str> {
    let tokens = cell
        .split_whitespace()
        .map(without_number)
        .filter(|token| !token.is_empty());
    let tokens: Vec<&str> = tokens.collect();
    if tokens.iter().all(|token| is_move(token)) {
        tokens
    } else {
        Vec::new()
    }
}

/// `Nd8+` of `22.Nd8+`, nothing of `22...`.
fn without_number(token: &str) -> &str {
    let after = token.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let dots = |letter: char| letter == '.' || letter == '…';
    if after.len() < token.len() && (after.is_empty() || after.starts_with(dots)) {
        after.trim_start_matches(dots)
    } else {
        token.trim_start_matches(dots)
    }
}

fn is_move(token: &str) -> bool {
    let token = token.trim_end_matches(['!', '?', ',', ';', ':', '.', ')']);
    // `--` is no move of a game.
    let begins = token.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '0');
    let castling = token.replace('0', "O");
    let token = token.trim_end_matches(['+', '#']);
    begins && (San::from_str(token).is_ok() || San::from_str(castling.trim_end_matches(['+', '#'])).is_ok())
}

/// "moves 14-18", "moves 14 to 18".
fn has_range(words: &[&str]) -> bool {
    let number = |word: &str| !word.is_empty() && word.len() < 4 && word.bytes().all(|letter| letter.is_ascii_digit());
    let numbers = |word: &str| {
        let parts = word.split_once(['-', '–']);
        parts.is_some_and(|(from, to)| number(from) && number(to))
    };
    words.windows(2).any(|pair| pair[0] == "moves" && numbers(pair[1]))
        || words.windows(4).any(|four| {
            four[0] == "moves" && number(four[1]) && ["to", "through"].contains(&four[2]) && number(four[3])
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_holds_on_both_sides() {
        for several in [
            "22. Nd8+ Ke7 23. Nc6+ and the rook is lost.",
            "14.Bg5, h6; a well-known pair.",
            "O-O O-O: both sides are safe now.",
            "0-0 0-0-0 and so on",
            "These moves are all book.",
            "I am not proud of the last two moves.",
            "Moves 14-18 were played quickly.",
            "In moves 14 to 18 White only waits.",
        ] {
            assert!(is_about_several_moves(several), "{several}");
        }
        for one in [
            "",
            "Nd8+ wins the exchange: after Ke7 Nc6+ the rook is lost.",
            "22. Nd8+",
            "22... Nd8 is solid.",
            "A good move. 23. Nc6+ comes next.",
            "White has two moves here, and both are good.",
            "Better was Qd3 Qxd3 cxd3.",
            "He moves 2 pawns in the next few moves.",
            "a fine idea",
        ] {
            assert!(!is_about_several_moves(one), "{one}");
        }
    }

    #[test]
    fn a_cell_can_hold_several_moves() {
        assert_eq!(moves_in("15. Nf3 Nf6 16. Bg5"), ["Nf3", "Nf6", "Bg5"]);
        assert_eq!(moves_in("15...Nf6!"), ["Nf6!"]);
        assert_eq!(moves_in("15. knight to f6"), Vec::<&str>::new());
    }
}
