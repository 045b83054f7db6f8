//! Whether a position has one of the [`ExtraConcept`]s, by the board facts that the commentary speaks from.
//!
//! Nothing here searches: what a move leaves hanging elsewhere, or what a counter-threat is worth, is not asked.

use shakmaty::{Bitboard, Board, Chess, Color, EnPassantMode, Move, Position, Role, attacks};

use super::extra::{ExtraConcept, Motif, Whose};
use crate::chess::{
    Man, attacks as lines, exchange, material,
    motifs::{
        discovered::discovered,
        fork::fork,
        line::{pins, skewers},
        mate::mate_in_one,
        threat::{hanging, passed_turn},
    },
    pawns,
    shelter::shelter,
};
use crate::training::PositionRecord;

/// A sacrifice gives up at least this much by static exchange, in pawns: an exchange, as the commentary has it.
const SACRIFICED: i32 = 2;
/// A move that keeps less win probability than this is no sacrifice but despair; as the commentary has it.
const STILL_PLAYING: f64 = 0.35;
/// A side whose pieces weigh no more than this, in pawns, no longer hunts kings: they come out then. It is where the
/// commentary lets the endgame begin.
const ENDGAME: i32 = 13;
/// A king with this many pawns before it, or fewer, has no shield to speak of.
const SHIELD: usize = 1;

/// What an engine would play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BestMove {
    /// Its best move.
    pub mv: Move,
    /// What that move keeps, 0 to 1. **The view of the side to move.**
    pub win_probability: f64,
}

impl BestMove {
    /// The first line of a record of `position`; `None` where there is none or its move is not legal there.
    #[must_use]
    pub fn of(record: &PositionRecord, position: &Chess) -> Option<Self> {
        let choice = record.lines.first()?;
        Some(Self {
            mv: choice.uci.to_move(position).ok()?,
            win_probability: choice.score.win_probability(),
        })
    }
}

impl ExtraConcept {
    /// Whether `position` has it; `None` where it can't be said: what the opponent threatens while the side to move is
    /// in check, and a sacrifice without the engine's best move.
    #[must_use]
    pub fn label(self, position: &Chess, best: Option<&BestMove>) -> Option<bool> {
        let (us, ours) = (position.turn(), self.whose() == Whose::Ours);
        let side = if ours { us } else { us.other() };
        let to_have = |has: fn(&Chess) -> bool| {
            if ours {
                Some(has(position))
            } else {
                passed_turn(position).map(|turned| has(&turned))
            }
        };
        match self.motif() {
            Motif::Fork => to_have(can_fork),
            Motif::Skewer => to_have(can_skewer),
            Motif::DiscoveredAttack => to_have(can_discover),
            Motif::Mate => to_have(|position| mate_in_one(position).is_some()),
            Motif::Pin => Some(pins(position.board()).iter().any(|pin| pin.pinned.color == side)),
            Motif::HangingPiece => Some(hanging(position, side).iter().any(|h| h.target.role != Role::Pawn)),
            Motif::ExposedKing => Some(exposed_king(position.board(), side)),
            Motif::DoubledPawns => Some(pawns::doubled(position.board(), side).any()),
            Motif::OpenFile => Some(holds_an_open_file(position.board(), side)),
            Motif::Sacrifice => best.map(|best| sacrifices(position.board(), best)),
        }
    }
}

/// True when the side to move has a move with a man that then forks and can't be taken without loss.
fn can_fork(position: &Chess) -> bool {
    let board = position.board();
    let pieces = board.by_color(position.turn().other()) & !board.pawns();
    position.legal_moves().into_iter().any(|m| {
        // Most moves attack no two pieces, and need not be played out.
        let bears = |m: Move| (strikes(board, m) & pieces).more_than_one();
        if m.is_castle() || !(m.is_en_passant() || bears(m)) {
            return false;
        }
        let after = played(position, m);
        Man::at(after.board(), m.to())
            .and_then(|man| fork(after.board(), man, after.ep_square(EnPassantMode::Legal)))
            .is_some()
    })
}

