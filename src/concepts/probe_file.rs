//! The file of a [`ProbeSet`].
//!
//! One file, little endian: the length of the header in bytes (u64), the header (JSON, UTF-8), then the weights of the
//! probes one after the other in half precision, each as many as its layer's row has numbers. Nothing follows.
//!
//! ```json
//! {"schema": "kibitz-probes-2", "network": "<sha256>", "frame": "mover", "filters": 64, "probes": [{"name": "Material",
//!  "layer": "block 6", "labels": "…", "n": 9538, "c": 0.001, "seed": 1, "accuracy": 1.0, "precision": 1.0,
//!  "recall": 1.0, "auc": 0.9, "spearman": 0.9, "mean": 0.0, "spread": 1.0, "bias": 0.0, "scale": 0.01}, …]}
//! ```
//!
//! The first 21 probes are the concepts in the order of the paper's Table 6, in the mover's frame: `Our …` stands where
//! the table has `White …`. Probes of other concepts may follow. The weights are stored divided by `scale`.

use half::f16;
use serde::{Deserialize, Serialize};

use super::probe::{NoSet, Probe, ProbeCard, ProbeSet, check_names};

/// The `schema` of this format.
const SCHEMA: &str = "kibitz-probes-2";
/// Probes are fitted in the mover's frame, the only one.
const FRAME: &str = "mover";
/// Bytes a header may have: ten times what 60 probes need.
const HEADER_LIMIT: usize = 1 << 18;
/// Bytes of a weight.
const WEIGHT: u64 = 2;

#[derive(Serialize, Deserialize)]
struct Header {
    schema: String,
    network: String,
    frame: String,
    filters: usize,
    probes: Vec<ProbeCard>,
}

/// What tells the format, in whatever version.
#[derive(Deserialize)]
struct Schema {
    schema: String,
}

/// A file that is no probe set.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Too short for its own header, or a header too long to be one.
    #[error("this is not a probe file: it does not start with a header of a sensible length")]
    NotProbes,
    /// The header is not the JSON it should be.
    #[error("the probe file's header can't be read: {0}")]
    Header(#[from] serde_json::Error),
    /// Another format.
    #[error("the probe file is of the kind {found:?}, this version reads {SCHEMA:?}")]
    Schema {
        /// What it says it is.
        found: String,
    },
    /// Probes fitted some other way.
    #[error("the probes are in the {found:?} frame; only the mover's can be used")]
    Frame {
        /// What the header says.
        found: String,
    },
    /// What is in it makes no set.
    #[error("the probe file can't be used: {0}")]
    NoSet(#[from] NoSet),
    /// Cut short, or something follows.
    #[error("the probe file should have {wanted} bytes of weights and has {found}: it is damaged or cut short")]
    Length {
        /// Bytes the header asks for.
        wanted: u64,
        /// Bytes there are.
        found: u64,
    },
}

impl ProbeSet {
    /// Reads a probe file.
    ///
    /// # Errors
    /// When it is not one, is damaged, or lacks a concept.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        let (length, rest) = bytes.split_first_chunk::<8>().ok_or(ReadError::NotProbes)?;
        let length = usize::try_from(u64::from_le_bytes(*length))
            .ok()
            .filter(|&length| length <= HEADER_LIMIT)
            .ok_or(ReadError::NotProbes)?;
        let (header, weights) = rest.split_at_checked(length).ok_or(ReadError::NotProbes)?;
        let Schema { schema } = serde_json::from_slice(header)?;
        if schema != SCHEMA {
            return Err(ReadError::Schema { found: schema });
        }
        let header: Header = serde_json::from_slice(header)?;
        if header.frame != FRAME {
            return Err(ReadError::Frame { found: header.frame });
        }
        // The number of filters is known to be sensible before it is multiplied with anything.
        let names = header.probes.iter().map(|card| card.name.as_str());
        check_names(&header.network, header.filters, names)?;
        let width = |card: &ProbeCard| card.layer.width(header.filters) as u64;
        let wanted = WEIGHT * header.probes.iter().map(width).sum::<u64>();
        if weights.len() as u64 != wanted {
            return Err(ReadError::Length {
                wanted,
                found: weights.len() as u64,
            });
        }
        let mut weights = weights
            .as_chunks()
            .0
            .iter()
            .map(|&pair| f16::from_le_bytes(pair).to_f32());
        let filters = header.filters;
        let probes = header
            .probes
            .into_iter()
            .map(|card| {
                let own = weights.by_ref().take(card.layer.width(filters)).collect();
                Probe::stored(card, own)
            })
            .collect();
        Ok(Self::new(&header.network, filters, probes)?)
    }

    /// Writes the probe file.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let header = Header {
            schema: SCHEMA.to_owned(),
            network: self.network.clone(),
            frame: FRAME.to_owned(),
            filters: self.filters,
            probes: self.probes.iter().map(|probe| probe.card.clone()).collect(),
        };
        // A struct of strings and finite numbers always has a JSON form.
        let header = serde_json::to_vec(&header).unwrap_or_default();
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header);
        for &weight in self.probes.iter().flat_map(Probe::weights) {
            bytes.extend(f16::from_f32(weight).to_le_bytes());
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::super::probe::tests::synthetic;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn survives_the_file() {
        let set = synthetic();
        assert_eq!(ProbeSet::read(&set.write()).unwrap(), set);
    }

    #[test]
    fn damage_is_named() {
        let good = synthetic().write();
        let error = |bytes: &[u8]| ProbeSet::read(bytes).unwrap_err().to_string();
        assert!(matches!(ProbeSet::read(b"{}"), Err(ReadError::NotProbes)));
        // 21 probes of 64 weights, one of 66.
        assert!(error(&good[..good.len() - 1]).contains("2820 bytes of weights and has 2819"));
        assert!(error(&[&good[..], &[0]].concat()).contains("has 2821"));
        let mut nan = good.clone();
        let end = nan.len();
        nan[end - 2..].copy_from_slice(&f16::NAN.to_le_bytes());
        assert!(error(&nan).contains("Fork"));
        // Same length, so that the header's length stays right.
        for (from, to, part) in [
            ("kibitz-probes-2", "kibitz-probes-1", "kibitz-probes-1"),
            ("\"mover\"", "\"white\"", "white"),
            ("Our Rooks", "Our Kooks", "Our Rooks"),
            ("Their Passedpawns", "Their Passedhands", "number 21"),
            ("abababab", "xyababab", "SHA-256"),
            ("\"filters\":1", "\"filters\":0", "0 filters"),
            ("\"filters\":1", "\"filters\":2", "5640 bytes"),
            ("\"filters\":1", "\"filters\":x", "header"),
            ("block 2", "block 0", "no layer"),
            ("\"spread\":2.0", "\"spread\":0.0", "Material"),
            ("\"spread\":2.0", "\"spread\":-20", "Material"),
        ] {
            let mut bytes = good.clone();
            let at = bytes
                .windows(from.len())
                .position(|window| window == from.as_bytes())
                .unwrap();
            bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
            assert!(error(&bytes).contains(part), "{part}: {}", error(&bytes));
        }
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = ProbeSet::read(&bytes);
        }

        #[test]
        fn no_damage_panics(at in any::<prop::sample::Index>(), byte in any::<u8>(), keep in any::<prop::sample::Index>()) {
            let mut bytes = synthetic().write();
            let i = at.index(bytes.len());
            bytes[i] = byte;
            let _ = ProbeSet::read(&bytes);
            bytes.truncate(keep.index(bytes.len()));
            prop_assert!(ProbeSet::read(&bytes).is_err());
        }
    }
}
