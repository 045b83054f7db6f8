//! What can be counted and listed: material, the stage of the game, every attack, every protector.

use shakmaty::{Position, Role};

use super::found::{Facts, Found};
use crate::{
    chess::{
        Man, Played,
        attacks::{self, Attack},
        destination,
        material::Surplus,
    },
    commentary::{
        Phase,
        fact::{Change, Detail, Moment},
    },
};

pub(super) fn surroundings(played: &Played) -> Vec<Found> {
    let mut facts = Facts::default();
    let (before, after) = (played.before.board(), played.after.board());
    let mover = played.mover();
    facts.add(
        Moment::After,
        Detail::Material {
            side: mover,
            surplus: Surplus::of(after, mover),
        },
    );
    facts.add(Moment::After, Detail::Phase(Phase::of(after)));
    let (old, new) = (attacks::all(before), attacks::all(after));
    let same = |a: &Attack, b: &Attack| a.by == b.by && a.target == b.target;
    for &attack in &new {
        let change = if old.iter().any(|o| same(o, &attack)) {
            Change::Kept
        } else {
            Change::New
        };
        facts.add(Moment::After, Detail::Attack { attack, change });
    }
    for &attack in &old {
        let change = if new.iter().any(|n| same(n, &attack)) {
            Change::Kept
        } else {
            Change::Gone
        };
        facts.add(Moment::Before, Detail::Attack { attack, change });
    }
    let moved = destination(played.mv);
    for target in Man::all(after, after.occupied()) {
        let attackers = attacks::attackers(after, target.square, target.color.other());
        if target.role == Role::King || (attackers.is_empty() && target.square != moved) {
            continue;
        }
        let defenders = attacks::attackers(after, target.square, target.color);
        let protected = |from| before.attacks_from(from).contains(target.square);
        let fresh = defenders.contains(moved)
            && target.color == mover
            && before.piece_at(target.square) == after.piece_at(target.square)
            && played.mv.from().is_some_and(|from| !protected(from));
        facts.add(
            Moment::After,
            Detail::Defence {
                target,
                attackers: Man::all(after, attackers),
                defenders: Man::all(after, defenders),
                fresh: if fresh { Man::at(after, moved) } else { None },
            },
        );
    }
    facts.into_vec()
}
