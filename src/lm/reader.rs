//! A model that reads sequences: what one shares with the sequence before it is not read again.

use std::sync::Arc;

use super::{
    lstm,
    model::{Body, Model},
    read_error::ReadError,
    transformer,
};

/// The most tokens that are read at once: attention needs their square of numbers for each head.
const MOST_AT_ONCE: usize = 256;

/// What reads, and remembers.
#[derive(Debug, Clone)]
enum Memory {
    Transformer(Box<transformer::Memory>),
    Lstm(lstm::Memory),
}

/// A model ready to read. Clones share its weights, and each remembers what it has read itself.
#[derive(Debug, Clone)]
pub struct Reader {
    model: Arc<Model>,
    memory: Memory,
    read: Vec<u8>,
}

impl Reader {
    /// Builds the model's graph.
    ///
    /// # Errors
    /// [`ReadError::Build`] when tract refuses it.
    pub fn new(model: Model) -> Result<Self, ReadError> {
        let memory = match &model.body {
            Body::Transformer(body) => Memory::Transformer(Box::new(transformer::Memory::new(&model, body)?)),
            Body::Lstm(layers) => Memory::Lstm(lstm::Memory::new(layers, &model.embedding, model.header.width)),
        };
        Ok(Self {
            model: Arc::new(model),
            memory,
            read: Vec::new(),
        })
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Logits over the vocabulary after each token from number `from` on (counted from 0): what the model expects next. What
    /// the sequence shares with the one read before it is not read again, up to `from`.
    ///
    /// # Errors
    /// When there is nothing to read, a token is not in the vocabulary, the sequence is too long, or the model fails. It can
    /// be asked again then.
    pub fn logits(&mut self, tokens: &[u8], from: usize) -> Result<Vec<Vec<f32>>, ReadError> {
        let header = &self.model.header;
        let (context, vocabulary) = (header.context, header.vocabulary);
        if from >= tokens.len() {
            return Err(ReadError::Nothing);
        }
        if tokens.len() > context {
            return Err(ReadError::TooLong {
                found: tokens.len(),
                context,
            });
        }
        let shared = self.read.iter().zip(tokens).take_while(|(a, b)| a == b).count();
        let begin = shared.min(from);
        self.keep(begin);
        let mut logits = Vec::with_capacity(tokens.len() - from);
        for piece in tokens[begin..].chunks(MOST_AT_ONCE) {
            let mut embedded = Vec::with_capacity(piece.len() * self.model.header.width);
            for &token in piece {
                embedded.extend(self.model.embedded(token).ok_or(ReadError::NoToken(token))?);
            }
            let first = self.read.len();
            let found = match &mut self.memory {
                Memory::Transformer(memory) => memory.read(&embedded),
                Memory::Lstm(memory) => Ok(memory.read(&embedded)),
            };
            let found = found.inspect_err(|_| self.read.clear())?;
            self.read.extend(piece);
            let rows = found.chunks_exact(vocabulary).skip(from.saturating_sub(first));
            logits.extend(rows.map(<[f32]>::to_vec));
        }
        if logits.iter().flatten().all(|logit| logit.is_finite()) {
            Ok(logits)
        } else {
            self.keep(0);
            Err(ReadError::NotNumbers)
        }
    }

    /// Natural logarithms of the probabilities that the vocabulary has after the sequence.
    ///
    /// # Errors
    /// As [`Reader::logits`].
    pub fn next(&mut self, tokens: &[u8]) -> Result<Vec<f32>, ReadError> {
        let from = tokens.len().saturating_sub(1);
        let logits = self.logits(tokens, from)?;
        logits.into_iter().next().map(log_shares).ok_or(ReadError::Nothing)
    }

    fn keep(&mut self, length: usize) {
        self.read.truncate(length);
        match &mut self.memory {
            Memory::Transformer(memory) => memory.keep(self.read.len()),
            Memory::Lstm(memory) => memory.keep(self.read.len()),
        }
    }
}

/// Logits less the logarithm of the sum of their exponentials.
fn log_shares(mut logits: Vec<f32>) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = logits.iter().map(|logit| f64::from(logit - most).exp()).sum();
    let all = most + sum.ln() as f32;
    logits.iter_mut().for_each(|logit| *logit -= all);
    logits
}
