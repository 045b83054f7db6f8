//! Small inputs after public bug reports, each with its right answer and where it was reported: the files of
//! `tests/data/cases`, a table a kind beside them. A kind says in one function what Kibitz makes of an input, in the words
//! of its table.

mod bytes;
mod games;
mod others;
mod positions;
mod replies;
mod streams;
mod table;
mod tables;
