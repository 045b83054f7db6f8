//! Claims about moves: which is played, which can be, where men go, who is to move, who is developed.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Rank, Role, Square};

use super::{
    ClaimKind,
    clause::{Clause, Draft, Mode, denies},
    contact::each_man,
    deeds::to_move,
    frame::{Arg, Frame},
    lexicon::{Act, Opener, Prep, Thing, Trait},
    men::{self, the, the_up},
    phrase::{Head, Item, Modal, MoveWord, Np, Part},
    scene::{Point, View},
    truth::Truth,
};
use crate::{
    chess::{
        Man, material,
        names::{color_name, role_name},
    },
    commentary::{FactKind, board_facts::phase, fact::Phase},
};

/// The claims of a clause about moves.
pub fn claims(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    match frame.verb.act {
        Act::Move | Act::Retreat => movement(clause, found),
        Act::Develop => development(clause, found),
        Act::Play | Act::Reply
            if frame
                .objects()
                .iter()
                .any(|a| matches!(a, Arg::Np(np, _) if np.is_men())) =>
        {
            movement(clause, found)
        }
        _ => {}
    }
    played_names(clause, found);
    legal_words(clause, found);
    turn(clause, found);
    undeveloped(clause, found);
    game_phase(clause, found);
}

// ---- Where men go ----

/// "The knight moves to e5", "brings the rook to e1", "retreats the bishop".
fn movement(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let objects = frame.objects();
    let men_objects: Vec<&Arg> = objects
        .iter()
        .filter(|a| matches!(a, Arg::Np(np, _) if np.is_men()))
        .collect();
    let goals: Vec<Square> = squares_behind(frame, &[Prep::To, Prep::On, Prep::Into, Prep::At, Prep::Back])
        .into_iter()
        .chain(
            objects
                .iter()
                .filter_map(Arg::np)
                .filter(|np| matches!(np.head, Head::Square { .. }))
                .flat_map(|np| np.squares.clone()),
        )
        .collect();
    let from: Vec<Square> = squares_behind(frame, &[Prep::From]);
    let men: Vec<Arg> = if !men_objects.is_empty() {
        men_objects.into_iter().cloned().collect()
    } else if frame.verb.passive || frame.subject.iter().any(|a| matches!(a, Arg::Np(np, _) if np.is_men())) {
        frame.subject.clone()
    } else {
        Vec::new()
    };
    let retreat = frame.verb.act == Act::Retreat;
    let plain = ["mov", "advanc", "push"].iter().any(|w| frame.verb.word.starts_with(w))
        && matches!(clause.mode, Mode::Fact)
        && frame.verb.particle.is_none()
        && objects.iter().any(|a| matches!(a, Arg::Np(np, _) if np.is_men()));
    if goals.is_empty() && from.is_empty() && !retreat && !plain {
        return;
    }
    if men.is_empty() && goals.is_empty() && !retreat {
        return;
    }
    // "moves the king to safety": no square is named.
    let side = clause.actor().or_else(|| clause.color_of(&men));
    let truth = clause.ask_deed(|view| {
        let fits = |pos: &Chess, m: Move| goes(clause, pos, m, &men, &goals, &from, retreat);
        match super::deeds::deeds(clause, view, side) {
            super::deeds::Deeds::Done(before, m) => fits(&before, m).negated(clause.negated),
            super::deeds::Deeds::Open(all) => {
                let any = all.iter().map(|(pos, m)| fits(pos, *m)).find(Truth::holds);
                let possible = matches!(clause.mode, Mode::Can | Mode::Threat);
                match any {
                    Some(t) if possible => t.negated(clause.negated),
                    Some(_) => Truth::unknown("It can be played, but it is no part of the move."),
                    None if possible && !clause.negated => Truth::no("No legal move does that."),
                    None => Truth::no("No legal move does that.").negated(clause.negated),
                }
            }
            super::deeds::Deeds::None => Truth::unknown("No move of that side is spoken of."),
        }
    });
    let ids = if frame.context.is_plain() {
        clause.world.facts(FactKind::Move, |_| true)
    } else {
        Vec::new()
    };
    let kind = if matches!(clause.mode, Mode::Can) {
        ClaimKind::Legality
    } else {
        ClaimKind::Movement
    };
    // "can come to d5": not at once.
    let at_once = ["mov", "go", "play", "jump", "hop", "step", "captur"]
        .iter()
        .any(|w| frame.verb.word.starts_with(w));
    let later = ["later", "soon", "eventually", "via", "then", "someday"]
        .iter()
        .any(|w| frame.has_word(w));
    let truth = if clause.mode == Mode::Can && (!at_once || later) && !clause.negated {
        truth.lenient("It may get there later.")
    } else {
        truth
    };
    found.push(clause.draft(kind, truth.resting_on(&ids)));
}

