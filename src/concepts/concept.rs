//! The 21 concepts of "Concept-guided Chess Commentary" (NAACL 2025), Table 6.

use shakmaty::Color;

/// A term of the Stockfish 8 evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Term {
    /// Material, a total.
    Material,
    /// Imbalance (bishop pair and the like), a total.
    Imbalance,
    /// Pawn structure, a total.
    Pawns,
    /// Knights' placement.
    Knights,
    /// Bishops' placement.
    Bishops,
    /// Rooks' placement.
    Rooks,
    /// Queens' placement.
    Queens,
    /// Mobility.
    Mobility,
    /// King safety.
    KingSafety,
    /// Threats.
    Threats,
    /// Passed pawns.
    PassedPawns,
    /// Space.
    Space,
}

/// One of the paper's 21 concepts: a total, or one side's term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Concept {
    /// The evaluation term.
    pub term: Term,
    /// Whose; `None` for the totals (Material, Imbalance, Pawns).
    pub side: Option<Color>,
}
