//! The facts that the board alone gives about a move, most telling first.

use shakmaty::{Bitboard, Board, Chess, EnPassantMode, Move, Position, Rank, Role, Square, san::SanPlus};

use super::fact::{Change, Detail, Fate, Moment, Phase};
use crate::chess::{
    Man, Played,
    attacks::{self, Attack},
    exchange,
    material::{self, Surplus},
    motifs::{
        discovered::discovered,
        fork::fork,
        line::{pins, skewers},
        mate::{self, Pattern},
        threat::{hanging, mate_threat, passed_turn},
        trapped::trapped,
    },
    pawns::{self, Openness},
    shelter::shelter,
};

/// A fact without number and text.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// When it holds.
    pub moment: Moment,
    /// What it says.
    pub detail: Detail,
}

/// Everything the board says about `played`.
#[must_use]
pub fn board_facts(played: &Played) -> Vec<Found> {
    let mut facts = told_by_the_move(played);
    facts.extend(structure(played));
    facts.extend(surroundings(played));
    facts
}

/// What the move is and does: the facts worth telling, without the lists of attacks and pawns.
#[must_use]
pub fn told_by_the_move(played: &Played) -> Vec<Found> {
    let mut facts = Facts(Vec::new());
    kind_of_move(played, &mut facts);
    tactics(played, &mut facts);
    facts.0
}

struct Facts(Vec<Found>);

impl Facts {
    fn add(&mut self, moment: Moment, detail: Detail) {
        self.0.push(Found { moment, detail });
    }
}

/// Where the man that moves ends up: the king's square for castling.
#[must_use]
pub fn destination(m: Move) -> Square {
    match m {
        Move::Castle { king, rook } => Square::from_coords(
            if king < rook {
                shakmaty::File::G
            } else {
                shakmaty::File::C
            },
            king.rank(),
        ),
        _ => m.to(),
    }
}

/// The man captured by `m`, as it stands in `before`.
fn captured(before: &Board, m: Move) -> Option<Man> {
    match m {
        Move::Normal {
            to, capture: Some(_), ..
        } => Man::at(before, to),
        Move::EnPassant { from, to } => Man::at(before, Square::from_coords(to.file(), from.rank())),
        _ => None,
    }
}

