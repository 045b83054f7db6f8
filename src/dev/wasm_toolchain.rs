//! A Rust that compiles for wasm32: the user's own where it can, Debian's packages where it cannot.
//!
//! Debian ships no standard library for wasm32 with `rustc-web`, but it ships the source, so the library is built once
//! and put where that compiler looks for it. rustup then knows the whole as the toolchain [`LINKED`].

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::commands::{capture, capture_with_input, program, run, succeeds_within};
use crate::debian;
use crate::failure::Failure;
use crate::progress::Progress;

/// The target that everything in the browser is built for.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Where wasm is built: not in `target/`, so that two toolchains do not rebuild each other's work.
pub const TARGET_FOLDER: &str = "target/wasm";

/// What rustup calls Debian's compiler after we linked it.
const LINKED: &str = "kibitz-web";

/// How long `rustup target add` may take: a slow line needs a minute for its 20 MB, and one that never answers must
/// not hold us longer than this.
const RUSTUP_LIMIT: Duration = Duration::from_secs(180);

/// Debian's compiler and what is needed to build its standard library for another target.
const DEBIAN_PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "rust-web-clippy"];

const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_LIBRARIES: &str = "/usr/lib/rustlib/wasm32-unknown-unknown/lib";

/// A toolchain that was seen to compile for wasm32.
pub struct WasmToolchain {
    /// What cargo needs in its environment: variables and their values.
    pub environment: Vec<(String, String)>,
    /// One line about it for the user.
    pub description: String,
}

/// Finds a toolchain for wasm32 or installs one.
pub fn ready(progress: &Progress) -> Result<WasmToolchain, Failure> {
    if let Some(toolchain) = own() {
        return Ok(toolchain);
    }
    if let Some(toolchain) = linked() {
        return Ok(toolchain);
    }
    let Ok(rustup) = capture(program("rustup").arg("--version")) else {
        return Err(Failure::Missing(format!(
            "This Rust cannot compile for {TARGET} and there is no rustup to add it: install rustup (https://rustup.rs), \
             or your distribution's Rust standard library for {TARGET}."
        )));
    };
    progress.note(format!("adding {TARGET} with {}", rustup.trim()));
    // Our own sentence follows if this fails; a backtrace of rustup's would bury it.
    if succeeds_within(
        program("rustup")
            .args(["target", "add", TARGET])
            .env("RUST_BACKTRACE", "0"),
        RUSTUP_LIMIT,
    ) && let Some(toolchain) = own()
    {
        return Ok(toolchain);
    }
    progress.note("rustup could not add it; building it from Debian's packages instead (two minutes)");
    from_debian(progress)?;
    linked().ok_or_else(|| {
        Failure::Missing(format!(
            "The standard library for {TARGET} was built but its compiler does not accept it: remove {DEBIAN_LIBRARIES} \
             and run this again, or run `rustup target add {TARGET}` where rustup can download."
        ))
    })
}

/// The toolchain that is active here anyway.
fn own() -> Option<WasmToolchain> {
    compiles(&[]).then(|| WasmToolchain {
        environment: Vec::new(),
        description: version(&[]),
    })
}

/// Debian's compiler with our standard library, as linked by an earlier run.
fn linked() -> Option<WasmToolchain> {
    let toolchain = vec![("RUSTUP_TOOLCHAIN".to_owned(), LINKED.to_owned())];
    if !compiles(&toolchain) {
        return None;
    }
    let mut environment = toolchain;
    environment.push((
        "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER".to_owned(),
        debian_linker().ok()?,
    ));
    Some(WasmToolchain {
        description: format!("{} (Debian)", version(&environment)),
        environment,
    })
}

fn rustc(environment: &[(String, String)]) -> Command {
    let mut command = program("rustc");
    command.envs(environment.iter().map(|(name, value)| (name, value)));
    command
}

/// Whether a test of one line compiles: that takes `std` and `test`, both built by this very compiler.
fn compiles(environment: &[(String, String)]) -> bool {
    let mut command = rustc(environment);
    command.args(["--target", TARGET, "--edition=2024", "--test", "--emit=metadata", "-o"]);
    command
        .arg(std::env::temp_dir().join(format!("kibitz-probe-{}.rmeta", std::process::id())))
        .arg("-");
    let compiled = capture_with_input(&mut command, "#[test] fn probe() { println!(\"{:?}\", vec![1]); }").is_ok();
    // The probe may not have been written at all.
    let _ = fs::remove_file(std::env::temp_dir().join(format!("kibitz-probe-{}.rmeta", std::process::id())));
    compiled
}

