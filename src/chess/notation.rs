//! Moves as people type them: SAN, long algebraic, UCI, with or without numbers, marks and figurines.

use shakmaty::{
    CastlingMode, CastlingSide, Chess, Color, Move, Position, Role, Square, attacks,
    san::{San, SanPlus},
    uci::UciMove,
};

use super::{
    move_error::{CastlingBar, MoveError},
    placement::clip,
    written_move::{Written, read_written, without_number},
};

/// Reads a move and finds it among the legal ones.
///
/// Accepted: `Nf3`, `27... Ne7`, `27.Ne7`, `♘f3`, `Ng1f3`, `Ng1-f3`, `nf3`, `e8=Q`, `e8Q`, `e8=q`, `exd6 e.p.`, `O-O`,
/// `0-0`, `Nf3+!?`, `e2e4`, `e7e8q`, `e1g1` and `e1h1`. A missing `x` or check mark is no fault; an `x` where nothing is
/// captured is.
///
/// # Errors
/// Where no legal move, or more than one, is meant: what is wrong, in a sentence.
pub fn read_move(position: &Chess, mode: CastlingMode, text: &str) -> Result<Move, MoveError> {
    if text.trim().is_empty() || without_number(text).trim().is_empty() {
        return Err(MoveError::Empty);
    }
    let shown = || clip(without_number(text.trim()));
    let written = read_written(text).ok_or_else(|| MoveError::NotAMove(shown()))?;
    let legal = position.legal_moves();
    if legal.is_empty() {
        return Err(MoveError::GameOver {
            turn: position.turn(),
            checkmate: position.is_check(),
        });
    }
    match written {
        Written::Null => Err(MoveError::NullMove(shown())),
        Written::Castle(side) => {
            let mv = legal.iter().find(|m| m.castling_side() == Some(side)).copied();
            mv.ok_or_else(|| cannot_castle(position, side))
        }
        Written::To { .. } => read_to(position, mode, &legal, written, &shown),
    }
}

/// Whether a text has the form of a move other than a null move, whatever the board.
#[must_use]
pub fn is_written(text: &str) -> bool {
    !matches!(read_written(text), None | Some(Written::Null))
}

/// The wing that `typed` castles to, were `color` to move with its king at home in standard chess: `O-O`, `0-0-0`,
/// `e1g1`, `e8h8`, `Ke1-g1`.
pub(super) fn castling_wing(typed: &str, color: Color) -> Option<CastlingSide> {
    match read_written(typed)? {
        Written::Castle(side) => Some(side),
        Written::To {
            role: None | Some(Role::King),
            file: Some(file),
            rank: Some(rank),
            to,
            promotion: None,
            ..
        } => {
            let home = Square::from_coords(shakmaty::File::E, color.backrank());
            if Square::from_coords(file, rank) != home || to.rank() != color.backrank() {
                return None;
            }
            match to.file() {
                shakmaty::File::G | shakmaty::File::H => Some(CastlingSide::KingSide),
                shakmaty::File::C | shakmaty::File::A => Some(CastlingSide::QueenSide),
                _ => None,
            }
        }
        _ => None,
    }
}

/// An engine's line in SAN with check marks. Stops at the first move that is not legal.
#[must_use]
pub fn pv_san(position: &Chess, line: &[UciMove]) -> Vec<String> {
    let mut position = position.clone();
    let mut sans = Vec::with_capacity(line.len().min(256));
    for uci in line {
        let Ok(mv) = uci.to_move(&position) else { break };
        sans.push(SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string());
    }
    sans
}

fn read_to(
    position: &Chess,
    mode: CastlingMode,
    legal: &[Move],
    written: Written,
    shown: &dyn Fn() -> String,
) -> Result<Move, MoveError> {
    let Written::To {
        role,
        file,
        rank,
        capture,
        to,
        promotion,
    } = written
    else {
        return Err(MoveError::NotAMove(shown()));
    };
    let from = file.zip(rank).map(|(file, rank)| Square::from_coords(file, rank));
    if let Some(mv) = from.and_then(|from| castling_by_squares(position, mode, legal, role, from, to)) {
        return Ok(mv);
    }
    let board = position.board();
    let turn = position.turn();
    if let Some(from) = from {
        let piece = board.piece_at(from).ok_or(MoveError::EmptySquare(from))?;
        if piece.color != turn {
            return Err(MoveError::NotYours { turn, square: from });
        }
        if let Some(role) = role.filter(|role| *role != piece.role) {
            return Err(MoveError::OtherPiece {
                turn,
                role,
                square: from,
            });
        }
    }
    let role = role
        .or_else(|| from.and_then(|from| board.role_at(from)))
        .unwrap_or(Role::Pawn);
    let fits =
        |square: Square| file.is_none_or(|file| square.file() == file) && rank.is_none_or(|rank| square.rank() == rank);
    // `d5` alone is a push: a pawn that captures names its file.
    let push_only = role == Role::Pawn && file.is_none() && !capture;
    let found: Vec<Move> = legal
        .iter()
        .filter(|m| !m.is_castle() && m.role() == role && m.to() == to && m.from().is_some_and(fits))
        .filter(|m| !(push_only && m.is_capture()))
        .copied()
        .collect();
    if found.is_empty() {
        return Err(why_not(position, role, &fits, to, push_only, shown));
    }
    if promotion.is_some() && found.iter().all(|m| m.promotion().is_none()) {
        return Err(MoveError::NoPromotion(to));
    }
    if promotion.is_none() && found.iter().any(|m| m.promotion().is_some()) {
        return Err(MoveError::PromotionMissing(to));
    }
    let found: Vec<Move> = found.into_iter().filter(|m| m.promotion() == promotion).collect();
    if capture && found.iter().all(|m| !m.is_capture()) {
        return Err(MoveError::NotACapture(to));
    }
    match found.as_slice() {
        [one] => Ok(*one),
        many => {
            let mut candidates: Vec<String> = many.iter().map(|m| San::from_move(position, *m).to_string()).collect();
            candidates.sort();
            Err(MoveError::Ambiguous {
                text: shown(),
                candidates,
            })
        }
    }
}

