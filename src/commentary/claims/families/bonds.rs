//! Bonds between men: who attacks, protects or controls what, with the words' "both", "a", "no", "only".

use shakmaty::{Color, Position, Role, Square};

use crate::chess::{Man, attacks};
use crate::commentary::claims::{
    board::{
        Clause, View,
        men::{self, Men, the, the_up},
    },
    grammar::{Arg, Head, Item, Np, Prep, Thing, phrase},
    truth::{self, Truth},
};

/// Attack or defence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bond {
    Attack,
    /// An attack that may look through other men.
    Look,
    Defend,
    /// Attack or defence of a square.
    Control,
}

/// The men "with" which a side does something.
pub fn instrument(clause: &Clause<'_>) -> Vec<Arg> {
    let frame = clause.frame;
    if !frame.subject.iter().all(|a| a.side(clause.world.mover()).is_some()) {
        return Vec::new();
    }
    // "defends the pawn with Ng1": that move does.
    let moves: Vec<Arg> = frame
        .behind(&[Prep::With])
        .into_iter()
        .filter(|a| matches!(a, Arg::Move(..)))
        .collect();
    if !moves.is_empty() {
        return moves;
    }
    // "With Re7 Black protects it": the move is what leads there.
    if matches!(
        frame.pre.last().map(|p| &p.item),
        Some(Item::Prep(Prep::With | Prep::By))
    ) && !frame.context.runs.is_empty()
    {
        return vec![Arg::Played];
    }
    let owner = clause.actor().map(phrase::Owner::Side);
    frame
        .behind(&[Prep::With])
        .into_iter()
        .filter_map(|arg| match arg {
            Arg::Np(np, span) if np.is_men() => Some(Arg::Np(
                Np {
                    owner: np.owner.filter(|o| matches!(o, phrase::Owner::Side(_))).or(owner),
                    ..np
                },
                span,
            )),
            _ => None,
        })
        .collect()
}

/// One actor, one target.
pub fn one(clause: &Clause<'_>, bond: Bond, actor: &[Arg], target: &Arg, view: &View) -> Truth {
    let board = view.board();
    let actors = men::actors(actor, view, clause.world);
    if !actors.applies {
        return Truth::unknown("The words name no pieces.");
    }
    // "nothing guards h7": the man that stands there.
    let nobody = |a: &Arg| matches!(a, Arg::Np(np, _) if np.head == Head::Thing(Thing::Nothing));
    let stands = |np: &Np| np.squares.iter().all(|&square| Man::at(board, square).is_some());
    if bond == Bond::Defend
        && let Arg::Np(np, _) = target
        && matches!(np.head, Head::Square { .. })
        && actor.iter().all(nobody)
        && stands(np)
    {
        return bare_passive(clause, bond, target, view, None);
    }
    // A bare square: who bears on it.
    if let Arg::Np(np, _) = target
        && matches!(np.head, Head::Square { .. })
    {
        let answers = np.squares.iter().map(|&square| {
            let targets = Men {
                men: vec![Man {
                    color: Color::White,
                    role: Role::Pawn,
                    square,
                }],
                applies: true,
                ..Men::default()
            };
            clause.relate(
                &actors,
                &targets,
                // What stands on a square holds it.
                |a, t| {
                    board.attacks_from(a.square).contains(t.square)
                        || looks(bond, a, t.square)
                        || bond == Bond::Control && a.square == t.square
                },
                |pair, yes| match pair {
                    Some((a, t)) if yes => format!("{} bears on {}.", the_up(a), t.square),
                    Some((a, t)) => format!("{} does not reach {}.", the_up(a), t.square),
                    None => format!("Nothing bears on {square}."),
                },
            )
        });
        return truth::all(answers);
    }
    let mut targets = target_men(clause, bond, target, view, &actors);
    if !targets.applies {
        return Truth::unknown("The words name no pieces.");
    }
    // "the bishop on f5, which nobody was protecting": the move has taken it.
    if bond == Bond::Defend
        && targets.men.is_empty()
        && let Arg::Np(np, _) = target
        && view.taken().is_some_and(|taken| np.squares.contains(&taken.square))
    {
        return Truth::unknown("It has just been taken.");
    }
    // "attacks a pawn": men of the other side only; the king of either is one.
    if targets.some && bond != Bond::Defend {
        targets.men.retain(|t| actors.men.iter().any(|a| a.color != t.color));
    }
    // "The knight would not attack the queen": not said of men that could never do it.
    if clause.negated && bond != Bond::Control {
        let able = |a: &Man, t: &Man| (a.color == t.color) == (bond == Bond::Defend);
        let possible = actors.men.iter().any(|a| targets.men.iter().any(|t| able(a, t)));
        if !possible && !actors.men.is_empty() && !targets.men.is_empty() {
            return Truth::unknown("No such pieces stand there.");
        }
    }
    let verb = match bond {
        Bond::Defend => ("protects", "does not protect"),
        _ => ("attacks", "does not attack"),
    };
    clause.relate(
        &actors,
        &targets,
        |a, t| holds(bond, view, a, t) && (!actors.of_move || by_the_move(view, a, t)),
        |pair, yes| match pair {
            Some((a, t)) if yes => format!("{} {} {}.", the_up(a), verb.0, the(t)),
            Some((a, t)) if (a.color == t.color) == (bond == Bond::Defend) => {
                format!("{} {} {}.", the_up(a), verb.1, the(t))
            }
            Some((a, t)) => format!(
                "{} and {} are {}.",
                the_up(a),
                the(t),
                if a.color == t.color {
                    "on the same side"
                } else {
                    "on opposite sides"
                }
            ),
            None => "Nothing does.".to_owned(),
        },
    )
}

