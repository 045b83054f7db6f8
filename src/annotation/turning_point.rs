//! Why a move is a turning point, and how much it weighs.
//!
//! Weights are comparable with winning chance: a bad move weighs what it cost its mover; a good one what the next best
//! would have cost, what the first look did not see of it, or what an offer of material is worth telling. Where both
//! sides know the result already, everything weighs little but the blow that ends the game.

use std::fmt;

use shakmaty::{Color, Position};

use super::{
    AnnotatedGame, AnnotatedMove,
    doubt::{SOUND, margin},
    look::Look,
};
use crate::chess::offer::Offer;
use crate::{
    chess::{Openings, Played, exchange, material::value, names::color_name},
    commentary::{Evaluation, Standing},
    uci::Score,
};

/// Why a move was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TurningPointKind {
    /// An inaccuracy, a mistake or a blunder.
    Error,
    /// Lets a win slip.
    MissedWin,
    /// Could have forced mate, and no longer can.
    MissedMate,
    /// Material is offered, and it works.
    Sacrifice,
    /// Every other move is much worse.
    OnlyMove,
    /// Makes use of the opponent's error.
    Seizes,
    /// Its point was not seen at first look.
    Hidden,
    /// The best move, and the next best is not as good.
    Strong,
    /// The first move of a forced mate.
    ForcesMate,
    /// Ends the game: checkmate, or the winner's last move.
    Finish,
}

/// A move that turned the game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TurningPoint {
    /// Which move, from 0.
    pub index: usize,
    /// Why it was chosen.
    pub kind: TurningPointKind,
    /// How much it weighs, 0 to 1.
    pub weight: f64,
    /// Whether no other move was nearly as good.
    pub alone: bool,
}

impl TurningPointKind {
    /// Whether the move is praised; the others are blamed.
    #[must_use]
    pub const fn is_good(self) -> bool {
        !matches!(self, Self::Error | Self::MissedWin | Self::MissedMate)
    }

    /// `a sacrifice`, `the only move`, …
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Error => "an error",
            Self::MissedWin => "a missed win",
            Self::MissedMate => "a missed mate",
            Self::Sacrifice => "a sacrifice",
            Self::OnlyMove => "the only move",
            Self::Seizes => "the right answer",
            Self::Hidden => "hard to see",
            Self::Strong => "a strong move",
            Self::ForcesMate => "the start of a forced mate",
            Self::Finish => "the final blow",
        }
    }
}

impl fmt::Display for TurningPointKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.phrase())
    }
}

impl TurningPoint {
    /// The numeric annotation glyph of a praised move: 1 is `!`, 3 `!!`, 7 `□`. `None` for a blamed one, which has its
    /// verdict's, and for a final blow that speaks for itself.
    #[must_use]
    pub const fn glyph(self) -> Option<u8> {
        match self.kind {
            TurningPointKind::Sacrifice if self.alone => Some(3),
            TurningPointKind::Sacrifice
            | TurningPointKind::Seizes
            | TurningPointKind::Hidden
            | TurningPointKind::Strong => Some(1),
            TurningPointKind::OnlyMove => Some(7),
            TurningPointKind::ForcesMate if self.alone => Some(1),
            _ => None,
        }
    }
}

/// Loss of winning chance up to which a move can be praised, and up to which a sacrifice can.
const PRAISED: (f64, f64) = (0.02, 0.05);
/// A margin over the second best from which a move counts as strong, and from which it is the only one.
const MARGIN: (f64, f64) = (0.05, 0.15);
/// What a piece is worth, in pawns.
const PIECE: i32 = 3;
/// Winning chance of a side from which the game is decided.
const DECIDED: f64 = 0.93;
/// Winning chance of a side from which an error changes little.
const SETTLED: f64 = 0.85;
/// What is left of a weight in a game that is decided.
const IDLE: f64 = 0.3;
/// What a sacrifice weighs of itself, its share of the margin over other moves, and what each pawn offered adds.
const SACRIFICE: (f64, f64, f64) = (0.2, 0.5, 0.01);
/// What is left of a sacrifice's weight where another move wins as well.
const EASY: f64 = 0.6;
/// What an error weighs more where a sacrifice punishes it.
const PUNISHED: f64 = 0.1;
/// Moves of a forced mate whose first is told apart from its last.
const LONG_MATE: i32 = 3;
/// Share of the margin that a move weighs.
const SHARE: f64 = 0.6;
/// What a move weighs more that answers an error.
const ANSWERS: f64 = 0.03;
/// What the opponent's error must have cost for its answer to count.
const ERROR: f64 = 0.08;
/// What the first look must have missed of a move, in winning chance, and what a move weighs of which it missed all.
const MISSED: (f64, f64) = (0.05, 0.8);
/// What checkmate, the winner's last move, and the start of a forced mate weigh.
const END: (f64, f64, f64) = (0.35, 0.28, 0.2);
/// The least weight of a missed mate: Lichess's limit for a mistake; where the game is won all the same, half of it.
const MISSED_MATE: (f64, f64) = (0.10, 0.05);
/// The least weight of a praised move.
const LEAST: f64 = 0.03;
/// Legal moves of a position in which there is no choice.
const NO_CHOICE: usize = 2;