fn squares_behind(frame: &Frame, preps: &[Prep]) -> Vec<Square> {
    frame
        .behind(preps)
        .iter()
        .filter_map(Arg::np)
        .filter(|np| matches!(np.head, Head::Square { .. }))
        .flat_map(|np| np.squares.clone())
        .collect()
}

/// Does the move take one of the men to one of the squares?
fn goes(
    clause: &Clause<'_>,
    pos: &Chess,
    m: Move,
    men: &[Arg],
    goals: &[Square],
    from: &[Square],
    retreat: bool,
) -> Truth {
    let Some(man) = m.from().and_then(|f| Man::at(pos.board(), f)) else {
        return Truth::no("");
    };
    let to = crate::commentary::board_facts::destination(m);
    let moved = Man { square: to, ..man };
    let why = format!("{} goes to {to}.", the_up(man));
    let mut pairs = vec![(man, moved)];
    if let Move::Castle { rook, .. } = m
        && let Some(r) = Man::at(pos.board(), rook)
    {
        let file = if rook > man.square {
            shakmaty::File::F
        } else {
            shakmaty::File::D
        };
        pairs.push((
            r,
            Man {
                square: Square::from_coords(file, rook.rank()),
                ..r
            },
        ));
    }
    let mover = clause.world.mover();
    let hit = pairs.iter().any(|(was, is)| {
        let named = men.iter().all(|arg| match arg {
            Arg::Np(np, _) if np.is_men() => {
                men::fits(np, *was, Some(pos.turn()), mover) || men::fits(np, *is, Some(pos.turn()), mover)
            }
            Arg::Any(all) => all.iter().any(|a| match a {
                Arg::Np(np, _) if np.is_men() => {
                    men::fits(np, *was, Some(pos.turn()), mover) || men::fits(np, *is, Some(pos.turn()), mover)
                }
                _ => true,
            }),
            _ => true,
        });
        let goal = goals.is_empty() || goals.contains(&is.square);
        let origin = from.is_empty() || from.contains(&was.square);
        let back = !retreat || !goals.is_empty() || {
            let rank = |s: Square| was.color.relative_rank(s.rank());
            rank(is.square) <= rank(was.square)
        };
        named && goal && origin && back
    });
    Truth::of(hit, || why.clone(), || why.clone())
}

// ---- The moves that are named ----

/// "White plays Nf3": it must be the move, unless a line leads there.
fn played_names(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let world = clause.world;
    if frame.verb.act != Act::Play
        || clause.mode != Mode::Fact
        || clause.negated
        || !frame.context.is_plain()
        || frame.opener.is_some()
        || frame.verb.infinitive
        || frame.governor.is_some()
        || frame.verb.form == super::lexicon::Form::Ing
        || clause.side() != world.mover()
        || frame.verb.passive
    {
        return;
    }
    let later = ["next", "later", "soon", "eventually", "followed"];
    if later.iter().any(|w| frame.has_word(w)) || frame.post.iter().any(|p| matches!(p.item, Item::Open(_))) {
        return;
    }
    let objects = frame.objects();
    let [Arg::Move(word, span)] = objects.as_slice() else {
        return;
    };
    if world.is_played(word) {
        let ids = world.facts(FactKind::Move, |_| true);
        found.push(clause.draft_at(
            ClaimKind::Legality,
            span.clone(),
            Truth::Yes(format!("{} is the move.", word.text), ids),
        ));
    } else if matches!(
        frame.verb.word.as_str(),
        "plays" | "played" | "play" | "chooses" | "chose" | "selects" | "selected"
    ) && word.side.is_none_or(|s| s == world.mover())
    {
        let truth = Truth::no(format!("The move played is {}.", world.played().san()));
        found.push(clause.draft_at(ClaimKind::Legality, span.clone(), truth));
    }
}

