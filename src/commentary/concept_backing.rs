//! Which changes of concepts the board bears out. A concept's score moves with everything on the board; what is said of it
//! must be seen there, last beyond the reply, and be about men that stay.

use shakmaty::{Board, Chess, Color, Position, Role, Square, attacks};

use super::{
    FactSheet, Phase,
    fact::{Change, Detail},
};
use crate::{
    chess::{Man, destination, pawns},
    concepts::{Concept, concept::Term},
};

/// Plies of the expected line, the move counted, over which a change must last.
const LASTS: usize = 4;
/// Squares that a side's pieces must gain or lose for a word about their room.
const ROOM: i32 = 5;
/// The same for one piece that has moved.
const PLACED: i32 = 3;
/// Attacks on the squares around a king that must come or go for a word about its safety.
const ATTACKS: i32 = 2;

/// What a move does to a concept in the favour of `helped`, to follow the move's name, where the board and the expected line
/// bear it out.
#[must_use]
pub fn backed_effect(sheet: &FactSheet, concept: Concept, helped: Color) -> Option<String> {
    let played = sheet.played();
    let color = concept.side?;
    let up = color == helped;
    let before = played.before.board();
    let after = played.after.board();
    let later = later(sheet);
    let whose = match color {
        Color::White => "White's",
        Color::Black => "Black's",
    };
    // All that is said must be so after the move and still be so later in the line.
    let lasting = |measure: &dyn Fn(&Board) -> i32, least: i32| {
        let was = measure(before);
        [after, later.board()].into_iter().all(|board| {
            let by = measure(board) - was;
            if up { by >= least } else { by <= -least }
        })
    };
    match concept.term {
        Term::KingSafety => {
            let enemy = color.other();
            // Without a queen and something beside it no king is in danger.
            let attackers = |board: &Board| {
                board.by_piece(enemy.queen()).any() && (board.by_color(enemy) & !board.pawns()).count() >= 4
            };
            let danger = |board: &Board| -bearing_on_king(board, color);
            let shield = sheet.facts().iter().any(|fact| match &fact.detail {
                Detail::Shelter { king, lost, gained, .. } if king.color == color => {
                    if up {
                        gained.len() > lost.len()
                    } else {
                        super::salience::bares(lost, gained)
                    }
                }
                _ => false,
            });
            (Phase::of(after) != Phase::Endgame
                && !played.mv.is_promotion()
                && attackers(after)
                && attackers(later.board()))
            .then_some(())
            .filter(|()| shield || lasting(&danger, ATTACKS))
            .map(|()| format!("makes {whose} king {}", if up { "safer" } else { "less safe" }))
        }
        // What the facts say of single pieces is better than a sum over all; and in the opening every move makes room.
        Term::Mobility if Phase::of(after) == Phase::Opening || says_room(sheet) => None,
        Term::Mobility => lasting(&|board| room(board, color), ROOM).then(|| {
            if up {
                format!("gives {whose} pieces more room")
            } else {
                format!("restricts {whose} pieces")
            }
        }),
        Term::PassedPawns => {
            let passed = |board: &Board| pawns::passed(board, color);
            if !up {
                // A man of ours now stands before it, and stays.
                let stop = passed(after).into_iter().find_map(|pawn| {
                    let step = pawn.offset(color.fold_wb(8, -8))?;
                    let ours = |board: &Board| board.color_at(step) == Some(color.other());
                    (!ours(before) && ours(after) && ours(later.board())).then_some(pawn)
                })?;
                return Some(format!("blocks {whose} passed pawn on {stop}"));
            }
            let advanced = played.mv.role() == Role::Pawn
                && played.mover() == color
                && passed(after).contains(played.mv.to())
                && played.mv.from().is_some_and(|from| passed(before).contains(from))
                && later.board().by_color(color).contains(played.mv.to());
            advanced.then(|| format!("advances {whose} passed pawn"))
        }
        Term::Knights => placed(sheet, &later, color, Role::Knight, up),
        Term::Bishops => placed(sheet, &later, color, Role::Bishop, up),
        Term::Rooks => placed(sheet, &later, color, Role::Rook, up),
        Term::Queens => placed(sheet, &later, color, Role::Queen, up),
        // What they say, the facts of threats, space, pawns and material say better.
        Term::Threats | Term::Space | Term::Pawns | Term::Material | Term::Imbalance => None,
    }
}

