//! Linear probes on a network's residual blocks: the paper's concept vectors.
//!
//! A probe is fitted in the **mover's frame**, since that is how the network sees the board: "our knights" and "their
//! knights", material as the mover has it. Its decision value of a position is `w·a + b`, positive where it holds that
//! there is much of the concept; its **score** is the decision value over its spread on ordinary positions, so that the
//! scores of different concepts can be compared. When shown, scores are mapped to White and Black by the side to move.
//! [`probe_file`](super::probe_file) has the file format.

use std::collections::BTreeSet;

use half::f16;
use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::concept::frame_name;
use super::control::ControlFigures;
use super::difference::ChangeProbes;
use super::layer::{Layer, WrongActivations};
use super::men::Men;
use super::rule::{CLIP, Rule};
use super::{Concept, ConceptScores};

/// How a probe was made and how good it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProbeCard {
    /// The concept in the mover's frame: `Material`, `Our Knights`, `Their Kingsafety`, … ([`frame_name`]); a name of
    /// its own for a concept beside the 21.
    pub name: String,
    /// What it reads.
    pub layer: Layer,
    /// Where the labels came from, for example `stockfish@8.0.0 eval, mid-game`.
    pub labels: String,
    /// Positions it was fitted on.
    pub n: u64,
    /// The support vector machine's C, on standardised activations.
    pub c: f64,
    /// The seed of the split and of the ties.
    pub seed: u64,
    /// Share of the test positions at the tails that are judged rightly, 0..1; so the two below.
    pub accuracy: f64,
    /// True positives among those judged positive.
    pub precision: f64,
    /// True positives among the positive ones.
    pub recall: f64,
    /// Of the test positions between the tails: how often one above their median is scored above one that is not.
    /// `None` where it is not defined (all labels equal).
    pub auc: Option<f64>,
    /// Rank correlation of scores and labels over all test positions. `None` where it is not defined.
    pub spearman: Option<f64>,
    /// What the same fit reaches without what training put into the network; empty where no control was fitted.
    #[serde(default, skip_serializing_if = "ControlFigures::is_empty")]
    pub controls: ControlFigures,
    /// Mean decision value over the reference set: all test positions, tails and middle.
    pub mean: f64,
    /// Standard deviation of the decision value over the reference set; positive. A score is in units of it.
    pub spread: f64,
    /// `b` of `w·a + b`.
    pub bias: f32,
    /// What the stored weights are to be multiplied by to give `w`. The largest stored weight is 1, so that none gets
    /// lost in half precision.
    pub scale: f32,
}

/// A probe: its card and `w`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    /// How it was made.
    pub card: ProbeCard,
    /// `w` over [`ProbeCard::scale`], one a number of the layer's row; each a number that half precision holds.
    weights: Vec<f32>,
}

/// Probes for the 21 concepts, and perhaps for others, bound to the network whose activations they read.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbeSet {
    /// SHA-256 of the network file, lower-case hexadecimal.
    pub(super) network: String,
    /// Of the network.
    pub(super) filters: usize,
    /// The 21 in the order of [`Concept::ALL`], White standing for the mover; then the extra ones.
    pub(super) probes: Vec<Probe>,
    /// Probes of changes, where there are any.
    pub(super) changes: Option<ChangeProbes>,
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

/// Probes that make no set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSet {
    /// No SHA-256.
    #[error("the network of the probes is not named by a SHA-256")]
    Network,
    /// Not 1 to 2048.
    #[error("the probes claim a network of {found} filters")]
    Filters {
        /// What was claimed.
        found: usize,
    },
    /// The 21 concepts are not there in order.
    #[error("there should be {wanted:?} as probe number {number}")]
    Concepts {
        /// The name that is missing there.
        wanted: String,
        /// From 1.
        number: usize,
    },
    /// Two probes of one name, or one without a name.
    #[error("two probes are named {name:?}, or a name is empty")]
    Name {
        /// The name.
        name: String,
    },
    /// The weights are more or fewer than the layer's row has numbers.
    #[error("the probe {name:?} has {found} weights for {wanted} activations")]
    Width {
        /// The probe.
        name: String,
        /// Numbers in the layer's row.
        wanted: usize,
        /// Weights that the file has.
        found: usize,
    },
    /// A weight, bias or figure that is not a number, or a spread that is not positive.
    #[error("the probe {name:?} holds a value that is not a number, or no spread")]
    Value {
        /// The probe.
        name: String,
    },
}

