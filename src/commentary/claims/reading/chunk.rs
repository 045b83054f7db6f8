//! A sentence in chunks: men with all that tells which, sides, runs of moves, squares, files, amounts; words, of which those
//! that change nothing are left out.

use std::ops::Range;

use shakmaty::{Color, File, Role, Square};

use super::super::{
    statement::{Designation, Qualifier, Shade},
    text::token::{Tok, Token},
};

/// A move as a text names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedMove {
    /// Its text, with its signs.
    pub san: String,
    /// Its place in the game, where the text numbers it: half-moves from the first, which is 0.
    pub ply: Option<u32>,
}

/// Men that one phrase names: "king and e-pawn", "two rooks", "White's knight on f3".
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Men {
    /// Each of them, with how many there are of it, where that is said.
    pub each: Vec<(Designation, Option<i32>)>,
    /// "nearly", "more than" before the number.
    pub how: Option<Qualifier>,
    /// "no knight", "neither bishop".
    pub none: bool,
    /// "extra", "more": it is counted against the other side.
    pub extra: bool,
    /// "the", "his": men that were spoken of.
    pub definite: bool,
    /// "exactly", "just": no more and no less.
    pub exact: bool,
    /// The word for them is a plural.
    pub many: bool,
    /// What is said of them by the way: "passed", "undefended".
    pub epithets: Vec<&'static str>,
}

/// A part of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// Men.
    Men(Men),
    /// A word that stands for a man or men: "it", "she", "which".
    Pronoun(String),
    /// A side.
    Side(Color),
    /// Moves, one after another.
    Moves(Vec<NamedMove>),
    /// Squares.
    Squares(Vec<Square>),
    /// Files.
    Files(Vec<File>),
    /// A number that stands alone.
    Number(i32),
    /// An amount of pawns in centipawns: "half a pawn", "+2.6".
    Amount(i32, Option<Qualifier>),
    /// A word.
    Word(String),
    /// A denial: "not", "no longer".
    Not,
    /// "can", "would".
    Modal(String),
    /// A sign that parts.
    Break(char),
}

/// A part and its bytes in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// What it is.
    pub item: Item,
    /// Where it stands.
    pub span: Range<usize>,
    /// The first word of those that it was made of: "was" of "be".
    pub was: bool,
}

impl Chunk {
    /// The word, or nothing.
    pub fn word(&self) -> &str {
        match &self.item {
            Item::Word(word) => word,
            _ => "",
        }
    }
}

/// Words that change nothing of what is claimed.
const IDLE: &[&str] = &[
    "the",
    "a",
    "an",
    "exactly",
    "precisely",
    "simply",
    "merely",
    "just",
    "really",
    "actually",
    "now",
    "already",
    "still",
    "also",
    "too",
    "even",
    "then",
    "again",
    "here",
    "currently",
    "however",
    "though",
    "therefore",
    "thus",
    "hence",
    "suddenly",
    "finally",
    "immediately",
    "directly",
    "indeed",
    "both",
    "all",
    "once",
    "neatly",
    "safely",
    "cleanly",
    "conveniently",
    "duly",
    "anyway",
    "besides",
    "moreover",
    "plainly",
    "effectively",
    "squarely",
    "promptly",
    "calmly",
    "happily",
    "sadly",
    "luckily",
    "fortunately",
    "unfortunately",
    "yet",
    "quite",
    "itself",
    "himself",
    "herself",
    "meanwhile",
    "twice",
    "nicely",
    "completely",
    "fully",
    "totally",
    "entirely",
    "wholly",
    "firmly",
    "solidly",
    "adequately",
    "certainly",
    "anyhow",
    "throughout",
    "nonetheless",
    "nevertheless",
    "later",
    "soon",
    "ever",
    "so",
    "comfortably",
    "properly",
    "jointly",
    "naturally",
    "obviously",
    "likewise",
    "additionally",
    "thereby",
    "right",
    "away",
    "straight",
    "nominally",
    "technically",
    "practically",
    "virtually",
    "permanently",
];

/// Words that deny.
const DENIALS: &[&str] = &["not", "never", "hardly", "scarcely", "neither", "nor"];

const MODALS: &[&str] = &[
    "can", "could", "may", "might", "would", "should", "must", "will", "shall",
];

const PRONOUNS: &[&str] = &[
    "it", "she", "her", "he", "him", "they", "them", "which", "who", "that", "this", "both",
];

