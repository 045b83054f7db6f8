//! The page's program: compiled, cut into parts that are fetched when they are needed, and bound to JavaScript.
//!
//! Trunk compiles it and would bind it whole. It is cut by the relocations that the linker leaves, which wasm-bindgen
//! throws away, so what Trunk makes of it is thrown away in turn. Where it is cut is said in `src/ui/part.rs` and
//! by `wasm_split` elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::commands::run;
use crate::failure::Failure;
use crate::files::{address, files, read, write as write_file};
use crate::import_names::shortened;
use crate::kind::Kind;
use crate::setup::Setup;
use crate::tidy::tidied;
use crate::wasm_toolchain::{TARGET, TARGET_FOLDER};

/// The binary, and with it the stem of its files.
pub const NAME: &str = "kibitz";

/// The script that fetches the parts.
pub const LOADER: &str = "__wasm_split.js";

/// Cuts the compiled program. What comes of it, with the functions' names, is in the folder that is returned: the main
/// part under the program's own name, the others beside it.
pub fn cut(setup: &Setup, kind: Kind) -> Result<PathBuf, Failure> {
    let target = Path::new(TARGET_FOLDER);
    let folder = match kind {
        Kind::Release => "release",
        Kind::Debug => "debug",
    };
    let whole = target.join(TARGET).join(folder).join(format!("{NAME}.wasm"));
    let parts = target.join("page").join(folder);
    empty(&parts)?;
    let mut split = setup.program("wasm-split-cli");
    split
        .arg(&whole)
        .arg(&parts)
        .args(["--target", "web", "--out-name", NAME]);
    run(&mut split)?;
    Ok(parts)
}

/// Cuts the compiled program and writes it with all that it needs into `folder`. A release is made
/// smaller, and loses the names of its functions.
pub fn write(setup: &Setup, kind: Kind, folder: &Path) -> Result<(), Failure> {
    let parts = cut(setup, kind)?;
    empty(folder)?;
    let mut bind = setup.program("wasm-bindgen");
    // The parts find what they share with the main one among its exports.
    bind.args(["--target", "web", "--no-typescript", "--keep-lld-exports"]);
    bind.arg("--out-name").arg(NAME).arg("--out-dir").arg(folder);
    run(bind.arg(parts.join(format!("{NAME}.wasm"))))?;
    for path in files(&parts)? {
        let Some(name) = path.file_name().filter(|name| *name != format!("{NAME}.wasm").as_str()) else {
            continue;
        };
        let place = folder.join(name);
        fs::copy(&path, &place).map_err(|source| Failure::file(&path, source))?;
    }
    if kind == Kind::Release {
        for path in files(folder)? {
            if path.extension().is_some_and(|ending| ending == "wasm") {
                tidy(&path)?;
            }
        }
        let [script, wasm] = [".js", "_bg.wasm"].map(|ending| folder.join(format!("{NAME}{ending}")));
        shorten_imports(&script, &wasm)?;
    }
    Ok(())
}

/// Removes what Trunk has made of the whole program.
pub fn remove_whole(dist: &Path) -> Result<(), Failure> {
    for path in files(dist)? {
        let name = address(dist, &path);
        if name.starts_with(&format!("{NAME}-")) && (name.ends_with(".js") || name.ends_with(".wasm")) {
            fs::remove_file(&path).map_err(|source| Failure::file(&path, source))?;
        }
    }
    let snippets = dist.join("snippets");
    if snippets.exists() {
        fs::remove_dir_all(&snippets).map_err(|source| Failure::file(&snippets, source))?;
    }
    Ok(())
}

/// Makes a wasm file smaller to send; the names of its functions go too.
pub fn tidy(path: &Path) -> Result<(), Failure> {
    let tidied = tidied(&read(path)?).map_err(|error| {
        Failure::Missing(format!(
            "{} cannot be tidied: {error} (src/dev/tidy.rs)",
            path.display()
        ))
    })?;
    fs::write(path, tidied).map_err(|source| Failure::file(path, source))
}

