//! Claims that an engine decides: who stands better, how good the move is, what was best.

use shakmaty::{Color, Position};

use super::best_move::{NO_ENGINE, best, engine, quality, verdict};
use crate::commentary::claims::{
    ClaimKind,
    board::{Clause, Mode, Point, denies},
    draft::Draft,
    grammar::{Act, Arg, Frame, Head, Item, Modal, Np, Prep, Thing, Trait, frame},
    truth::{self, Truth},
};
use crate::{
    chess::names::color_name,
    commentary::{
        FactId, FactKind,
        standing::{CLEAR, SLIGHT, Standing, WINNING},
    },
    uci::Score,
};

/// Win probability by which a neighbouring word is still accepted.
const MARGIN: f64 = 0.05;

/// The claims of a clause about evaluation, quality and the best move.
pub fn claims(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    if clause.mode == Mode::Kept {
        return;
    }
    evaluation(clause, found);
    quality(clause, found);
    best(clause, found);
}

/// What is said of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Winning,
    Better,
    Slightly,
    Equal,
    Worse,
    SlightlyWorse,
    Lost,
}

fn word_of(t: Trait) -> Option<Word> {
    Some(match t {
        Trait::Winning => Word::Winning,
        Trait::Better => Word::Better,
        Trait::SlightlyBetter => Word::Slightly,
        Trait::Worse => Word::Worse,
        Trait::SlightlyWorse => Word::SlightlyWorse,
        Trait::Equal | Trait::Drawn => Word::Equal,
        Trait::Lost => Word::Lost,
        _ => return None,
    })
}

fn about_position(frame: &Frame) -> bool {
    frame.subject.is_empty()
        || frame.subject.iter().all(|a| match a {
            Arg::Np(np, _) => matches!(
                np.head,
                Head::Thing(Thing::Position | Thing::Game | Thing::Endgame | Thing::Board) | Head::It | Head::Side
            ),
            Arg::Played | Arg::Any(_) => true,
            Arg::Move(..) => false,
        })
}

/// True where moves are what is better or worse.
fn of_moves(frame: &Frame) -> bool {
    let moves = |a: &Arg| match a {
        Arg::Np(np, _) => matches!(
            np.head,
            Head::Thing(Thing::Move | Thing::Choice | Thing::Reply | Thing::Line | Thing::Capture | Thing::Trade)
        ),
        _ => false,
    };
    let compares = ["even", "instead"].iter().any(|w| frame.has_word(w));
    frame.subject.iter().any(moves) || compares && !about_position(frame)
}

