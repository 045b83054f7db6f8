//! The language model that the user connected.

use std::{collections::BTreeMap, time::Duration};

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::preferences::Preferences;
use crate::{
    commentary::declaration::{DECLARATION_TOKENS, answer_schema},
    llm::{ApiKey, ChatRequest, Message, Preset, Reply, Support, base_url},
    services::{
        attempt::Step,
        built_in::{self, Availability},
        endpoint::{AskError, Endpoint, Stopped},
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
    /// Whether somebody stopped it.
    pub stopped: bool,
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Self {
        let (advice, kept) = match &error {
            AskError::Base(_) => (String::new(), None),
            AskError::Chat(chat) => (chat.advice(), chat.kept().map(str::to_owned)),
        };
        Self {
            what: error.to_string(),
            stopped: error.is_stopped(),
            advice,
            kept: kept.unwrap_or_default(),
        }
    }
}

/// How it stands with the browser's own model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BuiltIn {
    /// This browser has none.
    Absent,
    /// What the browser says.
    Known(Availability),
    /// It is being downloaded for this page: how far, 0 to 1.
    Loading(f64),
}

/// The endpoint's state.
#[derive(Clone, Copy)]
pub struct EndpointState {
    preferences: Preferences,
    /// By the place that each is for; shown nowhere.
    keys: RwSignal<BTreeMap<String, ApiKey>>,
    /// Why the key was refused.
    pub key_problem: RwSignal<Option<String>>,
    /// The models that the endpoint offers.
    pub models: RwSignal<Vec<String>>,
    /// Why they could not be listed.
    pub models_problem: RwSignal<Option<String>>,
    /// Whether the list of models is being fetched.
    pub listing: RwSignal<bool>,
    /// Whether the model gives token probabilities.
    pub probabilities: RwSignal<Support>,
    /// Why that could not be found out.
    pub probabilities_problem: RwSignal<Option<String>>,
    /// Whether it is being found out.
    pub probing: RwSignal<bool>,
    /// The browser's own model.
    pub built_in: RwSignal<BuiltIn>,
    /// Why its download failed.
    pub built_in_problem: RwSignal<Option<String>>,
}

impl EndpointState {
    /// With what was kept.
    #[must_use]
    pub fn new(preferences: Preferences) -> Self {
        let kept = settings::kept_keys();
        let keys = kept
            .into_iter()
            .filter_map(|(place, key)| Some((place, ApiKey::new(&key).ok()?)))
            .collect();
        if preferences.get_untracked().service == Preset::BuiltIn && !built_in::is_present() {
            preferences.update(|settings| settings.service = Preset::default());
        }
        let this = Self {
            preferences,
            keys: RwSignal::new(keys),
            key_problem: RwSignal::new(None),
            models: RwSignal::new(Vec::new()),
            models_problem: RwSignal::new(None),
            listing: RwSignal::new(false),
            probabilities: RwSignal::new(Support::Unknown),
            probabilities_problem: RwSignal::new(None),
            probing: RwSignal::new(false),
            built_in: RwSignal::new(BuiltIn::Absent),
            built_in_problem: RwSignal::new(None),
        };
        this.forget_findings();
        this
    }

    /// True when there is something to ask; tracked.
    #[must_use]
    pub fn is_configured(&self) -> bool {
        match self.service() {
            Preset::BuiltIn => self.built_in.get() == BuiltIn::Known(Availability::Available),
            _ => !self.preferences.connection().base.trim().is_empty(),
        }
    }

    /// The same; not tracked.
    #[must_use]
    pub fn is_configured_untracked(&self) -> bool {
        untrack(|| self.is_configured())
    }

    /// The service in use; tracked.
    #[must_use]
    pub fn service(&self) -> Preset {
        self.preferences.get().service
    }

    /// Turns to another service, with what was set for it before.
    pub fn choose(&self, service: Preset) {
        self.preferences.update(|settings| settings.service = service);
        self.key_problem.set(None);
        self.forget_findings();
    }

    /// Sets the base URL of the service in use.
    pub fn set_base(&self, base: &str) {
        self.preferences.change_connection(|c| c.base = base.trim().to_owned());
        self.forget_findings();
    }

    /// Sets the model that is asked for.
    pub fn set_model(&self, model: &str) {
        self.preferences
            .change_connection(|c| c.model = model.trim().to_owned());
        self.forget_probabilities();
    }

