//! The move in an answer: UCI or SAN, in words, or with prose around it.
//!
//! What is looked for, the surest first:
//! 1. the whole answer, where it is a move;
//! 2. what is named as the answer: `\boxed{…}`, `"move": "…"`, `<move>…</move>`, `bestmove …`, “final answer:”; the last of them;
//! 3. “best move is …”, “Move: …”, “I play …”: the last of them;
//! 4. a line that is nothing but a move, or a move in bold or in code: the first;
//! 5. the first move in the text that cannot be a square (`Nf3`, `exd5`, `e2e4`, `O-O`, “knight to f3”);
//! 6. the first bare square (`e4`) that no “on”, “to” or “the” makes a place.
//!
//! Which move is meant is read from the text alone, never from what is legal: else a player would get the benefit of
//! whatever it mentions.

use shakmaty::{CastlingMode, Chess, Color, Move, Position};

use super::fault::{Fault, FaultKind, legal_move};
use crate::chess::notation::is_written;

/// Text of an answer that is read, in bytes: from its beginning and from its end.
const READ: usize = 16 * 1024;
/// Words after a marker among which the move stands.
const NEAR: usize = 8;
/// Bytes of an answer that are kept where a fault quotes it.
const QUOTED: usize = 60;

/// What an answer comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The words taken for the move, such as `Nf3`; empty where there are none.
    pub said: String,
    /// The legal move, or why there is none.
    pub result: Result<Move, Fault>,
}

/// Finds the move in `reply`, and looks for it among the legal ones of `position`.
#[must_use]
pub fn read_answer(position: &Chess, mode: CastlingMode, reply: &str) -> Answer {
    match named_move(&of_own_side(reply, position.turn())) {
        Some(said) => {
            let result = legal_move(position, mode, &said);
            Answer { said, result }
        }
        None => Answer {
            said: String::new(),
            result: Err(nothing_named(reply)),
        },
    }
}

/// Without the words that announce what the other side does best: models go on to tell the answer to their move.
fn of_own_side(reply: &str, turn: Color) -> String {
    let other = turn.fold_wb("best move for black", "best move for white");
    // Lower case of ASCII alone, so that bytes stay where they are.
    let lower = reply.to_ascii_lowercase();
    let (mut own, mut from) = (String::with_capacity(reply.len()), 0);
    for (at, words) in lower.match_indices(other) {
        own += &reply[from..at];
        own += "answer to it";
        from = at + words.len();
    }
    own + &reply[from..]
}

fn nothing_named(reply: &str) -> Fault {
    let short: String = reply.trim().chars().take(QUOTED).collect();
    if short.is_empty() {
        return Fault::new(FaultKind::NotAMove, "The answer is empty.");
    }
    if declines(reply) {
        return Fault::new(FaultKind::Refusal, format!("The model declines: “{short}”."));
    }
    Fault::new(FaultKind::NotAMove, format!("There is no move in “{short}”."))
}

/// Whether an answer without a move says that there will be none.
fn declines(reply: &str) -> bool {
    const SIGNS: [&str; 24] = [
        "i can't",
        "i cannot",
        "i can not",
        "can't help",
        "cannot help",
        "can't assist",
        "cannot assist",
        "i'm sorry",
        "i am sorry",
        "i apologize",
        "i apologise",
        "unable to",
        "not able to",
        "i won't",
        "i will not",
        "i'm not able",
        "i don't play",
        "i refuse",
        "i must decline",
        "as an ai",
        "as a language model",
        "against my",
        "i resign",
        "not comfortable",
    ];
    let lower = both_ends(reply).to_lowercase().replace('’', "'");
    SIGNS.iter().any(|sign| lower.contains(sign))
}

/// The words of an answer that name its move, such as `Nf3`; `None` where there are none.
#[must_use]
pub fn named_move(reply: &str) -> Option<String> {
    let text = plain(&both_ends(reply));
    whole(&text)
        .or_else(|| after_last(&text, &FINAL))
        .or_else(|| after_last(&text, &NAMED))
        .or_else(|| set_apart(&text))
        .or_else(|| first_in(&text))
}

