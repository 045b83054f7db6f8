//! A game under annotation: the searches that are there, and what follows from them.

use shakmaty::{Color, Outcome, Position};

use super::{
    AnnotatedMove, MainLine, ModelProse, Tally, accuracy,
    doubt::{agree, doubts},
    hindsight::{follows, hindsight},
    look::{Look, Looked, RUN},
};
use crate::{
    chess::{Game, Opening, Openings, names::color_name, offer::offer},
    commentary::{AssembleError, Evaluation, FactSheet, Trust, Verdict, narrate},
    concepts::Concepts,
    pace::Pace,
    uci::{Limit, Score, SearchRequest, SearchResult},
};

/// Fewest lines of each search: enough to compare the best move with the second best.
pub const LEAST_LINES: u32 = 2;

/// What closer looks may cost, in first looks for each position of the game; the first one comes on top.
const CLOSER_LOOKS: usize = 3;

/// A game under annotation. The engine is asked from outside: [`next`](Self::next) says which position,
/// [`request`](Self::request) what to ask, [`take`](Self::take) takes the answer; where there are several engines an
/// [`Allotment`](super::Allotment) does both. It can stop anywhere and go on later; with a node limit the result is the same but
/// for what the engine remembered of the positions [just before](RUN).
///
/// Every position gets a first look, from the beginning of the game to its end. Then those in [`doubt`](super::doubt) get
/// closer ones, the greatest doubt first, until there is none or the budget is spent: all searches together cost at most
/// twice as much as one search of every position with the limit that was asked for.
#[derive(Debug, Clone)]
pub struct AnnotatedGame {
    line: MainLine,
    limit: Limit,
    multipv: u32,
    engine: String,
    /// Who won, by what the game says; `None` where nobody did.
    winner: Option<Color>,
    /// One for each position to be searched.
    found: Vec<Option<Looked>>,
    /// The searches as later ones correct them; see [`super::hindsight`].
    seen: Vec<Option<SearchResult>>,
    moves: Vec<AnnotatedMove>,
}

impl AnnotatedGame {
    /// The main line of `game`, with nothing searched yet. `limit` and `multipv` (at least [`LEAST_LINES`]) are those of
    /// each search.
    #[must_use]
    pub fn new(game: &Game, limit: Limit, multipv: u32) -> Self {
        let line = MainLine::of(game);
        let mut moves = Vec::with_capacity(line.len());
        for (index, position) in line.positions().iter().enumerate() {
            let Some(node) = line.node(index) else { break };
            let mover = position.turn();
            let dots = mover.fold_wb(".", "…");
            let san = game.san(node).unwrap_or_default();
            moves.push(AnnotatedMove {
                node,
                label: format!("{}{dots} {san}", position.fullmoves()),
                mover,
                offer: None,
                evaluation: None,
                verdict: None,
                narration: None,
                model_prose: None,
            });
        }
        Self {
            limit,
            multipv: multipv.max(LEAST_LINES),
            engine: String::new(),
            winner: winner(game),
            found: vec![None; line.to_search()],
            seen: vec![None; line.to_search()],
            moves,
            line,
        }
    }

    /// The same annotation of a game that has gone on, or lost moves at its end.
    #[must_use]
    pub fn continued(&self, game: &Game) -> Self {
        let mut new = Self::new(game, self.limit, self.multipv);
        new.take_over(self);
        new
    }

    /// Takes over what another annotation of a game with the same beginning has found, if its searches were like ours.
    pub fn take_over(&mut self, other: &Self) {
        if !self.is_like(other) {
            return;
        }
        if self.engine.is_empty() {
            self.engine.clone_from(&other.engine);
        }
        let shared = self.line.key().shared(other.line.key());
        if self.found.iter().all(Option::is_none) {
            self.seen_by(other, shared);
        }
        for (own, found) in self.found.iter_mut().zip(&other.found).take(shared) {
            let look = |looked: &Option<Looked>| looked.as_ref().map(|looked| looked.look);
            if look(own) < look(found) {
                own.clone_from(found);
            }
        }
        self.review(None);
        // A move's comment rests on the searches before and after it.
        for (own, known) in self.moves.iter_mut().zip(&other.moves).take(shared.saturating_sub(1)) {
            if own.evaluation == known.evaluation && own.narration.is_none() {
                own.narration.clone_from(&known.narration);
            }
            if own.verdict == known.verdict && own.model_prose.is_none() {
                own.model_prose.clone_from(&known.model_prose);
            }
        }
    }

