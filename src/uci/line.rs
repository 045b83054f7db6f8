//! What an engine prints, parsed once at the edge.

use serde::{Deserialize, Serialize};
use shakmaty::uci::UciMove;

use super::{Score, uci_text};

/// How long a search may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// A depth, in plies.
    Depth(u32),
    /// Nodes: the only limit that gives the same result on every machine.
    Nodes(u64),
    /// A time, in milliseconds.
    Time(u32),
    /// Whichever ends first.
    DepthTime {
        /// A depth, in plies.
        plies: u32,
        /// A time, in milliseconds.
        ms: u32,
    },
}

/// What page and lab search unless they are asked otherwise: the verdict stands within 2 s on the page (`#/bench`).
pub const DEFAULT_NODES: u64 = 200_000;

impl Default for Limit {
    fn default() -> Self {
        Self::Nodes(DEFAULT_NODES)
    }
}

impl Limit {
    /// Twice as much, `times` times over: nodes and time are doubled, each time two plies are added to a depth, which costs
    /// more than twice as much.
    #[must_use]
    pub fn doubled(self, times: u32) -> Self {
        let deeper = |plies: u32| plies.saturating_add(times.saturating_mul(2));
        let longer = |ms: u32| ms.saturating_mul(1 << times.min(30));
        match self {
            Self::Depth(plies) => Self::Depth(deeper(plies)),
            Self::Nodes(nodes) => Self::Nodes(nodes.saturating_mul(1 << times.min(32))),
            Self::Time(ms) => Self::Time(longer(ms)),
            Self::DepthTime { plies, ms } => Self::DepthTime {
                plies: deeper(plies),
                ms: longer(ms),
            },
        }
    }

    /// Half as much, at least 1; two plies less of a depth.
    #[must_use]
    pub fn halved(self) -> Self {
        let shallower = |plies: u32| plies.saturating_sub(2).max(1);
        match self {
            Self::Depth(plies) => Self::Depth(shallower(plies)),
            Self::Nodes(nodes) => Self::Nodes((nodes / 2).max(1)),
            Self::Time(ms) => Self::Time((ms / 2).max(1)),
            Self::DepthTime { plies, ms } => Self::DepthTime {
                plies: shallower(plies),
                ms: (ms / 2).max(1),
            },
        }
    }

    /// `depth 12`, `300,000 nodes`, `1.5 s`, `depth 18 or 2 s`.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::Depth(plies) => format!("depth {plies}"),
            Self::Nodes(nodes) => {
                let digits = nodes.to_string();
                let groups: Vec<&str> = digits
                    .as_bytes()
                    .rchunks(3)
                    .rev()
                    .filter_map(|group| str::from_utf8(group).ok())
                    .collect();
                format!("{} nodes", groups.join(","))
            }
            Self::Time(ms) => format!("{} s", f64::from(ms) / 1000.0),
            Self::DepthTime { plies, ms } => format!("{} or {}", Self::Depth(plies).words(), Self::Time(ms).words()),
        }
    }
}

/// One `info … score … pv …` line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Info {
    /// Plies searched.
    pub depth: u32,
    /// 1 for the best line, 2 for the second best, …
    pub multipv: u32,
    /// From the side to move's view.
    pub score: Score,
    /// True where the score is only a lower or upper bound.
    pub bound: bool,
    /// Win, draw, loss per mille for the side to move, where the engine says.
    pub wdl: Option<[u16; 3]>,
    /// Nodes searched so far, all lines together.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// Milliseconds since `go`.
    pub time: u64,
    /// The principal variation; not yet known to be legal. Empty where the engine gave a score alone.
    #[serde(with = "uci_text::line")]
    pub pv: Vec<UciMove>,
}

/// A line of engine output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UciLine {
    /// `id name …`
    Name(String),
    /// `option name … type spin … min … max …`: what values a number of the engine's may have.
    Range {
        /// The option as the engine names it.
        name: String,
        /// The least value.
        least: i64,
        /// The greatest.
        most: i64,
    },
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `info … score … pv …`
    Info(Box<Info>),
    /// `bestmove …`; `None` for `(none)` or `0000`, when the game is over.
    BestMove(Option<UciMove>),
    /// A complaint that ends the engine's usefulness (`CRITICAL ERROR …`, `ERROR …`).
    Fatal(String),
    /// Anything else.
    Other(String),
}

