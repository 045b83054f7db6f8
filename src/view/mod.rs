//! Domain → plain view models. Tested natively; the components only draw them.

pub mod bench;
pub mod board;
pub mod checked;
pub mod concept_bars;
pub mod examples;
pub mod fit;
pub mod lines;
pub mod move_list;
pub mod network;
pub mod probe_report;
pub mod prose;
pub mod text_board;

pub use move_list::{MoveItem, MoveLine, move_list};
pub use text_board::{TextBoard, TextSquare, text_board};
