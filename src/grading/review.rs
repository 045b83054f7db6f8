//! The grades of moves in one position: which searches they take, and what the results come to. Whoever owns an engine
//! asks for the next request and hands its result over; the page and the lab do it alike.
//!
//! One search of the position gives the best five moves. A move outside them is searched once more *together with the best*
//! (`searchmoves best move`), so that both of its scores come from one search of the position and have one depth: two
//! searches, before and after the move, differ by a ply and by chance. Every search begins without memory, so that a grade
//! depends on the position, the move and the limit alone.

use shakmaty::{CastlingMode, Chess, Move, Position, uci::UciMove};

use super::grade::{Grade, RANKED};
use crate::{
    chess::pv_san,
    uci::{Limit, Score, SearchRequest, SearchResult},
};

/// Moves of a line that are kept.
const LINE: usize = 10;

/// Grades under way.
#[derive(Debug, Clone)]
pub struct Review {
    history: Vec<Chess>,
    position: Chess,
    mode: CastlingMode,
    limit: Limit,
    asked: Vec<Move>,
    root: Option<SearchResult>,
    beside: Vec<(Move, SearchResult)>,
}

/// Why a search's result is of no use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReviewError {
    /// The engine named no line, or not the moves that it was to search.
    #[error("the engine gave no score for {0}")]
    NoScore(String),
    /// Nothing was asked for.
    #[error("no search is waited for")]
    Unasked,
}

impl Review {
    /// The review of `moves` in a position that was reached through `history`. Moves that are not legal there are left out.
    #[must_use]
    pub fn new(
        history: Vec<Chess>,
        position: Chess,
        mode: CastlingMode,
        limit: Limit,
        moves: impl IntoIterator<Item = Move>,
    ) -> Self {
        let mut asked = Vec::new();
        for mv in moves {
            if position.is_legal(mv) && !asked.contains(&mv) {
                asked.push(mv);
            }
        }
        Self {
            history,
            position,
            mode,
            limit,
            asked,
            root: None,
            beside: Vec::new(),
        }
    }

    /// The next search; `None` when all is known.
    #[must_use]
    pub fn next(&self, id: u64) -> Option<SearchRequest> {
        let request = || {
            SearchRequest::reached(id, &self.history, self.position.clone(), self.mode, self.limit)
                .multipv(u32::from(RANKED))
                .afresh()
        };
        if self.asked.is_empty() {
            return None;
        }
        let Some(root) = &self.root else { return Some(request()) };
        let best = self.best(root)?;
        let missing = self.missing()?;
        Some(request().among(&[best, missing]).multipv(2))
    }

    /// Takes the result of the search that [`next`](Self::next) asked for.
    ///
    /// # Errors
    /// When it does not score what was to be searched.
    pub fn take(&mut self, result: SearchResult) -> Result<(), ReviewError> {
        let Some(root) = &self.root else {
            if self.best(&result).is_none() {
                return Err(ReviewError::NoScore("the position".to_owned()));
            }
            self.root = Some(result);
            return Ok(());
        };
        let (Some(best), Some(missing)) = (self.best(root), self.missing()) else {
            return Err(ReviewError::Unasked);
        };
        for mv in [best, missing] {
            if self.line_of(&result, mv).is_none() {
                return Err(ReviewError::NoScore(mv.to_uci(self.mode).to_string()));
            }
        }
        self.beside.push((missing, result));
        Ok(())
    }

    /// The searches that are still to do, as far as is known now.
    #[must_use]
    pub fn left(&self) -> usize {
        match self.root {
            None => usize::from(!self.asked.is_empty()),
            Some(_) => self.asked.iter().filter(|mv| self.needs_search(**mv)).count(),
        }
    }