/// "Only the rook protects it": that the rook does has been found true; does no other of its side?
pub fn exclusive(clause: &Clause<'_>, bond: Bond, actor: &[Arg], target: &Arg, view: &View, truth: Truth) -> Truth {
    let sole = |arg: &Arg| matches!(arg, Arg::Np(np, _) if np.sole);
    if clause.negated || !actor.iter().any(sole) {
        return truth;
    }
    no_other(clause, bond, actor, target, view, truth)
}

/// The same where the words for the deed say so: "the only defender".
pub fn no_other(clause: &Clause<'_>, bond: Bond, actor: &[Arg], target: &Arg, view: &View, truth: Truth) -> Truth {
    if !truth.holds() {
        return truth;
    }
    let actors = men::actors(actor, view, clause.world);
    let targets: Vec<Square> = match target {
        Arg::Np(np, _) if matches!(np.head, Head::Square { .. }) => np.squares.clone(),
        _ => {
            let men = target_men(clause, bond, target, view, &actors).men;
            men.into_iter().map(|m| m.square).collect()
        }
    };
    let bears = |by: &&Man, on: Square| match Man::at(view.board(), on) {
        Some(man) if bond != Bond::Control => holds(bond, view, **by, man),
        _ => view.board().attacks_from(by.square).contains(on),
    };
    let pairs = targets.iter().flat_map(|&on| {
        actors
            .men
            .iter()
            .filter(move |by| bears(by, on))
            .map(move |by| (by, on))
    });
    // Who else of its side bears on what each of them does.
    let others: Vec<Option<Man>> = pairs
        .map(|(by, on)| {
            let bearing = attacks::attackers(view.board(), on, by.color).without(on);
            let mut bearing = Man::all(view.board(), bearing).into_iter();
            bearing.find(|m| !actors.men.contains(m))
        })
        .collect();
    match others.first() {
        Some(Some(first)) if others.iter().all(Option::is_some) => {
            Truth::no(format!("{} does so, too.", the_up(*first)))
        }
        _ => truth,
    }
}

/// The men that a target phrase may mean, given who acts on it.
fn target_men(clause: &Clause<'_>, bond: Bond, target: &Arg, view: &View, actors: &Men) -> Men {
    let Arg::Np(np, _) = target else {
        return clause.men(target, view);
    };
    let colors: Vec<Color> = actors.men.iter().map(|m| m.color).collect();
    let actor = colors.first().copied().filter(|c| colors.iter().all(|o| o == c));
    let mut men = match np.head {
        Head::Side => Men {
            men: Vec::new(),
            applies: false,
            ..Men::default()
        },
        _ => men::of_np(np, view, actor, clause.world),
    };
    // The king of the other side is meant by "the king" of an attack.
    if let Some(actor) = actor
        && np.owner.is_none()
        && np.squares.is_empty()
    {
        let wanted = if bond == Bond::Defend { actor } else { actor.other() };
        if men.men.iter().any(|m| m.color == wanted) {
            men.men.retain(|m| m.color == wanted);
        }
    }
    men
}

/// What a man other than the one that moved does because of the move: its line was opened by it.
fn by_the_move(view: &View, a: Man, t: Man) -> bool {
    if view.moved() == Some(a) {
        return true;
    }
    match &view.deed {
        Some((before, m)) => m.is_castle() || !before.board().attacks_from(a.square).contains(t.square),
        None => true,
    }
}

