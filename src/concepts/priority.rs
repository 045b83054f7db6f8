//! Which concepts a move changed most (the paper's section 3.1.2, "Prioritization of concepts").

use std::cmp::Ordering;

use shakmaty::Color;

use super::{Concept, ConceptScores, rule::Rule};

/// What a move does to one concept. **Every value is the mover's view: positive helps the mover.** So a move that
/// wrecks the opponent's king safety has a positive change of the opponent's king safety.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConceptChange {
    /// The concept.
    pub concept: Concept,
    /// In the position before the move.
    pub before: f32,
    /// In the position after the move.
    pub after: f32,
    /// After the opponent's expected reply too; `None` when the move ends the game or no reply is known.
    pub after_reply: Option<f32>,
    /// How high a probe of changes puts it among the concepts of this move; the numbers mean nothing beyond their order.
    /// `None` where no such probe was asked.
    pub rank: Option<f32>,
}

impl ConceptChange {
    /// After the move less before it.
    #[must_use]
    pub fn change(&self) -> f32 {
        tidy(self.after - self.before)
    }

    /// What is left of the change once the expected reply is played (the paper's authors use this one in their code);
    /// the change itself where no reply is known.
    #[must_use]
    pub fn settled(&self) -> f32 {
        self.after_reply
            .map_or_else(|| self.change(), |after| tidy(after - self.before))
    }

    /// True when the expected reply does not undo the change or turn it round.
    #[must_use]
    pub fn lasting(&self) -> bool {
        self.change() * self.settled() > 0.0
    }
}

/// Rounds away what binary fractions add to differences of values printed in hundredths, so that equal changes tie.
fn tidy(difference: f32) -> f32 {
    /// Parts of a unit that are kept: finer than any source prints.
    const PARTS: f32 = 10_000.0;
    if difference.abs() > 1000.0 {
        return difference;
    }
    (difference * PARTS).round() / PARTS + 0.0
}

/// What probes of changes say of a move. The order is that of [`Concept::ALL`], **White standing for the mover**.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Predicted {
    /// The change of each term by the move, in spreads of the term; a side's in its own view, totals in the mover's.
    pub change: [f32; 21],
    /// The same by the move and the expected reply; `None` when the move ends the game or no reply is known.
    pub settled: Option<[f32; 21]>,
    /// How high each concept comes among those that the move changed: higher is more.
    pub rank: [f32; 21],
}

/// What is known of the concepts around a move, in one source's words.
#[derive(Debug, Clone, Copy)]
pub struct Around<'a> {
    /// Before the move.
    pub before: &'a ConceptScores,
    /// Scores after the move.
    pub after: &'a ConceptScores,
    /// After the expected reply too.
    pub after_reply: Option<&'a ConceptScores>,
    /// What probes of changes say, where there are any. Only [`Rule::Ours`] asks them.
    pub predicted: Option<&'a Predicted>,
}

/// All 21 concepts for the mover of a move, in the order of `rule`.
///
/// Where [`Rule::Ours`] has probes of changes, a concept's score after the move is its score before it and the change
/// that they predict: one that is fitted on changes knows them far better than the difference of two scores does.
///
/// `around`: scores in the scale that the rule asks for, see [`ProbeSet::scores_for`](super::ProbeSet::scores_for).
#[must_use]
pub fn prioritised(rule: Rule, around: &Around, mover: Color) -> Vec<ConceptChange> {
    let mut changes = priorities(around.before, around.after, around.after_reply, mover);
    match (rule, around.predicted) {
        (Rule::Ours, Some(predicted)) => {
            for change in &mut changes {
                change.predict(predicted, mover);
            }
            // A stable sort keeps the order by size among equals.
            changes.sort_by(|a, b| {
                let rank = |change: &ConceptChange| change.rank.unwrap_or(f32::NEG_INFINITY);
                rank(b).total_cmp(&rank(a))
            });
        }
        (Rule::Ours | Rule::Paper, _) => {}
        (Rule::Authors, _) => changes.sort_by(|a, b| rise(b, mover).total_cmp(&rise(a, mover))),
    }
    changes
}

impl ConceptChange {
    fn predict(&mut self, predicted: &Predicted, mover: Color) {
        let in_frame = match mover {
            Color::White => self.concept,
            Color::Black => self.concept.mirrored(),
        };
        // A side's change is in its own view: what the opponent gains the mover loses.
        let sign = if in_frame.side == Some(Color::Black) { -1.0 } else { 1.0 };
        let own = |all: &[f32; 21]| Some(sign * all[in_frame.index()]).filter(|change| change.is_finite());
        let Some(change) = own(&predicted.change) else { return };
        self.after = self.before + change;
        self.after_reply = predicted
            .settled
            .as_ref()
            .and_then(own)
            .map(|change| self.before + change);
        self.rank = Some(predicted.rank[in_frame.index()]).filter(|rank| rank.is_finite());
    }
}

