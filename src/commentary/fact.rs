//! One fact: typed, numbered, with its squares, its moment, its source and a sentence.

use std::fmt;

use serde::{Serialize, Serializer, ser::SerializeStruct};
use shakmaty::{Color, Role, Square};

pub use super::fact_kind::FactKind;
use super::{phase::Phase, standing::Standing, verdict::Verdict};
use crate::chess::{
    Man, Opening,
    attacks::Attack,
    endings::Ending,
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

/// What a move had to do with a man of its side that can be won after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The man that moved, as it stood before, had protected it and no longer does.
    Left(Man),
    /// The move opened the line of the man that takes.
    Opened,
    /// The move stands in the way of this protector.
    Blocked(Man),
    /// The man that moved went to where it can be won.
    Walked,
    /// The man could be won before already.
    Ignored,
}

/// What the engine's best move does about what makes another move bad. Men stand as they did before the move.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Remedy {
    /// It brings the man to safety.
    Saves { man: Man, to: Square },
    /// It protects the man, or leaves it protected where the move played did not.
    Protects { man: Man, keeps: bool },
    /// It stands between the attacker and the man.
    Blocks { man: Man, attacker: Man },
    /// It takes the attacker of the man.
    Takes { man: Man, attacker: Man },
    /// The reply that makes the move bad is not possible any more, or would lose material.
    Prevents { reply: String, possible: bool },
    /// The opponent has no forced mate.
    StopsMate,
}

/// What follows when a sacrifice is taken.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Gift {
    /// The capture, in SAN.
    pub taken: String,
    /// What the mover answers, in SAN; `None` where the line ends.
    pub next: Option<String>,
    /// What it gets for the man.
    pub compensation: Compensation,
}

/// What is had for a sacrifice.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Compensation {
    /// A forced mate, in so many of the mover's moves after the capture.
    Mate(u32),
    /// More than was given.
    Wins(Surplus),
    /// As much as was given.
    WonBack,
    /// Stalemate.
    Stalemate,
    /// An attack on the king; how the mover stands with it.
    Attack(Standing),
    /// Something else, and how the mover stands with it.
    Lasting(Standing),
}

/// What a move prepares, by the mover's next move in the expected line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Plan {
    /// Castling, which was not possible before.
    Castle { short: bool },
    /// The advance of a pawn to a square that the man that moved now controls.
    Advance { pawn: Man, to: Square },
    /// The same piece goes on to a square that it could not reach at once.
    Reroute { man: Man, to: Square },
    /// A piece comes out through where the pawn that moved stood.
    MakeWay { man: Man, to: Square },
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
    /// The man given up after the move, what that costs by static exchange, in pawns, and what follows when it is taken.
    Sacrifice {
        man: Man,
        taker: Man,
        cost: i32,
        gift: Option<Gift>,
    },
    /// The kind of ending after the move, and what is known of it.
    Ending(Ending),
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
    /// A concept's change, **the mover's view**, in `unit`s.
    Concept {
        concept: Concept,
        side: Color,
        change: f32,
        source: concepts::Source,
        unit: concepts::Unit,
    },
    /// The stage of the game.
    Phase(Phase),
    /// `legal` when there was no other legal move; else the engine rates every other move clearly worse.
    OnlyMove { side: Color, legal: bool },
    /// The opening that the game has reached; `entered` when the move newly leads to it.
    Opening { opening: Opening, entered: bool },
    /// A man of the mover that the opponent can win after the move, and what the move had to do with it.
    Exposed { hanging: Hanging, cause: Cause },
    /// What the best move does about what makes the move bad.
    Remedy { side: Color, san: String, remedy: Remedy },
    /// What the move prepares: the mover's next move of the expected line, in SAN.
    Plan { side: Color, san: String, plan: Plan },
    /// A piece as it stands after the move, and to how many squares it could go before and after: not where its own men
    /// stand nor where an enemy pawn would take it. `moved` when it is the man that moves.
    Activity {
        man: Man,
        before: u32,
        after: u32,
        moved: bool,
    },
    /// The pawn as it stands after the move, in the enemy's half.
    Space { pawn: Man },
    /// The king on its back rank and the square it can now flee to.
    Luft { king: Man, square: Square },
    /// The king as it stood and where it goes, nearer to the centre.
    KingActivity { king: Man, to: Square },
    /// The two rooks.
    Connected { rooks: [Man; 2] },
    /// The king that could still have castled.
    CastlingLost { king: Man },
    /// The rook or queen that did not move, on a file that the move opened; `open` when no pawn is left on it.
    FileOpened { man: Man, open: bool },
    /// The bishop as it stood, and the knight it took.
    BishopPair { bishop: Man, knight: Man },
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
            | Self::Outpost { man }
            | Self::Activity { man, .. }
            | Self::FileOpened { man, .. }
            | Self::BishopPair { bishop: man, .. }
            | Self::Space { pawn: man }
            | Self::Luft { king: man, .. }
            | Self::KingActivity { king: man, .. }
            | Self::Connected { rooks: [man, _] }
            | Self::CastlingLost { king: man } => man.color,
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
            Self::Hanging { hanging, .. }
            | Self::Exposed { hanging, .. }
            | Self::Trapped(hanging)
            | Self::Threat(hanging) => hanging.by.color,
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
            | Self::Remedy { side, .. }
            | Self::Plan { side, .. }
            | Self::OnlyMove { side, .. } => *side,
            Self::Draw { .. } | Self::Phase(_) | Self::Opening { .. } | Self::Ending(_) => return None,
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
            Self::Ending(_) => FactKind::Ending,
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
            Self::Exposed { .. } => FactKind::Exposed,
            Self::Remedy { .. } => FactKind::Remedy,
            Self::Plan { .. } => FactKind::Plan,
            Self::Activity { .. } => FactKind::Activity,
            Self::Space { .. } => FactKind::Space,
            Self::Luft { .. } => FactKind::Luft,
            Self::KingActivity { .. } => FactKind::KingActivity,
            Self::Connected { .. } => FactKind::Connected,
            Self::CastlingLost { .. } => FactKind::CastlingLost,
            Self::FileOpened { .. } => FactKind::FileOpened,
            Self::BishopPair { .. } => FactKind::BishopPair,
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
