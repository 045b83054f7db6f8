//! Which position deserves a closer look: where two searches disagree on the same move, where a move is about to be
//! blamed, and where one is about to be praised. Doubts are amounts of win probability; 0 is no doubt.

use shakmaty::uci::UciMove;

use super::{
    AnnotatedMove, MainLine,
    hindsight::{TOLERANCE, follows},
    look::{Look, Looked},
};
use crate::{
    commentary::{Evaluation, Verdict},
    uci::{Score, SearchResult},
};

/// Share of what a bad move costs that is in doubt until a closer look confirms it, and what is in doubt whatever it
/// costs.
const BLAME: (f64, f64) = (0.5, 0.02);
/// What is in doubt of an offer that seems sound.
const PRAISE: f64 = 0.12;
/// Winning chance from which an offer seems sound.
pub const SOUND: f64 = 0.40;
/// How much better than the second an only move is, and the share of that which is in doubt.
const ONLY: (f64, f64) = (0.15, 0.2);
/// A position looked at closer is in doubt by so much less.
const CLOSER: f64 = 0.5;

/// The doubts of all positions that are searched; 0 where a closer look is not called for or not possible. `seen` are the
/// searches in hindsight.
#[must_use]
pub fn doubts(
    line: &MainLine,
    looked: &[Option<Looked>],
    seen: &[Option<SearchResult>],
    moves: &[AnnotatedMove],
) -> Vec<f64> {
    let mut doubts = vec![0.0; looked.len()];
    let mut doubt = |position: usize, until: Look, amount: f64| {
        let Some(at) = looked.get(position).and_then(Option::as_ref) else {
            return;
        };
        // A mate that is found is proved.
        if at.look < until && !matches!(at.result.lines.first().map(|line| line.score), Some(Score::Mate(_))) {
            let amount = if at.look == Look::First {
                amount
            } else {
                amount * CLOSER
            };
            doubts[position] = f64::max(doubts[position], amount);
        }
    };
    // A move is judged by the searches on both sides of it.
    let mut both = |index: usize, until: Look, amount: f64| {
        doubt(index, until, amount);
        doubt(index + 1, until, amount);
    };
    for (index, annotated) in moves.iter().enumerate() {
        let (Some(Some(own)), Some(played)) = (looked.get(index), line.uci(index)) else {
            continue;
        };
        let Some(follows) = follows(line, index, seen.get(index + 1).and_then(Option::as_ref)) else {
            continue;
        };
        let apart = disagreement(&own.result, &played, follows.score);
        if apart >= TOLERANCE {
            both(index, Look::Deepest, apart);
        }
        let Some(evaluation) = &annotated.evaluation else {
            continue;
        };
        if annotated.verdict.is_some_and(Verdict::is_bad) {
            let amount = annotated.loss().unwrap_or_default() * BLAME.0 + BLAME.1;
            both(index, Look::Closest, amount);
        } else if annotated.offer.is_some() && evaluation.played.win_probability() >= SOUND {
            both(index, Look::Closer, PRAISE);
        } else if let Some(margin) = margin(evaluation, &played).filter(|margin| *margin >= ONLY.0) {
            both(index, Look::Closer, margin * ONLY.1);
        }
    }
    doubts
}

/// How far a search and what follows the move played are apart, in win probability: what the search missed of it, or
/// hoped for in vain.
fn disagreement(own: &SearchResult, played: &UciMove, follows: Score) -> f64 {
    let Some(best) = own.lines.first() else { return 0.0 };
    let now = follows.win_probability();
    let missed = (now - best.score.win_probability()).max(0.0);
    let own_line = own.lines.iter().find(|line| line.pv.first() == Some(played));
    let apart = own_line.map_or(0.0, |line| (line.score.win_probability() - now).abs());
    // Of a move that is not the first choice it matters less.
    if own_line == Some(best) {
        apart.max(missed)
    } else {
        missed.max(apart / 2.0)
    }
}

/// By how much the move played is better than the best other one, in win probability; negative where it is worse. `None`
/// where no other is known.
#[must_use]
pub fn margin(evaluation: &Evaluation, played: &UciMove) -> Option<f64> {
    let other = evaluation
        .before
        .iter()
        .find(|line| line.moves.first() != Some(played))?;
    Some(evaluation.played.win_probability() - other.score.win_probability())
}

/// Whether the searches on both sides of a move agree on it.
#[must_use]
pub fn agree(own: &Looked, played: &UciMove, follows: Score) -> bool {
    disagreement(&own.result, played, follows) < TOLERANCE
}