    /// The grade of a move; `None` until its searches are done, or where it was not asked for.
    #[must_use]
    pub fn grade(&self, mv: Move) -> Option<Grade> {
        let root = self.root.as_ref()?;
        if !self.asked.contains(&mv) {
            return None;
        }
        let best = self.best(root)?;
        // Mate on the board needs no engine: there may be more of them than it names lines.
        let mates = self.mates(mv);
        let (best_score, score, depth, line, ranked) = if let Some(line) = self.line_of(root, mv) {
            let info = &root.lines[line];
            (
                root.lines.first()?.score,
                info.score,
                info.depth,
                info.pv.as_slice(),
                true,
            )
        } else if mates {
            (Score::Mate(1), Score::Mate(1), root.depth(), &[][..], true)
        } else {
            let (_, result) = self.beside.iter().find(|(known, _)| *known == mv)?;
            let own = &result.lines[self.line_of(result, mv)?];
            let other = &result.lines[self.line_of(result, best)?];
            (other.score, own.score, own.depth, own.pv.as_slice(), false)
        };
        let (best_score, score) = match mates {
            true => (Score::Mate(1), Score::Mate(1)),
            false => (best_score, score),
        };
        let better = root.lines.iter().filter(|line| line.score > score).count();
        let rank = if ranked {
            better.min(usize::from(RANKED)) as u8 + 1
        } else {
            RANKED + 1
        };
        let san = |line: &[UciMove]| {
            let mut sans = pv_san(&self.position, line);
            sans.truncate(LINE);
            sans
        };
        let own = [mv.to_uci(self.mode)];
        let line = san(if line.is_empty() { &own } else { line });
        let best_line = san(&root.lines.first()?.pv);
        Some(Grade {
            uci: mv.to_uci(self.mode).to_string(),
            san: line.first().cloned().unwrap_or_default(),
            best: best.to_uci(self.mode).to_string(),
            best_san: best_line.first().cloned().unwrap_or_default(),
            best_score,
            score,
            rank,
            only_move: self.position.legal_moves().len() == 1,
            depth,
            best_line,
            line,
        })
    }

    /// The grades of all moves that were asked for, in their order; without those that are still to be searched.
    #[must_use]
    pub fn grades(&self) -> Vec<Grade> {
        self.asked.iter().filter_map(|mv| self.grade(*mv)).collect()
    }

    fn missing(&self) -> Option<Move> {
        self.asked.iter().copied().find(|mv| self.needs_search(*mv))
    }

    fn needs_search(&self, mv: Move) -> bool {
        let named = self.root.as_ref().is_some_and(|root| self.line_of(root, mv).is_some());
        !named && !self.mates(mv) && !self.beside.iter().any(|(known, _)| *known == mv)
    }

    fn mates(&self, mv: Move) -> bool {
        let mut after = self.position.clone();
        after.play_unchecked(mv);
        after.is_checkmate()
    }

    fn best(&self, result: &SearchResult) -> Option<Move> {
        let uci = result.lines.first()?.pv.first()?;
        uci.to_move(&self.position).ok()
    }

    /// The place of the line that begins with a move.
    fn line_of(&self, result: &SearchResult, mv: Move) -> Option<usize> {
        result
            .lines
            .iter()
            .position(|line| line.pv.first().and_then(|uci| uci.to_move(&self.position).ok()) == Some(mv))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{read_fen, read_move},
        grading::{
            grade::Class,
            toy_engine::{flipped, flipped_move, positions, search},
        },
    };

    fn graded(fen: &str, moves: &[&str]) -> (Vec<Grade>, usize) {
        let read = read_fen(fen).unwrap();
        let asked: Vec<Move> = moves
            .iter()
            .map(|text| read_move(&read.position, read.mode, text).unwrap())
            .collect();
        let mut review = Review::new(Vec::new(), read.position, read.mode, Limit::Nodes(1), asked);
        let mut searches = 0;
        while let Some(request) = review.next(1) {
            review.take(search(&request)).unwrap();
            searches += 1;
        }
        assert_eq!(review.left(), 0);
        let grades = review.grades();
        assert_eq!(grades.len(), moves.len());
        (grades, searches)
    }