/// The paper's mean test accuracy (0.91), rounded down: what is worse than most of its probes is not spoken of.
const TRUSTED_ACCURACY: f64 = 0.9;
/// Users' positions are between the tails: a probe that only tells the extremes apart guides nobody there. At 0.5 its
/// ranks explain a quarter of the labels' spread.
const TRUSTED_SPEARMAN: f64 = 0.5;
/// How often a probe of changes must have the direction of the larger changes right ([`ConceptFigures::sign`]): four
/// times in five. Smaller ones are not spoken of.
///
/// [`ConceptFigures::sign`]: super::difference::figures::ConceptFigures::sign
const TRUSTED_SIGN: f64 = 0.8;
/// The most filters a network may have.
const FILTERS_LIMIT: usize = 2048;

impl ProbeSet {
    /// A set for the network with this hash and this many filters. `probes`: the 21 in the order of [`Concept::ALL`]
    /// by their names in the mover's frame, then others.
    ///
    /// # Errors
    /// When they make no set.
    pub fn new(network: &str, filters: usize, probes: Vec<Probe>) -> Result<Self, NoSet> {
        check_names(network, filters, probes.iter().map(|probe| probe.card.name.as_str()))?;
        for probe in &probes {
            let name = || probe.card.name.clone();
            let wanted = probe.card.layer.width(filters);
            if probe.weights.len() != wanted {
                return Err(NoSet::Width {
                    name: name(),
                    wanted,
                    found: probe.weights.len(),
                });
            }
            if !probe.is_sound() {
                return Err(NoSet::Value { name: name() });
            }
        }
        Ok(Self {
            network: network.to_ascii_lowercase(),
            filters,
            probes,
            changes: None,
        })
    }

    /// The same with probes of changes.
    ///
    /// # Errors
    /// When they are of a network with another number of filters.
    pub fn with_changes(mut self, changes: ChangeProbes) -> Result<Self, NoSet> {
        if changes.filters() != self.filters {
            return Err(NoSet::Filters {
                found: changes.filters(),
            });
        }
        self.changes = Some(changes);
        Ok(self)
    }

    /// The same with another set's probes of changes, where this one has none and both belong to the same network: a new fit
    /// of the probes of positions takes nothing away.
    #[must_use]
    pub fn keeping_changes_of(mut self, other: &Self) -> Self {
        if self.changes.is_none() && self.filters == other.filters && other.check_network(&self.network).is_ok() {
            self.changes.clone_from(&other.changes);
        }
        self
    }

    /// The same with these probes: each in the place of the one of its name, or after all others.
    ///
    /// # Errors
    /// When they don't fit the network.
    pub fn with_probes(mut self, probes: Vec<Probe>) -> Result<Self, NoSet> {
        for probe in probes {
            match self.probes.iter_mut().find(|old| old.card.name == probe.card.name) {
                Some(old) => *old = probe,
                None => self.probes.push(probe),
            }
        }
        let changes = self.changes;
        let whole = Self::new(&self.network, self.filters, self.probes)?;
        Ok(Self { changes, ..whole })
    }

    /// The probes of changes, where the set has them.
    #[must_use]
    pub const fn changes(&self) -> Option<&ChangeProbes> {
        self.changes.as_ref()
    }

    /// SHA-256 of the network the probes belong to.
    #[must_use]
    pub fn network(&self) -> &str {
        &self.network
    }

    /// Filters of that network.
    #[must_use]
    pub const fn filters(&self) -> usize {
        self.filters
    }

    /// The layers that are read, each once.
    #[must_use]
    pub fn layers(&self) -> BTreeSet<&Layer> {
        self.probes.iter().map(|probe| &probe.card.layer).collect()
    }

    /// The blocks that are read, by probes of changes too, numbered from 1.
    #[must_use]
    pub fn blocks(&self) -> BTreeSet<u8> {
        let of_changes = self.changes.iter().flat_map(ChangeProbes::blocks);
        let own = self.layers().into_iter().flat_map(Layer::blocks);
        own.chain(of_changes).copied().collect()
    }

    /// All probes, the 21 first.
    #[must_use]
    pub fn all(&self) -> &[Probe] {
        &self.probes
    }

