//! Text out of bytes, at a pace: to look through tens of megabytes at once would hold a page up.

use crate::pace::Pace;

/// Bytes that are one step: about a millisecond in a page.
const STEP: usize = 256 << 10;

/// The text that bytes are in UTF-8; what is none becomes replacement characters, as in [`String::from_utf8_lossy`].
pub async fn lossy_text(bytes: &[u8], pace: &impl Pace) -> String {
    in_steps(bytes, STEP, pace).await
}

async fn in_steps(bytes: &[u8], step: usize, pace: &impl Pace) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(end_of_piece(rest, step));
        text.push_str(&String::from_utf8_lossy(piece));
        rest = after;
        pace.turn().await;
    }
    text
}

/// Where to part bytes after about `step` of them, four at least, so that no character is cut in two. A character has four bytes at most:
/// where none begins in the last three, the next byte belongs to none.
fn end_of_piece(bytes: &[u8], step: usize) -> usize {
    let is_within = |at: &usize| bytes[*at] & 0b1100_0000 == 0b1000_0000;
    if bytes.len() <= step {
        return bytes.len();
    }
    let least = step.saturating_sub(3).max(1);
    (least..=step).rev().find(|at| !is_within(at)).unwrap_or(step)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pace::{AtOnce, at_once};

    proptest! {
        #[test]
        fn steps_change_nothing(
            bytes in prop_oneof![
                prop::collection::vec(any::<u8>(), 0..80),
                prop::collection::vec(0x80_u8..0xf5, 0..80),
                ".{0,40}".prop_map(String::into_bytes),
            ],
            step in 4_usize..20,
        ) {
            prop_assert_eq!(at_once(in_steps(&bytes, step, &AtOnce)), String::from_utf8_lossy(&bytes));
        }
    }
}
