//! Pawn structure, files and the king's shield.

use shakmaty::{Bitboard, Board, Position, Role};

use super::found::{Facts, Found};
use crate::{
    chess::{
        Man, Played,
        pawns::{self, Openness},
        shelter::shelter,
    },
    commentary::fact::{Change, Detail, Moment},
};

pub(super) fn structure(played: &Played) -> Vec<Found> {
    let mut facts = Facts::default();
    let (before, after) = (played.before.board(), played.after.board());
    for side in [played.mover(), played.mover().other()] {
        type Find = fn(&Board, shakmaty::Color) -> Bitboard;
        type Make = fn(Man, Change) -> Detail;
        let features: [(Find, Make); 3] = [
            (pawns::passed, |pawn, change| Detail::Passed { pawn, change }),
            (pawns::isolated, |pawn, change| Detail::Isolated { pawn, change }),
            (pawns::backward, |pawn, change| Detail::Backward { pawn, change }),
        ];
        for (find, make) in features {
            let (old, new) = (find(before, side), find(after, side));
            for pawn in Man::all(after, new) {
                // The pawn that moved is the same pawn.
                let was = if pawn.square == played.mv.to() {
                    played.mv.from().unwrap_or(pawn.square)
                } else {
                    pawn.square
                };
                let change = if old.contains(was) { Change::Kept } else { Change::New };
                facts.add(Moment::After, make(pawn, change));
            }
            for pawn in Man::all(before, old) {
                let now = if played.mv.from() == Some(pawn.square) {
                    played.mv.to()
                } else {
                    pawn.square
                };
                let still = Man::at(after, now).is_some_and(|man| man.color == side && man.role == Role::Pawn);
                if still && !new.contains(now) {
                    facts.add(Moment::Before, make(pawn, Change::Gone));
                }
            }
        }
        for file in shakmaty::File::ALL {
            let on = |board: &Board, all: Bitboard| Man::all(board, all & Bitboard::from_file(file));
            let (old, new) = (
                on(before, pawns::doubled(before, side)),
                on(after, pawns::doubled(after, side)),
            );
            if !new.is_empty() {
                let change = if new.len() > old.len() {
                    Change::New
                } else {
                    Change::Kept
                };
                facts.add(Moment::After, Detail::Doubled { pawns: new, change });
            } else if !old.is_empty() {
                facts.add(
                    Moment::Before,
                    Detail::Doubled {
                        pawns: old,
                        change: Change::Gone,
                    },
                );
            }
        }
        for man in Man::all(after, after.rooks_and_queens() & after.by_color(side)) {
            let now = pawns::openness(after, man.square.file(), side);
            if now == Openness::Closed || (man.role == Role::Queen && now == Openness::HalfOpen) {
                continue;
            }
            // A rook that moves along its file has not come to it.
            let along = played.mv.to() == man.square
                && !played.mv.is_castle()
                && played.mv.from().is_some_and(|from| from.file() == man.square.file());
            let stood = before.piece_at(man.square) == after.piece_at(man.square);
            let was = pawns::openness(before, man.square.file(), side);
            let change = if along || (stood && was == now) {
                Change::Kept
            } else {
                Change::New
            };
            facts.add(
                Moment::After,
                Detail::File {
                    man,
                    open: now == Openness::Open,
                    change,
                },
            );
        }
        let (was, is) = (shelter(before, side), shelter(after, side));
        if let Some(is) = is {
            let old = was.map_or(Bitboard::EMPTY, |s| s.shield);
            let same_king = was.is_some_and(|was| was.king == is.king);
            let lost = if same_king { old & !is.shield } else { Bitboard::EMPTY };
            let gained = if same_king { is.shield & !old } else { Bitboard::EMPTY };
            if let Some(king) = Man::at(after, is.king) {
                facts.add(
                    Moment::After,
                    Detail::Shelter {
                        king,
                        shield: is.shield.into_iter().collect(),
                        lost: lost.into_iter().collect(),
                        gained: gained.into_iter().collect(),
                    },
                );
            }
        }
    }
    facts.into_vec()
}
