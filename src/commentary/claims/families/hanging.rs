//! Claims about men that hang, and men that nobody protects.

use shakmaty::{Color, EnPassantMode, Position, Role, Square};

use super::bonds::{Bond, bare_passive, each_man, exclusive, no_other, one, passive_men};
use crate::commentary::claims::{
    ClaimKind,
    board::{
        Clause, Mode, View, clause,
        men::{self, the, the_up},
    },
    draft::Draft,
    grammar::{Act, Arg, Head, Item, Np, Prep, Trait, frame, phrase},
    truth::{self, Truth},
};
use crate::{
    chess::{
        Man, attacks, exchange,
        motifs::threat::{Hanging, hanging},
        names::color_name,
    },
    commentary::{FactId, FactKind, fact::Detail},
};

/// "can be taken for free", "leaves the knight for Black to take for nothing".
pub fn free_capture(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let objects = frame.objects();
    let targets: Vec<Arg> = if frame.verb.passive {
        frame.subject.clone()
    } else if objects.iter().any(|a| matches!(a, Arg::Np(np, _) if np.is_men())) {
        objects
    } else {
        frame.above.clone()
    };
    // What the move took stands there no more.
    for target in targets.iter().filter(|a| matches!(a, Arg::Np(np, _) if np.is_men())) {
        let truth = clause.ask(|view| {
            let Arg::Np(np, _) = target else {
                return Truth::unknown("");
            };
            let taken = view.taken().filter(|t| men::fits(np, *t, None, clause.world.mover()));
            match (taken, &view.deed) {
                (Some(taken), Some((before, m))) if !matches!(clause.mode, Mode::Can) => {
                    let gain = exchange::gain(before.board(), *m);
                    let why = format!("The move takes {}; the exchange gains {gain}.", the(taken));
                    Truth::of(gain >= taken.value(), || why.clone(), || why.clone()).negated(clause.negated)
                }
                _ => hanging_men(clause, target, view),
            }
        });
        // A possibility of the board, whatever verb it hangs on.
        found.push(Draft {
            kind: ClaimKind::Hanging,
            span: frame.span.start
                ..frame
                    .post
                    .last()
                    .map_or(frame.span.end, |p| p.span.end)
                    .max(frame.span.end),
            truth: if clause.vague {
                truth.lenient("It is supposed.")
            } else {
                truth
            },
        });
    }
}

/// "The knight hangs", "hangs the knight", "leaves the knight hanging".
pub fn hangs(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let objects = frame.objects();
    if frame.verb.act == Act::Hang {
        let targets = if objects.iter().any(|a| matches!(a, Arg::Np(np, _) if np.is_men())) {
            objects
        } else {
            frame.subject.clone()
        };
        for target in &targets {
            let truth = clause.ask(|view| hanging_men(clause, target, view));
            found.push(clause.draft(ClaimKind::Hanging, truth.resting_on(&hanging_facts(clause, target))));
        }
        return;
    }
    if ["alone", "peace", "unmolested", "unattacked"]
        .iter()
        .any(|word| frame.has_word(word))
    {
        left_in_peace(clause, found);
        return;
    }
    // "leaves the knight hanging / undefended / en prise": the adjective stands behind its noun.
    let man = |a: &Arg| matches!(a, Arg::Np(np, _) if np.is_men());
    let by_men = !frame.verb.passive && !frame.subject.is_empty() && frame.subject.iter().all(man);
    for (at, part) in frame.post.iter().enumerate() {
        let Item::Np(np) = &part.item else { continue };
        let arg = Arg::Np(np.clone(), part.span.clone());
        // "the bishop leaves d6 uncovered": it does not control it.
        let bare = ["uncovered", "unguarded", "unwatched", "unprotected", "undefended"];
        let square = matches!(np.head, Head::Square { .. });
        if by_men && (square || np.is_men()) && bare.iter().any(|word| frame.has_word(word)) {
            let bond = if square { Bond::Control } else { Bond::Defend };
            let truth = clause.ask(|view| one(clause, bond, &frame.subject, &arg, view).negated(true));
            let kind = if square { ClaimKind::Attack } else { ClaimKind::Defence };
            found.push(clause.draft(kind, truth));
            return;
        }
        if !np.is_men() {
            continue;
        }
        let next = frame.post[at + 1..].iter().find(|p| !matches!(p.item, Item::Word(_)));
        match next.map(|p| &p.item) {
            Some(Item::Trait(t @ (Trait::Hanging | Trait::Loose | Trait::Pinned | Trait::Trapped))) => {
                let kind = if *t == Trait::Loose {
                    ClaimKind::Loose
                } else {
                    ClaimKind::Hanging
                };
                if matches!(t, Trait::Hanging | Trait::Loose) {
                    let truth = clause.ask(|view| {
                        if *t == Trait::Loose {
                            loose_men(clause, &arg, view, true)
                        } else {
                            hanging_men(clause, &arg, view)
                        }
                    });
                    found.push(clause.draft(kind, truth));
                }
            }
            Some(Item::Prep(Prep::Without)) => {
                let truth = clause.ask(|view| loose_men(clause, &arg, view, true));
                found.push(clause.draft(ClaimKind::Loose, truth));
            }
            _ => {}
        }
    }
}