    /// The probes of the 21 concepts, in the order of [`Concept::ALL`], White standing for the mover.
    #[must_use]
    pub fn probes(&self) -> &[Probe] {
        &self.probes[..Concept::ALL.len()]
    }

    /// The concepts, White's and Black's, of whose changes by `rule` too little is known to rest a sentence on: which
    /// side's a probe reads depends on who is to move, so both must be good. Whoever gives the changes is judged by its
    /// own figures: the probes of changes where the rule asks them and there are any, else those of positions.
    #[must_use]
    pub fn doubted(&self, rule: Rule) -> Vec<Concept> {
        let of_changes = self.changes.as_ref().filter(|_| rule == Rule::Ours);
        let good = |concept: Concept| {
            let follows = |spearman: Option<f64>| spearman.is_some_and(|rho| rho >= TRUSTED_SPEARMAN);
            if let Some(head) = of_changes.and_then(|changes| changes.card().heads.get(concept.index())) {
                let figures = &head.figures;
                return follows(figures.spearman) && figures.sign.is_some_and(|share| share >= TRUSTED_SIGN);
            }
            let card = &self.probes[concept.index()].card;
            card.accuracy >= TRUSTED_ACCURACY && follows(card.spearman)
        };
        Concept::ALL
            .into_iter()
            .filter(|&concept| !good(concept) || !good(concept.mirrored()))
            .collect()
    }

    /// The probes of other concepts; there may be none.
    #[must_use]
    pub fn extra(&self) -> &[Probe] {
        &self.probes[Concept::ALL.len()..]
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

    /// The decision values of a position in the order of [`ProbeSet::all`], in the mover's frame.
    ///
    /// `activations`: every block's, the first block first; blocks that no probe reads may be empty. `men`: where they
    /// stand, as the network sees the board.
    ///
    /// # Errors
    /// When a block that is read is missing or has another size.
    pub fn decisions<B: AsRef<[f32]>>(&self, activations: &[B], men: &Men) -> Result<Vec<f32>, WrongActivations> {
        let mut decisions = vec![0.0; self.probes.len()];
        let mut row = Vec::new();
        for layer in self.layers() {
            row.clear();
            layer.gather(activations, men, self.filters, &mut row)?;
            for (decision, probe) in decisions.iter_mut().zip(&self.probes) {
                if probe.card.layer == *layer {
                    *decision = probe.decision(&row);
                }
            }
        }
        Ok(decisions)
    }

    /// The concepts' **standardised** scores of a position with `turn` to move: decision values over the probes'
    /// spreads. `activations` and `men` as for [`ProbeSet::decisions`].
    ///
    /// # Errors
    /// When a block that is read is missing or has another size.
    pub fn scores<B: AsRef<[f32]>>(
        &self,
        activations: &[B],
        men: &Men,
        turn: Color,
    ) -> Result<ConceptScores, WrongActivations> {
        self.scores_for(Rule::Ours, activations, men, turn)
    }

    /// Scores in the scale that a rule of priority asks for: standardised ones ([`ProbeSet::scores`]), decision values, or
    /// decision values clipped to ±[`CLIP`].
    ///
    /// # Errors
    /// When a block that is read is missing or has another size.
    pub fn scores_for<B: AsRef<[f32]>>(
        &self,
        rule: Rule,
        activations: &[B],
        men: &Men,
        turn: Color,
    ) -> Result<ConceptScores, WrongActivations> {
        Ok(self.scores_of(rule, &self.decisions(activations, men)?, turn))
    }

    /// The same from a position's decision values, as [`ProbeSet::decisions`] gives them; what is missing counts as 0.
    #[must_use]
    pub fn scores_of(&self, rule: Rule, decisions: &[f32], turn: Color) -> ConceptScores {
        let score = |decision: f32, probe: &Probe| match rule {
            Rule::Ours => probe.standardised(decision),
            Rule::Paper => decision,
            Rule::Authors => decision.clamp(-CLIP, CLIP),
        };
        let mut in_frame = [0.0; 21];
        for ((own, decision), probe) in in_frame.iter_mut().zip(decisions).zip(&self.probes) {
            *own = score(*decision, probe);
        }
        let as_white = ConceptScores::new(in_frame);
        // With Black to move "ours" is Black's, and a total that is good for the mover is bad for White.
        turn.fold_wb(as_white, as_white.mirrored())
    }
}

/// Checks what can be decided from a set's names alone.
pub(super) fn check_names<'a>(
    network: &str,
    filters: usize,
    names: impl Iterator<Item = &'a str>,
) -> Result<(), NoSet> {
    if network.len() != 64 || !network.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(NoSet::Network);
    }
    if !(1..=FILTERS_LIMIT).contains(&filters) {
        return Err(NoSet::Filters { found: filters });
    }
    let names: Vec<&str> = names.collect();
    for (i, concept) in Concept::ALL.into_iter().enumerate() {
        let wanted = frame_name(concept);
        if names.get(i) != Some(&wanted.as_str()) {
            return Err(NoSet::Concepts { wanted, number: i + 1 });
        }
    }
    let mut seen = BTreeSet::new();
    match names.iter().find(|name| name.is_empty() || !seen.insert(**name)) {
        Some(name) => Err(NoSet::Name {
            name: (*name).to_owned(),
        }),
        None => Ok(()),
    }
}

