//! The signs that stand behind moves.

use crate::commentary::Verdict;

/// The sign of a bad move.
#[must_use]
pub const fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Blunder => "??",
        Verdict::Mistake => "?",
        Verdict::Inaccuracy => "?!",
        Verdict::Best | Verdict::Good => "",
    }
}

/// The sign for a numeric annotation glyph (PGN standard, section 10), or `$n` where it has none.
#[must_use]
pub fn glyph(nag: u8) -> String {
    match nag {
        1 => "!",
        2 => "?",
        3 => "!!",
        4 => "??",
        5 => "!?",
        6 => "?!",
        7 => "□",
        10 => "=",
        13 => "∞",
        14 => "⩲",
        15 => "⩱",
        16 => "±",
        17 => "∓",
        18 => "+−",
        19 => "−+",
        146 => "N",
        other => return format!("${other}"),
    }
    .to_owned()
}