/// Whether what was said of the move is what a change of the concept would be put down to: said again, it would be heard twice.
#[must_use]
pub fn is_said(concept: Concept, said: &Detail) -> bool {
    let man = |man: &Man, role: Role| Some(man.color) == concept.side && man.role == role;
    let role = match concept.term {
        Term::PassedPawns => {
            return matches!(said, Detail::Passed { pawn, .. } if man(pawn, Role::Pawn));
        }
        Term::KingSafety => return matches!(said, Detail::Shelter { king, .. } if man(king, Role::King)),
        Term::Knights => Role::Knight,
        Term::Bishops => Role::Bishop,
        Term::Rooks => Role::Rook,
        Term::Queens => Role::Queen,
        _ => return false,
    };
    matches!(
        said,
        Detail::Activity { man: on, .. }
            | Detail::Development { man: on, .. }
            | Detail::File { man: on, .. }
            | Detail::FileOpened { man: on, .. }
            | Detail::Outpost { man: on }
            | Detail::Retreat { man: on, .. } if man(on, role)
    )
}

/// Whether a fact of the sheet speaks of room already.
fn says_room(sheet: &FactSheet) -> bool {
    sheet.facts().iter().any(|fact| {
        matches!(
            fact.detail,
            Detail::Activity { .. } | Detail::FileOpened { .. } | Detail::Space { .. } | Detail::Castling { .. }
        )
    })
}

/// The position a few plies on in the expected line.
fn later(sheet: &FactSheet) -> Chess {
    let played = sheet.played();
    let mut at = played.after.clone();
    let line = sheet.evaluation().and_then(|evaluation| evaluation.after.first());
    for uci in line.into_iter().flat_map(|line| &line.moves).take(LASTS - 1) {
        let Ok(m) = uci.to_move(&at) else { break };
        at.play_unchecked(m);
    }
    at
}

/// The piece that moved stands better where it is, and stays there or goes on.
fn placed(sheet: &FactSheet, later: &Chess, color: Color, role: Role, up: bool) -> Option<String> {
    let played = sheet.played();
    let to = destination(played.mv);
    let man = Man::at(played.after.board(), to)?;
    let from = played.mv.from()?;
    let stays = |square: Square| later.board().piece_at(square) == played.after.board().piece_at(square);
    let mentioned = sheet.facts().iter().any(|fact| {
        matches!(
            &fact.detail,
            Detail::Activity { moved: true, .. }
                | Detail::Development { .. }
                | Detail::Outpost { .. }
                | Detail::Retreat { .. }
        ) || matches!(&fact.detail, Detail::File { man: on, change: Change::New, .. } if on.square == to)
    });
    let reach = |board: &Board, square: Square| squares(board.attacks_from(square).count());
    let better = reach(played.after.board(), to) - reach(played.before.board(), from);
    (up && man.role == role
        && man.color == color
        && !mentioned
        && !played.mv.is_capture()
        && stays(to)
        && better >= PLACED)
        .then(|| format!("puts the {} on a better square", crate::chess::names::role_name(role)))
}

fn squares(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// Squares that a side's pieces attack, own men and enemy pawns' squares left out.
fn room(board: &Board, color: Color) -> i32 {
    let guarded = board
        .by_piece(color.other().pawn())
        .into_iter()
        .fold(shakmaty::Bitboard::EMPTY, |all, pawn| {
            all | attacks::pawn_attacks(color.other(), pawn)
        });
    (board.by_color(color) & !board.pawns() & !board.kings())
        .into_iter()
        .map(|square| squares((board.attacks_from(square) & !board.by_color(color) & !guarded).count()))
        .sum()
}

/// How many of the squares around `color`'s king enemy pieces attack, each piece counted.
fn bearing_on_king(board: &Board, color: Color) -> i32 {
    let Some(king) = board.king_of(color) else { return 0 };
    let ring = attacks::king_attacks(king).with(king);
    (board.by_color(color.other()) & !board.pawns() & !board.kings())
        .into_iter()
        .map(|square| squares((board.attacks_from(square) & ring).count()))
        .sum()
}
