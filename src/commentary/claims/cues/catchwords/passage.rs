//! What a stretch of a sentence mentions, read without grammar: its men, moves and sides, and whether it denies.

use std::ops::Range;

use phrases::is_one_of;
use shakmaty::{Color, Role};

use crate::commentary::claims::grammar::{
    Arg, Frame, Head, Item, MoveWord, Np, Owner, Part, Prep, Thing, frame::side_of,
};
use crate::commentary::claims::text::{Tok, Token};

/// Words that end what a denial reaches: "it can't move, because it is pinned" denies no pin.
const CONNECTIVES: [&str; 16] = [
    "because", "since", "as", "due", "owing", "thanks", "being", "while", "whereas", "although", "though", "but", "so",
    "yet", "when", "if",
];

/// Words each of which denies once.
const DENIALS: &str = "not|never|no|nothing|nobody|none|neither|nowhere|without|hardly|scarcely|fails|fail|failed|failing|lacks|lack|lacking|unable|impossible|unpinned|unaffected|illusion|unchecked";

/// What is not chosen is not denied: "did not find the fork Nc7".
const CHOICES: [&str; 12] = [
    "choose", "find", "see", "opt", "select", "pick", "notice", "spot", "consider", "chosen", "found", "seen",
];

/// Pairs of words that deny together, the first of them being no denial by itself.
const DENYING_PAIRS: [(&str, &str); 8] = [
    ("short", "of"),
    ("free", "of"),
    ("free", "from"),
    ("safe", "from"),
    ("rid", "of"),
    ("far", "from"),
    ("anything", "but"),
    ("instead", "of"),
];

/// Pairs of words of which the first denies nothing.
const NO_DENIAL: [(&str, &str); 8] = [
    ("no", "position"),
    ("not", "only"),
    ("not", "just"),
    ("not", "least"),
    ("nothing", "but"),
    ("no", "doubt"),
    ("no", "matter"),
    ("no", "wonder"),
];

/// A clause, or a clause with the one it hangs on.
#[derive(Debug, Clone, Default)]
pub struct Passage {
    /// Its words in lower case, in order, each with its place; signs as they are.
    pub words: Vec<(String, Range<usize>)>,
    /// The men that it mentions.
    pub men: Vec<Np>,
    /// Which of them stand behind "by" or "from".
    pub agents: Vec<bool>,
    /// The moves that it names, run by run.
    pub runs: Vec<Vec<MoveWord>>,
    /// The sides that it names by themselves or as owners of a king.
    pub sides: Vec<Color>,
    /// "it", "them" stand for some of its men.
    pub pronoun: bool,
    /// Its place in the text.
    pub span: Range<usize>,
}

/// Where each clause's own words stand: from the end of the clause before to its own end.
#[must_use]
pub fn places(frames: &[Frame], tokens: &[Token]) -> Vec<Range<usize>> {
    let mut start = tokens.first().map_or(0, |t| t.span.start);
    let end_of_all = tokens.last().map_or(0, |t| t.span.end);
    let mut found = Vec::with_capacity(frames.len());
    for (number, frame) in frames.iter().enumerate() {
        let own = frame
            .post
            .last()
            .map_or(frame.span.end, |p| p.span.end.max(frame.span.end));
        let end = if number + 1 == frames.len() {
            end_of_all
        } else {
            own.max(start)
        };
        found.push(start..end);
        start = end;
    }
    found
}

impl Passage {
    /// What stands at these bytes.
    #[must_use]
    pub fn new(tokens: &[Token], parts: &[Part], place: Range<usize>, mover: Color) -> Self {
        let within = |span: &Range<usize>| place.start <= span.start && span.start < place.end;
        let words = tokens
            .iter()
            .filter(|t| within(&t.span))
            .map(|t| {
                let sign = |c: &char| c.to_string();
                let text = match &t.tok {
                    Tok::Sign(c) => sign(c),
                    Tok::Number { n, .. } => n.to_string(),
                    _ => t.word().to_owned(),
                };
                (text, t.span.clone())
            })
            .filter(|(word, _)| !word.is_empty())
            .collect();
        let mut passage = Self {
            words,
            span: place.clone(),
            ..Self::default()
        };
        let mut open = false;
        let mut by = false;
        for part in parts.iter().filter(|p| within(&p.span)) {
            match &part.item {
                Item::Move(word) => {
                    match passage.runs.last_mut() {
                        Some(run) if open => run.push(word.clone()),
                        _ => passage.runs.push(vec![word.clone()]),
                    }
                    open = true;
                    continue;
                }
                Item::Np(np) => passage.mention(np, by, mover),
                _ => {}
            }
            open = false;
            by = matches!(part.item, Item::Prep(Prep::By | Prep::From));
        }
        passage
    }

