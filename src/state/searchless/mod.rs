//! Chess without search, in the page.
//!
//! | file | what is there |
//! |---|---|
//! | [`annotating`] | an engine annotates boards: which, how far it is, what is saved |
//! | [`sets`] | sets of annotated boards that are given, and how much of one is in another |
//! | [`card`] | the data card of a run or a set |

pub mod annotating;
pub mod card;
pub mod sets;
