//! Attention bodies and the heads behind them, from the file's layers. Every size is checked against its neighbours'.

use super::{
    attention::{AttentionBody, DensePositions, Embedding, Encoder, FeedForward, Norm, Positions, Smolgen},
    error::NetworkError,
    format::{AttentionFormat, Format, ValueFormat},
    layer::same,
    layers::Layers,
    network::{Body, Convolution, Dense, INPUT_PLANES, Network, PolicyHead, SQUARES, ValueHead},
    proto::{self, Layer},
};

/// Weights and biases, or factors and offsets.
type Pair<'a> = [Option<&'a Layer>; 2];

impl Layers {
    /// A network with an attention body.
    pub fn attention_network(
        &self,
        weights: &mut proto::Weights,
        format: Format,
        attention: AttentionFormat,
        sha256: String,
    ) -> Result<Network, NetworkError> {
        if !weights.residual.is_empty() {
            return Err(NetworkError::AttentionOnBlocks);
        }
        let body = self.body(weights, attention)?;
        let width = body.width();
        let policy = self.policy_of_several(weights, width)?;
        let value = self.value_of_several(weights, width, format.value)?;
        let moves_left = format.moves_left.then(|| {
            let layers = [
                [weights.ip_mov_w.as_ref(), weights.ip_mov_b.as_ref()],
                [weights.ip1_mov_w.as_ref(), weights.ip1_mov_b.as_ref()],
                [weights.ip2_mov_w.as_ref(), weights.ip2_mov_b.as_ref()],
            ];
            self.board_head(layers, width, 1, "the moves-left head")
        });
        Ok(Network {
            format,
            sha256,
            body: Body::Attention(Box::new(body)),
            policy,
            value,
            moves_left: moves_left.transpose()?,
        })
    }

    fn body(&self, weights: &mut proto::Weights, format: AttentionFormat) -> Result<AttentionBody, NetworkError> {
        if weights.encoder.is_empty() {
            return Err(NetworkError::NoBlocks);
        }
        let embedding = self.embedding(weights, format)?;
        let width = embedding.layer.outputs;
        let heads = weights.headcount.unwrap_or(0) as usize;
        // An encoder's bytes go as soon as they are numbers.
        let encoders = std::mem::take(&mut weights.encoder)
            .into_iter()
            .enumerate()
            .map(|(i, encoder)| self.encoder(&encoder, width, heads, &format!("encoder {}", i + 1)))
            .collect::<Result<Vec<_>, _>>()?;
        // What smolgen gives each head is the same in every encoder: they share what follows.
        let each = encoders
            .iter()
            .find_map(|e| Some(e.smolgen.as_ref()?.second.outputs / heads));
        let generator = match each {
            Some(each) => Some(self.without_biases(
                weights.smolgen_w.as_ref(),
                each,
                Some(SQUARES * SQUARES),
                "smolgen's last layer",
            )?),
            None => None,
        };
        for (i, encoder) in encoders.iter().enumerate() {
            if let (Some(smolgen), Some(each)) = (&encoder.smolgen, each) {
                let name = format!("encoder {}'s second smolgen layer (biases)", i + 1);
                same(&name, smolgen.second.outputs, each * heads)?;
            }
        }
        Ok(AttentionBody {
            embedding,
            encoders,
            heads,
            generator,
            smolgen_activation: format.smolgen_activation,
            feed_forward_activation: format.feed_forward_activation,
        })
    }