/// What says that the answer follows.
const FINAL: [&str; 12] = [
    "\\boxed{",
    "final answer",
    "final move",
    "\"move\"",
    "'move'",
    "\"best_move\"",
    "\"bestmove\"",
    "\"uci\"",
    "\"san\"",
    "<move>",
    "<answer>",
    "bestmove",
];

/// What says that a move is the one that is meant.
const NAMED: [&str; 27] = [
    "best move here is",
    "best move for white is",
    "best move for black is",
    "best move is",
    "best move would be",
    "best move:",
    "best move in this position is",
    "best continuation is",
    "strongest move is",
    "correct move is",
    "winning move is",
    "mating move is",
    "mate in one is",
    "next move is",
    "next move:",
    "move is:",
    "my move is",
    "my move:",
    "my answer is",
    "answer is",
    "answer:",
    "solution is",
    "solution:",
    "move:",
    "move=",
    "i recommend",
    "i suggest",
];

/// The same in sentences about oneself; weaker, since “i would play … if” may follow.
const PLAYED: [&str; 8] = [
    "i would play",
    "i will play",
    "i'll play",
    "i'd play",
    "i play",
    "i choose",
    "let's play",
    "should play",
];

/// The beginning and the end of a long text.
fn both_ends(text: &str) -> String {
    if text.len() <= 2 * READ {
        return text.to_owned();
    }
    let head = text.floor_char_boundary(READ);
    let tail = text.ceil_char_boundary(text.len() - READ);
    format!("{}\n{}", &text[..head], &text[tail..])
}

/// One kind of dashes, quotes and spaces; TeX's and HTML's trimmings off.
fn plain(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|c| match c {
            '–' | '—' | '−' | '‐' | '‑' => '-',
            '“' | '”' | '„' | '«' | '»' => '"',
            '’' | '‘' => '\'',
            '\u{a0}' | '\u{202f}' | '\t' => ' ',
            '→' | '➔' | '➜' => '-',
            c => c,
        })
        .collect();
    text.replace("\\text{", "\\boxed{")
        .replace("\\mathbf{", "\\boxed{")
        .replace("->", "-")
        .replace("&nbsp;", " ")
}

/// The whole text as a move: also two squares with a space, and words.
fn whole(text: &str) -> Option<String> {
    let text = text.trim();
    if text.len() > 64 || text.lines().count() > 1 {
        return None;
    }
    let words: Vec<&str> = text.split_whitespace().map(stripped).collect();
    if let [from, to] = words.as_slice()
        && is_square(from)
        && is_square(to)
    {
        return Some(format!("{from}{to}"));
    }
    // “Knight f3”: in the midst of a sentence the knight may stand there.
    let letters = [
        ("king", "K"),
        ("queen", "Q"),
        ("rook", "R"),
        ("bishop", "B"),
        ("knight", "N"),
    ];
    if let [role, to] = words.as_slice()
        && is_square(to)
        && let Some((_, letter)) = letters.iter().find(|(name, _)| role.eq_ignore_ascii_case(name))
    {
        return Some(format!("{letter}{to}"));
    }
    let one = stripped(text);
    written(one).or_else(|| match in_words(&words) {
        Some((found, used)) if used == words.len() => Some(found),
        _ => None,
    })
}

/// The move after the last of these markers that a move follows.
fn after_last(text: &str, markers: &[&str]) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let mut best: Option<(usize, String)> = None;
    let markers = markers
        .iter()
        .chain(if markers.len() == NAMED.len() { &PLAYED[..] } else { &[] });
    for marker in markers {
        for (at, _) in lower.match_indices(marker) {
            let end = at + marker.len();
            // Inside a longer word: “remove:”.
            let inside = marker.starts_with(|c: char| c.is_ascii_alphabetic())
                && lower[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
            if inside || best.as_ref().is_some_and(|(known, _)| *known > end) {
                continue;
            }
            // Of markers that end at one place the first in the list found it already.
            if let Some(found) = near(&text[end..]) {
                best = Some((end, found));
            }
        }
    }
    best.map(|(_, found)| found)
}

/// The first move among the next few words.
fn near(text: &str) -> Option<String> {
    let text = text.trim_start_matches([
        ':', ' ', '\n', '"', '\'', '*', '`', '{', '=', '>', '_', '$', '\\', '(', '[',
    ]);
    let words: Vec<&str> = text.split_whitespace().take(NEAR).collect();
    // “not Nf3 but …” names what it is not.
    if words.first().is_some_and(|word| word.eq_ignore_ascii_case("not")) {
        return None;
    }
    scan(&words, true)
}

