//! What the engine decides: who stands better, what was best, how good a move is, forced mates.

use shakmaty::{Chess, Color, Position, uci::UciMove};

use super::{
    finding::{Degree, Finding, any_of, compares, unnamed},
    scene::Scene,
};
use crate::commentary::claims::{
    statement::{Predicate, Qualifier, Statement},
    truth::Truth,
};
use crate::{
    chess::{motifs::mate::mates_in_one, names::color_name, pv_san},
    commentary::{
        Evaluation, Standing, Verdict,
        standing::{CLEAR, SLIGHT, WINNING},
    },
    uci::Score,
};

/// Centipawns by which a word that begins or ends somewhere is still left open.
const MARGIN: i32 = 35;
/// Centipawns between two moves that are told apart.
const APART: i32 = 20;
/// Centipawns that a score may be off: another run of the engine gives another.
const SAME_SCORE: i32 = 15;
/// From here on the number of a score says little.
const FAR: i32 = 800;
/// Mates have more.
const MATES: i32 = 90_000;

const NO_ENGINE: &str = "The engine has not judged that.";

pub(super) fn judge(statement: &Statement, scene: &Scene<'_>) -> Finding {
    match statement.predicate {
        Predicate::Better => Ok(better(statement, scene)),
        Predicate::Equal => Ok(equal(scene)),
        Predicate::Score => score(statement, scene),
        Predicate::BestMove => Ok(best_move(statement, scene)),
        Predicate::BetterMove => Ok(better_move(statement, scene)),
        Predicate::EquallyGood => Ok(equally_good(scene)),
        Predicate::OnlyMove => Ok(only_move(scene)),
        Predicate::MoveQuality => quality(statement, scene),
        _ => Ok(forced_mate(statement, scene)),
    }
}

/// The score here, a side's view.
fn score_of(scene: &Scene<'_>, side: Color) -> Option<Score> {
    if scene.pos.is_checkmate() {
        let won = scene.pos.turn() != side;
        return Some(Score::Mate(if won { 1 } else { 0 }));
    }
    let score = scene.score()?;
    Some(if scene.played().mover() == side {
        score
    } else {
        score.negated()
    })
}

/// A mate is a very large number of centipawns.
fn centipawns(score: Score) -> i32 {
    match score {
        Score::Cp(cp) => cp,
        Score::Mate(moves) if moves > 0 => 100_000 - moves,
        Score::Mate(moves) => -100_000 - moves,
    }
}

/// The score that [`centipawns`] made a number, as players write it.
fn written(cp: i32) -> Score {
    match cp {
        mate if mate > MATES => Score::Mate(100_000 - mate),
        mated if mated < -MATES => Score::Mate(-100_000 - mated),
        cp => Score::Cp(cp),
    }
}

fn in_words(side: Color, score: Score) -> String {
    format!("By the engine {} ({score}).", Standing::of(score).of_game(side))
}

fn better(statement: &Statement, scene: &Scene<'_>) -> Truth {
    let side = scene.side_of(statement);
    let Some(score) = score_of(scene, side) else {
        return Truth::unknown(NO_ENGINE);
    };
    let cp = centipawns(score);
    let within =
        |low: i32, high: i32| Degree::or_open((low..high).contains(&cp), (low - MARGIN..high + MARGIN).contains(&cp));
    let degree = match statement.qualifier {
        // A word too small for what there is, is not wrong of who stands better.
        Some(Qualifier::Slight) => match within(SLIGHT, CLEAR) {
            Degree::No if cp > 0 => Degree::or_open(false, cp < WINNING),
            degree => degree,
        },
        Some(Qualifier::Clear) => match within(CLEAR, WINNING) {
            Degree::No if cp >= WINNING => Degree::Yes,
            degree => degree,
        },
        Some(Qualifier::Winning) => Degree::or_open(cp >= WINNING, cp >= WINNING - 2 * MARGIN),
        _ => Degree::or_open(cp >= SLIGHT, cp >= SLIGHT - MARGIN),
    };
    any_of([(degree, in_words(side, score))])
}

