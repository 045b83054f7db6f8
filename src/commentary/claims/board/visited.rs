//! The positions that a text has come by: "Better was Rb1. From there the rook attacks c1" speaks of the board after Rb1,
//! "After Bxf4+ … Then Nxf4" goes on where the sentence before has stopped.

use shakmaty::{Position, Square};

use super::scene::{View, World};
use crate::chess::motifs::threat::passed_turn;
use crate::commentary::claims::{
    draft::Draft,
    grammar::{Act, Det, Frame, Head, Item, Modal, MoveWord, Part, Prep, Thing},
};

/// Most positions that are kept; of more the oldest go.
const MOST_POSITIONS: usize = 12;

/// Most moves from a position that a sentence may tell of without their notation.
const NEAR: usize = 8;

/// Most captures that words without a move's name may mean.
const CAPTURES: usize = 3;

/// A position that a sentence comes by itself, and the move that it names for it.
pub type Passed = (View, Option<MoveWord>);

/// The positions that the moves of a text lead to, the latest last.
#[derive(Debug, Default)]
pub struct Visited {
    views: Vec<View>,
}

impl Visited {
    /// Follows the moves of a sentence, each from wherever the text has been so far; the positions that are new.
    pub fn follow(&mut self, world: &World<'_>, parts: &[Part]) -> Vec<Passed> {
        let mut passed = Vec::new();
        for at in 0..parts.len() {
            let word = named(parts, at);
            let found = match &word {
                Some(word) if world.is_played(word) => continue,
                Some(word) => self.play(world, word),
                None => captures(world, parts, at),
            };
            passed.extend(found.iter().map(|view| (view.clone(), word.clone())));
            // The likeliest is the last.
            self.views.extend(found.into_iter().rev());
        }
        let surplus = self.views.len().saturating_sub(MOST_POSITIONS);
        self.views.drain(..surplus);
        passed
    }

    fn play(&self, world: &World<'_>, word: &MoveWord) -> Vec<View> {
        let mut starts: Vec<View> = self.views.iter().rev().cloned().collect();
        starts.extend([world.after(), world.before()]);
        let mut found = world.follow_from(&starts, std::slice::from_ref(word)).views;
        found.retain(|view| self.views.iter().all(|known| known.pos != view.pos));
        found.truncate(MOST_POSITIONS);
        found
    }

    /// The positions, the likeliest first.
    pub fn views(&self) -> impl Iterator<Item = &View> {
        self.views.iter().rev()
    }
}

/// A move, or a square that may be a pawn's: not "on e6", but "gets in e6", as men don't stand in squares.
fn named(parts: &[Part], at: usize) -> Option<MoveWord> {
    let behind = at.checked_sub(1).map(|i| &parts[i].item);
    match &parts[at].item {
        Item::Move(word) => Some(word.clone()),
        Item::Np(np) => {
            let maybe = np.head == (Head::Square { maybe_move: true }) && !matches!(behind, Some(Item::Prep(_)));
            let into = matches!(np.head, Head::Square { .. }) && matches!(behind, Some(Item::Prep(Prep::In)));
            let [square] = np.squares.as_slice() else { return None };
            (maybe || into).then(|| MoveWord {
                text: square.to_string(),
                number: None,
                side: None,
                reply: false,
            })
        }
        _ => None,
    }
}

/// "captures it on b6": what may be taken there.
fn captures(world: &World<'_>, parts: &[Part], at: usize) -> Vec<View> {
    let takes = matches!(&parts[at].item, Item::Verb(verb)
        if matches!(verb.act, Act::Capture | Act::Recapture) && !(verb.negated && verb.modal.is_some()));
    // "Nothing can recapture there."
    let nobody = matches!(at.checked_sub(1).map(|i| &parts[i].item), Some(Item::Np(np))
        if np.det == Det::No || np.head == Head::Thing(Thing::Nothing));
    let takes = takes && !nobody;
    let square = parts[at + 1..].iter().take(4).find_map(|p| match &p.item {
        Item::Np(np) => np.squares.first().copied(),
        _ => None,
    });
    let Some(square) = square.filter(|_| takes) else {
        return Vec::new();
    };
    let pos = world.after().pos;
    let moves = pos.legal_moves();
    let there = moves.iter().filter(|m| m.is_capture() && m.to() == square);
    there.take(CAPTURES).map(|m| View::after(&pos, *m)).collect()
}

