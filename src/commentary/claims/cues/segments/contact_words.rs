//! The cue words of attack, defence and what hangs.

/// What a cue says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactCue {
    /// An attack on an enemy.
    Attack,
    /// An attack, or a look through other men.
    Look,
    /// Protection of a man of one's own.
    Defend,
    /// Either, by whose the man is; of a square, control.
    Watch,
    /// Nobody protects it.
    Loose,
    /// It can be taken with gain.
    Hang,
}

/// Who does it, by the cue's own shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A verb or noun of the one who acts.
    Acts,
    /// Said of the one it is done to: "relies on", "is the target of".
    Suffers,
}

use ContactCue::{Attack, Defend, Hang, Look, Loose, Watch};
use Shape::{Acts, Suffers};

/// Cue phrases; the longest that fits counts. A star stands for any ending.
pub const CUES: &[(ContactCue, Shape, &str)] = &[
    (
        Attack,
        Suffers,
        "under attack|under fire|barrel of|to fear from|fear from|comes under fire|target of|target for|target|in danger|firing line|line of fire|exposed to|mercy of|has to reckon|have to reckon|must reckon|prey to|prey of|fall* prey|faces|suffers|feels the heat|molested|unmolested|harried by|safe from|attention of|within reach|in reach|in range|within range|out of reach|out of range|under the gun|off the hook|free from attack|hunted by",
    ),
    (
        Attack,
        Acts,
        "attack*|hit|hits|hitting|menac*|harass*|assail*|assault*|bombard*|threaten*|threat to|threat against|strike|strikes|striking|fire* at|firing at|fire on|chas*|goes after|going after|kick|kicks|kicking|tempo on|poke*|pester*|attackers of|attacker of|hunt*|goes for|lash* out at|annoy*|go after|snip* at|get at|gets at|getting at|unattacked",
    ),
    (
        Look,
        Acts,
        "pressur*|sights|sight of|crosshairs|gunning|gun* for|aim at|aims at|aiming at|aimed at|takes aim|take aim|siege|bite* on|biting on|trained on|pointed at|pointing at|points at|directed at|bears down|bear* down|eyeing|eyes|takes on|zero* in|target*|focus* on|lines up against|trains its|stares at|staring at|glare*|looking at|looks at|press*",
    ),
    (
        Defend,
        Suffers,
        "rel* on|relying on|depend* on|lean* on|count on|counts on|owe*|safe because|in safe hands|taken care of|looked after|cared for|protector in|backup|back-up|enjoys|is held|are held|held by|held together|propped up|defended by|protected by|guarded by|supported by|covered by|lost the|abandoned by|deserted by",
    ),
    (
        Defend,
        Acts,
        "defen*|protect*|guard*|support*|back* up|backing|shield*|safeguard*|bolster*|prop* up|looks after|look after|looking after|care of|sentry|reinforc*|shor* up|nothing for|overprotect*|underpin*|watch* over|sentinel|vigil|custody|minder|tied to|abandon*|desert*|lurch|help to|help for|aid of|assist*|comes to the aid|cover for|come* to the rescue",
    ),
    (
        Watch,
        Acts,
        "cover*|watch*|eye on|eye over|an eye|control*|command*|reach*|touch*|sees|see|bear* on|bearing on|observ*|monitor*|patrol*|polic*|say over|grip of|grip on|dominat*|oversee*|rake*|sweep*|holds|hold on",
    ),
    (
        Loose,
        Acts,
        "undefended|unprotected|unguarded|unsupported|loose|defenceless|defenseless|uncovered|fend for itself|on its own|left to its fate|left to its own devices|own devices|all alone|unattended",
    ),
    (
        Hang,
        Acts,
        "hang*|hung|en prise|for the taking|for grabs|for the picking|gift|present of|for free|for nothing|free of charge|gratis|to be picked up|be picked up|can be won|can be had|free pawn|free knight|free bishop|free rook|free queen|simply take*|simply win|just take*|just win|win* at once|left to be taken|danger of being lost|danger of losing|risk of losing|risk of being lost|risk of being taken|danger of being taken|danger of being captured|danger of falling|giv* away|free for|without giving|without compensation|simply pick*",
    ),
];

/// What was so and is no more.
pub const ENDED: &[&str] = &[
    "is over",
    "has ended",
    "to an end",
    "gone is",
    "of the past",
    "given up",
    "gave up",
    "gives up",
    "is history",
    "outside",
    "beyond",
    "abandon*",
    "desert*",
];

/// Motifs with words like those of attack and defence; their own families read them.
pub const OTHER_MOTIFS: &[&str] = &[
    // Deeds whose outcome is said: "taking back with the pawn attacks the knight".
    "threatens to",
    "threaten to",
    "threatening to",
    "threatened to",
    "taking",
    "recaptur*",
    "retak*",
    "capturing",
    "exchanging",
    "trading",
    "advancing",
    "pushing",
    "moving",
    "fork*",
    "pin",
    "pins",
    "pinned",
    "pinning",
    "skewer*",
    "discover*",
    "uncover*",
    "unmask*",
    "unveil*",
    "double attack",
    "promot*",
    "underpromot*",
    "turns into",
    "becomes",
    "batter*",
    "mate*",
    "mating",
    "checkmate*",
    "outpost*",
    "castl*",
    "king safety",
    "shelter*",
    "behind the",
    "stands behind",
    "x-ray*",
    "both",
    "two",
    "three",
    "shield*",
];

/// Words of possibility and duty that tell of what is so.
pub const FACTS: &[&str] = &[
    "must face",
    "do without",
    "get at",
    "reckon",
    "parry",
    "deal with",
    "be looked after",
    "can count",
    "can rely",
    "can not count",
    "can not rely",
    "can no longer",
    "can depend",
    "can lean",
    "wrong to",
    "count on",
    "rely on",
    "be said to",
];

/// Words that give something to somebody.
pub const GIVING: &[&str] = &[
    "give*", "gave", "giving", "lend*", "lent", "offer*", "provid*", "bring*", "add", "adds", "adding",
];

/// Nouns of protection that a man has or lacks.
pub const NEEDS: &[&str] = &[
    "protection",
    "support",
    "defender*",
    "protector*",
    "cover",
    "guard",
    "backup",
    "defence",
    "defense",
    "guardian*",
];

/// "the only defender", "the only piece defending it": no other does.
pub const ONLY_ONE: &[&str] = &[
    "only defender",
    "only protector",
    "only guardian",
    "only guard",
    "only protection",
    "only support",
    "only attacker",
    "sole defender",
    "sole protector",
    "sole guardian",
    "sole guard",
    "sole protection",
    "sole support",
    "sole attacker",
    "lone defender",
    "only piece",
    "only man",
    "only unit",
    "only one",
    "only thing",
];
