//! What the user set, kept in this browser. The key of an endpoint is kept only when the user asked for it.

use serde::{Deserialize, Serialize};

use super::analysis::Effort;
use crate::{
    browser::storage,
    commentary::{Arm, Context, PromptOptions},
    concepts::source::Choice,
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
    /// `None` follows the system, else `light` or `dark`.
    pub theme: Option<String>,
    /// Base URL of the endpoint; empty when there is none.
    pub endpoint: String,
    /// The model asked for.
    pub model: String,
    /// What the model is told.
    pub arm: Arm,
    /// How it is given the board.
    pub context: Context,
    /// Whether worked examples come before the question.
    pub examples: bool,
    /// True when the key may be kept in this browser.
    pub keep_key: bool,
    /// The longest silence of the endpoint that is waited for, in seconds; `None` for the service's own bounds.
    pub silence_seconds: Option<u32>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            limit: Limit::Nodes(300_000),
            multipv: 3,
            concepts: Choice::default(),
            theme: None,
            endpoint: String::new(),
            model: String::new(),
            arm: Arm::default(),
            context: Context::default(),
            examples: true,
            keep_key: false,
            silence_seconds: None,
        }
    }
}

const SETTINGS: &str = "kibitz.settings";
const KEY: &str = "kibitz.endpoint-key";

impl Settings {
    /// The kept settings; the defaults where there are none or they can't be read.
    #[must_use]
    pub fn load() -> Self {
        let mut settings: Self = storage::read(SETTINGS)
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default();
        settings.multipv = settings.multipv.clamp(2, 5);
        settings
    }

    /// How far the engine looks.
    #[must_use]
    pub fn effort(&self) -> Effort {
        Effort {
            limit: self.limit,
            multipv: self.multipv,
        }
    }

    /// How the model is asked.
    #[must_use]
    pub fn prompt_options(&self) -> PromptOptions {
        PromptOptions {
            context: self.context,
            examples: self.examples,
        }
    }

    /// Keeps them. False when the browser keeps nothing.
    pub fn save(&self) -> bool {
        serde_json::to_string(self).is_ok_and(|text| storage::write(SETTINGS, &text))
    }
}

/// The key that the user asked to keep.
#[must_use]
pub fn kept_key() -> Option<String> {
    storage::read(KEY)
}

/// Keeps the key, or forgets the kept one.
pub fn keep_key(key: Option<&str>) -> bool {
    match key {
        Some(key) => storage::write(KEY, key),
        None => {
            storage::remove(KEY);
            true
        }
    }
}
