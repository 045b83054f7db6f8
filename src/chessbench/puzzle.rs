//! Puzzles: the whole line has to be found, the opponent's replies are given, and any other mate counts.

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Move, Position};

use super::metrics::LEVEL;
use crate::{
    grading::suite::{
        goal::Verdict,
        position::{PositionError, Reached, TestPosition},
    },
    stats::rate::{Rate, wilson},
    survey::analysis::table::{Cell, Table},
};

/// The width of a band of ratings in figure 2.
pub const BAND: u16 = 200;

/// Puzzles of the dataset, and their lowest and highest rating.
const PAPER: (usize, u16, u16) = (10_000, 399, 2867);

/// A puzzle that is being solved. What comes is what the released code does: at the first move that is not the line's the puzzle
/// is over, solved if that move mates. The dataset gives the whole game before the puzzle; Lichess's table gives the opponent's
/// last move alone, so that repetitions before it are not known.
#[derive(Debug, Clone)]
pub struct PuzzleAttempt<'a> {
    puzzle: &'a TestPosition,
    reached: Reached,
    turn: usize,
    solved: Option<bool>,
}

impl<'a> PuzzleAttempt<'a> {
    /// The beginning of a puzzle.
    ///
    /// # Errors
    /// When the puzzle contradicts itself.
    pub fn new(puzzle: &'a TestPosition) -> Result<Self, PositionError> {
        Ok(Self {
            reached: puzzle.read()?,
            puzzle,
            turn: 0,
            solved: None,
        })
    }

    /// The position in which a move is wanted, with the positions before it; `None` when the puzzle is over.
    #[must_use]
    pub const fn asks(&self) -> Option<&Reached> {
        match self.solved {
            None => Some(&self.reached),
            Some(_) => None,
        }
    }

    /// Takes the solver's move; what is not legal is wrong.
    pub fn answer(&mut self, mv: Move) {
        if self.solved.is_some() {
            return;
        }
        let (position, mode) = (&self.reached.position, self.reached.mode);
        if !position.is_legal(mv) {
            self.solved = Some(false);
            return;
        }
        match self.puzzle.goal.verdict(position, mode, mv, self.turn) {
            Verdict::Solved => self.solved = Some(true),
            Verdict::Missed | Verdict::Played => self.solved = Some(false),
            Verdict::GoOn(reply) => {
                self.play(mv);
                self.play(reply);
                self.turn += 1;
            }
        }
    }

    fn play(&mut self, mv: Move) {
        let before: Chess = self.reached.position.clone();
        self.reached.position.play_unchecked(mv);
        self.reached.history.push(before);
        self.reached.moves.push(mv);
    }

    /// Whether it is solved; `None` while it goes on.
    #[must_use]
    pub const fn solved(&self) -> Option<bool> {
        self.solved
    }
}

/// The result of a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PuzzleResult {
    /// How hard it is.
    pub rating: u16,
    /// Whether the whole line was found.
    pub solved: bool,
}

/// Solved puzzles of a band of ratings.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Band {
    /// From this rating on, [`BAND`] wide.
    pub from: u16,
    /// How many are solved, with Wilson's interval.
    pub solved: Rate,
}

/// How many puzzles a player has solved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PuzzleAccuracy {
    /// Of all; `None` without any.
    pub all: Option<Rate>,
    /// By bands of ratings that hold any, the lowest first.
    pub bands: Vec<Band>,
}

/// Puzzle accuracy, by bands of ratings (figure 2).
#[must_use]
pub fn by_rating(results: &[PuzzleResult]) -> PuzzleAccuracy {
    let rate = |kept: &dyn Fn(&PuzzleResult) -> bool| {
        let kept: Vec<_> = results.iter().filter(|result| kept(result)).collect();
        let solved = kept.iter().filter(|result| result.solved).count();
        wilson(solved, kept.len(), LEVEL).ok()
    };
    let last = results.iter().map(|result| result.rating / BAND).max();
    let bands = (0..=last.unwrap_or(0)).filter_map(|band| {
        let solved = rate(&|result| result.rating / BAND == band)?;
        Some(Band {
            from: band * BAND,
            solved,
        })
    });
    PuzzleAccuracy {
        all: rate(&|_| true),
        bands: bands.collect(),
    }
}