fn version(environment: &[(String, String)]) -> String {
    capture(rustc(environment).arg("--version")).map_or_else(|_| "rustc".to_owned(), |line| line.trim().to_owned())
}

/// LLVM's linker at the version of Debian's compiler: `wasm-ld-22` for LLVM 22.
fn debian_linker() -> Result<String, Failure> {
    Ok(format!(
        "wasm-ld-{}",
        llvm_major(&capture(program(DEBIAN_RUSTC).arg("-vV"))?)?
    ))
}

/// Reads LLVM's major version from the output of `rustc -vV`.
fn llvm_major(verbose_version: &str) -> Result<u32, Failure> {
    let line = verbose_version
        .lines()
        .find_map(|line| line.strip_prefix("LLVM version: "));
    let major = line
        .and_then(|version| version.split('.').next())
        .and_then(|major| major.trim().parse().ok());
    major.ok_or_else(|| {
        Failure::Missing(format!(
            "{DEBIAN_RUSTC} does not say which LLVM it has; reinstall rustc-web."
        ))
    })
}

/// Installs Debian's compiler, builds its standard library for wasm32 and links it as a rustup toolchain.
fn from_debian(progress: &Progress) -> Result<(), Failure> {
    debian::install(
        &DEBIAN_PACKAGES,
        "compiling for wasm32 where rustup cannot add the target",
        progress,
    )?;
    let llvm = llvm_major(&capture(program(DEBIAN_RUSTC).arg("-vV"))?)?;
    debian::install(&[&format!("lld-{llvm}")], "linking wasm32", progress)?;
    progress.note("building the standard library for wasm32");
    let workshop = std::env::temp_dir().join(format!("kibitz-std-{}", std::process::id()));
    let built = build_standard_library(&workshop).and_then(|folder| install_libraries(&folder));
    // What is left in the temporary folder does no harm.
    let _ = fs::remove_dir_all(&workshop);
    built?;
    // Objects compiled against another build of the library would not link with this one.
    let _ = fs::remove_dir_all(TARGET_FOLDER);
    run(program("rustup").args(["toolchain", "link", LINKED, "/usr"]))
}

/// Builds `std`, `panic_abort` and `test` by way of an empty crate; returns the folder with the libraries.
fn build_standard_library(workshop: &Path) -> Result<PathBuf, Failure> {
    let write = |name: &str, text: &str| {
        let path = workshop.join(name);
        fs::create_dir_all(path.parent().unwrap_or(workshop))
            .and_then(|()| fs::write(&path, text))
            .map_err(|source| Failure::file(&path, source))
    };
    write(
        "Cargo.toml",
        "[package]\nname = \"empty\"\nedition = \"2024\"\n\n[profile.release]\npanic = \"abort\"\n",
    )?;
    write("src/lib.rs", "#![no_std]\n")?;
    let mut cargo = program("/usr/bin/cargo");
    cargo.current_dir(workshop).env_remove("RUSTUP_TOOLCHAIN");
    // Without RUSTC Debian's cargo would take rustup's compiler from PATH; without bitcode, LTO of the app fails.
    cargo
        .env("RUSTC", DEBIAN_RUSTC)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", workshop.join("target"));
    cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", debian_linker()?);
    cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-Cembed-bitcode=yes");
    cargo.args([
        "build",
        "--release",
        "--target",
        TARGET,
        "-Zbuild-std=std,panic_abort,test",
    ]);
    run(&mut cargo)?;
    Ok(workshop.join("target").join(TARGET).join("release/deps"))
}

fn install_libraries(built: &Path) -> Result<(), Failure> {
    let place = Path::new(DEBIAN_LIBRARIES);
    let installed = || -> std::io::Result<()> {
        if place.exists() {
            fs::remove_dir_all(place)?;
        }
        fs::create_dir_all(place)?;
        for entry in fs::read_dir(built)? {
            let file = entry?.path();
            if let (Some("rlib"), Some(name)) = (file.extension().and_then(|word| word.to_str()), file.file_name()) {
                fs::copy(&file, place.join(name))?;
            }
        }
        Ok(())
    };
    installed().map_err(|error| {
        Failure::Missing(format!(
            "{DEBIAN_LIBRARIES} cannot be written ({error}): run `cargo dev setup` once as root."
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_version_of_llvm() {
        let text = "rustc 1.96.0 (ac68faa20 2026-05-25)\nbinary: rustc\nrelease: 1.96.0\nLLVM version: 22.1.8\n";
        assert_eq!(llvm_major(text).unwrap(), 22);
        assert!(llvm_major("rustc 1.96.0\n").is_err());
    }
}