fn equal(scene: &Scene<'_>) -> Truth {
    let Some(score) = score_of(scene, Color::White) else {
        return Truth::unknown(NO_ENGINE);
    };
    let cp = centipawns(score).abs();
    let reason = in_words(Color::White, score);
    any_of([(Degree::or_open(cp < SLIGHT, cp < SLIGHT + MARGIN), reason)])
}

fn score(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let Some(number) = statement.number else {
        return unnamed("a score");
    };
    let side = statement.of_side().unwrap_or(Color::White);
    let played = scene.played();
    let own = played.mover() == side;
    let mine = |score: Score| centipawns(if own { score } else { score.negated() });
    let mut scores: Vec<i32> = score_of(scene, side).into_iter().map(centipawns).collect();
    let here = scores.first().copied();
    if scene.named == 0 || scores.is_empty() {
        // A score quoted without its line may be any that was given.
        scores.extend(scene.evaluation().into_iter().flat_map(Evaluation::scores).map(mine));
    } else if let Some(m) = candidate(scene).filter(|_| scene.named == 1) {
        // That of a move as the search before it had it.
        let ranked = scene
            .evaluation()
            .and_then(|evaluation| score_in(&evaluation.ranking, &m));
        scores.extend(ranked.map(|cp| if own { cp } else { -cp }));
    }
    let Some(here) = here.or(scores.first().copied()) else {
        return Ok(Truth::unknown(NO_ENGINE));
    };
    // Of another line is a figure that is at odds with this one only where both favour one side.
    scores.retain(|cp| cp.signum() == here.signum() || here.abs() < SLIGHT);
    let near = |cp: i32| (cp - number).abs() <= SAME_SCORE || far(cp, number);
    let degree = match statement.qualifier {
        how @ Some(Qualifier::MoreThan | Qualifier::LessThan | Qualifier::About) => {
            let slack = if how == Some(Qualifier::About) {
                2 * MARGIN
            } else {
                SAME_SCORE
            };
            match compares(here, number, how, slack) {
                Degree::No if scores.iter().any(|cp| compares(*cp, number, how, slack) == Degree::Yes) => Degree::Open,
                degree => degree,
            }
        }
        _ if near(here) => Degree::Yes,
        // "five pawns ahead", where it is five and a half.
        _ => {
            let rounded = number % CLEAR == 0 && (here - number).abs() < CLEAR;
            // Quoted as the engine gives it to the side that moves.
            let turned = statement.side.is_none() && !own && (here + number).abs() <= 1;
            Degree::or_open(
                false,
                turned || rounded || (here - number).abs() <= 2 * SAME_SCORE || scores.into_iter().any(near),
            )
        }
    };
    let reason = format!("By the engine it is {} for {}.", written(here), color_name(side));
    Ok(any_of([(degree, reason)]))
}

/// Two scores so high that their numbers say little.
const fn far(cp: i32, number: i32) -> bool {
    cp.abs() > FAR && number.abs() > FAR && cp.signum() == number.signum()
}

/// The move that is spoken of, played in the position before the move under discussion.
fn candidate(scene: &Scene<'_>) -> Option<UciMove> {
    let played = scene.played();
    let own = scene.own_moves();
    let (pos, m) = own.first()?;
    (*pos == played.before).then(|| m.to_uci(played.mode))
}

/// A move and those it is compared with, in the view of the side that plays them.
struct Rivals {
    /// The move that is spoken of.
    spoken: UciMove,
    /// With the score of the move under discussion as the search after it found it.
    lines: Vec<(UciMove, Score)>,
    /// Before the move: as the search there gave them.
    ranking: Vec<(UciMove, Score)>,
}

impl Rivals {
    const fn new(spoken: UciMove, lines: Vec<(UciMove, Score)>) -> Self {
        Self {
            spoken,
            lines,
            ranking: Vec::new(),
        }
    }

    /// How far the spoken move is below the first in each list that has it, in centipawns.
    fn behind(&self) -> impl Iterator<Item = i32> {
        [&self.lines, &self.ranking].into_iter().filter_map(|list| {
            let best = list.iter().map(|(_, score)| centipawns(*score)).max()?;
            Some(best - score_in(list, &self.spoken)?)
        })
    }
}