/// "leaves the knight alone", "is left in peace by the rook": no attack.
fn left_in_peace(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let (by, targets) = if frame.verb.passive {
        (frame.behind(&[Prep::By]), frame.subject.clone())
    } else {
        (frame.subject.clone(), frame.objects())
    };
    for target in targets.iter().filter(|a| matches!(a, Arg::Np(np, _) if np.is_men())) {
        let truth = clause.ask(|view| {
            let attack = if by.is_empty() || frame.has_word("unattacked") {
                bare_passive(clause, Bond::Attack, target, view, None)
            } else {
                one(clause, Bond::Attack, &by, target, view)
            };
            attack.negated(true)
        });
        found.push(clause.draft(ClaimKind::Attack, truth));
    }
}

/// The hanging men among those meant.
pub fn hanging_men(clause: &Clause<'_>, target: &Arg, view: &View) -> Truth {
    let men = passive_men(clause, target, view);
    // "picks off the bishop on d2": said of the move, whatever stands there now.
    let taken = |t: Man| matches!(target, Arg::Np(np, _) if men::fits(np, t, None, clause.world.mover()));
    if !clause.negated && view.taken().is_some_and(taken) {
        return Truth::unknown("The move has taken it.");
    }
    each_man(clause, &men, |m| hangs_here(view, m))
}

/// Does a man hang in a position: can it be won by a capture on its square, whoever is to move?
pub fn hangs_here(view: &View, man: Man) -> (bool, String) {
    let found: Option<Hanging> = hanging(&view.pos, man.color).into_iter().find(|h| h.target == man);
    match found {
        Some(h) => (
            true,
            format!("{} can be taken by {} with gain.", the_up(man), the(h.by)),
        ),
        None => {
            let board = view.board();
            let attacked = attacks::attackers(board, man.square, man.color.other());
            let defended = attacks::attackers(board, man.square, man.color).without(man.square);
            if attacked.any() && defended.is_empty() && man.role != Role::King {
                // Attacked and unprotected, though no legal capture gains: the words are not wrong.
                return (true, format!("{} is attacked and unprotected.", the_up(man)));
            }
            let why = if attacked.is_empty() {
                format!("Nothing attacks {}.", the(man))
            } else {
                let en_passant = view.pos.ep_square(EnPassantMode::Legal);
                let gain =
                    exchange::best_capture(board, man.color.other(), man.square, en_passant).map_or(0, |e| e.gain);
                format!("{} is protected; taking it gains nothing ({gain}).", the_up(man))
            };
            (false, why)
        }
    }
}

fn hanging_facts(clause: &Clause<'_>, target: &Arg) -> Vec<FactId> {
    if !clause.frame.context.is_plain() {
        return Vec::new();
    }
    let men = passive_men(clause, target, &clause.world.after());
    let mut ids = clause.world.facts(
        FactKind::Hanging,
        |d| matches!(d, Detail::Hanging { hanging, .. } if men.men.contains(&hanging.target)),
    );
    ids.truncate(2);
    ids
}

/// Nobody protects the man (`loose`), or somebody does.
pub fn loose_men(clause: &Clause<'_>, target: &Arg, view: &View, loose: bool) -> Truth {
    let men = passive_men(clause, target, view);
    each_man(clause, &men, |m| {
        let defenders = attacks::attackers(view.board(), m.square, m.color).without(m.square);
        match defenders.first().and_then(|sq| Man::at(view.board(), sq)) {
            None => (loose, format!("Nothing protects {}.", the(m))),
            Some(by) => (!loose, format!("{} protects {}.", the_up(by), the(m))),
        }
    })
}

