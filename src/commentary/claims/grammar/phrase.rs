//! Tokens to the parts of a clause: noun phrases, verb groups, moves, and the small words between them.

use std::ops::Range;

use shakmaty::{Color, File, Role, Square};

use super::{
    lexicon::{self, Act, Form, Opener, Prep, Thing, Trait},
    noun_phrase, verb_group,
};
use crate::commentary::claims::text::{Tok, Token};

/// Whose something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// Named by colour.
    Side(Color),
    /// "the enemy", "the opponent's": the other side of whoever acts.
    Enemy,
    /// "his", "its", "their": whoever is spoken of.
    Theirs,
    /// "my", "our", "your": the side that moved.
    Speaker,
    /// "own": the acting side.
    Own,
}

/// What a noun phrase is headed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Head {
    /// A king, queen, …
    Role(Role),
    /// "piece": any man but a pawn; the plural may be any.
    Piece,
    /// A knight or bishop.
    Minor,
    /// A queen or rook.
    Major,
    /// A side: "White", "the opponent".
    Side,
    /// A bare square, or "the e5 square". `maybe_move` where it could be a pawn's move.
    Square {
        /// "e4" without a word that makes it a square.
        maybe_move: bool,
    },
    /// "the e-file".
    File,
    /// Any other noun.
    Thing(Thing),
    /// "it", "this": whatever was spoken of.
    It,
    /// "he", "she": a side or a man.
    He,
    /// "they", "them", "both".
    They,
    /// "I", "we": the side that moved.
    Speaker,
    /// "this move", "the move", "the text move".
    ThisMove,
    /// Half of a noun phrase with no noun that says anything to us.
    Unknown,
}

/// How many are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Det {
    /// "the", "this", a name.
    Definite,
    /// "a", "some".
    Indefinite,
    /// "no".
    No,
    /// "both", "all", "each".
    All,
    /// "another", "the other".
    Other,
    /// No determiner: "pawns", "White".
    Bare,
}

/// A noun phrase.
#[derive(Debug, Clone, PartialEq)]
pub struct Np {
    /// The side or man that it belongs to: "Black's", "its".
    pub owner: Option<Owner>,
    /// The noun itself.
    pub head: Head,
    /// A plural noun.
    pub plural: bool,
    /// "two", "three".
    pub count: Option<u32>,
    /// The article.
    pub det: Det,
    /// The squares that say which.
    pub squares: Vec<Square>,
    /// The file that says which.
    pub file: Option<File>,
    /// Dark- or light-squared.
    pub dark: Option<bool>,
    /// Its adjectives, as far as they can be checked: "passed", "isolated".
    pub traits: Vec<Trait>,
    /// "king's", "queen's" before a noun.
    pub of_role: Option<Role>,
    /// True for a square given with "from": where it stood.
    pub from: bool,
    /// True where the square came with "on", "at" or before the noun: a mention of a man on a square.
    pub placed: bool,
    /// "only the rook", "the rook alone": no other.
    pub sole: bool,
    /// "e4" as the first word of a pair of squares ("the a1-h8 diagonal").
    pub kingside: Option<bool>,
}

impl Np {
    /// A phrase of this head and nothing else.
    #[must_use]
    pub const fn of(head: Head) -> Self {
        Self {
            owner: None,
            head,
            plural: false,
            count: None,
            det: Det::Bare,
            squares: Vec::new(),
            file: None,
            dark: None,
            traits: Vec::new(),
            of_role: None,
            from: false,
            placed: false,
            sole: false,
            kingside: None,
        }
    }

    /// True for phrases that mean men on the board.
    #[must_use]
    pub const fn is_men(&self) -> bool {
        matches!(self.head, Head::Role(_) | Head::Piece | Head::Minor | Head::Major)
    }

    /// The thing, where it is one.
    #[must_use]
    pub const fn thing(&self) -> Option<Thing> {
        match self.head {
            Head::Thing(thing) => Some(thing),
            _ => None,
        }
    }

    /// True where the adjective stands before the noun.
    #[must_use]
    pub fn has(&self, wanted: Trait) -> bool {
        self.traits.contains(&wanted)
    }
}

/// A move as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveWord {
    /// Without its number.
    pub text: String,
    /// The number before it.
    pub number: Option<u32>,
    /// Whose the number or the dots say it is.
    pub side: Option<Color>,
    /// "the reply Nf6", "allows Nf6": played after the move.
    pub reply: bool,
}

/// What a modal verb makes of a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Modal {
    /// "can", "may", "is able to".
    Can,
    /// "could", "might".
    Could,
    /// "would".
    Would,
    /// "will", "is going to".
    Will,
    /// "should", "ought to".
    Should,
    /// "must", "has to".
    Must,
}

/// A verb with its auxiliaries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verb {
    /// What it says; a word may have several meanings, the first is the likeliest.
    pub act: Act,
    /// The form of the main verb.
    pub form: Form,
    /// The main verb as written.
    pub word: String,
    /// "is attacked".
    pub passive: bool,
    /// Has a form of "to be" before an -ing form.
    pub progressive: bool,
    /// "has attacked".
    pub perfect: bool,
    /// "attacked", "was", "had".
    pub past: bool,
    /// "to attack".
    pub infinitive: bool,
    /// Has an auxiliary or is finite by its form: it can have a subject of its own.
    pub finite: bool,
    /// "not", "never", "no longer".
    pub negated: bool,
    /// "no longer": it was so before.
    pub no_longer: bool,
    /// The modal.
    pub modal: Option<Modal>,
    /// "up", "off", "back" behind the verb.
    pub particle: Option<Prep>,
}

impl Verb {
    /// A verb without a word of its own and without auxiliaries, in the present, affirmed.
    #[must_use]
    pub const fn bare(act: Act, form: Form, finite: bool) -> Self {
        Self {
            act,
            form,
            word: String::new(),
            passive: false,
            progressive: false,
            perfect: false,
            past: false,
            infinitive: false,
            finite,
            negated: false,
            no_longer: false,
            modal: None,
            particle: None,
        }
    }
}

/// A part of a clause.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// A noun phrase.
    Np(Np),
    /// A move.
    Move(MoveWord),
    /// A verb group.
    Verb(Verb),
    /// An adjective on its own.
    Trait(Trait),
    /// A preposition.
    Prep(Prep),
    /// "if", "after", …
    Open(Opener),
    /// "and", "as well as".
    And,
    /// "or", "nor".
    Or,
    /// A comma.
    Comma,
    /// A semicolon, a colon, a dash, a bracket.
    Break,
    /// "which", "that", "who".
    Rel,
    /// "not", "neither", "never" outside a verb group.
    Not,
    /// "there" before a form of "to be".
    There,
    /// Any other word.
    Word(String),
}

/// An item with its place in the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// What it is.
    pub item: Item,
    /// Bytes of the text.
    pub span: Range<usize>,
}

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
    super::noun_phrase::color(owner.word())
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
