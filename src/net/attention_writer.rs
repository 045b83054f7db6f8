//! An [`AttentionBody`] as layers of a Lc0 file, in the order of squares that those have.

use super::{
    attention::{AttentionBody, Encoder, FeedForward, Norm, Positions},
    layer,
    network::Dense,
    proto,
};

/// Puts `body` into `weights`, and what it needs to be read again into `format`.
pub(super) fn write(
    body: &AttentionBody,
    weights: &mut proto::Weights,
    format: &mut proto::NetworkFormat,
    encoding: i32,
) {
    let embedding = &body.embedding;
    let array = |values: &Vec<f32>| Some(layer::encode(values, encoding));
    format.smolgen_activation = Some(body.smolgen_activation.number());
    format.ffn_activation = Some(body.feed_forward_activation.number());
    format.input_embedding = Some(match &embedding.positions {
        Positions::Map => 1,
        Positions::Dense(positions) => {
            let layer = positions.layer.clone().reading_squares().giving_squares();
            [weights.ip_emb_preproc_w, weights.ip_emb_preproc_b] = dense(&layer, encoding);
            [weights.ip_emb_ln_gammas, weights.ip_emb_ln_betas] = norm(&positions.norm, encoding);
            weights.ip_emb_ffn = Some(feed_forward(&positions.feed_forward, encoding));
            [weights.ip_emb_ffn_ln_gammas, weights.ip_emb_ffn_ln_betas] = norm(&positions.feed_forward_norm, encoding);
            2
        }
    });
    [weights.ip_emb_w, weights.ip_emb_b] = dense(&embedding.layer, encoding);
    weights.ip_mult_gate = embedding.factors.as_ref().and_then(array);
    weights.ip_add_gate = embedding.offsets.as_ref().and_then(array);
    weights.encoder = body.encoders.iter().map(|own| encoder(own, encoding)).collect();
    weights.headcount = u32::try_from(body.heads).ok();
    weights.smolgen_w = body.generator.as_ref().and_then(|generator| array(&generator.weights));
}

fn encoder(encoder: &Encoder, encoding: i32) -> proto::EncoderLayer {
    let [q_w, q_b] = dense(&encoder.query, encoding);
    let [k_w, k_b] = dense(&encoder.key, encoding);
    let [v_w, v_b] = dense(&encoder.value, encoding);
    let [dense_w, dense_b] = dense(&encoder.output, encoding);
    let smolgen = encoder.smolgen.as_ref().map(|smolgen| {
        let [dense1_w, dense1_b] = dense(&smolgen.first.clone().reading_squares(), encoding);
        let [ln1_gammas, ln1_betas] = norm(&smolgen.first_norm, encoding);
        let [dense2_w, dense2_b] = dense(&smolgen.second, encoding);
        let [ln2_gammas, ln2_betas] = norm(&smolgen.second_norm, encoding);
        proto::Smolgen {
            compress: Some(layer::encode(&smolgen.compress.weights, encoding)),
            dense1_w,
            dense1_b,
            ln1_gammas,
            ln1_betas,
            dense2_w,
            dense2_b,
            ln2_gammas,
            ln2_betas,
        }
    });
    let [ln1_gammas, ln1_betas] = norm(&encoder.attention_norm, encoding);
    let [ln2_gammas, ln2_betas] = norm(&encoder.feed_forward_norm, encoding);
    proto::EncoderLayer {
        mha: Some(proto::Mha {
            q_w,
            q_b,
            k_w,
            k_b,
            v_w,
            v_b,
            dense_w,
            dense_b,
            smolgen,
            ..Default::default()
        }),
        ln1_gammas,
        ln1_betas,
        ffn: Some(feed_forward(&encoder.feed_forward, encoding)),
        ln2_gammas,
        ln2_betas,
    }
}

fn feed_forward(layers: &FeedForward, encoding: i32) -> proto::Ffn {
    let [dense1_w, dense1_b] = dense(&layers.first, encoding);
    let [dense2_w, dense2_b] = dense(&layers.second, encoding);
    proto::Ffn {
        dense1_w,
        dense1_b,
        dense2_w,
        dense2_b,
    }
}

fn norm(norm: &Norm, encoding: i32) -> [Option<proto::Layer>; 2] {
    [&norm.gammas, &norm.betas].map(|values| Some(layer::encode(values, encoding)))
}

/// Weights and biases.
pub(super) fn dense(dense: &Dense, encoding: i32) -> [Option<proto::Layer>; 2] {
    [&dense.weights, &dense.biases].map(|values| Some(layer::encode(values, encoding)))
}
