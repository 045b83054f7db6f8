//! Claims about material: won, lost, exchanged, given up, counted.

use shakmaty::{Color, Position, Role};

use super::{
    balance::{counts, level, surplus_truth},
    exchanges::trades,
    hanging::hangs_here,
};
use crate::commentary::claims::{
    ClaimKind,
    board::{
        Clause, Mode, Point, View, denies, lines,
        men::{self, the},
    },
    draft::Draft,
    grammar::{
        Act, Arg, Det, Head, Item, Np, Owner, Prep,
        amount::{Amount, amount},
        clause_words::object_parts,
        frame,
    },
    truth::Truth,
};
use crate::{
    chess::{
        Man, exchange,
        material::{Surplus, value},
        motifs::threat::hanging,
        names::color_name,
    },
    commentary::{FactId, FactKind, Line, fact::Detail},
    uci::Score,
};

/// The claims of a clause about material.
pub fn claims(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    // "Taking it gains material for White".
    let mover = clause.world.mover();
    let winner = frame.behind(&[Prep::For]).iter().find_map(|a| a.side(mover));
    match frame.verb.act {
        Act::Cost => wins(clause, cost_of(clause), true, found),
        Act::Capture if gains_by_words(frame) => wins(clause, clause.actor(), false, found),
        Act::Win if !frame.verb.passive => {
            let first = found.len();
            wins(clause, clause.actor().or(winner), false, found);
            // "Taking on e5 wins a knight": whoever can.
            let taking = matches!(frame.subject.as_slice(), [Arg::Np(np, _)] if np.head == Head::Unknown);
            if taking && winner.is_none() && found[first..].iter().any(|d| d.truth.fails()) {
                let mut other = Vec::new();
                wins(clause, Some(mover.other()), false, &mut other);
                if other.iter().all(|d| !d.truth.fails()) {
                    found.truncate(first);
                    found.extend(other);
                }
            }
        }
        Act::Blunder if !frame.verb.passive => wins(clause, clause.actor(), true, found),
        Act::Lose if !frame.verb.passive => wins(clause, clause.actor(), true, found),
        Act::Win | Act::Lose => passive(clause, found),
        Act::Trade => trades(clause, found),
        Act::Equal => level(clause, found),
        Act::Be
        | Act::Have
        | Act::Stand
        | Act::Leave
        | Act::Lead
        | Act::Trail
        | Act::Lack
        | Act::Continue
        | Act::Make => counts(clause, found),
        _ => {}
    }
}

/// Who pays: "costs White a piece", or the side that moves.
fn cost_of(clause: &Clause<'_>) -> Option<Color> {
    let mover = clause.world.mover();
    clause
        .frame
        .objects()
        .iter()
        .find_map(|a| a.side(mover))
        .or_else(|| clause.actor())
}

/// "picks up a pawn": that may also be won in the end.
pub fn gains_by_words(frame: &frame::Frame) -> bool {
    ["pick", "pocket", "net", "collect"]
        .iter()
        .any(|w| frame.verb.word.starts_with(w))
        && frame
            .objects()
            .iter()
            .any(|a| matches!(a, Arg::Np(np, _) if np.det == Det::Indefinite))
}

/// What speaks for a gain of `side`'s: points, the man that is won, whether it is certain, the fact.
pub struct Gain {
    pub points: i32,
    pub roles: Vec<Role>,
    pub less: Vec<Role>,
    pub target: Option<Man>,
    pub facts: Vec<FactId>,
    pub why: String,
}

impl Gain {
    /// What is left over at the end of a line.
    fn of(surplus: &Surplus, facts: Vec<FactId>, why: String) -> Self {
        Gain {
            points: surplus.points(),
            roles: surplus.more.clone(),
            less: surplus.less.clone(),
            target: None,
            facts,
            why,
        }
    }
}

fn in_line(side: Color, surplus: &Surplus) -> String {
    let what = surplus.in_words();
    format!(
        "In the engine's line {} wins {}.",
        color_name(side),
        what.as_deref().unwrap_or("nothing")
    )
}

