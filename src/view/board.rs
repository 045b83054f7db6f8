//! What the board shows.

use shakmaty::{Chess, EnPassantMode, Move, Position, Role, Square, fen::Fen};

use super::heat_map::Shade;

/// An arrow, or a ring when both squares are the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrow {
    /// Where the arrow begins.
    pub from: Square,
    /// Where it ends.
    pub to: Square,
    /// What it means.
    pub brush: Brush,
}

/// The meaning of an arrow, which fixes its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Brush {
    /// The move under discussion.
    Discussed,
    /// The expected reply.
    Reply,
    /// What a bad move allows.
    Allowed,
    /// What was better.
    Better,
    /// What a sentence speaks of that somebody points at.
    Lit,
    /// A pin.
    Pin,
    /// A fork.
    Fork,
    /// A man that can be won.
    Hanging,
}

/// All that the board shows; the whole is given anew at every change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardView {
    /// Piece placement, the first field of a FEN.
    pub placement: String,
    /// True when Black is at the bottom.
    pub flipped: bool,
    /// True when White is to move.
    pub white_to_move: bool,
    /// Legal destinations by square of origin. Empty: nothing can be moved.
    pub destinations: Vec<(Square, Vec<Square>)>,
    /// The two squares of the last move.
    pub last_move: Option<(Square, Square)>,
    /// True when the side to move is in check.
    pub check: bool,
    /// Arrows drawn over it.
    pub arrows: Vec<Arrow>,
    /// Squares that are shaded, with their class (`share-for-3`).
    pub shaded: Vec<(Square, String)>,
}

impl BoardView {
    /// The view of a position. `last` is the move that led to it, `movable` whether the user may move pieces.
    #[must_use]
    pub fn new(position: &Chess, last: Option<Move>, flipped: bool, movable: bool) -> Self {
        let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
        Self {
            placement: fen.split(' ').next().unwrap_or_default().to_owned(),
            flipped,
            white_to_move: position.turn().is_white(),
            destinations: if movable { destinations(position) } else { Vec::new() },
            last_move: last.and_then(squares),
            check: position.is_check(),
            arrows: Vec::new(),
            shaded: Vec::new(),
        }
    }

    /// The same with shares of squares: blue for the mover, red against.
    #[must_use]
    pub fn with_shades(mut self, shades: &[Shade]) -> Self {
        let seen = shades.iter().filter(|shade| shade.depth > 0);
        self.shaded = seen
            .map(|shade| {
                let side = if shade.share > 0.0 { "for" } else { "against" };
                (shade.square, format!("share-{side}-{}", shade.depth))
            })
            .collect();
        self
    }

    /// The same with more arrows and rings.
    #[must_use]
    pub fn with_arrows(mut self, arrows: impl IntoIterator<Item = Arrow>) -> Self {
        self.arrows.extend(arrows);
        self
    }

    /// The same with one more arrow, along the move.
    #[must_use]
    pub fn with_arrow(mut self, mv: Move, brush: Brush) -> Self {
        if let Some((from, to)) = squares(mv) {
            self.arrows.push(Arrow { from, to, brush });
        }
        self
    }
}

/// Where a move starts and where its piece ends up: castling shows the king's two squares.
#[must_use]
pub fn squares(mv: Move) -> Option<(Square, Square)> {
    let from = mv.from()?;
    let to = match mv.castling_side() {
        Some(side) => Square::from_coords(side.king_to_file(), from.rank()),
        None => mv.to(),
    };
    Some((from, to))
}

/// Legal destinations by square of origin, sorted. Castling can be made on the king's goal and, as chess programs allow,
/// on the rook.
#[must_use]
pub fn destinations(position: &Chess) -> Vec<(Square, Vec<Square>)> {
    let mut all: Vec<(Square, Vec<Square>)> = Vec::new();
    for mv in position.legal_moves() {
        let Some((from, to)) = squares(mv) else { continue };
        let index = all.iter().position(|(square, _)| *square == from).unwrap_or_else(|| {
            all.push((from, Vec::new()));
            all.len() - 1
        });
        let goals = &mut all[index].1;
        for goal in [to, mv.to()] {
            if goal != from && !goals.contains(&goal) {
                goals.push(goal);
            }
        }
    }
    for (_, goals) in &mut all {
        goals.sort_unstable();
    }
    all.sort_unstable_by_key(|(square, _)| *square);
    all
}