impl UciLine {
    /// Reads one line of engine output, with or without its line end. Never fails: what is not understood is
    /// [`UciLine::Other`].
    #[must_use]
    pub fn parse(line: &str) -> Self {
        let line = line.trim();
        let (word, rest) = split_word(line);
        match word {
            "id" => match split_word(rest) {
                ("name", name) if !name.is_empty() => Self::Name(name.to_owned()),
                _ => Self::Other(line.to_owned()),
            },
            "option" => range(rest).unwrap_or_else(|| Self::Other(line.to_owned())),
            "uciok" if rest.is_empty() => Self::UciOk,
            "readyok" if rest.is_empty() => Self::ReadyOk,
            "bestmove" if !rest.is_empty() => Self::BestMove(normal_move(split_word(rest).0)),
            "info" => match split_word(rest) {
                // Stockfish says this before it gives up, for example when its network file is missing.
                ("string", text) if text.starts_with("ERROR") => Self::Fatal(text.to_owned()),
                ("string", _) => Self::Other(line.to_owned()),
                _ => Info::parse(rest).map_or_else(|| Self::Other(line.to_owned()), |info| Self::Info(Box::new(info))),
            },
            _ if line.starts_with("CRITICAL ERROR") || line.starts_with("ERROR") => Self::Fatal(line.to_owned()),
            _ => Self::Other(line.to_owned()),
        }
    }
}

impl Info {
    /// Reads what follows `info`. `None` without a depth and a score.
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let (mut depth, mut score, mut bound, mut wdl) = (None, None, false, None);
        let (mut multipv, mut nodes, mut nps, mut time) = (1, 0, 0, 0);
        let mut pv = Vec::new();
        while let Some(word) = words.next() {
            match word {
                "depth" => depth = Some(words.next()?.parse().ok()?),
                "multipv" => multipv = words.next()?.parse().ok().filter(|&n| n > 0)?,
                "score" => {
                    score = Some(match (words.next()?, words.next()?.parse().ok()?) {
                        ("cp", cp) => Score::Cp(cp),
                        ("mate", moves) => Score::Mate(moves),
                        _ => return None,
                    });
                }
                "lowerbound" | "upperbound" => bound = true,
                "wdl" => {
                    let mut next = || words.next()?.parse().ok();
                    wdl = Some([next()?, next()?, next()?]);
                }
                "nodes" => nodes = words.next()?.parse().ok()?,
                "nps" => nps = words.next()?.parse().ok()?,
                "time" => time = words.next()?.parse().ok()?,
                // The variation is the last thing on the line; what is no move ends it.
                "pv" => pv = words.by_ref().map_while(normal_move).collect(),
                "string" => break,
                _ => {}
            }
        }
        Some(Self {
            depth: depth?,
            multipv,
            score: score?,
            bound,
            wdl,
            nodes,
            nps,
            time,
            pv,
        })
    }
}

/// The range in what follows `option`, where it is that of a number.
fn range(text: &str) -> Option<UciLine> {
    // Names have spaces; `type` is no part of any.
    let (name, kind) = text.strip_prefix("name ")?.split_once(" type spin")?;
    let mut words = kind.split_whitespace();
    let (mut least, mut most) = (None, None);
    while let Some(word) = words.next() {
        match word {
            "min" => least = words.next()?.parse().ok(),
            "max" => most = words.next()?.parse().ok(),
            _ => {}
        }
    }
    Some(UciLine::Range {
        name: name.trim().to_owned(),
        least: least?,
        most: most?,
    })
}