/// Moves in a row as they stand in a sentence.
#[derive(Debug, Clone)]
pub struct NamedRun {
    /// The moves.
    pub words: Vec<MoveWord>,
    /// Bytes of the text.
    pub span: std::ops::Range<usize>,
    /// "then" stands between the run before and this one.
    pub then: bool,
}

/// Moves that are named can be played: in reply, in place of the move, next, or along the line that `line` has so far.
pub fn legality(clause: &Clause<'_>, runs: &[NamedRun], line: &mut Vec<Vec<MoveWord>>, found: &mut Vec<Draft>) {
    let world = clause.world;
    for NamedRun { words: run, span, then } in runs {
        let side = subject_side(clause, run);
        if let [one] = run.as_slice()
            && world.is_played(one)
            && line.is_empty()
            && side.is_none_or(|side| side == world.mover())
        {
            line.push(run.clone());
            continue;
        }
        let mut with_line = line.clone();
        with_line.push(run.clone());
        // A move with the line's next number, or behind "then", must follow it.
        let chained = !line.is_empty() && (*then || follows_number(line, run));
        let readings = if chained {
            world.follow_strictly(&with_line)
        } else {
            world.follow(&with_line)
        };
        let text: Vec<&str> = run.iter().map(|w| w.text.as_str()).collect();
        let text = text.join(" ");
        let truth = match readings.views.first() {
            Some(_) => Truth::yes(format!("{text} can be played.")),
            None => match readings.error {
                Some(error) if !error.is_empty() => Truth::no(error),
                _ => Truth::unknown("Too many moves are named to follow them all."),
            },
        };
        let truth = match (side, truth) {
            // "Black can reply Nf6": a move of Black's.
            (Some(side), Truth::Yes(..)) if run.len() == 1 && !chained => {
                let fits = world
                    .follow(std::slice::from_ref(run))
                    .views
                    .iter()
                    .any(|v| v.mover() == side)
                    || readings.views.iter().any(|v| v.mover() == side);
                let name = color_name(side);
                Truth::of(
                    fits,
                    || format!("{text} can be played."),
                    || format!("{text} is no legal move of {name}'s."),
                )
            }
            (_, truth) => truth,
        };
        let denied = clause.negated && clause.mode == Mode::Can;
        let truth = truth.negated(denied);
        let past = clause.frame.verb.perfect && clause.frame.verb.past || earlier(clause, run);
        // A plan may need moves in between.
        let planned =
            run.len() == 1 && !chained && (clause.mode == Mode::Wish || clause.vague || plan_words(clause.frame));
        let truth = if past || planned {
            truth.lenient("It speaks of another point of the game.")
        } else if excluded(clause) && !denied {
            truth.lenient("The words deny it or don't say it can be played.")
        } else {
            truth
        };
        if !readings.views.is_empty() {
            *line = with_line;
        }
        let castles = run.len() == 1 && run[0].text.starts_with(['O', '0', 'o']);
        found.push(Draft {
            kind: if castles {
                ClaimKind::Castling
            } else {
                ClaimKind::Legality
            },
            span: span.clone(),
            truth,
        });
    }
}

/// The run's number is the next of the line's.
fn follows_number(line: &[Vec<MoveWord>], run: &[MoveWord]) -> bool {
    let last = line
        .last()
        .and_then(|run| run.last())
        .and_then(|word| word.number.zip(word.side));
    let next = run.first().and_then(|word| word.number.zip(word.side));
    match (last, next) {
        (Some((n, Color::White)), Some((m, Color::Black))) => n == m,
        (Some((n, Color::Black)), Some((m, Color::White))) => n + 1 == m,
        _ => false,
    }
}

