//! Packages of Debian and its children, installed where we are root and they are missing.

use std::path::Path;

use crate::commands::{capture, find, program};
use crate::failure::Failure;
use crate::progress::Progress;

/// Installs those of `packages` that are missing. `purpose` ends the sentence for a machine where that cannot be done.
pub fn install(packages: &[&str], purpose: &str, progress: &Progress) -> Result<(), Failure> {
    let missing: Vec<&str> = packages.iter().copied().filter(|package| !installed(package)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let list = missing.join(" ");
    if find("apt-get").is_none() {
        return Err(Failure::Missing(format!(
            "This machine has no apt-get: install what Debian calls {list} by your system's own means (for {purpose})."
        )));
    }
    if !root() {
        return Err(Failure::Missing(format!(
            "Run `sudo apt-get install {list}` (for {purpose}), then this again."
        )));
    }
    progress.note(format!("installing Debian's {list}"));
    let apt = |arguments: &[&str]| {
        let mut command = program("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive").args(arguments);
        capture(&mut command)
    };
    let update = ["update", "-qq"];
    let install = [&["install", "-y", "-qq", "--no-install-recommends"], missing.as_slice()].concat();
    apt(&update).and_then(|_| apt(&install)).map(|_| ()).map_err(|failure| {
        Failure::Missing(format!(
            "{failure}\n\nInstall {list} (for {purpose}) where apt-get can reach its archive."
        ))
    })
}

/// Unpacks a package below `folder` without installing it: no service of it is started, and one need not be root.
pub fn unpack(package: &str, folder: &Path, purpose: &str, progress: &Progress) -> Result<(), Failure> {
    let missing = |why: String| {
        Failure::Missing(format!(
            "{why}\n\nInstall what Debian calls {package} by your system's own means (for {purpose})."
        ))
    };
    if find("apt-get").is_none() || find("dpkg-deb").is_none() {
        return Err(missing("This machine has no apt-get.".to_owned()));
    }
    progress.note(format!("unpacking Debian's {package}"));
    std::fs::create_dir_all(folder)
        .map_err(|error| missing(format!("{} cannot be made: {error}", folder.display())))?;
    let download = || {
        capture(
            program("apt-get")
                .args(["download", "-qq", package])
                .current_dir(folder),
        )
    };
    let downloaded = download().or_else(|failure| {
        if !root() {
            return Err(failure);
        }
        capture(program("apt-get").args(["update", "-qq"]))?;
        download()
    });
    downloaded.map_err(|failure| missing(failure.to_string()))?;
    let files = std::fs::read_dir(folder).map_err(|error| missing(error.to_string()))?;
    for file in files.flatten().map(|entry| entry.path()) {
        if file.extension().is_some_and(|ending| ending == "deb") {
            let unpacked = capture(program("dpkg-deb").arg("--extract").arg(file).arg(folder));
            unpacked.map_err(|failure| missing(failure.to_string()))?;
        }
    }
    Ok(())
}

fn installed(package: &str) -> bool {
    capture(program("dpkg-query").args(["--show", "--showformat=${Status}", package]))
        .is_ok_and(|status| status == "install ok installed")
}

#[cfg(unix)]
fn root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

#[cfg(not(unix))]
fn root() -> bool {
    false
}
