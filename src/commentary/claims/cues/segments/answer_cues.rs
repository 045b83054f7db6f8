//! What a side can do on its turn, by cue words: whether a check can be blocked, which legal moves there are, where a king has
//! to go, whether two rooks see each other.

use shakmaty::{Chess, Color, Move, Position, Role, Square, san::San};

use super::segment::{Mention, Segment, clause_in, frame_about, frame_of, views};
use crate::chess::Man;
use crate::commentary::claims::{
    ClaimKind,
    board::{Clause, View, World, men},
    draft::Draft,
    grammar::{Act, Arg, Det, Frame, Head, MoveWord, Prep},
    truth::{self, Truth},
};

/// Words that say what could be, not what can be.
const UNREAL: &[&str] = &[
    "could have",
    "would have",
    "might have",
    "should have",
    "if",
    "unless",
    "help*",
    "soon",
    "nearly",
    "almost",
    "prepar*",
    "plan*",
    "want*",
    "wish*",
    "hope*",
    "closer",
    "ready",
    "about to",
    "next",
    "later",
    "eventually",
];

type Reader = fn(&Clause<'_>, &Segment<'_>) -> Option<Truth>;

/// Each kind of claim with its reader.
const READERS: &[(ClaimKind, Reader)] = &[
    (ClaimKind::Legality, blocks),
    (ClaimKind::Legality, must_go),
    (ClaimKind::Defence, rooks_connected),
];

/// What cue words say of a side's possibilities.
pub fn claims(world: &World<'_>, segments: &[Segment<'_>], frames: &[Frame], found: &mut Vec<Draft>) {
    for (number, segment) in segments.iter().enumerate() {
        let frame = frame_of(frames, segment);
        if segment.says(UNREAL) || frame.is_some_and(|f| f.context.vague && f.context.runs.is_empty()) {
            continue;
        }
        // "The only legal answer, Kg8, …".
        let next = segments.get(number + 1).filter(|_| segment.moves.is_empty());
        let named = next.map_or(&segment.moves, |next| &next.moves);
        let only = only_legal(world, segment, named).map(|truth| (ClaimKind::Legality, truth));
        let base = frame_about(frame, segment, Act::Be, Vec::new());
        let clause = clause_in(world, &base, views(world, frame, segment), false);
        let read = READERS.iter().filter(|_| !clause.views.is_empty());
        let read = read.filter_map(|(kind, read)| Some((*kind, read(&clause, segment)?)));
        for (kind, truth) in only.into_iter().chain(read) {
            // "can interpose on c8": no man stands there for that.
            let stands = |d: &Draft| d.kind == ClaimKind::Placement && d.span == segment.span;
            found.retain(|d| kind != ClaimKind::Legality || !stands(d));
            let span = segment.span.clone();
            found.push(Draft { kind, span, truth });
        }
    }
}

/// The men that a mention may mean, of one side.
fn men_of(clause: &Clause<'_>, mention: &Mention, view: &View, side: Color) -> Vec<Man> {
    let all = match &mention.arg {
        Arg::Any(all) => all.clone(),
        one => vec![one.clone()],
    };
    all.iter()
        .filter_map(Arg::np)
        .flat_map(|np| men::of_np(np, view, None, clause.world).men)
        .filter(|man| man.color == side)
        .collect()
}

fn from_one_of(men: &[Man], m: Move) -> bool {
    m.from().is_some_and(|from| men.iter().any(|man| man.square == from))
}

/// The check is met by what comes between.
fn is_block(pos: &Chess, m: Move) -> bool {
    pos.is_check() && m.role() != Role::King && !m.is_en_passant() && !pos.checkers().contains(m.to())
}

