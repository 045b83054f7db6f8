//! Claims about who has how much material.

use std::ops::RangeInclusive;

use shakmaty::{Color, Role};

use crate::commentary::claims::{
    ClaimKind,
    board::{Clause, View, denies},
    draft::Draft,
    grammar::{
        Act, Arg, Det, Head, Item, Part, Prep, Thing, Trait,
        amount::{Amount, amount},
        clause_words::object_parts,
        frame, lexicon,
    },
    truth::Truth,
};
use crate::{
    chess::{
        material::{Surplus, value},
        names::color_name,
    },
    commentary::FactKind,
};

/// "is a pawn up", "has an extra pawn", "material is level", "is ahead in material", "has the bishop pair".
pub fn counts(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let mover = clause.world.mover();
    let Some(side) = clause.actor().or_else(|| frame.subject.is_empty().then_some(mover)) else {
        level(clause, found);
        return;
    };
    let named_side = frame.subject.iter().any(|a| a.side(mover).is_some());
    // "On b6, Black has no pawn", "on the b-file": of a place; "has more pieces out": of development.
    let placed = |a: &Arg| matches!(a, Arg::Np(np, _) if matches!(np.head, Head::Square { .. } | Head::File));
    let compared = ["more", "fewer", "less"].iter().any(|w| frame.has_word(w));
    let development = ["out", "home", "play", "action", "undeveloped", "developed"]
        .iter()
        .any(|w| frame.has_word(w));
    if frame::behind(&frame.pre, &[Prep::On, Prep::At]).iter().any(placed)
        || compared && development
        || frame.has_word("home")
    {
        return;
    }
    level(clause, found);
    let both_ways = frame.post.iter().any(|p| matches!(p.item, Item::Prep(Prep::Up)))
        && frame
            .post
            .iter()
            .any(|p| matches!(p.item, Item::Prep(Prep::Down | Prep::Along)));
    if both_ways {
        return;
    }
    if remains(clause, side, found) {
        return;
    }
    let ups = frame.post.iter().enumerate().find_map(|(at, p)| match &p.item {
        Item::Prep(Prep::Up) => Some((at, 1)),
        Item::Prep(Prep::Along) => Some((at, -1)),
        Item::Prep(Prep::Down) => Some((at, -1)),
        Item::Trait(Trait::Ahead) => Some((at, 1)),
        Item::Trait(Trait::Behind) => Some((at, -1)),
        Item::Prep(Prep::Behind) => Some((at, -1)),
        _ => None,
    });
    let lead = match frame.verb.act {
        Act::Lead => Some(1),
        Act::Trail => Some(-1),
        _ => None,
    };
    if matches!(
        frame.verb.act,
        Act::Be | Act::Stand | Act::Continue | Act::Leave | Act::Lead | Act::Trail
    ) && let Some((sign, at)) = ups.map(|(at, s)| (s, at)).or(lead.map(|s| (s, 0)))
    {
        // "a pawn up", "up a pawn", "ahead by two pawns", "ahead in material".
        let near: Vec<&Part> = frame.post.iter().take(at + 5).collect();
        let wanted = near.iter().find_map(|p| match &p.item {
            Item::Np(np) => amount(np).filter(|_| np.squares.is_empty()),
            _ => None,
        });
        // "is no pawn down".
        let none = near
            .iter()
            .any(|p| matches!(&p.item, Item::Np(np) if amount(np).is_some() && denies(np)));
        let development = frame.things().any(|(_, t, ..)| t == Thing::Development);
        if development {
            return;
        }
        let whose = near
            .iter()
            .find_map(|p| match &p.item {
                Item::Np(np) if np.head == Head::Side && frame.verb.act == Act::Leave => {
                    Arg::Np(np.clone(), 0..0).side(mover)
                }
                _ => None,
            })
            .unwrap_or(side);
        if let Some(wanted) = wanted
            && (named_side || frame.verb.act == Act::Leave)
        {
            let men = listed(frame.post.iter().filter(|p| {
                !matches!(
                    p.item,
                    Item::Prep(Prep::By | Prep::Up | Prep::Down | Prep::Along | Prep::Behind)
                )
            }));
            let given = amounts_behind(frame, Prep::For);
            let truth = clause.ask(|view| {
                several(view, whose, sign, &men, &given)
                    .unwrap_or_else(|| surplus_truth(view, whose, sign, &wanted))
                    .negated(clause.negated != none)
            });
            let ids = if clause.frame.context.is_plain() {
                clause.world.facts(FactKind::Material, |_| true)
            } else {
                Vec::new()
            };
            found.push(clause.draft(ClaimKind::Material, truth.resting_on(&ids)));
        }
        return;
    }
    if matches!(frame.verb.act, Act::Have | Act::Lack) && named_side {
        let mut extra = false;
        for part in object_parts(&frame.post) {
            let Item::Np(np) = &part.item else { continue };
            // "an extra queen, knight and two pawns": all of it was judged with the first.
            if extra && !np.has(Trait::Extra) && amount(np).is_some() {
                continue;
            }
            extra |= np.has(Trait::Extra);
            let ids = || {
                if clause.frame.context.is_plain() {
                    clause.world.facts(FactKind::Material, |_| true)
                } else {
                    Vec::new()
                }
            };
            let span = frame.span.start..part.span.end;
            let lacks = frame.verb.act == Act::Lack;
            if np.head == Head::Thing(Thing::BishopPair) {
                let truth = clause.ask(|view| {
                    let bishops = view.board().bishops() & view.board().by_color(side);
                    let pair = (bishops & shakmaty::Bitboard::DARK_SQUARES).any()
                        && (bishops & shakmaty::Bitboard::LIGHT_SQUARES).any();
                    Truth::of(
                        pair,
                        || format!("{} has both bishops.", color_name(side)),
                        || format!("{} does not have both bishops.", color_name(side)),
                    )
                    .negated(clause.negated || denies(np))
                });
                found.push(clause.draft_at(ClaimKind::Material, span, truth.resting_on(&ids())));
                continue;
            }
            let more = frame.has_word("more");
            if np.has(Trait::Extra) || (more && amount(np).is_some()) {
                let wanted = if more && np.count.is_none() {
                    Amount::Some
                } else {
                    amount(np).unwrap_or(Amount::Some)
                };
                // "two extra rooks for a bishop and a pawn": all of it is one claim.
                let men = if np.has(Trait::Extra) {
                    listed(frame.post.iter())
                } else {
                    Vec::new()
                };
                let given = amounts_behind(frame, Prep::For);
                let truth = clause.ask(|view| {
                    several(view, side, 1, &men, &given)
                        .unwrap_or_else(|| surplus_truth(view, side, 1, &wanted))
                        .negated((clause.negated || denies(np)) != lacks)
                });
                found.push(clause.draft_at(ClaimKind::Material, span, truth.resting_on(&ids())));
                continue;
            }
            let advantage = matches!(np.head, Head::Thing(Thing::Advantage)) && frame.has_word("material");
            if advantage {
                let truth = clause
                    .ask(|view| surplus_truth(view, side, 1, &Amount::Some).negated(clause.negated || denies(np)));
                found.push(clause.draft_at(ClaimKind::Material, span, truth.resting_on(&ids())));
                continue;
            }
            // "does not lack a pawn": it has as many as the other side.
            if lacks
                && np.det == Det::Indefinite
                && np.squares.is_empty()
                && np.file.is_none()
                && let Some(wanted) = amount(np)
            {
                let truth = clause.ask(|view| surplus_truth(view, side, -1, &wanted).negated(clause.negated));
                found.push(clause.draft_at(ClaimKind::Material, span, truth.resting_on(&ids())));
                continue;
            }
            // "has two rooks", "has no queen", "has three pawns": how many there are.
            if let Head::Role(role) = np.head
                && np.squares.is_empty()
                && np.traits.is_empty()
                && np.file.is_none()
                && np.kingside.is_none()
                && !qualified(frame, part)
                && (np.count.is_some() || denies(np) || clause.negated || np.det == Det::Indefinite)
                && role != Role::King
            {
                let truth = clause.ask(|view| {
                    let board = view.board();
                    let n = (board.by_role(role) & board.by_color(side)).count();
                    let alone = np.plural || np.count.is_some_and(|c| c != 1);
                    let yes = if denies(np) {
                        n == 0
                    } else {
                        np.count.is_none_or(|c| if alone { c as usize == n } else { true }) && n > 0
                    };
                    // "has two pawns for the piece": more than the other side has, or than before.
                    let before = clause.world.before();
                    let surplus = [Surplus::of(board, side), Surplus::gained(before.board(), board, side)];
                    let pays = |s: &Surplus| {
                        np.count
                            .is_some_and(|c| s.more.iter().filter(|r| **r == role).count() == c as usize)
                    };
                    if !yes && !frame.behind(&[Prep::For]).is_empty() && surplus.iter().any(pays) {
                        return Truth::yes(format!("{} has so many more.", color_name(side)));
                    }
                    Truth::of(
                        yes,
                        || format!("{} has {n}.", color_name(side)),
                        || format!("{} has {n}.", color_name(side)),
                    )
                    .negated(clause.negated && !denies(np))
                });
                found.push(clause.draft_at(ClaimKind::Material, span, truth.resting_on(&ids())));
            }
        }
    }
}

