//! Network files as they come: plain or gzipped, never trusted.

use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::error::NetworkError;

/// The longest network that is read, uncompressed, in bytes. The largest residual networks of Lc0 (512 filters, 40
/// blocks) have 0.4 GB; a page has 4 GB in all and needs the weights three times over.
pub const MAX_BYTES: u64 = 1 << 29;

/// What a gzipped file gave.
pub(super) struct Unpacked {
    /// As much as could be unpacked.
    pub bytes: Vec<u8>,
    /// Why it could not be unpacked to its end, if so.
    pub broken: Option<Broken>,
}

/// Why unpacking stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    /// The file ends too early.
    Ends,
    /// The file's check sum or structure is wrong.
    Damaged,
}

/// The network's own bytes: `bytes` unpacked where they are gzipped, else as they are.
pub(super) fn unpack(bytes: &[u8], limit: u64) -> Result<Unpacked, NetworkError> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        if bytes.len() as u64 > limit {
            return Err(NetworkError::TooLong { limit });
        }
        return Ok(Unpacked {
            bytes: bytes.to_vec(),
            broken: None,
        });
    }
    let mut unpacked = Vec::new();
    let broken = match MultiGzDecoder::new(bytes).take(limit + 1).read_to_end(&mut unpacked) {
        Ok(_) => None,
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Some(Broken::Ends),
        Err(_) => Some(Broken::Damaged),
    };
    if unpacked.len() as u64 > limit {
        return Err(NetworkError::TooLong { limit });
    }
    Ok(Unpacked {
        bytes: unpacked,
        broken,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::writer::gzip;

    #[test]
    fn what_unpacks_to_too_much_is_refused() {
        let bomb = gzip(&[0; 100_000]);
        assert!(bomb.len() < 500);
        assert_eq!(
            unpack(&bomb, 99_999).map(|_| ()),
            Err(NetworkError::TooLong { limit: 99_999 })
        );
        assert_eq!(unpack(&bomb, 100_000).map(|u| u.bytes.len()), Ok(100_000));
        assert_eq!(
            unpack(&[0; 11], 10).map(|_| ()),
            Err(NetworkError::TooLong { limit: 10 })
        );
    }
}
