//! Where a clause has men get to: what follows may be said of the board by then.

use shakmaty::Square;

use super::{
    frame::{Arg, Frame, behind},
    lexicon::{Act, Prep},
    phrase::{Head, Item, MoveWord, Part},
};

/// The square that a clause has a man go to: "drops into g3", "takes on f8".
pub fn gone_to(frame: &Frame) -> Option<Square> {
    let goes = matches!(
        frame.verb.act,
        Act::Move | Act::Retreat | Act::Develop | Act::Capture | Act::Recapture | Act::Lose | Act::Play
    );
    let places = behind(&frame.post, &[Prep::To, Prep::Into, Prep::On]);
    let place = places
        .iter()
        .filter_map(Arg::np)
        .find(|np| matches!(np.head, Head::Square { .. }))?;
    place
        .squares
        .first()
        .copied()
        .filter(|_| goes && !frame.negated && !frame.verb.passive)
}

/// The square or the move right before ", where" and ", when": what follows is said of the board once it is reached.
pub fn reached(part: &Part) -> (Option<Square>, Vec<MoveWord>) {
    let word = |text: String| MoveWord {
        text,
        number: None,
        side: None,
        reply: false,
    };
    match &part.item {
        Item::Move(word) => (word.text.parse().ok(), vec![word.clone()]),
        Item::Np(np) if matches!(np.head, Head::Square { .. }) => {
            let square = np.squares.first().copied();
            (
                square,
                square.map(|square| word(square.to_string())).into_iter().collect(),
            )
        }
        _ => (None, Vec::new()),
    }
}
