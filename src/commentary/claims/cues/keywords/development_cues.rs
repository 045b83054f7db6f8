//! Development by its cues: "still on its original square", "has yet to be developed", "leads in development".

use shakmaty::{Color, Rank, Role, Square};

use super::piece::{Named, Piece, PieceCue, Reading};
use crate::chess::{Man, names::color_name};
use crate::commentary::claims::{
    ClaimKind,
    board::{View, men::the_up},
    families::development::{at_home, developed_minors, home_minors},
    grammar::lexicon,
    truth::Truth,
};

/// The man has left its home square. Longest first: "left its home square" is no mention of a man at home.
const OUT: &[&str] = &[
    "left|leave|leaves|leaving|departed|quit|abandoned its|the|their|his ~ square|home|post|place|position|rank|squares",
    "moved|gone|come|stepped|jumped|developed from|off|away",
    "developed|mobilised|mobilized|activated|deployed",
    "brought|come|comes|came|coming|bring|brings|getting|gets|got|get ~ out|play|game|action",
    "got|brought|brings|gets ~ ~ out",
    "in|into|entered|enter|joined|join|joins ~ play|game|action|fray|battle",
    "away|off from|its|the ~ square|home|post|place|position|rank|squares",
    "has|have|got|gets|with ~ ~ pieces|minors|bishops|knights|bishop|knight out",
    "is|are|been|gone|go|goes|already|come|came|pieces|minors ~ out",
    "moved|stirred|budged|touched",
    "already|been|now active",
    "managed|fail|fails|failed|found|time to ~ develop|bring",
    "development of ~ ~ ~ ~ complete|completed|finished|done|over|place",
    "completed|finished|completes|finishes ~ development|developing",
];
/// It stands where it began.
const HOME: &[&str] = &[
    "undeveloped|unmoved|dormant|sleeping|asleep|slumbers|slumbering|sleeps|idle",
    "home|starting|start|original|initial|opening square|squares|position|post|place",
    "at|back home",
    "where it|they started|began|begins|starts|belongs|stood",
    "square of origin",
];
/// It has still to come out.
const WAITS: &[&str] = &[
    "waits|waiting|wait|awaits|awaiting ~ developed|development|move|brought|play",
    "needs|need|has|have|is|are|still to ~ develop|developed|move|moved|enter|join|come|bring|brought|get",
    "high|is time ~ ~ develop|developed|brought",
    "waits|waiting|awaits|awaiting ~ turn|chance",
    "out of ~ play|game|action",
    "remains|left to be developed",
    "development of ~ ~ ~ ~ to come",
    "forgot|forgotten|neglected|omitted to ~ develop",
    "busy developing",
    "remains|still ~ ~ to develop",
    "see the light|any action",
    "needs|need|requires|awaits|lacks _ _ development|developing",
];

/// What a piece says of development.
pub fn read(cue: &PieceCue<'_>) -> Option<Reading> {
    let piece = cue.piece;
    let wish =
        piece.says(&["if|would|could|should|might|hope*|want*|plan*|prepare*|before|until|was|were|had|soon|later"]);
    if wish {
        return None;
    }
    let truth = lead(cue)
        .or_else(|| completed(cue))
        .or_else(|| by_the_move(cue))
        .or_else(|| home(cue))?;
    Some(Reading {
        kind: ClaimKind::Development,
        truth,
    })
}

