//! Who depends on whom, file by file and module by module, and where that goes in a circle.
//!
//! A file depends on the file that defines what it names. A name that a module hands on (`pub use`) counts as named where
//! it is defined, so a folder's face is no knot.

use std::collections::{BTreeMap, BTreeSet};

use super::source::{NamedPath, Source};

/// For every file, by its path relative to `src`, the files that it depends on and the names it takes from each.
pub type Dependencies = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// Where a module is: the program or library, and the path in it.
type Module = Vec<String>;

/// Names handed on are followed so far.
const HOPS: usize = 8;

struct House<'a> {
    sources: &'a [Source],
    /// The file of every module, as an index into `sources`.
    files: BTreeMap<Module, usize>,
    /// What every file names, as `sources`.
    paths: Vec<Vec<NamedPath>>,
}

/// The dependencies among `sources`.
pub fn dependencies(sources: &[Source]) -> Dependencies {
    let house = House {
        files: sources
            .iter()
            .enumerate()
            .map(|(index, source)| (module(&source.path), index))
            .collect(),
        paths: sources.iter().map(Source::paths).collect(),
        sources,
    };
    let mut found = Dependencies::new();
    for (index, source) in sources.iter().enumerate() {
        let mine = found.entry(source.path.clone()).or_default();
        for path in &house.paths[index] {
            if path.handed_on && path.uses == 0 {
                continue;
            }
            for (file, name) in house.resolve(index, &path.segments, HOPS) {
                if file != index {
                    mine.entry(sources[file].path.clone()).or_default().insert(name);
                }
            }
        }
    }
    found
}

/// The same, module by module: a module is a folder or file directly below `src`, or a program.
pub fn among_modules(dependencies: &Dependencies) -> Dependencies {
    among_parts(dependencies, "")
}

/// The same, part by part of a folder: a part is a folder or file directly below it. `folder` ends in `/`, or is empty for
/// `src` itself.
pub fn among_parts(dependencies: &Dependencies, folder: &str) -> Dependencies {
    let part = |path: &str| path.strip_prefix(folder).map(top);
    let mut found = Dependencies::new();
    for (from, targets) in dependencies {
        let Some(here) = part(from) else { continue };
        let mine = found.entry(here.clone()).or_default();
        for target in targets.keys() {
            if let Some(there) = part(target).filter(|there| *there != here) {
                mine.entry(there).or_default().insert(format!("{from} -> {target}"));
            }
        }
    }
    found
}

/// The circles: every largest set of two or more that can all be reached from each other, sorted.
pub fn circles(dependencies: &Dependencies) -> Vec<Vec<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> = dependencies
        .keys()
        .map(|from| {
            let mut seen = BTreeSet::new();
            let mut next = vec![from];
            while let Some(at) = next.pop() {
                for target in dependencies.get(at).into_iter().flat_map(BTreeMap::keys) {
                    if seen.insert(target) {
                        next.push(target);
                    }
                }
            }
            (from, seen)
        })
        .collect();
    let mut found = BTreeSet::new();
    for (from, seen) in reached.iter().filter(|(from, seen)| seen.contains(*from)) {
        let circle: Vec<String> = seen
            .iter()
            .filter(|other| reached.get(*other).is_some_and(|back| back.contains(from)))
            .map(|other| (*other).clone())
            .collect();
        found.insert(circle);
    }
    found.into_iter().collect()
}

/// A circle in words: who takes what from whom.
pub fn in_words(circle: &[String], dependencies: &Dependencies) -> String {
    let mut text = format!("a circle of {}:", circle.len());
    for from in circle {
        for (target, names) in &dependencies[from] {
            if circle.contains(target) {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                text.push_str(&format!("\n  {from} -> {target}: {}", names.join(", ")));
            }
        }
    }
    text
}

