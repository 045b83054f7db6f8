//! A network of the same shape that has learnt nothing: a control for what is read from activations.
//!
//! Hewitt and Liang ("Designing and Interpreting Probes with Control Tasks", EMNLP 2019) ask what a probe finds where
//! there is nothing to be found. Every layer's weights change places among themselves, so that each layer keeps its
//! sizes and the spread of its weights, and with them roughly the size of its activations; what training put where is
//! gone. What can be read from it all the same comes from the input and from what the probe reads, not from training.

use sha2::{Digest, Sha256};

use super::network::Network;
use crate::random::Rng;

impl Network {
    /// The network with each layer's weights in an order of chance, its biases likewise. Its hash is one of its own, so
    /// that nobody takes its activations for those of the network that it was made from.
    #[must_use]
    pub fn shuffled(&self, seed: u64) -> Self {
        let mut control = self.clone();
        let name = format!("{} shuffled by {seed}", self.sha256);
        control.sha256 = Sha256::digest(name).iter().map(|byte| format!("{byte:02x}")).collect();
        let mut rng = Rng::new(seed);
        for layer in control.layers_mut() {
            rng.shuffle(layer);
        }
        control
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_network;

    #[test]
    fn every_layer_keeps_its_weights_and_loses_their_order() {
        let file = include_bytes!("../../public/networks/kibitz-64x6.pb.gz");
        let network = read_network(file).unwrap();
        let control = network.shuffled(1);
        assert_eq!(control, network.shuffled(1), "the seed decides");
        assert_ne!(control.layers(), network.shuffled(2).layers());
        assert_eq!(control.layers().len(), network.layers().len());
        let mut moved = 0;
        for (own, original) in control.layers().into_iter().zip(network.layers()) {
            let sorted = |layer: &[f32]| {
                let mut layer = layer.to_vec();
                layer.sort_by(f32::total_cmp);
                layer
            };
            assert_eq!(sorted(own), sorted(original));
            moved += usize::from(own != original);
        }
        assert!(moved > 20, "{moved}");
        assert_eq!(control.sha256.len(), network.sha256.len());
        assert_ne!(control.sha256, network.sha256);
    }
}