/// "No piece can block the check", "White's queen is too far away to interpose".
fn blocks(clause: &Clause<'_>, segment: &Segment<'_>) -> Option<Truth> {
    let interposes = segment.says(&[
        "interpos*",
        "block the check",
        "block that check",
        "block this check",
        "blocking the check",
        "check be blocked",
        "in the way of that check",
        "in the way of the check",
    ]);
    let checked = |view: &&View| view.pos.is_check();
    if !segment.moves.is_empty() || !interposes && !segment.says(&["block", "blocked", "in the way", "come between"]) {
        return None;
    }
    let able = segment.says(&[
        "can",
        "able",
        "unable",
        "way",
        "nothing",
        "no",
        "chance",
        "too",
        "possible",
        "impossible",
    ]);
    let view = clause.views.iter().find(checked)?;
    let side = view.pos.turn();
    let other_square = segment.mentions.iter().filter(|m| m.square).count() > 1;
    // "can't block the diagonal", "blocks the pawn": of something else than the check.
    let object = (0..segment.tokens.len()).find(|&at| segment.word(at).starts_with("block"));
    let object = object.is_some_and(|at| {
        let next = segment.word(at + 1);
        !interposes && matches!(next, "the" | "his" | "her" | "its" | "a" | "out")
    });
    if !able || object || other_square || segment.sides.iter().any(|&(named, _)| named != side) {
        return None;
    }
    // "The king has no square and the rook can interpose": what is denied before is something else.
    let cue = ["interpos", "block", "way", "between"];
    let at = (0..segment.tokens.len()).rposition(|at| cue.iter().any(|stem| segment.word(at).starts_with(stem)))?;
    let joins = |at: &usize| matches!(segment.word(*at), "and" | "but");
    let own = segment.from((0..at).rev().find(joins).map_or(0, |at| at + 1));
    let denied = own.denied() != own.says(&["too far", "too late", "too slow"]);
    // "No piece", "nothing": any man.
    let any =
        |m: &&Mention| !matches!(&m.arg, Arg::Np(np, _) if np.head == Head::Piece || np.head == Head::Role(Role::King));
    let named: Vec<&Mention> = own.mentions.iter().filter(|m| !m.square).filter(any).collect();
    let sole = named.iter().any(|m| matches!(&m.arg, Arg::Np(np, _) if np.sole));
    let goal: Option<Square> = segment
        .mentions
        .iter()
        .find(|m| m.square && matches!(m.prep, Some(Prep::On | Prep::At)))
        .and_then(|m| m.arg.np()?.squares.first().copied());
    let truth = truth::any(clause.views.iter().filter(checked).map(|view| {
        let fits = |m: Move| {
            named.iter().all(|mention| {
                let men = men_of(clause, mention, view, side);
                men.is_empty() || from_one_of(&men, m)
            })
        };
        let blocks = view.pos.legal_moves().into_iter();
        let blocks: Vec<Move> = blocks
            .filter(|&m| is_block(&view.pos, m) && goal.is_none_or(|goal| m.to() == goal))
            .collect();
        let other = blocks.iter().find(|&&m| !fits(m)).filter(|_| sole && !denied);
        match (blocks.iter().find(|&&m| fits(m)), other) {
            (Some(_), Some(&m)) => Truth::no(format!("{} blocks the check, too.", San::from_move(&view.pos, m))),
            (Some(&m), None) => Truth::yes(format!("{} blocks the check.", San::from_move(&view.pos, m))),
            (None, _) => Truth::no("Nothing of the kind can block the check."),
        }
    }));
    Some(truth.negated(denied))
}

/// "White's only legal move is Kb7", "The only other legal answer, Kg8, …".
fn only_legal(world: &World<'_>, segment: &Segment<'_>, named: &[MoveWord]) -> Option<Truth> {
    let at = (1..segment.tokens.len()).find(|&at| segment.word(at) == "legal")?;
    let only = |word: &str| matches!(word, "only" | "sole" | "one" | "single");
    let other = segment.word(at - 1) == "other";
    let before = at.checked_sub(1 + usize::from(other)).map_or("", |at| segment.word(at));
    let noun = matches!(
        segment.word(at + 1),
        "move" | "answer" | "reply" | "response" | "option" | "way" | "defence" | "defense" | "try"
    );
    // "one of the legal moves".
    if !only(before) || !noun || segment.says(&["not"]) {
        return None;
    }
    let side = segment.sides.first().map(|&(side, _)| side);
    let starts = [world.after(), world.before()];
    let starts = starts
        .into_iter()
        .filter(|start| side.is_none_or(|side| side == start.pos.turn()));
    let readings: Vec<Truth> = starts
        .filter_map(|start| {
            match named {
                [word] => {
                    let led = world.follow_from(std::slice::from_ref(&start), std::slice::from_ref(word));
                    led.views.first()?;
                }
                [] => side.map(|_| ())?,
                _ => return None,
            }
            let n = start.pos.legal_moves().len();
            let why = format!("There are {n} legal moves.");
            Some(Truth::of(n == 1 + usize::from(other), || why.clone(), || why.clone()))
        })
        .collect();
    (!readings.is_empty()).then(|| truth::any(readings))
}

