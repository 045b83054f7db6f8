//! What a move does.

use shakmaty::{CastlingSide, Chess, Color, File, Move, Position, Role, Square, san::SanPlus};

use super::{
    finding::{Absent, Finding, any_of, counts, the, the_up, unnamed},
    placement::is_home,
    scene::Scene,
};
use crate::chess::{Man, captured, destination, names::color_name};
use crate::commentary::claims::{
    statement::{Designation, Predicate, Statement},
    truth::Truth,
};

/// Moves from which on a line is named as a whole: what it does not bring is not said of what comes behind it.
const WHOLE_LINE: usize = 4;

pub(super) fn judge(statement: &Statement, scene: &Scene<'_>) -> Finding {
    match statement.predicate {
        Predicate::Goes => goes(statement, scene),
        Predicate::Takes => takes(statement, scene),
        Predicate::Recaptures => Ok(recaptures(statement, scene)),
        Predicate::Trades => trades(statement, scene),
        Predicate::Castles => Ok(castles(statement, scene)),
        Predicate::Promotes => Ok(promotes(statement, scene)),
        Predicate::Develops => develops(statement, scene),
        Predicate::InCheck => Ok(in_check(statement, scene)),
        Predicate::GivesCheck if could_check(statement, scene) => Ok(has_check(statement, scene)),
        Predicate::GivesCheck => Ok(gives_check(statement, scene)),
        Predicate::Checkmate => Ok(checkmate(statement, scene)),
        _ => {
            let holds = scene.pos.is_stalemate();
            Ok(Truth::of(
                holds,
                || "It is stalemate.".to_owned(),
                || "It is not stalemate.".to_owned(),
            ))
        }
    }
}

/// Of the side whose turn it is that it gives check says that it could; so it does of the other side on squares where the last
/// move does not go.
fn could_check(statement: &Statement, scene: &Scene<'_>) -> bool {
    let elsewhere = || {
        let stays = |subject: Designation| !subject.is_side() && !subject.men(scene.board()).is_empty();
        let gone = scene.moved().map(|(_, to)| to.square);
        scene.named == 0
            && statement.subject.is_some_and(stays)
            && !statement.squares.is_empty()
            && gone.is_some_and(|gone| !statement.squares.contains(&gone))
    };
    statement.of_side().is_some_and(|side| side == scene.pos.turn()) || elsewhere()
}

/// A legal move of that side, of its man where one is named, gives check.
fn has_check(statement: &Statement, scene: &Scene<'_>) -> Truth {
    let side = statement.of_side().unwrap_or_else(|| scene.pos.turn());
    let Some(pos) = scene.turned_to(side) else {
        return Truth::unknown("The other side is in check.");
    };
    let by = |m: Move| m.from().and_then(|from| Man::at(scene.board(), from));
    let meant = |man: Man| statement.subject.is_none_or(|subject| subject.fits(man));
    let there = |m: Move| statement.squares.is_empty() || statement.squares.contains(&destination(m));
    let mut checks = leading(&pos, |m, after| {
        after.is_check() && by(m).is_some_and(meant) && there(m)
    });
    if let Some(number) = statement.number {
        let count = checks.count();
        let degree = counts(count, number, statement.qualifier);
        return any_of([(degree, format!("Moves that give check: {count}."))]);
    }
    match checks.next() {
        Some(m) => Truth::yes(format!("{} gives check.", SanPlus::from_move(pos.clone(), m))),
        None => Truth::no("No such move gives check."),
    }
}

/// The move gives check, by the man that is named as it stood or as it stands, and no other move would have where that is said.
fn gives_check(statement: &Statement, scene: &Scene<'_>) -> Truth {
    let (before, own, after) = scene.deed();
    if !after.is_check() {
        return Truth::no("It is no check.");
    }
    let checkers = Man::all(after.board(), after.checkers());
    let as_it_stood = scene
        .moved()
        .filter(|(_, to)| checkers.contains(to))
        .map(|(from, _)| from);
    let by =
        |subject: &Designation| subject.is_side() || checkers.iter().chain(&as_it_stood).any(|man| subject.fits(*man));
    if let Some(checker) = checkers.first().filter(|_| !statement.subject.as_ref().is_none_or(by)) {
        return Truth::no(format!("It is {} that gives check.", the(*checker)));
    }
    let other = || leading(before, |m, after| m != own && after.is_check()).next();
    match statement.only.then(other).flatten() {
        Some(other) => Truth::no(format!(
            "{} gives check, too.",
            SanPlus::from_move(before.clone(), other)
        )),
        None => Truth::yes("It is check."),
    }
}

