//! Pawns, files, outposts.

use shakmaty::{Bitboard, Color, File, Rank, Role, attacks};

use super::{
    finding::{Absent, Degree, Finding, any_of, counts, the, the_up, unnamed},
    scene::Scene,
};
use crate::chess::{
    Man,
    names::color_name,
    pawns::{self, Openness, openness, outpost},
};
use crate::commentary::claims::{
    statement::{Predicate, Qualifier, Statement},
    truth::Truth,
};

pub(super) fn judge(statement: &Statement, scene: &Scene<'_>) -> Finding {
    match statement.predicate {
        Predicate::Majority => majority(statement, scene),
        Predicate::PawnIslands => islands(statement, scene),
        Predicate::OpenFile | Predicate::HalfOpenFile => file(statement, scene),
        Predicate::Outpost => on_outpost(statement, scene),
        Predicate::Connected => connected(statement, scene),
        _ => pawn(statement, scene),
    }
}

/// Pawns side by side, or one protecting the other.
fn connected(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let Some(mut subject) = statement.subject else {
        return unnamed("pawns");
    };
    subject.role = Some(Role::Pawn);
    let men = scene.men(&subject)?;
    let own = |man: Man| Man::all(scene.board(), scene.board().by_piece(man.color.pawn()));
    Ok(any_of(men.into_iter().map(|man| {
        let beside = own(man)
            .into_iter()
            .filter(|other| u32::from(other.square.file()).abs_diff(u32::from(man.square.file())) == 1);
        let ranks = beside.map(|other| u32::from(other.square.rank()).abs_diff(u32::from(man.square.rank())));
        let nearest = ranks.min();
        let reason = match nearest {
            Some(_) => format!("{} has a pawn on a neighbouring file.", the_up(man)),
            None => format!("{} has no pawn on a neighbouring file.", the_up(man)),
        };
        (
            Degree::or_open(nearest.is_some_and(|ranks| ranks <= 1), nearest.is_some()),
            reason,
        )
    })))
}

fn pawn(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let Some(mut subject) = statement.subject.or_else(|| statement.object()) else {
        return unnamed("a pawn");
    };
    subject.role = subject.role.or(Some(Role::Pawn));
    subject.color = subject.color.or(statement.side);
    let board = scene.board();
    // "a passed d-pawn".
    let on_file = |man: &Man| statement.file.is_none_or(|file| file == man.square.file());
    let men = match scene.men(&subject) {
        // "doubled e-pawns" are not there where the e-pawn has left its file.
        Err(Absent::Elsewhere(reason)) if subject.square.is_none() => return Ok(Truth::no(reason)),
        men => men?,
    };
    let men: Vec<Man> = men.into_iter().filter(on_file).collect();
    let (word, of): (_, fn(&shakmaty::Board, Color) -> Bitboard) = match statement.predicate {
        Predicate::Passed => ("passed", pawns::passed),
        Predicate::Isolated => ("isolated", pawns::isolated),
        Predicate::Doubled => ("doubled", pawns::doubled),
        _ => ("backward", pawns::backward),
    };
    if men.is_empty() {
        return Ok(Truth::no("There is no such pawn."));
    }
    if let Some(number) = statement.number.filter(|number| *number > 1) {
        let count = men
            .iter()
            .filter(|man| of(board, man.color).contains(man.square))
            .count();
        let told = |count: usize| {
            let degree = counts(count, number, statement.qualifier);
            (degree, format!("{count} of them are {word}."))
        };
        // "two sets of doubled pawns": of four.
        let sets = (statement.predicate == Predicate::Doubled).then(|| {
            let files = File::ALL
                .into_iter()
                .filter(|file| men.iter().filter(|man| man.square.file() == *file).count() > 1);
            told(files.count())
        });
        return Ok(any_of([told(count)].into_iter().chain(sets)));
    }
    // "the only passed pawn": no other of its side is one.
    let colors = Color::ALL
        .into_iter()
        .filter(|color| subject.color.is_none_or(|own| own == *color));
    let others = colors.flat_map(|color| Man::all(board, of(board, color)));
    let another = others.filter(|_| statement.only).find(|man| !men.contains(man));
    if let Some(another) = another {
        return Ok(Truth::no(format!("{} is {word}, too.", the_up(another))));
    }
    Ok(any_of(men.into_iter().map(|man| {
        let holds = of(board, man.color).contains(man.square);
        // Backward is a word with many definitions: only pawns with a neighbour beside or behind them are surely not.
        let may = statement.predicate == Predicate::Backward && !has_support(scene, man);
        let not = if holds { "" } else { "not " };
        (Degree::or_open(holds, may), format!("{} is {not}{word}.", the_up(man)))
    })))
}

