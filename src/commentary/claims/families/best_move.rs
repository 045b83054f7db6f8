//! Claims about how good the move is, and what was best.

use crate::commentary::claims::{
    ClaimKind,
    board::{Clause, Mode, denies},
    draft::Draft,
    grammar::{Act, Arg, Det, Frame, Head, Item, Modal, MoveWord, Np, Prep, Thing, Trait, amount::amount, frame},
    truth::{self, Truth},
};
use crate::commentary::{
    Evaluation, FactId, FactKind, Line, Verdict,
    fact::{Detail, Fact},
};

pub const NO_ENGINE: &str = "Without an engine this can't be checked.";

/// The verdict's fact.
pub fn verdict<'a>(clause: &Clause<'a>) -> Option<(&'a Fact, Verdict, f64, f64)> {
    let fact = clause.world.fact(FactKind::Verdict)?;
    match &fact.detail {
        Detail::Verdict {
            verdict, best, played, ..
        } => Some((fact, *verdict, *best, *played)),
        _ => None,
    }
}

pub fn engine<'a>(clause: &Clause<'a>) -> Option<&'a Evaluation> {
    clause.world.sheet.evaluation()
}

fn quality_of(t: Trait) -> bool {
    matches!(
        t,
        Trait::Good | Trait::Bad | Trait::Mistake | Trait::Blunder | Trait::Inaccuracy
    )
}

fn is_the_move(clause: &Clause<'_>, args: &[Arg]) -> bool {
    args.iter().all(|a| match a {
        Arg::Played => true,
        Arg::Move(word, _) => clause.world.is_played(word),
        Arg::Any(all) => all
            .iter()
            .any(|a| matches!(a, Arg::Played) || matches!(a, Arg::Move(w, _) if clause.world.is_played(w))),
        Arg::Np(np, _) => {
            matches!(np.head, Head::ThisMove)
                || (np.head == Head::Thing(Thing::Move) && np.det == Det::Definite && np.traits.is_empty())
        }
    })
}

/// "is a good move", "a blunder", "White blunders".
pub fn quality(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    if !frame.context.is_plain() || clause.vague || matches!(clause.mode, Mode::Can | Mode::Threat) {
        return;
    }
    // "Castling is usually a healthy decision": of such moves.
    if ["usually", "often", "normally", "generally", "typically", "most"]
        .iter()
        .any(|w| frame.has_word(w))
    {
        return;
    }
    // "It isn't the only good option": others are good, too.
    if clause.negated && frame.has_word("only") {
        return;
    }
    let mut said: Vec<(Trait, bool)> = Vec::new();
    let own_side = frame
        .subject
        .iter()
        .find_map(|a| a.side(clause.world.mover()))
        .is_none_or(|c| c == clause.world.mover());
    let subject_is_move = is_the_move(clause, &frame.subject) && !frame.existential;
    // The words stand beside a move that isn't the one that was played: "Nf3 was good".
    let by_player = own_side
        && matches!(frame.verb.act, Act::Play | Act::Make | Act::Move)
        && frame.subject.iter().any(|a| a.side(clause.world.mover()).is_some());
    let with_played = frame.behind(&[Prep::With, Prep::By]).iter().all(|a| match a {
        Arg::Move(word, _) => clause.world.is_played(word),
        _ => true,
    });
    // "blunders a piece": what is lost tells whether it does.
    let dropped = |p: &frame::Arg| matches!(p, Arg::Np(np, _) if amount(np).is_some());
    if frame.verb.act == Act::Blunder && own_side && with_played && !frame.objects().iter().any(dropped) {
        said.push((Trait::Blunder, false));
    }
    if matches!(frame.verb.act, Act::Be) && subject_is_move {
        for (t, _) in frame.traits() {
            if quality_of(t) {
                said.push((t, false));
            }
        }
    }
    for (at, thing, np, _) in frame.things() {
        let about = match thing {
            Thing::Quality => true,
            Thing::Move | Thing::Choice | Thing::Reply => np.traits.iter().any(|t| quality_of(*t)),
            _ => false,
        };
        if !about {
            continue;
        }
        // "White plays a good move, Nf3": the move is named.
        let named = frame.post.iter().skip(at).find_map(|p| match &p.item {
            Item::Move(word) => Some(clause.world.is_played(word)),
            _ => None,
        });
        if !(subject_is_move || by_player) || named == Some(false) {
            continue;
        }
        if matches!(frame.post.get(at.wrapping_sub(1)).map(|p| &p.item), Some(Item::Prep(_))) && at > 0 {
            continue;
        }
        for t in np.traits.iter().filter(|t| quality_of(**t)) {
            said.push((*t, denies(np)));
        }
    }
    for (t, inverse) in said {
        let truth = match verdict(clause) {
            None => Truth::unknown(NO_ENGINE),
            Some((fact, verdict, best, played)) => {
                let fits = |verdict: Verdict| match t {
                    Trait::Mistake if grave(frame) => verdict >= Verdict::Mistake,
                    Trait::Good => !verdict.is_bad(),
                    Trait::Bad | Trait::Mistake => verdict.is_bad(),
                    Trait::Inaccuracy => verdict.is_bad(),
                    _ => verdict >= Verdict::Mistake,
                };
                let why = format!("By the engine it is {}.", verdict.phrase());
                // Where the game is decided, others still count what was lost.
                let counted = Verdict::by_loss(best - played);
                if verdict.is_bad() != counted.is_bad() && fits(verdict) != fits(counted) {
                    Truth::unknown("The game is decided either way.")
                } else if fits(verdict) {
                    Truth::Yes(why, vec![fact.id])
                } else {
                    Truth::No(why, vec![fact.id])
                }
            }
        };
        found.push(clause.draft(ClaimKind::Quality, truth.negated(inverse).negated(clause.negated)));
    }
}

