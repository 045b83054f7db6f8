//! Where sentences end: a full stop is one only where a sentence can end, not in "12. Nf3", "e.g." or "12...Nf6".

use std::ops::Range;

/// Words that a full stop belongs to.
const ABBREVIATIONS: [&str; 16] = [
    "e.g", "i.e", "etc", "vs", "cf", "ca", "approx", "mr", "dr", "st", "no", "fig", "resp", "e.p", "op", "incl",
];

/// The sentences of `text` in bytes, without the white space around them. A blank line ends one too.
#[must_use]
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < text.len() {
        let Some(c) = text[at..].chars().next() else { break };
        let next = at + c.len_utf8();
        match c {
            '.' | '!' | '?' | '…' | '‼' | '⁇' | '⁈' | '⁉' => {
                let end = run_end(text, at);
                if ends(text, start, at, end) {
                    push(text, start..end, &mut found);
                    start = end;
                }
                at = end;
                continue;
            }
            '\n' => {
                let rest = &text[next..];
                let line = rest.split('\n').next().unwrap_or_default();
                let listed = |line: &str| line.trim_start().starts_with(['-', '*', '•', '#']);
                if line.trim().is_empty() || listed(line) {
                    push(text, start..at, &mut found);
                    start = next;
                }
            }
            _ => {}
        }
        at = next;
    }
    push(text, start..text.len(), &mut found);
    found
}

/// The end of a run of marks and of the quotes and brackets that close behind it.
fn run_end(text: &str, at: usize) -> usize {
    let marks = text[at..].trim_start_matches(|c: char| ".!?…‼⁇⁈⁉".contains(c));
    let closed = marks.trim_start_matches(|c: char| ")]\"'”’»*_".contains(c));
    text.len() - closed.len()
}

/// True when the run of marks from `at` to `end` ends the sentence that began at `start`.
fn ends(text: &str, start: usize, at: usize, end: usize) -> bool {
    let rest = &text[end..];
    if !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
        return false;
    }
    let run = &text[at..end];
    let before = text[start..at].trim_start();
    let word = before
        .rsplit(|c: char| c.is_whitespace() || c == '(' || c == '"')
        .next()
        .unwrap_or_default();
    let next = rest.trim_start();
    let first = next.chars().next();
    if first.is_none() {
        return true;
    }
    let all_dots = run.chars().all(|c| c == '.' || c == '…');
    if all_dots {
        // "12. Nf3", "12 ... Nf6", "... Nf6": a number, or nothing at all, stands before the dots. A number that ends a
        // sentence ("mate in 2. Black …") has words before it.
        let number = word.bytes().all(|b| b.is_ascii_digit());
        if number && (word.is_empty() || move_follows(next) || before.len() == word.len()) {
            return false;
        }
        // An ellipsis in the middle of a sentence, or before a move.
        let long = run.chars().count() > 1 || run == "…";
        if long && (first.is_some_and(char::is_lowercase) || move_follows(next)) {
            return false;
        }
        let lower = word.to_ascii_lowercase();
        if run == "." && ABBREVIATIONS.contains(&lower.as_str()) {
            return lower == "etc" && first.is_some_and(char::is_uppercase);
        }
    } else if first.is_some_and(char::is_lowercase) && run.chars().all(|c| "!?‼⁇⁈⁉".contains(c)) {
        // "Nxe5!? wins": the mark belongs to the move.
        return !looks_like_move(word);
    } else if looks_like_move(word) && continues(next) {
        return false;
    }
    true
}

/// "Nxe5! Black": a new sentence; "Nxe5! Nxe5 13. Qh5": the moves go on.
fn continues(next: &str) -> bool {
    let word = next.split_whitespace().next().unwrap_or_default();
    word.starts_with(|c: char| c.is_ascii_digit()) || looks_like_move(word)
}

fn move_follows(next: &str) -> bool {
    looks_like_move(next.split_whitespace().next().unwrap_or_default())
}

/// A cheap look: does this word have the shape of a move? It says yes to every SAN.
fn looks_like_move(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && !"♔♕♖♗♘♙♚♛♜♝♞♟".contains(c));
    let upper = bare.to_ascii_uppercase().replace('0', "O");
    if matches!(upper.as_str(), "O-O" | "O-O-O") {
        return true;
    }
    let square = |s: &str| s.as_bytes().windows(2).any(|w| matches!(w, [b'a'..=b'h', b'1'..=b'8']));
    bare.len() >= 2 && bare.chars().count() <= 8 && !bare.contains(|c: char| c.is_whitespace()) && square(bare)
}

fn push(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let Some(slice) = text.get(range.clone()) else { return };
    let lead = slice.len() - slice.trim_start().len();
    let end = range.start + slice.trim_end().len();
    let start = range.start + lead;
    if start < end {
        found.push(start..end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        sentences(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn numbers_abbreviations_and_ellipses_do_not_split() {
        assert_eq!(
            split("White plays 12. Nf3 here. Good."),
            ["White plays 12. Nf3 here.", "Good."]
        );
        assert_eq!(
            split("After 12...Nf6 13. Bg5 it is fine."),
            ["After 12...Nf6 13. Bg5 it is fine."]
        );
        assert_eq!(
            split("12 ... Nf6 is met by e.g. Bg5."),
            ["12 ... Nf6 is met by e.g. Bg5."]
        );
        assert_eq!(
            split("It is mate in 2. Black resigns."),
            ["It is mate in 2.", "Black resigns."]
        );
        assert_eq!(split("Well... nothing. End"), ["Well... nothing.", "End"]);
        assert_eq!(
            split("Nxe5! wins a pawn! It is good"),
            ["Nxe5! wins a pawn!", "It is good"]
        );
        assert_eq!(
            split("One\n\nTwo\nstill two\n- three"),
            ["One", "Two\nstill two", "- three"]
        );
        assert_eq!(split(""), Vec::<&str>::new());
        assert_eq!(split("..."), ["..."]);
        assert_eq!(
            split("The knight goes to e5. It attacks f7."),
            ["The knight goes to e5.", "It attacks f7."]
        );
    }
}
