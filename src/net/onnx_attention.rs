//! Attention bodies of Lc0's ONNX files; see [`super::onnx`]. A board goes square by square in them.

use super::{
    attention::{
        AttentionBody, DensePositions, EPSILON, Embedding, Encoder, FeedForward, Norm, Positions, Smolgen, epsilon,
        reach, skip_scale,
    },
    attention_weights::shared_evenly,
    error::NetworkError,
    format::Activation,
    layer::same,
    network::{Dense, INPUT_PLANES, SQUARES},
    onnx_proto::Node,
    onnx_reader::{Reader, attribute},
    wire::MAX_BLOCKS,
};

/// What has been seen of things that all encoders have alike.
#[derive(Default)]
struct Shared<'a> {
    heads: Option<usize>,
    /// The last layer of smolgen, and what its weights are called.
    generator: Option<(&'a str, Dense)>,
    smolgen_activation: Option<Activation>,
    feed_forward_activation: Option<Activation>,
    /// What parts of encoders are multiplied by before they are added, each with its place.
    scales: Vec<(&'a str, f32)>,
    /// What encoders' normalisations add to a variance, likewise.
    epsilons: Vec<(&'a str, f32)>,
}

/// Keeps what was `found` first; another after it is not Lc0's.
fn agreed<T: PartialEq + Copy>(kept: &mut Option<T>, found: T) -> bool {
    *kept.get_or_insert(found) == found
}

fn near(a: f32, b: f32) -> bool {
    (a / b - 1.0).abs() < 1e-2
}

impl<'a> Reader<'a> {
    /// Whether `name` is what an attention body gives.
    pub fn ends_attention(&self, name: &'a str) -> bool {
        self.op(name).0 == "LayerNormalization"
    }

    /// From the last encoder back to the input.
    pub fn attention_body(&mut self, name: &'a str, planes: &str) -> Result<AttentionBody, NetworkError> {
        let mut shared = Shared::default();
        let mut encoders = Vec::new();
        let mut at = name;
        // What the embedding has behind its gates, where positions come from a dense layer.
        let mut behind = None;
        while self.op(at).0 != "Reshape" {
            if encoders.len() == MAX_BLOCKS {
                return Err(NetworkError::TooManyBlocks);
            }
            let (norm, sum) = self.encoder_norm(at, &mut shared)?;
            let (feed_forward, read) = self.feed_forward(sum, &mut shared)?;
            if self.op(read).0 == "Reshape" {
                behind = Some((feed_forward, norm));
                at = read;
                break;
            }
            let (attention_norm, sum) = self.encoder_norm(read, &mut shared)?;
            let (mut encoder, read) = self.attention_of(sum, &mut shared)?;
            encoder.attention_norm = attention_norm;
            encoder.feed_forward = feed_forward;
            encoder.feed_forward_norm = norm;
            encoders.push(encoder);
            at = read;
        }
        let embedding = self.embedding(at, planes, behind)?;
        if encoders.is_empty() {
            return Err(NetworkError::NoBlocks);
        }
        encoders.reverse();
        let scale = skip_scale(encoders.len());
        if let Some((name, _)) = shared.scales.iter().find(|(_, found)| !near(*found, scale)) {
            return Err(self.stray(name, "a scale that goes with the number of encoders"));
        }
        let epsilon = epsilon(&embedding.positions);
        if let Some((name, _)) = shared.epsilons.iter().find(|(_, found)| !near(*found, epsilon)) {
            return Err(self.stray(name, "the epsilon of its embedding's kind"));
        }
        let activation = self.activation.unwrap_or(Activation::Relu);
        let body = AttentionBody {
            embedding,
            encoders,
            heads: shared.heads.unwrap_or(0),
            generator: shared.generator.map(|(_, layer)| layer),
            smolgen_activation: shared.smolgen_activation.unwrap_or(activation),
            feed_forward_activation: shared.feed_forward_activation.unwrap_or(activation),
        };
        check_sizes(&body)?;
        Ok(body)
    }

    fn encoder_norm(&self, name: &'a str, shared: &mut Shared<'a>) -> Result<(Norm, &'a str), NetworkError> {
        let (norm, epsilon, from) = self.norm(name)?;
        shared.epsilons.push((name, epsilon));
        Ok((norm, from))
    }

    /// The normalisation that gives `name`, its epsilon, and what it reads.
    fn norm(&self, name: &'a str) -> Result<(Norm, f32, &'a str), NetworkError> {
        let node = self.node(name, "LayerNormalization")?;
        if !matches!(attribute(node, "axis").and_then(|a| a.int), None | Some(-1 | 1)) {
            return Err(self.stray(name, "a normalisation of each row"));
        }
        let norm = Norm {
            gammas: self.constant(self.input(node, 1)?)?.1,
            betas: self.constant(self.input(node, 2)?)?.1,
        };
        same(&format!("{name} (offsets)"), norm.betas.len(), norm.gammas.len())?;
        let epsilon = attribute(node, "epsilon").and_then(|a| a.float).unwrap_or(1e-5);
        Ok((norm, epsilon, self.input(node, 0)?))
    }

    /// One of smolgen's normalisations, or of the embedding's.
    fn wide_norm(&self, name: &'a str) -> Result<(Norm, &'a str), NetworkError> {
        let (norm, epsilon, from) = self.norm(name)?;
        if !near(epsilon, EPSILON) {
            return Err(self.stray(name, "a normalisation with an epsilon of 0.001"));
        }
        Ok((norm, from))
    }

    /// The sum of what was read and what a part gives, scaled: the dense layer that ends the part, what that reads, and what
    /// was read.
    fn skip(&self, sum: &'a str, shared: &mut Shared<'a>) -> Result<(Dense, &'a str, &'a str), NetworkError> {
        let (scaled, read) = self.pair(sum, "Add", |input| self.op(input).0 == "Mul")?;
        let (given, scale) = self.pair(scaled, "Mul", |input| self.op(input).0 == "Add")?;
        match self.constant(scale)?.1[..] {
            [scale] => shared.scales.push((scaled, scale)),
            _ => return Err(self.stray(scaled, "a scale")),
        }
        let (layer, from) = self.dense(given)?;
        Ok((layer, from, read))
    }

    /// The feed-forward layer whose sum with what it reads is `sum`, and what it reads.
    fn feed_forward(&self, sum: &'a str, shared: &mut Shared<'a>) -> Result<(FeedForward, &'a str), NetworkError> {
        let (second, from, read) = self.skip(sum, shared)?;
        let (activation, hidden) = self.any_activation(from)?;
        if !agreed(&mut shared.feed_forward_activation, activation) {
            return Err(self.stray(from, "the activation of the other feed-forward layers"));
        }
        let (first, from) = self.dense(hidden)?;
        if from != read {
            return Err(self.stray(from, "what the feed-forward layer reads"));
        }
        Ok((FeedForward { first, second }, read))
    }

    fn transposed(&self, name: &'a str, order: [i64; 4]) -> Result<&'a str, NetworkError> {
        let node = self.node(name, "Transpose")?;
        if attribute(node, "perm").is_none_or(|a| a.ints != order) {
            return Err(self.stray(name, "the heads' vectors"));
        }
        self.input(node, 0)
    }

    /// The dense layer that gives the heads' vectors `name`, from `read`.
    fn vectors(
        &self,
        name: &'a str,
        order: [i64; 4],
        read: &'a str,
        shared: &mut Shared<'a>,
    ) -> Result<Dense, NetworkError> {
        let reshape = self.node(self.transposed(name, order)?, "Reshape")?;
        let shape = self.integers(self.input(reshape, 1)?)?;
        let heads = match shape[..] {
            [_, 64, heads, _] => usize::try_from(heads).ok(),
            _ => None,
        };
        if !heads.is_some_and(|heads| agreed(&mut shared.heads, heads)) {
            return Err(self.stray(name, "as many heads as the others have"));
        }
        let (layer, from) = self.dense(self.input(reshape, 0)?)?;
        if from != read {
            return Err(self.stray(from, "what the attention reads"));
        }
        Ok(layer)
    }

    /// The attention whose sum with what it reads is `sum`, and what it reads; what follows it is left empty.
    fn attention_of(&self, sum: &'a str, shared: &mut Shared<'a>) -> Result<(Encoder, &'a str), NetworkError> {
        let (output, gathered, read) = self.skip(sum, shared)?;
        let gathered = self.through(gathered, "Reshape")?;
        // With one head there is nothing to transpose.
        let gathered = match self.op(gathered).0 {
            "Transpose" => self.transposed(gathered, [0, 2, 1, 3])?,
            _ => gathered,
        };
        let sums = self.node(gathered, "MatMul")?;
        let value = self.vectors(self.input(sums, 1)?, [0, 2, 1, 3], read, shared)?;
        let scores = self.through(self.input(sums, 0)?, "Softmax")?;
        let (scaled, smolgen) = if self.op(scores).0 == "Add" {
            let (scaled, generated) = self.pair(scores, "Add", |input| self.op(input).0 == "Mul")?;
            (scaled, Some(self.smolgen(generated, read, shared)?))
        } else {
            (scores, None)
        };
        let (products, scale) = self.pair(scaled, "Mul", |input| self.op(input).0 == "MatMul")?;
        let product = self.node(products, "MatMul")?;
        let query = self.vectors(self.input(product, 0)?, [0, 2, 1, 3], read, shared)?;
        let key = self.vectors(self.input(product, 1)?, [0, 2, 3, 1], read, shared)?;
        let heads = shared.heads.unwrap_or(0);
        shared_evenly(query.outputs, heads, "an encoder's layer of queries")?;
        let length = (query.outputs / heads) as f32;
        let scale = self.constant(scale)?.1;
        if !matches!(scale[..], [s] if near(s, length.sqrt().recip())) {
            return Err(self.stray(scaled, "a division by the root of the keys' length"));
        }
        let nothing = || Dense {
            inputs: 0,
            outputs: 0,
            weights: Vec::new(),
            biases: Vec::new(),
        };
        let empty_norm = || Norm {
            gammas: Vec::new(),
            betas: Vec::new(),
        };
        let encoder = Encoder {
            query,
            key,
            value,
            output,
            smolgen,
            attention_norm: empty_norm(),
            feed_forward: FeedForward {
                first: nothing(),
                second: nothing(),
            },
            feed_forward_norm: empty_norm(),
        };
        Ok((encoder, read))
    }

    /// The smolgen that gives `name`, from `read`.
    fn smolgen(&self, name: &'a str, read: &'a str, shared: &mut Shared<'a>) -> Result<Smolgen, NetworkError> {
        let generated = self.through(name, "Reshape")?;
        let weights = self.input(self.node(generated, "MatMul")?, 1)?;
        let from = match &shared.generator {
            Some((name, _)) if *name == weights => self.through(generated, "MatMul")?,
            Some(_) => return Err(self.stray(weights, "the last layer of smolgen, for all encoders")),
            None => {
                let (layer, from) = self.product(generated)?;
                shared.generator = Some((weights, layer));
                from
            }
        };
        let mut layer = |at: &'a str| {
            let (norm, from) = self.wide_norm(at)?;
            let (activation, hidden) = self.any_activation(from)?;
            if !agreed(&mut shared.smolgen_activation, activation) {
                return Err(self.stray(from, "the activation of the other layers of smolgen"));
            }
            let (dense, from) = self.dense(hidden)?;
            Ok((norm, dense, from))
        };
        let (second_norm, second, from) = layer(self.through(from, "Reshape")?)?;
        let (first_norm, first, from) = layer(from)?;
        let (compress, from) = self.product(self.through(from, "Reshape")?)?;
        if from != read {
            return Err(self.stray(from, "what the attention reads"));
        }
        Ok(Smolgen {
            compress,
            first: first.reading_planes(),
            first_norm,
            second,
            second_norm,
        })
    }

    /// The embedding that gives `name`, and has `behind` its gates a feed-forward layer and its normalisation.
    fn embedding(
        &mut self,
        name: &'a str,
        planes: &str,
        behind: Option<(FeedForward, Norm)>,
    ) -> Result<Embedding, NetworkError> {
        let mut at = self.through(name, "Reshape")?;
        let offsets = self.gate(&mut at, "Add")?;
        let factors = self.gate(&mut at, "Mul")?;
        if offsets.is_some() || factors.is_some() {
            at = self.through(at, "Reshape")?;
        }
        let norm = match self.op(at).0 {
            "LayerNormalization" => {
                let (norm, from) = self.wide_norm(at)?;
                at = from;
                Some(norm)
            }
            _ => None,
        };
        let (layer, from) = {
            let from = self.activated(at)?;
            self.dense(from)?
        };
        let concat = self.node(self.through(from, "Reshape")?, "Concat")?;
        let (squares, positions) = (self.input(concat, 0)?, self.input(concat, 1)?);
        let board = self.node(self.through(squares, "Reshape")?, "Transpose")?;
        if attribute(board, "perm").is_none_or(|a| a.ints != [0, 2, 3, 1]) || self.input(board, 0)? != planes {
            return Err(self.stray(squares, "the input planes"));
        }
        let positions = match (behind, norm) {
            (Some((feed_forward, feed_forward_norm)), Some(norm)) => {
                let (layer, from) = self.dense(self.through(positions, "Reshape")?)?;
                let men = self.node(self.through(from, "Reshape")?, "Slice")?;
                if self.input(men, 0)? != squares
                    || self.slice_ends(men)?.get(2) != Some(&(DensePositions::PLANES as i64))
                {
                    return Err(self.stray(from, "the planes of the men"));
                }
                Positions::Dense(Box::new(DensePositions {
                    layer: layer.reading_planes().giving_planes(),
                    norm,
                    feed_forward,
                    feed_forward_norm,
                }))
            }
            (None, None) => {
                let map = self.constant(self.through(positions, "Expand")?)?.1;
                let expected = (0..SQUARES).flat_map(|square| (0..SQUARES).map(move |other| reach(square, other)));
                if !map.into_iter().eq(expected) {
                    return Err(self.stray(positions, "the map of the squares"));
                }
                Positions::Map
            }
            _ => return Err(self.stray(positions, "an embedding that is normalised twice or not at all")),
        };
        Ok(Embedding {
            positions,
            layer,
            factors,
            offsets,
        })
    }

    /// Where a slice ends on each axis.
    fn slice_ends(&self, node: &'a Node) -> Result<Vec<i64>, NetworkError> {
        match attribute(node, "ends") {
            Some(attribute) => Ok(attribute.ints.clone()),
            None => self.integers(self.input(node, 2)?),
        }
    }

    /// Factors or offsets by square and number, where `at` has some, by number and square; `at` moves before them.
    fn gate(&self, at: &mut &'a str, op: &'static str) -> Result<Option<Vec<f32>>, NetworkError> {
        if self.op(at).0 != op {
            return Ok(None);
        }
        let Ok((values, from)) = self.pair(at, op, |input| self.is_constant(input)) else {
            return Ok(None);
        };
        let (shape, values) = self.constant(values)?;
        let [SQUARES, width] = shape[..] else {
            return Err(self.stray(at, "numbers for each square"));
        };
        *at = from;
        let column = |number: usize| values.iter().skip(number).step_by(width).copied();
        Ok(Some((0..width).flat_map(column).collect()))
    }
}

/// Sizes that the layers' own shapes don't tell of each other.
fn check_sizes(body: &AttentionBody) -> Result<(), NetworkError> {
    let width = body.width();
    let dense = |layer: &Dense, inputs: usize, outputs: usize, name: &str| {
        same(&format!("{name} (numbers read)"), layer.inputs, inputs)?;
        same(&format!("{name} (numbers given)"), layer.outputs, outputs)
    };
    let norm = |norm: &Norm, width: usize, name: &str| same(name, norm.gammas.len(), width);
    let feed_forward = |layers: &FeedForward, name: &str| {
        dense(&layers.first, width, layers.first.outputs, name)?;
        dense(&layers.second, layers.first.outputs, width, name)
    };
    let Embedding {
        positions,
        layer,
        factors,
        offsets,
    } = &body.embedding;
    let more = match positions {
        Positions::Map => SQUARES,
        Positions::Dense(positions) => {
            let given = positions.layer.outputs / SQUARES;
            dense(
                &positions.layer,
                DensePositions::PLANES * SQUARES,
                given * SQUARES,
                "the positions' layer",
            )?;
            norm(&positions.norm, width, "the embedding's normalisation")?;
            feed_forward(&positions.feed_forward, "the embedding's feed-forward layer")?;
            norm(
                &positions.feed_forward_norm,
                width,
                "the embedding's second normalisation",
            )?;
            given
        }
    };
    dense(layer, INPUT_PLANES + more, width.max(1), "the embedding")?;
    for gate in factors.iter().chain(offsets) {
        same("the embedding's factors or offsets", gate.len(), width * SQUARES)?;
    }
    let heads = body.heads;
    for (i, encoder) in body.encoders.iter().enumerate() {
        let name = |what: &str| format!("encoder {}'s {what}", i + 1);
        let all = encoder.query.outputs;
        shared_evenly(all, heads, &name("layer of queries"))?;
        dense(&encoder.query, width, all, &name("queries"))?;
        dense(&encoder.key, width, all, &name("keys"))?;
        dense(&encoder.value, width, all, &name("values"))?;
        dense(&encoder.output, all, width, &name("attention's last layer"))?;
        norm(&encoder.attention_norm, width, &name("first normalisation"))?;
        feed_forward(&encoder.feed_forward, &name("feed-forward layer"))?;
        norm(&encoder.feed_forward_norm, width, &name("second normalisation"))?;
        let (Some(smolgen), Some(generator)) = (&encoder.smolgen, &body.generator) else {
            continue;
        };
        let compressed = smolgen.compress.outputs;
        dense(
            &smolgen.compress,
            width,
            compressed.max(1),
            &name("smolgen compression"),
        )?;
        let hidden = smolgen.first.outputs;
        let board = compressed * SQUARES;
        dense(&smolgen.first, board, hidden.max(1), &name("first smolgen layer"))?;
        norm(&smolgen.first_norm, hidden, &name("first smolgen normalisation"))?;
        let each = generator.inputs;
        dense(
            &smolgen.second,
            hidden,
            (each * heads).max(1),
            &name("second smolgen layer"),
        )?;
        norm(
            &smolgen.second_norm,
            each * heads,
            &name("second smolgen normalisation"),
        )?;
        same("smolgen's last layer", generator.outputs, SQUARES * SQUARES)?;
    }
    Ok(())
}
