//! What an engine has searched before, so that nobody waits for it again: in memory, and in this browser for other tabs and
//! later visits. Where the browser keeps nothing, or no more, there is the memory alone.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};

use serde::{Deserialize, Serialize};
use wasm_bindgen_futures::spawn_local;

use crate::{
    browser::{
        clock,
        search_store::{self, SearchStoreError},
    },
    uci::{KnownSearches, SearchRequest, SearchResult},
};

/// Searches that are kept in memory: some kilobytes each.
const KNOWN: usize = 1_000;
/// Searches that are kept in this browser.
const MOST_STORED: u32 = 2_000;
/// Bytes of one of them, at the most: 16 MB of all.
const LONGEST_STORED: usize = 8_000;
/// How long a search waits for what the browser may know of it: milliseconds are usual, and one that never answers costs this once.
const PATIENCE: Duration = Duration::from_secs(2);

/// The searches of one engine, as it is set. Clones share them.
#[derive(Debug, Clone)]
pub struct SearchMemory {
    known: Rc<RefCell<KnownSearches>>,
    /// What the engine is and how it is set; `None` where nothing is kept beyond the page.
    version: Option<Rc<str>>,
    /// The browser does not say what it has.
    is_silent: Rc<Cell<bool>>,
    /// The browser takes no more.
    is_full: Rc<Cell<bool>>,
}

/// A search of whatever tab.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remembered {
    /// What the engine calls itself.
    pub engine: String,
    /// What it found.
    pub result: SearchResult,
}

impl SearchMemory {
    /// Nothing searched yet, and nothing kept beyond the page.
    #[must_use]
    pub fn of_page() -> Self {
        Self {
            known: Rc::new(RefCell::new(KnownSearches::new(KNOWN))),
            version: None,
            is_silent: Rc::default(),
            is_full: Rc::default(),
        }
    }

    /// What this browser has of an engine; `version` says which, and how it is set.
    #[must_use]
    pub fn of_browser(version: &str) -> Self {
        Self {
            version: Some(version.into()),
            ..Self::of_page()
        }
    }

    /// Forgets what is in memory.
    pub fn forget(&self) {
        self.known.replace(KnownSearches::new(KNOWN));
    }

    /// What this search gave, if this page has made it, or found it, and has not forgotten it since.
    #[must_use]
    pub fn at_hand(&self, request: &SearchRequest) -> Option<SearchResult> {
        self.known.borrow_mut().get(request).cloned()
    }

    /// What this search gave, if it was made before and ran to its limit; with the engine's name where another page has
    /// made it.
    pub async fn find(&self, request: &SearchRequest) -> Option<(SearchResult, Option<String>)> {
        if let Some(known) = self.at_hand(request) {
            return Some((known, None));
        }
        let key = self.key(request).filter(|_| !self.is_silent.get())?;
        // A store that fails once, or makes a search wait, is not asked again.
        let Some(Ok(found)) = clock::within(PATIENCE, search_store::find(&key)).await else {
            self.is_silent.set(true);
            return None;
        };
        // What is damaged or does not fit is as good as none.
        let Remembered { engine, result } = serde_json::from_str(&found?).ok()?;
        if !request.can_give(&result) || engine.is_empty() {
            return None;
        }
        self.known.borrow_mut().keep(request, result.clone());
        Some((result, Some(engine)))
    }

    /// Keeps what a search gave that ran to its limit.
    pub fn keep(&self, request: &SearchRequest, result: &SearchResult, engine: &str) {
        self.known.borrow_mut().keep(request, result.clone());
        let Some(key) = self.key(request).filter(|_| !self.is_full.get()) else {
            return;
        };
        let remembered = Remembered {
            engine: engine.to_owned(),
            result: result.clone(),
        };
        let Ok(text) = serde_json::to_string(&remembered) else {
            return;
        };
        if text.len() > LONGEST_STORED {
            return;
        }
        let is_full = self.is_full.clone();
        spawn_local(async move {
            match search_store::keep(&key, &text, MOST_STORED).await {
                Ok(()) => {}
                Err(SearchStoreError::Full | SearchStoreError::Unavailable(_)) => is_full.set(true),
            }
        });
    }

    fn key(&self, request: &SearchRequest) -> Option<String> {
        let version = self.version.as_ref()?;
        Some(format!("{version} {}", request.identity()))
    }
}
