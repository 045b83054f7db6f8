//! Stretches of a sentence read loosely: which men, squares, sides and moves they mention, and whether they deny.
//!
//! What the grammar of clauses can't take apart may still say one thing only: a word that names a relation, two men,
//! and an even or odd number of denials.

use std::ops::Range;

use phrases::Beginnings;
use shakmaty::{Color, Square};

use super::segment_words::{DENYING, NEGATIVES, SHAMS, SUPPOSING};
use crate::commentary::claims::{
    board::{Clause, Mode, View, World, resolve, setting},
    grammar::{
        Act, Arg, Det, Form, Frame, Head, Item, MoveWord, Np, Opener, Part, Prep, Trait,
        frame::{flat, side_of},
        phrase,
    },
    text::Token,
};

/// A man, a square or a pronoun for one, where it stands.
#[derive(Debug, Clone)]
pub struct Mention {
    /// What is mentioned: of several readings of a pronoun, all.
    pub arg: Arg,
    /// The first of its tokens among the segment's.
    pub at: usize,
    /// The first behind it.
    pub end: usize,
    /// The preposition before it.
    pub prep: Option<Prep>,
    /// A bare square, no man.
    pub square: bool,
}

/// A stretch without a clause boundary in it.
pub struct Segment<'a> {
    /// Its tokens.
    pub tokens: &'a [Token],
    /// Their words, empty for what is no word.
    words: Vec<&'a str>,
    /// How they begin.
    beginnings: Beginnings,
    /// Bytes of the text.
    pub span: Range<usize>,
    /// Men and squares in order.
    pub mentions: Vec<Mention>,
    /// Sides that are named, with the token they stand at.
    pub sides: Vec<(Color, usize)>,
    /// Moves that are no men.
    pub moves: Vec<MoveWord>,
    /// The square named last before it in its sentence.
    pub place: Option<Square>,
    /// The moves named last before it in its sentence.
    pub line: Vec<MoveWord>,
    /// How it begins, where it is supposed or set in time.
    pub opener: Option<Opener>,
}

impl Segment<'_> {
    /// The word at a place, empty beyond the end.
    pub fn word(&self, at: usize) -> &str {
        self.words.get(at).copied().unwrap_or_default()
    }

    /// True where one of its words is one of these; a star stands for any ending.
    pub fn says(&self, words: &[&str]) -> bool {
        phrases::says(&self.words, &self.beginnings, words)
    }

    /// The length of the phrase where it stands at `at`.
    pub fn matches(&self, at: usize, phrase: &str) -> Option<usize> {
        phrases::phrase_at(&self.words, at, phrase)
    }

    /// True where the words deny what they name, by negatives or by verbs like "fail" and "lack".
    pub fn denied(&self) -> bool {
        self.odd(&[NEGATIVES, DENYING])
    }

    /// True where negatives alone deny.
    pub fn negative(&self) -> bool {
        self.odd(&[NEGATIVES])
    }

    fn odd(&self, lists: &[&'static [&'static str]]) -> bool {
        let likely = |phrase: &&&'static str| phrases::may_stand(&self.beginnings, phrase);
        let denying: Vec<&str> = lists.iter().copied().flatten().filter(likely).copied().collect();
        if denying.is_empty() {
            return false;
        }
        let shams: Vec<&str> = SHAMS.iter().filter(likely).copied().collect();
        let mut odd = false;
        let mut at = 0;
        while at < self.tokens.len() {
            let of = |list: &[&str]| list.iter().find_map(|phrase| self.matches(at, phrase));
            if let Some(n) = of(&shams) {
                at += n;
            } else if let Some(n) = of(&denying) {
                odd = !odd;
                at += n;
            } else {
                at += 1;
            }
        }
        odd
    }

    /// True where nothing is said to be so: wishes, plans, possibilities without a move that leads there.
    pub fn supposed(&self) -> bool {
        self.says(SUPPOSING)
    }

    /// What begins at a token of it.
    pub fn from(&self, from: usize) -> Segment<'_> {
        let mentions = self.mentions.iter().filter(|m| m.at >= from || from == 0);
        Segment {
            tokens: &self.tokens[from..],
            words: self.words[from..].to_vec(),
            beginnings: self.beginnings,
            span: self.span.clone(),
            mentions: mentions
                .map(|m| Mention {
                    at: m.at - from,
                    end: m.end - from,
                    ..m.clone()
                })
                .collect(),
            sides: self.sides.clone(),
            moves: self.moves.clone(),
            place: self.place,
            line: self.line.clone(),
            opener: self.opener,
        }
    }

    /// The men among what is mentioned.
    pub fn men(&self) -> Vec<&Mention> {
        self.mentions.iter().filter(|m| !m.square).collect()
    }
}

