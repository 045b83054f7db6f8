//! Material: counted on the board, won and lost along lines.

use shakmaty::{Bitboard, Chess, Color, Position, Role};

use super::{
    contact::hanging_here,
    finding::{Degree, Finding, any_of, compares, the, the_up},
    scene::Scene,
};
use crate::chess::{
    Man, captured, destination, exchange,
    material::{Surplus, balance, value},
    motifs::threat::hanging,
    names::color_name,
    quiescence::Quiet,
};
use crate::commentary::claims::{
    statement::{Designation, Predicate, Statement},
    truth::Truth,
};

pub(super) fn judge(statement: &Statement, scene: &Scene<'_>) -> Finding {
    match statement.predicate {
        Predicate::Ahead => Ok(ahead(statement, scene)),
        Predicate::Level => Ok(level(statement, scene)),
        Predicate::BishopPair => Ok(bishop_pair(statement, scene)),
        Predicate::Wins => Ok(wins(statement, scene)),
        _ => gives_up(statement, scene),
    }
}

/// How many points are said: the number, or the men.
fn points(statement: &Statement) -> Option<i32> {
    // "two minor pieces": a number of men, or of points.
    if statement.objects.iter().any(|object| object.minor) {
        return None;
    }
    let men: Vec<Role> = statement.objects.iter().filter_map(|object| object.role).collect();
    if men.is_empty() || men.len() < statement.objects.len() {
        return statement.number;
    }
    // "two pawns": one object and its number.
    let each: i32 = men.iter().map(|role| value(*role)).sum();
    let times = statement
        .number
        .filter(|number| (2..9).contains(number) && men.len() == 1);
    Some(match times {
        Some(times) if men[0] == Role::Pawn => times * each,
        _ => each,
    })
}

/// Balances that words about the material here may mean, the side's view: as the men stand, and where captures have settled.
fn balances(scene: &Scene<'_>, side: Color) -> Vec<i32> {
    let mut found = vec![balance(scene.board(), side)];
    found.push(Quiet::of(&scene.pos).balance(side));
    found
}

fn ahead(statement: &Statement, scene: &Scene<'_>) -> Truth {
    let side = scene.side_of(statement);
    let balances = balances(scene, side);
    let said = points(statement);
    // "a queen more": whatever else there is.
    let Surplus { more, less, .. } = Surplus::of(scene.board(), side);
    let named: Vec<Role> = statement.objects.iter().filter_map(|object| object.role).collect();
    let among = !named.is_empty() && named.iter().all(|role| more.contains(role));
    // "A rook ahead", with a bishop more that is not named and nothing less, is not so; pawns are passed over.
    let mut unnamed = more.clone();
    for role in &named {
        if let Some(at) = unnamed.iter().position(|other| other == role) {
            unnamed.remove(at);
        }
    }
    let is_piece = |role: &Role| *role != Role::Pawn;
    let passes_over_piece = unnamed.iter().any(is_piece) && !less.iter().any(is_piece);
    let pawns = |color: Color| i32::try_from(scene.board().by_piece(color.pawn()).count()).unwrap_or(0);
    // "A piece and a pawn up": the side has more pieces, and more pawns.
    let pieces = |roles: &[Role]| roles.iter().filter(|role| is_piece(role)).count();
    let kinds = statement.objects.iter().filter(|object| object.role.is_none());
    let says_piece = kinds.into_iter().any(|object| object.minor || object.piece);
    let no_piece = says_piece && pieces(&more) <= pieces(&less);
    let count = |roles: &[Role]| roles.iter().filter(|role| **role == Role::Pawn).count();
    let settled = balances.iter().all(|other| *other == balances[0]);
    let other_pawns =
        says_piece && count(&named) > 0 && (count(&more) == 0 || settled && count(&more) != count(&named));
    // "A rook and two pawns up", where it is a rook and one.
    let wrong_in_pawns = settled
        && statement.qualifier.is_none()
        && less.is_empty()
        && count(&named) > 0
        && count(&named) != count(&more)
        && pieces(&named) == pieces(&more)
        && !unnamed.iter().any(is_piece);
    let pawns_ahead =
        (!named.is_empty() && named.iter().all(|role| *role == Role::Pawn)).then(|| pawns(side) - pawns(side.other()));
    any_of(balances.into_iter().map(|balance| {
        let reason = match balance {
            0 => "Material is level.".to_owned(),
            1.. => points_ahead(side, balance),
            _ => points_ahead(side.other(), -balance),
        };
        let degree = match said {
            Some(_) if wrong_in_pawns => Degree::No,
            Some(said) if statement.qualifier.is_some() => compares(balance, said, statement.qualifier, 1),
            Some(said) => Degree::or_open(
                balance == said,
                among && !passes_over_piece && (balance - said).abs() <= 3
                    || balance > 0 && (balance - said).abs() == 1 && said > 3
                    // "in pawns he is one to the good": of pawns alone.
                    || pawns_ahead == Some(said),
            ),
            None if other_pawns => Degree::No,
            // Captures that are under way may win one.
            None if no_piece => Degree::or_open(false, balance >= value(Role::Knight)),
            None => Degree::of(balance > 0),
        };
        (degree, reason)
    }))
}