const NUMBERS: &[&str] = &[
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];

const DETERMINERS: &[&str] = &[
    "the", "a", "an", "his", "her", "its", "their", "this", "that", "these", "those", "another", "each", "every",
    "any", "some", "no", "neither", "both", "either", "all",
];

/// Words between a determiner and a man that say nothing of which man it is.
const EPITHETS: &[&str] = &[
    "lone",
    "last",
    "remaining",
    "other",
    "own",
    "poor",
    "mighty",
    "strong",
    "weak",
    "active",
    "passive",
    "clear",
    "whole",
    "full",
    "clean",
    "solid",
    "healthy",
    "central",
    "advanced",
    "good",
    "bad",
    "loose",
    "unprotected",
    "undefended",
    "unguarded",
    "hanging",
    "pinned",
    "extra",
    "additional",
    "passed",
    "isolated",
    "doubled",
    "backward",
    "black",
    "white",
    "enemy",
    "opposing",
    "stray",
    "free",
    "spare",
    "minor",
    "heavy",
    "major",
    "new",
    "old",
    "second",
    "far",
    "big",
    "single",
    "sound",
    "mere",
    "proud",
    "annoying",
    "dangerous",
    "powerful",
    "exposed",
    "precious",
    "entire",
    "very",
    "rear",
    "front",
    "only",
    "sole",
    "attacking",
    "defending",
];

/// Forms of "be", and of words for staying so.
const BE: &[&str] = &[
    "is", "are", "was", "were", "be", "been", "being", "remains", "remain", "remained", "stays", "stay", "stayed",
    "stands", "stood", "sits", "becomes", "became", "become", "standing", "sitting",
];

const HAVE: &[&str] = &["has", "have", "had", "having"];

/// The man that a word names, and whether it is many of them.
fn man_word(word: &str) -> Option<(Role, bool)> {
    let one = word.strip_suffix('s').unwrap_or(word);
    let role = match one {
        "king" => Role::King,
        "queen" => Role::Queen,
        "rook" => Role::Rook,
        "bishop" => Role::Bishop,
        "knight" => Role::Knight,
        "pawn" => Role::Pawn,
        _ => return None,
    };
    Some((role, one != word))
}

/// The side that a word names.
fn side_word(word: &str) -> Option<Color> {
    match word {
        "white" => Some(Color::White),
        "black" => Some(Color::Black),
        _ => None,
    }
}

fn number_word(word: &str) -> Option<i32> {
    let at = NUMBERS.iter().position(|number| *number == word)?;
    i32::try_from(at).ok()
}

/// "nearly" before a number.
fn how_word(words: [&str; 2]) -> Option<(Qualifier, usize)> {
    Some(match words {
        ["more" | "better", "than"] => (Qualifier::MoreThan, 2),
        ["less" | "fewer", "than"] => (Qualifier::LessThan, 2),
        ["over" | "beyond" | "above", _] => (Qualifier::MoreThan, 1),
        ["under" | "below", _] => (Qualifier::LessThan, 1),
        [
            "about" | "around" | "roughly" | "nearly" | "almost" | "some" | "approximately",
            _,
        ] => (Qualifier::About, 1),
        ["close", "to"] => (Qualifier::About, 2),
        _ => return None,
    })
}

/// The chunks of a sentence.
pub fn chunks(tokens: &[Token]) -> Vec<Chunk> {
    let mut reader = Reader {
        tokens,
        at: 0,
        found: Vec::new(),
    };
    while reader.at < tokens.len() {
        let start = reader.at;
        let item = reader.item();
        reader.at = reader.at.max(start + 1);
        if let Some(item) = item {
            let was = matches!(tokens[start].word(), "was" | "were" | "had" | "becomes" | "became");
            let span = tokens[start].span.start..tokens[reader.at - 1].span.end;
            reader.found.push(Chunk { item, span, was });
        }
    }
    let mut chunks = joined(reader.found);
    // "White should have played c3": a move.
    for at in 1..chunks.len() {
        let plays = matches!(chunks[at - 1].word(), "play" | "played" | "plays" | "playing");
        if let (true, Item::Squares(squares)) = (plays, &chunks[at].item)
            && let [square] = squares.as_slice()
        {
            chunks[at].item = Item::Moves(vec![NamedMove {
                san: square.to_string(),
                ply: None,
            }]);
        }
    }
    chunks
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    found: Vec<Chunk>,
}

