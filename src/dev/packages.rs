//! What the page ships from npm, and what its tests need.

use std::fs;

use crate::commands::{capture, find, program};
use crate::failure::Failure;
use crate::files::digest;
use crate::progress::Progress;

const LOCK: &str = "package-lock.json";

/// The digest of the lock file that `node_modules` was installed from.
const STAMP: &str = "node_modules/.kibitz-lock";

/// Installs exactly what the lock file names; nothing when that was done already.
pub fn ready(progress: &Progress) -> Result<(), Failure> {
    let lock = fs::read(LOCK).map_err(|source| Failure::file(LOCK, source))?;
    let wanted = digest(&lock);
    if fs::read_to_string(STAMP).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    if find("npm").is_none() {
        return Err(Failure::Missing(
            "There is no npm: install Node.js 20 or newer (https://nodejs.org), which brings it.".to_owned(),
        ));
    }
    progress.note("npm ci (420 MB unpacked, of which the page uses 3)");
    // No package's own scripts: we only copy files out of them.
    let mut npm = program("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
    capture(&mut npm).map_err(|failure| {
        Failure::Missing(format!(
            "{failure}\n\nRun `npm ci --ignore-scripts` where npm can reach its registry."
        ))
    })?;
    fs::write(STAMP, wanted).map_err(|source| Failure::file(STAMP, source))
}
