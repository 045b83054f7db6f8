//! Searches whose results are kept, so that no position is searched twice to the same limit.

use std::collections::HashMap;

use super::{SearchRequest, SearchResult};

/// Results by [what was searched](SearchRequest::identity). Those that were asked for longest ago go when there are too many.
#[derive(Debug, Clone)]
pub struct KnownSearches {
    results: HashMap<String, Known>,
    most: usize,
    /// Goes up with every use.
    uses: u64,
}

#[derive(Debug, Clone)]
struct Known {
    result: SearchResult,
    used: u64,
}

impl KnownSearches {
    /// Keeps at most so many results, and at least one.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self {
            results: HashMap::new(),
            most: most.max(1),
            uses: 0,
        }
    }

    /// What this search gave.
    #[must_use]
    pub fn get(&mut self, request: &SearchRequest) -> Option<&SearchResult> {
        self.uses += 1;
        let known = self.results.get_mut(&request.identity())?;
        known.used = self.uses;
        Some(&known.result)
    }

    /// Keeps what a search gave; a search that was stopped early is not one to keep.
    pub fn keep(&mut self, request: &SearchRequest, result: SearchResult) {
        self.uses += 1;
        let used = self.uses;
        self.results.insert(request.identity(), Known { result, used });
        if self.results.len() <= self.most {
            return;
        }
        let oldest = self.results.iter().min_by_key(|(_, known)| known.used);
        if let Some(oldest) = oldest.map(|(identity, _)| identity.clone()) {
            self.results.remove(&oldest);
        }
    }
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
    fn what_was_used_longest_ago_goes_first() {
        let mut known = KnownSearches::new(2);
        known.keep(&request(0, 1), result(1));
        known.keep(&request(0, 2), result(2));
        assert!(known.get(&request(0, 1)).is_some());
        known.keep(&request(0, 3), result(3));
        let left: Vec<bool> = [1, 2, 3].map(|nodes| known.get(&request(0, nodes)).is_some()).to_vec();
        assert_eq!(left, [true, false, true]);
    }
}
