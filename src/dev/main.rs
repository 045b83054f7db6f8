//! The two commands: `cargo dev serve` sets up what is missing, builds the release app and serves it;
//! `cargo dev test` sets up what is missing and runs every check. `setup` and `build` are their first halves; `bench` and `size`
//! measure.
//!
//! The house of this command:
//! - [`options`], [`help`], [`check`]: what can be asked for;
//! - [`commands`], [`files`], [`progress`], [`failure`]: running other programs, reading and writing files, saying how far
//!   we are, ending with one sentence;
//! - [`wasm_toolchain`], [`tools`], [`packages`], [`debian`]: what has to be there before anything can be built;
//! - [`app`], [`precache`], [`headers`], [`compressed`]: `dist/`, its service worker, the headers that a host must send,
//!   what it may send in place of the files;
//! - [`program`], [`tidy`], [`import_names`]: the page's program in parts, and how its wasm gets smaller;
//! - [`budgets`], [`size`]: how heavy the app may be, and what its wasm is made of;
//! - [`server`]: serves `dist/` on loopback;
//! - [`mod@bench`], [`bench_tables`]: how fast all of it is, and the tables that say so;
//! - [`browser`]: what the checks and the benchmark are seen in;
//! - [`checks`]: everything that `cargo dev test` runs; [`journeys`]: its part in a real browser; [`outcome`]: the table at its end.

mod app;
mod bench;
mod bench_tables;
mod browser;
mod budgets;
mod check;
mod checks;
mod commands;
mod compressed;
mod debian;
mod failure;
mod files;
mod headers;
mod help;
mod import_names;
mod journeys;
mod kind;
mod options;
mod outcome;
mod packages;
mod precache;
mod program;
mod progress;
mod server;
mod setup;
mod size;
mod tidy;
mod tools;
mod wasm_toolchain;

use std::path::Path;
use std::process::ExitCode;

use app::Compilation;
use failure::Failure;
use options::{Options, Task};
use progress::Progress;
use setup::Setup;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match Options::read(&arguments).and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("\n{failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Failure> {
    // Every path below is relative to the repository's root.
    let root = Path::new(files::ROOT);
    std::env::set_current_dir(root).map_err(|source| Failure::file(root, source))?;

    let ahead = |setup: &Setup, progress: &Progress| Compilation::begin(setup, options.kind, progress);
    match &options.task {
        Task::Help => print!("{}", help::HELP),
        Task::Setup => {
            let progress = Progress::new(setup::STEPS);
            setup::everything(&progress, |_, _| ())?;
            progress.done("everything is there");
        }
        Task::Build => {
            let progress = Progress::new(setup::STEPS + app::STEPS);
            let (setup, compilation) = setup::everything(&progress, ahead)?;
            app::build(&setup, options.kind, compilation, &progress)?;
            progress.done("the app is in dist/");
        }
        Task::Serve { port } => {
            let progress = Progress::new(setup::STEPS + app::STEPS);
            let (setup, compilation) = setup::everything(&progress, ahead)?;
            app::build(&setup, options.kind, compilation, &progress)?;
            let server = server::Server::open(Path::new(app::DIST), *port)?;
            progress.done("serving dist/ (Ctrl-C stops)");
            if port.is_none() && server.moved() {
                progress.note("port 8080 is taken, so this is the next that is free");
            }
            println!("\n    {}\n", server.address());
            server.serve();
        }
        Task::Size => {
            let progress = Progress::new(setup::STEPS + size::STEPS);
            let (setup, ()) = setup::everything(&progress, |_, _| ())?;
            size::print(&setup, &progress)?;
            progress.done("sizes are before compression; `cargo dev build` prints them gzipped");
        }
        Task::Bench { dist, lab, part } => bench::run(dist.as_deref(), lab.as_deref(), *part)?,
        Task::Test { only } => checks::run_all(only)?,
    }
    Ok(())
}
