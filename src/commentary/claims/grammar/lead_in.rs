//! The lead-in of a sentence about a variation: "If Black plays gxf4 and White answers gxf4, …", "On Bg5 comes a5, when
//! …", "Nf3 is met by e5, and …". It holds moves and words that only lead there; what follows speaks of the end of the line.

use super::phrase::{Item, MoveWord, Part};
use crate::commentary::claims::text::{Tok, Token};

/// Words that lead along a line and say nothing of its positions.
const LEADING: &[&str] = &[
    "after",
    "if",
    "on",
    "following",
    "once",
    "when",
    "with",
    "should",
    "in",
    "case",
    "of",
    "suppose",
    "supposing",
    "assume",
    "assuming",
    "say",
    "the",
    "line",
    "variation",
    "sequence",
    "continuation",
    "event",
    "then",
    "and",
    "now",
    "comes",
    "come",
    "follows",
    "is",
    "are",
    "met",
    "answered",
    "countered",
    "followed",
    "by",
    "has",
    "have",
    "been",
    "played",
    "plays",
    "play",
    "goes",
    "go",
    "went",
    "choose",
    "chooses",
    "chose",
    "responds",
    "respond",
    "replies",
    "reply",
    "answers",
    "answer",
    "counters",
    "continues",
    "continue",
    "opts",
    "for",
    "picks",
    "can",
    "may",
    "might",
    "could",
    "will",
    "would",
    "try",
    "tries",
    "leads",
    "lead",
    "leading",
    "to",
    "a",
    "position",
    "where",
    "which",
    "that",
    "mean",
    "means",
    "but",
    "white",
    "black",
    "he",
    "so",
    "there",
    "response",
    "runs",
    "run",
    "reached",
    "we",
    "reach",
    "get",
    "arrive",
    "at",
    "decide",
    "decides",
    "prefer",
    "prefers",
    "from",
    "here",
    "move",
    "moves",
    "possible",
    "possibility",
    "one",
    "option",
    "well",
    "instead",
    "an",
    "as",
    "arises",
    "arising",
    "were",
    "was",
    "board",
    "us",
    "ends",
    "end",
    "allows",
    "allow",
    "sample",
    "against",
    "upon",
    "result",
    "results",
    "resulting",
    "gives",
    "give",
    "produces",
    "yields",
    "brings",
    "about",
    "like",
    "consider",
    "imagine",
    "let",
    "final",
    "leaves",
    "leave",
    "into",
    "be",
    "game",
    "provided",
    "providing",
    "soon",
    "moment",
    "looking",
    "find",
    "see",
    "consequence",
    "invites",
    "invite",
    "allowing",
    "inviting",
    "hits",
    "back",
    "its",
    "finds",
    "reacts",
];

/// The moves of a lead-in, and the token that its sentence's statement begins with.
pub struct LeadIn {
    /// The line, from the position after the move under discussion or before it.
    pub line: Vec<MoveWord>,
    /// Where the rest begins.
    pub rest: usize,
}

/// The lead-in of a sentence, where it has one. Whether its moves can be played the words do not say.
pub fn lead_in(tokens: &[Token], parts: &[Part]) -> Option<LeadIn> {
    // "Black's a5 is met by Nf4".
    let owned = |at: usize| {
        let side = at
            .checked_sub(1)
            .is_some_and(|i| matches!(tokens[i].word(), "white" | "black" | "let"));
        let moved = |t: &Token| {
            is_move(t) || matches!(t.tok, Tok::Number { .. } | Tok::Ellipsis) || LEADING.contains(&t.word())
        };
        side && tokens.get(at + 1).is_some_and(moved)
    };
    let end = tokens
        .iter()
        .enumerate()
        .position(|(at, token)| match &token.tok {
            Tok::Word(word) => !LEADING.contains(&word.as_str()),
            Tok::Sign(c) => !matches!(c, ',' | ':' | ';' | '-' | '(' | ')'),
            Tok::Move(_) | Tok::Square(_) | Tok::Number { .. } | Tok::Ellipsis => false,
            Tok::Possessive => !owned(at),
        })
        .unwrap_or(tokens.len());
    let rest = (2..=end).rev().find(|&at| is_boundary(tokens, at))?;
    let until = tokens.get(rest)?.span.start;
    let line: Vec<MoveWord> = parts
        .iter()
        .filter(|part| part.span.start < until)
        .flat_map(named)
        .collect();
    // "from e8 the bishop attacks": a place.
    let place = tokens[..rest]
        .windows(2)
        .any(|pair| matches!(pair[0].word(), "from" | "at") && is_move(&pair[1]));
    (!place).then_some(LeadIn { line, rest })
}

/// The moves of a part; within a lead-in a square is a pawn's move.
fn named(part: &Part) -> Vec<MoveWord> {
    match &part.item {
        Item::Move(word) => vec![word.clone()],
        Item::Np(np) => np
            .squares
            .iter()
            .map(|square| MoveWord {
                text: square.to_string(),
                number: None,
                side: None,
                reply: false,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// True where a statement may begin at `at`: behind a comma, "when", "and", or behind the move of "after Nf3".
fn is_boundary(tokens: &[Token], at: usize) -> bool {
    let before = &tokens[at - 1];
    let moved = tokens[..at].iter().any(is_move);
    // "and then d6 follows": the line goes on.
    let goes_on = |t: &Token| {
        matches!(t.tok, Tok::Sign(_) | Tok::Move(_) | Tok::Number { .. } | Tok::Ellipsis)
            || is_move(t) && matches!(tokens.get(at + 1).map_or("", Token::word), "follows" | "comes" | "")
            || t.word() == "then" && tokens.get(at + 1).is_some_and(is_move)
    };
    if !moved || tokens.get(at).is_none_or(goes_on) {
        return false;
    }
    match &before.tok {
        Tok::Sign(',' | ':' | ';' | '-' | ')') => true,
        Tok::Word(word) => {
            let earlier = at.checked_sub(2).map_or("", |i| tokens[i].word());
            match word.as_str() {
                "when" | "where" | "then" => true,
                "which" => matches!(earlier, "after" | "in"),
                "that" => matches!(
                    earlier,
                    "mean" | "means" | "so" | "result" | "find" | "see" | "is" | "provided"
                ),
                "mean" | "means" => true,
                "now" | "and" => true,
                _ => false,
            }
        }
        // "after Nf3 White has …".
        Tok::Move(_) => {
            let led = tokens[..at - 1]
                .iter()
                .rev()
                .map(Token::word)
                .find(|word| !word.is_empty())
                .is_some_and(|word| matches!(word, "after" | "on" | "with" | "following" | "if" | "once"));
            led && matches!(
                tokens[at].word(),
                "white" | "black" | "the" | "there" | "it" | "a" | "both" | "neither"
            )
        }
        _ => false,
    }
}

const fn is_move(token: &Token) -> bool {
    matches!(token.tok, Tok::Move(_) | Tok::Square(_))
}
