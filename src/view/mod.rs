//! Domain → plain view models. Tested natively; the components only draw them.

pub mod bench;
pub mod board;
pub mod checked;
pub mod collection;
pub mod concept_bars;
pub mod concept_mentions;
pub mod diagram;
pub mod examples;
pub mod fit;
pub mod game_report;
pub mod game_titles;
pub mod glyphs;
pub mod html_report;
pub mod lines;
pub mod live;
pub mod marked_words;
pub mod move_list;
pub mod network;
pub mod overlay;
pub mod probe_report;
pub mod proof;
pub mod prose;
pub mod rating_charts;
pub mod reason_moves;
pub mod side_by_side;
pub mod suggested_questions;
pub mod survey;
pub mod text_board;
pub mod text_report;
pub mod variations;
pub mod win_graph;

pub use game_report::GameReport;
pub use html_report::html_report;
pub use move_list::{MoveItem, MoveLine, move_list};
pub use text_board::{TextBoard, TextSquare, text_board};
pub use text_report::text_report;