pub fn evaluation(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let mover = clause.world.mover();
    // "The result would have been better": of a move, not of the game.
    if frame.verb.modal == Some(Modal::Would) && frame.verb.perfect {
        return;
    }
    let side = frame.subject.iter().find_map(|a| a.side(mover)).or_else(|| {
        // "White's position".
        frame.subject.iter().find_map(|a| match a {
            Arg::Np(np, _) if np.head == Head::Thing(Thing::Position) => frame::side_of(np.owner?, mover),
            _ => None,
        })
    });
    let mut said: Vec<(Word, Option<Color>, bool)> = Vec::new();
    match frame.verb.act {
        Act::Be | Act::Stand | Act::Continue
            if frame.verb.act == Act::Be || side.is_some() || about_position(frame) =>
        {
            for (t, _) in frame.traits() {
                let Some(word) = word_of(t) else { continue };
                match (side, word) {
                    (Some(color), _) => said.push((word, Some(color), false)),
                    (None, Word::Equal) if about_position(frame) && !material_words(frame) => {
                        said.push((word, None, false))
                    }
                    // "All other moves were worse for Black": than this one.
                    (None, _) if of_moves(frame) => {}
                    (None, _) => {
                        // "The position is better for White", "is winning for Black".
                        let who = frame.behind(&[Prep::For]).iter().find_map(|a| a.side(mover));
                        if let Some(color) = who {
                            said.push((word, Some(color), false));
                        }
                    }
                }
            }
        }
        // "White is winning", "Black is losing", with nothing won.
        Act::Win | Act::Lose
            if side.is_none()
                && about_position(frame)
                && object_free(frame)
                && (frame.verb.progressive || frame.verb.passive) =>
        {
            let word = if frame.verb.act == Act::Win {
                Word::Winning
            } else {
                Word::Lost
            };
            if let Some(color) = frame.behind(&[Prep::For]).iter().find_map(|a| a.side(mover)) {
                said.push((word, Some(color), false));
            }
        }
        // "gains time", "nets little": no game is won.
        Act::Win if !frame.verb.word.starts_with("w") => {}
        Act::Win if frame.verb.progressive && object_free(frame) => said.push((Word::Winning, side, false)),
        Act::Lose if frame.verb.progressive && object_free(frame) => said.push((Word::Lost, side, false)),
        Act::Lose if frame.verb.passive && side.is_some() && object_free(frame) => said.push((Word::Lost, side, false)),
        Act::Win if !frame.verb.passive && object_free(frame) && side.is_some() && !frame.verb.perfect => {
            said.push((Word::Winning, side, false))
        }
        Act::Equal if !frame.verb.passive && clause.mode == Mode::Fact && !material_words(frame) => {
            said.push((Word::Equal, None, false))
        }
        Act::Equal if frame.verb.passive && about_position(frame) && !material_words(frame) => {
            said.push((Word::Equal, None, false))
        }
        _ => {}
    }
    // "has an advantage", "a decisive edge", "a winning position", "an equal position".
    for (at, thing, np, _) in frame.things() {
        let owner = side.or_else(|| frame.behind(&[Prep::For]).iter().find_map(|a| a.side(mover)));
        match thing {
            Thing::Advantage
                if matches!(
                    frame.verb.act,
                    Act::Have | Act::Make | Act::Continue | Act::Leave | Act::Be
                ) && !material_words(frame)
                    && !material_np(np) =>
            {
                let small = frame.post[..=at].iter().any(|p| matches!(&p.item, Item::Word(w) if matches!(w.as_str(), "slight" | "small" | "tiny" | "minimal" | "modest")))
                    || words_before(frame, &["slight", "small", "tiny", "minimal", "modest"]);
                let word = if np.has(Trait::Winning) {
                    Word::Winning
                } else if small {
                    Word::Slightly
                } else {
                    Word::Better
                };
                let given = frame.post[..at].iter().find_map(|p| match &p.item {
                    Item::Np(np) if np.head == Head::Side => Arg::Np(np.clone(), 0..0).side(mover),
                    _ => None,
                });
                if let Some(color) = given.or(owner) {
                    said.push((word, Some(color), denies(np)));
                }
            }
            Thing::Position | Thing::Endgame | Thing::Game
                if matches!(frame.verb.act, Act::Have | Act::Be | Act::Leave | Act::Make) =>
            {
                for t in &np.traits {
                    if let Some(word) = word_of(*t) {
                        let given = frame.post[..at].iter().find_map(|p| match &p.item {
                            Item::Np(np) if np.head == Head::Side => Arg::Np(np.clone(), 0..0).side(mover),
                            _ => None,
                        });
                        match (given.or(owner), word) {
                            (who, Word::Equal) => said.push((word, who, false)),
                            (Some(color), _) => said.push((word, Some(color), false)),
                            _ => {}
                        }
                    }
                }
            }
            Thing::Draw if frame.verb.act == Act::Be && about_position(frame) => said.push((Word::Equal, None, false)),
            _ => {}
        }
    }
    // "The position favours White".
    if frame.verb.act == Act::Prefer
        && frame.verb.word.starts_with("fav")
        && about_position(frame)
        && let Some(color) = frame.objects().iter().find_map(|a| a.side(mover))
    {
        said.push((Word::Better, Some(color), false));
    }
    // "Neither side has an advantage", "neither side is better".
    if frame.has_word("neither")
        && !material_words(frame)
        && (frame.things().any(|(_, t, ..)| t == Thing::Advantage)
            || frame
                .traits()
                .iter()
                .any(|(t, _)| matches!(t, Trait::Better | Trait::Winning)))
    {
        said.clear();
        said.push((Word::Equal, None, clause.negated));
    }
    // "has the upper hand".
    if frame.verb.act == Act::Have
        && frame.has_word("upper")
        && frame.has_word("hand")
        && let Some(color) = side
    {
        said.push((Word::Better, Some(color), false));
    }
    for (word, who, none) in said {
        let inverse = clause.negated != none;
        if clause.world.played().after.is_checkmate() && clause.frame.context.is_plain() {
            let id = clause.world.fact(FactKind::Checkmate).map_or(FactId(1), |f| f.id);
            found.push(clause.draft(ClaimKind::Evaluation, judge(word, who, mover, 1.0, id, inverse)));
            continue;
        }
        let Some((fact, _, best, played)) = verdict(clause) else {
            found.push(clause.draft(ClaimKind::Evaluation, Truth::unknown(NO_ENGINE)));
            continue;
        };
        if who.is_none() && word != Word::Equal {
            continue;
        }
        let plain = clause.views.iter().all(|v| v.point != Point::Line) && frame.context.runs.is_empty();
        let mut truths: Vec<Truth> = Vec::new();
        if plain {
            truths.push(judge(word, who, mover, played, fact.id, inverse));
            if clause.is_past() {
                truths.push(judge(word, who, mover, best, fact.id, inverse));
            }
        } else {
            truths.push(match line_value(clause) {
                Some(Value::Exact(p)) => judge(word, who, mover, p, fact.id, inverse),
                Some(Value::AtMost(side, p)) => {
                    capped(judge(word, who, mover, p, fact.id, inverse), word, who, side, inverse)
                }
                None => Truth::unknown("The engine has not judged that line."),
            });
        }
        let truth = truth::any(truths);
        found.push(clause.draft(ClaimKind::Evaluation, truth));
    }
}