/// "is hanging", "is undefended", "is well protected", "is under attack", "is free for the taking".
pub fn traits(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let left = frame.verb.act == Act::Leave && frame.verb.passive;
    if !left && !matches!(frame.verb.act, Act::Be | Act::Stand | Act::Continue) {
        return;
    }
    for subject in &frame.subject {
        let men = matches!(subject, Arg::Np(np, _) if np.is_men()) || matches!(subject, Arg::Any(_));
        if !men {
            continue;
        }
        let mut named: Vec<(Trait, std::ops::Range<usize>, bool)> =
            frame.traits().into_iter().map(|(t, span)| (t, span, false)).collect();
        // "is a loose rook", "is no loose rook".
        for part in &frame.post {
            if let Item::Np(np) = &part.item
                && np.is_men()
                && np.squares.is_empty()
                && !frame.existential
                && let Some(t) = [Trait::Hanging, Trait::Loose].into_iter().find(|t| np.has(*t))
            {
                named.push((t, part.span.clone(), clause::denies(np)));
            }
        }
        for (t, span, denied) in named {
            let span = frame.span.start..span.end;
            match t {
                Trait::Hanging => {
                    let truth = clause.ask(|view| hanging_men(clause, subject, view).negated(denied));
                    found.push(clause.draft_at(
                        ClaimKind::Hanging,
                        span,
                        truth.resting_on(&hanging_facts(clause, subject)),
                    ));
                }
                Trait::Loose => {
                    let truth = clause.ask(|view| loose_men(clause, subject, view, true).negated(denied));
                    found.push(clause.draft_at(ClaimKind::Loose, span, truth));
                }
                Trait::Protected => {
                    let truth = clause.ask(|view| loose_men(clause, subject, view, false));
                    found.push(clause.draft_at(ClaimKind::Defence, span, truth));
                }
                _ => {}
            }
        }
    }
}

