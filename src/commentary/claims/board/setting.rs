//! The setting of a clause: which positions its words speak of, by the moves and the deeds that lead there.

use shakmaty::{Chess, Move, Position, Square};

use super::{
    clause::Clause,
    deeds::{takes, to_move},
    men,
    scene::{View, World},
};
use crate::chess::Man;
use crate::commentary::claims::grammar::{Act, Arg, Context, Frame, Head, Np, Prep, clause_words::wing_of};

/// The clause of a frame, with the positions that it may speak of.
pub fn clause<'a>(world: &'a World<'a>, frame: &'a Frame) -> Clause<'a> {
    let mut views = world.views(&frame.context, &frame.subject);
    let lined = !frame.context.runs.is_empty();
    let mut vague = frame.context.vague;
    if !lined && !frame.context.deeds.is_empty() {
        let deeds = after_deeds(world, &frame.context);
        if deeds.is_empty() {
            vague = true;
        } else {
            views = deeds;
        }
    }
    // "White takes the queen and is a rook ahead", said after Black's move: after the capture.
    let by = |captures: &Frame| captures.subject.iter().find_map(|a| a.side(world.mover()));
    let captures = &frame.context.captures;
    if !lined && captures.first().and_then(by).is_some_and(|side| side != world.mover()) {
        views.extend(after_deeds(
            world,
            &Context {
                deeds: captures.clone(),
                ..Context::default()
            },
        ));
    }
    // "The queen drops into g3 and forks": from there.
    if let Some(place) = frame.context.place {
        let role = frame.subject.iter().filter_map(Arg::np).find_map(|np| match np.head {
            Head::Role(role) => Some(role),
            _ => None,
        });
        views.extend(world.reached(&views, place, role));
    }
    Clause::at(world, frame, views, vague)
}

/// The positions after the deeds that a context supposes: "if Black takes the knight".
fn after_deeds(world: &World<'_>, context: &Context) -> Vec<View> {
    let mut views = vec![world.after()];
    for frame in &context.deeds {
        let plain = Frame {
            context: Context::default(),
            opener: None,
            ..frame.clone()
        };
        let clause = Clause::at(world, &plain, world.views(&plain.context, &plain.subject), false);
        let mut next = Vec::new();
        for view in &views {
            let side = clause.actor().unwrap_or(view.pos.turn());
            let Some(pos) = to_move(view, side) else { continue };
            for m in pos.legal_moves() {
                if next.len() >= 40 {
                    break;
                }
                if fits_deed(&clause, &pos, m) {
                    next.push(View::after(&pos, m));
                }
            }
        }
        if next.is_empty() {
            return Vec::new();
        }
        views = next;
    }
    views
}

fn fits_deed(clause: &Clause<'_>, pos: &Chess, m: Move) -> bool {
    let frame = clause.frame;
    match frame.verb.act {
        Act::Capture | Act::Recapture => {
            let on: Vec<Square> = frame
                .behind(&[Prep::On])
                .iter()
                .filter_map(Arg::np)
                .flat_map(|np| np.squares.clone())
                .collect();
            if frame.verb.passive {
                takes(
                    clause,
                    pos,
                    m,
                    &[],
                    &frame.behind(&[Prep::By]),
                    &frame.subject,
                    &on,
                    false,
                )
                .holds()
            } else {
                let with = frame.behind(&[Prep::With]);
                let with: Vec<Arg> = with
                    .into_iter()
                    .filter(|a| matches!(a, Arg::Np(np, _) if np.is_men()))
                    .collect();
                takes(clause, pos, m, &frame.subject, &with, &frame.objects(), &on, false).holds()
            }
        }
        Act::Castle => m.castling_side().is_some_and(|s| wing_of(frame).is_none_or(|w| w == s)),
        Act::Promote => m.promotion().is_some(),
        Act::Move | Act::Retreat | Act::Develop => {
            let goals: Vec<Square> = frame
                .behind(&[Prep::To, Prep::On])
                .iter()
                .filter_map(Arg::np)
                .flat_map(|np| np.squares.clone())
                .collect();
            let man = m.from().and_then(|f| Man::at(pos.board(), f));
            let named = frame
                .subject
                .iter()
                .chain(&frame.objects())
                .filter_map(Arg::np)
                .filter(|np| np.is_men())
                .all(|np| {
                    man.is_some_and(|man| {
                        men::fits(
                            &Np {
                                squares: Vec::new(),
                                ..np.clone()
                            },
                            man,
                            None,
                            clause.world.mover(),
                        )
                    })
                });
            named && (goals.is_empty() || goals.contains(&m.to()))
        }
        _ => false,
    }
}