/// "is down to a single bishop", "is left with just two rooks": all that the side has beside its king and pawns. True where
/// the words say so.
fn remains(clause: &Clause<'_>, side: Color, found: &mut Vec<Draft>) -> bool {
    let words: Vec<&str> = clause.frame.words.iter().map(String::as_str).collect();
    let left = words
        .windows(2)
        .any(|w| matches!(w, ["down" | "reduced", "to"]) || matches!(w, ["left", "with"]) && !words.contains(&"extra"));
    let alone = words
        .iter()
        .any(|w| matches!(*w, "single" | "lone" | "just" | "only" | "bare"));
    let own = |p: &&Part| !matches!(p.item, Item::Prep(Prep::Against | Prep::For));
    let listed = listed(clause.frame.post.iter().take_while(own));
    let down = words.windows(2).any(|w| w == ["down", "to"]);
    if !left || !down && !alone || listed.is_empty() {
        return down;
    }
    let truth = clause.ask(|view| {
        let board = view.board();
        let count = |role: Role| (board.by_role(role) & board.by_color(side)).count();
        let named = |role: Role| {
            listed.iter().find_map(|amount| match amount {
                Amount::Men(of, n) if *of == role => Some(*n as usize),
                _ => None,
            })
        };
        let pieces = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
        let yes = pieces.into_iter().all(|role| count(role) == named(role).unwrap_or(0));
        let has: Vec<String> = pieces
            .into_iter()
            .filter(|&role| count(role) > 0)
            .map(|role| format!("{} {}", count(role), crate::chess::names::role_name(role)))
            .collect();
        let why = format!(
            "{} has {}.",
            color_name(side),
            if has.is_empty() {
                "no piece".to_owned()
            } else {
                has.join(", ")
            }
        );
        Truth::of(yes, || why.clone(), || why.clone()).negated(clause.negated)
    });
    let men = listed.iter().all(|amount| matches!(amount, Amount::Men(..)));
    let truth = if men {
        truth
    } else {
        Truth::unknown("It is not said which pieces are meant.")
    };
    found.push(clause.draft(ClaimKind::Material, truth));
    true
}

