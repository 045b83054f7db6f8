//! What we say to an engine, one line each.

use std::fmt;

use shakmaty::uci::UciMove;
use shakmaty::{Chess, EnPassantMode, fen::Fen};

use super::Limit;

/// A command. `Display` writes it as one line without the line end, whatever its strings hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `uci`: speak UCI and introduce yourself.
    Uci,
    /// `isready`: answer `readyok` when all before it is done.
    IsReady,
    /// `ucinewgame`: forget the last game (and so the hash table).
    NewGame,
    /// `setoption name … value …`; a button has no value.
    SetOption {
        /// The option as the engine names it.
        name: String,
        /// Its new value.
        value: Option<String>,
    },
    /// `position fen … moves …`. The FEN comes from a legal position, so no engine meets one that crashes it.
    Position {
        /// Where the moves start.
        start: Box<Chess>,
        /// The moves played from there.
        moves: Vec<UciMove>,
    },
    /// `go …`
    Go {
        /// When to end.
        limit: Limit,
        /// The moves of the position to choose among (`searchmoves`); all of them where none is named.
        among: Vec<UciMove>,
    },
    /// `stop`: end the search and say `bestmove`.
    Stop,
    /// `eval`, which is Stockfish's own: print the static evaluation.
    Eval,
    /// `quit`
    Quit,
}

impl Command {
    /// `setoption` with a value.
    #[must_use]
    pub fn set(name: impl Into<String>, value: impl ToString) -> Self {
        Self::SetOption {
            name: name.into(),
            value: Some(value.to_string()),
        }
    }
}

/// Writes text that must not end the line it stands on.
struct OneLine<'a>(&'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .chars()
            .try_for_each(|c| fmt::Write::write_char(f, if c.is_control() { ' ' } else { c }))
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci => f.write_str("uci"),
            Self::IsReady => f.write_str("isready"),
            Self::NewGame => f.write_str("ucinewgame"),
            Self::SetOption { name, value: None } => write!(f, "setoption name {}", OneLine(name)),
            Self::SetOption {
                name,
                value: Some(value),
            } => write!(f, "setoption name {} value {}", OneLine(name), OneLine(value)),
            Self::Position { start, moves } => {
                let fen = Fen::from_position(start.as_ref(), EnPassantMode::Legal);
                write!(f, "position fen {fen}")?;
                if !moves.is_empty() {
                    f.write_str(" moves")?;
                }
                moves.iter().try_for_each(|m| write!(f, " {m}"))
            }
            Self::Go { limit, among } => {
                match limit {
                    Limit::Depth(plies) => write!(f, "go depth {plies}"),
                    Limit::Nodes(nodes) => write!(f, "go nodes {nodes}"),
                    Limit::Time(ms) => write!(f, "go movetime {ms}"),
                    Limit::DepthTime { plies, ms } => write!(f, "go depth {plies} movetime {ms}"),
                }?;
                // Stockfish reads all that follows the word as moves, so they come last.
                if !among.is_empty() {
                    f.write_str(" searchmoves")?;
                }
                among.iter().try_for_each(|m| write!(f, " {m}"))
            }
            Self::Stop => f.write_str("stop"),
            Self::Eval => f.write_str("eval"),
            Self::Quit => f.write_str("quit"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(limit: Limit, among: &[&str]) -> Command {
        Command::Go {
            limit,
            among: among.iter().map(|m| m.parse().unwrap()).collect(),
        }
    }

    #[test]
    fn writes_the_protocol() {
        let position = Command::Position {
            start: Box::default(),
            moves: vec!["e2e4".parse().unwrap(), "e7e5".parse().unwrap()],
        };
        for (command, text) in [
            (Command::Uci, "uci"),
            (go(Limit::Nodes(1000), &[]), "go nodes 1000"),
            (go(Limit::Depth(12), &[]), "go depth 12"),
            (go(Limit::Time(250), &[]), "go movetime 250"),
            (
                go(Limit::DepthTime { plies: 18, ms: 2_000 }, &["e2e4"]),
                "go depth 18 movetime 2000 searchmoves e2e4",
            ),
            (
                go(Limit::Nodes(9), &["e2e4", "b1c3"]),
                "go nodes 9 searchmoves e2e4 b1c3",
            ),
            (Command::set("MultiPV", 3), "setoption name MultiPV value 3"),
            (
                Command::SetOption {
                    name: "Clear Hash".into(),
                    value: None,
                },
                "setoption name Clear Hash",
            ),
            (
                position,
                "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 e7e5",
            ),
            (
                Command::set("SyzygyPath", "/a\nquit\r"),
                "setoption name SyzygyPath value /a quit ",
            ),
        ] {
            assert_eq!(command.to_string(), text);
        }
    }
}
