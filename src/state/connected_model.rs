//! The connected language model as somebody who answers in a run: what it is called there, and where it is.

use leptos::prelude::*;

use super::endpoint::EndpointState;
use crate::llm::base_url;

/// A model that is asked over its API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectedModel {
    /// Its API's word.
    pub provider: String,
    /// `scheme://host:port`, or that it is in this browser.
    pub server: String,
    /// The model asked for; empty where the server is not told.
    pub model: String,
}

impl ConnectedModel {
    /// The one in use; `None` where none is connected. Not tracked.
    #[must_use]
    pub fn of(endpoint: &EndpointState) -> Option<Self> {
        if !endpoint.is_configured_untracked() {
            return None;
        }
        let now = endpoint.endpoint();
        Some(Self {
            provider: now.provider.word().to_owned(),
            server: base_url::server(&now.base).unwrap_or_else(|_| "this browser".to_owned()),
            model: untrack(|| endpoint.model()),
        })
    }

    /// What it is called in a run: the model, or where it has no name its server.
    #[must_use]
    pub fn name(&self) -> String {
        let name = if self.model.is_empty() {
            &self.server
        } else {
            &self.model
        };
        name.clone()
    }

    /// The same where another of that name is in the run.
    #[must_use]
    pub fn name_with_server(&self) -> String {
        format!("{} at {}", self.model, self.server)
    }
}
