//! Claims about pawns and files.

use std::ops::Range;

use shakmaty::{Bitboard, Board, Color, File, Role};

use super::{bonds::each_man, files::files};
use crate::commentary::claims::{
    ClaimKind,
    board::{
        Clause, View, denies,
        men::{self, Men, the_up},
    },
    draft::Draft,
    grammar::{Act, Arg, Det, Frame, Head, Item, Np, Owner, Prep, Trait, frame, phrase},
    truth::{self, Truth},
};
use crate::{
    chess::{Man, names::color_name, pawns},
    commentary::{FactId, FactKind},
};

/// The feature that an adjective of pawns names.
fn feature(t: Trait) -> Option<(ClaimKind, FactKind, &'static str)> {
    Some(match t {
        Trait::Passed => (ClaimKind::Passed, FactKind::Passed, "passed"),
        Trait::Isolated => (ClaimKind::Isolated, FactKind::Isolated, "isolated"),
        Trait::Doubled | Trait::Tripled => (ClaimKind::Doubled, FactKind::Doubled, "doubled"),
        Trait::Backward => (ClaimKind::Backward, FactKind::Backward, "backward"),
        _ => return None,
    })
}

fn pawns_with(board: &Board, color: Color, t: Trait) -> Bitboard {
    match t {
        Trait::Passed => pawns::passed(board, color),
        Trait::Isolated => pawns::isolated(board, color),
        Trait::Backward => pawns::backward(board, color),
        Trait::Doubled => pawns::doubled(board, color),
        Trait::Tripled => {
            let own = board.by_piece(color.pawn());
            own.into_iter()
                .filter(|sq| (Bitboard::from_file(sq.file()) & own).count() > 2)
                .collect()
        }
        _ => Bitboard::EMPTY,
    }
}

/// The claims of a clause about pawns and files.
pub fn claims(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    predicates(clause, found);
    if matches!(
        frame.verb.act,
        Act::Have | Act::Be | Act::Make | Act::Leave | Act::Win | Act::Stand | Act::Lead | Act::Other | Act::Lack
    ) && !(matches!(frame.verb.act, Act::Be) && !frame.existential && !frame.verbless && !frame.subject.is_empty())
    {
        possessed(clause, found);
    } else if matches!(frame.verb.act, Act::Be) {
        // "is a passed pawn".
        nominal(clause, found);
    }
    verbs(clause, found);
    files(clause, found);
}

fn facts(clause: &Clause<'_>, kind: FactKind) -> Vec<FactId> {
    if !clause.frame.context.is_plain() {
        return Vec::new();
    }
    clause.world.facts(kind, |_| true).into_iter().take(2).collect()
}

/// "The pawn on d5 is passed", "the pawns on c2 and c3 are doubled".
fn predicates(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let mut traits: Vec<Trait> = if matches!(frame.verb.act, Act::Be | Act::Stand | Act::Continue) {
        frame.traits().into_iter().map(|(t, _)| t).collect()
    } else {
        Vec::new()
    };
    if frame.verb.passive {
        match frame.verb.act {
            Act::Isolate => traits.push(Trait::Isolated),
            Act::Double => traits.push(Trait::Doubled),
            _ => {}
        }
    }
    for t in traits {
        let Some((kind, fact, word)) = feature(t) else { continue };
        for subject in &frame.subject {
            let truth = clause.ask(|view| {
                let men = pawn_men(clause, subject, view);
                let board = view.board();
                each_man(clause, &men, |m| {
                    if m.role != Role::Pawn {
                        return (false, format!("{} is no pawn.", the_up(m)));
                    }
                    let yes = pawns_with(board, m.color, t).contains(m.square);
                    (
                        yes,
                        format!("{} is {}{word}.", the_up(m), if yes { "" } else { "not " }),
                    )
                })
            });
            found.push(clause.draft(kind, truth.resting_on(&facts(clause, fact))));
        }
    }
}

fn pawn_men(clause: &Clause<'_>, arg: &Arg, view: &View) -> Men {
    match arg {
        Arg::Np(np, _) if np.is_men() => {
            let mut men = men::of_np(np, view, None, clause.world);
            // "Black's pawns are doubled": some of them.
            if np.plural && np.squares.is_empty() && np.det != Det::All {
                men.some = true;
            }
            men
        }
        Arg::Any(all) => {
            let mut found = Men::default();
            for one in all {
                let more = pawn_men(clause, one, view);
                found.applies |= more.applies;
                found.men.extend(more.men.into_iter().filter(|m| m.role == Role::Pawn));
            }
            found
        }
        Arg::Played | Arg::Move(..) => Men {
            men: view.moved().into_iter().filter(|m| m.role == Role::Pawn).collect(),
            applies: view.moved().is_some_and(|m| m.role == Role::Pawn),
            ..Men::default()
        },
        _ => Men::default(),
    }
}

