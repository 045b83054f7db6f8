//! Attack, defence and what hangs, by their cue words, where the grammar finds no claim: "the job of the bishop is to
//! keep an eye on a5", "Loose: the rook on h1".
//!
//! A verdict is given only where all readings of the words agree.

use std::{collections::HashMap, sync::LazyLock};

use shakmaty::Color;

use super::{
    contact_words::{
        CUES,
        ContactCue::{self, Attack, Defend, Hang, Look, Loose, Watch},
        ENDED, FACTS, GIVING, NEEDS, ONLY_ONE, OTHER_MOTIFS,
        Shape::{self, Acts, Suffers},
    },
    segment::{Mention, Segment, clause_in, frame_about, frame_of, views},
};
use crate::commentary::claims::{
    ClaimKind,
    board::{Clause, View, World},
    draft::Draft,
    families::{
        bonds::{Bond, bare_passive, exclusive, no_other, one},
        hanging::{hanging_men, loose_men},
    },
    grammar::{Act, Arg, Det, Frame, Head, Np, Opener, Owner, Prep},
    truth::{self, Truth},
};

/// A cue where it stands.
#[derive(Debug, Clone, Copy)]
struct Found {
    cue: ContactCue,
    shape: Shape,
    at: usize,
    len: usize,
}

/// What cue words say of the men beside them, where nothing else has been found in the segment.
pub fn claims(world: &World<'_>, segments: &[Segment<'_>], frames: &[Frame], found: &mut Vec<Draft>) {
    let mut drafts = Vec::new();
    for (number, segment) in segments.iter().enumerate() {
        let past = segments[number + 1..].iter().any(ends_it) && !segment.says(&["no longer"]);
        let known = found.iter().any(|d| {
            matches!(
                d.kind,
                ClaimKind::Attack | ClaimKind::Defence | ClaimKind::Loose | ClaimKind::Hanging
            ) && !matches!(d.truth, Truth::Unknown(_))
                && d.span.start < segment.span.end
                && segment.span.start < d.span.end
        });
        // "The attack of the rook is over": the grammar sees the attack only.
        let over = past || segment.says(ENDED);
        if known && !over || segment.says(OTHER_MOTIFS) && winnable(segment).is_none() {
            continue;
        }
        let frame = frame_of(frames, segment);
        if let Some(cue) = winnable(segment).or_else(|| cue(segment))
            && let Some(draft) = judge(world, frame, segment, cue, past)
        {
            if over {
                found.retain(|d| {
                    d.kind != draft.kind || d.span.end <= draft.span.start || draft.span.end <= d.span.start
                });
            }
            drafts.push(draft);
        }
    }
    found.extend(drafts);
}

/// "…; now it isn't", "…, but it no longer does": what was said before was so and is no more.
fn ends_it(segment: &Segment<'_>) -> bool {
    segment.tokens.len() <= 7
        && segment.says(&["now", "no longer", "any longer", "any more", "anymore", "today"])
        && segment.negative()
        && segment.moves.is_empty()
        && cue(segment).is_none()
}