/// Gives what a wasm file imports from its own script short names in both.
pub fn shorten_imports(script: &Path, wasm: &Path) -> Result<(), Failure> {
    let text = fs::read_to_string(script).map_err(|source| Failure::file(script, source))?;
    let (text, bytes) = shortened(&text, &read(wasm)?).map_err(|error| {
        Failure::Missing(format!(
            "what {} imports cannot be named: {error} (src/dev/import_names.rs)",
            wasm.display()
        ))
    })?;
    write_file(script, &text)?;
    fs::write(wasm, bytes).map_err(|source| Failure::file(wasm, source))
}

fn empty(folder: &Path) -> Result<(), Failure> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|source| Failure::file(folder, source))?;
    }
    fs::create_dir_all(folder).map_err(|source| Failure::file(folder, source))
}

/// Which files each part needs, beside those of the main one, by the part's name.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Parts(BTreeMap<String, BTreeSet<String>>);

impl Parts {
    /// Reads the [`LOADER`]: `const __chunk_7 = makeLoad(…"./chunk_7.wasm"…, []);` for a file that several parts share,
    /// `export const __wasm_split_load_board = wrapAsyncCb(makeLoad(…"./split_board.wasm"…, [__chunk_7]));` for a part.
    pub fn read(loader: &str) -> Self {
        let mut shared: BTreeMap<&str, &str> = BTreeMap::new();
        let mut parts = BTreeMap::new();
        // What is not a statement of its own is indented.
        let statements = loader.replace("\nexport const ", "\nconst ");
        for statement in statements.split("\nconst ").skip(1) {
            let Some((name, definition)) = statement.split_once(" = ") else {
                continue;
            };
            let file = definition
                .split_once("\"./")
                .and_then(|(_, rest)| Some(rest.split_once('"')?.0));
            let file = file.filter(|file| file.ends_with(".wasm"));
            if let Some(part) = name.strip_prefix("__wasm_split_load_") {
                let needs = definition.rsplit_once('[').and_then(|(_, list)| list.split_once(']'));
                let needs = needs.map_or("", |(list, _)| list).split(',').map(str::trim);
                let needs = needs.filter_map(|name| shared.get(name).copied());
                parts.insert(part.to_owned(), needs.chain(file).map(str::to_owned).collect());
            } else if let Some(file) = file {
                shared.insert(name, file);
            }
        }
        Self(parts)
    }

    /// Whether there is a part of this name, with files.
    pub fn has(&self, part: &str) -> bool {
        self.0.get(part).is_some_and(|files| !files.is_empty())
    }

    /// The parts that need a file.
    pub fn that_need(&self, file: &str) -> Vec<&str> {
        let needing = self.0.iter().filter(|(_, files)| files.contains(file));
        needing.map(|(part, _)| part.as_str()).collect()
    }

    /// Whether one of these parts needs a file of this name.
    pub fn need(&self, parts: &[&str], file: &str) -> bool {
        let mut needed = parts.iter().filter_map(|part| self.0.get(*part));
        needed.any(|files| files.contains(file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_needs_its_file_and_those_that_it_shares() {
        let loader = r#"
function makeLoad(fetcher, deps) { const loader = async () => { const parallelStuff = []; }; }
/* board, survey */
const __chunk_3 = makeLoad(() => {
    const src = fetch(new URL("./chunk_3.wasm", import.meta.url));
    return async (imports) => (WebAssembly.instantiateStreaming(src, imports));
}
, []);
export const __wasm_split_load_survey = wrapAsyncCb(makeLoad(() => async (_imp) => ({}), [__chunk_3]));
export const __wasm_split_load_board = wrapAsyncCb(makeLoad(() => {
    const src = fetch(new URL("./split_board.wasm", import.meta.url));
}
, [__chunk_3, __chunk_9]));
"#;
        let parts = Parts::read(loader);
        assert!(parts.need(&["board"], "split_board.wasm"));
        assert!(parts.need(&["survey"], "chunk_3.wasm"));
        assert!(parts.need(&["nothing", "board"], "chunk_3.wasm"));
        assert!(!parts.need(&["survey"], "split_board.wasm"));
        assert!(!parts.need(&[], "chunk_3.wasm"));
        assert_eq!(parts.that_need("chunk_3.wasm"), ["board", "survey"]);
        assert!(parts.has("survey") && !parts.has("study"));
        // Without indentation, nothing of a part is found.
        assert!(!Parts::read(&loader.replace("    ", "")).has("board"));
        assert_eq!(Parts::read(""), Parts::default());
    }
}