/// "a serious mistake": more than an inaccuracy.
fn grave(frame: &Frame) -> bool {
    let degrees = [
        "serious", "grave", "huge", "major", "gross", "terrible", "horrible", "severe", "big",
    ];
    frame
        .words
        .windows(2)
        .any(|w| degrees.contains(&w[0].as_str()) && matches!(w[1].as_str(), "mistake" | "error"))
}

fn best_word(np: &Np) -> bool {
    np.has(Trait::Best)
        || (np.has(Trait::Only) && !np.has(Trait::Legal))
        || (np.head == Head::Thing(Thing::Choice) && np.traits.is_empty() && np.det != Det::Indefinite)
}

/// "Nf3 is the best move", "Better was Nf3", "should have played Nf3", "the engine prefers Nf3".
pub fn best(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let moves: Vec<MoveWord> = frame
        .post
        .iter()
        .filter_map(|p| match &p.item {
            Item::Move(word) => Some(word.clone()),
            _ => None,
        })
        .collect();
    let subject_move: Option<Option<MoveWord>> = match frame.subject.as_slice() {
        [Arg::Move(word, _)] => Some(Some(word.clone())),
        [Arg::Played] => Some(None),
        [Arg::Any(all)] if all.iter().any(|a| matches!(a, Arg::Played)) => Some(None),
        _ => None,
    };
    let engine_speaks = frame
        .subject
        .iter()
        .any(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Unknown))
        || frame.has_word("engine")
        || frame.has_word("stockfish")
        || frame.has_word("computer");
    let second = frame.has_word("second") || frame.has_word("third");
    // X is the best move.
    for (at, thing, np, _) in frame.things() {
        // "the stronger choice": than the move played.
        let comparative = [
            "stronger", "safer", "wiser", "simpler", "cleaner", "sharper", "sounder", "tougher", "better", "more",
        ];
        // "the obvious choice": what one would play, not what is best.
        let plain = [
            "obvious",
            "natural",
            "logical",
            "usual",
            "normal",
            "standard",
            "safe",
            "practical",
            "sensible",
            "principled",
            "human",
            "other",
            "sound",
            "simple",
            "solid",
        ];
        let compared = np.head == Head::Thing(Thing::Choice)
            && comparative.iter().chain(&plain).any(|w| frame.has_word(w))
            && np.traits.is_empty();
        let says = !compared
            && matches!(thing, Thing::Move | Thing::Choice | Thing::Reply | Thing::Line)
            && best_word(np)
            && !second;
        if !says {
            continue;
        }
        let reply = thing == Thing::Reply
            || np
                .owner
                .is_some_and(|o| frame::side_of(o, clause.world.mover()) == Some(clause.world.mover().other()));
        let after: Option<MoveWord> = frame.post.iter().skip(at).find_map(|p| match &p.item {
            Item::Move(word) => Some(word.clone()),
            _ => None,
        });
        match (&subject_move, after) {
            (Some(_), Some(word)) if frame.verb.act != Act::Be => {
                push(clause, best_truth(clause, Some(&word), reply), found)
            }
            (Some(word), _) if matches!(frame.verb.act, Act::Be) => {
                push(clause, best_truth(clause, word.as_ref(), reply), found)
            }
            // "misses the best move with Ke2": that is another.
            (None, Some(word)) if frame.verb.act == Act::Miss && clause.world.is_played(&word) => {
                push(clause, best_truth(clause, Some(&word), reply).negated(true), found);
            }
            (None, Some(word)) => push(clause, best_truth(clause, Some(&word), reply), found),
            (None, None)
                if frame.subject.iter().any(|a| a.side(clause.world.mover()).is_some())
                    && matches!(frame.verb.act, Act::Play | Act::Make)
                    && clause.mode == Mode::Fact =>
            {
                push(clause, best_truth(clause, None, false), found);
            }
            (None, None) if frame.verbless => push(clause, best_truth(clause, None, false), found),
            _ => {}
        }
    }
    // "A better move was Nf3", "Nf3 was the better choice", "had a better move in Nf3".
    let better_np = |np: &Np| {
        np.has(Trait::Better)
            && matches!(
                np.head,
                Head::Thing(Thing::Move | Thing::Choice | Thing::Line | Thing::Reply)
            )
    };
    if frame
        .subject
        .iter()
        .any(|a| matches!(a, Arg::Np(np, _) if better_np(np)))
        && frame.verb.act == Act::Be
        && let Some(word) = moves.first()
    {
        push(clause, better_truth(clause, word), found);
    }
    if frame.things().any(|(_, _, np, _)| better_np(np)) {
        match (&subject_move, moves.first()) {
            (Some(Some(word)), _) if frame.verb.act == Act::Be => push(clause, better_truth(clause, word), found),
            (None, Some(word)) if frame.verb.act == Act::Have => push(clause, better_truth(clause, word), found),
            _ => {}
        }
    }
    // "The best move is Nf3".
    for subject in &frame.subject {
        let Arg::Np(np, _) = subject else { continue };
        if matches!(
            np.head,
            Head::Thing(Thing::Move | Thing::Choice | Thing::Reply | Thing::Line) | Head::Unknown
        ) && np.has(Trait::Best)
            && frame.verb.act == Act::Be
            && let Some(word) = moves.first()
        {
            push(
                clause,
                best_truth(clause, Some(word), np.head == Head::Thing(Thing::Reply)),
                found,
            );
        }
    }
    // "Nf3 was best", "Nf3 is stronger / better", "Better was Nf3".
    if frame.verb.act == Act::Be {
        let traits: Vec<Trait> = frame.traits().into_iter().map(|(t, _)| t).collect();
        let pre: Vec<Trait> = frame
            .pre
            .iter()
            .filter_map(|p| match p.item {
                Item::Trait(t) => Some(t),
                _ => None,
            })
            .collect();
        let stronger = traits.contains(&Trait::Better) || pre.contains(&Trait::Better) || frame.has_word("stronger");
        let best = traits.contains(&Trait::Best) || pre.contains(&Trait::Best);
        let word = match (&subject_move, moves.first()) {
            (Some(Some(word)), _) => Some(Some(word.clone())),
            (Some(None), _) => Some(None),
            (None, Some(word)) if !pre.is_empty() => Some(Some(word.clone())),
            _ => None,
        };
        if let Some(word) = word {
            if best && !second {
                push(clause, best_truth(clause, word.as_ref(), false), found);
            } else if stronger && let Some(word) = word {
                push(clause, better_truth(clause, &word), found);
            }
        }
    }
    // "White should have played Nf3", "the engine prefers Nf3".
    let replies = frame.verb.modal == Some(Modal::Should)
        && !frame.verb.perfect
        && matches!(frame.verb.act, Act::Reply | Act::Play | Act::Continue)
        && clause.actor() == Some(clause.world.mover().other());
    if replies && let Some(word) = moves.first() {
        push(clause, best_truth(clause, Some(word), true), found);
    }
    let should = frame.verb.modal == Some(Modal::Should)
        && frame.verb.perfect
        && matches!(frame.verb.act, Act::Play | Act::Consider | Act::Move);
    if should && let Some(word) = moves.first() {
        // "It wasn't Nf3 that White should have played": another was better still.
        let best = best_truth(clause, Some(word), false);
        let better = better_truth(clause, word);
        let truth = if best.fails() && (clause.negated || better.holds() && is_far_from_best(clause, word)) {
            best
        } else {
            better
        };
        push(clause, truth, found);
    }
    if frame.verb.act == Act::Prefer
        && engine_speaks
        && let Some(word) = moves.first()
    {
        push(clause, best_truth(clause, Some(word), false), found);
    }
    // "misses Nf3".
    if frame.verb.act == Act::Miss
        && !clause.negated
        && let Some(Arg::Move(word, _)) = frame.objects().first()
    {
        // What is missed need not be better: only what the engine has judged is held against it.
        let truth = better_truth(clause, word);
        let truth = if is_judged(clause, word) {
            truth
        } else {
            truth.lenient("The engine's lines do not have that move.")
        };
        push(clause, truth, found);
    }
    // "the expected reply is Nf6".
    let expects = frame
        .subject
        .iter()
        .any(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Thing(Thing::Reply)))
        && frame.has_word("expected");
    if expects && let Some(word) = moves.first() {
        push(clause, best_truth(clause, Some(word), true), found);
    }
}