/// The legal moves that lead where it is asked to.
fn leading(pos: &Chess, leads: impl Fn(Move, &Chess) -> bool) -> impl Iterator<Item = Move> {
    pos.legal_moves().into_iter().filter(move |&m| {
        let mut after = pos.clone();
        after.play_unchecked(m); // legal: it is one of the position's own
        leads(m, &after)
    })
}

/// The position is checkmate, and no other move would have brought it where that is said.
fn checkmate(statement: &Statement, scene: &Scene<'_>) -> Truth {
    if !scene.pos.is_checkmate() {
        return Truth::no("It is not checkmate.");
    }
    let (before, own, _) = scene.deed();
    let other = || leading(before, |m, after| m != own && after.is_checkmate()).next();
    match statement.only.then(other).flatten() {
        Some(other) => Truth::no(format!("{} mates, too.", SanPlus::from_move(before.clone(), other))),
        None => Truth::yes("It is checkmate."),
    }
}

/// The rook that castling moved, as it stood and as it stands.
fn castled_rook(scene: &Scene<'_>) -> Option<(Man, Man)> {
    let (before, m, after) = scene.deed();
    let file = match m.castling_side()? {
        CastlingSide::KingSide => File::F,
        CastlingSide::QueenSide => File::D,
    };
    let from = Man::at(before.board(), m.to())?; // shakmaty castles by taking the rook
    Some((from, Man::at(after.board(), Square::from_coords(file, m.to().rank()))?))
}

fn goes(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let subject = statement.subject.unwrap_or_default();
    let Some((from, to)) = scene.moved() else {
        return Ok(Truth::unknown("No man moves."));
    };
    let castled = castled_rook(scene)
        .filter(|(from, to)| subject.role == Some(Role::Rook) && (subject.fits(*from) || subject.fits(*to)));
    if let Some((_, rook)) = castled {
        let there = statement.squares.is_empty() || statement.squares.contains(&rook.square);
        let reason = format!("Castling brings the rook to {}.", rook.square);
        return Ok(Truth::of(there, || reason.clone(), || reason.clone()));
    }
    let fits = subject.fits(from) || subject.fits(to);
    let there = statement.squares.is_empty()
        || statement.squares.contains(&to.square)
        || statement.squares.contains(&from.square) && statement.squares.len() == 1;
    let reason = format!("It is {} that goes to {}.", the(from), to.square);
    Ok(Truth::of(fits && there, || reason.clone(), || reason.clone()))
}

/// Whether the man that moved is the subject, as it stood or as it stands, where one is named.
fn is_by(statement: &Statement, (from, to): (Man, Man)) -> bool {
    statement
        .subject
        .is_none_or(|subject| subject.fits(from) || subject.fits(to))
}

fn takes(statement: &Statement, scene: &Scene<'_>) -> Finding {
    if scene.named > 1 && (statement.number.is_some() || statement.objects.len() > 1) {
        return Ok(takes_along(statement, scene));
    }
    let (before, m, _) = scene.deed();
    let Some(taken) = captured(before.board(), m) else {
        // "takes" said of a line whose moves were named as a whole.
        let earlier = scene.own_moves().iter().any(|(pos, m)| {
            captured(pos.board(), *m).is_some_and(|taken| statement.object().is_none_or(|object| object.fits(taken)))
        });
        return Ok(if earlier {
            Truth::yes("An earlier move of the line does.")
        } else {
            Truth::no("The move takes nothing.")
        });
    };
    let meant = |taken: Man| {
        statement.object().is_none_or(|object| object.fits(taken))
            && (statement.squares.is_empty() || statement.squares.contains(&taken.square))
    };
    let reason = format!("The move takes {}.", the(taken));
    if scene.moved().is_some_and(|men| is_by(statement, men)) && meant(taken) {
        // "gives the queen for two minor pieces": a line's, which is not named.
        if statement.objects.len() > 1 || statement.number.is_some_and(|number| number > 1) {
            return Ok(Truth::unknown("One move takes one man."));
        }
        return Ok(Truth::yes(reason));
    }
    // Of the moves of a line any may be meant.
    let other = scene.own_moves().iter().any(|(pos, m)| {
        let taken = captured(pos.board(), *m);
        let by = m.from().and_then(|from| Man::at(pos.board(), from));
        taken.is_some_and(meant) && by.is_some_and(|by| statement.subject.is_none_or(|subject| subject.fits(by)))
    });
    Ok(Truth::of(
        other,
        || "Another move of the line does.".to_owned(),
        || reason.clone(),
    ))
}

