//! A network's file while it arrives: plain or gzipped, in pieces of any size, never trusted.
//!
//! Its weights are kept as the file has them, half the size of numbers in memory as a rule, and each layer's bytes go as soon as
//! they have become numbers. A network that is too large is refused by what its header says, before its weights are read.

use std::io::{ErrorKind, Write};

use bytes::Bytes;
use flate2::write::MultiGzDecoder;
use prost::Message;
use sha2::{Digest, Sha256};

use super::{
    error::NetworkError,
    format::{BodyFormat, Format, InputFormat},
    layer,
    memory::MOST_MEMORY,
    network::Network,
    onnx,
    onnx_parts::{MAX_BYTES, OnnxParts, Stopped, check_memory},
    proto, weights,
    wire::{End, Fields, MAX_BLOCKS, Part, Place},
};

/// Reads a `.pb`, `.pb.gz`, `.onnx` or `.onnx.gz` file that is there whole; which it is, its content tells.
///
/// # Errors
/// Whatever is not a whole network of a kind that Kibitz runs is refused, with what was found in its place. No input
/// panics; memory stays within a few times 1.6 GB.
pub fn read_network(bytes: &[u8]) -> Result<Network, NetworkError> {
    let mut arriving = Arriving::default();
    arriving.take(bytes)?;
    arriving.finish()
}

/// A file of which some has arrived.
pub struct Arriving {
    /// What has come of the first two bytes, which tell gzip.
    first: Vec<u8>,
    state: State,
    limits: Limits,
}

#[derive(Clone, Copy)]
struct Limits {
    bytes: u64,
    memory: u64,
}

enum State {
    /// Too little to tell.
    Begun,
    Plain(Box<Content>),
    Gzipped(Box<Gzipped>),
}

struct Gzipped {
    decoder: MultiGzDecoder<Content>,
    /// The last eight bytes that have come: at a stream's end its check sum and the length of what it unpacks to.
    last: Vec<u8>,
}

impl Gzipped {
    fn take(&mut self, piece: &[u8]) -> Result<(), NetworkError> {
        self.last
            .extend_from_slice(&piece[piece.len().saturating_sub(TRAILER)..]);
        self.last.drain(..self.last.len().saturating_sub(TRAILER));
        self.decoder.write_all(piece).map_err(|_| self.refusal())
    }

    fn refusal(&mut self) -> NetworkError {
        let refused = self.decoder.get_mut().refused.take();
        refused.unwrap_or(NetworkError::GzipDamaged)
    }

    /// Whether the length stands at the end that it has there: the stream has come whole, and what is wrong with it is damage.
    /// The decoder doesn't say.
    fn has_ended(&self) -> bool {
        let length = self.decoder.get_ref().bytes as u32;
        length > 0 && self.last.ends_with(&length.to_le_bytes())
    }
}

/// So many bytes tell old text from all else.
const HEAD: usize = 32;

/// Whether a file begins as networks did before protobuf: a line with the number of their version, then one of decimal numbers.
fn is_old_text(head: &[u8]) -> bool {
    let digits = head.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = &head[digits..];
    let numbers = rest.strip_prefix(b"\r\n").or_else(|| rest.strip_prefix(b"\n"));
    (1..=2).contains(&digits)
        && numbers.is_some_and(|numbers| {
            numbers.contains(&b'.') && numbers.iter().all(|byte| b"0123456789+-.eE \r\n".contains(byte))
        })
}

/// Bytes of a gzip stream's end.
const TRAILER: usize = 8;

impl Default for Arriving {
    fn default() -> Self {
        Self::within(MAX_BYTES, MOST_MEMORY)
    }
}

impl Arriving {
    /// With other limits than `MAX_BYTES` and [`MOST_MEMORY`].
    fn within(bytes: u64, memory: u64) -> Self {
        Self {
            first: Vec::new(),
            state: State::Begun,
            limits: Limits { bytes, memory },
        }
    }

    /// Takes what follows.
    ///
    /// # Errors
    /// When what has come shows that it is no network that Kibitz can run; there is no use in going on then.
    pub fn take(&mut self, piece: &[u8]) -> Result<(), NetworkError> {
        match &mut self.state {
            State::Begun => {
                self.first.extend_from_slice(piece);
                if self.first.len() < 2 {
                    return Ok(());
                }
                let first = std::mem::take(&mut self.first);
                let gzipped = first.starts_with(&[0x1f, 0x8b]);
                let content = Content::new(gzipped, self.limits);
                self.state = if gzipped {
                    State::Gzipped(Box::new(Gzipped {
                        decoder: MultiGzDecoder::new(content),
                        last: Vec::new(),
                    }))
                } else {
                    State::Plain(Box::new(content))
                };
                self.take(&first)
            }
            State::Plain(content) => content.take(piece),
            State::Gzipped(gzipped) => gzipped.take(piece),
        }
    }

