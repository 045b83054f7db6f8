//! Mate threats, captures, exchanges and what stands where, by their cue words, where the grammar finds no claim:
//! "Black must parry the mate threat", "off come the knights with Bg3", "f6: an empty square".

use shakmaty::{Color, Position, Role};

use super::{
    contact_cues, placement_cues,
    segment::{Mention, Segment, clause_in, frame_about, frame_of, square_of, views},
};
use crate::commentary::claims::{
    ClaimKind,
    board::{
        Clause, View, World,
        deeds::to_move,
        men::{the, the_up},
    },
    draft::Draft,
    families::{
        checks::threatens_mate,
        exchanges::{exchanged, offered},
    },
    grammar::{Act, Arg, Det, Frame, Head, Np, Opener, Prep, lexicon},
    truth::{self, Truth},
};

/// What cue words say of deeds, where nothing else has been found in the segment.
pub fn claims(world: &World<'_>, segments: &[Segment<'_>], frames: &[Frame], found: &mut Vec<Draft>) {
    for (number, segment) in segments.iter().enumerate() {
        let waits = number.checked_sub(1).is_some_and(|i| segments[i].says(WAITING));
        let frame = frame_of(frames, segment);
        if !waits && frame.is_some_and(|f| f.context.vague && f.context.runs.is_empty()) {
            continue;
        }
        let base = frame_about(frame, segment, Act::Be, Vec::new());
        let clause = clause_in(world, &base, views(world, frame, segment), false);
        if clause.views.is_empty() {
            continue;
        }
        if let Some(truth) = mate_threat(&clause, segment, waits) {
            // What the grammar made of "mate" there is the same claim.
            found.retain(|d| !(matches!(d.kind, ClaimKind::Mate | ClaimKind::Threat) && overlaps(d, segment)));
            found.push(draft(ClaimKind::Threat, segment, truth));
            continue;
        }
        for (kind, read) in [
            (
                ClaimKind::Trade,
                trade as fn(&Clause<'_>, &Segment<'_>) -> Option<Truth>,
            ),
            (ClaimKind::Capture, capture),
            (ClaimKind::Placement, placement_cues::stands),
        ] {
            let known = found.iter().any(|d| {
                let named = segment
                    .mentions
                    .iter()
                    .any(|m| matches!(&m.arg, Arg::Np(_, span) if *span == d.span));
                d.kind == kind && !named && !matches!(d.truth, Truth::Unknown(_)) && overlaps(d, segment)
            });
            // "has f3 under control": no man stands there for that.
            let other = kind == ClaimKind::Placement && contact_cues::speaks(segment);
            // "takes a queen", "swaps the pawn for a knight": the piece that a pawn turns into.
            let other = other
                || kind != ClaimKind::Placement
                    && found.iter().any(|d| {
                        d.kind == ClaimKind::Promotion && !matches!(d.truth, Truth::Unknown(_)) && overlaps(d, segment)
                    });
            if !known
                && !other
                && let Some(truth) = read(&clause, segment)
            {
                found.push(draft(kind, segment, truth));
                break;
            }
        }
    }
}

fn overlaps(draft: &Draft, segment: &Segment<'_>) -> bool {
    draft.span.start < segment.span.end && segment.span.start < draft.span.end
}

fn draft(kind: ClaimKind, segment: &Segment<'_>, truth: Truth) -> Draft {
    Draft {
        kind,
        span: segment.span.clone(),
        truth,
    }
}

/// Words of the one who has to do something about a threat.
const VICTIM: &[&str] = &[
    "fac*",
    "parry",
    "parries",
    "parrying",
    "deal with",
    "dealing with",
    "threatened with",
    "under threat",
    "stop",
    "watch out",
    "fear",
    "against",
    "beware",
    "prevent*",
    "avert*",
    "meet",
    "cope",
    "ward",
    "guard against",
    "defend against",
    "reckon",
    "worry",
    "worried",
    "mind",
    "looming for",
    "looms for",
    "for white",
    "for black",
    "exposed",
    "avoid",
    "confronted",
    "address",
    "answer",
    "respond",
];

