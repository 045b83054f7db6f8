//! Attention bodies as parts of a tract graph: 1 × embedding × 8 × 8, as after residual blocks, so that heads and probes read
//! both alike.

use tract_core::{
    internal::*,
    ops::{
        array::{Slice, TypedConcat},
        einsum::EinSum,
        math,
        nn::{Reduce, Reducer, Softmax, SoftmaxKind, rms_norm::RmsNorm},
    },
};

use super::{
    attention::{AttentionBody, DensePositions, EPSILON, Encoder, FeedForward, Norm, Positions, Smolgen, reach},
    graph::{Graph, SIDE},
    network::SQUARES,
};

impl Graph {
    /// The input planes' embedding: what the first encoder reads.
    pub fn embedding(&mut self, body: &AttentionBody, planes: OutletId) -> TractResult<OutletId> {
        let embedding = &body.embedding;
        let width = body.width();
        let positions = match &embedding.positions {
            Positions::Map => {
                let map: Vec<f32> = (0..SQUARES)
                    .flat_map(|other| (0..SQUARES).map(move |square| reach(square, other)))
                    .collect();
                self.constant("embedding.map".to_owned(), &[1, SQUARES, SIDE, SIDE], &map)?
            }
            Positions::Dense(positions) => {
                let men = self.wire("embedding.men", Slice::new(1, 0, DensePositions::PLANES), &[planes])?;
                let men = self.flatten("embedding.men.flat", men, DensePositions::PLANES)?;
                let given = self.dense("embedding.positions", &positions.layer, men)?;
                let given_planes = positions.layer.outputs / SQUARES;
                let from = tvec!((given_planes * SQUARES).to_dim(), 1.to_dim(), 1.to_dim());
                let to = tvec!(given_planes.to_dim(), SIDE.to_dim(), SIDE.to_dim());
                self.wire("embedding.positions.board", AxisOp::Reshape(1, from, to), &[given])?
            }
        };
        let all = self.wire("embedding.planes", TypedConcat::new(1), &[planes, positions])?;
        let flow = self.dense("embedding.layer", &embedding.layer, all)?;
        let mut flow = self.activate("embedding.activation", flow)?;
        if let Positions::Dense(positions) = &embedding.positions {
            flow = self.norm("embedding.norm", &positions.norm, EPSILON, flow)?;
        }
        if let Some(factors) = &embedding.factors {
            let factors = self.constant("embedding.factors".to_owned(), &[1, width, SIDE, SIDE], factors)?;
            flow = self.wire("embedding.factored", math::mul(), &[flow, factors])?;
        }
        if let Some(offsets) = &embedding.offsets {
            let offsets = self.constant("embedding.offsets".to_owned(), &[1, width, SIDE, SIDE], offsets)?;
            flow = self.wire("embedding.moved", math::add(), &[flow, offsets])?;
        }
        if let Positions::Dense(positions) = &embedding.positions {
            let name = "embedding.feed-forward";
            let (layers, norm) = (&positions.feed_forward, &positions.feed_forward_norm);
            flow = self.feed_forward(name, body, layers, norm, flow)?;
        }
        Ok(flow)
    }

    /// An encoder: what it reads in, as much out.
    pub fn encoder(
        &mut self,
        name: &str,
        body: &AttentionBody,
        encoder: &Encoder,
        input: OutletId,
    ) -> TractResult<OutletId> {
        let (heads, width) = (body.heads, encoder.query.outputs);
        // 1 × heads × width of one × squares.
        let vectors = |graph: &mut Self, what: &str, layer| {
            let name = format!("{name}.{what}");
            let given = graph.dense(&name, layer, input)?;
            let from = tvec!(width.to_dim(), SIDE.to_dim(), SIDE.to_dim());
            let to = tvec!(heads.to_dim(), (width / heads).to_dim(), SQUARES.to_dim());
            graph.wire(&format!("{name}.heads"), AxisOp::Reshape(1, from, to), &[given])
        };
        let queries = vectors(self, "queries", &encoder.query)?;
        let keys = vectors(self, "keys", &encoder.key)?;
        let values = vectors(self, "values", &encoder.value)?;
        let product = EinSum::new("bhdi,bhdj->bhij".parse()?, f32::datum_type());
        let products = self.wire(&format!("{name}.products"), product, &[queries, keys])?;
        let scale = ((width / heads) as f32).sqrt().recip();
        let mut products = self.scaled(&format!("{name}.products.scaled"), products, scale)?;
        if let (Some(smolgen), Some(generator)) = (&encoder.smolgen, self.generator) {
            let generated = self.smolgen(&format!("{name}.smolgen"), body, smolgen, generator, input)?;
            products = self.wire(&format!("{name}.products.moved"), math::add(), &[products, generated])?;
        }
        let softmax = Softmax::new(tvec!(3), None, SoftmaxKind::Softmax);
        let shares = self.wire(&format!("{name}.shares"), softmax, &[products])?;
        let sum = EinSum::new("bhij,bhdj->bhdi".parse()?, f32::datum_type());
        let gathered = self.wire(&format!("{name}.gathered"), sum, &[shares, values])?;
        let from = tvec!(heads.to_dim(), (width / heads).to_dim(), SQUARES.to_dim());
        let to = tvec!(width.to_dim(), SIDE.to_dim(), SIDE.to_dim());
        let gathered = self.wire(&format!("{name}.board"), AxisOp::Reshape(1, from, to), &[gathered])?;
        let given = self.dense(&format!("{name}.output"), &encoder.output, gathered)?;
        let flow = self.skip(
            &format!("{name}.attention"),
            body,
            &encoder.attention_norm,
            given,
            input,
        )?;
        let (layers, norm) = (&encoder.feed_forward, &encoder.feed_forward_norm);
        self.feed_forward(&format!("{name}.feed-forward"), body, layers, norm, flow)
    }

