//! Open and half-open files, and outposts, by their cues.

use shakmaty::{Bitboard, Color, File, Role, Square};

use super::piece::{Named, Piece, PieceCue, Reading};
use crate::chess::{Man, names::color_name};
use crate::commentary::claims::{
    ClaimKind,
    board::View,
    families::files::{file_truth, opened, settled_outpost},
    grammar::Trait,
    truth::Truth,
};

/// A file is said to become open.
const OPENS: &[&str] = &[
    "opens|opening up|the",
    "opens up|after|with|now|thanks|as|following",
    "open up|the",
    "open ~ file up",
    "opened|opens ~ <move>",
    "clears|clearing|clear the",
];
const CLOSED: &[&str] = &[
    "closed|blocked|shut|clogged|locked|plugged|jammed|obstructed",
    "keeps|keeping|leaves|leaving ~ file|it closed|shut|blocked",
];
/// Words for other things on a file.
const OTHERS: &[&str] = &[
    "passed|passer|isolated|isolani|backward|double*|tripled|half|semi|two|three|more|share|front",
    "queen|queens|knight|knights|bishop|bishops|king",
];

/// What a piece says of a file.
pub fn read(cue: &PieceCue<'_>) -> Option<Reading> {
    let piece = cue.piece;
    if piece.polarity.supposed {
        return None;
    }
    let file = cue.slot(Piece::file);
    if piece.says(&["half|semi open", "halfopen|semiopen"]) {
        return half_open(cue, file?);
    }
    if !piece.says(&["file|files", "it"]) && piece.words.len() > 2 {
        return None;
    }
    let rook = piece
        .man(|named| named.role == Some(Role::Rook))
        .map(|named| named.square);
    if let Some(rook) = rook
        && piece.says(&["open ~ file|files", "file|files ~ ~ open"])
    {
        let waits = piece.says(&["waits|waiting|awaits|looking|searching|needs|dreams"]);
        let truth = cue.ask(|view| rook_on_open_file(view, rook, file).negated(waits));
        return reading(ClaimKind::OpenFile, truth);
    }
    let file = file?;
    let by_move = piece.says(&[
        "opened by|with|through <move>",
        "opened by|with|through 1|2|3|4|5|6|7|8|9",
    ]);
    if by_move
        || piece.says(OPENS) && !piece.says(&["been|is|lies|stands|remains|fully|wide|completely|totally open|opened"])
    {
        let denied = piece.polarity.denied;
        // The denial is part of the question: half-open is open to some.
        let wholly = piece.says(&["completely|fully|entirely|totally"]);
        let truth = cue.ask(|view| {
            if wholly {
                return file_truth(view.board(), file, Trait::Open, None);
            }
            opened(view, file, denied).negated(denied)
        });
        return reading(ClaimKind::OpenFile, truth);
    }
    // "removes the last pawn from the d-file".
    let rids = piece.says(&["rid|rids|remove|removes|clear|clears|take|takes|lift|lifts|loses"]);
    if rids && piece.has_move && piece.says(&["last ~ pawn|pawns"]) {
        let truth = cue.ask(|view| undisputed(view, file));
        return reading(
            ClaimKind::OpenFile,
            truth.negated(piece.says(&["rid|rids the ~ ~ of"]) && piece.polarity.denied),
        );
    }
    // "has still to be opened".
    if piece.says(&["still to be opened|cleared", "has|have to be opened|cleared"]) {
        return reading(
            ClaimKind::OpenFile,
            cue.ask(|view| undisputed(view, file).negated(true)),
        );
    }
    if piece.says(&["last ~ pawn|pawns ~ ~ file"]) && piece.has_move {
        return reading(ClaimKind::OpenFile, cue.ask(|view| undisputed(view, file)));
    }
    if piece.says(CLOSED) {
        return reading(
            ClaimKind::OpenFile,
            cue.ask(|view| undisputed(view, file).negated(true)),
        );
    }
    let pawns = piece.says(&["pawn|pawns"]);
    if piece.affirms(&["open|opened|cleared|pawnless"]) && !pawns && !piece.says(&["rook|rooks"]) {
        return reading(ClaimKind::OpenFile, cue.ask_noun(|view| undisputed(view, file)));
    }
    if pawns && piece.says(&["file"]) && !piece.says(OTHERS) && !piece.says(&["rook|rooks"]) {
        return pawns_on(cue, file);
    }
    None
}

fn reading(kind: ClaimKind, truth: Truth) -> Option<Reading> {
    Some(Reading { kind, truth })
}

