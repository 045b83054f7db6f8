//! Claims about promotion.

use shakmaty::{Chess, Color, Move, Position, Role, Square, uci::UciMove};

use super::checks::resting;
use crate::commentary::claims::{
    ClaimKind,
    board::{
        Clause, Mode, View, World,
        deeds::{judge, to_move},
    },
    draft::Draft,
    grammar::{Act, Arg, Det, Frame, Head, Item, Np, Prep, Trait, frame, phrase},
    truth::Truth,
};
use crate::{
    chess::names::{color_name, role_name},
    commentary::FactKind,
};

pub fn promote(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    // "one step away from promoting".
    let before = frame.pre.last().map(|p| &p.item);
    if !frame.verb.finite && matches!(before, Some(Item::Prep(Prep::From | Prep::To | Prep::Near | Prep::Of))) {
        return;
    }
    let roles: Vec<Role> = frame
        .behind(&[Prep::To, Prep::Into, Prep::As])
        .iter()
        .filter_map(Arg::np)
        .filter_map(|np| match np.head {
            Head::Role(role) if role != Role::Pawn => Some(role),
            _ => None,
        })
        .collect();
    let squares: Vec<Square> = frame
        .behind(&[Prep::On, Prep::At, Prep::To])
        .iter()
        .filter_map(Arg::np)
        .filter(|np| matches!(np.head, Head::Square { .. }))
        .flat_map(|np| np.squares.clone())
        .collect();
    let side = named_side(clause, &frame.subject).or_else(|| named_side(clause, &frame.objects()));
    let truth = clause.ask_deed(|view| judge(clause, view, side, |pos, m| promotes(pos, m, &roles, &squares)));
    // That a pawn will promote one day is a plan.
    let later = ["later", "soon", "eventually", "one", "someday", "ever"]
        .iter()
        .any(|w| frame.has_word(w));
    let truth = if clause.mode == Mode::Can && later {
        truth.lenient("It may promote later.")
    } else {
        truth
    };
    let truth = if frame.has_word("line") || frame.has_word("play") {
        unless_in_lines(clause.world, truth)
    } else {
        truth
    };
    found.push(clause.draft(ClaimKind::Promotion, resting(clause, truth, FactKind::Promotion)));
}

/// Of what a line brings: that a pawn promotes is left open where one does in a line of the engine's.
pub fn unless_in_lines(world: &World<'_>, truth: Truth) -> Truth {
    let lines = world.sheet.evaluation().into_iter();
    let lines = lines.flat_map(|evaluation| evaluation.before.iter().chain(&evaluation.after));
    let promotes = |uci: &UciMove| matches!(uci, UciMove::Normal { promotion: Some(_), .. });
    if lines.flat_map(|line| &line.moves).any(promotes) {
        truth.lenient("A pawn promotes in the engine's line.")
    } else {
        truth
    }
}

pub fn becomes(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let pawn = frame
        .subject
        .iter()
        .any(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Role(Role::Pawn)));
    let into = frame.behind(&[Prep::Into]);
    let turns = frame.verb.act == Act::Turn;
    let pawn = pawn
        || turns
            && frame
                .objects()
                .iter()
                .any(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Role(Role::Pawn)));
    let roles: Vec<Role> = if turns { into } else { frame.objects() }
        .iter()
        .filter_map(Arg::np)
        .flat_map(|np| match np.head {
            Head::Role(role) if role != Role::Pawn => vec![role],
            Head::Piece if turns => vec![Role::Queen, Role::Rook, Role::Bishop, Role::Knight],
            _ => Vec::new(),
        })
        .collect();
    if !(pawn || new_queen(frame)) || roles.is_empty() {
        return;
    }
    let side = named_side(clause, &frame.subject);
    let truth = clause.ask_deed(|view| judge(clause, view, side, |pos, m| promotes(pos, m, &roles, &[])));
    found.push(clause.draft(ClaimKind::Promotion, resting(clause, truth, FactKind::Promotion)));
}

pub fn promotes(pos: &Chess, m: Move, roles: &[Role], squares: &[Square]) -> Truth {
    let san = shakmaty::san::San::from_move(pos, m).to_string();
    match m.promotion() {
        None => Truth::no(format!("{san} is no promotion.")),
        Some(into) => {
            let fits = (roles.is_empty() || roles.contains(&into)) && (squares.is_empty() || squares.contains(&m.to()));
            Truth::of(
                fits,
                || format!("{san} promotes to a {}.", role_name(into)),
                || format!("{san} promotes to a {}.", role_name(into)),
            )
        }
    }
}

