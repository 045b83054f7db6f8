//! Claims about pawns, files and outposts.

use std::ops::Range;

use shakmaty::{Bitboard, Board, Color, File, Position, Role};

use super::{
    ClaimKind,
    clause::{Clause, Draft, denies},
    contact::each_man,
    frame::{Arg, Frame},
    lexicon::{Act, Prep, Thing, Trait},
    men::{self, Men, the, the_up},
    phrase::{Det, Head, Item, Np, Owner},
    scene::View,
    truth::{self, Truth},
};
use crate::{
    chess::{
        Man,
        names::color_name,
        pawns::{self, Openness},
    },
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
    outposts(clause, found);
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
            let ahead: Vec<shakmaty::Square> = super::frame::behind(&frame.pre, &[Prep::On])
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
            let fresh = matches!(frame.verb.act, Act::Make) && !clause.negated;
            let _ = fresh;
            found.push(clause.draft_at(
                kind,
                frame.span.start..part.span.end,
                truth.resting_on(&facts(clause, fact)),
            ));
        }
    }
}

/// Whose pawns: named with them, the subject's, or those of the side that something is given to.
fn owner(clause: &Clause<'_>, np: &Np, before: &[super::phrase::Part]) -> Option<Color> {
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

fn file_behind(rest: &[super::phrase::Part]) -> Option<File> {
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
    for part in &frame.post {
        let Item::Np(np) = &part.item else { continue };
        if !matches!(np.head, Head::Role(Role::Pawn) | Head::It) {
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

// ---- Files ----

fn openness(board: &Board, file: File) -> Openness {
    let (white, black) = (
        pawns::openness(board, file, Color::White),
        pawns::openness(board, file, Color::Black),
    );
    match (white, black) {
        (Openness::Open, _) => Openness::Open,
        (Openness::Closed, Openness::Closed) => Openness::Closed,
        _ => Openness::HalfOpen,
    }
}

/// Is the file as the adjective says? For `color`, where a half-open file is someone's.
fn file_truth(board: &Board, file: File, t: Trait, color: Option<Color>) -> Truth {
    let now = openness(board, file);
    let name = file.char();
    let yes = match t {
        Trait::Open => now == Openness::Open,
        Trait::Closed => now == Openness::Closed,
        _ => now == Openness::HalfOpen && color.is_none_or(|c| pawns::openness(board, file, c) == Openness::HalfOpen),
    };
    let word = match now {
        Openness::Open => "open: no pawn stands on it",
        Openness::HalfOpen => {
            let white = (Bitboard::from_file(file) & board.by_piece(Color::White.pawn())).any();
            if white {
                "half-open: only White has a pawn on it"
            } else {
                "half-open: only Black has a pawn on it"
            }
        }
        Openness::Closed => "closed: both sides have pawns on it",
    };
    let why = format!("The {name}-file is {word}.");
    Truth::of(yes, || why.clone(), || why.clone())
}

/// No pawn (of the phrase's owner) stands on the file.
fn empty_of(board: &Board, file: File, np: &Np) -> Truth {
    let mut all = Bitboard::from_file(file) & board.pawns();
    if let Some(Owner::Side(color)) = np.owner {
        all &= board.by_color(color);
    }
    let why = format!("{} such pawns stand on the {}-file.", all.count(), file.char());
    Truth::of(all.is_empty(), || why.clone(), || why.clone())
}

fn file_kind(t: Trait) -> ClaimKind {
    if t == Trait::HalfOpen {
        ClaimKind::HalfOpen
    } else {
        ClaimKind::OpenFile
    }
}

fn files(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    // "The e-file is open".
    if matches!(frame.verb.act, Act::Be | Act::Stand | Act::Continue) {
        for subject in &frame.subject {
            let Arg::Np(np, _) = subject else { continue };
            let (Head::File, Some(file)) = (np.head, np.file) else {
                continue;
            };
            let side = frame
                .behind(&[Prep::For])
                .iter()
                .find_map(|a| a.side(clause.world.mover()));
            let mut traits: Vec<Trait> = frame.traits().into_iter().map(|(t, _)| t).collect();
            for part in &frame.post {
                if let Item::Np(np) = &part.item
                    && np.head == Head::File
                {
                    traits.extend(&np.traits);
                }
            }
            for t in traits {
                if matches!(t, Trait::Open | Trait::HalfOpen | Trait::Closed) {
                    let truth = clause.ask(|view| file_truth(view.board(), file, t, side).negated(clause.negated));
                    found.push(clause.draft(file_kind(t), truth));
                }
            }
        }
    }
    // "The e-file has no pawns", "No pawns stand on the e-file".
    let none = |np: &Np| np.head == Head::Role(Role::Pawn) && np.det == Det::No;
    if frame.verb.act == Act::Have
        && let Some(file) = frame
            .subject
            .iter()
            .find_map(|a| a.np().filter(|np| np.head == Head::File)?.file)
    {
        for object in frame.objects().iter().filter_map(Arg::np).filter(|np| none(np)) {
            let truth =
                clause.ask(|view| empty_of(view.board(), file, object).negated(clause.negated && !none(object)));
            found.push(clause.draft(ClaimKind::OpenFile, truth));
        }
    }
    if matches!(frame.verb.act, Act::Be | Act::Stand)
        && let Some(np) = frame.subject.iter().filter_map(Arg::np).find(|np| none(np))
        && let Some(file) = frame
            .behind(&[Prep::On])
            .iter()
            .filter_map(Arg::np)
            .find(|np| np.head == Head::File)
            .and_then(|np| np.file)
    {
        let truth = clause.ask(|view| empty_of(view.board(), file, np));
        found.push(clause.draft(ClaimKind::OpenFile, truth));
    }
    // "White has no pawn on the e-file" is read with the men; "has two pawns on the f-file":
    if frame.verb.act == Act::Have
        && let Some(side) = frame.subject.iter().find_map(|a| a.side(clause.world.mover()))
    {
        for np in frame.objects().iter().filter_map(Arg::np) {
            let counted = np.head == Head::Role(Role::Pawn)
                && np.count.is_some_and(|n| n > 1)
                && np.file.is_some()
                && np.traits.is_empty();
            let Some(file) = np.file.filter(|_| counted) else {
                continue;
            };
            let truth = clause.ask(|view| {
                let n = (Bitboard::from_file(file) & view.board().by_piece(side.pawn())).count();
                let why = format!("{} has {n} pawns on the {}-file.", color_name(side), file.char());
                Truth::of(np.count == u32::try_from(n).ok(), || why.clone(), || why.clone()).negated(clause.negated)
            });
            found.push(clause.draft(ClaimKind::Doubled, truth));
        }
    }
    if frame.verb.passive && matches!(frame.verb.act, Act::Open | Act::Close) {
        for subject in &frame.subject {
            let Arg::Np(np, _) = subject else { continue };
            let (Head::File, Some(file)) = (np.head, np.file) else {
                continue;
            };
            let t = if frame.verb.act == Act::Open {
                Trait::Open
            } else {
                Trait::Closed
            };
            let truth = clause.ask(|view| {
                let exact = file_truth(view.board(), file, t, None);
                let half = file_truth(view.board(), file, Trait::HalfOpen, None);
                let truth = if t == Trait::Open {
                    truth::any([exact, half])
                } else {
                    exact
                };
                truth.negated(clause.negated)
            });
            found.push(clause.draft(ClaimKind::OpenFile, truth));
        }
        return;
    }
    // "opens the e-file".
    if frame.verb.act == Act::Open {
        opens(clause, found);
    }
    // "the open e-file", "an open file" beside men.
    let subjects: Vec<super::phrase::Part> = frame
        .subject
        .iter()
        .filter_map(|a| match a {
            Arg::Np(np, span) if np.head == Head::File && np.file.is_some() => Some(super::phrase::Part {
                item: Item::Np(np.clone()),
                span: span.clone(),
            }),
            _ => None,
        })
        .collect();
    let parts = frame.pre.iter().chain(&frame.post).chain(&subjects);
    for part in parts {
        let Item::Np(np) = &part.item else { continue };
        if np.head != Head::File {
            continue;
        }
        let Some(&t) = np
            .traits
            .iter()
            .find(|t| matches!(t, Trait::Open | Trait::HalfOpen | Trait::Closed))
        else {
            continue;
        };
        if frame.verb.act == Act::Be
            && !frame.existential
            && !frame.subject.iter().any(|a| matches!(a, Arg::Np(np, _) if np.is_men()))
        {
            continue;
        }
        file_phrase(clause, np, t, &part.span, found);
    }
}

/// "opens the e-file": it was less open before.
fn opens(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let rank = |o: Openness| match o {
        Openness::Closed => 0,
        Openness::HalfOpen => 1,
        Openness::Open => 2,
    };
    for object in clause.frame.objects() {
        let Arg::Np(np, _) = &object else { continue };
        let (Head::File, Some(file)) = (np.head, np.file) else {
            continue;
        };
        let truth = clause.ask(|view| {
            let now = openness(view.board(), file);
            let was = view.trail.first().map(|(before, _)| openness(before.board(), file));
            let Some(was) = was else {
                return Truth::unknown("No move is spoken of.");
            };
            let name = file.char();
            let why = if rank(now) > rank(was) {
                format!("The {name}-file has lost the pawns of a side.")
            } else {
                format!("The {name}-file is as open as it was.")
            };
            if clause.negated && now == Openness::HalfOpen && was == Openness::Closed {
                return Truth::unknown("Half-open is open to some.");
            }
            Truth::of(rank(now) > rank(was), || why.clone(), || why.clone()).negated(clause.negated)
        });
        found.push(clause.draft(ClaimKind::OpenFile, truth));
    }
}

fn file_phrase(clause: &Clause<'_>, np: &Np, t: Trait, span: &Range<usize>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let said = matches!(frame.verb.act, Act::Be | Act::Stand | Act::Have) && np.det == Det::Indefinite;
    let presupposed = clause.negated && np.det != Det::No && !said;
    // "White has the half-open a-file": without a pawn of White's.
    let owner = if frame.verb.act == Act::Have {
        clause.actor()
    } else {
        None
    };
    match np.file {
        Some(file) => {
            let mut answers: Vec<Truth> = clause
                .views
                .iter()
                .map(|v| file_truth(v.board(), file, t, owner))
                .collect();
            if answers.is_empty() {
                answers.push(Truth::unknown("The moves that lead there can't be played."));
            }
            let truth = truth::any(answers);
            let truth = if np.det == Det::No || frame.existential || said {
                truth.negated(np.det == Det::No || clause.negated)
            } else {
                truth
            };
            found.push(clause.draft_at(file_kind(t), span.clone(), truth));
        }
        None => {
            // "The rook stands on an open file": the subject's file, or the object's.
            let actor = frame
                .subject
                .iter()
                .chain(&frame.objects())
                .find(|a| {
                    matches!(a, Arg::Np(np, _) if np.is_men()) || matches!(a, Arg::Played | Arg::Move(..) | Arg::Any(_))
                })
                .cloned();
            let on = frame
                .behind(&[Prep::On, Prep::To, Prep::Along])
                .iter()
                .any(|a| matches!(a, Arg::Np(np, _) if np.head == Head::File));
            if !on || presupposed {
                if frame.existential || frame.verb.act == Act::Have {
                    let truth = clause.ask(|view| {
                        let any = File::ALL
                            .into_iter()
                            .any(|f| file_truth(view.board(), f, t, None).holds());
                        Truth::of(any, || "There is one.".to_owned(), || "There is none.".to_owned())
                            .negated(np.det == Det::No)
                            .negated(clause.negated)
                    });
                    found.push(clause.draft_at(file_kind(t), span.clone(), truth));
                }
                return;
            }
            let actor = actor.unwrap_or(Arg::Played);
            let truth = clause.ask(|view| {
                let mut men = clause.men(&actor, view);
                if matches!(actor, Arg::Played | Arg::Move(..)) {
                    men.men = view.moved().into_iter().collect();
                }
                each_man(clause, &men, |m| {
                    let truth = file_truth(view.board(), m.square.file(), t, None);
                    // For a rook a half-open file is one without its own pawns.
                    let yes = truth.holds();
                    (
                        yes,
                        match truth {
                            Truth::Yes(why, _) | Truth::No(why, _) | Truth::Unknown(why) => why,
                        },
                    )
                })
            });
            found.push(clause.draft_at(file_kind(t), frame.span.start..span.end, truth));
        }
    }
}

// ---- Outposts ----

fn outposts(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    for (_, thing, np, span) in frame.things() {
        if thing != Thing::Outpost || matches!(clause.mode, super::clause::Mode::Wish) {
            continue;
        }
        let subject: Vec<Arg> = frame
            .subject
            .iter()
            .chain(&frame.objects())
            .filter(|a| {
                matches!(a, Arg::Np(np, _) if np.is_men()) || matches!(a, Arg::Played | Arg::Move(..) | Arg::Any(_))
            })
            .cloned()
            .collect();
        let actor = subject.first().cloned().unwrap_or(Arg::Played);
        let truth = clause.ask(|view| {
            let mut men = clause.men(&actor, view);
            if matches!(actor, Arg::Played | Arg::Move(..)) {
                men.men = view.moved().into_iter().collect();
            }
            if !np.squares.is_empty() {
                men.men = Man::all(view.board(), np.squares.iter().copied().collect());
                men.applies = true;
            }
            let wide = |m: Man| {
                // Held by a pawn and out of reach of pawns: what the books agree on.
                pawns::outpost(view.board(), m)
            };
            each_man(clause, &men, |m| {
                let yes = wide(m);
                (
                    yes,
                    format!("{} is {}on an outpost.", the_up(m), if yes { "" } else { "not " }),
                )
            })
        });
        // Books differ on what an outpost is: where a pawn can still drive it off it is none.
        let truth = match truth {
            Truth::No(why, ids) if ids.is_empty() && !clause.negated => soften_outpost(clause, &actor, np, why),
            other => other,
        };
        found.push(clause.draft_at(
            ClaimKind::Outpost,
            frame.span.start..span.end,
            truth.negated(denies(np)),
        ));
    }
    let _ = the;
}

/// A square that no pawn can attack now but that isn't held by a pawn is an outpost for some.
fn soften_outpost(clause: &Clause<'_>, actor: &Arg, np: &Np, why: String) -> Truth {
    let view = clause.views.first().cloned().unwrap_or_else(|| clause.world.after());
    let men = if np.squares.is_empty() {
        match actor {
            Arg::Played | Arg::Move(..) => view.moved().into_iter().collect(),
            other => clause.men(other, &view).men,
        }
    } else {
        Man::all(view.board(), np.squares.iter().copied().collect())
    };
    let board = view.board();
    let safe = men.iter().any(|m| {
        let enemy = board.by_piece(m.color.other().pawn());
        let ahead: Bitboard = [-1, 1]
            .into_iter()
            .filter_map(|d| m.square.file().offset(d))
            .fold(Bitboard::EMPTY, |b, f| {
                b | pawns::ahead(shakmaty::Square::from_coords(f, m.square.rank()), m.color)
            });
        let rank = m.color.relative_rank(m.square.rank());
        rank >= shakmaty::Rank::Fourth
            && rank < shakmaty::Rank::Eighth
            && (enemy & ahead).is_empty()
            && matches!(m.role, Role::Knight | Role::Bishop | Role::Rook)
    });
    if safe {
        Truth::unknown("Whether that is an outpost is a matter of definition.")
    } else {
        Truth::no(why)
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
    for &t in &np.traits {
        let Some((kind, fact, word)) = feature(t) else { continue };
        let mut views = clause.views.clone();
        views.push(clause.world.before());
        let plain = Np {
            traits: Vec::new(),
            ..np.clone()
        };
        let truth = truth::any(views.iter().map(|view| {
            let all = pawns_with(view.board(), Color::White, t) | pawns_with(view.board(), Color::Black, t);
            let fits = Man::all(view.board(), all)
                .into_iter()
                .find(|m| men::fits(&plain, *m, None, clause.world.mover()));
            match fits {
                Some(m) => Truth::yes(format!("{} is {word}.", the_up(m))),
                None => Truth::no(format!("There is no such {word} pawn.")),
            }
        }));
        found.push(clause.draft_at(kind, span.clone(), truth.resting_on(&facts(clause, fact))));
    }
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
    for &t in &np.traits {
        let Some((kind, fact, word)) = feature(t) else { continue };
        let mut views = clause.views.clone();
        views.push(clause.world.before());
        let plain = Np {
            traits: Vec::new(),
            ..np.clone()
        };
        let truth = truth::any(views.iter().map(|view| {
            let men = men::of_np(&plain, view, None, clause.world);
            if men.men.is_empty() {
                return Truth::no(men.missing);
            }
            truth::any(men.men.iter().map(|m| {
                let yes = pawns_with(view.board(), m.color, t).contains(m.square);
                let why = format!("{} is {}{word}.", the_up(*m), if yes { "" } else { "not " });
                Truth::of(yes, || why.clone(), || why.clone())
            }))
        }));
        found.push(clause.draft_at(kind, span.clone(), truth.resting_on(&facts(clause, fact))));
    }
}
