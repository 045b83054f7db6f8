//! How much a visitor may have to load: `cargo dev build` fails where a part of the app has grown beyond its budget.

use std::fs;
use std::path::{Path, PathBuf};

use crate::compressed;
use crate::failure::Failure;
use crate::files::{address, files, read};
use crate::program::{LOADER, Parts};

/// A part of the app, by the files that it is made of.
struct Budget {
    part: &'static str,
    is_of_it: fn(&str, &Parts) -> bool,
    /// The most, in bytes, gzipped (as it is, where it does not get smaller).
    most: u64,
}

const BUDGETS: [Budget; 7] = [
    Budget {
        part: "the page until the board can be used",
        is_of_it: |name, parts| is_of_the_page(name) || is_of_parts(name, parts, &["board"]),
        most: 600_000,
    },
    Budget {
        part: "the page until the first comment",
        is_of_it: |name, parts| is_of_the_page(name) || is_of_parts(name, parts, &["board", "commentary"]),
        most: 1_200_000,
    },
    Budget {
        part: "a rater's page",
        is_of_it: |name, parts| is_of_the_page(name) || is_of_parts(name, parts, &["survey"]),
        most: 600_000,
    },
    Budget {
        part: "the whole program of the page",
        is_of_it: |name, _| name.starts_with("app/"),
        // A laboratory is some 200 kB, which its visitors alone fetch.
        most: 2_975_000,
    },
    Budget {
        part: "the network's worker",
        is_of_it: |name, _| name.starts_with("net/"),
        most: 1_100_000,
    },
    Budget {
        part: "the engine",
        is_of_it: |name, _| name.starts_with("engine/") && !name.ends_with(".txt"),
        most: 1_250_000,
    },
    Budget {
        part: "the default network and its probes",
        is_of_it: |name, _| name.starts_with("networks/") && !name.contains("positions") && !name.ends_with(".md"),
        most: 2_800_000,
    },
];

/// The parts of the page's program that the budgets speak of.
const WEIGHED: [&str; 3] = ["board", "commentary", "survey"];

/// What is loaded whatever is looked at: the page, the main part of its program, its style, the board.
fn is_of_the_page(name: &str) -> bool {
    matches!(name, "index.html" | "boot.js")
        || name.ends_with(".css")
        || name.starts_with("board/") && name.ends_with(".js")
        || name.starts_with("app/") && (name.ends_with(".js") || name.ends_with("_bg.wasm"))
}

/// Whether a file belongs to one of these parts of the page's program.
fn is_of_parts(name: &str, parts: &Parts, which: &[&str]) -> bool {
    let file = name.rsplit('/').next().unwrap_or_default();
    name.starts_with("app/") && parts.need(which, file)
}

/// A part with what it weighs.
pub struct Weight {
    /// What it is.
    pub part: &'static str,
    /// Bytes as they are.
    pub plain: u64,
    /// Bytes gzipped.
    pub gzip: u64,
    /// Bytes with Brotli.
    pub brotli: u64,
    /// How many gzipped bytes there may be.
    pub most: u64,
}

/// Weighs the parts of a `dist/` with its compressed forms.
pub fn weigh(dist: &Path) -> Result<Vec<Weight>, Failure> {
    let all = files(dist)?;
    let all: Vec<(String, &PathBuf)> = all
        .iter()
        .filter(|path| !compressed::is_form(path))
        .map(|path| (address(dist, path), path))
        .collect();
    let loader = all.iter().find(|(name, _)| name.ends_with(LOADER));
    let loader = loader.map(|(_, path)| read(path)).transpose()?.unwrap_or_default();
    let parts = Parts::read(&String::from_utf8_lossy(&loader));
    if let Some(missing) = WEIGHED.iter().find(|part| !loader.is_empty() && !parts.has(part)) {
        return Err(Failure::Missing(format!(
            "the page's program has no part named {missing} (src/dev/budgets.rs)"
        )));
    }
    let weights = BUDGETS.iter().map(|budget| {
        let mut weight = Weight {
            part: budget.part,
            plain: 0,
            gzip: 0,
            brotli: 0,
            most: budget.most,
        };
        for (_, path) in all.iter().filter(|(name, _)| (budget.is_of_it)(name, &parts)) {
            let plain = length(path).ok_or_else(|| Failure::Missing(format!("{} can't be read", path.display())))?;
            weight.plain += plain;
            weight.gzip += length(&compressed::form(path, "gz")).unwrap_or(plain);
            weight.brotli += length(&compressed::form(path, "br")).unwrap_or(plain);
        }
        Ok(weight)
    });
    weights.collect()
}

fn length(path: &Path) -> Option<u64> {
    Some(fs::metadata(path).ok()?.len())
}

/// Fails where a part weighs more than it may, or where nothing of it was found.
pub fn keep(weights: &[Weight]) -> Result<(), Failure> {
    let wrong: Vec<String> = weights
        .iter()
        .filter(|weight| weight.gzip > weight.most || weight.gzip == 0)
        .map(|weight| {
            format!(
                "{} is {} kB gzipped; its budget is {} kB (src/dev/budgets.rs)",
                weight.part,
                weight.gzip.div_ceil(1000),
                weight.most / 1000
            )
        })
        .collect();
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Failure::Missing(wrong.join("\n")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(gzip: u64) -> Weight {
        Weight {
            part: "the page",
            plain: gzip,
            gzip,
            brotli: gzip,
            most: 2000,
        }
    }

    #[test]
    fn a_part_that_is_too_heavy_or_not_there_is_named() {
        assert!(keep(&[of(1), of(2000)]).is_ok());
        let message = keep(&[of(2001)]).unwrap_err().to_string();
        assert!(
            message.contains("the page is 3 kB gzipped; its budget is 2 kB"),
            "{message}"
        );
        assert!(keep(&[of(0)]).is_err());
    }

    #[test]
    fn a_part_is_weighed_by_its_compressed_forms() {
        let dist = std::env::temp_dir().join(format!("kibitz-dev-budgets-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dist);
        fs::create_dir_all(dist.join("net/0123")).unwrap();
        for (name, length) in [
            ("net.wasm", 100),
            ("net.wasm.gz", 40),
            ("net.wasm.br", 30),
            ("net.js", 7),
        ] {
            fs::write(dist.join("net/0123").join(name), vec![0; length]).unwrap();
        }
        let weights = weigh(&dist).unwrap();
        let net = weights.iter().find(|weight| weight.part.contains("worker")).unwrap();
        assert_eq!((net.plain, net.gzip, net.brotli), (107, 47, 37));
        fs::remove_dir_all(dist).unwrap();
    }
}
