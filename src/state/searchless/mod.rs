//! Chess without search, in the page.
//!
//! | file | what is there |
//! |---|---|
//! | [`annotating`] | an engine annotates boards: which, how far it is, what is saved |
//! | [`sets`] | sets of annotated boards that are given, and how much of one is in another |
//! | [`card`] | the data card of a run or a set |
//! | [`findings`] | what training found |
//! | [`predicting`] | what models, the engine and the network say of the position on the board |

pub mod annotating;
pub mod card;
pub mod findings;
pub mod predicting;
pub mod sets;