    fn embedding(&self, weights: &proto::Weights, format: AttentionFormat) -> Result<Embedding, NetworkError> {
        let own = [weights.ip_emb_w.as_ref(), weights.ip_emb_b.as_ref()];
        let name = "the embedding";
        let (positions, layer) = if format.dense_positions {
            let [w, b] = [weights.ip_emb_preproc_w.as_ref(), weights.ip_emb_preproc_b.as_ref()];
            let of_positions = "the positions' layer";
            let positions = self.dense(w, b, DensePositions::PLANES * SQUARES, None, of_positions)?;
            let planes = positions.outputs / SQUARES;
            same(
                &format!("{of_positions} (biases)"),
                positions.outputs,
                planes.max(1) * SQUARES,
            )?;
            let layer = self.dense(own[0], own[1], INPUT_PLANES + planes, None, name)?;
            let width = layer.outputs;
            let [gammas, betas] = [weights.ip_emb_ln_gammas.as_ref(), weights.ip_emb_ln_betas.as_ref()];
            let norm = self.norm([gammas, betas], width, "the embedding's normalisation")?;
            let of_feed_forward = "the embedding's feed-forward";
            let feed_forward = self.feed_forward(weights.ip_emb_ffn.as_ref(), width, of_feed_forward)?;
            let [gammas, betas] = [
                weights.ip_emb_ffn_ln_gammas.as_ref(),
                weights.ip_emb_ffn_ln_betas.as_ref(),
            ];
            let feed_forward_norm = self.norm([gammas, betas], width, "the embedding's second normalisation")?;
            let positions = DensePositions {
                layer: positions.reading_planes().giving_planes(),
                norm,
                feed_forward,
                feed_forward_norm,
            };
            (Positions::Dense(Box::new(positions)), layer)
        } else {
            let layer = self.dense(own[0], own[1], INPUT_PLANES + SQUARES, None, name)?;
            (Positions::Map, layer)
        };
        let gate = |found: Option<&Layer>, name: &str| {
            let read = found.map_or(Ok(Vec::new()), |layer| self.layer(Some(layer), name))?;
            if read.is_empty() {
                return Ok(None);
            }
            same(name, read.len(), layer.outputs.saturating_mul(SQUARES))?;
            Ok::<_, NetworkError>(Some(read))
        };
        Ok(Embedding {
            positions,
            factors: gate(weights.ip_mult_gate.as_ref(), "the embedding's factors")?,
            offsets: gate(weights.ip_add_gate.as_ref(), "the embedding's offsets")?,
            layer,
        })
    }

    fn encoder(
        &self,
        found: &proto::EncoderLayer,
        width: usize,
        heads: usize,
        name: &str,
    ) -> Result<Encoder, NetworkError> {
        let part = |what: &str| format!("{name}'s {what}");
        let Some(mha) = &found.mha else {
            return Err(NetworkError::Missing {
                layer: part("attention"),
            });
        };
        if mha.rpe_q.is_some() || mha.rpe_k.is_some() || mha.rpe_v.is_some() {
            return Err(NetworkError::RelativePositions);
        }
        let (w, b) = (mha.q_w.as_ref(), mha.q_b.as_ref());
        let query = self.dense(w, b, width, None, &part("queries"))?;
        shared_evenly(query.outputs, heads, &part("layer of queries"))?;
        let all = Some(query.outputs);
        let (w, b) = (mha.k_w.as_ref(), mha.k_b.as_ref());
        let key = self.dense(w, b, width, all, &part("keys"))?;
        let (w, b) = (mha.v_w.as_ref(), mha.v_b.as_ref());
        let value = self.dense(w, b, width, all, &part("values"))?;
        let (w, b) = (mha.dense_w.as_ref(), mha.dense_b.as_ref());
        let output = self.dense(w, b, query.outputs, Some(width), &part("attention's last layer"))?;
        let smolgen = mha
            .smolgen
            .as_ref()
            .map(|smolgen| self.smolgen(smolgen, width, heads, name));
        let (gammas, betas) = (found.ln1_gammas.as_ref(), found.ln1_betas.as_ref());
        let attention_norm = self.norm([gammas, betas], width, &part("first normalisation"))?;
        let feed_forward = self.feed_forward(found.ffn.as_ref(), width, &part("feed-forward"))?;
        let (gammas, betas) = (found.ln2_gammas.as_ref(), found.ln2_betas.as_ref());
        let feed_forward_norm = self.norm([gammas, betas], width, &part("second normalisation"))?;
        Ok(Encoder {
            query,
            key,
            value,
            output,
            smolgen: smolgen.transpose()?,
            attention_norm,
            feed_forward,
            feed_forward_norm,
        })
    }

