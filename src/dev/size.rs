//! What the app's two wasm programs are made of: the bytes of their functions by crate, and by module of our own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use wasmparser::{KnownCustom, Name, Parser, Payload, TypeRef};

use crate::app::WASM;
use crate::commands::run;
use crate::failure::Failure;
use crate::files::{address, files, read};
use crate::kind::Kind;
use crate::program::{self, LOADER, Parts};
use crate::progress::Progress;
use crate::setup::Setup;
use crate::wasm_toolchain::{TARGET, TARGET_FOLDER};

/// How many steps [`print()`] announces.
pub const STEPS: usize = WASM.len();

/// What is smaller than this, in bytes, is not listed.
const LEAST: usize = 10_000;

/// Our own crate: the only one whose modules are told apart.
const OWN: &str = "kibitz";

/// Compiles the programs as they are shipped and prints what they are made of: the page's by the files that it is cut into.
pub fn print(setup: &Setup, progress: &Progress) -> Result<(), Failure> {
    for (bin, features) in WASM {
        progress.step(format!("{bin}, the release build"));
        let mut cargo = setup.program("cargo");
        cargo.args(["build", "--quiet", "--locked", "--release", "--target", TARGET]);
        run(cargo.args(["--bin", bin]).args(features))?;
        if bin == program::NAME {
            print_page(&program::cut(setup, Kind::Release)?)?;
        } else {
            let path: PathBuf = [TARGET_FOLDER, TARGET, "release", &format!("{bin}.wasm")]
                .iter()
                .collect();
            println!("\n{}", table(bin, &parts_of(&path)?));
        }
    }
    Ok(())
}

/// Prints the files into which the page's program was cut.
fn print_page(folder: &Path) -> Result<(), Failure> {
    let loader = read(&folder.join(LOADER))?;
    let cut = Parts::read(&String::from_utf8_lossy(&loader));
    let (mut small, mut bytes) = (0, 0);
    for path in files(folder)? {
        if path.extension().is_none_or(|ending| ending != "wasm") {
            continue;
        }
        let name = address(folder, &path);
        let needed = match cut.that_need(&name).join(", ") {
            parts if parts.is_empty() => "always".to_owned(),
            parts => parts,
        };
        let parts = parts_of(&path)?;
        let size: usize = parts.values().map(|part| part.bytes).sum();
        if size < LEAST {
            small += 1;
            bytes += size;
        } else {
            println!("\n{}", table(&format!("{name} ({needed})"), &parts));
        }
    }
    println!("\n{} kB in {small} smaller files", bytes / 1000);
    Ok(())
}

fn parts_of(path: &Path) -> Result<BTreeMap<String, Part>, Failure> {
    parts(&read(path)?).ok_or_else(|| Failure::Missing(format!("{} is no wasm", path.display())))
}

/// Bytes and functions of one part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Part {
    bytes: usize,
    functions: usize,
}

fn table(title: &str, parts: &BTreeMap<String, Part>) -> String {
    let mut sorted: Vec<(&String, &Part)> = parts.iter().collect();
    sorted.sort_by_key(|(name, part)| (std::cmp::Reverse(part.bytes), *name));
    let all: usize = parts.values().map(|part| part.bytes).sum();
    let (listed, rest): (Vec<_>, Vec<_>) = sorted.into_iter().partition(|(_, part)| part.bytes >= LEAST);
    let mut text = format!("{title}: {} kB\n", all / 1000);
    for (name, part) in listed {
        text += &format!("{:>8} kB {:>6} functions  {name}\n", part.bytes / 1000, part.functions);
    }
    let bytes: usize = rest.iter().map(|(_, part)| part.bytes).sum();
    text + &format!("{:>8} kB in {} smaller parts\n", bytes / 1000, rest.len())
}

