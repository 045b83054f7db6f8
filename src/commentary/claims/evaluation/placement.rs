//! Where men stand, whose turn it is, what phase the game is in.

use shakmaty::{CastlingSide, Color, File, Position, Rank, Role, Square, attacks};

use super::{
    finding::{Absent, Degree, Finding, any_of, counts, the, the_up, unnamed},
    scene::Scene,
};
use crate::commentary::claims::{
    statement::{Designation, Predicate, Qualifier, Statement},
    truth::Truth,
};
use crate::{
    chess::{Man, attacks::slides, names::color_name},
    commentary::phase::Phase,
};

pub(super) fn judge(statement: &Statement, scene: &Scene<'_>) -> Finding {
    match statement.predicate {
        Predicate::Stands => stands(statement, scene),
        Predicate::Empty => empty(statement, scene),
        Predicate::Count => count(statement, scene),
        Predicate::Blocks => blocks(statement, scene),
        Predicate::Undeveloped => undeveloped(statement, scene),
        Predicate::ToMove => to_move(statement, scene),
        Predicate::GamePhase => phase(statement, scene),
        _ => Ok(Truth::unknown("How safe a king is, is a matter of judgement.")),
    }
}

fn stands(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let Some(mut subject) = statement.subject else {
        return unnamed("a man");
    };
    subject.file = subject.file.or(statement.file);
    if subject.square.is_none() && statement.squares.len() > 1 {
        return on_squares(statement, subject, scene);
    }
    // "rook" with the square beside it.
    if subject.square.is_none() {
        subject.square = statement.squares.first().copied();
    }
    let men = scene.men(&subject).map_err(|absent| left(absent, &subject, scene))?;
    Ok(Truth::yes(match men[..] {
        [man] => format!("{man} it is."),
        _ => format!("{} such men stand there.", men.len()),
    }))
}

/// "The rooks stand on d1 and e1", "no pawn on e4 or e5": such men on all of the squares, or on none of them.
fn on_squares(statement: &Statement, subject: Designation, scene: &Scene<'_>) -> Finding {
    let at = |square: Square| Designation {
        square: Some(square),
        ..subject
    };
    let found: Vec<Man> = statement
        .squares
        .iter()
        .flat_map(|square| at(*square).men(scene.board()))
        .collect();
    let all = found.len() == statement.squares.len();
    Ok(match found.first() {
        Some(man) if all || statement.denied => Truth::yes(format!("{man} it is.")),
        // "on a1 or b1"
        Some(_) => Truth::unknown("Such men stand on some of these squares."),
        None if statement.denied => Truth::no("No such man stands there."),
        None => return Err(scene.absent(&at(statement.squares[0]))),
    })
}

/// "The rook lives to tell the tale", where the line that is named has taken it, or moved it: it is said of the line's end. Of a single
/// move it may be what stood there before.
fn left(absent: Absent, subject: &Designation, scene: &Scene<'_>) -> Absent {
    let moved_itself = || scene.moved().is_some_and(|(from, _)| subject.fits(from));
    match absent {
        Absent::Elsewhere(reason) if scene.named > 1 || scene.named == 1 && moved_itself() => Absent::Never(reason),
        absent => absent,
    }
}

fn empty(statement: &Statement, scene: &Scene<'_>) -> Finding {
    if statement.squares.is_empty() {
        return unnamed("a square");
    }
    let taken = statement
        .squares
        .iter()
        .find_map(|square| Man::at(scene.board(), *square));
    Ok(match taken {
        Some(man) => Truth::no(format!("{man} stands there.")),
        None => Truth::yes("Nothing stands there."),
    })
}

fn count(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let (Some(subject), Some(number)) = (statement.subject, statement.number) else {
        return unnamed("men and their number");
    };
    let mut subject = subject;
    subject.color = subject.color.or(statement.side);
    if let Some(wing) = statement.qualifier.and_then(Qualifier::wing) {
        return Ok(count_on_wing(&subject.men(scene.board()), wing, number));
    }
    let count = subject.men(scene.board()).len();
    let reason = format!("There are {count} of them.");
    let degree = counts(count, number, statement.qualifier);
    Ok(any_of([(degree, reason)]))
}

