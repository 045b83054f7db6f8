//! One judgement of a move: which searches are made, and when they agree.
//!
//! A search of the position before the move and one of the position after it see different things; put side by side, "the
//! best move" may lose. So a third search, the duel, has nothing but the best moves and the one played to choose among, and
//! scores them at one depth. Where its picture and that of the first two agree the judgement is settled. Where they do not,
//! or the loss lies next to where another verdict begins, or mate is seen after one of the two only, the duel goes on with
//! twice the limit; where it refutes the best move itself, another move may be better than all of the duel, and all three
//! searches are made again. As often as the budget allows; what remains open is said.
//!
//! ```text
//!  before ──> after ──────────────> duel <── twice the limit ──┐
//!    ^          └─> first look       │                         │
//!    │                               ├── they agree ──> settled│
//!    │                               ├── they do not ──────────┘  (budget spent: open)
//!    └─────── twice the limit <──────┴── the best move is refuted
//! ```
//!
//! Where the move offers a man that the expected reply does not take, one more search tells what happens if it is taken.
//!
//! The machine holds no engine and no clock: [`Appraisal::next`] says what to search, [`Appraisal::take`] takes the result.

use shakmaty::{Move, Position};

use super::{
    AssembleError, Evaluation, Verdict,
    evaluation::{Line, Trust, ranked},
    sacrifice,
};
use crate::{
    chess::Played,
    uci::{Limit, Score, SearchRequest, SearchResult},
};

/// Fewest lines of the search before the move: enough to compare the best move with the second best.
const LEAST_LINES: u32 = 2;
/// Moves that the duel compares the played one with.
const RIVALS: usize = 2;
/// Rounds that are made beyond the first, unless more are asked for: the last has 2^4 times the limit of the first. With two
/// rounds and [`NEAR`] at 0.015, 320 of 377 verdicts at 50,000 nodes were those of a search of a million; with these, 336
/// (`lab audit report`), at three times the nodes.
const BUDGET: u32 = 4;
/// The most rounds that can be asked for: the last has 2^12 times the limit of the first.
const MOST_ROUNDS: u32 = 12;
/// By how much two searches may differ on the same move and still agree, in win probability.
const TOLERANCE: f64 = 0.05;
/// A loss this near to where the next verdict begins takes the whole budget, in win probability.
const NEAR: f64 = 0.025;

/// The judgement of one move under way.
#[derive(Debug, Clone)]
pub struct Appraisal {
    played: Played,
    limit: Limit,
    multipv: u32,
    round: u32,
    step: Step,
    nodes: u64,
    engine: String,
    before: Option<SearchResult>,
    after: Option<SearchResult>,
    picture: Option<Evaluation>,
    /// The verdict of the round before.
    earlier: Option<Verdict>,
}

/// Which search comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Before,
    After,
    Duel,
    /// The line in which a man that the move offers is taken; then the end.
    Accepted(Ended),
    Ended(Ended),
}

/// How the searches ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// They agree.
    Settled,
    /// The budget was spent before they did.
    Open,
}

impl Appraisal {
    /// Nothing searched yet. `limit` is that of each of the first two searches, the duel has twice that; `multipv` the lines
    /// before the move, at least two.
    #[must_use]
    pub fn new(played: Played, limit: Limit, multipv: u32) -> Self {
        Self {
            played,
            limit,
            multipv: multipv.max(LEAST_LINES),
            round: 0,
            step: Step::Before,
            nodes: 0,
            engine: String::new(),
            before: None,
            after: None,
            picture: None,
            earlier: None,
        }
    }

    /// A judgement that was made elsewhere, as the annotation of a game makes them. It can be deepened.
    #[must_use]
    pub fn of(played: Played, evaluation: Evaluation) -> Self {
        let ended = if evaluation.trust == Trust::Open {
            Ended::Open
        } else {
            Ended::Settled
        };
        Self {
            limit: evaluation.limit,
            multipv: u32::try_from(evaluation.before.len()).map_or(LEAST_LINES, |lines| lines.max(LEAST_LINES)),
            nodes: evaluation.nodes,
            engine: evaluation.engine.clone(),
            picture: Some(evaluation),
            step: Step::Ended(ended),
            ..Self::new(played, Limit::Nodes(1), LEAST_LINES)
        }
    }

    /// The move.
    #[must_use]
    pub fn played(&self) -> &Played {
        &self.played
    }

