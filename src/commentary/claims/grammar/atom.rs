//! Atoms: the words of a stretch as patterns see them, with men, sides, moves, squares and amounts each as one.

use std::ops::Range;

use shakmaty::Color;

use super::{
    amount::amount,
    lexicon,
    lexicon::Trait,
    noun_phrase,
    phrase::{Det, Head, Item, Owner, Part},
};
use crate::commentary::claims::text::{Tok, Token};

/// What a slot can be filled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// "White", "Black", "the opponent".
    Side(Color),
    /// A named move.
    Move,
    /// "a pawn", "the exchange"; `extra` where it says so.
    Amount {
        /// "an extra pawn".
        extra: bool,
    },
    /// Men on the board.
    Men,
    /// A square.
    Square,
}

/// A word or a slot of a stretch.
#[derive(Debug, Clone, PartialEq)]
pub struct Atom {
    /// The word, in lower case and "be", "have", "do" for their forms; empty for a slot.
    pub word: String,
    /// The slot; a word may be one, too.
    pub slot: Option<Slot>,
    /// What stands in the text: of a slot with an article where there was none or a denial.
    pub text: String,
    /// It may be passed over.
    pub light: bool,
    /// It denies.
    pub denies: bool,
    /// `'s` stands behind it.
    pub owns: bool,
    /// Bytes of the text.
    pub span: Range<usize>,
}

/// Reads the atoms of tokens; `parts` knows which squares are moves. Where the text of slots is not needed `text` may be empty.
pub fn atoms(text: &str, tokens: &[Token], parts: &[Part], mover: Color) -> Vec<Atom> {
    let mut found: Vec<Atom> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        let (atom, n) = slot(text, tokens, at, parts, mover).unwrap_or_else(|| (word(token), 1));
        at += n;
        match token.tok {
            Tok::Possessive => {
                if let Some(last) = found.last_mut() {
                    last.owns = true;
                }
            }
            Tok::Number { dots, .. } if dots > 0 => {}
            Tok::Sign('"' | '\'' | '*' | '_') | Tok::Ellipsis => {}
            _ => found.push(atom),
        }
    }
    found
}

fn word(token: &Token) -> Atom {
    let word = match &token.tok {
        Tok::Word(word) => match word.as_str() {
            "is" | "are" | "was" | "were" | "been" | "being" | "am" => "be".to_owned(),
            "has" | "had" | "having" => "have".to_owned(),
            "does" | "did" | "doing" | "done" => "do".to_owned(),
            _ => word.clone(),
        },
        Tok::Number { n, .. } => n.to_string(),
        Tok::Sign(c) => c.to_string(),
        _ => String::new(),
    };
    let denies = matches!(
        word.as_str(),
        "not" | "no" | "never" | "nobody" | "none" | "nothing" | "without" | "neither" | "nor"
    );
    Atom {
        light: denies || is_light(&word),
        denies,
        text: token.word().to_owned(),
        word,
        slot: None,
        owns: false,
        span: token.span.clone(),
    }
}