impl Reader<'_> {
    fn word(&self, ahead: usize) -> &str {
        self.tokens.get(self.at + ahead).map_or("", Token::word)
    }

    fn tok(&self, ahead: usize) -> Option<&Tok> {
        self.tokens.get(self.at + ahead).map(|token| &token.tok)
    }

    /// Whether a hyphen joins the token to the one before it.
    fn is_glued(&self, ahead: usize) -> bool {
        self.tokens.get(self.at + ahead).is_some_and(|token| token.glued)
    }

    fn item(&mut self) -> Option<Item> {
        if let Some(men) = self.men() {
            return Some(men);
        }
        if let Some(amount) = self.amount() {
            return Some(amount);
        }
        if let Some(file) = self.file(0) {
            self.at += file.1;
            return Some(Item::Files(vec![file.0]));
        }
        match self.tok(0)? {
            Tok::Square(_) | Tok::Move(_) | Tok::Ellipsis => self.place(),
            Tok::Number { n, dots } => {
                let (n, dots) = (*n, *dots);
                if dots > 0 {
                    return self.place();
                }
                self.at += 1;
                i32::try_from(n).ok().map(Item::Number)
            }
            Tok::Sign(sign) => {
                let sign = *sign;
                self.at += 1;
                matches!(sign, ',' | ';' | ':' | '(' | ')' | '-' | '.' | '!' | '?').then_some(Item::Break(sign))
            }
            Tok::Possessive => {
                self.at += 1;
                // "it's", where no man follows.
                Some(Item::Word("be".to_owned()))
            }
            Tok::Word(_) => self.plain(),
        }
    }

    /// A word that is none of the others.
    fn plain(&mut self) -> Option<Item> {
        let word = self.word(0).to_owned();
        if let Some(side) = side_word(&word) {
            self.at += 1;
            // "White's" without a man: the side.
            if self.tok(0) == Some(&Tok::Possessive) {
                self.at += 1;
            }
            return Some(Item::Side(side));
        }
        if word == "no" && self.word(1) == "longer" {
            self.at += 2;
            return Some(Item::Not);
        }
        if word == "no" && self.word(1) == "one" {
            self.at += 2;
            return Some(Item::Word("nobody".to_owned()));
        }
        self.at += 1;
        if DENIALS.contains(&word.as_str()) {
            return Some(Item::Not);
        }
        // "does not protect".
        if matches!(word.as_str(), "does" | "did") || word == "do" && self.word(0) == "not" {
            return None;
        }
        if MODALS.contains(&word.as_str()) {
            return Some(Item::Modal(word));
        }
        if BE.contains(&word.as_str()) {
            return Some(Item::Word("be".to_owned()));
        }
        if HAVE.contains(&word.as_str()) {
            return Some(Item::Word("have".to_owned()));
        }
        if word == "both" && !matches!(self.word(0), "sides" | "wings" | "players") {
            return None;
        }
        if IDLE.contains(&word.as_str()) {
            return None;
        }
        if PRONOUNS.contains(&word.as_str()) {
            return Some(Item::Pronoun(word));
        }
        if let Some(number) = number_word(&word) {
            return Some(Item::Number(number));
        }
        Some(Item::Word(word))
    }

    /// A square or a run of moves. A bare square is a move where a number or dots stand before it.
    fn place(&mut self) -> Option<Item> {
        // "the a6-f1 diagonal" is no move.
        if matches!(self.word(1), "diagonal" | "line" | "file") && matches!(self.tok(0), Some(Tok::Move(_))) {
            self.at += 1;
            return None;
        }
        let mut moves: Vec<NamedMove> = Vec::new();
        let mut number: Option<(u32, u8)> = None;
        let start = self.at;
        while let Some(tok) = self.tok(0) {
            match tok {
                Tok::Number { n, dots } if *dots > 0 => {
                    // "2." at a sentence's end is a number.
                    if !matches!(self.tok(1), Some(Tok::Square(_) | Tok::Move(_) | Tok::Ellipsis)) {
                        break;
                    }
                    number = Some((*n, *dots));
                    self.at += 1;
                }
                Tok::Ellipsis if matches!(self.tok(1), Some(Tok::Square(_) | Tok::Move(_))) => {
                    number = number.map(|(n, _)| (n, 3));
                    self.at += 1;
                }
                Tok::Move(san) => {
                    let san = san.clone();
                    self.at += 1;
                    moves.push(NamedMove {
                        san,
                        ply: ply(&moves, number.take()),
                    });
                }
                Tok::Square(square) if number.is_some() || !moves.is_empty() && self.goes_on(start) => {
                    let san = square.to_string();
                    self.at += 1;
                    moves.push(NamedMove {
                        san,
                        ply: ply(&moves, number.take()),
                    });
                }
                _ => break,
            }
        }
        if !moves.is_empty() {
            return Some(Item::Moves(moves));
        }
        if let Some(Tok::Square(square)) = self.tok(0) {
            let square = *square;
            self.at += 1;
            // "the c4 bishop" and "c4-bishop" are men; this is the square itself.
            return Some(Item::Squares(vec![square]));
        }
        let rest = match self.tok(0) {
            Some(Tok::Number { n, .. }) => i32::try_from(*n).ok().map(Item::Number),
            _ => None,
        };
        self.at += 1;
        rest
    }

    /// True where the token before this one belongs to the run: "24...Kxf7 e4".
    fn goes_on(&self, start: usize) -> bool {
        self.at > start && matches!(self.tokens[self.at - 1].tok, Tok::Move(_) | Tok::Square(_))
    }

    /// "c-file", "the c- and d-files"; how many tokens.
    fn file(&self, from: usize) -> Option<(File, usize)> {
        let letter = self.letter(from)?;
        let file = matches!(self.word(from + 1), "file" | "files");
        file.then_some((letter, from + 2))
    }

    /// A file's letter.
    fn letter(&self, from: usize) -> Option<File> {
        let mut letters = self.word(from).chars();
        let letter = File::from_char(letters.next()?)?;
        letters.next().is_none().then_some(letter)
    }

    /// "half a pawn", "a pawn and a half", "+2.6", "2.6 pawns".
    fn amount(&mut self) -> Option<Item> {
        let (how, skip) = how_word([self.word(0), self.word(1)]).map_or((None, 0), |(how, skip)| (Some(how), skip));
        let at = |ahead: usize| self.tok(skip + ahead);
        let word = |ahead: usize| self.word(skip + ahead);
        if word(0) == "half" && word(1) == "a" && word(2) == "pawn" {
            self.at += skip + 3;
            return Some(Item::Amount(50, how));
        }
        if word(0) == "a" && word(1) == "pawn" && word(2) == "and" && word(3) == "a" && word(4) == "half" {
            self.at += skip + 5;
            return Some(Item::Amount(150, how));
        }
        if let (Some(number), true) = (
            number_word(word(0)),
            word(1) == "and" && word(2) == "a" && word(3) == "half",
        ) {
            let pawns = usize::from(word(4) == "pawns");
            self.at += skip + 4 + pawns;
            return Some(Item::Amount(number * 100 + 50, how));
        }
        // "nearly five", with no man behind it.
        if let (Some(number), Some(how)) = (number_word(word(0)), how)
            && !man_ahead(self, skip + 1)
            && !matches!(
                word(1),
                "of" | "times" | "moves" | "and" | "tenths" | "quarters" | "thirds" | "minor" | "legal"
            )
        {
            self.at += skip + 1;
            return Some(Item::Amount(number * 100, Some(how)));
        }
        let (sign, first) = match at(0) {
            Some(Tok::Sign('+')) => (1, 1),
            Some(Tok::Sign('-')) => (-1, 1),
            _ => (1, 0),
        };
        let (Some(Tok::Number { n: whole, dots: 1 }), Some(Tok::Number { n: part, dots: 0 | 1 })) =
            (at(first), at(first + 1))
        else {
            return None;
        };
        let (one, two) = (
            self.tokens.get(self.at + skip + first)?,
            self.tokens.get(self.at + skip + first + 1)?,
        );
        if one.span.end != two.span.start {
            return None;
        }
        let hundredths = match two.span.len() {
            1 => part * 10,
            2 => *part,
            _ => return None,
        };
        let cp = sign * i32::try_from(whole.checked_mul(100)?.checked_add(hundredths)?).ok()?;
        self.at += skip + first + 2;
        if matches!(self.word(0), "pawns" | "pawn") {
            self.at += 1;
        }
        Some(Item::Amount(cp, how))
    }

    /// A phrase that names men. Nothing is taken where there is none.
    fn men(&mut self) -> Option<Item> {
        let start = self.at;
        let found = self.one_man();
        if found.is_none() {
            self.at = start;
        }
        found.map(Item::Men)
    }

    fn one_man(&mut self) -> Option<Men> {
        let mut men = Men::default();
        let mut man = Designation::default();
        let mut count = None;
        let numbered = matches!(self.word(1), "a" | "an") || number_word(self.word(1)).is_some();
        if numbered && matches!(self.word(0), "exactly" | "precisely" | "just" | "merely") {
            men.exact = true;
            self.at += 1;
        }
        if let Some((how, skip)) = how_word([self.word(0), self.word(1)]) {
            men.how = Some(how);
            self.at += skip;
        }
        if self.word(0) == "one" && self.word(1) == "of" {
            self.at += 2;
        }
        // "White's", "his", "the".
        while self.at < self.tokens.len() {
            let word = self.word(0);
            if let (Some(side), true) = (side_word(word), self.tok(1) == Some(&Tok::Possessive)) {
                man.color = Some(side);
                men.definite = true;
                self.at += 2;
            } else if DETERMINERS.contains(&word) {
                match word {
                    "no" | "neither" => men.none = true,
                    "his" | "her" | "its" | "their" | "the" | "this" | "that" | "these" | "those" => {
                        men.definite = true
                    }
                    "a" | "an" | "another" => count = count.or(Some(1)),
                    _ => {}
                }
                self.at += 1;
            } else if word == "half" {
                return None;
            } else {
                break;
            }
        }
        let mut named = false;
        // "the Nf3": "White's Nf3" may be a move.
        let named_by_move = self.at > 0 && self.tokens[self.at - 1].word() == "the";
        if let (true, Some(Tok::Move(san))) = (named_by_move, self.tok(0))
            && let Some((role, square)) = man_and_square(san)
        {
            man.role = Some(role);
            man.square = Some(square);
            self.at += 1;
            men.each.push((man, None));
            return Some(men);
        }
        for _ in 0..6 {
            let word = self.word(0).to_owned();
            if let (Some(number), false) = (number_word(&word), named) {
                count = Some(number);
                self.at += 1;
            } else if let (Some(Tok::Number { n, dots: 0 }), false) = (self.tok(0), named) {
                count = i32::try_from(*n).ok();
                self.at += 1;
            } else if matches!(word.as_str(), "light" | "dark") && matches!(self.word(1), "squared" | "square") {
                man.shade = Some(if word == "light" { Shade::Light } else { Shade::Dark });
                self.at += 2;
            } else if let Some(side) = side_word(&word).filter(|_| man_ahead(self, 1)) {
                man.color = Some(side);
                self.at += 1;
            } else if EPITHETS.contains(&word.as_str()) && man_ahead(self, 1) {
                men.extra |= matches!(word.as_str(), "extra" | "additional" | "more");
                men.epithets.extend(EPITHETS.iter().find(|epithet| **epithet == word));
                self.at += 1;
            } else if word == "a" && !self.is_glued(1) {
                // "only a rook".
                count = count.or(Some(1));
                self.at += 1;
            } else if let Some(file) = self
                .letter(0)
                .filter(|_| matches!(self.word(1), "pawn" | "pawns" | "rook"))
            {
                man.file = Some(file);
                self.at += 1;
            } else if let (Some(Tok::Square(square)), Some(next)) = (self.tok(0), self.tokens.get(self.at + 1)) {
                let square = *square;
                if man_word(next.word()).is_none() {
                    break;
                }
                man.square = Some(square);
                self.at += 1;
            } else if let Some((role, many)) = man_word(&word) {
                man.role = Some(role);
                named = true;
                men.definite |= many && count.is_none();
                men.many = many;
                self.at += 1;
                break;
            } else if matches!(word.as_str(), "piece" | "pieces" | "man" | "men") && !matches!(self.word(1), "up") {
                man.piece = matches!(word.as_str(), "piece" | "pieces");
                named = true;
                self.at += 1;
                break;
            } else {
                break;
            }
        }
        if !named {
            return None;
        }
        self.placed(&mut man);
        men.each.push((man, count));
        Some(men)
    }

    /// "on f3", "at f3", behind a man.
    fn placed(&mut self, man: &mut Designation) {
        if let (true, Some(Tok::Square(square))) = (matches!(self.word(0), "on" | "at"), self.tok(1)) {
            man.square = Some(*square);
            self.at += 2;
        }
    }
}