/// The other side lets it happen.
const WAITING: &[&str] = &[
    "another move",
    "one more move",
    "a free move",
    "does nothing",
    "do nothing",
    "nothing is done",
    "passes",
    "waits",
    "a second move",
    "left alone",
    "left undisturbed",
    "two moves in a row",
];

/// "carries a mating threat", "has to deal with a threat of mate", "is about to give mate".
fn mate_threat(clause: &Clause<'_>, segment: &Segment<'_>, waits: bool) -> Option<Truth> {
    let mate = segment.says(&[
        "mate",
        "mates",
        "mating",
        "checkmate",
        "checkmates",
        "checkmating",
        "mated",
        "checkmated",
    ]);
    let threat = segment.says(&[
        "threat*",
        "parry",
        "parries",
        "watch out",
        "fear",
        "about to",
        "beware",
        "reckon",
    ]) || segment.says(&["has to", "have to", "must", "needs to", "need to"]) && segment.says(VICTIM);
    let threat = threat || waits || segment.says(&["next move", "sleeve", "in the air"]);
    let longer = segment.says(&[
        "mate in two",
        "mate in three",
        "mate in four",
        "mate in five",
        "mate in 2",
        "mate in 3",
        "mate in 4",
        "forced",
        "forces",
        "inevitable",
        "allow*",
        "if",
        "back",
        "back-rank",
        "rank",
        "smothered",
    ]);
    if !mate || !threat || longer || segment.mentions.iter().any(|m| !m.square) {
        return None;
    }
    let led = matches!(segment.opener, Some(Opener::If | Opener::Unless | Opener::Before));
    if led {
        return None;
    }
    let named = segment.sides.first().map(|&(side, _)| side);
    let victim = segment.says(VICTIM);
    let side = match named {
        Some(side) if victim => Some(side.other()),
        Some(side) => Some(side),
        // Two sides are too many to tell.
        None => None,
    };
    // "must parry the mate that White threatens".
    if segment.sides.iter().any(|&(s, _)| Some(s) != named) && !victim {
        return None;
    }
    let clause = negated(clause, segment.negative());
    let truth = clause.ask(|view| threatens_mate(&clause, view, side));
    Some(truth)
}

/// The same clause, denied or not.
fn negated<'a>(clause: &Clause<'a>, negated: bool) -> Clause<'a> {
    clause_in(clause.world, clause.frame, clause.views.clone(), negated)
}

/// Roles that are named among the words.
fn roles(segment: &Segment<'_>) -> Vec<Role> {
    let mut found: Vec<Role> = (0..segment.tokens.len())
        .filter_map(|at| lexicon::role(segment.word(at)))
        .map(|(role, _)| role)
        .collect();
    found.dedup();
    found
}

/// "goes for a rook trade", "a pair of bishops comes off", "off come the knights".
fn trade(clause: &Clause<'_>, segment: &Segment<'_>) -> Option<Truth> {
    let trades = segment.says(&["trade*", "trading", "swap*", "exchang*"]);
    let leaves = segment.says(&[
        "come* off",
        "off come*",
        "came off",
        "off the board",
        "leave* the board",
        "off",
    ]) && segment.says(&["pair of", "queens", "rooks", "bishops", "knights", "pawns"]);
    let roles = roles(segment);
    let [role] = roles.as_slice() else { return None };
    let supposed = segment.says(&[
        "if", "would", "could", "might", "should", "hope*", "hoping", "after", "before",
    ]) && segment.moves.is_empty();
    // "exchanges on b1 with an attack on the queen".
    let there = segment.says(&["exchanges on", "trades on", "swaps on", "exchanging on", "trading on"]);
    if !(trades || leaves) || supposed || there || segment.says(&["the exchange", "exchange sac*"]) {
        return None;
    }
    let objects = [Arg::Np(
        Np {
            plural: true,
            det: Det::Bare,
            ..Np::of(Head::Role(*role))
        },
        segment.span.clone(),
    )];
    let offers = segment.says(&[
        "offer*",
        "propos*",
        "invit*",
        "suggest*",
        "ready",
        "want*",
        "challeng*",
        "question",
        "seek*",
        "happy",
        "willing",
        "allow*",
        "possible",
        "can",
        "plan*",
        "intend*",
        "looks for",
        "looking",
        "hint*",
        "ask*",
    ]);
    let keeps = segment.says(&["keep*"]) && segment.says(&["on the board", "on"]);
    let no = segment.denied() != keeps;
    let ask = |by_offer: bool| {
        clause.ask(|view| {
            if by_offer {
                offered(clause, view, &objects, &[])
            } else {
                exchanged(clause, view, &objects, &[])
            }
        })
    };
    let truth = match (offers, no) {
        (true, _) => truth::any([ask(true), ask(false)]),
        (false, true) => ask(false),
        (false, false) => truth::any([ask(false), ask(true)]),
    };
    Some(truth.negated(no))
}

