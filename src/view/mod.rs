//! Domain → plain view models. Tested natively; the components only draw them.

pub mod board;
pub mod concept_bars;
pub mod lines;
pub mod prose;
