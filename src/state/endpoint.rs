//! The language model that the user connected.

use std::time::Duration;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::preferences::Preferences;
use crate::{
    llm::{ApiKey, ChatRequest, Message, Reply},
    services::{
        endpoint::{AskError, Endpoint, Step, Stopped},
        settings,
    },
};

/// An exchange failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What happened.
    pub what: String,
    /// What to do.
    pub advice: String,
    /// What had arrived of the reply.
    pub kept: String,
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Self {
        let (advice, kept) = match &error {
            AskError::Base(_) => (String::new(), None),
            AskError::Chat(chat) => (chat.advice(), chat.kept().map(str::to_owned)),
        };
        Self {
            what: error.to_string(),
            advice,
            kept: kept.unwrap_or_default(),
        }
    }
}

/// The endpoint's state.
#[derive(Clone, Copy)]
pub struct EndpointState {
    preferences: Preferences,
    key: StoredValue<Option<ApiKey>>,
    /// Whether there is a key; the key itself is shown nowhere.
    pub has_key: RwSignal<bool>,
    /// Why the key was refused.
    pub key_problem: RwSignal<Option<String>>,
    /// The models that the endpoint offers.
    pub models: RwSignal<Vec<String>>,
    /// Why they could not be listed.
    pub models_problem: RwSignal<Option<String>>,
}

/// Room for three sentences and for the thinking that some models do first.
const MAX_TOKENS: u32 = 2000;

impl EndpointState {
    /// With what was kept.
    #[must_use]
    pub fn new(preferences: Preferences) -> Self {
        let key = settings::kept_key().and_then(|key| ApiKey::new(&key).ok());
        Self {
            preferences,
            has_key: RwSignal::new(key.is_some()),
            key: StoredValue::new(key),
            key_problem: RwSignal::new(None),
            models: RwSignal::new(Vec::new()),
            models_problem: RwSignal::new(None),
        }
    }

    /// True when there is something to ask; tracked.
    #[must_use]
    pub fn is_configured(&self) -> bool {
        !self.preferences.get().endpoint.trim().is_empty()
    }

    /// The same; not tracked.
    #[must_use]
    pub fn is_configured_untracked(&self) -> bool {
        !self.preferences.get_untracked().endpoint.trim().is_empty()
    }

    /// Takes a key into memory; keeps it in this browser only where the user asked for that.
    pub fn set_key(&self, pasted: &str) {
        if pasted.trim().is_empty() {
            self.key.set_value(None);
            self.has_key.set(false);
            self.key_problem.set(None);
        } else {
            match ApiKey::new(pasted) {
                Ok(key) => {
                    self.key.set_value(Some(key));
                    self.has_key.set(true);
                    self.key_problem.set(None);
                }
                Err(error) => self.key_problem.set(Some(error.to_string())),
            }
        }
        self.keep_key(self.preferences.get_untracked().keep_key);
    }

    /// Keeps the key in this browser, or forgets the kept one.
    pub fn keep_key(&self, keep: bool) {
        self.preferences.update(|s| s.keep_key = keep);
        self.key
            .with_value(|key| settings::keep_key(key.as_ref().filter(|_| keep).map(ApiKey::expose)));
    }

    fn endpoint(&self) -> Endpoint {
        Endpoint {
            base: self.preferences.get_untracked().endpoint,
            key: self.key.get_value(),
        }
    }

    /// Asks the endpoint which models it has.
    pub fn list_models(&self) {
        let this = *self;
        self.models_problem.set(None);
        spawn_local(async move {
            match this.endpoint().models().await {
                Ok(models) => {
                    if this.preferences.get_untracked().model.is_empty()
                        && let Some(first) = models.first()
                    {
                        this.preferences.update(|s| s.model.clone_from(first));
                    }
                    this.models.set(models);
                }
                Err(error) => this.models_problem.set(Some(explain(&error))),
            }
        });
    }

    /// The model that is asked for.
    #[must_use]
    pub fn model(&self) -> String {
        self.preferences.get_untracked().model.trim().to_owned()
    }

    /// Sends a conversation and hands every step of the reply to `on_step`.
    ///
    /// # Errors
    /// When there is no reply, or not all of it.
    pub async fn converse(
        &self,
        messages: Vec<Message>,
        stopped: Stopped,
        on_step: impl FnMut(Step),
    ) -> Result<Reply, Failure> {
        let mut request = ChatRequest::new(self.model(), messages);
        // The paper's temperature.
        request.temperature = Some(0.01);
        request.max_tokens = Some(MAX_TOKENS);
        let silence = self.preferences.get_untracked().silence_seconds;
        let silence = silence.map(|s| Duration::from_secs(s.into()));
        Ok(self.endpoint().ask(request, stopped, silence, on_step).await?)
    }
}

fn explain(error: &AskError) -> String {
    match error {
        AskError::Base(base) => base.to_string(),
        AskError::Chat(chat) => format!("{chat} {}", chat.advice()),
    }
}
