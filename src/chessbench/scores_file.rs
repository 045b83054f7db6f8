//! What players scored, board by board and puzzle by puzzle, as a file of JSON lines that goes on where it stops.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{metrics::BoardMetrics, puzzle::PuzzleResult};
use crate::{
    long_run::lines::{LineError, line_text, read_lines},
    searchless::header::Target,
};

/// The version of the file's shape.
pub const SCHEMA: u32 = 1;

/// Who predicts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoredPlayer {
    /// The name in tables.
    pub name: String,
    /// What it is, in a few words.
    pub what: String,
    /// What it predicts, if it is a model of ours or a scripted one: which of the paper's figures stand beside its own.
    pub target: Option<Target>,
    /// SHA-256 of its file, in hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// What is said once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoresHeader {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The program that wrote it, with its version and commit.
    pub program: String,
    /// What is scored: how many boards or puzzles, and the first digits of a hash of them.
    pub of: String,
    /// The players.
    pub players: Vec<ScoredPlayer>,
}

/// What a player did with a board or a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scored {
    /// The figures of a board.
    Board(BoardMetrics),
    /// A puzzle.
    Puzzle(PuzzleResult),
}

/// A row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoreRow {
    /// The player's name.
    pub player: String,
    /// The board's FEN, or the puzzle's name.
    pub item: String,
    /// What came of it; `None` where the player failed.
    pub scored: Option<Scored>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Milliseconds that its predictions took.
    #[serde(default)]
    pub millis: f64,
}

impl ScoreRow {
    /// As a file has it, without the end of the line.
    #[must_use]
    pub fn line(&self) -> String {
        line_text(&ScoresLine::Score(self.clone()))
    }
}

/// A line of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase")]
enum ScoresLine {
    /// The first.
    Scores(ScoresHeader),
    /// A board or a puzzle.
    Score(ScoreRow),
}

/// A file's content.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    /// What is said once.
    pub header: ScoresHeader,
    /// What is done, each player and item once, the last row of it.
    pub rows: Vec<ScoreRow>,
}

/// Why a file holds no scores.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ScoresError {
    /// It does not begin with a header.
    #[error("the file does not begin with the line of a file of scores")]
    NoHeader,
    /// It is of another shape.
    #[error("the file's shape is version {0}; this program reads version {SCHEMA}")]
    Schema(u32),
    /// A line cannot be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// Two files, or a file and a command, are about other things.
    #[error("the players, or what they were asked, differ")]
    Apart,
}

impl Scores {
    /// Nothing done yet.
    #[must_use]
    pub const fn new(header: ScoresHeader) -> Self {
        Self {
            header,
            rows: Vec::new(),
        }
    }

    /// Reads a file. Of what was tried again the last attempt counts.
    ///
    /// # Errors
    /// When it is none.
    pub fn read(text: &str) -> Result<Self, ScoresError> {
        let mut read: Option<Self> = None;
        for line in read_lines(text) {
            match (line, &mut read) {
                (Ok((_, ScoresLine::Scores(header))), None) if header.schema == SCHEMA => {
                    read = Some(Self::new(header));
                }
                (Ok((_, ScoresLine::Scores(header))), None) => return Err(ScoresError::Schema(header.schema)),
                (Ok((_, ScoresLine::Score(row))), Some(scores)) => scores.rows.push(row),
                (Err(error), Some(_)) => return Err(error.into()),
                _ => return Err(ScoresError::NoHeader),
            }
        }
        let mut scores = read.ok_or(ScoresError::NoHeader)?;
        scores.last_alone();
        Ok(scores)
    }

    fn last_alone(&mut self) {
        let mut known = HashSet::new();
        self.rows.reverse();
        self.rows
            .retain(|row| known.insert((row.player.clone(), row.item.clone())));
        self.rows.reverse();
    }

    /// Whether two files are of the same players and the same boards or puzzles.
    ///
    /// # Errors
    /// When they are not.
    pub fn same_as(&self, other: &Self) -> Result<(), ScoresError> {
        let same = self.header.players == other.header.players && self.header.of == other.header.of;
        if same { Ok(()) } else { Err(ScoresError::Apart) }
    }