    fn mention(&mut self, np: &Np, by: bool, mover: Color) {
        let king = np.head == Head::Role(Role::King);
        if king || np.head == Head::Side {
            self.sides.extend(np.owner.and_then(|owner| side_of(owner, mover)));
        }
        self.pronoun |= matches!(np.head, Head::It | Head::They);
        let bare = matches!(np.head, Head::Piece) && np.squares.is_empty();
        if np.is_men() && !bare || matches!(np.head, Head::Square { .. }) && np.placed {
            self.men.push(np.clone());
            self.agents.push(by);
        }
        // "a king and bishop fork": the first noun of a compound is a man, too.
        let motif = matches!(
            np.head,
            Head::Thing(Thing::Fork | Thing::Skewer | Thing::Battery | Thing::Pin)
        );
        if let Some(role) = np.of_role.filter(|_| motif) {
            self.men.push(Np::of(Head::Role(role)));
            self.agents.push(false);
        }
    }

    /// Takes up the men of a clause's subject that stand outside.
    pub fn join_subject(&mut self, subject: &[Arg], mover: Color) {
        for arg in subject {
            if let Arg::Np(np, span) = arg
                && !(self.span.start <= span.start && span.start < self.span.end)
                && (np.is_men() || np.head == Head::Side)
            {
                self.mention(np, false, mover);
            }
        }
    }

    /// True where one of the words is among these.
    #[must_use]
    pub fn has(&self, wanted: &[&str]) -> bool {
        self.words.iter().any(|(word, _)| wanted.contains(&word.as_str()))
    }

    /// True where one of the words is among these, which have blanks between them.
    #[must_use]
    pub fn has_any(&self, wanted: &str) -> bool {
        wanted
            .split_whitespace()
            .any(|wanted| self.words.iter().any(|(word, _)| word == wanted))
    }

    /// True where these words stand in a row.
    #[must_use]
    pub fn has_row(&self, row: &[&str]) -> bool {
        self.words
            .windows(row.len())
            .any(|w| w.iter().zip(row).all(|((word, _), wanted)| word == wanted))
    }

    /// Whether what the word at `at` says is denied; `None` where the denials can't be told apart.
    #[must_use]
    pub fn denied(&self, at: usize) -> Option<bool> {
        let word = |i: usize| self.words.get(i).map_or("", |(word, _)| word.as_str());
        let ends = |i: &usize| {
            let (w, next) = (word(*i), word(*i + 1));
            let last = i.checked_sub(1).map_or("", word);
            // "is not being checked", "not yet mate".
            let aside = w == "being" && matches!(last, "not" | "is" | "are" | "was" | "were" | "of" | "from")
                || w == "yet" && last != ",";
            let signs = matches!(w, ":" | ";" | "-" | "(" | ")");
            // "work as a battery", "due to"; ", giving check".
            let role = w == "as" && matches!(next, "a" | "an" | "part" | "one");
            let free = w == "," && (next.ends_with("ing") || matches!(next, "with" | "and" | "which"));
            // "Pinned by the bishop, the knight isn't free to move."
            let free = free || w == "," && at <= 1 && *i > at && word(at).ends_with("ed");
            signs || free || CONNECTIVES.contains(&w) && !role && !aside
        };
        let start = (0..at).rev().find(ends).map_or(0, |i| i + 1);
        let end = (at + 1..self.words.len()).find(ends).unwrap_or(self.words.len());
        let mut count = 0;
        for i in start..end {
            let pair = (word(i), word(i + 1));
            let void = NO_DENIAL.contains(&pair) || i > start && NO_DENIAL.contains(&(word(i - 1), word(i)));
            let chosen = (i + 1..i + 4).any(|i| CHOICES.contains(&word(i)));
            if !void && pair.0 == "not" && chosen && i < at {
                return None;
            }
            // "does not … any longer", "no longer", "by no means": once.
            if !void && (is_one_of(pair.0, DENIALS) || DENYING_PAIRS.contains(&pair)) {
                count += 1;
            }
        }
        match count {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// A piece is named without a square: "a queen".
    #[must_use]
    pub fn names_piece(&self) -> bool {
        self.bare_roles().any(|role| !matches!(role, Role::Pawn | Role::King))
    }

    /// The role of the man that is named first.
    pub fn first_man(&self) -> Option<Role> {
        self.men.iter().find_map(|np| match np.head {
            Head::Role(role) => Some(role),
            _ => None,
        })
    }

    /// The roles of the men without a square and without an owner's mark: "a knight", "the new queen".
    pub fn bare_roles(&self) -> impl Iterator<Item = Role> + '_ {
        self.men.iter().filter_map(|np| match np.head {
            Head::Role(role) if np.squares.is_empty() && np.owner.is_none_or(|o| o == Owner::Theirs) => Some(role),
            _ => None,
        })
    }
}