    /// The last layer of smolgen as a constant of the graph, which every encoder reads.
    pub fn add_generator(&mut self, body: &AttentionBody) -> TractResult<()> {
        if let Some(layer) = &body.generator {
            let shape = [layer.outputs, layer.inputs];
            self.generator = Some(self.constant("smolgen.generator".to_owned(), &shape, &layer.weights)?);
        }
        Ok(())
    }

    /// What the whole position adds to the products: 1 × heads × from-square × to-square.
    fn smolgen(
        &mut self,
        name: &str,
        body: &AttentionBody,
        smolgen: &Smolgen,
        generator: OutletId,
        input: OutletId,
    ) -> TractResult<OutletId> {
        let heads = body.heads;
        let part = |what: &str| format!("{name}.{what}");
        let flow = self.dense(&part("compress"), &smolgen.compress, input)?;
        let flow = self.flatten(&part("flat"), flow, smolgen.compress.outputs)?;
        let flow = self.dense(&part("first"), &smolgen.first, flow)?;
        let flow = self.activate_with(&part("first.activation"), body.smolgen_activation, flow)?;
        let flow = self.norm(&part("first.norm"), &smolgen.first_norm, EPSILON, flow)?;
        let flow = self.dense(&part("second"), &smolgen.second, flow)?;
        let flow = self.activate_with(&part("second.activation"), body.smolgen_activation, flow)?;
        let flow = self.norm(&part("second.norm"), &smolgen.second_norm, EPSILON, flow)?;
        let each = smolgen.second.outputs / heads;
        let from = tvec!((heads * each).to_dim(), 1.to_dim(), 1.to_dim());
        let to = tvec!(heads.to_dim(), each.to_dim());
        let flow = self.wire(&part("heads"), AxisOp::Reshape(1, from, to), &[flow])?;
        let product = EinSum::new("bhe,se->bhs".parse()?, f32::datum_type());
        let flow = self.wire(&part("generated"), product, &[flow, generator])?;
        let from = tvec!((SQUARES * SQUARES).to_dim());
        let to = tvec!(SQUARES.to_dim(), SQUARES.to_dim());
        self.wire(name, AxisOp::Reshape(2, from, to), &[flow])
    }

    fn feed_forward(
        &mut self,
        name: &str,
        body: &AttentionBody,
        layers: &FeedForward,
        norm: &Norm,
        input: OutletId,
    ) -> TractResult<OutletId> {
        let flow = self.dense(&format!("{name}.first"), &layers.first, input)?;
        let flow = self.activate_with(&format!("{name}.activation"), body.feed_forward_activation, flow)?;
        let flow = self.dense(&format!("{name}.second"), &layers.second, flow)?;
        self.skip(name, body, norm, flow, input)
    }

    /// What a part of an encoder gives, scaled, and what it has read, normalised.
    fn skip(
        &mut self,
        name: &str,
        body: &AttentionBody,
        norm: &Norm,
        given: OutletId,
        read: OutletId,
    ) -> TractResult<OutletId> {
        let given = self.scaled(&format!("{name}.given"), given, body.skip_scale())?;
        let sum = self.wire(&format!("{name}.skip"), math::add(), &[given, read])?;
        self.norm(&format!("{name}.norm"), norm, body.epsilon(), sum)
    }

    fn scaled(&mut self, name: &str, x: OutletId, scale: f32) -> TractResult<OutletId> {
        let scale = self.number(format!("{name}.scale"), scale)?;
        self.wire(name, math::mul(), &[x, scale])
    }

    /// Every square's numbers with mean 0 and variance 1, then the factors and offsets.
    fn norm(&mut self, name: &str, norm: &Norm, epsilon: f32, input: OutletId) -> TractResult<OutletId> {
        let width = norm.gammas.len();
        let sum = self.wire(&format!("{name}.sum"), Reduce::new(tvec!(1), Reducer::Sum), &[input])?;
        let mean = self.scaled(&format!("{name}.mean"), sum, 1.0 / width as f32)?;
        let centred = self.wire(&format!("{name}.centred"), math::sub(), &[input, mean])?;
        let op = RmsNorm {
            axis: 1,
            eps: rctensor0(epsilon),
        };
        let flow = self.wire(&format!("{name}.scaled"), op, &[centred])?;
        let shape = [1, width, 1, 1];
        let gammas = self.constant(format!("{name}.factors"), &shape, &norm.gammas)?;
        let betas = self.constant(format!("{name}.offsets"), &shape, &norm.betas)?;
        let flow = self.wire(&format!("{name}.factored"), math::mul(), &[flow, gammas])?;
        self.wire(name, math::add(), &[flow, betas])
    }
}