    /// The network, when all has arrived.
    ///
    /// # Errors
    /// Whatever is not a whole network of a kind that Kibitz runs is refused, with what was found in its place.
    pub fn finish(self) -> Result<Network, NetworkError> {
        match self.state {
            State::Begun if self.first.is_empty() => Err(NetworkError::Empty),
            State::Begun => {
                let mut content = Content::new(false, self.limits);
                content.take(&self.first)?;
                content.finish(false)
            }
            State::Plain(content) => content.finish(false),
            State::Gzipped(mut gzipped) => {
                let ends = gzipped.decoder.try_finish().is_err();
                if ends && (gzipped.has_ended() || gzipped.decoder.get_ref().refused.is_some()) {
                    return Err(gzipped.refusal());
                }
                let content = Content::new(true, self.limits);
                std::mem::replace(gzipped.decoder.get_mut(), content).finish(ends)
            }
        }
    }
}

/// What is in the file.
struct Content {
    gzipped: bool,
    limits: Limits,
    /// Bytes so far.
    bytes: u64,
    /// The first of them, by which other files are known.
    head: Vec<u8>,
    sha256: Sha256,
    parts: Parts,
    /// Why it can't be read, where that is known; a gzipped one may yet prove to be damaged.
    refused: Option<NetworkError>,
    malformed: Option<NetworkError>,
}

enum Parts {
    /// Nothing has come.
    None,
    Net(Box<NetParts>),
    Onnx(Box<OnnxParts>),
}

impl Content {
    fn new(gzipped: bool, limits: Limits) -> Self {
        Self {
            gzipped,
            limits,
            bytes: 0,
            head: Vec::new(),
            sha256: Sha256::new(),
            parts: Parts::None,
            refused: None,
            malformed: None,
        }
    }

    /// What it is when it is no network.
    fn something_else(&self) -> NetworkError {
        if is_old_text(&self.head) {
            NetworkError::OldText
        } else if self.gzipped {
            NetworkError::GzipOfSomethingElse
        } else {
            NetworkError::NotANetwork
        }
    }

    fn take(&mut self, piece: &[u8]) -> Result<(), NetworkError> {
        let Some(&first) = piece.first() else { return Ok(()) };
        self.bytes += piece.len() as u64;
        if self.bytes > self.limits.bytes {
            let limit = self.limits.bytes;
            return Err(NetworkError::TooLong { limit });
        }
        if self.malformed.is_some() {
            return Ok(());
        }
        self.sha256.update(piece);
        let room = HEAD - self.head.len();
        self.head.extend_from_slice(&piece[..room.min(piece.len())]);
        // Every writer of protobuf puts field 1 first: of Lc0's networks that is 32 bits, of ONNX files a varint.
        if matches!(self.parts, Parts::None) {
            self.parts = match first {
                0x08 => Parts::Onnx(Box::default()),
                first => Parts::Net(Box::new(NetParts::new(first == 0x0d))),
            };
        }
        let (taken, ours) = match &mut self.parts {
            Parts::None => return Ok(()),
            Parts::Net(parts) => (parts.take(piece, self.limits.memory), parts.ours),
            Parts::Onnx(parts) => (parts.take(piece, self.limits.memory), false),
        };
        let error = match taken {
            Ok(()) => return Ok(()),
            Err(Stopped::Refused(error)) => return Err(error),
            Err(Stopped::Malformed) if ours => NetworkError::Malformed,
            Err(Stopped::Malformed) => self.something_else(),
        };
        if self.gzipped && ours {
            // The end will tell whether it was damaged on its way.
            self.parts = Parts::None;
            self.malformed = Some(error);
            return Ok(());
        }
        Err(error)
    }

    /// `ends`: the gzip stream is cut.
    fn finish(self, ends: bool) -> Result<Network, NetworkError> {
        let something_else = self.something_else();
        if let Some(error) = self.malformed {
            return Err(error);
        }
        let sha256 = weights::hex(&self.sha256.finalize());
        match self.parts {
            Parts::None if ends => Err(NetworkError::GzipEnds),
            Parts::None => Err(something_else),
            Parts::Net(parts) if ends && !parts.ours => Err(NetworkError::GzipEnds),
            Parts::Net(parts) => parts.network(ends, sha256, something_else),
            Parts::Onnx(parts) => match parts.graph(ends) {
                Ok(graph) => onnx::read(graph, &onnx::Names::default(), InputFormat::Classical, sha256),
                Err(Stopped::Refused(error)) => Err(error),
                Err(Stopped::Malformed) if ends => Err(NetworkError::GzipEnds),
                Err(Stopped::Malformed) => Err(something_else),
            },
        }
    }
}

