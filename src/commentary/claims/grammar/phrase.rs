//! The parts of a clause: noun phrases, verb groups, moves, and the small words between them.

use std::ops::Range;

use shakmaty::{Color, File, Role, Square};

use super::lexicon::{Act, Form, Opener, Prep, Thing, Trait};

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