fn score_in(list: &[(UciMove, Score)], m: &UciMove) -> Option<i32> {
    let (_, score) = list.iter().find(|(known, _)| known == m)?;
    Some(centipawns(*score))
}

/// The moves of the position that the last of the spoken moves is played in, with their scores in the view of the side that
/// plays them: before the move and after it the engine's lines, further on the one that goes on as they do.
fn rivals(scene: &Scene<'_>) -> Option<Rivals> {
    let evaluation = scene.evaluation()?;
    let played = scene.played();
    let own = scene.own_moves();
    let (pos, m) = own.last()?;
    let uci = m.to_uci(played.mode);
    if *pos == played.before {
        let mut lines: Vec<(UciMove, Score)> = first_moves(&evaluation.before, false);
        if !lines.iter().any(|(known, _)| *known == played.uci()) {
            lines.push((played.uci(), evaluation.played));
        }
        return Some(Rivals {
            spoken: uci,
            lines,
            ranking: evaluation.ranking.clone(),
        });
    }
    if *pos == played.after {
        return Some(Rivals::new(uci, first_moves(&evaluation.after, true)));
    }
    let way: Vec<UciMove> = own[..own.len() - 1]
        .iter()
        .map(|(_, m)| m.to_uci(played.mode))
        .collect();
    let lines = if own.first()?.0 == played.before {
        &evaluation.before
    } else {
        &evaluation.after
    };
    let line = lines.iter().find(|line| line.moves.starts_with(&way))?;
    let turned = pos.turn() != played.mover();
    let score = if turned { line.score.negated() } else { line.score };
    Some(Rivals::new(uci, vec![(*line.moves.get(way.len())?, score)]))
}

fn first_moves(lines: &[crate::commentary::Line], turned: bool) -> Vec<(UciMove, Score)> {
    lines
        .iter()
        .filter_map(|line| {
            let score = if turned { line.score.negated() } else { line.score };
            Some((*line.moves.first()?, score))
        })
        .collect()
}

/// A move of this position as players write it.
fn san(pos: &Chess, m: UciMove) -> Option<String> {
    pv_san(pos, &[m]).pop()
}

/// What two moves from a position come to.
fn compared(pos: &Chess, (one, own): (UciMove, i32), (other, score): (UciMove, i32)) -> String {
    format!(
        "By the engine {} comes to {}, {} to {}.",
        san(pos, one).unwrap_or_default(),
        written(own),
        san(pos, other).unwrap_or_default(),
        written(score)
    )
}

fn best_move(statement: &Statement, scene: &Scene<'_>) -> Truth {
    let Some(rivals) = rivals(scene) else {
        return Truth::unknown(NO_ENGINE);
    };
    let lines = &rivals.lines;
    let Some(best) = lines.iter().map(|(_, score)| centipawns(*score)).max() else {
        return Truth::unknown(NO_ENGINE);
    };
    let top = lines.iter().find(|(_, score)| centipawns(*score) == best);
    let name = top.and_then(|(m, _)| san(&scene.own_moves().last()?.0, *m));
    let reason = format!("The engine's first choice is {}.", name.unwrap_or_default());
    // It is the best by either order; that it is not ("the engine's number two") is said of the search's own.
    let behind = if statement.denied {
        rivals.behind().last()
    } else {
        rivals.behind().min()
    };
    let degree = match behind {
        // Another search may put a move first that is hardly below it.
        Some(behind) => Degree::or_open(behind == 0, behind < APART / 2 && best.abs() < MATES),
        // It is not among those that the engine gave, or not how its line goes on.
        None => Degree::No,
    };
    any_of([(degree, reason)])
}

/// Centipawns between two moves that are told apart where one of them has this score: the further from level, the more.
fn apart(cp: i32) -> i32 {
    if cp.abs() < MATES {
        APART.max(cp.abs() / 20)
    } else {
        APART
    }
}

