//! What has to be there before the app can be built.

use std::path::PathBuf;
use std::process::Command;

use crate::commands;
use crate::failure::Failure;
use crate::packages;
use crate::progress::Progress;
use crate::tools;
use crate::wasm_toolchain::{self, TARGET_FOLDER, WasmToolchain};

/// How many steps [`everything`] announces.
pub const STEPS: usize = 5;

/// What was found or installed.
pub struct Setup {
    toolchain: WasmToolchain,
    tools: PathBuf,
}

/// Installs what is missing, in an order in which each step needs only the ones before. `begin` is called as soon as there
/// is a toolchain, to start what can run beside the other steps.
pub fn everything<T>(progress: &Progress, begin: impl FnOnce(&Setup, &Progress) -> T) -> Result<(Setup, T), Failure> {
    progress.step("Rust for wasm32");
    let toolchain = wasm_toolchain::ready(progress)?;
    progress.note(&toolchain.description);
    let setup = Setup {
        toolchain,
        tools: tools::folder(),
    };
    let begun = begin(&setup, progress);
    progress.step("wasm-bindgen, at the version in Cargo.lock");
    let lock = std::fs::read_to_string("Cargo.lock").map_err(|source| Failure::file("Cargo.lock", source))?;
    tools::wasm_bindgen(&lock, &setup.tools, progress)?;
    progress.step("wasm-split, which cuts the page's program into parts");
    tools::wasm_split(progress)?;
    progress.step("Trunk, which bundles the page");
    tools::trunk(&setup.tools, progress)?;
    progress.step("engine and board from npm, at the versions in package-lock.json");
    packages::ready(progress)?;
    Ok((setup, begun))
}

impl Setup {
    /// A command that finds the wasm toolchain and our tools, and builds in [`TARGET_FOLDER`].
    pub fn program(&self, name: &str) -> Command {
        let mut command = commands::program(name);
        command.envs(self.toolchain.environment.iter().map(|(name, value)| (name, value)));
        command.env("CARGO_TARGET_DIR", TARGET_FOLDER);
        command.env("TRUNK_SKIP_VERSION_CHECK", "true");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(self.tools.clone()).chain(std::env::split_paths(&path));
        // A folder of PATH with a separator in its name cannot occur: it was just split at them.
        if let Ok(path) = std::env::join_paths(folders) {
            command.env("PATH", path);
        }
        command
    }
}
