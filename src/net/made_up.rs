//! Networks that nobody has trained, of any size: what takes time does so whatever the weights are.

use sha2::{Digest, Sha256};

use super::{
    network::{Block, Body, Convolution, Dense, INPUT_PLANES, Network, PolicyHead, SqueezeExcitation, ValueHead},
    weights::hex,
};
use crate::random::Rng;

impl Network {
    /// A network of the same kind with so many filters and blocks, and weights of chance. What a block adds is kept
    /// small, so that the activations of many blocks stay within what trained networks have. `None` for a network with
    /// encoders, or where there are no filters or blocks.
    #[must_use]
    pub fn made_up(&self, filters: usize, blocks: usize, seed: u64) -> Option<Self> {
        let Body::Residual { .. } = &self.body else {
            return None;
        };
        if filters == 0 || blocks == 0 {
            return None;
        }
        let mut chance = Chance(Rng::new(seed));
        let squeezed = self.se_ratio().map(|ratio| (filters / ratio).max(1));
        let input = chance.convolution([INPUT_PLANES, filters, 3], 1.0);
        let body = Body::Residual {
            input,
            blocks: (0..blocks).map(|_| chance.block(filters, squeezed, blocks)).collect(),
        };
        let policy = match &self.policy {
            PolicyHead::Classical { convolution, dense } => PolicyHead::Classical {
                convolution: chance.like(convolution, filters, convolution.outputs),
                dense: chance.dense(dense.inputs, dense.outputs),
            },
            PolicyHead::Convolution { hidden, planes } => PolicyHead::Convolution {
                hidden: chance.like(hidden, filters, filters),
                planes: chance.like(planes, filters, planes.outputs),
            },
            PolicyHead::Attention {
                embedding,
                query,
                key,
                promotion,
            } => PolicyHead::Attention {
                embedding: chance.dense(filters, embedding.outputs),
                query: chance.dense(query.inputs, query.outputs),
                key: chance.dense(key.inputs, key.outputs),
                promotion: Dense {
                    biases: vec![0.0; promotion.outputs],
                    ..chance.dense(promotion.inputs, promotion.outputs)
                },
            },
        };
        let ValueHead {
            convolution,
            hidden,
            output,
        } = &self.value;
        let value = ValueHead {
            convolution: chance.like(convolution, filters, convolution.outputs),
            hidden: chance.dense(hidden.inputs, hidden.outputs),
            output: chance.dense(output.inputs, output.outputs),
        };
        let name = format!("{filters}x{blocks} made up like {} by {seed}", self.sha256);
        Some(Self {
            format: self.format,
            sha256: hex(&Sha256::digest(name)),
            body,
            policy,
            value,
            moves_left: None,
        })
    }
}

/// Layers of chance.
struct Chance(Rng);

impl Chance {
    /// As many numbers with the mean 0 and this standard deviation, evenly spread.
    fn numbers(&mut self, count: usize, deviation: f64) -> Vec<f32> {
        let half = deviation * 3f64.sqrt();
        (0..count)
            .map(|_| ((2.0 * self.0.unit() - 1.0) * half) as f32)
            .collect()
    }

    /// Weights that keep the spread of what comes in through a rectifier, times `gain`: `inputs`, `outputs` and squares a side.
    fn convolution(&mut self, [inputs, outputs, size]: [usize; 3], gain: f64) -> Convolution {
        let reads = inputs * size * size;
        Convolution {
            inputs,
            outputs,
            size,
            weights: self.numbers(outputs * reads, gain * (2.0 / reads as f64).sqrt()),
            biases: self.numbers(outputs, 0.01),
        }
    }

    fn like(&mut self, layer: &Convolution, inputs: usize, outputs: usize) -> Convolution {
        self.convolution([inputs, outputs, layer.size], 1.0)
    }

    fn dense(&mut self, inputs: usize, outputs: usize) -> Dense {
        Dense {
            inputs,
            outputs,
            weights: self.numbers(outputs * inputs, (2.0 / inputs as f64).sqrt()),
            biases: self.numbers(outputs, 0.01),
        }
    }

    /// One of `blocks`: what they add together is as large as what they add it to.
    fn block(&mut self, filters: usize, squeezed: Option<usize>, blocks: usize) -> Block {
        let second = 1.0 / (blocks as f64).sqrt();
        Block {
            first: self.convolution([filters, filters, 3], 1.0),
            second: self.convolution([filters, filters, 3], second),
            se: squeezed.map(|squeezed| SqueezeExcitation {
                squeeze: self.dense(filters, squeezed),
                excite: self.dense(squeezed, 2 * filters),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Encoding, read_network, write_network};

    #[test]
    fn made_up_networks_have_the_size_that_was_asked_for_and_can_be_written() {
        let shipped = read_network(include_bytes!("../../public/networks/kibitz-64x6.pb.gz")).unwrap();
        let made_up = shipped.made_up(24, 3, 7).unwrap();
        assert_eq!(made_up, shipped.made_up(24, 3, 7).unwrap(), "the seed decides");
        assert_ne!(made_up.layers(), shipped.made_up(24, 3, 8).unwrap().layers());
        let back = read_network(&write_network(&made_up, Encoding::Float32)).unwrap();
        assert_eq!(
            (back.filters(), back.blocks(), back.se_ratio(), back.format),
            (24, 3, shipped.se_ratio(), shipped.format)
        );
        assert_eq!(back.layers(), made_up.layers());
        assert!(shipped.made_up(0, 3, 7).is_none());
    }
}
