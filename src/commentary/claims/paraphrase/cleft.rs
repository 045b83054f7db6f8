//! Denials and what is fronted, put where the grammar reads them: "it is not the knight that attacks" is "the knight does not
//! attack", "by no means does the knight attack" too.

use std::ops::Range;

use super::words::{len_of, made};
use crate::commentary::claims::{
    grammar::{Form, lexicon},
    text::token::{Tok, Token},
};

/// A denial in a place where the grammar has none: "the knight hangs by no means", "by no means does the knight attack".
/// How many of the tokens behind it are taken, where it has found its place.
pub fn place_denial(found: &mut Vec<Token>, rest: &[Token], span: &Range<usize>) -> Option<usize> {
    let verb = |t: &Token, wanted: Form| lexicon::verb(t.word()).iter().any(|(_, form)| *form == wanted);
    let sign = |t: &Token| matches!(t.tok, Tok::Sign(_));
    if found.last().is_none_or(sign) && rest.first().is_some_and(|t| matches!(t.word(), "does" | "do" | "did")) {
        let base = |t: &Token| verb(t, Form::Base) && lexicon::role(t.word()).is_none();
        let at = (2..rest.len().min(12)).find(|&at| base(&rest[at]))?;
        found.extend_from_slice(&rest[1..at]);
        found.push(rest[0].clone());
        found.push(made("not", span));
        return Some(at);
    }
    if rest.first().is_none_or(sign) && found.last().is_some_and(|t| verb(t, Form::Third) && !is_aux(t.word())) {
        let said = found.pop()?;
        found.extend(["does", "not"].map(|word| made(word, span)));
        found.push(said);
        return Some(0);
    }
    None
}

/// "It is (not) the knight that attacks": whether it is denied, the noun phrase, and what is taken in all.
pub fn cleft(tokens: &[Token]) -> Option<(bool, Range<usize>, usize)> {
    let start = len_of("it is|was", tokens)?;
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let negated = word(start) == "not";
    let from = start + usize::from(negated);
    let named = matches!(
        word(from),
        "the" | "a" | "an" | "white" | "black" | "his" | "her" | "its"
    ) || lexicon::role(word(from)).is_some();
    let to = (from + 1..from + 8).find(|&at| matches!(word(at), "who" | "that" | "which"))?;
    let verb = !lexicon::verb(word(to + 1)).is_empty()
        || is_aux(word(to + 1))
        || matches!(
            word(to + 1),
            "can" | "could" | "will" | "would" | "must" | "may" | "might" | "should"
        );
    let unbroken = tokens[from..to]
        .iter()
        .all(|t| !matches!(t.tok, Tok::Sign(_)) && !is_aux(t.word()));
    (named && verb && unbroken).then_some((negated, from..to, to + 1))
}

/// "It was (not) h4 that Black had to play": "Black had (not) to play h4". What is fronted goes behind its clause.
pub fn object_cleft(tokens: &[Token]) -> Option<Vec<Token>> {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    // "A pawn is what White wins".
    let what = (1..4).find(|&at| len_of("is|was what white|black", tokens.get(at..).unwrap_or_default()).is_some());
    if let Some(at) = what.filter(|_| matches!(word(0), "a" | "an" | "the")) {
        return Some([&tokens[at + 2..], &tokens[..at]].concat());
    }
    let start = (0..tokens.len()).find(|&at| len_of("it is|was", &tokens[at..]).is_some())?;
    let negated = word(start + 2) == "not";
    let from = start + 2 + usize::from(negated);
    let that = (from + 1..from + 6).find(|&at| matches!(word(at), "that" | "which"))?;
    let named = &tokens[from..that];
    let is_move = |t: &Token| matches!(t.tok, Tok::Move(_) | Tok::Square(_));
    let amount = matches!(word(from), "a" | "an") && lexicon::role(word(from + 1)).is_some() && that == from + 2;
    let one = named.iter().filter(|t| is_move(t)).count() == 1 && named.iter().all(|t| t.word().is_empty());
    if !(one || amount)
        || !matches!(
            word(that + 1),
            "white" | "black" | "he" | "she" | "the" | "stockfish" | "one"
        )
    {
        return None;
    }
    let rest = &tokens[that + 1..];
    let end = rest
        .iter()
        .position(|t| matches!(t.tok, Tok::Sign(_)))
        .unwrap_or(rest.len());
    let mut found = tokens[..start].to_vec();
    let mut deny = negated;
    let mut at = 0;
    while at < end {
        if let Some(n) = deny.then(|| negate(&rest[at..end], &mut found)).flatten() {
            deny = false;
            at += n;
        } else {
            found.push(rest[at].clone());
            at += 1;
        }
    }
    found.extend_from_slice(named);
    found.extend_from_slice(&rest[end..]);
    (!deny).then_some(found)
}

fn is_aux(word: &str) -> bool {
    matches!(
        word,
        "is" | "are" | "was" | "were" | "has" | "have" | "had" | "does" | "do" | "did"
    )
}

/// Denies the verb at the front, if one stands there; how many tokens were taken.
pub fn negate(tokens: &[Token], found: &mut Vec<Token>) -> Option<usize> {
    let first = tokens.first()?;
    let word = first.word();
    let span = &first.span;
    if is_aux(word)
        || matches!(
            word,
            "can" | "could" | "will" | "would" | "must" | "may" | "might" | "should"
        )
    {
        found.push(first.clone());
        if tokens.get(1).is_some_and(|t| t.word() == "not") {
            return Some(2);
        }
        // "has two pawns", "has a fork": a verb of its own.
        let noun = tokens
            .get(1)
            .is_some_and(|t| lexicon::verb(t.word()).is_empty() && t.word() != "been");
        if matches!(word, "has" | "have" | "had") && noun {
            found.pop();
            found.extend(["does", "not", "have"].map(|word| made(word, span)));
        } else {
            found.push(made("not", span));
        }
        return Some(1);
    }
    let third = lexicon::verb(word).iter().any(|(_, form)| *form == Form::Third);
    let noun = lexicon::thing(word).is_some() || lexicon::role(word).is_some();
    let named = |t: &Token| lexicon::role(t.word()).is_some() || matches!(t.tok, Tok::Square(_));
    if third && (!noun || found.last().is_some_and(named)) {
        found.extend(["does", "not"].map(|word| made(word, span)));
        found.push(first.clone());
        return Some(1);
    }
    None
}
