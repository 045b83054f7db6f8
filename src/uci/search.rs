//! From the lines of one search to its result.

use serde::{Deserialize, Serialize};
use shakmaty::uci::UciMove;

use super::{Info, UciLine, uci_text};

/// What a search found. **Scores are the view of the side to move in the searched position.**
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchResult {
    /// The lines, best first, each with a move at least. Empty only where the engine gave none before it was stopped.
    pub lines: Vec<Info>,
    /// What the engine would play; the first of its lines where it says none. `None` while it still thinks, or without lines.
    #[serde(with = "uci_text::optional")]
    pub best: Option<UciMove>,
    /// Nodes searched.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// Time of the search so far, in milliseconds, as the engine gives it.
    pub time: u64,
}

impl SearchResult {
    /// Plies that the lines were searched to; 0 without lines.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.lines.first().map_or(0, |line| line.depth)
    }
}

/// Gathers the lines of one search.
///
/// An engine with MultiPV prints its lines as a set, best first, again and again. Only whole sets are used: lines
/// 1..k in sequence, all of one depth, no bounds, no scores that cannot be ([`Score::is_of_play`](super::Score::is_of_play)), no
/// move first in two of them. A later set replaces an earlier one
/// unless it is less deep. When Stockfish is stopped in mid-iteration its last set mixes two depths, and its second
/// line may well score better than its first; it is passed over. So with MultiPV the best line may start with another
/// move than [`SearchResult::best`], which the engine found in the unfinished iteration.
#[derive(Debug, Clone)]
pub struct Search {
    expected: usize,
    gathering: Vec<Info>,
    result: SearchResult,
    complete: bool,
    done: bool,
}

impl Search {
    /// A search that will give `expected` lines: the smaller of MultiPV and the number of legal moves.
    #[must_use]
    pub fn new(expected: usize) -> Self {
        Self {
            expected: expected.max(1),
            gathering: Vec::new(),
            result: SearchResult {
                lines: Vec::new(),
                best: None,
                nodes: 0,
                nps: 0,
                time: 0,
            },
            complete: false,
            done: false,
        }
    }

    /// Takes a line. True when the result changed: a new whole set, or the end of the search.
    pub fn on_line(&mut self, line: &UciLine) -> bool {
        match line {
            _ if self.done => false,
            UciLine::Info(info) => self.on_info(info),
            UciLine::BestMove(best) => {
                self.done = true;
                self.result.best = *best;
                if !self.complete {
                    // Stopped before the first whole set: what there is of it is better than nothing.
                    self.result.lines = std::mem::take(&mut self.gathering);
                }
                // `bestmove (none)`, though there is something to play.
                let first = || self.result.lines.first()?.pv.first().copied();
                self.result.best = self.result.best.or_else(first);
                true
            }
            _ => false,
        }
    }

    fn on_info(&mut self, info: &Info) -> bool {
        if info.nodes >= self.result.nodes {
            (self.result.nodes, self.result.nps, self.result.time) = (info.nodes, info.nps, info.time);
        }
        // What is searched has a move to play, so that no line of it is `mate 0`.
        if info.bound || info.pv.is_empty() || !info.score.is_of_play() {
            return false;
        }
        if info.multipv == 1 {
            self.gathering.clear();
        }
        let next = self.gathering.len() + 1;
        let repeated = self.gathering.iter().any(|line| line.pv.first() == info.pv.first());
        let other_depth = self.gathering.first().is_some_and(|line| line.depth != info.depth);
        if info.multipv as usize != next || repeated || other_depth || next > self.expected {
            return false;
        }
        self.gathering.push(info.clone());
        if next < self.expected {
            return false;
        }
        if self.complete && info.depth < self.result.depth() {
            return false;
        }
        self.complete = true;
        self.result.lines = self.gathering.clone();
        true
    }

    /// True after `bestmove`.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// What has been found so far.
    #[must_use]
    pub fn result(&self) -> &SearchResult {
        &self.result
    }

