//! The words of chess prose: which verbs, nouns and adjectives say what.

use std::{collections::HashMap, sync::LazyLock};

use shakmaty::Role;

/// What a verb, or a noun made of one, says is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The names are the verbs.
pub enum Act {
    /// attack, hit, target
    Attack,
    /// eye, aim at, press: an attack, or a look through other men
    Eye,
    /// control a square
    Control,
    Threaten,
    /// defend, protect, guard, cover
    Defend,
    /// support, bolster
    Support,
    Pin,
    Unpin,
    Fork,
    Skewer,
    /// uncover, discover, unleash
    Discover,
    Hang,
    Capture,
    Recapture,
    Trade,
    Win,
    Lose,
    Sacrifice,
    Castle,
    Promote,
    Check,
    Mate,
    Stalemate,
    Develop,
    Retreat,
    /// go from one square to another
    Move,
    /// play, choose a move
    Play,
    /// reply, answer
    Reply,
    /// stand, sit: to be on a square
    Stand,
    Have,
    Be,
    /// create, make, give, set up: what the noun says is done
    Make,
    /// allow, let: the other side may do it
    Allow,
    /// avoid, prevent, stop, parry, escape
    Prevent,
    /// want, plan, hope, prepare
    Plan,
    Fail,
    Continue,
    Force,
    /// double a pawn
    Double,
    Isolate,
    Open,
    Close,
    Weaken,
    /// strip a king, expose it
    Expose,
    Trap,
    Offer,
    Miss,
    Prefer,
    Lead,
    Trail,
    Equal,
    Leave,
    /// lack, need
    Lack,
    /// take up an outpost, a battery with
    Align,
    /// block, shut
    Block,
    /// blunder, err
    Blunder,
    /// finish, complete
    Finish,
    /// shelter a king
    Shelter,
    /// face, suffer: it is done to the subject
    Undergo,
    /// cost material
    Cost,
    /// turn into
    Turn,
    /// should, ought as full verbs; see, consider
    Consider,
    /// attack and defence of nothing in particular: everything else that has a verb's shape
    Other,
}

/// The form of a verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// "attack": infinitive, plural present, imperative.
    Base,
    /// "attacks".
    Third,
    /// "attacked" as past tense or participle.
    Past,
    /// "taken": participle only.
    Participle,
    /// "took": past tense only.
    Preterite,
    /// "attacking".
    Ing,
}

/// Regular verbs.
const VERBS: &[(Act, &str)] = &[
    (
        Act::Attack,
        "attack hit* target harass kick chase menace assault assail bombard",
    ),
    (
        Act::Eye,
        "eye press pressure pressurize pressurise aim challenge strike* question bear* probe bother",
    ),
    (Act::Control, "control* dominate command patrol*"),
    (Act::Threaten, "threaten"),
    (Act::Defend, "defend protect guard cover overprotect safeguard"),
    (Act::Support, "support bolster reinforce shield backup back"),
    (Act::Pin, "pin*"),
    (Act::Unpin, "unpin*"),
    (Act::Fork, "fork"),
    (Act::Skewer, "skewer"),
    (Act::Discover, "discover uncover unleash reveal unveil unmask"),
    (
        Act::Capture,
        "capture grab* snatch remove eliminate pick gobble devour collect snap* scoop annex chop* nab* seize pocket munch",
    ),
    (Act::Recapture, "recapture"),
    (Act::Trade, "trade exchange swap* liquidate"),
    (Act::Win, "gain net* earn bag*"),
    (Act::Lose, "drop* surrender forfeit throw!"),
    (Act::Sacrifice, "sacrifice sac*"),
    (Act::Castle, "castle"),
    (Act::Promote, "promote queen underpromote"),
    (Act::Check, "check"),
    (Act::Mate, "mate checkmate"),
    (Act::Stalemate, "stalemate"),
    (Act::Develop, "develop fianchetto"),
    (Act::Retreat, "retreat withdraw!"),
    (
        Act::Move,
        "move step* jump hop* leap travel slide! advance push reach place position land reroute relocate transfer centralize centralise swing! lift head return arrive shift plant drop* transport maneuver manoeuvre reposition activate improve station post plop*",
    ),
    (Act::Play, "play select pick opt* push"),
    (Act::Reply, "reply respond answer follow counter"),
    (
        Act::Stand,
        "remain stay reside live rest occupy post locate place station position situate perch settle",
    ),
    (Act::Have, "possess own retain enjoy boast"),
    (
        Act::Make,
        "lend! provide create produce form set* deliver execute launch start establish achieve obtain generate perform cause administer secure",
    ),
    (Act::Allow, "allow permit enable invite"),
    (
        Act::Prevent,
        "prevent stop* avoid parry escape evade avert dodge end deny neutralize neutralise sidestep* thwart relieve",
    ),
    (
        Act::Plan,
        "want plan* hope intend prepare try look seek attempt wish like need aim consider expect",
    ),
    (Act::Fail, "fail decline refuse neglect"),
    (
        Act::Continue,
        "continue keep start begin! proceed manage serve help seem appear",
    ),
    (Act::Force, "force compel* oblige"),
    (Act::Double, "double"),
    (Act::Isolate, "isolate"),
    (Act::Blunder, "blunder err"),
    (Act::Finish, "finish complete"),
    (Act::Shelter, "shelter tuck"),
    (Act::Undergo, "face suffer endure"),
    (Act::Cost, "cost"),
    (Act::Turn, "turn"),
    (Act::Open, "open"),
    (Act::Close, "close"),
    (Act::Weaken, "weaken loosen damage"),
    (Act::Expose, "expose strip* bare denude"),
    (Act::Trap, "trap*"),
    (Act::Offer, "offer propose"),
    (Act::Miss, "miss overlook"),
    (Act::Prefer, "prefer* recommend suggest favour favor"),
    (Act::Trail, "trail lag*"),
    (Act::Equal, "equalize equalise balance level"),
    (Act::Lack, "lack need require"),
    (Act::Align, "align line"),
    (Act::Block, "block shut* obstruct"),
    (Act::Consider, "consider evaluate rate judge assess think"),
    (
        Act::Other,
        "save rescue make reduce increase improve limit restrict become cramp ignore concede gain use show ask simplify add shift further favor resign answer claim clear exert maintain keep hold",
    ),
];