/// What a move turned, if anything.
#[must_use]
pub fn turning_point(game: &AnnotatedGame, index: usize) -> Option<TurningPoint> {
    let annotated = game.moves().get(index)?;
    let evaluation = annotated.evaluation.as_ref()?;
    let verdict = annotated.verdict?;
    let loss = annotated.loss()?;
    let point = |kind, weight, alone| {
        Some(TurningPoint {
            index,
            kind,
            weight,
            alone,
        })
    };
    if annotated.misses_mate() {
        let won = evaluation.played.win_probability() >= DECIDED;
        let least = if won { MISSED_MATE.1 } else { MISSED_MATE.0 };
        return point(TurningPointKind::MissedMate, loss.max(least), false);
    }
    if verdict.is_bad() {
        let (before, after) = standings(evaluation)?;
        let kind = if before == Standing::Winning && after <= Standing::SlightlyBetter {
            TurningPointKind::MissedWin
        } else {
            TurningPointKind::Error
        };
        let best = evaluation.before.first()?.score.win_probability();
        let idle = best <= 1.0 - SETTLED || evaluation.played.win_probability() >= SETTLED;
        let punished = if works(game, index + 1).is_some() {
            PUNISHED
        } else {
            0.0
        };
        return point(kind, (loss + punished) * if idle { IDLE } else { 1.0 }, false);
    }
    let played = game.line().step(index)?;
    let (kind, weight) = praise(game, annotated, evaluation, &played, index)?;
    let alone = margin(evaluation, &played.uci()).is_none_or(|margin| margin >= MARGIN.0);
    point(kind, weight, alone).filter(|point| point.weight >= LEAST)
}

/// Why a move is praised, and what it weighs: of all reasons the weightiest.
fn praise(
    game: &AnnotatedGame,
    annotated: &AnnotatedMove,
    evaluation: &Evaluation,
    played: &Played,
    index: usize,
) -> Option<(TurningPointKind, f64)> {
    let loss = annotated.loss()?;
    let now = evaluation.played.win_probability();
    let margin = margin(evaluation, &played.uci()).unwrap_or_default().max(0.0);
    let other = now - margin;
    let idle = |weight: f64| {
        // Who is lost has no good moves, and a mate that is seen is only carried out.
        let lost = Standing::of(evaluation.played) == Standing::Lost;
        let carried_out = mates(evaluation.played) && !starts_mate(game, index, evaluation.played);
        if other >= DECIDED || lost || carried_out {
            weight * IDLE
        } else {
            weight
        }
    };
    let mut best: Option<(TurningPointKind, f64)> = None;
    let mut consider = |kind, weight: f64| {
        if best.is_none_or(|(_, known)| weight > known) {
            best = Some((kind, weight));
        }
    };
    // What is known theory is no feat.
    let known = Openings::shipped().name(&played.after).is_some();
    if played.after.is_checkmate() {
        return Some((TurningPointKind::Finish, END.0));
    }
    if loss <= PRAISED.0 && !known {
        let last = index + 1 == game.moves().len();
        if last && game.winner() == Some(annotated.mover) && Standing::of(evaluation.played) == Standing::Winning {
            consider(TurningPointKind::Finish, END.1);
        } else if starts_mate(game, index, evaluation.played) {
            consider(TurningPointKind::ForcesMate, END.2 * (1.0 + margin));
        }
        // A move found only by looking closer was hard to see.
        let first = game.looked().get(index)?.as_ref()?;
        if first.look > Look::First
            && first.first_choice.as_ref() != Some(&played.uci())
            && let Some(seen) = first.first_score
        {
            let missed = now - seen.win_probability();
            if missed >= MISSED.0 {
                consider(TurningPointKind::Hidden, idle(missed * MISSED.1));
            }
        }
        if margin >= MARGIN.0 && !is_plain(game, played, index) {
            let kind = if margin >= MARGIN.1 {
                TurningPointKind::OnlyMove
            } else {
                TurningPointKind::Strong
            };
            consider(kind, idle(margin * SHARE));
            let gift = loss_before(game, index);
            if gift >= ERROR {
                consider(TurningPointKind::Seizes, idle(gift.min(margin) * SHARE + ANSWERS));
            }
        }
    }
    if let Some(offer) = works(game, index) {
        let known = best.map_or(0.0, |(_, weight)| weight);
        let mates = matches!(evaluation.played, Score::Mate(_));
        let easy = if mates || other < DECIDED { 1.0 } else { EASY };
        // The move that ends the game is reported as such, unless no other move was nearly as good.
        if let Some((TurningPointKind::Finish, _)) = best
            && margin < MARGIN.0
        {
            return best;
        }
        let weight = (SACRIFICE.0 + SACRIFICE.1 * margin + SACRIFICE.2 * f64::from(offer.points)) * easy;
        best = Some((TurningPointKind::Sacrifice, weight.max(known)));
    }
    best
}