fn slot(text: &str, tokens: &[Token], at: usize, parts: &[Part], mover: Color) -> Option<(Atom, usize)> {
    let span = tokens[at].span.clone();
    let made = |slot, text: String, span: Range<usize>, denies| Atom {
        word: String::new(),
        slot: Some(slot),
        text,
        light: false,
        denies,
        owns: false,
        span,
    };
    if parts.iter().any(|p| matches!(p.item, Item::Move(_)) && p.span == span) || matches!(tokens[at].tok, Tok::Move(_))
    {
        // The number before it says whose it is.
        let from = match at.checked_sub(1).map(|i| &tokens[i]) {
            Some(Token {
                tok: Tok::Number { dots, .. },
                span,
                ..
            }) if *dots > 0 => span.start,
            Some(Token {
                tok: Tok::Ellipsis,
                span,
                ..
            }) => span.start,
            _ => span.start,
        };
        let said = text.get(from..span.end).unwrap_or_default();
        let mut atom = made(Slot::Move, said.trim_end_matches(['!', '?']).to_owned(), span, false);
        // A mark behind it judges it.
        let marks = &said[atom.text.len()..];
        if !marks.is_empty() {
            let good = matches!(marks, "!" | "!!" | "!?");
            atom.word = if good { "good-mark" } else { "bad-mark" }.to_owned();
        }
        return Some((atom, 1));
    }
    // "a good move" is not a slot, and neither is a verb.
    let color = lexicon::color(tokens[at].word());
    let read = noun_phrase::read(tokens, at, &[]).filter(|(np, _)| color.is_none() || np.is_men());
    if let (Some(color), None) = (color, &read) {
        return Some((
            made(
                Slot::Side(color),
                crate::chess::names::color_name(color).to_owned(),
                span,
                false,
            ),
            1,
        ));
    }
    let (np, next) = read?;
    let n = next.checked_sub(at).filter(|&n| n > 0)?;
    let whole = span.start..tokens[next - 1].span.end;
    let said = text.get(whole.clone()).unwrap_or_default().to_owned();
    if np.head == Head::Side {
        let color = match np.owner? {
            Owner::Side(color) => color,
            Owner::Enemy => mover.other(),
            _ => return None,
        };
        return Some((
            made(
                Slot::Side(color),
                crate::chess::names::color_name(color).to_owned(),
                whole,
                false,
            ),
            n,
        ));
    }
    let denies = np.det == Det::No;
    // "The point is in the bag": what a game is played for.
    let point = np.head == Head::Thing(lexicon::Thing::Point) && np.count.is_none() && np.det == Det::Definite;
    let material = np.head == Head::Thing(lexicon::Thing::Material) || point;
    if amount(&np).is_some() && np.squares.is_empty() && np.file.is_none() && np.owner.is_none() && !material {
        let bare = np.det == Det::Bare && np.count.is_none() && !np.plural;
        let said = match said.split_once(' ') {
            Some((first, rest)) if denies || first == "any" || first == "this" => format!("a {rest}"),
            _ if bare => format!("a {said}"),
            _ => said,
        };
        let extra = np.has(Trait::Extra);
        return Some((made(Slot::Amount { extra }, said, whole, denies), n));
    }
    if np.is_men() {
        return Some((made(Slot::Men, said, whole, denies), n));
    }
    if matches!(np.head, Head::Square { .. }) && np.squares.len() == 1 {
        return Some((made(Slot::Square, np.squares[0].to_string(), whole, denies), n));
    }
    None
}

/// Words that change nothing of what is claimed.
fn is_light(word: &str) -> bool {
    word.ends_with("ly")
        && !matches!(word, "only" | "family" | "likely" | "unlikely" | "reply")
        && ![
            "curately", "ecisely", "rectly", "badly", "wrongly", "poorly", "ppily", "lessly", "rfectly",
        ]
        .iter()
        .any(|manner| word.ends_with(manner) && word != "directly" && word != "indirectly")
        || matches!(
            word,
            "the"
                | "a"
                | "an"
                | "this"
                | "any"
                | "some"
                | "now"
                | "still"
                | "also"
                | "just"
                | "already"
                | "quite"
                | "very"
                | "rather"
                | "somewhat"
                | "really"
                | "currently"
                | "here"
                | "again"
                | "too"
                | "well"
                | "so"
                | "pretty"
                | "much"
                | "even"
                | "far"
                | "all"
                | "at"
                | "bit"
                | "little"
                | "dead"
                | "got"
                | "do"
                | "then"
                | "however"
                | "perhaps"
                | "indeed"
                | "ever"
                | "certain"
                | "whatsoever"
                | "been"
                | "his"
                | "her"
                | "its"
                | "their"
                | ","
                | ":"
                | "!"
        )
}
