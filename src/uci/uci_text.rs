//! Moves as the protocol writes them, for what is written down with serde: `#[serde(with = "uci_text")]`.

use serde::{Deserialize, Deserializer, Serializer, de::Error};
use shakmaty::uci::UciMove;

/// Writes a move: `e2e4`.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<S: Serializer>(uci: &UciMove, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(uci)
}

/// Reads a move.
///
/// # Errors
/// When the text is not a move.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<UciMove, D::Error> {
    let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
    text.parse().map_err(D::Error::custom)
}

/// A line of moves: `e2e4 e7e5`.
pub mod line {
    use super::{Deserialize, Deserializer, Error, Serializer, UciMove};

    /// Writes a line.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(line: &[UciMove], serializer: S) -> Result<S::Ok, S::Error> {
        let moves: Vec<String> = line.iter().map(ToString::to_string).collect();
        serializer.serialize_str(&moves.join(" "))
    }

    /// Reads a line.
    ///
    /// # Errors
    /// When a word is not a move.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<UciMove>, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.split_whitespace()
            .map(|word| word.parse().map_err(D::Error::custom))
            .collect()
    }
}

/// A move, or none.
pub mod optional {
    use super::{Deserialize, Deserializer, Error, Serializer, UciMove};

    /// Writes a move in UCI notation.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(uci: &Option<UciMove>, serializer: S) -> Result<S::Ok, S::Error> {
        match uci {
            Some(uci) => serializer.collect_str(uci),
            None => serializer.serialize_none(),
        }
    }

    /// Reads a move in UCI notation.
    ///
    /// # Errors
    /// Where there is a text that is no move.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<UciMove>, D::Error> {
        Option::<std::borrow::Cow<'de, str>>::deserialize(deserializer)?
            .map(|text| text.parse().map_err(D::Error::custom))
            .transpose()
    }
}
