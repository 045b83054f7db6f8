//! What becomes of a man: the captures of it, or why there are none.

use shakmaty::{Move, Position, Square};

use super::{
    named::Walk,
    subject::Inquiry,
    words::{Word, role, square},
};
use crate::chess::{Man, Played, names::color_name};

/// Whether it is asked what becomes of a man.
pub(super) fn asks_for_fate(words: &[Word<'_>]) -> bool {
    const STEMS: [&str; 16] = [
        "surviv",
        "safe",
        "tak",
        "captur",
        "hang",
        "win",
        "los",
        "grab",
        "danger",
        "trap",
        "save",
        "free",
        "prise",
        "poison",
        "attacked",
        "threatened",
    ];
    words.iter().any(|word| {
        STEMS
            .iter()
            .any(|stem| word.text.to_ascii_lowercase().starts_with(stem))
    })
}

/// The squares of men that are named: "knight on h4", "the h4 knight".
pub(super) fn men_named(words: &[Word<'_>]) -> Vec<Square> {
    let mut found = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let Some(square) = square(word.text) else { continue };
        let back = |n: usize| i.checked_sub(n).and_then(|i| words.get(i));
        let on = back(1).is_some_and(|place| place.is("on") || place.is("at"));
        let named = on && back(2).is_some_and(|man| role(man.text).is_some())
            || words.get(i + 1).is_some_and(|next| role(next.text).is_some());
        if named && !found.contains(&square) {
            found.push(square);
        }
    }
    found
}

/// The captures of the man on `square` after the move, or why there are none.
pub(super) fn fate(played: &Played, square: Square, inquiry: &mut Inquiry) {
    let after = &played.after;
    let Some(man) = Man::at(after.board(), square) else {
        inquiry
            .notes
            .push(format!("No piece stands on {square} after the move."));
        return;
    };
    let enemy = man.color.other();
    if after.turn() != enemy {
        inquiry.notes.push(format!(
            "It is {}'s turn: {} cannot take the {} before {} has moved.",
            color_name(after.turn()),
            color_name(enemy),
            man.plain(),
            color_name(after.turn()),
        ));
        return;
    }
    let mut captures: Vec<Move> = after
        .legal_moves()
        .iter()
        .filter(|m| m.is_capture() && m.to() == square)
        .copied()
        .collect();
    if captures.is_empty() {
        inquiry
            .notes
            .push(format!("Nothing can take the {} at once.", man.plain()));
    }
    // The cheapest taker first: it is the one to fear.
    captures.sort_by_key(|m| {
        (
            m.from().and_then(|from| Man::at(after.board(), from)).map(Man::value),
            m.from(),
        )
    });
    for mv in captures {
        let mut history = played.history.clone();
        history.push(played.before.clone());
        let mut walk = Walk::from(&history, after);
        if walk.step(played, mv) {
            walk.finish(inquiry);
        }
    }
}