/// Whether a man is named behind words that only tell which.
fn man_ahead(reader: &Reader<'_>, from: usize) -> bool {
    for ahead in from..from + 4 {
        let word = reader.word(ahead);
        if man_word(word).is_some() || matches!(word, "piece" | "pieces" | "man" | "men") {
            return true;
        }
        let between = EPITHETS.contains(&word)
            || side_word(word).is_some()
            || reader.letter(ahead).is_some()
            || matches!(word, "light" | "dark" | "squared" | "square")
            || matches!(reader.tok(ahead), Some(Tok::Square(_)));
        if !between {
            return false;
        }
    }
    false
}

/// A man and its square: "Nf3".
fn man_and_square(text: &str) -> Option<(Role, Square)> {
    let mut letters = text.chars();
    let role = match letters.next()? {
        'K' => Role::King,
        'Q' => Role::Queen,
        'R' => Role::Rook,
        'B' => Role::Bishop,
        'N' => Role::Knight,
        _ => return None,
    };
    Some((role, letters.as_str().parse().ok()?))
}

/// A move's place in the game: its number's, or the one behind the move before it.
fn ply(before: &[NamedMove], number: Option<(u32, u8)>) -> Option<u32> {
    match number {
        Some((n, dots)) => n.checked_sub(1)?.checked_mul(2)?.checked_add(u32::from(dots > 1)),
        None => before.last()?.ply?.checked_add(1),
    }
}

