//! Words that point back: "that square", "that knight", "guards her" with what was named before in their place.

use std::ops::Range;

use shakmaty::{Role, Square};

use super::scene::World;
use crate::chess::Man;
use crate::commentary::claims::{
    grammar::lexicon,
    paraphrase::words::made,
    text::{
        Tok, Token,
        token::{self, named_man},
    },
};

/// Bytes before a sentence that its words may point back to.
const BACK: usize = 500;

/// A square that is named, with the man that stands or arrives there, if one is.
struct Mention {
    role: Option<Role>,
    square: Square,
    /// The last of its tokens.
    at: usize,
}

/// The sentence with squares for the words that point back to them; none where it has no such words.
pub fn resolved(world: &World<'_>, text: &str, tokens: &[Token]) -> Option<Vec<Token>> {
    if !(0..tokens.len()).any(|at| points_back(tokens, at).is_some()) {
        return None;
    }
    let start = tokens.first()?.span.start;
    let mut from = start.saturating_sub(BACK);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let earlier = token::tokens(text, from..start);
    let shift = earlier.len();
    let all: Vec<Token> = earlier.into_iter().chain(tokens.iter().cloned()).collect();
    let mentions = mentions(&all);
    let mut found: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let step = points_back(tokens, at).and_then(|back| {
            let place = shift + at;
            let square = match back {
                Back::Square => square_before(&all, &mentions, place)?,
                Back::Man(role) | Back::Pronoun(role) => man_before(world, &mentions, role, place)?,
            };
            Some((back, square))
        });
        let Some((back, square)) = step else {
            found.push(tokens[at].clone());
            at += 1;
            continue;
        };
        let (len, words): (usize, &[&str]) = match back {
            Back::Square => (2, &[]),
            Back::Man(_) => (2, &["on"]),
            Back::Pronoun(_) => (1, &["the", "queen", "on"]),
        };
        let span: Range<usize> = tokens[at].span.start..tokens[at + len - 1].span.end;
        if matches!(back, Back::Man(_)) {
            found.extend_from_slice(&tokens[at..at + len]);
        }
        found.extend(words.iter().map(|word| made(word, &span)));
        found.push(Token {
            tok: Tok::Square(square),
            ..made("", &span)
        });
        at += len;
    }
    Some(found)
}

/// What a word points back to.
#[derive(Clone, Copy)]
enum Back {
    /// "that square".
    Square,
    /// "that knight".
    Man(Role),
    /// "her" for a queen.
    Pronoun(Role),
}

fn points_back(tokens: &[Token], at: usize) -> Option<Back> {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let placed = |at: usize| {
        matches!(word(at), "on" | "at" | "from" | "to")
            || tokens
                .get(at)
                .is_some_and(|t| t.glued || matches!(t.tok, Tok::Square(_) | Tok::Possessive))
    };
    match word(at) {
        "that" | "this" if word(at + 1) == "square" && !placed(at + 2) => Some(Back::Square),
        "that" | "this" => {
            let (role, plural) = lexicon::role(word(at + 1))?;
            let other = lexicon::thing(word(at + 2)).is_some() || matches!(word(at + 2), "side" | "file");
            (!plural && !other && !placed(at + 2)).then_some(Back::Man(role))
        }
        // "guards her", not "guards her rook".
        "her" if at > 0 => {
            let end = tokens.get(at + 1).is_none_or(|next| matches!(next.tok, Tok::Sign(_)));
            let goes_on = matches!(
                word(at + 1),
                "and" | "but" | "or" | "on" | "at" | "with" | "from" | "to" | "by" | "for" | "while" | "as" | "in"
            );
            (end || goes_on).then_some(Back::Pronoun(Role::Queen))
        }
        _ => None,
    }
}

fn mentions(tokens: &[Token]) -> Vec<Mention> {
    let square = |at: usize| match tokens.get(at).map(|t| &t.tok) {
        Some(Tok::Square(square)) => Some(*square),
        _ => None,
    };
    let role = |at: usize| {
        lexicon::role(tokens.get(at)?.word())
            .filter(|(_, plural)| !plural)
            .map(|(role, _)| role)
    };
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        if let Tok::Move(text) = &tokens[at].tok {
            found.extend(target(text).map(|(role, square)| Mention { role, square, at }));
        } else if let Some(square) = square(at) {
            // "the f3-knight", "the knight on f3", "the knight leaps to f3".
            let stands = |back: usize| {
                let man = at.checked_sub(back).filter(|&man| man < at)?;
                let between = &tokens[man + 1..at];
                let led = between
                    .last()
                    .is_some_and(|t| matches!(t.word(), "on" | "at" | "to" | "onto" | "into"));
                let plain = between
                    .iter()
                    .all(|t| !t.word().is_empty() && lexicon::role(t.word()).is_none());
                role(man).filter(|_| led && plain)
            };
            let role = role(at + 1).or_else(|| (2..6).find_map(stands));
            found.push(Mention { role, square, at });
        }
    }
    found
}

/// Where a move goes, and which man, where it is no pawn.
fn target(text: &str) -> Option<(Option<Role>, Square)> {
    let plain = text.trim_end_matches(['+', '#', '!', '?']);
    let tail = plain.get(plain.len().checked_sub(2)?..)?;
    let square: Square = tail.parse().ok()?;
    let letter = plain.chars().next()?;
    let role = named_man(&format!("{letter}{tail}")).map(|(role, _)| role);
    Some((role, square))
}

/// The square of the man of this role that was named last, where one stands on it.
fn man_before(world: &World<'_>, mentions: &[Mention], role: Role, at: usize) -> Option<Square> {
    let last = mentions.iter().rev().find(|m| m.at < at && m.role == Some(role))?;
    let man = Man::at(world.after().board(), last.square)?;
    (man.role == role).then_some(last.square)
}

/// The square that was named last: of those in its own clause none where a man stands that is named there.
fn square_before(tokens: &[Token], mentions: &[Mention], at: usize) -> Option<Square> {
    let begins = |token: &Token| {
        matches!(token.tok, Tok::Sign(_))
            || matches!(
                token.word(),
                "and" | "as" | "because" | "although" | "though" | "while" | "but" | "since" | "where"
            )
    };
    let clause = tokens[..at].iter().rposition(begins).unwrap_or(0);
    let mut before = mentions.iter().rev().filter(|m| m.at < at);
    before.find(|m| m.at < clause || m.role.is_none()).map(|m| m.square)
}
