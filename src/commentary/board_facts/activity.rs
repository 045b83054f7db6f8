//! What the move does for the room and the work of the pieces: lines opened and shut, space, rooks joined, the king's part.

use shakmaty::{Bitboard, Board, Color, Position, Rank, Role, Square, attacks};

use super::found::{Facts, Found};
use crate::{
    chess::{
        Man, Played, destination, exchange,
        pawns::{self, Openness},
    },
    commentary::{
        Phase,
        fact::{Detail, Moment},
    },
};

/// Squares that a piece which did not move must have gained to count as freed.
const FREED: u32 = 3;
/// Squares to which a piece must have been confined for it: what could already move about is not freed.
const CONFINED: u32 = 2;
/// Squares left to a piece that counts as shut in.
const SHUT: u32 = 1;
/// Squares that a piece which moves must gain to count as activated.
const ACTIVATED: u32 = 4;

/// Everything of this kind that the move does.
pub(super) fn activity(played: &Played) -> Vec<Found> {
    let mut facts = Facts::default();
    if played.after.legal_moves().is_empty() {
        return facts.into_vec();
    }
    let before = played.before.board();
    let moved = played.mv.from().and_then(|from| Man::at(before, from));
    rooms(played, &mut facts);
    file_opened(played, &mut facts);
    connected(played, &mut facts);
    castling_lost(played, &mut facts);
    match moved {
        Some(man) if man.role == Role::Pawn && !played.mv.is_promotion() => {
            space(played, &mut facts);
            luft(played, &mut facts);
        }
        Some(king) if king.role == Role::King => king_activity(played, king, &mut facts),
        Some(bishop) if bishop.role == Role::Bishop => bishop_pair(played, bishop, &mut facts),
        _ => {}
    }
    facts.into_vec()
}

/// The squares `man` could go to: attacked, without own men and without those that enemy pawns attack.
fn room(board: &Board, man: Man) -> u32 {
    let guarded = board
        .by_piece(man.color.other().pawn())
        .into_iter()
        .fold(Bitboard::EMPTY, |all, pawn| {
            all | attacks::pawn_attacks(man.color.other(), pawn)
        });
    let free = board.attacks_from(man.square) & !board.by_color(man.color) & !guarded;
    u32::try_from(free.count()).unwrap_or(u32::MAX)
}

fn rooms(played: &Played, facts: &mut Facts) {
    let (before, after) = (played.before.board(), played.after.board());
    let mover = played.mover();
    let to = destination(played.mv);
    let sliders = after.sliders() | after.knights();
    for man in Man::all(after, sliders) {
        let moved = man.square == to && man.color == mover;
        let stood = before.piece_at(man.square) == after.piece_at(man.square);
        let was = if moved {
            match played.mv.from().and_then(|from| Man::at(before, from)) {
                Some(was) if was.role == man.role => was,
                _ => continue,
            }
        } else if stood {
            man
        } else {
            continue;
        };
        let (old, new) = (room(before, was), room(after, man));
        let notable = if moved {
            !played.mv.is_capture() && !played.after.is_check() && new >= old + ACTIVATED
        } else if man.role == Role::Knight {
            false
        } else if man.color == mover {
            // A queen let out is no gain in itself.
            man.role != Role::Queen && (old <= CONFINED && new >= old + FREED || shut(man, old, new))
        } else {
            shut(man, old, new)
        };
        if notable {
            facts.add(
                Moment::After,
                Detail::Activity {
                    man,
                    before: old,
                    after: new,
                    moved,
                },
            );
        }
    }
}

/// A bishop that could move about and now hardly can.
fn shut(man: Man, old: u32, new: u32) -> bool {
    man.role == Role::Bishop && old >= SHUT + FREED && new <= SHUT
}

/// A rook or queen that stays where it is has its file opened.
fn file_opened(played: &Played, facts: &mut Facts) {
    let (before, after) = (played.before.board(), played.after.board());
    let mover = played.mover();
    for man in Man::all(after, after.rooks() & after.by_color(mover)) {
        if before.piece_at(man.square) != after.piece_at(man.square) {
            continue;
        }
        let file = man.square.file();
        let (was, now) = (
            pawns::openness(before, file, mover),
            pawns::openness(after, file, mover),
        );
        if was != now && now != Openness::Closed {
            facts.add(
                Moment::After,
                Detail::FileOpened {
                    man,
                    open: now == Openness::Open,
                },
            );
        }
    }
}

fn joined(board: &Board, color: Color) -> Option<[Man; 2]> {
    let rooks = Man::all(board, board.by_piece(color.rook()));
    let [a, b] = rooks[..] else { return None };
    let home = |man: Man| color.relative_rank(man.square.rank()) == Rank::First;
    (home(a) && home(b) && board.attacks_from(a.square).contains(b.square)).then_some([a, b])
}

