//! The compressed forms of the files in `dist/`, beside them as `FILE.br` and `FILE.gz`: hosts that can send them need not
//! compress anew at each request, and a smaller Brotli costs nobody's time but the build's.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::commands::{capture_with_input, program};
use crate::failure::Failure;
use crate::files::{files, read};

/// Ending and the name of the coding in HTTP, best first.
pub const CODINGS: [(&str, &str); 2] = [("br", "br"), ("gz", "gzip")];

/// Endings of what is compressed. The networks are gzipped as they are, pictures of pixels are small.
const COMPRESSIBLE: [&str; 9] = [
    "css",
    "html",
    "js",
    "mjs",
    "probes",
    "svg",
    "txt",
    "wasm",
    "webmanifest",
];

/// Node.js brings Brotli, and is there for what comes from npm.
const SCRIPT: &str = include_str!("compress.mjs");

/// Where the compressed form of a file is.
pub fn form(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

/// Whether a file is the compressed form of another.
pub fn is_form(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    let of = path.with_extension("");
    CODINGS.iter().any(|(known, _)| ending == *known) && is_compressible(&of)
}

fn is_compressible(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| COMPRESSIBLE.iter().any(|known| ending == *known))
}

/// Writes the forms that are smaller than their files; returns how many files have one.
pub fn write(dist: &Path) -> Result<usize, Failure> {
    let found = files(dist)?;
    let found: Vec<&Path> = found
        .iter()
        .map(PathBuf::as_path)
        .filter(|path| is_compressible(path))
        .collect();
    let list: Vec<String> = found.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    std::thread::scope(|scope| {
        let gzipped = scope.spawn(|| write_gzip(&found));
        let brotli = capture_with_input(
            program("node").args(["--input-type=module", "--eval", SCRIPT]),
            &serde_json::Value::from(list).to_string(),
        );
        let gzipped = gzipped.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        brotli.map(drop).and(gzipped)
    })?;
    Ok(found.iter().filter(|path| form(path, CODINGS[0].0).is_file()).count())
}

/// Writes `FILE.gz` beside each where that is smaller, by Zopfli: a twentieth smaller than zlib's best.
fn write_gzip(found: &[&Path]) -> Result<(), Failure> {
    let waiting = Mutex::new(found.iter());
    // Whoever panicked beside us has at most taken a file.
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || -> Result<(), Failure> {
        while let Some(path) = next() {
            let plain = read(path)?;
            let mut gzipped = Vec::new();
            zopfli::compress(options(), zopfli::Format::Gzip, plain.as_slice(), &mut gzipped)
                .and_then(|()| {
                    if gzipped.len() < plain.len() {
                        fs::write(form(path, "gz"), &gzipped)
                    } else {
                        Ok(())
                    }
                })
                .map_err(|error| Failure::Missing(format!("{} can't be compressed: {error}", path.display())))?;
        }
        Ok(())
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| {
            let ended = worker.join();
            ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })
}

/// Three rounds: the twelve more of the default take a thousandth off and a third more time.
fn options() -> zopfli::Options {
    zopfli::Options {
        iteration_count: std::num::NonZeroU64::MIN.saturating_add(2),
        ..zopfli::Options::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_gets_smaller_has_both_forms_and_nothing_else_has() {
        let folder = std::env::temp_dir().join(format!("kibitz-dev-compressed-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("a")).unwrap();
        for (name, text) in [
            ("a/x.js", "x = 1;".repeat(100)),
            ("y.css", "y".into()),
            ("z.png", "z".repeat(100)),
        ] {
            fs::write(folder.join(name), text).unwrap();
        }
        assert_eq!(write(&folder).unwrap(), 1);
        let there = files(&folder).unwrap();
        let forms: Vec<&PathBuf> = there.iter().filter(|path| is_form(path)).collect();
        assert_eq!(forms, [&folder.join("a/x.js.br"), &folder.join("a/x.js.gz")]);
        let mut plain = String::new();
        let gzipped = fs::File::open(forms[1]).unwrap();
        std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(gzipped), &mut plain).unwrap();
        assert_eq!(plain, "x = 1;".repeat(100));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_network_that_is_gzipped_is_no_form() {
        assert!(!is_form(Path::new("networks/0123/kibitz-64x6.pb.gz")));
        assert!(is_form(Path::new("dist/kibitz_bg.wasm.gz")));
    }
}
