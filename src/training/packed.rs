//! Positions and targets as a training program reads them: records of one size, little endian, nothing before or after.
//!
//! | bytes | what |
//! |---|---|
//! | 0..96 | twelve u64: ours PNBRQK, theirs PNBRQK; bit 0 is a1, 63 h8, as the side to move sees the board |
//! | 96..100 | four u8, 0 or 1: our O-O-O, our O-O, their O-O-O, their O-O |
//! | 100..106 | three u16: win, draw, loss in 1/1000, the side to move's view |
//! | 106 | u8: how many moves follow, 1 to 8 |
//! | 107 | 0 |
//! | 108..124 | eight u16: policy indices, best first |
//! | 124..140 | eight u16: their probabilities in 1/65535 |
//! | 140..144 | u32: the game, by its number in the file |

use shakmaty::Chess;

use super::target::Target;
use crate::net::Planes;

/// Bytes of a record.
pub const RECORD: usize = 144;
/// Moves that a record holds.
pub const MOVES: usize = 8;

/// Packs a position and its target. Moves beyond the eighth are left out, and the rest not scaled up.
#[must_use]
pub fn pack(position: &Chess, target: &Target, game: u32) -> [u8; RECORD] {
    let mut bytes = Vec::with_capacity(RECORD);
    let planes = Planes::new(&[], position);
    for men in 0..12 {
        bytes.extend(planes.mask(men).to_le_bytes());
    }
    bytes.extend((104..108).map(|castling| u8::from(planes.mask(castling) != 0)));
    for share in target.wdl {
        bytes.extend(((share * 1000.0).round() as u16).to_le_bytes());
    }
    let moves = target.policy.len().min(MOVES);
    bytes.extend([moves as u8, 0]);
    let at = |i: usize| target.policy.get(i).copied().unwrap_or((0, 0.0));
    for i in 0..MOVES {
        bytes.extend(at(i).0.to_le_bytes());
    }
    for i in 0..MOVES {
        bytes.extend(((at(i).1 * 65535.0).round() as u16).to_le_bytes());
    }
    bytes.extend(game.to_le_bytes());
    let mut record = [0; RECORD];
    record.copy_from_slice(&bytes);
    record
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::Choices;

    #[test]
    fn the_layout_is_the_one_written_down() {
        let choices = Choices::in_comment("[%choices e2e4:0 d2d4:0] [%wdl 100 850 50]").unwrap();
        let target = Target::new(&Chess::default(), &choices).unwrap();
        let record = pack(&Chess::default(), &target, 7);
        assert_eq!(record[..8], 0xff00u64.to_le_bytes(), "our pawns");
        assert_eq!(record[88..96], (1u64 << 60).to_le_bytes(), "their king");
        assert_eq!(record[96..100], [1; 4]);
        assert_eq!(record[100..106], [100, 0, 82, 3, 50, 0]);
        assert_eq!(record[106], 2);
        assert_eq!(u16::from_le_bytes([record[124], record[125]]), 32768);
        assert_eq!(record[128..140], [0; 12]);
        assert_eq!(record[140..], [7, 0, 0, 0]);
    }
}
