//! The nouns, adjectives and small words of chess prose.

use shakmaty::{Color, File, Role};

/// A piece's name: the role, and whether it is plural.
#[must_use]
pub fn role(word: &str) -> Option<(Role, bool)> {
    Some(match word {
        "pawn" => (Role::Pawn, false),
        "pawns" => (Role::Pawn, true),
        "knight" | "horse" => (Role::Knight, false),
        "knights" => (Role::Knight, true),
        "bishop" => (Role::Bishop, false),
        "bishops" => (Role::Bishop, true),
        "rook" => (Role::Rook, false),
        "rooks" => (Role::Rook, true),
        "queen" => (Role::Queen, false),
        "queens" => (Role::Queen, true),
        "king" | "monarch" => (Role::King, false),
        "kings" => (Role::King, true),
        _ => return None,
    })
}

/// "two", "3".
#[must_use]
pub fn number(word: &str) -> Option<u32> {
    Some(match word {
        "zero" => 0,
        "one" | "single" => 1,
        "two" | "couple" | "pair" => 2,
        "three" => 3,
        "four" => 4,
        "five" => 5,
        "six" => 6,
        "seven" => 7,
        "eight" => 8,
        "nine" => 9,
        "ten" => 10,
        _ => return word.parse().ok(),
    })
}

/// What an adjective or participle says of a man, a side, a file or a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The names are the words.
pub enum Trait {
    Passed,
    Isolated,
    Doubled,
    Tripled,
    Backward,
    Hanging,
    /// undefended, unprotected, loose
    Loose,
    /// well defended
    Protected,
    /// safe
    Safe,
    Pinned,
    Trapped,
    Undeveloped,
    Developed,
    Castled,
    Uncastled,
    Exposed,
    Open,
    HalfOpen,
    Closed,
    Empty,
    Winning,
    Lost,
    Better,
    SlightlyBetter,
    Worse,
    SlightlyWorse,
    Equal,
    Drawn,
    Best,
    Good,
    Bad,
    Mistake,
    Blunder,
    Inaccuracy,
    Legal,
    Illegal,
    Connected,
    Extra,
    Ahead,
    Behind,
    Checkmated,
    Stalemated,
    Only,
    Forced,
    Sound,
}

/// The trait that a single word names.
#[must_use]
pub fn trait_of(word: &str) -> Option<Trait> {
    Some(match word {
        "passed" | "passer" => Trait::Passed,
        "isolated" | "isolani" => Trait::Isolated,
        "doubled" => Trait::Doubled,
        "tripled" => Trait::Tripled,
        "backward" => Trait::Backward,
        "hanging" => Trait::Hanging,
        "undefended" | "unprotected" | "unguarded" | "loose" | "defenseless" | "defenceless" | "unsupported" => {
            Trait::Loose
        }
        "safe" | "secure" => Trait::Safe,
        "pinned" => Trait::Pinned,
        "trapped" => Trait::Trapped,
        "undeveloped" | "unmoved" => Trait::Undeveloped,
        "developed" => Trait::Developed,
        "castled" => Trait::Castled,
        "uncastled" => Trait::Uncastled,
        "exposed" | "vulnerable" | "unsafe" | "airy" | "drafty" | "weakened" => Trait::Exposed,
        "open" => Trait::Open,
        "closed" => Trait::Closed,
        "empty" | "vacant" | "unoccupied" => Trait::Empty,
        "winning" | "decisive" | "crushing" | "won" => Trait::Winning,
        "lost" | "losing" | "hopeless" | "lost-looking" => Trait::Lost,
        "better" | "superior" | "preferable" => Trait::Better,
        "worse" | "inferior" => Trait::Worse,
        "equal" | "level" | "balanced" | "even" | "equalized" | "equalised" => Trait::Equal,
        "drawn" | "drawish" => Trait::Drawn,
        "best" | "strongest" | "optimal" | "top" => Trait::Best,
        "good" | "strong" | "excellent" | "great" | "fine" | "accurate" | "brilliant" | "correct" | "precise"
        | "powerful" | "superb" | "solid" | "decent" | "nice" | "right" => Trait::Good,
        "bad" | "poor" | "weak" | "dubious" | "questionable" | "terrible" | "horrible" | "awful" | "wrong"
        | "inaccurate" | "suboptimal" => Trait::Bad,
        "mistake" | "error" => Trait::Mistake,
        "blunder" => Trait::Blunder,
        "inaccuracy" => Trait::Inaccuracy,
        "legal" | "possible" | "playable" | "available" => Trait::Legal,
        "illegal" | "impossible" | "unavailable" => Trait::Illegal,
        "connected" => Trait::Connected,
        "extra" => Trait::Extra,
        "ahead" => Trait::Ahead,
        "behind" => Trait::Behind,
        "checkmated" => Trait::Checkmated,
        "stalemated" => Trait::Stalemated,
        "only" => Trait::Only,
        "forced" | "forcing" | "inevitable" | "unavoidable" | "unstoppable" => Trait::Forced,
        "sound" => Trait::Sound,
        _ => return None,
    })
}

