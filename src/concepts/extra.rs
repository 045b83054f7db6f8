//! Concepts beside the paper's 21: the tactical motifs that its authors name as what theirs lack, and doubled pawns and
//! open files, which they name as future work.
//!
//! # Whose view
//! The **mover's frame**, as everywhere with probes: *ours* is the side to move. What can be had by a move (fork, skewer,
//! discovered attack, mate, sacrifice) belongs to the side that would play it; what a side suffers from (a pinned or a
//! hanging man, an exposed king) to the side that suffers. What the opponent could have is asked as if it were to move,
//! so that in check, where passing is illegal, there is no answer.
//!
//! A position's labels come from the board alone ([`extra_labels`](super::extra_labels)); a sacrifice needs the engine's
//! best move, too.

use std::fmt;

use shakmaty::Color;

/// What the concept is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Motif {
    /// A move attacks two or more men that can't all be saved.
    Fork,
    /// A man shields the king or a dearer man from a slider.
    Pin,
    /// A move attacks a man through which another one is lost.
    Skewer,
    /// A move uncovers the attack of a slider.
    DiscoveredAttack,
    /// Mate in one.
    Mate,
    /// A piece can be won by captures on its square.
    HangingPiece,
    /// A king without pawns before it, with enough against it.
    ExposedKing,
    /// The engine's best move gives up material.
    Sacrifice,
    /// Two pawns of a side on one file.
    DoubledPawns,
    /// A rook or queen on a file without pawns.
    OpenFile,
}

impl Motif {
    /// All of them, in the order of reports.
    pub const ALL: [Self; 10] = [
        Self::Fork,
        Self::Pin,
        Self::Skewer,
        Self::DiscoveredAttack,
        Self::Mate,
        Self::HangingPiece,
        Self::ExposedKing,
        Self::Sacrifice,
        Self::DoubledPawns,
        Self::OpenFile,
    ];
}

/// Which side's it is, in the mover's frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Whose {
    /// The side to move's.
    Ours,
    /// The opponent's.
    Theirs,
}

/// One of the nineteen: a motif, and whose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExtraConcept {
    motif: Motif,
    whose: Whose,
}

impl ExtraConcept {
    /// All of them, in the order of reports and probe files.
    pub const ALL: [Self; 19] = [
        Self::ours(Motif::Fork),
        Self::theirs(Motif::Fork),
        Self::ours(Motif::Pin),
        Self::theirs(Motif::Pin),
        Self::ours(Motif::Skewer),
        Self::theirs(Motif::Skewer),
        Self::ours(Motif::DiscoveredAttack),
        Self::theirs(Motif::DiscoveredAttack),
        Self::ours(Motif::Mate),
        Self::theirs(Motif::Mate),
        Self::ours(Motif::HangingPiece),
        Self::theirs(Motif::HangingPiece),
        Self::ours(Motif::ExposedKing),
        Self::theirs(Motif::ExposedKing),
        // What the opponent's best move is, were it to move, no engine was asked.
        Self::ours(Motif::Sacrifice),
        // They came later: a probe file may have those before and not these.
        Self::ours(Motif::DoubledPawns),
        Self::theirs(Motif::DoubledPawns),
        Self::ours(Motif::OpenFile),
        Self::theirs(Motif::OpenFile),
    ];

    const fn ours(motif: Motif) -> Self {
        Self {
            motif,
            whose: Whose::Ours,
        }
    }

    const fn theirs(motif: Motif) -> Self {
        Self {
            motif,
            whose: Whose::Theirs,
        }
    }

    /// The concept of `motif` on that side, if there is one: there is no sacrifice of theirs.
    #[must_use]
    pub fn of(motif: Motif, whose: Whose) -> Option<Self> {
        Some(Self { motif, whose }).filter(|concept| Self::ALL.contains(concept))
    }

    /// What it is about.
    #[must_use]
    pub const fn motif(self) -> Motif {
        self.motif
    }

    /// Whose it is.
    #[must_use]
    pub const fn whose(self) -> Whose {
        self.whose
    }

    /// Whose it is with `turn` to move.
    #[must_use]
    pub const fn side(self, turn: Color) -> Color {
        match self.whose {
            Whose::Ours => turn,
            Whose::Theirs => turn.other(),
        }
    }

