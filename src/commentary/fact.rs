//! One fact: typed, numbered, with its squares, its moment, its source and a sentence.

use std::fmt;

use serde::{Serialize, Serializer, ser::SerializeStruct};
use shakmaty::{Color, Role, Square};

use super::verdict::{Standing, Verdict};
use crate::chess::{
    Man, Opening,
    attacks::Attack,
    material::Surplus,
    motifs::{
        discovered::Discovered,
        fork::Fork,
        line::{Pin, Skewer},
        mate::Pattern,
        threat::Hanging,
    },
};
use crate::concepts::{self, Concept};

/// A fact's number in its sheet; displays as "F1".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactId(pub u16);

impl fmt::Display for FactId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "F{}", self.0)
    }
}

impl Serialize for FactId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// When a fact holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Moment {
    /// In the position before the move.
    Before,
    /// The move itself, or what it does.
    Move,
    /// In the position after the move, the opponent to move.
    After,
    /// If the engine's best move were played instead.
    Best,
    /// Along the line the engine expects after the move.
    Line,
}

/// Who vouches for a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The rules and the board.
    Board,
    /// The engine's search.
    Engine,
    /// The concept scores.
    Concepts,
    /// The network.
    Network,
}

/// What the move did to something that holds in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// Only after the move.
    New,
    /// Before and after.
    Kept,
    /// Only before.
    Gone,
}

/// What the move does with a man that hung or hangs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fate {
    /// It stays where it stood.
    Stays,
    /// It is the man that moves.
    Moves,
    /// It is captured.
    Taken,
}

/// The stage of the game, by the material left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Most pieces are on the board and several have not moved.
    Opening,
    /// Neither of the others.
    Middlegame,
    /// Each side has at most a queen and a minor piece's worth (13 points) besides pawns.
    Endgame,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $word:literal),+ $(,)?) => {
        /// What a fact is about; its word is the `kind` in JSON.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum FactKind { $($(#[$doc])* $kind),+ }

        impl FactKind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$kind),+];

            /// One lower-case word.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$kind => $word),+ }
            }
        }
    };
}

kinds! {
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
    /// The only legal move, or the only good one.
    OnlyMove = "onlymove",
    /// The opening's name.
    Opening = "opening",
}