/// Whether a difference in centipawns is as it is said to be. Differences are rounded as they are told.
fn by_so_much(difference: i32, number: i32, how: Option<Qualifier>) -> Degree {
    if difference.abs() > MATES {
        return Degree::Open;
    }
    let near = APART + number.abs() / 10;
    match how {
        Some(Qualifier::MoreThan | Qualifier::LessThan) => compares(difference, number, how, SAME_SCORE),
        _ => compares(difference, number, Some(Qualifier::About), near),
    }
}

fn better_move(statement: &Statement, scene: &Scene<'_>) -> Truth {
    let (Some(evaluation), Some(m)) = (scene.evaluation(), candidate(scene)) else {
        return Truth::unknown(NO_ENGINE);
    };
    let played = centipawns(evaluation.played);
    let lines = first_moves(&evaluation.before, false);
    let own = score_in(&lines, &m);
    let best = lines.first().map_or(played, |(_, score)| centipawns(*score));
    // The search before the move may have had them the other way round.
    let at_first = |m: &UciMove| score_in(&evaluation.ranking, m);
    let ahead = |own: i32| {
        let first = at_first(&m).map(|own| own - at_first(&scene.played().uci()).unwrap_or(played));
        first.map_or(own - played, |first| first.max(own - played))
    };
    let apart = apart(played);
    let with_played = |own| compared(&scene.played().before, (m, own), (scene.played().uci(), played));
    let (degree, reason) = match own {
        // "no better by so much" is often said of a move that is worse.
        Some(own) if let Some(number) = statement.number.filter(|_| !statement.denied) => {
            let by = |difference: i32| by_so_much(difference, number, statement.qualifier);
            (by(ahead(own)).max(by(own - played)), with_played(own))
        }
        Some(own) => (
            Degree::or_open(ahead(own) > apart, ahead(own) >= -apart),
            with_played(own),
        ),
        None => (
            Degree::or_open(false, played < best - APART),
            "It is not among the engine's best moves.".to_owned(),
        ),
    };
    any_of([(degree, reason)])
}

fn equally_good(scene: &Scene<'_>) -> Truth {
    let Some(Rivals { spoken, lines, .. }) = rivals(scene) else {
        return Truth::unknown(NO_ENGINE);
    };
    let Some(own) = score_in(&lines, &spoken) else {
        return Truth::unknown("It is not among the engine's best moves.");
    };
    // Of a move the one under discussion is the measure, of a reply the best of the others.
    let known = if candidate(scene).is_some() {
        scene
            .evaluation()
            .map(|evaluation| (scene.played().uci(), evaluation.played))
    } else {
        let others = lines.iter().filter(|(m, _)| *m != spoken).copied();
        others.max_by_key(|(_, score)| centipawns(*score))
    };
    let Some((measure, played)) = known.map(|(m, score)| (m, centipawns(score))) else {
        return Truth::unknown(NO_ENGINE);
    };
    let apart = (own - played).abs();
    let pos = &scene.own_moves()[0].0;
    let reason = compared(pos, (spoken, own), (measure, played));
    // Mates in so many moves and in more: as good for some, not as quick for others.
    let mates = own.abs() > MATES && played.abs() > MATES;
    any_of([(
        Degree::or_open(
            apart <= if mates { 0 } else { SLIGHT },
            apart <= CLEAR || far(own, played),
        ),
        reason,
    )])
}

fn only_move(scene: &Scene<'_>) -> Truth {
    let (before, ..) = scene.deed();
    if before.legal_moves().len() == 1 {
        return Truth::yes("No other move is legal.");
    }
    let Some(Rivals { spoken: m, lines, .. }) = rivals(scene) else {
        return Truth::unknown(NO_ENGINE);
    };
    let own = score_in(&lines, &m);
    let other = lines
        .iter()
        .filter(|(known, _)| *known != m)
        .map(|(_, score)| centipawns(*score))
        .max();
    match (own, other) {
        (Some(own), Some(other)) => {
            let reason = format!(
                "By the engine it comes to {}, the next best move to {}.",
                written(own),
                written(other)
            );
            any_of([(Degree::or_open(own - other >= 2 * CLEAR, own - other >= APART), reason)])
        }
        _ => Truth::unknown(NO_ENGINE),
    }
}

