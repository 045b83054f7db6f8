//! What can be done and what a move is for, put plainly: "it is possible for White to castle" is "White can castle", "the
//! point of Nf3 is to attack" is "Nf3 does attack".

use std::{ops::Range, sync::LazyLock};

use super::{openings::Openings, words::len_of};
use crate::commentary::claims::{
    grammar::{Form, lexicon, noun_phrase},
    text::token::{Tok, Token},
};

/// What stands for "it is possible for White to".
pub struct Able {
    /// "can", "can not", and the verb.
    pub words: Vec<String>,
    /// Tokens that are taken.
    pub len: usize,
}

/// What says that something can be done, or that it can't.
const ABLE: &[(&str, bool)] = &[
    ("it is|was possible|feasible for", true),
    ("it is|was not possible|feasible for", false),
    ("it is|was impossible for", false),
    ("there is|was a way for", true),
    ("there is|was no way|chance|possibility|means for", false),
    (
        "nothing|nobody|none prevents|stops|keeps|hinders|prevented|stopped",
        true,
    ),
    ("no one prevents|stops", true),
    ("there is nothing to prevent|stop|keep|hinder", true),
    ("nothing can|could|will prevent|stop|keep|hinder", true),
];

static OPENING: LazyLock<Openings> = LazyLock::new(|| Openings::of(ABLE.iter().map(|(row, _)| *row)));

/// "It is not possible for the knight to go", "there is no way for White to win", "nothing prevents Black from playing":
/// who it is, and what stands behind that.
pub fn ability(tokens: &[Token]) -> Option<(Range<usize>, Able)> {
    let mut rows = OPENING.with(tokens.first()?.word()).map(|number| ABLE[number]);
    let (from, able) = rows.find_map(|(row, able)| len_of(row, tokens).map(|n| (n, able)))?;
    let to = noun_phrase::read(tokens, from, &[])?.1;
    let verb = tokens.get(to + 1)?;
    let verb = match tokens.get(to)?.word() {
        "to" => verb.word().to_owned(),
        "from" => base(verb.word())?,
        _ => return None,
    };
    let not = (!able).then(|| "not".to_owned());
    let words = std::iter::once("can".to_owned()).chain(not).chain([verb]);
    Some((
        from..to,
        Able {
            words: words.collect(),
            len: to + 2,
        },
    ))
}

/// The verb that a gerund is of.
fn base(gerund: &str) -> Option<String> {
    let stem = gerund.strip_suffix("ing")?;
    let single = stem.get(..stem.len().checked_sub(1)?)?;
    let is_base = |word: &String| lexicon::verb(word).iter().any(|(_, form)| *form == Form::Base);
    [stem.to_owned(), format!("{stem}e"), single.to_owned()]
        .into_iter()
        .find(is_base)
}

/// Verbs of attack and defence: a purpose named by one is carried out by the move itself.
const CARRIED_OUT: &[&str] = &[
    "attack",
    "hit",
    "target",
    "defend",
    "protect",
    "guard",
    "support",
    "cover",
    "challenge",
    "harass",
];

/// "The point of Nf3 is to attack", "one idea of Nf3 is that it attacks": what is taken, and where the move stands in it.
pub fn purpose(tokens: &[Token]) -> Option<(usize, Range<usize>)> {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let mut n = len_of("the|one|another|a|its", tokens)?;
    n += usize::from(matches!(
        word(n),
        "main" | "whole" | "key" | "simple" | "only" | "first" | "primary" | "obvious" | "immediate" | "other" | "real"
    ));
    if !matches!(
        word(n),
        "point" | "purpose" | "idea" | "aim" | "goal" | "objective" | "merit" | "reason"
    ) || !matches!(word(n + 1), "of" | "behind" | "for")
    {
        return None;
    }
    let from = n + 2;
    let is = (from + 1..from + 5).find(|&at| matches!(word(at), "is" | "was"))?;
    let moved = tokens[from..is]
        .iter()
        .any(|t| matches!(t.tok, Tok::Move(_) | Tok::Square(_)))
        && tokens[from..is].iter().all(|t| t.word().is_empty());
    let act = match word(is + 1) {
        "to" => is + 2,
        "that" if word(is + 2) == "it" => is + 3,
        _ => return None,
    };
    let carried = |word: &str| {
        CARRIED_OUT
            .iter()
            .any(|verb| word.strip_prefix(verb).is_some_and(|end| matches!(end, "" | "s")))
    };
    (moved && carried(word(act))).then_some((act, from..is))
}
