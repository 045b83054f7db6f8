//! The Lc0 network in its worker.

use std::{cell::RefCell, fmt, rc::Rc};

use thiserror::Error;

use super::analysis::NetworkView;
use crate::{chess::Played, net::network::Description};

/// What is being done with a new file.
#[derive(Debug, Clone, PartialEq)]
pub struct Loading(pub String);

impl fmt::Display for Loading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The network cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// Refused by name.
    #[error("{0}")]
    Refused(String),
}

/// A handle on the one network. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Network {
    description: Rc<RefCell<Option<Description>>>,
}

impl Network {
    /// Without a network.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there is one.
    #[must_use]
    pub fn is_loaded(&self) -> bool {
        self.description.borrow().is_some()
    }

    /// Its SHA-256.
    #[must_use]
    pub fn hash(&self) -> Option<String> {
        self.description.borrow().as_ref().map(|d| d.sha256.clone())
    }

    /// Loads.
    pub async fn load(&self, _: &str, _: &[u8], _: impl Fn(Loading)) -> Result<Description, NetworkError> {
        Err(NetworkError::Refused("not yet".into()))
    }

    /// Forgets.
    pub fn unload(&self) {}

    /// Evaluates the positions before some moves.
    pub async fn evaluate(&self, _: &[Played]) -> Result<(), NetworkError> {
        Err(NetworkError::Refused("not yet".into()))
    }

    /// Evaluates.
    pub async fn around(&self, _: &Played) -> Result<NetworkView, NetworkError> {
        Err(NetworkError::Refused("not yet".into()))
    }
}
