//! The file of a [`ProbeSet`].
//!
//! One file, little endian: the length of the header in bytes (u64), the header (JSON, UTF-8), then the weights of the
//! probes one after the other, each as many as `activations`, as `f16` or `f32`. Nothing follows.
//!
//! ```json
//! {"schema": "kibitz-probes-1", "network": "<sha256>", "layer": "…", "frame": "mover", "activations": 4096,
//!  "weights": "f16", "probes": [{"name": "Material", "labels": "…", "n": 9538, "c": 0.001, "seed": 1, "accuracy": 1.0,
//!   "precision": 1.0, "recall": 1.0, "mean": 0.0, "spread": 1.0, "bias": 0.0}, …]}
//! ```
//!
//! The probes are the 21 concepts in the order of the paper's Table 6, in the mover's frame: `Our …` stands where the
//! table has `White …`.

use half::f16;
use serde::{Deserialize, Serialize};

use super::Concept;
use super::probe::{Probe, ProbeCard, ProbeSet, frame_name};

/// The `schema` of this format.
const SCHEMA: &str = "kibitz-probes-1";
/// Probes are fitted in the mover's frame, the only one.
const FRAME: &str = "mover";
/// Bytes a header may have: twenty times what 21 probes need.
const HEADER_LIMIT: usize = 1 << 18;
/// Activations a probe may read: 2048 filters on 64 squares.
const ACTIVATIONS_LIMIT: usize = 2048 * 64;

/// How weights are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WeightFormat {
    /// Half precision: half the size.
    F16,
    /// Single precision.
    F32,
}

impl WeightFormat {
    const fn bytes(self) -> usize {
        match self {
            Self::F16 => 2,
            Self::F32 => 4,
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    schema: String,
    network: String,
    layer: String,
    frame: String,
    activations: usize,
    weights: WeightFormat,
    probes: Vec<ProbeCard>,
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
    /// No SHA-256.
    #[error("the probe file does not name its network by a SHA-256")]
    Network,
    /// Not 1 to 131072.
    #[error("the probe file claims {found} activations")]
    Activations {
        /// What the header says.
        found: usize,
    },
    /// Not the 21 concepts in order.
    #[error("the probe file should have {wanted:?} as probe number {number}")]
    Concepts {
        /// The name that is missing there.
        wanted: String,
        /// From 1.
        number: usize,
    },
    /// Cut short, or something follows.
    #[error("the probe file should have {wanted} bytes of weights and has {found}: it is damaged or cut short")]
    Length {
        /// Bytes the header asks for.
        wanted: usize,
        /// Bytes there are.
        found: usize,
    },
    /// A weight, bias or figure that is not a number.
    #[error("the probe {name:?} holds a value that is not a number")]
    NotFinite {
        /// The probe.
        name: String,
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
        let header: Header = serde_json::from_slice(header)?;
        header.check()?;
        let width = header.activations * header.weights.bytes();
        let wanted = width * header.probes.len();
        if weights.len() != wanted {
            return Err(ReadError::Length {
                wanted,
                found: weights.len(),
            });
        }
        let probes = header
            .probes
            .into_iter()
            .zip(weights.chunks_exact(width))
            .map(|(card, bytes)| {
                let probe = Probe {
                    weights: decode(bytes, header.weights),
                    card,
                };
                if probe.is_finite() {
                    Ok(probe)
                } else {
                    Err(ReadError::NotFinite { name: probe.card.name })
                }
            })
            .collect::<Result<_, _>>()?;
        Ok(Self {
            network: header.network.to_ascii_lowercase(),
            layer: header.layer,
            activations: header.activations,
            probes,
        })
    }

    /// Writes the probe file.
    #[must_use]
    pub fn write(&self, format: WeightFormat) -> Vec<u8> {
        let header = Header {
            schema: SCHEMA.to_owned(),
            network: self.network.clone(),
            layer: self.layer.clone(),
            frame: FRAME.to_owned(),
            activations: self.activations,
            weights: format,
            probes: self.probes.iter().map(|probe| probe.card.clone()).collect(),
        };
        // A struct of strings and finite numbers always has a JSON form.
        let header = serde_json::to_vec(&header).unwrap_or_default();
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header);
        for weight in self.probes.iter().flat_map(|probe| &probe.weights) {
            match format {
                WeightFormat::F16 => bytes.extend(f16::from_f32(*weight).to_le_bytes()),
                WeightFormat::F32 => bytes.extend(weight.to_le_bytes()),
            }
        }
        bytes
    }
}

impl Header {
    fn check(&self) -> Result<(), ReadError> {
        if self.schema != SCHEMA {
            return Err(ReadError::Schema {
                found: self.schema.clone(),
            });
        }
        if self.frame != FRAME {
            return Err(ReadError::Frame {
                found: self.frame.clone(),
            });
        }
        if self.network.len() != 64 || !self.network.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(ReadError::Network);
        }
        if !(1..=ACTIVATIONS_LIMIT).contains(&self.activations) {
            return Err(ReadError::Activations {
                found: self.activations,
            });
        }
        let names = self.probes.iter().map(|card| Some(card.name.as_str())).chain([None]);
        let wanted = Concept::ALL
            .into_iter()
            .map(|concept| Some(frame_name(concept)))
            .chain([None]);
        for (i, (name, wanted)) in names.zip(wanted).enumerate() {
            if name != wanted.as_deref() {
                return Err(ReadError::Concepts {
                    wanted: wanted.unwrap_or_else(|| "nothing".to_owned()),
                    number: i + 1,
                });
            }
        }
        Ok(())
    }
}