fn gains(clause: &Clause<'_>, view: &View, side: Color) -> Vec<Gain> {
    let mut all = Vec::new();
    if let Some((before, m)) = &view.deed {
        if before.turn() == side {
            if let Some(taken) = view.taken() {
                let points = exchange::gain(before.board(), *m);
                all.push(Gain {
                    points,
                    roles: vec![taken.role],
                    less: Vec::new(),
                    target: Some(taken),
                    facts: if view.point == Point::After {
                        clause.world.facts(FactKind::Capture, |_| true)
                    } else {
                        Vec::new()
                    },
                    why: format!("The move takes {}.", the(taken)),
                });
            } else if m.promotion().is_some() {
                all.push(Gain {
                    points: exchange::gain(before.board(), *m),
                    roles: vec![Role::Queen],
                    less: vec![],
                    target: None,
                    facts: vec![],
                    why: "A pawn promotes.".to_owned(),
                });
            }
        }
        let surplus = Surplus::gained(clause.world.played().before.board(), view.board(), side);
        if view.point == Point::Line && surplus.points() != 0 {
            all.push(Gain::of(
                &surplus,
                Vec::new(),
                "The line ends with that balance.".to_owned(),
            ));
        }
    }
    match lines::in_place(clause.world, view) {
        Some(Some(line)) => all.extend(line_gains(clause, line, side)),
        // What follows the move that was played is no gain of another.
        Some(None) => {}
        None => all.extend(judged_gains(clause, side)),
    }
    // What stands to be taken next; where an engine has judged the move, what the other side can save is not won.
    let judged = view.point == Point::After && clause.world.sheet.evaluation().is_some();
    let open = view.pos.turn() == side || !judged && !view.pos.is_check();
    if open {
        for h in hanging(&view.pos, side.other()) {
            all.push(Gain {
                points: h.gain,
                roles: vec![h.target.role],
                less: Vec::new(),
                target: Some(h.target),
                facts: clause.world.facts(
                    FactKind::Hanging,
                    |d| matches!(d, Detail::Hanging { hanging, .. } if hanging.target == h.target),
                ),
                why: format!("{} can be won.", men::the_up(h.target)),
            });
        }
    }
    let checked_fork = view.pos.is_check() && view.pos.turn() != side;
    if checked_fork && let Some(moved) = view.moved() {
        // A fork with check: what else the checking man attacks.
        for t in Man::all(
            view.board(),
            view.board().attacks_from(moved.square) & view.board().by_color(side.other()),
        ) {
            let gain = exchange::gain_by(view.board(), moved, t.square).unwrap_or(0);
            if t.role != Role::King && gain > 0 && (!judged || survives_replies(view, side, gain)) {
                all.push(Gain {
                    points: t.value(),
                    roles: vec![t.role],
                    less: vec![],
                    target: Some(t),
                    facts: vec![],
                    why: format!("{} is attacked with check.", men::the_up(t)),
                });
            }
        }
    }
    all
}

/// Whatever the reply to the check, something of that worth can be taken.
fn survives_replies(view: &View, side: Color, gain: i32) -> bool {
    view.pos.legal_moves().into_iter().all(|reply| {
        let mut next = view.pos.clone();
        next.play_unchecked(reply);
        hanging(&next, side.other()).iter().any(|h| h.gain >= gain)
    })
}

/// What a line of the engine's, of another move than the one played, has won where the captures pause.
fn line_gains(clause: &Clause<'_>, line: &Line, side: Color) -> Vec<Gain> {
    let start = &clause.world.played().before;
    let mut pos = start.clone();
    let mut all = Vec::new();
    let mut moves = line.moves.iter().peekable();
    while let Some(m) = moves.next().and_then(|uci| uci.to_move(&pos).ok()) {
        pos.play_unchecked(m);
        let takes = |uci: &&shakmaty::uci::UciMove| uci.to_move(&pos).is_ok_and(|m| m.is_capture());
        let surplus = Surplus::gained(start.board(), pos.board(), side);
        if moves.peek().is_none_or(|uci| !takes(uci)) && surplus.points() > 0 {
            all.push(Gain::of(&surplus, Vec::new(), in_line(side, &surplus)));
        }
    }
    all
}

