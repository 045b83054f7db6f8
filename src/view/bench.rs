//! What the benchmark measured, as rows.

use crate::long_run::count::several;

/// The positions that are commented on: an opening, tactics, quiet moves, endgames. FEN and move, of our own choosing.
pub const POSITIONS: [(&str, &str); 10] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4"),
    (
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        "f8c5",
    ),
    (
        "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQK2R b KQkq - 0 5",
        "d7d6",
    ),
    (
        "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NP1N2/PPP1QPPP/R1B2RK1 w - - 4 8",
        "c1g5",
    ),
    (
        "r1bqkb1r/pp3ppp/2nppn2/8/3NP3/2N5/PPP1BPPP/R1BQK2R w KQkq - 0 7",
        "e1g1",
    ),
    ("2rq1rk1/pp1bppbp/3p1np1/8/3BP3/1BN2P2/PPPQ2PP/2KR3R w - - 5 14", "h2h4"),
    (
        "r4rk1/1bq2ppp/p2bpn2/1p6/3N4/P1N1B3/1PP1BPPP/R2Q1RK1 b - - 3 14",
        "d6h2",
    ),
    ("3r2k1/p4ppp/1p2p3/8/3P4/1P3N2/P4PPP/6K1 w - - 0 25", "g1f1"),
    ("8/5pk1/6p1/P7/8/6P1/5PK1/8 w - - 0 40", "a5a6"),
    ("8/8/4kp2/R5p1/6P1/4KP2/r7/8 b - - 8 50", "a2a5"),
];

/// The first so many of the positions that ship with the app are labelled, evaluated and fitted on.
pub const FIT_POSITIONS: usize = 500;

/// Measurements of a network with either way to compute its convolutions.
pub const COMPARED_RUNS: usize = 31;

/// How often the network's worker is started, beside the once that is not counted.
pub const STARTS: usize = 11;

/// How often a comment is checked.
pub const CHECKED_RUNS: usize = 31;

/// A comment of 60 words on the first of the positions, to be checked: men, squares, lines, a judgement, things that are wrong.
pub const CHECKED_COMMENT: &str = "The pawn goes to e4, attacks d5 and f5 opens lines for the queen and the bishop on f1. Black can answer      with 1...e5, and after 2.Nf3 Nc6 the pawn on e5 is protected by the knight. White's king on e1 has not castled, nobody is in check,      and the position is about equal. The knight on g1 is pinned.";

/// Nodes of each search when boards are annotated.
pub const ANNOTATED_NODES: u64 = 1_000;

/// A game that is annotated: Morphy against the Duke of Brunswick and Count Isouard, Paris 1858.
pub const ANNOTATED_GAME: &str = "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 \
    10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0";

/// Nodes that are asked for of each of its positions.
pub const GAME_NODES: u64 = 20_000;

/// By how many workers it is annotated, where a game would be by `usual`.
#[must_use]
pub fn game_workers(usual: usize) -> Vec<usize> {
    let mut counts = vec![1, 2, usual.max(1)];
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// What the row is called.
#[must_use]
pub fn game_row(workers: usize) -> String {
    format!("annotation of a game, {}", several(workers, "worker"))
}

/// Smallest, middle and largest of some measurements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The smallest of the runs, in the row's unit.
    pub low: f64,
    /// The median.
    pub median: f64,
    /// The largest of the runs, in the row's unit.
    pub high: f64,
}

impl Spread {
    /// Of these measurements; `None` without any.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (low, high) = (*sorted.first()?, *sorted.last()?);
        let middle = sorted.len() / 2;
        let median = if sorted.len() % 2 == 1 {
            sorted[middle]
        } else {
            f64::midpoint(sorted[middle - 1], sorted[middle])
        };
        Some(Self { low, median, high })
    }
}

/// A row of the report.
#[derive(Debug, Clone, PartialEq)]
pub struct BenchRow {
    /// What was measured.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// How it came out; `None` where it could not be measured.
    pub spread: Option<Spread>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{fen::read_fen, notation::read_move};

    #[test]
    fn a_game_is_annotated_by_one_by_two_and_by_as_many_as_usual() {
        assert_eq!(
            [0, 1, 2, 4].map(game_workers),
            [vec![1, 2], vec![1, 2], vec![1, 2], vec![1, 2, 4]]
        );
        assert_eq!(
            [1, 2].map(game_row),
            ["annotation of a game, 1 worker", "annotation of a game, 2 workers"]
        );
        let read = crate::chess::pgn::read_pgn(ANNOTATED_GAME).unwrap();
        assert!(read.problems.is_empty() && read.games[0].main_line().len() == 33);
    }

    #[test]
    fn the_checked_comment_is_as_long_as_it_says() {
        assert_eq!(CHECKED_COMMENT.split_whitespace().count(), 60);
    }

    #[test]
    fn spread_of_odd_and_even_counts() {
        assert_eq!(
            Spread::of(&[3.0, 1.0, 2.0]),
            Some(Spread {
                low: 1.0,
                median: 2.0,
                high: 3.0
            })
        );
        assert_eq!(
            Spread::of(&[4.0, 1.0]),
            Some(Spread {
                low: 1.0,
                median: 2.5,
                high: 4.0
            })
        );
        assert_eq!(Spread::of(&[]), None);
    }

    #[test]
    fn positions_and_moves_are_legal() {
        for (fen, mv) in POSITIONS {
            let read = read_fen(fen).unwrap();
            assert!(read.repairs.is_empty(), "{fen}");
            assert!(read_move(&read.position, read.mode, mv).is_ok(), "{fen} {mv}");
        }
    }
}