/// "a bishop and a knight": the amounts up to the first preposition.
fn listed<'a>(parts: impl Iterator<Item = &'a Part>) -> Vec<Amount> {
    parts
        .skip_while(|p| !matches!(&p.item, Item::Np(np) if amount(np).is_some()))
        .take_while(|p| !matches!(p.item, Item::Prep(_) | Item::Break | Item::Rel))
        .filter_map(|p| match &p.item {
            Item::Np(np) => amount(np),
            _ => None,
        })
        .collect()
}

/// "a queen and a rook for two knights": men of several roles, or on both sides, are counted one by one. `None` for a lone man.
fn several(view: &View, side: Color, sign: i32, more: &[Amount], less: &[Amount]) -> Option<Truth> {
    let men = |amounts: &[Amount]| -> Option<Vec<(Role, RangeInclusive<usize>)>> {
        let of = |amount: &Amount| match amount {
            Amount::Men(role, n) => Some((*role, *n as usize..=*n as usize)),
            Amount::Several(role) => Some((*role, 2..=64)),
            _ => None,
        };
        amounts.iter().map(of).collect()
    };
    let (more, less) = (men(more)?, men(less)?);
    if more.is_empty() || more.len() == 1 && less.is_empty() {
        return None;
    }
    let surplus = Surplus::of(view.board(), if sign < 0 { side.other() } else { side });
    let has = |roles: &[Role], wanted: &[(Role, RangeInclusive<usize>)]| {
        wanted
            .iter()
            .all(|(role, n)| n.contains(&roles.iter().filter(|r| *r == role).count()))
    };
    let why = format!(
        "The difference is {}.",
        surplus.in_words().unwrap_or_else(|| "nothing".to_owned())
    );
    let yes = has(&surplus.more, &more) && has(&surplus.less, &less);
    Some(Truth::of(yes, || why.clone(), || why.clone()))
}

/// The amounts behind a preposition.
fn amounts_behind(frame: &frame::Frame, prep: Prep) -> Vec<Amount> {
    let behind = frame.behind(&[prep]);
    behind.iter().filter_map(Arg::np).filter_map(amount).collect()
}