/// What the engine's lines win for the side.
fn judged_gains(clause: &Clause<'_>, side: Color) -> Vec<Gain> {
    let mut all = Vec::new();
    for fact in clause.world.sheet.facts() {
        let (winner, surplus) = match &fact.detail {
            Detail::MaterialChange { side: s, surplus } => (*s, Some(surplus.clone())),
            Detail::Punishment { side: s, wins, .. } => (*s, wins.clone()),
            // What another move would have won is none of this one's gains.
            Detail::Best { side: s, wins, .. } if !clause.frame.context.is_plain() => (*s, wins.clone()),
            _ => continue,
        };
        let Some(surplus) = surplus else { continue };
        let surplus = if winner == side { surplus } else { surplus.reversed() };
        let promoted = clause
            .world
            .played()
            .mv
            .promotion()
            .filter(|_| side == clause.world.mover());
        let beside = promoted.map(|into| surplus.beside_promotion(into));
        for surplus in std::iter::once(&surplus).chain(&beside) {
            all.push(Gain::of(surplus, vec![fact.id], in_line(side, surplus)));
        }
    }
    all
}

pub fn matches(amount: &Amount, gain: &Gain) -> bool {
    if gain.points <= 0 {
        return false;
    }
    match amount {
        Amount::Some => true,
        Amount::Men(role, n) => {
            let points = value(*role) * i32::try_from(*n).unwrap_or(1);
            let named = gain.roles.iter().filter(|r| *r == role).count() >= *n as usize;
            (named && gain.points * 2 >= points)
                || (gain.points == points && (*role == Role::Pawn || gain.roles.contains(role)))
        }
        Amount::Several(role) => gain.points >= 2 && gain.roles.iter().filter(|r| *r == role).count() >= 2,
        Amount::Piece(n) => {
            gain.points >= 2 * i32::try_from(*n).unwrap_or(1) && gain.roles.iter().any(|r| *r != Role::Pawn)
        }
        Amount::Exchange => {
            gain.points == 2 && gain.roles.contains(&Role::Rook)
                || (gain.roles.first() == Some(&Role::Rook)
                    && gain.less.iter().any(|r| matches!(r, Role::Knight | Role::Bishop)))
        }
        Amount::Points(n) => gain.points == *n,
    }
}

/// "wins a queen for a rook and a pawn": the man is won and the price is paid.
fn paid(wanted: &Amount, price: &[Amount], gain: &Gain) -> bool {
    let named = match wanted {
        Amount::Men(role, n) => gain.roles.iter().filter(|r| *r == role).count() >= *n as usize,
        Amount::Piece(_) => gain.roles.iter().any(|r| *r != Role::Pawn),
        _ => matches(wanted, gain),
    };
    // Of a man that stands to be taken it is not known what it costs.
    let known = gain.target.is_none();
    let pays = |amount: &Amount| match amount {
        Amount::Men(role, n) => gain.less.iter().filter(|r| *r == role).count() >= *n as usize,
        Amount::Piece(_) => gain.less.iter().any(|r| *r != Role::Pawn),
        _ => true,
    };
    named && (!known || price.iter().all(pays))
}