/// "The rook eats three of them", "wins knight and pawn": what the men that are meant take along a line.
fn takes_along(statement: &Statement, scene: &Scene<'_>) -> Truth {
    let by = |man: Man| {
        let Some(subject) = statement.subject else {
            return statement.side.is_none_or(|side| side == man.color);
        };
        // It moves along the line: wherever it stands.
        Designation {
            square: None,
            file: None,
            ..subject
        }
        .fits(man)
    };
    let own = scene.own_moves();
    let mut taken: Vec<Man> = own
        .iter()
        .filter(|(pos, m)| m.from().and_then(|from| Man::at(pos.board(), from)).is_some_and(by))
        .filter_map(|(pos, m)| captured(pos.board(), *m))
        .filter(|man| statement.squares.is_empty() || statement.squares.contains(&man.square))
        .collect();
    let reason = format!("Men that are taken there: {}.", taken.len());
    if let Some(number) = statement.number {
        taken.retain(|man| statement.objects.is_empty() || statement.objects.iter().any(|object| object.fits(*man)));
        return any_of([(counts(taken.len(), number, statement.qualifier), reason)]);
    }
    let all = statement.objects.iter().all(|object| {
        let found = taken.iter().position(|man| object.fits(*man));
        found.map(|at| taken.swap_remove(at)).is_some()
    });
    Truth::of(all, || reason.clone(), || reason.clone())
}

/// Takes where something has just been taken. What came before the move under discussion is known only from its history.
fn recaptures(statement: &Statement, scene: &Scene<'_>) -> Truth {
    let (before, m, _) = scene.deed();
    if captured(before.board(), m).is_none() {
        return Truth::no("The move takes nothing.");
    }
    let earlier = scene.trail.len().checked_sub(2).and_then(|i| scene.trail.get(i));
    let last = match earlier {
        Some((pos, earlier)) => captured(pos.board(), *earlier).map(|_| destination(*earlier)),
        None => {
            let played = scene.played();
            let Some(history) = played.history.last().filter(|_| *before == played.before) else {
                return Truth::unknown("What was played before is not known.");
            };
            let own = |pos: &shakmaty::Chess| pos.board().by_color(before.turn());
            let lost = own(history).count() > own(before).count();
            let now = before.board().by_color(before.turn().other()) & !history.board().by_color(before.turn().other());
            now.single_square().filter(|_| lost)
        }
    };
    if last != Some(m.to()) {
        return Truth::no("Nothing was taken there a move before.");
    }
    if let Some((by, _)) = scene.moved().filter(|men| !is_by(statement, *men)) {
        return Truth::no(format!("It is {} that takes back.", the(by)));
    }
    let takes_back = |other: &Move| other.is_capture() && other.to() == m.to() && other.from() != m.from();
    let other = || {
        let other = before.legal_moves().into_iter().find(takes_back)?;
        Man::at(before.board(), other.from()?)
    };
    match statement.only.then(other).flatten() {
        Some(other) => Truth::no(format!("{} can take back, too.", the_up(other))),
        None => Truth::yes("It takes back."),
    }
}

/// Men of one sort leave the board on both sides along the line, or the move offers that.
fn trades(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let role = statement
        .object()
        .and_then(|object| object.role)
        .or_else(|| statement.subject.and_then(|subject| subject.role));
    let fits = |man: Man| role.is_none_or(|role| role == man.role || similar(role, man.role));
    let mut taken: Vec<Man> = Vec::new();
    for (pos, m) in &scene.trail {
        taken.extend(captured(pos.board(), *m));
    }
    let elsewhere = |man: &&Man| !statement.squares.contains(&man.square);
    let meant: Vec<&Man> = taken.iter().filter(|man| fits(**man)).collect();
    if let Some(man) = meant
        .last()
        .filter(|_| !statement.squares.is_empty() && meant.iter().all(elsewhere))
    {
        return Ok(Truth::no(format!("{} is taken.", the_up(**man))));
    }
    let by = |color: Color| taken.iter().filter(|man| man.color == color && fits(**man)).count();
    let pairs = by(Color::White).min(by(Color::Black));
    if pairs > 0 {
        // "both pairs of rooks": so many go on each side.
        let said = statement
            .number
            .and_then(|number| usize::try_from(number).ok())
            .unwrap_or(1);
        let reason = match pairs {
            1 => "One such man is taken on each side.".to_owned(),
            pairs => format!("{pairs} such men are taken on each side."),
        };
        return Ok(Truth::of(pairs >= said, || reason.clone(), || reason.clone()));
    }
    let (before, m, after) = scene.deed();
    // Taken, and can be taken back.
    if let Some(last) = captured(before.board(), m).filter(|man| fits(*man)) {
        let back = after
            .legal_moves()
            .into_iter()
            .any(|reply| reply.is_capture() && reply.to() == m.to());
        if back {
            return Ok(Truth::yes(format!(
                "The move takes {} and can be taken back.",
                the(last)
            )));
        }
    }
    // Offered: the moved man faces its like.
    let to = destination(m);
    if let Some(man) = Man::at(after.board(), to).filter(|man| fits(*man)) {
        let faces = after.board().attacks_from(to) & after.board().by_color(man.color.other());
        if Man::all(after.board(), faces)
            .into_iter()
            .any(|other| similar(man.role, other.role))
        {
            return Ok(Truth::yes(format!("{} faces its like.", the_up(man))));
        }
    }
    let both =
        |color: Color| role.is_none_or(|role| (before.board().by_color(color) & before.board().by_role(role)).any());
    if role.is_some() && !(both(Color::White) && both(Color::Black)) {
        return Ok(Truth::no("One of the sides has no such man."));
    }
    let reason = "No such exchange is in the moves that are named.";
    Ok(if scene.named >= WHOLE_LINE {
        Truth::no(reason)
    } else {
        Truth::unknown(reason)
    })
}

