//! A game under annotation: the searches that are there, and what follows from them.

use serde::{Deserialize, Serialize};
use shakmaty::{Color, Outcome, Position};

use super::{MainLine, Tally, accuracy};
use crate::{
    chess::{Game, NodeId, Opening, Openings, names::color_name},
    commentary::{Arm, AssembleError, Evaluation, FactSheet, Sentence, Told, Verdict, narrate},
    concepts::Concepts,
    uci::{Limit, Score, SearchRequest, SearchResult},
};

/// Fewest lines of each search: the best move is told from the second best.
pub const LEAST_LINES: u32 = 2;

/// A move of the main line, with what is known of it so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnotatedMove {
    /// Where it leads in the game.
    pub node: NodeId,
    /// `12. Nf3` or `12… Nf6`.
    pub label: String,
    /// Who plays it.
    pub mover: Color,
    /// What the engine thinks of it, **the mover's view**; `None` until the positions on both sides of it are searched.
    pub evaluation: Option<Evaluation>,
    /// How good it was, where it is evaluated.
    pub verdict: Option<Verdict>,
    /// What the narrator says of it, where it was asked.
    pub narration: Option<Vec<Sentence>>,
    /// A language model's comment, which stands in the narration's place where anything true is in it.
    pub model_prose: Option<ModelProse>,
}

/// A language model's comment on a move, checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelProse {
    /// What the check left of it; `None` where nothing true was left, so that the narrator goes on speaking.
    pub text: Option<String>,
    /// What the model calls itself: words from outside.
    pub model: String,
    /// What it was told.
    pub arm: Arm,
    /// Sentences that were left out because the board or the engine contradicts them.
    pub left_out: usize,
}

impl ModelProse {
    /// Of a reply that went through the check.
    #[must_use]
    pub fn of(told: &Told, model: String, arm: Arm) -> Self {
        Self {
            text: (!told.narrator_spoke()).then(|| told.text()),
            model,
            arm,
            left_out: told.struck.len(),
        }
    }

    /// Who wrote it and what became of it, a sentence.
    #[must_use]
    pub fn provenance(&self) -> String {
        let Self {
            model, arm, left_out, ..
        } = self;
        let arm = arm.label();
        match (&self.text, left_out) {
            (None, _) => format!("Nothing true was left of what {model} ({arm}) wrote: this is the narrator’s."),
            (Some(_), 0) => format!("Written by {model} ({arm}); checked."),
            (Some(_), 1) => format!("Written by {model} ({arm}); checked, one wrong sentence is left out."),
            (Some(_), n) => format!("Written by {model} ({arm}); checked, {n} wrong sentences are left out."),
        }
    }
}

impl AnnotatedMove {
    /// The prose: what the check left of the model's, or the narration; `None` where there is neither.
    #[must_use]
    pub fn comment(&self) -> Option<String> {
        let told = || {
            let sentences: Vec<&str> = self.narration.as_ref()?.iter().map(|s| s.text.as_str()).collect();
            Some(sentences.join(" "))
        };
        let model = self.model_prose.as_ref().and_then(|prose| prose.text.clone());
        model.or_else(told).filter(|text| !text.is_empty())
    }

    /// What the move cost of its mover's winning chance, 0 to 1; 0 for the best move, and where it scores better than
    /// the engine expected. `None` until it is evaluated.
    #[must_use]
    pub fn loss(&self) -> Option<f64> {
        let evaluation = self.evaluation.as_ref()?;
        if self.verdict == Some(Verdict::Best) {
            return Some(0.0);
        }
        let best = evaluation.before.first()?.score.win_probability();
        Some((best - evaluation.played.win_probability()).max(0.0))
    }

    /// Whether the mover could have forced mate and no longer can.
    #[must_use]
    pub fn misses_mate(&self) -> bool {
        let gives = |score: Score| matches!(score, Score::Mate(moves) if moves > 0);
        self.evaluation
            .as_ref()
            .is_some_and(|e| e.before.first().is_some_and(|line| gives(line.score)) && !gives(e.played))
    }
}

