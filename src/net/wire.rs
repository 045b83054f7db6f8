//! A first walk over a file's protobuf fields, before anything is decoded: it allocates nothing, counts what could make
//! the decoder allocate much from little, and knows where a file that ends too early ends.

use prost::encoding::{WireType, decode_key, decode_varint};

/// More residual blocks or encoders than any network has; the largest known has 40.
pub(super) const MAX_BLOCKS: usize = 256;

/// The field of an encoder; that of a residual block is 2.
const ENCODER: u32 = 27;

/// What the walk found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Walk {
    /// Well-formed as far as the two outer levels go.
    Whole,
    /// The file ends inside this.
    Ends(Place),
    /// Not protobuf.
    Malformed,
    /// More than [`MAX_BLOCKS`].
    TooManyBlocks,
}

/// A place in a network file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Before the weights.
    Head,
    /// The input convolution.
    Input,
    /// A residual block or encoder, the first is 1.
    Block(usize),
    /// The weights of the policy or value head.
    Heads,
    /// After the weights.
    Tail,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Head => f.write_str("its header"),
            Self::Input => f.write_str("the input layer"),
            Self::Block(n) => write!(f, "block {n}"),
            Self::Heads => f.write_str("the policy and value heads"),
            Self::Tail => f.write_str("what follows the weights"),
        }
    }
}

enum Field<'a> {
    Message(u32, &'a [u8]),
    Other,
    Cut(u32, &'a [u8]),
    Malformed,
}

/// The next field; `rest` moves past it. A field cut short gives what there is of it.
fn field<'a>(rest: &mut &'a [u8]) -> Field<'a> {
    // A varint that runs out of bytes is a file that ends; one that is too long is no protobuf.
    let short = rest.len() < 10 && rest.iter().all(|b| b & 0x80 != 0);
    let Ok((tag, kind)) = decode_key(rest) else {
        return if short { Field::Cut(0, &[]) } else { Field::Malformed };
    };
    let length = match kind {
        WireType::Varint => {
            let short = rest.len() < 10 && rest.iter().all(|b| b & 0x80 != 0);
            return match decode_varint(rest) {
                Ok(_) => Field::Other,
                Err(_) if short => Field::Cut(tag, &[]),
                Err(_) => Field::Malformed,
            };
        }
        WireType::ThirtyTwoBit => 4,
        WireType::SixtyFourBit => 8,
        WireType::LengthDelimited => {
            let short = rest.len() < 10 && rest.iter().all(|b| b & 0x80 != 0);
            match decode_varint(rest) {
                Ok(length) => length,
                Err(_) if short => return Field::Cut(tag, &[]),
                Err(_) => return Field::Malformed,
            }
        }
        WireType::StartGroup | WireType::EndGroup => return Field::Malformed,
    };
    let have = rest.len() as u64;
    if length > have {
        return Field::Cut(tag, std::mem::take(rest));
    }
    // `length` is at most `rest.len()`, so it fits.
    let (body, after) = rest.split_at(length as usize);
    *rest = after;
    if kind == WireType::LengthDelimited {
        Field::Message(tag, body)
    } else {
        Field::Other
    }
}

/// The most of an ONNX file that may be something else than weights. The largest residual networks need 0.3 MB.
const MAX_STRUCTURE: usize = 4 << 20;

/// What a walk over an ONNX file found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum OnnxWalk {
    /// Protobuf with a graph in it.
    Whole,
    /// It ends inside its graph, or before it.
    Ends,
    /// It is mostly something else than weights, which would decode into much more than its size.
    TooManyNodes,
    /// Not ONNX.
    Other,
}

/// Walks over what may be an ONNX file: a version (field 1), a graph (field 7) with constants (field 5) whose numbers
/// are raw (field 9) or floats (field 4).
pub(super) fn walk_onnx(bytes: &[u8]) -> OnnxWalk {
    // Every writer of protobuf puts field 1 first; here it is a varint.
    if bytes.first() != Some(&0x08) {
        return OnnxWalk::Other;
    }
    let mut rest = bytes;
    let (mut weights, mut graphs) = (0, 0);
    while !rest.is_empty() {
        match field(&mut rest) {
            Field::Message(7, graph) => {
                graphs += 1;
                match graph_weights(graph) {
                    Some(found) => weights += found,
                    None => return OnnxWalk::Other,
                }
            }
            Field::Message(..) | Field::Other => {}
            Field::Cut(7, _) => return OnnxWalk::Ends,
            Field::Cut(..) if graphs > 0 => return OnnxWalk::Ends,
            Field::Cut(..) | Field::Malformed => return OnnxWalk::Other,
        }
    }
    match graphs {
        0 => OnnxWalk::Other,
        _ if bytes.len() - weights > MAX_STRUCTURE => OnnxWalk::TooManyNodes,
        _ => OnnxWalk::Whole,
    }
}

/// Bytes of a graph that are its constants' numbers; `None` where it is no protobuf.
fn graph_weights(mut graph: &[u8]) -> Option<usize> {
    let mut weights = 0;
    while !graph.is_empty() {
        match field(&mut graph) {
            Field::Message(5, mut constant) => {
                while !constant.is_empty() {
                    match field(&mut constant) {
                        Field::Message(4 | 9, numbers) => weights += numbers.len(),
                        Field::Message(..) | Field::Other => {}
                        Field::Cut(..) | Field::Malformed => return None,
                    }
                }
            }
            Field::Message(..) | Field::Other => {}
            Field::Cut(..) | Field::Malformed => return None,
        }
    }
    Some(weights)
}

/// Walks over a whole file.
pub(super) fn walk(bytes: &[u8]) -> Walk {
    let mut rest = bytes;
    let mut blocks = 0;
    let mut seen = false;
    while !rest.is_empty() {
        match field(&mut rest) {
            Field::Other => {}
            Field::Message(10, weights) => {
                seen = true;
                match walk_weights(weights, &mut blocks) {
                    // The weights' own length is right, so what is cut inside them was never whole.
                    Walk::Ends(_) => return Walk::Malformed,
                    Walk::Whole => {}
                    other => return other,
                }
            }
            Field::Message(..) => {}
            Field::Cut(10, weights) => {
                return match walk_weights(weights, &mut blocks) {
                    // What there is ends between two fields.
                    Walk::Whole if blocks == 0 => Walk::Ends(Place::Input),
                    Walk::Whole => Walk::Ends(Place::Block(blocks)),
                    other => other,
                };
            }
            Field::Cut(..) => return Walk::Ends(if seen { Place::Tail } else { Place::Head }),
            Field::Malformed => return Walk::Malformed,
        }
    }
    Walk::Whole
}

fn walk_weights(mut rest: &[u8], blocks: &mut usize) -> Walk {
    while !rest.is_empty() {
        match field(&mut rest) {
            Field::Other => {}
            Field::Message(tag, _) => {
                if matches!(tag, 2 | ENCODER) {
                    *blocks += 1;
                    if *blocks > MAX_BLOCKS {
                        return Walk::TooManyBlocks;
                    }
                }
            }
            Field::Cut(2 | ENCODER, _) => return Walk::Ends(Place::Block(*blocks + 1)),
            Field::Cut(0 | 1, _) if *blocks == 0 => return Walk::Ends(Place::Input),
            Field::Cut(0, _) => return Walk::Ends(Place::Block(*blocks)),
            Field::Cut(..) => return Walk::Ends(Place::Heads),
            Field::Malformed => return Walk::Malformed,
        }
    }
    Walk::Whole
}