/// True when the side to move has a move that brings a skewer about.
fn can_skewer(position: &Chess) -> bool {
    let (board, us) = (position.board(), position.turn());
    let sliders = board.sliders() & board.by_color(us);
    let old = skewers(board, us);
    position.legal_moves().into_iter().any(|m| {
        // A skewer is new where the slider has come, or where what stood in its way has gone.
        let slider = matches!(
            m.promotion().unwrap_or_else(|| m.role()),
            Role::Bishop | Role::Rook | Role::Queen
        );
        if !(slider || m.is_castle() || leaves_a_line(board, sliders, m)) {
            return false;
        }
        let after = played(position, m);
        skewers(after.board(), us).iter().any(|skewer| !old.contains(skewer))
    })
}

/// True when the side to move has a move that uncovers a check, or an attack that wins more than the man that stepped
/// aside may lose.
fn can_discover(position: &Chess) -> bool {
    let board = position.board();
    let sliders = board.sliders() & board.by_color(position.turn());
    position.legal_moves().into_iter().any(|m| {
        if m.is_castle() || !(m.is_en_passant() || leaves_a_line(board, sliders, m)) {
            return false;
        }
        let after = played(position, m);
        discovered(board, after.board(), m).into_iter().any(|found| {
            let worth = || exchange::gain_by(after.board(), found.by, found.target.square).unwrap_or(0);
            found.target.role == Role::King || exchange::gain(board, m).min(0) + worth() > 0
        })
    })
}

/// True when `color`'s king lacks cover and enough bears on it.
///
/// - Its opponent has more than an endgame's pieces: with fewer an open king is an active one.
/// - It has left its first two ranks, or a file next to it or its own has no own pawn and at most one pawn shields it.
/// - Of the opponent's pieces two attack the king or a square beside it, or one while it has a queen: the number from
///   which on Stockfish's last classical evaluations look for danger to a king at all.
fn exposed_king(board: &Board, color: Color) -> bool {
    let enemy = color.other();
    let Some(king) = board.king_of(color) else { return false };
    let bare = shelter(board, color).is_none_or(|shelter| shelter.breached && shelter.shield.count() <= SHIELD);
    if !bare || material::pieces(board, enemy) <= ENDGAME {
        return false;
    }
    let zone = attacks::king_attacks(king).with(king);
    let pieces = board.by_color(enemy) & !(board.pawns() | board.kings());
    let bearing = pieces
        .into_iter()
        .filter(|&from| (board.attacks_from(from) & zone).any())
        .count();
    let queen = (pieces & board.queens()).any();
    bearing + usize::from(queen) >= 2 && bearing > 0
}

/// True when a rook or queen of `color` stands on a file without pawns.
fn holds_an_open_file(board: &Board, color: Color) -> bool {
    let heavy = board.by_color(color) & (board.rooks() | board.queens());
    heavy
        .into_iter()
        .any(|square| pawns::openness(board, square.file(), color) == pawns::Openness::Open)
}

/// True when the engine's move gives up a piece, or part of its worth, and the game is still on. What the move leaves
/// hanging elsewhere would need the engine's next move, too.
fn sacrifices(board: &Board, best: &BestMove) -> bool {
    best.win_probability >= STILL_PLAYING
        && best.mv.promotion().unwrap_or_else(|| best.mv.role()) != Role::Pawn
        && !best.mv.is_castle()
        && exchange::gain(board, best.mv) <= -SACRIFICED
}

/// What the man that `m` moves attacks from where it goes.
fn strikes(board: &Board, m: Move) -> Bitboard {
    let role = m.promotion().unwrap_or_else(|| m.role());
    let Some((from, color)) = m.from().and_then(|from| Some((from, board.color_at(from)?))) else {
        return Bitboard::EMPTY;
    };
    attacks::attacks(m.to(), role.of(color), board.occupied().without(from).with(m.to()))
}

/// True when one of `sliders` looks at the square that `m` leaves.
fn leaves_a_line(board: &Board, sliders: Bitboard, m: Move) -> bool {
    let Some(from) = m.from() else { return false };
    sliders
        .into_iter()
        .filter(|&slider| slider != from)
        .filter_map(|slider| Man::at(board, slider))
        .any(|by| lines::slides(by.role, by.square, board.occupied()).contains(from))
}

fn played(position: &Chess, m: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(m);
    after
}
