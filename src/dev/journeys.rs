//! The end-to-end journeys: the files of `tests/e2e`, run by Node.js against the release build as `cargo dev serve`
//! serves it. Each file has browsers of its own, so two can run side by side.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::browser;
use crate::check::Check;
use crate::commands::{find, program, run_aside};
use crate::debian;
use crate::failure::Failure;
use crate::files::files;
use crate::outcome::Outcomes;
use crate::progress::Progress;

const FOLDER: &str = "tests/e2e";

/// How long a file of journeys may take: several times what the longest does on two busy cores.
const LIMIT: Duration = Duration::from_secs(30 * 60);

/// Those that take minutes. They go first: one that begins last keeps a core idle.
const LONG: [&str; 8] = [
    "survey",
    "raters_elsewhere",
    "faults",
    "endpoint",
    "model",
    "engine",
    "annotate",
    "comment",
];

/// Those that compare the page with `target/debug/lab`, which the native tests build.
const NEED_LAB: [&str; 3] = ["analysis", "searchless", "searchless_tournament"];

/// What the journeys are run with.
pub struct Journeys {
    chromium: PathBuf,
    elsewhere: Vec<(&'static str, PathBuf)>,
    nginx: Option<PathBuf>,
    address: String,
    waiting: Mutex<VecDeque<PathBuf>>,
    after_native: Mutex<VecDeque<PathBuf>>,
}

impl Journeys {
    /// Those in `tests/e2e`, through the page at `address`.
    pub fn new(chromium: PathBuf, address: String, progress: &Progress) -> Result<Journeys, Failure> {
        let (after_native, waiting) = all()?.into_iter().partition(|path| NEED_LAB.contains(&name(path)));
        Ok(Journeys {
            chromium,
            elsewhere: browser::elsewhere(progress)?,
            nginx: nginx(progress),
            address,
            waiting: Mutex::new(waiting),
            after_native: Mutex::new(after_native),
        })
    }

    /// Runs those that nobody has begun, one after another, until none is left.
    pub fn run(&self, progress: &Progress, outcomes: &Outcomes) {
        self.run_from(&self.waiting, progress, outcomes);
    }

    /// Runs those that need what the native tests have built.
    pub fn run_after_native(&self, progress: &Progress, outcomes: &Outcomes) {
        self.run_from(&self.after_native, progress, outcomes);
    }

    fn run_from(&self, queue: &Mutex<VecDeque<PathBuf>>, progress: &Progress, outcomes: &Outcomes) {
        // Whoever panicked beside us has at most taken a file.
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        while let Some(path) = next() {
            let what = format!("journeys: {}", name(&path));
            progress.step(format!("{}: {what}", Check::EndToEnd.name()));
            let begun = Instant::now();
            let mut node = program("node");
            // A browser that a failed journey left open keeps no file from its end, and what hangs has one.
            node.args(["--test", "--test-reporter=spec", "--test-force-exit"]);
            node.arg(format!("--test-timeout={}", LIMIT.as_millis())).arg(&path);
            node.env("KIBITZ_URL", &self.address).env("CHROMIUM", &self.chromium);
            node.envs(self.elsewhere.iter().map(|(variable, program)| (variable, program)));
            if let Some(nginx) = &self.nginx {
                node.env("KIBITZ_NGINX", nginx);
            }
            outcomes.add(Check::EndToEnd, &what, begun, run_aside(&mut node).err());
        }
    }
}

/// How many files of journeys there are.
pub fn count() -> Result<usize, Failure> {
    Ok(all()?.len())
}

/// The files, in the order in which they begin.
fn all() -> Result<Vec<PathBuf>, Failure> {
    let mut all: Vec<PathBuf> = files(Path::new(FOLDER))?
        .into_iter()
        .filter(|path| path.to_string_lossy().ends_with(".test.mjs"))
        .collect();
    all.sort_by_key(|path| {
        let place = LONG.iter().position(|long| *long == name(path));
        (place.unwrap_or(LONG.len()), path.clone())
    });
    Ok(all)
}

/// "comment" of `tests/e2e/comment.test.mjs`.
fn name(path: &Path) -> &str {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.split('.').next().unwrap_or_default()
}

/// The nginx that the journeys send answers to: the machine's own, or one that is unpacked for them. Without one those
/// journeys are skipped, and say so.
fn nginx(progress: &Progress) -> Option<PathBuf> {
    let folder = Path::new("target/nginx");
    let unpacked = folder.join("usr/sbin/nginx");
    let own = find("nginx").or_else(|| Some(PathBuf::from("/usr/sbin/nginx")).filter(|path| path.exists()));
    if own.is_some() {
        return own;
    }
    if !unpacked.exists()
        && let Err(failure) = debian::unpack("nginx", folder, "the journeys that send answers to a server", progress)
    {
        progress.note(failure);
    }
    std::path::absolute(unpacked).ok().filter(|path| path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_that_are_treated_apart_are_names_of_files() {
        std::env::set_current_dir(crate::files::ROOT).unwrap();
        let all = all().unwrap();
        for known in LONG.iter().chain(&NEED_LAB) {
            assert!(all.iter().any(|path| name(path) == *known), "{known}");
        }
        assert_eq!(all.first().map(|path| name(path)), Some(LONG[0]));
    }
}