/// "White is ahead in development", "Black is less developed than White".
fn lead(cue: &PieceCue<'_>) -> Option<Truth> {
    let piece = cue.piece;
    let about = piece.says(&[
        "development|developed|underdeveloped|developing|undeveloped|develop",
        "out more|fewer",
        "pieces|men|minors in|into play|action",
        "more|fewer ~ out|home",
        "race to develop",
    ]);
    // "When it comes to development, Black is ahead".
    let fronted = |p: &Piece| {
        p.says(&["in|of|to|for|as|regards|regarding|concerning development"])
            .then_some(())
    };
    if !about && cue.slot(fronted).is_none() {
        return None;
    }
    let less = piece.says(&[
        "behind|neglected|neglecting|neglects|lags|lagging|lag|trails|trailing|trail|less|worse|inferior|slower|fewer|retarded|poorer", "catch|catching up", "poorly|badly developed", "underdeveloped ~ ~ than|to|with"]);
    let more = piece.says(&[
        "ahead|lead|leads|leading|better|superior|faster|further|quicker|advantage|edge|outpaced|outstripped|outdeveloped|out-developed|outpaces|outstrips",
        "lacks|lack|lacking|short ~ development",
        "as ~ developed|many as|pieces",
        "match|matches|rival|rivals ~ development",
        "keep|keeps|kept up with",
        "up in development",
        "more progress|advanced",
        "more ~ pieces|men|developed|undeveloped|quickly|rapidly",
        "upper hand",
        "in front",
        "won|wins|winning the ~ race",
    ]);
    if less == more
        || piece.named.iter().any(|named| named.role.is_some())
        || piece.says(&[
            "full development",
            "any more",
            "needs|need|has|have|must|to ~ develop|bring|get ~ more",
        ])
        || piece.says(&["more than one|two|three", "two|2 or more"])
        || piece.has_move && !piece.says(&["after <move>"])
    {
        return None;
    }
    // "is troubled by White's lead in development".
    let owner = piece.words.windows(5).find_map(|w| {
        let color = match w[0].as_str() {
            "white" => Color::White,
            "black" => Color::Black,
            _ => return None,
        };
        let lead = w[2..]
            .iter()
            .any(|word| matches!(word.as_str(), "lead" | "better" | "superior" | "advantage"));
        (w[1] == "'s" && lead && piece.says(&["lead|better|superior|advantage ~ development"])).then_some(color)
    });
    let side = owner.or_else(|| cue.slot(|p| p.sides.first().copied()))?;
    // "leaves Black behind in development", "gives White a lead in development".
    let given = piece.says(&[
        "leaves|leaving|left white|black behind",
        "gives|give|gave|given|allows|allowed|lets|let|hands|handed|concedes|conceded|grants|granted ~ lead|ahead|edge|advantage|better",
    ]);
    // "has more pieces at home".
    let behind = piece.says(&["more|fewer|less ~ undeveloped", "more|fewer|less ~ ~ home"]);
    // "has yet to catch up": a denial has taken the "yet".
    let behind = behind ^ piece.says(&["yet to catch"]) ^ given;
    let sign = if less == behind { 1 } else { -1 };
    Some(cue.ask(|view| lead_of(view, side, sign)))
}

/// Minor pieces out less minor pieces at home, against those of the other side.
fn lead_of(view: &View, side: Color, sign: i32) -> Truth {
    let board = view.board();
    let n = |color| {
        i32::try_from(developed_minors(board, color)).unwrap_or(0)
            - i32::try_from(home_minors(board, color)).unwrap_or(0)
    };
    let lead = (n(side) - n(side.other())) * sign;
    let why = format!(
        "White has {} minor pieces in play, Black {}.",
        developed_minors(board, Color::White),
        developed_minors(board, Color::Black)
    );
    if lead == 0 {
        return Truth::unknown("Development is more than pieces off their squares.");
    }
    Truth::of(lead > 0, || why.clone(), || why.clone())
}