pub fn push(clause: &Clause<'_>, truth: Truth, found: &mut Vec<Draft>) {
    let truth = truth.negated(clause.negated);
    // A modal ("should have") is how such things are said; nothing is only wished.
    found.push(Draft {
        kind: ClaimKind::Best,
        span: clause.frame.span.start
            ..clause
                .frame
                .post
                .last()
                .map_or(clause.frame.span.end, |p| p.span.end.max(clause.frame.span.end)),
        truth: if clause.vague && !clause.frame.context.is_plain() {
            truth.lenient("It is supposed.")
        } else {
            truth
        },
    });
}

/// The named move (none: the one played) is the engine's first choice.
fn best_truth(clause: &Clause<'_>, word: Option<&MoveWord>, reply: bool) -> Truth {
    let Some(evaluation) = engine(clause) else {
        return Truth::unknown(NO_ENGINE);
    };
    let played = clause.world.played();
    let ids: Vec<FactId> = clause
        .world
        .sheet
        .facts()
        .iter()
        .filter(|f| matches!(f.kind, FactKind::Best | FactKind::Verdict))
        .map(|f| f.id)
        .collect();
    let (before_best, after_best) = (evaluation.before.first(), evaluation.after.first());
    // "The best answer" to a position is no reply, where it is the move that was played.
    let is_reply = |w: &MoveWord| {
        reply
            && !clause
                .world
                .follow_from(&[clause.world.after()], std::slice::from_ref(w))
                .views
                .is_empty()
    };
    if let Some(word) = word.filter(|w| is_reply(w) || !clause.world.is_played(w)) {
        let views = clause.world.follow(&[vec![word.clone()]]).views;
        let mut answers = Vec::new();
        for view in &views {
            let Some((before, m)) = &view.deed else { continue };
            let uci = m.to_uci(played.mode);
            let (best, lines) = if *before == played.before {
                (before_best, &evaluation.before)
            } else if *before == played.after {
                (after_best, &evaluation.after)
            } else {
                continue;
            };
            if reply && *before == played.before {
                continue;
            }
            let Some(best) = best else { continue };
            let chosen = *before == played.before && evaluation.ranked_first(&uci);
            let yes = chosen
                || lines
                    .iter()
                    .any(|l| l.moves.first() == Some(&uci) && l.score == best.score);
            let name = best.san.first().cloned().unwrap_or_default();
            answers.push(Truth::of(
                yes,
                || format!("The engine's first choice is {name}."),
                || format!("The engine's first choice is {name}."),
            ));
        }
        if answers.is_empty() {
            return if views.is_empty() {
                Truth::no(format!("{} can't be played.", word.text))
            } else {
                Truth::unknown("The engine has not judged that.")
            };
        }
        return truth::any(answers).resting_on(&ids);
    }
    match verdict(clause) {
        None => Truth::unknown(NO_ENGINE),
        Some((fact, verdict, ..)) => {
            let name = before_best.and_then(|l| l.san.first().cloned()).unwrap_or_default();
            let same = before_best.is_some_and(|l| l.score == evaluation.played);
            let uci = played.uci();
            let first = before_best.is_some_and(|l| l.moves.first() == Some(&uci));
            let chosen = evaluation.ranked_first(&uci);
            // "One of the best moves": what the engine can't tell from its first choice is that.
            let among = clause.frame.has_word("one") || clause.frame.has_word("among");
            let yes = chosen || verdict == Verdict::Best && (same || first || among);
            let why = if chosen && verdict != Verdict::Best {
                "It was the engine's first choice before the move.".to_owned()
            } else if yes {
                format!("By the engine it is {}.", verdict.phrase())
            } else {
                format!("The engine's first choice is {name}.")
            };
            if yes {
                Truth::Yes(why, vec![fact.id])
            } else {
                Truth::No(why, vec![fact.id])
            }
        }
    }
}

