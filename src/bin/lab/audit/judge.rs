//! Judges a comment's sentences by deep searches of the position before the move and of the one after it.

use kibitz::{
    chess::Played,
    commentary::{Claim, Evaluation, FactSheet, Sentence, Standing, Verdict, claims::check, evaluation::Line},
    uci::{Limit, Score},
};
use shakmaty::{Chess, Color, Position, Role};

use super::{
    reading::{Said, read},
    reference::Deep,
};

/// Steps of the scale by which a standing may differ from the deep search's and still be right: the next word.
const STEPS: u8 = 1;
/// Win probability that the best move, or one of the best, may cost.
const PRAISED: f64 = 0.03;

/// A move as the deep searches see it.
pub struct Judge {
    played: Played,
    sheet: FactSheet,
    evaluation: Evaluation,
    /// How good the move is.
    pub verdict: Verdict,
}

impl Judge {
    /// `None` where the searches don't fit the move.
    pub fn new(played: &Played, deep: &Deep) -> Option<Self> {
        let limit = Limit::Nodes(deep.nodes);
        let mut evaluation =
            Evaluation::assemble(played, deep.engine.as_str(), limit, &deep.before, deep.after.as_ref()).ok()?;
        if let Some(duel) = &deep.duel {
            decide(played, &mut evaluation, Evaluation::lines_before(played, duel));
        }
        Some(Self {
            sheet: FactSheet::new(played, Some(&evaluation), None),
            verdict: Verdict::of(played, &evaluation)?,
            played: played.clone(),
            evaluation,
        })
    }

    /// What the deep searches saw, the mover's view.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// What is wrong with each sentence of a comment; empty where nothing is.
    pub fn judge(&self, prose: &[Sentence]) -> Vec<Vec<String>> {
        let text: Vec<&str> = prose.iter().map(|sentence| sentence.text.as_str()).collect();
        let mut wrong: Vec<Vec<String>> = prose.iter().map(|sentence| self.words(&sentence.text)).collect();
        let text = text.join(" ");
        let checked = check(&self.sheet, &text);
        let mut start = 0;
        for (sentence, wrong) in prose.iter().zip(&mut wrong) {
            let end = start + sentence.text.len();
            // The narrator's sentences are plain: what our reader doubts of them is looked at, too.
            let held_against =
                |claim: &&Claim| claim.verdict.is_against() && claim.span.start >= start && claim.span.start < end;
            for claim in checked.claims.iter().filter(held_against) {
                // What is judged here by better means is not judged twice.
                if matches!(claim.kind.word(), "best" | "quality" | "evaluation" | "material") {
                    continue;
                }
                wrong.push(format!(
                    "claim check, {}: “{}” {}",
                    claim.kind.word(),
                    claim.text,
                    claim.reason
                ));
            }
            start = end + 1;
        }
        wrong
    }

    fn score(&self, side: Color) -> Score {
        if side == self.played.mover() {
            self.evaluation.played
        } else {
            self.evaluation.played.negated()
        }
    }

    fn best(&self) -> Score {
        self.evaluation
            .before
            .first()
            .map_or(self.evaluation.played, |line| line.score)
    }

    /// What the move costs, in win probability.
    fn loss(&self) -> f64 {
        self.best().win_probability() - self.evaluation.played.win_probability()
    }

    fn words(&self, text: &str) -> Vec<String> {
        let mover = self.played.mover();
        let mut wrong = Vec::new();
        for said in read(text, mover, &self.played.san()) {
            match said {
                Said::Move(verdict) => {
                    let apart = (verdict as u8).abs_diff(self.verdict as u8);
                    // "The best" of a move that costs most of what an inaccuracy does is more than one word off.
                    let praised = verdict == Verdict::Best && self.verdict != Verdict::Best && self.loss() > PRAISED;
                    if apart > 1 || praised {
                        wrong.push(format!("verdict: {verdict}, deep {}", self.verdict));
                    }
                }
                Said::Only => {
                    let second = self.evaluation.before.get(1).map(|line| line.score.win_probability());
                    if self.played.before.legal_moves().len() > 1
                        && second.is_some_and(|second| self.best().win_probability() - second < 0.10)
                    {
                        wrong.push(format!("only move: deep {} and {:?}", self.best(), second));
                    }
                }
                Said::Stands(side, standing) => {
                    let now = Standing::of(self.score(side));
                    if standing.steps_to(now) > STEPS {
                        wrong.push(format!(
                            "standing: {}, deep {} ({})",
                            standing.word(),
                            now.word(),
                            self.score(side)
                        ));
                    }
                }
                Said::Mates(side, moves) => {
                    let scores = [
                        self.score(side),
                        if side == mover { self.best() } else { self.score(side) },
                    ];
                    let found = scores.into_iter().any(|score| match (score, moves) {
                        (Score::Mate(n), Some(said)) => n > 0 && n.unsigned_abs() <= said + 1,
                        (Score::Mate(n), None) => n > 0,
                        _ => false,
                    });
                    if !found && !self.played.after.is_checkmate() {
                        wrong.push(format!("mate in {moves:?}: deep {} and {}", scores[0], scores[1]));
                    }
                }
                Said::Wins(side, points) => {
                    if !self.gains(side, points) {
                        wrong.push(format!(
                            "wins {points}: deep {} (best {})",
                            self.score(side),
                            self.best()
                        ));
                    }
                }
                Said::Drawn => {
                    if !self.played.after.is_game_over() && Standing::of(self.score(mover)) != Standing::Equal {
                        wrong.push(format!("drawn: deep {}", self.score(mover)));
                    }
                }
            }
        }
        wrong
    }

