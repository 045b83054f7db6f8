//! Judging comments without people: two language-model judges, and the claim check as a third. Word overlap with
//! a reference is in [`overlap`](crate::overlap).
//!
//! A run is *items × methods × judges × criteria × orders*. It is one file of JSON lines, wherever it ran: what is asked and
//! by whom, the items with what the board and the engine say of them, and a row for every judgement or failure.
//!
//! | file | what is there |
//! |---|---|
//! | [`item`] | a move with its comments, and what a judge is told of it |
//! | [`declared_comment`] | a comment by the claims that a model declared of it |
//! | [`gcc_eval`] | one comment, one criterion, 1 to 5: the paper's metric (CCC, section 3.2) |
//! | [`rubric`] | two comments, six criteria: the pairwise rubric |
//! | [`claim_score`] | what the claim check says of a comment, as scores |
//! | [`judges`] | which models judge, and how they are asked |
//! | [`task`] | the single judgements of a run, and which are left to do |
//! | [`exchange`] | one judgement: requests, replies, the row in the end |
//! | [`run_file`] | a run as JSON lines: reading, going on, putting shards together |
//! | [`report`] | the tables of a run |

pub mod claim_score;
pub mod declared_comment;
pub mod exchange;
pub mod gcc_eval;
pub mod item;
pub mod judges;
pub mod report;
pub mod rubric;
pub mod run_file;
pub mod task;

/// The version of what judges are asked, raised with every change to a prompt.
pub const VERSION: u32 = 1;