/// ", as it stands now,": nothing on the board stands between the two commas.
fn is_aside(parts: &[Part], from: usize, to: usize) -> bool {
    let comma = |at: usize| matches!(parts.get(at).map(|p| &p.item), Some(Item::Comma));
    let names = |p: &Part| match &p.item {
        Item::Np(np) => np.is_men() || !np.squares.is_empty() || np.head == Head::Side,
        Item::Move(_) | Item::Comma | Item::Break | Item::Rel | Item::Open(_) => true,
        Item::Trait(_) => true,
        _ => false,
    };
    from > 0 && comma(from) && comma(to) && !parts[from + 1..to].iter().any(names)
}

/// Where a segment ends before part `at`.
fn splits(parts: &[Part], at: usize) -> bool {
    match &parts[at].item {
        // "Loose: the rook on h1."
        Item::Break => {
            at > 2
                || parts[..at]
                    .iter()
                    .any(|p| matches!(p.item, Item::Np(_) | Item::Move(_)))
        }
        // "looks after", "goes after".
        Item::Open(Opener::After) => {
            let before = at.checked_sub(1).map(|i| &parts[i].item);
            !matches!(before, Some(Item::Verb(_) | Item::Word(_)))
        }
        Item::Open(_) => true,
        // "a square that the knight controls": one thing with what stands before it.
        Item::Rel => matches!(at.checked_sub(1).map(|i| &parts[i].item), Some(Item::Comma)),
        Item::Comma => {
            let men = |i: usize| matches!(parts.get(i).map(|p| &p.item), Some(Item::Np(np)) if np.is_men());
            let with = matches!(parts.get(at + 1).map(|p| &p.item), Some(Item::Prep(Prep::With)));
            let aside = (at + 2..parts.len().min(at + 7)).any(|to| is_aside(parts, at, to))
                || (at.saturating_sub(6)..at.saturating_sub(1)).any(|from| is_aside(parts, from, at));
            !(with || aside || at > 0 && men(at - 1) && men(at + 1))
        }
        Item::And | Item::Or => {
            // "neither rook nor bishop guards it": one clause.
            if at > 1 && matches!(parts[at - 2].item, Item::Not) && matches!(parts[at - 1].item, Item::Np(_)) {
                return false;
            }
            // "…, and the rook attacks": a clause of its own.
            let rest = &parts[at + 1..];
            let starts = matches!(
                rest.first().map(|p| &p.item),
                Some(Item::Np(_) | Item::There | Item::Prep(_))
            );
            let verb = rest
                .iter()
                .take(5)
                .take_while(|p| !matches!(p.item, Item::Comma | Item::Break | Item::And | Item::Or))
                .any(|p| matches!(&p.item, Item::Verb(v) if v.finite));
            starts && verb
        }
        _ => false,
    }
}

/// The segments of a sentence; what a pronoun means is taken from the men before it.
pub fn segments<'a>(world: &World<'_>, parts: &[Part], tokens: &'a [Token]) -> Vec<Segment<'a>> {
    let mut starts: Vec<usize> = (0..parts.len()).filter(|&at| at == 0 || splits(parts, at)).collect();
    starts.dedup();
    let mut found: Vec<Segment<'a>> = Vec::new();
    let mut known: Vec<Arg> = Vec::new();
    let mut line: Vec<MoveWord> = Vec::new();
    let mut place = None;
    for (number, &first) in starts.iter().enumerate() {
        let last = starts.get(number + 1).copied().unwrap_or(parts.len());
        let full = parts;
        let mut parts = &parts[first..last];
        let rel = matches!(parts.first().map(|p| &p.item), Some(Item::Rel));
        let opener = match parts.first().map(|p| &p.item) {
            Some(Item::Open(opener)) => Some(*opener),
            _ => None,
        };
        if matches!(
            parts.first().map(|p| &p.item),
            Some(Item::Comma | Item::Break | Item::Rel | Item::And | Item::Or)
        ) {
            parts = &parts[1..];
        }
        let (Some(a), Some(b)) = (parts.first(), parts.last()) else {
            continue;
        };
        let span = a.span.start..b.span.end.max(a.span.end);
        let from = tokens.partition_point(|t| t.span.start < span.start);
        // Words that are no parts, "at once", belong to it, too.
        let next = full.get(last).map_or(usize::MAX, |p| p.span.start);
        let to = tokens.partition_point(|t| t.span.start < next).max(from);
        let words: Vec<&str> = tokens[from..to].iter().map(Token::word).collect();
        let mut segment = Segment {
            tokens: &tokens[from..to],
            beginnings: Beginnings::of(words.iter().copied()),
            words,
            span,
            mentions: Vec::new(),
            sides: Vec::new(),
            moves: Vec::new(),
            line: line.clone(),
            place,
            opener,
        };
        read(world, parts, rel, &mut segment, &mut known);
        // "…, undefended as it is, …": said of the men before.
        if segment.mentions.is_empty()
            && segment.moves.is_empty()
            && let Some(before) = known.iter().rev().find(is_man)
            && segment.sides.is_empty()
        {
            segment.mentions.push(Mention {
                arg: before.clone(),
                at: 0,
                end: 0,
                prep: None,
                square: false,
            });
        }
        // "Kf2 next would …".
        if segment.moves.is_empty() && opener == Some(Opener::Then) {
            segment.moves.clone_from(&line);
        }
        let square = segment.mentions.iter().rev().find(|m| m.square);
        place = square.and_then(|m| m.arg.np()?.squares.first().copied()).or(place);
        if !segment.moves.is_empty() {
            line.clone_from(&segment.moves);
        }
        found.push(segment);
    }
    found
}