/// A line that is nothing but a move, or a move in bold or in code.
fn set_apart(text: &str) -> Option<String> {
    for line in text.lines() {
        let line = line.trim();
        let item = line.trim_start_matches(['-', '*', '•', '>', '#']).trim();
        if item.len() <= 32
            && let Some(found) = whole(item)
        {
            return Some(found);
        }
        for mark in ["**", "`", "$"] {
            let inner = line.split(mark).skip(1).step_by(2);
            if let Some(found) = inner.filter(|inner| inner.len() <= 16).find_map(|inner| {
                written(stripped(inner)).filter(|found| !is_square(found) || line.matches(mark).count() == 2)
            }) {
                return Some(found);
            }
        }
    }
    None
}

/// The first move in the text.
fn first_in(text: &str) -> Option<String> {
    let words: Vec<&str> = without_fens(text);
    scan(&words, false)
}

/// The words of a text, without FENs and what follows their boards.
fn without_fens(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut all = text.split_whitespace().peekable();
    while let Some(word) = all.next() {
        if word.matches('/').count() >= 5 {
            for place in 0..5 {
                let field = |word: &str| {
                    let word = stripped(word);
                    match place {
                        0 => matches!(word, "w" | "b"),
                        1 => word.is_empty() || word.chars().all(|c| "KQkq-".contains(c)),
                        2 => word.is_empty() || word == "-" || is_square(word),
                        _ => word.bytes().all(|byte| byte.is_ascii_digit()),
                    }
                };
                if all.next_if(|word| field(word)).is_none() {
                    break;
                }
            }
            continue;
        }
        words.push(word);
    }
    words
}

/// The first move among words: one that can be nothing else before a bare square. `close` to a marker, a square is a move.
fn scan(words: &[&str], close: bool) -> Option<String> {
    let mut square = None;
    for at in 0..words.len() {
        let before = at.checked_sub(1).map_or("", |before| words[before]);
        // “option B d4” has no bishop.
        let lettered = ["option", "plan", "line", "variation", "choice", "answer", "move"]
            .contains(&stripped(before).to_ascii_lowercase().as_str())
            && stripped(words[at]) == "B";
        if !lettered && let Some((found, _)) = in_words(&words[at..]) {
            return Some(found);
        }
        let Some(found) = tokens(words[at]).find_map(written) else {
            continue;
        };
        // After a move's number, or as the first word of all, a square is a pawn's move.
        let numbered = before.ends_with(['.', '…']) && before.starts_with(|c: char| c.is_ascii_digit());
        if !is_square(&found) || numbered || (at == 0 && !close) {
            return Some(found);
        }
        let place = matches!(
            stripped(before).to_ascii_lowercase().as_str(),
            "on" | "to"
                | "the"
                | "at"
                | "from"
                | "of"
                | "square"
                | "squares"
                | "and"
                | "or"
                | "pawn"
                | "pawns"
                | "king"
                | "queen"
                | "rook"
                | "bishop"
                | "knight"
                | "in"
                | "via"
                | "controls"
                | "attacks"
                | "over"
                | "weak"
                | "his"
                | "your"
                | "my"
                | "its"
                | "n"
                | "r"
                | "q"
                | "k"
        );
        if close && !place {
            return Some(found);
        }
        if square.is_none() && !place {
            square = Some(found);
        }
    }
    square
}

/// A word as it stands, and what a sign inside it parts: `Nf3/Nc3`, `"move":"e2e4"`.
fn tokens(word: &str) -> impl Iterator<Item = &str> {
    std::iter::once(stripped(word)).chain(
        word.split([
            '"', '\'', ',', ';', '(', ')', '[', ']', '{', '}', '<', '>', '|', '/', ':', '`', '*', '~',
        ])
        .filter(|part| !part.is_empty())
        .map(stripped),
    )
}