/// Words that say a move can't be played make its illegality no fault.
fn excluded(clause: &Clause<'_>) -> bool {
    clause.negated
        || matches!(clause.mode, Mode::Kept)
        || clause.frame.traits().iter().any(|(t, _)| *t == Trait::Illegal)
        || matches!(clause.frame.verb.act, Act::Prevent | Act::Block)
            && !clause
                .frame
                .behind(&[Prep::With, Prep::By])
                .iter()
                .any(|a| matches!(a, Arg::Move(..)))
        || clause
            .frame
            .post
            .iter()
            .any(|p| matches!(&p.item, Item::Trait(Trait::Illegal)))
}

fn plan_words(frame: &Frame) -> bool {
    let words = [
        "idea",
        "ideas",
        "plan",
        "plans",
        "later",
        "eventually",
        "soon",
        "someday",
        "preparing",
        "dreams",
        "planning",
    ];
    words.iter().any(|w| frame.has_word(w)) || matches!(frame.verb.act, Act::Plan)
}

/// The number before a move says that it belongs to another point of the game.
fn earlier(clause: &Clause<'_>, run: &[MoveWord]) -> bool {
    let now = clause.world.played().before.fullmoves().get();
    run.first()
        .and_then(|w| w.number)
        .is_some_and(|n| now > 1 && (n < now || n > now + 12))
}

fn subject_side(clause: &Clause<'_>, run: &[MoveWord]) -> Option<Color> {
    let frame = clause.frame;
    if !matches!(frame.verb.act, Act::Play | Act::Reply | Act::Have) || frame.verb.passive {
        return None;
    }
    let named = frame
        .objects()
        .iter()
        .any(|a| matches!(a, Arg::Move(word, _) if Some(word) == run.first()))
        || frame
            .behind(&[Prep::With, Prep::By])
            .iter()
            .any(|a| matches!(a, Arg::Move(word, _) if Some(word) == run.first()));
    if !named {
        return None;
    }
    frame.subject.iter().find_map(|a| a.side(clause.world.mover()))
}

/// "Nf6 is legal", "Nf6 is impossible", "the only legal move".
fn legal_words(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    if frame.verb.act != Act::Be {
        return;
    }
    for subject in &frame.subject {
        let Arg::Move(word, _) = subject else { continue };
        for part in &frame.post {
            let traits: Vec<Trait> = match &part.item {
                Item::Trait(t) => vec![*t],
                Item::Np(np) if matches!(np.head, Head::Thing(Thing::Move | Thing::Reply)) => np.traits.clone(),
                _ => continue,
            };
            for t in traits {
                let legal = match t {
                    Trait::Legal => true,
                    Trait::Illegal => false,
                    _ => continue,
                };
                let readings = clause.world.follow(&[vec![word.clone()]]);
                // "is available to White".
                let to = frame.behind(&[Prep::To, Prep::For]);
                if to.iter().any(|a| matches!(a, Arg::Np(np, _) if np.is_men())) {
                    continue;
                }
                let side = to.iter().find_map(|a| a.side(clause.world.mover()));
                let ok = readings.views.iter().any(|v| side.is_none_or(|s| v.mover() == s));
                let why = readings
                    .error
                    .unwrap_or_else(|| format!("{} can be played.", word.text));
                let truth = Truth::of(ok == legal, || why.clone(), || why.clone()).negated(clause.negated);
                found.push(Draft {
                    kind: ClaimKind::Legality,
                    span: frame.span.start..part.span.end,
                    truth,
                });
            }
        }
    }
    // "the only legal move".
    for (_, thing, np, span) in frame.things() {
        if thing == Thing::Move && np.has(Trait::Only) && np.has(Trait::Legal) {
            let truth = clause.ask(|view| {
                let n = view.deed.as_ref().map(|(before, _)| before.legal_moves().len());
                match n {
                    Some(n) => Truth::of(
                        n == 1,
                        || "There was no other legal move.".to_owned(),
                        || format!("There were {n} legal moves."),
                    )
                    .negated(clause.negated),
                    None => Truth::unknown(""),
                }
            });
            found.push(clause.draft_at(ClaimKind::Legality, frame.span.start..span.end, truth));
        }
    }
}