impl Probe {
    /// A probe that judges by `w·a + b`. Sets the card's bias and scale; the weights are rounded to what a file holds,
    /// so that the probe judges as the one that is read back.
    #[must_use]
    pub fn new(mut card: ProbeCard, w: &[f32], b: f32) -> Self {
        let largest = w.iter().fold(0.0_f32, |most, w| most.max(w.abs()));
        card.bias = b;
        card.scale = if largest > 0.0 { largest } else { 1.0 };
        let weights = w.iter().map(|&w| f16::from_f32(w / card.scale).to_f32()).collect();
        Self { card, weights }
    }

    /// A probe that says 0 of every position, for a concept whose labels did not suffice for `reason`: the set is whole,
    /// and nothing is ever said of that concept. `width`: numbers in a row of [`Layer::block`] 1.
    #[must_use]
    pub fn silent(name: &str, reason: &str, seed: u64, width: usize) -> Self {
        let card = ProbeCard {
            name: name.to_owned(),
            layer: Layer::block(1),
            labels: reason.to_owned(),
            n: 0,
            c: 0.0,
            seed,
            accuracy: 0.0,
            precision: 0.0,
            recall: 0.0,
            auc: None,
            spearman: None,
            controls: ControlFigures::default(),
            mean: 0.0,
            spread: 1.0,
            bias: 0.0,
            scale: 1.0,
        };
        Self::new(card, &vec![0.0; width], 0.0)
    }

    /// A decision value in units of the probe's spread.
    #[must_use]
    pub fn standardised(&self, decision: f32) -> f32 {
        (f64::from(decision) / self.card.spread) as f32
    }

    /// True for a [silent](Probe::silent) probe: it was learnt from nothing.
    #[must_use]
    pub const fn is_silent(&self) -> bool {
        self.card.n == 0
    }

    /// A probe as it is stored.
    pub(super) const fn stored(card: ProbeCard, weights: Vec<f32>) -> Self {
        Self { card, weights }
    }

    /// `w` over [`ProbeCard::scale`].
    #[must_use]
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// `w·a + b` of a row of its layer, summed in double precision so that the order of the sum doesn't show.
    #[must_use]
    pub fn decision(&self, row: &[f32]) -> f32 {
        let dot: f64 = self
            .weights
            .iter()
            .zip(row)
            .map(|(&w, &a)| f64::from(w) * f64::from(a))
            .sum();
        (dot * f64::from(self.card.scale) + f64::from(self.card.bias)) as f32
    }

    fn is_sound(&self) -> bool {
        let card = &self.card;
        let figures = [
            card.c,
            card.accuracy,
            card.precision,
            card.recall,
            card.mean,
            card.spread,
        ];
        card.bias.is_finite()
            && card.scale.is_finite()
            && card.spread > 0.0
            && figures.iter().all(|figure| figure.is_finite())
            && self.weights.iter().all(|weight| weight.is_finite())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::concepts) fn card(name: &str, layer: &str) -> ProbeCard {
        ProbeCard {
            name: name.into(),
            layer: layer.parse().unwrap(),
            labels: "synthetic".into(),
            n: 100,
            c: 0.01,
            seed: 7,
            accuracy: 0.9,
            precision: 0.9,
            recall: 0.9,
            auc: Some(0.75),
            spearman: None,
            controls: ControlFigures::default(),
            mean: 0.0,
            spread: 2.0,
            bias: 0.0,
            scale: 1.0,
        }
    }

