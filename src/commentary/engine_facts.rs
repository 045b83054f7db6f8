//! The facts that rest on the engine's searches.

use shakmaty::{Chess, EnPassantMode, Move, Position, Role, san::SanPlus, uci::UciMove};

use super::{
    Evaluation, Verdict,
    board_facts::{Found, facts_of_move},
    fact::{Change, Detail, Moment},
    line_gains,
    plans::plan,
    prevention::remedy,
    sacrifice::sacrifice,
    salience::select,
    standing::Standing,
};
use crate::chess::{
    Man, Played, destination,
    motifs::{
        discovered::discovered,
        fork::fork,
        line::{Pin, pins, skewers},
        mate,
        trapped::trapped,
    },
};
use crate::uci::Score;

/// How far along a line we look for what it does, in plies: further than that, lines are guesses.
const HORIZON: usize = 8;
/// Win probability by which the best move must beat the second to be the only good one: Lichess's blunder.
const ONLY: f64 = 0.18;

/// A fact along a line, with the moves in SAN that lead to it.
pub struct Seen {
    /// The fact.
    pub found: Found,
    /// As [`super::fact::Fact::line`].
    pub line: Vec<String>,
}

/// What the engine's searches say about the move.
#[must_use]
pub fn engine_facts(played: &Played, evaluation: &Evaluation) -> Vec<Seen> {
    let mut facts = Vec::new();
    let mut add = |moment, detail| {
        facts.push(Seen {
            found: Found { moment, detail },
            line: Vec::new(),
        })
    };
    let mover = played.mover();
    // Counted from before the exchange that the move belongs to: to take back is not to win.
    let base = line_gains::baseline(played);
    let Some(first) = evaluation.before.first() else {
        return facts;
    };
    let Some(verdict) = Verdict::of(played, evaluation) else {
        return facts;
    };
    let now = played_score(played, evaluation);
    let best = first.score.win_probability();
    add(
        Moment::Move,
        Detail::Verdict {
            side: mover,
            verdict,
            before: Standing::of(first.score),
            after: Standing::of(now),
            best,
            played: now.win_probability(),
            engine: evaluation.engine.clone(),
        },
    );
    let ended = played.after.legal_moves().is_empty();
    if let Score::Mate(n) = evaluation.played
        // The move itself counts: a game that goes on is not mate in one for the mover.
        && !ended
        && n != 1
    {
        let winner = if n > 0 { mover } else { mover.other() };
        let starts = if n > 0 {
            None
        } else {
            evaluation.after.first().and_then(|line| line.san.first().cloned())
        };
        add(
            Moment::After,
            Detail::Mate {
                winner,
                moves: n.unsigned_abs().max(1),
                starts,
            },
        );
    }
    if let Some(second) = evaluation.before.get(1)
        && verdict == Verdict::Best
        && first.moves.first() == Some(&played.uci())
        && best - second.score.win_probability() >= ONLY
    {
        add(
            Moment::Before,
            Detail::OnlyMove {
                side: mover,
                legal: false,
            },
        );
    }
    if let Some(sacrifice) = sacrifice(played, evaluation) {
        add(Moment::After, sacrifice);
    }
    if !verdict.eq(&Verdict::Best) {
        let line = walk(&played.before, &first.moves);
        if let (Some(step), Some(san)) = (line.first(), first.san.first()) {
            let acts = acts(&played.before, step.0, played, 100);
            let wins = line_gains::gain(&base, &line, mover, first.score);
            let mate = mate_in(first.score);
            add(
                Moment::Best,
                Detail::Best {
                    side: mover,
                    san: san.clone(),
                    acts,
                    wins,
                    mate,
                },
            );
        }
    }
    let Some(reply) = evaluation.after.first() else {
        return facts;
    };
    let line = walk(&played.after, &reply.moves);
    let (Some(step), Some(san)) = (line.first(), reply.san.first().cloned()) else {
        return facts;
    };
    // What refutes a move must weigh something; what answers a good one need only be a capture or a check.
    let least = if verdict.is_bad() { 281 } else { 235 };
    let acts = acts(&played.after, step.0, played, least);
    let mut whole = vec![(played.mv, played.after.clone())];
    whole.extend(line.iter().cloned());
    let wins = line_gains::gain(&base, &whole, mover.other(), evaluation.played.negated());
    let mated = if let Score::Mate(n) = evaluation.played {
        u32::try_from(-n).ok().filter(|&n| n > 0)
    } else {
        None
    };
    let side = mover.other();
    let punished =
        verdict.is_bad() && (!acts.is_empty() || wins.as_ref().is_some_and(|w| w.points() > 0) || mated.is_some());
    if punished
        && let Some(best) = first.moves.first().and_then(|uci| uci.to_move(&played.before).ok())
        && let Some(remedy) = remedy(played, best, (step.0, &san), (first.score, evaluation.played))
        && let Some(better) = first.san.first()
    {
        add(
            Moment::Best,
            Detail::Remedy {
                side: mover,
                san: better.clone(),
                remedy,
            },
        );
    }
    // What a bad move allows is mentioned even where the reply does nothing that can be named.
    if verdict.is_bad() {
        add(
            Moment::Line,
            Detail::Punishment {
                side,
                san,
                acts,
                wins,
                mate: mated,
            },
        );
    } else {
        add(Moment::Line, Detail::Reply { side, san, acts });
    }
    if let [(reply, then), (next, _), ..] = &line[..]
        && !verdict.is_bad()
        && let Some(plan) = plan(played, *reply, then, *next)
        && let Some(san) = evaluation.after.first().and_then(|line| line.san.get(..2))
    {
        facts.push(Seen {
            found: Found {
                moment: Moment::Line,
                detail: Detail::Plan {
                    side: mover,
                    san: san[1].clone(),
                    plan,
                },
            },
            line: san.to_vec(),
        });
    }
    facts.extend(along(played, &whole, evaluation.played, verdict.is_bad()));
    facts
}

