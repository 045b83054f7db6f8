//! The annotation of one board: which searches it takes, and what their results come to. Whoever owns an engine asks for the
//! next request and hands its result over; the page and the lab do it alike.
//!
//! The engine's memory is cleared before the first search of a board and kept until its last, so that a record depends on the
//! board, the engine and a limit in nodes alone: in whatever order boards are annotated, on however many machines, the records
//! are the same.

use shakmaty::{Move, Position};

use super::{
    action::Action,
    board::Board,
    record::{ActionSearch, ActionValue, BoardRecord},
};
use crate::uci::{Info, Limit, Score, SearchRequest, SearchResult};

/// A board under way.
#[derive(Debug, Clone)]
pub struct Annotation {
    board: Board,
    limit: Limit,
    search: ActionSearch,
    legal: Vec<(Action, Move)>,
    state: Option<Score>,
    /// As many as are known, in the order of actions.
    actions: Vec<ActionValue>,
    nodes: u64,
}

/// Why a search's result is of no use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnnotationError {
    /// The engine named no line, or not of what it was to search.
    #[error("the engine gave no score for {0}")]
    NoScore(String),
    /// Nothing was asked for.
    #[error("no search is waited for")]
    Unasked,
}

impl Annotation {
    /// A board of which nothing is known yet. Where the game is over nothing has to be searched: mated is 0, a draw ½.
    #[must_use]
    pub fn new(board: Board, limit: Limit, search: ActionSearch) -> Self {
        let legal = board.legal();
        let state = legal.is_empty().then(|| match board.position().is_check() {
            true => Score::Mate(0),
            false => Score::Cp(0),
        });
        Self {
            board,
            limit,
            search,
            legal,
            state,
            actions: Vec::new(),
            nodes: 0,
        }
    }

    /// The next search; `None` when all is known. First the board, then each legal move by itself.
    #[must_use]
    pub fn next(&self, id: u64) -> Option<SearchRequest> {
        let request = || SearchRequest::new(id, self.board.position().clone(), self.board.mode(), self.limit);
        match (self.state, self.search) {
            (None, ActionSearch::EachMove) => Some(request().afresh()),
            // No position has more than 218 moves.
            (None, ActionSearch::Multipv) => Some(request().afresh().multipv(self.legal.len() as u32)),
            (Some(_), _) => {
                let (_, mv) = self.legal.get(self.actions.len())?;
                Some(request().among(&[*mv]))
            }
        }
    }

    /// Takes the result of the search that [`next`](Self::next) asked for.
    ///
    /// # Errors
    /// When it does not score what was to be searched.
    pub fn take(&mut self, result: &SearchResult) -> Result<(), AnnotationError> {
        let score_of = |action: Action| {
            let first = |line: &&Info| line.pv.first().is_some_and(|uci| Action::of_uci(*uci) == Ok(action));
            let line = result.lines.iter().find(first);
            line.map(|line| line.score)
                .ok_or_else(|| AnnotationError::NoScore(format!("{action} in {}", self.board.fen())))
        };
        if self.state.is_none() {
            let best = result.lines.first().map(|line| line.score);
            let state = best.ok_or_else(|| AnnotationError::NoScore(self.board.fen().to_owned()))?;
            if self.search == ActionSearch::Multipv {
                self.actions = self
                    .legal
                    .iter()
                    .map(|(action, _)| Ok(ActionValue::of_score(*action, score_of(*action)?)))
                    .collect::<Result<_, AnnotationError>>()?;
            }
            self.state = Some(state);
        } else {
            let (action, _) = self.legal.get(self.actions.len()).ok_or(AnnotationError::Unasked)?;
            let score = score_of(*action)?;
            self.actions.push(ActionValue::of_score(*action, score));
        }
        self.nodes = self.nodes.saturating_add(result.nodes);
        Ok(())
    }

    /// The searches that are still to do.
    #[must_use]
    pub fn left(&self) -> usize {
        match (self.state, self.search) {
            (None, ActionSearch::EachMove) => 1 + self.legal.len(),
            (None, ActionSearch::Multipv) => 1,
            (Some(_), _) => self.legal.len() - self.actions.len(),
        }
    }

    /// Nodes of its searches so far.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The record; `None` until all searches are done.
    #[must_use]
    pub fn record(&self) -> Option<BoardRecord> {
        let state = self.state.filter(|_| self.actions.len() == self.legal.len())?;
        Some(BoardRecord::new(&self.board, state, self.actions.clone()))
    }
}

