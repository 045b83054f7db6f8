//! Which facts are worth telling, and which of them say the same thing twice.

use shakmaty::{Color, File, Role, Square};

use super::{
    board_facts::Found,
    fact::{Change, Detail, Moment},
    phrases::is_near,
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
                ..
            } if hanging.target.color == mover => 220 + 10 * hanging.gain.unsigned_abs(),
            _ => 0,
        };
    }
    match detail {
        Detail::Checkmate { .. } => 1000,
        Detail::Stalemate { .. } => 900,
        Detail::Draw { .. } => 850,
        Detail::Mate { winner, moves, .. } if *winner == mover && is_near(*moves) => 800,
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
        Detail::Castling { .. } => 225,
        Detail::Check { .. } => 235,
        Detail::EnPassant { .. } => 230,
        Detail::Passed {
            pawn,
            change: Change::New,
        } if pawn.color == mover => 210,
        // Only of the pawn that moves.
        Detail::Passed {
            pawn,
            change: Change::Kept,
        } if pawn.color == mover => 155,
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
        Detail::Luft { .. } => 175,
        Detail::FileOpened { open: true, .. } => 165,
        Detail::FileOpened { open: false, .. } => 130,
        Detail::Activity {
            man,
            before,
            after,
            moved: false,
        } if man.color == mover && after > before => {
            if man.role == Role::Bishop {
                160
            } else {
                145
            }
        }
        Detail::Activity { man, moved: false, .. } if man.color != mover => 156,
        Detail::Activity { moved: true, .. } => 120,
        Detail::KingActivity { .. } => 152,
        Detail::Connected { .. } => 135,
        Detail::Space { .. } => 125,
        Detail::Development { .. } => 185,
        Detail::Shelter { king, lost, gained, .. } if king.color != mover && bares(lost, gained) => 170,
        Detail::Battery { front, target, .. } if front.color == mover && target.role != Role::Pawn => 95,
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

/// True where a king loses cover that it hides behind: in the centre pawns come and go before it.
#[must_use]
pub fn bares(lost: &[Square], gained: &[Square]) -> bool {
    let wings = lost.iter().filter(|square| !matches!(square.file(), File::D | File::E));
    wings.count() > gained.len()
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

/// True when `next` adds nothing once `said` has been said.
#[must_use]
pub fn repeats(said: &Detail, next: &Detail) -> bool {
    use Detail::{
        Capture, Check, Checkmate, Development, EnPassant, File, Mate, MateThreat, Recapture, Retreat, Trade,
    };
    let takes = |d: &Detail| {
        matches!(
            d,
            Capture { .. } | Recapture { .. } | EnPassant { .. } | Trade { made: true, .. }
        )
    };
    if matches!(
        (said, next),
        (Mate { .. }, Detail::Sacrifice { .. }) | (Detail::Sacrifice { .. }, Mate { .. })
    ) {
        return false;
    }
    let ends = |d: &Detail| matches!(d, Checkmate { .. } | Mate { .. });
    if takes(said) && (takes(next) || matches!(next, Development { .. })) || ends(said) {
        return true;
    }
    // The man whose capture would be mate need not be named again.
    if let (MateThreat { san, .. }, Detail::Threat(threat)) = (said, next)
        && san.contains(&format!("x{}", threat.target.square))
    {
        return true;
    }
    if matches!(said, MateThreat { .. }) && matches!(next, Check { .. })
        || matches!(said, Development { .. }) && matches!(next, Retreat { .. })
        || matches!(said, File { .. }) && matches!(next, File { .. })
    {
        return true;
    }
    // Where a piece stands well it has room.
    if matches!(next, Detail::Activity { moved: true, .. })
        && matches!(
            said,
            Development { .. } | File { .. } | Retreat { .. } | Detail::Outpost { .. }
        )
        || matches!(said, Detail::FileOpened { .. })
            && matches!(next, Detail::Activity { man, .. } if man.role == Role::Rook)
    {
        return true;
    }
    let old = struck(said);
    let new = struck(next);
    !new.is_empty() && new.iter().any(|square| old.contains(square))
}

/// The `most` most telling of `found`, in the order they are best said, none repeating another; none lighter than `least`.
/// Next to something heavy only heavy things are mentioned.
#[must_use]
pub fn select(found: &[Found], mover: Color, most: usize, least: u32) -> Vec<Detail> {
    let in_danger: Vec<Square> = found
        .iter()
        .filter_map(|f| match &f.detail {
            Detail::Hanging {
                hanging,
                at_once: true,
                change,
                ..
            } if *change != Change::Gone => Some(hanging.target.square),
            _ => None,
        })
        .collect();
    let captures = found.iter().any(|f| matches!(f.detail, Detail::Capture { .. }));
    let recaptures = found.iter().any(|f| matches!(f.detail, Detail::Recapture { .. }));
    let moved_to = found.iter().find_map(|f| match &f.detail {
        Detail::Move { to, .. } => Some(*to),
        _ => None,
    });
    let tellable = |detail: &Detail| match detail {
        // A rook that stayed where it is has its file opened, if anything.
        Detail::File { man, .. } => moved_to == Some(man.square),
        Detail::Passed {
            pawn,
            change: Change::Kept,
        } => moved_to == Some(pawn.square) && !captures,
        Detail::Threat(threat) => !in_danger.contains(&threat.by.square),
        Detail::Pin { pin, .. } => !in_danger.contains(&pin.by.square),
        Detail::Attack { attack, .. } => !in_danger.contains(&attack.by.square),
        Detail::Capture { .. } => !recaptures,
        // A capture has a better reason than saving something.
        Detail::Hanging { .. } => !captures,
        _ => true,
    };
    let mut ranked: Vec<(u32, &Found)> = found
        .iter()
        .filter(|f| tellable(&f.detail))
        .map(|f| (weight(&f.detail, f.moment, mover), f))
        .filter(|&(weight, _)| weight >= least.max(1))
        .collect();
    ranked.sort_by_key(|&(weight, _)| std::cmp::Reverse(weight));
    let floor = match ranked.first() {
        Some(&(first, _)) if first >= 425 => 290,
        Some(&(first, _)) if first >= 280 => 185,
        _ => 0,
    };
    let mut chosen: Vec<Detail> = Vec::new();
    for (_, found) in ranked.into_iter().filter(|&(weight, _)| weight >= floor) {
        if chosen.len() == most {
            break;
        }
        if !chosen.iter().any(|said| repeats(said, &found.detail)) {
            chosen.push(found.detail.clone());
        }
    }
    chosen.sort_by_key(order);
    chosen
}

/// The most telling of what `mover` does with a move elsewhere: in a variation, or in place of the move played.
#[must_use]
pub fn heaviest(acts: &[Detail], mover: Color) -> Option<&Detail> {
    acts.iter().max_by_key(|act| {
        let moment = match act {
            Detail::Hanging { .. } => Moment::Before,
            _ => Moment::Move,
        };
        weight(act, moment, mover)
    })
}

/// What the move is comes before what it does, and that before what it threatens.
fn order(detail: &Detail) -> u8 {
    match detail {
        Detail::Move { .. }
        | Detail::Castling { .. }
        | Detail::Development { .. }
        | Detail::Retreat { .. }
        | Detail::Capture { .. }
        | Detail::Recapture { .. }
        | Detail::EnPassant { .. }
        | Detail::File { .. }
        | Detail::Outpost { .. } => 0,
        Detail::Promotion { .. } => 1,
        Detail::Sacrifice { .. } => 2,
        Detail::Check { .. } => 3,
        Detail::Threat(_) => 5,
        Detail::MateThreat { .. } | Detail::Mate { .. } => 6,
        _ => 4,
    }
}