/// What the user's drag from one square to another can mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dragged {
    /// One move.
    Move(Move),
    /// A pawn that reaches the last rank: the piece is still to be chosen, queen first.
    Promotion(Vec<(Role, Move)>),
    /// Nothing legal.
    Nothing,
}

/// Understands a drag.
#[must_use]
pub fn dragged(position: &Chess, from: Square, to: Square) -> Dragged {
    let legal = position.legal_moves();
    // A king's own step to the square takes precedence over castling onto a rook that stands there in Chess960.
    let exact = |mv: &&Move| squares(**mv) == Some((from, to));
    let onto_rook = |mv: &&Move| mv.is_castle() && mv.from() == Some(from) && mv.to() == to;
    let mut found: Vec<Move> = legal.iter().filter(exact).copied().collect();
    if found.is_empty() {
        found = legal.iter().filter(onto_rook).copied().collect();
    }
    let mut promotions: Vec<(Role, Move)> = found.iter().filter_map(|mv| Some((mv.promotion()?, *mv))).collect();
    if !promotions.is_empty() {
        promotions.sort_unstable_by_key(|(role, _)| std::cmp::Reverse(*role));
        return Dragged::Promotion(promotions);
    }
    found
        .iter()
        .find(|mv| !mv.is_castle())
        .or(found.first())
        .map_or(Dragged::Nothing, |mv| Dragged::Move(*mv))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;

    fn position(fen: &str, mode: CastlingMode) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(mode).unwrap()
    }

    #[test]
    fn start_position_has_twenty_moves() {
        let view = BoardView::new(&Chess::default(), None, false, true);
        assert_eq!(view.destinations.iter().map(|(_, to)| to.len()).sum::<usize>(), 20);
        assert_eq!(view.placement, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        assert!(view.white_to_move && !view.check && view.arrows.is_empty());
        assert!(
            BoardView::new(&Chess::default(), None, false, false)
                .destinations
                .is_empty()
        );
    }

    #[test]
    fn castling_can_be_made_two_ways_and_shows_the_kings_squares() {
        let pos = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", CastlingMode::Standard);
        let goals = destinations(&pos)
            .into_iter()
            .find(|(from, _)| *from == Square::E1)
            .unwrap()
            .1;
        for goal in [Square::G1, Square::H1, Square::C1, Square::A1] {
            assert!(goals.contains(&goal), "{goal}");
        }
        for goal in [Square::G1, Square::H1] {
            let Dragged::Move(mv) = dragged(&pos, Square::E1, goal) else {
                panic!("{goal}")
            };
            assert!(mv.is_castle());
            assert_eq!(squares(mv), Some((Square::E1, Square::G1)));
        }
    }

    #[test]
    fn chess960_king_steps_before_it_castles() {
        // King f1, rook h1: g1 is both a step and the goal of castling; the step wins, the rook castles.
        let pos = position("4k3/8/8/8/8/8/8/5K1R w H - 0 1", CastlingMode::Chess960);
        let Dragged::Move(step) = dragged(&pos, Square::F1, Square::G1) else {
            panic!()
        };
        assert!(!step.is_castle());
        let Dragged::Move(castle) = dragged(&pos, Square::F1, Square::H1) else {
            panic!()
        };
        assert!(castle.is_castle());
    }

    #[test]
    fn promotion_asks_queen_first() {
        let pos = position("8/P7/8/8/8/8/8/K1k5 w - - 0 1", CastlingMode::Standard);
        let Dragged::Promotion(choices) = dragged(&pos, Square::A7, Square::A8) else {
            panic!()
        };
        let roles: Vec<Role> = choices.iter().map(|(role, _)| *role).collect();
        assert_eq!(roles, [Role::Queen, Role::Rook, Role::Bishop, Role::Knight]);
        assert_eq!(dragged(&pos, Square::A7, Square::B8), Dragged::Nothing);
    }
}
