//! What a clause's words say beside who does what to whom: wings, squares, whether a thing is for free.

use shakmaty::{CastlingSide, Square};

use super::{
    frame::{Arg, Frame},
    lexicon::{Prep, Thing},
    phrase::{Det, Head, Item, Part},
};

/// The wing that it names.
pub fn wing_of(frame: &Frame) -> Option<CastlingSide> {
    for part in frame.post.iter().chain(&frame.pre) {
        match &part.item {
            Item::Np(np) => match np.head {
                Head::Thing(Thing::Kingside) => return Some(CastlingSide::KingSide),
                Head::Thing(Thing::Queenside) => return Some(CastlingSide::QueenSide),
                _ => match np.kingside {
                    Some(true) => return Some(CastlingSide::KingSide),
                    Some(false) => return Some(CastlingSide::QueenSide),
                    None => {}
                },
            },
            Item::Word(word) if matches!(word.as_str(), "short" | "kingside") => return Some(CastlingSide::KingSide),
            Item::Word(word) if matches!(word.as_str(), "long" | "queenside") => return Some(CastlingSide::QueenSide),
            _ => {}
        }
    }
    None
}

/// "for free", "for nothing".
pub fn for_free(frame: &Frame) -> bool {
    frame
        .words
        .windows(2)
        .any(|w| w[0] == "for" && matches!(w[1].as_str(), "free" | "nothing"))
}

/// The squares behind one of these prepositions.
pub fn squares_behind(frame: &Frame, preps: &[Prep]) -> Vec<Square> {
    frame
        .behind(preps)
        .iter()
        .filter_map(Arg::np)
        .filter(|np| matches!(np.head, Head::Square { .. }))
        .flat_map(|np| np.squares.clone())
        .collect()
}

/// True where it may be said of the move alone: no subject is named but "it".
pub fn only_it(frame: &Frame) -> bool {
    let subject = &frame.subject;
    subject.is_empty()
        || frame.words.iter().any(|w| w == "it")
        || subject.iter().all(|a| matches!(a, Arg::Played | Arg::Any(_)))
}

/// The objects' parts: noun phrases behind the verb, joined by "and" and commas.
/// The noun phrases behind a verb that are its objects.
pub fn object_parts(post: &[Part]) -> Vec<&Part> {
    let mut found = Vec::new();
    for (at, part) in post.iter().enumerate() {
        match &part.item {
            Item::Np(np) if np.head == Head::Side => {}
            // "wins a rook, and the bishop eyes …": the next clause.
            Item::Np(np)
                if np.det == Det::Definite
                    && np.is_men()
                    && matches!(
                        post[..at],
                        [.., Part { item: Item::Comma, .. }, Part { item: Item::And, .. }]
                    ) =>
            {
                break;
            }
            Item::Np(_) => found.push(part),
            Item::And | Item::Or | Item::Comma | Item::Word(_) | Item::Trait(_) | Item::Not => {}
            _ => break,
        }
    }
    found
}
