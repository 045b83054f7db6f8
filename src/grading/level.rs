//! How strong a built-in opponent plays: Stockfish's own two switches.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// The skill levels of the static-position plan (section 1.1), weakest first.
pub const PLAN: [Level; 5] = [
    Level::Skill(5),
    Level::Skill(10),
    Level::Skill(15),
    Level::Skill(18),
    Level::Skill(20),
];

/// A strength that Stockfish is set to; as text `skill 5` or `elo 1500`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// `Skill Level`, 0 to 20; 20 is full strength.
    Skill(u8),
    /// `UCI_Elo`, 1320 to 3190 in today's Stockfish (1350 to 2850 in Stockfish 15).
    Elo(u16),
}

/// A text that names no level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is no level: write skill 0 to skill 20, or elo 1000 to elo 3500")]
pub struct LevelError(String);

impl Level {
    /// The options that set the engine to it, as name and value.
    #[must_use]
    pub fn options(self) -> Vec<(String, String)> {
        let options: &[(&str, String)] = &match self {
            Self::Skill(level) => vec![("Skill Level", level.to_string())],
            Self::Elo(elo) => vec![("UCI_LimitStrength", "true".to_owned()), ("UCI_Elo", elo.to_string())],
        };
        options
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect()
    }

    /// The rating that is given for it: UCI_Elo's own, and for the plan's five skill levels its table ("approximate";
    /// level 20 is "2000+" there). `None` for other skill levels.
    #[must_use]
    pub const fn nominal_elo(self) -> Option<u16> {
        match self {
            Self::Elo(elo) => Some(elo),
            Self::Skill(5) => Some(1200),
            Self::Skill(10) => Some(1400),
            Self::Skill(15) => Some(1600),
            Self::Skill(18) => Some(1800),
            Self::Skill(20) => Some(2000),
            Self::Skill(_) => None,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Skill(level) => write!(f, "skill {level}"),
            Self::Elo(elo) => write!(f, "elo {elo}"),
        }
    }
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        let lower = text.trim().to_ascii_lowercase();
        let number = |word: &str| {
            let rest = lower.strip_prefix(word)?;
            rest.trim_start_matches([' ', '-', ':', '=']).parse::<u16>().ok()
        };
        match (number("skill"), number("elo")) {
            (Some(level @ 0..=20), _) => Ok(Self::Skill(level as u8)),
            (_, Some(elo @ 1000..=3500)) => Ok(Self::Elo(elo)),
            _ => Err(LevelError(text.chars().take(40).collect())),
        }
    }
}

impl Serialize for Level {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_as_they_are_written() {
        for level in PLAN.into_iter().chain([Level::Elo(1500), Level::Skill(0)]) {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        assert_eq!("Skill-7".parse(), Ok(Level::Skill(7)));
        for wrong in ["skill 21", "elo 10", "5", "", "skill"] {
            assert!(wrong.parse::<Level>().is_err(), "{wrong}");
        }
        assert_eq!(Level::Elo(1500).options()[1], ("UCI_Elo".to_owned(), "1500".to_owned()));
        assert_eq!(
            PLAN.map(|level| level.nominal_elo().unwrap()),
            [1200, 1400, 1600, 1800, 2000]
        );
    }
}