/// Open, or closed; a file that is half-open is neither beyond dispute.
fn undisputed(view: &View, file: File) -> Truth {
    let truth = file_truth(view.board(), file, Trait::Open, None);
    if file_truth(view.board(), file, Trait::HalfOpen, None).holds() && truth.fails() {
        return Truth::unknown("Half-open is open to some.");
    }
    truth
}

/// The rook stands on that file, and the file is open.
fn rook_on_open_file(view: &View, rook: Square, file: Option<File>) -> Truth {
    if Man::at(view.board(), rook).is_none_or(|man| man.role != Role::Rook) {
        return Truth::unknown(format!("No rook stands on {rook}."));
    }
    if file.is_some_and(|file| rook.file() != file) {
        return Truth::unknown("The rook may come to that file later.");
    }
    undisputed(view, rook.file())
}

fn half_open(cue: &PieceCue<'_>, file: File) -> Option<Reading> {
    let piece = cue.piece;
    let side = cue.slot(|p| {
        // "with only White having a pawn on it": it is Black's.
        let other = p.says(&["only|just white|black"]);
        p.side()
            .filter(|_| p.sides.len() == 1)
            .map(|side| if other { side.other() } else { side })
    });
    // "has no pawn of their own on the half-open g-file": the denial says why it is half-open.
    let why = piece.says(&["no|without|lacks pawn|pawns ~ half|semi", "no|without pawn|pawns of"]);
    let only = piece.says(&["only|just"]);
    if only || piece.sides.len() > 1 {
        return None;
    }
    let truth = cue
        .ask_noun(|view| file_truth(view.board(), file, Trait::HalfOpen, side).negated(why && !piece.polarity.granted));
    reading(ClaimKind::HalfOpen, truth)
}

/// "No pawns stand on the e-file", "only Black has a pawn on the e-file".
fn pawns_on(cue: &PieceCue<'_>, file: File) -> Option<Reading> {
    let piece = cue.piece;
    let count =
        move |view: &View, color: Color| (view.board().by_piece(color.pawn()) & Bitboard::from_file(file)).count();
    let why = move |view: &View| {
        format!(
            "White has {} pawns on the {}-file, Black {}.",
            count(view, Color::White),
            file.char(),
            count(view, Color::Black)
        )
    };
    let nobody = piece.sides.is_empty() || piece.says(&["both|neither"]) || piece.sides.len() > 1;
    if nobody {
        if piece.sides.len() > 1 && !piece.says(&["both|neither|nor"]) {
            return None;
        }
        let gone = piece.affirms(&["lost|left|gone|exchanged|traded|disappeared|vanished|cleared|off|swapped"])
            && !piece.affirms(&["is|are|there left", "left on", "pawn|pawns left"]);
        let truth = cue.ask(|view| {
            let any = count(view, Color::White) + count(view, Color::Black) > 0;
            Truth::of(any, || why(view), || why(view)).negated(gone)
        });
        return reading(ClaimKind::OpenFile, truth);
    }
    let side = piece.side()?;
    if piece.says(&["only|just white|black"]) {
        let truth = cue.ask(|view| file_truth(view.board(), file, Trait::HalfOpen, Some(side.other())));
        return reading(ClaimKind::HalfOpen, truth);
    }
    if piece.says(&["only|just|one|single"]) && !piece.says(&["not a|one"]) {
        return None;
    }
    let gone = piece.affirms(&["has|have left|gone|disappeared"]);
    let truth = cue.ask(|view| {
        let n = count(view, side);
        let why = format!("{} has {n} pawns on the {}-file.", color_name(side), file.char());
        Truth::of(n > 0, || why.clone(), || why.clone()).negated(gone)
    });
    reading(ClaimKind::HalfOpen, truth)
}

/// "d5 is no outpost for the knight".
pub fn outpost(cue: &PieceCue<'_>) -> Option<Reading> {
    let piece = cue.piece;
    if !piece.says(&["outpost|outposts|outposted"]) || piece.polarity.supposed {
        return None;
    }
    let named = |named: &Named| named.role.is_none_or(|role| role != Role::Pawn);
    let square = cue.slot(|p| p.man(named).map(|named| named.square))?;
    let truth = cue.ask_noun(|view| match Man::at(view.board(), square) {
        Some(man) if matches!(man.role, Role::Knight | Role::Bishop | Role::Rook) => settled_outpost(view, man),
        _ => Truth::unknown("What the outpost is for stands elsewhere."),
    });
    reading(ClaimKind::Outpost, truth)
}
