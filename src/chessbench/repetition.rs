//! Whether a move lets somebody claim a draw by threefold repetition: a model that sees one board cannot know.

use std::collections::HashMap;

use shakmaty::{Chess, Move, Position};

/// How often a position must come for a claim.
const CLAIM: usize = 3;

/// The positions of a game so far. Counters do not count: who is to move, castling rights and legal en passant do.
#[derive(Debug, Clone)]
pub struct Repetitions {
    position: Chess,
    seen: HashMap<Chess, usize>,
}

impl Repetitions {
    /// A position that was reached through `history`.
    #[must_use]
    pub fn new(history: &[Chess], position: &Chess) -> Self {
        let mut seen = HashMap::new();
        for known in history.iter().chain([position]) {
            *seen.entry(known.clone()).or_default() += 1;
        }
        Self {
            position: position.clone(),
            seen,
        }
    }

    /// Whether after this legal move a draw can be claimed: the position is there the third time, or a reply of the opponent would
    /// make it so, who may claim with that reply (FIDE Laws of Chess, 9.2). The released code asks python-chess the same.
    #[must_use]
    pub fn claimed_after(&self, mv: Move) -> bool {
        let mut after = self.position.clone();
        after.play_unchecked(mv);
        let times = |position: &Chess| self.seen.get(position).copied().unwrap_or_default();
        if times(&after) + 1 >= CLAIM {
            return true;
        }
        // A reply does not lead to the position itself: the other side is to move there.
        after.legal_moves().into_iter().any(|reply| {
            let mut next = after.clone();
            next.play_unchecked(reply);
            times(&next) + 1 >= CLAIM
        })
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use shakmaty::{CastlingMode, uci::UciMove};

    use super::{super::action::legal_actions, *};
    use crate::chess::read_fen;

    #[derive(Deserialize)]
    struct Row {
        start: String,
        moves: String,
        claims: Vec<String>,
    }

    /// Written by python-chess: `tests/data/chessbench/expected.py`.
    const EXPECTED: &str = include_str!("../../tests/data/chessbench/repetition.jsonl");

    #[test]
    fn claims_are_python_chess_s() {
        let mut with = 0;
        for line in EXPECTED.lines() {
            let row: Row = serde_json::from_str(line).unwrap();
            let mut position = read_fen(&row.start).unwrap().position;
            let mut history = Vec::new();
            for uci in row.moves.split_whitespace() {
                let mv = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
                history.push(position.clone());
                position.play_unchecked(mv);
            }
            let repetitions = Repetitions::new(&history, &position);
            let claims: Vec<String> = legal_actions(&position, CastlingMode::Standard)
                .into_iter()
                .filter(|(_, mv)| repetitions.claimed_after(*mv))
                .map(|(action, _)| action.to_string())
                .collect();
            assert_eq!(claims, row.claims, "{}", row.moves);
            with += usize::from(!claims.is_empty());
        }
        assert!(with >= 5, "{with}");
    }
}