/// One of the engine's lines begins with the named move.
fn is_judged(clause: &Clause<'_>, word: &MoveWord) -> bool {
    let views = clause.world.follow(&[vec![word.clone()]]).views;
    let played = clause.world.played();
    engine(clause).is_some_and(|evaluation| {
        views.iter().filter_map(|view| view.deed.as_ref()).any(|(before, m)| {
            *before == played.before
                && evaluation
                    .before
                    .iter()
                    .any(|l| l.moves.first() == Some(&m.to_uci(played.mode)))
        })
    })
}

/// Win probability that a move may fall short of the best and still be what should have been played.
const NEAR_BEST: f64 = 0.10;

/// The engine has judged the named move and found it much worse than its first choice.
fn is_far_from_best(clause: &Clause<'_>, word: &MoveWord) -> bool {
    let Some(evaluation) = engine(clause) else { return false };
    let played = clause.world.played();
    let chance = |line: &Line| line.score.win_probability();
    let best = evaluation.before.first().map_or(0.0, chance);
    clause.world.follow(&[vec![word.clone()]]).views.iter().any(|view| {
        view.deed.as_ref().is_some_and(|(before, m)| {
            let uci = m.to_uci(played.mode);
            let own = |line: &&Line| line.moves.first() == Some(&uci);
            *before == played.before
                && evaluation
                    .before
                    .iter()
                    .find(own)
                    .is_some_and(|line| chance(line) + NEAR_BEST < best)
        })
    })
}

