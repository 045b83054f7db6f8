//! Which men a capture can be made with: each of those that are named, and no other where the words say so.

use shakmaty::{Chess, Color, Move, san::San};

use crate::commentary::claims::{
    board::{
        Clause, Mode, View,
        deeds::{Deeds, deeds},
    },
    grammar::Arg,
    truth::Truth,
};

/// "can recapture with the queen or the rook": with either; "only the pawn can take": nothing else can.
///
/// `truth` is whether any of them can; `does` says whether a move is the capture, made by the first men with the second.
pub fn named(
    clause: &Clause<'_>,
    actor: &[Arg],
    by: &[Arg],
    side: Option<Color>,
    truth: Truth,
    does: impl Fn(&View, &Chess, Move, &[Arg], &[Arg]) -> Truth,
) -> Truth {
    let is_man = |arg: &&Arg| matches!(arg, Arg::Np(np, _) if np.is_men());
    let with = by.iter().any(|arg| is_man(&arg));
    let men: Vec<&Arg> = if with { by } else { actor }.iter().filter(is_man).collect();
    let sole = men.iter().any(|arg| matches!(arg, Arg::Np(np, _) if np.sole));
    if !truth.holds() || clause.mode != Mode::Can || clause.negated || men.len() < 2 && !sole {
        return truth;
    }
    let all = clause.ask_deed(|view| {
        let Deeds::Open(moves) = deeds(clause, view, side) else {
            return Truth::unknown("No move of that side is spoken of.");
        };
        let takes = |one: &Arg, pos: &Chess, m: Move| {
            let one = std::slice::from_ref(one);
            let (actor, by) = if with { (actor, one) } else { (one, by) };
            does(view, pos, m, actor, by).holds()
        };
        let able = |one: &&&Arg| moves.iter().any(|(pos, m)| takes(one, pos, *m));
        if !men.iter().all(|one| able(&one)) {
            return Truth::no("Not all of these can take.");
        }
        let nobody: &[Arg] = if with { actor } else { &[] };
        let other = moves.iter().find(|(pos, m)| {
            let any = does(view, pos, *m, nobody, &[]).holds();
            any && !men.iter().any(|one| takes(one, pos, *m))
        });
        match other.filter(|_| sole) {
            Some((pos, m)) => Truth::no(format!("{} is possible, too.", San::from_move(pos, *m))),
            None => Truth::yes("All of these can take."),
        }
    });
    if all.fails() { all } else { truth }
}
