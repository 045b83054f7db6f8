//! Takes the table of opening names out of the package that brings it: `OUT_DIR/openings.tsv`, one line a named position
//! (`eco`, `name`, `pgn`, tabs between), which `chess::openings` embeds.
//!
//! Cargo tells a build script where its own package lies, not where another one does; `cargo metadata` knows.

use std::{
    env,
    error::Error,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The package, and where the table is in it.
const PACKAGE: &str = "esca";
const TABLE: &str = "data/openings";
/// One file a volume of the Encyclopaedia.
const VOLUMES: [&str; 5] = ["a", "b", "c", "d", "e"];
const HEAD: &str = "eco\tname\tpgn";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=Cargo.lock");
    let folder = package()?.join(TABLE);
    let mut table = String::new();
    for volume in VOLUMES {
        let path = folder.join(format!("{volume}.tsv"));
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut lines = text.lines();
        if lines.next() != Some(HEAD) {
            return Err(format!("{} does not start with {HEAD:?}", path.display()).into());
        }
        for line in lines {
            writeln!(table, "{line}")?;
        }
    }
    let out = env::var_os("OUT_DIR").ok_or("cargo gave no OUT_DIR")?;
    fs::write(Path::new(&out).join("openings.tsv"), table)?;
    Ok(())
}

/// The package's folder. First without the network, since what this build needs is there; a machine on which nothing but
/// the page was ever built lacks the packages of the tests, which `cargo metadata` asks for too.
fn package() -> Result<PathBuf, Box<dyn Error>> {
    let metadata = metadata(true).or_else(|_| metadata(false))?;
    let json: serde_json::Value = serde_json::from_str(&metadata)?;
    let manifest = json["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|package| package["name"] == PACKAGE)
        .and_then(|package| package["manifest_path"].as_str())
        .ok_or("cargo metadata does not know the package with the opening names")?;
    let folder = Path::new(manifest).parent().ok_or("the manifest is in no folder")?;
    Ok(folder.to_owned())
}

fn metadata(offline: bool) -> Result<String, Box<dyn Error>> {
    let cargo = env::var_os("CARGO").ok_or("cargo gave no CARGO")?;
    let host = env::var("HOST")?;
    let mut command = Command::new(cargo);
    command.args([
        "metadata",
        "--format-version",
        "1",
        "--locked",
        "--filter-platform",
        &host,
    ]);
    if offline {
        command.arg("--offline");
    }
    let output = command.output()?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim()).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
