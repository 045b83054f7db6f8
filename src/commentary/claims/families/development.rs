//! Claims about development and the stage of the game.

use shakmaty::{Bitboard, Board, Color, Position, Rank, Role};

use super::bonds::each_man;
use crate::commentary::claims::{
    ClaimKind,
    board::{
        Clause, Mode, deeds, denies,
        men::{self, the_up},
    },
    draft::Draft,
    grammar::{
        Act, Arg, Head, Item, Np, Prep, Thing, Trait,
        clause_words::{only_it, squares_behind},
        phrase,
    },
    truth::Truth,
};
use crate::{
    chess::Man,
    commentary::{FactKind, Phase},
};

/// Minor pieces that stand where they began.
pub fn at_home(man: Man) -> bool {
    let files: &[u32] = match man.role {
        Role::Knight => &[1, 6],
        Role::Bishop => &[2, 5],
        Role::Rook => &[0, 7],
        Role::Queen => &[3],
        Role::King => &[4],
        Role::Pawn => return man.color.relative_rank(man.square.rank()) == Rank::Second,
    };
    man.color.relative_rank(man.square.rank()) == Rank::First && files.contains(&man.square.file().to_u32())
}

pub fn developed_minors(board: &Board, color: Color) -> usize {
    let minors = (board.knights() | board.bishops()) & board.by_color(color);
    Man::all(board, minors).into_iter().filter(|m| !at_home(*m)).count()
}

pub fn home_minors(board: &Board, color: Color) -> usize {
    let minors: Bitboard = (board.knights() | board.bishops()) & board.by_color(color);
    Man::all(board, minors).into_iter().filter(|m| at_home(*m)).count()
}

/// "develops the knight", "brings out the bishop".
pub fn development(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    // "White comes out a pawn ahead": of material.
    if ["ahead", "behind", "up", "down", "top"]
        .iter()
        .any(|w| frame.has_word(w))
    {
        return;
    }
    let objects = frame.objects();
    let men: Vec<Arg> = if frame.verb.passive || objects.is_empty() {
        frame.subject.clone()
    } else {
        objects
    };
    if frame.governor == Some(Act::Finish) {
        for man in men.iter().filter(|a| matches!(a, Arg::Np(np, _) if np.is_men())) {
            is_developed(clause, &whole(clause, man), true, found);
        }
        return;
    }
    if frame.verb.passive
        || (frame.verb.perfect
            && frame.verb.modal.is_none()
            && frame.subject.iter().any(|a| a.side(clause.world.mover()).is_some()))
    {
        // "has brought out more pieces than Black".
        if frame.has_word("more") || frame.has_word("fewer") {
            return;
        }
        for man in men.iter().filter(|a| matches!(a, Arg::Np(np, _) if np.is_men())) {
            if let Arg::Np(np, _) = man
                && matches!(np.det, phrase::Det::Indefinite | phrase::Det::No)
                && np.squares.is_empty()
                && !np.plural
            {
                brought_out(clause, np, found);
                continue;
            }
            let owned = match man {
                Arg::Np(np, span) if np.owner.is_none() && !frame.verb.passive => Arg::Np(
                    Np {
                        owner: clause.actor().map(phrase::Owner::Side),
                        ..np.clone()
                    },
                    span.clone(),
                ),
                other => other.clone(),
            };
            is_developed(clause, &owned, true, found);
        }
        return;
    }
    // "White comes out a rook ahead": of material.
    let comes = ["com", "cam", "go"]
        .iter()
        .any(|stem| frame.verb.word.starts_with(stem));
    if comes && !frame.objects().is_empty() {
        return;
    }
    let goals = squares_behind(frame, &[Prep::To, Prep::On, Prep::At]);
    let side = clause.actor().or_else(|| clause.color_of(&men));
    let truth = clause.ask_deed(|view| match deeds::deeds(clause, view, side) {
        deeds::Deeds::Done(before, m) => {
            let man = m.from().and_then(|f| Man::at(before.board(), f));
            let Some(man) = man else { return Truth::unknown("") };
            let home = man.color.relative_rank(man.square.rank()) == Rank::First
                && !matches!(man.role, Role::Pawn | Role::King);
            let castles = m.is_castle();
            let fits = men.iter().filter_map(Arg::np).filter(|np| np.is_men()).all(|np| {
                let moved = Man { square: m.to(), ..man };
                men::fits(np, man, Some(man.color), clause.world.mover())
                    || men::fits(np, moved, Some(man.color), clause.world.mover())
            });
            let goal = goals.is_empty() || goals.contains(&m.to());
            let out = if home && at_home(man) {
                String::new()
            } else {
                " It was out already.".to_owned()
            };
            let why = format!("{} goes to {}.{out}", the_up(man), m.to());
            let truth = Truth::of((home || castles) && fits && goal, || why.clone(), || why.clone());
            // A pawn's move may be called development in a wide sense.
            let truth = if men.iter().all(|a| !matches!(a, Arg::Np(np, _) if np.is_men())) {
                truth.lenient("Development in a wide sense.")
            } else {
                truth
            };
            truth.negated(clause.negated)
        }
        _ => Truth::unknown("It may come later."),
    });
    let ids = if frame.context.is_plain() {
        clause.world.facts(FactKind::Development, |_| true)
    } else {
        Vec::new()
    };
    found.push(clause.draft(ClaimKind::Development, truth.resting_on(&ids)));
}

