//! Judging comments without people.
//!
//! | file | what is there |
//! |---|---|
//! | [`overlap`] | BLEU-1 and ROUGE: how many words a comment shares with a reference |

pub mod overlap;
