//! The shares of the board's squares in what a probe says of a position.

use shakmaty::Color;

use super::Concept;
use super::layer::{Layer, WrongActivations};
use super::men::Men;
use super::probe::{Probe, ProbeSet};
use super::rule::Rule;
use super::shares::Shares;

impl ProbeSet {
    /// The shares of the squares in the **decision value** of one of the set's probes, on the board as it is. `turn`: who
    /// is to move in the position; `activations` and `men` as for [`ProbeSet::decisions`]. (Of a network with a canonical
    /// input format the squares are those of the board as it was turned for it.)
    ///
    /// # Errors
    /// When a block that is read is missing or has another size.
    pub fn shares<B: AsRef<[f32]>>(
        &self,
        probe: &Probe,
        activations: &[B],
        men: &Men,
        turn: Color,
    ) -> Result<Shares, WrongActivations> {
        let mut squares = [0.0; 64];
        let layer = &probe.card.layer;
        layer.deal(probe.weights(), activations, men, self.filters(), &mut squares)?;
        let scale = f64::from(probe.card.scale);
        squares.iter_mut().for_each(|share| *share *= scale);
        Ok(Shares::from_seat(&squares, f64::from(probe.card.bias), turn))
    }

    /// The shares of the squares in a concept's score of a position, **`mover`'s view: positive helps that side**. `turn`:
    /// who is to move in the position. In the scale of `rule`, but that nothing is clipped: a clipped sum has no shares.
    ///
    /// # Errors
    /// When a block that is read is missing or has another size.
    pub fn score_shares<B: AsRef<[f32]>>(
        &self,
        (concept, rule): (Concept, Rule),
        activations: &[B],
        men: &Men,
        turn: Color,
        mover: Color,
    ) -> Result<Shares, WrongActivations> {
        // Probes are in the frame of the side to move: White stands for it.
        let in_frame = turn.fold_wb(concept, concept.mirrored());
        let probe = &self.probes()[in_frame.index()];
        let scale = match rule {
            Rule::Ours => 1.0 / probe.card.spread,
            Rule::Paper | Rule::Authors => 1.0,
        };
        let helps = concept.side.unwrap_or(turn) == mover;
        let shares = self.shares(probe, activations, men, turn)?;
        Ok(shares.scaled(if helps { scale } else { -scale }))
    }

    /// The layer that a concept's probe reads in a position with `turn` to move.
    #[must_use]
    pub fn layer_of(&self, concept: Concept, turn: Color) -> &Layer {
        let in_frame = turn.fold_wb(concept, concept.mirrored());
        &self.probes()[in_frame.index()].card.layer
    }
}

#[cfg(test)]
mod tests {
    use super::super::probe::tests::synthetic;
    use super::*;
    use shakmaty::Square;

    #[test]
    fn the_shares_of_a_score_sum_to_it_in_the_movers_view() {
        let set = synthetic();
        let mut block = vec![0.0; 64];
        block[..3].copy_from_slice(&[0.2, 0.3, 0.4]);
        let blocks = [block.clone(), block];
        for turn in Color::ALL {
            for mover in Color::ALL {
                for rule in [Rule::Ours, Rule::Paper] {
                    let scores = set.scores_for(rule, &blocks, &Men::default(), turn).unwrap();
                    for concept in Concept::ALL {
                        let shares = set
                            .score_shares((concept, rule), &blocks, &Men::default(), turn, mover)
                            .unwrap();
                        let wanted = f64::from(scores.for_mover(concept, mover));
                        assert!(
                            (shares.value() - wanted).abs() < 1e-4,
                            "{concept} {turn} {mover} {rule}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn squares_are_those_of_the_board() {
        let set = synthetic();
        let mut block = vec![0.0; 64];
        block[..3].copy_from_slice(&[2.0, 3.0, 4.0]);
        let blocks = [block.clone(), block];
        let probe = &set.all()[4];
        let white = set.shares(probe, &blocks, &Men::default(), Color::White).unwrap();
        let value = set.decisions(&blocks, &Men::default()).unwrap()[4];
        assert!((white.value() - f64::from(value)).abs() < 1e-4);
        assert!((white.at(Square::A1) - 8.0).abs() < 0.01 && (white.at(Square::C1) + 2.0).abs() < 0.01);
        assert_eq!(white.constant, 1.0);
        let black = set.shares(probe, &blocks, &Men::default(), Color::Black).unwrap();
        assert_eq!(black.at(Square::A8), white.at(Square::A1));
        // "Fork" reads the largest, which is on c1.
        let fork = set
            .shares(&set.all()[21], &blocks, &Men::default(), Color::White)
            .unwrap();
        assert!((fork.at(Square::C1) - 12.0).abs() < 0.01 && fork.at(Square::A1) == 0.0);
        let nothing = white.clone().since(&white);
        assert_eq!((nothing.value(), white.clone().scaled(2.0).constant), (0.0, 2.0));
    }
}
