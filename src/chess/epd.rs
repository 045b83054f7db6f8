//! EPD: a position of four fields, followed by operations such as `bm Qd1+; id "BK.01";`.

use shakmaty::Move;
use thiserror::Error;

use super::{
    fen::{ReadFen, read_fields},
    fen_error::{FenError, FenField},
    fen_fields::split_fields,
    move_error::MoveError,
    notation::read_move,
    placement::clip,
    repair::Repair,
};

/// The longest EPD line taken, in bytes.
pub const MAX_EPD_BYTES: usize = 32 * 1024;

/// The most operations in one line.
const MAX_OPERATIONS: usize = 256;

/// A position with operations.
#[derive(Debug, Clone)]
pub struct Epd {
    /// The position; `hmvc` and `fmvn` have set its counters where the line has no such fields.
    pub read: ReadFen,
    /// Opcode and operands, in the order of the text. Quotes are taken off.
    pub operations: Vec<(String, Vec<String>)>,
}

/// Why a line is no EPD.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EpdError {
    /// More than [`MAX_EPD_BYTES`].
    #[error("This is too long for an EPD line ({0} bytes).")]
    TooLong(usize),
    /// A line of a list that holds no position.
    #[error("“{0}” holds no position.")]
    NoPosition(String),
    /// The position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// What should be an opcode is not one.
    #[error("“{0}” is not an EPD opcode: those are words such as bm, am, id or c0.")]
    Opcode(String),
    /// A quote that is not closed.
    #[error("The quotes of the EPD operation {0} are not closed.")]
    Quotes(String),
    /// More than 256 operations.
    #[error("There are more than {MAX_OPERATIONS} EPD operations.")]
    TooMany,
}

impl Epd {
    /// The operands of the first operation with this opcode.
    #[must_use]
    pub fn operands(&self, opcode: &str) -> Option<&[String]> {
        self.operations
            .iter()
            .find(|(code, _)| code == opcode)
            .map(|(_, operands)| operands.as_slice())
    }

    /// The operands of an opcode such as `bm` or `am`, read as moves.
    ///
    /// # Errors
    /// At the first operand that is no legal move.
    pub fn moves(&self, opcode: &str) -> Result<Vec<Move>, MoveError> {
        let operands = self.operands(opcode).unwrap_or_default();
        operands
            .iter()
            .map(|text| read_move(&self.read.position, self.read.mode, text))
            .collect()
    }
}

/// Reads one line of EPD.
///
/// # Errors
/// Where the position or an operation cannot be read.
pub fn read_epd(line: &str) -> Result<Epd, EpdError> {
    if line.len() > MAX_EPD_BYTES {
        return Err(EpdError::TooLong(line.len()));
    }
    let mut fields = split_fields(line, false)?;
    let operations = read_operations(&fields.rest)?;
    let counter = |opcode: &str| {
        let found = operations.iter().find(|(code, _)| code == opcode);
        found
            .and_then(|(_, operands)| operands.first())
            .filter(|text| text.bytes().all(|b| b.is_ascii_digit()))
            .cloned()
    };
    fields.clock = fields.clock.or_else(|| counter("hmvc"));
    fields.number = fields.number.or_else(|| counter("fmvn"));
    // An EPD has no counters of its own, so their absence is no fault.
    for repair in &mut fields.repairs {
        if let Repair::Missing(missing) = repair {
            missing.retain(|field| !matches!(field, FenField::Clock | FenField::Number));
        }
    }
    fields.repairs.retain(|repair| *repair != Repair::Missing(Vec::new()));
    Ok(Epd {
        read: read_fields(fields, false)?,
        operations,
    })
}

fn read_operations(text: &str) -> Result<Vec<(String, Vec<String>)>, EpdError> {
    let mut operations = Vec::new();
    let mut rest = text.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
    while !rest.is_empty() {
        if operations.len() == MAX_OPERATIONS {
            return Err(EpdError::TooMany);
        }
        let end = rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len());
        let opcode = &rest[..end];
        let word = opcode.starts_with(|c: char| c.is_ascii_alphabetic())
            && opcode.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !word {
            return Err(EpdError::Opcode(clip(opcode)));
        }
        rest = &rest[end..];
        let mut operands = Vec::new();
        loop {
            rest = rest.trim_start();
            if rest.is_empty() || rest.starts_with(';') {
                break;
            }
            if let Some(quoted) = rest.strip_prefix('"') {
                let close = quoted.find('"').ok_or_else(|| EpdError::Quotes(clip(opcode)))?;
                operands.push(quoted[..close].to_owned());
                rest = &quoted[close + 1..];
            } else {
                let end = rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len());
                operands.push(rest[..end].to_owned());
                rest = &rest[end..];
            }
        }
        operations.push((opcode.to_owned(), operands));
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
    }
    Ok(operations)
}