    /// The toy engine sees material two plies deep, so that every number can be worked out by hand.
    #[test]
    fn positions_worked_by_hand() {
        for (fen, mv, raw, rank, only, what) in [
            // A queen that can be taken for nothing.
            ("4k3/8/8/3q4/8/8/3R4/4K3 w - - 0 1", "Rxd5", 0, 1, false, "takes"),
            // Every sixth-best move leaves it.
            (
                "4k3/8/8/3q4/8/8/3R4/4K3 w - - 0 1",
                "Kf1",
                1_400,
                6,
                false,
                "loses the rook",
            ),
            // Mate in one, both colours.
            ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "Ra8#", 0, 1, false, "mates"),
            ("r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1", "Ra1#", 0, 1, false, "mates"),
            ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "Kd2", 9_799, 6, false, "does not"),
            // A queen up, stalemate throws it away.
            (
                "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1",
                "Qf7",
                9_999,
                6,
                false,
                "stalemate where mate was there",
            ),
            // One legal move.
            ("7k/8/8/8/8/8/1q6/K7 w - - 0 1", "Kxb2", 0, 1, true, "forced"),
            // Promotions: to a queen, and to less.
            ("8/P6k/8/8/8/8/7K/8 w - - 0 1", "a8=Q", 0, 1, false, "queen"),
            // A knight alone cannot mate: a draw.
            ("8/P6k/8/8/8/8/7K/8 w - - 0 1", "a8=N", 900, 6, false, "knight"),
        ] {
            let (grades, _) = graded(fen, &[mv]);
            let grade = &grades[0];
            assert_eq!(
                (grade.raw_loss(), grade.rank, grade.only_move),
                (raw, rank, only),
                "{mv} {what}: {grade:?}"
            );
            assert_eq!(grade.san.trim_end_matches(['+', '#']), mv.trim_end_matches(['+', '#']));
        }
    }

    #[test]
    fn one_search_serves_the_best_five_and_each_other_move_takes_one() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let (one, searches) = graded(start, &["Na3"]);
        let others = graded(start, &["Na3", "h4", "g4", "f4", "e4", "d4", "c4", "b4"]);
        assert!(searches <= 2 && others.1 <= 9, "{searches} {}", others.1);
        // What else is asked for changes nothing.
        assert_eq!(others.0[0], one[0]);
    }

    #[test]
    fn more_mates_than_lines_are_all_the_best() {
        // Four rooks and twice the queen mate on the h-file.
        let fen = "7k/8/3R4/2R5/1R6/R7/4Q3/K5R1 w - - 0 1";
        let read = read_fen(fen).unwrap();
        let mates = crate::chess::motifs::mate::mates_in_one(&read.position);
        let texts: Vec<String> = mates.iter().map(|mv| mv.to_uci(read.mode).to_string()).collect();
        assert!(texts.len() >= 6, "{texts:?}");
        let (grades, searches) = graded(fen, &texts.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(searches, 1);
        for grade in grades {
            assert_eq!(
                (grade.loss(), grade.rank, grade.class()),
                (0, 1, Class::Excellent),
                "{grade:?}"
            );
        }
    }

    #[test]
    fn grades_are_the_same_with_colours_flipped() {
        let mut graded = 0;
        for (number, position) in positions(200, 7).into_iter().enumerate() {
            let other = flipped(&position);
            let moves = position.legal_moves();
            // The first, one in the middle and the last, so that moves outside the best five are among them.
            for mv in [moves[0], moves[moves.len() / 2], moves[moves.len() - 1]] {
                let grade = |position: &Chess, mv: Move| {
                    let mut review = Review::new(
                        Vec::new(),
                        position.clone(),
                        CastlingMode::Standard,
                        Limit::Nodes(1),
                        [mv],
                    );
                    while let Some(request) = review.next(1) {
                        review.take(search(&request)).unwrap();
                    }
                    review.grade(mv).unwrap()
                };
                let (there, back) = (grade(&position, mv), grade(&other, flipped_move(&other, mv)));
                let figures = |grade: &Grade| {
                    (
                        grade.raw_loss(),
                        grade.rank,
                        grade.score,
                        grade.best_score,
                        grade.only_move,
                    )
                };
                assert_eq!(figures(&there), figures(&back), "position {number}");
                graded += 1;
            }
        }
        assert_eq!(graded, 600);
    }

    #[test]
    fn an_engine_that_names_something_else_is_refused() {
        let read = read_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
        let asked = read_move(&read.position, read.mode, "Kf1").unwrap();
        let mut review = Review::new(Vec::new(), read.position.clone(), read.mode, Limit::Nodes(1), [asked]);
        let root = search(&review.next(1).unwrap());
        let nothing = SearchResult {
            lines: Vec::new(),
            ..root.clone()
        };
        assert!(matches!(review.take(nothing), Err(ReviewError::NoScore(_))));
        review.take(root.clone()).unwrap();
        if review.next(2).is_some() {
            assert!(matches!(review.take(root), Err(ReviewError::NoScore(_))));
            assert_eq!(review.grade(asked), None);
        }
        let mut none = Review::new(Vec::new(), read.position, read.mode, Limit::Nodes(1), []);
        assert!(none.next(1).is_none() && none.left() == 0);
        assert!(none.grades().is_empty());
        let again =
            search(&SearchRequest::new(1, Chess::default(), CastlingMode::Standard, Limit::Nodes(1)).multipv(5));
        assert!(matches!(none.take(again), Err(ReviewError::NoScore(_)) | Ok(())));
    }
}
