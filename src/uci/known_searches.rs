//! Searches whose results are kept, so that no position is searched twice to the same limit.

use std::collections::{HashMap, VecDeque};

use super::{SearchRequest, SearchResult};

/// Results by what was searched: position with the moves that led to it, moves to choose among, limit and lines. The oldest go
/// when there are too many.
#[derive(Debug, Clone)]
pub struct KnownSearches {
    results: HashMap<String, SearchResult>,
    order: VecDeque<String>,
    most: usize,
}

impl KnownSearches {
    /// Keeps at most so many results, and at least one.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self {
            results: HashMap::new(),
            order: VecDeque::new(),
            most: most.max(1),
        }
    }

    /// What this search gave.
    #[must_use]
    pub fn get(&self, request: &SearchRequest) -> Option<&SearchResult> {
        self.results.get(&key(request))
    }

    /// Keeps what a search gave; a search that was stopped early is not one to keep.
    pub fn keep(&mut self, request: &SearchRequest, result: SearchResult) {
        let key = key(request);
        if self.results.insert(key.clone(), result).is_none() {
            self.order.push_back(key);
        }
        while self.order.len() > self.most {
            if let Some(oldest) = self.order.pop_front() {
                self.results.remove(&oldest);
            }
        }
    }
}

/// What an engine would be told.
fn key(request: &SearchRequest) -> String {
    format!("{} {} {}", request.position(), request.go(), request.lines())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::Limit;
    use shakmaty::{CastlingMode, Chess, Position, san::San};

    fn request(id: u64, nodes: u64) -> SearchRequest {
        SearchRequest::new(id, Chess::default(), CastlingMode::Standard, Limit::Nodes(nodes))
    }

    fn result(nodes: u64) -> SearchResult {
        SearchResult {
            lines: Vec::new(),
            best: None,
            nodes,
            nps: 0,
            time: 0,
        }
    }

    #[test]
    fn a_search_is_known_by_what_is_searched() {
        let mut known = KnownSearches::new(10);
        known.keep(&request(1, 100), result(100));
        assert_eq!(known.get(&request(2, 100)).map(|found| found.nodes), Some(100));
        assert_eq!(known.get(&request(1, 200)), None);
        assert_eq!(known.get(&request(1, 100).multipv(2)), None);
        let e4 = "e4"
            .parse::<San>()
            .expect("SAN")
            .to_move(&Chess::default())
            .expect("legal");
        let moved = request(1, 100).played_on(&[e4]).expect("legal");
        assert_eq!(known.get(&moved), None);
        assert_eq!(known.get(&request(1, 100).among(&[e4])), None);
        assert!(Chess::default().is_legal(e4));
    }

    #[test]
    fn the_oldest_goes_first() {
        let mut known = KnownSearches::new(2);
        for nodes in [1, 2, 1, 3] {
            known.keep(&request(0, nodes), result(nodes));
        }
        let left: Vec<bool> = [1, 2, 3].map(|nodes| known.get(&request(0, nodes)).is_some()).to_vec();
        assert_eq!(left, [false, true, true]);
    }
}
