//! A piece of a sentence: what it names and denies, and what the words around it add.

use std::ops::Range;

use phrases::Words;
use shakmaty::{CastlingSide, Color, File, Role, Square};

use super::cue_words::Polarity;
use crate::commentary::claims::{
    ClaimKind,
    board::{View, World},
    truth::{self, Truth},
};

/// A man named with its square.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Where it is said to stand.
    pub square: Square,
    /// What it is said to be.
    pub role: Option<Role>,
}

/// A stretch of a sentence between commas, conjunctions and stops, and what it names.
#[derive(Debug)]
pub struct Piece {
    /// Bytes of the text.
    pub span: Range<usize>,
    /// The clause it belongs to: pieces between two commas of one clause have the same number.
    pub clause: usize,
    /// The word that parts it from the one before.
    pub opener: Option<String>,
    /// The words as they stand.
    pub words: Words,
    /// Without what denies, and whether it is denied.
    pub polarity: Polarity,
    /// Men and squares.
    pub named: Vec<Named>,
    /// Files by their letters.
    pub files: Vec<File>,
    /// Sides by their names, in order.
    pub sides: Vec<Color>,
    /// A move is written there.
    pub has_move: bool,
    /// The castling that is written there.
    pub castles: Option<CastlingSide>,
}

impl Piece {
    /// True where one of the patterns stands in it.
    pub fn says(&self, patterns: &'static [&'static str]) -> bool {
        self.words.say(patterns)
    }

    /// The same in what is left when the denials are taken out.
    pub fn affirms(&self, patterns: &'static [&'static str]) -> bool {
        self.polarity.words.say(patterns)
    }

    /// The only side that is named.
    pub fn side(&self) -> Option<Color> {
        let first = *self.sides.first()?;
        self.sides.iter().all(|&side| side == first).then_some(first)
    }

    /// The only man or square that is named, among those that `wanted` lets through.
    pub fn man(&self, wanted: impl Fn(&Named) -> bool) -> Option<&Named> {
        let mut all = self.named.iter().filter(|named| wanted(named));
        let first = all.next()?;
        all.all(|other| other.square == first.square).then_some(first)
    }

    /// The only file that is named.
    pub fn file(&self) -> Option<File> {
        let first = *self.files.first()?;
        self.files.iter().all(|&file| file == first).then_some(first)
    }
}

/// A piece among those of its sentence, on the board.
pub struct PieceCue<'a> {
    /// The sheet.
    pub world: &'a World<'a>,
    /// The positions it may speak of.
    pub views: &'a [View],
    /// The piece.
    pub piece: &'a Piece,
    /// The pieces of its sentence.
    pub pieces: &'a [Piece],
    /// Its place among them.
    pub at: usize,
}

impl PieceCue<'_> {
    /// What `slot` finds in this piece, in the others of its clause, or, where the piece points back ("it is isolated")
    /// or names nobody, in the clause before it or behind its colon.
    pub fn slot<T>(&self, slot: impl Fn(&Piece) -> Option<T>) -> Option<T> {
        let clause = self.piece.clause;
        // "Black, unlike White, has yet to castle".
        let beside = |p: &&Piece| p.clause == clause && !p.says(&["unlike|like|contrast|compared"]);
        let back = self.pieces[..self.at].iter().rev().filter(beside);
        let on = self.pieces[self.at + 1..].iter().filter(beside);
        let here = std::iter::once(self.piece).chain(back).chain(on).find_map(&slot);
        if here.is_some() {
            return here;
        }
        // "a half-open file for White: the f-file".
        let named = self.pieces.get(self.at + 1).filter(|p| p.words.len() < 5);
        if let Some(found) = named.and_then(&slot) {
            return Some(found);
        }
        let points = self.piece.says(&["it|its|itself|that|this|they|their|one"]);
        let bare = self.piece.named.is_empty() && self.piece.sides.is_empty() && self.piece.files.is_empty();
        if !points && !bare {
            return None;
        }
        let near = |p: &&Piece| p.clause.abs_diff(clause) == 1;
        let before = self.pieces[..self.at].iter().rev().filter(near);
        let behind = self.pieces[self.at + 1..].iter().filter(near);
        before.chain(behind).find_map(&slot)
    }

    /// Asks each position; one reading that holds is enough. The answer is turned where the piece denies.
    pub fn ask(&self, question: impl Fn(&View) -> Truth) -> Truth {
        truth::any(self.views.iter().map(question)).negated(self.piece.polarity.denied)
    }

    /// The same of what a noun phrase says: a denial of the clause does not reach what is taken for granted.
    pub fn ask_noun(&self, question: impl Fn(&View) -> Truth) -> Truth {
        self.ask(question)
            .negated(self.piece.polarity.granted && self.piece.polarity.denied)
    }

    /// The piece is a relative clause ("which has lost its rights"): the side that is named last before it.
    pub fn antecedent(&self) -> Option<Color> {
        let which = self.piece.opener.as_deref() == Some("which");
        let before = self.at.checked_sub(1).map(|at| &self.pieces[at])?;
        before.sides.last().copied().filter(|_| which)
    }

    /// The move that led to the position is the one under discussion, or one that the words name.
    pub fn deed(&self) -> bool {
        self.views.first().is_some_and(|view| view.deed.is_some())
    }
}

/// A reading of a piece.
pub struct Reading {
    /// What it is about.
    pub kind: ClaimKind,
    /// What the board says.
    pub truth: Truth,
}
