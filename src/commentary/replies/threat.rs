//! What a side threatens: what it would do if the other side passed (a null move).
//!
//! A free move is worth something in itself: Stockfish's documentation puts a tempo below half a pawn. So only what
//! improves the side's score by a pawn, [`MARGIN`], is mentioned. It is called a threat where it mates or wins
//! material, else an idea.

use shakmaty::{Color, Position};

use super::{
    super::{
        FactSheet, Sentence,
        inquiry::{Finding, Look},
        standing::Standing,
    },
    line_sheet::{Root, numbered},
    points::{LONGEST_MATE, judged, point, wins_material},
    reply::{Looked, Reply},
};
use crate::{chess::names::color_name, uci::Score};

/// By how much a free move must improve a side's score to be a threat, in centipawns.
pub const MARGIN: i32 = 100;

/// What `by` threatens, by a search with `by` to move. `None` where the search gave nothing.
pub fn threat(sheet: &FactSheet, by: Color, finding: &Finding, engine: &str) -> Option<Reply> {
    let played = sheet.played();
    let position = finding.look.position(played)?;
    let passed = matches!(finding.look, Look::Passed | Look::Earlier);
    let mut history = played.history.clone();
    history.push(played.before.clone());
    let root = Root {
        history: if passed { Vec::new() } else { history },
        position,
        mode: played.mode,
        engine,
    };
    let lines = root.lines(&finding.result);
    let line = lines.first()?;
    let threat = root.sheet(line, &lines[..1], finding.result.nodes)?;
    let title = match finding.look {
        Look::Passed => format!("if {} passed: ", color_name(by.other())),
        Look::Earlier => format!("if {} had passed: ", color_name(by.other())),
        _ => String::new(),
    };
    let title = format!("{title}{}", numbered(&root.position, &line.san[..1]));
    let sentences = if passed {
        let now = standing(sheet, &finding.look);
        let earlier = finding.look == Look::Earlier;
        let is_threat = now.map_or_else(
            || line.score >= Score::Cp(MARGIN) || matches!(line.score, Score::Mate(n) if n > 0),
            |now| improves(now, line.score),
        );
        if is_threat {
            said(sheet, &threat, by, line.score, earlier)
        } else {
            nothing(&threat, by, (now, line.score), earlier)
        }
    } else {
        at_once(&threat, by, line.score)
    };
    Some(Reply {
        sentences,
        looked: vec![Looked {
            title,
            sheet: threat,
            narrated: false,
        }],
    })
}

/// How the side that threatens stands without its free move, **that side's view**.
fn standing(sheet: &FactSheet, look: &Look) -> Option<Score> {
    let evaluation = sheet.evaluation()?;
    match look {
        Look::Earlier => evaluation.before.first().map(|line| line.score.negated()),
        _ => Some(evaluation.played),
    }
}

/// Whether a free move improves the score by enough to be a threat: to a mate, or a nearer one, or by [`MARGIN`].
fn improves(now: Score, free: Score) -> bool {
    match (now, free) {
        (Score::Mate(now), Score::Mate(free)) if now > 0 && free > 0 => free < now,
        (_, Score::Mate(free)) => free > 0,
        (Score::Cp(now), Score::Cp(free)) => free.saturating_sub(now) >= MARGIN,
        // It was being mated, and the free move ends that.
        (Score::Mate(now), Score::Cp(free)) => now <= 0 && free >= 0,
    }
}

/// The threat, and what the other side has against it.
fn said(sheet: &FactSheet, threat: &FactSheet, by: Color, score: Score, earlier: bool) -> Vec<Sentence> {
    let (side, san) = (color_name(by), threat.played().san());
    let threatens = if earlier { "threatened" } else { "threatens" };
    let point = point(threat, 2, true);
    let mut facts = point.facts.clone();
    let mates = matches!(score, Score::Mate(n) if n.unsigned_abs() <= LONGEST_MATE);
    let text = match point.ing() {
        Some(ing) if mates || wins_material(threat, by) => format!("{side} {threatens} {san}, {ing}."),
        ing => {
            facts.extend(judged(threat));
            facts.sort_unstable();
            facts.dedup();
            let what = ing.map_or(String::new(), |ing| format!(", {ing}"));
            let stands = Standing::of(score).of_game(by);
            if earlier {
                let stood = stands.replacen(" is ", " would have been ", 1);
                format!("{side}'s idea was {san}{what}; {stood} then.")
            } else {
                format!("{side}'s idea is {san}{what}; {stands} then.")
            }
        }
    };
    let mut said = vec![Sentence { text, facts }];
    if earlier {
        return said;
    }
    if let Some(evaluation) = sheet.evaluation()
        && let Some(reply) = evaluation.after.first().and_then(|line| line.san.first())
    {
        let text = format!("{}'s best answer is {reply}.", color_name(by.other()));
        said.push(Sentence {
            text,
            facts: judged(sheet),
        });
    }
    said
}

/// That there is no threat to speak of, and what a free move would be used for.
fn nothing(threat: &FactSheet, by: Color, scores: (Option<Score>, Score), earlier: bool) -> Vec<Sentence> {
    let (side, san) = (color_name(by), threat.played().san());
    let (threatens, would) = if earlier {
        ("threatened", "would have been")
    } else {
        ("threatens", "would be")
    };
    let (now, free) = (scores.0.map(Standing::of), Standing::of(scores.1));
    let reason = if now == Some(free) {
        format!("even after a free move {}", free.of_game(by))
    } else {
        format!("the best use of a free move {would} {san}")
    };
    let mut said = vec![Sentence {
        text: format!("{side} {threatens} nothing much: {reason}."),
        facts: judged(threat),
    }];
    let point = point(threat, 1, false);
    if let Some(ing) = point.ing().filter(|_| now == Some(free)) {
        said.push(Sentence {
            text: format!("The best use of one {would} {san}, {ing}."),
            facts: point.facts,
        });
    }
    said
}

/// The side asked about is to move: what it can do at once.
fn at_once(best: &FactSheet, by: Color, score: Score) -> Vec<Sentence> {
    let (side, san) = (color_name(by), best.played().san());
    let point = point(best, 2, true);
    let what = point.ing().map_or(String::new(), |ing| format!(", {ing}"));
    let mut said = vec![Sentence {
        text: format!("It is {side}'s turn, and the engine's choice is {san}{what}."),
        facts: point.facts,
    }];
    if !best.played().after.is_game_over() {
        said.push(Sentence {
            text: format!("After that {}.", Standing::of(score).of_game(by)),
            facts: judged(best),
        });
    }
    said
}