/// "has completed development", "all of White's minor pieces are out", "still has undeveloped minor pieces".
fn completed(cue: &PieceCue<'_>) -> Option<Truth> {
    let piece = cue.piece;
    let of_one = piece.says(&["development of ~ knight|bishop|rook|queen"]);
    let whole = !of_one && piece.says(&[
        "complete|completed|completes|completing|finish|finished|finishes|finishing|incomplete|unfinished ~ develop*",
        "development ~ complete|completed|incomplete|finished|unfinished|done|over|way",
        "fully|completely|entirely developed",
        "done|finished|through with development|developing",
        "done|finished developing",
        "work to do ~ development",
        "developing to do",
    ]);
    let minors = piece.says(&[
        "minor piece|pieces",
        "minors",
        "knights and bishops",
        "bishops and knights",
    ]);
    if !whole && !minors || piece.named.iter().any(|named| named.role.is_some()) {
        return None;
    }
    // "At least two of White's minor pieces are at home".
    if !whole && piece.says(&["at least two|2", "two|2 or more"]) && minor_sign(piece) == Some(false) {
        let side = cue.slot(Piece::side)?;
        return Some(cue.ask(|view| {
            let n = home_minors(view.board(), side);
            let why = format!("{n} of {}'s minor pieces are at home.", color_name(side));
            Truth::of(n > 1, || why.clone(), || why.clone())
        }));
    }
    // "two minor pieces", "most of the minor pieces": more is said than all or some.
    if !whole && piece.says(&["two|three|four|2|3|4|most|few|only|more|both|half|another"]) {
        return None;
    }
    let side = cue.slot(Piece::side)?;
    let unfinished = piece.says(&[
        "incomplete|unfinished",
        "under way",
        "work|developing to do",
        "has|have|needs|need to ~ complete|finish",
        "needs|need ~ to complete|finish",
        "left to develop",
    ]);
    let sign = if whole { Some(!unfinished) } else { minor_sign(piece) }?;
    Some(cue.ask(|view| {
        let n = home_minors(view.board(), side);
        let why = format!("{n} of {}'s minor pieces are at home.", color_name(side));
        let truth = Truth::of(n == 0, || why.clone(), || why.clone()).negated(!sign);
        if n == 1 && whole && sign == piece.polarity.denied {
            return Truth::unknown("One piece more or less is a matter of taste.");
        }
        truth
    }))
}

/// "has left its home square", "is off its home square": home is named, and left behind.
fn left_home(piece: &Piece) -> bool {
    const LEFT: &[&str] = &[OUT[0], "from|off|away ~ home|starting|start|original|initial"];
    piece.says(LEFT)
}

/// Out, or at home, as a piece says of minor pieces.
fn minor_sign(piece: &Piece) -> Option<bool> {
    if piece.says(WAITS) || piece.says(HOME) {
        return Some(left_home(piece));
    }
    piece
        .says(&["to develop|bring", "on ~ back rank"])
        .then_some(false)
        .or_else(|| piece.says(OUT).then_some(true))
}