/// The data of a fact. Each variant's comment names its fields.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Detail {
    /// The man as it stood, where it goes, the move in SAN.
    Move { man: Man, to: Square, san: String },
    /// `by` as it stood before; what static exchange on the square gains the mover, in pawns.
    Capture { by: Man, taken: Man, gain: i32 },
    /// The men that give check, and the king; `discovered` when one of them did not move.
    Check { by: Vec<Man>, king: Man, discovered: bool },
    /// The men that give mate, and the king.
    Checkmate {
        by: Vec<Man>,
        king: Man,
        pattern: Option<Pattern>,
    },
    /// The king that has no move.
    Stalemate { king: Man },
    /// True for a third occurrence, false for too little material.
    Draw { repetition: bool },
    /// The king as it stood, where it goes, which side.
    Castling { king: Man, to: Square, short: bool },
    /// The pawn as it stood, where it goes, what it becomes.
    Promotion { pawn: Man, to: Square, into: Role },
    /// The pawn as it stood, where it goes, the pawn it takes.
    EnPassant { by: Man, to: Square, taken: Man },
    /// The piece as it stood and where it goes.
    Retreat { man: Man, to: Square },
    /// The piece as it stood and where it goes.
    Development { man: Man, to: Square },
    /// The man as it stood, and the man it takes, which had just captured there.
    Recapture { by: Man, taken: Man },
    /// One attack.
    Attack { attack: Attack, change: Change },
    /// Attackers and protectors of a man; `fresh` is the man that moved where it protects this one only now.
    Defence {
        target: Man,
        attackers: Vec<Man>,
        defenders: Vec<Man>,
        fresh: Option<Man>,
    },
    /// A man that can be won. `at_once` when its opponent is to move.
    Hanging {
        hanging: Hanging,
        change: Change,
        at_once: bool,
        fate: Fate,
    },
    /// A pin.
    Pin { pin: Pin, change: Change },
    /// A fork.
    Fork(Fork),
    /// A skewer.
    Skewer(Skewer),
    /// A discovered attack.
    Discovered(Discovered),
    /// The front slider, the one behind it, and what both bear on.
    Battery { front: Man, rear: Man, target: Man },
    /// What is exchanged for what: `made` when the move itself captures, else offered. `by` is the man that takes (back).
    Trade { ours: Man, theirs: Man, made: bool },
    /// A trapped piece.
    Trapped(Hanging),
    /// The man given up after the move, and what that costs by static exchange, in pawns.
    Sacrifice { man: Man, taker: Man, cost: i32 },
    /// What the mover would win next if the opponent did nothing.
    Threat(Hanging),
    /// The balance after the move, from `side`'s view.
    Material { side: Color, surplus: Surplus },
    /// What `side` wins along a line, its moves in SAN.
    MaterialChange { side: Color, surplus: Surplus },
    /// A passed pawn.
    Passed { pawn: Man, change: Change },
    /// An isolated pawn.
    Isolated { pawn: Man, change: Change },
    /// The pawns of one colour on one file.
    Doubled { pawns: Vec<Man>, change: Change },
    /// A backward pawn.
    Backward { pawn: Man, change: Change },
    /// A rook or queen on a file without own pawns; `open` when without any.
    File { man: Man, open: bool, change: Change },
    /// A king's shield of pawns after the move, and which of its pawns the move took away or added.
    Shelter {
        king: Man,
        shield: Vec<Square>,
        lost: Vec<Square>,
        gained: Vec<Square>,
    },
    /// A piece on an outpost.
    Outpost { man: Man },
    /// A mate on the back rank: the king, the man that gives it.
    BackRank { king: Man, by: Man },
    /// The move that would mate, in SAN, and who plays it.
    MateThreat { side: Color, san: String },
    /// A forced mate: who mates, and in how many of its own moves; the mover's count starts with the move itself. The first
    /// of those moves in SAN where it is the opponent of the mover that mates.
    Mate {
        winner: Color,
        moves: u32,
        starts: Option<String>,
    },
    /// The verdict, how the mover stands before (with best play) and after, and the win probabilities behind it, in **the
    /// mover's view**, 0 to 1.
    Verdict {
        side: Color,
        verdict: Verdict,
        before: Standing,
        after: Standing,
        best: f64,
        played: f64,
        engine: String,
    },
    /// The best move when another was played: what it does, what it wins along its line, the mate it starts.
    Best {
        side: Color,
        san: String,
        acts: Vec<Detail>,
        wins: Option<Surplus>,
        mate: Option<u32>,
    },
    /// The expected reply and what it does.
    Reply {
        side: Color,
        san: String,
        acts: Vec<Detail>,
    },
    /// The reply that makes a move bad: what it does, what it wins along its line, the mate it starts.
    Punishment {
        side: Color,
        san: String,
        acts: Vec<Detail>,
        wins: Option<Surplus>,
        mate: Option<u32>,
    },
    /// A concept's change, **the mover's view**, in units of the source of its scores.
    Concept {
        concept: Concept,
        side: Color,
        change: f32,
        source: concepts::Source,
    },
    /// The stage of the game.
    Phase(Phase),
    /// `legal` when there was no other legal move; else the engine rates every other move clearly worse.
    OnlyMove { side: Color, legal: bool },
    /// The opening that the game has reached; `entered` when the move newly leads to it.
    Opening { opening: Opening, entered: bool },
}

impl Detail {
    /// The side that acts: whose attack, pin, capture, threat it is; of a feature, whose man has it. `None` where nobody does.
    #[must_use]
    pub fn actor(&self) -> Option<Color> {
        Some(match self {
            Self::Move { man, .. }
            | Self::Retreat { man, .. }
            | Self::Development { man, .. }
            | Self::Sacrifice { man, .. }
            | Self::File { man, .. }
            | Self::Outpost { man } => man.color,
            Self::Capture { by, .. }
            | Self::EnPassant { by, .. }
            | Self::Recapture { by, .. }
            | Self::BackRank { by, .. } => by.color,
            Self::Check { king, .. } | Self::Checkmate { king, .. } | Self::Stalemate { king } => king.color.other(),
            Self::Castling { king, .. } | Self::Shelter { king, .. } => king.color,
            Self::Promotion { pawn, .. }
            | Self::Passed { pawn, .. }
            | Self::Isolated { pawn, .. }
            | Self::Backward { pawn, .. } => pawn.color,
            Self::Doubled { pawns, .. } => pawns.first()?.color,
            Self::Attack { attack, .. } => attack.by.color,
            Self::Defence { target, .. } => target.color,
            Self::Hanging { hanging, .. } | Self::Trapped(hanging) | Self::Threat(hanging) => hanging.by.color,
            Self::Pin { pin, .. } => pin.by.color,
            Self::Fork(fork) => fork.by.color,
            Self::Skewer(skewer) => skewer.by.color,
            Self::Discovered(found) => found.by.color,
            Self::Battery { front, .. } => front.color,
            Self::Trade { ours, .. } => ours.color,
            Self::Material { side, .. }
            | Self::MaterialChange { side, .. }
            | Self::MateThreat { side, .. }
            | Self::Mate { winner: side, .. }
            | Self::Verdict { side, .. }
            | Self::Best { side, .. }
            | Self::Reply { side, .. }
            | Self::Punishment { side, .. }
            | Self::Concept { side, .. }
            | Self::OnlyMove { side, .. } => *side,
            Self::Draw { .. } | Self::Phase(_) | Self::Opening { .. } => return None,
        })
    }

