//! Tokens to the parts of a clause: noun phrases, verb groups, moves, and the small words between them.

use shakmaty::Color;

use super::{
    lexicon::{self, Act, Form, Opener, Prep, Thing, Trait},
    noun_phrase,
    phrase::{Head, Item, MoveWord, Part},
    verb_group,
};
use crate::commentary::claims::text::{Tok, Token};

/// The parts of a sentence.
#[must_use]
pub fn parts(tokens: &[Token]) -> Vec<Part> {
    let mut found: Vec<Part> = Vec::new();
    let mut at = 0;
    let mut number: Option<(u32, Color)> = None;
    while at < tokens.len() {
        let (item, next) = part(tokens, at, &found, &mut number);
        let next = next.max(at + 1).min(tokens.len());
        if let Some(item) = item {
            let span = tokens[at].span.start..tokens[next - 1].span.end.max(tokens[at].span.end);
            found.push(Part { item, span });
        }
        at = next;
    }
    found
}

/// "Black's Nxe4".
fn owner_before(tokens: &[Token], at: usize) -> Option<Color> {
    let [
        ..,
        owner,
        Token {
            tok: Tok::Possessive, ..
        },
    ] = tokens.get(..at)?
    else {
        return None;
    };
    lexicon::color(owner.word())
}

/// "the strong reply g4": the noun before says that a move comes.
fn names_a_move(found: &[Part]) -> bool {
    matches!(
        found.last().map(|part| &part.item),
        Some(Item::Np(np))
            if !np.plural && np.squares.is_empty() && matches!(np.head, Head::Thing(Thing::Reply | Thing::Move | Thing::Choice))
    )
}

fn part(tokens: &[Token], at: usize, found: &[Part], number: &mut Option<(u32, Color)>) -> (Option<Item>, usize) {
    let token = &tokens[at];
    match &token.tok {
        Tok::Number { n, dots } if *dots > 0 && names_move(tokens, at + 1) => {
            *number = Some((*n, if *dots > 1 { Color::Black } else { Color::White }));
            return (None, at + 1);
        }
        Tok::Ellipsis => {
            if names_move(tokens, at + 1) {
                let n = number.map_or(0, |(n, _)| n);
                *number = Some((n, Color::Black));
                return (None, at + 1);
            }
            return (Some(Item::Break), at + 1);
        }
        Tok::Move(text) => {
            let given = number.take();
            // The move behind a white one is Black's: "12. Nf3 Nc6"; nothing need be said of it.
            return (
                Some(Item::Move(MoveWord {
                    text: text.clone(),
                    number: given.map(|(n, _)| n).filter(|&n| n > 0),
                    side: given.map(|(_, side)| side).or_else(|| owner_before(tokens, at)),
                    reply: is_reply(found),
                })),
                at + 1,
            );
        }
        Tok::Square(square)
            if number.is_some()
                || names_a_move(found)
                || follows_move(found)
                    && tokens
                        .get(at + 1)
                        .is_none_or(|next| lexicon::role(next.word()).is_none()) =>
        {
            let given = number.take();
            return (
                Some(Item::Move(MoveWord {
                    text: square.to_string(),
                    number: given.map(|(n, _)| n).filter(|&n| n > 0),
                    side: given.map(|(_, side)| side),
                    reply: is_reply(found),
                })),
                at + 1,
            );
        }
        Tok::Sign(c) => {
            let item = match c {
                ',' => Some(Item::Comma),
                ';' | ':' | '-' | '(' | ')' | '[' | ']' | '/' => Some(Item::Break),
                _ => None,
            };
            return (item, at + 1);
        }
        Tok::Possessive => return (None, at + 1),
        _ => {}
    }
    if let Some((item, next)) = small_word(tokens, at, found) {
        return (item, next);
    }
    if let Some((verb, next)) = verb_group::read(tokens, at, found) {
        return (Some(Item::Verb(verb)), next);
    }
    if let Some((np, next)) = noun_phrase::read(tokens, at, found) {
        return (Some(Item::Np(np)), next);
    }
    let word = token.word();
    if let Some((found, next)) = noun_phrase::adjective(tokens, at) {
        return (Some(Item::Trait(found)), next);
    }
    if let Some(opener) = lexicon::opener(word) {
        return (Some(Item::Open(opener)), at + 1);
    }
    if let Some(prep) = lexicon::prep(word) {
        return (Some(Item::Prep(prep)), at + 1);
    }
    if lexicon::is_filler(word) {
        return (None, at + 1);
    }
    let text = match &token.tok {
        Tok::Word(word) => word.clone(),
        Tok::Number { n, .. } => n.to_string(),
        _ => String::new(),
    };
    ((!text.is_empty()).then_some(Item::Word(text)), at + 1)
}

/// A move or a square stands at `at`.
fn names_move(tokens: &[Token], at: usize) -> bool {
    matches!(tokens.get(at).map(|t| &t.tok), Some(Tok::Move(_) | Tok::Square(_)))
}

