//! A file's protobuf fields, cut out as its bytes arrive: nothing is decoded before a field is whole, and a field that holds
//! nearly all of the file is opened, so that what is in it comes field by field.

use prost::encoding::{WireType, decode_key, decode_varint};

/// More residual blocks or encoders than any network has; the largest known has 40.
pub(super) const MAX_BLOCKS: usize = 256;

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

/// The bytes are no protobuf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Malformed;

/// What has come whole.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The field that is opened begins; it has so many bytes, as it says.
    Opened(u64),
    /// A field of the opened one: its number, and the bytes of it and its key, which a decoder can merge.
    Inner(u32, Vec<u8>),
    /// Another field.
    Outer(u32, Vec<u8>),
}

/// Where the bytes end.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Between two fields.
    Whole,
    /// Within a field; 0 where its number is not there yet.
    Outer(u32),
    /// Within the opened field, between two of its own or (`Some`) within one.
    Inner(Option<u32>),
}

/// Cuts fields out of bytes that come in pieces of any size.
#[derive(Debug)]
pub(super) struct Fields {
    /// The number of the field that is opened.
    opened: u32,
    /// What is there of the next field, from its key on.
    held: Vec<u8>,
    /// Its number, and how many bytes it has with its key, once they are known.
    next: Option<(u32, u64)>,
    /// Bytes that are left of the opened field, within it.
    left: Option<u64>,
}

/// The most memory that is set aside for a field before its bytes are there, in bytes: a little more than a block of the
/// widest networks has.
const AHEAD: u64 = 1 << 26;

impl Fields {
    /// Opens the field with this number.
    pub fn opening(opened: u32) -> Self {
        Self {
            opened,
            held: Vec::new(),
            next: None,
            left: None,
        }
    }

    /// The next part that is whole; `bytes` moves past what was used. `None` when they are used up.
    pub fn next(&mut self, bytes: &mut &[u8]) -> Result<Option<Part>, Malformed> {
        while !bytes.is_empty() {
            let Some((number, wanted)) = self.next else {
                self.held.push(bytes[0]);
                *bytes = &bytes[1..];
                if let Some(part) = self.begun()? {
                    return Ok(Some(part));
                }
                continue;
            };
            let missing = wanted - self.held.len() as u64;
            let (own, rest) = bytes.split_at(missing.min(bytes.len() as u64) as usize);
            self.held.extend_from_slice(own);
            *bytes = rest;
            if self.held.len() as u64 == wanted {
                return Ok(Some(self.whole(number)));
            }
        }
        Ok(None)
    }

    /// Looks whether the key and length are there. A part where nothing more is to come.
    fn begun(&mut self) -> Result<Option<Part>, Malformed> {
        let have = self.held.len() as u64;
        let Some(Head { number, kind, length }) = Head::of(&self.held)? else {
            // Within the opened field there is no more to come of what it can't hold.
            return if self.left == Some(have) {
                Err(Malformed)
            } else {
                Ok(None)
            };
        };
        if self.left.is_none() && number == self.opened && kind == WireType::LengthDelimited {
            self.held.clear();
            self.left = Some(length).filter(|&left| left > 0);
            return Ok(Some(Part::Opened(length)));
        }
        let wanted = have.saturating_add(length);
        if self.left.is_some_and(|left| wanted > left) {
            return Err(Malformed);
        }
        if length == 0 {
            return Ok(Some(self.whole(number)));
        }
        // A field that grows would leave gaps behind that nothing fits into.
        self.held.reserve_exact(length.min(AHEAD) as usize);
        self.next = Some((number, wanted));
        Ok(None)
    }

    fn whole(&mut self, number: u32) -> Part {
        self.next = None;
        let bytes = std::mem::take(&mut self.held);
        match &mut self.left {
            Some(left) => {
                *left -= bytes.len() as u64;
                if *left == 0 {
                    self.left = None;
                }
                Part::Inner(number, bytes)
            }
            None => Part::Outer(number, bytes),
        }
    }