    /// Its kind.
    #[must_use]
    pub const fn kind(&self) -> FactKind {
        match self {
            Self::Move { .. } => FactKind::Move,
            Self::Capture { .. } => FactKind::Capture,
            Self::Check { .. } => FactKind::Check,
            Self::Checkmate { .. } => FactKind::Checkmate,
            Self::Stalemate { .. } => FactKind::Stalemate,
            Self::Draw { .. } => FactKind::Draw,
            Self::Castling { .. } => FactKind::Castling,
            Self::Promotion { .. } => FactKind::Promotion,
            Self::EnPassant { .. } => FactKind::EnPassant,
            Self::Retreat { .. } => FactKind::Retreat,
            Self::Development { .. } => FactKind::Development,
            Self::Recapture { .. } => FactKind::Recapture,
            Self::Attack { .. } => FactKind::Attack,
            Self::Defence { .. } => FactKind::Defence,
            Self::Hanging { .. } => FactKind::Hanging,
            Self::Pin { .. } => FactKind::Pin,
            Self::Fork(_) => FactKind::Fork,
            Self::Skewer(_) => FactKind::Skewer,
            Self::Discovered(_) => FactKind::Discovered,
            Self::Battery { .. } => FactKind::Battery,
            Self::Trade { .. } => FactKind::Trade,
            Self::Trapped(_) => FactKind::Trapped,
            Self::Sacrifice { .. } => FactKind::Sacrifice,
            Self::Threat(_) => FactKind::Threat,
            Self::Material { .. } | Self::MaterialChange { .. } => FactKind::Material,
            Self::Passed { .. } => FactKind::Passed,
            Self::Isolated { .. } => FactKind::Isolated,
            Self::Doubled { .. } => FactKind::Doubled,
            Self::Backward { .. } => FactKind::Backward,
            Self::File { open: true, .. } => FactKind::OpenFile,
            Self::File { open: false, .. } => FactKind::HalfOpen,
            Self::Shelter { .. } => FactKind::Shelter,
            Self::Outpost { .. } => FactKind::Outpost,
            Self::BackRank { .. } => FactKind::BackRank,
            Self::MateThreat { .. } => FactKind::MateThreat,
            Self::Mate { .. } => FactKind::Mate,
            Self::Verdict { .. } => FactKind::Verdict,
            Self::Best { .. } => FactKind::Best,
            Self::Reply { .. } => FactKind::Reply,
            Self::Punishment { .. } => FactKind::Punishment,
            Self::Concept { .. } => FactKind::Concept,
            Self::Phase(_) => FactKind::Phase,
            Self::OnlyMove { .. } => FactKind::OnlyMove,
            Self::Opening { .. } => FactKind::Opening,
        }
    }
}

/// A fact of a sheet.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// Its number.
    pub id: FactId,
    /// Its kind.
    pub kind: FactKind,
    /// The squares it is about, the acting man's first, none twice.
    pub squares: Vec<Square>,
    /// When it holds.
    pub moment: Moment,
    /// Who vouches for it.
    pub source: Source,
    /// For a fact along a line: the moves in SAN that lead to it, from the position after the move; the last one is the
    /// move it describes. Empty otherwise.
    pub line: Vec<String>,
    /// Its data.
    pub detail: Detail,
    /// A plain English sentence.
    pub text: String,
}

impl Serialize for Fact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fact = serializer.serialize_struct("Fact", 6)?;
        fact.serialize_field("id", &self.id)?;
        fact.serialize_field("kind", self.kind.word())?;
        let squares: Vec<String> = self.squares.iter().map(ToString::to_string).collect();
        fact.serialize_field("squares", &squares)?;
        fact.serialize_field("text", &self.text)?;
        fact.serialize_field("moment", &self.moment)?;
        fact.serialize_field("source", &self.source)?;
        fact.end()
    }
}