fn kind_of_move(played: &Played, facts: &mut Facts) {
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
        facts.0.extend(king(after, after.turn()).map(|king| Found {
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
        && phase(before) == Phase::Opening
}

/// The stage of the game.
#[must_use]
pub fn phase(board: &Board) -> Phase {
    let pieces = |color| material::pieces(board, color);
    let minors = board.knights() | board.bishops();
    let home =
        |color: shakmaty::Color| (Bitboard::from_rank(color.backrank()) & board.by_color(color) & minors).count();
    let (white, black) = (shakmaty::Color::White, shakmaty::Color::Black);
    if pieces(white) <= 13 && pieces(black) <= 13 {
        Phase::Endgame
    } else if pieces(white) >= 22 && pieces(black) >= 22 && home(white) + home(black) >= 3 {
        Phase::Opening
    } else {
        Phase::Middlegame
    }
}

fn king(pos: &Chess, color: shakmaty::Color) -> Option<Man> {
    Man::at(pos.board(), pos.board().king_of(color)?)
}

fn tactics(played: &Played, facts: &mut Facts) {
    let (before, after, m) = (played.before.board(), played.after.board(), played.mv);
    let mover = played.mover();
    let over = played.after.legal_moves().is_empty();
    let en_passant = played.after.ep_square(EnPassantMode::Legal);
    let moved = Man::at(after, destination(m));
    let old = pins(before);
    let new = pins(after);
    for &pin in &new {
        // A pin stays the same pin when the pinned men stand where they stood and the pinner only slid along the line.
        let same = old.iter().any(|p| p.pinned == pin.pinned && p.behind == pin.behind);
        let change = if same { Change::Kept } else { Change::New };
        facts.add(Moment::After, Detail::Pin { pin, change });
    }
    for &pin in &old {
        if !new
            .iter()
            .any(|p| p.pinned.square == pin.pinned.square && p.behind.square == pin.behind.square)
        {
            facts.add(
                Moment::Before,
                Detail::Pin {
                    pin,
                    change: Change::Gone,
                },
            );
        }
    }
    hanging_men(played, over, facts);
    if over {
        return;
    }
    if mate::mates_next(&played.after) {
        facts.add(
            Moment::After,
            Detail::Mate {
                winner: mover,
                moves: 2,
                starts: None,
            },
        );
    }
    if let Some(fork) = moved.and_then(|man| fork(after, man, en_passant)) {
        facts.add(Moment::After, Detail::Fork(fork));
    }
    let old = skewers(before, mover);
    for skewer in skewers(after, mover).into_iter().filter(|skewer| !old.contains(skewer)) {
        facts.add(Moment::After, Detail::Skewer(skewer));
    }
    for found in discovered(before, after, m) {
        facts.add(Moment::Move, Detail::Discovered(found));
    }
    let trapped_before: Vec<Square> = passed_turn(&played.before)
        .map(|pos| trapped(&pos).iter().map(|h| h.target.square).collect())
        .unwrap_or_default();
    for trapped in trapped(&played.after)
        .into_iter()
        .filter(|h| !trapped_before.contains(&h.target.square))
    {
        facts.add(Moment::After, Detail::Trapped(trapped));
    }
    if let Some(mating) = mate_threat(&played.after)
        && let Some(pos) = passed_turn(&played.after)
    {
        let san = SanPlus::from_move(pos, mating).to_string();
        facts.add(Moment::After, Detail::MateThreat { side: mover, san });
    }
    if let Some(moved) = moved.filter(|_| !m.is_castle()) {
        battery(before, after, moved, facts);
        if pawns::outpost(after, moved) {
            facts.add(Moment::After, Detail::Outpost { man: moved });
        }
        offered_trade(played, moved, facts);
    }
}

/// Men that hang, of both sides, before and after.
fn hanging_men(played: &Played, over: bool, facts: &mut Facts) {
    let mover = played.mover();
    for victim in [mover.other(), mover] {
        let old = hanging(&played.before, victim);
        // Nothing can be taken any more where the move ended the game.
        let new = if over {
            Vec::new()
        } else {
            hanging(&played.after, victim)
        };
        // In check nothing can be taken at leisure: what hangs of the side in check is its own business for one move.
        let at_once = victim == mover;
        for &hanging in &new {
            let moved = hanging.target.square == destination(played.mv);
            let was = if moved {
                played.mv.from()
            } else {
                Some(hanging.target.square)
            };
            let kept = old
                .iter()
                .any(|h| Some(h.target.square) == was && h.gain >= hanging.gain);
            let change = if kept { Change::Kept } else { Change::New };
            if moved && victim == mover && exchange::gain(played.before.board(), played.mv) >= 0 {
                // It has taken enough to be taken: an exchange, not a loss.
                continue;
            }
            facts.add(
                Moment::After,
                Detail::Hanging {
                    hanging,
                    change,
                    at_once,
                    fate: if moved { Fate::Moves } else { Fate::Stays },
                },
            );
            if victim != mover && change == Change::New && !played.after.is_check() && stays(&played.after, hanging.by)
            {
                facts.add(Moment::After, Detail::Threat(hanging));
            }
        }
        for &hanging in &old {
            let now = if played.mv.from() == Some(hanging.target.square) {
                destination(played.mv)
            } else {
                hanging.target.square
            };
            let taken = captured(played.before.board(), played.mv) == Some(hanging.target);
            // A check only puts off what it leaves en prise.
            if !taken && played.after.is_check() {
                continue;
            }
            if taken || !over && !new.iter().any(|h| h.target.square == now) {
                facts.add(
                    Moment::Before,
                    Detail::Hanging {
                        hanging,
                        change: Change::Gone,
                        at_once: victim != mover,
                        fate: if taken {
                            Fate::Taken
                        } else if played.mv.from() == Some(hanging.target.square) {
                            Fate::Moves
                        } else {
                            Fate::Stays
                        },
                    },
                );
            }
        }
    }
}

/// True when the opponent, to move in `pos`, can't take `man` without loss: only then does it threaten anything.
fn stays(pos: &Chess, man: Man) -> bool {
    let en_passant = pos.ep_square(EnPassantMode::Legal);
    exchange::best_capture(pos.board(), man.color.other(), man.square, en_passant).is_none_or(|e| e.gain < 0)
}

/// The moved slider lines up with another of its side that moves the same way, towards an enemy man.
fn battery(before: &Board, after: &Board, moved: Man, facts: &mut Facts) {
    let sliders = after.sliders() & after.by_color(moved.color);
    for (front, rear) in sliders
        .into_iter()
        .filter_map(|sq| Man::at(after, sq))
        .filter(|other| other.square != moved.square)
        .flat_map(|other| [(moved, other), (other, moved)])
    {
        if !attacks::slides(rear.role, rear.square, after.occupied()).contains(front.square) {
            continue;
        }
        let Some(target) = attacks::behind(after, rear, front.square) else {
            continue;
        };
        let bears = target.color != moved.color
            && attacks::slides(front.role, front.square, after.occupied()).contains(target.square);
        let known = before.piece_at(front.square) == after.piece_at(front.square)
            && before.piece_at(rear.square) == after.piece_at(rear.square);
        if bears && !known {
            facts.add(Moment::After, Detail::Battery { front, rear, target });
        }
    }
}

/// The moved piece stands where an equal piece can take it and be taken back.
fn offered_trade(played: &Played, moved: Man, facts: &mut Facts) {
    let board = played.after.board();
    if played.mv.is_capture() || matches!(moved.role, Role::Pawn | Role::King) {
        return;
    }
    let theirs = Man::all(board, attacks::attackers(board, moved.square, moved.color.other()))
        .into_iter()
        .find(|by| by.value() == moved.value() && exchange::gain_by(board, *by, moved.square) == Some(0));
    // Both must bear on each other, else it is an offer only one side can take up.
    if let Some(theirs) = theirs
        && board.attacks_from(moved.square).contains(theirs.square)
    {
        facts.add(
            Moment::After,
            Detail::Trade {
                ours: moved,
                theirs,
                made: false,
            },
        );
    }
}

fn structure(played: &Played) -> Vec<Found> {
    let mut facts = Facts(Vec::new());
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
            let stood = before.piece_at(man.square) == after.piece_at(man.square);
            let was = pawns::openness(before, man.square.file(), side);
            let change = if stood && was == now { Change::Kept } else { Change::New };
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
    facts.0
}

fn surroundings(played: &Played) -> Vec<Found> {
    let mut facts = Facts(Vec::new());
    let (before, after) = (played.before.board(), played.after.board());
    let mover = played.mover();
    facts.add(
        Moment::After,
        Detail::Material {
            side: mover,
            surplus: Surplus::of(after, mover),
        },
    );
    facts.add(Moment::After, Detail::Phase(phase(after)));
    let (old, new) = (attacks::all(before), attacks::all(after));
    let same = |a: &Attack, b: &Attack| a.by == b.by && a.target == b.target;
    for &attack in &new {
        let change = if old.iter().any(|o| same(o, &attack)) {
            Change::Kept
        } else {
            Change::New
        };
        facts.add(Moment::After, Detail::Attack { attack, change });
    }
    for &attack in &old {
        let change = if new.iter().any(|n| same(n, &attack)) {
            Change::Kept
        } else {
            Change::Gone
        };
        facts.add(Moment::Before, Detail::Attack { attack, change });
    }
    let moved = destination(played.mv);
    for target in Man::all(after, after.occupied()) {
        let attackers = attacks::attackers(after, target.square, target.color.other());
        if target.role == Role::King || (attackers.is_empty() && target.square != moved) {
            continue;
        }
        let defenders = attacks::attackers(after, target.square, target.color);
        let protected = |from| before.attacks_from(from).contains(target.square);
        let fresh = defenders.contains(moved)
            && target.color == mover
            && before.piece_at(target.square) == after.piece_at(target.square)
            && played.mv.from().is_some_and(|from| !protected(from));
        facts.add(
            Moment::After,
            Detail::Defence {
                target,
                attackers: Man::all(after, attackers),
                defenders: Man::all(after, defenders),
                fresh: if fresh { Man::at(after, moved) } else { None },
            },
        );
    }
    facts.0
}
