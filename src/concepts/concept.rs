//! The 21 concepts of "Concept-guided Chess Commentary" (NAACL 2025), Table 6.

use std::fmt;

use serde::{Serialize, Serializer};
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

impl Term {
    /// All twelve, in the order of Stockfish 8's table.
    pub const ALL: [Self; 12] = [
        Self::Material,
        Self::Imbalance,
        Self::Pawns,
        Self::Knights,
        Self::Bishops,
        Self::Rooks,
        Self::Queens,
        Self::Mobility,
        Self::KingSafety,
        Self::Threats,
        Self::PassedPawns,
        Self::Space,
    ];

    /// True where only the balance of both sides is known, not each side's share.
    #[must_use]
    pub const fn is_total(self) -> bool {
        matches!(self, Self::Material | Self::Imbalance | Self::Pawns)
    }

    /// As the paper's Table 6 has it, without the side.
    const fn paper_name(self) -> &'static str {
        match self {
            Self::Material => "Material",
            Self::Imbalance => "Imbalance",
            Self::Pawns => "Pawns",
            Self::Knights => "Knights",
            Self::Bishops => "Bishop",
            Self::Rooks => "Rooks",
            Self::Queens => "Queens",
            Self::Mobility => "Mobility",
            Self::KingSafety => "Kingsafety",
            Self::Threats => "Threats",
            Self::PassedPawns => "Passedpawns",
            Self::Space => "Space",
        }
    }

    /// In plain English, lower case: `king safety`.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Imbalance => "piece imbalance",
            Self::Pawns => "pawn structure",
            Self::Knights => "knights",
            Self::Bishops => "bishops",
            Self::Rooks => "rooks",
            Self::Queens => "queens",
            Self::Mobility => "mobility",
            Self::KingSafety => "king safety",
            Self::Threats => "threats",
            Self::PassedPawns => "passed pawns",
            Self::Space => "space",
        }
    }
}

/// One of the paper's 21 concepts: a total, or one side's term.
///
/// `Display` and serde write [`Concept::name`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Concept {
    /// The evaluation term.
    pub term: Term,
    /// Whose; `None` for the totals (Material, Imbalance, Pawns).
    pub side: Option<Color>,
}

impl Concept {
    /// All 21, in the order of Table 6.
    pub const ALL: [Self; 21] = {
        const fn of(term: Term, side: Option<Color>) -> Concept {
            Concept { term, side }
        }
        const WHITE: Option<Color> = Some(Color::White);
        const BLACK: Option<Color> = Some(Color::Black);
        [
            of(Term::Material, None),
            of(Term::Imbalance, None),
            of(Term::Pawns, None),
            of(Term::Knights, WHITE),
            of(Term::Knights, BLACK),
            of(Term::Bishops, WHITE),
            of(Term::Bishops, BLACK),
            of(Term::Rooks, WHITE),
            of(Term::Rooks, BLACK),
            of(Term::Queens, WHITE),
            of(Term::Queens, BLACK),
            of(Term::Mobility, WHITE),
            of(Term::Mobility, BLACK),
            of(Term::KingSafety, WHITE),
            of(Term::KingSafety, BLACK),
            of(Term::Threats, WHITE),
            of(Term::Threats, BLACK),
            of(Term::Space, WHITE),
            of(Term::Space, BLACK),
            of(Term::PassedPawns, WHITE),
            of(Term::PassedPawns, BLACK),
        ]
    };

