//! What the move is: a capture, a check, castling, development, a retreat.

use shakmaty::{Bitboard, Board, Chess, Move, Position, Rank, Role};

use super::found::{Facts, Found};
use crate::{
    chess::{
        Man, Played, captured, destination, exchange,
        motifs::mate::{self, Pattern},
    },
    commentary::{
        Phase,
        fact::{Detail, Moment},
    },
};

pub(super) fn kind_of_move(played: &Played, facts: &mut Facts) {
    let (before, after, m) = (played.before.board(), &played.after, played.mv);
    let to = destination(m);
    let Some(man) = m.from().and_then(|from| Man::at(before, from)) else {
        return;
    };
    facts.add(
        Moment::Move,
        Detail::Move {
            man,
            to,
            san: played.san(),
        },
    );
    if after.is_checkmate() {
        if let Some(king) = king(after, after.turn()) {
            let by = Man::all(after.board(), after.checkers());
            let pattern = mate::pattern(after);
            if pattern == Some(Pattern::BackRank)
                && let Some(&giver) = by.iter().find(|man| man.square.rank() == king.square.rank())
            {
                facts.add(
                    Moment::Move,
                    Detail::Checkmate {
                        by: by.clone(),
                        king,
                        pattern,
                    },
                );
                facts.add(Moment::Move, Detail::BackRank { king, by: giver });
            } else {
                facts.add(Moment::Move, Detail::Checkmate { by, king, pattern });
            }
        }
    } else if after.is_stalemate() {
        facts.extend(king(after, after.turn()).map(|king| Found {
            moment: Moment::Move,
            detail: Detail::Stalemate { king },
        }));
    } else if after.is_insufficient_material() {
        facts.add(Moment::Move, Detail::Draw { repetition: false });
    } else if played.history.iter().filter(|&past| past == after).count() >= 2 {
        facts.add(Moment::Move, Detail::Draw { repetition: true });
    }
    if played.before.legal_moves().len() == 1 {
        facts.add(
            Moment::Before,
            Detail::OnlyMove {
                side: man.color,
                legal: true,
            },
        );
    }
    if let Some(taken) = captured(before, m) {
        let gain = exchange::gain(before, m);
        facts.add(Moment::Move, Detail::Capture { by: man, taken, gain });
        if m.is_en_passant() {
            facts.add(Moment::Move, Detail::EnPassant { by: man, to, taken });
        }
        if let Some(last) = played.history.last()
            && retaken(last, &played.before, taken)
        {
            facts.add(Moment::Move, Detail::Recapture { by: man, taken });
        }
        if gain == 0 && taken.role != Role::Pawn && m.promotion().is_none() {
            facts.add(
                Moment::Move,
                Detail::Trade {
                    ours: man,
                    theirs: taken,
                    made: true,
                },
            );
        }
    }
    if let Some(into) = m.promotion() {
        facts.add(Moment::Move, Detail::Promotion { pawn: man, to, into });
    }
    if let Some(side) = m.castling_side() {
        facts.add(
            Moment::Move,
            Detail::Castling {
                king: man,
                to,
                short: side.is_king_side(),
            },
        );
    }
    if after.is_check()
        && let Some(king) = king(after, after.turn())
    {
        let by = Man::all(after.board(), after.checkers());
        let landed = if m.is_castle() {
            after.checkers()
        } else {
            Bitboard::from_square(to)
        };
        let discovered = (after.checkers() & !landed).any();
        facts.add(Moment::Move, Detail::Check { by, king, discovered });
    }
    if develops(before, man, m) {
        facts.add(Moment::Move, Detail::Development { man, to });
    } else if !m.is_capture()
        && !matches!(man.role, Role::Pawn | Role::King)
        && man.color.relative_rank(to.rank()) < man.color.relative_rank(man.square.rank())
    {
        facts.add(Moment::Move, Detail::Retreat { man, to });
    }
}

/// True when the opponent's last move, from `last` to `now`, was a capture by the man now taken.
fn retaken(last: &Chess, now: &Chess, taken: Man) -> bool {
    let (last, now) = (last.board(), now.board());
    let ours = taken.color.other();
    let was = Man::at(last, taken.square);
    let lost = now.by_color(ours).count() + 1 == last.by_color(ours).count();
    lost && was.is_some_and(|man| man.color == ours) && was != Some(taken)
}

/// A minor piece leaves its home square while the game is young: most pieces on the board, and it is not yet done
/// developing.
fn develops(before: &Board, man: Man, m: Move) -> bool {
    let home = man.color.relative_rank(man.square.rank()) == Rank::First;
    let homes: &[u32] = match man.role {
        Role::Knight => &[1, 6],
        Role::Bishop => &[2, 5],
        _ => return false,
    };
    home && homes.contains(&man.square.file().to_u32())
        && man.color.relative_rank(m.to().rank()) != Rank::First
        && Phase::of(before) == Phase::Opening
}

fn king(pos: &Chess, color: shakmaty::Color) -> Option<Man> {
    Man::at(pos.board(), pos.board().king_of(color)?)
}
