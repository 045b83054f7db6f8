//! The 1858 moves of a policy, and what a network says of the legal ones.
//!
//! The moves are those of the side to move as it sees the board (for Black the ranks are flipped): from every square
//! to every square a queen or knight could reach, then the promotions to queen, rook and bishop. A promotion to knight
//! is the plain move; castling is the king taking its own rook.

use std::sync::LazyLock;

use shakmaty::{Chess, Color, File, Move, Position, Rank, Role, Square};

use super::{
    network::{POLICY_MOVES, POLICY_PLANES, SQUARES},
    transform::Transform,
};

/// Promotions that have an index of their own, in its order.
const PROMOTIONS: [Role; 3] = [Role::Queen, Role::Rook, Role::Bishop];
/// The same in the order of the planes (checked against Lc0: it is another).
const PROMOTION_PLANES: [Role; 3] = [Role::Rook, Role::Bishop, Role::Queen];
/// First of the eight knight planes, after 8 directions × 7 steps.
const KNIGHT_PLANES: usize = 56;
/// First of the nine promotion planes: to the north-west, north and north-east, each as `PROMOTION_PLANES` has them.
const FIRST_PROMOTION_PLANE: usize = 64;
/// North, then clockwise, as (files, ranks).
const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
/// Clockwise from the one nearest to north.
const KNIGHT_JUMPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

struct Tables {
    moves: Vec<(Square, Square, Option<Role>)>,
    /// By from × 64 + to.
    plain: Vec<Option<u16>>,
    /// By file × 9 + (to-file − file + 1) × 3 + role.
    promotions: Vec<Option<u16>>,
    /// By index: plane × 64 + from.
    planes: Vec<u16>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut tables = Tables {
        moves: Vec::with_capacity(POLICY_MOVES),
        plain: vec![None; SQUARES * SQUARES],
        promotions: vec![None; 72],
        planes: Vec::with_capacity(POLICY_MOVES),
    };
    for from in Square::ALL {
        for to in Square::ALL {
            let Some(plane) = plain_plane(from, to) else { continue };
            tables.plain[usize::from(from) * SQUARES + usize::from(to)] = Some(tables.moves.len() as u16);
            tables.moves.push((from, to, None));
            tables.planes.push((plane * SQUARES + usize::from(from)) as u16);
        }
    }
    for file in File::ALL {
        for step in 0..3usize {
            let Some(to_file) = file.offset(step as i32 - 1) else {
                continue;
            };
            for (i, role) in PROMOTIONS.into_iter().enumerate() {
                let from = Square::from_coords(file, Rank::Seventh);
                let to = Square::from_coords(to_file, Rank::Eighth);
                tables.promotions[usize::from(file) * 9 + step * 3 + i] = Some(tables.moves.len() as u16);
                tables.moves.push((from, to, Some(role)));
                let kind = PROMOTION_PLANES.iter().position(|r| *r == role).unwrap_or(0);
                let plane = FIRST_PROMOTION_PLANE + step * 3 + kind;
                tables.planes.push((plane * SQUARES + usize::from(from)) as u16);
            }
        }
    }
    tables
});

/// The plane of a move that no promotion goes with; `None` where neither queen nor knight could go.
fn plain_plane(from: Square, to: Square) -> Option<usize> {
    let files = to.file() as i32 - from.file() as i32;
    let ranks = to.rank() as i32 - from.rank() as i32;
    if let Some(jump) = KNIGHT_JUMPS.iter().position(|&d| d == (files, ranks)) {
        return Some(KNIGHT_PLANES + jump);
    }
    let steps = files.abs().max(ranks.abs());
    let on_a_line = files == 0 || ranks == 0 || files.abs() == ranks.abs();
    if steps == 0 || !on_a_line {
        return None;
    }
    let direction = DIRECTIONS.iter().position(|&d| d == (files.signum(), ranks.signum()))?;
    Some(direction * 7 + steps as usize - 1)
}

/// The index of a move made by `us`, below [`POLICY_MOVES`]. `None` for what is no move of chess, such as a drop.
#[must_use]
pub fn index_of(mv: Move, us: Color) -> Option<u16> {
    transformed_index_of(mv, us, Transform::NONE)
}

/// The same for a network that sees the board through `transform`, as Lc0 0.31 has it. (0.32.1 takes boards that are
/// swapped along the diagonal for boards turned half round, here and not in the planes.)
#[must_use]
pub fn transformed_index_of(mv: Move, us: Color, transform: Transform) -> Option<u16> {
    let from = transform.seen(mv.from()?, us);
    let to = transform.seen(mv.to(), us);
    match mv.promotion() {
        Some(role) if role != Role::Knight => {
            let step = usize::try_from(to.file() as i32 - from.file() as i32 + 1).ok()?;
            let i = PROMOTIONS.iter().position(|r| *r == role)?;
            if step > 2 {
                return None;
            }
            TABLES.promotions[usize::from(from.file()) * 9 + step * 3 + i]
        }
        _ => TABLES.plain[usize::from(from) * SQUARES + usize::from(to)],
    }
}