fn similar(a: Role, b: Role) -> bool {
    let minor = |role: Role| matches!(role, Role::Knight | Role::Bishop);
    a == b || minor(a) && minor(b)
}

fn castles(statement: &Statement, scene: &Scene<'_>) -> Truth {
    let color = scene.side_of(statement);
    let wing = statement.qualifier.and_then(|qualifier| qualifier.wing());
    let (before, m, _) = scene.deed();
    let by_move = m
        .castling_side()
        .is_some_and(|side| wing.is_none_or(|wing| wing == side))
        && before.turn() == color;
    let own = scene.own_moves().iter().any(|(pos, m)| {
        pos.turn() == color
            && m.castling_side()
                .is_some_and(|side| wing.is_none_or(|wing| wing == side))
    });
    if by_move || own {
        return Truth::yes(format!("{} castles.", color_name(color)));
    }
    let another_wing = scene
        .own_moves()
        .iter()
        .find_map(|(pos, m)| m.castling_side().filter(|_| pos.turn() == color));
    if let Some(wing) = another_wing {
        let reason = match wing {
            CastlingSide::KingSide => "kingside",
            CastlingSide::QueenSide => "queenside",
        };
        return Truth::no(format!("{} castles {reason}.", color_name(color)));
    }
    // "has castled": where its king may have come by castling, nobody knows.
    let aside = scene
        .board()
        .king_of(color)
        .is_some_and(|king| king.rank() == color.backrank() && !matches!(king.file(), File::D | File::E));
    let castles = scene.pos.castles();
    let may = aside && !castles.has(color, CastlingSide::KingSide) && !castles.has(color, CastlingSide::QueenSide);
    if may {
        Truth::unknown("It may have castled earlier.")
    } else {
        Truth::no("The move does not castle.")
    }
}

fn promotes(statement: &Statement, scene: &Scene<'_>) -> Truth {
    let role = statement
        .object()
        .and_then(|object| object.role)
        .filter(|role| *role != Role::Pawn);
    let found = scene
        .own_moves()
        .iter()
        .filter(|(_, m)| statement.squares.is_empty() || statement.squares.contains(&m.to()))
        .find_map(|(_, m)| m.promotion().filter(|into| role.is_none_or(|role| role == *into)));
    Truth::of(
        found.is_some(),
        || "The pawn promotes.".to_owned(),
        || "No such pawn promotes.".to_owned(),
    )
}

fn develops(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let Some((from, to)) = scene.moved() else {
        return Ok(Truth::unknown("No man moves."));
    };
    let subject = statement.subject.unwrap_or_default();
    if !(subject.fits(from) || subject.fits(to)) {
        if subject.is_side() {
            return unnamed("the piece");
        }
        return Err(Absent::Never(format!("It is {} that moves.", the(from))));
    }
    let minor = matches!(from.role, Role::Knight | Role::Bishop);
    Ok(match (is_home(from), minor) {
        (true, true) => Truth::yes(format!("{} leaves its home square.", the_up(from))),
        (false, true) => Truth::no(format!("{} had left its home square.", the_up(from))),
        _ => Truth::unknown("Development is said of knights and bishops."),
    })
}

fn in_check(statement: &Statement, scene: &Scene<'_>) -> Truth {
    let side = statement.of_side().unwrap_or_else(|| scene.pos.turn());
    if side != scene.pos.turn() {
        return Truth::no(format!("It is not {}'s turn.", color_name(side)));
    }
    let holds = scene.pos.is_check();
    Truth::of(
        holds,
        || format!("{}'s king is in check.", color_name(side)),
        || format!("{}'s king is not in check.", color_name(side)),
    )
}