// ---- Whose move it is ----

/// "Black to move", "It is Black's turn", "It is White's move".
fn turn(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let mover = clause.world.mover();
    let said: Option<Color> = if frame.verb.infinitive
        && matches!(frame.verb.word.as_str(), "move" | "play")
        && frame.objects().is_empty()
        && frame
            .post
            .iter()
            .all(|p| !matches!(p.item, Item::Prep(_) | Item::Np(_) | Item::Move(_)))
        && !matches!(
            frame.governor,
            Some(
                Act::Plan
                    | Act::Force
                    | Act::Allow
                    | Act::Prevent
                    | Act::Have
                    | Act::Lack
                    | Act::Make
                    | Act::Continue
                    | Act::Fail
            )
        ) {
        frame.subject.iter().find_map(|a| a.side(mover)).or_else(|| {
            // "It is Black to move".
            match frame.pre.last().map(|p| &p.item) {
                Some(Item::Np(np)) => Arg::Np(np.clone(), 0..0).side(mover),
                _ => None,
            }
        })
    } else if frame.verb.act == Act::Be || frame.verb.act == Act::Have {
        frame.post.iter().find_map(|p| match &p.item {
            Item::Np(np)
                if np.head == Head::Thing(Thing::Turn)
                    || (np.head == Head::Thing(Thing::Move)
                        && matches!(np.owner, Some(super::phrase::Owner::Side(_)))
                        && np.traits.is_empty()
                        && only_it(frame)
                        && !followed_by_move(frame, p)) =>
            {
                let colors = men::colors(np.owner, None, mover);
                match (np.owner.is_some(), colors.as_slice()) {
                    (true, [one]) => Some(*one),
                    _ => None,
                }
            }
            // "The move is White's".
            Item::Np(np)
                if np.head == Head::Unknown
                    && matches!(frame.subject.as_slice(), [Arg::Played])
                    && frame.verb.act == Act::Be =>
            {
                match np.owner {
                    Some(super::phrase::Owner::Side(color)) => Some(color),
                    _ => None,
                }
            }
            // "has the move", "is on the move".
            Item::Np(np)
                if np.head == Head::ThisMove
                    && clause.actor().is_some()
                    && (frame.verb.act == Act::Have
                        || frame
                            .words
                            .windows(3)
                            .any(|w| w[0] == "on" && w[1] == "the" && w[2] == "move")) =>
            {
                clause.actor()
            }
            _ => None,
        })
    } else if frame.verb.act == Act::Move && frame.verb.word == "moves" && frame.has_word("next") {
        clause.actor()
    } else {
        None
    };
    let Some(side) = said else { return };
    let truth = clause.ask(|view| {
        let turn = view.pos.turn();
        let why = format!("It is {}'s turn.", color_name(turn));
        Truth::of(turn == side, || why.clone(), || why.clone()).negated(clause.negated)
    });
    let span = frame.span.start
        ..frame
            .post
            .last()
            .map_or(frame.span.end, |p| p.span.end)
            .max(frame.span.end);
    found.push(Draft {
        kind: ClaimKind::Turn,
        span,
        truth,
    });
}

fn only_it(frame: &Frame) -> bool {
    let subject = &frame.subject;
    subject.is_empty()
        || frame.words.iter().any(|w| w == "it")
        || subject.iter().all(|a| matches!(a, Arg::Played | Arg::Any(_)))
}

fn followed_by_move(frame: &Frame, part: &Part) -> bool {
    frame
        .post
        .iter()
        .skip_while(|p| *p != part)
        .skip(1)
        .any(|p| matches!(p.item, Item::Move(_)))
}

// ---- Development ----

