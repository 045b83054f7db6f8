//! Passed, isolated, backward and doubled pawns by their cues.

use shakmaty::{Bitboard, Board, Color, File, Role, Square};

use super::piece::{Named, Piece, PieceCue, Reading};
use crate::chess::{Man, names::color_name, pawns};
use crate::commentary::claims::{
    ClaimKind,
    board::{View, men::the_up},
    truth::Truth,
};

/// A feature of pawns.
#[derive(Clone, Copy)]
struct Feature {
    kind: ClaimKind,
    word: &'static str,
    of: fn(&Board, Color) -> Bitboard,
}

const PASSED: Feature = Feature {
    kind: ClaimKind::Passed,
    word: "passed",
    of: pawns::passed,
};
const ISOLATED: Feature = Feature {
    kind: ClaimKind::Isolated,
    word: "isolated",
    of: pawns::isolated,
};
const BACKWARD: Feature = Feature {
    kind: ClaimKind::Backward,
    word: "backward",
    of: pawns::backward,
};
const DOUBLED: Feature = Feature {
    kind: ClaimKind::Doubled,
    word: "doubled",
    of: pawns::doubled,
};

/// What a piece says of pawns: the feature, and whether the words themselves say that it is missing.
struct Said {
    feature: Feature,
    inverse: bool,
}

/// Enemy pawns that stand in the way: no passed pawn.
const STOPPED: &[&str] = &[
    "stop|stops|stopped|stopping|halt|halts|halted|hold|holds|held|contain|contains|catch|block|blocks|blocked|obstruct*",
    "in|on|guard|guards|guarding|bar|bars|barring|block|cover|covers its|the|his way|path|road|route",
    "in front of",
    "faces|facing|oppose|opposes|opposed|hinder|hinders|hindered|fear|worry|meet|meets|impede*|prevent*|challenge*",
    "ahead of",
    "watched|controlled|policed|shadowed by",
];
/// No enemy pawn in the way.
const FREE: &[&str] = &[
    "past all|every|the ~ pawn|pawns",
    "free|clear|open|unimpeded|unobstructed path|road|run|way|highway|passage|field",
];
/// Own pawns at the side: no isolated pawn.
const NEIGHBOURS: &[&str] = &[
    "neighbour*|neighbor*|companion|companions|company|comrade|comrades",
    "adjacent|adjoining|neighbouring|neighboring|next|bordering ~ file|files",
    "files|file|pawn|pawns next|adjacent|close to",
    "beside|alongside it|its",
    "either|each side|hand",
    "pawns|pawn|friend|friends ~ next to|beside",
    "at its side",
];
/// No pawn at the side.
const ALONE: &[&str] = &["alone|lonely|stranded|orphan|orphaned", "on its own", "cut off"];

fn said(piece: &Piece, pawns_named: bool) -> Option<Said> {
    let of = |feature| {
        Some(Said {
            feature,
            inverse: false,
        })
    };
    let explicit = [
        (&["passed", "passer|passers"][..], PASSED),
        (&["isolated|isolani|isolanis|isolation"][..], ISOLATED),
        (&["backward"][..], BACKWARD),
        (&["doubled|tripled"][..], DOUBLED),
    ];
    let stacked = piece.says(&[
        "two|2 ~ pawns ~ ~ file",
        "more than one ~ pawn",
        "two|2 ~ file",
        "share|shares ~ file",
        "second pawn ~ file",
        "behind|before another|one",
        "behind|before the other",
        "front of another|one",
        "front of the other",
        "stacked|tandem",
        "on top of",
    ]);
    if stacked && !piece.says(&["passed|isolated|backward|doubled"]) {
        return Some(Said {
            feature: DOUBLED,
            inverse: false,
        });
    }
    if piece.says(&["undoubled"])
        || piece.says(&["only|just|exactly|single ~ pawn ~ file"]) && !piece.says(&["not|half|semi|open"])
    {
        return Some(Said {
            feature: DOUBLED,
            inverse: true,
        });
    }
    if piece.says(&["becoming|being passed"]) && piece.affirms(STOPPED) {
        return Some(Said {
            feature: PASSED,
            inverse: true,
        });
    }
    let mut found = explicit.into_iter().filter(|(cues, _)| piece.says(cues));
    if let Some((_, feature)) = found.next() {
        // Two features in one breath: the grammar knows better.
        return if found.next().is_some() { None } else { of(feature) };
    }
    if !pawns_named {
        return None;
    }
    if piece.affirms(ALONE) && piece.affirms(&["pawn|pawns|it"]) {
        return of(ISOLATED);
    }
    if piece.affirms(NEIGHBOURS) {
        return Some(Said {
            feature: ISOLATED,
            inverse: true,
        });
    }
    let enemy = piece.says(&["enemy|opposing|hostile|opponent ~ pawn|pawns"])
        || piece.says(&["of white|black 's pawns", "white|black 's pawns"])
        || piece
            .words
            .iter()
            .filter(|word| matches!(word.as_str(), "pawn" | "pawns"))
            .count()
            > 1;
    if piece.says(&["free|clear|rid of ~ enemy|opposing|hostile"]) {
        return Some(Said {
            feature: PASSED,
            inverse: true,
        });
    }
    if enemy && piece.says(FREE) {
        return of(PASSED);
    }
    (enemy && piece.affirms(STOPPED) && !piece.says(&["piece|pieces|king|knight|bishop|rook|queen"])).then_some(Said {
        feature: PASSED,
        inverse: true,
    })
}

