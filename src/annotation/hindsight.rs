//! What a later position reveals of an earlier one. The searches are gone through from the end of the game to its
//! beginning: the move played is worth what the search after it says of it, and the position at least that much.
//!
//! Where the move played was the search's first choice, its score and its line give way to those that follow. If what
//! follows is a little worse the move remains the best: such differences are the noise of searches. If it is much worse
//! the second choice speaks up.

use shakmaty::{Outcome, Position, uci::UciMove};

use super::{MainLine, look::Looked};
use crate::uci::{Info, Score, SearchResult};

/// By how much two searches may differ on the same move and still agree, in win probability.
pub const TOLERANCE: f64 = 0.05;

/// The searches corrected, one for each that is there. Scores are **the view of the side to move**.
#[must_use]
pub fn hindsight(line: &MainLine, looked: &[Option<Looked>]) -> Vec<Option<SearchResult>> {
    let mut seen: Vec<Option<SearchResult>> = vec![None; looked.len()];
    for position in (0..looked.len()).rev() {
        let Some(own) = &looked[position] else { continue };
        let mut own = own.result.clone();
        let later = seen.get(position + 1).and_then(Option::as_ref);
        if let Some((played, follows)) = line.uci(position).zip(follows(line, position, later)) {
            correct(&mut own, played, follows);
        }
        seen[position] = Some(own);
    }
    seen
}

/// What comes after the move played in a position: its score in the mover's view, and the line.
pub struct Follows {
    /// The mover's view; mates are counted from before the move.
    pub score: Score,
    /// Plies searched.
    depth: u32,
    /// Without the move itself.
    pv: Vec<UciMove>,
}

/// What comes after the move played in a position; `None` where the position after it is not searched. `later` is its
/// search.
#[must_use]
pub fn follows(line: &MainLine, position: usize, later: Option<&SearchResult>) -> Option<Follows> {
    let after = line.positions().get(position + 1)?;
    if let Outcome::Known(outcome) = after.outcome() {
        // The mover is the only one who can have mated.
        let score = outcome.winner().map_or(Score::Cp(0), |_| Score::Mate(1));
        return Some(Follows {
            score,
            depth: 1,
            pv: Vec::new(),
        });
    }
    let first = later?.lines.first()?;
    Some(Follows {
        score: first.score.of_the_move_before(),
        depth: first.depth + 1,
        pv: first.pv.clone(),
    })
}

fn correct(own: &mut SearchResult, played: UciMove, follows: Follows) {
    let Some(best) = own.lines.first().map(|first| first.score) else {
        return;
    };
    let place = own.lines.iter().position(|line| line.pv.first() == Some(&played));
    if place.is_none() && follows.score <= best {
        return;
    }
    let kept = own.lines.len();
    let model = &own.lines[place.unwrap_or(0)];
    let corrected = Info {
        score: follows.score,
        depth: follows.depth.max(model.depth),
        bound: false,
        wdl: model.wdl.filter(|_| model.score == follows.score),
        pv: [played].into_iter().chain(follows.pv).collect(),
        ..model.clone()
    };
    match place {
        Some(place) => own.lines[place] = corrected,
        None => own.lines.insert(0, corrected),
    }
    if place == Some(0) && best.win_probability() - follows.score.win_probability() < TOLERANCE {
        for other in &mut own.lines[1..] {
            other.score = other.score.min(follows.score);
        }
    }
    // Stable: of equal scores the engine's own order stands.
    own.lines.sort_by_key(|line| std::cmp::Reverse(line.score));
    own.lines.truncate(kept);
    for (number, line) in (1..).zip(&mut own.lines) {
        line.multipv = number;
    }
    own.best = own.lines.first().and_then(|line| line.pv.first().cloned());
}