fn top(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    match parts[..] {
        ["bin", program, ..] => format!("bin/{}", program.trim_end_matches(".rs")),
        [first, ..] => first.trim_end_matches(".rs").to_owned(),
        [] => String::new(),
    }
}

/// The module of a file: `chess/fen.rs` is `["kibitz", "chess", "fen"]`, `bin/lab/main.rs` is `["lab"]`.
fn module(path: &str) -> Module {
    let parts: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
    let (program, inside): (&str, &[&str]) = match parts[..] {
        ["lib"] => ("kibitz", &[]),
        [package @ "kernels", "lib"] => (package, &[]),
        ["main"] => ("main", &[]),
        ["bin", program] => (program, &[]),
        ["bin", program, ref inside @ ..] => (program, inside),
        ["dev", ref inside @ ..] => ("dev", inside),
        [package @ "kernels", ref inside @ ..] => (package, inside),
        _ => ("kibitz", &parts),
    };
    let mut module = vec![program.to_owned()];
    module.extend(inside.iter().map(|part| (*part).to_owned()));
    if module
        .last()
        .is_some_and(|last| last == "mod" || (last == "main" && module.len() > 1))
    {
        module.pop();
    }
    module
}

impl House<'_> {
    /// The files that define what `segments` names in `file`, and the name.
    fn resolve(&self, file: usize, segments: &[String], hops: usize) -> Vec<(usize, String)> {
        let mut at = module(&self.sources[file].path);
        let mut rest = segments;
        let Some(first) = rest.first().map(String::as_str) else {
            return Vec::new();
        };
        match first {
            "crate" => (at, rest) = (vec![at[0].clone()], &rest[1..]),
            "kibitz" => (at, rest) = (vec!["kibitz".to_owned()], &rest[1..]),
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|segment| segment == "super") {
                    at.pop();
                    rest = &rest[1..];
                }
            }
            name => {
                let mut child = at.clone();
                child.push(name.to_owned());
                if !self.files.contains_key(&child) {
                    // A module that is imported, or a name from another crate.
                    let import = self.paths[file].iter().find(|path| {
                        path.imported_as.as_deref() == Some(name) && path.segments.len() > 1 && segments.len() > 1
                    });
                    return match import {
                        Some(import) if hops > 0 && self.is_module(file, &import.segments) => {
                            let mut whole = import.segments.clone();
                            whole.extend(rest[1..].iter().cloned());
                            self.resolve(file, &whole, hops - 1)
                        }
                        _ => Vec::new(),
                    };
                }
            }
        }
        for segment in rest {
            let mut child = at.clone();
            child.push(segment.clone());
            if self.files.contains_key(&child) {
                at = child;
                continue;
            }
            let Some(&here) = self.files.get(&at) else {
                return Vec::new();
            };
            return self
                .handed_on(here, segment, hops)
                .unwrap_or_else(|| vec![(here, segment.clone())]);
        }
        // A module as a whole: what is taken from it is named where it is used.
        Vec::new()
    }

    /// Where a name is defined that `file` hands on; `None` where it hands on no such name.
    fn handed_on(&self, file: usize, name: &str, hops: usize) -> Option<Vec<(usize, String)>> {
        if hops == 0 {
            return None;
        }
        self.paths[file]
            .iter()
            .filter(|path| path.imported_as.as_deref() == Some(name) && path.segments.len() > 1)
            .map(|path| self.resolve(file, &path.segments, hops - 1))
            .find(|found| !found.is_empty())
    }

    /// Whether `segments` names a module, not something in one.
    fn is_module(&self, file: usize, segments: &[String]) -> bool {
        let mut at = module(&self.sources[file].path);
        for segment in segments {
            match segment.as_str() {
                "crate" => at.truncate(1),
                "kibitz" => at = vec!["kibitz".to_owned()],
                "self" => {}
                "super" => {
                    at.pop();
                }
                name => at.push(name.to_owned()),
            }
        }
        self.files.contains_key(&at)
    }
}
