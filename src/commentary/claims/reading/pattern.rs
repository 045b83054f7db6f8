//! The dialect of the rows: a pattern of words and slots, and what it has matched.
//!
//! | written | matches |
//! |---|---|
//! | `attack\|hit` | one of these words in any of their forms |
//! | `=mate` | this form alone |
//! | `word?` | the word or nothing |
//! | `..` | at most three words or numbers |
//! | `S` | whom it is said of: men, a word that stands for them, or nobody, where the clause takes them from before |
//! | `O`, `B` | men, a word that stands for them, or squares: whom it is done to; who is behind |
//! | `W`, `V` | a side; a side that says it of the other |
//! | `M` | moves |
//! | `F` | files |
//! | `N` | men that are counted |
//! | `P` | men that stand against those |
//! | `K` | a number |
//! | `X` | an amount of pawns |
//! | `,?` | a comma or nothing |
//! | `A` | how much, if anything: "slightly", "clearly" |
//!
//! Denials and modal verbs may stand between any two of them.

use std::collections::HashSet;

use shakmaty::{Color, File};

use super::{
    super::statement::Qualifier,
    chunk::{Chunk, Item, Men, NamedMove},
};

/// A part of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Element {
    Words { forms: Vec<String>, optional: bool },
    Gap,
    Comma,
    Slot(char),
}

/// A pattern that is ready to be matched.
#[derive(Debug, Clone)]
pub struct Pattern {
    elements: Vec<Element>,
}

/// What the slots have caught.
#[derive(Debug, Clone, Default)]
pub struct Caught<'a> {
    /// The chunk of the subject; `None` where the clause takes it from before.
    pub subject: Option<usize>,
    /// The chunk of the object.
    pub object: Option<usize>,
    /// The chunk of who is behind.
    pub behind: Option<usize>,
    /// The side that is named.
    pub side: Option<Color>,
    /// It is said of the other side.
    pub turned: bool,
    /// The moves, and their chunk.
    pub moves: Option<(&'a [NamedMove], usize)>,
    /// The files.
    pub files: Vec<File>,
    /// The men that are counted.
    pub counted: Option<&'a Men>,
    /// The men that stand against them.
    pub against: Option<&'a Men>,
    /// A number.
    pub number: Option<i32>,
    /// An amount in centipawns.
    pub amount: Option<(i32, Option<Qualifier>)>,
    /// How much.
    pub degree: Option<Qualifier>,
    /// How often it is denied.
    pub denials: usize,
    /// A modal verb.
    pub modal: Option<&'a str>,
    /// One of its verbs is in the past.
    pub was: bool,
    /// The chunk behind the match.
    pub end: usize,
}

impl Pattern {
    /// Reads a pattern.
    pub fn new(text: &str) -> Self {
        let mut elements: Vec<Element> = Vec::new();
        for word in text.split_whitespace() {
            // "O be attack": nobody who is attacking is attacked.
            let passive = elements.last().is_some_and(is_be);
            elements.push(match word {
                ".." => Element::Gap,
                ",?" => Element::Comma,
                _ if word.len() == 1 && word.starts_with(|c: char| c.is_ascii_uppercase()) => {
                    Element::Slot(word.chars().next().unwrap_or('S'))
                }
                _ => {
                    let (words, optional) = word.strip_suffix('?').map_or((word, false), |words| (words, true));
                    let kept = |form: &String, word: &str| !passive || form == word || !form.ends_with("ing");
                    let forms = words
                        .split('|')
                        .flat_map(|word| forms(word).into_iter().filter(move |form| kept(form, word)))
                        .collect();
                    Element::Words { forms, optional }
                }
            });
        }
        Self { elements }
    }

    /// Whether a sentence of these words may match at all: one of every word that it can't do without must be there.
    pub fn may_match(&self, words: &HashSet<&str>) -> bool {
        let there = |form: &String| words.contains(form.as_str());
        self.elements.iter().all(|element| match element {
            Element::Words { forms, optional: false } => forms.iter().any(there),
            _ => true,
        })
    }