    /// What was found.
    #[must_use]
    pub fn into_result(self) -> SearchResult {
        self.result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::Score;

    fn run(expected: usize, text: &str) -> Search {
        let mut search = Search::new(expected);
        for line in text.lines() {
            search.on_line(&UciLine::parse(line));
        }
        search
    }

    fn first_moves(result: &SearchResult) -> Vec<String> {
        result.lines.iter().map(|line| line.pv[0].to_string()).collect()
    }

    #[test]
    fn keeps_the_deepest_whole_set() {
        let search = run(
            2,
            "info depth 4 multipv 1 score cp 10 nodes 5 pv e2e4\n\
             info depth 4 multipv 2 score cp 8 nodes 5 pv d2d4\n\
             info depth 5 multipv 1 score cp 30 lowerbound nodes 7 pv c2c4\n\
             info depth 5 multipv 1 score cp 20 nodes 9 nps 3 time 2 pv g1f3\n",
        );
        assert!(!search.is_done());
        assert_eq!(first_moves(search.result()), ["e2e4", "d2d4"]);
        assert_eq!(search.result().depth(), 4);
        assert_eq!(search.result().nodes, 9);
    }

    #[test]
    fn mixed_and_shallower_sets_do_not_count() {
        let text = "info depth 4 multipv 1 score cp 10 pv e2e4\n\
                    info depth 4 multipv 2 score cp 8 pv d2d4\n\
                    info depth 5 multipv 1 score cp 5 pv g1f3\n\
                    info depth 4 multipv 2 score cp 10 pv e2e4\n\
                    info depth 3 multipv 1 score cp 1 pv a2a3\n\
                    info depth 3 multipv 2 score cp 1 pv a2a4\n\
                    bestmove g1f3";
        let search = run(2, text);
        assert!(search.is_done());
        assert_eq!(first_moves(search.result()), ["e2e4", "d2d4"]);
        assert_eq!(search.result().best.map(|m| m.to_string()), Some("g1f3".into()));
    }

    #[test]
    fn a_bound_or_a_repeat_in_the_middle_spoils_the_set() {
        for middle in ["score cp 9 upperbound pv d2d4", "score cp 9 pv e2e4"] {
            let text = format!(
                "info depth 1 multipv 1 score cp 10 pv e2e4\ninfo depth 1 multipv 2 {middle}\n\
                 info depth 1 multipv 3 score cp 8 pv c2c4\n"
            );
            assert!(run(3, &text).result().lines.is_empty(), "{middle}");
        }
    }

    #[test]
    fn half_a_set_is_better_than_none_at_the_end() {
        let search = run(
            3,
            "info depth 1 multipv 1 score mate 1 pv e2e4\nbestmove e2e4\ninfo depth 9 score cp 1 pv a2a3",
        );
        assert_eq!(search.result().lines.len(), 1);
        assert_eq!(search.result().lines[0].score, Score::Mate(1));
    }

    #[test]
    fn scores_that_cannot_be_are_not_believed() {
        for score in [
            "mate 0",
            "mate -0",
            "mate 20000",
            "cp 2147483647",
            "cp -2147483648",
            "cp 999999",
        ] {
            let alone = run(1, &format!("info depth 1 score {score} nodes 7 pv e2e4\nbestmove e2e4"));
            assert!(alone.result().lines.is_empty(), "{score}");
            assert_eq!((alone.result().best.is_some(), alone.result().nodes), (true, 7));
            // A second line, and a deeper first one.
            let second = run(
                2,
                &format!(
                    "info depth 1 score cp 3 pv e2e4\ninfo depth 1 multipv 2 score {score} pv d2d4\nbestmove e2e4"
                ),
            );
            assert_eq!(first_moves(second.result()), ["e2e4"], "{score}");
            let later = run(
                1,
                &format!("info depth 1 score cp 3 pv e2e4\ninfo depth 2 score {score} pv d2d4"),
            );
            assert_eq!(first_moves(later.result()), ["e2e4"], "{score}");
        }
        for score in ["mate 1", "mate -1", "mate 549", "cp 32000", "cp -100000"] {
            let search = run(1, &format!("info depth 1 score {score} pv e2e4\nbestmove e2e4"));
            assert_eq!(search.result().lines.len(), 1, "{score}");
        }
    }

    #[test]
    fn no_best_move_of_a_position_with_moves_is_the_first_line_s() {
        for none in ["(none)", "0000", "e9e4"] {
            let search = run(1, &format!("info depth 1 score cp 3 pv e2e4\nbestmove {none}"));
            assert_eq!(
                search.result().best.map(|mv| mv.to_string()).as_deref(),
                Some("e2e4"),
                "{none}"
            );
            assert_eq!(run(1, &format!("bestmove {none}")).result().best, None);
        }
    }

    #[test]
    fn a_recorded_engine_is_understood() {
        let log = include_str!("../../tests/data/uci-stockfish-15.1.txt");
        let expected = include_str!("../../tests/data/uci-stockfish-15.1-expected.tsv");
        let rows: Vec<Vec<&str>> = expected.lines().skip(2).map(|row| row.split('\t').collect()).collect();
        let lines: Vec<UciLine> = log.lines().map(UciLine::parse).collect();
        assert!(lines.contains(&UciLine::Name("Stockfish 15.1".into())));
        assert!(lines.contains(&UciLine::UciOk));
        let searches: Vec<&[UciLine]> = lines
            .split_inclusive(|line| matches!(line, UciLine::BestMove(_)))
            .collect();
        assert_eq!(searches.len(), 5);
        for (i, lines) in searches.into_iter().enumerate() {
            let rows: Vec<&Vec<&str>> = rows.iter().filter(|row| row[0] == i.to_string()).collect();
            let mut search = Search::new(rows.len());
            for line in lines {
                search.on_line(line);
            }
            assert!(search.is_done());
            let result = search.into_result();
            assert_eq!(result.best.as_ref().unwrap().to_string(), rows[0][8]);
            assert!(result.lines.is_sorted_by(|a, b| a.score >= b.score), "search {i}");
            assert_eq!(result.lines.len(), rows.len());
            for (line, row) in result.lines.iter().zip(rows) {
                let score = match line.score {
                    Score::Cp(cp) => format!("cp {cp}"),
                    Score::Mate(moves) => format!("mate {moves}"),
                };
                let pv: Vec<String> = line.pv.iter().map(ToString::to_string).collect();
                let got = [
                    line.multipv.to_string(),
                    line.depth.to_string(),
                    score,
                    line.nodes.to_string(),
                    pv.join(" "),
                ];
                assert_eq!(got, row[3..8], "search {i}");
                assert_eq!(line.wdl.unwrap().iter().sum::<u16>(), 1000);
            }
        }
    }
}