pub fn holds(bond: Bond, view: &View, a: Man, t: Man) -> bool {
    if a.square == t.square {
        return false;
    }
    let direct = view.board().attacks_from(a.square).contains(t.square);
    match bond {
        Bond::Attack => direct && a.color != t.color,
        Bond::Look => (direct || looks(bond, a, t.square)) && a.color != t.color,
        Bond::Defend => direct && a.color == t.color,
        Bond::Control => direct,
    }
}

/// A slider's line through other men; a pawn's or knight's square in the king's neighbourhood does not count.
fn looks(bond: Bond, a: Man, to: Square) -> bool {
    bond == Bond::Look && attacks::slides(a.role, a.square, shakmaty::Bitboard::EMPTY).contains(to)
}

/// "The knight is attacked", "is not defended": by anyone of the side that can.
pub fn bare_passive(clause: &Clause<'_>, bond: Bond, target: &Arg, view: &View, times: Option<usize>) -> Truth {
    if let Arg::Np(np, _) = target
        && matches!(np.head, Head::Square { .. })
        && !np.squares.iter().any(|&square| Man::at(view.board(), square).is_some())
    {
        return Truth::unknown("It is not said by whom.");
    }
    if !matches!(target, Arg::Np(..) | Arg::Any(_)) {
        return Truth::unknown("The words name no pieces.");
    }
    let men = passive_men(clause, target, view);
    let need = times.unwrap_or(1);
    each_man(clause, &men, |m| {
        let by = if bond == Bond::Defend { m.color } else { m.color.other() };
        let bearing = Man::all(view.board(), attacks::attackers(view.board(), m.square, by));
        let bearing: Vec<Man> = bearing.into_iter().filter(|b| b.square != m.square).collect();
        let verb = if bond == Bond::Defend { "protects" } else { "attacks" };
        match bearing.first() {
            Some(&first) if bearing.len() >= need => (true, format!("{} {verb} {}.", the_up(first), the(m))),
            Some(_) => (false, format!("Only {} {verb} {}.", bearing.len(), the(m))),
            None => (false, format!("Nothing {verb} {}.", the(m))),
        }
    })
}

/// The men of a passive's subject; a pronoun for a move is the man that moved.
pub fn passive_men(clause: &Clause<'_>, target: &Arg, view: &View) -> Men {
    match target {
        Arg::Any(all) => {
            let mut found = Men::default();
            for arg in all {
                let more = passive_men(clause, arg, view);
                found.applies |= more.applies;
                found.men.extend(more.men);
                if found.missing.is_empty() {
                    found.missing = more.missing;
                }
            }
            found
        }
        Arg::Played | Arg::Move(..) => Men {
            men: view.moved().into_iter().collect(),
            applies: true,
            ..Men::default()
        },
        Arg::Np(np, _) if matches!(np.head, Head::Side | Head::Speaker) => Men::default(),
        Arg::Np(np, _) => men::of_np(np, view, None, clause.world),
    }
}

/// A property of men: one that fits is enough, denied too; "both", "no" and "a" as they say.
pub fn each_man(clause: &Clause<'_>, men: &Men, property: impl Fn(Man) -> (bool, String)) -> Truth {
    if !men.applies {
        return Truth::unknown("The words name no pieces.");
    }
    if men.men.is_empty() {
        return if men.some && clause.negated {
            Truth::yes(men.missing.clone())
        } else {
            Truth::no(men.missing.clone())
        };
    }
    let answers: Vec<(bool, String)> = men.men.iter().map(|&m| property(m)).collect();
    let find = |wanted: bool| {
        answers
            .iter()
            .find(|(yes, _)| *yes == wanted)
            .map(|(_, why)| why.clone())
    };
    let (held, failed) = (find(true), find(false));
    if men.all {
        let yes = failed.is_none();
        return match (yes, held, failed) {
            (true, Some(why), _) => Truth::yes(why).negated(clause.negated),
            (_, _, Some(why)) => Truth::no(why).negated(clause.negated),
            _ => Truth::unknown(""),
        };
    }
    if men.some {
        return match (held, failed) {
            (Some(why), _) => Truth::yes(why).negated(clause.negated),
            (None, Some(why)) => Truth::no(why).negated(clause.negated),
            _ => Truth::unknown(""),
        };
    }
    match (held, failed, clause.negated) {
        (Some(why), _, false) => Truth::yes(why),
        (_, Some(why), true) => Truth::yes(why),
        (None, Some(why), false) | (Some(why), None, true) => Truth::no(why),
        (None, None, _) => Truth::unknown(""),
    }
}