impl Probe {
    fn is_finite(&self) -> bool {
        self.card.bias.is_finite() && self.weights.iter().all(|weight| weight.is_finite())
    }
}

fn decode(bytes: &[u8], format: WeightFormat) -> Vec<f32> {
    match format {
        WeightFormat::F16 => bytes
            .as_chunks()
            .0
            .iter()
            .map(|&pair| f16::from_le_bytes(pair).to_f32())
            .collect(),
        WeightFormat::F32 => bytes
            .as_chunks()
            .0
            .iter()
            .map(|&four| f32::from_le_bytes(four))
            .collect(),
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
        for format in [WeightFormat::F16, WeightFormat::F32] {
            // The synthetic weights are exact in half precision too.
            assert_eq!(ProbeSet::read(&set.write(format)).unwrap(), set);
        }
        assert_eq!(
            set.write(WeightFormat::F32).len() - set.write(WeightFormat::F16).len(),
            21 * 3 * 2
        );
    }

    #[test]
    fn damage_is_named() {
        let set = synthetic();
        let good = set.write(WeightFormat::F32);
        let error = |bytes: &[u8]| ProbeSet::read(bytes).unwrap_err().to_string();
        assert!(matches!(ProbeSet::read(b"{}"), Err(ReadError::NotProbes)));
        assert!(error(&good[..good.len() - 1]).contains("252 bytes of weights and has 251"));
        assert!(error(&[&good[..], &[0]].concat()).contains("has 253"));
        let mut nan = good.clone();
        let end = nan.len();
        nan[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
        assert!(error(&nan).contains("Their Passedpawns"));
        // Same length, so that the header's length stays right.
        for (from, to, part) in [
            ("kibitz-probes-1", "kibitz-probes-2", "kibitz-probes-2"),
            ("\"mover\"", "\"white\"", "white"),
            ("Our Rooks", "Our Kooks", "Our Rooks"),
            ("abababab", "xyababab", "SHA-256"),
            ("\"activations\":3", "\"activations\":0", "0 activations"),
            ("\"activations\":3", "\"activations\":x", "header"),
        ] {
            let mut bytes = good.clone();
            let at = bytes
                .windows(from.len())
                .position(|window| window == from.as_bytes())
                .unwrap();
            bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
            assert!(error(&bytes).contains(part), "{part}: {}", error(&bytes));
        }
        let mut short = set;
        short.probes.pop();
        assert!(error(&short.write(WeightFormat::F16)).contains("number 21"));
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = ProbeSet::read(&bytes);
        }

        #[test]
        fn no_damage_panics(at in any::<prop::sample::Index>(), byte in any::<u8>(), keep in any::<prop::sample::Index>()) {
            let mut bytes = synthetic().write(WeightFormat::F16);
            let i = at.index(bytes.len());
            bytes[i] = byte;
            let _ = ProbeSet::read(&bytes);
            bytes.truncate(keep.index(bytes.len()));
            prop_assert!(ProbeSet::read(&bytes).is_err());
        }
    }
}