/// By how much a concept's own score (White's view for the totals) rises from before the move to after the move and its
/// best reply.
fn rise(change: &ConceptChange, mover: Color) -> f32 {
    let own = change.concept.side.unwrap_or(Color::White) == mover;
    if own { change.settled() } else { 0.0 - change.settled() }
}

/// All 21 concepts for the mover of a move, those that it changed most first; ties by what is left after the reply,
/// then in the order of Table 6.
#[must_use]
pub fn priorities(
    before: &ConceptScores,
    after: &ConceptScores,
    after_reply: Option<&ConceptScores>,
    mover: Color,
) -> Vec<ConceptChange> {
    let mut changes: Vec<ConceptChange> = Concept::ALL
        .into_iter()
        .map(|concept| ConceptChange {
            concept,
            before: before.for_mover(concept, mover),
            after: after.for_mover(concept, mover),
            after_reply: after_reply.map(|scores| scores.for_mover(concept, mover)),
            rank: None,
        })
        .collect();
    // A stable sort keeps Table 6's order among equals.
    changes.sort_by(|a, b| match larger_first(a.change(), b.change()) {
        Ordering::Equal => larger_first(a.settled(), b.settled()),
        decided => decided,
    });
    changes
}

fn larger_first(a: f32, b: f32) -> Ordering {
    b.abs().total_cmp(&a.abs())
}

/// How many concepts a prompt names, as in the paper.
pub const NAMED: usize = 5;

/// The first [`NAMED`] concepts by the rule of the paper's released code: by how far their **own** score (White's view
/// for the totals) rises from before the move to after the move and its best reply, with its sign, from high to low. So a
/// concept of the mover's opponent that rises is among them, and one that the move wrecks comes last. Where fewer than
/// five rise, the code fills up with those that stay or fall, and so is done here.
///
/// The paper's text (3.1.2) says less: the concepts "most influenced", by the scores before and after the move.
#[must_use]
pub fn risen(changes: &[ConceptChange], mover: Color) -> Vec<(&ConceptChange, f32)> {
    let mut risen: Vec<(&ConceptChange, f32)> = changes.iter().map(|change| (change, rise(change, mover))).collect();
    risen.retain(|(_, rise)| rise.is_finite());
    // A stable sort keeps the order given among equals.
    risen.sort_by(|a, b| b.1.total_cmp(&a.1));
    risen.truncate(NAMED);
    risen
}

/// The changes that help the mover, in the order given.
pub fn raised(changes: &[ConceptChange]) -> impl Iterator<Item = &ConceptChange> {
    changes.iter().filter(|change| change.change() > 0.0)
}

