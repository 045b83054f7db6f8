//! Where captures have settled: what a position is worth in material once both sides have taken what it pays to take.
//!
//! A search over captures and promotions alone in which either side may stop when it likes, and over every answer to a
//! check; values are [`super::material::value`]. A line that is cut off in the middle of an exchange is led to its end by
//! it, so that nobody is said to have won what is taken back a move later.

use shakmaty::{Chess, Color, Move, Position, Role};

use super::{
    exchange,
    material::{balance, value},
};

/// Positions after which only what is on the board counts. It bounds hostile positions; those from play need dozens.
const BUDGET: u32 = 4_000;
/// Checks in a row that are answered.
const CHECKS: u32 = 3;
/// A king lost is worth more than everything else together.
const MATED: i32 = 500;

/// A position led to where captures have settled.
#[derive(Debug, Clone)]
pub struct Quiet {
    /// The captures, promotions and answers to checks that lead there; empty where nothing is worth taking.
    pub moves: Vec<Move>,
    /// The position they lead to.
    pub position: Chess,
}

impl Quiet {
    /// Leads `position` to its quiet end.
    #[must_use]
    pub fn of(position: &Chess) -> Self {
        let mut search = Search { left: BUDGET };
        let (_, mut moves) = search.best(position, -MATED * 2, MATED * 2, CHECKS);
        moves.reverse();
        let mut end = position.clone();
        for m in &moves {
            end.play_unchecked(*m); // legal: the search found it by playing it
        }
        Self { moves, position: end }
    }

    /// `side`'s material less the other side's there, in pawns.
    #[must_use]
    pub fn balance(&self, side: Color) -> i32 {
        balance(self.position.board(), side)
    }
}

struct Search {
    left: u32,
}

impl Search {
    /// The balance that the side to move can reach, and the moves to it, last first.
    fn best(&mut self, position: &Chess, mut alpha: i32, beta: i32, checks: u32) -> (i32, Vec<Move>) {
        self.left = self.left.saturating_sub(1);
        let stands = balance(position.board(), position.turn());
        let checked = position.is_check();
        let legal = position.legal_moves();
        if legal.is_empty() {
            return (if checked { -MATED } else { 0 }, Vec::new());
        }
        if self.left == 0 || (checked && checks == 0) {
            return (stands, Vec::new());
        }
        let (mut best, mut line) = if checked {
            (-MATED * 2, Vec::new())
        } else {
            (stands, Vec::new())
        };
        if best >= beta {
            return (best, line);
        }
        alpha = alpha.max(best);
        let mut moves: Vec<(i32, Move)> = legal
            .into_iter()
            .filter(|m| checked || m.is_capture() || m.promotion() == Some(Role::Queen))
            .map(|m| (exchange::gain(position.board(), m), m))
            // What loses by exchange on its own square is no way to settle anything.
            .filter(|(gain, _)| checked || *gain >= 0)
            .collect();
        // The dearest first, of equals the cheapest taker.
        moves.sort_by_key(|(gain, m)| (-gain, -m.capture().map_or(0, value), value(m.role())));
        for (_, m) in moves {
            let mut next = position.clone();
            next.play_unchecked(m);
            let left = if checked { checks - 1 } else { checks };
            let (score, mut tail) = self.best(&next, -beta, -alpha, left);
            if -score > best {
                best = -score;
                tail.push(m);
                line = tail;
                alpha = alpha.max(best);
            }
            if alpha >= beta || self.left == 0 {
                break;
            }
        }
        (best, line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, fen::Fen};

    fn quiet(fen: &str) -> (Vec<String>, i32) {
        let position: Chess = fen
            .parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap();
        let quiet = Quiet::of(&position);
        let moves = quiet.moves.iter().map(|m| m.to_uci(CastlingMode::Standard).to_string());
        (moves.collect(), quiet.balance(Color::White))
    }

    #[test]
    fn what_pays_is_taken_and_nothing_else() {
        for (fen, moves, white) in [
            // Nothing to take.
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", &[][..], 5),
            // A pawn that a pawn protects stays.
            ("4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1", &[], 3),
            // A hanging knight goes.
            ("4k3/8/3n4/8/8/8/3R4/4K3 w - - 0 1", &["d2d6"], 5),
            // Black takes back the bishop that was taken a ply before.
            ("4k3/3p4/2B5/8/8/8/8/4K3 b - - 0 1", &["d7c6"], -1),
            // The pawn promotes.
            ("8/P6k/8/8/8/8/8/4K3 w - - 0 1", &["a7a8q"], 9),
        ] {
            let (found, balance) = quiet(fen);
            assert_eq!(
                (found, balance),
                (moves.iter().map(ToString::to_string).collect(), white),
                "{fen}"
            );
        }
    }

    #[test]
    fn crowded_boards_end_soon() {
        let (_, balance) = quiet("qq1qk1qq/qq4qq/8/8/8/8/QQ4QQ/QQ1QK1QQ w - - 0 1");
        assert!(balance.abs() < MATED);
    }
}