fn points_ahead(side: Color, points: i32) -> String {
    let unit = if points == 1 { "point" } else { "points" };
    format!("{} is {points} {unit} ahead.", color_name(side))
}

fn level(statement: &Statement, scene: &Scene<'_>) -> Truth {
    // "pawns are even": of one kind of men.
    let mut kinds = statement.objects.iter().map(|object| object.role);
    if let Some(Some(role)) = kinds.next().filter(|first| kinds.all(|kind| kind == *first)) {
        let count = |color: Color| scene.board().by_piece(role.of(color)).count();
        let (white, black) = (count(Color::White), count(Color::Black));
        let reason = format!("White has {white}, Black {black}.");
        return any_of([(Degree::of(white == black), reason)]);
    }
    if statement.objects.iter().any(|object| object.piece || object.minor) {
        return level_in_pieces(statement, scene);
    }
    any_of(balances(scene, Color::White).into_iter().map(|balance| {
        let reason = match balance {
            0 => "Both sides have as much.".to_owned(),
            1.. => points_ahead(Color::White, balance),
            _ => points_ahead(Color::Black, -balance),
        };
        (Degree::of(balance == 0), reason)
    }))
}

/// "The pieces are level": whatever pawns there are.
fn level_in_pieces(statement: &Statement, scene: &Scene<'_>) -> Truth {
    // Both sides are compared, whosever men are named.
    let of_either = |object: &Designation| Designation { color: None, ..*object };
    let meant = |man: &Man| statement.objects.iter().any(|object| of_either(object).fits(*man));
    let men = |color: Color| {
        let own = Man::all(scene.board(), scene.board().by_color(color));
        own.into_iter().filter(meant).map(|man| value(man.role)).sum::<i32>()
    };
    let (white, black) = (men(Color::White), men(Color::Black));
    Truth::of(
        white == black,
        || "Both sides have as much in pieces.".to_owned(),
        || format!("In pieces White has {white} points, Black {black}."),
    )
}

fn bishop_pair(statement: &Statement, scene: &Scene<'_>) -> Truth {
    let side = scene.side_of(statement);
    let pair = |color: Color| {
        let bishops = scene.board().by_piece(color.bishop());
        (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & Bitboard::DARK_SQUARES).any()
    };
    let reason = if pair(side) {
        format!("{} has both bishops.", color_name(side))
    } else {
        format!("{} has not both bishops.", color_name(side))
    };
    let both = pair(side) && pair(side.other());
    any_of([(Degree::or_open(pair(side) && !both, both && !statement.only), reason)])
}

/// Gains of a side that words may mean: by the exchange on the move's square, by what the moves named change once captures
/// have settled, and along the engine's line from here, which comes to `settled`.
fn gains(scene: &Scene<'_>, side: Color, settled: Option<[i32; 2]>) -> Vec<i32> {
    let own = scene.own_moves();
    let mut found = Vec::new();
    let Some((start, _)) = own.first() else { return found };
    let from = balance(start.board(), side);
    found.push(Quiet::of(&scene.deed().2).balance(side) - from);
    // As the men stand after the moves that are named, where they are more than one.
    if own.len() > 1 {
        found.push(balance(scene.board(), side) - from);
    }
    let (before, m, _) = scene.deed();
    if before.turn() == side {
        found.push(exchange::gain(before.board(), m));
    }
    found.extend(settled.into_iter().flatten());
    found
}

/// What the engine's line from here comes to: as the men stand at its end, and where captures have settled behind that.
fn settled_gains(scene: &Scene<'_>, side: Color) -> Option<[i32; 2]> {
    let own = scene.own_moves();
    let (start, _) = own.first()?;
    let end = engine_end(scene)?;
    let from = balance(start.board(), side);
    Some([balance(end.board(), side) - from, Quiet::of(&end).balance(side) - from])
}

/// The end of the engine's line that goes on from here.
fn engine_end(scene: &Scene<'_>) -> Option<Chess> {
    let evaluation = scene.evaluation()?;
    let played = scene.played();
    let way: Vec<_> = scene.trail.iter().map(|(_, m)| m.to_uci(played.mode)).collect();
    let after = evaluation.after.iter().map(|line| (&played.after, line, 1));
    let before = evaluation.before.iter().map(|line| (&played.before, line, 0));
    let own = way.first().is_none_or(|first| *first == played.uci());
    let (start, line, _) = after.chain(before).find(|(_, line, skip)| {
        if *skip == 1 {
            own && line.moves.starts_with(way.get(1..).unwrap_or_default())
        } else {
            !way.is_empty() && line.moves.starts_with(&way)
        }
    })?;
    let mut pos = start.clone();
    for uci in &line.moves {
        let Ok(m) = uci.to_move(&pos) else { break };
        pos.play_unchecked(m); // legal: to_move looks for it among the legal ones
    }
    Some(pos)
}

