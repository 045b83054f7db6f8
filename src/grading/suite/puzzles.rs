//! Lichess's puzzles, and mates in one mined from games.

use std::collections::BTreeSet;

use shakmaty::{Chess, Color, Position, uci::UciMove};

use super::{
    games::placement,
    goal::Goal,
    hints::{MATE_IN_ONE, concept, expert_of, motifs},
    position::{Reached, TestPosition},
};
use crate::{
    chess::{
        game::{Game, NodeId},
        motifs::mate::mates_in_one,
        read_fen,
    },
    pace::{AtOnce, Pace, at_once},
    random::seeded_hash,
    table_file::{TableFile, TableFileError},
};

/// Why a file of puzzles gives none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PuzzleError {
    /// Its header lacks a column.
    #[error("the puzzles' header has no column {0}")]
    Column(&'static str),
    /// It is no table.
    #[error("the puzzles cannot be read: {0}")]
    Table(#[from] TableFileError),
}

/// The columns that are read, by the names that publishers give them: Lichess's first.
const COLUMNS: [&[&str]; 5] = [
    &["PuzzleId", "Puzzle_Id", "Puzzle Id", "Id"],
    &["FEN"],
    &["Moves"],
    &["Rating"],
    &["Themes"],
];

/// Whether a table has the columns that tell puzzles from games and positions.
#[must_use]
pub fn is_puzzles(table: &TableFile<'_>) -> bool {
    let has = |names: &[&str]| {
        let mut columns = table.columns().iter();
        columns.any(|column| names.iter().any(|name| column.eq_ignore_ascii_case(name)))
    };
    has(&COLUMNS[0][..3]) || has(COLUMNS[1])
}

/// The puzzles of a table with Lichess's columns: PuzzleId, FEN (before the opponent's move), Moves, Rating, Themes; others
/// are not looked at. Also how many rows are no puzzles.
///
/// # Errors
/// When it is no such file.
pub fn from_csv(text: &str) -> Result<(Vec<TestPosition>, usize), PuzzleError> {
    at_once(from_csv_at(text, &AtOnce))
}

/// The same in turns.
///
/// # Errors
/// As [`from_csv`].
pub async fn from_csv_at(text: &str, pace: &impl Pace) -> Result<(Vec<TestPosition>, usize), PuzzleError> {
    let mut table = TableFile::open_at(text, pace).await?;
    let mut places = [0; 5];
    for (place, names) in places.iter_mut().zip(COLUMNS) {
        let mut found = None;
        for name in names {
            found = found.or(table.find(name)?);
        }
        *place = found.ok_or(PuzzleError::Column(names[0]))?;
    }
    let (mut puzzles, mut bad) = (Vec::new(), 0);
    let mut known = BTreeSet::new();
    while let Some((_, row)) = table.next() {
        pace.turn().await;
        let puzzle = row.ok().and_then(|row| {
            let [id, fen, moves, rating, themes] = places.map(|place| row.name(place));
            puzzle(id, fen, &words(moves), table.number(rating), words(themes))
        });
        match puzzle {
            Some(puzzle) if known.insert(puzzle.id.clone()) => puzzles.push(puzzle),
            _ => bad += 1,
        }
    }
    Ok((puzzles, bad))
}

/// The words of a cell, with blanks between them or as lists of Python, NumPy and JSON have them: `['mate' 'mateIn1']`.
#[must_use]
pub fn words(cell: &str) -> Vec<&str> {
    let between = |letter: char| letter.is_whitespace() || "[](){},'\"".contains(letter);
    cell.split(between).filter(|word| !word.is_empty()).collect()
}

fn puzzle(id: &str, fen: &str, moves: &[&str], rating: Option<f64>, themes: Vec<&str>) -> Option<TestPosition> {
    let read = read_fen(fen).ok()?;
    let (first, line) = moves.split_first()?;
    let mut position = read.position.clone();
    let opponent = first.parse::<UciMove>().ok()?.to_move(&position).ok()?;
    position.play_unchecked(opponent);
    // The whole line is legal, and the solver makes its last move.
    let mut at = position.clone();
    for uci in line {
        let mv = uci.parse::<UciMove>().ok()?.to_move(&at).ok()?;
        at.play_unchecked(mv);
    }
    let solution = line.first()?.parse::<UciMove>().ok()?.to_move(&position).ok()?;
    if id.is_empty() || line.len().is_multiple_of(2) {
        return None;
    }
    let reached = Reached {
        history: vec![read.position.clone()],
        moves: vec![opponent],
        position: position.clone(),
        mode: read.mode,
    };
    let themes: Vec<String> = themes.into_iter().map(str::to_owned).collect();
    let mate = line.len() == 1 && at.is_checkmate();
    let goal = match mate {
        true => Goal::Mate,
        false => Goal::Line {
            line: line.iter().map(|uci| (*uci).to_owned()).collect(),
        },
    };
    let mut found = TestPosition {
        start: Some(fen.to_owned()),
        moves: (*first).to_owned(),
        rating: rating
            .filter(|rating| (0.0..10_000.0).contains(rating))
            .map(|rating| rating.round() as u16),
        motifs: motifs(&reached, solution),
        expert: Some(expert_of(&position, solution)),
        themes,
        ..TestPosition::new(id, &position, read.mode, goal)
    };
    found.concept = concept(&found);
    Some(found)
}

/// Gathers positions with a mate in one from games: at most one of a game for each side.
#[derive(Debug, Clone, Default)]
pub struct Mates {
    known: BTreeSet<String>,
    found: Vec<TestPosition>,
}

impl Mates {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Looks through a game's main line.
    pub fn add(&mut self, game: &Game, name: &str) {
        let mode = game.mode();
        let mut position = game.root().clone();
        let mut reached = Reached {
            history: Vec::new(),
            moves: Vec::new(),
            position: position.clone(),
            mode,
        };
        let mut taken = [false; 2];
        for id in game.main_line().into_iter().filter(|id| *id != NodeId::ROOT) {
            let Some(mv) = game.mv(id) else { break };
            let side = position.turn().fold_wb(0, 1);
            if !taken[side] {
                let mates = mates_in_one(&position);
                if let Some(mate) = mates.first()
                    && self.known.insert(placement(&position))
                {
                    taken[side] = true;
                    reached.position = position.clone();
                    let ply = reached.moves.len() as u32 + 1;
                    let start = (game.root() != &Chess::default()).then(|| crate::chess::write_fen(game.root(), mode));
                    self.found.push(TestPosition {
                        start,
                        moves: reached
                            .moves
                            .iter()
                            .map(|mv| mv.to_uci(mode).to_string())
                            .collect::<Vec<_>>()
                            .join(" "),
                        game: Some(name.to_owned()),
                        ply: Some(ply),
                        motifs: motifs(&reached, *mate),
                        themes: vec!["mateIn1".to_owned()],
                        played: Some(mv.to_uci(mode).to_string()),
                        expert: Some(expert_of(&position, *mate)),
                        concept: Some(MATE_IN_ONE.to_owned()),
                        ..TestPosition::new(format!("{name}@{ply}"), &position, mode, Goal::Mate)
                    });
                }
            }
            reached.history.push(position.clone());
            reached.moves.push(mv);
            position.play_unchecked(mv);
        }
    }

    /// `count` of what was found, drawn with `seed`, each side's half of them where there are enough.
    #[must_use]
    pub fn finish(self, count: usize, seed: u64) -> Vec<TestPosition> {
        drawn(self.found, count, seed)
    }
}

/// `count` of these positions, drawn with `seed`: White's and Black's in turn, as long as there are both; in their old order.
#[must_use]
pub fn drawn(positions: Vec<TestPosition>, count: usize, seed: u64) -> Vec<TestPosition> {
    let mut order: Vec<usize> = (0..positions.len()).collect();
    order.sort_by_key(|at| (seeded_hash(seed, &positions[*at].id), *at));
    let side = |color: Color| {
        order
            .iter()
            .copied()
            .filter(|at| positions[*at].turn() == color)
            .collect::<Vec<_>>()
    };
    let (white, black) = (side(Color::White), side(Color::Black));
    let mut chosen: BTreeSet<usize> = BTreeSet::new();
    for place in 0..white.len().max(black.len()) {
        for one in [white.get(place), black.get(place)].into_iter().flatten() {
            if chosen.len() < count {
                chosen.insert(*one);
            }
        }
    }
    let mut number = 0;
    positions
        .into_iter()
        .filter(|_| {
            number += 1;
            chosen.contains(&(number - 1))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::read_pgn;

    const CSV: &str = "PuzzleId,FEN,Moves,Rating,Themes\n\
        001pC,r4rk1/pp3ppp/3b4/2p1pPB1/7N/2PP3n/PP4PP/R2Q1RqK w - - 5 18,f1g1 h3f2,870,mate mateIn1 middlegame oneMove smotheredMate\n\
        bad,nonsense,e2e4,1,x\n\
        001cr,8/3B2pp/p5k1/2p3P1/1p1p1K2/8/1P6/8 b - - 0 38,c5c4 d7e8,1679,bishopEndgame endgame mate mateIn1 oneMove\n";

    #[test]
    fn lichess_puzzles_begin_after_the_opponents_move() {
        let (puzzles, bad) = from_csv(CSV).unwrap();
        assert_eq!((puzzles.len(), bad), (2, 1));
        let at = &puzzles[0];
        assert_eq!(
            (at.goal.clone(), at.rating, at.turn()),
            (Goal::Mate, Some(870), Color::Black)
        );
        assert_eq!(at.read().unwrap().history.len(), 1);
        assert_eq!(at.expert.as_deref(), Some("best move - Nf2# Mate in 1"));
        assert_eq!(at.concept.as_deref(), Some(MATE_IN_ONE));
        assert!(at.motifs.contains(&"checkmate".to_owned()), "{:?}", at.motifs);
        assert_eq!(from_csv("a,b\n1,2\n"), Err(PuzzleError::Column("PuzzleId")));
    }

    #[test]
    fn mates_are_mined_whoever_misses_them() {
        let file = read_pgn("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qf3 d6 5. a3 Ke7 *\n\n1. f3 e5 2. g4 d6 *").unwrap();
        let mut mates = Mates::new();
        for (number, game) in file.games.iter().enumerate() {
            mates.add(game, &format!("g{number}"));
        }
        let found = mates.finish(10, 1);
        let ids: Vec<&str> = found.iter().map(|at| at.id.as_str()).collect();
        assert_eq!(ids, ["g0@7", "g1@4"]);
        assert_eq!(found[0].played.as_deref(), Some("h5f3"));
    }
}
