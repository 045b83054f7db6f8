//! Judges the claims of a comment's sentences by deep searches of the position before the move and of the one after it.

use kibitz::{
    chess::Played,
    commentary::{
        Evaluation, Fact, FactSheet, Sentence, Standing, Verdict,
        claims::{
            Statement, Truth, evaluate,
            statement::{Point, Predicate, Qualifier},
        },
        evaluation::Line,
        fact::Detail,
    },
    uci::{Limit, Score},
};
use shakmaty::{Chess, Color, Position, Role};

use super::reference::Deep;

/// Steps of the scale by which a standing may differ from the deep search's and still be right: the next word.
const STEPS: u8 = 1;
/// Win probability that the best move, or one of the best, may cost.
const PRAISED: f64 = 0.03;
/// Win probability by which the only good move must be better than the next.
const ALONE: f64 = 0.10;

/// A claim, and what was found of it.
pub struct Judged {
    /// What a sentence claims.
    pub claim: Statement,
    /// Whether it is so, with why.
    pub finding: Truth,
}

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

    /// What the deep searches, and the board, say of each claim of a comment's sentences.
    pub fn judge(&self, said: &FactSheet, prose: &[Sentence]) -> Vec<Vec<Judged>> {
        // "Good" is claimed of the best moves, too, of which more is said.
        let is_best = |fact: &Fact| matches!(fact.detail, Detail::Verdict { verdict, .. } if verdict == Verdict::Best);
        let praise = if said.facts().iter().any(is_best) {
            Verdict::Best
        } else {
            Verdict::Good
        };
        let mut seen: Vec<Statement> = Vec::new();
        let mut found = Vec::new();
        for sentence in prose {
            // What a sentence before has said is its own mistake.
            let new = sentence.claims(said).into_iter().filter(|claim| !seen.contains(claim));
            let judged: Vec<Judged> = new
                .map(|claim| Judged {
                    finding: self.finding(&claim, praise),
                    claim,
                })
                .collect();
            seen.extend(judged.iter().map(|judged| judged.claim.clone()));
            found.push(judged);
        }
        found
    }

    fn finding(&self, claim: &Statement, praise: Verdict) -> Truth {
        let side = claim.of_side().unwrap_or(self.played.mover());
        let found = match (claim.predicate, claim.qualifier) {
            (Predicate::BetterMove, _) => Some(self.better(claim)),
            (Predicate::MoveQuality, Some(Qualifier::Good)) => Some(self.quality(praise)),
            (Predicate::MoveQuality, Some(word)) => quality_of(word).map(|verdict| self.quality(verdict)),
            (Predicate::OnlyMove, _) => Some(self.only()),
            (Predicate::Better, Some(word)) => standing_of(word).map(|standing| self.stands(side, standing)),
            (Predicate::Equal, _) => Some(self.stands(side, Standing::Equal)),
            (Predicate::ForcedMate, _) => Some(self.mates(side, claim.number)),
            (Predicate::Wins, _) => claim.number.map(|points| self.wins(side, points)),
            _ => None,
        };
        found.unwrap_or_else(|| evaluate(claim, &self.sheet))
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

    /// The deep searches' verdict may be the next one; "the best" of a move that costs most of what an inaccuracy does is more
    /// than one word off.
    fn quality(&self, said: Verdict) -> Truth {
        let apart = (said as u8).abs_diff(self.verdict as u8);
        let praised = said == Verdict::Best && self.verdict != Verdict::Best && self.loss() > PRAISED;
        let deep = || format!("deep {}", self.verdict);
        Truth::of(apart <= 1 && !praised, deep, deep)
    }

    /// A move that is said to be better than the one played; one that no deep search has looked at is open.
    fn better(&self, claim: &Statement) -> Truth {
        let Some(san) = claim.line.moves.first().filter(|_| claim.line.from == Point::Before) else {
            return evaluate(claim, &self.sheet);
        };
        let known = |line: &&Line| line.san.first() == Some(san);
        let Some(line) = self.evaluation.before.iter().find(known) else {
            return Truth::unknown("No deep search has looked at it.");
        };
        let deep = || format!("deep {}, of the move {}", line.score, self.evaluation.played);
        Truth::of(line.score >= self.evaluation.played, deep, deep)
    }

    fn only(&self) -> Truth {
        let second = self.evaluation.before.get(1).map(|line| line.score.win_probability());
        let close = second.is_some_and(|second| self.best().win_probability() - second < ALONE);
        let deep = || format!("deep {} and {second:?}", self.best());
        Truth::of(self.played.before.legal_moves().len() == 1 || !close, deep, deep)
    }

    fn stands(&self, side: Color, said: Standing) -> Truth {
        let now = Standing::of(self.score(side));
        let deep = || format!("deep {} ({})", now.word(), self.score(side));
        Truth::of(said.steps_to(now) <= STEPS, deep, deep)
    }

    fn mates(&self, side: Color, moves: Option<i32>) -> Truth {
        let best = if side == self.played.mover() {
            self.best()
        } else {
            self.score(side)
        };
        let scores = [self.score(side), best];
        let found = scores.into_iter().any(|score| match (score, moves) {
            (Score::Mate(n), Some(said)) => n > 0 && n <= said + 1,
            (Score::Mate(n), None) => n > 0,
            _ => false,
        });
        let deep = || format!("deep {} and {}", scores[0], scores[1]);
        Truth::of(found || self.played.after.is_checkmate(), deep, deep)
    }

    fn wins(&self, side: Color, points: i32) -> Truth {
        let deep = || format!("deep {} (best {})", self.score(side), self.best());
        Truth::of(self.gains(side, points), deep, deep)
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

const fn quality_of(word: Qualifier) -> Option<Verdict> {
    Some(match word {
        Qualifier::Inaccuracy => Verdict::Inaccuracy,
        Qualifier::Mistake => Verdict::Mistake,
        Qualifier::Blunder => Verdict::Blunder,
        _ => return None,
    })
}

const fn standing_of(word: Qualifier) -> Option<Standing> {
    Some(match word {
        Qualifier::Slight => Standing::SlightlyBetter,
        Qualifier::Clear => Standing::ClearlyBetter,
        Qualifier::Winning => Standing::Winning,
        _ => return None,
    })
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