    /// Takes in another shard.
    ///
    /// # Errors
    /// When it is of other players or other things.
    pub fn merge(&mut self, other: Self) -> Result<(), ScoresError> {
        self.same_as(&other)?;
        self.rows.extend(other.rows);
        self.last_alone();
        Ok(())
    }

    /// The file's first line.
    #[must_use]
    pub fn head(&self) -> String {
        line_text(&ScoresLine::Scores(self.header.clone())) + "\n"
    }

    /// What need not be done again: player and item. What failed is tried again.
    #[must_use]
    pub fn done(&self) -> HashSet<(&str, &str)> {
        let done = self.rows.iter().filter(|row| row.scored.is_some());
        done.map(|row| (row.player.as_str(), row.item.as_str())).collect()
    }

    /// The rows of a player.
    pub fn of<'a>(&'a self, player: &'a str) -> impl Iterator<Item = &'a ScoreRow> {
        self.rows.iter().filter(move |row| row.player == player)
    }

    /// The figures of a player's boards.
    #[must_use]
    pub fn boards(&self, player: &str) -> Vec<BoardMetrics> {
        let board = |row: &ScoreRow| match row.scored {
            Some(Scored::Board(figures)) => Some(figures),
            _ => None,
        };
        self.of(player).filter_map(board).collect()
    }

    /// A player's puzzles.
    #[must_use]
    pub fn puzzles(&self, player: &str) -> Vec<PuzzleResult> {
        let puzzle = |row: &ScoreRow| match row.scored {
            Some(Scored::Puzzle(result)) => Some(result),
            _ => None,
        };
        self.of(player).filter_map(puzzle).collect()
    }

    /// How many rows came to nothing.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.rows.iter().filter(|row| row.scored.is_none()).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores() -> Scores {
        let player = |name: &str| ScoredPlayer {
            name: name.to_owned(),
            what: "made up".to_owned(),
            target: Some(Target::ActionValue),
            sha256: None,
        };
        Scores::new(ScoresHeader {
            schema: SCHEMA,
            program: "test".to_owned(),
            of: "two puzzles".to_owned(),
            players: vec![player("a"), player("b")],
        })
    }

    fn row(player: &str, item: &str, solved: Option<bool>) -> ScoreRow {
        let puzzle = |solved| Scored::Puzzle(PuzzleResult { rating: 1500, solved });
        ScoreRow {
            player: player.to_owned(),
            item: item.to_owned(),
            scored: solved.map(puzzle),
            error: solved.is_none().then(|| "it failed".to_owned()),
            millis: 2.5,
        }
    }

    #[test]
    fn a_file_goes_on_and_the_last_attempt_counts() {
        let rows = [
            row("a", "x", None),
            row("b", "x", Some(false)),
            row("a", "x", Some(true)),
        ];
        let lines: Vec<String> = rows.iter().map(ScoreRow::line).collect();
        let text = scores().head() + &lines.join("\n") + "\n{\"line\":\"sco";
        let read = Scores::read(&text).unwrap();
        assert_eq!(read.rows, [rows[1].clone(), rows[2].clone()]);
        assert_eq!(read.done(), HashSet::from([("a", "x"), ("b", "x")]));
        assert!(read.puzzles("a")[0].solved && read.boards("a").is_empty());
        let failed = Scores::read(&(scores().head() + &lines[0] + "\n")).unwrap();
        assert_eq!((failed.failed(), failed.done().len()), (1, 0), "it is tried again");
        let mut whole = failed;
        whole.merge(read.clone()).unwrap();
        assert_eq!(whole.rows, read.rows);
        let mut other = scores();
        other.header.players.pop();
        assert_eq!(whole.merge(other), Err(ScoresError::Apart));
        assert_eq!(Scores::read(""), Err(ScoresError::NoHeader));
        let newer = text.replacen("\"schema\":1", "\"schema\":9", 1);
        assert_eq!(Scores::read(&newer), Err(ScoresError::Schema(9)));
    }
}
