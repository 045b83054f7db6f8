//! What a probe set says of a move, from the decision values of the positions around it: the concepts in the order of a
//! rule, and the motifs beside them.

use shakmaty::Color;

use super::{
    ConceptScores, Concepts, ExtraConcept, Predicted, ProbeSet, Rule, Source,
    extra::{Motif, Whose},
    priority::{Around, prioritised},
};

/// The probes' decision values around a move, as [`ProbeSet::decisions`] gives them: each in the frame of the side to move
/// there.
#[derive(Debug, Clone, Copy)]
pub struct Decisions<'a> {
    /// Before the move.
    pub before: &'a [f32],
    /// After it.
    pub after: &'a [f32],
    /// After the expected reply too; `None` when the move ends the game or no reply is known.
    pub after_reply: Option<&'a [f32]>,
}

/// What is held of a motif in one position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MotifSaid {
    /// The probe's decision value over its spread: above 0 where it holds that the position has the motif.
    pub score: f64,
    /// How often that probe is right on a balanced test, 0..1: a coin has 0.5.
    pub accuracy: f64,
}

/// A motif of one side around a move, as the probes read it. A side's motif is read by another probe when the side is to
/// move than when it is not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MotifReading {
    /// The motif.
    pub motif: Motif,
    /// Whose.
    pub side: Color,
    /// Before the move; `None` where no probe reads it.
    pub before: Option<MotifSaid>,
    /// After it.
    pub after: Option<MotifSaid>,
}

impl ProbeSet {
    /// What the probes say of a move by `mover`: the concepts in the order of `rule`. `predicted`: what probes of changes
    /// say of it, where they were asked.
    #[must_use]
    pub fn concepts(&self, rule: Rule, around: Decisions, predicted: Option<&Predicted>, mover: Color) -> Concepts {
        let by = |rule| {
            let scores = |decisions, turn| -> ConceptScores { self.scores_of(rule, decisions, turn) };
            let after_reply = around.after_reply.map(|decisions| scores(decisions, mover));
            let around = Around {
                before: &scores(around.before, mover),
                after: &scores(around.after, !mover),
                after_reply: after_reply.as_ref(),
                predicted,
            };
            prioritised(rule, &around, mover)
        };
        Concepts {
            source: Source::Probes {
                network_hash: self.network().to_owned(),
            },
            changes: by(rule),
            rule,
            by_authors: by(Rule::Authors),
            doubted: self.doubted(rule),
        }
    }

    /// The motifs that the set has probes for, around a move by `mover`: the mover's and then the opponent's of each.
    #[must_use]
    pub fn motifs(&self, around: Decisions, mover: Color) -> Vec<MotifReading> {
        let said = |decisions: &[f32], motif, whose| -> Option<MotifSaid> {
            let concept = ExtraConcept::of(motif, whose)?;
            let (probe, decision) = self
                .all()
                .iter()
                .zip(decisions)
                .skip(self.probes().len())
                .find(|(probe, _)| probe.card.name == concept.name())?;
            (!probe.is_silent()).then(|| MotifSaid {
                score: f64::from(*decision) / probe.card.spread,
                accuracy: probe.card.accuracy,
            })
        };
        let readings = Motif::ALL.into_iter().flat_map(|motif| {
            // The mover is to move before the move, the opponent after it.
            [
                (mover, [Whose::Ours, Whose::Theirs]),
                (!mover, [Whose::Theirs, Whose::Ours]),
            ]
            .map(|(side, whose)| MotifReading {
                motif,
                side,
                before: said(around.before, motif, whose[0]),
                after: said(around.after, motif, whose[1]),
            })
        });
        readings
            .filter(|reading| reading.before.is_some() || reading.after.is_some())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{
        Concept, Probe,
        probe::tests::{card, synthetic},
    };
    use super::*;

    /// Decision values that rise by one from probe to probe.
    fn rising(count: usize, from: f32) -> Vec<f32> {
        (0..count).map(|i| from + i as f32).collect()
    }

    #[test]
    fn the_papers_method_is_named_by_the_authors_rule_whatever_the_pages() {
        let set = synthetic();
        let (before, mut after) = (vec![0.0; 22], vec![0.0; 22]);
        // Seen by the opponent: its own knights rise beyond the clip, its bishops fall.
        (after[3], after[5]) = (14.0, -4.0);
        let around = Decisions {
            before: &before,
            after: &after,
            after_reply: None,
        };
        let of = |rule| set.concepts(rule, around, None, Color::White);
        let paper = of(Rule::Paper);
        assert_eq!(paper.changes[0].concept, Concept::from_name("Black Knights").unwrap());
        assert_eq!(paper.changes[0].change(), -14.0);
        assert_eq!(of(Rule::Ours).changes[0].change(), -7.0, "over a spread of 2");
        let authors = of(Rule::Authors);
        assert_eq!(authors.changes[0].change(), -10.0, "clipped");
        for rule in Rule::ALL {
            assert_eq!(of(rule).by_authors, authors.changes);
        }
        assert_eq!(authors.changes[20].concept, Concept::from_name("Black Bishop").unwrap());
    }

    #[test]
    fn a_sides_motif_is_read_by_the_probe_of_whoever_is_to_move() {
        let mut probes = synthetic().all().to_vec();
        probes.truncate(21);
        for name in ["Our Fork", "Their Fork", "Our Sacrifice"] {
            probes.push(Probe::new(card(name, "block 1"), &[0.0; 64], 0.0));
        }
        let set = ProbeSet::new(&"ab".repeat(32), 1, probes).unwrap();
        let (before, after) = (rising(24, 0.0), rising(24, 100.0));
        let around = Decisions {
            before: &before,
            after: &after,
            after_reply: None,
        };
        let read = set.motifs(around, Color::Black);
        let scores: Vec<_> = read
            .iter()
            .map(|one| {
                (
                    one.motif,
                    one.side,
                    one.before.map(|s| s.score),
                    one.after.map(|s| s.score),
                )
            })
            .collect();
        // Spreads are 2.
        assert_eq!(
            scores,
            [
                (Motif::Fork, Color::Black, Some(10.5), Some(61.0)),
                (Motif::Fork, Color::White, Some(11.0), Some(60.5)),
                (Motif::Sacrifice, Color::Black, Some(11.5), None),
                (Motif::Sacrifice, Color::White, None, Some(61.5)),
            ]
        );
        assert!(
            synthetic().motifs(around, Color::White).is_empty(),
            "none by another name"
        );
    }
}
