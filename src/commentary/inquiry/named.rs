//! The lines that a question names: moves in a row, from the position after the move or else as an alternative to it.

use shakmaty::{Chess, Color, Move, Position, san::SanPlus};

use super::{
    subject::{AskedLine, Inquiry},
    words::{Word, is_move, respelled},
};
use crate::chess::{Played, notation::read_move};

/// The most moves of a line.
const LONGEST_LINE: usize = 8;
/// Words after which a square is a place.
const PLACES: [&str; 6] = ["on", "at", "to", "of", "from", "the"];
/// Words that ask for an alternative: where a move could be a reply as well, it is the mover's.
const INSTEAD: [&str; 4] = ["instead", "better", "rather", "stronger"];

/// Whether the words before the one at `i` call for a move: "why not", "what if", another move.
fn calls(words: &[Word<'_>], i: usize) -> bool {
    const CALLS: [&str; 10] = [
        "play", "plays", "played", "playing", "push", "pushes", "about", "then", "if", "not",
    ];
    let before = |n: usize| i.checked_sub(n).and_then(|i| words.get(i));
    let is_call =
        |word: &Word<'_>| word.numbered || CALLS.iter().any(|call| word.is(call)) || is_move(word.text, false);
    let compared = [1, 2]
        .into_iter()
        .filter_map(|n| words.get(i + n))
        .any(|word| INSTEAD.iter().any(|better| word.is(better)));
    let on_a_square = before(1).is_some_and(|word| PLACES.iter().any(|place| word.is(place)));
    words[i].numbered
        || compared && !on_a_square
        || before(1).is_some_and(is_call)
        || before(1).is_some_and(|w| w.is("and") || w.is("or")) && before(2).is_some_and(is_call)
}

/// A line under way: the positions before and after its last move.
pub(super) struct Walk {
    history: Vec<Chess>,
    at: Chess,
    last: Option<Played>,
    title: String,
    length: usize,
    /// Whether it starts before the move under discussion.
    instead: bool,
}

impl Walk {
    pub(super) fn from(history: &[Chess], at: &Chess) -> Self {
        Self {
            history: history.to_vec(),
            at: at.clone(),
            last: None,
            title: String::new(),
            length: 0,
            instead: false,
        }
    }

    /// Plays `text` if it is a legal move here.
    fn play(&mut self, played: &Played, text: &str) -> bool {
        if self.length == LONGEST_LINE {
            return false;
        }
        read_move(&self.at, played.mode, text).is_ok_and(|mv| self.step(played, mv))
    }

    pub(super) fn step(&mut self, played: &Played, mv: Move) -> bool {
        let Some(next) = Played::new(self.at.clone(), mv, played.mode, self.history.clone()) else {
            return false;
        };
        let number = self.at.fullmoves();
        let san = SanPlus::from_move(self.at.clone(), mv);
        let step = match (self.at.turn(), self.title.is_empty()) {
            (Color::White, true) => format!("{number}.{san}"),
            (Color::White, false) => format!(" {number}.{san}"),
            (Color::Black, true) => format!("{number}...{san}"),
            (Color::Black, false) => format!(" {san}"),
        };
        self.title.push_str(&step);
        self.history.push(std::mem::replace(&mut self.at, next.after.clone()));
        self.last = Some(next);
        self.length += 1;
        true
    }

    pub(super) fn finish(self, inquiry: &mut Inquiry) {
        let Some(played) = self.last else { return };
        if !inquiry.lines.iter().any(|line| line.title == self.title) {
            let (title, instead) = (self.title, self.length == 1 && self.instead);
            inquiry.lines.push(AskedLine { played, title, instead });
        }
    }
}

/// Moves in a row make a line, from the position after the move or else as an alternative to it.
pub(super) fn named_lines(played: &Played, words: &[Word<'_>], inquiry: &mut Inquiry) {
    let mut after = played.history.clone();
    after.push(played.before.clone());
    let starts = [
        Walk::from(&after, &played.after),
        Walk::from(&played.history, &played.before),
    ];
    let fresh = |which: usize| Walk {
        instead: which == 1,
        ..Walk::from(&starts[which].history, &starts[which].at)
    };
    let asks_instead = words
        .windows(2)
        .any(|two| two[0].is("why") && two[1].is("not") || INSTEAD.iter().any(|word| two[1].is(word)));
    let mut walk: Option<Walk> = None;
    for (i, word) in words.iter().enumerate() {
        let castles = word.text.to_ascii_lowercase().starts_with("castl");
        let plain = castles || is_move(word.text, calls(words, i));
        let other = if plain { None } else { respelled(word.text) };
        if !plain && other.is_none() {
            continue;
        }
        let long = words
            .get(i + 1)
            .is_some_and(|next| next.is("queenside") || next.is("long"));
        let text = match (castles, long) {
            (true, true) => "O-O-O",
            (true, false) => "O-O",
            (false, _) => other.as_deref().unwrap_or(word.text),
        };
        let this =
            text == played.san().trim_end_matches(['+', '#']) && word.side.is_none_or(|side| side == played.mover());
        if this && (walk.is_none() || i > 0 && words[i - 1].is("after")) {
            // The move under discussion: what follows are replies to it.
            let open = walk.replace(fresh(0));
            if let Some(done) = open {
                done.finish(inquiry);
            }
            continue;
        }
        let parted = i > 0 && words[i - 1].is("or");
        if let Some(open) = walk.as_mut()
            && !parted
            && open.play(played, text)
        {
            continue;
        }
        let mut reply = fresh(0);
        let mut instead = fresh(1);
        let own = word.side.map_or(asks_instead, |side| side == played.mover());
        let begun = if own && instead.play(played, text) {
            Some(instead)
        } else if reply.play(played, text) {
            Some(reply)
        } else if instead.play(played, text) {
            Some(instead)
        } else {
            None
        };
        match begun {
            Some(begun) => {
                if let Some(done) = walk.replace(begun) {
                    done.finish(inquiry);
                }
            }
            None if castles => {}
            None => {
                let at = if own { &played.before } else { &played.after };
                if let Err(error) = read_move(at, played.mode, text) {
                    let why = error.to_string();
                    let why = why.trim_end_matches('.');
                    inquiry.notes.push(format!("{text} cannot be played here: {why}."));
                }
            }
        }
    }
    if let Some(done) = walk {
        done.finish(inquiry);
    }
}