/// "has no defender", "without protection", "is a defender of".
pub fn defender_noun(
    clause: &Clause<'_>,
    np: &Np,
    without: bool,
    rest: &[phrase::Part],
    end: usize,
    found: &mut Vec<Draft>,
) {
    let frame = clause.frame;
    let targets = frame::behind(rest, &[Prep::Of, Prep::To, Prep::For]);
    // "There is no defender of the rook".
    let men_of = |args: Vec<Arg>| -> Vec<Arg> {
        let men = |a: &Arg| matches!(a, Arg::Np(np, _) if np.is_men());
        args.into_iter().filter(men).collect()
    };
    if frame.existential {
        let by = men_of(frame::behind(rest, &[Prep::From, Prep::By]));
        for target in targets.iter().filter(|a| matches!(a, Arg::Np(np, _) if np.is_men())) {
            // "There is no protection for the rook from the king".
            if !by.is_empty() {
                let truth = clause.ask(|view| one(clause, Bond::Defend, &by, target, view).negated(clause::denies(np)));
                found.push(clause.draft_at(ClaimKind::Defence, frame.span.clone(), truth));
                continue;
            }
            let none = clause::denies(np) || clause.negated;
            let truth = clause.ask(|view| {
                let men = passive_men(clause, target, view);
                let answers = men.men.iter().map(|m| {
                    let n = attacks::attackers(view.board(), m.square, m.color)
                        .without(m.square)
                        .count();
                    let why = format!("{n} pieces protect {}.", the(*m));
                    Truth::of((n == 0) == none, || why.clone(), || why.clone())
                });
                if men.men.is_empty() {
                    Truth::no(men.missing.clone())
                } else {
                    truth::any(answers)
                }
            });
            let kind = if none { ClaimKind::Loose } else { ClaimKind::Defence };
            found.push(clause.draft_at(kind, frame.span.start..end, truth));
        }
        return;
    }
    // "remains under the protection of the queen": she protects it.
    let under = frame.post.windows(2).any(|pair| {
        matches!(pair[0].item, Item::Prep(Prep::Under)) && matches!(&pair[1].item, Item::Np(of) if of == np)
    });
    if under && !targets.is_empty() {
        for target in frame
            .subject
            .iter()
            .filter(|a| matches!(a, Arg::Np(np, _) if np.is_men()))
        {
            let truth = clause.ask(|view| one(clause, Bond::Defend, &targets, target, view));
            found.push(clause.draft_at(ClaimKind::Defence, frame.span.start..end, truth));
        }
        return;
    }
    // "has lost the protection of the rook".
    if frame.verb.act == Act::Lose {
        for target in frame
            .subject
            .iter()
            .filter(|a| matches!(a, Arg::Np(np, _) if np.is_men()))
        {
            let by = men_of(targets.clone());
            let truth = if by.is_empty() {
                clause.ask(|view| loose_men(clause, target, view, true))
            } else {
                clause.ask(|view| one(clause, Bond::Defend, &by, target, view).negated(true))
            };
            found.push(clause.draft_at(ClaimKind::Defence, frame.span.start..end, truth));
        }
        return;
    }
    if matches!(frame.verb.act, Act::Be | Act::Stand | Act::Continue) && !targets.is_empty() && !without {
        for target in &targets {
            let none = clause::denies(np);
            let only = np.has(Trait::Only) && !clause.negated;
            let truth = clause.ask(|view| {
                let truth = one(clause, Bond::Defend, &frame.subject, target, view);
                if only {
                    return no_other(clause, Bond::Defend, &frame.subject, target, view, truth);
                }
                truth.negated(none)
            });
            found.push(clause.draft_at(ClaimKind::Defence, frame.span.start..end, truth));
        }
        return;
    }
    // "has just the rook for a defender", "has the rook as its only defender".
    let has: Vec<Arg> = if frame.verb.act == Act::Have && !clause.negated && !clause::denies(np) {
        men_of(frame.objects())
    } else {
        Vec::new()
    };
    let as_one = frame.post.windows(2).any(|pair| {
        matches!(pair[0].item, Item::Prep(Prep::For | Prep::As)) && matches!(&pair[1].item, Item::Np(of) if of == np)
    });
    if !has.is_empty() && as_one {
        for target in men_of(frame.subject.clone()) {
            let truth = clause.ask(|view| {
                let truth = one(clause, Bond::Defend, &has, &target, view);
                if np.has(Trait::Only) {
                    return no_other(clause, Bond::Defend, &has, &target, view, truth);
                }
                exclusive(clause, Bond::Defend, &has, &target, view, truth)
            });
            found.push(clause.draft_at(ClaimKind::Defence, frame.span.start..end, truth));
        }
        return;
    }
    // "enjoys the protection of the queen", "has the support of a pawn".
    let by = men_of(frame::behind(rest, &[Prep::Of, Prep::From, Prep::By, Prep::In]));
    let lacks = frame.verb.act == Act::Lack;
    if (frame.verb.act == Act::Have || lacks) && !by.is_empty() {
        for target in frame
            .subject
            .iter()
            .filter(|a| matches!(a, Arg::Np(np, _) if np.is_men()))
        {
            let denied = clause::denies(np) != lacks;
            let truth = clause.ask(|view| one(clause, Bond::Defend, &by, target, view).negated(denied));
            found.push(clause.draft_at(ClaimKind::Defence, frame.span.clone(), truth));
        }
        return;
    }
    // "gives protection to the knight", "offers the knight no protection".
    let gives = ["giv", "gave", "lend", "lent", "offer", "provid"];
    let gives = gives.iter().any(|stem| frame.verb.word.starts_with(stem));
    let given = if targets.is_empty() && gives {
        men_of(frame.objects())
    } else {
        men_of(targets)
    };
    if matches!(frame.verb.act, Act::Make | Act::Offer) && !given.is_empty() {
        for target in &given {
            let denied = clause::denies(np);
            let truth = clause.ask(|view| one(clause, Bond::Defend, &frame.subject, target, view).negated(denied));
            found.push(clause.draft_at(ClaimKind::Defence, frame.span.start..end, truth));
        }
        return;
    }
    if frame.verb.act == Act::Have || lacks || without {
        let left = frame.verb.act == Act::Leave && frame.verb.passive;
        let subjects = if left || matches!(frame.verb.act, Act::Have | Act::Lack | Act::Be | Act::Stand) {
            frame.subject.clone()
        } else {
            return;
        };
        for subject in &subjects {
            // "d5 lacks any defender": what stands there.
            let held = |square: &Square| clause.views.iter().any(|view| Man::at(view.board(), *square).is_some());
            let square = matches!(subject, Arg::Np(np, _) if matches!(np.head, Head::Square { .. }) && np.squares.iter().all(held));
            if !matches!(subject, Arg::Np(np, _) if np.is_men()) && !matches!(subject, Arg::Any(_)) && !square {
                continue;
            }
            // "lacks no protection": it has some.
            let none = clause::denies(np) != (lacks || without);
            let wanted = np.count;
            let truth = clause.ask(|view| count_bearing(clause, subject, view, wanted, none, true));
            let kind = if none { ClaimKind::Loose } else { ClaimKind::Defence };
            found.push(clause.draft_at(kind, frame.span.start..end, truth));
        }
    }
}