/// "The king has to go back to g1", "is forced to step to e7", "White has to move the king": nothing else can be played, or it
/// is what the engine would play.
fn must_go(clause: &Clause<'_>, segment: &Segment<'_>) -> Option<Truth> {
    let must = segment.says(&[
        "has to",
        "have to",
        "must",
        "is forced to",
        "forced to",
        "obliged to",
        "compelled to",
    ]);
    let goes = segment.says(&[
        "go",
        "step",
        "move",
        "run",
        "retreat",
        "walk",
        "come",
        "return",
        "head",
        "step aside",
    ]);
    if !must || !goes || !segment.moves.is_empty() || segment.negative() {
        return None;
    }
    let world = clause.world;
    let aside = segment.says(&[
        "step aside",
        "move the king",
        "move his king",
        "move her king",
        "move its king",
    ]);
    let men: Vec<&Mention> = segment.mentions.iter().filter(|m| !m.square).collect();
    let goal: Vec<Square> = segment
        .mentions
        .iter()
        .filter(|m| m.square && m.prep == Some(Prep::To))
        .filter_map(|m| m.arg.np()?.squares.first().copied())
        .collect();
    let king = |m: &&Mention| matches!(&m.arg, Arg::Np(np, _) if np.head == Head::Role(Role::King));
    let bare = aside
        || men.len() == 1 && men.iter().all(king) && goal.is_empty() && segment.says(&["has to move", "must move"]);
    let plain =
        |m: &&Mention| matches!(&m.arg, Arg::Np(np, _) if np.det != Det::Indefinite) || matches!(m.arg, Arg::Any(_));
    if !bare && (goal.len() != 1 || men.len() != 1 || !men.iter().all(plain)) {
        return None;
    }
    // Of the position on the board alone: a line's other moves are for an engine to judge.
    let view = clause.views.iter().find(|view| view.pos == world.after().pos)?;
    let side = view.pos.turn();
    if segment.sides.iter().any(|&(named, _)| named != side) {
        return None;
    }
    let does = |m: Move| {
        if bare {
            return m.role() == Role::King;
        }
        let fits = men
            .iter()
            .all(|mention| from_one_of(&men_of(clause, mention, view, side), m));
        fits && goal.contains(&crate::chess::destination(m))
    };
    let moves = view.pos.legal_moves();
    let (fitting, rest): (Vec<Move>, Vec<Move>) = moves.into_iter().partition(|&m| does(m));
    let (Some(_), Some(other)) = (fitting.first(), rest.first()) else {
        return match fitting.first() {
            Some(_) => Some(Truth::yes("Nothing else can be played.")),
            None if men.iter().all(|m| men_of(clause, m, view, side).is_empty()) && !bare => None,
            None => Some(Truth::no("It can't go there.")),
        };
    };
    let lines = world.sheet.evaluation().map(|e| &e.after);
    let best = lines.and_then(|lines| lines.first()?.moves.first()?.to_move(&view.pos).ok());
    match best {
        Some(best) if does(best) => Some(Truth::unknown("It can do otherwise, but should not.")),
        Some(best) => Some(Truth::no(format!(
            "{} is possible, too.",
            San::from_move(&view.pos, best)
        ))),
        None if view.pos.is_check() && bare => Some(Truth::no(format!(
            "{} is possible, too.",
            San::from_move(&view.pos, *other)
        ))),
        None => None,
    }
}

/// "The rooks on a1 and h1 are now connected", "has connected the rooks".
fn rooks_connected(clause: &Clause<'_>, segment: &Segment<'_>) -> Option<Truth> {
    let said = segment.says(&[
        "are connected",
        "are now connected",
        "connected",
        "connects",
        "connecting",
        "links",
        "linked",
        "linking",
    ]);
    let rooks: Vec<&Mention> = segment
        .mentions
        .iter()
        .filter(|m| matches!(&m.arg, Arg::Np(np, _) if np.head == Head::Role(Role::Rook)))
        .collect();
    let [rooks] = rooks.as_slice() else { return None };
    let men = segment.mentions.iter().filter(|m| !m.square).count();
    let plural = matches!(&rooks.arg, Arg::Np(np, _) if np.plural);
    if !said || !plural || men > 1 || segment.supposed() && segment.moves.is_empty() {
        return None;
    }
    let mover = clause.views.first()?.mover();
    let side = clause
        .color_of(std::slice::from_ref(&rooks.arg))
        .or(segment.sides.first().map(|&(side, _)| side))
        .unwrap_or(mover);
    let truth = truth::any(clause.views.iter().map(|view| {
        let all = men_of(clause, rooks, view, side);
        let [one, two] = all.as_slice() else {
            return Truth::unknown("Which rooks are meant, the words leave open.");
        };
        let sees = view.board().attacks_from(one.square).contains(two.square);
        Truth::of(
            sees,
            || format!("The rooks on {} and {} see each other.", one.square, two.square),
            || format!("Pieces stand between the rooks on {} and {}.", one.square, two.square),
        )
    }));
    Some(truth.negated(segment.negative()))
}