/// Minor pieces that stand where they began.
fn at_home(board: &Board, man: Man) -> bool {
    let files: &[u32] = match man.role {
        Role::Knight => &[1, 6],
        Role::Bishop => &[2, 5],
        Role::Rook => &[0, 7],
        Role::Queen => &[3],
        Role::King => &[4],
        Role::Pawn => return man.color.relative_rank(man.square.rank()) == Rank::Second,
    };
    let _ = board;
    man.color.relative_rank(man.square.rank()) == Rank::First && files.contains(&man.square.file().to_u32())
}

fn developed_minors(board: &Board, color: Color) -> usize {
    let minors = (board.knights() | board.bishops()) & board.by_color(color);
    Man::all(board, minors)
        .into_iter()
        .filter(|m| !at_home(board, *m))
        .count()
}

fn home_minors(board: &Board, color: Color) -> usize {
    let minors: Bitboard = (board.knights() | board.bishops()) & board.by_color(color);
    Man::all(board, minors)
        .into_iter()
        .filter(|m| at_home(board, *m))
        .count()
}

/// "develops the knight", "brings out the bishop".
fn development(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    let objects = frame.objects();
    let men: Vec<Arg> = if frame.verb.passive || objects.is_empty() {
        frame.subject.clone()
    } else {
        objects
    };
    if frame.governor == Some(Act::Finish) {
        for man in men.iter().filter(|a| matches!(a, Arg::Np(np, _) if np.is_men())) {
            is_developed(clause, &whole(clause, man), true, found);
        }
        return;
    }
    if frame.verb.passive
        || (frame.verb.perfect
            && frame.verb.modal.is_none()
            && frame.subject.iter().any(|a| a.side(clause.world.mover()).is_some()))
    {
        for man in men.iter().filter(|a| matches!(a, Arg::Np(np, _) if np.is_men())) {
            let owned = match man {
                Arg::Np(np, span) if np.owner.is_none() && !frame.verb.passive => Arg::Np(
                    Np {
                        owner: clause.actor().map(super::phrase::Owner::Side),
                        ..np.clone()
                    },
                    span.clone(),
                ),
                other => other.clone(),
            };
            is_developed(clause, &owned, true, found);
        }
        return;
    }
    let goals = squares_behind(frame, &[Prep::To, Prep::On, Prep::At]);
    let side = clause.actor().or_else(|| clause.color_of(&men));
    let truth = clause.ask_deed(|view| match super::deeds::deeds(clause, view, side) {
        super::deeds::Deeds::Done(before, m) => {
            let man = m.from().and_then(|f| Man::at(before.board(), f));
            let Some(man) = man else { return Truth::unknown("") };
            let home = man.color.relative_rank(man.square.rank()) == Rank::First
                && !matches!(man.role, Role::Pawn | Role::King);
            let castles = m.is_castle();
            let fits = men.iter().filter_map(Arg::np).filter(|np| np.is_men()).all(|np| {
                let moved = Man { square: m.to(), ..man };
                men::fits(np, man, Some(man.color), clause.world.mover())
                    || men::fits(np, moved, Some(man.color), clause.world.mover())
            });
            let goal = goals.is_empty() || goals.contains(&m.to());
            let out = if home && at_home(before.board(), man) {
                String::new()
            } else {
                " It was out already.".to_owned()
            };
            let why = format!("{} goes to {}.{out}", the_up(man), m.to());
            let truth = Truth::of((home || castles) && fits && goal, || why.clone(), || why.clone());
            // A pawn's move may be called development in a wide sense.
            let truth = if men.iter().all(|a| !matches!(a, Arg::Np(np, _) if np.is_men())) {
                truth.lenient("Development in a wide sense.")
            } else {
                truth
            };
            truth.negated(clause.negated)
        }
        _ => Truth::unknown("It may come later."),
    });
    let ids = if frame.context.is_plain() {
        clause.world.facts(FactKind::Development, |_| true)
    } else {
        Vec::new()
    };
    found.push(clause.draft(ClaimKind::Development, truth.resting_on(&ids)));
}

