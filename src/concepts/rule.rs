//! By which rule the concepts that a move changes are put in order. There are three, so that the paper's can be held
//! against ours; exports name the one in use.

use serde::{Deserialize, Serialize};

/// A rule of priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// By what probes of changes hold for most changed, where the probe file has them; by the size of the change in
    /// standardised scores where it has none. Whoever is helped.
    #[default]
    Ours,
    /// The paper's text (3.1.2, "Prioritization of concepts"): by the size of the difference between the scores after and
    /// before the move, scores being decision values as they are. Whoever is helped.
    Paper,
    /// The authors' released code: decision values clipped to ±[`CLIP`], the one after the move **and the best reply**
    /// less the one before the move, with its sign, in the concept's own view: the highest rise first.
    Authors,
}

/// What the authors' code clips decision values to.
pub const CLIP: f32 = 10.0;

impl Rule {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Ours, Self::Paper, Self::Authors];

    /// As a rule is called in text, in controls and on the command line.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Ours => "Kibitz",
            Self::Paper => "The paper's text",
            Self::Authors => "The authors' code",
        }
    }

    /// As it is called in exports and options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Paper => "paper",
            Self::Authors => "authors",
        }
    }

    /// What the order is by, to follow "concept candidates, ".
    #[must_use]
    pub const fn order(self) -> &'static str {
        match self {
            Self::Ours | Self::Paper => "the most changed first",
            Self::Authors => "risen by the move and the expected reply, the highest rise first",
        }
    }
}

/// No rule has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no rule of priority: there are \"ours\", \"paper\" and \"authors\"")]
pub struct NoRule(pub String);

impl std::str::FromStr for Rule {
    type Err = NoRule;

    fn from_str(text: &str) -> Result<Self, NoRule> {
        Self::ALL
            .into_iter()
            .find(|rule| rule.name() == text)
            .ok_or_else(|| NoRule(text.chars().take(40).collect()))
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_same_everywhere() {
        for rule in Rule::ALL {
            assert_eq!(rule.name().parse(), Ok(rule));
            assert_eq!(serde_json::to_string(&rule).unwrap(), format!("\"{rule}\""));
        }
        assert!("lot".parse::<Rule>().is_err());
        assert_eq!(Rule::default(), Rule::Ours);
    }
}
