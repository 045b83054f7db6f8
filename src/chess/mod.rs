//! Positions and moves, and what can be said of them with certainty.
//!
//! | file | what is there |
//! |---|---|
//! | [`played`] | the move under discussion with the position it was played in |
//! | [`fen`] | FEN read and written; `fen_fields`, `placement`, `castling_field` read its parts |
//! | [`fen_error`], [`repair`] | why a FEN is refused, what was mended in one |
//! | [`epd`] | EPD: a position with operations |
//! | [`notation`] | typed moves (SAN, long algebraic, UCI) found among the legal ones; `written_move` reads them without a board |
//! | [`move_error`] | why a typed move is not played |
//! | [`names`] | White, knight, …: the words for sides and pieces |
//! | [`attacks`], [`exchange`], [`man`] | who attacks what, and what a capture is worth |
//! | [`motifs`] | pins, forks, skewers, discovered attacks, trapped pieces, mates |
//! | [`material`], [`pawns`], [`shelter`] | what can be counted: men, pawn structure, the king's shield |
//! | [`offer`] | material that a move offers |
//! | [`quiescence`] | where captures have settled |
//! | [`endings`] | endings with few men: their names, who wins, and why |
//! | [`game`] | the game tree |
//! | [`mod@pass`] | the pass, written as a null move |
//! | [`openings`] | names of openings, by position |
//! | [`mod@draw_claim`] | draws by repetition and by fifty moves |
//! | [`pgn`], [`pgn_writer`] | PGN read and written; `pgn_tokens` splits its text, `pgn_tag`, `pgn_result` and `variant` read parts of it |
//! | [`pgn_problem`] | what could not be read in a PGN, or was read otherwise than it stands there |
//! | [`embedded_commands`] | `[%eval …]` and its like in PGN comments |
//! | [`pasted`] | whatever one box accepts: FEN, EPD, PGN, moves, links |
//! | [`link`] | the `#fen=…&move=…` of a shared link |
//!
//! ```
//! use kibitz::chess::{Played, read_fen, read_move};
//!
//! let start = read_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")?;
//! let mv = read_move(&start.position, start.mode, "e2-e4")?;
//! let played = Played::new(start.position, mv, start.mode, Vec::new()).ok_or("not legal")?;
//! assert_eq!(played.san(), "e4");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod attacks;
mod castling_field;
pub mod destination;
pub mod draw_claim;
pub mod embedded_commands;
pub mod endings;
pub mod epd;
pub mod exchange;
pub mod fen;
pub mod fen_error;
mod fen_fields;
pub mod game;
pub mod link;
pub mod man;
pub mod material;
pub mod motifs;
pub mod move_error;
pub mod names;
pub mod notation;
pub mod offer;
pub mod openings;
pub mod pass;
pub mod pasted;
pub mod pawns;
pub mod pgn;
pub mod pgn_pieces;
pub mod pgn_problem;
mod pgn_result;
mod pgn_tag;
mod pgn_tokens;
pub mod pgn_writer;
mod placement;
pub mod played;
mod position_list;
pub mod quiescence;
pub mod repair;
pub mod shelter;
pub mod typed_move;
mod variant;
mod written_move;

pub use destination::{captured, destination};
pub use draw_claim::{DrawClaim, draw_claim};
pub use fen::{ReadFen, read_fen, with_castling_restored, write_fen};
pub use fen_error::FenError;
pub use game::{Game, NodeId};
pub use link::Link;
pub use man::Man;
pub use move_error::MoveError;
pub use notation::{pv_san, read_move};
pub use openings::{Opening, Openings};
pub use pasted::{Pasted, read_pasted};
pub use played::Played;
pub use repair::Repair;