/// What a gzip stream unpacks to.
impl Write for Content {
    fn write(&mut self, piece: &[u8]) -> std::io::Result<usize> {
        match self.take(piece) {
            Ok(()) => Ok(piece.len()),
            Err(error) => {
                self.refused = Some(error);
                Err(ErrorKind::Other.into())
            }
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A network of Lc0's own format.
struct NetParts {
    /// It starts as one does.
    ours: bool,
    fields: Fields,
    net: proto::Net,
    blocks: usize,
    /// Weights have begun.
    seen: bool,
}

/// The weights in a network.
const WEIGHTS: u32 = 10;
/// A residual block in the weights.
const RESIDUAL: u32 = 2;
/// An encoder in them.
const ENCODER: u32 = 27;

impl NetParts {
    fn new(ours: bool) -> Self {
        Self {
            ours,
            fields: Fields::opening(WEIGHTS),
            net: proto::Net::default(),
            blocks: 0,
            seen: false,
        }
    }

    fn take(&mut self, mut piece: &[u8], most: u64) -> Result<(), Stopped> {
        while let Some(part) = self.fields.next(&mut piece)? {
            match part {
                Part::Opened(length) => {
                    self.seen = true;
                    self.net.weights.get_or_insert_default();
                    // What is no network may say anything here.
                    if self.ours {
                        self.check_memory(length, most)?;
                    }
                }
                Part::Inner(number, bytes) => {
                    if matches!(number, RESIDUAL | ENCODER) {
                        self.blocks += 1;
                        if self.blocks > MAX_BLOCKS {
                            return Err(NetworkError::TooManyBlocks.into());
                        }
                    }
                    let weights = self.net.weights.get_or_insert_default();
                    weights.merge(Bytes::from(bytes))?;
                }
                Part::Outer(_, bytes) => self.net.merge(Bytes::from(bytes))?,
            }
        }
        Ok(())
    }

    fn check_memory(&self, length: u64, most: u64) -> Result<(), NetworkError> {
        // A length beyond what any file has is one that ends too early.
        if length > MAX_BYTES {
            return Ok(());
        }
        let format = self.net.format;
        let width = match format.and_then(|format| format.weights_encoding) {
            Some(layer::FLOAT32) => 4,
            _ => 2,
        };
        // A body that is not known yet is refused later, for what it is.
        let body = Format::read(format.as_ref(), false).map_or(BodyFormat::Residual, |format| format.body);
        check_memory(length, width, body, most)
    }

    fn network(self, ends: bool, sha256: String, something_else: NetworkError) -> Result<Network, NetworkError> {
        let place = match self.fields.end() {
            End::Whole if ends => Some(Place::Tail),
            End::Whole => None,
            End::Outer(_) => Some(if self.seen { Place::Tail } else { Place::Head }),
            End::Inner(None | Some(0 | 1)) if self.blocks == 0 => Some(Place::Input),
            End::Inner(None | Some(0)) => Some(Place::Block(self.blocks)),
            End::Inner(Some(RESIDUAL | ENCODER)) => Some(Place::Block(self.blocks + 1)),
            End::Inner(Some(_)) => Some(Place::Heads),
        };
        match (place, self.net.magic) {
            (Some(place), _) if self.ours => Err(NetworkError::Ends(place)),
            (Some(_), _) | (None, None) => Err(something_else),
            (None, Some(proto::MAGIC)) => weights::network(self.net, sha256),
            (None, Some(found)) => Err(NetworkError::Magic { found }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::writer::gzip;

    fn read_within(bytes: &[u8], limit: u64, memory: u64) -> Result<Network, NetworkError> {
        let mut arriving = Arriving::within(limit, memory);
        arriving.take(bytes)?;
        arriving.finish()
    }

    const SHIPPED: &[u8] = include_bytes!("../../public/networks/kibitz-64x6.pb.gz");

    #[test]
    fn what_unpacks_to_too_much_is_refused() {
        let mut plain = vec![0x0d, 0xc0, 0x01, 0, 0, 0x52];
        prost::encode_length_delimiter(100_000, &mut plain).unwrap();
        plain.resize(100_000, 0);
        let bomb = gzip(&plain);
        assert!(bomb.len() < 500);
        let limit = 50_000;
        for bytes in [&bomb, &plain] {
            assert_eq!(
                read_within(bytes, limit, u64::MAX),
                Err(NetworkError::TooLong { limit })
            );
        }
    }

    /// By what the header says: nothing of the weights has come.
    #[test]
    fn what_does_not_fit_is_refused_before_it_is_read() {
        let mut header = vec![0x0d, 0xc0, 0x01, 0, 0, 0x52];
        prost::encode_length_delimiter(1_200_000_000, &mut header).unwrap();
        let error = read_within(&header, MAX_BYTES, 3_000_000_000).unwrap_err();
        assert_eq!(
            error,
            NetworkError::TooLarge {
                weights: 600_000_000,
                needed: 4_266_666_656,
                most: 3_000_000_000
            }
        );
        // T78's shape, 512 filters and 40 blocks, fits.
        let mut header = vec![0x0d, 0xc0, 0x01, 0, 0, 0x52];
        prost::encode_length_delimiter(390_000_000, &mut header).unwrap();
        assert_eq!(
            read_within(&header, MAX_BYTES, 3_000_000_000),
            Err(NetworkError::Ends(Place::Input))
        );
        let network = read_network(SHIPPED).unwrap();
        assert!(read_within(SHIPPED, MAX_BYTES, network.bytes_to_build() * 11 / 10).is_ok());
        assert!(matches!(
            read_within(SHIPPED, MAX_BYTES, network.bytes_to_build() / 2),
            Err(NetworkError::TooLarge { .. })
        ));
    }
}