/// The parts of a wasm file that has its functions' names. `None` for what is no wasm.
fn parts(wasm: &[u8]) -> Option<BTreeMap<String, Part>> {
    let mut parts: BTreeMap<String, Part> = BTreeMap::new();
    let mut bodies = Vec::new();
    let mut names = BTreeMap::new();
    let mut imported = 0;
    for payload in Parser::new(0).parse_all(wasm) {
        match payload.ok()? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    imported += u32::from(matches!(import.ok()?.ty, TypeRef::Func(_) | TypeRef::FuncExact(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(body.range().len()),
            Payload::DataSection(data) => {
                let bytes = data.range().len();
                parts.insert("(data)".to_owned(), Part { bytes, functions: 0 });
            }
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(section) = section.as_known() {
                    for name in section {
                        if let Name::Function(functions) = name.ok()? {
                            for function in functions {
                                let function = function.ok()?;
                                names.insert(function.index, function.name.to_owned());
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }
    for (index, bytes) in (imported..).zip(bodies) {
        let name = names
            .get(&index)
            .map_or_else(|| "(without a name)".to_owned(), |name| part_of(name));
        let part = parts.entry(name).or_default();
        part.bytes += bytes;
        part.functions += 1;
    }
    Some(parts)
}

/// The crate that a function is of, or our module: "kibitz::ui" of `<kibitz::ui::board::Board as core::fmt::Debug>::fmt`.
fn part_of(symbol: &str) -> String {
    let name = format!("{:#}", rustc_demangle::demangle(symbol));
    let is_of_a_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    // What a generic function was made for says more than where it is written.
    let own = name
        .match_indices("kibitz::")
        .find(|(at, _)| !name[..*at].ends_with(is_of_a_path));
    let path = match own {
        Some((at, _)) => &name[at..],
        None => name.trim_start_matches(|c: char| !(c.is_alphanumeric() || c == '_')),
    };
    let path = path.split(|c| !is_of_a_path(c)).next().unwrap_or_default();
    let mut segments = path.split("::").filter(|segment| !segment.is_empty());
    match (segments.next(), segments.next()) {
        (Some(OWN), Some(module)) => format!("{OWN}::{module}"),
        (Some(first), _) => first.to_owned(),
        (None, _) => "(without a crate)".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_of_its_crate_or_of_our_module() {
        for (symbol, part) in [
            ("kibitz::ui::board::draw", "kibitz::ui"),
            ("<kibitz::chess::Game as core::fmt::Debug>::fmt", "kibitz::chess"),
            ("core::ptr::drop_in_place<kibitz::survey::Study>", "kibitz::survey"),
            ("<alloc::vec::Vec<T> as core::ops::Drop>::drop", "alloc"),
            ("_ZN6kibitz5chess4game4Game3new17h0123456789abcdefE", "kibitz::chess"),
            ("__wasm_call_ctors", "__wasm_call_ctors"),
        ] {
            assert_eq!(part_of(symbol), part, "{symbol}");
        }
    }

    #[test]
    fn functions_are_counted_behind_those_that_are_imported() {
        // (module (import "" "" (func)) (func) (func nop)), with names for the last two.
        let mut wasm = b"\0asm\x01\0\0\0".to_vec();
        wasm.extend([1, 4, 1, 0x60, 0, 0]);
        wasm.extend([2, 5, 1, 0, 0, 0, 0]);
        wasm.extend([3, 3, 2, 0, 0]);
        wasm.extend([10, 8, 2, 2, 0, 0x0b, 3, 0, 1, 0x0b]);
        let mut names = vec![2];
        for (index, name) in [(1, "core::a"), (2, "kibitz::ui::b")] {
            names.extend([index, name.len() as u8]);
            names.extend(name.bytes());
        }
        let mut section = vec![4];
        section.extend(b"name");
        section.extend([1, names.len() as u8]);
        section.extend(names);
        wasm.extend([0, section.len() as u8]);
        wasm.extend(section);
        let parts = parts(&wasm).unwrap();
        assert_eq!(parts["core"], Part { bytes: 2, functions: 1 });
        assert_eq!(parts["kibitz::ui"], Part { bytes: 3, functions: 1 });
        assert!(super::parts(b"nothing").is_none());
    }
}
