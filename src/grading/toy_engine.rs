//! An engine for tests: it counts material two plies deep, the same for both colours, and answers any request at once.

use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position, Role};

use crate::{
    random::Rng,
    uci::{Info, Score, SearchRequest, SearchResult},
};

/// A move with its score, and its place among moves of the same score.
type Scored = (Score, (u8, u32, u32, u8), Move);

/// What the engine says to a request, its moves to choose among included.
pub fn search(request: &SearchRequest) -> SearchResult {
    let root = request.root();
    let go = request.go().to_string();
    let among: Option<Vec<&str>> = go
        .split_once(" searchmoves ")
        .map(|(_, moves)| moves.split(' ').collect());
    let mut scored: Vec<Scored> = root
        .legal_moves()
        .into_iter()
        .filter(|mv| {
            let uci = mv.to_uci(request.mode()).to_string();
            among.as_ref().is_none_or(|among| among.contains(&uci.as_str()))
        })
        .map(|mv| (score(root, mv), place(root, mv), mv))
        .collect();
    scored.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.truncate(request.lines() as usize);
    let line = |(number, (score, _, mv)): (usize, &Scored)| Info {
        depth: 2,
        multipv: number as u32 + 1,
        score: *score,
        bound: false,
        wdl: None,
        nodes: 1,
        nps: 1,
        time: 1,
        pv: vec![mv.to_uci(request.mode())],
    };
    SearchResult {
        lines: scored.iter().enumerate().map(line).collect(),
        best: scored.first().map(|(_, _, mv)| mv.to_uci(request.mode())),
        nodes: 1,
        nps: 1,
        time: 1,
    }
}

/// The order of moves of one score, the same for both colours.
fn place(position: &Chess, mv: Move) -> (u8, u32, u32, u8) {
    let turn = position.turn();
    let own = |square: shakmaty::Square| u32::from(turn.fold_wb(square, square.flip_vertical()));
    (
        mv.role() as u8,
        mv.from().map_or(0, own),
        own(mv.to()),
        mv.promotion().map_or(0, |role| role as u8),
    )
}

/// A move's score in the mover's view: the material after the reply that is worst for it.
fn score(position: &Chess, mv: Move) -> Score {
    let mover = position.turn();
    let mut after = position.clone();
    after.play_unchecked(mv);
    if after.is_checkmate() {
        return Score::Mate(1);
    }
    let replies = after.legal_moves();
    if replies.is_empty() || after.is_insufficient_material() {
        return Score::Cp(0);
    }
    let mut worst = Score::Mate(1);
    for reply in replies {
        let mut end = after.clone();
        end.play_unchecked(reply);
        let score = if end.is_checkmate() {
            Score::Mate(-1)
        } else if end.legal_moves().is_empty() {
            Score::Cp(0)
        } else {
            Score::Cp(material(&end, mover))
        };
        worst = worst.min(score);
    }
    worst
}

fn material(position: &Chess, view: Color) -> i32 {
    let side = |color: Color| {
        [
            (Role::Pawn, 100),
            (Role::Knight, 300),
            (Role::Bishop, 300),
            (Role::Rook, 500),
            (Role::Queen, 900),
        ]
        .iter()
        .map(|(role, worth)| {
            (position.board().by_color(color) & position.board().by_role(*role)).count() as i32 * worth
        })
        .sum::<i32>()
    };
    side(view) - side(!view)
}

/// Positions of random games in which at least three moves can be made.
pub fn positions(count: usize, seed: u64) -> Vec<Chess> {
    let mut rng = Rng::new(seed);
    let mut found = Vec::with_capacity(count);
    while found.len() < count {
        let mut position = Chess::default();
        for _ in 0..8 + rng.below(70) {
            let moves = position.legal_moves();
            let Some(mv) = moves.get(rng.below(moves.len())) else {
                break;
            };
            position.play_unchecked(*mv);
        }
        if position.legal_moves().len() >= 3 {
            found.push(position);
        }
    }
    found
}

/// The same position with the colours changed and the board turned over.
pub fn flipped(position: &Chess) -> Chess {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.mirror();
    setup.position(CastlingMode::Standard).unwrap()
}

/// A move of a position in the flipped one.
pub fn flipped_move(flipped: &Chess, mv: Move) -> Move {
    let uci = mv.to_uci(CastlingMode::Standard).to_string();
    let turned: String = uci
        .chars()
        .map(|c| match c.to_digit(10) {
            Some(rank) => char::from_digit(9 - rank, 10).unwrap(),
            None => c,
        })
        .collect();
    turned
        .parse::<shakmaty::uci::UciMove>()
        .unwrap()
        .to_move(flipped)
        .unwrap()
}