/// "Three pawns on the kingside": with the file beside the middle, or without it.
fn count_on_wing(men: &[Man], wing: CastlingSide, number: i32) -> Truth {
    let on = |file: File| match wing {
        CastlingSide::KingSide => file >= File::E,
        CastlingSide::QueenSide => file <= File::D,
    };
    let middle = |file: File| matches!(file, File::D | File::E);
    let of_wing: Vec<File> = men
        .iter()
        .map(|man| man.square.file())
        .filter(|file| on(*file))
        .collect();
    let outer = of_wing.iter().filter(|file| !middle(**file)).count();
    let reason = format!("There are {} of them there.", of_wing.len());
    Truth::of(
        [of_wing.len(), outer]
            .into_iter()
            .any(|count| counts(count, number, None) == Degree::Yes),
        || reason.clone(),
        || reason.clone(),
    )
}

fn blocks(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let (Some(subject), Some(object)) = (statement.subject, statement.object()) else {
        return unnamed("both men");
    };
    if subject.is_side() {
        // Of a side it may be said of what it could put there, too.
        return unnamed("what stands in the way");
    }
    let (blockers, blocked) = (scene.men(&subject)?, scene.men(&object)?);
    let board = scene.board();
    let pairs = blockers
        .iter()
        .flat_map(|by| blocked.iter().map(move |man| (*by, *man)));
    Ok(any_of(pairs.filter(|(by, man)| by != man).map(|(by, man)| {
        let degree = match man.role {
            Role::Pawn => {
                let ahead = crate::chess::pawns::ahead(man.square, man.color);
                let next = attacks::king_attacks(man.square).contains(by.square);
                Degree::or_open(ahead.contains(by.square) && next, ahead.contains(by.square))
            }
            // "the bishop's view of d6"
            _ if !on_the_way(man.square, by.square, &statement.squares) => Degree::No,
            role => Degree::or_open(
                slides(role, man.square, board.occupied()).contains(by.square),
                slides(role, man.square, by.square.into()).contains(by.square),
            ),
        };
        let verb = if degree == Degree::No {
            "does not stand"
        } else {
            "stands"
        };
        (degree, format!("{} {verb} in the way of {}.", the_up(by), the(man)))
    })))
}

/// Whether a man stands between another and one of the squares, or on one; where none is named, anywhere.
fn on_the_way(from: Square, by: Square, squares: &[Square]) -> bool {
    squares.is_empty()
        || squares
            .iter()
            .any(|to| *to == by || attacks::between(from, *to).contains(by))
}

fn undeveloped(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let Some(subject) = statement.subject else {
        return unnamed("a piece");
    };
    let men = scene.men(&subject).map_err(|absent| left(absent, &subject, scene))?;
    if let Some(number) = statement.number {
        let count = men.iter().filter(|man| is_home(**man)).count();
        let degree = counts(count, number, statement.qualifier);
        return Ok(any_of([(
            degree,
            format!("{count} of them stand where the game begins."),
        )]));
    }
    Ok(any_of(men.into_iter().map(|man| {
        let home = is_home(man);
        let verb = if home { "stands" } else { "does not stand" };
        // Rooks and queens at home may have come back, or have no business elsewhere.
        let minor = matches!(man.role, Role::Knight | Role::Bishop);
        (
            Degree::or_open(home && minor, home),
            format!("{} {verb} on its home square.", the_up(man)),
        )
    })))
}

/// True for a piece where the game begins.
pub(super) fn is_home(man: Man) -> bool {
    let file = man.square.file().char();
    let files = match man.role {
        Role::Rook => "ah",
        Role::Knight => "bg",
        Role::Bishop => "cf",
        Role::Queen => "d",
        Role::King => "e",
        Role::Pawn => return man.color.relative_rank(man.square.rank()) == Rank::Second,
    };
    man.color.relative_rank(man.square.rank()) == Rank::First && files.contains(file)
}

fn to_move(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let Some(side) = statement.of_side() else {
        return unnamed("a side");
    };
    let turn: Color = scene.pos.turn();
    let reason = format!("It is {}'s turn.", color_name(turn));
    Ok(Truth::of(turn == side, || reason.clone(), || reason.clone()))
}

fn phase(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let phase = Phase::of(scene.board());
    let (said, far) = match statement.qualifier {
        Some(Qualifier::Opening) => (Phase::Opening, Phase::Endgame),
        Some(Qualifier::Endgame) => (Phase::Endgame, Phase::Opening),
        Some(Qualifier::Middlegame) => {
            let reason = "Where the middlegame begins and ends is a matter of taste.";
            return Ok(Truth::of(
                phase == Phase::Middlegame,
                || "By the material left it is.".to_owned(),
                String::new,
            )
            .lenient(reason));
        }
        _ => return unnamed("a phase"),
    };
    let reason = "By the material and pieces left.";
    Ok(any_of([(
        Degree::or_open(phase == said, phase != far),
        reason.to_owned(),
    )]))
}
