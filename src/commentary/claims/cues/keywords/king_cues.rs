//! Castling and the safety of kings by their cues.

use shakmaty::{CastlingSide, Color, Position, Role};

use super::piece::{Named, Piece, PieceCue, Reading};
use crate::chess::{Man, names::color_name};
use crate::commentary::claims::{
    ClaimKind,
    board::{View, deeds::to_move},
    families::{
        castling::has_castled,
        king::{castled, exposed, in_centre, shielded},
    },
    truth::Truth,
};

/// What a piece says of kings and castling.
pub fn read(cue: &PieceCue<'_>) -> Option<Reading> {
    let piece = cue.piece;
    if piece.says(&["if|would|should|hope*|want*|plan*|prepare*|before|until|was|were|had|intend*|wish*"]) {
        return None;
    }
    let castling = piece.says(&["castl*", "uncastled"]) || piece.castles.is_some();
    if castling && let Some(found) = of_castling(cue) {
        return Some(found);
    }
    let truth = of_the_king(cue)?;
    Some(Reading {
        kind: ClaimKind::KingSafety,
        truth,
    })
}

/// The right is lost.
const LOST: &[&str] = &[
    "lose|loses|lost|losing|forfeit*|gone|abandon*|renounce*|waive*|relinquish*|surrender*|cost|costs|costing",
    "give|gives|gave|given|giving up|away",
    "deprive*|rob|robs|robbed|ruin*|destroy*|spoil*|past|expired|squander*|burn*|over|throws|throwing|end|ends|strip*",
    "sacrifice|sacrifices|sacrificing the right",
    "used|uses|using up",
    "forgo*|forego*",
    "rules|rule|ruling|ruled out",
];
/// It can, or can't, be done.
const CAN: &[&str] = &[
    "way|chance|hope|opportunity|can|may|could|able|unable|possible|impossible|option|available|unavailable|allowed|permitted|free|ready|hand|legal",
    "never ~ castle",
    "castle ~ any more|longer",
    "castle anymore",
    "illegal|playable|disposal|cards|question|prevents|prevent|stops|stopping|prevented|stopped|barred|permissible",
];
/// At some time.
const LASTING: &[&str] = &[
    "still|later|ever|never|longer|eventually|remains|more|anymore|game|future|forever|good",
    "some point|stage",
    "out of the question",
    "makes|making|made ~ impossible",
    "will|wo",
    "not be able",
];
/// At once.
const NOW: &[&str] = &[
    "now|immediately|instantly|already|currently|next",
    "at once",
    "right away|now",
    "out of it|check|trouble|danger",
    "at the moment",
    "this moment",
];

fn wing(piece: &Piece) -> Option<CastlingSide> {
    if let Some(side) = piece.castles {
        return Some(side);
    }
    if piece.says(&["kingside|short", "king 's side", "king side"]) {
        return Some(CastlingSide::KingSide);
    }
    piece
        .says(&["queenside|long", "queen 's side", "queen side"])
        .then_some(CastlingSide::QueenSide)
}