/// "developing the minor pieces": all of the subject's.
fn whole(clause: &Clause<'_>, man: &Arg) -> Arg {
    match man {
        Arg::Np(np, span) => Arg::Np(
            Np {
                det: if np.plural { super::phrase::Det::All } else { np.det },
                owner: np.owner.or(clause.actor().map(super::phrase::Owner::Side)),
                ..np.clone()
            },
            span.clone(),
        ),
        other => other.clone(),
    }
}

fn is_developed(clause: &Clause<'_>, man: &Arg, developed: bool, found: &mut Vec<Draft>) {
    let truth = clause.ask(|view| {
        let men = clause.men(man, view);
        each_man(clause, &men, |m| {
            let home = at_home(view.board(), m);
            let why = if home {
                format!("{} stands on its home square.", the_up(m))
            } else {
                format!("{} has left its home square.", the_up(m))
            };
            (home != developed, why)
        })
    });
    found.push(clause.draft(ClaimKind::Development, truth));
}

/// "The knight is undeveloped", "on its home square", "White is ahead in development".
fn undeveloped(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    if matches!(frame.verb.act, Act::Be | Act::Stand | Act::Continue) {
        for (t, _) in frame.traits() {
            let developed = match t {
                Trait::Undeveloped => false,
                Trait::Developed => true,
                _ => continue,
            };
            for man in frame
                .subject
                .iter()
                .filter(|a| matches!(a, Arg::Np(np, _) if np.is_men()))
            {
                is_developed(clause, man, developed, found);
            }
        }
        let home = frame
            .behind(&[Prep::On, Prep::At])
            .iter()
            .any(|a| matches!(a, Arg::Np(np, _) if np.head == Head::Thing(Thing::Home)));
        if home {
            for man in frame
                .subject
                .iter()
                .filter(|a| matches!(a, Arg::Np(np, _) if np.is_men()))
            {
                is_developed(clause, man, false, found);
            }
        }
    }
    // "The knight has not moved yet".
    if frame.verb.act == Act::Move && frame.verb.perfect && frame.objects().is_empty() && clause.negated {
        for man in frame
            .subject
            .iter()
            .filter(|a| matches!(a, Arg::Np(np, _) if np.is_men()))
        {
            let truth = clause.ask(|view| {
                let men = clause.men(man, view);
                match men.men.iter().find(|m| at_home(view.board(), **m)) {
                    Some(m) => Truth::yes(format!("{} stands on its home square.", the_up(*m))),
                    None => Truth::no(men.men.first().map_or(men.missing.clone(), |m| {
                        format!("{} has left its home square.", the_up(*m))
                    })),
                }
            });
            found.push(clause.draft(ClaimKind::Development, truth));
        }
    }
    let about = frame.things().any(|(_, t, ..)| t == Thing::Development) || frame.has_word("undeveloped");
    if about {
        let sign = frame.post.iter().find_map(|p| match &p.item {
            Item::Trait(Trait::Ahead) => Some(1),
            Item::Trait(Trait::Behind) | Item::Prep(Prep::Behind) => Some(-1),
            _ => None,
        });
        let leads = frame.things().any(|(_, t, np, _)| {
            matches!(t, Thing::Lead | Thing::Advantage) || t == Thing::Development && np.has(Trait::Better)
        });
        let sign = sign.or(match frame.verb.act {
            Act::Have if leads => Some(1),
            Act::Lead => Some(1),
            Act::Trail => Some(-1),
            _ => None,
        });
        if let (Some(sign), Some(side)) = (sign, frame.subject.iter().find_map(|a| a.side(clause.world.mover()))) {
            let truth = clause.ask(|view| {
                let n = |c| {
                    i32::try_from(developed_minors(view.board(), c)).unwrap_or(0)
                        - i32::try_from(home_minors(view.board(), c)).unwrap_or(0)
                };
                let lead = (n(side) - n(side.other())) * sign;
                let why = format!(
                    "White has {} minor pieces in play, Black {}.",
                    developed_minors(view.board(), Color::White),
                    developed_minors(view.board(), Color::Black)
                );
                let truth = Truth::of(lead > 0, || why.clone(), || why.clone());
                let truth = if lead == 0 {
                    truth.lenient("Development is more than pieces off their squares.")
                } else {
                    truth
                };
                truth.negated(clause.negated)
            });
            found.push(clause.draft(ClaimKind::Development, truth));
            return;
        }
        // "completes his development": all minor pieces are out.
        if frame.verb.act == Act::Finish {
            let side = clause.side();
            let truth = clause.ask(|view| {
                let n = home_minors(view.board(), side);
                Truth::of(
                    n == 0,
                    || "All minor pieces are out.".to_owned(),
                    || format!("{n} minor pieces are at home."),
                )
                .negated(clause.negated)
            });
            found.push(clause.draft(ClaimKind::Development, truth));
        }
    }
    // "White has developed both knights" is read above; "has two undeveloped pieces".
    if frame.verb.act == Act::Have
        && let Some(side) = frame.subject.iter().find_map(|a| a.side(clause.world.mover()))
    {
        for part in &frame.post {
            let Item::Np(np) = &part.item else { continue };
            if !np.is_men() || !np.has(Trait::Undeveloped) {
                continue;
            }
            let truth = clause.ask(|view| {
                let homes = Man::all(view.board(), view.board().by_color(side))
                    .into_iter()
                    .filter(|m| matches!(m.role, Role::Knight | Role::Bishop) && at_home(view.board(), *m))
                    .filter(|m| {
                        men::fits(
                            &Np {
                                traits: Vec::new(),
                                ..np.clone()
                            },
                            *m,
                            Some(side),
                            clause.world.mover(),
                        )
                    })
                    .count();
                let yes = homes >= np.count.unwrap_or(1) as usize;
                let why = format!("{homes} such pieces stand at home.");
                Truth::of(yes, || why.clone(), || why.clone()).negated(clause.negated || denies(np))
            });
            found.push(clause.draft_at(ClaimKind::Development, frame.span.start..part.span.end, truth));
        }
    }
}