/// How many searches boards take.
#[must_use]
pub fn searches<'a>(boards: impl IntoIterator<Item = &'a Board>, search: ActionSearch) -> usize {
    let of = |board: &Board| match (board.position().legal_moves().len(), search) {
        (0, _) => 0,
        (_, ActionSearch::Multipv) => 1,
        (moves, ActionSearch::EachMove) => 1 + moves,
    };
    boards.into_iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Limit = Limit::Nodes(100);

    fn line(uci: &str, score: Score) -> Info {
        Info {
            depth: 3,
            multipv: 1,
            score,
            bound: false,
            wdl: None,
            nodes: 50,
            nps: 1,
            time: 1,
            pv: vec![uci.parse().unwrap()],
        }
    }

    fn result(lines: Vec<Info>) -> SearchResult {
        SearchResult {
            best: None,
            nodes: 50,
            nps: 1,
            time: 1,
            lines,
        }
    }

    fn board() -> Board {
        Board::read("8/8/8/8/8/5k2/8/R6K w - - 0 1").unwrap()
    }

    /// What an engine would say that finds every move worth its number.
    fn answer(request: &SearchRequest, board: &Board) -> SearchResult {
        let go = request.go().to_string();
        let wanted = go.split_once("searchmoves ").map(|(_, uci)| uci.to_owned());
        let legal = board.legal();
        let named = legal
            .iter()
            .filter(|(action, _)| wanted.as_ref().is_none_or(|uci| *uci == action.to_string()))
            .take(request.expected_lines());
        result(
            named
                .map(|(action, _)| line(&action.to_string(), Score::Cp(i32::from(action.number()))))
                .collect(),
        )
    }

    #[test]
    fn the_board_is_searched_and_then_each_move_by_itself() {
        let board = board();
        let mut annotation = Annotation::new(board.clone(), LIMIT, ActionSearch::EachMove);
        let mut asked = Vec::new();
        let all = annotation.left();
        assert_eq!(all, 1 + board.legal().len());
        assert_eq!(searches([&board], ActionSearch::EachMove), all);
        while let Some(request) = annotation.next(asked.len() as u64) {
            assert_eq!(annotation.left(), all - asked.len());
            assert_eq!(annotation.record(), None);
            annotation.take(&answer(&request, &board)).unwrap();
            asked.push((request.is_afresh(), request.go().to_string()));
        }
        assert_eq!(asked[0], (true, "go nodes 100".to_owned()));
        assert!(asked[1..].iter().all(|(afresh, _)| !afresh), "the memory is kept");
        assert_eq!(asked[1].1, "go nodes 100 searchmoves a1b1");
        let record = annotation.record().unwrap();
        assert_eq!(record.clone().checked().as_ref(), Ok(&record));
        assert_eq!(record.best, board.legal().last().map(|(action, _)| *action));
        assert_eq!(annotation.nodes(), 50 * all as u64);
        assert_eq!(annotation.take(&result(Vec::new())), Err(AnnotationError::Unasked));
    }

    #[test]
    fn one_search_with_a_line_for_each_move_serves_too() {
        let board = board();
        let mut annotation = Annotation::new(board.clone(), LIMIT, ActionSearch::Multipv);
        let request = annotation.next(1).unwrap();
        assert_eq!((annotation.left(), request.lines() as usize), (1, board.legal().len()));
        let mut half = answer(&request, &board);
        half.lines.pop();
        assert!(matches!(annotation.take(&half), Err(AnnotationError::NoScore(_))));
        annotation.take(&answer(&request, &board)).unwrap();
        assert!(annotation.next(2).is_none());
        assert_eq!(annotation.record().unwrap().actions.len(), board.legal().len());
    }

    #[test]
    fn a_finished_game_needs_no_search_and_another_moves_score_is_refused() {
        for (fen, value) in [
            ("8/8/8/8/8/5k2/6q1/7K w - - 0 9", 0.0),
            ("8/8/8/8/8/5k2/5p2/5K2 w - - 0 9", 0.5),
        ] {
            let annotation = Annotation::new(Board::read(fen).unwrap(), LIMIT, ActionSearch::EachMove);
            assert!(annotation.next(1).is_none());
            let record = annotation.record().unwrap();
            assert_eq!(
                (record.value, record.best, record.actions.len()),
                (Some(value), None, 0)
            );
        }
        let mut annotation = Annotation::new(board(), LIMIT, ActionSearch::EachMove);
        assert!(matches!(
            annotation.take(&result(Vec::new())),
            Err(AnnotationError::NoScore(_))
        ));
        annotation.take(&result(vec![line("a1a8", Score::Cp(5))])).unwrap();
        let other = result(vec![line("a1a8", Score::Cp(5))]);
        assert!(matches!(annotation.take(&other), Err(AnnotationError::NoScore(what)) if what.starts_with("a1b1")));
    }
}
