//! Numbers into proposals: where a claim is anchored, which it is, which chunks fill its slots.

use ndarray::{Array1, Array2, Axis, s};

use super::{
    super::super::statement::{Mode, Predicate, Qualifier},
    encoder::by_distance,
    file::{Linear, Weights, WeightsError},
};

/// As trained: numbers that a slot's question and a chunk's answer have.
const KEY: usize = 32;

/// What a claim's chunks are to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// Of whom it is said, or who does it.
    Subject,
    /// Whom it is done to.
    Object,
    /// The man behind.
    Behind,
    /// The side.
    Side,
    /// The moves.
    Moves,
    /// The files.
    Files,
    /// A number, an amount, men that are counted.
    Number,
    /// What stands against those.
    Against,
}

/// As trained.
const SLOTS: usize = 8;

/// The order in which training has the qualifiers; the first is none.
const QUALIFIERS: [Option<Qualifier>; 16] = [
    None,
    Some(Qualifier::Slight),
    Some(Qualifier::Clear),
    Some(Qualifier::Winning),
    Some(Qualifier::MoreThan),
    Some(Qualifier::LessThan),
    Some(Qualifier::About),
    Some(Qualifier::Good),
    Some(Qualifier::Inaccuracy),
    Some(Qualifier::Mistake),
    Some(Qualifier::Blunder),
    Some(Qualifier::Kingside),
    Some(Qualifier::Queenside),
    Some(Qualifier::Opening),
    Some(Qualifier::Middlegame),
    Some(Qualifier::Endgame),
];

/// The order in which training has the modes.
const MODES: [Mode; 4] = [Mode::Asserted, Mode::Supposed, Mode::Wished, Mode::Asked];

/// The least probability of a claim that is proposed at all.
const LEAST: f32 = 0.3;

/// A claim that a sentence may make.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// What is said.
    pub predicate: Predicate,
    /// "Has castled": trained as a predicate of its own.
    pub castled: bool,
    /// How likely it is that this is said.
    pub probability: f32,
    /// The chunk it is anchored at; `None` for the sentence.
    pub at: Option<usize>,
    slots: [Option<usize>; SLOTS],
    /// It is denied.
    pub denied: bool,
    /// It is said of the other side's standing: "White is lost".
    pub other: bool,
    /// It was so before.
    pub was: bool,
    /// In which way.
    pub mode: Mode,
    /// A word more.
    pub qualifier: Option<Qualifier>,
}

impl Proposal {
    /// The chunk of a slot.
    pub fn chunk(&self, slot: Slot) -> Option<usize> {
        self.slots[slot as usize]
    }

    /// The chunks from its first to behind its last.
    pub fn chunks(&self) -> Option<(usize, usize)> {
        let all = || self.slots.iter().flatten().copied().chain(self.at);
        Some((all().min()?, all().max()? + 1))
    }
}

/// What turns numbers into proposals.
#[derive(Debug)]
pub struct Claims {
    predicates: Vec<(Predicate, bool)>,
    anchor: Linear,
    claim: Array2<f32>,
    ask: Linear,
    query: Linear,
    key: Linear,
    nothing: Linear,
    /// Slots × distances.
    near: Array2<f32>,
    flags: Linear,
    mode: Linear,
    qualifier: Linear,
}

impl Claims {
    /// Its part of the weights.
    pub fn read(weights: &Weights<'_>) -> Result<Self, WeightsError> {
        let predicate = |name: String| match name.as_str() {
            "castled" => Ok((Predicate::Undeveloped, true)),
            word => Predicate::of_word(word)
                .map(|predicate| (predicate, false))
                .ok_or_else(|| WeightsError::Predicate(name.clone())),
        };
        Ok(Self {
            predicates: weights
                .names("predicates")?
                .into_iter()
                .map(predicate)
                .collect::<Result<_, _>>()?,
            anchor: weights.linear("anchor")?,
            claim: weights.matrix("claim.weight")?,
            ask: weights.linear("ask")?,
            query: weights.linear("query")?,
            key: weights.linear("key")?,
            nothing: weights.linear("nothing")?,
            near: weights.matrix("near")?,
            flags: weights.linear("flags")?,
            mode: weights.linear("mode")?,
            qualifier: weights.linear("qualifier")?,
        })
    }

    /// The proposals for a sentence's rows.
    pub fn proposals(&self, rows: &Array2<f32>) -> Vec<Proposal> {
        let likely = self.anchor.of(rows).mapv_into(|x| 1.0 / (1.0 + libm::expf(-x)));
        let wanted: Vec<(usize, usize, f32)> = likely
            .indexed_iter()
            .filter(|(_, probability)| **probability >= LEAST)
            .map(|((at, which), probability)| (at, which, *probability))
            .collect();
        if wanted.is_empty() {
            return Vec::new();
        }
        let anchors: Vec<usize> = wanted.iter().map(|(at, ..)| *at).collect();
        let claims: Vec<usize> = wanted.iter().map(|(_, which, _)| *which).collect();
        let asked = self.ask.of(&rows.select(Axis(0), &anchors)) + self.claim.select(Axis(0), &claims);
        let asked = asked.mapv_into(libm::tanhf);
        let (queries, keys, nothing) = (self.query.of(&asked), self.key.of(rows), self.nothing.of(&asked));
        let (flags, modes) = (self.flags.of(&asked), self.mode.of(&asked));
        let qualifiers = self.qualifier.of(&asked);
        let of = |(n, (anchor, which, probability)): (usize, (usize, usize, f32))| {
            let slots = std::array::from_fn(|slot| {
                let part = slot * KEY..(slot + 1) * KEY;
                let query = queries.slice(s![n, part.clone()]);
                let scores = keys.slice(s![.., part]).dot(&query) / (KEY as f32).sqrt();
                let scores = scores.indexed_iter().map(|(chunk, score)| {
                    let near = self.near[(slot, by_distance(anchor, chunk))];
                    score + near
                });
                let best = most(&scores.collect());
                best.filter(|(chunk, score)| *score > nothing[(n, slot)] && *chunk > 0)
                    .map(|(chunk, _)| chunk - 1)
            });
            let (predicate, castled) = self.predicates[which];
            let pick = |row: ndarray::ArrayView1<'_, f32>| most(&row.to_owned()).map_or(0, |(at, _)| at);
            Proposal {
                predicate,
                castled,
                probability,
                at: anchor.checked_sub(1),
                slots,
                denied: flags[(n, 0)] > 0.0,
                other: flags[(n, 1)] > 0.0,
                was: flags[(n, 3)] > 0.0,
                mode: MODES[pick(modes.row(n))],
                qualifier: QUALIFIERS[pick(qualifiers.row(n))],
            }
        };
        wanted.into_iter().enumerate().map(of).collect()
    }
}

/// The greatest, and where it stands.
fn most(scores: &Array1<f32>) -> Option<(usize, f32)> {
    scores
        .indexed_iter()
        .map(|(at, score)| (at, *score))
        .max_by(|(_, one), (_, other)| one.total_cmp(other))
}
