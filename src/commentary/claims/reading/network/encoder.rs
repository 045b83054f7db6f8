//! Chunks into numbers: the sum of what is known of each, then layers in which each looks at the others.

use std::collections::HashMap;

use ndarray::{Array1, Array2, Axis, s};

use super::{
    super::{chunk::Chunk, features::features},
    file::{Linear, Weights, WeightsError},
};

/// As trained.
const HEADS: usize = 4;
/// How many chunks apart two may be for the network to tell how far.
const REACH: isize = 12;

/// The column of a table by distance.
pub fn by_distance(from: usize, to: usize) -> usize {
    let apart = to.cast_signed() - from.cast_signed();
    (apart.clamp(-REACH, REACH) + REACH).cast_unsigned()
}

/// Rows brought to one mean and spread.
#[derive(Debug)]
pub struct Norm {
    factors: Array1<f32>,
    offsets: Array1<f32>,
}

impl Norm {
    fn read(weights: &Weights<'_>, name: &str) -> Result<Self, WeightsError> {
        Ok(Self {
            factors: weights.vector(&format!("{name}.weight"))?,
            offsets: weights.vector(&format!("{name}.bias"))?,
        })
    }

    fn of(&self, rows: &Array2<f32>) -> Array2<f32> {
        let mut out = rows.clone();
        for mut row in out.rows_mut() {
            let mean = row.mean().unwrap_or(0.0);
            let spread = row.var(0.0);
            let factor = 1.0 / (spread + 1e-5).sqrt();
            row.mapv_inplace(|x| (x - mean) * factor);
        }
        out * &self.factors + &self.offsets
    }
}

#[derive(Debug)]
struct Layer {
    norms: [Norm; 2],
    mixing: Linear,
    mixed: Linear,
    up: Linear,
    down: Linear,
    /// Heads × distances.
    near: Array2<f32>,
}

impl Layer {
    fn read(weights: &Weights<'_>, number: usize) -> Result<Self, WeightsError> {
        let name = |part: &str| format!("layers.{number}.{part}");
        Ok(Self {
            norms: [
                Norm::read(weights, &name("norm1"))?,
                Norm::read(weights, &name("norm2"))?,
            ],
            mixing: weights.linear(&name("qkv"))?,
            mixed: weights.linear(&name("out"))?,
            up: weights.linear(&name("up"))?,
            down: weights.linear(&name("down"))?,
            near: weights.matrix(&name("near"))?,
        })
    }

    fn of(&self, rows: &Array2<f32>) -> Array2<f32> {
        let mixed = rows + &self.mixed.of(&self.look_around(&self.norms[0].of(rows)));
        let hidden = self.up.of(&self.norms[1].of(&mixed)).mapv_into(gelu);
        mixed + self.down.of(&hidden)
    }

    /// Each chunk's sum of the others, by how much they concern it.
    fn look_around(&self, rows: &Array2<f32>) -> Array2<f32> {
        let (count, width) = rows.dim();
        let (asked, head) = (self.mixing.of(rows), width / HEADS);
        let mut out = Array2::zeros((count, width));
        for h in 0..HEADS {
            let part = |which: usize| asked.slice(s![.., which * width + h * head..which * width + (h + 1) * head]);
            let mut scores = part(0).dot(&part(1).t()) / (head as f32).sqrt();
            for ((from, to), score) in scores.indexed_iter_mut() {
                *score += self.near[(h, by_distance(from, to))];
            }
            for mut row in scores.rows_mut() {
                let most = row.fold(f32::MIN, |most, x| most.max(*x));
                row.mapv_inplace(|x| libm::expf(x - most));
                let sum = row.sum();
                row.mapv_inplace(|x| x / sum);
            }
            out.slice_mut(s![.., h * head..(h + 1) * head])
                .assign(&scores.dot(&part(2)));
        }
        out
    }
}

fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + libm::tanhf(0.797_884_6 * (x + 0.044_715 * x * x * x)))
}

/// What turns chunks into numbers.
#[derive(Debug)]
pub struct Encoder {
    features: HashMap<String, usize>,
    embedded: Array2<f32>,
    layers: Vec<Layer>,
    norm: Norm,
}

impl Encoder {
    /// Its part of the weights.
    pub fn read(weights: &Weights<'_>) -> Result<Self, WeightsError> {
        let names = weights.names("features")?;
        let known = names.into_iter().enumerate().filter(|(_, name)| !name.is_empty());
        Ok(Self {
            features: known.map(|(at, name)| (name, at)).collect(),
            embedded: weights.matrix("embed.weight")?,
            layers: (0..3)
                .map(|number| Layer::read(weights, number))
                .collect::<Result<_, _>>()?,
            norm: Norm::read(weights, "norm")?,
        })
    }

    /// A row for the sentence as a whole, then one a chunk.
    pub fn encoded(&self, chunks: &[Chunk]) -> Array2<f32> {
        let mut rows = Array2::zeros((chunks.len() + 1, self.embedded.len_of(Axis(1))));
        let mut add = |at: usize, feature: &str| {
            if let Some(&known) = self.features.get(feature) {
                let mut row = rows.row_mut(at);
                row += &self.embedded.row(known);
            }
        };
        add(0, "start");
        for (at, chunk) in chunks.iter().enumerate() {
            let mut found = features(chunk);
            found.sort_unstable();
            found.dedup();
            for feature in &found {
                add(at + 1, feature);
            }
        }
        let through = self.layers.iter().fold(rows, |rows, layer| layer.of(&rows));
        self.norm.of(&through)
    }
}