/// What the engine's lines tell of a move.
enum Value {
    /// The mover's win probability behind it.
    Exact(f64),
    /// It is not among the best moves, so it is worth no more than the last of those to the side that makes it; the mover's
    /// win probability.
    AtMost(Color, f64),
}

/// What a line that the engine gave says of a clause's line, where that begins like it.
fn line_value(clause: &Clause<'_>) -> Option<Value> {
    let evaluation = engine(clause)?;
    let view = clause.views.first()?;
    let (before, m) = view.deed.as_ref()?;
    let played = clause.world.played();
    let uci = m.to_uci(played.mode);
    let lines = if *before == played.before {
        &evaluation.before
    } else if *before == played.after {
        &evaluation.after
    } else {
        return None;
    };
    if let Some(line) = lines.iter().find(|l| l.moves.first() == Some(&uci)) {
        return Some(Value::Exact(line.score.win_probability()));
    }
    let last = lines.last().filter(|_| lines.len() > 1)?;
    Some(Value::AtMost(before.turn(), last.score.win_probability()))
}

/// A judgement by the most that a move can be worth to the side that makes it: good words that are too good even for
/// that are wrong, and bad ones that hold even so are right.
fn capped(truth: Truth, word: Word, who: Option<Color>, side: Color, inverse: bool) -> Truth {
    let good = matches!(word, Word::Winning | Word::Better | Word::Slightly);
    let praises = who.is_some_and(|who| (who == side) == good);
    let settles = match word {
        Word::Equal | Word::Slightly | Word::SlightlyWorse => false,
        _ => truth.holds() != (praises != inverse),
    };
    if settles {
        truth
    } else {
        Truth::unknown("The engine has not judged that line.")
    }
}

fn object_free(frame: &Frame) -> bool {
    frame.objects().iter().all(|a| match a {
        Arg::Np(np, _) => matches!(np.head, Head::Thing(Thing::Game | Thing::Position)) ,
        _ => true,
    }) && !frame.post.iter().any(|p| matches!(&p.item, Item::Np(np) if np.is_men() || np.thing() == Some(Thing::Material) || np.thing() == Some(Thing::Tempo) || np.thing() == Some(Thing::Exchange)))
        || frame.objects().iter().all(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Thing(Thing::Game))) && !frame.objects().is_empty()
}

fn material_words(frame: &Frame) -> bool {
    frame
        .subject
        .iter()
        .any(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Thing(Thing::Material)))
        || frame
            .things()
            .any(|(_, t, ..)| matches!(t, Thing::Material | Thing::Development))
        || frame.has_word("material")
        || frame.has_word("space")
}

fn material_np(np: &Np) -> bool {
    np.head == Head::Thing(Thing::Material)
}

fn words_before(frame: &Frame, wanted: &[&str]) -> bool {
    wanted.iter().any(|w| frame.has_word(w))
}

/// A word, or its denial, against a win probability (the mover's view). On the border both are accepted.
fn judge(word: Word, who: Option<Color>, mover: Color, probability: f64, id: FactId, inverse: bool) -> Truth {
    let color = who.unwrap_or(mover);
    let p = if color == mover { probability } else { 1.0 - probability };
    // The words' own steps, see `standing`.
    let at = |cp: i32| Score::Cp(cp).win_probability();
    let (low, high) = match word {
        Word::Winning => (at(WINNING), 1.0),
        Word::Better => (at(CLEAR), 1.0),
        Word::Slightly => (at(SLIGHT / 2), at(WINNING)),
        // Writers call what is not clear yet equal, too.
        Word::Equal => (at(-CLEAR), at(CLEAR)),
        Word::SlightlyWorse => (at(-WINNING), at(-SLIGHT / 2)),
        Word::Worse => (0.0, at(-CLEAR)),
        Word::Lost => (0.0, at(-WINNING)),
    };
    let within = |margin: f64| (low <= 0.0 || p >= low - margin) && (high >= 1.0 || p <= high + margin);
    let yes = if inverse { !within(-MARGIN) } else { within(MARGIN) };
    let why = match Standing::of_probability(p) {
        Standing::Equal => "The engine sees the game as equal.".to_owned(),
        standing => format!("By the engine {} is {}.", color_name(color), standing.word()),
    };
    if yes {
        Truth::Yes(why, vec![id])
    } else {
        Truth::No(why, vec![id])
    }
}
