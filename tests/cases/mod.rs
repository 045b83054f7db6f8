//! Small inputs after public bug reports, each with its right answer and where it was reported: the files of
//! `tests/data/cases`, a table a kind beside them. A kind says in one function what Kibitz makes of an input, in the words
//! of its table.

mod bytes;
mod others;
mod positions;
mod games;
mod table;
mod tables;