/// Verbs of getting and choosing that tell of the piece a pawn turns into: "takes a queen", "opts for a knight".
const GETS: &[&str] = &[
    "tak", "took", "get", "got", "gain", "pick", "win", "won", "claim", "collect", "grab", "earn", "receiv", "obtain",
    "acquir", "choos", "chose", "select", "opt", "mak", "made", "creat", "produc", "yield", "bring", "brought", "giv",
    "gave", "secur", "net", "bag", "decid", "go", "went", "add", "put", "trad", "exchang", "swap", "settl", "place",
    "convert", "replac",
];

/// Kinds of claims that the same words make where no pawn promotes.
const OTHERWISE: &[ClaimKind] = &[
    ClaimKind::Capture,
    ClaimKind::Material,
    ClaimKind::Trade,
    ClaimKind::Movement,
    ClaimKind::Attack,
    ClaimKind::Development,
];

/// "White takes a queen", "a rook is put on f1" where the move promotes: the piece that it makes, not one that it takes.
/// Without a promotion only words that can mean nothing else are read so: "gets a knight for the pawn". `first` is where the
/// clause's own claims begin.
pub fn made(clause: &Clause<'_>, found: &mut Vec<Draft>, first: usize) {
    let frame = clause.frame;
    // "gets a free knight on d4": it is there to be taken.
    let gets = GETS.iter().any(|stem| frame.verb.word.starts_with(stem)) && !frame.has_word("free");
    if !gets || clause.mode != Mode::Fact || clause.vague || frame.verb.infinitive {
        return;
    }
    let mut objects = if frame.verb.passive {
        frame.subject.clone()
    } else {
        frame.objects()
    };
    let chosen = ["opt", "decid", "go", "went", "settl"]
        .iter()
        .any(|stem| frame.verb.word.starts_with(stem));
    if objects.is_empty() && chosen {
        objects = frame.behind(&[Prep::For, Prep::On]);
    }
    let pawn = |a: &Arg| matches!(a, Arg::Np(np, _) if np.head == Head::Role(Role::Pawn));
    // "has swapped his bishop and a pawn for a rook" is no promotion.
    let other = |a: &Arg| matches!(a, Arg::Np(np, _) if matches!(np.head, Head::Role(role) if role != Role::Pawn));
    let given = objects.iter().any(pawn) && !objects.iter().any(other);
    if given {
        objects = frame.behind(&[Prep::For, Prep::To, Prep::With, Prep::By, Prep::Into]);
    }
    let piece = |a: &Arg| match a {
        Arg::Np(np, _) if new_piece(np) => match np.head {
            Head::Role(role) => Some((role, np.squares.clone(), np.det == Det::No)),
            _ => None,
        },
        _ => None,
    };
    let pieces: Vec<_> = objects.iter().filter_map(piece).collect();
    let [(role, squares, none)] = pieces.as_slice() else {
        return;
    };
    let promotion = |view: &View| match &view.deed {
        Some((before, m)) if m.is_promotion() && clause.actor().is_none_or(|side| side == before.turn()) => {
            squares.iter().all(|square| *square == m.to())
        }
        _ => false,
    };
    let promotes_now = !clause.views.is_empty() && clause.views.iter().all(promotion);
    // "has won a knight for a pawn": a trade.
    let the_pawn = |a: &Arg| pawn(a) && a.np().is_some_and(|np| np.det == Det::Definite || np.owner.is_some());
    let wins = ["win", "won", "gain", "net", "bag"]
        .iter()
        .any(|stem| frame.verb.word.starts_with(stem));
    // "gives a knight for the d5-pawn" parts with the knight.
    let gives = ["giv", "gave", "trad", "exchang", "swap"]
        .iter()
        .any(|stem| frame.verb.word.starts_with(stem));
    let for_pawn = given || !wins && !gives && frame.behind(&[Prep::For, Prep::Of]).iter().any(the_pawn);
    let named = objects
        .iter()
        .filter_map(Arg::np)
        .any(|np| frame.has_word("new") && !np.has(Trait::Extra));
    let lone = [
        "get", "got", "obtain", "receiv", "acquir", "choos", "select", "opt", "decid", "claim",
    ]
    .iter()
    .any(|stem| frame.verb.word.starts_with(stem))
        && !frame.verb.passive
        && frame
            .post
            .iter()
            .filter(|p| matches!(p.item, Item::Np(_) | Item::Trait(_)))
            .count()
            == 1
        && frame.subject.iter().any(|a| a.side(clause.world.mover()).is_some());
    if !promotes_now && !for_pawn && !named && !lone {
        return;
    }
    let ours = |d: &Draft| OTHERWISE.contains(&d.kind);
    // A piece that the move takes, too: either is meant.
    let taken = found[first..].iter().any(|d| ours(d) && d.truth.holds()) && !clause.negated && !none;
    if found[first..]
        .iter()
        .any(|d| d.kind == ClaimKind::Promotion && !matches!(d.truth, Truth::Unknown(_)))
    {
        drop_others(found, first);
        return;
    }
    if taken {
        return;
    }
    drop_others(found, first);
    let truth = clause.ask_deed(|view| {
        judge(clause, view, clause.actor(), |pos, m| {
            promotes(pos, m, &[*role], squares)
        })
        .negated(*none && !clause.negated)
    });
    found.push(clause.draft(ClaimKind::Promotion, resting(clause, truth, FactKind::Promotion)));
}

