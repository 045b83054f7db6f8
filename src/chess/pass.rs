//! The pass: a move left out on purpose, which PGN files write as a null move (`--`) to show what it would have to stop.

use shakmaty::{Chess, Color, EnPassantMode, FromSetup, Position, PositionError};

/// How a pass is written in SAN, as python-chess and ChessBase do.
pub const SAN_OF_PASS: &str = "--";
/// How a pass is written in UCI.
pub const UCI_OF_PASS: &str = "0000";

/// The position after the side to move has passed; `None` in check, where the king could be taken, and where the game is
/// over.
#[must_use]
pub fn passed(position: &Chess) -> Option<Chess> {
    if position.is_check() || position.legal_moves().is_empty() {
        return None;
    }
    let mode = position.castles().mode();
    let mut setup = position.to_setup(EnPassantMode::Always);
    setup.halfmoves = setup.halfmoves.saturating_add(1);
    if setup.turn == Color::Black {
        setup.fullmoves = setup.fullmoves.saturating_add(1);
    }
    setup.swap_turn();
    // A position is kept although no game leads there (see `fen`): so is what comes of it.
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .ok()
}