/// Positions that one more move would lead to, where the sentence may tell of it without its notation: "the queen comes to f6
/// with mate", "now Black will castle"; and the one before the move, which it may look back to.
pub fn near(world: &World<'_>, parts: &[Part]) -> Vec<View> {
    // "The queen can't be captured": that tells of no move.
    let denies = |part: &Part| matches!(&part.item, Item::Verb(verb) if verb.negated && verb.modal == Some(Modal::Can));
    if parts.iter().any(denies) && !parts.iter().any(|part| matches!(part.item, Item::Move(_))) {
        return Vec::new();
    }
    let castles = parts
        .iter()
        .any(|part| matches!(&part.item, Item::Verb(verb) if verb.act == Act::Castle));
    let squares: Vec<Square> = parts
        .iter()
        .flat_map(|part| match &part.item {
            Item::Np(np) => np.squares.clone(),
            _ => Vec::new(),
        })
        .collect();
    let after = world.after().pos;
    let starts = [Some(after.clone()), passed_turn(&after), Some(world.before().pos)];
    let mut found = vec![world.before()];
    for pos in starts.into_iter().flatten() {
        let moves = pos.legal_moves();
        let meant = moves
            .iter()
            .filter(|m| *m != &world.played().mv && (squares.contains(&m.to()) || castles && m.is_castle()));
        found.extend(meant.take(NEAR).map(|m| View::after(&pos, *m)));
    }
    found
}

/// True where moves can be played before the move, after it, or when either side has moved once more.
pub fn is_at_hand(world: &World<'_>, run: &[MoveWord]) -> bool {
    if run.is_empty() {
        return false;
    }
    let after = world.after().pos;
    let passed = passed_turn(&after).map(View::alone);
    let mut starts = vec![world.before(), world.after()];
    starts.extend(passed);
    starts.extend(after.legal_moves().into_iter().map(|m| View::after(&after, m)));
    !world.follow_from(&starts, run).views.is_empty()
}

/// What a sentence says of the board may be said of the positions that it comes by: not what it denies, nor what it says of
/// the end of a line that leads through this one.
pub fn may_tell(draft: &Draft, frames: &[Frame], lead: &[MoveWord], by: Option<&MoveWord>) -> bool {
    let frame = clause_of(draft, frames);
    let open = |frame: &Frame| {
        let mut line = frame.context.runs.iter().flatten().chain(lead);
        !frame.denies() && !line.any(|word| by.is_some_and(|by| by.text == word.text))
    };
    draft.kind.is_state() && frame.is_none_or(open)
}

/// The clause that a claim was found in.
pub fn clause_of<'a>(draft: &Draft, frames: &'a [Frame]) -> Option<&'a Frame> {
    // A clause about "he" may begin where he is named.
    let within = |f: &&Frame| f.span.start <= draft.span.start && draft.span.end <= f.span.end;
    let behind = || frames.iter().rev().find(|f| f.span.start <= draft.span.start);
    frames.iter().find(within).or_else(behind)
}

/// What fails on the board but holds at one of the positions that the text has come by is left open.
pub fn allow(drafts: &mut [Draft], elsewhere: &[Draft], may: impl Fn(&Draft) -> bool) {
    for draft in drafts.iter_mut().filter(|draft| draft.truth.fails() && may(draft)) {
        let mut same = elsewhere.iter().filter(|other| {
            let overlap = other.span.start < draft.span.end && draft.span.start < other.span.end;
            other.kind == draft.kind && overlap
        });
        // Another reading of the same words may hold there by chance.
        let holds = same.clone().any(|other| other.truth.holds()) && !same.any(|other| other.truth.fails());
        if holds {
            draft.truth = draft
                .truth
                .clone()
                .lenient("It may speak of a position along the moves that the text names.");
        }
    }
}
