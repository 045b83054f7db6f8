//! A move as probes of changes read it: what they predict, and where on the board that comes from.

use std::sync::Arc;

use shakmaty::Color;

use super::super::{Concept, Predicted, ProbeSet, layer::WrongActivations, shares::Shares};
use super::seats::Seats;

/// A move with the activations around it.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenMove {
    probes: Arc<ProbeSet>,
    before: Seats,
    after: Seats,
    mover: Color,
    /// What the probes of changes say of it.
    pub predicted: Predicted,
}

impl SeenMove {
    /// Reads a move; `None` where the set has no probes of changes. Every position is seen by the mover of the move and by
    /// the opponent.
    ///
    /// # Errors
    /// When a block that is read is missing or has another size.
    pub fn read(
        probes: Arc<ProbeSet>,
        before: Seats,
        after: Seats,
        after_reply: Option<&Seats>,
        mover: Color,
    ) -> Result<Option<Self>, WrongActivations> {
        let Some(changes) = probes.changes() else {
            return Ok(None);
        };
        let predicted = changes.predict(&before, &after, after_reply)?;
        Ok(Some(Self {
            probes,
            before,
            after,
            mover,
            predicted,
        }))
    }

    /// What the roots that [`SeenMove::shares`] sum to are roots of: how many pawns of the term make 1.
    #[must_use]
    pub fn unit(&self, concept: Concept) -> Option<f64> {
        let heads = &self.probes.changes()?.card().heads;
        Some(heads.get(self.in_frame(concept).index())?.unit)
    }

    fn in_frame(&self, concept: Concept) -> Concept {
        match self.mover {
            Color::White => concept,
            Color::Black => concept.mirrored(),
        }
    }

    /// The shares of the squares in the predicted change of a concept, **the mover's view: positive helps the mover**. They
    /// sum, with a constant, to the signed root of the change in the change head's unit.
    ///
    /// # Errors
    /// When a block that is read is missing or has another size.
    pub fn shares(&self, concept: Concept) -> Result<Option<Shares>, WrongActivations> {
        let Some(changes) = self.probes.changes() else {
            return Ok(None);
        };
        let in_frame = self.in_frame(concept);
        // A side's change is in its own view: what the opponent gains the mover loses.
        let sign = if in_frame.side == Some(Color::Black) { -1.0 } else { 1.0 };
        let shares = changes.shares(in_frame.index(), &self.before, &self.after, self.mover)?;
        Ok(Some(shares.scaled(sign)))
    }
}