/// Irregular forms.
const IRREGULAR: &[(Act, Form, &str)] = &[
    (Act::Be, Form::Third, "is"),
    (Act::Be, Form::Base, "be are am"),
    (Act::Be, Form::Preterite, "was were"),
    (Act::Be, Form::Participle, "been"),
    (Act::Be, Form::Ing, "being"),
    (Act::Be, Form::Third, "becomes"),
    (Act::Be, Form::Base, "become"),
    (Act::Be, Form::Participle, "become"),
    (Act::Make, Form::Base, "lend"),
    (Act::Make, Form::Third, "lends"),
    (Act::Make, Form::Ing, "lending"),
    (Act::Be, Form::Preterite, "became"),
    (Act::Be, Form::Ing, "becoming"),
    (Act::Have, Form::Base, "have hold"),
    (Act::Have, Form::Third, "has holds"),
    (Act::Have, Form::Past, "had held"),
    (Act::Have, Form::Ing, "having holding"),
    (Act::Hang, Form::Base, "hang"),
    (Act::Hang, Form::Third, "hangs"),
    (Act::Hang, Form::Past, "hung hanged"),
    (Act::Hang, Form::Ing, "hanging"),
    (Act::Capture, Form::Base, "take"),
    (Act::Capture, Form::Third, "takes"),
    (Act::Capture, Form::Preterite, "took"),
    (Act::Capture, Form::Participle, "taken"),
    (Act::Capture, Form::Ing, "taking"),
    (Act::Recapture, Form::Base, "retake"),
    (Act::Recapture, Form::Third, "retakes"),
    (Act::Recapture, Form::Preterite, "retook"),
    (Act::Recapture, Form::Ing, "retaking"),
    (Act::Win, Form::Base, "win"),
    (Act::Win, Form::Third, "wins"),
    (Act::Win, Form::Past, "won"),
    (Act::Win, Form::Ing, "winning"),
    (Act::Lose, Form::Base, "lose throw"),
    (Act::Lose, Form::Third, "loses throws"),
    (Act::Lose, Form::Past, "lost"),
    (Act::Lose, Form::Preterite, "threw"),
    (Act::Cost, Form::Past, "cost"),
    (Act::Lose, Form::Ing, "losing throwing"),
    (Act::Attack, Form::Base, "hit"),
    (Act::Attack, Form::Past, "hit"),
    (Act::Eye, Form::Preterite, "struck bore"),
    (Act::Eye, Form::Ing, "eying"),
    (Act::Retreat, Form::Preterite, "withdrew"),
    (Act::Retreat, Form::Participle, "withdrawn"),
    (Act::Retreat, Form::Base, "withdraw"),
    (Act::Retreat, Form::Third, "withdraws"),
    (Act::Retreat, Form::Ing, "withdrawing"),
    (Act::Move, Form::Base, "go come bring put slide swing"),
    (Act::Move, Form::Third, "goes comes brings puts slides swings"),
    (Act::Move, Form::Preterite, "went came"),
    (Act::Move, Form::Participle, "gone come"),
    (Act::Move, Form::Past, "brought put slid swung"),
    (Act::Move, Form::Ing, "going coming bringing putting sliding swinging"),
    (Act::Play, Form::Base, "choose find"),
    (Act::Play, Form::Third, "chooses finds"),
    (Act::Play, Form::Preterite, "chose"),
    (Act::Play, Form::Past, "found"),
    (Act::Play, Form::Participle, "chosen"),
    (Act::Play, Form::Ing, "choosing finding"),
    (Act::Reply, Form::Base, "meet"),
    (Act::Reply, Form::Third, "meets"),
    (Act::Reply, Form::Past, "met"),
    (Act::Stand, Form::Base, "stand sit lie"),
    (Act::Stand, Form::Third, "stands sits lies"),
    (Act::Stand, Form::Past, "stood sat"),
    (Act::Stand, Form::Ing, "standing sitting lying"),
    (Act::Make, Form::Base, "make give get set"),
    (Act::Make, Form::Third, "makes gives gets sets"),
    (Act::Make, Form::Past, "made got set"),
    (Act::Make, Form::Preterite, "gave"),
    (Act::Make, Form::Participle, "given gotten"),
    (Act::Make, Form::Ing, "making giving getting setting"),
    (Act::Allow, Form::Base, "let"),
    (Act::Allow, Form::Third, "lets"),
    (Act::Allow, Form::Past, "let"),
    (Act::Allow, Form::Ing, "letting"),
    (Act::Prevent, Form::Base, "break"),
    (Act::Prevent, Form::Third, "breaks"),
    (Act::Prevent, Form::Preterite, "broke"),
    (Act::Prevent, Form::Participle, "broken"),
    (Act::Prevent, Form::Ing, "breaking"),
    (Act::Plan, Form::Preterite, "sought"),
    (Act::Continue, Form::Past, "kept"),
    (Act::Continue, Form::Preterite, "began"),
    (Act::Lead, Form::Base, "lead"),
    (Act::Lead, Form::Third, "leads"),
    (Act::Lead, Form::Past, "led"),
    (Act::Lead, Form::Ing, "leading"),
    (Act::Leave, Form::Base, "leave"),
    (Act::Leave, Form::Third, "leaves"),
    (Act::Leave, Form::Past, "left"),
    (Act::Leave, Form::Ing, "leaving"),
    (Act::Consider, Form::Base, "see"),
    (Act::Consider, Form::Third, "sees"),
    (Act::Consider, Form::Past, "thought"),
    (Act::Other, Form::Preterite, "became"),
];