    /// Its name in probe files and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match (self.motif, self.whose) {
            (Motif::Fork, Whose::Ours) => "Our Fork",
            (Motif::Fork, Whose::Theirs) => "Their Fork",
            (Motif::Pin, Whose::Ours) => "Our Pinned Man",
            (Motif::Pin, Whose::Theirs) => "Their Pinned Man",
            (Motif::Skewer, Whose::Ours) => "Our Skewer",
            (Motif::Skewer, Whose::Theirs) => "Their Skewer",
            (Motif::DiscoveredAttack, Whose::Ours) => "Our Discovered Attack",
            (Motif::DiscoveredAttack, Whose::Theirs) => "Their Discovered Attack",
            (Motif::Mate, Whose::Ours) => "Our Mate in One",
            (Motif::Mate, Whose::Theirs) => "Their Mate in One",
            (Motif::HangingPiece, Whose::Ours) => "Our Hanging Piece",
            (Motif::HangingPiece, Whose::Theirs) => "Their Hanging Piece",
            (Motif::ExposedKing, Whose::Ours) => "Our Exposed King",
            (Motif::ExposedKing, Whose::Theirs) => "Their Exposed King",
            (Motif::Sacrifice, Whose::Ours) => "Our Sacrifice",
            (Motif::Sacrifice, Whose::Theirs) => "Their Sacrifice",
            (Motif::DoubledPawns, Whose::Ours) => "Our Doubled Pawns",
            (Motif::DoubledPawns, Whose::Theirs) => "Their Doubled Pawns",
            (Motif::OpenFile, Whose::Ours) => "Our Open File",
            (Motif::OpenFile, Whose::Theirs) => "Their Open File",
        }
    }

    /// The concept with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|concept| concept.name() == name)
    }

    /// What it says, for readers.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match (self.motif, self.whose) {
            (Motif::Fork, Whose::Ours) => "The side to move can fork",
            (Motif::Fork, Whose::Theirs) => "The opponent threatens to fork",
            (Motif::Pin, Whose::Ours) => "The side to move has a pinned piece",
            (Motif::Pin, Whose::Theirs) => "The opponent has a pinned piece",
            (Motif::Skewer, Whose::Ours) => "The side to move can skewer",
            (Motif::Skewer, Whose::Theirs) => "The opponent threatens to skewer",
            (Motif::DiscoveredAttack, Whose::Ours) => "The side to move can uncover an attack",
            (Motif::DiscoveredAttack, Whose::Theirs) => "The opponent threatens to uncover an attack",
            (Motif::Mate, Whose::Ours) => "The side to move can mate",
            (Motif::Mate, Whose::Theirs) => "The opponent threatens mate",
            (Motif::HangingPiece, Whose::Ours) => "The side to move has a piece hanging",
            (Motif::HangingPiece, Whose::Theirs) => "The opponent has a piece hanging",
            (Motif::ExposedKing, Whose::Ours) => "The side to move's king is exposed",
            (Motif::ExposedKing, Whose::Theirs) => "The opponent's king is exposed",
            (Motif::Sacrifice, Whose::Ours) => "The side to move's best move is a sacrifice",
            (Motif::Sacrifice, Whose::Theirs) => "The opponent threatens a sacrifice",
            (Motif::DoubledPawns, Whose::Ours) => "The side to move has doubled pawns",
            (Motif::DoubledPawns, Whose::Theirs) => "The opponent has doubled pawns",
            (Motif::OpenFile, Whose::Ours) => "The side to move has a rook or queen on an open file",
            (Motif::OpenFile, Whose::Theirs) => "The opponent has a rook or queen on an open file",
        }
    }

    /// Where its labels come from, for a probe's card.
    #[must_use]
    pub const fn label_source(self) -> &'static str {
        match self.motif {
            Motif::Sacrifice => "static exchange of the engine's best move",
            Motif::Fork
            | Motif::Pin
            | Motif::Skewer
            | Motif::DiscoveredAttack
            | Motif::Mate
            | Motif::HangingPiece
            | Motif::ExposedKing
            | Motif::DoubledPawns
            | Motif::OpenFile => "the board",
        }
    }
}

/// Its [`ExtraConcept::name`].
impl fmt::Display for ExtraConcept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::concepts::{Concept, concept::frame_name};

    #[test]
    fn names_lead_back_and_are_none_of_the_21() {
        for concept in ExtraConcept::ALL {
            assert_eq!(ExtraConcept::from_name(concept.name()), Some(concept));
            assert_eq!(ExtraConcept::of(concept.motif(), concept.whose()), Some(concept));
            assert!(Concept::ALL.into_iter().all(|own| frame_name(own) != concept.name()));
        }
        assert_eq!(ExtraConcept::of(Motif::Sacrifice, Whose::Theirs), None);
        assert_eq!(ExtraConcept::ALL[1].side(Color::Black), Color::White);
        assert_eq!(ExtraConcept::from_name("Their Sacrifice"), None);
    }
}