    /// The search to make next, with the owner's number; `None` when the judgement is settled or its budget spent.
    #[must_use]
    pub fn next(&self, id: u64) -> Option<SearchRequest> {
        let limit = self.limit.doubled(self.round);
        let request = match self.step {
            Step::Before => SearchRequest::before(id, &self.played, limit).multipv(self.multipv),
            // Where the move ends the game there is nothing after it.
            Step::After => SearchRequest::after(id, &self.played, limit)?,
            Step::Duel => {
                let rivals = self.rivals();
                let lines = u32::try_from(rivals.len()).unwrap_or(LEAST_LINES);
                SearchRequest::before(id, &self.played, limit.doubled(1))
                    .multipv(lines)
                    .among(&rivals)
            }
            Step::Accepted(_) => {
                let taking = sacrifice::untested(&self.played, self.picture.as_ref()?)?;
                SearchRequest::after(id, &self.played, limit)?.among(&[taking])
            }
            Step::Ended(_) => return None,
        };
        // The first search of all starts with an empty memory, so that the judgement depends on the move alone; those that
        // follow build on it.
        Some(if self.round == 0 && self.step == Step::Before {
            request.afresh()
        } else {
            request
        })
    }

    /// Takes the result of the search that [`next`](Self::next) asked for.
    ///
    /// # Errors
    /// When it has no line that can be played. The judgement stays as it was and asks for the same search again.
    pub fn take(&mut self, engine: &str, result: SearchResult) -> Result<(), AssembleError> {
        engine.clone_into(&mut self.engine);
        let nodes = result.nodes;
        match self.step {
            Step::Before => {
                if self.played.after.is_game_over() {
                    let picture = self.assembled(&result, None)?;
                    self.picture = Some(Evaluation {
                        trust: Trust::Settled,
                        ..picture
                    });
                    self.step = Step::Ended(Ended::Settled);
                } else {
                    // Fails on a search that has nothing playable, before anything is changed.
                    Evaluation::playable(&self.played, &result)?;
                    self.before = Some(result);
                    self.step = Step::After;
                }
            }
            Step::After => {
                let before = self.before.clone().ok_or(AssembleError::NothingBefore)?;
                let picture = self.assembled(&before, Some(&result))?;
                self.picture = Some(picture);
                self.after = Some(result);
                self.step = Step::Duel;
                if self.rivals().len() < 2 {
                    // The only legal move has no rival.
                    self.finish(Ended::Settled);
                }
            }
            Step::Duel => self.decide(&result)?,
            Step::Accepted(ended) => {
                let after = Evaluation::lines_after(&self.played, &result);
                if let Some(picture) = &mut self.picture {
                    picture.accepted = after.into_iter().next();
                }
                self.step = Step::Ended(ended);
            }
            Step::Ended(_) => return Ok(()),
        }
        self.nodes = self.nodes.saturating_add(nodes);
        if let Some(picture) = &mut self.picture {
            picture.nodes = self.nodes;
        }
        Ok(())
    }

    /// What is known so far: `None` before the first two searches.
    #[must_use]
    pub fn evaluation(&self) -> Option<&Evaluation> {
        self.picture.as_ref()
    }

    /// Whether nothing more is searched unless [`deepen`](Self::deepen) asks for it.
    #[must_use]
    pub fn is_done(&self) -> bool {
        matches!(self.step, Step::Ended(_))
    }

    /// How much of the first round, and whether it is a later one: 0 to 2 searches done, and the round from 0.
    #[must_use]
    pub fn progress(&self) -> (u32, u32) {
        let done = match self.step {
            Step::Before => 0,
            Step::After => 1,
            Step::Duel => 2,
            Step::Accepted(_) | Step::Ended(_) => 3,
        };
        (done, self.round)
    }

    /// Goes on for another round, with twice the limit. False where nothing can be added.
    pub fn deepen(&mut self) -> bool {
        if !self.is_done() || self.played.after.is_game_over() || self.round >= MOST_ROUNDS {
            return false;
        }
        self.again(Step::Before);
        true
    }

    /// Another round with twice the limit, from this step on.
    fn again(&mut self, from: Step) {
        self.earlier = self
            .picture
            .as_ref()
            .and_then(|picture| Verdict::of(&self.played, picture));
        self.round += 1;
        self.step = from;
    }

    fn finish(&mut self, ended: Ended) {
        let Some(picture) = &mut self.picture else { return };
        picture.trust = match ended {
            Ended::Settled => Trust::Settled,
            Ended::Open => Trust::Open,
        };
        let offered = sacrifice::untested(&self.played, picture).is_some();
        self.step = if offered {
            Step::Accepted(ended)
        } else {
            Step::Ended(ended)
        };
    }