fn wins(statement: &Statement, scene: &Scene<'_>) -> Truth {
    let side = scene.side_of(statement);
    let said = points(statement);
    let settled = settled_gains(scene, side);
    let gains = gains(scene, side, settled);
    let most = gains.iter().max().copied().unwrap_or(0);
    let reason = format!("Where captures have settled, {} has gained {most}.", color_name(side));
    // A man that hangs after the move is won, too, if nothing is done about it.
    let hangs = statement.objects.iter().any(|object| {
        let men = object.men(scene.board());
        men.iter()
            .any(|man| man.color != side && hanging_here(scene, *man).0 == Degree::Yes)
    });
    let captures: Vec<Man> = scene
        .own_moves()
        .iter()
        .filter(|(pos, _)| pos.turn() == side)
        .filter_map(|(pos, m)| captured(pos.board(), *m))
        .collect();
    let fits = |man: &Man| statement.objects.iter().any(|object| object.fits(*man));
    let taken = captures.iter().any(fits);
    // "Qxg1, winning a bishop", where a rook stood there.
    let is_named = !statement.objects.is_empty() && statement.objects.iter().all(|object| object.role.is_some());
    let takes_another = is_named && !taken && captures.iter().any(|man| man.role != Role::Pawn);
    // "leaves Black a knight and a rook poorer", where knight and bishop have gone along the line.
    let is_lost = |object: &Designation| captures.iter().any(|man| object.fits(*man));
    let others_are = is_named
        && scene.named >= 3
        && captures.len() >= statement.objects.len()
        && !statement.objects.iter().all(is_lost)
        && !hangs;
    let degree = match said {
        Some(said) if others_are => Degree::or_open(false, gains.contains(&said)),
        // Where the engine's line comes to something else, one of the two is not what is meant.
        Some(said) if gains.contains(&said) => {
            Degree::or_open(settled.iter().flatten().all(|gain| *gain == said), true)
        }
        Some(said) if most <= 0 && !hangs => Degree::or_open(false, said <= 0),
        Some(_) if takes_another => Degree::or_open(false, hangs),
        Some(said) => Degree::or_open(false, hangs || taken || most > said || (most - said).abs() <= 1),
        None if most > 0 => Degree::Yes,
        None => Degree::or_open(false, hangs),
    };
    any_of([(degree, reason)])
}

/// The move leaves a man to be taken, or takes something cheaper than what it loses.
fn gives_up(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let (before, m, after) = scene.deed();
    let mover = before.turn();
    let side = statement.of_side().unwrap_or(mover);
    if let Some(lost) = lost_along(statement, scene, side) {
        return Ok(lost);
    }
    if side != mover {
        return Ok(Truth::unknown("It is another side's move."));
    }
    let loss = -exchange::gain(before.board(), m);
    let left: Vec<_> = hanging(&after, side)
        .into_iter()
        .filter(|hanging| {
            statement.objects.is_empty() || statement.objects.iter().any(|object| object.fits(hanging.target))
        })
        .collect();
    let own = Man::at(after.board(), destination(m));
    let before_hanging = hanging(before, side);
    let hung = |man: Man| before_hanging.iter().any(|hanging| hanging.target == man);
    Ok(if loss > 0 {
        Truth::yes(format!("The exchange on {} loses {loss}.", destination(m)))
    } else if let Some(hanging) = left.iter().find(|hanging| !hung(hanging.target)) {
        Truth::yes(format!("{} can be taken.", the_up(hanging.target)))
    } else if let Some(hanging) = left.first() {
        Truth::unknown(format!("{} could be taken before, too.", the_up(hanging.target)))
    } else if engine_loss(scene, side) {
        Truth::unknown("Along the engine's line something is lost.")
    } else {
        Truth::no(match own {
            Some(man) => format!("Neither {} nor anything else can be taken with gain.", the(man)),
            None => "Nothing can be taken with gain.".to_owned(),
        })
    })
}

/// What is meant is taken along the moves that are named, and the side has less after them.
fn lost_along(statement: &Statement, scene: &Scene<'_>, side: Color) -> Option<Truth> {
    let own = scene.own_moves();
    let meant = |man: Man| {
        man.color == side && (statement.objects.is_empty() || statement.objects.iter().any(|object| object.fits(man)))
    };
    let mut lost: Vec<Man> = own
        .iter()
        .filter_map(|(pos, m)| captured(pos.board(), *m))
        .filter(|man| man.color == side)
        .collect();
    let taken = lost.iter().copied().find(|man| meant(*man));
    // "parts with two knights", where one is taken along the line.
    let several = statement.objects.len() > 1 && scene.named > 1;
    let missing = statement.objects.iter().any(|object| {
        let found = lost.iter().position(|man| object.fits(*man));
        found.map(|at| lost.swap_remove(at)).is_none()
    });
    if missing && several {
        return Some(Truth::no("Along the moves that are named other men are taken."));
    }
    let taken = taken?;
    let less = balance(own[0].0.board(), side) - balance(scene.board(), side);
    (less > 0).then(|| Truth::yes(format!("{} is taken, and the line costs {less}.", the_up(taken))))
}

fn engine_loss(scene: &Scene<'_>, side: Color) -> bool {
    let (before, ..) = scene.deed();
    engine_end(scene).is_some_and(|end| Quiet::of(&end).balance(side) < balance(before.board(), side))
}
