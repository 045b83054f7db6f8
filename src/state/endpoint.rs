//! The language model that the user connected, and its comment.

use std::time::Duration;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::preferences::Preferences;
use crate::{
    commentary::{Answer, Arm, FactSheet, PromptOptions, prompt},
    llm::{ApiKey, ChatRequest, Delta},
    services::{
        endpoint::{AskError, Endpoint, Step, Stop, stopper},
        settings,
    },
};

/// How the exchange with the model stands.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Exchange {
    /// Nothing asked.
    #[default]
    Quiet,
    /// A reply is awaited or arriving.
    Asking {
        /// Why it takes longer: a failed attempt that will be repeated.
        waiting: Option<String>,
    },
    /// The reply is whole.
    Answered {
        /// The model that answered.
        model: String,
        /// Whether the bound on its length cut it off.
        cut: bool,
    },
    /// It failed.
    Failed {
        /// What happened.
        what: String,
        /// What to do.
        advice: String,
        /// True when a part of the reply was kept.
        kept: bool,
    },
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
    /// How the exchange stands.
    pub exchange: RwSignal<Exchange>,
    /// The reply as far as it came: unchecked prose.
    pub text: RwSignal<String>,
    stop: StoredValue<Option<Stop>, LocalStorage>,
    generation: StoredValue<u64>,
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
            exchange: RwSignal::new(Exchange::Quiet),
            text: RwSignal::new(String::new()),
            stop: StoredValue::new_local(None),
            generation: StoredValue::new(0),
        }
    }

    /// True when there is something to ask; tracked.
    #[must_use]
    pub fn is_configured(&self) -> bool {
        !self.preferences.get().endpoint.trim().is_empty()
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

    /// Asks for a comment on the facts.
    pub fn ask(&self, sheet: &FactSheet) {
        self.reset();
        let generation = self.generation.get_value();
        let prompt = prompt::prompt(sheet, Arm::of(sheet), PromptOptions::default());
        let mut request = ChatRequest::new(self.preferences.get_untracked().model.trim(), prompt.messages);
        // The paper's temperature.
        request.temperature = Some(0.01);
        request.max_tokens = Some(MAX_TOKENS);
        let (stop, stopped) = stopper();
        self.stop.set_value(Some(stop));
        self.exchange.set(Exchange::Asking { waiting: None });
        let (this, endpoint) = (*self, self.endpoint());
        spawn_local(async move {
            let current = move || this.generation.try_get_value() == Some(generation);
            let on_step = move |step| {
                if current() {
                    this.on_step(step);
                }
            };
            let asked = request.model.clone();
            let silence = this
                .preferences
                .get_untracked()
                .silence_seconds
                .map(|s| Duration::from_secs(s.into()));
            let result = endpoint.ask(request, stopped, silence, on_step).await;
            if !current() {
                return;
            }
            this.exchange.set(match result {
                Ok(reply) => {
                    let comment = Answer::read(&reply.text).comment;
                    // A reply without a comment is shown as it is: the reader sees what came.
                    this.text.set(if comment.is_empty() {
                        reply.text.trim().to_owned()
                    } else {
                        comment
                    });
                    Exchange::Answered {
                        cut: reply.is_cut(),
                        model: reply.model.unwrap_or(asked),
                    }
                }
                Err(error) => this.failure(&error),
            });
        });
    }

    fn on_step(&self, step: Step) {
        match step {
            Step::Delta(Delta::Text(text)) => {
                self.text.update(|all| all.push_str(&text));
                self.exchange.set(Exchange::Asking { waiting: None });
            }
            Step::Delta(Delta::Thinking(_)) => {
                self.exchange.set(Exchange::Asking {
                    waiting: Some("The model is thinking.".into()),
                });
            }
            Step::Waiting { reason, wait } => {
                let text = format!("{reason} Trying again in {:.0} s.", wait.as_secs_f64().ceil());
                self.exchange.set(Exchange::Asking { waiting: Some(text) });
            }
        }
    }

    fn failure(&self, error: &AskError) -> Exchange {
        let (advice, kept) = match error {
            AskError::Base(_) => (String::new(), None),
            AskError::Chat(chat) => (chat.advice(), chat.kept().map(str::to_owned)),
        };
        self.text.set(kept.clone().unwrap_or_default());
        Exchange::Failed {
            what: error.to_string(),
            advice,
            kept: kept.is_some(),
        }
    }

    /// Ends the running exchange; what has come is kept.
    pub fn stop(&self) {
        if let Some(stop) = self.stop.try_update_value(Option::take).flatten() {
            stop.now();
        }
    }

    /// Ends the exchange and clears its reply, as when another move is taken up.
    pub fn reset(&self) {
        self.generation.update_value(|g| *g += 1);
        self.stop();
        self.text.set(String::new());
        self.exchange.set(Exchange::Quiet);
    }
}

fn explain(error: &AskError) -> String {
    match error {
        AskError::Base(base) => base.to_string(),
        AskError::Chat(chat) => format!("{chat} {}", chat.advice()),
    }
}
