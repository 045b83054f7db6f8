//! Which shards of a run are put together.

use std::path::PathBuf;

/// Arguments of every `merge` of a run.
#[derive(Debug, clap::Args)]
pub struct MergeArgs {
    /// The files of shards.
    #[arg(required = true, value_name = "RUN.jsonl")]
    pub files: Vec<PathBuf>,
    /// Where the whole goes.
    #[arg(long, value_name = "RUN.jsonl")]
    pub out: PathBuf,
}