/// Castling written as squares: king to its goal (`e1g1`) or, as in Chess960, king takes rook (`e1h1`).
fn castling_by_squares(
    position: &Chess,
    mode: CastlingMode,
    legal: &[Move],
    role: Option<Role>,
    from: Square,
    to: Square,
) -> Option<Move> {
    if role.is_some_and(|role| role != Role::King) || position.board().king_of(position.turn()) != Some(from) {
        return None;
    }
    let castles = || legal.iter().filter(|m| m.is_castle());
    if let Some(mv) = castles().find(|m| m.to() == to) {
        return Some(*mv);
    }
    // In Chess960 the goal may be one ordinary step away: then the step is meant.
    let step = mode.is_chess960()
        && legal
            .iter()
            .any(|m| !m.is_castle() && m.from() == Some(from) && m.to() == to);
    castles()
        .find(|m| {
            !step
                && m.castling_side()
                    .is_some_and(|side| side.king_to(position.turn()) == to)
        })
        .copied()
}

fn cannot_castle(position: &Chess, side: CastlingSide) -> MoveError {
    let color = position.turn();
    let castles = position.castles();
    let occupied = position.board().occupied();
    let bar = if !castles.has(color, side) {
        CastlingBar::NoRight
    } else if let Some(square) = (castles.path(color, side) & occupied).first() {
        CastlingBar::Blocked(square)
    } else if position.is_check() {
        CastlingBar::InCheck
    } else {
        let goal = side.king_to(color);
        let way = position
            .board()
            .king_of(color)
            .map(|king| attacks::between(king, goal).with(goal));
        let attacked = way.and_then(|way| {
            way.into_iter()
                .find(|square| position.board().attacks_to(*square, !color, occupied).any())
        });
        CastlingBar::Attacked(attacked.unwrap_or(goal))
    };
    MoveError::CannotCastle { color, side, bar }
}

/// Why no legal move fits, where none does.
fn why_not(
    position: &Chess,
    role: Role,
    fits: &dyn Fn(Square) -> bool,
    to: Square,
    push_only: bool,
    shown: &dyn Fn() -> String,
) -> MoveError {
    let board = position.board();
    let turn = position.turn();
    let all = board.by_role(role) & board.by_color(turn);
    if all.is_empty() {
        return MoveError::NoSuchPiece { turn, role };
    }
    if let Some(own) = board.piece_at(to).filter(|piece| piece.color == turn) {
        return MoveError::OwnPiece {
            turn,
            role: own.role,
            to,
        };
    }
    let reaching: Vec<Square> = all
        .into_iter()
        .filter(|from| fits(*from) && reaches(position, *from, to, push_only))
        .collect();
    if reaching.is_empty() {
        let named: Vec<Square> = all.into_iter().filter(|square| fits(*square)).collect();
        let from = if named.is_empty() {
            all.into_iter().collect()
        } else {
            named
        };
        return MoveError::CannotReach { role, to, from };
    }
    let king = if role == Role::King {
        Some(to)
    } else {
        board.king_of(turn)
    };
    MoveError::LeavesCheck {
        text: shown(),
        turn,
        king: king.unwrap_or(to),
        pinned: role != Role::King && !position.is_check(),
    }
}

/// Whether the piece on `from` gets to `to` by the way it moves, checks aside.
fn reaches(position: &Chess, from: Square, to: Square, push_only: bool) -> bool {
    let board = position.board();
    let turn = position.turn();
    if board.role_at(from) != Some(Role::Pawn) {
        return board.attacks_from(from).contains(to);
    }
    let captures = board.by_color(!turn).contains(to) || position.maybe_ep_square() == Some(to);
    if board.attacks_from(from).contains(to) {
        return captures && !push_only;
    }
    let step = turn.fold_wb(8, -8);
    let one = from.offset(step).filter(|square| board.piece_at(*square).is_none());
    let home = from.rank() == turn.relative_rank(shakmaty::Rank::Second);
    let two = one.filter(|_| home).and_then(|square| square.offset(step));
    from.file() == to.file() && (one == Some(to) || (two == Some(to) && board.piece_at(to).is_none()))
}