    fn smolgen(
        &self,
        found: &proto::Smolgen,
        width: usize,
        heads: usize,
        encoder: &str,
    ) -> Result<Smolgen, NetworkError> {
        let part = |what: &str| format!("{encoder}'s {what}");
        let compress = self.without_biases(found.compress.as_ref(), width, None, &part("smolgen compression"))?;
        let board = compress.outputs.saturating_mul(SQUARES);
        let (w, b) = (found.dense1_w.as_ref(), found.dense1_b.as_ref());
        let first = self.dense(w, b, board, None, &part("first smolgen layer"))?;
        let [gammas, betas] = [found.ln1_gammas.as_ref(), found.ln1_betas.as_ref()];
        let first_norm = self.norm([gammas, betas], first.outputs, &part("first smolgen normalisation"))?;
        let (w, b) = (found.dense2_w.as_ref(), found.dense2_b.as_ref());
        let second = self.dense(w, b, first.outputs, None, &part("second smolgen layer"))?;
        shared_evenly(second.outputs, heads, &part("second smolgen layer"))?;
        let [gammas, betas] = [found.ln2_gammas.as_ref(), found.ln2_betas.as_ref()];
        let second_norm = self.norm([gammas, betas], second.outputs, &part("second smolgen normalisation"))?;
        Ok(Smolgen {
            compress,
            first: first.reading_planes(),
            first_norm,
            second,
            second_norm,
        })
    }

    fn feed_forward(&self, found: Option<&proto::Ffn>, width: usize, name: &str) -> Result<FeedForward, NetworkError> {
        let Some(found) = found else {
            return Err(NetworkError::Missing {
                layer: format!("{name} layer"),
            });
        };
        let (w, b) = (found.dense1_w.as_ref(), found.dense1_b.as_ref());
        let first = self.dense(w, b, width, None, &format!("{name} layer (first)"))?;
        let (w, b) = (found.dense2_w.as_ref(), found.dense2_b.as_ref());
        let second = self.dense(w, b, first.outputs, Some(width), &format!("{name} layer (second)"))?;
        Ok(FeedForward { first, second })
    }

    fn norm(&self, [gammas, betas]: Pair<'_>, width: usize, name: &str) -> Result<Norm, NetworkError> {
        let part = |layer, what: &str| {
            let name = format!("{name} ({what})");
            let read = self.layer(layer, &name)?;
            same(&name, read.len(), width)?;
            Ok::<_, NetworkError>(read)
        };
        Ok(Norm {
            gammas: part(gammas, "factors")?,
            betas: part(betas, "offsets")?,
        })
    }

    /// A dense layer whose biases are 0. Where `outputs` is not given, its weights say how many.
    fn without_biases(
        &self,
        weights: Option<&Layer>,
        inputs: usize,
        outputs: Option<usize>,
        name: &str,
    ) -> Result<Dense, NetworkError> {
        let weights = self.layer(weights, name)?;
        let outputs = outputs.unwrap_or(weights.len() / inputs.max(1)).max(1);
        same(name, weights.len(), inputs.saturating_mul(outputs))?;
        Ok(Dense {
            inputs,
            outputs,
            weights,
            biases: vec![0.0; outputs],
        })
    }