    /// Where they end, when no more bytes come.
    pub fn end(&self) -> End {
        let number = self.next.map_or_else(|| number_of(&self.held), |(number, _)| number);
        match (self.left, self.held.is_empty()) {
            (None, true) => End::Whole,
            (None, false) => End::Outer(number),
            (Some(_), true) => End::Inner(None),
            (Some(_), false) => End::Inner(Some(number)),
        }
    }
}

/// The number of a field whose length is not whole yet; 0 where its key is not.
fn number_of(mut held: &[u8]) -> u32 {
    decode_key(&mut held).map_or(0, |(number, _)| number)
}

/// A field's key and length.
struct Head {
    number: u32,
    kind: WireType,
    /// Bytes that follow.
    length: u64,
}

impl Head {
    /// `None` while it is not whole.
    fn of(held: &[u8]) -> Result<Option<Self>, Malformed> {
        // A varint that runs out of bytes is one that goes on; one that is too long is no protobuf.
        let short = |rest: &[u8]| rest.len() < 10 && rest.iter().all(|byte| byte & 0x80 != 0);
        let mut rest = held;
        if short(rest) {
            return Ok(None);
        }
        let (number, kind) = decode_key(&mut rest).map_err(|_| Malformed)?;
        let length = match kind {
            WireType::ThirtyTwoBit => 4,
            WireType::SixtyFourBit => 8,
            WireType::Varint | WireType::LengthDelimited if short(rest) => return Ok(None),
            WireType::Varint => decode_varint(&mut rest).map(|_| 0).map_err(|_| Malformed)?,
            WireType::LengthDelimited => decode_varint(&mut rest).map_err(|_| Malformed)?,
            WireType::StartGroup | WireType::EndGroup => return Err(Malformed),
        };
        Ok(Some(Self { number, kind, length }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(bytes: &[u8], size: usize) -> (Result<Vec<Part>, Malformed>, End) {
        let mut fields = Fields::opening(10);
        let mut found = Vec::new();
        for mut piece in bytes.chunks(size) {
            loop {
                match fields.next(&mut piece) {
                    Ok(Some(part)) => found.push(part),
                    Ok(None) => break,
                    Err(malformed) => return (Err(malformed), fields.end()),
                }
            }
        }
        (Ok(found), fields.end())
    }

    #[test]
    fn fields_are_cut_out_of_pieces_of_any_size() {
        // 1: a varint; 10: {2: two bytes, 3: empty}; 4: fixed 32 bits; 10: empty.
        let bytes = [8, 0x96, 1, 0x52, 6, 0x12, 2, 7, 8, 0x1a, 0, 0x25, 1, 2, 3, 4, 0x52, 0];
        let expected = || {
            vec![
                Part::Outer(1, vec![8, 0x96, 1]),
                Part::Opened(6),
                Part::Inner(2, vec![0x12, 2, 7, 8]),
                Part::Inner(3, vec![0x1a, 0]),
                Part::Outer(4, vec![0x25, 1, 2, 3, 4]),
                Part::Opened(0),
            ]
        };
        for size in 1..=bytes.len() {
            assert_eq!(parts(&bytes, size), (Ok(expected()), End::Whole), "{size}");
        }
        for (length, end) in [
            (2, End::Outer(1)),
            (4, End::Outer(10)),
            (5, End::Inner(None)),
            (6, End::Inner(Some(2))),
            (8, End::Inner(Some(2))),
            (9, End::Inner(None)),
            (11, End::Whole),
            (14, End::Outer(4)),
        ] {
            assert_eq!(parts(&bytes[..length], 3).1, end, "{length}");
        }
    }

    #[test]
    fn what_is_larger_than_what_holds_it_is_malformed() {
        assert_eq!(parts(&[0x52, 3, 0x12, 2, 7], 2).0, Err(Malformed));
        assert_eq!(parts(&[0x52, 1, 0x92], 1).0, Err(Malformed));
        assert_eq!(parts(&[0x0b], 1).0, Err(Malformed));
    }
}