/// "developing the minor pieces": all of the subject's.
fn whole(clause: &Clause<'_>, man: &Arg) -> Arg {
    match man {
        Arg::Np(np, span) => Arg::Np(
            Np {
                det: if np.plural { phrase::Det::All } else { np.det },
                owner: np.owner.or(clause.actor().map(phrase::Owner::Side)),
                ..np.clone()
            },
            span.clone(),
        ),
        other => other.clone(),
    }
}

/// "has developed a knight with Nf3", "no bishop is brought out": by the move; without its name it may be one that is out.
fn brought_out(clause: &Clause<'_>, np: &Np, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let no = clause.negated || denies(np);
    let one = Np {
        det: phrase::Det::Indefinite,
        owner: np.owner.or(clause.actor().map(phrase::Owner::Side)),
        ..np.clone()
    };
    let deed = clause.ask_deed(|view| {
        let Some(was) = view.moved_from() else {
            return Truth::unknown("No move is spoken of.");
        };
        let why = format!("{} moves.", the_up(was));
        if !men::fits(&one, was, Some(was.color), clause.world.mover()) {
            return Truth::no(why).negated(no);
        }
        if at_home(was) {
            return Truth::yes(why).negated(no);
        }
        Truth::unknown("It was out already.")
    });
    let named = frame.post.iter().any(|p| matches!(p.item, Item::Move(_)))
        || ["move", "just", "here"].iter().any(|w| frame.has_word(w));
    let state = developed_truth(clause, &Arg::Np(one.clone(), frame.span.clone()), true);
    let truth = if named || frame.verb.passive && !frame.verb.perfect && !frame.verb.word.starts_with("develop") {
        deed
    } else if no == state.fails() {
        deed.lenient("It may be one that is out already.")
    } else {
        deed
    };
    found.push(clause.draft(ClaimKind::Development, truth));
}

fn is_developed(clause: &Clause<'_>, man: &Arg, developed: bool, found: &mut Vec<Draft>) {
    let truth = developed_truth(clause, man, developed);
    found.push(clause.draft(ClaimKind::Development, truth));
}

fn developed_truth(clause: &Clause<'_>, man: &Arg, developed: bool) -> Truth {
    clause.ask(|view| {
        let men = clause.men(man, view);
        each_man(clause, &men, |m| {
            let home = at_home(m);
            let why = if home {
                format!("{} stands on its home square.", the_up(m))
            } else {
                format!("{} has left its home square.", the_up(m))
            };
            (home != developed, why)
        })
    })
}