/// "develops the knight with Nf3".
fn by_the_move(cue: &PieceCue<'_>) -> Option<Truth> {
    let piece = cue.piece;
    let develops = piece.says(&[
        "develops|develop|developing",
        "is|gets|being developed",
        "brings|bring|bringing|gets|get|getting|puts|puts ~ ~ out|play|game|action",
        "comes|come|coming ~ out|play|game|action",
        "enters|enter|entering|joins|join|joining ~ play|game|action|fray|battle",
        "leaves|leave|leaving ~ home|starting|original|initial|back",
        "sees the light",
        "is|are|gets brought|taken ~ out|play|game|action|off",
        "knight|bishop|rook|queen development",
        "takes|taking|gets|moves ~ ~ off its|the",
        "mobilises|mobilizes|activates|mobilise|mobilize|activate|deploy|deploys",
        "takes|take|taking|moves|frees ~ ~ from ~ home|starting|original|initial",
        "takes|take|taking ~ ~ out",
        "out comes",
        "starts|begins ~ ~ career",
        "first move",
        "gets|get|getting ~ ~ developed",
        "development of",
    ]);
    let unlike = piece.says(&["nothing to do with"]);
    let counted = piece.says(&["more|fewer|all|both|every"]);
    // "comes out a rook ahead": of material.
    let material = piece.says(&["ahead|up|down|behind|extra|short"]);
    let neglects = piece.says(&[
        "neglects|neglecting|leaves|ignores|ignoring|omits|omitting ~ development|developing",
        "other than ~ develop*",
        "over developing|bringing",
        "prefers|prefer|preferring|chooses ~ to|over developing|bringing|the",
        "expense|cost of ~ developing|development",
    ]);
    if !develops
        || counted
        || material
        || !unlike && piece.says(&["has|have|yet|still|already|needs|waiting|waits|been|undeveloped"])
    {
        return None;
    }
    if piece.named.iter().any(|named| named.role.is_some()) {
        return None;
    }
    // Of a man named elsewhere only where a pronoun stands for it: "A developing move, though White is a knight down".
    let meant = piece.says(&["it|him|her|one"]);
    let role = role_of(piece).or_else(|| cue.slot(role_of).filter(|_| meant))?;
    let moved = piece.has_move || cue.slot(|p| p.has_move.then_some(())).is_some();
    let mover = cue.world.mover();
    if piece.side().is_some_and(|side| side != mover) && !moved {
        return None;
    }
    let goal: Option<Square> = piece
        .words
        .windows(2)
        .filter(|pair| matches!(pair[0].as_str(), "to" | "on" | "onto" | "at"))
        .find_map(|pair| pair[1].parse().ok());
    Some(
        cue.ask(|view| {
            let Some(was) = view.moved_from() else {
                return Truth::unknown("No move is spoken of.");
            };
            if view.deed.as_ref().is_some_and(|(_, m)| m.is_castle()) {
                return Truth::unknown("Castling brings out a rook.");
            }
            let why = format!("{} moves.", the_up(was));
            if was.role != role || goal.is_some_and(|goal| view.moved().is_some_and(|now| now.square != goal)) {
                return Truth::no(why);
            }
            if at_home(was) || was.color.relative_rank(was.square.rank()) == Rank::First {
                return Truth::yes(why);
            }
            Truth::unknown("It was out already.")
        })
        .negated(neglects),
    )
}

/// The only knight, bishop, rook or queen that is named without a square.
fn role_of(piece: &Piece) -> Option<Role> {
    let mut roles = piece
        .words
        .iter()
        .filter_map(|word| lexicon::role(word))
        .filter(|(role, plural)| !plural && !matches!(role, Role::Pawn | Role::King))
        .map(|(role, _)| role);
    let first = roles.next()?;
    roles.all(|role| role == first).then_some(first)
}

/// "The knight on g8 has yet to move".
fn home(cue: &PieceCue<'_>) -> Option<Truth> {
    let piece = cue.piece;
    let is_home = if piece.says(WAITS) {
        true
    } else {
        let left = left_home(piece);
        match (piece.says(HOME) && !left, piece.says(OUT)) {
            (true, false) => true,
            (false, true) => false,
            // "still undeveloped, has not moved": the same twice, or a riddle.
            _ => return None,
        }
    };
    if piece.has_move
        || piece.says(&[
            "with|to develop",
            "better|more|less",
            "out of reach|range|touch|sight|play|the",
        ]) && !piece.says(WAITS)
    {
        return None;
    }
    let minor = |named: &Named| matches!(named.role, Some(Role::Knight | Role::Bishop));
    let square = cue.slot(|p| p.man(minor).map(|named| named.square))?;
    // "yet to be developed": a denial has taken the waiting.
    let denied = piece.polarity.denied;
    let yet = piece.says(&["yet to"]);
    let flip = piece.says(WAITS) && (yet || piece.says(&["lacks|lack _ _ development"])) && denied;
    Some(
        cue.ask(|view| {
            let Some(man) = Man::at(view.board(), square) else {
                return Truth::unknown(format!("Nothing stands on {square}."));
            };
            let home = at_home(man);
            let why = if home {
                format!("{} stands on its home square.", the_up(man))
            } else {
                format!("{} has left its home square.", the_up(man))
            };
            Truth::of(home == is_home, || why.clone(), || why.clone())
        })
        .negated(flip),
    )
}