/// The named move is better than the one played.
fn better_truth(clause: &Clause<'_>, word: &MoveWord) -> Truth {
    let Some(evaluation) = engine(clause) else {
        return Truth::unknown(NO_ENGINE);
    };
    let played = clause.world.played();
    let views = clause.world.follow(&[vec![word.clone()]]).views;
    let line = views.iter().find_map(|view| {
        let (before, m) = view.deed.as_ref()?;
        let uci = m.to_uci(played.mode);
        (*before == played.before).then(|| evaluation.before.iter().find(|l| l.moves.first() == Some(&uci)))?
    });
    if clause.world.is_played(word) {
        // "Qd2 was possible, too. Kb1 is slightly better": than what was named before.
        let present = clause.frame.verb.act == Act::Be && !clause.is_past() && clause.frame.verb.modal.is_none();
        return match verdict(clause) {
            Some((_, Verdict::Best, ..)) if !present => Truth::unknown("It is the best; than what is not said."),
            Some((fact, verdict, ..)) if present && !clause.frame.verb.perfect && !verdict.is_bad() => {
                Truth::Yes(format!("By the engine it is {}.", verdict.phrase()), vec![fact.id])
            }
            _ => Truth::no(format!("{} is the move that was played.", word.text)),
        };
    }
    match line {
        Some(line) => {
            let yes =
                line.score.win_probability() > evaluation.played.win_probability() || line.score > evaluation.played;
            Truth::of(
                yes,
                || format!("The engine rates {} higher.", word.text),
                || format!("The engine does not rate {} higher.", word.text),
            )
        }
        None if evaluation
            .before
            .first()
            .is_some_and(|first| first.moves.first() == Some(&clause.world.played().uci())) =>
        {
            Truth::no("The move played is the engine's first choice.")
        }
        None if views.is_empty() => Truth::no(format!("{} can't be played.", word.text)),
        None => Truth::unknown("The engine's lines do not have that move."),
    }
}
