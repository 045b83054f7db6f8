//! Claims about open files; where an outpost is beyond dispute.

use std::ops::Range;

use shakmaty::{Bitboard, Board, Color, File, Position, Role};

use super::bonds::each_man;
use crate::chess::{
    Man,
    names::color_name,
    pawns::{self, Openness},
};
use crate::commentary::claims::{
    ClaimKind,
    board::{Clause, View, men::the_up},
    draft::Draft,
    grammar::{Act, Arg, Det, Head, Item, Np, Owner, Prep, Trait, phrase},
    truth::{self, Truth},
};

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
pub fn file_truth(board: &Board, file: File, t: Trait, color: Option<Color>) -> Truth {
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

pub fn files(clause: &Clause<'_>, found: &mut Vec<Draft>) {
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
    let subjects: Vec<phrase::Part> = frame
        .subject
        .iter()
        .filter_map(|a| match a {
            Arg::Np(np, span) if np.head == Head::File && np.file.is_some() => Some(phrase::Part {
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

/// The file is more open than it was before the moves that led here; or, where that is denied, is not.
pub fn opened(view: &View, file: File, denied: bool) -> Truth {
    let rank = |o: Openness| match o {
        Openness::Closed => 0,
        Openness::HalfOpen => 1,
        Openness::Open => 2,
    };
    let now = openness(view.board(), file);
    let was = view.trail.first().map(|(before, _)| openness(before.board(), file));
    let Some(was) = was else {
        return Truth::unknown("No move is spoken of.");
    };
    let name = file.char();
    // "the bishop's departure opens the e-file": a line along it, for another man.
    let left = view.deed.as_ref().is_some_and(|(_, m)| {
        m.from()
            .is_some_and(|from| from.file() == file && m.to().file() != file)
    });
    if left && rank(now) <= rank(was) && !denied {
        return Truth::unknown("A line along it opens, though no pawn leaves it.");
    }
    let why = if rank(now) > rank(was) {
        format!("The {name}-file has lost the pawns of a side.")
    } else {
        format!("The {name}-file is as open as it was.")
    };
    if denied && now == Openness::HalfOpen && was == Openness::Closed {
        return Truth::unknown("Half-open is open to some.");
    }
    Truth::of(rank(now) > rank(was), || why.clone(), || why.clone()).negated(denied)
}

/// "opens the e-file": it was less open before.
fn opens(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    for object in clause.frame.objects() {
        let Arg::Np(np, _) = &object else { continue };
        let (Head::File, Some(file)) = (np.head, np.file) else {
            continue;
        };
        let truth = clause.ask(|view| opened(view, file, clause.negated));
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

/// A man's outpost, where it is beyond dispute.
pub fn settled_outpost(view: &View, man: Man) -> Truth {
    let yes = pawns::outpost(view.board(), man);
    let why = format!("{} is {}on an outpost.", the_up(man), if yes { "" } else { "not " });
    if !yes && out_of_reach(view.board(), man) {
        return Truth::unknown("Whether that is an outpost is a matter of definition.");
    }
    Truth::of(yes, || why.clone(), || why.clone())
}

/// No enemy pawn can come to attack the man, which stands in the enemy's half.
fn out_of_reach(board: &Board, man: Man) -> bool {
    let enemy = board.by_piece(man.color.other().pawn());
    let ahead: Bitboard = [-1, 1]
        .into_iter()
        .filter_map(|d| man.square.file().offset(d))
        .fold(Bitboard::EMPTY, |b, f| {
            b | pawns::ahead(shakmaty::Square::from_coords(f, man.square.rank()), man.color)
        });
    let rank = man.color.relative_rank(man.square.rank());
    rank >= shakmaty::Rank::Fourth
        && rank < shakmaty::Rank::Eighth
        && (enemy & ahead).is_empty()
        && matches!(man.role, Role::Knight | Role::Bishop | Role::Rook)
}
