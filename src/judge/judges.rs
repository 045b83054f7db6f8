//! Who judges, and how: what a run is told once, before it begins.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::{
    gcc_eval::{Criterion, prompt::fixed_steps, score::Mode},
    rubric::decision::Weights,
};
use crate::{commentary::kept_declaration::Declarer, llm::Provider};

/// A model that judges. Its key is in no file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judge {
    /// Its name in rows and tables.
    pub name: String,
    /// The API that is spoken, a [`Provider`]'s word.
    pub provider: String,
    /// The server: `scheme://host:port`, without path, key or query.
    pub server: String,
    /// The model that is asked for; which one answered is in every row.
    pub model: String,
}

impl Judge {
    /// The API.
    #[must_use]
    pub fn provider(&self) -> Option<Provider> {
        Provider::from_word(&self.provider)
    }
}

impl From<&Judge> for Declarer {
    fn from(judge: &Judge) -> Self {
        Self {
            name: judge.name.clone(),
            provider: judge.provider.clone(),
            server: judge.server.clone(),
            model: judge.model.clone(),
        }
    }
}

/// How pairs are made of an item's methods.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pairs {
    /// Every method against every other.
    #[default]
    All,
    /// Every method against this one.
    Against(String),
}

/// What is judged, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The criteria of GCC-Eval; none for no GCC-Eval.
    pub criteria: Vec<Criterion>,
    /// How its scores are drawn.
    pub mode: Mode,
    /// Steps that judges wrote for themselves, by judge and criterion; where there are none, the fixed ones count. They make
    /// the scores of two judges incomparable.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub steps: BTreeMap<String, BTreeMap<String, String>>,
    /// Whether relevance sees the item's reference.
    pub show_reference: bool,
    /// Pairs for the rubric; `None` for no rubric.
    pub pairs: Option<Pairs>,
    /// How the rubric's totals are made.
    #[serde(default)]
    pub weights: Weights,
    /// The first seed of the samplers.
    pub seed: u32,
    /// The most tokens of a reply.
    pub max_tokens: u32,
}

impl Default for Settings {
    /// All criteria by probabilities with fixed steps, all pairs.
    fn default() -> Self {
        Self {
            criteria: Criterion::ALL.to_vec(),
            mode: Mode::Probabilities,
            steps: BTreeMap::new(),
            show_reference: false,
            pairs: Some(Pairs::All),
            weights: Weights::default(),
            seed: 1,
            max_tokens: 512,
        }
    }
}

impl Settings {
    /// The steps that a judge follows for a criterion.
    #[must_use]
    pub fn steps(&self, judge: &str, criterion: Criterion) -> &str {
        let own = self.steps.get(judge).and_then(|steps| steps.get(criterion.word()));
        own.map_or(fixed_steps(criterion), String::as_str)
    }
}
