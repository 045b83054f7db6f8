//! Cues: patterns of words that make a claim in ways the grammar does not know, over a stretch of a sentence.
//!
//! A pattern is words with blanks between them: `a|b` is one of several, `be`, `have` and `do` any form of them, `word?` may be
//! missing, `..` is up to four words of any kind, `^` and `$` are the ends of the stretch, `!word` stands where that word must
//! not follow. `SIDE`, `MOVE`, `AMOUNT`, `EXTRA`, `MEN`, `MAN` (no king, and not just any), `SQUARE` are slots. Articles,
//! adverbs and denials may stand anywhere.
//!
//! Words are compared as numbers, which a [`Vocabulary`] gives them: hundreds of cues are tried on each stretch.

use std::{collections::HashMap, ops::Range};

use crate::commentary::claims::grammar::atom::{Atom, Slot};

/// What a pattern matched.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Match {
    /// The atoms from the first to the last.
    pub range: Range<usize>,
    /// The atoms that the pattern names.
    pub named: Vec<usize>,
}

/// The words of all cues, each with a number.
#[derive(Debug, Default)]
pub struct Vocabulary(HashMap<&'static str, u16>);

impl Vocabulary {
    /// What no cue has.
    const UNKNOWN: u16 = 0;

    fn add(&mut self, word: &'static str) -> u16 {
        let next = u16::try_from(self.0.len() + 1).unwrap_or(Self::UNKNOWN);
        *self.0.entry(word).or_insert(next)
    }

    /// Every word.
    #[cfg(test)]
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.0.keys().copied()
    }

    /// The words of the atoms.
    pub fn words(&self, atoms: &[Atom]) -> Vec<u16> {
        let word = |atom: &Atom| self.0.get(atom.word.as_str()).copied();
        atoms.iter().map(|atom| word(atom).unwrap_or(Self::UNKNOWN)).collect()
    }
}

/// A stretch of a sentence with its words as numbers.
#[derive(Debug, Clone, Copy)]
pub struct Stretch<'a> {
    /// The atoms.
    pub atoms: &'a [Atom],
    /// The number of each atom's word.
    pub words: &'a [u16],
}

/// What a slot is to be filled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    Side,
    Move,
    Amount,
    Extra,
    Men,
    Man,
    Square,
}

impl Wanted {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "SIDE" => Self::Side,
            "MOVE" => Self::Move,
            "AMOUNT" => Self::Amount,
            "EXTRA" => Self::Extra,
            "MEN" => Self::Men,
            "MAN" => Self::Man,
            "SQUARE" => Self::Square,
            _ => return None,
        })
    }

    pub fn is(self, atom: &Atom) -> bool {
        match self {
            Self::Side => matches!(atom.slot, Some(Slot::Side(_))),
            Self::Move => matches!(atom.slot, Some(Slot::Move | Slot::Square)),
            Self::Amount => matches!(atom.slot, Some(Slot::Amount { .. })),
            Self::Extra => matches!(atom.slot, Some(Slot::Amount { extra: true })),
            Self::Men => matches!(atom.slot, Some(Slot::Men | Slot::Amount { .. })),
            Self::Man => matches!(atom.slot, Some(Slot::Men)) && !atom.text.contains("king"),
            Self::Square => matches!(atom.slot, Some(Slot::Square)),
        }
    }
}

/// What may stand at one place.
#[derive(Debug, Default)]
struct Choice {
    words: Vec<u16>,
    slots: Vec<Wanted>,
}

impl Choice {
    fn is(&self, stretch: &Stretch<'_>, at: usize) -> bool {
        self.words.contains(&stretch.words[at]) || self.slots.iter().any(|slot| slot.is(&stretch.atoms[at]))
    }
}

#[derive(Debug)]
enum Element {
    One { choice: Choice, may_be_missing: bool },
    Gap,
    Unless(Choice),
    End,
}

/// A pattern.
#[derive(Debug, Default)]
pub struct Cue {
    at_start: bool,
    elements: Vec<Element>,
    /// One of these words stands in each stretch that it fits; empty where none need.
    pub needs: Vec<u16>,
}