fn read(world: &World<'_>, parts: &[Part], rel: bool, segment: &mut Segment<'_>, known: &mut Vec<Arg>) {
    if rel && let Some(before) = known.iter().rev().find(is_man) {
        segment.mentions.push(Mention {
            arg: before.clone(),
            at: 0,
            end: 0,
            prep: None,
            square: false,
        });
    }
    let first_known = known.len();
    let hypothetical = segment.says(&["would", "next", "reply", "after", "following"]);
    for (number, part) in parts.iter().enumerate() {
        let prep = number.checked_sub(1).and_then(|i| match &parts[i].item {
            Item::Prep(prep) => Some(*prep),
            _ => None,
        });
        let at = segment.tokens.partition_point(|t| t.span.start < part.span.start);
        let end = segment.tokens.partition_point(|t| t.span.start < part.span.end);
        let order = match segment.word(end.saturating_sub(1)) {
            "former" => 2,
            "latter" => 1,
            _ => 0,
        };
        let mention = |arg: Arg, square: bool| Mention {
            arg,
            at,
            end,
            prep,
            square,
        };
        match &part.item {
            // "one of Black's men": a side.
            Item::Np(np) if matches!(np.head, Head::Piece) && np.squares.is_empty() => {
                if let Some(side) = np.owner.and_then(|owner| side_of(owner, world.mover())) {
                    segment.sides.push((side, at));
                }
            }
            Item::Np(np) if np.is_men() && is_counted(np, &parts[number + 1..]) => {}
            Item::Np(np) if np.is_men() => {
                let mut np = np.clone();
                // The denial is counted with the others.
                if np.det == Det::No {
                    np.det = Det::Indefinite;
                }
                // "On e6 the knight": where it stands.
                if np.squares.is_empty()
                    && np.det == Det::Definite
                    && let Some(last) = segment.mentions.last()
                    && matches!(last.prep, Some(Prep::On | Prep::From | Prep::At))
                    && last.end == at
                    && let Arg::Np(place, _) = &last.arg
                    && matches!(place.head, Head::Square { .. })
                {
                    np.squares.clone_from(&place.squares);
                    segment.mentions.pop();
                }
                let arg = Arg::Np(np, part.span.clone());
                known.push(arg.clone());
                segment.mentions.push(mention(arg, false));
            }
            // "Black's e5 would hit it", "the point of d6": a pawn's move.
            Item::Np(np)
                if matches!(np.head, Head::Square { maybe_move } if maybe_move || np.owner.is_some())
                    && np.squares.len() == 1
                    && prep.is_none_or(|p| matches!(p, Prep::Of | Prep::With | Prep::By))
                    && pawn_move(world, &np.squares[0].to_string(), hypothetical) =>
            {
                segment.moves.push(pawn_word(&np.squares[0].to_string()));
            }
            Item::Np(np) if matches!(np.head, Head::Square { .. }) && !np.squares.is_empty() => {
                // "b7 is attacked, and nothing protects it": what stands there.
                if prep.is_none() {
                    known.push(Arg::Np(np.clone(), part.span.clone()));
                }
                segment.mentions.push(mention(
                    Arg::Np(np.clone(), part.span.clone()),
                    prep != Some(Prep::From),
                ));
            }
            Item::Np(np) if matches!(np.head, Head::It | Head::They) => {
                let taken: Vec<Arg> = segment.mentions.iter().map(|m| m.arg.clone()).collect();
                let meant = |a: &&Arg| !taken.contains(a);
                let free: Vec<Arg> = known[..first_known].iter().filter(meant).cloned().collect();
                if !free.is_empty() {
                    let arg = flat(free);
                    segment.mentions.push(Mention {
                        arg,
                        at,
                        end,
                        prep,
                        square: false,
                    });
                }
            }
            // "the former attacks the latter".
            Item::Np(_) if order > 0 && known.iter().filter(is_man).count() > 1 => {
                let man = known.iter().rev().filter(is_man).nth(order - 1).cloned();
                segment.mentions.extend(man.map(|arg| mention(arg, false)));
            }
            Item::Np(np) if np.head == Head::Side => {
                if let Some(side) = np.owner.and_then(|owner| side_of(owner, world.mover())) {
                    segment.sides.push((side, at));
                }
            }
            Item::Move(word) => match resolve::standing(world, word) {
                Some(np) => {
                    let arg = Arg::Np(np, part.span.clone());
                    known.push(arg.clone());
                    segment.mentions.push(mention(arg, false));
                }
                None => segment.moves.push(word.clone()),
            },
            _ => {}
        }
    }
}

