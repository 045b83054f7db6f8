//! The positions that a text has come by: "Better was Rb1. From there the rook attacks c1" speaks of the board after Rb1,
//! "After Bxf4+ … Then Nxf4" goes on where the sentence before has stopped.

use super::scene::{View, World};
use crate::commentary::claims::{
    Draft,
    grammar::phrase::{Head, Item, MoveWord, Part},
};

/// Most positions that are kept; of more the oldest go.
const MOST: usize = 12;

/// The positions that the moves of a text lead to, the latest last.
#[derive(Debug, Default)]
pub struct Visited {
    views: Vec<View>,
}

impl Visited {
    /// Follows the moves of a sentence, each from wherever the text has been so far.
    pub fn follow(&mut self, world: &World<'_>, parts: &[Part]) {
        let mut behind = None;
        for part in parts {
            if let Some(word) = named(part, behind).filter(|word| !world.is_played(word)) {
                self.play(world, &word);
            }
            behind = Some(&part.item);
        }
        let surplus = self.views.len().saturating_sub(MOST);
        self.views.drain(..surplus);
    }

    fn play(&mut self, world: &World<'_>, word: &MoveWord) {
        let mut starts: Vec<View> = self.views.iter().rev().cloned().collect();
        starts.extend([world.after(), world.before()]);
        let mut found = world.follow_from(&starts, std::slice::from_ref(word)).views;
        found.retain(|view| self.views.iter().all(|known| known.pos != view.pos));
        // The likeliest is the last.
        self.views.extend(found.into_iter().take(MOST).rev());
    }

    /// The positions, the likeliest first.
    pub fn views(&self) -> impl Iterator<Item = &View> {
        self.views.iter().rev()
    }
}

/// A move, or a square that may be a pawn's: not "on e6".
fn named(part: &Part, behind: Option<&Item>) -> Option<MoveWord> {
    match &part.item {
        Item::Move(word) => Some(word.clone()),
        Item::Np(np) if np.head == (Head::Square { maybe_move: true }) && !matches!(behind, Some(Item::Prep(_))) => {
            let [square] = np.squares.as_slice() else { return None };
            Some(MoveWord {
                text: square.to_string(),
                number: None,
                side: None,
                reply: false,
            })
        }
        _ => None,
    }
}

/// What fails on the board but holds at one of the positions that the text has come by is left open.
pub fn allow(drafts: &mut [Draft], elsewhere: &[Draft]) {
    for draft in drafts.iter_mut().filter(|draft| draft.truth.fails()) {
        let holds = elsewhere.iter().any(|other| {
            let overlap = other.span.start < draft.span.end && draft.span.start < other.span.end;
            other.kind == draft.kind && overlap && other.truth.holds()
        });
        if holds {
            draft.truth = draft
                .truth
                .clone()
                .lenient("It may speak of a position along the moves that the text names.");
        }
    }
}