impl Cue {
    /// Reads a pattern, each of its elements as what may stand there.
    pub fn read(pattern: &[Vec<&'static str>], vocabulary: &mut Vocabulary) -> Self {
        let mut cue = Self::default();
        for choices in pattern {
            match choices.as_slice() {
                ["^"] => cue.at_start = true,
                ["$"] => cue.elements.push(Element::End),
                [".."] => cue.elements.push(Element::Gap),
                _ => cue.add(choices, vocabulary),
            }
        }
        cue
    }

    fn add(&mut self, choices: &[&'static str], vocabulary: &mut Vocabulary) {
        let (first, last) = (choices.first().unwrap_or(&""), choices.last().unwrap_or(&""));
        let (unless, may_be_missing) = (first.starts_with('!'), last.ends_with('?'));
        let mut choice = Choice::default();
        for name in choices {
            let name = name.trim_start_matches('!').trim_end_matches('?');
            match Wanted::named(name) {
                Some(slot) => choice.slots.push(slot),
                None => choice.words.push(vocabulary.add(name)),
            }
        }
        if unless {
            self.elements.push(Element::Unless(choice));
            return;
        }
        // The last of those that need a word is the rarest: most cues begin with "be" or "have".
        let is_sign = |name: &&str| !name.contains(char::is_alphabetic);
        if !may_be_missing && choice.slots.is_empty() && !choices.iter().any(is_sign) {
            self.needs.clone_from(&choice.words);
        }
        self.elements.push(Element::One { choice, may_be_missing });
    }

    /// The first place where it fits.
    pub fn find(&self, stretch: &Stretch<'_>) -> Option<Match> {
        if self.at_start {
            return fit(&self.elements, stretch, 0, true).map(|named| whole(named, 0));
        }
        (0..stretch.atoms.len())
            .find_map(|start| fit(&self.elements, stretch, start, false).map(|named| whole(named, start)))
    }
}

fn whole(named: Vec<usize>, start: usize) -> Match {
    let from = named.first().copied().unwrap_or(start);
    let to = named.last().map_or(start, |last| last + 1);
    Match { range: from..to, named }
}

/// The atoms that the elements name from `at` on; the first must fit there unless `loose`.
fn fit(elements: &[Element], stretch: &Stretch<'_>, at: usize, loose: bool) -> Option<Vec<usize>> {
    let Some((first, rest)) = elements.split_first() else {
        return Some(Vec::new());
    };
    let len = stretch.atoms.len();
    match first {
        Element::Gap => (at..=(at + 4).min(len)).find_map(|next| fit(rest, stretch, next, true)),
        Element::Unless(unwanted) => {
            let next = (at..len).find(|next| !stretch.atoms[*next].light);
            if next.is_some_and(|next| unwanted.is(stretch, next)) {
                return None;
            }
            fit(rest, stretch, at, loose)
        }
        Element::End => {
            let mut behind = stretch.atoms[at.min(len)..].iter();
            behind.all(|atom| atom.light || atom.word == ".").then(Vec::new)
        }
        Element::One { choice, may_be_missing } => {
            if at < len {
                if choice.is(stretch, at)
                    && let Some(mut named) = fit(rest, stretch, at + 1, true)
                {
                    named.insert(0, at);
                    return Some(named);
                }
                if loose
                    && stretch.atoms[at].light
                    && let Some(named) = fit(elements, stretch, at + 1, true)
                {
                    return Some(named);
                }
            }
            if *may_be_missing {
                fit(rest, stretch, at, loose)
            } else {
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commentary::claims::{
        grammar::{atom::atoms, chunker},
        text::token,
    };
    use shakmaty::Color;

    fn matched(pattern: &'static str, text: &str) -> Option<String> {
        let tokens = token::tokens(text, 0..text.len());
        let parts = chunker::parts(&tokens);
        let atoms = atoms(text, &tokens, &parts, Color::White);
        let mut vocabulary = Vocabulary::default();
        let elements: Vec<_> = pattern.split(' ').map(|element| element.split('|').collect()).collect();
        let cue = Cue::read(&elements, &mut vocabulary);
        let words = vocabulary.words(&atoms);
        let stretch = Stretch {
            atoms: &atoms,
            words: &words,
        };
        let found = cue.find(&stretch)?;
        assert!(cue.needs.is_empty() || cue.needs.iter().any(|word| words.contains(word)));
        Some(text[atoms[found.range.start].span.start..atoms[found.range.end - 1].span.end].to_owned())
    }

    #[test]
    fn patterns_skip_light_words_and_name_slots() {
        assert_eq!(
            matched("have upper hand", "White clearly does not have the upper hand here").as_deref(),
            Some("have the upper hand")
        );
        assert_eq!(
            matched("SIDE be AMOUNT up|ahead", "Black is simply two pawns ahead.").as_deref(),
            Some("Black is simply two pawns ahead")
        );
        assert_eq!(
            matched(
                "MOVE be .. stronger than MOVE",
                "12.Nf3 was a good deal stronger than Qxb7."
            )
            .as_deref(),
            Some("Nf3 was a good deal stronger than Qxb7")
        );
        assert_eq!(matched("^ equality|equal $", "Equality.").as_deref(), Some("Equality"));
        assert_eq!(matched("^ equality|equal $", "Equality is near."), None);
        assert_eq!(
            matched("^ to move : SIDE", "To move: Black.").as_deref(),
            Some("To move: Black")
        );
    }
}
