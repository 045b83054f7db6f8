//! Clauses: who does what to whom, denied or not, at which point of which line.

use std::ops::Range;

use shakmaty::{Color, Square};

use super::{
    lexicon::{Act, Opener, Prep, Thing, Trait},
    phrase::{Det, Head, Item, Modal, MoveWord, Np, Owner, Part, Verb},
};
/// One of those that a clause speaks of.
#[derive(Debug, Clone, PartialEq)]
pub enum Arg {
    /// Men, squares, sides, things.
    Np(Np, Range<usize>),
    /// A move that is named.
    Move(MoveWord, Range<usize>),
    /// The move under discussion.
    Played,
    /// One of these; which, the words don't say.
    Any(Vec<Arg>),
}

impl Arg {
    /// The noun phrase, where it is one.
    #[must_use]
    pub const fn np(&self) -> Option<&Np> {
        match self {
            Self::Np(np, _) => Some(np),
            _ => None,
        }
    }

    /// The side, where the phrase is the name of one.
    #[must_use]
    pub fn side(&self, mover: Color) -> Option<Color> {
        let np = self.np()?;
        match np.head {
            Head::Side => side_of(np.owner?, mover),
            Head::Speaker => Some(mover),
            _ => None,
        }
    }
}

/// The colour that an owner means when nothing else is known.
#[must_use]
pub const fn side_of(owner: Owner, mover: Color) -> Option<Color> {
    match owner {
        Owner::Side(color) => Some(color),
        Owner::Enemy => Some(mover.other()),
        Owner::Speaker => Some(mover),
        Owner::Theirs | Owner::Own => None,
    }
}

/// At which point a clause speaks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Context {
    /// Moves that lead there, run after run.
    pub runs: Vec<Vec<MoveWord>>,
    /// Deeds that lead there without a move's name: "if Black takes the knight".
    pub deeds: Vec<Frame>,
    /// Supposed in words that name no move.
    pub vague: bool,
    /// Before the move.
    pub before: bool,
    /// A move that a clause before was about: this one may speak of the position after it.
    pub loose: Vec<MoveWord>,
    /// Captures that the clauses before tell of without their moves: "Black takes with the b-pawn, White retakes, and now …".
    pub captures: Vec<Frame>,
    /// A square that words without a move's name have had a man go to: what follows may be said of the position then.
    pub place: Option<Square>,
}

impl Context {
    /// True where it is the position on the board.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.runs.is_empty() && self.deeds.is_empty() && !self.vague && !self.before
    }
}

/// A clause.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Its verb. [`Act::Be`] for a sentence without one.
    pub verb: Verb,
    /// Its subjects, joined by "and"; empty where there is none.
    pub subject: Vec<Arg>,
    /// What follows the verb.
    pub post: Vec<Part>,
    /// What stands before it besides the subject.
    pub pre: Vec<Part>,
    /// "not", "never", "no" bears on the verb.
    pub negated: bool,
    /// The word that opens it.
    pub opener: Option<Opener>,
    /// The verb above an infinitive or a gerund.
    pub governor: Option<Act>,
    /// The modal of the verb above it.
    pub governor_modal: Option<Modal>,
    /// The clause above is denied.
    pub governor_negated: bool,
    /// Where it speaks.
    pub context: Context,
    /// "there is".
    pub existential: bool,
    /// The objects of the verb above an infinitive.
    pub above: Vec<Arg>,
    /// Its words in lower case.
    pub words: Vec<String>,
    /// There is no verb; the subject is the move by default.
    pub verbless: bool,
    /// Bytes of the text.
    pub span: Range<usize>,
}

impl Frame {
    /// The objects: noun phrases and moves right behind the verb, joined by "and"; not those of prepositions.
    #[must_use]
    pub fn objects(&self) -> Vec<Arg> {
        let mut found = Vec::new();
        let mut joined = true;
        for part in &self.post {
            match &part.item {
                // "guards the rook, and Black, a knight ahead, …": another clause.
                Item::Np(np) if np.head == Head::Side && !found.is_empty() => break,
                Item::Np(np) if joined => {
                    found.push(Arg::Np(np.clone(), part.span.clone()));
                    joined = false;
                }
                Item::Move(word) if joined => {
                    found.push(Arg::Move(word.clone(), part.span.clone()));
                    joined = false;
                }
                Item::And | Item::Or | Item::Comma => joined = true,
                Item::Not | Item::Word(_) | Item::Trait(_) => {}
                _ => break,
            }
        }
        found
    }

