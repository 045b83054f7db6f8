//! Everything that `cargo dev test` runs. A failed check does not keep the next from running; the table at the end says
//! what failed.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::app::{self, Compilation, Kind};
use crate::check::Check;
use crate::commands::{capture, find, program, run};
use crate::debian;
use crate::failure::Failure;
use crate::files::files;
use crate::packages;
use crate::progress::Progress;
use crate::server::Server;
use crate::setup::{self, Setup};
use crate::wasm_toolchain::TARGET;

/// How one command of a check went.
struct Outcome {
    check: Check,
    what: &'static str,
    took: Duration,
    failure: Option<Failure>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.failure.is_none() { "ok" } else { "FAILED" };
        let seconds = self.took.as_secs_f64();
        write!(
            f,
            "{:<7} {:<50} {verdict:<7} {seconds:>7.1} s",
            self.check.name(),
            self.what
        )
    }
}

/// Sets up what `only` needs, runs it, prints the table.
pub fn run_all(only: &[Check]) -> Result<(), Failure> {
    let start = Instant::now();
    let has = |checks: &[Check]| checks.iter().any(|check| only.contains(check));
    let for_wasm = has(&[Check::Lint, Check::Wasm, Check::EndToEnd]);
    let in_browser = has(&[Check::Wasm, Check::EndToEnd]);
    let native = has(&[Check::Native]);
    let commands: usize = only.iter().map(|check| steps(*check)).sum();
    let set_up = if for_wasm { setup::STEPS } else { usize::from(native) };
    let mut progress = Progress::new(set_up + usize::from(native) + usize::from(in_browser) + commands);

    // The release build takes one core for minutes, so it runs beside the other checks.
    let ahead = |setup: &Setup, progress: &Progress| {
        has(&[Check::EndToEnd]).then(|| Compilation::begin(setup, Kind::Release, progress))
    };
    let (setup, mut compilation) = if for_wasm {
        let (setup, compilation) = setup::everything(&mut progress, ahead)?;
        (Some(setup), compilation)
    } else {
        (None, None)
    };
    if native && setup.is_none() {
        progress.step("engine and board from npm, at the versions in package-lock.json");
        packages::ready(&progress)?;
    }
    if native {
        progress.step("Stockfish for the native tests");
        if find("stockfish").is_none() && !Path::new("/usr/games/stockfish").exists() {
            debian::install(&["stockfish"], "the native tests", &progress)?;
        }
    }
    let browser = if in_browser {
        Some(Browser::ready(&mut progress)?)
    } else {
        None
    };

    let mut outcomes = Vec::new();
    for check in only {
        match (check, &setup, &browser) {
            (Check::Format, ..) => native_commands(*check, FORMAT, &mut progress, &mut outcomes),
            (Check::Native, ..) => native_commands(*check, native_tests(), &mut progress, &mut outcomes),
            (Check::Lint, Some(setup), _) => {
                native_commands(*check, LINT, &mut progress, &mut outcomes);
                wasm_commands(*check, WASM_LINT, setup, None, &mut progress, &mut outcomes);
            }
            (Check::Wasm, Some(setup), Some(browser)) => {
                wasm_commands(*check, WASM_TESTS, setup, Some(browser), &mut progress, &mut outcomes);
            }
            (Check::EndToEnd, Some(setup), Some(browser)) => {
                let begun = Instant::now();
                let compilation = compilation.take().unwrap_or_default();
                let failure = end_to_end(setup, browser, compilation, &mut progress).err();
                outcomes.push(Outcome {
                    check: *check,
                    what: JOURNEYS,
                    took: begun.elapsed(),
                    failure,
                });
            }
            // What a check needs was set up above or ended this function.
            (Check::Lint | Check::Wasm | Check::EndToEnd, ..) => unreachable!("{} without its set-up", check.name()),
        }
    }
    summary(&outcomes, start)
}