    /// The name in Table 6, letter for letter: `White Kingsafety`, `Black Bishop`, `Material`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match (self.side, self.term) {
            (None, term) => term.paper_name(),
            (Some(Color::White), term) => match term {
                Term::Knights => "White Knights",
                Term::Bishops => "White Bishop",
                Term::Rooks => "White Rooks",
                Term::Queens => "White Queens",
                Term::Mobility => "White Mobility",
                Term::KingSafety => "White Kingsafety",
                Term::Threats => "White Threats",
                Term::Space => "White Space",
                Term::PassedPawns => "White Passedpawns",
                Term::Material | Term::Imbalance | Term::Pawns => term.paper_name(),
            },
            (Some(Color::Black), term) => match term {
                Term::Knights => "Black Knights",
                Term::Bishops => "Black Bishop",
                Term::Rooks => "Black Rooks",
                Term::Queens => "Black Queens",
                Term::Mobility => "Black Mobility",
                Term::KingSafety => "Black Kingsafety",
                Term::Threats => "Black Threats",
                Term::Space => "Black Space",
                Term::PassedPawns => "Black Passedpawns",
                Term::Material | Term::Imbalance | Term::Pawns => term.paper_name(),
            },
        }
    }

    /// The concept with that name in Table 6.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|concept| concept.name() == name)
    }

    /// Its place in [`Concept::ALL`].
    #[must_use]
    pub fn index(self) -> usize {
        Self::ALL
            .iter()
            .position(|&concept| concept == self)
            .unwrap_or(Self::ALL.len() - 1)
    }

    /// For the reader who sees the board: `White's king safety`, `material`.
    #[must_use]
    pub fn title(self) -> String {
        match self.side {
            None => self.term.label().to_owned(),
            Some(side) => format!("{}'s {}", side.fold_wb("White", "Black"), self.term.label()),
        }
    }

    /// From the mover's seat: `our king safety`, `their king safety`, `material`.
    #[must_use]
    pub fn label(self, mover: Color) -> String {
        match self.side {
            None => self.term.label().to_owned(),
            Some(side) if side == mover => format!("our {}", self.term.label()),
            Some(_) => format!("their {}", self.term.label()),
        }
    }

    /// The same concept with the colours exchanged; totals stay.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self {
            side: self.side.map(|side| !side),
            ..self
        }
    }
}

impl fmt::Display for Concept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Concept {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The name of a concept in the mover's frame, White standing for the mover: `Our Knights` for `White Knights`.
#[must_use]
pub fn frame_name(concept: Concept) -> String {
    let name = concept.name();
    name.strip_prefix("White ")
        .map(|term| format!("Our {term}"))
        .or_else(|| name.strip_prefix("Black ").map(|term| format!("Their {term}")))
        .unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table 6 of the paper, first column.
    const TABLE_6: &str = "Material\nImbalance\nPawns\nWhite Knights\nBlack Knights\nWhite Bishop\nBlack Bishop\n\
        White Rooks\nBlack Rooks\nWhite Queens\nBlack Queens\nWhite Mobility\nBlack Mobility\nWhite Kingsafety\n\
        Black Kingsafety\nWhite Threats\nBlack Threats\nWhite Space\nBlack Space\nWhite Passedpawns\n\
        Black Passedpawns";

    #[test]
    fn names_are_those_of_table_6() {
        let names: Vec<&str> = Concept::ALL.iter().map(|concept| concept.name()).collect();
        assert_eq!(names.join("\n"), TABLE_6);
        for (i, concept) in Concept::ALL.into_iter().enumerate() {
            assert_eq!(Concept::from_name(concept.name()), Some(concept));
            assert_eq!(concept.index(), i);
            assert_eq!(concept.side.is_none(), concept.term.is_total());
            assert_eq!(concept.mirrored().mirrored(), concept);
        }
        assert_eq!(Concept::from_name("white knights"), None);
    }

    #[test]
    fn labels_read_well() {
        let safety = Concept::from_name("Black Kingsafety").unwrap();
        assert_eq!(safety.title(), "Black's king safety");
        assert_eq!(safety.label(Color::Black), "our king safety");
        assert_eq!(safety.label(Color::White), "their king safety");
        assert_eq!(Concept::ALL[2].title(), "pawn structure");
        assert_eq!(Concept::ALL[2].label(Color::White), "pawn structure");
    }
}