/// Joins what belongs together: "king and e-pawn", "d6, e7 and c5", "the b- and c-files".
fn joined(chunks: Vec<Chunk>) -> Vec<Chunk> {
    let mut found: Vec<Chunk> = Vec::with_capacity(chunks.len());
    let mut at = 0;
    while at < chunks.len() {
        let mut chunk = chunks[at].clone();
        at += 1;
        while let Some((next, skip)) = coordinated(&chunks, at) {
            let done = match (&mut chunk.item, &next.item) {
                (Item::Men(men), Item::Men(more)) if alike(men, more) => {
                    men.each.extend(more.each.iter().copied());
                    true
                }
                (Item::Squares(squares), Item::Squares(more)) => {
                    squares.extend(more);
                    true
                }
                (Item::Files(files), Item::Files(more)) => {
                    files.extend(more);
                    true
                }
                _ => false,
            };
            if !done {
                break;
            }
            chunk.span.end = next.span.end;
            at += skip;
        }
        if let Item::Men(men) = &mut chunk.item {
            share_owner(men);
        }
        found.push(chunk);
    }
    found
}

/// "a rook and two pawns", "the queen and the rook": not "the queen and a pawn".
fn alike(men: &Men, more: &Men) -> bool {
    !more.none && men.none == more.none && men.how.is_none() | more.how.is_none()
}