    /// Takes the judgements over with the searches, where there are none yet: they need not be made again. `shared` are the
    /// positions that both have, from the first.
    fn seen_by(&mut self, other: &Self, shared: usize) {
        for (own, seen) in self.seen.iter_mut().zip(&other.seen).take(shared) {
            own.clone_from(seen);
        }
        // A move is judged by the positions on both sides of it.
        let judged = self.moves.iter_mut().zip(&other.moves);
        for (own, judged) in judged.take(shared.saturating_sub(1)) {
            own.offer = judged.offer;
            own.evaluation.clone_from(&judged.evaluation);
            own.verdict = judged.verdict;
        }
    }

    /// Whether the searches of both have the same limits.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        self.searches_with(other.limit, other.multipv)
    }

    /// Whether each search has this limit and this many lines.
    #[must_use]
    pub fn searches_with(&self, limit: Limit, multipv: u32) -> bool {
        (self.limit, self.multipv) == (limit, multipv.max(LEAST_LINES))
    }

    /// The positions and moves.
    #[must_use]
    pub fn line(&self) -> &MainLine {
        &self.line
    }

    /// The limit of each search.
    #[must_use]
    pub fn limit(&self) -> Limit {
        self.limit
    }

    /// How many lines each search has.
    #[must_use]
    pub fn multipv(&self) -> u32 {
        self.multipv
    }

    /// What was searched, one for each position to be searched.
    #[must_use]
    pub fn looked(&self) -> &[Option<Looked>] {
        &self.found
    }

    /// Who won, by what the game says; `None` where nobody did, or nothing is said.
    #[must_use]
    pub const fn winner(&self) -> Option<Color> {
        self.winner
    }

    /// What the engine calls itself; empty before the first search.
    #[must_use]
    pub fn engine(&self) -> &str {
        &self.engine
    }

    /// The opening, where it has a name.
    #[must_use]
    pub fn opening(&self) -> Option<&'static Opening> {
        Openings::shipped().of_game(self.line.positions().iter())
    }

    /// The moves in order.
    #[must_use]
    pub fn moves(&self) -> &[AnnotatedMove] {
        &self.moves
    }

    /// How many positions are searched, and how many are to be in all.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        (self.found.iter().flatten().count(), self.found.len())
    }

    /// How many closer looks were taken, and how many more are called for by what is known now. Each may call for others,
    /// or settle them.
    #[must_use]
    pub fn closer_looks(&self) -> (usize, usize) {
        let taken = self.found.iter().flatten().map(|looked| looked.look as usize).sum();
        let mut room = self.room();
        let mut called_for = 0;
        for position in self.in_doubt() {
            let cost = self.next_look(position).map_or(0, Look::cost);
            if cost > room {
                break;
            }
            room -= cost;
            called_for += 1;
        }
        (taken, called_for)
    }

    /// Whether every position is searched, and none calls for a closer look.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.next().is_none()
    }

    /// The share of the work that is done, 0 to 1, by what is known now of the work to come.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // far below 2^52
    pub fn share(&self) -> f64 {
        let done = self.spent() as f64;
        let all = done + self.to_come();
        if all > 0.0 { done / all } else { 0.0 }
    }

    /// Milliseconds that the searches to come take, if they take as long as those that are done, and if the positions
    /// still to be searched are as doubtful as those that are. `None` before there is one.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // far below 2^52
    pub fn left(&self) -> Option<f64> {
        let spent = self.spent();
        let time: u64 = self.found.iter().flatten().map(|looked| looked.time).sum();
        (spent > 0).then(|| time as f64 / spent as f64 * self.to_come())
    }

    /// What the searches cost so far, in first looks.
    fn spent(&self) -> usize {
        let cost = |looked: &Looked| looked.look.cost_in_all();
        self.found.iter().flatten().map(cost).sum()
    }

    /// What may still be spent on closer looks, in first looks.
    pub(super) fn room(&self) -> usize {
        let first = self.found.iter().flatten().count();
        (CLOSER_LOOKS * self.found.len()).saturating_sub(self.spent() - first)
    }

    /// What the searches to come cost, in first looks: the first looks, and the closer ones as far as they can be foreseen.
    #[allow(clippy::cast_precision_loss)] // far below 2^52
    fn to_come(&self) -> f64 {
        let (done, all) = self.progress();
        if done == 0 {
            return all as f64;
        }
        let room = self.room();
        let doubted: usize = self
            .in_doubt()
            .into_iter()
            .filter_map(|position| self.next_look(position))
            .map(Look::cost)
            // What does not fit the budget is not made.
            .filter(|cost| *cost <= room)
            .sum();
        let foreseen = doubted as f64 * all as f64 / done as f64;
        (all - done) as f64 + foreseen.min(room as f64)
    }

    /// The position to search next; `None` when nothing is left to search.
    #[must_use]
    pub fn next(&self) -> Option<usize> {
        let unseen = self.found.iter().position(Option::is_none);
        unseen.or_else(|| {
            let room = self.room();
            let affordable = |position: &usize| self.next_look(*position).is_some_and(|look| look.cost() <= room);
            self.in_doubt().into_iter().find(affordable)
        })
    }

    /// The positions that call for a closer look, the greatest doubt first; of equal doubts the later position, since what
    /// it reveals is passed back.
    pub(super) fn in_doubt(&self) -> Vec<usize> {
        let doubts = doubts(&self.line, &self.found, &self.seen, &self.moves);
        let mut positions: Vec<usize> = (0..doubts.len()).filter(|position| doubts[*position] > 0.0).collect();
        positions.sort_by(|a, b| doubts[*b].total_cmp(&doubts[*a]).then(b.cmp(a)));
        positions
    }

    /// How closely a position would be looked at next.
    pub(super) fn next_look(&self, position: usize) -> Option<Look> {
        Looked::next(self.found.get(position)?.as_ref())
    }

    /// The search of a position. `None` where there is nothing to search.
    ///
    /// First looks go on from what the engine remembers of the position before, [so many](RUN) in a row; all others begin with
    /// an empty memory: what is in it by then is chance.
    #[must_use]
    pub fn request(&self, position: usize, id: u64) -> Option<SearchRequest> {
        let look = self.next_look(position)?;
        let request = self.line.request(position, id, look.limit(self.limit), self.multipv)?;
        let goes_on = look == Look::First && !position.is_multiple_of(RUN);
        Some(if goes_on { request } else { request.afresh() })
    }

    /// Takes the search of a position, as it was asked for and run to its limit, and judges the moves anew that it bears
    /// on: those beside it, and those before them that it throws light on.
    ///
    /// # Errors
    /// Where the search has no line that can be played in the position. It then counts as not made.
    pub fn take(&mut self, position: usize, engine: &str, mut result: SearchResult) -> Result<(), AssembleError> {
        result
            .lines
            .retain(|line| line.pv.first().is_some_and(|mv| self.is_legal(position, mv)));
        if result.lines.is_empty() {
            return Err(AssembleError::NothingBefore);
        }
        let Some(found) = self.found.get_mut(position) else {
            return Ok(());
        };
        *found = Some(match found.take() {
            None => Looked::first(result),
            Some(earlier) => earlier.then(result),
        });
        engine.clone_into(&mut self.engine);
        self.review(Some(position));
        Ok(())
    }

    /// Puts back what was found of a position; false where it is not of this position.
    pub(super) fn put_back(&mut self, position: usize, engine: &str, looked: Looked) -> bool {
        let first = looked.result.lines.first().and_then(|line| line.pv.first());
        let fits = first.is_some_and(|mv| self.is_legal(position, mv));
        if fits && let Some(found) = self.found.get_mut(position) {
            *found = Some(looked);
            engine.clone_into(&mut self.engine);
        }
        fits
    }

    fn is_legal(&self, position: usize, mv: &shakmaty::uci::UciMove) -> bool {
        self.line
            .positions()
            .get(position)
            .is_some_and(|at| mv.to_move(at).is_ok())
    }

    /// Looks at all searches in hindsight, and judges the moves anew whose searches look different now. `at` is a position
    /// that was looked at closer.
    fn review(&mut self, at: Option<usize>) {
        for index in self.look_back(at) {
            self.judge(index);
        }
    }

    /// As [`review`](Self::review) of all, in turns.
    pub(super) async fn review_in_turns(&mut self, pace: &impl Pace) {
        for index in self.look_back(None) {
            self.judge(index);
            pace.turn().await;
        }
    }

    /// Looks at all searches in hindsight: the moves to be judged anew.
    fn look_back(&mut self, at: Option<usize>) -> Vec<usize> {
        let seen = hindsight(&self.line, &self.found);
        let earlier = std::mem::replace(&mut self.seen, seen);
        let changed = |position: usize| earlier.get(position) != self.seen.get(position);
        let is_new = |index: &usize| {
            // A closer look that sees the same has still been closer.
            let is_closer = at == Some(*index) || at == Some(index + 1);
            is_closer || changed(*index) || changed(index + 1)
        };
        (0..self.moves.len()).filter(is_new).collect()
    }

    /// Judges a move, if the positions on both sides of it are searched.
    fn judge(&mut self, index: usize) {
        let (Some(Some(before)), Some(Some(looked)), Some(played)) =
            (self.seen.get(index), self.found.get(index), self.line.step(index))
        else {
            return;
        };
        let after = self.seen.get(index + 1).and_then(Option::as_ref);
        let Some(follows) = follows(&self.line, index, after) else {
            return;
        };
        let limit = looked.look.limit(self.limit);
        // Every search has a line that can be played, so that this does not fail.
        let Ok(mut evaluation) = Evaluation::assemble(&played, self.engine.as_str(), limit, before, after) else {
            return;
        };
        let next = self.found.get(index + 1).and_then(Option::as_ref);
        let closer = looked.look.min(next.map_or(Look::Deepest, |next| next.look));
        evaluation.trust = match closer {
            Look::First => Trust::FirstLook,
            _ if agree(looked, &played.uci(), follows.score) => Trust::Settled,
            _ => Trust::Open,
        };
        let verdict = Verdict::of(&played, &evaluation);
        if let Some(annotated) = self.moves.get_mut(index)
            && annotated.evaluation.as_ref() != Some(&evaluation)
        {
            if annotated.evaluation.is_none() {
                annotated.offer = offer(&played);
            }
            annotated.evaluation = Some(evaluation);
            annotated.narration = None;
            if annotated.verdict != verdict {
                // The model's prompt is out of date.
                annotated.model_prose = None;
            }
            annotated.verdict = verdict;
        }
    }

    /// The score of a position in hindsight, **White's view**; `None` until it is searched. A checkmate is `Mate(0)`, whoever is mated.
    #[must_use]
    pub fn score(&self, position: usize) -> Option<Score> {
        let turn = self.line.positions().get(position)?.turn();
        match (turn, self.score_to_move(position)?) {
            (Color::White, score) => Some(score),
            (Color::Black, Score::Cp(cp)) => Some(Score::Cp(cp.saturating_neg())),
            (Color::Black, Score::Mate(moves)) => Some(Score::Mate(moves.saturating_neg())),
        }
    }

    /// White's winning chance in a position, 0 to 1; `None` until it is searched.
    #[must_use]
    pub fn chance(&self, position: usize) -> Option<f64> {
        let turn = self.line.positions().get(position)?.turn();
        let chance = self.score_to_move(position)?.win_probability();
        Some(turn.fold_wb(chance, 1.0 - chance))
    }

    /// The score of a position in the view of the side to move there.
    fn score_to_move(&self, position: usize) -> Option<Score> {
        let at = self.line.positions().get(position)?;
        if position + 1 == self.line.positions().len()
            && let Outcome::Known(outcome) = at.outcome()
        {
            return Some(outcome.winner().map_or(Score::Cp(0), |_| Score::Mate(0)));
        }
        Some(self.seen.get(position)?.as_ref()?.lines.first()?.score)
    }

    /// The moves of a side, counted.
    #[must_use]
    pub fn tally(&self, side: Color) -> Tally {
        let verdicts = self.moves.iter().filter(|m| m.mover == side).filter_map(|m| m.verdict);
        let chances: Vec<f64> = (0..self.line.positions().len()).map_while(|k| self.chance(k)).collect();
        Tally::new(side, verdicts, accuracy::of_side(&chances, self.line.mover(0), side))
    }

    /// The facts about a move: what its comment must rest on. `None` until it is evaluated.
    #[must_use]
    pub fn sheet(&self, index: usize, concepts: Option<&Concepts>) -> Option<FactSheet> {
        let evaluation = self.moves.get(index)?.evaluation.as_ref()?;
        Some(FactSheet::new(&self.line.played(index)?, Some(evaluation), concepts))
    }

    /// Has the narrator speak of a move, if it has not yet and the move is evaluated. True when there is a new comment.
    pub fn narrate(&mut self, index: usize) -> bool {
        if self.moves.get(index).is_none_or(|m| m.narration.is_some()) {
            return false;
        }
        let Some(sheet) = self.sheet(index, None) else {
            return false;
        };
        self.moves[index].narration = Some(narrate(&sheet));
        true
    }

    /// Puts a model's comment in the place of the narrator's, or takes it away.
    pub fn say_instead(&mut self, index: usize, prose: Option<ModelProse>) {
        if let Some(annotated) = self.moves.get_mut(index) {
            annotated.model_prose = prose;
        }
    }

    /// `Black’s winning chance: 54 % with the best move, 31 % after this one.` `None` until the move is evaluated.
    #[must_use]
    pub fn chances(&self, index: usize) -> Option<String> {
        let annotated = self.moves.get(index)?;
        let evaluation = annotated.evaluation.as_ref()?;
        let percent = |score: Score| format!("{:.0} %", score.win_probability() * 100.0);
        let (best, now) = (percent(evaluation.before.first()?.score), percent(evaluation.played));
        let mover = color_name(annotated.mover);
        Some(match annotated.verdict {
            Some(Verdict::Best) => format!("{mover}’s winning chance: {now}."),
            _ => format!("{mover}’s winning chance: {best} with the best move, {now} after this one."),
        })
    }
}

/// Who won, by the game's result.
fn winner(game: &Game) -> Option<Color> {
    match game.outcome.as_str() {
        "1-0" => Some(Color::White),
        "0-1" => Some(Color::Black),
        _ => None,
    }
}
