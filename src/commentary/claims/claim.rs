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
}

impl Serialize for ClaimKind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

kinds! {
    /// What the check says of a claim; its word is the `verdict` in JSON.
    ClaimVerdict {
        /// It is so.
        Supported = "supported",
        /// It is not so: struck, and an error wherever errors are counted.
        Contradicted = "contradicted",
        /// Our own reader thinks that it is not so, and may have misread it. It is no error.
        Doubtful = "doubtful",
        /// Nobody has read it, or neither the board nor the engine's lines decide it.
        NotJudged = "not-judged",
    }
}

impl ClaimVerdict {
    /// Whether it speaks against the claim, surely or not.
    #[must_use]
    pub const fn is_against(self) -> bool {
        matches!(self, Self::Contradicted | Self::Doubtful)
    }
}

impl Serialize for ClaimVerdict {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}