/// Verbs and nouns of taking.
const TAKING: &[&str] = &[
    "captur*",
    "take",
    "takes",
    "took",
    "taken",
    "taking",
    "grab*",
    "eat",
    "eats",
    "eaten",
    "ate",
    "eating",
    "pick* off",
    "pick* up",
    "picking off",
    "picking up",
    "snap*",
    "gobbl*",
    "chop*",
    "wip* out",
    "does away",
    "doing away",
    "gets rid",
    "get rid",
    "remov*",
    "eliminat*",
    "leaves the board",
    "from the board",
    "off the board",
    "disappear*",
    "falls",
    "fell",
    "victim",
    "reliev*",
    "help* himself",
    "devour*",
    "munch*",
    "swallow*",
    "scoop*",
    "liquidat*",
    "polish* off",
    "bite* off",
    "dispatch*",
    "off come*",
    "off goes",
    "is gone",
    "are gone",
];

/// "does away with the bishop", "involves a capture"; or whether a man may take another.
fn capture(clause: &Clause<'_>, segment: &Segment<'_>) -> Option<Truth> {
    let aside = segment.says(&[
        "control",
        "care",
        "aim",
        "advantage",
        "place",
        "charge",
        "part",
        "initiative",
        "passant",
        "back",
        "recaptur*",
        "retak*",
        "under",
        "over",
        "out of",
        "for free",
        "for nothing",
        "free of charge",
        "threat*",
        "trade*",
        "swap*",
        "exchang*",
        "file",
        "rank",
        "to the end",
        "away from",
    ]);
    if aside || !segment.says(TAKING) {
        return None;
    }
    let men = segment.men();
    let able = segment.says(&[
        "can",
        "may",
        "able",
        "unable",
        "possible",
        "impossible",
        "option",
        "chance",
        "way",
        "opportunity",
        "could",
        "cannot",
        "possibility",
        "entitled",
        "position to",
    ]);
    if let ([first, second], true) = (men.as_slice(), able) {
        return could_take(clause, segment, first, second);
    }
    if able && segment.moves.is_empty() || men.len() > 1 {
        return None;
    }
    let supposed = segment.says(&[
        "would",
        "should",
        "might",
        "want*",
        "hope*",
        "plan*",
        "if",
        "unless",
        "will",
        "must",
        "has to",
        "need*",
        "threat*",
        "to take",
        "to capture",
        "before",
        "after",
        "had",
    ]) && segment.moves.is_empty();
    let led = matches!(segment.opener, Some(Opener::If | Opener::Unless | Opener::Before));
    if supposed || led {
        return None;
    }
    let mover = clause.views.first().map(View::mover);
    let other_side = segment.sides.iter().any(|&(side, _)| Some(side) != mover);
    // Somebody else's deed, or a move that stands beside it only.
    let falls = segment.says(&[
        "disappear*",
        "falls",
        "fell",
        "gone",
        "leaves the board",
        "off come*",
        "comes off",
        "victim",
        "vanish*",
    ]);
    let located = falls && (!segment.line.is_empty() || segment.mentions.iter().any(|m| m.square));
    if segment.moves.is_empty() && !located && (segment.sides.is_empty() || other_side) {
        return None;
    }
    let no = segment.negative() != segment.says(&["leaves alone"]);
    let declined = segment.says(&[
        "declin*",
        "refus*",
        "chose not",
        "chooses not",
        "could have",
        "missed",
        "instead",
    ]);
    if declined {
        return None;
    }
    let roles = roles(segment);
    let wanted: Option<Role> = match roles.as_slice() {
        [] => None,
        [role] => Some(*role),
        _ => return None,
    };
    // "grabs space": nothing that stands on the board is named.
    let something = segment.says(&[
        "captur*",
        "something",
        "anything",
        "nothing",
        "man",
        "piece",
        "takes on",
        "taking on",
    ]);
    if wanted.is_none() && !something {
        return None;
    }
    let square = segment
        .mentions
        .iter()
        .find(|m| m.square)
        .and_then(|m| square_of(&m.arg));
    let truth = clause.ask_deed(|view| {
        let Some((before, m)) = &view.deed else {
            return Truth::unknown("No move is spoken of.");
        };
        let san = shakmaty::san::San::from_move(before, *m).to_string();
        let taken = view.taken();
        let own = !falls && view.moved_from().is_some_and(|man| wanted == Some(man.role));
        match taken {
            // "Picks up a piece": won in the end.
            None if segment.says(GAINS) => Truth::unknown("It may be won in the end."),
            // "Bb4+ was better, but there the bishop on a5 falls": in the end.
            None if falls && segment.moves.is_empty() && !segment.line.is_empty() => {
                Truth::unknown("It may fall in that line.")
            }
            None => Truth::no(format!("{san} captures nothing.")),
            Some(man) if wanted.is_some_and(|role| role != man.role) && own => {
                Truth::unknown("The words may mean the piece that moves.")
            }
            Some(man) => {
                let fits = wanted.is_none_or(|role| role == man.role)
                    && square.is_none_or(|sq| sq == man.square || sq == m.to());
                let why = format!("{san} takes {}.", the(man));
                Truth::of(fits, || why.clone(), || why.clone())
            }
        }
    });
    Some(truth.negated(no))
}

