//! A small network that proposes what a sentence claims, trained on marked sentences (`training/claims`). It reads chunks, never a
//! board: it says which predicate is claimed where, which chunks fill its slots, and whether it is denied. What a proposal
//! means is told by the same code that reads rows ([`super::proposed`]), and the board judges as ever.
//!
//! | file | what is there |
//! |---|---|
//! | `file` | the weights, from the file that training writes |
//! | `encoder` | chunks into numbers, each with what stands around it |
//! | `claims` | numbers into proposals |

mod claims;
mod encoder;
mod file;

pub use claims::{Proposal, Slot};
pub use file::WeightsError;

use self::{claims::Claims, encoder::Encoder, file::Weights};
use super::chunk::Chunk;

/// Chunks of one sentence that are looked at; a longer one is not read by the network.
const MOST_CHUNKS: usize = 72;

/// What proposes claims. The page has nothing that does, and need not load a network's code.
pub trait Proposes: std::fmt::Debug {
    /// What a sentence's chunks may claim. A sentence that is longer than any it was trained on has none.
    fn proposals(&self, chunks: &[Chunk]) -> Vec<Proposal>;
}

/// A network that proposes what a sentence claims.
#[derive(Debug)]
pub struct Network {
    encoder: Encoder,
    claims: Claims,
}

impl Network {
    /// Reads the file that training writes.
    ///
    /// # Errors
    /// Where it is no such file.
    pub fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let weights = Weights::open(bytes)?;
        Ok(Self {
            encoder: Encoder::read(&weights)?,
            claims: Claims::read(&weights)?,
        })
    }
}

impl Proposes for Network {
    fn proposals(&self, chunks: &[Chunk]) -> Vec<Proposal> {
        if chunks.is_empty() || chunks.len() > MOST_CHUNKS {
            return Vec::new();
        }
        self.claims.proposals(&self.encoder.encoded(chunks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_network_is_refused() {
        for bytes in [&b""[..], b"{}", b"\x02\0\0\0\0\0\0\0{}"] {
            Network::read(bytes).expect_err("no network");
        }
    }
}
