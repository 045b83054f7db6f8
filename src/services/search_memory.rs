//! What an engine has searched before, so that nobody waits for it again.

use std::{cell::RefCell, rc::Rc};

use crate::uci::{KnownSearches, SearchRequest, SearchResult};

/// Searches that are kept in memory: some kilobytes each.
const KNOWN: usize = 1_000;

/// The searches of one engine, as it is set. Clones share them.
#[derive(Debug, Clone)]
pub struct SearchMemory {
    known: Rc<RefCell<KnownSearches>>,
}

impl SearchMemory {
    /// Nothing searched yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            known: Rc::new(RefCell::new(KnownSearches::new(KNOWN))),
        }
    }

    /// What this search gave, if it was made before and ran to its limit.
    #[must_use]
    pub fn find(&self, request: &SearchRequest) -> Option<SearchResult> {
        self.known.borrow_mut().get(request).cloned()
    }

    /// Keeps what a search gave that ran to its limit.
    pub fn keep(&self, request: &SearchRequest, result: &SearchResult) {
        self.known.borrow_mut().keep(request, result.clone());
    }
}

impl Default for SearchMemory {
    fn default() -> Self {
        Self::new()
    }
}
