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
//! A probe with [controls](super::control) has a further field, `"controls": {"shuffled": 0.9, "planes": 0.8, "beside":
//! {"n": 5000, "accuracy": 0.95}}`; `beside` only where they were fitted on other positions than the probe.
//!
//! A file that holds [probes of changes](super::difference) too has the schema `kibitz-probes-3` and a further field,
//! `"changes"`: the layer that is read from each of two seats, λ, and a head a concept ([`ChangesCard`]). Behind the
//! weights above come, as half precision, what each column is multiplied by to be standardised, for the change heads
//! and for the rank heads; then, a byte each (two's complement, 127ths of the head's `scale` or `rank_scale`), the
//! weights of the 21 change heads on standardised columns, and those of the 21 rank heads.
//!
//! The first 21 probes are the concepts in the order of the paper's Table 6, in the mover's frame: `Our …` stands where
//! the table has `White …`. Probes of other concepts may follow. The weights are stored divided by `scale`.

use half::f16;
use serde::{Deserialize, Serialize};

use super::difference::{
    probe::{COUNT, ChangeProbes, ChangesCard, NoChanges, rank_width},
    seats,
};
use super::probe::{NoSet, Probe, ProbeCard, ProbeSet, check_names};

/// The `schema` of this format.
const SCHEMA: &str = "kibitz-probes-2";
/// The same with probes of changes.
const WITH_CHANGES: &str = "kibitz-probes-3";
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    changes: Option<ChangesCard>,
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
    #[error("the probe file is of the kind {found:?}, this version reads {SCHEMA:?} and {WITH_CHANGES:?}")]
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
    /// What is in it makes no probes of changes.
    #[error("the probe file can't be used: {0}")]
    NoChanges(#[from] NoChanges),
    /// A file of the one kind that says it is of the other.
    #[error("the probe file says that it is of the kind {schema:?}, and {what}")]
    Kind {
        /// What it says.
        schema: String,
        /// What is wrong with that.
        what: &'static str,
    },
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
        if schema != SCHEMA && schema != WITH_CHANGES {
            return Err(ReadError::Schema { found: schema });
        }
        let header: Header = serde_json::from_slice(header)?;
        if header.frame != FRAME {
            return Err(ReadError::Frame { found: header.frame });
        }
        match &header.changes {
            Some(_) if schema == SCHEMA => {
                let what = "holds probes of changes";
                return Err(ReadError::Kind { schema, what });
            }
            None if schema == WITH_CHANGES => {
                let what = "holds no probes of changes";
                return Err(ReadError::Kind { schema, what });
            }
            _ => {}
        }
        // The number of filters is known to be sensible before it is multiplied with anything.
        let names = header.probes.iter().map(|card| card.name.as_str());
        check_names(&header.network, header.filters, names)?;
        let width = |card: &ProbeCard| card.layer.width(header.filters) as u64;
        let of_probes = WEIGHT * header.probes.iter().map(width).sum::<u64>();
        let shape = header
            .changes
            .as_ref()
            .map(|card| ChangesShape::of(card, header.filters));
        let wanted = of_probes + shape.map_or(0, |shape| shape.bytes());
        if weights.len() as u64 != wanted {
            return Err(ReadError::Length {
                wanted,
                found: weights.len() as u64,
            });
        }
        // Both are as long as they should be by now.
        let (weights, changes) = weights.split_at(of_probes as usize);
        let changes = header
            .changes
            .zip(shape)
            .map(|(card, shape)| shape.read(card, header.filters, changes).checked())
            .transpose()?;
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
        let set = Self::new(&header.network, filters, probes)?;
        Ok(match changes {
            Some(changes) => set.with_changes(changes)?,
            None => set,
        })
    }

    /// Writes the probe file.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let header = Header {
            schema: if self.changes.is_some() { WITH_CHANGES } else { SCHEMA }.to_owned(),
            network: self.network.clone(),
            frame: FRAME.to_owned(),
            filters: self.filters,
            probes: self.probes.iter().map(|probe| probe.card.clone()).collect(),
            changes: self.changes.as_ref().map(|changes| changes.card().clone()),
        };
        // A struct of strings and finite numbers always has a JSON form.
        let header = serde_json::to_vec(&header).unwrap_or_default();
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header);
        for &weight in self.probes.iter().flat_map(Probe::weights) {
            bytes.extend(f16::from_f32(weight).to_le_bytes());
        }
        if let Some(changes) = &self.changes {
            for &factor in changes.factors.iter().chain(&changes.rank_factors) {
                bytes.extend(f16::from_f32(factor).to_le_bytes());
            }
            for own in changes.weights.iter().chain(&changes.rank_weights) {
                bytes.extend(own.iter().map(|&weight| weight.to_le_bytes()[0]));
            }
        }
        bytes
    }
}

/// How many numbers the probes of changes have.
#[derive(Debug, Clone, Copy)]
struct ChangesShape {
    /// Columns of the change heads.
    width: usize,
    /// Columns of the rank heads.
    rank_width: usize,
}