// ---- The stage of the game ----

fn game_phase(clause: &Clause<'_>, found: &mut Vec<Draft>) {
    let frame = clause.frame;
    if frame.verb.act != Act::Be || clause.mode != Mode::Fact {
        return;
    }
    let about = frame.subject.iter().any(|a| {
        matches!(a, Arg::Np(np, _) if matches!(np.head, Head::Thing(Thing::Position | Thing::Game))) || only_it(frame)
    });
    if !about {
        return;
    }
    for (at, thing, np, span) in frame.things() {
        let wanted = match thing {
            Thing::Opening => Phase::Opening,
            Thing::Middlegame => Phase::Middlegame,
            Thing::Endgame => Phase::Endgame,
            _ => continue,
        };
        // "an opening", "Black's opening", "a rook endgame": other things.
        if np.owner.is_some()
            || np.of_role.is_some()
            || !matches!(
                frame.post.get(at.wrapping_sub(1)).map(|p| &p.item),
                Some(Item::Prep(Prep::In)) | None
            )
        {
            continue;
        }
        let truth = clause.ask(|view| {
            let now = phase(view.board());
            let why = format!(
                "By the material left it is {}.",
                match now {
                    Phase::Opening => "the opening",
                    Phase::Middlegame => "a middlegame",
                    Phase::Endgame => "an endgame",
                }
            );
            let far = matches!(
                (now, wanted),
                (Phase::Opening, Phase::Endgame) | (Phase::Endgame, Phase::Opening)
            );
            let truth = Truth::of(now == wanted, || why.clone(), || why.clone());
            let truth = if far {
                truth
            } else {
                truth.lenient("Where one stage ends is a matter of taste.")
            };
            truth.negated(clause.negated)
        });
        found.push(clause.draft_at(ClaimKind::Phase, frame.span.start..span.end, truth));
    }
    let _ = (
        material::value,
        role_name,
        the,
        Point::After,
        Opener::If,
        Modal::Can,
        to_move,
    );
    let _: Option<View> = None;
}
