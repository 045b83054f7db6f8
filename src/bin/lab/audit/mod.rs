//! `lab audit`: whether what the narrator says is right, judged by deep searches and by readers of its prose that share no
//! code with it.
//!
//! | file | what is there |
//! |---|---|
//! | [`games`] | whether the known turning points of famous games are found |
//! | [`sample`] | which moves are audited |
//! | [`mod@reference`] | the deep searches of each |
//! | [`task`] | a move of a sample |
//! | [`report`] | comments judged, and the figures |
//! | [`judge`], [`reading`] | what is wrong with a sentence, by the deep searches; what it says, by its words |

mod games;
mod judge;
mod reading;
mod reference;
mod report;
mod sample;
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
    /// Annotates famous games, and looks whether their known points are among the turning points.
    Games(games::Args),
}

/// Runs a step.
pub fn run(step: &Step) -> Result<(), Box<dyn Error>> {
    match step {
        Step::Sample(args) => sample::run(args),
        Step::Search(args) => reference::run(args),
        Step::Report(args) => report::run(args),
        Step::Games(args) => games::run(args),
    }
}