/// The legal move of `position` at `index`, where there is one.
#[must_use]
pub fn move_at(position: &Chess, index: u16) -> Option<Move> {
    let us = position.turn();
    position
        .legal_moves()
        .into_iter()
        .find(|mv| index_of(*mv, us) == Some(index))
}

/// From-square, to-square and promotion of `index`, as the side to move sees them. `None` from [`POLICY_MOVES`] on.
#[must_use]
pub fn squares_at(index: u16) -> Option<(Square, Square, Option<Role>)> {
    TABLES.moves.get(usize::from(index)).copied()
}

/// Where a convolutional policy has the logit of `index`: plane × 64 + from-square. `None` from [`POLICY_MOVES`] on.
#[must_use]
pub fn plane_at(index: u16) -> Option<usize> {
    TABLES.planes.get(usize::from(index)).map(|&p| usize::from(p))
}

/// The 1858 logits out of a convolutional policy's 80 × 8 × 8 outputs; `None` when there are not that many.
#[must_use]
pub fn logits_of_planes(planes: &[f32]) -> Option<Vec<f32>> {
    (planes.len() == POLICY_PLANES * SQUARES).then(|| TABLES.planes.iter().map(|&p| planes[usize::from(p)]).collect())
}

/// Numbers of an attention policy: 64 × 64 logits (from-square × to-square), and 4 × 64 for promotions (queen, rook,
/// bishop, and what they share, each by to-square).
pub const ATTENTION_OUTPUTS: usize = SQUARES * SQUARES + (PROMOTIONS.len() + 1) * SQUARES;

/// Where Lc0's own attention policy has the logit of `index`: from-square × 64 + to-square, or, after those, the
/// promotions, file × 24 + to-file × 3 + queen, rook or bishop. `None` from [`POLICY_MOVES`] on.
#[must_use]
pub fn attention_at(index: u16) -> Option<usize> {
    let (from, to, promotion) = squares_at(index)?;
    Some(
        match promotion.and_then(|role| PROMOTIONS.iter().position(|r| *r == role)) {
            Some(i) => SQUARES * SQUARES + usize::from(from.file()) * 24 + usize::from(to.file()) * 3 + i,
            None => usize::from(from) * SQUARES + usize::from(to),
        },
    )
}

/// The 1858 logits out of an attention policy's [`ATTENTION_OUTPUTS`]; `None` when there are not that many.
#[must_use]
pub fn logits_of_attention(outputs: &[f32]) -> Option<Vec<f32>> {
    if outputs.len() != ATTENTION_OUTPUTS {
        return None;
    }
    let (squares, promotions) = outputs.split_at(SQUARES * SQUARES);
    let logit = |&(from, to, promotion): &(Square, Square, Option<Role>)| {
        let to = usize::from(to);
        let plain = squares[usize::from(from) * SQUARES + to];
        let i = promotion.and_then(|role| PROMOTIONS.iter().position(|r| *r == role));
        i.map_or(plain, |i| {
            plain + promotions[i * SQUARES + to] + promotions[PROMOTIONS.len() * SQUARES + to]
        })
    };
    Some(TABLES.moves.iter().map(logit).collect())
}

/// The probabilities of the legal moves: softmax over their logits alone, most probable first, equal ones by index.
/// They sum to one, or there are none when the game is over. `None` unless there are 1858 logits.
#[must_use]
pub fn probabilities(position: &Chess, logits: &[f32]) -> Option<Vec<(Move, f32)>> {
    transformed_probabilities(position, logits, Transform::NONE)
}