/// Forms of all verbs; a form may belong to several.
static FORMS: LazyLock<HashMap<String, Vec<(Act, Form)>>> = LazyLock::new(|| {
    let mut map: HashMap<String, Vec<(Act, Form)>> = HashMap::new();
    let mut add = |form: String, act: Act, kind: Form| {
        let all = map.entry(form).or_default();
        if !all.iter().any(|&(a, k)| k == kind && a == act) {
            all.push((act, kind));
        }
    };
    for &(act, form, words) in IRREGULAR {
        for word in words.split(' ') {
            add(word.to_owned(), act, form);
        }
    }
    for &(act, words) in VERBS {
        for word in words.split(' ') {
            if word.ends_with('!') {
                continue; // all its forms are above
            }
            let (word, doubles) = (word.trim_end_matches('*'), word.ends_with('*'));
            add(word.to_owned(), act, Form::Base);
            let soft = word.ends_with('e');
            let y = word.ends_with('y')
                && !word.ends_with(['a', 'e', 'o'])
                && !word.ends_with("ey")
                && !word.ends_with("ay")
                && !word.ends_with("oy");
            let stem = word.trim_end_matches('e');
            let last = if doubles { &word[word.len() - 1..] } else { "" };
            let hiss = word.ends_with("ss") || word.ends_with("sh") || word.ends_with("ch") || word.ends_with('x');
            add(
                if y {
                    format!("{}ies", &word[..word.len() - 1])
                } else if hiss {
                    format!("{word}es")
                } else {
                    format!("{word}s")
                },
                act,
                Form::Third,
            );
            add(
                if y {
                    format!("{}ied", &word[..word.len() - 1])
                } else if soft {
                    format!("{word}d")
                } else {
                    format!("{word}{last}ed")
                },
                act,
                Form::Past,
            );
            add(
                if soft && word != "eye" {
                    format!("{stem}ing")
                } else {
                    format!("{word}{last}ing")
                },
                act,
                Form::Ing,
            );
        }
    }
    map
});

/// The verbs that `word` may be a form of.
#[must_use]
pub fn verb(word: &str) -> &'static [(Act, Form)] {
    FORMS.get(word).map_or(&[], Vec::as_slice)
}

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
