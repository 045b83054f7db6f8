//! What the user set, kept in this browser. The key of an endpoint is kept only when the user asked for it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::analysis::Effort;
use crate::{
    browser::storage,
    commentary::{Arm, Context, Guidance, PromptOptions, Voice},
    concepts::{Rule, Wanted, source::Choice},
    llm::Preset,
    uci::Limit,
};

/// Settings without secrets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Limit of each of the two searches.
    pub limit: Limit,
    /// Lines searched before the move, 2 to 5: best and second-best are needed.
    pub multipv: u32,
    /// Who is asked for the concepts.
    pub concepts: Choice,
    /// By which rule concepts are put in order.
    pub rule: Rule,
    /// `None` follows the system, else `light` or `dark`.
    pub theme: Option<String>,
    /// Whether pins, forks and men that can be won are drawn over the board.
    pub tactics: bool,
    /// For whom the narrator speaks.
    pub voice: Voice,
    /// What the model is told.
    pub arm: Arm,
    /// How it is given the board.
    pub context: Context,
    /// Examples and chain of thought of the arms for which the user chose otherwise than [`Guidance::of`].
    pub guidance: BTreeMap<Arm, Guidance>,
    /// Which language model's service is in use.
    pub service: Preset,
    /// What was set for each service that was ever in use.
    pub services: BTreeMap<Preset, Connection>,
}

/// How one service is asked, without secrets.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Connection {
    /// Its base URL; empty when there is none.
    pub base: String,
    /// The model asked for.
    pub model: String,
    /// True when the key may be kept in this browser.
    pub keep_key: bool,
    /// The temperature; `None` for [`TEMPERATURE`].
    pub temperature: Option<f32>,
    /// The most tokens of a reply, thinking included; `None` for [`MAX_TOKENS`].
    pub max_tokens: Option<u32>,
    /// The sampler's seed.
    pub seed: Option<u32>,
    /// Tokens of prompt and reply together that Ollama makes room for; `None` for [`CONTEXT`].
    pub context: Option<u32>,
    /// The longest silence that is waited for, in seconds; `None` for the service's own bounds.
    pub silence_seconds: Option<u32>,
    /// Whether the model is asked for the claims of its own comments; `None` for [`Settings::declares`].
    pub declares: Option<bool>,
    /// Whether only sentences with a supported claim are shown; `None` for [`Settings::supported_only`].
    pub supported_only: Option<bool>,
}

/// The temperature that the paper names (CCC, NAACL 2025, section 4.1). Its authors' notebook has 0.01.
pub const TEMPERATURE: f32 = 0.1;
/// Room for three sentences and for the thinking that some models do first, in tokens.
pub const MAX_TOKENS: u32 = 2000;
/// Room for the prompt and the reply, in tokens: Ollama's own 4096 is too little for both.
pub const CONTEXT: u32 = 8192;

impl Default for Settings {
    fn default() -> Self {
        Self {
            limit: Limit::default(),
            multipv: 3,
            concepts: Choice::default(),
            rule: Rule::default(),
            theme: None,
            tactics: false,
            voice: Voice::default(),
            arm: Arm::default(),
            context: Context::default(),
            guidance: BTreeMap::new(),
            service: Preset::default(),
            services: BTreeMap::new(),
        }
    }
}

const SETTINGS: &str = "kibitz.settings";
const KEYS: &str = "kibitz.keys";
/// Where the one key was kept before there were several.
const OLD_KEY: &str = "kibitz.endpoint-key";

impl Settings {
    /// The kept settings; the defaults where there are none or they can't be read.
    #[must_use]
    pub fn load() -> Self {
        let mut settings = storage::read(SETTINGS)
            .and_then(|text| Self::read(&text))
            .unwrap_or_default();
        settings.multipv = settings.multipv.clamp(2, 5);
        settings
    }

    /// How the service in use is asked.
    #[must_use]
    pub fn connection(&self) -> Connection {
        let fresh = || Connection {
            base: self.service.base().to_owned(),
            ..Connection::default()
        };
        self.services.get(&self.service).cloned().unwrap_or_else(fresh)
    }

    /// Whether the model is asked for the claims of its own comments. The browser's own is small and seldom gets them right:
    /// only where the user chose it.
    #[must_use]
    pub fn declares(&self) -> bool {
        let chosen = self.connection().declares;
        chosen.unwrap_or(self.service != Preset::BuiltIn)
    }

    /// Whether only sentences with a supported claim are shown. Of what the browser's own model says, little can be trusted.
    #[must_use]
    pub fn supported_only(&self) -> bool {
        let chosen = self.connection().supported_only;
        chosen.unwrap_or(self.service == Preset::BuiltIn)
    }

    /// Changes how the service in use is asked.
    pub fn change_connection(&mut self, change: impl FnOnce(&mut Connection)) {
        let mut connection = self.connection();
        change(&mut connection);
        self.services.insert(self.service, connection);
    }

    /// Who is asked for the concepts, and in which order they come.
    #[must_use]
    pub const fn wanted(&self) -> Wanted {
        Wanted {
            choice: self.concepts,
            rule: self.rule,
        }
    }

    /// How far the engine looks.
    #[must_use]
    pub fn effort(&self) -> Effort {
        Effort {
            limit: self.limit,
            multipv: self.multipv,
        }
    }

    /// Settings of an earlier build too: there an arm named the concepts' source, and examples were one choice for all arms.
    fn read(text: &str) -> Option<Self> {
        let kept: serde_json::Value = serde_json::from_str(text).ok()?;
        let mut settings: Self = serde_json::from_value(kept.clone()).ok()?;
        if kept["arm"] == "terms" {
            settings.concepts = Choice::Stockfish8;
        }
        if kept["examples"] == false {
            for arm in Arm::ALL {
                settings.guide(arm, |guidance| guidance.examples = false);
            }
        }
        Some(settings)
    }

    /// Examples and chain of thought of an arm, as they are set.
    #[must_use]
    pub fn guidance(&self, arm: Arm) -> Guidance {
        self.guidance.get(&arm).copied().unwrap_or_else(|| Guidance::of(arm))
    }

    /// Changes them.
    pub fn guide(&mut self, arm: Arm, change: impl FnOnce(&mut Guidance)) {
        let mut guidance = self.guidance(arm);
        change(&mut guidance);
        if guidance == Guidance::of(arm) {
            self.guidance.remove(&arm);
        } else {
            self.guidance.insert(arm, guidance);
        }
    }

    /// How the model is asked in an arm.
    #[must_use]
    pub fn prompt_options(&self, arm: Arm) -> PromptOptions {
        PromptOptions {
            context: self.context,
            guidance: self.guidance(arm),
        }
    }

    /// Keeps them. False when the browser keeps nothing.
    pub fn save(&self) -> bool {
        serde_json::to_string(self).is_ok_and(|text| storage::write(SETTINGS, &text))
    }
}

/// The keys that the user asked to keep, by the place that each is for.
#[must_use]
pub fn kept_keys() -> BTreeMap<String, String> {
    // A secret that nothing would read any more must not stay.
    storage::remove(OLD_KEY);
    storage::read(KEYS)
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default()
}

/// Keeps these keys and no others.
pub fn keep_keys(keys: &BTreeMap<String, String>) -> bool {
    if keys.is_empty() {
        storage::remove(KEYS);
        return true;
    }
    serde_json::to_string(keys).is_ok_and(|text| storage::write(KEYS, &text))
}