/// Nouns that name a deed or a state: "a fork", "the exchange", "check".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The names are the nouns.
pub enum Thing {
    Attack,
    DoubleAttack,
    Defence,
    Defender,
    Attacker,
    Check,
    DoubleCheck,
    Mate,
    Stalemate,
    Fork,
    Pin,
    Skewer,
    Discovered,
    DiscoveredCheck,
    Battery,
    Outpost,
    Trade,
    Capture,
    Castling,
    CastlingRight,
    Promotion,
    Development,
    Sacrifice,
    Threat,
    Pressure,
    Material,
    Exchange,
    Advantage,
    Initiative,
    Compensation,
    Shelter,
    Safety,
    Move,
    Reply,
    Turn,
    Choice,
    Line,
    Position,
    Game,
    Opening,
    Middlegame,
    Endgame,
    Draw,
    Centre,
    Home,
    Corner,
    Tempo,
    BishopPair,
    Structure,
    Board,
    /// a lead
    Lead,
    /// a rank or a diagonal
    Line64,
    Kingside,
    Queenside,
    Point,
    Quality,
    Nothing,
    /// "something", "someone": any man
    Someone,
    /// a threat of mate
    MateThreat,
}

/// The noun, and whether it is plural.
#[must_use]
pub fn thing(word: &str) -> Option<(Thing, bool)> {
    let one = |thing| Some((thing, false));
    match word {
        "attack" | "hit" | "fire" => one(Thing::Attack),
        "attacks" => Some((Thing::Attack, true)),
        "defence" | "defense" | "protection" | "support" => one(Thing::Defence),
        "defender" | "protector" => one(Thing::Defender),
        "defenders" | "protectors" => Some((Thing::Defender, true)),
        "attacker" => one(Thing::Attacker),
        "attackers" => Some((Thing::Attacker, true)),
        "check" => one(Thing::Check),
        "checks" => Some((Thing::Check, true)),
        "mate" | "checkmate" | "matt" => one(Thing::Mate),
        "stalemate" => one(Thing::Stalemate),
        "fork" => one(Thing::Fork),
        "forks" => Some((Thing::Fork, true)),
        "pin" => one(Thing::Pin),
        "pins" => Some((Thing::Pin, true)),
        "skewer" => one(Thing::Skewer),
        "battery" => one(Thing::Battery),
        "outpost" => one(Thing::Outpost),
        "trade" | "swap" => one(Thing::Trade),
        "trades" | "exchanges" => Some((Thing::Trade, true)),
        "exchange" => one(Thing::Exchange),
        "capture" | "recapture" => one(Thing::Capture),
        "captures" => Some((Thing::Capture, true)),
        "castling" => one(Thing::Castling),
        "promotion" | "underpromotion" => one(Thing::Promotion),
        "development" => one(Thing::Development),
        "sacrifice" | "sac" => one(Thing::Sacrifice),
        "threat" => one(Thing::Threat),
        "threats" => Some((Thing::Threat, true)),
        "pressure" => one(Thing::Pressure),
        "material" => one(Thing::Material),
        "advantage" | "edge" | "plus" => one(Thing::Advantage),
        "initiative" => one(Thing::Initiative),
        "compensation" => one(Thing::Compensation),
        "shelter" | "cover" | "shield" => one(Thing::Shelter),
        "safety" => one(Thing::Safety),
        "move" | "continuation" | "option" | "alternative" | "decision" | "idea" => one(Thing::Move),
        "moves" | "options" | "alternatives" => Some((Thing::Move, true)),
        "reply" | "response" | "answer" => one(Thing::Reply),
        "turn" => one(Thing::Turn),
        "choice" | "recommendation" | "preference" | "favourite" | "favorite" | "pick" => one(Thing::Choice),
        "line" | "variation" => one(Thing::Line),
        "position" | "chances" | "evaluation" | "situation" | "outcome" => one(Thing::Position),
        "lead" => one(Thing::Lead),
        "game" => one(Thing::Game),
        "opening" => one(Thing::Opening),
        "middlegame" => one(Thing::Middlegame),
        "endgame" | "ending" => one(Thing::Endgame),
        "draw" => one(Thing::Draw),
        "centre" | "center" | "middle" => one(Thing::Centre),
        "home" => one(Thing::Home),
        "corner" => one(Thing::Corner),
        "tempo" => one(Thing::Tempo),
        "structure" => one(Thing::Structure),
        "board" => one(Thing::Board),
        "diagonal" | "rank" => one(Thing::Line64),
        "kingside" => one(Thing::Kingside),
        "queenside" => one(Thing::Queenside),
        "point" => one(Thing::Point),
        "points" => Some((Thing::Point, true)),
        "nothing" | "none" | "nobody" => one(Thing::Nothing),
        "something" | "someone" | "somebody" | "anything" | "anyone" | "anybody" => one(Thing::Someone),
        _ => None,
    }
}

/// A preposition or a word that works as one here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The names are the words.
pub enum Prep {
    On,
    At,
    To,
    From,
    Of,
    By,
    With,
    Without,
    For,
    Against,
    In,
    Into,
    Behind,
    Through,
    Along,
    Between,
    Near,
    Under,
    Than,
    As,
    Via,
    Out,
    Up,
    Down,
    Over,
    Off,
    Away,
    Back,
    Other,
}

