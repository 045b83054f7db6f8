//! Turns of speech put plainly, as the grammar reads them: idioms, what is fronted, what can be done, questions and answers.

pub mod ability;
pub mod cleft;
pub mod dialogue;
pub mod idiom;
pub mod openings;
pub mod question;
pub mod words;