    /// The policy head that Lc0 plays by, of one or several.
    fn policy_of_several(&self, weights: &proto::Weights, width: usize) -> Result<PolicyHead, NetworkError> {
        let Some(heads) = &weights.policy_heads else {
            return self.only_attention_policy(weights, width);
        };
        let Some(head) = &heads.vanilla else {
            let layer = "the policy head \"vanilla\"".to_owned();
            return Err(NetworkError::Missing { layer });
        };
        if head.pol_encoder.is_some() {
            return Err(NetworkError::PolicyEncoders);
        }
        // Its own embedding, else the one that the heads share.
        let full = |layer: &Option<Layer>| {
            let params = layer.as_ref().and_then(|layer| layer.params.as_ref());
            params.is_some_and(|params| !params.is_empty())
        };
        let first = |of: [&'_ Option<Layer>; 3]| of.into_iter().find(|layer| full(layer)).cloned().flatten();
        let w = first([&head.ip_pol_w, &heads.ip_pol_w, &weights.ip_pol_w]);
        let b = first([&head.ip_pol_b, &heads.ip_pol_b, &weights.ip_pol_b]);
        self.attention_policy([w.as_ref(), b.as_ref()], head, width)
    }

    /// The policy of queries and keys of a file that has one policy.
    pub fn only_attention_policy(&self, weights: &proto::Weights, filters: usize) -> Result<PolicyHead, NetworkError> {
        let embedding = [weights.ip_pol_w.as_ref(), weights.ip_pol_b.as_ref()];
        let rest = proto::PolicyHead {
            ip2_pol_w: weights.ip2_pol_w.clone(),
            ip2_pol_b: weights.ip2_pol_b.clone(),
            ip3_pol_w: weights.ip3_pol_w.clone(),
            ip3_pol_b: weights.ip3_pol_b.clone(),
            ip4_pol_w: weights.ip4_pol_w.clone(),
            ..Default::default()
        };
        self.attention_policy(embedding, &rest, filters)
    }

    /// A policy of queries and keys.
    fn attention_policy(
        &self,
        [w, b]: Pair<'_>,
        head: &proto::PolicyHead,
        filters: usize,
    ) -> Result<PolicyHead, NetworkError> {
        let embedding = self.dense(w, b, filters, None, "the policy's embedding")?;
        let width = embedding.outputs;
        let (w, b) = (head.ip2_pol_w.as_ref(), head.ip2_pol_b.as_ref());
        let query = self.dense(w, b, width, None, "the policy's queries")?;
        let (w, b) = (head.ip3_pol_w.as_ref(), head.ip3_pol_b.as_ref());
        let key = self.dense(w, b, width, Some(query.outputs), "the policy's keys")?;
        let promotion =
            self.without_biases(head.ip4_pol_w.as_ref(), key.outputs, Some(4), "the policy's promotions")?;
        Ok(PolicyHead::Attention {
            embedding,
            query,
            key,
            promotion,
        })
    }

    /// The value head that Lc0 plays by, of one or several.
    fn value_of_several(
        &self,
        weights: &proto::Weights,
        width: usize,
        format: ValueFormat,
    ) -> Result<ValueHead, NetworkError> {
        let results = match format {
            ValueFormat::Scalar => 1,
            ValueFormat::Wdl => 3,
        };
        let layers = match &weights.value_heads {
            None => [
                [weights.ip_val_w.as_ref(), weights.ip_val_b.as_ref()],
                [weights.ip1_val_w.as_ref(), weights.ip1_val_b.as_ref()],
                [weights.ip2_val_w.as_ref(), weights.ip2_val_b.as_ref()],
            ],
            Some(heads) => {
                let Some(head) = &heads.winner else {
                    let layer = "the value head \"winner\"".to_owned();
                    return Err(NetworkError::Missing { layer });
                };
                [
                    [head.ip_val_w.as_ref(), head.ip_val_b.as_ref()],
                    [head.ip1_val_w.as_ref(), head.ip1_val_b.as_ref()],
                    [head.ip2_val_w.as_ref(), head.ip2_val_b.as_ref()],
                ]
            }
        };
        self.board_head(layers, width, results, "the value head")
    }

    /// An embedding of each square, a layer that reads them all, a last one.
    fn board_head(
        &self,
        [embedding, hidden, output]: [Pair<'_>; 3],
        width: usize,
        results: usize,
        name: &str,
    ) -> Result<ValueHead, NetworkError> {
        let part = |what: &str| format!("{name}'s {what}");
        let embedding = self.dense(embedding[0], embedding[1], width, None, &part("embedding"))?;
        let board = embedding.outputs.saturating_mul(SQUARES);
        let hidden = self.dense(hidden[0], hidden[1], board, None, &part("hidden layer"))?;
        let output = self.dense(
            output[0],
            output[1],
            hidden.outputs,
            Some(results),
            &part("output layer"),
        )?;
        Ok(ValueHead {
            convolution: Convolution::of_squares(embedding),
            hidden: hidden.reading_planes(),
            output,
        })
    }
}

/// Whether so many heads share `width` numbers evenly.
pub(super) fn shared_evenly(width: usize, heads: usize, layer: &str) -> Result<(), NetworkError> {
    if heads > 0 && width > 0 && width.is_multiple_of(heads) {
        return Ok(());
    }
    Err(NetworkError::Heads {
        layer: layer.to_owned(),
        width,
        heads,
    })
}