/// Without quotes, brackets and marks around it; check and mate marks stay.
fn stripped(text: &str) -> &str {
    text.trim()
        .trim_start_matches(['"', '\'', '`', '*', '_', '(', '[', '{', '<', '$', ':', '~', ','])
        .trim_end_matches([
            '"', '\'', '`', '*', '_', '(', ')', ']', '}', '<', '>', '$', ':', '~', ',', ';', '.', '\\',
        ])
}

/// A word as a move, without what surrounds it.
fn written(word: &str) -> Option<String> {
    // “I”, “a”, numbers and the like are the most.
    if word.len() < 2 || word.len() > 24 || is_number(word) {
        return None;
    }
    let word = word.strip_suffix("'s").unwrap_or(word);
    let squares = |word: &str| {
        let bytes = word.as_bytes();
        bytes.len() >= 4 && bytes.len() <= 5 && is_square(&word[..2]) && is_square(&word[2..4])
    };
    // UCI in capitals: `B1C3` is no bishop.
    let lower = word.to_ascii_lowercase();
    if word.is_ascii() && squares(&lower) && word[..4] == word[..4].to_ascii_uppercase() {
        return Some(lower);
    }
    // `pe4`, `Pe2e4` are moves of pawns; `OO` in prose hardly is, but `O-O` is.
    is_written(word).then(|| word.to_owned())
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

fn is_square(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8'])
}

/// A move in words at the beginning of these, and how many of them it takes: “knight to f3”, “bishop takes on e5”, “castle
/// kingside”, “e2 to e4”, “e8 = Q”.
fn in_words(words: &[&str]) -> Option<(String, usize)> {
    let word = |at: usize| {
        words
            .get(at)
            .map(|word| stripped(word).to_ascii_lowercase())
            .unwrap_or_default()
    };
    let square = |at: usize| {
        let found = word(at);
        let found = found.trim_end_matches(['+', '#', '!', '?']).to_owned();
        is_square(&found).then_some(found)
    };
    let first = word(0);
    if matches!(
        first.as_str(),
        "castle" | "castles" | "castling" | "castle," | "kingside" | "queenside" | "short" | "long"
    ) {
        let other = word(1);
        let wing = |word: &str| match word.trim_end_matches([',', '.', '!']) {
            "kingside" | "king-side" | "king's" | "short" | "king" => Some("O-O"),
            "queenside" | "queen-side" | "queen's" | "long" | "queen" => Some("O-O-O"),
            _ => None,
        };
        if first.starts_with("castl") {
            if let Some(found) = wing(&other) {
                return Some((found.to_owned(), 2));
            }
            if matches!(other.as_str(), "on" | "to") {
                let at = if word(2) == "the" { 3 } else { 2 };
                return wing(&word(at)).map(|found| (found.to_owned(), at + 1));
            }
            return None;
        }
        if other.starts_with("castl") {
            return wing(&first).map(|found| (found.to_owned(), 2));
        }
        return None;
    }
    let role = match first.as_str() {
        "king" => Some("K"),
        "queen" => Some("Q"),
        "rook" => Some("R"),
        "bishop" => Some("B"),
        "knight" => Some("N"),
        "pawn" => Some(""),
        _ => None,
    };
    // “N f3”: the letter by itself, in its capital.
    let letter = ["K", "Q", "R", "B", "N"].into_iter().find(|letter| {
        words
            .first()
            .is_some_and(|word| word.trim_start_matches(['*', '`', '"', '\'', '(']) == *letter)
    });
    if let Some(letter) = letter
        && let Some(to) = square(1)
        && square(2).is_none()
    {
        return Some((format!("{letter}{to}"), 2));
    }
    let role = role.or(letter);
    let mut at = usize::from(role.is_some());
    if at == 1 && word(at) == "on" || matches!(word(at).as_str(), "from" | "at") {
        at += 1;
    }
    let from = square(at);
    if from.is_some() {
        at += 1;
    } else if at > 1 || role.is_none() {
        return None;
    }
    let mut capture = false;
    let begun = at;
    while at - begun < 4 {
        match word(at).as_str() {
            "takes" | "captures" | "x" | "takes:" | "capture" | "take" | "capturing" => capture = true,
            "to" | "moves" | "goes" | "move" | "-" | "" if at < words.len() => {}
            "on" | "the" | "at" if at > begun => {}
            "pawn" | "knight" | "bishop" | "rook" | "queen" | "piece" if capture => {}
            _ => break,
        }
        at += 1;
    }
    // “the knight f3 …” is no move; nor is “knight on f3 e5”.
    if at == begun {
        return None;
    }
    let to = square(at)?;
    at += 1;
    let mut text = format!(
        "{}{}{}{to}",
        role.unwrap_or_default(),
        from.unwrap_or_default(),
        if capture { "x" } else { "" },
    );
    // A promotion in words.
    let mut next = at;
    while matches!(
        word(next).as_str(),
        "and"
            | "promotes"
            | "promoting"
            | "promote"
            | "promotion"
            | "to"
            | "a"
            | "="
            | "becomes"
            | "becoming"
            | "with"
            | "into"
            | "(promoting"
    ) && next < words.len()
        && next - at < 5
    {
        next += 1;
    }
    if next > at {
        let promoted = match word(next).trim_end_matches(['.', ',', '!', ')']) {
            "queen" | "q" => Some("=Q"),
            "rook" | "r" => Some("=R"),
            "bishop" => Some("=B"),
            "knight" | "n" => Some("=N"),
            _ => None,
        };
        if let Some(promoted) = promoted
            && role.is_none_or(str::is_empty)
        {
            text.push_str(promoted);
            at = next + 1;
        }
    }
    Some((text, at))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{chess::read_fen, llm::thinking::part};
    use proptest::prelude::*;

    /// Every answer in the file, with what it comes to.
    #[test]
    fn answers_come_to_what_the_file_says() {
        let text = include_str!("../../tests/data/chess-answers.tsv");
        let mut positions = BTreeMap::new();
        let (mut read, mut wrong) = (0, Vec::new());
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&str> = line.split('\t').collect();
            if let ["=", name, fen] = fields.as_slice() {
                positions.insert(*name, read_fen(fen).unwrap());
                continue;
            }
            let [name, reply, wanted] = fields.as_slice() else {
                panic!("{line}")
            };
            let at = &positions[name];
            let reply = reply
                .replace("\\\\", "\u{1}")
                .replace("\\n", "\n")
                .replace('\u{1}', "\\");
            // As the client hands it over.
            let answer = read_answer(&at.position, at.mode, &part(&reply).text);
            let found = match &answer.result {
                Ok(mv) => mv.to_uci(CastlingMode::Standard).to_string(),
                Err(fault) => serde_json::to_value(fault.kind).unwrap().as_str().unwrap().to_owned(),
            };
            read += 1;
            if found != *wanted {
                wrong.push(format!(
                    "{name}: {reply:?} is {found} ({:?}), not {wanted}",
                    answer.said
                ));
            }
        }
        assert!(wrong.is_empty(), "{} of {read}:\n{}", wrong.len(), wrong.join("\n"));
        assert!(read >= 150, "{read}");
    }

    proptest! {
        #[test]
        fn no_answer_panics(reply in any::<String>()) {
            let _ = read_answer(&Chess::default(), CastlingMode::Standard, &reply);
        }

        #[test]
        fn no_shuffled_answer_panics(words in proptest::collection::vec(prop_oneof![
            Just("Nf3"), Just("e4"), Just("castle"), Just("kingside"), Just("knight"), Just("to"), Just("on"), Just("takes"),
            Just("**"), Just("`"), Just("\\boxed{"), Just("<think>"), Just("</think>"), Just("best move is"), Just("not"),
            Just("a/b/c/d/e/f"), Just("\u{e9}"), Just("\n"), Just("=Q"), Just("e8"), Just("promoting"), Just("♘"), Just("\"move\":"),
        ], 0..40), glue in prop_oneof![Just(""), Just(" ")]) {
            let _ = read_answer(&Chess::default(), CastlingMode::Standard, &words.join(glue));
        }
    }

    #[test]
    fn a_long_answer_is_read_from_both_ends() {
        let long = format!(
            "Let me think. {}\nFinal answer: Nf3",
            "It is hard to say what to do. ".repeat(5_000)
        );
        assert_eq!(named_move(&long).as_deref(), Some("Nf3"));
        let started = std::time::Instant::now();
        let _ = named_move(&"best move is ".repeat(5_000));
        let _ = named_move(&"knight ".repeat(9_000));
        assert!(started.elapsed().as_secs() < 20);
    }
}