/// The changes that hurt the mover, in the order given.
pub fn lowered(changes: &[ConceptChange]) -> impl Iterator<Item = &ConceptChange> {
    changes.iter().filter(|change| change.change() < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn scores(set: &[(&str, f32)]) -> ConceptScores {
        let mut raw = [0.0; 21];
        for (name, score) in set {
            raw[Concept::from_name(name).unwrap().index()] = *score;
        }
        ConceptScores::new(raw)
    }

    fn names<'a>(changes: impl IntoIterator<Item = &'a ConceptChange>) -> Vec<&'static str> {
        changes.into_iter().map(|change| change.concept.name()).collect()
    }

    #[test]
    fn the_largest_change_comes_first_whoever_it_helps() {
        let before = scores(&[("White Kingsafety", 0.9), ("Black Mobility", 0.5)]);
        let after = scores(&[("White Kingsafety", -0.3), ("Black Mobility", 0.2), ("Material", 0.5)]);
        let for_white = priorities(&before, &after, None, Color::White);
        assert_eq!(
            names(&for_white[..4]),
            ["White Kingsafety", "Material", "Black Mobility", "Imbalance"]
        );
        assert_eq!(
            (for_white[0].before, for_white[0].after, for_white[0].change()),
            (0.9, -0.3, -1.2)
        );
        assert_eq!(names(raised(&for_white)), ["Material", "Black Mobility"]);
        assert_eq!(names(lowered(&for_white)), ["White Kingsafety"]);
        let for_black = priorities(&before, &after, None, Color::Black);
        assert_eq!(names(&for_black), names(&for_white));
        assert_eq!(names(raised(&for_black)), ["White Kingsafety"]);
        assert_eq!(for_black[1].change(), -0.5);
    }

    #[test]
    fn the_paper_names_what_rises_whoever_it_helps() {
        let before = scores(&[("White Kingsafety", 0.9), ("Black Threats", 0.1), ("Material", 1.0)]);
        let after = scores(&[
            ("White Kingsafety", -0.9),
            ("Black Threats", 0.3),
            ("Black Space", 0.4),
            ("Material", 1.0),
        ]);
        let reply = scores(&[
            ("White Kingsafety", 0.2),
            ("Black Threats", 0.9),
            ("White Rooks", 0.1),
            ("Material", 0.5),
        ]);
        for mover in Color::ALL {
            let changes = priorities(&before, &after, Some(&reply), mover);
            let named = risen(&changes, mover);
            let names: Vec<&str> = named.iter().map(|(change, _)| change.concept.name()).collect();
            // Table 6's order or its size first among those that stay: as `priorities` has them.
            assert_eq!(names.len(), NAMED);
            assert_eq!(
                names[..2],
                ["Black Threats", "White Rooks"],
                "after the reply, the opponent's too"
            );
            assert!(named[2..].iter().all(|(_, rise)| *rise == 0.0));
            assert_eq!(named[0].1, 0.8);
        }
        // What falls fills up, the smallest fall first.
        let falling = ConceptScores::new(std::array::from_fn(|i| -(i as f32)));
        let changes = priorities(&scores(&[]), &falling, None, Color::White);
        let rises: Vec<f32> = risen(&changes, Color::White).iter().map(|(_, rise)| *rise).collect();
        assert_eq!(rises, [0.0, -1.0, -2.0, -3.0, -4.0]);
        let all = ConceptScores::new([1.0; 21]);
        let changes = priorities(&scores(&[]), &all, None, Color::Black);
        assert_eq!(risen(&changes, Color::Black).len(), NAMED);
    }

    #[test]
    fn rules_differ_in_what_they_put_first() {
        let before = scores(&[("White Kingsafety", 0.5)]);
        let after = scores(&[("White Kingsafety", -2.0), ("Black Threats", 1.0), ("Material", 0.25)]);
        let reply = scores(&[("White Kingsafety", 0.0), ("White Rooks", 0.75), ("Black Threats", 0.5)]);
        let predicted = Predicted {
            change: [0.125; 21],
            settled: None,
            rank: std::array::from_fn(|i| i as f32),
        };
        let around = Around {
            before: &before,
            after: &after,
            after_reply: Some(&reply),
            predicted: Some(&predicted),
        };
        let order = |rule, mover| {
            let changes = prioritised(rule, &around, mover);
            names(&changes).into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        for mover in Color::ALL {
            // The difference of the scores before and after the move alone, whoever is helped; predictions are not asked.
            assert_eq!(
                order(Rule::Paper, mover)[..3],
                ["White Kingsafety", "Black Threats", "Material"]
            );
            // After the reply, each concept's own score, with its sign.
            let authors = order(Rule::Authors, mover);
            assert_eq!(authors[..2], ["White Rooks", "Black Threats"]);
            assert_eq!(authors[20], "White Kingsafety");
        }
        assert_eq!(order(Rule::Ours, Color::White)[0], "Black Passedpawns");
        assert_eq!(order(Rule::Ours, Color::Black)[0], "White Passedpawns");
        let paper = prioritised(Rule::Paper, &around, Color::White);
        assert!(paper.iter().all(|change| change.rank.is_none()));
    }

    #[test]
    fn ties_fall_to_what_lasts_then_to_table_6() {
        // 0.57 − 0.47 and 0.13 − 0.03 differ in their last bits.
        let before = scores(&[("White Space", 0.47), ("White Knights", 0.03), ("Black Rooks", 0.2)]);
        let after = scores(&[("White Space", 0.57), ("White Knights", 0.13), ("Black Rooks", 0.1)]);
        let tied = priorities(&before, &after, None, Color::White);
        assert_eq!(names(&tied[..3]), ["White Knights", "Black Rooks", "White Space"]);
        let reply = scores(&[("White Space", 0.77), ("White Knights", 0.01), ("Black Rooks", 0.2)]);
        let settled = priorities(&before, &after, Some(&reply), Color::White);
        assert_eq!(names(&settled[..3]), ["White Space", "White Knights", "Black Rooks"]);
        assert_eq!((settled[0].settled(), settled[0].lasting()), (0.3, true));
        assert_eq!((settled[1].settled(), settled[1].lasting()), (-0.02, false));
        assert_eq!((settled[2].settled(), settled[2].lasting()), (0.0, false));
        assert!(tied[0].lasting());
    }

    proptest! {
        #[test]
        fn all_are_there_sorted_and_mirrored(
            before in proptest::array::uniform21(-50.0f32..50.0),
            after in proptest::array::uniform21(-50.0f32..50.0),
        ) {
            let (before, after) = (ConceptScores::new(before), ConceptScores::new(after));
            let changes = priorities(&before, &after, Some(&before), Color::White);
            prop_assert_eq!(changes.len(), 21);
            prop_assert!(changes.is_sorted_by(|a, b| a.change().abs() >= b.change().abs()));
            let mirrored = priorities(&before.mirrored(), &after.mirrored(), Some(&before.mirrored()), Color::Black);
            for change in &changes {
                let twin = mirrored.iter().find(|other| other.concept == change.concept.mirrored()).unwrap();
                prop_assert_eq!((twin.before, twin.after), (change.before, change.after));
            }
        }
    }
}