/// The rooks on the first rank see each other for the first time.
fn connected(played: &Played, facts: &mut Facts) {
    let mover = played.mover();
    if joined(played.before.board(), mover).is_none()
        && Phase::of(played.after.board()) != Phase::Endgame
        && let Some(rooks) = joined(played.after.board(), mover)
    {
        facts.add(Moment::After, Detail::Connected { rooks });
    }
}

/// The king or the last rook that could have castled moves, and not to castle.
fn castling_lost(played: &Played, facts: &mut Facts) {
    let mover = played.mover();
    let (before, after) = (played.before.castles(), played.after.castles());
    let king = played.before.board().king_of(mover);
    if !played.mv.is_castle()
        && before.has_color(mover)
        && !after.has_color(mover)
        && Phase::of(played.after.board()) != Phase::Endgame
        && let Some(king) = king.and_then(|square| Man::at(played.before.board(), square))
    {
        facts.add(Moment::Move, Detail::CastlingLost { king });
    }
}

/// A pawn steps into the enemy's half and can stay there.
fn space(played: &Played, facts: &mut Facts) {
    let after = played.after.board();
    let Some(pawn) = Man::at(after, played.mv.to()) else {
        return;
    };
    let rank = pawn.color.relative_rank(pawn.square.rank());
    let safe = exchange::best_capture(after, pawn.color.other(), pawn.square, None).is_none_or(|e| e.gain <= 0);
    if !played.mv.is_capture()
        && (rank == Rank::Fifth || rank == Rank::Sixth)
        && safe
        && Phase::of(after) != Phase::Endgame
        && !pawns::passed(after, pawn.color).contains(pawn.square)
    {
        facts.add(Moment::After, Detail::Space { pawn });
    }
}

/// The squares off the back rank that the king could step to, as if it were its turn.
fn flights(board: &Board, king: Man) -> Bitboard {
    let occupied = board.occupied().without(king.square);
    (attacks::king_attacks(king.square) & !Bitboard::from_rank(king.square.rank()) & !board.by_color(king.color))
        .into_iter()
        .filter(|&square| board.attacks_to(square, king.color.other(), occupied).is_empty())
        .collect()
}

/// A pawn's move gives the king on its back rank its first square to flee to, with enemy rooks or queens about.
fn luft(played: &Played, facts: &mut Facts) {
    let (before, after) = (played.before.board(), played.after.board());
    let mover = played.mover();
    let Some(king) = after.king_of(mover).and_then(|square| Man::at(after, square)) else {
        return;
    };
    // In the centre a king behind its pawns has other cares.
    let castled = !matches!(king.square.file().char(), 'd' | 'e');
    let heavy = after.rooks_and_queens() & after.by_color(mover.other());
    let from: Option<Square> = played.mv.from();
    if castled
        && heavy.any()
        && king.color.relative_rank(king.square.rank()) == Rank::First
        && flights(before, king).is_empty()
        && let Some(square) = flights(after, king).into_iter().find(|&square| Some(square) == from)
    {
        facts.add(Moment::After, Detail::Luft { king, square });
    }
}

/// How many king's steps `square` is from the nearest of the four central squares.
fn from_centre(square: Square) -> u32 {
    [Square::D4, Square::E4, Square::D5, Square::E5]
        .into_iter()
        .map(|centre| square.distance(centre))
        .min()
        .unwrap_or(0)
}

/// In the endgame a king steps nearer to the centre, of its own will.
fn king_activity(played: &Played, king: Man, facts: &mut Facts) {
    let to = destination(played.mv);
    if !played.mv.is_castle()
        && !played.mv.is_capture()
        && !played.before.is_check()
        && Phase::of(played.before.board()) == Phase::Endgame
        && from_centre(to) < from_centre(king.square)
    {
        facts.add(Moment::Move, Detail::KingActivity { king, to });
    }
}

/// One of two bishops is given for a knight, and the other side keeps or gets what the mover gives up.
fn bishop_pair(played: &Played, bishop: Man, facts: &mut Facts) {
    let (before, after) = (played.before.board(), played.after.board());
    let both = |board: &Board, color: Color| board.by_piece(color.bishop()).count() >= 2;
    let Some(knight) = Man::at(before, played.mv.to()).filter(|man| man.role == Role::Knight) else {
        return;
    };
    let enemy = bishop.color.other();
    // Only a bishop that will be taken is given.
    let taken = exchange::best_capture(after, enemy, played.mv.to(), None).is_some_and(|e| e.gain >= 0);
    if taken && both(before, bishop.color) && both(after, enemy) {
        facts.add(Moment::Move, Detail::BishopPair { bishop, knight });
    }
}