/// A game under annotation. The engine is asked from outside: [`next`](Self::next) says which position,
/// [`request`](Self::request) what to ask, [`take`](Self::take) takes the answer. It can stop anywhere and go on later;
/// with a node limit the result is the same.
#[derive(Debug, Clone)]
pub struct AnnotatedGame {
    line: MainLine,
    limit: Limit,
    multipv: u32,
    engine: String,
    /// One for each position to be searched.
    found: Vec<Option<SearchResult>>,
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
            found: vec![None; line.to_search()],
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
        let shared = self.line.shared(&other.line);
        for (own, found) in self.found.iter_mut().zip(&other.found).take(shared) {
            if own.is_none() {
                own.clone_from(found);
            }
        }
        // A move's comment rests on the searches before and after it.
        for (own, known) in self.moves.iter_mut().zip(&other.moves).take(shared.saturating_sub(1)) {
            if own.evaluation.is_none() {
                let node = own.node;
                own.clone_from(known);
                own.node = node;
            }
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

    /// The searches, one for each position to be searched.
    #[must_use]
    pub fn searches(&self) -> &[Option<SearchResult>] {
        &self.found
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

    /// Whether every position is searched.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.next().is_none()
    }

    /// Milliseconds that the searches to come take, if they take as long as those that are done. `None` before there is
    /// one.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // far below 2^52
    pub fn left(&self) -> Option<f64> {
        let (done, total) = self.progress();
        let spent: u64 = self.found.iter().flatten().map(|result| result.time).sum();
        (done > 0).then(|| spent as f64 / done as f64 * (total - done) as f64)
    }

    /// The position to search next; `None` when all are.
    #[must_use]
    pub fn next(&self) -> Option<usize> {
        self.found.iter().position(Option::is_none)
    }

    /// The search of a position. `None` where there is nothing to search.
    #[must_use]
    pub fn request(&self, position: usize, id: u64) -> Option<SearchRequest> {
        self.line.request(position, id, self.limit, self.multipv)
    }

    /// Takes the search of a position, which must have run to its limit, and judges the moves that it completes.
    ///
    /// # Errors
    /// Where the search has no line that can be played in the position. It then counts as not searched.
    pub fn take(&mut self, position: usize, engine: &str, result: SearchResult) -> Result<(), AssembleError> {
        let playable = result
            .lines
            .iter()
            .any(|line| line.pv.first().is_some_and(|mv| self.is_legal(position, mv)));
        if !playable {
            return Err(AssembleError::NothingBefore);
        }
        let Some(found) = self.found.get_mut(position) else {
            return Ok(());
        };
        *found = Some(result);
        engine.clone_into(&mut self.engine);
        if let Some(earlier) = position.checked_sub(1) {
            self.judge(earlier)?;
        }
        self.judge(position)
    }

    fn is_legal(&self, position: usize, mv: &shakmaty::uci::UciMove) -> bool {
        self.line
            .positions()
            .get(position)
            .is_some_and(|at| mv.to_move(at).is_ok())
    }

    /// Judges a move, if the positions on both sides of it are searched.
    fn judge(&mut self, index: usize) -> Result<(), AssembleError> {
        let (Some(Some(before)), Some(played)) = (self.found.get(index), self.line.step(index)) else {
            return Ok(());
        };
        let after = self.found.get(index + 1).and_then(Option::as_ref);
        if after.is_none() && played.after.outcome() == Outcome::Unknown {
            return Ok(());
        }
        let evaluation = Evaluation::assemble(&played, self.engine.as_str(), self.limit, before, after)?;
        let verdict = Verdict::of(&played, &evaluation);
        if let Some(annotated) = self.moves.get_mut(index) {
            annotated.evaluation = Some(evaluation);
            annotated.verdict = verdict;
        }
        Ok(())
    }

    /// The score of a position, **White's view**; `None` until it is searched. A checkmate is `Mate(0)`, whoever is mated.
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
        Some(self.found.get(position)?.as_ref()?.lines.first()?.score)
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
