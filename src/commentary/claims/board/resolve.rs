//! What squares and moves stand for: a pawn's move, a man on its square, the man that stands where the words say.

use shakmaty::{Chess, Position, Square};

use super::scene::World;
use crate::chess::Man;
use crate::chess::destination;
use crate::commentary::claims::grammar::{Act, Arg, Det, Frame, Head, Item, MoveWord, Np, Owner, Prep, Thing, lexicon};
use crate::commentary::claims::text::token::named_man;

/// Squares that are pawn moves, and moves that are men on their squares, by the board and the verb.
pub fn resolve(world: &World<'_>, frame: &mut Frame) {
    let square_acts = matches!(
        frame.verb.act,
        Act::Stand | Act::Hang | Act::Lack | Act::Continue | Act::Have | Act::Leave
    ) || frame.verb.passive
        || (frame.verb.act == Act::Be && !judges(frame));
    let is_be = frame.verb.act == Act::Be;
    for arg in &mut frame.subject {
        resolve_arg(world, arg, square_acts, is_be);
    }
    resolve_place(world, frame);
    let men_wanted = matches!(
        frame.verb.act,
        Act::Attack
            | Act::Defend
            | Act::Pin
            | Act::Fork
            | Act::Skewer
            | Act::Threaten
            | Act::Support
            | Act::Eye
            | Act::Capture
            | Act::Trap
            | Act::Hang
    ) || frame.verb.passive;
    for part in frame.post.iter_mut().chain(&mut frame.pre) {
        if let Item::Move(word) = &part.item
            && men_wanted
            && let Some(np) = standing(world, word)
        {
            part.item = Item::Np(np);
        }
    }
}

/// "The pawn has no protection on b5", "is quite safe there on b5": the one that stands there is meant.
fn resolve_place(world: &World<'_>, frame: &mut Frame) {
    let states = matches!(
        frame.verb.act,
        Act::Be | Act::Stand | Act::Have | Act::Lack | Act::Continue | Act::Leave
    );
    let bond = frame.verb.passive && matches!(frame.verb.act, Act::Attack | Act::Defend | Act::Support);
    let [Arg::Np(np, _)] = frame.subject.as_mut_slice() else {
        return;
    };
    let bare = np.is_men() && np.squares.is_empty() && np.file.is_none() && !np.plural && np.det == Det::Definite;
    if !bare || !(states || bond) {
        return;
    }
    let Head::Role(role) = np.head else { return };
    let after = world.after();
    let place = frame
        .post
        .windows(2)
        .find_map(|pair| match (&pair[0].item, &pair[1].item) {
            (Item::Prep(Prep::On), Item::Np(place)) if matches!(place.head, Head::Square { .. }) => {
                place.squares.first().copied()
            }
            _ => None,
        });
    let fits = |man: Man| man.role == role && !matches!(np.owner, Some(Owner::Side(color)) if color != man.color);
    if let Some(square) = place.filter(|&square| Man::at(after.board(), square).is_some_and(fits)) {
        np.squares = vec![square];
        np.placed = true;
    }
}

fn resolve_arg(world: &World<'_>, arg: &mut Arg, square_acts: bool, is_be: bool) {
    if let Arg::Any(all) = arg {
        all.iter_mut()
            .for_each(|arg| resolve_arg(world, arg, square_acts, is_be));
        return;
    }
    let word = match arg {
        Arg::Np(np, span)
            if np.head == (Head::Square { maybe_move: true })
                && !square_acts
                && np.squares.len() == 1
                && !stands_there(world, np.squares[0]) =>
        {
            let word = MoveWord {
                text: np.squares[0].to_string(),
                number: None,
                side: None,
                reply: false,
            };
            // "g7 is the better choice": a square, unless a pawn can go there.
            let fits = !is_be || !world.follow(&[vec![word.clone()]]).views.is_empty();
            fits.then(|| (word, span.clone()))
        }
        _ => None,
    };
    if let Some((word, span)) = word {
        *arg = Arg::Move(word, span);
    }
    if let Arg::Move(word, span) = arg
        && let Some(np) = standing(world, word)
    {
        *arg = Arg::Np(np, span.clone());
    }
}

/// "is a mistake", "is best", "is legal": said of moves, not of squares.
fn judges(frame: &Frame) -> bool {
    use lexicon::Trait::{Bad, Best, Better, Blunder, Good, Illegal, Inaccuracy, Legal, Mistake, Worse};
    let said = |t: &lexicon::Trait| {
        matches!(
            t,
            Bad | Best | Better | Blunder | Good | Illegal | Inaccuracy | Legal | Mistake | Worse
        )
    };
    frame.traits().iter().any(|(t, _)| said(t))
        || frame.things().any(|(_, thing, np, _)| {
            matches!(
                thing,
                Thing::Quality
                    | Thing::Move
                    | Thing::Choice
                    | Thing::Reply
                    | Thing::Mate
                    | Thing::Check
                    | Thing::Stalemate
                    | Thing::Fork
            ) || np.traits.iter().any(said)
        })
}

/// A man stands on the square, and not because the move that was played put it there.
fn stands_there(world: &World<'_>, square: Square) -> bool {
    let moved = destination(world.played().mv) == square;
    !moved && Man::at(world.played().after.board(), square).is_some()
}

/// "Bf1", "Nc6": a man that stands there, where the words name no move that can be meant.
pub fn standing(world: &World<'_>, word: &MoveWord) -> Option<Np> {
    if word.side.is_some() || world.is_played(word) {
        return None;
    }
    let (role, square) = named_man(&word.text)?;
    let stands = |pos: &Chess| Man::at(pos.board(), square).is_some_and(|man| man.role == role);
    (stands(&world.played().after) || stands(&world.played().before)).then(|| Np {
        squares: vec![square],
        placed: true,
        det: Det::Definite,
        ..Np::of(Head::Role(role))
    })
}

/// True where the word is the man that stands on its square and no move.
pub fn is_man(world: &World<'_>, word: &MoveWord) -> bool {
    standing(world, word).is_some() && world.follow(&[vec![word.clone()]]).views.is_empty()
}
