//! The scores of the 21 concepts in one position.

use serde::{Serialize, Serializer, ser::SerializeMap};
use shakmaty::Color;

use super::Concept;

/// A score for each of [`Concept::ALL`], in that order. A side's concept is in that side's view (positive is good for
/// it), a total in White's. Pawns, or what the probes' unit is. All are finite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConceptScores([f32; 21]);

impl ConceptScores {
    /// Scores in the order of [`Concept::ALL`]. What is not finite becomes 0, so that scores can always be sorted.
    #[must_use]
    pub fn new(scores: [f32; 21]) -> Self {
        Self(scores.map(|score| if score.is_finite() { score } else { 0.0 }))
    }

    /// The score as the source gave it.
    #[must_use]
    pub fn get(&self, concept: Concept) -> f32 {
        self.0[concept.index()]
    }

    /// The score in `mover`'s view: the mover's own concepts as they are, the opponent's negated, totals signed for
    /// the mover. Positive helps the mover.
    #[must_use]
    pub fn for_mover(&self, concept: Concept, mover: Color) -> f32 {
        let score = self.get(concept);
        // Adding zero keeps a minus off it.
        if concept.side.unwrap_or(Color::White) == mover {
            score
        } else {
            0.0 - score
        }
    }

    /// The concepts with their scores, in the order of Table 6.
    pub fn iter(&self) -> impl Iterator<Item = (Concept, f32)> + '_ {
        Concept::ALL.into_iter().zip(self.0)
    }

    /// The scores of the position with the colours exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut scores = [0.0; 21];
        for (concept, score) in self.iter() {
            scores[concept.mirrored().index()] = if concept.side.is_none() { 0.0 - score } else { score };
        }
        Self(scores)
    }
}

/// A map from Table 6's names to scores.
impl Serialize for ConceptScores {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (concept, score) in self.iter() {
            map.serialize_entry(concept.name(), &score)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views() {
        let mut raw = [0.0; 21];
        raw[0] = 1.5; // Material, White's view
        raw[13] = 0.25; // White Kingsafety
        raw[14] = -0.5; // Black Kingsafety
        raw[20] = f32::NAN;
        let scores = ConceptScores::new(raw);
        let view = |name: &str, mover| scores.for_mover(Concept::from_name(name).unwrap(), mover);
        assert_eq!(view("Material", Color::White), 1.5);
        assert_eq!(view("Material", Color::Black), -1.5);
        assert_eq!(view("White Kingsafety", Color::White), 0.25);
        assert_eq!(view("White Kingsafety", Color::Black), -0.25);
        assert_eq!(view("Black Kingsafety", Color::White), 0.5);
        assert_eq!(view("Black Kingsafety", Color::Black), -0.5);
        assert!(
            view("Black Threats", Color::White).is_sign_positive(),
            "no minus on zero"
        );
        assert_eq!(view("Black Passedpawns", Color::Black), 0.0);
        assert_eq!(scores.mirrored().get(Concept::ALL[0]), -1.5);
        assert_eq!(scores.mirrored().get(Concept::ALL[13]), -0.5);
        assert_eq!(scores.mirrored().mirrored(), scores);
    }
}
