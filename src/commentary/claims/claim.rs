//! What a claim can be about, and what the check can say of it. A claim is a stretch of prose that says something the board or the
//! engine can decide.

use serde::Serialize;

use crate::commentary::kinds::kinds;

kinds! {
    /// What a claim is about; its word is the `kind` in JSON.
    ClaimKind {
        /// A man stands on a square, or none does.
        Placement = "placement",
        /// A move can be played.
        Legality = "legality",
        /// A move takes something.
        Capture = "capture",
        /// A move gives check, a king is in check.
        Check = "check",
        /// Checkmate, or a forced mate.
        Mate = "mate",
        /// Stalemate.
        Stalemate = "stalemate",
        /// A side castles, has castled or may castle.
        Castling = "castling",
        /// A pawn promotes.
        Promotion = "promotion",
        /// A man attacks a man or a square.
        Attack = "attack",
        /// A man protects a man or a square.
        Defence = "defence",
        /// A man is pinned.
        Pin = "pin",
        /// A man attacks two or more.
        Fork = "fork",
        /// A slider attacks a man and the one behind it.
        Skewer = "skewer",
        /// A move uncovers an attack.
        Discovered = "discovered",
        /// A man can be won where it stands.
        Hanging = "hanging",
        /// Nobody protects a man.
        Loose = "loose",
        /// Men are exchanged.
        Trade = "trade",
        /// Material is won, lost or counted.
        Material = "material",
        /// A passed pawn.
        Passed = "passed",
        /// An isolated pawn.
        Isolated = "isolated",
        /// Doubled pawns.
        Doubled = "doubled",
        /// A backward pawn.
        Backward = "backward",
        /// A file without pawns.
        OpenFile = "openfile",
        /// A file without pawns of one side.
        HalfOpen = "halfopen",
        /// Pieces leave, or have left, their home squares.
        Development = "development",
        /// How safe a king is.
        KingSafety = "kingsafety",
        /// The best move, and alternatives to the one played.
        Best = "best",
        /// Who stands better.
        Evaluation = "evaluation",
        /// How good a move is.
        Quality = "quality",
        /// Whose move it is.
        Turn = "turn",
        /// A piece has nowhere to go.
        Trapped = "trapped",
        /// A piece on an outpost.
        Outpost = "outpost",
        /// Two pieces on one line.
        Battery = "battery",
        /// Material is given up.
        Sacrifice = "sacrifice",
        /// A mate, a capture or a win is threatened.
        Threat = "threat",
        /// A man goes from one square to another.
        Movement = "movement",
        /// The stage of the game.
        Phase = "phase",
        /// Prose that is tied to no board.
        Other = "other",
    }
}

impl ClaimKind {
    /// True where the claim is of what a move does.
    #[must_use]
    pub const fn is_deed(self) -> bool {
        matches!(
            self,
            Self::Movement
                | Self::Capture
                | Self::Castling
                | Self::Check
                | Self::Mate
                | Self::Promotion
                | Self::Trade
                | Self::Stalemate
        )
    }

    /// True where the claim is of something that one of several moves may do, and passes with it.
    #[must_use]
    pub const fn is_passing(self) -> bool {
        matches!(
            self,
            Self::Movement
                | Self::Capture
                | Self::Castling
                | Self::Development
                | Self::Legality
                | Self::Mate
                | Self::Placement
                | Self::Promotion
                | Self::Stalemate
                | Self::Trade
        )
    }

    /// True where the claim is of the men and pawns on the board, not of moves or of how good they are.
    #[must_use]
    pub const fn is_state(self) -> bool {
        matches!(
            self,
            Self::Attack
                | Self::Defence
                | Self::Pin
                | Self::Fork
                | Self::Skewer
                | Self::Discovered
                | Self::Hanging
                | Self::Loose
                | Self::Passed
                | Self::Isolated
                | Self::Doubled
                | Self::Backward
                | Self::OpenFile
                | Self::HalfOpen
                | Self::Trapped
                | Self::Outpost
                | Self::Battery
        )
    }
}

impl Serialize for ClaimKind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// What the check says of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ClaimVerdict {
    /// It is so.
    Supported,
    /// It is not so.
    Contradicted,
    /// Neither the board nor the engine's lines decide it.
    Uncheckable,
}
