//! Linear probes on a network's last block: the paper's concept vectors.
//!
//! A probe is fitted in the **mover's frame**, since that is how the network sees the board: "our knights" and "their
//! knights", material as the mover has it. Its score of a position is the decision value `w·a + b`. When shown, scores
//! are mapped to White and Black by the side to move. [`probe_file`](super::probe_file) has the file format.

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::{Concept, ConceptScores};

/// How a probe was made and how good it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProbeCard {
    /// The concept in the mover's frame: `Material`, `Our Knights`, `Their Kingsafety`, … ([`frame_name`]).
    pub name: String,
    /// Where the labels came from, for example `stockfish@8.0.0 eval, mid-game`.
    pub labels: String,
    /// Positions it was fitted on.
    pub n: u64,
    /// The support vector machine's C.
    pub c: f64,
    /// The seed of the sampling and the fit.
    pub seed: u64,
    /// Share of the test positions judged rightly, 0..1; so the two below.
    pub accuracy: f64,
    /// True positives among those judged positive.
    pub precision: f64,
    /// True positives among the positive ones.
    pub recall: f64,
    /// Mean decision value over the test positions.
    pub mean: f64,
    /// Standard deviation of the decision value over the test positions.
    pub spread: f64,
    /// `b` of `w·a + b`.
    pub bias: f32,
}

/// A probe: its card and `w`.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// How it was made.
    pub card: ProbeCard,
    /// One weight an activation; all finite.
    pub weights: Vec<f32>,
}

/// A probe for each concept, bound to the network whose activations they read.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbeSet {
    /// SHA-256 of the network file, lower-case hexadecimal.
    pub(super) network: String,
    /// The layer that the activations are taken from, as the network module names it.
    pub(super) layer: String,
    /// How many activations a position has.
    pub(super) activations: usize,
    /// In the order of [`Concept::ALL`], White standing for the mover.
    pub(super) probes: Vec<Probe>,
}

/// The probes were fitted on another network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("these probes belong to network {wanted}, not to the one in use ({found}): load the probes fitted on it")]
pub struct WrongNetwork {
    /// The hash the probes are bound to.
    pub wanted: String,
    /// The hash of the network in use.
    pub found: String,
}

/// The activations don't fit the probes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the probes read {wanted} activations, the network gave {found}")]
pub struct WrongActivations {
    /// What the probes read.
    pub wanted: usize,
    /// What there is.
    pub found: usize,
}

/// The name of a concept in the mover's frame, White standing for the mover: `Our Knights` for `White Knights`.
#[must_use]
pub fn frame_name(concept: Concept) -> String {
    let name = concept.name();
    name.strip_prefix("White ")
        .map(|term| format!("Our {term}"))
        .or_else(|| name.strip_prefix("Black ").map(|term| format!("Their {term}")))
        .unwrap_or_else(|| name.to_owned())
}

impl ProbeSet {
    /// SHA-256 of the network the probes belong to.
    #[must_use]
    pub fn network(&self) -> &str {
        &self.network
    }

    /// The layer that is read.
    #[must_use]
    pub fn layer(&self) -> &str {
        &self.layer
    }

    /// How many activations a position has.
    #[must_use]
    pub fn activations(&self) -> usize {
        self.activations
    }

    /// The probes, in the order of [`Concept::ALL`], White standing for the mover.
    #[must_use]
    pub fn probes(&self) -> &[Probe] {
        &self.probes
    }

    /// Checks that the probes belong to the network with this hash.
    ///
    /// # Errors
    /// When they don't.
    pub fn check_network(&self, hash: &str) -> Result<(), WrongNetwork> {
        if self.network.eq_ignore_ascii_case(hash) {
            return Ok(());
        }
        Err(WrongNetwork {
            wanted: self.network.clone(),
            found: hash.to_owned(),
        })
    }

    /// The concepts' scores of a position with `turn` to move, from its activations.
    ///
    /// # Errors
    /// When there are more or fewer activations than weights.
    pub fn scores(&self, activations: &[f32], turn: Color) -> Result<ConceptScores, WrongActivations> {
        if activations.len() != self.activations {
            return Err(WrongActivations {
                wanted: self.activations,
                found: activations.len(),
            });
        }
        let mut in_frame = [0.0; 21];
        for (score, probe) in in_frame.iter_mut().zip(&self.probes) {
            *score = probe.decision(activations);
        }
        let as_white = ConceptScores::new(in_frame);
        // With Black to move "ours" is Black's, and a total that is good for the mover is bad for White.
        Ok(turn.fold_wb(as_white, as_white.mirrored()))
    }
}

impl Probe {
    /// `w·a + b`, summed in double precision so that the order of the sum doesn't show.
    fn decision(&self, activations: &[f32]) -> f32 {
        let dot: f64 = self
            .weights
            .iter()
            .zip(activations)
            .map(|(&w, &a)| f64::from(w) * f64::from(a))
            .sum();
        (dot + f64::from(self.card.bias)) as f32
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Three activations; probe i has weights (i, 1, −0.5) and bias i/4.
    pub(in crate::concepts) fn synthetic() -> ProbeSet {
        let probes = Concept::ALL
            .into_iter()
            .enumerate()
            .map(|(i, concept)| Probe {
                card: ProbeCard {
                    name: frame_name(concept),
                    labels: "synthetic".into(),
                    n: 100,
                    c: 0.01,
                    seed: 7,
                    accuracy: 0.9,
                    precision: 0.9,
                    recall: 0.9,
                    mean: 0.0,
                    spread: 1.0,
                    bias: i as f32 / 4.0,
                },
                weights: vec![i as f32, 1.0, -0.5],
            })
            .collect();
        ProbeSet {
            network: "ab".repeat(32),
            layer: "block 5".into(),
            activations: 3,
            probes,
        }
    }

    #[test]
    fn decision_values_are_mapped_to_the_colours() {
        let set = synthetic();
        // Probe i: 2·i + 3 − 0.5·4 + i/4 = 2.25·i + 1.
        let scores = set.scores(&[2.0, 3.0, 4.0], Color::White).unwrap();
        for (i, (_, score)) in scores.iter().enumerate() {
            assert_eq!(score, 2.25 * i as f32 + 1.0);
        }
        let black = set.scores(&[2.0, 3.0, 4.0], Color::Black).unwrap();
        let named = |scores: &ConceptScores, name| scores.get(Concept::from_name(name).unwrap());
        assert_eq!(named(&black, "Material"), -1.0);
        assert_eq!(named(&black, "Black Knights"), named(&scores, "White Knights"));
        assert_eq!(named(&black, "White Knights"), named(&scores, "Black Knights"));
    }

    #[test]
    fn another_network_and_other_activations_are_refused() {
        let set = synthetic();
        assert_eq!(set.check_network(&"AB".repeat(32)), Ok(()));
        let error = set.check_network(&"cd".repeat(32)).unwrap_err();
        assert_eq!(error.wanted, "ab".repeat(32));
        assert_eq!(
            set.scores(&[1.0, 2.0], Color::White),
            Err(WrongActivations { wanted: 3, found: 2 })
        );
    }
}
