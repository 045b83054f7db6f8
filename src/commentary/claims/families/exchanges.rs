//! Claims about men exchanged.

use shakmaty::{Position, Role};

use crate::commentary::claims::{
    ClaimKind,
    board::{
        Clause, Mode, View, deeds,
        men::{self, the},
    },
    draft::Draft,
    grammar::{Act, Arg, Det, Head, Prep},
    truth::Truth,
};
use crate::{
    chess::{Man, attacks},
    commentary::FactKind,
};

/// "exchanges knights", "trades the bishop for the knight", "the queens come off".
pub fn trades(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let mut objects = if frame.verb.passive || frame.verb.particle == Some(Prep::Off) && frame.objects().is_empty() {
        frame.subject.clone()
    } else {
        frame.objects()
    };
    let against = frame.behind(&[Prep::For, Prep::Against]);
    // "exchanges the pawn for a queen": a promotion.
    let pawn = |a: &Arg| matches!(a, Arg::Np(np, _) if np.head == Head::Role(Role::Pawn));
    let piece = |a: &Arg| matches!(a, Arg::Np(np, _) if np.det == Det::Indefinite && np.is_men() && np.head != Head::Role(Role::Pawn));
    let promotes = |view: &View| view.deed.as_ref().is_some_and(|(_, m)| m.is_promotion());
    if objects.iter().any(pawn)
        && against.iter().any(piece)
        && (clause.mode == Mode::Can || clause.views.iter().any(promotes))
    {
        return;
    }
    if objects.iter().all(|a| !matches!(a, Arg::Np(np, _) if np.is_men())) {
        objects.retain(|a| matches!(a, Arg::Any(_)));
        if objects.is_empty() && against.is_empty() {
            return;
        }
    }
    let truth = if frame.governor == Some(Act::Offer) || matches!(clause.mode, Mode::Can | Mode::Threat) {
        clause.ask_deed(|view| offered(clause, view, &objects, &against).negated(clause.negated))
    } else {
        clause.ask_deed(|view| exchanged(clause, view, &objects, &against).negated(clause.negated))
    };
    // "The queens are already off", "stays an exchange up".
    let state = ["already", "up", "down", "ahead", "short"]
        .iter()
        .any(|word| frame.has_word(word));
    let truth = if state {
        truth.lenient("It may have been so before.")
    } else {
        truth
    };
    let ids = if frame.context.is_plain() {
        clause.world.facts(FactKind::Trade, |_| true)
    } else {
        Vec::new()
    };
    let draft = if frame.governor == Some(Act::Offer) {
        Draft {
            kind: ClaimKind::Trade,
            span: frame.span.clone(),
            truth,
        }
    } else {
        clause.draft(ClaimKind::Trade, truth)
    };
    found.push(Draft {
        truth: draft.truth.resting_on(&ids),
        ..draft
    });
}

fn role_fits(arg: &Arg, role: Role) -> bool {
    match arg {
        Arg::Np(np, _) => match np.head {
            Head::Role(wanted) => wanted == role,
            Head::Piece => role != Role::Pawn && role != Role::King,
            Head::Minor => matches!(role, Role::Knight | Role::Bishop),
            Head::Major => matches!(role, Role::Rook | Role::Queen),
            _ => true,
        },
        _ => true,
    }
}

/// The last two moves of the line take one of them each on one square; or the move takes one with the other and can be
/// taken back.
pub fn exchanged(clause: &Clause<'_>, view: &View, objects: &[Arg], against: &[Arg]) -> Truth {
    let both: Vec<&Arg> = objects.iter().chain(against).collect();
    let plural = against.is_empty() && objects.len() == 1 && matches!(&objects[0], Arg::Np(np, _) if np.plural);
    let pair = |one: Man, other: Man| {
        if both.is_empty() {
            return true;
        }
        if plural {
            return role_fits(both[0], one.role) && role_fits(both[0], other.role);
        }
        both.iter().all(|a| role_fits(a, one.role) || role_fits(a, other.role))
    };
    if let [.., first, second] = view.trail.as_slice()
        && let (Some(one), Some(other)) = (deeds::taken(&first.0, first.1), deeds::taken(&second.0, second.1))
        && first.1.to() == second.1.to()
    {
        let why = format!("The moves take {} and {}.", the(one), the(other));
        return Truth::of(pair(one, other), || why.clone(), || why.clone());
    }
    let Some((before, m)) = &view.deed else {
        return Truth::unknown("No move is spoken of.");
    };
    let (Some(taken), Some(man)) = (view.taken(), view.moved_from()) else {
        return Truth::no("The move takes nothing.");
    };
    let why = format!("The move takes {} with {}.", the(taken), the(man));
    if !pair(taken, man) || !(both.is_empty() || both.iter().any(|a| role_fits(a, taken.role))) {
        return Truth::no(why);
    }
    let back = attacks::attackers(view.board(), m.to(), before.turn().other()).any();
    if back || !clause.world.facts(FactKind::Recapture, |_| true).is_empty() {
        return Truth::yes(why);
    }
    Truth::unknown("The position does not show whether that ends an exchange.")
}

/// A man of the mover's stands to be exchanged: each may take the other.
pub fn offered(clause: &Clause<'_>, view: &View, objects: &[Arg], against: &[Arg]) -> Truth {
    let side = clause.side();
    let board = view.board();
    let ours = Man::all(board, board.by_color(side) & !board.kings());
    let both: Vec<&Arg> = objects.iter().chain(against).collect();
    let pair = ours.iter().find_map(|&a| {
        let theirs = Man::all(board, attacks::attackers(board, a.square, side.other()));
        theirs
            .into_iter()
            .find(|t| {
                let mutual =
                    board.attacks_from(a.square).contains(t.square) || attacks::attackers(board, a.square, side).any();
                let fits = if both.len() == 1 {
                    role_fits(both[0], a.role)
                        && (role_fits(both[0], t.role) || !matches!(both[0], Arg::Np(np, _) if np.plural))
                } else {
                    both.iter().all(|x| role_fits(x, a.role) || role_fits(x, t.role))
                };
                mutual && fits && t.role != Role::King && t.role != Role::Pawn
            })
            .map(|t| (a, t))
    });
    match pair {
        Some((a, t)) => Truth::yes(format!("{} and {} can be exchanged.", men::the_up(a), the(t))),
        None => Truth::no("No such pieces stand to be exchanged."),
    }
}