    /// Matches from the chunk at `at` on.
    pub fn matches<'a>(&self, chunks: &'a [Chunk], at: usize) -> Option<Caught<'a>> {
        let caught = self.step(chunks, at, 0, Caught::default());
        if caught.is_some() {
            return caught;
        }
        // The subject or the side from before: "and hits the rook", "attacking f7", "12...Bxg2 hits the rook".
        let elided = match self.elements.first() {
            Some(Element::Slot('S')) => true,
            // A move is no side.
            Some(Element::Slot('W')) => at > 0 && !matches!(chunks[at - 1].item, Item::Moves(_) | Item::Squares(_)),
            _ => false,
        };
        (elided && takes_from_before(chunks, at))
            .then(|| self.step(chunks, at, 1, Caught::default()))
            .flatten()
    }

    fn step<'a>(&self, chunks: &'a [Chunk], at: usize, element: usize, caught: Caught<'a>) -> Option<Caught<'a>> {
        let Some(wanted) = self.elements.get(element) else {
            return Some(Caught { end: at, ..caught });
        };
        let chunk = chunks.get(at);
        let found = chunk.and_then(|chunk| self.element(chunks, chunk, at, element, wanted, &caught));
        if found.is_some() {
            return found;
        }
        // What may stand between any two.
        if element > 0
            && let Some(chunk) = chunk
        {
            match &chunk.item {
                Item::Not => {
                    let denials = caught.denials + 1;
                    return self.step(chunks, at + 1, element, Caught { denials, ..caught });
                }
                Item::Modal(word) => {
                    let modal = Some(word.as_str());
                    return self.step(chunks, at + 1, element, Caught { modal, ..caught });
                }
                _ => {}
            }
        }
        match wanted {
            Element::Words { optional: true, .. } | Element::Gap | Element::Comma | Element::Slot('A') => {
                self.step(chunks, at, element + 1, caught)
            }
            _ => None,
        }
    }

    fn element<'a>(
        &self,
        chunks: &'a [Chunk],
        chunk: &'a Chunk,
        at: usize,
        element: usize,
        wanted: &Element,
        caught: &Caught<'a>,
    ) -> Option<Caught<'a>> {
        let mut next = caught.clone();
        next.was |= chunk.was;
        match (wanted, &chunk.item) {
            (Element::Words { forms, .. }, Item::Word(word)) if forms.contains(word) => {
                next.was |= word.ends_with("ed")
            }
            (Element::Words { forms, .. }, Item::Pronoun(word)) if forms.contains(word) => {}
            (Element::Gap, Item::Word(_) | Item::Number(_)) => {
                let mut ahead = at;
                for _ in 0..3 {
                    if !chunks.get(ahead).is_some_and(may_be_skipped) {
                        break;
                    }
                    ahead += 1;
                    let found = self.step(chunks, ahead, element + 1, next.clone());
                    if found.is_some() {
                        return found;
                    }
                }
                return None;
            }
            (Element::Slot('S'), Item::Men(_) | Item::Pronoun(_)) => next.subject = Some(at),
            (Element::Slot('O'), Item::Men(_) | Item::Pronoun(_) | Item::Squares(_)) => next.object = Some(at),
            (Element::Slot('B'), Item::Men(_)) => next.behind = Some(at),
            (Element::Slot('W' | 'V'), Item::Side(side)) => {
                next.side = Some(*side);
                next.turned |= *wanted == Element::Slot('V');
            }
            (Element::Slot('W'), Item::Pronoun(word)) if word == "he" => {}
            (Element::Slot('W'), Item::Men(men)) => match men.each.as_slice() {
                [(king, _)] if king.role == Some(shakmaty::Role::King) && king.color.is_some() => {
                    next.side = king.color
                }
                _ => return None,
            },
            (Element::Slot('M'), Item::Moves(moves)) => next.moves = Some((moves, at)),
            (Element::Slot('F'), Item::Files(files)) => next.files.clone_from(files),
            (Element::Slot('N'), Item::Men(men)) => next.counted = Some(men),
            (Element::Comma, Item::Break(',')) => {}
            (Element::Slot('P'), Item::Men(men)) => next.against = Some(men),
            (Element::Slot('K'), Item::Number(number)) => next.number = Some(*number),
            (Element::Slot('X'), Item::Amount(cp, how)) => next.amount = Some((*cp, *how)),
            (Element::Slot('X'), Item::Men(men)) => next.amount = Some(pawns(men)?),
            (Element::Slot('A'), Item::Word(word)) => {
                next.degree = Some(degree(word)?);
                // "much" and "clearly" may stand together.
                let more = self.step(chunks, at + 1, element, next.clone());
                return more.or_else(|| self.step(chunks, at + 1, element + 1, next));
            }
            _ => return None,
        }
        self.step(chunks, at + 1, element + 1, next)
    }
}

