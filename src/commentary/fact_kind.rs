//! The kinds of facts and their words.

use super::kinds::kinds;

kinds! {
    /// What a fact is about; its word is the `kind` in JSON.
    FactKind {
        /// The move: which man, from where, to where.
        Move = "move",
        /// The move takes something.
        Capture = "capture",
        /// The move gives check.
        Check = "check",
        /// The move is checkmate.
        Checkmate = "checkmate",
        /// The move is stalemate.
        Stalemate = "stalemate",
        /// The move draws otherwise: too little material, or the third repetition.
        Draw = "draw",
        /// The move castles.
        Castling = "castling",
        /// The move promotes.
        Promotion = "promotion",
        /// The move takes en passant.
        EnPassant = "enpassant",
        /// A piece goes back.
        Retreat = "retreat",
        /// A minor piece leaves its home square in the opening.
        Development = "development",
        /// The move takes back.
        Recapture = "recapture",
        /// A man attacks an enemy man.
        Attack = "attack",
        /// Who attacks and who protects a man.
        Defence = "defence",
        /// A man can be won by captures on its square.
        Hanging = "hanging",
        /// A pin to the king or to a dearer man.
        Pin = "pin",
        /// One man attacks two or more.
        Fork = "fork",
        /// A slider attacks a man through which another is lost.
        Skewer = "skewer",
        /// A discovered attack.
        Discovered = "discovered",
        /// Two sliders on one line, both bearing on the same enemy man.
        Battery = "battery",
        /// An even exchange made or offered.
        Trade = "trade",
        /// A piece that is attacked and has nowhere to go.
        Trapped = "trapped",
        /// Material given up soundly.
        Sacrifice = "sacrifice",
        /// What the mover would win next.
        Threat = "threat",
        /// The balance of material, or how it changes along a line.
        Material = "material",
        /// A passed pawn.
        Passed = "passed",
        /// An isolated pawn.
        Isolated = "isolated",
        /// Doubled pawns.
        Doubled = "doubled",
        /// A backward pawn.
        Backward = "backward",
        /// A rook or queen on an open file.
        OpenFile = "openfile",
        /// A rook or queen on a half-open file.
        HalfOpen = "halfopen",
        /// The pawns before a king.
        Shelter = "shelter",
        /// A minor piece on an outpost.
        Outpost = "outpost",
        /// A back-rank mate.
        BackRank = "backrank",
        /// A threat of mate in one.
        MateThreat = "matethreat",
        /// A forced mate.
        Mate = "mate",
        /// The engine's verdict.
        Verdict = "verdict",
        /// The engine's best move.
        Best = "best",
        /// The expected reply.
        Reply = "reply",
        /// What a bad move allows.
        Punishment = "punishment",
        /// A concept that changed.
        Concept = "concept",
        /// The stage of the game.
        Phase = "phase",
        /// The kind of ending, and what is known of it.
        Ending = "ending",
        /// The only legal move, or the only good one.
        OnlyMove = "onlymove",
        /// The opening's name.
        Opening = "opening",
        /// Why a man of the mover can be won after the move.
        Exposed = "exposed",
        /// What the best move does about what makes the move bad.
        Remedy = "remedy",
        /// What the move prepares.
        Plan = "plan",
        /// A piece that gets, or loses, much of its room.
        Activity = "activity",
        /// A pawn that gains space.
        Space = "space",
        /// A flight square for a king on its back rank.
        Luft = "luft",
        /// A king on its way to the centre in the endgame.
        KingActivity = "kingactivity",
        /// The rooks protect each other.
        Connected = "connected",
        /// The right to castle given up.
        CastlingLost = "castlinglost",
        /// The move opens a file for a rook that stands on it.
        FileOpened = "fileopened",
        /// A bishop given for a knight by the side that had both.
        BishopPair = "bishoppair",
    }
}