fn of_castling(cue: &PieceCue<'_>) -> Option<Reading> {
    let piece = cue.piece;
    let side = cue.slot(Piece::side);
    let wing = wing(piece);
    let castling = |truth| {
        Some(Reading {
            kind: ClaimKind::Castling,
            truth,
        })
    };
    let rights = piece.says(&["right|rights ~ castl*", "castling right|rights"]);
    // "White is lost after O-O": the game.
    let lost = piece.says(LOST) && (piece.castles.is_none() || piece.says(&["castl*"]));
    if rights || lost {
        // "the king on e1, which has lost its castling rights": the king's side.
        let king = |named: &Named| named.role == Some(Role::King);
        let of_king = || {
            let square = cue.slot(|piece| piece.man(king).map(|named| named.square))?;
            cue.views.first()?.board().color_at(square)
        };
        let side = cue
            .antecedent()
            .or(side)
            .or_else(of_king)
            .or_else(|| cue.deed().then(|| cue.world.mover()))?;
        let whole = !piece.says(&["rights"]);
        return castling(cue.ask(|view| has_right(view, side, wing, whole).negated(lost)));
    }
    let settled = piece.says(&[
        "castling ~ out of the way",
        "castling behind him|her|it|them",
        "behind|done with castling",
    ]);
    if piece.says(CAN) && !settled {
        let lasting = piece.says(LASTING) && !piece.says(NOW);
        let denied = piece.polarity.denied;
        let inverse = piece.says(&["illegal|unavailable|prevented|stopped|barred"]);
        // "nothing prevents": two denials.
        let kept = piece.says(&["prevents|prevent|stops|stopping"]);
        let negative = denied ^ inverse ^ kept;
        let now = piece.says(NOW);
        let ask = |view: &View| {
            let side = side.unwrap_or(view.pos.turn());
            can_castle(view, side, wing, lasting, negative || now)
                .negated(negative)
                .negated(denied)
        };
        // "O-O is possible": asked before it is played.
        let truth = if piece.castles.is_some() {
            ask(&cue.world.after()).negated(denied)
        } else {
            cue.ask(ask)
        };
        return castling(truth);
    }
    if settled
        || piece.says(&[
            "has|have|is|having|been|gotten|got|gets ~ castled",
            "castled|uncastled",
            "after castling",
            "has|have|is|been|had ~ ~ by castling",
        ])
        || piece.says(&["has|have|needs|need|yet|still|time|failed|delayed|neglected|postponed|put ~ castl*"])
        || piece.says(&["castling ~ still|yet to come"])
    {
        let waits = piece.says(&[
            "uncastled",
            "has|have|needs|need to castle",
            "delayed|neglected|postponed",
            "still to come",
            "time to castle",
        ]);
        let yet = piece.says(&["yet to castle"]) && piece.says(&["has|have ~ to castle"]);
        let found = piece.says(&["found ~ castling"]);
        let inverse = waits && !yet && !(piece.says(&["time to castle"])) && !found;
        let side = side?;
        let truth = match wing {
            _ if piece.has_move && piece.castles.is_none() && !waits => cue.ask(|view| castles_now(view, side, wing)),
            Some(_) if !piece.polarity.denied || cue.deed() => cue.ask(|view| has_castled(view, side, wing)),
            _ => cue.ask(|view| castled(view, side)),
        };
        let kind = if wing.is_some() {
            ClaimKind::Castling
        } else {
            ClaimKind::KingSafety
        };
        return Some(Reading {
            kind,
            truth: truth.negated(inverse),
        });
    }
    // "can then castle": a plan, cut from its words.
    if piece.says(&["castle"]) && !piece.says(&["castles|castled|castling", "to castle"]) {
        return None;
    }
    // The move itself. "Castling puts the king where White's pawns are": the mover's.
    let side = side.filter(|_| !piece.says(&["castling"]) || cue.world.played().mv.castling_side().is_none());
    let side = side.unwrap_or(cue.world.mover());
    if !piece.says(&["castl*"])
        || piece.says(&["delay*|soon|later|next|time|threat*|ready|idea|possib*|yet|still|try|tries|must|needs"])
    {
        return None;
    }
    castling(cue.ask(|view| castles_now(view, side, wing)))
}

/// The move that is spoken of castles, to that side.
fn castles_now(view: &View, side: Color, wing: Option<CastlingSide>) -> Truth {
    let Some((before, m)) = &view.deed else {
        return Truth::unknown("No move is spoken of.");
    };
    let done = m.castling_side();
    let yes = before.turn() == side && done.is_some_and(|s| wing.is_none_or(|wanted| wanted == s));
    let why = match done {
        Some(CastlingSide::KingSide) => "The move castles kingside.",
        Some(CastlingSide::QueenSide) => "The move castles queenside.",
        None => "The move does not castle.",
    };
    Truth::of(yes, || why.to_owned(), || why.to_owned())
}

/// The right to castle, on that wing or on any. Where one of two is gone, "rights" may be either.
fn has_right(view: &View, side: Color, wing: Option<CastlingSide>, whole: bool) -> Truth {
    let name = color_name(side);
    let has = |pos: &shakmaty::Chess| {
        CastlingSide::ALL
            .into_iter()
            .filter(|&s| wing.is_none_or(|wanted| wanted == s) && pos.castles().has(side, s))
            .count()
    };
    let now = has(&view.pos);
    let fewer = view.deed.as_ref().is_some_and(|(before, _)| has(before) > now);
    if now > 0 && fewer && !whole {
        return Truth::unknown(format!("{name} has lost one right and keeps the other."));
    }
    Truth::of(
        now > 0,
        || format!("{name} may still castle."),
        || format!("{name} may not castle any more."),
    )
}

/// `negative`: the words say that it can't be done; what is clear differs.
fn can_castle(view: &View, side: Color, wing: Option<CastlingSide>, lasting: bool, negative: bool) -> Truth {
    if lasting {
        return has_right(view, side, wing, true);
    }
    let name = color_name(side);
    let legal = to_move(view, side).is_some_and(|pos| {
        pos.legal_moves()
            .iter()
            .any(|m| m.castling_side().is_some_and(|s| wing.is_none_or(|wanted| wanted == s)))
    });
    if legal {
        return Truth::yes(format!("{name} can castle."));
    }
    if !negative && has_right(view, side, wing, true).holds() {
        return Truth::unknown(format!("{name} has the right to castle, but can't at once."));
    }
    Truth::no(format!("{name} can't castle."))
}

