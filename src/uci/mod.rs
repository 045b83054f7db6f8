//! The Universal Chess Interface: engine text to typed lines and back.
//!
//! - [`mod@line`]: what an engine prints, parsed once at the edge; [`command`]: what we print.
//! - [`score`]: scores, their order, their win probability.
//! - [`search`]: from the lines of one search to its result.
//! - [`session`]: the life of one engine process as a pure state machine, which the native driver and the browser's
//!   service both feed.
//! - [`uci_text`]: moves in what is written down.
//!
//! ```
//! use kibitz::uci::{Score, Search, UciLine};
//!
//! let mut search = Search::new(1);
//! search.on_line(&UciLine::parse("info depth 12 multipv 1 score cp 31 nodes 100 nps 1 time 1 pv e2e4 e7e5"));
//! search.on_line(&UciLine::parse("bestmove e2e4"));
//! let best = &search.into_result().lines[0];
//! assert_eq!(best.score, Score::Cp(31));
//! assert!(best.score.win_probability() > 0.5);
//! ```

pub mod command;
pub mod known_searches;
pub mod line;
pub mod request;
pub mod score;
pub mod search;
pub mod session;
pub mod uci_text;

pub use command::Command;
pub use known_searches::KnownSearches;
pub use line::{DEFAULT_NODES, Info, Limit, UciLine};
pub use request::{IllegalLead, SearchRequest};
pub use score::Score;
pub use search::{Search, SearchResult};
pub use session::{Dead, Event, Refused, Session, Waiting};
