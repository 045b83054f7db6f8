//! Material that a move offers: what the opponent could take, by exchanges on one square, over and above what the move
//! itself takes. Whether the offer is sound is for the engine to say.

use shakmaty::{Color, EnPassantMode, Position, Role, Square};

use super::{Man, Played, exchange, material::value, motifs::threat::hanging};

/// The least that counts as an offer, in pawns, all taken together: an exchange for a pawn, or a piece for two.
const LEAST: i32 = 1;
/// The least that can be won by taking the man, in pawns: less is a pawn lost in a trade.
const THREAT: i32 = 2;

/// A man put, or left, where it can be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// The man, where it stands after the move.
    pub man: Man,
    /// What the opponent gains by taking it, less what the move took, in pawns; at least 1.
    pub points: i32,
}

/// What `played` offers; `None` where it offers nothing, or where the man was lost anyway.
#[must_use]
pub fn offer(played: &Played) -> Option<Offer> {
    if played.mv.is_castle() || played.after.is_game_over() {
        return None;
    }
    let mover = played.mover();
    let board = played.after.board();
    let en_passant = played.after.ep_square(EnPassantMode::Legal);
    let promoted = played.mv.promotion().map_or(0, |role| value(role) - 1);
    let won = played.mv.capture().map_or(0, value) + promoted;
    let (man, gain) = Man::all(board, board.by_color(mover))
        .into_iter()
        .filter(|man| !matches!(man.role, Role::King | Role::Pawn))
        .filter_map(|man| {
            let taking = exchange::best_capture(board, mover.other(), man.square, en_passant)?;
            Some((man, taking.gain))
        })
        .max_by_key(|(_, gain)| *gain)?;
    let points = gain - won;
    (gain >= THREAT && points >= LEAST && was_free(played, mover, man)).then_some(Offer { man, points })
}

/// Whether the man could have been kept: nothing threatened it, or it had a safe square to go to and nothing worth as much
/// had to be saved first.
fn was_free(played: &Played, mover: Color, man: Man) -> bool {
    let before = &played.before;
    let stood = if man.square == played.mv.to() {
        played.mv.from().unwrap_or(man.square)
    } else {
        man.square
    };
    let threatened: Vec<(Square, i32)> = hanging(before, mover)
        .into_iter()
        .filter(|found| found.gain >= THREAT)
        .map(|found| (found.target.square, found.gain))
        .collect();
    let Some((_, own)) = threatened.iter().find(|(square, _)| *square == stood) else {
        return true;
    };
    let dearest = threatened.iter().all(|(square, gain)| *square == stood || gain < own);
    dearest
        && before
            .legal_moves()
            .into_iter()
            .filter(|mv| mv.from() == Some(stood) && *mv != played.mv)
            .any(|mv| exchange::gain(before.board(), mv) > -THREAT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{annotation::MainLine, chess::pgn::read_pgn};

    /// The offer of a game's last move, in pawns.
    fn last(pgn: &str) -> Option<(Role, i32)> {
        let line = MainLine::of(&read_pgn(pgn).unwrap().games.remove(0));
        let offer = offer(&line.step(line.len() - 1).unwrap())?;
        Some((offer.man.role, offer.points))
    }

    #[test]
    fn what_can_be_taken_for_less_is_offered() {
        let legal = "1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5";
        // The knight on e5 takes the bishop back, and has taken a pawn.
        assert_eq!(last(legal), Some((Role::Queen, 5)));
        let fried = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5 d5 5. exd5 Nxd5 6. Nxf7";
        assert_eq!(last(fried), Some((Role::Knight, 2)));
        assert_eq!(last("1. e4 e5 2. f4"), None, "a pawn is no sacrifice");
        assert_eq!(last("1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5"), None);
        assert_eq!(last("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6"), None, "a trade");
        assert_eq!(last("1. f3 e5 2. g4 Qh4#"), None);
    }

    #[test]
    fn what_is_lost_anyway_is_no_offer() {
        // Both cannot be saved: to save the queen does not give the rook.
        let fork = "[FEN \"4k3/2n5/8/8/3Q4/8/8/K5R1 b - - 0 1\"]\n\n1... Ne6 2. Qd5 Nf4 3. Qd4 Ne2 4. Qd5";
        assert_eq!(last(fork), None);
    }
}
