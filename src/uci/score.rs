//! Engine scores and what they mean for the result.

use serde::{Deserialize, Serialize};

/// An engine's score. Whose view it is, is said wherever one is held; UCI gives the side to move's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Mate in so many moves (not plies): positive when the side whose view it is mates, negative when it is mated,
    /// 0 when it already is checkmated.
    Mate(i32),
}