const CENTRE: &[&str] = &[
    "centre|center|middle",
    "central|centre|center file|square|position|king",
];
const AWAY: &[&str] = &[
    "left|leaves|leaving|leave|fled|escaped|abandoned|evacuated|deserted|vacated the|from",
    "out of|from",
    "away|removed|distant|remote from",
    "gone|went|moved|run|wandered|headed ~ wing|side|corner|kingside|queenside",
];
const SHIELD: &[&str] = &[
    "pawn cover|shield|shelter|protection|wall|screen|barrier|umbrella|roof|fence|armour",
    "roof|wall|shield|row|cover|shelter|screen|phalanx|chain of pawns|its",
    "of its|the|his pawns",
    "shelter*|shield*|hides|hidden|hiding|cocooned|tucked|snug|screened",
    "behind ~ pawns",
    "pawn|pawns ~ front|before|around",
    "protected|covered|guarded|surrounded|defended|screened ~ by ~ pawns",
    "pawns ~ protect|protects|shield|shelter|cover|guard|defend|surround|hide|screen",
    "cover",
];
/// Words that leave a shield half there.
const PARTLY: &[&str] = &[
    "weak|weakened|thin|little|damaged|some|partly|partially|slightly|compromised|holes|hole|enough|loose|one|two|single",
    "more|less|better|worse|fairly|relatively|somewhat|reasonably|rather|bit",
];
const GONE: &[&str] = &["gone|lost|shattered|destroyed|wrecked|ruined|torn|demolished|ripped|lacking|broken"];
const EXPOSED: &[&str] = &[
    "exposed|vulnerable|unsafe|insecure|endangered|airy|draughty|drafty|naked|precarious|weak|shaky|unprotected",
    "danger|dangerously|draught|draft|jeopardy|peril|risk|trouble|fear|worry|worries|breeze|wind|fire",
    "wide open",
    "in the open",
];
const SAFE: &[&str] = &[
    "safe|secure|safely|safety|snug|comfortable|comfortably|securely",
    "out of danger|harm",
    "solid",
];

fn of_the_king(cue: &PieceCue<'_>) -> Option<Truth> {
    let piece = cue.piece;
    let king = piece.says(&["king|kings|monarch"]);
    if !king && !piece.says(&["it"])
        // "under fire from the king": it is what acts.
        || piece.says(&["from|by king", "from|by ~ king", "from|by ~ ~ king", "from|by ~ ~ ~ king"])
        || piece.says(&["check|mate|checkmate|attack|attacked|pawn|rook|queen|knight|bishop on|to"])
    {
        return None;
    }
    let color = cue.slot(|p| king_of(cue, p))?;
    if piece.says(&["gone|went|moved|run|headed|sits|stands|is|lives ~ wing|flank"]) {
        return Some(cue.ask(|view| in_centre(view, color).negated(true)));
    }
    if piece.says(CENTRE)
        && !piece.says(&[
            "to|towards|toward|into|for ~ centre|center|middle",
            "control*|pawn|pawns",
        ])
    {
        let left_there = piece.says(&["left|leaves|leaving ~ king in"]);
        let away = piece.affirms(AWAY) && !left_there;
        return Some(cue.ask(|view| in_centre(view, color).negated(away)));
    }
    if !king && !piece.says(&["pawn|pawns"]) {
        return None;
    }
    // "safe behind its pawns": the pawns are what can be seen.
    if piece.says(SHIELD) {
        if piece.says(PARTLY) {
            return None;
        }
        // "broken pawns and the king short of cover": that is denied once.
        let gone = piece.says(GONE) && !piece.says(&["short|bereft|devoid of"]);
        return Some(cue.ask(|view| shielded(view, color).negated(gone)));
    }
    // "With the king so close there is nothing to worry about": of something else.
    if piece.says(&["there is|are|was|were"]) && piece.says(&["worry|fear about|of", "to worry|fear"]) {
        return None;
    }
    let safe = piece.says(SAFE);
    let open = piece.says(EXPOSED) && !piece.says(&["out of danger|harm"]);
    if piece.says(&[
        "worry|worries|concern|concerns|issue|problem|problems ~ safety",
        "safety ~ problem|problems|issue|issues|concern|concerns|trouble|troubles|worries",
    ]) {
        return Some(cue.ask(|view| exposed(view, color)));
    }
    // Than before: the board's pawns and pieces alone don't tell.
    let compares = piece.says(&["less|more ~ safe|secure|exposed|vulnerable|unsafe|airy|weak|open"]);
    if safe == open || compares {
        return None;
    }
    Some(cue.ask(|view| exposed(view, color).negated(safe)))
}

/// Whose king: the side that is named, or that of the king on its square.
fn king_of(cue: &PieceCue<'_>, piece: &Piece) -> Option<Color> {
    let on = piece.man(|named| named.role == Some(Role::King)).and_then(|named| {
        let man = Man::at(cue.views.first()?.board(), named.square)?;
        (man.role == Role::King).then_some(man.color)
    });
    piece.side().or(on)
}
