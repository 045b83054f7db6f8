//! The layout of `.bag` files: records one after the other, then for each record where it ends.
//!
//! The ends are little-endian 64-bit numbers from the file's beginning, so the last of them says where the ends begin. A file
//! without records is empty. Nothing says how long the ends are or what the records hold; everything is checked that can be.

use std::io::{self, Write};

use thiserror::Error;

use crate::pace::{AtOnce, Pace, ROWS, at_once};

/// Bytes of an end.
const END: usize = 8;

/// Why bytes are no `.bag` file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BagError {
    /// Too short for the last end.
    #[error("the file is cut off: it has {0} bytes, and the last 8 should say where its records end")]
    Short(usize),
    /// The last end lies outside the file.
    #[error("the file is cut off, or is not a .bag: the last 8 of its {size} bytes do not say where its records end")]
    Outside {
        /// What the last 8 bytes say.
        end: u64,
        /// Bytes of the file.
        size: usize,
    },
    /// The ends are no whole number of them.
    #[error("the file is cut off or damaged: {0} bytes follow its records, and each record's end takes 8")]
    Ends(usize),
    /// A record ends before it begins, or beyond the records.
    #[error("the file is cut off or damaged: where its record {record} should end is no place among the records")]
    Order {
        /// From 1.
        record: usize,
        /// Where it should end.
        end: u64,
    },
    /// The records are compressed.
    #[error("the records are compressed (.bagz); unpack them first")]
    Compressed,
}

/// The records of a file.
///
/// # Errors
/// When it is none.
pub fn read_bag(bytes: &[u8]) -> Result<Vec<&[u8]>, BagError> {
    at_once(read_bag_at(bytes, &AtOnce))
}

/// The same in turns.
///
/// # Errors
/// As [`read_bag`].
pub async fn read_bag_at<'a>(bytes: &'a [u8], pace: &impl Pace) -> Result<Vec<&'a [u8]>, BagError> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    if bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        return Err(BagError::Compressed);
    }
    let Some((_, last)) = bytes.split_last_chunk::<END>() else {
        return Err(BagError::Short(bytes.len()));
    };
    let end = u64::from_le_bytes(*last);
    let size = bytes.len();
    let start = usize::try_from(end)
        .ok()
        .filter(|start| *start < size)
        .ok_or(BagError::Outside { end, size })?;
    let (records, ends) = bytes.split_at(start);
    let (ends, rest) = ends.as_chunks::<END>();
    if !rest.is_empty() {
        return Err(BagError::Ends(size - start));
    }
    let (mut from, mut found) = (0, Vec::with_capacity(ends.len()));
    for ends in ends.chunks(ROWS) {
        for end in ends {
            let end = u64::from_le_bytes(*end);
            let record = usize::try_from(end)
                .ok()
                .and_then(|to| records.get(from..to))
                .ok_or(BagError::Order {
                    record: found.len() + 1,
                    end,
                })?;
            from += record.len();
            found.push(record);
        }
        pace.turn().await;
    }
    Ok(found)
}

/// Writes a `.bag` file record by record.
#[derive(Debug)]
pub struct BagWriter<W> {
    out: W,
    ends: Vec<u64>,
    at: u64,
}

impl BagWriter<Vec<u8>> {
    /// What was written since it was last taken, for whoever hands a file on piece by piece.
    pub fn take_piece(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }
}

impl<W: Write> BagWriter<W> {
    /// A file without records.
    pub const fn new(out: W) -> Self {
        Self {
            out,
            ends: Vec::new(),
            at: 0,
        }
    }