    /// One filter. Probe i reads squares 1 to 3 of block 2 (odd ones: of block 1) with weights (i, 1, −0.5), all else
    /// 0, and has the bias i/4. Then there is "Fork", which reads block 2's maximum.
    pub(in crate::concepts) fn synthetic() -> ProbeSet {
        let mut probes: Vec<Probe> = Concept::ALL
            .into_iter()
            .enumerate()
            .map(|(i, concept)| {
                let layer = if i % 2 == 1 { "block 1" } else { "block 2" };
                let mut w = vec![0.0; 64];
                w[..3].copy_from_slice(&[i as f32, 1.0, -0.5]);
                Probe::new(card(&frame_name(concept), layer), &w, i as f32 / 4.0)
            })
            .collect();
        let mut w = vec![0.0; 66];
        w[65] = 3.0;
        probes.push(Probe::new(card("Fork", "block 2 with pools"), &w, -1.0));
        ProbeSet::new(&"AB".repeat(32), 1, probes).unwrap()
    }

    /// Both blocks begin with 2, 3, 4.
    fn activations() -> [Vec<f32>; 2] {
        let mut block = vec![0.0; 64];
        block[..3].copy_from_slice(&[2.0, 3.0, 4.0]);
        [block.clone(), block]
    }

    #[test]
    fn weak_probes_are_doubted_on_both_sides() {
        let mut set = synthetic();
        for probe in &mut set.probes {
            (probe.card.accuracy, probe.card.spearman) = (0.95, Some(0.8));
        }
        assert!(set.doubted(Rule::Ours).is_empty());
        let named = |name| Concept::from_name(name).unwrap();
        set.probes[named("White Knights").index()].card.accuracy = 0.7;
        set.probes[named("Material").index()].card.spearman = None;
        let doubted = [named("Material"), named("White Knights"), named("Black Knights")];
        for rule in Rule::ALL {
            assert_eq!(set.doubted(rule), doubted);
        }
        // Probes of changes are judged by what they get right of changes, where the rule asks them.
        let mut changes = crate::concepts::difference::probe::tests::made(set.filters, 1);
        for head in &mut changes.card.heads {
            (head.figures.spearman, head.figures.sign) = (Some(0.7), Some(0.9));
        }
        changes.card.heads[named("Black Space").index()].figures.sign = Some(0.7);
        let set = set.with_changes(changes).unwrap();
        assert_eq!(set.doubted(Rule::Ours), [named("White Space"), named("Black Space")]);
        assert_eq!(set.doubted(Rule::Paper), doubted);
    }

    #[test]
    fn probes_are_added_to_a_set_and_replaced_in_it() {
        let set = synthetic()
            .with_changes(crate::concepts::difference::probe::tests::made(1, 3))
            .unwrap();
        let probe = |name: &str, bias| Probe::new(card(name, "block 1"), &[0.0; 64], bias);
        let more = set
            .clone()
            .with_probes(vec![
                probe("Our Open File", 2.0),
                probe("Fork", 3.0),
                probe("Our Rooks", 4.0),
            ])
            .unwrap();
        assert_eq!(more.all().len(), set.all().len() + 1);
        assert_eq!(more.all()[22].card.name, "Our Open File");
        assert_eq!((more.all()[21].card.bias, more.all()[7].card.bias), (3.0, 4.0));
        assert_eq!(more.changes(), set.changes());
        assert_eq!(ProbeSet::read(&more.write()).unwrap(), more);
        let wide = Probe::new(card("Our Open File", "blocks 1+2"), &[0.0; 64], 0.0);
        assert!(matches!(set.with_probes(vec![wide]), Err(NoSet::Width { .. })));
    }

    #[test]
    fn a_silent_probe_makes_the_set_whole_and_says_nothing() {
        let mut set = synthetic();
        let filters = set.filters;
        let queens = Concept::from_name("White Queens").unwrap();
        set.probes[queens.index()] = Probe::silent(&frame_name(queens), "not enough labels", 1, filters * 64);
        let set = ProbeSet::new(&set.network, filters, set.probes).unwrap();
        let set = ProbeSet::read(&set.write()).unwrap();
        assert!(set.probes()[queens.index()].is_silent() && !set.probes()[0].is_silent());
        let blocks: Vec<Vec<f32>> = (0..6).map(|_| vec![1.0; filters * 64]).collect();
        assert_eq!(
            set.scores(&blocks, &Men::default(), Color::White).unwrap().get(queens),
            0.0
        );
    }