    /// What was found out at another address.
    fn forget_findings(&self) {
        self.models.set(Vec::new());
        self.models_problem.set(None);
        self.forget_probabilities();
    }

    fn forget_probabilities(&self) {
        let provider = self.preferences.get_untracked().service.provider();
        self.probabilities.set(provider.probabilities());
        self.probabilities_problem.set(None);
    }

    /// The place that the key of the service in use is for: the service and the server. Another server never gets it.
    fn key_place(settings: &settings::Settings) -> Option<String> {
        let server = base_url::server(&settings.connection().base).ok()?;
        Some(format!("{} {server}", settings.service.word()))
    }

    /// Whether there is a key for the service in use and its address; tracked. The key itself is shown nowhere.
    #[must_use]
    pub fn has_key(&self) -> bool {
        let place = Self::key_place(&self.preferences.get());
        self.keys
            .with(|keys| place.is_some_and(|place| keys.contains_key(&place)))
    }

    /// Whether there is a key for the service in use, but for another address; tracked.
    #[must_use]
    pub fn has_key_for_elsewhere(&self) -> bool {
        let prefix = Self::key_prefix(self.service());
        !self.has_key()
            && self
                .keys
                .with(|keys| keys.keys().any(|place| place.starts_with(&prefix)))
    }

    fn key_prefix(service: Preset) -> String {
        format!("{} ", service.word())
    }

    /// Takes a key for the present address into memory, or forgets the one there is; keeps it in this browser only where
    /// the user asked for that.
    pub fn set_key(&self, pasted: &str) {
        let settings = self.preferences.get_untracked();
        self.key_problem.set(None);
        let Some(place) = Self::key_place(&settings) else {
            self.key_problem.set(Some(
                "Give the base URL first: the key goes to that address alone.".into(),
            ));
            return;
        };
        if pasted.trim().is_empty() {
            self.keys.update(|keys| drop(keys.remove(&place)));
        } else {
            match ApiKey::new(pasted) {
                Ok(key) => self.keys.update(|keys| drop(keys.insert(place, key))),
                Err(error) => self.key_problem.set(Some(error.to_string())),
            }
        }
        self.keep_key(settings.connection().keep_key);
    }

    /// Keeps the present service's keys in this browser, or forgets the kept ones.
    pub fn keep_key(&self, keep: bool) {
        self.preferences.change_connection(|c| c.keep_key = keep);
        let prefix = Self::key_prefix(self.preferences.get_untracked().service);
        let mut kept = settings::kept_keys();
        kept.retain(|place, _| !place.starts_with(&prefix));
        if keep {
            self.keys.with_untracked(|keys| {
                let ours = keys.iter().filter(|(place, _)| place.starts_with(&prefix));
                kept.extend(ours.map(|(place, key)| (place.clone(), key.expose().to_owned())));
            });
        }
        settings::keep_keys(&kept);
    }

    /// Finds out whether the browser has a model of its own, unless that is known.
    pub fn look_for_built_in(&self) {
        if !built_in::is_present() || self.built_in.get_untracked() != BuiltIn::Absent {
            return;
        }
        let this = *self;
        // Offered at once; whether it can be used is known a moment later.
        this.built_in.set(BuiltIn::Known(Availability::Unavailable));
        spawn_local(async move {
            if let Some(availability) = built_in::availability().await {
                this.built_in.set(BuiltIn::Known(availability));
            }
        });
    }

    /// Has the browser download its model. To be called in a click: browsers insist.
    pub fn download_built_in(&self) {
        let this = *self;
        this.built_in_problem.set(None);
        this.built_in.set(BuiltIn::Loading(0.0));
        spawn_local(async move {
            let loaded = built_in::download(move |part| {
                if matches!(this.built_in.get_untracked(), BuiltIn::Loading(_)) {
                    this.built_in.set(BuiltIn::Loading(part));
                }
            });
            if let Err(error) = loaded.await {
                this.built_in_problem.set(Some(format!("{error} {}", error.advice())));
            }
            let now = built_in::availability().await;
            this.built_in.set(now.map_or(BuiltIn::Absent, BuiltIn::Known));
        });
    }

    /// Where the model in use is; not tracked.
    #[must_use]
    pub fn endpoint(&self) -> Endpoint {
        let settings = self.preferences.get_untracked();
        let place = Self::key_place(&settings);
        Endpoint {
            provider: settings.service.provider(),
            base: settings.connection().base,
            key: place.and_then(|place| self.keys.with_untracked(|keys| keys.get(&place).cloned())),
        }
    }