/// "wins a pawn", "loses the exchange".
fn wins(clause: &Clause<'_>, actor: Option<Color>, loses: bool, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let mover = clause.world.mover();
    // "Both sides have lost their h-pawns".
    let both = |a: &Arg| matches!(a, Arg::Np(np, _) if np.head == Head::Side && np.owner.is_none());
    if frame.subject.iter().any(both) {
        return;
    }
    for part in object_parts(&frame.post) {
        let Item::Np(np) = &part.item else { continue };
        let Some(wanted) = amount(np) else { continue };
        // "wins the rook's file": no.
        let subject = match actor {
            Some(color) => color,
            None => clause.views.first().map_or(mover, View::mover),
        };
        let side = if loses { subject.other() } else { subject };
        let placed = !np.squares.is_empty();
        let price: Vec<Amount> = frame
            .behind(&[Prep::For])
            .iter()
            .filter_map(Arg::np)
            .filter_map(amount)
            .collect();
        let truth = clause.ask_deed(|view| {
            let mut all = gains(clause, view, side);
            // What the loser does not have can't be won of it.
            if let Amount::Men(role, _) = wanted
                && view.taken().is_none_or(|t| t.role != role)
                && (view.board().by_role(role) & view.board().by_color(side.other())).is_empty()
                && !all.iter().any(|g| !g.facts.is_empty() && matches(&wanted, g))
            {
                let name = color_name(side.other());
                return Truth::no(format!(
                    "{name} has no {} to lose.",
                    crate::chess::names::role_name(role)
                ))
                .negated(clause.negated || denies(np));
            }
            // "has won a pawn": it is counted, not hoped for.
            if clause.frame.verb.perfect && clause.frame.verb.modal.is_none() {
                all.retain(|g| g.target.is_none() || view.taken() == g.target);
                if matches!(clause.frame.subject.as_slice(), [a] if a.side(mover).is_some()) || actor.is_none() {
                    let counted = surplus_truth(view, side, 1, &wanted);
                    if counted.holds() {
                        return counted.negated(clause.negated || denies(np));
                    }
                }
                if !clause.negated
                    && view.taken().is_some_and(|t| men::fits(np, t, Some(side), mover))
                    && view.mover() == side
                {
                    return Truth::unknown("It has taken that; what comes of it is another matter.");
                }
            }
            let fits = all.iter().find(|g| {
                if !price.is_empty() {
                    return paid(&wanted, &price, g);
                }
                let target = if placed {
                    g.target.is_some_and(|t| np.squares.contains(&t.square))
                        && g.points > 0
                        && g.target.is_some_and(|t| men::fits(np, t, Some(side), mover))
                } else {
                    true
                };
                target && (placed || matches(&wanted, g))
            });
            match fits {
                // What only might be won makes its denial no fault.
                Some(g)
                    if clause.negated
                        && !clause.frame.verb.perfect
                        && g.target.is_some()
                        && view.taken() != g.target =>
                {
                    Truth::unknown("What is won in the end is for an engine to say.")
                }
                Some(g) => Truth::Yes(g.why.clone(), g.facts.clone()),
                None => {
                    let best = all.iter().filter(|g| g.points > 0).map(|g| g.why.clone()).next();
                    let why = best.unwrap_or_else(|| format!("{} wins nothing here.", color_name(side)));
                    let no = Truth::no(why);
                    let judged = clause.world.sheet.evaluation().is_some();
                    // Without an engine a threat may win more than the board shows.
                    let hopeful = !clause.frame.verb.perfect
                        && all
                            .iter()
                            .any(|g| g.points > 0 && g.target.is_some() && view.taken() != g.target);
                    // On the way to a mate much may be won that no line shows.
                    let quiet = |line: &Line| !matches!(line.score, Score::Mate(_));
                    let known =
                        lines::in_place(clause.world, view).flatten().is_some_and(quiet) && view.trail.len() == 1;
                    // A threat of mate wins what is given to stop it.
                    let mates = clause.world.sheet.of_kind(FactKind::MateThreat);
                    let threatens = !placed && mates.into_iter().any(|fact| fact.detail.actor() == Some(side));
                    if view.point == Point::Line && !known || (!judged && hopeful && !placed) || threatens {
                        no.lenient("What is won in the end is for an engine to say.")
                    } else {
                        no
                    }
                }
            }
            .negated(clause.negated || denies(np))
        });
        let truth = match clause.mode {
            Mode::Can | Mode::Threat if truth.fails() => next_win(clause, side, np, &wanted),
            _ => truth,
        };
        let truth = at_stake(clause, np, side).unwrap_or(truth);
        found.push(clause.draft_at(ClaimKind::Material, frame.span.start..part.span.end, truth));
    }
    // "hangs" and "blunders" have their own words; a lone "wins" is about the game.
}