/// The same for a network that sees the board through `transform`.
#[must_use]
pub fn transformed_probabilities(position: &Chess, logits: &[f32], transform: Transform) -> Option<Vec<(Move, f32)>> {
    if logits.len() != POLICY_MOVES {
        return None;
    }
    let us = position.turn();
    let mut moves: Vec<(Move, u16)> = position
        .legal_moves()
        .into_iter()
        .filter_map(|mv| Some((mv, transformed_index_of(mv, us, transform)?)))
        .collect();
    let logit = |index: u16| f64::from(logits[usize::from(index)]);
    moves.sort_by(|a, b| logit(b.1).total_cmp(&logit(a.1)).then(a.1.cmp(&b.1)));
    let Some(&(_, best)) = moves.first() else {
        return Some(Vec::new());
    };
    // In doubles, and from the largest: neither overflow nor a lost tail.
    let weights: Vec<f64> = moves.iter().map(|&(_, i)| (logit(i) - logit(best)).exp()).collect();
    let total: f64 = weights.iter().sum();
    Some(
        moves
            .iter()
            .zip(weights)
            .map(|(&(mv, _), w)| (mv, (w / total) as f32))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn position(fen: &str) -> Chess {
        let fen: Fen = fen.parse().unwrap();
        fen.into_position(CastlingMode::Standard).unwrap()
    }

    fn index(from: Square, to: Square, promotion: Option<Role>) -> u16 {
        (0..POLICY_MOVES as u16)
            .find(|&i| squares_at(i) == Some((from, to, promotion)))
            .unwrap()
    }

    #[test]
    fn there_are_1858_moves_on_as_many_places() {
        assert_eq!(TABLES.moves.len(), POLICY_MOVES);
        let places: HashSet<_> = TABLES.planes.iter().collect();
        assert_eq!(places.len(), POLICY_MOVES);
        assert!(TABLES.planes.iter().all(|&p| usize::from(p) < 73 * SQUARES));
    }

    /// Numbers that Lc0's own evaluator gives.
    #[test]
    fn indices_are_lc0s() {
        let start = Chess::default();
        let mut indices: Vec<u16> = start
            .legal_moves()
            .iter()
            .map(|&m| index_of(m, Color::White).unwrap())
            .collect();
        indices.sort_unstable();
        assert_eq!(
            indices,
            [
                34, 36, 159, 161, 204, 207, 230, 234, 259, 264, 288, 293, 317, 322, 346, 351, 374, 378, 400, 403
            ]
        );
    }

    #[test]
    fn castling_is_the_king_taking_its_rook() {
        let black = position("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
        let e1h1 = index(Square::E1, Square::H1, None);
        let castle = Move::Castle {
            king: Square::E8,
            rook: Square::H8,
        };
        assert_eq!(index_of(castle, Color::Black), Some(e1h1));
        assert_eq!(move_at(&black, e1h1), Some(castle));
    }

    #[test]
    fn a_promotion_to_knight_is_the_plain_move() {
        let black = position("8/8/8/k7/8/8/3p4/2R1R2K b - - 0 1");
        let squares = |mv: &Move| squares_at(index_of(*mv, Color::Black).unwrap()).unwrap();
        let promotions: HashSet<_> = black
            .legal_moves()
            .iter()
            .filter(|m| m.promotion().is_some())
            .map(squares)
            .collect();
        let roles = [None, Some(Role::Queen), Some(Role::Rook), Some(Role::Bishop)];
        let expected: HashSet<_> = [Square::C8, Square::D8, Square::E8]
            .into_iter()
            .flat_map(|to| roles.map(|role| (Square::D7, to, role)))
            .collect();
        assert_eq!(promotions, expected);
    }

    #[test]
    fn every_legal_move_has_an_index_and_comes_back() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
            "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
        ] {
            let position = position(fen);
            let moves = position.legal_moves();
            let indices: HashSet<_> = moves.iter().map(|&m| index_of(m, position.turn()).unwrap()).collect();
            assert_eq!(indices.len(), moves.len());
            for mv in moves {
                let index = index_of(mv, position.turn()).unwrap();
                assert_eq!(move_at(&position, index), Some(mv));
            }
        }
    }

    #[test]
    fn probabilities_sum_to_one_and_are_sorted() {
        let mut logits = vec![0.0; POLICY_MOVES];
        logits[usize::from(index(Square::E2, Square::E4, None))] = 300.0f32.ln();
        // Illegal moves take no part.
        logits[usize::from(index(Square::E4, Square::E8, None))] = 90.0;
        let policy = probabilities(&Chess::default(), &logits).unwrap();
        assert_eq!(policy.len(), 20);
        assert_eq!(policy[0].0.to(), Square::E4);
        assert!((policy[0].1 - 300.0 / 319.0).abs() < 1e-6);
        assert!((policy.iter().map(|p| p.1).sum::<f32>() - 1.0).abs() < 1e-6);
        assert_eq!(
            (policy[1].0.from(), policy[1].0.to()),
            (Some(Square::B1), Square::A3),
            "ties by index"
        );
    }

    #[test]
    fn a_finished_game_has_no_policy() {
        let mated = position("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
        assert_eq!(probabilities(&mated, &vec![0.0; POLICY_MOVES]), Some(Vec::new()));
        assert_eq!(probabilities(&mated, &[0.0; 3]), None);
    }
}