/// What the opponent's move before this one cost, in winning chance.
fn loss_before(game: &AnnotatedGame, index: usize) -> f64 {
    let before = index.checked_sub(1).and_then(|before| game.moves().get(before));
    before.and_then(AnnotatedMove::loss).unwrap_or_default()
}

/// The sacrifice that a move is, if it works: the best move or nearly so, where it leads to an advantage, or keeps the
/// balance as nothing else does. Of a piece that is given for the balance it is enough to be the best.
fn works(game: &AnnotatedGame, index: usize) -> Option<Offer> {
    let annotated = game.moves().get(index)?;
    let evaluation = annotated.evaluation.as_ref()?;
    let margin = margin(evaluation, &game.line().uci(index)?).unwrap_or_default();
    let (chance, stands) = (evaluation.played.win_probability(), Standing::of(evaluation.played));
    let is_best = margin > PRAISED.0 || (margin >= 0.0 && annotated.offer?.points >= PIECE);
    let works = stands >= Standing::ClearlyBetter || (chance >= SOUND && is_best);
    let is_new = works && annotated.loss()? <= PRAISED.1 && is_new_offer(game, index);
    annotated.offer.filter(|_| is_new)
}

/// Whether a move offers a man that its side's last move did not offer already.
fn is_new_offer(game: &AnnotatedGame, index: usize) -> bool {
    let offered = |index: usize| game.moves().get(index).and_then(|mv| mv.offer);
    let before = index.checked_sub(2).and_then(offered);
    offered(index).is_some_and(|offer| before.is_none_or(|before| before.man != offer.man))
}

fn mates(score: Score) -> bool {
    matches!(score, Score::Mate(moves) if moves > 0)
}

/// Whether mate is forced from this move on, and was not before it.
fn starts_mate(game: &AnnotatedGame, index: usize, played: Score) -> bool {
    let before = index
        .checked_sub(2)
        .and_then(|before| game.moves().get(before)?.evaluation.as_ref());
    matches!(played, Score::Mate(LONG_MATE..)) && before.is_none_or(|before| !mates(before.played))
}

/// Whether anybody would play the move without a thought: the answer to a capture on its square, the capture of what
/// hangs, the way out of check that is left.
fn is_plain(game: &AnnotatedGame, played: &Played, index: usize) -> bool {
    let to = played.mv.to();
    let taken = index
        .checked_sub(1)
        .and_then(|before| game.line().step(before))
        .filter(|before| before.mv.is_capture())
        .map(|before| before.mv.to());
    let recaptures = taken == Some(to);
    // To take elsewhere while a man is to be had back is not plain.
    let declines = taken.is_some_and(|square| {
        let legal = played.before.legal_moves();
        !recaptures && legal.iter().any(|mv| mv.is_capture() && mv.to() == square)
    });
    // What hangs, or is worth as much as the man that takes it; unless as much can be taken elsewhere in return.
    let takes = played.mv.capture().is_some_and(|taken| {
        let gain = exchange::gain(played.before.board(), played.mv);
        let plain = gain > 0 && (gain >= value(taken) || value(taken) >= value(played.mv.role()));
        plain && lost_elsewhere(played) < gain && !uncovers_check(played)
    });
    recaptures || (takes && !declines) || played.before.legal_moves().len() <= NO_CHOICE
}

/// Whether the move gives a check that the man which moved does not give, or not alone.
fn uncovers_check(played: &Played) -> bool {
    played
        .after
        .checkers()
        .into_iter()
        .any(|checker| checker != played.mv.to())
}

/// The most that the opponent can win by exchange after the move, but for taking back, in pawns.
fn lost_elsewhere(played: &Played) -> i32 {
    let replies = played.after.legal_moves();
    let captures = replies.iter().filter(|mv| mv.is_capture() && mv.to() != played.mv.to());
    let gains = captures.map(|mv| exchange::gain(played.after.board(), *mv));
    gains.max().unwrap_or_default()
}

