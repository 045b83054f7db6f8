//! Pins and skewers: two men on one line with a slider.

use shakmaty::{Board, Color, Role};

use crate::chess::{attacks, exchange, man::Man};

/// A man that shields another from an enemy slider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pin {
    /// The slider.
    pub by: Man,
    /// The man that is pinned.
    pub pinned: Man,
    /// The king, or the dearer man, behind it.
    pub behind: Man,
}

impl Pin {
    /// True for a pin to the king, which the rules enforce.
    #[must_use]
    pub fn absolute(&self) -> bool {
        self.behind.role == Role::King
    }
}

/// A slider attacks a man that must move and so uncovers another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Skewer {
    /// The slider.
    pub by: Man,
    /// The king or the dearer man in front.
    pub front: Man,
    /// The man behind, which is then lost.
    pub behind: Man,
}

/// All pins of either side's men. To the king: every one, pawns included. To a dearer man: where the pinned man is a
/// piece that can't take the pinner, where taking what is behind would win material, and where the pinner isn't lost
/// itself.
#[must_use]
pub fn pins(board: &Board) -> Vec<Pin> {
    let mut found = Vec::new();
    for (by, front, behind) in aligned(board) {
        let pin = Pin {
            by,
            pinned: front,
            behind,
        };
        if front.role == Role::King {
            continue;
        }
        if pin.absolute() || (behind.value() > front.value() && relative(board, pin)) {
            found.push(pin);
        }
    }
    found
}

fn relative(board: &Board, pin: Pin) -> bool {
    let Pin { by, pinned, behind } = pin;
    if pinned.role == Role::Pawn || board.attacks_from(pinned.square).contains(by.square) {
        return false;
    }
    let safe = exchange::best_capture(board, pinned.color, by.square, None).is_none_or(|e| e.gain <= 0);
    let mut without = board.clone();
    without.discard_piece_at(pinned.square);
    safe && exchange::gain_by(&without, by, behind.square).is_some_and(|gain| gain > 0)
}

/// Skewers by `color`, whose opponent is to move: the man in front is in check, or is dearer than the slider or
/// unprotected and no cheaper than the one behind; the one behind would be lost; nobody may take the slider.
#[must_use]
pub fn skewers(board: &Board, color: Color) -> Vec<Skewer> {
    let mut found = Vec::new();
    for (by, front, behind) in aligned(board) {
        if by.color != color || front.role == Role::Pawn || behind.role == Role::King {
            continue;
        }
        let check = front.role == Role::King;
        let forced = check
            || (front.value() >= behind.value()
                && behind.role != Role::Pawn
                && exchange::gain_by(board, by, front.square).is_some_and(|gain| gain > 0));
        if !forced || exchange::best_capture(board, color.other(), by.square, None).is_some_and(|e| e.gain >= 0) {
            continue;
        }
        let mut without = board.clone();
        without.discard_piece_at(front.square);
        // A king that steps off the line may still protect what stands behind it.
        let guarded = check && shakmaty::attacks::king_attacks(front.square).contains(behind.square);
        let gain = exchange::gain_by(&without, by, behind.square);
        if gain.is_some_and(|gain| gain > 0) && (!guarded || behind.value() > by.value()) {
            found.push(Skewer { by, front, behind });
        }
    }
    found
}

/// A slider, the first enemy man it meets and the next enemy man of the same side behind that one.
pub fn aligned(board: &Board) -> impl Iterator<Item = (Man, Man, Man)> {
    let sliders = board.sliders();
    Man::all(board, sliders).into_iter().flat_map(move |by| {
        let seen = attacks::slides(by.role, by.square, board.occupied()) & board.by_color(by.color.other());
        Man::all(board, seen).into_iter().filter_map(move |front| {
            let behind = attacks::behind(board, by, front.square)?;
            (behind.color == front.color).then_some((by, front, behind))
        })
    })
}
