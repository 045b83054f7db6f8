//! Chess without search, in the page.
//!
//! | file | what is there |
//! |---|---|
//! | [`annotating`] | an engine annotates boards: which, how far it is, what is saved |
//! | [`sets`] | sets of annotated boards that are given, and how much of one is in another |
//! | [`card`] | the data card of a run or a set |
//! | [`findings`] | what training found |
//! | [`competing`] | a tournament between models, networks, engines and the connected model |
//! | [`players`] | whoever can be played against or entered: what has to be fetched for it |
//! | [`predicting`] | what models, the engine and the network say of the position on the board |
//! | [`versus`] | a game of the reader against one of them |

pub mod annotating;
pub mod card;
pub mod competing;
pub mod findings;
mod players;
pub mod predicting;
pub mod sets;
pub mod versus;