/// "wins the rook on e4", "can't win it", "drops it": what is named by its square hangs, or it doesn't. None where that
/// does not settle it: it has been taken, or the engine's line wins something of the kind.
fn at_stake(clause: &Clause<'_>, np: &Np, side: Color) -> Option<Truth> {
    let perfect = clause.frame.verb.perfect || clause.frame.verb.past;
    // "the black queen" is one man without its square, too.
    let queen = np.head == Head::Role(Role::Queen) && !np.plural && matches!(np.owner, Some(Owner::Side(_)));
    if np.squares.is_empty() && !queen || !np.is_men() || np.det == Det::Indefinite || perfect {
        return None;
    }
    let truth = clause.ask(|view| {
        let men = men::of_np(np, view, Some(side), clause.world).men;
        let man = men.into_iter().find(|m| m.color != side && m.role != Role::King);
        let taken = view
            .taken()
            .is_some_and(|t| t.color != side && np.squares.contains(&t.square));
        let Some(man) = man.filter(|_| !taken) else {
            return Truth::unknown("");
        };
        let (hangs, why) = hangs_here(view, man);
        let judged = judged_gains(clause, side)
            .iter()
            .any(|g| g.points > 0 && g.roles.contains(&man.role));
        if !hangs && judged {
            return Truth::unknown("");
        }
        Truth::of(hangs, || why.clone(), || why.clone()).negated(clause.negated || denies(np))
    });
    (truth.holds() || truth.fails()).then_some(truth)
}

/// "can win a pawn", "threatens to win the knight": a capture that does.
fn next_win(clause: &Clause<'_>, side: Color, np: &Np, wanted: &Amount) -> Truth {
    clause.ask(|view| {
        let all = hanging(&view.pos, side.other());
        let hit = all.iter().find(|h| {
            men::fits(np, h.target, Some(side), clause.world.mover())
                || (!np.is_men() && matches!(wanted, Amount::Some | Amount::Exchange | Amount::Points(_)))
        });
        match hit {
            Some(h) => Truth::yes(format!("{} can be won.", men::the_up(h.target))),
            None if !all.is_empty() => Truth::unknown("What can be won in the end is for an engine to say."),
            None => Truth::no(format!("Nothing of {}'s hangs.", color_name(side.other()))),
        }
        .negated(clause.negated)
    })
}

/// "The knight is lost", "a pawn is won".
pub fn passive(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    for subject in &frame.subject {
        let Arg::Np(np, _) = subject else { continue };
        if !np.is_men() || np.head == Head::Role(Role::King) {
            continue;
        }
        let truth = clause.ask(|view| {
            let men = clause.men(subject, view);
            let hit = men
                .men
                .iter()
                .find(|m| hanging(&view.pos, m.color).iter().any(|h| h.target == **m));
            if frame.verb.act == Act::Win && hit.is_none() {
                let side = men.men.first().map_or(view.mover(), |m| m.color.other());
                let wanted = amount(np).unwrap_or(Amount::Some);
                let all = gains(clause, view, side);
                return match all.iter().find(|g| matches(&wanted, g)) {
                    Some(g) => Truth::Yes(g.why.clone(), g.facts.clone()),
                    None if clause.world.sheet.evaluation().is_some() || !all.iter().any(|g| g.points > 0) => {
                        Truth::no(format!("{} wins nothing of the kind.", color_name(side)))
                    }
                    None => Truth::unknown("What is won in the end is for an engine to say."),
                }
                .negated(clause.negated);
            }
            let taken = view
                .taken()
                .is_some_and(|t| men::fits(np, t, None, clause.world.mover()));
            match hit {
                // "No pawn is lost": perhaps none of the mover's.
                _ if taken && clause.negated => Truth::unknown("It takes one; whose is meant is not said."),
                _ if taken => Truth::yes("The move takes it."),
                Some(m) => Truth::yes(format!("{} can be won.", men::the_up(*m))),
                None if men.men.is_empty() => Truth::no(men.missing),
                // "A pawn is lost": some pawn or other, of one side or the other.
                None if np.det == Det::Indefinite
                    && np.owner.is_none()
                    && np.squares.is_empty()
                    && clause.world.sheet.evaluation().is_some() =>
                {
                    let wanted = amount(np).unwrap_or(Amount::Some);
                    let gained = |side| gains(clause, view, side).into_iter().find(|g| matches(&wanted, g));
                    Color::ALL.into_iter().find_map(gained).map_or_else(
                        || Truth::no("Nothing of the kind is won here."),
                        |g| Truth::Yes(g.why, g.facts),
                    )
                }
                None => Truth::unknown("Whether it is lost in the end is for an engine to say."),
            }
            .negated(clause.negated)
        });
        let side = clause.color_of(std::slice::from_ref(subject)).map(Color::other);
        let truth = side.and_then(|side| at_stake(clause, np, side)).unwrap_or(truth);
        found.push(clause.draft(ClaimKind::Material, truth));
    }
}
