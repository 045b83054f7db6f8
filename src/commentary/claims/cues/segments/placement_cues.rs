//! What stands where, by cue words: "f6: an empty square", "b8 does not hold a black knight".

use shakmaty::Square;

use super::segment::{Mention, Segment, square_of};
use crate::chess::Man;
use crate::commentary::claims::{
    board::{
        Clause,
        men::{self, the_up},
    },
    families::placement::there,
    grammar::{Det, Head, Np, Owner},
    truth::Truth,
};

/// Words that say a square is empty.
const EMPTY: &[&str] = &[
    "empty",
    "vacant",
    "unoccupied",
    "vacated",
    "free",
    "deserted",
    "available",
    "clear",
    "open",
];
/// Words that say something stands there.
const OCCUPIED: &[&str] = &[
    "occupied",
    "taken",
    "something",
    "someone",
    "somebody",
    "anything",
    "anyone",
    "anybody",
    "nobody",
    "nothing",
    "no one",
    "a piece",
    "no piece",
    "a man",
    "no man",
    "any piece",
    "occupant",
    "not a single",
    "single man",
    "none",
];
/// Words that put a man on a square.
const STANDS: &[&str] = &[
    "hold*",
    "home",
    "belong*",
    "find*",
    "found",
    "see",
    "sees",
    "stand*",
    "sit",
    "sits",
    "sitting",
    "occup*",
    "posted",
    "place*",
    "there is",
    "there are",
    "is on",
    "on the board",
    "house*",
    "accommodat*",
    "on it",
    "resid*",
    "lodged",
    "parked",
    "is a",
    "is not",
    "shelters",
    "what",
    "keeps",
    "has",
    "have",
    "with",
    "station*",
    "liv*",
    "lurk*",
];

/// "f6: an empty square", "b8 does not hold a black knight".
pub fn stands(clause: &Clause<'_>, segment: &Segment<'_>) -> Option<Truth> {
    let squares: Vec<Square> = segment
        .mentions
        .iter()
        .filter(|m| m.square)
        .filter_map(|m| square_of(&m.arg))
        .collect();
    let bare = |m: &&Mention| {
        m.arg
            .np()
            .is_some_and(|np| np.plural && np.det == Det::Bare && np.squares.is_empty())
    };
    let men: Vec<&Mention> = segment.men().into_iter().filter(|m| !bare(m)).collect();
    let no = segment.negative();
    let supposed = segment.says(&[
        "would",
        "could",
        "should",
        "might",
        "if",
        "unless",
        "want*",
        "plan*",
        "hope*",
        "let",
        "before",
        "until",
        "can",
        "may",
        "must",
        "need*",
        "wins",
        "winning",
        "capture*",
        "capturing",
        "head* for",
        "going to",
        "go to",
        "to reach",
        "has to",
        "have to",
        "had to",
        "is to",
        "are to",
    ]) && clause.frame.context.runs.is_empty();
    // "f7 isn't an outpost for the knight", "the king has access to g4": of what a square is good for.
    let serves = segment.says(&[
        "outpost*",
        "access",
        "shield*",
        "shelter for",
        "square for",
        "route",
        "path",
    ]);
    if supposed || serves || !segment.moves.is_empty() {
        return None;
    }
    let about = |sq: Square, empty: bool| {
        clause.ask(|view| match Man::at(view.board(), sq) {
            Some(man) => Truth::of(
                !empty,
                || format!("{} stands there.", the_up(man)),
                || format!("{} stands there.", the_up(man)),
            ),
            None => Truth::of(empty, || format!("{sq} is empty."), || format!("{sq} is empty.")),
        })
    };
    match (men.as_slice(), squares.as_slice()) {
        ([], []) if segment.tokens.len() <= 4 && segment.says(&["empty", "vacant", "unoccupied"]) => {
            segment.place.map(|sq| about(sq, !no))
        }
        // "You won't find a white bishop on f4".
        ([man], []) if segment.says(&["find*", "found", "look* for", "search*"]) => {
            let np = man.arg.np()?;
            let plain = np.det == Det::Indefinite && np.squares.len() == 1 && np.traits.is_empty();
            plain.then(|| clause.ask(|view| there(np, view, clause).negated(no)))
        }
        ([], [sq]) if segment.tokens.len() <= 12 => {
            if segment.says(EMPTY) {
                return Some(about(*sq, !no));
            }
            segment.says(OCCUPIED).then(|| about(*sq, no))
        }
        ([man], [sq]) => {
            let np = man.arg.np()?;
            let named = np.squares.is_empty() && matches!(np.head, Head::Role(_));
            let side = segment.sides.first().map(|&(side, _)| side);
            let owner = np.owner.or(side.map(Owner::Side));
            let has = side.is_some() && segment.says(&["has", "have", "keeps", "holds"]);
            let plain = has || matches!(np.det, Det::Indefinite | Det::Bare | Det::No) || np.owner.is_some();
            if !named || owner.is_none() || !plain || !np.traits.is_empty() || np.plural || !segment.says(STANDS) {
                return None;
            }
            let np = Np {
                owner,
                squares: vec![*sq],
                ..np.clone()
            };
            Some(clause.ask(|view| there(&np, view, clause).negated(no)))
        }
        // "Look at c5: that's a black pawn over there."
        ([man], []) => {
            let np = man.arg.np()?;
            let plain = np.det == Det::Indefinite && np.owner.is_some() && np.squares.is_empty();
            let here = segment.says(&["that is", "it is", "this is", "there is", "there stands", "there sits"]);
            let np = Np {
                squares: vec![segment.place?],
                ..np.clone()
            };
            let ours = plain && here && np.traits.is_empty() && segment.tokens.len() <= 9;
            ours.then(|| clause.ask(|view| there(&np, view, clause).negated(no)))
        }
        // "The man on f6 is a black rook".
        ([one, other], []) => {
            let (one, other) = (one.arg.np()?, other.arg.np()?);
            let (place, what) = if one.head == Head::Piece {
                (one, other)
            } else {
                (other, one)
            };
            let named = place.head == Head::Piece
                && place.squares.len() == 1
                && what.squares.is_empty()
                && matches!(what.head, Head::Role(_));
            if !named || !segment.says(&["is", "are"]) {
                return None;
            }
            let np = Np {
                squares: place.squares.clone(),
                ..what.clone()
            };
            Some(clause.ask(|view| {
                let any = men::of_np(place, view, None, clause.world);
                if any.men.is_empty() {
                    return Truth::no(any.missing);
                }
                there(&np, view, clause).negated(no)
            }))
        }
        _ => None,
    }
}
