//! Discovered attacks: a man steps aside and the slider behind it strikes.

use shakmaty::{Board, Move, Role, attacks};

use crate::chess::{exchange, man::Man};

/// A slider's attack uncovered by another man's move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Discovered {
    /// The slider that stayed where it was.
    pub by: Man,
    /// The king (a discovered check) or a piece whose capture would win material, the slider itself not being lost.
    pub target: Man,
}

/// The attacks that `m` uncovered. Pawns as targets are left out.
#[must_use]
pub fn discovered(before: &Board, after: &Board, m: Move) -> Vec<Discovered> {
    if m.is_castle() {
        return Vec::new();
    }
    let Some(from) = m.from() else { return Vec::new() };
    let Some(color) = before.color_at(from) else {
        return Vec::new();
    };
    let vacated = before.occupied() & !after.occupied();
    let mut found = Vec::new();
    for by in Man::all(
        after,
        after.sliders() & after.by_color(color) & before.by_color(color).without(from),
    ) {
        let fresh = after.attacks_from(by.square) & !before.attacks_from(by.square) & after.by_color(color.other());
        for target in Man::all(after, fresh) {
            let opened = (attacks::between(by.square, target.square) & vacated).any();
            let worth = target.role == Role::King
                || (target.role != Role::Pawn
                    && exchange::gain_by(after, by, target.square).is_some_and(|gain| gain > 0)
                    && exchange::best_capture(after, color.other(), by.square, None).is_none_or(|e| e.gain <= 0));
            if opened && worth {
                found.push(Discovered { by, target });
            }
        }
    }
    found
}