/// "no pawn on the g-file", "two pawns of a sort", "a rook that …": not all of them are meant.
fn qualified(frame: &frame::Frame, part: &Part) -> bool {
    let next = frame.post.iter().skip_while(|p| *p != part).nth(1);
    // The words of a relative clause begin with the phrase it is said of.
    let relative = !frame.words.iter().any(|w| lexicon::role(w).is_some());
    relative
        || next.is_some_and(|p| match &p.item {
            // "two queens on the board".
            Item::Prep(Prep::On) if frame.has_word("board") => false,
            Item::Prep(prep) => !matches!(prep, Prep::For | Prep::Against | Prep::With),
            Item::Word(word) => !matches!(word.as_str(), "left" | "remaining" | "each"),
            Item::Rel | Item::Trait(_) => true,
            _ => false,
        })
}

pub fn surplus_truth(view: &View, side: Color, sign: i32, wanted: &Amount) -> Truth {
    let surplus = Surplus::of(view.board(), side);
    let surplus = if sign < 0 { surplus.reversed() } else { surplus };
    let points = surplus.points();
    let ahead = if sign < 0 { side.other() } else { side };
    let has = |role: Role| surplus.more.iter().filter(|r| **r == role).count();
    // What the other side has for it is left out, as people do.
    if let Amount::Men(role, n) = wanted
        && has(*role) == *n as usize
        && !surplus.less.is_empty()
        && points * 2 >= value(*role) * i32::try_from(*n).unwrap_or(1)
    {
        return Truth::unknown("The other side has something for it.");
    }
    let yes = match wanted {
        Amount::Some => points > 0,
        Amount::Men(role, n) => {
            let worth = value(*role) * i32::try_from(*n).unwrap_or(1);
            points > 0 && (points == worth || (has(*role) == *n as usize && surplus.less.is_empty()))
        }
        Amount::Several(role) => points > 1 && has(*role) > 1,
        Amount::Piece(n) => {
            let minors = has(Role::Knight) + has(Role::Bishop);
            points >= 2 && (minors >= *n as usize || has(Role::Rook) + has(Role::Queen) > 0 && points >= 3)
        }
        Amount::Exchange => {
            points > 0 && has(Role::Rook) >= 1 && surplus.less.iter().any(|r| matches!(r, Role::Knight | Role::Bishop))
        }
        Amount::Points(n) => points == *n,
    };
    let why = if points == 0 {
        "The material is level.".to_owned()
    } else {
        let (who, words) = if points > 0 {
            (ahead, surplus.in_words())
        } else {
            (ahead.other(), surplus.reversed().in_words())
        };
        format!(
            "{} is ahead by {}.",
            color_name(who),
            words.unwrap_or_else(|| format!("{} points", points.abs()))
        )
    };
    Truth::of(yes, || why.clone(), || why.clone())
}

/// "The material is level", "Material is equal".
pub fn level(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let about = |arg: &Arg| matches!(arg, Arg::Np(np, _) if np.head == Head::Thing(Thing::Material));
    let subject = frame.subject.iter().any(about);
    let verbless = frame.verbless && frame.things().any(|(_, t, ..)| t == Thing::Material);
    let equal_np =
        frame.post.iter().chain(&frame.pre).any(
            |p| matches!(&p.item, Item::Np(np) if np.head == Head::Thing(Thing::Material) && np.has(Trait::Equal)),
        );
    let same = frame.has_word("same") && frame.things().any(|(_, t, ..)| t == Thing::Material);
    let neither =
        frame.has_word("neither") && (frame.has_word("ahead") || frame.has_word("up")) && frame.has_word("material");
    if !(subject || verbless || equal_np || same || neither) {
        return;
    }
    let equal = equal_np
        || same
        || neither
        || frame.traits().iter().any(|(t, _)| *t == Trait::Equal)
        || (frame.verb.act == Act::Equal && frame.verb.passive);
    if !equal {
        return;
    }
    let truth = clause.ask(|view| {
        let surplus = Surplus::of(view.board(), Color::White);
        let why = match surplus.points() {
            0 => "The material is level.".to_owned(),
            n if n > 0 => format!("White is ahead by {}.", surplus.in_words().unwrap_or_default()),
            _ => format!(
                "Black is ahead by {}.",
                surplus.reversed().in_words().unwrap_or_default()
            ),
        };
        Truth::of(surplus.points() == 0, || why.clone(), || why.clone()).negated(clause.negated && !neither)
    });
    let ids = if frame.context.is_plain() {
        clause.world.facts(FactKind::Material, |_| true)
    } else {
        Vec::new()
    };
    found.push(clause.draft(ClaimKind::Material, truth.resting_on(&ids)));
}