    /// Adds a record.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&mut self, record: &[u8]) -> io::Result<()> {
        self.out.write_all(record)?;
        self.at += record.len() as u64;
        self.ends.push(self.at);
        Ok(())
    }

    /// Adds the ends, without which there is no file.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        for end in &self.ends {
            self.out.write_all(&end.to_le_bytes())?;
        }
        self.out.flush()?;
        Ok(self.out)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(records: &[Vec<u8>]) -> Vec<u8> {
        let mut writer = BagWriter::new(Vec::new());
        for record in records {
            writer.write(record).unwrap();
        }
        writer.finish().unwrap()
    }

    #[test]
    fn pieces_make_the_same_file() {
        let mut writer = BagWriter::new(Vec::new());
        writer.write(b"ab").unwrap();
        let mut bytes = writer.take_piece();
        writer.write(b"c").unwrap();
        bytes.extend(writer.finish().unwrap());
        assert_eq!(bytes, written(&[b"ab".to_vec(), b"c".to_vec()]));
    }

    #[test]
    fn the_layout_is_records_then_ends() {
        let bytes = written(&[b"ab".to_vec(), Vec::new(), b"c".to_vec()]);
        assert_eq!(
            bytes,
            [b"abc".as_slice(), &[2, 0, 0, 0, 0, 0, 0, 0, 2], &[0; 7], &[3], &[0; 7]].concat()
        );
        assert_eq!(read_bag(&bytes).unwrap(), [b"ab".as_slice(), b"", b"c"]);
        assert_eq!(written(&[]), b"");
        assert_eq!(read_bag(b"").unwrap(), Vec::<&[u8]>::new());
        assert_eq!(written(&[Vec::new()]), [0; 8]);
        assert_eq!(read_bag(&[0; 8]).unwrap(), [b"".as_slice()]);
    }

    #[test]
    fn hostile_files_are_refused_by_what_is_wrong() {
        let bytes = written(&[b"ab".to_vec(), b"c".to_vec()]);
        assert_eq!(read_bag(&bytes[..5]), Err(BagError::Short(5)));
        assert_eq!(read_bag(&bytes[..18]), Err(BagError::Outside { end: 768, size: 18 }));
        assert_eq!(
            read_bag(&[0xff; 16]),
            Err(BagError::Outside {
                end: u64::MAX,
                size: 16
            })
        );
        // As long as the file itself: there would be no room for the end that says so.
        assert_eq!(
            read_bag(&[8, 0, 0, 0, 0, 0, 0, 0]),
            Err(BagError::Outside { end: 8, size: 8 })
        );
        let mut extra = bytes.clone();
        extra.insert(3, 0);
        assert_eq!(read_bag(&extra), Err(BagError::Ends(17)));
        let mut order = bytes.clone();
        order[3] = 9;
        assert_eq!(read_bag(&order), Err(BagError::Order { record: 1, end: 9 }));
        let mut back = written(&[b"abc".to_vec(), Vec::new(), Vec::new()]);
        back[11] = 1;
        assert_eq!(read_bag(&back), Err(BagError::Order { record: 2, end: 1 }));
        assert_eq!(
            read_bag(&[0x28, 0xb5, 0x2f, 0xfd, 0, 0, 0, 0]),
            Err(BagError::Compressed)
        );
    }

    proptest! {
        #[test]
        fn records_come_back(records in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..20)) {
            let bytes = written(&records);
            prop_assume!(!bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]));
            prop_assert_eq!(read_bag(&bytes).unwrap(), records.iter().map(Vec::as_slice).collect::<Vec<_>>());
        }

        #[test]
        fn a_file_that_is_cut_off_is_said_to_be(
            records in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..40), 1..20),
            cut in any::<prop::sample::Index>(),
        ) {
            let bytes = written(&records);
            prop_assume!(!bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]));
            let cut_off = &bytes[..1 + cut.index(bytes.len() - 1)];
            // Bytes of records may happen to read as ends.
            if let Err(error) = read_bag(cut_off) {
                prop_assert!(error.to_string().starts_with("the file is cut off"), "{error}");
            }
        }

        #[test]
        fn any_bytes_leave_the_reader_standing(mut bytes in prop::collection::vec(any::<u8>(), 0..80), end in 0_u64..80) {
            let _ = read_bag(&bytes);
            // More often a file than not.
            bytes.extend(end.to_le_bytes());
            let _ = read_bag(&bytes);
        }
    }
}