/// A pawn of its side on a neighbouring file, beside or behind it.
fn has_support(scene: &Scene<'_>, man: Man) -> bool {
    let own = scene.board().by_piece(man.color.pawn());
    own.into_iter().any(|square| {
        let files = u32::from(square.file()).abs_diff(u32::from(man.square.file()));
        files == 1 && man.color.relative_rank(square.rank()) <= man.color.relative_rank(man.square.rank())
    })
}

fn majority(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let Some(kingside) = statement.qualifier.map(|qualifier| qualifier == Qualifier::Kingside) else {
        return unnamed("a wing");
    };
    let side = scene.side_of(statement);
    let count = |color: Color, files: &[File]| {
        let pawns = scene.board().by_piece(color.pawn());
        files
            .iter()
            .map(|file| (pawns & Bitboard::from_file(*file)).count())
            .sum::<usize>()
    };
    // Whether the middle files belong to a wing is a matter of taste.
    let (wide, narrow): (&[File], &[File]) = if kingside {
        (&[File::E, File::F, File::G, File::H], &[File::F, File::G, File::H])
    } else {
        (&[File::A, File::B, File::C, File::D], &[File::A, File::B, File::C])
    };
    let more = |files: &[File]| count(side, files) > count(side.other(), files);
    let reason = format!(
        "{} has {} pawns there against {}.",
        color_name(side),
        count(side, wide),
        count(side.other(), wide)
    );
    let (wide, narrow) = (more(wide), more(narrow));
    Ok(any_of([(Degree::or_open(wide && narrow, wide || narrow), reason)]))
}

/// Groups of a side's pawns on neighbouring files.
fn islands(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let Some(number) = statement.number else {
        return unnamed("a number of pawn islands");
    };
    let pawns = scene.board().by_piece(scene.side_of(statement).pawn());
    let held = File::ALL.map(|file| (pawns & Bitboard::from_file(file)).any());
    let islands = held
        .chunk_by(|one, other| one == other)
        .filter(|group| group[0])
        .count();
    let reason = format!("Pawn islands: {islands}.");
    Ok(any_of([(counts(islands, number, statement.qualifier), reason)]))
}

fn file(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let named = statement.squares.first().map(|square| square.file());
    let Some(file) = statement.file.or(named) else {
        return unnamed("a file");
    };
    let board = scene.board();
    let side = scene.side_of(statement);
    let letter = file.char();
    let half = |color: Color| openness(board, file, color) == Openness::HalfOpen;
    let open = openness(board, file, side) == Openness::Open;
    let wanted = if statement.predicate == Predicate::OpenFile {
        Openness::Open
    } else {
        Openness::HalfOpen
    };
    let another = File::ALL
        .into_iter()
        .filter(|other| *other != file && statement.only)
        .find(|other| openness(board, *other, side) == wanted);
    if let Some(another) = another {
        return Ok(Truth::no(format!("So is the {}-file.", another.char())));
    }
    if statement.predicate == Predicate::OpenFile {
        let (yes, no) = (
            || format!("No pawn stands on the {letter}-file."),
            || format!("A pawn stands on the {letter}-file."),
        );
        return Ok(Truth::of(open, yes, no));
    }
    // A half-open file is some side's: where none is named either will do.
    let holds = match statement.of_side() {
        Some(side) => half(side),
        None => half(Color::White) || half(Color::Black),
    };
    let reason = if open {
        format!("No pawn stands on the {letter}-file.")
    } else if holds {
        format!("Only the other side has a pawn on the {letter}-file.")
    } else {
        format!("The {letter}-file is not half-open.")
    };
    Ok(Truth::of(holds, || reason.clone(), || reason.clone()))
}

fn on_outpost(statement: &Statement, scene: &Scene<'_>) -> Finding {
    let Some(subject) = statement.subject else {
        return unnamed("a piece");
    };
    let board = scene.board();
    let men = scene.men(&subject)?;
    Ok(any_of(men.into_iter().map(|man| {
        let enemy = board.by_piece(man.color.other().pawn());
        let driven = (attacks::pawn_attacks(man.color, man.square) & enemy).any();
        let holds = outpost(board, man);
        let home = man.color.relative_rank(man.square.rank()) < Rank::Fourth;
        let reason = if driven {
            format!("A pawn attacks {}.", the(man))
        } else if home {
            format!("{} stands in its own camp.", the_up(man))
        } else if holds {
            format!("{} is protected by a pawn, and no pawn can drive it away.", the_up(man))
        } else {
            format!("Whether {} stands on an outpost is a matter of taste.", the(man))
        };
        (Degree::or_open(holds, !driven && !home), reason)
    })))
}
