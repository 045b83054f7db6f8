//! What the records of ChessBench's `.bag` files hold, as Apache Beam's tuple coder writes it: every element but the last after
//! its length (a varint), texts in UTF-8, numbers as big-endian 64-bit floats.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    action::Action,
    bag::{BagError, read_bag_at},
    record::{ActionValue, BoardRecord, RecordError, first_best},
};
use crate::pace::{AtOnce, Pace, at_once};

/// Bytes of a value.
const VALUE: usize = 8;

/// What a file's records are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BagKind {
    /// A board, a move and its value.
    ActionValue,
    /// A board and its value.
    StateValue,
    /// A board and the best move.
    BehavioralCloning,
}

/// How the names of the data set's files end.
const DATA_END: &str = "_data.bag";

impl BagKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::ActionValue, Self::StateValue, Self::BehavioralCloning];

    /// The file's name in the dataset.
    #[must_use]
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::ActionValue => "action_value_data.bag",
            Self::StateValue => "state_value_data.bag",
            Self::BehavioralCloning => "behavioral_cloning_data.bag",
        }
    }

    /// The kind of a file of this name, and of how many shards it is one: the data set is published as
    /// `action_value-00000-of-02148_data.bag` and so on.
    #[must_use]
    pub fn of_file(name: &str) -> Option<(Self, usize)> {
        Self::ALL.into_iter().find_map(|kind| {
            let (stem, end) = kind.file_name().split_at(kind.file_name().len() - DATA_END.len());
            let shard = name.strip_prefix(stem)?.strip_suffix(end)?;
            if shard.is_empty() {
                return Some((kind, 1));
            }
            let (number, of) = shard.strip_prefix('-')?.split_once("-of-")?;
            let (number, of): (usize, usize) = (number.parse().ok()?, of.parse().ok()?);
            (number < of).then_some((kind, of))
        })
    }
}

/// A record.
#[derive(Debug, Clone, PartialEq)]
pub enum BagRecord {
    /// A board, a move and its value.
    ActionValue {
        /// The board.
        fen: String,
        /// The move.
        action: Action,
        /// 0..1, of the side to move.
        value: f64,
    },
    /// A board and its value.
    StateValue {
        /// The board.
        fen: String,
        /// 0..1, of the side to move.
        value: f64,
    },
    /// A board and the best move.
    BehavioralCloning {
        /// The board.
        fen: String,
        /// The move.
        action: Action,
    },
}

/// Why bytes are no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BagRecordError {
    /// A length is cut off, or longer than what follows.
    #[error("the length of its {0} does not fit")]
    Length(&'static str),
    /// A text is no UTF-8.
    #[error("its {0} is not UTF-8")]
    Text(&'static str),
    /// What follows the board is neither a value, nor a move, nor a move with a value.
    #[error("{0} bytes follow the board, and neither a move nor a value is as long")]
    Rest(usize),
    /// The move is none.
    #[error("its move is none of the 1968 actions")]
    Action,
    /// The value is not within 0 and 1.
    #[error("its value is not within 0 and 1")]
    Value,
}

impl BagRecord {
    /// Reads a record. Its kind follows from what is behind the board: 4 or 5 bytes are a move, 8 a value, 13 or 14 both.
    ///
    /// # Errors
    /// When it is none.
    pub fn decode(bytes: &[u8]) -> Result<Self, BagRecordError> {
        let (fen, rest) = element(bytes, "board")?;
        let fen = fen.to_owned();
        match rest.len() {
            4 | 5 => Ok(Self::BehavioralCloning {
                fen,
                action: action(std::str::from_utf8(rest).map_err(|_| BagRecordError::Text("move"))?)?,
            }),
            VALUE => Ok(Self::StateValue {
                fen,
                value: value(rest)?,
            }),
            13 | 14 => {
                let (uci, rest) = element(rest, "move")?;
                Ok(Self::ActionValue {
                    fen,
                    action: action(uci)?,
                    value: value(rest)?,
                })
            }
            length => Err(BagRecordError::Rest(length)),
        }
    }

    /// Its bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(100);
        match self {
            Self::ActionValue { fen, action, value } => {
                push(&mut bytes, fen);
                push(&mut bytes, &action.to_string());
                bytes.extend(value.to_be_bytes());
            }
            Self::StateValue { fen, value } => {
                push(&mut bytes, fen);
                bytes.extend(value.to_be_bytes());
            }
            Self::BehavioralCloning { fen, action } => {
                push(&mut bytes, fen);
                bytes.extend(action.to_string().bytes());
            }
        }
        bytes
    }

    /// What it is.
    #[must_use]
    pub const fn kind(&self) -> BagKind {
        match self {
            Self::ActionValue { .. } => BagKind::ActionValue,
            Self::StateValue { .. } => BagKind::StateValue,
            Self::BehavioralCloning { .. } => BagKind::BehavioralCloning,
        }
    }

    /// Its board.
    #[must_use]
    pub fn fen(&self) -> &str {
        match self {
            Self::ActionValue { fen, .. } | Self::StateValue { fen, .. } | Self::BehavioralCloning { fen, .. } => fen,
        }
    }
}

