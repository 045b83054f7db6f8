//! `lab audit`: whether what the narrator says is right: what its sentences claim, as statements, judged by deep searches here and
//! by python-chess elsewhere. Nothing reads its English.
//!
//! | file | what is there |
//! |---|---|
//! | [`games`] | whether the known turning points of famous games are found |
//! | [`sample`] | which moves are audited |
//! | [`mod@reference`] | the deep searches of each |
//! | [`task`] | a move of a sample |
//! | [`report`] | comments judged, and the figures |
//! | [`judge`] | what the deep searches say of a claim |
//! | [`statements`] | comments with their claims, for a judge elsewhere |

mod games;
mod judge;
mod reference;
mod report;
mod sample;
mod statements;
mod task;

use std::error::Error;

/// The steps of an audit.
#[derive(Debug, clap::Subcommand)]
pub enum Step {
    /// Draws moves from games, puzzles and positions.
    Sample(sample::Args),
    /// Searches them deep; goes on with a file that is there.
    Search(reference::Args),
    /// Comments on them and judges every sentence by the deep searches.
    Report(report::Args),
    /// Writes comments with their claims as statements, for a judge that shares no code with us.
    Statements(statements::Args),
    /// Annotates famous games, and looks whether their known points are among the turning points.
    Games(games::Args),
}

/// Runs a step.
pub fn run(step: &Step) -> Result<(), Box<dyn Error>> {
    match step {
        Step::Sample(args) => sample::run(args),
        Step::Search(args) => reference::run(args),
        Step::Report(args) => report::run(args),
        Step::Statements(args) => statements::run(args),
        Step::Games(args) => games::run(args),
    }
}