/// "White has a passed pawn on d5", "creates a passed pawn", "there are doubled pawns on the c-file", "leaves Black with
/// an isolated pawn".
fn possessed(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    for (at, part) in frame.post.iter().enumerate() {
        let Item::Np(np) = &part.item else { continue };
        if np.head != Head::Role(Role::Pawn) {
            continue;
        }
        // "captures the passed pawn": the adjectives of objects are read with the mention.
        for &t in &np.traits {
            let Some((kind, fact, word)) = feature(t) else { continue };
            let owner = owner(clause, np, &frame.post[..at]);
            let file = np.file.or_else(|| file_behind(&frame.post[at + 1..]));
            // "On h6 Black has a backward pawn".
            let ahead: Vec<shakmaty::Square> = frame::behind(&frame.pre, &[Prep::On])
                .iter()
                .filter_map(Arg::np)
                .flat_map(|np| np.squares.clone())
                .collect();
            let truth = clause.ask(|view| {
                let owners: Vec<Color> = match owner {
                    Some(color) => vec![color],
                    None => vec![Color::White, Color::Black],
                };
                let all: Bitboard = owners
                    .iter()
                    .fold(Bitboard::EMPTY, |b, &c| b | pawns_with(view.board(), c, t));
                let meant = Np {
                    file,
                    traits: Vec::new(),
                    det: Det::Indefinite,
                    owner: owner.map(Owner::Side),
                    squares: if np.squares.is_empty() {
                        ahead.clone()
                    } else {
                        np.squares.clone()
                    },
                    ..np.clone()
                };
                let fits: Vec<Man> = Man::all(view.board(), all)
                    .into_iter()
                    .filter(|m| men::fits(&meant, *m, None, clause.world.mover()))
                    .collect();
                let mut need = np.count.unwrap_or(1) as usize;
                if np.count == Some(2) && t == Trait::Doubled {
                    need = 2;
                }
                if np.plural && np.squares.len() > 1 {
                    need = np.squares.len();
                }
                let yes = fits.len() >= need;
                let whose = owner.map_or("Nobody".to_owned(), |c| color_name(c).to_owned());
                let truth = Truth::of(
                    yes,
                    || {
                        fits.first()
                            .map(|m| format!("{} is {word}.", the_up(*m)))
                            .unwrap_or_default()
                    },
                    || format!("{whose} has no such {word} pawn."),
                );
                truth
                    .negated(denies(np) || frame.verb.act == Act::Lack)
                    .negated(clause.negated)
            });
            found.push(clause.draft_at(
                kind,
                frame.span.start..part.span.end,
                truth.resting_on(&facts(clause, fact)),
            ));
        }
    }
}

/// Whose pawns: named with them, the subject's, or those of the side that something is given to.
pub fn owner(clause: &Clause<'_>, np: &Np, before: &[phrase::Part]) -> Option<Color> {
    if let Some(owner) = np.owner {
        let colors = men::colors(Some(owner), clause.actor(), clause.world.mover());
        return match colors.as_slice() {
            [one] => Some(*one),
            _ => None,
        };
    }
    // "leaves Black with", "gives White".
    let given = before.iter().rev().find_map(|p| match &p.item {
        Item::Np(np) if np.head == Head::Side => Arg::Np(np.clone(), 0..0).side(clause.world.mover()),
        _ => None,
    });
    if given.is_some() {
        return given;
    }
    match clause.frame.verb.act {
        Act::Have | Act::Lack => clause.actor(),
        _ => None,
    }
}

fn file_behind(rest: &[phrase::Part]) -> Option<File> {
    match rest {
        [on, np, ..] if matches!(on.item, Item::Prep(Prep::On)) => match &np.item {
            Item::Np(np) if np.head == Head::File => np.file,
            _ => None,
        },
        _ => None,
    }
}

/// "The pawn on d5 is a passed pawn", "is an isolani".
fn nominal(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    for (at, part) in frame.post.iter().enumerate() {
        let Item::Np(np) = &part.item else { continue };
        if !matches!(np.head, Head::Role(Role::Pawn) | Head::It) {
            continue;
        }
        // "aren't pretty, with doubled pawns on the b-file": not said of the subject.
        if matches!(
            frame.post.get(at.wrapping_sub(1)).map(|p| &p.item),
            Some(Item::Prep(Prep::With))
        ) {
            continue;
        }
        for &t in &np.traits {
            let Some((kind, fact, word)) = feature(t) else { continue };
            for subject in &frame.subject {
                let truth = clause.ask(|view| {
                    let men = pawn_men(clause, subject, view);
                    each_man(clause, &men, |m| {
                        let yes = m.role == Role::Pawn && pawns_with(view.board(), m.color, t).contains(m.square);
                        (
                            yes,
                            format!("{} is {}{word}.", the_up(m), if yes { "" } else { "not " }),
                        )
                    })
                });
                found.push(clause.draft(kind, truth.resting_on(&facts(clause, fact))));
            }
        }
    }
}

