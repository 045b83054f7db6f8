//! Which facts are worth telling, and which of them say the same thing twice.

use shakmaty::{Color, Role, Square};

use super::{
    board_facts::Found,
    fact::{Change, Detail, Moment},
};
use crate::chess::Man;

/// How much a fact is worth telling of a move by `mover`: 0 for what only belongs on the sheet. Only the order counts.
#[must_use]
pub fn weight(detail: &Detail, moment: Moment, mover: Color) -> u32 {
    let worth = |man: &Man| {
        if man.role == Role::King {
            10
        } else {
            man.value().unsigned_abs()
        }
    };
    if moment == Moment::Before {
        return match detail {
            Detail::Hanging {
                hanging,
                change: Change::Gone,
                at_once: false,
            } if hanging.target.color == mover => 220 + 10 * hanging.gain.unsigned_abs(),
            _ => 0,
        };
    }
    match detail {
        Detail::Checkmate { .. } => 1000,
        Detail::Stalemate { .. } => 900,
        Detail::Draw { .. } => 850,
        Detail::Mate { winner, .. } if *winner == mover => 800,
        Detail::Sacrifice { .. } => 600,
        Detail::Fork(fork) => 500 + fork.targets.iter().map(worth).sum::<u32>(),
        Detail::Promotion { .. } => 505,
        Detail::Skewer(skewer) => 480 + worth(&skewer.behind),
        Detail::Discovered(found) => 460 + worth(&found.target),
        Detail::Trapped(hanging) => 450 + worth(&hanging.target),
        Detail::MateThreat { side, .. } if *side == mover => 430,
        Detail::Capture { gain, .. } if *gain > 0 => 400 + 10 * gain.unsigned_abs(),
        Detail::Recapture { .. } => 250,
        Detail::Capture { .. } => 240,
        Detail::Pin {
            pin,
            change: Change::New,
        } if pin.by.color == mover && pin.pinned.color != mover && pin.pinned.role != Role::Pawn => {
            if pin.absolute() {
                300 + worth(&pin.pinned)
            } else {
                285 + worth(&pin.pinned)
            }
        }
        Detail::Threat(hanging) => 280 + 10 * hanging.gain.unsigned_abs(),
        Detail::Castling { .. } => 260,
        Detail::Check { .. } => 235,
        Detail::EnPassant { .. } => 230,
        Detail::Passed {
            pawn,
            change: Change::New,
        } if pawn.color == mover => 210,
        Detail::Outpost { .. } => 200,
        Detail::Trade { made: false, .. } => 195,
        Detail::File {
            man,
            open,
            change: Change::New,
        } if man.color == mover && man.role == Role::Rook => {
            if *open {
                190
            } else {
                150
            }
        }
        Detail::Development { .. } => 185,
        Detail::Shelter { king, lost, .. } if king.color != mover && !lost.is_empty() => 170,
        Detail::Battery { front, .. } if front.color == mover => 130,
        Detail::Isolated {
            pawn,
            change: Change::New,
        } if pawn.color != mover => 140,
        Detail::Doubled {
            pawns,
            change: Change::New,
        } if pawns.iter().all(|p| p.color != mover) => 145,
        Detail::Attack {
            attack,
            change: Change::New,
        } if attack.by.color == mover && !attack.pinned && !matches!(attack.target.role, Role::King) => {
            if attack.target.role == Role::Pawn { 90 } else { 110 }
        }
        Detail::Defence {
            fresh: Some(_),
            attackers,
            target,
            ..
        } if !attackers.is_empty() => 100 + worth(target),
        Detail::Retreat { .. } => 50,
        Detail::Move { .. } => 10,
        _ => 0,
    }
}

/// The men an act strikes at; two acts on the same men say the same thing.
fn struck(detail: &Detail) -> Vec<Square> {
    match detail {
        Detail::Fork(fork) => fork.targets.iter().map(|t| t.square).collect(),
        Detail::Skewer(skewer) => vec![skewer.front.square, skewer.behind.square],
        Detail::Discovered(found) => vec![found.target.square],
        Detail::Trapped(hanging) | Detail::Threat(hanging) => vec![hanging.target.square],
        Detail::Check { king, .. } | Detail::Checkmate { king, .. } => vec![king.square],
        Detail::Pin { pin, .. } => vec![pin.pinned.square],
        Detail::Battery { target, .. } => vec![target.square],
        Detail::Attack { attack, .. } => vec![attack.target.square],
        _ => Vec::new(),
    }
}

/// True when, once `told` is told, `next` adds nothing.
#[must_use]
pub fn repeats(told: &Detail, next: &Detail) -> bool {
    use Detail::{
        Capture, Check, Checkmate, Development, EnPassant, File, Mate, MateThreat, Recapture, Retreat, Trade,
    };
    let takes = |d: &Detail| {
        matches!(
            d,
            Capture { .. } | Recapture { .. } | EnPassant { .. } | Trade { made: true, .. }
        )
    };
    let ends = |d: &Detail| matches!(d, Checkmate { .. } | Mate { .. });
    if takes(told) && takes(next) || ends(told) {
        return true;
    }
    if matches!(told, MateThreat { .. }) && matches!(next, Check { .. })
        || matches!(told, Development { .. }) && matches!(next, Retreat { .. })
        || matches!(told, File { .. }) && matches!(next, File { .. })
    {
        return true;
    }
    let old = struck(told);
    let new = struck(next);
    !new.is_empty() && new.iter().any(|square| old.contains(square))
}

/// The `most` most telling of `found`, most telling first, none repeating another; none lighter than `least`.
#[must_use]
pub fn select(found: &[Found], mover: Color, most: usize, least: u32) -> Vec<Detail> {
    let in_danger: Vec<Square> = found
        .iter()
        .filter_map(|f| match &f.detail {
            Detail::Hanging {
                hanging,
                at_once: true,
                change,
            } if *change != Change::Gone => Some(hanging.target.square),
            _ => None,
        })
        .collect();
    let mut ranked: Vec<(u32, &Found)> = found
        .iter()
        .filter(|f| !matches!(&f.detail, Detail::Threat(h) if in_danger.contains(&h.by.square)))
        .filter(|f| !matches!(&f.detail, Detail::Pin { pin, .. } if in_danger.contains(&pin.by.square)))
        .map(|f| (weight(&f.detail, f.moment, mover), f))
        .filter(|&(weight, _)| weight >= least.max(1))
        .collect();
    ranked.sort_by_key(|&(weight, _)| std::cmp::Reverse(weight));
    let mut chosen: Vec<Detail> = Vec::new();
    for (_, found) in ranked {
        if chosen.len() == most {
            break;
        }
        if !chosen.iter().any(|told| repeats(told, &found.detail)) {
            chosen.push(found.detail.clone());
        }
    }
    chosen
}