/// An element that has its length before it, and what follows.
fn element<'a>(bytes: &'a [u8], what: &'static str) -> Result<(&'a str, &'a [u8]), BagRecordError> {
    let (length, rest) = varint(bytes).ok_or(BagRecordError::Length(what))?;
    let (text, rest) = usize::try_from(length)
        .ok()
        .and_then(|length| rest.split_at_checked(length))
        .ok_or(BagRecordError::Length(what))?;
    let text = std::str::from_utf8(text).map_err(|_| BagRecordError::Text(what))?;
    Ok((text, rest))
}

/// Seven bits a byte, the lowest first; the eighth says that more follow. `None` when it is cut off or has more than 64 bits.
fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0_u64;
    for (place, byte) in bytes.iter().take(10).enumerate() {
        let bits = u64::from(byte & 0x7f);
        if place == 9 && bits > 1 {
            return None;
        }
        number |= bits << (7 * place);
        if byte & 0x80 == 0 {
            return Some((number, &bytes[place + 1..]));
        }
    }
    None
}

fn push(bytes: &mut Vec<u8>, text: &str) {
    let mut length = text.len();
    while length >= 0x80 {
        // Seven bits.
        bytes.push((length & 0x7f) as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
    bytes.extend(text.bytes());
}

fn action(text: &str) -> Result<Action, BagRecordError> {
    text.parse().map_err(|_| BagRecordError::Action)
}

fn value(bytes: &[u8]) -> Result<f64, BagRecordError> {
    let bytes: [u8; VALUE] = bytes.try_into().map_err(|_| BagRecordError::Rest(bytes.len()))?;
    let value = f64::from_be_bytes(bytes);
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err(BagRecordError::Value)
    }
}

/// The records of a kind that annotated boards come to. Boards without a move have a value and no action.
#[must_use]
pub fn bag_records(records: &[BoardRecord], kind: BagKind) -> Vec<BagRecord> {
    let mut all = Vec::new();
    for record in records {
        let fen = || record.fen.clone();
        match kind {
            BagKind::ActionValue => all.extend(record.actions.iter().map(|own| BagRecord::ActionValue {
                fen: fen(),
                action: own.action,
                value: own.value,
            })),
            BagKind::StateValue => all.extend(record.value.map(|value| BagRecord::StateValue { fen: fen(), value })),
            BagKind::BehavioralCloning => {
                all.extend(
                    record
                        .best
                        .map(|action| BagRecord::BehavioralCloning { fen: fen(), action }),
                );
            }
        }
    }
    all
}

/// Why `.bag` files are no set of annotated boards.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BagSetError {
    /// The file.
    #[error(transparent)]
    Bag(#[from] BagError),
    /// A record.
    #[error("record {record}: {error}")]
    Record {
        /// From 1.
        record: usize,
        /// What is wrong with it.
        error: BagRecordError,
    },
    /// A board is described twice, differently.
    #[error("record {record}: {fen} is there twice, with different values")]
    Twice {
        /// From 1.
        record: usize,
        /// The board.
        fen: String,
    },
    /// A board contradicts the rules.
    #[error(transparent)]
    Board(#[from] RecordError),
}

/// Annotated boards put together from the records of one or several `.bag` files, whatever their kinds; boards in the order in
/// which they came.
#[derive(Debug, Default)]
pub struct BagSet {
    records: Vec<BoardRecord>,
    places: HashMap<String, usize>,
    all: [usize; 3],
}

impl BagSet {
    /// Takes a file's records.
    ///
    /// # Errors
    /// When it is no such file.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), BagSetError> {
        at_once(self.add_at(bytes, &AtOnce))
    }

    /// The same in turns.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub async fn add_at(&mut self, bytes: &[u8], pace: &impl Pace) -> Result<(), BagSetError> {
        for (place, bytes) in read_bag_at(bytes, pace).await?.into_iter().enumerate() {
            pace.turn().await;
            let read = BagRecord::decode(bytes).map_err(|error| BagSetError::Record {
                record: place + 1,
                error,
            })?;
            self.all[read.kind() as usize] += 1;
            if !self.take(&read) {
                return Err(BagSetError::Twice {
                    record: place + 1,
                    fen: read.fen().to_owned(),
                });
            }
        }
        Ok(())
    }

    /// Whether the record says nothing else than another about the same.
    fn take(&mut self, read: &BagRecord) -> bool {
        let next = self.records.len();
        let place = *self.places.entry(read.fen().to_owned()).or_insert(next);
        if place == next {
            self.records.push(BoardRecord {
                fen: read.fen().to_owned(),
                value: None,
                score: None,
                actions: Vec::new(),
                best: None,
            });
        }
        let record = &mut self.records[place];
        match *read {
            BagRecord::ActionValue { action, value, .. } => match record.value_of(action) {
                Some(known) => known == value,
                None => {
                    record.actions.push(ActionValue {
                        action,
                        value,
                        score: None,
                    });
                    true
                }
            },
            BagRecord::StateValue { value, .. } => *record.value.get_or_insert(value) == value,
            BagRecord::BehavioralCloning { action, .. } => *record.best.get_or_insert(action) == action,
        }
    }

    /// How many records of each kind were read, in the order of [`BagKind::ALL`].
    #[must_use]
    pub const fn counts(&self) -> [usize; 3] {
        self.all
    }

    /// The boards, and how many were left out because their moves are not the legal ones: the released code leaves them out too.
    /// Where no file names the best moves they follow from the values.
    ///
    /// # Errors
    /// When a board contradicts the rules otherwise.
    pub fn finish(self) -> Result<(Vec<BoardRecord>, usize), BagSetError> {
        at_once(self.finish_at(&AtOnce))
    }

    /// The same in turns.
    ///
    /// # Errors
    /// As [`Self::finish`].
    pub async fn finish_at(self, pace: &impl Pace) -> Result<(Vec<BoardRecord>, usize), BagSetError> {
        let (mut boards, mut left_out) = (Vec::with_capacity(self.records.len()), 0);
        for mut record in self.records {
            pace.turn().await;
            record.actions.sort_by_key(|own| own.action);
            record.best = record.best.or_else(|| first_best(&record.actions));
            match record.checked() {
                Ok(record) => boards.push(record),
                Err(RecordError::Moves(_)) => left_out += 1,
                Err(error) => return Err(error.into()),
            }
        }
        Ok((boards, left_out))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        super::{
            bag::{BagWriter, read_bag},
            record::tests::records,
        },
        *,
    };

    #[derive(Deserialize)]
    struct Row {
        kind: BagKind,
        record: Vec<serde_json::Value>,
    }

    /// Written by Beam's own coders: `tests/data/chessbench/expected.py`.
    const EXPECTED: &str = include_str!("../../tests/data/chessbench/bag.jsonl");
    const FILES: [&[u8]; 3] = [
        include_bytes!("../../tests/data/chessbench/action_value_data.bag"),
        include_bytes!("../../tests/data/chessbench/state_value_data.bag"),
        include_bytes!("../../tests/data/chessbench/behavioral_cloning_data.bag"),
    ];

    fn bag_of(records: &[BagRecord]) -> Vec<u8> {
        let mut writer = BagWriter::new(Vec::new());
        for record in records {
            writer.write(&record.encode()).unwrap();
        }
        writer.finish().unwrap()
    }

    #[test]
    fn files_of_beams_coders_are_read_and_written_byte_for_byte() {
        for (kind, file) in BagKind::ALL.into_iter().zip(FILES) {
            let rows: Vec<Row> = EXPECTED
                .lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .filter(|row: &Row| row.kind == kind)
                .collect();
            let read: Vec<BagRecord> = read_bag(file)
                .unwrap()
                .into_iter()
                .map(|bytes| BagRecord::decode(bytes).unwrap())
                .collect();
            assert_eq!(read.len(), rows.len());
            for (own, row) in read.iter().zip(&rows) {
                let text = |at: usize| row.record[at].as_str().unwrap();
                let expected = match kind {
                    BagKind::ActionValue => BagRecord::ActionValue {
                        fen: text(0).to_owned(),
                        action: text(1).parse().unwrap(),
                        value: row.record[2].as_f64().unwrap(),
                    },
                    BagKind::StateValue => BagRecord::StateValue {
                        fen: text(0).to_owned(),
                        value: row.record[1].as_f64().unwrap(),
                    },
                    BagKind::BehavioralCloning => BagRecord::BehavioralCloning {
                        fen: text(0).to_owned(),
                        action: text(1).parse().unwrap(),
                    },
                };
                assert_eq!(own, &expected);
            }
            assert_eq!(bag_of(&read), file, "{kind:?}");
        }
        let mut set = BagSet::default();
        for file in FILES {
            set.add(file).unwrap();
        }
        let (boards, left_out) = set.finish().unwrap();
        assert_eq!((boards.len(), left_out), (6, 0));
        assert!(boards.iter().all(|board| board.value.is_some()));
    }

    #[test]
    fn a_set_comes_back_without_its_scores() {
        let records = records(30);
        let mut set = BagSet::default();
        // In whatever order.
        for kind in [BagKind::StateValue, BagKind::BehavioralCloning, BagKind::ActionValue] {
            set.add(&bag_of(&bag_records(&records, kind))).unwrap();
        }
        let mut bare = records.clone();
        for record in &mut bare {
            record.score = None;
            for own in &mut record.actions {
                own.score = None;
            }
        }
        let mut found = set.finish().unwrap().0;
        found.sort_by(|a, b| a.fen.cmp(&b.fen));
        bare.sort_by(|a, b| a.fen.cmp(&b.fen));
        bare.dedup();
        assert_eq!(found, bare);
    }

    #[test]
    fn hostile_records_are_refused_by_what_is_wrong() {
        let decode = |bytes: &[u8]| BagRecord::decode(bytes).unwrap_err();
        assert_eq!(decode(b""), BagRecordError::Length("board"));
        assert_eq!(decode(b"\x05ab"), BagRecordError::Length("board"));
        assert_eq!(decode(&[0xff; 11]), BagRecordError::Length("board"));
        assert_eq!(decode(b"\x02\xff\xfe"), BagRecordError::Text("board"));
        assert_eq!(decode(b"\x02ab"), BagRecordError::Rest(0));
        assert_eq!(decode(b"\x02abxxxx"), BagRecordError::Action);
        assert_eq!(
            decode(&[b"\x01a".as_slice(), &f64::NAN.to_be_bytes()].concat()),
            BagRecordError::Value
        );
        assert_eq!(
            decode(&[b"\x01a\x04e2e4".as_slice(), &2_f64.to_be_bytes()].concat()),
            BagRecordError::Value
        );
        let value = |value: f64| BagRecord::StateValue {
            fen: "x".to_owned(),
            value,
        };
        let mut set = BagSet::default();
        assert!(matches!(
            set.add(&bag_of(&[value(0.5), value(0.6)])),
            Err(BagSetError::Twice { record: 2, .. })
        ));
        let mut set = BagSet::default();
        set.add(&bag_of(&[value(0.5)])).unwrap();
        assert!(matches!(
            set.finish(),
            Err(BagSetError::Board(RecordError::Board { .. }))
        ));
        let mut set = BagSet::default();
        let one = BagRecord::ActionValue {
            fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
            action: "e2e4".parse().unwrap(),
            value: 0.5,
        };
        set.add(&bag_of(&[one])).unwrap();
        assert_eq!(set.finish(), Ok((Vec::new(), 1)));
    }

    proptest! {
        #[test]
        fn any_record_comes_back(text in ".{0,200}", number in 0_u16..1968, value in 0.0_f64..=1.0) {
            let action = Action::new(number).unwrap();
            for record in [
                BagRecord::ActionValue { fen: text.clone(), action, value },
                BagRecord::StateValue { fen: text.clone(), value },
                BagRecord::BehavioralCloning { fen: text.clone(), action },
            ] {
                prop_assert_eq!(BagRecord::decode(&record.encode()), Ok(record));
            }
        }

        #[test]
        fn any_bytes_leave_it_standing(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
            if let Ok(record) = BagRecord::decode(&bytes) {
                prop_assert_eq!(BagRecord::decode(&record.encode()), Ok(record));
            }
        }
    }
}