/// "doubles Black's pawns", "isolates the d-pawn".
fn verbs(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let t = match frame.verb.act {
        Act::Isolate if !frame.verb.passive => Trait::Isolated,
        Act::Double if !frame.verb.passive => Trait::Doubled,
        _ => return,
    };
    let Some((kind, fact, word)) = feature(t) else { return };
    for object in frame.objects() {
        let Arg::Np(np, _) = &object else { continue };
        if np.head != Head::Role(Role::Pawn) {
            continue;
        }
        let truth = clause.ask(|view| {
            let mut men = pawn_men(clause, &object, view);
            men.some = true;
            each_man(clause, &men, |m| {
                let yes = pawns_with(view.board(), m.color, t).contains(m.square);
                (
                    yes,
                    format!("{} is {}{word}.", the_up(m), if yes { "" } else { "not " }),
                )
            })
        });
        found.push(clause.draft(kind, truth.resting_on(&facts(clause, fact))));
    }
}

/// "White's passed a-pawn is strong", "the isolated pawns": there are such pawns.
pub fn presupposed(clause: &Clause<'_>, np: &Np, span: &Range<usize>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let named =
        np.head == Head::Role(Role::Pawn) && np.squares.is_empty() && matches!(np.det, Det::Definite | Det::All);
    let whose = matches!(np.owner, Some(Owner::Side(_))) || np.file.is_some();
    if !named || !whose || (frame.existential && frame.post.iter().any(|p| p.span == *span)) {
        return;
    }
    by_traits(clause, np, span, found, |plain, view, t, word| {
        let all = pawns_with(view.board(), Color::White, t) | pawns_with(view.board(), Color::Black, t);
        let fits = Man::all(view.board(), all)
            .into_iter()
            .find(|m| men::fits(plain, *m, None, clause.world.mover()));
        match fits {
            Some(m) => Truth::yes(format!("{} is {word}.", the_up(m))),
            None => Truth::no(format!("There is no such {word} pawn.")),
        }
    });
}

/// Adjectives of pawns within noun phrases: "attacks the isolated pawn on d5", "the passed d-pawn".
pub fn phrase_traits(clause: &Clause<'_>, np: &Np, span: &Range<usize>, found: &mut Vec<Draft>) {
    let frame: &Frame = clause.frame;
    if np.head != Head::Role(Role::Pawn) || np.squares.is_empty() {
        return;
    }
    if matches!(
        frame.verb.act,
        Act::Have | Act::Make | Act::Leave | Act::Lack | Act::Win | Act::Other | Act::Lead | Act::Be | Act::Stand
    ) {
        // Read as the statement itself, unless the pawn is the subject.
        if frame.post.iter().any(|p| p.span == *span) {
            return;
        }
    }
    by_traits(clause, np, span, found, |plain, view, t, word| {
        let men = men::of_np(plain, view, None, clause.world);
        if men.men.is_empty() {
            return Truth::no(men.missing);
        }
        truth::any(men.men.iter().map(|m| {
            let yes = pawns_with(view.board(), m.color, t).contains(m.square);
            let why = format!("{} is {}{word}.", the_up(*m), if yes { "" } else { "not " });
            Truth::of(yes, || why.clone(), || why.clone())
        }))
    });
}

/// What each adjective of a phrase takes for granted: after the move or before it. `judge` asks a position for the
/// phrase without its adjectives, the adjective and its word.
fn by_traits(
    clause: &Clause<'_>,
    np: &Np,
    span: &Range<usize>,
    found: &mut Vec<Draft>,
    judge: impl Fn(&Np, &View, Trait, &str) -> Truth,
) {
    let mut views = clause.views.clone();
    views.push(clause.world.before());
    let plain = Np {
        traits: Vec::new(),
        ..np.clone()
    };
    for &t in &np.traits {
        let Some((kind, fact, word)) = feature(t) else { continue };
        let truth = truth::any(views.iter().map(|view| judge(&plain, view, t, word)));
        found.push(clause.draft_at(kind, span.clone(), truth.resting_on(&facts(clause, fact))));
    }
}