/// The last part is a move, or a word behind which a bare square is a pawn's move.
fn follows_move(found: &[Part]) -> bool {
    match found {
        [
            ..,
            Part {
                item: Item::Move(_), ..
            },
        ] => true,
        // "The best move is e4".
        [
            ..,
            Part { item: Item::Np(np), .. },
            Part {
                item: Item::Verb(verb), ..
            },
        ] if verb.act == Act::Be && matches!(np.head, Head::Thing(Thing::Move | Thing::Reply | Thing::Choice)) => true,
        [
            ..,
            Part {
                item: Item::Verb(verb), ..
            },
        ] => {
            matches!(verb.act, Act::Play | Act::Reply | Act::Prefer | Act::Miss | Act::Allow)
                && verb.particle.is_none()
                && !verb.passive
                || (verb.act == Act::Be && verb.past)
        }
        [
            ..,
            Part {
                item: Item::Open(Opener::After | Opener::If | Opener::Then),
                ..
            },
        ] => true,
        // "answers with e5", "starts with e4", "followed by d5"; not "protected by e3".
        [
            ..,
            Part {
                item: Item::Prep(Prep::With),
                ..
            },
        ] => true,
        [
            ..,
            Part {
                item: Item::Verb(verb), ..
            },
            Part {
                item: Item::Prep(Prep::By),
                ..
            },
        ] => matches!(verb.act, Act::Play | Act::Reply | Act::Continue | Act::Blunder),
        _ => false,
    }
}

/// The move that comes is called a reply, or allowed.
fn is_reply(found: &[Part]) -> bool {
    for part in found.iter().rev() {
        match &part.item {
            Item::Move(_) => return false,
            Item::Np(np) if np.head == Head::Thing(Thing::Reply) => return true,
            Item::Verb(verb) if matches!(verb.act, Act::Reply | Act::Allow) => return !verb.passive,
            _ => {}
        }
    }
    false
}

/// Conjunctions, relatives, "there", phrases of several small words.
fn small_word(tokens: &[Token], at: usize, found: &[Part]) -> Option<(Option<Item>, usize)> {
    let word = |i: usize| tokens.get(at + i).map_or("", Token::word);
    let item = |item, n| Some((Some(item), at + n));
    match (word(0), word(1), word(2)) {
        ("in", "front", "of") => item(Item::Prep(Prep::Other), 3),
        ("as", ..) if clause_follows(tokens, at + 1) => item(Item::Open(Opener::Because), 1),
        ("as", "well", "as") | ("in", "addition", "to") => item(Item::And, 3),
        ("along", "with", _) | ("together", "with", _) => item(Item::And, 2),
        ("but", "also", _) => item(Item::And, 2),
        ("and" | "plus" | "&", ..) => item(Item::And, 1),
        ("or" | "nor", ..) => item(Item::Or, 1),
        ("either" | "both", next, _) if next != "of" && !takes_noun(tokens, at + 1) => Some((None, at + 1)),
        ("which" | "who" | "whom" | "whose", ..) => item(Item::Rel, 1),
        ("that", next, _) if is_relative_that(tokens, at, next, found) => item(Item::Rel, 1),
        ("there", "is" | "are" | "was" | "were" | "will" | "can" | "remains" | "stands" | "no", _) => {
            item(Item::There, 1)
        }
        ("note" | "notice" | "observe" | "remember" | "recall" | "means" | "see", "that", _) => item(Item::Comma, 2),
        ("at", "the", "same") => Some((None, at + 4)),
        ("at", "once", _) => Some((None, at + 2)),
        ("at", "all", _) => Some((None, at + 2)),
        ("for", "the", "taking" | "asking") => item(Item::Trait(Trait::Hanging), 3),
        ("about", "equal" | "even" | "level" | "balanced", _) => Some((None, at + 1)),
        ("for", "free" | "nothing", _) => Some((Some(Item::Word("free".into())), at + 2)),
        ("in", "order", "to") => Some((None, at + 2)),
        ("not", "only", _) => Some((None, at + 2)),
        ("no", "longer", _) | ("not", "any", "longer") => item(Item::Not, if word(0) == "no" { 2 } else { 3 }),
        ("not" | "never" | "neither" | "nowhere", ..) if verb_group::read(tokens, at, found).is_none() => {
            item(Item::Not, 1)
        }
        ("instead", "of", _) | ("rather", "than", _) => item(Item::Open(Opener::Than), 2),
        ("so", "that", _) => item(Item::Open(Opener::Because), 2),
        ("even", "though" | "if", _) => item(Item::Open(if word(1) == "if" { Opener::If } else { Opener::While }), 2),
        // "Had the queen gone to h3, she would …".
        ("had" | "should" | "were", "the" | "white" | "black" | "it" | "he" | "she" | "there", _) if at == 0 => {
            item(Item::Open(Opener::If), 1)
        }
        ("now", "that", _) => item(Item::Open(Opener::Because), 2),
        ("than", ..) => item(Item::Open(Opener::Than), 1),
        _ => None,
    }
}

/// "as the queen pins it": a noun phrase and its verb.
fn clause_follows(tokens: &[Token], at: usize) -> bool {
    let Some((np, next)) = noun_phrase::read(tokens, at, &[]) else {
        return false;
    };
    let span = tokens[at].span.clone();
    let subject = [Part {
        item: Item::Np(np),
        span,
    }];
    verb_group::read(tokens, next, &subject).is_some_and(|(verb, _)| verb.finite && verb.form != Form::Past)
}

fn takes_noun(tokens: &[Token], at: usize) -> bool {
    noun_phrase::read(tokens, at, &[]).is_some_and(|(np, _)| np.plural)
}

/// "that" behind a noun and before a verb; not "that knight".
fn is_relative_that(tokens: &[Token], at: usize, next: &str, found: &[Part]) -> bool {
    let behind_noun = matches!(found.last().map(|p| &p.item), Some(Item::Np(_) | Item::Move(_)));
    let behind_verb = matches!(
        found.last().map(|p| &p.item),
        Some(Item::Verb(_) | Item::Word(_) | Item::Trait(_))
    );
    if lexicon::role(next).is_some() || matches!(next, "move" | "piece" | "square" | "pawn" | "file") {
        return false;
    }
    behind_noun || (behind_verb && noun_phrase::read(tokens, at + 1, &[]).is_some())
}