    /// Whether a deep line shows `side` winning about so much where captures have settled, or the deep score says that it is
    /// ahead by as much.
    fn gains(&self, side: Color, points: i32) -> bool {
        let mover = self.played.mover();
        let before = &self.played.before;
        let mut starts: Vec<(Chess, &Line, Score)> = Vec::new();
        for line in &self.evaluation.after {
            starts.push((self.played.after.clone(), line, self.evaluation.played));
        }
        if side == mover {
            for line in &self.evaluation.before {
                starts.push((before.clone(), line, line.score));
            }
        }
        // Before the exchange that the move belongs to, too: either count is fair.
        let had: Vec<i32> = [Some(before), self.played.history.last()]
            .into_iter()
            .flatten()
            .map(|position| count(position, side))
            .collect();
        let ahead = |score: Score| match score {
            Score::Cp(cp) => had.iter().any(|had| cp >= 100 * (had + points) - 130),
            Score::Mate(moves) => moves > 0,
        };
        let own = |score: Score| if side == mover { score } else { score.negated() };
        let by_line = starts.iter().any(|(start, line, _)| {
            let mut at = start.clone();
            let mut ends = vec![settled(&at, 6, -1000, 1000) * sign(&at, side)];
            for uci in line.moves.iter().take(14) {
                let Ok(m) = uci.to_move(&at) else { break };
                at.play_unchecked(m);
                ends.push(settled(&at, 6, -1000, 1000) * sign(&at, side));
            }
            had.iter().any(|had| ends.iter().any(|end| end - had >= points))
        });
        by_line || starts.iter().any(|(.., score)| ahead(own(*score)))
    }
}

/// Takes the scores of the duel, which saw the moves side by side, for those of the searches that saw one each.
fn decide(played: &Played, evaluation: &mut Evaluation, duel: Vec<Line>) {
    let own = |line: &&Line| line.moves.first() == Some(&played.uci());
    let Some(score) = duel.iter().find(own).map(|line| line.score) else {
        return;
    };
    evaluation.played = score;
    // The lines that the first searches found stay as witnesses of what can be won.
    evaluation
        .before
        .retain(|line| !duel.iter().any(|other| other.moves.first() == line.moves.first()));
    evaluation.before.splice(0..0, duel);
}

fn sign(position: &Chess, side: Color) -> i32 {
    if position.turn() == side { 1 } else { -1 }
}

fn count(position: &Chess, side: Color) -> i32 {
    let worth = |color: Color| -> i32 {
        let men = position.board().material_side(color);
        [
            (Role::Pawn, 1),
            (Role::Knight, 3),
            (Role::Bishop, 3),
            (Role::Rook, 5),
            (Role::Queen, 9),
        ]
        .into_iter()
        .map(|(role, each)| i32::from(*men.get(role)) * each)
        .sum()
    };
    worth(side) - worth(side.other())
}

/// The balance of the side to move once captures have settled: a plain search over captures, either side free to stop.
fn settled(position: &Chess, depth: u32, mut alpha: i32, beta: i32) -> i32 {
    let stands = count(position, position.turn());
    if depth == 0 {
        return stands;
    }
    let mut best = if position.is_check() { -900 } else { stands };
    let moves = if position.is_check() {
        position.legal_moves()
    } else {
        position.capture_moves()
    };
    if position.is_check() && moves.is_empty() {
        return -900;
    }
    alpha = alpha.max(best);
    for m in moves {
        if alpha >= beta {
            break;
        }
        let mut next = position.clone();
        next.play_unchecked(m);
        best = best.max(-settled(&next, depth - 1, -beta, -alpha));
        alpha = alpha.max(best);
    }
    best
}