    fn assembled(&self, before: &SearchResult, after: Option<&SearchResult>) -> Result<Evaluation, AssembleError> {
        let limit = self.limit.doubled(self.round);
        Evaluation::assemble(&self.played, self.engine.as_str(), limit, before, after)
    }

    /// The moves of the duel: the best by the picture so far, and the one played.
    fn rivals(&self) -> Vec<Move> {
        let best = self.picture.iter().flat_map(|picture| &picture.before);
        let mut moves: Vec<Move> = best
            .filter_map(|line| line.moves.first()?.to_move(&self.played.before).ok())
            .take(RIVALS)
            .collect();
        if !moves.contains(&self.played.mv) {
            moves.push(self.played.mv);
        }
        moves
    }

    /// Puts the duel's scores in the picture, and looks whether it tells the same story as before.
    fn decide(&mut self, duel: &SearchResult) -> Result<(), AssembleError> {
        let Some(seen) = self.picture.clone() else {
            return Err(AssembleError::NothingBefore);
        };
        let lines = Evaluation::lines_before(&self.played, duel);
        if lines.is_empty() {
            return Err(AssembleError::NothingBefore);
        }
        let picture = merged(&self.played, seen.clone(), lines);
        let verdicts = [&seen, &picture].map(|picture| Verdict::of(&self.played, picture));
        let agree = verdicts[0] == verdicts[1]
            && (self.earlier.is_none() || self.earlier == verdicts[1])
            && near(seen.played, picture.played)
            && near(best(&seen), best(&picture))
            && (self.round > 0 || !middling(verdicts[1]))
            && (self.round >= BUDGET || !(borderline(&self.played, &picture) || one_sided(&picture)));
        let refuted = best(&seen).win_probability() - best(&picture).win_probability() >= TOLERANCE;
        self.picture = Some(picture);
        if agree {
            self.finish(Ended::Settled);
        } else if self.round < BUDGET {
            self.again(if refuted { Step::Before } else { Step::Duel });
        } else {
            self.finish(Ended::Open);
        }
        Ok(())
    }
}

/// The picture with the duel's lines in the place of those of the same moves.
fn merged(played: &Played, mut picture: Evaluation, duel: Vec<Line>) -> Evaluation {
    let uci = played.uci();
    if let Some(own) = duel.iter().find(|line| line.moves.first() == Some(&uci)) {
        picture.played = own.score;
        let tail = own.continued();
        // A longer line of the same search beats a shorter one of another.
        match (tail, picture.after.first_mut()) {
            (Some(tail), Some(first)) if tail.moves.len() >= first.moves.len().min(4) => *first = tail,
            (_, Some(first)) => first.score = own.score,
            (Some(tail), None) => picture.after.push(tail),
            (None, None) => {}
        }
    }
    let kept = picture.before.len();
    for line in duel {
        match picture
            .before
            .iter_mut()
            .find(|known| known.moves.first() == line.moves.first())
        {
            Some(known) => *known = line,
            None => picture.before.push(line),
        }
    }
    // Stable: of equal scores the engine's own order stands.
    picture.before.sort_by_key(|line| std::cmp::Reverse(line.score));
    picture.before.truncate(kept.max(1));
    picture.ranking = ranked(&picture.before);
    picture
}

fn best(picture: &Evaluation) -> Score {
    picture.before.first().map_or(picture.played, |line| line.score)
}

/// Whether two searches say the same of a move.
fn near(a: Score, b: Score) -> bool {
    match (a, b) {
        (Score::Mate(a), Score::Mate(b)) => (a > 0) == (b > 0),
        (Score::Mate(_), _) | (_, Score::Mate(_)) => false,
        _ => (a.win_probability() - b.win_probability()).abs() < TOLERANCE,
    }
}

/// Between the best moves and the plain blunders one round is not enough to tell.
fn middling(verdict: Option<Verdict>) -> bool {
    matches!(verdict, Some(Verdict::Good | Verdict::Inaccuracy | Verdict::Mistake))
}

/// Whether mate is seen after the best move and not after the one played, or the other way round: it may be that the
/// search did not get so far.
fn one_sided(picture: &Evaluation) -> bool {
    matches!(best(picture), Score::Mate(_)) != matches!(picture.played, Score::Mate(_))
}

/// Whether the loss lies next to where another verdict begins.
fn borderline(played: &Played, picture: &Evaluation) -> bool {
    let loss = best(picture).win_probability() - picture.played.win_probability();
    // The first choice has no loss that could grow.
    let first = Verdict::of(played, picture) == Some(Verdict::Best) && loss <= 0.0;
    !first && Verdict::LIMITS.iter().any(|limit| (loss - limit).abs() < NEAR)
}