/// Puzzle accuracy by bands of ratings as a table, a column a player.
#[must_use]
pub fn rating_table(players: &[(&str, &[PuzzleResult])]) -> Table {
    let accuracies: Vec<PuzzleAccuracy> = players.iter().map(|(_, results)| by_rating(results)).collect();
    let mut head = vec!["Rating".to_owned()];
    for (name, _) in players {
        head.extend([format!("{name}: puzzles"), "Solved, %".to_owned(), "95 %".to_owned()]);
    }
    let cells = |rate: Option<Rate>| match rate {
        None => [Cell::Count(0), Cell::None, Cell::None],
        Some(rate) => {
            let Rate { rate, interval, n, .. } = rate;
            let ends = format!("{:.1} to {:.1}", interval.low * 100.0, interval.high * 100.0);
            [Cell::Count(n), Cell::Number(rate * 100.0, 1), Cell::Text(ends)]
        }
    };
    let all_bands = accuracies.iter().flat_map(|player| &player.bands);
    let mut froms: Vec<u16> = all_bands.map(|band| band.from).collect();
    froms.sort_unstable();
    froms.dedup();
    let row = |name: String, of: &dyn Fn(&PuzzleAccuracy) -> Option<Rate>| {
        let figures = accuracies.iter().flat_map(|player| cells(of(player)));
        [Cell::Text(name)].into_iter().chain(figures).collect::<Vec<_>>()
    };
    let mut rows: Vec<Vec<Cell>> = froms
        .into_iter()
        .map(|from| {
            let of = |player: &PuzzleAccuracy| {
                let band = player.bands.iter().find(|band| band.from == from)?;
                Some(band.solved)
            };
            row(format!("{from}–{}", from + BAND - 1), &of)
        })
        .collect();
    rows.push(row("all".to_owned(), &|player| player.all));
    let (count, low, high) = PAPER;
    Table {
        caption: "Puzzles solved, by rating (figure 2)".to_owned(),
        head,
        rows,
        notes: vec![format!(
            "Solved is the whole line, or another mate. The paper's puzzles are {count} rated {low} to {high}; intervals are Wilson's."
        )],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grading::suite::puzzles::from_csv;
    use shakmaty::uci::UciMove;

    const HEAD: &str = "PuzzleId,FEN,Moves,Rating,Themes\n";

    /// After 1. f3 e5 2. g4 there is one mate; the other ends in mate at its second move.
    fn puzzles() -> Vec<TestPosition> {
        let rows = [
            "fool,rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2,g2g4 d8h4,600,mateIn1",
            "rooks,6k1/R7/1R6/8/8/8/2K5/7r b - - 0 1,h1h2 c2c3 g8f8 b6b8,1500,mate",
        ];
        let (puzzles, bad) = from_csv(&format!("{HEAD}{}\n", rows.join("\n"))).unwrap();
        assert_eq!((puzzles.len(), bad), (2, 0));
        puzzles
    }

    fn attempt(puzzle: &TestPosition, moves: &str) -> Option<bool> {
        let mut attempt = PuzzleAttempt::new(puzzle).unwrap();
        for uci in moves.split_whitespace() {
            let reached = attempt.asks()?.clone();
            attempt.answer(uci.parse::<UciMove>().unwrap().to_move(&reached.position).unwrap());
        }
        attempt.solved()
    }

    #[test]
    fn the_whole_line_counts_and_another_mate_does() {
        let [fool, rooks] = &puzzles()[..] else {
            panic!("two puzzles")
        };
        assert_eq!(attempt(fool, "d8h4"), Some(true));
        assert_eq!(attempt(fool, "d8g5"), Some(false));
        assert_eq!(attempt(rooks, "c2c3"), None, "it goes on");
        assert_eq!(attempt(rooks, "c2c3 b6b8"), Some(true));
        assert_eq!(attempt(rooks, "c2c3 a7a8"), Some(false), "a check that does not mate");
        assert_eq!(attempt(rooks, "c2d3"), Some(false), "as good, but not the line");
        let mut over = PuzzleAttempt::new(fool).unwrap();
        let first = over.asks().unwrap().position.legal_moves()[0];
        let wrong = over.asks().unwrap().history[0].legal_moves()[0];
        over.answer(wrong);
        over.answer(first);
        assert_eq!(
            (over.solved(), over.asks().is_none()),
            (Some(false), true),
            "an illegal move ends it"
        );
    }

    #[test]
    fn accuracy_is_told_by_bands_of_ratings() {
        let result = |rating, solved| PuzzleResult { rating, solved };
        let results = [
            result(399, true),
            result(400, false),
            result(599, true),
            result(2867, false),
        ];
        let PuzzleAccuracy { all, bands } = by_rating(&results);
        assert_eq!(all.map(|rate| (rate.count, rate.n)), Some((2, 4)));
        let found: Vec<_> = bands
            .iter()
            .map(|band| (band.from, band.solved.count, band.solved.n))
            .collect();
        assert_eq!(found, [(200, 1, 1), (400, 1, 2), (2800, 0, 1)]);
        let table = rating_table(&[("ours", &results), ("nobody", &[])]);
        let shown: Vec<String> = table.rows[1].iter().map(Cell::shown).collect();
        assert_eq!(shown[..3], ["400–599", "2", "50.0"]);
        assert_eq!(shown[4..], ["0", "–", "–"]);
        let nothing = by_rating(&[]);
        assert_eq!((nothing.all, nothing.bands.len()), (None, 0));
    }
}