/// A phrase with what it is a cue for.
type CuePhrase = (ContactCue, Shape, &'static str);

/// The phrases of every cue, by their first letters.
static BY_LETTER: LazyLock<HashMap<u8, Vec<CuePhrase>>> = LazyLock::new(|| {
    let mut found: HashMap<u8, Vec<CuePhrase>> = HashMap::new();
    for &(cue, shape, phrases) in CUES {
        for phrase in phrases.split('|') {
            if let Some(letter) = phrase.bytes().next() {
                found.entry(letter).or_default().push((cue, shape, phrase));
            }
        }
    }
    found
});

/// The longest cue of the segment; none where two of different kinds stand in it.
fn cue(segment: &Segment<'_>) -> Option<Found> {
    let mut best: Option<Found> = None;
    for at in 0..segment.tokens.len() {
        // "the attacked queen", "the defending rook": no statement; "is a free bishop" is one.
        let said = matches!(
            segment.word(at),
            "free" | "loose" | "undefended" | "unprotected" | "unguarded" | "hanging"
        ) && matches!(segment.word(at.wrapping_sub(1)), "a" | "an" | "just" | "simply")
            && segment.says(&["is", "are", "remains", "becomes"]);
        if !said && segment.mentions.iter().any(|m| m.at <= at && at < m.end) {
            continue;
        }
        let letter = segment.word(at).as_bytes().first();
        let phrases = letter.and_then(|letter| BY_LETTER.get(letter));
        for &(cue, shape, phrase) in phrases.into_iter().flatten() {
            let Some(len) = segment.matches(at, phrase) else {
                continue;
            };
            // "White relies on the rook", "all eyes are on it": it is no man that is protected or looks.
            let leans = shape == Suffers && phrase.ends_with(" on");
            let nobody = leans && !segment.mentions.iter().any(|m| m.end <= at);
            let idle = segment.word(at.wrapping_sub(1)) == "all"
                || segment.word(at) == "reached"
                // "is only a target": for whom, or when, is not said.
                || phrase == "target" && segment.word(at.wrapping_sub(1)) == "a" && segment.men().len() < 2;
            if nobody || idle {
                continue;
            }
            let this = Found { cue, shape, at, len };
            let better = best.is_none_or(|b| rank(cue) > rank(b.cue) || cue == b.cue && len > b.len);
            if better {
                best = Some(this);
            }
        }
    }
    best
}

/// True where a cue stands in the segment that can be taken for nothing else.
pub fn speaks(segment: &Segment<'_>) -> bool {
    cue(segment).is_some_and(|found| {
        let word = segment.word(found.at);
        !(word.starts_with("hold") || word.starts_with("se"))
    })
}

/// "can win the rook at once", "can win it outright": it hangs.
fn winnable(segment: &Segment<'_>) -> Option<Found> {
    let last = segment.tokens.iter().rposition(|t| !t.word().is_empty())?;
    let man = segment.mentions.iter().any(|m| !m.square);
    if man && segment.word(last) == "free" && segment.says(&["is", "are", "comes", "remains"]) {
        return Some(Found {
            cue: Hang,
            shape: Acts,
            at: last,
            len: 1,
        });
    }
    let at = (0..segment.tokens.len())
        .find(|&at| ["win", "take", "pocket", "bag", "net", "grab", "collect", "snatch"].contains(&segment.word(at)))?;
    let able = segment.says(&["can", "is able to", "are able to", "to move"]);
    let now = segment.says(&[
        "at once",
        "outright",
        "immediately",
        "simply",
        "just",
        "straight away",
        "on the spot",
        "right away",
        "by force",
        "cleanly",
        "without further ado",
        "for the asking",
        "instantly",
        "now",
        "here and now",
        "directly",
    ]);
    (able && now && segment.moves.is_empty()).then_some(Found {
        cue: Hang,
        shape: Acts,
        at,
        len: 1,
    })
}

/// Which cue counts where several stand in a segment: "leaves it undefended and hanging".
const fn rank(cue: ContactCue) -> u8 {
    match cue {
        Watch => 0,
        Look => 1,
        Defend => 2,
        Attack => 3,
        Loose => 4,
        Hang => 5,
    }
}

fn judge(world: &World<'_>, frame: Option<&Frame>, segment: &Segment<'_>, cue: Found, past: bool) -> Option<Draft> {
    let lined = frame.is_some_and(|f| !f.context.runs.is_empty()) || !segment.moves.is_empty();
    if frame.is_some_and(|f| f.context.vague && f.context.runs.is_empty()) {
        return None;
    }
    let duty = segment.says(FACTS);
    // "now has to be looked after": it is asked for.
    if cue.cue == Defend && segment.says(&["has to be", "have to be", "must be", "needs to be", "need to be"]) {
        return None;
    }
    let able = cue.cue == Hang;
    if segment.supposed() && !lined && !duty && !able && !past {
        return None;
    }
    let views = views(world, frame, segment);
    if views.is_empty() {
        return None;
    }
    let denied = match cue.cue {
        Hang => segment.negative(),
        // "stands all alone, with no defender": the same twice.
        Loose => segment.denied() != unsupported(segment, cue),
        _ => segment.denied(),
    };
    let negated = denied != past;
    let mut base = frame_about(frame, segment, Act::Be, Vec::new());
    base.verb.past &= !past;
    let clause = clause_in(world, &base, views, negated);
    let men = segment.men();
    let squares: Vec<&Mention> = segment.mentions.iter().filter(|m| m.square).collect();
    let (kind, readings) = match (cue.cue, men.as_slice(), squares.as_slice()) {
        // "is a free bishop".
        (Loose, [man, said], []) if said.at <= cue.at && cue.at < said.end => (
            ClaimKind::Loose,
            vec![clause.ask(|v| loose_men(&clause, &man.arg, v, true))],
        ),
        (Hang, [man, said], []) if said.at <= cue.at && cue.at < said.end => (
            ClaimKind::Hanging,
            vec![clause.ask(|v| hanging_men(&clause, &man.arg, v))],
        ),
        // "but the b7-pawn just takes it": what takes is not what hangs.
        (Hang, [man], _) | (Hang, [], [man]) if man.at < cue.at && takes(segment, cue) => return None,
        (Hang, [], [man]) => (
            ClaimKind::Hanging,
            vec![clause.ask(|v| hanging_men(&clause, &man.arg, v))],
        ),
        (Hang, [man], _) => (
            ClaimKind::Hanging,
            vec![clause.ask(|v| hanging_men(&clause, &man.arg, v))],
        ),
        (Loose, [man], []) => (
            ClaimKind::Loose,
            vec![clause.ask(|v| loose_men(&clause, &man.arg, v, true))],
        ),
        // "The pawn reaches g1": it has gone there.
        (Watch, [_], [square])
            if segment.word(cue.at).starts_with("reach")
                && square
                    .arg
                    .np()
                    .is_some_and(|np| np.squares.contains(&world.played().mv.to())) =>
        {
            return None;
        }
        (Watch | Defend, [man], [square]) if watches(segment, cue) && !stands_on(segment, cue, man, square) => (
            ClaimKind::Attack,
            vec![clause.ask(|v| one(&clause, Bond::Control, std::slice::from_ref(&man.arg), &square.arg, v))],
        ),
        // "e4 is within reach of the knight".
        (Attack, [man], [square]) if cue.shape == Suffers && square.at < cue.at && cue.at < man.at => (
            ClaimKind::Attack,
            vec![clause.ask(|v| one(&clause, Bond::Control, std::slice::from_ref(&man.arg), &square.arg, v))],
        ),
        // "neither rook nor bishop guards it".
        (Attack | Look | Defend | Watch, [first, second, on], [])
            if segment.says(&["neither"]) && segment.says(&["nor"]) =>
        {
            let clause = clause_in(world, &base, clause.views.clone(), true);
            let (kind, mut readings) = pair(&clause, segment, cue, first, on)?;
            let (_, more) = pair(&clause, segment, cue, second, on)?;
            readings.extend(more);
            (kind, vec![truth::all(readings)])
        }
        (Attack | Look | Defend | Watch, [first, second], []) => pair(&clause, segment, cue, first, second)?,
        (Attack | Look | Defend | Watch, [man], []) => alone(&clause, segment, cue, man)?,
        _ => return None,
    };
    let truth = unanimous(readings)?;
    Some(Draft {
        kind,
        span: segment.span.clone(),
        truth,
    })
}

/// "just takes it", "simply takes on f8": what stands before it acts.
fn takes(segment: &Segment<'_>, cue: Found) -> bool {
    (cue.at..cue.at + cue.len).any(|at| matches!(segment.word(at), "take" | "takes" | "win" | "wins" | "picks"))
}

/// "keeps watch over d4" is said of squares as well as of men.
fn watches(segment: &Segment<'_>, cue: Found) -> bool {
    cue.cue == Watch || segment.word(cue.at) == "watch"
}

/// "d3 holds a pawn", "we see a knight on e2": where men stand, not what they watch.
fn stands_on(segment: &Segment<'_>, cue: Found, man: &Mention, square: &Mention) -> bool {
    let seen = segment.word(cue.at).starts_with("hold") || segment.word(cue.at).starts_with("se");
    let some = matches!(&man.arg, Arg::Np(np, _) if np.det == Det::Indefinite);
    // "From its post on g3, the queen bears down on the pawn".
    if square.at < man.at && square.at < cue.at && matches!(square.prep, Some(Prep::On | Prep::At | Prep::From)) {
        return true;
    }
    some || seen && !(man.at < cue.at && cue.at < square.at)
}

/// The verdict of all readings, where they agree.
fn unanimous(readings: Vec<Truth>) -> Option<Truth> {
    let yes = readings.iter().all(Truth::holds);
    let no = readings.iter().all(Truth::fails);
    (yes || no).then(|| readings.into_iter().next()).flatten()
}

/// One man on another: both ways, unless the words say who acts.
fn pair(
    clause: &Clause<'_>,
    segment: &Segment<'_>,
    cue: Found,
    first: &Mention,
    second: &Mention,
) -> Option<(ClaimKind, Vec<Truth>)> {
    // An attack on a man of one's own is a reading gone wrong.
    let same = same_side(clause, first, second);
    if same == Some(true) && matches!(cue.cue, Attack | Look) || same == Some(false) && cue.cue == Defend {
        return None;
    }
    let bond = match cue.cue {
        // What is aimed at may stand behind others.
        Attack if segment.word(cue.at).starts_with("target") => Bond::Look,
        Attack => Bond::Attack,
        Look => Bond::Look,
        Defend => Bond::Defend,
        _ if same? => Bond::Defend,
        _ => Bond::Look,
    };
    let kind = if bond == Bond::Defend {
        ClaimKind::Defence
    } else {
        ClaimKind::Attack
    };
    let ask = |by: &Mention, on: &Mention| {
        let by = std::slice::from_ref(&by.arg);
        clause.ask(|v| {
            let truth = one(clause, bond, by, &on.arg, v);
            if !clause.negated && segment.says(ONLY_ONE) {
                return no_other(clause, bond, by, &on.arg, v, truth);
            }
            exclusive(clause, bond, by, &on.arg, v, truth)
        })
    };
    let readings = match acts_first(segment, cue, first, second) {
        Some(true) => vec![ask(first, second)],
        Some(false) => vec![ask(second, first)],
        None => vec![ask(first, second), ask(second, first)],
    };
    Some((kind, readings))
}

/// True where both mentions are of one side.
fn same_side(clause: &Clause<'_>, first: &Mention, second: &Mention) -> Option<bool> {
    let one = clause.color_of(std::slice::from_ref(&first.arg))?;
    let other = clause.color_of(std::slice::from_ref(&second.arg))?;
    Some(one == other)
}

/// Is the first of two men the one that acts? By prepositions, by the cue's place and form.
fn acts_first(segment: &Segment<'_>, cue: Found, first: &Mention, second: &Mention) -> Option<bool> {
    // "the attack of the rook on the pawn", "in the sights of the bishop", "with the help of the king".
    let whose = |m: &Mention| {
        m.prep == Some(Prep::Of)
            && m.at > 1
            && matches!(
                segment.word(m.at - 2),
                "attack"
                    | "attacks"
                    | "fire"
                    | "sights"
                    | "reach"
                    | "range"
                    | "scope"
                    | "targets"
                    | "target"
                    | "help"
                    | "crosshairs"
            )
            || m.prep == Some(Prep::Of) && m.at > 3 && {
                let noun = matches!(
                    segment.word(m.at - 2),
                    "protection" | "support" | "care" | "guard" | "hands" | "cover"
                );
                let had = |word: &str| {
                    matches!(
                        word,
                        "under" | "in" | "enjoys" | "has" | "have" | "lost" | "lacks" | "on" | "with" | "without"
                    )
                };
                noun && (had(segment.word(m.at - 3)) || had(segment.word(m.at - 4)))
            }
    };
    let agent = |m: &Mention| matches!(m.prep, Some(Prep::By | Prep::From | Prep::Via | Prep::With)) || whose(m);
    let patient = |m: &Mention| {
        m.at > cue.at
            && matches!(
                m.prep,
                Some(Prep::On | Prep::Against | Prep::At | Prep::Over | Prep::Of | Prep::To)
            )
    };
    // "lined up on the h-file, with the knight as their target": the knight suffers.
    let aim = segment.word(cue.at).starts_with("target")
        && second.prep == Some(Prep::With)
        && segment.word(second.end) == "as";
    if aim {
        return Some(true);
    }
    match (agent(first), agent(second)) {
        (true, false) => return Some(true),
        (false, true) => return Some(false),
        _ => {}
    }
    let between = first.at < cue.at && cue.at < second.at;
    // "gives the pawn no protection", "leaves it in the lurch": the first acts on the second.
    let behind = second.at < cue.at;
    if behind && segment.says(&["leave*", "left"]) {
        return Some(true);
    }
    // "has the pawn in its sights", "keeps the pawn under fire".
    if behind && segment.says(&["has", "have", "having", "keep*", "got", "gets"]) {
        return Some(true);
    }
    if behind && (segment.says(GIVING) || matches!(segment.word(cue.at), "lurch" | "off")) {
        return Some(true);
    }
    if cue.shape == Suffers {
        // "The bishop was the one that looked after it".
        let active = matches!(segment.word(cue.at), "looked" | "cared")
            && matches!(segment.word(cue.at.wrapping_sub(1)), "that" | "which" | "who");
        if active {
            return between.then_some(true);
        }
        return between.then_some(false);
    }
    if patient(second) && between {
        return Some(true);
    }
    match (patient(first), patient(second)) {
        (true, false) => return Some(false),
        (false, true) => return Some(true),
        _ => {}
    }
    (between && !passive(segment, cue)).then_some(true)
}

/// What denies there protection beside a cue that does so, too: "loose, without a single defender".
fn unsupported(segment: &Segment<'_>, cue: Found) -> bool {
    let needs = |at: usize| NEEDS.iter().any(|need| segment.matches(at, need).is_some());
    (cue.at + cue.len..segment.tokens.len()).any(|at| {
        let without = matches!(
            segment.word(at),
            "no" | "without" | "lacks" | "lacking" | "nobody" | "nothing"
        );
        without && (at + 1..at + 4).any(needs)
    })
}

/// The cue is a participle with a form of "to be" or "by".
fn passive(segment: &Segment<'_>, cue: Found) -> bool {
    let word = segment.word(cue.at);
    let participle = word.ends_with("ed") || matches!(word, "hit" | "held");
    let be = (1..=3).any(|back| {
        cue.at.checked_sub(back).is_some_and(|at| {
            matches!(
                segment.word(at),
                "is" | "are"
                    | "was"
                    | "were"
                    | "be"
                    | "been"
                    | "being"
                    | "gets"
                    | "stays"
                    | "remains"
                    | "stands"
                    | "itself"
            )
        })
    });
    participle && (be || segment.says(&["by"]))
}

/// "has an eye on the pawn": a side looks at an enemy, or after a man of its own.
fn watched(clause: &Clause<'_>, segment: &Segment<'_>, man: &Mention) -> Option<(ClaimKind, Vec<Truth>)> {
    let [(side, _)] = segment.sides.as_slice() else {
        return None;
    };
    let own = clause.color_of(std::slice::from_ref(&man.arg))? == *side;
    let whole = Arg::Np(
        Np {
            owner: Some(Owner::Side(*side)),
            ..Np::of(Head::Side)
        },
        segment.span.clone(),
    );
    let (kind, bond) = if own {
        (ClaimKind::Defence, Bond::Defend)
    } else {
        (ClaimKind::Attack, Bond::Look)
    };
    let after = man.at > 0 && !segment.says(&["under"]);
    after.then(|| {
        (
            kind,
            vec![clause.ask(|v| one(clause, bond, std::slice::from_ref(&whole), &man.arg, v))],
        )
    })
}

/// One man only: what is done to it by anybody, or by the move.
fn alone(clause: &Clause<'_>, segment: &Segment<'_>, cue: Found, man: &Mention) -> Option<(ClaimKind, Vec<Truth>)> {
    let bond = if cue.cue == Defend { Bond::Defend } else { Bond::Attack };
    if cue.cue == Watch {
        return watched(clause, segment, man);
    }
    let by_anyone = || clause.ask(|v: &View| bare_passive(clause, bond, &man.arg, v, None));
    let by_move = || {
        let bond = if cue.cue == Look { Bond::Look } else { bond };
        clause.ask(|v| one(clause, bond, &[Arg::Played], &man.arg, v))
    };
    let led = matches!(
        segment.opener,
        Some(Opener::After | Opener::When | Opener::If | Opener::Then)
    );
    let word = segment.word(cue.at);
    let participle = word.ends_with("ed") || word == "hit" || word == "held";
    let before = man.at < cue.at;
    let suffers = cue.shape == Suffers
        || before && participle
        || before && cue.cue == Defend && segment.says(&["nobody", "no one", "nothing"])
        || before && cue.cue == Defend && segment.says(NEEDS) && !segment.says(&["is a", "is the", "as a", "of"])
        || before && segment.says(&["no attack", "an attack", "under no", "lacks"]);
    let reached = !before
        && (matches!(
            man.prep,
            Some(Prep::On | Prep::Against | Prep::Of | Prep::For | Prep::To | Prep::At | Prep::Over | Prep::Up)
        ) || man.at <= cue.at + cue.len + 3 && man.prep.is_none());
    if !(suffers || reached) {
        return None;
    }
    // "The knight's protection", "a defender of the king": whose it is matters little.
    let kind = if cue.cue == Defend {
        ClaimKind::Defence
    } else {
        ClaimKind::Attack
    };
    let king = matches!(&man.arg, Arg::Np(np, _) if np.head == Head::Role(shakmaty::Role::King));
    if king {
        return None;
    }
    let own_side = segment.sides.iter().map(|&(side, _)| side).collect::<Vec<Color>>();
    let color = clause.color_of(std::slice::from_ref(&man.arg));
    // "White covers the black pawn": who acts is of the wrong side for it, or only spoken of.
    if cue.cue == Defend && own_side.iter().any(|side| color.is_some_and(|c| c != *side)) {
        return None;
    }
    // "could have played Bc6, going after the queen": the move before does it.
    let trails = cue.at == 0 && segment.word(0).ends_with("ing") && segment.line.len() == 1;
    let acting_move = !segment.moves.is_empty() && !led || trails;
    let given = segment.says(GIVING);
    let readings = match (acting_move, !given && (suffers || clause.negated)) {
        (true, true) => vec![by_move(), by_anyone()],
        (true, false) => vec![by_move()],
        (false, _) => vec![by_anyone()],
    };
    Some((kind, readings))
}
