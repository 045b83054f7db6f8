//! The tactics of a position, drawn over the board: pins, forks, and men that can be won.

use shakmaty::{Chess, Color, Position};

use super::board::{Arrow, Brush};
use crate::chess::{
    Man,
    motifs::{fork::fork, line::pins, threat::hanging},
};

/// The arrows of pins (to what stands behind) and forks, and a ring round every man that captures on its square would win.
#[must_use]
pub fn overlay(position: &Chess) -> Vec<Arrow> {
    let board = position.board();
    let arrow = |from: Man, to: Man, brush| Arrow {
        from: from.square,
        to: to.square,
        brush,
    };
    let mut drawn: Vec<Arrow> = pins(board)
        .into_iter()
        .map(|pin| arrow(pin.by, pin.behind, Brush::Pin))
        .collect();
    for by in Man::all(board, board.occupied()) {
        if let Some(fork) = fork(board, by, None) {
            drawn.extend(fork.targets.into_iter().map(|target| arrow(by, target, Brush::Fork)));
        }
    }
    for victim in Color::ALL {
        let rings = hanging(position, victim)
            .into_iter()
            .map(|hanging| arrow(hanging.target, hanging.target, Brush::Hanging));
        drawn.extend(rings);
    }
    drawn
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn drawn(fen: &str) -> Vec<(String, Brush)> {
        let position: Chess = fen
            .parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap();
        overlay(&position)
            .into_iter()
            .map(|arrow| (format!("{}{}", arrow.from, arrow.to), arrow.brush))
            .collect()
    }

    #[test]
    fn pins_forks_and_hanging_men_are_drawn() {
        // The bishop on b5 pins the knight on c6 to the king.
        let pinned = drawn("r1bqkbnr/ppp2ppp/2np4/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4");
        assert!(pinned.contains(&("b5e8".to_owned(), Brush::Pin)), "{pinned:?}");
        // The knight on c7 forks king and rook, and the rook can be won.
        let forked = drawn("r3k3/2N5/8/8/8/8/8/4K3 b q - 0 1");
        assert!(forked.contains(&("c7e8".to_owned(), Brush::Fork)), "{forked:?}");
        assert!(forked.contains(&("c7a8".to_owned(), Brush::Fork)), "{forked:?}");
        assert!(forked.contains(&("a8a8".to_owned(), Brush::Hanging)), "{forked:?}");
        assert_eq!(drawn("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), []);
    }
}