/// The first word and what follows it, both trimmed.
fn split_word(text: &str) -> (&str, &str) {
    text.split_once(char::is_whitespace)
        .map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

/// A move of a piece on the board: no null move and no drop, which chess does not have.
fn normal_move(word: &str) -> Option<UciMove> {
    word.parse().ok().filter(|m| matches!(m, UciMove::Normal { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn info(line: &str) -> Info {
        match UciLine::parse(line) {
            UciLine::Info(info) => *info,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn reads_a_full_info_line() {
        let got = info(
            "info depth 6 seldepth 5 multipv 2 score cp -46 wdl 1 918 81 nodes 2182 nps 545500 hashfull 0 tbhits 0 \
             time 4 pv c7c5 g1f3 e7e8q\r\n",
        );
        assert_eq!(got.depth, 6);
        assert_eq!(got.multipv, 2);
        assert_eq!(got.score, Score::Cp(-46));
        assert!(!got.bound);
        assert_eq!(got.wdl, Some([1, 918, 81]));
        assert_eq!((got.nodes, got.nps, got.time), (2182, 545_500, 4));
        let pv: Vec<String> = got.pv.iter().map(ToString::to_string).collect();
        assert_eq!(pv, ["c7c5", "g1f3", "e7e8q"]);
    }

    #[test]
    fn bounds_mates_and_short_lines() {
        assert!(info("info depth 12 score cp 30 lowerbound nodes 5 pv e2e4").bound);
        assert_eq!(info("info depth 3 score mate -2 pv e2e4").score, Score::Mate(-2));
        let over = info("info depth 0 score mate 0");
        assert_eq!((over.score, over.multipv, over.pv.len()), (Score::Mate(0), 1, 0));
        assert_eq!(info("info depth 2 score cp 1 pv e2e4 (none) e7e5").pv.len(), 1);
    }

    #[test]
    fn the_rest_of_the_protocol() {
        let cases = [
            ("id name Stockfish 15.1", UciLine::Name("Stockfish 15.1".into())),
            (
                "option name UCI_Elo type spin default 1350 min 1350 max 2850",
                UciLine::Range {
                    name: "UCI_Elo".into(),
                    least: 1350,
                    most: 2850,
                },
            ),
            ("uciok", UciLine::UciOk),
            ("  readyok\r\n", UciLine::ReadyOk),
            ("bestmove (none)", UciLine::BestMove(None)),
            ("bestmove 0000", UciLine::BestMove(None)),
            ("bestmove e2e4 ponder e7e5", UciLine::BestMove("e2e4".parse().ok())),
            ("CRITICAL ERROR: bad", UciLine::Fatal("CRITICAL ERROR: bad".into())),
            (
                "info string ERROR: no network",
                UciLine::Fatal("ERROR: no network".into()),
            ),
            ("", UciLine::Other(String::new())),
        ];
        for (text, line) in cases {
            assert_eq!(UciLine::parse(text), line, "{text}");
        }
        for other in [
            "info string NNUE evaluation using x score cp 3 depth 2",
            "info depth 20 currmove e2e4 currmovenumber 1",
            "info depth 3 score cp",
            "info depth 99999999999999 score cp 1",
            "info depth 1 multipv 0 score cp 1 pv e2e4",
            "bestmove",
            "uciok now",
            "id name",
            "option name Hash type spin default 16 min 1",
            "option name Clear Hash type button",
            "option name Ponder type check default false",
        ] {
            assert_eq!(UciLine::parse(other), UciLine::Other(other.into()), "{other}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in any::<String>()) {
            let _ = UciLine::parse(&text);
        }

        #[test]
        fn no_shuffled_protocol_panics(words in proptest::collection::vec(
            prop_oneof![
                Just("info"), Just("depth"), Just("multipv"), Just("score"), Just("cp"), Just("mate"), Just("wdl"),
                Just("pv"), Just("e2e4"), Just("a7a8q"), Just("-1"), Just("7"), Just("18446744073709551615"),
                Just("lowerbound"), Just("nodes"), Just("string"), Just("bestmove"), Just("\u{e9}"), Just("Q@e4"),
            ],
            0..24,
        )) {
            let _ = UciLine::parse(&words.join(" "));
            let _ = UciLine::parse(&format!("info depth 1 score cp 1 {}", words.join(" ")));
        }

        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = UciLine::parse(&String::from_utf8_lossy(&bytes));
        }
    }
}