    /// The noun phrases behind a preposition, in all of the clause; of several such, all.
    #[must_use]
    pub fn behind(&self, wanted: &[Prep]) -> Vec<Arg> {
        let mut found = behind(&self.post, wanted);
        found.extend(behind(&self.pre, wanted));
        found
    }

    /// The adjectives behind the verb, up to the first noun phrase or preposition.
    #[must_use]
    pub fn traits(&self) -> Vec<(Trait, Range<usize>)> {
        let mut found = Vec::new();
        for part in &self.post {
            match &part.item {
                Item::Trait(t) => found.push((*t, part.span.clone())),
                Item::Np(_) | Item::Prep(_) | Item::Open(_) | Item::Rel | Item::Break => break,
                _ => {}
            }
        }
        found
    }

    /// True where it denies anything.
    #[must_use]
    pub fn denies(&self) -> bool {
        let none = |np: &Np| np.det == Det::No || np.head == Head::Thing(Thing::Nothing);
        let denial = |part: &Part| match &part.item {
            Item::Not | Item::Prep(Prep::Without) => true,
            Item::Np(np) => none(np),
            _ => false,
        };
        self.negated
            || self.governor_negated
            || self.post.iter().chain(&self.pre).any(denial)
            || self.subject.iter().filter_map(Arg::np).any(none)
    }

    /// True where a word of the clause's rest is this one.
    #[must_use]
    pub fn has_word(&self, wanted: &str) -> bool {
        self.words.iter().any(|word| word == wanted)
    }

    /// The things among all of its noun phrases behind the verb, with their places in `post`.
    pub fn things(&self) -> impl Iterator<Item = (usize, Thing, &Np, &Range<usize>)> {
        self.post.iter().enumerate().filter_map(|(at, part)| match &part.item {
            Item::Np(np) => np.thing().map(|thing| (at, thing, np, &part.span)),
            _ => None,
        })
    }
}

/// The noun phrases behind one of these prepositions.
#[must_use]
pub fn behind(parts: &[Part], wanted: &[Prep]) -> Vec<Arg> {
    let mut found = Vec::new();
    let mut open = false;
    for (at, part) in parts.iter().enumerate() {
        match &part.item {
            Item::Prep(prep) => open = wanted.contains(prep),
            Item::Np(np) if open => {
                found.push(Arg::Np(np.clone(), part.span.clone()));
                let next = parts.get(at + 1).map(|p| &p.item);
                open = matches!(next, Some(Item::And | Item::Or | Item::Comma));
            }
            Item::Move(word) if open => {
                found.push(Arg::Move(word.clone(), part.span.clone()));
                open = matches!(parts.get(at + 1).map(|p| &p.item), Some(Item::And | Item::Or));
            }
            Item::And | Item::Or | Item::Comma | Item::Word(_) | Item::Trait(_) => {}
            _ => open = false,
        }
    }
    found
}

/// What earlier sentences leave for pronouns.
#[derive(Debug, Clone, Default)]
pub struct Discourse {
    /// The last clause's subject.
    pub subject: Option<Arg>,
    /// The last men mentioned.
    pub men: Option<Arg>,
    /// The last plural men mentioned.
    pub many: Option<Arg>,
    /// Where the last sentence ended up.
    pub context: Context,
}

/// Runs of moves with nothing between them.
#[must_use]
pub fn move_runs(parts: &[Part]) -> Vec<Vec<MoveWord>> {
    let mut runs: Vec<Vec<MoveWord>> = Vec::new();
    let mut open = false;
    for part in parts {
        if let Item::Move(word) = &part.item {
            match runs.last_mut() {
                Some(run) if open => run.push(word.clone()),
                _ => runs.push(vec![word.clone()]),
            }
            open = true;
        } else {
            open = false;
        }
    }
    runs
}

/// One of these, each of them once.
pub fn flat(mut all: Vec<Arg>) -> Arg {
    let mut once: Vec<Arg> = Vec::new();
    for arg in all.drain(..) {
        let inner = match arg {
            Arg::Any(inner) => inner,
            other => vec![other],
        };
        for arg in inner {
            if !once.contains(&arg) {
                once.push(arg);
            }
        }
    }
    if once.len() == 1
        && let Some(one) = once.pop()
    {
        return one;
    }
    Arg::Any(once)
}

/// "stops the queen from": the queen.
#[must_use]
pub fn kept_from(frame: &Frame) -> Option<Arg> {
    let [.., man, from] = frame.post.as_slice() else {
        return None;
    };
    match (&man.item, &from.item) {
        (Item::Np(np), Item::Prep(Prep::From)) if frame.verb.act == Act::Prevent && np.is_men() => {
            Some(Arg::Np(np.clone(), man.span.clone()))
        }
        _ => None,
    }
}