/// A form of "be" that must be there.
fn is_be(element: &Element) -> bool {
    matches!(element, Element::Words { forms, optional: false } if forms.iter().any(|form| form == "be"))
}

/// What a gap may swallow: nothing that turns what is said.
fn may_be_skipped(chunk: &Chunk) -> bool {
    match &chunk.item {
        Item::Word(word) => !matches!(
            word.as_str(),
            "no" | "less" | "than" | "without" | "only" | "if" | "of" | "almost" | "half"
        ),
        Item::Number(_) => true,
        _ => false,
    }
}

/// "five pawns" as an amount.
pub fn pawns(men: &Men) -> Option<(i32, Option<Qualifier>)> {
    let [(man, Some(count))] = men.each.as_slice() else {
        return None;
    };
    let plain = man.square.is_none()
        && man.file.is_none()
        && man.color.is_none()
        && !men.definite
        && !men.extra
        && men.epithets.is_empty();
    let how = men.how.unwrap_or(Qualifier::About);
    (plain && man.role == Some(shakmaty::Role::Pawn)).then_some((count * 100, Some(how)))
}

fn degree(word: &str) -> Option<Qualifier> {
    Some(match word {
        "slightly" | "marginally" | "little" | "bit" => Qualifier::Slight,
        "clearly" | "much" | "far" | "considerably" | "significantly" | "obviously" => Qualifier::Clear,
        "decisively" | "overwhelmingly" | "crushingly" | "hugely" | "vastly" => Qualifier::Winning,
        _ => return None,
    })
}

/// Whether a verb here takes its subject from before.
fn takes_from_before(chunks: &[Chunk], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).and_then(|at| chunks.get(at)) else {
        return false;
    };
    match &before.item {
        Item::Break(',' | ';' | '-') | Item::Moves(_) | Item::Squares(_) => true,
        Item::Word(word) => matches!(word.as_str(), "and" | "but" | "by" | "while" | "then" | "or"),
        _ => false,
    }
}

/// The forms of a word: "pin" has pins, pinned, pinning.
fn forms(word: &str) -> Vec<String> {
    if let Some(word) = word.strip_prefix('=') {
        return vec![word.to_owned()];
    }
    let irregular: &[&str] = match word {
        "take" => &["took", "taken"],
        "hold" => &["held"],
        "win" => &["won", "winning"],
        "leave" => &["left"],
        "keep" => &["kept"],
        "lose" => &["lost", "losing"],
        "give" => &["gave", "given"],
        "fall" => &["fell", "fallen"],
        "catch" => &["caught"],
        "see" => &["saw", "seen"],
        "come" => &["came"],
        "make" => &["made"],
        "hang" => &["hung"],
        "choose" => &["chose", "chosen"],
        "bear" => &["bore"],
        "be" => return vec!["be".to_owned()],
        "have" => return vec!["have".to_owned()],
        _ => &[],
    };
    let mut found = vec![word.to_owned(), format!("{word}s"), format!("{word}es")];
    let stem = word.strip_suffix('e');
    found.extend([
        format!("{}ed", stem.unwrap_or(word)),
        format!("{}ing", stem.unwrap_or(word)),
    ]);
    if let Some(last) = word.chars().last() {
        found.extend([format!("{word}{last}ed"), format!("{word}{last}ing")]);
    }
    if let Some(stem) = word.strip_suffix('y') {
        found.extend([format!("{stem}ies"), format!("{stem}ied")]);
    }
    found.extend(irregular.iter().map(|form| (*form).to_owned()));
    found
}