/// "The knight is undeveloped", "on its home square", "White is ahead in development".
pub fn undeveloped(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    if matches!(frame.verb.act, Act::Be | Act::Stand | Act::Continue) {
        for (t, _) in frame.traits() {
            let developed = match t {
                Trait::Undeveloped => false,
                Trait::Developed => true,
                _ => continue,
            };
            for man in frame
                .subject
                .iter()
                .filter(|a| matches!(a, Arg::Np(np, _) if np.is_men()))
            {
                is_developed(clause, man, developed, found);
            }
        }
        let home = frame
            .behind(&[Prep::On, Prep::At])
            .iter()
            .any(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Thing(Thing::Home)));
        if home {
            for man in frame
                .subject
                .iter()
                .filter(|a| matches!(a, Arg::Np(np, _) if np.is_men()))
            {
                is_developed(clause, man, false, found);
            }
        }
    }
    // "The knight has not moved yet".
    if frame.verb.act == Act::Move
        && frame.verb.perfect
        && !frame.verb.passive
        && frame.objects().is_empty()
        && squares_behind(frame, &[Prep::To, Prep::On, Prep::At, Prep::Into]).is_empty()
        && clause.negated
    {
        for man in frame
            .subject
            .iter()
            .filter(|a| matches!(a, Arg::Np(np, _) if np.is_men()))
        {
            let truth = clause.ask(|view| {
                let men = clause.men(man, view);
                match men.men.iter().find(|m| at_home(**m)) {
                    Some(m) => Truth::yes(format!("{} stands on its home square.", the_up(*m))),
                    None => Truth::no(men.men.first().map_or(men.missing.clone(), |m| {
                        format!("{} has left its home square.", the_up(*m))
                    })),
                }
            });
            found.push(clause.draft(ClaimKind::Development, truth));
        }
    }
    let about = frame.things().any(|(_, t, ..)| t == Thing::Development) || frame.has_word("undeveloped");
    if about {
        let sign = frame.post.iter().find_map(|p| match &p.item {
            Item::Trait(Trait::Ahead) => Some(1),
            Item::Trait(Trait::Behind) | Item::Prep(Prep::Behind) => Some(-1),
            _ => None,
        });
        let leads = frame.things().any(|(_, t, np, _)| {
            matches!(t, Thing::Lead | Thing::Advantage) || t == Thing::Development && np.has(Trait::Better)
        });
        let sign = sign.or(match frame.verb.act {
            Act::Have if leads => Some(1),
            Act::Lead => Some(1),
            Act::Trail => Some(-1),
            _ => None,
        });
        if let (Some(sign), Some(side)) = (sign, frame.subject.iter().find_map(|a| a.side(clause.world.mover()))) {
            let truth = clause.ask(|view| {
                let n = |c| {
                    i32::try_from(developed_minors(view.board(), c)).unwrap_or(0)
                        - i32::try_from(home_minors(view.board(), c)).unwrap_or(0)
                };
                let lead = (n(side) - n(side.other())) * sign;
                let why = format!(
                    "White has {} minor pieces in play, Black {}.",
                    developed_minors(view.board(), Color::White),
                    developed_minors(view.board(), Color::Black)
                );
                let truth = Truth::of(lead > 0, || why.clone(), || why.clone());
                let truth = if lead == 0 {
                    truth.lenient("Development is more than pieces off their squares.")
                } else {
                    truth
                };
                truth.negated(clause.negated)
            });
            found.push(clause.draft(ClaimKind::Development, truth));
            return;
        }
        // "completes his development": all minor pieces are out.
        if frame.verb.act == Act::Finish {
            let side = clause.side();
            let truth = clause.ask(|view| {
                let n = home_minors(view.board(), side);
                Truth::of(
                    n == 0,
                    || "All minor pieces are out.".to_owned(),
                    || format!("{n} minor pieces are at home."),
                )
                .negated(clause.negated)
            });
            found.push(clause.draft(ClaimKind::Development, truth));
        }
    }
    // "White has developed both knights" is read above; "has two undeveloped pieces".
    if frame.verb.act == Act::Have
        && let Some(side) = frame.subject.iter().find_map(|a| a.side(clause.world.mover()))
    {
        for part in &frame.post {
            let Item::Np(np) = &part.item else { continue };
            if !np.is_men() || !np.has(Trait::Undeveloped) {
                continue;
            }
            let truth = clause.ask(|view| {
                let homes = Man::all(view.board(), view.board().by_color(side))
                    .into_iter()
                    .filter(|m| matches!(m.role, Role::Knight | Role::Bishop) && at_home(*m))
                    .filter(|m| {
                        men::fits(
                            &Np {
                                traits: Vec::new(),
                                ..np.clone()
                            },
                            *m,
                            Some(side),
                            clause.world.mover(),
                        )
                    })
                    .count();
                let yes = homes >= np.count.unwrap_or(1) as usize;
                let why = format!("{homes} such pieces stand at home.");
                Truth::of(yes, || why.clone(), || why.clone()).negated(clause.negated || denies(np))
            });
            found.push(clause.draft_at(ClaimKind::Development, frame.span.start..part.span.end, truth));
        }
    }
}

pub fn game_phase(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    if frame.verb.act != Act::Be || clause.mode != Mode::Fact {
        return;
    }
    let about = frame.subject.iter().any(|a| {
        matches!(a, Arg::Np(np, _) if matches!(np.head, Head::Thing(Thing::Position | Thing::Game))) || only_it(frame)
    });
    if !about {
        return;
    }
    for (at, thing, np, span) in frame.things() {
        let wanted = match thing {
            Thing::Opening => Phase::Opening,
            Thing::Middlegame => Phase::Middlegame,
            Thing::Endgame => Phase::Endgame,
            _ => continue,
        };
        // "an opening", "Black's opening", "a rook endgame": other things.
        if np.owner.is_some()
            || np.of_role.is_some()
            || !matches!(
                frame.post.get(at.wrapping_sub(1)).map(|p| &p.item),
                Some(Item::Prep(Prep::In)) | None
            )
        {
            continue;
        }
        let truth = clause.ask(|view| {
            let now = Phase::of(view.board());
            let why = format!(
                "By the material left it is {}.",
                match now {
                    Phase::Opening => "the opening",
                    Phase::Middlegame => "a middlegame",
                    Phase::Endgame => "an endgame",
                }
            );
            let far = matches!(
                (now, wanted),
                (Phase::Opening, Phase::Endgame) | (Phase::Endgame, Phase::Opening)
            );
            let truth = Truth::of(now == wanted, || why.clone(), || why.clone());
            let truth = if far {
                truth
            } else {
                truth.lenient("Where one stage ends is a matter of taste.")
            };
            truth.negated(clause.negated)
        });
        found.push(clause.draft_at(ClaimKind::Phase, frame.span.start..span.end, truth));
    }
}