impl ChangesShape {
    /// Of a sensible number of filters.
    fn of(card: &ChangesCard, filters: usize) -> Self {
        Self {
            width: seats::width(&card.layer, filters),
            rank_width: rank_width(&card.layer, filters),
        }
    }

    fn bytes(self) -> u64 {
        (WEIGHT + COUNT as u64) * (self.width + self.rank_width) as u64
    }

    /// `bytes`: as many as [`ChangesShape::bytes`] says.
    fn read(self, card: ChangesCard, filters: usize, bytes: &[u8]) -> ChangeProbes {
        let (halves, weights) = bytes.split_at((self.width + self.rank_width) * WEIGHT as usize);
        let mut factors = halves
            .as_chunks()
            .0
            .iter()
            .map(|&pair| f16::from_le_bytes(pair).to_f32());
        let signed = |own: &[u8]| own.iter().map(|&byte| i8::from_le_bytes([byte])).collect::<Vec<i8>>();
        let (change, rank) = weights.split_at(COUNT * self.width);
        ChangeProbes {
            card,
            filters,
            factors: factors.by_ref().take(self.width).collect(),
            rank_factors: factors.collect(),
            weights: change.chunks_exact(self.width.max(1)).map(signed).collect(),
            rank_weights: rank.chunks_exact(self.rank_width.max(1)).map(signed).collect(),
        }
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

    /// A file as it was before there were probes of changes and controls: `tests/data/probes/README.md`.
    #[test]
    fn older_files_load() {
        let file = include_bytes!("../../tests/data/probes/format-2.probes");
        let set = ProbeSet::read(file).unwrap();
        assert_eq!((set.all().len(), set.filters(), set.changes()), (22, 1, None));
        let card = &set.all()[0].card;
        assert_eq!(
            (card.name.as_str(), card.layer.to_string().as_str()),
            ("Material", "block 6")
        );
        assert!(card.accuracy > 0.9 && card.controls.is_empty());
        assert_eq!(ProbeSet::read(&set.write()).unwrap(), set);
        // A new fit of the probes of positions leaves those of changes.
        let changes = crate::concepts::difference::probe::tests::made(1, 5);
        let whole = set.clone().with_changes(changes).unwrap();
        assert_eq!(set.clone().keeping_changes_of(&whole), whole);
        assert_eq!(whole.clone().keeping_changes_of(&set), whole);
        let mut other = synthetic();
        other.network = "cd".repeat(32);
        assert!(
            other.keeping_changes_of(&whole).changes().is_none(),
            "another network's"
        );
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
            ("kibitz-probes-2", "kibitz-probes-3", "holds no probes of changes"),
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

    /// Synthetic probes with probes of changes whose weights follow from `seed`.
    fn with_changes(seed: u64) -> ProbeSet {
        let changes = crate::concepts::difference::probe::tests::made(1, seed);
        synthetic().with_changes(changes).unwrap()
    }

    #[test]
    fn damaged_probes_of_changes_are_refused_by_name() {
        let good = with_changes(1).write();
        let error = |bytes: &[u8]| ProbeSet::read(bytes).unwrap_err().to_string();
        assert!(error(&good[..good.len() - 1]).contains("damaged or cut short"));
        for (from, to, part) in [
            ("kibitz-probes-3", "kibitz-probes-2", "holds probes of changes"),
            ("sums by men and lines", "sums by men and lions", "no layer"),
            ("\"unit\":1.0", "\"unit\":0.0", "Material"),
            ("\"gain\":1.0", "\"gain\":-10", "Material"),
            ("\"usual\":[1,2,3", "\"usual\":[250,3", "concepts that there are not"),
        ] {
            let mut bytes = good.clone();
            let at = bytes
                .windows(from.len())
                .position(|window| window == from.as_bytes())
                .unwrap();
            bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
            assert!(error(&bytes).contains(part), "{part}: {}", error(&bytes));
        }
        let mut swapped = with_changes(1);
        let changes = swapped.changes.as_mut().unwrap();
        changes.card.heads.swap(3, 4);
        assert!(error(&swapped.write()).contains("Our Knights"));
        // A factor that is no number.
        let mut nan = good.clone();
        let set = with_changes(1);
        let columns = set.changes.as_ref().unwrap();
        let columns = columns.factors.len() + columns.rank_factors.len();
        let factors = nan.len() - columns * (2 + COUNT);
        nan[factors..factors + 2].copy_from_slice(&f16::NAN.to_le_bytes());
        assert!(error(&nan).contains("not a number"), "{}", error(&nan));
    }

    proptest! {
        #[test]
        fn both_kinds_survive_the_file(seed: u64) {
            let set = with_changes(seed);
            prop_assert_eq!(ProbeSet::read(&set.write()).unwrap(), set);
        }

        #[test]
        fn no_damage_to_changes_panics(at in any::<prop::sample::Index>(), byte in any::<u8>(), keep in any::<prop::sample::Index>()) {
            let mut bytes = with_changes(1).write();
            let i = at.index(bytes.len());
            bytes[i] = byte;
            let _ = ProbeSet::read(&bytes);
            bytes.truncate(keep.index(bytes.len()));
            prop_assert!(ProbeSet::read(&bytes).is_err());
        }

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