/// Words for what is won now or later.
const GAINS: &[&str] = &[
    "pick* up a",
    "picking up a",
    "collect* a",
    "pocket* a",
    "net* a",
    "bag* a",
    "gain* a",
    "win* a",
    "pick* up the exchange",
    "win* the exchange",
];

/// Whether one man may take another: the one that the words say, or either where they don't.
fn could_take(clause: &Clause<'_>, segment: &Segment<'_>, first: &Mention, second: &Mention) -> Option<Truth> {
    if !segment.moves.is_empty() {
        return None;
    }
    let agent = |m: &Mention| matches!(m.prep, Some(Prep::By | Prep::With | Prep::For));
    let ask = |by: &Mention, on: &Mention| clause.ask(|view| takes(clause, view, by, on));
    let readings = match (agent(first), agent(second)) {
        (true, false) => vec![ask(first, second)],
        (false, true) => vec![ask(second, first)],
        _ => vec![ask(first, second), ask(second, first)],
    };
    let clear = readings.iter().all(Truth::holds) || readings.iter().all(Truth::fails);
    let no = segment.denied() != segment.says(&["no way"]) || segment.says(&["no way"]);
    clear
        .then(|| readings.into_iter().next())
        .flatten()
        .map(|t| t.negated(no))
}

fn takes(clause: &Clause<'_>, view: &View, by: &Mention, on: &Mention) -> Truth {
    let takers = clause.men(&by.arg, view);
    let targets = clause.men(&on.arg, view);
    if takers.men.is_empty() || targets.men.is_empty() {
        return Truth::unknown("There is no such piece.");
    }
    let side: Color = takers.men[0].color;
    let Some(pos) = to_move(view, side) else {
        return Truth::unknown("It is not that side's turn.");
    };
    let found = pos.legal_moves().into_iter().any(|m| {
        m.is_capture()
            && takers.men.iter().any(|t| m.from() == Some(t.square))
            && targets.men.iter().any(|t| t.square == m.to())
    });
    Truth::of(
        found,
        || format!("{} can take {}.", the_up(takers.men[0]), the(targets.men[0])),
        || format!("{} can't take {}.", the_up(takers.men[0]), the(targets.men[0])),
    )
}
