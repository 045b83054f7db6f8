//! Everything that `cargo dev test` runs. A failed check does not keep the next from running; the table at the end says
//! what failed.

use std::path::Path;
use std::process::Command;
use std::thread::ScopedJoinHandle;
use std::time::Instant;

use crate::app::{self, Compilation};
use crate::browser::Browser;
use crate::check::Check;
use crate::commands::{capture, find, program, run, run_aside, yielding};
use crate::debian;
use crate::failure::Failure;
use crate::journeys::{self, Journeys};
use crate::kind::Kind;
use crate::outcome::Outcomes;
use crate::packages;
use crate::progress::Progress;
use crate::server::Server;
use crate::setup::{self, Setup};
use crate::wasm_toolchain::TARGET;

/// Sets up what `only` needs, runs it, prints the table. The release build and the journeys run beside all other checks,
/// and before them where both want a core: they take longest.
pub fn run_all(only: &[Check]) -> Result<(), Failure> {
    let start = Instant::now();
    let has = |checks: &[Check]| checks.iter().any(|check| only.contains(check));
    let for_wasm = has(&[Check::Lint, Check::Wasm, Check::EndToEnd]);
    let in_browser = has(&[Check::Wasm, Check::EndToEnd]);
    let native = has(&[Check::Native]);
    let end_to_end = has(&[Check::EndToEnd]);
    let commands = only.iter().map(|check| steps(*check)).sum::<Result<usize, Failure>>()?;
    let set_up = if for_wasm { setup::STEPS } else { usize::from(native) };
    let progress = Progress::new(set_up + usize::from(native) + usize::from(in_browser) + commands);

    let ahead =
        |setup: &Setup, progress: &Progress| end_to_end.then(|| Compilation::begin(setup, Kind::Release, progress));
    let (setup, compilation) = if for_wasm {
        let (setup, compilation) = setup::everything(&progress, ahead)?;
        (Some(setup), compilation)
    } else {
        (None, None)
    };
    if native && setup.is_none() {
        progress.step("engine and board from npm, at the versions in package-lock.json");
        packages::ready(&progress)?;
    }
    if native {
        progress.step("Stockfish and GNU parallel for the native tests");
        if find("stockfish").is_none() && !Path::new("/usr/games/stockfish").exists() {
            debian::install(&["stockfish"], "the native tests", &progress)?;
        }
        // One test runs shards as its jobs, and says that it was skipped where there is none.
        if find("parallel").is_none()
            && let Err(failure) = debian::install(&["parallel"], "a test of shards", &progress)
        {
            progress.note(failure);
        }
    }
    let browser = if in_browser {
        Some(Browser::ready(&progress)?)
    } else {
        None
    };

    let outcomes = Outcomes::default();
    let others = Others {
        setup: setup.as_ref(),
        browser: browser.as_ref(),
        aside: end_to_end && only.len() > 1,
        progress: &progress,
        outcomes: &outcomes,
    };
    std::thread::scope(|scope| {
        let beside = scope.spawn(|| only.iter().for_each(|check| others.run(*check)));
        if let (Some(setup), Some(browser), Some(compilation)) = (&setup, &browser, compilation) {
            let begun = Instant::now();
            let built = app::build(setup, Kind::Release, compilation, &progress);
            let is_there = built.is_ok();
            outcomes.add(Check::EndToEnd, "the release build", begun, built.err());
            if is_there {
                end_to_end_beside(beside, browser, &progress, &outcomes);
            }
        }
    });
    outcomes.summary(start)
}

type Step = (&'static str, &'static [&'static str]);

const FORMAT: &[Step] = &[("formatting", &["fmt", "--all", "--check"])];

const LINT: &[Step] = &[
    (
        "core, lab and commands",
        &[
            "clippy",
            "--workspace",
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

fn native_tests() -> &'static [Step] {
    let nextest = capture(program("cargo").args(["nextest", "--version"])).is_ok();
    if nextest { NEXTEST } else { CARGO_TEST }
}

fn steps(check: Check) -> Result<usize, Failure> {
    Ok(match check {
        Check::Format => FORMAT.len(),
        Check::Lint => LINT.len() + WASM_LINT.len(),
        Check::Native => native_tests().len(),
        Check::Wasm => WASM_TESTS.len(),
        Check::EndToEnd => app::STEPS + journeys::count()?,
    })
}

/// Every check but the journeys, with what they need.
struct Others<'a> {
    setup: Option<&'a Setup>,
    browser: Option<&'a Browser>,
    /// Something else has the terminal, and goes first.
    aside: bool,
    progress: &'a Progress,
    outcomes: &'a Outcomes,
}

impl Others<'_> {
    fn run(&self, check: Check) {
        match check {
            Check::Format => self.native(check, FORMAT),
            Check::Native => self.native(check, native_tests()),
            Check::Lint => {
                self.native(check, LINT);
                self.wasm(check, WASM_LINT);
            }
            Check::Wasm => self.wasm(check, WASM_TESTS),
            Check::EndToEnd => {}
        }
    }

    fn native(&self, check: Check, steps: &[Step]) {
        for (what, arguments) in steps {
            let mut cargo = program("cargo");
            cargo.args(*arguments).env("RUSTDOCFLAGS", "-Dwarnings");
            self.attempt(check, what, cargo);
        }
    }

    fn wasm(&self, check: Check, steps: &[Step]) {
        // Whoever asked for lints or tests for wasm had it set up.
        let Some(setup) = self.setup else {
            unreachable!("{} without its set-up", check.name())
        };
        for (what, arguments) in steps {
            let mut cargo = setup.program("cargo");
            // The first word is cargo's command; the target belongs right after it, before any `--`.
            cargo
                .args(&arguments[..1])
                .args(["--target", TARGET])
                .args(&arguments[1..]);
            if let Some(browser) = self.browser {
                cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner");
                cargo.env("CHROMEDRIVER", &browser.driver);
            }
            self.attempt(check, what, cargo);
        }
    }

    fn attempt(&self, check: Check, what: &str, mut command: Command) {
        self.progress.step(format!("{}: {what}", check.name()));
        let begun = Instant::now();
        let result = if self.aside {
            run_aside(&mut yielding(&command))
        } else {
            run(&mut command)
        };
        if let Err(failure) = &result {
            self.progress.note(failure);
        }
        self.outcomes.add(check, what, begun, result.err());
    }
}

/// Serves the release build as `cargo dev serve` does and lets the journeys loose on it: one file at a time while the
/// other checks run, then two.
fn end_to_end_beside(others: ScopedJoinHandle<'_, ()>, browser: &Browser, progress: &Progress, outcomes: &Outcomes) {
    let begun = Instant::now();
    let open = || {
        let server = Server::open_anywhere(Path::new(app::DIST))?;
        let journeys = Journeys::new(browser.chromium.clone(), server.address(), progress)?;
        Ok((server, journeys))
    };
    let (server, journeys) = match open() {
        Ok(opened) => opened,
        Err(failure) => return outcomes.add(Check::EndToEnd, "the journeys' set-up", begun, Some(failure)),
    };
    let ended = std::thread::scope(|scope| {
        scope.spawn(|| server.serve());
        let first = scope.spawn(|| journeys.run(progress, outcomes));
        let ended = others.join();
        journeys.run_after_native(progress, outcomes);
        journeys.run(progress, outcomes);
        let first = first.join();
        server.stop();
        ended.and(first)
    });
    if let Err(panic) = ended {
        std::panic::resume_unwind(panic);
    }
}