    #[test]
    fn standardised_scores_are_mapped_to_the_colours() {
        let set = synthetic();
        // Probe i: 2·i + 3 − 0.5·4 + i/4 = 2.25·i + 1. Half precision keeps ⅟i to one part in 2,048.
        let scores = set.scores(&activations(), &Men::default(), Color::White).unwrap();
        for (i, (_, score)) in scores.iter().enumerate() {
            let wanted = (2.25 * i as f32 + 1.0) / 2.0;
            assert!((score - wanted).abs() < 0.01, "{i}: {score} {wanted}");
        }
        let black = set.scores(&activations(), &Men::default(), Color::Black).unwrap();
        let named = |scores: &ConceptScores, name| scores.get(Concept::from_name(name).unwrap());
        assert_eq!(named(&black, "Material"), -0.5);
        assert_eq!(named(&black, "Black Knights"), named(&scores, "White Knights"));
        assert_eq!(named(&black, "White Knights"), named(&scores, "Black Knights"));
    }

    #[test]
    fn decisions_are_raw_and_include_the_extra_concepts() {
        let decisions = synthetic().decisions(&activations(), &Men::default()).unwrap();
        assert_eq!(decisions.len(), 22);
        assert_eq!((decisions[0], decisions[21]), (1.0, 3.0 * 4.0 - 1.0));
    }

    #[test]
    fn the_set_says_what_it_reads() {
        let set = synthetic();
        let layers: Vec<String> = set.layers().into_iter().map(ToString::to_string).collect();
        assert_eq!(layers, ["block 1", "block 2", "block 2 with pools"]);
        assert_eq!(set.blocks().into_iter().collect::<Vec<_>>(), [1, 2]);
        assert_eq!((set.probes().len(), set.extra().len(), set.filters()), (21, 1, 1));
        assert_eq!(set.network(), "ab".repeat(32));
    }

    #[test]
    fn weights_far_below_half_precision_are_kept() {
        let mut w = vec![0.0; 64];
        w[..2].copy_from_slice(&[4e-9, -1e-9]);
        let probe = Probe::new(card("Material", "block 1"), &w, 0.0);
        let decision = probe.decision(&activations()[0]);
        assert!((decision - 5e-9).abs() < 1e-12, "{decision}");
    }

    #[test]
    fn another_network_and_other_activations_are_refused() {
        let set = synthetic();
        assert_eq!(set.check_network(&"AB".repeat(32)), Ok(()));
        let error = set.check_network(&"cd".repeat(32)).unwrap_err();
        assert_eq!(error.wanted, "ab".repeat(32));
        let [one, _] = activations();
        assert_eq!(
            set.scores(&[one], &Men::default(), Color::White),
            Err(WrongActivations::NoBlock { block: 2, found: 1 })
        );
    }

    #[test]
    fn what_makes_no_set_is_named() {
        let set = synthetic();
        let make = |change: &dyn Fn(&mut Vec<Probe>)| {
            let mut probes = set.probes.clone();
            change(&mut probes);
            ProbeSet::new(&set.network, 1, probes).unwrap_err()
        };
        assert!(matches!(make(&|p| p.truncate(20)), NoSet::Concepts { number: 21, .. }));
        assert!(matches!(make(&|p| p.swap(0, 1)), NoSet::Concepts { number: 1, .. }));
        assert!(matches!(make(&|p| p.push(p[21].clone())), NoSet::Name { name } if name == "Fork"));
        assert!(matches!(make(&|p| p[21].card.name.clear()), NoSet::Name { .. }));
        assert!(matches!(make(&|p| p[3].card.spread = 0.0), NoSet::Value { .. }));
        assert!(matches!(make(&|p| p[3].weights[1] = f32::NAN), NoSet::Value { .. }));
        assert!(matches!(
            make(&|p| p[3].card.layer = "blocks 1+2".parse().unwrap()),
            NoSet::Width {
                wanted: 128,
                found: 64,
                ..
            }
        ));
        assert_eq!(ProbeSet::new("abc", 1, set.probes.clone()), Err(NoSet::Network));
        assert_eq!(
            ProbeSet::new(&set.network, 0, set.probes.clone()),
            Err(NoSet::Filters { found: 0 })
        );
    }
}
