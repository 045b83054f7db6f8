//! Claims about material: won, lost, exchanged, given up, counted.

use shakmaty::{Color, Position, Role};

use super::{
    ClaimKind,
    clause::{Clause, Draft, Mode, denies},
    frame::{Arg, behind},
    lexicon::{Act, Prep, Thing, Trait},
    men::{self, the},
    phrase::{Det, Head, Item, Np, Part},
    scene::{Point, View},
    truth::Truth,
};
use crate::{
    chess::{
        Man, attacks, exchange,
        material::{Surplus, value},
        motifs::threat::hanging,
        names::color_name,
    },
    commentary::{
        FactId, FactKind,
        fact::{Change, Detail},
    },
};

/// An amount of material in words.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Amount {
    /// Some.
    Some,
    /// So many of a role.
    Men(Role, u32),
    /// A minor piece or more.
    Piece(u32),
    /// Rook for minor piece.
    Exchange,
    /// Points.
    Points(i32),
}

/// The claims of a clause about material.
pub fn claims(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    match frame.verb.act {
        Act::Cost => wins(clause, cost_of(clause), true, found),
        Act::Capture if gains_by_words(frame) => wins(clause, clause.actor(), false, found),
        Act::Win if !frame.verb.passive => wins(clause, clause.actor(), false, found),
        Act::Lose if !frame.verb.passive => wins(clause, clause.actor(), true, found),
        Act::Win | Act::Lose => passive(clause, found),
        Act::Sacrifice => sacrifices(clause, found),
        Act::Offer
            if clause.mode == Mode::Fact
                && frame
                    .objects()
                    .iter()
                    .all(|a| matches!(a, Arg::Np(np, _) if np.is_men() || np.head == Head::Thing(Thing::Exchange)))
                && !frame.objects().is_empty() =>
        {
            sacrifices(clause, found);
        }
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
    nouns(clause, found);
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
pub fn gains_by_words(frame: &super::frame::Frame) -> bool {
    ["pick", "pocket", "net", "collect"]
        .iter()
        .any(|w| frame.verb.word.starts_with(w))
        && frame
            .objects()
            .iter()
            .any(|a| matches!(a, Arg::Np(np, _) if np.det == Det::Indefinite))
}

fn amount(np: &Np) -> Option<Amount> {
    let n = np.count.unwrap_or(if np.plural { 2 } else { 1 });
    Some(match np.head {
        Head::Role(role) if role != Role::King => Amount::Men(role, n),
        Head::Piece | Head::Minor => Amount::Piece(n),
        Head::Major => Amount::Men(Role::Rook, n),
        Head::Thing(Thing::Material) => Amount::Some,
        Head::Thing(Thing::Exchange) => Amount::Exchange,
        Head::Thing(Thing::Point) => Amount::Points(i32::try_from(n).unwrap_or(i32::MAX)),
        _ => return None,
    })
}

/// What speaks for a gain of `side`'s: points, the man that is won, whether it is certain, the fact.
struct Gain {
    points: i32,
    roles: Vec<Role>,
    less: Vec<Role>,
    target: Option<Man>,
    facts: Vec<FactId>,
    why: String,
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
            all.push(Gain {
                points: surplus.points(),
                roles: surplus.more.clone(),
                less: surplus.less.clone(),
                target: None,
                facts: Vec::new(),
                why: "The line ends with that balance.".to_owned(),
            });
        }
    }
    all.extend(judged_gains(clause, side));
    // What stands to be taken next.
    let open = view.pos.turn() == side || !view.pos.is_check();
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
            if t.role != Role::King && exchange::gain_by(view.board(), moved, t.square).is_some_and(|g| g > 0) {
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

/// What the engine's lines win for the side.
fn judged_gains(clause: &Clause<'_>, side: Color) -> Vec<Gain> {
    let mut all = Vec::new();
    for fact in clause.world.sheet.facts() {
        let (winner, surplus) = match &fact.detail {
            Detail::MaterialChange { side: s, surplus } => (*s, Some(surplus.clone())),
            Detail::Best { side: s, wins, .. } | Detail::Punishment { side: s, wins, .. } => (*s, wins.clone()),
            _ => continue,
        };
        let Some(surplus) = surplus else { continue };
        let surplus = if winner == side { surplus } else { surplus.reversed() };
        all.push(Gain {
            points: surplus.points(),
            roles: surplus.more.clone(),
            less: surplus.less.clone(),
            target: None,
            facts: vec![fact.id],
            why: format!(
                "In the engine's line {} wins {}.",
                color_name(side),
                surplus.in_words().unwrap_or_else(|| "nothing".to_owned())
            ),
        });
    }
    all
}

fn matches(amount: &Amount, gain: &Gain) -> bool {
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

/// "wins a pawn", "loses the exchange".
fn wins(clause: &Clause<'_>, actor: Option<Color>, loses: bool, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let mover = clause.world.mover();
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
                    if view.point == Point::Line || (!judged && hopeful && !placed) {
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
        found.push(clause.draft_at(ClaimKind::Material, frame.span.start..part.span.end, truth));
    }
    // "hangs" and "blunders" have their own words; a lone "wins" is about the game.
}

/// The objects' parts: noun phrases behind the verb, joined by "and" and commas.
fn object_parts(post: &[Part]) -> Vec<&Part> {
    let mut found = Vec::new();
    for part in post {
        match &part.item {
            Item::Np(np) if np.head == Head::Side => {}
            Item::Np(_) => found.push(part),
            Item::And | Item::Or | Item::Comma | Item::Word(_) | Item::Trait(_) | Item::Not => {}
            _ => break,
        }
    }
    found
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
fn passive(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    for subject in &frame.subject {
        let Arg::Np(np, _) = subject else { continue };
        if !np.is_men() || np.head == Head::Role(Role::King) {
            continue;
        }
        let truth = clause.ask(|view| {
            let men = clause.men(subject, view);
            if frame.verb.act == Act::Win {
                let side = view.mover();
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
            let hit = men
                .men
                .iter()
                .find(|m| hanging(&view.pos, m.color).iter().any(|h| h.target == **m));
            match hit {
                _ if taken => Truth::yes("The move takes it."),
                Some(m) => Truth::yes(format!("{} can be won.", men::the_up(*m))),
                None if men.men.is_empty() => Truth::no(men.missing),
                None => Truth::unknown("Whether it is lost in the end is for an engine to say."),
            }
            .negated(clause.negated)
        });
        found.push(clause.draft(ClaimKind::Material, truth));
    }
}

// ---- Counting ----

/// "is a pawn up", "has an extra pawn", "material is level", "is ahead in material", "has the bishop pair".
fn counts(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let mover = clause.world.mover();
    let Some(side) = clause.actor().or_else(|| frame.subject.is_empty().then_some(mover)) else {
        level(clause, found);
        return;
    };
    let named_side = frame.subject.iter().any(|a| a.side(mover).is_some());
    level(clause, found);
    let both_ways = frame.post.iter().any(|p| matches!(p.item, Item::Prep(Prep::Up)))
        && frame
            .post
            .iter()
            .any(|p| matches!(p.item, Item::Prep(Prep::Down | Prep::Along)));
    if both_ways {
        return;
    }
    let ups = frame.post.iter().enumerate().find_map(|(at, p)| match &p.item {
        Item::Prep(Prep::Up) => Some((at, 1)),
        Item::Prep(Prep::Along) => Some((at, -1)),
        Item::Prep(Prep::Down) => Some((at, -1)),
        Item::Trait(Trait::Ahead) => Some((at, 1)),
        Item::Trait(Trait::Behind) => Some((at, -1)),
        Item::Prep(Prep::Behind) => Some((at, -1)),
        _ => None,
    });
    let lead = match frame.verb.act {
        Act::Lead => Some(1),
        Act::Trail => Some(-1),
        _ => None,
    };
    if matches!(
        frame.verb.act,
        Act::Be | Act::Stand | Act::Continue | Act::Leave | Act::Lead | Act::Trail
    ) && let Some((sign, at)) = ups.map(|(at, s)| (s, at)).or(lead.map(|s| (s, 0)))
    {
        // "a pawn up", "up a pawn", "ahead by two pawns", "ahead in material".
        let near: Vec<&Part> = frame.post.iter().take(at + 5).collect();
        let wanted = near.iter().find_map(|p| match &p.item {
            Item::Np(np) => amount(np).filter(|_| np.squares.is_empty()),
            _ => None,
        });
        let development = frame.things().any(|(_, t, ..)| t == Thing::Development);
        if development {
            return;
        }
        let whose = near
            .iter()
            .find_map(|p| match &p.item {
                Item::Np(np) if np.head == Head::Side && frame.verb.act == Act::Leave => {
                    Arg::Np(np.clone(), 0..0).side(mover)
                }
                _ => None,
            })
            .unwrap_or(side);
        if let Some(wanted) = wanted
            && (named_side || frame.verb.act == Act::Leave)
        {
            let truth = clause.ask(|view| surplus_truth(view, whose, sign, &wanted).negated(clause.negated));
            let ids = if clause.frame.context.is_plain() {
                clause.world.facts(FactKind::Material, |_| true)
            } else {
                Vec::new()
            };
            found.push(clause.draft(ClaimKind::Material, truth.resting_on(&ids)));
        }
        return;
    }
    if matches!(frame.verb.act, Act::Have | Act::Lack) && named_side {
        for part in object_parts(&frame.post) {
            let Item::Np(np) = &part.item else { continue };
            let ids = || {
                if clause.frame.context.is_plain() {
                    clause.world.facts(FactKind::Material, |_| true)
                } else {
                    Vec::new()
                }
            };
            let span = frame.span.start..part.span.end;
            if np.head == Head::Thing(Thing::BishopPair) {
                let truth = clause.ask(|view| {
                    let bishops = view.board().bishops() & view.board().by_color(side);
                    let pair = (bishops & shakmaty::Bitboard::DARK_SQUARES).any()
                        && (bishops & shakmaty::Bitboard::LIGHT_SQUARES).any();
                    Truth::of(
                        pair,
                        || format!("{} has both bishops.", color_name(side)),
                        || format!("{} does not have both bishops.", color_name(side)),
                    )
                    .negated(clause.negated || denies(np))
                });
                found.push(clause.draft_at(ClaimKind::Material, span, truth.resting_on(&ids())));
                continue;
            }
            let more = frame.has_word("more");
            if np.has(Trait::Extra) || (more && amount(np).is_some()) {
                let wanted = if more && np.count.is_none() {
                    Amount::Some
                } else {
                    amount(np).unwrap_or(Amount::Some)
                };
                let truth =
                    clause.ask(|view| surplus_truth(view, side, 1, &wanted).negated(clause.negated || denies(np)));
                found.push(clause.draft_at(ClaimKind::Material, span, truth.resting_on(&ids())));
                continue;
            }
            let advantage = matches!(np.head, Head::Thing(Thing::Advantage)) && frame.has_word("material");
            if advantage {
                let truth = clause
                    .ask(|view| surplus_truth(view, side, 1, &Amount::Some).negated(clause.negated || denies(np)));
                found.push(clause.draft_at(ClaimKind::Material, span, truth.resting_on(&ids())));
                continue;
            }
            // "has two rooks", "has no queen", "has three pawns": how many there are.
            if let Head::Role(role) = np.head
                && np.squares.is_empty()
                && np.traits.is_empty()
                && np.file.is_none()
                && np.kingside.is_none()
                && (np.count.is_some() || denies(np) || clause.negated || np.det == Det::Indefinite)
                && role != Role::King
            {
                let truth = clause.ask(|view| {
                    let board = view.board();
                    let n = (board.by_role(role) & board.by_color(side)).count();
                    let alone = np.plural || np.count.is_some_and(|c| c != 1);
                    let yes = if denies(np) {
                        n == 0
                    } else {
                        np.count.is_none_or(|c| if alone { c as usize == n } else { true }) && n > 0
                    };
                    Truth::of(
                        yes,
                        || format!("{} has {n}.", color_name(side)),
                        || format!("{} has {n}.", color_name(side)),
                    )
                    .negated(clause.negated && !denies(np))
                });
                found.push(clause.draft_at(ClaimKind::Material, span, truth.resting_on(&ids())));
            }
        }
    }
}

fn surplus_truth(view: &View, side: Color, sign: i32, wanted: &Amount) -> Truth {
    let surplus = Surplus::of(view.board(), side);
    let surplus = if sign < 0 { surplus.reversed() } else { surplus };
    let points = surplus.points();
    let ahead = if sign < 0 { side.other() } else { side };
    let has = |role: Role| surplus.more.iter().filter(|r| **r == role).count();
    let yes = match wanted {
        Amount::Some => points > 0,
        Amount::Men(role, n) => {
            let worth = value(*role) * i32::try_from(*n).unwrap_or(1);
            points > 0 && (points == worth || (has(*role) == *n as usize && surplus.less.is_empty()))
        }
        Amount::Piece(n) => {
            let minors = has(Role::Knight) + has(Role::Bishop);
            points >= 2 && (minors >= *n as usize || has(Role::Rook) + has(Role::Queen) > 0 && points >= 3)
        }
        Amount::Exchange => {
            points > 0 && has(Role::Rook) >= 1 && surplus.less.iter().any(|r| matches!(r, Role::Knight | Role::Bishop))
        }
        Amount::Points(n) => points == *n,
    };
    let why = if points == 0 {
        "The material is level.".to_owned()
    } else {
        let (who, words) = if points > 0 {
            (ahead, surplus.in_words())
        } else {
            (ahead.other(), surplus.reversed().in_words())
        };
        format!(
            "{} is ahead by {}.",
            color_name(who),
            words.unwrap_or_else(|| format!("{} points", points.abs()))
        )
    };
    Truth::of(yes, || why.clone(), || why.clone())
}

/// "The material is level", "Material is equal".
fn level(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let about = |arg: &Arg| matches!(arg, Arg::Np(np, _) if np.head == Head::Thing(Thing::Material));
    let subject = frame.subject.iter().any(about);
    let verbless = frame.verbless && frame.things().any(|(_, t, ..)| t == Thing::Material);
    let equal_np =
        frame.post.iter().chain(&frame.pre).any(
            |p| matches!(&p.item, Item::Np(np) if np.head == Head::Thing(Thing::Material) && np.has(Trait::Equal)),
        );
    let same = frame.has_word("same") && frame.things().any(|(_, t, ..)| t == Thing::Material);
    let neither =
        frame.has_word("neither") && (frame.has_word("ahead") || frame.has_word("up")) && frame.has_word("material");
    if !(subject || verbless || equal_np || same || neither) {
        return;
    }
    let equal = equal_np
        || same
        || neither
        || frame.traits().iter().any(|(t, _)| *t == Trait::Equal)
        || (frame.verb.act == Act::Equal && frame.verb.passive);
    if !equal {
        return;
    }
    let truth = clause.ask(|view| {
        let surplus = Surplus::of(view.board(), Color::White);
        let why = match surplus.points() {
            0 => "The material is level.".to_owned(),
            n if n > 0 => format!("White is ahead by {}.", surplus.in_words().unwrap_or_default()),
            _ => format!(
                "Black is ahead by {}.",
                surplus.reversed().in_words().unwrap_or_default()
            ),
        };
        Truth::of(surplus.points() == 0, || why.clone(), || why.clone()).negated(clause.negated && !neither)
    });
    let ids = if frame.context.is_plain() {
        clause.world.facts(FactKind::Material, |_| true)
    } else {
        Vec::new()
    };
    found.push(clause.draft(ClaimKind::Material, truth.resting_on(&ids)));
}

// ---- Exchanges ----

/// "exchanges knights", "trades the bishop for the knight", "the queens come off".
fn trades(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let mut objects = if frame.verb.passive || frame.verb.particle == Some(Prep::Off) && frame.objects().is_empty() {
        frame.subject.clone()
    } else {
        frame.objects()
    };
    let against = frame.behind(&[Prep::For, Prep::Against]);
    if objects.iter().all(|a| !matches!(a, Arg::Np(np, _) if np.is_men())) {
        objects.retain(|a| matches!(a, Arg::Any(_)));
        if objects.is_empty() && against.is_empty() {
            return;
        }
    }
    let truth = if frame.governor == Some(Act::Offer) || matches!(clause.mode, Mode::Can | Mode::Threat) {
        clause.ask_deed(|view| offered(clause, view, &objects, &against).negated(clause.negated))
    } else {
        clause.ask_deed(|view| exchanged(clause, view, &objects, &against).negated(clause.negated))
    };
    let ids = if frame.context.is_plain() {
        clause.world.facts(FactKind::Trade, |_| true)
    } else {
        Vec::new()
    };
    let draft = if frame.governor == Some(Act::Offer) {
        Draft {
            kind: ClaimKind::Trade,
            span: frame.span.clone(),
            truth,
        }
    } else {
        clause.draft(ClaimKind::Trade, truth)
    };
    found.push(Draft {
        truth: draft.truth.resting_on(&ids),
        ..draft
    });
}

fn role_fits(arg: &Arg, role: Role) -> bool {
    match arg {
        Arg::Np(np, _) => match np.head {
            Head::Role(wanted) => wanted == role,
            Head::Piece => role != Role::Pawn && role != Role::King,
            Head::Minor => matches!(role, Role::Knight | Role::Bishop),
            Head::Major => matches!(role, Role::Rook | Role::Queen),
            _ => true,
        },
        _ => true,
    }
}

/// The last two moves of the line take one of them each on one square; or the move takes one with the other and can be
/// taken back.
fn exchanged(clause: &Clause<'_>, view: &View, objects: &[Arg], against: &[Arg]) -> Truth {
    let both: Vec<&Arg> = objects.iter().chain(against).collect();
    let plural = against.is_empty() && objects.len() == 1 && matches!(&objects[0], Arg::Np(np, _) if np.plural);
    let pair = |one: Man, other: Man| {
        if both.is_empty() {
            return true;
        }
        if plural {
            return role_fits(both[0], one.role) && role_fits(both[0], other.role);
        }
        both.iter().all(|a| role_fits(a, one.role) || role_fits(a, other.role))
    };
    if let [.., first, second] = view.trail.as_slice()
        && let (Some(one), Some(other)) = (
            super::deeds::taken(&first.0, first.1),
            super::deeds::taken(&second.0, second.1),
        )
        && first.1.to() == second.1.to()
    {
        let why = format!("The moves take {} and {}.", the(one), the(other));
        return Truth::of(pair(one, other), || why.clone(), || why.clone());
    }
    let Some((before, m)) = &view.deed else {
        return Truth::unknown("No move is spoken of.");
    };
    let (Some(taken), Some(man)) = (view.taken(), view.moved_from()) else {
        return Truth::no("The move takes nothing.");
    };
    let why = format!("The move takes {} with {}.", the(taken), the(man));
    if !pair(taken, man) || !(both.is_empty() || both.iter().any(|a| role_fits(a, taken.role))) {
        return Truth::no(why);
    }
    let back = attacks::attackers(view.board(), m.to(), before.turn().other()).any();
    if back || !clause.world.facts(FactKind::Recapture, |_| true).is_empty() {
        return Truth::yes(why);
    }
    Truth::unknown("Whether that ends an exchange is not told by the position.")
}

/// A man of the mover's stands to be exchanged: each may take the other.
fn offered(clause: &Clause<'_>, view: &View, objects: &[Arg], against: &[Arg]) -> Truth {
    let side = clause.side();
    let board = view.board();
    let ours = Man::all(board, board.by_color(side) & !board.kings());
    let both: Vec<&Arg> = objects.iter().chain(against).collect();
    let pair = ours.iter().find_map(|&a| {
        let theirs = Man::all(board, attacks::attackers(board, a.square, side.other()));
        theirs
            .into_iter()
            .find(|t| {
                let mutual =
                    board.attacks_from(a.square).contains(t.square) || attacks::attackers(board, a.square, side).any();
                let fits = if both.len() == 1 {
                    role_fits(both[0], a.role)
                        && (role_fits(both[0], t.role) || !matches!(both[0], Arg::Np(np, _) if np.plural))
                } else {
                    both.iter().all(|x| role_fits(x, a.role) || role_fits(x, t.role))
                };
                mutual && fits && t.role != Role::King && t.role != Role::Pawn
            })
            .map(|t| (a, t))
    });
    match pair {
        Some((a, t)) => Truth::yes(format!("{} and {} can be exchanged.", men::the_up(a), the(t))),
        None => Truth::no("No such men stand to be exchanged."),
    }
}

// ---- Sacrifices ----

fn sacrifices(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let objects = if frame.verb.passive {
        frame.subject.clone()
    } else {
        frame.objects()
    };
    sacrifice(clause, &objects, frame.span.end, false, found);
}

fn sacrifice(clause: &Clause<'_>, objects: &[Arg], end: usize, inverse: bool, found: &mut Vec<Draft>) {
    let truth = clause.ask_deed(|view| {
        let Some((before, m)) = &view.deed else {
            return Truth::unknown("");
        };
        let side = before.turn();
        if clause.actor().is_some_and(|c| c != side) {
            return Truth::unknown("That side does not move.");
        }
        let lost = hanging(&view.pos, side);
        let own = exchange::gain(before.board(), *m);
        let exchange_sac = objects
            .iter()
            .any(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Thing(Thing::Exchange)));
        let named = |man: Man| {
            objects.is_empty()
                || objects.iter().any(|a| match a {
                    Arg::Np(np, _) if np.is_men() => {
                        men::fits(
                            &Np {
                                owner: None,
                                ..np.clone()
                            },
                            man,
                            None,
                            clause.world.mover(),
                        ) || (role_fits(a, man.role) && np.squares.is_empty())
                    }
                    Arg::Np(np, _) => {
                        matches!(np.head, Head::Thing(Thing::Exchange)) && man.role == Role::Rook
                            || np.head == Head::Thing(Thing::Material)
                    }
                    _ => true,
                })
        };
        let given = lost.iter().find(|h| named(h.target));
        let moved = view.moved().filter(|m| own < 0 && named(*m));
        let _ = exchange_sac;
        match (given, moved) {
            (Some(h), _) => Truth::yes(format!("{} can be taken.", men::the_up(h.target))),
            (None, Some(man)) => Truth::yes(format!("{} can be taken at a loss.", men::the_up(man))),
            (None, None) => Truth::no("The move gives nothing of the kind away."),
        }
        .negated(clause.negated)
    });
    let ids = if clause.frame.context.is_plain() {
        clause.world.facts(FactKind::Sacrifice, |_| true)
    } else {
        Vec::new()
    };
    found.push(clause.draft_at(
        ClaimKind::Sacrifice,
        clause.frame.span.start..end,
        truth.negated(inverse).resting_on(&ids),
    ));
}

// ---- Nouns ----

fn nouns(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    for (at, thing, np, span) in frame.things() {
        let before = at.checked_sub(1).and_then(|i| frame.post.get(i)).map(|p| &p.item);
        let inverse = denies(np) || matches!(before, Some(Item::Prep(Prep::Without)));
        let rest = &frame.post[at + 1..];
        match thing {
            Thing::Trade | Thing::Exchange
                if matches!(
                    frame.verb.act,
                    Act::Offer | Act::Make | Act::Be | Act::Allow | Act::Force | Act::Plan | Act::Continue
                ) || frame.verbless =>
            {
                let mut men: Vec<Arg> = behind(rest, &[Prep::Of, Prep::On])
                    .into_iter()
                    .filter(|a| matches!(a, Arg::Np(np, _) if np.is_men()))
                    .collect();
                if let Some(role) = np.of_role {
                    men.push(Arg::Np(
                        Np {
                            plural: true,
                            det: Det::Bare,
                            ..Np::of(Head::Role(role))
                        },
                        span.clone(),
                    ));
                }
                // "the exchange" without men is rook for minor piece.
                if men.is_empty()
                    && (thing == Thing::Exchange && np.det == Det::Definite
                        || matches!(frame.verb.act, Act::Be | Act::Make))
                {
                    if thing == Thing::Exchange && np.det == Det::Definite {
                        continue;
                    }
                    let truth = clause
                        .ask(|view| exchanged(clause, view, &[], &[]))
                        .lenient("Which exchange is meant can't be told.");
                    found.push(clause.draft_at(ClaimKind::Trade, frame.span.start..span.end, truth.negated(inverse)));
                    continue;
                }
                let truth = clause.ask(|view| {
                    let offer = offered(clause, view, &men, &[]);
                    let done = exchanged(clause, view, &men, &[]);
                    super::truth::any([offer, done]).negated(clause.negated)
                });
                let ids = if frame.context.is_plain() {
                    clause.world.facts(FactKind::Trade, |_| true)
                } else {
                    Vec::new()
                };
                found.push(Draft {
                    kind: ClaimKind::Trade,
                    span: frame.span.start..span.end,
                    truth: if frame.verb.act == Act::Plan {
                        truth.lenient("It is hoped for only.")
                    } else {
                        truth.negated(inverse).resting_on(&ids)
                    },
                });
            }
            Thing::Sacrifice
                if matches!(frame.verb.act, Act::Be | Act::Make | Act::Play | Act::Offer) || frame.verbless =>
            {
                let mut objects: Vec<Arg> = behind(rest, &[Prep::Of]);
                if let Some(role) = np.of_role {
                    objects.push(Arg::Np(Np::of(Head::Role(role)), span.clone()));
                }
                sacrifice(clause, &objects, span.end, inverse, found);
            }
            _ => {}
        }
    }
    let _ = Change::New;
}
