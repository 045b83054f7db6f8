//! A text that somebody gives to be annotated, whatever it is: a run that goes on, games, or a FEN a line.

use thiserror::Error;

use super::{
    board::{Board, BoardCounts, Boards},
    run_file::{AnnotationRun, AnnotationRunError},
};
use crate::{
    chess::{
        FenError,
        fen::read_fen,
        pasted::{PastedError, read_pasted_at},
        pgn_pieces::pieces,
    },
    pace::Pace,
};

/// Bytes after which games are cut into pieces, at the next game's first tag: readers take 2 MB and 5,000 games.
const PIECE: usize = 128 << 10;

/// What a text holds.
#[derive(Debug, Clone)]
pub enum BoardSource {
    /// A run.
    Run(Box<AnnotationRun>),
    /// Boards, each once.
    Boards(GivenBoards),
}

/// Boards of a text.
#[derive(Debug, Clone, Default)]
pub struct GivenBoards {
    /// The boards.
    pub boards: Vec<Board>,
    /// What became of all that were offered.
    pub counts: BoardCounts,
    /// Whether there are more, which were not read.
    pub more: bool,
    /// What in the games could not be read: how much, and the first of it in words.
    pub problems: Option<(usize, String)>,
}

/// Why a text holds no boards.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BoardSourceError {
    /// A run that cannot be read.
    #[error(transparent)]
    Run(#[from] AnnotationRunError),
    /// A set: it is annotated already.
    #[error("it is a set of annotated boards; its data card is made below, and only a run can go on")]
    Set,
    /// A line among FENs is none.
    #[error("line {line}: {error}")]
    Fen {
        /// From 1.
        line: usize,
        /// What is wrong with it.
        error: FenError,
    },
    /// No game.
    #[error(transparent)]
    Games(#[from] PastedError),
    /// Boards that have no symbols.
    #[error(
        "none of its {0} boards can be written in the symbols (Chess960’s castling, or a move from the 1,000th on)"
    )]
    NoBoard(usize),
}

/// Reads a text; of its boards the first so many.
///
/// # Errors
/// When it holds none.
pub async fn read_boards_at(text: &str, most: usize, pace: &impl Pace) -> Result<BoardSource, BoardSourceError> {
    let text = text.trim_start_matches('\u{feff}');
    let is_said = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    let first = text.lines().find(is_said).ok_or(PastedError::Empty)?;
    if first.starts_with("{\"line\":\"chessbench\"") || first.starts_with("fen,value,") {
        return Err(BoardSourceError::Set);
    }
    if first.starts_with('{') {
        let run = AnnotationRun::read_at(text, pace).await?;
        return Ok(BoardSource::Run(Box::new(run)));
    }
    let mut gathered = Boards::default();
    let (mut more, mut problems) = (false, None::<(usize, String)>);
    if read_fen(first).is_ok() {
        for (number, line) in text.lines().enumerate().filter(|(_, line)| is_said(line)) {
            pace.turn().await;
            if gathered.as_slice().len() >= most {
                more = true;
                break;
            }
            let line_number = number + 1;
            gathered.add_fen(line).map_err(|error| BoardSourceError::Fen {
                line: line_number,
                error,
            })?;
        }
    } else {
        for piece in pieces(text, PIECE) {
            if gathered.as_slice().len() >= most {
                more = true;
                break;
            }
            let read = match read_pasted_at(piece, pace).await {
                Ok(read) => read,
                // Of a long file one piece may be nonsense; the first must not be.
                Err(error) if gathered.counts().games == 0 => return Err(error.into()),
                Err(error) => {
                    problems.get_or_insert((0, error.to_string())).0 += 1;
                    continue;
                }
            };
            if let Some(problem) = read.problems.first() {
                let count = read.problems.len() + read.more_problems;
                problems.get_or_insert((0, problem.to_string())).0 += count;
            }
            for game in &read.games {
                if gathered.as_slice().len() >= most {
                    more = true;
                    break;
                }
                gathered.add_game(game);
                pace.turn().await;
            }
        }
    }
    let (mut boards, counts) = gathered.into_parts();
    more |= boards.len() > most;
    boards.truncate(most);
    if boards.is_empty() {
        return Err(BoardSourceError::NoBoard(counts.offered));
    }
    Ok(BoardSource::Boards(GivenBoards {
        boards,
        counts,
        more,
        problems,
    }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{super::record::tests::set, *};
    use crate::pace::{AtOnce, at_once};

    fn read(text: &str, most: usize) -> Result<BoardSource, BoardSourceError> {
        at_once(read_boards_at(text, most, &AtOnce))
    }

    fn boards(text: &str, most: usize) -> GivenBoards {
        match read(text, most) {
            Ok(BoardSource::Boards(given)) => given,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn games_fens_and_runs_are_told_apart() {
        let games = boards("1. f3 e5 2. g4 Qh4# 0-1\n\n1. f3 e5 2. Nc3 *\n", 100);
        assert_eq!(
            (games.boards.len(), games.counts.games, games.counts.repeated),
            (6, 2, 3)
        );
        let fens = "# two\n8/8/8/8/8/5k2/8/R6K w - - 0 1\n\n7k/8/8/8/8/8/8/K7 w - -\n";
        assert_eq!(boards(fens, 100).boards.len(), 2);
        let first = boards(fens, 1);
        assert_eq!((first.boards.len(), first.more), (1, true));
        let set = set(3);
        let oracle = set.header.oracle.clone().unwrap();
        let run = AnnotationRun::new(games.boards, games.counts, oracle, "test".to_owned());
        assert!(matches!(read(&run.text(), 1), Ok(BoardSource::Run(read)) if *read == run));
    }

    #[test]
    fn what_holds_none_is_refused_by_what_is_wrong() {
        assert_eq!(read(&set(3).text(), 10).unwrap_err(), BoardSourceError::Set);
        assert!(matches!(read("nonsense", 10), Err(BoardSourceError::Games(_))));
        assert!(matches!(read("", 10), Err(BoardSourceError::Games(PastedError::Empty))));
        assert!(matches!(
            read(
                "8/8/8/8/8/5k2/8/R6K w - - 0 1\n8/8/8/8/8/5k2/8/R6K w - -\nnonsense\n",
                10
            ),
            Err(BoardSourceError::Fen { line: 3, .. })
        ));
        assert_eq!(
            read("8/8/8/8/8/5k2/6q1/7K w - - 0 1000", 10).unwrap_err(),
            BoardSourceError::NoBoard(1)
        );
        assert!(matches!(read("{\"x\":1}\n", 10), Err(BoardSourceError::Run(_))));
    }

    #[test]
    fn a_long_file_is_read_in_pieces() {
        let game = "[Event \"a\"]\n[White \"b\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n";
        let text = game.repeat(2 * PIECE / game.len() + 10);
        let all: Vec<&str> = pieces(&text, PIECE).collect();
        assert_eq!(all.len(), 3);
        assert_eq!(all.concat(), text);
        assert!(all.iter().all(|piece| piece.starts_with("[Event")));
        let given = boards(&text, 100);
        assert_eq!(given.counts.games, text.len() / game.len());
        assert_eq!((given.boards.len(), given.more), (5, false));
    }

    proptest! {
        #[test]
        fn any_text_leaves_the_reader_standing(text in "(\\PC{0,60}\n){0,4}") {
            let _ = read(&text, 5);
        }
    }
}