    /// A question to the model in use, with the settings that its API takes; not tracked.
    #[must_use]
    pub fn request(&self, messages: Vec<Message>) -> ChatRequest {
        let settings = self.preferences.get_untracked();
        let (provider, connection) = (settings.service.provider(), settings.connection());
        let mut request = ChatRequest::new(connection.model.trim(), messages);
        request.temperature = Some(connection.temperature.unwrap_or(settings::TEMPERATURE));
        request.max_tokens = Some(connection.max_tokens.unwrap_or(settings::MAX_TOKENS));
        request.seed = connection.seed.filter(|_| provider.takes_seed());
        request.context = provider
            .takes_context()
            .then(|| connection.context.unwrap_or(settings::CONTEXT));
        request
    }

    /// The longest silence that the user waits for; not tracked.
    #[must_use]
    pub fn silence(&self) -> Option<Duration> {
        let seconds = self.preferences.get_untracked().connection().silence_seconds;
        seconds.map(|seconds| Duration::from_secs(seconds.into()))
    }

    /// Asks the endpoint which models it has.
    pub fn list_models(&self) {
        let this = *self;
        self.models_problem.set(None);
        self.listing.set(true);
        let endpoint = self.endpoint();
        spawn_local(async move {
            let asked = (endpoint.provider, endpoint.base.clone());
            let listed = endpoint.models().await;
            this.listing.set(false);
            let now = this.endpoint();
            // The user went on to another service meanwhile.
            if (now.provider, now.base) != asked {
                return;
            }
            match listed {
                Ok(models) => {
                    if this.preferences.get_untracked().connection().model.is_empty()
                        && let Some(first) = models.first()
                    {
                        this.set_model(first);
                    }
                    this.models.set(models);
                }
                Err(error) => this.models_problem.set(Some(explain(&error))),
            }
        });
    }

    /// Finds out whether the model gives token probabilities, by a question of a few tokens.
    pub fn probe_probabilities(&self) {
        let this = *self;
        self.forget_probabilities();
        self.probing.set(true);
        let endpoint = self.endpoint();
        let model = self.preferences.get_untracked().connection().model;
        spawn_local(async move {
            let asked = (endpoint.provider, endpoint.base.clone(), model.clone());
            let found = endpoint.probabilities(&model).await;
            this.probing.set(false);
            let now = this.endpoint();
            let model = this.preferences.get_untracked().connection().model;
            if (now.provider, now.base, model) != asked {
                return;
            }
            match found {
                Ok(support) => this.probabilities.set(support),
                Err(error) => this.probabilities_problem.set(Some(explain(&error))),
            }
        });
    }

    /// What the model in use is called; not tracked.
    #[must_use]
    pub fn model(&self) -> String {
        let settings = self.preferences.get_untracked();
        match settings.service {
            Preset::BuiltIn => Preset::BuiltIn.label().to_owned(),
            _ => settings.connection().model,
        }
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
        self.ask(self.request(messages), stopped, on_step).await
    }

    /// Whether the model in use is asked for the claims of its own comments; not tracked.
    #[must_use]
    pub fn declares(&self) -> bool {
        untrack(|| self.preferences.declares())
    }

    /// Whether a text from elsewhere is given to the model in use, to declare its claims; not tracked.
    #[must_use]
    pub fn reads_given_texts(&self) -> bool {
        self.declares() && untrack(|| self.is_configured())
    }

    /// Asks for the claims of a comment: an answer of their schema, with room for them all.
    ///
    /// # Errors
    /// When there is no answer, or not all of it.
    pub async fn ask_for_claims(
        &self,
        messages: Vec<Message>,
        stopped: Stopped,
        on_step: impl FnMut(Step),
    ) -> Result<Reply, Failure> {
        let request = self.request(messages);
        let request = ChatRequest {
            max_tokens: request.max_tokens.map(|most| most.max(DECLARATION_TOKENS)),
            answer: Some(answer_schema()),
            ..request
        };
        self.ask(request, stopped, on_step).await
    }

    async fn ask(&self, request: ChatRequest, stopped: Stopped, on_step: impl FnMut(Step)) -> Result<Reply, Failure> {
        Ok(self.endpoint().ask(request, stopped, self.silence(), on_step).await?)
    }
}

fn explain(error: &AskError) -> String {
    match error {
        AskError::Base(base) => base.to_string(),
        AskError::Chat(chat) => format!("{chat} {}", chat.advice()),
    }
}