fn drop_others(found: &mut Vec<Draft>, first: usize) {
    let mut number = 0;
    found.retain(|d| {
        number += 1;
        number <= first || !OTHERWISE.contains(&d.kind)
    });
}

/// Can the side promote with its next move? Open where it has just done so.
pub fn can_promote(view: &View, side: Color) -> Truth {
    let moves = to_move(view, side).map(|pos| pos.legal_moves().iter().any(|m| m.is_promotion()));
    let done = view
        .deed
        .as_ref()
        .is_some_and(|(before, m)| m.is_promotion() && before.turn() == side);
    match moves {
        None => Truth::unknown("Whose turn it is leaves that open."),
        Some(false) if done => Truth::unknown("It has just promoted."),
        Some(can) => Truth::of(
            can,
            || format!("{} can promote.", color_name(side)),
            || format!("{} has no promotion to play.", color_name(side)),
        ),
    }
}

/// Words that make a promotion one that may be played next.
pub const NEXT: &str = "next ready able possible available about unable imminent immediate option hand cards legal";

/// "a queen", "a brand new rook", "no knight": a piece that has no place on the board yet.
fn new_piece(np: &Np) -> bool {
    let piece = matches!(np.head, Head::Role(role) if !matches!(role, Role::Pawn | Role::King));
    piece
        && !np.plural
        && np.owner.is_none_or(|o| o == phrase::Owner::Theirs)
        && matches!(np.det, Det::Indefinite | Det::No | Det::Bare | Det::Other)
}

/// The colour that the words name; the pawn that promoted is on the board no more.
fn named_side(clause: &Clause<'_>, args: &[Arg]) -> Option<Color> {
    args.iter().find_map(|a| match a {
        Arg::Np(np, _) => np.owner.and_then(|o| frame::side_of(o, clause.world.mover())),
        Arg::Played => Some(clause.world.mover()),
        _ => None,
    })
}

/// "the pawn becomes a queen".
pub fn frame_becomes(frame: &Frame) -> bool {
    frame.verb.word.starts_with("becom") || frame.verb.word == "became"
}

/// "The pawn is a queen now".
pub fn pawn_is_piece(frame: &Frame) -> bool {
    let pawn = |a: &Arg| matches!(a, Arg::Np(np, _) if np.head == Head::Role(Role::Pawn));
    let piece = |a: &Arg| matches!(a, Arg::Np(np, _) if np.det == Det::Indefinite && matches!(np.head, Head::Role(role) if role != Role::Pawn));
    !frame.verb.passive && frame.subject.iter().any(pawn) && frame.objects().iter().any(piece)
}

/// "gets a new queen", "makes a queen".
pub fn new_queen(frame: &Frame) -> bool {
    let role = |a: &Arg| matches!(a, Arg::Np(np, _) if matches!(np.head, Head::Role(Role::Queen | Role::Rook | Role::Bishop | Role::Knight)) && np.squares.is_empty() && np.det == Det::Indefinite);
    let made = frame.verb.act == Act::Make
        && ["mak", "made", "creat"]
            .iter()
            .any(|stem| frame.verb.word.starts_with(stem));
    frame.objects().iter().any(role) && (made || frame.has_word("new"))
}
