//! The words of chess prose: which verbs, nouns and adjectives say what.

use std::{collections::HashMap, sync::LazyLock};

pub use super::words::{
    Opener, Prep, Thing, Trait, color, file_letter, is_determiner, is_filler, number, opener, prep, role, thing,
    trait_of,
};

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
        "commit* lend! provide create produce form set* deliver execute launch start establish achieve obtain generate perform cause administer secure constitute compose",
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
    (Act::Fail, "fail decline refuse neglect cease omit forget!"),
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
        "abandon desert forsake relinquish save rescue make reduce increase improve limit restrict become cramp ignore concede gain use show ask simplify add shift further favor resign answer claim clear exert maintain keep hold result count rely depend lean",
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
    (Act::Other, Form::Preterite, "became fell"),
    (Act::Other, Form::Base, "fall"),
    (Act::Other, Form::Third, "falls"),
    (Act::Other, Form::Participle, "fallen"),
    (Act::Other, Form::Ing, "falling"),
];

/// Puts the forms of all verbs together, which is done once.
pub fn prepare() {
    LazyLock::force(&FORMS);
}

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