/// The played move's score, the mover's view; a checkmate on the board is one, whatever an engine made of it.
fn played_score(played: &Played, evaluation: &Evaluation) -> Score {
    if played.after.is_checkmate() {
        Score::Mate(1)
    } else {
        evaluation.played
    }
}

fn mate_in(score: Score) -> Option<u32> {
    match score {
        Score::Mate(n) => u32::try_from(n).ok().filter(|&n| n > 0),
        Score::Cp(_) => None,
    }
}

/// The most telling things the move `m` does in `pos`, none lighter than `least`.
fn acts(pos: &Chess, m: Move, context: &Played, least: u32) -> Vec<Detail> {
    let history = vec![if *pos == context.after {
        context.before.clone()
    } else {
        pos.clone()
    }];
    let history = if *pos == context.after {
        history
    } else {
        context.history.clone()
    };
    Played::new(pos.clone(), m, context.mode, history)
        .map(|next| select(&facts_of_move(&next), next.mover(), 2, least))
        .unwrap_or_default()
}

/// Plays the line as far as it is legal and within the horizon: each move with the position it leads to.
fn walk(start: &Chess, moves: &[UciMove]) -> Vec<(Move, Chess)> {
    let mut pos = start.clone();
    let mut line = Vec::new();
    for uci in moves.iter().take(HORIZON) {
        let Ok(m) = uci.to_move(&pos) else { break };
        pos.play_unchecked(m);
        line.push((m, pos.clone()));
    }
    line
}

/// The fork, skewers and discovered attacks that `m` makes on the way from `pos` to `next`.
fn motifs(pos: &Chess, m: Move, next: &Chess) -> Vec<Detail> {
    let ep = next.ep_square(EnPassantMode::Legal);
    let mover = pos.turn();
    let moved = Man::at(next.board(), destination(m));
    let old = skewers(pos.board(), mover);
    let new = skewers(next.board(), mover).into_iter().filter(|s| !old.contains(s));
    moved
        .and_then(|man| fork(next.board(), man, ep))
        .map(Detail::Fork)
        .into_iter()
        .chain(new.map(Detail::Skewer))
        .chain(
            discovered(pos.board(), next.board(), m)
                .into_iter()
                .map(Detail::Discovered),
        )
        .collect()
}

/// What happens along the expected line, `whole` with the move itself: what the mover wins, and the motifs and mate of its next three moves. Of a bad
/// move also the motif of the opponent's second move, and how it mates.
fn along(played: &Played, whole: &[(Move, Chess)], score: Score, bad: bool) -> Vec<Seen> {
    let mover = played.mover();
    let mut facts = Vec::new();
    let mut san = Vec::new();
    let mut pos = played.after.clone();
    for (i, (m, next)) in whole.iter().skip(1).enumerate() {
        san.push(SanPlus::from_move(pos.clone(), *m).to_string());
        let mut add = |detail| {
            facts.push(Seen {
                found: Found {
                    moment: Moment::Line,
                    detail,
                },
                line: san.clone(),
            })
        };
        if (i % 2 == 1 || bad && i > 0) && next.is_checkmate() {
            if let Some(king) = next
                .board()
                .king_of(next.turn())
                .and_then(|sq| Man::at(next.board(), sq))
            {
                let by = Man::all(next.board(), next.checkers());
                let pattern = mate::pattern(next);
                if let (Some(mate::Pattern::BackRank), Some(&by)) = (pattern, by.first()) {
                    add(Detail::BackRank { king, by });
                }
                add(Detail::Checkmate { by, king, pattern });
            }
        } else if i % 2 == 1 && i < 6 {
            for detail in motifs(&pos, *m, next) {
                add(detail);
            }
            let old = pins(pos.board());
            let fresh = |pin: &Pin| !old.iter().any(|p| p.pinned == pin.pinned && p.behind == pin.behind);
            for pin in pins(next.board()) {
                if pin.by.color == mover && pin.pinned.role != Role::Pawn && fresh(&pin) {
                    add(Detail::Pin {
                        pin,
                        change: Change::New,
                    });
                }
            }
            for hanging in trapped(next) {
                add(Detail::Trapped(hanging));
            }
        }
        if bad && i == 2 && !next.is_checkmate() {
            for detail in motifs(&pos, *m, next) {
                add(detail);
            }
        }
        pos = next.clone();
    }
    let base = line_gains::baseline(played);
    let gains = [(mover, score), (mover.other(), score.negated())].map(|(side, score)| {
        let gain = line_gains::gain(&base, whole, side, score);
        gain.filter(|surplus| surplus.points() > 0)
            .map(|surplus| (side, surplus))
    });
    if let Some((side, surplus)) = gains.into_iter().flatten().next() {
        facts.push(Seen {
            found: Found {
                moment: Moment::Line,
                detail: Detail::MaterialChange { side, surplus },
            },
            line: san,
        });
    }
    facts
}
