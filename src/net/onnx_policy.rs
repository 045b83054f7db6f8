//! The policy heads of Lc0's ONNX files; see [`super::onnx`].

use super::{
    error::NetworkError,
    format::PolicyFormat,
    layer::same,
    network::{POLICY_MOVES, POLICY_PLANES, PolicyHead, SQUARES},
    onnx_reader::{Reader, attribute},
    policy::{attention_at, plane_at},
};

/// A policy head.
pub(super) struct PolicyFound<'a> {
    /// The name of what it reads.
    pub from: &'a str,
    pub head: PolicyHead,
    pub format: PolicyFormat,
}

impl<'a> Reader<'a> {
    /// The policy head that gives `name`.
    pub fn policy(&mut self, name: &'a str) -> Result<PolicyFound<'a>, NetworkError> {
        if self.op(name).0 == "Add" {
            return self.classical(name);
        }
        let gather = self.node(name, "Gather")?;
        let table = self.integers(self.input(gather, 1)?)?;
        let flat = self.through(self.input(gather, 0)?, "Reshape")?;
        let (found, place): (_, fn(u16) -> Option<usize>) = if self.op(flat).0 == "Concat" {
            (self.attention(flat)?, attention_at)
        } else {
            (self.convolutional(flat)?, plane_at)
        };
        let axis = attribute(gather, "axis").and_then(|a| a.int);
        let expected = (0..POLICY_MOVES as u16).map(|index| place(index).and_then(|place| i64::try_from(place).ok()));
        if axis != Some(1) || !table.into_iter().map(Some).eq(expected) {
            return Err(self.stray(name, "Lc0's order of the moves"));
        }
        Ok(found)
    }

    fn classical(&mut self, name: &'a str) -> Result<PolicyFound<'a>, NetworkError> {
        let (dense, from) = self.dense(name)?;
        let (convolution, from) = {
            let from = self.activated(self.through(from, "Reshape")?)?;
            self.convolution(from)?
        };
        Ok(PolicyFound {
            from,
            head: PolicyHead::Classical { convolution, dense },
            format: PolicyFormat::Classical,
        })
    }

    fn convolutional(&mut self, name: &'a str) -> Result<PolicyFound<'a>, NetworkError> {
        let (planes, from) = self.convolution(name)?;
        let from = self.activated(from)?;
        let (hidden, from) = self.convolution(from)?;
        Ok(PolicyFound {
            from,
            head: PolicyHead::Convolution { hidden, planes },
            format: PolicyFormat::Convolution,
        })
    }

    /// Products of queries and keys, and after them the promotions.
    fn attention(&mut self, name: &'a str) -> Result<PolicyFound<'a>, NetworkError> {
        let concat = self.node(name, "Concat")?;
        let (scaled, promotions) = (self.input(concat, 0)?, self.input(concat, 1)?);
        let (products, scale) = self.pair(scaled, "Mul", |input| self.op(input).0 == "MatMul")?;
        let product = self.node(products, "MatMul")?;
        let (query, embedded) = self.dense(self.through(self.input(product, 0)?, "Reshape")?)?;
        let keys = self.through(self.input(product, 1)?, "Transpose")?;
        let (key, same_embedded) = self.dense(self.through(keys, "Reshape")?)?;
        if embedded != same_embedded {
            return Err(self.stray(same_embedded, "what the queries are made of"));
        }
        let scale = self.constant(scale)?.1;
        let length = key.outputs as f32;
        if !matches!(scale[..], [s] if (s * length.sqrt() - 1.0).abs() < 1e-2) {
            return Err(self.stray(scaled, "a division by the root of the keys' length"));
        }
        // Before attention bodies SELU was this head's own, and boards went by planes.
        let (embedding, from) = if self.op(embedded).0 == "Selu" {
            let (embedding, flat) = self.dense(self.through(embedded, "Selu")?)?;
            let squares = self.node(self.through(flat, "Reshape")?, "Transpose")?;
            if attribute(squares, "perm").is_none_or(|a| a.ints != [0, 2, 3, 1]) {
                return Err(self.stray(flat, "the squares' vectors"));
            }
            (embedding, self.input(squares, 0)?)
        } else {
            let from = self.activated(embedded)?;
            let (embedding, from) = self.dense(from)?;
            if !self.ends_attention(from) {
                return Err(self.stray(from, "the last encoder"));
            }
            (embedding, from)
        };
        let (promotion, of) = self.promotions(promotions, scaled)?;
        if of != keys {
            return Err(self.stray(of, "the keys"));
        }
        Ok(PolicyFound {
            from,
            head: PolicyHead::Attention {
                embedding,
                query,
                key,
                promotion,
            },
            format: PolicyFormat::Attention,
        })
    }

    /// What promotions add to the logits `scaled`, and the keys it is made of.
    fn promotions(&self, name: &'a str, scaled: &'a str) -> Result<(super::network::Dense, &'a str), NetworkError> {
        let sum = self.through(name, "Reshape")?;
        let through = |input: &'a str, op| self.through(input, op);
        let is_plain = |input: &'a str| through(input, "Reshape").is_ok_and(|x| self.op(x).0 == "Concat");
        let (plain, added) = self.pair(sum, "Add", is_plain)?;
        let plain = through(through(through(plain, "Reshape")?, "Concat")?, "Reshape")?;
        if through(plain, "Slice")? != scaled {
            return Err(self.stray(plain, "the logits of pawns that reach the last rank"));
        }
        let pieces = through(through(added, "Reshape")?, "Transpose")?;
        let split = through(pieces, "Add")?;
        let offsets = through(through(split, "Split")?, "Transpose")?;
        let (promotion, sliced) = self.product(offsets)?;
        Ok((promotion, through(sliced, "Slice")?))
    }
}

impl PolicyHead {
    /// Whether its layers fit each other and a body of `filters` planes.
    pub(super) fn check_sizes(&self, filters: usize) -> Result<(), NetworkError> {
        match self {
            Self::Classical { convolution, dense } => {
                same("the policy's convolution (planes read)", convolution.inputs, filters)?;
                same("the policy's convolution (size)", convolution.size, 1)?;
                same("the policy's dense layer", dense.inputs, convolution.outputs * SQUARES)?;
                same("the policy's dense layer (biases)", dense.outputs, POLICY_MOVES)
            }
            Self::Convolution { hidden, planes } => {
                same("the policy's first convolution (planes read)", hidden.inputs, filters)?;
                same("the policy's first convolution (size)", hidden.size, 3)?;
                same(
                    "the policy's second convolution (planes read)",
                    planes.inputs,
                    hidden.outputs,
                )?;
                same("the policy's second convolution (size)", planes.size, 3)?;
                same(
                    "the policy's second convolution (planes given)",
                    planes.outputs,
                    POLICY_PLANES,
                )
            }
            Self::Attention {
                embedding,
                query,
                key,
                promotion,
            } => {
                same("the policy's embedding", embedding.inputs, filters)?;
                same("the policy's queries", query.inputs, embedding.outputs)?;
                same("the policy's keys", key.inputs, embedding.outputs)?;
                same("the policy's keys (biases)", key.outputs, query.outputs.max(1))?;
                same("the policy's promotions", promotion.inputs, key.outputs)?;
                same("the policy's promotions (kinds)", promotion.outputs, 4)
            }
        }
    }
}
