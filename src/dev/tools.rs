//! The programs that turn compiled Rust into a page: wasm-bindgen, wasm-split and Trunk, at exactly the versions we know.
//!
//! A right version on PATH is used. Another version there is the user's own business and stays; ours then goes into
//! a folder of its own under cargo's home, outside the clone, so that the next clone finds it.

use std::path::{Path, PathBuf};

use crate::commands::{capture, program, run};
use crate::failure::Failure;
use crate::progress::Progress;

/// Trunk 0.22 wants a newer Rust than ours.
const TRUNK: &str = "0.21.14";

/// It cuts the page's program; its other half is the crate wasm_split_helpers, which comes with Leptos.
const WASM_SPLIT: &str = "0.2.4";

/// Where our tools' programs are.
pub fn folder() -> PathBuf {
    root().join("bin")
}

fn root() -> PathBuf {
    let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = || std::env::home_dir().unwrap_or_default().join(".cargo");
    cargo_home.unwrap_or_else(home).join("kibitz-tools")
}

/// wasm-bindgen's program must be at the version of the crate of that name, or its output does not match.
pub fn wasm_bindgen(cargo_lock: &str, tools: &Path, progress: &Progress) -> Result<(), Failure> {
    let version = locked_version(cargo_lock, "wasm-bindgen").ok_or_else(|| {
        Failure::Missing("Cargo.lock names no wasm-bindgen: restore it with `git checkout Cargo.lock`.".to_owned())
    })?;
    // Not `--locked`: the lock file inside that crate names versions that mirrors of the registry may lack.
    for program in ["wasm-bindgen", "wasm-bindgen-test-runner"] {
        if !is_there(program, version, tools) {
            return install("wasm-bindgen-cli", version, &[], "about 3 minutes", progress);
        }
    }
    Ok(())
}

/// Trunk reads index.html and puts everything that it names into dist/.
pub fn trunk(tools: &Path, progress: &Progress) -> Result<(), Failure> {
    if is_there("trunk", TRUNK, tools) {
        return Ok(());
    }
    install("trunk", TRUNK, &["--locked"], "about 6 minutes", progress)
}

/// wasm-split cuts the page's program into parts. It does not say its version: cargo's own record of what it installed does.
pub fn wasm_split(progress: &Progress) -> Result<(), Failure> {
    const PACKAGE: &str = "wasm_split_cli_support";
    let record = std::fs::read_to_string(root().join(".crates.toml")).unwrap_or_default();
    if record.contains(&format!("\"{PACKAGE} {WASM_SPLIT} (")) {
        return Ok(());
    }
    let how = ["--locked", "--features", "build-binary"];
    install(PACKAGE, WASM_SPLIT, &how, "about a minute", progress)
}

/// Whether `name --version` is exactly `version`, ours before the one on PATH: the order in which it will be found.
fn is_there(name: &str, version: &str, tools: &Path) -> bool {
    let ours = tools.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let found = if ours.is_file() {
        ours.to_string_lossy().into_owned()
    } else {
        name.to_owned()
    };
    capture(program(&found).arg("--version")).is_ok_and(|line| line.split_whitespace().nth(1) == Some(version))
}

fn install(package: &str, version: &str, how: &[&str], time: &str, progress: &Progress) -> Result<(), Failure> {
    progress.note(format!("compiling {package} {version} ({time}, once for this machine)"));
    let mut cargo = program("cargo");
    cargo
        .args(["install", package, "--version", version])
        .args(how)
        .arg("--root")
        .arg(root());
    // These programs work for seconds; optimising them fully takes twice as long as it ever saves.
    cargo
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_RELEASE_LTO", "off");
    cargo.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    run(&mut cargo).map_err(|failure| {
        Failure::Missing(format!(
            "{failure}\n\nInstall it where crates.io can be reached: cargo install {package} --version {version} {}",
            how.join(" ")
        ))
    })
}

/// The version of `package` in the text of Cargo.lock.
fn locked_version<'a>(cargo_lock: &'a str, package: &str) -> Option<&'a str> {
    let name = format!("name = \"{package}\"");
    let mut lines = cargo_lock.lines();
    lines.find(|line| *line == name)?;
    lines.next()?.strip_prefix("version = \"")?.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_version_of_the_package_and_not_of_its_sisters() {
        let lock = "[[package]]\nname = \"wasm-bindgen-futures\"\nversion = \"0.4.80\"\n\n[[package]]\n\
                    name = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Some("0.2.130"));
        assert_eq!(locked_version(lock, "trunk"), None);
    }

    #[test]
    fn our_lock_file_has_a_wasm_bindgen() {
        let lock = std::fs::read_to_string(format!("{}/Cargo.lock", crate::files::ROOT)).unwrap();
        assert!(locked_version(&lock, "wasm-bindgen").is_some());
    }
}