/// The preposition.
#[must_use]
pub fn prep(word: &str) -> Option<Prep> {
    Some(match word {
        "on" | "onto" | "upon" => Prep::On,
        "at" => Prep::At,
        "to" | "towards" | "toward" => Prep::To,
        "from" => Prep::From,
        "of" => Prep::Of,
        "by" => Prep::By,
        "with" => Prep::With,
        "without" => Prep::Without,
        "for" => Prep::For,
        "against" => Prep::Against,
        "in" | "inside" | "within" => Prep::In,
        "into" => Prep::Into,
        "behind" => Prep::Behind,
        "through" => Prep::Through,
        "along" | "down" | "across" => Prep::Along,
        "between" => Prep::Between,
        "near" | "around" | "beside" => Prep::Near,
        "under" => Prep::Under,
        "than" => Prep::Than,
        "as" => Prep::As,
        "via" => Prep::Via,
        "out" => Prep::Out,
        "up" => Prep::Up,
        "over" => Prep::Over,
        "off" => Prep::Off,
        "away" => Prep::Away,
        "back" => Prep::Back,
        "about" | "like" | "despite" | "per" | "besides" | "beyond" | "above" | "below" | "instead" | "among" => {
            Prep::Other
        }
        _ => return None,
    })
}

/// Words that open a clause that is supposed, or comes at another time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The names are the words.
pub enum Opener {
    If,
    After,
    Before,
    When,
    Then,
    Because,
    While,
    But,
    Unless,
    Than,
}

/// The opener.
#[must_use]
pub fn opener(word: &str) -> Option<Opener> {
    Some(match word {
        "if" | "should" | "suppose" | "supposing" | "assuming" => Opener::If,
        "after" | "following" => Opener::After,
        "before" | "until" => Opener::Before,
        "when" | "once" | "whenever" => Opener::When,
        "then" | "thereafter" | "afterwards" | "next" => Opener::Then,
        "because" | "since" | "so" | "therefore" | "thus" | "hence" => Opener::Because,
        "while" | "whereas" | "whilst" | "although" | "though" => Opener::While,
        "but" | "however" | "yet" | "nevertheless" => Opener::But,
        "unless" => Opener::Unless,
        _ => return None,
    })
}

/// Words that begin a noun phrase.
#[must_use]
pub fn is_determiner(word: &str) -> bool {
    matches!(
        word,
        "the"
            | "a"
            | "an"
            | "this"
            | "that"
            | "these"
            | "those"
            | "his"
            | "her"
            | "its"
            | "their"
            | "my"
            | "your"
            | "our"
            | "no"
            | "both"
            | "all"
            | "each"
            | "every"
            | "any"
            | "some"
    )
}

/// Words that change nothing where they stand between the parts of a clause.
#[must_use]
pub fn is_filler(word: &str) -> bool {
    matches!(
        word,
        "also"
            | "now"
            | "still"
            | "immediately"
            | "simply"
            | "just"
            | "already"
            | "both"
            | "simultaneously"
            | "only"
            | "even"
            | "indirectly"
            | "directly"
            | "really"
            | "actually"
            | "currently"
            | "again"
            | "too"
            | "well"
            | "once"
            | "clearly"
            | "completely"
            | "fully"
            | "effectively"
            | "nicely"
            | "neatly"
            | "strongly"
            | "here"
            | "there"
            | "safely"
            | "finally"
            | "instantly"
            | "quickly"
            | "firmly"
            | "solidly"
            | "comfortably"
            | "temporarily"
            | "adequately"
            | "sufficiently"
            | "twice"
            | "easily"
            | "freely"
            | "happily"
            | "perhaps"
            | "probably"
            | "likely"
            | "therefore"
            | "thereby"
            | "thus"
            | "hence"
            | "moreover"
            | "furthermore"
            | "additionally"
            | "meanwhile"
            | "absolutely"
            | "definitely"
            | "certainly"
            | "obviously"
            | "technically"
            | "in-turn"
            | "legally"
            | "instead"
            | "newly"
            | "suddenly"
            | "permanently"
            | "badly"
            | "dangerously"
            | "right"
            | "forcefully"
            | "subsequently"
            | "materially"
            | "cleverly"
            | "bravely"
            | "quite"
            | "very"
            | "rather"
            | "somewhat"
            | "far"
            | "much"
            | "boldly"
            | "calmly"
            | "best"
            | "better"
            | "successfully"
            | "sharply"
            | "aggressively"
            | "properly"
            | "seriously"
            | "always"
            | "together"
            | "yet"
            | "forever"
            | "everywhere"
    )
}

/// The side that a word names.
pub fn color(word: &str) -> Option<Color> {
    match word {
        "white" | "whites" => Some(Color::White),
        "black" | "blacks" => Some(Color::Black),
        _ => None,
    }
}

/// The file that a letter names.
pub fn file_letter(word: &str) -> Option<File> {
    let mut chars = word.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => File::from_char(c),
        _ => None,
    }
}
