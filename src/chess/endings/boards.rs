//! Boards for tests of this module.

use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position, Setup, fen::Fen};

/// The position of a FEN.
pub fn position(fen: &str) -> Chess {
    fen.parse::<Fen>()
        .unwrap()
        .into_position(CastlingMode::Standard)
        .unwrap()
}

/// The position with its files turned round, with its sides exchanged, and with both.
pub fn mirrored(position: &Chess) -> [Chess; 3] {
    let setup = position.to_setup(EnPassantMode::Legal);
    let files = |setup: &Setup| {
        let mut setup = setup.clone();
        setup.board.flip_horizontal();
        setup.ep_square = setup.ep_square.map(shakmaty::Square::flip_horizontal);
        setup
    };
    let mut sides = setup.clone();
    sides.mirror();
    [files(&setup), files(&sides), sides].map(|setup| Chess::from_setup(setup, CastlingMode::Standard).unwrap())
}

/// The position with the other side to move.
pub fn turned(position: &Chess) -> Option<Chess> {
    position.clone().swap_turn().ok()
}