/// "White's king and rook": both are White's.
fn share_owner(men: &mut Men) {
    let color = men.each.first().and_then(|(man, _)| man.color);
    for (man, _) in &mut men.each {
        man.color = man.color.or(color);
    }
}

/// What is joined to the chunk before this place: behind "and", or a comma with an "and" further on.
fn coordinated(chunks: &[Chunk], at: usize) -> Option<(&Chunk, usize)> {
    let is_and = |chunk: &Chunk| matches!(chunk.word(), "and" | "plus");
    let thing = |chunk: &Chunk| matches!(chunk.item, Item::Men(_) | Item::Squares(_) | Item::Files(_));
    let first = chunks.get(at)?;
    if is_and(first) {
        let next = chunks.get(at + 1)?;
        // "attacks the bishop and the rook eyes f2": a clause of its own.
        let verb = chunks
            .get(at + 2)
            .is_some_and(|chunk| chunk.word().ends_with('s') && !chunk.word().ends_with("ss"));
        return (thing(next) && !verb).then_some((next, 2));
    }
    if first.item == Item::Break(',') {
        let next = chunks.get(at + 1).filter(|next| thing(next))?;
        let behind = chunks.get(at + 2)?;
        let listed = is_and(behind) && chunks.get(at + 3).is_some_and(thing)
            || behind.item == Item::Break(',')
                && chunks.get(at + 3).is_some_and(|c| is_and(c) || thing(c))
                && chunks.get(at + 4).is_some_and(|c| is_and(c) || thing(c));
        return listed.then_some((next, 2));
    }
    None
}