/// "all", "two", "only": more is said than that there is one.
const COUNTED: &[&str] = &[
    "all|every|each|both|only|most|many|few|fewer|more|extra|protected|connected|outside|better|worse",
    "three|four|five|second|another|other",
    "two ~ passed|isolated|backward",
];

/// Words that say that the move makes it so.
const MADE: &[&str] = &[
    "create*|creating|obtain*|get|gets|getting|give|gives|giving|yield*|make|makes|making|acquire*|produce*|gain*|form|forms",
    "new|turn|turns|turning|become|becomes|earn*|win|wins|procure*|secure*|bring|brings|promise*|lead|leads|result*|mean|means",
];

/// What a piece says of pawns.
pub fn read(cue: &PieceCue<'_>) -> Option<Reading> {
    let piece = cue.piece;
    let pawn = |named: &Named| named.role.is_none_or(|role| role == Role::Pawn);
    let square = cue.slot(|p| p.man(pawn).map(|named| named.square));
    let said = said(piece, square.is_some() || piece.says(&["pawn|pawns"]))?;
    // "The passed pawn has vanished".
    if piece.says(&["vanish*|disappear*|evaporat*|gone|fallen|falls|fell|dropped|eliminated|removed"]) {
        return None;
    }
    if piece.polarity.supposed || piece.named.iter().any(|named| !pawn(named)) {
        return None;
    }
    let explicit = &["passed|passer|passers|isolated|isolani|backward|doubled|tripled"];
    if piece.affirms(COUNTED) && piece.says(explicit) {
        return None;
    }
    let Said { feature, inverse } = said;
    let reading = |truth: Truth| {
        Some(Reading {
            kind: feature.kind,
            truth: truth.negated(inverse),
        })
    };
    if let Some(square) = square {
        return reading(cue.ask_noun(|view| at(view, square, feature)));
    }
    if inverse && feature.kind != ClaimKind::Doubled || piece.says(&["rook|rooks|queen|knights|bishops"]) {
        return None;
    }
    let side = cue.slot(Piece::side);
    if let Some(file) = cue.slot(Piece::file) {
        return reading(cue.ask_noun(|view| on_file(view, file, side, feature)));
    }
    let side_here = piece.side();
    if feature.kind == ClaimKind::Passed && piece.affirms(MADE) && cue.deed() {
        return reading(cue.ask(|view| made(view, side_here.or(side), feature)));
    }
    if piece.affirms(MADE) || piece.has_move && feature.kind != ClaimKind::Doubled {
        return None;
    }
    let side = side?;
    reading(cue.ask_noun(|view| any(view, side, None, feature)))
}

/// The pawn on that square has the feature; where no pawn stands there nothing is said.
fn at(view: &View, square: Square, feature: Feature) -> Truth {
    let Some(man) = Man::at(view.board(), square).filter(|man| man.role == Role::Pawn) else {
        return Truth::unknown(format!("No pawn stands on {square}."));
    };
    let yes = (feature.of)(view.board(), man.color).contains(square);
    let why = format!("{} is {}{}.", the_up(man), if yes { "" } else { "not " }, feature.word);
    Truth::of(yes, || why.clone(), || why.clone())
}

/// Pawns of that file, of one side or of any.
fn on_file(view: &View, file: File, side: Option<Color>, feature: Feature) -> Truth {
    match side {
        Some(side) => any(view, side, Some(file), feature),
        None => {
            let each = Color::ALL.map(|side| any(view, side, Some(file), feature));
            let [white, black] = each;
            if white.holds() { white } else { black }
        }
    }
}

fn any(view: &View, side: Color, file: Option<File>, feature: Feature) -> Truth {
    let mut all = (feature.of)(view.board(), side);
    if let Some(file) = file {
        all &= Bitboard::from_file(file);
    }
    let first = Man::all(view.board(), all).into_iter().next();
    Truth::of(
        first.is_some(),
        || {
            first
                .map(|man| format!("{} is {}.", the_up(man), feature.word))
                .unwrap_or_default()
        },
        || format!("{} has no such {} pawn.", color_name(side), feature.word),
    )
}

/// The move made a pawn so that was not.
fn made(view: &View, side: Option<Color>, feature: Feature) -> Truth {
    let Some((before, m)) = &view.deed else {
        return Truth::unknown("No move is spoken of.");
    };
    let side = side.unwrap_or(view.mover());
    let mut old = (feature.of)(shakmaty::Position::board(before), side);
    if let Some(from) = m.from()
        && old.contains(from)
    {
        old.add(m.to());
    }
    let now = (feature.of)(view.board(), side);
    let first = Man::all(view.board(), now & !old).into_iter().next();
    Truth::of(
        first.is_some(),
        || {
            first
                .map(|man| format!("{} is {} now.", the_up(man), feature.word))
                .unwrap_or_default()
        },
        || format!("The move makes no pawn of {}'s {}.", color_name(side), feature.word),
    )
}