type Step = (&'static str, &'static [&'static str]);

const FORMAT: &[Step] = &[("formatting", &["fmt", "--all", "--check"])];

const LINT: &[Step] = &[
    (
        "core and commands",
        &["clippy", "--workspace", "--locked", "--all-targets", "--", "-Dwarnings"],
    ),
    (
        "the command line",
        &[
            "clippy",
            "--locked",
            "--all-targets",
            "--features=lab",
            "--",
            "-Dwarnings",
        ],
    ),
    (
        "documentation",
        &["doc", "--workspace", "--locked", "--no-deps", "--features=lab"],
    ),
];

/// One pass over everything that is built for wasm: apart, the three would check their dependencies three times. That
/// each also compiles with its own features alone is seen when it is built.
const WASM_LINT: &[Step] = &[(
    "page, network's worker and their tests, for wasm",
    &[
        "clippy",
        "--locked",
        "--lib",
        "--bin=kibitz",
        "--bin=net_worker",
        "--test=wasm",
        "--features=web,worker",
        "--",
        "-Dwarnings",
    ],
)];

const NEXTEST: &[Step] = &[
    (
        "tests of core and commands",
        &[
            "nextest",
            "run",
            "--workspace",
            "--locked",
            "--features=lab",
            "--no-fail-fast",
        ],
    ),
    (
        "examples in the documentation",
        &["test", "--locked", "--features=lab", "--doc"],
    ),
];

const CARGO_TEST: &[Step] = &[(
    "tests of core and commands",
    &["test", "--workspace", "--locked", "--features=lab"],
)];

const WASM_TESTS: &[Step] = &[(
    "the browser layer in headless Chromium",
    &["test", "--locked", "--test=wasm", "--features=modules"],
)];

const JOURNEYS: &str = "journeys through the release build";

fn native_tests() -> &'static [Step] {
    let nextest = capture(program("cargo").args(["nextest", "--version"])).is_ok();
    if nextest { NEXTEST } else { CARGO_TEST }
}

fn steps(check: Check) -> usize {
    match check {
        Check::Format => FORMAT.len(),
        Check::Lint => LINT.len() + WASM_LINT.len(),
        Check::Native => native_tests().len(),
        Check::Wasm => WASM_TESTS.len(),
        Check::EndToEnd => app::STEPS + 1,
    }
}

fn native_commands(check: Check, steps: &[Step], progress: &mut Progress, outcomes: &mut Vec<Outcome>) {
    for (what, arguments) in steps {
        let mut cargo = program("cargo");
        cargo.args(*arguments).env("RUSTDOCFLAGS", "-Dwarnings");
        outcomes.push(attempt(check, what, cargo, progress));
    }
}

fn wasm_commands(
    check: Check,
    steps: &[Step],
    setup: &Setup,
    browser: Option<&Browser>,
    progress: &mut Progress,
    outcomes: &mut Vec<Outcome>,
) {
    for (what, arguments) in steps {
        let mut cargo = setup.program("cargo");
        // The first word is cargo's command; the target belongs right after it, before any `--`.
        cargo
            .args(&arguments[..1])
            .args(["--target", TARGET])
            .args(&arguments[1..]);
        if let Some(browser) = browser {
            cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner");
            cargo.env("CHROMEDRIVER", &browser.driver);
        }
        outcomes.push(attempt(check, what, cargo, progress));
    }
}

fn attempt(check: Check, what: &'static str, mut command: Command, progress: &mut Progress) -> Outcome {
    progress.step(format!("{}: {what}", check.name()));
    let begun = Instant::now();
    let failure = run(&mut command).err();
    if let Some(failure) = &failure {
        progress.note(failure);
    }
    Outcome {
        check,
        what,
        took: begun.elapsed(),
        failure,
    }
}

/// A Chromium and the program that drives it for the wasm tests.
struct Browser {
    chromium: PathBuf,
    driver: PathBuf,
}

impl Browser {
    fn ready(progress: &mut Progress) -> Result<Browser, Failure> {
        progress.step("a browser for the tests");
        let there = || {
            let chromium = std::env::var_os("CHROMIUM").map(PathBuf::from);
            let chromium = chromium.or_else(|| {
                ["chromium", "chromium-browser", "google-chrome"]
                    .iter()
                    .find_map(|name| find(name))
            })?;
            let driver = std::env::var_os("CHROMEDRIVER")
                .map(PathBuf::from)
                .or_else(|| find("chromedriver"))?;
            Some(Browser { chromium, driver })
        };
        if let Some(browser) = there() {
            return Ok(browser);
        }
        debian::install(&["chromium", "chromium-driver"], "the tests in a browser", progress)?;
        there().ok_or_else(|| {
            Failure::Missing(
                "No Chromium with its chromedriver was found: put both on PATH, or name them in CHROMIUM and CHROMEDRIVER."
                    .to_owned(),
            )
        })
    }
}

/// Builds the release app, serves it as `cargo dev serve` does, and lets the journeys loose on it.
fn end_to_end(
    setup: &Setup,
    browser: &Browser,
    compilation: Compilation,
    progress: &mut Progress,
) -> Result<(), Failure> {
    app::build(setup, Kind::Release, compilation, progress)?;
    progress.step(format!("e2e: {JOURNEYS}"));
    let journeys: Vec<PathBuf> = files(Path::new("tests/e2e"))?
        .into_iter()
        .filter(|path| path.to_string_lossy().ends_with(".test.mjs"))
        .collect();
    let nginx = nginx(progress);
    let server = Server::open_anywhere(Path::new(app::DIST))?;
    let address = server.address();
    std::thread::scope(|scope| {
        scope.spawn(|| server.serve());
        let mut node = program("node");
        // One file at a time: two browsers with an engine each on two cores would time each other out.
        node.args(["--test", "--test-concurrency=1", "--test-reporter=spec"])
            .args(journeys);
        node.env("KIBITZ_URL", address).env("CHROMIUM", &browser.chromium);
        if let Some(nginx) = nginx {
            node.env("KIBITZ_NGINX", nginx);
        }
        let result = run(&mut node);
        server.stop();
        result
    })
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

fn summary(outcomes: &[Outcome], start: Instant) -> Result<(), Failure> {
    eprintln!();
    for outcome in outcomes {
        eprintln!("{outcome}");
    }
    eprintln!("{:<66} {:>7.1} s", "all", start.elapsed().as_secs_f64());
    let failed: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.failure.is_some()).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let why: Vec<String> = failed
        .iter()
        .filter_map(|outcome| outcome.failure.as_ref())
        .map(Failure::to_string)
        .collect();
    Err(Failure::Checks(format!(
        "{} of {} checks failed:\n{}",
        failed.len(),
        outcomes.len(),
        why.join("\n")
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_failure_fails_the_whole() {
        let outcome = |failure| Outcome {
            check: Check::Lint,
            what: "the core",
            took: Duration::from_secs(1),
            failure,
        };
        assert!(summary(&[outcome(None)], Instant::now()).is_ok());
        let failed = outcome(Some(Failure::Missing("no clippy".to_owned())));
        let message = summary(&[outcome(None), failed], Instant::now())
            .unwrap_err()
            .to_string();
        assert!(
            message.starts_with("1 of 2 checks failed") && message.contains("no clippy"),
            "{message}"
        );
    }
}