/// How many protect (`defenders`) or attack a man.
pub fn count_bearing(
    clause: &Clause<'_>,
    subject: &Arg,
    view: &View,
    wanted: Option<u32>,
    none: bool,
    defenders: bool,
) -> Truth {
    let men = passive_men(clause, subject, view);
    each_man(clause, &men, |m| {
        let by = if defenders { m.color } else { m.color.other() };
        let n = attacks::attackers(view.board(), m.square, by).without(m.square).count();
        let holds = match wanted {
            Some(wanted) => n == wanted as usize,
            None => (n == 0) == none,
        };
        let verb = if defenders { "protect" } else { "attack" };
        (holds, format!("{n} of {} pieces {verb} {}.", possessive(by), the(m)))
    })
}

fn possessive(color: Color) -> String {
    format!("{}'s", color_name(color))
}

/// Adjectives within noun phrases: "the hanging knight on e5", "the undefended pawn".
pub fn phrase_traits(clause: &Clause<'_>, np: &Np, span: &std::ops::Range<usize>, found: &mut Vec<Draft>) {
    if !np.is_men() || np.squares.is_empty() {
        return;
    }
    // "There is no loose rook on f7", "does not have a hanging knight on c6": that is what is denied.
    let denied = np.det == phrase::Det::No
        || np.det == phrase::Det::Indefinite
            && clause.negated
            && (clause.frame.existential || clause.frame.verb.act == Act::Have);
    let arg = Arg::Np(np.clone(), span.clone());
    let state = |question: &dyn Fn(&View) -> Truth| {
        let mut answers: Vec<Truth> = clause.views.iter().map(question).collect();
        if denied {
            return truth::any(answers);
        }
        // Before the move, too: "captures the hanging pawn on e5".
        answers.push(question(&clause.world.before()));
        answers.extend(clause.views.iter().filter_map(|view| {
            let (before, _) = view.deed.as_ref()?;
            Some(question(&View::alone(before.clone())))
        }));
        truth::any(answers)
    };
    if np.has(Trait::Hanging) {
        let positive = Positive(clause);
        let truth = state(&|view| positive.hanging(&arg, view)).negated(denied);
        found.push(clause.draft_at(ClaimKind::Hanging, span.clone(), truth));
    }
    if np.has(Trait::Loose) {
        let positive = Positive(clause);
        let truth = state(&|view| positive.loose(&arg, view)).negated(denied);
        found.push(clause.draft_at(ClaimKind::Loose, span.clone(), truth));
    }
}

/// "There is no free rook on f7": the one there does not hang.
pub fn no_free_man(clause: &Clause<'_>, np: &Np, span: std::ops::Range<usize>, found: &mut Vec<Draft>) {
    let arg = Arg::Np(
        Np {
            det: phrase::Det::Definite,
            ..np.clone()
        },
        span,
    );
    let truth = clause.ask(|view| Positive(clause).hanging(&arg, view).negated(true));
    found.push(clause.draft(ClaimKind::Hanging, truth));
}

/// The clause's denial is of its verb, not of what its noun phrases presuppose.
struct Positive<'a>(&'a Clause<'a>);

impl Positive<'_> {
    fn men(&self, arg: &Arg, view: &View) -> Vec<Man> {
        passive_men(self.0, arg, view).men
    }

    fn hanging(&self, arg: &Arg, view: &View) -> Truth {
        truth::any(self.men(arg, view).into_iter().map(|m| {
            let (yes, why) = hangs_here(view, m);
            Truth::of(yes, || why.clone(), || why.clone())
        }))
        .lenient_if(self.men(arg, view).is_empty())
    }

    fn loose(&self, arg: &Arg, view: &View) -> Truth {
        truth::any(self.men(arg, view).into_iter().map(|m| {
            let defenders = attacks::attackers(view.board(), m.square, m.color).without(m.square);
            match defenders.first().and_then(|sq| Man::at(view.board(), sq)) {
                None => Truth::yes(format!("Nothing protects {}.", the(m))),
                Some(by) => Truth::no(format!("{} protects {}.", the_up(by), the(m))),
            }
        }))
        .lenient_if(self.men(arg, view).is_empty())
    }
}

impl Truth {
    /// Leaves open what rests on men that aren't there; the placement is a claim of its own.
    fn lenient_if(self, open: bool) -> Self {
        if open {
            Self::no("There is no such piece.")
        } else {
            self
        }
    }
}