fn quality(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let Some(said) = statement.qualifier else {
        return unnamed("how good the move is");
    };
    let verdict = if scene.played().after.is_checkmate() && scene.named == 0 {
        Some(Verdict::Best)
    } else {
        rivals(scene).and_then(|Rivals { spoken: m, lines, .. }| {
            let best = lines.iter().map(|(_, score)| *score).max()?;
            let own = lines.iter().find(|(known, _)| *known == m).map(|(_, score)| *score)?;
            Some(Verdict::by_scores(best, own))
        })
    };
    let Some(verdict) = verdict else {
        return Ok(Truth::unknown(NO_ENGINE));
    };
    let level = |verdict: Verdict| match verdict {
        Verdict::Best | Verdict::Good => 0_i32,
        Verdict::Inaccuracy => 1,
        Verdict::Mistake => 2,
        Verdict::Blunder => 3,
    };
    let said = match said {
        Qualifier::Good => 0,
        Qualifier::Inaccuracy => 1,
        Qualifier::Mistake => 2,
        Qualifier::Blunder => 3,
        _ => return unnamed("how good the move is"),
    };
    let steps = (level(verdict) - said).abs();
    let reason = format!("By the engine it is {}.", verdict.phrase());
    // Where the game is decided anyway, some weigh a loss as elsewhere.
    let costs = loss(scene).is_some_and(|loss| loss >= CLEAR) && said > level(verdict);
    Ok(any_of([(Degree::or_open(steps == 0, steps == 1 || costs), reason)]))
}

/// What the spoken move costs against the best, in centipawns.
fn loss(scene: &Scene<'_>) -> Option<i32> {
    let Rivals { spoken, lines, .. } = rivals(scene)?;
    let best = lines.iter().map(|(_, score)| centipawns(*score)).max()?;
    Some(best - score_in(&lines, &spoken)?)
}

fn forced_mate(statement: &Statement, scene: &Scene<'_>) -> Truth {
    let side = scene.side_of(statement);
    if scene.pos.is_checkmate() {
        let won = scene.pos.turn() != side;
        return Truth::of(won, || "It is checkmate.".to_owned(), || "It is checkmate.".to_owned());
    }
    let Some(score) = score_of(scene, side) else {
        return Truth::unknown(NO_ENGINE);
    };
    let reason = in_words(side, score);
    let degree = match score {
        Score::Mate(moves) if moves > 0 => {
            let fits = |moves: i32, number: i32| compares(moves, number, statement.qualifier, 0) == Degree::Yes;
            // Counted with or without the moves of its own that have been made.
            let made = scene.trail.iter().filter(|(pos, _)| pos.turn() == side).count();
            let fewest = moves - i32::try_from(made).unwrap_or(0);
            let counted = statement
                .number
                .is_none_or(|number| (fewest..=moves).any(|moves| fits(moves, number)));
            // Another of the engine's lines may have the mate that is meant, where none is named.
            let another = candidate(scene).is_some_and(|m| m != scene.played().uci());
            // Behind moves that are named it is not sooner.
            let sooner = scene.named > 0
                && statement.qualifier.is_none()
                && statement.number.is_some_and(|number| number < moves - 1);
            // Nor is it a mate at once where there is none.
            let at_once = statement.number == Some(1)
                && statement.qualifier.is_none()
                && scene.trail.is_empty()
                && scene.pos.turn() == side
                && mates_in_one(&scene.pos).is_empty();
            let told = !(another || sooner || at_once)
                && scene.evaluation().is_none_or(|evaluation| {
                    let near = |mate: i32| {
                        statement
                            .number
                            .is_none_or(|number| (number - mate.abs()).abs() <= i32::from(made > 0))
                    };
                    evaluation
                        .scores()
                        .any(|score| matches!(score, Score::Mate(mate) if near(mate)))
                });
            Degree::or_open(counted, told)
        }
        Score::Cp(cp) => Degree::or_open(false, cp > FAR),
        Score::Mate(_) => Degree::No,
    };
    any_of([(degree, reason)])
}