/// How the mover stood with the best move, and stands with this one.
fn standings(evaluation: &Evaluation) -> Option<(Standing, Standing)> {
    let best = evaluation.before.first()?;
    Some((Standing::of(best.score), Standing::of(evaluation.played)))
}

/// Why a move is a turning point, a sentence: `Turns the game: from equal to winning for White.`
#[must_use]
pub fn reason(game: &AnnotatedGame, point: TurningPoint) -> Option<String> {
    let annotated = game.moves().get(point.index)?;
    let evaluation = annotated.evaluation.as_ref()?;
    let (before, after) = standings(evaluation)?;
    let mover = annotated.mover;
    let stands = standing_of(after, mover);
    let played = game.line().step(point.index)?;
    let other = margin(evaluation, &played.uci())
        .map(|margin| Standing::of_probability(evaluation.played.win_probability() - margin.max(0.0)));
    Some(match point.kind {
        TurningPointKind::Error | TurningPointKind::MissedWin => change(before, after, mover),
        TurningPointKind::MissedMate if after == Standing::Winning => {
            format!("Misses a forced mate; {} is still winning.", color_name(mover))
        }
        TurningPointKind::MissedMate => format!("Misses a forced mate: {stands} now."),
        TurningPointKind::Sacrifice => match evaluation.played {
            Score::Mate(moves) if moves > 0 => "A sacrifice that forces mate.".to_owned(),
            _ if after == Standing::Winning => format!("A sacrifice that works: {stands}."),
            _ => format!("A sound sacrifice: {stands}."),
        },
        TurningPointKind::OnlyMove => match other.filter(|other| *other != after) {
            Some(other) => format!(
                "The only move: {stands}; after any other, {}.",
                standing_of(other, mover)
            ),
            None => format!("The only good move: {stands}."),
        },
        TurningPointKind::Seizes => format!("Makes use of {}’s error: {stands}.", color_name(mover.other())),
        TurningPointKind::Hidden => format!("Hard to see: the engine’s first look missed it. Now {stands}."),
        TurningPointKind::Strong => match other.filter(|other| *other != after) {
            Some(other) => format!("A strong move: {stands}; after others, {}.", standing_of(other, mover)),
            None => format!("The strongest move by a clear margin: {stands}."),
        },
        TurningPointKind::ForcesMate => "From here on mate is forced.".to_owned(),
        TurningPointKind::Finish if played.after.is_checkmate() => "The final blow.".to_owned(),
        TurningPointKind::Finish => format!("The last word: {stands}."),
    })
}

/// `Turns the game: from equal to winning for White.`
fn change(before: Standing, after: Standing, mover: Color) -> String {
    let (was, now) = (standing_of(before, mover), standing_of(after, mover));
    if before == after {
        let still = now.replacen(" is ", " is still ", 1);
        return match before {
            Standing::Lost => format!("Makes a lost position worse: {now}."),
            _ if before < Standing::Equal => format!("Makes things a little worse: {still}."),
            _ => format!("Gives a little away: {still}."),
        };
    }
    let ((was_word, was_better), (now_word, now_better)) = (side_of(before, mover), side_of(after, mover));
    let of = |side: Option<Color>| side.map_or_else(String::new, |side| format!(" for {}", color_name(side)));
    if was_better == now_better {
        let whole = format!("from {was_word} to {now_word}{}", of(now_better));
        return if now_better == Some(mover) {
            format!("Lets part of the advantage go: {whole}.")
        } else if after == Standing::Lost {
            format!("Loses the game: {whole}.")
        } else {
            format!("Makes things worse: {whole}.")
        };
    }
    if before.steps_to(after) >= 2 {
        return format!(
            "Turns the game: from {was_word}{} to {now_word}{}.",
            of(was_better),
            of(now_better)
        );
    }
    format!("A step down: {was} before, {now} now.")
}

/// The standing's word for the better side, and that side.
fn side_of(standing: Standing, mover: Color) -> (&'static str, Option<Color>) {
    if standing == Standing::Equal {
        (standing.word(), None)
    } else if standing > Standing::Equal {
        (standing.word(), Some(mover))
    } else {
        (standing.reversed().word(), Some(mover.other()))
    }
}

/// `White is winning`, `the game is equal`.
#[must_use]
pub fn standing_of(standing: Standing, mover: Color) -> String {
    match side_of(standing, mover) {
        (word, Some(side)) => format!("{} is {word}", color_name(side)),
        (word, None) => format!("the game is {word}"),
    }
}