/// "a piece for a pawn down", "two pawns ahead": an amount, and no man that a pronoun may mean.
fn is_counted(np: &Np, rest: &[Part]) -> bool {
    let ends = |p: &Part| {
        matches!(
            p.item,
            Item::Prep(Prep::Up | Prep::Down | Prep::Along) | Item::Trait(Trait::Ahead | Trait::Behind)
        )
    };
    let goes_on = |p: &&Part| match &p.item {
        Item::Np(np) => np.is_men() && np.squares.is_empty() && np.det != Det::Definite,
        Item::Prep(Prep::For) | Item::And | Item::Comma => true,
        _ => false,
    };
    let end = rest.iter().take_while(goes_on).count();
    np.squares.is_empty() && np.det != Det::Definite && rest.get(end).is_some_and(ends)
}

fn is_man(arg: &&Arg) -> bool {
    !matches!(arg, Arg::Np(np, _) if matches!(np.head, Head::Square { .. }))
}

fn pawn_word(square: &str) -> MoveWord {
    MoveWord {
        text: square.to_owned(),
        number: None,
        side: None,
        reply: false,
    }
}

/// The square is the pawn's move that was played, or one that could be where the words suppose one.
fn pawn_move(world: &World<'_>, square: &str, hypothetical: bool) -> bool {
    let word = pawn_word(square);
    world.is_played(&word) || hypothetical && !world.follow(&[vec![word]]).views.is_empty()
}

/// The clause that a segment belongs to: the last that begins before its end.
pub fn frame_of<'f>(frames: &'f [Frame], segment: &Segment<'_>) -> Option<&'f Frame> {
    frames
        .iter()
        .rev()
        .find(|f| f.span.start < segment.span.end)
        .or_else(|| frames.first())
}

/// The positions a segment speaks of: where its moves lead, or those of its clause.
pub fn views(world: &World<'_>, frame: Option<&Frame>, segment: &Segment<'_>) -> Vec<View> {
    let context = frame.map(|f| f.context.clone()).unwrap_or_default();
    let mut runs = context.runs.clone();
    // "bxc6 dxc6 leaves the knight under fire": the last of the moves is the subject.
    if let Some([Arg::Move(word, _)]) = frame.map(|f| f.subject.as_slice())
        && !runs.is_empty()
        && segment.moves.contains(word)
    {
        runs.push(vec![word.clone()]);
    }
    if runs.is_empty() && !segment.moves.is_empty() {
        if segment.moves.iter().all(|word| world.is_played(word)) {
            return vec![world.after()];
        }
        runs.push(segment.moves.clone());
    }
    if !runs.is_empty() {
        return world.follow(&runs).views;
    }
    // "Rxg8 Rxg8, and the knights are off": there or here.
    let mut views = Vec::new();
    if !segment.line.iter().all(|word| world.is_played(word)) {
        views = world.follow(std::slice::from_ref(&segment.line)).views;
    }
    views.extend(world.views(&context, &[]));
    views
}

/// A bare clause in the positions of a segment, as the families of claims ask for it.
pub fn clause_in<'a>(world: &'a World<'a>, base: &'a Frame, views: Vec<View>, negated: bool) -> Clause<'a> {
    let mut clause = setting::clause(world, base);
    clause.views = views;
    clause.negated = negated;
    clause.mode = Mode::Fact;
    clause.vague = false;
    clause
}

/// A bare clause about a subject, for the families of claims to judge.
pub fn frame_about(frame: Option<&Frame>, segment: &Segment<'_>, act: Act, subject: Vec<Arg>) -> Frame {
    Frame {
        verb: phrase::Verb {
            past: segment.says(&["was", "were", "had been"]),
            ..phrase::Verb::bare(act, Form::Third, true)
        },
        subject,
        post: Vec::new(),
        pre: Vec::new(),
        negated: false,
        opener: None,
        governor: None,
        governor_modal: None,
        governor_negated: false,
        context: frame.map(|f| f.context.clone()).unwrap_or_default(),
        existential: false,
        above: Vec::new(),
        words: Vec::new(),
        verbless: false,
        span: segment.span.clone(),
    }
}

/// The first square of what is mentioned.
pub fn square_of(arg: &Arg) -> Option<Square> {
    arg.np().and_then(|np| np.squares.first().copied())
}
